/* The picture as elements of the page. It comes from our own daemon, but with words of a plan in it: so
 * only elements and attributes that draw are taken over, and nothing that could act or load. */
const NS = 'http://www.w3.org/2000/svg';

const ELEMENTS = new Set(
	`svg g path rect line polyline polygon circle ellipse text tspan title desc defs use clipPath pattern`.split(' '),
);
const ATTRIBUTES = new Set(
	`aria-label clip-path clip-rule clipPathUnits cx cy d dominant-baseline dx dy fill fill-opacity
	fill-rule font-family font-size font-style font-weight height id lengthAdjust letter-spacing
	opacity paint-order patternTransform patternUnits points r role rx ry stroke stroke-dasharray
	stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width
	text-anchor textLength transform viewBox width x x1 x2 xml:space y y1 y2
	data-room data-line data-floor data-key data-name data-kind`.split(/\s+/),
);

/* Names of two pictures in one page must not meet. */
const named = (value: string, prefix: string) => value.replace(/url\(#([\w-]+)\)/g, `url(#${prefix}$1)`);

function copy(from: Element, prefix: string): Element | null {
	if (from.namespaceURI !== NS || !ELEMENTS.has(from.localName)) return null;
	const to = document.createElementNS(NS, from.localName);
	for (const { name, value } of from.attributes) {
		if (name === 'id') to.setAttribute('id', prefix + value);
		else if (name === 'href' && /^#[\w-]+$/.test(value)) to.setAttribute('href', '#' + prefix + value.slice(1));
		else if (ATTRIBUTES.has(name)) to.setAttribute(name, named(value, prefix));
	}
	for (const child of from.childNodes) {
		if (child.nodeType === Node.TEXT_NODE) to.append(child.textContent ?? '');
		const element = child instanceof Element ? copy(child, prefix) : null;
		if (element) to.append(element);
	}
	return to;
}

/* null: it is no picture. Recursion is as deep as the picture's groups, which is a handful. */
export function pictureElement(svg: string, prefix: string): SVGSVGElement | null {
	const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
	const made = copy(parsed, prefix);
	if (!(made instanceof SVGSVGElement)) return null;
	// A title of the whole would be a tooltip everywhere; the frame around it has a name.
	for (const child of [...made.children]) if (child.localName === 'title' || child.localName === 'desc') child.remove();
	made.removeAttribute('role');
	made.setAttribute('aria-hidden', 'true');
	return made;
}
