// workbench_three.mjs [ROUNDS] - how soon each of three sees what another has done on one preview (workbench.md P1): SDK 1.x over HTTP,
// SDK 2.x over the relay, and the page in Chromium. Prints medians and maxima in milliseconds; TENON_BUILD says which build.
import { Three } from '../tests/browser/three.mjs';

const rounds = Number(process.argv[2] ?? 50);
const figures = new Map();
const three = new Three();

function note(what, took) {
	for (const [who, ms] of Object.entries(took)) {
		const key = `${what}: ${who}`;
		figures.set(key, [...(figures.get(key) ?? []), ms]);
	}
}

await three.begin(21000 + ((process.pid + 4400) % 9000));
try {
	for (let i = 0; i < rounds; i++) {
		note('SDK 1.x changes', await three.clientChanges('sdk1', 'sdk2', `First ${i}`));
		note('SDK 2.x changes', await three.clientChanges('sdk2', 'sdk1', `Second ${i}`));
		note('the page takes back', await three.personTakesBack(`First ${i}`));
		note('a click in the preview', await three.personClicks('Ring the bell', 'dom.button', false));
		note('a click in the preview', await three.personClicks(`First ${i}`, 'plain.notice', true));
	}
} finally {
	await three.end();
}
for (const [what, values] of figures) {
	values.sort((a, b) => a - b);
	const median = values[Math.floor(values.length / 2)];
	console.log(`${what.padEnd(44)} median ${median.toFixed(1).padStart(6)} ms   longest ${values.at(-1).toFixed(1).padStart(6)} ms`);
}
process.exit(0);
