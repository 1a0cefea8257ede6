// plan_expect.mjs - does a result of terraform_parse say what an example file expects?
// Keys are those of tests/data/plan-examples/README.md.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const examplesFolder = fileURLToPath(new URL('../data/plan-examples/', import.meta.url));

export function examples() {
  return readdirSync(examplesFolder)
    .filter((name) => name.endsWith('.expected.json'))
    .map((name) => {
      const base = name.replace('.expected.json', '');
      const expected = JSON.parse(readFileSync(join(examplesFolder, name), 'utf8'));
      const files = readdirSync(examplesFolder)
        .filter((file) => file.startsWith(`${base}.`) && file !== name)
        .map((file) => ({ file, text: readFileSync(join(examplesFolder, file), 'utf8') }));
      return { base, expected, files };
    });
}

const show = (value) => JSON.stringify(value);

// Every key that `wanted` has is equal in `actual`; lists have equal length.
function differs(actual, wanted, path, out) {
  if (wanted !== null && typeof wanted === 'object') {
    if (actual === null || typeof actual !== 'object') {
      out.push(`${path} is ${show(actual)}, not ${show(wanted)}`);
      return;
    }
    if (Array.isArray(wanted) && actual.length !== wanted.length)
      out.push(`${path} has ${actual.length} entries, not ${wanted.length}`);
    for (const key of Object.keys(wanted)) differs(actual[key], wanted[key], `${path}.${key}`, out);
  } else if (actual !== wanted) {
    out.push(`${path} is ${show(actual)}, not ${show(wanted)}`);
  }
}

const entryChecks = {
  forces_replacement: (entry, wanted, path, out) => {
    const marked = entry.attributes.filter((line) => line.forces_replacement);
    const names = marked.map((line) => line.path.replace(/\[[^\]]*\]$/, '').split('.').pop());
    differs(names, wanted, `${path}.forces_replacement`, out);
  },
  reason_codes: (entry, wanted, path, out) =>
    differs(entry.reasons.map((reason) => reason.code), wanted, `${path}.reason_codes`, out),
};

function checkChanges(parsed, wanted, out) {
  const actual = parsed.resource_changes;
  const list = (entries) => entries.map((entry) => `${entry.address} ${entry.actions}`).join(', ');
  if (list(actual) !== list(wanted)) {
    out.push(`changes are [${list(actual)}], not [${list(wanted)}]`);
    return;
  }
  wanted.forEach((entry, index) => {
    for (const [key, value] of Object.entries(entry)) {
      const path = `resource_changes[${index}]`;
      if (entryChecks[key]) entryChecks[key](actual[index], value, path, out);
      else differs(actual[index][key], value, `${path}.${key}`, out);
    }
  });
}

function includesAttribute(parsed, wanted) {
  const { address, ...fields } = wanted;
  return parsed.resource_changes
    .filter((entry) => entry.address === address)
    .some((entry) => entry.attributes.some((line) => {
      const out = [];
      differs(line, fields, '', out);
      return out.length === 0;
    }));
}

const checks = {
  total_changes: (p, w, out) => differs(p.summary.total_changes, w, 'total_changes', out),
  actions: (p, w, out) => differs(p.summary.actions, w, 'actions', out),
  plan_line: (p, w, out) => differs(p.plan_line, w, 'plan_line', out),
  consistent: (p, w, out) => differs(p.consistent, w, 'consistent', out),
  errored: (p, w, out) => differs(p.errored, w, 'errored', out),
  status: (p, w, out) => differs(p.status, w, 'status', out),
  resource_changes: checkChanges,
  drift: (p, w, out) => differs(p.drift, w, 'drift', out),
  outputs: (p, w, out) => differs(p.outputs, w, 'outputs', out),
  diagnostics: (p, w, out) => differs(p.diagnostics, w, 'diagnostics', out),
  normalised: (p, w, out) => {
    for (const step of w)
      if (!p.input.normalised.includes(step)) out.push(`clean-up ${step} is not listed`);
  },
  risk: (p, w, out) => {
    const found = p.risk.findings.map((finding) => [finding.id, finding.address]);
    const has = ([id, address]) =>
      found.some((one) => one[0] === id && (address === null || one[1] === address));
    differs(p.risk.level, w.level, 'risk.level', out);
    for (const pair of w.must_have ?? []) if (!has(pair)) out.push(`risk ${show(pair)} is missing`);
    for (const pair of w.must_not_have ?? []) if (has(pair)) out.push(`risk ${show(pair)} is wrong`);
  },
  attributes_must_include: (p, w, out) => {
    for (const one of w) if (!includesAttribute(p, one)) out.push(`attribute ${show(one)} is missing`);
  },
  hidden: (p, w, out) => {
    for (const [address, counts] of Object.entries(w)) {
      const entry = p.resource_changes.find((one) => one.address === address);
      differs(entry?.hidden, counts, `${address}.hidden`, out);
    }
  },
  addresses_must_not_appear: (p, w, out) => {
    for (const address of w)
      if (p.resource_changes.some((entry) => entry.address === address))
        out.push(`${address} is not a change`);
  },
  confidence: (p, w, out) => differs(p.confidence, w, 'confidence', out),
  format: (p, w, out) => differs(p.input.format, w, 'input.format', out),
  tool: (p, w, out) => differs(p.input.tool, w, 'input.tool', out),
  truncated: (p, w, out) => differs(p.input.truncated, w, 'input.truncated', out),
  units: (p, w, out) => differs(p.units, w, 'units', out),
  keys: (p, w, out) => {
    for (const [address, key] of Object.entries(w)) {
      const entry = p.resource_changes.find((one) => one.address === address);
      differs(entry?.key, key, `${address}.key`, out);
    }
  },
  warning_codes: (p, w, out) => {
    for (const code of w)
      if (!p.warnings.some((warning) => warning.code === code)) out.push(`warning ${code} is missing`);
  },
};

// What the other keys say is checked by whoever asks for an explanation, or runs the command line.
const otherKeys = ['asks', 'cli_exit', 'count_only', 'explanation_must_mention', 'same_result_as'];

// The differences in words; empty when the result is as expected.
export function parseDifferences(parsed, expected) {
  const out = Object.keys(expected)
    .filter((key) => !checks[key] && !otherKeys.includes(key))
    .map((key) => `nobody checks ${key}`);
  for (const [key, check] of Object.entries(checks))
    if (key in expected) check(parsed, expected[key], out);
  return out;
}
