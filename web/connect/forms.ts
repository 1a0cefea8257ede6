/* The three forms of connection data of workbench.md T11. */
export function oneLine(url: string, token: string): string {
	return `${url}/mcp#bearer=${token}`;
}

export function json(url: string, token: string): string {
	return JSON.stringify(
		{ type: 'http', url: `${url}/mcp`, headers: { Authorization: `Bearer ${token}` } },
		null,
		2,
	);
}

export function environment(url: string, token: string): string {
	return `export TENON_URL=${url}/mcp\nexport TENON_TOKEN=${token}`;
}
