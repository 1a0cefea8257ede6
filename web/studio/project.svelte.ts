/* One project as this page has it: the daemon's state, followed by get_changes; what this hand does, shown at once and
 * confirmed or taken back; what is selected and looked at, and by whom. All parts of the page speak with it and not with the
 * daemon. */
import { untrack } from 'svelte';

import { link } from '../kit/link.svelte.ts';
import { McpError, type Json, type JsonObject } from '../kit/mcp.ts';
import { say } from '../kit/toast.svelte.ts';
import { Diagram, type EdgeView, type NodeView, type Placed } from './diagram.svelte.ts';
import { allMine, expect, type Expected, type Lookup, type Stale } from './expect.ts';
import { bounds, fit, type Rect, type View } from './geometry.ts';
import {
	advance,
	Catalogue,
	modelOf,
	named,
	type Actor,
	type Change,
	type ChangesAnswer,
	type Costs,
	type Diagnostics,
	type DiagramAnswer,
	type Ghost,
	type Here,
	type Later,
	type Pointed,
	type ProjectInfo,
	type Types,
} from './model.ts';
import { painted } from './motion.ts';
import { s } from './text.ts';
import { Trail } from './trail.ts';

/* What shows a change, and what the daemon looks through the whole diagram for: in a large one that is asked for afterwards. */
const AT_ONCE = ['layout', 'ghosts'];
const DRAWN = [...AT_ONCE, 'routes'];
const INCLUDE = [...DRAWN, 'defaults', 'diagnostics', 'costs', 'addresses'];
const LARGE = 200; // nodes
const HISTORY = 200;
const GONE = 1000; // nodes
const BURST_MS = 2000; // changes of one actor that are further apart are two notices
const CHANGED_MS = 3000; // how long what others changed has their colour
const GLIDE_MS = 150;
const PRESENCE_MS = 120;
const SAY_MS = 1000;
const SENTENCES = 3;
const PAPER = { width: 1000, height: 660 }; // A4 and Letter on their side, between margins, in CSS pixels
const PRESENCE_KEEP_MS = 15_000; // the daemon forgets after 30 s

const newest = (known: ReadonlyMap<string, Change>) => [...known.values()].sort((a, b) => b.revision - a.revision).slice(0, HISTORY);
/* A notice of what others did, with its own undo (SC-142). */
export interface Burst {
	id: number;
	actor: Actor;
	at: number; // when the last of them came
	changes: Change[];
}

export interface Refusal {
	text: string;
	code: string;
	ids: string[];
	details?: JsonObject;
	again?: () => void; // does it all the same
	save?: () => void; // saving failed: tries it again
	by?: Later[]; // what stands in the way of taking a change back, newest first
}

type Guess = Map<string, Placed>;

/* A change that was sent and not answered. */
export interface Undelivered {
	tool: string;
	args: JsonObject;
	revision: number; // before it
}
const CHANGES = /^(add|move|remove|update|connect|disconnect|copy)_|^execute_batch$|^layout_diagram$|^set_project_config$/;

let catalogue: Promise<Catalogue> | null = null;
/* The types: read once for all projects, while the page stands open and before one is chosen. */
export function typesKnown(): Promise<Catalogue> {
	const asked = (catalogue ??= link.client.read('studio://types').then((text) => new Catalogue(JSON.parse(text) as Types)));
	asked.catch(() => catalogue === asked && forgetTypes());
	return asked;
}
/* Another connection may be one to another daemon. */
export function forgetTypes(): void {
	catalogue = null;
}

export class OpenProject {
	readonly id: string;
	info = $state.raw<ProjectInfo | null>(null);
	diagram = $state.raw<Diagram | null>(null);
	problem = $state.raw<McpError | null>(null);
	diagnostics = $state.raw<Diagnostics>({ byNode: {}, project: [] });
	costs = $state.raw<Costs | null>(null);
	config = $state.raw<JsonObject | null>(null);
	savedFiles = $state.raw<Record<string, string> | null>(null); // generated when nothing was unsaved (Code.svelte)
	ghosts = $state.raw<Ghost[]>([]);
	shadows = $state.raw<Ghost[]>([]); // of what is gone and is looked at in the history (SC-141)
	readonly gone = new Map<string, Ghost>(); // where what is not there any more stood
	history = $state.raw<Change[]>([]); // newest first
	selection = $state.raw<NodeView[]>([]);
	edge = $state.raw<EdgeView | null>(null);
	here = $state.raw<Here[]>([]);
	pointed = $state.raw<Pointed[]>([]);
	bursts = $state<Burst[]>([]);
	toasts = $state(stored<boolean>('toasts', 'all') ?? true); // whether they are shown
	refusal = $state.raw<Refusal | null>(null);
	/* Sentences for the live region (SC-207). */
	told = $state('');
	refused = $state(''); // and of refusals, which are said at once
	view = $state.raw<View>({ x: 0, y: 0, zoom: 1 });
	canvas = $state.raw({ width: 0, height: 0 }); // of the screen
	editing = $state.raw<{ instanceId: string; property?: string } | null>(null);
	readonly drafts = new Map<string, string>(); // unsent text by "node/property": outlives everything but the tab
	/* What was sent when the connection went, and did not happen: offered again, never sent again by itself (SC-235). */
	undelivered = $state.raw<Undelivered[]>([]);
	readonly unsent = new Set<() => void>(); // what is typed and goes before any other act (SC-087), and who wants to know of one
	#cursor = '';
	#wholeCursor = ''; // the same of what was asked for with everything
	#drawn!: () => void;
	readonly drawn = new Promise<void>((done) => (this.#drawn = done)); // or cannot be: what stands around it waits for that
	filled = () => this.drawn.then(() => import('./filled.ts'));
	#historied = false; // what was done before is known
	#completing = false;
	#completeAgain = false;
	#running = false;
	#again = false;
	#stops: (() => void)[] = [];
	#own = new Set<string>();
	#pending = new Set<Promise<unknown>>();
	#over = new Map<string, number>(); // the newest guess of a node
	#guess = 0;
	#revs = new Map<string, number>(); // of what this page has changed, until it is told of it
	#busy = new Map<string, number>(); // what calls on their way change
	#closed = false;
	#cut = false; // the connection was lost since the daemon answered last
	#reopening = false;
	#self = ''; // whose changes are this tab's
	#unanswered: Undelivered[] = [];
	#burst = 1;
	#marks = new Map<string, ReturnType<typeof setTimeout>>();
	#presence: ReturnType<typeof setTimeout> | undefined;
	#presenceKeep: ReturnType<typeof setInterval> | undefined;
	#pointer: { x: number; y: number } | null = null;
	#held: string[] = [];
	#placed = false;

	constructor(id: string) {
		this.id = id;
		const follow = () => void this.#follow();
		const refused = (error: McpError) => {
			this.#drawn();
			if (this.diagram) follow(); // says why, or opens it again
			else if (error.code !== 'DISCONNECTED') this.problem = error;
		};
		for (const part of ['diagram', 'status', 'problems', 'costs', 'config'])
			this.#stops.push(link.client.watch(this.uri(part), follow, refused));
		this.#stops.push(link.client.watch(this.uri('presence'), () => void this.#readPresence(), () => undefined));
		this.#stops.push(
			$effect.root(() => {
				$effect(() => {
					if (link.state !== 'open') this.#cut = true;
				});
			}),
		);
		this.#presenceKeep = setInterval(() => this.tell(), PRESENCE_KEEP_MS);
	}

	close(): void {
		this.#closed = true;
		this.#keepView();
		for (const stop of this.#stops) stop();
		clearTimeout(this.#presence);
		clearTimeout(this.#sayer);
		clearInterval(this.#presenceKeep);
		for (const timer of this.#marks.values()) clearTimeout(timer);
	}

	uri(part: string): string {
		return `studio://projects/${this.id}/${part}`;
	}

	/* ---- what the daemon has ---- */

	async #follow(): Promise<void> {
		if (this.#running) {
			this.#again = true;
			return;
		}
		this.#running = true;
		try {
			do {
				this.#again = false;
				if (this.diagram) await this.#advance();
				else await this.#load();
			} while (this.#again && !this.#closed);
			this.problem = null;
			this.#cut = false;
			if (this.#unanswered.length > 0) await this.#lookUp();
		} catch (error) {
			this.#drawn();
			if (this.#reopening) return;
			if (error instanceof McpError && error.code === 'PROJECT_NOT_FOUND' && this.#cut && this.info) void this.#reopen(this.info.path);
			else if (error instanceof McpError && error.code !== 'DISCONNECTED') this.problem = error;
			else if (!(error instanceof McpError)) throw error;
		} finally {
			this.#running = false;
		}
	}

	/* Where it is, also when it is closed: this browser has had it open (SC-240). */
	get path(): string | null {
		return this.info?.path ?? stored<string>('path', this.id);
	}
	openAgain(): void {
		if (this.path) void this.#reopen(this.path);
	}

	/* The daemon began anew, and the project is not open any more (SC-236). */
	async #reopen(path: string): Promise<void> {
		this.#cut = false;
		this.#reopening = true;
		try {
			const answer = (await link.client.call('open_project', { projectPath: path })).structured as { warnings?: { message?: string }[] } | null;
			for (const one of answer?.warnings ?? []) if (one.message) say(one.message);
			this.#reopening = false;
			link.client.watchAgain('studio://');
		} catch (error) {
			this.#reopening = false;
			if (error instanceof McpError && error.code !== 'DISCONNECTED') this.problem = error;
		}
	}

	/* What was sent and not answered is in the history, or it did not happen (ST-014). */
	async #lookUp(): Promise<void> {
		const asked = this.#unanswered.splice(0);
		try {
			await this.#tellPresence();
			const { changes } = await this.#ask<{ changes: Change[] }>('list_changes', { limit: HISTORY });
			const own = changes.map(told).filter((one) => one.actor.id === this.#self && !this.#own.has(one.changeId));
			const missing = asked.filter((one) => {
				const found = own.find((change) => change.tool === one.tool && change.revision > one.revision && !this.#own.has(change.changeId));
				if (found) this.#own.add(found.changeId);
				return !found;
			});
			this.undelivered = [...this.undelivered, ...missing];
		} catch (error) {
			if (!(error instanceof McpError)) throw error;
			this.#unanswered.unshift(...asked); // looked up when the daemon is there again
		}
	}
	again(one: Undelivered): void {
		this.forget(one);
		void this.act(one.tool, one.args);
	}
	forget(one: Undelivered): void {
		this.undelivered = this.undelivered.filter((other) => other !== one);
	}

	async #ask<T>(tool: string, args: JsonObject): Promise<T> {
		const result = await link.client.call(tool, { project: this.id, ...args });
		return (result.structured ?? {}) as unknown as T;
	}

	/* What is needed to draw it; the rest comes when it is drawn, by the way of all changes: it is what this reader was never told. */
	async #load(): Promise<void> {
		const [types, answer] = await Promise.all([typesKnown(), this.#ask<DiagramAnswer>('get_diagram', { include: DRAWN })]);
		const diagram = new Diagram(modelOf(answer), types);
		this.#cursor = this.#wholeCursor = answer.cursor ?? String(answer.revision);
		this.info = answer.project;
		this.ghosts = answer.ghosts ?? [];
		this.diagnostics = { byNode: {}, project: [] };
		const selected = this.selection.map((one) => one.id);
		this.diagram = diagram;
		this.select(selected.flatMap((id) => diagram.node(id) ?? []));
		this.collapseAsBefore();
		if (!this.#placed) this.#place();
		this.#historied = false;
		void painted().then(painted).then(() => {
			this.#drawn();
			store('path', this.id, answer.project.path);
			void this.#complete();
		});
	}

	async #advance(): Promise<void> {
		const large = (this.diagram?.nodes.size ?? 0) > LARGE;
		const include = large ? AT_ONCE : INCLUDE;
		const answer = await this.#ask<ChangesAnswer>('get_changes', { since: large ? this.#cursor : this.#wholeCursor, include });
		if (answer.reset) await this.#load();
		else this.#take(answer, include);
		if (large || !this.#historied) void this.#complete();
	}

	/* Takes the focus from a node that somebody else removed; null: the canvas. */
	inherits: (node: NodeView | null) => void = () => undefined;
	/* Who has it then; undefined: what goes does not have it. Nothing is selected by that: Delete is not meant for it. */
	#heir(diagram: Diagram, gone: ReadonlySet<string>): NodeView | null | undefined {
		const id = document.activeElement?.closest<HTMLElement>('[role="application"] [role="group"][data-id]')?.dataset.id;
		const node = id !== undefined && gone.has(id) ? diagram.node(id) : null;
		return node ? neighbour(node, diagram, gone) : undefined;
	}

	#remember(node: NodeView | null): void {
		if (!node) return;
		this.gone.set(node.id, { instanceId: node.id, label: s.nameOf(node), rect: node.rectIn(null) });
		if (this.gone.size > GONE) this.gone.delete(this.gone.keys().next().value!);
	}
	shadow(ids: readonly string[]): void {
		this.shadows = ids.flatMap((id) => (!this.diagram?.nodes.has(id) && !this.ghosts.some((one) => one.instanceId === id) && this.gone.get(id)) || []);
	}

	#isTold(change: Change): boolean {
		return this.history.some((one) => one.changeId === change.changeId && one.revision === change.revision && one.undone === change.undone);
	}

	/* The daemon answers nobody with less than what it has told before: what comes later is never older. */
	async #complete(): Promise<void> {
		this.#completeAgain = true;
		if (this.#completing) return;
		this.#completing = true;
		try {
			while (this.#completeAgain && !this.#closed) {
				this.#completeAgain = false;
				if (!this.#historied) await this.#readHistory();
				const answer = await this.#ask<ChangesAnswer>('get_changes', { since: this.#wholeCursor, include: INCLUDE });
				if (answer.reset) await this.#load();
				else this.#take({ ...answer, changes: answer.changes?.filter((one) => !this.#isTold(one)) }, INCLUDE);
			}
		} catch (error) {
			// A connection that comes back, and a project that is not open, are seen by #follow.
			if (!(error instanceof McpError)) throw error;
		} finally {
			this.#completing = false;
		}
	}

	#take(answer: ChangesAnswer, include: readonly string[]): void {
		const diagram = this.diagram;
		if (!diagram) return;
		this.#cursor = answer.cursor;
		if (include === INCLUDE) this.#wholeCursor = answer.cursor;
		const gone = new Set(answer.removedNodes ?? []);
		const heir = gone.size > 0 ? this.#heir(diagram, gone) : undefined;
		for (const id of gone) this.#remember(diagram.node(id));
		const touched = advance(diagram.model, answer, include);
		for (const { id } of this.selection) if (answer.nodes && diagram.model.nodes.has(id)) touched.nodes.add(id); // forms show what is not drawn
		diagram.show(touched, include === INCLUDE);
		this.#seen();
		for (const { back } of this.#foreseen) back.again?.();
		if (answer.project) this.info = answer.project;
		if (answer.diagnostics) this.#takeDiagnostics(diagram, answer.diagnostics);
		if (answer.costs) this.#takeCosts(diagram, answer.costs);
		if (answer.config) this.config = answer.config;
		if (answer.ghosts) this.ghosts = answer.ghosts;
		for (const [id, rev] of this.#revs) if (rev <= answer.to) this.#revs.delete(id);
		for (const [id, turn] of this.#over) if (turn <= answer.to && turn > 0) this.#confirm(id);
		if (gone.size > 0 && this.selection.some((one) => gone.has(one.id))) this.select(this.selection.filter((one) => !gone.has(one.id)));
		if (heir !== undefined) this.inherits(heir);
		if (answer.changes?.length) this.#changes(answer.changes.map(told), [...(answer.nodes ?? []).map((one) => one.instanceId)]);
	}

	/* What differs: nodes whose problems are others now, and the project's if they are. */
	#takeDiagnostics(diagram: Diagram, found: Partial<Diagnostics>): void {
		const byNode = { ...this.diagnostics.byNode };
		for (const [id, list] of Object.entries(found.byNode ?? {})) {
			if (list.length > 0) byNode[id] = list;
			else delete byNode[id];
			const view = diagram.node(id);
			if (view && (list.length > 0 || view.problems.length > 0)) view.problems = list;
		}
		for (const id in byNode) if (!diagram.nodes.has(id)) delete byNode[id];
		this.diagnostics = { byNode, project: found.project ?? this.diagnostics.project };
	}

	#takeCosts(diagram: Diagram, found: Partial<Costs>): void {
		const estimates = { ...this.costs?.estimates, ...found.estimates };
		const total = found.total ?? this.costs?.total;
		if (total) this.costs = { estimates, total };
		for (const [id, cost] of Object.entries(found.estimates ?? {})) {
			const view = diagram.node(id);
			if (view) view.cost = cost;
		}
	}

	/* ---- history, and what others do ---- */

	/* What was done before it was opened; what was told meanwhile is newer. */
	async #readHistory(): Promise<void> {
		const { changes } = await this.#ask<{ changes: Change[] }>('list_changes', { limit: HISTORY });
		const known = new Map([...changes.map(told), ...this.history].map((one) => [one.changeId, one]));
		this.history = newest(known);
		this.#historied = true;
	}

	#changes(changes: Change[], touched: string[]): void {
		const known = new Map(this.history.map((one) => [one.changeId, one]));
		for (const one of changes) {
			known.set(one.changeId, one);
			// What it takes back or does again was told before, and says now which of them it is.
			const before = one.of === undefined ? undefined : known.get(one.of);
			if (before) known.set(before.changeId, { ...before, undone: one.kind === 'undo' });
		}
		this.history = newest(known);
		// Whose it was is known when what is on its way is answered.
		void Promise.allSettled([...this.#pending]).then(() => {
			const others = changes.filter((one) => !this.#own.has(one.changeId) && one.actor.id !== this.#self);
			if (others.length > 0 && !this.#closed) this.#othersDid(others, touched);
		});
	}

	#othersDid(changes: Change[], touched: string[]): void {
		const now = Date.now();
		for (const change of changes) {
			const last = this.bursts.at(-1);
			if (last && last.actor.id === change.actor.id && now - last.at <= BURST_MS) {
				last.changes.push(change);
				last.at = now;
			} else this.bursts.push({ id: this.#burst++, actor: change.actor, at: now, changes: [change] });
			if (this.bursts.length > 3) this.bursts.shift();
			for (const id of change.instanceIds) this.#mark(id, change.actor);
		}
		for (const id of touched) if (changes.length === 1) this.#mark(id, changes[0]!.actor);
		this.say(s.others(changes.at(-1)!.actor.name, changes.at(-1)!.summary));
	}

	#mark(id: string, actor: Actor): void {
		const view = this.diagram?.node(id);
		if (!view) return;
		clearTimeout(this.#marks.get(id));
		view.changedBy = actor;
		this.#marks.set(id, setTimeout(() => ((view.changedBy = null), this.#marks.delete(id)), CHANGED_MS));
	}

	/* Somebody took from under this hand what it held: said, with who did it (SC-059). */
	taken(nodes: readonly NodeView[], since: number, typed = ''): void {
		const later = this.history.filter((one) => one.revision > since && one.actor.id !== this.#self);
		const who = (later.find((one) => nodes.some((node) => one.instanceIds.includes(node.id))) ?? later[0])?.actor.name ?? s.somebody;
		const here = nodes.map((one) => this.diagram?.node(one.id)).filter((one) => one != null);
		const names = nodes.map((one) => s.nameOf(one));
		const text = here.length > 0 ? s.putElsewhere(who, here.map(s.nameOf), here[0]!.parent ? s.nameOf(here[0]!.parent) : '') : s.takenAway(who, names, typed);
		say(text, 'bad');
		this.say(text);
	}

	/* The newest change of a node that counts. */
	lastChange(id: string | undefined): Change | null {
		return this.history.find((one) => !one.undone && (!id || one.instanceIds.includes(id))) ?? null;
	}

	dismiss(burst: Burst): void {
		this.bursts = this.bursts.filter((one) => one.id !== burst.id);
	}

	/* At most one sentence a second; what comes meanwhile is said together. */
	#said: string[] = [];
	#sayer: ReturnType<typeof setTimeout> | undefined;
	say(text: string): void {
		this.#said.push(text);
		this.#sayer ??= setTimeout(() => this.#sayNow(), 50);
	}
	#sayNow(): void {
		const last = this.#said.slice(-SENTENCES);
		const text = (this.#said.length > last.length ? s.moreSaid(this.#said.length - last.length) + ' ' : '') + last.join('. ');
		this.#said = [];
		this.told = this.told === text ? text + '\u00a0' : text;
		this.#sayer = setTimeout(() => ((this.#sayer = undefined), this.#said.length > 0 && this.#sayNow()), SAY_MS);
	}

	/* ---- what this hand does ---- */

	foresee: typeof import('./foresee.ts').foresee | null = null; // comes with the first resource
	/* One call, one change. `guess` is shown at once: where nodes will be. Null: it was refused, and said so; by `refused` where
	 * there is a place for it. */
	async act(tool: string, given: JsonObject, guess: Guess = new Map(), refused?: (error: McpError) => void): Promise<JsonObject | null> {
		for (const send of [...this.unsent]) send();
		const line = this.diagram?.foreseen.get(String(given.edgeId)) ?? null;
		const args = line || this.#turn ? await this.#inTurn(given, line) : given;
		if (!args) return null; // there is no such line: its own call was refused
		if (link.state !== 'open') {
			for (const id of guess.keys()) this.#confirm(id);
			if (refused) refused(new McpError('DISCONNECTED', s.still));
			else this.#refused(new McpError('NOT_CONNECTED', s.still), [...guess.keys()], () => undefined);
			return null;
		}
		const before = this.diagram?.model.revision ?? 0;
		const turn = -++this.#guess; // unconfirmed
		for (const [id, placed] of guess) {
			const view = this.diagram?.node(id);
			if (view) view.over = placed;
			this.#over.set(id, turn);
		}
		const back = this.diagram && this.foresee?.(this.diagram, tool, args);
		const asked = this.#change(tool, args);
		if (back?.line) this.diagram?.foreseen.set(back.line, asked);
		const seen = back && { revision: Infinity, back };
		if (seen) this.#foreseen.push(seen);
		this.#pending.add(asked);
		try {
			const answer = await asked;
			if (typeof answer.changeId === 'string') this.#own.add(answer.changeId);
			for (const one of (Array.isArray(answer.undone) ? answer.undone : []) as JsonObject[])
				if (typeof one?.newChangeId === 'string') this.#own.add(one.newChangeId);
			const revision = Number(answer.revision ?? 0);
			for (const id of guess.keys()) {
				if (this.#over.get(id) !== turn) continue;
				if (revision <= (this.diagram?.model.revision ?? 0)) this.#confirm(id);
				else this.#over.set(id, revision);
			}
			back?.told?.(answer);
			if (seen) seen.revision = revision;
			this.#seen();
			this.refusal = null;
			return answer;
		} catch (error) {
			for (const id of guess.keys()) if (this.#over.get(id) === turn) this.#confirm(id);
			if (seen) seen.revision = 0;
			this.#seen();
			if (refused && error instanceof McpError) refused(error);
			else {
				if (error instanceof McpError && error.code === 'DISCONNECTED' && CHANGES.test(tool)) this.#unanswered.push({ tool, args, revision: before });
				this.#refused(await this.#named(error, args), [...guess.keys()], () => void this.act(tool, args, guess), tool);
			}
			return null;
		} finally {
			this.#pending.delete(asked);
		}
	}

	/* What was foreseen ends with what there is, also where somebody took it back in between. */
	#foreseen: { revision: number; back: { (): void; again?: () => void } }[] = [];
	#seen(): void {
		const revision = this.diagram?.model.revision ?? 0;
		this.#foreseen = this.#foreseen.filter((one) => one.revision > revision || one.back());
		if (this.edge && !this.diagram?.edges.has(this.edge.id)) this.selectEdge(null);
	}
	/* A call about a line that the daemon has not answered for waits for its id, and what comes after it for its turn. */
	#turn: Promise<JsonObject | null> | null = null;
	#inTurn(args: JsonObject, line: Promise<JsonObject> | null): Promise<JsonObject | null> {
		const before = this.#turn;
		const turn = (async () => {
			await before;
			const made = line && (await line.catch(() => null));
			return line ? made && { ...args, edgeId: made.edgeId! } : args;
		})();
		void turn.then(() => this.#turn === turn && (this.#turn = null));
		return (this.#turn = turn);
	}

	#confirm(id: string): void {
		this.#over.delete(id);
		const view = this.diagram?.node(id);
		if (view && !this.#held.includes(id)) view.over = null;
	}

	/* With names where the daemon says ids: also of what somebody made a moment ago, which is waited for a little. */
	async inWords(error: { code: string; message: string; details?: JsonObject }, args: JsonObject): Promise<string> {
		const words = await import('./in_words.ts').catch(() => null); // nobody is there to send it
		if (!words) return error.message;
		const { inWords, isNews } = words;
		for (let i = 0; i < 10 && this.diagram && isNews(error, this.diagram); i++) {
			await this.#follow();
			if (isNews(error, this.diagram)) await new Promise((resolve) => setTimeout(resolve, 25));
		}
		return this.diagram ? inWords(error, args, this.diagram) : error.message;
	}
	async #named(error: unknown, args: JsonObject): Promise<unknown> {
		return error instanceof McpError ? new McpError(error.code, await this.inWords(error, args), error.retryable, error.details) : error;
	}

	#refused(error: unknown, ids: string[], again: () => void, tool = ''): void {
		if (!(error instanceof McpError)) throw error;
		const text = error.code === 'DISCONNECTED' ? s.lostInAct : error.message;
		if (error.code === 'STALE_NODE') {
			const stale = error.details as unknown as Stale;
			const all = [stale, ...(stale.others ?? [])];
			this.refusal = { text, code: error.code, ids: all.map((one) => one.instanceId), ...(all.some((one) => one.removed) ? {} : { again }) };
			return;
		}
		if (error.code === 'UNDO_CONFLICT' && Array.isArray(error.details.by) && error.details.by.length > 0) {
			const by = (error.details.by as unknown as Later[]).toSorted((a, b) => numberOf(b) - numberOf(a));
			const touched = this.history.filter((one) => by.some((later) => later.changeId === one.changeId)).flatMap((one) => one.instanceIds);
			this.refusal = { text, code: error.code, ids: [...new Set(touched)], by, again };
			this.refused = this.refused === text ? text + '\u00a0' : text;
			return;
		}
		this.refusal = { text, code: error.code, ids, details: error.details };
		if (tool === 'generate_hcl' && error.code === 'GENERATED_FILE_EDITED') return; // the panel asks
		if (tool === 'save_project' && error.code !== 'DISK_CHANGED') return void (this.refusal = { ...this.refusal, save: again }); // a banner says it
		this.refused = this.refused === text ? text + '\u00a0' : text;
		say(text, 'bad');
	}

	/* ---- what others have changed meanwhile (SC-237) ---- */

	readonly #entry: Lookup = (id) => this.diagram?.model.nodes.get(id) ?? this.diagram?.model.edges.get(id);

	async #change(tool: string, args: JsonObject): Promise<JsonObject> {
		const expected = expect(tool, args, this.#entry, this.#revs, this.#busy);
		const ids = [...expected.before.keys()];
		for (const id of ids) this.#busy.set(id, (this.#busy.get(id) ?? 0) + 1);
		try {
			const answer = await this.#expecting(tool, args, expected);
			const revision = Number(answer.revision ?? 0);
			if (typeof answer.changeId === 'string' && revision > (this.diagram?.model.revision ?? 0))
				for (const id of ids) this.#revs.set(id, Math.max(revision, this.#revs.get(id) ?? 0));
			return answer;
		} finally {
			for (const id of ids) {
				const left = (this.#busy.get(id) ?? 1) - 1;
				if (left > 0) this.#busy.set(id, left);
				else this.#busy.delete(id);
			}
		}
	}

	/* Where somebody was first: what there is now is taken, and the call made once more if it still means the same. */
	async #expecting(tool: string, args: JsonObject, expected: Expected): Promise<JsonObject> {
		const send = (revs: Record<string, number>) => this.#ask<JsonObject>(tool, Object.keys(revs).length > 0 ? { ...args, expectedNodes: revs } : args);
		try {
			return await send(expected.revs);
		} catch (error) {
			if (!(error instanceof McpError) || error.code !== 'STALE_NODE') throw error;
			const stale = error.details as unknown as Stale;
			await this.#caughtUp(Math.max(stale.rev, ...(stale.others ?? []).map((one) => one.rev)));
			for (const id of expected.before.keys()) this.#revs.delete(id);
			if (!allMine(stale) && !(await import('./still_meant.ts').catch(() => null))?.stillMeant(tool, args, expected, this.#entry)) throw this.#toldBy(error, expected);
		}
		try {
			return await send(expect(tool, args, this.#entry, this.#revs, new Map()).revs);
		} catch (error) {
			throw error instanceof McpError && error.code === 'STALE_NODE' ? this.#toldBy(error, expected) : error;
		}
	}

	/* The same for a person: who, and what. */
	#toldBy(error: McpError, expected: Expected): McpError {
		const stale = error.details as unknown as Stale;
		const entry = expected.before.get(stale.instanceId);
		const name = (entry && 'label' in entry && entry.label) || s.stale.line;
		const by = stale.by?.findLast((one) => !one.mine) ?? stale;
		return new McpError(error.code, s.stale.first(name, by.actor, by.summary, stale.removed === true, stale.others?.length ?? 0), false, error.details);
	}

	async #caughtUp(revision: number): Promise<void> {
		for (let i = 0; i < 40 && !this.#closed && (this.diagram?.model.revision ?? 0) < revision; i++) {
			await this.#follow();
			if ((this.diagram?.model.revision ?? 0) < revision) await new Promise((resolve) => setTimeout(resolve, 25));
		}
	}

	undo = () => this.act('undo_change', { scope: 'mine' });
	redo = () => this.act('redo_change', { scope: 'mine' });
	undoOne = (changeId: string) => this.act('undo_change', { changeId });
	/* The chain: what others have changed since, newest first, and then one's own (SC-140). */
	async undoToo(by: readonly Later[], again: () => void): Promise<void> {
		for (const one of by) if (!(await this.undoOne(one.changeId))) return;
		again();
	}

	async remove(nodes: readonly NodeView[]): Promise<void> {
		const tops = topmost(nodes);
		const next = tops[0] && neighbour(tops[0], this.diagram);
		const operations = tops.map((one) => ({ tool: 'remove_resource', arguments: { instanceId: one.id } as JsonObject }));
		const done =
			operations.length === 1
				? await this.act('remove_resource', operations[0]!.arguments)
				: operations.length > 1 && (await this.act('execute_batch', { operations, label: s.removed(operations.length) }));
		if (done) this.select(next && this.diagram?.node(next.id) ? [next] : []);
	}

	/* ---- selecting and looking ---- */

	readonly trail = new Trail();
	select(nodes: readonly NodeView[]): void {
		this.trail.note(nodes.map((one) => one.id));
		const chosen = new Set(nodes);
		for (const view of this.selection) if (!chosen.has(view)) view.selected = false;
		for (const view of chosen) view.selected = true;
		this.selection = [...chosen];
		if (this.edge && chosen.size > 0) this.selectEdge(null);
		this.tell();
	}

	toggle(node: NodeView): void {
		this.select(node.selected ? this.selection.filter((one) => one !== node) : [...this.selection, node]);
	}

	selectEdge(edge: EdgeView | null): void {
		if (this.edge) this.edge.selected = false;
		this.edge = edge;
		if (edge) {
			edge.selected = true;
			this.select([]);
			this.edge = edge;
			edge.selected = true;
		}
	}

	get everything(): Rect | null {
		return bounds([...(this.diagram?.roots ?? []).map((one) => one.rect), ...this.ghosts.map((one) => one.rect)]);
	}

	#gliding = 0;
	/* What is asked for by name is gone to in a moment, not jumped to; not for who wants no motion (SC-050). */
	#glide(to: View): void {
		if (!this.#moved || document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches) return this.look(to);
		const from = this.view;
		const begun = performance.now();
		const step = (now: number) => {
			const t = Math.min(1, Math.max(0, now - begun) / GLIDE_MS);
			const mix = (a: number, b: number) => a + (b - a) * t * (2 - t);
			this.look(t === 1 ? to : { x: mix(from.x, to.x), y: mix(from.y, to.y), zoom: mix(from.zoom, to.zoom) });
			if (t < 1) this.#gliding = requestAnimationFrame(step);
		};
		cancelAnimationFrame(this.#gliding);
		this.#gliding = requestAnimationFrame(step);
	}
	#moved = false; // it has a view to begin at
	look(view: View): void {
		cancelAnimationFrame(this.#gliding);
		this.#moved = true;
		this.view = view;
		this.#keeps = true;
		this.tell();
	}
	lookAt(nodes: readonly NodeView[]): void {
		const rects = nodes.map((one) => one.shown.rectIn(null));
		this.#glide(fit(bounds(rects), this.canvas.width, this.canvas.height, 1.25, 90));
	}
	lookAtAll(): void {
		this.#glide(fit(this.everything, this.canvas.width, this.canvas.height));
	}

	#screenView: View | null = null;
	/* All of it on a sheet that lies on its side, and afterwards what was looked at (SC-182). */
	toPaper(on: boolean): void {
		const screen = this.#screenView ?? this.view;
		this.#screenView = on ? screen : null;
		this.view = on ? fit(this.everything, PAPER.width, PAPER.height) : screen;
	}

	/* The canvas has a size: the view of last time, or everything. */
	sized(width: number, height: number): void {
		if (width === 0 || this.#screenView) return; // out of sight, or on paper, whose size is known
		const was = this.canvas;
		this.canvas = { width, height };
		if (!this.#placed) this.#place();
		else if (was.width > 0) this.view = { ...this.view, x: this.view.x + (width - was.width) / 2, y: this.view.y + (height - was.height) / 2 };
	}

	#place(): void {
		if (!this.diagram || this.canvas.width === 0) return;
		this.#placed = true;
		const kept = stored<View>('view', this.id);
		if (kept && Number.isFinite(kept.x) && Number.isFinite(kept.y) && kept.zoom > 0) this.view = kept;
		else this.lookAtAll();
	}
	/* With what is told of it, and not at every step of a hand. */
	#keeps = false;
	#keepView(): void {
		if (this.#keeps) store('view', this.id, this.view);
		this.#keeps = false;
	}

	collapse(node: NodeView, on: boolean): void {
		node.collapsed = on;
		if (this.diagram) this.diagram.version++;
		store('collapsed', this.id, this.diagram?.all.filter((one) => one.collapsed).map((one) => one.id) ?? []);
	}
	collapseAsBefore(): void {
		for (const id of stored<string[]>('collapsed', this.id) ?? []) {
			const view = this.diagram?.node(id);
			if (view) view.collapsed = true;
		}
	}

	/* ---- presence (SC-017, 160, 161) ---- */

	hold(ids: string[]): void {
		this.#held = ids;
		this.tell();
	}
	point(at: { x: number; y: number } | null): void {
		this.#pointer = at;
		this.tell();
	}
	edit(what: { instanceId: string; property?: string } | null): void {
		this.editing = what;
		this.tell();
	}

	tell(): void {
		if (this.#presence || this.#closed) return;
		this.#presence = setTimeout(() => {
			this.#presence = undefined;
			untrack(() => (this.#keepView(), this.#tellNow()));
		}, PRESENCE_MS);
	}

	#tellNow(): void {
		if (document.hidden || !this.diagram || link.state !== 'open') return;
		this.#sayPresence().catch(() => undefined); // the next one says it again
	}
	async #tellPresence(): Promise<void> {
		await this.#sayPresence();
		await this.#readPresence();
	}

	#sayPresence(): Promise<unknown> {
		const shared = stored<boolean>('shared', 'all') ?? true;
		const { x, y, zoom } = this.view;
		const seen = { x: -x / zoom, y: -y / zoom, width: this.canvas.width / zoom, height: this.canvas.height / zoom };
		const args: JsonObject = { project: this.id, held: this.#held.slice(0, 1000) };
		if (shared) {
			args.selection = this.selection.slice(0, 1000).map((one) => one.id);
			args.view = Object.fromEntries(Object.entries(seen).map(([key, value]) => [key, Math.round(value)]));
			if (this.editing) args.editing = this.editing as unknown as Json;
			if (this.#pointer) args.pointer = { x: Math.round(this.#pointer.x), y: Math.round(this.#pointer.y) };
		}
		return link.client.call('set_presence', args);
	}

	async #readPresence(): Promise<void> {
		try {
			const part = JSON.parse(await link.client.read(this.uri('presence'))) as { actors: Here[]; shown: Pointed[] };
			this.here = part.actors;
			this.#self = part.actors.find((one) => one.via === 'self')?.actor.id ?? this.#self;
			this.#showPointed(part.shown);
			this.#showPresence(part.actors);
		} catch {
			this.here = []; // gone with the connection
		}
	}

	#showPointed(shown: Pointed[]): void {
		for (const one of shown) if (!this.pointed.some((known) => known.at === one.at)) this.say(s.pointsAt(one.actor.name, one.message ?? ''));
		const ids = new Set(shown.flatMap((one) => one.instanceIds));
		for (const view of this.diagram?.nodes.values() ?? []) if (view.pointed !== ids.has(view.id)) view.pointed = ids.has(view.id);
		this.pointed = shown;
	}

	#showPresence(actors: Here[]): void {
		const seen = new Map<string, { actor: Actor; held: boolean }[]>();
		for (const one of actors) {
			if (one.via === 'self') continue;
			for (const id of one.selection ?? []) seen.set(id, [...(seen.get(id) ?? []), { actor: one.actor, held: (one.held ?? []).includes(id) }]);
			for (const id of one.held ?? []) if (!(one.selection ?? []).includes(id)) seen.set(id, [...(seen.get(id) ?? []), { actor: one.actor, held: true }]);
		}
		for (const view of this.diagram?.nodes.values() ?? []) {
			const now = seen.get(view.id) ?? [];
			if (now.length > 0 || view.seenBy.length > 0) view.seenBy = now;
		}
	}
}

/* Of nodes that contain each other the outer ones: what happens to them happens to what is inside. */
export function topmost(nodes: readonly NodeView[]): NodeView[] {
	const set = new Set(nodes);
	return nodes.filter((one) => !one.ancestors.some((above) => set.has(above)));
}

/* Who has the focus after a removal: the next sibling, else the one before, else the parent (SC-209). */
function neighbour(node: NodeView, diagram: Diagram | null, gone: ReadonlySet<string> = new Set()): NodeView | null {
	const level = node.parent?.children ?? diagram?.roots ?? [];
	const at = level.indexOf(node);
	const stays = (one: NodeView) => !gone.has(one.id);
	const { parent } = node;
	return level.slice(at + 1).find(stays) ?? level.slice(0, at).findLast(stays) ?? (parent && !stays(parent) ? neighbour(parent, diagram, gone) : parent);
}

/* The daemon calls an undo what it takes back; told as it is, it would say the opposite of what was done. */
const told = (change: Change): Change => {
	const one = named(change);
	return one.kind === 'undo' || one.kind === 'redo' ? { ...one, summary: s.backAndForth[one.kind](one.summary) } : one;
};
const numberOf = (change: Later) => Number(change.changeId.replace(/\D/g, ''));

/* ---- kept by this browser ---- */

export function stored<T>(what: string, id: string): T | null {
	try {
		return JSON.parse(localStorage.getItem(`tenon.studio.${what}.${id}`) ?? 'null') as T | null;
	} catch {
		return null;
	}
}
export function store(what: string, id: string, value: unknown): void {
	try {
		localStorage.setItem(`tenon.studio.${what}.${id}`, JSON.stringify(value));
	} catch {
		/* no room or no storage: then it is not kept */
	}
}
