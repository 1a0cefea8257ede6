/* Puts boundaries around the components that the workbench was told of, and writes down where each element is written.
 * Both work on the compiled module, by its syntax tree (ESTree), and change nothing else: every edit stays on its line. */
import { Edits, Lines, originOf, readMap } from './source_map.mjs';

const RUNTIMES = /^react$|(?:^|\/)jsx(?:-dev)?-runtime$/;
const FACTORIES = new Set(['jsx', 'jsxs', 'jsxDEV', 'createElement']);
const BOUNDARY = 'virtual:skaffa-boundary';

/* Calls `enter` for each node below one; what returns false is left out. */
export function visit(node, enter) {
	if (enter(node) === false) return;
	for (const name in node) {
		const value = node[name];
		if (typeof value !== 'object' || value === null || name === 'loc') continue;
		for (const child of Array.isArray(value) ? value : [value]) {
			if (child && typeof child.type === 'string') visit(child, enter);
		}
	}
}

const nameOf = (node) => (node.type === 'Literal' ? String(node.value) : node.name);

/* The declarations at the top of a module, by name. */
function declarations(program) {
	const found = new Map();
	for (const statement of program.body) {
		const isExport = statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportDefaultDeclaration';
		const node = (isExport && statement.declaration) || statement;
		if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') {
			if (node.id) found.set(node.id.name, { kind: node.type === 'ClassDeclaration' ? 'class' : 'function', node, statement });
		} else if (node.type === 'VariableDeclaration') {
			for (const one of node.declarations) {
				if (one.id.type === 'Identifier') found.set(one.id.name, { kind: 'variable', node: one, statement });
			}
		} else if (node.type === 'ImportDeclaration') {
			for (const one of node.specifiers) found.set(one.local.name, { kind: 'import', node: one, statement });
		}
	}
	return found;
}

/* What a module exports, by the exported name. */
function exportsOf(program) {
	const found = new Map();
	for (const statement of program.body) {
		if (statement.type === 'ExportDefaultDeclaration') {
			const { declaration } = statement;
			const named = /^(Function|Class)Declaration$/.test(declaration.type) ? declaration.id?.name : undefined;
			const local = declaration.type === 'Identifier' ? declaration.name : named;
			found.set('default', { local, statement, declaration });
		} else if (statement.type === 'ExportNamedDeclaration') {
			const { declaration, specifiers, source } = statement;
			for (const one of specifiers) {
				found.set(nameOf(one.exported), { local: source ? undefined : nameOf(one.local), from: source, specifier: one, statement });
			}
			if (!declaration) continue;
			const names = declaration.id ? [declaration.id] : declaration.declarations.map((one) => one.id);
			for (const id of names) if (id.type === 'Identifier') found.set(id.name, { local: id.name, statement });
		}
	}
	return found;
}

/* The names under which a module knows React's functions that make elements: plain ones, and whole namespaces. */
function factories(program) {
	const plain = new Set();
	const whole = new Set();
	for (const { type, source, specifiers } of program.body) {
		if (type !== 'ImportDeclaration' || !RUNTIMES.test(source.value)) continue;
		for (const one of specifiers) {
			if (one.type !== 'ImportSpecifier') whole.add(one.local.name);
			else if (FACTORIES.has(nameOf(one.imported))) plain.add(one.local.name);
		}
	}
	return { plain, whole };
}

function makesElement({ callee }, { plain, whole }) {
	if (callee.type === 'Identifier') return plain.has(callee.name);
	if (callee.type === 'SequenceExpression') return makesElement({ callee: callee.expressions.at(-1) }, { plain, whole });
	if (callee.type !== 'MemberExpression' || callee.computed) return false;
	return callee.object.type === 'Identifier' && whole.has(callee.object.name) && FACTORIES.has(callee.property.name);
}

/* One module in the hands of the instrumenter. */
class Module {
	constructor({ code, program }) {
		this.code = code;
		this.program = program;
		this.edits = new Edits();
		this.head = [];
		this.tail = [];
		this.declared = declarations(program);
		this.exported = exportsOf(program);
		this.done = new Map(); // local name to typeId
	}

	unused(name) {
		let free = name;
		while (this.code.includes(free)) free += '_';
		return free;
	}

	/* Puts a boundary around one export. Returns why not, or null. */
	wrap(hint) {
		const name = hint.exportName ?? 'default';
		const found = this.exported.get(name);
		if (!found) return `no export "${name}"`;
		const key = found.local ?? name;
		if (this.done.has(key)) return `the same component as ${this.done.get(key)}`;
		const meta = JSON.stringify({ t: hint.typeId, n: found.local ?? name });
		const why = this.#how(found, meta);
		if (why === null) this.done.set(key, hint.typeId);
		return why;
	}

	#how(found, meta) {
		const declared = found.local === undefined ? undefined : this.declared.get(found.local);
		if (found.from) return this.#reexport(found, meta);
		if (!declared && found.declaration) return this.#defaultExpression(found, meta);
		switch (declared?.kind) {
			case 'function':
				return this.#function(declared, found.local, meta);
			case 'class':
				return this.#class(declared, found.local, meta);
			case 'variable':
				return this.#variable(declared, meta);
			case 'import':
				return this.#imported(found, meta);
			default:
				return 'not a plain declaration';
		}
	}

	/* A function stays one that is hoisted and may be called before this module has run: the original gets another
	 * name, and the boundary takes its own. */
	#function({ node, statement }, local, meta) {
		if (node.async || node.generator) return 'an async function or generator is no component of the browser';
		const inner = this.unused(`${local}$inner`);
		this.#rename(node, statement, inner);
		this.tail.push([node.end, this.#outer(statement, local, inner)]);
		this.head.push(`$skaffa.define(${local},${inner},${meta});`);
		return null;
	}

	#outer(statement, local, inner) {
		return ` ${this.#exportWords(statement)}function ${local}(){return $skaffa.call(${local},${inner},this,arguments)}`;
	}

	#exportWords({ type }) {
		return type === 'ExportDefaultDeclaration' ? 'export default ' : type === 'ExportNamedDeclaration' ? 'export ' : '';
	}

	/* "export" goes to the boundary. */
	#rename(node, statement, inner) {
		if (statement !== node) this.edits.replace(statement.start, node.start, '');
		this.edits.replace(node.id.start, node.id.end, inner);
	}

	/* While a class is being made it knows itself by its inner name only. */
	#class({ node, statement }, local, meta) {
		const inner = this.unused(`${local}$inner`);
		this.#rename(node, statement, inner);
		const isDefault = statement.type === 'ExportDefaultDeclaration';
		const words = isDefault ? '' : this.#exportWords(statement);
		const after = isDefault ? ` export { ${local} as default };` : '';
		this.tail.push([node.end, ` ${words}let ${local} = $skaffa.wrap(${inner},${meta});${after}`]);
		for (const member of node.body.body) {
			const runsNow = member.type === 'StaticBlock' ? member : member.type === 'PropertyDefinition' && member.static ? member.value : null;
			if (runsNow) this.#references(runsNow, local, inner);
		}
		return null;
	}

	#references(node, name, replacement) {
		visit(node, (child) => {
			if (child.type === 'MemberExpression' && !child.computed) {
				this.#references(child.object, name, replacement);
				return false;
			}
			if (child.type === 'Property' && child.shorthand) return false;
			if (child.type === 'Identifier' && child.name === name) this.edits.replace(child.start, child.end, replacement);
		});
	}

	#variable({ node }, meta) {
		if (!node.init) return 'declared without a value';
		this.#around(node.init, meta);
		return null;
	}

	#around(node, meta) {
		this.edits.insert(node.start, '$skaffa.wrap(');
		this.tail.push([node.end, `,${meta})`]);
	}

	#defaultExpression({ declaration, statement }, meta) {
		if (declaration.type === 'FunctionDeclaration' || declaration.type === 'ClassDeclaration') {
			return this.#anonymous(declaration, statement, meta);
		}
		this.#around(declaration, meta);
		return null;
	}

	#anonymous(node, statement, meta) {
		if (node.async || node.generator) return 'an async function or generator is no component of the browser';
		const inner = this.unused('default$inner');
		const outer = this.unused('default$outer');
		const word = node.type === 'ClassDeclaration' ? 'class' : 'function';
		this.edits.replace(statement.start, node.start + word.length, `${word} ${inner} `);
		if (word === 'class') {
			this.tail.push([node.end, ` export default $skaffa.wrap(${inner},${meta});`]);
			return null;
		}
		this.tail.push([node.end, ` export default function ${outer}(){return $skaffa.call(${outer},${inner},this,arguments)}`]);
		this.head.push(`$skaffa.define(${outer},${inner},${meta});`);
		return null;
	}

	/* What is another module's own, handed on: a boundary of this module only. */
	#imported({ specifier, statement, declaration, local }, meta) {
		if (declaration) {
			this.#around(declaration, meta);
			return null;
		}
		const outer = this.unused(`${local}$outer`);
		this.edits.replace(specifier.start, specifier.end, `${outer} as ${this.code.slice(specifier.exported.start, specifier.exported.end)}`);
		this.edits.insert(statement.start, `const ${outer} = $skaffa.wrap(${local},${meta}); `);
		return null;
	}

	#reexport({ specifier, statement }, meta) {
		const names = this.exported.size;
		const [inner, outer] = [this.unused(`reexport${names}$inner`), this.unused(`reexport${names}$outer`)];
		if (specifier.type !== 'ExportSpecifier' || this.done.has(statement)) return 'handed on as a whole module';
		const text = (node) => this.code.slice(node.start, node.end);
		const others = statement.specifiers.filter((one) => one !== specifier).map(text).join(', ');
		this.done.set(statement, '');
		this.edits.replace(statement.start, statement.end, `import { ${text(specifier.local)} as ${inner} } from ${text(statement.source)}; ` +
			`export { ${others} } from ${text(statement.source)}; const ${outer} = $skaffa.wrap(${inner},${meta}); export { ${outer} as ${text(specifier.exported)} };`);
		return null;
	}

	/* What must have the original: fast refresh, which keeps states by it, and classes that are derived from one, of
	 * this module or of another. */
	keepOriginals() {
		const known = new Set([...this.done.keys()].filter((name) => this.declared.has(name)));
		const original = (node, of = known) => {
			if (node?.type === 'Identifier' && of.has(node.name)) this.edits.replace(node.start, node.end, `$skaffa.inner(${node.name})`);
		};
		const bases = new Set([...known, ...this.#importedNames()]);
		visit(this.program, (node) => {
			if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') original(node.superClass, bases);
		});
		const { handles, signatures } = refreshNames(this.program);
		for (const { type, expression } of this.program.body) {
			if (type !== 'ExpressionStatement') continue;
			if (expression.type === 'AssignmentExpression' && handles.has(expression.left.name)) original(expression.right);
			if (expression.type === 'CallExpression' && signatures.has(expression.callee.name)) original(expression.arguments[0]);
		}
	}

	#importedNames() {
		const imports = [...this.declared].filter(([, { kind, statement }]) => kind === 'import' && !RUNTIMES.test(statement.source.value));
		return imports.map(([name]) => name);
	}

	/* Where each element is written, as the combined map of the module says. */
	sites(map, originals) {
		const found = factories(this.program);
		if (!found.plain.size && !found.whole.size) return;
		const before = readMap(map);
		const lines = new Lines(this.code);
		const all = new Set();
		visit(this.program, (node) => {
			if (node.type !== 'CallExpression' || !makesElement(node, found)) return;
			if (node.arguments[0]?.type === 'Literal') return; // an element of the page's own language
			const { line, column } = lines.of(node.start);
			const origin = originOf(before, line, column);
			const place = origin && originals.place(origin);
			if (!place) return;
			all.add(`${place.line}:${place.column}`);
			this.edits.insert(node.start, '$skaffa.site(');
			this.tail.push([node.end, `,${JSON.stringify(originals.file)},${place.line},${place.column})`]);
		});
		if (all.size) this.head.push(`$skaffa.sites(${JSON.stringify(originals.file)},${JSON.stringify([...all])});`);
	}

	/* The changed text. What comes after a node is put there from the inside outwards. */
	finish() {
		this.tail = this.tail.map((one, order) => [...one, order]).sort((a, b) => a[0] - b[0] || b[2] - a[2]);
		for (const [at, text] of this.tail) this.edits.insert(at, text);
		if (!this.edits.any && !this.head.length) return null;
		const directives = this.program.body.filter((statement) => statement.directive);
		const at = directives.at(-1)?.end ?? 0;
		return { at, prefix: `${at ? ';' : ''}import { $skaffa } from ${JSON.stringify(BOUNDARY)};${this.head.join('')}` };
	}
}

/* The names that fast refresh uses in this module. */
function refreshNames(program) {
	const handles = new Set();
	const signatures = new Set();
	for (const statement of program.body) {
		const { type, expression } = statement;
		if (type === 'ExpressionStatement' && expression.type === 'CallExpression' && expression.callee.name === '$RefreshReg$') {
			handles.add(expression.arguments[0]?.name);
		}
		if (type !== 'VariableDeclaration') continue;
		for (const { id, init } of statement.declarations) {
			if (init?.type === 'CallExpression' && init.callee.name === '$RefreshSig$') signatures.add(id.name);
		}
	}
	return { handles, signatures };
}

/* The module with boundaries and places, or null when there is nothing to do. `results` says of each hint why it was
 * left out, or null. */
export function instrument({ code, program, hints, map, originals, name }) {
	const module = new Module({ code, program });
	const results = hints.map((hint) => ({ hint, why: module.wrap(hint) }));
	module.keepOriginals();
	if (originals) module.sites(map, originals);
	const start = module.finish();
	if (!start) return { results, changed: null };
	const { edits } = module;
	edits.insertFirst(start.at, start.prefix);
	const text = edits.apply(code);
	return { results, changed: { code: text, map: edits.map(code, readMap(map ?? { mappings: '' }), name) } };
}
