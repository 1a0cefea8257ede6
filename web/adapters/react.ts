/* The adapter for React 18 and 19 where the build is ours: around each component that the workbench was told of stands
 * a boundary, which hands its instance down by a context and gives the component its effective props. */
import type { Draft } from './drafts.ts';
import type { Props } from './effective_props.ts';
import { boxesOf, fiberOf, nodesOf, Roots, walk, watchReact, type Fiber } from './fiber.ts';
import type { Site } from './identity.ts';
import { Router } from './router.ts';
import { start, type Driver, type Instance, type Runtime } from './runtime.ts';
import { quietly, type Fields, type SourceRef } from './values.ts';
import { boundaries, type Boundaries, type ReactLike } from './boundary.ts';

/* What the compiled page calls (launcher/instrument.ts), under one name that no page has. */
export interface PageApi {
	react(react: ReactLike): Boundaries;
	site(element: unknown, file: string, line: number, column: number): unknown;
	sites(file: string, places: string[]): void;
}

export interface Written {
	site: Site;
	key: string | null;
}

const KEY_MAX = 200; // characters
const written = new WeakMap<object, Written>(); // by the props of the element
const places = new Map<string, Set<string>>(); // of each file as it is now, "line:column" of its elements
const roots = new Roots();
const contexts = new Set<unknown>();
let runtime: Runtime | null = null;
const router = new Router(() => runtime?.routed());

class ReactInstance implements Instance {
	id = '';
	locator: Fields | null = null;
	ordinal = 0;
	shape = '';
	pinned = false;
	parent: Instance | null = null;
	site: Site | null = null;
	key: string | null = null;
	draft: Draft | null = null;
	invalid: string[] = [];
	version = 0;
	fiber: Fiber | null = null;
	props: Props = {};
	typeId: string;
	displayName: string | null;
	redraw: (() => void) | null = null;

	constructor(typeId: string, displayName: string | null) {
		this.typeId = typeId;
		this.displayName = displayName;
	}

	/* Its component is another type now: so is it, by another name. */
	become(typeId: string, displayName: string | null): void {
		this.typeId = typeId;
		this.displayName = displayName;
		this.id = '';
		this.version++;
		runtime?.touched();
	}

	baseline(): Props {
		return this.props;
	}

	source(): SourceRef | null {
		return this.site && { filePath: this.site.file, line: this.site.line, column: this.site.column };
	}

	boxes(): DOMRect[] {
		return this.fiber ? boxesOf(nodesOf(this.fiber)) : [];
	}

	element(): Element | null {
		const [node] = this.fiber ? nodesOf(this.fiber, 1) : [];
		return node instanceof Element ? node : (node?.parentElement ?? null);
	}

	draw(): void {
		this.redraw?.();
	}

	/* What its parent passes now. */
	receive(props: Props, where: Written | undefined): void {
		const changed = differs(this.props, props);
		this.props = props;
		if (where) ({ site: this.site, key: this.key } = where);
		if (!changed) return;
		this.version++;
		if (this.id) runtime?.touched();
	}
}

function differs(a: Props, b: Props): boolean {
	const names = Object.keys(b);
	return names.length !== Object.keys(a).length || names.some((name) => !Object.is(a[name], b[name]));
}

/* The instance that a fiber hands down, if it is the provider of a boundary. */
function handedBy({ type, memoizedProps }: Fiber): ReactInstance | null {
	if (typeof type !== 'object' || type === null) return null;
	const context = (type as { _context?: unknown })._context ?? type;
	if (!contexts.has(context)) return null;
	const value = memoizedProps?.value;
	return value instanceof ReactInstance ? value : null;
}

function survey(): Instance[] {
	const found: ReactInstance[] = [];
	for (const root of roots.list()) {
		walk<ReactInstance | null>(root.current, null, (fiber, parent) => {
			router.look(fiber);
			const one = handedBy(fiber);
			if (!one) return parent;
			one.parent = parent;
			one.fiber = fiber;
			found.push(one);
			return one;
		});
	}
	return found;
}

const driver: Driver = {
	id: 'react',
	capabilities: { selection: true, overrides: true, instances: true, navigate: true, source: 'callsite' },
	survey,
	hit(target) {
		for (let fiber = fiberOf(target); fiber; fiber = fiber.return) {
			const one = handedBy(fiber);
			if (one) return runtime?.live.get(one.id) === one ? one : null;
		}
		return null;
	},
	standing(locator) {
		const of = typeof locator.file === 'string' ? places.get(locator.file) : undefined;
		return of?.has(`${locator.line}:${locator.column}`) ?? false;
	},
	route: () => router.route(),
	navigate: (path) => router.navigate(path),
};

export type { ReactInstance };

const api: PageApi = {
	react(react) {
		const made = boundaries(react, {
			make: (typeId, name) => new ReactInstance(typeId, name),
			writtenAt: (props) => written.get(props),
			effective: (one, props) => quietly(() => runtime!.effective(one, props), props),
			mounted(one) {
				runtime?.changed();
				return runtime?.drafts.wants(one.typeId) ?? false;
			},
			settle: () => quietly(() => runtime?.settleMounts(), undefined),
			changed: () => runtime?.changed(),
		});
		contexts.add(made.context);
		return made;
	},
	site(element, file, line, column) {
		if (typeof element !== 'object' || element === null) return element;
		const { type, props, key } = element as { type?: unknown; props?: object; key?: unknown };
		if (typeof type === 'string' || typeof props !== 'object' || props === null) return element;
		written.set(props, { site: { file, line, column }, key: typeof key === 'string' ? key.slice(0, KEY_MAX) : null });
		return element;
	},
	sites(file, of) {
		places.set(file, new Set(of));
	},
};

runtime = start(() => driver);
if (runtime) {
	Object.defineProperty(globalThis, '__skaffa', { value: Object.freeze(api) });
	watchReact({
		commit(root) {
			router.commits++;
			roots.add(root);
			runtime?.committed();
		},
	});
}
