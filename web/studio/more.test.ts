/* What around the canvas needs no browser: the search's language, the clipboard's text, the zip. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';

import type { NodeView } from './diagram.svelte.ts';
import { completions, find } from './find.ts';
import { zip } from './zip.ts';

const node = (id: string, over: object = {}, record: object = {}): NodeView =>
	({
		id,
		ancestors: [],
		children: [],
		problems: [],
		cost: null,
		type: { displayName: 'Key Vault' },
		record: { label: id, typeId: 'a/b/key_vault', deploymentStatus: 'pending', properties: {}, ...record },
		...over,
	}) as unknown as NodeView;
const web = node('Web front', {}, { properties: { nested: [{ port: 8443 }] }, addresses: ['x_subnet.web'] });
const dear = node('Dear', { ancestors: [web], cost: { monthly: 120 }, problems: [{ severity: 'error', code: 'MISSING' }] }, { deploymentStatus: 'failed' });
const unknown = node('No price', { cost: { monthly: null } });
const all = [web, dear, unknown];
const found = (words: string, changed = new Set<string>()) => find(all, words, changed).map((one) => one.id);

test('words are found in names, values and addresses, and all must hold', () => {
	assert.deepEqual(found('8443'), ['Web front']);
	assert.deepEqual(found('x_subnet.web'), ['Web front']);
	assert.deepEqual(found('"web front"'), ['Web front']);
	assert.deepEqual(found('web dear'), []);
	assert.deepEqual(found('   '), []);
	assert.deepEqual(found('"'), ['Web front', 'Dear', 'No price']); // a phrase that is only begun hides nothing
});

test('filters', () => {
	assert.deepEqual(found('status:failed'), ['Dear']);
	assert.deepEqual(found('has:error'), ['Dear']);
	assert.deepEqual(found('has:warning'), []);
	assert.deepEqual(found('in:"Web front" type:vault'), ['Dear']);
	assert.deepEqual(found('cost>100'), ['Dear']);
	assert.deepEqual(found('cost>=200'), []);
	assert.deepEqual(found('cost<200'), ['Dear']); // no price is no number
	assert.deepEqual(found('changed', new Set(['Dear'])), ['Dear']);
	assert.deepEqual(found('nosuch:thing'), []); // an unknown filter is a word
});

test('what the last word may become', () => {
	assert.deepEqual(completions('web st', all), ['web status:']);
	assert.deepEqual(completions('status:f', all), ['status:failed']);
	assert.deepEqual(completions('', all), []);
});

/* Read as an unpacker does: from the end. */
function unzip(parts: Uint8Array[]): Record<string, string> {
	const bytes = Buffer.concat(parts);
	const end = bytes.length - 22;
	assert.equal(bytes.readUInt32LE(end), 0x06054b50);
	const files: Record<string, string> = {};
	let at = bytes.readUInt32LE(end + 16);
	for (let i = 0; i < bytes.readUInt16LE(end + 10); i++) {
		assert.equal(bytes.readUInt32LE(at), 0x02014b50);
		const [crc, size, length, start] = [bytes.readUInt32LE(at + 16), bytes.readUInt32LE(at + 24), bytes.readUInt16LE(at + 28), bytes.readUInt32LE(at + 42)];
		assert.equal(bytes.readUInt32LE(start), 0x04034b50);
		const from = start + 30 + bytes.readUInt16LE(start + 26);
		const content = bytes.subarray(from, from + size);
		assert.equal(crc32(content), crc);
		files[bytes.subarray(at + 46, at + 46 + length).toString()] = content.toString();
		at += 46 + length;
	}
	assert.equal(at, end);
	return files;
}

test('a zip has what went in', () => {
	const files = { 'main.tf': 'a = "ü"\n', 'modules/net/main.tf': '', 'big.tf': 'x'.repeat(70_000) };
	assert.deepEqual(unzip(zip(files)), { 'big.tf': files['big.tf'], 'main.tf': files['main.tf'], 'modules/net/main.tf': '' });
	assert.deepEqual(unzip(zip({})), {});
	assert.deepEqual(Buffer.concat(zip(files)), Buffer.concat(zip(files)));
});
