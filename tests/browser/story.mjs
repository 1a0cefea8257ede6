// story.mjs - one daemon, one browser, and what a person does there. The steps follow one another.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { assert, assertSoon, failures, steps } from '../clients/results.mjs';
import { axeFaults, NARROW, newContext, openBrowser, WIDE } from './browser.mjs';
import { httpClient, relayClient } from './clients.mjs';
import { Home, until } from './home.mjs';

const plan = readFileSync(new URL('data/harbour.txt', import.meta.url), 'utf8');
const small = readFileSync(
	new URL('../data/plan-examples/02-mixed-replace.txt', import.meta.url),
	'utf8',
);
const pictures = process.env.TENON_SCREENSHOTS ?? 'out/screenshots';
mkdirSync(pictures, { recursive: true });

const home = new Home(process.env.TENON_SCREENSHOTS ? 7777 : 21000 + (process.pid % 9000));
const browser = await openBrowser();
let context, page, found, url, editor, desktop, assistant, planId, personToken;

const equal = (a, b, what = '') =>
	assert(a === b, `${what} is ${JSON.stringify(a)}, not ${JSON.stringify(b)}`);
const heading = () => page.locator('h1').innerText();
const go = async (name) => {
	await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
	await until(`page ${name}`, async () => (await heading()) === name);
};
const card = (name) => page.getByRole('region', { name, exact: true });
const clipboard = () => page.evaluate(() => navigator.clipboard.readText());

async function openPage(token) {
	const fresh = await context.newPage();
	await fresh.goto(`${url}/#token=${token}`);
	await fresh.getByRole('navigation', { name: 'Pages' }).waitFor();
	return fresh;
}

async function bringUp() {
	found = await home.start();
	url = found.url;
	context = await newContext(browser);
	await context.addInitScript(() => {
		globalThis.channelsMade = 0;
		globalThis.BroadcastChannel = class extends BroadcastChannel {
			constructor(name) {
				super(name);
				globalThis.channelsMade++;
			}
		};
	});
	personToken = await home.personToken();
	page = await openPage(personToken);
}

async function tokenLeaves() {
	equal(page.url(), `${url}/#/`, 'the address');
	await page.goBack().catch(() => null);
	assert(!page.url().includes('token'), `the history has ${page.url()}`);
	if (!page.url().startsWith(url)) await page.goForward();
	await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}

async function pillAndTitle() {
	const pill = page.getByRole('button', { name: /MCP: listening on/ });
	equal(await pill.innerText(), `MCP Listening :${found.httpPort}`, 'the pill');
	equal(await pill.getAttribute('title'), `MCP: listening on 127.0.0.1:${found.httpPort}`, 'FR-06');
	await pill.click();
	equal(await clipboard(), `${url}/mcp`, 'what the pill copies');
	equal(await page.title(), 'Overview · Tenon');
}

/* What somebody has typed or kept: a page that is not there, half an escape, the name of what every object has. */
async function oddAddresses() {
	const fresh = await context.newPage();
	for (const [address, heading] of [
		['settings/%E0%A4%A', 'Settings'], ['nonsense', 'Overview'], ['constructor', 'Overview'], ['help/a%b', 'Help'],
	]) {
		await fresh.goto('about:blank');
		await fresh.goto(`${url}/#/${address}?token=${await home.personToken()}`);
		await fresh.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
		equal(await fresh.locator('nav [aria-current]').innerText(), heading, 'the menu');
	}
	await fresh.close();
}

async function clientsAppear() {
	editor = await relayClient(home, 'claude-code', '2.1.7');
	assistant = httpClient(url, found.token, 'vscode', '1.110.0');
	const table = card('Connected clients');
	await table.getByText('claude-code').waitFor({ timeout: 20_000 });
	await assistant('tools/list');
	await table.getByText('vscode').waitFor({ timeout: 20_000 });
	await table.getByText('relay (stdio)').waitFor({ timeout: 20_000 });
}

async function changeArrives() {
	await go('Plans');
	await page.getByText('No plan is open.').waitFor();
	const begun = performance.now();
	const result = await editor.call('terraform_parse', { plan_text: plan, detail: 'summary' });
	planId = result.structuredContent.plan_id;
	await card('Open plans').getByRole('link').first().waitFor({ timeout: 20_000 });
	assertSoon(performance.now() - begun, 1000, 'the plan of the assistant');
}

async function pastePlan() {
	await page.getByLabel('Paste what terraform plan printed').fill('this is no plan');
	await page.getByRole('button', { name: 'Explain' }).click();
	await page.getByRole('alert').getByText(/no plan was found/).waitFor();
	await page.getByLabel('Paste what terraform plan printed').fill(small);
	await page.keyboard.press('Control+Enter');
	const picture = page.getByRole('listbox', { name: 'Blast radius' });
	await picture.waitFor();
	await until('7 dots', async () => (await picture.getByRole('option').count()) === 7);
	await page.getByRole('link', { name: 'All plans' }).click();
	const open = card('Open plans').getByRole('link');
	await until('2 open plans', async () => (await open.count()) === 2);
}

async function dropFile() {
	await page.evaluate((text) => {
		const data = new DataTransfer();
		data.items.add(new File([text], 'plan.txt', { type: 'text/plain' }));
		const box = document.querySelector('[aria-label="Open a plan"]');
		box.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
	}, plan);
	const picture = page.getByRole('listbox', { name: 'Blast radius' });
	await picture.waitFor();
	await until('50 dots', async () => (await picture.getByRole('option').count()) === 50);
	await page.goto(`${url}/#/plan/${planId}`);
	await page.getByText('Permanently removes the DNS record').first().waitFor();
}

async function filterPlan() {
	const list = page.getByRole('listbox', { name: 'Changes' });
	const shown = (n) => until(`${n} changes`, async () => (await list.getByRole('option').count()) === n);
	await shown(50);
	await page.getByRole('button', { name: 'delete', exact: true }).click();
	await shown(5);
	await page.getByRole('button', { name: 'delete', exact: true }).click();
	await page.getByLabel('Least risk').selectOption('critical');
	await shown(4);
	await page.getByLabel('Least risk').selectOption('none');
	await page.getByRole('combobox', { name: 'Module' }).selectOption('module.database');
	await shown(7);
	await page.getByRole('combobox', { name: 'Module' }).selectOption('');
	await page.getByLabel('Search addresses').fill('ecs_service');
	await shown(3);
	const dim = page.locator('[role=listbox][aria-label="Blast radius"] .dim');
	await until('47 dots that stand back', async () => (await dim.count()) === 47);
	await page.getByLabel('Search addresses').fill('');
}

async function oneChange() {
	await page.getByRole('listbox', { name: 'Changes' }).getByText('db_instance').first().click();
	const detail = card('Change');
	await detail.getByText('destroyed first, then created').waitFor();
	await detail.getByText('forces replacement').waitFor();
	await detail.getByText('ledger-v2').waitFor();
}

async function reviewIsShared() {
	const detail = card('Change');
	const address = 'module.database.aws_db_instance.ledger';
	await detail.getByRole('button', { name: 'Stop' }).click();
	await detail.getByLabel('Note for the others').fill('Snapshot first.');
	await page.keyboard.press('Enter');
	const read = async () =>
		(await editor.call('terraform_review', { plan_id: planId })).structuredContent.marks;
	await until('the mark', async () => (await read()).some((m) => m.note === 'Snapshot first.'));
	const mark = (await read()).find((m) => m.address === address);
	equal(mark.verdict, 'stop', 'the verdict that the assistant reads');

	await editor.call('terraform_review', {
		plan_id: planId,
		marks: [
			{ address: 'module.network.aws_security_group.bastion', verdict: 'question', note: 'Why from everywhere?' },
			{ address: 'aws_route53_record.api', verdict: 'ok' },
		],
	});
	const list = page.getByRole('listbox', { name: 'Changes' });
	await list.getByRole('option', { name: /bastion/ }).getByText('Question').waitFor();
	await list.getByRole('option', { name: /record\.api/ }).getByText('Fine').waitFor();
	await page.getByRole('button', { name: /^Undo: / }).click();
	await until('the undo', async () => (await read()).length === 1);
	await page.getByRole('button', { name: /^Redo: / }).click();
	await until('the redo', async () => (await read()).length === 3);
}

async function markdown() {
	await page.getByRole('button', { name: 'Copy as Markdown' }).click();
	await until('the Markdown', async () => (await clipboard()).includes('### Plan: '));
	assert((await clipboard()).includes('`module.database.aws_db_instance.ledger`'), 'an address');
}

async function pictureByKeys() {
	const dots = page.getByRole('listbox', { name: 'Blast radius' }).getByRole('option');
	await dots.first().focus();
	const label = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
	const seen = new Set([await label()]);
	for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowDown', 'ArrowRight', 'ArrowUp']) {
		await page.keyboard.press(key);
		seen.add(await label());
	}
	assert(seen.size >= 3, `only ${[...seen]}`);
	const here = (await label()).split(',')[0];
	await page.keyboard.press('Enter');
	await card('Change').getByText(here).waitFor();
	await page.keyboard.press('j');
	await page.keyboard.press('k');
}

async function approval() {
	await page.goto(`${url}/#/settings`);
	await page.getByRole('textbox', { name: 'Consent policy' }).fill(
		JSON.stringify({
			rules: [{ id: 'reviews-ask', tool: 'terraform_review', person: false, action: 'confirm' }],
		}, null, 2),
	);
	await page.getByRole('button', { name: 'Check and save' }).click();
	await page.getByText('The policy is in force.').waitFor();
	await go('Overview');
	const args = {
		plan_id: planId,
		marks: [{ address: 'module.storage.aws_s3_bucket.exports', verdict: 'stop', note: 'Who owns the exports?' }],
	};
	const asked = editor.call('terraform_review', args);
	const panel = card('Approvals');
	await panel.getByRole('button', { name: 'Approve once' }).waitFor({ timeout: 20_000 });
	assert((await panel.innerText()).includes('claude-code'), 'who asks');
	await until('the announcement', async () =>
		(await page.getByRole('status').allInnerTexts()).some((s) => /asks for approval/.test(s)),
	);
	await page.getByRole('link', { name: 'Activity' }).click();
	await page.getByText('1 request waits for you').first().waitFor();
	await page.getByRole('link', { name: 'Review', exact: true }).click();
	await panel.getByRole('button', { name: 'Approve once' }).click();
	const result = await asked;
	assert(!result.isError, `approved, but ${JSON.stringify(result)}`);
	await page.getByText('Nothing waits for you').waitFor();

	const again = editor.call('terraform_review', args);
	await panel.getByRole('button', { name: 'Deny' }).click();
	const refused = await again;
	equal(refused.structuredContent?.error, 'CONSENT_DECLINED', 'the answer to the denied one');
	await panel.getByText(/Decided in the last/).click();
	await panel.getByText('denied', { exact: true }).waitFor();
}

async function badPolicy() {
	await go('Settings');
	const field = page.getByRole('textbox', { name: 'Consent policy' });
	const saved = await field.inputValue();
	await field.fill('{ "rules": [\n  { "tool": "x", "action": "maybe" }\n] }');
	await page.getByRole('button', { name: 'Check and save' }).click();
	await page.getByRole('alert').getByText(/2/).first().waitFor();
	equal(await field.getAttribute('aria-invalid'), 'true', 'the field');
	await page.getByRole('button', { name: 'Discard' }).click();
	equal(await field.inputValue(), saved, 'the policy');
}

async function settings() {
	const file = join(home.folder, '.config/tenon/config.json');
	await page.getByLabel('log.level').selectOption('debug');
	await until('the file', () => {
		try {
			return readFileSync(file, 'utf8').includes('debug');
		} catch {
			return false;
		}
	});
	await page.getByRole('button', { name: /Back to the default: log.level/ }).click();
	await until('the file', () => !readFileSync(file, 'utf8').includes('debug'));

	const port = page.getByLabel('http.port');
	assert(await port.isDisabled(), 'a flag decides the port, so the field is closed');
	const timeout = page.getByLabel('consent.timeout_s');
	await timeout.fill('1.5');
	await timeout.press('Enter');
	await page.getByRole('alert').first().waitFor();
	await timeout.fill('300');
	await timeout.press('Enter');
	await until('the file', () => readFileSync(file, 'utf8').includes('300'));
}

async function offAndOn() {
	const mcp = page.getByRole('switch', { name: 'mcp.enabled' });
	await mcp.click();
	await page.getByRole('button', { name: /switched off/ }).waitFor();
	const refused = await editor.call('terraform_review', { plan_id: planId });
	equal(refused.structuredContent?.error, 'SERVER_DISABLED', 'what the assistant is told');
	await mcp.click();
	await page.getByRole('button', { name: /MCP: listening on/ }).waitFor();
}

async function testConnection() {
	await page.getByRole('button', { name: 'Test connection' }).click();
	await page.getByText(/tenond \d+\.\d+\.\d+ answered in/).waitFor();
}

async function connectPage() {
	await go('Connect');
	await page.getByRole('button', { name: 'Show the token' }).click();
	await page.getByText(found.token).first().waitFor();
	await page.getByRole('button', { name: 'Hide the token' }).click();
	assert(!(await page.locator('main').innerText()).includes(found.token), 'the token is hidden');
	await page.getByRole('tab', { name: 'JSON' }).click();
	await page.getByRole('button', { name: 'Copy', exact: true }).first().click();
	await until('the JSON', async () => {
		const text = await clipboard();
		return text.startsWith('{') && JSON.parse(text).headers.Authorization === `Bearer ${found.token}`;
	});
	await page.getByRole('tab', { name: 'JSON' }).press('ArrowRight');
	await page.getByText('export TENON_URL=').waitFor();
	assert((await page.getByText(/tenon install /).count()) > 0, 'hosts');
}

async function rotation() {
	const old = found.token;
	await page.getByRole('button', { name: 'Rotate' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
	await page.getByText('A new token is in force.').waitFor();
	found = await until('the new token', () => (home.found()?.token !== old ? home.found() : null));
	const late = httpClient(url, old, 'late', '1');
	await late('tools/list').then(
		() => assert(false, 'the old token still counts'),
		(error) => equal(error.message, '401', 'the old token'),
	);
	assistant = httpClient(url, found.token, 'vscode', '1.110.0');
	await assistant('tools/list');
	await page.getByRole('button', { name: /MCP: listening on/ }).waitFor(); // a person's key stays
}

async function locked() {
	const other = await newContext(browser);
	const stranger = await other.newPage();
	await stranger.goto(url);
	await stranger.getByText('Open this page from your terminal').waitFor();
	await other.close();
	const tab = await context.newPage();
	await tab.goto(`${url}/#/help`);
	await tab.getByText('Open this page from your terminal').waitFor();
	await tab.close();
}

/* A tab that another program served on our port before us is of our origin: it hears every channel
 * and reads every storage that tabs share. */
async function nothingForOldTabs() {
	const old = await context.newPage();
	await old.route(`${url}/old`, (route) => route.fulfill({ contentType: 'text/html', body: '<p>Old' }));
	await old.goto(`${url}/old`);
	await old.evaluate(() => {
		globalThis.heard = [];
		globalThis.channel = new BroadcastChannel('tenon.token');
		channel.onmessage = (event) => heard.push(event.data);
		addEventListener('storage', (event) => heard.push(event.newValue));
		channel.postMessage({ want: true });
	});
	const fresh = await openPage(personToken);
	await old.evaluate(() => channel.postMessage({ want: true }));
	await fresh.reload();
	await fresh.getByRole('navigation', { name: 'Pages' }).waitFor();
	const shared = await old.evaluate(async () =>
		JSON.stringify([heard, { ...localStorage }, document.cookie, await indexedDB.databases(), await caches.keys()]),
	);
	assert(!shared.includes(personToken), `an old tab has the token: ${shared}`);
	equal(await old.evaluate(() => heard.length), 0, 'messages that an old tab heard');
	// What the page says on other channels, too.
	equal(await fresh.evaluate(() => globalThis.channelsMade), 0, 'channels of the page');
	await Promise.all([old.close(), fresh.close()]);
}

async function helpPage() {
	await go('Help');
	const read = await assistant('resources/read', { uri: 'tenon://hosts' });
	const { hosts } = JSON.parse(read.contents[0].text);
	assert(hosts.length > 5, `only ${hosts.length} hosts`);
	const pages = page.locator('details');
	await until('the hosts on the page, and plain HTTP', async () => (await pages.count()) === hosts.length + 1);
	for (const [i, host] of hosts.entries()) {
		const one = pages.nth(i);
		await one.locator('summary').click();
		equal(await one.locator('summary').innerText(), host.name, 'the host');
		const steps = await one.getByRole('listitem').allInnerTexts();
		equal(steps[0], `In a terminal: tenon install ${host.id}`, 'the first step');
		equal(JSON.stringify(steps.slice(1)), JSON.stringify(host.steps), `the steps of ${host.name}`);
	}
	await card('Does it work?').getByText(`curl ${url}/health`).waitFor();
}

async function keyboardOnly() {
	await page.goto(`${url}/#/`);
	await page.reload();
	await page.getByRole('navigation', { name: 'Pages' }).waitFor();
	await page.keyboard.press('Tab');
	equal(await page.evaluate(() => document.activeElement.textContent.trim()), 'Skip to the content');
	await page.keyboard.press('Enter');
	equal(await page.evaluate(() => document.activeElement.id), 'main', 'where the skip link leads');
	for (const [keys, name] of [['ga', 'Activity'], ['gp', 'Plans'], ['gt', 'Terminal'], ['gw', 'Workbench'], ['gc', 'Connect'], ['gs', 'Settings'], ['gh', 'Help'], ['go', 'Overview']]) {
		await page.keyboard.press(keys[0]);
		await page.keyboard.press(keys[1]);
		await until(name, async () => (await heading()) === name);
		equal(await page.evaluate(() => document.activeElement.id), 'main', `the focus on ${name}`);
	}
	await page.keyboard.press('?');
	await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
	await page.keyboard.press('Escape');
	await until('no dialog', async () => (await page.getByRole('dialog').count()) === 0);
	const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
	const before = await theme();
	await page.keyboard.press('t');
	assert((await theme()) !== before, 'the theme changes');
	await page.keyboard.press('t');
	// Everything that Tab reaches can be seen to be reached.
	const stops = new Set();
	for (let i = 0; i < 60; i++) {
		await page.keyboard.press('Tab');
		const stop = await page.evaluate(() => {
			const e = document.activeElement;
			const style = getComputedStyle(e);
			return { who: e.outerHTML.slice(0, 80), seen: style.outlineStyle !== 'none' || e === document.body };
		});
		if (stop.seen === false) throw new Error(`no visible focus: ${stop.who}`);
		stops.add(stop.who);
	}
	assert(stops.size > 10, `Tab reached only ${stops.size} places`);
}

async function fileActivity() {
	await page.goto(`${url}/#/activity/calls`);
	await page.getByRole('row', { name: /terraform_parse/ }).first().waitFor();
	await page.getByRole('tab', { name: 'Audit' }).click();
	await page.getByRole('row', { name: /terraform_review/ }).first().waitFor();
	await page.getByRole('tab', { name: 'Logs' }).click();
	const log = page.getByRole('log', { name: 'Logs' });
	await log.waitFor();
	const all = await log.locator('p').count();
	await page.getByLabel('Least level').selectOption('error');
	await until('fewer lines', async () => (await log.locator('p').count()) < all);
}

/* What the pictures show. */
async function traffic() {
	desktop = await relayClient(home, 'claude-desktop', '1.4.2');
	for (let i = 0; i < 12; i++) {
		await desktop.call('terraform_risk', { plan_id: planId });
		await assistant('tools/call', { name: 'terraform_show_change', arguments: { plan_id: planId, index: 1 + i } });
		if (i % 3 === 0) await editor.call('terraform_explain', { plan_id: planId, user_preference: 'full_summary' });
		await new Promise((r) => setTimeout(r, 260));
	}
}

async function waitingRequest() {
	void editor.call('terraform_review', {
		plan_id: planId,
		marks: [{ address: 'module.storage.aws_s3_bucket.exports', verdict: 'stop', note: 'Who owns the exports?' }],
	}).catch(() => null);
	await page.goto(`${url}/#/`);
	await card('Approvals').getByRole('button', { name: 'Approve once' }).waitFor();
}

const views = [
	['overview', '', (p) => p.getByRole('button', { name: 'Approve once' })],
	['activity-calls', 'activity/calls', (p) => p.getByRole('row', { name: /terraform_/ }).first()],
	['activity-audit', 'activity/audit', (p) => p.getByRole('row', { name: /terraform_/ }).first()],
	['activity-logs', 'activity/logs', (p) => p.getByRole('log')],
	['plans', 'plan', (p) => p.getByRole('region', { name: 'Open plans', exact: true }).getByRole('link').first()],
	['plan', () => `plan/${planId}`, (p) => p.getByText('Permanently removes').first()],
	['plan-changes', () => `plan/${planId}`, async (p) => {
		await p.getByText('Permanently removes').first().waitFor();
		await p.getByRole('listbox', { name: 'Changes' }).getByText('db_').first().click();
		await p.getByRole('region', { name: 'Changes', exact: true }).evaluate((e) => e.scrollIntoView());
	}],
	['connect', 'connect', (p) => p.getByText(/tenon install/).first()],
	['settings', 'settings', (p) => p.getByText('mcp.enabled').first()],
	['help', 'help', (p) => p.getByRole('heading', { name: 'Does it work?' })],
];

function pictureStep(name, hash, ready, theme, size) {
	return async () => {
		const own = await newContext(browser, { viewport: size, colorScheme: theme });
		try {
			const p = await own.newPage();
			const path = typeof hash === 'function' ? hash() : hash;
			await p.goto(`${url}/#/${path}?token=${personToken}`);
			await p.getByRole('navigation', { name: 'Pages' }).waitFor();
			await (await ready(p))?.waitFor();
			await p.evaluate(() => document.fonts.ready);
			await p.waitForTimeout(250);
			const narrow = size === NARROW ? '-narrow' : '';
			await p.screenshot({ path: join(pictures, `${name}${narrow}-${theme}.png`) });
			const wide = await p.evaluate(() => document.documentElement.scrollWidth - innerWidth);
			assert(wide <= 0, `the page is ${wide} pixels wider than the window`);
			const faults = await axeFaults(p);
			assert(faults.length === 0, faults.join(' | '));
			assert(own.faults.length === 0, own.faults.join(' | '));
		} finally {
			await own.close();
		}
	};
}

async function restart() {
	await page.goto(`${url}/#/`);
	await card('Approvals').waitFor();
	await Promise.all([editor.end(), desktop.end()]);
	await home.stop();
	await page.getByText('The daemon does not answer.').first().waitFor();
	found = await home.start();
	// The key of before counts no more: the page asks, whatever other tabs have.
	const asks = page.getByText('Open this page from your terminal');
	await asks.waitFor();
	personToken = await home.personToken();
	const other = await openPage(personToken);
	await other.close();
	assert(await asks.isVisible(), 'the page of before is locked still');
	await page.goto(`${url}/#token=${personToken}`);
	await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
	await page.getByRole('button', { name: /MCP: listening on/ }).waitFor();
}

async function quiet() {
	assert(context.faults.length === 0, context.faults.join(' | '));
}

const looks = views.flatMap(([name, hash, ready]) =>
	[['light', WIDE], ['dark', WIDE], ['light', NARROW]].map(([theme, size]) => [
		`${name}, ${theme}${size === NARROW ? ', narrow' : ''}: WCAG 2.1 A and AA, and a picture`,
		pictureStep(name, hash, ready, theme, size),
	]),
);

await steps(
	'browser',
	[
		['the page opens with the key of tenon open', bringUp],
		['the token leaves address and history', tokenLeaves],
		['the pill says where it listens, and copies it (FR-06)', pillAndTitle],
		['odd addresses show a page (web.md)', oddAddresses],
		['clients appear as they connect', clientsAppear],
		['a plan that an assistant opens appears within a second', changeArrives],
		['a plan is pasted; nonsense is refused in words', pastePlan],
		['a plan is dropped as a file', dropFile],
		['filters by action, risk, module and text', filterPlan],
		['one change in all detail', oneChange],
		['review marks are shared, undone and redone', reviewIsShared],
		['Markdown is copied', markdown],
		['the picture by arrow keys', pictureByKeys],
		['a request is approved, another denied', approval],
		['a broken policy is refused with its line', badPolicy],
		['settings reach the file and come back', settings],
		['mcp.enabled off and on, at once (ST-008)', offAndOn],
		['the connection is tested', testConnection],
		['connection data in three forms (T11)', connectPage],
		['the token is rotated, the old one dies (T8)', rotation],
		['without a key it is locked, beside a tab that has one, too', locked],
		['a tab of whoever had the port before gets no key', nothingForOldTabs],
		['Help has the steps of every host, and "does it work?" (FR-36)', helpPage],
		['the keyboard alone', keyboardOnly],
		['calls, audit and logs', fileActivity],
		['traffic for the pictures', traffic],
		...looks.filter(([name]) => !name.startsWith('overview')),
		['a request that waits, for the picture', waitingRequest],
		...looks.filter(([name]) => name.startsWith('overview')),
		['a restart of the daemon', restart],
		['no violation of the policy, no uncaught error', quiet],
	],
	{ timeout_ms: 60_000 },
);
await Promise.all([editor?.end(), desktop?.end()]);
await browser.close();
await home.end();
process.exit(failures ? 1 : 0);
