import assert from 'node:assert/strict';
import { test } from 'node:test';

import { activeRoute, differences, editorLink, ends, frameUrl, grouped, grown, inverse, keyOf, parametersOf, patched, pathOf, typed, typedCommand, type Entry, type LogEntry, type Node, type Override, type Row } from './model.ts';
import { commonFolder, folded, picture } from './picture.ts';

test('only ports of this machine are framed, and never the page itself (T18, T19)', () => {
	assert.equal(frameUrl('http://127.0.0.1:40001/a?b', '7777'), 'http://127.0.0.1:40001/a?b');
	for (const url of ['http://127.0.0.1:7777/', 'http://localhost:40001/', 'https://127.0.0.1:40001/', 'http://127.0.0.1/', 'http://127.0.0.1.example.org:80/', 'http://a@127.0.0.1:1/', 'javascript:alert(1)', '', null])
		assert.equal(frameUrl(url, '7777'), null, String(url));
});

test('a path leads nowhere but into the same preview', () => {
	assert.equal(pathOf('http://127.0.0.1:1/x', '/menu/rye?a=1'), 'http://127.0.0.1:1/menu/rye?a=1');
	for (const path of ['//example.org/', '/\\example.org', 'menu', '', '/a\nb', '/a\\b']) assert.equal(pathOf('http://127.0.0.1:1/', path), null, path);
});

test('groups in the order of their first prop, within one by order, then by name; what has none is last (U4)', () => {
	const row = (name: string, group?: string): Row => ({ name, path: `/${name}`, ...(group && { group }), exposure: 'editable', valueFrom: 'unknown', overrideState: 'none' });
	const order = (value?: number) => ({ exposure: { kind: 'editable' as const }, ...(value !== undefined && { order: value }) });
	const entry: Entry = { typeId: 'x', displayName: 'X', props: { label: order(10), size: order(20), tone: order(10), b: order(), a: order(), free: order(1) } };
	const rows = [row('free'), row('label', 'Content'), row('size', 'Appearance'), row('b', 'Appearance'), row('tone', 'Appearance'), row('a', 'Appearance'), { ...row('other'), exposure: 'unregistered' as const }];
	assert.deepEqual(
		grouped(rows, entry).map((group) => [group.name, group.rows.map((one) => one.name)]),
		[
			['Content', ['label']],
			['Appearance', ['tone', 'size', 'a', 'b']],
			['', ['free']],
		],
	);
});

test('what is typed is a value of its control, or not yet one', () => {
	assert.equal(typed({ kind: 'string' }, '12'), '12');
	assert.equal(typed({ kind: 'number' }, ' 12.5 '), 12.5);
	for (const text of ['', '1e', '"1"', 'NaN', '1e999']) assert.equal(typed({ kind: 'number' }, text), undefined, text);
	assert.deepEqual(typed({ kind: 'json' }, '{"a":[null,false]}'), { a: [null, false] });
	assert.equal(typed({ kind: 'json' }, 'null'), null);
	assert.equal(typed({ kind: 'json' }, '{'), undefined);
});

test('the route that is shown: the router says it, else the pattern that fits best (E5)', () => {
	const routes: Node[] = [
		['routeId:root', '/'],
		['routeId:home', '/'],
		['routeId:menu', '/menu'],
		['routeId:item', '/menu/:itemId'],
		['routeId:new', '/menu/new'],
		['route:/*', '/*'],
	].map(([id, path]) => ({ kind: 'route', id: id as string, path: path as string }));
	const at = (pathname: string, matchedRouteIds?: string[]) => activeRoute(routes, { pathname, ...(matchedRouteIds && { matchedRouteIds }) })?.id;
	assert.equal(at('/', ['root', 'home']), 'routeId:home');
	assert.equal(at('/menu'), 'routeId:menu');
	assert.equal(at('/menu/rye'), 'routeId:item');
	assert.equal(at('/menu/new'), 'routeId:new');
	assert.equal(at('/nowhere/at/all'), 'route:/*');
	assert.equal(at('/menu', ['root', '0-2']), 'routeId:menu', 'the router has an id of its own for it');
	assert.equal(activeRoute(routes.slice(0, 2), { pathname: '/menu', matchedRouteIds: ['root', '0-2'] })?.id, 'routeId:root');
	assert.equal(activeRoute(routes, null), null);
	assert.deepEqual(parametersOf('/a/:one/*'), ['one', '*']);
});

test('what others have changed, and the ops that take it back', () => {
	const one = (path: string, value: unknown): Override => ({ group: 'app', instanceId: 'i', path, value: value as string, componentTypeId: 'ui.x', instanceLocator: 0, status: 'applied' });
	const before = [one('/a', 1), one('/b', { x: 1 }), one('/gone', false)];
	const after = [{ ...one('/a', 1), status: 'pending' as const }, one('/b', { x: 2 }), one('/new', '')];
	const found = differences(before, after);
	assert.deepEqual(found.map((change) => change.path), ['/b', '/new', '/gone']);
	assert.deepEqual(inverse(found), [
		{ op: 'set', instanceId: 'i', path: '/b', value: { x: 1 }, componentTypeId: 'ui.x', instanceLocator: 0 },
		{ op: 'clear', instanceId: 'i', path: '/new' },
		{ op: 'set', instanceId: 'i', path: '/gone', value: false, componentTypeId: 'ui.x', instanceLocator: 0 },
	]);
});

test('the picture: users stand left of what they use, circles and strangers do no harm', () => {
	const type = (id: string): Node => ({ kind: 'componentType', id, displayName: id });
	const nodes: Node[] = [{ kind: 'route', id: 'routeId:home', path: '/' }, type('a'), type('b'), type('c')];
	const use = (from: string, to: string) => ends({ kind: 'componentTypeUsesComponentType', from, to });
	const made = picture(nodes, [ends({ kind: 'routeUsesComponentType', routeId: 'routeId:home', componentTypeId: 'a' }), use('a', 'b'), use('b', 'a'), use('b', 'b'), use('b', 'missing')], null);
	assert.equal(made.nodes.length, 4);
	const at = (id: string) => made.nodes.find((one) => one.node.id === id)?.x ?? NaN;
	assert.ok(at('routeId:home') < at('a'), 'a route is left of what it shows');
	assert.equal(made.lines.length, 3, 'no line to oneself, none to what is not there');
	assert.ok(made.nodes.every((one) => one.x >= 0 && one.y >= 0 && one.x + one.width <= made.width && one.y <= made.height));
	const many = Array.from({ length: 1000 }, (_, n) => type(`t${n}`));
	const large = picture(many, many.slice(1).map((node, n) => use(`t${n}`, node.id)), 'componentType t500');
	assert.equal(large.nodes.length, 200);
	assert.equal(large.left, 800);
	assert.ok(large.nodes.some((one) => one.node.id === 't500'));
	assert.deepEqual(picture([], [], null).nodes, []);
});

test('a place is a link into an editor, and never something that runs here', () => {
	const source = { filePath: 'src/a b#.tsx', line: 3 };
	assert.equal(editorLink('vscode://file{path}:{line}:{column}', '/home/ada/x', source), 'vscode://file/home/ada/x/src/a%20b%23.tsx:3:1');
	for (const bad of ['javascript:alert("{path}")', ' JavaScript:x', 'data:text/html,{path}', 'no link', '']) assert.equal(editorLink(bad, '/x', source), null, bad);
});

test('a large graph by folders: the open one in full, the others where their way parts from it', () => {
	const at = (id: string, file: string): Node => ({ kind: 'componentType', id, displayName: id, source: { filePath: file, line: 1 } });
	const nodes = [at('a', 'src/ui/form/A.tsx'), at('b', 'src/ui/B.tsx'), at('c', 'src/pages/shop/C.tsx'), at('d', 'src/D.tsx'), { kind: 'componentType', id: 'e', displayName: 'e' } as Node];
	const use = (from: string, to: string): [string, string] => [`componentType ${from}`, `componentType ${to}`];
	assert.deepEqual(commonFolder(nodes), ['src']);
	assert.deepEqual(commonFolder([]), []);
	const made = folded(nodes, [use('c', 'a'), use('c', 'b'), use('a', 'b'), use('d', 'c'), use('c', 'missing')], ['src', 'ui']);
	assert.deepEqual(made.nodes.map(keyOf), ['folder src/ui/form', 'componentType b', 'folder src/pages', 'folder src', 'folder ']);
	assert.deepEqual(made.links, [['folder src/pages', 'folder src/ui/form'], ['folder src/pages', 'componentType b'], ['folder src/ui/form', 'componentType b'], ['folder src', 'folder src/pages']]);
	const many = Array.from({ length: 5000 }, (_, n) => at(`t${n}`, `src/f${n % 70}/T${n}.tsx`));
	const links = many.map((_, n) => use(`t${n}`, `t${(n * 7 + 1) % 5000}`));
	const drawn = folded(many, links, commonFolder(many));
	assert.equal(picture(drawn.nodes, drawn.links, null).nodes.length, 70);
	assert.ok(picture(many, links, 'componentType t5', 60).nodes.length <= 60);
});

test('patches lead from one graph to the next (G8, G10)', () => {
	const node = (id: string, displayName = id): Node => ({ kind: 'componentType', id, displayName });
	const edge = (from: string, to: string) => ({ kind: 'componentTypeUsesComponentType' as const, from, to });
	const made = patched({ revision: 4, nodes: [node('a'), node('b')], edges: [edge('a', 'b')] }, [
		{ revision: 4, ops: [{ op: 'removeNode', node: node('a') }] },
		{ revision: 5, ops: [{ op: 'removeEdge', edge: edge('a', 'b') }, { op: 'removeNode', node: node('b') }] },
		{ revision: 6, ops: [{ op: 'upsertNode', node: node('a', 'A') }, { op: 'upsertNode', node: node('c') }, { op: 'upsertEdge', edge: edge('c', 'a') }] },
	]);
	assert.deepEqual(made, { revision: 6, nodes: [node('a', 'A'), node('c')], edges: [edge('c', 'a')] });
});

test('of a log that forgets its oldest entries it is known which have come', () => {
	const line = (n: number): LogEntry => ({ level: 'info', message: `line ${n % 3}`, timestamp: String(n), origin: 'server' });
	const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => line(from + n));
	assert.equal(grown([], lines(0, 3)), 3);
	assert.equal(grown(lines(0, 3), lines(0, 3)), 0);
	assert.equal(grown(lines(0, 3), lines(0, 5)), 2);
	assert.equal(grown(lines(0, 500), lines(7, 507)), 7);
	assert.equal(grown(lines(0, 500), lines(900, 1400)), 500);
});

test('a command as it would be typed (T21)', () => {
	assert.equal(typedCommand(['npm', 'run', 'dev', '--', '--port', '{port}']), 'npm run dev -- --port {port}');
	assert.equal(typedCommand(['sh', '-c', "echo 'x' && rm -rf /tmp/a b", '']), `sh -c 'echo '\\''x'\\'' && rm -rf /tmp/a b' ''`);
});

test('a draft that was found again elsewhere is the same draft (A15)', () => {
	const one = (instanceId: string, reboundFrom?: string): Override => ({ group: 'app', instanceId, path: '/a', value: 1, status: 'applied', ...(reboundFrom && { reboundFrom }) });
	assert.deepEqual(differences([one('i')], [one('j', 'i')]), []);
});
