/* React's own tree, of versions 18 and 19, as far as an adapter must know it. The fields are not public; each one
 * that is used stands here, and one that is missing makes a walk shorter and nothing worse. */
import { quietly } from './values.ts';

export interface Fiber {
	tag: number;
	type: unknown;
	elementType: unknown;
	key: string | null;
	stateNode: unknown;
	return: Fiber | null;
	child: Fiber | null;
	sibling: Fiber | null;
	alternate: Fiber | null;
	memoizedProps: Record<string, unknown> | null;
	pendingProps: unknown;
}

export interface Root {
	current: Fiber;
}

export interface Renderer {
	version?: string;
	reconcilerVersion?: string;
	overrideProps?: (fiber: Fiber, path: unknown[], value: unknown) => void;
}

const FIBERS_MAX = 400_000; // of one walk
const HOST_TAGS = new Set([5, 26, 27]); // elements: ordinary ones, and two that React 19 hoists
const TEXT_TAG = 6;

interface Hook {
	renderers: Map<number, Renderer>;
	inject(renderer: Renderer): number;
	[name: string]: unknown;
}

export interface Watcher {
	renderer?(id: number, renderer: Renderer): void;
	commit(root: Root, id: number): void;
}

/* The hook that React looks for when it starts. One that is there already, of the developer tools, keeps working. */
export function watchReact(watcher: Watcher): void {
	const name = '__REACT_DEVTOOLS_GLOBAL_HOOK__';
	const page = globalThis as unknown as Record<string, Hook | undefined>;
	let ids = 0;
	const hook: Hook = page[name] ?? {
		renderers: new Map(),
		supportsFiber: true,
		isDisabled: false,
		inject: () => ++ids,
		checkDCE() {},
		onCommitFiberRoot() {},
		onCommitFiberUnmount() {},
		onPostCommitFiberRoot() {},
		onScheduleFiberRoot() {},
		setStrictMode() {},
	};
	const { inject, onCommitFiberRoot } = hook;
	hook.inject = function (this: unknown, renderer: Renderer) {
		const id = inject.call(this ?? hook, renderer);
		hook.renderers.set(id, renderer);
		quietly(() => watcher.renderer?.(id, renderer), undefined);
		return id;
	};
	hook.onCommitFiberRoot = function (this: unknown, id: number, root: Root, ...rest: unknown[]) {
		quietly(() => watcher.commit(root, id), undefined);
		if (typeof onCommitFiberRoot === 'function') return onCommitFiberRoot.call(this ?? hook, id, root, ...rest);
	};
	if (!page[name]) Object.defineProperty(page, name, { value: hook, configurable: true, enumerable: false, writable: true });
}

/* The roots that show something. */
export class Roots {
	#all = new Set<Root>();

	add(root: Root): void {
		if (root.current.child) this.#all.add(root);
		else this.#all.delete(root);
	}

	/* In document order, as far as the pages' containers have one. */
	list(): Root[] {
		const container = (root: Root) => (root as unknown as { containerInfo?: Node }).containerInfo;
		return [...this.#all].sort((a, b) => {
			const [x, y] = [container(a), container(b)];
			if (!(x instanceof Node) || !(y instanceof Node) || x === y) return 0;
			return x.compareDocumentPosition(y) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
		});
	}
}

/* Visits a fiber and what is below it, in document order. `enter` may hand down something else to what is inside;
 * `false` leaves that out. */
export function walk<T>(top: Fiber, above: T, enter: (fiber: Fiber, above: T) => T | false): void {
	const stack: [Fiber, T][] = [[top, above]];
	for (let left = FIBERS_MAX; stack.length && left > 0; left--) {
		const [fiber, inherited] = stack.pop()!;
		const handed = enter(fiber, inherited);
		if (fiber !== top && fiber.sibling) stack.push([fiber.sibling, inherited]);
		if (handed !== false && fiber.child) stack.push([fiber.child, handed]);
	}
}

/* The fiber of an element, or of the nearest one around it that React has made. */
export function fiberOf(element: Element): Fiber | null {
	for (let at: Element | null = element; at; at = parentOf(at)) {
		for (const name in at) if (name.startsWith('__reactFiber$')) return (at as unknown as Record<string, Fiber>)[name]!;
	}
	return null;
}

function parentOf(element: Element): Element | null {
	const root = element.getRootNode();
	return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

/* The elements and texts directly below a fiber: what it looks like on the page. */
export function nodesOf(top: Fiber, most = 50): Node[] {
	const nodes: Node[] = [];
	walk(top, null, (fiber) => {
		if (nodes.length >= most) return false;
		const isHost = HOST_TAGS.has(fiber.tag) || fiber.tag === TEXT_TAG;
		if (isHost && fiber.stateNode instanceof Node) nodes.push(fiber.stateNode);
		return isHost ? false : null;
	});
	return nodes;
}

/* Where nodes stand; of elements without a box (display: contents), what is inside. */
export function boxesOf(nodes: Node[]): DOMRect[] {
	const boxes: DOMRect[] = [];
	for (const node of nodes) {
		if (!node.isConnected) continue;
		let box: DOMRect;
		if (node instanceof Element && node.getClientRects().length) {
			box = node.getBoundingClientRect();
		} else {
			const range = document.createRange();
			range.selectNodeContents(node);
			box = range.getBoundingClientRect();
		}
		if (box.width || box.height) boxes.push(box);
	}
	return boxes;
}

interface Component {
	displayName?: unknown;
	name?: unknown;
	type?: unknown;
	render?: unknown;
}

/* The name of a component: its own, or that of what memo and forwardRef are around. */
export function nameOf(type: unknown, depth = 0): string | null {
	if ((typeof type !== 'function' && typeof type !== 'object') || type === null || depth > 4) return null;
	const { displayName, name, type: inner, render } = type as Component;
	if (typeof displayName === 'string' && displayName) return displayName;
	if (typeof type === 'function') return typeof name === 'string' && name ? name : null;
	return nameOf(inner, depth + 1) ?? nameOf(render, depth + 1);
}
