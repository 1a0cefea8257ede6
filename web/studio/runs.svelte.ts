/* What the engine does with one project, by anybody: the list of runs, their lines as they come, the newest plan and what it
 * says of each node, and what is deployed. Read when the daemon says that it has changed, never on a timer. */
import { untrack } from 'svelte';

import { link } from '../kit/link.svelte.ts';
import { McpError, type JsonObject } from '../kit/mcp.ts';
import type { OpenProject } from './project.svelte.ts';
import { newestPlan, plannedOf, type Change, type Command, type Deployed, type Plan, type Run, type RunEntry } from './runs.ts';
import { s } from './text.ts';

const DEPLOYED_MS = 300; // what is deployed is read at most so often

/* One read at a time; what is told meanwhile makes one more. */
function oneAtATime(read: () => Promise<void>, pauseMs = 0): () => void {
	let running = false;
	let again = false;
	return async function ask() {
		again = true;
		if (running) return;
		running = true;
		while (again) {
			again = false;
			try {
				await read();
			} catch (error) {
				if (!(error instanceof McpError)) throw error; // gone with the connection: told again when it is back
			}
			if (pauseMs > 0) await new Promise((r) => setTimeout(r, pauseMs));
		}
		running = false;
	};
}

/* The lines of one run, from the first on. */
export class Log {
	readonly id: string;
	run = $state.raw<Run | null>(null);
	readonly lines: string[] = [];
	count = $state(0); // of them
	users = 0;
	#next = 1;
	#stop: () => void;

	constructor(id: string, project: string) {
		this.id = id;
		const read = oneAtATime(async () => {
			for (let more = true; more; ) {
				const run = (await link.client.call('get_run', { project, runId: id, logFrom: this.#next })).structured as unknown as Run;
				more = !!run.log && Number(run.nextLine) > this.#next;
				if (more) {
					this.#next = Number(run.nextLine);
					for (const line of run.log!.replace(/\n$/, '').split('\n')) this.lines.push(line);
				}
				this.run = run;
				this.count = this.lines.length;
			}
		}, 40);
		this.#stop = link.client.watch(`studio://runs/${id}/log`, read, read);
	}
	close(): void {
		this.#stop();
	}
}

export class Runs {
	readonly project: OpenProject;
	list = $state.raw<RunEntry[]>([]); // newest first
	engine = $state.raw<{ name?: string; version?: string; message?: string } | null>(null);
	/* Why the last one could not begin. */
	fault = $state.raw<{ code: string; text: string } | null>(null);
	picked = $state<string | null>(null); // the run whose lines are shown; null: the newest
	pickedPlan = $state<string | null>(null);
	seek = $state.raw<string | null>(null); // a text whose line is to be shown
	plan = $state.raw<Plan | null>(null);
	/* Instead of the plan's: what an approval is about. */
	asked = $state.raw<{ id: string; changes: Change[] } | null>(null);
	layers = $state({ plan: true, status: true, only: false });
	notices = $state.raw<RunEntry[]>([]); // destructive runs of others
	stopping = $state.raw<ReadonlyMap<string, number>>(new Map()); // since when, by run
	#stopping(id: string, since: number | null): void {
		const now = new Map(this.stopping);
		if (since === null) now.delete(id);
		else now.set(id, since);
		this.stopping = now;
	}
	live = $state.raw<Log | null>(null); // of what runs now
	#logs = new Map<string, Log>();
	#known: Set<string> | null = null;
	#own = new Set<string>();
	#starting: Promise<unknown> = Promise.resolve();
	#stops: (() => void)[] = [];

	newest = $derived(newestPlan(this.list));
	planId = $derived(this.pickedPlan ?? this.newest?.entry.runId ?? null);
	running = $derived(this.list.find((one) => one.status === 'running') ?? null);
	shownId = $derived(this.picked ?? this.list[0]?.runId ?? null);
	errors = $derived.by(() => [...this.project.diagnostics.project, ...Object.values(this.project.diagnostics.byNode).flat()].filter((one) => one.severity === 'error'));
	deployed = $derived.by(() => (this.project.diagram?.all ?? []).some((one) => one.record.deploymentStatus !== 'pending'));
	/* What lies over the nodes: an approval's changes, else those of the plan that is open or was made last. */
	shown = $derived.by(() => {
		if (this.asked) return this.asked.changes;
		if (!this.layers.plan || !this.plan || this.plan.runId !== this.planId) return null;
		return this.pickedPlan || !this.newest?.done ? this.plan.changes : null;
	});
	/* What is being applied is older than nothing. */
	stale = $derived.by(() => {
		const id = this.asked?.id ?? this.planId;
		return !!this.shown && this.running?.planId !== id && !!this.list.find((one) => one.runId === id)?.stale;
	});
	planned = $derived.by(() => {
		void this.project.diagram?.version; // addresses come behind the picture
		return plannedOf(this.shown ?? [], (id) => this.project.diagram?.node(id)?.record.addresses ?? []);
	});
	leaving = $derived(new Set((this.shown ?? []).filter((one) => one.action === 'delete').map((one) => one.address)));

	constructor(project: OpenProject) {
		this.project = project;
		const list = oneAtATime(async () => this.#take(JSON.parse(await link.client.read(project.uri('runs'))) as RunEntry[]));
		const engine = oneAtATime(async () => void (this.engine = JSON.parse(await link.client.read('studio://engine'))));
		const deployed = oneAtATime(() => this.#readDeployed(), DEPLOYED_MS);
		for (const [uri, read] of [[project.uri('runs'), list], [project.uri('status'), deployed], [project.uri('diagram'), deployed]] as const)
			this.#stops.push(link.client.watch(uri, read, () => undefined));
		engine();
		this.#stops.push(
			$effect.root(() => {
				$effect(() => {
					const id = this.planId;
					if (id && untrack(() => this.plan?.runId) !== id) void this.#readPlan(id);
				});
				$effect(() => {
					const planned = this.planned;
					for (const view of this.project.diagram?.all ?? []) {
						const word = planned.get(view.id) ?? null;
						if (view.planned !== word) view.planned = word;
					}
				});
				$effect(() => {
					const diagram = this.project.diagram;
					if (diagram) diagram.showsStatus = this.layers.status && this.deployed;
				});
				$effect(() => {
					const id = this.running?.runId;
					if (!id) return void (this.live = null);
					this.live = this.open(id);
					return () => this.release(id);
				});
			}),
		);
	}

	close(): void {
		for (const stop of this.#stops) stop();
		for (const log of this.#logs.values()) log.close();
	}

	/* ---- what the daemon has ---- */

	#take(list: RunEntry[]): void {
		const known = this.#known;
		this.#known = new Set(list.map((one) => one.runId));
		this.list = list;
		for (const one of list) if (one.status !== 'running' && this.stopping.has(one.runId)) this.#stopping(one.runId, null);
		if (!known) return;
		const fresh = list.filter((one) => !known.has(one.runId));
		if (fresh.length === 0) return;
		this.asked = null;
		if (fresh.some((one) => one.command === 'plan')) this.pickedPlan = null;
		// Whose it is is known when what was asked for here is answered.
		void this.#starting.then(() => {
			const others = fresh.filter((one) => !this.#own.has(one.runId));
			const grave = others.filter((one) => one.command === 'apply' || one.command === 'destroy');
			if (grave.length > 0) this.notices = [...this.notices, ...grave].slice(-3);
			for (const one of others) this.project.say(s.started(one.actor.name, s.command[one.command] ?? one.command));
		});
	}

	async #readPlan(id: string): Promise<void> {
		try {
			const plan = (await link.client.call('get_plan', { project: this.project.id, runId: id })).structured as unknown as Plan;
			if (this.planId === id) this.plan = plan;
		} catch (error) {
			if (!(error instanceof McpError)) throw error;
			if (this.planId === id) this.plan = null;
		}
	}

	async #readDeployed(): Promise<void> {
		if (!this.deployed) return;
		const part = JSON.parse(await link.client.read(this.project.uri('status'))) as { details?: Record<string, Deployed> };
		for (const view of this.project.diagram?.nodes.values() ?? []) view.deployed = part.details?.[view.id] ?? null;
	}

	open(id: string): Log {
		let log = this.#logs.get(id);
		if (!log) this.#logs.set(id, (log = new Log(id, this.project.id)));
		log.users++;
		return log;
	}
	release(id: string): void {
		const log = this.#logs.get(id);
		if (!log || --log.users > 0) return;
		log.close();
		this.#logs.delete(id);
	}

	/* ---- what this hand does ---- */

	/* Null: it did not begin, and says why. */
	async start(command: Command, args: JsonObject = {}): Promise<string | null> {
		const asked = this.project.act('run_terraform', { command, waitMs: 0, ...args });
		this.#starting = Promise.allSettled([this.#starting, asked]);
		const answer = await asked;
		this.fault = answer ? null : this.project.refusal;
		if (!answer) return null;
		const id = String(answer.runId);
		this.#own.add(id);
		this.picked = null;
		return id;
	}

	stop(force = false): void {
		const id = this.running?.runId;
		if (!id) return;
		if (!force) this.#stopping(id, Date.now());
		void this.project.act('cancel_run', force ? { runId: id, force } : { runId: id }).then((done) => {
			if (!done && !force) this.#stopping(id, null);
			else if (done) this.project.say(String(done.warning ?? s.stopAsked));
		});
	}

	/* Resolves when a run is over. */
	ended(id: string): Promise<RunEntry> {
		return new Promise((resolve) => {
			const stop = $effect.root(() => {
				$effect(() => {
					const one = this.list.find((run) => run.runId === id);
					if (!one || one.status === 'running') return;
					resolve(one);
					queueMicrotask(() => stop());
				});
			});
			this.#stops.push(stop);
		});
	}
}
