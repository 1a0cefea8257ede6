/* What differs between two texts, as few small replacements, so that cursors stay where they are and
 * what two people change at once meets as little as possible. */
export interface Change {
	from: number; // in the old text
	to: number;
	insert: string;
}

const CELLS_MAX = 1_000_000; // of the table; more changed lines than that are one replacement

/* Without what both have at the start and the end. */
function trimmed(old: string, at: number, now: string): Change | null {
	let head = 0;
	const most = Math.min(old.length, now.length);
	while (head < most && old.charCodeAt(head) === now.charCodeAt(head)) head++;
	let tail = 0;
	while (tail < most - head && old.charCodeAt(old.length - 1 - tail) === now.charCodeAt(now.length - 1 - tail))
		tail++;
	if (head === old.length && head === now.length) return null;
	return { from: at + head, to: at + old.length - tail, insert: now.slice(head, now.length - tail) };
}

const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/* Lengths of longest common subsequences of all tails. */
function table(old: string[], now: string[]): Uint32Array[] {
	const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
	for (let i = old.length - 1; i >= 0; i--)
		for (let j = now.length - 1; j >= 0; j--)
			rows[i]![j] =
				old[i] === now[j] ? rows[i + 1]![j + 1]! + 1 : Math.max(rows[i + 1]![j]!, rows[i]![j + 1]!);
	return rows;
}

/* In order, none touches another. */
export function diff(before: string, after: string): Change[] {
	const whole = trimmed(before, 0, after);
	if (!whole) return [];
	const start = whole.from === 0 ? 0 : before.lastIndexOf('\n', whole.from - 1) + 1;
	const newline = before.indexOf('\n', whole.to);
	const end = newline < 0 ? before.length : newline + 1;
	const old = linesOf(before.slice(start, end));
	const now = linesOf(after.slice(start, after.length - (before.length - end)));
	if ((old.length + 1) * (now.length + 1) > CELLS_MAX) return [whole];

	const rows = table(old, now);
	const found: Change[] = [];
	let at = start;
	let gone = '';
	let come = '';
	const flush = () => {
		const change = trimmed(gone, at - gone.length, come);
		if (change) found.push(change);
		gone = come = '';
	};
	for (let i = 0, j = 0; i < old.length || j < now.length; ) {
		if (i < old.length && j < now.length && old[i] === now[j]) {
			flush();
			at += old[i]!.length;
			i++;
			j++;
		} else if (j >= now.length || (i < old.length && rows[i + 1]![j]! >= rows[i]![j + 1]!)) {
			gone += old[i]!;
			at += old[i++]!.length;
		} else {
			come += now[j++]!;
		}
	}
	flush();
	return found;
}
