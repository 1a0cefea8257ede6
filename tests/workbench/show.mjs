// show.mjs URL - headless Chromium opens a preview and does what each line says, a JSON array: ["html"], ["text"],
// ["reload"], ["click", TEXT]. One line of JSON answers each. It stays until its standard input ends.
import { createInterface } from 'node:readline';
import { launch } from '../adapters/browser.mjs';

const browser = await launch('workbench-shown');
const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
const faults = [];
page.on('pageerror', (error) => faults.push(error.message));
await page.goto(process.argv[2]);
await page.locator('#root > *').first().waitFor();
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
say({ opened: await page.title() });
const acts = {
	html: () => page.locator('#root').innerHTML(),
	text: () => page.locator('body').innerText(),
	faults: () => faults,
	reload: async () => {
		await page.reload();
		await page.locator('#root > *').first().waitFor();
	},
	click: (text) => page.getByText(text, { exact: true }).first().click({ timeout: 5000 }),
};
for await (const line of createInterface({ input: process.stdin })) {
	const [what, argument] = JSON.parse(line);
	say((await acts[what](argument)) ?? null);
}
await browser.close();
process.exit(0);
