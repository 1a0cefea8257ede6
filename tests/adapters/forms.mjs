// forms.mjs - components of every form within boundaries, in a browser, with both lanes (S12): what they are, do and show
// is what it is without the workbench.
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { assert, failures, skipped, steps } from '../clients/results.mjs';
import { launch, PORTS } from './browser.mjs';
import { FakeHost } from './kit/host.mjs';
import { validDescriptor } from './kit/prove.mjs';
import { copyOf, Launcher, missing } from './project.mjs';

const browser = await launch('adapters-forms');
const NAMES = ['Meter', 'Guard', 'Derived', 'Handle', 'Quiet', 'Tree', 'Throws', 'Portal', 'Themed', 'Plain', 'Early', 'default', 'Later', 'Only', 'Helper', 'Refs', 'counts', 'Theme'];
const hints = NAMES.map((exportName) => ({ typeId: `f.${exportName}`, kind: 'file', filePath: 'src/forms/parts', exportName }));
hints.push({ typeId: 'f.Further', kind: 'file', filePath: 'src/forms/further.tsx', exportName: 'Further' });
const part = (name) => `[data-part=${name}]`;

for (const lane of ['harbour', 'harbour-legacy']) {
	const suite = `adapter-forms-${lane}`;
	const why = missing(lane);
	if (why) {
		skipped(suite, 'everything', why);
		continue;
	}
	const folder = copyOf(lane, `forms-${lane}`);
	cpSync(new URL('pages/forms', import.meta.url).pathname, join(folder, 'src/forms'), { recursive: true });
	writeFileSync(join(folder, 'index.html'), '<!doctype html><html><head><link rel="icon" href="data:,"></head><body><div id="root"></div><script type="module" src="/src/forms/main.tsx"></script></body></html>');
	const host = await new FakeHost().start(PORTS.forms);
	const launcher = new Launcher(folder, host, { hints });
	const faults = { with: [], without: [] };
	let page;
	let url;
	const open = async (kind, adapter) => {
		const tab = await browser.newPage();
		tab.on('pageerror', (error) => faults[kind].push(error.message.split('\n')[0]));
		tab.on('console', (m) => ['error', 'warning'].includes(m.type()) && faults[kind].push(m.text().split('\n')[0].slice(0, 200)));
		if (!adapter) await tab.route('**/__skaffa/adapter.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
		await tab.goto(url);
		await tab.locator(part('later')).waitFor();
		await tab.waitForFunction(() => document.querySelector('main').dataset.said.includes('hello'));
		return tab;
	};
	const html = (tab) => tab.evaluate(() => document.body.innerHTML.replace(/<script[^]*?<\/script>/g, '').replace(/:r\w+:|«r\w+»/g, ''));
	const find = (typeId) => [...host.instances().values()].filter((one) => one.componentTypeId === typeId);
	const set = ({ instanceId, componentTypeId, instanceLocator }, path, value) => ({ op: 'set', instanceId, path, value, componentTypeId, instanceLocator });
	await steps(suite, [
		['every form shows what it shows without the workbench, and tells no other errors', async () => {
			({ url } = await launcher.wait('ready'));
			page = await open('with', true);
			const plain = await open('without', false);
			assert((await html(page)) === (await html(plain)), `${await html(page)} and not ${await html(plain)}`);
			assert(JSON.stringify([...new Set(faults.with)].sort()) === JSON.stringify([...new Set(faults.without)].sort()), JSON.stringify(faults));
			await plain.close();
		}],
		['refs, what is derived, and a call before its module has run', async () => {
			assert((await page.locator('main').getAttribute('data-said')) === '42 hello you true early', await page.locator('main').getAttribute('data-said'));
		}],
		['all of them live as instances, and what is no component is left alone', async () => {
			await host.wait('runtime.instances', () => find('f.Later').length === 1);
			for (const [name, count] of [['Meter', 1], ['Derived', 1], ['Handle', 1], ['Quiet', 1], ['Tree', 3], ['default', 1], ['Portal', 1], ['Guard', 1], ['Only', 1], ['Helper', 1], ['Plain', 2]]) {
				assert(find(`f.${name}`).length === count, `${name}: ${find(`f.${name}`).length}`);
			}
			assert((await page.locator(part('further')).innerText()).startsWith('9 4 km') && find('f.Further').length === 1, 'what is derived in another module');
			host.instances().forEach(validDescriptor);
			assert(find('f.Quiet')[0].displayName === 'QuietOne' && find('f.Tree')[2].parentInstanceId === find('f.Tree')[1].instanceId, 'names and parents');
			assert(await page.evaluate(() => globalThis.parts.counts.memo > 0 && globalThis.parts.Theme.Provider !== undefined), 'counts and Theme');
		}],
		['statics, names and kinds are the original\'s', async () => {
			const seen = await page.evaluate(() => {
				const { Meter, Plain, Quiet, default: Anonymous } = globalThis.parts;
				Meter.made = 7;
				return [Meter.made, Meter.self.made, Meter.defaultProps?.unit ?? 'km', Plain.kinds[0], Plain.name, Plain.length, Quiet.displayName, Anonymous.name].join();
			});
			assert(seen === '7,7,km,a,Plain,1,QuietOne,default', seen);
		}],
		['memo still saves renderings, and a function that is only called stays one', async () => {
			const before = await page.evaluate(() => globalThis.counts.memo);
			await page.evaluate(() => globalThis.more());
			await page.locator(part('helper')).getByText('called').waitFor();
			await page.evaluate(() => globalThis.more());
			await page.locator(part('helper')).getByText('nothing').waitFor();
			assert((await page.evaluate(() => globalThis.counts.memo)) === before, 'rendered again');
		}],
		['drafts reach every form', async () => {
			host.apply(...[['Meter', '/value', 5, 'meter', '5 km'], ['Handle', '/name', 'me', 'handle', 'me'], ['Quiet', '/text', 'loud', 'quiet', 'loud'], ['default', '/text', 'set', 'default', 'set']]
				.map(([name, path, value]) => set(find(`f.${name}`)[0], path, value)), set(find('f.Tree')[1], '/name', 'second'));
			await page.locator(part('tree1')).getByText('second').first().waitFor();
			for (const [name, text] of [['meter', '5 km'], ['handle', 'me'], ['quiet', 'loud'], ['default', 'set']]) {
				assert((await page.locator(part(name)).first().innerText()) === text, `${name}: ${await page.locator(part(name)).first().innerText()}`);
			}
			host.apply({ op: 'clearAll' });
			await page.locator(part('meter')).first().getByText('21 km').waitFor();
		}],
		['a click inside a portal selects what is in it', async () => {
			const from = host.now;
			await page.locator('mark', { hasText: 'in the portal' }).click();
			const { selected } = await host.wait('runtime.selectionChanged', undefined, { from });
			assert(selected.componentTypeId === 'f.Plain' && selected.props.text === 'in the portal', JSON.stringify(selected));
			const again = host.now;
			await page.locator(part('only')).getByText('kept').click();
			const cloned = (await host.wait('runtime.selectionChanged', undefined, { from: again })).selected;
			assert(cloned.props.title === 'x', JSON.stringify(cloned));
		}],
		['what is left out is said: an export that is no component is not', async () => {
			assert(!launcher.lines.some((line) => line.type === 'skipped'), JSON.stringify(launcher.lines.filter((line) => line.type === 'skipped')));
		}],
	], { timeout_ms: 60_000 });
	await launcher.stop();
	host.stop();
	await page?.close();
}
await browser.close();
process.exit(failures ? 1 : 0);
