/* The workspace of one project: which panels are open, what is being renamed, chosen or asked, and the acts that every part
 * of the page shares. */
import { untrack } from 'svelte';

import { link } from '../kit/link.svelte.ts';
import type { Json, JsonObject } from '../kit/mcp.ts';
import { uri, type Status } from '../kit/tenon.ts';
import { callOf, choicesBetween, type Choice } from './connect.ts';
import type { EdgeView, NodeView } from './diagram.svelte.ts';
import { onGrid, toBoard, type Point, type Rect } from './geometry.ts';
import type { Dropped, Hand } from './hand.svelte.ts';
import type { Handle, TypeInfo } from './model.ts';
import { Layers } from './layers.svelte.ts';
import { OpenProject, store, stored } from './project.svelte.ts';
import { say } from '../kit/toast.svelte.ts';
import { Runs } from './runs.svelte.ts';
import { s } from './text.ts';

export type LeftPanel = 'add' | 'outline' | 'search' | 'history';
export type BottomPanel = 'problems' | 'run' | 'plan' | 'costs' | 'code';
export type Panel = LeftPanel | BottomPanel | 'properties';
const HOLD_MS = 300;
type Menus = typeof import('./menus.svelte.ts');
const LEFT: readonly string[] = ['add', 'outline', 'search', 'history'];

interface Sizes {
	left: number;
	right: number;
	bottom: number;
}
interface Shown {
	left: LeftPanel | null;
	bottom: BottomPanel | null;
	right: boolean;
}

/* A list of what may be done at a place: a menu, or which of several connections was meant. */
export interface Offer {
	at: Point; // of the window
	title: string;
	start?: number; // the item that is meant first
	items: { label: string; hint?: string; note?: string; key?: string; disabled?: boolean; checked?: boolean; refused?: string | null; act: () => void }[]; // note: the colour of one; refused: why it cannot be chosen
}

/* What is about to be laid out: what is in a container, some nodes of one container, or, with neither, everything. */
export interface Arranging {
	container: NodeView | null;
	nodes: readonly NodeView[] | null;
}

/* An apply or destroy that a person is about to do. */
export interface Applying {
	destroy: boolean;
	args: JsonObject;
}

/* Whether the window has no room for panels beside the canvas. */
class Narrow {
	readonly #query = matchMedia('(max-width: 759px)');
	current = $state(this.#query.matches);
	readonly #turned = () => (this.current = this.#query.matches);
	constructor() {
		this.#query.addEventListener('change', this.#turned);
	}
	close(): void {
		this.#query.removeEventListener('change', this.#turned);
	}
}

export class Workspace {
	readonly project: OpenProject;
	readonly runs: Runs;
	readonly layers: Layers;
	carry: (away: boolean) => void = () => undefined; // what is selected to the clipboard: Carried.svelte, which has it
	applying = $state.raw<Applying | null>(null);
	arranging = $state.raw<Arranging | null>(null);
	planned = $state.raw<Rect[]>([]); // where nodes would be after it, on the board
	hand: Hand | null = null;
	at: Point = { x: 0, y: 0 }; // the pointer, on the board
	hovered = $state.raw<NodeView | null>(null); // its title, or all of a leaf
	renaming = $state.raw<NodeView | null>(null);
	offer = $state.raw<Offer | null>(null);
	/* Quick add: what is to be joined to the new node, and where it goes. */
	quick = $state.raw<{ from: NodeView; handle: Handle | null; at: Point; screen: Point } | null>(null);
	dialog = $state<'close' | 'rename' | 'export' | 'import' | 'settings' | null>(null);
	brought = $state.raw<Record<string, string> | string | null>(null); // files for the import, or the folder they lie in
	hints = $state((stored<number>('hints', 'all') ?? 0) < 5); // the first steps are not done yet
	palette = $state.raw<boolean | { parent: NodeView | null; at?: Point }>(false); // the search for a type, over everything; where to
	focused = $state.raw<NodeView | null>(null); // focus mode (SC-069)
	#keep = new Map<string, ReadonlySet<NodeView>>();
	minimap = $state(stored<boolean>('minimap', 'all') ?? true);
	wheelZooms = $state(stored<boolean>('wheel', 'all') ?? false);
	sizes = $state<Sizes>(stored<Sizes>('sizes', 'all') ?? { left: 268, right: 320, bottom: 230 });
	shown = $state<Shown>(stored<Shown>('panels', 'all') ?? { left: 'add', bottom: null, right: true });
	/* On a narrow screen the canvas has the width, and one panel at a time is a sheet from below (SC-191). */
	readonly narrow = new Narrow();
	sheet = $state<Panel | null>(null);
	tall = $state(false);
	/* The property to which a problem leads; the form takes the focus there. */
	field = $state.raw<{ instanceId: string; property: string } | null>(null);
	focusNode: (node: NodeView) => void = () => undefined;
	focusCanvas: () => void = () => undefined;

	constructor(id: string) {
		this.project = new OpenProject(id);
		this.runs = new Runs(this.project);
		this.layers = new Layers(this.runs);
	}
	close(): void {
		this.narrow.close();
		this.runs.close();
		this.project.close();
	}

	/* ---- panels ---- */

	open(panel: Panel): void {
		if (this.narrow.current) this.sheet = panel;
		else if (panel === 'properties') this.shown.right = true;
		else if (LEFT.includes(panel)) this.shown.left = panel as LeftPanel;
		else this.shown.bottom = panel as BottomPanel;
		this.keep();
	}
	toggle(panel: Panel): void {
		if (this.narrow.current) this.sheet = this.sheet === panel ? null : panel;
		else if (panel === 'properties') this.shown.right = !this.shown.right;
		else if (LEFT.includes(panel)) this.shown.left = this.shown.left === panel ? null : (panel as LeftPanel);
		else this.shown.bottom = this.shown.bottom === panel ? null : (panel as BottomPanel);
		this.keep();
	}
	isOpen(panel: Panel): boolean {
		if (this.narrow.current) return this.sheet === panel;
		return panel === 'properties' ? this.shown.right : panel === this.shown.left || panel === this.shown.bottom;
	}
	focusBack(): void {
		const last = this.project.selection.at(-1);
		if (last) this.focusNode(last);
		else this.focusCanvas();
	}
	/* Whoever had the focus on what goes has it on what is selected then (SC-209). */
	async remove(nodes: readonly NodeView[]): Promise<void> {
		await this.project.remove(nodes);
		const at = document.activeElement;
		if (at === document.body || at?.closest('[role="application"]')) this.focusBack();
	}
	/* A side closes, or opens with what it showed last (SC-031). */
	flip(side: 'left' | 'bottom' | 'right'): void {
		this.toggle(side === 'right' ? 'properties' : (this.shown[side] ?? this.#last[side]));
	}
	#last: { left: LeftPanel; bottom: BottomPanel } = { left: this.shown.left ?? 'add', bottom: this.shown.bottom ?? 'problems' };
	keep(): void {
		this.#last = { left: this.shown.left ?? this.#last.left, bottom: this.shown.bottom ?? this.#last.bottom };
		store('sizes', 'all', $state.snapshot(this.sizes));
		store('panels', 'all', $state.snapshot(this.shown));
		store('minimap', 'all', this.minimap);
		store('wheel', 'all', this.wheelZooms);
	}

	back(step: -1 | 1): void {
		const { project } = this;
		project.trail.go(step, (id) => !!project.diagram?.node(id), (ids) => {
			const nodes = ids.flatMap((id) => project.diagram?.node(id) ?? []);
			if (nodes.length === 1) this.show(nodes[0]!);
			else project.select(nodes);
		});
	}

	firstSteps = () => {
		store('hints', 'all', null);
		this.hints = true;
	};

	/* What connects an assistant, and to what (SC-032). */
	async share(): Promise<string> {
		const { http } = JSON.parse(await link.client.read(uri.status)) as Status;
		return s.shareLines(http.url ?? '', this.project.info?.name ?? '', this.project.id);
	}

	/* Files were dropped, chosen or pasted; or the folder that they lie in. */
	bring(files: Record<string, string> | string | null): void {
		this.brought = files;
		this.dialog = 'import';
	}

	/* ---- showing a node ---- */

	/* Opens what hides it, selects it and brings it into sight. */
	show(node: NodeView, property?: string, focus = true): void {
		for (const above of node.ancestors) if (above.collapsed) this.project.collapse(above, false);
		this.project.select([node]);
		const { view, canvas } = this.project;
		const r = node.rectIn(null);
		const [x, y] = [r.x * view.zoom + view.x, r.y * view.zoom + view.y];
		const visible = x >= 0 && y >= 0 && x + r.width * view.zoom <= canvas.width && y + r.height * view.zoom <= canvas.height;
		if (!visible) this.project.lookAt([node]);
		if (property !== undefined) {
			this.open('properties');
			this.field = { instanceId: node.id, property };
		} else if (focus) this.focusNode(node);
	}

	/* Who looks at a part only (a search, a plan, a container in focus) says which; the rest steps back. */
	dim(why: 'focus' | 'search' | 'plan', keep: ReadonlySet<NodeView> | null): void {
		if (keep) this.#keep.set(why, keep);
		else this.#keep.delete(why);
		const [first, ...others] = [...this.#keep.values()];
		this.project.diagram?.dim(first ? new Set([...first].filter((one) => others.every((set) => set.has(one)))) : null);
	}

	/* A container, all in it, and what its lines reach. */
	focus(container: NodeView | null): void {
		this.focused = container;
		if (!container) return this.dim('focus', null);
		const keep = new Set([container, ...container.descendants]);
		const inside = new Set(keep);
		for (const edge of this.project.diagram?.allEdges ?? []) {
			if (inside.has(edge.source)) keep.add(edge.target);
			if (inside.has(edge.target)) keep.add(edge.source);
		}
		this.dim('focus', keep);
		this.project.lookAt([...keep]);
	}

	/* ---- adding ---- */

	/* The selected container, or the nearest above it in which a node of this type may stand; null: the top level. */
	parentFor(type: TypeInfo): NodeView | null {
		const catalogue = this.project.diagram?.catalogue;
		for (let at = this.project.selection.at(-1) ?? null; at; at = at.parent)
			if (at.isContainer && catalogue?.mayStandIn(type.typeId, at.record.typeId)) return at;
		return null;
	}

	/* `keep`: the list stays open, and the next one is joined to this one where it can be (SC-042). */
	async add(type: TypeInfo, where: { parent: NodeView | null; at?: Point } = { parent: this.parentFor(type) }, keep = false): Promise<string | null> {
		const args: JsonObject = { typeId: type.typeId };
		if (where.parent) args.parentId = where.parent.id;
		if (where.at) args.position = { x: onGrid(where.at.x), y: onGrid(where.at.y) };
		const from = keep && this.#chained && this.project.diagram?.node(this.#chained);
		const choice = from && choicesBetween(this.project.diagram!.catalogue, from, { id: '$new', record: { typeId: type.typeId } }, null)[0];
		const answer = choice ? await this.#addJoined(type, from, choice, args) : await this.project.act('add_resource', args);
		if (!answer) return null;
		remember(type.typeId);
		const id = String(answer.instanceId);
		this.#chained = keep ? id : null;
		await this.arrived(id, !keep);
		this.project.say(s.added(String(answer.label ?? type.displayName), where.parent ? s.nameOf(where.parent) : null));
		return id;
	}
	#chained: string | null = null;

	/* A node joined to another one: one change. */
	async addJoined(type: TypeInfo, from: NodeView, choice: Choice, at: Point): Promise<void> {
		const catalogue = this.project.diagram?.catalogue;
		const parent = this.hand?.legalAt(at, (box) => !!catalogue?.mayStandIn(type.typeId, box.record.typeId));
		const legal = parent && catalogue?.mayStandIn(type.typeId, parent.record.typeId) ? parent : null;
		const corner = legal?.offsetIn(null) ?? { x: 0, y: 0 };
		const add: JsonObject = { typeId: type.typeId, position: { x: onGrid(at.x - corner.x), y: onGrid(at.y - corner.y) } };
		if (legal) add.parentId = legal.id;
		const made = await this.#addJoined(type, from, choice, add);
		remember(type.typeId);
		if (made) await this.arrived(String(made.instanceId), true);
	}
	async #addJoined(type: TypeInfo, from: NodeView, choice: Choice, add: JsonObject): Promise<JsonObject | null> {
		const end = (id: string) => (id === from.id ? id : '$new.instanceId');
		const operations: Json[] = [
			{ tool: 'add_resource', arguments: add, as: 'new' },
			{
				tool: 'connect_resources',
				arguments: { sourceInstanceId: end(choice.source), sourceHandle: choice.sourceHandle, targetInstanceId: end(choice.target), targetHandle: choice.targetHandle },
			},
		];
		const answer = await this.project.act('execute_batch', { operations, label: s.addedJoined(type.displayName, s.nameOf(from)) });
		return Array.isArray(answer?.results) ? (answer.results[0] as JsonObject) : null;
	}

	/* Selects what was added as soon as it is here; brings it into sight only if it is outside. */
	async arrived(id: string, select: boolean): Promise<void> {
		for (let tries = 0; tries < 100 && !this.project.diagram?.node(id); tries++) await new Promise((r) => setTimeout(r, 20));
		const node = this.project.diagram?.node(id);
		if (node && select) untrack(() => this.show(node));
	}

	/* A type dragged out of the palette: shown under the pointer, added where it is let go (SC-042, 043). */
	dragged = $state.raw<{ type: TypeInfo; at: Point; into: NodeView | null; reason: string | null; over: boolean } | null>(null);

	dragType(type: TypeInfo, event: PointerEvent): void {
		if (event.button !== 0) return;
		const start = { x: event.clientX, y: event.clientY };
		const catalogue = this.project.diagram?.catalogue;
		const board = (e: PointerEvent): { at: Point; over: boolean } => {
			const box = document.querySelector('[role="application"]')?.getBoundingClientRect();
			const inside = !!box && e.clientX >= box.left && e.clientX <= box.right && e.clientY >= box.top && e.clientY <= box.bottom;
			return { at: toBoard(this.project.view, { x: e.clientX - (box?.left ?? 0), y: e.clientY - (box?.top ?? 0) }), over: inside };
		};
		const light = (into: NodeView | null, legal: boolean) => {
			if (this.dragged?.into && this.dragged.into !== into) this.dragged.into.lit = '';
			if (into) into.lit = legal ? 'into' : 'refused';
		};
		const finger = event.pointerType === 'touch';
		const far = (e: PointerEvent) => Math.hypot(e.clientX - start.x, e.clientY - start.y) >= 6;
		// A finger scrolls the list; held for a moment it takes the type.
		const hold = finger ? setTimeout(() => ((this.tall = false), (this.dragged = { type, at: start, into: null, reason: null, over: false })), HOLD_MS) : undefined;
		const move = (e: PointerEvent) => {
			if (!this.dragged && far(e)) clearTimeout(hold);
			if (!this.dragged && (finger || !far(e))) return;
			const { at, over } = board(e);
			const into = over ? (this.hand?.legalAt(at, (box) => !!catalogue?.mayStandIn(type.typeId, box.record.typeId)) ?? null) : null;
			const legal = !into || !!catalogue?.mayStandIn(type.typeId, into.record.typeId);
			light(into, legal);
			const reason = legal ? null : s.goesInto(type.displayName, type.canBeChildOf.map((id) => catalogue?.find(id)?.displayName ?? id));
			this.dragged = { type, at: { x: e.clientX, y: e.clientY }, into, reason, over };
		};
		const end = (e: PointerEvent | KeyboardEvent) => {
			if (e instanceof KeyboardEvent && e.key !== 'Escape') return;
			clearTimeout(hold);
			removeEventListener('pointermove', move);
			removeEventListener('pointerup', end);
			removeEventListener('pointercancel', end);
			removeEventListener('keydown', end, true);
			const drag = this.dragged;
			light(null, true);
			this.dragged = null;
			if (drag && e instanceof PointerEvent && e.type === 'pointerup' && drag.over) this.#dropType(drag, board(e).at);
		};
		addEventListener('pointermove', move);
		addEventListener('pointerup', end);
		addEventListener('pointercancel', end);
		addEventListener('keydown', end, true);
	}

	#dropType(drag: { type: TypeInfo; into: NodeView | null; reason: string | null }, at: Point): void {
		if (drag.reason) {
			this.project.refusal = { text: drag.reason, code: 'CONTAINMENT_ERROR', ids: [] };
			this.project.say(drag.reason);
			this.offer = {
				at: { x: innerWidth / 2 - 140, y: innerHeight / 3 },
				title: drag.reason,
				items: [{ label: s.addAtTop, act: () => void this.add(drag.type, { parent: null, at }) }],
			};
			return;
		}
		const corner = drag.into?.offsetIn(null) ?? { x: 0, y: 0 };
		void this.add(drag.type, { parent: drag.into, at: { x: at.x - corner.x, y: at.y - corner.y } });
	}

	note(at: Point, text = ''): void {
		const type = this.project.diagram?.catalogue.all.find((one) => /\/(sticky_)?note$/.test(one.typeId));
		if (!type) return;
		const parent = this.hand?.containerAt(at) ?? null;
		const corner = parent?.offsetIn(null) ?? { x: 0, y: 0 };
		const place = { x: at.x - corner.x, y: at.y - corner.y };
		if (text) {
			const add: JsonObject = { typeId: type.typeId, position: place };
			if (parent) add.parentId = parent.id;
			const operations: Json[] = [
				{ tool: 'add_resource', arguments: add, as: 'new' },
				{ tool: 'update_resource', arguments: { instanceId: '$new.instanceId', properties: {}, notes: text.slice(0, 16_000) } },
			];
			return void this.project.act('execute_batch', { operations, label: s.menu.note });
		}
		void this.add(type, { parent, at: place }).then((id) => {
			const node = id && this.project.diagram?.node(id);
			if (node) this.renaming = node;
		});
	}

	/* ---- connecting ---- */

	handlesOf(node: NodeView | null): Handle[] {
		return node?.type?.handles ?? [];
	}

	connect(dropped: Dropped): void {
		const { node, target, choices, screen, at, handle } = dropped;
		if (!target) {
			this.quick = { from: node, handle, at, screen };
			return;
		}
		if (choices.length === 1) return this.join(choices[0]!);
		this.offer = {
			at: screen,
			title: s.whichConnection(s.nameOf(node), s.nameOf(target)),
			items: choices.map((choice) => ({
				label: choice.label,
				hint: choice.source === node.id ? `${choice.sourceHandle} → ${choice.targetHandle}` : `${choice.targetHandle} ← ${choice.sourceHandle}`,
				act: () => this.join(choice),
			})),
		};
	}

	join(choice: Choice): void {
		void this.project.act(...callOf(choice));
	}

	disconnect(edge: EdgeView): void {
		this.project.selectEdge(null);
		void this.project.act('disconnect_resources', { edgeId: edge.id }).then((done) => {
			const told = ((Array.isArray(done?.clearedReferences) ? done.clearedReferences : []) as { instanceId: string; property: string }[]).map((one) => {
				const node = this.project.diagram?.node(one.instanceId);
				return s.cleared(node?.type?.properties.find((it) => it.key === one.property)?.label ?? one.property, node ? s.nameOf(node) : '');
			});
			if (told.length > 0) (say(told.join(' ')), this.project.say(told.join(' ')));
		});
	}

	/* Types of which one can be joined to `from`, each with how. */
	joinable(from: NodeView, handle: Handle | null): { type: TypeInfo; choice: Choice }[] {
		const catalogue = this.project.diagram?.catalogue;
		if (!catalogue) return [];
		return catalogue.all.filter((type) => !type.hidden).flatMap((type) => {
			const other = { id: '$new', record: { typeId: type.typeId } };
			const choice = choicesBetween(catalogue, from, other, handle)[0];
			return choice && !catalogue.isAnnotation(type.typeId) ? [{ type, choice }] : [];
		});
	}

	/* ---- menus ---- */

	/* What is asked for by name: menus, lists to choose from, the search for a type. Loaded with the first press on the page, so
	 * that it is there at once when it is asked for, and takes what is typed into it. */
	menus = $state.raw<Menus | null>(null);
	early = ''; // typed into a search that is on its way; it begins with that
	hold(event: KeyboardEvent): void {
		if (this.menus || !(this.palette || this.quick) || event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
		this.early += event.key;
		event.preventDefault();
		event.stopPropagation();
	}
	typedEarly(): string {
		const words = this.early;
		this.early = '';
		return words;
	}
	asks(act: (menus: Menus) => void = () => undefined): void {
		if (this.menus) act(this.menus);
		else void import('./menus.svelte.ts').then((it) => act((this.menus = it)));
	}

	menu(at: Point, node: NodeView | null): void {
		if (node && !node.selected) this.project.select([node]);
		const board = this.at;
		this.asks(({ boardMenu, nodeMenu }) => (this.offer = node ? nodeMenu(this, at, node, board) : boardMenu(this, at, board)));
	}
	chooseConnection(node: NodeView): void {
		this.asks((it) => it.chooseConnection(this, node));
	}
	choosePlace(): void {
		this.asks((it) => it.choosePlace(this));
	}

	layout(container: NodeView | null, nodes: readonly NodeView[] | null = null): void {
		this.arranging = { container, nodes };
	}

	async duplicate(): Promise<void> {
		const ids = this.project.selection.map((one) => one.id);
		if (ids.length === 0) return;
		await this.took(await this.project.act('copy_resources', { instanceIds: ids }));
	}

	/* What was copied is what the hand has now. */
	async took(answer: JsonObject | null): Promise<void> {
		const copies = Object.values((answer?.copies ?? {}) as Record<string, string>);
		const last = copies.at(-1);
		if (!last) return;
		await this.arrived(last, false);
		this.project.select(copies.flatMap((id) => this.project.diagram?.node(id) ?? []).filter((one) => !copies.includes(one.parent?.id ?? '')));
	}

	/* The middle of a node on the window, for menus that keys open. */
	middleOf(node: NodeView): Point {
		const { view } = this.project;
		const r = node.shown.rectIn(null);
		const box = document.querySelector('[role="application"]')?.getBoundingClientRect();
		return { x: (box?.left ?? 0) + (r.x + r.width / 2) * view.zoom + view.x, y: (box?.top ?? 0) + (r.y + 30) * view.zoom + view.y };
	}

	quickFrom(node: NodeView): void {
		const r = node.rectIn(null);
		this.quick = { from: node, handle: null, at: { x: r.x + r.width + 80, y: r.y }, screen: this.middleOf(node) };
	}


}

const LAST = 8;
export const lastUsed = (): string[] => stored<string[]>('last', 'all') ?? [];
function remember(id: string): void {
	store('last', 'all', [id, ...lastUsed().filter((one) => one !== id)].slice(0, LAST));
}
