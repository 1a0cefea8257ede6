/* What a change of this page expects of what it changes (SC-012), and what the daemon says where somebody else was first
 * (SC-237; still_meant.ts). Nothing here asks or draws. */
import type { Json, JsonObject } from '../kit/mcp.ts';
import { isObject } from './same.ts';
import type { EdgeRecord, NodeRecord } from './model.ts';

export type Entry = (NodeRecord | EdgeRecord) & { rev?: number };
export type Lookup = (id: string) => Entry | undefined;
export interface Expected {
	before: Map<string, Entry>; // as they were when the hand did it
	revs: Record<string, number>;
}

export const list = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const id = (value: Json | undefined): string[] => (typeof value === 'string' && !value.startsWith('$') ? [value] : []);

/* Nodes and edges that a call changes. What it only refers to may become what it likes. */
export function changedBy(tool: string, args: JsonObject): string[] {
	if (tool === 'update_resource' || tool === 'remove_resource' || tool === 'move_resource') return id(args.instanceId);
	if (tool === 'move_resources') return list(args.moves).flatMap((one) => id(one.instanceId));
	if (tool === 'update_edge' || tool === 'disconnect_resources') return id(args.edgeId);
	if (tool === 'execute_batch') return [...new Set(list(args.operations).flatMap((one) => (isObject(one.arguments) ? changedBy(String(one.tool), one.arguments) : [])))];
	return [];
}

/* `known`: later revisions that this page has been told of by answers, `busy`: of these it is not told yet. */
export function expect(tool: string, args: JsonObject, now: Lookup, known: ReadonlyMap<string, number>, busy: ReadonlyMap<string, number>): Expected {
	const expected: Expected = { before: new Map(), revs: {} };
	for (const one of changedBy(tool, args)) {
		const entry = now(one);
		if (!entry) continue;
		expected.before.set(one, entry);
		const rev = Math.max(entry.rev ?? 0, known.get(one) ?? 0);
		if (rev > 0 && !busy.has(one)) expected.revs[one] = rev;
	}
	return expected;
}

/* What STALE_NODE says of one that is another now. */
export interface Stale {
	instanceId: string;
	rev: number;
	actor?: string;
	summary?: string;
	mine?: boolean;
	removed?: boolean;
	by?: { mine?: boolean; actor: string; summary: string }[];
	others?: Stale[];
}

/* Everything that came between was done by this page itself. */
export function allMine(stale: Stale): boolean {
	const own = stale.by ? stale.by.every((one) => one.mine) : stale.mine === true;
	return own && !stale.removed && (stale.others ?? []).every(allMine);
}
