/* Which pairs of handles two nodes have, from the types' table of connections (SC-076). What depends on the diagram (a full
 * handle, a reference that is set) the daemon says when it is asked. */
import type { JsonObject } from '../kit/mcp.ts';
import type { Catalogue, Handle, Pair } from './model.ts';

export interface End {
	readonly id: string;
	readonly record: { typeId: string; enabledOutputs?: string[] };
}
/* One call of connect_resources. */
export interface Choice {
	source: string;
	sourceHandle: string;
	target: string;
	targetHandle: string;
	label: string;
}

/* The call that makes it, or that takes a line there. */
export const callOf = ({ source, sourceHandle, target, targetHandle }: Choice, edgeId?: string): [string, JsonObject] =>
	edgeId
		? ['update_edge', { edgeId, source, sourceHandle, target, targetHandle }]
		: ['connect_resources', { sourceInstanceId: source, sourceHandle, targetInstanceId: target, targetHandle }];

function pairsOf(catalogue: Catalogue, node: End, other: End, handle: Handle | null): Choice[] {
	const type = catalogue.find(node.record.typeId);
	const fits = (pair: Pair) =>
		pair.otherTypeId === other.record.typeId && (!handle || pair.handle === handle.id || (pair.handle.startsWith('ref-') && handle.type === 'source' && handle.id === pair.handle));
	return (type?.connections ?? []).filter(fits).map((pair) => {
		const out = pair.direction === 'out';
		return {
			source: out ? node.id : other.id,
			sourceHandle: out ? pair.handle : pair.otherHandle,
			target: out ? other.id : node.id,
			targetHandle: out ? pair.otherHandle : pair.handle,
			label: pair.label || pair.handle.replace(/^ref-/, '').replaceAll('_', ' '),
		};
	});
}

/* From `node` to `other`, by this handle or by any; in both directions where no handle says which. */
export function choicesBetween(catalogue: Catalogue, node: End, other: End, handle: Handle | null): Choice[] {
	if (node.id === other.id) return [];
	const found = pairsOf(catalogue, node, other, handle);
	if (!handle) found.push(...pairsOf(catalogue, other, node, null));
	if (found.length === 0 && (catalogue.isAnnotation(node.record.typeId) || catalogue.isAnnotation(other.record.typeId)))
		found.push({ source: node.id, sourceHandle: 'node', target: other.id, targetHandle: 'node', label: 'line' });
	const seen = new Set<string>();
	return found.filter((one) => {
		const key = [one.source, one.sourceHandle, one.target, one.targetHandle].join(' ');
		return seen.has(key) ? false : (seen.add(key), true);
	});
}
