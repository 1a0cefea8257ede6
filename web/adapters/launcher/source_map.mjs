/* Source maps, as far as an insertion into a line needs them: reading where a place came from, and writing a map that
 * keeps every place of the one before. Lines and columns are 0-based here, in UTF-16 units. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...DIGITS].map((digit, value) => [digit, value]));

function encode(number) {
	let rest = number < 0 ? (-number << 1) | 1 : number << 1;
	let text = '';
	do {
		const digit = rest & 31;
		rest >>>= 5;
		text += DIGITS[rest ? digit | 32 : digit];
	} while (rest);
	return text;
}

function decode(segment) {
	const numbers = [];
	let value = 0;
	let shift = 0;
	for (const digit of segment) {
		const bits = VALUES.get(digit) ?? 0;
		value |= (bits & 31) << shift;
		shift += 5;
		if (bits & 32) continue;
		numbers.push(value & 1 ? -(value >>> 1) : value >>> 1);
		value = shift = 0;
	}
	return numbers;
}

/* The lines of a map: of each its segments [column, source, line, column]. */
export function readMap({ mappings }) {
	if (Array.isArray(mappings)) return mappings;
	let source = 0;
	let line = 0;
	let column = 0;
	return mappings.split(';').map((text) => {
		let at = 0;
		const segments = [];
		for (const segment of text ? text.split(',') : []) {
			const [dAt, dSource, dLine, dColumn] = decode(segment);
			at += dAt;
			if (dSource === undefined) continue;
			segments.push([at, (source += dSource), (line += dLine), (column += dColumn)]);
		}
		return segments;
	});
}

/* Where a place came from: of the segment at it or the last one before it on its line. */
export function originOf(lines, line, column) {
	const segments = lines[line] ?? [];
	let low = 0;
	let high = segments.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (segments[middle][0] <= column) low = middle + 1;
		else high = middle;
	}
	const found = segments[low - 1];
	return found && { source: found[1], line: found[2], column: found[3] };
}

/* Line and column of an offset. */
export class Lines {
	constructor(text) {
		this.starts = [0];
		for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.starts.push(at + 1);
	}

	of(offset) {
		let low = 0;
		let high = this.starts.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.starts[middle] <= offset) low = middle + 1;
			else high = middle;
		}
		return { line: low - 1, column: offset - this.starts[low - 1] };
	}
}

/* A text with replacements; none of them contains or removes a line's end. */
export class Edits {
	#all = [];

	replace(start, end, text) {
		this.#all.push({ start, end, text, order: this.#all.length });
	}

	insert(at, text) {
		this.replace(at, at, text);
	}

	/* Before whatever else is changed there. */
	insertFirst(at, text) {
		this.#all.push({ start: at, end: at, text, order: -1 });
	}

	get any() {
		return this.#all.length > 0;
	}

	/* What was inserted at one place stands there in the order in which it was inserted. */
	apply(text) {
		this.#all.sort((a, b) => a.start - b.start || a.order - b.order);
		let made = '';
		let at = 0;
		for (const { start, end, text: inserted } of this.#all) {
			made += text.slice(at, start) + inserted;
			at = Math.max(at, end);
		}
		return made + text.slice(at);
	}

	/* A map from the changed text to the text, with a segment for each of `before` (the map of the text itself), so
	 * that nothing is lost when both are joined. */
	map(text, before, name) {
		const lines = new Lines(text);
		const shifts = lines.starts.map(() => []);
		for (const { start, end, text: inserted } of this.#all) {
			const { line, column } = lines.of(start);
			shifts[line].push({ from: column, to: column + end - start, by: inserted.length - (end - start) });
		}
		let [lastLine, lastColumn] = [0, 0];
		const mappings = lines.starts.map((_start, line) => {
			const columns = new Set([0, ...(before[line] ?? []).map(([column]) => column), ...shifts[line].map(({ to }) => to)]);
			let lastAt = 0;
			return [...columns].sort((a, b) => a - b).map((column) => {
				let at = column;
				for (const { from, to, by } of shifts[line]) if (column > from || (column === from && to === from)) at += column >= to ? by : 0;
				const segment = [at - lastAt, 0, line - lastLine, column - lastColumn].map(encode).join('');
				[lastAt, lastLine, lastColumn] = [at, line, column];
				return segment;
			}).join(',');
		}).join(';');
		return { version: 3, sources: [name], names: [], mappings };
	}
}
