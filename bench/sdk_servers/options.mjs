// options.mjs - the command line and the listener that both SDK servers have.
import process from 'node:process';

export function options() {
	const [way, flag, count] = process.argv.slice(2);
	if (!['stdio', 'http'].includes(way) || (flag !== undefined && flag !== '--tools')) {
		process.stderr.write('usage: node SERVER stdio|http [--tools N]\n');
		process.exit(2);
	}
	return { way, tools: Number(count ?? 0) };
}

export function listen(server) {
	server.listen(0, '127.0.0.1', () => {
		process.stderr.write(`listening on http://127.0.0.1:${server.address().port}/mcp\n`);
	});
	process.on('SIGTERM', () => process.exit(0));
}
