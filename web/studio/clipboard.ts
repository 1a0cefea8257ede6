/* Copy, cut and paste of nodes. What lies on the clipboard is text that says what it is, so that it can be pasted in another
 * project, tab or machine (docs/studio.md, "The clipboard"):
 * {"tenon": "studio", "version": 1, "project": "<id>", "nodes": [...], "edges": [...]}, records as get_diagram has them,
 * without values of sensitive properties and without what belongs to one project alone (SC-183). */
import { say } from '../kit/toast.svelte.ts';
import type { Json, JsonObject } from '../kit/mcp.ts';
import type { NodeView } from './diagram.svelte.ts';
import { onGrid, toBoard, type Point } from './geometry.ts';
import type { Property } from './model.ts';
import { topmost } from './project.svelte.ts';
import { wording } from './wording.ts';
import type { Workspace } from './workspace.svelte.ts';

const NODES_MAX = 10_000;
export interface Clip {
	tenon: 'studio';
	version: 1;
	project: string;
	nodes: JsonObject[];
	edges: JsonObject[];
}

/* A value without what is sensitive in it. */
function open(value: Json | undefined, fields: readonly Property[]): Json {
	if (Array.isArray(value)) return value.map((one) => open(one, fields));
	if (typeof value !== 'object' || value === null) return value ?? null;
	return Object.fromEntries(
		Object.entries(value).flatMap(([key, inner]) => {
			const field = fields.find((one) => one.key === key);
			return field?.sensitive ? [] : [[key, open(inner, field?.fields ?? field?.items?.fields ?? [])]];
		}),
	);
}

const KEPT = ['instanceId', 'typeId', 'label', 'terraformName', 'parentId', 'position', 'size', 'references', 'enabledOutputs', 'variableModes', 'notes'] as const;

export function clipOf(work: Workspace): Clip | null {
	const { project } = work;
	const chosen = new Set(topmost(project.selection).flatMap((one) => [one, ...one.descendants]));
	if (chosen.size === 0) return null;
	const nodes = [...chosen].map(({ record, type }) => ({
		...Object.fromEntries(KEPT.flatMap((key) => (record[key] === undefined ? [] : [[key, record[key] as Json]]))),
		properties: open(record.properties, type?.properties ?? []),
	}));
	const edges = (project.diagram?.allEdges ?? []).filter((one) => !one.record.derived && chosen.has(one.source) && chosen.has(one.target));
	return { tenon: 'studio', version: 1, project: project.id, nodes, edges: edges.map(({ record }) => JSON.parse(JSON.stringify(record)) as JsonObject) };
}

export function clipIn(text: string): Clip | null {
	if (!text.startsWith('{')) return null;
	try {
		const found = JSON.parse(text) as Clip;
		const records = (list: unknown): list is JsonObject[] => Array.isArray(list) && list.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one));
		return found.tenon === 'studio' && records(found.nodes) && found.nodes.length > 0 && records(found.edges ?? []) ? { ...found, edges: found.edges ?? [] } : null;
	} catch {
		return null;
	}
}

export const isHcl = (text: string): boolean => /^\s*(resource|data|variable|module|provider|terraform|output|locals)\b[^\n]*\{/m.test(text);

export function clipboard(work: Workspace) {
	const { project } = work;
	let last = { text: '', at: { x: 0, y: 0 }, times: 0 };

	function copy(event: ClipboardEvent): boolean {
		const clip = clipOf(work);
		if (!clip) return false;
		event.preventDefault();
		event.clipboardData?.setData('text/plain', JSON.stringify(clip));
		project.say(wording.clip.copied(clip.nodes.length));
		return true;
	}
	function cut(event: ClipboardEvent): void {
		const chosen = project.selection;
		if (copy(event)) void work.remove(chosen);
	}
	/* As the key does, without one: what is selected goes there and no text, and only then away from here. */
	function carry(away: boolean): void {
		const chosen = project.selection;
		let done = false;
		const look = (event: Event) => (done = event.defaultPrevented);
		getSelection()?.removeAllRanges();
		addEventListener('copy', look);
		document.execCommand('copy');
		removeEventListener('copy', look);
		if (done && away) void work.remove(chosen);
	}

	/* At the pointer if it is over the canvas, else the middle of the view; again at the same place: 20 further. */
	function place(text: string): Point {
		const { canvas, view } = project;
		const over = document.querySelector('[role="application"]:hover');
		const at = over ? work.at : toBoard(view, { x: canvas.width / 2, y: canvas.height / 2 });
		const same = last.text === text && Math.hypot(at.x - last.at.x, at.y - last.at.y) < 1;
		last = { text, at, times: same ? last.times + 1 : 0 };
		return { x: onGrid(at.x) + last.times * 20, y: onGrid(at.y) + last.times * 20 };
	}

	/* The innermost container there in which all of them may stand. */
	function containerFor(at: Point, clip: Clip): NodeView | null {
		const ids = new Set(clip.nodes.map((one) => one.instanceId));
		const tops = clip.nodes.filter((one) => !ids.has(one.parentId as string));
		for (let into = work.hand?.containerAt(at) ?? null; into; into = into.parent)
			if (tops.every((one) => project.diagram?.catalogue.mayStandIn(String(one.typeId), into!.record.typeId))) return into;
		return null;
	}

	async function pasteNodes(clip: Clip, text: string): Promise<void> {
		if (clip.nodes.length > NODES_MAX) return say(wording.clip.tooMany(clip.nodes.length, NODES_MAX), 'bad');
		const at = place(text);
		const into = containerFor(at, clip);
		const corner = into?.offsetIn(null) ?? { x: 0, y: 0 };
		const ids = clip.nodes.map((one) => String(one.instanceId));
		// In its own project all goes along, secrets too; they never were on the clipboard.
		const here = clip.project === project.id && ids.every((id) => project.diagram?.node(id));
		const what: JsonObject = here ? { instanceIds: topmost(ids.map((id) => project.diagram!.node(id)!)).map((one) => one.id) } : { document: { nodes: clip.nodes, edges: clip.edges } };
		const answer = await project.act('copy_resources', { ...what, into: into?.id ?? null, position: { x: at.x - corner.x, y: at.y - corner.y } });
		if (!answer) return;
		const dropped = (answer.dropped as JsonObject[] | undefined) ?? [];
		if (dropped.length > 0) say(wording.clip.dropped(dropped.length, String(dropped[0]!.reason ?? '')));
		await work.took(answer);
	}

	function paste(text: string): void {
		const clip = clipIn(text);
		if (clip) void pasteNodes(clip, text);
		else if (isHcl(text)) work.bring({ 'pasted.tf': text });
		else work.note(place(text), text);
	}
	return { carry, copy, cut, paste };
}
