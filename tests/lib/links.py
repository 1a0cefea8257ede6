"""links.py - MCP messages over every transport, for tests: stdio, Unix socket, WebSocket, HTTP, HTTP+SSE.

A link sends a message and hands out whatever comes, one message after the other. It knows what its
transport needs (sessions, endpoints, frames) and nothing of what a message means; talk.py does.
Python's own library only, so that a fault in ours cannot hide in another client of ours.
"""
import base64
import json
import os
import select
import signal
import socket
import subprocess
import time
import urllib.parse

READ_BYTES = 256 * 1024
CONNECT_S = 20


class Lost(Exception):
    """The connection is over, or the server refused it."""


# ---- bytes to messages ----


class Lines:
    def __init__(self):
        self.held = b""

    def feed(self, data):
        *lines, self.held = (self.held + data).split(b"\n")
        return [json.loads(line) for line in lines if line.strip()]


class Frames:
    """The server's half of a WebSocket after the handshake; `pong` sends a frame back."""

    def __init__(self, pong):
        self.held, self.text, self.pong = b"", b"", pong

    def frame(self):
        if len(self.held) < 2:
            return None
        first, size, head = self.held[0], self.held[1], 2
        if size & 0x80 or first & 0x70:
            raise Lost(f"a frame no server may send: {self.held[:2].hex()}")
        if size >= 126:
            head = 4 if size == 126 else 10
            if len(self.held) < head:
                return None
            size = int.from_bytes(self.held[2:head], "big")
        if len(self.held) < head + size:
            return None
        payload, self.held = self.held[head:head + size], self.held[head + size:]
        return first, payload

    def feed(self, data):
        self.held += data
        messages = []
        while frame := self.frame():
            first, payload = frame
            kind = first & 0x0F
            if kind == 8:
                code = int.from_bytes(payload[:2], "big")
                raise Lost(f"closed with {code} {payload[2:].decode(errors='replace')}")
            if kind == 9:
                self.pong(payload)
            elif kind in (0, 1):
                self.text += payload
                if first & 0x80:
                    messages.append(json.loads(self.text))
                    self.text = b""
            elif kind != 10:
                raise Lost(f"a frame of kind {kind}")
        return messages


def masked_frame(kind, payload):
    size = len(payload)
    head = bytes([0x80 | kind])
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 65536:
        head += bytes([0x80 | 126]) + size.to_bytes(2, "big")
    else:
        head += bytes([0x80 | 127]) + size.to_bytes(8, "big")
    mask = os.urandom(4)
    key = int.from_bytes(mask * (size // 4 + 1), "big") >> 8 * (4 * (size // 4 + 1) - size)
    return head + mask + (int.from_bytes(payload, "big") ^ key).to_bytes(size, "big")


class Answer:
    """One HTTP answer: its head, then a JSON body or events. `done` when it is complete."""

    def __init__(self, on_head=None):
        self.held, self.body, self.events = b"", b"", b""
        self.status, self.headers = 0, {}
        self.left, self.is_chunked, self.done = 0, False, False
        self.on_head, self.on_event = on_head, None

    def feed(self, data):
        self.held += data
        if not self.status and not self.parse_head():
            return []
        self.take_body()
        return self.messages()

    def parse_head(self):
        head, blank, rest = self.held.partition(b"\r\n\r\n")
        if not blank:
            return False
        first, *lines = head.decode("latin-1").split("\r\n")
        self.status = int(first.split(" ")[1])
        self.headers = {name.lower(): value.strip()
                        for name, _, value in (line.partition(":") for line in lines)}
        self.held = rest
        self.is_chunked = self.headers.get("transfer-encoding") == "chunked"
        self.left = int(self.headers.get("content-length", 0))
        if self.on_head:
            self.on_head(self)
        return True

    def take_body(self):
        if not self.is_chunked:
            piece, self.held = self.held[:self.left], self.held[self.left:]
            self.body += piece
            self.left -= len(piece)
            self.done = self.left == 0
            return
        while not self.done:
            line, end, rest = self.held.partition(b"\r\n")
            if not end:
                return
            size = int(line.split(b";")[0], 16)
            if len(rest) < size + 2:
                return
            self.body += rest[:size]
            self.held = rest[size + 2:]
            self.done = size == 0

    def is_stream(self):
        return self.headers.get("content-type", "").startswith("text/event-stream")

    def messages(self):
        if not self.is_stream():
            if not self.done or not self.body.startswith((b"{", b"[")):
                return []
            found = json.loads(self.body)
            self.body = b""
            return found if isinstance(found, list) else [found]
        *events, self.events = (self.events + self.body).replace(b"\r\n", b"\n").split(b"\n\n")
        self.body = b""
        found = []
        for event in events:
            fields = [line.partition(b": ") for line in event.split(b"\n") if not line.startswith(b":")]
            text = b"\n".join(value for name, _, value in fields if name == b"data")
            kinds = [value for name, _, value in fields if name == b"event"]
            if kinds and kinds[0] != b"message":
                self.on_event(kinds[0], text)
            elif text:
                found.append(json.loads(text))
        return found


# ---- links ----


class Channel:
    """A descriptor to read from and what makes messages of its bytes."""

    def __init__(self, fd, parser):
        self.fd, self.parser = fd, parser
        self.request = None  # HTTP: the id whose answer it brings

    def fileno(self):
        return self.fd if isinstance(self.fd, int) else self.fd.fileno()

    def read(self):
        if isinstance(self.fd, int):
            return os.read(self.fd, READ_BYTES)
        return self.fd.recv(READ_BYTES)


class Link:
    is_http = False

    def __init__(self):
        self.channels, self.queue = [], []

    def pump(self, timeout_s):
        """Reads what is there; False when nothing came in time."""
        ready, _, _ = select.select(self.channels, [], [], timeout_s)
        for channel in ready:
            try:
                data = channel.read()
            except OSError as error:
                data = b""
                why = str(error)
            else:
                why = "the server closed the connection"
            if not data:
                self.ended(channel, why)
            else:
                self.queue += channel.parser.feed(data)
                self.fed(channel)
        return bool(ready)

    def ended(self, channel, why):
        raise Lost(why)

    def fed(self, channel):
        pass

    def receive(self, timeout_s):
        """The next message; TimeoutError when none comes, Lost when none can come any more."""
        deadline = time.monotonic() + timeout_s
        while not self.queue:
            left = deadline - time.monotonic()
            if left <= 0 or not self.pump(left):
                raise TimeoutError
        return self.queue.pop(0)

    def abandon(self, number):
        """Nobody waits for this request any more. True: the transport has said so itself."""
        return False

    def hang_up(self):
        """Leaves without a word."""
        self.close()


class StreamLink(Link):
    """One connection for everything."""

    def __init__(self, fd, parser):
        super().__init__()
        self.fd = fd
        self.channels = [Channel(fd, parser)]

    def write(self, data):
        try:
            self.fd.sendall(data)
        except OSError as error:
            raise Lost(str(error)) from error

    def send(self, message, **_):
        self.write(json.dumps(message).encode() + b"\n")

    def close(self):
        self.fd.close()


class Unix(StreamLink):
    def __init__(self, path):
        fd = socket.socket(socket.AF_UNIX)
        try:
            fd.connect(path)
        except OSError as error:
            fd.close()
            raise Lost(str(error)) from error
        super().__init__(fd, Lines())


class Stdio(Link):
    """A server of one's own, as a child process."""

    def __init__(self, command, env=None, errors=subprocess.DEVNULL, folder=None):
        super().__init__()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=errors, env=env, bufsize=0, cwd=folder)
        self.channels = [Channel(self.process.stdout.fileno(), Lines())]

    def send(self, message, **_):
        try:
            data = memoryview(json.dumps(message).encode() + b"\n")
            while data:
                data = data[self.process.stdin.write(data):]
        except OSError as error:
            raise Lost(str(error)) from error

    def close(self, timeout_s=60):
        """Returns the exit code; None: it did not end by itself."""
        try:
            self.process.stdin.close()
        except OSError:
            pass
        # Whatever it still says is read, or a full pipe would keep it.
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            ready, _, _ = select.select(self.channels, [], [], 1)
            if ready and not self.channels[0].read():
                break
        try:
            code = self.process.wait(max(1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            code = None
        self.process.stdout.close()
        return code


class WebSocket(StreamLink):
    def __init__(self, url, token=None, timeout_s=CONNECT_S):
        at = urllib.parse.urlsplit(url)
        fd = dial(at, timeout_s)
        super().__init__(fd, Frames(lambda payload: self.write(masked_frame(10, payload))))
        key = base64.b64encode(os.urandom(16)).decode()
        head = (f"GET {at.path} HTTP/1.1\r\nHost: {at.netloc}\r\nUpgrade: websocket\r\n"
                f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
                f"Sec-WebSocket-Protocol: mcp\r\n{bearer(token)}\r\n")
        self.write(head.encode())
        text = b""
        while b"\r\n\r\n" not in text:
            piece = receive_some(fd)
            if not piece:
                raise Lost("closed during the handshake")
            text += piece
        head, _, rest = text.partition(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise Lost(head.decode(errors="replace"))
        self.queue += self.channels[0].parser.feed(rest) if rest else []

    def send(self, message, **_):
        self.write(masked_frame(1, json.dumps(message).encode()))

    def close(self):
        try:
            self.write(masked_frame(8, (1000).to_bytes(2, "big")))
        except Lost:
            pass
        self.hang_up()

    def hang_up(self):
        self.fd.close()


def receive_some(fd):
    try:
        return fd.recv(READ_BYTES)
    except TimeoutError:
        raise
    except OSError as error:
        raise Lost(str(error)) from error


def dial(at, timeout_s):
    fd = socket.socket()
    fd.settimeout(timeout_s)
    try:
        fd.connect((at.hostname, at.port))
        fd.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except TimeoutError:
        fd.close()
        raise
    except OSError as error:
        fd.close()
        raise Lost(str(error)) from error
    return fd


def bearer(token):
    return f"Authorization: Bearer {token}\r\n" if token else ""


class Http(Link):
    """Streamable HTTP: each message in a POST of its own, on connections that are kept."""

    is_http = True

    def __init__(self, url, token=None, accept="application/json, text/event-stream",
                 timeout_s=CONNECT_S):
        super().__init__()
        self.timeout_s = timeout_s
        self.at, self.token, self.accept = urllib.parse.urlsplit(url), token, accept
        self.idle, self.session, self.revision = [], None, None

    def head(self, verb, path, size, headers):
        lines = [f"{verb} {path} HTTP/1.1", f"Host: {self.at.netloc}", f"Accept: {self.accept}"]
        if size is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {size}"]
        if self.session:
            lines += [f"Mcp-Session-Id: {self.session}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        return ("\r\n".join(lines) + "\r\n" + bearer(self.token) + "\r\n").encode()

    def exchange(self, data, request=None, on_head=None):
        """Sends a request; a connection that was closed while it was idle is replaced."""
        while True:
            reused = bool(self.idle)
            fd = self.idle.pop() if reused else dial(self.at, self.timeout_s)
            try:
                fd.sendall(data)
                if reused and select.select([fd], [], [], 0)[0] and not fd.recv(1, socket.MSG_PEEK):
                    raise OSError("closed")
                break
            except OSError as error:
                fd.close()
                if not reused:
                    raise Lost(str(error)) from error
        channel = Channel(fd, Answer(on_head))
        channel.request = request
        self.channels.append(channel)
        return channel

    def send(self, message, headers=None):
        body = json.dumps(message).encode()
        headers = dict(headers or {})
        if self.revision and "MCP-Protocol-Version" not in headers:
            headers["MCP-Protocol-Version"] = self.revision
        request = message.get("id") if "method" in message else None
        path = self.at.path + ("?" + self.at.query if self.at.query else "")
        channel = self.exchange(self.head("POST", path, len(body), headers) + body, request,
                                self.note_session)
        deadline = time.monotonic() + self.timeout_s
        while request is None and channel in self.channels:  # a notification is over at once
            if time.monotonic() > deadline or not self.pump(1) and time.monotonic() > deadline:
                raise TimeoutError

    def note_session(self, answer):
        self.session = answer.headers.get("mcp-session-id", self.session)

    def open_feed(self):
        """What belongs to no request comes on a stream of its own (legacy)."""
        headers = {"MCP-Protocol-Version": self.revision}
        accept, self.accept = self.accept, "text/event-stream"
        channel = self.exchange(self.head("GET", self.at.path, None, headers))
        self.accept = accept
        deadline = time.monotonic() + self.timeout_s
        while not channel.parser.status and time.monotonic() < deadline:
            self.pump(1)

    def fed(self, channel):
        answer = channel.parser
        if not answer.done:
            return
        self.channels.remove(channel)
        if answer.headers.get("connection", "").lower() == "close":
            channel.fd.close()
        else:
            self.idle.append(channel.fd)
        if answer.status >= 300 and not any("error" in one for one in self.queue[-1:]):
            raise Lost(f"status {answer.status}")
        if channel.request is not None and answer.is_stream():
            self.queue.append({"ended": channel.request})

    def ended(self, channel, why):
        self.channels.remove(channel)
        channel.fd.close()
        if channel.request is not None or not channel.parser.status:
            raise Lost(why)

    def abandon(self, number):
        for channel in self.channels:
            if channel.request == number:
                self.channels.remove(channel)
                channel.fd.close()
                return True
        return False

    def close(self):
        try:
            if self.session:
                channel = self.exchange(self.head("DELETE", self.at.path, None,
                                                  {"MCP-Protocol-Version": self.revision}))
                for _ in range(self.timeout_s):
                    if channel not in self.channels:
                        break
                    self.pump(1)
        except (Lost, TimeoutError):
            pass
        self.hang_up()

    def hang_up(self):
        for fd in self.idle + [channel.fd for channel in self.channels]:
            fd.close()


class Sse(Http):
    """HTTP+SSE: everything comes on the one stream that GET has opened."""

    is_http = False

    def __init__(self, url, token=None, timeout_s=CONNECT_S):
        super().__init__(url, token, timeout_s=timeout_s)
        self.endpoint = None
        self.accept = "text/event-stream"
        self.stream = self.exchange(self.head("GET", self.at.path, None, {}), on_head=self.opened)
        deadline = time.monotonic() + timeout_s
        while not self.endpoint:
            if not self.pump(1) and time.monotonic() > deadline:
                raise TimeoutError

    def opened(self, answer):
        if answer.status != 200 or not answer.is_stream():
            raise Lost(f"status {answer.status}")
        answer.on_event = self.found

    def found(self, kind, text):
        if kind == b"endpoint":
            self.endpoint = text.decode()

    def send(self, message, headers=None):
        body = json.dumps(message).encode()
        channel = self.exchange(self.head("POST", self.endpoint, len(body), {}) + body)
        deadline = time.monotonic() + self.timeout_s
        while channel in self.channels:
            if not self.pump(1) and time.monotonic() > deadline:
                raise TimeoutError

    def ended(self, channel, why):
        super().ended(channel, why)
        if channel is self.stream:
            raise Lost(why)

    def close(self):
        self.hang_up()  # the end of the stream is the end of the session
