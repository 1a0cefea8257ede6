/* How what changes is seen to change: nodes glide to their new place, new ones come and removed ones go (SC-142, SC-061). The
 * page is as it will be from the first moment; only the picture takes its time. Nothing moves for who wants no motion. */
import type { Point } from './geometry.ts';

const GLIDE_MS = 250;
const APPEAR_MS = 200;
const UNPAINTED_MS = 300;

const isStill = () => document.hidden || matchMedia('(prefers-reduced-motion: reduce)').matches;

/* What was just changed is on the screen; a page in the background paints nothing, and waits for nothing. */
export const painted = () =>
	new Promise<void>((done) => {
		requestAnimationFrame(() => setTimeout(done));
		setTimeout(done, UNPAINTED_MS);
	});

/* It stands where it will be; the picture of it begins at `by` from there. */
export function glide(element: HTMLElement, by: Point): void {
	if (!isStill()) element.animate([{ translate: `${by.x}px ${by.y}px` }, { translate: '0 0' }], { duration: GLIDE_MS, easing: 'ease-out' });
}

export function appear(element: HTMLElement): void {
	if (!isStill()) element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: APPEAR_MS });
}

/* Call it before the element is taken away: a picture of it, which nobody can reach, goes in its place. */
export function vanish(element: HTMLElement): void {
	const parent = element.parentElement;
	if (!parent || isStill()) return;
	const picture = element.cloneNode(true) as HTMLElement;
	for (const one of [picture, ...picture.querySelectorAll('*')])
		for (const name of ['id', 'data-id', 'data-edge', 'role', 'tabindex', 'aria-label', 'aria-describedby', 'data-toggle']) one.removeAttribute(name);
	picture.ariaHidden = 'true';
	picture.inert = true;
	picture.style.pointerEvents = 'none';
	parent.append(picture);
	const end = () => picture.remove();
	picture.animate([{ opacity: 1 }, { opacity: 0 }], { duration: APPEAR_MS }).finished.then(end, end);
}
