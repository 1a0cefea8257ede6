/* The keys of the canvas. Single letters count only while it has the focus, and can be switched off. */
import type { Hand } from './hand.svelte.ts';
import { GRID, nearest, zoomAt, type Side } from './geometry.ts';
import { stored } from './project.svelte.ts';
import type { EdgeView, NodeView } from './diagram.svelte.ts';
import { s } from './text.ts';
import type { Workspace } from './workspace.svelte.ts';

export const lettersOn = () => stored<boolean>('letters', 'all') ?? true;

const SIDES: Record<string, Side> = { ArrowUp: 'top', ArrowRight: 'right', ArrowDown: 'bottom', ArrowLeft: 'left' };
const STEPS: Record<string, [number, number]> = { ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0] };

export function canvasKeys(work: Workspace, hand: Hand) {
	const { project } = work;
	const one = () => project.selection.at(-1) ?? null;
	/* Several that can be laid out together. */
	const several = () => (project.selection.length > 1 && project.selection.every((it) => it.parent === one()!.parent) ? project.selection : null);

	function walk(side: Side): void {
		const from = one() ?? project.diagram?.all.find((node) => node.tab) ?? project.diagram?.roots[0];
		if (!from) return;
		const others = (project.diagram?.all ?? []).filter((node) => node !== from && node.shown === node && !node.isAway && !node.isIn(from) && !from.isIn(node));
		const rects = others.map((node) => ({ ...node.rectIn(null), node }));
		const found = project.selection.length === 0 ? from : nearest(from.rectIn(null), rects, side)?.node;
		if (found) work.show(found);
	}

	function into(): void {
		const node = one();
		if (!node) return;
		if (node.isContainer && node.children.length > 0 && !node.collapsed) work.show(node.children[0]!);
		else work.renaming = node;
	}

	function level(): void {
		const node = one();
		const mates = node?.parent?.children ?? project.diagram?.roots ?? [];
		const whole = mates.length === project.selection.length && mates.every((mate) => mate.selected);
		project.select(whole ? (project.diagram?.all ?? []) : mates);
	}

	/* E: along the lines of a node, and back to it (SC-206). */
	let lines: { of: NodeView; edge: EdgeView } | null = null;
	function line(): void {
		const of = one() ?? (lines && lines.edge === project.edge ? lines.of : null);
		const mine = of ? (project.diagram?.allEdges ?? []).filter((edge) => !edge.isHidden && (edge.source === of || edge.target === of)) : [];
		if (!of || mine.length === 0) return project.say(s.noLines);
		const edge = mine[(mine.indexOf(project.edge as EdgeView) + 1) % mine.length]!;
		project.selectEdge(edge);
		lines = { of, edge };
		project.say(s.lineIs(edge));
	}
	function back(): boolean {
		const found = project.edge && lines?.edge === project.edge ? lines.of : null;
		lines = null;
		if (found) work.show(found);
		return !!found;
	}

	const control: Record<string, () => void> = {
		'[': () => work.back(-1),
		']': () => work.back(1),
		a: level,
		'0': () => project.lookAtAll(),
		'1': () => zoom(1 / project.view.zoom),
		'2': () => project.lookAt(project.selection),
		d: () => void work.duplicate(),
		'.': () => one() && project.collapse(one()!, !one()!.collapsed),
		L: () => (several() ? work.layout(null, several()) : work.layout(one()?.isContainer ? one() : null)),
	};
	const letters: Record<string, () => void> = {
		'/': () => (work.palette = true),
		q: () => one() && work.quickFrom(one()!),
		c: () => one() && work.chooseConnection(one()!),
		p: () => work.choosePlace(),
		m: () => ((work.minimap = !work.minimap), work.keep()),
		o: () => work.open('outline'),
		f: () => work.focus(work.focused ? null : one()?.isContainer ? one() : (one()?.parent ?? null)),
		e: line,
		'[': () => work.back(-1),
		']': () => work.back(1),
		'1': () => work.layers.key(1),
		'2': () => work.layers.key(2),
		'3': () => work.layers.key(3),
		'4': () => work.layers.key(4),
		'5': () => work.layers.key(5),
		'6': () => work.layers.key(6),
		'+': () => zoom(1.25),
		'=': () => zoom(1.25),
		'-': () => zoom(1 / 1.25),
	};

	function zoom(factor: number): void {
		project.look(zoomAt(project.view, { x: project.canvas.width / 2, y: project.canvas.height / 2 }, project.view.zoom * factor));
	}

	function arrow(event: KeyboardEvent): void {
		const [dx, dy] = STEPS[event.key] ?? [0, 0];
		if (event.altKey) return walk(SIDES[event.key] ?? 'right');
		if (event.ctrlKey || event.metaKey) return hand.resizeBy(dx * GRID, dy * GRID);
		const step = event.shiftKey ? 1 : GRID;
		if (project.selection.length > 0) hand.nudge(dx * step, dy * step);
		else project.look({ ...project.view, x: project.view.x - dx * 60, y: project.view.y - dy * 60 });
	}

	function special(event: KeyboardEvent): boolean {
		if (event.key in STEPS) arrow(event);
		else if (event.key === 'Escape') {
			if (!hand.cancel() && !back()) work.focused ? work.focus(null) : (project.selectEdge(null), project.select([]));
		} else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
			if (event.shiftKey) one()?.parent && work.show(one()!.parent!);
			else into();
		} else if (event.key === 'F2') one() && (work.renaming = one());
		else if (event.key === 'Delete' || event.key === 'Backspace') {
			if (project.edge) work.disconnect(project.edge);
			else if (project.selection.length > 0) void work.remove(project.selection);
		} else if (event.key === 'F10' && event.shiftKey) one() && work.menu(work.middleOf(one()!), one());
		else if (event.key === 'ContextMenu') one() && work.menu(work.middleOf(one()!), one());
		else if (event.key === ' ') {
			hand.space = true;
			if (one() === null) walk('right');
		} else return false;
		return true;
	}

	function down(event: KeyboardEvent): void {
		if ((event.target as Element).closest('input, textarea, [data-own]')) return;
		let done = special(event);
		if (!done && (event.ctrlKey || event.metaKey) && !event.altKey) {
			const act = control[event.shiftKey ? event.key.toUpperCase() : event.key];
			act?.();
			done = !!act;
		} else if (!done && !event.ctrlKey && !event.metaKey && !event.altKey && lettersOn()) {
			const act = letters[event.key];
			act?.();
			done = !!act;
		}
		if (done) {
			event.preventDefault();
			event.stopPropagation();
		}
	}

	function up(event: KeyboardEvent): void {
		if (event.key === ' ') hand.space = false;
	}

	return { down, up };
}
