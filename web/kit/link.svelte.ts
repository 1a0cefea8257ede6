/* The one connection of this page: opens it, tries again when it goes, and says in what state it
 * is. Panels see an McpClient and nothing of this. */
import { backoffMs } from './backoff.ts';
import { McpProtocol, type Carrier } from './mcp.ts';
import { forgetToken, storedToken, tabName } from './token.ts';
import { openWebSocket, whyRefused } from './ws.ts';

export type LinkState =
	| 'connecting'
	| 'open'
	| 'away' // nobody answers; tries again by itself
	| 'locked'; // no token, or one that no longer counts: `tenon open`

class Link {
	state = $state<LinkState>('connecting');
	/* Everything that was ever open: until then pages show nothing rather than emptiness. */
	wasOpen = $state(false);
	serverVersion = $state('');
	readonly client = new McpProtocol('tenon-page', __TENON_VERSION__);
	#token: string | null = null;
	#attempt = 0;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#carrier: Carrier | null = null;
	#turn = 0; // of the newest attempt; what older ones still bring is dropped

	start(): void {
		this.#token = storedToken();
		addEventListener('hashchange', (event) => {
			if (/token=/.test(location.hash)) {
				const token = storedToken(new URL(event.oldURL).hash);
				if (token) this.#use(token);
			}
		});
		// A laptop that wakes up need not wait for the rest of a back-off.
		addEventListener('online', () => this.retryNow());
		document.addEventListener('visibilitychange', () => {
			if (!document.hidden && this.state === 'away') this.retryNow();
		});
		if (this.#token) void this.#connect();
		else this.#lock();
	}

	retryNow(): void {
		if (this.state !== 'away') return;
		clearTimeout(this.#timer);
		void this.#connect();
	}

	/* The daemon has moved to another port: the token must not be offered to whoever has this one next, and the
	 * guard against other pages lets no page send a browser there. Behind a proxy the port is the proxy's.
	 * True: this page is over. */
	leave(url: string): boolean {
		const loopback = /^(127\.|localhost$|\[::1\]$)/.test(location.hostname);
		const port = new URL(url).port || '80';
		if (!this.#token || !loopback || location.protocol !== 'http:' || port === (location.port || '80')) return false;
		this.#turn++;
		this.#lock();
		return true;
	}

	#use(token: string): void {
		this.#token = token;
		this.#attempt = 0;
		this.#drop();
		clearTimeout(this.#timer);
		void this.#connect();
	}

	#drop(): void {
		const carrier = this.#carrier;
		this.#carrier = null;
		this.client.detach();
		carrier?.close();
	}

	#lock(): void {
		this.#drop();
		this.state = 'locked';
		this.#token = null;
		forgetToken();
	}

	async #connect(): Promise<void> {
		const token = this.#token;
		const turn = ++this.#turn;
		if (!token) return this.#lock();
		if (this.state !== 'away') this.state = 'connecting';
		try {
			const carrier = await openWebSocket(token, {
				message: (text) => {
					if (turn === this.#turn) this.client.receive(text);
				},
				closed: () => {
					if (turn === this.#turn) this.#lost();
				},
			});
			this.client.tab ||= await tabName();
			if (turn !== this.#turn) return carrier.close();
			this.#carrier = carrier;
			const found = await this.client.attach(carrier);
			const meta = found._meta as Record<string, { version?: string }> | undefined;
			this.serverVersion =
				meta?.['io.modelcontextprotocol/serverInfo']?.version ?? this.serverVersion;
			this.#attempt = 0;
			this.state = 'open';
			this.wasOpen = true;
		} catch {
			if (turn === this.#turn) await this.#failed(token, turn);
		}
	}

	/* It was open: perhaps the token has been changed, perhaps the daemon is gone. The next try
	 * finds out. */
	#lost(): void {
		this.#drop();
		this.state = 'away';
		this.#again();
	}

	async #failed(token: string, turn: number): Promise<void> {
		this.#drop();
		const why = await whyRefused(token);
		if (turn !== this.#turn) return;
		if (why === 'token') return this.#lock();
		this.state = 'away';
		this.#again();
	}

	#again(): void {
		clearTimeout(this.#timer);
		const wait = backoffMs(this.#attempt++, Math.random());
		this.#timer = setTimeout(() => void this.#connect(), wait);
	}
}

export const link = new Link();
