/* The adapter for React where the build is not ours: it looks at React's tree by the hook of the developer tools, knows
 * components by their names, and passes drafts through the renderer's own entry for tools. React forgets such props when
 * the parent is drawn anew, so after every commit those that are gone are passed again [11.9]. */
import type { Draft } from './drafts.ts';
import type { Props } from './effective_props.ts';
import { boxesOf, fiberOf, nameOf, nodesOf, Roots, walk, watchReact, type Fiber, type Renderer, type Root } from './fiber.ts';
import type { Site } from './identity.ts';
import { Router } from './router.ts';
import { start, type Driver, type Instance, type Runtime } from './runtime.ts';
import { isFields, isId, quietly, type Fields, type Json, type SourceRef } from './values.ts';

const COMPONENT_TAGS = new Set([0, 1, 2, 11, 14, 15]);
const MEMO_TAG = 14;
const AGAIN_MAX = 50; // times in a second that one instance is given its props again

const roots = new Roots();
const renderers = new Map<number, Renderer>();
const rendererOf = new Map<Root, number>();
const instances = new WeakMap<Fiber, HookInstance>();
let known = new Map<string, string | null>(); // type ids by display name; null: several types have it
let runtime: Runtime | null = null;
const router = new Router(() => runtime?.routed());

class HookInstance implements Instance {
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
	typeId = '';
	displayName: string;
	fiber: Fiber;
	root: Root;
	#props: Props = {};
	#given: object | null = null; // what it was passed by us
	#second = 0;
	#times = 0;

	constructor(fiber: Fiber, root: Root, name: string) {
		this.fiber = fiber;
		this.root = root;
		this.displayName = name;
	}

	baseline(): Props {
		return this.#props;
	}

	/* The host knows where a type is defined, with its line; where this one is written nobody here knows. */
	source(): SourceRef | null {
		return null;
	}

	boxes(): DOMRect[] {
		return boxesOf(nodesOf(this.fiber));
	}

	element(): Element | null {
		const [node] = nodesOf(this.fiber, 1);
		return node instanceof Element ? node : (node?.parentElement ?? null);
	}

	/* As the tree has it now. What is not ours was passed by the parent. */
	see(fiber: Fiber, root: Root, parent: HookInstance | null): void {
		this.fiber = fiber;
		this.root = root;
		this.parent = parent;
		this.key = fiber.key?.slice(0, 200) ?? null;
		const typeId = typeNamed(this.displayName);
		if (typeId !== this.typeId) this.id = '';
		this.typeId = typeId;
		const props = fiber.memoizedProps ?? {};
		if (props === this.#given || props === this.#props) return;
		this.#props = props;
		this.#given = null;
		this.version++;
	}

	/* Whether the parent has replaced what we passed. */
	lost(): boolean {
		return this.#given === null && (runtime?.drafts.touches(this) ?? false);
	}

	draw(): void {
		const wanted = runtime!.effective(this, this.#props);
		const now = this.fiber.memoizedProps ?? {};
		if (wanted === now || (wanted === this.#props && this.#given === null)) return;
		const { overrideProps } = renderers.get(rendererOf.get(this.root) ?? -1) ?? {};
		if (!overrideProps || this.#tooOften()) {
			this.invalid = [...(this.draft?.values.keys() ?? [])];
			return;
		}
		this.#given = wanted === this.#props ? null : wanted;
		overrideProps(this.fiber, [], wanted);
	}

	#tooOften(): boolean {
		const second = Math.floor(performance.now() / 1000);
		this.#times = second === this.#second ? this.#times + 1 : 1;
		this.#second = second;
		return this.#times > AGAIN_MAX;
	}
}

function typeNamed(name: string): string {
	return known.get(name) ?? `react.${name}`.slice(0, 190);
}

/* The name of what a fiber renders, if it is a component. The function within a memo is not another one. */
function componentAt(fiber: Fiber): string | null {
	if (!COMPONENT_TAGS.has(fiber.tag)) return null;
	const above = fiber.return;
	if (above?.tag === MEMO_TAG && (above.elementType as { type?: unknown } | null)?.type === fiber.elementType) return null;
	const name = nameOf(fiber.elementType) ?? nameOf(fiber.type);
	return name && !/[\u0000-\u001f]/.test(name) ? name.slice(0, 150) : null;
}

function instanceAt(fiber: Fiber, root: Root, name: string): HookInstance {
	const found = instances.get(fiber) ?? (fiber.alternate ? instances.get(fiber.alternate) : undefined);
	const one = found?.displayName === name ? found : new HookInstance(fiber, root, name);
	instances.set(fiber, one);
	return one;
}

function survey(): HookInstance[] {
	const found: HookInstance[] = [];
	for (const root of roots.list()) {
		walk<HookInstance | null>(root.current, null, (fiber, parent) => {
			router.look(fiber);
			const name = quietly(() => componentAt(fiber), null);
			if (!name) return parent;
			const one = instanceAt(fiber, root, name);
			one.see(fiber, root, parent);
			found.push(one);
			return one;
		});
	}
	return found;
}

const driver: Driver = {
	id: 'react-hook',
	capabilities: { selection: true, overrides: true, instances: true, navigate: true, source: 'definition' },
	survey,
	hit(target) {
		for (let fiber = fiberOf(target); fiber; fiber = fiber.return) {
			const one = instances.get(fiber) ?? (fiber.alternate ? instances.get(fiber.alternate) : undefined);
			if (one && runtime?.live.get(one.id) === one) return one;
		}
		return null;
	},
	types(types: Json | undefined) {
		known = new Map();
		for (const type of Array.isArray(types) ? types : []) {
			if (!isFields(type) || !isId(type.typeId) || !Array.isArray(type.displayNames)) continue;
			for (const name of type.displayNames) {
				if (typeof name !== 'string') continue;
				const other = known.has(name) && known.get(name) !== type.typeId; // else it is said twice of one
				known.set(name, other ? null : type.typeId);
			}
		}
	},
	route: () => router.route(),
	navigate: (path) => router.navigate(path),
};

runtime = start(() => driver);
if (runtime) {
	watchReact({
		renderer: (id, renderer) => renderers.set(id, renderer),
		commit(root, id) {
			router.commits++;
			roots.add(root);
			rendererOf.set(root, id);
			runtime?.committed();
			if (!runtime?.drafts.any()) return;
			runtime.settle();
			for (const one of runtime.live.values()) if ((one as HookInstance).lost()) one.draw();
		},
	});
}
