// studio-keys.mjs - a diagram from nothing to deployed without any pointer (studio-canvas.md SC-208): every act by keys that
// the help lists, and the page says in words what came of it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { assert, failures, steps } from '../clients/results.mjs';
import { PATIENCE_MS, until } from './home.mjs';
import { head, node, shown, Studio, viewOf } from './studio.mjs';

const studio = new Studio(5600, { TENON_TERRAFORM: resolve(new URL('../studio/fake_engine', import.meta.url).pathname) });
let page;
const ids = {};
const equal = (x, y, what = '') => assert(JSON.stringify(x) === JSON.stringify(y), `${what} is ${JSON.stringify(x)}, not ${JSON.stringify(y)}`);
const press = async (...keys) => {
	for (const key of keys) await page.keyboard.press(key);
};
const type = (text) => page.keyboard.type(text);
const nodes = async () => (await studio.truth()).nodes;
const record = async (id) => (await studio.served(['layout', 'diagnostics'])).nodes.find((one) => one.instanceId === id);

/* What has the focus, as a screen reader would name it. */
const focus = () =>
	page.evaluate(() => {
		const at = document.activeElement;
		const label = at?.labels?.[0]?.textContent ?? (at?.id ? document.querySelector(`label[for="${CSS.escape(at.id)}"]`)?.textContent : '');
		return (at?.getAttribute('aria-label') || label || at?.textContent || at?.tagName || '').trim();
	});
const focused = (what) => until(`the focus is on ${what}`, async () => what.test(await focus())).catch(async (e) => assert(false, `${e.message}; it is on ${await focus()}`));
/* By Tab to what has such a name. */
async function tabTo(what, key = 'Tab', most = 90) {
	for (let i = 0; i < most; i++) {
		if (what.test(await focus())) return;
		await press(key);
	}
	assert(false, `Tab does not reach ${what}; it ended at ${await focus()}`);
}
/* By F6 to a part of the page; one that has just been opened is loaded first. */
async function region(selector) {
	await page.locator(`${selector}:is([tabindex="0"], :has(button, input, select, [tabindex="0"]))`).first().waitFor();
	for (let i = 0; i < 8; i++) {
		if (await page.evaluate((s) => !!document.activeElement?.closest(s), selector)) return;
		// One that pressed on before the keys are loaded would end somewhere else; where F6 leads to nothing, it is pressed again.
		const from = await page.evaluateHandle(() => document.activeElement);
		await press('F6');
		await page.waitForFunction((at) => document.activeElement !== at, from, { timeout: 2000 }).catch(() => null);
	}
	assert(false, `F6 does not reach ${selector}`);
}
const canvas = () => region('.canvas');
const selection = () => page.evaluate(() => [...document.querySelectorAll('.node.selected')].map((one) => one.dataset.id));
const selected = (id) => until('it is selected', async () => (await selection()).includes(id));
const said = (what) => until(`said: ${what}`, async () => what.test(await page.locator('[aria-live=polite].unseen').textContent()));

/* In a menu, by arrows. */
async function choose(what) {
	const now = () => page.evaluate(() => document.getElementById(document.querySelector('[role=menu]')?.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '');
	for (let i = 0; i < 40 && !what.test(await now()); i++) await press('ArrowDown');
	assert(what.test(await now()), `no item ${what}`);
	await press('Enter');
}
/* The search is how one goes to a node by its name. */
async function goTo(name) {
	await press('Control+f');
	await focused(/Search the diagram/);
	await press('Control+a');
	await type(name);
	await until('a match', async () => /^[1-9]\d* match/.test(await page.locator('.search [role=status]').textContent()));
	// Enter walks through the matches.
	for (let i = 0; i < 10; i++) {
		await press('Enter');
		await until('a match is selected', async () => (await selection()).length === 1 && !!(await page.locator('.search .now').count()));
		if ((await page.locator('.node.selected > .head > .label').textContent()) === name) break;
		await page.waitForTimeout(60);
	}
	equal(await page.locator('.node.selected > .head > .label').textContent(), name, 'what was found');
	await press('Control+a', 'Delete');
	await press('Escape');
	await canvas();
}
async function add(words, label) {
	const before = Object.keys(await nodes());
	await press('/');
	await focused(/^Add/);
	await type(words);
	await page.getByRole('dialog').getByRole('option').first().waitFor();
	await press('Enter');
	const id = await until(`${label} is there`, async () => Object.keys(await nodes()).find((one) => !before.includes(one)));
	await selected(id);
	await until('the focus is on it', () => page.evaluate((i) => document.activeElement?.dataset?.id === i, id));
	await press('F2');
	await focused(/^Name of/);
	await type(label);
	await press('Enter');
	await until('it has its name', async () => (await nodes())[id].label === label);
	await until('the focus is back on it', () => page.evaluate((i) => document.activeElement?.dataset?.id === i, id));
	return id;
}

async function bringUp() {
	await studio.start();
	page = await studio.page('studio');
	page.setDefaultTimeout(PATIENCE_MS);
	await page.evaluate(() => {
		globalThis.pointers = 0;
		for (const name of ['pointerdown', 'mousedown', 'touchstart']) addEventListener(name, () => globalThis.pointers++, true);
	});
	await page.getByText('No project is open.').waitFor();
}

async function project() {
	await press('g', 'i');
	await tabTo(/^Name$/);
	await type('Shop');
	await tabTo(/^Folder/);
	await type(studio.home.folder);
	await press('Enter');
	await page.getByRole('application', { name: 'Diagram of Shop' }).waitFor();
	studio.id = (await studio.call('list_projects')).open[0].id;
	studio.path = join(studio.home.folder, 'Shop');
}

async function builds() {
	await canvas();
	ids.rg = await add('resource group', 'Shop');
	ids.net = await add('virtual network', 'Net');
	ids.web = await add('subnet', 'Web');
	await press('Shift+Enter');
	await selected(ids.net);
	ids.data = await add('subnet', 'Data');
	await press('Shift+Enter', 'Shift+Enter');
	await selected(ids.rg);
	ids.plan = await add('app service plan', 'Plan');
	await press('Shift+Enter');
	await selected(ids.rg);
	ids.app = await add('app service', 'App');
	const all = await nodes();
	equal([all[ids.net].parent, all[ids.web].parent, all[ids.data].parent, all[ids.plan].parent, all[ids.app].parent], [ids.rg, ids.net, ids.net, ids.rg, ids.rg], 'where they stand');
	await studio.same(page, 'after building');
	await press('Control+0');
}

async function connects() {
	await goTo('Plan');
	await selected(ids.plan);
	await press('c');
	const menu = page.getByRole('menu');
	await menu.getByRole('menuitem', { name: /^App/ }).first().waitFor();
	await choose(/App/);
	await until('a line', async () => (await studio.served()).edges.some((one) => one.sourceInstanceId === ids.plan || one.source === ids.plan));
	await until('the focus is back on it', () => page.evaluate((i) => document.activeElement?.dataset?.id === i, ids.plan));
	// SC-206: the line can be walked to, and is in the description of the node.
	await until('it is in its description', () => page.evaluate(() => document.getElementById(document.activeElement.getAttribute('aria-describedby'))?.textContent === 'connected to App'));
	await press('e');
	await said(/Plan to App/);
	await press('Escape');
	await selected(ids.plan);
}

async function values() {
	await goTo('Plan');
	await region('aside.right');
	await tabTo(/^SKU name$/);
	await press('Control+a');
	await type('P1v3');
	await press('Enter');
	await until('the first value', async () => (await record(ids.plan)).properties.sku_name === 'P1v3');
	await canvas();
	await goTo('App');
	await region('aside.right');
	await tabTo(/^Name$/);
	await press('Control+a');
	await type('app-shop-keys');
	await press('Enter');
	await until('the second', async () => (await record(ids.app)).properties.name === 'app-shop-keys');
	await canvas();
	await goTo('Net');
	await region('aside.right');
	await tabTo(/^(?!.*variable)Address space.*1$/);
	await press('Control+a');
	await type('10.40.0.0/16');
	await press('Enter');
	await until('the third', async () => (await record(ids.net)).properties.address_space?.[0] === '10.40.0.0/16');
}

/* The subnets lie outside the network now: the problems panel says so and has the cure. */
async function fixes() {
	await until('there is a problem', async () => (await studio.served(['diagnostics'])).nodes.some((one) => one.diagnostics?.some((d) => d.fix)));
	const count = async () => (await studio.served(['diagnostics'])).nodes.flatMap((one) => one.diagnostics ?? []).filter((one) => one.fix).length;
	const before = await count();
	await press('Control+Shift+m');
	await region('[role=region][aria-label=Problems]');
	await tabTo(/^(Set|Put) /);
	await press('Enter');
	await until('one less', async () => (await count()) < before);
	await press('Control+j');
}

async function finds() {
	await canvas();
	await goTo('Net');
	await press('Control+.');
	await until('closed', async () => (await node(page, ids.web).count()) === 0);
	// A search opens what hides a match.
	await goTo('Data');
	await node(page, ids.data).waitFor();
	await selected(ids.data);
	// SC-200: back and forward through what was selected.
	await press('Control+[');
	await selected(ids.net);
	await press('Control+]');
	await selected(ids.data);
	await press('Alt+ArrowUp');
	await until('walked', async () => !(await selection()).includes(ids.data) && (await selection()).length === 1);
}

async function moves() {
	await goTo('App');
	const was = (await nodes())[ids.app];
	await press('ArrowRight', 'ArrowRight', 'ArrowDown');
	await until('moved', async () => (await nodes())[ids.app].x === was.x + 40 && (await nodes())[ids.app].y === was.y + 20);
	await goTo('Net');
	const size = (await nodes())[ids.net];
	await press('Control+ArrowRight', 'Control+ArrowDown');
	await until('resized', async () => (await nodes())[ids.net].width === size.width + 20 && (await nodes())[ids.net].height === size.height + 20);
	await studio.same(page, 'after moving');
	// Copied, and put into the other container.
	await goTo('Plan');
	const before = Object.keys(await nodes());
	await press('Control+c', 'Control+v');
	ids.copy = await until('a copy', async () => Object.keys(await nodes()).find((id) => !before.includes(id)));
	await selected(ids.copy);
	await press('Delete');
	await until('gone', async () => !(await nodes())[ids.copy]);
	await until('its neighbour has the focus (SC-209)', async () => (await nodes())[await page.evaluate(() => document.activeElement?.dataset?.id ?? '')]);
	await page.locator(`.canvas [data-id="${ids.copy}"]`).waitFor({ state: 'detached' });
	assert((await nodes())[await page.evaluate(() => document.activeElement?.dataset?.id ?? '')], 'the focus went with what was removed (SC-209)');
	await press('Control+z');
	await until('and back', async () => (await nodes())[ids.copy]);
	await press('Control+z');
	await until('not copied', async () => !(await nodes())[ids.copy]);
}

/* What an assistant did is taken back where the history lists it. */
async function undoes() {
	await studio.call('update_resource', { project: studio.id, instanceId: ids.app, properties: {}, label: 'Renamed by a machine' });
	await said(/claude-code/);
	await press('Alt+4');
	await region('aside.left');
	await tabTo(/^Undo: .*(Renamed|App)/i);
	await press('Enter');
	await until('taken back', async () => (await nodes())[ids.app].label === 'App');
}

async function layers() {
	await canvas();
	await goTo('App');
	const chips = page.getByRole('group', { name: 'What lies over the diagram' });
	const on = (name) => chips.getByRole('button', { name, exact: true }).getAttribute('aria-pressed');
	for (const [key, name] of [['3', 'Problems'], ['4', 'Costs'], ['5', 'Variables'], ['6', 'Changed']]) {
		const before = await on(name);
		await press(key);
		await until(`${name} by ${key}`, async () => (await on(name)) !== before);
		await press(key);
		await until(`${name} and back`, async () => (await on(name)) === before);
	}
	// SC-131: a kind of thing that is not drawn keeps its place and is found.
	await region('.chips');
	await tabTo(/^Layers/);
	await press('Enter');
	const menu = page.getByRole('menu', { name: 'What is drawn' });
	await menu.waitFor();
	await choose(/Subnet/);
	await until('not drawn', () => node(page, ids.web).evaluate((one) => getComputedStyle(one).visibility === 'hidden'));
	await press('Escape');
	await page.getByText(/2 hidden/).waitFor();
	await studio.same(page, 'with a kind that is not drawn');
	await region('.chips');
	await tabTo(/^Show$/);
	await press('Enter');
	await until('drawn', () => node(page, ids.web).evaluate((one) => getComputedStyle(one).visibility === 'visible'));
}

const lastRun = async () => JSON.parse((await studio.assistant.request('resources/read', { uri: `studio://projects/${studio.id}/runs` })).contents[0].text)[0];

async function plans() {
	await canvas();
	await press('Escape');
	await add('data value', 'Stamp');
	await press('Control+Shift+Enter');
	await page.waitForTimeout(200);
	if (await page.getByRole('menuitem', { name: 'Run anyway' }).count()) await press('ArrowDown', 'Enter');
	await until('a plan', async () => (await lastRun())?.command === 'plan' && (await lastRun()).status === 'finished');
	await until('the overlay', async () => (await page.locator('.node[data-plan=create]').count()) > 0);
	await canvas();
	await until('in its name', async () => /will be created/.test(await node(page, ids.app).getAttribute('aria-label')));
	await press('2');
	await until('off by its key', async () => (await page.locator('.node[data-plan=create]').count()) === 0);
	await press('2');
	// SC-209: what it does is a list as well.
	await region('[role=region][aria-label=Plan]');
}

async function applies() {
	await region('header');
	await tabTo(/^Run$/);
	await press('Enter');
	await page.getByRole('menuitem', { name: /Apply/ }).waitFor();
	await choose(/Apply/);
	await page.waitForTimeout(200);
	if (await page.getByRole('menuitem', { name: 'Run anyway' }).count()) await press('ArrowDown', 'Enter');
	await until('the question', async () => (await page.getByRole('dialog').count()) === 1);
	await tabTo(/^Apply/);
	await press('Enter');
	await until('applied', async () => (await lastRun()).command === 'apply' && (await lastRun()).success === true, 60_000);
	await until('deployed, in its name', async () => /created/.test(await node(page, ids.app).getAttribute('aria-label')));
}

async function exports_() {
	await region('header');
	await tabTo(/^Shop/);
	await press('Enter');
	await page.getByRole('menuitem', { name: 'Export …' }).waitFor();
	await choose(/Export/);
	await page.getByRole('dialog').waitFor();
	await tabTo(/^Save$/);
	const [download] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
	equal(download.suggestedFilename(), 'Shop.png', 'the file');
	equal(readFileSync(await download.path()).subarray(1, 4).toString(), 'PNG', 'its kind');
	await press('Escape');
	await page.getByRole('dialog').waitFor({ state: 'detached' });
}

/* SC-200: letters can be switched off; the rest of the keys goes on. */
async function letters() {
	await canvas();
	await press('Control+,');
	await page.getByRole('dialog', { name: 'How it looks and behaves' }).waitFor();
	await tabTo(/^Single letters/);
	await press('Space', 'Escape');
	await canvas();
	await goTo('App');
	await press('c');
	await page.waitForTimeout(150);
	equal(await page.getByRole('menu').count(), 0, 'menus by a letter that is switched off');
	await press('Control+.');
	await press('F1');
	const help = page.getByRole('dialog', { name: /shortcuts/ });
	await help.waitFor();
	await type('along the lines');
	await until('the help is searched', async () => (await help.locator('dt:visible').count()) === 1);
	await press('Escape', 'Escape'); // the words, then the dialog
	await until('closed', async () => (await help.count()) === 0);
}

/* SC-161: what is selected is nobody's business if the person says so. */
async function notShared() {
	await goTo('App');
	const seen = async () => (await studio.call('get_selection', { project: studio.id })).actors?.[0]?.resources?.length ?? 0;
	await until('an assistant sees it', async () => (await seen()) === 1);
	await press('Control+,');
	await page.getByRole('dialog').waitFor();
	await tabTo(/^Assistants may see/);
	await press('Space', 'Escape');
	await until('no longer', async () => (await seen()) === 0);
}

async function noPointer() {
	equal(await page.evaluate(() => globalThis.pointers), 0, 'presses of a pointer');
	assert(studio.context.faults.length === 0, studio.context.faults.join(' | '));
	await studio.same(page, 'at the end');
}

await steps('studio-keys', [
	['a page', bringUp],
	['SC-208: a project', project],
	['SC-208: group, network, subnets, plan and app', builds],
	['SC-076, SC-206: connected, and the line walked to', connects],
	['SC-087: three values', values],
	['SC-097: a problem is fixed', fixes],
	['SC-068, SC-132, SC-200: collapsed, found, walked', finds],
	['SC-058, SC-183: moved, resized, copied', moves],
	['SC-141: an assistant’s change is undone', undoes],
	['SC-130, SC-131: layers and their keys', layers],
	['SC-113: a plan and its overlay', plans],
	['SC-114: applied', applies],
	['SC-182: a picture', exports_],
	['SC-200: letters off, keys searched', letters],
	['SC-161: what is selected, not told', notShared],
	['SC-208: without any pointer', noPointer],
]);
await studio.end();
process.exit(failures ? 1 : 0);
