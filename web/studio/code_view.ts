/* Generated files as CodeMirror shows them: read only, lines that are lit and lines that are new, and which line was pressed.
 * Loaded with the first file; CodeMirror itself is the floor plans' (one chunk for both). */
import { StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { EditorState, RangeSetBuilder, StateEffect, StateField } from '@codemirror/state';
import { Decoration, drawSelection, EditorView, lineNumbers, type DecorationSet } from '@codemirror/view';
import { tagHighlighter, tags } from '@lezer/highlight';

import { diff } from '../floorplan/diff.ts';

const language = StreamLanguage.define<{ doc: string }>({
	startState: () => ({ doc: '' }),
	token(stream, state) {
		if (state.doc) {
			if (stream.sol() && stream.string.trim() === state.doc) state.doc = '';
			stream.skipToEnd();
			return 'string';
		}
		if (stream.eatSpace()) return null;
		if (stream.match(/^(#|\/\/).*/) || stream.match(/^\/\*.*?(\*\/|$)/)) return 'comment';
		const here = stream.match(/^<<-?(\w+)/) as RegExpMatchArray | null;
		if (here) return (state.doc = here[1]!), 'string';
		if (stream.match(/^"([^"\\]|\\.)*"?/)) return 'string';
		if (stream.match(/^-?\d+(\.\d+)?/)) return 'number';
		if (stream.match(/^(true|false|null)\b/)) return 'bool';
		if (stream.match(/^(resource|variable|output|locals|module|provider|terraform|data|moved|import|dynamic|backend)\b(?=.*\{)/)) return 'keyword';
		if (stream.match(/^[\w-]+(?=\s*=)/)) return 'propertyName';
		if (stream.match(/^[\w-]+/)) return null;
		stream.next();
		return null;
	},
});
const colours = tagHighlighter([
	{ tag: tags.keyword, class: 'hcl-word' },
	{ tag: tags.propertyName, class: 'hcl-key' },
	{ tag: [tags.number, tags.bool], class: 'hcl-value' },
	{ tag: tags.string, class: 'hcl-text' },
	{ tag: tags.comment, class: 'hcl-note' },
]);

type Marks = { lit: [number, number][]; fresh: Set<number> };
const mark = StateEffect.define<Marks>();
const marks = StateField.define<DecorationSet>({
	create: () => Decoration.none,
	update(value, transaction) {
		const found = transaction.effects.find((one) => one.is(mark));
		if (!found) return value.map(transaction.changes);
		const { lit, fresh } = found.value as Marks;
		const build = new RangeSetBuilder<Decoration>();
		const { doc } = transaction.state;
		const isLit = (n: number) => lit.some(([from, to]) => n >= from && n <= to);
		for (let n = 1; n <= doc.lines; n++) {
			const name = `${isLit(n) ? 'hcl-lit' : ''} ${fresh.has(n) ? 'hcl-fresh' : ''}`.trim();
			if (name) build.add(doc.line(n).from, doc.line(n).from, Decoration.line({ class: name }));
		}
		return build.finish();
	},
	provide: (field) => EditorView.decorations.from(field),
});

export class CodeView {
	#view: EditorView;

	constructor(host: HTMLElement, label: string, pressed: (line: number) => void) {
		const at = (view: EditorView) => view.state.doc.lineAt(view.state.selection.main.head).number;
		this.#view = new EditorView({
			parent: host,
			state: EditorState.create({
				extensions: [
					lineNumbers(),
					drawSelection(),
					language,
					syntaxHighlighting(colours),
					marks,
					EditorState.readOnly.of(true),
					EditorView.contentAttributes.of({ 'aria-label': label, 'aria-readonly': 'true', tabindex: '0' }),
					EditorView.domEventHandlers({
						click: (_event, view) => void (view.state.selection.main.empty && pressed(at(view))),
						keydown: (event, view) => void (event.key === 'Enter' && pressed(at(view))),
					}),
				],
			}),
		});
	}

	/* Only what differs is replaced, so that what is in sight stays there. */
	show(text: string): void {
		const old = this.#view.state.doc.toString();
		if (old !== text) this.#view.dispatch({ changes: diff(old, text) });
	}
	top(): void {
		this.#view.scrollDOM.scrollTop = 0;
	}
	mark(lit: [number, number][], fresh: Set<number>): void {
		this.#view.dispatch({ effects: mark.of({ lit, fresh }) });
	}
	goTo(line: number): void {
		const { doc } = this.#view.state;
		if (line <= doc.lines) this.#view.dispatch({ effects: EditorView.scrollIntoView(doc.line(line).from, { y: 'start', yMargin: 20 }) });
	}
	destroy(): void {
		this.#view.destroy();
	}
}

/* Lines of `now` that are not in `old`. */
export function freshLines(old: string, now: string): Set<number> {
	const found = new Set<number>();
	let shift = 0;
	const lineAt = (at: number) => now.slice(0, at).split('\n').length;
	for (const { from, to, insert } of diff(old, now)) {
		const first = lineAt(from + shift);
		const lines = insert.replace(/\n$/, '').split('\n').length;
		if (insert) for (let n = first; n < first + lines; n++) found.add(n);
		shift += insert.length - (to - from);
	}
	return found;
}
