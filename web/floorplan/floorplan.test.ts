import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { ChangeSet, Text } from '@codemirror/state';

import { diff } from './diff.ts';
import { flatten, hit, moved, operations, resized, snap } from './drag.ts';
import { markOf, offsetOf } from './editor.ts';
import { baseName, contentOf, kinds } from './files.ts';
import { suggest } from './language.ts';
import { namesIn, statementLine, type Room } from './model.ts';
import { lineEnd, Sync } from './sync.ts';
import { kindOf, reserved } from './words.ts';

/* Numbers that are the same in every run. */
function random(seed: number) {
	let state = seed;
	return (below: number) => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}

function patch(text: string, changes: ReturnType<typeof diff>): string {
	let at = 0;
	let out = '';
	for (const { from, to, insert } of changes) {
		assert.ok(from >= at && to >= from && to <= text.length);
		out += text.slice(at, from) + insert;
		at = to;
	}
	return out + text.slice(at);
}

test('the words are those of the parser (L10)', () => {
	const table = readFileSync(new URL('../../src/apps/floorplan/language/words.h', import.meta.url), 'utf8');
	const words = [...table.matchAll(/X\(\w+, "([^"]+)"\)/g)].map((m) => m[1] ?? '');
	assert.ok(words.length > 100);
	assert.deepEqual([...reserved].sort(), words.sort());
	for (const word of words) assert.ok(kindOf(word), word);
	assert.equal(kindOf('Kitchen'), undefined);
});

test('a difference is small, and makes the one text of the other', () => {
	assert.deepEqual(diff('same', 'same'), []);
	assert.deepEqual(diff('a\nb\nc\n', 'a\nB\nc\n'), [{ from: 2, to: 3, insert: 'B' }]);
	// Two places far apart stay two.
	assert.equal(diff('one\ntwo\nthree\nfour\n', 'One\ntwo\nthree\nFour\n').length, 2);
	const next = random(7);
	const text = () => Array.from({ length: next(12) }, () => 'ab\n\r😀'[next(6)] ?? '\n').join('');
	for (let i = 0; i < 4000; i++) {
		const [a, b] = [text(), text()];
		assert.equal(patch(a, diff(a, b)), b, JSON.stringify([a, b]));
	}
});

test('what two change at once: nothing is lost, and both have the same', () => {
	const sync = new Sync('room A\nroom B\n', 1);
	let here = sync.base;
	const type = (from: number, to: number, insert: string) => {
		const changes = ChangeSet.of({ from, to, insert: Text.of(insert.split('\n')) }, here.length);
		here = changes.apply(here);
		sync.edited(changes);
	};
	type(5, 6, 'Hall');
	assert.equal(sync.send(), 'room Hall\nroom B\n');
	type(0, 0, '# mine\n'); // while it is on its way
	assert.equal(sync.send(), null);
	sync.refused(); // somebody was faster
	const theirs = sync.received('room A\nroom Bath\n', 2);
	assert.ok(theirs);
	here = theirs.apply(here);
	assert.equal(here.toString(), '# mine\nroom Hall\nroom Bath\n');
	assert.equal(sync.send(), '# mine\nroom Hall\nroom Bath\n');
	sync.accepted(3);
	assert.equal(sync.dirty, false);
	assert.equal(sync.received('# mine\nroom Hall\nroom Bath\n', 3), null);
});

test('two editors and a daemon that refuses old revisions: in the end one text (7.8)', () => {
	const next = random(99);
	for (let round = 0; round < 60; round++) {
		let served = 'floorplan\n  floor F {\n    room A at (0,0) size (1 x 1)\n  }\n';
		let revision = 0;
		const people = [0, 1].map(() => ({ sync: new Sync(served, 0), here: Text.of(served.split('\n')) }));
		const receive = (p: (typeof people)[0]) => {
			const changes = p.sync.received(served, revision);
			if (changes) p.here = changes.apply(p.here);
		};
		const send = (p: (typeof people)[0]) => {
			const expected = p.sync.revision;
			const text = p.sync.send();
			if (text === null) return;
			if (expected !== revision) p.sync.refused();
			else {
				served = text;
				p.sync.accepted(++revision);
			}
		};
		for (let step = 0; step < 40; step++) {
			const p = people[next(2)]!;
			const act = next(4);
			if (act < 2) {
				const from = next(p.here.length + 1);
				const to = Math.min(p.here.length, from + next(4));
				const changes = ChangeSet.of({ from, to, insert: ['x', '\n', 'room', ''][next(4)] }, p.here.length);
				p.here = changes.apply(p.here);
				p.sync.edited(changes);
			} else if (act === 2) receive(p);
			else send(p);
		}
		for (let i = 0; i < 3; i++)
			for (const p of people) {
				receive(p);
				send(p);
			}
		for (const p of people) {
			receive(p);
			assert.equal(p.here.toString(), served);
			assert.equal(p.sync.dirty, false);
		}
	}
});

test('line ends come back as they were (8.1)', () => {
	assert.equal(lineEnd('a\r\nb\r\n'), '\r\n');
	assert.equal(lineEnd('a\r\nb\n'), '\n');
	assert.equal(lineEnd('a\rb'), '\r');
	assert.equal(lineEnd('a'), '\n');
	for (const text of ['a\r\nb\r\n', 'a\r\nb\n', 'a\rb', '\ufeffa\n']) {
		const sync = new Sync(text, 0);
		sync.edited(ChangeSet.of({ from: sync.base.length, insert: '!' }, sync.base.length));
		assert.equal(sync.send(), text + '!');
	}
});

test('columns count code points, a byte order mark none (L1, L2)', () => {
	const doc = Text.of(['\ufeffa😀b', 'second']);
	assert.equal(offsetOf(doc, 1, 1), 1);
	assert.equal(offsetOf(doc, 1, 3), 4);
	assert.equal(offsetOf(doc, 2, 1), 6);
	assert.equal(offsetOf(doc, 9, 1), doc.length);
	const found = { code: 'FP1005', severity: 'error' as const, message: 'm', line: 2, column: 7, endLine: 2, endColumn: 7 };
	const mark = markOf(doc, found);
	assert.ok(mark.to > mark.from, 'an empty range is seen, too');
});

const rooms: Room[] = [
	{ name: 'A', floor: 'F', position: { x: 0, y: 0 }, resolvedPosition: { x: 0, y: 0 }, size: { width: 4, height: 3 }, line: 3,
		subRooms: [{ name: 'S', floor: 'F', position: { x: 1, y: 1 }, resolvedPosition: { x: 1, y: 1 }, size: { width: 1, height: 1 }, line: 4 }] },
	{ name: 'B', floor: 'F', position: { x: 10, y: 0 }, resolvedPosition: { x: 10, y: 0 }, size: { width: 2, height: 3 }, line: 5 },
];
const shown = [{ floor: 'F', scale: 10, x0: 100, y0: 50 }];

test('what the hand is at, where it snaps, and what it says', () => {
	const items = flatten(rooms);
	const [a, s, b] = items as [(typeof items)[0], (typeof items)[0], (typeof items)[0]];
	assert.equal(hit(items, shown, { x: 115, y: 65 }), s);
	assert.equal(hit(items, shown, { x: 135, y: 55 }), a);
	assert.equal(hit(items, shown, { x: 99, y: 55 }), null);

	assert.equal(snap(1.26, [], 0.1, 0), 1.3);
	assert.equal(snap(1.26, [1.31], 0.1, 0.1), 1.31);

	const grid = { step: 0.5, reach: 0.3 };
	assert.deepEqual(operations(b, moved(b, { x: 0.1, y: 0.1 }, items, grid)), []);
	// Its left wall at A's right wall.
	assert.deepEqual(operations(b, moved(b, { x: -5.8, y: 1.2 }, items, grid)), [
		{ action: 'move_room', target: 'F.B', params: { x: 4, y: 1 } },
	]);
	// In its own frame.
	assert.deepEqual(operations(s, moved(s, { x: 0.6, y: 0 }, items, grid)), [
		{ action: 'move_room', target: 'F.S', params: { x: 1.5, y: 1 } },
	]);
	assert.deepEqual(operations(b, resized(b, 'right', 0.9, items, grid)), [
		{ action: 'resize_room', target: 'F.B', params: { width: 3 } },
	]);
	assert.deepEqual(operations(b, resized(b, 'left', -1, items, grid)), [
		{ action: 'resize_room', target: 'F.B', params: { width: 3 } },
		{ action: 'move_room', target: 'F.B', params: { x: 9, y: 0 } },
	]);
	assert.equal(resized(b, 'left', 99, items, grid).width, 0.5, 'never none');
});

test('lines of rooms that are written over several', () => {
	const lines = ['floorplan', '  floor F {', '    room A', '      at (0,0)', '      size (1 x 1)', '  }', '  connect A to outside door', '  config {', '  theme: dark }'];
	assert.equal(statementLine(lines, 5), 3);
	assert.equal(statementLine(lines, 3), 3);
	assert.equal(statementLine(lines, 7), 7);
	assert.equal(statementLine(lines, 2), 0);
	assert.equal(statementLine(lines, 9), 0);
});

const plan = `floorplan
  define Big (4 x 4) # room Ghost
  style Oak { floor_color: "#C8A46B" }
  floor G { room Hall at (0,0) size Big label "room Fake" }`;

test('names, also of text that is not finished', () => {
	assert.deepEqual(namesIn(plan + '\n room '), { rooms: ['Hall'], floors: ['G'], styles: ['Oak'], sizes: ['Big'], circulation: [] });
});

test('completion says what may come', () => {
	const labels = (before: string) => suggest(before, plan)?.map((one) => one.label);
	assert.deepEqual(labels('  room B size ('), labels('  room B size (x'));
	assert.ok(labels('    room B size (1 x 1) right-of ')?.includes('Hall'));
	assert.deepEqual(labels('    room B style '), ['Oak']);
	assert.deepEqual(labels('    room B size '), ['Big']);
	assert.ok(labels('  connect Hall.')?.includes('top'));
	assert.ok(labels('  connect ')?.includes('outside'));
	assert.deepEqual(labels('    room B walls [top: '), ['solid', 'door', 'window', 'open']);
	assert.ok(labels('  config { wa')?.includes('wall_thickness'));
	assert.ok(labels('  style X { fl')?.includes('floor_color'));
	assert.equal(labels('    room '), undefined, 'a new name is the writer\'s own');
	assert.equal(labels('  # a comm'), undefined);
	assert.equal(labels('  room A label "some wo'), undefined);
});

test('files: names, and what is in them', async () => {
	assert.equal(baseName('/home/ada/house.floorplan', null), 'house');
	assert.equal(baseName(null, 'A small / house'), 'A-small-house');
	assert.equal(baseName(null, '../..'), 'plan');
	const kind = (id: string) => kinds.find((one) => one.id === id)!;
	const result = { text: '', texts: [] as string[], structured: null, files: [] as { mime: string; base64: string }[], isError: false };
	const png = contentOf(kind('png'), { ...result, files: [{ mime: 'image/png', base64: 'iVBORw==' }] });
	assert.equal(png?.size, 4);
	const svg = contentOf(kind('svg'), { ...result, text: '<svg/></svg>\n{"label":"</svg>"}' });
	assert.equal(await svg?.text(), '<svg/></svg>\n');
	assert.equal(await contentOf(kind('csv'), { ...result, texts: ['a,b\n', '{}'] })?.text(), 'a,b\n');
	assert.equal(contentOf(kind('csv'), result), null);
});
