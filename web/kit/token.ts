/* Where the person token comes from and stays.
 *
 * `tenon open` puts it into the fragment, which no server ever sees; it leaves the address bar and
 * the history at once. It is kept for this tab only. Tabs of the same origin ask each other, so
 * that after a restart of the daemon one `tenon open` wakes them all. */

const KEY = 'tenon.token';

/* "#token=abc" or "#/plan?token=abc" -> the token and the fragment without it. */
export function takeToken(fragment: string): { token: string | null; rest: string } {
	const found = /(^#|[?&])token=([A-Za-z0-9._~+/=-]+)/.exec(fragment);
	if (!found) return { token: null, rest: fragment };
	const rest = (fragment.slice(0, found.index) + fragment.slice(found.index + found[0].length))
		.replace(/[?&]$/, '');
	return { token: found[2] ?? null, rest: rest === '' || rest === '#' ? '#/' : rest };
}

function keep(token: string): void {
	try {
		sessionStorage.setItem(KEY, token);
	} catch {
		// Storage is switched off: the token lives as long as this page.
	}
}

export function storedToken(): string | null {
	const { token, rest } = takeToken(location.hash);
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

export function forgetToken(): void {
	try {
		sessionStorage.removeItem(KEY);
	} catch {
		// as above
	}
}

type Message = { want: true } | { token: string };

/* `known` is asked for the token that works; `got` is told of one that another tab has. */
export function shareToken(known: () => string | null, got: (token: string) => void) {
	const channel = new BroadcastChannel('tenon.token');
	channel.onmessage = (event: MessageEvent<Message>) => {
		const message = event.data;
		if ('want' in message) {
			const token = known();
			if (token) channel.postMessage({ token });
		} else if (!known()) {
			keep(message.token);
			got(message.token);
		}
	};
	return {
		ask: () => channel.postMessage({ want: true }),
		tell: (token: string) => channel.postMessage({ token }),
	};
}
