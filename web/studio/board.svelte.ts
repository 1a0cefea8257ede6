/* The nodes as elements of the page, nested as they are in the diagram, with the lines of each container (lines.svelte.ts). They are made here by hand and not by
 * components, because there are thousands: a node far away is one element, its title and badges are made when they are near
 * enough to be read, and lines that are far away are one path a kind. Each box has effects of its own, so that what changes
 * is drawn anew and nothing else. */
import { untrack } from 'svelte';

import { BUNDLED_OVER } from './bundle.ts';
import type { Diagram, NodeView } from './diagram.svelte.ts';
import { covers, touches, type Point, type Rect, type View } from './geometry.ts';
import { Lines, svg } from './lines.svelte.ts';
import { rangeOf } from './model.ts';
import { appear, glide, painted, vanish } from './motion.ts';
import { ACTIONS, SIGNS, sumOf } from './runs.ts';
import { s } from './text.ts';
import { written } from './written.ts';

/* Up to so many nodes everything is made at once, wherever it is. */
export const FEW = 300;
const MADE_A_FRAME = 32; // titles
const FOLLOWED_AT_ONCE = 200; // nodes
const LEFT_MS = 400; // what is out of sight for so long is taken away
const TITLE_PX = 13; // of a far title on the screen, with what is around it
const TITLE_WIDTH_PX = 64;

export const FAR = 0.25;
export const NEAR = 0.6;
/* The zoom for which far titles are as large as text; it changes in steps, because each one lays all titles out anew. */
export const zoomStep = (zoom: number) => 1.25 ** Math.floor(Math.log(zoom) / Math.log(1.25));

function made<K extends keyof HTMLElementTagNameMap>(tag: K, name: string, text = ''): HTMLElementTagNameMap[K] {
	const element = document.createElement(tag);
	element.className = name;
	if (text) element.textContent = text;
	return element;
}

/* What a plan does to it; to a collapsed box, to all that is in it. */
function plannedOf(node: NodeView): { word: string | null; words: string[] } {
	const words = node.collapsed ? [node, ...node.descendants].flatMap((one) => one.planned ?? []) : [];
	return { words, word: node.planned ?? ACTIONS.find((action) => words.includes(action)) ?? null };
}
const hasStatus = (node: NodeView) => node.diagram.showsStatus && node.deployed?.applicable !== false && !!node.record.terraformType;

/* Nothing but its frame; its name; all of it. */
type Level = 0 | 1 | 2;

class Box {
	readonly node: NodeView;
	readonly element = made('div', '');
	level: Level = 0;
	#board: Board;
	#head: HTMLElement | null = null;
	#titled = false;
	#children = new Map<NodeView, Box>();
	#lines: Lines | null = null;
	#wanted: readonly NodeView[] = [];
	#lined = false;
	#at: Point | null = null;
	#said = new Map<string, string>(); // its attributes
	#end: (() => void) | null = null;
	#endOfTitle: (() => void) | null = null;

	constructor(board: Board, node: NodeView) {
		this.#board = board;
		this.node = node;
		this.element.dataset.id = node.id;
		this.element.role = 'group';
		board.boxes.set(node, this);
		if (board.later(this)) untrack(() => (this.#place(), this.#look(), this.#body()));
		else this.follow();
		if (board.few) this.show(2);
	}
	/* From now on what changes is drawn anew. */
	follow(): void {
		this.#end = $effect.root(() => {
			$effect.pre(() => this.#place());
			$effect.pre(() => this.#look());
			if (!this.node.type || this.node.isContainer) $effect.pre(() => this.#body());
		});
		this.show(this.level);
	}
	/* So much of it: its title comes, is another one, or goes. */
	show(level: Level): void {
		this.level = level;
		this.#endOfTitle?.();
		this.#endOfTitle = null;
		if (level === 0) return void (this.#head = this.#head?.remove() ?? null);
		if (!this.#head) this.element.prepend((this.#head = made('div', this.#titled ? 'head titled' : 'head')));
		if (!this.#end) return untrack(() => this.#draw(this.#head!));
		this.#endOfTitle = $effect.root(() => {
			$effect.pre(() => this.#draw(this.#head!));
		});
	}
	end(): void {
		this.#end?.();
		this.#endOfTitle?.();
		this.#board.unfill(this);
		for (const child of this.#children.values()) child.end();
		this.#lines?.end();
		if (this.#board.boxes.get(this.node) === this) this.#board.boxes.delete(this.node);
		this.element.remove();
	}
	/* Whether its title stands in the far view, where only some have room. */
	titled(on: boolean): void {
		if (on === this.#titled) return;
		this.#titled = on;
		this.#head?.classList.toggle('titled', on);
	}

	#put(name: string, value: string | null | undefined): void {
		if (value == null ? !this.#said.delete(name) : this.#said.get(name) === value) return;
		if (value == null) return this.element.removeAttribute(name);
		this.#said.set(name, value);
		this.element.setAttribute(name, value);
	}

	/* Where the daemon has it; what the hand does to that is a transform, which lays nothing out anew. (A transform for each
	 * would make the browser put the picture together of as many parts, at every frame.) */
	#place(): void {
		const { over, record, width, height } = this.node;
		const { style } = this.element;
		const { x, y } = record.position ?? { x: 0, y: 0 };
		style.left = `${x}px`;
		style.top = `${y}px`;
		style.transform = over && (over.x !== x || over.y !== y) ? `translate(${over.x - x}px,${over.y - y}px)` : '';
		style.width = `${width}px`;
		style.height = `${height}px`;
		const [was, now] = [this.#at, { x: over?.x ?? x, y: over?.y ?? y }];
		this.#at = now;
		if (was && !over && this.#board.moves && (was.x !== now.x || was.y !== now.y)) glide(this.element, { x: was.x - now.x, y: was.y - now.y });
	}

	#look(): void {
		const { node } = this;
		const status = hasStatus(node) ? node.record.deploymentStatus : null;
		let name = 'node';
		if (node.lit) name += ` ${node.lit}`;
		if (node.isContainer && !node.collapsed) name += ' container';
		if (node.isNote) name += ' note';
		if (node.selected) name += ' selected';
		if (node.lifted) name += ' lifted';
		if (node.changedBy) name += ' changed';
		if (!node.type) name += ' unknown';
		if (node.faded) name += ' faded';
		if (node.isAway) name += ' away';
		if (node.pointed || node.marked) name += ' pointed';
		if (node.crowded) name += ' crowded';
		this.#put('class', name);
		this.#put('data-family', String(node.type?.family ?? 0));
		if (node.isNote) this.#put('data-note', node.record.properties.colour as string);
		this.#put('data-plan', plannedOf(node).word);
		this.#put('data-actor', (node.changedBy?.colour ?? node.seenBy[0]?.actor.colour)?.toString());
		this.#put('tabindex', node.tab ? '0' : '-1');
		this.#put('aria-label', s.describe(node));
		this.#put('aria-describedby', node.tab ? 'tenon-node-lines' : null);
		if (status) this.element.style.setProperty('--status', `var(--status-${status})`);
		else if (this.#said.has('data-status')) this.element.style.removeProperty('--status');
		this.#put('data-status', status);
	}

	/* What is in it. */
	#body(): void {
		const { node } = this;
		const open = node.isContainer && !node.collapsed;
		[this.#wanted, this.#lined] = [open ? node.children : [], open && node.inner.length > 0];
		if (open || this.#children.size > 0) this.#board.fill(this);
	}

	/* Makes what #body wants. */
	fill(): void {
		if (this.#lined && !this.#lines) this.element.append((this.#lines = new Lines(this.#board, this.node)).svg);
		else if (!this.#lined && this.#lines) this.#lines = this.#lines.end();
		reconcile(this.#board, this.element, this.#children, this.#wanted, this.#lines?.svg ?? null);
	}

	#draw(head: HTMLElement): void {
		const { node } = this;
		if (this.level === 1) return head.replaceChildren(made('b', 'label', s.nameOf(node)));
		const parts: (HTMLElement | SVGElement)[] = node.isNote ? [this.#text()] : this.#title();
		const inside = node.collapsed ? node.descendants : [];
		const problems = node.collapsed ? [...node.problems, ...inside.flatMap((one) => one.problems)] : node.problems;
		const badge = (kind: string, text = '', title = '') => {
			const element = made('i', `badge ${kind}`, text);
			if (title) element.title = title;
			parts.push(element);
			return element;
		};
		const level = problems.some((one) => one.severity === 'error') ? 'error' : problems.some((one) => one.severity === 'warning') ? 'warning' : 'info';
		const { worn } = node.diagram;
		if (problems.length > 0 && worn.problems) badge(level, String(problems.length), s.problemCount(problems)).dataset.badge = 'problems';
		/* Of a container all that is in it, else its own; no price is no number. */
		const sum = worn.costs ? (worn.sums.get(node.id) ?? node.cost?.monthly ?? null) : null;
		const price = sum ? s.money(sum, node.cost?.currency ?? '') : node.cost?.monthly === null ? '?' : null;
		if (worn.costs && price !== null) badge('price num', price).dataset.badge = 'cost';
		if (worn.changed?.has(node.id)) {
			const fresh = badge('fresh', '', s.changedSinceSave);
			fresh.dataset.badge = 'changed';
			fresh.role = 'img';
			fresh.ariaLabel = s.changedSinceSave;
		}
		if (node.crowded) badge('crowd', s.room.sign, s.room.mark).dataset.word = ` ${s.room.mark}`;
		const variables = worn.variables ? Object.values(node.record.variableModes ?? {}).filter((mode) => mode === 'variable').length : 0;
		if (variables > 0) badge('variables num', s.variableSign + variables, s.variableCount(variables)).dataset.badge = 'variables';
		const { word, words } = plannedOf(node);
		if (word) badge('plan', words.length > 1 ? sumOf(words) : (SIGNS[word] ?? ''), s.willBe(word)).dataset.word = words.length > 1 ? '' : ` ${s.planWord[word] ?? word}`;
		const status = node.record.deploymentStatus;
		const worded = hasStatus(node);
		if (!node.isNote && (worded || status !== 'pending')) {
			const dot = badge(`status ${status}${node.deployed?.changed ? ' differs' : ''}`, '', node.deployed?.error ?? s.status[status] ?? status);
			if (worded) dot.dataset.word = s.statusWord(status, node.deployed);
		}
		if (node.seenBy[0]) parts.push(made('i', 'who', node.seenBy[0].actor.name));
		head.replaceChildren(...parts);
	}

	#text(): HTMLElement {
		const { label, notes } = this.node.record;
		const text = made('p', 'text');
		text.append(...written(notes || label).map((part) => (part.kind ? made(part.kind, '', part.text) : part.text)));
		return text;
	}

	#title(): (HTMLElement | SVGElement)[] {
		const { node } = this;
		const { record, type } = node;
		const container = node.isContainer;
		const sign = svg('svg');
		sign.setAttribute('class', 'sign');
		sign.setAttribute('viewBox', '0 0 24 24');
		sign.setAttribute('aria-hidden', 'true');
		sign.append(svg('path'));
		sign.firstElementChild!.setAttribute('d', type?.sign ?? 'M4 4h16v16H4z');
		const range = container ? rangeOf(type, record.properties) : '';
		const count = container ? node.count : 0;
		const about = [type?.displayName ?? s.unknownType(record.typeId), range, count > 0 ? s.inside(count) : ''].filter(Boolean).join(' · ');
		const parts = [sign, made('b', 'label', s.nameOf(node)), made('span', 'type', about)];
		if (count > 0) {
			const toggle = made('button', 'toggle');
			toggle.type = 'button';
			toggle.tabIndex = -1;
			toggle.dataset.toggle = '';
			toggle.ariaExpanded = String(!node.collapsed);
			toggle.ariaLabel = node.collapsed ? s.expand(s.nameOf(node)) : s.collapse(s.nameOf(node));
			parts.push(toggle);
		}
		return parts;
	}
}

/* The boxes of a level, in order; what is there already stays where it is. */
function reconcile(board: Board, parent: ParentNode & globalThis.Node, have: Map<NodeView, Box>, wanted: readonly NodeView[], end: Element | null): void {
	if (have.size > 0) {
		const keep = new Set(wanted);
		for (const [node, box] of have)
			if (!keep.has(node)) {
				if (board.moves && board.diagram.node(node.id) !== node) vanish(box.element);
				box.end();
				have.delete(node);
			}
	}
	for (const node of wanted.toReversed()) {
		let box = have.get(node);
		if (!box) have.set(node, (box = new Box(board, node)));
		if (box.element.nextSibling !== end || box.element.parentNode !== parent) parent.insertBefore(box.element, end);
		if (!board.known.has(node) && board.moves) appear(box.element);
		board.known.add(node);
		end = box.element;
	}
}

const areaOf = (view: View, width: number, height: number): Rect => ({ x: -view.x / view.zoom, y: -view.y / view.zoom, width: width / view.zoom, height: height / view.zoom });

export class Board {
	readonly diagram: Diagram;
	readonly boxes = new Map<NodeView, Box>();
	readonly lines = new Set<Lines>();
	few: boolean; // so few nodes that all of it is made
	readonly known = new WeakSet<NodeView>(); // drawn before
	joins = $state(false); // lines are one path a kind
	#roots = new Map<NodeView, Box>();
	#top: Lines;
	#end: () => void;
	#area: Rect = { x: 0, y: 0, width: 0, height: 0 };
	#zoom = 1;
	#turn = 0;
	#leave: ReturnType<typeof setTimeout> | undefined;
	#waiting: [Box, Level][] = [];
	#fresh = true;
	#toFill = new Set<{ fill(): void }>();

	constructor(parent: Element, diagram: Diagram, view: View, zoom: number, width: number, height: number) {
		this.diagram = diagram;
		this.few = diagram.nodes.size <= FEW;
		this.#choose(areaOf(view, width, height), zoom);
		this.#top = new Lines(this, null);
		parent.prepend(this.#top.svg);
		const fill = () => reconcile(this, parent, this.#roots, diagram.roots, this.#top.svg);
		this.#end = $effect.root(() => {
			$effect.pre(() => {
				void diagram.roots;
				this.fill({ fill });
			});
		});
	}
	end(): void {
		this.#end();
		for (const box of this.#roots.values()) box.end();
		this.#top.end();
		this.#toFill.clear();
		cancelAnimationFrame(this.#turn);
		clearTimeout(this.#leave);
	}

	/* Boxes and lines have effects of their own, which must be nobody's child: a parent that runs again would lose them. So
	 * they are made when the effects have run, in the same turn. */
	fill(one: { fill(): void }): void {
		if (this.#toFill.size === 0) queueMicrotask(() => this.#fill());
		this.#toFill.add(one);
	}
	unfill(one: { fill(): void }): void {
		this.#toFill.delete(one);
	}
	#fill(): void {
		const before = this.boxes.size;
		for (const one of this.#toFill) {
			one.fill();
			this.#toFill.delete(one);
		}
		if (this.boxes.size > before && this.#area.width > 0) this.#show();
	}

	/* Of many nodes the picture comes first: they are followed when it has been painted, some at a time. */
	#later: Box[] = [];
	/* False: it is to be followed at once. */
	later(box: Box): boolean {
		if (!this.#fresh || this.few) return false;
		if (this.#later.push(box) === 1) void painted().then(painted).then(this.#follow);
		return true;
	}
	/* It has not ended meanwhile. */
	#has(box: Box): boolean {
		return this.boxes.get(box.node) === box;
	}
	#follow = () => {
		for (const box of this.#later.splice(0, FOLLOWED_AT_ONCE)) if (this.#has(box)) box.follow();
		if (this.#later.length > 0) setTimeout(this.#follow);
	};

	/* Whether what changes is seen to change: not the first time, and not among so many. */
	get moves(): boolean {
		return this.few && !this.#fresh;
	}

	/* What can be seen, and some more around it, from the corner of `home`. */
	areaIn(home: NodeView | null): Rect {
		const corner = home?.offsetIn(null) ?? { x: 0, y: 0 };
		return { ...this.#area, x: this.#area.x - corner.x, y: this.#area.y - corner.y };
	}

	/* The view has changed, or the zoom that details are for, or (`all`) what there is. */
	see(view: View, zoom: number, width: number, height: number, all: boolean): void {
		const seen = areaOf(view, width, height);
		const far = zoom < FAR;
		const same = far === this.#zoom < FAR && (!far || zoomStep(zoom) === zoomStep(this.#zoom));
		const rests = zoom === view.zoom; // else a hand zooms
		// What was made for another view is enough for this one, and not far more.
		if (width === 0 || (!all && same && covers(this.#area, seen) && (!rests || this.#area.width <= 2.5 * seen.width))) return;
		this.#choose(seen, zoom);
		if (!this.joins) for (const one of this.lines) one.look(this.few ? null : this.areaIn(one.home));
		this.#show();
	}
	#choose(seen: Rect, zoom: number): void {
		this.#zoom = zoom;
		this.#area = { x: seen.x - seen.width / 4, y: seen.y - seen.height / 4, width: 1.5 * seen.width, height: 1.5 * seen.height };
		this.few = this.diagram.nodes.size <= FEW;
		this.joins = zoom < FAR && (!this.few || this.diagram.edges.size > BUNDLED_OVER);
	}

	/* What comes into sight is made in the next frames, the first time at once; what has left it goes a moment later. */
	#show(): void {
		if (this.boxes.size === 0) return;
		this.#waiting = [];
		this.#look((box, level) => {
			if (level > box.level) this.#waiting.push([box, level]);
		});
		if (this.#fresh) queueMicrotask(() => this.#make(Infinity)); // not in the effect that has asked
		else this.#next();
		this.#fresh &&= this.boxes.size === 0;
		clearTimeout(this.#leave);
		this.#leave = setTimeout(() => {
			this.#look((box, level) => {
				if (level < box.level) this.#waiting.push([box, level]);
			});
			this.#next();
		}, LEFT_MS);
	}

	#make(most: number): void {
		for (const [box, level] of this.#waiting.splice(0, most)) if (this.#has(box)) box.show(level);
	}
	#next(): void {
		if (this.#turn || this.#waiting.length === 0) return;
		this.#turn = requestAnimationFrame(() => {
			this.#turn = 0;
			this.#make(MADE_A_FRAME);
			this.#next();
		});
	}

	/* How much of each box is to be seen. A far title needs room: the width of some letters, and no title around it above it. */
	#look(is: (box: Box, level: Level) => void): void {
		const zoom = this.#zoom;
		const far = zoom < FAR;
		const walk = (level: readonly NodeView[], x: number, y: number, titleY: number) => {
			for (const node of level) {
				const box = this.boxes.get(node);
				if (!box) continue;
				const r = { x: x + node.x, y: y + node.y, width: node.width, height: node.height };
				const open = node.isContainer && !node.collapsed;
				const titled = far && open && r.width * zoom >= TITLE_WIDTH_PX && (r.y - titleY) * zoom >= TITLE_PX;
				box.titled(titled);
				is(box, this.few ? 2 : !touches(r, this.#area) ? 0 : !far ? 2 : titled ? 1 : 0);
				if (open) walk(node.children, r.x, r.y, titled ? r.y : titleY);
			}
		};
		untrack(() => walk(this.diagram.roots, 0, 0, -Infinity));
	}
}
