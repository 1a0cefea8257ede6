/* F6 walks through the parts of the page, each by what in it can take the focus first (SC-200, SC-206). */
const PARTS = 'header, aside, .canvas, [role="region"], .chips, nav.tabs';
const FOCUS = 'button:not([disabled]), input:not([disabled]), select, textarea, [tabindex="0"]';

export function nextRegion(work: Element, back: boolean): void {
	const parts = [...work.querySelectorAll<HTMLElement>(PARTS)].filter((one) => one.offsetParent !== null && !one.parentElement!.closest(PARTS));
	const now = parts.findIndex((one) => one.contains(document.activeElement));
	for (let step = 1; step <= parts.length; step++) {
		const at = now < 0 ? (back ? parts.length - step : step - 1) : (now + (back ? -step : step) + 2 * parts.length) % parts.length;
		const part = parts[at]!;
		const first = [...part.querySelectorAll<HTMLElement>(FOCUS)].find((one) => one.tabIndex >= 0 && one.offsetParent !== null);
		const to = part.matches('.canvas') ? (part.querySelector<HTMLElement>('.node[tabindex="0"]') ?? part) : first;
		if (to) return to.focus();
	}
}
