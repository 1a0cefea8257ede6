// units.mjs - the unit tests that stand beside the sources of web/adapters, one row each.
import { spec } from 'node:test/reporters';
import { run } from 'node:test';
import { globSync } from 'node:fs';

import { failures, result } from '../clients/results.mjs';

const files = globSync(new URL('../../web/adapters/*.test.ts', import.meta.url).pathname);
const stream = run({ files, concurrency: 1 });
const seen = (passed) => ({ name, file, details }) => {
	if (details.type !== 'suite' && !/\.test\.ts$/.test(name)) result(passed, `adapters ${file.replace(/.*\//, '')}`, name, details.error?.cause ?? details.error);
};
stream.on('test:pass', seen(true));
stream.on('test:fail', seen(false));
stream.compose(spec).resume();
await new Promise((done) => stream.once('end', done));
process.exit(failures ? 1 : 0);
