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

export default defineConfig({
	plugins: [svelte()],
	define: { __TENON_VERSION__: JSON.stringify(version) },
	build: {
		assetsInlineLimit: 0, // the policy has no data: for anything but pictures
		cssCodeSplit: false,
		modulePreload: { polyfill: false },
		reportCompressedSize: false,
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
