/* A resource as a value that is always current: read once, then again whenever the server says
 * that it has changed. Nothing is asked on a timer. */
import { onDestroy } from 'svelte';

import { link } from './link.svelte.ts';
import { McpError } from './mcp.ts';

const KEPT = 24; // values of pages that are not shown, so that going back shows no emptiness

export class Live<T> {
	value = $state.raw<T | null>(null);
	problem = $state<McpError | null>(null);
	readonly uri: string;
	#users = 0;
	#stop: (() => void) | null = null;
	#reading = false;
	#stale = false;

	constructor(uri: string) {
		this.uri = uri;
	}

	retain(): void {
		if (this.#users++ > 0) return;
		const refused = (error: McpError) => {
			this.problem = error;
		};
		this.#stop = link.client.watch(this.uri, () => void this.#read(), refused);
	}

	release(): void {
		if (--this.#users > 0) return;
		this.#stop?.();
		this.#stop = null;
	}

	get used(): boolean {
		return this.#users > 0;
	}

	/* One read at a time; changes meanwhile make one more, however many they were. */
	async #read(): Promise<void> {
		if (this.#reading) {
			this.#stale = true;
			return;
		}
		this.#reading = true;
		do {
			this.#stale = false;
			try {
				this.value = JSON.parse(await link.client.read(this.uri)) as T;
				this.problem = null;
			} catch (error) {
				if (!(error instanceof McpError) || error.code !== 'DISCONNECTED')
					this.problem =
						error instanceof McpError
							? error
							: new McpError('NOT_UNDERSTOOD', `${this.uri} was not understood.`);
			}
		} while (this.#stale);
		this.#reading = false;
	}
}

const known = new Map<string, Live<unknown>>();

function forgetOldest(): void {
	for (const [uri, live] of known) {
		if (known.size <= KEPT) return;
		if (!live.used) known.delete(uri);
	}
}

/* For the time that the component lives. The URI does not change; use {#key} where it would. */
export function live<T>(uri: string): Live<T> {
	let found = known.get(uri) as Live<T> | undefined;
	if (!found) {
		found = new Live<T>(uri);
		known.set(uri, found as Live<unknown>);
		forgetOldest();
	}
	const mine = found;
	mine.retain();
	onDestroy(() => mine.release());
	return mine;
}
