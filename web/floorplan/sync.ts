/* One text, here and at the daemon. What is typed here and not yet sent ("pending") is kept as changes of
 * the text the daemon has; what others do meanwhile is taken in beneath it. Nothing of either is lost.
 *
 * Line ends: an editor knows only "\n". A text that has another one throughout gets it back; in one
 * that mixes them "\r" is a character like others. */
import { ChangeSet, Text } from '@codemirror/state';

import { diff } from './diff.ts';

export function lineEnd(text: string): '\n' | '\r\n' | '\r' {
	const pairs = text.split('\r\n').length - 1;
	const feeds = text.split('\n').length - 1;
	const returns = text.split('\r').length - 1;
	if (pairs > 0 && feeds === pairs && returns === pairs) return '\r\n';
	return returns > 0 && feeds === 0 ? '\r' : '\n';
}

const textOf = (plain: string) => Text.of(plain.split('\n'));

export class Sync {
	revision: number;
	#end: string;
	#base: Text; // what the daemon has
	#pending: ChangeSet; // from it to what is here
	#sent: ChangeSet | null = null; // the part of it that is on its way

	constructor(text: string, revision: number) {
		this.revision = revision;
		this.#end = lineEnd(text);
		this.#base = textOf(text.split(this.#end).join('\n'));
		this.#pending = ChangeSet.empty(this.#base.length);
	}

	get base(): Text {
		return this.#base;
	}
	get dirty(): boolean {
		return !this.#pending.empty || this.#sent !== null;
	}

	/* Somebody typed here. */
	edited(changes: ChangeSet): void {
		this.#pending = this.#pending.compose(changes);
	}

	/* The text to send now; null: nothing is to be sent. */
	send(): string | null {
		if (this.#sent || this.#pending.empty) return null;
		const now = this.#pending.apply(this.#base);
		this.#sent = this.#pending;
		this.#pending = ChangeSet.empty(now.length);
		return now.toString().split('\n').join(this.#end);
	}

	/* It has arrived, and is this revision. */
	accepted(revision: number): void {
		if (this.#sent) this.#base = this.#sent.apply(this.#base);
		this.#sent = null;
		this.revision = revision;
	}

	/* It has not: it is to be sent again, after what came in between. */
	refused(): void {
		if (this.#sent) this.#pending = this.#sent.compose(this.#pending);
		this.#sent = null;
	}

	/* What the daemon has now; not while something is on its way. Returns the changes to make
	 * here, null: none. */
	received(text: string, revision: number): ChangeSet | null {
		this.refused();
		this.#end = lineEnd(text);
		const changes = diff(this.#base.toString(), text.split(this.#end).join('\n'));
		this.revision = revision;
		if (changes.length === 0) return null;
		const theirs = ChangeSet.of(
			changes.map((c) => ({ from: c.from, to: c.to, insert: textOf(c.insert) })),
			this.#base.length,
		);
		const here = theirs.map(this.#pending, true);
		this.#pending = this.#pending.map(theirs);
		this.#base = theirs.apply(this.#base);
		return here;
	}
}
