/* A12: pure, by length and then by bytes, never touching what it is given. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { effectiveProps, resolveProps, tokensOf } from './effective_props.ts';

function frozen<T>(value: T): T {
	if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
	return value;
}

/* Numbers that look random and are the same in each run. */
function numbers(seed: number): () => number {
	let state = seed;
	return () => (state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff;
}

const NAMES = ['a', 'b', 'style', 'ä', '~', '/', '0', '1', ''];

function value(next: () => number, depth = 0): unknown {
	const kind = Math.floor(next() * (depth > 3 ? 5 : 8));
	const some = (make: () => unknown) => Array.from({ length: Math.floor(next() * 3) }, make);
	if (kind < 5) return [null, true, 0, 'text', -1.5][kind];
	if (kind === 5) return some(() => value(next, depth + 1));
	return Object.fromEntries(some(() => 0).map(() => [NAMES[Math.floor(next() * 8)], value(next, depth + 1)]));
}

const pathOf = (next: () => number) =>
	Array.from({ length: 1 + Math.floor(next() * 3) }, () => `/${NAMES[Math.floor(next() * 8)]!.replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');

test('the layers: code, configuration, overrides; nothing that is given is changed [A12]', () => {
	const baseline = frozen({ label: 'a', style: { color: 'red', margin: 1 }, list: [1, { x: 2 }] });
	const made = effectiveProps(baseline, frozen({ tone: 'quiet', label: 'b' }), { '/label': 'c', '/style/color': 'blue', '/list/1/x': 3 });
	assert.deepEqual(made, { label: 'c', tone: 'quiet', style: { color: 'blue', margin: 1 }, list: [1, { x: 3 }] });
	assert.deepEqual(baseline, { label: 'a', style: { color: 'red', margin: 1 }, list: [1, { x: 2 }] });
	assert.deepEqual(effectiveProps(baseline, null, null), baseline);
	assert.notEqual(effectiveProps(baseline, null, null), baseline);
});

test('shortest first, whatever the order in which they are said', () => {
	const expected = { style: { color: 'red', margin: 2 } };
	assert.deepEqual(effectiveProps({}, {}, { '/style/color': 'red', '/style': { color: 'blue', margin: 2 } }), expected);
	assert.deepEqual(effectiveProps({}, {}, { '/style': { color: 'blue', margin: 2 }, '/style/color': 'red' }), expected);
	// In bytes, U+FFFF comes before U+10000; in UTF-16 units it does not.
	const order = Object.keys(effectiveProps({}, {}, { '/\u{10000}': 1, '/\uffff': 2 }));
	assert.deepEqual(order, ['\uffff', '\u{10000}']);
});

test('what is missing is made, a list where an index comes next', () => {
	assert.deepEqual(effectiveProps({}, {}, { '/a/0/b': 1 }), { a: [{ b: 1 }] });
	assert.deepEqual(effectiveProps({ a: null }, {}, { '/a/b': 1 }), { a: { b: 1 } });
	assert.deepEqual(effectiveProps({ a: { 0: 'x' } }, {}, { '/a/0': 1 }), { a: { 0: 1 } });
	assert.deepEqual(effectiveProps({}, {}, { '/a~1b/~0': false }), { 'a/b': { '~': false } });
});

test('false, 0, "" and null are values', () => {
	const overrides = { '/a': false, '/b': 0, '/c': '', '/d': null };
	assert.deepEqual(effectiveProps({ a: 1, b: 1, c: 1, d: 1 }, {}, overrides), { a: false, b: 0, c: '', d: null });
});

test('paths that cannot be set are said, and the others are set', () => {
	const baseline = { text: 'x', f() {}, date: new Date(0), element: { $$typeof: Symbol.for('react.element') }, list: [1] };
	const bad = ['/text/x', '/f/x', '/date/x', '/element/props', '/list/x', '/list/01', '/list/-', '/list/99999999', '/a/__proto__/b', '/constructor', 'x', '/', '/a//b', '/~2', `${'/a'.repeat(17)}`];
	const { props, invalid } = resolveProps(baseline, null, { ...Object.fromEntries(bad.map((path) => [path, 1])), '/ok': 1 });
	assert.deepEqual(invalid.sort(), bad.sort());
	assert.deepEqual(props, { ...baseline, ok: 1 });
	assert.equal(({} as { b?: number }).b, undefined);
});

test('own members of the name __proto__ stay what they are', () => {
	const baseline = JSON.parse('{"a":{"__proto__":{"x":1}}}');
	const made = effectiveProps(baseline, null, { '/a/b': 1 }) as { a: object };
	assert.equal(JSON.stringify(made), '{"a":{"__proto__":{"x":1},"b":1}}');
	assert.equal(Object.getPrototypeOf(made.a), Object.prototype);
});

test('properties: pure, idempotent, and clearing all gives the baseline (3,000 cases)', () => {
	const next = numbers(7);
	for (let i = 0; i < 3000; i++) {
		const baseline = frozen({ ...(value(next) as object), a: value(next), style: value(next) });
		const layer = frozen(next() < 0.5 ? { b: value(next) } : {});
		const overrides = Object.fromEntries(Array.from({ length: Math.floor(next() * 4) }, () => [pathOf(next), frozen(value(next))]));
		const text = JSON.stringify(baseline);
		const { props, invalid } = resolveProps(baseline, layer, frozen(overrides));
		const reversed = Object.fromEntries(Object.entries(overrides).reverse());
		assert.deepEqual(resolveProps(baseline, layer, reversed), { props, invalid: resolveProps(baseline, layer, reversed).invalid });
		assert.equal(JSON.stringify(baseline), text);
		assert.deepEqual(effectiveProps(baseline, layer, {}), { ...baseline, ...layer });
		const again = Object.fromEntries(Object.entries(overrides).filter(([path]) => !invalid.includes(path)));
		assert.deepEqual(effectiveProps(baseline, layer, again), props);
		for (const [path, wanted] of Object.entries(again)) {
			if (Object.keys(again).some((other) => other.startsWith(`${path}/`))) continue;
			let found: unknown = props;
			for (const token of tokensOf(path)!) found = (found as Record<string, unknown>)[token];
			assert.deepEqual(found, wanted);
		}
	}
});
