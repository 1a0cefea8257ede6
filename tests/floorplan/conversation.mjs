// conversation.mjs KIND SHARED COMMAND ARG...
// What an assistant does with floor plans, through a client that nobody here wrote (floorplan.md 7 to 10): pictures
// are decoded and looked at, every tool, resource and prompt is used, and two clients work on one document.
// SHARED: yes when two clients of this command reach the same server.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { connect } from '../clients/connect.mjs';
import { assert, failures, steps } from '../clients/results.mjs';

const [kind, shared, command, ...args] = process.argv.slice(2);
const folder = realpathSync(mkdtempSync(join(process.env.TENON_FLOORPLAN_ROOTS, 'plans é-')));
const client = await connect(kind, { command, args });
const told = (value) => JSON.stringify(value).slice(0, 600);
const sleep = (ms) => new Promise((done) => { setTimeout(done, ms); });
const example = (name) => readFileSync(`tests/data/floorplan-examples/${name}.floorplan`, 'utf8');
const read = async (uri, from = client) => (await from.client.readResource({ uri })).contents[0];

// The structured answer; `refused` is the code of the first error that is expected.
async function call(tool, given = {}, { refused, from = client } = {}) {
  const answer = await from.call(tool, given);
  const content = answer.structuredContent;
  const text = answer.content.at(-1);
  assert(content && text.type === 'text', `${tool}: ${told(answer)}`);
  assert(JSON.stringify(JSON.parse(text.text)) === JSON.stringify(content), `${tool}: text and structure differ`);
  assert(Boolean(answer.isError) === (content.success === false), `${tool}: isError is not success false: ${told(content)}`);
  if (refused) {
    assert(content.success === false && content.errors[0].code === refused, `${tool}: not ${refused}: ${told(content)}`);
    assert(content.errors[0].message.length > 10, `${tool}: no sentence`);
  } else {
    assert(!answer.isError, `${tool}: ${told(content)}`);
  }
  return { ...content, answer };
}

/* ---- pictures ---- */

function paeth(a, b, c) {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  if (pa <= pb && pa <= pc) return a;
  return pb <= pc ? b : c;
}

function decode(bytes) {
  assert(bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n', 'no PNG');
  const chunks = [];
  for (let at = 8; at < bytes.length;) {
    const size = bytes.readUInt32BE(at);
    chunks.push({ type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, at + 8 + size) });
    at += 12 + size;
  }
  assert(new Set(chunks.map((one) => one.type)).size === 3, `chunks ${chunks.map((one) => one.type)}`);
  const head = chunks[0].data;
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  assert(head[8] === 8 && head[9] === 2 && head[12] === 0, 'not RGB of 8 bit, or interlaced');
  const raw = inflateSync(Buffer.concat(chunks.filter((one) => one.type === 'IDAT').map((one) => one.data)));
  const line = width * 3;
  assert(raw.length === height * (line + 1), 'not all pixels are there');
  const pixels = Buffer.alloc(height * line);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (line + 1)];
    for (let i = 0; i < line; i += 1) {
      const left = i >= 3 ? pixels[y * line + i - 3] : 0;
      const up = y > 0 ? pixels[(y - 1) * line + i] : 0;
      const corner = y > 0 && i >= 3 ? pixels[(y - 1) * line + i - 3] : 0;
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      pixels[y * line + i] = raw[y * (line + 1) + 1 + i] + guess;
    }
  }
  const at = (x, y) => pixels.toString('hex', (y * width + x) * 3, (y * width + x) * 3 + 3);
  return { width, height, at };
}

async function draws() {
  const drawn = await call('render_floorplan', { dsl: example('v1-bakery'), width: 640.4, height: 480 });
  const [image, text] = drawn.answer.content;
  assert(image.type === 'image' && image.mimeType === 'image/png' && text.type === 'text', told(drawn.answer.content));
  const bytes = Buffer.from(image.data, 'base64');
  assert(bytes.length === drawn.image.bytes, `${bytes.length} bytes`);
  assert(createHash('sha256').update(bytes).digest('hex') === drawn.image.sha256, 'another digest');
  assert(!text.text.includes(image.data.slice(0, 64)), 'the picture is in the text as well');
  const picture = decode(bytes);
  assert(picture.width === 640 && picture.height === 480, `${picture.width} x ${picture.height}`);
  const { scale, x0, y0 } = drawn.image.transforms[0];
  const pixel = (x, y) => picture.at(Math.floor(x0 + scale * x), Math.floor(y0 + scale * y));
  assert(picture.at(2, 2) === 'ffffff', 'the page');
  assert(pixel(2, 0) === '1a1a1a', `the wall above Front is ${pixel(2, 0)}`);
  assert(pixel(2, 2) === 'f3f0e8', `the floor of Front is ${pixel(2, 2)}`);
  assert(drawn.rooms.length === 4 && drawn.rooms[0].label === 'Shop front' && drawn.rooms[0].area === 216, told(drawn.rooms));
  assert(drawn.openings.some((one) => one.line === 11 && one.swing === 'left'), told(drawn.openings));
  const again = await call('render_floorplan', { dsl: example('v1-bakery'), width: 640, height: 480, includeImageData: true });
  assert(again.image.sha256 === drawn.image.sha256 && again.image.data === image.data, 'twice is not the same');
}

async function drawsOtherwise() {
  const house = (await read('floorplan://examples/house')).text;
  const all = await call('render_floorplan', { dsl: house, renderAllFloors: true, theme: 'dark', showArea: true });
  assert(all.renderedFloors.join() === 'Ground,First' && all.image.transforms.length === 2, told(all.renderedFloors));
  assert(all.stairs.length === 2 && all.summary.totalSubRoomCount === 1, told(all.summary));
  assert(decode(Buffer.from(all.answer.content[0].data, 'base64')).at(1, 1) === '1b1b1b', 'not dark');
  const svg = await call('render_floorplan', { dsl: house, format: 'svg' });
  assert(svg.answer.content[0].text.startsWith('<') && svg.answer.content[0].text.includes('Living'), told(svg.answer.content[0]));
  const pdf = await call('render_floorplan', { dsl: house, format: 'pdf' });
  assert(Buffer.from(pdf.answer.content[0].resource.blob, 'base64').toString('latin1', 0, 5) === '%PDF-', told(pdf.answer.content[0]));
  const dxf = await call('render_floorplan', { dsl: house, format: 'dxf' });
  assert(/\bSECTION\b/.test(dxf.answer.content[0].text) && /EOF\s*$/.test(dxf.answer.content[0].text), 'no DXF');
  const space = await call('render_floorplan', { dsl: house, format: '3d-png', renderAllFloors: true, width: 640, height: 480 });
  const solid = decode(Buffer.from(space.answer.content[0].data, 'base64'));
  assert(solid.width === 640 && solid.height === 480 && solid.at(1, 1) === 'ffffff' && solid.at(320, 240) !== 'ffffff', 'no plan in space');
  const { projection, cameraPosition: from, cameraTarget: to, fov, sceneBounds } = space.image;
  assert(projection === 'isometric' && fov === 50 && from.x - to.x === from.y - to.y && from.z > to.z, told(space.image));
  assert(sceneBounds.max.z > 3 && Math.abs(sceneBounds.center.x - (sceneBounds.min.x + sceneBounds.max.x) / 2) < 1e-6, told(sceneBounds));
  const inside = { dsl: house, format: '3d-png', projection: 'perspective', cameraPosition: { x: 1, y: 1, z: 1.6 }, cameraTarget: { x: 4, y: 3, z: 1.2 }, fov: 80 };
  const seen = await call('render_floorplan', inside);
  assert(seen.image.projection === 'perspective' && seen.image.cameraPosition.z === 1.6 && seen.image.fov === 80, told(seen.image));
  await call('render_floorplan', { ...inside, cameraTarget: inside.cameraPosition }, { refused: 'FP9001' });
  await call('render_floorplan', { ...inside, fov: 9 }, { refused: 'FP9001' });
  const away = await call('render_floorplan', { ...inside, cameraPosition: { x: 1, y: 1, z: 9 }, cameraTarget: { x: 1, y: 1, z: 99 } }, { refused: 'FP9001' });
  assert(away.errors[0].path === '/cameraPosition' && away.answer.content.length === 1, told(away));
  const difference = await call('render_floorplan', { dsl: house, before: house.replace('size (7 x 5)', 'size (6 x 5)') });
  const plain = await call('render_floorplan', { dsl: house });
  assert(difference.image.sha256 !== plain.image.sha256, 'no difference is shown');
  const bad = await call('render_floorplan', { dsl: example('e4-unknown-names') }, { refused: 'FP2008' });
  assert(bad.answer.content.length === 1 && bad.errors[0].line === 5 && Array.isArray(bad.warnings), told(bad));
  const marked = await call('render_floorplan', { dsl: example('e4-unknown-names'), showDiagnostics: true }, { refused: 'FP2008' });
  assert(marked.answer.content[0].type === 'image', 'faults of meaning are not drawn');
  await call('render_floorplan', { dsl: house, floors: ['Cellar'] }, { refused: 'FP9002' });
  await call('render_floorplan', { dsl: house, floorIndex: 9 }, { refused: 'FP9002' });
}

/* ---- checking, changing, measuring, other forms ---- */

async function checks() {
  const bad = await call('validate_floorplan', { dsl: example('e1-wall-type') });
  const facts = JSON.parse(readFileSync('tests/data/floorplan-examples/e1-wall-type.json', 'utf8'));
  assert(bad.valid === false && bad.errors.length === facts.errors.length && bad.counts.errors === bad.errors.length, told(bad));
  assert(bad.errors.every((one, i) => one.code === facts.errors[i].code && one.line === facts.errors[i].line), told(bad.errors));
  const few = await call('validate_floorplan', { dsl: example('e1-wall-type'), maxDiagnostics: 1 });
  assert(few.errors.length === 1 && few.truncated === true, told(few));
  const warned = { dsl: example('v1-bakery') };
  assert((await call('validate_floorplan', warned)).valid, 'a warning is no error');
  assert(!(await call('validate_floorplan', { ...warned, strict: true })).valid, 'strict');
  const huge = await call('validate_floorplan', { dsl: `floorplan #${'x'.repeat(1 << 20)}` });
  assert(huge.errors[0].code === 'FP0001', told(huge));
}

const plan = `floorplan
  floor G {                     # ground
    room A at (0,0) size (10 x 8)  walls [top: solid] # main
    room B size (4 x 4) right-of A gap 1
    stair S at (1,1) shape straight toward top rise 9ft
  }
  connect A.right to B.left door
`;
const worked = `floorplan
  floor G {                     # ground
    room B at (11,0) size (4 x 4)
    room N at (20,0) size (3 x 3) walls [top: solid, right: solid, bottom: solid, left: solid]
    stair S at (1,1) shape straight toward top rise 9ft
  }
`;

async function changes() { // 8.5
  const done = await call('modify_floorplan', { dsl: plan, operations: [
    { action: 'rename_room', target: 'A', params: { newName: 'Hall' } },
    { action: 'remove_room', target: 'Hall' },
    { action: 'add_room', params: { name: 'N', position: { x: 20, y: 0 }, size: { width: 3, height: 3 } } }] });
  assert(done.dsl === worked && done.valid, done.dsl);
  assert(done.changes.every((one) => one.result === 'applied') && done.changes[1].affected.length === 2, told(done.changes));
  assert((await call('modify_floorplan', { dsl: plan, operations: [] })).dsl === plan, 'nothing was to be done');
  const some = [{ action: 'move_room', target: 'A', params: { x: 1, y: 1 } }, { action: 'move_room', target: 'Z', params: { x: 1, y: 1 } }];
  const best = await call('modify_floorplan', { dsl: plan, operations: some }, { refused: 'FP9002' });
  assert(best.dsl.includes('A at (1,1)') && best.errors[0].operation === 1, told(best));
  const atomic = await call('modify_floorplan', { dsl: plan, operations: some, mode: 'atomic' }, { refused: 'FP9002' });
  assert(atomic.dsl === plan && atomic.changes[0].result === 'skipped', told(atomic.changes));
  const unreadable = await call('modify_floorplan', { dsl: 'floorplan {', operations: some }, { refused: 'FP1008' });
  assert(unreadable.dsl === undefined && unreadable.changes.length === 0 && unreadable.errors[0].line === 1, told(unreadable));
}

async function measures() {
  const facts = JSON.parse(readFileSync('tests/data/floorplan-examples/v5-townhall.json', 'utf8'));
  const found = await call('analyze_floorplan', { dsl: example('v5-townhall') });
  facts.floors.forEach((floor, i) => {
    for (const key of ['roomCount', 'netArea', 'efficiency'])
      assert(Math.abs(found.floorMetrics[i][key] - floor.metrics[key]) < 1e-6, `${floor.id} ${key}`);
  });
  assert(found.adjacency.length === 2 && found.access.nodes.some((one) => one.id === 'outside') && found.egress.rooms.length === 4, told(found.egress));
  const short = await call('analyze_floorplan', { dsl: example('v5-townhall'), includeGraph: false, includeRoomDetails: false, areaUnit: 'sqm' });
  assert(!short.rooms && !short.access && Math.abs(short.summary.grossFloorArea - 2208 * 0.3048 ** 2) < 1e-5, told(short.summary));
}

async function converts() {
  const dsl = example('v5-townhall');
  const json = await call('export_floorplan', { dsl, format: 'json' });
  assert(JSON.parse(json.content).format === 'floorplan/1' && json.mimeType === 'application/json', json.content);
  const back = await call('import_floorplan', { json: JSON.parse(json.content) });
  assert((await call('export_floorplan', { dsl: back.dsl, format: 'json' })).content === json.content, 'not the same after a round');
  const canonical = await call('export_floorplan', { dsl, format: 'canonical' });
  assert((await call('validate_floorplan', { dsl: canonical.content })).valid, canonical.content);
  assert((await call('export_floorplan', { dsl, format: 'csv' })).content.split('\n').length >= 5, 'csv');
  assert((await call('export_floorplan', { dsl, format: 'svg' })).content.includes('<svg'), 'svg');
  assert((await call('export_floorplan', { dsl, format: 'dxf' })).content.includes('SECTION'), 'dxf');
  const pdf = await call('export_floorplan', { dsl, format: 'pdf', paper: 'A3', scale: '1:100' });
  assert(pdf.content === undefined && pdf.answer.content[0].resource.mimeType === 'application/pdf', told(pdf));
  await call('import_floorplan', { json: '{"format":' }, { refused: 'FP9001' });
  const wrong = await call('import_floorplan', { json: { format: 'floorplan/1', floors: [{ id: 'G', rooms: [{ name: 'A', width: 'wide' }] }] } }, { refused: 'FP9001' });
  assert(typeof wrong.errors[0].path === 'string', told(wrong.errors));
}

/* ---- arguments ---- */

async function refusesArguments() { // 7.1
  const none = { document: 'fpl_nothing' };
  const wrong = [
    ['render_floorplan', { dsl: plan, width: 1, theme: 'pink', colour: 1 }, ['/colour', '/theme', '/width']],
    ['render_floorplan', { dsl: plan, width: 8192, height: 8192 }, ['/height']],
    ['validate_floorplan', { dsl: 5, maxDiagnostics: 0, lint: 'yes' }, ['/dsl', '/lint', '/maxDiagnostics']],
    ['validate_floorplan', {}, ['/dsl']],
    ['validate_floorplan', { dsl: plan, ...none }, ['/dsl']],
    ['modify_floorplan', { dsl: plan, operations: [{ action: 'explode' }, { action: 'move_room', target: 'A', params: { x: 1, y: 2 } },
      { action: 'resize_room', target: 'A', params: { width: true, depth: 1 } }] }, ['/operations/0/action', '/operations/2/params/depth', '/operations/2/params/width']],
    ['modify_floorplan', { dsl: plan, operations: 'all', mode: 'maybe' }, ['/mode', '/operations']],
    ['modify_floorplan', { dsl: plan, operations: Array(501).fill({ action: 'remove_room', target: 'A' }) }, ['/operations']],
    ['analyze_floorplan', { dsl: plan, areaUnit: 'acre' }, ['/areaUnit']],
    ['export_floorplan', { dsl: plan, format: 'dwg', scale: '2:1' }, ['/format', '/scale']],
    ['import_floorplan', { json: 7 }, ['/json']],
    ['open_floorplan', { path: 7 }, ['/path']],
    ['open_floorplan', {}, ['/path']],
    ['save_floorplan', { path: 'x' }, ['/document']],
    ['undo_floorplan', { document: 'x', steps: 0 }, ['/steps']],
    ['redo_floorplan', { document: 'x', steps: 99 }, ['/steps']],
    ['write_floorplan', { document: 'x' }, ['/dsl']],
  ];
  for (const [tool, given, paths] of wrong) {
    const { errors } = await call(tool, given, { refused: 'FP9001' });
    assert(errors.map((one) => one.path).sort().join() === paths.join(), `${tool}: ${told(errors)}`);
    assert(errors.every((one) => one.code === 'FP9001'), told(errors));
  }
  for (const tool of ['render_floorplan', 'validate_floorplan', 'analyze_floorplan', 'save_floorplan', 'undo_floorplan'])
    await call(tool, none, { refused: 'UNKNOWN_DOCUMENT' });
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`x${i}`, i]));
  assert((await call('validate_floorplan', many, { refused: 'FP9001' })).errors.length <= 20, 'more than 20 are told');
}

async function describes() {
  const { tools } = await client.client.listTools();
  const own = tools.filter((tool) => tool.name.endsWith('_floorplan'));
  assert(own.length === 11, own.map((tool) => tool.name).join());
  for (const tool of own) {
    assert(tool.inputSchema.additionalProperties === false && tool.outputSchema && tool.description && tool.title, tool.name);
    for (const [name, property] of Object.entries(tool.inputSchema.properties))
      assert(property.description && property.type, `${tool.name}.${name}: ${told(property)}`);
    assert(tool.annotations.openWorldHint === false, `${tool.name}: ${told(tool.annotations)}`);
  }
  const hints = (name) => own.find((tool) => tool.name === `${name}_floorplan`).annotations;
  for (const name of ['render', 'validate', 'analyze', 'export', 'import'])
    assert(hints(name).readOnlyHint === true && hints(name).idempotentHint === true, `${name}: ${told(hints(name))}`);
  /* With a document it changes what others have open (7.8); a text opened twice is two documents. */
  const modify = hints('modify');
  assert(!modify.readOnlyHint && modify.destructiveHint && !modify.idempotentHint, told(modify));
  assert(!hints('open').idempotentHint, told(hints('open')));
}

/* ---- resources and prompts ---- */

async function explains() { // 7.7
  const { resources } = await client.client.listResources();
  const listed = resources.find((one) => one.uri === 'floorplan://schema');
  assert(listed?.name === 'Floorplan DSL schema' && listed.mimeType === 'text/markdown', told(listed));
  const { text, mimeType } = await read('floorplan://schema');
  assert(mimeType === 'text/markdown' && Buffer.byteLength(text) <= 24 * 1024, `${Buffer.byteLength(text)} bytes`);
  const plans = [...text.matchAll(/```\n(.*?)```/gs)].map((found) => found[1]).filter((one) => /^ {2}floor \w+ {\n {4}room \w+ (at|size)/m.test(one) && !one.includes('NAME'));
  assert(plans.length === 3, `${plans.length} examples`);
  for (const dsl of plans) {
    const checked = await call('validate_floorplan', { dsl });
    assert(checked.valid && checked.warnings.length === 0, told(checked));
    await call('render_floorplan', { dsl, width: 200, height: 200 });
  }
  const codes = (await read('floorplan://diagnostics')).text;
  for (const code of ['FP0001', 'FP2004', 'FP4008', 'FP8012']) assert(codes.includes(code), `${code} is not told`);
  let missing = null;
  await read('floorplan://examples/castle').catch((error) => { missing = error; });
  assert(missing && /not found/i.test(missing.message), 'a castle');
}

async function prompts() {
  const listed = (await client.client.listPrompts()).prompts.map((one) => one.name);
  const given = { draw_floorplan: { description: 'a hut' }, review_floorplan: { plan }, furnish_room: { room: 'A', plan },
    measure_floorplan: { question: 'how large?' } };
  for (const [name, values] of Object.entries(given)) {
    assert(listed.includes(name), `${name} is not listed`);
    const { messages } = await client.client.getPrompt({ name, arguments: values });
    for (const value of Object.values(values)) assert(messages[0].content.text.includes(value), `${name}: ${told(messages)}`);
  }
  const units = await client.client.complete({ ref: { type: 'ref/prompt', name: 'draw_floorplan' }, argument: { name: 'unit', value: 'm' } });
  assert(units.completion.values.join() === 'm,mm', told(units));
  const names = await client.client.complete({ ref: { type: 'ref/resource', uri: 'floorplan://examples/{name}' }, argument: { name: 'name', value: 'o' } });
  assert(names.completion.values.join() === 'one-room,offices', told(names));
}

/* ---- documents ---- */

async function documents() { // 7.8
  const opened = await call('open_floorplan', { dsl: plan });
  const { document } = opened;
  assert(/^fpl_[0-9a-z]{34}$/.test(document) && opened.revision === 1 && opened.dsl === plan, told(opened));
  let changed = 0;
  await client.watch(`floorplan://document/${document}`, () => { changed += 1; });
  await sleep(200);
  const moved = await call('modify_floorplan', { document, expectedRevision: 1, operations: [{ action: 'move_room', target: 'A', params: { x: 2, y: 0 } }] });
  assert(moved.revision === 2 && moved.document === document, told(moved));
  for (let i = 0; i < 50 && changed === 0; i += 1) await sleep(20);
  assert(changed > 0, 'nobody was told of the change within a second');
  await call('modify_floorplan', { document, expectedRevision: 1, operations: [] }, { refused: 'STALE_REVISION' });
  await call('write_floorplan', { document, expectedRevision: 1, dsl: '' }, { refused: 'STALE_REVISION' });
  const now = await read(`floorplan://document/${document}`);
  assert(now.text === moved.dsl && now._meta.revision === 2 && now._meta.canUndo === true, told(now));
  for (const tool of ['render_floorplan', 'validate_floorplan', 'analyze_floorplan'])
    assert((await call(tool, { document })).revision === 2, tool);
  assert((await call('export_floorplan', { document, format: 'canonical' })).content.includes('at (2,0)'), 'another text');
  const wide = await call('write_floorplan', { document, dsl: moved.dsl.replace('# main', '# größer') });
  assert(wide.revision === 3 && wide.canUndo, told(wide));
  const back = await call('undo_floorplan', { document, steps: 5 });
  assert(back.dsl === plan && back.canRedo && !back.canUndo, told(back));
  await call('undo_floorplan', { document }, { refused: 'NOTHING_TO_UNDO' });
  assert((await call('redo_floorplan', { document, steps: 2 })).dsl === wide.dsl, 'not made again');
}

async function files() { // 7.8
  const path = join(folder, 'house.floorplan');
  writeFileSync(path, plan);
  symlinkSync('/etc', join(folder, 'out'));
  const { document, dsl } = await call('open_floorplan', { path });
  assert(dsl === plan && (await call('open_floorplan', { path })).document === document, 'another document of the same file');
  await call('modify_floorplan', { document, operations: [{ action: 'add_label', target: 'B', params: { label: 'Büro' } }] });
  assert(readFileSync(path, 'utf8') === plan, 'saved without being asked');
  const saved = await call('save_floorplan', { document });
  assert(readFileSync(path, 'utf8').includes('label "Büro"') && saved.changed === false && saved.path === path, told(saved));
  writeFileSync(path, '# mine now\n');
  await call('undo_floorplan', { document });
  await call('save_floorplan', { document }, { refused: 'FILE_CHANGED' });
  assert(readFileSync(path, 'utf8') === '# mine now\n', 'what somebody else has written is gone');
  await call('save_floorplan', { document, overwrite: true });
  assert(readFileSync(path, 'utf8') === plan, 'not overwritten');
  const copy = join(folder, 'copy.floorplan');
  writeFileSync(copy, 'x');
  await call('save_floorplan', { document, path: copy }, { refused: 'FILE_EXISTS' });
  for (const bad of ['/nothing/here', '/etc/passwd', join(folder, 'out', 'passwd'), `${folder}/../../../../../../etc/passwd`])
    await call('open_floorplan', { path: bad }, { refused: 'PATH_NOT_ALLOWED' });
  await call('save_floorplan', { document, path: join(folder, 'out', 'x.floorplan') }, { refused: 'PATH_NOT_ALLOWED' });
  await call('open_floorplan', { path: join(folder, 'none.floorplan') }, { refused: 'NOT_FOUND' });
  writeFileSync(join(folder, 'binary'), Buffer.from([0x66, 0xff, 0x00]));
  await call('open_floorplan', { path: join(folder, 'binary') }, { refused: 'FP9001' });
}

async function together() {
  const other = await connect(kind, { command, args });
  const { document } = await call('open_floorplan', { dsl: plan });
  let heard = 0;
  await other.watch(`floorplan://document/${document}`, () => { heard += 1; });
  await sleep(200);
  await call('modify_floorplan', { document, operations: [{ action: 'rename_room', target: 'A', params: { newName: 'Hall' } }] });
  for (let i = 0; i < 50 && heard === 0; i += 1) await sleep(20);
  assert(heard > 0, 'the other one was not told');
  assert((await read(`floorplan://document/${document}`, other)).text.includes('room Hall'), 'the other one reads something else');
  await Promise.all(Array.from({ length: 10 }, (_, i) => call('modify_floorplan', { document,
    operations: [{ action: 'add_room', params: { name: `R${i}`, position: { x: 30 + 4 * i, y: 0 }, size: { width: 3, height: 3 } } }] },
  { from: i % 2 ? other : client })));
  const all = await call('validate_floorplan', { document });
  assert(all.valid && all.roomCount === 12 && all.revision === 12, `${told(all)}: one has overwritten the other`);
  const undone = await call('undo_floorplan', { document, steps: 11 }, { from: other });
  assert(undone.dsl === plan, 'the other one could not undo');
  await other.close();
}

await steps(`floorplan-${kind}${shared === 'yes' ? '' : '-serve'}`, [
  ['describes its tools', describes],
  ['pictures have the pixels that the answer says', draws],
  ['floors, themes, formats, differences and marks', drawsOtherwise],
  ['checks plans', checks],
  ['changes plans without damage', changes],
  ['measures plans', measures],
  ['other forms and back', converts],
  ['arguments that do not fit, with their paths', refusesArguments],
  ['the language, its codes and examples', explains],
  ['prompts and completion', prompts],
  ['documents, revisions and undo', documents],
  ['documents that are files', files],
  ...(shared === 'yes' ? [['two clients and one document', together]] : []),
]);
await client.close();
rmSync(folder, { recursive: true, force: true });
process.exit(failures ? 1 : 0);
