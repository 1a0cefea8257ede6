/* Who an instance is [A6, A7]: where it is written, and which one of those it is there. Ids are hashes of that, so a
 * page that is loaded anew and shows the same has the same ids. */
import { canonical, type Fields, type Json } from './values.ts';

export interface Site {
	file: string;
	line: number;
	column: number;
}

/* What an adapter knows of a live instance; in document order and parents first. */
export interface Live {
	typeId: string;
	site: Site | null;
	key: string | null;
	place?: Fields | null; // a locator of another kind, which the adapter has made itself
	parent: Live | null;
	pinned: boolean; // keeps its id while somebody holds on to it: an override, the selection
	id: string;
	locator: Fields | null;
	ordinal: number;
	named?: string; // what its name was made of
	shape: string; // the locator's hash, and the same without lines and columns: "hash.shape"
}

/* 106 bits in hexadecimal: two runs of a multiplying hash over UTF-16 units. Fast, and not for secrets. */
export function hash(text: string): string {
	return run(text, 0x9e3779b1) + run(text, 0x85ebca77);
}

function run(text: string, seed: number): string {
	let a = 0xdeadbeef ^ seed;
	let b = 0x41c6ce57 ^ seed;
	for (let i = 0; i < text.length; i++) {
		const unit = text.charCodeAt(i);
		a = Math.imul(a ^ unit, 2654435761);
		b = Math.imul(b ^ unit, 1597334677);
	}
	a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
	b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
	return (4294967296 * (2097151 & b) + (a >>> 0)).toString(16).padStart(14, '0');
}

export function idOf(typeId: string, locator: Json): string {
	return `i_${hash(canonical([typeId, locator]))}`;
}

/* "hash.shape": equal shapes are the same place in a file whose lines have moved [A15]. */
export function ownerHash(typeId: string, locator: Fields): string {
	const exact = hash(canonical([typeId, locator]));
	return `${exact}.${hash(canonical(shapeOf(typeId, locator)))}`;
}

export function shapeOf(typeId: string, locator: Fields): Json {
	const { line: _line, column: _column, owner, ...rest } = locator;
	const above = typeof owner === 'string' ? (owner.split('.')[1] ?? owner) : null;
	return [typeId, rest, above];
}

function groupOf(one: Live, numbers: Map<Live, number>): string {
	if (one.place) return `place ${canonical(one.place)} ${one.typeId}`;
	if (!one.site) return `index ${one.typeId}`;
	const { file, line, column } = one.site;
	return `${one.parent ? numbers.get(one.parent) : 'root'} ${line}:${column} ${file} ${one.typeId}`;
}

/* Gives each its ordinal: its place among those from the same site under the same parent, or among all of its type.
 * One that is pinned keeps the number it has, and the others share out what is left, in document order. */
function number(group: Live[]): void {
	const taken = new Set<number>();
	for (const one of group) if (one.pinned && one.id) taken.add(one.ordinal);
	let next = 0;
	for (const one of group) {
		if (one.pinned && one.id) continue;
		while (taken.has(next)) next++;
		one.ordinal = next++;
	}
}

function locatorOf(one: Live): Fields {
	if (one.place) return one.ordinal ? { ...one.place, text: String(one.ordinal) } : one.place;
	if (!one.site) return { kind: 'renderIndex', index: one.ordinal };
	const locator: Fields = { kind: 'jsxSite', ...one.site, ordinal: one.ordinal };
	if (one.key !== null) locator.key = one.key;
	if (one.parent) locator.owner = one.parent.shape;
	return locator;
}

/* All that a name is made of: what has the same keeps it, and need not be hashed again. */
function markOf({ typeId, site, key, place, parent, ordinal }: Live): string {
	const where = place ? canonical(place) : site ? `${site.line}:${site.column} ${site.file}` : '';
	return `${ordinal} ${where} ${parent?.shape ?? ''} ${typeId} ${key === null ? '' : `"${key}`}`;
}

/* Names all of them. An ancestor of a pinned one is pinned as well: its locator is part of the other's. */
export function identify(all: Live[]): void {
	for (let i = all.length - 1; i >= 0; i--) {
		const { pinned, parent } = all[i]!;
		if (pinned && parent) parent.pinned = true;
	}
	const numbers = new Map<Live, number>();
	const groups = new Map<string, Live[]>();
	for (const one of all) {
		numbers.set(one, numbers.size);
		const group = groupOf(one, numbers);
		const members = groups.get(group);
		if (members) members.push(one);
		else groups.set(group, [one]);
	}
	for (const group of groups.values()) number(group);
	// A pinned one may hold the name of a line that another one stands on by now.
	const held = new Set(all.filter((one) => one.pinned && one.id).map((one) => one.id));
	for (const one of all) {
		if (one.pinned && one.id) continue;
		const mark = markOf(one);
		if (one.named === mark && !held.has(one.id)) {
			held.add(one.id);
			continue;
		}
		do {
			one.locator = locatorOf(one);
			one.id = idOf(one.typeId, one.locator);
		} while (held.has(one.id) && ++one.ordinal);
		held.add(one.id);
		one.shape = ownerHash(one.typeId, one.locator);
		one.named = mark;
	}
}
