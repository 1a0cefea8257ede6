// floorplan.mjs - a plan as text and as a picture, two tabs and an assistant: one state
// (floorplan.md 5, 6.10, 7.8, issue 7). What is typed, dragged and edited from afar is the same plan.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { assert, failures, steps } from '../clients/results.mjs';
import { axeFaults, NARROW, newContext, openBrowser, WIDE } from './browser.mjs';
import { relayClient } from './clients.mjs';
import { Home, until } from './home.mjs';

const pictures = process.env.TENON_SCREENSHOTS ?? 'out/screenshots';
mkdirSync(pictures, { recursive: true });
const home = new Home(process.env.TENON_SCREENSHOTS ? 7777 : 21000 + ((process.pid + 2200) % 9000));
const browser = await openBrowser();
let context, url, token, assistant, a, b, id;

const START = `%%{version: 1.0}%%
floorplan
  config { default_unit: m }
  floor Ground {
    room Hall at (0,0) size (3 x 4)
    # the one with the view
    room Living size (5 x 4) right-of Hall label "Living room"
    room Store at (0,6) size (2 x 2)
  }
  connect Hall to Living door
`;

const equal = (x, y, what = '') =>
	assert(x === y, `${what} is ${JSON.stringify(x)}, not ${JSON.stringify(y)}`);

async function call(tool, args = {}) {
	const result = await assistant.call(tool, args);
	if (result.isError) throw new Error(JSON.stringify(result.structuredContent));
	return result.structuredContent;
}
const served = async () =>
	(await assistant.request('resources/read', { uri: `floorplan://document/${id}` })).contents[0].text;

/* The editor's text, as the page has it. Only what is in sight is in the page; our plans are short. */
const shown = (page) =>
	page.evaluate(() =>
		[...globalThis.document.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n'),
	);
const editor = (page) => page.getByRole('textbox', { name: 'Text of the floor plan' });
const room = (page, name) => page.locator(`.stage [data-room="${name}"]`);
const problems = (page) => page.getByRole('region', { name: 'What is wrong' });
const boxOf = (page, name) => room(page, name).boundingBox();

async function same(what = '') {
	await until(`one text in both tabs and at the daemon ${what}`, async () => {
		const text = await served();
		return (await shown(a)) === text && (await shown(b)) === text;
	});
}

/* The caret behind these words, which stand in one line. */
async function caretAfter(page, words) {
	await editor(page).focus();
	await page.evaluate((what) => {
		const line = [...globalThis.document.querySelectorAll('.cm-line')].find((l) => l.textContent.includes(what));
		let left = line.textContent.indexOf(what) + what.length;
		const walker = globalThis.document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
		let node = walker.nextNode();
		for (; node.length < left; node = walker.nextNode()) left -= node.length;
		globalThis.getSelection().collapse(node, left);
	}, words);
	await page.waitForTimeout(60); // the editor hears of it by an event
}

async function dragBy(page, from, by, { alt = false } = {}) {
	if (alt) await page.keyboard.down('Alt');
	await page.mouse.move(from.x, from.y);
	await page.mouse.down();
	for (let i = 1; i <= 5; i++) await page.mouse.move(from.x + (by.x * i) / 5, from.y + (by.y * i) / 5);
	await page.mouse.up();
	if (alt) await page.keyboard.up('Alt');
}

async function openPage(path = '', in_ = context) {
	const page = await in_.newPage();
	await page.goto(`${url}/#/${path}?token=${token}`);
	await page.getByRole('navigation', { name: 'Pages' }).waitFor();
	return page;
}

async function bringUp() {
	url = (await home.start()).url;
	context = await newContext(browser);
	token = await home.personToken();
	a = await openPage('floorplan');
	await a.getByText('No floor plan is open.').waitFor();
	assistant = await relayClient(home, 'claude-code', '2.1.7');
}

async function appears() {
	id = (await call('open_floorplan', { dsl: START })).document;
	await a.getByRole('region', { name: 'Open floor plans' }).getByRole('link').first().click();
	await editor(a).waitFor();
	b = await openPage(`floorplan/${id}`);
	for (const page of [a, b]) {
		await until('the text', async () => (await shown(page)) === START);
		await room(page, 'Living').waitFor();
		await page.getByText('3 rooms, 36 m²').waitFor();
	}
	// The picture is of SVG, with groups that say what they are (6.10).
	assert((await a.locator('.paper [data-room="Hall"]').count()) > 0, 'no group of the room');
	equal(await a.locator('.paper script, .paper image, .paper foreignObject').count(), 0, 'what could act');
}

async function linked() {
	await room(a, 'Store').hover();
	await a.locator('.cm-line.fp-lit').filter({ hasText: 'room Store' }).waitFor();
	await a.locator('.cm-line').filter({ hasText: 'room Living' }).hover();
	await until('the room of the line', () => room(a, 'Living').evaluate((r) => r.classList.contains('lit')));
	assert(!(await room(a, 'Store').evaluate((r) => r.classList.contains('lit'))), 'only that one');
	await a.locator('.cm-line').filter({ hasText: 'connect Hall' }).hover();
	await a.locator('.stage .opening').waitFor({ state: 'attached' }); // of no width: a line
	await room(a, 'Store').click();
	await until('the cursor in its line', () =>
		a.locator('.cm-activeLine').filter({ hasText: 'room Store' }).count());
}

async function typed() {
	await caretAfter(a, 'room Store at (0,6) size (2 x 2');
	await a.keyboard.press('Backspace');
	await a.keyboard.type('3');
	await until('the daemon has it', async () => (await served()).includes('size (2 x 3)'));
	await same('after typing');
	await b.getByText('3 rooms, 38 m²').waitFor();
	equal((await served()).replace('(2 x 3)', '(2 x 2)'), START, 'everything else');
}

async function dragged() {
	const before = await boxOf(a, 'Store');
	const scale = (await boxOf(a, 'Hall')).width / 3; // pixels a metre
	await dragBy(a, { x: before.x + before.width / 2, y: before.y + before.height / 2 }, { x: 1.5 * scale, y: 0.52 * scale });
	await until('the text says so', async () => (await served()).includes('room Store at (1.5,6.5) size (2 x 3)'));
	await same('after dragging');
	assert((await served()).includes('# the one with the view'), 'comments stay');
}

async function wall() {
	const box = await until('it is drawn', () => boxOf(b, 'Store'));
	const scale = (await boxOf(b, 'Hall')).width / 3;
	await dragBy(b, { x: box.x + box.width - 3, y: box.y + box.height / 2 }, { x: scale, y: 4 });
	await until('the text says so', async () => (await served()).includes('room Store at (1.5,6.5) size (3 x 3)'));
	// The wall on the left: the room is larger, and begins farther left.
	await same('after the right wall');
	await until('it is drawn', async () => Math.abs((await boxOf(b, 'Store')).width - 3 * scale) < 40);
	await b.waitForTimeout(200);
	const wide = await boxOf(b, 'Store');
	const now = (await boxOf(b, 'Hall')).width / 3;
	await dragBy(b, { x: wide.x + 3, y: wide.y + wide.height / 2 }, { x: -0.5 * now, y: 0 });
	await until('the text says so', async () => (await served()).includes('room Store at (1,6.5) size (3.5 x 3)'));
	await same('after the left wall');
}

async function neighbours() {
	// Dragged near a neighbour's wall it sits at it: Hall's left wall at 0, its lower wall at 4.
	const box = await boxOf(a, 'Store');
	const scale = (await boxOf(a, 'Hall')).width / 3;
	const reach = 5 / scale; // less than 8 pixels beside it
	await dragBy(a, { x: box.x + box.width / 2, y: box.y + box.height / 2 }, { x: (-1 + reach) * scale, y: (-2.5 + reach) * scale });
	await until('at the walls', async () => (await served()).includes('room Store at (0,4) size (3.5 x 3)'));
	await same('after snapping');
}

async function remote() {
	// Somebody types here while an assistant edits: both changes are in the end.
	await caretAfter(a, 'label "Living room');
	await a.keyboard.type(' south', { delay: 5 });
	await call('modify_floorplan', {
		document: id,
		operations: [{ action: 'rename_room', target: 'Store', params: { newName: 'Pantry' } }],
	});
	await a.keyboard.type('!', { delay: 5 });
	await until('both changes', async () => {
		const text = await served();
		return text.includes('label "Living room south!"') && text.includes('room Pantry');
	});
	await same('after both');
	await room(b, 'Pantry').waitFor();
	await room(b, 'Store').waitFor({ state: 'detached' });
}

async function interleaved() {
	// A long line typed without a pause, while others change the plan twelve times.
	await editor(a).press('Control+End');
	const words = '# thirty words that are typed while the plan changes under the hand of the writer ';
	const writing = a.keyboard.type(words, { delay: 25 });
	for (let i = 1; i <= 12; i++) {
		await call('modify_floorplan', {
			document: id,
			operations: [{ action: 'add_label', target: 'Hall', params: { label: `Hall ${i}` } }],
		});
		await new Promise((r) => setTimeout(r, 120));
	}
	await writing;
	await until('all of both', async () => {
		const text = await served();
		return text.includes(words) && text.includes('label "Hall 12"');
	});
	await same('after writing at once');
}

async function undone() {
	const before = await served();
	await call('modify_floorplan', {
		document: id,
		operations: [{ action: 'move_room', target: 'Pantry', params: { x: 9, y: 4 } }],
	});
	await same();
	await a.getByRole('button', { name: 'Undo' }).click();
	await until('taken back', async () => (await served()) === before);
	await same('after undo');
	await b.getByRole('button', { name: 'Redo' }).click();
	await until('made again', async () => (await served()).includes('room Pantry at (9,4)'));
	await editor(b).click();
	await b.keyboard.press('Control+z');
	await until('taken back by keys', async () => (await served()) === before);
	await same('after the keys');
}

async function faults() {
	await caretAfter(a, 'right-of Hal');
	await a.keyboard.press('Delete');
	await a.keyboard.type('x');
	await problems(a).getByText("'Halx'").waitFor();
	await problems(b).getByText('FP2004').waitFor();
	await a.locator('.cm-lintRange-error').filter({ hasText: 'Halx' }).waitFor();
	// The last good picture stays in sight, and says that it is old.
	assert((await room(a, 'Living').count()) === 1, 'no picture');
	await a.locator('.drawing.stale').waitFor();
	await editor(b).click({ position: { x: 5, y: 5 } });
	await b.keyboard.press('Control+Home');
	await problems(b).getByRole('button', { name: /FP2004/ }).click();
	await until('the cursor there', () => b.locator('.cm-activeLine').filter({ hasText: 'Halx' }).count());
	await b.keyboard.press('Delete');
	await b.keyboard.press('Delete');
	await b.keyboard.press('Delete');
	await b.keyboard.press('Delete');
	await b.keyboard.type('Hal');
	await b.locator('.cm-tooltip-autocomplete').getByText('Hall', { exact: true }).waitFor();
	await b.waitForTimeout(150); // CodeMirror takes no key for a list that has only just come up
	await b.keyboard.press('Tab');
	await until('whole again', async () => (await served()).includes('right-of Hall label'));
	await a.locator('.drawing:not(.stale)').waitFor();
	await same('after repair');
	// Some have an operation that puts them right.
	const before = await served();
	await call('modify_floorplan', { document: id, operations: [
		{ action: 'update_walls', target: 'Living', params: { left: 'window' } },
		{ action: 'add_room', params: { name: 'Twin', position: { x: 20, y: 0 }, size: { width: 2, height: 2 }, label: 'x' } },
	] });
	await problems(b).getByRole('button', { name: /^Fix: .*'Hall'/ }).first().click();
	await until('put right', async () => (await problems(b).getByRole('button', { name: /^Fix: .*'Hall'/ }).count()) === 0);
	await same('after the fix');
	for (let i = 0; (await served()) !== before && i < 5; i++) await call('undo_floorplan', { document: id });
	equal(await served(), before, 'after undo');
}

async function completes() {
	await caretAfter(a, 'right-of Hall');
	await a.keyboard.type(' style ');
	await a.keyboard.press('Escape');
	for (let i = 0; i < 7; i++) await a.keyboard.press('Backspace');
	await caretAfter(a, 'connect Hall to Living door');
	await a.keyboard.press('Enter');
	await a.keyboard.type('connect Pan');
	await a.locator('.cm-tooltip-autocomplete').getByText('Pantry', { exact: true }).waitFor();
	await a.keyboard.press('Escape');
	await a.keyboard.press('Control+Shift+k'); // the line goes
	await same('after completion');
}

async function keyboard() {
	await room(a, 'Hall').focus();
	await a.keyboard.press('ArrowRight');
	equal(await a.evaluate(() => globalThis.document.activeElement?.getAttribute('data-room')), 'Living');
	await a.keyboard.press('ArrowRight');
	const at = /room Pantry at \(([\d.]+),([\d.]+)\) size \(([\d.]+) x/.exec(await served());
	await a.keyboard.press('Shift+ArrowRight');
	await until('moved by a step', async () => (await served()).includes(`room Pantry at (${Number(at[1]) + 0.1},${at[2]})`));
	await same();
	await until('the focus is still there', async () =>
		(await a.evaluate(() => globalThis.document.activeElement?.getAttribute('data-room'))) === 'Pantry');
	await a.keyboard.press('Control+ArrowRight');
	await until('wider by a step', async () => (await served()).includes(`size (${Number(at[3]) + 0.1} x`));
	await same();
	await a.keyboard.press('Enter');
	await until('the cursor in its line', () => a.locator('.cm-activeLine').filter({ hasText: 'room Pantry' }).count());
}

async function compares() {
	await a.getByRole('combobox', { name: 'Compare' }).selectOption('slider');
	const slider = a.getByRole('slider', { name: 'Before and after' });
	await slider.waitFor();
	// What was: the first revision that this tab has seen, whose Store is no Pantry.
	await a.locator('.paper:not(.above) [data-room="Store"]').first().waitFor({ state: 'attached' });
	equal(await a.locator('.paper.above [data-room="Store"]').count(), 0, 'Store in what is');
	await slider.fill('80');
	const clip = await a.locator('.paper.above').evaluate((e) => getComputedStyle(e).clipPath);
	assert(clip.includes('80%'), clip);
	const drawn = () => a.locator('.paper.above svg').evaluate((e) => e.outerHTML);
	let plain = '';
	await until('the picture is no other for a second', async () => {
		const was = plain;
		plain = await drawn();
		await a.waitForTimeout(1000);
		return plain === was;
	});
	await a.getByRole('combobox', { name: 'Compare' }).selectOption('differences');
	await until('the differences', async () => (await drawn()) !== plain);
	await a.getByRole('combobox', { name: 'Compare' }).selectOption('none');
	await until('the plain picture', async () => (await drawn()) === plain);
}

async function exports_() {
	const begins = {
		PNG: '\x89PNG\r\n',
		SVG: '<svg',
		'3D': '\x89PNG\r\n',
		PDF: '%PDF-1.',
		DXF: '  0\n',
		JSON: '{"format":"floorplan/1"',
		CSV: 'floor',
		'Tidy text': '%%{version',
	};
	for (const [name, begin] of Object.entries(begins)) {
		const waiting = a.waitForEvent('download', { timeout: 20_000 });
		await a.getByRole('group', { name: 'Save as' }).getByRole('button', { name, exact: true }).click();
		const download = await waiting.catch(() => {
			throw new Error(`${name}: nothing came`);
		});
		const bytes = readFileSync(await download.path()).toString('latin1');
		const head = bytes.trimStart().slice(0, 200).replace(/^<\?xml[^>]*>\s*/, '').replace(/\s+/g, ' ');
		assert(head.startsWith(begin.trimStart().replace(/\s+/g, ' ')), `${name} begins with ${JSON.stringify(head.slice(0, 60))}`);
		assert(bytes.length > 100, `${name} has ${bytes.length} bytes`);
	}
}

/* A label that would be markup, if words were markup. */
async function harmless() {
	await call('modify_floorplan', {
		document: id,
		operations: [{ action: 'add_label', target: 'Hall', params: { label: '<script>alert(1)</script></svg><b>' } }],
	});
	await same();
	await until('drawn', () => a.locator('.drawing:not(.stale)').count());
	equal(await a.locator('.drawing script, .drawing b').count(), 0, 'elements of the label');
	await a.getByRole('button', { name: 'Undo' }).click();
	await same();
}

const LOOKS = [
	['floorplan', async (p) => {
		await p.locator('.drawing:not(.stale)').waitFor();
		await p.waitForTimeout(300);
	}],
	['floorplan-compare', async (p) => {
		await p.getByRole('combobox', { name: 'Compare' }).selectOption('slider');
		await p.getByRole('button', { name: 'Compare from here on' }).click();
		await call('modify_floorplan', {
			document: id,
			mode: 'atomic',
			operations: [
				{ action: 'resize_room', target: 'Ground.Living', params: { width: 6.4 } },
				{ action: 'move_room', target: 'Ground.Garden', params: { x: 8.8, y: 0 } },
			],
		});
		await p.locator('.knife').waitFor();
		await p.waitForTimeout(500);
	}],
];

function pictureStep(name, ready, theme, size) {
	return async () => {
		const own = await newContext(browser, { viewport: size, colorScheme: theme });
		try {
			const house = readFileSync(new URL('../../examples/house.floorplan', import.meta.url), 'utf8');
			id = (await call('open_floorplan', { dsl: house })).document;
			const p = await openPage(`floorplan/${id}`, own);
			await p.locator('.stage').waitFor();
			await ready(p);
			await p.evaluate(() => globalThis.document.fonts.ready);
			await p.waitForTimeout(250);
			const narrow = size === NARROW ? '-narrow' : '';
			await p.screenshot({ path: join(pictures, `${name}${narrow}-${theme}.png`) });
			const wide = await p.evaluate(() => globalThis.document.documentElement.scrollWidth - innerWidth);
			assert(wide <= 0, `the page is ${wide} pixels wider than the window`);
			const found = await axeFaults(p);
			assert(found.length === 0, found.join(' | '));
			assert(own.faults.length === 0, own.faults.join(' | '));
		} finally {
			await own.close();
		}
	};
}

async function opening() {
	const p = await openPage('floorplan');
	await p.getByRole('button', { name: 'Example: a small house' }).click();
	await p.getByRole('heading', { name: 'A small house' }).waitFor();
	await problems(p).getByText(/Nothing: no error, no warning|note/).first().waitFor();
	equal(await problems(p).getByText('error', { exact: true }).count(), 0, 'errors of the example');
	equal(await problems(p).getByText('warning', { exact: true }).count(), 0, 'warnings of the example');
	await p.goto(`${url}/#/floorplan`);
	await p.getByRole('textbox', { name: /Paste a plan/ }).fill('floorplan\n  floor F { room R at (0,0) size (3m x 3m) }\n');
	await p.getByRole('button', { name: 'Open', exact: true }).click();
	await room(p, 'R').waitFor();
	await p.goto(`${url}/#/floorplan`);
	const found = await axeFaults(p);
	assert(found.length === 0, found.join(' | '));
	await p.getByRole('textbox', { name: /Or open a file/ }).fill('/etc/passwd');
	await p.getByRole('button', { name: 'Open the file' }).click();
	await p.getByRole('alert').waitFor();
	await p.close();
}

async function quiet() {
	assert(context.faults.length === 0, context.faults.join(' | '));
}

const looks = LOOKS.flatMap(([name, ready]) =>
	[['light', WIDE], ['dark', WIDE], ['light', NARROW]].map(([theme, size]) => [
		`${name}, ${theme}${size === NARROW ? ', narrow' : ''}: WCAG 2.1 A and AA, and a picture`,
		pictureStep(name, ready, theme, size),
	]),
);

await steps(
	'browser-floorplan',
	[
		['the page, and an assistant through the relay', bringUp],
		['a plan that an assistant opened appears, in two tabs', appears],
		['line and room light each other', linked],
		['typing changes the picture, and nothing else', typed],
		['dragging a room changes its numbers, and nothing else', dragged],
		['dragging a wall', wall],
		['rooms sit at their neighbours\' walls', neighbours],
		['an assistant edits while somebody types', remote],
		['long typing, many changes at once: nothing is lost', interleaved],
		['undo and redo are everybody\'s', undone],
		['faults at their place in both tabs, and repaired with completion', faults],
		['completion', completes],
		['the keyboard alone', keyboard],
		['before and after', compares],
		['every format is saved', exports_],
		['words of a plan are never markup', harmless],
		['opening: example, text, and no file that is not allowed', opening],
		...looks,
		['no violation of the policy, no uncaught error', quiet],
	],
	{ timeout_ms: 60_000 },
);
await assistant?.end();
await browser.close();
await home.stop();
await home.end();
process.exit(failures ? 1 : 0);
