// sdk2_server.mjs ERA stdio | ERA http ADDR:PORT - the fixtures on SDK 2.x. ERA is modern (nothing
// older is served), both, or legacy (over HTTP with sessions; over stdio the same as both).
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import {
  Server, WebStandardStreamableHTTPServerTransport, createMcpHandler, inputRequired, inputResponse, isLegacyRequest,
} from '../clients/node_modules/@modelcontextprotocol/server/dist/index.mjs';
import { serveStdio } from '../clients/node_modules/@modelcontextprotocol/server/dist/stdio.mjs';
import {
  addressOf, callTool, getPrompt, listPrompts, listResources, listTools, listening, readResource,
} from './fixtures.mjs';

const [era, carrier, address] = process.argv.slice(2);
const servers = new Set();
let handler; /* of the modern era over HTTP: it alone knows who listens there */

class Asking extends Error {
  constructor(inputRequests) {
    super('the client is asked');
    this.inputRequests = inputRequests;
  }
}

function makeServer() {
  const server = new Server({ name: 'sdk2-server', version: '2.0.0' }, {
    capabilities: {
      tools: { listChanged: true }, resources: { subscribe: true }, prompts: {},
    },
    instructions: 'Made with SDK 2.x.',
  });
  const one = { server, watched: new Set() };
  servers.add(one);
  server.onclose = () => servers.delete(one);
  server.setRequestHandler('tools/list', async ({ params }) => listTools(params));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    try {
      return await callTool(params, doorOf(context));
    } catch (error) {
      if (error instanceof Asking) return inputRequired({ inputRequests: error.inputRequests });
      throw error;
    }
  });
  server.setRequestHandler('resources/list', async () => listResources());
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', async ({ params }) => readResource(params));
  server.setRequestHandler('resources/subscribe', async ({ params }) => {
    one.watched.add(params.uri);
    return {};
  });
  server.setRequestHandler('resources/unsubscribe', async ({ params }) => {
    one.watched.delete(params.uri);
    return {};
  });
  server.setRequestHandler('prompts/list', async () => listPrompts());
  server.setRequestHandler('prompts/get', async ({ params }) => getPrompt(params));
  return server;
}

function doorOf(context) {
  const { mcpReq } = context;
  const progressToken = mcpReq._meta?.progressToken;
  const ask = (key, kind, request) => {
    const answer = inputResponse(mcpReq.inputResponses, key);
    if (answer.kind !== kind) throw new Asking({ [key]: request });
    return answer;
  };
  const everybody = (tell) => Promise.all([...servers].map((one) => tell(one).catch(() => {})));
  return {
    signal: mcpReq.signal,
    progress: async (progress, total) => progressToken === undefined ? undefined
      : mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total } }),
    elicit: async (key, params) => {
      const { action, content } = ask(key, 'elicit', inputRequired.elicit(params));
      return { action, content };
    },
    sample: async (key, params) => ask(key, 'sampling', inputRequired.createMessage(params)).result,
    roots: async (key) => ask(key, 'roots', inputRequired.listRoots()),
    toolsChanged: async () => {
      handler?.notify.toolsChanged();
      await everybody((one) => one.server.sendToolListChanged());
    },
    updated: async (uri) => {
      handler?.notify.resourceUpdated(uri);
      /* On stdio the entry itself knows who listens; a legacy session is asked for by its URIs. */
      await everybody((one) => one.server.sendResourceUpdated({ uri }));
    },
  };
}

const sessions = new Map();
async function withSession(request) {
  const id = request.headers.get('mcp-session-id');
  if (id && !sessions.has(id)) return new Response('no such session', { status: 404 });
  if (id) return sessions.get(id).handleRequest(request);
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (made) => { sessions.set(made, transport); },
    onsessionclosed: (gone) => { sessions.delete(gone); },
  });
  await makeServer().connect(transport);
  return transport.handleRequest(request);
}

async function answer(request) {
  if (era === 'legacy') return withSession(request);
  if (era === 'both' && await isLegacyRequest(request.clone())) return withSession(request);
  return handler.fetch(request);
}

// node:http on one side, the web's Request and Response on the other.
async function bridge(incoming, outgoing) {
  const gone = new AbortController();
  outgoing.on('close', () => gone.abort());
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const made = await answer(new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method: incoming.method, headers: incoming.headers, signal: gone.signal,
    body: chunks.length ? Buffer.concat(chunks) : undefined,
  }));
  outgoing.writeHead(made.status, Object.fromEntries(made.headers));
  outgoing.flushHeaders();
  if (made.body) {
    const reader = made.body.getReader();
    outgoing.on('close', () => reader.cancel().catch(() => {}));
    for (let part = await reader.read(); !part.done; part = await reader.read()) outgoing.write(part.value);
  }
  outgoing.end();
}

if (carrier === 'stdio') {
  serveStdio(makeServer, { legacy: era === 'modern' ? 'reject' : 'serve' });
} else {
  handler = era === 'legacy' ? undefined : createMcpHandler(makeServer, { legacy: 'reject' });
  const http = createServer((incoming, outgoing) => bridge(incoming, outgoing).catch((error) => {
    if (!outgoing.headersSent) outgoing.writeHead(500);
    outgoing.end();
    if (error.name !== 'AbortError') console.error(error.message);
  }));
  const { host, port } = addressOf(address);
  listening(http, (at) => `http://${host}:${at}/mcp`);
  http.listen(port, host);
}
