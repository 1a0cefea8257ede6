/* The pages, in the order of the menu: one line each is all that the rest of the page knows of them
 * (docs/adding.md). `id` is the fragment "#/id", `key` what follows "g" as a shortcut, `icon` a name of
 * kit/Icon.svelte or a drawing like those there. The first is shown where nothing else is asked for. Each comes when it
 * is first opened: no page pays for another (studio-canvas SC-230). */
import type { Component } from 'svelte';

import type { IconSource } from '../kit/Icon.svelte';

type Load = () => Promise<{ default: Component }>;
/* `wide`: the page uses the whole window beside the menu, and scrolls in its own parts. */
type Page<Id> = { id: Id; title: string; icon: IconSource; key: string; load: Load; wide?: boolean };
/* So that the type of `pages` knows the ids, and not what each component is made of. */
const page = <Id extends string>(one: Page<Id>): Page<Id> => one;

export const pages = [
	page({ id: 'overview', title: 'Overview', icon: 'home', key: 'o', load: () => import('../dashboard/Overview.svelte') }),
	page({ id: 'activity', title: 'Activity', icon: 'activity', key: 'a', load: () => import('../activity/Activity.svelte') }),
	page({ id: 'plan', title: 'Plans', icon: 'plan', key: 'p', load: () => import('../plan/Plan.svelte') }),
	page({ id: 'studio', title: 'Studio', icon: 'M4 4h7v6H4zM13 14h7v6h-7zM7.500 10v7H13M16.500 14V7H11', key: 'i', load: () => import('../studio/Studio.svelte'), wide: true }),
	page({ id: 'floorplan', title: 'Floorplan', icon: 'floorplan', key: 'f', load: () => import('../floorplan/Floorplan.svelte') }),
	page({ id: 'terminal', title: 'Terminal', icon: 'terminal', key: 't', load: () => import('../terminal/Terminal.svelte') }),
	page({ id: 'workbench', title: 'Workbench', icon: 'M3 4.500h18v15H3zM3 8.500h18M8 12.500h5v4H8zM16 12v6l1.500-1.500h2z', key: 'w', load: () => import('../workbench/Workbench.svelte'), wide: true }),
	page({ id: 'connect', title: 'Connect', icon: 'connect', key: 'c', load: () => import('../connect/Connect.svelte') }),
	page({ id: 'settings', title: 'Settings', icon: 'settings', key: 's', load: () => import('../settings/Settings.svelte') }),
	page({ id: 'help', title: 'Help', icon: 'help', key: 'h', load: () => import('../help/Help.svelte') }),
] as const;
export type PageId = (typeof pages)[number]['id'];

/* The page of a fragment. */
export function pageOf(id: string): (typeof pages)[number] {
	return pages.find((one) => one.id === id) ?? pages[0];
}
