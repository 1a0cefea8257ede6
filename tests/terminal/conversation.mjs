// conversation.mjs KIND COMMAND ARG...
// What an assistant does with a terminal, in each shell that is installed, through a client that nobody
// here wrote: exit codes and directories exact every time. TENON_LONG=1: the long job takes its 70 s.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../clients/connect.mjs';
import { assert, assertSoon, failures, steps } from '../clients/results.mjs';

const [kind, command, ...args] = process.argv.slice(2);
const longSeconds = process.env.TENON_LONG ? 70 : 4;

const pathOf = (name) => {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
};
const wanted = process.env.TENON_SHELLS?.split(',') ?? ['bash', 'zsh', 'fish', 'dash'];
const shells = wanted.map((name) => [name, pathOf(name)]).filter(([, path]) => path);
const editor = ['vim', 'vim.tiny', 'vi'].find(pathOf);

const client = await connect(kind, { command, args });

// One session of one shell, and the folder it works in.
class Terminal {
  constructor(name, path) {
    this.name = name;
    this.shell = path;
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), `tenon talk ${name} é-`)));
  }

  // The structured answer; a refusal throws unless `refused` names it.
  async call(tool, given, { refused, ...options } = {}) {
    const answer = await client.call(tool, { session_id: this.id, ...given }, options);
    const content = answer.structuredContent;
    if (refused) {
      assert(answer.isError && content.error?.code === refused,
        `${tool}: not refused with ${refused}: ${JSON.stringify(content)}`);
    } else {
      assert(!answer.isError, `${tool}: ${JSON.stringify(content)}`);
    }
    return content;
  }

  // Runs to its end: exit code, directory and, when given, output are exactly these.
  async expect(text, { exit = 0, output, cwd = this.folder, match, ...given } = {}) {
    const result = await this.call('execute_command', { command: text, ...given });
    const told = JSON.stringify(result);
    assert(result.status === 'completed', `${text}: ${told}`);
    assert(result.completion === 'marks', `${text}: ${told}`);
    assert(result.exit_code === exit, `${text}: exit ${result.exit_code}, not ${exit}: ${told}`);
    assert(result.cwd === cwd, `${text}: in ${result.cwd}, not ${cwd}`);
    assert(result.warnings.length === 0, `${text}: ${result.warnings}: ${told}`);
    if (output !== undefined) assert(result.output === output, `${text}: ${told}`);
    if (match) assert(match.test(result.output), `${text}: no ${match}: ${told}`);
    assert(!/__tn|133;/.test(result.output), `${text}: our own words in it: ${told}`);
    return result;
  }

  // Begins and does not wait for its end.
  async begin(text, status = 'running', given = {}) {
    const result = await this.call('execute_command', { command: text, timeout_ms: 0, yield_ms: 300, ...given });
    assert(result.status === status, `${text}: ${JSON.stringify(result)}`);
    assert(result.exit_code === null, `${text}: an exit code before its end`);
    return result;
  }

  async ended(commandId, exit, timeout = 20000) {
    const waited = await this.call('wait_for', { session_id: undefined, command_id: commandId, until: 'exit', timeout_ms: timeout });
    assert(waited.matched && waited.command.exit_code === exit, `not ended with ${exit}: ${JSON.stringify(waited)}`);
    return waited;
  }

  async keys(...keys) {
    return this.call('send_keys', { keys });
  }

  async type(text) {
    return this.call('send_keys', { text, enter: true });
  }

  async sees(text, given = {}) {
    const waited = await this.call('wait_for', { until: 'text', value: text, timeout_ms: 20000, ...given });
    assert(waited.matched, `'${text}' never came: ${JSON.stringify(waited)}`);
    return waited;
  }
}

/* ---- the parts of the conversation ---- */

async function opens(t) {
  const { session } = await t.call('create_session', { session_id: undefined, shell: t.shell, cwd: t.folder, name: t.name });
  t.id = session.id;
  await t.expect('true');
  await t.call('wait_for', { until: 'exit' }); /* the prompt comes a little after the end */
  const { sessions } = await t.call('list_sessions', { session_id: undefined });
  const listed = sessions.find((one) => one.id === t.id);
  assert(listed.integration === (t.name === 'dash' ? 'prompt' : 'marks'), JSON.stringify(listed));
  assert(listed.state === 'idle' && listed.cwd === t.folder, JSON.stringify(listed));
}

async function exits(t) {
  for (const exit of [0, 1, 2, 3, 127, 200, 255]) await t.expect(`sh -c 'exit ${exit}'`, { exit, output: '' });
  await t.expect('no-such-command-at-all', { exit: 127 });
  await t.expect("sh -c 'kill -KILL $$'", { exit: 137 });
  await t.expect("sh -c 'kill -TERM $$'", { exit: 143 });
  await t.expect(t.name === 'fish' ? 'false; echo $status' : 'false; echo $?', { output: '1\n' });
  const unbalanced = { bash: 2, dash: 2, zsh: 1, fish: 123 }[t.name];
  await t.expect("echo 'never closed", { exit: unbalanced, match: /./ });
  await t.expect('echo still here', { output: 'still here\n' });
}

async function places(t) {
  mkdirSync(join(t.folder, 'deep/er'), { recursive: true });
  await t.expect('cd deep/er', { cwd: join(t.folder, 'deep/er') });
  await t.expect('pwd', { output: `${join(t.folder, 'deep/er')}\n`, cwd: join(t.folder, 'deep/er') });
  await t.expect('cd nowhere', { exit: t.name === 'dash' ? 2 : 1, cwd: join(t.folder, 'deep/er') });
  await t.expect('cd ../..');
  const elsewhere = await t.call('execute_command', { command: 'pwd; cd /', cwd: join(t.folder, 'deep') });
  assert(elsewhere.output === `${join(t.folder, 'deep')}\n`, JSON.stringify(elsewhere));
  await t.expect('pwd', { output: `${t.folder}\n` });
  await t.expect("sh -c 'echo $WHO'", { output: 'me\n', env: { WHO: 'me' } });
  await t.expect("sh -c 'echo ${WHO-nobody}'", { output: 'nobody\n' });
  await t.expect(t.name === 'fish' ? 'set -gx KEPT yes' : 'export KEPT=yes');
  await t.expect("sh -c 'echo $KEPT'", { output: 'yes\n' });
}

async function usesGit(t) {
  const options = '-c user.name=T -c user.email=t@example.org -c init.defaultBranch=main -c commit.gpgsign=false';
  await t.expect(`mkdir repo; cd repo; git ${options} init -q`, { cwd: join(t.folder, 'repo') });
  const here = { cwd: join(t.folder, 'repo') };
  writeFileSync(join(t.folder, 'repo/a file.txt'), `${'line\n'.repeat(300)}`);
  await t.expect('git status --porcelain', { ...here, output: '?? "a file.txt"\n' });
  await t.expect(`git add -A && git ${options} commit -qm "it's the first"`, here);
  await t.expect(`git ${options} commit -qm nothing`, { ...here, exit: 1 });
  await t.expect('git log --oneline', { ...here, match: /it's the first\n$/ });
  await t.expect('git show HEAD', { ...here, match: /\+line/, max_bytes: 100000, lines: 1000 }); /* longer than a screen: no pager */
  writeFileSync(join(t.folder, 'repo/a file.txt'), 'other\n');
  await t.expect('git diff --exit-code --stat', { ...here, exit: 1, match: /a file\.txt/ });
  await t.expect('git rev-parse nothing-like-this', { ...here, exit: 128 });
  await t.expect(`cd '${t.folder}'`);
}

async function builds(t) {
  writeFileSync(join(t.folder, 'bad.c'), 'int main(void)\n{\n\treturn x;\n}\n');
  writeFileSync(join(t.folder, 'Makefile'), 'good: bad.c\n\tcc -o good bad.c\n');
  await t.expect('cc -c bad.c', { exit: 1, match: /bad\.c:3:\d+: error:/ });
  await t.expect('make', { exit: 2, match: /Error 1/ });
  writeFileSync(join(t.folder, 'bad.c'), '#include <stdio.h>\nint main(void)\n{\n\tputs("built");\n\treturn 42;\n}\n');
  await t.expect('make && ./good', { exit: 42, match: /built\n$/ });
  await t.expect('for i in 1 2 3; do\n  echo "$i"\ndone'.replace(/.*/s, (text) =>
    (t.name === 'fish' ? 'for i in 1 2 3\n  echo $i\nend' : text)), { output: '1\n2\n3\n' });
}

async function usesRepl(t) {
  const repl = await t.begin('python3 -i -q', 'waiting_input', { yield_ms: 20000 });
  assert(repl.waiting.for_input && !repl.waiting.hidden_input, JSON.stringify(repl.waiting));
  await t.call('execute_command', { command: 'echo not python' }, { refused: 'not_at_prompt' });
  await t.type('print(6 * 7, "C-c")');
  await t.sees('42 C-c', { cursor: repl.next_cursor });
  await t.type('raise SystemExit(5)');
  await t.ended(repl.command_id, 5);
  await t.expect('echo back', { output: 'back\n' });
}

async function edits(t) {
  const vim = await t.begin(`${editor} -u NONE note.txt`, 'waiting_input', { yield_ms: 20000 });
  assert(vim.alternate_screen, JSON.stringify(vim));
  await t.call('send_keys', { sequence: [{ text: 'ihello from vim' }, { key: 'Enter' }, { text: 'Grüße' }, { key: 'Escape' }] });
  const screen = await t.call('get_screen', {});
  assert(screen.alternate_screen && screen.lines[0] === 'hello from vim' && screen.lines[1] === 'Grüße', JSON.stringify(screen.lines.slice(0, 3)));
  await t.type(':wq');
  await t.ended(vim.command_id, 0);
  assert(readFileSync(join(t.folder, 'note.txt'), 'utf8') === 'hello from vim\nGrüße\n', 'the file');
  await t.expect('cat note.txt', { output: 'hello from vim\nGrüße\n' });
}

async function watchesTop(t) {
  /* It draws its screen again and again, so nobody can say that it waits. */
  const top = await t.begin('top', 'running', { yield_ms: 2000 });
  const screen = await t.call('get_screen', {});
  assert(screen.lines.some((line) => /PID .*COMMAND/.test(line)), JSON.stringify(screen.lines));
  await t.call('send_keys', { text: 'q' });
  await t.ended(top.command_id, 0);
  await t.expect('echo tidy', { output: 'tidy\n' });
}

async function givesPassword(t) {
  writeFileSync(join(t.folder, 'ask.sh'),
    'printf "user@host\'s password: "\nIFS= read -rs word\necho\n[ "$word" = "opensesame!" ] && echo welcome || exit 9\n');
  const ask = await t.begin('bash ask.sh', 'waiting_input', { yield_ms: 20000 });
  assert(ask.waiting.hidden_input && ask.waiting.certain, JSON.stringify(ask.waiting));
  await t.type('opensesame!');
  const waited = await t.ended(ask.command_id, 0);
  assert(/welcome/.test(waited.output) && !/opensesame/.test(JSON.stringify(waited)), JSON.stringify(waited));
  const wrong = await t.begin('bash ask.sh', 'waiting_input', { yield_ms: 20000 });
  await t.type('wrong');
  await t.ended(wrong.command_id, 9);
}

async function waitsLong(t) {
  const heard = [];
  const text = `sh -c 'i=0; while [ $i -lt ${longSeconds} ]; do i=$((i + 1)); echo "step $i"; sleep 1; done; exit 6'`;
  const started = Date.now();
  const answer = await t.call('execute_command', { command: text, timeout_ms: 200000, yield_ms: 2500 },
    { onprogress: (progress) => heard.push(progress) });
  assert(answer.status === 'running' && /step 1\n/.test(answer.output), JSON.stringify(answer));
  assert(heard.length >= 1, 'no progress was told');
  /* Meanwhile the session is in use, and others are not. */
  await t.call('execute_command', { command: 'echo no', if_busy: 'fail' }, { refused: 'busy' });
  let waited;
  do {
    waited = await t.call('wait_for', { session_id: undefined, command_id: answer.command_id, until: 'exit', timeout_ms: 200000 });
  } while (waited.reason === 'held');
  const took = Date.now() - started;
  assert(waited.command.exit_code === 6, JSON.stringify(waited));
  assert(took >= longSeconds * 1000, `${took} ms`);
  assertSoon(took - longSeconds * 1000, 15000, 'its end');
  const all = await t.call('get_terminal_output', { session_id: undefined, command_id: answer.command_id, lines: 200 });
  assert(all.output.split('\n').filter((line) => /^step \d+$/.test(line)).length === longSeconds, JSON.stringify(all));
}

async function interrupts(t) {
  const sleep = await t.begin('sleep 300');
  await t.keys('C-c');
  await t.ended(sleep.command_id, 130);
  const other = await t.begin('sleep 301; echo not reached');
  await t.call('signal', { session_id: undefined, command_id: other.command_id, signal: 'INT' });
  const waited = await t.ended(other.command_id, 130);
  assert(!/not reached/.test(waited.output ?? ''), JSON.stringify(waited));
  const late = await t.call('execute_command', { command: 'sleep 302', timeout_ms: 500 });
  assert(late.status === 'timed_out' && late.exit_code === 130, JSON.stringify(late));
  await t.expect('echo on', { output: 'on\n' });
}

// What somebody left on the line, or in a continued command, is no part of the next one; nor does a prompt
// that is drawn anew make a line run twice.
async function findsLineInUse(t) {
  await t.call('send_keys', { text: 'echo half ' });
  await t.expect('echo whole', { output: 'whole\n' });
  await t.type('echo "begun');
  await t.expect('echo one; echo two', { output: 'one\ntwo\n' });
  writeFileSync(join(t.folder, 'count'), '');
  for (let i = 0; i < 8; i += 1) {
    await Promise.all([
      t.expect('echo x >>count'),
      t.call('resize_session', { cols: 60 + 10 * (i % 4), rows: 30 }),
    ]);
  }
  await t.expect('grep -c x count', { output: '8\n' });
}

async function controlsJobs(t) {
  const sleep = await t.begin('sleep 303');
  /* The key is the program's that is in front: before it is there, its shell has no use for it. */
  let stopped;
  for (let i = 0; i < 20 && !stopped?.matched; i += 1) {
    await t.keys('C-z');
    stopped = await t.call('wait_for', { session_id: undefined, command_id: sleep.command_id, until: 'exit', timeout_ms: 1500 });
  }
  assert(stopped.matched && stopped.command.exit_code === 148, JSON.stringify(stopped));
  await t.expect('jobs', { match: /sleep 303/ });
  await t.expect('bg', { match: /sleep 303/ });
  const fg = await t.begin(t.name === 'zsh' ? 'fg %1' : 'fg'); /* inside eval, after bg, zsh knows no current job */
  await t.keys('C-c');
  await t.ended(fg.command_id, t.name === 'fish' ? 0 : 130); /* of fg, fish always says 0 */
  await t.expect('sleep 304 &');
  await t.expect('echo at once', { output: 'at once\n' });
  /* Gone, and not only told to: with a job that is still there fish does not leave at the first `exit`. */
  await t.expect(t.name === 'fish' ? 'kill $last_pid; wait $last_pid; true' : 'kill $!; wait $!; true');
}

async function closes(t) {
  const answer = await t.call('execute_command', { command: 'exit 3' });
  assert(answer.status === 'session_exited' && answer.exit_code === 3, JSON.stringify(answer));
  const late = await client.call('execute_command', { session_id: t.id, command: 'echo no' });
  assert(late.isError && /^session_(exited|closed)$/.test(late.structuredContent.error.code), JSON.stringify(late));
  await t.call('close_session', {});
  rmSync(t.folder, { recursive: true, force: true });
}

const parts = [
  ['opens', opens], ['exit codes', exits], ['directories and variables', places], ['git', usesGit],
  ['a build with errors', builds], ['a Python REPL', usesRepl],
  ...(editor ? [['vim', edits]] : []),
  ...(pathOf('top') ? [['top', watchesTop]] : []),
  ['a password prompt', givesPassword], ['a long job', waitsLong], ['Ctrl-C', interrupts],
  ['a line in use', findsLineInUse], ['job control', controlsJobs], ['ends', closes],
];

/* Side by side: an assistant with four terminals. */
await Promise.all(shells.map(([name, path]) => {
  const terminal = new Terminal(name, path);
  return steps(`terminal-${kind}-${name}`, parts.map(([what, run]) => [what, () => run(terminal)]),
    { timeout_ms: 200_000 });
}));
await client.close();
process.exit(failures ? 1 : 0);
