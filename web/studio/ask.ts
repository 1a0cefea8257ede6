/* Asks the daemon whether it would take a connection, without making it (SC-076). One at a time: in one batch each would see
 * what those before it did, and the first that is refused would end it. */
import { link } from '../kit/link.svelte.ts';
import { McpError, type JsonObject } from '../kit/mcp.ts';
import type { OpenProject } from './project.svelte.ts';
import { wording } from './wording.ts';

/* Why not, in a sentence; null: it would, or nobody could be asked. */
export async function whyNot(project: OpenProject, tool: string, args: JsonObject): Promise<string | null> {
	try {
		const { structured } = await link.client.call('execute_batch', { project: project.id, dryRun: true, operations: [{ tool, arguments: args }] });
		const [result] = (structured?.results ?? []) as JsonObject[];
		const [source, target] = [args.sourceInstanceId, args.targetInstanceId].map((id) => project.diagram?.node(String(id)));
		return result?.existing && source && target ? wording.alreadyConnected(source, target) : null;
	} catch (error) {
		const why = error instanceof McpError ? (error.details.error as { error: string; message: string; details?: JsonObject } | undefined) : undefined;
		return why ? await project.inWords({ ...why, code: why.error }, args) : null;
	}
}
