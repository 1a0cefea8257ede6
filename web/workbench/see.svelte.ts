/* What the workbench lets this page see and do: resources of one folder, and the tools that there are. What a
 * daemon does not list is not offered. */
import { link } from '../kit/link.svelte.ts';
import { live, type Live } from '../kit/live.svelte.ts';
import type { JsonObject, McpError } from '../kit/mcp.ts';
import { say } from '../kit/toast.svelte.ts';
import { patched, type Config, type Difference, type Envelope, type Folder, type Graph, type GraphData, type GraphOp, type Index, type Node, type Overrides, type Registry, type Session, type Sessions } from './model.ts';

class Tools {
	#schemas = $state.raw(new Map<string, string>());
	async load(): Promise<void> {
		const found = new Map<string, string>();
		let cursor: string | undefined;
		do {
			const page = await link.client.request('tools/list', cursor ? { cursor } : {});
			for (const tool of page.tools as { name: string; inputSchema: object }[]) found.set(tool.name, JSON.stringify(tool.inputSchema));
			cursor = page.nextCursor as string | undefined;
		} while (cursor);
		this.#schemas = found;
	}
	has(name: string, word = ''): boolean {
		return this.#schemas.get(`workbench_${name}`)?.includes(word) ?? false;
	}
}
export const tools = new Tools();

/* What this page has just changed itself: word of it is no news. A tool that says no ops may have changed anything. */
const ours: { op: JsonObject | null; until: number }[] = [];
const OURS_MS = 5000;
function noteOurs(tool: string, args: JsonObject): void {
	const ops = Array.isArray(args.ops) ? (args.ops as JsonObject[]) : /orphaned|save|file/.test(tool) && !args.dryRun ? [null] : [];
	for (const op of ops) ours.push({ op, until: Date.now() + OURS_MS });
}
export function isOurs(one: Difference): boolean {
	while (ours[0] && ours[0].until < Date.now()) ours.shift();
	return ours.some(({ op }) => {
		if (!op) return true;
		const here = (op.instanceId ?? one.instanceId) === one.instanceId && (op.path ?? one.path) === one.path;
		return here && (op.op === 'set' ? one.after !== null && JSON.stringify(one.after.value) === JSON.stringify(op.value) : one.after === null);
	});
}

/* Calls a tool of the workbench; what it refuses is said, unless somebody takes it. */
export async function act(tool: string, args: JsonObject, refused?: (error: McpError) => void): Promise<JsonObject | null> {
	noteOurs(tool, args);
	try {
		return (await link.client.call(`workbench_${tool}`, args)).structured ?? {};
	} catch (error) {
		if (refused) refused(error as McpError);
		else say((error as Error).message, 'bad');
		return null;
	}
}

export const see = <T>(folder: string, path: string): Live<Envelope<T>> => live<Envelope<T>>(`skaffa://workspaces/${folder}/${path}`);
export const seeFolders = () => live<Envelope<{ workspaces: Folder[] }>>('skaffa://workspaces');

const PARTS_MAX = 40; // of a large graph, 256 KiB each

/* One open folder, for as long as its page is shown. */
export class Bench {
	readonly id: string;
	root = $state(''); // of the folder
	readonly #config;
	readonly #registry;
	readonly #sessions;
	readonly #overrides;
	readonly #graph;
	#chosen = $state<string | null>(null);
	#rest = $state.raw<Index['components']>([]);
	#turn = 0;
	#parts = $state.raw<(Graph & { epoch: string }) | null>(null);
	#graphTurn = 0;
	graphCut = $state(false); // there are more parts than this page reads

	constructor(id: string) {
		this.id = id;
		this.#config = see<Config>(id, 'workspace/config');
		this.#registry = see<Registry>(id, 'workspace/registry');
		this.#sessions = see<Sessions>(id, 'preview/sessions');
		this.#overrides = see<Overrides>(id, 'workspace/overrides');
		this.#graph = see<GraphData>(id, 'workspace/graph');
		$effect(() => {
			void this.#follow(this.registry?.index?.nextCursor);
		});
		$effect(() => {
			const told = this.#graph.value;
			if (told?.data?.truncated) void this.#collect(told.workspace?.epoch ?? '');
		});
	}
	async #read<T>(path: string): Promise<T> {
		const { data } = JSON.parse(await link.client.read(`skaffa://workspaces/${this.id}/workspace/graph${path}`)) as Envelope<T>;
		if (!data) throw new Error('closed');
		return data;
	}
	/* A graph that is too large comes in parts, and then changes by its patches (M4, N5). */
	async #collect(epoch: string): Promise<void> {
		const turn = ++this.#graphTurn;
		try {
			const made = (await this.#patched()) ?? (await this.#inParts());
			if (turn === this.#graphTurn) this.#parts = { ...made, epoch };
		} catch {
			// It has changed between two parts: from the beginning.
			setTimeout(() => turn === this.#graphTurn && void this.#collect(epoch), 500);
		}
	}
	async #patched(): Promise<Graph | null> {
		const have = this.#parts;
		const news = have && (await this.#read<{ patches: { revision: number; ops: GraphOp[] }[]; resync: boolean }>(`/patches?epoch=${have.epoch}&since=${have.revision}`));
		return news && !news.resync ? patched(have, news.patches) : null;
	}
	async #inParts(): Promise<Graph> {
		const made: Graph = { revision: 0, nodes: [], edges: [] };
		let cursor: string | undefined = '';
		for (let parts = 0; cursor !== undefined && parts < PARTS_MAX; parts++) {
			const part: { graph: Graph; nextCursor?: string } = await this.#read(`?cursor=${cursor}`);
			made.revision = part.graph.revision;
			made.nodes.push(...part.graph.nodes);
			made.edges.push(...part.graph.edges);
			cursor = part.nextCursor;
		}
		this.graphCut = cursor !== undefined;
		return made;
	}
	/* The rest of an index that comes in pages. */
	async #follow(cursor: string | undefined): Promise<void> {
		const turn = ++this.#turn;
		const found: Index['components'] = [];
		while (cursor && turn === this.#turn) {
			const page: Envelope<Index> = JSON.parse(await link.client.read(`skaffa://workspaces/${this.id}/workspace/registry/index?cursor=${encodeURIComponent(cursor)}`));
			found.push(...(page.data?.components ?? []));
			cursor = page.data?.nextCursor;
		}
		if (turn === this.#turn) this.#rest = found;
	}
	get config() {
		return this.#config.value?.data ?? null;
	}
	get registry() {
		return this.#registry.value?.data ?? null;
	}
	get overrides() {
		return this.#overrides.value?.data ?? null;
	}
	get graph(): GraphData | null {
		const data = this.#graph.value?.data ?? null;
		return data?.truncated && this.#parts ? { ...data, graph: this.#parts } : data;
	}
	get sessions(): Session[] {
		return this.#sessions.value?.data?.sessions ?? [];
	}
	get launchers() {
		return this.#sessions.value?.data?.launchers ?? [];
	}
	get told(): boolean {
		return this.#sessions.value !== null;
	}
	/* The session that is looked at: the one chosen here, else the one whose selection everybody sees. */
	get session(): Session | null {
		const all = this.sessions;
		return all.find((one) => one.sessionId === this.#chosen) ?? all.find((one) => one.active) ?? all[0] ?? null;
	}
	choose(session: Session): void {
		this.#chosen = session.sessionId;
		if (!session.active && session.state === 'ready' && tools.has('activate_session')) void act('activate_session', { sessionId: session.sessionId });
	}
	shows(sessionId: string): void {
		this.#chosen = sessionId;
	}
	get nodes(): Node[] {
		return this.graph?.graph?.nodes ?? this.graph?.index ?? [];
	}
	get types(): Index['components'] {
		const data = this.registry;
		return data?.registry ? Object.values(data.registry.components) : [...(data?.index?.components ?? []), ...this.#rest];
	}
	get diagnostics() {
		return [
			...(this.config?.diagnostics ?? []),
			...(this.config?.modules ?? []).flatMap((module) => module.diagnostics ?? []),
			...(this.registry?.diagnostics ?? []),
			...(this.graph?.diagnostics ?? []),
			...(this.overrides?.diagnostics ?? []),
		];
	}
}
