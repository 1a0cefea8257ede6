// sbom.mjs TENON.SPDX.JSON [ROOT] - the list of parts, read by others' programs: licences by spdx-expression-parse (the
// licence list of spdx.org), packages by packageurl-js (the purl specification). And what SPDX 2.3 asks of a document beyond
// its members: one that is described, ids that exist and stand once, relationships that lead from the document to everything.
import { readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import parseLicence from 'spdx-expression-parse';
import { PackageURL } from 'packageurl-js';

const [path, root] = process.argv.slice(2);
const document = JSON.parse(readFileSync(path, 'utf8'));
const faults = faultsOf(document);
if (root) faults.push(...forgotten(document, root));

// What a validator that finds nothing would let pass: each of these must be found.
const broken = {
	'a licence that is none': (d) => (d.packages[1].licenseDeclared = 'Free for all'),
	'a licence in other letters': (d) => (d.packages[1].licenseDeclared = 'mit'),
	'a part that is named twice': (d) => d.packages.push(d.packages[1]),
	'a relationship to nothing': (d) => (d.relationships[1].relatedSpdxElement = 'SPDXRef-Nobody'),
	'a part without a relationship': (d) => d.relationships.pop(),
	'nothing that is described': (d) => d.relationships.shift(),
	'a purl that is none': (d) => (d.packages.at(-1).externalRefs[0].referenceLocator = 'npm:x'),
	'a purl of another version': (d) => (d.packages.at(-1).versionInfo = '0'),
	'files without a verification code': (d) => (d.packages[1].filesAnalyzed = true),
	'a digest that is cut': (d) => (d.packages.at(-1).checksums[0].checksumValue = 'abc'),
	'a namespace with a fragment': (d) => (d.documentNamespace += '#x'),
};
for (const [name, spoil] of Object.entries(broken)) {
	const copy = structuredClone(document);
	spoil(copy);
	if (faultsOf(copy).length === 0) faults.push(`${name} is not noticed`);
}
for (const fault of faults) console.error(`sbom.mjs: ${fault}`);
process.exit(faults.length ? 1 : 0);

function faultsOf(d) {
	const found = [];
	const need = (ok, text) => ok || found.push(text);
	need(d.spdxVersion === 'SPDX-2.3' && d.dataLicense === 'CC0-1.0' && d.SPDXID === 'SPDXRef-DOCUMENT', 'the head');
	need(URL.canParse(d.documentNamespace) && !d.documentNamespace.includes('#'), 'documentNamespace');
	need(new Date(d.creationInfo.created).toISOString().replace('.000', '') === d.creationInfo.created, 'created');
	const ids = [d.SPDXID, ...d.packages.map((one) => one.SPDXID)];
	need(new Set(ids).size === ids.length, 'an id stands twice');
	for (const one of d.packages) packageFaults(one, need);
	const reached = new Set([d.SPDXID]);
	for (const one of d.relationships) {
		need(ids.includes(one.spdxElementId) && ids.includes(one.relatedSpdxElement), `${one.relatedSpdxElement}: no such thing`);
		if (reached.has(one.spdxElementId)) reached.add(one.relatedSpdxElement);
	}
	for (const id of ids) need(reached.has(id), `nothing leads to ${id}`);
	const described = d.relationships.filter((one) => one.relationshipType === 'DESCRIBES' && one.spdxElementId === d.SPDXID);
	need(described.length > 0, 'nothing is described');
	need(described.map((one) => one.relatedSpdxElement).join() === d.documentDescribes.join(), 'documentDescribes');
	return found;
}

function packageFaults(one, need) {
	need(/^SPDXRef-[A-Za-z0-9.-]+$/.test(one.SPDXID), `${one.SPDXID}: no id`);
	need(one.filesAnalyzed === false || one.packageVerificationCode, `${one.name}: no verification code of its files`);
	for (const name of ['licenseDeclared', 'licenseConcluded']) {
		if (one[name] === 'NOASSERTION' || one[name] === 'NONE') continue;
		try {
			parseLicence(one[name]);
		} catch (error) {
			need(false, `${one.name}: ${name} ${one[name]}: ${error.message}`);
		}
	}
	for (const { referenceType, referenceLocator } of one.externalRefs ?? []) {
		if (referenceType !== 'purl') continue;
		try {
			const purl = PackageURL.fromString(referenceLocator);
			const name = purl.namespace ? `${purl.namespace}/${purl.name}` : purl.name;
			need(name === one.name && purl.version === one.versionInfo, `${one.name}: ${referenceLocator} is another package`);
		} catch (error) {
			need(false, `${one.name}: ${referenceLocator}: ${error.message}`);
		}
	}
	const sizes = { SHA1: 40, SHA256: 64, SHA512: 128 };
	for (const { algorithm, checksumValue } of one.checksums ?? [])
		need(new RegExp(`^[0-9a-f]{${sizes[algorithm] ?? 0}}$`).test(checksumValue), `${one.name}: its digest`);
}

// What the programs and the page hold, without asking who wrote the list: libraries whose functions are in the programs, and
// packages whose files the bundler's own output names by their licence comments or the lock names as needed at run time.
function forgotten(d, folder) {
	const names = new Set(d.packages.map((one) => one.name));
	const found = [];
	const symbols = execFileSync('nm', ['-D', '--undefined-only', join(folder, 'bin/tenond')], { encoding: 'utf8' });
	const dynamic = { sqlite3_: 'SQLite', pcre2_: 'PCRE2', utf8proc_: 'utf8proc', libdeflate_: 'libdeflate', sd_: 'libsystemd' };
	for (const [prefix, name] of Object.entries(dynamic))
		if (new RegExp(` ${prefix}`).test(symbols) && !names.has(name)) found.push(`${name} is used and not named`);
	const text = readFileSync(join(folder, 'bin/tenond')).toString('latin1');
	const inside = { 'uv_loop_init|UV_THREADPOOL_SIZE': 'libuv', 'expand 32-byte k|sodium': 'libsodium', 'DejaVu': 'DejaVu Sans' };
	for (const [mark, name] of Object.entries(inside))
		if (new RegExp(mark).test(text) && !names.has(name)) found.push(`${name} is inside and not named`);
	const tools = new Set(['vite', '@sveltejs/vite-plugin-svelte']); // they make it
	const lock = JSON.parse(readFileSync(new URL('../../web/package-lock.json', import.meta.url), 'utf8'));
	for (const name of Object.keys(lock.packages[''].dependencies ?? {}))
		if (!tools.has(name) && !names.has(name)) found.push(`${name} is a package of the page and not named`);
	return found;
}
