/* What the pages themselves may know of each other: their titles and keys. App hands the list of shell/pages.ts
 * down, so that no page imports all of them. Only while a component is being made, like any context. */
import { createContext } from 'svelte';

import type { PageId } from '../shell/pages.ts';
import { t } from './text.ts';

type Known = readonly { id: PageId; title: string; key: string }[];
const [getPages, setPages] = createContext<Known>();
export { setPages };

export function titleOf(id: PageId): string {
	return getPages().find((page) => page.id === id)?.title ?? id;
}

/* Keys of a page that is loaded when it is first opened. */
const more: [string, string][] = [];
export function addKeys(keys: [string, string][]): void {
	if (!more.includes(keys[0] as [string, string])) more.push(...keys);
}

/* What the page in sight can show again, offered below the keys. */
const acts = new Map<string, () => void>();
export function addHelp(label: string, act: () => void): () => void {
	acts.set(label, act);
	return () => acts.delete(label);
}
export const helpActs = (): [string, () => void][] => [...acts];

/* All shortcuts: the keys, and what they do. */
export function allKeys(): [string, string][] {
	const [first, ...others] = t.keys.list;
	return [...(first ? [first] : []), ...getPages().map((page): [string, string] => [`g ${page.key}`, page.title]), ...others, ...more];
}
