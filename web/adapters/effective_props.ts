/* effectiveProps: what a component gets. The baseline (what its parent passed), the configuration's props for its
 * type laid over it, then each override at its path [A12]. A pure function: nothing that it is given is changed,
 * and what no path touches is the same object as before. */

export type Props = Record<string, unknown>;

export interface Effective {
	props: Props;
	invalid: string[]; // paths that could not be set; the others are
}

const INDEX = /^(0|[1-9][0-9]{0,5})$/;
const UNSAFE = new Set(['__proto__', 'prototype', 'constructor']);
const TOKENS_MAX = 16;

/* The tokens of a path (RFC 6901), or null if it is none that may be set [O4]. */
export function tokensOf(path: unknown): string[] | null {
	if (typeof path !== 'string' || path[0] !== '/' || /~(?![01])/.test(path)) return null;
	const tokens = path.slice(1).split('/').map((token) => token.replace(/~1/g, '/').replace(/~0/g, '~'));
	const bad = (token: string) => token === '' || UNSAFE.has(token);
	return tokens.length > TOKENS_MAX || tokens.some(bad) ? null : tokens;
}

/* Plain data may be copied on the way to a path; what has an identity of its own may not. */
function plain(value: unknown): value is object {
	if (typeof value !== 'object' || value === null) return false;
	const above = Object.getPrototypeOf(value);
	const isElement = Object.hasOwn(value, '$$typeof');
	return Array.isArray(value) || ((above === null || Object.getPrototypeOf(above) === null) && !isElement);
}

/* A copy of a container with one value set, or undefined if there is no such place. */
function withValue(container: unknown, tokens: string[], at: number, value: unknown): object | undefined {
	const token = tokens[at]!;
	const missing = container === undefined || container === null;
	if (!missing && !plain(container)) return undefined;
	const isArray = missing ? INDEX.test(token) && at > 0 : Array.isArray(container);
	if (isArray && !INDEX.test(token)) return undefined;
	const copy: object = isArray ? [...((container ?? []) as unknown[])] : { ...(container as object) };
	const old = Object.hasOwn(copy, token) ? (copy as Props)[token] : undefined;
	const set = at === tokens.length - 1 ? value : withValue(old, tokens, at + 1, value);
	if (set === undefined && at < tokens.length - 1) return undefined;
	Object.defineProperty(copy, token, { value: set, enumerable: true, configurable: true, writable: true });
	return copy;
}

const encoder = new TextEncoder();

function byBytes(a: string, b: string): number {
	const [x, y] = [encoder.encode(a), encoder.encode(b)];
	for (let i = 0; i < x.length && i < y.length; i++) if (x[i] !== y[i]) return x[i]! - y[i]!;
	return x.length - y.length;
}

/* The same, and which paths had no place. */
export function resolveProps(baseline: Props, configLayer?: Props | null, overrides?: Props | null): Effective {
	let props: Props = { ...baseline, ...configLayer };
	const invalid: string[] = [];
	const entries = Object.entries(overrides ?? {}).map(([path, value]) => ({ path, value, tokens: tokensOf(path) }));
	entries.sort((a, b) => (a.tokens?.length ?? 0) - (b.tokens?.length ?? 0) || byBytes(a.path, b.path));
	for (const { path, value, tokens } of entries) {
		const next = tokens && (withValue(props, tokens, 0, value) as Props | undefined);
		if (next) props = next;
		else invalid.push(path);
	}
	return { props, invalid };
}

export function effectiveProps(baseline: Props, configLayer?: Props | null, overrides?: Props | null): Props {
	return resolveProps(baseline, configLayer, overrides).props;
}
