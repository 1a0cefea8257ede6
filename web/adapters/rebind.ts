/* Whom a draft belongs to when the instance that it names is not there [A15]: one of the same type, file, key,
 * ordinal and owners whose line or column has moved, if exactly one draft and exactly one instance fit. */
import { canonical, type Fields } from './values.ts';
import { shapeOf } from './identity.ts';

export interface Lost {
	typeId: string | null;
	locator: Fields | null;
}

export interface Candidate {
	typeId: string;
	locator: Fields | null;
}

export interface Rebinding<L, C> {
	found: Map<L, C>;
	ambiguous: Set<L>; // more than one fits
}

const shape = (typeId: string | null, locator: Fields | null): string | null =>
	typeId !== null && locator?.kind === 'jsxSite' ? canonical(shapeOf(typeId, locator)) : null;

function byShape<T extends Lost | Candidate>(all: Iterable<T>): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const one of all) {
		const key = shape(one.typeId, one.locator);
		if (key === null) continue;
		const group = groups.get(key);
		if (group) group.push(one);
		else groups.set(key, [one]);
	}
	return groups;
}

/* `standing` says of a locator that its place is still in the source as it is now: then the instance is only not
 * shown, and has not moved. */
export function rebind<L extends Lost, C extends Candidate>(
	lost: Iterable<L>,
	unclaimed: Iterable<C>,
	standing: (locator: Fields) => boolean,
): Rebinding<L, C> {
	const found = new Map<L, C>();
	const ambiguous = new Set<L>();
	const candidates = byShape(unclaimed);
	const moved = [...lost].filter((one) => one.locator && !standing(one.locator));
	for (const [key, drafts] of byShape(moved)) {
		const fitting = candidates.get(key) ?? [];
		if (drafts.length === 1 && fitting.length === 1) found.set(drafts[0]!, fitting[0]!);
		else if (fitting.length > 0) for (const draft of drafts) ambiguous.add(draft);
	}
	return { found, ambiguous };
}
