/* Which files of the workspace a program is made of: what it imports, directly and through others, also what is missing or
 * cannot be read. Each is told once, before it is loaded, with a digest of what it was then. Packages (node_modules) and files
 * outside are nobody's concern. */
import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import * as node from 'node:module';
import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';

const FILES_MAX = 1000;
const BYTES_MAX = 2 * 1024 * 1024; // of a larger one the size is looked at
const ENDINGS = ['', '.js', '.json', '.cjs', '/index.js']; // what require tries

function isFile(path) {
	try {
		return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
	} catch {
		return false; // below a file, for Node 20
	}
}

/* null: it is no file that can be read. */
function digestOf(path) {
	try {
		const status = statSync(path);
		if (!status.isFile()) return null;
		if (status.size > BYTES_MAX) return `size-${status.size}`;
		return createHash('sha256').update(readFileSync(path)).digest('hex');
	} catch {
		return null;
	}
}

const pathOf = (url) => (typeof url === 'string' && url.startsWith('file:') ? fileURLToPath(url) : null);

/* Where an import points that names a place. */
function placeOf(specifier, parent) {
	try {
		if (/^(?:\.{0,2}\/|file:)/.test(specifier)) return pathOf(new URL(specifier, isAbsolute(parent ?? '') ? `file://${parent}` : parent).href);
	} catch {
		// It is none.
	}
	return null;
}

/* Node 20: hooks run in another thread, and what they have seen is told when loading is over. What is required passes them by. */
function hookElsewhere(take) {
	const { port1, port2 } = new MessageChannel();
	const code = `let port;
export function initialize(data) { port = data; }
export async function resolve(specifier, context, next) {
	try {
		const found = await next(specifier, context);
		port.postMessage([specifier, context.parentURL, found.url]);
		return found;
	} catch (error) {
		port.postMessage([specifier, context.parentURL, null]);
		throw error;
	}
}`;
	node.register(`data:text/javascript,${encodeURIComponent(code)}`, { data: port2, transferList: [port2] });
	port1.unref();
	const modules = node.createRequire(import.meta.url).cache;
	return () => {
		for (let got; (got = receiveMessageOnPort(port1)); ) take(...got.message);
		for (const path of Object.keys(modules)) take('', undefined, `file://${path}`);
	};
}

function hookHere(take) {
	node.registerHooks({
		resolve(specifier, context, next) {
			try {
				const found = next(specifier, context);
				take(specifier, context.parentURL, found.url);
				return found;
			} catch (error) {
				take(specifier, context.parentURL, null);
				throw error;
			}
		},
	});
	return () => {};
}

/* `tell(file, digest)`, and `tell(null)` where there are more than are followed. Returns what is to be called when loading is over. */
export function follow(workspaceRoot, tell) {
	const root = realpathSync(workspaceRoot);
	const told = new Set();

	const note = (path) => {
		const file = path === null ? '..' : relative(root, path).split(sep).join('/');
		if (file === '' || isAbsolute(file) || file.split('/').some((name) => name === '..' || name === 'node_modules') || told.has(file)) return;
		told.add(file);
		if (told.size <= FILES_MAX) tell(file, digestOf(path));
		else if (told.size === FILES_MAX + 1) tell(null);
	};
	const take = (specifier, parent, url) => {
		const place = placeOf(specifier, parent);
		if (url !== null) {
			note(pathOf(url));
			for (const ending of place === null ? [] : ENDINGS) if (isFile(place + ending)) note(place + ending); // a link to it
		} else if (place !== null) {
			for (const ending of ENDINGS) note(place + ending);
		}
	};
	if (node.registerHooks) return hookHere(take);
	return node.register ? hookElsewhere(take) : () => {};
}
