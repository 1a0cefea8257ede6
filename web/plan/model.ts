/* A plan as the tools of the app `plan` give it, as far as this page shows it. */
export type Action =
	'create' | 'update' | 'delete' | 'replace' | 'read' | 'forget' | 'import' | 'move' | 'unknown';
export type Level = 'none' | 'low' | 'medium' | 'high' | 'critical';
export type Verdict = 'ok' | 'question' | 'stop';

export const levels: Level[] = ['critical', 'high', 'medium', 'low', 'none'];
export const actions: Action[] = [
	'delete',
	'replace',
	'update',
	'create',
	'forget',
	'import',
	'move',
	'unknown',
	'read',
];

export interface Attribute {
	path: string;
	change: 'add' | 'update' | 'remove' | 'unchanged';
	before: unknown;
	after: unknown;
	unknown: boolean;
	sensitive: boolean;
	write_only: boolean;
	forces_replacement: boolean;
	multiline: boolean;
}

export interface Change {
	index: number;
	unit: number;
	address: string;
	module: string | null;
	mode: string;
	type: string;
	name: string;
	deposed: string | null;
	previous_address: string | null;
	import_id: string | null;
	action: Action;
	replace_order: string | null;
	reasons: { code: string; text: string | null }[];
	attributes: Attribute[];
	attributes_truncated: number;
	hidden: { attributes: number; blocks: number; elements: number };
	risk: { level: Level; codes: string[] };
}

export interface Finding {
	id: string;
	level: Level;
	address: string | null;
	title: string;
	detail: string;
	evidence: { path: string; before: unknown; after: unknown } | null;
}

export interface ParsedPlan {
	plan_id: string;
	input: { kind: string; tool: string; tool_version: string | null; bytes: number; truncated: boolean };
	status: string;
	errored: boolean;
	mode: string;
	resource_changes: Change[];
	summary: { total_changes: number; actions: Record<string, number> };
	consistent: boolean | null;
	mismatches: { field: string; stated: number; counted: number }[];
	confidence: string;
	outputs: { name: string; action: string; sensitive: boolean }[];
	drift: { address: string; action: string }[];
	risk: { level: Level; findings: Finding[] };
	warnings: { code: string; message: string; line: number | null }[];
	page?: { offset: number; limit: number; matched: number; next_offset: number | null };
}

export interface Mark {
	address: string;
	verdict: Verdict;
	note: string | null;
	by: string;
	at: string;
}

export interface Review {
	plan_id: string;
	revision: number;
	marks: Mark[];
	counts: Record<string, number>;
	undo: string | null;
	redo: string | null;
	saved?: boolean;
}

export interface OpenPlan {
	plan_id: string;
	source: string;
	total_changes: number;
	actions: Record<string, number>;
	risk: Level;
	client: string | null;
	time: string;
}

/* plan://plans, with what may be absent filled in. */
export function openPlans(value: unknown): OpenPlan[] {
	const list = (value as { plans?: Record<string, unknown>[] } | null)?.plans ?? [];
	return list.map((p) => {
		const summary = (p.summary ?? {}) as Record<string, unknown>;
		return {
			plan_id: String(p.plan_id),
			source: String(p.source ?? ''),
			total_changes: Number(summary.total_changes ?? 0),
			actions: (summary.actions ?? {}) as Record<string, number>,
			risk: (p.risk ?? 'none') as Level,
			client: (p.client ?? null) as string | null,
			time: String(p.time ?? ''),
		};
	});
}

export interface Filter {
	text: string;
	actions: Set<Action>; // empty: all
	least: Level;
	module: string; // "": all
	verdict: '' | Verdict | 'open'; // "": all; "open": without a mark
}

export function matches(change: Change, filter: Filter, verdict: Verdict | undefined): boolean {
	if (filter.actions.size > 0 && !filter.actions.has(change.action)) return false;
	if (levels.indexOf(change.risk.level) > levels.indexOf(filter.least)) return false;
	if (filter.module && (change.module ?? 'root') !== filter.module) return false;
	if (filter.verdict === 'open' && verdict) return false;
	if (filter.verdict && filter.verdict !== 'open' && verdict !== filter.verdict) return false;
	const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
	const hay = `${change.address} ${change.type} ${change.action} ${change.risk.level}`.toLowerCase();
	return words.every((word) => hay.includes(word));
}

export function bySeverity(a: Change, b: Change): number {
	return (
		levels.indexOf(a.risk.level) - levels.indexOf(b.risk.level) ||
		actions.indexOf(a.action) - actions.indexOf(b.action) ||
		a.index - b.index
	);
}

export function valueText(value: unknown): string {
	if (value === null || value === undefined) return 'null';
	return typeof value === 'string' ? value : JSON.stringify(value);
}
