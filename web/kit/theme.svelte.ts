/* Light, dark, or as the system says; remembered in this browser. */
export type Choice = 'system' | 'light' | 'dark';
const KEY = 'tenon.theme';
const system = matchMedia('(prefers-color-scheme: dark)');

function stored(): Choice {
	try {
		const value = localStorage.getItem(KEY);
		return value === 'light' || value === 'dark' ? value : 'system';
	} catch {
		return 'system';
	}
}

class Theme {
	choice = $state<Choice>(stored());
	#systemDark = $state(system.matches);
	readonly dark = $derived(
		this.choice === 'dark' || (this.choice === 'system' && this.#systemDark),
	);

	constructor() {
		system.addEventListener('change', () => {
			this.#systemDark = system.matches;
			this.apply();
		});
	}

	set(choice: Choice): void {
		this.choice = choice;
		try {
			if (choice === 'system') localStorage.removeItem(KEY);
			else localStorage.setItem(KEY, choice);
		} catch {
			// Storage is switched off: it holds until the page is closed.
		}
		this.apply();
	}

	apply(): void {
		document.documentElement.dataset.theme = this.dark ? 'dark' : 'light';
	}
}

export const theme = new Theme();
