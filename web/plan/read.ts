/* A plan from a file or the clipboard to the daemon, and from the daemon to the page. */
import { McpError, type JsonObject, type McpClient } from '../kit/mcp.ts';
import type { Change, ParsedPlan } from './model.ts';

const PAGE = 500;
export const BYTES_MAX = 15_000_000; // the daemon takes messages of 16 MiB

/* Redirected output of PowerShell is UTF-16; everything else is read as UTF-8. */
export function decode(bytes: Uint8Array): string {
	if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
	if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
	return new TextDecoder('utf-8').decode(bytes);
}

export async function open(client: McpClient, text: string): Promise<string> {
	if (text.length > BYTES_MAX) throw new McpError('input_too_large', 'This plan is larger than 15 MB.');
	const result = await client.call('terraform_parse', { plan_text: text, detail: 'summary' });
	return String(result.structured?.plan_id);
}

/* All changes, a page at a time: `arrived` after each. */
export async function load(
	client: McpClient,
	id: string,
	arrived: (plan: ParsedPlan) => void,
): Promise<void> {
	const changes: Change[] = [];
	let offset: number | null = 0;
	while (offset !== null) {
		const args: JsonObject = { plan_id: id, detail: 'changes', limit: PAGE, offset };
		const part = (await client.call('terraform_parse', args)).structured as unknown as ParsedPlan;
		changes.push(...part.resource_changes);
		offset = part.page?.next_offset ?? null;
		arrived({ ...part, resource_changes: [...changes] });
	}
}
