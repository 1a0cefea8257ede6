/* The panels, in the order of their tabs: a line each. Each is a component that has the workspace and nothing else, and is
 * loaded when it is first opened. */
import type { Component } from 'svelte';

import type { BottomPanel, LeftPanel, Panel, Workspace } from './workspace.svelte.ts';

export type PanelView = Component<{ work: Workspace }>;
export interface PanelEntry<Id extends Panel = Panel> {
	id: Id;
	load: () => Promise<{ default: PanelView }>;
}

export const leftPanels: PanelEntry<LeftPanel>[] = [
	{ id: 'add', load: () => import('./Add.svelte') },
	{ id: 'outline', load: () => import('./Outline.svelte') },
	{ id: 'search', load: () => import('./Search.svelte') },
	{ id: 'history', load: () => import('./History.svelte') },
];
export const bottomPanels: PanelEntry<BottomPanel>[] = [
	{ id: 'problems', load: () => import('./Problems.svelte') },
	{ id: 'run', load: () => import('./Run.svelte') },
	{ id: 'plan', load: () => import('./Plan.svelte') },
	{ id: 'costs', load: () => import('./Costs.svelte') },
	{ id: 'code', load: () => import('./Code.svelte') },
];
export const properties: PanelEntry = { id: 'properties', load: () => import('./Properties.svelte') };
