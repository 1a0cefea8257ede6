/* The colours of families, plan actions and lines, as the daemon has them for its own pictures (studio://look): page, PNG
 * and SVG agree. They become one constructed style sheet. */
import { link } from '../kit/link.svelte.ts';

interface Theme {
	families: Record<string, string>[];
	notes: Record<string, Record<string, string>>;
	actions: Record<string, string>;
	statuses: Record<string, string>;
	edges: Record<string, string>;
	[name: string]: unknown;
}

const isColour = (text: unknown): text is string => typeof text === 'string' && /^#[0-9a-f]{6}([0-9a-f]{2})?$/i.test(text);
const isName = (text: string) => /^[a-zA-Z-]{1,24}$/.test(text);
const block = (prefix: string, colours: Record<string, unknown> | undefined) =>
	Object.entries(colours ?? {}).filter(([name, value]) => isName(name) && isColour(value)).map(([name, value]) => `--${prefix}${name}:${value as string};`).join('');

function rules(theme: Theme, scope: string): string {
	const each = (what: string, prefix: string, all: object) => Object.entries(all).map(([name, one]) => `${scope} [data-${what}='${CSS.escape(name)}']{${block(prefix, one)}}`);
	const actions = Object.entries(theme.actions ?? {}).filter(([name, value]) => isName(name) && isColour(value)).map(([name, value]) => `${scope} [data-plan='${name}']{--plan:${value};}`);
	const plain = Object.fromEntries(Object.entries(theme).filter(([, value]) => isColour(value)));
	return [`${scope}{${block('look-', plain)}${block('wire-', theme.edges)}${block('status-', theme.statuses)}}`, ...each('family', 'family-', theme.families), ...each('note', 'look-', theme.notes), ...actions].join('\n');
}

let loaded: Promise<void> | null = null;

/* Once; a failed reading is tried again when the page is opened again. */
export function wear(): void {
	loaded ??= link.client
		.read('studio://look')
		.then((text) => {
			const all = JSON.parse(text) as { light: Theme; dark: Theme };
			const sheet = new CSSStyleSheet();
			sheet.replaceSync(rules(all.light, '.studio') + '\n' + rules(all.dark, ":root[data-theme='dark'] .studio"));
			document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
		})
		.catch(() => void (loaded = null));
}
