/* Whether a change of this page still says what it means when somebody else was first (SC-237): a move does, and a value that
 * nobody else has changed. Loaded when it happens. */
import type { Json, JsonObject } from '../kit/mcp.ts';
import { changedBy, list, type Entry, type Expected, type Lookup } from './expect.ts';
import { isObject, same } from './same.ts';

const isMove = (tool: string) => tool === 'move_resource' || tool === 'move_resources';

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
