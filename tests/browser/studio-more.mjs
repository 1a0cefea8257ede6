// studio-more.mjs - the studio page around its canvas: projects made, opened, closed and told of; code, costs, search,
// export and import. An assistant works on the same projects (studio-canvas.md 12, 14, 15, 18, 19).
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { assert, failures, steps } from '../clients/results.mjs';
import { axeFaults, newContext, openBrowser } from './browser.mjs';
import { relayClient } from './clients.mjs';
import { Home, PATIENCE_MS, until } from './home.mjs';

const home = new Home(21000 + ((process.pid + 5100) % 9000));
const browser = await openBrowser();
let url, page, assistant;
const ids = {};

const equal = (x, y, what = '') => assert(x === y, `${what} is ${JSON.stringify(x)}, not ${JSON.stringify(y)}`);

async function call(tool, args = {}) {
	const result = await assistant.call(tool, args);
	if (result.isError) throw new Error(JSON.stringify(result.structuredContent));
	return result.structuredContent;
}
const button = (name, within = page) => within.getByRole('button', { name, exact: true });
const tabs = () => page.getByRole('navigation', { name: 'Open projects' });
const here = () => page.evaluate(() => globalThis.location.hash);

async function bringUp() {
	url = (await home.start()).url;
	const token = await home.personToken();
	const context = await newContext(browser);
	await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(url).origin });
	page = await context.newPage();
	page.setDefaultTimeout(PATIENCE_MS);
	await page.goto(`${url}/#/studio?token=${token}`);
	await page.getByText('No project is open.').waitFor();
	assistant = await relayClient(home, 'claude-code', '2.1.7');
}

/* SC-185: a new one, where it is said; what is wrong is said in full and stays. */
async function makesOne() {
	await page.getByLabel('Name', { exact: true }).fill('Shop');
	await page.getByLabel('Folder', { exact: true }).fill('/no/such/place');
	await button('Create').click();
	const alert = page.getByRole('alert');
	await alert.waitFor();
	assert((await alert.textContent()).includes('/no/such/place'), 'the refusal does not say where');
	await page.getByLabel('Folder', { exact: true }).fill(home.folder);
	await button('Create').click();
	await tabs().getByRole('button', { name: 'Shop' }).waitFor();
	ids.Shop = (await call('list_projects')).open[0].id;
	equal(await here(), `#/studio/${ids.Shop}`, 'the address');
}

/* SC-186: an assistant opens another one: said, offered, and this page stays where it is. */
async function staysOnItsOwn() {
	const brief = (await call('new_project', { name: 'Brief', directoryPath: home.folder })).project.id;
	const passing = page.locator('.notices p').filter({ hasText: 'claude-code opened Brief' });
	await passing.waitFor();
	const [said, beside] = [await passing.boundingBox(), await page.locator('aside.right').boundingBox()];
	assert(said.x + said.width <= beside.x || said.y > beside.y + 160, `it covers the head of Properties: ${JSON.stringify([said, beside])}`);
	equal(await axeFaults(page).then((found) => found.join()), '', 'the notice');
	await passing.waitFor({ state: 'detached', timeout: 15_000 }); // by itself
	await call('close_project', { project: brief });
	ids.Yard = (await call('new_project', { name: 'Yard', directoryPath: home.folder })).project.id;
	const notice = page.getByText('claude-code opened Yard');
	await notice.waitFor();
	equal(await here(), `#/studio/${ids.Shop}`, 'the address');
	await tabs().getByRole('link', { name: 'Yard' }).waitFor();
	await button('Go there').click();
	await until('there', async () => (await here()) === `#/studio/${ids.Yard}`);
	await tabs().getByRole('link', { name: 'Shop' }).click();
	await until('and back', async () => (await here()) === `#/studio/${ids.Shop}`);
	equal(await notice.count(), 0, 'notices that were followed');
	// One that is open already is opened again: nothing new, nothing said.
	await call('open_project', { projectPath: join(home.folder, 'Yard') });
	equal((await call('list_projects')).open.find((one) => one.current).name, 'Yard', 'the current one');
	await tabs().getByRole('button', { name: 'Shop' }).click();
	await page.getByRole('menuitem', { name: 'Make it the current one' }).click();
	await until('Shop is the current one', async () => (await call('list_projects')).open.find((one) => one.current).name === 'Shop');
	equal(await notice.count(), 0, 'notices of what was open');
}

/* SC-189: a project with nothing to save closes at once; recent ones are listed, one that is gone is marked (SC-185). */
async function closesAndOpens() {
	await tabs().getByRole('link', { name: 'Yard' }).click();
	await tabs().getByRole('button', { name: 'Yard' }).click();
	await page.getByRole('menuitem', { name: 'Close project' }).click();
	await until('the start page', async () => (await here()) === '#/studio');
	await button('Yard').click();
	await tabs().getByRole('button', { name: 'Yard' }).waitFor();
	await call('close_project', { project: ids.Yard });
	const file = join(home.folder, 'Yard/diagram.json');
	const good = readFileSync(file, 'utf8');
	writeFileSync(file, good.replace('"nodes"', '"nodes" oops'));
	await tabs().getByRole('button').click();
	await page.getByRole('menuitem', { name: 'All projects' }).click();
	await button('Yard').click();
	const alert = page.getByRole('alert');
	await alert.waitFor();
	assert(/PROJECT_INVALID.*diagram\.json, line \d+, column \d+/s.test(await alert.textContent()), await alert.textContent());
	writeFileSync(file, good);
	const faults = await axeFaults(page);
	equal(faults.length, 0, `faults of the start page: ${JSON.stringify(faults)}`);
	await button('Yard').click();
	await tabs().getByRole('button', { name: 'Yard' }).waitFor();
	equal(await here(), `#/studio/${ids.Yard}`, 'the address');
}

/* ---- a diagram to work on ---- */

const node = (name) => page.locator('[data-id]', { has: page.locator(`.label:text-is("${name}")`) }).last();
const project = () => ids.Shop;
const diagram = async () => (await call('get_diagram', { project: project() })).nodes;
const add = async (typeId, label, args = {}) => (await call('add_resource', { project: project(), typeId, label, ...args })).instanceId;
const menu = async (item) => {
	await tabs().getByRole('button').click();
	await page.getByRole('menuitem', { name: item }).click();
};
const panel = (name) => page.getByRole('navigation', { name: 'Panels' }).getByRole('button', { name, exact: false });

/* SC-187: an empty diagram says how to begin, until the first change by anybody. */
async function emptyThenNot() {
	await page.getByRole('link', { name: 'Shop' }).first().click();
	const ways = page.getByText('Describe it to your assistant');
	await ways.waitFor();
	ids.group = await add('azurerm/core/resource_group', 'Group');
	await until('gone with the first node', async () => (await ways.count()) === 0);
	ids.plan = await add('azurerm/compute/app_service_plan', 'Plan', { parentId: ids.group });
	ids.vault = await add('azurerm/security/key_vault', 'Vault', { parentId: ids.group });
	await node('Vault').waitFor();
}

const shownCode = () =>
	page.evaluate(() => [...globalThis.document.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n'));
const lit = () => page.evaluate(() => [...globalThis.document.querySelectorAll('.cm-line.hcl-lit')].map((line) => line.textContent).join('\n'));

/* SC-100: files follow, a node lights its lines, a line leads to its node. */
async function code() {
	await page.setViewportSize({ width: 1280, height: 1100 });
	await panel('Code').click();
	await until('the plan in main.tf', async () => (await shownCode()).includes('"azurerm_service_plan" "plan"'));
	await call('update_resource', { project: project(), instanceId: ids.plan, properties: {}, label: 'Big plan' });
	await node('Big plan').waitFor();
	await node('Vault').click();
	await until('the vault is lit', async () => (await lit()).includes('azurerm_key_vault'));
	assert(!(await lit()).includes('azurerm_service_plan'), 'another node is lit');
	await page.locator('.cm-line', { hasText: 'resource "azurerm_service_plan"' }).click();
	await until('the line selects its node', async () => /selected/.test(await node('Big plan').getAttribute('class')));
	await until('and its lines are lit', async () => (await lit()).includes('azurerm_service_plan'));
	// What was made since the last save (the project was clean when the panel saw it after this save).
	await button('Save').click();
	await until('saved', async () => !(await call('list_projects')).open.find((one) => one.id === project()).dirty);
	await until('the saved text is known', () => button('Changes since save').isEnabled());
	await button('Changes since save').click();
	await call('update_resource', { project: project(), instanceId: ids.vault, properties: { purge_protection_enabled: true } });
	await until('the new line is marked', async () => (await page.locator('.cm-line.hcl-fresh', { hasText: 'purge_protection_enabled' }).count()) === 1);
	equal(await page.locator('.cm-line.hcl-fresh').count(), 1, 'lines that are new');
}

/* SC-101: a node's blocks alone; a line of them leads as well. */
async function blocksAlone() {
	await node('Vault').click();
	await button('Selection').click();
	await until('the vault alone', async () => {
		const text = await shownCode();
		return text.includes('"azurerm_key_vault" "vault"') && !text.includes('azurerm_service_plan') && text.startsWith('# main.tf');
	});
	await page.locator('.cm-line', { hasText: 'sku_name' }).click();
	await until('the field', () => page.evaluate(() => /SKU/.test(globalThis.document.activeElement?.getAttribute('aria-label') ?? '')));
	await button('Selection').click();
	await until('all again', async () => (await shownCode()).includes('azurerm_service_plan'));
}

/* SC-103: a generated file that was edited by hand is not lost without a word. */
async function editedByHand() {
	const file = join(home.folder, 'Shop/terraform/main.tf');
	await button('Write files').click();
	await until('written', () => existsSync(file));
	writeFileSync(file, readFileSync(file, 'utf8') + '# mine\n');
	await call('update_resource', { project: project(), instanceId: ids.vault, properties: { soft_delete_retention_days: 30 } });
	await until('the change is here', async () => (await shownCode()).includes('30'));
	await button('Write files').click();
	const overwrite = button('Overwrite, keep a copy');
	await overwrite.waitFor();
	assert(readFileSync(file, 'utf8').endsWith('# mine\n'), 'it was overwritten');
	equal(await axeFaults(page).then((found) => found.join()), '', 'the question');
	// Theirs stay: nothing is written, and nothing is asked any more.
	await button('Keep theirs').click();
	await until('it is not asked any more', async () => (await overwrite.count()) === 0);
	assert(readFileSync(file, 'utf8').endsWith('# mine\n'), 'what was to be kept is gone');
	// Theirs come in: the import begins with that folder, and says what it found. What the assistant did is told in that
	// corner, until it is dismissed.
	while ((await page.locator('.burst').count()) > 0) await page.locator('.burst').first().getByRole('button', { name: 'Dismiss' }).click();
	await button('Write files').click();
	await button('Import theirs …').click();
	const dialog = page.getByRole('dialog');
	await dialog.getByText(join(home.folder, 'Shop/terraform')).waitFor();
	await dialog.getByText(/Would become [1-9]/).waitFor();
	await button('Cancel', dialog).click();
	// What the user keeps beside them is named.
	writeFileSync(join(home.folder, 'Shop/terraform/mine.tf'), '# by hand\n');
	await button('Write files').click();
	await overwrite.waitFor();
	await overwrite.click();
	await until('overwritten', () => /soft_delete_retention_days\s*= 30/.test(readFileSync(file, 'utf8')));
	assert(!readFileSync(file, 'utf8').includes('# mine'), 'theirs is still there');
	await until('and the word of it is gone', async () => (await overwrite.count()) === 0);
	await page.getByText('Also in this folder, and not of the diagram: mine.tf').waitFor();
	rmSync(join(home.folder, 'Shop/terraform/mine.tf'));
}

/* SC-125: sums are the daemon's, what-if is not stored, keeping it is one change. */
async function costs() {
	await panel('Costs').click();
	const region = page.getByRole('region', { name: 'Costs' });
	const total = async () => (await call('estimate_costs', { project: project() })).total.monthly;
	const shown = async () => Number((await region.locator('.total').textContent()).replace(/[^0-9.]/g, ''));
	const before = await total();
	await until('the total', async () => (await shown()) === before);
	// By each column in both directions.
	const names = () => region.locator('button.name').allInnerTexts();
	await region.getByRole('button', { name: 'Resource', exact: true }).click();
	const forth = await names();
	assert(forth.length > 1, `there is nothing to sort: ${forth}`);
	await region.getByRole('button', { name: 'Resource', exact: true }).click();
	await until('the other way round', async () => JSON.stringify(await names()) === JSON.stringify([...forth].reverse()));
	await region.getByRole('columnheader', { name: 'Resource' }).and(page.locator('[aria-sort=descending]')).waitFor();
	await button('Save').click();
	await until('saved', async () => !(await call('list_projects')).open.find((one) => one.id === project()).dirty);
	await region.getByRole('button', { name: 'What Vault costs is made of' }).click();
	const input = region.getByLabel('Suppose operations 10k');
	await input.fill('1000');
	await until('what it would be', async () => (await shown()) > before);
	equal(await total(), before, 'what is stored');
	const supposed = await shown();
	await region.getByLabel('Group by').selectOption('category');
	await region.getByRole('row', { name: /Security/ }).waitFor();
	await button('Keep', region).click();
	await until('kept', async () => (await total()) === supposed);
	// SC-126: what has come since the last save, with sign and arrow.
	await region.getByText(`↑ +$${(supposed - before).toFixed(2)} since the last save`).waitFor();
	await page.getByRole('group', { name: 'What lies over the diagram' }).getByRole('button', { name: 'Costs' }).click();
	// SC-126: on a container all that is in it.
	await until('the sum on the group', async () => (await node('Group').locator('> .head [data-badge=cost]').textContent()) === `$${supposed.toFixed(2)}`);
	await budget(region, supposed);
}

/* SC-125: what it may cost, and how much of that is left; more is a warning. SC-126: what it cost when it was saved is known after a
 * reload, too. */
async function budget(region, monthly) {
	const field = region.getByLabel('Budget a month');
	const stored = async () => (await call('estimate_costs', { project: project() })).total;
	await field.fill(String(monthly + 10));
	await field.press('Enter');
	await region.getByText('$10.00 below the budget').waitFor();
	equal((await stored()).budget, monthly + 10, 'the budget');
	await field.fill(String(monthly - 5));
	await field.press('Enter');
	await region.getByText('$5.00 over the budget').waitFor();
	equal((await stored()).overBudget, true, 'over the budget');
	equal(await axeFaults(page).then((found) => found.join()), '', 'over the budget');
	await panel('Problems').click();
	await page.getByRole('region', { name: 'Problems' }).getByText(/budget/i).first().waitFor();
	await page.reload();
	await panel('Costs').click();
	await region.getByText(/since the last save$/).waitFor();
	await field.fill('');
	await field.press('Enter');
	await until('no budget', async () => (await stored()).budget === undefined);
	await until('and none is shown', async () => (await region.getByRole('progressbar').count()) === 0);
	await panel('Costs').click();
}

/* SC-132: words and filters; the rest steps back; next walks. */
async function searches() {
	await page.keyboard.press('Control+f');
	const input = page.getByLabel('Search the diagram');
	const status = page.locator('.search [role=status]');
	const count = async (words, what) => {
		await input.fill(words);
		await until(`${words}: ${what}`, async () => (await status.textContent()).startsWith(what));
	};
	await count('vault', '1 match');
	await until('the others step back', async () => /faded/.test(await node('Big plan').getAttribute('class')));
	assert(!/faded/.test(await node('Vault').getAttribute('class')), 'what was found steps back');
	await count('in:group', '2 matches');
	await count('in:"Group" type:plan', '1 match');
	await count('cost>0.5', '2 matches');
	await count('changed', '1 match'); // the vault, since the save
	// What is changed and taken back is as it was.
	await call('update_resource', { project: project(), instanceId: await node('Big plan').getAttribute('data-id'), properties: {}, label: 'Bigger plan' });
	await count('changed', '2 matches');
	await call('undo_change', { project: project() });
	await count('changed', '1 match');
	await count('purge_protection nothing', '0 matches');
	await count('in:group', '2 matches');
	await input.press('Enter');
	await until('the first', async () => (await status.textContent()) === '1 of 2');
	await input.press('Enter');
	await until('the second', async () => (await status.textContent()) === '2 of 2');
	await input.press('Shift+Enter');
	await until('back', async () => (await status.textContent()) === '1 of 2');
	await input.fill('');
	await until('all are there again', async () => (await page.locator('.node.faded').count()) === 0);
}

async function saved(choose) {
	await menu('Export');
	const dialog = page.getByRole('dialog');
	await choose(dialog);
	const [download] = await Promise.all([page.waitForEvent('download'), button('Save', dialog).click()]);
	const bytes = readFileSync(await download.path());
	await button('Close', dialog).click();
	return { name: download.suggestedFilename(), bytes };
}

/* SC-182: what is saved is what the daemon makes. */
async function exports_() {
	const svg = await saved((dialog) => dialog.getByLabel('Format').selectOption('svg'));
	equal(svg.name, 'Shop.svg', 'the name');
	await call('export_diagram', { project: project(), format: 'svg', path: 'out.svg', options: { theme: 'light', legend: true } });
	assert(svg.bytes.equals(readFileSync(join(home.folder, 'Shop/out.svg'))), 'the picture is not the daemon\'s');
	const small = await saved((dialog) => dialog.getByLabel('Size').selectOption('1'));
	const large = await saved((dialog) => dialog.getByLabel('Size').selectOption('4'));
	const width = (png) => png.readUInt32BE(16);
	equal(width(large.bytes), 4 * width(small.bytes), 'the width at 4×');
	const zipped = await saved((dialog) => dialog.getByLabel('Format').selectOption('hcl'));
	const file = join(home.folder, 'out.zip');
	writeFileSync(file, zipped.bytes);
	const { stdout } = await promisify(execFile)('python3', ['-c', 'import zipfile,sys; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(z.read("main.tf").decode(),end="")', file]);
	equal(stdout, (await call('generate_hcl', { project: project(), write: false })).files['main.tf'], 'main.tf of the zip');
}

/* SC-182: on paper there is the diagram, all of it, and nothing to press. */
async function onPaper() {
	const view = await page.locator('.canvas .board').getAttribute('style');
	await page.emulateMedia({ media: 'print' });
	await page.evaluate(() => globalThis.dispatchEvent(new Event('beforeprint')));
	await page.waitForTimeout(100);
	equal(await page.getByRole('button').filter({ visible: true }).evaluateAll((all) => all.map((one) => one.outerHTML.slice(0, 80))).then((all) => all.join()), '', 'buttons on paper');
	equal(await page.getByRole('navigation').filter({ visible: true }).count(), 0, 'lists of pages on paper');
	const outside = () =>
		page.evaluate(() =>
			[...globalThis.document.querySelectorAll('.canvas [data-id]')].map((one) => one.getBoundingClientRect()).filter((r) => r.left < 0 || r.top < 0 || r.right > 1010 || r.bottom > 720 || r.width === 0).length,
		);
	equal(await outside(), 0, 'nodes that are not on the sheet');
	// A sheet has another size than the window: what is told of it late moves nothing.
	const window = page.viewportSize();
	await page.setViewportSize({ width: 1000, height: 640 });
	await page.waitForTimeout(300);
	equal(await outside(), 0, 'nodes that are not on the sheet, of another size');
	await page.setViewportSize(window);
	await page.waitForTimeout(300);
	await page.evaluate(() => globalThis.dispatchEvent(new Event('afterprint')));
	await page.emulateMedia({ media: null });
	await until('the view is as it was', async () => (await page.locator('.canvas .board').getAttribute('style')) === view);
}

/* SC-183: copy and paste through the clipboard, here and in another project; what is sensitive never lies there. */
async function clipboard() {
	const machine = await add('azurerm/compute/virtual_machine', 'Box');
	await call('update_resource', { project: project(), instanceId: machine, properties: { admin_password: 'Canary-1234-secret' } }).catch(() => null);
	await node('Vault').click();
	await page.keyboard.press('Control+a');
	await page.keyboard.press('Control+c');
	const text = await page.evaluate(() => globalThis.navigator.clipboard.readText());
	const clip = JSON.parse(text);
	equal(clip.tenon, 'studio', 'what it says it is');
	assert(!text.includes('Canary'), 'a secret lies on the clipboard');
	await call('remove_resource', { project: project(), instanceId: machine });
	await node('Vault').click();
	await page.keyboard.press('Control+c');
	const before = (await diagram()).length;
	await page.keyboard.press('Control+v');
	await until('one more', async () => (await diagram()).length === before + 1);
	const copies = (await diagram()).filter((one) => one.typeId === 'azurerm/security/key_vault');
	equal(copies.length, 2, 'vaults');
	await tabs().getByRole('link', { name: 'Yard' }).click();
	await page.getByText('Describe it to your assistant').waitFor();
	await page.locator('[role=application]').focus();
	await page.keyboard.press('Control+v');
	await until('in the other project', async () => (await call('get_diagram', { project: ids.Yard })).nodes.some((one) => one.typeId === 'azurerm/security/key_vault'));
	// Other words become a note.
	await page.evaluate(() => globalThis.navigator.clipboard.writeText('remember the milk'));
	await page.locator('[role=application]').focus();
	await page.keyboard.press('Control+v');
	await until('a note', async () => (await call('get_diagram', { project: ids.Yard })).nodes.some((one) => one.notes === 'remember the milk'));
}

const TF = `resource "azurerm_resource_group" "old" {
  name     = "rg-old"
  location = "westeurope"
}
resource "random_id" "one" {
  byte_length = 3
}
`;

/* SC-181: nothing changes before the last step; then it is one change, and one's own to undo. */
async function imports() {
	const revision = async () => (await call('get_diagram', { project: ids.Yard })).revision;
	const before = await revision();
	await page.goto(`${url}/#/studio/${ids.Yard}`);
	await tabs().getByRole('button', { name: 'Yard' }).waitFor();
	await menu('Import');
	const dialog = page.getByRole('dialog');
	await dialog.locator('input[type=file]').setInputFiles([{ name: 'old.tf', mimeType: 'text/plain', buffer: Buffer.from(TF) }]);
	await dialog.getByText('Would become 1 resource, 0 in part; 1 would be kept as text; 0 could not be read.').waitFor();
	equal(await revision(), before, 'the revision after looking');
	await dialog.locator('summary', { hasText: 'Kept as text' }).click();
	await dialog.getByText('random_id').waitFor();
	await button('Import', dialog).click();
	await dialog.getByText('Imported 1 resource.').waitFor();
	equal(await revision(), before + 1, 'the revision: one change');
	await button('Undo', dialog).click();
	await until('undone', async () => !(await call('get_diagram', { project: ids.Yard })).nodes.some((one) => one.terraformName === 'old'));
	// Into a project of its own: this one stays as it is.
	const now = await revision();
	await menu('Import');
	await dialog.locator('input[type=file]').setInputFiles([{ name: 'old.tf', mimeType: 'text/plain', buffer: Buffer.from(TF) }]);
	await dialog.getByText('Would become 1 resource').waitFor();
	await dialog.getByLabel('New project').check();
	await dialog.getByLabel('Name', { exact: true }).fill('Taken');
	await button('Import', dialog).click();
	await button('Go to Taken', dialog).click();
	await tabs().getByRole('button', { name: 'Taken' }).waitFor();
	await until('it is in the new one', async () => {
		const taken = (await call('list_projects')).open.find((one) => one.name === 'Taken');
		return taken && (await call('get_diagram', { project: taken.id })).nodes.some((one) => one.terraformName === 'old');
	});
	equal(await revision(), now, 'the revision of the one before');
	await tabs().getByRole('link', { name: 'Yard' }).click();
	// What cannot be read is said with its place.
	await menu('Import');
	await dialog.locator('input[type=file]').setInputFiles([{ name: 'bad.tf', mimeType: 'text/plain', buffer: Buffer.from('resource "azurerm_resource_group" {\n  name = \n') }]);
	await dialog.getByText(/bad\.tf[:, ]/).first().waitFor();
	await button('Cancel', dialog).click();
}

/* SC-189: closing asks where something would be lost. */
async function closesUnsaved() {
	await menu('Close project');
	const dialog = page.getByRole('dialog');
	await button('Cancel', dialog).click();
	assert((await call('list_projects')).open.some((one) => one.id === ids.Yard), 'closed though cancelled');
	await menu('Close project');
	await button('Discard changes', dialog).click();
	await until('closed', async () => !(await call('list_projects')).open.some((one) => one.id === ids.Yard));
	await call('open_project', { projectPath: join(home.folder, 'Yard') });
	equal((await call('get_diagram', { project: ids.Yard })).nodes.length, 0, 'nodes after discarding');
}

/* SC-189: back at the saved state is saved. */
async function backAtSaved() {
	await page.goto(`${url}/#/studio/${ids.Shop}`);
	await tabs().getByRole('button', { name: 'Shop' }).waitFor();
	await button('Save').click();
	const dirty = async () => (await call('list_projects')).open.find((one) => one.id === project()).dirty;
	await until('saved', async () => !(await dirty()));
	await page.getByRole('button', { name: 'Save', exact: true, disabled: true }).waitFor();
	await call('update_resource', { project: project(), instanceId: ids.vault, properties: {}, label: 'For a moment' });
	await page.getByRole('button', { name: 'Save', exact: true, disabled: false }).waitFor();
	await tabs().getByRole('img', { name: 'not saved yet' }).first().waitFor();
	await call('undo_change', { project: project() });
	await page.getByRole('button', { name: 'Save', exact: true, disabled: true }).waitFor();
	equal(await dirty(), false, 'whether it is unsaved');
}

/* SC-189: files that others changed are neither lost nor taken without a word. */
async function filesChanged() {
	await page.goto(`${url}/#/studio/${ids.Shop}`);
	await tabs().getByRole('button', { name: 'Shop' }).waitFor();
	await call('update_resource', { project: project(), instanceId: ids.vault, properties: {}, label: 'Mine' });
	await node('Mine').waitFor();
	await add('azurerm/core/resource_group', 'Only here');
	const file = join(home.folder, 'Shop/diagram.json');
	writeFileSync(file, readFileSync(file, 'utf8').replace('"Big plan"', '"Their plan"'));
	await page.locator('[role=application]').focus();
	await until('asked', async () => {
		await page.keyboard.press('Control+s');
		return page.getByRole('dialog', { name: 'The files have changed' }).waitFor({ timeout: 1000 }).then(() => true, () => false);
	});
	// What differs: theirs beside mine, in words, before anything is chosen.
	await button('Compare', page.getByRole('dialog')).click();
	const compared = page.getByRole('region', { name: 'Compare' });
	await compared.getByText(/^Label here: Big plan in the files: Their plan$/).waitFor();
	await compared.getByText(/^Label here: Mine in the files: Vault$/).waitFor();
	await compared.getByText('Resource Group, only here').waitFor();
	equal(await compared.locator('b').allTextContents().then((names) => names.sort().join()), 'Big plan,Mine,Only here', 'what differs');
	equal(await axeFaults(page).then((found) => found.join()), '', 'the comparison');
	await button('Cancel', page.getByRole('dialog')).click();
	assert(readFileSync(file, 'utf8').includes('Their plan'), 'their file was overwritten');
	await page.keyboard.press('Control+s');
	await button('Take the files', page.getByRole('dialog')).click();
	await node('Their plan').waitFor();
	equal(await node('Mine').count(), 0, 'what was not saved');
}

/* SC-205 */
async function accessible() {
	await node('Their plan').waitFor();
	await page.keyboard.press('Control+f');
	for (const name of ['Code', 'Costs']) {
		await panel(name).click();
		const faults = await axeFaults(page);
		equal(faults.length, 0, `faults with ${name}: ${JSON.stringify(faults)}`);
	}
	for (const name of ['Export', 'Import']) {
		await menu(name);
		await page.getByRole('dialog').waitFor();
		const faults = await axeFaults(page);
		equal(faults.length, 0, `faults of ${name}: ${JSON.stringify(faults)}`);
		await button('Close', page.getByRole('dialog')).click();
	}
}

/* Nothing that the page does is against its policy, and nothing ends uncaught. */
async function quiet() {
	equal(page.context().faults.length, 0, `faults: ${page.context().faults.join('; ')}`);
}

await steps('browser-studio-more', [
	['the page, and an assistant through the relay', bringUp],
	['a project is made, and what is wrong is said in full (SC-185)', makesOne],
	['an assistant opens another: told, not taken there (SC-186)', staysOnItsOwn],
	['closing, recent ones, and a file that is broken (SC-185, SC-189)', closesAndOpens],
	['an empty diagram, until the first change (SC-187)', emptyThenNot],
	['code follows, lights and leads (SC-100)', code],
	['the blocks of one node (SC-101)', blocksAlone],
	['a generated file that was edited (SC-103)', editedByHand],
	['costs, what if, and sums on containers (SC-125, SC-126)', costs],
	['the search on the canvas (SC-132)', searches],
	['every file that is exported (SC-182)', exports_],
	['what is printed (SC-182)', onPaper],
	['the clipboard (SC-183)', clipboard],
	['the import wizard (SC-180, SC-181)', imports],
	['closing what is not saved (SC-189)', closesUnsaved],
	['back at the saved state (SC-189)', backAtSaved],
	['files that others changed (SC-189)', filesChanged],
	['accessible (SC-205)', accessible],
	['no violation of the policy, no uncaught error', quiet],
]);
await assistant?.end();
await browser.close();
await home.stop();
await home.end();
process.exit(failures ? 1 : 0);
