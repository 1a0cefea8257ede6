// feature_story.mjs KIND stdio COMMAND ARG... | KIND http COMMAND ARG...
// What applications do not show: progress, cancellation, questions, live lists, a server that comes
// back. Against conformance-server; over HTTP the story starts and restarts it itself.
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

async function startServer(address) {
  server = spawn(command, ['--http', address], { stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface(server.stderr)) {
    const found = /^listening on (\S+)/.exec(line);
    if (found) return found[1];
  }
  throw new Error('the server did not start');
}

async function stopServer() {
  const ended = new Promise((resolve) => server.once('exit', (code) => resolve(code)));
  server.kill('SIGTERM');
  const code = await ended;
  assert(code === 0, `exit ${code}`);
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

const list = [
  ['connect', async () => {
    if (carrier === 'http') target = { url: await startServer('127.0.0.1:0') };
    else target = { command, args };
    session = await connect(kind, target, {
      handlers,
      listChanged: {
        tools: { onChanged: (error, tools) => changes.push(error ?? tools) },
        prompts: { onChanged: (error, prompts) => changes.push(error ?? prompts) },
      },
    });
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
    const seen = [];
    await session.call('test_tool_with_progress', {}, { onprogress: (one) => seen.push(one.progress) });
    assert(seen.length >= 2 && seen.every((value, at) => at === 0 || value > seen[at - 1]), seen.join());
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
  ['a list that changes is told', async () => {
    await sleep(200); /* a stream of its own has to be open first */
    await session.call('test_trigger_tool_change', {});
    for (let tries = 0; changes.length === 0 && tries < 100; tries += 1) await sleep(50);
    assert(changes.length > 0, 'nobody told');
  }],
  ['twenty calls at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 },
      () => session.call('test_simple_text', {})));
    assert(answers.every((answer) => text(answer).includes('simple text')), 'an answer is missing');
  }],
  ['close', () => session.close()],
  ['starting again is harmless', async () => {
    let again = target;
    if (carrier === 'http') {
      await stopServer();
      again = { url: await startServer(new URL(target.url).host) };
      assert(again.url === target.url, 'another address');
    }
    const next = await connect(kind, again, { handlers });
    assert(text(await next.call('test_simple_text', {})).includes('simple text'), 'no answer');
    await next.close();
  }],
  ['the server ends in order', async () => {
    if (carrier === 'http') await stopServer();
  }],
];

await steps(suite, list, { timeout_ms: 60_000 });
server?.kill('SIGKILL');
process.exit(failures ? 1 : 0);
