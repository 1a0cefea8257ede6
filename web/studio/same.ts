/* Whether two values are the same, and whether one says anything at all, as the daemon reads them (studio.md 5.5). */
import type { JsonObject } from '../kit/mcp.ts';

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
export const same = (a: unknown, b: unknown): boolean => {
	if (a === b || (a ?? null) === (b ?? null)) return true;
	if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((one, i) => same(one, b[i]));
	if (!isObject(a) || !isObject(b)) return false;
	const keys = Object.keys(a);
	return keys.length === Object.keys(b).length && keys.every((key) => key in b && same(a[key], b[key]));
};
/* "Has a value" of 5.5. */
export const isEmpty = (value: unknown): boolean =>
	value === undefined || value === null || value === '' || (Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0);
