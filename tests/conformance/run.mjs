// run.mjs server URL OUT | client COMMAND OUT - runs the official suite once per revision and adds
// each of its checks to the results file. Expectations: every check passes, but for the scenarios of
// baseline.yaml; and at least as many checks ran as the reference passes (mcp-conformance.md
// sections 3, 5 and 6): for a server in sum, for a client in each scenario, because one that does
// nothing passes some of them.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [leg, target, out] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const suite = join(here, '../clients/node_modules/@modelcontextprotocol/conformance/dist/index.js');
const baselineFile = join(here, 'baseline.yaml');

// `least` is a floor: a scenario that silently stops running must not look like success.
const serverRuns = [
  { name: '2025-11-25', least: 84, args: ['--requirements', '2025-11-25'] },
  { name: '2026-07-28', least: 197, args: ['--requirements', '2026-07-28'] },
  { name: '2025-06-18', least: 56, args: ['--suite', 'all', '--spec-version', '2025-06-18'] },
  { name: '2025-03-26', least: 3, args: ['--suite', 'all', '--spec-version', '2025-03-26'] },
];
const clientRuns = [
  {
    name: '2025-11-25', args: ['--requirements', '2025-11-25'],
    floors: {
      initialize: 1, tools_call: 2, 'elicitation-sep1034-client-defaults': 5, 'sse-retry': 3,
      'json-schema-2020-12-preservation': 9,
    },
  },
  {
    name: '2026-07-28', args: ['--requirements', '2026-07-28'],
    floors: {
      tools_call: 2, 'request-metadata': 8, 'http-standard-headers': 9, 'http-custom-headers': 18,
      'http-invalid-tool-headers': 12, 'sep-2322-client-request-state': 5,
      'json-schema-ref-no-deref': 1, 'json-schema-2020-12-preservation': 9,
    },
  },
];
const runs = leg === 'server' ? serverRuns : clientRuns;
const suiteName = leg === 'server' ? 'conformance' : 'conformance-client';

let failures = 0;

function result(passed, set, name, why = '') {
  failures += passed ? 0 : 1;
  const text = String(why).replace(/\s+/g, ' ').slice(0, 400);
  const row = [passed ? 'passed' : 'failed', `${suiteName}-${set}`, name, text].join('\t');
  if (process.env.TENON_RESULTS) appendFileSync(process.env.TENON_RESULTS, row + '\n');
  if (!passed) console.error(`FAILED ${set} ${name}: ${text}`);
}

// The entries of this leg's section.
function entriesOf(text) {
  const section = text.split(/^(?=\w+:)/m).find((part) => part.startsWith(`${leg}:`)) ?? '';
  return [...section.matchAll(/^\s+-\s+(\S+)/gm)].map((match) => match[1]);
}

// The scenario's directory is [server-]<scenario>-<timestamp>; a client's may be a folder deeper.
const scenarioOf = (path) => path.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[^/]*$/, '');

function checksOf(directory, prefix = '') {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => {
      const file = join(directory, entry.name, 'checks.json');
      if (!existsSync(file)) return checksOf(join(directory, entry.name), `${prefix}${entry.name}/`);
      return [{ scenario: scenarioOf(prefix + entry.name), checks: JSON.parse(readFileSync(file, 'utf8')) }];
    });
}

// A scenario that skips everything has not passed.
function noteBaseline(state, checks) {
  const good = checks.some((check) => check.status === 'SUCCESS' && check.id !== 'wire-schema-valid');
  const bad = checks.some((check) => check.status === 'FAILURE');
  state.ran += 1;
  state.passed += good && !bad;
}

// Both counts, and a row for each check.
function countChecks(set, scenario, checks) {
  let passed = 0;
  let failed = 0;
  for (const check of checks) {
    if (check.status !== 'SUCCESS' && check.status !== 'FAILURE') continue;
    const good = check.status === 'SUCCESS';
    passed += good;
    failed += !good;
    result(good, set.name, `${scenario}: ${check.id}`, check.errorMessage ?? check.details?.message ?? '');
  }
  if (passed + failed === 0) console.error(`note: ${set.name} ${scenario} checked nothing`);
  return [passed, failed];
}

function runSet(set, baseline) {
  const directory = join(out, leg, set.name);
  const where = leg === 'server' ? ['--url', target] : ['--command', target];
  const ran = spawnSync(process.execPath, [suite, leg, ...where, ...set.args, '-o', directory],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000 });
  writeFileSync(join(out, `${leg}-${set.name}.log`), `${ran.stdout}\n${ran.stderr}`);
  if (!existsSync(directory)) {
    result(false, set.name, 'the suite', `no results: ${ran.error ?? ran.stderr}`);
    return;
  }
  const sum = [0, 0];
  const floors = new Map(Object.entries(set.floors ?? {}));
  const scenarios = checksOf(directory);
  for (const { scenario, checks } of scenarios) {
    if (baseline.has(scenario)) {
      noteBaseline(baseline.get(scenario), checks);
      continue;
    }
    const [passed, failed] = countChecks(set, scenario, checks);
    sum[0] += passed;
    sum[1] += failed;
    if (passed >= (floors.get(scenario) ?? 0)) floors.delete(scenario);
  }
  for (const [scenario, least] of floors)
    result(false, set.name, `${scenario}: completeness`, `fewer than ${least} checks passed`);
  if (sum[0] + sum[1] < (set.least ?? 0))
    result(false, set.name, 'completeness', `${sum[0] + sum[1]} checks ran, ${set.least} exist`);
  console.log(`${leg} ${set.name}: ${scenarios.length} scenarios, ${sum[0]} passed, ${sum[1]} failed`);
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
      if (older || entries.length) older = new Set(entries); /* the section's first version */
    }
  } catch {
    return ''; // not a git checkout: nothing to compare with
  }
  return older && current.some((entry) => !older.has(entry)) ? 'grew' : '';
}

const entries = entriesOf(readFileSync(baselineFile, 'utf8'));
const baseline = new Map(entries.map((entry) => [entry, { ran: 0, passed: 0 }]));
const grown = baselineOnlyShrinks(entries);
result(!grown, 'baseline', 'only shrinks', grown);
for (const set of runs) runSet(set, baseline);
for (const [scenario, { ran, passed }] of baseline)
  result(ran > passed, 'baseline', scenario, ran
    ? 'passes now: take it out of baseline.yaml'
    : 'there is no such scenario any more: take it out of baseline.yaml');
process.exit(failures ? 1 : 0);
