/* The resources of the app `tenon` (docs/daemon.md), as this page reads them. */

export interface Status {
	version: string;
	pid: number;
	startedAt: string;
	uptimeMs: number;
	state: 'listening' | 'off' | 'error';
	reason: string | null;
	mcpEnabled: boolean;
	http: {
		url: string;
		address: string;
		port: number;
		wantedPort: number;
		exposure: 'loopback' | 'remote';
	};
	bridge: { port: number };
	token: { policy: 'rotating' | 'fixed'; since: string };
	apps: { name: string; title: string; enabled: boolean; tools: number; resources: number }[];
	clients: number;
	calls: { total: number; errors: number; inFlight: number; perSecond: number };
	latency: { p50Ms: number | null; p99Ms: number | null };
	handles: number;
	approvals: number;
	memoryBytes: number;
	files: Record<'config' | 'policy' | 'manifest' | 'log' | 'audit', string>;
}

export interface Client {
	id: string;
	name: string;
	version: string | null;
	transport: string;
	revision: string | null;
	person: boolean;
	apps: string[] | null;
	fit: string;
	fitBy: string;
	pid: number | null;
	connectedAt: string;
	lastCallAt: string | null;
	lastCall: string | null;
	calls: number;
	inFlight: number;
}

export interface ToolCount {
	name: string;
	app: string;
	calls: number;
	errors: number;
	p50Ms: number | null;
	p99Ms: number | null;
	lastAt: string | null;
}

export interface RecentCall {
	time: string;
	client: string;
	person: boolean;
	method: string;
	name: string | null;
	outcome: string;
	ms: number;
	bytes: number;
}

export interface Calls {
	perSecond: number[];
	tools: ToolCount[];
	recent: RecentCall[];
}

export interface Handle {
	id: string;
	kind: string;
	app: string;
	title: string | null;
	createdAt: string;
	usedAt: string;
	expiresAt: string | null;
	bytes: number;
}

export interface Approval {
	id: string;
	tool: string;
	app: string;
	act: string;
	summary: string;
	detail: string;
	digest: string;
	client: string;
	createdAt: string;
	expiresAt: string;
	state: 'pending' | 'approved' | 'denied' | 'expired' | 'used';
	decidedBy: string | null;
	rule: string | null;
	/** What an approval is called where it is not "approve once". */
	once?: string;
	/** What an approval that lasts would allow; the same words as `once` when each does. */
	lasting?: string;
}

export interface AuditEntry {
	time: string;
	client: string;
	person: boolean;
	tool: string;
	digest: string | null;
	outcome: string;
	ms: number;
	consent: string | null;
}

export interface LogLine {
	time: string;
	level: string;
	area: string;
	message: string;
	[more: string]: unknown;
}

export interface Setting {
	key: string;
	value: unknown;
	default: unknown;
	source: 'default' | 'file' | 'environment' | 'flag';
	type: 'boolean' | 'integer' | 'string' | 'list';
	description: string;
	restart: boolean;
	minimum?: number;
	maximum?: number;
	values?: string[];
}

export interface Settings {
	path: string;
	settings: Setting[];
}

export interface Policy {
	path: string;
	text: string;
	problem: string | null;
}

export interface Host {
	id: string;
	name: string;
	path: string;
	format: 'json' | 'toml';
	snippet: string;
	httpSnippet: string | null;
	steps: string[];
}

export const uri = {
	status: 'tenon://status',
	clients: 'tenon://clients',
	calls: 'tenon://calls',
	handles: 'tenon://handles',
	approvals: 'tenon://approvals',
	audit: 'tenon://audit',
	logs: 'tenon://logs',
	settings: 'tenon://settings',
	policy: 'tenon://policy',
	hosts: 'tenon://hosts',
	plans: 'plan://plans',
} as const;
