// parse_check.mjs DUMP FOLDER... - our parser and the reference one on the same files: both refuse, or both read the
// same names, blocks and constants. DUMP is the program made of tests/studio/hcl_dump.c.
import { parse } from '@cdktf/hcl2json';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { result } from '../../clients/results.mjs';

const [dump, ...folders] = process.argv.slice(2);
const wrong = [];
let files = 0, values = 0, refused = 0;
const fail = (file, what) => wrong.push(`${file}: ${what}`);

function* walk(folder) {
	for (const name of readdirSync(folder).sort()) {
		const path = join(folder, name);
		if (statSync(path).isDirectory()) yield* walk(path);
		else if (/\.(tf|tfvars)$/.test(name)) yield path;
	}
}

// An expression is a text with its source in it, whatever is around it.
function sameValue(ours, theirs) {
	if (ours && typeof ours === 'object' && 'expression' in ours && Object.keys(ours).length === 1)
		return typeof theirs !== 'number' && typeof theirs !== 'boolean';
	values += 1;
	if (Array.isArray(ours))
		return Array.isArray(theirs) && ours.length === theirs.length && ours.every((one, i) => sameValue(one, theirs[i]));
	if (ours && typeof ours === 'object') {
		if (!theirs || typeof theirs !== 'object') return false;
		const keys = Object.keys(ours);
		return keys.length === Object.keys(theirs).length && keys.every((key) => key in theirs && sameValue(ours[key], theirs[key]));
	}
	// A text that would be read as an expression again is written with the escape there.
	if (typeof ours === 'string' && typeof theirs === 'string')
		return ours === theirs || ours === theirs.replaceAll('$${', '${').replaceAll('%%{', '%{');
	return ours === theirs;
}

// Under the names of their types and labels, as the reference tool has them.
function shape(body) {
	const out = { ...body.attributes };
	for (const block of body.blocks) {
		let at = out, key = block.type;
		for (const label of block.labels) { at = at[key] ??= {}; key = label; }
		(at[key] ??= []).push(shape(block.body));
	}
	return out;
}

function difference(ours, theirs, path = '') {
	for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
		if (!(key in ours)) return `${path}${key} is missing`;
		if (!(key in theirs)) return `${path}${key} is too much`;
		if (!sameValue(ours[key], theirs[key]))
			return `${path}${key} is ${JSON.stringify(ours[key])}, there ${JSON.stringify(theirs[key])}`;
	}
	return null;
}

for (const folder of folders) {
	for (const file of walk(folder)) {
		const ran = spawnSync(dump, [file], { encoding: 'utf8', maxBuffer: 1 << 28 });
		if (ran.status !== 0) { fail(file, ran.stderr); continue; }
		const ours = JSON.parse(ran.stdout);
		let theirs = null, error = '';
		try { theirs = await parse(file, readFileSync(file, 'utf8')); } catch (caught) { error = String(caught); }
		files += 1;
		if (ours.faults.length > 0 || !theirs) {
			refused += 1;
			if (ours.faults.length === 0) fail(file, `the reference refuses it: ${error}`);
			else if (theirs) fail(file, `the reference reads it; our fault is in line ${ours.faults[0]}`);
			continue;
		}
		const found = difference(shape(ours.body), theirs);
		if (found) fail(file, found);
	}
}
result(files > 30 && values > 200 && refused > 15 && wrong.length === 0, 'studio-hcl',
  'our parser and the reference one read and refuse the same', `${wrong.length} of ${files}: ${wrong.slice(0, 3).join(' | ')}`);
console.log(`${files} files: ${values} values are the same, ${refused} files are refused by both`);
process.exit(wrong.length > 0 ? 1 : 0);
