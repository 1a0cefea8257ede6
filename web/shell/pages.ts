/* The pages, in the order of the menu: one line each is all that the rest of the page knows of them
 * (docs/adding.md). `id` is the fragment "#/id", `key` what follows "g" as a shortcut, `icon` a name of
 * kit/Icon.svelte or a drawing like those there. The first is shown where nothing else is asked for. */
import type { Component } from 'svelte';

import Activity from '../activity/Activity.svelte';
import Connect from '../connect/Connect.svelte';
import Overview from '../dashboard/Overview.svelte';
import Floorplan from '../floorplan/Floorplan.svelte';
import Help from '../help/Help.svelte';
import type { IconSource } from '../kit/Icon.svelte';
import Plan from '../plan/Plan.svelte';
import Settings from '../settings/Settings.svelte';
import Terminal from '../terminal/Terminal.svelte';

type Page<Id> = { id: Id; title: string; icon: IconSource; key: string; component: Component };
/* So that the type of `pages` knows the ids, and not what each component is made of. */
const page = <Id extends string>(one: Page<Id>): Page<Id> => one;

export const pages = [
	page({ id: 'overview', title: 'Overview', icon: 'home', key: 'o', component: Overview }),
	page({ id: 'activity', title: 'Activity', icon: 'activity', key: 'a', component: Activity }),
	page({ id: 'plan', title: 'Plans', icon: 'plan', key: 'p', component: Plan }),
	page({ id: 'floorplan', title: 'Floorplan', icon: 'floorplan', key: 'f', component: Floorplan }),
	page({ id: 'terminal', title: 'Terminal', icon: 'terminal', key: 't', component: Terminal }),
	page({ id: 'connect', title: 'Connect', icon: 'connect', key: 'c', component: Connect }),
	page({ id: 'settings', title: 'Settings', icon: 'settings', key: 's', component: Settings }),
	page({ id: 'help', title: 'Help', icon: 'help', key: 'h', component: Help }),
] as const;
export type PageId = (typeof pages)[number]['id'];

/* The page of a fragment. */
export function pageOf(id: string): (typeof pages)[number] {
	return pages.find((one) => one.id === id) ?? pages[0];
}
