/* launcher.mjs - starts the development server of the project in its own process, with the adapter in its pages
 * [S8-S15]. One line of JSON on standard input says what; lines of JSON on standard output say what has come of it.
 * When standard input ends, so does the server. No file of the project is made or changed. */
import { existsSync, statSync } from 'node:fs';
import { createServer as createSocket } from 'node:net';
import { isAbsolute, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { COMPONENT, Pages } from './pages.mjs';
import { plugins, Targets } from './plugin.mjs';
import { cacheFolder, Failure, findVite, projectConfig } from './project.mjs';

const CLOSE_MS = 3000;
const TRIES = 5; // to get a port that was free a moment ago
const LINE_MAX = 8000;
const LOOK_MS = 120; // after a file has changed
const QUIET_MS = 500; // without changes of files, refusals of pages and requests, until they are told of more ...
const TOLD_MS = 10_000; // ... and at most
const MISSING = 'no such file';

const write = process.stdout.write.bind(process.stdout);
const say = (message) => write(`${JSON.stringify(message)}\n`);
// eslint-disable-next-line no-control-regex
const plainText = (text) => String(text).replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, '').slice(0, LINE_MAX);
const log = (level, message) => {
	const text = plainText(message).trim();
	if (text) say({ type: 'log', level, message: text });
};

/* What the project's code prints is not part of the protocol. */
function takeOutput() {
	for (const [stream, level] of [[process.stdout, 'info'], [process.stderr, 'warn']]) {
		stream.write = (chunk, encoding, done) => {
			for (const line of String(chunk).split('\n')) log(level, line);
			const callback = typeof encoding === 'function' ? encoding : done;
			if (callback) queueMicrotask(callback);
			return true;
		};
	}
}

const isText = (value) => typeof value === 'string' && value !== '';
const isHint = (one) => isText(one?.typeId) && (one.kind === 'file' ? isText(one.filePath) : one.kind === 'package' && isText(one.specifier));

const hintsOf = ({ hints }) => (Array.isArray(hints) ? hints : []).filter(isHint).map((hint) => ({ exportName: 'default', ...hint }));

function checked(line) {
	let input;
	try {
		input = JSON.parse(line);
	} catch (error) {
		throw new Failure('BAD_INPUT', `the line on standard input is not JSON: ${error.message}`);
	}
	for (const name of ['root', 'adapterUrl', 'sessionId', 'sessionKey', 'channelUrl']) {
		if (!isText(input?.[name])) throw new Failure('BAD_INPUT', `"${name}" is missing`);
	}
	if (!isAbsolute(input.root) || !existsSync(input.root)) throw new Failure('BAD_INPUT', `"root" is no folder: ${input.root}`);
	const whole = { mount: input.entry ? 'harness' : 'app', styles: [], decorators: [], hints: [], host: '127.0.0.1', workspaceRoot: input.root, ...input };
	if (whole.mount === 'harness' && !isText(whole.entry)) throw new Failure('BAD_INPUT', 'mount "harness" needs "entry"');
	const pages = new Pages();
	pages.add(input);
	return { ...whole, pages, hints: hintsOf(whole) };
}

/* Files that were replaced: a watcher of single files may miss a second replacement. `lastHMRTimestamp` is when Vite has last
 * looked at a module because of a change. */
const serving = { server: null, lookout: null, hints: null };
const MISSED_MS = 300;
function replaced(files) {
	setTimeout(() => {
		for (const file of files.filter(isText)) {
			const modules = [...(serving.server?.moduleGraph.getModulesByFile(file) ?? [])];
			const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
			if (modules.some((one) => one.lastHMRTimestamp < written)) serving.server.watcher.emit('change', file);
		}
	}, MISSED_MS);
}

/* What is to be instrumented is another; before there is a server it waits for it. */
function hinted(hints) {
	if (serving.lookout) serving.lookout.take(hints);
	else serving.hints = hints;
}

/* Later lines: one more session whose pages are served here, or one that is over; files that were written; hints. */
function heed(pages, line) {
	try {
		const message = JSON.parse(line);
		if (message.type === 'page' && isText(message.sessionId)) pages.add(message);
		if (message.type === 'leave') pages.leave(message);
		if (message.type === 'hints') hinted(hintsOf(message));
		if (message.type === 'written' && Array.isArray(message.files)) replaced(message.files);
	} catch (error) {
		log('error', `a line on standard input is not JSON: ${error.message}`);
	}
}

/* Says of each hint what has become of it, when that has changed. */
class Report {
	#said = new Map();

	say(hint, why) {
		const { typeId, target, exportName } = hint;
		const key = JSON.stringify([typeId, target, exportName]);
		if (this.#said.get(key) === why) return;
		this.#said.set(key, why);
		say(why === null ? { type: 'instrumented', typeId, target, exportName } : { type: 'skipped', typeId, target, exportName, reason: why });
	}

	/* All others are no hints any more. */
	keep(hints) {
		const keys = new Set(hints.map(({ typeId, target, exportName }) => JSON.stringify([typeId, target, exportName])));
		for (const key of this.#said.keys()) {
			if (keys.has(key)) continue;
			const [typeId, target, exportName] = JSON.parse(key);
			this.#said.delete(key);
			say({ type: 'gone', typeId, target, exportName });
		}
	}
}

function logger() {
	const warned = new Set();
	return {
		hasWarned: false,
		info: (message) => log('info', message),
		warn: (message) => log('warn', message),
		warnOnce(message) {
			if (!warned.has(message)) log('warn', message);
			warned.add(message);
		},
		error: (message) => log('error', message),
		clearScreen() {},
		hasErrorLogged: () => false,
	};
}

/* A port that the system chooses. */
function freePort(host) {
	return new Promise((done, failed) => {
		const socket = createSocket();
		socket.once('error', failed);
		socket.listen(0, host, () => {
			const { port } = socket.address();
			socket.close(() => done(port));
		});
	});
}

/* Where Vite's module runner cannot read the configuration, Node itself may: neither writes a file. */
async function createServer(vite, own, injected) {
	try {
		return await vite.createServer(vite.mergeConfig(own, injected));
	} catch (error) {
		if (own.configLoader !== 'runner') throw error;
		log('warn', `the configuration could not be read by Vite's module runner (${error.message}); Node reads it now`);
		return vite.createServer(vite.mergeConfig({ ...own, configLoader: 'native' }, injected)).catch((second) => {
			throw second.code === 'ERR_UNKNOWN_FILE_EXTENSION' ? error : second; // Node 20 knows no TypeScript
		});
	}
}

async function listen(input, project, config, more) {
	const { vite } = project;
	const { cacheDir: _cache, clearScreen: _clear, customLogger: _logger, root: _root, ...own } = config;
	for (let left = TRIES; ; left--) {
		const port = await freePort(input.host);
		const injected = {
			root: input.root,
			cacheDir: cacheFolder(input),
			clearScreen: false,
			customLogger: logger(),
			server: { host: input.host, port, strictPort: true, open: false },
			plugins: more,
		};
		const server = await createServer(vite, own, injected);
		try {
			await server.listen();
			return { server, port };
		} catch (error) {
			await server.close();
			if (left <= 1 || !/in use|EADDRINUSE/i.test(error.message)) throw new Failure('LISTEN_FAILED', error.message);
		}
	}
}

/* Looks at what is to be instrumented before a page asks for it, so that it is known what is left out. */
class Lookout {
	#server;
	#targets;
	#report;
	#input;
	#timers = new Map();
	#last = Promise.resolve();
	#untold = new Set(); // files whose pages are to be told
	#since = null; // when the first of them was found
	#stirred = 0;

	constructor(server, targets, report, input) {
		[this.#server, this.#targets, this.#report, this.#input] = [server, targets, report, input];
		const again = (file) => {
			if (!targets.of(file).length) return;
			clearTimeout(this.#timers.get(file));
			this.#timers.set(file, setTimeout(() => this.#look(file), LOOK_MS));
		};
		server.watcher.on('change', again);
		server.watcher.on('add', (file) => (input.hints.some((hint) => hint.why === MISSING) ? this.#come() : again(file)));
		const stir = () => (this.#stirred = Date.now());
		for (const event of ['change', 'add', 'unlink']) server.watcher.on(event, stir);
		server.ws.on('vite:invalidate', stir);
		server.httpServer?.on('request', (_request, response) => {
			stir();
			response.once('close', stir);
		});
		server.watcher.on('unlink', (file) => targets.of(file).forEach((hint) => report.say(hint, 'the file is gone')));
	}

	/* A file that was missing may be there now. */
	#come() {
		clearTimeout(this.#timers.get(MISSING));
		this.#timers.set(MISSING, setTimeout(() => this.take(this.#input.hints), LOOK_MS));
	}

	/* One after the other. */
	take(hints) {
		this.#last = this.#last.then(() => this.#exchange(hints)).catch((error) => log('error', error.message));
		return this.#last;
	}

	async #exchange(hints) {
		const others = this.#targets.replace(hints);
		this.#input.hints = hints;
		this.#report.keep(hints);
		this.#invalidate(others);
		await this.all();
		say({ type: 'looked' });
	}

	/* They are compiled anew, and so are those who import them: a page has the former ones until it is told. What shows one
	 * component has other hints when it is loaded again. */
	#invalidate(files) {
		const graph = this.#server.environments?.client?.moduleGraph ?? this.#server.moduleGraph;
		const now = Date.now();
		const importers = new Set();
		for (const file of files) {
			for (const module of graph.getModulesByFile(file) ?? []) {
				graph.invalidateModule(module, new Set(), now, true);
				for (const { file: by } of module.importers) if (by && !files.has(by)) importers.add(by);
			}
		}
		for (const [id, module] of graph.idToModuleMap) if (id.startsWith(`\0${COMPONENT}?`)) graph.invalidateModule(module);
		for (const file of importers) this.#untold.add(file);
		this.#tell();
	}

	/* A page that is told of a module while it still loads the same one may refresh to the former of the two. */
	#tell() {
		clearTimeout(this.#timers.get(this.#untold));
		if (!this.#untold.size) return;
		this.#since ??= Date.now();
		const wait = Math.min(this.#stirred + QUIET_MS, this.#since + TOLD_MS) - Date.now();
		if (wait > 0) {
			this.#timers.set(this.#untold, setTimeout(() => this.#tell(), wait));
			return;
		}
		for (const file of this.#untold) if (existsSync(file)) this.#server.watcher.emit('change', file);
		this.#untold.clear();
		this.#since = null;
	}

	async all() {
		for (const hint of this.#input.hints) if (hint.why) this.#report.say(hint, hint.why);
		for (const specifier of this.#targets.specifiers.keys()) {
			const found = await this.#server.pluginContainer.resolveId(specifier, resolve(this.#input.root, 'index.html')).catch(() => null);
			if (found) continue;
			for (const hint of this.#targets.specifiers.get(specifier)) this.#report.say(hint, 'no such package');
		}
		for (const file of this.#targets.files()) await this.#look(file);
	}

	async #look(file) {
		const below = relative(this.#input.root, file);
		const url = below.startsWith('..') ? `/@fs${file}` : `/${below}`;
		try {
			await this.#server.transformRequest(url);
		} catch (error) {
			for (const hint of this.#targets.of(file)) this.#report.say(hint, plainText(error.message).split('\n')[0]);
		}
	}
}

async function run(input, ended) {
	process.chdir(input.root);
	const targets = new Targets(input);
	const report = new Report();
	const project = await findVite(input.root);
	log('info', `Vite ${project.version}`);
	let config;
	try {
		config = await projectConfig(input, project, log);
	} catch (error) {
		throw new Failure('CONFIG_ERROR', plainText(error.message));
	}
	const more = plugins(input, targets, (hint, why) => report.say(hint, why), project.vite);
	const { server, port } = await listen(input, project, config, more);
	serving.server = server;
	ended.then(() => close(server));
	const [url] = server.resolvedUrls?.local ?? [`http://${input.host}:${port}/`];
	say({ type: 'ready', url, port });
	serving.lookout = new Lookout(server, targets, report, input);
	await serving.lookout.take(serving.hints ?? input.hints);
}

function close(server) {
	setTimeout(() => process.exit(0), CLOSE_MS).unref();
	Promise.resolve(server?.close()).finally(() => process.exit(0));
}

function fail(error) {
	const code = error instanceof Failure ? error.code : 'LAUNCH_FAILED';
	write(`${JSON.stringify({ type: 'error', code, message: plainText(error?.message ?? error) })}\n`, () => process.exit(1));
}

const lines = createInterface({ input: process.stdin });
let over;
let begun = null;
const ended = new Promise((done) => (over = done));
let pages = null;
lines.on('line', (line) => {
	if (pages) return heed(pages, line);
	takeOutput();
	try {
		const input = checked(line);
		pages = input.pages;
		begun = run(input, ended).catch(fail);
	} catch (error) {
		fail(error);
	}
});
const stop = () => {
	over();
	if (!begun) process.exit(0);
	setTimeout(() => process.exit(0), CLOSE_MS).unref();
};
lines.once('close', stop);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, stop);
process.on('unhandledRejection', (error) => log('error', `not handled: ${error?.stack ?? error}`));
process.on('uncaughtException', (error) => {
	log('error', error?.stack ?? String(error));
	fail(error);
});
