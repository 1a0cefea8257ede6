/* Siblings that lie over each other because one of them, a container, has grown or was resized; and where they go so that
 * they do not (SC-067). Leaves that a hand has put over each other are as it wanted them. No DOM here. */
import { GRID, PADDING, touches, type Point, type Rect } from './geometry.ts';

export const MANY = 300; // children of one container; more are not looked at

export interface Block extends Rect {
	readonly id: string;
	readonly big: boolean; // a container
	readonly inner: Block[];
}

/* Those of one level that lie over another. */
export function overlapping<T extends Rect & { big: boolean }>(level: readonly T[]): Set<T> {
	const found = new Set<T>();
	if (level.length > MANY || !level.some((one) => one.big)) return found;
	const sorted = [...level].sort((a, b) => a.x - b.x);
	for (const [i, one] of sorted.entries())
		for (let j = i + 1; j < sorted.length && sorted[j]!.x < one.x + one.width; j++) {
			const other = sorted[j]!;
			if ((one.big || other.big) && touches(one, other)) found.add(one).add(other);
		}
	return found;
}

const up = (value: number) => Math.ceil(value / GRID) * GRID;
const around = (r: Rect): Rect => ({ x: r.x - GRID, y: r.y - GRID, width: r.width + 2 * GRID, height: r.height + 2 * GRID });

/* From where it is to the right or down until it is free, whichever is nearer. */
function freed(block: Rect, others: readonly Rect[]): Point {
	const along = (axis: 'x' | 'y', side: 'width' | 'height'): Rect => {
		const at = { ...block };
		for (let hit: Rect | undefined; (hit = others.find((other) => touches(around(other), at))); ) at[axis] = Math.max(at[axis] + 1, up(hit[axis] + hit[side] + GRID));
		return at;
	};
	const [right, down] = [along('x', 'width'), along('y', 'height')];
	return right.x - block.x <= down.y - block.y ? right : down;
}

/* Moves what is covered. Containers stay in their order, from the top left, and push the next ones; what is not one gives
 * way to them, to a place where nothing is. */
function spread(level: readonly Block[], moved: Map<string, Point>): void {
	const order = [...level].sort((a, b) => Number(b.big) - Number(a.big) || a.x + a.y - b.x - b.y);
	const placed: Block[] = [];
	for (const block of order) {
		const covered = placed.some((other) => other.big && touches(other, block));
		if (covered) {
			const { x, y } = freed(block, block.big ? placed : order.filter((other) => other !== block));
			moved.set(block.id, { x, y });
			Object.assign(block, { x, y });
		}
		placed.push(block);
	}
}

/* The new places of what has to move, each in its parent; the blocks have them afterwards. What grows with its contents pushes
 * in its turn, so inner levels come first. */
export function makeRoom(level: Block[], moved = new Map<string, Point>()): Map<string, Point> {
	for (const block of level) {
		const before = moved.size;
		makeRoom(block.inner, moved);
		if (moved.size === before) continue;
		for (const one of block.inner) {
			block.width = Math.max(block.width, up(one.x + one.width + PADDING));
			block.height = Math.max(block.height, up(one.y + one.height + PADDING));
		}
	}
	if (overlapping(level).size > 0) spread(level, moved);
	return moved;
}
