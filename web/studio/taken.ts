/* What import_terraform answers, and its lists as lines. */
import type { JsonObject } from '../kit/mcp.ts';

export const LISTS = ['faults', 'partial', 'foreign', 'lost', 'renamed', 'mapped'] as const;
export interface Difference {
	address: string;
	attribute?: string;
	change: string;
	was?: string;
	now?: string;
}
export type Taken = { [list in (typeof LISTS)[number]]?: JsonObject[] } & {
	differences: Difference[];
	differenceCount: number;
	unchangedBlocks: number;
	skippedFiles: string[];
};

export interface Line {
	where: string;
	what: string;
	why: string;
}
/* Where, what, and why; of what is understood in part a line for each attribute that is not. */
export function linesOf(one: JsonObject): Line[] {
	const part = (...keys: string[]) => keys.map((key) => one[key]).filter((value) => value !== undefined && value !== null && value !== '').join(' ');
	if (Array.isArray(one.notUnderstood)) return one.notUnderstood.flatMap((note) => linesOf({ ...(note as JsonObject), address: `${part('address')} ${String((note as JsonObject).attribute)}` }));
	return [
		{
			where: [one.file, one.line, one.column].filter((value) => value !== undefined).join(':'),
			what: part('address') || part('kind', 'type', 'name') || part('attribute') || part('from') || part('instanceId'),
			why: part('to', 'reason', 'message', 'text') || part('typeId'),
		},
	];
}

/* Block by block. */
export function byBlock(list: readonly Difference[]): [string, Difference[]][] {
	const blocks = new Map<string, Difference[]>();
	for (const one of list) blocks.set(one.address, [...(blocks.get(one.address) ?? []), one]);
	return [...blocks];
}
