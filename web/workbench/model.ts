/* What the workbench says (workbench.md 10.3, 12, 13, 15), and what follows from it without a page. */
import type { Json } from '../kit/mcp.ts';

export interface Envelope<T> {
	status: 'ok' | 'no_workspace' | 'loading' | 'no_session' | 'session_not_ready' | 'error';
	message?: string;
	workspace?: { epoch: string } | null;
	data: T | null;
}

export interface Diagnostic {
	severity: 'error' | 'warning' | 'info';
	code: string;
	message: string;
	file?: string;
	pointer?: string;
	line?: number;
}

export interface Source {
	filePath: string;
	line: number;
	column?: number;
}

export interface Folder {
	id: string;
	root: string;
	name: string;
	state: 'loading' | 'loaded' | 'degraded' | 'closing';
	trusted: boolean;
}

export interface Config {
	config: { preview?: { root?: string; environment?: Record<string, Json> } } | null;
	modules: { id: string; status: string; diagnostics?: Diagnostic[] }[];
	diagnostics: Diagnostic[];
}

export interface Control {
	kind: 'string' | 'number' | 'boolean' | 'select' | 'color' | 'slot' | 'json';
	placeholder?: string;
	multiline?: boolean;
	step?: number;
	unit?: string;
	options?: { value: string; label: string; description?: string }[];
	format?: 'hex' | 'rgb' | 'hsl';
	editable?: boolean;
}

export interface Constraints {
	required?: boolean;
	min?: number;
	max?: number;
	pattern?: string;
}

export interface PropDefinition {
	label?: string;
	description?: string;
	group?: string;
	order?: number;
	exposure: { kind: 'editable' | 'inspectOnly' | 'opaque'; control?: Control; reason?: string; displayHint?: 'summary' | 'json' | 'code' };
}

export interface Entry {
	typeId: string;
	displayName: string;
	description?: string;
	tags?: string[];
	props: Record<string, PropDefinition>;
}

export interface Index {
	components: { typeId: string; displayName: string; tags?: string[] }[];
	nextCursor?: string;
}

export interface Registry {
	registry?: { components: Record<string, Entry> };
	index?: Index; // instead of the registry, where that is too large
	truncated?: boolean;
	revision?: number;
	disabled?: string[];
	provenance?: Record<string, string>;
	diagnostics?: Diagnostic[];
}

export interface Row {
	name: string;
	path: string;
	label?: string;
	group?: string;
	exposure: 'editable' | 'inspectOnly' | 'opaque' | 'unregistered';
	control?: Control;
	constraints?: Constraints;
	value?: Json;
	valueFrom: 'override' | 'config' | 'code' | 'unknown';
	baseline?: Json;
	overrideState: 'none' | 'pending' | 'applied' | 'orphaned';
}

export interface Instance {
	instanceId: string;
	componentTypeId: string;
	displayName?: string;
	keyHint?: string;
	source?: Source;
	props?: Record<string, Json>;
	propsOmitted?: Record<string, string>;
	instanceLocator?: Json;
}

export interface Override {
	group: 'app' | 'component';
	instanceId: string;
	path: string;
	value: Json;
	componentTypeId?: string;
	instanceLocator?: Json;
	status: 'pending' | 'applied' | 'orphaned';
	reason?: string;
	reboundFrom?: string;
}

export interface Selection {
	causedBy: string;
	selected: Instance | null;
	registryMatch?: { status: 'matched' | 'unknown' | 'disabled'; entry: Entry | null };
	props?: Row[];
	overrides?: Override[];
	graph?: { usedByRoutes?: string[]; uses?: string[]; usedBy?: string[]; activeRoute: Node | null };
	source?: Source | null;
	definition?: Source | null;
	ancestors?: { instanceId: string; componentTypeId: string; displayName: string }[];
}

export interface Session {
	sessionId: string;
	type: 'app' | 'component';
	target: { type: string; url?: string; launcherId?: string; componentTypeId?: string };
	state: 'creating' | 'loading' | 'ready' | 'reloading' | 'stopped' | 'disposed' | 'error';
	active: boolean;
	url: string | null;
	mode: 'editor' | 'interact';
	adapter: { id: string; capabilities?: { instances?: boolean; overrides?: boolean; navigate?: boolean } } | null;
	route: { pathname: string; matchedRouteIds?: string[] } | null;
	warnings: Diagnostic[];
	lastError: { code: string; message: string } | null;
}

export interface Launcher {
	id: string;
	displayName: string;
	description?: string;
	supportedSessionTypes?: string[];
	command?: string[]; // what would run (T21); no command: it is Vite's
	cwd?: string;
	env?: string[]; // names
}

export interface LogEntry {
	level: 'debug' | 'info' | 'warn' | 'error';
	message: string;
	timestamp: string;
	origin: 'server' | 'page';
}

export interface Sessions {
	sessions: Session[];
	launchers: Launcher[];
}

export interface Overrides {
	revision: number;
	storeState: 'ok' | 'file_invalid';
	overrides: Override[];
	orphaned: number;
	lastChange?: { revision: number; client: string; person: boolean };
	file: { path: string; exists: boolean };
	diagnostics: Diagnostic[];
}

export interface Node {
	kind: 'route' | 'componentType' | 'folder'; // folders are the page's own
	id: string;
	path?: string;
	displayName?: string;
	source?: Source;
}

export type Edge = { kind: 'routeUsesComponentType'; routeId: string; componentTypeId: string } | { kind: 'componentTypeUsesComponentType'; from: string; to: string };

export interface Graph {
	revision: number;
	nodes: Node[];
	edges: Edge[];
}

export interface GraphData {
	graph?: Graph | null;
	truncated?: boolean;
	index?: Node[] | null; // instead of the graph, where that is too large: kinds and ids
	revision?: number;
	withheldEdges: number;
	diagnostics: Diagnostic[];
}

export interface SavePlan {
	failures: { address: { group: string; instanceId: string; path: string }; code: string; message: string }[];
	edits: Json[];
	diff: string;
}

/* An address that this page may frame: a port of this machine that is not the page's own (T18, T19). */
export function frameUrl(url: string | null, own: string): string | null {
	const parsed = url && URL.canParse(url) ? new URL(url) : null;
	return parsed && parsed.protocol === 'http:' && parsed.hostname === '127.0.0.1' && parsed.port !== '' && parsed.port !== own && !parsed.username ? parsed.href : null;
}

export const place = (source: Source) => [source.filePath, source.line, source.column].filter((part) => part !== undefined).join(':');

/* Of the same page, another path (17.4); null: no path. */
export function pathOf(url: string, path: string): string | null {
	const good = /^\/(?![/\\])[^\\\u0000-\u001f]*$/.test(path);
	return good ? new URL(url).origin + path : null;
}

/* Groups in the order in which they first appear, what has none last; within one by order, then by name (U4). */
export function grouped(rows: Row[], entry: Entry | null | undefined): { name: string; rows: Row[] }[] {
	const order = (row: Row) => entry?.props[row.name]?.order ?? Infinity;
	const groups = new Map<string, Row[]>();
	for (const row of rows) if (row.exposure !== 'unregistered') groups.set(row.group ?? '', [...(groups.get(row.group ?? '') ?? []), row]);
	const sorted = (list: Row[]) => list.sort((a, b) => (order(a) === order(b) ? 0 : order(a) - order(b)) || (a.name < b.name ? -1 : 1));
	return [...groups].map(([name, list]) => ({ name, rows: sorted(list) })).sort((a, b) => Number(!a.name) - Number(!b.name));
}

/* A value as somebody reads it on one line. */
export const shown = (value: Json | undefined): string => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value));

/* What is in a field, as a value of that control; undefined: not yet one. */
export function typed(control: Control, text: string): Json | undefined {
	if (control.kind !== 'number' && control.kind !== 'json') return text;
	try {
		const value = JSON.parse(text.trim()) as Json;
		return control.kind === 'json' || Number.isFinite(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/* The ":params" and the "*" that a route's path asks for. */
export const parametersOf = (path: string): string[] => [...path.matchAll(/:([A-Za-z0-9_]+)|(\*)/g)].map((found) => found[1] ?? '*');

export const ends = (edge: Edge): [string, string] => (edge.kind === 'routeUsesComponentType' ? [`route ${edge.routeId}`, `componentType ${edge.componentTypeId}`] : [`componentType ${edge.from}`, `componentType ${edge.to}`]);
export const keyOf = (node: Node): string => `${node.kind} ${node.id}`;

export type GraphOp = { op: 'upsertNode'; node: Node } | { op: 'removeNode'; node: Node } | { op: 'upsertEdge'; edge: Edge } | { op: 'removeEdge'; edge: Edge };

/* The graph after patches of it (G8, G10). */
export function patched(graph: Graph, patches: { revision: number; ops: GraphOp[] }[]): Graph {
	const nodes = new Map(graph.nodes.map((node) => [keyOf(node), node]));
	const edges = new Map(graph.edges.map((edge) => [ends(edge).join('\n'), edge]));
	let { revision } = graph;
	for (const patch of patches) {
		if (patch.revision <= revision) continue;
		revision = patch.revision;
		for (const one of patch.ops)
			if (one.op === 'upsertNode') nodes.set(keyOf(one.node), one.node);
			else if (one.op === 'removeNode') nodes.delete(keyOf(one.node));
			else if (one.op === 'upsertEdge') edges.set(ends(one.edge).join('\n'), one.edge);
			else edges.delete(ends(one.edge).join('\n'));
	}
	return { revision, nodes: [...nodes.values()], edges: [...edges.values()] };
}

/* A command as it would be typed. */
export const typedCommand = (argv: string[]): string => argv.map((one) => (/^[\w@%+=:,./{}-]+$/.test(one) ? one : `'${one.replaceAll("'", "'\\''")}'`)).join(' ');

/* How many of the newest entries have come since: a log keeps so many, and its entries have no names. */
export function grown(before: LogEntry[], after: LogEntry[]): number {
	const same = (a: LogEntry | undefined, b: LogEntry | undefined) => a?.timestamp === b?.timestamp && a?.message === b?.message;
	for (let gone = Math.max(0, before.length - after.length); gone < before.length; gone++)
		if (before.slice(gone).every((one, n) => same(one, after[n]))) return after.length - (before.length - gone);
	return after.length;
}

/* Whether a path is one of a route's pattern, and how exactly: static parts count more than parameters, those more than "*". */
function fit(pattern: string, path: string): number {
	const parts = (text: string) => text.split('/').filter(Boolean);
	const [want, have] = [parts(pattern), parts(path)];
	let score = 0;
	for (const [n, part] of want.entries()) {
		if (part === '*') return score + 0.5;
		const optional = part.endsWith('?');
		const name = optional ? part.slice(0, -1) : part;
		if (have[n] === undefined) return optional && n === want.length - 1 ? score : -1;
		if (!name.startsWith(':') && name !== have[n]) return -1;
		score += name.startsWith(':') ? 2 : 3;
	}
	return want.length === have.length ? score + 1 : -1;
}

/* E5: the innermost route that the app's router says. One that the source gives no id has one of the router's own, which no graph
 * knows: then it is the route whose pattern fits the path best, and an outer one only where none does. */
export function activeRoute(routes: Node[], at: { pathname: string; matchedRouteIds?: string[] } | null): Node | null {
	if (!at) return null;
	const matched = [...(at.matchedRouteIds ?? [])].reverse().map((id) => routes.find((one) => one.id === `routeId:${id}`));
	const scored = routes.map((one) => ({ one, score: fit(one.path ?? '', at.pathname) })).filter(({ score }) => score >= 0);
	return matched[0] ?? scored.sort((a, b) => b.score - a.score)[0]?.one ?? matched.find(Boolean) ?? null;
}

/* The link that opens a place in somebody's editor: a template with {path}, {line} and {column}. Null: none, or one that runs here. */
export function editorLink(template: string, root: string, source: Source): string | null {
	const full = `${root}/${source.filePath}`.split('/').map(encodeURIComponent).join('/');
	const link = template.replace('{path}', full).replace('{line}', String(source.line)).replace('{column}', String(source.column ?? 1));
	return URL.canParse(link) && !/^(javascript|data|blob|vbscript):/i.test(new URL(link).protocol) ? link : null;
}

const addressOf = (one: Override) => `${one.group} ${one.instanceId} ${one.path}`;
export interface Difference {
	group: Override['group'];
	instanceId: string;
	path: string;
	before: Override | null;
	after: Override | null;
}

/* What has become of the drafts between two looks. */
export function differences(before: Override[], after: Override[]): Difference[] {
	const old = new Map(before.map((one) => [addressOf(one), one]));
	const found: Difference[] = [];
	for (const one of after) {
		// The source has moved, and so has the instance's name (A15): it is the same draft.
		const was = old.get(addressOf(one)) ?? old.get(addressOf({ ...one, instanceId: one.reboundFrom ?? '' })) ?? null;
		if (was) old.delete(addressOf(was));
		if (!was || JSON.stringify(was.value) !== JSON.stringify(one.value)) found.push({ group: one.group, instanceId: one.instanceId, path: one.path, before: was, after: one });
	}
	for (const one of old.values()) found.push({ group: one.group, instanceId: one.instanceId, path: one.path, before: one, after: null });
	return found;
}

/* The ops that take them back. */
export const inverse = (list: Difference[]) =>
	list.map(({ instanceId, path, before }) =>
		before
			? { op: 'set', instanceId, path, value: before.value, ...(before.componentTypeId && { componentTypeId: before.componentTypeId }), ...(before.instanceLocator !== undefined && { instanceLocator: before.instanceLocator }) }
			: { op: 'clear', instanceId, path },
	);
