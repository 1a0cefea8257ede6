"""attack.py - a server under attack: bytes as they are, and what must hold after each attack.

After every `with Attack(...)`: the server is alive, a correct request is answered, no descriptor is
left, and nothing that was hidden in the attack has been executed. Memory is looked at in the end.
"""
import base64
import json
import os
import re
import socket
import sys
import time
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import links  # noqa: E402

MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
WAIT_S = 30
EVIL = "http://evil.example.com"


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        text = self.body
        if self.headers.get("content-type", "").startswith("text/event-stream"):
            text = [line[6:] for line in text.split(b"\n") if line.startswith(b"data: {")][-1]
        return json.loads(text)

    def code(self):
        return self.json().get("error", {}).get("code")


class Wire:
    """One connection."""

    def __init__(self, address, receive_buffer=None, source=None):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(WAIT_S)
        if source:
            self.socket.bind((source, 0))
        self.socket.connect(address)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        self.stops_at_streams = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass  # refused before everything was sent; the answer says why
        return self

    def fill(self):
        try:
            data = self.socket.recv(262144)
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
            check.need(self.fill(), "the connection ended within a body")
        part, self.buffer = self.buffer[:size], self.buffer[size:]
        return part

    def head(self):
        lines = self.until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        check.need(lines[0].startswith("HTTP/1.1 "), lines[0])
        return int(lines[0].split(" ")[1]), {
            name.lower(): value.strip() for name, _, value in (at.partition(":") for at in lines[1:])}

    def answer(self):
        status, headers = self.head()
        if headers.get("content-type", "").startswith("text/event-stream") and (
                headers.get("transfer-encoding") == "chunked") and self.stops_at_streams:
            return Answer(status, headers, b"")
        if headers.get("transfer-encoding") != "chunked":
            return Answer(status, headers, self.exactly(int(headers.get("content-length", 0))))
        body = b""
        while size := int(self.until(b"\r\n"), 16):
            body += self.exactly(size)
            self.exactly(2)
        self.exactly(2)
        return Answer(status, headers, body)

    def is_closed(self, within_s=WAIT_S):
        """True when the server ends the connection by itself, and says nothing more."""
        self.socket.settimeout(within_s)
        try:
            while self.fill():
                pass
        except TimeoutError:
            return False
        return self.buffer == b""


class Server:
    """`argv`: URL, PID, and NAME=TOKEN for each principal."""

    def __init__(self, argv):
        self.url, self.pid = argv[0], argv[1]
        self.tokens = dict(word.split("=", 1) for word in argv[2:])
        self.token = next(iter(self.tokens.values()))
        parts = urllib.parse.urlsplit(self.url)
        self.address, self.path = (parts.hostname, parts.port), parts.path
        self.host = f"{parts.hostname}:{parts.port}"
        self.root = f"http://{self.host}"
        self.lowest = check.descriptors(self.pid)
        self.source, self.places = None, 0
        self.wait_ready()

    def wait_ready(self):
        check.need(self.list_tools(), "the server offers no tools")
        self.lowest = check.descriptors(self.pid)

    def wire(self, **options):
        return Wire(self.address, source=self.source, **options)

    def from_elsewhere(self):
        """From now on we are another peer: what was guessed so far does not count against us."""
        self.places += 1
        self.source = f"127.1.{self.places // 200}.{self.places % 200 + 1}"

    def headers(self, body=b"", token=None, **extra):
        """Good headers; extra ones by name (with _ for -), None to leave one out."""
        headers = {"Host": self.host, "Authorization": f"Bearer {token or self.token}",
                   "Content-Type": "application/json",
                   "Accept": "application/json, text/event-stream",
                   "Content-Length": str(len(body))}
        for name, value in extra.items():
            name = name.replace("_", "-")
            for known in [key for key in headers if key.lower() == name.lower()]:
                del headers[known]
            if value is not None:
                headers[name] = value
        return headers

    def head(self, body=b"", method="POST", target=None, more=(), **extra):
        """`more`: lines as they are."""
        lines = [f"{name}: {value}" for name, value in self.headers(body, **extra).items()]
        first = f"{method} {target or self.path} HTTP/1.1"
        return "\r\n".join([first, *lines, *more, "", ""]).encode("latin-1")

    def once(self, data):
        """An answer; of a stream that begins, only its head: it may never end."""
        with self.wire() as wire:
            wire.stops_at_streams = b"GET " == data[:4]
            return wire.send(data).answer()

    def post(self, message, **extra):
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        return self.once(self.head(body, **extra) + body)

    def modern(self, method, params=None, number=1, capabilities=None, **extra):
        """A request of revision 2026-07-28 with its headers."""
        message = modern_message(method, params, number, capabilities)
        headers = {"MCP_Protocol_Version": MODERN, "Mcp_Method": method}
        named = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}.get(
            method, "taskId" if method.startswith("tasks/") else None)
        if named:
            headers["Mcp_Name"] = params[named]
        headers.update(extra)
        return self.post(message, **headers)

    def list_tools(self):
        answer = self.modern("tools/list")
        check.need(answer.status == 200, f"status {answer.status} {answer.body[:200]}")
        return {tool["name"] for tool in answer.json()["result"]["tools"]}

    def session(self, token=None, revision="2025-11-25"):
        """The headers of a legacy session."""
        answer = self.post(request("initialize", {
            "protocolVersion": revision, "capabilities": {},
            "clientInfo": {"name": "an attacker", "version": "1"}}), token=token)
        check.need(answer.status == 200, f"status {answer.status} {answer.body[:200]}")
        return {"Mcp_Session_Id": answer.headers["mcp-session-id"], "MCP_Protocol_Version": revision}

    def handshake(self, target="/ws", **extra):
        key = base64.b64encode(os.urandom(16)).decode()
        headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13",
                   "Sec_WebSocket_Key": key, "Content_Type": None, "Accept": None,
                   "Content_Length": None}
        headers.update(extra)
        return self.head(method="GET", target=target, **headers)

    def websocket(self, receive_buffer=None, **extra):
        wire = self.wire(receive_buffer=receive_buffer)
        status, headers = wire.send(self.handshake(**extra)).head()
        check.need(status == 101, f"status {status} {headers}")
        return wire

    def sse(self, receive_buffer=None, **extra):
        """An event stream of 2024-11-05 and where its messages go."""
        wire = self.wire(receive_buffer=receive_buffer)
        wire.send(self.head(method="GET", target="/sse", Accept="text/event-stream",
                            Content_Type=None, Content_Length=None, **extra))
        status, headers = wire.head()
        check.need(status == 200, f"status {status} {headers}")
        return wire, re.search(r"data: (\S+)", wire.until(b"\n\n").decode()).group(1)

    def cpu_s(self):
        """What it has used of the processor: other work on the machine does not count."""
        with open(f"/proc/{self.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    # ---- what holds afterwards ----

    def settle(self, within_s=WAIT_S):
        """Waits until no descriptor is left of what the attack opened."""
        deadline = time.monotonic() + within_s
        while check.descriptors(self.pid) > self.lowest and time.monotonic() < deadline:
            time.sleep(0.02)
        left = check.descriptors(self.pid) - self.lowest
        check.need(left <= 0, f"{left} descriptors are left")

    def is_well(self):
        tools = self.list_tools()
        check.need("test_extra_tool" not in tools, "what was hidden in the attack was executed")
        self.settle()


class Attack(check.Step):
    def __init__(self, server, suite, name):
        super().__init__(suite, name)
        self.server = server

    def __exit__(self, kind, value, trace):
        if kind is None:
            try:
                self.server.is_well()
            except Exception as error:  # whatever it is, the server is not well
                return super().__exit__(type(error), error, error.__traceback__)
        return super().__exit__(kind, value, trace)


def growth(server, suite, allowed_kib, run):
    """The same attacks again do not make the server larger than they did at first."""
    if check.sanitized():
        return
    run()
    before = check.resident_kib(server.pid)
    with Attack(server, suite, "memory is back after all of it again"):
        run()
        grown = check.resident_kib(server.pid) - before
        check.need(grown <= allowed_kib, f"grew by {grown} KiB, {allowed_kib} allowed")


# ---- messages ----


def request(method, params=None, number=1):
    message = {"jsonrpc": "2.0", "id": number, "method": method}
    return {**message, "params": params} if params is not None else message


def modern_message(method, params=None, number=1, capabilities=None):
    meta = {META + "protocolVersion": MODERN, META + "clientCapabilities": capabilities or {}}
    return request(method, {**(params or {}), "_meta": meta}, number)


# What must never happen: the tool adds test_extra_tool to the list, and everybody sees it.
TRIGGER = modern_message("tools/call", {"name": "test_trigger_tool_change", "arguments": {}})


def trigger(server, **extra):
    """A complete request that would do it, were it taken for one."""
    body = json.dumps(TRIGGER).encode()
    return server.head(body, MCP_Protocol_Version=MODERN, Mcp_Method="tools/call",
                       Mcp_Name="test_trigger_tool_change", **extra) + body


def frame(payload, kind=1):
    return links.masked_frame(kind, payload if isinstance(payload, bytes)
                              else json.dumps(payload).encode())


def status_is(answer, wanted):
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    check.need(answer.status in wanted, f"status {answer.status}, not {wanted}: {answer.body[:200]!r}")
