// terminal.mjs - two tabs and an assistant on one session: every byte the same, one keyboard, and
// nobody is slowed by whoever does not look (terminal.md section 11, issue 5).
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { assert, assertSoon, failures, steps } from '../clients/results.mjs';
import { axeFaults, NARROW, newContext, openBrowser, WIDE } from './browser.mjs';
import { relayClient } from './clients.mjs';
import { Home, until } from './home.mjs';

const pictures = process.env.TENON_SCREENSHOTS ?? 'out/screenshots';
mkdirSync(pictures, { recursive: true });
const home = new Home(process.env.TENON_SCREENSHOTS ? 7777 : 21000 + ((process.pid + 6600) % 9000), {
	SHELL: '/bin/bash',
});
const browser = await openBrowser();
const SECRET = 'zebra-cactus-77';
let context, found, url, personToken, assistant, script, session, a, b;

const equal = (x, y, what = '') =>
	assert(x === y, `${what} is ${JSON.stringify(x)}, not ${JSON.stringify(y)}`);
const region = (page, name) => page.getByRole('region', { name, exact: true });
const take = (page) => page.getByRole('button', { name: 'Take over' });
const give = (page) => page.getByRole('button', { name: 'Give back' });

/* A tool's structured result; what it refuses is thrown, with its code. */
async function call(tool, args = {}) {
	const result = await assistant.call(tool, args);
	const error = result.structuredContent?.error;
	if (result.isError) throw Object.assign(new Error(error?.message ?? 'failed'), { code: error?.code });
	return result.structuredContent;
}
const run = (command, more = {}) =>
	call('execute_command', { session_id: session, command, max_bytes: 1 << 20, ...more });

/* The same for a script: all numbers, and not only those that a model needs. */
const ask = async (tool, args = {}) => (await script.call(tool, args)).structuredContent;

/* What the live streams of a page have brought: a text or bytes each. */
function listen(page) {
	page.frames_ = [];
	page.on('websocket', (socket) => {
		if (!socket.url().includes('/terminal/stream/')) return;
		page.frames_.push({ opened: true });
		socket.on('framereceived', ({ payload }) =>
			page.frames_.push(typeof payload === 'string' ? JSON.parse(payload) : { data: payload }),
		);
	});
	return page;
}
const bytesOf = (page) =>
	Buffer.concat(page.frames_.filter((f) => f.data).map((f) => f.data));
const told = (page, kind) => page.frames_.filter((f) => f.t === kind);

/* What the terminal in the page shows. */
const rows = (page) =>
	page.evaluate(() =>
		[...document.querySelectorAll('.xterm-rows > div')].map((row) => row.textContent.replace(/[ \u00a0]+$/, '')),
	);
const shows = (page, text) =>
	until(`"${text}" in the terminal`, async () => (await rows(page)).some((row) => row.includes(text)));

async function sameScreens() {
	const same = async () => (await rows(a)).join('\n') === (await rows(b)).join('\n');
	await until('the same screens', same).catch(async (error) => {
		const other = await rows(b);
		const differ = (await rows(a)).flatMap((row, i) => (row === other[i] ? [] : [[i, row, other[i]]]));
		throw new Error(`${error.message}: ${JSON.stringify(differ.slice(0, 4))}`);
	});
}

async function openPage(path = '') {
	const page = listen(await context.newPage());
	await page.goto(`${url}/#/${path}?token=${personToken}`);
	await page.getByRole('navigation', { name: 'Pages' }).waitFor();
	return page;
}

async function bringUp() {
	found = await home.start();
	url = found.url;
	context = await newContext(browser);
	personToken = await home.personToken();
	a = await openPage('terminal');
	await a.getByText('No session is open.').waitFor();
	assistant = await relayClient(home, 'claude-code', '2.1.7');
	script = await relayClient(home, 'script', '1', ['mcp', 'terminal']);
}

async function appears() {
	const begun = performance.now();
	const made = await call('create_session', { name: 'build', record: true, cwd: home.folder });
	session = made.session.id;
	await a.getByRole('link', { name: /^build/ }).waitFor({ timeout: 20_000 });
	assertSoon(performance.now() - begun, 5000, 'the session');
	await run("PS1='\\[\\e[1;32m\\]ada@harbour\\[\\e[m\\]:\\[\\e[1;34m\\]\\w\\[\\e[m\\]$ '; clear");
	const painted = () =>
		a.evaluate(() => {
			const canvas = document.querySelector('canvas');
			const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
			let sum = 0;
			for (let i = 0; i < data.length; i += 4) sum = (sum * 31 + data[i] * 7 + data[i + 1]) % 1000000007;
			return sum;
		});
	const before = await until('a picture', painted);
	await run('printf "\\e[41m%60s\\e[m\\n" red; printf "\\e[38;2;0;90;200m%s\\e[m\\n" "true colours"');
	await until('another picture', async () => (await painted()) !== before);
}

async function twoTabs() {
	await a.getByRole('link', { name: /^build/ }).click();
	b = await openPage(`terminal/${session}`);
	for (const page of [a, b]) {
		await until('a snapshot', () => told(page, 'snapshot').length > 0);
		await shows(page, 'true colours');
		await take(page).waitFor();
	}
	await until('each knows of the other', () => told(a, 'state').at(-1)?.viewers === 2);
}

async function everyByte() {
	const words = [
		'echo BYTES-BEGIN',
		"printf '\\e[31mred \\e[1;4mbold\\e[m 漢字 😀 e\\u0301 \\e[5;10Hmoved\\e[2J\\e[H'",
		"printf '\\e]0;a title\\a\\e]52;c;c2VjcmV0\\a\\e[21t\\e[6n'",
		'for i in $(seq 1 3000); do printf "\\e[3$((i%8))mline %d \\e[m%40s\\n" $i x; done',
		'head -c 60000 /dev/urandom | base64 -w 0 | fold -w 100; echo',
		'echo BYTES-END',
	].join('; ');
	const result = await ask('execute_command', { session_id: session, command: words, max_bytes: 1 << 20, yield_ms: 50000 });
	equal(result.exit_code, 0, 'the exit code');
	// The words stand in the command, too, which is shown before it runs.
	const part = (page) => {
		const bytes = bytesOf(page);
		const end = bytes.lastIndexOf('BYTES-END\r\n');
		const begin = bytes.lastIndexOf('BYTES-BEGIN\r\n', end);
		return end > begin && begin >= 0 ? bytes.subarray(begin, end) : null;
	};
	const [one, two] = await until('both have all', () => part(a) && part(b) && [part(a), part(b)]);
	assert(one.length > 200_000, `only ${one.length} bytes`);
	const hash = (bytes) => createHash('sha256').update(bytes).digest('hex');
	equal(hash(one), hash(two), 'the bytes of the second tab');
	for (const never of ['c2VjcmV0', '\x1b[21t', '\x1b[6n'])
		assert(!one.includes(never), `viewers got ${JSON.stringify(never)} (10.4)`);
	// The script's numbers are of the same lines.
	const text = one.toString('utf8').replace(/\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07/g, '');
	const lines = [...text.matchAll(/line (\d+) /g)].map((m) => Number(m[1]));
	equal(lines.length, 3000, 'lines');
	assert(result.total_lines >= 3000, `the script has ${result.total_lines}`);
	await sameScreens();
}

async function timelineStep() {
	const failed = await run('echo to be found later; (exit 3)');
	equal(failed.exit_code, 3);
	const list = region(a, 'Commands');
	await list.getByText('exit 3', { exact: true }).waitFor();
	await list.getByRole('button', { name: /Output of: echo to be found/ }).click();
	const dialog = a.getByRole('dialog', { name: 'Output' });
	await dialog.locator('pre').getByText('to be found later').waitFor();
	await a.keyboard.press('Escape');
	// A command that is still in the scroll-back: the terminal goes there.
	await run('seq 1 200');
	await shows(a, '200');
	await list.getByRole('button', { name: /echo to be found later/ }).first().click();
	await shows(a, 'to be found later');
}

async function takeOver() {
	await take(a).click();
	await give(a).waitFor();
	await b.getByText('Another window of yours has the keyboard.').waitFor();
	const refused = await run('echo not while a person types').catch((e) => e);
	equal(refused.code, 'handed_over', 'what the assistant is told');
	await a.locator('.xterm-helper-textarea').focus();
	await a.keyboard.type('echo typed-$((6*7))', { delay: 5 });
	await a.keyboard.press('Enter');
	for (const page of [a, b]) await shows(page, 'typed-42');
	await region(b, 'Commands').getByText('typed', { exact: true }).first().waitFor();
	// Keys that mean something: Ctrl-C, an arrow key, an accent.
	await a.keyboard.type('sleep 60');
	await a.keyboard.press('Enter');
	const front = async () => (await call('list_sessions')).sessions.find((s) => s.id === session);
	await until('sleep in front', async () => (await front()).state === 'running');
	await new Promise((r) => setTimeout(r, 500)); // a shell that is just starting one loses a Ctrl-C
	await a.keyboard.press('Control+c');
	await a.keyboard.press('ArrowUp');
	await a.keyboard.press('ArrowUp');
	await a.keyboard.press('Enter');
	await until('typed-42 again', async () => (await rows(b)).filter((r) => r === 'typed-42').length >= 2);
	await a.keyboard.insertText('echo caf\u00e9');
	await a.keyboard.press('Enter');
	await shows(b, 'caf\u00e9');
}

async function resize() {
	const size = async () => {
		const { sessions } = await ask('list_sessions');
		const one = sessions.find((s) => s.id === session);
		return `${one.cols} × ${one.rows}`;
	};
	const before = await size();
	assert(before !== '120 × 40', 'whoever is in control says how large it is');
	await a.setViewportSize({ width: 1500, height: 950 });
	await until('another size', async () => (await size()) !== before);
	const now = await size();
	await b.getByText(now).waitFor();
	await until('rows', async () => (await rows(b)).length === Number(now.split(' × ')[1]));
	await a.setViewportSize(WIDE);
	await until('the size of before', async () => (await size()) === before);
	await a.keyboard.type('stty size');
	await a.keyboard.press('Enter');
	await shows(b, before.split(' × ').reverse().join(' '));
}

/* What is above the screen is found; what is selected is copied, with the keys that terminals have for it. */
async function findAndCopy() {
	await run('echo needle-17; seq 1 200');
	await shows(a, '200');
	assert(!(await rows(a)).some((row) => row.includes('needle-17')), 'it is above the screen');
	await a.locator('.xterm-helper-textarea').focus();
	await a.keyboard.press('Control+Shift+F');
	const box = a.getByRole('searchbox', { name: 'Find on the screen and above it' });
	await box.fill('NEEDLE-17');
	await shows(a, 'needle-17');
	await box.fill('needle-18');
	await a.getByText('It is not there.').waitFor();
	await box.fill('needle-17');
	await shows(a, 'needle-17');
	await a.locator('.xterm-helper-textarea').focus();
	await a.keyboard.press('Control+Shift+C');
	await until('the copy', async () => (await a.evaluate(() => navigator.clipboard.readText())) === 'needle-17');
	await box.press('Escape');
	await box.waitFor({ state: 'detached' });
}

async function giveBack() {
	await a.locator('.xterm-helper-textarea').focus();
	await a.keyboard.press('Control+]');
	await take(a).waitFor();
	await b.getByText('120 × 40').waitFor(); // the size of before
	equal(await a.evaluate(() => document.activeElement.textContent.trim()), 'Take over', 'the focus');
	await b.getByText('You are looking. Take over to type.').waitFor();
	// What is typed now goes nowhere.
	await a.locator('.xterm-helper-textarea').focus();
	await a.keyboard.type('rm -rf nothing');
	equal((await run('echo free again')).exit_code, 0);
	assert(!(await rows(b)).some((row) => row.includes('rm -rf')), 'it was typed');
}

/* 7.14: the only way to type a password. */
async function handOver() {
	const started = await run('read -rsp "Password: " secret; echo; echo "got ${#secret} characters"', { yield_ms: 5000 });
	equal(started.status, 'waiting_input', 'the command');
	const handed = call('hand_over', {
		session_id: session,
		message: 'Please type the password of the deploy key.',
		until: 'returned',
		timeout_ms: 50000,
	});
	await a.getByText('Please type the password of the deploy key.').waitFor();
	await a.getByText('The program reads hidden input').waitFor();
	await take(a).click();
	await give(a).waitFor();
	await a.locator('.xterm-helper-textarea').focus();
	await a.keyboard.type(SECRET);
	await a.keyboard.press('Enter');
	await shows(b, `got ${SECRET.length} characters`);
	await give(a).click();
	const result = await handed;
	equal(result.reason, 'returned', 'the end of the hand-over');
	assert(!JSON.stringify(result).includes(SECRET), 'the assistant has read it');
	for (const page of [a, b]) assert(!bytesOf(page).includes(SECRET), 'a viewer has seen it');
	const kept = await call('search_history', { query: SECRET, syntax: 'phrase' });
	equal(kept.entries.length, 0, 'what the history kept');
	await until('no banner', async () => (await a.getByText('Please type the password').count()) === 0);
}

/* 10.2: three answers to a question, and the one that lasts is for the exact command. */
async function approvals() {
	const page = await openPage('overview');
	const panel = region(page, 'Approvals');
	const answer = (name) => panel.getByRole('button', { name, exact: true }).click();
	const command = `git -C ${home.folder} reset --hard`;
	const asked = run(command, { yield_ms: 30000 });
	await answer('Allow this exact command in this session');
	equal((await asked).status, 'completed', 'the approved command');
	await page.getByText('Nothing waits for you').waitFor();
	equal((await run(command)).status, 'completed', 'the same command');
	const other = run(`${command} HEAD`, { yield_ms: 30000 }).catch((error) => error);
	await answer('Deny');
	assert((await other) instanceof Error, 'another command was run as well');
	const once = run(`${command} HEAD`, { yield_ms: 30000 });
	await answer('Run once');
	equal((await once).status, 'completed', 'what was approved once');
	await page.close();
}

/* A tab that does nothing for a while: it catches up by a snapshot, and nobody waits for it. */
async function frozen() {
	const lags = told(b, 'lag').length;
	/* Its scripts stand still until the flood is over, however long that takes. */
	const debug = await context.newCDPSession(b);
	const paused = new Promise((stands) => debug.once('Debugger.paused', stands));
	await debug.send('Debugger.enable');
	await debug.send('Debugger.pause');
	await run('echo wake up');
	await paused;
	const begun = performance.now();
	const result = await run('seq 1 400000 | sed "s/$/ of a flood/"; echo flood is over', { yield_ms: 50000 });
	const took = performance.now() - begun;
	equal(result.status, 'completed', 'the flood');
	assertSoon(took, 30_000, 'the flood');
	await shows(a, 'flood is over');
	await debug.send('Debugger.disable');
	await debug.detach();
	await shows(b, 'flood is over');
	assert(told(b, 'lag').length > lags, 'it was told that it lags');
	await sameScreens();
}

async function endless() {
	const started = await run('yes "$(seq -s , 1 30)"', { yield_ms: 0, timeout_ms: 0 });
	const slowest = [];
	for (let i = 0; i < 10; i++) {
		const begun = performance.now();
		await call('list_sessions');
		slowest.push(performance.now() - begun);
		await new Promise((r) => setTimeout(r, 200));
	}
	const before = performance.now();
	await a.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));
	assertSoon(performance.now() - before, 3000, 'a frame of the page that is flooded');
	await call('signal', { command_id: started.command_id });
	const end = await call('wait_for', { command_id: started.command_id, until: 'exit', timeout_ms: 20000 });
	equal(end.matched, true, 'it ended');
	assertSoon(Math.max(...slowest), 2000, 'list_sessions');
	await run('echo after the endless one');
	for (const page of [a, b]) await shows(page, 'after the endless one');
}

async function search() {
	await a.getByRole('link', { name: 'All sessions' }).click();
	const card = region(a, 'History');
	await card.getByRole('searchbox').fill('found later');
	await a.keyboard.press('Enter');
	await card.locator('pre').getByText('to be found later').first().waitFor();
	await card.getByLabel('Result').selectOption('ok');
	await card.getByText('Nothing was found.').waitFor();
	await card.getByLabel('Result').selectOption('failed');
	await card.getByRole('button', { name: 'Output' }).first().click();
	await a.getByRole('dialog', { name: 'Output' }).locator('pre').getByText('to be found later').waitFor();
	await a.keyboard.press('Escape');
}

async function replay() {
	await a.goto(`${url}/#/terminal/${session}`);
	await a.getByRole('button', { name: 'Replay' }).click();
	const dialog = a.getByRole('dialog', { name: 'Recording of build' });
	const slider = dialog.getByRole('slider', { name: 'Position' });
	await slider.waitFor();
	await dialog.getByRole('button', { name: 'Pause' }).click();
	await slider.focus();
	await a.keyboard.press('End');
	const text = () => dialog.locator('.xterm-rows').innerText();
	const end = `got ${SECRET.length} characters`;
	await until('the end of it', async () => (await text()).includes(end));
	await a.keyboard.press('Home');
	await until('its beginning', async () => !(await text()).includes(end));
	const file = await home.tenon('read', `terminal://session/${session}/recording`);
	assert(!file.stdout.includes(SECRET), 'the recording has the password');
	await a.keyboard.press('Escape');
}

async function newAndClosed() {
	await a.getByRole('link', { name: 'All sessions' }).click();
	await a.getByRole('button', { name: 'New session' }).click();
	const dialog = a.getByRole('dialog', { name: 'New session' });
	await dialog.getByLabel('Folder').fill('/nowhere/at/all');
	await dialog.getByRole('button', { name: 'Start' }).click();
	await dialog.getByRole('alert').waitFor();
	await dialog.getByLabel('Name').fill('mine');
	await dialog.getByLabel('Folder').fill(home.folder);
	await dialog.getByRole('button', { name: 'Start' }).click();
	await a.getByRole('heading', { name: 'mine' }).waitFor();
	await take(a).click();
	await give(a).waitFor();
	await a.locator('.xterm-helper-textarea').focus();
	await a.keyboard.type('echo in my own; sleep 100');
	await a.keyboard.press('Enter');
	await shows(a, 'in my own');
	await a.getByRole('button', { name: 'Close', exact: true }).click();
	const sure = a.getByRole('dialog', { name: 'Close mine?' });
	await sure.getByText('A command is running.').waitFor();
	await sure.getByRole('button', { name: 'Close', exact: true }).last().click();
	await until('the wall', async () => (await a.getByRole('button', { name: 'New session' }).count()) === 1);
	await until('it is gone', async () => (await a.getByRole('link', { name: /^mine/ }).count()) <= 1);
	const { sessions } = await call('list_sessions');
	assert(!sessions.some((s) => s.name === 'mine'), 'it is closed for the assistant, too');
}

async function keyboardOnly() {
	await a.goto(`${url}/#/terminal`);
	await a.getByRole('link', { name: /^build/ }).focus();
	await a.keyboard.press('Enter');
	await take(a).waitFor();
	await until('it can be taken', () => take(a).isEnabled());
	await take(a).focus();
	await a.keyboard.press('Enter');
	await give(a).waitFor();
	// The terminal has the focus by itself, takes Tab, and lets go with Ctrl+].
	await until('the focus', () =>
		a.evaluate(() => document.activeElement.classList.contains('xterm-helper-textarea')));
	await a.keyboard.press('Tab');
	assert(
		await a.evaluate(() => document.activeElement.classList.contains('xterm-helper-textarea')),
		'Tab left the terminal',
	);
	await a.keyboard.press('Control+]');
	await take(a).waitFor();
	await a.keyboard.press('Tab');
	assert(
		!(await a.evaluate(() => document.activeElement.classList.contains('xterm-helper-textarea'))) ||
			(await a.keyboard.press('Tab').then(() => true)),
		'no way out',
	);
	// Without the keyboard Tab goes on from the terminal, too.
	await a.locator('.xterm-helper-textarea').focus();
	await a.keyboard.press('Tab');
	assert(
		!(await a.evaluate(() => document.activeElement.classList.contains('xterm-helper-textarea'))),
		'Tab stays in the terminal that is only looked at',
	);
}

/* For the pictures: something to see. */
async function traffic() {
	await run('clear');
	const editor = (await call('create_session', { name: 'editor', cwd: home.folder })).session.id;
	const logs = (await call('create_session', { name: 'logs', cwd: home.folder })).session.id;
	await call('execute_command', {
		session_id: editor,
		command: 'for i in 1 2 3 4 5 6 7 8; do printf "\\e[3${i}m%2d \\e[m| static int part_%d(void);\\n" $i $i; done',
	});
	await call('execute_command', {
		session_id: logs,
		command: 'for i in $(seq 1 14); do printf "\\e[2m20:5%d\\e[m \\e[3$((1+i%6))m%-5s\\e[m request %d answered\\n" $((i%10)) info $i; done',
	});
	await run('printf "\\e[36mcompile\\e[m src/base/%s.c\\n" arena buf str map utf8 clock; printf "\\e[33mwarning\\e[m: 1 thing to look at\\n"; (exit 2)');
	await run('echo; printf "\\e[7m 412 tests passed \\e[m  \\e[31m0 failed\\e[m\\n"');
	await run('sleep 600', { yield_ms: 0, timeout_ms: 0 });
}

const views = [
	['terminal', 'terminal', async (p) => {
		await p.getByRole('link', { name: /^build/ }).waitFor();
		await p.waitForTimeout(500);
	}],
	['terminal-session', () => `terminal/${session}`, async (p) => {
		await shows(p, '412 tests passed');
		await p.getByText('exit 2').first().waitFor();
	}],
	['terminal-taken', () => `terminal/${session}`, async (p) => {
		await until('it can be taken', () => take(p).isEnabled());
		await take(p).click();
		await give(p).waitFor();
		await p.waitForTimeout(400);
	}],
];

function pictureStep(name, hash, ready, theme, size) {
	return async () => {
		const own = await newContext(browser, { viewport: size, colorScheme: theme });
		try {
			const p = await own.newPage();
			const path = typeof hash === 'function' ? hash() : hash;
			await p.goto(`${url}/#/${path}?token=${personToken}`);
			await p.getByRole('navigation', { name: 'Pages' }).waitFor();
			await ready(p);
			await p.evaluate(() => document.fonts.ready);
			await p.waitForTimeout(250);
			const narrow = size === NARROW ? '-narrow' : '';
			await p.screenshot({ path: join(pictures, `${name}${narrow}-${theme}.png`) });
			const wide = await p.evaluate(() => document.documentElement.scrollWidth - innerWidth);
			assert(wide <= 0, `the page is ${wide} pixels wider than the window`);
			const faults = await axeFaults(p);
			assert(faults.length === 0, faults.join(' | '));
			assert(own.faults.length === 0, own.faults.join(' | '));
			if (await give(p).count()) await give(p).click();
		} finally {
			await own.close();
		}
	};
}

/* A daemon that is killed: the next one has the session, its screen and its commands. */
async function killed() {
	const { sessions } = await call('list_sessions');
	const running = sessions.find((s) => s.id === session).running_command_id;
	await assistant.end(); // else it starts the next daemon by itself
	await home.stop('SIGKILL');
	await a.getByText('The daemon does not answer.').first().waitFor();
	found = await home.start();
	url = found.url;
	// The key died with the daemon; persons ask for another, in a terminal that no AI host has started.
	personToken = await home.personToken();
	const fresh = await openPage(`terminal/${session}`);
	await shows(fresh, '412 tests passed');
	await region(fresh, 'Commands').getByText('exit 2', { exact: true }).first().waitFor();
	assistant = await relayClient(home, 'claude-code', '2.1.7');
	const again = (await call('list_sessions')).sessions.find((s) => s.id === session);
	equal(again?.running_command_id, running, 'the command that runs');
	await call('signal', { command_id: running });
	equal((await run('echo after the kill')).exit_code, 0);
	await shows(fresh, 'after the kill');
	await fresh.close();
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
	'browser-terminal',
	[
		['the page, and an assistant through the relay', bringUp],
		['a session appears, and its picture follows it', appears],
		['two tabs on one session', twoTabs],
		['every byte is the same, and none that asks (11, 10.4)', everyByte],
		['commands with exit codes; their output, near and far', timelineStep],
		['taking over: one keyboard, assistants wait', takeOver],
		['whoever is in control says how large it is', resize],
		['giving back with Ctrl+]', giveBack],
		['find above the screen, and copy', findAndCopy],
		['a hand-over, and a password that nobody sees (7.14)', handOver],
		['an approval, once or for this command in this session (10.2)', approvals],
		['search in the history', search],
		['a recording with its scrubber', replay],
		['a tab that does not look costs nobody anything', frozen],
		['output without end', endless],
		['a session of one\'s own, and its end', newAndClosed],
		['the keyboard alone', keyboardOnly],
		['something to see', traffic],
		...looks,
		['a daemon that is killed', killed],
		['no violation of the policy, no uncaught error', quiet],
	],
	{ timeout_ms: 90_000 },
);
await assistant?.end();
await script?.end();
await browser.close();
await home.stop();
await home.end();
process.exit(failures ? 1 : 0);
