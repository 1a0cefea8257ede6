/* What forms and problems do beyond one value: choose a node on the canvas, make one that is referred to, cure what is wrong. */
import type { Json } from '../kit/mcp.ts';
import type { NodeView } from './diagram.svelte.ts';
import type { Diagnostic } from './model.ts';
import { s } from './text.ts';
import { wording } from './wording.ts';
import type { Workspace } from './workspace.svelte.ts';

/* The next press on one of these nodes chooses it; any other, and Escape, ends it. */
export function pick(work: Workspace, legal: readonly NodeView[], done: (node: NodeView) => void): void {
	const all = work.project.diagram?.all ?? [];
	const light = (on: boolean) => {
		for (const one of all) one.lit = !on ? '' : legal.includes(one) ? 'end' : 'dim';
	};
	light(true);
	work.project.say(wording.pickHelp(legal.length));
	const names = ['pointerdown', 'pointerup', 'click', 'keydown'] as const;
	const heard = (event: Event) => {
		const target = event.target as Element;
		if (event instanceof KeyboardEvent ? event.key !== 'Escape' : event.type !== 'click' && !target.closest('[role="application"]')) return;
		event.preventDefault();
		event.stopPropagation();
		if (event.type === 'pointerdown' || event.type === 'pointerup') return;
		for (const name of names) removeEventListener(name, heard, true);
		light(false);
		const node = work.project.diagram?.node(target.closest('[data-id]')?.getAttribute('data-id') ?? '');
		if (node && event.type === 'click' && legal.includes(node)) done(node);
	};
	for (const name of names) addEventListener(name, heard, true);
}

/* A new node beside the one that will refer to it, in the nearest container that may hold it: one change. */
export async function createFor(work: Workspace, node: NodeView, property: { key: string; many?: boolean }, typeId: string, now: readonly string[]): Promise<void> {
	const catalogue = work.project.diagram?.catalogue;
	const parent = [...node.ancestors].reverse().find((one) => catalogue?.mayStandIn(typeId, one.record.typeId));
	const id = '$new.instanceId';
	const operations: Json[] = [
		{ tool: 'add_resource', arguments: parent ? { typeId, parentId: parent.id } : { typeId }, as: 'new' },
		{ tool: 'update_resource', arguments: { instanceId: node.id, properties: {}, references: { [property.key]: property.many ? [...now, id] : id } } },
	];
	await work.project.act('execute_batch', { operations, label: s.addedJoined(catalogue?.find(typeId)?.displayName ?? typeId, s.nameOf(node)) });
}

/* What cures these problems, as one change. */
export async function fix(work: Workspace, problems: readonly Diagnostic[]): Promise<boolean> {
	const calls = problems.flatMap((one) => one.fix ?? []);
	const [first] = calls;
	if (!first) return false;
	const operations = calls.map((one) => ({ tool: one.tool, arguments: one.arguments }));
	return (await (calls.length === 1 ? work.project.act(first.tool, first.arguments) : work.project.act('execute_batch', { operations, label: wording.fixed(problems.length) }))) !== null;
}
