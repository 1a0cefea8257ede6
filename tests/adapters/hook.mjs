// hook.mjs - the adapter for React where the build is another's (11.9): by the kit, then what it alone must do. With the
// React of each lane.
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { assert, failures, skipped, steps } from '../clients/results.mjs';
import { launch, PORTS } from './browser.mjs';
import { proof, serveSubject } from './kit/prove.mjs';
import { dist, missing } from './project.mjs';

const browser = await launch('adapters-hook');
const { rolldown } = createRequire(new URL('../../web/package.json', import.meta.url))('rolldown');
const here = new URL('./', import.meta.url).pathname;

// The application with a React of its own, as a development build.
async function bundle(lane) {
	const modules = new URL(`../../demo/${lane}/node_modules/`, import.meta.url).pathname;
	const build = await rolldown({
		input: join(here, 'pages/hook_app.jsx'),
		platform: 'browser',
		transform: { define: { 'process.env.NODE_ENV': '"development"' }, jsx: 'react' },
		resolve: { modules: [modules] },
		logLevel: 'silent',
	});
	const { output } = await build.generate({ format: 'iife' });
	return output[0].code;
}

const page = `<!doctype html><html lang="en"><head><title>Hook</title></head><body style="min-height: 500px"><div id="root"></div><script src="/app.js"></script></body></html>`;

for (const lane of ['harbour', 'harbour-legacy']) {
	const why = missing(lane);
	if (why) {
		skipped(`adapter-hook-${lane}`, 'everything', why);
		continue;
	}
	const host = await serveSubject({ adapter: join(dist, 'react-hook.js'), page, scripts: { '/app.js': await bundle(lane) } }, PORTS.hook);
	host.init.types = [
		{ typeId: 'ui.button', displayNames: ['Button', 'Button'], filePath: 'src/Button.tsx', exportName: 'Button' }, { typeId: 'ui.badge', displayNames: ['Badge'] },
		{ typeId: 'a.twice', displayNames: ['Swatch'] }, { typeId: 'b.twice', displayNames: ['Swatch'] }, null, { typeId: 7 }, { typeId: 'x', displayNames: 'x' },
	];
	await steps(`adapter-hook-${lane}`, proof({ browser, host, subject: {
		selector: '.button', others: 2, typeId: 'ui.button', path: '/label', value: 'Draft', seen: 'Draft', read: (element) => element.textContent, background: 'html',
	} }));

	let tab;
	const named = (type) => [...host.instances().values()].filter((one) => one.componentTypeId === type);
	const set = ({ instanceId, componentTypeId, instanceLocator }, path, value) => ({ op: 'set', instanceId, path, value, componentTypeId, instanceLocator });
	await steps(`adapter-hook-more-${lane}`, [
		['components are known by name; two types of one name are neither', async () => {
			tab = await browser.newPage();
			const from = host.now;
			await tab.goto(host.origin);
			await host.wait('runtime.instances', (m) => m.full && m.upsert.length > 5, { from });
			assert(named('ui.button').length === 3 && named('ui.badge').length === 1 && named('react.Swatch').length === 1, JSON.stringify([...host.instances().values()].map((i) => i.componentTypeId)));
			assert(named('react.Field').length === 1 && named('react.App').length === 1 && named('react.Themed').length === 1, 'the rest');
			assert(!('source' in named('ui.button')[1]) && named('ui.button')[1].keyHint === 'Two', JSON.stringify(named('ui.button')[1]));
			assert(named('ui.button')[1].instanceLocator.kind === 'renderIndex' && named('ui.button')[1].instanceLocator.index === 1, 'locator');
		}],
		['drafts of functions, memo, classes and forwardRef are seen, and again after every rendering of the parent', async () => {
			host.apply(set(named('ui.button')[1], '/label', 'Deux'), set(named('ui.badge')[0], '/text', 'old'), set(named('react.Swatch')[0], '/color', 'blue'), set(named('react.Field')[0], '/placeholder', 'Nom'));
			const seen = () => tab.evaluate(() => [document.querySelectorAll('.button')[1].textContent, document.querySelector('.badge').textContent, document.querySelector('.swatch').textContent, document.querySelector('input').placeholder].join());
			await tab.waitForFunction(() => document.querySelector('input').placeholder === 'Nom');
			assert((await seen()) === 'Deux,old,darkblue,Nom', await seen());
			host.mode('interact');
			await tab.waitForTimeout(100);
			await tab.locator('.button').nth(1).click();
			for (let i = 0; i < 20; i++) await tab.evaluate(() => new Promise((done) => (globalThis.renderParent(), requestAnimationFrame(done))));
			assert((await seen()) === 'Deux,old,darkblue,Nom', await seen());
			assert((await tab.locator('.button').nth(1).getAttribute('data-count')) === '1', 'the state is kept');
			assert((await tab.locator('main').getAttribute('data-n')) === '20', 'the parent was drawn');
		}],
		['no frame shows the props that the parent passes', async () => {
			const shown = await tab.evaluate(async () => {
				const texts = new Set();
				for (let i = 0; i < 20; i++) {
					globalThis.renderParent();
					await new Promise((done) => requestAnimationFrame(done));
					texts.add(document.querySelectorAll('.button')[1].textContent);
				}
				return [...texts].join();
			});
			assert(shown === 'Deux', shown);
		}],
		['cleared, each has what its parent passes', async () => {
			host.apply({ op: 'clearAll' });
			await tab.waitForFunction(() => document.querySelector('input').placeholder === 'Name');
			const text = await tab.evaluate(() => document.querySelector('main').textContent.replace(/\s+/g, ' '));
			assert(text === 'OneTwoThreenew darkred dark', text);
			await tab.close();
		}],
	]);
	host.stop();
}
await browser.close();
process.exit(failures ? 1 : 0);
