/* Which page: "#/plan/pln_abc" is page "plan" with the rest "pln_abc". The fragment, so that the
 * daemon serves one file and the token can come the same way. */
import type { PageId } from '../shell/pages.ts';

/* Somebody's own "%" is one: an address that is no good escape shows the page all the same. */
function plain(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/* `page` is what stands there; shell/pages.ts knows which one that is. */
export function parseRoute(fragment: string): { page: string; rest: string } {
	// What follows "?" is the key, which is on its way out (token.ts).
	const path = fragment.replace(/^#\/?/, '').replace(/\?.*/, '');
	const [first = '', ...others] = path.split('/');
	return { page: first, rest: others.map(plain).join('/') };
}

export function href(page: PageId, rest = ''): string {
	return '#/' + (page === 'overview' ? '' : page) + (rest ? '/' + encodeURIComponent(rest) : '');
}

class Route {
	#now = $state.raw(parseRoute(location.hash));
	get page(): string {
		return this.#now.page;
	}
	get rest(): string {
		return this.#now.rest;
	}
	constructor() {
		// A key alone names no page: the one that is there stays, with what was typed on it (link.svelte.ts).
		addEventListener('hashchange', () => /^#\/?\??token=/.test(location.hash) || (this.#now = parseRoute(location.hash)));
	}
	go(page: PageId, rest = ''): void {
		location.hash = href(page, rest);
	}
}

export const route = new Route();
