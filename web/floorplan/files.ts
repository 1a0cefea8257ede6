/* Files of a plan, made by the daemon and saved by the browser. */
import type { JsonObject, ToolResult } from '../kit/mcp.ts';

export interface Kind {
	id: string;
	tool: string;
	args: JsonObject;
	suffix: string;
	mime: string;
}

const exported = (id: string, suffix: string, mime: string): Kind => ({
	id,
	tool: 'export_floorplan',
	args: { format: id },
	suffix,
	mime,
});

export const kinds: Kind[] = [
	{
		id: 'png',
		tool: 'render_floorplan',
		args: { format: 'png', width: 2000, height: 1500 },
		suffix: 'png',
		mime: 'image/png',
	},
	{
		id: 'svg',
		tool: 'render_floorplan',
		args: { format: 'svg', width: 1200, height: 900 },
		suffix: 'svg',
		mime: 'image/svg+xml',
	},
	{
		id: 'space',
		tool: 'render_floorplan',
		args: { format: '3d-png', renderAllFloors: true, width: 2000, height: 1500 },
		suffix: '3d.png',
		mime: 'image/png',
	},
	exported('pdf', 'pdf', 'application/pdf'),
	exported('dxf', 'dxf', 'application/dxf'),
	exported('json', 'json', 'application/json'),
	exported('csv', 'csv', 'text/csv'),
	exported('canonical', 'floorplan', 'text/plain'),
];

/* What a result has to save: a file in base64, a text of its own before the facts, or the text among the
 * facts. null: nothing. */
export function contentOf(kind: Kind, result: ToolResult): Blob | null {
	const file = result.files[0];
	if (file) return new Blob([Uint8Array.from(atob(file.base64), (c) => c.charCodeAt(0))], { type: kind.mime });
	if (kind.id === 'svg') {
		const end = result.text.indexOf('</svg>');
		return end < 0 ? null : new Blob([result.text.slice(0, end + 6), '\n'], { type: kind.mime });
	}
	const facts = result.structured ?? {};
	const first = result.texts[0];
	const own = result.texts.length > 1 ? first : (facts.dsl ?? facts.text ?? facts.content ?? facts.csv ?? facts.json);
	if (own === undefined || own === null) return null;
	return new Blob([typeof own === 'string' ? own : JSON.stringify(own, null, 2) + '\n'], { type: kind.mime });
}

export function save(name: string, content: Blob): void {
	const anchor = document.createElement('a');
	anchor.href = URL.createObjectURL(content);
	anchor.download = name;
	anchor.click();
	setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

/* "plan" or what its file or title is called, without anything that a file system would mind. */
export function baseName(path: string | null, title: string | null): string {
	const last = path?.split('/').at(-1)?.replace(/\.[^.]*$/, '');
	return (last || title || 'plan').replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|-+$/g, '').slice(0, 80) || 'plan';
}
