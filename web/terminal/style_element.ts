/* What xterm.js makes in place of <style> here (vite.config.ts puts the name into it): its rules as a
 * constructed style sheet. The policy of the page allows no style that stands in the page itself,
 * and what scripts construct is none. */
class TenonStyle extends HTMLElement {
	#sheet = new CSSStyleSheet();

	override set textContent(rules: string) {
		this.#sheet.replaceSync(rules);
	}
	connectedCallback(): void {
		document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.#sheet];
	}
	disconnectedCallback(): void {
		document.adoptedStyleSheets = document.adoptedStyleSheets.filter((s) => s !== this.#sheet);
	}
}

customElements.define('tenon-style', TenonStyle);
