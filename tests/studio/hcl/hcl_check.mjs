// hcl_check.mjs - what is generated, read by the reference parser of HCL and left alone by its formatter
// (ST-152): every type in all its variants, and random diagrams full of hostile texts (ST-144).
//   hcl_check.mjs STUDIO_VARIANTS [RANDOM_DIAGRAMS [SEED]]
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { result } from '../../clients/results.mjs';

const require = createRequire(import.meta.url);
const { parse } = require('@cdktf/hcl2json');
const { format } = require('@cdktf/hcl-tools');
const suite = 'studio-hcl';
const wrong = { parses: [], formatted: [], literals: [] };
let variants = 0;
let literals = 0;

// The parser writes a literal "${" as "$${", so that it cannot be taken for an interpolation. HCL's
// strings are in normal form C.
function escaped(value) {
  if (typeof value === 'string') return value.normalize('NFC').replace(/\$\{|%\{/g, (mark) => mark[0] + mark);
  if (Array.isArray(value)) return value.map(escaped);
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [escaped(key), escaped(one)]));
  return value;
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
  return value;
}

const same = (a, b) => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

function compare(label, what, found, wanted) {
  literals += 1;
  // A text that is a number in the provider's schema may be written as one.
  if (same(found, escaped(wanted))) return;
  if (typeof found !== 'object' && String(found) === String(wanted)) return;
  if (typeof found === 'number' && found === Number(wanted)) return;
  wrong.literals.push(`${label}: ${what}: ${JSON.stringify(found)} for ${JSON.stringify(wanted)}`);
}

async function check(line) {
  const { label, files, literals: wanted, tags, backend } = JSON.parse(line);
  const trees = {};
  variants += 1;
  const texts = { ...files, 'backend.tfvars': backend };
  for (const [name, text] of Object.entries(texts)) {
    if (text === '') continue;
    try {
      trees[name] = await parse(name.endsWith('.tf') ? name : `${name}.tf`, text);
    } catch (error) {
      wrong.parses.push(`${label}: ${name}: ${error}`);
      continue;
    }
    if ((await format(text)) !== text) wrong.formatted.push(`${label}: ${name}`);
  }
  for (const { file, path, value } of wanted)
    compare(label, `${file} ${path.join('.')}`, path.reduce((at, key) => at?.[key], trees[file]), value);
  compare(label, 'common_tags', trees['locals.tf']?.locals[0].common_tags, tags ?? {});
}

const program = spawn(process.argv[2], process.argv.slice(3), { stdio: ['ignore', 'pipe', 'inherit'] });
const ended = new Promise((done) => program.on('close', done));
let rest = ''; // not readline: it ends lines at U+2028, too
program.stdout.setEncoding('utf8');
for await (const text of program.stdout) {
  const lines = (rest + text).split('\n');
  rest = lines.pop();
  for (const line of lines) await check(line);
}
const code = await ended;
const shown = (list) => `${list.length} of them: ${list.slice(0, 3).join(' | ')}`;
result(code === 0 && variants > 2400, suite, 'every type is there in all its variants', `${variants}, exit ${code}`);
result(wrong.parses.length === 0, suite, 'the reference parser reads everything', shown(wrong.parses));
result(wrong.formatted.length === 0, suite, 'the reference formatter changes nothing', shown(wrong.formatted));
result(literals > 5000 && wrong.literals.length === 0, suite, 'literals read back equal', shown(wrong.literals));
console.log(`${variants} configurations, ${literals} literals`);
process.exit(Object.values(wrong).some((list) => list.length) || code !== 0 ? 1 : 0);
