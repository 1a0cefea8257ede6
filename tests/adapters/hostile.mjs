// hostile.mjs - pages that mean no good, or are only large: what the adapters say stays within the limits of section 21, and
// nothing is thrown at the page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { assert, failures, skipped, steps } from '../clients/results.mjs';
import { launch, PORTS } from './browser.mjs';
import { FakeHost } from './kit/host.mjs';
import { validDescriptor } from './kit/prove.mjs';
import { dist, missing } from './project.mjs';

const browser = await launch('adapters-hostile');
const why = missing('harbour');
if (why) {
	skipped('adapter-hostile', 'everything', why);
	process.exit(0);
}

// A page that makes its boundaries itself, as the launcher's compiled modules do.
const PAGE = `
import * as React from 'react';
import { createRoot } from 'react-dom/client';
const s = { ...globalThis.__skaffa, ...globalThis.__skaffa.react(React) };
const at = (type, props, line, ...children) => s.site(React.createElement(type, props, ...children), 'src/App.tsx', line, 1);
const Item = s.wrap(function Item(props) { return React.createElement('p', { className: 'item', id: props.id }, String(props.text ?? '')); }, { t: 'h.item', n: 'Item' });
const huge = {}; for (let i = 0; i < 2000; i++) huge['k' + i] = 'x'.repeat(5000);
const cycle = { a: {} }; cycle.a.up = cycle;
const hostile = {
  cycle, text: 'hostile',
  proxy: new Proxy({}, { ownKeys() { throw new Error('keys'); }, get() { throw new Error('get'); }, getPrototypeOf() { throw new Error('proto'); } }),
  date: new Date(), map: new Map([[1, 2]]), nan: NaN, fn() {}, ...JSON.parse('{"__proto__":{"polluted":1}}'),
  big: 'y'.repeat(10_000_000), huge, list: Array.from({ length: 200000 }, (_, i) => ({ i })),
};
Object.defineProperty(hostile, 'thrower', { enumerable: true, get() { return { get inner() { throw new Error('inner'); } }; } });
// Made once: React's own tools for development read into props that change, and fall over such getters.
const first = at(Item, { ...hostile, id: 'hostile' }, 1);
function App() {
  const [state, set] = React.useState({ n: 3, k: 0 });
  globalThis.set = set;
  return React.createElement('main', null, first,
    ...Array.from({ length: state.n }, (_, i) => at(Item, { key: 'i' + (i + state.k), text: 'item ' + i, k: state.k }, 2)));
}
createRoot(document.getElementById('root')).render(React.createElement(App));
`;
const { rolldown } = createRequire(new URL('../../web/package.json', import.meta.url))('rolldown');
const build = await rolldown({
	input: 'virtual:page', platform: 'browser', logLevel: 'silent', resolve: { modules: [new URL('../../demo/harbour/node_modules/', import.meta.url).pathname] },
	transform: { define: { 'process.env.NODE_ENV': '"development"' } },
	plugins: [{ name: 'page', resolveId: (id) => (id === 'virtual:page' ? join(dist, 'page.js') : null), load: (id) => (id === join(dist, 'page.js') ? PAGE : null) }],
});
const { output } = await build.generate({ format: 'iife' });

const host = await new FakeHost().start(PORTS.hostile);
host.script('/adapter.js', readFileSync(join(dist, 'react.js'), 'utf8'));
host.script('/app.js', output[0].code);
const html = (before) => `<!doctype html><html><head>${before}</head><body><div id="root"></div><script src="/app.js"></script></body></html>`;
host.page('/', html(''), '/adapter.js');
host.page('/without', html('').replace('<script src="/app.js"></script>', ''));
host.pages.set('/foreign', ['text/html', `<!doctype html><html><head>${host.tags('/adapter.js').replace(host.key, 'wrong')}</head><body>Foreign</body></html>`]);

let page;
const faults = [];
const set = (state) => page.evaluate((s) => globalThis.set(s), state);
const items = () => [...host.instances().values()];
const most = (from) => Math.max(0, ...host.messages.slice(from).map((m) => m.bytes));

await steps('adapter-hostile', [
	['props of ten megabytes, cycles, proxies and getters that throw: described within the limits', async () => {
		page = await browser.newPage();
		page.on('pageerror', (error) => faults.push(error.message));
		await page.goto(host.origin);
		await host.wait('runtime.instances', () => items().length === 4);
		const from = host.now;
		await page.locator('#hostile').click();
		const { selected } = await host.wait('runtime.selectionChanged', undefined, { from });
		validDescriptor(selected);
		const { propsOmitted } = selected;
		assert(propsOmitted.huge === 'truncated' && propsOmitted.big === 'truncated' && propsOmitted.proxy === 'instance' && propsOmitted.fn === 'function' && propsOmitted['cycle/a/up'] === 'cycle', JSON.stringify(propsOmitted).slice(0, 300));
		assert(propsOmitted.date === 'instance' && propsOmitted.map === 'instance' && propsOmitted.nan === 'nonfinite', 'kinds');
		assert((await page.evaluate(() => ({}).polluted)) === undefined, 'polluted');
		items().forEach(validDescriptor);
	}],
	['5,000 instances are reported in messages of less than 1 MiB', async () => {
		const from = host.now;
		await set({ n: 5000, k: 0 });
		await host.wait('runtime.instances', () => items().length === 5001, { from, timeout: 20_000 });
		assert(most(from) < 1024 * 1024, `${most(from)} bytes`);
		assert(new Set(items().map((one) => one.instanceId)).size === 5001, 'ids');
	}],
	['10,000 drafts are told of in messages of less than 1 MiB', async () => {
		const from = host.now;
		const known = items().slice(1).map(({ instanceId, componentTypeId, instanceLocator }) => ({ op: 'set', instanceId, path: '/text', value: 'draft', componentTypeId, instanceLocator }));
		const unknown = known.map((op, i) => ({ ...op, instanceId: `gone-${i}`, instanceLocator: { kind: 'renderIndex', index: i } }));
		for (const all of [known, unknown]) for (let i = 0; i < all.length; i += 200) host.apply(...all.slice(i, i + 200));
		const told = () => new Set(host.messages.slice(from).filter((m) => m.type === 'runtime.overrideStatus').flatMap((m) => [...m.applied, ...m.orphaned].map((s) => s.instanceId))).size;
		await host.wait('runtime.overrideStatus', () => told() === 10_000, { from, timeout: 30_000 });
		assert(most(from) < 1024 * 1024, `${most(from)} bytes`);
		assert((await page.locator('.item').nth(77).innerText()) === 'draft', 'applied');
		host.apply({ op: 'clearAll' });
		await page.waitForFunction(() => document.querySelectorAll('.item')[77].textContent === 'item 76');
	}],
	['a page that mounts and unmounts all the time is followed, four times a second', async () => {
		await set({ n: 50, k: 0 });
		await page.waitForTimeout(1000);
		const from = host.now;
		await page.evaluate(async () => {
			for (let k = 1; k < 200; k++) {
				globalThis.set({ n: 50, k: k * 50 });
				await new Promise((done) => requestAnimationFrame(done));
			}
		});
		await page.waitForTimeout(600);
		const count = host.messages.length - from;
		assert(count < 60, `${count} messages`);
		assert(items().length === 51 && items().every((one) => !one.keyHint || Number(one.keyHint.slice(1)) >= 9950), `${items().length} instances`);
	}],
	['a flood of errors is cut, and other messages still get through', async () => {
		const from = host.now;
		const start = Date.now();
		await page.evaluate(() => {
			for (let i = 0; i < 2000; i++) console.error('flood %s', i, { a: 1 }, 'z'.repeat(100_000));
		});
		const then = host.now;
		await page.locator('#hostile').click();
		await host.wait('runtime.selectionChanged', undefined, { from: then });
		const logs = host.messages.slice(from).filter((m) => m.type === 'runtime.log');
		const most = 20 * ((Date.now() - start) / 1000 + 2);
		assert(logs.length > 0 && logs.length <= most && logs[0].message.startsWith('flood 0') && logs[0].message.length <= 2000, `${logs.length}`);
	}],
	['a page that puts others in the place of what the adapter uses keeps it not from working', async () => {
		await page.evaluate(() => {
			globalThis.WebSocket = class { constructor() { throw new Error('mine'); } };
			globalThis.setTimeout = () => { throw new Error('mine'); };
			JSON.stringify = () => { throw new Error('mine'); };
			JSON.parse = () => { throw new Error('mine'); };
		});
		const from = host.now;
		for (const connection of host.connections) connection.drop();
		await host.wait('runtime.ready', undefined, { from });
	}],
	['a wrong key is refused, and the page goes on without', async () => {
		const from = host.now;
		await page.goto(`${host.origin}/foreign`);
		await page.waitForTimeout(1500);
		assert(!host.messages.slice(from).some((m) => m.type !== 'runtime.unload'), 'it was let in');
		assert((await page.locator('body').innerText()) === 'Foreign', 'the page');
	}],
	['without a bootstrap block the adapter does nothing at all', async () => {
		await page.goto(`${host.origin}/without`);
		await page.addScriptTag({ url: '/adapter.js' });
		assert(await page.evaluate(() => globalThis.__skaffa === undefined && globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ === undefined), 'something was left');
	}],
	['nothing broke the contract, and nothing was thrown at the page', async () => {
		assert(host.faults.length === 0, host.faults.join(' | '));
		assert(faults.length === 0, faults.join(' | '));
	}],
], { timeout_ms: 60_000 });
host.stop();
await browser.close();
process.exit(failures ? 1 : 0);
