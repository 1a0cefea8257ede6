// host.mjs - a host that an adapter believes: pages with the bootstrap block, and the channel of skaffa-rt.v0. It speaks as
// the contract says (workbench.md section 11), keeps what it is told, and says what a test wants it to say.
import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const MESSAGE_MAX = 1024 * 1024; // bytes, as the real one

// One WebSocket connection, as far as text goes (RFC 6455).
class Connection {
	#socket;
	#rest = Buffer.alloc(0);
	#parts = [];
	onmessage = () => {};
	onclose = () => {};

	constructor(socket) {
		this.#socket = socket;
		socket.on('data', (data) => this.#read(data));
		socket.on('error', () => {});
		socket.on('close', () => this.onclose());
	}

	#read(data) {
		this.#rest = Buffer.concat([this.#rest, data]);
		for (let frame = this.#frame(); frame; frame = this.#frame()) this.#take(frame);
	}

	#frame() {
		const bytes = this.#rest;
		if (bytes.length < 2) return null;
		let length = bytes[1] & 127;
		let at = 2;
		if (length === 126) [length, at] = [bytes.length < 4 ? Infinity : bytes.readUInt16BE(2), 4];
		else if (length === 127) [length, at] = [bytes.length < 10 ? Infinity : Number(bytes.readBigUInt64BE(2)), 10];
		if (bytes.length < at + 4 + length) return null;
		const mask = bytes.subarray(at, at + 4);
		const payload = Buffer.from(bytes.subarray(at + 4, at + 4 + length));
		for (let i = 0; i < payload.length; i++) payload[i] ^= mask[i & 3];
		this.#rest = bytes.subarray(at + 4 + length);
		return { last: (bytes[0] & 128) !== 0, kind: bytes[0] & 15, payload };
	}

	#take({ last, kind, payload }) {
		if (kind === 8) {
			this.close(1000);
		} else if (kind <= 2) {
			this.#parts.push(payload);
			if (last) this.onmessage(Buffer.concat(this.#parts.splice(0)).toString('utf8'));
		}
	}

	#write(kind, payload) {
		const { length } = payload;
		const head = length < 126 ? Buffer.from([128 | kind, length])
			: length < 65536 ? Buffer.from([128 | kind, 126, length >> 8, length & 255])
				: Buffer.concat([Buffer.from([128 | kind, 127]), (() => {
					const eight = Buffer.alloc(8);
					eight.writeBigUInt64BE(BigInt(length));
					return eight;
				})()]);
		if (this.#socket.writable) this.#socket.write(Buffer.concat([head, payload]));
	}

	send(text) {
		this.#write(1, Buffer.from(text));
	}

	close(code) {
		this.#write(8, Buffer.from([code >> 8, code & 255]));
		this.#socket.end();
	}

	drop() {
		this.#socket.destroy();
	}
}

export class FakeHost {
	sessionId = `session_${randomBytes(16).toString('hex')}`;
	key = randomBytes(16).toString('hex');
	messages = []; // all that came, with `connection`, and `bytes` of each
	faults = []; // what broke the contract
	connections = new Set();
	init = { mode: 'editor', initialOverrides: [], propDefaults: {} };
	answers = true; // whether a handshake is answered
	pages = new Map(); // path to [media type, text]
	#waiting = new Set();
	#server;

	async start(port = 0) {
		this.#server = createServer((request, response) => this.#serve(request, response));
		this.#server.on('upgrade', (request, socket) => this.#upgrade(request, socket));
		await new Promise((done) => this.#server.listen(port, '127.0.0.1', done));
		this.port = this.#server.address().port;
		this.origin = `http://127.0.0.1:${this.port}`;
		this.channelUrl = `ws://127.0.0.1:${this.port}/__skaffa/rt`;
		return this;
	}

	stop() {
		for (const connection of this.connections) connection.drop();
		this.#server.close();
		this.#server.closeAllConnections();
	}

	// What the gateway puts right after <head>.
	tags(adapterPath) {
		const block = JSON.stringify({ protocol: 'v0', sessionId: this.sessionId, channelUrl: this.channelUrl, key: this.key });
		return `<script type="application/json" id="skaffa-rt-config">${block}</script><script src="${adapterPath}"></script>`;
	}

	page(path, html, adapterPath) {
		const text = adapterPath ? html.replace(/<head[^>]*>/, (head) => head + this.tags(adapterPath)) : html;
		this.pages.set(path, ['text/html; charset=utf-8', text]);
	}

	script(path, text) {
		this.pages.set(path, ['text/javascript; charset=utf-8', text]);
	}

	#serve(request, response) {
		const [type, text] = this.pages.get(request.url.replace(/\?.*/, '')) ?? [];
		response.writeHead(type ? 200 : 404, { 'Content-Type': type ?? 'text/plain', 'Cache-Control': 'no-store' });
		response.end(text ?? 'nothing here');
	}

	#upgrade({ url, headers }, socket) {
		const accept = createHash('sha1').update(headers['sec-websocket-key'] + GUID).digest('base64');
		if (headers['sec-websocket-protocol'] !== 'skaffa-rt.v0' || url !== '/__skaffa/rt') return socket.destroy();
		socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
			`Sec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: skaffa-rt.v0\r\n\r\n`);
		const connection = new Connection(socket);
		connection.first = true;
		this.connections.add(connection);
		connection.onmessage = (text) => this.#message(connection, text);
		connection.onclose = () => this.connections.delete(connection);
	}

	#message(connection, text) {
		const bytes = Buffer.byteLength(text);
		if (bytes > MESSAGE_MAX) this.faults.push(`a message of ${bytes} bytes`);
		let message;
		try {
			message = JSON.parse(text);
		} catch {
			this.faults.push('a message that is not JSON');
			return;
		}
		if (connection.first) {
			connection.first = false;
			if (message.type !== 'runtime.ready') this.faults.push(`the first message is ${message.type}`);
			if (message.key !== this.key) return connection.close(4401);
			if (this.answers) this.sayInit(connection);
		}
		this.messages.push({ ...message, connection, bytes });
		for (const look of [...this.#waiting]) look();
	}

	sayInit(connection) {
		this.say({ type: 'host.init', sessionId: this.sessionId, protocol: 'v0', ...this.init }, connection);
	}

	// To one connection, or to all.
	say(message, connection) {
		const text = typeof message === 'string' ? message : JSON.stringify(message);
		for (const one of connection ? [connection] : this.connections) one.send(text);
	}

	apply(...ops) {
		this.say({ type: 'host.applyOverrides', sessionId: this.sessionId, ops });
	}

	mode(mode) {
		this.say({ type: 'host.setMode', sessionId: this.sessionId, mode });
	}

	// The next message (of those after `from`) that is of this type and fits; the time is in milliseconds.
	wait(type, fits = () => true, { from = 0, timeout = 8000 } = {}) {
		return new Promise((done, failed) => {
			const look = () => {
				const found = this.messages.slice(from).find((message) => message.type === type && fits(message));
				if (!found) return;
				end();
				done(found);
			};
			const timer = setTimeout(() => {
				end();
				const seen = this.messages.slice(from).map((m) => m.type).join(' ');
				failed(new Error(`no ${type} in ${timeout} ms; there was: ${seen || 'nothing'}`));
			}, timeout);
			const end = () => {
				clearTimeout(timer);
				this.#waiting.delete(look);
			};
			this.#waiting.add(look);
			look();
		});
	}

	get now() {
		return this.messages.length;
	}

	// What lives on the page, as it was reported since `from`.
	instances(from = 0) {
		const live = new Map();
		for (const message of this.messages.slice(from)) {
			if (message.type !== 'runtime.instances') continue;
			if (message.full) live.clear();
			for (const id of message.remove) live.delete(id);
			for (const one of message.upsert) live.set(one.instanceId, one);
		}
		return live;
	}
}
