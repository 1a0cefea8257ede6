/* Looks for a text in the rows of a terminal, those above the screen too. A line that was broken at the edge is one line. */

export interface Row {
	text: string; // one letter a column, as far as its letters are one column wide
	wrapped: boolean; // it goes on with the row before
}

export interface Place {
	row: number;
	column: number;
}

/* The next place of the text without case, from a place on (itself excluded), round to it again; null: it is nowhere. */
export function find(count: number, row: (at: number) => Row, text: string, from: Place, back: boolean): Place | null {
	const needle = text.toLowerCase();
	if (!needle || count === 0) return null;
	const lines = linesOf(count, row);
	const own = Math.max(0, lines.findLastIndex((line) => line.first <= from.row));
	for (let step = 0; step <= lines.length; step++) {
		const line = lines[(((own + (back ? -step : step)) % lines.length) + lines.length) % lines.length];
		if (!line) return null;
		const at = step === 0 ? line.offset(from) : back ? Infinity : -1;
		const found = back
			? at > 0 ? line.text.lastIndexOf(needle, Math.min(at - 1, line.text.length)) : -1
			: line.text.indexOf(needle, at + 1);
		if (found >= 0) return line.place(found);
	}
	return null;
}

function linesOf(count: number, row: (at: number) => Row) {
	const lines = [];
	for (let at = 0; at < count; ) {
		const first = at;
		const rows: string[] = [];
		do rows.push(row(at++).text.toLowerCase());
		while (at < count && row(at).wrapped);
		lines.push({
			first,
			text: rows.join('').trimEnd(),
			offset: (from: Place) =>
				from.row - first >= rows.length
					? Infinity
					: rows.slice(0, from.row - first).join('').length + from.column,
			place: (offset: number): Place => {
				let row = 0;
				for (; offset >= (rows[row] ?? '').length && row < rows.length - 1; row++) offset -= (rows[row] ?? '').length;
				return { row: first + row, column: offset };
			},
		});
	}
	return lines;
}
