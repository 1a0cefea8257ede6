// adapters.mjs [LANE] - how fast the adapter for React is, on a copy of the demo: a click until the host knows, a draft until
// the page shows it, what boundaries cost while a page is drawn, and the page's memory over 10,000 selections and drafts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openBrowser } from '../../tests/browser/browser.mjs';
import { FakeHost } from '../../tests/adapters/kit/host.mjs';
import { copyOf, Launcher } from '../../tests/adapters/project.mjs';

const lane = process.argv[2] ?? 'harbour';
const folder = copyOf(lane, `bench-${lane}`);
writeFileSync(join(folder, 'src/many.tsx'), `
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { Button } from './components/Button';
function Many() {
	const [n, set] = useState({ count: 0, text: 'a' });
	Object.assign(globalThis, { draw: (count: number, text: string) => flushSync(() => set({ count, text })) });
	return <main>{Array.from({ length: n.count }, (_, i) => <Button key={i} label={n.text + i} />)}</main>;
}
createRoot(document.getElementById('root')!).render(<Many />);
`);
writeFileSync(join(folder, 'many.html'), '<!doctype html><html><head></head><body><div id="root"></div><script type="module" src="/src/many.tsx"></script></body></html>');
const host = await new FakeHost().start();
const launcher = new Launcher(folder, host);
const { url } = await launcher.wait('ready');
await launcher.wait('looked');
const browser = await openBrowser();
const page = await browser.newPage();
const median = (all) => [...all].sort((a, b) => a - b)[all.length >> 1].toFixed(1);

await page.goto(url);
await host.wait('runtime.instances', () => host.instances().size > 9);
const box = await page.getByRole('button', { name: 'Order now' }).boundingBox();
const clicks = [];
for (let i = 0; i < 40; i++) {
	const from = host.now;
	const at = i % 2 ? [box.x + 9, box.y + 9] : [box.x + 160, box.y + 9];
	await page.mouse.move(...at);
	const start = performance.now();
	const told = host.wait('runtime.selectionChanged', undefined, { from });
	await page.mouse.down();
	await told;
	clicks.push(performance.now() - start);
	await page.mouse.up();
}
console.log(`a press until the host knows: median ${median(clicks)} ms, most ${Math.max(...clicks).toFixed(1)} ms`);

const one = [...host.instances().values()].find((i) => i.props?.label === 'Order now');
const set = (value) => ({ op: 'set', instanceId: one.instanceId, path: '/label', value, componentTypeId: 'ui.button', instanceLocator: one.instanceLocator });
await page.evaluate(() => {
	globalThis.seen = new Map();
	new MutationObserver(() => {
		const { textContent } = document.querySelector('.button');
		if (!globalThis.seen.has(textContent)) globalThis.seen.set(textContent, performance.timeOrigin + performance.now());
	}).observe(document.body, { subtree: true, characterData: true, childList: true });
});
const sent = [];
for (let i = 0; i < 60; i++) {
	sent.push(performance.timeOrigin + performance.now());
	host.apply(set(`draft ${i}`));
	await page.waitForTimeout(20);
}
const seen = await page.evaluate(() => Object.fromEntries(globalThis.seen));
const drafts = sent.map((at, i) => seen[`draft ${i}`] - at).filter((ms) => !Number.isNaN(ms));
console.log(`a draft until the page has it: median ${median(drafts)} ms, most ${Math.max(...drafts).toFixed(1)} ms`);

const heap = async () => {
	const session = await page.context().newCDPSession(page);
	await session.send('HeapProfiler.collectGarbage');
	return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6;
};
const before = await heap();
for (let i = 0; i < 10_000; i += 100) {
	for (let j = 0; j < 100; j++) {
		host.apply(set(`draft ${i + j}`));
		host.say({ type: 'host.select', sessionId: host.sessionId, requestId: `r${i + j}`, instanceId: j % 2 ? one.instanceId : null });
	}
	await page.waitForTimeout(30);
	host.messages.length = 0;
}
await page.evaluate(() => globalThis.seen.clear());
console.log(`memory of the page: ${before.toFixed(1)} MB, after 10,000 drafts and selections ${(await heap()).toFixed(1)} MB`);

const drawing = async (adapter) => {
	const tab = await browser.newPage();
	if (!adapter) await tab.route('**/__skaffa/adapter.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
	await tab.goto(new URL('/many.html', url).href);
	await tab.waitForFunction(() => globalThis.draw);
	await tab.waitForTimeout(500);
	const times = await tab.evaluate(async () => {
		const time = (count, text) => {
			const start = performance.now();
			globalThis.draw(count, text);
			return performance.now() - start;
		};
		const rest = () => new Promise((done) => setTimeout(done, 600));
		const [mount, again] = [[], []];
		for (let i = 0; i < 5; i++) {
			time(0, '');
			await rest();
			mount.push(time(2000, 'a'));
			await rest();
			again.push(time(2000, `b${i}`));
			await rest();
		}
		return { mount, again };
	});
	await tab.close();
	return `mounted in ${median(times.mount)} ms, drawn again in ${median(times.again)} ms`;
};
console.log(`2,000 buttons, without the adapter: ${await drawing(false)}`);
console.log(`2,000 buttons, with it: ${await drawing(true)}`);
await browser.close();
await launcher.stop();
host.stop();
