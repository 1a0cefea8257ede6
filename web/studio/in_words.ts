/* What the daemon refuses, with names where it says ids: nobody knows a resource or a line by its id. */
import type { JsonObject } from '../kit/mcp.ts';
import type { Diagram } from './diagram.svelte.ts';
import { s } from './text.ts';
import { wording } from './wording.ts';

const ID = /\b(?:ref:[\w-]+:\w+:[\w-]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g;

/* Does it speak of what the page has not heard of? Somebody may have made it a moment ago. */
export function isNews({ message, details }: { message: string; details?: JsonObject }, diagram: Diagram): boolean {
	const ids = [...message.matchAll(ID)].map(([id]) => id);
	if (typeof details?.edgeId === 'string') ids.push(details.edgeId);
	return ids.some((id) => !diagram.node(id) && !diagram.edges.has(id));
}

/* `args`: of the call, which say whose handle is full. */
export function inWords({ code, message, details }: { code: string; message: string; details?: JsonObject }, args: JsonObject, diagram: Diagram): string {
	const full = code === 'HANDLE_FULL' && diagram.edges.get(String(details?.edgeId));
	if (full) return Object.values(args).includes(full.source.id) ? wording.alreadyConnected(full.source, full.target) : wording.alreadyConnected(full.target, full.source);
	return message.replace(ID, (id) => {
		const [node, edge] = [diagram.node(id), diagram.edges.get(id)];
		return node ? s.nameOf(node) : edge ? wording.lineBetween(edge) : id;
	});
}
