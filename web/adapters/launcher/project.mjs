/* The project's own Vite, found from its folder, and its configuration, read without a file being written: Vite bundles
 * a configuration into a temporary file beside it or in node_modules, which nobody asked for. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export class Failure extends Error {
	constructor(code, message) {
		super(message);
		this.code = code;
	}
}

const CONFIGS = ['js', 'mjs', 'ts', 'cjs', 'mts', 'cts'].map((ending) => `vite.config.${ending}`);

/* The module, and its major version. */
export async function findVite(root) {
	const require = createRequire(join(root, 'package.json'));
	let folder;
	try {
		folder = dirname(require.resolve('vite/package.json'));
	} catch {
		throw new Failure('VITE_NOT_FOUND', `no Vite is installed for ${root}; install the project's packages first`);
	}
	const { version, exports } = require('vite/package.json');
	const entry = exports?.['.']?.import?.default ?? exports?.['.']?.import ?? exports?.['.'];
	const file = typeof entry === 'string' ? join(folder, entry) : join(folder, 'dist/node/index.js');
	const vite = await import(pathToFileURL(file).href);
	return { vite, version, major: Number.parseInt(version, 10), folder };
}

function configFileOf({ root, configFile }) {
	if (configFile) return isAbsolute(configFile) ? configFile : resolve(root, configFile);
	return CONFIGS.map((name) => join(root, name)).find(existsSync);
}

/* A configuration bundled by the project's own esbuild (Vite 5 has no other way that leaves no file in the project). */
async function bundled(file, folder) {
	const { build } = createRequire(join(folder, 'package.json'))('esbuild');
	const require = createRequire(file);
	const external = {
		name: 'external',
		setup({ onResolve }) {
			onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
				if (kind === 'entry-point' || isAbsolute(path)) return null;
				if (path.startsWith('node:')) return { path, external: true };
				const found = resolveFrom(importer ? createRequire(importer) : require, path);
				return { path: found ?? path, external: true };
			});
		},
	};
	const { outputFiles } = await build({
		entryPoints: [file], bundle: true, write: false, format: 'esm', platform: 'node', target: 'node18', plugins: [external],
		define: {
			'import.meta.url': JSON.stringify(pathToFileURL(file).href), 'import.meta.dirname': JSON.stringify(dirname(file)),
			'import.meta.filename': JSON.stringify(file), __dirname: JSON.stringify(dirname(file)), __filename: JSON.stringify(file),
		},
	});
	const temporary = await mkdtemp(join(tmpdir(), 'tenon-config-'));
	try {
		const made = join(temporary, 'config.mjs');
		await writeFile(made, outputFiles[0].text);
		return (await import(pathToFileURL(made).href)).default;
	} finally {
		await rm(temporary, { recursive: true, force: true });
	}
}

/* By the conditions of "import" if the package has them. */
function resolveFrom(require, name) {
	try {
		const [, packageName, rest = ''] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(name);
		const folders = require.resolve.paths(name) ?? [];
		const folder = folders.map((path) => join(path, packageName)).find((path) => existsSync(join(path, 'package.json')));
		if (!folder) return undefined;
		const { exports, module, main } = require(join(folder, 'package.json'));
		const wanted = targetOf(exports?.[`.${rest}`] ?? (rest ? undefined : exports)) ?? (rest ? undefined : (module ?? main));
		if (typeof wanted === 'string') return pathToFileURL(join(folder, wanted)).href;
		return pathToFileURL(require.resolve(name)).href;
	} catch {
		return undefined;
	}
}

export function targetOf(exports) {
	if (typeof exports === 'string' || !exports) return exports ?? undefined;
	for (const condition of ['import', 'module', 'node', 'default', 'require']) {
		const found = exports[condition] && targetOf(exports[condition]);
		if (found) return found;
	}
	return undefined;
}

/* What goes to createServer about the project's own configuration. */
export async function projectConfig(input, { major, folder }, say) {
	const file = configFileOf(input);
	if (!file) return { configFile: false };
	if (major >= 7) return { configFile: file, configLoader: 'runner' };
	try {
		const made = await bundled(file, folder);
		const config = await (typeof made === 'function' ? made({ command: 'serve', mode: 'development', isSsrBuild: false, isPreview: false }) : made);
		return { ...config, configFile: false };
	} catch (error) {
		say('warn', `the configuration could not be read without a temporary file (${error.message}); Vite reads it now`);
		return { configFile: file };
	}
}

/* Where Vite keeps what it has prepared: outside of the project, and apart for other instrumentations. */
export function cacheFolder({ root, cacheDir, hints, mount }) {
	if (cacheDir) return cacheDir;
	const packages = hints.filter((hint) => hint.kind === 'package').map((hint) => hint.specifier);
	const mark = createHash('sha256').update(JSON.stringify([root, packages, mount])).digest('hex').slice(0, 20);
	return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tenon', 'preview', mark);
}
