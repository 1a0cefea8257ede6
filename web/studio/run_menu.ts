/* What can be asked of the engine, as a menu (SC-110). */
import type { Point } from './geometry.ts';
import type { Command } from './runs.ts';
import { s } from './text.ts';
import { wording } from './wording.ts';
import type { Workspace } from './workspace.svelte.ts';

/* Errors first: how many, and whether it is to run all the same. */
function unless(work: Workspace, at: Point, act: (args: { force?: true }) => void): void {
	const errors = work.runs.errors.length;
	if (errors === 0) return act({});
	work.offer = {
		at,
		title: s.many(errors, 'error'),
		items: [
			{ label: s.show, act: () => work.open('problems') },
			{ label: wording.runAnyway, act: () => act({ force: true }) },
		],
	};
}

export function run(work: Workspace, at: Point, command: Command): void {
	work.open(command === 'plan' ? 'plan' : 'run');
	if (command === 'init' || command === 'validate') void work.runs.start(command);
	else
		unless(work, at, (args) => {
			if (command === 'plan') void work.runs.start('plan', args);
			else work.applying = { destroy: command === 'destroy', args };
		});
}

export function runMenu(work: Workspace, at: Point): void {
	const { engine, running, errors, stopping } = work.runs;
	const busy = !!running;
	const hint = errors.length > 0 ? s.many(errors.length, 'error') : undefined;
	const none = engine?.message !== undefined;
	const entry = (command: Command, more: { hint?: string; key?: string } = {}) => ({
		label: s.command[command]!,
		disabled: busy || none,
		act: () => run(work, at, command),
		...more,
	});
	work.offer = {
		at,
		title: engine?.name ? wording.engine(engine.name, engine.version ?? '') : wording.noEngine,
		items: [
			...(none ? [{ label: wording.howToGet, act: () => work.open('run') }] : []),
			entry('init'),
			entry('validate'),
			entry('plan', { hint, key: 'Ctrl ⇧ ⏎' }),
			entry('apply', { hint }),
			entry('destroy', { hint }),
			{ label: s.stop, disabled: !busy || stopping.has(running!.runId), act: () => work.runs.stop() },
		],
	};
}
