// studio-audit.mjs - what a person meets in the first minutes on the canvas: frame, palette, view, selecting, moving,
// containers, lines (studio-canvas.md sections 5 to 9), by mouse and by keys, checked against what the daemon has.
import { assert, failures, steps } from '../clients/results.mjs';
import { axeFaults } from './browser.mjs';
import { PATIENCE_MS, until } from './home.mjs';
import { drag, grip, node, Studio } from './studio.mjs';

const studio = new Studio(5300);
let a, ids;

const equal = (x, y, what = '') => assert(JSON.stringify(x) === JSON.stringify(y), `${what} is ${JSON.stringify(x)}, not ${JSON.stringify(y)}`);
const place = async (id) => (await studio.truth()).nodes[id];
const everything = () => a.getByRole('button', { name: 'Show everything' }).click();
const menuItem = (name) => a.getByRole('menuitem', { name });
const classOf = async (id) => (await node(a, id).getAttribute('class')) ?? '';
const middle = (box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });

async function nothing() {
	await a.locator('.canvas').focus().catch(() => undefined);
	await a.evaluate(() => document.querySelector('.canvas [tabindex="0"]')?.focus());
	await a.keyboard.press('Escape');
}
async function choose(id) {
	await nothing();
	const at = await grip(a, id);
	await a.mouse.click(at.x, at.y);
	await until('selected', async () => (await classOf(id)).includes('selected'));
}
/* The id of the node that an act adds. */
async function fresh(act) {
	const before = Object.keys((await studio.truth()).nodes);
	await act();
	return until('a node more', async () => Object.keys((await studio.truth()).nodes).find((id) => !before.includes(id)));
}

async function bringUp() {
	await studio.start();
	await studio.newProject('Shop');
	ids = await studio.build();
	a = await studio.page();
	a.setDefaultTimeout(PATIENCE_MS);
	await node(a, ids.rg).waitFor();
}

/* SC-030: all of the window, no scrolling, down to 360 by 560. SC-051: all of it is to be seen at first. */
async function frame() {
	const fits = () =>
		a.evaluate(() => {
			const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
			const canvas = document.querySelector('.canvas').getBoundingClientRect();
			return { scrolls: scrollWidth > clientWidth || scrollHeight > clientHeight, right: canvas.right <= innerWidth, bottom: canvas.bottom <= innerHeight, high: canvas.height, wide: canvas.width };
		});
	for (const [width, height] of [[1760, 1000], [1280, 800], [800, 600], [390, 844], [360, 560]]) {
		await a.setViewportSize({ width, height });
		await until(`${width} × ${height}`, async () => {
			const seen = await fits();
			return !seen.scrolls && seen.right && seen.bottom && seen.high > 200 && seen.wide > 200;
		});
	}
	await a.setViewportSize({ width: 1760, height: 1000 });
	const canvas = await a.locator('.canvas').boundingBox();
	for (const id of Object.values(ids).filter((id) => typeof id === 'string')) {
		const box = await node(a, id).boundingBox();
		if (box) assert(box.x >= canvas.x && box.y >= canvas.y && box.x + box.width <= canvas.x + canvas.width && box.y + box.height <= canvas.y + canvas.height, `${id} is outside the first view`);
	}
}

/* SC-031: a side closes and comes back with what it had; the divider moves by keys and says its value; the middle stays. */
async function panels() {
	const left = a.locator('aside.left');
	await a.getByRole('button', { name: 'Outline' }).click();
	await a.getByRole('tree').waitFor();
	const at = async () => {
		const box = await node(a, ids.net).boundingBox();
		const canvas = await a.locator('.canvas').boundingBox();
		return Math.round(box.x + box.width / 2 - canvas.x - canvas.width / 2);
	};
	const before = await at();
	await a.keyboard.press('Control+b');
	await until('closed', async () => (await left.count()) === 0);
	await until('the middle is where it was', async () => Math.abs((await at()) - before) <= 1);
	await a.keyboard.press('Control+b');
	await a.getByRole('tree').waitFor();
	const divider = a.getByRole('separator', { name: 'Width of the left panel' });
	const width = Number(await divider.getAttribute('aria-valuenow'));
	await divider.focus();
	await a.keyboard.press('ArrowRight');
	equal(Number(await divider.getAttribute('aria-valuenow')), width + 20, 'the width said');
	equal(Math.round((await left.boundingBox()).width), width + 20, 'the width');
	for (const [keys, what] of [['Control+Alt+b', 'aside.right'], ['Control+j', '.bottom']]) {
		const was = await a.locator(what).count();
		await a.keyboard.press(keys);
		await until(keys, async () => (await a.locator(what).count()) !== was);
		await a.keyboard.press(keys);
		await until(keys, async () => (await a.locator(what).count()) === was);
	}
	await a.getByRole('button', { name: 'Outline' }).click();
}

/* SC-032: what connects an assistant; the name opens what can be done with the project. */
async function header() {
	await a.getByRole('button', { name: /^Share/ }).click();
	const text = await until('copied', () => a.evaluate(() => globalThis.navigator.clipboard.readText()));
	equal(text.split('\n').length, 2, 'lines');
	assert(text.includes(`${studio.url}/mcp`) && text.includes(studio.id), text);
	await a.getByRole('button', { name: /MCP Listening/ }).waitFor();
	// Another name: refused where it was typed, and saved with it.
	const own = (name) => a.getByRole('navigation', { name: 'Open projects' }).getByRole('button', { name });
	const { name } = (await studio.call('list_projects')).open[0];
	await own(name).click();
	await a.getByRole('menuitem', { name: 'Rename' }).click();
	const dialog = a.getByRole('dialog', { name: `Rename ${name}` });
	await dialog.getByLabel('Name', { exact: true }).fill('a/b');
	await a.keyboard.press('Enter');
	await dialog.getByRole('alert').getByText(/a character that folders may not have/).waitFor();
	equal(await axeFaults(a), [], 'the dialog');
	await dialog.getByLabel('Name', { exact: true }).fill('Market place');
	await a.keyboard.press('Enter');
	await own('Market place').waitFor();
	await dialog.waitFor({ state: 'detached' });
	equal((await studio.call('list_projects')).open[0].name, 'Market place', 'the name');
	await own('Market place').click();
	await a.getByRole('menuitem', { name: 'Rename' }).click();
	await a.getByRole('dialog').getByLabel('Name', { exact: true }).fill(name);
	await a.keyboard.press('Enter');
	await own(name).waitFor();
}

/* SC-033, SC-055: a menu by the right button and by keys, of what is under the pointer. */
async function menus() {
	await nothing();
	const at = await grip(a, ids.app);
	await a.mouse.click(at.x, at.y, { button: 'right' });
	await a.getByRole('menu', { name: 'Shop app' }).waitFor();
	await a.keyboard.press('Escape');
	await choose(ids.plan);
	await a.keyboard.press('Shift+F10');
	await a.getByRole('menu', { name: 'Plan' }).waitFor();
	await a.keyboard.press('Escape');
}

/* SC-054: twice on a node is its name; Enter twice is its first field; on the canvas a note. */
async function named() {
	await nothing();
	const at = await grip(a, ids.plan);
	await a.mouse.dblclick(at.x, at.y);
	const input = a.getByRole('textbox', { name: 'Name of Plan' });
	await input.waitFor();
	await a.keyboard.type('Big plan');
	await a.keyboard.press('Enter');
	await until('renamed', async () => (await place(ids.plan)).label === 'Big plan');
	await until('the focus is on it', () => a.evaluate((id) => document.activeElement?.dataset.id === id, ids.plan));
	await a.keyboard.press('Enter');
	await a.getByRole('textbox', { name: 'Name of Big plan' }).waitFor();
	await a.keyboard.press('Enter');
	await until('the first field', () => a.evaluate(() => !!document.activeElement?.closest('aside.right') && document.activeElement.matches('input')));
}

/* SC-060: a note by two clicks; its words are typed at once, with bold, italic and lists; it is resized like a container. */
async function notes() {
	await everything();
	await nothing();
	const canvas = await a.locator('.canvas').boundingBox();
	const id = await fresh(() => a.mouse.dblclick(canvas.x + 300, canvas.y + 80));
	const area = a.locator('textarea.name');
	await area.waitFor();
	await a.keyboard.type('Ask **Ada** about\n- *costs*\n- regions');
	await a.keyboard.press('Control+Enter');
	await until('kept', async () => (await place(id)).label === 'Ask Ada about');
	equal((await studio.served()).nodes.find((one) => one.instanceId === id).notes, 'Ask **Ada** about\n- *costs*\n- regions', 'its words');
	const text = node(a, id).locator('.text');
	equal(await text.locator('b').textContent(), 'Ada', 'bold');
	equal(await text.locator('i').textContent(), 'costs', 'italic');
	assert((await text.textContent()).includes('\u2022 regions'), 'no list');
	const { width } = await place(id);
	const corner = middle(await a.locator(`[data-corner="e"][data-id="${id}"]`).boundingBox());
	await drag(a, corner, { x: corner.x + 40, y: corner.y });
	await until('wider', async () => (await place(id)).width > width);
	// Eight colours, by the menu: those of the daemon's own pictures, in its form too, and each is one step of undo.
	const look = JSON.parse((await studio.assistant.request('resources/read', { uri: 'studio://look' })).contents[0].text).light.notes;
	const paper = () => node(a, id).evaluate((one) => getComputedStyle(one).backgroundColor);
	const rgb = (hex) => `rgb(${[1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)).join(', ')})`;
	equal(Object.keys(look).length, 8, 'colours');
	equal(new Set(Object.values(look).map((one) => one.note)).size, 8, 'different ones');
	equal(await paper(), rgb(look.yellow.note), 'the colour at first');
	for (const colour of Object.keys(look)) {
		await a.keyboard.press('Shift+F10');
		await menuItem('Colour …').click();
		await a.getByRole('menuitemcheckbox', { name: colour, exact: true }).click();
		await until(colour, async () => (await paper()) === rgb(look[colour].note));
		await until('kept', async () => ((await studio.served()).nodes.find((one) => one.instanceId === id).properties.colour ?? 'yellow') === colour);
	}
	equal(await axeFaults(a), [], 'faults');
	await a.keyboard.press('Control+z');
	await until('the one before', async () => (await paper()) === rgb(look[Object.keys(look).at(-2)].note));
	const svg = (await studio.call('export_diagram', { project: studio.id, format: 'svg', options: { theme: 'light' } }).then((one) => JSON.stringify(one)).catch((error) => error.message));
	assert(svg.toLowerCase().includes(look[Object.keys(look).at(-2)].note), `not in the picture: ${svg.slice(0, 300)}`);
	await a.keyboard.press('Delete');
	await until('gone', async () => !(await place(id)));
}

const lineMiddle = (id) =>
	a.evaluate((edge) => {
		const path = document.querySelector(`[data-edge="${edge}"]`);
		const to = path.getScreenCTM();
		const at = path.getPointAtLength(path.getTotalLength() / 2);
		return { x: to.a * at.x + to.e, y: to.d * at.y + to.f };
	}, id);
const lineOf = async (from, to) => (await studio.served()).edges.find((one) => one.source === from && one.target === to);

/* SC-080, SC-079: a line inside a container is selected by a press near it, and says what it sets. */
async function lines() {
	await everything();
	await nothing();
	const { id } = await lineOf(ids.plan, ids.app);
	const at = await lineMiddle(id);
	await a.mouse.click(at.x, at.y + 4);
	await until('selected', async () => (await a.locator(`[data-edge="${id}"]`).getAttribute('class')).includes('selected'));
	await a.getByText('Sets Service plan ID of Shop app').waitFor();
}

/* SC-075: handles are there as soon as the pointer is. */
async function hovered() {
	await everything();
	await nothing();
	await a.mouse.click(...Object.values(await lineMiddle((await lineOf(ids.plan, ids.app)).id))); // nothing else is selected
	await nothing();
	const handle = a.locator(`[data-handle="asp-out"][data-id="${ids.plan}"]`);
	const at = await grip(a, ids.plan);
	await a.mouse.move(at.x, at.y);
	await handle.waitFor();
	const to = middle(await handle.boundingBox());
	await a.mouse.move(to.x, to.y, { steps: 8 });
	equal(await handle.count(), 1, 'the handle under the pointer');
	assert((await handle.getAttribute('data-word')).length > 0, 'it has no label');
}

/* SC-042: where the menu was opened; SC-043: the deepest container that may hold it. */
async function addedHere() {
	await everything();
	await nothing();
	const box = await node(a, ids.net).boundingBox();
	const at = { x: box.x + box.width * 0.46, y: box.y + box.height - 8 };
	await a.mouse.move(at.x - 2, at.y);
	await a.mouse.click(at.x, at.y, { button: 'right' });
	await menuItem('Add here …').click();
	await a.getByRole('dialog').getByRole('combobox').fill('subnet');
	const id = await fresh(() => a.keyboard.press('Enter'));
	const { parent, x } = await place(id);
	equal(parent, ids.net, 'its container');
	assert(Math.abs(x - 0.46 * (await place(ids.net)).width) < 60, `it is at ${x}`);
	await choose(id);
	await a.keyboard.press('Delete');
	await until('gone', async () => !(await place(id)));
	// A subnet dragged over a subnet goes into the network around it.
	await a.getByRole('button', { name: 'Add', exact: true }).last().click();
	const row = a.locator('aside [data-type="azurerm/networking/subnet"]').last();
	await row.scrollIntoViewIfNeeded();
	await everything();
	const web = middle(await node(a, ids.web).boundingBox());
	const from = middle(await row.boundingBox());
	const second = await fresh(() => drag(a, from, web, { steps: 12 }));
	equal((await place(second)).parent, ids.net, 'the deepest that may hold it');
	await choose(second);
	await a.keyboard.press('Delete');
	await until('gone', async () => !(await place(second)));
}

/* SC-042: Ctrl+Enter keeps the list open and joins each to the one before. */
async function chained() {
	await choose(ids.rg);
	await a.keyboard.press('/');
	const field = a.getByRole('dialog').getByRole('combobox');
	await field.fill('app service plan');
	const plan = await fresh(() => a.keyboard.press('Control+Enter'));
	await field.fill('app service');
	const app = await fresh(() => a.getByRole('dialog').locator('[data-type="azurerm/compute/app_service"]').click({ modifiers: ['Control'] }));
	await a.keyboard.press('Escape');
	equal((await place(plan)).parent, ids.rg, 'its container');
	assert((await lineOf(plan, app)) ?? (await lineOf(app, plan)), `not joined: ${(await place(plan)).label} and ${(await place(app)).label}`);
	await a.keyboard.press('Control+z');
	await until('one change: one undo', async () => !(await place(app)));
	await a.keyboard.press('Control+z');
	await until('and the one before', async () => !(await place(plan)));
	await studio.same(a, 'after undo');
}

/* Where it is when its line has come to rest: the way of a line that was changed comes a moment later. */
async function atRest(selector) {
	let was = '';
	for (;;) {
		const box = await a.locator(selector).boundingBox();
		if (JSON.stringify(box) === was) return middle(box);
		was = JSON.stringify(box);
		await a.waitForTimeout(300);
	}
}

/* SC-080: the ends of a line are lit; one is taken to another node, which is one change; removing says what is not set any more. */
async function replugged() {
	const other = (await studio.call('add_resource', { project: studio.id, typeId: 'azurerm/compute/app_service', label: 'Other app', parentId: ids.rg })).instanceId;
	await node(a, other).waitFor();
	await everything();
	await nothing();
	const { id } = await lineOf(ids.plan, ids.app);
	const at = await lineMiddle(id);
	await a.mouse.click(at.x, at.y);
	await until('both ends lit', async () => (await a.locator('.canvas rect.lit').count()) === 2);
	const before = (await studio.call('list_changes', { project: studio.id, limit: 1000 })).changes.length;
	await drag(a, await atRest('[data-end="target"]'), await grip(a, other), { steps: 8 });
	await until('it leads to the other', () => lineOf(ids.plan, other));
	equal(await lineOf(ids.plan, ids.app), undefined, 'the line to the first');
	equal((await studio.call('list_changes', { project: studio.id, limit: 1000 })).changes.length, before + 1, 'changes');
	// The end that stays cannot be what it is not: a database takes no plan.
	await studio.same(a, 'after plugging');
	await drag(a, await atRest('[data-end="target"]'), await grip(a, ids.db), { steps: 8, release: false });
	await a.getByText(/have no connection/).first().waitFor();
	await a.mouse.up();
	assert(await lineOf(ids.plan, other), 'it was plugged where nothing may be');
	await a.keyboard.press('Delete');
	await until('removed', async () => !(await lineOf(ids.plan, other)));
	await a.getByText('Service plan ID of Other app is not set any more.').first().waitFor();
	await a.keyboard.press('Control+z');
	await until('back', () => lineOf(ids.plan, other));
}

/* SC-076: what the daemon would refuse steps back and says why, with names, before it is chosen: in the list of the keys, and
 * under a line in the hand. Nothing is changed by asking, and the rest of the list is what it was. */
async function refusedBefore() {
	const second = (await studio.call('add_resource', { project: studio.id, typeId: 'azurerm/compute/app_service_plan', label: 'Second plan', parentId: ids.rg })).instanceId;
	const free = (await studio.call('add_resource', { project: studio.id, typeId: 'azurerm/compute/app_service', label: 'Free app', parentId: ids.rg })).instanceId;
	await node(a, free).waitFor();
	await everything();
	const count = async () => (await studio.call('list_changes', { project: studio.id, limit: 1000 })).changes.length;
	const before = await count();
	const { edges, nodes } = await studio.served();
	const wired = edges.find((one) => one.source === ids.plan && one.sourceHandle === 'asp-out').target;
	const label = nodes.find((one) => one.instanceId === wired).label;
	const why = `${label} is already connected to Big plan`;
	await choose(second);
	await a.keyboard.press('c');
	const menu = a.getByRole('menu', { name: 'Connect Second plan to' });
	const [taken, open] = [menu.getByRole('menuitem', { name: label }).first(), menu.getByRole('menuitem', { name: /^Free app/ }).first()];
	await until('refused', async () => (await taken.getAttribute('aria-disabled')) === 'true');
	await taken.hover();
	await until('why', async () => (await taken.locator('.why').evaluate((e) => getComputedStyle(e).opacity)) === '1');
	equal(await taken.locator('.why').textContent(), why, 'the reason');
	equal(await taken.locator('.cut').evaluate((e) => getComputedStyle(e).opacity), '0.3', 'how far it steps back');
	equal(await axeFaults(a), [], 'the list');
	await taken.click({ force: true });
	equal([await menu.count(), await open.getAttribute('aria-disabled')], [1, null], 'the list, and what is free');
	await a.keyboard.press('Escape');
	await choose(second);
	const from = middle(await a.locator(`[data-handle="asp-out"][data-id="${second}"]`).boundingBox());
	const to = await grip(a, wired);
	await drag(a, from, to, { release: false });
	await a.locator('.reason').getByText(why).waitFor();
	await until('dim', async () => (await classOf(wired)).includes('dim'));
	await a.mouse.up();
	equal(await count(), before, 'changes');
	// Refused after all, because what was asked is not answered, which nothing waits for: with names, too.
	await a.evaluate(() => {
		const { send } = WebSocket.prototype;
		globalThis.answered = () => (WebSocket.prototype.send = send);
		WebSocket.prototype.send = function (data) {
			if (!String(data).includes('"dryRun":true')) send.call(this, data);
		};
	});
	await choose(second);
	await a.keyboard.press('c');
	await open.waitFor();
	await studio.call('connect_resources', { project: studio.id, sourceInstanceId: ids.plan, sourceHandle: 'asp-out', targetInstanceId: free, targetHandle: 'asp-in' });
	await open.click();
	await a.locator('.toasts').getByText('Free app is already connected to Big plan').waitFor();
	await a.locator('.burst').last().getByRole('button', { name: 'Undo' }).waitFor();
	await a.evaluate(() => globalThis.answered());
	// What others did, with its buttons, stands above the refusal and not below it.
	await until('they do not lie over each other', async () => {
		const [lower, upper] = [await a.locator('.toasts').boundingBox(), await a.locator('.bursts').boundingBox()];
		return upper.y + upper.height <= lower.y;
	});
	for (const id of [second, free]) await studio.call('remove_resource', { project: studio.id, instanceId: id });
	await node(a, free).waitFor({ state: 'detached' });
}

/* SC-050: what is asked for by name is gone to in steps; who wants no motion is there at once. */
async function glides() {
	const scales = async () => {
		await everything();
		return a.evaluate(async () => {
			const seen = new Set();
			const read = () => seen.add(document.querySelector('.canvas .board').style.transform);
			document.querySelector('.canvas').focus();
			const canvas = document.querySelector('[role=application]');
			canvas.dispatchEvent(new KeyboardEvent('keydown', { key: '1', ctrlKey: true, bubbles: true }));
			await new Promise((r) => setTimeout(r, 100));
			read();
			document.querySelector('[aria-label="Show everything"]').click();
			for (const end = performance.now() + 400; performance.now() < end; ) {
				await new Promise((r) => requestAnimationFrame(r));
				read();
			}
			return seen.size;
		});
	};
	equal(await scales(), 2, 'views on the way without motion');
	await a.emulateMedia({ reducedMotion: 'no-preference' });
	const count = await scales();
	assert(count > 2, `it jumps: ${count} views`);
	await a.emulateMedia({ reducedMotion: 'reduce' });
	await everything();
}

/* SC-055: several: copied, lined up, laid out; SC-070: put into a container by keys, nearest first. */
async function several() {
	await choose(ids.plan);
	const at = await grip(a, ids.app);
	await a.keyboard.down('Shift');
	await a.mouse.click(at.x, at.y);
	await a.keyboard.up('Shift');
	await until('two', async () => (await classOf(ids.app)).includes('selected') && (await classOf(ids.plan)).includes('selected'));
	await a.keyboard.press('Shift+F10');
	await menuItem('Align top').click();
	await until('lined up', async () => (await place(ids.plan)).y === (await place(ids.app)).y);
	await a.keyboard.press('Shift+F10');
	await menuItem(/^Copy/).click();
	await until('copied', async () => (await a.evaluate(() => globalThis.navigator.clipboard.readText())).includes('"tenon"'));
	await a.keyboard.press('Shift+F10');
	assert(await menuItem('Lay out these …').isEnabled(), 'they cannot be laid out');
	await a.keyboard.press('Escape');
	const machine = (await studio.call('add_resource', { project: studio.id, typeId: 'azurerm/compute/virtual_machine', label: 'Worker', parentId: ids.web })).instanceId;
	await node(a, machine).waitFor();
	await everything();
	await choose(machine);
	await a.keyboard.press('p');
	await a.getByRole('menu', { name: 'Put Worker into' }).waitFor();
	await menuItem(/^Data/).click();
	await until('put', async () => (await place(machine)).parent === ids.data);
	await studio.same(a, 'put into');
}

/* SC-061: what a layout would do is drawn over what there is, for each direction, before anything has changed; then it is one
 * change, and the nodes glide to their places (SC-142), unless one wants no motion. */
async function laidOut() {
	await nothing();
	await everything();
	const before = await studio.truth();
	const count = async () => (await studio.call('list_changes', { project: studio.id, limit: 1000 })).changes.length;
	const changes = await count();
	await a.evaluate(() => document.querySelector('.canvas [tabindex="0"]')?.focus());
	await a.keyboard.press('Control+Shift+l');
	const panel = a.getByRole('dialog', { name: 'Lay out the diagram' });
	const frames = async () => ((await a.locator('.canvas .planned path').getAttribute('d', { timeout: 200 }).catch(() => '')) ?? '').match(/M-?[\d.]+ -?[\d.]+/g) ?? [];
	await until('frames', async () => (await frames()).length > 3);
	const across = await frames();
	await panel.getByLabel('Direction').selectOption('TB');
	await until('other frames', async () => (await frames()).join() !== across.join() && (await frames()).length > 3);
	equal(await axeFaults(a), [], 'the panel');
	equal([await count(), JSON.stringify(await studio.truth())], [changes, JSON.stringify(before)], 'what is only shown');
	await a.keyboard.press('Escape');
	await panel.waitFor({ state: 'detached' });
	equal((await frames()).length, 0, 'frames that stay');
	equal(await count(), changes, 'changes of a layout that was not done');
	await a.keyboard.press('Control+Shift+l');
	await panel.getByLabel('Direction').selectOption('TB');
	await until('frames', async () => (await frames()).length > 3);
	// Somebody else is faster: what is shown is what would come of it now.
	const shownBefore = (await frames()).join();
	const extra = (await studio.call('add_resource', { project: studio.id, typeId: 'azurerm/core/resource_group', label: 'Late' })).instanceId;
	await until('frames that know of it', async () => (await frames()).join() !== shownBefore);
	const wanted = new Set((await frames()).map((one) => one.slice(1)));
	await panel.getByRole('button', { name: 'Lay out', exact: true }).click();
	await panel.waitFor({ state: 'detached' });
	await studio.same(a, 'after a layout');
	equal(await count(), changes + 2, 'changes: somebody else’s, and one');
	const { nodes } = await studio.truth();
	const top = Object.values(nodes).filter((one) => one.parent === null && before.nodes[Object.keys(nodes).find((id) => nodes[id] === one)]);
	assert(top.some((one) => wanted.has(`${one.x} ${one.y}`)), `no node stands in a frame that was shown: ${JSON.stringify([...wanted])}`);
	await a.keyboard.press('Control+z');
	await until('undone at once', async () => (await studio.truth()).nodes[ids.plan].x === before.nodes[ids.plan].x);
	await studio.call('remove_resource', { project: studio.id, instanceId: extra });
	await node(a, extra).waitFor({ state: 'detached' });
	await everything();
}

/* What moves on the page by itself, counted while somebody else does something. */
async function motions(act) {
	await a.evaluate(() => {
		globalThis.moved = 0;
		const plain = Element.prototype.animate;
		Element.prototype.animate = function (...args) {
			if (this.closest('.canvas')) globalThis.moved++;
			return plain.apply(this, args);
		};
	});
	await act();
	return a.evaluate(() => globalThis.moved);
}

/* SC-142: what others change is seen to change; the page is as it will be at once. */
async function glidesOfOthers() {
	const move = async (x) => {
		await studio.call('move_resource', { project: studio.id, instanceId: ids.plan, position: { x, y: 60 } });
		await until('there', async () => (await place(ids.plan)).x === x);
		await studio.same(a, 'while it glides');
	};
	equal(await motions(() => move(60)), 0, 'motions for who wants none');
	await a.emulateMedia({ reducedMotion: 'no-preference' });
	assert((await motions(() => move(140))) >= 1, 'it jumps');
	let id;
	assert((await motions(async () => {
		id = (await studio.call('add_resource', { project: studio.id, typeId: 'azurerm/core/resource_group', label: 'Brief' })).instanceId;
		await node(a, id).waitFor();
	})) >= 1, 'it is there at once');
	assert((await motions(async () => {
		await studio.call('remove_resource', { project: studio.id, instanceId: id });
		await node(a, id).waitFor({ state: 'detached' });
	})) >= 1, 'it is gone at once');
	await until('and its picture is gone', async () => (await a.getByText('Brief', { exact: true }).count()) === 0);
	await a.emulateMedia({ reducedMotion: 'reduce' });
	await studio.same(a, 'after others moved, added and removed');
}

/* SC-209: what somebody else removes hands its focus to the next sibling, else to the parent; nothing is selected by that. */
async function inherited() {
	await nothing();
	const add = async (label, parentId) =>
		(await studio.call('add_resource', { project: studio.id, typeId: parentId ? 'azurerm/networking/virtual_network' : 'azurerm/core/resource_group', label, ...(parentId ? { parentId } : {}) })).instanceId;
	const holder = await add('Holder');
	const [one, two] = [await add('One', holder), await add('Two', holder)];
	await node(a, two).waitFor();
	await everything();
	await choose(one);
	const has = (id) => until('the focus', () => a.evaluate((it) => document.activeElement?.dataset.id === it, id));
	await has(one);
	const remove = (instanceId) => studio.call('remove_resource', { project: studio.id, instanceId });
	await remove(one);
	await has(two);
	equal([await a.locator('.canvas .selected').count(), await node(a, two).getAttribute('tabindex')], [0, '0'], 'selected, and the stop of Tab');
	await remove(two);
	await has(holder);
	await remove(holder);
	await until('in the diagram', () => a.evaluate((gone) => !!document.activeElement?.closest('[role="application"]') && document.activeElement.dataset.id !== gone, holder));
	// The focus of a panel is not taken from there.
	await choose(ids.vault);
	await a.getByRole('button', { name: 'Problems' }).first().focus();
	await remove(ids.vault);
	await node(a, ids.vault).waitFor({ state: 'detached' });
	assert(await a.evaluate(() => !document.activeElement?.closest('[role="application"]')), 'it took the focus from a panel');
	await studio.call('undo_change', { project: studio.id });
	await node(a, ids.vault).waitFor();
	await everything();
}

/* SC-058: presses of an arrow are one change, by 20 and with Shift by 1. SC-067: a container grows with what is pushed. */
async function arrows() {
	await choose(ids.plan);
	const was = await place(ids.plan);
	const before = (await studio.call('list_changes', { project: studio.id, limit: 1000 })).changes.length;
	for (const keys of ['ArrowDown', 'ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowRight']) await a.keyboard.press(keys);
	await until('moved', async () => (await place(ids.plan)).y === was.y + 41 && (await place(ids.plan)).x === was.x + 1, 5000).catch(async (error) => {
		throw new Error(`${error.message}: from ${was.x},${was.y} to ${(await place(ids.plan)).x},${(await place(ids.plan)).y}`);
	});
	equal((await studio.call('list_changes', { project: studio.id, limit: 1000 })).changes.length, before + 1, 'changes');
	await a.keyboard.press('Control+z');
	await until('and one undo', async () => (await place(ids.plan)).y === was.y);
	await everything();
	const { height } = await place(ids.rg);
	const siblings = { ...(await studio.truth()).nodes };
	const from = await grip(a, ids.plan);
	const box = await node(a, ids.rg).boundingBox();
	await drag(a, from, { x: from.x, y: box.y + box.height - 4 }, { steps: 10 });
	await until('it has grown', async () => (await place(ids.rg)).height > height);
	const after = (await studio.truth()).nodes;
	for (const id of [ids.app, ids.net, ids.vault]) equal([after[id].x, after[id].y], [siblings[id].x, siblings[id].y], `the place of ${after[id].label}`);
	await a.keyboard.press('Control+z');
	await until('back', async () => (await place(ids.rg)).height === height);
}

/* SC-067: what a container covers when it is larger is marked, in words, too; one press makes room, which is one change and one
 * undo. What was put over something by hand and is no container is left alone. */
async function room() {
	const crowded = () => a.evaluate(() => [...document.querySelectorAll('.canvas .crowded')].map((one) => one.dataset.id).sort());
	equal(await crowded(), [], 'what overlaps before');
	const add = async (label, x, y, parentId) =>
		(await studio.call('add_resource', { project: studio.id, typeId: `azurerm/core/resource_group`, label, position: { x, y }, ...(parentId ? { parentId } : {}) })).instanceId;
	const [left, right, third] = [await add('Grows', 0, -600), await add('Covered', 700, -600), await add('Pushed', 1400, -600)];
	const first = await place(left);
	await studio.call('move_resources', { project: studio.id, moves: [{ instanceId: third, position: { x: 720 + (await place(right)).width, y: -600 } }] });
	const count = async () => (await studio.call('list_changes', { project: studio.id, limit: 1000 })).changes.length;
	await everything();
	await choose(left);
	while ((await place(left)).width < 740) {
		const { width } = await place(left);
		await a.keyboard.press('Control+ArrowRight');
		await until('wider', async () => (await place(left)).width > width);
	}
	await until('both are marked', async () => (await crowded()).join() === [left, right].sort().join());
	await node(a, right).locator('[title="overlaps"]').first().waitFor({ state: 'attached' });
	assert((await node(a, right).getAttribute('aria-label')).includes('overlaps'), 'not in words');
	await a.getByText('2 resources lie over each other.').waitFor();
	equal(await axeFaults(a), [], 'with marks');
	const [before, changes] = [(await studio.truth()).nodes, await count()];
	await a.getByRole('button', { name: 'Make room' }).click();
	await until('no marks', async () => (await crowded()).length === 0);
	const after = (await studio.truth()).nodes;
	equal([after[left].x, after[right].x, after[right].y], [first.x, first.x + after[left].width + 20, before[right].y], 'places');
	equal(after[third].x, after[right].x + after[right].width + 20, 'what was pushed');
	for (const id of Object.keys(before)) if (id !== right && id !== third) equal(after[id], before[id], `the place of ${before[id].label}`);
	equal(await count(), changes + 1, 'changes');
	await studio.same(a, 'with room');
	await a.keyboard.press('Control+z');
	await until('one undo', async () => JSON.stringify((await studio.truth()).nodes) === JSON.stringify(before));
	await until('marked again', async () => (await crowded()).length === 2);
	for (const id of [left, right, third]) await studio.call('remove_resource', { project: studio.id, instanceId: id });
	await until('gone', async () => (await a.getByText('lie over each other').count()) === 0);
	await everything();
}

/* SC-052: the overview, with its frame and key. SC-053: what is written is at least 9 pixels high, at every zoom. SC-069: focus. */
async function views() {
	await nothing();
	const map = a.locator('svg.map');
	await map.waitFor();
	const view = await a.locator('.canvas .board').getAttribute('style');
	const box = await map.boundingBox();
	await a.mouse.click(box.x + box.width * 0.3, box.y + box.height * 0.5);
	await until('the view follows', async () => (await a.locator('.canvas .board').getAttribute('style')) !== view);
	await a.evaluate(() => document.querySelector('.canvas [tabindex="0"]')?.focus());
	await a.keyboard.press('m');
	await until('closed', async () => (await map.count()) === 0);
	await a.keyboard.press('m');
	await map.waitFor();
	await everything();
	for (let i = 0; i < 14; i++) {
		const small = await a.evaluate(() => {
			const zoom = new DOMMatrix(getComputedStyle(document.querySelector('.canvas .board')).transform).a;
			return [...document.querySelectorAll('.canvas .label, .canvas .type')]
				.filter((one) => one.offsetParent && parseFloat(getComputedStyle(one).fontSize) * zoom < 8.9 && zoom > 0.06)
				.map((one) => `${one.textContent} at ${zoom}`);
		});
		equal(small.slice(0, 3), [], 'too small to be read');
		await a.getByRole('button', { name: 'Zoom out' }).click();
	}
	await everything();
	await choose(ids.net);
	await a.keyboard.press('f');
	const crumbs = a.getByRole('navigation', { name: 'Only Shop network' });
	await crumbs.getByRole('button', { name: 'Shop', exact: true }).waitFor();
	await until('the rest steps back', async () => (await classOf(ids.plan)).includes('faded'));
	assert(!(await classOf(ids.app)).includes('faded'), 'what its lines reach steps back');
	await a.keyboard.press('Escape');
	await until('all again', async () => (await a.locator('.node.faded').count()) === 0);
	await everything();
}

await steps('studio-audit', [
	['a project and a page', bringUp],
	['SC-030, SC-051: the whole window, and all of the diagram in it', frame],
	['SC-031: panels close, open and are resized, and the middle stays', panels],
	['SC-032: the header connects an assistant', header],
	['SC-033, SC-055: the menu of what is under the pointer', menus],
	['SC-054: the name in place, and the first field', named],
	['SC-060: a note, written, shown and resized', notes],
	['SC-079, SC-080: a line in a container is selected', lines],
	['SC-075: handles on hover', hovered],
	['SC-042, SC-043: added here, and where it may stand', addedHere],
	['SC-042: one after the other, joined', chained],
	['SC-052, SC-053, SC-069: overview, what can be read, focus', views],
	['SC-058, SC-067: arrows, and containers that grow', arrows],
	['SC-209: who has the focus of what somebody removes', inherited],
	['SC-067: room for what is covered', room],
	['SC-080: an end of a line taken elsewhere', replugged],
	['SC-076: what would be refused says why before', refusedBefore],
	['SC-050: views glide', glides],
	['SC-055, SC-070: several, and put into', several],
	['SC-061: a layout is shown before it is done', laidOut],
	['SC-142: what others change glides, comes and goes', glidesOfOthers],
]);
await studio.end();
process.exit(failures ? 1 : 0);
