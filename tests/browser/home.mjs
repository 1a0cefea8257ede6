// home.mjs - a daemon of one's own, as tests/lib/daemon.py is for Python: private folders, the real
// programs, and their end.
import { execFile, spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { personElsewhere } from './person.mjs';

const build = resolve(process.env.TENON_BUILD ?? new URL('../../build', import.meta.url).pathname);
export const PATIENCE_MS = 30_000;

export async function until(what, true_, ms = PATIENCE_MS) {
	const end = Date.now() + ms;
	for (;;) {
		const value = await true_();
		if (value) return value;
		if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
		await new Promise((r) => setTimeout(r, 20));
	}
}

function alive(pid) {
	try {
		return !!pid && process.kill(pid, 0);
	} catch {
		return false;
	}
}

/* A daemon that is no child of ours, as a child. */
function other(pid) {
	return {
		pid,
		signalCode: null,
		get exitCode() {
			return alive(pid) ? null : 0;
		},
		kill: (signal) => process.kill(pid, signal),
		once(_, ended) {
			const look = setInterval(() => {
				if (alive(pid)) return;
				clearInterval(look);
				ended();
			}, 20);
		},
	};
}

export class Home {
	constructor(port, extra = {}) {
		// Pictures show paths: for those that are kept the folder has a name that can be read.
		if (process.env.TENON_SCREENSHOTS) {
			this.folder = '/tmp/ada';
			rmSync(this.folder, { recursive: true, force: true });
			mkdirSync(this.folder, { mode: 0o700 });
		} else {
			this.folder = mkdtempSync(join(tmpdir(), 'tenon-browser-'));
		}
		this.bin = join(this.folder, '.local/bin');
		mkdirSync(this.bin, { recursive: true });
		for (const name of ['tenon', 'tenond']) copyFileSync(join(build, name), join(this.bin, name));
		this.env = Object.fromEntries(
			Object.entries(process.env).filter(([k]) => !/^(XDG_|TENON_|DISPLAY|WAYLAND_)/.test(k)),
		);
		this.env.HOME = this.folder;
		const folders = { RUNTIME_DIR: '.run', CONFIG_HOME: '.config', STATE_HOME: '.local/state' };
		for (const [name, folder] of Object.entries(folders)) {
			mkdirSync(join(this.folder, folder), { mode: 0o700 });
			this.env['XDG_' + name] = join(this.folder, folder);
		}
		if (port) this.env.TENON_HTTP_PORT = String(port); // also for a daemon that a relay starts
		Object.assign(this.env, extra);
		this.children = new Set();
		this.person = personElsewhere(this);
	}

	found() {
		const path = join(this.folder, '.run/tenon/tenond.json');
		return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
	}

	async start(...words) {
		const path = join(this.folder, 'said');
		const child = spawn(
			join(this.bin, 'tenond'),
			['--daemon', ...words],
			{ env: this.env, stdio: ['ignore', 'ignore', process.env.TENON_LOUD ? 'inherit' : openSync(path, 'w')] },
		);
		this.children.add(child);
		this.daemon = child;
		child.once('exit', () => this.children.delete(child));
		await until('a daemon', () => this.found()?.pid === child.pid || child.exitCode !== null);
		// After a kill a relay that goes on may have been faster.
		const said = () => (process.env.TENON_LOUD ? '' : readFileSync(path, 'utf8').slice(-300));
		if (child.exitCode !== null && !said().includes('runs already')) throw new Error(`the daemon did not start: ${said()}`);
		if (child.exitCode !== null) {
			await until('the other daemon', () => alive(this.found()?.pid));
			this.daemon = other(this.found().pid);
		}
		return this.found();
	}

	async stop(signal = 'SIGTERM') {
		const child = this.daemon;
		if (!child || child.exitCode !== null || child.signalCode !== null) return;
		const ended = new Promise((r) => child.once('exit', r));
		child.kill(signal);
		await ended;
	}

	personToken() {
		return this.person.token();
	}

	async tenon(...words) {
		const run = promisify(execFile);
		return run(join(this.bin, 'tenon'), words, { env: this.env, maxBuffer: 1 << 24 });
	}

	async end() {
		this.person.end();
		await this.stop('SIGKILL');
		for (const child of this.children) child.kill('SIGKILL');
		rmSync(this.folder, { recursive: true, force: true });
	}
}
