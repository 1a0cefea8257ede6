/* build.mjs [OUT] - the adapters and the two programs for Node, each one file without imports of ours. Classic scripts
 * (.js) are for pages, ES modules (.mjs) for Node. Prints how large each is, and compressed. */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';

const here = new URL('.', import.meta.url);
const { build } = createRequire(here)('rolldown');

const BUDGET = 16_000; // bytes of one adapter, compressed
const FILES = [
	['effective_props.ts', 'effective-props.mjs', 'es'],
	['react.ts', 'react.js', 'iife'],
	['react_hook.ts', 'react-hook.js', 'iife'],
	['dom.ts', 'dom.js', 'iife'],
	['launcher/launcher.mjs', 'launcher.mjs', 'es'],
	['evaluator/evaluator.mjs', 'evaluator.mjs', 'es'],
];

const out = new URL(process.argv[2] ?? 'dist/', here).pathname.replace(/\/?$/, '/');
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
for (const [input, name, format] of FILES) {
	await build({
		input: new URL(input, here).pathname,
		platform: format === 'es' ? 'node' : 'browser',
		transform: { target: 'es2022' },
		treeshake: true,
		logLevel: 'warn',
		output: { file: out + name, format, minify: format === 'iife', comments: false },
	});
	const bytes = await readFile(out + name);
	const packed = gzipSync(bytes, { level: 9 }).length;
	console.log(`${name.padEnd(20)} ${String(bytes.length).padStart(7)} bytes, ${String(packed).padStart(6)} compressed`);
	if (name.endsWith('.js') && packed > BUDGET) throw new Error(`${name}: ${packed} bytes compressed; ${BUDGET} are allowed`);
}
