/* Places on the board and on the screen, what snaps to what, and lines with right angles. Board units are the daemon's
 * pixels at zoom 1; a node's place is that of its top left corner in its parent. No DOM here. */

export interface Point {
	x: number;
	y: number;
}
export interface Rect extends Point {
	width: number;
	height: number;
}
/* What is seen: screen = board * zoom + (x, y), from the canvas's own corner. */
export interface View extends Point {
	zoom: number;
}
export type Side = 'top' | 'right' | 'bottom' | 'left';

export const ZOOM_MIN = 0.05;
export const ZOOM_MAX = 4;
export const GRID = 20;
export const HEADER = 40; // of a container
export const PADDING = 20;

export const toBoard = (view: View, at: Point): Point => ({ x: (at.x - view.x) / view.zoom, y: (at.y - view.y) / view.zoom });
export const toScreen = (view: View, at: Point): Point => ({ x: at.x * view.zoom + view.x, y: at.y * view.zoom + view.y });
export const limitZoom = (zoom: number) => Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, zoom));

/* Another zoom, with the point of the screen `at` staying where it is. */
export function zoomAt(view: View, at: Point, zoom: number): View {
	const to = limitZoom(zoom);
	const board = toBoard(view, at);
	return { zoom: to, x: at.x - board.x * to, y: at.y - board.y * to };
}

export function bounds(rects: readonly Rect[]): Rect | null {
	if (rects.length === 0) return null;
	let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
	for (const r of rects) {
		left = Math.min(left, r.x);
		top = Math.min(top, r.y);
		right = Math.max(right, r.x + r.width);
		bottom = Math.max(bottom, r.y + r.height);
	}
	return { x: left, y: top, width: right - left, height: bottom - top };
}

/* The view in which all of `what` is to be seen in a canvas of this size. */
export function fit(what: Rect | null, width: number, height: number, most = 1, margin = 48): View {
	if (!what || width <= 0 || height <= 0) return { x: 40, y: 40, zoom: 1 };
	const room = (side: number) => Math.max(80, side - 2 * margin);
	const zoom = limitZoom(Math.min(most, room(width) / Math.max(1, what.width), room(height) / Math.max(1, what.height)));
	return {
		zoom,
		x: (width - what.width * zoom) / 2 - what.x * zoom,
		y: (height - what.height * zoom) / 2 - what.y * zoom,
	};
}

export const inside = (r: Rect, at: Point) => at.x >= r.x && at.x <= r.x + r.width && at.y >= r.y && at.y <= r.y + r.height;
export const covers = (outer: Rect, inner: Rect) =>
	inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width && inner.y + inner.height <= outer.y + outer.height;
export const touches = (a: Rect, b: Rect) =>
	a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
export const onGrid = (value: number, grid = GRID) => Math.round(value / grid) * grid + 0;

/* Each with the one after it. */
function pieces<T>(list: readonly T[]): [T, T][] {
	return list.slice(1).map((next, i) => [list[i] as T, next]);
}

/* ---- guides ---- */

export interface Guide {
	axis: 'x' | 'y'; // x: an upright line at `at`
	at: number;
	from: number;
	to: number;
	distance?: number; // of an equal gap
}
export interface Snapped {
	dx: number;
	dy: number;
	guides: Guide[];
}

interface Span {
	low: number;
	high: number;
}
const spanOf = (r: Rect, axis: 'x' | 'y'): Span => (axis === 'x' ? { low: r.x, high: r.x + r.width } : { low: r.y, high: r.y + r.height });
const linesOf = (s: Span) => [s.low, (s.low + s.high) / 2, s.high];

/* The least push that brings an edge or the middle of `moving` onto one of a neighbour. */
function alignment(moving: Span, others: readonly Span[], reach: number): number | null {
	let best: number | null = null;
	for (const other of others)
		for (const line of linesOf(other))
			for (const own of linesOf(moving)) {
				const push = line - own;
				if (Math.abs(push) <= reach && (best === null || Math.abs(push) < Math.abs(best))) best = push;
			}
	return best;
}

/* The least push that makes the gap to a neighbour the same as a gap that is there between two others. */
function equalGap(moving: Span, others: readonly Span[], reach: number): { push: number; gap: number } | null {
	const sorted = [...others].sort((a, b) => a.low - b.low);
	let best: { push: number; gap: number } | null = null;
	for (const [one, next] of pieces(sorted)) {
		const gap = next.low - one.high;
		if (gap <= 0) continue;
		for (const push of [next.high + gap - moving.low, one.low - gap - moving.high])
			if (Math.abs(push) <= reach && (!best || Math.abs(push) < Math.abs(best.push))) best = { push, gap };
	}
	return best;
}

function guidesOf(axis: 'x' | 'y', moved: Rect, others: readonly Rect[]): Guide[] {
	const across = axis === 'x' ? 'y' : 'x';
	const own = linesOf(spanOf(moved, axis));
	const guides = new Map<number, Guide>();
	for (const other of others)
		for (const line of linesOf(spanOf(other, axis))) {
			if (!own.some((one) => Math.abs(one - line) < 0.01)) continue;
			const [a, b] = [spanOf(other, across), spanOf(moved, across)];
			const known = guides.get(line);
			guides.set(line, {
				axis,
				at: line,
				from: Math.min(a.low, b.low, known?.from ?? Infinity),
				to: Math.max(a.high, b.high, known?.to ?? -Infinity),
			});
		}
	return [...guides.values()];
}

interface Pull {
	by: number;
	gap: number | null;
}

/* One axis: to a line of a neighbour, to a gap as large as another, else to the grid. */
function pull(axis: 'x' | 'y', moving: Rect, others: readonly Rect[], reach: number, grid: number | null): Pull {
	const near = alignment(spanOf(moving, axis), others.map((r) => spanOf(r, axis)), reach);
	if (near !== null) return { by: near, gap: null };
	const across = axis === 'x' ? 'y' : 'x';
	const own = spanOf(moving, across);
	const beside = others.map((r) => ({ along: spanOf(r, axis), across: spanOf(r, across) })).filter((r) => r.across.low < own.high && own.low < r.across.high);
	const gap = equalGap(spanOf(moving, axis), beside.map((r) => r.along), reach);
	if (gap) return { by: gap.push, gap: gap.gap };
	return { by: grid ? onGrid(moving[axis], grid) - moving[axis] : 0, gap: null };
}

const ROUNDS = 6;

/* Where `moving` (in its parent) goes. What one axis does can bring the other near a line, so it is looked at again until
 * nothing pulls any more: snapping twice is snapping once. */
export function snap(moving: Rect, others: readonly Rect[], reach: number, grid: number | null): Snapped {
	let at = { ...moving };
	let [x, y]: [Pull, Pull] = [{ by: 0, gap: null }, { by: 0, gap: null }];
	for (let round = 0; round < ROUNDS; round++) {
		x = pull('x', at, others, reach, grid);
		y = pull('y', at, others, reach, grid);
		if (x.by === 0 && y.by === 0) break;
		at = { ...at, x: at.x + x.by, y: at.y + y.by };
	}
	const guides = [...guidesOf('x', at, others), ...guidesOf('y', at, others)];
	if (x.gap !== null) guides.push({ axis: 'y', at: at.y + at.height / 2, from: at.x - x.gap, to: at.x + at.width + x.gap, distance: x.gap });
	if (y.gap !== null) guides.push({ axis: 'x', at: at.x + at.width / 2, from: at.y - y.gap, to: at.y + at.height + y.gap, distance: y.gap });
	return { dx: at.x - moving.x, dy: at.y - moving.y, guides };
}

/* ---- lines ---- */

const OUT = 20; // how far a line goes straight out of a node

const middleOf = (r: Rect, side: Side): Point =>
	side === 'left' ? { x: r.x, y: r.y + r.height / 2 }
	: side === 'right' ? { x: r.x + r.width, y: r.y + r.height / 2 }
	: side === 'top' ? { x: r.x + r.width / 2, y: r.y }
	: { x: r.x + r.width / 2, y: r.y + r.height };

const stepOf = (side: Side): Point =>
	side === 'left' ? { x: -1, y: 0 } : side === 'right' ? { x: 1, y: 0 } : side === 'top' ? { x: 0, y: -1 } : { x: 0, y: 1 };

/* The sides that face each other, where nothing says which. */
export function facing(a: Rect, b: Rect): [Side, Side] {
	const dx = b.x + b.width / 2 - a.x - a.width / 2;
	const dy = b.y + b.height / 2 - a.y - a.height / 2;
	if (Math.abs(dx) - (a.width + b.width) / 2 >= Math.abs(dy) - (a.height + b.height) / 2) return dx >= 0 ? ['right', 'left'] : ['left', 'right'];
	return dy >= 0 ? ['bottom', 'top'] : ['top', 'bottom'];
}

/* A line with right angles between two sides: what is drawn while a hand moves an end (the daemon's route comes after). */
export function elbow(a: Rect, sideA: Side, b: Rect, sideB: Side): Point[] {
	const [from, to] = [middleOf(a, sideA), middleOf(b, sideB)];
	const [out, into] = [stepOf(sideA), stepOf(sideB)];
	const p = { x: from.x + out.x * OUT, y: from.y + out.y * OUT };
	const q = { x: to.x + into.x * OUT, y: to.y + into.y * OUT };
	const level = out.x !== 0;
	if (level === (into.x !== 0)) {
		const facingEachOther = level ? (q.x - p.x) * out.x >= 0 && out.x !== into.x : (q.y - p.y) * out.y >= 0 && out.y !== into.y;
		const mid = { x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 };
		if (facingEachOther) return level ? [from, { x: mid.x, y: p.y }, { x: mid.x, y: q.y }, to] : [from, { x: p.x, y: mid.y }, { x: q.x, y: mid.y }, to];
		return level ? [from, p, { x: p.x, y: mid.y }, { x: q.x, y: mid.y }, q, to] : [from, p, { x: mid.x, y: p.y }, { x: mid.x, y: q.y }, q, to];
	}
	return level ? [from, p, { x: p.x, y: q.y }, q, to] : [from, p, { x: q.x, y: p.y }, q, to];
}

const RADIUS = 8;

/* The `d` of a line with rounded corners. */
export function pathOf(points: readonly Point[]): string {
	const [first, last] = [points[0], points.at(-1)];
	if (!first || !last) return '';
	let d = `M${first.x} ${first.y}`;
	for (let i = 1; i + 1 < points.length; i++) {
		const [a, b, c] = points.slice(i - 1, i + 2) as [Point, Point, Point];
		const [inLength, outLength] = [Math.hypot(b.x - a.x, b.y - a.y), Math.hypot(c.x - b.x, c.y - b.y)];
		const r = Math.min(RADIUS, inLength / 2, outLength / 2);
		if (r < 0.5) {
			d += `L${b.x} ${b.y}`;
			continue;
		}
		const near = (p: Point, length: number) => `${b.x + ((p.x - b.x) * r) / length} ${b.y + ((p.y - b.y) * r) / length}`;
		d += `L${near(a, inLength)}Q${b.x} ${b.y} ${near(c, outLength)}`;
	}
	return points.length > 1 ? `${d}L${last.x} ${last.y}` : d;
}

/* The parts of a line that lie in `area`, each from where it comes in to where it goes out. */
export function clip(points: readonly Point[], area: Rect): Point[][] {
	const found: Point[][] = [];
	let last: Point | null = null; // where the part at hand ends
	for (const [a, b] of pieces(points)) {
		let [from, to] = [0, 1];
		for (const [low, high, start, by] of [
			[area.x, area.x + area.width, a.x, b.x - a.x],
			[area.y, area.y + area.height, a.y, b.y - a.y],
		] as const) {
			if (by === 0) {
				if (start < low || start > high) to = -1;
				continue;
			}
			const [one, other] = [(low - start) / by, (high - start) / by];
			from = Math.max(from, Math.min(one, other));
			to = Math.min(to, Math.max(one, other));
		}
		if (from > to) {
			last = null;
			continue;
		}
		const at = (t: number): Point => (t === 0 ? a : t === 1 ? b : { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t });
		if (last === a && from === 0) found.at(-1)!.push(at(to));
		else found.push([at(from), at(to)]);
		last = to === 1 ? b : null;
	}
	return found;
}

/* How far a point is from a line of pieces. */
export function distanceTo(points: readonly Point[], at: Point): number {
	let best = Infinity;
	for (const [a, b] of pieces(points)) {
		const length = (b.x - a.x) ** 2 + (b.y - a.y) ** 2;
		const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((at.x - a.x) * (b.x - a.x) + (at.y - a.y) * (b.y - a.y)) / length));
		best = Math.min(best, Math.hypot(at.x - a.x - t * (b.x - a.x), at.y - a.y - t * (b.y - a.y)));
	}
	return best;
}

/* The middle of a line by its length: where its label stands. */
export function middle(points: readonly Point[]): Point {
	let left = pieces(points).reduce((sum, [a, b]) => sum + Math.hypot(b.x - a.x, b.y - a.y), 0) / 2;
	for (const [a, b] of pieces(points)) {
		const length = Math.hypot(b.x - a.x, b.y - a.y);
		if (length >= left && length > 0) return { x: a.x + ((b.x - a.x) * left) / length, y: a.y + ((b.y - a.y) * left) / length };
		left -= length;
	}
	return points[0] ?? { x: 0, y: 0 };
}

/* ---- walking by keys ---- */

/* The nearest of `others` in a direction: what lies ahead, then what lies aside. */
export function nearest<T extends Rect>(from: Rect, others: readonly T[], side: Side): T | null {
	const step = stepOf(side);
	let best: T | null = null;
	let least = Infinity;
	for (const one of others) {
		const dx = one.x + one.width / 2 - from.x - from.width / 2;
		const dy = one.y + one.height / 2 - from.y - from.height / 2;
		const ahead = dx * step.x + dy * step.y;
		if (ahead <= 0) continue;
		const cost = ahead + 2.5 * Math.abs(dx * step.y + dy * step.x);
		if (cost < least) [best, least] = [one, cost];
	}
	return best;
}

/* The frames of all of them as one line. */
export const framesOf = (rects: readonly Rect[]): string => rects.map(({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h${-width}z`).join('');
