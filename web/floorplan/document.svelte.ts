/* One open plan, shared with everybody who has it open: its text both ways, what is wrong with it, and
 * its picture. One thing is asked of the daemon after another; what is newer than the picture makes
 * one more of it, however much it was. */
import type { ChangeSet } from '@codemirror/state';

import { link } from '../kit/link.svelte.ts';
import { McpError, type Json, type JsonObject, type ToolResult } from '../kit/mcp.ts';
import { say } from '../kit/toast.svelte.ts';
import { everything, readDocument, render, uris, validate, type Diagnostic, type Findings, type Picture, type PlanDocument } from './model.ts';
import { Sync } from './sync.ts';

const PAUSE_MS = 350; // of typing, before it is sent

export interface View {
	opened(sync: Sync): void; // once
	changed(changes: ChangeSet): void; // by others
}

export class OpenPlan {
	now = $state.raw<PlanDocument | null>(null);
	findings = $state.raw<Findings | null>(null);
	picture = $state.raw<Picture | null>(null);
	drawn = $state(false); // the picture is of the text as it is
	problem = $state.raw<McpError | null>(null);
	dirty = $state(false); // something typed here is not sent yet
	readonly list: Diagnostic[] = $derived(this.findings ? everything(this.findings) : []);
	readonly id: string;
	#view: View;
	#sync: Sync | null = null;
	#stale = false;
	#due = false;
	#running: Promise<void> | null = null;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#stop: () => void;
	#options: JsonObject = {};
	#looking = false;
	#lookAgain = false;

	constructor(id: string, view: View) {
		this.id = id;
		this.#view = view;
		this.#stop = link.client.watch(
			uris.document(id),
			() => {
				this.#stale = true;
				void this.#pump();
			},
			(error) => (this.problem = error),
		);
	}

	close(): void {
		clearTimeout(this.#timer);
		this.#stop();
		if (this.dirty) void this.flush();
	}

	/* How it is to be drawn: arguments of render_floorplan. */
	set options(options: JsonObject) {
		this.#options = options;
		if (this.now) void this.#look();
	}

	edited(changes: ChangeSet): void {
		this.#sync?.edited(changes);
		this.dirty = true;
		this.drawn = false;
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => void this.flush(), PAUSE_MS);
	}

	async flush(): Promise<void> {
		clearTimeout(this.#timer);
		this.#due = true;
		await this.#pump();
		if (this.#due) await this.#pump();
	}

	/* Operations of modify_floorplan, all or none. */
	modify(operations: JsonObject[]): Promise<boolean> {
		return this.#act('modify_floorplan', { operations: operations as Json[], mode: 'atomic' });
	}
	undo = () => this.#act('undo_floorplan');
	redo = () => this.#act('redo_floorplan');
	save = () => this.#act('save_floorplan');

	/* A picture or file of the plan as it is now. */
	async make(tool: string, args: JsonObject): Promise<ToolResult> {
		await this.flush();
		return link.client.call(tool, { document: this.id, ...args });
	}

	async #act(tool: string, args: JsonObject = {}): Promise<boolean> {
		await this.flush();
		try {
			await link.client.call(tool, { document: this.id, ...args });
		} catch (error) {
			say((error as Error).message, 'bad');
			return false;
		}
		this.#stale = true;
		await this.#pump();
		return true;
	}

	#pump(): Promise<void> {
		this.#running ??= this.#work().finally(() => (this.#running = null));
		return this.#running;
	}

	async #work(): Promise<void> {
		try {
			for (;;) {
				if (this.#stale) await this.#read();
				else if (this.#due) await this.#write();
				else break;
			}
			this.problem = null;
		} catch (error) {
			const failure = error instanceof McpError ? error : new McpError('INTERNAL', String(error));
			// When the daemon is back the watch says "changed", and everything goes on.
			if (failure.code !== 'DISCONNECTED') this.problem = failure;
			this.#due ||= this.dirty;
			return;
		}
		this.dirty = this.#sync?.dirty ?? false;
		void this.#look();
	}

	async #read(): Promise<void> {
		this.#stale = false;
		const now = await readDocument(link.client, this.id);
		this.now = now;
		if (!this.#sync) {
			this.#sync = new Sync(now.dsl, now.revision);
			this.#view.opened(this.#sync);
			return;
		}
		const changes = this.#sync.received(now.dsl, now.revision);
		if (changes) this.#view.changed(changes);
		this.#due ||= this.#sync.dirty;
	}

	async #write(): Promise<void> {
		this.#due = false;
		const text = this.#sync?.send() ?? null;
		if (text === null || !this.#sync) return;
		const args = { document: this.id, dsl: text, expectedRevision: this.#sync.revision };
		try {
			const result = await link.client.call('write_floorplan', args);
			this.#sync.accepted(Number(result.structured?.revision));
		} catch (error) {
			this.#sync.refused();
			if (!(error instanceof McpError) || error.code !== 'STALE_REVISION') throw error;
			// Somebody was faster: theirs first, then ours on top.
			this.#stale = this.#due = true;
		}
	}

	/* What is wrong, then how it looks. A plan with errors keeps the picture it had. */
	async #look(): Promise<void> {
		this.#lookAgain = true;
		if (this.#looking) return;
		this.#looking = true;
		try {
			while (this.#lookAgain) {
				this.#lookAgain = false;
				this.findings = await validate(link.client, { document: this.id });
				if (this.findings.errors.length > 0) this.drawn = false;
				else await this.#draw();
			}
		} catch (error) {
			if (error instanceof McpError && error.code !== 'DISCONNECTED') this.problem = error;
		}
		this.#looking = false;
	}

	async #draw(): Promise<void> {
		const args = { document: this.id, ...this.#options };
		try {
			this.picture = await render(link.client, args);
		} catch (error) {
			if (!(error instanceof McpError) || error.code !== 'FP9002' || !('floors' in args)) throw error;
			const { floors: _, ...rest } = args; // somebody has taken that floor away
			this.picture = await render(link.client, { ...rest, renderAllFloors: true });
		}
		this.drawn = !this.dirty;
	}
}
