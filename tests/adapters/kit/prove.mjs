// prove.mjs - what every adapter must do, as steps of a story (workbench.md section 11). An author of another adapter runs
// them against a page of his own; `tests/adapters/kit/README.md` says how.
import { readFileSync } from 'node:fs';

import { assert } from '../../clients/results.mjs';
import { FakeHost } from './host.mjs';

const CONSUMED = ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click', 'dblclick', 'auxclick', 'touchstart', 'touchend', 'dragstart', 'submit'];

export function validDescriptor(one) {
	assert(typeof one.instanceId === 'string' && one.instanceId.length >= 1 && one.instanceId.length <= 200, 'instanceId');
	assert(typeof one.componentTypeId === 'string' && Buffer.byteLength(one.componentTypeId) <= 200, 'componentTypeId');
	if (one.source) assert(one.source.line >= 1 && !one.source.filePath.startsWith('/') && !one.source.filePath.includes('..'), 'source');
	assert(Buffer.byteLength(JSON.stringify(one.props ?? {})) <= 64 * 1024, 'props of more than 64 KiB');
	assert(Buffer.byteLength(JSON.stringify(one)) <= 96 * 1024, 'a descriptor of more than 96 KiB');
	const kinds = new Set(['function', 'element', 'symbol', 'instance', 'undefined', 'nonfinite', 'cycle', 'truncated']);
	for (const kind of Object.values(one.propsOmitted ?? {})) assert(kinds.has(kind), `propsOmitted: ${kind}`);
	const depth = (value) => (typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0);
	assert(depth(one.props ?? {}) <= 5, 'props deeper than 4');
}

// subject: {page: html or url, adapter?: file, selector, others: how many more of its kind there are at least, typeId?,
// path, value, read: what is seen of it (runs in the page with the element), background: css}
export function proof({ browser, subject, host }) {
	let page;
	let first;
	const url = subject.url ?? `${host.origin}/`;
	const load = async () => {
		const from = host.now;
		await page.goto(url);
		await host.wait('runtime.ready', undefined, { from });
		await host.wait('runtime.instances', (m) => m.full, { from });
		await page.locator(subject.selector).first().waitFor();
		await host.wait('runtime.instances', () => host.instances(from).size > 0, { from });
	};
	const select = async (selector = subject.selector) => {
		const from = host.now;
		const { x, y, width, height } = await page.locator(selector).first().boundingBox();
		await page.mouse.click(x + width / 2, y + height / 2);
		return (await host.wait('runtime.selectionChanged', undefined, { from })).selected;
	};
	const see = () => page.locator(subject.selector).first().evaluate(subject.read);
	const set = (extra = {}) => ({
		op: 'set', instanceId: first.instanceId, path: subject.path, value: subject.value,
		componentTypeId: first.componentTypeId, instanceLocator: first.instanceLocator, ...extra,
	});
	const status = (from, fits = () => true) => host.wait('runtime.overrideStatus', fits, { from });
	const has = (list, id, path) => list.some((one) => one.instanceId === id && one.path === path);

	return [
		['the handshake comes first, with the key, and says who it is', async () => {
			page = await browser.newPage();
			page.on('pageerror', (error) => host.faults.push(`uncaught: ${error.message}`));
			await load();
			const ready = host.messages.find((m) => m.type === 'runtime.ready');
			assert(ready.key === host.key && ready.adapterId && ready.adapterVersion, JSON.stringify(ready));
			assert(ready.page.pageId && ready.page.url.startsWith('http'), 'page');
			assert(ready.capabilities.selection === true && ready.capabilities.overrides === true, 'capabilities');
		}],
		['ids are the instances\' own, and the same after the page is loaded anew [A6]', async () => {
			const before = [...host.instances().values()];
			before.forEach(validDescriptor);
			assert(before.length > subject.others, `${before.length} instances`);
			const from = host.now;
			await load();
			await host.wait('runtime.instances', () => host.instances(from).size >= before.length, { from });
			const after = host.instances(from);
			for (const one of before) assert(after.has(one.instanceId), `${one.instanceId} is gone`);
		}],
		['a click selects what is meant, and its props are the baseline [A4]', async () => {
			first = await select();
			validDescriptor(first);
			assert(first.sessionId === host.sessionId, 'sessionId');
			if (subject.typeId) assert(first.componentTypeId === subject.typeId, first.componentTypeId);
			assert(host.instances().has(first.instanceId), 'selected, and not reported as living');
		}],
		['a click on nothing selects nothing; Escape clears, and is the page\'s when nothing is selected [A9]', async () => {
			if (subject.background) assert((await select(subject.background)) === null, 'the background');
			await page.evaluate(() => {
				globalThis.escapes = 0;
				document.addEventListener('keydown', (event) => event.key === 'Escape' && globalThis.escapes++);
			});
			await select();
			const from = host.now;
			await page.keyboard.press('Escape');
			assert((await host.wait('runtime.selectionChanged', undefined, { from })).selected === null, 'cleared');
			assert((await page.evaluate(() => globalThis.escapes)) === 0, 'the page saw it');
			await page.keyboard.press('Escape');
			assert((await page.evaluate(() => globalThis.escapes)) === 1, 'the page did not see it');
		}],
		['in editor mode nothing reaches the page; in interact mode all does, but with Alt [A9, A10]', async () => {
			const seen = (init) => page.locator(subject.selector).first().evaluate((element, { types, init }) => {
				const heard = new Set();
				for (const type of types) element.addEventListener(type, () => heard.add(type));
				for (const type of types) element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, composed: true, ...init }));
				return heard.size;
			}, { types: CONSUMED, init });
			assert((await seen({})) === 0, 'something got through');
			host.mode('interact');
			await page.waitForTimeout(100);
			assert((await seen({})) === CONSUMED.length, 'something was kept back');
			const from = host.now;
			assert((await seen({ altKey: true })) === 0, 'with Alt');
			await host.wait('runtime.selectionChanged', (m) => m.selected?.instanceId === first.instanceId, { from });
			host.mode('editor');
		}],
		['an override is seen at once, is said to be applied, and leaves the baseline as it was [A12, A14]', async () => {
			const before = await see();
			const from = host.now;
			host.apply(set());
			await page.waitForFunction(([css, read, value]) => {
				const now = new Function('element', `return (${read})(element)`)(document.querySelector(css));
				return JSON.stringify(now) === value;
			}, [subject.selector, subject.read.toString(), JSON.stringify(subject.seen ?? subject.value)], { timeout: 3000 });
			await status(from, (m) => has(m.applied, first.instanceId, subject.path));
			const again = await select();
			assert(again.instanceId === first.instanceId, 'another id');
			assert(JSON.stringify(again.props) === JSON.stringify(first.props), `baseline ${JSON.stringify(again.props)}`);
			subject.before = before;
		}],
		['it is there again after the page is loaded anew, by the handshake [A13]', async () => {
			host.init.initialOverrides = [set()];
			const from = host.now;
			await load();
			await status(from, (m) => has(m.applied, first.instanceId, subject.path));
			assert(JSON.stringify(await see()) === JSON.stringify(subject.seen ?? subject.value), JSON.stringify(await see()));
		}],
		['clearing gives exactly what was there before', async () => {
			for (const clear of [{ op: 'clear', path: subject.path }, { op: 'clearInstance' }, { op: 'clearAll' }]) {
				host.apply(set());
				const from = host.now;
				host.apply({ ...clear, instanceId: first.instanceId });
				await status(from, (m) => m.applied.length === 0 && m.orphaned.length === 0);
				assert(JSON.stringify(await see()) === JSON.stringify(subject.before), `${clear.op}: ${JSON.stringify(await see())}`);
			}
			host.init.initialOverrides = [];
		}],
		['what fits nothing is an orphan, and so is a path that cannot be set [A14]', async () => {
			const from = host.now;
			host.apply(set({ instanceId: 'nobody', instanceLocator: { kind: 'renderIndex', index: 99999 } }), set({ path: '/a/b/__proto__' }),
				set({ instanceId: 'nobody-else', componentTypeId: 'x.unknown', instanceLocator: undefined }));
			const said = await status(from, (m) => m.orphaned.length > 0);
			assert(said.orphaned.find((o) => o.instanceId === 'nobody')?.reason === 'instance_not_found', JSON.stringify(said));
			assert((await page.evaluate(() => ({}).b)) === undefined, 'polluted');
			host.apply({ op: 'clearAll' });
		}],
		['the host selects by id, and is told when there is no such instance', async () => {
			const from = host.now;
			host.say({ type: 'host.select', sessionId: host.sessionId, requestId: 'r1', instanceId: first.instanceId });
			const said = await host.wait('runtime.selectionChanged', undefined, { from });
			assert(said.causedBy === 'programmatic' && said.selected.instanceId === first.instanceId, JSON.stringify(said));
			assert((await host.wait('runtime.result', (m) => m.requestId === 'r1', { from })).ok === true, 'ok');
			host.say({ type: 'host.select', sessionId: host.sessionId, requestId: 'r2', instanceId: 'nobody' });
			assert((await host.wait('runtime.result', (m) => m.requestId === 'r2', { from })).ok === false, 'an unknown one');
			host.say({ type: 'host.highlight', sessionId: host.sessionId, instanceIds: [first.instanceId, 'nobody', 7] });
		}],
		['the page\'s tree is its own: nothing of the adapter\'s is in it [A11]', async () => {
			await page.locator(subject.selector).first().hover();
			await page.waitForTimeout(100);
			const inside = await page.evaluate(() => [...document.body.querySelectorAll('*')].filter((e) => /skaffa/i.test(e.outerHTML.split('>')[0]) && e.localName !== 'script').length);
			assert(inside === 0, `${inside} elements`);
			const overlay = await page.evaluate(() => [...document.documentElement.children].filter((e) => !['HEAD', 'BODY'].includes(e.tagName)).map((e) => e.shadowRoot === null));
			assert(overlay.every(Boolean), 'an open shadow root');
		}],
		['bad messages of the host change nothing', async () => {
			for (const bad of ['{', '[]', 'null', '7', '{"type":7}', '{"type":"host.other"}', { type: 'host.init', protocol: 'v9' },
				{ type: 'host.applyOverrides', sessionId: 'session_other', ops: [set()] }, { type: 'host.applyOverrides', ops: 'all' },
				{ type: 'host.applyOverrides', ops: [null, 7, [], {}, { op: 'set' }, { op: 'set', instanceId: 7, path: '/x', value: 1 }, { op: 'set', instanceId: first.instanceId, path: 'x', value: 1 },
					{ op: 'set', instanceId: first.instanceId, path: '/__proto__/polluted', value: 1 }, { op: 'set', instanceId: '__proto__', path: '/polluted', value: 1 }] },
				'{"type":"host.applyOverrides","ops":[{"op":"set","instanceId":"x","path":"/a","value":{"__proto__":{"polluted":1}}}]}',
				{ type: 'host.select', instanceId: {} }, { type: 'host.setMode', mode: 'other' }, { type: 'host.navigate', requestId: 'n', to: { path: '//example.com' } },
				{ type: 'host.highlight', instanceIds: 'x' }, 'x'.repeat(9_000_000)]) host.say(bad);
			await page.waitForTimeout(300);
			assert((await page.evaluate(() => ({}).polluted)) === undefined, 'polluted');
			assert(JSON.stringify(await see()) === JSON.stringify(subject.before), JSON.stringify(await see()));
			assert((await select())?.instanceId === first.instanceId, 'it does not answer any more');
			host.apply({ op: 'clearAll' });
		}],
		['a flood of overrides is taken, and the page goes on', async () => {
			const from = host.now;
			const start = Date.now();
			for (let i = 0; i < 2000; i++) host.apply(set({ value: subject.value }), { op: 'clear', instanceId: first.instanceId, path: subject.path });
			host.apply(set());
			await status(from, (m) => has(m.applied, first.instanceId, subject.path));
			assert(Date.now() - start < 6000, `${Date.now() - start} ms`);
			host.apply({ op: 'clearAll' });
			const second = host.messages.slice(from).length;
			assert(second < 1200, `${second} messages`);
		}],
		['a connection that breaks is opened again, and everything is said anew', async () => {
			const from = host.now;
			for (const connection of host.connections) connection.drop();
			await host.wait('runtime.ready', undefined, { from });
			await host.wait('runtime.instances', (m) => m.full, { from });
		}],
		['a wrong key is not tried for ever', async () => {
			const { key } = host;
			host.key = 'another';
			const from = host.now;
			for (const connection of host.connections) connection.drop();
			await page.waitForTimeout(2500);
			assert(host.connections.size === 0 && host.messages.slice(from).filter((m) => m.type !== 'runtime.ready').length === 0, 'it goes on');
			host.key = key;
		}],
		['leaving the page is announced', async () => {
			await load();
			const from = host.now;
			await page.goto('about:blank');
			await host.wait('runtime.unload', undefined, { from });
			await page.close();
		}],
		['nothing broke the contract, and nothing was thrown at the page', async () => {
			assert(host.faults.length === 0, host.faults.join(' | '));
		}],
	];
}

// A fake host with one page, of an adapter in a file.
export async function serveSubject({ adapter, page, scripts = {} }, port = 0) {
	const host = await new FakeHost().start(port);
	host.script('/adapter.js', readFileSync(adapter, 'utf8'));
	for (const [path, text] of Object.entries(scripts)) host.script(path, text);
	host.page('/', page, '/adapter.js');
	return host;
}
