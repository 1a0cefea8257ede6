// dom.mjs - the adapter for pages without a framework (11.9), by the kit and on the page of demo/plain.
import { existsSync, readFileSync } from 'node:fs';

import { assert, failures, steps } from '../clients/results.mjs';
import { launch, PORTS } from './browser.mjs';
import { proof, serveSubject } from './kit/prove.mjs';

const adapter = new URL('../../web/adapters/dist/dom.js', import.meta.url).pathname;
const page = `<!doctype html><html lang="en"><head><title>Notices</title></head><body style="min-height: 400px"><main>
<p data-component="x.notice" id="first" class="a">One</p><p data-component="x.notice">Two</p><p data-component="x.notice">Three</p>
<my-clock zone="UTC"></my-clock><button>Plain</button></main></body></html>`;
const browser = await launch('adapters-dom');
const read = (element) => element.textContent;

const host = await serveSubject({ adapter, page }, PORTS.dom);
await steps('adapter-dom', proof({ browser, host, subject: {
	selector: '#first', others: 2, typeId: 'x.notice', path: '/text', value: 'Closed', read, background: 'body', seen: 'Closed',
} }));
host.stop();

const plain = new URL('../../demo/plain/', import.meta.url).pathname;
if (existsSync(plain)) {
	const file = (name) => readFileSync(plain + name, 'utf8');
	const host = await serveSubject({ adapter, page: file('index.html'), scripts: { '/bakery-clock.js': file('bakery-clock.js') } }, PORTS.plain);
	let tab;
	const click = async (selector) => {
		const from = host.now;
		await tab.locator(selector).click();
		return (await host.wait('runtime.selectionChanged', undefined, { from })).selected;
	};
	await steps('adapter-plain', [
		['the page of demo/plain: types by data-component, by tag, and by what an element is', async () => {
			tab = await browser.newPage();
			await tab.goto(host.origin);
			await host.wait('runtime.instances', (m) => m.full);
			assert((await click('.notice')).componentTypeId === 'plain.notice', 'plain.notice');
			assert((await click('bakery-clock')).componentTypeId === 'bakery-clock', 'bakery-clock');
			const button = await click('button');
			assert(button.componentTypeId === 'dom.button' && button.props.text === 'Ring the bell', JSON.stringify(button));
		}],
		['an attribute of the clock is overridden, and what the clock itself writes goes on', async () => {
			const clock = await click('bakery-clock');
			assert(clock.props.attributes.zone === 'Europe/Paris', JSON.stringify(clock.props));
			host.apply({ op: 'set', instanceId: clock.instanceId, path: '/attributes/zone', value: 'Asia/Tokyo', componentTypeId: 'bakery-clock' });
			const expected = () => new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Tokyo' }).format(new Date());
			await tab.waitForFunction((text) => document.querySelector('bakery-clock').textContent === text, expected());
			host.apply({ op: 'clearAll' });
			await tab.waitForFunction(() => document.querySelector('bakery-clock').getAttribute('zone') === 'Europe/Paris');
		}],
		['an attribute that runs code is refused, and one that is not there comes and goes', async () => {
			const button = await click('button');
			const from = host.now;
			const set = (path, value) => ({ op: 'set', instanceId: button.instanceId, path, value, componentTypeId: 'dom.button', instanceLocator: button.instanceLocator });
			host.apply(set('/attributes/onclick', 'globalThis.ran = 1'), set('/attributes/title', 'Bell'), set('/attributes/disabled', true));
			const said = await host.wait('runtime.overrideStatus', (m) => m.applied.length === 2, { from });
			assert(said.orphaned[0].path === '/attributes/onclick' && said.orphaned[0].reason === 'path_invalid', JSON.stringify(said));
			assert(await tab.locator('button').evaluate((b) => b.disabled && b.title === 'Bell' && !b.hasAttribute('onclick')), 'attributes');
			const html = await tab.evaluate(() => document.querySelector('button').outerHTML);
			host.apply({ op: 'clearAll' });
			await tab.waitForFunction(() => document.querySelector('button').outerHTML === '<button type="button">Ring the bell</button>');
			assert(html !== '', 'seen');
		}],
		['a draft for an element without a type of its own finds it again after a reload', async () => {
			const button = await click('button');
			host.init.initialOverrides = [{ op: 'set', instanceId: button.instanceId, path: '/text', value: 'Knock', componentTypeId: 'dom.button', instanceLocator: button.instanceLocator }];
			const from = host.now;
			await tab.reload();
			await host.wait('runtime.overrideStatus', (m) => m.applied.length === 1, { from });
			assert((await tab.locator('button').innerText()) === 'Knock', 'text');
		}],
		['a page that fights for its text is not fought for ever', async () => {
			const id = host.init.initialOverrides[0].instanceId;
			host.apply({ op: 'clearAll' });
			await tab.evaluate(() => {
				const button = document.querySelector('button');
				globalThis.fights = 0;
				new MutationObserver(() => {
					globalThis.fights++;
					if (button.textContent !== 'Mine') button.textContent = 'Mine';
				}).observe(button, { childList: true, characterData: true, subtree: true });
			});
			host.apply({ ...host.init.initialOverrides[0], instanceId: id });
			await tab.waitForTimeout(1500);
			const fights = await tab.evaluate(() => globalThis.fights);
			assert(fights > 0 && fights < 200, `${fights} times`);
		}],
	]);
	host.stop();
}
await browser.close();
process.exit(failures ? 1 : 0);
