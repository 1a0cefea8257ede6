// fit_story.mjs URL TOKEN - clients that others wrote, in every profile of a host (hosts.md HO-002): they list the tools,
// check what comes by the output schemas that they were told (both libraries do, and refuse a result that has none), and
// find what the profile says. With a profile structured content is lean (HO-003): what fits is checked here, too.
import { readFileSync } from 'node:fs';
import { connect, kinds } from './connect.mjs';
import { failures, result } from './results.mjs';

const [url, token] = process.argv.slice(2);
const data = new URL('../data/plan-examples/', import.meta.url);
const house = readFileSync(new URL('../../examples/house.floorplan', import.meta.url), 'utf8');
const plans = ['01-small-create.txt', '02-mixed-replace.txt', '03-drift-move-import-forget.txt', '07-errored.txt', '09-same-plan.json'];
const calls = [
  ...plans.map((name) => ['terraform_parse', { plan_text: readFileSync(new URL(name, data), 'utf8') }]),
  ['terraform_parse', { plan_text: readFileSync(new URL(plans[1], data), 'utf8'), detail: 'full' }],
  ['terraform_parse', { plan_text: readFileSync(new URL(plans[1], data), 'utf8'), detail: 'summary' }],
  ['terraform_parse', { plan_text: 'this is no plan' }],
  ['render_floorplan', { dsl: house, detail: 'brief' }],
  ['render_floorplan', { dsl: house }],
  ['render_floorplan', { dsl: 'floorplan\n  floor A {\n    room B at (0,0)\n  }\n', detail: 'brief' }],
  ['execute_command', { command: 'echo hi; false' }],
  ['execute_command', { command: 'seq 3000', max_bytes: 300 }],
  ['execute_command', { command: 'echo out; echo err >&2', isolated: true, pty: false }],
  ['execute_command', { command: 'sleep 5', yield_ms: 50, timeout_ms: 400, on_timeout: 'kill' }],
  ['create_session', { name: 'two' }],
  ['list_sessions', {}],
  ['switch_session', { session_id: 'ses_none' }],
  ['get_available_resource_types', {}],
  ['get_available_resource_types', { detail: 'standard' }],
  ['get_diagram', {}], // no project is open
];

// What a profile sends, of this tool and result.
function expected(fit, name, isError) {
  const structured = fit !== 'text' && !(fit === 'image-alone' && name === 'render_floorplan');
  return { structured, text: fit !== 'structured' || isError };
}

async function story(kind, fit) {
  const fetched = globalThis.fetch;
  globalThis.fetch = (target, options = {}) => {
    const headers = new Headers(options.headers);
    headers.set('Tenon-Fit', fit);
    return fetched(target, { ...options, headers });
  };
  const { client, call, close } = await connect(kind, { url, token });
  try {
    const tools = new Map((await client.listTools()).tools.map((tool) => [tool.name, tool]));
    for (const [name, args] of calls) {
      const label = `${kind}: ${fit}: ${name} ${JSON.stringify(args).slice(0, 40)}`;
      const got = await call(name, args).catch((error) => ({ failure: error.message }));
      const want = expected(fit, name, Boolean(got.isError));
      const faults = [
        got.failure,
        Boolean(got.structuredContent) !== want.structured && 'structured content',
        Boolean(tools.get(name)?.outputSchema) !== want.structured && 'the output schema',
        !got.failure && got.content.some((part) => part.type === 'text') !== want.text && 'text',
      ].filter(Boolean);
      result(faults.length === 0, 'fit-sdk', label, faults.join('; '));
    }
  } finally {
    await close();
    globalThis.fetch = fetched;
  }
}

for (const kind of kinds) for (const fit of ['both', 'text', 'structured', 'image-alone']) await story(kind, fit);
process.exit(failures ? 1 : 0);
