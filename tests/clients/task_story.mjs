// task_story.mjs stdio COMMAND ARG... | http COMMAND
// Tasks as SDK 1.x drives them (its experimental part, revision 2025-11-25), against
// conformance-server: created, followed, asked in between, cancelled, listed, refused.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema, TaskStatusNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { assert, failures, steps } from './results.mjs';

const [carrier, command, ...args] = process.argv.slice(2);
const suite = `tasks-sdk1-${carrier}`;
const asked = [];
const told = [];
let server;
let client;

async function startServer() {
  server = spawn(command, ['--http', '127.0.0.1:0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface(server.stderr)) {
    const found = /^listening on (\S+)/.exec(line);
    if (found) return found[1];
  }
  throw new Error('the server did not start');
}

// Follows a call to its end; what the library saw of it.
async function follow(name, toolArguments, options = { task: { ttl: 60_000 } }) {
  const seen = [];
  let task;
  for await (const message of client.experimental.tasks.callToolStream(
    { name, arguments: toolArguments }, CallToolResultSchema, options)) {
    seen.push(message.type === 'taskStatus' ? message.task.status : message.type);
    if (message.type === 'taskCreated') task = message.task;
    if (message.type === 'result') return { seen, task, result: message.result };
    if (message.type === 'error') return { seen, task, error: message.error };
  }
  throw new Error('the stream ended without a result');
}

const text = (result) => result.content[0].text;

async function refused(promise, code, words) {
  const error = await promise.then(() => null, (e) => e);
  assert(error?.code === code, `expected ${code}, got ${error?.code} ${error?.message}`);
  assert(error.message.includes(words), error.message);
}

const list = [
  ['connect', async () => {
    client = new Client({ name: 'tenon-interop', version: '1.0.0' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, async (request) => {
      asked.push(request.params);
      return { action: 'accept', content: { confirm: true, name: `name ${asked.length}` } };
    });
    client.setNotificationHandler(TaskStatusNotificationSchema, (notice) => told.push(notice.params));
    if (carrier === 'http')
      await client.connect(new StreamableHTTPClientTransport(new URL(await startServer())));
    else
      await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: 'inherit' }));
    const { tasks } = client.getServerCapabilities();
    assert(tasks?.cancel && tasks.requests.tools.call, JSON.stringify(tasks));
    assert(Boolean(tasks.list) === (carrier === 'stdio'), 'who cannot be told from others has no list');
    await client.listTools(); // the library remembers which tools want tasks
  }],
  ['a task from its creation to its result', async () => {
    const { seen, task, result } = await follow('slow_compute', { seconds: 1, label: 'it' });
    assert(seen[0] === 'taskCreated' && seen.at(-1) === 'result', seen.join());
    assert(task.ttl === 60_000 && task.taskId.startsWith('tsk_'), JSON.stringify(task));
    assert(text(result) === 'Computed it.', text(result));
    assert(result._meta['io.modelcontextprotocol/related-task'].taskId === task.taskId, 'related-task');
  }],
  ['the session is told of its end', async () => {
    for (let i = 0; i < 50 && !told.some((notice) => notice.status === 'completed'); i++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert(told.some((notice) => notice.status === 'completed'), JSON.stringify(told));
  }],
  ['a tool that only runs as a task, and fails', async () => {
    const { seen, error, result } = await follow('failing_job', {});
    assert(seen.includes('failed') || result?.isError, `${seen.join()} ${error?.message}`);
  }],
  ['an error instead of a result', async () => {
    const { error, task } = await follow('protocol_error_job', {});
    assert(error, 'no error');
    await refused(client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema), -32603, 'broke down');
  }],
  ['a question inside a task', async () => {
    asked.length = 0;
    const { seen, task, result } = await follow('confirm_delete', { filename: 'x.txt' });
    assert(text(result) === 'Deleted x.txt.', text(result));
    assert(asked[0].message === 'Delete x.txt?', JSON.stringify(asked));
    assert(asked[0]._meta['io.modelcontextprotocol/related-task'].taskId === task.taskId, 'related-task');
    assert(seen.includes('input_required'), seen.join());
  }],
  ['two questions at once', async () => {
    asked.length = 0;
    const { result } = await follow('multi_input', {});
    assert(asked.length === 2, JSON.stringify(asked));
    assert(text(result) === 'name 1, then name 2.', text(result));
  }],
  ['cancelled', async () => {
    const stream = client.experimental.tasks.callToolStream(
      { name: 'slow_compute', arguments: { seconds: 60 } }, CallToolResultSchema, { task: {} });
    const { task } = (await stream.next()).value;
    const cancelled = await client.experimental.tasks.cancelTask(task.taskId);
    assert(cancelled.status === 'cancelled', cancelled.status);
    await refused(client.experimental.tasks.cancelTask(task.taskId), -32602, 'ended already');
    for await (const message of stream) assert(message.type !== 'result', 'a result of a cancelled task');
    assert((await client.experimental.tasks.getTask(task.taskId)).status === 'cancelled', 'status');
  }],
  ['the list', async () => {
    if (carrier === 'stdio') {
      const { tasks } = await client.experimental.tasks.listTasks();
      assert(tasks.length === 6, JSON.stringify(tasks));
      await refused(client.experimental.tasks.listTasks('else'), -32602, 'cursor');
    } else {
      await refused(client.request({ method: 'tasks/list' }, CallToolResultSchema), -32601, 'not found');
    }
  }],
  ['refusals', async () => {
    await refused(client.experimental.tasks.getTask('tsk_unknown'), -32602, 'no such task');
    await refused(client.request({ method: 'tools/call', params: { name: 'greet', arguments: { name: 'x' }, task: {} } },
      CallToolResultSchema), -32601, 'cannot run as a task');
    await refused(client.request({ method: 'tools/call', params: { name: 'failing_job' } }, CallToolResultSchema),
      -32601, 'only as a task');
  }],
  ['close', async () => {
    await client.close();
    if (!server) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    assert((await ended) === 0, 'exit');
  }],
];

await steps(suite, list, { timeout_ms: 30_000 });
server?.kill();
process.exit(failures ? 1 : 0);
