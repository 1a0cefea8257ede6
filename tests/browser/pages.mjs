// pages.mjs - web servers for previews: pages that are given as text, and the dev server of the demo.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

const TYPES = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' };

/* Serves a folder, and before that the pages of `made`: {"/path": () => html}. */
export async function serve(folder, made = {}) {
	const server = createServer((request, response) => {
		const path = new URL(request.url, 'http://x').pathname;
		const file = path.endsWith('/') ? `${path}index.html` : path;
		try {
			const body = made[path]?.() ?? readFileSync(join(folder, file));
			response.writeHead(200, { 'Content-Type': made[path] ? 'text/html' : (TYPES[extname(file)] ?? 'text/plain') }).end(body);
		} catch {
			response.writeHead(404).end('no such file');
		}
	});
	await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
	return { url: `http://127.0.0.1:${server.address().port}/`, end: () => server.close() };
}

/* The project's own Vite, as its developer starts it. */
export async function vite(folder) {
	const child = spawn(process.execPath, [join(folder, 'node_modules/vite/bin/vite.js'), '--host', '127.0.0.1', '--port', '0'], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
	let said = '';
	const url = await new Promise((found, failed) => {
		const hear = (data) => {
			said += String(data).replace(/\x1b\[[0-9;]*m/g, '');
			const at = /http:\/\/127\.0\.0\.1:\d+\//.exec(said);
			if (at) found(at[0]);
		};
		child.stdout.on('data', hear);
		child.stderr.on('data', hear);
		child.once('exit', () => failed(new Error(`vite ended: ${said.slice(-400)}`)));
	});
	return { url, end: () => child.kill() };
}
