/* Which fields a form has and what they are worth, by type data alone (SC-085, 086); ranges as they are shown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Values } from './condition.ts';
import { same } from './same.ts';
import type { Property } from './model.ts';
import { address, countOf, freeIn, rangeOf } from './ranges.ts';

const property = (key: string, more: Partial<Property> = {}): Property => ({ key, label: key, type: 'string', required: false, ...more });
const values = (properties: Property[], stored: Record<string, never> | object, more: object = {}) =>
	new Values(properties, { properties: stored as never, ...more });

test('a stored value counts before a case, a case before the default', () => {
	const list = [property('os', { defaultValue: 'a' }), property('image', { defaultValue: 'x', defaultBy: { prop: 'os', cases: { b: 'y' } } })];
	assert.equal(values(list, {}).of('image'), 'x');
	assert.equal(values(list, { os: 'b' }).of('image'), 'y');
	assert.equal(values(list, { os: 'b', image: 'z' }).of('image'), 'z');
	assert.equal(values(list, { os: 'b' }, { defaults: { image: 'said' } }).of('image'), 'said', 'the daemon knows better');
});

test('comparisons', () => {
	const v = values([property('d', { defaultValue: false })], { t: 'x', n: 0, l: [], o: {}, e: '' });
	const holds = (condition: object) => v.holds(condition as never);
	assert.ok(holds({}));
	assert.ok(holds({ prop: 't', is: 'x' }) && !holds({ prop: 't', is: 'y' }));
	assert.ok(holds({ prop: 't', not: 'y' }) && holds({ prop: 'missing', not: 'y' }), 'unset is not y');
	assert.ok(holds({ prop: 'missing', is: null }) && !holds({ prop: 'e', is: null }), 'unset equals null and nothing else');
	assert.ok(holds({ prop: 't', in: ['x', 'y'] }) && !holds({ prop: 't', notIn: ['x'] }) && holds({ prop: 't', notIn: ['z'] }));
	assert.ok(holds({ prop: 'd', truthy: false }) && !holds({ prop: 'd', truthy: true }));
	assert.ok(holds({ prop: 't', startsWith: 'x' }) && !holds({ prop: 't', startsWith: 'xy' }) && !holds({ prop: 'missing', startsWith: 'x' }));
	for (const key of ['n', 'l', 'o', 'e', 'missing']) assert.ok(holds({ prop: key, truthy: false }), key);
	for (const key of ['n', 'o', 't', 'd']) assert.ok(holds({ prop: key, set: true }), key);
	for (const key of ['l', 'e', 'missing']) assert.ok(holds({ prop: key, set: false }), key);
	assert.ok(holds({ all: [{ prop: 't', is: 'x' }, { prop: 'n', is: 0 }] }) && !holds({ all: [{ prop: 't', is: 'y' }] }));
	assert.ok(holds({ any: [{ prop: 't', is: 'y' }, { prop: 't', is: 'x' }] }) && !holds({ any: [] }));
	assert.ok(holds({ none: [{ prop: 't', is: 'y' }] }) && !holds({ none: [{ prop: 't', is: 'x' }] }));
	assert.ok(!holds({ prop: 't', is: 'x', in: ['y'] }), 'all that stand in it');
});

test('a value that comes later counts as there', () => {
	const v = values([property('p')], {}, { variableModes: { p: 'variable' } });
	assert.ok(v.holds({ prop: 'p', truthy: true }) && v.holds({ prop: 'p', set: true }) && !v.holds({ prop: 'p', is: 'x' }));
});

test('hidden is what a hidden property decides', () => {
	const list = [property('a', { type: 'boolean' }), property('b', { visibleWhen: { prop: 'a', truthy: true } }), property('c', { visibleWhen: { prop: 'b', is: 'x' } })];
	assert.equal(values(list, { b: 'x' }).isVisible(list[2]!), false);
	assert.equal(values(list, { a: true, b: 'x' }).isVisible(list[2]!), true);
	const round = [property('a', { visibleWhen: { prop: 'b', set: true } }), property('b', { visibleWhen: { prop: 'a', set: true } })];
	assert.equal(values(round, { a: 1, b: 1 }).isVisible(round[0]!), true, 'a circle ends');
});

test('a reference counts if it is set and seen', () => {
	const list = [property('on', { type: 'boolean' }), property('r', { type: 'reference', visibleWhen: { prop: 'on', truthy: true } })];
	assert.equal(values(list, { on: true }, { references: { r: 'id' } }).holds({ ref: 'r' }), true);
	assert.equal(values(list, { on: true }, { effectiveReferences: { r: 'id' } }).holds({ ref: 'r' }), true);
	assert.equal(values(list, {}, { references: { r: 'id' } }).holds({ ref: 'r' }), false);
	assert.equal(values(list, { on: true }).holds({ ref: 'r' }), false);
});

test('equal values', () => {
	assert.ok(same({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }) && same(undefined, null));
	assert.ok(!same([1], [1, 2]) && !same({ a: 1 }, { b: 1 }) && !same('1', 1) && !same([], {}) && !same({}, null));
});

test('ranges', () => {
	assert.deepEqual(rangeOf('10.0.1.77/24'), { from: 167772416, to: 167772672 });
	for (const bad of ['10.0.0.0', '10.0.0.256/8', '1.2.3.4/33', '', null, 'x']) assert.equal(rangeOf(bad), null, String(bad));
	assert.equal(rangeOf('0.0.0.0/0')?.to, 2 ** 32);
	assert.equal(address(rangeOf('255.255.255.255/32')!.from), '255.255.255.255');
	assert.equal(countOf('10.0.0.0/16'), '65,536');
	assert.equal(countOf('fd00::/64'), '2^64');
	assert.equal(countOf('nonsense'), null);
});

test('free space is what is left, in order, and nothing twice', () => {
	const within = rangeOf('10.0.0.0/24')!;
	const taken = ['10.0.0.64/26', '10.0.0.0/26', '10.0.0.64/27', '192.168.0.0/24'].map((one) => rangeOf(one)!);
	assert.deepEqual(freeIn(within, taken), [{ from: within.from + 128, to: within.to }]);
	assert.deepEqual(freeIn(within, []), [within]);
	assert.deepEqual(freeIn(within, [rangeOf('10.0.0.0/8')!]), []);
	const random = (n: number) => Math.floor(Math.random() * n);
	for (let round = 0; round < 500; round++) {
		const some = Array.from({ length: random(6) }, () => {
			const from = within.from - 32 + random(300);
			return { from, to: from + 1 + random(80) };
		});
		const free = freeIn(within, some);
		for (let at = within.from; at < within.to; at++) {
			const isTaken = some.some((one) => at >= one.from && at < one.to);
			assert.equal(free.filter((one) => at >= one.from && at < one.to).length, isTaken ? 0 : 1);
		}
	}
});
