/* The channel to the host [A3]: a WebSocket whose address and key stand in the page's bootstrap block. It opens
 * again by itself; what is sent while it is closed is lost, because a handshake sends everything anew. */
import { isFields, quietly, type Fields } from './values.ts';

export const PROTOCOL = 'skaffa-rt.v0';
const BLOCK = 'skaffa-rt-config';
const BACKOFF_MS = { first: 250, most: 5000 };
const HANDSHAKE_MS = 8000;
const IN_MAX = 8 * 1024 * 1024; // characters of one message of the host: 10,000 drafts fit
const OUT_MAX = 1024 * 1024; // bytes of one message [21]
const RATE = 180; // messages per second, below the host's 200
const FATAL = new Set([4401, 4409]); // a wrong key, a session that is gone: only a new page helps

export interface Bootstrap {
	sessionId: string;
	channelUrl: string;
	key: string;
}

export interface Listener {
	ready(): Fields; // the first message, without its type and key
	message(type: string, fields: Fields): void;
	closed(): void;
}

/* A frame of a page that has the block itself: only the page speaks. */
function isWithinPreview(): boolean {
	return window.parent !== window && quietly(() => window.parent.document.getElementById(BLOCK) !== null, false);
}

/* What the block says, or null: then the page is none that anybody looks at. */
export function readBootstrap(from: Document = document): Bootstrap | null {
	return quietly(() => {
		if (isWithinPreview()) return null;
		const block: unknown = JSON.parse(from.getElementById(BLOCK)?.textContent ?? 'null');
		if (!isFields(block) || block.protocol !== 'v0') return null;
		const { sessionId, channelUrl, key } = block;
		if (typeof sessionId !== 'string' || typeof channelUrl !== 'string' || typeof key !== 'string') return null;
		return /^wss?:\/\//.test(channelUrl) ? { sessionId, channelUrl, key } : null;
	}, null);
}

// Taken before the page's own code runs, which may put others in their places.
const { WebSocket: Socket, setTimeout: later, clearTimeout: never, TextEncoder: Encoder } = globalThis;
const { parse, stringify } = JSON;
const now = Date.now;

export class Channel {
	#at: Bootstrap;
	#listener: Listener;
	#socket: WebSocket | null = null;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#delay = BACKOFF_MS.first;
	#tokens = RATE;
	#filled = 0;
	#ended = false;
	bound = false; // the host has answered

	constructor(at: Bootstrap, listener: Listener) {
		this.#at = at;
		this.#listener = listener;
		addEventListener('pagehide', () => this.#unload());
		addEventListener('pageshow', (event) => {
			if (event.persisted && !this.#ended) this.open();
		});
		this.open();
	}

	open(): void {
		never(this.#timer);
		if (this.#socket) return;
		let socket: WebSocket;
		try {
			socket = new Socket(this.#at.channelUrl, PROTOCOL);
		} catch {
			this.#ended = true; // the page's policy forbids it, or the address is none
			return;
		}
		this.#socket = socket;
		socket.onopen = () => {
			const { ready } = this.#listener;
			this.#write({ type: 'runtime.ready', key: this.#at.key, ...ready.call(this.#listener) });
			this.#timer = later(() => socket.close(), HANDSHAKE_MS); // nobody answers
		};
		socket.onmessage = (event) => this.#receive(event.data);
		socket.onclose = (event) => {
			if (this.#socket === socket) this.#closed(event.code);
		};
	}

	/* Says it if it can be said: to a host that has answered, in time, in size. `seldom` may be dropped. */
	send(type: string, fields: Fields, seldom = false): boolean {
		if (!this.bound) return false;
		const at = now();
		this.#tokens = Math.min(RATE, this.#tokens + ((at - this.#filled) * RATE) / 1000);
		this.#filled = at;
		if (this.#tokens < (seldom ? RATE / 2 : 1)) return false;
		this.#tokens--;
		return this.#write({ type, ...fields });
	}

	#write(message: Fields): boolean {
		return quietly(() => {
			const text = stringify(message);
			if (text.length > OUT_MAX / 3 && new Encoder().encode(text).length > OUT_MAX) return false;
			if (this.#socket?.readyState !== 1) return false; // it closes
			this.#socket.send(text);
			return true;
		}, false);
	}

	#receive(data: unknown): void {
		if (typeof data !== 'string' || data.length > IN_MAX) return;
		const message = quietly<unknown>(() => parse(data), null);
		if (!isFields(message) || typeof message.type !== 'string') return;
		if (message.sessionId !== undefined && message.sessionId !== this.#at.sessionId) return;
		if (message.type === 'host.init') {
			if (message.protocol !== 'v0') return;
			never(this.#timer);
			this.bound = true;
			this.#delay = BACKOFF_MS.first;
		}
		if (this.bound) this.#listener.message(message.type, message);
	}

	#closed(code: number): void {
		never(this.#timer);
		this.#socket = null;
		if (this.bound) this.#listener.closed();
		this.bound = false;
		if (FATAL.has(code)) this.#ended = true;
		if (this.#ended) return;
		this.#timer = later(() => this.open(), this.#delay);
		this.#delay = Math.min(this.#delay * 2, BACKOFF_MS.most);
	}

	#unload(): void {
		if (!this.#socket) return;
		this.send('runtime.unload', {});
		const socket = this.#socket;
		this.#socket = null;
		this.bound = false;
		never(this.#timer);
		quietly(() => socket.close(1000), undefined);
	}
}
