/* The client token, once a person has asked to see it; never read before, never stored. */
import { link } from '../kit/link.svelte.ts';

class ClientToken {
	value = $state<string | null>(null);

	async show(): Promise<string> {
		const result = await link.client.call('show_token', {});
		return this.#take(result.structured?.token);
	}

	async rotate(): Promise<string> {
		const result = await link.client.call('rotate_token', {});
		return this.#take(result.structured?.token);
	}

	hide(): void {
		this.value = null;
	}

	#take(token: unknown): string {
		this.value = String(token);
		return this.value;
	}
}

export const clientToken = new ClientToken();
