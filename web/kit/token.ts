/* Where the person token comes from and stays.
 *
 * `tenon open` puts it into the fragment, which no server ever sees; it leaves the address bar and
 * the history at once. It is kept for this tab, and no tab tells another: an origin is a port, and a
 * tab that another program served on this port before is of our origin, too. */

const KEY = 'tenon.token';

/* "#token=abc" or "#/plan?token=abc" -> the token and the fragment without it; `stay` where it names no page. */
export function takeToken(fragment: string, stay = '#/'): { token: string | null; rest: string } {
	const found = /(^#|[?&])token=([A-Za-z0-9._~+/=-]+)/.exec(fragment);
	if (!found) return { token: null, rest: fragment };
	const rest = (fragment.slice(0, found.index) + fragment.slice(found.index + found[0].length))
		.replace(/[?&]$/, '');
	return { token: found[2] ?? null, rest: rest === '' || rest === '#' || rest === '#/' ? stay || '#/' : rest };
}

function keep(token: string): void {
	try {
		sessionStorage.setItem(KEY, token);
	} catch {
		// Storage is switched off: the token lives as long as this page.
	}
}

/* `stay`: where the page was when the address with the token was pasted into it. */
export function storedToken(stay?: string): string | null {
	const { token, rest } = takeToken(location.hash, stay);
	if (token) {
		history.replaceState(null, '', location.pathname + rest);
		keep(token);
		return token;
	}
	try {
		return sessionStorage.getItem(KEY);
	} catch {
		return null;
	}
}

/* What this tab is called: after a reload or a reconnect it is still the one whose changes are its own. A copy of a tab has a
 * copy of its storage, so the name is held while it is in use, and whoever finds it held takes another. */
const TAB = 'tenon.tab';
export async function tabName(): Promise<string> {
	const fresh = () => [...crypto.getRandomValues(new Uint8Array(10))].map((one) => one.toString(16).padStart(2, '0')).join('');
	const hold = (name: string) =>
		new Promise<boolean>((resolve) => {
			if (!navigator.locks) return resolve(false);
			const held = (lock: unknown) => (resolve(lock !== null), lock ? new Promise<void>(() => undefined) : Promise.resolve());
			navigator.locks.request(`${TAB}.${name}`, { ifAvailable: true }, held).catch(() => resolve(false));
		});
	try {
		const kept = sessionStorage.getItem(TAB);
		if (kept && (await hold(kept))) return kept;
		const name = fresh();
		if (await hold(name)) sessionStorage.setItem(TAB, name);
		return name;
	} catch {
		return fresh(); // no storage: for as long as this page lives
	}
}

export function forgetToken(): void {
	try {
		sessionStorage.removeItem(KEY);
	} catch {
		// as above
	}
}
