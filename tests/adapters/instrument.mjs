// instrument.mjs - boundaries around every form of export (S12), and places through source maps (S13), on modules that run
// in Node: by the parsers of both lanes where they are installed.
import { createRequire } from 'node:module';

import { assert, failures, skipped, steps } from '../clients/results.mjs';
import { instrument } from '../../web/adapters/launcher/instrument.mjs';
import { Edits, originOf, readMap } from '../../web/adapters/launcher/source_map.mjs';

const parsers = [];
for (const [lane, from, name] of [['rolldown', '../../web/package.json', 'rolldown/parseAst'], ['rollup', '../../demo/harbour-legacy/package.json', 'rollup/parseAst']]) {
	try {
		parsers.push([lane, (await import(createRequire(new URL(from, import.meta.url)).resolve(name))).parseAst]);
	} catch (error) {
		skipped('instrument', lane, `its parser is not installed: ${error.message.split('\n')[0]}`);
	}
}

// What the boundaries do, without React: what is wrapped says so.
const $skaffa = {
	outer: new Map(),
	define(outer, inner, meta) {
		this.outer.set(outer, { inner, meta });
	},
	call: (outer, inner, self, args) => `<${Reflect.apply(inner, self, args)}>`,
	wrap(inner, meta) {
		const outer = typeof inner === 'function' && !/^class/.test(String(inner)) ? (...args) => `<${inner(...args)}>` : { wrapped: inner };
		this.outer.set(outer, { inner, meta });
		return outer;
	},
	inner: (value) => $skaffa.outer.get(value)?.inner ?? value,
	site: (element, file, line, column) => Object.assign(element, { site: `${file}:${line}:${column}` }),
	sites() {},
};
globalThis.$skaffaTest = $skaffa;

const hint = (exportName, typeId = `t.${exportName}`) => ({ typeId, kind: 'file', filePath: 'a.tsx', exportName });
const modules = new Map();

function change(parse, code, names) {
	const { changed, results } = instrument({ code, program: parse(code), hints: names.map((name) => hint(name)), map: null, originals: null, name: 'a.tsx' });
	if (changed) parse(changed.code);
	return { code: changed?.code ?? code, map: changed?.map, skipped: results.filter((one) => one.why !== null).map((one) => `${one.hint.exportName}: ${one.why}`) };
}

async function load(parse, code, names) {
	const made = change(parse, code, names);
	const text = made.code.replace(/import \{ \$skaffa \} from "[^"]*";/, 'const $skaffa = globalThis.$skaffaTest;');
	const url = `data:text/javascript,${encodeURIComponent(`${text}\n//${modules.size}`)}`;
	modules.set(url, text);
	return { ...(await import(url)), ...{ $: made } };
}

const FORMS = [
	['a named function', 'export function A(){ return "a" }', ['A'], (m) => m.A()],
	['a const with an arrow', 'export const A = () => "a";', ['A'], (m) => m.A()],
	['let, and two in one statement', 'export let A = () => "a", B = () => "b";', ['A', 'B'], (m) => m.A() + m.B()],
	['a list with another name', 'function X(){ return "a" } const Y = () => "b"; export { X as A, Y };', ['A', 'Y'], (m) => m.A() + m.Y()],
	['a list before what it names', 'export { X as default }; function X(){ return "a" }', ['default'], (m) => m.default()],
	['a named default function', 'export default function A(){ return "a" }', ['default'], (m) => m.default()],
	['an anonymous default function', 'export default function () { return "a" }', ['default'], (m) => m.default()],
	['a default identifier', 'const A = () => "a"; export default A;', ['default'], (m) => m.default()],
	['a default expression', 'const f = (x) => x; export default f(() => "a");', ['default'], (m) => m.default()],
	['a default arrow whose body is a call', 'const f = () => "a"; export default () => f();', ['default'], (m) => m.default()],
	['calls from inside the module', 'export function A(n){ return n ? A(n - 1) : "a" } export const b = () => A(0);', ['A'], (m) => m.b()],
	['what another module hands on by name', 'export { join as A } from "node:path";', ['A'], (m) => m.A('a', 'b')],
	['what is imported and handed on', 'import { join } from "node:path"; export { join as A };', ['A'], (m) => m.A('a', 'b')],
];

for (const [lane, parse] of parsers) {
	await steps(`instrument-${lane}`, [
		...FORMS.map(([name, code, names, use]) => [`S12: ${name}`, async () => {
			const module = await load(parse, code, names);
			assert(module.$.skipped.length === 0, module.$.skipped.join());
			assert(/^<+/.test(use(module)), `${use(module)} of ${module.$.code}`);
			assert(Object.keys(module).filter((key) => key !== '$').length === Object.keys(await import(`data:text/javascript,${encodeURIComponent(code)}`)).length, 'exports');
		}]),
		['S12: classes, also while they are being made, and what is derived from them', async () => {
			const code = 'export class A { static self = A; static n = 1; static { this.m = A.n + 1; } static get() { return A } } export class B extends A {} export default class C { static c = C }';
			const m = await load(parse, code, ['A', 'default']);
			assert(m.A.wrapped.n === 1 && m.A.wrapped.m === 2 && m.A.wrapped.self === m.A.wrapped, m.$.code);
			assert(Object.getPrototypeOf(m.B) === m.A.wrapped && m.default.wrapped.c === m.default.wrapped, 'derived');
			const anonymous = await load(parse, 'export default class { static x = 1 }', ['default']);
			assert(anonymous.default.wrapped.x === 1, anonymous.$.code);
		}],
		['S12: a hoisted function can be called before its module has run', async () => {
			const m = await load(parse, 'export const early = A(); export function A(){ return "a" }', ['A']);
			assert(m.early === '<a>', m.early);
		}],
		['statics that the module sets are set on what it exports', async () => {
			const m = await load(parse, 'export function A(){} A.kinds = [1]; A.displayName = "Other"; export const same = () => A;', ['A']);
			assert(m.A.kinds[0] === 1 && m.A.displayName === 'Other' && m.same() === m.A, m.$.code);
		}],
		['fast refresh gets the originals', async () => {
			const code = 'const $RefreshSig$ = () => (t) => (sigs.push(t), t), $RefreshReg$ = (t) => regs.push(t); export const sigs = [], regs = []; var _c, _c2, _s = $RefreshSig$(); ' +
				'export function A(){ return "a" } export const B = () => "b"; _s(A, "x"); _c = A; _c2 = B; $RefreshReg$(_c, "A"); $RefreshReg$(_c2, "B");';
			const m = await load(parse, code, ['A', 'B']);
			assert(m.regs[0]() === 'a' && m.regs[1]() === 'b' && m.sigs[0]() === 'a', m.$.code);
		}],
		['what cannot be done is said, and the rest is done [R13]', async () => {
			const code = 'export const { A } = { A: 1 }; export async function B(){} export function C(){ return "c" } export * from "node:path"; export let D;';
			const m = await load(parse, code, ['A', 'B', 'C', 'D', 'E', 'join', 'C']);
			assert(m.C() === '<c>', 'C');
			assert(m.$.skipped.length === 6, m.$.skipped.join(' | '));
			assert(m.$.skipped[3] === 'E: no export "E"', m.$.skipped[3]);
		}],
		['directives stay first; names that are taken are not taken again; other characters are counted rightly', async () => {
			const code = '"use client";\nconst A$inner = "ä\u{1f600}"; export function A(){ return "a" + A$inner }';
			const m = await load(parse, code, ['A']);
			assert(m.A() === '<aä\u{1f600}>' && m.$.code.startsWith('"use client";'), m.$.code);
		}],
		['a module without hints and elements stays as it is', async () => {
			const { changed } = instrument({ code: 'export const a = 1;', program: parse('export const a = 1;'), hints: [], map: { mappings: '' }, originals: { file: 'a' }, name: 'a' });
			assert(changed === null, 'changed');
		}],
		['elements of every way to write them are found, and each end stands where it must', async () => {
			const code = 'const jsx = (type, props) => ({ type, props });\nexport const one = jsx(A, { children: jsx(B, {}) }); export const f = () => jsx(C, {}); export const R = { createElement: jsx };\nexport const two = R.createElement(D, jsx("own", {}));'
				.replace('const jsx =', 'import { jsx } from "react/jsx-runtime"; import * as R2 from "react"; const other =').replace('R = {', 'S = {').replace('R.createElement', '(0, R2.createElement)');
			const { changed } = instrument({
				code, program: parse(code), hints: [hint('f')], name: 'a.tsx',
				map: { mappings: 'AAAA;AACA;AACA' }, originals: { file: 'a.tsx', place: ({ line, column }) => ({ line: line + 1, column: column + 1 }) },
			});
			const sites = changed.code.match(/\$skaffa\.site\(/g).length;
			assert(sites === 4, `${sites}: ${changed.code}`);
			assert(/\(\) => \$skaffa\.site\(jsx\(C, \{\}\),"a\.tsx",2,1\),\{"t"/.test(changed.code), changed.code);
			parse(changed.code);
		}],
	]);
}

await steps('source-map', [
	['S13: a map is read; a place is that of the segment before it', async () => {
		const lines = readMap({ mappings: 'AAAA,GAAG;;AACA,CAAC' });
		assert(JSON.stringify(lines) === '[[[0,0,0,0],[3,0,0,3]],[],[[0,0,1,3],[1,0,1,4]]]', JSON.stringify(lines));
		assert(originOf(lines, 0, 2).column === 0 && originOf(lines, 0, 7).column === 3 && originOf(lines, 1, 0) === undefined, 'origin');
	}],
	['a written map leads every place of the changed text to where it was (500 texts)', async () => {
		let state = 3;
		const next = (n) => (state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff) % n;
		for (let i = 0; i < 500; i++) {
			const text = Array.from({ length: 3 }, () => 'abcdefghij'.slice(0, 2 + next(9))).join('\n');
			const edits = new Edits();
			const at = [...text].map((c, j) => (c === '\n' ? -1 : j)).filter((j) => j >= 0 && next(3) === 0);
			for (const j of at) edits.insert(j, 'X'.repeat(1 + next(3)));
			const columns = text.split('\n').map((line) => [...line].map((_c, column) => [column, 0, 0, 0]));
			const changed = edits.apply(text);
			const back = readMap(edits.map(text, columns, 'a'));
			changed.split('\n').forEach((line, n) => [...line].forEach((c, column) => {
				if (c === 'X') return;
				const origin = originOf(back, n, column);
				assert(text.split('\n')[origin.line][origin.column] === c, `${text} ${changed} ${n}:${column} ${JSON.stringify(origin)}`);
			}));
		}
	}],
]);
process.exit(failures ? 1 : 0);
