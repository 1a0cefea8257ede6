// project.mjs - a copy of the demo for one test, and the launcher at work on it.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const repository = new URL('../../', import.meta.url).pathname;
export const dist = join(repository, 'web/adapters/dist');
const SOURCES = ['index.html', 'vite.config.ts', 'tsconfig.json', 'skaffa.config.json', 'skaffa.harness.config.json', 'src', 'skaffa', 'packages'];
const INFERRED = ['components/Note#Note', 'components/Shelf#Shelf', 'pages/Shell#Shell', 'pages/Home#Home', 'pages/Menu#Menu', 'pages/Item#Item',
	'pages/About#About', 'pages/Account#Account', 'pages/Missing#Missing', 'App#App'];

// Why the tests of a lane cannot run here, or null.
export function missing(lane) {
	if (!existsSync(join(repository, 'demo/harbour/src'))) return 'demo/harbour is not there';
	if (!existsSync(join(repository, 'demo', lane, 'node_modules/vite'))) return `the packages of demo/${lane} are not installed: tools/packages.py demo/${lane}`;
	return null;
}

// A copy below out/, with the packages as hard links: tests change files, and Vite resolves links.
export function copyOf(lane, name) {
	const folder = join(repository, 'out/adapters', name);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const from = (path) => join(repository, 'demo', path);
	for (const source of SOURCES) execFileSync('cp', ['-R', from(`harbour/${source}`), folder]);
	execFileSync('cp', [from(`${lane}/package.json`), from(`${lane}/package-lock.json`), folder]);
	execFileSync('cp', ['-al', from(`${lane}/node_modules`), folder]);
	return folder;
}

// What is in a folder, apart from the packages: paths with hashes.
export function contents(folder) {
	const found = {};
	for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
		const path = join(entry.parentPath ?? entry.path, entry.name);
		const deep = path.slice(folder.length).split('/').length > 4 && path.includes('/node_modules/');
		if (entry.isSymbolicLink()) found[path] = readlinkSync(path);
		else if (entry.isFile()) found[path] = deep ? statSync(path).size : createHash('sha256').update(readFileSync(path)).digest('hex');
		else found[path] = 'folder';
	}
	return JSON.stringify(found);
}

export function hintsOf(folder) {
	const hints = [];
	for (const module of ['ui', 'shop']) {
		const { registry } = JSON.parse(readFileSync(join(folder, `skaffa/${module}.module.json`), 'utf8'));
		for (const [typeId, { implementation, props }] of Object.entries(registry.components)) {
			if (typeId === 'ui.swatch' || !implementation || hints.some((hint) => hint.typeId === typeId)) continue;
			const defaults = Object.entries(props).filter(([, { exposure }]) => exposure.uiDefaultValue !== undefined);
			hints.push({ typeId, ...implementation, props: Object.fromEntries(defaults.map(([name, { exposure }]) => [name, exposure.uiDefaultValue])) });
		}
	}
	for (const one of INFERRED) {
		const [path, exportName] = one.split('#');
		hints.push({ typeId: `auto.src.${path.replaceAll('/', '.')}.${exportName}`, kind: 'file', filePath: `src/${path}.tsx`, exportName });
	}
	return hints;
}

export class Launcher {
	lines = [];
	#waiting = new Set();

	constructor(folder, host, more = {}) {
		const input = {
			root: folder, workspaceRoot: folder, mount: 'app', styles: [], decorators: [], hints: hintsOf(folder),
			adapterUrl: join(dist, 'react.js'), sessionId: host.sessionId, sessionKey: host.key, channelUrl: host.channelUrl, host: '127.0.0.1',
			cacheDir: `${folder}.cache`, ...more,
		};
		this.child = spawn(process.execPath, [join(dist, 'launcher.mjs')], { stdio: ['pipe', 'pipe', 'pipe'], cwd: '/' });
		this.child.stderr.on('data', (data) => this.lines.push({ type: 'stderr', message: String(data) }));
		this.exited = new Promise((done) => this.child.once('exit', (code, signal) => done({ code, signal })));
		createInterface({ input: this.child.stdout }).on('line', (line) => {
			try {
				this.lines.push(JSON.parse(line));
			} catch {
				this.lines.push({ type: 'not JSON', line });
			}
			for (const look of [...this.#waiting]) look();
		});
		this.child.stdin.on('error', () => {});
		this.child.stdin.write(`${typeof more === 'string' ? more : JSON.stringify(input)}\n`);
	}

	wait(type, fits = () => true, timeout = 30_000, from = 0) {
		return new Promise((done, failed) => {
			const look = () => {
				const found = this.lines.slice(from).find((line) => line.type === type && fits(line));
				if (!found) return;
				clearTimeout(timer);
				this.#waiting.delete(look);
				done(found);
			};
			const timer = setTimeout(() => {
				this.#waiting.delete(look);
				failed(new Error(`no ${type} in ${timeout} ms: ${JSON.stringify(this.lines.slice(-6))}`));
			}, timeout);
			this.#waiting.add(look);
			look();
		});
	}

	// A later line.
	send(message) {
		this.child.stdin.write(`${JSON.stringify(message)}\n`);
	}

	async stop() {
		this.child.stdin.end();
		return this.exited;
	}
}

// Line and column of the element below a marker.
export function siteOf(folder, file, name) {
	const lines = readFileSync(join(folder, file), 'utf8').split('\n');
	const marker = lines.findIndex((line) => line.includes(`@site:${name} `));
	const line = lines[marker + 1];
	const at = name === 'loaf' ? line.indexOf('<Button') : line.indexOf('<');
	return { filePath: file, line: marker + 2, column: at + 1 };
}
