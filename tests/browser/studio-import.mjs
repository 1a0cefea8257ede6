// studio-import.mjs - existing Terraform comes in, from the start page and into a project: what was found, what becomes of it,
// where to, how it is laid out, and the proof, with files that were written for other tools and with the real engine, whose
// state lies in a backend of its own (studio-canvas.md SC-180, SC-181, SC-185).
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { assert, failures, skipped, steps } from '../clients/results.mjs';
import { axeFaults, NARROW, newContext } from './browser.mjs';
import { PATIENCE_MS, until } from './home.mjs';
import { Studio } from './studio.mjs';

const DATA = new URL('../data/studio/import/', import.meta.url).pathname;
const pictures = process.env.TENON_SCREENSHOTS ?? 'out/screenshots';
mkdirSync(pictures, { recursive: true });
const studio = new Studio(7300);
let a, states, stateUrl;
const equal = (x, y, what = '') => assert(JSON.stringify(x) === JSON.stringify(y), `${what} is ${JSON.stringify(x)}, not ${JSON.stringify(y)}`);
const button = (name, within = a) => within.getByRole('button', { name, exact: true });
const dialog = () => a.getByRole('dialog', { name: 'Import Terraform' });
const list = (name) => dialog().locator('details', { has: a.locator('summary', { hasText: name }) });
const open = async () => (await studio.call('list_projects')).open;
const files = (folder) => readdirSync(join(DATA, folder)).map((name) => ({ name, mimeType: 'text/plain', buffer: readFileSync(join(DATA, folder, name)) }));
const text = (name, words) => [{ name, mimeType: 'text/plain', buffer: Buffer.from(words) }];
const hasEngine = (() => {
	try {
		execFileSync('terraform', ['version'], { stdio: 'ignore' });
		return true;
	} catch {
		return false;
	}
})();

/* What keeps states: the engine's backend "http". */
function keeper() {
	const kept = new Map();
	const server = createServer((request, answer) => {
		const parts = [];
		request.on('data', (part) => parts.push(part));
		request.on('end', () => {
			if (request.method === 'POST') kept.set(request.url, Buffer.concat(parts));
			if (request.method === 'GET' && !kept.has(request.url)) answer.statusCode = 404;
			answer.end(request.method === 'GET' ? (kept.get(request.url) ?? '') : '');
		});
	});
	return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

/* The start page as it is when it is opened. */
async function start() {
	await a.goto(`${studio.url}/#/studio`);
	await a.reload();
	await a.getByRole('heading', { name: 'Import Terraform' }).waitFor();
}
const chooser = () => a.locator('.start input[type=file]');

async function bringUp() {
	states = await keeper();
	stateUrl = `http://127.0.0.1:${states.address().port}`;
	await studio.start({ viewport: { width: 1280, height: 900 } });
	a = await studio.page('studio');
	a.setDefaultTimeout(PATIENCE_MS);
	await a.getByText('No project is open.').waitFor();
}

/* SC-185, SC-181: without any project: looked at first, then one is made of it. */
async function fromTheStart() {
	await chooser().setInputFiles([...files('mixed'), ...text('part.tf', 'resource "azurerm_resource_group" "half" {\n  name       = "rg-half"\n  location   = "westeurope"\n  managed_by = "somebody"\n}\n')]);
	await dialog().waitFor();
	await dialog().getByText(/^Would become \d+ resource/).waitFor();
	equal(await open(), [], 'projects after looking');
	assert((await dialog().textContent()).includes('main.tf'), 'the files are not named');
	// In part, with file, line and attribute; what stays, with why.
	for (const name of ['In part', 'Kept as text']) await list(name).locator('summary').click();
	const partial = await list('In part').locator('li').first().textContent();
	assert(/part\.tf:\d+.*managed_by/.test(partial), `in part: ${partial}`);
	await list('Kept as text').locator('li').first().waitFor();
	const before = await dialog().locator('.lists li').count();
	await dialog().getByLabel('Filter the lists').fill('no such thing anywhere');
	await until('the filter', async () => (await dialog().locator('.lists li').count()) === 0);
	await dialog().getByLabel('Filter the lists').fill('');
	await until('all again', async () => (await dialog().locator('.lists li').count()) === before);
	equal(await axeFaults(a), [], 'faults');
	await a.screenshot({ path: join(pictures, 'studio-import-start-light.png') });
	// Nothing is made without a name; what is wrong with the folder is said, and nothing is lost.
	assert(await button('Import', dialog()).isDisabled(), 'it imports without a name');
	await dialog().getByLabel('Name', { exact: true }).fill('Taken');
	await dialog().getByLabel('Folder', { exact: true }).fill('/no/such/place');
	await button('Import', dialog()).click();
	await dialog().getByRole('alert').waitFor();
	assert((await dialog().getByRole('alert').textContent()).includes('/no/such/place'), 'it does not say where');
	equal(await open(), [], 'projects after what was refused');
	await dialog().getByLabel('Folder', { exact: true }).fill(studio.home.folder);
	await button('Import', dialog()).click();
	await dialog().getByText(/^Imported \d+ resource/).waitFor();
	await button('Go to Taken', dialog()).click();
	await a.locator('.canvas .node').first().waitFor();
	const [one] = await open();
	equal(one.name, 'Taken', 'the project');
	equal((await studio.call('list_changes', { project: one.id })).changes.length, 1, 'changes');
}

/* SC-181: what was not read is said; what would be generated differently stands there, before and after, block by block. */
async function said() {
	await start();
	const odd = `resource "azurerm_resource_group" "half" {\n  name       = "rg-half"\n  location   = "westeurope"\n  managed_by = "somebody"\n}\n`;
	const texts = { 'main.tf': odd, 'other.tf.json': '{}', 'stage.tfvars': 'a = 1\n', 'broken.tf': 'resource "azurerm_subnet" "x" {\n  name = = 1\n}\n' };
	await chooser().setInputFiles(Object.entries(texts).flatMap(([name, words]) => text(name, words)));
	await dialog().getByText(/^Would become/).waitFor();
	await dialog().getByText('Not read: other.tf.json, stage.tfvars').waitFor();
	await list('Not readable').getByText('broken.tf:2:').waitFor();
	const told = await studio.call('import_terraform', { source: 'config', newProject: true, dryRun: true, files: texts }, studio.script);
	assert(told.differences.length > 0, 'there is nothing that differs: another example is needed');
	const [first] = told.differences;
	const proof = dialog().locator('section', { has: a.getByRole('heading', { name: 'Proof' }) });
	await proof.getByText(`${told.differenceCount} difference`, { exact: false }).waitFor();
	await proof.locator('summary').first().click();
	const shown = await proof.locator('details').first().textContent();
	for (const part of [first.address, first.attribute, first.was, first.now]) assert(!part || shown.includes(part), `${part} is not in ${shown}`);
	await button('Cancel', dialog()).click();
	await until('gone', async () => (await dialog().count()) === 0);
}

/* SC-180: dropped on the start page, a plan; and something that is none of it. */
async function dropped() {
	await start();
	const browser = await studio.context.newCDPSession(a);
	const data = { items: [], files: [join(DATA, 'plan.json')], dragOperationsMask: 1 };
	for (const type of ['dragEnter', 'dragOver', 'drop']) await browser.send('Input.dispatchDragEvent', { type, x: 500, y: 400, data });
	await dialog().getByText('Plan:').waitFor();
	await dialog().getByText(/^Would become \d+ resource/).waitFor();
	await button('Cancel', dialog()).click();
	await chooser().setInputFiles(text('notes.txt', 'nothing'));
	await dialog().getByRole('alert').waitFor();
	await button('Cancel', dialog()).click();
}

/* A folder with configuration that has been applied, whose state the backend keeps. */
async function applied(name) {
	const folder = join(studio.home.folder, name);
	mkdirSync(folder);
	writeFileSync(join(folder, 'main.tf'), `terraform {\n  backend "http" {\n    address = "${stateUrl}/${name}"\n  }\n}\n\nvariable "stage" {\n  type    = string\n  default = "test"\n}\n\nlocals {\n  name = "shop-\${var.stage}"\n}\n\nresource "terraform_data" "base" {\n  input = local.name\n}\n\nresource "terraform_data" "app" {\n  count            = 2\n  input            = "app-\${count.index}-\${terraform_data.base.output}"\n  triggers_replace = [terraform_data.base.id]\n}\n\noutput "name" {\n  value = terraform_data.base.output\n}\n`);
	for (const words of [['init', '-input=false'], ['apply', '-auto-approve', '-input=false']]) await promisify(execFile)('terraform', words, { cwd: folder }); // the state is kept by this process
	return folder;
}

/* SC-181: a folder of the machine, laid out from top to bottom, and the plan afterwards is empty. */
async function proved() {
	if (!hasEngine) return skipped('browser-studio-import', 'the plan that proves it', 'terraform is not installed');
	await applied('live');
	await start();
	await button('Choose a folder …').click();
	const folders = a.getByRole('dialog', { name: 'Choose a folder …' });
	await folders.getByLabel('Folder', { exact: true }).fill(join(studio.home.folder, 'live'));
	await button('Choose', folders).click();
	await dialog().getByText(/^Would become 1 resource/).waitFor();
	await dialog().getByText('What would be generated equals what was read.').waitFor();
	await dialog().getByLabel('Name', { exact: true }).fill('Proved');
	await dialog().getByLabel('Folder', { exact: true }).fill(studio.home.folder);
	await dialog().getByLabel('Direction').selectOption('TB');
	await button('Import', dialog()).click();
	await dialog().getByText(/^Imported 1 resource/).waitFor();
	await a.screenshot({ path: join(pictures, 'studio-import-done-light.png') });
	await button('Plan to prove', dialog()).click();
	await dialog().getByText('The plan is empty').waitFor({ timeout: 60_000 });
	equal(await axeFaults(a), [], 'faults');
	await button('Go to Proved', dialog()).click();
	await a.locator('.canvas .node').first().waitFor();
	const { id } = (await open()).find((one) => one.name === 'Proved');
	const places = (await studio.call('get_diagram', { project: id }, studio.script)).nodes.map((one) => one.position);
	assert(new Set(places.map((one) => one.y)).size >= new Set(places.map((one) => one.x)).size, `not from top to bottom: ${JSON.stringify(places)}`);
}

/* SC-181: what the plan would still do is said, and where to look; into this project, below a container, one's own to undo. */
async function notProved() {
	if (!hasEngine) return;
	await studio.newProject('Here');
	const { instanceId } = await studio.call('add_resource', { project: studio.id, typeId: '_annotation/general/region', label: 'Zone' });
	await a.goto(`${studio.url}/#/studio/${studio.id}`);
	await a.locator('.canvas').waitFor();
	const changes = async () => (await studio.call('list_changes', { project: studio.id })).changes.filter((one) => !one.undone).length;
	const before = await changes();
	await a.getByRole('navigation', { name: 'Open projects' }).getByRole('button').click();
	await a.getByRole('menuitem', { name: 'Import' }).click();
	await dialog().locator('input[type=file]').setInputFiles(text('main.tf', 'resource "terraform_data" "new" {\n  input = "x"\n}\n'));
	await dialog().getByText(/^Would become 1 resource/).waitFor();
	await dialog().getByLabel('Container', { exact: true }).selectOption({ label: 'Zone' });
	await button('Import', dialog()).click();
	await dialog().getByText(/^Imported 1 resource/).waitFor();
	equal(await changes(), before + 1, 'changes');
	equal((await studio.served()).nodes.find((one) => one.terraformName === 'new').parentId, instanceId, 'where it stands');
	await button('Plan to prove', dialog()).click();
	await dialog().getByText('1 to add, 0 to change, 0 to destroy', { exact: false }).waitFor({ timeout: 60_000 });
	await button('Show', dialog()).click();
	await a.locator('[data-panel="plan"]').getByText('terraform_data.new').waitFor();
	equal(await dialog().count(), 0, 'dialogs');
}

/* Narrow, dark. */
async function looks() {
	const context = await newContext(studio.browser, { viewport: NARROW, colorScheme: 'dark' });
	const narrow = await studio.page('studio', context);
	await narrow.locator('.start input[type=file]').setInputFiles(files('shop'));
	const it = narrow.getByRole('dialog', { name: 'Import Terraform' });
	await it.getByText(/^Would become/).waitFor();
	equal(await narrow.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, 'scrolling sideways');
	equal(await it.evaluate((one) => one.scrollWidth > one.clientWidth), false, 'the dialog scrolling sideways');
	await narrow.screenshot({ path: join(pictures, 'studio-import-narrow-dark.png') });
	equal(await axeFaults(narrow), [], 'faults');
	await narrow.keyboard.press('Escape');
	await narrow.screenshot({ path: join(pictures, 'studio-start-narrow-dark.png') });
	equal(context.faults, [], 'what went wrong');
	await context.close();
	await start();
	await a.screenshot({ path: join(pictures, 'studio-start-light.png') });
	equal(studio.context.faults, [], 'what went wrong');
}

await steps('browser-studio-import', [
	['a start page without a project', bringUp],
	['SC-185, SC-181: files on the start page become a project', fromTheStart],
	['SC-181: what is not read, and what would differ', said],
	['SC-180: dropped on the start page', dropped],
	['SC-181: the plan that proves it is empty', proved],
	['SC-181: a plan that is not, into this project', notProved],
	['SC-190, SC-191, SC-205: narrow and dark', looks],
]);
states?.close();
await studio.end();
process.exit(failures ? 1 : 0);
