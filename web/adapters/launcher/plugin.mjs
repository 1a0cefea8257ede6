/* The plugins that go into the project's Vite beside its own. */
import { readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';

import { instrument } from './instrument.mjs';
import { adapterText, ADAPTER_PATH, BOUNDARY, CLIENT, COMPONENT, COMPONENT_PATH, componentPage, HARNESS, virtualModule, withAdapter, withHarness } from './pages.mjs';

const ENDINGS = ['', '.tsx', '.ts', '.jsx', '.js', '.mjs', '/index.tsx', '/index.ts', '/index.jsx', '/index.js'];
const VIRTUAL = new RegExp(`^(${[BOUNDARY, HARNESS, COMPONENT, CLIENT].join('|')})(\\?|$)`);
const PAGES_OWN = ['react', 'react-dom', 'react-dom/client', 'react/jsx-runtime', 'react/jsx-dev-runtime'];

function real(path) {
	try {
		return realpathSync(path);
	} catch {
		return null;
	}
}

/* Which packages are left as they are, so that they go through here [S14]. */
const packageOf = (specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)[0];

/* Which hints are for which file; a package's file is known when something asks for the package. */
export class Targets {
	#byFile = new Map();
	#packageFiles = new Map(); // by specifier

	constructor({ workspaceRoot, hints }) {
		this.root = workspaceRoot;
		this.packages = [...new Set(hints.filter((hint) => hint.kind === 'package').map((hint) => packageOf(hint.specifier)))];
		this.replace(hints);
	}

	/* All hints there are now. Returns the files that have others than before. */
	replace(hints) {
		const before = this.#byFile;
		this.#byFile = new Map();
		this.specifiers = new Map();
		for (const hint of hints) {
			if (hint.kind === 'file') this.#addFile(hint);
			else this.#addPackage(hint);
		}
		const others = (file) => wordsOf(before.get(file)) !== wordsOf(this.#byFile.get(file));
		return new Set([...before.keys(), ...this.#byFile.keys()].filter(others));
	}

	#addFile(hint) {
		const path = resolve(this.root, hint.filePath);
		const found = ENDINGS.map((ending) => real(path + ending)).find((file) => file && /\.\w+$/.test(file));
		hint.target = hint.filePath;
		hint.why = found ? null : 'no such file';
		if (found) this.#add(found, hint);
	}

	/* One that was bundled when the server started does not go through here. */
	#addPackage(hint) {
		hint.target = hint.specifier;
		hint.why = this.packages.includes(packageOf(hint.specifier)) ? null : 'its package was prepared without it: start the preview again';
		if (hint.why) return;
		this.specifiers.set(hint.specifier, [...(this.specifiers.get(hint.specifier) ?? []), hint]);
		const file = this.#packageFiles.get(hint.specifier);
		if (file) this.#add(file, hint);
	}

	#add(file, hint) {
		const of = this.#byFile.get(file) ?? [];
		if (!of.includes(hint)) this.#byFile.set(file, [...of, hint]);
	}

	/* Where a package with hints is. */
	found(specifier, file) {
		this.#packageFiles.set(specifier, file);
		for (const hint of this.specifiers.get(specifier)) this.#add(file, hint);
	}

	of(file) {
		return this.#byFile.get(file) ?? [];
	}

	files() {
		return [...this.#byFile.keys()];
	}
}

const wordsOf = (hints = []) => JSON.stringify(hints.map(({ typeId, exportName }) => [typeId, exportName]));
const clean = (id) => id.replace(/[?#].*$/, '');

/* Where a place of the original is, counted from 1; the element's "<" stands there. */
class Originals {
	constructor(file, path, map) {
		this.file = file;
		this.map = map;
		this.path = path;
	}

	text(source) {
		return this.map.sourcesContent?.[source] ?? (this.own ??= readFileSync(this.path, 'utf8'));
	}

	place({ source, line, column }) {
		this.lines ??= this.text(source).split('\n');
		const text = this.lines[line];
		if (text === undefined) return null;
		if (text[column] === '<') return { line: line + 1, column: column + 1 };
		const before = text.lastIndexOf('<', column);
		return before >= 0 && /^<[\w.$:-]*$/.test(text.slice(before, column)) ? { line: line + 1, column: before + 1 } : null;
	}
}

export function plugins(input, targets, report, vite) {
	const { workspaceRoot } = input;
	const root = real(workspaceRoot) ?? workspaceRoot;

	/* The path in the workspace, or null for what is not the project's own. */
	const ownFile = (file) => {
		if (!isAbsolute(file)) return null; // a virtual module
		const path = relative(root, file);
		if (isAbsolute(path) || path.startsWith('..') || path.split(sep).includes('node_modules')) return null;
		return path.split(sep).join('/');
	};

	const before = {
		name: 'skaffa:before',
		enforce: 'pre',
		config(config) {
			const exclude = targets.packages;
			const allow = [workspaceRoot, ...(config.server?.fs?.allow ? [] : [vite.searchForWorkspaceRoot(input.root)])];
			return { optimizeDeps: { exclude, include: exclude.length || input.mount === 'harness' || input.decorators.length ? PAGES_OWN : [] }, server: { fs: { allow } } };
		},
		async resolveId(source, importer, options) {
			if (VIRTUAL.test(source)) return `\0${source}`;
			if (options?.ssr) return null;
			if (source === 'react-dom/client' && input.mount === 'app' && input.decorators.length && ownFile(clean(importer ?? ''))) return `\0${CLIENT}`;
			if (!targets.specifiers.has(source)) return null;
			const found = await this.resolve(source, importer, { ...options, skipSelf: true });
			if (found && targets.specifiers.has(source)) targets.found(source, real(clean(found.id)) ?? clean(found.id));
			return found;
		},
		load(id) {
			return id.startsWith('\0virtual:skaffa-') ? virtualModule(id.slice(1), input) : null;
		},
		async configureServer(server) {
			const adapter = await adapterText(input.adapterUrl);
			server.middlewares.use((request, response, next) => {
				serve(server, adapter, request, response).then((done) => done || next(), next);
			});
		},
	};

	const after = {
		name: 'skaffa:after',
		enforce: 'post',
		transform(code, id, options) {
			const file = real(clean(id));
			if (options?.ssr || !file || /[?&](raw|url|worker|sharedworker)\b/.test(id)) return null;
			const hints = targets.of(file);
			const own = ownFile(file);
			const mayHaveElements = own !== null && /["'](?:react|(?:[^"'\n]*\/)?jsx(?:-dev)?-runtime)["']/.test(code);
			if (!hints.length && !mayHaveElements) return null;
			return change(this, { code, file, hints, own: mayHaveElements ? own : null });
		},
		transformIndexHtml: {
			order: 'pre',
			handler: (html) => (input.mount === 'harness' ? withHarness(html) : html),
		},
	};

	const change = (context, { code, file, hints, own }) => {
		try {
			const map = own === null ? null : context.getCombinedSourcemap();
			const originals = map && new Originals(own, file, map);
			const { changed, results } = instrument({ code, program: context.parse(code), hints, map, originals, name: file });
			if (changed) context.parse(changed.code); // what cannot be read goes out as it was
			for (const { hint, why } of results) report(hint, why);
			return changed;
		} catch (error) {
			for (const hint of hints) report(hint, `it cannot be instrumented: ${error.message}`);
			return null;
		}
	};

	const last = {
		name: 'skaffa:last',
		enforce: 'post',
		transformIndexHtml: { order: 'post', handler: (html, { path, originalUrl }) => withAdapter(html, input.pages.of(originalUrl ?? path), input.adapterUrl) },
	};
	return [before, after, last];
}

/* The adapter and the page of one component. True if the request was for one of them. */
async function serve(server, adapter, request, response) {
	const url = new URL(request.url, 'http://preview');
	if (adapter && url.pathname === ADAPTER_PATH) {
		response.setHeader('Content-Type', 'text/javascript; charset=utf-8');
		response.setHeader('Cache-Control', 'no-store');
		response.end(adapter);
		return true;
	}
	if (url.pathname !== COMPONENT_PATH) return false;
	const html = await server.transformIndexHtml(request.url, componentPage(url.searchParams.get('type') ?? ''), request.url);
	response.setHeader('Content-Type', 'text/html; charset=utf-8');
	response.setHeader('Cache-Control', 'no-store');
	response.end(html);
	return true;
}

