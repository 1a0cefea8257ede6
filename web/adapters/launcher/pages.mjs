/* What the page gets that is not the project's: the adapter before everything else, and the pages and modules that
 * stand for an entry of the project. All of it is virtual. */
import { readFile } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const BOUNDARY = 'virtual:skaffa-boundary';
export const HARNESS = 'virtual:skaffa-harness';
export const COMPONENT = 'virtual:skaffa-component';
export const CLIENT = 'virtual:skaffa-client';
export const ADAPTER_PATH = '/__skaffa/adapter.js';
export const COMPONENT_PATH = '/__skaffa/component';

const AFTER_HEAD = /<head(?:\s[^>]*)?>/i;
const AFTER_DOCTYPE = /^\s*<!doctype[^>]*>/i;

/* Text within a script element. */
const inScript = (value) => JSON.stringify(value).replace(/</g, '\\u003c');
const inAttribute = (text) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');

/* Whose page it is: each session has a block of its own, that of the app for all pages but those of components. A page
 * of nobody has no block, and its adapter does nothing. */
export class Pages {
	#blocks = new Map();

	add({ componentTypeId, sessionId, sessionKey, channelUrl }) {
		this.#blocks.set(componentTypeId ?? '', { protocol: 'v0', sessionId, channelUrl, key: sessionKey });
	}

	leave({ componentTypeId }) {
		this.#blocks.delete(componentTypeId ?? '');
	}

	of(url) {
		const { pathname, searchParams } = new URL(url, 'http://preview');
		return this.#blocks.get(pathname.endsWith(COMPONENT_PATH) ? (searchParams.get('type') ?? '') : '');
	}
}

export function withAdapter(html, block, adapterUrl) {
	if (!block) return html;
	const src = isLocal(adapterUrl) ? ADAPTER_PATH : adapterUrl;
	const tags = `<script type="application/json" id="skaffa-rt-config">${inScript(block)}</script><script src="${inAttribute(src)}"></script>`;
	const found = AFTER_HEAD.exec(html) ?? AFTER_DOCTYPE.exec(html);
	const at = found ? found.index + found[0].length : 0;
	return html.slice(0, at) + tags + html.slice(at);
}

const isLocal = (url) => url.startsWith('file:') || isAbsolute(url);

/* The adapter, if it is a file: served by this server, because a script of another origin may be refused. */
export async function adapterText(adapterUrl) {
	if (!isLocal(adapterUrl)) return null;
	return readFile(adapterUrl.startsWith('file:') ? fileURLToPath(adapterUrl) : adapterUrl);
}

/* The first module script that is not the dev client becomes the harness [S15]. */
export function withHarness(html) {
	const tags = /<!--[^]*?-->|<script\b([^>]*)>[^]*?<\/script\s*>/gi;
	let done = false;
	return html.replace(tags, (tag, attributes) => {
		if (done || attributes === undefined || !/\btype\s*=\s*["']?module/i.test(attributes)) return tag;
		if (/@vite\/client/.test(attributes)) return tag;
		done = true;
		return `<script type="module" src="/@id/${HARNESS}"></script>`;
	});
}

export const componentPage = (typeId) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><title>${inAttribute(typeId)}</title></head>
<body><div id="root"></div><script type="module" src="/@id/${COMPONENT}?type=${encodeURIComponent(typeId)}"></script></body>
</html>
`;

/* "@/x" and "workspace:/x" are below the workspace's root, other paths below the folder of the preview. */
function specifierOf(path, { root, workspaceRoot }) {
	const below = /^(?:@\/|workspace:\/)(.*)$/.exec(path);
	const file = below ? resolve(workspaceRoot, below[1]) : isAbsolute(path) ? path : resolve(root, path);
	return JSON.stringify(file);
}

function decoratorsOf(input, words) {
	return input.decorators.map((one, i) => {
		const [path, name = 'default'] = one.split('#');
		words.push(`import * as decorator${i} from ${specifierOf(path, input)};`);
		return `decorator${i}[${JSON.stringify(name)}]`;
	});
}

const MOUNT = `
const found = document.getElementById('root') ?? document.getElementById('app');
const place = found ?? document.body.appendChild(document.createElement('div'));
const inside = decorators.reduceRight((child, Decorator) => createElement(Decorator, null, child), element);
createRoot(place).render(inside);
`;
const REACT = `import { createElement } from 'react';\nimport { createRoot } from 'react-dom/client';`;

function harnessModule(input) {
	const words = [REACT, ...input.styles.map((path) => `import ${specifierOf(path, input)};`)];
	const decorators = decoratorsOf(input, words);
	words.push(`import * as entry from ${specifierOf(input.entry, input)};`);
	words.push(`const decorators = [${decorators.join(', ')}];`, 'const element = createElement(entry.App ?? entry.default);');
	return words.join('\n') + MOUNT;
}

function componentModule(input, typeId) {
	const hint = input.hints.find((one) => one.typeId === typeId);
	if (!hint) return `throw new Error('no component has the type ' + ${JSON.stringify(typeId)});`;
	const words = [REACT, ...input.styles.map((path) => `import ${specifierOf(path, input)};`)];
	const decorators = decoratorsOf(input, words);
	const from = hint.kind === 'package' ? JSON.stringify(hint.specifier) : JSON.stringify(resolve(input.workspaceRoot, hint.filePath));
	words.push(`import * as entry from ${from};`, `const decorators = [${decorators.join(', ')}];`);
	const component = `entry[${JSON.stringify(hint.exportName ?? 'default')}]`;
	words.push(`const element = createElement(${component}, ${JSON.stringify(hint.props ?? {})});`);
	return words.join('\n') + MOUNT;
}

const BOUNDARY_MODULE = `
import React from 'react';
const page = globalThis.__skaffa;
const none = { wrap: (value) => value, define() {}, call: (outer, inner, self, args) => Reflect.apply(inner, self, args), inner: (value) => value };
export const $skaffa = { site: (element) => element, sites() {}, ...page, ...(page ? page.react(React) : none) };
`;

/* createRoot and hydrateRoot that put the decorators around what is rendered (mount "app"). */
function clientModule(input) {
	const words = [`import * as client from 'react-dom/client';`, `import { createElement } from 'react';`];
	words.push(`const decorators = [${decoratorsOf(input, words).join(', ')}];`);
	return `${words.join('\n')}
const around = (child) => decorators.reduceRight((inner, Decorator) => createElement(Decorator, null, inner), child);
const over = (root) => ({ render: (child) => root.render(around(child)), unmount: () => root.unmount() });
export const createRoot = (...args) => over(client.createRoot(...args));
export const hydrateRoot = (place, child, options) => over(client.hydrateRoot(place, around(child), options));
export default { createRoot, hydrateRoot };
`;
}

/* The text of a virtual module, or undefined. */
export function virtualModule(id, input) {
	if (id === BOUNDARY) return BOUNDARY_MODULE;
	if (id === HARNESS) return harnessModule(input);
	if (id === CLIENT) return clientModule(input);
	if (!id.startsWith(`${COMPONENT}?`)) return undefined;
	return componentModule(input, new URLSearchParams(id.slice(COMPONENT.length + 1).replace(/&t=\d+$/, '')).get('type'));
}
