/* The props of an instance as JSON [A4]: what cannot be said in JSON is left out and named by its kind. The values
 * are the page's: a getter that throws, a proxy, a cycle or ten megabytes must neither harm nor delay anybody. */
import type { Fields, Json } from './values.ts';

export const DEPTH_MAX = 4;
export const KEYS_MAX = 100;
export const STRING_MAX = 4096; // bytes
export const TOTAL_MAX = 64 * 1024; // bytes of all props as JSON
const ITEMS_MAX = 1000; // of one array
const OMITTED_MAX = 200;
const OMITTED_BYTES = 8192; // beyond what the props may have

export type Kind = 'function' | 'element' | 'symbol' | 'instance' | 'undefined' | 'nonfinite' | 'cycle' | 'truncated';

export interface Described {
	props: Fields;
	propsOmitted?: Record<string, Kind>;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/* At most so many bytes of UTF-8, and no half character at the end. */
export function cut(text: string, bytes: number): string {
	const start = text.length > bytes ? text.slice(0, bytes) : text;
	const wellFormed = start.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
	const encoded = encoder.encode(wellFormed);
	if (encoded.length <= bytes) return text.length > bytes ? start.replace(/[\ud800-\udbff]$/, '') : wellFormed;
	return decoder.decode(encoded.subarray(0, bytes)).replace(/\ufffd$/, '');
}

const jsonBytes = (text: string) => encoder.encode(JSON.stringify(text)).length;
const isElement = (value: unknown) => typeof value === 'object' && value !== null && Object.hasOwn(value, '$$typeof');

class Describer {
	left: number;
	omitted: Record<string, Kind> = {};
	#names = 0;
	#inside = new Set<object>();

	constructor(total: number) {
		this.left = total;
	}

	leaveOut(where: string, kind: Kind): undefined {
		if (this.#names++ >= OMITTED_MAX || this.left < -OMITTED_BYTES) return undefined;
		const name = cut(where, 200);
		this.left -= name.length + 20;
		Object.defineProperty(this.omitted, name, { value: kind, enumerable: true, configurable: true });
		return undefined;
	}

	string(text: string, where: string): string {
		const room = Math.max(0, this.left);
		let short = cut(text, Math.min(STRING_MAX, room));
		if (jsonBytes(short) > room) short = cut(text, Math.floor(room / 6)); // each may be written as "\\u0001"
		if (short.length < text.length) this.leaveOut(where, 'truncated');
		this.left -= jsonBytes(short);
		return short;
	}

	value(value: unknown, where: string, depth: number): Json | undefined {
		if (this.left <= 0) return this.leaveOut(where, 'truncated');
		this.left -= 8;
		switch (typeof value) {
			case 'string':
				return this.string(value, where);
			case 'boolean':
				return value;
			case 'number':
				this.left -= 16;
				return Number.isFinite(value) ? value : this.leaveOut(where, 'nonfinite');
			case 'function':
			case 'symbol':
			case 'undefined':
				return this.leaveOut(where, typeof value as Kind);
			case 'bigint':
				return this.leaveOut(where, 'instance');
			default:
				return value === null ? null : this.object(value as object, where, depth);
		}
	}

	object(value: object, where: string, depth: number): Json | undefined {
		if (this.#inside.has(value)) return this.leaveOut(where, 'cycle');
		const isArray = Array.isArray(value);
		if (isArray) {
			if (value.slice(0, ITEMS_MAX).some(isElement)) return this.leaveOut(where, 'element');
		} else {
			const above = Object.getPrototypeOf(value);
			if (isElement(value)) return this.leaveOut(where, 'element');
			if (above !== null && Object.getPrototypeOf(above) !== null) return this.leaveOut(where, 'instance');
		}
		if (depth >= DEPTH_MAX) return this.leaveOut(where, 'truncated');
		this.#inside.add(value);
		const made = isArray ? this.#array(value, where, depth) : this.#members(value as Fields, where, depth);
		this.#inside.delete(value);
		return made;
	}

	#array(items: unknown[], where: string, depth: number): Json[] {
		const made: Json[] = [];
		const count = Math.min(items.length, ITEMS_MAX);
		for (let i = 0; i < count && this.left > 0; i++) made.push(this.#member(items, i, `${where}/${i}`, depth) ?? null);
		if (made.length < items.length) this.leaveOut(where, 'truncated');
		return made;
	}

	#members(from: object, where: string, depth: number): Fields {
		const made: Fields = {};
		const names = Object.keys(from);
		if (names.length > KEYS_MAX) this.leaveOut(where, 'truncated');
		for (const name of names.slice(0, KEYS_MAX)) {
			if (name.length > 200) {
				this.leaveOut(where, 'truncated');
				continue;
			}
			this.left -= name.length * 2 + 4;
			const value = this.#member(from, name, where ? `${where}/${name}` : name, depth);
			if (value === undefined) continue;
			Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true });
		}
		return made;
	}

	/* Reading may run the page's code. */
	#member(from: object, name: string | number, where: string, depth: number): Json | undefined {
		try {
			return this.value((from as Record<string | number, unknown>)[name], where, depth + 1);
		} catch {
			return this.leaveOut(where, 'instance');
		}
	}

	top(props: object): Fields {
		try {
			return this.#members(props, '', 0);
		} catch {
			this.leaveOut('', 'instance');
			return {};
		}
	}
}

export function describeProps(props: object, total = TOTAL_MAX): Described {
	const describer = new Describer(total - 64);
	const made = describer.top(props);
	return Object.keys(describer.omitted).length ? { props: made, propsOmitted: describer.omitted } : { props: made };
}
