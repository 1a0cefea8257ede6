// echo_v1.mjs - the tool that bench-server has, on the first generation of the official TypeScript
// SDK: what its rows of `make bench` are divided by.
//
//     node echo_v1.mjs stdio | http [--tools N]
//
// Over HTTP without sessions and with JSON answers, a server object a request, as the SDK asks for:
// the same work that a modern request is. Prints "listening on URL" on standard error.
import http from 'node:http';
import { McpServer } from '../../tests/clients/node_modules/@modelcontextprotocol/sdk/dist/esm/server/mcp.js';
import { StdioServerTransport } from '../../tests/clients/node_modules/@modelcontextprotocol/sdk/dist/esm/server/stdio.js';
import { StreamableHTTPServerTransport } from '../../tests/clients/node_modules/@modelcontextprotocol/sdk/dist/esm/server/streamableHttp.js';
import { z } from '../../tests/clients/node_modules/zod/index.js';
import { options, listen } from './options.mjs';

const { way, tools } = options();

function makeServer() {
	const server = new McpServer({ name: 'bench-server', version: '1.0.0' });
	const tool = {
		description: 'Answers with the message',
		inputSchema: { message: z.string().describe('What comes back') },
	};
	const echo = async ({ message }) => ({ content: [{ type: 'text', text: message }] });
	server.registerTool('echo', tool, echo);
	for (let i = 0; i < tools; i++)
		server.registerTool(`tool_${String(i).padStart(5, '0')}`, tool, echo);
	return server;
}

if (way === 'stdio') {
	await makeServer().connect(new StdioServerTransport());
} else {
	listen(http.createServer(async (request, response) => {
		const server = makeServer();
		const transport = new StreamableHTTPServerTransport({
			sessionIdGenerator: undefined, enableJsonResponse: true,
		});
		response.on('close', () => {
			transport.close();
			server.close();
		});
		await server.connect(transport);
		await transport.handleRequest(request, response);
	}));
}
