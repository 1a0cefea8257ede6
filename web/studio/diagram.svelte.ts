/* The diagram as things that are seen: one object a node, nested as they are, and one a line. What changes is written into
 * the object it belongs to, so that only its own element is drawn anew. A place of the hand (`over`) stands above the daemon's
 * until it is confirmed or taken back. */
import { untrack } from 'svelte';

import type { JsonObject } from '../kit/mcp.ts';
import { elbow, facing, type Point, type Rect, type Side } from './geometry.ts';
import type { Deployed } from './runs.ts';
import { worst, type Actor, type Catalogue, type Cost, type Diagnostic, type EdgeRecord, type Model, type NodeRecord, type Severity, type Touched, type TypeInfo } from './model.ts';

const LEAF = { width: 240, height: 80 };
const CONTAINER = { width: 360, height: 220 };

export interface Placed extends Rect {
	parentId: string | null;
}

/* Properties that are followed together: one signal for all of them, because there are thousands of views. */
function together<V extends object, N extends keyof V>(view: { prototype: V }, name: N, keys: readonly string[]): void {
	for (const key of keys)
		Object.defineProperty(view.prototype, key, {
			get(this: V) {
				return (this[name] as Record<string, unknown>)[key];
			},
			set(this: V, value: unknown) {
				const was = untrack(() => this[name]) as Record<string, unknown>;
				if (was[key] !== value) this[name] = { ...was, [key]: value } as V[N];
			},
		});
}

/* How a node looks: what of it can change while its title stands as it is, under a finger, say. */
const LOOK = {
	selected: false,
	leaving: false, // this page has asked for its removal
	lit: '' as '' | 'into' | 'refused' | 'end' | 'dim',
	changedBy: null as Actor | null, // a moment ago
	pointed: false, // somebody shows it
	marked: false, // the entry of the history that is looked at is about it
	tab: false, // the one stop of the Tab key among all
	lifted: false, // in the hand, or around what is
	faded: false, // not what is looked at
};
/* What stands beside its title. */
const BESIDE = {
	problems: [] as Diagnostic[],
	cost: null as Cost | null,
	seenBy: [] as { actor: Actor; held: boolean }[], // who has it selected or in hand
	planned: null as string | null, // what a plan does to it
	crowded: false, // over a sibling that is a container, or below one (SC-067)
	deployed: null as Deployed | null, // more of it than the record has
};
type NodeParts = typeof LOOK & typeof BESIDE;

export interface NodeView extends NodeParts {}
export class NodeView {
	readonly id: string;
	readonly diagram: Diagram;
	readonly order: number;
	nested = false; // its container has it
	record: NodeRecord;
	parent: NodeView | null;
	children = $state.raw<NodeView[]>([]);
	inner = $state.raw<EdgeView[]>([]); // lines whose innermost container this is
	look = $state.raw(LOOK);
	beside = $state.raw(BESIDE);
	#over = $state.raw<Placed | null>(null);
	#collapsed = $state(false);

	constructor(diagram: Diagram, record: NodeRecord, order: number, parent: NodeView | null) {
		this.diagram = diagram;
		this.id = record.instanceId;
		this.order = order;
		this.record = $state.raw(record);
		this.parent = $state.raw(parent);
	}

	get over(): Placed | null {
		return this.#over;
	}
	set over(placed: Placed | null) {
		if (placed) this.diagram.held.add(this);
		else this.diagram.held.delete(this);
		const was = untrack(() => this.#over);
		this.#over = placed;
		if (!placed !== !was) this.diagram.tellApart();
	}
	get collapsed(): boolean {
		return this.#collapsed;
	}
	set collapsed(on: boolean) {
		const was = untrack(() => this.#collapsed);
		this.#collapsed = on;
		if (on !== was) untrack(() => (this.diagram.boxed += on ? 1 : -1));
	}
	get type(): TypeInfo | null {
		return this.diagram.catalogue.find(this.record.typeId);
	}
	/* What its lines lead to, by name. */
	get mates(): string[] {
		const found = new Set<NodeView>();
		for (const edge of this.diagram.allEdges) if (edge.source === this) found.add(edge.target);
		else if (edge.target === this) found.add(edge.source);
		return [...found].map((one) => one.record.label || one.id);
	}
	get isAnnotation(): boolean {
		return this.record.typeId.startsWith('_annotation/');
	}
	/* Not drawn, because what is of its kind is not (SC-131). */
	get isAway(): boolean {
		if (this.leaving) return true;
		const { hidden } = this.diagram;
		if (hidden.size === 0) return false;
		const { typeId, terraformType } = this.record;
		const kind = this.isAnnotation ? 'annotation' : terraformType ? `provider:${typeId.split('/')[0]!}` : 'virtual';
		return hidden.has(`type:${typeId}`) || hidden.has(kind);
	}
	get isContainer(): boolean {
		return this.type?.isContainer ?? this.children.length > 0;
	}
	get isNote(): boolean {
		return this.isAnnotation && !this.isContainer && !this.type?.transparent;
	}
	get x(): number {
		return this.over?.x ?? this.record.position?.x ?? 0;
	}
	get y(): number {
		return this.over?.y ?? this.record.position?.y ?? 0;
	}
	get ownWidth(): number {
		return this.over?.width ?? this.record.layout?.width ?? this.record.size?.width ?? (this.isContainer ? CONTAINER : LEAF).width;
	}
	get ownHeight(): number {
		return this.over?.height ?? this.record.layout?.height ?? this.record.size?.height ?? (this.isContainer ? CONTAINER : LEAF).height;
	}
	/* As drawn: a collapsed container is a box, and nothing else moves for it. */
	get width(): number {
		return this.collapsed ? LEAF.width : this.ownWidth;
	}
	get height(): number {
		return this.collapsed ? LEAF.height : this.ownHeight;
	}
	get rect(): Rect {
		return { x: this.x, y: this.y, width: this.width, height: this.height };
	}
	get worst(): Severity | null {
		return worst(this.problems);
	}

	/* From the corner of `home`; null is the board. */
	offsetIn(home: NodeView | null): Point {
		let [x, y] = [0, 0];
		for (let at: NodeView | null = this; at && at !== home; at = at.parent) {
			x += at.x;
			y += at.y;
		}
		return { x, y };
	}
	rectIn(home: NodeView | null): Rect {
		return { ...this.offsetIn(home), width: this.width, height: this.height };
	}
	isIn(container: NodeView): boolean {
		for (let at = this.parent; at; at = at.parent) if (at === container) return true;
		return false;
	}
	get ancestors(): NodeView[] {
		const found: NodeView[] = [];
		for (let at = this.parent; at; at = at.parent) found.unshift(at);
		return found;
	}
	get descendants(): NodeView[] {
		return this.children.flatMap((child) => [child, ...child.descendants]);
	}
	/* How many there are in it. */
	get count(): number {
		let count = this.children.length;
		for (const child of this.children) count += child.count;
		return count;
	}
	/* The box that stands for it: the outermost collapsed container around it, else itself. */
	get shown(): NodeView {
		if (this.diagram.boxed === 0) return this;
		let found: NodeView = this;
		for (let at = this.parent; at; at = at.parent) if (at.collapsed) found = at;
		return found;
	}
}

together(NodeView, 'look', Object.keys(LOOK));
together(NodeView, 'beside', Object.keys(BESIDE));

const LINE = {
	chosen: false,
	outdated: false, // the route: an end has moved since
	faded: false,
	leaving: false, // as of a node
};
interface Ends {
	record: EdgeRecord;
	source: NodeView;
	target: NodeView;
	home: NodeView | null;
}
type EdgeParts = typeof LINE & Ends;

export interface EdgeView extends EdgeParts {}
export class EdgeView {
	ends: Ends;
	look = $state.raw(LINE);
	route: Point[] | null; // from the corner of `home`

	readonly first: string; // the id that it had first: what is typed for it is kept by that

	constructor(ends: Ends, route: Point[] | null = null) {
		this.first = ends.record.id;
		this.ends = $state.raw(ends);
		this.route = $state.raw(route);
	}

	get id(): string {
		return this.record.id;
	}
	get selected(): boolean {
		return this.chosen;
	}
	set selected(on: boolean) {
		this.chosen = on;
		this.source.diagram.tellApart();
	}
	/* Told apart from the others, which are one path from far away. */
	get isApart(): boolean {
		return this.chosen || this.faded || (this.source.diagram.held.size > 0 && this.moved);
	}

	#side(node: NodeView, handle: string): Side | null {
		return node.type?.handles.find((one) => one.id === handle)?.position ?? null;
	}

	/* The daemon's route while both ends stand where it knows them, else right angles. */
	get points(): Point[] {
		const [a, b] = [this.source.shown, this.target.shown];
		if (this.route && !this.outdated && !this.moved && a === this.source && b === this.target) return this.route;
		const [from, to] = [a.rectIn(this.home), b.rectIn(this.home)];
		const sides = facing(from, to);
		return elbow(
			from,
			(a === this.source && this.#side(a, this.record.sourceHandle)) || sides[0],
			to,
			(b === this.target && this.#side(b, this.record.targetHandle)) || sides[1],
		);
	}

	get moved(): boolean {
		for (const end of [this.source, this.target])
			for (let at: NodeView | null = end; at && at !== this.home; at = at.parent) if (at.over) return true;
		return false;
	}

	get isAway(): boolean {
		if (this.leaving) return true;
		const { hidden } = this.source.diagram;
		return hidden.size > 0 && (hidden.has(`line:${this.record.category}`) || this.source.isAway || this.target.isAway);
	}
	/* Both ends in one collapsed box, or not drawn: nothing to be seen. */
	get isHidden(): boolean {
		return this.source.shown === this.target.shown || this.isAway;
	}
}

together(EdgeView, 'ends', ['record', 'source', 'target', 'home']);
together(EdgeView, 'look', Object.keys(LINE));

/* The nodes of containers, null being the board. */
type Levels = Map<NodeView | null, NodeView[]>;

const lowestOf = (a: NodeView, b: NodeView): NodeView | null => {
	const above = new Set<NodeView>();
	for (let at: NodeView | null = a; at; at = at.parent) above.add(at);
	for (let at: NodeView | null = b; at; at = at.parent) if (above.has(at)) return at === a || at === b ? at.parent : at;
	return null;
};

export const endsOf = (record: EdgeRecord, source: NodeView, target: NodeView): Ends => ({ record, source, target, home: lowestOf(source, target) });

export class Diagram {
	readonly catalogue: Catalogue;
	readonly model: Model;
	readonly nodes = new Map<string, NodeView>();
	showsStatus = $state(false); // of every node, in words
	/* What is asked of thousands is kept here once: how many are collapsed, what has a place of the hand, and how often a line was
	 * told apart from the others, or is not any more. */
	boxed = $state(0);
	apart = $state(0);
	readonly held = new Set<NodeView>();
	tellApart(): void {
		untrack(() => this.apart++);
	}
	readonly edges = new Map<string, EdgeView>();
	roots = $state.raw<NodeView[]>([]);
	topEdges = $state.raw<EdgeView[]>([]);
	/* What nodes wear beside their name, and lines that are not drawn: chips of the canvas (SC-130, 131). */
	worn = $state<{ problems: boolean; costs: boolean; variables: boolean; changed: ReadonlySet<string> | null; sums: ReadonlyMap<string, number> }>({ problems: true, costs: false, variables: false, changed: null, sums: new Map() });
	hidden = $state.raw<ReadonlySet<string>>(new Set()); // kinds that are not drawn (layers.svelte.ts)
	version = $state(0); // counts what changed, for lists of everything
	#order = 0;

	constructor(model: Model, catalogue: Catalogue) {
		this.model = model;
		this.catalogue = catalogue;
		const everything: Touched = {
			nodes: new Set(model.nodes.keys()),
			removedNodes: new Set(),
			edges: new Set(model.edges.keys()),
			removedEdges: new Set(),
			routes: new Set(model.routes.keys()),
		};
		this.show(everything);
	}

	node(id: string): NodeView | null {
		return this.nodes.get(id) ?? null;
	}
	get all(): NodeView[] {
		void this.version;
		return [...this.nodes.values()];
	}
	get allEdges(): EdgeView[] {
		void this.version;
		return [...this.edges.values()];
	}

	/* `routed`: with the routes as they are now. Without them lines whose ends have moved are drawn by us until they come. */
	show(touched: Touched, routed = true): void {
		const moved = new Set<NodeView>();
		if (!routed) for (const id of touched.nodes) if (this.#moves(id)) moved.add(this.nodes.get(id)!);
		const levels: Levels = new Map();
		const homes = new Set<NodeView | null>();
		const again = new Set(touched.edges);
		for (const id of touched.removedEdges) this.#dropEdge(id, homes);
		for (const id of touched.removedNodes) this.#dropNode(id, levels);
		for (const id of touched.nodes) this.#record(id);
		for (const id of touched.nodes) this.#nest(id, levels, again);
		this.#settle(levels);
		for (const id of again) this.#placeEdge(id, homes);
		for (const id of touched.routes) {
			const view = again.has(id) ? null : this.edges.get(id);
			if (view) view.route = this.#routeOf(id, view.home);
		}
		if (homes.size > 0) this.lines(homes);
		if (routed || moved.size > 0) this.#outdate(moved);
		this.version++;
	}

	/* Whether the record that is to be shown has it elsewhere, or larger. */
	#moves(id: string): boolean {
		const [view, now] = [this.nodes.get(id), this.model.nodes.get(id)];
		if (!view || !now) return false;
		const of = ({ parentId, position, size, layout }: NodeRecord) => [parentId ?? '', position?.x, position?.y, size?.width ?? layout?.width, size?.height ?? layout?.height].join();
		return of(view.record) !== of(now);
	}
	readonly #outdated = new Set<EdgeView>();
	#outdate(moved: ReadonlySet<NodeView>): void {
		if (moved.size === 0) {
			for (const edge of this.#outdated) edge.outdated = false;
			this.#outdated.clear();
			return;
		}
		for (const edge of this.edges.values()) {
			if (!edge.route || edge.outdated) continue;
			for (const end of [edge.source, edge.target])
				for (let at: NodeView | null = end; at && at !== edge.home; at = at.parent) if (moved.has(at)) edge.outdated = true;
			if (edge.outdated) this.#outdated.add(edge);
		}
	}

	/* Everything but these steps back; what holds one of them stays as it is. */
	#dims = false;
	dim(keep: ReadonlySet<NodeView> | null): void {
		if (!keep && !this.#dims) return;
		this.#dims = keep !== null;
		const holds = new Set<NodeView>();
		for (const one of keep ?? []) for (const above of one.ancestors) holds.add(above);
		const fade = (level: NodeView[], already: boolean) => {
			for (const one of level) {
				one.faded = keep !== null && !already && !keep.has(one) && !holds.has(one);
				fade(one.children, already || one.faded);
			}
		};
		fade(this.roots, false);
		for (const edge of this.edges.values()) edge.faded = keep !== null && !(keep.has(edge.source) && keep.has(edge.target));
		this.tellApart();
	}

	#record(id: string): void {
		const record = this.model.nodes.get(id);
		if (!record) return;
		const view = this.nodes.get(id);
		if (view) [view.record, view.leaving] = [record, false];
		else this.nodes.set(id, new NodeView(this, record, this.#order++, this.#parentOf(record)));
	}

	#parentOf({ parentId }: NodeRecord): NodeView | null {
		return (parentId && this.nodes.get(parentId)) || null;
	}
	/* Puts a node below its parent; a parent that is not there (yet) is the board. `levels`: lists that are made anew. */
	#nest(id: string, levels: Levels, again: Set<string>): void {
		const view = this.nodes.get(id);
		if (!view) return;
		const parent = this.#parentOf(view.record);
		const fresh = !view.nested;
		if (!fresh && view.parent === parent) return;
		if (!fresh) this.#leave(view, levels);
		view.nested = true;
		if (view.parent !== parent) view.parent = parent;
		this.#level(parent, levels).push(view);
		if (fresh) return;
		view.over = null; // that was a place in the other one
		// Another container: its lines may belong to another layer.
		const moved = new Set([view, ...view.descendants].map((one) => one.id));
		for (const edge of this.model.edges.values()) if (moved.has(edge.source) || moved.has(edge.target)) again.add(edge.id);
	}

	#level(parent: NodeView | null, levels: Levels): NodeView[] {
		let list = levels.get(parent);
		if (!list) levels.set(parent, (list = [...(parent?.children ?? this.roots)]));
		return list;
	}
	#leave(view: NodeView, levels: Levels): void {
		const list = this.#level(view.parent, levels);
		const at = list.indexOf(view);
		if (at >= 0) list.splice(at, 1);
	}
	#settle(levels: Levels): void {
		for (const [parent, list] of levels) {
			list.sort((a, b) => a.order - b.order);
			if (parent) parent.children = list;
			else this.roots = list;
		}
	}

	#dropNode(id: string, levels: Levels): void {
		const view = this.nodes.get(id);
		if (!view) return;
		this.#leave(view, levels);
		[view.over, view.collapsed] = [null, false];
		this.nodes.delete(id);
	}

	#dropEdge(id: string, homes: Set<NodeView | null>): void {
		const view = this.edges.get(id);
		if (!view) return;
		homes.add(view.home);
		this.edges.delete(id);
	}

	#placeEdge(id: string, homes: Set<NodeView | null>): void {
		const record = this.model.edges.get(id);
		const source = record && this.nodes.get(record.source);
		const target = record && this.nodes.get(record.target);
		let view = this.edges.get(id) ?? (record && this.#asForeseen(record));
		if (view) homes.add(view.home);
		if (!record || !source || !target) {
			this.edges.delete(id);
			return;
		}
		const ends = endsOf(record, source, target);
		homes.add(ends.home);
		if (!view) return void this.edges.set(id, new EdgeView(ends, this.#routeOf(id, ends.home)));
		view.ends = ends;
		view.route = this.#routeOf(id, ends.home);
	}

	readonly foreseen = new Map<string, Promise<JsonObject> | null>(); // lines that the model does not have yet, by id, and their calls
	/* The line that was foreseen is the daemon's now: whoever has selected it still has it. */
	#asForeseen(record: EdgeRecord): EdgeView | undefined {
		for (const id of this.foreseen.keys()) {
			const line = this.edges.get(id);
			if (line && (['source', 'sourceHandle', 'target', 'targetHandle'] as const).every((end) => line.record[end] === record[end])) return this.rename(line, record.id);
		}
		return undefined;
	}
	rename(line: EdgeView, id: string): EdgeView {
		this.foreseen.delete(line.id);
		this.edges.delete(line.id);
		this.edges.set(id, line);
		line.record = { ...line.record, id };
		return line;
	}

	/* Routes come in places of the board; they are kept from the corner of their own container, which may move. */
	#routeOf(id: string, home: NodeView | null): Point[] | null {
		let [x, y] = [0, 0];
		for (let at = home; at; at = at.parent) {
			x += at.record.position?.x ?? 0;
			y += at.record.position?.y ?? 0;
		}
		return this.model.routes.get(id)?.map((p) => ({ x: p.x - x, y: p.y - y })) ?? null;
	}

	lines(homes: ReadonlySet<NodeView | null>): void {
		const lists = new Map<NodeView | null, EdgeView[]>([...homes].map((home) => [home, []]));
		for (const edge of this.edges.values()) lists.get(edge.home)?.push(edge);
		for (const [home, list] of lists) {
			if (home) home.inner = list;
			else this.topEdges = list;
		}
	}
}
