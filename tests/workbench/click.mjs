// click.mjs URL TEXT - headless Chromium opens a preview and clicks on that text; a line of JSON for each thing done, and
// what went wrong on the page. It stays until its standard input ends.
import { launch } from '../adapters/browser.mjs';

const [url, text] = process.argv.slice(2);
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const browser = await launch('workbench-managed');
const page = await browser.newPage();
page.on('pageerror', (error) => say({ fault: error.message }));
page.on('console', (message) => message.type() === 'error' && say({ fault: message.text() }));
page.on('response', (response) => response.status() >= 400 && say({ fault: `${response.status()} ${response.url()}` }));
await page.goto(url);
const found = page.getByText(text, { exact: true }).first();
await found.waitFor();
say({ opened: await page.title() });
process.stdin.once('data', async () => {
	await found.click({ timeout: 5000 });
	say({ clicked: await page.locator('body').innerText() });
});
process.stdin.once('end', () => browser.close().finally(() => process.exit(0)));
