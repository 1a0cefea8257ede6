/* What a hand does on the canvas: pan, frame, drag, resize, connect, pinch. A gesture begins at a press, shows itself at
 * every move and sends one call at release; Escape, a second finger or a lost connection put all back and send nothing. */
import { topmost, type OpenProject } from './project.svelte.ts';
import type { Diagram, EdgeView, NodeView, Placed } from './diagram.svelte.ts';
import { distanceTo, GRID, HEADER, inside, onGrid, PADDING, snap, toBoard, touches, zoomAt, covers, type Guide, type Point, type Rect, type View } from './geometry.ts';
import type { Handle } from './model.ts';
import { callOf, choicesBetween, type Choice } from './connect.ts';
import { link } from '../kit/link.svelte.ts';
import type { Json, JsonObject } from '../kit/mcp.ts';
import { s } from './text.ts';

const START_PX = 4;
const START_TOUCH_PX = 8;
const HOLD_MS = 300;
const GUIDE_PX = 6;
const EDGE_HIT_PX = 6;
const SCROLL_ZONE_PX = 28;
const SCROLL_PX = 14;

export type Corner = 'n' | 'e' | 's' | 'w' | 'ne' | 'se' | 'sw' | 'nw';
interface Press {
	id: number;
	at: Point; // in the canvas
	board: Point;
	touch: boolean;
	shift: boolean;
	node: NodeView | null;
	empty: boolean;
}

/* An end of a line, in the hand (SC-080). */
export interface Plug {
	edge: EdgeView;
	end: 'source' | 'target';
}

type Act =
	| { kind: 'none' }
	| { kind: 'pressed'; press: Press; pan: boolean }
	| { kind: 'pan'; from: Point; view: View }
	| { kind: 'frame'; from: Point }
	| { kind: 'drag'; nodes: NodeView[]; from: Point; origins: Map<NodeView, { abs: Point; placed: Placed }>; lifted: Set<NodeView>; revision: number }
	| { kind: 'resize'; node: NodeView; corner: Corner; from: Point; origin: Placed; children: Map<NodeView, Placed>; along: boolean }
	| { kind: 'connect'; node: NodeView; handle: Handle | null; outgoing: boolean; asked: Map<NodeView, (string | null)[]>; from?: Point; waits?: boolean; plug?: Plug }
	| { kind: 'pinch'; view: View; middle: Point; distance: number };

export interface Dropped {
	node: NodeView;
	handle: Handle | null;
	at: Point; // of the board
	screen: Point;
	target: NodeView | null;
	choices: Choice[];
}

export interface Events {
	connect(dropped: Dropped): void;
	chosenEdge(edge: EdgeView): void;
	rename(node: NodeView): void;
	note(at: Point): void;
}

const near = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y) < START_TOUCH_PX;
const placedOf = (node: NodeView): Placed => ({ ...node.rect, width: node.ownWidth, height: node.ownHeight, parentId: node.parent?.id ?? null });

export class Hand {
	#project: OpenProject;
	#events: Events;
	#act: Act = { kind: 'none' };
	#touches = new Map<number, Point>();
	#hold: ReturnType<typeof setTimeout> | undefined;
	#scroll: number | undefined;
	#last: { at: Point; alt: boolean } = { at: { x: 0, y: 0 }, alt: false };
	#corner: () => DOMRect;
	#moves = 0;
	space = $state(false);
	kind = $state<Act['kind']>('none');
	guides = $state.raw<{ list: Guide[]; home: NodeView | null }>({ list: [], home: null });
	frame = $state.raw<Rect | null>(null); // on the board
	line = $state.raw<{ from: NodeView; handle: Handle | null; to: Point } | null>(null);
	into = $state.raw<NodeView | null>(null);
	reason = $state<string | null>(null);
	/* As the project is configured; what the hand chose is sent as it is, so that guides win over the grid. */
	get grid(): number | null {
		const layout = this.#project.config?.layout as { snap?: boolean; gridSize?: number } | undefined;
		return layout?.snap === false ? null : layout?.gridSize || GRID;
	}

	constructor(project: OpenProject, corner: () => DOMRect, events: Events) {
		this.#project = project;
		this.#corner = corner;
		this.#events = events;
	}

	/* Nobody could be told of it: then a hand moves the view and selects. */
	get #still(): boolean {
		return link.state !== 'open';
	}
	get #diagram(): Diagram | null {
		return this.#project.diagram;
	}
	#become(act: Act): void {
		this.#act = act;
		this.kind = act.kind;
	}
	#at(event: { clientX: number; clientY: number }): Point {
		const corner = this.#corner();
		return { x: event.clientX - corner.left, y: event.clientY - corner.top };
	}
	#board(at: Point): Point {
		return toBoard(this.#project.view, at);
	}

	/* ---- what is where ---- */

	/* The deepest container at this place of the board, not one of `without`. */
	containerAt(at: Point, without: ReadonlySet<NodeView> = new Set()): NodeView | null {
		let found: NodeView | null = null;
		let level = this.#diagram?.roots ?? [];
		let corner: Point = { x: 0, y: 0 };
		for (;;) {
			const here: Point = { x: at.x - corner.x, y: at.y - corner.y };
			const next = level.findLast((one) => one.isContainer && !one.collapsed && !without.has(one) && inside(one.rect, here));
			if (!next) return found;
			found = next;
			corner = { x: corner.x + next.x, y: corner.y + next.y };
			level = next.children;
		}
	}

	/* The deepest at this place that may hold it (SC-043); where none may, the deepest, which is refused. */
	legalAt(at: Point, holds: (container: NodeView) => boolean, without?: ReadonlySet<NodeView>): NodeView | null {
		const deepest = this.containerAt(at, without);
		for (let one = deepest; one; one = one.parent) if (holds(one)) return one;
		return deepest;
	}

	edgeAt(at: Point): EdgeView | null {
		const reach = EDGE_HIT_PX / this.#project.view.zoom;
		let found: EdgeView | null = null;
		let least = reach;
		for (const edge of this.#diagram?.edges.values() ?? []) {
			if (edge.isHidden) continue;
			const corner = edge.home?.offsetIn(null) ?? { x: 0, y: 0 };
			const distance = distanceTo(edge.points, { x: at.x - corner.x, y: at.y - corner.y });
			if (distance <= least) [found, least] = [edge, distance];
		}
		return found;
	}

	/* ---- events of the canvas ---- */

	down(event: PointerEvent, node: NodeView | null, what: { corner?: Corner; handle?: Handle; end?: string } = {}): void {
		const at = this.#at(event);
		if (event.pointerType === 'touch') {
			this.#touches.set(event.pointerId, at);
			if (this.#touches.size === 2) return this.#pinch();
			if (this.#touches.size > 2) return;
		}
		const press: Press = {
			id: event.pointerId,
			at,
			board: this.#board(at),
			touch: event.pointerType === 'touch',
			shift: event.shiftKey || event.ctrlKey || event.metaKey,
			node,
			empty: node === null,
		};
		const pan = event.button === 1 || this.space;
		if (event.button > 1 || (event.button === 1 && press.touch)) return;
		if (this.#act.kind === 'connect' && this.#act.waits) return void (this.#act.from = undefined);
		if (!pan && !this.#still && what.end && this.#project.edge) return this.replug({ edge: this.#project.edge, end: what.end as Plug['end'] });
		if (!pan && !this.#still && what.handle && node) {
			this.connectFrom(node, what.handle, press.board);
			if (press.touch && this.kind === 'connect') Object.assign(this.#act, { from: at });
			return;
		}
		if (!pan && !this.#still && what.corner && node) return this.#beginResize(node, what.corner, press.board);
		this.#become({ kind: 'pressed', press, pan });
		clearTimeout(this.#hold);
		if (press.touch && node)
			this.#hold = setTimeout(() => {
				if (this.#act.kind === 'pressed' && this.#act.press === press) this.#beginDrag(press);
			}, HOLD_MS);
	}

	move(event: PointerEvent): void {
		const at = this.#at(event);
		if (this.#touches.has(event.pointerId)) this.#touches.set(event.pointerId, at);
		this.#last = { at, alt: event.altKey };
		const act = this.#act;
		if (act.kind === 'pressed') {
			const far = Math.hypot(at.x - act.press.at.x, at.y - act.press.at.y);
			if (far >= (act.press.touch ? START_TOUCH_PX : START_PX)) this.#begin(act.press, act.pan);
		}
		this.#step();
		this.#scrollAtEdge();
	}

	up(event: PointerEvent): void {
		clearTimeout(this.#hold);
		this.#touches.delete(event.pointerId);
		const act = this.#act;
		this.#stopScroll();
		if (act.kind === 'pressed') this.#click(act.press);
		else if (act.kind === 'drag') this.#drop(act);
		else if (act.kind === 'resize') this.#resized(act);
		else if (act.kind === 'connect' && act.from && near(act.from, this.#at(event))) {
			// A tap on a handle: the next tap says where it leads (SC-192).
			act.waits = true;
			this.#project.say(s.tapOther);
			return;
		} else if (act.kind === 'connect') this.#connected(act, this.#at(event));
		else if (act.kind === 'pinch' && this.#touches.size > 0) return;
		this.#rest();
	}

	/* The system took the pointer: as if it had never been there. */
	lost(event: PointerEvent): void {
		this.#touches.delete(event.pointerId);
		this.cancel();
	}

	/* Everything back; nothing was sent. True: there was something. */
	cancel(): boolean {
		const act = this.#act;
		clearTimeout(this.#hold);
		this.#stopScroll();
		if (act.kind === 'drag') {
			for (const node of act.origins.keys()) node.over = null;
			this.#ungrow();
		} else if (act.kind === 'resize') {
			for (const node of [act.node, ...act.children.keys()]) node.over = null;
		}
		const something = act.kind !== 'none' && act.kind !== 'pressed';
		this.#rest();
		return something;
	}

	wheel(event: WheelEvent, swapped: boolean): void {
		event.preventDefault();
		const zooms = (event.ctrlKey || event.metaKey) !== swapped;
		const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
		const [dx, dy] = [event.deltaX * unit, event.deltaY * unit];
		const view = this.#project.view;
		if (zooms) this.#project.look(zoomAt(view, this.#at(event), view.zoom * Math.exp(-dy * 0.0022)));
		else this.#project.look({ ...view, x: view.x - (event.shiftKey && dx === 0 ? dy : dx), y: view.y - (event.shiftKey && dx === 0 ? 0 : dy) });
		this.#step();
	}

	/* ---- beginnings ---- */

	#begin(press: Press, pan: boolean): void {
		clearTimeout(this.#hold);
		const frame = press.empty && press.shift && !press.touch;
		if (frame) this.#become({ kind: 'frame', from: press.board });
		else if (pan || press.empty || press.touch || this.#still) this.#become({ kind: 'pan', from: press.at, view: this.#project.view });
		else this.#beginDrag(press);
	}

	#beginDrag(press: Press): void {
		const node = press.node;
		if (!node || this.#still) return;
		if (!node.selected) this.#project.select(press.shift ? [...this.#project.selection, node] : [node]);
		const nodes = topmost(this.#project.selection);
		const origins = new Map(nodes.map((one) => [one, { abs: one.offsetIn(null), placed: placedOf(one) }]));
		const lifted = new Set(nodes.flatMap((one) => [one, ...one.ancestors]));
		for (const one of lifted) one.lifted = true;
		this.#project.hold(nodes.map((one) => one.id));
		this.#become({ kind: 'drag', nodes, from: press.board, origins, lifted, revision: this.#diagram?.model.revision ?? 0 });
	}

	#beginResize(node: NodeView, corner: Corner, from: Point): void {
		const children = new Map(node.children.map((one) => [one, placedOf(one)]));
		this.#project.hold([node.id]);
		this.#become({ kind: 'resize', node, corner, from, origin: placedOf(node), children, along: false });
	}

	/* What the line in the hand may be; the end that stays, stays what it is. */
	#choices(act: Act & { kind: 'connect' }, other: NodeView): Choice[] {
		const { node, handle, plug } = act;
		const found = this.#diagram ? choicesBetween(this.#diagram.catalogue, node, other, handle) : [];
		if (!plug) return found;
		const legal = found.filter((one) => one[plug.end] === other.id);
		const kept = plug.end === 'source' ? 'targetHandle' : 'sourceHandle';
		return [legal.find((one) => one[kept] === plug.edge.record[kept]) ?? legal[0]].filter((one) => one !== undefined);
	}

	/* Why the daemon would not take it: asked once a node and gesture, and not waited for (SC-076). */
	#refusal(act: Act & { kind: 'connect' }, other: NodeView, choices: readonly Choice[]): string | null {
		const known = act.asked.get(other);
		if (known) return known.every(Boolean) ? (known[0] ?? null) : null;
		act.asked.set(other, []);
		void import('./ask.ts').then(async ({ whyNot }) => {
			const told = await Promise.all(choices.map((choice) => whyNot(this.#project, ...callOf(choice, act.plug?.edge.id))));
			act.asked.set(other, told);
			if (this.#act !== act) return;
			if (told.every(Boolean)) other.lit = 'dim';
			this.#step();
		});
		return null;
	}

	replug(plug: Plug): void {
		const { edge, end } = plug;
		const at = edge.home?.offsetIn(null) ?? { x: 0, y: 0 };
		const points = edge.points;
		const to = end === 'source' ? points[0]! : points.at(-1)!;
		this.connectFrom(end === 'source' ? edge.target : edge.source, null, { x: to.x + at.x, y: to.y + at.y }, plug);
	}

	connectFrom(node: NodeView, handle: Handle | null, to: Point, plug?: Plug): void {
		const act = { kind: 'connect', node, handle, outgoing: handle?.type !== 'target', asked: new Map<NodeView, (string | null)[]>(), plug } as const;
		this.#become(act);
		this.line = { from: node, handle, to };
		for (const other of this.#diagram?.nodes.values() ?? []) if (other !== node) other.lit = this.#choices(act, other).length > 0 ? 'end' : 'dim';
	}

	#pinch(): void {
		this.cancel();
		const [a, b] = [...this.#touches.values()] as [Point, Point];
		const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
		this.#become({ kind: 'pinch', view: this.#project.view, middle, distance: Math.hypot(a.x - b.x, a.y - b.y) });
	}

	/* ---- one step of what is going on ---- */

	#step(): void {
		const act = this.#act;
		const { at, alt } = this.#last;
		if (act.kind === 'pan') this.#project.look({ ...act.view, x: act.view.x + at.x - act.from.x, y: act.view.y + at.y - act.from.y });
		else if (act.kind === 'frame') this.frame = this.#rectOf(act.from, this.#board(at));
		else if (act.kind === 'drag') this.#dragTo(act, this.#board(at), alt);
		else if (act.kind === 'resize') this.#resizeTo(act, this.#board(at), alt);
		else if (act.kind === 'connect') this.#connectTo(act, this.#board(at));
		else if (act.kind === 'pinch') this.#pinchTo(act);
	}

	#rectOf(a: Point, b: Point): Rect {
		return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) };
	}

	#pinchTo(act: Act & { kind: 'pinch' }): void {
		if (this.#touches.size < 2) return;
		const [a, b] = [...this.#touches.values()] as [Point, Point];
		const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
		const zoomed = zoomAt(act.view, act.middle, (act.view.zoom * Math.hypot(a.x - b.x, a.y - b.y)) / Math.max(1, act.distance));
		this.#project.look({ ...zoomed, x: zoomed.x + middle.x - act.middle.x, y: zoomed.y + middle.y - act.middle.y });
	}

	#dragTo(act: Act & { kind: 'drag' }, at: Point, alt: boolean): void {
		const lead = act.nodes[0];
		const first = lead && act.origins.get(lead);
		if (!first) return;
		const held = new Set(act.nodes);
		const into = this.legalAt(at, (box) => act.nodes.every((one) => one.parent === box || this.#diagram?.catalogue.mayStandIn(one.record.typeId, box.record.typeId)), held);
		const corner = into?.offsetIn(null) ?? { x: 0, y: 0 };
		const wanted: Rect = {
			x: first.abs.x + at.x - act.from.x - corner.x,
			y: first.abs.y + at.y - act.from.y - corner.y,
			width: lead.width,
			height: lead.height,
		};
		if (into) {
			// Into its contents, not over its title.
			wanted.x = Math.max(0, wanted.x);
			wanted.y = Math.max(HEADER, wanted.y);
		}
		const pull = alt ? { dx: Math.round(wanted.x) - wanted.x, dy: Math.round(wanted.y) - wanted.y, guides: [] } : this.#snapped(wanted, into, held);
		const by = { x: wanted.x + pull.dx + corner.x - first.abs.x, y: wanted.y + pull.dy + corner.y - first.abs.y };
		this.guides = { list: pull.guides, home: into };
		for (const [node, origin] of act.origins) if (this.#isHeld(node, origin)) node.over = { ...origin.placed, x: origin.placed.x + by.x, y: origin.placed.y + by.y };
		this.#aim(into, act.nodes);
		this.#grow(act.nodes, into);
	}

	/* Nobody has taken it away or put it elsewhere meanwhile. */
	#isHeld(node: NodeView, origin: { placed: Placed }): boolean {
		return this.#diagram?.node(node.id) === node && (node.parent?.id ?? null) === origin.placed.parentId;
	}

	#snapped(wanted: Rect, into: NodeView | null, held: ReadonlySet<NodeView>) {
		const { view, canvas } = this.#project;
		const corner = into?.offsetIn(null) ?? { x: 0, y: 0 };
		const seen: Rect = { x: -view.x / view.zoom - corner.x, y: -view.y / view.zoom - corner.y, width: canvas.width / view.zoom, height: canvas.height / view.zoom };
		const others = (into?.children ?? this.#diagram?.roots ?? []).filter((one) => !held.has(one)).map((one) => one.rect).filter((rect) => touches(rect, seen));
		return snap(wanted, others, GUIDE_PX / view.zoom, this.grid);
	}

	/* Shows whether what is in the hand may stand in the container under it. */
	#aim(into: NodeView | null, nodes: readonly NodeView[]): void {
		const stays = nodes.every((one) => one.parent === into);
		const refused = stays ? null : (nodes.find((one) => !this.#diagram?.catalogue.mayStandIn(one.record.typeId, into?.record.typeId ?? null)) ?? null);
		const reason = refused ? s.mayNot(refused, this.#diagram!.catalogue) : null;
		if (this.into !== into && this.into) this.into.lit = '';
		this.into = into;
		this.reason = reason;
		if (into) into.lit = stays ? '' : refused ? 'refused' : 'into';
	}

	/* Containers grow with what is pushed against their right and lower side (SC-067). */
	#grown = new Set<NodeView>();
	#grow(nodes: readonly NodeView[], into: NodeView | null): void {
		const now = new Set<NodeView>();
		if (into && !this.reason) {
			const corner = into.offsetIn(null);
			let content = nodes.map((one) => ({ abs: one.offsetIn(null), one })).map(({ abs, one }) => ({ right: abs.x - corner.x + one.width, bottom: abs.y - corner.y + one.height }));
			for (let at: NodeView | null = into; at; at = at.parent) {
				const was = at.record.layout ?? { width: at.ownWidth, height: at.ownHeight };
				const width = Math.max(was.width, ...content.map((one) => onGrid(one.right + PADDING + GRID / 2 - 1)));
				const height = Math.max(was.height, ...content.map((one) => onGrid(one.bottom + PADDING + GRID / 2 - 1)));
				if (width === was.width && height === was.height) break;
				at.over = { ...placedOf(at), x: at.record.position.x, y: at.record.position.y, width, height };
				now.add(at);
				content = [{ right: at.x + width, bottom: at.y + height }];
			}
		}
		for (const one of this.#grown) if (!now.has(one)) one.over = null;
		this.#grown = now;
	}
	#ungrow(): void {
		for (const one of this.#grown) one.over = null;
		this.#grown.clear();
	}

	#resizeTo(act: Act & { kind: 'resize' }, at: Point, alt: boolean): void {
		const { node, corner, origin, from } = act;
		act.along = alt;
		const least = this.#leastSize(node);
		const round = (value: number) => (this.grid && !alt ? onGrid(value, this.grid) : Math.round(value));
		let { x, y, width, height } = origin;
		if (corner.includes('e')) width = Math.max(least.right, round(origin.width + at.x - from.x));
		if (corner.includes('s')) height = Math.max(least.bottom, round(origin.height + at.y - from.y));
		if (corner.includes('w')) {
			x = Math.min(origin.x + (alt ? origin.width - least.right : Math.min(least.left, origin.width - least.width)), round(origin.x + at.x - from.x));
			width = origin.width + origin.x - x;
		}
		if (corner.includes('n')) {
			y = Math.min(origin.y + (alt ? origin.height - least.bottom : Math.min(least.top, origin.height - least.height)), round(origin.y + at.y - from.y));
			height = origin.height + origin.y - y;
		}
		node.over = { ...origin, x, y, width, height };
		// Contents stay where they are on the board; with Alt they move along (SC-065).
		for (const [child, was] of act.children) child.over = alt ? null : { ...was, x: was.x + origin.x - x, y: was.y + origin.y - y };
	}

	#leastSize(node: NodeView) {
		const min = node.type?.minSize ?? (node.isContainer ? { width: 200, height: 120 } : { width: 120, height: 60 });
		const rects = node.children.map((one) => one.record).map((one) => ({ ...one.position, width: one.layout?.width ?? 240, height: one.layout?.height ?? 80 }));
		return {
			width: min.width,
			height: min.height,
			right: Math.max(min.width, ...rects.map((one) => one.x + one.width + PADDING)),
			bottom: Math.max(min.height, ...rects.map((one) => one.y + one.height + PADDING)),
			left: rects.length > 0 ? Math.max(0, Math.min(...rects.map((one) => one.x)) - PADDING) : Infinity,
			top: rects.length > 0 ? Math.max(0, Math.min(...rects.map((one) => one.y)) - PADDING - HEADER) : Infinity,
		};
	}

	#connectTo(act: Act & { kind: 'connect' }, at: Point): void {
		this.line = { from: act.node, handle: act.handle, to: at };
		const over = this.#nodeAt(at);
		const choices = over && over !== act.node ? this.#choices(act, over) : null;
		this.reason = !over || !choices ? null : choices.length === 0 ? s.noConnection(act.node, over) : this.#refusal(act, over, choices);
		this.into = over;
	}

	/* The innermost node; a container by its border and title only, so that its children stay reachable (SC-078). */
	#nodeAt(at: Point): NodeView | null {
		let level = this.#diagram?.roots ?? [];
		let corner: Point = { x: 0, y: 0 };
		let found: NodeView | null = null;
		for (;;) {
			const here = { x: at.x - corner.x, y: at.y - corner.y };
			const next = level.findLast((one) => inside(one.rect, here));
			if (!next) return found;
			const r = next.rect;
			const border = 10 / this.#project.view.zoom;
			const body = next.isContainer && !next.collapsed && inside({ x: r.x + border, y: r.y + HEADER, width: r.width - 2 * border, height: r.height - HEADER - border }, here);
			found = body ? null : next;
			if (!body) return found;
			corner = { x: corner.x + next.x, y: corner.y + next.y };
			level = next.children;
		}
	}

	/* ---- ends ---- */

	#click(press: Press): void {
		const { node } = press;
		// A line lies above the body of the container that it is in, and above no title.
		const body = !node || (node.isContainer && !node.collapsed && press.board.y > node.offsetIn(null).y + HEADER);
		const edge = body ? this.edgeAt(press.board) : null;
		if (node && !edge) {
			if (press.shift) this.#project.toggle(node);
			else if (!node.selected || this.#project.selection.length > 1) this.#project.select([node]);
			return;
		}
		if (edge) {
			this.#project.selectEdge(edge);
			this.#events.chosenEdge(edge);
		} else if (!press.shift) {
			this.#project.selectEdge(null);
			this.#project.select([]);
		}
	}

	#drop(act: Act & { kind: 'drag' }): void {
		const into = this.into;
		const moved = act.nodes.filter((one) => this.#isHeld(one, act.origins.get(one)!));
		const taken = act.nodes.filter((one) => !moved.includes(one));
		const first = moved[0];
		const origin = first && act.origins.get(first);
		const still = !first || !origin || (first.x === origin.placed.x && first.y === origin.placed.y && first.parent === into);
		if (this.reason || still || taken.length > 0) {
			const reason = taken.length > 0 ? null : this.reason;
			this.cancel();
			if (taken.length > 0) this.#project.taken(taken, act.revision);
			if (reason) this.#project.refusal = { text: reason, code: 'CONTAINMENT_ERROR', ids: moved.map((one) => one.id) };
			if (reason) this.#project.say(reason);
			return;
		}
		const corner = into?.offsetIn(null) ?? { x: 0, y: 0 };
		const guess = new Map<string, Placed>();
		const moves = moved.map((one): JsonObject => {
			const abs = one.offsetIn(null);
			const other = one.parent !== into;
			const position = other ? { x: Math.round(abs.x - corner.x), y: Math.round(abs.y - corner.y) } : { x: Math.round(one.x), y: Math.round(one.y) };
			guess.set(one.id, { ...placedOf(one) });
			return { instanceId: one.id, position, ...(other ? { parentId: into?.id ?? null } : {}) };
		});
		for (const one of this.#grown) guess.set(one.id, placedOf(one));
		this.#grown.clear();
		void this.#project.act('move_resources', { moves, snap: false }, guess);
	}

	#resized(act: Act & { kind: 'resize' }): void {
		const { node } = act;
		const to = placedOf(node);
		if (this.#diagram?.node(node.id) !== node) return;
		const move: JsonObject = { instanceId: node.id, position: { x: to.x, y: to.y }, size: { width: to.width, height: to.height } };
		if (to.x === act.origin.x && to.y === act.origin.y && to.width === act.origin.width && to.height === act.origin.height) return;
		const guess = new Map([[node.id, to], ...[...act.children.keys()].map((one) => [one.id, placedOf(one)] as [string, Placed])]);
		void this.#project.act('move_resources', { moves: [move], keepContentPlaces: !act.along, snap: false }, guess);
	}

	#connected(act: Act & { kind: 'connect' }, at: Point): void {
		const board = this.#board(at);
		const target = this.#nodeAt(board);
		const diagram = this.#diagram;
		if (!diagram || target === act.node) return;
		const told = (target && act.asked.get(target)) || [];
		const choices = target ? this.#choices(act, target).filter((_, i) => !told[i]) : [];
		if (target && choices.length === 0) {
			const text = told[0] ?? s.noConnection(act.node, target);
			this.#project.refusal = { text, code: 'CONNECTION_NOT_ALLOWED', ids: [target.id] };
			this.#project.say(text);
			return;
		}
		if (act.plug) {
			const { edge, end } = act.plug;
			const [choice] = choices;
			if (!choice || choice[end] === edge.record[end]) return;
			return void this.#project.act(...callOf(choice, edge.id));
		}
		this.#events.connect({ node: act.node, handle: act.handle, at: board, screen: at, target, choices });
	}

	#rest(): void {
		const act = this.#act;
		if (act.kind === 'frame' && this.frame) this.#framed(this.frame);
		if (act.kind === 'drag') for (const one of act.lifted) one.lifted = false;
		if (act.kind === 'connect') for (const one of this.#diagram?.nodes.values() ?? []) one.lit = '';
		if (this.into) this.into.lit = '';
		this.into = null;
		this.reason = null;
		this.frame = null;
		this.line = null;
		this.guides = { list: [], home: null };
		if (act.kind === 'drag' || act.kind === 'resize') this.#project.hold([]);
		this.#become({ kind: 'none' });
	}

	#framed(frame: Rect): void {
		const all = this.#project.diagram?.all ?? [];
		const found = all.filter((one) => one.shown === one).filter((one) => (this.#last.alt ? touches : (a: Rect, b: Rect) => covers(b, a))(one.rectIn(null), frame));
		this.#project.select([...new Set([...this.#project.selection, ...topmost(found)])]);
	}

	/* ---- by keys ---- */

	#nudge = { gesture: '', at: 0 };
	/* Moves the selection; presses with pauses under half a second are one gesture. */
	nudge(dx: number, dy: number): void {
		const nodes = topmost(this.#project.selection);
		if (nodes.length === 0) return;
		const now = Date.now();
		if (now - this.#nudge.at > 500) this.#nudge.gesture = `keys-${now}-${++this.#moves}`;
		this.#nudge.at = now;
		const guess = new Map(nodes.map((one) => [one.id, { ...placedOf(one), x: one.x + dx, y: one.y + dy }]));
		const moves: Json[] = nodes.map((one) => ({ instanceId: one.id, position: { x: one.x + dx, y: one.y + dy } }));
		void this.#project.act('move_resources', { moves, snap: false, gesture: this.#nudge.gesture }, guess);
	}

	resizeBy(dw: number, dh: number): void {
		const [node] = this.#project.selection;
		if (!node || this.#project.selection.length !== 1) return;
		const least = this.#leastSize(node);
		const size = { width: Math.max(least.right, node.ownWidth + dw), height: Math.max(least.bottom, node.ownHeight + dh) };
		const guess = new Map([[node.id, { ...placedOf(node), ...size }]]);
		void this.#project.act('move_resources', { moves: [{ instanceId: node.id, size }], snap: false, gesture: `size-${node.id}-${Math.floor(Date.now() / 2000)}` }, guess);
	}

	/* ---- near the edge of the window the view scrolls ---- */

	#scrollAtEdge(): void {
		const acts = this.#act.kind === 'drag' || this.#act.kind === 'connect' || this.#act.kind === 'frame';
		const { width, height } = this.#project.canvas;
		const { at } = this.#last;
		const near = at.x < SCROLL_ZONE_PX || at.y < SCROLL_ZONE_PX || at.x > width - SCROLL_ZONE_PX || at.y > height - SCROLL_ZONE_PX;
		if (!acts || !near) return this.#stopScroll();
		if (this.#scroll !== undefined) return;
		const turn = () => {
			const { x, y } = this.#last.at;
			const view = this.#project.view;
			const dx = x < SCROLL_ZONE_PX ? SCROLL_PX : x > width - SCROLL_ZONE_PX ? -SCROLL_PX : 0;
			const dy = y < SCROLL_ZONE_PX ? SCROLL_PX : y > height - SCROLL_ZONE_PX ? -SCROLL_PX : 0;
			this.#project.look({ ...view, x: view.x + dx, y: view.y + dy });
			this.#step();
			this.#scroll = requestAnimationFrame(turn);
		};
		this.#scroll = requestAnimationFrame(turn);
	}
	#stopScroll(): void {
		if (this.#scroll !== undefined) cancelAnimationFrame(this.#scroll);
		this.#scroll = undefined;
	}
}
