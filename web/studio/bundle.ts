/* From far away, the many lines that leave one container are one to each place they lead to (SC-081): two hundred lines side by
 * side are a grey patch that says nothing. */
import { elbow, facing, type Point, type Rect } from './geometry.ts';

export const BUNDLED_OVER = 200;

/* What is needed of a node, so that this can be tried without a page. */
export interface End {
	readonly parent: End | null;
	readonly id: string;
	rectIn(home: End | null): Rect;
}
interface Joins<E> {
	source: E;
	target: E;
}
export interface Bundle<E> {
	a: E;
	b: E;
	count: number;
}

/* What stands in `home` itself and holds this; null for what is not in it. */
function branch<E extends End>(node: E, home: E | null): E | null {
	let at: E | null = node;
	while (at && at.parent !== home) at = at.parent as E | null;
	return at;
}

/* The lines of `home`: those that stay as they are, and the bundles that the others become. */
export function bundle<E extends End, L extends Joins<E>>(lines: readonly L[], home: E | null): { single: L[]; bundles: Bundle<E>[] } {
	const crossing = new Map<E, number>();
	const ends = lines.map((line) => ({ line, a: branch(line.source, home), b: branch(line.target, home) }));
	for (const { line, a, b } of ends)
		for (const [end, top] of [[line.source, a], [line.target, b]] as const) if (top && top !== end) crossing.set(top, (crossing.get(top) ?? 0) + 1);
	const many = (top: E | null) => top !== null && (crossing.get(top) ?? 0) > BUNDLED_OVER;
	const single: L[] = [];
	const bundles = new Map<string, Bundle<E>>();
	for (const { line, a, b } of ends) {
		if (!a || !b || a === b || !(many(a) || many(b))) {
			single.push(line);
			continue;
		}
		const key = [a.id, b.id].sort().join(' ');
		const known = bundles.get(key);
		if (known) known.count++;
		else bundles.set(key, { a, b, count: 1 });
	}
	return { single, bundles: [...bundles.values()] };
}

export function bundlePoints<E extends End>({ a, b }: Bundle<E>, home: E | null): Point[] {
	const [from, to] = [a.rectIn(home), b.rectIn(home)];
	const [out, into] = facing(from, to);
	return elbow(from, out, to, into);
}
