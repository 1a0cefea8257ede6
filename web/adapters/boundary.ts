/* The boundary around a component: a component that renders the original within a context. It adds no element to the
 * page. The original may be a function, a class, or what memo, forwardRef and lazy make. */
import type { Props } from './effective_props.ts';
import { nameOf } from './fiber.ts';
import type { ReactInstance, Written } from './react.ts';

export interface ReactLike {
	createElement(type: unknown, props: Props | null, ...children: unknown[]): unknown;
	createContext(value: unknown): { Provider: unknown; displayName?: string };
	useReducer(reducer: (n: number) => number, first: number): [number, () => void];
	useState<T>(make: () => T): [T, unknown];
	useLayoutEffect(effect: () => void | (() => void), needs?: unknown[]): void;
	forwardRef(render: (props: Props, ref: unknown) => unknown): object;
	version: string;
	[internal: string]: unknown;
}

/* What an export is: its type, and under which name it is known. */
export interface Meta {
	t: string;
	n: string;
}

export interface Boundaries {
	context: unknown;
	wrap(value: unknown, meta: Meta): unknown;
	define(outer: object, inner: object, meta: Meta): void;
	call(outer: object, inner: unknown, self: unknown, args: ArrayLike<unknown>): unknown;
	inner(value: unknown): unknown;
}

export interface Host {
	make(typeId: string, name: string | null): ReactInstance;
	writtenAt(props: object): Written | undefined;
	effective(one: ReactInstance, props: Props): Props;
	mounted(one: ReactInstance): boolean; // whether a draft may be for it
	settle(): void;
	changed(): void;
}

/* What React reads from a type; a boundary that had it as well would be taken for the original's kind. */
const REACTS_OWN = new Set([
	'$$typeof', 'type', 'render', 'compare', '_payload', '_init', 'length', 'name', 'prototype', 'arguments', 'caller',
	'getDerivedStateFromProps', 'getDerivedStateFromError', 'contextType', 'contextTypes', 'childContextTypes',
	'propTypes', 'defaultProps',
]);

/* The fiber that is being rendered, as React's development builds know it. */
function ownerOf(react: ReactLike): { type?: unknown; elementType?: unknown } | null {
	const now = react.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE as
		{ A?: { getOwner?: () => never } | null } | undefined;
	const before = react.__SECRET_INTERNALS_DO_NOT_USE_OR_YOU_WILL_BE_FIRED as
		{ ReactCurrentOwner?: { current?: never } } | undefined;
	return now?.A?.getOwner?.() ?? before?.ReactCurrentOwner?.current ?? null;
}

function isComponent(value: unknown): value is object {
	return typeof value === 'function' || (typeof value === 'object' && value !== null && '$$typeof' in value);
}

/* The original's own properties, as they are now and as they will be. */
function share(outer: object, inner: object): void {
	for (const name of new Set([...Reflect.ownKeys(inner), 'displayName'])) {
		if (REACTS_OWN.has(name as string) || (Object.hasOwn(outer, name) && name !== 'displayName')) continue;
		Object.defineProperty(outer, name, {
			get: () => (inner as Record<string | symbol, unknown>)[name],
			set: (value) => ((inner as Record<string | symbol, unknown>)[name] = value),
			enumerable: Object.getOwnPropertyDescriptor(inner, name)?.enumerable ?? false,
			configurable: true,
		});
	}
}

function rename(type: object, name: string): void {
	if (typeof type === 'function') Object.defineProperty(type, 'name', { value: name, configurable: true });
}

/* React 19 keeps the stack of each element that is made in development, for the first 10,000 of a second. Our two say
 * nothing to anybody, and would take twice the time of all the page's own. */
function withoutStacksOf(react: ReactLike): <T>(make: () => T) => T {
	const internals = react.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE as
		{ recentlyCreatedOwnerStacks?: number } | undefined;
	if (typeof internals?.recentlyCreatedOwnerStacks !== 'number') return (make) => make();
	return (make) => {
		const count = internals.recentlyCreatedOwnerStacks;
		internals.recentlyCreatedOwnerStacks = 1e4;
		try {
			return make();
		} finally {
			internals.recentlyCreatedOwnerStacks = count;
		}
	};
}

export function boundaries(react: ReactLike, host: Host): Boundaries {
	const { createElement, useLayoutEffect, useReducer, useState } = react;
	const withoutStacks = withoutStacksOf(react);
	const context = react.createContext(null);
	context.displayName = 'Workbench';
	const inners = new WeakMap<object, object>();
	const metas = new WeakMap<object, Meta>();
	const refsAreProps = Number.parseInt(react.version, 10) >= 19;

	/* Where a draft may be for what has just been mounted, it is drawn once more before the page is painted: only when
	 * all are mounted is it known who is who. */
	function useBoundary(inner: object, meta: Meta, props: Props, ref: unknown): unknown {
		const [one] = useState(() => host.make(meta.t, nameFor(inner, meta)));
		if (one.typeId !== meta.t) one.become(meta.t, nameFor(inner, meta)); // fast refresh has kept it
		const [, redraw] = useReducer((n: number) => n + 1, 0);
		const baseline = { ...props };
		if (refsAreProps) delete baseline.ref; // before, reading it is a fault that React tells of
		if (one.redraw) host.settle();
		one.receive(baseline, host.writtenAt(props));
		useLayoutEffect(() => {
			one.redraw = redraw;
			if (host.mounted(one)) redraw();
			return () => {
				one.redraw = null;
				host.changed();
			};
		}, []);
		const given = { ...host.effective(one, baseline) };
		const passed = refsAreProps ? props.ref : ref;
		if (passed !== undefined && passed !== null) given.ref = passed;
		return withoutStacks(() => createElement(context.Provider, { value: one }, createElement(inner, given)));
	}

	function nameFor(inner: object, meta: Meta): string {
		return nameOf(inner) ?? meta.n;
	}

	function call(outer: object, inner: unknown, self: unknown, args: ArrayLike<unknown>): unknown {
		const owner = ownerOf(react);
		const meta = metas.get(outer);
		const rendered = owner && (owner.type === outer || owner.elementType === outer);
		if (!rendered || !meta) return Reflect.apply(inner as () => unknown, self, args as unknown[]);
		return useBoundary(inner as object, meta, args[0] as Props, undefined);
	}

	function define(outer: object, inner: object, meta: Meta): void {
		inners.set(outer, inner);
		metas.set(outer, meta);
		rename(inner, meta.n);
		rename(outer, meta.n);
		if (typeof inner === 'function') {
			Object.defineProperty(outer, 'length', { value: inner.length, configurable: true });
		}
		share(outer, inner);
	}

	/* Until version 19 only a forwardRef is given its ref, and a function would never be told of one. */
	function needsRef(inner: object): boolean {
		return !refsAreProps && (typeof inner !== 'function' || !!inner.prototype?.isReactComponent);
	}

	function wrap(value: unknown, meta: Meta): unknown {
		if (!isComponent(value) || inners.has(value)) return value;
		const inner = value;
		if (typeof inner === 'function' && !inner.name) rename(inner, meta.n);
		const name = nameFor(inner, meta);
		let outer: object;
		if (needsRef(inner)) {
			outer = react.forwardRef((props, ref) => useBoundary(inner, meta, props, ref));
			(outer as { render: object }).render && rename((outer as { render: object }).render, name);
		} else {
			outer = function (this: unknown, ...args: unknown[]) {
				if (typeof inner === 'function' && !inner.prototype?.isReactComponent) return call(outer, inner, this, args);
				return useBoundary(inner, meta, args[0] as Props, undefined);
			};
			rename(outer, name);
		}
		inners.set(outer, inner);
		metas.set(outer, meta);
		share(outer, inner);
		if (typeof inner === 'function') {
			Object.defineProperty(outer, Symbol.hasInstance, { value: (v: unknown) => v instanceof inner, configurable: true });
		}
		return outer;
	}

	return { context, wrap, define, call, inner: (value) => inners.get(value as object) ?? value };
}
