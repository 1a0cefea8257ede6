// rude_server.mjs KIND stdio | KIND http ADDR:PORT - servers as they are met in the wild, older than
// 2026-07-28, each with one way of taking a question it does not know (mcp-conformance.md 7.4):
//   exits    ends its process at anything before initialize
//   silent   never answers what it does not know
//   says-no  200 with error -32601
//   html     400 with a page for people
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { addressOf, listening } from './fixtures.mjs';

const [kind, carrier, address] = process.argv.slice(2);
let greeted = false;

const result = (message, body) => ({ jsonrpc: '2.0', id: message.id, result: body });

// The answer; null: none is due; undefined: it does not know.
function answer(message) {
  if (message.method === 'initialize') {
    greeted = true;
    return result(message, {
      protocolVersion: '2025-06-18', capabilities: { tools: {} },
      serverInfo: { name: `rude-server-${kind}`, version: '0.9' },
    });
  }
  if (message.id === undefined || !message.method) return null;
  if (!greeted) return undefined;
  if (message.method === 'ping') return result(message, {});
  if (message.method === 'tools/list')
    return result(message, { tools: [{ name: 'test_simple_text', inputSchema: { type: 'object' } }] });
  if (message.method === 'tools/call')
    return result(message, { content: [{ type: 'text', text: 'a simple text response' }] });
  return undefined;
}

const no = (message) => ({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } });

if (carrier === 'stdio') {
  for await (const line of createInterface(process.stdin)) {
    const message = JSON.parse(line);
    const made = answer(message);
    if (made) process.stdout.write(`${JSON.stringify(made)}\n`);
    else if (made === undefined && kind === 'exits' && !greeted) process.exit(3);
    else if (made === undefined && kind !== 'silent')
      process.stdout.write(`${JSON.stringify(no(message))}\n`);
  }
} else {
  const http = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const message = JSON.parse(Buffer.concat(chunks).toString());
    const made = answer(message);
    if (made === null) return response.writeHead(202).end();
    if (made === undefined && kind === 'silent') return undefined;
    if (made === undefined && kind === 'exits' && !greeted) process.exit(3);
    if (made === undefined && kind === 'html')
      return response.writeHead(400, { 'Content-Type': 'text/html' })
        .end('<!DOCTYPE html><html><body><h1>Bad Request</h1></body></html>');
    return response.writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(made ?? no(message)));
  });
  const { host, port } = addressOf(address);
  listening(http, (at) => `http://${host}:${at}/mcp`);
  http.listen(port, host);
}
