/* The router of the page: React Router's, found in the tree by what it passes to its provider; else the address. */
import type { Fiber } from './fiber.ts';
import type { Route } from './runtime.ts';
import { quietly } from './values.ts';

interface DataRouter {
	state: { location: { pathname: string }; matches: { route: { id?: string }; params?: Record<string, string> }[] };
	navigate(to: string): Promise<void> | void;
	subscribe(listener: () => void): () => void;
}

const NAVIGATED_MS = 400; // a router that listens to the address has drawn by then
const MATCHES_MAX = 50;

function routerIn(fiber: Fiber): DataRouter | null {
	const router = fiber.memoizedProps?.router as Partial<DataRouter> | undefined;
	if (typeof router !== 'object' || router === null || typeof router.navigate !== 'function') return null;
	return typeof router.subscribe === 'function' && Array.isArray(router.state?.matches) ? (router as DataRouter) : null;
}

export class Router {
	#data: DataRouter | null = null;
	#changed: () => void;
	commits = 0; // of React, by which it is seen that a navigation was noticed

	constructor(changed: () => void) {
		this.#changed = changed;
	}

	/* Called for each fiber of a walk. */
	look(fiber: Fiber): void {
		const found = quietly(() => routerIn(fiber), null);
		if (!found || found === this.#data) return;
		this.#data = found;
		quietly(() => found.subscribe(() => this.#changed()), undefined);
	}

	route(): Route {
		const state = this.#data && quietly(() => this.#data!.state, null);
		if (!state) return { pathname: location.pathname };
		const matches = state.matches.slice(0, MATCHES_MAX);
		const route: Route = { pathname: state.location.pathname };
		route.matchedRouteIds = matches.map((match) => match.route.id).filter((id) => typeof id === 'string');
		const params = matches[matches.length - 1]?.params;
		if (params && Object.keys(params).length) {
			route.params = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
		}
		return route;
	}

	async navigate(path: string): Promise<void> {
		if (this.#data) {
			await this.#data.navigate(path);
			return;
		}
		const before = this.commits;
		history.pushState({}, '', path);
		dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
		await new Promise((done) => setTimeout(done, NAVIGATED_MS));
		if (this.commits === before) location.assign(path);
	}
}
