import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bySeverity, levels, matches, openPlans, type Change, type Filter } from './model.ts';
import { draw, glyph, groupsOf, neighbour } from './picture.ts';
import { decode } from './read.ts';

const kinds = ['create', 'update', 'delete', 'replace', 'import'] as const;

/* Deterministic, and with every level, action and module. */
function sample(count: number, modules = 7): Change[] {
	return Array.from({ length: count }, (_, i) => ({
		index: i + 1,
		address: `module.m${(i * i) % modules}.aws_thing.a${i}`,
		module: `module.m${(i * i) % modules}`,
		type: 'aws_thing',
		action: kinds[(i * 7) % kinds.length],
		risk: { level: levels[(i * 3) % levels.length], codes: [] },
	})) as unknown as Change[];
}

const options = { size: 560, margin: 66, hub: 58 };

for (const count of [1, 2, 7, 40, 300, 2500])
	test(`${count} changes: all are drawn, inside the picture, none upon another`, () => {
		const picture = draw(sample(count), options);
		assert.equal(picture.dots.length, count);
		assert.equal(new Set(picture.dots.map((d) => d.change.index)).size, count);
		const far = picture.dots.map((d) => Math.hypot(d.x - 280, d.y - 280));
		assert.ok(Math.max(...far) + picture.radius <= 280 - 66 + 0.5);
		assert.ok(Math.min(...far) - picture.radius >= 58);
		for (let i = 0; i < picture.dots.length; i++)
			for (let k = i + 1; k < Math.min(picture.dots.length, i + 400); k++) {
				const a = picture.dots[i]!;
				const b = picture.dots[k]!;
				const apart = Math.hypot(a.x - b.x, a.y - b.y);
				assert.ok(apart >= 2 * picture.radius * 0.93, `${i} and ${k}: ${apart} of ${picture.radius}`);
			}
	});

test('the worse, the nearer to the middle', () => {
	const picture = draw(sample(60), options);
	assert.deepEqual(picture.rings.map((r) => r.level), levels);
	for (const dot of picture.dots) {
		const ring = picture.rings.find((r) => r.level === dot.change.risk.level)!;
		const far = Math.hypot(dot.x - 280, dot.y - 280);
		assert.ok(far > ring.inner && far < ring.outer);
	}
});

test('the same plan gives the same picture', () => {
	assert.deepEqual(draw(sample(50), options), draw(sample(50), options));
});

test('an empty plan is an empty picture', () => {
	const picture = draw([], options);
	assert.deepEqual([picture.dots, picture.rings, picture.sectors], [[], [], []]);
});

test('data that is only read is not drawn; beyond the cap it is said', () => {
	const reads = sample(3).map((c) => ({ ...c, action: 'read' as const }));
	assert.equal(draw(reads, options).dots.length, 0);
	const many = draw(sample(3100), options);
	assert.equal(many.dots.length, 3000);
	assert.equal(many.notDrawn, 100);
});

test('sectors are modules, types when there is only one, and at most fourteen', () => {
	assert.deepEqual(
		groupsOf([
			{ module: 'module.net["a.b"].module.sub[0]', type: 'x' },
			{ module: null, type: 'y' },
		] as Change[]).map((g) => g.name),
		['net.sub', 'root'],
	);
	assert.deepEqual(
		groupsOf([{ module: null, type: 'x' }, { module: null, type: 'y' }] as Change[]).map((g) => g.name),
		['x', 'y'],
	);
	const groups = groupsOf(sample(400, 97));
	assert.equal(groups.length, 14);
	assert.match(groups.at(-1)!.name, /^\d+ others$/);
	assert.equal(groups.reduce((sum, g) => sum + g.members.length, 0), 400);
});

test('arrow keys find the nearest dot in their direction', () => {
	const dots = [
		{ x: 0, y: 0 },
		{ x: 10, y: 1 },
		{ x: 20, y: 0 },
		{ x: 0, y: -10 },
	];
	assert.equal(neighbour(dots, 0, 1, 0), 1);
	assert.equal(neighbour(dots, 1, 1, 0), 2);
	assert.equal(neighbour(dots, 0, 0, -1), 3);
	assert.equal(neighbour(dots, 0, -1, 0), -1);
});

test('every action has a glyph of its own', () => {
	const drawn = ['create', 'delete', 'update', 'replace', 'move', 'import'].map((a) => glyph(a, 10));
	assert.equal(new Set(drawn).size, drawn.length);
});

test('filters', () => {
	const all = sample(100);
	const none: Filter = { text: '', actions: new Set(), least: 'none', module: '', verdict: '' };
	const left = (f: Partial<Filter>, v?: 'ok') => all.filter((c) => matches(c, { ...none, ...f }, v));
	assert.equal(left({}).length, 100);
	assert.ok(left({ actions: new Set(['delete'] as const) }).every((c) => c.action === 'delete'));
	assert.ok(left({ least: 'high' }).every((c) => ['critical', 'high'].includes(c.risk.level)));
	assert.ok(left({ module: 'module.m1' }).every((c) => c.module === 'module.m1'));
	assert.deepEqual(left({ text: 'AWS_thing a17' }).map((c) => c.index), [18]);
	assert.equal(left({ verdict: 'open' }).length, 100);
	assert.equal(left({ verdict: 'open' }, 'ok').length, 0);
	assert.equal(left({ verdict: 'ok' }, 'ok').length, 100);
	assert.equal(left({ verdict: 'stop' }, 'ok').length, 0);
	const sorted = [...all].sort(bySeverity);
	assert.equal(sorted[0]!.risk.level, 'critical');
	assert.equal(sorted.at(-1)!.risk.level, 'none');
});

test('text as UTF-8 and as PowerShell writes it', () => {
	assert.equal(decode(new TextEncoder().encode('Plän')), 'Plän');
	assert.equal(decode(new Uint8Array([0xff, 0xfe, 0x50, 0, 0xe4, 0])), 'Pä');
	assert.equal(decode(new Uint8Array([0xfe, 0xff, 0, 0x50, 0, 0xe4])), 'Pä');
});

test('a list of open plans, also one that is empty or not there', () => {
	assert.deepEqual(openPlans(null), []);
	assert.deepEqual(openPlans({ plans: [] }), []);
});
