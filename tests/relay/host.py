"""host.py - both ends of a relay, for tests: an AI host's pipe, and a bridge that does as it is told."""
import base64
import hashlib
import json
import os
import select
import socket
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import daemon  # noqa: E402
import wire  # noqa: E402

PATIENCE_S = 20
TOKEN = "relay-relay-relay-relay"
LOST, FAILED = "BRIDGE_DISCONNECTED", "SERVER_FAILED"


class Relay:
    """`tenon mcp APPS` in this environment, and the host's end of its pipes."""

    def __init__(self, env, *apps, host=()):
        """`host`: a command that starts the relay, in our place."""
        self.process = subprocess.Popen([*host, daemon.TENON, "mcp", *apps], env=env, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                pipe.close()
            except BrokenPipeError:
                pass

    def say(self, *messages):
        self.send("".join(json.dumps(m) + "\n" for m in messages).encode())

    def send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def line(self, seconds=PATIENCE_S):
        """One line, or None: nothing came, or the end did."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                return None
            data = os.read(self.process.stdout.fileno(), 1 << 20)
            if not data:
                return None
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line

    def hear(self, seconds=PATIENCE_S):
        line = self.line(seconds)
        check.need(line is not None, f"nothing within {seconds} s")
        return json.loads(line)

    def answer(self, number, seconds=PATIENCE_S, others=None):
        """The answer with this id; what comes before it goes to `others`."""
        deadline = time.monotonic() + seconds
        while True:
            message = self.hear(max(0, deadline - time.monotonic()))
            if message.get("id") == number and "method" not in message:
                return message
            if others is not None:
                others.append(message)

    def is_silent(self, seconds=0.3):
        return self.line(seconds) is None

    def initialize(self, version="2025-06-18", **capabilities):
        self.say(wire.initialize(0, version, **capabilities))
        result = self.answer(0)["result"]
        self.say(wire.INITIALIZED)
        return result

    def end(self, seconds=PATIENCE_S):
        """Closes its input; the exit code."""
        self.process.stdin.close()
        return self.process.wait(seconds)

    def complaint(self):
        return self.process.stderr.read().decode()


def fault_of(message, version):
    """The shared error of an answer, checked for the form that its revision knows."""
    if "error" in message:
        check.need(message["error"]["code"] == -32603, message)
        return message["error"]["data"]
    result = message["result"]
    check.need(result["isError"] is True, result)
    text = result["content"][0]["text"]
    if version >= "2025-06-18":
        fault = result["structuredContent"]
        # The relay, which knows no tools, repeats the object; the daemon says the sentence.
        check.need(text == fault["message"] or json.loads(text) == fault, result)
    else:
        fault = json.loads(text)
        check.need("structuredContent" not in result, result)
    check.need(("resultType" in result) == (version >= "2026"), result)
    return fault


class Bridge:
    """A listener in the daemon's place. `port`: 0 for any."""

    def __init__(self, port=0):
        self.listener = socket.create_server(("127.0.0.1", port))
        self.port = self.listener.getsockname()[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()

    def environment(self, home):
        return home.env | {"TENON_BRIDGE_PORT": str(self.port), "TENON_BRIDGE_TOKEN": TOKEN}

    def write_discovery(self, home, pid=None, token=TOKEN):
        os.makedirs(home.path("run", "tenon"), mode=0o700, exist_ok=True)
        found = {"schemaVersion": 1, "pid": pid or os.getpid(), "version": "0", "startedAt": "now",
                 "url": "http://127.0.0.1:1", "httpPort": 1, "bridgePort": self.port, "token": token}
        with open(home.runtime("tenond.json.new"), "w", encoding="utf-8") as file:
            json.dump(found, file)
        os.rename(home.runtime("tenond.json.new"), home.runtime("tenond.json"))

    def accept(self, seconds=PATIENCE_S):
        self.listener.settimeout(seconds)
        return Connection(self.listener.accept()[0])

    def open(self, seconds=PATIENCE_S):
        connection = self.accept(seconds)
        connection.agree()
        return connection


class Connection:
    """One relay's, from the server's side."""

    def __init__(self, connected):
        self.socket = connected
        self.socket.settimeout(PATIENCE_S)
        self.buffer = b""
        head = self.until(b"\r\n\r\n").decode().split("\r\n")
        self.target = head[0].split(" ")[1]
        self.headers = {line.split(":", 1)[0].lower(): line.split(":", 1)[1].strip() for line in head[1:]}

    def fill(self):
        data = self.socket.recv(1 << 16)
        check.need(data, "the relay has closed the connection")
        self.buffer += data

    def until(self, mark):
        while mark not in self.buffer:
            self.fill()
        part, self.buffer = self.buffer.split(mark, 1)
        return part

    def exactly(self, size):
        while len(self.buffer) < size:
            self.fill()
        part, self.buffer = self.buffer[:size], self.buffer[size:]
        return part

    def agree(self):
        key = self.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        self.socket.sendall(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                             "Connection: Upgrade\r\nSec-WebSocket-Protocol: mcp\r\n"
                             f"Sec-WebSocket-Accept: {accept}\r\n\r\n").encode())

    def refuse(self, status, message):
        body = json.dumps({"jsonrpc": "2.0", "error": {"code": -32600, "message": message}})
        self.socket.sendall(f"HTTP/1.1 {status} No\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())

    def frame(self):
        first, second = self.exactly(2)
        size = second & 0x7F
        if size == 126:
            size = struct.unpack(">H", self.exactly(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", self.exactly(8))[0]
        check.need(second & 0x80, "not masked")
        mask, data = self.exactly(4), self.exactly(size)
        return first & 15, bytes(b ^ mask[i & 3] for i, b in enumerate(data))

    def hear(self):
        opcode, data = self.frame()
        check.need(opcode == 1, f"a frame of kind {opcode}: {data!r}")
        return json.loads(data)

    def say(self, message):
        data = (message if isinstance(message, str) else json.dumps(message)).encode()
        head = bytes([0x81])
        if len(data) < 126:
            head += bytes([len(data)])
        elif len(data) < 65536:
            head += bytes([126]) + struct.pack(">H", len(data))
        else:
            head += bytes([127]) + struct.pack(">Q", len(data))
        self.socket.sendall(head + data)

    def result(self, number, **result):
        self.say({"jsonrpc": "2.0", "id": number, "result": result})

    def initialize(self, version="2025-06-18", **more):
        """Answers a host's, or a relay's, initialize; returns it."""
        asked = self.hear()
        check.need(asked["method"] == "initialize", asked)
        self.result(asked["id"], protocolVersion=version, serverInfo={"name": "b", "version": "1"},
                    capabilities={"tools": {"listChanged": True}, "resources": {"subscribe": True}}, **more)
        return asked

    def goodbye(self, code=1001):
        self.socket.sendall(bytes([0x88, 2]) + struct.pack(">H", code))
        self.socket.close()

    def drop(self):
        """As when a process is killed."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


def call(number, **arguments):
    return wire.request(number, "tools/call", name="t", arguments=arguments)


def joined(bridge, home, version="2025-06-18"):
    """A relay with a legacy conversation under way, and the bridge's side of it."""
    relay = Relay(bridge.environment(home))
    relay.say(wire.initialize(0, version, elicitation={}), wire.INITIALIZED)
    connection = bridge.open()
    connection.initialize(version)
    check.need(connection.hear()["method"] == "notifications/initialized", "initialized")
    relay.answer(0)
    return relay, connection
