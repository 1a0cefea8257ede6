/* JSON as the host sends it, and reading what nobody vouches for. */

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type Fields = { [name: string]: Json };

export interface SourceRef {
	filePath: string;
	line: number;
	column?: number;
}

export function isFields(value: unknown): value is Fields {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isId(value: unknown): value is string {
	return typeof value === 'string' && value.length > 0 && value.length <= 200;
}

/* JSON with the members of every object in order, so that equal values are equal texts. */
export function canonical(value: Json): string {
	if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
	if (!isFields(value)) return JSON.stringify(value);
	const names = Object.keys(value).sort();
	return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name]!)}`).join()}}`;
}

/* Runs what may throw: a fault of ours never reaches the page's own code. */
export function quietly<T>(act: () => T, otherwise: T): T {
	try {
		return act();
	} catch {
		return otherwise;
	}
}
