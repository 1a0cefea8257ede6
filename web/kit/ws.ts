/* The carrier over WebSocket: a browser cannot send an Authorization header there, so the token
 * goes as a subprotocol (mcp.md MCP-163). */
import type { Carrier, CarrierEvents } from './mcp.ts';

export function openWebSocket(token: string, events: CarrierEvents): Promise<Carrier> {
	return new Promise((resolve, reject) => {
		const url = new URL('/ws', location.href);
		url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
		url.hash = '';
		const socket = new WebSocket(url, ['mcp', 'bearer.' + token]);
		let open = false;
		socket.onopen = () => {
			open = true;
			resolve({
				send: (text) => socket.readyState === 1 && socket.send(text), // who closes answers nothing
				close: () => socket.close(1000),
			});
		};
		socket.onmessage = (event) => {
			if (typeof event.data === 'string') events.message(event.data);
		};
		socket.onclose = () => {
			if (open) events.closed();
			else reject(new Error('refused'));
		};
	});
}

/* Why an upgrade failed: a browser does not tell. The same token asks once over HTTP. */
export async function whyRefused(token: string): Promise<'token' | 'away' | 'busy'> {
	try {
		const answer = await fetch('/mcp', {
			method: 'POST',
			headers: {
				Authorization: 'Bearer ' + token,
				'Content-Type': 'application/json',
				Accept: 'application/json, text/event-stream',
				'MCP-Protocol-Version': '2026-07-28',
				'Mcp-Method': 'server/discover',
			},
			body: JSON.stringify({
				jsonrpc: '2.0',
				id: 1,
				method: 'server/discover',
				params: {
					_meta: {
						'io.modelcontextprotocol/protocolVersion': '2026-07-28',
						'io.modelcontextprotocol/clientCapabilities': {},
					},
				},
			}),
		});
		return answer.status === 401 || answer.status === 403 ? 'token' : 'busy';
	} catch {
		return 'away';
	}
}
