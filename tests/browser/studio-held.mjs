// studio-held.mjs - what a hand holds when somebody or something comes between (studio-canvas.md sections 7, 10, 24): the
// daemon is killed in the middle of a drag, of typing, of an apply; answers and calls get lost; an assistant moves, puts
// elsewhere, renames, removes what a person drags or types in. Nothing acknowledged is lost, nothing is done twice, text
// that was not sent is still there, and the person is told who did what.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { assert, failures, steps } from '../clients/results.mjs';
import { newContext } from './browser.mjs';
import { httpClient, relayClient } from './clients.mjs';
import { until } from './home.mjs';
import { drag, grip, head, node, shown, Studio, viewOf } from './studio.mjs';

const FAKE = resolve(new URL('../studio/fake_engine', import.meta.url).pathname);
const equal = (x, y, what = '') => assert(JSON.stringify(x) === JSON.stringify(y), `${what} is ${JSON.stringify(x)}, not ${JSON.stringify(y)}`);
const studio = new Studio(5900, { TENON_TERRAFORM: FAKE });
let page, ids;

const call = (tool, args = {}, who) => studio.call(tool, { project: studio.id, ...args }, who);
const changes = async () => (await call('list_changes', { limit: 1000 }, studio.script)).changes;
const place = async (id) => (await studio.truth()).nodes[id];
const value = async (id, key) => (await studio.served([])).nodes.find((one) => one.instanceId === id)?.properties?.[key];
const form = (on = page) => on.locator('aside .properties');
const field = (key, on = page) => form(on).locator(`[data-property="${key}"]`);
const control = (key, on = page) => field(key, on).locator('.control :is(input, select, textarea)').first();
const bursts = (on = page) => on.locator('.bursts');
async function choose(id, on = page) {
	await on.keyboard.press('Escape');
	const at = await grip(on, id);
	await on.mouse.click(at.x, at.y);
	await until('selected', async () => (await node(on, id).getAttribute('class')).includes('selected'));
}
/* What is in the middle of the canvas, and the zoom: banners come and go above it. */
const middle = () =>
	page.evaluate(() => {
		const [canvas, board] = [document.querySelector('.canvas'), document.querySelector('.canvas .board')];
		const { e, f, a } = new DOMMatrix(getComputedStyle(board).transform);
		return [canvas.clientWidth / 2 - e, canvas.clientHeight / 2 - f, a].map((one) => Math.round(one * 100) / 100);
	});
const all = (on = page) => on.getByRole('button', { name: 'Show everything' }).click();

async function bringUp() {
	await studio.start();
	await studio.newProject('Held');
	ids = await studio.build();
	page = await studio.page();
	await studio.same(page);
}

/* The daemon is there again, at the same place. The page comes back by itself; where its key ended with the daemon, a person
 * pastes the address of `tenon open --print` into the same tab. Nobody else opens the project. */
let keyKept = null;
async function back() {
	await studio.again();
	const locked = page.getByText('Open this page from your terminal');
	const open = page.locator('header').getByText('not connected, trying again');
	await until('the page is there again, or asks for a key', async () => (await locked.isVisible()) || !(await open.isVisible()), 30_000);
	keyKept = !(await locked.isVisible());
	studio.token = await studio.home.personToken();
	if (!keyKept) {
		await page.getByText('tenon open --print').first().waitFor();
		await page.evaluate((hash) => (globalThis.location.hash = hash), `token=${studio.token}`);
		await locked.waitFor({ state: 'detached' });
	}
	// The page opens the project again, not we.
	await until('the project is open', async () => (await studio.script.call('list_projects', {})).structuredContent.open.some((one) => one.id === studio.id), 30_000);
	studio.assistant = await relayClient(studio.home, 'claude-code', '2.1.7');
	await studio.same(page, 'after a restart', 30_000);
	equal(await page.locator('.problem').count(), 0, 'problems that are told');
}
/* The assistant's relay would start another daemon by itself: it is gone before. */
async function kill() {
	await studio.assistant.end();
	await studio.home.stop('SIGKILL');
	await page.locator('header').getByText('not connected, trying again').waitFor();
}

/* ---- killed ---- */

async function whileDragged() {
	await all();
	const [before, list] = [await studio.truth(), (await changes()).length];
	await choose(ids.plan);
	await page.getByRole('button', { name: 'Outline' }).click();
	await all();
	const [seen, view, from] = [await shown(page), await viewOf(page), await grip(page, ids.plan)];
	await drag(page, from, { x: from.x + 60, y: from.y + 40 }, { release: false });
	assert(JSON.stringify(await shown(page)) !== JSON.stringify(seen), 'the hand moves it');
	await kill();
	// It goes back before the hand lets go.
	await until('all back', async () => JSON.stringify(await shown(page)) === JSON.stringify(seen));
	await page.mouse.move(from.x + 90, from.y + 60, { steps: 3 });
	await page.mouse.up();
	equal(await shown(page), seen, 'what is shown');
	// It can be read and looked around in, and nothing can be changed.
	const handle = await grip(page, ids.vault);
	await drag(page, handle, { x: handle.x + 30, y: handle.y + 40 });
	equal(await shown(page), seen, 'what is shown after a drag');
	assert((await viewOf(page)) !== view, 'the view did not move with the hand');
	await choose(ids.plan);
	await page.keyboard.press('Delete');
	await page.getByText('Not connected: nothing can be changed').first().waitFor();
	equal(await shown(page), seen, 'what is shown after Delete');
	const looked = await middle();
	await back();
	equal(await studio.truth(), before, 'what was acknowledged');
	equal((await changes()).length, list, 'changes');
	equal(await middle(), looked, 'the view');
	assert((await node(page, ids.plan).getAttribute('class')).includes('selected'), 'the selection is gone');
	assert(await page.getByRole('tree', { name: 'Outline' }).isVisible(), 'the panel is closed');
	// And it works as before: one drag, one change, and Ctrl+Z takes back what this person did, before the restart as well.
	await all();
	const again = await grip(page, ids.plan);
	await drag(page, again, { x: again.x, y: again.y + 40 });
	await until('moved', async () => (await place(ids.plan)).y !== before.nodes[ids.plan].y);
	equal((await changes()).length, list + 1, 'changes');
	await studio.same(page, 'after a drag');
}

async function whileTyped() {
	await choose(ids.db);
	await control('name').fill('acknowledged');
	await until('acknowledged', async () => (await value(ids.db, 'name')) === 'acknowledged');
	const list = (await changes()).length;
	await studio.assistant.end();
	await control('name').focus();
	await page.keyboard.press('End');
	await page.keyboard.type(' and');
	await studio.home.stop('SIGKILL'); // perhaps before, perhaps after what stands there was sent
	await page.locator('header').getByText('not connected, trying again').waitFor();
	await page.keyboard.type(' more');
	const typed = await control('name').inputValue();
	assert(typed.startsWith('acknowledged and'), `what was typed is ${typed}`);
	await back();
	equal(await control('name').inputValue(), typed, 'what was typed');
	equal(await value(ids.db, 'name'), 'acknowledged', 'the acknowledged value');
	await field('name').getByText('Not sent').waitFor();
	await control('name').fill('sent-once');
	await control('name').press('Enter');
	await until('sent', async () => (await value(ids.db, 'name')) === 'sent-once');
	equal((await changes()).length, list + 1, 'changes');
	// Ctrl+Z takes back what this person did before the daemon began anew, too, and nothing of anybody else.
	await call('update_resource', { instanceId: ids.vault, properties: {}, label: 'Theirs' });
	await studio.same(page, 'after theirs');
	await page.locator('.canvas').focus();
	await page.evaluate(() => document.querySelector('.canvas [tabindex="0"]')?.focus());
	for (const name of ['acknowledged', 'orders']) {
		await page.keyboard.press('Control+z');
		await until(`it is ${name} again`, async () => (await value(ids.db, 'name')) === name);
	}
	equal((await place(ids.vault)).label, 'Theirs', 'what the assistant did');
	await studio.same(page, 'after undo');
}

/* The engine goes on without the daemon; nothing is run twice, and what is shown is what is. */
async function whileApplied() {
	const data = async (label) => (await call('add_resource', { typeId: 'builtin/core/data', label, properties: { input: label } })).instanceId;
	await studio.newProject('Run');
	ids = { one: await data('one'), two: await data('two'), three: await data('three') };
	await call('run_terraform', { command: 'init' });
	const held = page;
	page = await studio.page();
	await studio.same(page);
	await held.close();
	const scenario = (members) => writeFileSync(join(studio.path, 'fake.json'), JSON.stringify(members));
	scenario({ gap: 0.4, times: 'times' });
	await page.getByRole('button', { name: 'Run', exact: true }).first().click();
	await page.getByRole('menuitem', { name: /^Apply/ }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByText('Exactly this plan is carried out').waitFor();
	await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
	await until('the first is made', async () => (await page.locator('.canvas [data-status="created"]').count()) >= 1);
	await kill();
	await back();
	const told = () => readFileSync(join(studio.path, 'times'), 'utf8').trim().split('\n').map((line) => line.split('\t'));
	const path = join(studio.path, 'terraform/terraform.tfstate');
	await until('the engine came to its end', () => existsSync(path) && Object.keys(JSON.parse(readFileSync(path, 'utf8')).fake).length === 3);
	await page.getByRole('region', { name: 'Run', exact: true }).getByText('? lost').waitFor();
	equal(await page.locator('.above').getByRole('button', { name: 'Stop', exact: true }).count(), 0, 'runs that go on');
	for (const name of ['one', 'two', 'three']) equal(told().filter(([, kind, text]) => kind === 'apply_complete' && text.includes(`.${name}:`)).length, 1, `${name}: times made`);
	// What a plan finds: nothing is left to do, and the nodes say so.
	scenario({});
	await page.getByRole('region', { name: 'Plan', exact: true }).or(page.getByRole('navigation', { name: 'Panels below' })).first().waitFor();
	/* The engine has written its state, and ends a moment later. */
	await until('the engine has ended', () => call('get_deployment_status', { refresh: true }).then(() => true, (error) => {
		if (!/RUN_IN_PROGRESS/.test(error.message)) throw error;
	}));
	for (const id of Object.values(ids)) await until('every node says that it is there', async () => (await node(page, id).getAttribute('data-status')) === 'created');
	let summary;
	await until('a plan', () => call('run_terraform', { command: 'plan' }).then((answer) => (({ summary } = answer), true), (error) => {
		if (!/RUN_IN_PROGRESS/.test(error.message)) throw error;
	}));
	equal(summary.text, '0 to add, 0 to change, 0 to destroy', 'a plan');
}

/* ---- calls and answers that are lost ---- */

async function lostOnTheWay() {
	await studio.newProject('Lost');
	ids = await studio.build();
	await page.close();
	const context = await newContext(studio.browser);
	page = await context.newPage();
	let sockets = [];
	let [away, deaf, mute] = [false, false, false];
	await page.routeWebSocket(/\/ws$/, (socket) => {
		if (away) return void socket.close();
		const server = socket.connectToServer();
		sockets.push(socket);
		socket.onMessage((message) => mute || server.send(message));
		server.onMessage((message) => deaf || socket.send(message));
	});
	await page.goto(`${studio.url}/#/studio/${studio.id}?token=${studio.token}`);
	await studio.same(page);
	const cut = async () => {
		away = true;
		await Promise.all(sockets.map((one) => one.close()));
		sockets = [];
		await page.locator('header').getByText('not connected').waitFor();
		away = deaf = mute = false;
		await page.locator('header').getByText('not connected').waitFor({ state: 'detached' });
	};
	// Each kind of act, once with its call and once with its answer lost.
	const acts = {
		move: async () => {
			const from = await grip(page, ids.plan);
			await drag(page, from, { x: from.x, y: from.y + 40 });
		},
		nudge: async () => {
			await choose(ids.plan);
			await page.keyboard.press('ArrowRight');
		},
		rename: async () => {
			await choose(ids.plan);
			await page.keyboard.press('F2');
			await page.getByLabel(/^Name of/).fill(`Name ${Math.random()}`);
			await page.keyboard.press('Enter');
		},
		duplicate: async () => {
			await choose(ids.plan);
			await page.keyboard.press('Control+d');
		},
		remove: async () => {
			await choose(ids.app);
			await page.keyboard.press('Delete');
		},
	};
	await all();
	for (const [name, act] of Object.entries(acts)) {
		const [before, list] = [JSON.stringify(await studio.truth()), (await changes()).length];
		mute = true;
		await act();
		await page.waitForTimeout(300);
		await cut();
		const offer = bursts().getByText('The connection went before this was done').first();
		await offer.waitFor();
		equal((await changes()).length, list, `${name}: changes before it was asked for again`);
		equal(JSON.stringify(await studio.truth()), before, `${name}: the diagram`);
		await studio.same(page, `${name}: after the call was lost`);
		await bursts().getByRole('button', { name: 'Do it now' }).first().click();
		await until(`${name}: done`, async () => (await changes()).length === list + 1);
		await offer.waitFor({ state: 'detached' });
		// Seen before it is undone: else the page looks right and knows of neither, and what it does next is refused.
		await studio.same(page, `${name}: done`);
		await call('undo_change', {});
		await until(`${name}: as before`, async () => JSON.stringify((await studio.truth()).edges) === JSON.stringify(JSON.parse(before).edges));
		await studio.same(page, `${name}: undone`);
		await all();
		const then = (await changes()).length;
		deaf = true;
		await act();
		await until(`${name}: the daemon has it`, async () => (await changes()).length === then + 1);
		await cut();
		await studio.same(page, `${name}: after the answer was lost`);
		await page.waitForTimeout(400);
		equal(await bursts().getByText('The connection went before').count(), 0, `${name}: offers of what happened`);
		equal(await bursts().getByText('user (page)').count(), 0, `${name}: own acts told as somebody else’s`);
		equal((await changes()).length, then + 1, `${name}: changes`);
		if (name === 'remove') await call('undo_change', {});
	}
	equal(context.faults, [], 'faults');
	await context.close();
	page = await studio.page();
	await studio.same(page);
}

/* ---- somebody else ---- */

/* SC-059: the hand's place wins, the history has both. */
async function movedMeanwhile() {
	await all();
	const list = (await changes()).length;
	const from = await grip(page, ids.vault);
	await drag(page, from, { x: from.x + 30, y: from.y + 60 }, { release: false });
	const seen = (await shown(page)).nodes[ids.vault];
	await call('move_resources', { moves: [{ instanceId: ids.vault, position: { x: 600, y: 40 } }] });
	await page.waitForTimeout(300);
	const held = (await shown(page)).nodes[ids.vault];
	equal([held.x, held.y], [seen.x, seen.y], 'where the hand holds it');
	await page.mouse.up();
	await until('the hand’s place', async () => (await place(ids.vault)).x === seen.x && (await place(ids.vault)).y === seen.y);
	equal((await changes()).length, list + 2, 'changes');
	await studio.same(page, 'after both');
}

const told = (text) => page.getByText(text).first().waitFor();

async function takenMeanwhile() {
	const label = (await place(ids.app)).label;
	let from = await grip(page, ids.app);
	await drag(page, from, { x: from.x + 20, y: from.y + 30 }, { release: false });
	await call('remove_resource', { instanceId: ids.app });
	await until('it is gone', async () => (await node(page, ids.app).count()) === 0);
	await page.mouse.move(from.x + 40, from.y + 50, { steps: 2 });
	await page.mouse.up();
	await told(new RegExp(`claude-code removed .*${label}`));
	await studio.same(page, 'after it was taken away');
	await call('undo_change', {});
	await studio.same(page, 'after it is back');
	// Put elsewhere: the move is dropped.
	const machine = (await call('add_resource', { typeId: 'azurerm/compute/virtual_machine', label: 'Worker', parentId: ids.web })).instanceId;
	await node(page, machine).waitFor();
	await all();
	from = await grip(page, machine);
	await drag(page, from, { x: from.x + 12, y: from.y + 14 }, { release: false });
	const list = (await changes()).length;
	await call('move_resources', { moves: [{ instanceId: machine, parentId: ids.data }] });
	const put = await place(machine);
	equal(put.parent, ids.data, 'where it was put');
	await until('seen', async () => (await shown(page)).nodes[machine]?.parent === ids.data);
	await page.mouse.move(from.x + 16, from.y + 18, { steps: 2 });
	await page.mouse.up();
	await told(/claude-code put Worker into Data/);
	await page.waitForTimeout(300);
	equal(await place(machine), put, 'where it is');
	equal((await changes()).length, list + 1, 'changes');
	await studio.same(page, 'after it was put elsewhere');
	// A container in whose contents the hand holds something goes away with it.
	await all();
	from = await grip(page, machine);
	await drag(page, from, { x: from.x + 12, y: from.y + 10 }, { release: false });
	await call('remove_resource', { instanceId: ids.net });
	await until('all of it is gone', async () => (await node(page, machine).count()) === 0);
	await page.mouse.up();
	await told(/claude-code removed .*Worker/);
	await studio.same(page, 'after all was taken away');
	await call('undo_change', {});
	await studio.same(page, 'after all is back');
	equal(await page.locator('.canvas .lifted, .canvas .grabbing').count(), 0, 'things still in a hand');
}

/* Renamed, changed and removed while a name is being typed, in its form and in place. */
async function typedMeanwhile() {
	await all();
	await choose(ids.sql);
	await control(' label').fill('My serv');
	await call('update_resource', { instanceId: ids.sql, properties: {}, label: 'Their server' });
	await field(' label').getByText(/claude-code/).waitFor();
	assert((await control(' label').inputValue()) === 'My serv', 'the text of the hand is gone');
	await field(' label').getByRole('button', { name: 'Take theirs' }).click();
	await until('theirs', async () => (await control(' label').inputValue()) === 'Their server');
	// In place, on the canvas.
	await choose(ids.db);
	await page.keyboard.press('F2');
	const name = page.getByLabel(/^Name of/);
	await name.fill('half a na');
	await call('update_resource', { instanceId: ids.db, properties: {}, label: 'Their database' });
	await until('shown', async () => (await place(ids.db)).label === 'Their database');
	await page.waitForTimeout(300);
	equal(await name.inputValue(), 'half a na', 'the text of the hand');
	await page.keyboard.press('Escape');
	await studio.same(page, 'theirs stays');
	await page.keyboard.press('F2');
	await name.fill('typed into nothing');
	await call('remove_resource', { instanceId: ids.db });
	await told(/claude-code removed .*Their database/);
	await until('what was typed is not lost without a word', async () => (await page.getByText('typed into nothing').count()) > 0 || (await name.isVisible()));
	await call('undo_change', {});
	await studio.same(page, 'after it is back');
	await page.keyboard.press('Escape');
	equal((await place(ids.db)).label, 'Their database', 'the label');
}

/* Ctrl+Z never takes back what somebody else did, and says so where it cannot be done without. */
async function undoIsOwn() {
	await all();
	const was = (await place(ids.vault)).label;
	await choose(ids.vault);
	await page.keyboard.press('ArrowDown');
	await until('own', async () => (await changes()).at(-1).actor.person || (await changes())[0].actor.person);
	await call('move_resources', { moves: [{ instanceId: ids.vault, position: { x: 40, y: 60 } }] });
	await call('update_resource', { instanceId: ids.vault, properties: {}, label: 'Vault of theirs' });
	const theirs = await place(ids.vault);
	await studio.same(page, 'before undo');
	await page.evaluate(() => document.querySelector('.canvas [tabindex="0"]').focus());
	await page.keyboard.press('Control+z');
	await page.getByText(/claude-code/).first().waitFor();
	await page.waitForTimeout(400);
	equal(await place(ids.vault), theirs, 'what the assistant did');
	assert(was !== theirs.label, 'nothing was changed');
	await studio.same(page, 'after undo');
}

async function clean() {
	equal(studio.context.faults, [], 'faults');
}

await steps('studio-held', [
	['a diagram and a page', bringUp],
	['SC-235, SC-236: killed in the middle of a drag', whileDragged],
	['SC-235, SC-087, SC-020: killed while somebody types; undo is still one’s own', whileTyped],
	['SC-236, SC-021: killed in the middle of an apply', whileApplied],
	['SC-235, ST-014: calls and answers that are lost: kept if it happened, offered again if not', lostOnTheWay],
	['SC-059: an assistant moves what is being dragged', movedMeanwhile],
	['SC-059: an assistant removes, or puts elsewhere, what is being dragged', takenMeanwhile],
	['SC-088, SC-143: an assistant renames and removes what is being typed in', typedMeanwhile],
	['SC-140, SC-019: undo never takes back what somebody else did', undoIsOwn],
	['SC-258: no violation of the policy, no uncaught error', clean],
]);
console.log(keyKept ? 'the key outlived the daemon' : 'the key ended with the daemon: a person gave the page a new one');
await studio.end();
process.exit(failures ? 1 : 0);
