/* Where nodes would be after a layout that has not been done: what layout_diagram says it would move, as frames on the board. */
import type { Diagram, NodeView } from './diagram.svelte.ts';
import type { Point, Rect } from './geometry.ts';

/* A node that would move: its corner from that of its container, and its size if that changes. */
export interface Moved {
	instanceId: string;
	position: Point;
	size?: { width: number; height: number };
}

/* Frames of all that would stand elsewhere, what lies in something that moves included; outer ones first. */
export function plannedPlaces(diagram: Diagram, moved: readonly Moved[]): Rect[] {
	const places = new Map(moved.map((one) => [one.instanceId, one]));
	const found: Rect[] = [];
	const walk = (nodes: readonly NodeView[], corner: Point, moves: boolean) => {
		for (const node of nodes) {
			const place = places.get(node.id);
			const at = place?.position ?? { x: node.x, y: node.y };
			const rect = { x: corner.x + at.x, y: corner.y + at.y, width: place?.size?.width ?? node.ownWidth, height: place?.size?.height ?? node.ownHeight };
			if (place || moves) found.push(rect);
			if (!node.collapsed) walk(node.children, rect, moves || !!place);
		}
	};
	walk(diagram.roots, { x: 0, y: 0 }, false);
	return found;
}
