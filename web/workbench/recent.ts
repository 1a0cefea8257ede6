/* Which folders this browser has opened, the last one first: they are offered again. */
const KEY = 'tenon.workbench.recent';
const KEPT = 8;

export function recent(): string[] {
	try {
		const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
		return Array.isArray(found) ? found.filter((path) => typeof path === 'string').slice(0, KEPT) : [];
	} catch {
		return [];
	}
}

function keep(paths: string[]): string[] {
	try {
		localStorage.setItem(KEY, JSON.stringify(paths));
	} catch {
		// Storage is switched off: they are offered as long as this page is open.
	}
	return paths;
}

export const remember = (path: string): string[] => keep([path, ...recent().filter((one) => one !== path)].slice(0, KEPT));
export const forget = (path: string): string[] => keep(recent().filter((one) => one !== path));
