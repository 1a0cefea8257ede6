// browser.mjs - headless Chromium for the tests of the adapters, or a reason why not; and who has which port.
import { skipped } from '../clients/results.mjs';

const base = Number(process.env.TENON_ADAPTER_PORTS ?? 0); // 0: the system chooses
const port = (n) => (base ? base + n : 0);
export const PORTS = { dom: port(0), plain: port(1), hook: port(2), main: port(3), legacy: port(4), hostile: port(5), forms: port(6) };

export async function launch(suite) {
	try {
		const { openBrowser } = await import('../browser/browser.mjs');
		return await openBrowser();
	} catch (error) {
		skipped(suite, 'everything', `no browser: ${error.message}`);
		process.exit(0);
	}
}
