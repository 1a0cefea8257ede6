import assert from 'node:assert/strict';
import { test } from 'node:test';

import { byBlock, linesOf } from './taken.ts';

test('SC-181: what is understood in part is told by file, line and attribute', () => {
	const node = { instanceId: 'x', typeId: 't', address: 'a.b', notUnderstood: [{ file: 'main.tf', line: 4, attribute: 'managed_by', text: '"me"', reason: 'no place' }, { file: 'main.tf', line: 5, attribute: 'other', text: '1', reason: 'no place' }] };
	assert.deepEqual(linesOf(node), [
		{ where: 'main.tf:4', what: 'a.b managed_by', why: 'no place "me"' },
		{ where: 'main.tf:5', what: 'a.b other', why: 'no place 1' },
	]);
	assert.deepEqual(linesOf({ file: 'x.tf', line: 2, column: 10, message: 'a value is missing' }), [{ where: 'x.tf:2:10', what: '', why: 'a value is missing' }]);
	assert.deepEqual(linesOf({ instanceId: 'x', kind: 'resource', type: 'random_id', name: 'one', file: 'x.tf', line: 5, reason: 'no type' }), [{ where: 'x.tf:5', what: 'resource random_id one', why: 'no type' }]);
	assert.deepEqual(linesOf({ address: 'a.b', typeId: 't' }), [{ where: '', what: 'a.b', why: 't' }]);
});

test('SC-181: differences stand together by block', () => {
	const list = [{ address: 'a', change: 'added' }, { address: 'b', change: 'removed' }, { address: 'a', change: 'changed' }];
	assert.deepEqual(byBlock(list).map(([address, some]) => [address, some.length]), [['a', 2], ['b', 1]]);
});
