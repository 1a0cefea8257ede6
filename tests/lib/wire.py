"""wire.py - a server of ours for the length of a test, and bytes to it as they are: HTTP, WebSocket, lines."""
import base64
import hashlib
import json
import os
import re
import signal
import socket
import subprocess
import urllib.parse

import check

BUILD = os.environ.get("TENON_BUILD", "build")
WAIT_S = 30
JSON = "application/json"
BOTH = "application/json, text/event-stream"
MODERN = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {}}


def request(number, method, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def initialize(number=1, version="2025-06-18", **capabilities):
    return request(number, "initialize", protocolVersion=version, capabilities=capabilities,
                   clientInfo={"name": "wire", "version": "1"})


INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def modern(number, method, **params):
    return request(number, method, _meta=MODERN, **params)


class Server:
    """conformance-server with these options; `http` is its host:port, `path` its Unix socket."""

    def __init__(self, *options, program="conformance-server"):
        command = [os.path.join(BUILD, program), *options]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE)
        self.url, self.http = None, None
        ways = sum(option in ("--http", "--unix") for option in options)
        for _ in range(ways):
            line = self.process.stderr.readline().decode()
            if line.startswith("token "):
                line = self.process.stderr.readline().decode()
            found = re.match(r"listening on (\S+)", line)
            check.need(found, f"the server did not start: {line}")
            if found.group(1).startswith("http"):
                self.url = found.group(1)
                self.http = urllib.parse.urlsplit(self.url).netloc

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self.process.poll() is None:
            code = self.stop()
            check.need(kind is not None or code == 0, f"the server ended with {code}")

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        try:
            return self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "no end"


def refused(*options):
    """What the server says when it does not start."""
    done = subprocess.run([os.path.join(BUILD, "conformance-server"), *options], timeout=WAIT_S,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    check.need(done.returncode in (1, 2), f"ended with {done.returncode}")
    return done.stderr.decode()


class Answer:
    def __init__(self, status, headers, body=b""):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)

    def expect(self, status, words="", code=None):
        check.need(self.status == status, f"{self.status} {self.body[:200]!r}, not {status}")
        if words:
            check.need(words in self.json()["error"]["message"], f"{self.body!r} says not {words!r}")
        if code:
            check.need(self.json()["error"]["code"] == code, f"{self.body!r} has not {code}")
        return self


class Wire:
    """One connection."""

    def __init__(self, server):
        host, port = server.http.rsplit(":", 1)
        self.host = server.http
        self.socket = socket.create_connection((host, int(port)), timeout=WAIT_S)
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def fill(self):
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError:
            data = b""
        self.buffer += data
        return bool(data)

    def until(self, mark):
        while mark not in self.buffer:
            check.need(self.fill(), f"the connection ended after {self.buffer[:200]!r}")
        part, self.buffer = self.buffer.split(mark, 1)
        return part

    def exactly(self, size):
        while len(self.buffer) < size:
            check.need(self.fill(), f"the connection ended after {self.buffer[:200]!r}")
        part, self.buffer = self.buffer[:size], self.buffer[size:]
        return part

    def is_over(self):
        """The server says nothing more and closes."""
        while self.fill():
            pass
        return self.buffer == b""

    # ---- HTTP ----

    def ask(self, method, target, body=None, **headers):
        """Sends a request; a header given as None is left out. Returns the head of the answer."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode() if body else b""
        every = {"Host": self.host}
        if method == "POST":
            every |= {"Content-Type": JSON, "Accept": BOTH}
        if method == "POST" or data:
            every["Content-Length"] = str(len(data))
        every |= {name.replace("_", "-"): value for name, value in headers.items()}
        text = f"{method} {target} HTTP/1.1\r\n"
        text += "".join(f"{name}: {value}\r\n" for name, value in every.items() if value is not None)
        self.socket.sendall((text + "\r\n").encode("latin-1") + data)
        lines = self.until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        found = {}
        for line in lines[1:]:
            name, value = line.split(":", 1)
            found[name.lower()] = value.strip()
        return Answer(int(lines[0].split(" ")[1]), found)

    def call(self, method, target, body=None, **headers):
        """The same, with the whole body."""
        answer = self.ask(method, target, body, **headers)
        if answer.headers.get("transfer-encoding") == "chunked":
            while True:
                piece = self.chunk()
                answer.body += piece
                if not piece:
                    return answer
        answer.body = self.exactly(int(answer.headers.get("content-length", 0)))
        return answer

    def chunk(self):
        piece = self.exactly(int(self.until(b"\r\n"), 16))
        check.need(self.exactly(2) == b"\r\n", "a chunk without its end")
        return piece

    def event(self):
        """The next event of a stream: its name and data; None for a comment, False at the end."""
        piece = self.chunk()
        if not piece:
            return False
        if piece.startswith(b":"):
            return None
        fields = dict(line.split(": ", 1) for line in piece.decode().strip().split("\n"))
        return fields.get("event"), fields["data"]

    def message(self):
        """The next message of a stream."""
        while True:
            event = self.event()
            check.need(event is not False, "the stream ended")
            if event:
                check.need(event[0] == "message", f"event {event}")
                return json.loads(event[1])

    # ---- WebSocket (RFC 6455) ----

    def upgrade(self, target="/ws", **headers):
        key = base64.b64encode(os.urandom(16)).decode()
        every = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                 "Sec-WebSocket-Key": key, "Sec-WebSocket-Protocol": "mcp"}
        every |= {name.replace("_", "-"): value for name, value in headers.items()}
        answer = self.ask("GET", target, **every)
        if answer.status == 101:
            proof = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
            check.need(answer.headers["sec-websocket-accept"] == base64.b64encode(proof).decode(),
                       "Sec-WebSocket-Accept")
        else:
            answer.body = self.exactly(int(answer.headers.get("content-length", 0)))
        return answer

    def frame(self, kind, data, last=True, masked=True):
        head = bytes([(0x80 if last else 0) | kind])
        mask = 0x80 if masked else 0
        size = len(data)
        if size < 126:
            head += bytes([mask | size])
        elif size < 65536:
            head += bytes([mask | 126]) + size.to_bytes(2, "big")
        else:
            head += bytes([mask | 127]) + size.to_bytes(8, "big")
        try:  # a mask of zeros is a mask
            self.socket.sendall(head + (b"\0\0\0\0" if masked else b"") + data)
        except (BrokenPipeError, ConnectionResetError):
            pass  # refused before everything was sent

    def say(self, message):
        self.frame(1, json.dumps(message).encode())

    def read_frame(self):
        kind, size = self.exactly(2)
        check.need(kind & 0x80 and not size & 0x80, "a frame of the server is whole and not masked")
        if size == 126:
            size = int.from_bytes(self.exactly(2), "big")
        elif size == 127:
            size = int.from_bytes(self.exactly(8), "big")
        return kind & 15, self.exactly(size)

    def hear(self):
        kind, data = self.read_frame()
        check.need(kind == 1, f"a frame of kind {kind}: {data[:100]!r}")
        return json.loads(data)

    def close_code(self):
        kind, data = self.read_frame()
        check.need(kind == 8, f"a frame of kind {kind}: {data[:100]!r}")
        return int.from_bytes(data[:2], "big")


class Lines:
    """One connection to a Unix socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(WAIT_S)
        self.socket.connect(path)
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def say(self, message):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        try:
            self.socket.sendall(data + b"\n")
        except (BrokenPipeError, ConnectionResetError):
            pass

    def hear(self):
        """The next message; None at the end."""
        while b"\n" not in self.buffer:
            try:
                data = self.socket.recv(65536)
            except ConnectionResetError:
                data = b""
            if not data:
                return None
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line)
