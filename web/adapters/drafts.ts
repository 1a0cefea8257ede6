/* The drafts that the host has told of, by the instance that each is for, and which live instance that is. */
import { resolveProps, tokensOf, type Effective, type Props } from './effective_props.ts';
import type { Live } from './identity.ts';
import { rebind } from './rebind.ts';
import type { Reason, Status } from './status.ts';
import { canonical, isFields, isId, type Fields, type Json } from './values.ts';

const OPS_MAX = 10_000; // [21]

/* The drafts of one instance. */
export interface Draft {
	instanceId: string;
	typeId: string | null;
	locator: Fields | null;
	values: Map<string, Json>;
	bound: Bound | null;
	movedFrom: string | null; // the id it came under, until that has been said
}

export interface Bound extends Live {
	draft: Draft | null;
	invalid: string[];
}

function checkedSet(op: Fields): { path: string; value: Json } | null {
	return tokensOf(op.path) && op.value !== undefined ? { path: op.path as string, value: op.value } : null;
}

export class Drafts {
	#all = new Map<string, Draft>();
	#moved = new Map<string, string>(); // ids that have been rebound, to what they are now
	#reasons = new Map<Draft, Reason>();
	#types: Set<string | null> | null = null; // those that have drafts
	defaults: Record<string, Props> = {};

	/* Whether one for this type may wait for its instance. */
	wants(typeId: string): boolean {
		this.#types ??= new Set([...this.#all.values()].map((draft) => draft.typeId));
		return this.#types.has(typeId) || this.#types.has(null);
	}

	/* Whether there is anything at all that the page is to show and does not say. */
	any(): boolean {
		return this.#all.size > 0 || Object.keys(this.defaults).length > 0;
	}

	touches(one: Bound): boolean {
		return one.draft !== null || Object.hasOwn(this.defaults, one.typeId);
	}

	/* The places of those that wait for their instance. */
	waiting(): Fields[] {
		return [...this.#all.values()].filter((draft) => !draft.bound && draft.locator).map((draft) => draft.locator!);
	}

	effective(one: Bound, baseline: Props): Effective {
		const layer = Object.hasOwn(this.defaults, one.typeId) ? this.defaults[one.typeId] : null;
		const draft = one.draft;
		if (!draft && !layer) return { props: baseline, invalid: [] };
		return resolveProps(baseline, layer, draft ? Object.fromEntries(draft.values) : null);
	}

	/* Forgets everything and takes what `host.init` says. Returns the instances to be drawn anew. */
	reset(ops: Json | undefined, defaults: Json | undefined): Set<Bound> {
		const touched = new Set<Bound>();
		for (const draft of [...this.#all.values()]) this.#drop(draft, touched);
		this.#moved.clear();
		this.defaults = {};
		for (const [typeId, props] of Object.entries(isFields(defaults) ? defaults : {})) {
			if (isFields(props) && typeId !== '__proto__') this.defaults[typeId] = props;
		}
		for (const one of this.apply(ops)) touched.add(one);
		return touched;
	}

	apply(ops: Json | undefined): Set<Bound> {
		const touched = new Set<Bound>();
		if (!Array.isArray(ops)) return touched;
		for (const op of ops.slice(0, OPS_MAX)) if (isFields(op)) this.#one(op, touched);
		return touched;
	}

	#one(op: Fields, touched: Set<Bound>): void {
		this.#types = null;
		if (op.op === 'clearAll') {
			for (const draft of [...this.#all.values()]) this.#drop(draft, touched);
			return;
		}
		if (!isId(op.instanceId)) return;
		const id = this.#all.has(op.instanceId) ? op.instanceId : (this.#moved.get(op.instanceId) ?? op.instanceId);
		const draft = this.#all.get(id);
		if (op.op === 'set') this.#set(draft ?? this.#add(id), op, touched);
		else if (op.op === 'clearInstance' && draft) this.#drop(draft, touched);
		else if (op.op === 'clear' && draft && typeof op.path === 'string' && draft.values.delete(op.path)) {
			if (draft.bound) touched.add(draft.bound);
			if (draft.values.size === 0) this.#drop(draft, touched);
		}
	}

	#add(instanceId: string): Draft {
		const draft: Draft = {
			instanceId, typeId: null, locator: null, values: new Map(), bound: null, movedFrom: null,
		};
		if (this.#all.size < OPS_MAX) this.#all.set(instanceId, draft);
		return draft;
	}

	#set(draft: Draft, op: Fields, touched: Set<Bound>): void {
		const set = checkedSet(op);
		if (set) draft.values.set(set.path, set.value);
		else if (draft.values.size === 0) this.#all.delete(draft.instanceId);
		if (typeof op.componentTypeId === 'string') draft.typeId = op.componentTypeId;
		if (isFields(op.instanceLocator)) draft.locator = op.instanceLocator;
		if (draft.bound) touched.add(draft.bound);
	}

	#drop(draft: Draft, touched: Set<Bound>): void {
		this.#types = null;
		this.#all.delete(draft.instanceId);
		this.#reasons.delete(draft);
		if (draft.bound) {
			touched.add(draft.bound);
			draft.bound.draft = null;
			draft.bound.invalid = [];
			draft.bound = null;
		}
	}

	/* Lets go of instances that are gone, and binds by id. Returns those that have got a draft. */
	bind(live: Map<string, Bound>): Set<Bound> {
		const touched = new Set<Bound>();
		for (const draft of this.#all.values()) {
			if (draft.bound && live.get(draft.bound.id) !== draft.bound) {
				draft.bound.draft = null;
				draft.bound = null;
			}
			if (draft.bound) continue;
			const one = live.get(draft.instanceId);
			if (one && !one.draft && (draft.typeId === null || draft.typeId === one.typeId)) touched.add(this.#tie(draft, one));
		}
		return touched;
	}

	#tie(draft: Draft, one: Bound): Bound {
		draft.bound = one;
		one.draft = draft;
		this.#reasons.delete(draft);
		return one;
	}

	/* The same by place, for those that no id fits; called when the page is quiet. */
	rebind(live: Iterable<Bound>, standing: (locator: Fields) => boolean): Set<Bound> {
		const touched = new Set<Bound>();
		const lost = [...this.#all.values()].filter((draft) => !draft.bound);
		if (!lost.length) return touched;
		const { found, ambiguous } = rebind(lost, [...live].filter((one) => !one.draft), standing);
		for (const draft of lost) this.#reasons.set(draft, ambiguous.has(draft) ? 'ambiguous_locator' : 'instance_not_found');
		for (const [draft, one] of found) {
			this.#all.delete(draft.instanceId);
			this.#moved.set(draft.instanceId, one.id);
			draft.movedFrom ??= draft.instanceId;
			draft.instanceId = one.id;
			draft.locator = one.locator;
			this.#all.set(one.id, draft);
			touched.add(this.#tie(draft, one));
		}
		return touched;
	}

	/* What has become of each; `said` marks what was rebound as told. */
	statuses(): Status[] {
		const all: Status[] = [];
		for (const draft of this.#all.values()) {
			const { bound, movedFrom } = draft;
			for (const path of draft.values.keys()) {
				const status: Status = { instanceId: movedFrom ?? draft.instanceId, path };
				if (!bound) status.reason = this.#reasons.get(draft) ?? 'instance_not_found';
				else if (bound.invalid.includes(path)) status.reason = 'path_invalid';
				if (bound && movedFrom) status.to = { instanceId: bound.id, locator: bound.locator };
				all.push(status);
			}
		}
		return all;
	}

	/* What was rebound is told: from now on it goes by its new id. */
	said(): void {
		for (const draft of this.#all.values()) draft.movedFrom = null;
	}

	/* A text that changes when any status does. */
	summary(): string {
		return canonical(this.statuses().map((s) => [s.instanceId, s.path, s.reason ?? '', s.to?.instanceId ?? '']));
	}
}
