#!/usr/bin/env python3
"""line_06_smuggling.py - two readings of one stream of bytes: there must be only one.

Behind each attack lies a complete, correct request with the right token. Refused means: 400, the
connection ends, and that request is never executed (MCP-107, MCP-290).
"""
import json

import line
from attack import MODERN, TRIGGER, Attack, Server, frame, modern_message, status_is, trigger
import check

SUITE = line.SUITE


def rows(server):
    hidden = trigger(server)
    body = json.dumps(modern_message("ping")).encode()
    names = {"MCP_Protocol_Version": MODERN, "Mcp_Method": "ping"}
    good = server.head(body, Content_Length=None, **names)[:-2]
    size = f"Content-Length: {len(body)}\r\n".encode()
    te = b"Transfer-Encoding: chunked\r\n"
    chunk = b"%x\r\n%s\r\n" % (len(body), body)
    whole = chunk + b"0\r\n\r\n"
    first, rest = good.split(b"\r\n", 1)

    def te_as(value):
        return good + b"Transfer-Encoding:" + value + b"\r\n\r\n" + whole

    yield "CL.TE", good + size + te + b"\r\n" + whole
    yield "TE.CL", good + te + size + b"\r\n" + whole
    yield "CL.TE with length 0", good + b"Content-Length: 0\r\n" + te + b"\r\n" + whole
    yield "CL.TE, the body ends early for TE", good + size + te + b"\r\n0\r\n\r\n"
    yield "TE.TE", good + te + te + b"\r\n" + whole
    yield "TE.TE, the second unknown", good + te + b"Transfer-Encoding: x\r\n\r\n" + whole
    yield "CL.CL", good + size + b"Content-Length: 3\r\n\r\n" + body
    yield "CL.CL, the first wrong", good + b"Content-Length: 3\r\n" + size + b"\r\n" + body
    for value in (b"5, 6", b"5,5", b"+5", b"-1", b"0x5", b"5 6", b"", b"5.0", b"1e1", b"5;",
                  b"18446744073709551621", b"\x0b5", b"five", b"'5'"):
        yield f"CL {value.decode('latin-1')!r}", good + b"Content-Length: " + value + b"\r\n\r\n" + body
    for value in (b" gzip", b" chunked, gzip", b" gzip, chunked", b" chunked, chunked", b" xchunked",
                  b" chunkedx", b" identity", b" \x0bchunked", b" chunked\x0b", b' "chunked"',
                  b" chunked;q=1", b"", b" ,", b" chunked\x00"):
        yield f"TE{value.decode('latin-1')!r}", te_as(value)
    yield "TE folded", good + b"Transfer-Encoding:\r\n chunked\r\n\r\n" + whole
    yield "TE with a space before the colon", good + size + b"Transfer-Encoding : chunked\r\n\r\n" + whole
    yield "TE with a tab before the colon", good + size + b"Transfer-Encoding\t: chunked\r\n\r\n" + whole
    yield "TE behind a blank", good + size + b" Transfer-Encoding: chunked\r\n\r\n" + whole
    yield "TE behind a bare CR", good + size + b"X: a\rTransfer-Encoding: chunked\r\n\r\n" + whole
    yield "TE behind a bare LF", good + size + b"X: a\nTransfer-Encoding: chunked\r\n\r\n" + whole
    yield "TE behind NUL", good + size + b"X: a\x00Transfer-Encoding: chunked\r\n\r\n" + whole
    yield "TE with NUL in its name", good + size + b"Transfer-\x00Encoding: chunked\r\n\r\n" + whole
    yield "CL with a space before the colon", good + b"Content-Length : 5\r\n\r\n" + body
    yield "CL folded", good + b"Content-Length:\r\n 5\r\n\r\n" + body
    yield "obs-fold of any header", good + size + b"X-Long: a\r\n\tb\r\n\r\n" + body
    yield "NUL in the request line", first.replace(b"/", b"/\x00", 1) + b"\r\n" + rest + size + b"\r\n" + body
    yield "a bare LF ends the request line", first + b"\n" + rest + size + b"\r\n" + body
    yield "a bare LF ends the head", good + size + b"\n" + body
    yield "a bare CR ends the head", good + size + b"\r\r\n" + body
    yield "a line of a second request in a value", good + size + b"X: a\r" + hidden
    for name, text in (("extension with a bare LF", b"%x;a\nb\r\n"), ("extension with NUL", b"%x;\x00\r\n"),
                       ("extension with a bare CR", b"%x;a\rb\r\n"), ("size ended by bare LF", b"%x\n"),
                       ("size with a sign", b"+%x\r\n"), ("size with 0x", b"0x%x\r\n"),
                       ("size with a blank before", b" %x\r\n"), ("size with an underscore", b"_%x\r\n"),
                       ("size above 64 bits", b"1000000000000000%02x\r\n")):
        yield f"chunk {name}", good + te + b"\r\n" + text % len(body) + body + b"\r\n0\r\n\r\n"
    yield "chunk empty size", good + te + b"\r\n\r\n" + body + b"\r\n0\r\n\r\n"
    yield "chunk longer than it says", good + te + b"\r\n3\r\n" + body + b"\r\n0\r\n\r\n"
    yield "chunk ended by bare LF", good + te + b"\r\n" + chunk[:-2] + b"\n0\r\n\r\n"
    yield "a trailer with a bare LF", good + te + b"\r\n" + chunk + b"0\r\nX: a\n\r\n"
    yield "a folded trailer", good + te + b"\r\n" + chunk + b"0\r\nX: a\r\n b\r\n\r\n"
    yield "two Hosts", good + size + b"Host: evil.example.com\r\n\r\n" + body
    yield "absolute target of another host", good.replace(
        b"POST /", b"POST http://evil.example.com/", 1) + size + b"\r\n" + body


def refused(server):
    hidden = trigger(server)
    for name, data in rows(server):
        with Attack(server, SUITE, name), server.wire() as wire:
            answer = wire.send(data + hidden).answer()
            check.need(answer.status in (400, 403, 413, 501), f"status {answer.status}")
            check.need(wire.is_closed(), f"goes on: {wire.buffer[:100]!r}")
            # Nor when it comes later, on what a proxy takes for the same connection.
            wire.send(hidden)


def one_meaning(server):
    """Allowed, and read as one request with one body: what looks like a second is inside the first."""
    hidden = trigger(server)
    names = {"MCP_Protocol_Version": MODERN, "Mcp_Method": "ping"}
    with Attack(server, SUITE, "a whole request inside a body"), server.wire() as wire:
        answer = wire.send(server.head(hidden, **names) + hidden).answer()
        status_is(answer, 400)
        check.need(answer.code() == -32700, answer.body[:200])
    with Attack(server, SUITE, "a whole request inside a chunk"), server.wire() as wire:
        data = b"%x\r\n%s\r\n0\r\n\r\n" % (len(hidden), hidden)
        text = server.head(b"", Content_Length=None, Transfer_Encoding="chunked", **names) + data
        status_is(wire.send(text).answer(), 400)
    with Attack(server, SUITE, "a whole request inside a chunk extension"), server.wire() as wire:
        text = server.head(b"", Content_Length=None, Transfer_Encoding="chunked", **names)
        wire.send(text + b"1;" + hidden.replace(b"\r\n", b" ") + b"\r\n{\r\n0\r\n\r\n")
        status_is(wire.answer(), (400, 413, 431))
    with Attack(server, SUITE, "a whole request inside a trailer"), server.wire() as wire:
        body = json.dumps(modern_message("tools/list")).encode()
        text = server.head(b"", Content_Length=None, Transfer_Encoding="chunked",
                           MCP_Protocol_Version=MODERN, Mcp_Method="tools/list")
        wire.send(text + b"%x\r\n%s\r\n0\r\nX: " % (len(body), body) + hidden)
        wire.answer()
    with Attack(server, SUITE, "a trailer does not replace a header"), server.wire() as wire:
        body = json.dumps(TRIGGER).encode()
        text = server.head(b"", Content_Length=None, Transfer_Encoding="chunked", Authorization=None)
        wire.send(text + b"%x\r\n%s\r\n0\r\nAuthorization: Bearer %s\r\n\r\n" % (
            len(body), body, server.token.encode()))
        status_is(wire.answer(), 401)
    with Attack(server, SUITE, "GET with a body"), server.wire() as wire:
        text = server.head(hidden, method="GET", Accept="text/event-stream")
        status_is(wire.send(text + hidden).answer(), 400)
    with Attack(server, SUITE, "a request behind a refused WebSocket handshake"), server.wire() as wire:
        wire.send(server.handshake(Authorization=None) + trigger(server, Authorization=None))
        status_is(wire.answer(), 401)
    with Attack(server, SUITE, "HTTP behind an accepted WebSocket handshake"), server.wire() as wire:
        # Taken for frames: unmasked, so the connection ends with 1002.
        status, _ = wire.send(server.handshake() + hidden).head()
        check.need(status == 101, f"status {status}")
        check.need(wire.exactly(4) == b"\x88\x02\x03\xea", "not closed with 1002")
    with Attack(server, SUITE, "HTTP inside WebSocket frames"), server.websocket() as wire:
        wire.send(frame(hidden))
        first, size = wire.exactly(2)
        text = wire.exactly(size if size < 126 else int.from_bytes(wire.exactly(2), "big"))
        check.need(first == 0x81 and b"-32700" in text, text[:200])


def main():
    with line.conformance() as words:
        server = Server(words)
        refused(server)
        one_meaning(server)
    line.end()


main()
