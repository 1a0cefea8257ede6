/* The marks on one plan: shared with everybody who has it open, assistants too. */
import { link } from '../kit/link.svelte.ts';
import { live } from '../kit/live.svelte.ts';
import type { JsonObject } from '../kit/mcp.ts';
import { say } from '../kit/toast.svelte.ts';
import type { Mark, Review, Verdict } from './model.ts';

const MARKS_MAX = 1000; // of one call (terraform_review)

/* For the time that the component lives. */
export function review(id: string) {
	const shared = live<Review>(`plan://${id}/review`);
	const marks = $derived(new Map((shared.value?.marks ?? []).map((m): [string, Mark] => [m.address, m])));

	async function call(args: JsonObject): Promise<boolean> {
		try {
			await link.client.call('terraform_review', { plan_id: id, ...args });
			return true;
		} catch (error) {
			say((error as Error).message, 'bad');
			return false;
		}
	}

	return {
		get marks() {
			return marks;
		},
		get value() {
			return shared.value;
		},
		get problem() {
			return shared.problem;
		},
		mark: (address: string, verdict: Verdict | 'none', note: string | null) =>
			call({ marks: [{ address, verdict, ...(note ? { note } : {}) }] }),
		async markAll(addresses: string[], verdict: Verdict): Promise<boolean> {
			for (let at = 0; at < addresses.length; at += MARKS_MAX) {
				const part = addresses.slice(at, at + MARKS_MAX);
				if (!(await call({ marks: part.map((address) => ({ address, verdict })) }))) return false;
			}
			return true;
		},
		undo: () => call({ undo: true }),
		redo: () => call({ redo: true }),
	};
}

export type SharedReview = ReturnType<typeof review>;
