// conversation.mjs KIND COMMAND ARG...
// What an assistant does with the studio, through a client that nobody here wrote: each acceptance criterion of the
// user stories (studio.md 24.2), and the three-tier example. TENON_TERRAFORM: the engine of the run steps.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../clients/connect.mjs';
import { assert, failures, steps } from '../clients/results.mjs';

const [kind, command, ...args] = process.argv.slice(2);
const example = JSON.parse(readFileSync('examples/three-tier.json', 'utf8'));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tenon studio é-')));
// What the person says to what the client relays; the messages that were put.
const person = { decision: /./, asked: [] };
const client = await connect(kind, { command, args }, { handlers: {
  'elicitation/create': async ({ params }) => {
    person.asked.push(params.message);
    const choice = params.requestedSchema.properties.decision.enum.find((one) => person.decision.test(one));
    return { action: 'accept', content: { decision: choice } };
  } } });
const told = (value) => JSON.stringify(value).slice(0, 600);

// The structured answer; a refusal throws unless `refused` names its code.
async function call(tool, given = {}, { refused, ...options } = {}) {
  const answer = await client.call(tool, given, options);
  const content = answer.structuredContent;
  if (refused) {
    assert(answer.isError && content?.error === refused, `${tool}: not refused with ${refused}: ${told(answer)}`);
    assert(typeof content.message === 'string' && content.message.length > 10, `${tool}: no sentence: ${told(content)}`);
  } else {
    assert(!answer.isError, `${tool}: ${told(content ?? answer)}`);
  }
  return { ...content, answer };
}

const read = async (uri) => (await client.client.readResource({ uri })).contents[0];
const sleep = (ms) => new Promise((done) => { setTimeout(done, ms); });
const ids = {};

/* ---- projects: US-03 ---- */

async function wantsProject() {
  await call('save_project', {}, { refused: 'NO_PROJECT' });
  await call('list_resources', {}, { refused: 'NO_PROJECT' });
  await call('add_resource', { typeId: 'azurerm/core/resource_group' }, { refused: 'NO_PROJECT' });
  await call('open_project', { projectPath: join(folder, 'nothing') }, { refused: 'PROJECT_NOT_FOUND' });
  await call('open_project', { projectPath: '/etc' }, { refused: 'PATH_NOT_ALLOWED' });
  const listed = (await client.client.listResources()).resources.map((one) => one.uri);
  assert(listed.join() === 'studio://guide,studio://types,studio://look,studio://engine', `ST-121: ${listed}`);
  await call('new_project', { name: 'a/b', directoryPath: folder }, { refused: 'INVALID_INPUT' });
  await call('new_project', { directoryPath: folder }, { refused: 'INVALID_INPUT' });
}

async function makesProject() {
  const made = await call('new_project', { name: 'shop', directoryPath: folder, config: example.config });
  assert(made.project.path === join(folder, 'shop'), told(made.project));
  assert(existsSync(join(folder, 'shop', 'studio.json')), 'no studio.json');
  assert(made.diagram.nodes.length === 0 && made.config.region === 'westeurope', told(made));
  const list = await call('list_projects');
  assert(list.open.length === 1 && list.open[0].current, told(list));
  await call('new_project', { name: 'shop', directoryPath: folder }, { refused: 'PROJECT_EXISTS' });
}

/* ---- building: US-01, US-07 ---- */

async function listsTypes() {
  const all = await call('get_available_resource_types', { detail: 'names' });
  assert(all.total === 118, `${all.total} types`);
  const listed = new Set(all.groups.flatMap((group) => group.categories.flatMap((category) => category.typeIds)));
  assert(listed.size === 118, `${listed.size} in groups`);
  const one = await call('get_available_resource_types', { typeIds: ['azurerm/networking/subnet'], detail: 'full' });
  const subnet = one.types[0];
  for (const key of ['typeId', 'displayName', 'category', 'provider', 'description', 'isContainer', 'canBeChildOf', 'handles', 'properties'])
    assert(subnet[key] !== undefined, `no ${key}: ${told(subnet)}`);
  assert(subnet.properties.every((property) => property.label), 'a property without label');
}

async function refusesWrongType() {
  const before = await call('get_diagram');
  const wrong = await call('add_resource', { typeId: 'azurerm/network/vnet' }, { refused: 'UNKNOWN_RESOURCE_TYPE' });
  assert(wrong.message.includes('azurerm/network/vnet') && /not in the registry/.test(wrong.message), wrong.message);
  assert(wrong.suggestions.length <= 5 && wrong.suggestions[0] === 'azurerm/networking/virtual_network', told(wrong.suggestions));
  const after = await call('get_diagram');
  assert(after.revision === before.revision && after.nodes.length === 0, 'something has changed');
}

let changes = 0;

async function addsAndConnects() {
  await client.watch('terrastudio://diagram/current', () => { changes += 1; });
  await sleep(200);
  changes = 0;
  const group = await call('add_resource', { typeId: 'azurerm/core/resource_group', properties: { name: 'rg-one' } });
  assert(/^[0-9a-f-]{36}$/.test(group.instanceId) && group.changeId, told(group));
  for (let i = 0; i < 50 && changes === 0; i += 1) await sleep(20);
  assert(changes > 0, 'nobody was told of the new node within a second');
  const plan = await call('add_resource', { typeId: 'azurerm/compute/app_service_plan', parentId: group.instanceId });
  const app = await call('add_resource', { typeId: 'azurerm/compute/app_service', parentId: group.instanceId });
  assert(app.diagnostics.some((one) => one.code === 'MISSING_REFERENCE' || one.code === 'MISSING_PROPERTY'), told(app.diagnostics));
  const edge = await call('connect_resources', {
    sourceInstanceId: plan.instanceId, sourceHandle: 'asp-out', targetInstanceId: app.instanceId, targetHandle: 'asp-in' });
  assert(edge.category === 'structural' && edge.sets.property === 'service_plan_id', told(edge));
  const again = await call('connect_resources', {
    sourceInstanceId: plan.instanceId, sourceHandle: 'asp-out', targetInstanceId: app.instanceId, targetHandle: 'asp-in' });
  assert(again.existing && again.edgeId === edge.edgeId && again.revision === edge.revision, told(again));
  const diagram = JSON.parse((await read('terrastudio://diagram/current')).text);
  assert(diagram.edges.some((one) => one.id === edge.edgeId), 'the edge is not in the diagram');
  assert(diagram.nodes.find((node) => node.id === app.instanceId).effectiveReferences.service_plan_id === plan.instanceId, 'no reference');
  await call('connect_resources', {
    sourceInstanceId: app.instanceId, sourceHandle: 'asp-in', targetInstanceId: plan.instanceId, targetHandle: 'asp-out' },
  { refused: 'CONNECTION_NOT_ALLOWED' });
  await call('add_resource', { typeId: 'azurerm/networking/subnet', parentId: group.instanceId }, { refused: 'CONTAINMENT_ERROR' });
  await call('add_resource', { typeId: 'azurerm/compute/app_service_plan', properties: { os_type: 'Plan9', worker: 3 } }, { refused: 'INVALID_INPUT' });
  const gone = await call('remove_resource', { instanceId: group.instanceId });
  assert(gone.removed.length === 3 && gone.removedEdges.length >= 1, told(gone));
  await call('undo_change', { steps: 1 });
  const back = await call('list_resources');
  assert(back.total === 3 && back.resources.map((one) => one.instanceId).includes(app.instanceId), told(back));
  await call('redo_change');
  assert((await call('list_resources')).total === 0, 'not removed again');
  await call('update_resource', { instanceId: app.instanceId, properties: {} }, { refused: 'NOT_FOUND' });
}

/* ---- the example ---- */

async function buildsThreeTier() {
  const before = (await call('get_diagram')).revision;
  const dry = await call('execute_batch', { operations: example.operations, dryRun: true });
  assert(dry.results.length === example.operations.length && dry.revision === before, told(dry));
  const built = await call('execute_batch', { operations: example.operations, label: 'Three tiers' });
  assert(built.revision === before + 1, `revision ${before} to ${built.revision}`);
  example.operations.forEach((operation, i) => { if (operation.as) ids[operation.as] = built.results[i].instanceId; });
  const checked = await call('validate_diagram');
  const left = checked.diagnostics.filter((one) => one.severity === 'error');
  assert(left.length === 1 && left[0].instanceId === ids.sql && left[0].property === 'administrator_login_password', told(left));
  await call('update_resource', { instanceId: ids.sql, properties: { administrator_login_password: 'Canary-S3cret-9921' } });
  const again = await call('validate_diagram');
  assert(again.valid, told(again.diagnostics));
  const failed = await call('execute_batch', { operations: [
    { tool: 'add_resource', arguments: { typeId: 'azurerm/core/resource_group' } },
    { tool: 'add_resource', arguments: { typeId: 'azurerm/nothing' } }] }, { refused: 'BATCH_FAILED' });
  assert(failed.details.index === 1 && failed.details.error.error === 'UNKNOWN_RESOURCE_TYPE', told(failed.details));
  assert((await call('get_diagram')).revision === again.revision, 'a failed batch left something');
}

async function showsPicture() {
  const picture = await call('export_diagram', { format: 'png' });
  const image = picture.answer.content.find((block) => block.type === 'image');
  const bytes = Buffer.from(image.data, 'base64');
  assert(image.mimeType === 'image/png' && bytes.subarray(1, 4).toString() === 'PNG', 'no PNG');
  assert(bytes.readUInt32BE(16) > 400 && bytes.readUInt32BE(20) > 200, 'a small picture');
  if (process.env.TENON_PICTURES) writeFileSync(join(process.env.TENON_PICTURES, `three-tier-${kind}.png`), bytes);
  const svg = await call('export_diagram', { format: 'svg', path: 'three-tier.svg' });
  assert(existsSync(join(folder, 'shop', 'three-tier.svg')), told(svg));
  await call('export_diagram', { format: 'svg', path: '../outside.svg' }, { refused: 'PATH_NOT_ALLOWED' });
}

async function writesHcl() {
  const generated = await call('generate_hcl');
  for (const name of ['terraform.tf', 'providers.tf', 'main.tf', 'variables.tf', 'outputs.tf', 'locals.tf'])
    assert(generated.files[name], `no ${name}: ${Object.keys(generated.files)}`);
  for (const [name, text] of Object.entries(generated.files))
    assert(readFileSync(join(folder, 'shop', 'terraform', name), 'utf8') === text, `${name} differs on disk`);
  const main = generated.files['main.tf'];
  for (const block of ['"azurerm_resource_group" "rg_shop"', '"azurerm_linux_web_app"', '"azurerm_mssql_server"', '"azurerm_private_endpoint"', '"azurerm_key_vault_secret"'])
    assert(main.includes(block), `no ${block} in main.tf`);
  assert(!JSON.stringify(generated).includes('Canary-S3cret'), 'a secret in a file');
  const second = await call('generate_hcl');
  assert(second.written.length === 0 && second.digest === generated.digest, told(second.written));
  assert((await read('terrastudio://hcl/main.tf')).text === main, 'the resource differs');
  assert((await read('studio://hcl/main.tf')).text === main, 'ST-120: not by its other name');
  assert((await read('studio://project/config')).text === (await read('terrastudio://project/config')).text, 'ST-120: config');
  assert((await read('terrastudio://hcl/main.tf')).mimeType === 'text/plain', 'another type');
  writeFileSync(join(folder, 'shop', 'terraform', 'main.tf'), '# mine\n');
  await call('generate_hcl', {}, { refused: 'GENERATED_FILE_EDITED' });
  await call('generate_hcl', { overwrite: true });
  assert(readFileSync(join(folder, 'shop', 'terraform', 'main.tf'), 'utf8') === main, 'not overwritten');
}

async function estimates() {
  const costs = await call('estimate_costs');
  assert(costs.total.currency === 'USD' && costs.total.monthly > 0, told(costs.total));
  assert(costs.estimates[ids.rg].monthly === 0, told(costs.estimates[ids.rg]));
  const sum = Object.values(costs.estimates).reduce((all, one) => all + (one.monthly ?? 0), 0);
  assert(Math.abs(sum - costs.total.monthly) < 0.005, `${sum} is not ${costs.total.monthly}`);
  assert(costs.pricesAsOf && costs.region, told(costs));
}

/* ---- as context: US-04 ---- */

async function servesContext() {
  const listed = (await client.client.listResources()).resources.map((one) => one.uri);
  for (const uri of ['terrastudio://diagram/current', 'terrastudio://project/config', 'terrastudio://hcl/main.tf', 'studio://guide'])
    assert(listed.includes(uri), `${uri} is not listed: ${listed}`);
  const contents = await read('terrastudio://diagram/current');
  assert(contents.mimeType === 'application/json', contents.mimeType);
  const diagram = JSON.parse(contents.text);
  const names = diagram.nodes.map((node) => node.label);
  for (const label of ['Shop', 'Web', 'Data', 'Plan', 'Shop app', 'SQL server', 'Orders', 'Secrets'])
    assert(names.includes(label), `no ${label} in ${names}`);
  assert(diagram.nodes.every((node) => node.typeName), 'a node without the name of its type');
  await call('update_resource', { instanceId: ids.plan, properties: { worker_count: 3 } });
  const fresh = JSON.parse((await read('terrastudio://diagram/current')).text);
  assert(fresh.nodes.find((node) => node.id === ids.plan).properties.worker_count === 3, 'an old diagram');
  assert(fresh.revision > diagram.revision, 'an old revision');
  const completed = await client.client.complete({
    ref: { type: 'ref/resource', uri: 'studio://types/{+typeId}' }, argument: { name: 'typeId', value: 'azurerm/networking/sub' } });
  assert(completed.completion.values.includes('azurerm/networking/subnet'), told(completed));
  const prompts = (await client.client.listPrompts()).prompts.map((one) => one.name);
  assert(prompts.length >= 8 && prompts.includes('scaffold_three_tier'), told(prompts));
  const prompt = await client.client.getPrompt({ name: 'scaffold_architecture', arguments: { description: 'a blog' } });
  assert(/a blog/.test(prompt.messages[0].content.text) && /apply/.test(prompt.messages[0].content.text), told(prompt));
}

/* ---- redaction: FR-20, ST-141 ---- */

async function hidesSecrets() {
  await call('set_project_config', { config: { providers: { azurerm: { subscription_id: '11111111-2222-3333-4444-555555555555' } } } });
  const config = await call('get_project_config');
  assert(config.config.providers.azurerm.subscription_id === '[redacted]', told(config.config.providers));
  assert(config.redacted.includes('providers.azurerm.subscription_id'), told(config.redacted));
  assert(config.hints['providers.azurerm.subscription_id'].ends.endsWith('5555'), told(config.hints));
  await call('set_project_config', { config: config.config });
  await call('set_project_config', { config: { reigon: 'x' } }, { refused: 'INVALID_INPUT' });
  for (const tool of ['get_diagram', 'list_resources', 'get_project_config', 'validate_diagram', 'generate_hcl', 'estimate_costs', 'list_changes', 'get_deployment_status']) {
    const answer = JSON.stringify((await call(tool)).answer);
    assert(!answer.includes('Canary-S3cret') && !answer.includes('11111111-2222'), `${tool} tells a secret`);
  }
}

/* ---- runs: US-02, US-06 ---- */

async function guards() {
  for (const confirmed of [undefined, false, 'true', 1, null, 'yes', [true], { is: true }]) {
    for (const what of ['apply', 'destroy']) {
      const given = confirmed === undefined ? { command: what } : { command: what, confirmed };
      const answer = await client.call('run_terraform', given);
      const content = answer.structuredContent;
      assert(answer.isError && content.error === 'CONFIRMATION_REQUIRED', `${told(given)}: ${told(answer)}`);
      assert(Object.keys(content).sort().join() === 'error,message', told(content));
      assert(told(JSON.parse(answer.content[0].text)) === told(content), told(answer.content));
    }
  }
  const { tools } = await client.client.listTools();
  const run = tools.find((one) => one.name === 'run_terraform');
  assert(/confirmed/.test(JSON.stringify(run.inputSchema)) && /apply/.test(run.inputSchema.properties.confirmed.description), 'not documented');
}

async function plans() {
  const lines = [];
  const planned = await call('run_terraform', { command: 'plan' }, {
    onprogress: ({ message }) => lines.push(message), timeout: 60_000 });
  assert(planned.success && planned.exitCode === 0 && planned.summary.add > 0, told(planned));
  assert(planned.resourceChanges.every((change) => change.action === 'create'), told(planned.resourceChanges));
  assert(planned.resourceChanges.some((change) => change.instanceId === ids.app), told(planned.resourceChanges));
  assert(lines.length > 3, `${lines.length} lines were streamed`);
  const told_ = JSON.stringify(planned.answer);
  assert(!told_.includes('Canary-S3cret'), 'a plan tells a secret');
  const log = await read(planned.logUri);
  assert(log.text.split('\n').length >= lines.length, 'the log is shorter than what was streamed');
  const last = await call('get_run');
  assert(last.runId === planned.runId && last.success, told(last));
  const plan = await call('get_plan', { runId: planned.runId });
  assert(JSON.stringify(plan).includes(ids.app), told(plan));
}

// ST-081: `confirmed` is necessary, and a person says whether it is enough: once, about exactly this.
async function applies() {
  person.decision = /[Rr]efuse|[Dd]en|No/;
  await call('run_terraform', { command: 'apply', confirmed: true }, { refused: 'CONSENT_DECLINED' });
  assert(person.asked.length === 1 && /shop/.test(person.asked[0]), told(person.asked));
  assert((await call('get_deployment_status')).statuses[ids.app] === 'pending', 'something was created');
  person.decision = /once/i;
  const planned = await call('run_terraform', { command: 'plan' });
  const applied = await call('run_terraform', { command: 'apply', confirmed: true, planId: planned.planId ?? planned.runId });
  assert(applied.success && applied.resourceChanges.every((change) => change.success), told(applied));
  assert(person.asked.length === 2, `asked ${person.asked.length} times`);
  const status = await call('get_deployment_status', { detail: true });
  assert(status.statuses[ids.app] === 'created' && status.lastRun.command === 'apply', told(status.lastRun));
  const gone = await call('remove_resource', { instanceId: ids.app });
  assert(gone.willDestroy.length > 0, told(gone));
  await call('undo_change');
  const destroyed = await call('run_terraform', { command: 'destroy', confirmed: true });
  assert(destroyed.success && person.asked.length === 3, told(destroyed));
  assert((await call('get_deployment_status')).statuses[ids.app] === 'destroyed', 'not destroyed');
}

/* ---- import: studio.md 18 ---- */

async function imports() {
  await call('save_project');
  const files = join(folder, 'files');
  mkdirSync(files);
  for (const name of ['main.tf', 'terraform.tfvars'])
    writeFileSync(join(files, name), readFileSync(join('tests/data/studio/import/mixed', name)));
  const before = await call('get_diagram');
  const dry = await call('import_terraform', { source: 'config', path: files, dryRun: true });
  assert(dry.mapped.length === 2 && dry.foreign.length > 5 && dry.dryRun && dry.revision === before.revision, told(dry));
  const again = await call('get_diagram');
  assert(again.nodes.length === before.nodes.length, 'a dry run has left something');
  const taken = await call('import_terraform', { source: 'config', path: files });
  assert(taken.revision === before.revision + 1 && taken.changeId && taken.foreign.length === dry.foreign.length, told(taken));
  const after = await call('get_diagram');
  assert(after.nodes.length > before.nodes.length + 2, `${before.nodes.length} to ${after.nodes.length} nodes`);
  const problems = (await call('validate_diagram')).diagnostics;
  assert(!problems.some((one) => one.code === 'UNKNOWN_RESOURCE_TYPE'), told(problems));
  const generated = await call('generate_hcl', { write: false });
  assert(/module "registry"/.test(generated.files['foreign.tf']), Object.keys(generated.files).join());
  const nothing = await call('import_terraform', { source: 'config', path: files });
  assert(nothing.revision === taken.revision && !nothing.changeId, told(nothing));
  await call('undo_change');
  const back = await call('get_diagram');
  assert(JSON.stringify(back.nodes) === JSON.stringify(before.nodes), 'undoing has left something');
  await call('import_terraform', { source: 'config', path: '/etc' }, { refused: 'PATH_NOT_ALLOWED' });
}

const parts = [
  ['US-03 without a project', wantsProject], ['US-03 new project', makesProject],
  ['US-01 all types are listed', listsTypes], ['US-07 a wrong type', refusesWrongType],
  ['US-01 adding and connecting', addsAndConnects], ['three tiers in one batch', buildsThreeTier],
  ['a picture', showsPicture], ['US-02 all files', writesHcl], ['costs', estimates],
  ['US-04 the diagram as context', servesContext], ['FR-20 what is hidden', hidesSecrets],
  ['US-06 the guard', guards], ['US-02 a plan', plans],
  ['US-06 apply and destroy with consent', applies], ['existing files taken in', imports],
];

async function savesAndReopens() {
  const saved = await call('save_project');
  assert(!saved.dirty && saved.files.length >= 2, told(saved));
  const before = await call('get_diagram');
  const texts = readdirSync(join(folder, 'shop')).filter((name) => name.endsWith('.json'))
    .map((name) => [name, readFileSync(join(folder, 'shop', name), 'utf8')]);
  for (const [name, text] of texts) assert(!text.includes('Canary-S3cret'), `${name} has a secret`);
  await call('save_project');
  for (const [name, text] of texts) assert(readFileSync(join(folder, 'shop', name), 'utf8') === text, `${name} changed without a change`);
  await call('update_resource', { instanceId: ids.plan, properties: { worker_count: 2 } });
  await call('close_project', {}, { refused: 'UNSAVED_CHANGES' });
  await call('close_project', { discard: true });
  await call('get_diagram', {}, { refused: 'NO_PROJECT' });
  const opened = await call('open_project', { projectPath: join(folder, 'shop') });
  // Discarding is a change, of what was discarded alone (SC-012).
  const bare = (nodes) => JSON.stringify(nodes.map(({ rev, ...one }) => one));
  assert(bare(opened.diagram.nodes) === bare(before.nodes), 'another diagram after opening');
  const others = opened.diagram.nodes.filter((one, i) => one.rev !== before.nodes[i].rev).map((one) => one.instanceId ?? one.id);
  assert(others.join() === ids.plan, `discarding has changed ${others}, not ${ids.plan}`);
  await call('close_project');
  mkdirSync(join(folder, 'broken'));
  writeFileSync(join(folder, 'broken', 'studio.json'), '{\n  "formatVersion": 1,\n  oops\n}\n');
  const broken = await call('open_project', { projectPath: join(folder, 'broken') }, { refused: 'PROJECT_INVALID' });
  assert(/line 3|:3/.test(`${broken.message}${JSON.stringify(broken.details)}`), told(broken));
  rmSync(folder, { recursive: true, force: true });
}

await steps(`studio-${kind}`, [...parts, ['US-03 saving and opening', savesAndReopens]]);
await client.close();
process.exit(failures ? 1 : 0);
