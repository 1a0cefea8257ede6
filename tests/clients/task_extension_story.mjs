// task_extension_story.mjs COMMAND - the extension io.modelcontextprotocol/tasks of 2026-07-28 as the
// requester of its own authors drives it (ext-tasks, which the locked Inspector brings along),
// against conformance-server over HTTP. That library checks every message against its schemas.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createTaskSessionFromClient } from '@modelcontextprotocol/ext-tasks/client';
import { assert, failures, steps } from './results.mjs';

const [command] = process.argv.slice(2);
const clientInfo = { name: 'tenon-interop', version: '1.0.0' };
const clientCapabilities = { elicitation: { form: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } };
const asked = [];
let server;
let client;
let session;
let url;

async function startServer() {
  server = spawn(command, ['--http', '127.0.0.1:0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface(server.stderr)) {
    const found = /^listening on (\S+)/.exec(line);
    if (found) return found[1];
  }
  throw new Error('the server did not start');
}

let number = 0;
async function rawDispatch(request, options = {}) {
  const { method, params } = request;
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
  };
  const name = params?.name ?? params?.taskId;
  if (name) headers['Mcp-Name'] = name;
  const body = JSON.stringify({ ...request, jsonrpc: '2.0', id: ++number });
  const answer = await (await fetch(url, { method: 'POST', headers, body, signal: options.signal })).json();
  return answer.error ? { kind: 'error', error: answer.error } : { kind: 'result', result: answer.result };
}

async function run(name, toolArguments) {
  const seen = [];
  const execution = await session.callTool(name, toolArguments);
  const { outcome } = await execution.settle({ onEvent: (event) => seen.push(event.task?.status ?? event.type) });
  return { kind: execution.kind, outcome, seen };
}

const text = ({ outcome }) => outcome.result.content[0].text;

const list = [
  ['connect', async () => {
    url = await startServer();
    client = new Client(clientInfo, {
      capabilities: clientCapabilities,
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    session = createTaskSessionFromClient(client, {
      endpointId: 'tenon',
      rawDispatch,
      v2RequestFraming: { protocolVersion: '2026-07-28', clientInfo, clientCapabilities },
      onInputRequest: async (request) => {
        asked.push(request.params.message);
        return { action: 'accept', content: { confirm: true, name: `name ${asked.length}` } };
      },
    });
  }],
  ['a tool that never becomes one', async () => {
    const done = await run('greet', { name: 'Ann' });
    assert(done.kind === 'immediate' && text(done) === 'Hello, Ann!', JSON.stringify(done));
  }],
  ['a task from its creation to its result', async () => {
    const done = await run('slow_compute', { seconds: 1, label: 'it' });
    assert(done.kind === 'task' && text(done) === 'Computed it.', JSON.stringify(done));
    assert(done.seen.includes('working'), done.seen.join());
  }],
  ['a tool that fails has completed', async () => {
    const done = await run('failing_job', {});
    assert(done.outcome.status === 'completed' && done.outcome.result.isError, JSON.stringify(done.outcome));
  }],
  ['an error instead of a result', async () => {
    const { outcome } = await run('protocol_error_job', {});
    assert(outcome.status === 'failed' && outcome.error.code === -32603, JSON.stringify(outcome));
  }],
  ['a question inside a task', async () => {
    asked.length = 0;
    const done = await run('confirm_delete', { filename: 'x.txt' });
    assert(text(done) === 'Deleted x.txt.' && asked.join() === 'Delete x.txt?', JSON.stringify(done));
  }],
  ['two questions at once', async () => {
    asked.length = 0;
    const done = await run('multi_input', {});
    assert(text(done) === 'name 1, then name 2.' && asked.length === 2, JSON.stringify(done));
  }],
  ['a question before the task', async () => {
    asked.length = 0;
    const done = await run('test_tool_with_task', {});
    assert(done.kind === 'task' && text(done) === 'Done for name 1.', JSON.stringify(done));
  }],
  ['cancelled', async () => {
    const execution = await session.callTool('slow_compute', { seconds: 60 });
    await execution.cancel();
    const { outcome } = await execution.settle();
    assert(outcome.status === 'cancelled', JSON.stringify(outcome));
  }],
  ['close', async () => {
    await session.close();
    await client.close();
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    assert((await ended) === 0, 'exit');
  }],
];

await steps('tasks-extension', list, { timeout_ms: 30_000 });
server?.kill();
process.exit(failures ? 1 : 0);
