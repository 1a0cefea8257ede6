// workbench.mjs - the workbench's page with real previews in it (workbench.md section 20): what is clicked in the frame is
// shown beside it, and nothing in the frame reaches the page.
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

import { copyOf, missing } from '../adapters/project.mjs';
import { assert, failures, skipped, steps } from '../clients/results.mjs';
import { axeFaults, NARROW, newContext, openBrowser } from './browser.mjs';
import { httpClient } from './clients.mjs';
import { Home, until } from './home.mjs';
import { serve, vite } from './pages.mjs';

const SUITE = 'browser-workbench';
const CHUNK_BYTES_MAX = 45_000;
const build = resolve(process.env.TENON_BUILD ?? new URL('../../build', import.meta.url).pathname);
const pictures = process.env.TENON_SCREENSHOTS ?? 'out/screenshots';
mkdirSync(pictures, { recursive: true });
const home = new Home(process.env.TENON_SCREENSHOTS ? 7777 : 21000 + ((process.pid + 7700) % 9000), {
	PATH: `${dirname(process.execPath)}:${process.env.PATH}`, // launchers are Node's
});
if (existsSync(join(build, 'tenon-source.so'))) copyFileSync(join(build, 'tenon-source.so'), join(home.bin, 'tenon-source.so'));
const browser = await openBrowser();
const why = missing('harbour');
const demo = new URL('../../demo/plain', import.meta.url).pathname;
const plain = join(home.folder, 'work/plain');
let context, page, url, personToken, pages, dev, ask, harbour;
const sizes = new Map();

const equal = (a, b, what = '') => assert(JSON.stringify(a) === JSON.stringify(b), `${what} is ${JSON.stringify(a)}, not ${JSON.stringify(b)}`);
const button = (name, where = page) => where.getByRole('button', { name, exact: true });
const preview = () => page.getByRole('region', { name: 'Preview', exact: true });
const panel = () => page.getByRole('tabpanel');
const tab = (name) => page.getByRole('tab', { name }).click();
const field = (name) => panel().getByLabel(name, { exact: true });
const frame = async () => until('the frame', () => page.frames().find((one) => one !== page.mainFrame() && one.parentFrame() === page.mainFrame() && one.url().startsWith('http')));
const resource = async (uri) => JSON.parse((await ask('resources/read', { uri })).contents[0].text);
const read = async (uri) => (await resource(uri)).data;
const folder = async (name) => (await read('skaffa://workspaces')).workspaces.find((one) => one.name === name);
const of = async (name, path) => read(`skaffa://workspaces/${(await folder(name)).id}/${path}`);

async function bringUp() {
	cpSync(demo, plain, { recursive: true });
	pages = await serve(plain, { '/hostile': () => hostile, '/quiet': () => '<p>nothing here</p>' });
	url = (await home.start()).url;
	personToken = await home.personToken();
	ask = httpClient(url, personToken, 'script', '1');
	context = await newContext(browser);
	page = await context.newPage();
	page.on('response', (response) => {
		const name = new URL(response.url()).pathname;
		if (/workbench[^/]*\.(js|css)$/.test(name)) response.body().then((body) => sizes.set(name, gzipSync(body, { level: 9 }).length)).catch(() => {});
	});
	await page.goto(`${url}/#/workbench?token=${personToken}`);
	await page.getByText('No folder is open.').waitFor();
}

/* U1: opened by its path, closed, offered again; what would run is named before it may. */
async function opening() {
	await page.getByLabel('Folder of the project').fill('/no/such/folder');
	await page.keyboard.press('Enter');
	await page.getByRole('alert').filter({ hasText: 'no such folder' }).waitFor();
	await page.getByLabel('Folder of the project').fill(plain);
	await button('Open').click();
	await page.getByText('Nothing is previewed yet.').waitFor();
	await button('Close folder').click();
	await page.getByText('No folder is open.').waitFor();
	equal((await read('skaffa://workspaces')).workspaces.length, 0, 'open folders');
	await page.getByRole('button', { name: `Open ${plain}` }).click();
	await page.getByText('Nothing is previewed yet.').waitFor();
}

async function trust() {
	await button('Trust this folder …').click();
	const dialog = page.getByRole('dialog', { name: 'Trust plain?' });
	const runs = dialog.getByRole('listitem').filter({ hasText: 'Static files, when a preview is started with it:' });
	await runs.getByText('python3 -m http.server {port} --bind 127.0.0.1', { exact: true }).waitFor();
	await runs.getByText(`in ${plain}`, { exact: true }).waitFor();
	equal(await axeFaults(page), [], 'axe of the question');
	await page.screenshot({ path: join(pictures, 'workbench-trust-light.png') });
	await page.keyboard.press('Escape');
	assert(!(await folder('plain')).trusted, 'a closed question trusts nothing');
	await button('Trust this folder …').click();
	await button('Trust it', dialog).click();
	await page.getByText('trusted', { exact: true }).waitFor();
	assert((await folder('plain')).trusted, 'it is trusted');
	await button('Take trust back').click();
	await until('no trust', async () => !(await folder('plain')).trusted);
	await button('Trust this folder …').waitFor();
}

const launchers = (list) => {
	const file = join(plain, 'skaffa/plain.module.json');
	const good = readFileSync(file, 'utf8');
	const module = JSON.parse(good);
	module.launchers.push(...list.map((one) => ({ supportedSessionTypes: ['app'], url: 'http://127.0.0.1:{port}/', inject: 'gateway', ...one })));
	writeFileSync(file, JSON.stringify(module, null, 2));
	return () => writeFileSync(file, good);
};

/* T21: the command line with its folder and the names of its variables, never their values; scripts by their files. */
async function commands() {
	const restore = launchers([{ id: 'odd', displayName: 'Odd — Ünïcode 起動', command: ['sh', '-c', 'echo "a b" && exec serve'], cwd: 'skaffa', env: { API_TOKEN: 'swordfish', MODE: 'x' } }]);
	const config = join(plain, 'skaffa.config.json');
	const was = readFileSync(config, 'utf8');
	writeFileSync(config, was.replace('"./skaffa/plain.module.json"', '"./skaffa/plain.module.json", "./skaffa/more.mjs"').replace('"preview": {', '"preview": { "environment": { "PUBLIC_URL": "hidden value" }, '));
	writeFileSync(join(plain, 'skaffa/more.mjs'), 'export const activate = () => {};');
	await until('the launcher', async () => (await of('plain', 'preview/sessions')).launchers.length === 2);
	await button('Trust this folder …').click();
	const dialog = page.getByRole('dialog', { name: 'Trust plain?' });
	const odd = dialog.getByRole('listitem').filter({ hasText: 'Odd — Ünïcode 起動' });
	await odd.getByText(`sh -c 'echo "a b" && exec serve'`, { exact: true }).waitFor();
	await odd.getByText(`in ${plain}/skaffa; with API_TOKEN, MODE set`).waitFor();
	await dialog.getByRole('listitem').filter({ hasText: 'skaffa/more.mjs' }).getByText('JavaScript').waitFor();
	await dialog.getByText('Each of these finds PUBLIC_URL in its environment').waitFor();
	await dialog.getByText('known only when it has run').waitFor();
	const said = await dialog.innerText();
	assert(!/swordfish|hidden value/.test(said), 'values of variables are shown');
	assert(!/swordfish/.test(JSON.stringify(await of('plain', 'preview/sessions'))), 'values of variables are told');
	await button('Cancel', dialog).click();
	restore();
	writeFileSync(config, was);
	await page.getByRole('region', { name: 'Problems of the folder' }).waitFor({ state: 'detached' });
}

/* S20: what a server printed before it failed stands where its page would be. */
async function failing() {
	const restore = launchers([{ id: 'broken', displayName: 'Broken', command: ['sh', '-c', 'for i in 1 2 3; do echo "line $i of it"; done; echo "no such port: ~" >&2; exit 3'] }]);
	await until('the launcher', async () => (await of('plain', 'preview/sessions')).launchers.length === 2);
	await button('Trust this folder …').click();
	await button('Trust it').click();
	await button('Broken').click();
	await preview().getByText('failed', { exact: true }).waitFor();
	await preview().getByRole('alert').filter({ hasText: 'exit status 3' }).waitFor();
	const log = preview().getByRole('log', { name: 'Log of the preview' });
	await log.getByText('line 3 of it', { exact: true }).waitFor();
	await log.getByText('no such port: ~', { exact: true }).waitFor();
	const first = (await of('plain', 'preview/sessions')).sessions[0].sessionId;
	equal(await axeFaults(page), [], 'axe of a start that failed');
	await page.screenshot({ path: join(pictures, 'workbench-failed-light.png') });
	await button('Start it again').click();
	await until('another preview of it', async () => (await of('plain', 'preview/sessions')).sessions.some((one) => one.state === 'error' && one.sessionId !== first));
	await log.getByText('line 3 of it', { exact: true }).waitFor();
	await page.getByRole('button', { name: 'Stop broken' }).click();
	await page.getByText('Nothing is previewed yet.').waitFor();
	await button('Take trust back').click();
	await until('no trust', async () => !(await folder('plain')).trusted);
	restore();
	await until('the launchers', async () => (await of('plain', 'preview/sessions')).launchers.length === 1);
}

/* M4: a graph of 5,000 nodes: its folders, what lies in one, what is around a node; a table that filters; and what is not drawn is said. */
async function largeGraph() {
	const id = (await folder('plain')).id;
	const nodes = Array.from({ length: 5000 }, (_, n) => ({ kind: 'componentType', id: `big.t${n}`, displayName: `Part ${n}`, source: { filePath: `src/area${n % 40}/group${n % 7}/Part${n}.tsx`, line: 1 } }));
	const edges = nodes.flatMap((_, n) => [1, 2, 3].map((k) => ({ kind: 'componentTypeUsesComponentType', from: `big.t${n}`, to: `big.t${(n * 7 + k * 40) % 5000}` })));
	const snapshot = { schemaVersion: 'v0', revision: 1, nodes, edges };
	await ask('tools/call', { name: 'workbench_put_graph_snapshot', arguments: { workspace: id, producerId: 'big', snapshot } });
	assert((await of('plain', 'workspace/graph')).truncated, 'it is too large to be told whole');
	await tab('Graph');
	const folderOf = (name) => panel().getByRole('button', { name: new RegExp(`^Folder ${name}`) });
	await folderOf('src/area7/, 125 nodes\\.').waitFor({ timeout: 20_000 });
	equal(await axeFaults(page), [], 'axe of a large graph');
	await page.evaluate(() => {
		globalThis.slowest = 0;
		new PerformanceObserver((list) => list.getEntries().forEach((one) => (globalThis.slowest = Math.max(globalThis.slowest, one.duration)))).observe({ type: 'longtask' });
	});
	await folderOf('src/area7/,').focus();
	await page.keyboard.press('Enter');
	await folderOf('src/area7/group3/,').click();
	await panel().getByRole('button', { name: /^Component Part 87\./ }).waitFor();
	await page.screenshot({ path: join(pictures, 'workbench-large-graph-light.png') });
	await panel().getByRole('searchbox', { name: 'Find a route or component' }).fill('part 4999');
	await button('Part 4999', panel()).click();
	await panel().getByText('componentType big.t4999').waitFor();
	await panel().getByText(/4,?9\d\d nodes not in the picture; the table has all\./).waitFor();
	await button('Back to the folders', panel()).click();
	await panel().getByLabel('Table').check();
	await panel().getByText('more: type more of the name.', { exact: false }).waitFor();
	assert((await panel().getByRole('row').count()) <= 301, 'rows are bounded');
	await panel().getByRole('searchbox').fill('part 1234');
	await panel().getByRole('row', { name: /Component Part 1234 / }).waitFor();
	// A change comes by its patch.
	await ask('tools/call', { name: 'workbench_patch_graph', arguments: { workspace: id, producerId: 'big', patch: { schemaVersion: 'v0', revision: 2, ops: [{ op: 'upsertNode', node: { kind: 'componentType', id: 'big.t1234', displayName: 'Part 1234 renamed' } }] } } });
	await panel().getByRole('row', { name: /Component Part 1234 renamed/ }).waitFor();
	const slowest = await page.evaluate(() => globalThis.slowest);
	console.log(`the longest task with 5,000 nodes: ${Math.round(slowest)} ms`);
	assert(slowest < 2000, `the page stood still for ${slowest} ms`);
	await ask('tools/call', { name: 'workbench_delete_producer', arguments: { workspace: id, producerId: 'big' } });
	await panel().getByRole('searchbox').fill('');
	await panel().getByRole('row', { name: /plain\.notice|Notice/ }).first().waitFor();
	await panel().getByLabel('Picture').check();
	await tab('Inspector');
}

/* U2: what is wrong, with file and pointer, as it comes and goes. */
async function health() {
	const file = join(plain, 'skaffa/plain.module.json');
	const good = readFileSync(file, 'utf8');
	writeFileSync(file, good.replace('"string", "multiline"', '"strange", "multiline"'));
	const banner = page.getByRole('region', { name: 'Problems of the folder' });
	await banner.locator('summary').click();
	await banner.getByRole('listitem').filter({ hasText: 'plain.module.json' }).filter({ hasText: '/registry/components/plain.notice/props/text' }).first().waitFor();
	equal(await axeFaults(page), [], 'axe of the banner');
	await page.screenshot({ path: join(pictures, 'workbench-health-light.png') });
	writeFileSync(file, good);
	await banner.waitFor({ state: 'detached' });
}

/* M4: a registry that is too large to be told whole is read in pages, its entries one by one. */
async function large() {
	const file = join(plain, 'skaffa/plain.module.json');
	const good = readFileSync(file, 'utf8');
	const module = JSON.parse(good);
	const entry = (n) => ({ displayName: `Type ${n}`, props: { text: { label: `Text of ${n}`, description: 'x'.repeat(300), exposure: { kind: 'editable', control: { kind: 'string' } } } } });
	for (let n = 0; n < 1200; n++) module.registry.components[`many.t${n}`] = entry(n);
	writeFileSync(file, JSON.stringify(module));
	await tab('Components');
	await panel().getByText('1202 component types').waitFor();
	await panel().getByLabel('Filter component types').fill('many.t1199');
	await panel().getByRole('button', { name: 'Type 1199 many.t1199' }).click();
	await panel().getByText('Text of 1199').waitFor();
	writeFileSync(file, good);
	await panel().getByLabel('Filter component types').fill('');
	await panel().getByText('2 component types').waitFor();
	await tab('Inspector');
}

/* U3 */
async function starting() {
	const address = page.getByLabel('Address of your dev server');
	await page.getByText('“localhost:5173” alone is no address.').waitFor();
	for (const bad of ['localhost:5173', 'https://example.org/', url]) {
		await address.fill(bad);
		await button('Start a preview').click();
		await preview().getByRole('alert').waitFor();
		equal((await of('plain', 'preview/sessions')).sessions.length, 0, `sessions after ${bad}`);
	}
	await address.fill(pages.url);
	await page.keyboard.press('Enter');
	await preview().getByText('ready', { exact: true }).waitFor();
	await page.getByText('Click to inspect, Esc clears.').waitFor();
	const [session] = (await of('plain', 'preview/sessions')).sessions;
	const shown = await preview().locator('iframe').evaluate((one) => ({ src: one.src, sandbox: one.getAttribute('sandbox') }));
	equal(shown, { src: session.url, sandbox: 'allow-scripts allow-same-origin allow-forms allow-modals' }, 'the frame (T19)');
	assert(new URL(session.url).origin !== new URL(url).origin, 'the preview has an origin of its own');
}

async function inspecting() {
	await panel().getByText('Nothing is selected.').waitFor();
	await (await frame()).getByText('Closed on Mondays.').click();
	await panel().getByRole('heading', { name: 'Notice' }).waitFor();
	await panel().getByText('plain.notice', { exact: true }).waitFor();
	await panel().getByText('Closed on Mondays.').or(field('Text')).first().waitFor();
	await (await frame()).getByRole('button', { name: 'Ring the bell' }).click();
	await panel().getByText('The registry has no entry for this type.').waitFor();
	await panel().getByText('Three places must say the same id:').waitFor();
	await panel().getByText('Known ids').click();
	await panel().getByText(/bakery-clock, plain\.notice|plain\.notice, bakery-clock/).waitFor();
}

/* 60 props, 200 routes, names that are long and of other scripts: filtered, whole, and no wider than a narrow window. */
async function crowded() {
	const file = join(plain, 'skaffa/plain.module.json');
	const good = readFileSync(file, 'utf8');
	const module = JSON.parse(good);
	const kinds = [{ kind: 'string' }, { kind: 'number', unit: 'px' }, { kind: 'boolean' }, { kind: 'color' }, { kind: 'json' }];
	const label = (n) => `Ein außergewöhnlich langes Etikett für die Eigenschaft Nummer ${n} 日本語`;
	for (let n = 0; n < 60; n++) module.registry.components['plain.notice'].props[`aVeryLongPropNameThatNobodyWouldWrite${n}`] = { label: label(n), group: `Group ${n % 4}`, exposure: { kind: 'editable', control: kinds[n % 5] } };
	writeFileSync(file, JSON.stringify(module));
	const { id } = await folder('plain');
	const nodes = Array.from({ length: 200 }, (_, n) => ({ kind: 'route', id: `routeId:r${n}`, path: `/shop/départements/:dept/produits/${n}/réglages/:id`, source: { filePath: `src/a/very/deep/folder/of/the/project/routes/Route${n}.tsx`, line: n + 1 } }));
	await ask('tools/call', { name: 'workbench_put_graph_snapshot', arguments: { workspace: id, producerId: 'crowd', snapshot: { schemaVersion: 'v0', revision: 1, nodes, edges: [] } } });
	await (await frame()).getByText('Closed on Mondays.').click();
	await panel().getByRole('heading', { name: 'Notice' }).waitFor();
	await panel().getByRole('searchbox', { name: 'Filter props' }).fill('Nummer 41');
	await panel().getByText(label(41), { exact: true }).waitFor();
	await until('the others are left out', async () => (await panel().locator('.prop').count()) === 1);
	await panel().getByRole('searchbox', { name: 'Filter props' }).fill('');
	await page.setViewportSize({ width: 400, height: 860 });
	for (const name of ['Routes', 'Graph', 'Inspector']) {
		await tab(name);
		if (name === 'Routes') await panel().getByText('200 of 200 routes').waitFor();
		if (name === 'Routes') await panel().getByLabel('Filter routes').fill('/77/');
		if (name === 'Routes') await panel().getByText('1 of 200 routes').waitFor();
		const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
		assert(wide <= 0, `${name} is ${wide} pixels wider than the window`);
		equal(await axeFaults(page), [], `axe of ${name}`);
	}
	await page.setViewportSize({ width: 1280, height: 800 });
	await ask('tools/call', { name: 'workbench_delete_producer', arguments: { workspace: id, producerId: 'crowd' } });
	writeFileSync(file, good);
	await until('the props of before', async () => (await panel().locator('.prop').count()) < 10);
}

/* Escape in the preview clears what is selected; here it does nothing. Sessions live on. */
async function escape() {
	const inside = await frame();
	await inside.getByText('Closed on Mondays.').click();
	await panel().getByRole('heading', { name: 'Notice' }).waitFor();
	await page.getByLabel('Path in the preview').focus();
	for (let i = 0; i < 3; i++) await page.keyboard.press('Escape');
	await panel().getByRole('heading', { name: 'Notice' }).waitFor();
	// A click takes the keys along, though the app does not hear of it.
	await inside.getByText('Closed on Mondays.').click();
	await page.keyboard.press('Escape');
	await panel().getByText('Nothing is selected.').waitFor();
	await page.keyboard.press('Escape');
	equal((await of('plain', 'preview/sessions')).sessions.map((one) => one.state), ['ready'], 'sessions');
}

async function modes() {
	await button('Interact').click();
	await until('interact', async () => (await of('plain', 'preview/sessions')).sessions[0].mode === 'interact');
	await (await frame()).getByText('Closed on Mondays.').click();
	await page.waitForTimeout(300);
	equal((await of('plain', 'preview/selection')).current, null, 'a click in interact mode selects');
	await (await frame()).getByText('Closed on Mondays.').click({ modifiers: ['Alt'] });
	await panel().getByRole('heading', { name: 'Notice' }).waitFor();
	await button('Editor').click();
	await until('editor', async () => (await of('plain', 'preview/sessions')).sessions[0].mode === 'editor');
}

async function walking() {
	const path = page.getByLabel('Path in the preview');
	await path.fill('/quiet');
	await path.press('Enter');
	await until('the other page', async () => (await frame()).url().endsWith('/quiet'));
	await until('its path', async () => (await path.inputValue()) === '/quiet');
	await (await frame()).evaluate(() => (globalThis.marked = true));
	await button('Reload the preview').click();
	await until('loaded again', async () => !(await (await frame()).evaluate(() => globalThis.marked).catch(() => true)));
	assert((await frame()).url().endsWith('/quiet'), 'reloading stays where it is');
	await path.fill('/');
	await path.press('Enter');
	await (await frame()).getByText('Closed on Mondays.').waitFor();
	await preview().getByText('ready', { exact: true }).waitFor();
}

/* What a page in the frame tries, and what came of it: it says so in its own title. */
const hostile = `<!doctype html><title>trying</title><p>hostile</p><script>
const tried = {};
const note = (name, act) => Promise.resolve().then(act).then((value) => (tried[name] = 'REACHED ' + value), (error) => (tried[name] = 'refused: ' + error));
const ui = decodeURIComponent(location.hash.slice(1));
const later = (promise) => Promise.race([promise, new Promise((_, no) => setTimeout(() => no('no answer'), 2500))]);
addEventListener('load', async () => {
  await note('parent document', () => parent.document.title);
  await note('parent storage', () => parent.sessionStorage.getItem('tenon.token'));
  await note('parent address', () => parent.location.href);
  await note('top navigation', () => { top.location.href = location.origin + '/quiet'; throw 'asked'; });
  await note('top by a link', () => { const a = document.createElement('a'); a.href = '/quiet'; a.target = '_top'; a.textContent = 'x'; document.body.append(a); a.click(); throw 'asked'; });
  await note('window', () => { const w = open('/quiet'); if (!w) throw 'null'; return 'a window'; });
  await note('fetch of the page', () => later(fetch(ui + '/')).then((r) => r.text()));
  await note('MCP', () => later(fetch(ui + '/mcp', { method: 'POST', headers: { 'Content-Type': 'application/json', Authorization: 'Bearer guess' }, body: '{}' })).then((r) => r.status));
  await note('MCP, simple', () => later(fetch(ui + '/mcp', { method: 'POST', mode: 'no-cors', body: '{}' })).then((r) => r.type === 'opaque' ? Promise.reject('opaque') : r.status));
  await note('WebSocket', () => later(new Promise((ok, no) => { const s = new WebSocket(ui.replace('http', 'ws') + '/ws', ['mcp', 'bearer.guess']); s.onopen = () => ok('open'); s.onerror = () => no('error'); })));
  await note('the page in a frame', () => later(new Promise((ok, no) => { const f = document.createElement('iframe'); f.src = ui + '/'; f.onload = () => { try { ok(f.contentDocument.title); } catch (e) { no(e); } }; document.body.append(f); })));
  parent.postMessage({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'workbench_trust_workspace', arguments: { trusted: true } } }, '*');
  document.title = JSON.stringify(tried);
});
</script>`;

async function hostilePage() {
	const before = { url: page.url(), tabs: context.pages().length };
	// The page does not know where Tenon is: it is told, so that it tries at all.
	await page.getByLabel('Path in the preview').fill(`/hostile#${encodeURIComponent(url)}`);
	await page.getByLabel('Path in the preview').press('Enter');
	const tried = await until('what it tried', async () => {
		const title = await (await frame()).title().catch(() => '');
		return title.startsWith('{') && JSON.parse(title);
	});
	equal(Object.entries(tried).filter(([, what]) => what.startsWith('REACHED')), [], 'what it reached');
	equal(Object.keys(tried).length, 11, `what it tried: ${Object.keys(tried)}`);
	equal({ url: page.url(), tabs: context.pages().length }, before, 'the page and its tabs');
	assert(!(await folder('plain')).trusted, 'a message of the frame trusts nothing');
	await page.getByRole('navigation', { name: 'Pages' }).waitFor();
	context.faults.length = 0; // what the browser says of the attempts
	await page.getByLabel('Path in the preview').fill('/');
	await page.getByLabel('Path in the preview').press('Enter');
	await preview().getByText('ready', { exact: true }).waitFor();
}

/* T19: the page frames ports of this machine and nothing else, and is in no frame itself. */
async function policy() {
	const blocked = await page.evaluate(async () => {
		const found = [];
		addEventListener('securitypolicyviolation', (event) => found.push(event.effectiveDirective + ' ' + event.blockedURI));
		for (const src of ['https://example.org/', 'http://localhost:1/', 'data:text/html,x', 'http://127.0.0.2:1/']) {
			const one = document.createElement('iframe');
			one.src = src;
			document.body.append(one);
			await new Promise((r) => setTimeout(r, 200));
			one.remove();
		}
		return found.map((one) => one.split(' ')[0]);
	});
	equal(blocked, ['frame-src', 'frame-src', 'frame-src', 'frame-src'], 'what the policy blocks');
	context.faults.length = 0;
}

async function stopping() {
	await page.getByRole('button', { name: `Stop ${pages.url}` }).click();
	await page.getByText('Nothing is previewed yet.').waitFor();
	equal((await of('plain', 'preview/sessions')).sessions, [], 'sessions');
}

/* S18: the tag that its pages need is told beside the preview, as text to be copied. */
async function tagged() {
	const file = join(plain, 'skaffa/plain.module.json');
	const good = readFileSync(file, 'utf8');
	const call = async (name, args) => (await ask('tools/call', { name, arguments: { ...args, workspace: (await folder('plain')).id } })).structuredContent;
	const module = JSON.parse(good);
	module.launchers = module.launchers.map((one) => ({ ...one, inject: 'script' }));
	writeFileSync(file, JSON.stringify(module));
	await call('workbench_trust_workspace', { trusted: true });
	const begun = await until('the launcher', async () => (await call('workbench_start_preview', { target: { type: 'app', launcherId: module.launchers[0].id } }))?.session);
	const [told] = begun.warnings.filter((one) => one.code === 'script_tag');
	await preview().getByRole('status').filter({ hasText: /<script src="http:\/\/127\.0\.0\.1:\d+\/__skaffa\/adapter\.js" crossorigin><\/script>/ }).waitFor();
	await preview().getByText(told.message, { exact: true }).waitFor();
	equal(await axeFaults(page), [], 'axe of the tag');
	await call('workbench_stop_preview', { sessionId: begun.sessionId });
	writeFileSync(file, good);
	await call('workbench_trust_workspace', { trusted: false });
	await until('it is gone', async () => (await of('plain', 'preview/sessions')).sessions.length === 0);
}

/* ---- the demo, with its own dev server ---- */

async function realApp() {
	harbour = copyOf('harbour', 'page/harbour');
	dev = await vite(harbour);
	await page.getByRole('link', { name: 'All folders' }).click();
	await page.getByLabel('Folder of the project').fill(harbour);
	await button('Open').click();
	await page.getByLabel('Address of your dev server').fill(dev.url);
	await page.keyboard.press('Enter');
	await preview().getByText('ready', { exact: true }).waitFor({ timeout: 60_000 });
	await (await frame()).getByRole('button', { name: 'Order now' }).click();
	await panel().getByRole('heading', { name: 'Button' }).waitFor();
	const groups = await panel().getByRole('heading', { level: 3 }).allInnerTexts();
	equal(groups.filter((one) => one !== 'Not in the registry'), ['Content', 'Appearance', 'Behaviour'], 'the groups, in their order (U4)');
	await panel().getByText(/src\/components\/Button\.tsx:\d+:\d+/).waitFor();
	await panel().getByRole('button', { name: 'Copy: place in the source' }).first().click();
	assert(/^src\/.*:\d+:\d+$/.test(await page.evaluate(() => navigator.clipboard.readText())), 'the place is copied');
	await panel().getByText('only to look at').first().waitFor();
	await panel().getByText('Open in an editor').click();
	await panel().getByRole('combobox', { name: /The link of your editor/ }).fill('vscode://file{path}:{line}:{column}');
	const link = await panel().getByRole('link', { name: /Button\.tsx/ }).getAttribute('href');
	assert(new RegExp(`^vscode://file${harbour}/src/components/Button\\.tsx:\\d+:\\d+$`).test(link), link);
	await panel().getByRole('combobox', { name: /The link of your editor/ }).fill('');
	await (await frame()).getByText('Orders: 0').waitFor();
}

async function known() {
	await tab('Routes');
	const routes = panel().getByRole('listitem');
	equal(await routes.count(), 8, 'routes');
	await routes.filter({ hasText: 'shown now' }).filter({ hasText: 'routeId:home' }).waitFor();
	await tab('Components');
	await panel().getByRole('status').filter({ hasText: '18 component types; disabled: ui.swatch' }).waitFor();
	await panel().getByLabel('Filter component types').fill('ui.card');
	await panel().getByRole('button', { name: 'Card ui.card', exact: true }).click();
	await panel().getByText('src/components/Card.tsx', { exact: false }).waitFor();
	await tab('Instances');
	await panel().getByText(/\d+ instances/).waitFor();
	assert((await panel().locator('[aria-current]').innerText()).includes('ui.button'), 'what is selected is marked');
	await tab('Graph');
	const node = panel().getByRole('button', { name: /^Component Card\. Uses: Shop badge/ });
	await node.waitFor();
	await panel().locator('.node').first().focus();
	for (let i = 0; i < 40 && !(await node.evaluate((one) => one === document.activeElement)); i++) await page.keyboard.press('ArrowDown');
	await page.keyboard.press('Enter');
	await panel().getByText('componentType ui.card').waitFor();
	await panel().getByLabel('Table').check();
	await panel().getByRole('row', { name: /Component Card Shop badge/ }).waitFor();
	await panel().getByText(/revision \d+/).waitFor();
	await tab('Inspector');
}

/* ---- drafts ---- */

const assistant = (tool, args) => httpClient(url, home.found().token, 'claude-code', '2')('tools/call', { name: `workbench_${tool}`, arguments: args });
const drafts = async () => (await of('harbour', 'workspace/overrides')).overrides.map((one) => [one.path, one.value]);
const app = async () => (await of('harbour', 'preview/sessions')).sessions[0].sessionId;

/* 13.4: what a person types is on the page at once; Reset shows what lies beneath. */
async function tweaking() {
	const inside = await frame();
	await field('Label').fill('Buy now');
	await inside.getByRole('button', { name: 'Buy now' }).waitFor();
	await panel().getByText('overridden', { exact: true }).waitFor();
	await field('Label').fill('');
	await panel().getByRole('alert').filter({ hasText: 'must not be empty' }).waitFor();
	await field('Tone').focus();
	await panel().getByText('“” was not taken', { exact: false }).waitFor();
	equal(await field('Label').inputValue(), 'Buy now', 'what the field shows when it is left');
	await field('Tone').selectOption('Quiet');
	await panel().getByRole('switch', { name: 'Disabled' }).click();
	await until('it is disabled', () => inside.getByRole('button', { name: 'Buy now' }).isDisabled());
	await until('three drafts', async () => (await drafts()).length === 3);
	equal((await drafts()).sort(), [['/disabled', true], ['/label', 'Buy now'], ['/tone', 'quiet']], 'drafts');
	await button('Reset Label', panel()).click();
	await inside.getByRole('button', { name: 'Order now' }).waitFor();
	await until('the value beneath', async () => (await field('Label').inputValue()) === 'Order now');
	await button('Reset all of this instance', panel()).click();
	await until('no drafts', async () => (await drafts()).length === 0);
	equal(await page.getByRole('status', { name: 'What others change' }).innerText(), '', 'nobody else did that');
}

/* What an assistant changes is on the page as it happens, with who, and anybody takes it back. */
async function assistantActs() {
	const sessionId = await app();
	const { current } = await of('harbour', 'preview/selection');
	const { instanceId } = current.selected;
	await page.evaluate(() => {
		const strip = document.querySelector('[role=status][aria-label="What others change"]');
		new MutationObserver(() => (globalThis.firstSaid ??= strip.innerText.trim() || undefined)).observe(strip, { childList: true, subtree: true, characterData: true });
	});
	const asked = assistant('apply_overrides', { sessionId, ops: [{ op: 'set', instanceId, path: '/label', value: 'Reserve' }] });
	const waiting = await until('a question', async () => (await resource('tenon://approvals')).approvals.find((one) => one.state === 'pending'));
	assert(waiting.detail.includes('Reserve') || waiting.summary.includes('Reserve'), `the effect is told: ${JSON.stringify(waiting)}`);
	await ask('tools/call', { name: 'approve_request', arguments: { id: waiting.id, decision: 'approve' } });
	await (await frame()).getByRole('button', { name: 'Reserve' }).waitFor();
	const strip = page.getByRole('status', { name: 'What others change' });
	await strip.getByText('Button /label to Reserve').waitFor();
	equal(await page.evaluate(() => globalThis.firstSaid.split('\n')[0]), 'claude-code set Button /label to Reserve.', 'what is said first: who it was comes with the change');
	assert(!(await asked).isError, 'it was applied');
	await tab('Overrides');
	await panel().getByText('on the page').waitFor();
	await page.screenshot({ path: join(pictures, 'workbench-assistant-light.png') });
	equal(await axeFaults(page), [], 'axe of drafts');
	await button('Take it back', strip).click();
	await (await frame()).getByRole('button', { name: 'Order now' }).waitFor();
	await panel().getByText('No drafts.', { exact: false }).waitFor();
	await tab('Inspector');
}

/* U6: drafts whose instance has gone are kept apart, and cleared by a person. */
async function orphans() {
	const { current } = await of('harbour', 'preview/selection');
	const { instanceId, componentTypeId, instanceLocator } = current.selected;
	const set = (id, path, value) => ({ op: 'set', instanceId: id, path, value, componentTypeId, ...(instanceLocator && { instanceLocator }) });
	await ask('tools/call', { name: 'workbench_apply_overrides', arguments: { workspace: (await folder('harbour')).id, group: 'app', ops: [set(instanceId, '/label', 'Kept')] } });
	const strip = page.getByRole('status', { name: 'What others change' });
	await strip.getByText('script set Button /label to Kept.').waitFor();
	await tab('Routes');
	await panel().getByRole('button', { name: 'Go to /menu/:itemId' }).click();
	await panel().getByRole('textbox', { name: 'itemId' }).fill('rye');
	await page.keyboard.press('Enter');
	await panel().getByRole('listitem').filter({ hasText: 'shown now' }).filter({ hasText: 'routeId:item' }).waitFor();
	await panel().getByRole('button', { name: 'Go to /about' }).click();
	await panel().getByRole('listitem').filter({ hasText: 'shown now' }).filter({ hasText: '/about' }).waitFor();
	await tab('Overrides');
	const apart = panel().getByRole('region', { name: 'Without a place' });
	await apart.getByText('The instance is not on the page now.').waitFor();
	await apart.getByText('Kept', { exact: true }).waitFor();
	await page.screenshot({ path: join(pictures, 'workbench-orphans-light.png') });
	await button('Clear all of these', apart).click();
	await panel().getByText('No drafts.', { exact: false }).waitFor();
	await until('that it is over', async () => (await strip.innerText()) === '');
	await page.getByLabel('Path in the preview').fill('/');
	await page.getByLabel('Path in the preview').press('Enter');
	await (await frame()).getByRole('button', { name: 'Order now' }).click();
	await tab('Inspector');
	await panel().getByRole('heading', { name: 'Button' }).waitFor();
}

/* A parent of what is selected, and an instance of the list: chosen here, marked there. */
async function choosing() {
	await panel().getByRole('button', { name: 'Card', exact: true }).click();
	await panel().getByRole('heading', { name: 'Card', exact: true }).waitFor();
	await tab('Instances');
	await panel().getByRole('button', { name: 'CardFooter' }).click();
	await tab('Inspector');
	await panel().getByRole('heading', { name: 'Card footer' }).waitFor();
	await (await frame()).getByRole('button', { name: 'Order now' }).click();
	await panel().getByRole('heading', { name: 'Button' }).waitFor();
}

/* The project's own dev server, started from here; a draft is written into the source, and taken back (D1, D2, D6). */
async function saving() {
	await page.getByRole('button', { name: `Stop ${dev.url}` }).click();
	assert(await button('Vite').isDisabled(), 'a launcher of a folder that is not trusted');
	await button('Trust this folder …').click();
	await page.getByRole('dialog').getByText('The dev server of the project itself').waitFor();
	await button('Trust it').click();
	await button('Vite').click();
	await preview().getByText('ready', { exact: true }).waitFor({ timeout: 60_000 });
	await (await frame()).getByRole('button', { name: 'Order now' }).click();
	await panel().getByText(/src\/pages\/Home\.tsx:\d+:\d+/).waitFor();
	await field('Label').fill('Buy <bread>');
	await (await frame()).getByRole('button', { name: 'Buy <bread>' }).waitFor();
	await (await frame()).getByRole('heading', { name: 'Today' }).click();
	await panel().getByRole('heading', { name: 'Card', exact: true }).waitFor();
	await field('Style').fill('{"color": "red"}');
	await field('Title').focus();
	await panel().getByText('Cannot be written to the source', { exact: false }).waitFor();
	await tab('Overrides');
	await button('Save …', panel()).click();
	const dialog = page.getByRole('dialog', { name: 'Save drafts to the source' });
	await dialog.getByRole('region', { name: 'These cannot be written' }).getByText('/style').waitFor();
	await dialog.getByText(/^\+.*label=\{"Buy <bread>"\}/).waitFor();
	assert(await button('Write to the source', dialog).isDisabled(), 'all or nothing');
	await page.screenshot({ path: join(pictures, 'workbench-save-light.png') });
	equal(await axeFaults(page), [], 'axe of the save preview');
	await button('Write the others', dialog).click();
	await dialog.getByText('1 draft written to 1 file. 1 draft could not be').waitFor();
	assert(readFileSync(join(harbour, 'src/pages/Home.tsx'), 'utf8').includes('label={"Buy <bread>"}'), 'it stands in the source');
	equal((await drafts()).map(([path]) => path), ['/style'], 'drafts that stay');
	await (await frame()).getByRole('button', { name: 'Buy <bread>' }).waitFor();
	await page.waitForTimeout(500); // the watcher of Vite drops a second change within 50 ms of the first
	await button('Take this back', dialog).click();
	await dialog.waitFor({ state: 'detached' });
	assert(!readFileSync(join(harbour, 'src/pages/Home.tsx'), 'utf8').includes('Buy <bread>'), 'it is taken back from the source');
	await until('two drafts again', async () => (await drafts()).length === 2);
	await button('Reset all', panel()).click();
	await button('Really reset 2 drafts', panel()).click();
	await panel().getByText('No drafts.', { exact: false }).waitFor();
	await (await frame()).getByRole('button', { name: 'Order now' }).waitFor();
	await tab('Inspector');
}

/* S20: the log follows; what is read stays where it is; it is bounded; the page's words are marked. */
async function logs() {
	await tab('Log');
	const log = panel().getByRole('log');
	const inside = await frame();
	await inside.evaluate(() => console.error('from the page: <b>Ünïcode 日本</b>'));
	const line = log.locator('p').filter({ hasText: 'from the page: <b>Ünïcode 日本</b>' });
	await line.getByText('page', { exact: true }).waitFor();
	await line.getByText('error', { exact: true }).waitFor();
	await panel().getByLabel('Least level').selectOption('Errors');
	await until('the others are left out', async () => (await log.locator('p').count()) === (await log.locator('p').filter({ hasText: 'error' }).count()));
	await panel().getByLabel('Least level').selectOption('Everything');
	const say = (from, to) => inside.evaluate(async ([a, b]) => {
		for (let i = a; i < b; i++) {
			console.error(`${i}: ${'word '.repeat(i % 30)}`);
			if (i % 10 === 9) await new Promise((later) => setTimeout(later, 600)); // an adapter says 20 a second
		}
	}, [from, to]);
	await say(0, 60);
	await log.getByText(/^59:/).waitFor();
	const distance = () => log.evaluate((one) => one.scrollHeight - one.scrollTop - one.clientHeight);
	await until('the newest line', async () => (await distance()) < 24);
	// By keys alone: the log is a stop, and scrolls.
	await panel().getByRole('searchbox', { name: 'Filter the log' }).focus();
	for (let i = 0; i < 4 && !(await log.evaluate((one) => one === document.activeElement)); i++) await page.keyboard.press('Tab');
	for (let i = 0; i < 3; i++) await page.keyboard.press('PageUp');
	await until('somebody reads above', async () => (await distance()) > 100);
	await page.waitForTimeout(400);
	const reading = () => log.evaluate((box) => {
		const top = box.getBoundingClientRect().top;
		const row = [...box.children].find((one) => one.getBoundingClientRect().bottom > top + 20);
		return { text: row.innerText, at: Math.round(row.getBoundingClientRect().top - top) };
	});
	const before = await reading();
	await say(60, 80);
	await until('they have come', async () => (await log.locator('p').last().innerText()).includes('79:'));
	const after = await reading();
	assert(before.text === after.text && Math.abs(before.at - after.at) <= 2, `what was read: ${JSON.stringify(before)}, then ${JSON.stringify(after)}`);
	await button('To the newest line', panel()).click();
	await until('the newest line', async () => (await distance()) < 24);
	assert((await log.locator('p').count()) <= 500, 'rows are bounded');
	equal(await axeFaults(page), [], 'axe of the log');
	context.faults = context.faults.filter((one) => !/^console: (\d+: |from the page)/.test(one)); // what the previewed page was told to say
	await tab('Inspector');
}

/* One component by itself, beside the app, on the same server. */
async function alone() {
	await tab('Components');
	await panel().getByRole('button', { name: 'Card ui.card', exact: true }).click();
	await button('Preview it alone', panel()).click();
	await preview().getByRole('button', { name: /^ui.card ready/ }).waitFor({ timeout: 30_000 });
	const inside = await until('its page', () => page.frames().find((one) => one.url().includes('/__skaffa/component')));
	await inside.getByRole('heading').first().click();
	await tab('Inspector');
	await panel().getByRole('heading', { name: 'Card', exact: true }).waitFor();
	await page.getByRole('button', { name: 'Stop ui.card' }).click();
	await preview().getByRole('button', { name: /^vite ready/ }).waitFor();
}

/* A file that changes is seen without a word. */
async function follows() {
	await tab('Routes');
	const file = join(harbour, 'src/routes.tsx');
	writeFileSync(file, readFileSync(file, 'utf8').replace(/(\{[^{}]*path: 'about')/, "{ path: 'soon', element: null },\n      $1"));
	await panel().getByText('/soon', { exact: true }).waitFor();
	await tab('Inspector');
}

/* ---- pictures ---- */

const views = [
	['workbench', () => 'workbench', (p) => p.getByText(plain).waitFor()],
	['workbench-preview', async () => `workbench/${(await folder(why ? 'plain' : 'harbour')).id}`, async (p) => {
		await p.getByRole('region', { name: 'Preview', exact: true }).getByText('ready', { exact: true }).waitFor();
		await p.waitForTimeout(1500);
	}],
	...['Overrides', 'Routes', 'Components', 'Instances', 'Graph', 'Log'].map((name) => [`workbench-${name.toLowerCase()}`, async () => `workbench/${(await folder(why ? 'plain' : 'harbour')).id}`, async (p) => {
		await p.getByRole('tab', { name }).click();
		if (name === 'Graph' && (await p.getByRole('button', { name: 'Wider panel' }).isVisible())) await p.getByRole('button', { name: 'Wider panel' }).click();
		await p.waitForTimeout(600);
		await p.getByRole('tabpanel').scrollIntoViewIfNeeded();
	}]),
];

function pictureStep([name, hash, ready], theme, size) {
	return async () => {
		const own = await newContext(browser, { viewport: size, colorScheme: theme });
		try {
			const p = await own.newPage();
			await p.goto(`${url}/#/${await hash()}?token=${personToken}`);
			await p.getByRole('navigation', { name: 'Pages' }).waitFor();
			await ready(p);
			await p.evaluate(() => document.fonts.ready);
			await p.screenshot({ path: join(pictures, `${name}${size.width < 500 ? '-narrow' : ''}-${theme}.png`) });
			const wide = await p.evaluate(() => document.documentElement.scrollWidth - innerWidth);
			assert(wide <= 0, `the page is ${wide} pixels wider than the window`);
			const faults = await axeFaults(p);
			assert(faults.length === 0, faults.join(' | '));
			assert(own.faults.length === 0, own.faults.join(' | '));
		} finally {
			await own.close();
		}
	};
}

/* The whole way by keys: a tab is chosen with arrows, the frame is left with Tab. */
async function keyboardOnly() {
	await page.getByRole('tab', { name: 'Inspector' }).focus();
	await page.keyboard.press('ArrowRight');
	await until('the next panel', async () => (await page.getByRole('tab', { name: /^Overrides/ }).getAttribute('aria-selected')) === 'true');
	await page.keyboard.press('ArrowLeft');
	const stops = new Set();
	for (let i = 0; i < 30; i++) {
		await page.keyboard.press('Tab');
		const stop = await page.evaluate(() => {
			const one = document.activeElement;
			const style = getComputedStyle(one);
			return { name: one.tagName + (one.getAttribute('aria-label') ?? one.textContent.trim().slice(0, 20)), seen: one === document.body || one.tagName === 'IFRAME' || style.outlineStyle !== 'none' };
		});
		stops.add(stop.name);
		assert(stop.seen, `${stop.name} has the focus, and nobody sees it`);
	}
	assert(stops.size > 8, `only ${[...stops]}`);
}

async function small() {
	const sum = [...sizes.values()].reduce((total, one) => total + one, 0);
	console.log(`${sum} bytes of the workbench, compressed, of ${CHUNK_BYTES_MAX}`);
	assert(sizes.size >= 2 && sum <= CHUNK_BYTES_MAX, `${sizes.size} files of ${sum} bytes`);
}

const looks = views.flatMap((view) => [['light', { width: 1500, height: 900 }], ['dark', { width: 1500, height: 900 }], ['light', NARROW], ['dark', { width: 400, height: 860 }]].map(([theme, size]) => [
	`${view[0]}, ${theme}${size.width < 500 ? ', narrow' : ''}: WCAG 2.1 A and AA, and a picture`, pictureStep(view, theme, size)]));

const withApp = [
	['a real app in its own dev server: groups, order, source (U4)', realApp],
	['routes, components, instances, graph as picture and table (U5)', known],
	['a changed source is followed', follows],
	['props are tweaked, refused and reset (13.4, D6)', tweaking],
	['an assistant changes a prop, and is seen doing it (section 17)', assistantActs],
	['routes are gone to; lost drafts stand apart (U5, U6)', orphans],
	['ancestors and instances are chosen (17.5)', choosing],
	["the project's own dev server, and a draft in the source (D1, D2)", saving],
	['the log of a preview (S20)', logs],
	['a component by itself', alone],
];
if (why) skipped(SUITE, 'a real app', why);

await steps(SUITE, [
	['a daemon, a page, and pages to preview', bringUp],
	['a folder by its path, closed and opened again (U1)', opening],
	['what would run is named before it may (U1, T21)', trust],
	['what would run is named by its command, folder and variables (T21)', commands],
	['problems with file and pointer (U2)', health],
	['a registry that is too large to be told whole (M4)', large],
	['a graph that is too large to be told whole (M4, N5)', largeGraph],
	['a start that fails says what its server printed (S20)', failing],
	['a preview begins; what is no address of a server begins none (U3)', starting],
	['what is clicked in the frame is inspected (U4)', inspecting],
	['60 props, 200 routes, long names, 400 pixels (U4, U5)', crowded],
	['Escape never stops a session (U3)', escape],
	['Editor and Interact (U3)', modes],
	['path bar and reload (U3)', walking],
	['a hostile page reaches nothing of ours (T13, T14, T19)', hostilePage],
	['the policy: nothing but ports of this machine in frames (T19)', policy],
	['Stop', stopping],
	['a launcher whose pages need a tag says which (S18)', tagged],
	...(why ? [] : withApp),
	...(why ? [] : [['the keyboard alone', keyboardOnly]]),
	...looks,
	['the chunk stays within its budget', small],
	['no violation of the policy, no uncaught error', async () => equal(context.faults, [], 'faults')],
], { timeout_ms: 90_000 });
pages?.end();
dev?.end();
await browser.close();
await home.end();
process.exit(failures ? 1 : 0);
