// studio.mjs - what the files studio-*.mjs share: a daemon with a project, pages of it, and what a page shows as data, to be
// compared with what the daemon has.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { assert } from '../clients/results.mjs';
import { newContext, openBrowser } from './browser.mjs';
import { httpClient, relayClient } from './clients.mjs';
import { Home, until } from './home.mjs';

export const three = JSON.parse(readFileSync(new URL('../../examples/three-tier.json', import.meta.url), 'utf8'));

export class Studio {
	constructor(offset, extra = {}) {
		this.home = new Home(process.env.TENON_SCREENSHOTS ? 7777 : 21000 + ((process.pid + offset) % 9000), extra);
	}

	/* Wide enough for the panels beside a diagram that can be read. */
	/* After a kill: a daemon at the same place. */
	async again() {
		const found = await this.home.start();
		this.url = found.url;
		const request = httpClient(found.url, found.token, 'script', '1');
		this.script = { call: (tool, args) => request('tools/call', { name: tool, arguments: args }) };
	}

	async start(options = { viewport: { width: 1760, height: 1000 } }) {
		const found = await this.home.start();
		this.url = found.url;
		this.browser = await openBrowser();
		this.context = await newContext(this.browser, options);
		this.token = await this.home.personToken();
		this.assistant = await relayClient(this.home, 'claude-code', '2.1.7');
		// A script gets whole records; what a model needs of them is less.
		const request = httpClient(found.url, found.token, 'script', '1');
		this.script = { call: (tool, args) => request('tools/call', { name: tool, arguments: args }) };
	}

	async end() {
		await this.browser.close();
		await this.home.end();
	}

	/* A call of the assistant. */
	async call(tool, args = {}, who = this.assistant) {
		const result = await who.call(tool, args);
		if (result.isError) throw new Error(`${tool}: ${result.content?.[0]?.text ?? JSON.stringify(result)}`);
		return result.structuredContent;
	}

	async newProject(name) {
		const made = await this.call('new_project', { name, directoryPath: this.home.folder });
		this.id = made.project?.id ?? made.projectId ?? made.id;
		this.path = made.project?.path ?? join(this.home.folder, name.toLowerCase());
		return this.id;
	}

	/* The three tiers, as one change. */
	async build() {
		const done = await this.call('execute_batch', { project: this.id, operations: three.operations });
		this.named = Object.fromEntries(three.operations.map((one, i) => [one.as, done.results[i].instanceId]).filter(([as]) => as));
		return this.named;
	}

	async page(path = `studio/${this.id}`, context = this.context) {
		const page = await context.newPage();
		await page.goto(`${this.url}/#/${path}?token=${this.token}`);
		await page.getByRole('navigation', { name: 'Pages' }).waitFor();
		return page;
	}

	served(include = ['layout']) {
		return this.call('get_diagram', { project: this.id, include }, this.script);
	}

	/* Where everything is, by the daemon. */
	async truth() {
		const { nodes, edges } = await this.served();
		return {
			nodes: Object.fromEntries(
				nodes.map((one) => [one.instanceId, { label: one.label, parent: one.parentId ?? null, x: one.position.x, y: one.position.y, width: one.layout.width, height: one.layout.height }]),
			),
			edges: edges.map((one) => one.id).sort(),
		};
	}

	/* The page shows what the daemon has (SC-002). */
	async same(page, what = '', ms) {
		let seen = '';
		try {
			await until('the same', async () => {
				const [told, screen] = [await this.truth(), await shown(page)];
				seen = difference(told, screen);
				return seen === '';
			}, ms);
		} catch (error) {
			throw new Error(`the page does not show what the daemon has ${what}: ${seen || error.message}`);
		}
	}
}

/* What the page shows, read from its elements. */
export function shown(page) {
	return page.evaluate(() => {
		const nodes = {};
		for (const one of document.querySelectorAll('.canvas [role="group"][data-id]')) {
			// Where the daemon has it, and what the hand has done to it since.
			const [, x, y] = /translate\((-?[\d.e+-]+)px(?:, ?(-?[\d.e+-]+)px)?\)/.exec(one.style.transform) ?? [0, 0, 0];
			nodes[one.dataset.id] = {
				label: one.querySelector(':scope > .head > .label')?.textContent ?? one.querySelector(':scope > .head > .text')?.textContent ?? '',
				parent: one.parentElement.closest('[data-id]')?.dataset.id ?? null,
				x: parseFloat(one.style.left) + Number(x),
				y: parseFloat(one.style.top) + Number(y ?? 0),
				width: parseFloat(one.style.width),
				height: parseFloat(one.style.height),
			};
		}
		return { nodes, edges: [...document.querySelectorAll('.canvas [data-edge]')].map((one) => one.dataset.edge).sort() };
	});
}

export function difference(told, screen) {
	for (const [id, node] of Object.entries(told.nodes)) {
		if (!screen.nodes[id]) return `${node.label} is not shown`;
		for (const key of ['parent', 'x', 'y', 'width', 'height'])
			if (screen.nodes[id][key] !== node[key]) return `${node.label}: ${key} is ${screen.nodes[id][key]}, not ${node[key]}`;
		if (node.label && !screen.nodes[id].label.includes(node.label)) return `${node.label} is called ${screen.nodes[id].label}`;
	}
	for (const id of Object.keys(screen.nodes)) if (!told.nodes[id]) return `${screen.nodes[id].label} is shown and not there`;
	const missing = told.edges.filter((id) => !screen.edges.includes(id));
	const extra = screen.edges.filter((id) => !told.edges.includes(id));
	return missing.length + extra.length > 0 ? `lines: ${missing.length} missing, ${extra.length} too many` : '';
}

export const node = (page, id) => page.locator(`.canvas [role="group"][data-id="${id}"]`);
export const head = (page, id) => node(page, id).locator(':scope > .head');
export const viewOf = (page) => page.evaluate(() => document.querySelector('.canvas .board').style.transform);

/* A place in the title of a node, once the picture stands still: a panel that closes moves it. */
export async function grip(page, id) {
	await (await head(page, id).elementHandle()).waitForElementState('stable');
	const box = await head(page, id).boundingBox();
	assert(box, `node ${id} is not in sight`);
	return { x: box.x + Math.min(18, box.width / 4), y: box.y + box.height / 2 };
}

export async function drag(page, from, to, { steps = 6, alt = false, release = true } = {}) {
	if (alt) await page.keyboard.down('Alt');
	await page.mouse.move(from.x, from.y);
	await page.mouse.down();
	await page.mouse.move(from.x + 6, from.y + 2);
	await page.mouse.move(to.x, to.y, { steps });
	if (release) await page.mouse.up();
	if (alt) await page.keyboard.up('Alt');
}
