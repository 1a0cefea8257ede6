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

/* All shortcuts: the keys, and what they do. */
export function allKeys(): [string, string][] {
	const [first, ...others] = t.keys.list;
	return [...(first ? [first] : []), ...getPages().map((page): [string, string] => [`g ${page.key}`, page.title]), ...others];
}
