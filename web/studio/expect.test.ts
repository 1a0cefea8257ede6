/* What a change expects of what it changes, and when it is made once more (SC-012, SC-237). */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { JsonObject } from '../kit/mcp.ts';
import { allMine, changedBy, expect } from './expect.ts';
import { stillMeant } from './still_meant.ts';
import type { EdgeRecord, NodeRecord } from './model.ts';

const node = (over: Partial<NodeRecord> = {}): NodeRecord => ({
	id: 'a',
	instanceId: 'a',
	typeId: 't',
	label: 'A',
	terraformName: 'a',
	parentId: 'g',
	position: { x: 0, y: 0 },
	properties: { size: 1, zone: 'x' },
	deploymentStatus: 'pending',
	rev: 5,
	...over,
});
const edge: EdgeRecord = { id: 'e', source: 'a', sourceHandle: 'o', target: 'b', targetHandle: 'i', category: 'structural', rev: 3 };
const lookup = (...entries: (NodeRecord | EdgeRecord)[]) => (id: string) => entries.find((one) => one.id === id);
const none = new Map<string, number>();

/* Whether a call that was made of `before` still means the same of `after`. */
const means = (tool: string, args: JsonObject, before: NodeRecord, after: NodeRecord | null) =>
	stillMeant(tool, args, expect(tool, args, lookup(before), none, none), after ? lookup(after) : () => undefined);

test('SC-012: a call expects what it changes, and nothing that it only refers to', () => {
	const move = (id: string) => ({ instanceId: id, position: { x: 1, y: 2 } });
	assert.deepEqual(changedBy('move_resources', { moves: [move('a'), move('b')] }), ['a', 'b']);
	assert.deepEqual(changedBy('connect_resources', { sourceInstanceId: 'a', targetInstanceId: 'b' }), []);
	assert.deepEqual(changedBy('undo_change', {}), []);
	const operations = [
		{ tool: 'add_resource', arguments: { typeId: 't', parentId: 'g' }, as: 'n' },
		{ tool: 'update_resource', arguments: { instanceId: '$n.instanceId', properties: {} } },
		{ tool: 'update_resource', arguments: { instanceId: 'a', properties: { size: 2 } } },
		{ tool: 'remove_resource', arguments: { instanceId: 'a' } },
		{ tool: 'disconnect_resources', arguments: { edgeId: 'e' } },
	];
	assert.deepEqual(changedBy('execute_batch', { operations }), ['a', 'e']);
	assert.deepEqual(expect('execute_batch', { operations }, lookup(node(), edge), none, none).revs, { a: 5, e: 3 });
	assert.deepEqual(expect('remove_resource', { instanceId: 'a' }, lookup(node()), new Map([['a', 9]]), none).revs, { a: 9 });
	assert.deepEqual(expect('remove_resource', { instanceId: 'a' }, lookup(node()), none, new Map([['a', 1]])).revs, {});
	const { rev: _, ...old } = node();
	assert.deepEqual(expect('remove_resource', { instanceId: 'a' }, lookup(old), none, none).revs, {});
});

test('SC-237: a move is made once more unless the node is gone or in another container', () => {
	const args = { moves: [{ instanceId: 'a', position: { x: 9, y: 9 } }] };
	assert.ok(means('move_resources', args, node(), node({ rev: 6, position: { x: 50, y: 50 }, properties: { size: 3 }, label: 'B' })));
	assert.ok(!means('move_resources', args, node(), node({ rev: 6, parentId: 'h' })));
	assert.ok(!means('move_resources', args, node(), null));
});

test('SC-237: a value is set once more only if nobody else has changed it', () => {
	const args = { instanceId: 'a', properties: { size: 2 } };
	assert.ok(means('update_resource', args, node(), node({ rev: 6, properties: { size: 1, zone: 'y' }, label: 'B', parentId: 'h' })));
	assert.ok(!means('update_resource', args, node(), node({ rev: 6, properties: { size: 7, zone: 'x' } })));
	assert.ok(!means('update_resource', args, node(), node({ rev: 6, properties: { zone: 'x' } })));
	assert.ok(!means('update_resource', { instanceId: 'a', properties: {}, label: 'C' }, node(), node({ rev: 6, label: 'B' })));
	assert.ok(!means('update_resource', { instanceId: 'a', properties: {}, references: { plan: 'p' } }, node(), node({ references: { plan: 'q' } })));
	assert.ok(!means('update_resource', args, node(), null));
});

test('SC-237: what somebody has changed is not removed without asking; where it stands is no matter', () => {
	const args = { instanceId: 'a' };
	assert.ok(means('remove_resource', args, node(), node({ rev: 6, position: { x: 7, y: 7 }, layout: { x: 7, y: 7, width: 1, height: 1 } })));
	assert.ok(!means('remove_resource', args, node(), node({ rev: 6, label: 'B' })));
	assert.ok(!means('remove_resource', args, node(), node({ rev: 6, properties: { size: 2, zone: 'x' } })));
	const operations = [{ tool: 'remove_resource', arguments: args }, { tool: 'move_resource', arguments: { instanceId: 'a', position: { x: 1, y: 1 } } }];
	assert.ok(!means('execute_batch', { operations }, node(), node({ rev: 6, label: 'B' })), 'a batch means what each of its operations means');
});

test('SC-237: what this page has done itself stands in nobody’s way', () => {
	const one = { instanceId: 'a', rev: 6 };
	assert.ok(allMine({ ...one, mine: true }));
	assert.ok(!allMine(one));
	assert.ok(!allMine({ ...one, mine: true, by: [{ actor: 'c', summary: 's' }, { actor: 'me', summary: 's', mine: true }] }));
	assert.ok(!allMine({ ...one, mine: true, others: [{ ...one, instanceId: 'b' }] }));
	assert.ok(!allMine({ ...one, mine: true, removed: true }));
});
