/* The palette: which types, in which order, and which of them may stand where the hand is (SC-040, 041). */
import type { NodeView } from './diagram.svelte.ts';
import { score, type Catalogue, type TypeInfo } from './model.ts';
import { s } from './text.ts';
import type { Section } from './TypeList.svelte';

const FOUND = 40;

/* By provider and category, the active providers first; what was used last on top. */
export function allSections(catalogue: Catalogue, active: readonly string[], last: readonly string[]): Section[] {
	const recent = last.flatMap((id) => catalogue.find(id) ?? []).filter((type) => !type.hidden);
	const sections: Section[] = [{ title: s.lastUsed, entries: recent.map((type) => ({ type })) }];
	const rank = (provider: string) => (active.includes(provider) ? 0 : provider.startsWith('_') ? 2 : 1);
	for (const group of [...catalogue.groups].sort((a, b) => rank(a.provider) - rank(b.provider)))
		for (const category of group.categories)
			sections.push({
				title: `${group.displayName} · ${category.label}`,
				entries: category.typeIds.flatMap((id) => catalogue.find(id) ?? []).filter((type) => !type.hidden).map((type) => ({ type })),
			});
	return sections.filter((one) => one.entries.length > 0);
}

/* What the words find, best first; with a container what fits into it before the rest, which says why not. */
export function foundSections(catalogue: Catalogue, words: string, container: NodeView | null): Section[] {
	const found = catalogue.all
		.filter((type) => !type.hidden)
		.flatMap((type, order) => {
			const value = score(type, words);
			return value === null ? [] : [{ type, value, order }];
		})
		.sort((a, b) => b.value - a.value || a.order - b.order)
		.slice(0, FOUND)
		.map((one) => one.type);
	if (!container) return [{ title: s.found, entries: found.map((type) => ({ type })) }];
	const fits = (type: TypeInfo) => catalogue.mayStandIn(type.typeId, container.record.typeId);
	return [
		{ title: s.fitsInto(s.nameOf(container)), entries: found.filter(fits).map((type) => ({ type })) },
		{
			title: s.elsewhere,
			entries: found.filter((type) => !fits(type)).map((type) => ({ type, hint: s.goesInto(type.displayName, type.canBeChildOf.map((id) => catalogue.find(id)?.displayName ?? id)) })),
		},
	];
}
