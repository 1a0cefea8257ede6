/* The page as a canvas [A9, A10]. In editor mode what the pointer does selects and never reaches the page; in interact
 * mode the page has it, except with Alt. */
import { quietly } from './values.ts';

/* Blocking the click alone is not enough: many parts of pages act when the pointer goes down. */
const CONSUMED = [
	'pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click', 'dblclick', 'auxclick', 'touchstart', 'touchend',
	'dragstart', 'submit',
] as const;
const SAME_GESTURE_MS = 1500; // between the pointer going down and the click that comes of it

export type Mode = 'editor' | 'interact';

export interface Hand {
	select(target: Element | null): void;
	hover(target: Element | null): void;
	clear(): boolean; // whether something was selected
}

/* The innermost element that an event is about, also inside open shadow roots. */
function targetOf(event: Event): Element | null {
	const [first] = event.composedPath();
	const node = first ?? event.target;
	if (node instanceof Element) return node;
	return node instanceof Node ? node.parentElement : null;
}

export class Editor {
	mode: Mode = 'editor';
	#hand: Hand;
	#down = -Infinity; // when the pointer last selected
	#over: Element | null = null;

	constructor(hand: Hand) {
		this.#hand = hand;
		for (const type of CONSUMED) addEventListener(type, (event) => this.#consume(event), { capture: true, passive: false });
		addEventListener('pointermove', (event) => this.#moved(event), { capture: true, passive: true });
		document.addEventListener('pointerleave', () => this.#hover(null));
		addEventListener('blur', () => this.#hover(null));
		addEventListener('keydown', (event) => this.#key(event), { capture: true });
	}

	setMode(mode: Mode): void {
		this.mode = mode;
		this.#hover(null);
	}

	#ours(event: Event): boolean {
		return this.mode === 'editor' || (event as MouseEvent).altKey === true;
	}

	#consume(event: Event): void {
		if (!this.#ours(event)) return;
		event.stopImmediatePropagation();
		if (event.cancelable) event.preventDefault();
		const { type } = event;
		if (type === 'pointerdown') {
			const { isPrimary, button } = event as PointerEvent;
			if (isPrimary === false || button !== 0) return;
			this.#down = performance.now();
			// A press that is consumed moves no focus: without it Escape would go to the page around the preview.
			quietly(() => window.focus(), undefined);
		} else {
			const selected = performance.now() - this.#down < SAME_GESTURE_MS;
			if (type === 'click') this.#down = -Infinity;
			if (type !== 'click' || selected) return;
		}
		quietly(() => this.#hand.select(targetOf(event)), undefined);
	}

	#moved(event: PointerEvent): void {
		this.#hover(this.#ours(event) && event.pointerType !== 'touch' ? targetOf(event) : null);
	}

	#hover(target: Element | null): void {
		if (target === this.#over) return;
		this.#over = target;
		quietly(() => this.#hand.hover(target), undefined);
	}

	#key(event: KeyboardEvent): void {
		if (event.key !== 'Escape' || this.mode !== 'editor') return;
		if (!quietly(() => this.#hand.clear(), false)) return;
		event.stopImmediatePropagation();
		event.preventDefault();
	}
}
