/* A zip of texts, stored as they are: every unpacker reads it, and nothing is to be loaded for it. The same texts give the
 * same bytes. */
const table = Uint32Array.from({ length: 256 }, (_, n) => {
	for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
	return n;
});
const crcOf = (bytes: Uint8Array) => ~bytes.reduce((crc, byte) => table[(crc ^ byte) & 255]! ^ (crc >>> 8), -1) >>> 0;
const YEAR_1980 = 0x21; // the first day a zip knows

const little = (...fields: [value: number, bytes: 2 | 4][]) =>
	Uint8Array.from(fields.flatMap(([value, size]) => Array.from({ length: size }, (_, i) => (value >>> (8 * i)) & 255)));

export function zip(files: Record<string, string>): Uint8Array<ArrayBuffer>[] {
	const encoder = new TextEncoder();
	const parts: Uint8Array<ArrayBuffer>[] = [];
	const entries: Uint8Array<ArrayBuffer>[] = [];
	let at = 0;
	for (const [path, text] of Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))) {
		const name = encoder.encode(path);
		const bytes = encoder.encode(text);
		// Version 2.0, names in UTF-8, stored.
		const common = little([20, 2], [0x800, 2], [0, 2], [0, 2], [YEAR_1980, 2], [crcOf(bytes), 4], [bytes.length, 4], [bytes.length, 4], [name.length, 2], [0, 2]);
		const head = little([0x04034b50, 4]);
		entries.push(little([0x02014b50, 4], [20, 2]), common, little([0, 2], [0, 2], [0, 2], [0, 4], [at, 4]), name);
		parts.push(head, common, name, bytes);
		at += head.length + common.length + name.length + bytes.length;
	}
	const size = entries.reduce((sum, one) => sum + one.length, 0);
	const count = Object.keys(files).length;
	return [...parts, ...entries, little([0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2], [size, 4], [at, 4], [0, 2])];
}
