// demo.mjs LANE - the scenarios 14-16, 18-27, 29 and 31 of workbench-demo.md, as far as they need no daemon: the launcher
// on a copy of demo/harbour, the adapter in headless Chromium, and the host of the kit.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { assert, failures, skipped, steps } from '../clients/results.mjs';
import { launch, PORTS } from './browser.mjs';
import { FakeHost } from './kit/host.mjs';
import { validDescriptor } from './kit/prove.mjs';
import { contents, copyOf, Launcher, missing, siteOf } from './project.mjs';

const lane = process.argv[2] ?? 'harbour';
const suite = `adapter-${lane}`;
const why = missing(lane);
if (why) {
	skipped(suite, 'everything', why);
	process.exit(0);
}
const browser = await launch(suite);
const folder = copyOf(lane, lane);
const host = await new FakeHost().start(lane === 'harbour' ? PORTS.main : PORTS.legacy);
host.init.propDefaults = { 'shop.price': { currency: 'USD' } };
const pictures = process.env.TENON_ADAPTER_PICTURES;
const edit = (file, change) => writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')));
const equal = (a, b, what) => assert(JSON.stringify(a) === JSON.stringify(b), `${what}: ${JSON.stringify(a)} and not ${JSON.stringify(b)}`);

let launcher;
let page;
let url;
const faults = [];
let before;
const say = (message) => host.say({ sessionId: host.sessionId, ...message });
const button = (name) => page.getByRole('button', { name, exact: true });

async function load(path = '/') {
	const from = host.now;
	await page.goto(new URL(path, url).href);
	await host.wait('runtime.instances', () => host.instances(from).size > 3, { from, timeout: 20_000 });
	return from;
}

async function select(locator, options) {
	const from = host.now;
	await locator.click({ force: true, ...options });
	const { selected } = await host.wait('runtime.selectionChanged', undefined, { from });
	if (selected) validDescriptor(selected);
	return selected;
}

const set = ({ instanceId, componentTypeId, instanceLocator }, path, value) => ({ op: 'set', instanceId, path, value, componentTypeId, instanceLocator });
const applied = (from, one, path) => host.wait('runtime.overrideStatus', (m) => m.applied.some((a) => a.instanceId === one.instanceId && a.path === path), { from });
const color = () => page.locator('[data-testid=card-today] .card').evaluate((e) => e.style.color);
const orders = () => page.getByTestId('orders').innerText();

// The elements below the root with their attributes, in words.
const dom = (tab) => tab.evaluate(() => [...document.querySelectorAll('#root, #root *')].map((e) => `${e.localName} ${[...e.attributes].map((a) => a.name + '=' + a.value).filter((t) => !/^(id|for)=/.test(t)).join(' ')} ${e.children.length ? '' : e.textContent}`).join('\n'));

let spelt;
let card;
await steps(suite, [
	['14: the project\'s own server starts, on 127.0.0.1, with its configuration', async () => {
		before = contents(folder);
		launcher = new Launcher(folder, host);
		const ready = await launcher.wait('ready');
		({ url } = ready);
		assert(new URL(url).hostname === '127.0.0.1' && ready.port > 0, url);
		await launcher.wait('looked');
		assert(!launcher.lines.some((line) => line.type === 'not JSON' || line.type === 'error'), JSON.stringify(launcher.lines));
	}],
	['15: what is instrumented is said, with its export; nothing is left out', async () => {
		const done = launcher.lines.filter((line) => line.type === 'instrumented').map((line) => `${line.typeId} ${line.exportName}`);
		for (const one of ['ui.button Button', 'ui.badge default', 'ui.card Card', 'ui.cardFooter CardFooter', 'ui.field Field', 'ui.toggle Toggle', 'shop.price Price', 'kit.pill Pill']) {
			assert(done.includes(one), `${one}: ${done}`);
		}
		equal(launcher.lines.filter((line) => line.type === 'skipped'), [], 'skipped');
	}],
	['18: the page is element for element what it is without the workbench', async () => {
		page = await browser.newPage({ viewport: { width: 1100, height: 800 } });
		page.on('pageerror', (error) => faults.push(error.message));
		page.on('console', (m) => m.type() === 'error' && faults.push(`${m.text()} ${m.location().url}`));
		const from = await load();
		await host.wait('runtime.ready', (m) => m.capabilities.source === 'callsite', { from });
		await page.getByText('Kinds of button').waitFor();
		const withIt = await dom(page);
		const plain = await browser.newPage();
		await plain.route('**/__skaffa/adapter.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
		await plain.goto(url);
		await plain.getByText('Kinds of button').waitFor();
		equal(withIt, await dom(plain), 'the tree');
		await plain.close();
	}],
	['18: ids are unique, and the same after a reload, double rendering or not [A6, A7]', async () => {
		const ids = [...host.instances().keys()];
		await page.waitForTimeout(400);
		const from = await load();
		await page.waitForTimeout(400);
		const live = host.instances(from);
		assert(ids.length >= 11, `${ids.length} instances`);
		equal([...live.keys()].sort(), ids.sort(), 'ids');
		const loaves = [...live.values()].filter((one) => one.keyHint);
		equal(loaves.map((one) => [one.keyHint, one.instanceLocator.ordinal]), [['Rye', 0], ['Spelt', 1], ['Oat', 2]], 'ordinals');
		for (const one of live.values()) validDescriptor(one);
		const order = [...live.values()].find((one) => one.props?.label === 'Order now');
		assert(live.get(order.parentInstanceId)?.componentTypeId === 'ui.card', 'its parent');
		await host.wait('runtime.routerStateChanged', (m) => m.matchedRouteIds?.join() === 'root,home', { from });
	}],
	['19: a click selects the button and where it is written, and the page does not notice', async () => {
		const selected = await select(button('Order now'));
		assert(selected.componentTypeId === 'ui.button' && selected.displayName === 'Button', JSON.stringify(selected));
		equal(selected.source, siteOf(folder, 'src/pages/Home.tsx', 'order'), 'source');
		equal(selected.props, { label: 'Order now', tone: 'primary' }, 'props');
		equal(selected.propsOmitted, { onClick: 'function' }, 'propsOmitted');
		equal(await orders(), 'Orders: 0', 'the counter');
		if (pictures) {
			await page.mouse.move(10, 10);
			await button('Spelt').hover({ force: true });
			await page.waitForTimeout(200);
			await page.screenshot({ path: `${pictures}/${lane}-selected.png` });
		}
		const toggle = page.getByRole('switch');
		const from = host.now;
		await toggle.hover({ force: true });
		await page.mouse.down();
		const { selected: flipped } = await host.wait('runtime.selectionChanged', undefined, { from });
		await page.mouse.up();
		assert(flipped.componentTypeId === 'ui.toggle' && (await toggle.getAttribute('aria-checked')) === 'false', 'the toggle');
	}],
	['20: the second loaf has its key, its ordinal and an id of its own', async () => {
		spelt = await select(button('Spelt'));
		assert(spelt.keyHint === 'Spelt' && spelt.instanceLocator.ordinal === 1, JSON.stringify(spelt));
		equal(spelt.source, siteOf(folder, 'src/pages/Home.tsx', 'loaf'), 'source');
		const rye = await select(button('Rye'));
		const oat = await select(button('Oat'));
		assert(new Set([rye, spelt, oat].map((one) => one.instanceId)).size === 3, 'ids');
		card = await select(page.getByRole('heading', { name: 'Today' }));
		assert(card.componentTypeId === 'ui.card' && card.propsOmitted.children, JSON.stringify(card));
	}],
	['21: nearest instance, nothing on the background, Escape', async () => {
		await load('/menu');
		const shelf = await select(page.locator('.shelf-note'));
		assert(shelf.componentTypeId === 'auto.src.components.Shelf.Shelf', JSON.stringify(shelf));
		const from = host.now;
		await page.mouse.click(1095, 795);
		assert((await host.wait('runtime.selectionChanged', undefined, { from })).selected === null, 'the background');
		await select(page.locator('.price').first());
		const then = host.now;
		await page.keyboard.press('Escape');
		assert((await host.wait('runtime.selectionChanged', undefined, { from: then })).selected === null, 'Escape');
		assert((await page.locator('.price').first().innerText()).includes('$'), 'the config layer');
		equal(await page.getByTestId('tabs').getAttribute('data-count'), '2', 'cards that Tabs knows (24)');
	}],
	['22: overrides are seen at once, in a nested place as well', async () => {
		await load();
		const from = host.now;
		const start = Date.now();
		host.apply(set(spelt, '/label', 'Spelt, warm'), set(card, '/style/color', 'rgb(1, 2, 3)'));
		await button('Spelt, warm').waitFor();
		assert(Date.now() - start < 500, `${Date.now() - start} ms`);
		equal(await color(), 'rgb(1, 2, 3)', 'style');
		await applied(from, spelt, '/label');
		await applied(from, card, '/style/color');
	}],
	['22: they survive the parents\' rendering and a hot update that keeps the state', async () => {
		host.mode('interact');
		await page.waitForTimeout(100);
		await button('Order now').click();
		await button('Order now').click();
		equal(await orders(), 'Orders: 2', 'the counter counts');
		assert(await button('Spelt, warm').isVisible(), 'after rendering');
		edit('src/components/Button.tsx', (text) => text.replace('`button ', '`hot button '));
		await page.locator('.hot').first().waitFor({ timeout: 10_000 });
		equal(await orders(), 'Orders: 2', 'the state is kept');
		assert(await button('Spelt, warm').isVisible(), 'after a hot update');
		equal(await color(), 'rgb(1, 2, 3)', 'style');
		equal(launcher.lines.filter((line) => line.type === 'skipped'), [], 'skipped');
		await page.getByRole('link', { name: 'About' }).click();
		await page.getByText('About us').waitFor();
		await host.wait('runtime.overrideStatus', (m) => m.orphaned.some((o) => o.instanceId === spelt.instanceId && o.reason === 'instance_not_found'));
		const from = host.now;
		await page.getByRole('link', { name: 'Home' }).click();
		await button('Spelt, warm').waitFor();
		await applied(from, spelt, '/label');
	}],
	['22: and a reload, with the same ids, without ever showing anything else', async () => {
		host.init.initialOverrides = [set(spelt, '/label', 'Spelt, warm'), set(card, '/style/color', 'rgb(1, 2, 3)')];
		await page.addInitScript(() => {
			globalThis.shown = new Set();
			const look = () => {
				for (const b of document.querySelectorAll('button')) globalThis.shown.add(b.textContent);
				requestAnimationFrame(look);
			};
			requestAnimationFrame(look);
		});
		const from = host.now;
		await page.reload();
		await applied(from, spelt, '/label');
		assert(await button('Spelt, warm').isVisible(), 'label');
		equal(await color(), 'rgb(1, 2, 3)', 'style');
	}],
	['a mount after the handshake is never painted without its drafts', async () => {
		host.mode('interact');
		await page.waitForTimeout(100);
		await page.getByRole('link', { name: 'About' }).click();
		await page.getByText('About us').waitFor();
		await page.evaluate(() => globalThis.shown.clear());
		await page.getByRole('link', { name: 'Home' }).click();
		await button('Spelt, warm').waitFor();
		await page.waitForTimeout(300);
		assert(!(await page.evaluate(() => globalThis.shown.has('Spelt'))), 'the baseline was painted');
	}],
	['23: clearing gives the page back exactly', async () => {
		host.apply({ op: 'clear', instanceId: spelt.instanceId, path: '/label' }, { op: 'clearInstance', instanceId: card.instanceId });
		await button('Spelt').waitFor();
		equal(await color(), '', 'style');
		host.init.initialOverrides = [];
		host.mode('editor');
	}],
	['24: refs, statics and identity are the original\'s', async () => {
		await load();
		assert(await page.evaluate(() => document.activeElement?.getAttribute('placeholder') === 'For the paper bag'), 'the input has no focus');
		equal(await page.getByTestId('kinds').innerText(), 'Kinds of button: primary, quiet, danger', 'statics');
	}],
	['25: a navigation by the app\'s own router, and back', async () => {
		const from = host.now;
		host.init.initialOverrides = [];
		host.apply(set(spelt, '/label', 'Spelt, warm'));
		await applied(from, spelt, '/label');
		const loads = host.messages.filter((m) => m.type === 'runtime.ready').length;
		say({ type: 'host.navigate', requestId: 'n1', to: { path: '/menu/rye' } });
		assert((await host.wait('runtime.result', (m) => m.requestId === 'n1', { from })).ok, 'ok');
		const route = await host.wait('runtime.routerStateChanged', (m) => m.pathname === '/menu/rye', { from });
		assert(route.matchedRouteIds.at(-1) === 'item' && route.params.itemId === 'rye', JSON.stringify(route));
		await host.wait('runtime.overrideStatus', (m) => m.orphaned.some((o) => o.instanceId === spelt.instanceId), { from });
		const then = host.now;
		say({ type: 'host.navigate', requestId: 'n2', to: { path: '/' } });
		await applied(then, spelt, '/label');
		equal(host.messages.filter((m) => m.type === 'runtime.ready').length, loads, 'pages loaded');
		host.apply({ op: 'clearAll' });
	}],
	['26: after a line is inserted above it, the draft is bound again by its place, and says so [A15]', async () => {
		const order = await select(button('Order now'));
		edit('src/pages/Home.tsx', (text) => text.replace(/^.*@site:order/m, '\n$&'));
		await page.waitForTimeout(500);
		host.init.initialOverrides = [set(order, '/label', 'Order today')];
		const from = host.now;
		await page.reload();
		const said = await host.wait('runtime.overrideStatus', (m) => m.rebound?.length > 0, { from });
		const [{ instanceId, toInstanceId, toLocator }] = said.rebound;
		assert(instanceId === order.instanceId && toInstanceId !== instanceId, JSON.stringify(said));
		equal(toLocator.line, order.source.line + 1, 'line');
		await button('Order today').waitFor();
		const again = await select(button('Order today'));
		equal([again.instanceId, again.source], [toInstanceId, siteOf(folder, 'src/pages/Home.tsx', 'order')], 'selected again');
		host.apply({ op: 'clear', instanceId: toInstanceId, path: '/label' });
		await button('Order now').waitFor();
		host.init.initialOverrides = [];
	}],
	['27: a literal that is saved is the new baseline by hot update', async () => {
		await load();
		const from = host.now;
		edit('src/pages/Home.tsx', (text) => text.replace('label="Order now"', 'label="Order ahead"'));
		await button('Order ahead').waitFor({ timeout: 10_000 });
		await host.wait('runtime.instances', (m) => m.upsert.some((one) => one.props?.label === 'Order ahead'), { from });
		equal((await select(button('Order ahead'))).props.label, 'Order ahead', 'baseline');
	}],
	['15: an export that is renamed moves to what is left out', async () => {
		const from = launcher.lines.length;
		edit('src/components/Note.tsx', (text) => text.replace('function Note(', 'function Notice('));
		const before = faults.length;
		const said = await launcher.wait('skipped', (line) => line.typeId.endsWith('Note.Note'), 10_000, from);
		assert(/no export "Note"/.test(said.reason), said.reason);
		await page.waitForTimeout(1000);
		edit('src/components/Note.tsx', (text) => text.replace('function Notice(', 'function Note('));
		await launcher.wait('instrumented', (line) => line.typeId.endsWith('Note.Note'), 10_000, from);
		await load(); // the page could not import what was not there, and has said so
		faults.length = before;
	}],
	['31: the page of one component, with its defaults', async () => {
		const from = host.now;
		const where = new URL('/__skaffa/component?type=ui.card', url).href;
		const text = async (place) => (await fetch(place)).text();
		assert(!(await text(where)).includes('skaffa-rt-config'), 'a page of no session has a block');
		launcher.send({ type: 'page', componentTypeId: 'ui.card', sessionId: host.sessionId, sessionKey: host.key, channelUrl: host.channelUrl });
		while (!(await text(where)).includes('skaffa-rt-config'));
		await page.goto(where);
		await host.wait('runtime.instances', () => [...host.instances(from).values()].some((one) => one.componentTypeId === 'ui.card'), { from });
		equal(await page.locator('.card').count(), 1, 'cards');
		const one = await select(page.locator('.card'));
		host.apply(set(one, '/title', 'Draft'));
		await page.getByText('Draft').waitFor();
		host.apply({ op: 'clearAll' });
		launcher.send({ type: 'leave' });
		while ((await text(url)).includes('skaffa-rt-config'));
		assert((await text(where)).includes('skaffa-rt-config'), 'the other session has left, too');
	}],
	['nothing was thrown at the page, no message broke the contract, and no error was told', async () => {
		equal(host.faults, [], 'messages');
		equal(faults, [], 'errors');
		const logged = host.messages.filter((m) => m.type === 'runtime.log').map((m) => m.message);
		equal(logged.filter((text) => !/React Router|React DevTools|Note|Account/.test(text)), [], 'log');
	}],
	['14, 16: no file was made or changed; the server goes when standard input ends, and starts again', async () => {
		const start = Date.now();
		const { code } = await launcher.stop();
		assert(code === 0 && Date.now() - start < 5000, `${code} after ${Date.now() - start} ms`);
		const names = (text) => Object.keys(JSON.parse(text)).sort();
		equal(names(contents(folder)), names(before), 'files');
		await fetch(url).then(() => assert(false, 'it still answers'), () => {});
	}],
	['29: the harness has the decorator, and does not run main.tsx', async () => {
		launcher = new Launcher(folder, host, { mount: 'harness', entry: './src/App.tsx', styles: ['./src/index.css'], decorators: ['./skaffa/frame.tsx#Frame'] });
		({ url } = await launcher.wait('ready'));
		const asked = [];
		page.on('request', (request) => asked.push(request.url()));
		await load();
		await page.getByTestId('frame').getByRole('heading', { name: 'Today' }).waitFor();
		assert(!asked.some((one) => one.includes('/src/main.tsx')), 'main.tsx was loaded');
		const app = [...host.instances().values()].find((one) => one.componentTypeId === 'auto.src.App.App');
		assert(app.instanceLocator.kind === 'renderIndex', JSON.stringify(app));
		await launcher.stop();
	}],
	['decorators of mount "app" are around the root as well, and killed is gone', async () => {
		launcher = new Launcher(folder, host, { decorators: ['@/skaffa/frame.tsx#Frame'] });
		({ url } = await launcher.wait('ready'));
		await load();
		await page.getByTestId('frame').getByRole('heading', { name: 'Today' }).waitFor();
		launcher.child.kill('SIGTERM');
		const { code } = await launcher.exited;
		assert(code === 0 || code === 143, `exit ${code}`);
	}],
], { timeout_ms: 60_000 });
await launcher?.stop();
host.stop();
await browser.close();
process.exit(failures ? 1 : 0);
