/* What has become of each draft [A14], said once the page has been quiet for half a second, after two at most. */
import type { Fields, Json } from './values.ts';

export const QUIET_MS = 500;
export const WAIT_MAX_MS = 2000;
const MESSAGE_MAX = 250_000; // characters of one message: more than that are several

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

function inParts(all: Status[]): Status[][] {
	const parts: Status[][] = [[]];
	let size = 0;
	for (const one of all) {
		const length = JSON.stringify(one).length * 2; // it may stand in two lists
		if (size + length > MESSAGE_MAX) {
			parts.push([]);
			size = 0;
		}
		parts.at(-1)!.push(one);
		size += length;
	}
	return parts;
}

/* The messages that say so. */
export function statusMessages(all: Status[]): Fields[] {
	const messages: Fields[] = [];
	for (const some of inParts(all)) {
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
