/* Where the nodes of the project graph stand in its picture: routes at the left, what they use further right, each as near as it can
 * be to what it is joined to. The same graph gives the same picture. */
import { keyOf, type Node } from './model.ts';

const ROW = 34;
const GAP = 64;
const HIGH = 24;
export const MOST = 200; // nodes that a picture is read with
export type Links = [from: string, to: string][];

export interface Placed {
	node: Node;
	key: string;
	name: string;
	x: number;
	y: number;
	width: number;
}
export interface Picture {
	nodes: Placed[];
	lines: { d: string; from: string; to: string }[];
	width: number;
	height: number;
	left: number; // nodes that are not in it
}

/* Several routes may have one path; an id of their own tells them apart. */
export const nameOf = (node: Node): string =>
	node.kind !== 'route' ? (node.displayName ?? node.id) : node.path === undefined ? node.id : node.id.startsWith('routeId:') ? `${node.path} ${node.id.slice(8)}` : node.path;
export const HEIGHT = HIGH;

/* What each is joined to. */
export function neighbours(links: Links): Map<string, string[]> {
	const joined = new Map<string, string[]>();
	const note = (one: string, other: string) => {
		const list = joined.get(one);
		if (list) list.push(other);
		else joined.set(one, [other]);
	};
	for (const [from, to] of links) {
		note(from, to);
		note(to, from);
	}
	return joined;
}

/* No more than a picture is read with: nodes within reach of one, nearest first, else the first of all. */
function near(nodes: Node[], links: Links, around: string | null, most: number): Node[] {
	if (nodes.length <= most) return nodes;
	if (!around) return nodes.slice(0, most);
	const joined = neighbours(links);
	const found = new Set([around]);
	for (const key of found) for (const other of joined.get(key) ?? []) if (found.size < most) found.add(other);
	return nodes.filter((node) => found.has(keyOf(node)));
}

const folderOf = (node: Node) => node.source?.filePath.split('/').slice(0, -1) ?? [];
const alike = (a: string[], b: string[]) => {
	const n = a.findIndex((part, i) => part !== b[i]);
	return n < 0 ? a.length : n;
};

/* The folder below which all of them are. */
export const commonFolder = (nodes: Node[]): string[] => nodes.filter((node) => node.source).map(folderOf).reduce((all, one) => all.slice(0, alike(all, one)), folderOf(nodes.find((node) => node.source) ?? ({} as Node)));

/* A graph by folders: what lies in the open one stands for itself, everything else for the folder in which its way parts from it. */
export function folded(nodes: Node[], links: Links, open: string[]): { nodes: Node[]; links: Links; sizes: Map<string, number> } {
	const made = new Map<string, Node>();
	const sizes = new Map<string, number>();
	const place = new Map<string, string>();
	for (const node of nodes) {
		const folder = folderOf(node);
		const at = alike(open, folder);
		const own = node.source && at === open.length && folder.length === at;
		const id = folder.slice(0, at + 1).join('/');
		const shown: Node = own ? node : { kind: 'folder', id, displayName: `${id}/` };
		const key = keyOf(shown);
		place.set(keyOf(node), key);
		sizes.set(key, (sizes.get(key) ?? 0) + 1);
		if (!made.has(key)) made.set(key, shown);
	}
	const found = new Map<string, [string, string]>();
	for (const [from, to] of links) {
		const [a, b] = [place.get(from), place.get(to)];
		if (a && b && a !== b) found.set(`${a}\n${b}`, [a, b]);
	}
	return { nodes: [...made.values()], links: [...found.values()], sizes };
}

/* How far from the left: one further than all that use it; circles are cut where they are met. */
function columnsOf(nodes: Node[], links: Links): Map<string, number> {
	const users = new Map<string, string[]>();
	for (const [from, to] of links) users.set(to, [...(users.get(to) ?? []), from]);
	const columns = new Map<string, number>();
	const open = new Set<string>();
	const depth = (key: string): number => {
		const known = columns.get(key);
		if (known !== undefined) return known;
		if (open.has(key)) return 0;
		open.add(key);
		let column = key.startsWith('route ') ? 0 : 1;
		for (const user of users.get(key) ?? []) column = Math.max(column, depth(user) + 1);
		open.delete(key);
		columns.set(key, column);
		return column;
	};
	for (const node of nodes) depth(keyOf(node));
	return columns;
}

/* Rows by the middle of the neighbours, to the right and back. */
function order(columns: string[][], links: Links): void {
	const joined = neighbours(links);
	const rows = new Map<string, number>();
	const note = (column: string[]) => column.forEach((key, row) => rows.set(key, row - column.length / 2));
	columns.forEach(note);
	const middle = (key: string) => {
		const around = joined.get(key) ?? [];
		return around.length ? around.reduce((sum, other) => sum + (rows.get(other) ?? 0), 0) / around.length : (rows.get(key) ?? 0);
	};
	for (const column of [...columns, ...[...columns].reverse()]) {
		const wanted = new Map(column.map((key) => [key, middle(key)]));
		column.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
		note(column);
	}
}

export function picture(all: Node[], joins: Links, around: string | null, most = MOST): Picture {
	const nodes = near(all, joins, around, most);
	const byKey = new Map(nodes.map((node) => [keyOf(node), node]));
	const links = joins.filter(([from, to]) => from !== to && byKey.has(from) && byKey.has(to));
	const columns: string[][] = [];
	for (const [key, column] of columnsOf(nodes, links)) (columns[column] ??= []).push(key);
	const filled = columns.filter(Boolean);
	order(filled, links);
	const tallest = Math.max(1, ...filled.map((column) => column.length));
	const placed = new Map<string, Placed>();
	let x = 8;
	for (const column of filled) {
		const boxes = column.map((key, row): Placed => {
			const node = byKey.get(key) as Node;
			const full = nameOf(node);
			const name = full.length > 24 ? `${full.slice(0, 11)}…${full.slice(-12)}` : full; // ends tell apart what begins alike
			return { node, key, name, x, y: 8 + (row + (tallest - column.length) / 2) * ROW, width: name.length * 7.2 + 20 };
		});
		for (const box of boxes) placed.set(box.key, box);
		x += Math.max(...boxes.map((box) => box.width)) + GAP;
	}
	const lines = links.map(([from, to]) => {
		const [a, b] = [placed.get(from) as Placed, placed.get(to) as Placed];
		const [x1, y1, x2, y2] = [a.x + a.width, a.y + HIGH / 2, b.x, b.y + HIGH / 2];
		const bend = Math.max(24, (x2 - x1) / 2);
		return { d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`, from, to };
	});
	return { nodes: [...placed.values()], lines, width: Math.max(60, x - GAP + 8), height: tallest * ROW + 8, left: all.length - nodes.length };
}
