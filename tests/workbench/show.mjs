// show.mjs URL [SELECTOR] - headless Chromium opens a preview and does what each line says, a JSON array: ["html"], ["text"],
// ["reload"], ["click", TEXT], ["down", TEXT] and no more, ["key", KEY], ["style", TEXT, PROPERTY] of the nearest element with a
// style, ["at", X, Y], ["is", SELECTOR, ATTRIBUTE], ["run", CODE] as a script of the page's own, ["mark"] and ["marked"]: loaded anew
// it is not. One line of JSON answers each. It stays until its standard input ends. A page is there when there is something that
// SELECTOR selects.
import { createInterface } from 'node:readline';
import { launch } from '../adapters/browser.mjs';

const browser = await launch('workbench-shown');
const page = await browser.newPage({ viewport: { width: 1000, height: 700 }, ignoreHTTPSErrors: true });
const faults = [];
const there = () => page.locator(process.argv[3] ?? '#root > *').first().waitFor();
page.on('pageerror', (error) => faults.push(error.message));
await page.goto(process.argv[2]);
await there();
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
say({ opened: await page.title() });
const acts = {
	html: () => page.locator('#root').innerHTML(),
	text: () => page.locator('body').innerText(),
	faults: () => faults,
	mark: () => page.evaluate(() => {
		window.marked = true;
	}),
	marked: () => page.evaluate(() => window.marked === true),
	reload: async () => {
		await page.reload();
		await there();
	},
	click: (text) => page.getByText(text, { exact: true }).first().click({ timeout: 5000 }),
	down: async (text) => {
		const box = await page.getByText(text, { exact: true }).first().boundingBox();
		await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
		await page.mouse.down();
	},
	up: () => page.mouse.up(),
	key: (key) => page.keyboard.press(key),
	at: (x, y) => page.mouse.click(x, y),
	run: (code) => page.evaluate(code),
	is: (selector, attribute) => page.locator(selector).first().getAttribute(attribute),
	style: (text, property) =>
		page.getByText(text, { exact: true }).first().evaluate((one, name) => one.closest('[style]')?.style.getPropertyValue(name) ?? '', property),
};
for await (const line of createInterface({ input: process.stdin })) {
	const [what, ...rest] = JSON.parse(line);
	say((await acts[what](...rest)) ?? null);
}
await browser.close();
process.exit(0);
