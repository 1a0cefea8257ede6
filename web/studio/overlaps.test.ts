/* Making room needs no browser: what is covered moves to where it is free, and nothing else does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { GRID, touches } from './geometry.ts';
import { MANY, makeRoom, overlapping, type Block } from './overlaps.ts';

const block = (id: string, x: number, y: number, width: number, height: number, big = true, inner: Block[] = []): Block => ({ id, x, y, width, height, big, inner });
const ids = (found: Iterable<Block>) => [...found].map((one) => one.id).sort();
const places = (moved: Map<string, { x: number; y: number }>) => Object.fromEntries([...moved].map(([id, { x, y }]) => [id, [x, y]]));

test('overlaps are those of containers; leaves that a hand put over each other are not', () => {
	assert.deepEqual(ids(overlapping([block('a', 0, 0, 200, 200), block('b', 180, 20, 100, 100, false), block('c', 200, 400, 50, 50)])), ['a', 'b']);
	assert.deepEqual(ids(overlapping([block('a', 0, 0, 200, 100, false), block('b', 100, 20, 200, 100, false)])), []);
	assert.deepEqual(ids(overlapping([block('a', 0, 0, 200, 100), block('b', 200, 0, 200, 100)])), [], 'side by side');
	assert.equal(overlapping(Array.from({ length: MANY + 1 }, (_, i) => block(String(i), 0, 0, 10, 10))).size, 0);
});

test('what is covered goes the shorter way, right or down, onto the grid', () => {
	assert.deepEqual(places(makeRoom([block('a', 0, 0, 300, 500), block('b', 290, 40, 240, 80, false)])), { b: [320, 40] });
	assert.deepEqual(places(makeRoom([block('a', 0, 0, 500, 300), block('b', 40, 290, 240, 80, false)])), { b: [40, 320] });
	assert.deepEqual(places(makeRoom([block('a', 0, 0, 300, 300), block('b', 310, 0, 100, 100)])), {}, 'near is not covered');
});

test('a container that is pushed pushes the next one, and leaves give way', () => {
	const level = [block('a', 0, 0, 300, 900), block('b', 280, 0, 200, 900), block('c', 500, 0, 200, 900), block('d', 600, 100, 50, 50, false)];
	const moved = makeRoom(level);
	assert.deepEqual(places(moved).b, [320, 0]);
	assert.deepEqual(places(moved).c, [540, 0]);
	assert.ok(!moved.has('a'));
	assert.equal(overlapping(level).size, 0);
});

test('a parent that grows pushes too, and inner places stay those of the parent', () => {
	const inner = [block('i', 20, 40, 200, 200), block('j', 200, 60, 160, 80, false)];
	const level = [block('p', 0, 0, 400, 280, true, inner), block('q', 410, 0, 240, 80, false)];
	assert.deepEqual(places(makeRoom(level)), { j: [240, 60], q: [440, 0] });
	assert.equal(level[0]!.width, 420);
});

test('whatever lies how, afterwards nothing of a container is covered, and a second time nothing moves', () => {
	let seed = 7;
	const next = (most: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % most;
	for (let round = 0; round < 200; round++) {
		const level = Array.from({ length: 2 + next(14) }, (_, i) => block(String(i), next(900), next(900), 60 + next(300), 60 + next(300), next(2) === 0));
		const still = level.filter((one) => !overlapping(level).has(one) && !one.big).map((one) => ({ ...one }));
		const moved = makeRoom(level);
		assert.deepEqual(ids(overlapping(level)), [], `round ${round}`);
		assert.equal(makeRoom(level).size, 0);
		for (const [id, at] of moved) assert.ok((at.x % GRID === 0 || at.y % GRID === 0), `${id} in round ${round}`);
		for (const was of still) {
			const now = level.find((one) => one.id === was.id)!;
			if (now.x !== was.x || now.y !== was.y) assert.ok(level.some((one) => one.big && touches(one, was)), `${was.id} moved for nothing`);
		}
	}
});
