// connect.mjs - one face for the client libraries: connect(kind, target, options) with kind sdk1,
// sdk2-modern, sdk2-auto or sdk2-legacy, and target {command, args} or {url, token}.
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
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
    return new Stdio({ command: target.command, args: target.args, env: process.env, stderr: 'inherit' });
  }
  const Http = kind === 'sdk1' ? Http1 : Http2;
  const headers = target.token ? { Authorization: `Bearer ${target.token}` } : {};
  return new Http(new URL(target.url), { requestInit: { headers } });
}

// handlers: {'elicitation/create': async (request) => result, ...}; each announces its capability.
// listChanged: as both libraries take it, {tools: {onChanged(error, tools)}, ...}.
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
  return {
    client,
    // The second parameter of callTool in SDK 1.x is a schema, in 2.x the options.
    call: (name, args, options) =>
      kind === 'sdk1'
        ? client.callTool({ name, arguments: args }, undefined, options)
        : client.callTool({ name, arguments: args }, options),
    close: () => client.close(),
  };
}
