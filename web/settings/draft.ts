/* A setting as text in a field, and back. The daemon checks again and has the last word. */
import type { Json } from '../kit/mcp.ts';
import type { Setting } from '../kit/tenon.ts';

export function draftOf(value: unknown): string {
	if (Array.isArray(value)) return value.join(', ');
	return value === null || value === undefined ? '' : String(value);
}

export function parseDraft(
	setting: Pick<Setting, 'type' | 'minimum' | 'maximum'>,
	draft: string,
): { value: Json; problem: string | null } {
	const text = draft.trim();
	if (text === '' && setting.type !== 'string') return { value: null, problem: null };
	if (setting.type === 'list')
		return {
			value: text
				.split(',')
				.map((part) => part.trim())
				.filter(Boolean),
			problem: null,
		};
	if (setting.type !== 'integer') return { value: text, problem: null };
	const { minimum = -(2 ** 53), maximum = 2 ** 53 } = setting;
	const value = Number(text);
	if (!Number.isInteger(value) || value < minimum || value > maximum)
		return { value: null, problem: `Send a whole number from ${minimum} to ${maximum}.` };
	return { value, problem: null };
}
