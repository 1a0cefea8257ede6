// workbench-seen.mjs - two clients that others wrote and the page on one preview: each is told of what another has done, reads it
// then, and not before (workbench.md P1, N3). How soon is bench/workbench_three.mjs.
import { connect } from '../clients/connect.mjs';
import { assert, failures, steps } from '../clients/results.mjs';
import { join } from 'node:path';
import { Home } from './home.mjs';
import { Three } from './three.mjs';

const SIX = ['get_component', 'get_selection', 'list_components', 'list_instances', 'read_state', 'wait_for_selection'].map((one) => `workbench_${one}`);
const port = 21000 + ((process.pid + 8800) % 9000);
const three = new Three();

/* How often each has read: once for what it was told of, and perhaps once more for a notice that said less. */
async function told(act) {
	const before = [three.sdk1.reads, three.sdk2.reads];
	const took = await act();
	const reads = [three.sdk1.reads - before[0], three.sdk2.reads - before[1]];
	assert(Math.max(...reads) <= 3, `read ${reads} times`);
	return Object.keys(took);
}

async function off() {
	const home = new Home(port + 1, { TENON_WORKBENCH_ACTUATION: 'off' });
	try {
		const { url, token } = await home.start();
		const relay = { command: join(home.bin, 'tenon'), args: ['mcp', 'workbench'], env: home.env, quiet: true };
		for (const [kind, target] of [['sdk1', { url: `${url}/mcp/workbench`, token }], ['sdk2-modern', relay]]) {
			const one = await connect(kind, target);
			const { tools } = await one.client.listTools();
			const names = tools.map((tool) => tool.name).sort().join();
			assert(names === SIX.join(), `${kind}: ${names}`);
			assert(tools.every(({ annotations: a }) => a.readOnlyHint && !a.openWorldHint && !a.destructiveHint), `${kind}: hints`);
			for (const name of ['apply_overrides', 'start_preview', 'select', 'undo', 'save', 'open_workspace', 'trust_workspace', 'put_graph_snapshot']) {
				const answer = await one.call(`workbench_${name}`, {}).catch((error) => ({ code: error.code }));
				assert(answer.code === -32602, `${kind}: ${name}: ${JSON.stringify(answer)}`);
			}
			await one.close();
		}
	} finally {
		await home.end();
	}
}

await steps('browser-workbench-seen', [
	['SDK 1.x over HTTP, SDK 2.x over the relay, and the page, on one preview', () => three.begin(port)],
	['what SDK 1.x changes, SDK 2.x is told of, and the page and the preview show', () => told(() => three.clientChanges('sdk1', 'sdk2', 'From the first'))],
	['what SDK 2.x changes, SDK 1.x is told of, and the page and the preview show', () => told(() => three.clientChanges('sdk2', 'sdk1', 'From the second'))],
	['what the person takes back on the page, both are told of', async () => {
		await told(() => three.clientChanges('sdk1', 'sdk2', 'Once more'));
		await told(() => three.personTakesBack('From the second'));
	}],
	['what the person clicks in the preview, both are told of, and the page shows', async () => {
		await told(() => three.personClicks('Ring the bell', 'dom.button', false));
		await told(() => three.personClicks('From the second', 'plain.notice', true));
	}],
	['the end', () => three.end()],
	['with actuation off: six tools that read, for both, and nothing that changes anything (M5)', off],
], { timeout_ms: 90_000 });
process.exit(failures ? 1 : 0);
