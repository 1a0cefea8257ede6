/* What a change of this page expects of what it changes (SC-012), and whether it still says what it means when somebody else
 * was first (SC-237): a move does, and a value that nobody else has changed. Nothing here asks or draws. */
import type { Json, JsonObject } from '../kit/mcp.ts';
import { isObject, same } from './same.ts';
import type { EdgeRecord, NodeRecord } from './model.ts';

type Entry = (NodeRecord | EdgeRecord) & { rev?: number };
export type Lookup = (id: string) => Entry | undefined;
export interface Expected {
	before: Map<string, Entry>; // as they were when the hand did it
	revs: Record<string, number>;
}

const list = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const id = (value: Json | undefined): string[] => (typeof value === 'string' && !value.startsWith('$') ? [value] : []);
const isMove = (tool: string) => tool === 'move_resource' || tool === 'move_resources';

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

/* What follows from others, and where a thing stands: of no weight to who changes what it is. */
const BESIDE = new Set(['rev', 'position', 'size', 'layout', 'diagnostics', 'deploymentStatus', 'addresses', 'defaults', 'effectiveName', 'effectiveReferences', 'cost', 'typeName', 'terraformType']);
const GROUPS = ['properties', 'references', 'variableModes'];
const NAMES = ['label', 'terraformName', 'slug', 'notes', 'enabledOutputs', 'source', 'sourceHandle', 'target', 'targetHandle'];

const member = (entry: Entry, key: string): Json | undefined => (entry as unknown as JsonObject)[key];
const equal = (a: Json | undefined, b: Json | undefined) => same(a ?? null, b ?? null);

/* The fields that a call sets are as they were. */
function untouchedFields(args: JsonObject, before: Entry, now: Entry): boolean {
	const inside = (entry: Entry, group: string, key: string) => {
		const part = member(entry, group);
		return isObject(part) ? part[key] : undefined;
	};
	for (const group of GROUPS) {
		const part = args[group];
		if (isObject(part) && !Object.keys(part).every((key) => equal(inside(before, group, key), inside(now, group, key)))) return false;
	}
	return NAMES.every((key) => !(key in args) || equal(member(before, key), member(now, key)));
}

const untouched = (before: Entry, now: Entry): boolean =>
	[...new Set([...Object.keys(before), ...Object.keys(now)])].every((key) => BESIDE.has(key) || equal(member(before, key), member(now, key)));

/* Moves go on wherever others have moved it meanwhile (SC-059), unless it is gone or somewhere else. */
export function stillMeant(tool: string, args: JsonObject, expected: Expected, now: Lookup): boolean {
	if (tool === 'execute_batch') return list(args.operations).every((one) => isObject(one.arguments) && stillMeant(String(one.tool), one.arguments, expected, now));
	return changedBy(tool, args).every((one) => {
		const [before, entry] = [expected.before.get(one), now(one)];
		if (!before || !entry) return !before && !entry;
		if (isMove(tool)) return equal(member(before, 'parentId'), member(entry, 'parentId'));
		return tool === 'update_resource' || tool === 'update_edge' ? untouchedFields(args, before, entry) : untouched(before, entry);
	});
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
