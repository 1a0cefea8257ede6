// clients.mjs - the others: assistants that reach the same daemon by other ways.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/* A stateless caller of 2026-07-28 over HTTP. */
export function httpClient(url, token, name, version) {
	let id = 0;
	return async (method, params = {}) => {
		const headers = {
			Authorization: `Bearer ${token}`,
			'Content-Type': 'application/json',
			Accept: 'application/json, text/event-stream',
			'MCP-Protocol-Version': '2026-07-28',
			'Mcp-Method': method,
		};
		const named = params.name ?? params.uri;
		if (named) headers['Mcp-Name'] = named;
		const _meta = {
			'io.modelcontextprotocol/protocolVersion': '2026-07-28',
			'io.modelcontextprotocol/clientCapabilities': {},
			'io.modelcontextprotocol/clientInfo': { name, version },
		};
		const answer = await fetch(`${url}/mcp`, {
			method: 'POST',
			headers,
			body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params: { ...params, _meta } }),
		});
		const text = await answer.text();
		const data = text.startsWith('{') ? text : /^data: (\{.*"id".*)$/m.exec(text)?.[1];
		if (answer.status === 401) throw new Error('401');
		const message = JSON.parse(data ?? '{}');
		if (message.error) throw Object.assign(new Error(message.error.message), message.error);
		return message.result;
	};
}

/* An AI host of the legacy era, through the relay: `tenon mcp`. It reads data, whatever host it says it is. */
export async function relayClient(home, name, version, words = ['mcp', '--fit', 'both']) {
	const child = spawn(join(home.bin, 'tenon'), words, {
		env: home.env,
		stdio: ['pipe', 'pipe', 'ignore'],
	});
	const waiting = new Map();
	let id = 0;
	createInterface({ input: child.stdout }).on('line', (line) => {
		const message = JSON.parse(line);
		waiting.get(message.id)?.(message);
		waiting.delete(message.id);
	});
	const send = (message) => child.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
	const request = (method, params = {}) =>
		new Promise((done, fail) => {
			waiting.set(++id, (m) => (m.error ? fail(new Error(m.error.message)) : done(m.result)));
			send({ id, method, params });
		});
	await request('initialize', {
		protocolVersion: '2025-11-25',
		capabilities: {},
		clientInfo: { name, version },
	});
	send({ method: 'notifications/initialized' });
	return {
		request,
		call: (tool, args) => request('tools/call', { name: tool, arguments: args }),
		end: () =>
			new Promise((r) => {
				if (child.exitCode !== null || child.signalCode !== null) return r();
				child.once('exit', r);
				child.stdin.end();
				setTimeout(() => child.kill('SIGKILL'), 3000).unref();
			}),
	};
}
