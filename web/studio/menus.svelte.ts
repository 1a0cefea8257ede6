/* What is asked for by name, as menus and lists at a place (SC-055, SC-070, SC-076), and the parts that show them: one part of the
 * page, loaded with the first act on it (SC-230). */
import { say } from '../kit/toast.svelte.ts';
import { callOf, choicesBetween } from './connect.ts';
import type { NodeView } from './diagram.svelte.ts';
import { inside, type Point } from './geometry.ts';
import { s } from './text.ts';
import { wording } from './wording.ts';
import type { Offer, Workspace } from './workspace.svelte.ts';

export { nextRegion } from './regions.ts';
export { default as Menu } from './Offer.svelte';
export { default as Palette } from './Palette.svelte';
export { default as QuickAdd } from './QuickAdd.svelte';
export { run, runMenu } from './run_menu.ts';

const ASKED = 20; // lines of a list of which the daemon is asked whether they can be

export function boardMenu(work: Workspace, at: Point, board: Point): Offer {
	return {
		at,
		title: s.menu.board,
		items: [
			{ label: s.menu.add, key: '/', act: () => (work.palette = { parent: null, at: board }) },
			{ label: s.menu.note, act: () => work.note(board) },
			{ label: s.menu.all, key: 'Ctrl A', act: () => work.project.select(work.project.diagram?.all ?? []) },
			{ label: s.menu.fit, key: 'Ctrl 0', act: () => work.project.lookAtAll() },
			{ label: s.menu.layout, key: 'Ctrl Shift L', act: () => work.layout(null) },
			{ label: s.menu.export, act: () => (work.dialog = 'export') },
			{ label: s.menu.import, act: () => work.bring(null) },
		],
	};
}

/* Of notes, by the choices that their type has (SC-055, SC-060): as one change. */
function colours(work: Workspace, at: Point, notes: readonly NodeView[]): Offer['items'] {
	const colour = notes[0]?.isNote ? notes[0].type?.properties.find((one) => one.key === 'colour') : null;
	if (!colour || !notes.every((one) => one.isNote)) return [];
	const now = (node: NodeView) => node.record.properties.colour ?? colour.defaultValue;
	const paint = (value: string) =>
		void work.project.act('execute_batch', { operations: notes.map((one) => ({ tool: 'update_resource', arguments: { instanceId: one.id, properties: { colour: value } } })), label: `${colour.label}: ${value}` });
	const items = (colour.allowed as string[]).map((value) => ({ label: value, note: value, checked: notes.every((one) => now(one) === value), act: () => paint(value) }));
	return [{ label: `${colour.label} …`, act: () => (work.offer = { at, title: colour.label, items, start: Math.max(0, items.findIndex((one) => one.checked)) }) }];
}

export function nodeMenu(work: Workspace, at: Point, node: NodeView, board: Point): Offer {
	const chosen = work.project.selection;
	const several = chosen.length > 1;
	const items: Offer['items'] = [
		{ label: s.menu.rename, key: 'F2', disabled: several, act: () => (work.renaming = node) },
		{ label: s.menu.properties, key: 'Alt 5', disabled: several, act: () => work.show(node, '') },
		{ label: s.menu.connect, key: 'C', disabled: several, act: () => work.chooseConnection(node) },
		{ label: s.menu.quick, key: 'Q', disabled: several, act: () => work.quickFrom(node) },
		{ label: s.menu.put, key: 'P', act: () => work.choosePlace() },
		{ label: s.menu.cut, key: 'Ctrl X', act: () => work.carry(true) },
		{ label: s.menu.copy, key: 'Ctrl C', act: () => work.carry(false) },
		{ label: s.menu.duplicate, key: 'Ctrl D', act: () => void work.duplicate() },
		...colours(work, at, chosen.includes(node) ? chosen : [node]),
	];
	const corner = node.offsetIn(null);
	const here = { x: board.x - corner.x, y: board.y - corner.y };
	if (node.isContainer && !several)
		items.push(
			{ label: s.menu.addHere, key: '/', act: () => (work.palette = { parent: node, at: inside({ ...node.rect, x: 0, y: 0 }, here) ? here : undefined }) },
			{ label: node.collapsed ? s.menu.expand : s.menu.collapse, key: 'Ctrl .', act: () => work.project.collapse(node, !node.collapsed) },
			{ label: s.menu.layoutInside, key: 'Ctrl Shift L', act: () => work.layout(node) },
		);
	if (several)
		for (const [align, label] of Object.entries(s.menu.align)) items.push({ label, act: () => void work.project.act('layout_diagram', { instanceIds: chosen.map((one) => one.id), align }) });
	if (several) items.push({ label: s.menu.layoutThese, key: 'Ctrl Shift L', disabled: chosen.some((one) => one.parent !== node.parent), act: () => work.layout(null, chosen) });
	if (chosen.length > 2)
		for (const [distribute, label] of Object.entries(s.menu.distribute))
			items.push({ label, act: () => void work.project.act('layout_diagram', { instanceIds: chosen.map((one) => one.id), distribute }) });
	items.push({ label: several ? s.menu.removeMany(chosen.length) : s.menu.remove, key: 'Del', act: () => void work.remove(chosen) });
	return { at, title: several ? s.menu.many(chosen.length) : s.nameOf(node), items };
}

/* The drag of a line, by keys: every node that it may lead to, nearest first. */
export function chooseConnection(work: Workspace, node: NodeView): void {
	const catalogue = work.project.diagram?.catalogue;
	if (!catalogue) return;
	const at = node.offsetIn(null);
	const found = (work.project.diagram?.all ?? [])
		.map((other) => ({ other, choices: choicesBetween(catalogue, node, other, null), p: other.offsetIn(null) }))
		.filter((one) => one.choices.length > 0)
		.sort((a, b) => Math.hypot(a.p.x - at.x, a.p.y - at.y) - Math.hypot(b.p.x - at.x, b.p.y - at.y))
		.flatMap(({ other, choices }) => choices.map((choice) => ({ other, choice })));
	const items: Offer['items'] = $state(
		found.map(({ other, choice }) => ({ label: s.nameOf(other), hint: choice.label + (other.parent ? ` · ${s.nameOf(other.parent)}` : ''), act: () => work.join(choice) })),
	);
	offerAt(work, node, items, wording.connectTo(s.nameOf(node)), wording.connectNothing(s.nameOf(node)));
	const { offer } = work;
	void import('./ask.ts').then(async ({ whyNot }) => {
		for (const [i, { choice }] of found.slice(0, ASKED).entries()) if (work.offer === offer) items[i]!.refused = await whyNot(work.project, ...callOf(choice));
	});
}

/* The drag into a container, by keys (SC-070). */
export function choosePlace(work: Workspace): void {
	const chosen = work.project.selection;
	const first = chosen[0];
	const catalogue = work.project.diagram?.catalogue;
	if (!first || !catalogue) return;
	const depth = (one: NodeView) => one.ancestors.filter((above) => first.ancestors.includes(above)).length;
	const legal = (work.project.diagram?.all ?? [])
		.filter((one) => one.isContainer && one !== first.parent && chosen.every((node) => node !== one && !one.isIn(node) && catalogue.mayStandIn(node.record.typeId, one.record.typeId)))
		.sort((a, b) => depth(b) - depth(a));
	const put = (parent: NodeView | null) =>
		void work.project.act('move_resources', { moves: chosen.map((node) => ({ instanceId: node.id, parentId: parent?.id ?? null })) });
	const items = legal.map((one) => ({ label: s.nameOf(one), hint: [s.typeOf(one), ...one.ancestors.map((above) => s.nameOf(above))].join(' · '), act: () => put(one) }));
	if (first.parent) items.push({ label: s.topLevel, hint: '', act: () => put(null) });
	offerAt(work, first, items, wording.putInto(s.nameOf(first)), wording.putNowhere(s.nameOf(first)));
}

/* A menu at a node, or the sentence that there is nothing to choose. */
function offerAt(work: Workspace, node: NodeView, items: Offer['items'], title: string, none: string): void {
	if (items.length > 0) work.offer = { at: work.middleOf(node), title, items };
	else say(none);
}
