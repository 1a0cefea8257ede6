/* What has become of each draft [A14], said once the page has been quiet for half a second, after two at most. */
import type { Fields, Json } from './values.ts';

export const QUIET_MS = 500;
export const WAIT_MAX_MS = 2000;
const ENTRIES_MAX = 1500; // of one message: more than that are several

/* Calls `act` when nothing has stirred for a while. */
export class Quiet {
	#act: () => void;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#since = 0;

	constructor(act: () => void) {
		this.#act = act;
	}

	/* Somebody waits for the page to be quiet. */
	want(): void {
		if (!this.#since) this.#since = Date.now();
		this.#arm();
	}

	stir(): void {
		if (this.#since) this.#arm();
	}

	stop(): void {
		this.#since = 0;
		clearTimeout(this.#timer);
	}

	#arm(): void {
		clearTimeout(this.#timer);
		const left = this.#since + WAIT_MAX_MS - Date.now();
		this.#timer = setTimeout(() => {
			this.#since = 0;
			this.#act();
		}, Math.max(0, Math.min(QUIET_MS, left)));
	}
}

export type Reason = 'instance_not_found' | 'ambiguous_locator' | 'path_invalid';

export interface Status {
	instanceId: string;
	path: string;
	reason?: Reason;
	to?: { instanceId: string; locator: Json };
}

/* The messages that say so. */
export function statusMessages(all: Status[]): Fields[] {
	const messages: Fields[] = [];
	for (let at = 0; at === 0 || at < all.length; at += ENTRIES_MAX) {
		const some = all.slice(at, at + ENTRIES_MAX);
		const message: Fields = {
			applied: some.filter((s) => !s.reason).map(({ instanceId, path }) => ({ instanceId, path })),
			orphaned: some.filter((s) => s.reason).map(({ instanceId, path, reason }) => ({ instanceId, path, reason: reason! })),
		};
		const rebound = some.filter((s) => s.to);
		if (rebound.length) {
			message.rebound = rebound.map(({ instanceId, path, to }) => ({
				instanceId, path, toInstanceId: to!.instanceId, toLocator: to!.locator,
			}));
		}
		messages.push(message);
	}
	return messages;
}
