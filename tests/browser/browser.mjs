// browser.mjs - headless Chromium, and pages that remember what went wrong on them.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require_ = createRequire(new URL('../../web/package.json', import.meta.url));
const { chromium } = require_('playwright-core');
const axe = readFileSync(require_.resolve('axe-core/axe.min.js'), 'utf8');

export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 390, height: 844 };

export async function openBrowser() {
	const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
	if (!executablePath) throw new Error('chromium is not installed');
	return chromium.launch({ executablePath, args: ['--no-sandbox', '--force-color-profile=srgb'] });
}

export async function newContext(browser, options = {}) {
	const context = await browser.newContext({
		viewport: WIDE,
		permissions: ['clipboard-read', 'clipboard-write'],
		reducedMotion: 'reduce',
		locale: 'en-US',
		...options,
	});
	context.faults = [];
	// Pages with a fraction of the processor: what is only so because a page is quick is found out.
	const rate = Number(process.env.TENON_BROWSER_SLOW ?? 1);
	if (rate > 1) context.on('page', (page) => void context.newCDPSession(page).then((session) => session.send('Emulation.setCPUThrottlingRate', { rate })).catch(() => null));
	context.on('weberror', (e) => context.faults.push(`uncaught: ${e.error().message}`));
	context.on('console', (m) => {
		// What Chromium writes itself when a connection is refused is what these tests ask for.
		if (m.type() === 'error' && !/ERR_CONNECTION_REFUSED|WebSocket connection|401/.test(m.text()))
			context.faults.push(`console: ${m.text()}`);
	});
	return context;
}

/* WCAG 2.1 A and AA. Run in the page by the debugger, so that its policy stays as it is. */
export async function axeFaults(page) {
	await page.evaluate(axe);
	const found = await page.evaluate(() =>
		globalThis.axe.run(document, {
			runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
		}),
	);
	return found.violations.map(
		(v) => `${v.id}: ${v.nodes.map((n) => `${n.target} (${n.any[0]?.message ?? v.help})`).join('; ')}`,
	);
}
