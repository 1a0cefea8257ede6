#!/usr/bin/env python3
"""bad_input.py URL TOKEN PID - hostile bytes to "tenon serve plan --http": each gets one clear status,
the server goes on, and nothing grows. MCP-100 to MCP-115, MCP-290 to MCP-292.
"""
import concurrent.futures
import json
import os
import random
import socket
import struct
import sys
import time
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import hostile  # noqa: E402

SUITE = "bad-http"
URL, TOKEN, PID = sys.argv[1:4]
ADDRESS = urllib.parse.urlsplit(URL)
HOST = f"{ADDRESS.hostname}:{ADDRESS.port}"
WAIT_S = 60


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        text = self.body
        if self.headers.get("content-type", "").startswith("text/event-stream"):
            events = [line[6:] for line in text.split(b"\n") if line.startswith(b"data: {")]
            text = events[-1]
        return json.loads(text)


class Wire:
    """One connection, and bytes as they are."""

    def __init__(self):
        self.socket = socket.create_connection((ADDRESS.hostname, ADDRESS.port), timeout=WAIT_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""

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
            check.need(self.fill(), "the connection ended within a body")
        part, self.buffer = self.buffer[:size], self.buffer[size:]
        return part

    def answer(self):
        lines = self.until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        check.need(lines[0].startswith("HTTP/1.1 "), lines[0])
        status = int(lines[0].split(" ")[1])
        headers = {name.lower(): value.strip() for name, value in
                   (line.split(":", 1) for line in lines[1:])}
        if headers.get("transfer-encoding") == "chunked":
            body = b""
            while True:
                size = int(self.until(b"\r\n"), 16)
                body += self.exactly(size)
                check.need(self.exactly(2) == b"\r\n", "a chunk without its end")
                if size == 0:
                    return Answer(status, headers, body)
        return Answer(status, headers, self.exactly(int(headers.get("content-length", 0))))

    def is_closed(self):
        """True when the server ends the connection by itself, and says nothing more."""
        try:
            while self.fill():
                pass
        except TimeoutError:
            return False
        return self.buffer == b""


def head(body=b"", method="POST", target=ADDRESS.path, drop=(), **extra):
    """A good request head; extra headers by name (with _ for -), None to leave one out."""
    headers = {"Host": HOST, "Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json",
               "Accept": "application/json, text/event-stream", "Content-Length": str(len(body))}
    for name, value in extra.items():
        name = name.replace("_", "-")
        for known in list(headers):
            if known.lower() == name.lower():
                del headers[known]
        if value is not None:
            headers[name] = value
    text = f"{method} {target} HTTP/1.1\r\n"
    text += "".join(f"{name}: {value}\r\n" for name, value in headers.items() if name not in drop)
    return (text + "\r\n").encode("latin-1")


PING = hostile.request(id=1, method="tools/list")


def one(data):
    with Wire() as wire:
        return wire.send(data).answer()


def is_well(wire=None):
    """A plain request is served: without a session, as a bare curl would send it (MCP-120)."""
    if wire:
        answer = wire.send(head(PING) + PING).answer()
    else:
        answer = one(head(PING) + PING)
    check.need(answer.status == 200, f"status {answer.status} {answer.body[:200]}")
    check.need("tools" in answer.json()["result"], str(answer.json())[:200])


# ---- who may come in, in the order of MCP-104 ----

def doors():
    evil = "http://evil.example.com"
    foreign = f"http://127.0.0.1:{ADDRESS.port + 1}"
    rows = [
        ("no token", head(PING, Authorization=None), 401),
        ("wrong token", head(PING, Authorization="Bearer wrong-wrong-wrong-wrong"), 401),
        ("token cut by one", head(PING, Authorization=f"Bearer {TOKEN[:-1]}"), 401),
        ("token and one more", head(PING, Authorization=f"Bearer {TOKEN}x"), 401),
        ("another scheme", head(PING, Authorization=f"Basic {TOKEN}"), 401),
        ("wrong Host", head(PING, Host="evil.example.com"), 403),
        ("Host that begins well", head(PING, Host="localhost.evil.example.com"), 403),
        ("wrong Origin", head(PING, Origin=evil), 403),
        ("Origin null", head(PING, Origin="null"), 403),
        ("Origin of another port", head(PING, Origin=foreign), 403),
        ("Origin that begins well", head(PING, Origin=f"http://{HOST}.evil.example.com"), 403),
        ("wrong Host and no token", head(PING, Host="evil.example.com", Authorization=None), 403),
        ("unknown path", head(PING, target="/other"), 404),
        ("unknown path, wrong Host, no token",
         head(PING, target="/other", Host="evil.example.com", Authorization=None), 404),
        ("PUT", head(PING, method="PUT"), 405),
        ("OPTIONS", head(PING, method="OPTIONS"), 405),
        ("no Content-Type", head(PING, Content_Type=None), 415),
        ("text/plain", head(PING, Content_Type="text/plain"), 415),
        ("a form", head(PING, Content_Type="application/x-www-form-urlencoded"), 415),
        ("Accept that cannot be met", head(PING, Accept="image/png"), 406),
        ("body of 17 MB", head(b"", Content_Length=str(17 << 20)), 413),
    ]
    for name, text, status in rows:
        with check.Step(SUITE, name):
            answer = one(text + (PING if status != 413 else b""))
            check.need(answer.status == status, f"status {answer.status}, not {status}")
            check.need(not any(key.startswith("access-control") for key in answer.headers), "CORS")
            if status == 401:
                check.need("bearer" in answer.headers.get("www-authenticate", "").lower(),
                           "no WWW-Authenticate")
            if status == 405:
                check.need("POST" in answer.headers.get("allow", ""), "no Allow")
    with check.Step(SUITE, "scheme in any case, charset, no Accept"):
        text = head(PING, Authorization=f"bEaReR {TOKEN}", Accept=None,
                    Content_Type="Application/JSON; charset=utf-8")
        check.need(one(text + PING).status == 200, "refused")


# ---- the smuggling table: refused, and the connection ends ----

def smuggling():
    body = PING
    good = head(body, drop=("Content-Length",))[:-2]
    size = f"Content-Length: {len(body)}\r\n".encode()
    chunked = b"Transfer-Encoding: chunked\r\n"
    whole = f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n"
    plain = good + size
    rows = [
        ("CL and TE", good + size + chunked + b"\r\n" + whole, 400),
        ("TE and CL", good + chunked + size + b"\r\n" + whole, 400),
        ("two differing CL", good + size + b"Content-Length: 3\r\n\r\n" + body, 400),
        ("CL with a list", good + b"Content-Length: 5, 6\r\n\r\n" + body, 400),
        ("CL with a plus", good + f"Content-Length: +{len(body)}\r\n\r\n".encode() + body, 400),
        ("CL negative", good + b"Content-Length: -1\r\n\r\n" + body, 400),
        ("CL in hexadecimal", good + b"Content-Length: 0x10\r\n\r\n" + body, 400),
        ("CL with a blank inside", good + b"Content-Length: 1 2\r\n\r\n" + body, 400),
        ("CL empty", good + b"Content-Length:\r\n\r\n" + body, 400),
        ("CL above 64 bits", good + b"Content-Length: 18446744073709551617\r\n\r\n" + body,
         (400, 413)),
        ("TE other than chunked", good + b"Transfer-Encoding: gzip\r\n\r\n" + whole, (400, 501)),
        ("TE with a list", good + b"Transfer-Encoding: gzip, chunked\r\n\r\n" + whole, (400, 501)),
        ("TE twice", good + chunked + chunked + b"\r\n" + whole, (400, 501)),
        ("TE with a vertical tab", good + b"Transfer-Encoding: \x0bchunked\r\n\r\n" + whole,
         (400, 501)),
        ("space before the colon", good + b"Content-Length : 5\r\n\r\n" + body, 400),
        ("obs-fold", plain + b"X-Long: a\r\n b\r\n\r\n" + body, 400),
        ("a header that begins with a blank", plain + b" X-Long: a\r\n\r\n" + body, 400),
        ("bare LF ends a header", plain + b"X-One: a\nX-Two: b\r\n\r\n" + body, 400),
        ("bare LF ends the section", plain[:-2] + b"\n\n" + body, 400),
        ("bare CR in a value", plain + b"X-One: a\rb\r\n\r\n" + body, 400),
        ("NUL in a value", plain + b"X-One: a\x00b\r\n\r\n" + body, 400),
        ("a control character in a value", plain + b"X-One: a\x01b\r\n\r\n" + body, 400),
        ("an empty header name", plain + b": a\r\n\r\n" + body, 400),
        ("a header name with a blank", plain + b"X One: a\r\n\r\n" + body, 400),
        ("a header without a colon", plain + b"nonsense\r\n\r\n" + body, 400),
        ("no Host", head(body, Host=None) + body, 400),
        ("two Hosts", plain + f"Host: {HOST}\r\n\r\n".encode() + body, 400),
        ("chunk size no number", good + chunked + b"\r\nxyz\r\n" + body, 400),
        ("chunk size with a sign", good + chunked + b"\r\n+5\r\nhello\r\n0\r\n\r\n", 400),
        ("chunk size huge", good + chunked + b"\r\nfffffffffffffffff\r\n" + body, (400, 413)),
        ("chunk without its CRLF", good + chunked + b"\r\n3\r\nabcdef\r\n0\r\n\r\n", 400),
        ("chunk size ended by bare LF", good + chunked + b"\r\n3\nabc\r\n0\r\n\r\n", 400),
        ("endless chunk extension", good + chunked + b"\r\n3;" + b"x" * 100_000, (400, 413, 431)),
        ("no version", b"POST /mcp\r\n" + plain.split(b"\r\n", 1)[1] + b"\r\n" + body, 400),
        ("lower-case version", plain.replace(b"HTTP/1.1", b"http/1.1", 1) + b"\r\n" + body, 400),
        ("HTTP/2 preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
        ("two blanks in the request line", plain.replace(b"POST ", b"POST  ", 1) + b"\r\n" + body, 400),
        ("CONNECT", head(b"", method="CONNECT", target="evil.example.com:443"), (400, 405)),
        ("absolute target of another host",
         head(body, target="http://evil.example.com/mcp") + body, (400, 403)),
        ("request line of 9 KiB", head(body, target="/" + "a" * 9000) + body, 414),
        ("header of 17 KiB", plain + b"X-Long: " + b"a" * 17_000 + b"\r\n\r\n" + body, 431),
        ("header section of 33 KiB",
         plain + b"".join(b"X-%d: %s\r\n" % (i, b"a" * 4000) for i in range(9)) + b"\r\n" + body, 431),
        ("101 headers", plain + b"".join(b"X-%d: a\r\n" % i for i in range(101)) + b"\r\n" + body, 431),
        ("TLS on a plain port", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 200, 400),
        ("random bytes", random.Random(1).randbytes(3000) + b"\r\n\r\n", 400),
    ]
    for name, data, status in rows:
        with check.Step(SUITE, name), Wire() as wire:
            wanted = status if isinstance(status, tuple) else (status,)
            answer = wire.send(data).answer()
            check.need(answer.status in wanted, f"status {answer.status}, not {status}")
            # What follows in the buffer must never be taken for another request.
            check.need(wire.is_closed(), f"goes on: {wire.buffer[:100]!r}")
            is_well()


# ---- well-formed HTTP that is unusual ----

def unusual():
    good = head(PING, drop=("Content-Length",))[:-2]
    with check.Step(SUITE, "chunked body, with an extension and a trailer"):
        half = len(PING) // 2
        data = (good + b"Transfer-Encoding: chunked\r\n\r\n"
                + b"%x;a=b\r\n" % half + PING[:half] + b"\r\n"
                + b"%x\r\n" % (len(PING) - half) + PING[half:] + b"\r\n0\r\nX-Trailer: a\r\n\r\n")
        check.need(one(data).status == 200, "refused")
    with check.Step(SUITE, "pipelined requests are answered in order"), Wire() as wire:
        bodies = [hostile.request(id=n, method="tools/list") for n in range(10)]
        wire.send(b"".join(head(body) + body for body in bodies))
        ids = [wire.answer().json()["id"] for _ in bodies]
        check.need(ids == list(range(10)), str(ids))
    with check.Step(SUITE, "a byte at a time"), Wire() as wire:
        for byte in head(PING) + PING:
            wire.send(bytes([byte]))
        check.need(wire.answer().status == 200, "refused")
    with check.Step(SUITE, "Expect: 100-continue"), Wire() as wire:
        wire.send(head(PING, Expect="100-continue"))
        check.need(wire.until(b"\r\n\r\n").startswith(b"HTTP/1.1 100"), "no 100")
        check.need(wire.send(PING).answer().status == 200, "refused")
    with check.Step(SUITE, "Expect: 100-continue without a token"), Wire() as wire:
        answer = wire.send(head(PING, Expect="100-continue", Authorization=None)).answer()
        check.need(answer.status == 401, f"status {answer.status}")
    with check.Step(SUITE, "Connection: close"), Wire() as wire:
        answer = wire.send(head(PING, Connection="close") + PING).answer()
        check.need(answer.status == 200 and wire.is_closed(), "stays open")
    with check.Step(SUITE, "HTTP/1.0"), Wire() as wire:
        answer = wire.send((head(PING) + PING).replace(b"HTTP/1.1", b"HTTP/1.0", 1)).answer()
        check.need(answer.status == 200, f"status {answer.status}")
        check.need("transfer-encoding" not in answer.headers and wire.is_closed(), "chunked")
    with check.Step(SUITE, "a closed write side still gets its answer (MCP-154)"), Wire() as wire:
        wire.send(head(PING) + PING)
        wire.socket.shutdown(socket.SHUT_WR)
        check.need(wire.answer().status == 200, "no answer")


# ---- JSON and MCP ----

def open_session():
    """The headers of a legacy session."""
    hello = hostile.request(id=1, method="initialize", params={
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"}})
    answer = one(head(hello) + hello)
    check.need(answer.status == 200, f"status {answer.status}")
    return {"Mcp_Session_Id": answer.headers["mcp-session-id"], "MCP_Protocol_Version": "2025-11-25"}


def messages():
    with Wire() as wire:
        session = {}
        with check.Step(SUITE, "initialize"):
            session = open_session()
        for name, body, codes in hostile.cases():
            with check.Step(SUITE, name):
                answer = wire.send(head(body, **session) + body).answer()
                error = answer.json()["error"]
                check.need(error["code"] in codes, f"{error}, not one of {codes}")
                check.need(answer.json().get("id", 0) is not None, "id null (MCP-016)")
                wanted = 200 if error["code"] in (-32601, -32602) else 400
                check.need(answer.status == wanted, f"status {answer.status}, not {wanted}")
                is_well(wire)  # the framing was intact, so the connection goes on (MCP-290)
    with check.Step(SUITE, "unknown session"):
        for method in ("POST", "GET", "DELETE"):
            body = PING if method == "POST" else b""
            text = head(body, method=method, Mcp_Session_Id="nobody-knows-this-id",
                        MCP_Protocol_Version="2025-11-25", Accept="text/event-stream"
                        if method == "GET" else "application/json, text/event-stream")
            check.need(one(text + body).status == 404, f"{method} is not 404")
    with check.Step(SUITE, "a plan of 10 MB"):
        text, count = hostile.plan_of(10_000_000)
        body = hostile.call({"plan_text": text, "detail": "summary"})
        # Without a session this is revision 2025-03-26, which has no structuredContent.
        parsed = json.loads(one(head(body) + body).json()["result"]["content"][0]["text"])
        check.need(parsed["summary"]["total_changes"] == count, str(parsed)[:200])
    with check.Step(SUITE, "a plan of 100 MB"):
        text, _ = hostile.plan_of(100_000_000)
        body = hostile.call({"plan_text": text})
        answer = one(head(body) + body)
        check.need(answer.status == 413, f"status {answer.status}")
        is_well()


# ---- slow, broken off, many ----

def slow(name, data, least_s, most_s):
    """The server gives up by itself, after its time-out and not before: 408, or just the end."""
    def run():
        with check.Step(SUITE, name), Wire() as wire:
            start = time.monotonic()
            wire.send(data[0])
            wire.socket.settimeout(1)
            while time.monotonic() - start < most_s:
                try:
                    if not wire.fill():
                        break
                except TimeoutError:
                    wire.send(data[1])
            took = time.monotonic() - start
            check.need(least_s <= took < most_s, f"ended after {took:.0f} s")
            check.need(not wire.buffer or wire.buffer.startswith(b"HTTP/1.1 408"), wire.buffer[:99])
    return run


SLOW = [
    slow("slow-loris headers end after 10 s", (head(PING)[:-2], b"X-a: b\r\n"), 8, 20),
    slow("slow-loris body ends after 30 s", (head(b"x" * 1000), b"x"), 2, 45),
    slow("half a request line", (b"POST /m", b""), 8, 20),
]


def broken_off():
    with check.Step(SUITE, "half a request, then close"):
        for cut in range(1, len(head(PING) + PING), 7):
            with Wire() as wire:
                wire.send((head(PING) + PING)[:cut])
        is_well()
    with check.Step(SUITE, "half a request, then reset"):
        for cut in range(1, len(head(PING) + PING), 7):
            with Wire() as wire:
                wire.send((head(PING) + PING)[:cut])
                wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        is_well()
    with check.Step(SUITE, "a body promised but not sent"), Wire() as wire:
        wire.send(head(b"x" * 500) + b"x" * 100)
        wire.socket.shutdown(socket.SHUT_WR)
        while wire.fill():
            pass
        check.need(not wire.buffer or b" 400 " in wire.buffer[:20], wire.buffer[:80])
    with check.Step(SUITE, "a hundred clients that leave in the middle of a call (MCP-292)"):
        text, _ = hostile.plan_of(400_000)
        body = hostile.call({"plan_text": text})
        for _ in range(100):
            with Wire() as wire:
                wire.send(head(body) + body)
        is_well()
    with check.Step(SUITE, "no descriptor is left"):
        deadline = time.monotonic() + WAIT_S
        while check.descriptors(PID) > 40 and time.monotonic() < deadline:
            time.sleep(0.2)
        check.need(check.descriptors(PID) <= 40, f"{check.descriptors(PID)} are open")


def growth():
    if check.sanitized():
        return
    with check.Step(SUITE, "no growth over 20 rounds of everything"):
        bodies = [body for _, body, _ in hostile.cases()]
        def round_of():
            with Wire() as wire:
                for body in bodies:
                    wire.send(head(body) + body).answer()
        for _ in range(3):
            round_of()
        before = check.resident_kib(PID)
        for _ in range(20):
            round_of()
        grown = check.resident_kib(PID) - before
        check.need(grown <= 256, f"grew by {grown} KiB")


def main():
    with concurrent.futures.ThreadPoolExecutor(len(SLOW)) as pool:
        waiting = [pool.submit(run) for run in SLOW]
        with check.Step(SUITE, "serves"):
            is_well()
        for part in (doors, smuggling, unusual, messages, broken_off):
            part()
        for future in waiting:
            future.result()
    growth()
    return 1 if check.failures else 0


sys.exit(main())
