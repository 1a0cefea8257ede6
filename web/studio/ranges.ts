/* Address ranges as numbers, to be shown: how many addresses, and what of a network is free. What is wrong with one the
 * daemon says. IPv4; of IPv6 the number alone. */
export interface Range {
	from: number;
	to: number; // behind the last
}

export function rangeOf(text: unknown): Range | null {
	const found = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(String(text).trim());
	const [a, b, c, d, bits] = (found ?? []).slice(1).map(Number) as [number, number, number, number, number];
	if (!found || bits > 32 || [a, b, c, d].some((one) => one > 255)) return null;
	const size = 2 ** (32 - bits);
	const from = Math.floor((a * 2 ** 24 + b * 2 ** 16 + c * 256 + d) / size) * size;
	return { from, to: from + size };
}

export function address(value: number): string {
	return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}

/* How many addresses; text, since 2^64 is no number one can read. */
export function countOf(text: unknown): string | null {
	const range = rangeOf(text);
	if (range) return (range.to - range.from).toLocaleString('en-US');
	const bits = /^[0-9a-f:.]*:[0-9a-f:.]*\/(\d{1,3})$/i.exec(String(text))?.[1];
	return bits && Number(bits) <= 128 ? `2^${128 - Number(bits)}` : null;
}

/* What of `within` none of the others takes, in order. */
export function freeIn(within: Range, taken: readonly Range[]): Range[] {
	const free: Range[] = [];
	let at = within.from;
	for (const one of [...taken].sort((a, b) => a.from - b.from)) {
		if (one.from > at) free.push({ from: at, to: Math.min(one.from, within.to) });
		at = Math.max(at, one.to);
		if (at >= within.to) break;
	}
	if (at < within.to) free.push({ from: at, to: within.to });
	return free.filter((one) => one.to > one.from);
}
