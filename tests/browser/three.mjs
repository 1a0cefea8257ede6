// three.mjs - one preview and all who look at it: SDK 1.x over HTTP, SDK 2.x over the relay, and the page in Chromium with the
// preview in its frame. Each act returns when the others have seen it, with how long that took each, in milliseconds.
import { copyFileSync, cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';

import { connect } from '../clients/connect.mjs';
import { newContext, openBrowser } from './browser.mjs';
import { Home, until } from './home.mjs';
import { serve } from './pages.mjs';

const OVERRIDES = 'skaffa://workspace/overrides';
const SELECTION = 'skaffa://preview/selection';
const TEXT = 'Closed on Mondays.';
const now = () => performance.timeOrigin + performance.now();

/* A client that keeps when it was told, and reads only then. */
class Reader {
	constructor(one) {
		this.one = one;
		this.reads = 0;
	}

	async follow() {
		for (const uri of [OVERRIDES, SELECTION]) await this.one.watch(uri, () => this.told?.(uri));
	}

	async read(uri) {
		this.reads += 1;
		return JSON.parse((await this.one.client.readResource({ uri })).contents[0].text).data;
	}

	/* When it has been told of `uri`, and has then read what `fits`. */
	sees(uri, fits) {
		return new Promise((done, failed) => {
			const late = setTimeout(() => failed(new Error(`nobody told of ${uri}`)), 20_000);
			this.told = async (which) => {
				if (which !== uri) return;
				const told = now();
				const data = await this.read(uri).catch(failed);
				if (!data || !fits(data)) return;
				clearTimeout(late);
				done({ told, read: now() });
			};
		});
	}

	change(sessionId, ops) {
		return this.one.call('workbench_apply_overrides', { sessionId, ops });
	}
}

/* Whether, and when, a document holds a text. */
async function expect(where, text, there = true) {
	await where.evaluate(([words, wanted]) => {
		globalThis.seen = new Promise((done) => {
			const look = () => {
				if (document.body.textContent.includes(words) !== wanted) return;
				watcher.disconnect();
				done(performance.timeOrigin + performance.now());
			};
			const watcher = new MutationObserver(look);
			watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
			look();
		});
	}, [text, there]);
	return () => where.evaluate(() => globalThis.seen);
}

export class Three {
	async begin(port, actuation = 'allow') {
		this.home = new Home(port, { TENON_WORKBENCH_ACTUATION: actuation });
		const build = process.env.TENON_BUILD ?? new URL('../../build', import.meta.url).pathname;
		if (existsSync(join(build, 'tenon-source.so'))) copyFileSync(join(build, 'tenon-source.so'), join(this.home.bin, 'tenon-source.so'));
		const folder = join(this.home.folder, 'work/plain');
		cpSync(new URL('../../demo/plain', import.meta.url).pathname, folder, { recursive: true });
		this.site = await serve(folder);
		const { url, token } = await this.home.start();
		const personToken = await this.home.personToken();
		this.browser = await openBrowser();
		this.page = await (await newContext(this.browser, { viewport: { width: 1500, height: 900 } })).newPage();
		await this.page.goto(`${url}/#/workbench?token=${personToken}`);
		await this.page.getByLabel('Folder of the project').fill(folder);
		await this.page.keyboard.press('Enter');
		await this.page.getByLabel('Address of your dev server').fill(this.site.url);
		await this.page.keyboard.press('Enter');
		await this.page.getByRole('region', { name: 'Preview', exact: true }).getByText('ready', { exact: true }).waitFor();
		this.frame = await until('the frame', () => this.page.frames().find((one) => one.parentFrame() && one.url().startsWith('http')));
		this.sdk1 = new Reader(await connect('sdk1', { url: `${url}/mcp/workbench`, token }));
		const relay = { command: join(this.home.bin, 'tenon'), args: ['mcp', 'workbench'], env: this.home.env, quiet: true };
		this.sdk2 = new Reader(await connect('sdk2-modern', relay));
		for (const one of [this.sdk1, this.sdk2]) await one.follow();
		await this.frame.getByText(TEXT).click();
		const selected = await until('a selection', async () => (await this.sdk1.read(SELECTION)).current?.selected);
		this.instanceId = selected.instanceId;
		this.sessionId = (await this.sdk1.read('skaffa://preview/sessions')).sessions[0].sessionId;
		await this.quiet();
	}

	/* A notice of each resource comes at most once in 100 ms (N3). */
	quiet() {
		return new Promise((done) => setTimeout(done, 250));
	}

	/* What each who looks has needed. */
	async seen(began, expected) {
		const found = Object.entries(expected).map(async ([name, when]) => [name, await when]);
		return Object.fromEntries((await Promise.all(found)).flatMap(([name, at]) => (typeof at === 'number'
			? [[name, at - began]]
			: [[`${name}, told`, at.told - began], [`${name}, read`, at.read - began]])));
	}

	holds = (value) => (data) => data.overrides[0]?.value === value;

	/* One of the two clients sets a draft: the other one, the page and the preview. */
	async clientChanges(who, other, value) {
		const preview = await expect(this.frame, value);
		const page = await expect(this.page, `to ${value}`);
		const sees = this[other].sees(OVERRIDES, this.holds(value));
		const began = now();
		const done = this[who].change(this.sessionId, [{ op: 'set', instanceId: this.instanceId, path: '/text', value }]);
		const took = await this.seen(began, { [other]: sees, preview: preview(), page: page() });
		if ((await done).isError) throw new Error(JSON.stringify(await done));
		await this.quiet();
		return took;
	}

	/* The person takes the last change back on the page, to what was there before: both clients and the preview. */
	async personTakesBack(value) {
		const preview = await expect(this.frame, value);
		const sees = { sdk1: this.sdk1.sees(OVERRIDES, this.holds(value)), sdk2: this.sdk2.sees(OVERRIDES, this.holds(value)) };
		const button = this.page.getByRole('button', { name: 'Take it back', exact: true });
		await button.waitFor();
		const began = await button.evaluate((one) => {
			const at = performance.timeOrigin + performance.now();
			one.click();
			return at;
		});
		const took = await this.seen(began, { ...sees, preview: preview() });
		await this.quiet();
		return took;
	}

	/* The person clicks in the preview: both clients and the page. */
	async personClicks(text, of, known) {
		const fits = (data) => data.current?.selected?.componentTypeId === of;
		const sees = { sdk1: this.sdk1.sees(SELECTION, fits), sdk2: this.sdk2.sees(SELECTION, fits) };
		const page = await expect(this.page, 'The registry has no entry for this type.', !known);
		const began = await this.frame.getByText(text).evaluate((one) => {
			const at = performance.timeOrigin + performance.now();
			const event = { bubbles: true, cancelable: true, composed: true };
			one.dispatchEvent(new PointerEvent('pointerdown', event));
			one.dispatchEvent(new PointerEvent('pointerup', event));
			one.dispatchEvent(new MouseEvent('click', event));
			return at;
		});
		const took = await this.seen(began, { ...sees, page: page() });
		await this.quiet();
		return took;
	}

	async end() {
		for (const one of [this.sdk1, this.sdk2]) await one?.one.close();
		this.site?.end();
		await this.browser?.close();
		await this.home?.end();
	}
}
