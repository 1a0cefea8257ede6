// echo_v2.mjs - the tool that bench-server has, on the second generation of the official TypeScript
// SDK: what its rows of `make bench` are divided by.
//
//     node echo_v2.mjs stdio | http [--tools N]
//
// Serves both eras, as bench-server does. Prints "listening on URL" on standard error.
import http from 'node:http';
import { createMcpHandler, McpServer } from '../../tests/clients/node_modules/@modelcontextprotocol/server/dist/index.mjs';
import { serveStdio } from '../../tests/clients/node_modules/@modelcontextprotocol/server/dist/stdio.mjs';
import { getRequestListener } from '../../tests/clients/node_modules/@hono/node-server/dist/index.mjs';
import { z } from '../../tests/clients/node_modules/zod/index.js';
import { options, listen } from './options.mjs';

const { way, tools } = options();
const inputSchema = z.object({ message: z.string().describe('What comes back') });

function makeServer() {
	const server = new McpServer({ name: 'bench-server', version: '1.0.0' });
	const tool = { description: 'Answers with the message', inputSchema };
	const echo = async ({ message }) => ({ content: [{ type: 'text', text: message }] });
	server.registerTool('echo', tool, echo);
	for (let i = 0; i < tools; i++)
		server.registerTool(`tool_${String(i).padStart(5, '0')}`, tool, echo);
	return server;
}

if (way === 'stdio') {
	serveStdio(makeServer);
} else {
	const handler = createMcpHandler(makeServer);
	listen(http.createServer(getRequestListener((request) => handler.fetch(request))));
}
