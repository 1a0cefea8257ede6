/* The diagram as the daemon tells it: records by id, and what get_changes does to them. Applied to the diagram at `from`
 * it is the diagram at `to` (SC-011). Nothing here draws, asks or knows a rule. */
import type { Json, JsonObject } from '../kit/mcp.ts';
import type { Point, Rect, Side } from './geometry.ts';

export interface NodeRecord {
	id: string;
	instanceId: string;
	typeId: string;
	typeName?: string;
	label: string;
	terraformName: string;
	ownName?: string; // what is named after it, where that is another name
	parentId?: string | null;
	position: Point;
	size?: { width: number; height: number };
	layout?: Rect; // on the board
	slug?: string;
	properties: JsonObject;
	defaults?: JsonObject;
	references?: Record<string, string | string[]>;
	effectiveReferences?: Record<string, string | string[]>;
	variableModes?: Record<string, string>;
	enabledOutputs?: string[];
	moduleId?: string;
	notes?: string;
	deploymentStatus: string;
	effectiveName?: string;
	terraformType?: string;
	addresses?: string[];
	diagnostics?: Diagnostic[];
	rev?: number;
}

export interface EdgeRecord {
	id: string;
	source: string;
	sourceHandle: string;
	target: string;
	targetHandle: string;
	category: 'structural' | 'binding' | 'reference' | 'annotation';
	label?: string;
	derived?: boolean;
	rev?: number;
}

export type Severity = 'error' | 'warning' | 'info';
export interface Diagnostic {
	severity: Severity;
	code: string;
	message: string;
	hint?: string;
	instanceId?: string;
	property?: string;
	edgeId?: string;
	fix?: Fix[];
}
/* One call that cures it, or a part of the cure. */
export interface Fix {
	tool: string;
	arguments: JsonObject;
}
export interface Diagnostics {
	byNode: Record<string, Diagnostic[]>;
	project: Diagnostic[];
}

export interface CostLine {
	label: string;
	quantity: number;
	unit: string;
	price: number;
	amount: number;
}
export interface Cost {
	monthly: number | null;
	currency: string;
	lines?: CostLine[];
	usage?: Record<string, number>;
	approximate?: boolean;
	reason?: string;
}
export interface CostTotal {
	monthly: number;
	currency: string;
	complete: boolean;
	unpriced: string[];
	budget?: number;
	overBudget?: boolean;
}
export interface Costs {
	estimates: Record<string, Cost>;
	total: CostTotal;
}

export interface Actor {
	id: string;
	name: string;
	person: boolean;
	colour: number;
}
export interface Change {
	changeId: string;
	revision: number;
	time: string;
	actor: Actor;
	actorName?: string;
	tool: string;
	summary: string;
	instanceIds: string[];
	truncated?: boolean;
	count?: number;
	undone: boolean;
	kind?: string;
	gesture?: string;
	of?: string; // what an undo takes back, or a redo does again
}

/* A daemon before SC-020 says a name alone. */
export const named = (change: Change): Change =>
	typeof change.actor === 'string' ? { ...change, actor: { id: change.actor, name: change.actor, person: false, colour: 0 } } : change;

/* Somebody who has the project open, or works on it. */
export interface Here {
	actor: Actor;
	selection: string[];
	view?: Rect;
	held?: string[];
	editing?: { instanceId: string; property?: string };
	pointer?: { x: number; y: number };
	via: string;
	since: string;
	seenAt: string;
}

/* What somebody points at, for a few seconds (SC-163). */
export interface Pointed {
	actor: { id: string; name: string; person: boolean };
	at: string;
	instanceIds: string[];
	message?: string;
}

/* A change that came after another one and touched the same (SC-140). */
export interface Later {
	changeId: string;
	actor: string;
	summary: string;
}

export interface Ghost {
	instanceId: string;
	typeId?: string;
	label: string;
	parentId?: string;
	rect: Rect;
	addresses?: string[] | null; // none: it was only in the diagram
}
export type Routes = Record<string, [number, number][]>;
export interface ProjectInfo {
	id: string;
	name: string;
	path: string;
	dirty: boolean;
}

/* What get_diagram says with everything included. */
export interface DiagramAnswer {
	nodes: NodeRecord[];
	edges: EdgeRecord[];
	revision: number;
	project: ProjectInfo;
	routes?: Routes;
	ghosts?: Ghost[];
	cursor?: string;
}
/* What get_changes says. */
export interface ChangesAnswer {
	from: number;
	to: number;
	cursor: string;
	reset?: boolean;
	nodes?: NodeRecord[];
	removedNodes?: string[];
	edges?: EdgeRecord[];
	removedEdges?: string[];
	routes?: Record<string, [number, number][] | null>;
	diagnostics?: Partial<Diagnostics>; // what differs
	costs?: Partial<Costs>;
	statuses?: Record<string, string>;
	config?: JsonObject;
	ghosts?: Ghost[];
	changes?: Change[];
	project?: ProjectInfo;
}

export interface Model {
	revision: number;
	nodes: Map<string, NodeRecord>;
	edges: Map<string, EdgeRecord>;
	routes: Map<string, Point[]>;
}
/* What a step of it touched. */
export interface Touched {
	nodes: Set<string>;
	removedNodes: Set<string>;
	edges: Set<string>;
	removedEdges: Set<string>;
	routes: Set<string>;
}

const points = (route: [number, number][]): Point[] => route.map(([x, y]) => ({ x, y }));

export function modelOf(answer: DiagramAnswer): Model {
	return {
		revision: answer.revision,
		nodes: new Map(answer.nodes.map((node) => [node.instanceId, node])),
		edges: new Map(answer.edges.map((edge) => [edge.id, edge])),
		routes: new Map(Object.entries(answer.routes ?? {}).map(([id, route]) => [id, points(route)])),
	};
}

/* What a node has only where `include` asks for it. */
const PARTS = ['layout', 'defaults', 'diagnostics', 'addresses'] as const;
/* A record that was read without some of them keeps what is known. */
function kept(was: NodeRecord | undefined, now: NodeRecord, include: readonly string[]): NodeRecord {
	const record: NodeRecord = { ...now };
	for (const part of PARTS) if (was?.[part] !== undefined && !include.includes(part)) Object.assign(record, { [part]: was[part] });
	return record;
}
/* Of the same revision, and more of it: what is drawn stays as it is. */
const isFuller = (was: NodeRecord | undefined, now: NodeRecord): was is NodeRecord =>
	was?.rev !== undefined && was.rev === now.rev && was.addresses === undefined && now.addresses !== undefined && was.deploymentStatus === now.deploymentStatus && JSON.stringify(was.layout) === JSON.stringify(now.layout);

export function advance(model: Model, answer: ChangesAnswer, include: readonly string[] = PARTS): Touched {
	const touched: Touched = { nodes: new Set(), removedNodes: new Set(), edges: new Set(), removedEdges: new Set(), routes: new Set() };
	for (const id of answer.removedEdges ?? []) {
		if (model.edges.delete(id)) touched.removedEdges.add(id);
		model.routes.delete(id);
	}
	for (const id of answer.removedNodes ?? []) if (model.nodes.delete(id)) touched.removedNodes.add(id);
	for (const node of answer.nodes ?? []) {
		const was = model.nodes.get(node.instanceId);
		if (isFuller(was, node)) {
			Object.assign(was, node);
			continue;
		}
		model.nodes.set(node.instanceId, kept(was, node, include));
		touched.nodes.add(node.instanceId);
	}
	for (const [id, status] of Object.entries(answer.statuses ?? {})) {
		const node = model.nodes.get(id);
		if (!node || node.deploymentStatus === status) continue;
		model.nodes.set(id, { ...node, deploymentStatus: status });
		touched.nodes.add(id);
	}
	for (const edge of answer.edges ?? []) {
		model.edges.set(edge.id, edge);
		touched.edges.add(edge.id);
	}
	for (const [id, route] of Object.entries(answer.routes ?? {})) {
		if (route) model.routes.set(id, points(route));
		else model.routes.delete(id);
		touched.routes.add(id);
	}
	model.revision = answer.to;
	return touched;
}

/* ---- types, as studio://types has them ---- */

export interface Handle {
	id: string;
	type: 'source' | 'target';
	label: string;
	position: Side;
	max?: number;
}
export interface Pair {
	handle: string;
	direction: 'out' | 'in';
	otherTypeId: string;
	otherHandle: string;
	label?: string;
}
export interface Property {
	key: string;
	label: string;
	type: string;
	required: boolean;
	description?: string;
	defaultValue?: Json;
	defaultBy?: { prop: string; cases: JsonObject };
	allowed?: Json[];
	open?: boolean;
	min?: number;
	max?: number;
	minLength?: number;
	maxLength?: number;
	pattern?: string;
	items?: { type: string; allowed?: Json[]; fields?: Property[] };
	fields?: Property[];
	to?: string[];
	many?: boolean;
	edge?: boolean;
	fromEdge?: boolean;
	sensitive?: boolean;
	group?: string;
	visibleWhen?: JsonObject;
	requiredWhen?: JsonObject;
	implicit?: boolean;
	canBeVariable?: boolean;
}
export interface TypeInfo {
	typeId: string;
	displayName: string;
	category: string;
	provider: string;
	description: string;
	isContainer: boolean;
	canBeChildOf: string[]; // ['*']: anywhere
	visualParents?: string[];
	handles: Handle[];
	properties: Property[];
	outputs?: { key: string; attribute: string; sensitive?: boolean }[];
	connections?: Pair[];
	terraform?: JsonObject;
	naming?: JsonObject;
	docsUrl?: string;
	hidden?: boolean;
	sign?: string;
	family?: number;
	minSize?: { width: number; height: number };
	transparent?: boolean;
	cost?: { usage?: { key: string; unit: string; default: number; min?: number; max?: number }[] };
}
/* The network range of a node, of whichever property its type keeps one in. */
export function rangeOf(type: TypeInfo | null | undefined, properties: JsonObject | undefined): string {
	const keeps = (one: Property) => one.type === 'cidr' || one.items?.type === 'cidr';
	const key = type?.properties.find((one) => keeps(one) && properties?.[one.key] !== undefined)?.key;
	const value = key && properties?.[key];
	return Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : '';
}
export interface Group {
	provider: string;
	displayName: string;
	categories: { id: string; label: string; typeIds: string[] }[];
}
export interface Provider {
	id: string;
	displayName: string;
	config: Property[];
}
export interface Types {
	types: TypeInfo[];
	groups: Group[];
	providers?: Provider[];
	regionShortcodes?: Record<string, string>;
	costRegions?: string[];
}

export class Catalogue {
	readonly all: TypeInfo[];
	readonly groups: Group[];
	readonly said: Types;
	#byId: Map<string, TypeInfo>;

	constructor(types: Types) {
		this.all = types.types;
		this.groups = types.groups;
		this.said = types;
		this.#byId = new Map(types.types.map((type) => [type.typeId, type]));
	}

	find(id: string): TypeInfo | null {
		return this.#byId.get(id) ?? null;
	}

	isAnnotation(id: string): boolean {
		return this.#byId.get(id)?.provider.startsWith('_') ?? false; // of no cloud
	}

	/* May a node of this type stand in a container of that type? The daemon decides; this is the table it gives
	 * (canBeChildOf), so that a hand sees it before it lets go. Null: the top level. */
	mayStandIn(childId: string, parentId: string | null): boolean {
		if (parentId === null) return true;
		const child = this.#byId.get(childId);
		const parent = this.#byId.get(parentId);
		if (!child || !parent?.isContainer) return false;
		if (this.isAnnotation(childId) || child.canBeChildOf.includes('*')) return true;
		return child.canBeChildOf.includes(parentId) || (child.visualParents ?? []).includes(parentId);
	}
}

/* ---- search ---- */

/* As the daemon ranks (studio.md 6.2): the name's beginning, its words, then the id, then the description. Null: no match. */
export function score(type: TypeInfo, words: string): number | null {
	const asked = words.toLowerCase().split(/\s+/).filter(Boolean);
	const name = type.displayName.toLowerCase();
	const id = `${type.typeId} ${String((type.terraform as { type?: Json } | undefined)?.type ?? '')}`.toLowerCase().replaceAll('_', ' ');
	const about = type.description.toLowerCase();
	let sum = asked.join(' ') === name ? 120 : 0; // the whole name before names that begin with it
	for (const word of asked) {
		if (name === word) sum += 120;
		else if (name.startsWith(word)) sum += 100;
		else if (name.split(/\W+/).some((one) => one.startsWith(word))) sum += 80;
		else if (name.includes(word)) sum += 60;
		else if (id.includes(word.replaceAll('_', ' '))) sum += 40;
		else if (about.includes(word)) sum += 20;
		else return null;
	}
	return sum;
}

export const worst = (list: readonly Diagnostic[]): Severity | null =>
	list.some((one) => one.severity === 'error') ? 'error'
	: list.some((one) => one.severity === 'warning') ? 'warning'
	: list.length > 0 ? 'info' : null;
