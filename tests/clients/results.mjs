// results.mjs - adds rows to the results file, as tools/results.sh does.
import { appendFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

export let failures = 0;

export function result(passed, suite, name, why = '') {
  if (!passed) failures += 1;
  const text = String(why?.message ?? why).replace(/\s+/g, ' ').slice(0, 400);
  const row = [passed ? 'passed' : 'failed', suite, name, passed ? '' : text].join('\t');
  if (process.env.TENON_RESULTS) appendFileSync(process.env.TENON_RESULTS, `${row}\n`);
  if (!passed) console.error(`FAILED ${suite}: ${name}: ${text}`);
}

// What this machine cannot do, by name.
export function skipped(suite, name, why) {
  if (process.env.TENON_RESULTS) appendFileSync(process.env.TENON_RESULTS, `skipped\t${suite}\t${name}\t${why}\n`);
  console.error(`skipped ${suite}: ${name}: ${why}`);
}

export function assert(condition, text) {
  if (!condition) throw new Error(text);
}

// That something took less than this, on a machine that has nothing else to do: where others want the processor, too, or
// did in the last minute, that much more is granted, and never more than ten times as much (check.need_soon of tests/lib).
export function assertSoon(took, limit_ms, what) {
  if (took >= limit_ms) {
    const start = performance.now();
    const worked = process.cpuUsage();
    while (process.cpuUsage(worked).user < 100_000);
    const busy = Math.max((performance.now() - start) / 100, loadavg()[0] / cpus().length);
    limit_ms *= busy < 1.2 ? 1 : Math.min(1.5 * busy, 10);
  }
  assert(took < limit_ms, `${what} took ${took} ms, and ${limit_ms} ms are granted`);
}

// A story of named steps; a step that throws or takes too long fails, the next ones still run. When
// the first fails there is nobody to talk to, and the story ends.
export async function steps(suite, list, { timeout_ms = 120_000 } = {}) {
  for (const [name, run] of list) {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer in ${timeout_ms} ms`)), timeout_ms);
    });
    try {
      await Promise.race([run(), late]);
      result(true, suite, name);
    } catch (error) {
      result(false, suite, name, error);
      if (name === list[0][0]) return;
    } finally {
      clearTimeout(timer);
    }
  }
}
