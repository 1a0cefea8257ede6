/* Selections as they were, to go back and forward through (Ctrl+[ and Ctrl+]). */
const MOST = 50;

export class Trail {
	#list: string[][] = [];
	#at = -1;
	#going = false;

	note(ids: string[]): void {
		if (this.#going || ids.length === 0 || this.#list[this.#at]?.join() === ids.join()) return;
		this.#list = [...this.#list.slice(0, this.#at + 1), ids].slice(-MOST);
		this.#at = this.#list.length - 1;
	}
	/* The one before or after of which something is still there. */
	go(step: -1 | 1, there: (id: string) => boolean, show: (ids: string[]) => void): void {
		for (let at = this.#at + step; at >= 0 && at < this.#list.length; at += step) {
			const ids = this.#list[at]!.filter(there);
			if (ids.length === 0) continue;
			this.#at = at;
			this.#going = true;
			show(ids);
			this.#going = false;
			return;
		}
	}
}
