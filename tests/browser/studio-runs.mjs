// studio-runs.mjs - an assistant asks to apply, and a person decides it on the picture (studio-canvas.md section 13): what is
// asked and what it costs and destroys is shown within a second; approved once, exactly that runs, and each node changes as
// its line comes; denied, expired, decided elsewhere, stopped, failed in the middle, and overtaken by a change.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execFileSync } from 'node:child_process';

import { assert, assertSoon, failures, skipped, steps } from '../clients/results.mjs';
import { axeFaults, newContext } from './browser.mjs';
import { httpClient, relayClient } from './clients.mjs';
import { until } from './home.mjs';
import { head, node, Studio } from './studio.mjs';

const FAKE = resolve(new URL('../studio/fake_engine', import.meta.url).pathname);
const SOON_MS = 1000;
const GROUP = 'azurerm/core/resource_group';
const PLAN = 'azurerm/compute/app_service_plan';
const DATA = 'builtin/core/data';
const pictures = process.env.TENON_SCREENSHOTS ?? 'out/screenshots';
mkdirSync(pictures, { recursive: true });
const equal = (x, y, what = '') => assert(JSON.stringify(x) === JSON.stringify(y), `${what} is ${JSON.stringify(x)}, not ${JSON.stringify(y)}`);

let studio, person, terminal, page, other, known;

/* ---- what all parts need ---- */

const call = (tool, args = {}, who) => studio.call(tool, { project: studio.id, ...args }, who);
const set = (settings) => studio.call('change_settings', { settings }, person);
const scenario = (members = {}) => writeFileSync(join(studio.path, 'fake.json'), JSON.stringify(members));
const state = () => {
	const path = join(studio.path, 'terraform/terraform.tfstate');
	return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { fake: {} };
};
const deployed = () => Object.keys(state().fake ?? {}).map((address) => address.split('.').at(-1)).sort();
const approvals = async () => JSON.parse((await person.request('resources/read', { uri: 'tenon://approvals' })).contents[0].text).approvals;
const pending = async () => (await approvals()).filter((one) => one.state === 'pending');
const runs = async () => JSON.parse((await studio.assistant.request('resources/read', { uri: `studio://projects/${studio.id}/runs` })).contents[0].text);
const banner = (on = page) => on.getByRole('region', { name: 'Approvals' });
const card = (on = page) => banner(on).locator('.card');
const named = (name, on = card()) => on.getByRole('button', { name, exact: true });
const times = () => readFileSync(join(studio.path, 'times'), 'utf8').trim().split('\n').map((line) => line.split('\t')).map(([at, kind, text]) => ({ at: Number(at) * 1000, kind, text }));

/* The page notes when a node's word and its part in the plan change, and when a banner comes. */
async function noting(on) {
	await on.evaluate(() => {
		if (globalThis.noted) return void (globalThis.noted.length = 0);
		globalThis.noted = [];
		const look = new Map();
		new MutationObserver((list) => {
			for (const { target, addedNodes } of list) {
				const id = target.dataset?.id;
				const now = id && `${target.dataset.status ?? ''} ${target.dataset.plan ?? ''}`;
				if (id && look.get(id) !== now) {
					look.set(id, now);
					globalThis.noted.push({ at: Date.now(), id, status: target.dataset.status ?? '', plan: target.dataset.plan ?? '' });
				}
				for (const one of addedNodes) if (one.classList?.contains('card') || one.querySelector?.('.asked .card')) globalThis.noted.push({ at: Date.now(), banner: true });
			}
		}).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-status', 'data-plan'] });
	});
}
const noted = (on = page) => on.evaluate(() => globalThis.noted);

/* An assistant's call that waits for a person. */
function asks(args = {}, who = studio.assistant) {
	const asked = { at: Date.now(), over: false };
	asked.answer = who.call('run_terraform', { project: studio.id, command: 'apply', confirmed: true, ...args }).then((done) => {
		asked.over = true;
		return done;
	});
	return asked;
}
async function refused(asked, code) {
	const done = await asked.answer;
	assert(done.isError, `it ran: ${JSON.stringify(done.structuredContent)}`);
	equal(done.structuredContent.error, code, 'the refusal');
}
async function press(name, on = page) {
	const button = named(name, card(on));
	await button.waitFor();
	await on.waitForTimeout(800); // a press that was meant for what stood there before does not count
	await button.click();
}

/* A project with three things, of which all are deployed, and then a change of each kind: one new, one changed, one gone. */
async function begin(name) {
	await studio.newProject(name);
	scenario();
	const group = (await call('add_resource', { typeId: GROUP, label: 'group' })).instanceId;
	const add = async (label) => (await call('add_resource', { typeId: PLAN, label, parentId: group })).instanceId;
	known = { group, web: await add('web'), jobs: await add('jobs') };
	await call('run_terraform', { command: 'init' });
	const plan = (await call('run_terraform', { command: 'plan' }, person)).planId;
	await call('run_terraform', { command: 'apply', confirmed: true, planId: plan }, person);
	equal(deployed(), ['group', 'jobs', 'web'], 'what is deployed');
	known.was = (await call('estimate_costs', {}, studio.script)).total.monthly;
	await call('update_resource', { instanceId: known.web, properties: { sku_name: 'P1v3' } });
	known.corner = (await studio.truth()).nodes[known.jobs];
	await call('remove_resource', { instanceId: known.jobs });
	known.fresh = await add('fresh');
	known.will = (await call('estimate_costs', {}, studio.script)).total.monthly;
	if (page) await page.close();
	page = await studio.page();
	await node(page, known.fresh).waitFor();
	await noting(page);
}

async function bringUp() {
	await studio.start();
	const request = httpClient(studio.url, studio.token, 'person', '1');
	person = { request, call: (tool, args) => request('tools/call', { name: tool, arguments: args }) };
	other = await relayClient(studio.home, 'second-agent', '1');
	await begin('Shop');
}

/* ---- approved ---- */

async function shows() {
	scenario({ gap: 0.35, times: 'times' });
	const plan = (await call('run_terraform', { command: 'plan' })).planId;
	await page.locator('.chips').getByText('Only changed').waitFor();
	await page.evaluate(() => document.querySelector('.canvas [tabindex="0"]').focus());
	await noting(page);
	known.asked = asks({ planId: plan });
	await card().waitFor();
	const came = (await noted()).find((one) => one.banner).at - known.asked.at;
	assertSoon(came, SOON_MS, 'the banner');
	console.log(`banner after ${came} ms`);
	const one = await until('it is asked', async () => (await pending())[0]);
	known.request = one;
	const text = await card().innerText();
	const money = (value) => value.toLocaleString('en-US', { style: 'currency', currency: 'USD' });
	const difference = known.will - known.was;
	for (const word of ['claude-code asks for your approval', 'Apply', '−1', '~1', '+1', money(known.was), money(known.will), `${difference > 0 ? '+' : '−'}${money(Math.abs(difference))}`, one.digest.slice(0, 16), one.summary.split('\n')[0]])
		assert(text.includes(word), `the banner does not say ${word}: ${text}`);
	assert(/in \d+ (min|s)|\d+:\d\d|\d+ (minutes|seconds|min|s)/.test(text), `how long is left: ${text}`);
	// What is destroyed is named, and marked on the picture, where it stood.
	assert(/− azurerm_service_plan\.jobs/.test(text), `what is destroyed is not named: ${text}`);
	const marks = () => page.evaluate(() => Object.fromEntries([...document.querySelectorAll('.canvas [role="group"][data-plan], .canvas .ghost')].map((it) => [it.dataset.id ?? it.querySelector('b').textContent, it.dataset.plan])));
	equal(Object.entries(await marks()).sort(), Object.entries({ [known.web]: 'update', [known.fresh]: 'create', jobs: 'delete' }).sort(), 'the marks');
	assert(await page.evaluate(() => !document.activeElement.closest('.asked')), 'it has taken the focus');
	await named('Show on canvas').click();
	equal(Object.entries(await marks()).sort(), Object.entries({ [known.web]: 'update', [known.fresh]: 'create', jobs: 'delete' }).sort(), 'the marks after Show');
	const ghost = await page.locator('.canvas .ghost').evaluate((it) => it.style.transform);
	const group = (await studio.truth()).nodes[known.group];
	equal(ghost, `translate(${group.x + known.corner.x}px, ${group.y + known.corner.y}px)`, 'where it stood');
	await page.screenshot({ path: join(pictures, 'studio-approval-light.png') });
	for (const colorScheme of ['light', 'dark']) {
		await page.emulateMedia({ colorScheme });
		equal(await axeFaults(page), [], `axe, ${colorScheme}`);
	}
	await page.emulateMedia({ colorScheme: 'light' });
}

/* It takes no focus, no key decides, and no press that was on its way. */
async function notByAccident() {
	await page.evaluate(() => document.querySelector('.canvas [tabindex="0"]').focus());
	for (const key of ['Enter', 'Space', 'y', 'a', 'Escape', 'Control+Enter']) await page.keyboard.press(key);
	await page.keyboard.press('Escape');
	equal((await pending()).length, 1, 'requests after keys');
	equal(deployed(), ['group', 'jobs', 'web'], 'what is deployed');
	assert(!known.asked.over, 'the call has ended');
}

async function approved() {
	const before = (await runs()).length;
	await noting(page);
	await press(known.request.once ?? 'Approve once');
	await page.getByText('claude-code started apply on Shop').waitFor();
	await page.getByRole('progressbar', { name: 'Resources that are done' }).waitFor();
	await page.screenshot({ path: join(pictures, 'studio-apply-light.png') });
	const done = await known.asked.answer;
	assert(!done.isError && done.structuredContent.success, JSON.stringify(done.structuredContent));
	equal(deployed(), ['fresh', 'group', 'web'], 'exactly what was asked is deployed');
	equal((await runs()).length, before + 1, 'runs');
	await card().waitFor({ state: 'detached' });
	const word = (id, wanted) => until(`${id} is ${wanted}`, async () => (await node(page, id).getAttribute('data-status')) === wanted);
	for (const id of [known.web, known.fresh, known.group]) await word(id, 'created');
	await page.locator('.canvas .ghost').waitFor({ state: 'detached' });
	// Each changed within a second of the line that says so.
	const seen = await noted();
	const lines = times();
	let slowest = 0;
	for (const [id, label, status, kind] of [[known.web, 'web', 'updating', 'apply_start'], [known.web, 'web', 'created', 'apply_complete'], [known.fresh, 'fresh', 'creating', 'apply_start'], [known.fresh, 'fresh', 'created', 'apply_complete']]) {
		const line = lines.findLast((it) => it.kind === kind && it.text.split(':')[0].endsWith(`.${label}`));
		const change = seen.find((it) => it.id === id && it.status === status && it.at >= line.at - 50);
		assert(change, `${label} never was ${status}: ${JSON.stringify(seen)}`);
		slowest = Math.max(slowest, change.at - line.at);
	}
	assertSoon(slowest, SOON_MS, 'a node after its line');
	console.log(`slowest node after its line: ${Math.round(slowest)} ms`);
	// The same once more is not approved.
	const again = asks({ planId: known.request.data.planId });
	await refused(again, 'STALE_PLAN');
	await page.getByRole('button', { name: 'Watch' }).click();
	await page.getByRole('region', { name: 'Lines of the run' }).getByText('Apply complete!').waitFor();
}

/* ---- not approved ---- */

async function denied() {
	await begin('Denied');
	// A press in the moment it comes was meant for something else.
	await page.evaluate(() => {
		new MutationObserver((_, observer) => {
			const buttons = document.querySelectorAll('.asked .card button');
			if (buttons.length === 0) return;
			observer.disconnect();
			globalThis.hasty = buttons[buttons.length - 1].textContent;
			buttons[buttons.length - 1].click();
		}).observe(document.querySelector('.asked'), { subtree: true, childList: true });
	});
	const asked = asks();
	await card().waitFor();
	equal((await page.evaluate(() => globalThis.hasty)).trim(), (await pending())[0].once ?? 'Approve once', 'what was pressed too early');
	await press('Deny');
	await refused(asked, 'CONSENT_DECLINED');
	await card().waitFor({ state: 'detached' });
	equal(deployed(), ['group', 'jobs', 'web'], 'what is deployed');
	assert(!(await runs()).slice(0, 2).some((one) => one.command === 'apply' && !one.actor.person), 'it ran');
}

async function expired() {
	await set({ 'consent.timeout_s': 3 });
	const asked = asks();
	await card().waitFor();
	await refused(asked, 'CONSENT_TIMEOUT');
	await card().waitFor({ state: 'detached' });
	await banner().getByText(/What claude-code asked was .*(expired|ran out|too late)/i).waitFor();
	equal(deployed(), ['group', 'jobs', 'web'], 'what is deployed');
	await set({ 'consent.timeout_s': null });
}

async function elsewhere() {
	// At a terminal.
	const asked = asks();
	await card().waitFor();
	const one = await until('it is asked', async () => (await pending())[0]);
	const done = await terminal.tenon(['approve', one.id, '--deny'], []);
	equal(done.code, 0, `tenon approve: ${done.out}`);
	await refused(asked, 'CONSENT_DECLINED');
	await card().waitFor({ state: 'detached' });
	await banner().getByText(/What claude-code asked was denied by .*terminal/i).waitFor();
	// In another page; several wait, and the oldest comes first.
	const second = await newContext(studio.browser);
	const elsewhere_ = await studio.page(undefined, second);
	const first = asks();
	await card().getByText('claude-code asks for your approval').waitFor();
	const next = asks({ command: 'destroy' }, other);
	await card().getByText('1 more behind it').waitFor();
	await card(elsewhere_).getByText('1 more behind it').waitFor();
	equal(await card().count(), 1, 'cards at once');
	await press('Deny', elsewhere_);
	await card().getByText('second-agent asks for your approval').waitFor();
	await banner().getByText(/What claude-code asked was denied/).waitFor();
	await card().getByText('Destroy').first().waitFor();
	await press('Deny');
	await refused(first, 'CONSENT_DECLINED');
	await refused(next, 'CONSENT_DECLINED');
	// Approved at the terminal: it runs.
	const third = asks();
	await card().waitFor();
	const request = await until('it is asked', async () => (await pending())[0]);
	const yes = await terminal.tenon(['approve', request.id], [['decide later]', 'y\n']]);
	equal(yes.code, 0, `tenon approve: ${yes.out}`);
	await banner().getByText(/What claude-code asked was (approved|used)/i).waitFor();
	const ran = await third.answer;
	assert(!ran.isError, JSON.stringify(ran.structuredContent));
	equal(deployed(), ['fresh', 'group', 'web'], 'what is deployed');
	equal(second.faults, [], 'faults of the other page');
	await second.close();
}

/* What is said over the canvas leaves the chips free, also where these take two rows. */
async function besideTheChips() {
	const was = page.viewportSize();
	let most = 0;
	for (const width of [was.width, 1100, 1000, 900, 800, 700, 390]) {
		await page.setViewportSize({ width, height: was.height });
		let boxes = [];
		await until(`free at ${width}`, async () => {
			boxes = [await page.locator('.board > div.above').boundingBox(), await page.locator('.chips').boundingBox()];
			return boxes[0].y + boxes[0].height <= boxes[1].y || boxes[0].x + boxes[0].width <= boxes[1].x;
		}, 3000).catch((error) => assert(false, `${error.message}: ${JSON.stringify(boxes)}`));
		most = Math.max(most, boxes[1].height);
	}
	assert(most > 60, `the chips never took two rows: ${most}`);
	await page.setViewportSize(was);
}

/* ---- what comes in between ---- */

async function overtaken() {
	await begin('Overtaken');
	const plan = (await call('run_terraform', { command: 'plan' })).planId;
	const asked = asks({ planId: plan });
	await card().waitFor();
	equal(await card().getByText('The diagram has changed since').count(), 0, 'a word of a change');
	await call('update_resource', { instanceId: known.fresh, label: 'other', properties: { sku_name: 'P2v3' } });
	await card().getByText('The diagram has changed since: this approval is for the plan as it was.').waitFor();
	await press((await pending())[0].once ?? 'Approve once');
	await refused(asked, 'STALE_PLAN');
	await card().waitFor({ state: 'detached' });
	equal(deployed(), ['group', 'jobs', 'web'], 'what is deployed');
	// What lies over the picture is grey, and says why; a new plan is one press.
	await page.getByText('The plan is older than the diagram.').first().waitFor();
	await besideTheChips();
	await page.locator('.above').getByRole('button', { name: 'Plan again' }).click();
	await page.locator('.above').getByText('The plan is older than the diagram.').waitFor({ state: 'detached' });
	await until('the plan is made', async () => (await runs())[0].status === 'finished');
	await until('the new plan lies over the picture', async () => (await node(page, known.fresh).getAttribute('data-plan')) === 'create');
}

async function stopped() {
	scenario({ gap: 0.5, times: 'times', cleanup: 0.5 });
	const plan = (await call('run_terraform', { command: 'plan' })).planId;
	const asked = asks({ planId: plan });
	await card().waitFor();
	await press((await pending())[0]?.once ?? 'Approve once');
	await until('the first has begun', async () => (await noted()).some((one) => one.status === 'creating' || one.status === 'updating'));
	await page.locator('.above').getByRole('button', { name: 'Stop', exact: true }).click();
	await page.locator('.above').getByText('Asked to stop; it comes to an orderly end.').waitFor();
	const done = await asked.answer;
	const [last] = await runs();
	equal([last.command, last.status], ['apply', 'cancelled'], 'the run');
	assert(!done.structuredContent?.success, 'it says that it went well');
	await page.locator('.above').getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
	assert(deployed().includes('jobs'), 'what came last was done all the same');
	// Nothing is left turning, and what a node says is what the daemon says.
	await until('every node says what the daemon says', async () => {
		const { nodes } = await studio.served([]);
		const shown = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll('.canvas [role="group"][data-id]')].map((it) => [it.dataset.id, it.dataset.status])));
		return nodes.every((one) => shown[one.instanceId] === undefined || shown[one.instanceId] === one.deploymentStatus) && !nodes.some((one) => ['creating', 'updating'].includes(one.deploymentStatus));
	});
}

async function failed() {
	await begin('Failed');
	const SENTENCE = 'the plan is not offered in this region';
	const address = (await studio.served(['addresses'])).nodes.find((one) => one.instanceId === known.fresh).addresses[0];
	scenario({ gap: 0.1, fail: { [address]: { how: 'error', summary: SENTENCE, detail: 'Ask for a quota.' } } });
	const asked = asks();
	await card().waitFor();
	await press((await pending())[0].once ?? 'Approve once');
	await asked.answer;
	await until('it failed', async () => (await node(page, known.fresh).getAttribute('data-status')) === 'failed');
	await until('the engine’s sentence', async () => ((await node(page, known.fresh).getAttribute('aria-label')) ?? '').includes(SENTENCE));
	await until('what went well is deployed', async () => (await node(page, known.web).getAttribute('data-status')) === 'created');
	await until('and differs from nothing', async () => !(await node(page, known.web).getAttribute('aria-label')).includes('differs from what is deployed'));
	// Its form has the sentence, and leads to the line.
	const at = await head(page, known.fresh).boundingBox();
	await page.mouse.click(at.x + at.width / 2, at.y + at.height / 2);
	const form = page.locator('aside .properties');
	await form.getByText(SENTENCE).first().waitFor();
	await form.getByRole('button', { name: 'Show line' }).click();
	await page.getByRole('region', { name: 'Lines of the run' }).getByText(SENTENCE).first().waitFor();
	await page.screenshot({ path: join(pictures, 'studio-failed-light.png') });
}

/* SC-114: a person's own dialog is the approval: asked once, and what destroys wants the name typed. */
async function ownDialog() {
	scenario();
	const before = (await approvals()).length;
	await page.getByRole('button', { name: 'Run', exact: true }).first().click();
	await page.getByRole('menuitem', { name: /^Destroy/ }).click();
	const dialog = page.getByRole('dialog');
	const button = dialog.getByRole('button', { name: 'Destroy', exact: true });
	await dialog.getByText('Exactly this plan is carried out').waitFor();
	equal(await dialog.getByRole('list', { name: 'What is replaced or destroyed' }).getByRole('listitem').count(), deployed().length, 'names of what goes');
	assert(await button.isDisabled(), 'it needs no name');
	await dialog.getByRole('textbox').fill('faile');
	assert(await button.isDisabled(), 'another name will do');
	await dialog.getByRole('textbox').fill('Failed');
	await button.click();
	await until('all is gone', () => deployed().length === 0);
	equal((await approvals()).length, before, 'approvals');
	await until('nothing says that it is deployed', async () => (await page.locator('.canvas [data-status="created"]').count()) === 0);
}

async function clean() {
	equal(studio.context.faults, [], 'faults');
}

async function bringDown() {
	await other.end();
	await page?.close();
	page = null;
	await studio.end();
}

/* ---- the same with an engine that is installed ---- */

async function realOne() {
	const project = 'Real';
	await studio.newProject(project);
	const add = async (label) => (await call('add_resource', { typeId: DATA, label, properties: { input: label } })).instanceId;
	known = { one: await add('one'), two: await add('two') };
	page = await studio.page();
	await node(page, known.two).waitFor();
	await noting(page);
	const all = () => JSON.parse(readFileSync(join(studio.path, 'terraform/terraform.tfstate'), 'utf8')).resources.map((it) => it.name).sort();
	const word = (id, wanted) => until(`${id} is ${wanted}`, async () => (await node(page, id).getAttribute('data-status')) === wanted);
	const approve = async (args) => {
		const asked = asks(args);
		await card().waitFor();
		await press((await pending())[0].once ?? 'Approve once');
		const done = await asked.answer;
		assert(!done.isError && done.structuredContent.success, JSON.stringify(done.structuredContent));
		await card().waitFor({ state: 'detached' });
	};
	await approve();
	for (const id of [known.one, known.two]) await word(id, 'created');
	equal(all(), ['one', 'two'], 'the state');
	const three = await add('three');
	await call('update_resource', { instanceId: known.one, properties: { input: 'changed' } });
	await call('remove_resource', { instanceId: known.two });
	await call('run_terraform', { command: 'plan' });
	await until('the plan on the picture', async () => (await node(page, three).getAttribute('data-plan')) === 'create' && (await node(page, known.one).getAttribute('data-plan')) === 'update');
	await page.locator('.canvas .ghost[data-plan="delete"]').waitFor();
	await approve();
	equal(all(), ['one', 'three'], 'the state');
	await word(three, 'created');
	await page.locator('.canvas .ghost').waitFor({ state: 'detached' });
	await approve({ command: 'destroy' });
	await until('nothing is deployed', async () => (await page.locator('.canvas [data-status="created"]').count()) === 0);
	equal(studio.context.faults, [], 'faults');
}

function installed(name) {
	try {
		return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
	} catch {
		return '';
	}
}

studio = new Studio(5400, { TENON_TERRAFORM: FAKE });
terminal = studio.home.person;
await steps('studio-runs', [
	['a project, deployed, and changes of every kind', bringUp],
	['SC-115, SC-022: what is asked, what it costs, what it destroys, on the picture within a second', shows],
	['SC-115, SC-256: it takes no focus, and no key decides', notByAccident],
	['SC-115, SC-117, SC-119: approved once, exactly that runs, each node within a second of its line', approved],
	['SC-115: denied', denied],
	['SC-116: expired', expired],
	['SC-116: decided at a terminal and in another page, the oldest first', elsewhere],
	['SC-115, SC-113: the diagram changes while it waits', overtaken],
	['SC-118: stopped', stopped],
	['SC-117: failed in the middle', failed],
	['SC-114: a person’s own dialog is the approval', ownDialog],
	['SC-258: no violation of the policy, no uncaught error', clean],
]);
await bringDown();
for (const name of ['terraform', 'tofu']) {
	const engine = installed(name);
	if (!engine) {
		skipped('studio-runs', `SC-115: the same with ${name}`, 'it is not installed');
		continue;
	}
	studio = new Studio(5450, { TENON_TERRAFORM: engine, CHECKPOINT_DISABLE: '1' });
	await steps('studio-runs', [
		[`a daemon with ${name}`, async () => {
			await studio.start();
			const request = httpClient(studio.url, studio.token, 'person', '1');
			person = { request, call: (tool, args) => request('tools/call', { name: tool, arguments: args }) };
		}],
		[`SC-115, SC-117: approved, changed and destroyed with ${name}`, realOne],
	]);
	await studio.end();
}
process.exit(failures ? 1 : 0);
