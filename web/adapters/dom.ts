/* The adapter for pages of any kind: elements marked with data-component, custom elements, and any other element that
 * is clicked. Props are an element's attributes and, if it holds nothing but text, its text [11.9]. */
import type { Draft } from './drafts.ts';
import type { Props } from './effective_props.ts';
import { boxesOf } from './fiber.ts';
import type { Site } from './identity.ts';
import { start, type Driver, type Instance, type Runtime } from './runtime.ts';
import { quietly, type Fields, type SourceRef } from './values.ts';

const ELEMENTS_MAX = 20_000;
const AGAIN_MAX = 20; // times in a second that one element is changed again
const NOT_OURS = new Set(['skaffa-overlay', 'annotation-xml', 'color-profile', 'font-face', 'missing-glyph']);
const RUNS_CODE = /^(on|srcdoc$)/i; // attributes that no draft may set

let runtime: Runtime | null = null;
const instances = new WeakMap<Element, DomInstance>();
const kept = new Set<Element>(); // ordinary elements that were selected, or that a draft is for

class DomInstance implements Instance {
	id = '';
	locator: Fields | null = null;
	ordinal = 0;
	shape = '';
	pinned = false;
	parent: Instance | null = null;
	site: Site | null = null;
	key: string | null = null;
	place: Fields | null = null;
	draft: Draft | null = null;
	invalid: string[] = [];
	version = 0;
	typeId: string;
	displayName: string | null = null;
	#element: Element;
	#attributes = new Map<string, string | null>(); // those that are changed, as the page has them
	#text: string | null = null; // the page's, while it is changed
	#second = 0;
	#times = 0;

	constructor(element: Element) {
		this.#element = element;
		this.typeId = typeOf(element) ?? `dom.${element.localName}`;
	}

	baseline(): Props {
		const attributes: Record<string, string> = {};
		for (const { name, value } of this.#element.attributes) define(attributes, name, value);
		for (const [name, value] of this.#attributes) {
			if (value === null) delete attributes[name];
			else define(attributes, name, value);
		}
		const text = this.#text ?? textOf(this.#element);
		return text === null ? { attributes } : { attributes, text };
	}

	source(): SourceRef | null {
		return null;
	}

	boxes(): DOMRect[] {
		return boxesOf([this.#element]);
	}

	element(): Element | null {
		return this.#element;
	}

	locate(parent: Instance | null): void {
		this.parent = parent;
		this.place = { kind: 'selector', css: selectorOf(this.#element) };
	}

	draw(): void {
		const own = this.baseline() as { attributes: Record<string, string>; text?: string };
		const { attributes, text } = runtime!.effective(this, { ...own }) as { attributes?: unknown; text?: unknown };
		const wanted = new Map<string, string | null>();
		for (const path of this.draft?.values.keys() ?? []) if (!this.#possible(path)) this.invalid.push(path);
		for (const [name, value] of Object.entries(typeof attributes === 'object' && attributes ? attributes : {})) {
			if (!RUNS_CODE.test(name)) wanted.set(name, asAttribute(value));
		}
		observer.ours(() => {
			for (const name of this.#attributes.keys()) if (!wanted.has(name)) this.#set(name, this.#attributes.get(name)!);
			// What stays the page's is left alone: an element may answer to one attribute by changing others, and its text.
			for (const [name, value] of wanted) if (value !== own.attributes[name] || this.#attributes.has(name)) this.#set(name, value);
			if (textOf(this.#element) !== null && (text !== own.text || this.#text !== null)) this.#say(typeof text === 'string' || text === undefined ? text : String(text));
		});
	}

	#possible(path: string): boolean {
		if (path === '/text') return textOf(this.#element) !== null;
		const name = /^\/attributes\/([^/]+)$/.exec(path)?.[1];
		return name !== undefined && !RUNS_CODE.test(name) && quietly(() => !document.createAttribute(name).specified || true, false);
	}

	/* Gives an attribute a value, and remembers the page's own; gives that back when both are the same. */
	#set(name: string, value: string | null): void {
		const now = this.#element.getAttribute(name);
		const own = this.#attributes.has(name) ? this.#attributes.get(name)! : now;
		if (value === own) this.#attributes.delete(name);
		else this.#attributes.set(name, own);
		if (value === now) return;
		quietly(() => (value === null ? this.#element.removeAttribute(name) : this.#element.setAttribute(name, value)), undefined);
	}

	#say(text: string | undefined): void {
		const now = textOf(this.#element)!;
		const own = this.#text ?? now;
		const wanted = text ?? own;
		this.#text = wanted === own ? null : own;
		if (wanted === now) return;
		const [only] = this.#element.childNodes;
		if (only instanceof Text && this.#element.childNodes.length === 1) only.data = wanted;
		else this.#element.textContent = wanted;
	}

	/* The page has changed it: what it has now is its own, and drafts go over it again. */
	pageChanged(attribute: string | null): void {
		this.version++;
		if (attribute === null) this.#text = null;
		else this.#attributes.delete(attribute);
		if (runtime?.drafts.touches(this) && !this.#tooOften()) this.draw();
	}

	#tooOften(): boolean {
		const second = Math.floor(performance.now() / 1000);
		this.#times = second === this.#second ? this.#times + 1 : 1;
		this.#second = second;
		return this.#times > AGAIN_MAX;
	}
}

function define(object: object, name: string, value: string): void {
	Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function asAttribute(value: unknown): string | null {
	if (value === null || value === undefined || value === false) return null;
	if (value === true) return '';
	return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/* The text of an element that holds nothing else; null for others. */
function textOf(element: Element): string | null {
	return element.firstElementChild || element.shadowRoot ? null : (element.textContent ?? '');
}

/* The type of an element that has one by itself. */
function typeOf(element: Element): string | null {
	const named = element.getAttribute('data-component');
	if (named && named.length <= 100 && !/[\u0000-\u001f]/.test(named)) return named;
	return element.localName.includes('-') && !NOT_OURS.has(element.localName) ? element.localName : null;
}

function selectorOf(element: Element): string {
	const steps: string[] = [];
	for (let at: Element | null = element; at; at = at.parentElement) {
		const { id } = at;
		if (id && id.length < 100 && document.querySelectorAll(`#${CSS.escape(id)}`).length === 1) {
			steps.unshift(`#${CSS.escape(id)}`);
			break;
		}
		const { localName } = at;
		if (at === document.body || at === document.documentElement) {
			steps.unshift(localName);
			break;
		}
		let nth = 1;
		for (let before = at.previousElementSibling; before; before = before.previousElementSibling) {
			if (before.localName === localName) nth++;
		}
		steps.unshift(`${CSS.escape(localName)}:nth-of-type(${nth})`);
	}
	return steps.join(' > ');
}

function instanceOf(element: Element): DomInstance {
	const found = instances.get(element);
	const typeId = typeOf(element) ?? `dom.${element.localName}`;
	if (found?.typeId === typeId) return found;
	const one = new DomInstance(element);
	instances.set(element, one);
	return one;
}

function survey(): Instance[] {
	const found: Instance[] = [];
	for (const element of kept) if (!element.isConnected) kept.delete(element);
	for (const element of document.querySelectorAll('*')) {
		if (found.length >= ELEMENTS_MAX) break;
		if (!kept.has(element) && typeOf(element) === null) continue;
		const one = instanceOf(element);
		let above = element.parentElement;
		while (above && !kept.has(above) && typeOf(above) === null) above = above.parentElement;
		one.locate(above ? instanceOf(above) : null);
		found.push(one);
	}
	return found;
}

/* The element that a hand means: the nearest with a type, else the one itself, but not the page as a whole. */
function meant(target: Element): Element | null {
	let light = target;
	for (let root = light.getRootNode(); root instanceof ShadowRoot; root = light.getRootNode()) light = root.host;
	for (let at: Element | null = light; at; at = at.parentElement) if (typeOf(at) !== null) return at;
	return light === document.body || light === document.documentElement ? null : light;
}

const driver: Driver = {
	id: 'dom',
	capabilities: { selection: true, overrides: true, instances: true, navigate: false, source: 'none' },
	survey,
	hit(target, keep) {
		const element = meant(target);
		if (!element) return null;
		if (keep && typeOf(element) === null) kept.add(element);
		return instanceOf(element);
	},
	look({ kind, css }) {
		if (kind !== 'selector' || typeof css !== 'string') return;
		const found = quietly<ArrayLike<Element>>(() => document.querySelectorAll(css), []);
		if (found.length === 1) kept.add(found[0]!);
	},
	route: () => ({ pathname: location.pathname }),
};

/* Sees what the page changes, and not what we do. */
const observer = {
	watcher: new MutationObserver((records) => quietly(() => observer.seen(records), undefined)),
	start() {
		this.watcher.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
	},
	ours(act: () => void) {
		const before = this.watcher.takeRecords();
		act();
		this.watcher.takeRecords();
		if (before.length) queueMicrotask(() => quietly(() => this.seen(before), undefined));
	},
	seen(records: MutationRecord[]) {
		const changed = new Map<Element, Set<string | null>>();
		let structure = false;
		for (const { type, target, attributeName } of records) {
			const element = target instanceof Element ? target : target.parentElement;
			if (element?.localName === 'skaffa-overlay' || !element) continue;
			structure ||= type === 'childList' || attributeName === 'data-component' || attributeName === 'id';
			const names = changed.get(element) ?? new Set();
			changed.set(element, names.add(type === 'attributes' ? attributeName : null));
		}
		for (const [element, names] of changed) {
			const one = instances.get(element);
			if (one) for (const name of names) one.pageChanged(name);
		}
		if (structure) runtime?.changed();
		if (changed.size) runtime?.committed();
	},
};

runtime = start(() => driver);
if (runtime) {
	observer.start();
	addEventListener('DOMContentLoaded', () => runtime?.changed());
}
