/* One value in the hand: what is typed, sent after a pause, at Enter, at leaving and before any other act (SC-087); what
 * somebody else made of it meanwhile (SC-088); what could not be sent (SC-235). What is typed outlives its field in
 * project.drafts. Secrets never come here: `once` sends them and keeps nothing. */
import { link } from '../kit/link.svelte.ts';
import type { Json } from '../kit/mcp.ts';
import { say } from '../kit/toast.svelte.ts';
import { same } from './same.ts';
import type { Actor } from './model.ts';
import type { OpenProject } from './project.svelte.ts';

export const PAUSE_MS = 350;

/* Where a value stands, and how it is changed. `send` says the sentence of a refusal, or what was done. */
export interface Sent {
	revision?: number;
	error?: string;
	lost?: boolean;
}
export interface Place {
	key: string; // of the draft
	instanceId?: string;
	property: string;
	value: () => Json | undefined;
	send: (value: Json, gesture: string) => Promise<Sent>;
	whole?: boolean; // only when it is done, not while it is typed
}

interface Kept {
	draft: Json;
	base: Json;
	error: string;
	unsent: boolean;
}

export class Edit {
	readonly place: Place;
	draft = $state.raw<Json | undefined>(undefined);
	error = $state('');
	unsent = $state(false); // typed or sent when there was no connection
	theirs = $state.raw<{ value: Json | undefined; who: Actor | null } | null>(null);
	focused = $state(false);
	#project: OpenProject;
	#sending = $state(0);
	#answered = $state(0);
	#base: Json = null;
	#tried: Json | undefined = undefined;
	#gesture = '';
	#timer: ReturnType<typeof setTimeout> | undefined;
	#gone = false;

	constructor(project: OpenProject, place: Place) {
		this.#project = project;
		this.place = place;
		const kept = project.drafts.get(place.key);
		if (kept) ({ draft: this.draft, base: this.#base, error: this.error, unsent: this.unsent } = JSON.parse(kept) as Kept);
		if (this.error) this.#tried = this.draft;
	}

	type(value: Json, now = false): void {
		if (this.draft === undefined) {
			this.#base = this.place.value() ?? null;
			this.#gesture = crypto.randomUUID();
		}
		this.draft = value;
		this.unsent = false;
		this.#keep();
		clearTimeout(this.#timer);
		this.#project.unsent.add(this.flush);
		if (now) this.flush();
		else if (!this.place.whole) this.#timer = setTimeout(this.flush, PAUSE_MS);
	}

	/* Sends what is not sent yet. */
	flush = (): void => {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#project.unsent.delete(this.flush);
		const value = this.draft;
		if (value === undefined || this.theirs || this.unsent || (this.#tried !== undefined && same(value, this.#tried))) return;
		if (link.state !== 'open') {
			this.unsent = true;
			this.#keep();
		} else if (this.#sending === 0 && (this.#project.diagram?.model.revision ?? 0) >= this.#answered && same(value, this.place.value())) this.#leave();
		else void this.#send(value);
	};

	async #send(value: Json): Promise<void> {
		this.#sending++;
		this.#tried = value;
		const sent = await this.place.send(value, this.#gesture);
		this.#sending--;
		if (sent.lost) {
			this.unsent = true;
			this.#tried = undefined;
		} else if (sent.error === undefined) {
			this.#answered = Math.max(this.#answered, sent.revision ?? 0);
			this.#base = value;
			this.unsent = false;
		}
		if (same(value, this.draft)) {
			this.error = sent.error ?? '';
			if (sent.error && this.#gone) say(sent.error, 'bad');
		}
		this.#keep();
		if (this.#gone) this.settle();
	}

	/* Sends a value that nothing here keeps. */
	async once(value: Json): Promise<boolean> {
		this.flush();
		const sent = await this.place.send(value, crypto.randomUUID());
		this.error = sent.error ?? '';
		if (!sent.error && this.draft !== undefined) this.drop();
		return !sent.error;
	}

	/* Compares with what the daemon has now. Its own answers come before the diagram follows. */
	settle(): void {
		const revision = this.#project.diagram?.model.revision ?? 0;
		if (this.draft === undefined || this.#sending > 0 || revision < this.#answered) return;
		const now = this.place.value() ?? null;
		if (same(now, this.draft)) {
			this.#base = now;
			this.#leave();
		} else if (revision === this.#answered && !this.error) this.#base = now; // as the daemon writes it
		else if (!same(now, this.#base)) {
			if (!same(now, this.theirs?.value ?? null) || !this.theirs) this.theirs = { value: now, who: this.#project.lastChange(this.place.instanceId)?.actor ?? null };
			return;
		} else this.theirs = null;
		if (!this.focused && !this.error && !this.unsent && !this.#timer && this.#tried !== undefined && same(this.#tried, this.draft)) this.drop();
	}
	/* It is as the daemon has it. */
	#leave(): void {
		this.error = '';
		this.unsent = false;
		this.theirs = null;
		if (!this.focused && !this.#timer) this.drop();
	}

	drop(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#project.unsent.delete(this.flush);
		this.draft = this.#tried = undefined;
		this.error = '';
		this.unsent = false;
		this.theirs = null;
		this.#project.drafts.delete(this.place.key);
	}
	keepMine(): void {
		this.#base = this.place.value() ?? null;
		this.theirs = null;
		this.#tried = undefined;
		this.flush();
	}
	again(): void {
		this.#tried = undefined;
		this.unsent = false;
		this.flush();
	}
	blur(): void {
		this.focused = false;
		this.flush();
		this.settle();
	}
	end(): void {
		this.#gone = true;
		this.blur();
	}

	#keep(): void {
		if (this.draft === undefined) return;
		const kept: Kept = { draft: this.draft, base: this.#base, error: this.error, unsent: this.unsent };
		this.#project.drafts.set(this.place.key, JSON.stringify(kept));
	}
}
