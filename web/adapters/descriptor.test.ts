/* A4: JSON within limits, whatever the page passes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { cut, describeProps, TOTAL_MAX } from './descriptor.ts';

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

test('what is JSON stays, what is not is left out by its kind', () => {
	class Model {}
	const cycle: Record<string, unknown> = { a: 1 };
	cycle.self = cycle;
	const element = { $$typeof: Symbol.for('react.transitional.element'), props: {} };
	const { props, propsOmitted } = describeProps({
		text: 'x', n: 0, no: false, nil: null, list: [1, [2]], plain: { a: { b: 1 } }, bare: Object.assign(Object.create(null), { z: 1 }),
		onClick() {}, children: element, many: [element, 'text'], s: Symbol('s'), model: new Model(), date: new Date(), map: new Map(), big: 1n,
		none: undefined, nan: NaN, inf: -Infinity, cycle,
	});
	assert.deepEqual(props, { text: 'x', n: 0, no: false, nil: null, list: [1, [2]], plain: { a: { b: 1 } }, bare: { z: 1 }, cycle: { a: 1 } });
	assert.deepEqual({ ...propsOmitted }, {
		onClick: 'function', children: 'element', many: 'element', s: 'symbol', model: 'instance', date: 'instance', map: 'instance', big: 'instance',
		none: 'undefined', nan: 'nonfinite', inf: 'nonfinite', 'cycle/self': 'cycle',
	});
});

test('depth 4, 100 names, strings of 4 KiB, and 64 KiB of everything', () => {
	const deep = { a: { b: { c: { d: { e: 1 } } } } };
	assert.deepEqual(describeProps(deep).props, { a: { b: { c: {} } } });
	const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`p${i}`, i]));
	assert.equal(Object.keys(describeProps({ wide }).props.wide as object).length, 100);
	const long = describeProps({ text: 'é'.repeat(5000) });
	assert.ok(Buffer.byteLength(long.props.text as string) <= 4096 && long.propsOmitted!.text === 'truncated');
	for (const filler of ['x', 'é', '\u{1f600}', '"', '\u0001', '\ud800']) {
		const made = describeProps(Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`p${i}`, filler.repeat(100_000)])));
		assert.ok(bytes(made.props) <= TOTAL_MAX, `${filler}: ${bytes(made.props)}`);
		assert.ok(bytes(made) <= 96 * 1024, `${filler}: ${bytes(made)} with what was left out`);
	}
});

test('ten megabytes, getters that throw, proxies and endless things are neither slow nor fatal', () => {
	const start = performance.now();
	const hostile = {
		huge: 'x'.repeat(10_000_000),
		list: Array.from({ length: 1_000_000 }, (_, i) => i),
		get thrown(): never {
			throw new Error('no');
		},
		proxy: new Proxy({}, {
			ownKeys() {
				throw new Error('no keys');
			},
			getPrototypeOf() {
				throw new Error('no prototype');
			},
		}),
		revoked: (() => {
			const { proxy, revoke } = Proxy.revocable({}, {});
			revoke();
			return proxy;
		})(),
		endless: new Proxy({}, { ownKeys: () => Array.from({ length: 200_000 }, (_, i) => `k${i}`), getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }), get: () => 1 }),
	};
	const { props, propsOmitted } = describeProps(hostile);
	assert.equal(propsOmitted!.thrown, 'instance');
	assert.equal(propsOmitted!.proxy, 'instance');
	assert.equal(propsOmitted!.revoked, 'instance');
	assert.ok(bytes(props) <= TOTAL_MAX);
	assert.ok(performance.now() - start < 2000, `${performance.now() - start} ms`);
	const top = new Proxy({}, {
		ownKeys() {
			throw new Error('no');
		},
	});
	assert.deepEqual(describeProps(top).props, {});
});

test('a prop named __proto__ changes no prototype', () => {
	const { props } = describeProps(JSON.parse('{"__proto__":{"polluted":1},"a":1}'));
	assert.equal(Object.getPrototypeOf(props), Object.prototype);
	assert.equal(({} as { polluted?: number }).polluted, undefined);
});

test('no half character at the end of what is cut', () => {
	assert.equal(cut('a\u{1f600}', 3), 'a');
	assert.equal(cut('a\u{1f600}', 5), 'a\u{1f600}');
	assert.equal(cut('\ud800', 10), '\ufffd');
});
