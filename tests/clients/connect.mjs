// connect.mjs - one face for the client libraries: connect(kind, target, options) with kind sdk1,
// sdk2-modern, sdk2-auto or sdk2-legacy, and target {command, args, env} or {url, token, carrier}, where
// carrier is http (the default), sse or ws.
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { SSEClientTransport as Sse1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { WebSocketClientTransport as WebSocket1 } from '@modelcontextprotocol/sdk/client/websocket.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import {
  Client as Client2,
  SSEClientTransport as Sse2,
  StreamableHTTPClientTransport as Http2,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';

export const kinds = ['sdk1', 'sdk2-modern', 'sdk2-auto', 'sdk2-legacy'];

const info = { name: 'tenon-interop', version: '1.0.0' };
const negotiation = {
  'sdk2-modern': { mode: { pin: '2026-07-28' } },
  'sdk2-auto': { mode: 'auto' },
};
const requestSchemas = {
  'elicitation/create': ElicitRequestSchema,
  'sampling/createMessage': CreateMessageRequestSchema,
  'roots/list': ListRootsRequestSchema,
};

function transportFor(kind, target) {
  if (target.command) {
    const Stdio = kind === 'sdk1' ? Stdio1 : Stdio2;
    // The whole environment: sanitizer options must reach the server.
    const stderr = target.quiet ? 'ignore' : 'inherit';
    return new Stdio({ command: target.command, args: target.args, env: target.env ?? process.env, stderr });
  }
  const url = new URL(target.url);
  if (target.carrier === 'ws') return new WebSocket1(url);
  const Sse = kind === 'sdk1' ? Sse1 : Sse2;
  const Http = kind === 'sdk1' ? Http1 : Http2;
  const headers = target.token ? { Authorization: `Bearer ${target.token}` } : {};
  return new (target.carrier === 'sse' ? Sse : Http)(url, { requestInit: { headers } });
}

// handlers: {'elicitation/create': async (request) => result, ...}; each announces its capability.
// listChanged: as both libraries take it, {tools: {onChanged(error, tools)}, ...}.
// What both libraries do: a response removes its call's onprogress at once, while a notification is
// handed on a little later. A notification that is read in one go with its response is then lost to
// onprogress. `heard` has the progress as it came off the transport, whatever becomes of it.
function listenToTransport(client) {
  const heard = [];
  const { transport } = client;
  const handOn = transport.onmessage;
  transport.onmessage = (message, ...rest) => {
    if (message.method === 'notifications/progress') heard.push(message.params.progress);
    return handOn(message, ...rest);
  };
  return heard;
}

export async function connect(kind, target, { handlers = {}, listChanged } = {}) {
  const capabilities = {};
  if (handlers['elicitation/create']) capabilities.elicitation = {};
  if (handlers['sampling/createMessage']) capabilities.sampling = {};
  if (handlers['roots/list']) capabilities.roots = {};
  const client =
    kind === 'sdk1'
      ? new Client1(info, { capabilities, listChanged })
      : new Client2(info, {
          capabilities,
          listChanged,
          ...(negotiation[kind] ? { versionNegotiation: negotiation[kind] } : {}),
        });
  for (const [method, handler] of Object.entries(handlers))
    client.setRequestHandler(kind === 'sdk1' ? requestSchemas[method] : method, handler);
  await client.connect(transportFor(kind, target));
  const watched = new Map();
  return {
    client,
    heard: listenToTransport(client),
    // The second parameter of callTool in SDK 1.x is a schema, in 2.x the options.
    call: (name, args, options) =>
      kind === 'sdk1'
        ? client.callTool({ name, arguments: args }, undefined, options)
        : client.callTool({ name, arguments: args }, options),
    // Tells `told` of each change of the resource, in whichever way the revision has.
    watch: async (uri, told) => {
      watched.set(uri, told);
      const heard = ({ params }) => watched.get(params.uri)?.();
      if (kind === 'sdk1') client.setNotificationHandler(ResourceUpdatedNotificationSchema, heard);
      else client.setNotificationHandler('notifications/resources/updated', heard);
      const modern = kind !== 'sdk1' && client.getNegotiatedProtocolVersion() === '2026-07-28';
      if (modern) await client.listen({ resourceSubscriptions: [uri] });
      else await client.subscribeResource({ uri });
    },
    close: () => client.close(),
  };
}
