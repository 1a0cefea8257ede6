// elicit.mjs KIND TENON - consent through others' client libraries: over the relay, a daemon whose
// policy confirms terraform_explain (consent.py starts it). Prints one line for each check.
import assert from 'node:assert/strict';

import { connect, kinds } from '../clients/connect.mjs';

const [kind, tenon] = process.argv.slice(2);
const target = { command: tenon, args: ['mcp'] };
const plan = 'No changes. Your infrastructure matches the configuration.';
const code = (answer) => answer.structuredContent?.error;
let number = 10 * (1 + kinds.indexOf(kind));

// Each call differs, here and from consent.py's, so that no decision of one is found by another.
async function ask(answer) {
  const questions = [];
  const handlers = answer
    ? { 'elicitation/create': async (request) => { questions.push(request.params); return answer; } }
    : {};
  const session = await connect(kind, target, { handlers });
  const result = await session.call('terraform_explain', { plan_text: plan + ' '.repeat(number++) });
  await session.close();
  return { questions, result };
}

const choose = (decision) => ({ action: 'accept', content: { decision } });

{
  const { questions, result } = await ask(choose('Approve once'));
  assert.equal(questions.length, 1);
  assert.match(questions[0].message, /terraform_explain/);
  assert.deepEqual(questions[0].requestedSchema.properties.decision.enum, ['Approve once', 'Refuse']);
  assert.ok(!result.isError, JSON.stringify(result));
  console.log(`ok ${kind} approved once`);
}
for (const no of [choose('Refuse'), { action: 'decline' }, { action: 'cancel' }]) {
  const { questions, result } = await ask(no);
  assert.equal(questions.length, 1);
  assert.equal(result.isError, true);
  assert.equal(code(result), 'CONSENT_DECLINED');
}
console.log(`ok ${kind} refused`);
{
  const { result } = await ask(null);
  assert.equal(code(result), 'CONSENT_UNAVAILABLE');
  assert.match(result.structuredContent.approvalId, /^apr_/);
  console.log(`ok ${kind} nobody to ask`);
}
