// feature_story.mjs KIND stdio COMMAND ARG... | KIND http|sse|ws COMMAND
// What applications do not show: progress, cancellation, questions, subscriptions, tasks, a server
// that is killed in the middle of a call and comes back. Against conformance-server; where it is
// reached by a URL the story starts and restarts it itself.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { connect } from './connect.mjs';
import { assert, failures, steps } from './results.mjs';

const [kind, carrier, command, ...args] = process.argv.slice(2);
const suite = `features-${kind}-${carrier}`;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

let server; /* over HTTP */
let target;
let session;
const asked = [];
const changes = [];
let updates = 0;
const watched = 'test://watched-resource';

// The other ways in are beside the endpoint that the server names.
function targetAt(url) {
  const other = new URL(url);
  if (carrier === 'ws') other.protocol = 'ws:';
  if (carrier !== 'http') other.pathname = `/${carrier}`;
  return { url: other.href, carrier };
}

async function startServer(address) {
  server = spawn(command, ['--http', address], { stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface(server.stderr)) {
    const found = /^listening on (\S+)/.exec(line);
    if (found) return found[1];
  }
  throw new Error('the server did not start');
}

async function endServer(signal) {
  const ended = new Promise((resolve) => server.once('exit', (code) => resolve(code)));
  server.kill(signal);
  return ended;
}

async function stopServer() {
  const code = await endServer('SIGTERM');
  assert(code === 0, `exit ${code}`);
}

async function restartServer() {
  const before = new URL(target.url).host;
  target = targetAt(await startServer(before));
  assert(new URL(target.url).host === before, 'another address');
}

async function until(happened, what) {
  for (let tries = 0; !happened() && tries < 100; tries += 1) await sleep(50);
  assert(happened(), what);
}

const text = (answer) => answer.content[0].text;

const handlers = {
  'elicitation/create': async (request) => {
    asked.push(request.params.message);
    return { action: 'accept', content: { username: 'ann', email: 'ann@example.org' } };
  },
  'sampling/createMessage': async (request) => {
    asked.push(request.params.messages[0].content.text);
    return { role: 'assistant', model: 'test-model', content: { type: 'text', text: 'an answer' } };
  },
  'roots/list': async () => ({ roots: [{ uri: 'file:///work', name: 'work' }] }),
};

const connectAgain = () => connect(kind, target, {
  handlers,
  listChanged: {
    tools: { onChanged: (error, tools) => changes.push(error ?? tools) },
    prompts: { onChanged: (error, prompts) => changes.push(error ?? prompts) },
  },
});

// A task of 2025-11-25 from its beginning to its end: the kinds of what the SDK tells, and the end.
async function followTask(name, args, seen = () => {}) {
  const told = [];
  const stream = session.client.experimental.tasks.callToolStream(
    { name, arguments: args }, undefined, { task: { ttl: 60_000 } });
  for await (const message of stream) {
    told.push(message.type);
    seen(message);
    if (message.type === 'result' || message.type === 'error') return { told, last: message };
  }
  throw new Error(`no end: ${told}`);
}

const tasks = kind !== 'sdk1' ? [] : [
  ['a task is followed to its result', async () => {
    const { told, last } = await followTask('slow_compute', { seconds: 1, label: 'six' });
    assert(told[0] === 'taskCreated' && told.includes('taskStatus'), told.join());
    assert(text(last.result) === 'Computed six.', JSON.stringify(last));
  }],
  ['a task asks the user', async () => {
    const { told, last } = await followTask('confirm_delete', { filename: 'old.txt' });
    assert(last.type === 'result' && asked.some((words) => words.includes('old.txt')),
      `${told}: ${JSON.stringify(last).slice(0, 200)}`);
  }],
  ['a task is cancelled', async () => {
    let id;
    const { told, last } = await followTask('slow_compute', { seconds: 20 }, (message) => {
      if (message.type !== 'taskCreated') return;
      id = message.task.taskId;
      session.client.experimental.tasks.cancelTask(id).catch(() => {});
    });
    assert(last.type === 'error', `${told}: ${JSON.stringify(last).slice(0, 200)}`);
    assert((await session.client.experimental.tasks.getTask(id)).status === 'cancelled', 'its status');
  }],
];

const list = [
  ['connect', async () => {
    if (carrier === 'stdio') target = { command, args, quiet: true };
    else target = targetAt(await startServer('127.0.0.1:0'));
    session = await connectAgain();
  }],
  ['tools, resources, templates and prompts', async () => {
    assert((await session.client.listTools()).tools.length > 15, 'tools');
    assert((await session.client.listResources()).resources.length >= 3, 'resources');
    assert((await session.client.listResourceTemplates()).resourceTemplates.length >= 1, 'templates');
    assert((await session.client.listPrompts()).prompts.length >= 4, 'prompts');
  }],
  ['read a resource and a template', async () => {
    const plain = await session.client.readResource({ uri: 'test://static-text' });
    assert(plain.contents[0].text.includes('static text'), JSON.stringify(plain));
    const made = await session.client.readResource({ uri: 'test://template/42/data' });
    assert(JSON.parse(made.contents[0].text).id === '42', JSON.stringify(made));
  }],
  ['a prompt with arguments', async () => {
    const { messages } = await session.client.getPrompt(
      { name: 'test_prompt_with_arguments', arguments: { arg1: 'hello', arg2: 'world' } });
    assert(messages[0].content.text.includes("arg1='hello'"), JSON.stringify(messages));
  }],
  ['pictures, sound and errors', async () => {
    assert((await session.call('test_image_content', {})).content[0].type === 'image', 'image');
    assert((await session.call('test_audio_content', {})).content[0].type === 'audio', 'audio');
    assert((await session.call('test_error_handling', {})).isError === true, 'isError');
  }],
  ['progress', async () => {
    /* What comes together with the answer the client forgets (connect.mjs): on a busy machine that may be more than the last,
     * so it is asked again until there was time between them. What was sent is the same each time. */
    let seen = [];
    const whole = () => seen.join() === '0,50,100' || (carrier !== 'http' && seen.join() === '0,50');
    for (let tries = 0; tries < 5 && !whole(); tries++) {
      seen = [];
      session.heard.length = 0;
      await session.call('test_tool_with_progress', {}, { onprogress: (one) => seen.push(one.progress) });
      assert(session.heard.join() === '0,50,100', `${session.heard} came`);
    }
    assert(whole(), seen.join());
  }],
  ['abort, and the next call is answered', async () => {
    const stop = new AbortController();
    const call = session.call('test_tool_with_progress', {}, { signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    const outcome = await call.then(() => 'answered', () => 'aborted');
    assert(outcome === 'aborted', outcome);
    assert(text(await session.call('test_simple_text', {})).includes('simple text'), 'no answer');
  }],
  ['elicitation', async () => {
    const answer = await session.call('test_elicitation', { message: 'Who are you?' });
    assert(asked.includes('Who are you?'), 'the handler was not asked');
    assert(text(answer).includes('ann@example.org'), text(answer));
  }],
  ['sampling', async () => {
    const answer = await session.call('test_sampling', { prompt: 'Say something' });
    assert(asked.includes('Say something'), 'the handler was not asked');
    assert(text(answer).includes('an answer'), text(answer));
  }],
  ['roots', async () => {
    const answer = await session.call('test_input_required_result_list_roots', {});
    assert(text(answer).includes('work'), text(answer));
  }],
  ['a list that changes is told', async () => {
    await sleep(200); /* a stream of its own has to be open first */
    await session.call('test_trigger_tool_change', {});
    await until(() => changes.length > 0, 'nobody told');
  }],
  ['a watched resource that changes is told', async () => {
    await session.watch(watched, () => { updates += 1; });
    await session.call('test_trigger_resource_update', {});
    await until(() => updates > 0, 'nobody told');
  }],
  ...tasks,
  ['twenty calls at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 },
      () => session.call('test_simple_text', {})));
    assert(answers.every((answer) => text(answer).includes('simple text')), 'an answer is missing');
  }],
  ['killed in the middle of a call', async () => {
    /* Over HTTP these clients notice only when their time is over. */
    const call = session.call('test_tool_with_progress', {}, {
      timeout: 2500,
      onprogress: () => {
        if (carrier === 'stdio') process.kill(session.client.transport.pid, 'SIGKILL');
        else server.kill('SIGKILL');
      },
    });
    const outcome = await call.then(() => 'answered', () => 'told');
    assert(outcome === 'told', outcome);
  }],
  ['the server comes back', async () => {
    if (carrier !== 'stdio') await restartServer();
    /* A modern client over HTTP has nothing to renew; the others know that they have to. */
    const renews = !(carrier === 'http' && ['sdk2-modern', 'sdk2-auto'].includes(kind));
    if (renews) {
      const refused = await session.call('test_simple_text', {}, { timeout: 2500 })
        .then(() => false, () => true);
      assert(refused, 'a session of another process is served');
      await session.close().catch(() => {});
      session = await connectAgain();
    }
    assert(text(await session.call('test_simple_text', {})).includes('simple text'), 'no answer');
    changes.length = 0;
    await sleep(200);
    await session.watch(watched, () => { updates += 1; });
    updates = 0;
    await session.call('test_trigger_resource_update', {});
    await until(() => updates > 0, 'nobody told');
  }],
  ['close', () => session.close()],
  ['starting again is harmless', async () => {
    if (carrier !== 'stdio') {
      await stopServer();
      await restartServer();
    }
    const next = await connect(kind, target, { handlers });
    assert(text(await next.call('test_simple_text', {})).includes('simple text'), 'no answer');
    await next.close();
  }],
  ['the server ends in order', async () => {
    if (carrier !== 'stdio') await stopServer();
  }],
];

await steps(suite, list, { timeout_ms: 60_000 });
server?.kill('SIGKILL');
process.exit(failures ? 1 : 0);
