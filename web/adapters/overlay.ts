/* The frames around what the pointer is over and what is selected [A11]: an element of our own beside the page's
 * body, with a closed shadow root, through which every pointer goes. The page's own tree stays as it is. */
import { quietly } from './values.ts';

export interface Shown {
	label: string;
	boxes(): DOMRect[]; // of now, in the window
}

const STYLE = `
div { position: fixed; box-sizing: border-box; pointer-events: none; border-radius: 3px; }
.hover { border: 2px dashed #1f6feb; box-shadow: 0 0 0 1px rgb(255 255 255 / .7); }
.selected { border: 3px solid #c2410c; box-shadow: 0 0 0 1px rgb(255 255 255 / .8); }
.other { border: 2px dotted #7c3aed; box-shadow: 0 0 0 1px rgb(255 255 255 / .7); }
span { position: fixed; font: 600 12px/18px system-ui, sans-serif; padding: 0 6px; border-radius: 3px; color: #fff;
	background: #c2410c; white-space: nowrap; max-width: 60vw; overflow: hidden; text-overflow: ellipsis; }
span.hover { background: #1f6feb; }
span.hover, span.selected { border: 0; box-shadow: none; }
p { position: fixed; left: 50%; top: 12px; translate: -50% 0; box-sizing: border-box; margin: 0; padding: 10px 16px;
	max-width: min(560px, 90vw); max-height: 30vh; overflow: hidden; white-space: pre-line; overflow-wrap: anywhere;
	font: 500 14px/20px system-ui, sans-serif; color: #fff; background: #1f2937; border: 2px solid #fff; border-radius: 8px;
	pointer-events: none; box-shadow: 0 4px 16px rgb(0 0 0 / .35); }
`;
const HOST_STYLE = 'all: initial; position: fixed; inset: 0; width: auto; height: auto; margin: 0; padding: 0; border: 0; ' +
	'background: none; overflow: visible; pointer-events: none; z-index: 2147483647;';
const BOXES_MAX = 50; // of one instance
const OTHERS_MAX = 100;
const LABEL_HEIGHT = 20;

type Kind = 'hover' | 'selected' | 'other';

export class Overlay {
	#host: HTMLElement | null = null;
	#root: ShadowRoot | null = null;
	#shown: Record<'hover' | 'selected', Shown | null> = { hover: null, selected: null };
	#others: Shown[] = [];
	#prompt = '';
	#frame = 0;
	#drawn = '';

	show(kind: 'hover' | 'selected', what: Shown | null): void {
		this.#shown[kind] = what;
		this.#follow();
	}

	highlight(others: Shown[]): void {
		this.#others = others.slice(0, OTHERS_MAX);
		this.#follow();
	}

	/* What an assistant asks the person to click; nothing: nobody asks. */
	prompt(text: string): void {
		this.#prompt = text;
		this.#follow();
	}

	/* While something is shown its place is looked at in every frame: nothing tells when an element moves. */
	#follow(): void {
		cancelAnimationFrame(this.#frame);
		quietly(() => this.#draw(), undefined);
		const { hover, selected } = this.#shown;
		if (hover || selected || this.#others.length) this.#frame = requestAnimationFrame(() => this.#follow());
	}

	#draw(): void {
		const all: [Kind, Shown][] = this.#others.map((one) => ['other', one]);
		const { hover, selected } = this.#shown;
		if (selected) all.push(['selected', selected]);
		if (hover) all.push(['hover', hover]);
		const boxes = all.map(([kind, one]) => ({ kind, label: one.label, rects: one.boxes().slice(0, BOXES_MAX) }));
		const places = boxes.map(({ kind, label, rects }) => [kind, label, rects.map((r) => [r.x, r.y, r.width, r.height])]);
		const text = JSON.stringify([places, this.#prompt]);
		const nothing = !all.length && !this.#prompt;
		if (text === this.#drawn && (this.#host?.isConnected || nothing)) return;
		this.#drawn = text;
		if (nothing) {
			this.#host?.remove();
			return;
		}
		const parts = boxes.flatMap(({ kind, label, rects }) => this.#parts(kind, label, rects));
		if (this.#prompt) parts.push(this.#asked());
		this.#rootOf().replaceChildren(...parts);
	}

	#asked(): HTMLElement {
		const words = document.createElement('p');
		words.textContent = `An assistant asks you to click: ${this.#prompt}`;
		return words;
	}

	#parts(kind: Kind, label: string, rects: DOMRect[]): HTMLElement[] {
		const made = rects.map((rect) => this.#box('div', kind, rect.x - 3, rect.y - 3, rect.width + 6, rect.height + 6));
		const first = rects[0];
		if (!first || kind === 'other') return made;
		const above = first.y - 3 - LABEL_HEIGHT;
		const x = Math.min(Math.max(0, first.x - 3), Math.max(0, innerWidth - 120));
		const tag = this.#box('span', kind, x, above >= 0 ? above : Math.max(0, first.y + 3));
		tag.textContent = label;
		return [...made, tag];
	}

	#box(tag: string, kind: Kind, x: number, y: number, width?: number, height?: number): HTMLElement {
		const box = document.createElement(tag);
		box.className = kind;
		Object.assign(box.style, { left: `${x}px`, top: `${y}px` });
		if (width !== undefined) Object.assign(box.style, { width: `${width}px`, height: `${height}px` });
		return box;
	}

	#rootOf(): ShadowRoot {
		if (!this.#host) {
			this.#host = document.createElement('skaffa-overlay');
			this.#host.setAttribute('aria-hidden', 'true');
			this.#host.style.cssText = HOST_STYLE;
			this.#root = this.#host.attachShadow({ mode: 'closed' });
			const sheet = new CSSStyleSheet(); // no policy of the page forbids a constructed one
			sheet.replaceSync(STYLE);
			this.#root.adoptedStyleSheets = [sheet];
		}
		if (!this.#host.isConnected) document.documentElement.append(this.#host);
		return this.#root!;
	}
}
