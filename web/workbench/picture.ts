/* Where the nodes of the project graph stand in its picture: routes at the left, what they use further right, each as near as it can
 * be to what it is joined to. The same graph gives the same picture. */
import { ends, keyOf, type Edge, type Node } from './model.ts';

const ROW = 34;
const GAP = 64;
const HIGH = 24;
const MOST = 200; // nodes that a picture is read with

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

/* Only what stands in the way of a picture: nodes within reach of one, nearest first. */
function near(nodes: Node[], edges: Edge[], around: string | null): Node[] {
	if (nodes.length <= MOST) return nodes;
	const found = new Set(around ? [around] : []);
	for (let grown = -1; around && grown !== found.size && found.size < MOST; ) {
		grown = found.size;
		for (const edge of edges) {
			const [from, to] = ends(edge);
			if (found.size < MOST && found.has(from) !== found.has(to)) found.add(from).add(to);
		}
	}
	const others = nodes.filter((node) => !found.has(keyOf(node)));
	return [...nodes.filter((node) => found.has(keyOf(node))), ...others].slice(0, MOST);
}

/* How far from the left: one further than all that use it; circles are cut where they are met. */
function columnsOf(nodes: Node[], links: [string, string][]): Map<string, number> {
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
function order(columns: string[][], links: [string, string][]): void {
	const joined = new Map<string, string[]>();
	for (const [from, to] of links) {
		joined.set(from, [...(joined.get(from) ?? []), to]);
		joined.set(to, [...(joined.get(to) ?? []), from]);
	}
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

export function picture(all: Node[], edges: Edge[], around: string | null): Picture {
	const nodes = near(all, edges, around);
	const byKey = new Map(nodes.map((node) => [keyOf(node), node]));
	const links = edges.map(ends).filter(([from, to]) => from !== to && byKey.has(from) && byKey.has(to));
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
			const name = full.length > 24 ? `${full.slice(0, 23)}…` : full;
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
