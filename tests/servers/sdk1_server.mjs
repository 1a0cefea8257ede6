// sdk1_server.mjs stdio | http ADDR:PORT | sse ADDR:PORT - the fixtures on SDK 1.x: legacy only.
// NODE_PATH does not serve modules, so the SDK is named by its place beside the clients.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Server } from '../clients/node_modules/@modelcontextprotocol/sdk/dist/esm/server/index.js';
import { StdioServerTransport } from '../clients/node_modules/@modelcontextprotocol/sdk/dist/esm/server/stdio.js';
import { StreamableHTTPServerTransport } from '../clients/node_modules/@modelcontextprotocol/sdk/dist/esm/server/streamableHttp.js';
import { SSEServerTransport } from '../clients/node_modules/@modelcontextprotocol/sdk/dist/esm/server/sse.js';
import * as types from '../clients/node_modules/@modelcontextprotocol/sdk/dist/esm/types.js';
import {
  addressOf, callTool, getPrompt, listPrompts, listResources, listTools, listening, readResource,
} from './fixtures.mjs';

const [carrier, address] = process.argv.slice(2);
const servers = new Set(); /* each with its set of watched URIs */

function makeServer() {
  const server = new Server({ name: 'sdk1-server', version: '1.0.0' }, {
    capabilities: {
      tools: { listChanged: true }, resources: { subscribe: true }, prompts: {}, logging: {},
    },
    instructions: 'Made with SDK 1.x.',
  });
  const one = { server, watched: new Set() };
  servers.add(one);
  server.onclose = () => servers.delete(one);
  server.setRequestHandler(types.ListToolsRequestSchema, async ({ params }) => listTools(params));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, extra) =>
    callTool(params, doorOf(server, extra)));
  server.setRequestHandler(types.ListResourcesRequestSchema, async () => listResources());
  server.setRequestHandler(types.ListResourceTemplatesRequestSchema, async () => ({ resourceTemplates: [] }));
  server.setRequestHandler(types.ReadResourceRequestSchema, async ({ params }) => readResource(params));
  server.setRequestHandler(types.SubscribeRequestSchema, async ({ params }) => {
    one.watched.add(params.uri);
    return {};
  });
  server.setRequestHandler(types.UnsubscribeRequestSchema, async ({ params }) => {
    one.watched.delete(params.uri);
    return {};
  });
  server.setRequestHandler(types.ListPromptsRequestSchema, async () => listPrompts());
  server.setRequestHandler(types.GetPromptRequestSchema, async ({ params }) => getPrompt(params));
  return server;
}

function doorOf(server, extra) {
  const progressToken = extra._meta?.progressToken;
  const everybody = (tell) => Promise.all([...servers].map((one) => tell(one).catch(() => {})));
  return {
    signal: extra.signal,
    progress: async (progress, total) => progressToken === undefined ? undefined
      : extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total } }),
    elicit: (key, params) => extra.sendRequest({ method: 'elicitation/create', params }, types.ElicitResultSchema),
    sample: (key, params) =>
      extra.sendRequest({ method: 'sampling/createMessage', params }, types.CreateMessageResultSchema),
    roots: () => extra.sendRequest({ method: 'roots/list' }, types.ListRootsResultSchema),
    toolsChanged: () => everybody((one) => one.server.sendToolListChanged()),
    updated: (uri) => everybody(async (one) => one.watched.has(uri) && one.server.sendResourceUpdated({ uri })),
  };
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString() || 'null');
}

function streamable() {
  const sessions = new Map();
  return async (request, response) => {
    const id = request.headers['mcp-session-id'];
    if (id && !sessions.has(id)) return response.writeHead(404).end();
    if (id) return sessions.get(id).handleRequest(request, response);
    const body = request.method === 'POST' ? await bodyOf(request) : undefined;
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (made) => sessions.set(made, transport),
    });
    transport.onclose = () => sessions.delete(transport.sessionId);
    await makeServer().connect(transport);
    return transport.handleRequest(request, response, body);
  };
}

function eventStream() {
  const sessions = new Map();
  return async (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    if (request.method === 'GET' && url.pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response);
      sessions.set(transport.sessionId, transport);
      transport.onclose = () => sessions.delete(transport.sessionId);
      return makeServer().connect(transport);
    }
    const transport = sessions.get(url.searchParams.get('sessionId'));
    if (request.method === 'POST' && transport) return transport.handlePostMessage(request, response);
    return response.writeHead(404).end('nothing here');
  };
}

if (carrier === 'stdio') {
  await makeServer().connect(new StdioServerTransport());
} else {
  const answer = carrier === 'sse' ? eventStream() : streamable();
  const http = createServer((request, response) => answer(request, response).catch((error) => {
    console.error(error.message);
    if (!response.headersSent) response.writeHead(500).end();
  }));
  const { host, port } = addressOf(address);
  listening(http, (at) => `http://${host}:${at}/${carrier === 'sse' ? 'sse' : 'mcp'}`);
  http.listen(port, host);
}
