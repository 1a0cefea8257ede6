/* What of a diagram is drawn, as a menu that stays open while it is chosen (SC-131). */
import type { Point } from './geometry.ts';
import { s } from './text.ts';
import { wording } from './wording.ts';
import type { Workspace } from './workspace.svelte.ts';

/* A kind of thing, how many there are, and what it is called. */
function kinds(work: Workspace): [string, string, number][] {
	const { diagram } = work.project;
	const count = new Map<string, [string, number]>();
	const add = (id: string, label: string) => count.set(id, [label, (count.get(id)?.[1] ?? 0) + 1]);
	for (const edge of diagram?.allEdges ?? []) add(`line:${edge.record.category}`, `${wording.linesMenu}: ${wording.category[edge.record.category] ?? edge.record.category}`);
	for (const edge of diagram?.allEdges ?? []) if (edge.record.label) add('labels', wording.lineLabels);
	for (const node of diagram?.all ?? []) {
		const provider = node.record.typeId.split('/')[0]!;
		if (node.isAnnotation) add('annotation', wording.category.annotation!);
		else if (!node.record.terraformType) add('virtual', wording.virtualNodes);
		else add(`provider:${provider}`, diagram?.catalogue.groups.find((one) => one.provider === provider)?.displayName ?? provider);
	}
	for (const node of [...(diagram?.all ?? [])].sort((a, b) => s.typeOf(a).localeCompare(s.typeOf(b)))) if (!node.isAnnotation) add(`type:${node.record.typeId}`, s.typeOf(node));
	return [...count].map(([id, [label, many]]) => [id, label, many]);
}

export function hideMenu(work: Workspace, at: Point, start = 0): void {
	const { layers } = work;
	work.offer = {
		at,
		title: wording.layersTitle,
		start,
		items: [
			...kinds(work).map(([id, label, count], i) => ({
				label: `${layers.hidden.has(id) ? '○' : '●'} ${label}`,
				hint: s.n(count),
				checked: !layers.hidden.has(id),
				act: () => (layers.hide(id), hideMenu(work, at, i)),
			})),
			{ label: wording.showAll, disabled: layers.hidden.size === 0, act: () => layers.showAll() },
		],
	};
}
