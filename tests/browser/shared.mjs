// shared.mjs - one live state: two AI hosts' client libraries through `tenon mcp`, a script with
// `tenon call`, and a person's page change one review in turn; each time everybody else sees it.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

import { connect } from '../clients/connect.mjs';
import { assert, assertSoon, failures, steps } from '../clients/results.mjs';
import { newContext, openBrowser } from './browser.mjs';
import { Home, until } from './home.mjs';

const LIMIT_MS = 1000; // typically 20; machines that run tests are busy
const tenon = resolve(process.env.TENON_BUILD ?? new URL('../../build', import.meta.url).pathname, 'tenon');
const plan = readFileSync(new URL('../data/plan-examples/02-mixed-replace.txt', import.meta.url), 'utf8');
const home = new Home(21000 + ((process.pid + 4500) % 9000));
const browser = await openBrowser();
let page, planId, list;
const hosts = {};
const slowest = {};

async function bringUp() {
	const found = await home.start();
	const token = await home.personToken();
	Object.assign(process.env, home.env); // the libraries hand our environment on
	page = await (await newContext(browser)).newPage();
	await page.goto(`${found.url}/#token=${token}`);
	await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}

async function open() {
	for (const kind of ['sdk1', 'sdk2-modern']) {
		hosts[kind] = await connect(kind, { command: tenon, args: ['mcp', 'plan'], quiet: true });
		hosts[kind].times = [];
	}
	const parsed = await hosts.sdk1.call('terraform_parse', { plan_text: plan });
	planId = parsed.structuredContent.plan_id;
	for (const host of Object.values(hosts))
		await host.watch(`plan://${planId}/review`, () => host.times.push(performance.now()));
	// A plan that an assistant opened appears on the page by itself.
	await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Plans' }).click();
	await page.getByRole('region', { name: 'Open plans' }).getByRole('link').first().click();
	list = page.getByRole('listbox', { name: 'Changes' });
	await list.waitFor();
}

const option = (address) => list.getByRole('option', { name: new RegExp(address.replace(/[.[\]]/g, '\\$&')) });

/* Makes the change and waits until each of the others has it. */
async function everybodySees(who, address, verdict, shown, change) {
	const before = Object.fromEntries(Object.entries(hosts).map(([kind, host]) => [kind, host.times.length]));
	await change();
	const begun = performance.now();
	const told = Object.entries(hosts)
		.filter(([kind]) => kind !== who)
		.map(async ([kind, host]) => {
			await until(`${kind} is told of ${who}'s change`, () => host.times.length > before[kind]);
			const read = await host.client.readResource({ uri: `plan://${planId}/review` });
			const mark = JSON.parse(read.contents[0].text).marks.find((one) => one.address === address);
			assert(mark?.verdict === verdict, `${kind} reads ${JSON.stringify(mark)}`);
			return host.times.at(-1) - begun;
		});
	const drawn = option(address).getByText(shown).waitFor({ timeout: 20_000 })
		.then(() => performance.now() - begun);
	const times = await Promise.all([...told, drawn]);
	slowest[who] = Math.max(...times);
	assertSoon(slowest[who], LIMIT_MS, `${who}'s change`);
}

const marks = (address, verdict) => ({ plan_id: planId, marks: [{ address, verdict }] });

await steps('shared', [
	['a daemon and a page', bringUp],
	['two AI hosts through relays; their plan appears on the page', open],
	['SDK 1.x changes it', () => everybodySees('sdk1', 'aws_db_instance.ledger', 'stop', 'Stop',
		() => hosts.sdk1.call('terraform_review', marks('aws_db_instance.ledger', 'stop')))],
	['SDK 2.x changes it', () => everybodySees('sdk2-modern', 'aws_sqs_queue.retry', 'ok', 'Fine',
		() => hosts['sdk2-modern'].call('terraform_review', marks('aws_sqs_queue.retry', 'ok')))],
	['tenon call changes it', () => everybodySees('tenon call', 'aws_route53_record.old', 'question', 'Question',
		() => promisify(execFile)(tenon, ['call', 'plan.terraform_review', `plan_id=${planId}`,
			'marks:=[{"address":"aws_route53_record.old","verdict":"question"}]'], { env: home.env }))],
	['the page changes it', async () => {
		await option('aws_security_group.edge').click();
		await everybodySees('page', 'aws_security_group.edge', 'ok', 'Fine',
			() => page.getByRole('region', { name: 'Change', exact: true }).getByRole('button', { name: 'Fine' }).click());
	}],
	['and anyone can undo it', async () => {
		const begun = performance.now();
		await hosts.sdk1.call('terraform_review', { plan_id: planId, undo: true });
		await option('aws_security_group.edge').getByText('Fine').waitFor({ state: 'detached', timeout: 20_000 });
		assertSoon(performance.now() - begun, LIMIT_MS, 'the undo');
	}],
]);
console.log('seen by all others, ms:', Object.fromEntries(
	Object.entries(slowest).map(([who, ms]) => [who, Math.round(ms)])));
for (const host of Object.values(hosts)) await host.close();
await browser.close();
await home.end();
process.exit(failures ? 1 : 0);
