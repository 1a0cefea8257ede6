/* A6, A7, A15: ids from places, stable while held, and found again when lines move. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hash, identify, type Live, type Site } from './identity.ts';
import { rebind } from './rebind.ts';

function live(typeId: string, site: Site | null, parent: Live | null = null, key: string | null = null): Live {
	return { typeId, site, parent, key, pinned: false, id: '', locator: null, ordinal: 0, shape: '' };
}

const at = (line: number, column = 5): Site => ({ file: 'src/A.tsx', line, column });

/* A page of two cards with three keyed buttons and one more each. */
function page(shift = 0): Live[] {
	const all: Live[] = [];
	for (const line of [10, 20]) {
		const card = live('ui.card', at(line + shift));
		all.push(card);
		for (const key of ['a', 'b', 'c']) all.push(live('ui.button', at(30 + shift), card, key));
		all.push(live('ui.button', at(40 + shift), card));
	}
	all.push(live('ui.none', null), live('ui.none', null));
	return all;
}

const named = (all: Live[]) => {
	identify(all);
	return all;
};

test('ids are derived: the same page has the same ids, and no two are alike', () => {
	const first = named(page()).map((one) => one.id);
	assert.deepEqual(named(page()).map((one) => one.id), first);
	assert.equal(new Set(first).size, first.length);
	assert.ok(first.every((id) => id.length <= 200));
});

test('the locators say place, ordinal, key and owner', () => {
	const all = named(page());
	const { owner, ...rest } = all[2]!.locator!;
	assert.deepEqual(rest, { kind: 'jsxSite', file: 'src/A.tsx', line: 30, column: 5, ordinal: 1, key: 'b' });
	assert.equal(owner, all[0]!.shape);
	assert.deepEqual(all.at(-1)!.locator, { kind: 'renderIndex', index: 1 });
	assert.ok(!('key' in all[4]!.locator!) && all[0]!.locator!.owner === undefined);
});

test('who is held keeps the id when others come before, and its ancestors do', () => {
	const all = named(page());
	const held = all[2]!;
	const before = [held.id, all[0]!.id];
	held.pinned = true;
	const fresh = live('ui.button', at(30), all[0]!, 'new');
	const earlier = live('ui.card', at(10));
	named([earlier, all[0]!, fresh, ...all.slice(1)]);
	assert.deepEqual([held.id, all[0]!.id], before);
	const ids = [earlier, fresh, ...all].map((one) => one.id);
	assert.equal(new Set(ids).size, ids.length);
	assert.equal(fresh.ordinal, 0);
});

test('one that is not held is named as a page that is loaded anew would name it', () => {
	const all = named(page());
	const fresh = live('ui.button', at(30), all[0]!, 'new');
	named([all[0]!, fresh, ...all.slice(1)]);
	assert.deepEqual(all.slice(1, 4).map((one) => one.ordinal), [1, 2, 3]);
});

test('a name that is held is not given twice when another one moves to its line', () => {
	const held = live('ui.button', at(30));
	named([held]);
	held.pinned = true;
	held.site = at(31);
	const other = live('ui.button', at(30));
	named([other, held]);
	assert.notEqual(other.id, held.id);
});

test('a tree of random shape: ids are unique and repeatable (300 trees)', () => {
	let state = 5;
	const next = () => (state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) / 0x7fffffff;
	for (let i = 0; i < 300; i++) {
		const seed = state;
		const make = () => {
			const all: Live[] = [];
			for (let j = 0; j < 40; j++) {
				const parent = next() < 0.7 ? (all[Math.floor(next() * all.length)] ?? null) : null;
				const site = next() < 0.9 ? at(1 + Math.floor(next() * 3), 1 + Math.floor(next() * 2)) : null;
				all.push(live(`t${Math.floor(next() * 2)}`, site, parent, next() < 0.3 ? `k${Math.floor(next() * 2)}` : null));
			}
			return named(all).map((one) => one.id);
		};
		const first = make();
		state = seed;
		assert.deepEqual(make(), first);
		assert.equal(new Set(first).size, first.length);
	}
});

test('a hash of 10,000 texts has no pair', () => {
	const seen = new Set(Array.from({ length: 10_000 }, (_, i) => hash(`text ${i}`)));
	assert.equal(seen.size, 10_000);
});

const lost = (one: Live) => ({ typeId: one.typeId, locator: one.locator });
const never = () => false;

test('moved by a line: each draft finds its instance, through owners that have moved as well [A15]', () => {
	const [before, after] = [named(page()), named(page(1))];
	const drafts = [before[0]!].map(lost);
	// Both cards fit: neither key nor ordinal tells them apart.
	assert.deepEqual([...rebind(drafts, after, never).ambiguous], drafts);
	const small = [before[0]!, before[2]!];
	const moved = named(page(1).slice(0, 5));
	const found = rebind(small.map(lost), moved, never).found;
	assert.deepEqual([...found.values()].map((one) => one), [moved[0], moved[2]]);
});

test('never guessed: another type, file, key or ordinal, two drafts for one, one draft for two', () => {
	const [draft] = named([live('ui.button', at(30), null, 'a')]).map(lost);
	const tries: Live[][] = [
		[live('ui.other', at(31), null, 'a')], [live('ui.button', { ...at(31), file: 'src/B.tsx' }, null, 'a')], [live('ui.button', at(31), null, 'b')],
		[live('ui.button', at(31), live('ui.card', at(1)), 'a')], [live('ui.button', null)],
	];
	for (const candidates of tries) assert.equal(rebind([draft!], named(candidates), never).found.size, 0);
	const two = named([live('ui.button', at(31), null, 'a'), live('ui.button', at(32), null, 'a')]);
	assert.equal(rebind([draft!], two, never).ambiguous.size, 1);
	const drafts = named([live('ui.button', at(30), null, 'a'), live('ui.button', at(29), null, 'a')]).map(lost);
	const both = rebind(drafts, [two[0]!], never);
	assert.deepEqual([both.found.size, both.ambiguous.size], [0, 2]);
	assert.equal(rebind([{ typeId: null, locator: null }], two, never).found.size, 0);
});

test('what still stands in the source and is only not shown has not moved', () => {
	const [draft] = named([live('ui.button', at(30), null, 'a')]).map(lost);
	const candidates = named([live('ui.button', at(33), null, 'a')]);
	assert.equal(rebind([draft!], candidates, () => true).found.size, 0);
	assert.equal(rebind([draft!], candidates, never).found.size, 1);
});
