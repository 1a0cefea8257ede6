/* What every adapter does alike: it keeps the drafts, the selection and the mode that the host has told of, and says
 * what has become of them. A driver knows the page: which instances there are, and how one gets its props. */
import { Channel, readBootstrap, type Bootstrap } from './channel.ts';
import { cut, describeProps, TOTAL_MAX } from './descriptor.ts';
import { Drafts, type Bound } from './drafts.ts';
import { Editor } from './editor.ts';
import type { Effective, Props } from './effective_props.ts';
import { identify } from './identity.ts';
import { watchLog } from './log.ts';
import { Overlay, type Shown } from './overlay.ts';
import { Reports } from './reports.ts';
import { Quiet, statusMessages } from './status.ts';
import { isFields, isId, quietly, type Fields, type Json, type SourceRef } from './values.ts';

export interface Instance extends Bound {
	displayName: string | null;
	version: number; // goes up when the baseline changes
	baseline(): Props;
	source(): SourceRef | null;
	boxes(): DOMRect[];
	element(): Element | null; // to bring into view
	draw(): void; // takes over what `Runtime.effective` says now
}

export interface Route {
	pathname: string;
	matchedRouteIds?: string[];
	params?: Record<string, string>;
}

export interface Driver {
	id: string;
	capabilities: Fields;
	survey(): Instance[]; // all that live, in document order, parents first
	hit(target: Element, keep: boolean): Instance | null; // `keep`: it is to be one of those that live
	look?(locator: Fields): void; // a draft waits for what is there
	standing?(locator: Fields): boolean; // its place is in the source as it is now
	types?(types: Json | undefined): void;
	route?(): Route;
	navigate?(path: string): Promise<void>;
}

export const VERSION = '0.1.0';
const NO_INSTANCE = { code: 'unknown_instance', message: 'no instance of this page has this id' };

export class Runtime {
	live = new Map<string, Instance>();
	drafts = new Drafts();
	selected: Instance | null = null;
	#selectedId = ''; // as it was said
	#driver: Driver;
	#at: Bootstrap;
	#channel: Channel;
	#editor: Editor;
	#overlay = new Overlay();
	#reports: Reports<Instance>;
	#quiet = new Quiet(() => this.#sayStatuses());
	#stale = true; // the tree may be another one than `live` says
	#mounted = false; // it is
	#told = ''; // the statuses that were last said
	#route = '';
	#pageId = `page_${Math.random().toString(36).slice(2)}${Date.now().toString(36)}`;

	constructor(driver: Driver, at: Bootstrap) {
		this.#driver = driver;
		this.#at = at;
		this.#editor = new Editor({
			select: (target) => this.#select(target && this.#hit(target, true), 'click'),
			hover: (target) => this.#overlay.show('hover', target && this.#shown(this.#hit(target, false))),
			clear: () => {
				if (!this.selected) return false;
				this.#select(null, 'click');
				return true;
			},
		});
		this.#reports = new Reports<Instance>((fields) => this.#channel.send('runtime.instances', fields, true), (one) => this.#listed(one), () => {
			this.settle();
			return this.live;
		});
		this.#channel = new Channel(at, {
			ready: () => this.#ready(),
			message: (type, fields) => quietly(() => this.#message(type, fields), undefined),
			closed: () => this.#quiet.stop(),
		});
		watchLog((fields) => this.#channel.send('runtime.log', fields, true));
		addEventListener('popstate', () => this.routed());
		addEventListener('hashchange', () => this.routed());
	}

	/* Instances have come or gone: at the end of this task at the latest it is looked who. */
	changed(): void {
		this.#quiet.stir();
		if (this.#mounted) return;
		this.#mounted = this.#stale = true;
		queueMicrotask(() => quietly(() => this.settle(), undefined));
	}

	/* The page has been drawn anew; its parts may stand in another order. */
	committed(): void {
		this.#stale = true;
		this.#quiet.stir();
		this.#reports.later();
		this.routed();
	}

	/* While a component is rendered: no other one may be told to be drawn before that is over. */
	settleMounts(): void {
		if (!this.#mounted) return;
		const bound = this.#identify();
		queueMicrotask(() => bound.forEach((one) => quietly(() => one.draw(), undefined)));
	}

	/* Who lives, by which id, with which draft. Does nothing when nothing has changed. */
	settle(): void {
		if (!this.#stale) return;
		for (const one of this.#identify()) quietly(() => one.draw(), undefined);
	}

	#identify(): Set<Instance> {
		this.#stale = this.#mounted = false;
		const { look } = this.#driver;
		if (look) for (const locator of this.drafts.waiting()) look.call(this.#driver, locator);
		const all = this.#driver.survey();
		for (const one of all) one.pinned = one.draft !== null || one === this.selected;
		identify(all);
		this.live = new Map(all.map((one) => [one.id, one]));
		const bound = this.drafts.bind(this.live) as Set<Instance>;
		this.#keepSelection();
		this.#reports.later();
		this.#quiet.want();
		this.routed();
		return bound;
	}

	/* What the instance gets, and which of its drafts have no place. */
	effective(one: Instance, baseline: Props): Props {
		const { props, invalid }: Effective = this.drafts.effective(one, baseline);
		one.invalid = invalid;
		return props;
	}

	routed(): void {
		const { route } = this.#driver;
		if (!route || !this.#channel.bound) return;
		const now = quietly<Route | null>(() => route.call(this.#driver), null);
		const text = JSON.stringify(now);
		if (!now || text === this.#route) return;
		if (this.#channel.send('runtime.routerStateChanged', { ...now } as Fields)) this.#route = text;
	}

	/* The baseline of an instance is another one now. */
	touched(): void {
		this.#quiet.stir();
		this.#reports.later();
	}

	#ready(): Fields {
		return {
			adapterId: this.#driver.id,
			adapterVersion: VERSION,
			capabilities: this.#driver.capabilities,
			page: { pageId: this.#pageId, url: cut(location.href, 2000), title: cut(document.title, 200) },
		};
	}

	#message(type: string, fields: Fields): void {
		switch (type) {
			case 'host.init':
				return this.#init(fields);
			case 'host.applyOverrides':
				return this.#redraw(this.drafts.apply(fields.ops));
			case 'host.select':
				return this.#selectById(fields);
			case 'host.locate':
				return this.#locate(fields);
			case 'host.setMode':
				return this.#setMode(fields.mode);
			case 'host.highlight':
				return this.#highlight(fields.instanceIds);
			case 'host.navigate':
				return this.#navigate(fields);
			case 'host.prompt':
				return this.#overlay.prompt(typeof fields.text === 'string' ? cut(fields.text, 1000) : '');
		}
	}

	#init(fields: Fields): void {
		this.#setMode(fields.mode);
		this.#driver.types?.(fields.types);
		this.#told = '';
		this.#route = '';
		this.#reports.reset();
		this.#stale = true;
		const before = [...this.live.values()].filter((one) => this.drafts.touches(one));
		const touched = this.drafts.reset(fields.initialOverrides, fields.propDefaults);
		for (const one of before) touched.add(one);
		this.#redraw(touched);
		for (const one of this.live.values()) if (this.drafts.touches(one) && !touched.has(one)) quietly(() => one.draw(), undefined);
		this.#reports.later();
		this.routed();
	}

	#redraw(touched: Set<Bound>): void {
		this.settle();
		const bound = this.drafts.bind(this.live) as Set<Instance>;
		for (const one of touched) bound.add(one as Instance);
		for (const one of bound) quietly(() => one.draw(), undefined);
		this.#told = '';
		this.#quiet.want();
	}

	#sayStatuses(): void {
		if (!this.#channel.bound) return;
		this.settle();
		const { standing } = this.#driver;
		const moved = this.drafts.rebind(this.live.values(), (locator) => standing?.call(this.#driver, locator) ?? false);
		for (const one of moved) quietly(() => (one as Instance).draw(), undefined);
		if (moved.size) return this.#quiet.want(); // what they got is seen after the next drawing
		const summary = this.drafts.summary();
		if (summary === this.#told) return;
		for (const message of statusMessages(this.drafts.statuses())) {
			if (!this.#channel.send('runtime.overrideStatus', message)) return this.#quiet.want();
		}
		this.drafts.said();
		this.#told = this.drafts.summary();
	}

	#hit(target: Element, keep: boolean): Instance | null {
		this.settle();
		const one = this.#driver.hit(target, keep);
		if (!one || !keep || this.live.get(one.id) === one) return one;
		this.#stale = true;
		this.settle();
		return this.live.get(one.id) === one ? one : null;
	}

	#select(one: Instance | null, causedBy: 'click' | 'programmatic'): void {
		this.selected = one;
		this.#selectedId = one?.id ?? '';
		this.#overlay.show('selected', this.#shown(one));
		const selected = one && quietly<Fields | null>(() => this.#described(one, TOTAL_MAX), null);
		this.#channel.send('runtime.selectionChanged', { sessionId: this.#at.sessionId, selected, causedBy });
	}

	/* An instance that was mounted anew under the same id stays selected; one that is gone does not. */
	#keepSelection(): void {
		const before = this.selected;
		if (!before || (this.live.get(before.id) === before && before.id === this.#selectedId)) return;
		if (this.live.get(before.id) === before) return this.#select(before, 'programmatic'); // it has become another type
		const again = this.live.get(before.id) ?? null;
		if (!again) return this.#select(null, 'programmatic');
		this.selected = again;
		this.#overlay.show('selected', this.#shown(again));
	}

	#shown(one: Instance | null): Shown | null {
		if (!one) return null;
		const { displayName, typeId } = one;
		return { label: displayName && displayName !== typeId ? `${displayName} · ${typeId}` : typeId, boxes: () => one.boxes() };
	}

	#described(one: Instance, total: number): Fields {
		const { id: instanceId, typeId: componentTypeId, displayName, key, locator } = one;
		const descriptor: Fields = { sessionId: this.#at.sessionId, instanceId, componentTypeId };
		if (displayName) descriptor.displayName = cut(displayName, 200);
		if (key !== null) descriptor.keyHint = cut(key, 200);
		const source = one.source();
		if (source) descriptor.source = { ...source };
		Object.assign(descriptor, describeProps(one.baseline(), total));
		descriptor.instanceLocator = locator;
		return descriptor;
	}

	#listed(one: Instance): Fields {
		const listed = this.#described(one, this.live.size > 500 ? 1024 : 8192);
		if (one.parent) listed.parentInstanceId = one.parent.id;
		const [rect] = this.live.size > 2000 ? [] : one.boxes();
		if (rect) listed.rect = { x: rect.x, y: rect.y, width: rect.width, height: rect.height };
		return listed;
	}

	#selectById({ requestId, instanceId }: Fields): void {
		this.settle();
		const one = isId(instanceId) ? this.live.get(instanceId) : undefined;
		if (instanceId !== null && !one) return this.#result(requestId, NO_INSTANCE);
		quietly(() => one?.element()?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), undefined);
		this.#select(one ?? null, 'programmatic');
		this.#result(requestId);
	}

	/* Where it is in the window, after it was scrolled there. */
	#locate({ requestId, instanceId }: Fields): void {
		this.settle();
		const one = isId(instanceId) ? this.live.get(instanceId) : undefined;
		if (!one) return this.#result(requestId, NO_INSTANCE);
		quietly(() => one.element()?.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' }), undefined);
		const boxes = quietly(() => one.boxes(), []);
		const left = Math.max(0, Math.min(...boxes.map((box) => box.left)));
		const top = Math.max(0, Math.min(...boxes.map((box) => box.top)));
		const right = Math.min(innerWidth, Math.max(...boxes.map((box) => box.right)));
		const bottom = Math.min(innerHeight, Math.max(...boxes.map((box) => box.bottom)));
		if (!(right > left && bottom > top)) return this.#result(requestId, NO_INSTANCE);
		this.#channel.send('runtime.result', { requestId: requestId!, ok: true,
			rect: { x: left, y: top, width: right - left, height: bottom - top } });
	}

	#result(requestId: Json | undefined, error?: Fields): void {
		if (requestId === undefined) return;
		this.#channel.send('runtime.result', error ? { requestId, ok: false, error } : { requestId, ok: true });
	}

	#setMode(mode: Json | undefined): void {
		if (mode === 'editor' || mode === 'interact') this.#editor.setMode(mode);
	}

	#highlight(ids: Json | undefined): void {
		const found = (Array.isArray(ids) ? ids : []).map((id) => this.live.get(id as string)).filter((one) => one);
		this.#overlay.highlight(found.map((one) => this.#shown(one!)!));
	}

	#navigate({ requestId, to }: Fields): void {
		const path = isFields(to) ? to.path : null;
		const good = typeof path === 'string' && /^\/(?![/\\])[^\\\u0000-\u001f]*$/.test(path);
		if (!good) return this.#result(requestId, { code: 'invalid_path', message: 'a path starts with one "/"' });
		const { navigate } = this.#driver;
		if (!navigate) { // the page is loaded there
			this.#result(requestId);
			return location.assign(path);
		}
		navigate.call(this.#driver, path).then(
			() => this.#result(requestId),
			() => this.#result(requestId, { code: 'navigation_unsupported', message: 'the router refused' }),
		);
	}
}

/* Starts an adapter on a page that somebody looks at; elsewhere it does nothing at all. */
export function start(makeDriver: (runtime: () => Runtime | null) => Driver): Runtime | null {
	return quietly<Runtime | null>(() => {
		const at = readBootstrap();
		if (!at) return null;
		let runtime: Runtime | null = null;
		runtime = new Runtime(makeDriver(() => runtime), at);
		return runtime;
	}, null);
}
