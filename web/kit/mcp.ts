/* What a panel needs of an MCP server, and the protocol on top of any carrier.
 *
 * Revision 2026-07-28: no handshake, every request says who asks, one listen stream for each
 * watched URI. A carrier brings text there and back and says when it has gone; the one over
 * WebSocket is ws.ts, and a panel inside a chat host will bring one over postMessage. */

export const REVISION = '2026-07-28';
const META = 'io.modelcontextprotocol/';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export interface ToolResult {
	text: string; // of all text blocks
	texts: string[]; // one by one
	structured: JsonObject | null;
	files: { mime: string; base64: string }[]; // pictures and documents
	isError: boolean;
}

/* `code` is what a program may branch on: a shared code ("STALE_REVISION"), an app's own
 * ("not_a_plan"), or that of JSON-RPC as text. */
export class McpError extends Error {
	readonly code: string;
	readonly retryable: boolean;
	readonly details: JsonObject; // what a tool says beside its sentence
	constructor(code: string, message: string, retryable = false, details: JsonObject = {}) {
		super(message);
		this.code = code;
		this.retryable = retryable;
		this.details = details;
	}
}

export interface CallOptions {
	signal?: AbortSignal;
	onProgress?: (done: number, total: number | null, message: string | null) => void;
}

export interface McpClient {
	/* Fails with McpError, also when the tool says isError. */
	call(tool: string, args: JsonObject, options?: CallOptions): Promise<ToolResult>;
	/* The text of a resource; blobs are not asked for by any panel. */
	read(uri: string): Promise<string>;
	/* The same, and what the server says of it (_meta). */
	readWithMeta(uri: string): Promise<{ text: string; meta: JsonObject }>;
	/* `changed` is called when the resource may have changed, and after each reconnect.
	 * `refused` when it cannot be watched. Returns what ends it. */
	watch(uri: string, changed: () => void, refused?: (error: McpError) => void): () => void;
}

export interface Carrier {
	send(text: string): void;
	close(): void;
}

export interface CarrierEvents {
	message(text: string): void;
	closed(): void;
}

interface Waiting {
	resolve(result: JsonObject): void;
	reject(error: McpError): void;
	onProgress?: CallOptions['onProgress'];
}

interface Watch {
	uri: string;
	changed: () => void;
	refused?: (error: McpError) => void;
	id: number; // of its listen request; 0: not sent
}

const LOST = () => new McpError('DISCONNECTED', 'The connection to the daemon was lost.', true);

function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function errorOf(error: unknown): McpError {
	if (!isObject(error)) return new McpError('INTERNAL', 'The answer was not understood.');
	const data = isObject(error.data) ? error.data : {};
	const code = typeof data.error === 'string' ? data.error : String(error.code);
	return new McpError(code, String(error.message), data.retryable === true);
}

function toolFault(result: ToolResult): McpError {
	const s = result.structured ?? {};
	if (typeof s.error === 'string')
		return new McpError(s.error, String(s.message ?? result.text), s.retryable === true, isObject(s.details) ? s.details : {});
	if (isObject(s.error))
		return new McpError(
			String(s.error.code),
			[s.error.message, s.error.hint].filter(Boolean).join('. '),
			s.error.retryable === true,
			isObject(s.error.details) ? s.error.details : {},
		);
	const first = Array.isArray(s.errors) ? s.errors[0] : null;
	if (isObject(first)) return new McpError(String(first.code), String(first.message));
	return new McpError('FAILED', result.text || 'The tool failed without saying why.');
}

export function toolResult(result: JsonObject): ToolResult {
	const blocks = Array.isArray(result.content) ? result.content : [];
	const texts = blocks.filter(isObject).filter((b) => b.type === 'text').map((b) => String(b.text));
	const files = blocks.filter(isObject).map((b) => (isObject(b.resource) ? b.resource : b));
	return {
		text: texts.join('\n'),
		texts,
		structured: isObject(result.structuredContent) ? result.structuredContent : null,
		files: files.flatMap((f) => {
			const base64 = f.data ?? f.blob;
			return typeof base64 === 'string' ? [{ mime: String(f.mimeType), base64 }] : [];
		}),
		isError: result.isError === true,
	};
}

export class McpProtocol implements McpClient {
	#carrier: Carrier | null = null;
	#next = 1;
	#waiting = new Map<number, Waiting>();
	#watches = new Set<Watch>();
	readonly #name: string;
	readonly #version: string;
	tab = ''; // said with every request, if there is one

	constructor(name: string, version: string) {
		this.#name = name;
		this.#version = version;
	}

	/* The carrier has opened: proves that the other end speaks our revision, then takes up again
	 * what was watched. Resolves to the server's own result of server/discover. */
	async attach(carrier: Carrier): Promise<JsonObject> {
		this.#carrier = carrier;
		const found = await this.request('server/discover', {});
		for (const watch of this.#watches) this.#listen(watch);
		return found;
	}

	detach(): void {
		this.#carrier = null;
		for (const watch of this.#watches) watch.id = 0;
		const lost = [...this.#waiting.values()];
		this.#waiting.clear();
		for (const waiting of lost) waiting.reject(LOST());
	}

	receive(text: string): void {
		let message: unknown;
		try {
			message = JSON.parse(text);
		} catch {
			return; // nothing we could answer
		}
		if (!isObject(message)) return;
		if (typeof message.method === 'string') this.#notified(message.method, message.params);
		else if (typeof message.id === 'number') this.#answered(message.id, message);
	}

	async call(tool: string, args: JsonObject, options: CallOptions = {}): Promise<ToolResult> {
		const params = { name: tool, arguments: args };
		const raw = await this.request('tools/call', params, options);
		if (raw.resultType === 'input_required')
			throw new McpError('INPUT_REQUIRED', 'The tool has a question that this page cannot ask.');
		const result = toolResult(raw);
		if (result.isError) throw toolFault(result);
		return result;
	}

	async read(uri: string): Promise<string> {
		return (await this.readWithMeta(uri)).text;
	}

	async readWithMeta(uri: string): Promise<{ text: string; meta: JsonObject }> {
		const result = await this.request('resources/read', { uri });
		const first = Array.isArray(result.contents) ? result.contents[0] : null;
		if (!isObject(first) || typeof first.text !== 'string')
			throw new McpError('NO_TEXT', `${uri} has no text.`);
		return { text: first.text, meta: isObject(first._meta) ? first._meta : {} };
	}

	watch(uri: string, changed: () => void, refused?: (error: McpError) => void): () => void {
		const watch: Watch = { uri, changed, refused, id: 0 };
		this.#watches.add(watch);
		if (this.#carrier) this.#listen(watch);
		return () => {
			this.#watches.delete(watch);
			if (watch.id !== 0) this.#cancel(watch.id);
		};
	}

	/* What is below this URI may be there only now: those that were refused are sent once more, the others read again. */
	watchAgain(prefix: string): void {
		for (const watch of this.#carrier ? this.#watches : []) {
			if (!watch.uri.startsWith(prefix)) continue;
			if (watch.id === 0) this.#listen(watch);
			else watch.changed();
		}
	}

	request(method: string, params: JsonObject, options: CallOptions = {}): Promise<JsonObject> {
		const carrier = this.#carrier;
		if (!carrier) return Promise.reject(LOST());
		const id = this.#next++;
		const answer = new Promise<JsonObject>((resolve, reject) => {
			this.#waiting.set(id, { resolve, reject, onProgress: options.onProgress });
		});
		options.signal?.addEventListener('abort', () => {
			const waiting = this.#waiting.get(id);
			this.#cancel(id);
			waiting?.reject(new McpError('CANCELLED', 'Cancelled.'));
		});
		this.#send(id, method, params, options.onProgress !== undefined);
		return answer;
	}

	#send(id: number, method: string, params: JsonObject, progress: boolean): void {
		const meta: JsonObject = {
			[META + 'protocolVersion']: REVISION,
			[META + 'clientInfo']: { name: this.#name, version: this.#version },
			[META + 'clientCapabilities']: {},
		};
		if (this.tab) meta['tenon/tab'] = this.tab;
		if (progress) meta.progressToken = id;
		this.#carrier?.send(
			JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }),
		);
	}

	#cancel(id: number): void {
		if (!this.#waiting.delete(id)) return;
		this.#carrier?.send(
			JSON.stringify({
				jsonrpc: '2.0',
				method: 'notifications/cancelled',
				params: { requestId: id },
			}),
		);
	}

	/* One stream for each watched URI: what is watched changes with every page that opens, and a
	 * stream is never re-negotiated. The cap is 64 a connection; a page has about ten. */
	#listen(watch: Watch): void {
		const filter = { notifications: { resourceSubscriptions: [watch.uri] } };
		watch.id = this.#next;
		this.request('subscriptions/listen', filter).catch((error: McpError) => {
			watch.id = 0;
			if (error.code !== 'DISCONNECTED' && error.code !== 'CANCELLED') watch.refused?.(error);
		});
	}

	#answered(id: number, message: JsonObject): void {
		const waiting = this.#waiting.get(id);
		if (!waiting) return;
		this.#waiting.delete(id);
		if (isObject(message.result)) waiting.resolve(message.result);
		else waiting.reject(errorOf(message.error));
	}

	#notified(method: string, params: unknown): void {
		if (!isObject(params)) return;
		if (method === 'notifications/progress') {
			this.#waiting
				.get(Number(params.progressToken))
				?.onProgress?.(
					Number(params.progress),
					typeof params.total === 'number' ? params.total : null,
					typeof params.message === 'string' ? params.message : null,
				);
			return;
		}
		const meta = isObject(params._meta) ? params._meta : {};
		const id = meta[META + 'subscriptionId'];
		// The acknowledgement counts as a change: what was read before it may be old.
		if (
			method === 'notifications/resources/updated' ||
			method === 'notifications/subscriptions/acknowledged'
		)
			for (const watch of this.#watches) if (watch.id === id) watch.changed();
	}
}
