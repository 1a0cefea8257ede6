/* The lines of a diagram as elements of the page: those of each container together, far ones as one path a kind. Made by hand, as
 * the boxes are (board.svelte.ts), and for the same reason. */
import { untrack } from 'svelte';

import type { Board } from './board.svelte.ts';
import { bundle, bundlePoints } from './bundle.ts';
import type { EdgeView, NodeView } from './diagram.svelte.ts';
import { clip, covers, middle, pathOf, type Point, type Rect } from './geometry.ts';
import { s } from './text.ts';

const SVG = 'http://www.w3.org/2000/svg';
export const svg = <K extends keyof SVGElementTagNameMap>(tag: K) => document.createElementNS(SVG, tag);
function put(element: Element, name: string, value: string | null): void {
	if (value === null) element.removeAttribute(name);
	else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

const isSame = (a: Rect | null, b: Rect | null) => a === b || (!!a && !!b && covers(a, b) && covers(b, a));

interface Shown {
	edge: EdgeView;
	count: number;
}
/* Several between the same two boxes, of which one is collapsed, are one with a number. */
function bundled(edges: readonly EdgeView[]): Shown[] {
	const found: Shown[] = [];
	const bundles = new Map<string, Shown>();
	for (const edge of edges) {
		if (edge.isHidden) continue;
		const [a, b] = [edge.source.shown, edge.target.shown];
		const key = a === edge.source && b === edge.target ? '' : [a.id, b.id].sort().join(' ');
		const known = bundles.get(key);
		if (known) known.count++;
		else {
			const one = { edge, count: 1 };
			if (key) bundles.set(key, one);
			found.push(one);
		}
	}
	return found;
}

const paths = new WeakMap<readonly Point[], string>();
function pathFor(points: readonly Point[]): string {
	let d = paths.get(points);
	if (d === undefined) paths.set(points, (d = pathOf(points)));
	return d;
}

/* One line by itself: it can be seen from near, or is in the hand. */
class Line {
	readonly count: number;
	#path = svg('path');
	#text: SVGTextElement | null = null;
	#end: () => void;

	constructor(lines: Lines, edge: EdgeView, count: number) {
		this.count = count;
		this.#end = $effect.root(() => {
			$effect.pre(() => {
				const { points, id } = edge;
				const { seen } = lines;
				// Long lines are drawn where they can be seen; the arrow stands at an end that is there.
				const parts = seen ? clip(points, seen) : null;
				const open = parts !== null && parts.at(-1)?.at(-1) !== points.at(-1);
				put(this.#path, 'class', `${edge.record.category}${edge.selected ? ' selected' : ''}${edge.faded ? ' faded' : ''}${open ? ' open' : ''}`);
				put(this.#path, 'data-edge', id);
				put(this.#path, 'd', parts ? parts.map(pathOf).join('') : pathFor(points));
				const label = count > 1 ? s.n(count) : edge.selected || edge.record.category === 'annotation' ? (edge.record.label ?? '') : '';
				if (!label) return void (this.#text = this.#text?.remove() ?? null);
				if (!this.#text) this.#path.after((this.#text = svg('text')));
				const at = middle(points);
				put(this.#text, 'x', String(at.x));
				put(this.#text, 'y', String(at.y - 4));
				if (this.#text.textContent !== label) this.#text.textContent = label;
			});
		});
		lines.svg.append(this.#path);
		if (this.#text) lines.svg.append(this.#text);
	}
	end(): void {
		this.#end();
		this.#path.remove();
		this.#text?.remove();
	}
}

/* The lines of one container, which is the innermost that holds both ends: moving it moves them. */
export class Lines {
	readonly svg = svg('svg');
	readonly home: NodeView | null;
	seen = $state.raw<Rect | null>(null); // from near: where lines can be seen, from its own corner; null: everywhere
	alone = $state.raw<ReadonlySet<EdgeView>>(new Set());
	#board: Board;
	#wanted: { single: Map<EdgeView, number>; joined: Map<string, { d: string; count: number }> } = { single: new Map(), joined: new Map() };
	#single = new Map<EdgeView, Line>();
	#joined = new Map<string, SVGPathElement>();
	#end: () => void;

	constructor(board: Board, home: NodeView | null) {
		this.#board = board;
		this.home = home;
		this.svg.setAttribute('class', 'lines');
		this.svg.setAttribute('aria-hidden', 'true');
		board.lines.add(this);
		if (!board.few) this.seen = board.areaIn(home);
		this.#end = $effect.root(() => {
			$effect.pre(() => this.#choose());
			$effect.pre(() => this.#draw());
		});
	}
	look(area: Rect | null): void {
		if (!isSame(this.seen, area)) this.seen = area;
	}
	get #edges(): readonly EdgeView[] {
		return this.home ? this.home.inner : this.#board.diagram.topEdges;
	}
	end(): null {
		this.#end();
		this.#board.unfill(this);
		for (const line of this.#single.values()) line.end();
		this.#board.lines.delete(this);
		this.svg.remove();
		return null;
	}

	/* Lines that are drawn by themselves although they are far away. The set is another one only when others are in it: a hand
	 * that moves does not draw the rest anew. */
	#choose(): void {
		const { joins, diagram } = this.#board;
		const edges = this.#edges;
		void diagram.apart;
		const alone = new Set(joins ? untrack(() => edges.filter((edge) => edge.isApart)) : []);
		const was = untrack(() => this.alone);
		if (alone.size !== was.size || [...alone].some((one) => !was.has(one))) this.alone = alone;
	}

	#draw(): void {
		const single = new Map<EdgeView, number>();
		const joined = new Map<string, { d: string; count: number }>();
		const { seen, alone } = this;
		const { joins } = this.#board;
		/* What is in the hand is alone: of the others only what the daemon says is heeded. */
		const pointsOf = (edge: EdgeView) => (edge.route ? untrack(() => edge.points) : edge.points);
		const isSingle = (edge: EdgeView) => (joins ? alone.has(edge) : !seen || edge.selected || clip(pointsOf(edge), seen).length > 0);
		const join = (kind: string, d: string, count: number) => {
			const one = joined.get(kind) ?? { d: '', count: 0 };
			joined.set(kind, { d: one.d + d, count: one.count + count });
		};
		const far: EdgeView[] = [];
		for (const { edge, count } of bundled(this.#edges)) {
			if (isSingle(edge)) single.set(edge, count);
			else if (joins) far.push(edge);
		}
		const { single: themselves, bundles } = untrack(() => bundle(far, this.home));
		for (const edge of far) void edge.route; // a bundle is drawn anew, too, when the daemon has other ways
		for (const edge of themselves) join(edge.record.category, pathFor(pointsOf(edge)), 1);
		for (const one of bundles) join('bundle', pathOf(untrack(() => bundlePoints(one, this.home))), one.count);
		this.#wanted = { single, joined };
		this.#board.fill(this);
	}

	/* Makes what #draw wants. */
	fill(): void {
		const { single, joined } = this.#wanted;
		for (const [edge, line] of this.#single)
			if (single.get(edge) !== line.count) {
				line.end();
				this.#single.delete(edge);
			}
		for (const [edge, count] of single) if (!this.#single.has(edge)) this.#single.set(edge, new Line(this, edge, count));
		for (const [category, path] of this.#joined)
			if (!joined.has(category)) {
				path.remove();
				this.#joined.delete(category);
			}
		for (const [category, { d, count }] of joined) {
			let path = this.#joined.get(category);
			if (!path) {
				this.#joined.set(category, (path = svg('path')));
				put(path, 'class', category);
				this.svg.prepend(path);
			}
			put(path, 'd', d);
			put(path, 'data-edges', String(count));
		}
	}
}
