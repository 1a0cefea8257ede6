/* Shortcuts: one letter, or "g" and a letter. Never while somebody types, never with Ctrl or Cmd,
 * which belong to the browser. A fields's own keys are its own. */
export type Shortcuts = Record<string, () => void>;

export function isTyping(target: EventTarget | null): boolean {
	const element = target as HTMLElement | null;
	return (
		!!element?.closest &&
		(element.closest('input, textarea, select, [contenteditable]') !== null ||
			element.closest('dialog') !== null)
	);
}

export function shortcuts(map: Shortcuts): (event: KeyboardEvent) => void {
	let first = '';
	let at = 0;
	return (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
		if (isTyping(event.target)) return;
		const chord = first && Date.now() - at < 1500 ? `${first} ${event.key}` : event.key;
		first = '';
		const act = map[chord] ?? map[event.key];
		if (act) {
			event.preventDefault();
			act();
		} else if (Object.keys(map).some((key) => key.startsWith(event.key + ' '))) {
			first = event.key;
			at = Date.now();
		}
	};
}

/* Arrow keys among the children of one element that is a single stop of the Tab key. `columns` is
 * for grids; lists have none. */
export function roving(container: HTMLElement, selector: string) {
	const items = () => [...container.querySelectorAll<HTMLElement>(selector)];
	function key(event: KeyboardEvent) {
		const all = items();
		const index = all.indexOf((event.target as HTMLElement).closest(selector) as HTMLElement);
		if (index < 0) return;
		const steps: Record<string, number> = {
			ArrowDown: index + 1,
			ArrowRight: index + 1,
			ArrowUp: index - 1,
			ArrowLeft: index - 1,
			Home: 0,
			End: all.length - 1,
		};
		const to = steps[event.key];
		if (to === undefined) return;
		event.preventDefault();
		const next = all[Math.max(0, Math.min(all.length - 1, to))];
		if (!next) return;
		for (const item of all) item.tabIndex = item === next ? 0 : -1;
		next.focus();
	}
	container.addEventListener('keydown', key);
	return () => container.removeEventListener('keydown', key);
}
