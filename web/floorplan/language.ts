/* Colours and completion for the language. Both read what is before the eyes only; what it means is
 * the daemon's to say. */
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { StreamLanguage, type StringStream } from '@codemirror/language';
import { tagHighlighter, tags } from '@lezer/highlight';

import { namesIn } from './model.ts';
import {
	alignments,
	configKeys,
	directions,
	kindOf,
	links,
	roomClauses,
	shapes,
	sides,
	stairClauses,
	statements,
	styleKeys,
	units,
	values,
	wallTypes,
} from './words.ts';

interface State {
	until: string | null; // what ends the comment or string that is open
	named: boolean; // a name comes next
}

const DEFINES = new Set(['floor', 'room', 'sub-room', 'stair', 'lift', 'define']);
const LONG = /^(right-of|left-of|above-(right|left)-of|below-(right|left)-of|double-door|sub-room|[LU]-shaped|double-L|(inner|outer)-radius)(?![\w-])/;

function inside(stream: StringStream, state: State): string {
	const token = state.until === '*/' ? 'comment' : 'string';
	while (!stream.eol()) {
		if (state.until && stream.match(state.until)) {
			state.until = null;
			return token;
		}
		stream.next();
	}
	return token;
}

function word(text: string, state: State): string | null {
	const named = state.named;
	state.named = DEFINES.has(text);
	const kind = kindOf(text);
	if (!kind) return named ? 'className' : 'variableName';
	if (kind === 'statement') return 'keyword';
	if (kind === 'type') return 'typeName';
	if (kind === 'direction') return 'operator';
	if (kind === 'key') return 'propertyName';
	if (kind === 'unit') return 'unit';
	return kind === 'value' ? 'bool' : 'labelName';
}

export const language = StreamLanguage.define<State>({
	name: 'floorplan',
	startState: () => ({ until: null, named: false }),
	token(stream, state) {
		if (state.until) return inside(stream, state);
		if (stream.eatSpace()) return null;
		if (stream.match('/*')) {
			state.until = '*/';
			return inside(stream, state);
		}
		if (stream.match(/^(%%\{|\}%%|---\s*$)/)) return 'meta';
		if (stream.match(/^#.*/)) return 'comment';
		const quote = stream.match(/^["']/) as RegExpMatchArray | null;
		if (quote) {
			state.until = quote[0];
			return inside(stream, state);
		}
		if (stream.match(/^\d+(\.\d+)?/)) {
			stream.match(/^(m|ft|cm|in|mm)(?![a-wyzA-Z_])/);
			return 'number';
		}
		if (stream.match(LONG)) return word(stream.current(), state);
		if (stream.match(/^[A-Za-z_]\w*/)) return word(stream.current(), state);
		stream.next();
		return null;
	},
	languageData: { commentTokens: { line: '#', block: { open: '/*', close: '*/' } } },
	tokenTable: { unit: tags.unit, className: tags.className, variableName: tags.variableName },
});

/* Classes of our own, so that the page's themes give the colours (View.svelte). */
export const colours = tagHighlighter([
	{ tag: tags.keyword, class: 'fp-keyword' },
	{ tag: tags.className, class: 'fp-name' },
	{ tag: tags.typeName, class: 'fp-type' },
	{ tag: tags.operator, class: 'fp-direction' },
	{ tag: tags.propertyName, class: 'fp-key' },
	{ tag: [tags.number, tags.unit], class: 'fp-number' },
	{ tag: tags.bool, class: 'fp-type' },
	{ tag: tags.labelName, class: 'fp-clause' },
	{ tag: tags.string, class: 'fp-string' },
	{ tag: tags.comment, class: 'fp-comment' },
	{ tag: tags.meta, class: 'fp-comment' },
]);

/* ---- completion ---- */

const options = (labels: readonly string[], type: string): Completion[] =>
	labels.map((label) => ({ label, type }));

/* What may follow the words before the cursor; null: no list. */
export function suggest(before: string, text: string): Completion[] | null {
	const line = before.slice(before.lastIndexOf('\n') + 1);
	const lead = line.replace(/[\w-]*$/, '').trimEnd();
	const names = namesIn(text);
	const rooms = () => options(names.rooms, 'class');
	// In a comment, or in a string that is open, words are the writer's own.
	const plain = line.replace(/"[^"]*"|'[^']*'/g, '');
	if (/["'#]/.test(plain.replace(/["']#[0-9a-fA-F]*/, '')) || /\/\*(?![\s\S]*\*\/)/.test(before)) return null;

	if (/\b(room|floor|stair|lift|define)$/.test(lead) && !/opens into$/.test(lead)) return null;
	if (/-of$|\b(above|below)$/.test(lead)) return [...rooms(), ...options(names.circulation, 'class')];
	if (/\bstyle$/.test(lead)) return options(names.styles, 'constant');
	if (/\bsize$/.test(lead)) return options(names.sizes, 'constant');
	if (/\balign$/.test(lead)) return options(alignments, 'enum');
	if (/^\s*connect\b/.test(line)) {
		if (/\.$/.test(lead)) return [...options(sides, 'enum'), ...rooms()];
		if (/\b(connect|to|into)$/.test(lead)) return [...rooms(), ...options(names.floors, 'namespace'), ...options(['outside'], 'keyword')];
		if (/\bswing\s*:$/.test(lead)) return options(['left', 'right'], 'enum');
		return options(['to', ...links, 'at', 'size', 'opens into', 'swing:'], 'keyword');
	}
	if (/\bwalls\s*\[[^\]]*$/.test(line))
		return options(/:$/.test(lead) ? wallTypes : sides, 'enum');
	if (/\bvertical\b/.test(line) || /\bvertical$/.test(lead)) return options([...names.floors, ...names.circulation, 'to'], 'class');
	const block = /\b(config|style\s+\w+)\s*\{[^}]*$/.exec(before);
	if (block) {
		if (/:$/.test(lead)) return options([...units, ...values, ...names.styles], 'enum');
		return options(block[1] === 'config' ? configKeys : styleKeys, 'property');
	}
	if (/\bshape$/.test(lead)) return options(shapes, 'enum');
	if (/\b(toward|from)$/.test(lead)) return options(sides, 'enum');
	if (/^\s*stair\b/.test(line)) return options([...stairClauses, ...directions], 'keyword');
	if (/^\s*(sub-)?room\b/.test(line)) return options([...roomClauses, ...directions], 'keyword');
	return lead === '' ? options(statements, 'keyword') : options([...statements, ...roomClauses, ...directions], 'keyword');
}

export function complete(context: CompletionContext): CompletionResult | null {
	const found = context.matchBefore(/[\w-]*/);
	if (!found) return null;
	if (found.from === found.to && !context.explicit && !triggers(context)) return null;
	const list = suggest(context.state.sliceDoc(0, context.pos), context.state.doc.toString());
	return list && list.length > 0 ? { from: found.from, options: list, validFor: /^[\w-]*$/ } : null;
}

/* Without a letter only where names come. */
const triggers = (context: CompletionContext) =>
	/(\b(connect|to|into|style|size)|-of) $|\.$/.test(context.state.sliceDoc(Math.max(0, context.pos - 24), context.pos));
