/* Where values of the page stand, as calls: a node's, the project's; and what a fix would do, in words. */
import { McpError, type Json, type JsonObject } from '../kit/mcp.ts';
import { isObject } from './same.ts';
import type { Diagram } from './diagram.svelte.ts';
import type { Place, Sent } from './editing.svelte.ts';
import type { Diagnostic, Fix } from './model.ts';
import type { OpenProject } from './project.svelte.ts';
import { s } from './text.ts';
import { wording } from './wording.ts';

async function change(project: OpenProject, tool: string, args: JsonObject, about: string): Promise<Sent> {
	let sent: Sent = {};
	const answer = await project.act(tool, args, undefined, (error: McpError) => {
		// The daemon names the field first; here it stands below it.
		const text = error.message.startsWith(about + ': ') ? error.message.slice(about.length + 2) : error.message;
		sent = error.code === 'DISCONNECTED' ? { lost: true } : { error: text };
	});
	return answer ? { revision: Number(answer.revision ?? 0) } : sent;
}

export function changeNode(project: OpenProject, id: string, args: JsonObject, gesture?: string): Promise<Sent> {
	const part = Object.values(args)[0];
	return change(project, 'update_resource', { instanceId: id, properties: {}, ...(gesture ? { gesture } : {}), ...args }, isObject(part) ? (Object.keys(part)[0] ?? '') : (Object.keys(args)[0] ?? ''));
}

/* One value of several nodes: one batch, one change. */
export function changeMany(project: OpenProject, ids: readonly string[], property: string, value: Json, label: string): Promise<Sent> {
	const operations = ids.map((id) => ({ tool: 'update_resource', arguments: { instanceId: id, properties: { [property]: value } } }));
	return change(project, 'execute_batch', { operations, label }, property);
}

export const changeEdge = (project: OpenProject, edgeId: string, label: string, gesture: string): Promise<Sent> => change(project, 'update_edge', { edgeId, label, gesture }, 'label');

/* A value of the configuration, by its path. */
export function configPlace(project: OpenProject, path: readonly string[]): Place {
	const dotted = path.join('.');
	const sent = new Set<string>(); // of a map: perhaps not told yet
	return {
		key: ' config/' + dotted,
		property: dotted,
		value: () => path.reduce<Json | undefined>((at, key) => (isObject(at) ? at[key] : undefined), project.config ?? undefined),
		send: (value, gesture) => {
			const before = path.reduce<Json | undefined>((at, key) => (isObject(at) ? at[key] : undefined), project.config ?? undefined);
			// A map is merged by the daemon: what is not in it any more is said.
			const keys = [...sent, ...Object.keys(isObject(before) ? before : {})];
			const gone = isObject(value) ? Object.fromEntries(keys.filter((key) => !(key in value)).map((key) => [key, null])) : {};
			for (const key of Object.keys(isObject(value) ? value : {})) sent.add(key);
			const patch = path.reduceRight<Json>((inner, key) => ({ [key]: inner }), isObject(value) ? { ...value, ...gone } : value);
			return change(project, 'set_project_config', { config: patch, gesture }, dotted);
		},
	};
}

function callText(call: Fix, diagram: Diagram | null): string {
	const { arguments: args } = call;
	const node = diagram?.node(String(args.instanceId ?? ''));
	const name = (value: Json | undefined) => (typeof value === 'string' && diagram?.node(value) ? s.nameOf(diagram.node(value)!) : Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value));
	const parts = ['properties', 'references'].flatMap((kind) => {
		const part = args[kind];
		return Object.entries(isObject(part) ? part : {}).map(([key, value]) => {
			const label = node?.type?.properties.find((one) => one.key === key)?.label ?? key;
			return value === null ? s.clear(label) : wording.setFix(label, name(value));
		});
	});
	if ('parentId' in args) parts.push(args.parentId === null ? s.topLevel : wording.moveFix(name(args.parentId)));
	return parts.join(', ') || call.tool;
}
/* What its fix does. */
export const fixText = (one: Diagnostic, diagram: Diagram | null): string => (one.fix ?? []).map((call) => callText(call, diagram)).join(', ') || s.fix;
