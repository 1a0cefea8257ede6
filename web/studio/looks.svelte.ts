/* How the diagram and its panels look beyond light and dark: contrast, colours that people with other colour vision tell
 * apart, and the size of text in panels (SC-190). What the system asks for counts where nothing was chosen. */
import { store, stored } from './project.svelte.ts';

interface Looks {
	contrast: 'system' | 'high';
	colours: 'usual' | 'redgreen' | 'blueyellow';
	scale: string; // percent
}
const USUAL: Looks = { contrast: 'system', colours: 'usual', scale: '100' };

export const looks = $state<Looks>({ ...USUAL, ...stored<Partial<Looks>>('looks', 'all') });

export function setLook(what: keyof Looks, value: string): void {
	(looks as unknown as Record<string, string>)[what] = value;
	store('looks', 'all', $state.snapshot(looks));
}
