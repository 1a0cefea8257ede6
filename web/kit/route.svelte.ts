/* Which page: "#/plan/pln_abc" is page "plan" with the rest "pln_abc". The fragment, so that the
 * daemon serves one file and the token can come the same way. */
export const pages = ['overview', 'activity', 'plan', 'floorplan', 'terminal', 'connect', 'settings', 'help'] as const;
export type Page = (typeof pages)[number];

export function parseRoute(fragment: string): { page: Page; rest: string } {
	// What follows "?" is the key, which is on its way out (token.ts).
	const path = fragment.replace(/^#\/?/, '').replace(/\?.*/, '');
	const [first = '', ...others] = path.split('/');
	const page = pages.find((p) => p === first) ?? 'overview';
	return { page, rest: others.map(decodeURIComponent).join('/') };
}

export function href(page: Page, rest = ''): string {
	return '#/' + (page === 'overview' ? '' : page) + (rest ? '/' + encodeURIComponent(rest) : '');
}

class Route {
	#now = $state.raw(parseRoute(location.hash));
	get page(): Page {
		return this.#now.page;
	}
	get rest(): string {
		return this.#now.rest;
	}
	constructor() {
		addEventListener('hashchange', () => (this.#now = parseRoute(location.hash)));
	}
	go(page: Page, rest = ''): void {
		location.hash = href(page, rest);
	}
}

export const route = new Route();
