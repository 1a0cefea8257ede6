/* The live stream of one session (docs/terminal.md): a snapshot, then every byte; told back how much
 * of it has been drawn. Opens itself again when it goes. */
import { backoffMs } from '../kit/backoff.ts';
import { link } from '../kit/link.svelte.ts';
import { McpError } from '../kit/mcp.ts';
import type { Command, SessionState } from './model.ts';

export interface LiveState {
	state: SessionState;
	name: string;
	program: string;
	cwd: string;
	alternate_screen: boolean;
	running_command_id: string | null;
	waiting: boolean;
	hidden_input: boolean;
	message: string | null;
	may_control: boolean;
	in_control: boolean;
	controlled_by: string | null;
	viewers: number;
}

export interface Drawing {
	reset(cols: number, rows: number): void;
	resize(cols: number, rows: number): void;
	write(data: Uint8Array, done: () => void): void;
}

const ACK_MS = 100;

export class Stream {
	connection = $state<'connecting' | 'open' | 'lost' | 'ended'>('connecting');
	now = $state.raw<LiveState | null>(null);
	title = $state('');
	size = $state.raw<{ cols: number; rows: number } | null>(null);
	lagging = $state(false);
	exit = $state.raw<{ state: SessionState; exit_code: number | null; signal: string | null } | null>(null);
	problem = $state<string | null>(null);
	commands = $state.raw<Command[]>([]); // told since it was opened
	onCommand: ((command: Command) => void) | null = null;
	readonly id: string;
	#drawing: Drawing;
	#socket: WebSocket | null = null;
	#turn = 0;
	#attempt = 0;
	#again: ReturnType<typeof setTimeout> | undefined;
	#acks: ReturnType<typeof setTimeout> | undefined;
	#drawn = 0;
	#acked = 0;

	constructor(id: string, drawing: Drawing) {
		this.id = id;
		this.#drawing = drawing;
	}

	async open(): Promise<void> {
		const turn = ++this.#turn;
		clearTimeout(this.#again);
		if (this.connection !== 'lost') this.connection = 'connecting';
		try {
			const made = await link.client.call('open_live_view', { session_id: this.id });
			if (turn !== this.#turn) return;
			this.#connect(String(made.structured?.stream), String(made.structured?.ticket), turn);
		} catch (error) {
			if (turn !== this.#turn) return;
			if (error instanceof McpError && error.code !== 'DISCONNECTED') {
				this.problem = error.message;
				this.connection = 'ended';
			} else {
				this.#lost();
			}
		}
	}

	#connect(path: string, ticket: string, turn: number): void {
		const url = new URL(path, location.href);
		url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
		url.hash = '';
		const socket = new WebSocket(url, ['tenon-terminal', 'ticket.' + ticket]);
		socket.binaryType = 'arraybuffer';
		this.#socket = socket;
		clearTimeout(this.#acks);
		this.#acks = undefined;
		this.#drawn = this.#acked = 0;
		socket.onopen = () => {
			this.connection = 'open';
			this.#attempt = 0;
		};
		socket.onmessage = (event) => {
			if (turn !== this.#turn) return;
			if (typeof event.data === 'string') this.#told(JSON.parse(event.data));
			else this.#draw(new Uint8Array(event.data as ArrayBuffer), turn);
		};
		socket.onclose = (event) => {
			if (turn !== this.#turn) return;
			this.#socket = null;
			if (event.code === 1000) this.connection = 'ended';
			else this.#lost();
		};
	}

	#lost(): void {
		this.connection = 'lost';
		this.#socket = null;
		clearTimeout(this.#again);
		this.#again = setTimeout(() => void this.open(), backoffMs(this.#attempt++, Math.random()));
	}

	#draw(data: Uint8Array, turn: number): void {
		this.#drawing.write(data, () => {
			if (turn !== this.#turn) return;
			this.#drawn += data.length;
			this.#acks ??= setTimeout(() => this.#acknowledge(), ACK_MS);
		});
	}

	#acknowledge(): void {
		this.#acks = undefined;
		if (this.#drawn === this.#acked || !this.#socket) return;
		this.#acked = this.#drawn;
		this.send({ t: 'ack', bytes: this.#acked });
	}

	#told(message: { t: string } & Record<string, unknown>): void {
		switch (message.t) {
			case 'snapshot':
				this.lagging = false;
				this.title = String(message.title ?? '');
				this.size = { cols: Number(message.cols), rows: Number(message.rows) };
				this.#drawing.reset(this.size.cols, this.size.rows);
				break;
			case 'resize':
				this.size = { cols: Number(message.cols), rows: Number(message.rows) };
				this.#drawing.resize(this.size.cols, this.size.rows);
				break;
			case 'state':
				this.now = message as unknown as LiveState;
				break;
			case 'title':
				this.title = String(message.title);
				break;
			case 'lag':
				this.lagging = true;
				break;
			case 'command':
				this.#noteCommand(message as unknown as Command);
				break;
			case 'exit':
				this.exit = message as never;
				break;
			case 'refused':
				this.problem = String(message.message);
				break;
		}
	}

	#noteCommand(command: Command): void {
		const others = this.commands.filter((c) => c.command_id !== command.command_id);
		this.commands = [...others.slice(-499), command];
		this.onCommand?.(command);
	}

	send(message: Record<string, unknown>): void {
		if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
	}

	/* As typed; long texts in pieces that a session takes. */
	type(data: string | Uint8Array): void {
		const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
		if (this.#socket?.readyState !== WebSocket.OPEN) return;
		for (let at = 0; at < bytes.length; at += 65536)
			this.#socket.send(bytes.slice(at, at + 65536));
	}

	close(): void {
		this.#turn++;
		clearTimeout(this.#again);
		clearTimeout(this.#acks);
		this.#socket?.close(1000);
		this.#socket = null;
	}
}
