/* The text: CodeMirror with our language, the daemon's diagnostics, and a line that is lit because its
 * room is. Undo is the document's, which everybody shares, so the editor has none of its own. */
import { acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic as Mark } from '@codemirror/lint';
import { Annotation, EditorState, StateEffect, StateField, type ChangeSet, type Text } from '@codemirror/state';
import {
	Decoration,
	drawSelection,
	EditorView,
	highlightActiveLine,
	highlightActiveLineGutter,
	highlightSpecialChars,
	keymap,
	lineNumbers,
	type DecorationSet,
} from '@codemirror/view';

import { colours, complete, language } from './language.ts';
import type { Diagnostic } from './model.ts';

export interface EditorEvents {
	typed(changes: ChangeSet): void;
	line(line: number | null): void; // under the pointer, else of the cursor when it moves
	undo(): void;
	redo(): void;
}

const remote = Annotation.define<boolean>();
const lit = StateEffect.define<number | null>();
const litLine = Decoration.line({ class: 'fp-lit' });

const litField = StateField.define<DecorationSet>({
	create: () => Decoration.none,
	update(value, transaction) {
		let next = value.map(transaction.changes);
		for (const effect of transaction.effects) {
			if (!effect.is(lit)) continue;
			const { doc } = transaction.state;
			const line = effect.value;
			next = line && line <= doc.lines ? Decoration.set(litLine.range(doc.line(line).from)) : Decoration.none;
		}
		return next;
	},
	provide: (field) => EditorView.decorations.from(field),
});

/* Line and column count code points from 1; a byte order mark is none (L1, L2). */
export function offsetOf(doc: Text, line: number, column: number): number {
	if (line > doc.lines) return doc.length;
	const { from, text } = doc.line(Math.max(1, line));
	let at = line === 1 && text.startsWith('\ufeff') ? 1 : 0;
	for (let c = 1; c < column && at < text.length; c++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
	return from + at;
}

export function markOf(doc: Text, found: Diagnostic): Mark {
	let from = offsetOf(doc, found.line, found.column);
	let to = offsetOf(doc, found.endLine ?? found.line, found.endColumn ?? found.column);
	// Something is to be seen of an empty range, too: the letter before the end of a line or text.
	if (to <= from) to = Math.min(doc.length, from + 1);
	if (to <= from || doc.sliceString(from, to) === '\n') from = Math.max(doc.lineAt(from).from, from - 1);
	return {
		from,
		to,
		severity: found.severity,
		source: found.code,
		message: [found.message, found.hint].filter(Boolean).join('\n'),
	};
}

export class Editor {
	#view: EditorView;
	#cursorLine = 0;

	constructor(host: HTMLElement, doc: Text, label: string, events: EditorEvents) {
		const shared = (act: () => void) => () => (act(), true);
		this.#view = new EditorView({
			parent: host,
			state: EditorState.create({
				doc,
				extensions: [
					lineNumbers(),
					highlightActiveLineGutter(),
					highlightSpecialChars(),
					drawSelection(),
					EditorState.allowMultipleSelections.of(true),
					EditorState.tabSize.of(4),
					indentUnit.of('  '),
					EditorView.lineWrapping,
					language,
					syntaxHighlighting(colours),
					bracketMatching(),
					closeBrackets(),
					autocompletion({ override: [complete], icons: false }),
					highlightActiveLine(),
					litField,
					lintGutter(),
					keymap.of([
						{ key: 'Mod-z', run: shared(events.undo), preventDefault: true },
						{ key: 'Mod-y', run: shared(events.redo), preventDefault: true },
						{ key: 'Mod-Shift-z', run: shared(events.redo), preventDefault: true },
						{ key: 'Tab', run: acceptCompletion },
						...closeBracketsKeymap,
						...completionKeymap,
						...lintKeymap,
						...defaultKeymap,
						// Escape, then Tab, leaves the editor (CodeMirror's own way out).
						indentWithTab,
					]),
					EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', spellcheck: 'false', autocapitalize: 'off' }),
					EditorView.updateListener.of((update) => {
						if (update.docChanged && !update.transactions.some((one) => one.annotation(remote)))
							events.typed(update.changes);
						const line = update.state.doc.lineAt(update.state.selection.main.head).number;
						if ((update.selectionSet || update.docChanged) && line !== this.#cursorLine && update.view.hasFocus) {
							this.#cursorLine = line;
							events.line(line);
						}
					}),
					EditorView.domEventHandlers({
						mousemove: (event, view) => {
							const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
							events.line(at === null ? null : view.state.doc.lineAt(at).number);
						},
						mouseleave: () => events.line(null),
					}),
				],
			}),
		});
	}

	get lines(): string[] {
		return this.#view.state.doc.toString().split('\n');
	}

	/* Somebody else changed it: the cursor stays where it is in the words. */
	apply(changes: ChangeSet): void {
		this.#view.dispatch({ changes, annotations: remote.of(true) });
	}

	set found(list: Diagnostic[]) {
		const { state } = this.#view;
		this.#view.dispatch(setDiagnostics(state, list.map((one) => markOf(state.doc, one))));
	}

	light(line: number | null): void {
		this.#view.dispatch({ effects: lit.of(line) });
	}

	goTo(line: number, column = 1, focus = true): void {
		const at = offsetOf(this.#view.state.doc, line, column);
		this.#view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
		if (focus) this.#view.focus();
	}

	destroy(): void {
		this.#view.destroy();
	}
}
