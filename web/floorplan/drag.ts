/* From the hand to the language: which room is under the pointer, where it snaps, and the operations
 * of modify_floorplan that say so. Lengths are in the plan's unit; no DOM here. */
import type { JsonObject } from '../kit/mcp.ts';
import type { Extent, Point, Room, Transform } from './model.ts';

export type Side = 'top' | 'right' | 'bottom' | 'left';

export interface Rect extends Point, Extent {}

export interface Item extends Rect {
	name: string;
	floor: string;
	line: number;
	depth: number;
	own: Point; // in its own frame, which is what the text says
	parent: string | null;
	label: string | null;
}

export function flatten(rooms: readonly Room[], depth = 0, parent: string | null = null): Item[] {
	return rooms.flatMap((room) => [
		{
			...room.resolvedPosition,
			...room.size,
			name: room.name,
			floor: room.floor,
			line: room.line,
			label: room.label ?? null,
			own: room.position,
			depth,
			parent,
		},
		...flatten(room.subRooms ?? [], depth + 1, room.name),
	]);
}

/* A rectangle of the plan in the picture. */
export function toPicture(rect: Rect, t: Transform): Rect {
	return {
		x: t.x0 + t.scale * rect.x,
		y: t.y0 + t.scale * rect.y,
		width: t.scale * rect.width,
		height: t.scale * rect.height,
	};
}

const inside = (r: Rect, x: number, y: number) =>
	x >= r.x && x <= r.x + r.width && y >= r.y && y <= r.y + r.height;

/* The innermost room at this point of the picture; of rooms that overlap the later one, which is
 * drawn above. */
export function hit(items: readonly Item[], transforms: readonly Transform[], at: Point): Item | null {
	let found: Item | null = null;
	for (const item of items) {
		const t = transforms.find((one) => one.floor === item.floor);
		if (t && inside(toPicture(item, t), at.x, at.y) && item.depth >= (found?.depth ?? 0)) found = item;
	}
	return found;
}

const steps: Record<string, number> = { m: 0.1, ft: 0.5, cm: 10, in: 6, mm: 100 };
export const stepOf = (unit: string) => steps[unit] ?? 0.5;
/* Six decimals, as the language writes numbers. */
export const tidy = (value: number) => Math.round(value * 1e6) / 1e6 + 0;

/* `value`, or the nearest of `lines` within `reach`, else the nearest multiple of `step`. */
export function snap(value: number, lines: readonly number[], step: number, reach: number): number {
	let best = value;
	let distance = reach;
	for (const line of lines) {
		if (Math.abs(line - value) <= distance) {
			best = line;
			distance = Math.abs(line - value);
		}
	}
	if (best !== value || lines.includes(value)) return tidy(best);
	return tidy(Math.round(value / step) * step);
}

export interface Grid {
	step: number; // 0: no snapping
	reach: number;
}

const others = (item: Item, items: readonly Item[]) =>
	items.filter((o) => o !== item && o.floor === item.floor && o.parent === item.parent);

/* Its left or right edge at the edge of a neighbour, else its corner on the grid of its own frame. */
function along(at: number, length: number, own: number, edges: number[], grid: Grid): number {
	if (grid.step <= 0) return tidy(at);
	const near = edges.flatMap((e) => [e, e - length]);
	const frame = at - own;
	return tidy(frame + snap(own, near.map((n) => n - frame), grid.step, grid.reach));
}

export function moved(item: Item, by: Point, items: readonly Item[], grid: Grid): Rect {
	const near = others(item, items);
	const xs = near.flatMap((o) => [o.x, o.x + o.width]);
	const ys = near.flatMap((o) => [o.y, o.y + o.height]);
	return {
		x: along(item.x + by.x, item.width, item.own.x + by.x, xs, grid),
		y: along(item.y + by.y, item.height, item.own.y + by.y, ys, grid),
		width: item.width,
		height: item.height,
	};
}

export function resized(item: Item, side: Side, by: number, items: readonly Item[], grid: Grid): Rect {
	const near = others(item, items);
	const flat = side === 'left' || side === 'right';
	const start = flat ? item.x : item.y;
	const length = flat ? item.width : item.height;
	const lines = near.flatMap((o) => (flat ? [o.x, o.x + o.width] : [o.y, o.y + o.height]));
	const least = grid.step > 0 ? grid.step : length / 100;
	const far = side === 'right' || side === 'bottom';
	const edge = (far ? start + length : start) + by;
	// Steps count from the wall that stays, so that sizes are round.
	const fixed = far ? start : start + length;
	const distance = (far ? 1 : -1) * (edge - fixed);
	const snapped =
		grid.step > 0
			? snap(distance, lines.map((l) => (far ? 1 : -1) * (l - fixed)), grid.step, grid.reach)
			: tidy(distance);
	const size = Math.max(least, snapped);
	const from = tidy(far ? start : fixed - size);
	return flat
		? { x: from, y: item.y, width: tidy(size), height: item.height }
		: { x: item.x, y: from, width: item.width, height: tidy(size) };
}

/* What makes the room this rectangle; none when it is that already. */
export function operations(item: Item, to: Rect): JsonObject[] {
	const target = `${item.floor}.${item.name}`;
	const found: JsonObject[] = [];
	const size: JsonObject = {};
	if (to.width !== item.width) size.width = to.width;
	if (to.height !== item.height) size.height = to.height;
	if (Object.keys(size).length > 0) found.push({ action: 'resize_room', target, params: size });
	if (to.x !== item.x || to.y !== item.y) {
		const x = tidy(item.own.x + to.x - item.x);
		const y = tidy(item.own.y + to.y - item.y);
		found.push({ action: 'move_room', target, params: { x, y } });
	}
	return found;
}

