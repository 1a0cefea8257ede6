/* runtime.instances [A8]: all live instances after a handshake, then what has changed, at most every 250 ms. */
import { quietly, type Fields } from './values.ts';

const EVERY_MS = 250;
const INSTANCES_MAX = 20_000; // [21]
const CHUNK = 200_000; // characters of one message: at most three bytes each

interface Reported {
	id: string;
	version: number;
	parent: { id: string } | null;
}

export class Reports<T extends Reported> {
	#send: (fields: Fields) => boolean;
	#describe: (one: T) => Fields;
	#sent = new Map<string, string>(); // id to what was said of it
	#seen = new Map<string, string>(); // id to version and parent, by which a change is noticed cheaply
	#full = true;
	#look: () => ReadonlyMap<string, T>;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(send: (fields: Fields) => boolean, describe: (one: T) => Fields, look: () => ReadonlyMap<string, T>) {
		this.#send = send;
		this.#describe = describe;
		this.#look = look;
	}

	/* A new handshake: everything is said again. */
	reset(): void {
		this.#full = true;
		this.#sent.clear();
		this.#seen.clear();
	}

	later(): void {
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			quietly(() => this.#report(), undefined);
		}, EVERY_MS);
	}

	#report(): void {
		const live = this.#look();
		const remove = [...this.#sent.keys()].filter((id) => !live.has(id));
		let upsert: Fields[] = [];
		let size = 0;
		let count = 0;
		for (const one of live.values()) {
			if (count++ >= INSTANCES_MAX) break;
			const mark = `${one.version} ${one.parent?.id ?? ''}`;
			if (this.#seen.get(one.id) === mark) continue;
			this.#seen.set(one.id, mark);
			const fields = this.#changed(one);
			if (!fields) continue;
			upsert.push(fields);
			size += this.#sent.get(one.id)!.length;
			if (size < CHUNK) continue;
			if (!this.#say(upsert, remove.splice(0))) return;
			upsert = [];
			size = 0;
		}
		if (this.#full || upsert.length || remove.length) this.#say(upsert, remove);
	}

	/* What is to be said of it, or null if that was said before. Where it stands does not count. */
	#changed(one: T): Fields | null {
		try {
			const fields = this.#describe(one);
			const { rect: _rect, ...rest } = fields;
			const text = JSON.stringify(rest);
			if (this.#sent.get(one.id) === text) return null;
			this.#sent.set(one.id, text);
			return fields;
		} catch {
			return null;
		}
	}

	#say(upsert: Fields[], remove: string[]): boolean {
		for (const id of remove) {
			this.#sent.delete(id);
			this.#seen.delete(id);
		}
		if (this.#send({ full: this.#full, upsert, remove })) {
			this.#full = false;
			return true;
		}
		// It was dropped: everything is said again, later.
		this.reset();
		this.later();
		return false;
	}
}
