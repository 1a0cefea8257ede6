// studio-stale.mjs - somebody else was first: what the hand does all the same is done once more, or asked about, with who and
// what, and nothing that was typed is lost (studio-canvas.md SC-012, SC-059, SC-237). The page is made deaf for a moment, so
// that what it expects is old for sure.
import { assert, failures, steps } from '../clients/results.mjs';
import { axeFaults } from './browser.mjs';
import { PATIENCE_MS, until } from './home.mjs';
import { drag, grip, shown, Studio } from './studio.mjs';

const studio = new Studio(6100);
let a;

const equal = (x, y, what = '') => assert(JSON.stringify(x) === JSON.stringify(y), `${what} is ${JSON.stringify(x)}, not ${JSON.stringify(y)}`);
const call = (tool, args) => studio.call(tool, { project: studio.id, ...args });
const node = async (id) => (await studio.served()).nodes.find((one) => one.instanceId === id);
const field = (key) => a.locator(`aside .properties [data-property="${key}"]`);
const control = (key) => field(key).locator('.control :is(input, select, textarea)').first();
const banner = () => a.locator('.stale[role="alert"]');
const button = (name, within = a) => within.getByRole('button', { name, exact: true });

/* What the daemon tells by itself waits as long as the page is deaf; answers come. */
function deafen() {
	const held = [];
	const asked = new Set(); // requests without an answer yet
	globalThis.asks = () => asked.size > 0;
	const Plain = globalThis.WebSocket;
	globalThis.WebSocket = class extends Plain {
		constructor(...args) {
			super(...args);
			globalThis.socket = this;
			this.addEventListener('close', () => asked.clear());
			this.addEventListener('message', (event) => {
				const { id, method } = JSON.parse(event.data);
				if (!method) asked.delete(id);
				if (!globalThis.deaf || !String(event.data).includes('resources/updated')) return;
				event.stopImmediatePropagation();
				held.push(() => this.dispatchEvent(new MessageEvent('message', { data: event.data })));
			});
		}
	};
	/* And what it sends waits as long as it is slow. */
	const send = Plain.prototype.send;
	const waiting = [];
	Plain.prototype.send = function (data) {
		const { id, method } = JSON.parse(data);
		if (id !== undefined && method && method !== 'subscriptions/listen') asked.add(id);
		if (globalThis.slow && /"name":"(add|update|remove|connect|disconnect)_resources?"/.test(String(data))) waiting.push(() => send.call(this, data));
		else send.call(this, data);
	};
	globalThis.go = () => {
		globalThis.slow = false;
		for (const one of waiting.splice(0)) one();
	};
	globalThis.hear = () => {
		globalThis.deaf = false;
		for (const one of held.splice(0)) one();
	};
}
/* What it asked before it was deaf would tell it of what others do then. And it hears again, whatever happens. */
const behind = async (others, hand) => {
	await a.evaluate(() => { globalThis.deaf = true; });
	try {
		await until('nothing is asked', () => a.evaluate(() => !globalThis.asks()));
		await others();
		await hand();
	} finally {
		await a.evaluate(() => globalThis.hear());
	}
};

async function select(id) {
	await a.locator(`[role="treeitem"][id$="-${id}"]`).click();
	await a.locator(`[role="treeitem"][id$="-${id}"][aria-selected="true"]`).waitFor();
	await field(' label').waitFor();
}

async function bringUp() {
	await studio.start();
	await studio.context.addInitScript(deafen);
	await studio.newProject('Shop');
	await studio.build();
	a = await studio.page();
	a.setDefaultTimeout(PATIENCE_MS);
	await a.locator('.canvas [role="group"][data-id]').first().waitFor();
	await button('Outline').click();
	await a.getByRole('tree', { name: 'Outline' }).waitFor();
}

async function movesOn() {
	const { vault } = studio.named;
	const id = vault ?? studio.named.plan;
	await a.keyboard.press('Control+0');
	await a.waitForTimeout(400);
	const was = await node(id);
	const from = await grip(a, id);
	await behind(
		() => call('update_resource', { instanceId: id, properties: {}, label: 'Renamed' }),
		() => drag(a, from, { x: from.x + 60, y: from.y + 40 }),
	);
	await until('moved', async () => JSON.stringify((await node(id)).position) !== JSON.stringify(was.position));
	equal((await node(id)).label, 'Renamed', 'what somebody else did');
	equal(await banner().count(), 0, 'banners');
	await studio.same(a, 'after a move that came second');
}

async function setsOn() {
	const { db } = studio.named;
	await select(db);
	await behind(
		() => call('update_resource', { instanceId: db, properties: { sku_name: 'S2' } }),
		async () => {
			await control('name').fill('of-the-hand');
			await until('set', async () => (await node(db)).properties.name === 'of-the-hand');
		},
	);
	equal((await node(db)).properties.sku_name, 'S2', 'what somebody else did');
	equal(await banner().count(), 0, 'banners');
	equal(await field('name').locator('.error').count(), 0, 'faults at the field');
}

async function asksForAValue() {
	const { db } = studio.named;
	await select(db);
	await behind(
		() => call('update_resource', { instanceId: db, properties: { name: 'theirs' } }),
		async () => {
			await control('name').fill('typed-here');
			await field('name').getByText('claude-code set this to theirs').waitFor();
		},
	);
	const said = await field('name').locator('.error').textContent();
	assert(said.includes('claude-code') && said.includes('Your change was not made'), said);
	equal((await node(db)).properties.name, 'theirs', 'the value');
	equal(await control('name').inputValue(), 'typed-here', 'what was typed');
	await button('Keep mine', field('name')).click();
	await until('kept', async () => (await node(db)).properties.name === 'typed-here');
	await until('nothing is said any more', async () => (await field('name').locator('.error').count()) === 0);
}

async function asksForARemoval() {
	const { db } = studio.named;
	await select(db);
	await behind(
		() => call('update_resource', { instanceId: db, properties: { sku_name: 'S1' } }),
		async () => {
			await a.getByRole('tree', { name: 'Outline' }).focus();
			await a.keyboard.press('Delete');
			await banner().waitFor();
		},
	);
	const said = await banner().textContent();
	const last = (await call('list_changes', {})).changes.at(-1);
	assert(said.includes('claude-code') && said.includes(last.summary) && said.includes('Your change was not made'), said);
	assert(await node(db), 'it is gone all the same');
	equal(await axeFaults(a), [], 'the banner');
	await button('Leave it', banner()).click();
	await banner().waitFor({ state: 'detached' });
	assert(await node(db), 'leaving it has removed it');
	await behind(
		() => call('update_resource', { instanceId: db, properties: { sku_name: 'S3' } }),
		async () => {
			await a.getByRole('tree', { name: 'Outline' }).focus();
			await a.keyboard.press('Delete');
			await banner().waitFor();
		},
	);
	await button('Do it all the same', banner()).click();
	await until('removed', async () => !(await node(db)));
	await banner().waitFor({ state: 'detached' });
}

async function saysWhoRemoved() {
	const made = await call('add_resource', { typeId: 'azurerm/core/resource_group', label: 'Short-lived' });
	const id = made.instanceId;
	await a.locator(`.canvas [data-id="${id}"]`).waitFor();
	await a.keyboard.press('Control+0');
	await a.waitForTimeout(400);
	const from = await grip(a, id);
	await behind(
		() => call('remove_resource', { instanceId: id }),
		async () => {
			await drag(a, from, { x: from.x + 40, y: from.y + 30 });
			await banner().waitFor();
		},
	);
	const said = await banner().textContent();
	assert(said.includes('Short-lived') && said.includes('claude-code') && said.includes('is not there any more'), said);
	equal(await button('Do it all the same', banner()).count(), 0, 'ways to do what cannot be done');
	await button('Leave it', banner()).click();
	await studio.same(a, 'after somebody removed what was dragged');
}

async function ownDoNotMeet() {
	const { plan } = studio.named;
	await select(plan);
	await a.locator('[role="application"]').focus();
	const was = (await node(plan)).position;
	await behind(
		async () => undefined,
		async () => {
			for (let i = 0; i < 15; i++) await a.keyboard.press('ArrowRight');
			await until('all of them', async () => (await node(plan)).position.x === was.x + 300);
			await control(' label').fill('One');
			await control(' label').fill('Two');
			await a.waitForTimeout(400);
			await control(' label').fill('Three');
			await until('the last', async () => (await node(plan)).label === 'Three');
		},
	);
	equal(await banner().count(), 0, 'banners');
	equal(await field(' label').locator('.error').count(), 0, 'faults');
	await studio.same(a, 'after many changes of its own');
	equal(studio.context.faults, [], 'faults of the page');
}

/* SC-003: what this hand does is shown before the daemon has answered, and put back if it is refused. */
const unanswered = async (hand, seen) => {
	await a.evaluate(() => { globalThis.slow = true; });
	try {
		await hand();
		await seen();
	} finally {
		await a.evaluate(() => globalThis.go());
	}
};
/* The line between the app and its plan, and what draws it again. */
async function theLine() {
	const { app, plan } = studio.named;
	const all = async () => (await studio.served()).edges;
	const between = (await all()).find((one) => [one.source, one.target].sort().join() === [app, plan].sort().join());
	const isThere = async () => (await all()).find((one) => one.source === between.source && one.target === between.target);
	const drawn = () => a.locator('.canvas [data-edge]').count();
	/* It is taken away, and chosen again in the menu: nothing of that is sent yet when `seen` is called. */
	async function again(seen) {
		await call('disconnect_resources', { edgeId: (await isThere()).id });
		const before = (await all()).length;
		await until('it has no line', async () => (await drawn()) === before);
		await select(between.source);
		await onCanvas(between.source).focus();
		await a.keyboard.press('c');
		const name = (await node(between.target)).label;
		const since = (await call('list_changes', {})).revision;
		await unanswered(
			() => a.getByRole('menu').getByRole('menuitem', { name: new RegExp(`^${name}`) }).first().click(),
			async () => {
				await until('the line is there', async () => (await drawn()) === before + 1);
				equal((await all()).length, before, 'lines before the call');
				await seen(before);
			},
		);
		return { before, since };
	}
	const args = { sourceInstanceId: between.source, sourceHandle: between.sourceHandle, targetInstanceId: between.target, targetHandle: between.targetHandle };
	return { source: between.source, args, isThere, drawn, again };
}
const noneForeseen = (what) => until(what, async () => (await a.locator('.canvas [data-edge^="foreseen"]').count()) === 0);

/* A line, too; where the daemon refuses it, because somebody was first, it goes again. */
async function connectedAtOnce() {
	const line = await theLine();
	for (const refused of [false, true]) {
		const { before } = await line.again(async () => {
			if (refused) await call('connect_resources', line.args);
		});
		await until('one line, not two', async () => !!(await line.isThere()) && (await line.drawn()) === before + 1);
		await noneForeseen('it is the daemon’s');
	}
	await studio.same(a, 'after connecting');
}
/* It can be taken at once: it stays selected when the daemon tells of it; what is asked of it is done then, and in its order. */
async function lineTakenAtOnce() {
	const line = await theLine();
	const ours = a.locator('.canvas .selected[data-edge^="foreseen"]');
	const expected = { Escape: ['connect_resources'], Delete: ['connect_resources', 'disconnect_resources'], Undone: ['connect_resources', 'disconnect_resources', 'undo_change'], Theirs: ['connect_resources'] };
	for (const [act, done] of Object.entries(expected)) {
		const { before, since } = await line.again(async (lines) => {
			await onCanvas(line.source).focus();
			for (let i = 0; i < lines + 1 && (await ours.count()) === 0; i++) await a.keyboard.press('e');
			equal(await ours.count(), 1, 'selected before it is told');
			if (act === 'Delete' || act === 'Undone') await a.keyboard.press('Delete');
			if (act === 'Undone') await a.keyboard.press('Control+z');
			if (act === 'Theirs') await call('connect_resources', line.args);
		});
		await until(`${act}: what was done`, async () => (await call('list_changes', { sinceRevision: since })).changes.map((one) => one.tool).join() === done.join());
		await noneForeseen(`${act}: and no more of it`);
		equal(!!(await line.isThere()), act !== 'Delete', `${act}: the line`);
		if (act === 'Escape') {
			equal(await a.locator('.canvas .selected[data-edge]').count(), 1, 'still selected');
			await a.keyboard.press('Escape');
			await a.locator(`.canvas .selected[data-id="${line.source}"]`).waitFor();
		}
		equal(await a.getByRole('alert').count(), 0, `${act}: refusals`);
		if (act === 'Delete') await call('connect_resources', line.args);
		await until('as before', async () => (await line.drawn()) === before + 1);
	}
	await studio.same(a, 'after all');
}
/* What was typed stays as it is, whatever is told of before meanwhile. */
async function staysForeseen() {
	const { app } = studio.named;
	const was = (await node(app)).label;
	const label = onCanvas(app).locator('> .head .label');
	await select(app);
	await unanswered(
		() => control(' label').fill('Mine, in a moment'),
		async () => {
			await label.getByText('Mine, in a moment', { exact: true }).waitFor();
			await a.evaluate((id) => {
				globalThis.seen = new Set();
				const head = document.querySelector(`.canvas [data-id="${id}"] > .head`);
				new MutationObserver(() => requestAnimationFrame(() => globalThis.seen.add(head.querySelector('.label')?.textContent))).observe(head, { childList: true, subtree: true, characterData: true });
			}, app);
			await call('move_resource', { instanceId: app, position: { x: 60, y: 700 } });
			await until('the page has been told of that', async () => (await shown(a)).nodes[app].y === (await studio.truth()).nodes[app].y);
		},
	);
	await until('named', async () => (await node(app)).label === 'Mine, in a moment');
	await a.waitForTimeout(300);
	equal([...(await a.evaluate(() => [...globalThis.seen]))].filter((one) => one !== 'Mine, in a moment'), [], 'names that were seen meanwhile');
	await control(' label').fill(was);
	await until('as before', async () => (await node(app)).label === was);
}
/* A new one stands where it was put, and is the daemon's a moment later; refused, because its box has gone, it goes too. */
async function addedAtOnce() {
	const served = async () => (await studio.served()).nodes;
	const foreseen = a.locator('.canvas [role="group"][data-id^="foreseen"]');
	if ((await a.locator('[data-panel="add"]').count()) === 0) await button('Add').last().click();
	await a.getByRole('combobox', { name: 'Add' }).last().fill('virtual network');
	const row = a.locator('[data-panel="add"] [role="option"]', { hasText: 'Virtual Network' }).first();
	for (const refused of [false, true]) {
		const { instanceId } = await call('add_resource', { typeId: 'azurerm/core/resource_group', label: 'Short-lived', position: { x: 0, y: 1200 } });
		await onCanvas(instanceId).waitFor();
		await a.getByRole('button', { name: 'Show everything' }).click();
		await a.waitForTimeout(400);
		const before = (await served()).length;
		const [from, to] = await Promise.all([row, onCanvas(instanceId)].map(async (one) => one.boundingBox()));
		await unanswered(
			() => drag(a, { x: from.x + 20, y: from.y + from.height / 2 }, { x: to.x + to.width / 2, y: to.y + to.height * 0.6 }),
			async () => {
				await foreseen.waitFor();
				equal(await foreseen.locator('xpath=..').getAttribute('data-id'), instanceId, 'what it is in');
				equal((await served()).length, before, 'nodes before the call');
				await foreseen.click({ force: true });
				equal(await a.locator('.canvas .selected[data-id^="foreseen"]').count(), 0, 'selected before it is there');
				if (refused) await call('remove_resource', { instanceId });
			},
		);
		await until('it is the daemon’s, or gone', async () => (await foreseen.count()) === 0 && (await served()).length === (refused ? before - 1 : before + 1));
		await studio.same(a, 'after adding');
		if (!refused) await call('remove_resource', { instanceId });
	}
	await button('Outline').last().click();
}
const onCanvas = (id) => a.locator(`.canvas [role="group"][data-id="${id}"]`);
async function shownAtOnce() {
	const { app, plan } = studio.named;
	const named = async () => (await node(app)).label;
	const was = await named();
	await select(app);
	await unanswered(
		() => control(' label').fill('At once'),
		async () => {
			await onCanvas(app).locator('> .head .label').getByText('At once', { exact: true }).waitFor();
			await a.waitForTimeout(600);
			equal(await named(), was, 'the name before the call');
		},
	);
	await until('named', async () => (await named()) === 'At once');
	// What goes, and its lines with it; both are there again when it is taken back.
	const lines = (await studio.served()).edges.filter((one) => one.source === app || one.target === app).map((one) => one.id);
	assert(lines.length > 0, 'it has no line');
	await unanswered(
		async () => {
			await a.getByRole('tree', { name: 'Outline' }).focus();
			await a.keyboard.press('Delete');
		},
		async () => {
			await onCanvas(app).waitFor({ state: 'hidden' });
			for (const id of lines) await a.locator(`.canvas [data-edge="${id}"]`).first().waitFor({ state: 'hidden' });
			assert(await node(app), 'it is gone before the call');
		},
	);
	await until('removed', async () => !(await node(app)));
	await button('Undo').first().click();
	await onCanvas(app).waitFor();
	// Gone and there again before the page is told of either: nothing of it stays hidden.
	await select(app);
	await behind(async () => undefined, async () => {
		await a.getByRole('tree', { name: 'Outline' }).focus();
		await a.keyboard.press('Delete');
		await until('removed', async () => !(await node(app)));
		await button('Undo').first().click();
		await until('there again', () => node(app));
	});
	await onCanvas(app).waitFor();
	await studio.same(a, 'after a removal that was taken back at once');
	// Refused: it stands where it stood, and who was first is said.
	await select(plan);
	await unanswered(
		async () => {
			await a.getByRole('tree', { name: 'Outline' }).focus();
			await a.keyboard.press('Delete');
		},
		async () => {
			await onCanvas(plan).waitFor({ state: 'hidden' });
			await call('update_resource', { instanceId: plan, properties: {}, label: 'Theirs' });
		},
	);
	await banner().waitFor();
	await onCanvas(plan).waitFor();
	await button('Leave it', banner()).click();
	await connectedAtOnce();
	await lineTakenAtOnce();
	await staysForeseen();
	await addedAtOnce();
	// A value that may not be: said at its field, and the form is as the daemon has it.
	await select(studio.named.db);
	const before = (await node(studio.named.db)).label;
	await control(' label').fill('x'.repeat(200));
	await field(' label').locator('.error').getByText(/128/).waitFor();
	equal(await onCanvas(studio.named.db).locator('> .head .label').textContent(), before, 'the name after the refusal');
	await control(' label').fill(before);
	await until('nothing is said any more', async () => (await field(' label').locator('.error').count()) === 0);
	await studio.same(a, 'after all of it');
}

/* SC-020: whose a change is goes by the tab, not by its connection. */
async function staysItself() {
	const { app } = studio.named;
	await select(app);
	await control(' label').fill('Before the cut');
	await until('set', async () => (await node(app)).label === 'Before the cut');
	const actor = async () => (await call('list_changes', {})).changes.at(-1).actor.id;
	const id = await actor();
	await a.evaluate(() => globalThis.socket.close());
	await a.waitForTimeout(100);
	await until('open again', () => a.evaluate(() => globalThis.socket.readyState === 1));
	await select(app);
	await button('Undo').first().click();
	await until('undone', async () => (await node(app)).label !== 'Before the cut');
	equal(await actor(), id, 'who it is after the connection came back');
	await a.reload();
	await a.locator('.canvas [role="group"][data-id]').first().waitFor();
	await button('Redo').first().click();
	await until('done again', async () => (await node(app)).label === 'Before the cut');
	equal(await actor(), id, 'who it is after a reload');
	// Another tab is somebody else, one that has a copy of the storage, too.
	const storage = await a.evaluate(() => ({ ...sessionStorage }));
	const b = await studio.context.newPage();
	await b.addInitScript((kept) => { for (const [key, value] of Object.entries(kept)) if (!sessionStorage.getItem(key)) sessionStorage.setItem(key, value); }, storage);
	await b.goto(`${studio.url}/#/studio/${studio.id}`);
	await b.locator('.canvas [role="group"][data-id]').first().waitFor();
	await b.getByRole('button', { name: 'Undo', exact: true }).first().click();
	await b.getByText('there is nothing of yours to undo').first().waitFor();
	equal((await node(app)).label, 'Before the cut', 'what another tab did');
	await b.close();
}

await steps(
	'browser-studio-stale',
	[
		['a page that can be deaf', bringUp],
		['SC-003: what the hand does is shown at once, and put back if it is refused', shownAtOnce],
		['SC-012 SC-059 SC-237: a move is made once more on what there is now', movesOn],
		['SC-237: a value that nobody else has changed is set once more', setsOn],
		['SC-237 SC-088: a value that somebody else has set is asked about, and what was typed stays', asksForAValue],
		['SC-237: what somebody else has changed is removed only after asking', asksForARemoval],
		['SC-059 SC-237: who removed what is in the hand is said', saysWhoRemoved],
		['SC-020: a tab is who it was after its connection was cut and after a reload; a copy of it is another one', staysItself],
		['SC-237: what this page did itself is in nobody’s way', ownDoNotMeet],
	],
);
await studio.end();
process.exit(failures ? 1 : 0);
