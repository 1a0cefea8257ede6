// studio-size.mjs - what opening the canvas costs (SC-230): the scripts and styles that the browser fetches for an empty
// project and for no other page, compressed, against the budget; and that no other page fetches any of studio's.
import { gzipSync } from 'node:zlib';

import { assert, failures, steps } from '../clients/results.mjs';
import { newContext } from './browser.mjs';
import { Studio } from './studio.mjs';

const BUDGET_BYTES = 55_000;
const OTHERS = ['overview', 'plan', 'floorplan', 'terminal', 'workbench', 'activity', 'connect', 'settings', 'help'];
const studio = new Studio(8400);
const [others, opened, sizes, texts] = [new Set(), new Set(), new Map(), new Map()];

/* A page of an own browser profile, whose cache has nothing yet; the scripts and styles that it fetches. */
async function fetched(path, into, ready) {
	const context = await newContext(studio.browser, { viewport: { width: 1760, height: 1000 } });
	const page = await context.newPage();
	const read = [];
	page.on('response', (response) => {
		const name = new URL(response.url()).pathname;
		if (!/\.(js|css)$/.test(name)) return;
		into.add(name);
		read.push(response.body().then((body) => (sizes.set(name, gzipSync(body, { level: 9 }).length), texts.set(name, String(body)))));
	});
	await page.goto(`${studio.url}/#/${path}?token=${studio.token}`);
	await page.getByRole('navigation', { name: 'Pages' }).waitFor();
	await ready(page);
	await page.waitForLoadState('networkidle');
	await page.waitForTimeout(1500); // what a part fetches once it is there
	await Promise.all(read);
	await context.close();
}

async function bringUp() {
	await studio.start();
	await studio.newProject('Shop');
}

async function withinBudget() {
	for (const path of OTHERS) await fetched(path, others, (page) => page.locator('main').waitFor());
	await fetched(`studio/${studio.id}`, opened, (page) => page.getByRole('application', { name: 'Diagram of Shop' }).waitFor());
	const own = [...opened].filter((name) => !others.has(name)).sort((x, y) => sizes.get(y) - sizes.get(x));
	const sum = own.reduce((total, name) => total + sizes.get(name), 0);
	console.log(own.map((name) => `${String(sizes.get(name)).padStart(7)} ${name.replace('/assets/', '')}`).join('\n'));
	console.log(`${String(sum).padStart(7)} bytes to open the canvas, of ${BUDGET_BYTES}`);
	assert(own.length > 0, 'nothing is fetched for studio alone');
	assert(sum <= BUDGET_BYTES, `opening the canvas fetches ${sum} bytes, more than ${BUDGET_BYTES}`);
}

/* What studio alone says to the daemon stands in no file of theirs. */
async function othersPayNothing() {
	const ours = [...opened].filter((name) => texts.get(name).includes('studio://'));
	assert(ours.length > 0, 'studio speaks of its resources nowhere');
	const paid = [...others].filter((name) => texts.get(name).includes('studio://'));
	assert(paid.length === 0, `other pages fetch ${paid}`);
}

await steps('browser-studio-size', [
	['a daemon with an empty project', bringUp],
	['opening the canvas stays within its budget (SC-230)', withinBudget],
	['no other page fetches a part of studio (SC-230)', othersPayNothing],
]);
await studio.end();
process.exit(failures ? 1 : 0);
