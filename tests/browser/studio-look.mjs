// studio-look.mjs - what studio looks like and whether everybody can use it (studio-canvas.md SC-190, SC-205, SC-264): scenes
// in light, dark and narrow, each without an axe fault and kept as a picture; 300 nodes with every panel, high contrast,
// other colours and the colours of the system.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { assert, failures, steps } from '../clients/results.mjs';
import { axeFaults, NARROW, newContext } from './browser.mjs';
import { httpClient } from './clients.mjs';
import { PATIENCE_MS, until } from './home.mjs';
import { head, node, Studio, three } from './studio.mjs';

const pictures = process.env.TENON_SCREENSHOTS ?? 'out/screenshots';
mkdirSync(pictures, { recursive: true });
const studio = new Studio(6000, { TENON_TERRAFORM: resolve(new URL('../studio/fake_engine', import.meta.url).pathname) });
const SIZE = { width: 1440, height: 900 };
const pages = {}; // by look
let ids, shop, bare, yard;
const TEXT = `resource "azurerm_resource_group" "old" {
  name     = "rg-old"
  location = "westeurope"
}

resource "azurerm_storage_account" "files" {
  name                     = "oldfiles"
  resource_group_name      = azurerm_resource_group.old.name
  location                 = azurerm_resource_group.old.location
  account_tier             = "Standard"
  account_replication_type = "LRS"
}

resource "random_pet" "name" {
  length = 2
}
`;
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const call = (tool, args = {}, who = studio.assistant) => studio.call(tool, { project: shop, ...args }, who);
const each = async (act) => {
	for (const [look, page] of Object.entries(pages)) await act(page, look);
};

async function clean(page, what) {
	// What is on its way is no fault: it is looked at again, also where looking once takes all of the time.
	let faults = await axeFaults(page);
	const end = performance.now() + 5000;
	for (let looks = 1; faults.length > 0 && (looks < 4 || performance.now() < end); looks++) {
		await wait(250);
		faults = await axeFaults(page);
	}
	assert(faults.length === 0, `${what}: ${faults.join(' | ')}`);
}
/* A scene: arranged on each page, looked at by axe, kept. */
async function scene(name, arrange) {
	await each(async (page, look) => {
		await arrange(page, look);
		await wait(250);
		await clean(page, `${name}, ${look}`);
		await page.screenshot({ path: join(pictures, `studio-${name}-${look}.png`) });
	});
}
const narrow = (look) => look.startsWith('narrow');
const fit = (page) => page.getByRole('button', { name: 'Show everything' }).click();
const bar = (page) => page.getByRole('navigation', { name: 'Panels below' });
async function open(page, look, name) {
	const on = narrow(look) ? page.locator('.sheet') : page.locator(`[data-panel="${name.toLowerCase()}"]`);
	if (narrow(look) && (await on.count()) > 0) await on.getByRole('button', { name: 'Close' }).click();
	else if (!narrow(look) && (await on.count()) > 0) return;
	const direct = bar(page).getByRole('button', { name: new RegExp(`^${name}`) });
	const rail = page.getByRole('navigation', { name: 'Panels at the left' }).getByRole('button', { name });
	if ((await direct.count()) > 0) await direct.click();
	else if ((await rail.count()) > 0) await rail.click();
	else if (narrow(look)) {
		await bar(page).getByRole('button', { name: 'More' }).click();
		await page.getByRole('menuitem', { name, exact: true }).click();
	} else await page.keyboard.press('Control+Alt+b');
	await on.first().waitFor();
}
async function shut(page, look) {
	if (narrow(look)) {
		if ((await page.locator('.sheet').count()) > 0) await page.locator('.sheet').getByRole('button', { name: 'Close' }).click();
		return;
	}
	const pressed = page.locator('.rail [aria-pressed=true], nav.tabs [aria-pressed=true]');
	while ((await pressed.count()) > 0) await pressed.first().click();
	if ((await page.locator('aside.right').count()) > 0) await page.keyboard.press('Control+Alt+b');
}
const choose = async (page, id) => {
	await page.evaluate((one) => document.querySelector(`[data-id="${one}"]`)?.focus(), id);
	await head(page, id).click({ position: { x: 12, y: 6 } });
	await until('selected', async () => /\bselected\b/.test(await node(page, id).getAttribute('class')));
};
const quiet = (page) => page.evaluate(() => document.querySelectorAll('.burst [aria-label=Dismiss]').forEach((one) => one.click()));

async function bringUp() {
	await studio.start({ viewport: SIZE });
	await studio.newProject('Shop');
	shop = studio.id;
	bare = `studio/${shop}`;
	for (const [look, options] of [
		['light', { viewport: SIZE }],
		['dark', { viewport: SIZE, colorScheme: 'dark' }],
		['narrow-light', { viewport: NARROW, hasTouch: true, isMobile: true }],
	]) {
		const context = await newContext(studio.browser, options);
		await context.addInitScript(() => {
			if (location.protocol === 'about:') return;
			localStorage.setItem('tenon.studio.hints.all', localStorage.getItem('tenon.studio.hints.all') ?? '5');
			localStorage.setItem('tenon.studio.panels.all', localStorage.getItem('tenon.studio.panels.all') ?? '{"left":null,"bottom":null,"right":false}');
			localStorage.setItem('tenon.studio.shared.all', 'false');
		});
		pages[look] = await studio.page(bare, context);
		pages[look].setDefaultTimeout(PATIENCE_MS);
	}
}

async function empty() {
	await scene('empty', async (page) => page.getByText('Describe it to your assistant').waitFor());
}

async function threeTier() {
	ids = await studio.build();
	await call('set_project_config', { config: three.config ?? {} }).catch(() => undefined);
	await scene('diagram', async (page) => {
		await node(page, ids.vault).waitFor();
		await quiet(page);
		await fit(page);
	});
	await scene('properties', async (page, look) => {
		await open(page, look, 'Properties');
		if (!narrow(look)) await open(page, look, 'Outline');
		await fit(page);
		await choose(page, narrow(look) ? ids.rg : ids.plan);
		if (narrow(look)) return;
	});
	await scene('first-steps', async (page, look) => {
		await shut(page, look);
		await page.evaluate(() => localStorage.setItem('tenon.studio.hints.all', '0'));
		await page.reload(); // its own key is kept by the tab
		await node(page, ids.vault).waitFor();
		await page.locator('.hint .card').waitFor();
		await fit(page);
	});
	await each(async (page) => {
		await page.getByRole('button', { name: 'No more hints' }).click();
	});
}

async function connecting() {
	await scene('connecting', async (page, look) => {
		if (narrow(look)) return;
		await fit(page);
		await choose(page, ids.plan);
		const box = await page.locator(`[data-handle="asp-out"][data-id="${ids.plan}"]`).boundingBox();
		await page.mouse.move(box.x + 12, box.y + 12);
		await page.mouse.down();
		const to = await head(page, ids.sql).boundingBox();
		await page.mouse.move(to.x + 30, to.y + 12, { steps: 6 });
		await page.locator('.reason').waitFor();
	});
	await each(async (page) => {
		await page.keyboard.press('Escape');
		await page.mouse.up();
	});
}

async function problems() {
	await scene('problems', async (page, look) => {
		await open(page, look, 'Problems');
		await fit(page);
	});
	await scene('costs', async (page, look) => {
		await open(page, look, 'Costs');
		const chip = page.getByRole('group', { name: 'What lies over the diagram' }).getByRole('button', { name: 'Costs' });
		if ((await chip.getAttribute('aria-pressed')) === 'false') await chip.click();
		await page.getByRole('row').nth(1).waitFor();
		await fit(page);
	});
	await scene('code', async (page, look) => {
		await open(page, look, 'Code');
		await page.locator('.cm-line').first().waitFor();
		if (!narrow(look)) await choose(page, ids.plan);
	});
	await scene('import', async (page, look) => {
		await shut(page, look);
		await page.getByRole('navigation', { name: 'Open projects' }).getByRole('button').click();
		await page.getByRole('menuitem', { name: 'Import Terraform …' }).click();
		await page.locator('dialog input[type=file]').first().setInputFiles({ name: 'main.tf', mimeType: 'text/plain', buffer: Buffer.from(TEXT) });
		await page.getByText(/Would become/).waitFor();
	});
	await each((page) => page.keyboard.press('Escape'));
	await scene('history', async (page, look) => {
		await shut(page, look);
		await call('update_resource', { instanceId: ids.app, properties: {}, label: look === 'light' ? 'Shop app' : 'Shop site' });
		await quiet(page);
		await open(page, look, 'History');
		await fit(page);
	});
}

async function plans() {
	writeFileSync(join(studio.path, 'fake.json'), JSON.stringify({ gap: 0.05 }));
	const request = httpClient(studio.url, studio.token, 'person', '1');
	const person = { call: (tool, args) => request('tools/call', { name: tool, arguments: args }) };
	const { planId } = await call('run_terraform', { command: 'plan', force: true });
	await call('run_terraform', { command: 'apply', confirmed: true, force: true, planId }, person);
	await call('remove_resource', { instanceId: ids.vault });
	await call('update_resource', { instanceId: ids.plan, properties: { sku_name: 'P2v3' } });
	await call('add_resource', { typeId: 'azurerm/networking/public_ip', label: 'Entry', parentId: ids.rg });
	await call('layout_diagram');
	await call('run_terraform', { command: 'plan', force: true });
	await scene('plan', async (page, look) => {
		await shut(page, look);
		const chip = page.getByRole('group', { name: 'What lies over the diagram' }).getByRole('button', { name: 'Costs' });
		if ((await chip.getAttribute('aria-pressed')) === 'true') await chip.click();
		await page.evaluate(() => document.querySelectorAll('.above [aria-label=Dismiss]').forEach((one) => one.click()));
		await open(page, look, 'Plan');
		await page.locator('.node[data-plan]').first().waitFor();
		await quiet(page);
		await fit(page);
	});
}

/* SC-160 to 162: who is here; following one goes where they look, until the hand moves the view itself. */
async function presence() {
	const [a, b] = [pages.light, pages.dark];
	await a.evaluate(() => localStorage.setItem('tenon.studio.shared.all', 'true'));
	await shut(a, 'light');
	await shut(b, 'dark');
	await fit(a);
	await choose(a, ids.net);
	const who = b.getByRole('list', { name: 'Who is here' }).getByRole('button', { name: /in another tab, has selected Shop network/ });
	await who.waitFor();
	await fit(b);
	await wait(250);
	await clean(b, 'presence');
	await b.screenshot({ path: join(pictures, 'studio-presence-dark.png') });
	await who.click();
	await b.getByText(/^Following/).first().waitFor();
	for (let i = 0; i < 4; i++) await a.getByRole('button', { name: 'Zoom in' }).click();
	const zoom = async (page) => parseFloat(await page.locator('.zoom .value').textContent());
	await until('the view is theirs', async () => Math.abs((await zoom(b)) - (await zoom(a))) < 3);
	await b.getByRole('button', { name: 'Zoom out' }).click();
	await until('no longer', async () => (await b.locator('.following').count()) === 0);
	const own = await zoom(b);
	await a.getByRole('button', { name: 'Zoom in' }).click();
	await wait(500);
	assert((await zoom(b)) === own, 'the view still follows');
	// SC-142: what changes outside the view is counted at its edge.
	for (let i = 0; i < 8; i++) await b.getByRole('button', { name: 'Zoom in' }).click();
	await call('update_resource', { instanceId: ids.plan, properties: {}, label: 'Plan B' });
	await call('update_resource', { instanceId: ids.app, properties: {}, label: 'Site' });
	await b.getByRole('button', { name: /changes? outside the view/ }).first().waitFor();
	await fit(b);
	await until('all in sight', async () => (await b.getByRole('button', { name: /outside the view/ }).count()) === 0);
	await a.evaluate(() => localStorage.setItem('tenon.studio.shared.all', 'false'));
}

/* 300 nodes, every panel, in every look (SC-205). */
async function many() {
	const made = await studio.call('new_project', { name: 'Yard', directoryPath: studio.home.folder });
	yard = made.project?.id ?? made.id;
	const operations = [];
	for (let g = 0; g < 6; g++) {
		operations.push({ as: `g${g}`, tool: 'add_resource', arguments: { typeId: 'azurerm/core/resource_group', label: `Group ${g + 1}` } });
		operations.push({ as: `n${g}`, tool: 'add_resource', arguments: { typeId: 'azurerm/networking/virtual_network', label: `Network ${g + 1}`, parentId: `$g${g}.instanceId` } });
		for (let i = 0; i < 8; i++) operations.push({ tool: 'add_resource', arguments: { typeId: 'azurerm/networking/subnet', label: `Subnet ${i + 1}`, parentId: `$n${g}.instanceId` } });
		for (let i = 0; i < 40; i++) operations.push({ tool: 'add_resource', arguments: { typeId: i % 2 ? 'azurerm/compute/app_service_plan' : 'azurerm/networking/public_ip', label: `Thing ${i + 1}`, parentId: `$g${g}.instanceId` } });
	}
	for (let i = 0; i < operations.length; i += 50) {
		// A batch knows the names it gave itself: one group at a time.
		const done = await studio.call('execute_batch', { project: yard, operations: operations.slice(i, i + 50) });
		assert(done.results.length === 50, 'a group is not whole');
	}
	await studio.call('layout_diagram', { project: yard });
}
const PANELS = ['Add', 'Outline', 'Search', 'History', 'Properties', 'Problems', 'Run', 'Plan', 'Costs', 'Code'];
const opened = (look) => async () => {
	const page = pages[look];
	page.setDefaultTimeout(30_000);
	await page.goto(`${studio.url}/#/studio/${yard}`);
	await page.getByText('Group 6').first().waitFor();
	await fit(page);
	await wait(300);
	await page.screenshot({ path: join(pictures, `studio-far-${look}.png`) });
	for (let i = 0; i < 8; i++) await page.getByRole('button', { name: 'Zoom in' }).click();
	await page.screenshot({ path: join(pictures, `studio-near-${look}.png`) });
	await fit(page);
};
const panel = (look, name) => async () => {
	await open(pages[look], look, name);
	await wait(250);
	await clean(pages[look], `300 nodes, ${name}, ${look}`);
};
async function looks() {
	const page = pages.light;
	await shut(page, 'light');
	await page.keyboard.press('Control+,');
	const dialog = page.getByRole('dialog', { name: 'How it looks and behaves' });
	await dialog.waitFor();
	await clean(page, 'the settings');
	for (const [label, values] of [['Contrast', ['high']], ['Colours', ['redgreen', 'blueyellow', 'usual']], ['Text in panels', ['150', '100']]])
		for (const value of values) {
			await dialog.getByLabel(label).selectOption(value);
			await wait(150);
			await clean(page, `${label}: ${value}`);
		}
	await page.keyboard.press('Escape');
	await fit(page);
	await clean(page, 'high contrast');
	await page.screenshot({ path: join(pictures, 'studio-contrast-light.png') });
	await page.emulateMedia({ colorScheme: 'dark' });
	await clean(page, 'high contrast, dark');
	await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
	await wait(150);
	await clean(page, 'the colours of the system');
	await page.emulateMedia({ forcedColors: 'none', contrast: 'more' });
	await clean(page, 'more contrast');
}

async function calm() {
	await each((page, look) => assert(page.context().faults.length === 0, `${look}: ${page.context().faults.join(' | ')}`));
}

await steps('studio-look', [
	['a project in three looks', bringUp],
	['SC-187, SC-205: empty', empty],
	['SC-205, SC-188: a diagram, its properties, the first steps', threeTier],
	['SC-076, SC-205: connecting', connecting],
	['SC-095, SC-125, SC-100, SC-141, SC-205: problems, costs, code, history', problems],
	['SC-113, SC-205: a plan', plans],
	['SC-142, SC-160 to SC-162: who is here, followed, and beyond the view', presence],
	['300 nodes', many],
	...['light', 'dark', 'narrow-light'].flatMap((look) => [
		[`300 nodes, ${look}`, opened(look)],
		...PANELS.map((name) => [`SC-205, SC-191: 300 nodes, ${name}, ${look}`, panel(look, name)]),
	]),
	['SC-190, SC-205: contrast, colours, text, the colours of the system', looks],
	['SC-258: no violation of the policy', calm],
], { timeout_ms: 300_000 });
await studio.end();
process.exit(failures ? 1 : 0);
