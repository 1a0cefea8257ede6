// fixtures.mjs - what the servers made with other people's SDKs offer: the part of
// conformance_server.c's fixtures that tests/clients/client_story.c uses, under the same names.
//
// A tool gets (args, door). The door asks or tells the client: progress(done, total), log(text),
// elicit(key, params), sample(key, params), roots(key), toolsChanged(), updated(uri), signal.
// Asking may throw; the tool is then called again with the answer (SDK 2.x).
export const watched = 'test://watched-resource';

const none = { type: 'object', properties: {} };
const text = (words) => ({ content: [{ type: 'text', text: words }] });
const pause = (ms, signal) => new Promise((resolve, reject) => {
  const timer = setTimeout(resolve, ms);
  signal?.addEventListener('abort', () => { clearTimeout(timer); reject(new Error('cancelled')); });
});

const userForm = {
  type: 'object',
  properties: {
    username: { type: 'string', description: "User's response" },
    email: { type: 'string', description: "User's email address" },
  },
  required: ['username', 'email'],
};

export const state = { extraTool: false, updates: 0, cancelled: 0 };

const tools = {
  test_simple_text: {
    description: 'Answers with a short text',
    inputSchema: none,
    run: async () => text('This is a simple text response for testing.'),
  },
  test_error_handling: {
    description: 'Answers with an error',
    inputSchema: none,
    run: async () => ({ ...text('This tool intentionally returns an error for testing'), isError: true }),
  },
  test_tool_with_progress: {
    description: 'Tells three times how far it is',
    inputSchema: none,
    run: async (args, door) => {
      for (const done of [0, 50, 100]) {
        await door.progress(done, 100);
        await pause(50, door.signal);
      }
      return text('All of it is done.');
    },
  },
  test_slow: {
    description: 'Takes ten seconds, and counts when it is cancelled',
    inputSchema: none,
    run: async (args, door) => {
      await door.progress(1, 100);
      try {
        await pause(10_000, door.signal);
      } catch (error) {
        state.cancelled += 1;
        throw error;
      }
      return text('That took its time.');
    },
  },
  test_cancelled: {
    description: 'How many calls of test_slow were cancelled',
    inputSchema: none,
    run: async () => text(String(state.cancelled)),
  },
  test_elicitation: {
    description: 'Asks the user for a name and an address',
    inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    run: async (args, door) => {
      const answer = await door.elicit('user', { message: args.message, requestedSchema: userForm });
      return text(`User response: ${JSON.stringify(answer)}`);
    },
  },
  test_sampling: {
    description: "Asks the client's model",
    inputSchema: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
    run: async (args, door) => {
      const answer = await door.sample('sampled', {
        messages: [{ role: 'user', content: { type: 'text', text: args.prompt } }], maxTokens: 100,
      });
      return text(`LLM response: ${answer.content.text}`);
    },
  },
  test_roots: {
    description: 'Asks the client for its roots',
    inputSchema: none,
    run: async (args, door) => text((await door.roots('roots')).roots.map((root) => root.uri).join(' ')),
  },
  test_trigger_tool_change: {
    description: 'Changes the list of tools',
    inputSchema: none,
    run: async (args, door) => {
      state.extraTool = !state.extraTool;
      await door.toolsChanged();
      return text('Changed.');
    },
  },
  test_trigger_resource_update: {
    description: `Says that ${watched} has changed`,
    inputSchema: none,
    run: async (args, door) => {
      state.updates += 1;
      await door.updated(watched);
      return text('Told everybody who watches.');
    },
  },
};

const extraTool = { description: 'Comes and goes', inputSchema: none, run: async () => text('Here.') };
const known = () => (state.extraTool ? { ...tools, test_extra_tool: extraTool } : tools);

// Two pages, so that reading only the first one is noticed.
export function listTools(params) {
  const all = Object.entries(known())
    .map(([name, { description, inputSchema }]) => ({ name, description, inputSchema }));
  if (params?.cursor === 'second') return { tools: all.slice(4) };
  return { tools: all.slice(0, 4), nextCursor: 'second' };
}

export async function callTool(params, door) {
  const tool = known()[params.name];
  if (!tool) throw Object.assign(new Error(`no tool ${params.name}`), { code: -32602 });
  return tool.run(params.arguments ?? {}, door);
}

export const listResources = () => ({
  resources: [
    { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
    { uri: watched, name: 'watched-resource', mimeType: 'text/plain' },
  ],
});

export function readResource({ uri }) {
  if (uri === 'test://static-text')
    return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] };
  if (uri === watched)
    return { contents: [{ uri, mimeType: 'text/plain', text: `updated ${state.updates} times` }] };
  throw Object.assign(new Error('no such resource'), { code: -32602, data: { uri } });
}

export const listPrompts = () => ({
  prompts: [{
    name: 'test_prompt_with_arguments',
    arguments: [{ name: 'arg1', required: true }, { name: 'arg2', required: true }],
  }],
});

export const getPrompt = (params) => ({
  messages: [{
    role: 'user',
    content: {
      type: 'text',
      text: `Prompt with arguments: arg1='${params.arguments?.arg1}', arg2='${params.arguments?.arg2}'`,
    },
  }],
});

// Says where the server listens, in the words every test server uses.
export function listening(http, url) {
  http.on('listening', () => console.error(`listening on ${url(http.address().port)}`));
}

// "127.0.0.1:0" to what listen() takes.
export function addressOf(words) {
  const colon = words.lastIndexOf(':');
  return { host: words.slice(0, colon), port: Number(words.slice(colon + 1)) };
}
