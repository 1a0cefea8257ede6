// studio-large.mjs - a diagram in which the daemon looks for problems, prices and ways for longer than somebody likes to wait: what
// changes is shown first, and what follows from it as soon as it is known, each once (studio-canvas.md SC-002, SC-225).
import { assert, assertSoon, failures, steps } from '../clients/results.mjs';
import { until } from './home.mjs';
import { node, Studio } from './studio.mjs';

const studio = new Studio(7400);
const SOON_MS = 1000;
let a;
const ids = { subnets: [], machines: [] };

const equal = (x, y, what = '') => assert(JSON.stringify(x) === JSON.stringify(y), `${what} is ${JSON.stringify(x)}, not ${JSON.stringify(y)}`);
const call = (tool, args) => studio.call(tool, { project: studio.id, ...args }, studio.script);
const problems = async () => {
	const { nodes } = await studio.served(['diagnostics']);
	return Object.fromEntries(nodes.filter((one) => one.diagnostics?.length > 0).map((one) => [one.instanceId, one.diagnostics.length]));
};
const badges = () =>
	a.evaluate(() => Object.fromEntries([...document.querySelectorAll('.canvas [data-badge="problems"]')].map((one) => [one.closest('[data-id]').dataset.id, Number(one.textContent)])));
const sorted = (object) => JSON.stringify(Object.entries(object).sort());
const sameProblems = (what) => until(`the page has the daemon's problems ${what}`, async () => sorted(await badges()) === sorted(await problems()));

/* The answers with ways wait for as long as a test wants. */
function delay() {
	const held = [];
	const Plain = globalThis.WebSocket;
	globalThis.WebSocket = class extends Plain {
		constructor(...args) {
			super(...args);
			this.addEventListener('message', (event) => {
				if (!globalThis.delayed || !String(event.data).includes('"routes":')) return;
				event.stopImmediatePropagation();
				held.push(() => this.dispatchEvent(new MessageEvent('message', { data: event.data })));
			});
		}
	};
	globalThis.letGo = () => {
		const count = held.length;
		globalThis.delayed = count === 0;
		for (const one of held.splice(0)) one();
		return count;
	};
}

async function bringUp() {
	await studio.start();
	await studio.context.addInitScript(delay);
	await studio.newProject('Large');
	for (let group = 0; group < 3; group++) {
		const operations = [
			{ tool: 'add_resource', as: 'g', arguments: { typeId: 'azurerm/core/resource_group', label: `Group ${group}` } },
			{ tool: 'add_resource', as: 'v', arguments: { typeId: 'azurerm/networking/virtual_network', label: 'Network', parentId: '$g.instanceId' } },
		];
		for (let subnet = 0; subnet < 8; subnet++) {
			operations.push({ tool: 'add_resource', as: `s${subnet}`, arguments: { typeId: 'azurerm/networking/subnet', label: `Subnet ${group}.${subnet}`, parentId: '$v.instanceId' } });
			for (let machine = 0; machine < 9; machine++)
				operations.push({ tool: 'add_resource', as: `m${subnet}${machine}`, arguments: { typeId: 'azurerm/compute/virtual_machine', label: `Machine ${group}.${subnet}.${machine}`, parentId: `$s${subnet}.instanceId` } });
		}
		const { results } = await call('execute_batch', { operations });
		operations.forEach(({ arguments: { typeId } }, i) => {
			if (typeId.endsWith('subnet')) ids.subnets.push(results[i].instanceId);
			if (typeId.endsWith('machine')) ids.machines.push(results[i].instanceId);
		});
	}
	const pairs = ids.machines.slice(0, 60).map((id, i) => ({ tool: 'connect_resources', arguments: { sourceInstanceId: id, sourceHandle: 'node', targetInstanceId: ids.machines[i + 100], targetHandle: 'node' } }));
	await call('execute_batch', { operations: pairs });
	await call('layout_diagram', {});
	a = await studio.page();
	await until('everything is there', async () => (await a.locator('.canvas [role="group"][data-id]').count()) === 246);
	await studio.same(a);
	await sameProblems('at first');
}

/* How far from the box of the node the nearer end of each of its lines is (in pixels of the screen). */
const gaps = (id, edges) =>
	a.evaluate(
		([one, list]) => {
			const box = document.querySelector(`.canvas [data-id="${one}"]`).getBoundingClientRect();
			return list.map((edge) => {
				const path = document.querySelector(`.canvas [data-edge="${edge}"]`);
				const to = path.getScreenCTM();
				const far = [0, path.getTotalLength()].map((at) => {
					const { x, y } = path.getPointAtLength(at).matrixTransform(to);
					return Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
				});
				return Math.min(...far);
			});
		},
		[id, edges],
	);

async function shownFirst() {
	const id = ids.machines[3];
	const { nodes, edges } = await studio.served();
	const lines = edges.filter((one) => one.source === id || one.target === id).map((one) => one.id);
	assert(lines.length > 0, 'it has lines');
	const { position } = nodes.find((one) => one.instanceId === id);
	await a.evaluate(() => { globalThis.delayed = true; });
	const begun = Date.now();
	await call('move_resources', { moves: [{ instanceId: id, position: { x: position.x + 40, y: position.y + 700 } }] });
	await until('it is there', async () => Math.abs(parseFloat(await node(a, id).evaluate((one) => one.style.top)) - position.y) > 600);
	assertSoon(Date.now() - begun, SOON_MS, 'a move on the page');
	const near = await gaps(id, lines);
	assert(near.every((gap) => gap < 8), `its lines end ${near.map(Math.round)} pixels away from it`);
	await until('the ways have come', () => a.evaluate(() => globalThis.letGo()));
	await studio.same(a, 'after a move');
}

async function knownThen() {
	const [one, two] = ids.subnets;
	await call('update_resource', { instanceId: one, properties: { address_prefixes: ['10.0.1.0/24'] } });
	await call('update_resource', { instanceId: two, properties: { address_prefixes: ['10.0.1.0/24'] } });
	await until('two subnets want the same', async () => (await problems())[two] > 0);
	await sameProblems('of overlapping addresses');
	await call('update_resource', { instanceId: two, properties: { address_prefixes: ['10.0.2.0/24'] } });
	await sameProblems('when they are mended');
}

async function once() {
	const notices = a.locator('.burst .words');
	while ((await notices.count()) > 0) await a.locator('.burst button[aria-label]').first().click();
	await call('update_resource', { instanceId: ids.machines[7], properties: {}, label: 'Told once' });
	await studio.same(a, 'after a change');
	await notices.first().waitFor();
	await a.waitForTimeout(1000); // the rest has come, too
	equal(await notices.count(), 1, 'notices');
	assert(!/\d+ changes/.test(await notices.innerText()), await notices.innerText());
	for (let i = 0; i < 40; i++) await call('update_resource', { instanceId: ids.machines[i], properties: {}, label: `Renamed ${i}` });
	await studio.same(a, 'after forty changes');
	await sameProblems('after forty changes');
}

/* SC-142, SC-191: what others do is told over the canvas: not over a panel below it, and on a narrow screen above the bar. */
async function overTheCanvas() {
	const told = a.locator('.burst').last();
	const boxes = () =>
		a.evaluate(() => {
			const [board, chips, bursts] = ['.work .drawn', '.work .chips', '.bursts'].map((one) => document.querySelector(one)?.getBoundingClientRect());
			return bursts?.height > 0 && [board.left <= bursts.left, bursts.right <= board.right, bursts.bottom <= chips.top, bursts.top >= board.top];
		});
	const inside = (where) => until(`the notice stands over the canvas ${where}`, async () => (await boxes() || [false]).every(Boolean));
	await a.locator('.tabs [data-hint="problems"]').click();
	await a.getByRole('region', { name: 'Problems' }).waitFor();
	await call('update_resource', { instanceId: ids.machines[8], properties: {}, label: 'Told over the canvas' });
	await told.waitFor();
	await inside('with a panel below it');
	await a.locator('.tabs [data-hint="problems"]').click();
	await inside('without one');
	await a.setViewportSize({ width: 390, height: 844 });
	await inside('on a narrow screen');
	await a.setViewportSize({ width: 1280, height: 800 });
}

/* SC-081: what would be a grey patch from far away is one line to each place, and each line by itself from near. */
async function bundles() {
	const group = (i) => ids.machines.slice(i * 72, i * 72 + 72);
	const operations = [];
	for (const [i, source] of group(0).entries())
		for (let k = 0; k < 3; k++) operations.push({ tool: 'connect_resources', arguments: { sourceInstanceId: source, sourceHandle: 'node', targetInstanceId: group(2)[(i + k) % 72], targetHandle: 'node' } });
	await call('execute_batch', { operations });
	const all = (await studio.served()).edges.length;
	const drawn = () =>
		a.evaluate(() => ({
			bundles: [...document.querySelectorAll('.canvas .lines .bundle')].map((one) => Number(one.dataset.edges)),
			joined: [...document.querySelectorAll('.canvas .lines [data-edges]')].reduce((sum, one) => sum + Number(one.dataset.edges), 0),
			single: document.querySelectorAll('.canvas [data-edge]').length,
			zoom: Number(/scale\(([\d.]+)/.exec(document.querySelector('.canvas .board').style.transform)[1]),
		}));
	while ((await drawn()).zoom >= 0.25) await a.getByRole('button', { name: 'Zoom out' }).click();
	await until('a bundle', async () => (await drawn()).bundles.some((count) => count > 200));
	const far = await drawn();
	equal(far.joined + far.single, all, 'lines that are drawn from far away');
	while ((await drawn()).zoom < 0.25) await a.getByRole('button', { name: 'Zoom in' }).click();
	await until('each by itself', async () => (await drawn()).single === all && (await drawn()).joined === 0);
}

/* The hand rests, and what comes into sight or follows from a change is there: nothing is written for a while. */
const atRest = (board) =>
	board.evaluate(
		(one) =>
			new Promise((done) => {
				let timer = setTimeout(done, 1500);
				new MutationObserver((_, self) => {
					clearTimeout(timer);
					timer = setTimeout(() => (self.disconnect(), done()), 1500);
				}).observe(one, { subtree: true, attributes: true, childList: true });
			}),
	);

/* SC-223: a step of the zoom is one transform. Details follow when the hand rests; the bench counts the time. */
async function oneTransform() {
	const operations = Array.from({ length: 80 }, (_, i) => ({ tool: 'add_resource', arguments: { typeId: 'azurerm/core/resource_group', label: `More ${i}`, position: { x: 260 * (i % 10), y: 9000 + 140 * Math.floor(i / 10) } } }));
	await call('execute_batch', { operations });
	await until('eighty more', async () => (await a.locator('.canvas [role="group"][data-id]').count()) === 326);
	await a.getByRole('button', { name: 'Show everything' }).click();
	const board = a.locator('.canvas .board');
	const looks = () => board.evaluate((one) => [getComputedStyle(one).getPropertyValue('--zoom'), one.style.transform]);
	for (const [deltaY, rounds] of [[-30, 8], [30, 8]]) {
		await atRest(board);
		const before = await looks();
		const written = await board.evaluate(async (one, [by, times]) => {
			const found = new Set();
			const note = (list) => list.forEach(({ target }) => found.add(target === one ? 'the board' : target.className.baseVal ?? target.className));
			const watcher = new MutationObserver(note);
			watcher.observe(one, { subtree: true, attributes: true, childList: true, characterData: true });
			const box = one.parentElement.getBoundingClientRect();
			for (let i = 0; i < times; i++) {
				one.parentElement.dispatchEvent(new WheelEvent('wheel', { deltaY: by, ctrlKey: true, clientX: box.x + 300, clientY: box.y + 200, bubbles: true, cancelable: true }));
				for (let turn = 0; turn < 10; turn++) await null; // all that follows in this turn; no rest of the hand, however busy the machine
			}
			note(watcher.takeRecords());
			return [...found, getComputedStyle(one).getPropertyValue('--zoom'), one.style.transform];
		}, [deltaY, rounds]);
		equal(written.slice(0, -1), ['the board', before[0]], 'what eight steps write, and the zoom of the details');
		assert(written.at(-1) !== before[1], 'it zooms');
		await until('details for the new zoom', async () => (await looks())[0] !== before[0]);
	}
}

/* SC-224: the picture comes before what follows changes of it: what others do meanwhile is shown all the same, also to a page that
 * had no size when it opened. */
async function changedWhileOpening() {
	const plans = Array.from({ length: 100 }, (_, i) => ({ tool: 'add_resource', arguments: { typeId: 'azurerm/compute/app_service_plan', label: `Plan ${i}` } }));
	ids.plans = (await call('execute_batch', { operations: plans })).results.map((one) => one.instanceId);
	for (const hidden of [false, true]) {
		const page = await studio.context.newPage();
		if (hidden)
			await page.addInitScript(() => {
				const sheet = new CSSStyleSheet();
				sheet.replaceSync('.canvas { display: none !important; }');
				document.adoptedStyleSheets = [sheet];
			});
		await page.goto(`${studio.url}/#/studio/${studio.id}?token=${studio.token}`);
		if (hidden) {
			await page.locator('.canvas').waitFor({ state: 'attached' });
			await page.waitForTimeout(2000); // longer than anything waits for a picture
			await page.evaluate(() => { document.adoptedStyleSheets = []; });
		} else await until('the picture', () => page.evaluate(() => document.getElementsByClassName('node').length > 300));
		const named = [ids.plans.at(-1), ids.machines[7], ids.subnets[3]];
		for (const [i, instanceId] of named.entries()) await call('update_resource', { instanceId, properties: {}, label: `Now ${hidden} ${i}` });
		await call('move_resource', { instanceId: named[0], position: { x: 40, y: hidden ? 9000 : 8000 } });
		await call('remove_resource', { instanceId: ids.plans.shift() });
		const all = (await studio.truth()).nodes;
		await until('it is as the daemon has it', () =>
			page.evaluate((nodes) => {
				const drawn = [...document.querySelectorAll('.canvas .node')];
				return drawn.length === Object.keys(nodes).length && drawn.every((one) => one.getAttribute('aria-label').startsWith(`${nodes[one.dataset.id]?.label},`));
			}, all));
		equal(await page.locator(`.canvas .node[data-id="${named[0]}"]`).evaluate((one) => one.style.top), `${hidden ? 9000 : 8000}px`, 'where it was moved to');
		// Near enough for its title, and once more.
		await page.evaluate((id) => document.querySelector(`.canvas .node[data-id="${id}"]`).focus(), named[1]);
		await page.keyboard.press('Control+f');
		await page.locator('.search input').fill(`Now ${hidden} 1`);
		await page.locator('.search input').press('Enter');
		await page.locator(`.canvas .node.selected[data-id="${named[1]}"]`).waitFor();
		await page.evaluate((id) => document.querySelector(`.canvas .node[data-id="${id}"]`).focus(), named[1]);
		await page.keyboard.press('Control+2');
		const title = page.locator(`.canvas .node[data-id="${named[1]}"] > .head .label`);
		await title.getByText(`Now ${hidden} 1`, { exact: true }).waitFor();
		await call('update_resource', { instanceId: named[1], properties: {}, label: 'Once more' });
		await title.getByText('Once more', { exact: true }).waitFor();
		await page.close();
	}
}

await steps('browser-studio-large', [
	['246 nodes', bringUp],
	['SC-225: a move is shown at once, and its lines with it', shownFirst],
	['SC-002: problems follow, and go', knownThen],
	['what comes twice is told once', once],
	['SC-142: notices stand over the canvas', overTheCanvas],
	['SC-081: far lines of one container are bundled', bundles],
	['SC-223: a step of the zoom is one transform', oneTransform],
	['SC-224: what changes while it opens is shown', changedWhileOpening],
]);
equal(studio.context?.faults ?? [], [], 'faults of the page');
await studio.end();
process.exit(failures ? 1 : 0);
