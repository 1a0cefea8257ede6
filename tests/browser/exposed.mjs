// exposed.mjs - a daemon that other machines can reach says so on every page (studio.md FR-03, workbench.md T4).
import { hostname } from 'node:os';

import { assert, failures, steps } from '../clients/results.mjs';
import { axeFaults, newContext, openBrowser } from './browser.mjs';
import { Home } from './home.mjs';

const home = new Home(21000 + ((process.pid + 2200) % 9000));
const browser = await openBrowser();
let page, context;

async function open(found) {
	const token = await home.personToken();
	context = await newContext(browser);
	page = await context.newPage();
	// By a name that http.hosts allows, as a browser on another machine would.
	await page.goto(`http://127.0.0.1:${found.httpPort}/#token=${token}`);
	await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}

const banner = () => page.getByRole('alert').filter({ hasText: 'other machines can reach it' });

await steps('exposed', [
	['a daemon that listens for other machines', async () => {
		await open(await home.start('--set', 'http.listen=0.0.0.0', '--set', 'http.allow_remote=true',
			'--set', `http.hosts=127.0.0.1,${hostname()}`, '--set', 'apps=plan'));
	}],
	['every page warns, with the address', async () => {
		for (const name of ['Overview', 'Activity', 'Plans', 'Connect', 'Settings', 'Help']) {
			await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
			await page.getByRole('heading', { name, level: 1 }).waitFor();
			await banner().waitFor();
			const text = await banner().innerText();
			assert(text.includes('0.0.0.0') && text.includes('every tool'), text);
		}
	}],
	['the warning can be read by everybody (WCAG 2.1 A and AA)', async () => {
		const faults = await axeFaults(page);
		assert(faults.length === 0, faults.join(' | '));
		assert(context.faults.length === 0, context.faults.join(' | '));
	}],
	['on loopback nothing warns', async () => {
		await context.close();
		await home.stop();
		await open(await home.start());
		await page.getByRole('button', { name: /MCP: listening on/ }).waitFor();
		assert((await banner().count()) === 0, 'a warning without a reason');
	}],
], { timeout_ms: 60_000 });
await browser.close();
await home.end();
process.exit(failures ? 1 : 0);
