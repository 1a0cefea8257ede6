/* evaluator.mjs - runs the configuration and the modules of a workspace that are JavaScript [C3, C9, C10], and says what
 * they hold in lines of JSON on standard output. One line of JSON on standard input says which; when standard input
 * ends, so does this. What their code prints goes to standard error. Where producers of the graph send patches it stays for
 * them after "done".
 *
 * Input: {"workspaceRoot", "config"?: file, "modules"?: [{"id", "file"}]} */
import { writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { createInterface } from 'node:readline';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';

import { follow } from './follow.mjs';

const LIMIT_MS = 10_000;
const OUTPUT_MAX = 64 * 1024 * 1024; // bytes, until it is done
const PATCH_MAX = 256 * 1024; // bytes, of one line
const PAUSE = new Int32Array(new SharedArrayBuffer(4));
let written = 0;
let isDone = false;

/* All of it, now: code that never waits would keep what is only queued from going out. */
function write(text) {
	const bytes = Buffer.from(text);
	for (let at = 0; at < bytes.length; ) {
		try {
			at += writeSync(1, bytes, at);
		} catch (error) {
			if (error.code !== 'EAGAIN') process.exit(1); // nobody reads any more
			Atomics.wait(PAUSE, 0, 0, 2);
		}
	}
}

process.stdout.write = (...args) => process.stderr.write(...args);
for (const name of ['log', 'info', 'debug']) console[name] = console.error;

class Fault extends Error {
	constructor(code, message) {
		super(message);
		this.code = code;
	}
}

/* JSON, or a fault: a cycle, a big integer and a function as a whole cannot be said. */
function say(message) {
	let text;
	try {
		text = JSON.stringify(message);
	} catch (error) {
		throw new Fault('VALIDATION_ERROR', `what it gives is not JSON: ${error.message}`);
	}
	const bytes = Buffer.byteLength(text) + 1;
	if (isDone && bytes > PATCH_MAX) throw new Fault('limit_exceeded', `it has ${bytes} bytes, and ${PATCH_MAX} are taken at once: send smaller patches`);
	if (!isDone) written += bytes;
	if (written > OUTPUT_MAX) end({ type: 'error', code: 'VALIDATION_ERROR', message: 'more than 64 MiB were given' }, 1);
	write(`${text}\n`);
}

function end(message, code = 0) {
	if (message) write(`${JSON.stringify(message)}\n`);
	process.exit(code);
}

const WORDS_MAX = 2000; // characters of a message
const LATE = { type: 'error', code: 'TIMEOUT', message: 'it was not done within 10 s' };

/* A loop without an end keeps every timer of its thread from running; one of another thread runs. */
function watchdog() {
	const line = JSON.stringify(`${JSON.stringify(LATE)}\n`);
	const code = `setTimeout(() => { require('node:fs').writeSync(1, ${line}); process.kill(process.pid, 'SIGKILL'); }, ${LIMIT_MS + 500})`;
	const worker = new Worker(code, { eval: true });
	worker.unref();
	return () => void worker.terminate();
}

const inWords = (error) => (error instanceof Error ? error.message : String(error));

async function load(file) {
	try {
		return await import(pathToFileURL(file).href);
	} catch (error) {
		throw new Fault('INVALID_SYNTAX', `${inWords(error)}`);
	}
}

async function evaluateConfig(root, file) {
	const path = resolve(root, file);
	try {
		const module = await load(path);
		if (!('default' in module)) throw new Fault('VALIDATION_ERROR', 'there is no default export; export an object, or a function that returns one');
		let config = module.default;
		if (typeof config === 'function') {
			try {
				config = await config({ workspaceRoot: root });
			} catch (error) {
				throw new Fault('INVALID_SYNTAX', `the function failed: ${inWords(error)}`);
			}
		}
		if (typeof config !== 'object' || config === null || Array.isArray(config)) {
			throw new Fault('VALIDATION_ERROR', 'the default export is no object; export an object, or a function that returns one');
		}
		say({ type: 'config', config });
	} catch (error) {
		say({ type: 'config-error', code: error.code ?? 'UNKNOWN_ERROR', message: inWords(error) });
	}
}

/* What a module may give; what it gives that is not supported is said, and the rest counts. */
class Context {
	moduleId;
	#starting = [];
	#staying = [];
	subscriptions = [];

	constructor(moduleId, workspaceRoot) {
		this.moduleId = moduleId;
		this.workspaceRoot = workspaceRoot;
		this.registry = { contributeRegistry: (registry) => this.#contribute({ type: 'registry', moduleId, registry }) };
		this.graph = { registerProducer: (producer) => this.#producer(producer) };
		for (const [name, methods] of Object.entries({
			preview: ['registerLauncher', 'registerPreviewLauncher', 'registerAdapter'],
			launchers: ['register', 'registerLauncher'],
			save: ['registerPromoter', 'registerSavePromoter'],
			ui: ['registerSection', 'registerInspectorSection', 'registerPanel', 'contribute'],
		})) {
			this[name] = Object.fromEntries(methods.map((method) => [method, () => this.#unsupported(`${name}.${method}`)]));
		}
	}

	#contribute(message) {
		say(message);
		return { dispose() {} };
	}

	#unsupported(what) {
		this.#tell('warning', 'unsupported_contribution', `${what} is not supported here; describe it in a *.module.json`);
		return { dispose() {} };
	}

	#producer(producer) {
		if (typeof producer?.id !== 'string' || typeof producer.initialize !== 'function') {
			throw new Fault('VALIDATION_ERROR', 'a producer has an id and initialize()');
		}
		this.#starting.push(this.#start(producer));
		return { dispose: () => producer.dispose?.() };
	}

	async #start(producer) {
		say({ type: 'graph-snapshot', producerId: producer.id, snapshot: await producer.initialize() });
		if (typeof producer.start === 'function') this.#staying.push(producer);
	}

	#patch(producerId, patch) {
		try {
			say({ type: 'graph-patch', moduleId: this.moduleId, producerId, patch });
		} catch (error) {
			this.#tell('warning', error.code === 'limit_exceeded' ? error.code : 'graph_update_invalid', `a patch of producer ${producerId}: ${inWords(error)}`);
		}
	}

	#tell(severity, code, message) {
		say({ type: 'diagnostic', moduleId: this.moduleId, severity, code, message: message.slice(0, WORDS_MAX) });
	}

	get stays() {
		return this.#staying.length > 0;
	}

	/* What has been said until then is known: patches follow it. One that fails leaves the others alone. */
	stay() {
		for (const producer of this.#staying) {
			Promise.resolve()
				.then(() => producer.start((patch) => this.#patch(producer.id, patch)))
				.catch((error) => this.#tell('error', 'producer_failed', `start() of producer ${producer.id} failed: ${inWords(error)}`));
		}
	}

	async started() {
		await Promise.all(this.#starting);
	}

	dispose() {
		for (const one of this.subscriptions) {
			try {
				(typeof one === 'function' ? one : one?.dispose)?.call(one);
			} catch {
				// It ends anyway.
			}
		}
	}
}

async function activate(root, { id, file }) {
	const context = new Context(id, root);
	try {
		const module = await load(resolve(root, file));
		const run = module.activate ?? module.default?.activate;
		if (typeof run !== 'function') throw new Fault('VALIDATION_ERROR', 'there is no export "activate"');
		await run.call(module.default, context);
		await context.started();
		say({ type: 'module-status', moduleId: id, status: 'active' });
	} catch (error) {
		say({ type: 'module-status', moduleId: id, status: 'failed', error: { code: error.code ?? 'UNKNOWN_ERROR', message: inWords(error) } });
	}
	return context;
}

async function run(line) {
	const { workspaceRoot, config, modules = [] } = JSON.parse(line);
	process.chdir(workspaceRoot);
	const followed = follow(workspaceRoot, (file, digest) => write(`${JSON.stringify({ type: 'loaded', file, digest })}\n`));
	const late = setTimeout(() => end(LATE, 1), LIMIT_MS);
	const called = watchdog();
	if (config) await evaluateConfig(workspaceRoot, config);
	const contexts = [];
	for (const one of modules) contexts.push(await activate(workspaceRoot, one));
	followed();
	clearTimeout(late);
	called();
	const staying = contexts.filter((context) => context.stays);
	say(staying.length ? { type: 'done', stays: staying.map((context) => context.moduleId) } : { type: 'done' });
	if (!staying.length) end();
	isDone = true;
	for (const context of staying) context.stay();
	return contexts;
}

const lines = createInterface({ input: process.stdin });
let running = Promise.resolve([]);
lines.once('line', (line) => {
	running = run(line).catch((error) => end({ type: 'error', code: error.code ?? 'UNKNOWN_ERROR', message: inWords(error) }, 1));
});
lines.once('close', () => {
	const over = setTimeout(() => process.exit(0), 500);
	running.then((contexts) => {
		for (const context of contexts ?? []) context.dispose();
		clearTimeout(over);
		process.exit(0);
	});
});
process.on('unhandledRejection', (error) => console.error(error));
process.on('uncaughtException', (error) => end({ type: 'error', code: 'UNKNOWN_ERROR', message: `it failed: ${inWords(error)}`.slice(0, WORDS_MAX) }, 1));
