// studio-odd.mjs - diagrams that nobody would draw and files that nobody would send: whatever the daemon serves is drawn, text is
// text, what is too large is said before, and a project that goes away says so (studio-canvas.md SC-238, 240, 241, 255, 266).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { assert, failures, steps } from '../clients/results.mjs';
import { axeFaults } from './browser.mjs';
import { PATIENCE_MS, until } from './home.mjs';
import { node, shown, Studio } from './studio.mjs';

const studio = new Studio(6700);
let a;
const equal = (x, y, what = '') => assert(JSON.stringify(x) === JSON.stringify(y), `${what} is ${JSON.stringify(x)}, not ${JSON.stringify(y)}`);
const uuid = (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const button = (name, within = a) => within.getByRole('button', { name, exact: true });
const HOSTILE = ['<img src=x onerror=globalThis.hit=1>', '"><script>globalThis.hit=1</script>', "' onmouseover='globalThis.hit=1", '</b><style>*{display:none}</style>', 'javascript:globalThis.hit=1', '{@html hit}', '${hit}'];

async function bringUp() {
	await studio.start();
	await studio.newProject('Shop');
	a = await studio.page();
	a.setDefaultTimeout(PATIENCE_MS);
	await a.getByText('Describe it to your assistant').waitFor();
}

/* A project as a file that was written by hand, opened by the assistant; the page goes there. */
async function opened(name, nodes, edges = []) {
	await studio.call('new_project', { name, directoryPath: studio.home.folder });
	const path = join(studio.home.folder, name);
	const id = (await studio.call('list_projects')).open.find((one) => one.name === name).id;
	await studio.call('close_project', { project: id });
	const file = join(path, 'diagram.json');
	writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), nodes, edges }));
	const answer = await studio.call('open_project', { projectPath: path });
	studio.id = answer.project?.id ?? answer.projectId;
	studio.path = path;
	await a.goto(`${studio.url}/#/studio/${studio.id}`);
	return studio.id;
}

/* SC-238 */
async function oddOnes() {
	const group = 'azurerm/core/resource_group';
	const nodes = [
		{ typeId: 'nobody/knows/this', label: 'Unknown' },
		{ typeId: group, label: 'x'.repeat(128) },
		{ typeId: group, label: 'مجموعة الموارد' },
		{ typeId: group, label: 'Z̸̡̛͎̻a̶̢̛l̵g̷o̶ ‮reversed' },
		{ typeId: group, label: '' },
		{ typeId: group, label: 'Far', position: { x: -9_000_000, y: 8_000_000 } },
		{ typeId: group, label: 'Small', size: { width: 1, height: 1 } },
		{ typeId: group, label: 'Huge', size: { width: 900_000, height: 700_000 } },
		{ typeId: 'azurerm/compute/app_service_plan', label: 'Nowhere legal' },
	].map((one, i) => ({ id: uuid(i + 1), terraformName: `odd_${i}`, position: { x: 40 + 300 * i, y: 40 }, properties: {}, ...one }));
	const plain = [{ id: uuid(100), typeId: group, label: 'Plain', terraformName: 'plain', position: { x: 40, y: 400 }, properties: {} }];
	let id;
	try {
		id = await opened('Odd', [...nodes, ...plain]);
	} catch (error) {
		throw new Error(`it is not opened: ${error.message}`);
	}
	assert(id, 'no project');
	await node(a, uuid(100)).waitFor();
	const served = await studio.served();
	await until('all that the daemon serves', async () => Object.keys((await shown(a)).nodes).length === served.nodes.length);
	await studio.same(a, 'of odd nodes');
	equal(studio.context.faults, [], 'faults of the page');
	assert(served.nodes.some((one) => one.typeId === 'nobody/knows/this'), 'the daemon does not serve the unknown one');
	assert((await node(a, uuid(1)).getAttribute('aria-label')).includes('nobody/knows/this'), 'the unknown type is not named');
	assert(/unknown/.test(await node(a, uuid(1)).getAttribute('class')), 'it does not look unknown');
}

/* SC-238: a great many. */
async function many() {
	const group = 'azurerm/core/resource_group';
	const nodes = Array.from({ length: 3000 }, (_, i) => ({ id: uuid(i + 1), typeId: group, label: `Group ${i}`, terraformName: `group_${i}`, position: { x: 40 + 700 * (i % 60), y: 40 + 500 * Math.floor(i / 60) }, properties: { name: `rg-${i}` } }));
	await opened('Many', nodes);
	await until('all of them', async () => (await a.locator('.canvas [role="group"][data-id]').count()) === nodes.length, 60_000);
	await studio.call('update_resource', { project: studio.id, instanceId: uuid(7), properties: {}, label: 'Renamed among many' });
	await until('and a change', async () => (await node(a, uuid(7)).getAttribute('aria-label')).includes('Renamed among many'));
	equal(studio.context.faults, [], 'faults of the page');
}

/* SC-238: as many as a diagram may have. */
async function most() {
	const group = 'azurerm/core/resource_group';
	const nodes = Array.from({ length: 10_000 }, (_, i) => ({ id: uuid(i + 1), typeId: group, label: `Group ${i}`, terraformName: `group_${i}`, position: { x: 40 + 700 * (i % 100), y: 40 + 500 * Math.floor(i / 100) }, properties: { name: `rg-${i}` } }));
	await opened('Most', nodes);
	await until('all of them', async () => (await a.locator('.canvas [role="group"][data-id]').count()) === nodes.length, 90_000);
	equal(studio.context.faults, [], 'faults of the page');
	await studio.call('close_project', { project: studio.id, discard: true });
}

/* SC-238: containers that stand in each other. */
async function circle() {
	const group = 'azurerm/core/resource_group';
	const ring = ['azurerm/networking/virtual_network', 'azurerm/networking/virtual_network', group].map((typeId, i) => ({ id: uuid(i + 1), typeId, label: `Ring ${i}`, terraformName: `ring_${i}`, position: { x: 40, y: 40 }, properties: {}, ...(i < 2 ? { parentId: uuid(2 - i) } : {}) }));
	const id = await opened('Ring', [...ring, { id: uuid(9), typeId: group, label: 'Itself', terraformName: 'itself', position: { x: 400, y: 40 }, properties: {}, parentId: uuid(9) }]).catch((error) => error.message);
	if (/PROJECT_INVALID/.test(id)) return; // it is not opened, and says where
	const served = await studio.served();
	await until('what the daemon made of it', async () => Object.keys((await shown(a)).nodes).length === served.nodes.length, 90_000);
	await studio.same(a, 'of containers in each other');
	equal(studio.context.faults, [], 'faults of the page');
}

/* SC-255, SC-256: text of others is text, wherever it stands, and nothing of theirs looks like a question. */
async function textIsText() {
	studio.id = (await studio.call('list_projects')).open.find((one) => one.name === 'Shop').id;
	await a.goto(`${studio.url}/#/studio/${studio.id}`);
	const added = [];
	for (const label of HOSTILE) added.push((await studio.call('add_resource', { project: studio.id, typeId: 'azurerm/core/resource_group', label })).instanceId);
	await studio.call('add_resource', { project: studio.id, typeId: 'builtin/annotation/note', label: HOSTILE[0], notes: HOSTILE.join('\n') }).catch(() => undefined);
	await studio.call('show_on_canvas', { project: studio.id, instanceIds: added, message: HOSTILE.slice(0, 3).join(' ') });
	for (const id of added) await node(a, id).waitFor();
	for (const panel of ['Outline', 'History', 'Problems', 'Code', 'Costs']) {
		await a.getByRole('button', { name: panel }).first().click();
		await a.waitForTimeout(150);
	}
	await until('the message', async () => (await a.getByText('<img src=x onerror', { exact: false }).count()) > 2);
	equal(await a.evaluate(() => globalThis.hit), undefined, 'what a text has run');
	equal(await a.evaluate(() => document.querySelectorAll('section.work img, section.work script, section.work style, section.work [onmouseover]').length), 0, 'elements made of text');
	for (const [i, id] of added.entries()) assert((await node(a, id).locator('.label').first().textContent()) === HOSTILE[i], `the label is ${await node(a, id).locator('.label').first().textContent()}`);
	equal(await a.locator('section.work').getByRole('button', { name: /Approve/ }).count(), 0, 'buttons that look like a question');
	equal(studio.context.faults, [], 'faults of the page');
}

/* SC-241: said before the work, with the number. */
async function tooLarge() {
	const before = (await studio.served()).nodes.length;
	await a.evaluate(() => document.querySelector('.canvas [tabindex="0"]')?.focus());
	const clip = JSON.stringify({ tenon: 'studio', version: 1, project: 'x', nodes: Array.from({ length: 10_001 }, (_, i) => ({ instanceId: uuid(i), typeId: 'azurerm/core/resource_group' })), edges: [] });
	await a.evaluate((text) => {
		const data = new DataTransfer();
		data.setData('text/plain', text);
		(document.activeElement ?? document.body).dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
	}, clip);
	await a.getByText(/10,001/).first().waitFor();
	equal((await studio.served()).nodes.length, before, 'nodes');
	const huge = join(studio.home.folder, 'huge.tf');
	writeFileSync(huge, Buffer.alloc(33 * 1024 * 1024, '#'));
	await a.locator('.canvas').click({ button: 'right', position: { x: 5, y: 5 } });
	await a.getByRole('menuitem', { name: 'Import Terraform …' }).click();
	await a.getByRole('dialog').locator('input[type="file"]').setInputFiles(huge);
	await a.getByText(/33 MiB, and at most 32 MiB/).first().waitFor();
	await a.keyboard.press('Escape');
	equal((await studio.served()).nodes.length, before, 'nodes');
}

/* SC-266: a pointer, keys and a tool make the same document, but for its ids. */
async function threeWays() {
	const document_ = async (name, act) => {
		await studio.call('new_project', { name, directoryPath: studio.home.folder });
		studio.id = (await studio.call('list_projects')).open.find((one) => one.name === name).id;
		await a.goto(`${studio.url}/#/studio/${studio.id}`);
		await a.getByText('Describe it to your assistant').waitFor();
		await act();
		await until('two resources', async () => (await studio.served()).nodes.length === 2);
		await studio.call('save_project', { project: studio.id });
		const { nodes, edges } = JSON.parse(readFileSync(join(studio.home.folder, name, 'diagram.json'), 'utf8'));
		const short = new Map(nodes.map((one, i) => [one.id, `#${i}`]));
		return JSON.stringify({ nodes, edges }).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => short.get(id) ?? 'id');
	};
	const row = (name) => a.locator('[data-panel="add"] [role="option"]', { hasText: name }).first();
	const pointer = await document_('Pointer', async () => {
		if ((await a.locator('[data-panel="add"]').count()) === 0) await button('Add').last().click();
		await row('Resource Group').dblclick();
		await until('one', async () => (await studio.served()).nodes.length === 1);
		const [{ instanceId }] = (await studio.served()).nodes;
		await until('it is selected', async () => /selected/.test(await node(a, instanceId).getAttribute('class')));
		await row('Virtual Network').dblclick();
	});
	const keys = await document_('Keys', async () => {
		for (const name of ['Resource Group', 'Virtual Network']) {
			const count = (await studio.served()).nodes.length;
			await a.keyboard.press('Control+k');
			await a.keyboard.type(name);
			const found = a.getByRole('dialog');
			await until('all of it is typed', async () => (await found.getByRole('combobox').inputValue()) === name);
			await found.getByRole('option', { name: new RegExp(name) }).first().waitFor();
			await a.keyboard.press('Enter');
			await until('added', async () => (await studio.served()).nodes.length === count + 1);
			await a.locator('.canvas .node.selected').waitFor();
		}
	});
	const tool = await document_('Tool', async () => {
		const { instanceId } = await studio.call('add_resource', { project: studio.id, typeId: 'azurerm/core/resource_group' });
		await studio.call('add_resource', { project: studio.id, typeId: 'azurerm/networking/virtual_network', parentId: instanceId });
	});
	equal(pointer, tool, 'what a pointer made');
	equal(keys, tool, 'what keys made');
}

/* SC-240: it is closed by somebody else, and it is gone from the disk: said in the daemon's words, and nothing else breaks. */
async function goesAway() {
	const gone = join(studio.home.folder, 'moved-away');
	await studio.call('update_resource', { project: studio.id, instanceId: (await studio.served()).nodes[0].instanceId, properties: {}, label: 'Unsaved' });
	renameSync(join(studio.home.folder, 'Tool'), gone);
	await button('Save').click();
	await a.getByText(/Tool/).first().waitFor();
	const told = await until('the refusal', async () => (await a.locator('[role="alert"], .toast, dialog').allTextContents()).join(' ').trim());
	assert(/save|disk|folder|file|director/i.test(told), told);
	assert((await studio.served()).nodes.some((one) => one.label === 'Unsaved'), 'what was acknowledged is lost');
	// It stays said until it is saved, with what can be done: all of it is still here, to be saved again or taken elsewhere.
	const banner = a.locator('.problem[role="alert"]');
	await button('Export …', banner).waitFor();
	equal(await axeFaults(a), [], 'the page of a project whose folder is gone');
	renameSync(gone, join(studio.home.folder, 'Tool'));
	mkdirSync(gone);
	await button('Save', banner).click();
	await until('saved', async () => !(await studio.call('list_projects')).open.find((one) => one.id === studio.id).dirty);
	await banner.waitFor({ state: 'detached' });
	await studio.call('close_project', { project: studio.id });
	await banner.waitFor();
	equal(await axeFaults(a), [], 'the page of a project that is gone');
	// Somebody else has it by now: who is said, and when they are done it opens.
	const other = spawn('flock', [join(studio.home.folder, 'Tool/.tenon/document.lock'), 'sh', '-c', 'echo held; cat']);
	await once(other.stdout, 'data');
	await button('Open it again', banner).click();
	await banner.getByText(/has (had )?the project open/).waitFor();
	await button('All projects', banner).waitFor();
	other.stdin.end();
	await once(other, 'exit');
	await button('Open it again', banner).click();
	await banner.waitFor({ state: 'detached' });
	await studio.same(a, 'opened again');
	equal(studio.context.faults, [], 'faults of the page');
}

await steps('browser-studio-odd', [
	['a page', bringUp],
	['SC-238: whatever the daemon serves is drawn', oddOnes],
	['SC-238: three thousand are drawn, and a change among them', many],
	['SC-238: ten thousand', most],
	['SC-238: containers in each other', circle],
	['SC-255, SC-256: text of others is text', textIsText],
	['SC-241: what is too large is said before', tooLarge],
	['SC-266: pointer, keys and tool make the same document', threeWays],
	['SC-240: a project that goes away says so', goesAway],
]);
await studio.end();
process.exit(failures ? 1 : 0);
