// moved.mjs - the port is changed on the page: the daemon moves, and the page gives its token up (studio.md FR-03).
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { assert, failures, steps } from '../clients/results.mjs';
import { newContext, openBrowser } from './browser.mjs';
import { Home, until } from './home.mjs';

const first = 21000 + ((process.pid + 3300) % 9000);
const home = new Home(0);
const browser = await openBrowser();
let page, context;

await steps('moved', [
	['a daemon whose port is a setting', async () => {
		const folder = home.env.XDG_CONFIG_HOME ?? join(home.env.HOME, '.config');
		mkdirSync(join(folder, 'tenon'), { recursive: true });
		writeFileSync(join(folder, 'tenon/config.json'), `{ "http": { "port": ${first} } } // mine\n`);
		const found = await home.start();
		assert(found.httpPort === first, `it is at ${found.httpPort}`);
		context = await newContext(browser);
		page = await context.newPage();
		await page.goto(`${found.url}/#token=${await home.personToken()}`);
		await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings' }).click();
	}],
	['another port: the page says so, and gives its token up', async () => {
		const port = page.getByLabel('http.port', { exact: true });
		await port.fill(String(first + 40));
		await port.press('Enter');
		await page.getByText(`Tenon is at port ${first + 40} now.`).waitFor();
		await page.getByText('Open this page from your terminal').waitFor();
		const kept = await page.evaluate(() => Object.keys(sessionStorage));
		assert(!kept.includes('tenon.token'), `kept: ${kept}`);
	}],
	['it is there, and nobody is at the old one', async () => {
		assert(home.found().httpPort === first + 40, 'the discovery file');
		await until('the end of the old listener', () =>
			fetch(`http://127.0.0.1:${first}/health`).then(() => false, () => true));
		const fresh = await context.newPage();
		await fresh.goto(`${home.found().url}/#token=${await home.personToken()}`);
		await fresh.getByRole('button', { name: /MCP: listening on/ }).getByText(`:${first + 40}`).waitFor();
	}],
], { timeout_ms: 60_000 });
await browser.close();
await home.end();
process.exit(failures ? 1 : 0);
