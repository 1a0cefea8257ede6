/* By which link places are opened in this person's editor; empty: they are only copied. */
const KEY = 'tenon.workbench.editor';

function stored(): string {
	try {
		return localStorage.getItem(KEY) ?? '';
	} catch {
		return '';
	}
}

class Editor {
	#template = $state(stored());
	get template(): string {
		return this.#template;
	}
	set template(value: string) {
		this.#template = value;
		try {
			localStorage.setItem(KEY, value);
		} catch {
			// Storage is switched off: it counts as long as this page is open.
		}
	}
}
export const editor = new Editor();
