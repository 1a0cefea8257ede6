/* Runs and plans as the daemon tells them, and what they say of each node. Nothing here draws or asks. */

export interface Summary {
	add: number;
	change: number;
	remove: number;
	import: number;
	replace: number;
	text: string;
	errors: number;
	warnings: number;
}
export type Command = 'init' | 'validate' | 'plan' | 'apply' | 'destroy';
export interface RunEntry {
	runId: string;
	command: Command;
	status: 'running' | 'finished' | 'cancelled' | 'lost';
	actor: { name: string; person: boolean };
	startedAt: string;
	finishedAt?: string;
	success?: boolean;
	summary: Summary;
	planId?: string;
	stale?: boolean;
}
export interface RunDiagnostic {
	severity: 'error' | 'warning';
	summary: string;
	detail: string;
	address?: string;
	file?: string;
	line?: number;
	instanceId?: string;
	property?: string;
}
export interface RunChange {
	address: string;
	action: string;
	success: boolean;
	error?: string;
	instanceId?: string;
}
export interface Run extends RunEntry {
	diagnostics: RunDiagnostic[];
	resourceChanges: RunChange[];
	engine: { name: string; version: string };
	durationMs: number;
	log?: string;
	nextLine?: number;
}

export interface Price {
	before: number | null;
	after: number | null;
	currency?: string;
	complete?: boolean;
}
export interface Change {
	instanceId?: string;
	address: string;
	action: string;
}
export interface PlanChange extends Change {
	reasons: { code: string; text: string | null }[];
	attributes: { path: string; change: string; before: unknown; after: unknown; forcesReplacement?: boolean }[];
	risk: { level: string };
	monthlyCost?: Price;
}
export interface Plan {
	runId: string;
	changes: PlanChange[];
	outputs: { name: string; action: string }[];
	monthlyCost?: Price;
	risk: { level: string };
	explanation: string;
}

/* What is deployed of a node (studio.md section 10). */
export interface Deployed {
	status: string;
	phase?: string;
	error?: string;
	addresses: { address: string; present: boolean }[];
	lastRunId?: string;
	changed?: boolean;
	applicable?: boolean;
}

export const LEVELS = ['critical', 'high', 'medium', 'low', 'none'];
/* From what cannot be undone to what only looks. */
export const ACTIONS = ['delete', 'replace', 'update', 'create', 'import', 'move', 'forget', 'read'];
export const SIGNS: Record<string, string> = { create: '+', update: '~', replace: '±', delete: '−', move: '→', read: '?', forget: '○', import: '↓' };

export const isReal = (one: Change): boolean => one.action !== 'no-op' && one.action !== 'noop';
export const destroying = <T extends Change>(changes: readonly T[]): T[] => changes.filter((one) => one.action === 'delete' || one.action === 'replace');

/* One word a node. A node may be several blocks: if only some of them change, or each in its own way, its first block's
 * word counts where that one changes; else the node is updated, and is not said to go because a part of it goes. */
export function plannedOf(changes: readonly Change[], addressesOf: (id: string) => readonly string[]): Map<string, string> {
	const found = new Map<string, Change[]>();
	for (const one of changes.filter(isReal)) if (one.instanceId) found.set(one.instanceId, [...(found.get(one.instanceId) ?? []), one]);
	const bare = (address: string) => address.replace(/\[[^\]]*\]/g, '');
	return new Map(
		[...found].map(([id, list]) => {
			const blocks = addressesOf(id).map(bare);
			const first = list.filter((one) => bare(one.address) === blocks[0]);
			const whole = blocks.length === 0 || blocks.every((block) => list.some((one) => bare(one.address) === block));
			const words = new Set((first.length > 0 && !whole ? first : list).map((one) => one.action));
			const word = words.size === 1 ? [...words][0]! : first.length > 0 && new Set(first.map((one) => one.action)).size === 1 ? first[0]!.action : 'update';
			return [id, whole || first.length > 0 ? word : 'update'];
		}),
	);
}

/* "+3 ±1": how many of each, the gravest first. */
export function sumOf(actions: readonly string[]): string {
	return ACTIONS.flatMap((action) => {
		const count = actions.filter((one) => one === action).length;
		return count > 0 ? [`${SIGNS[action]}${count}`] : [];
	}).join(' ');
}

/* The newest plan that was made, and whether it still says what an apply would do. */
export function newestPlan(list: readonly RunEntry[]): { entry: RunEntry; done: boolean } | null {
	const at = list.findIndex((one) => one.command === 'plan' && one.planId && one.status === 'finished');
	const entry = list[at];
	if (!entry) return null;
	return { entry, done: list.slice(0, at).some((one) => (one.command === 'apply' || one.command === 'destroy') && one.status !== 'running') };
}

/* How far an apply is: blocks that are through, of those of its plan. */
export function progressOf(run: Run, list: readonly RunEntry[]): { done: number; all: number } {
	const n = list.find((one) => one.runId === run.planId)?.summary;
	const seen = run.resourceChanges.filter(isReal);
	const planned = n ? n.add + n.change + n.remove + n.import - n.replace : 0;
	return { done: seen.filter((one) => one.success || one.error).length, all: Math.max(planned, seen.length) };
}

export const levelOf = (line: string): 'error' | 'warning' | '' => (/^(Error\b|panic:)/.test(line) ? 'error' : /^Warning\b/.test(line) ? 'warning' : '');
