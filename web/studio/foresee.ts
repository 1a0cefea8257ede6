/* What a change of this page will have made of the diagram, shown before the daemon has answered (SC-003): a name, values, what
 * is new, a line, what goes. The model stays as the daemon told it, so that taking back is looking there again. */
import type { Json, JsonObject } from '../kit/mcp.ts';
import type { Point } from './geometry.ts';
import { isObject } from './same.ts';
import { EdgeView, endsOf, NodeView, type Diagram } from './diagram.svelte.ts';
import type { EdgeRecord, NodeRecord } from './model.ts';

/* Takes it back, and does nothing where the daemon has told it since. `line`: the id that it has until `told` has the daemon's. */
interface Back {
	(): void;
	again?: () => void; // news of before has come over it
	line?: string;
	told?: (answer: JsonObject) => void;
}

/* They go with all that is in them, and with their lines. */
function leave(diagram: Diagram, nodes: readonly NodeView[], lines: readonly EdgeView[]): Back {
	const gone = new Set(nodes.flatMap((one) => [one, ...one.descendants]));
	const all = [...gone, ...lines, ...[...diagram.edges.values()].filter((one) => gone.has(one.source) || gone.has(one.target))];
	const set = (on: boolean) => () => {
		for (const one of all) one.leaving = on;
	};
	set(true)();
	return Object.assign(set(false), { again: set(true) });
}

/* What is secret goes in the call and is kept nowhere (SC-089). */
function values(node: NodeView, changed: JsonObject): JsonObject {
	const now: JsonObject = { ...node.record.properties };
	for (const [key, value] of Object.entries(changed)) {
		if (node.type?.properties.find((one) => one.key === key)?.sensitive) continue;
		if (value === null) delete now[key];
		else now[key] = value;
	}
	return now;
}

function update(diagram: Diagram, node: NodeView, { label, notes, properties }: JsonObject): Back {
	let guess: NodeRecord | null = null;
	const again = () => {
		if (node.record === guess) return;
		guess = {
			...node.record,
			...(typeof label === 'string' && label ? { label } : {}),
			...(typeof notes === 'string' ? { notes } : {}),
			...(isObject(properties) ? { properties: values(node, properties) } : {}),
		};
		node.record = guess;
	};
	again();
	const back = () => {
		// Somebody else's change has come since: then that is shown already.
		if (node.record === guess) node.record = diagram.model.nodes.get(node.id) ?? guess!;
	};
	return Object.assign(back, { again });
}

/* A node that nobody can take until the daemon has told of it. */
function nodeTo(diagram: Diagram, record: NodeRecord): Back {
	const parent = diagram.node(record.parentId ?? '');
	const view = new NodeView(diagram, record, Infinity, parent);
	view.nested = true;
	const put = (change: (list: NodeView[]) => NodeView[]) => {
		if (parent) parent.children = change(parent.children);
		else diagram.roots = change(diagram.roots);
	};
	put((list) => [...list, view]);
	return () => put((list) => list.filter((one) => one !== view));
}

/* A line, which is the daemon's when it tells of it. */
function lineTo(diagram: Diagram, record: EdgeRecord): Back {
	const [source, target] = [diagram.node(record.source), diagram.node(record.target)];
	if (!source || !target) return () => undefined;
	const line = new EdgeView(endsOf(record, source, target));
	const drawn = () => (diagram.lines(new Set([line.home])), void diagram.version++);
	diagram.edges.set(line.id, line);
	diagram.foreseen.set(line.id, null);
	drawn();
	const back = () => {
		diagram.foreseen.delete(line.id);
		if (!diagram.model.edges.has(line.id) && diagram.edges.delete(line.id)) drawn();
	};
	const told = ({ edgeId }: JsonObject) => {
		if (!diagram.foreseen.has(line.id)) return;
		if (diagram.edges.has(String(edgeId))) back(); // it was there already
		else diagram.rename(line, String(edgeId));
	};
	return Object.assign(back, { line: line.id, told });
}

/* Names, and where it stands if the hand has not said it, are the daemon's. */
let count = 0;
function add(diagram: Diagram, args: JsonObject): Back {
	const [typeId, { position, parentId = null, label }] = [String(args.typeId), args];
	const type = diagram.catalogue.find(typeId);
	if (!type || !isObject(position) || (parentId !== null && !diagram.node(String(parentId)))) return () => undefined;
	const id = `foreseen-${++count}`;
	return nodeTo(diagram, {
		...{ id, instanceId: id, typeId, terraformName: '', properties: {}, deploymentStatus: 'pending' },
		label: String(label ?? type.displayName),
		parentId: parentId as string | null,
		position: position as unknown as Point,
	});
}

/* What kind of line it is, and where it goes, the daemon says; until then it is drawn by us. */
function connect(diagram: Diagram, args: JsonObject): Back {
	const [source, sourceHandle, target, targetHandle] = ['sourceInstanceId', 'sourceHandle', 'targetInstanceId', 'targetHandle'].map((key) => String(args[key])) as [string, string, string, string];
	return lineTo(diagram, { id: `foreseen-${++count}`, source, sourceHandle, target, targetHandle, category: 'structural' });
}

/* Shows it. */
export function foresee(diagram: Diagram, tool: string, args: JsonObject): Back {
	if (args.dryRun) return () => undefined;
	if (tool === 'execute_batch') {
		const steps = (Array.isArray(args.operations) ? args.operations : []).filter(isObject);
		const backs = steps.flatMap((one) => (isObject(one.arguments) ? [foresee(diagram, String(one.tool), one.arguments)] : []));
		return Object.assign(() => backs.toReversed().forEach((back) => back()), { again: () => backs.forEach((back) => back.again?.()) });
	}
	const of = (id: Json | undefined) => diagram.node(String(id));
	const [node, edge] = [of(args.instanceId), diagram.edges.get(String(args.edgeId))];
	if (tool === 'remove_resource' && node) return leave(diagram, [node], []);
	if (tool === 'disconnect_resources' && edge) return leave(diagram, [], [edge]);
	if (tool === 'add_resource') return add(diagram, args);
	if (tool === 'connect_resources') return connect(diagram, args);
	if (tool === 'update_resource' && node) return update(diagram, node, args);
	return () => undefined;
}
