/* The search on the canvas: words, phrases and filters, all of which must hold (SC-132). */
import type { NodeView } from './diagram.svelte.ts';

type Term = (node: NodeView, changed: ReadonlySet<string>) => boolean;

const has = (text: string | undefined, part: string) => (text ?? '').toLowerCase().includes(part);
const plain = (value: unknown): string => (value && typeof value === 'object' ? Object.values(value).map(plain).join(' ') : String(value ?? ''));

const everything = (node: NodeView) => {
	const { label, terraformName, typeId, terraformType, addresses, properties, notes, effectiveName } = node.record;
	return [label, terraformName, typeId, node.type?.displayName, terraformType, effectiveName, notes, ...(addresses ?? []), plain(properties)].join(' ').toLowerCase();
};
const about: Record<string, (node: NodeView, value: string) => boolean> = {
	status: (node, value) => has(node.record.deploymentStatus, value),
	type: (node, value) => [node.record.typeId, node.type?.displayName, node.record.terraformType].some((one) => has(one, value)),
	has: (node, value) => node.problems.some((one) => has(one.severity, value) || has(one.code, value)),
	in: (node, value) => node.ancestors.some((one) => has(one.record.label, value)),
};
export const filters = ['status:', 'type:', 'has:error', 'has:warning', 'changed', 'cost>', 'cost<', 'in:'];

function termOf(word: string): Term {
	const bare = word.replaceAll('"', '').toLowerCase();
	const cost = /^cost([<>])=?(\d+(\.\d+)?)$/.exec(bare);
	if (cost) return (node) => typeof node.cost?.monthly === 'number' && (cost[1] === '>' ? node.cost.monthly > Number(cost[2]) : node.cost.monthly < Number(cost[2]));
	if (bare === 'changed') return (node, changed) => changed.has(node.id);
	const [, key, value] = /^(\w+):(.*)$/.exec(bare) ?? [];
	const test = key && about[key];
	if (test) return (node) => test(node, value ?? '');
	return (node) => everything(node).includes(bare);
}

export function find(nodes: readonly NodeView[], words: string, changed: ReadonlySet<string>): NodeView[] {
	const terms = (words.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? []).map(termOf);
	return terms.length === 0 ? [] : nodes.filter((node) => terms.every((term) => term(node, changed)));
}

/* What the last word may become. */
export function completions(words: string, nodes: readonly NodeView[]): string[] {
	const [, before = '', last = ''] = /^(.*\s)?(\S*)$/.exec(words) ?? [];
	const key = /^(status|type|in):/.exec(last)?.[1];
	const quoted = (text: string) => (/\s/.test(text) ? `"${text}"` : text);
	const values = key === 'status' ? nodes.map((one) => one.record.deploymentStatus) : key === 'type' ? nodes.map((one) => one.type?.displayName ?? '') : key === 'in' ? nodes.filter((one) => one.children.length > 0).map((one) => one.record.label) : [];
	const all = key ? [...new Set(values)].map((one) => `${key}:${quoted(one)}`) : filters;
	return last ? all.filter((one) => one.toLowerCase().startsWith(last.toLowerCase()) && one !== last).slice(0, 8).map((one) => before + one) : [];
}
