import assert from 'node:assert/strict';
import test from 'node:test';

import { levelOf, newestPlan, plannedOf, progressOf, sumOf, type Run, type RunEntry } from './runs.ts';

const change = (address: string, action: string, instanceId?: string) => ({ address, action, ...(instanceId ? { instanceId } : {}) });
const summary = { add: 0, change: 0, remove: 0, import: 0, replace: 0, text: '', errors: 0, warnings: 0 };
const entry = (runId: string, command: RunEntry['command'], more: Partial<RunEntry> = {}): RunEntry => ({
	runId,
	command,
	status: 'finished',
	actor: { name: 'a', person: false },
	startedAt: '',
	summary,
	...more,
});

test('SC-113: a node has the word of what happens to it, and is not said to go because a part of it goes', () => {
	const blocks: Record<string, string[]> = { one: ['t.one'], two: ['t.two', 't.two_extra'], many: ['t.many'] };
	const of = (...list: { address: string; action: string; instanceId?: string }[]) => Object.fromEntries(plannedOf(list, (id) => blocks[id] ?? []));
	assert.deepEqual(of(change('t.one', 'create', 'one')), { one: 'create' });
	assert.deepEqual(of(change('t.one', 'no-op', 'one'), change('t.gone', 'delete')), {});
	assert.deepEqual(of(change('t.two', 'delete', 'two'), change('t.two_extra', 'delete', 'two')), { two: 'delete' });
	assert.deepEqual(of(change('t.two_extra', 'delete', 'two')), { two: 'update' }, 'a part of it goes');
	assert.deepEqual(of(change('t.two', 'update', 'two'), change('t.two_extra', 'create', 'two')), { two: 'update' });
	assert.deepEqual(of(change('t.two', 'replace', 'two'), change('t.two_extra', 'update', 'two')), { two: 'replace' }, 'its first block is it');
	assert.deepEqual(of(change('t.two', 'create', 'two')), { two: 'create' });
	assert.deepEqual(of(change('t.many["a"]', 'delete', 'many'), change('t.many["b"]', 'create', 'many')), { many: 'update' });
	assert.deepEqual(of(change('t.many[0]', 'create', 'many'), change('t.many[1]', 'create', 'many')), { many: 'create' });
	assert.deepEqual(of(change('t.x', 'delete', 'unknown')), { unknown: 'delete' }, 'what has no blocks any more');
});

test('SC-113: a collapsed box sums up, the gravest first', () => {
	assert.equal(sumOf(['create', 'create', 'delete', 'update', 'create']), '−1 ~1 +3');
	assert.equal(sumOf([]), '');
});

test('SC-113: the newest plan is done with once something was applied after it', () => {
	const plan = entry('p', 'plan', { planId: 'p' });
	assert.equal(newestPlan([]), null);
	assert.equal(newestPlan([entry('x', 'plan', { status: 'running' }), plan])?.entry.runId, 'p', 'one that runs is none yet');
	assert.equal(newestPlan([entry('i', 'init'), plan])?.done, false);
	assert.equal(newestPlan([entry('a', 'apply', { status: 'running', planId: 'p' }), plan])?.done, false);
	assert.equal(newestPlan([entry('a', 'apply', { planId: 'p' }), plan])?.done, true);
	assert.equal(newestPlan([plan, entry('a', 'apply')])?.done, false);
	assert.equal(newestPlan([entry('f', 'plan', { success: false })]), null, 'one that failed made none');
});

test('SC-117: the bar counts resources: a replacement is one', () => {
	const plan = entry('p', 'plan', { planId: 'p', summary: { ...summary, add: 3, remove: 2, replace: 1, change: 1 } });
	const run = { ...entry('a', 'apply', { planId: 'p', status: 'running' }), diagnostics: [], engine: { name: '', version: '' }, durationMs: 0 } as unknown as Run;
	const at = (...resourceChanges: Run['resourceChanges']) => progressOf({ ...run, resourceChanges }, [plan]);
	assert.deepEqual(at(), { done: 0, all: 5 });
	assert.deepEqual(at({ address: 'a', action: 'create', success: true }, { address: 'b', action: 'create', success: false, error: 'no' }, { address: 'c', action: 'update', success: false }), { done: 2, all: 5 });
	assert.deepEqual(progressOf({ ...run, planId: undefined, resourceChanges: [{ address: 'a', action: 'create', success: true }] } as unknown as Run, []), { done: 1, all: 1 });
});

test('SC-111: what the engine calls an error is one', () => {
	assert.equal(levelOf('Error: no'), 'error');
	assert.equal(levelOf('panic: runtime error'), 'error');
	assert.equal(levelOf('Warning: old'), 'warning');
	assert.equal(levelOf('a.b: Errors are fine'), '');
	assert.equal(levelOf('Errors: none'), '');
});
