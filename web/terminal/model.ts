/* Sessions, commands and recordings as the app `terminal` tells of them, and what the page makes of
 * them without a browser. */
import type { JsonObject } from '../kit/mcp.ts';

export type SessionState =
	'starting' | 'idle' | 'running' | 'waiting_input' | 'exited' | 'closed' | 'failed' | 'lost';

export interface Session {
	id: string;
	name: string;
	cwd: string;
	project_id: string | null;
	state: SessionState;
	program: string;
	shell: string | null;
	cols: number;
	rows: number;
	title: string;
	alternate_screen: boolean;
	running_command_id: string | null;
	exit_code: number | null;
	signal: string | null;
	created_at: string;
	last_activity_at: string;
	total_bytes: number;
	recorded: boolean;
	controlled_by: string | null;
}

export interface Command {
	command_id: string;
	command: string;
	status: string;
	exit_code: number | null;
	signal: string | null;
	duration_ms: number;
	cwd: string;
	started_at: string;
	total_lines: number;
	typed: boolean;
	client: string | null;
}

export interface Found {
	timestamp: number; // seconds
	content: string;
	entry_type: 'command' | 'output';
	command_id: string | null;
	session_id: string | null;
	session_name: string | null;
	cwd: string | null;
	exit_code: number | null;
	duration_ms: number | null;
	snippet: string | null;
}

export const isOpen = (s: { state: SessionState }) =>
	s.state === 'starting' || s.state === 'idle' || s.state === 'running' || s.state === 'waiting_input';

export const isRunning = (c: { status: string }) =>
	c.status === 'running' || c.status === 'queued' || c.status === 'waiting_input';

export type Outcome = 'good' | 'bad' | 'warn' | 'plain';

/* Ended well, badly, by somebody's act, or not known. */
export function outcome(c: { status: string; exit_code: number | null }): Outcome {
	if (isRunning(c)) return 'plain';
	if (c.status === 'timed_out' || c.status === 'interrupted' || c.status === 'killed') return 'warn';
	if (c.exit_code === null) return 'plain';
	return c.exit_code === 0 ? 'good' : 'bad';
}

/* Newest first, as a list is read; one that is there twice counts once, as it was told last. */
export function timeline(listed: Command[], told: Command[]): Command[] {
	const byId = new Map(listed.map((c) => [c.command_id, c]));
	for (const c of told) byId.set(c.command_id, { ...byId.get(c.command_id), ...c });
	return [...byId.values()].sort((a, b) => Date.parse(b.started_at) - Date.parse(a.started_at));
}

/* ---- lines with colours, for pictures of screens ---- */

export interface Style {
	fg: number; // -1: the default; 0 to 255 the palette; from 0x1000000 on 0xRRGGBB
	bg: number;
	bold: boolean;
	reverse: boolean;
}

export interface Run extends Style {
	col: number;
	text: string;
}

const PLAIN: Style = { fg: -1, bg: -1, bold: false, reverse: false };
const RGB = 0x1000000;

function colour(parts: number[], at: number): { value: number; used: number } {
	if (parts[at + 1] === 5) return { value: parts[at + 2] ?? -1, used: 3 };
	if (parts[at + 1] === 2) {
		const [r = 0, g = 0, b = 0] = parts.slice(at + 2, at + 5);
		return { value: RGB + r * 65536 + g * 256 + b, used: 5 };
	}
	return { value: -1, used: 1 };
}

function applySgr(style: Style, parts: number[]): Style {
	let s = { ...style };
	for (let i = 0; i < parts.length; i++) {
		const p = parts[i] ?? 0;
		if (p === 0) s = { ...PLAIN };
		else if (p === 1) s.bold = true;
		else if (p === 22) s.bold = false;
		else if (p === 7) s.reverse = true;
		else if (p === 27) s.reverse = false;
		else if (p >= 30 && p <= 37) s.fg = p - 30;
		else if (p >= 90 && p <= 97) s.fg = p - 82;
		else if (p === 39) s.fg = -1;
		else if (p >= 40 && p <= 47) s.bg = p - 40;
		else if (p >= 100 && p <= 107) s.bg = p - 92;
		else if (p === 49) s.bg = -1;
		else if (p === 38 || p === 48) {
			const { value, used } = colour(parts, i);
			if (p === 38) s.fg = value;
			else s.bg = value;
			i += used - 1;
		}
	}
	return s;
}

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

export function columns(text: string): number {
	let count = 0;
	for (const c of text) count += /\p{M}/u.test(c) ? 0 : WIDE.test(c) ? 2 : 1;
	return count;
}

/* terminal://session/{id}/screen.ansi: text and SGR, nothing else. */
export function runs(ansi: string): Run[][] {
	let style = { ...PLAIN };
	return ansi.split('\n').map((line) => {
		const out: Run[] = [];
		let col = 0;
		for (const part of line.split(/(\x1b\[[0-9;:]*m)/)) {
			if (part.startsWith('\x1b[')) {
				const body = part.slice(2, -1).replace(/:/g, ';');
				style = applySgr(style, body === '' ? [0] : body.split(';').map(Number));
			} else if (part !== '') {
				const text = part.replace(/[\x00-\x1f\x7f]/g, '');
				out.push({ ...style, col, text });
				col += columns(text);
			}
		}
		return out;
	});
}

export function paletteColour(index: number, base: string[]): string {
	if (index >= RGB) return '#' + (index - RGB).toString(16).padStart(6, '0');
	if (index < 16) return base[index] ?? '#888888';
	if (index < 232) {
		const level = (n: number) => (n === 0 ? 0 : 55 + n * 40);
		const i = index - 16;
		return `rgb(${level(Math.floor(i / 36))} ${level(Math.floor(i / 6) % 6)} ${level(i % 6)})`;
	}
	const grey = 8 + (index - 232) * 10;
	return `rgb(${grey} ${grey} ${grey})`;
}

/* ---- recordings (asciicast v2) ---- */

export interface CastEvent {
	at: number; // seconds
	kind: 'o' | 'r' | 'm';
	data: string;
}

export interface Cast {
	cols: number;
	rows: number;
	title: string;
	seconds: number;
	events: CastEvent[];
}

/* Null: it is no recording. A last line that was cut short is left out. */
export function readCast(text: string): Cast | null {
	const lines = text.split('\n').filter((line) => line !== '');
	const parsed = lines.map((line) => {
		try {
			return JSON.parse(line) as unknown;
		} catch {
			return null;
		}
	});
	const head = parsed[0] as JsonObject | null;
	if (!head || head.version !== 2) return null;
	const events: CastEvent[] = [];
	for (const line of parsed.slice(1)) {
		if (!Array.isArray(line) || typeof line[0] !== 'number' || typeof line[2] !== 'string') continue;
		if (line[1] === 'o' || line[1] === 'r' || line[1] === 'm')
			events.push({ at: line[0], kind: line[1], data: line[2] });
	}
	return {
		cols: Number(head.width) || 80,
		rows: Number(head.height) || 24,
		title: typeof head.title === 'string' ? head.title : '',
		seconds: events.at(-1)?.at ?? 0,
		events,
	};
}

const CAST_MAX = 64 << 20;

/* A large recording comes in pieces of whole lines; what is beyond the limit is not shown. */
export async function castText(read: (from: number) => Promise<string>, max = CAST_MAX) {
	const pieces: string[] = [];
	let bytes = 0;
	for (;;) {
		const piece = await read(bytes);
		if (piece === '') return { text: pieces.join(''), whole: true };
		if (bytes >= max) return { text: pieces.join(''), whole: false };
		pieces.push(piece);
		bytes += new TextEncoder().encode(piece).length;
	}
}

/* Where the screen stands at a time: how many events are over by then. */
export function eventsUntil(events: CastEvent[], at: number): number {
	let low = 0;
	let high = events.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((events[middle]?.at ?? 0) <= at) low = middle + 1;
		else high = middle;
	}
	return low;
}

export function playTime(seconds: number): string {
	const s = Math.max(0, Math.floor(seconds));
	const two = (n: number) => String(n).padStart(2, '0');
	return s < 3600
		? `${Math.floor(s / 60)}:${two(s % 60)}`
		: `${Math.floor(s / 3600)}:${two(Math.floor((s % 3600) / 60))}:${two(s % 60)}`;
}

/* Where a session is kept in addresses. */
export const uris = {
	sessions: 'terminal://sessions',
	session: (id: string) => `terminal://session/${id}`,
	screen: (id: string) => `terminal://session/${id}/screen.ansi`,
	commands: (id: string) => `terminal://session/${id}/commands`,
	recording: (id: string, from: number) => `terminal://session/${id}/recording?from=${from}`,
};
