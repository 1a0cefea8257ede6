// studio-menu.mjs - the menu of what is selected, by mouse and by keys: each act has its key beside it where there is one
// (SC-055).
import { assert, failures, steps } from '../clients/results.mjs';
import { axeFaults } from './browser.mjs';
import { until } from './home.mjs';
import { grip, node, Studio } from './studio.mjs';

const studio = new Studio(8300);
const suite = 'browser-studio-menu';
let page, ids;

const equal = (x, y, what = '') => assert(JSON.stringify(x) === JSON.stringify(y), `${what} is ${JSON.stringify(x)}, not ${JSON.stringify(y)}`);
const menu = () => page.getByRole('menu');
const item = (name) => menu().getByRole('menuitem', { name });
const ofType = async (typeId) => (await studio.served()).nodes.filter((one) => one.typeId === typeId);

async function bringUp() {
	await studio.start();
	await studio.newProject('Shop');
	ids = await studio.build();
	page = await studio.page();
	await node(page, ids.vault).waitFor();
	await page.getByRole('button', { name: 'No more hints' }).click();
	await page.getByRole('button', { name: 'Show everything' }).click();
}

async function choose() {
	const at = await grip(page, ids.vault);
	await page.mouse.click(at.x, at.y);
	await until('selected', async () => (await node(page, ids.vault).getAttribute('class')).includes('selected'));
}

async function cutByMenu() {
	const before = (await studio.served()).nodes.length;
	await choose();
	const at = await grip(page, ids.vault);
	await page.mouse.click(at.x, at.y, { button: 'right' });
	await item(/^Cut/).waitFor();
	equal(await item(/^Cut/).locator('kbd').textContent(), 'Ctrl X', 'the key of Cut');
	for (const [name, key] of [[/^Rename/, 'F2'], [/^Properties/, 'Alt 5'], [/^Connect to/, 'C'], [/^Put into/, 'P'], [/^Copy/, 'Ctrl C'], [/^Duplicate/, 'Ctrl D'], [/^Remove/, 'Del']])
		equal(await item(name).locator('kbd').textContent(), key, `the key of ${name}`);
	// Text that is selected somewhere else is not what is meant.
	await page.evaluate(() => getSelection().selectAllChildren(document.querySelector('aside .properties h2')));
	await item(/^Cut/).click();
	await node(page, ids.vault).waitFor({ state: 'detached' });
	const text = await page.evaluate(() => globalThis.navigator.clipboard.readText());
	equal(JSON.parse(text).nodes.map((one) => one.instanceId), [ids.vault], 'what lies on the clipboard');
	// What was cut is pasted as it was, and is one change that can be taken back.
	await page.locator('[role=application]').focus();
	await page.keyboard.press('Control+v');
	await until('it is there again', async () => (await studio.served()).nodes.length === before);
	await page.keyboard.press('Control+z');
	await until('pasting is taken back', async () => (await studio.served()).nodes.length === before - 1);
	await page.keyboard.press('Control+z');
	await until('cutting is taken back', async () => (await studio.served()).nodes.some((one) => one.instanceId === ids.vault));
}

async function cutByKeys() {
	await node(page, ids.vault).waitFor();
	await choose();
	await page.keyboard.press('Shift+F10');
	await menu().waitFor();
	await page.keyboard.type('cut'); // a menu as long as a container's is searched
	await page.keyboard.press('Enter');
	await node(page, ids.vault).waitFor({ state: 'detached' });
	await page.keyboard.press('Control+z');
	await until('taken back', async () => (await ofType('azurerm/security/key_vault')).length === 1);
}

/* What the keys need is loaded with the first selection, and may take its time. */
async function atOnce() {
	let asked = 0;
	await studio.context.route(/filled/, async (route) => {
		asked++;
		await new Promise((done) => setTimeout(done, 700));
		await route.continue();
	});
	const late = await studio.page();
	await node(late, ids.vault).waitFor();
	const at = await grip(late, ids.vault);
	await late.mouse.click(at.x, at.y);
	await until('selected', async () => (await node(late, ids.vault).getAttribute('class')).includes('selected'));
	await late.evaluate(() => globalThis.navigator.clipboard.writeText('something else'));
	await late.keyboard.press('Control+x');
	await node(late, ids.vault).waitFor({ state: 'detached' });
	const text = await late.evaluate(() => globalThis.navigator.clipboard.readText());
	equal(JSON.parse(text).nodes.map((one) => one.instanceId), [ids.vault], 'what lies on the clipboard');
	await late.keyboard.press('Control+z');
	await until('taken back', async () => (await ofType('azurerm/security/key_vault')).length === 1);
	assert(asked > 0, 'nothing was loaded late');
	await studio.context.unroute(/filled/);
	await late.close();
}

/* So is the search for a type: what is typed meanwhile is typed into it, and none of its letters is an act. */
async function typedAtOnce() {
	let asked = 0;
	await studio.context.route(/menus/, async (route) => {
		asked++;
		await new Promise((done) => setTimeout(done, 700));
		await route.continue();
	});
	const late = await studio.page();
	await node(late, ids.vault).waitFor();
	await late.locator('[role=application]').focus();
	const before = await studio.truth();
	await late.keyboard.press('/');
	await late.keyboard.type('key vault');
	equal(await late.getByRole('dialog').getByRole('combobox').inputValue(), 'key vault', 'what is searched for');
	await late.getByRole('dialog').getByRole('option', { name: /^Key Vault/ }).first().waitFor();
	assert(asked > 0, 'nothing was loaded late');
	await late.keyboard.press('Escape');
	equal(await studio.truth(), before, 'the diagram');
	await studio.context.unroute(/menus/);
	await late.close();
}

async function layOutSeveral() {
	await node(page, ids.vault).waitFor();
	await choose();
	await page.keyboard.press('Control+a'); // all of its level
	await page.keyboard.press('Control+Shift+L');
	await page.getByText(/^Lay out \d+ resources/).first().waitFor();
	await page.keyboard.press('Escape');
}

/* The groups of the palette: folded up by a press on their title or with the left arrow, and they stay so in this browser. */
async function foldedGroups() {
	const panel = page.locator('[data-panel="add"]');
	const group = (name) => panel.locator('.title', { hasText: name });
	const subnet = panel.getByRole('option', { name: /^Subnet/ });
	await subnet.waitFor();
	equal(await group('Networking').first().locator('.num').textContent(), '15', 'how many are in it');
	await group('Networking').first().click();
	await subnet.waitFor({ state: 'detached' });
	await page.reload();
	await group('Networking').first().waitFor();
	equal(await subnet.count(), 0, 'rows of a group that was folded up');
	// By keys: left folds the one of the row that is meant, right opens it again.
	const field = panel.getByRole('combobox');
	await field.focus();
	const first = await panel.getByRole('option').first().textContent();
	await page.keyboard.press('ArrowLeft');
	await until('folded by keys', async () => (await panel.getByRole('option').first().textContent()) !== first);
	await page.keyboard.press('ArrowRight'); // the nearest before it
	await subnet.waitFor();
	await page.keyboard.press('ArrowRight');
	await until('open again by keys', async () => (await panel.getByRole('option').first().textContent()) === first);
	// What is searched for is found, folded up or not.
	await field.fill('subnet');
	await subnet.first().waitFor();
	await field.fill('');
	equal(await axeFaults(page), [], 'axe (SC-205)');
}

await steps(suite, [
	['the three tiers', bringUp],
	['SC-055: cut by the menu, with the keys beside the entries', cutByMenu],
	['SC-055: cut by keys alone', cutByKeys],
	['SC-055: cut by its key right after the first selection', atOnce],
	['SC-042: the search for a type is typed into before it is there', typedAtOnce],
	['SC-055, SC-061: those that are selected are laid out by their key', layOutSeveral],
	['SC-040: groups of the palette fold', foldedGroups],
]);
await studio.end();
process.exit(failures ? 1 : 0);
