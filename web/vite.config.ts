import { readFileSync } from 'node:fs';

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

/* `TENON_URL=http://127.0.0.1:7777 npx vite` works on the page against a running daemon. The daemon
 * takes requests of its own origin only, so the proxy speaks as that. */
const daemon = process.env.TENON_URL ?? 'http://127.0.0.1:7777';
const to = {
	target: daemon,
	changeOrigin: true,
	headers: { origin: daemon },
};

const meson = readFileSync(new URL('../meson.build', import.meta.url), 'utf8');
const version = /version: '([^']+)'/.exec(meson)?.[1] ?? '0';

/* xterm.js puts its rules into <style> elements, and colours of 24 bits into style attributes. The
 * policy of the page allows neither, and shall not. So they become elements that construct style sheets
 * (terminal/style_element.ts), and properties set by a script. The version is exact; another one
 * that writes styles elsewhere does not build. */
const strictStyles = {
	name: 'strict-styles',
	enforce: 'pre' as const,
	transform(code: string, id: string) {
		if (!/@xterm\/xterm\/lib\/xterm\.mjs/.test(id)) return null;
		const change = (text: string, from: RegExp, to: string, times: number) => {
			const found = text.match(from)?.length ?? 0;
			if (found !== times) throw new Error(`xterm.js: ${found} of ${from}, not ${times}`);
			return text.replace(from, to);
		};
		const once = change(code, /createElement\("style"\)/g, 'createElement("tenon-style")', 3);
		return change(once, /(\w+)\.setAttribute\("style",/g, '$1.style.cssText=(', 1);
	},
};

/* CodeMirror's rules go into a constructed style sheet as well: its module for styles can, and does it in
 * shadow trees only, where a <style> element is not to be had. */
const constructedStyles = {
	name: 'constructed-styles',
	enforce: 'pre' as const,
	transform(code: string, id: string) {
		if (!/style-mod\/src\/style-mod\.js/.test(id)) return null;
		const condition = '!root.head && root.adoptedStyleSheets';
		if (code.split(condition).length !== 2) throw new Error('style-mod: not the version we know');
		return code.replace(condition, 'root.adoptedStyleSheets');
	},
};

/* Which packages the page is made of, for their licence notices (tools/licences.py). Not served. */
const bundledPackages = {
	name: 'bundled-packages',
	generateBundle(
		this: { getModuleIds(): Iterable<string>; emitFile(file: object): string },
		_options: unknown,
		bundle: Record<string, { originalFileNames?: string[] }>,
	) {
		const files = [...this.getModuleIds(), ...Object.values(bundle).flatMap((f) => f.originalFileNames ?? [])];
		const names = new Set<string>();
		for (const file of files) {
			const found = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file);
			if (found) names.add(found[1]);
		}
		this.emitFile({ type: 'asset', fileName: '.packages', source: [...names].sort().join('\n') + '\n' });
	},
};

/* What is loaded together is one file: many small ones are more bytes. */
const of = (name: string, ...files: string[]) => ({ name, test: new RegExp(`/web/studio/(${files.join('|')})(\\.svelte)?(\\.ts)?(\\?.*)?$`) });
const chunks = [
	of('canvas', 'Add', 'Board', 'Canvas', 'Carried', 'Chips', 'Divider', 'Hints', 'Layers', 'Part', 'Projects', 'Properties', 'Studio', 'TypeList', 'Ways', 'Work', 'board', 'bundle', 'connect', 'diagram', 'expect', 'geometry', 'hand', 'keys', 'layers', 'lines', 'look', 'looks', 'model', 'motion', 'panels', 'project', 'projects', 'runs', 'same', 'sections', 'text', 'trail', 'workspace', 'written'),
	of('filled', 'filled', 'clipboard', 'condition', 'Config', 'Form', 'Line', 'Many', 'Minimap', 'Overlay', 'Room', 'cures', 'foresee', 'editing', 'places', 'ranges', 'Field', 'Control', 'Choose', 'Picker', 'Rows', 'Secret', 'Space', 'Deployment'),
	of('seldom', 'seldom', 'Apply', 'Asked', 'Bursts', 'Dialogs', 'Opened', 'Running', 'Stale', 'Arrange', 'Beyond', 'Here', 'arrange', 'ask', 'hide', 'in_words', 'still_meant'),
	of('menus', 'menus', 'Offer', 'Palette', 'QuickAdd', 'regions', 'run_menu'),
	of('lists', 'Outline', 'Search', 'History', 'find'),
	of('below', 'Problems', 'Run', 'Plan', 'Costs', 'Console'),
	{ name: 'workbench', test: /\/web\/workbench\// },
	of('outside', 'Start', 'Compare', 'Folders', 'Import', 'Proof', 'taken', 'Export', 'Settings', 'bring', 'zip'),
];

/* Opening a diagram runs nearly all of it: browsers that know the sign compile it while it is loaded, beside the page. */
const compiledAtOnce = {
	name: 'compiled-at-once',
	generateBundle: {
		order: 'post' as const,
		handler(_options: unknown, bundle: Record<string, { type: string; name?: string; code?: string }>) {
			const canvas = Object.values(bundle).find((one) => one.type === 'chunk' && one.name === 'canvas');
			if (!canvas) throw new Error('no chunk is called canvas');
			canvas.code = '//# allFunctionsCalledOnLoad\n' + canvas.code;
		},
	},
};

export default defineConfig({
	plugins: [strictStyles, constructedStyles, bundledPackages, compiledAtOnce, svelte({ compilerOptions: { cssHash: ({ hash, css }) => 's' + hash(css) } })],
	optimizeDeps: { exclude: ['@xterm/xterm', 'style-mod'] },
	define: { __TENON_VERSION__: JSON.stringify(version) },
	build: {
		assetsInlineLimit: 0, // the policy has no data: for anything but pictures
		cssCodeSplit: true, // what one page alone needs comes with it
		modulePreload: { polyfill: false },
		reportCompressedSize: false,
		rolldownOptions: { output: { codeSplitting: { groups: chunks, includeDependenciesRecursively: false } } },
		target: ['chrome111', 'firefox114', 'safari16.4'],
	},
	server: {
		proxy: {
			'/ws': { ...to, ws: true },
			'/mcp': to,
			'/health': to,
		},
	},
});
