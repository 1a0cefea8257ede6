// studio-touch.mjs - the same diagram on a telephone, by fingers alone (studio-canvas.md SC-191, SC-192): real touches of the
// browser, which it turns into what a finger is to a page.
import { assert, failures, steps } from '../clients/results.mjs';
import { axeFaults, NARROW, newContext } from './browser.mjs';
import { PATIENCE_MS, until } from './home.mjs';
import { grip, head, node, Studio, viewOf } from './studio.mjs';

const studio = new Studio(5800);
let page, touch;
const ids = {};
const equal = (x, y, what = '') => assert(JSON.stringify(x) === JSON.stringify(y), `${what} is ${JSON.stringify(x)}, not ${JSON.stringify(y)}`);
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const nodes = async () => (await studio.truth()).nodes;
const changes = async () => (await studio.call('list_changes', { project: studio.id, limit: 1000 })).changes.length;
const points = (list) => list.map((p, id) => ({ x: p.x, y: p.y, id }));
const send = (type, list) => touch.send('Input.dispatchTouchEvent', { type, touchPoints: points(list) });
const down = (...list) => send('touchStart', list);
const to = (...list) => send('touchMove', list);
const up = () => send('touchEnd', []);
const along = (a, b, t) => ({ x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t });
async function tap(p) {
	await down(p);
	await up();
}
async function slide(a, b, { hold = 0, steps: n = 8, release = true } = {}) {
	await down(a);
	if (hold) await wait(hold);
	for (let i = 1; i <= n; i++) await to(along(a, b, i / n));
	if (release) await up();
}
const middle = async (locator) => {
	const box = await locator.boundingBox();
	assert(box, 'it is not in sight');
	return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};
const press = async (name, within = page) => tap(await middle(within.getByRole('button', { name, exact: true }).first()));
const view = async () => {
	const [, x, y, zoom] = /translate\((-?[\d.e+-]+)px(?:, ?(-?[\d.e+-]+)px)?\) scale\(([\d.]+)\)/.exec(await viewOf(page)) ?? [];
	return { x: Number(x), y: Number(y ?? 0), zoom: Number(zoom) };
};
const isSelected = async (id) => /\bselected\b/.test(await node(page, id).getAttribute('class'));
const bar = () => page.getByRole('navigation', { name: 'Panels below' });
/* A place of the canvas where nothing is. */
async function empty() {
	const box = await page.locator('.canvas').boundingBox();
	for (let y = box.y + 30; y < box.y + box.height - 140; y += 20) {
		const p = { x: box.x + box.width / 2, y };
		const free = await page.evaluate(({ x, y: at }) => !document.elementFromPoint(x, at)?.closest('[data-id], [data-own], button, .hint'), p);
		if (free) return p;
	}
	throw new Error('no free place');
}

async function bringUp() {
	await studio.start({ viewport: NARROW });
	await studio.newProject('Shop');
	for (const [name, typeId, label, parent, position] of [
		['rg', 'azurerm/core/resource_group', 'Shop', null, { x: 0, y: 0 }],
		['plan', 'azurerm/compute/app_service_plan', 'Plan', 'rg', { x: 40, y: 80 }],
		['app', 'azurerm/compute/app_service', 'App', 'rg', { x: 40, y: 260 }],
		['net', 'azurerm/networking/virtual_network', 'Net', 'rg', { x: 20, y: 420 }],
	]) ids[name] = (await studio.call('add_resource', { project: studio.id, typeId, label, position, ...(parent ? { parentId: ids[parent] } : {}) })).instanceId;
	const phone = await newContext(studio.browser, { viewport: NARROW, hasTouch: true, isMobile: true });
	page = await studio.page(`studio/${studio.id}`, phone);
	page.setDefaultTimeout(PATIENCE_MS);
	touch = await phone.newCDPSession(page);
	await node(page, ids.app).waitFor();
	await until('nothing is wider than the screen', () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
	await press('Show everything');
}

/* One finger pans where nothing is, and a tap selects. */
async function oneFinger() {
	const from = await empty();
	const before = await view();
	await slide(from, { x: from.x + 60, y: from.y + 40 });
	const after = await view();
	assert(Math.abs(after.x - before.x - 60) < 3 && Math.abs(after.y - before.y - 40) < 3, `the view went ${after.x - before.x}, ${after.y - before.y}`);
	await press('Show everything');
	await tap(await grip(page, ids.app));
	await until('selected', () => isSelected(ids.app));
	// Moving at once is a pan, not a drag (SC-192).
	const [places, count] = [await nodes(), await changes()];
	const at = await grip(page, ids.app);
	await slide(at, { x: at.x + 50, y: at.y + 30 });
	await wait(100);
	equal(await nodes(), places, 'the diagram');
	equal(await changes(), count, 'changes');
	await press('Show everything');
	await tap(await empty());
	await until('nothing is selected', async () => !(await isSelected(ids.app)));
}

async function holds() {
	const count = await changes();
	const was = (await nodes())[ids.app];
	const at = await grip(page, ids.app);
	await slide(at, { x: at.x + 20, y: at.y + 20 }, { hold: 400, release: false });
	assert(/\blifted\b/.test(await node(page, ids.app).getAttribute('class')), 'it is not lifted');
	await up();
	await until('moved', async () => (await nodes())[ids.app].x !== was.x);
	equal(await changes(), count + 1, 'one change');
	await studio.same(page, 'after dragging');
}

/* Two fingers: pan and zoom, whatever is below them. */
async function twoFingers() {
	await press('Show everything');
	const before = await view();
	const m = await grip(page, ids.plan);
	const a = { x: m.x - 30, y: m.y };
	const b = { x: m.x + 30, y: m.y };
	await down(a, b);
	for (let i = 1; i <= 8; i++) await to({ x: a.x - i * 5, y: a.y }, { x: b.x + i * 5, y: b.y });
	await up();
	const after = await view();
	assert(Math.abs(after.zoom / before.zoom - 140 / 60) < 0.15, `zoomed by ${after.zoom / before.zoom}`);
	// The place between the fingers stays between them.
	const board = (v) => ({ x: (m.x - v.x) / v.zoom, y: m.y });
	assert(Math.abs(board(before).x - board(after).x) < 3, 'it zoomed about another place');
	await down(a, b);
	for (let i = 1; i <= 6; i++) await to({ x: a.x, y: a.y + i * 10 }, { x: b.x, y: b.y + i * 10 });
	await up();
	const moved = await view();
	assert(Math.abs(moved.y - after.y - 60) < 3 && Math.abs(moved.zoom - after.zoom) < 0.02, 'two fingers do not pan');
	equal(await page.evaluate(() => visualViewport.scale), 1, 'zoom of the page');
}

/* A second finger ends a drag in place: the node goes back, nothing is sent. */
async function secondFinger() {
	await press('Show everything');
	const [places, count] = [await nodes(), await changes()];
	const at = await grip(page, ids.app);
	await slide(at, { x: at.x + 40, y: at.y + 30 }, { hold: 400, release: false });
	const now = { x: at.x + 40, y: at.y + 30 };
	await down(now, { x: now.x + 80, y: now.y });
	await to(now, { x: now.x + 120, y: now.y });
	await up();
	await wait(150);
	equal(await changes(), count, 'changes');
	equal(await nodes(), places, 'the diagram');
	await studio.same(page, 'after a second finger');
	// ... and the next finger is one finger.
	await tap(await grip(page, ids.plan));
	await until('selected', () => isSelected(ids.plan));
}

/* A tap on a handle, then on a lit node. */
async function connects() {
	await press('Show everything');
	for (let i = 0; i < 4 && (await view()).zoom < 0.5; i++) await press('Zoom in');
	const box = await head(page, ids.plan).boundingBox();
	assert(box && box.x >= 0, 'the plan is not in sight');
	const lines = (await studio.served()).edges.length;
	if (!(await isSelected(ids.plan))) await tap(await grip(page, ids.plan));
	const handle = page.locator(`[data-handle="asp-out"][data-id="${ids.plan}"]`);
	const size = await handle.boundingBox();
	assert(size.width >= 44 && size.height >= 44, `the handle is ${size.width} by ${size.height}`);
	await tap(await middle(handle));
	await until('lit', async () => /\bend\b/.test(await node(page, ids.app).getAttribute('class')));
	await tap(await grip(page, ids.app));
	await until('a line more', async () => (await studio.served()).edges.length === lines + 1);
	await until('dark again', async () => !/\b(end|dim)\b/.test(await node(page, ids.app).getAttribute('class')));
	await studio.same(page, 'after connecting');
}

/* Every panel is a sheet from below, one at a time; a tap adds, a held finger carries a type onto the canvas. */
async function adds() {
	await press('Show everything');
	await tap(await grip(page, ids.rg));
	await press('Add', bar());
	const sheet = page.getByRole('region', { name: 'Add' });
	await sheet.getByRole('option').first().waitFor();
	const height = (await sheet.boundingBox()).height;
	await press('Higher', sheet);
	await until('higher', async () => (await sheet.boundingBox()).height > height * 1.5);
	await press('Lower', sheet);
	await tap(await middle(sheet.getByRole('combobox')));
	await page.keyboard.type('key vault');
	const before = Object.keys(await nodes());
	await tap(await middle(sheet.locator('[data-type="azurerm/security/key_vault"]').last()));
	const fresh = await until('added by a tap', async () => Object.keys(await nodes()).find((id) => !before.includes(id)));
	equal((await nodes())[fresh].parent, ids.rg, 'where it stands');
	await until('it is shown', () => isSelected(fresh));
	await wait(100);
	// Held, then dragged out.
	const many = Object.keys(await nodes());
	await press('Show everything');
	const into = await grip(page, ids.rg);
	const row = await middle(sheet.locator('[data-type="azurerm/security/key_vault"]').last());
	await slide(row, { x: into.x + 30, y: into.y }, { hold: 450, steps: 12, release: false });
	await page.locator('.dragged').waitFor();
	await up();
	const carried = await until('added by carrying', async () => Object.keys(await nodes()).find((id) => !many.includes(id)));
	equal((await nodes())[carried].parent, ids.rg, 'where it was let go');
	await press('Close', sheet);
	await studio.same(page, 'after adding');
}

async function sheets() {
	for (const name of ['Outline', 'Problems', 'Run']) {
		await press(name, bar());
		await page.getByRole('region', { name, exact: true }).waitFor();
		equal(await page.locator('.sheet').count(), 1, 'sheets at once');
		assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is wider than the screen`);
	}
	for (const name of ['Search', 'History', 'Plan', 'Costs', 'Code', 'Properties']) {
		await press('More', bar());
		await tap(await middle(page.getByRole('menuitem', { name, exact: true })));
		await page.getByRole('region', { name, exact: true }).waitFor();
		assert(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is wider than the screen`);
		await until(`${name}: nothing to complain of`, async () => (await axeFaults(page)).length === 0).catch(async () => assert(false, `${name}: ${(await axeFaults(page)).join(' | ')}`));
	}
	await press('Close', page.locator('.sheet'));
	// What a right press has, without one: removing what was added.
	await press('Show everything');
	await tap(await grip(page, ids.app));
	await press('More', bar());
	await tap(await middle(page.getByRole('menuitem', { name: /^App/ })));
	await tap(await middle(page.getByRole('menuitem', { name: 'Duplicate' })));
	await until('a second one', async () => Object.values(await nodes()).filter((one) => /^App/.test(one.label)).length === 2);
}

/* SC-191: what others did is told above the bar that opens the sheets, which stays within reach. */
async function toldAbove() {
	await studio.call('add_resource', { project: studio.id, typeId: 'azurerm/core/resource_group', label: 'Theirs' });
	const burst = page.locator('.burst').last();
	await burst.waitFor();
	const told = await burst.boundingBox();
	const below = await bar().boundingBox();
	assert(told.y + told.height <= below.y, `it ends at ${told.y + told.height}, the bar begins at ${below.y}`);
	await press('More', bar());
	await page.getByRole('menuitem').first().waitFor();
	await page.keyboard.press('Escape');
}

/* What a finger has to hit is 44 pixels, and has a name. */
async function sizes() {
	const small = await page.evaluate(() =>
		[...document.querySelectorAll('.work button, .work select, .work [role=option], .work [role=menuitem]')]
			.filter((one) => one.offsetParent !== null && !one.closest('.board .node'))
			.map((one) => ({ name: one.getAttribute('aria-label') ?? one.textContent.trim(), ...one.getBoundingClientRect().toJSON() }))
			.filter((one) => one.width > 0 && (one.height < 43.5 || one.width < 43.5))
			.map((one) => `${one.name} ${Math.round(one.width)}x${Math.round(one.height)}`),
	);
	equal(small, [], 'too small for a finger');
	assert(page.context().faults.length === 0, page.context().faults.join(' | '));
}

await steps('studio-touch', [
	['a telephone', bringUp],
	['SC-192: one finger pans and selects', oneFinger],
	['SC-192: held, then moved', holds],
	['SC-192: two fingers pan and zoom', twoFingers],
	['SC-192, SC-077: a second finger ends a drag', secondFinger],
	['SC-192: a tap on a handle, then on a node', connects],
	['SC-042, SC-191: adding out of the sheet', adds],
	['SC-191, SC-205: every panel is a sheet', sheets],
	['SC-191: what others did is told above the bar', toldAbove],
	['SC-192: what a finger hits', sizes],
]);
await studio.end();
process.exit(failures ? 1 : 0);
