// live.mjs URL - headless Chromium has a preview open; each line on standard input is a text that is waited for and clicked, and is
// answered by a line of JSON: whether the page is still the one that was opened, and what went wrong on it since.
import { createInterface } from 'node:readline';

import { launch } from '../adapters/browser.mjs';

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const browser = await launch('workbench-managed');
const page = await browser.newPage();
let faults = [];
page.on('pageerror', (error) => faults.push(error.message));
page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
await page.goto(process.argv[2]);
await page.getByRole('main').first().waitFor();
await page.evaluate(() => (window.isOpen = true));
say({ opened: await page.title() });
for await (const text of createInterface({ input: process.stdin })) {
	const found = page.getByText(text, { exact: true }).first();
	try {
		await found.waitFor({ timeout: 15_000 });
		await found.click({ timeout: 5000 });
	} catch (error) {
		faults.push(error.message.split('\n')[0]);
	}
	say({ clicked: text, kept: await page.evaluate(() => window.isOpen === true), faults });
	faults = [];
}
await browser.close();
process.exit(0);
