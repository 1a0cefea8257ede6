import assert from 'node:assert/strict';
import { test } from 'node:test';

import { find } from './find.ts';
import {
	columns,
	eventsUntil,
	isOpen,
	outcome,
	paletteColour,
	playTime,
	castText,
	readCast,
	runs,
	timeline,
	type Command,
} from './model.ts';

const command = (id: string, more: Partial<Command> = {}): Command => ({
	command_id: id,
	command: 'true',
	status: 'completed',
	exit_code: 0,
	signal: null,
	duration_ms: 1,
	cwd: '/',
	started_at: '2026-01-01T00:00:00Z',
	total_lines: 0,
	typed: false,
	client: null,
	...more,
});

test('lines with colours', () => {
	const plain = { fg: -1, bg: -1, bold: false, reverse: false };
	assert.deepEqual(runs('a\x1b[1;31mb\x1b[mc'), [
		[
			{ ...plain, col: 0, text: 'a' },
			{ ...plain, fg: 1, bold: true, col: 1, text: 'b' },
			{ ...plain, col: 2, text: 'c' },
		],
	]);
	assert.deepEqual(runs('\x1b[38;5;208;48;2;1;2;3mx')[0], [{ ...plain, fg: 208, bg: 0x1010203, col: 0, text: 'x' }]);
	assert.deepEqual(runs('\x1b[38:5:9mx')[0]?.[0]?.fg, 9);
	assert.deepEqual(runs('\x1b[97;104mx')[0]?.[0], { ...plain, fg: 15, bg: 12, col: 0, text: 'x' });
	// A style goes on in the next line.
	assert.equal(runs('\x1b[7ma\nb')[1]?.[0]?.reverse, true);
	assert.deepEqual(runs(''), [[]]);
	assert.equal(runs('a\x07b')[0]?.[0]?.text, 'ab');
});

test('columns of wide and combining characters', () => {
	assert.deepEqual(['abc', '漢字', 'e\u0301', '😀a', ''].map(columns), [3, 4, 1, 3, 0]);
	assert.equal(runs('漢\x1b[1mx')[0]?.[1]?.col, 2);
});

test('colours of the palette', () => {
	const base = Array.from({ length: 16 }, (_, i) => `base${i}`);
	assert.equal(paletteColour(3, base), 'base3');
	assert.equal(paletteColour(16, base), 'rgb(0 0 0)');
	assert.equal(paletteColour(231, base), 'rgb(255 255 255)');
	assert.equal(paletteColour(208, base), 'rgb(255 135 0)');
	assert.equal(paletteColour(232, base), 'rgb(8 8 8)');
	assert.equal(paletteColour(0x1000000 + 0x0a0b0c, base), '#0a0b0c');
});

test('what a command has come to', () => {
	assert.equal(outcome(command('a')), 'good');
	assert.equal(outcome(command('a', { exit_code: 2 })), 'bad');
	assert.equal(outcome(command('a', { status: 'running', exit_code: null })), 'plain');
	assert.equal(outcome(command('a', { status: 'timed_out', exit_code: 124 })), 'warn');
	assert.equal(outcome(command('a', { exit_code: null })), 'plain');
	assert.equal(isOpen({ state: 'waiting_input' }), true);
	assert.equal(isOpen({ state: 'exited' }), false);
});

test('the timeline has each command once, as it was told last', () => {
	const listed = [
		command('a', { started_at: '2026-01-01T00:00:01Z', client: 'x' }),
		command('b', { started_at: '2026-01-01T00:00:02Z', status: 'running', exit_code: null }),
	];
	const told = [
		command('b', { started_at: '2026-01-01T00:00:02Z', exit_code: 1 }),
		command('c', { started_at: '2026-01-01T00:00:03Z' }),
	];
	const all = timeline(listed, told);
	assert.deepEqual(all.map((c) => c.command_id), ['c', 'b', 'a']);
	assert.equal(all[1]?.exit_code, 1);
	assert.equal(all[2]?.client, 'x');
});

test('recordings', () => {
	const text = [
		'{"version":2,"width":100,"height":30,"timestamp":1,"title":"x"}',
		'[0.5,"o","a"]',
		'[1.25,"r","80x24"]',
		'[1.5,"i","secret"]',
		'[2,"o","b"]',
		'[2.5,"o","cut',
	].join('\n');
	const cast = readCast(text);
	assert.equal(cast?.cols, 100);
	assert.equal(cast?.seconds, 2);
	assert.deepEqual(cast?.events.map((e) => e.kind), ['o', 'r', 'o']);
	assert.deepEqual([0, 0.5, 1, 1.25, 99].map((s) => eventsUntil(cast?.events ?? [], s)), [0, 1, 1, 2, 3]);
	assert.equal(readCast('{"version":1}'), null);
	assert.equal(readCast('hello'), null);
	assert.equal(readCast(''), null);
});

test('a recording in pieces', async () => {
	const file = new TextEncoder().encode('{"é"}\n[1]\n[2]\n');
	const asked: number[] = [];
	const read = async (from: number) => {
		asked.push(from);
		const end = file.indexOf(10, from) + 1;
		return new TextDecoder().decode(file.slice(from, end || from));
	};
	assert.deepEqual(await castText(read), { text: '{"é"}\n[1]\n[2]\n', whole: true });
	assert.deepEqual(asked, [0, 7, 11, 15]);
	assert.deepEqual(await castText(read, 8), { text: '{"é"}\n[1]\n', whole: false });
	assert.deepEqual(await castText(async () => ''), { text: '', whole: true });
});

test('times of a recording', () => {
	assert.deepEqual([0, 9.9, 61, 3725].map(playTime), ['0:00', '0:09', '1:01', '1:02:05']);
});

test('a text is found above the screen, newest first, over the edge of a row, and round', () => {
	const rows = ['make all  ', 'ERROR one ', 'a long er', 'ror two   ', 'done      '];
	const row = (at: number) => ({ text: rows[at] ?? '', wrapped: at === 3 });
	const places = [];
	let at = { row: rows.length, column: 0 };
	for (let i = 0; i < 3; i++) {
		const next = find(rows.length, row, 'error', at, true);
		assert.ok(next);
		places.push([next.row, next.column]);
		at = next;
	}
	assert.deepEqual(places, [[2, 7], [1, 0], [2, 7]]);
	assert.deepEqual(find(rows.length, row, 'Error', { row: 0, column: -1 }, false), { row: 1, column: 0 });
	assert.deepEqual(find(rows.length, row, 'error', { row: 1, column: 0 }, false), { row: 2, column: 7 });
	assert.deepEqual(find(rows.length, row, 'done', { row: 4, column: 0 }, true), { row: 4, column: 0 });
	assert.equal(find(rows.length, row, 'nowhere', { row: 0, column: 0 }, true), null);
	assert.equal(find(0, row, 'x', { row: 0, column: 0 }, true), null);
});
