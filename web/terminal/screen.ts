/* One terminal of xterm.js in the page. Loaded when the first one is shown: it is half the page. */
import '@xterm/xterm/css/xterm.css';
import './style_element.ts';

import { Terminal, type IMarker } from '@xterm/xterm';

import { find, type Place } from './find.ts';
import { palettes, xtermTheme } from './palette.ts';

const FONT = "ui-monospace, 'SF Mono', 'Cascadia Mono', 'JetBrains Mono', 'DejaVu Sans Mono', 'Liberation Mono', monospace";
const OWN_SIZE = 13.5; // when the session follows the page; else the page follows the session
const LINE_HEIGHT = 1.15;
const SIZE_MIN = 5;
const SIZE_MAX = 15;

/* A cell at this size, as xterm.js measures it. */
function cellOf(size: number): { width: number; height: number } {
	const context = new OffscreenCanvas(1, 1).getContext('2d');
	if (!context) return { width: size * 0.6, height: size * 1.3 };
	context.font = `${size}px ${FONT}`;
	const m = context.measureText('W');
	const high = Math.ceil((m.fontBoundingBoxAscent + m.fontBoundingBoxDescent) * devicePixelRatio);
	return { width: m.width, height: Math.floor(high * LINE_HEIGHT) / devicePixelRatio };
}

export interface ScreenEvents {
	typed?: (data: string) => void;
	typedBytes?: (data: Uint8Array) => void;
	leave?: () => void; // the key that gives the keyboard back
	find?: () => void; // Ctrl+Shift+F
}

export class Screen {
	readonly term: Terminal;
	#host: HTMLElement;
	#control = false;
	#markers = new Map<string, IMarker>();
	#found: Place | null = null;

	constructor(host: HTMLElement, label: string, dark: boolean, events: ScreenEvents = {}) {
		this.term = new Terminal({
			allowProposedApi: false,
			cols: 80,
			rows: 24,
			convertEol: false,
			cursorBlink: false,
			disableStdin: true,
			fontFamily: FONT,
			fontSize: OWN_SIZE,
			lineHeight: LINE_HEIGHT,
			minimumContrastRatio: 4.5,
			scrollback: 5000,
		});
		this.#host = host;
		this.dark = dark;
		this.term.open(host);
		if (this.term.textarea) this.term.textarea.setAttribute('aria-label', label);
		if (events.typed) this.term.onData(events.typed);
		const bytes = events.typedBytes;
		if (bytes)
			this.term.onBinary((data) => bytes(Uint8Array.from(data, (c) => c.charCodeAt(0) & 255)));
		this.term.attachCustomKeyEventHandler((event) => {
			if (event.ctrlKey && event.shiftKey && (event.code === 'KeyC' || event.code === 'KeyF')) {
				event.preventDefault(); // in a browser they are something else
				if (event.type === 'keydown' && event.code === 'KeyC') this.copy();
				else if (event.type === 'keydown') events.find?.();
				return false;
			}
			if (this.#control && event.ctrlKey && (event.key === ']' || event.code === 'BracketRight')) {
				if (event.type === 'keydown') events.leave?.();
				return false;
			}
			// Without the keyboard Tab and all the rest are the browser's; scrolling stays.
			return this.#control || (event.shiftKey && /^(Page|Home|End|Arrow)/.test(event.key));
		});
	}

	set dark(dark: boolean) {
		const palette = palettes[dark ? 'dark' : 'light'];
		this.term.options.theme = xtermTheme(palette);
		this.#host.style.background = palette.ground;
	}

	/* The keys go to the session. */
	set control(on: boolean) {
		if (on === this.#control) return;
		this.#control = on;
		this.term.options.disableStdin = !on;
		this.term.options.cursorBlink = on;
		if (on) this.term.focus();
		else this.term.blur();
	}

	/* A fresh terminal of this size; what comes next draws it. */
	reset(cols: number, rows: number): void {
		for (const marker of this.#markers.values()) marker.dispose();
		this.#markers.clear();
		this.term.reset();
		this.resize(cols, rows);
	}

	resize(cols: number, rows: number): void {
		if (cols > 0 && rows > 0) this.term.resize(cols, rows);
	}

	write(data: Uint8Array | string, done?: () => void): void {
		this.term.write(data, done);
	}

	/* The place where a command begins, to come back to. */
	mark(id: string): void {
		this.term.write('', () => {
			const marker = this.term.registerMarker(0);
			if (marker) this.#markers.set(id, marker);
			if (this.#markers.size > 500) {
				const oldest = this.#markers.keys().next().value;
				if (oldest !== undefined) {
					this.#markers.get(oldest)?.dispose();
					this.#markers.delete(oldest);
				}
			}
		});
	}

	/* False: it is not in the scroll-back any more. */
	scrollTo(id: string): boolean {
		const marker = this.#markers.get(id);
		if (!marker || marker.isDisposed || marker.line < 0) return false;
		this.term.scrollToLine(Math.max(0, marker.line - 1));
		return true;
	}

	copy(): void {
		const text = this.term.getSelection();
		if (text) void navigator.clipboard?.writeText(text);
	}

	/* Selects the next place of this text, the newest first. False: it is nowhere. */
	find(text: string, back: boolean): boolean {
		const buffer = this.term.buffer.active;
		const from = this.#found ?? (back ? { row: buffer.length, column: 0 } : { row: 0, column: -1 });
		const row = (at: number) => {
			const line = buffer.getLine(at);
			return { text: line?.translateToString(false) ?? '', wrapped: line?.isWrapped ?? false };
		};
		this.#found = find(buffer.length, row, text, from, back);
		if (!this.#found) {
			this.term.clearSelection();
			return false;
		}
		this.term.select(this.#found.column, this.#found.row, text.length);
		this.term.scrollToLine(Math.max(0, this.#found.row - Math.floor(this.term.rows / 2)));
		return true;
	}

	/* What was found is left; the next search begins at the end. */
	endFind(): void {
		this.#found = null;
	}

	/* The session has its size: letters as large as fit into this width. */
	fitLetters(width: number): void {
		const each = (width - 2) / this.term.cols / cellOf(100).width;
		const size = Math.max(SIZE_MIN, Math.min(SIZE_MAX, Math.floor(each * 400) / 4));
		if (width > 0 && size !== this.term.options.fontSize) this.term.options.fontSize = size;
	}

	/* The session follows: how many columns and rows there is room for. */
	room(width: number, height: number): { cols: number; rows: number } {
		const cell = cellOf(OWN_SIZE);
		if (this.term.options.fontSize !== OWN_SIZE) this.term.options.fontSize = OWN_SIZE;
		return {
			cols: Math.max(20, Math.min(500, Math.floor((width - 2) / cell.width))),
			rows: Math.max(5, Math.min(200, Math.floor(height / cell.height))),
		};
	}

	dispose(): void {
		this.term.dispose();
	}
}
