// person.mjs - a person at a terminal, as tests/lib/person.py: a process above which nothing of the test is. What a test
// itself asks of the door of persons is refused as soon as a relay of its own is seen.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/* `answers`: pairs of what is waited for on the screen, and what is typed then. To be begun before any relay. */
export function personElsewhere(home) {
	const lib = new URL('../lib', import.meta.url).pathname;
	const program = `import json, sys
sys.path.insert(0, ${JSON.stringify(lib)})
import person
someone = person.Elsewhere()
for line in sys.stdin:
    order = json.loads(line)
    print(json.dumps(someone.do(order.pop("act"), **order)), flush=True)
`;
	const child = spawn('python3', ['-c', program], { stdio: ['pipe', 'pipe', 'inherit'] });
	const waiting = [];
	createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()(JSON.parse(line)));
	const act = (order) =>
		new Promise((done) => {
			waiting.push(done);
			child.stdin.write(JSON.stringify(order) + '\n');
		});
	return {
		tenon: (words, answers) => act({ act: 'terminal', words: [join(home.bin, 'tenon'), ...words], env: home.env, answers, timeout: 30 }),
		/* What `tenon open` does: asks the door of persons. */
		token: async () => {
			const answer = await act({ act: 'ask', path: join(home.folder, '.run/tenon/person.sock') });
			if (!answer.token) throw new Error(`${answer.error}: ${answer.message}`);
			return answer.token;
		},
		end: () => child.stdin.end(),
	};
}
