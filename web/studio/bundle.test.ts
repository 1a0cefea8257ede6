import assert from 'node:assert/strict';
import { test } from 'node:test';

import { BUNDLED_OVER, bundle, bundlePoints, type End } from './bundle.ts';

class Node implements End {
	readonly id: string;
	readonly parent: Node | null;
	readonly at: number;
	constructor(id: string, parent: Node | null, at = 0) {
		[this.id, this.parent, this.at] = [id, parent, at];
	}
	rectIn(home: Node | null) {
		let x = 0;
		for (let one: Node | null = this; one && one !== home; one = one.parent) x += one.at;
		return { x, y: 0, width: 100, height: 60 };
	}
}
const many = (a: Node, b: Node, count: number) => Array.from({ length: count }, (_, i) => ({ source: new Node(`${a.id}${i}`, a), target: new Node(`${b.id}${i}`, b) }));
const [web, data, other] = [new Node('web', null), new Node('data', null, 900), new Node('other', null, 1800)];

test('SC-081: up to two hundred lines of a container are themselves, more are one to each place', () => {
	const few = many(web, data, BUNDLED_OVER);
	assert.deepEqual(bundle(few, null), { single: few, bundles: [] });
	const lines = [...many(web, data, BUNDLED_OVER), ...many(web, other, 3), ...many(data, other, 2)];
	const { single, bundles } = bundle(lines, null);
	// What leaves `data` for `other` crosses its border, too: with what came from `web` it is more than two hundred.
	assert.deepEqual(bundles.map(({ a, b, count }) => [a.id, b.id, count]), [['web', 'data', 200], ['web', 'other', 3], ['data', 'other', 2]]);
	assert.equal(single.length, 0);
	assert.equal(bundles.reduce((sum, one) => sum + one.count, single.length), lines.length, 'a line is lost');
});

test('SC-081: lines of the container itself, and of what stands alone, cross no border', () => {
	const lone = new Node('lone', null, 50);
	const own = Array.from({ length: 300 }, () => ({ source: lone, target: web }));
	assert.equal(bundle(own, null).bundles.length, 0);
	const inside = Array.from({ length: 300 }, (_, i) => ({ source: web, target: new Node(`in${i}`, web) }));
	assert.deepEqual(bundle(inside, web), { single: inside, bundles: [] }, 'from a container to what is in it');
	const mixed = [...many(web, data, 250), { source: lone, target: other }];
	assert.deepEqual(bundle(mixed, null).single, [mixed.at(-1)]);
});

test('SC-081: a bundle goes from box to box', () => {
	const points = bundlePoints({ a: web, b: data, count: 250 }, null);
	assert.deepEqual([points[0], points.at(-1)], [{ x: 100, y: 30 }, { x: 900, y: 30 }]);
});
