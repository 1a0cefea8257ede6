/* The blast radius: where the changes of a plan are and how bad each is, as one drawing.
 *
 * The worse, the nearer to the middle: each risk level is a ring. Each module (or, in a plan with
 * only one, each resource type) is a sector. A change is a dot in its cell. Dots are as large as
 * they can all be; nothing overlaps, and the same plan gives the same drawing. */
import { actions, levels, type Change, type Level } from './model.ts';

export interface Dot {
	change: Change;
	x: number;
	y: number;
}

export interface Ring {
	level: Level;
	inner: number;
	outer: number;
	count: number;
}

export interface Sector {
	name: string;
	count: number;
	from: number; // radians, clockwise from the top
	to: number;
	labelX: number;
	labelY: number;
	anchor: 'start' | 'middle' | 'end';
}

export interface Picture {
	size: number;
	hub: number;
	radius: number; // of the dots
	dots: Dot[];
	rings: Ring[];
	sectors: Sector[];
	notDrawn: number; // beyond DOTS_MAX, the least risky ones
}

export const DOTS_MAX = 3000; // what a browser draws and a person can point at
const SECTORS_MAX = 14;
const GUTTER = 0.3; // radians at the top, for the names of the rings
const RING_PAD = 5;
const RING_MIN = 18;

export interface PictureOptions {
	size: number;
	margin: number; // around the rings, for the names of the sectors
	hub: number;
}

interface Group {
	name: string;
	members: Change[];
}

function shortModule(module: string | null): string {
	if (!module) return 'root';
	// module.network["eu"].module.subnets -> network.subnets
	return module.replace(/\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g, '').replace(/(^|\.)module\./g, '$1');
}

export function groupsOf(changes: Change[]): Group[] {
	const modules = new Set(changes.map((c) => shortModule(c.module)));
	const keyOf = (c: Change) => (modules.size > 1 ? shortModule(c.module) : c.type);
	const found = new Map<string, Change[]>();
	for (const change of changes) {
		const key = keyOf(change);
		found.set(key, [...(found.get(key) ?? []), change]);
	}
	const groups = [...found].map(([name, members]) => ({ name, members }));
	groups.sort((a, b) => b.members.length - a.members.length || (a.name < b.name ? -1 : 1));
	if (groups.length > SECTORS_MAX) {
		const rest = groups.splice(SECTORS_MAX - 1);
		groups.push({ name: `${rest.length} others`, members: rest.flatMap((g) => g.members) });
	}
	return groups;
}

/* How many dots of radius r fit side by side on an arc of `angle` at `distance`. */
function room(angle: number, distance: number, r: number): number {
	const chord = 2 * r + 2;
	const arc = angle * distance - r * 0.6;
	return arc < chord ? (angle * distance >= 2 * r ? 1 : 0) : Math.floor(arc / chord);
}

/* The distances of the rows that `count` dots need, and how many each takes. */
function rowsFor(count: number, angle: number, inner: number, r: number): [number, number][] {
	const step = 2 * r + 2;
	const rows: [number, number][] = [];
	let left = count;
	for (let at = inner + RING_PAD + r; left > 0; at += step) {
		const fits = Math.min(left, room(angle, at, r));
		rows.push([at, fits]);
		left -= fits;
		if (at > 5000) break; // such a plan is not drawn with such dots
	}
	// Rows alike rather than one full and one nearly empty.
	const used = rows.filter(([, n]) => n > 0);
	const even = Math.ceil(count / Math.max(1, used.length));
	let over = 0;
	for (const row of used) {
		const want = Math.min(even, room(angle, row[0], r), count - over);
		row[1] = want;
		over += want;
	}
	for (let i = used.length - 1; over < count && i >= 0; i--) {
		const row = used[i]!;
		const more = Math.min(room(angle, row[0], r) - row[1], count - over);
		row[1] += more;
		over += more;
	}
	return used;
}

interface Tried {
	rings: Ring[];
	cells: { group: number; level: Level; rows: [number, number][] }[];
	outer: number;
}

function tryRadius(groups: Group[], angles: number[], hub: number, r: number): Tried {
	const rings: Ring[] = [];
	const cells: Tried['cells'] = [];
	let inner = hub + 6;
	for (const level of levels) {
		let deepest = inner;
		let count = 0;
		groups.forEach((group, g) => {
			const n = group.members.filter((c) => c.risk.level === level).length;
			if (n === 0) return;
			const rows = rowsFor(n, angles[g] ?? 0, inner, r);
			cells.push({ group: g, level, rows });
			deepest = Math.max(deepest, (rows.at(-1)?.[0] ?? inner) + r + RING_PAD);
			count += n;
		});
		if (count === 0) continue;
		const outer = Math.max(deepest, inner + RING_MIN);
		rings.push({ level, inner, outer, count });
		inner = outer;
	}
	return { rings, cells, outer: inner };
}

function anglesOf(groups: Group[]): number[] {
	const whole = 2 * Math.PI - GUTTER;
	const weights = groups.map((g) => g.members.length ** 0.75);
	const sum = weights.reduce((a, b) => a + b, 0);
	const least = Math.min(whole / groups.length, 0.22);
	const spare = whole - least * groups.length;
	return weights.map((w) => least + (spare * w) / sum);
}

/* Names beside one another on the same side move apart. */
function spreadLabels(sectors: Sector[], size: number): void {
	for (const side of ['start', 'end'] as const) {
		const mine = sectors.filter((s) => s.anchor === side).sort((a, b) => a.labelY - b.labelY);
		for (let i = 1; i < mine.length; i++) {
			const above = mine[i - 1]!;
			const here = mine[i]!;
			here.labelY = Math.max(here.labelY, above.labelY + 26);
		}
		for (let i = mine.length - 1; i >= 0; i--) {
			const below = mine[i + 1];
			const here = mine[i]!;
			here.labelY = Math.min(here.labelY, below ? below.labelY - 26 : size - 16);
		}
	}
}

function sectorsOf(groups: Group[], angles: number[], middle: number, outer: number, size: number) {
	let at = GUTTER / 2;
	const sectors = groups.map((group, g): Sector => {
		const from = at;
		const to = from + (angles[g] ?? 0);
		at = to;
		const mid = (from + to) / 2;
		const side = Math.sin(mid);
		return {
			name: group.name,
			count: group.members.length,
			from,
			to,
			labelX: middle + Math.sin(mid) * (outer + 12),
			labelY: middle - Math.cos(mid) * (outer + 14),
			anchor: Math.abs(side) < 0.22 ? 'middle' : side > 0 ? 'start' : 'end',
		};
	});
	spreadLabels(sectors, size);
	return sectors;
}

function sorted(members: Change[]): Change[] {
	return [...members].sort(
		(a, b) => actions.indexOf(a.action) - actions.indexOf(b.action) || a.index - b.index,
	);
}

export function draw(all: Change[], options: PictureOptions): Picture {
	const counted = all.filter((c) => c.action !== 'read');
	const ranked = [...counted].sort(
		(a, b) => levels.indexOf(a.risk.level) - levels.indexOf(b.risk.level) || a.index - b.index,
	);
	const changes = ranked.slice(0, DOTS_MAX);
	const { size, margin, hub } = options;
	const middle = size / 2;
	const limit = middle - margin;
	const groups = groupsOf(changes);
	const angles = anglesOf(groups);

	let radius = 13;
	let tried = tryRadius(groups, angles, hub, radius);
	while (tried.outer > limit && radius > 1.2) {
		radius -= 0.4;
		tried = tryRadius(groups, angles, hub, radius);
	}
	stretch(tried, limit, hub);

	const sectors = groups.length ? sectorsOf(groups, angles, middle, tried.outer, size) : [];
	const dots: Dot[] = [];
	for (const cell of tried.cells) {
		const members = sorted(
			groups[cell.group]!.members.filter((c) => c.risk.level === cell.level),
		);
		const sector = sectors[cell.group]!;
		let next = 0;
		for (const [distance, count] of cell.rows) {
			const span = sector.to - sector.from;
			for (let i = 0; i < count; i++) {
				const angle = sector.from + (span * (i + 0.5)) / count;
				dots.push({
					change: members[next++]!,
					x: middle + Math.sin(angle) * distance,
					y: middle - Math.cos(angle) * distance,
				});
			}
		}
	}
	return {
		size,
		hub,
		radius,
		dots,
		rings: tried.rings,
		sectors,
		notDrawn: counted.length - changes.length,
	};
}

/* A small plan would huddle in the middle: its rings take the room that is there, evenly. */
function stretch(tried: Tried, limit: number, hub: number): void {
	const spare = limit - tried.outer;
	if (spare <= 0 || tried.rings.length === 0) return;
	const extra = Math.min(spare / tried.rings.length, 46);
	let shift = 0;
	for (const ring of tried.rings) {
		for (const cell of tried.cells)
			if (cell.level === ring.level)
				for (const row of cell.rows) row[0] += shift + extra / 2;
		ring.inner += shift;
		shift += extra;
		ring.outer += shift;
	}
	tried.outer = tried.rings.at(-1)?.outer ?? hub;
}

/* The path of a ring's sector, for grounds and separators. */
export function wedge(middle: number, inner: number, outer: number, from: number, to: number): string {
	const at = (angle: number, distance: number) =>
		`${(middle + Math.sin(angle) * distance).toFixed(2)} ${(middle - Math.cos(angle) * distance).toFixed(2)}`;
	const large = to - from > Math.PI ? 1 : 0;
	return (
		`M${at(from, inner)}L${at(from, outer)}A${outer} ${outer} 0 ${large} 1 ${at(to, outer)}` +
		`L${at(to, inner)}A${inner} ${inner} 0 ${large} 0 ${at(from, inner)}Z`
	);
}

/* What an action looks like inside a dot, so that colour is not all that tells. */
export function glyph(action: string, r: number): string {
	const a = r * 0.5;
	const b = r * 0.42;
	switch (action) {
		case 'create':
			return `M${-a} 0H${a}M0 ${-a}V${a}`;
		case 'delete':
			return `M${-a} 0H${a}`;
		case 'update':
			return `M${-a} ${b * 0.3}q${a / 2} ${-b * 1.6} ${a} 0t${a} 0`;
		case 'replace':
			return `M${-b} ${-b}L${b} ${b}M${b} ${-b}L${-b} ${b}`;
		case 'move':
			return `M${-a} 0H${a}M${b * 0.2} ${-b}L${a} 0L${b * 0.2} ${b}`;
		case 'import':
			return `M0 ${-a}V${a}M${-b} ${b * 0.2}L0 ${a}L${b} ${b * 0.2}`;
		default:
			return 'M-0.5 0H0.5';
	}
}

/* The nearest dot in a direction, for the arrow keys; -1: none there. */
export function neighbour(dots: { x: number; y: number }[], from: number, dx: number, dy: number): number {
	const here = dots[from];
	if (!here) return -1;
	let best = -1;
	let cost = Infinity;
	dots.forEach((dot, i) => {
		const x = dot.x - here.x;
		const y = dot.y - here.y;
		const along = x * dx + y * dy;
		if (i === from || along < 1) return;
		const across = Math.abs(x * dy - y * dx);
		const c = along + 2.2 * across;
		if (c < cost) {
			cost = c;
			best = i;
		}
	});
	return best;
}
