/* The laws of the studio page that need no browser (studio-canvas SC-262), each over many random steps with a fixed seed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bounds, elbow, facing, fit, limitZoom, middle, nearest, pathOf, snap, toBoard, toScreen, zoomAt, type Rect, type View } from './geometry.ts';
import { advance, Catalogue, modelOf, score, type ChangesAnswer, type DiagramAnswer, type EdgeRecord, type NodeRecord, type TypeInfo } from './model.ts';
import { choicesBetween } from './connect.ts';

/* A small generator of numbers below 1 that gives the same ones each time. */
function random(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}
const whole = (next: () => number, most: number) => Math.floor(next() * most);

test('SC-262: screen and board are each other’s inverse at every zoom', () => {
	const next = random(1);
	for (let i = 0; i < 10_000; i++) {
		const view: View = { x: next() * 4000 - 2000, y: next() * 4000 - 2000, zoom: limitZoom(0.05 * 80 ** next()) };
		const at = { x: next() * 1e5 - 5e4, y: next() * 1e5 - 5e4 };
		const back = toBoard(view, toScreen(view, at));
		assert.ok(Math.abs(back.x - at.x) < 1e-6 && Math.abs(back.y - at.y) < 1e-6);
	}
});

test('SC-050: what is under the pointer stays there while zooming', () => {
	const next = random(2);
	for (let i = 0; i < 10_000; i++) {
		const view: View = { x: next() * 1000, y: next() * 1000, zoom: 0.05 + next() * 3 };
		const at = { x: next() * 1400, y: next() * 900 };
		const before = toBoard(view, at);
		const zoomed = zoomAt(view, at, view.zoom * (0.2 + next() * 5));
		const after = toBoard(zoomed, at);
		assert.ok(Math.abs(before.x - after.x) < 1e-6 && Math.abs(before.y - after.y) < 1e-6);
		assert.ok(zoomed.zoom >= 0.05 && zoomed.zoom <= 4);
	}
});

test('SC-057: snapping what is snapped moves nothing', () => {
	const next = random(3);
	const rect = (): Rect => ({ x: whole(next, 800), y: whole(next, 600), width: 40 + whole(next, 300), height: 40 + whole(next, 200) });
	for (let i = 0; i < 3000; i++) {
		const others = Array.from({ length: whole(next, 6) }, rect);
		const moving = rect();
		const grid = next() < 0.5 ? 20 : null;
		const once = snap(moving, others, 6, grid);
		const moved = { ...moving, x: moving.x + once.dx, y: moving.y + once.dy };
		const twice = snap(moved, others, 6, grid);
		// A second line may be as near as the first; then nothing is pulled, because the first is at no distance.
		assert.ok(Math.abs(twice.dx) < 1e-9 && Math.abs(twice.dy) < 1e-9, JSON.stringify({ moving, others, once, twice }));
	}
});

test('fit shows everything, and a line ends where its ends are', () => {
	const next = random(4);
	for (let i = 0; i < 2000; i++) {
		const what = { x: next() * 5000 - 2500, y: next() * 5000 - 2500, width: 10 + next() * 9000, height: 10 + next() * 6000 };
		const view = fit(what, 900, 600);
		const corner = toScreen(view, what);
		const end = toScreen(view, { x: what.x + what.width, y: what.y + what.height });
		if (view.zoom > 0.05) assert.ok(corner.x >= -1 && corner.y >= -1 && end.x <= 901 && end.y <= 601);
		const a = { x: next() * 900, y: next() * 900, width: 240, height: 80 };
		const b = { x: next() * 900, y: next() * 900, width: 240, height: 80 };
		const points = elbow(a, facing(a, b)[0], b, facing(a, b)[1]);
		for (let k = 0; k + 1 < points.length; k++) {
			const [p, q] = [points[k]!, points[k + 1]!];
			assert.ok(Math.abs(p.x - q.x) < 1e-9 || Math.abs(p.y - q.y) < 1e-9, 'right angles');
		}
		assert.ok(!/NaN|undefined/.test(pathOf(points)));
		const m = middle(points);
		const box = bounds(points.map((p) => ({ ...p, width: 0, height: 0 })))!;
		assert.ok(m.x >= box.x - 1e-9 && m.x <= box.x + box.width + 1e-9);
	}
	assert.equal(pathOf([]), '');
	assert.equal(fit(null, 100, 100).zoom, 1);
});

test('walking by keys goes to the nearest in that direction', () => {
	const from = { x: 0, y: 0, width: 10, height: 10 };
	const right = { x: 50, y: 3, width: 10, height: 10 };
	const far = { x: 500, y: 0, width: 10, height: 10 };
	const below = { x: 0, y: 60, width: 10, height: 10 };
	assert.equal(nearest(from, [far, below, right], 'right'), right);
	assert.equal(nearest(from, [far, below, right], 'bottom'), below);
	assert.equal(nearest(from, [far, below, right], 'left'), null);
});

/* ---- the model ---- */

interface Whole {
	nodes: Map<string, NodeRecord>;
	edges: Map<string, EdgeRecord>;
	routes: Map<string, [number, number][]>;
}
const copy = (whole_: Whole): Whole => structuredClone(whole_);

function step(whole_: Whole, next: () => number, n: number): void {
	const ids = [...whole_.nodes.keys()];
	const some = () => ids[whole(next, ids.length)];
	const act = whole(next, 6);
	const id = some();
	if (act === 0 || !id) {
		const fresh = `n${n}`;
		whole_.nodes.set(fresh, { id: fresh, instanceId: fresh, typeId: 't', label: fresh, terraformName: fresh, parentId: id ?? null, position: { x: n, y: 0 }, properties: {}, deploymentStatus: 'pending' });
	} else if (act === 1) {
		const gone = new Set([id]);
		for (const [one, node] of whole_.nodes) if (node.parentId && gone.has(node.parentId)) gone.add(one);
		for (const one of gone) whole_.nodes.delete(one);
		for (const [key, edge] of whole_.edges) if (gone.has(edge.source) || gone.has(edge.target)) (whole_.edges.delete(key), whole_.routes.delete(key));
	} else if (act === 2) {
		const node = whole_.nodes.get(id)!;
		whole_.nodes.set(id, { ...node, position: { x: whole(next, 900), y: whole(next, 900) }, label: `${node.label}'` });
		for (const [key, edge] of whole_.edges) if (edge.source === id || edge.target === id) whole_.routes.set(key, [[n, 0], [n, n]]);
	} else if (act === 3) {
		const other = some()!;
		whole_.edges.set(`e${n}`, { id: `e${n}`, source: id, sourceHandle: 'a', target: other, targetHandle: 'b', category: 'structural' });
		whole_.routes.set(`e${n}`, [[0, n], [n, 0]]);
	} else if (act === 4) {
		const [key] = [...whole_.edges.keys()].slice(-1);
		if (key) (whole_.edges.delete(key), whole_.routes.delete(key));
	} else {
		whole_.nodes.set(id, { ...whole_.nodes.get(id)!, deploymentStatus: ['pending', 'created', 'failed'][whole(next, 3)]! });
	}
}

/* What differs, found by comparing wholes and not by knowing what was done. */
function difference(from: Whole, to: Whole, revision: number): ChangesAnswer {
	const differs = <T>(a: Map<string, T>, b: Map<string, T>) => [...b].filter(([key, value]) => JSON.stringify(a.get(key)) !== JSON.stringify(value)).map(([, value]) => value);
	const gone = <T>(a: Map<string, T>, b: Map<string, T>) => [...a.keys()].filter((key) => !b.has(key));
	const routes: ChangesAnswer['routes'] = {};
	for (const [key, value] of to.routes) if (JSON.stringify(from.routes.get(key)) !== JSON.stringify(value)) routes[key] = value;
	return {
		from: revision - 1,
		to: revision,
		cursor: String(revision),
		nodes: differs(from.nodes, to.nodes),
		removedNodes: gone(from.nodes, to.nodes),
		edges: differs(from.edges, to.edges),
		removedEdges: gone(from.edges, to.edges),
		routes,
	};
}

test('SC-011, SC-262: the diagram at `from` and get_changes are the diagram at `to`', () => {
	const next = random(5);
	const now: Whole = { nodes: new Map(), edges: new Map(), routes: new Map() };
	const answer: DiagramAnswer = { nodes: [], edges: [], revision: 0, project: { id: 'p', name: 'P', path: '/p', dirty: false } };
	const model = modelOf(answer);
	for (let i = 1; i <= 10_000; i++) {
		const before = copy(now);
		step(now, next, i);
		if (now.nodes.size > 60) for (const id of [...now.nodes.keys()].slice(0, 30)) (now.nodes.delete(id), [...now.edges].forEach(([k, e]) => (e.source === id || e.target === id) && (now.edges.delete(k), now.routes.delete(k))));
		const touched = advance(model, difference(before, now, i));
		assert.equal(model.revision, i);
		assert.deepEqual(new Set(model.nodes.keys()), new Set(now.nodes.keys()));
		assert.deepEqual(new Set(model.edges.keys()), new Set(now.edges.keys()));
		for (const id of touched.nodes) assert.deepEqual(model.nodes.get(id), now.nodes.get(id));
		assert.deepEqual([...model.routes].map(([k, p]) => [k, p.map(({ x, y }) => [x, y])]).sort(), [...now.routes].sort());
	}
	for (const [id, node] of now.nodes) assert.deepEqual(model.nodes.get(id), node);
});

test('a status that comes without a revision is written into its node', () => {
	const answer: DiagramAnswer = {
		nodes: [{ id: 'a', instanceId: 'a', typeId: 't', label: 'A', terraformName: 'a', position: { x: 0, y: 0 }, properties: {}, deploymentStatus: 'pending' }],
		edges: [],
		revision: 4,
		project: { id: 'p', name: 'P', path: '/p', dirty: false },
	};
	const model = modelOf(answer);
	const touched = advance(model, { from: 4, to: 4, cursor: '4.1', statuses: { a: 'created', gone: 'failed' } });
	assert.equal(model.nodes.get('a')?.deploymentStatus, 'created');
	assert.deepEqual([...touched.nodes], ['a']);
});

test('what was not asked for is kept, and what was is taken', () => {
	const a = { id: 'a', instanceId: 'a', typeId: 't', label: 'A', terraformName: 'a', position: { x: 0, y: 0 }, properties: {}, deploymentStatus: 'pending' };
	const model = modelOf({ nodes: [{ ...a, addresses: ['x.a'], notes: 'n', defaults: { size: 1 } }], edges: [], revision: 4, project: { id: 'p', name: 'P', path: '/p', dirty: false } });
	advance(model, { from: 4, to: 5, cursor: '5.1', nodes: [{ ...a, label: 'B' }] }, ['layout']);
	assert.deepEqual(model.nodes.get('a'), { ...a, label: 'B', addresses: ['x.a'], defaults: { size: 1 } });
	advance(model, { from: 4, to: 5, cursor: '5.2', nodes: [{ ...a, label: 'B', addresses: ['x.b'] }] });
	assert.deepEqual(model.nodes.get('a'), { ...a, label: 'B', addresses: ['x.b'] });
});

/* ---- types ---- */

const type = (typeId: string, more: Partial<TypeInfo> = {}): TypeInfo => ({
	typeId, displayName: typeId.split('/').at(-1)!.replaceAll('_', ' '), category: 'c', provider: typeId.split('/')[0]!, description: 'about it', isContainer: false, canBeChildOf: ['*'], handles: [], properties: [], ...more,
});
const catalogue = new Catalogue({
	types: [
		type('x/net/network', { isContainer: true, canBeChildOf: [] }),
		type('x/net/subnet', { isContainer: true, canBeChildOf: ['x/net/network'], connections: [] }),
		type('x/compute/machine', { canBeChildOf: ['x/net/subnet'], connections: [{ handle: 'out', direction: 'out', otherTypeId: 'x/compute/disk', otherHandle: 'in', label: 'boots from' }] }),
		type('x/compute/disk', { connections: [{ handle: 'in', direction: 'in', otherTypeId: 'x/compute/machine', otherHandle: 'out', label: 'boots from' }] }),
		type('_annotation/general/note'),
	],
	groups: [],
});

test('SC-043: where a type may stand is the table’s word', () => {
	assert.ok(catalogue.mayStandIn('x/net/subnet', 'x/net/network'));
	assert.ok(!catalogue.mayStandIn('x/net/subnet', 'x/net/subnet'));
	assert.ok(!catalogue.mayStandIn('x/compute/machine', 'x/compute/disk'), 'no container');
	assert.ok(catalogue.mayStandIn('x/compute/disk', 'x/net/subnet'), 'anywhere');
	assert.ok(catalogue.mayStandIn('_annotation/general/note', 'x/net/network'));
	assert.ok(catalogue.mayStandIn('x/net/subnet', null), 'the top level always');
	assert.ok(!catalogue.mayStandIn('unknown/type', 'x/net/network'));
});

test('SC-076: pairs of handles, in the direction of the rule, each once', () => {
	const end = (id: string, typeId: string) => ({ id, record: { typeId } });
	const [machine, disk] = [end('m', 'x/compute/machine'), end('d', 'x/compute/disk')];
	const expected = [{ source: 'm', sourceHandle: 'out', target: 'd', targetHandle: 'in', label: 'boots from' }];
	assert.deepEqual(choicesBetween(catalogue, machine, disk, null), expected);
	assert.deepEqual(choicesBetween(catalogue, disk, machine, null), expected);
	assert.deepEqual(choicesBetween(catalogue, machine, end('n', 'x/net/network'), null), []);
	assert.deepEqual(choicesBetween(catalogue, machine, machine, null), []);
	assert.equal(choicesBetween(catalogue, end('a', '_annotation/general/note'), disk, null)[0]?.sourceHandle, 'node');
});

test('SC-041: what begins with the words comes first, and every word must be found', () => {
	const find = (words: string) => catalogue.all.map((one) => ({ id: one.typeId, value: score(one, words) })).filter((one) => one.value !== null).sort((a, b) => b.value! - a.value!).map((one) => one.id);
	assert.equal(find('sub')[0], 'x/net/subnet');
	assert.deepEqual(find('subnet zebra'), []);
	assert.equal(find('mach')[0], 'x/compute/machine');
});
