/* What the canvas shows beside the diagram itself (SC-130), and what of the diagram it does not (SC-131). Kept by this
 * browser; the keys 1 to 6 and the chips change the same values. */
import type { Diagram } from './diagram.svelte.ts';
import { store, stored } from './project.svelte.ts';
import type { Runs } from './runs.svelte.ts';

export type Chip = 'problems' | 'costs' | 'variables' | 'changed';

export class Layers {
	on = $state<Record<Chip, boolean>>({ problems: true, costs: false, variables: false, changed: false, ...stored<Partial<Record<Chip, boolean>>>('chips', 'all') });
	/* "line:binding", "annotation", "virtual", "labels", "provider:azurerm", "type:azurerm/network/subnet". */
	hidden = $state.raw<ReadonlySet<string>>(new Set(stored<string[]>('hidden', 'all') ?? []));
	readonly #runs: Runs;

	constructor(runs: Runs) {
		this.#runs = runs;
	}
	flip(what: Chip): void {
		this.on[what] = !this.on[what];
		store('chips', 'all', $state.snapshot(this.on));
	}
	hide(what: string): void {
		const next = new Set(this.hidden);
		if (!next.delete(what)) next.add(what);
		this.#keep(next);
	}
	showAll(): void {
		this.#keep(new Set());
	}
	#keep(next: ReadonlySet<string>): void {
		this.hidden = next;
		store('hidden', 'all', [...next]);
	}

	/* In the order of the chips: the keys 1 to 6. */
	key(at: number): void {
		const { layers } = this.#runs;
		if (at === 1) layers.status = !layers.status;
		else if (at === 2) layers.plan = !layers.plan;
		else this.flip((['problems', 'costs', 'variables', 'changed'] as const)[at - 3]!);
	}

	/* Nodes and lines that are not drawn. */
	count(diagram: Diagram | null): number {
		if (!diagram || this.hidden.size === 0) return 0;
		return [...diagram.all, ...diagram.allEdges].filter((one) => one.isAway && !one.leaving).length;
	}
}
