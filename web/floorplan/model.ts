/* What the floorplan tools answer, as far as this page reads it (contracts/floorplan.md 5.1, 7). */
import type { JsonObject, McpClient } from '../kit/mcp.ts';
import { McpError } from '../kit/mcp.ts';

export const uris = {
	document: (id: string) => `floorplan://document/${id}`,
} as const;

export interface PlanDocument {
	document: string;
	revision: number;
	dsl: string;
	path: string | null;
	changed: boolean;
	canUndo: boolean;
	canRedo: boolean;
}

export async function readDocument(client: McpClient, id: string): Promise<PlanDocument> {
	const { text, meta } = await client.readWithMeta(uris.document(id));
	return { ...(meta as unknown as PlanDocument), dsl: text };
}

export type Severity = 'error' | 'warning' | 'info';

export interface Diagnostic {
	code: string;
	severity: Severity;
	message: string;
	line: number;
	column: number;
	endLine?: number;
	endColumn?: number;
	hint?: string;
	roomName?: string;
	floor?: string;
	fix?: JsonObject; // an operation of modify_floorplan that puts it right
}

export interface Findings {
	valid: boolean;
	errors: Diagnostic[];
	warnings: Diagnostic[];
	infos: Diagnostic[];
	truncated?: boolean;
	counts?: { errors: number; warnings: number; infos: number };
}

export interface Point {
	x: number;
	y: number;
}
export interface Extent {
	width: number;
	height: number;
}

export interface Room {
	name: string;
	floor: string;
	position: Point;
	resolvedPosition: Point;
	size: Extent;
	label?: string;
	area?: number;
	line: number;
	relativePosition?: { direction: string; reference: string };
	subRooms?: Room[];
}

export interface Transform {
	floor: string;
	scale: number;
	x0: number;
	y0: number;
}

export interface Opening {
	line: number;
	floor: string;
	orientation: 'horizontal' | 'vertical';
	wallLine: number;
	center: number;
	width: number;
}

export interface Rendered {
	image: { width: number; height: number; transforms: Transform[] };
	unit: string;
	areaUnit: string;
	title: string | null;
	floorCount: number;
	renderedFloors: string[];
	rooms: Room[];
	openings?: Opening[];
	summary?: { totalRoomCount: number; grossFloorArea: number; areaUnit: string };
	revision?: number;
}

export interface Picture {
	svg: string;
	facts: Rendered;
}

/* The picture is the first part of the answer, its facts the second (7.2). A label in the facts may
 * say "</svg>"; in the picture it cannot. */
export async function render(client: McpClient, args: JsonObject): Promise<Picture> {
	const result = await client.call('render_floorplan', { ...args, format: 'svg' });
	const end = result.text.indexOf('</svg>');
	if (end < 0 || !result.structured) throw new McpError('NO_PICTURE', 'The answer has no picture.');
	return {
		svg: result.text.slice(0, end + '</svg>'.length),
		facts: result.structured as unknown as Rendered,
	};
}

export async function validate(client: McpClient, args: JsonObject): Promise<Findings> {
	return (await client.call('validate_floorplan', args)).structured as unknown as Findings;
}

export async function open(client: McpClient, args: JsonObject): Promise<string> {
	return String((await client.call('open_floorplan', args)).structured?.document);
}

export function everything(findings: Findings): Diagnostic[] {
	const all = [...findings.errors, ...findings.warnings, ...findings.infos];
	return all.sort((a, b) => a.line - b.line || a.column - b.column);
}

/* ---- names of the language (L5, L10) ---- */

export interface Names {
	rooms: string[];
	floors: string[];
	styles: string[];
	sizes: string[];
	circulation: string[]; // stairs and lifts
}

/* Also of text that does not parse: it is what somebody is typing. */
export function namesIn(text: string): Names {
	const plain = text.replace(/\/\*[\s\S]*?(\*\/|$)|#[^\n"']*(?=\n|$)|"[^"]*"|'[^']*'/g, ' ');
	const after = (words: string) => [
		...new Set([...plain.matchAll(new RegExp(`\\b(?:${words})\\s+([A-Za-z_]\\w*)`, 'g'))].map((m) => m[1] ?? '')),
	];
	return {
		rooms: after('sub-room|room'),
		floors: after('floor'),
		styles: [...new Set([...plain.matchAll(/\bstyle\s+([A-Za-z_]\w*)\s*\{/g)].map((m) => m[1] ?? ''))],
		sizes: after('define'),
		circulation: after('stair|lift'),
	};
}

const STATEMENT = /^\s*(floor|room|sub-room|stair|lift|connect|vertical|define|config|style\s+\w+\s*\{|[}\]]|$)/;

/* The line on which what stands on `line` begins: of a room that is written over several lines, its
 * first. 0: nothing that could be drawn. */
export function statementLine(lines: readonly string[], line: number): number {
	for (let at = line; at >= 1; at--) {
		const text = lines[at - 1] ?? '';
		if (/^\s*#/.test(text) && at !== line) continue;
		const found = STATEMENT.exec(text);
		if (found) return /^(room|sub-room|stair|lift|connect)/.test(found[1] ?? '') ? at : 0;
	}
	return 0;
}
