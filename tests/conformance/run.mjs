// run.mjs URL OUT - runs the official suite once per revision and adds each of its checks to the
// results file. Expectations: every check passes, but for the scenarios of baseline.yaml; at least
// as many checks ran as exist (mcp-conformance.md sections 3 and 6; 197 is what the reference server
// passes and what it lacks, the tasks-* scenarios).
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [url, out] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const suite = join(here, '../clients/node_modules/@modelcontextprotocol/conformance/dist/index.js');
const baselineFile = join(here, 'baseline.yaml');

// `least` is a floor: a scenario that silently stops running must not look like success.
const runs = [
  { name: '2025-11-25', least: 84, args: ['--requirements', '2025-11-25'] },
  { name: '2026-07-28', least: 197, args: ['--requirements', '2026-07-28'] },
  { name: '2025-06-18', least: 56, args: ['--suite', 'all', '--spec-version', '2025-06-18'] },
  { name: '2025-03-26', least: 3, args: ['--suite', 'all', '--spec-version', '2025-03-26'] },
];

let failures = 0;

function result(passed, set, name, why = '') {
  failures += passed ? 0 : 1;
  const text = String(why).replace(/\s+/g, ' ').slice(0, 400);
  const row = [passed ? 'passed' : 'failed', `conformance-${set}`, name, text].join('\t');
  if (process.env.TENON_RESULTS) appendFileSync(process.env.TENON_RESULTS, row + '\n');
  if (!passed) console.error(`FAILED ${set} ${name}: ${text}`);
}

const entriesOf = (text) =>
  [...text.matchAll(/^\s+-\s+(\S+)/gm)].map((match) => match[1]);

// The scenario's directory is server-<scenario>-<timestamp>.
const scenarioOf = (directory) => directory.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');

function checksOf(directory) {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(directory, entry.name, 'checks.json')))
    .map((entry) => ({
      scenario: scenarioOf(entry.name),
      checks: JSON.parse(readFileSync(join(directory, entry.name, 'checks.json'), 'utf8')),
    }));
}

function runSet(set, baseline) {
  const directory = join(out, set.name);
  const ran = spawnSync(process.execPath, [suite, 'server', '--url', url, ...set.args, '-o', directory],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000 });
  writeFileSync(join(out, `${set.name}.log`), `${ran.stdout}\n${ran.stderr}`);
  if (!existsSync(directory)) {
    result(false, set.name, 'the suite', `no results: ${ran.error ?? ran.stderr}`);
    return;
  }
  let passed = 0;
  let failed = 0;
  const scenarios = checksOf(directory);
  for (const { scenario, checks } of scenarios) {
    if (baseline.has(scenario)) {
      // A scenario that skips everything has not passed.
      const good = checks.some((check) => check.status === 'SUCCESS' && check.id !== 'wire-schema-valid');
      const bad = checks.some((check) => check.status === 'FAILURE');
      if (good && !bad) baseline.set(scenario, true);
      continue;
    }
    for (const check of checks) {
      if (check.status !== 'SUCCESS' && check.status !== 'FAILURE') continue;
      const good = check.status === 'SUCCESS';
      passed += good;
      failed += !good;
      result(good, set.name, `${scenario}: ${check.id}`, check.errorMessage ?? '');
    }
    if (!checks.some((check) => check.status === 'SUCCESS' || check.status === 'FAILURE'))
      console.error(`note: ${set.name} ${scenario} checked nothing`);
  }
  if (passed + failed < set.least)
    result(false, set.name, 'completeness', `${passed + failed} checks ran, ${set.least} exist`);
  console.log(`${set.name}: ${scenarios.length} scenarios, ${passed} passed, ${failed} failed`);
}

// Each version of the file in history holds no more than the one before it.
function baselineOnlyShrinks(current) {
  const git = (...args) => execFileSync('git', args, { cwd: here, encoding: 'utf8' });
  let older = null;
  try {
    const commits = git('log', '--reverse', '--format=%H', '--', 'baseline.yaml').split('\n');
    for (const commit of commits.filter(Boolean)) {
      const entries = entriesOf(git('show', `${commit}:./baseline.yaml`));
      if (older && entries.some((entry) => !older.has(entry))) return `grew in ${commit}`;
      older = new Set(entries);
    }
  } catch {
    return ''; // not a git checkout: nothing to compare with
  }
  return older && current.some((entry) => !older.has(entry)) ? 'grew' : '';
}

const entries = entriesOf(readFileSync(baselineFile, 'utf8'));
const baseline = new Map(entries.map((entry) => [entry, false]));
const grown = baselineOnlyShrinks(entries);
result(!grown, 'baseline', 'only shrinks', grown);
for (const set of runs) runSet(set, baseline);
for (const [scenario, passes] of baseline)
  result(!passes, 'baseline', scenario, 'passes now: take it out of baseline.yaml');
process.exit(failures ? 1 : 0);
