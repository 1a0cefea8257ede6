/* The projects that are open and those that were lately: what the start page, the tabs and their notices have in common. */
import { link } from '../kit/link.svelte.ts';
import { live, type Live } from '../kit/live.svelte.ts';
import type { JsonObject } from '../kit/mcp.ts';
import { route } from '../kit/route.svelte.ts';
import { say } from '../kit/toast.svelte.ts';
import { store, type OpenProject } from './project.svelte.ts';

export interface Listed {
	id: string;
	name: string;
	path: string;
	current?: boolean;
	dirty?: boolean;
	savedRevision?: number;
	missing?: boolean;
	openedBy?: { name: string; person: boolean };
}
export interface Folder {
	path: string;
	parent?: string | null;
	folders: { name: string; path?: string; kind: 'project' | 'terraform' | 'folder' }[];
	truncated?: boolean;
}

/* For the time that a component lives. */
export const projects = (): Live<{ open: Listed[]; recent: Listed[] }> => live('studio://projects');

/* Makes or opens one, goes there, and says once what the daemon says of it ("changes that had not been saved are there
 * again"). Fails with the daemon's words. */
export async function goInto(tool: 'new_project' | 'open_project', args: JsonObject): Promise<string> {
	const answer = (await link.client.call(tool, args)).structured as unknown as { project: { id: string }; warnings?: { message?: string }[] };
	for (const one of answer.warnings ?? []) if (one.message) say(one.message);
	route.go('studio', answer.project.id);
	return answer.project.id;
}

/* What has been changed since it was saved last, as far as the history on this page goes. What was undone was not. */
export function changedSince(project: OpenProject, list: readonly Listed[]): ReadonlySet<string> {
	const saved = list.find((one) => one.id === project.id)?.savedRevision ?? Infinity;
	const late = project.history.filter((one) => one.revision > saved);
	// Taken back, it is as it was; what was saved and taken back since is not.
	const known = new Set(late.map((one) => one.changeId));
	return new Set(late.filter((one) => !one.undone && !known.has(one.of ?? '')).flatMap((one) => one.instanceIds));
}

/* What it cost when it was saved last, as this browser saw it (SC-126). */
export function noteSavedCost(project: OpenProject, list: readonly Listed[]): void {
	const one = list.find((it) => it.id === project.id);
	if (one && project.costs && !one.dirty && project.info?.dirty === false) store('cost', one.id, [one.savedRevision, project.costs.total.monthly]);
}

export async function foldersOf(path: string | null): Promise<Folder> {
	return (await link.client.call('list_folders', path ? { path } : {})).structured as unknown as Folder;
}

export const below = (folder: Folder, one: Folder['folders'][number]): string => one.path ?? `${folder.path.replace(/\/$/, '')}/${one.name}`;
