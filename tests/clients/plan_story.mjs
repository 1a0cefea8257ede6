// plan_story.mjs KIND stdio COMMAND ARG... | KIND http URL TOKEN
// A client that nobody here wrote lists and calls the plan tools: what a user's assistant does.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from './connect.mjs';
import { examples, examplesFolder, parseDifferences } from './plan_expect.mjs';
import { assert, failures, steps } from './results.mjs';

const [kind, carrier, ...rest] = process.argv.slice(2);
const target =
  carrier === 'stdio' ? { command: rest[0], args: rest.slice(1) } : { url: rest[0], token: rest[1] };
const suite = `interop-${kind}-${carrier}`;

const toolNames = [
  'terraform_compare', 'terraform_context', 'terraform_explain', 'terraform_explain_best_of_n',
  'terraform_history', 'terraform_parse', 'terraform_review', 'terraform_risk', 'terraform_score',
  'terraform_show_change',
];
const read = (name) => readFileSync(join(examplesFolder, name), 'utf8');
const small = read('01-small-create.txt');
const large = read('02-mixed-replace.txt'); /* seven changes: more than five, so it asks */
const question = 'Count only or full summary?';

let session; /* a client without any capability */

// A plan of about `bytes` bytes, each resource different.
function planOfSize(bytes) {
  const parts = ['Terraform will perform the following actions:\n'];
  let size = parts[0].length;
  let count = 0;
  while (size < bytes) {
    const text =
      `\n  # aws_s3_bucket.b${count} will be created\n` +
      `  + resource "aws_s3_bucket" "b${count}" {\n      + bucket = "bucket-${count}"\n` +
      `      + note   = "${'x'.repeat(200)}"\n    }\n`;
    parts.push(text);
    size += text.length;
    count += 1;
  }
  parts.push(`\nPlan: ${count} to add, 0 to change, 0 to destroy.\n`);
  return { text: parts.join(''), count };
}

async function refusedWith(code, promise) {
  try {
    const answer = await promise;
    throw new Error(`accepted: ${JSON.stringify(answer).slice(0, 200)}`);
  } catch (error) {
    assert(error.code === code, `code ${error.code}, not ${code}: ${error.message}`);
  }
}

async function withHandlers(handlers, run) {
  const other = await connect(kind, target, { handlers });
  try {
    return await run(other);
  } finally {
    await other.close();
  }
}

function exampleSteps() {
  return examples().flatMap(({ base, expected, files }) => {
    const others = expected.same_result_as ?? [];
    const shape = (parsed) => JSON.stringify(parsed.resource_changes
      .map((one) => JSON.stringify([one.address, one.actions, one.previous_address])).sort());
    return files.map(({ file, text }) => [
      `terraform_parse ${file}`,
      async () => {
        const { structuredContent: parsed, isError } =
          await session.call('terraform_parse', { plan_text: text, detail: 'full' });
        assert(!isError, `refused: ${JSON.stringify(parsed)}`);
        if (!others.includes(file)) {
          const differences = parseDifferences(parsed, expected);
          assert(differences.length === 0, differences.join('; '));
          return;
        }
        const main = files.find((one) => !others.includes(one.file));
        const same = await session.call('terraform_parse', { plan_text: main.text, detail: 'full' });
        assert(shape(parsed) === shape(same.structuredContent), `${file} differs from ${main.file}`);
      },
    ]);
  });
}

function explainSteps() {
  return examples().map(({ base, expected, files }) => [
    `terraform_explain ${base}`,
    async () => {
      const main = files.find(({ file }) => !(expected.same_result_as ?? []).includes(file));
      const ask = (preference) =>
        session.call('terraform_explain', { plan_text: main.text, user_preference: preference });
      const short = await ask('count_only');
      assert(short.content[0].text === expected.count_only, short.content[0].text);
      const full = await ask('full_summary');
      const lines = full.content[0].text.split('\n');
      assert(lines.length === 2 && lines[0] === expected.count_only, full.content[0].text);
      for (const words of expected.explanation_must_mention ?? [])
        assert(lines[1].includes(words), `"${words}" is not mentioned: ${lines[1]}`);
      const auto = await ask('auto');
      const status = expected.asks ? 'needs_answer' : 'explained';
      assert(auto.structuredContent.status === status, auto.structuredContent.status);
    },
  ]);
}

const basics = [
  ['connect', async () => {
    session = await connect(kind, target);
    assert(session.client.getServerVersion()?.name, 'the server has no name');
  }],
  ['tools/list', async () => {
    const { tools } = await session.client.listTools();
    const names = tools.map((tool) => tool.name).sort();
    assert(names.join() === toolNames.join(), names.join());
    for (const tool of tools) {
      assert(tool.description?.length > 20, `${tool.name} has no description`);
      assert(tool.inputSchema.additionalProperties === false, `${tool.name} takes anything`);
      assert(tool.outputSchema?.type === 'object', `${tool.name} has no output schema`);
      const changes = tool.name === 'terraform_review';
      assert(tool.annotations?.readOnlyHint === !changes, `${tool.name}: readOnlyHint`);
    }
  }],
];

const conversation = [
  ['asking without elicitation takes two calls', async () => {
    const first = await session.call('terraform_explain', { plan_text: large });
    assert(first.content[0].text === `Summary: 7 changes\n${question}`, first.content[0].text);
    const { plan_id, conversation_id } = first.structuredContent;
    const second = await session.call('terraform_explain',
      { plan_id, conversation_id, user_reply: 'full summary' });
    assert(second.structuredContent.form === 'full', JSON.stringify(second.structuredContent));
  }],
  ['elicitation: full summary', () => withHandlers({
    'elicitation/create': async (request) => {
      assert(request.params.message.includes(question), request.params.message);
      return { action: 'accept', content: { answer: 'Full summary' } };
    },
  }, async (other) => {
    const answer = await other.call('terraform_explain', { plan_text: large });
    assert(answer.structuredContent?.form === 'full', JSON.stringify(answer).slice(0, 300));
  })],
  ['elicitation: declined means count only', () => withHandlers({
    'elicitation/create': async () => ({ action: 'decline' }),
  }, async (other) => {
    const answer = await other.call('terraform_explain', { plan_text: large });
    assert(answer.content[0].text === 'Summary: 7 changes', answer.content[0].text);
  })],
  ["sampling: the client's model writes, the guard checks", () => withHandlers({
    'sampling/createMessage': async () => ({
      role: 'assistant', model: 'test-model', stopReason: 'endTurn',
      content: { type: 'text', text: 'Summary: 900 changes\nEverything is removed.' },
    }),
  }, async (other) => {
    const answer = await other.call('terraform_explain', { plan_text: small, source: 'sampling' });
    assert(answer.structuredContent?.source_used === 'builtin', JSON.stringify(answer).slice(0, 300));
    assert(answer.structuredContent.fallback_reason, 'no reason is given');
  })],
];

const refusals = [
  ['unknown tool', () => refusedWith(-32602, session.call('terraform_apply', {}))],
  ['missing argument', () => refusedWith(-32602, session.call('terraform_parse', {}))],
  ['two plan sources',
    () => refusedWith(-32602, session.call('terraform_parse', { plan_text: small, plan_id: 'x' }))],
  ['wrong type', () => refusedWith(-32602, session.call('terraform_parse', { plan_text: 7 }))],
  ['unknown argument',
    () => refusedWith(-32602, session.call('terraform_parse', { plan_text: small, colour: 'red' }))],
  ['not a plan', async () => {
    const answer = await session.call('terraform_parse', { plan_text: 'Dear diary, nothing today.' });
    assert(answer.isError === true, 'not marked as an error');
    assert(answer.structuredContent.error.code === 'not_a_plan', JSON.stringify(answer));
  }],
  ['unknown plan', async () => {
    const answer = await session.call('terraform_parse', { plan_id: `pln_${'a'.repeat(26)}` });
    assert(answer.structuredContent.error.code === 'unknown_plan', JSON.stringify(answer));
  }],
  /* SDK 2.x shows the legacy -32002 as -32602. */
  ['unknown resource', () => refusedWith(kind === 'sdk1' ? -32002 : -32602,
    session.client.readResource({ uri: `plan://pln_${'a'.repeat(26)}` }))],
];

const everythingElse = [
  ['resources', async () => {
    const parsed = await session.call('terraform_parse', { plan_text: small });
    const id = parsed.structuredContent.plan_id;
    const { contents } = await session.client.readResource({ uri: `plan://${id}` });
    assert(JSON.parse(contents[0].text).plan_id === id, contents[0].text.slice(0, 200));
    const markdown = await session.client.readResource({ uri: `plan://${id}/markdown` });
    assert(markdown.contents[0].text.includes('|'), markdown.contents[0].text.slice(0, 200));
    const change = await session.client.readResource({ uri: `plan://${id}/change/1` });
    const address = parsed.structuredContent.resource_changes[0].address;
    assert(change.contents[0].text.includes(JSON.stringify(address).slice(1, -1)),
      change.contents[0].text.slice(0, 200));
    const { resourceTemplates } = await session.client.listResourceTemplates();
    assert(resourceTemplates.length >= 3, JSON.stringify(resourceTemplates));
  }],
  ['prompts', async () => {
    const { prompts } = await session.client.listPrompts();
    assert(prompts.some((prompt) => prompt.name === 'explain_terraform_plan'), JSON.stringify(prompts));
    const { messages } = await session.client.getPrompt(
      { name: 'explain_terraform_plan', arguments: { plan_text: small } });
    assert(messages.length > 0, 'no messages');
  }],
  ['progress on a plan above 4 MiB', async () => {
    const { text, count } = planOfSize(6 << 20);
    const seen = [];
    session.heard.length = 0;
    const answer = await session.call('terraform_parse', { plan_text: text, detail: 'summary' }, {
      onprogress: (progress) => seen.push(progress.progress),
      timeout: 110_000,
    });
    assert(answer.structuredContent?.summary.total_changes === count,
      JSON.stringify(answer).slice(0, 300));
    assert(session.heard.length > 0, 'no progress came');
    /* On stdio it may come in one chunk with the answer: see connect.mjs. */
    assert(seen.length > 0 || carrier === 'stdio', 'no progress');
    for (const list of [seen, session.heard])
      assert(list.every((value, index) => index === 0 || value > list[index - 1]), list.join());
  }],
  ['abort leaves the server well', async () => {
    const { text } = planOfSize(12 << 20);
    const stop = new AbortController();
    const call = session.call('terraform_parse', { plan_text: text }, { signal: stop.signal });
    setTimeout(() => stop.abort(), 30);
    await call.then(() => null, () => null); /* a quick server may answer first */
    const after = await session.call('terraform_parse', { plan_text: small });
    assert(after.structuredContent.summary.total_changes > 0, 'no answer after the abort');
  }],
  ['forty calls at once', async () => {
    const calls = Array.from({ length: 40 }, (_, index) => {
      const { text, count } = planOfSize(500 + 600 * index);
      return session.call('terraform_parse', { plan_text: text }).then((answer) => {
        assert(answer.structuredContent.summary.total_changes === count, 'answers are mixed up');
      });
    });
    await Promise.all(calls);
  }],
  ['close', () => session.close()],
];

await steps(suite, [...basics, ...exampleSteps(), ...explainSteps(), ...conversation, ...refusals,
  ...everythingElse]);
process.exit(failures ? 1 : 0);
