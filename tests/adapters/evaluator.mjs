// evaluator.mjs - JavaScript configurations and modules (C3, C9, C10): what they say, and what they cannot do to the reader.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { assert, failures, steps } from '../clients/results.mjs';
import { dist } from './project.mjs';

const root = mkdtempSync(join(tmpdir(), 'tenon-evaluator-'));
const file = (name, text) => {
	writeFileSync(join(root, name), text);
	return name;
};

// What it prints; `hold` keeps standard input open for so many milliseconds after the input.
function run(input, { hold = 20_000 } = {}) {
	return new Promise((done) => {
		const start = Date.now();
		const child = spawn(process.execPath, [join(dist, 'evaluator.mjs')], { cwd: root });
		let [out, err] = ['', ''];
		child.stdout.on('data', (data) => (out += data));
		child.stderr.on('data', (data) => (err += data));
		child.stdin.on('error', () => {});
		child.stdin.write(typeof input === 'string' ? `${input}\n` : `${JSON.stringify({ workspaceRoot: root, ...input })}\n`);
		const timer = setTimeout(() => child.stdin.end(), hold);
		child.once('close', (code) => {
			clearTimeout(timer);
			const all = out.trim().split('\n').filter(Boolean).map((line) => JSON.parse(line));
			const [lines, loaded] = [all.filter(({ type }) => type !== 'loaded'), all.filter(({ type }) => type === 'loaded')];
			done({ lines, loaded, err, code, took: Date.now() - start });
		});
	});
}

const config = async (text, name = 'skaffa.config.mjs') => (await run({ config: file(name, text) })).lines[0];

await steps('evaluator', [
	['C3: an object, a function that returns one, and one that waits', async () => {
		for (const text of ['export default { a: 1 }', 'export default () => ({ a: 1 })', 'export default async ({ workspaceRoot }) => ({ a: workspaceRoot ? 1 : 0 })']) {
			const said = await config(text);
			assert(said.type === 'config' && said.config.a === 1, JSON.stringify(said));
		}
	}],
	['C4: faults are told apart', async () => {
		for (const [text, code] of [['export default {', 'INVALID_SYNTAX'], ['throw new Error("no")', 'INVALID_SYNTAX'], ['export const a = 1', 'VALIDATION_ERROR'],
			['export default 7', 'VALIDATION_ERROR'], ['export default []', 'VALIDATION_ERROR'], ['export default () => { throw 1 }', 'INVALID_SYNTAX'],
			['const a = {}; a.a = a; export default a', 'VALIDATION_ERROR']]) {
			const said = await config(text, `skaffa${Math.random()}.mjs`);
			assert(said.type === 'config-error' && said.code === code, `${text}: ${JSON.stringify(said)}`);
		}
	}],
	['what the code prints is not taken for what it says', async () => {
		const { lines, err } = await run({ config: file('loud.mjs', 'console.log(\'{"type":"config"}\'); process.stdout.write("x\\n"); export default {}') });
		assert(lines.map((line) => line.type).join() === 'config,done', JSON.stringify(lines));
		assert(err.includes('{"type":"config"}'), err);
	}],
	['C9: a module contributes a registry and a graph; what is not supported is said, and the rest counts', async () => {
		const module = file('module.mjs', `export function activate(context) {
			context.registry.contributeRegistry({ schemaVersion: 'v0', components: {} });
			context.preview.registerLauncher({ id: 'x' });
			context.ui.registerSection({});
			context.graph.registerProducer({ id: 'p', initialize: async () => ({ schemaVersion: 'v0', revision: 1, nodes: [], edges: [] }) });
			context.subscriptions.push({ dispose() {} });
		}`);
		const { lines, code } = await run({ modules: [{ id: 'm', file: module }, { id: 'none', file: file('none.mjs', 'export const x = 1') }, { id: 'gone', file: 'gone.mjs' }] });
		const types = lines.map((line) => line.type).join();
		assert(types === 'registry,diagnostic,diagnostic,graph-snapshot,module-status,module-status,module-status,done' && code === 0, types);
		assert(lines[0].moduleId === 'm' && lines[1].code === 'unsupported_contribution' && lines[3].producerId === 'p', JSON.stringify(lines));
		assert(lines.slice(4, 7).map((line) => line.status).join() === 'active,failed,failed', JSON.stringify(lines.slice(4)));
	}],
	['a producer stays for its patches, and ends with standard input', async () => {
		const module = file('patches.mjs', `export function activate({ graph, subscriptions }) {
			let timer;
			graph.registerProducer({ id: 'p', initialize: () => ({ revision: 1 }), start(onPatch) { let n = 1; timer = setInterval(() => onPatch({ revision: ++n }), 20) } });
			subscriptions.push(() => clearInterval(timer));
		}`);
		const { lines, took } = await run({ modules: [{ id: 'm', file: module }] }, { hold: 800 });
		assert(lines.filter((line) => line.type === 'graph-patch').length > 3 && lines.some((line) => line.type === 'done'), JSON.stringify(lines.slice(0, 5)));
		assert(took < 3500, `${took} ms`);
	}],
	['C10: patches follow "done", which names who stays; start() may take for ever, or fail', async () => {
		const module = file('starts.mjs', `export function activate({ graph }) {
			const initialize = () => ({ revision: 1 });
			graph.registerProducer({ id: 'p', initialize, start(onPatch) { onPatch({ revision: 2 }); onPatch({ x: 'y'.repeat(300_000) }); return new Promise(() => {}) } });
			graph.registerProducer({ id: 'q', initialize, start() { throw new Error('no') } });
		}`);
		const { lines } = await run({ modules: [{ id: 'm', file: module }] }, { hold: 800 });
		const types = lines.map((line) => line.type).join();
		assert(types === 'graph-snapshot,graph-snapshot,module-status,done,graph-patch,diagnostic,diagnostic', types);
		assert(lines[3].stays.join() === 'm' && lines[4].moduleId === 'm' && lines[4].producerId === 'p', JSON.stringify(lines));
		assert(lines.slice(5).map((line) => line.code).join() === 'limit_exceeded,producer_failed', JSON.stringify(lines));
	}],
	['C5: what it is made of is said, there or not; packages and files outside are not', async () => {
		mkdirSync(join(root, 'node_modules/kit'), { recursive: true });
		file('node_modules/kit/index.js', 'export default 1');
		file('deep.mjs', 'import "./missing.mjs"');
		file('near.mjs', 'import "kit"; import "node:fs"; import "./deep.mjs"');
		const { lines, loaded } = await run({ config: file('made.mjs', 'import "./near.mjs"; export default {}') });
		assert(lines[0].code === 'INVALID_SYNTAX', JSON.stringify(lines));
		const known = Object.fromEntries(loaded.map((line) => [line.file, line.digest]));
		for (const name of ['made.mjs', 'near.mjs', 'deep.mjs']) assert(known[name] === createHash('sha256').update(readFileSync(join(root, name))).digest('hex'), name);
		assert(known['missing.mjs'] === null && !Object.keys(known).some((name) => name.includes('node_modules') || name.startsWith('..')), JSON.stringify(known));
	}],
	['C10: ten seconds, and no more', async () => {
		const { lines, code, took } = await run({ config: file('slow.mjs', 'export default () => new Promise((done) => setTimeout(done, 60000))') });
		assert(lines[0].code === 'TIMEOUT' && code === 1 && took < 13_000, `${JSON.stringify(lines)} after ${took} ms`);
		const endless = await run({ config: file('loop.mjs', 'for (;;);') });
		assert(endless.lines[0].code === 'TIMEOUT' && endless.took < 14_000, `${JSON.stringify(endless.lines)} after ${endless.took} ms`);
	}],
	['C10: 64 MiB, and no more; input that is none', async () => {
		const module = file('flood.mjs', 'export function activate({ registry }) { const text = "x".repeat(1 << 20); for (;;) registry.contributeRegistry({ text }) }');
		const { lines, code } = await run({ modules: [{ id: 'm', file: module }] });
		assert(code === 1 && lines.at(-1).type === 'error' && lines.length <= 65, `${lines.length} lines, exit ${code}`);
		assert((await run('{')).lines[0].type === 'error', 'bad input');
	}],
	['it dies when standard input closes', async () => {
		const { took } = await run({ config: file('wait.mjs', 'export default () => new Promise((done) => setTimeout(done, 60000))') }, { hold: 300 });
		assert(took < 3000, `${took} ms`);
	}],
], { timeout_ms: 60_000 });
rmSync(root, { recursive: true, force: true });
process.exit(failures ? 1 : 0);
