import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { backoffMs } from './backoff.ts';
import { ago, bytes, duration, left, milliseconds, short } from './format.ts';
import { McpProtocol, toolResult, type McpError } from './mcp.ts';
import { takeToken } from './token.ts';

test('the token leaves the fragment, whatever stands beside it', () => {
	assert.deepEqual(takeToken('#token=abc-_.~'), { token: 'abc-_.~', rest: '#/' });
	assert.deepEqual(takeToken('#/plan?token=abc'), { token: 'abc', rest: '#/plan' });
	assert.deepEqual(takeToken('#/plan/x?token=abc&y=1'), { token: 'abc', rest: '#/plan/x&y=1' });
	assert.deepEqual(takeToken('#/plan'), { token: null, rest: '#/plan' });
	assert.deepEqual(takeToken('#/mytoken=abc'), { token: null, rest: '#/mytoken=abc' });
	assert.deepEqual(takeToken(''), { token: null, rest: '' });
	assert.deepEqual(takeToken('#token=abc', '#/studio/x'), { token: 'abc', rest: '#/studio/x' }, 'a key that is pasted leaves the page where it is');
	assert.deepEqual(takeToken('#/plan?token=abc', '#/studio/x'), { token: 'abc', rest: '#/plan' });
});

test('back-off doubles from 200 ms to 5 s', () => {
	assert.deepEqual(
		[0, 1, 2, 3, 4, 5, 6, 60].map((i) => backoffMs(i, 1)),
		[200, 400, 800, 1600, 3200, 5000, 5000, 5000],
	);
	assert.equal(backoffMs(0, 0), 160);
});

test('numbers and times', () => {
	assert.deepEqual([0, 0.42, 4.25, 42.4, 4200].map(short), ['0', '0.42', '4.3', '42', '4,200']);
	assert.deepEqual([0.2, 12, 1500, 90_000].map(milliseconds), ['0.20 ms', '12 ms', '1.5 s', '1 min']);
	assert.equal(milliseconds(null), '–');
	assert.deepEqual([999, 1000, 53_400, 999_500, 12e9].map(bytes), ['999 B', '1.0 kB', '53 kB', '1.0 MB', '12 GB']);
	assert.deepEqual([0, 61e3, 3.7e6, 9e7].map(duration), ['0 s', '1 min', '1 h 1 min', '1 d 1 h']);
	assert.equal(ago('2026-01-01T00:00:00Z', Date.parse('2026-01-01T00:00:01Z')), 'now');
	assert.equal(ago('2026-01-01T00:00:00Z', Date.parse('2026-01-01T00:05:01Z')), '5 min ago');
	assert.equal(ago(null, 0), '–');
	assert.equal(left('2026-01-01T00:01:00Z', Date.parse('2026-01-01T00:02:00Z')), '0 s');
});

/* A carrier that keeps what was sent. */
function recorded() {
	const sent: Record<string, any>[] = [];
	return { sent, send: (text: string) => void sent.push(JSON.parse(text)), close: () => {} };
}
const answer = (client: McpProtocol, id: number, result: unknown) =>
	client.receive(JSON.stringify({ jsonrpc: '2.0', id, result }));

test('every request says revision, client and capabilities (MCP-044)', async () => {
	const client = new McpProtocol('page', '1');
	const carrier = recorded();
	const found = client.attach(carrier);
	assert.equal(carrier.sent[0]!.method, 'server/discover');
	const meta = carrier.sent[0]!.params._meta;
	assert.equal(meta['io.modelcontextprotocol/protocolVersion'], '2026-07-28');
	assert.deepEqual(meta['io.modelcontextprotocol/clientInfo'], { name: 'page', version: '1' });
	assert.deepEqual(meta['io.modelcontextprotocol/clientCapabilities'], {});
	answer(client, 1, { supportedVersions: ['2026-07-28'] });
	assert.deepEqual(await found, { supportedVersions: ['2026-07-28'] });
});

test('a watch is told of the acknowledgement and of updates, and of no other stream', async () => {
	const client = new McpProtocol('page', '1');
	const carrier = recorded();
	void client.attach(carrier);
	answer(client, 1, {});
	await Promise.resolve();
	let told = 0;
	const stop = client.watch('tenon://status', () => told++);
	const id = carrier.sent[1]!.id;
	assert.deepEqual(carrier.sent[1]!.params.notifications, {
		resourceSubscriptions: ['tenon://status'],
	});
	const notify = (method: string, subscription: number) =>
		client.receive(
			JSON.stringify({
				jsonrpc: '2.0',
				method: 'notifications/' + method,
				params: { _meta: { 'io.modelcontextprotocol/subscriptionId': subscription } },
			}),
		);
	notify('subscriptions/acknowledged', id);
	notify('resources/updated', id);
	notify('resources/updated', id + 1);
	assert.equal(told, 2);
	stop();
	assert.equal(carrier.sent[2]!.method, 'notifications/cancelled');
	assert.equal(carrier.sent[2]!.params.requestId, id);
	notify('resources/updated', id);
	assert.equal(told, 2);
});

test('after a loss, calls fail with a code and watches are taken up again', async () => {
	const client = new McpProtocol('page', '1');
	const first = recorded();
	void client.attach(first);
	answer(client, 1, {});
	await Promise.resolve();
	client.watch('plan://plans', () => {});
	const lost = client.call('x', {});
	client.detach();
	await assert.rejects(lost, (e: McpError) => e.code === 'DISCONNECTED' && e.retryable);
	await assert.rejects(client.call('x', {}), (e: McpError) => e.code === 'DISCONNECTED');
	const second = recorded();
	const attached = client.attach(second);
	answer(client, second.sent[0]!.id, {});
	await attached;
	assert.equal(second.sent[1]!.method, 'subscriptions/listen');
});

test('what a failed tool says arrives as code and sentence', async () => {
	const client = new McpProtocol('page', '1');
	const carrier = recorded();
	void client.attach(carrier);
	answer(client, 1, {});
	const fails = async (structuredContent: unknown, code: string, message: string) => {
		const call = client.call('x', {});
		answer(client, carrier.sent.at(-1)!.id, { content: [], structuredContent, isError: true });
		await assert.rejects(call, (e: McpError) => e.code === code && e.message === message);
	};
	await fails({ error: 'STALE_REVISION', message: 'Old.', retryable: true }, 'STALE_REVISION', 'Old.');
	await fails({ error: { code: 'not_a_plan', message: 'No', hint: 'Send' } }, 'not_a_plan', 'No. Send');
	const refused = client.call('x', {});
	client.receive(
		JSON.stringify({
			jsonrpc: '2.0',
			id: carrier.sent.at(-1)!.id,
			error: { code: -32603, message: 'off', data: { error: 'SERVER_DISABLED' } },
		}),
	);
	await assert.rejects(refused, (e: McpError) => e.code === 'SERVER_DISABLED');
});

test('nonsense from the other side is dropped', () => {
	const client = new McpProtocol('page', '1');
	for (const text of ['', '{', '[]', 'null', '{"id":7,"result":{}}', '{"method":"x"}'])
		client.receive(text);
	assert.deepEqual(toolResult({ content: 3 as never }), { text: '', texts: [], structured: null, files: [], isError: false });
});

test('pages: what is typed and what is pressed leads to one page', () => {
	const source = readFileSync(new URL('../shell/pages.ts', import.meta.url), 'utf8');
	const pages = [...source.matchAll(/page\(\{ id: '([^']*)', title: '([^']*)', .*? key: '([^']*)'/g)];
	assert.ok(pages.length >= 8);
	assert.equal(pages.length, source.match(/\bpage\(\{/g)?.length);
	for (const column of [1, 2, 3])
		assert.equal(new Set(pages.map((page) => page[column])).size, pages.length, `column ${column}`);
	for (const [, id = '', , key = ''] of pages) {
		assert.match(id, /^[a-z]+$/);
		assert.match(key, /^[a-z]$/);
	}
});
