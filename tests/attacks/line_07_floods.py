#!/usr/bin/env python3
"""line_07_floods.py - too many, too slow, too long, and never read.

MCP-085 to MCP-098, MCP-136, MCP-162, MCP-197, MCP-290 to MCP-292. The server goes on to answer others
while it lasts, and everything is given back after it.
"""
import json
import time

import line
from attack import EVIL, MODERN, Attack, Server, frame, growth, modern_message, request, status_is
import check

SUITE = line.SUITE
HALF_OPEN, CONNECTIONS = 1000, 1024  # of so many
META = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}


def is_served(server, within_s=10):
    """Others are answered, and soon."""
    start = time.monotonic()
    server.list_tools()
    check.need_soon(start, within_s, "others wait")


# ---- half-open ----


def half_open(server):
    body = json.dumps(request("ping")).encode()
    whole = server.head(body) + body
    handshake = server.handshake()
    starts = {"a connection and nothing more": b"", "half a head": whole[:60],
              "half a body": whole[:-5], "half a WebSocket handshake": handshake[:-20],
              "half a frame head": handshake + b"\x81", "half a frame": handshake + frame(body)[:-3],
              "a fragment without its end": handshake + b"\x01" + frame(body)[1:]}
    count = HALF_OPEN
    for name, start in starts.items():
        with Attack(server, SUITE, f"{count} half-open: {name}"):
            wires = [server.wire().send(start) for _ in range(count)]
            is_served(server)
            for wire in wires[::2]:
                wire.socket.close()
            is_served(server)
            for wire in wires[1::2]:
                wire.socket.close()
    with Attack(server, SUITE, f"{CONNECTIONS} half requests: the oldest make room, others are served"):
        wires = [server.wire().send(whole[:60]) for _ in range(CONNECTIONS)]
        for _ in range(20):
            is_served(server)
        for wire in wires:
            wire.socket.close()
        server.settle()
        is_served(server)
    with Attack(server, SUITE, f"{2 * CONNECTIONS} connections: too many even to be told"):
        wires = [server.wire().send(whole[:60]) for _ in range(2 * CONNECTIONS)]
        check.need(check.descriptors(server.pid) < CONNECTIONS + 200, "all of them are held")
        for wire in wires:
            wire.socket.close()
        server.settle()
        is_served(server)
    with Attack(server, SUITE, f"{HALF_OPEN} slow-loris: freed by themselves within 30 s"):
        wires = [server.wire().send(whole[:60]) for _ in range(HALF_OPEN)]
        start = time.monotonic()
        deadline = start + 30
        is_served(server)  # by now they are accepted
        while check.descriptors(server.pid) > server.lowest and time.monotonic() < deadline:
            for wire in wires[::10]:
                wire.send(b"X")  # a byte now and then does not help
            time.sleep(0.5)
            is_served(server)
        left = check.descriptors(server.pid) - server.lowest
        check.need(left <= 0, f"{left} are held after 30 s")
        check.need(time.monotonic() - start > 5, "ended too early for a slow but honest client")
        for wire in wires:
            wire.socket.close()


# ---- readers that stop reading ----


def pour(wire, data, most, within_s=20):
    """Sends until the server stops reading; how often `data` went out."""
    wire.socket.settimeout(1)
    deadline = time.monotonic() + within_s
    for count in range(most):
        try:
            wire.socket.sendall(data)
        except TimeoutError:
            return count
        except (BrokenPipeError, ConnectionResetError):
            return count
        check.need(time.monotonic() < deadline, "it reads for ever")
    return most


def deaf(server):
    limit_kib = 40 * 1024  # two queues of 8 MiB, the largest answer and what the allocator keeps
    listing = json.dumps(modern_message("tools/list")).encode()

    def bounded(before):
        grown = check.resident_kib(server.pid) - before
        check.need(check.sanitized() or grown < limit_kib, f"{grown} KiB for one who does not read")

    with Attack(server, SUITE, "a WebSocket reader that stops reading"):
        before = check.resident_kib(server.pid)
        with server.websocket(receive_buffer=4096) as wire:
            sent = pour(wire, frame(listing) * 100, 2000)
            check.need(sent < 2000, "all 200,000 requests were read")
            bounded(before)
            is_served(server)
    with Attack(server, SUITE, "pings that nobody reads the answers of"):
        before = check.resident_kib(server.pid)
        with server.websocket(receive_buffer=4096) as wire:
            pour(wire, frame(b"x" * 125, 9) * 500, 2000)
            bounded(before)
            is_served(server)
    with Attack(server, SUITE, "HTTP pipelined by one that stops reading"):
        before = check.resident_kib(server.pid)
        one = server.head(listing, MCP_Protocol_Version=MODERN, Mcp_Method="tools/list") + listing
        with server.wire(receive_buffer=4096) as wire:
            sent = pour(wire, one * 100, 2000)
            check.need(sent < 2000, "all 200,000 requests were read")
            bounded(before)
            is_served(server)
    with Attack(server, SUITE, "an SSE reader that stops reading"):
        before = check.resident_kib(server.pid)
        stream, target = server.sse(receive_buffer=4096)
        with stream, server.wire() as wire:
            hello = request("initialize", {"protocolVersion": "2024-11-05", "capabilities": {},
                                           "clientInfo": {"name": "deaf", "version": "1"}})
            bodies = [json.dumps(hello).encode(), json.dumps(request("tools/list", number=2)).encode()]
            statuses = set()
            for at in range(3000):
                body = bodies[min(at, 1)]
                answer = wire.send(server.head(body, target=target) + body).answer()
                statuses.add(answer.status)
                if answer.status != 202:
                    break
            check.need(statuses <= {202, 503, 404}, statuses)
            check.need(statuses != {202}, "3,000 answers are queued for one that does not read")
            bounded(before)
            is_served(server)
    with Attack(server, SUITE, "100 listeners that stop reading while lists change"):
        before = check.resident_kib(server.pid)
        wires = []
        for _ in range(100):
            wire = server.websocket(receive_buffer=4096)
            wire.send(frame(request("subscriptions/listen", {
                "notifications": {"toolsListChanged": True}, "_meta": META}, 5)))
            wires.append(wire)
        for _ in range(200):  # an even number: the list is as it was
            status_is(server.modern("tools/call", {"name": "test_trigger_tool_change", "arguments": {}}), 200)
        bounded(before)
        is_served(server)
        for wire in wires:
            wire.socket.close()


# ---- floods ----


def floods(server):
    notes = {"unknown notifications": {"method": "notifications/whatever"},
             "cancellations of nothing": {"method": "notifications/cancelled", "params": {"requestId": "no"}},
             "progress of nothing": {"method": "notifications/progress",
                                     "params": {"progressToken": "no", "progress": 1}},
             "list changes of a client": {"method": "notifications/roots/list_changed"},
             "answers to nothing": {"id": 99, "result": {}}, "errors to nothing": {
                 "id": 99, "error": {"code": 1, "message": "x"}}}
    for name, message in notes.items():
        with Attack(server, SUITE, f"100,000 {name}"), server.websocket() as wire:
            data = frame(json.dumps({"jsonrpc": "2.0", **message}).encode())
            for _ in range(100):
                wire.send(data * 1000)
            wire.send(frame(modern_message("tools/list", number="after")))
            seen = b""
            while b'"after"' not in seen:
                check.need(wire.fill(), "the connection ended")
                seen, wire.buffer = seen[-20:] + wire.buffer, b""
    with Attack(server, SUITE, "100,000 pings of the protocol"), server.websocket() as wire:
        for _ in range(100):
            wire.send(frame(b"", 9) * 1000)
            wire.exactly(2000)
    with Attack(server, SUITE, "100,000 empty fragments"), server.websocket() as wire:
        wire.send(b"\x01" + frame(b"")[1:])
        for _ in range(100):
            wire.send((b"\x00" + frame(b"")[1:]) * 1000)
        wire.send(b"\x80" + frame(modern_message("tools/list"))[1:])
        check.need(wire.exactly(1) == b"\x81", "no answer")
    with Attack(server, SUITE, "1,000 calls at once"), server.websocket() as wire:
        slow = [modern_message("tools/call", {"name": "test_reconnection", "arguments": {}}, at)
                for at in range(1000)]
        wire.send(b"".join(map(frame, slow)))
        is_served(server)
    with Attack(server, SUITE, "2,000 sessions that nobody ends"):
        made = 0
        for _ in range(2000):
            answer = server.post(request("initialize", {
                "protocolVersion": "2025-11-25", "capabilities": {},
                "clientInfo": {"name": "x", "version": "1"}}))
            check.need(answer.status in (200, 503), f"status {answer.status}")
            made += answer.status == 200
        check.need(made >= 1000, f"only {made} could be opened")
    with Attack(server, SUITE, "2,000 refused strangers"):
        for _ in range(2000):
            status_is(server.post(request("ping"), Origin=EVIL, Authorization=None), 403)


# ---- long messages ----


def long_ones(server):
    size = 10_000_000
    shapes = {"arrays in arrays": b"[" * size, "objects in objects": b'{"a":' * (size // 5),
              "digits": b"1" * size, "a number with an exponent": b"1e" + b"9" * size,
              "one string": b'"' + b"a" * size + b'"', "escapes": b'"' + b"\\u0041" * (size // 6) + b'"',
              "backslashes": b'"' + b"\\" * size, "blanks": b" " * size,
              "many members": b"{" + b",".join(b'"%07d":0' % at for at in range(size // 12)) + b"}",
              "the same member": b"{" + b",".join([b'"a":0'] * (size // 6)) + b"}",
              "many elements": b"[" + b"0," * (size // 2) + b"0]", "commas": b"[" + b"," * size,
              "nulls": b"\x00" * size, "no UTF-8": b"\xff" * size}

    def took(send, text):
        start = server.cpu_s()
        send(text)
        return server.cpu_s() - start

    def by_post(text):
        answer = server.post(text)
        check.need(400 <= answer.status < 500, f"status {answer.status}")

    def by_frame(text):
        with server.websocket() as wire:
            wire.send(frame(text))
            check.need(wire.fill(), "neither an answer nor a close frame")

    for name, text in shapes.items():
        for way, send in (("HTTP", by_post), ("WebSocket", by_frame)):
            with Attack(server, SUITE, f"10 MB of {name} by {way}: in linear time"):
                tenth = took(send, text[:size // 10])
                full = took(send, text)
                check.need(full < 0.2 + 30 * tenth, f"{full:.2f} s, a tenth of it {tenth:.2f} s")
                check.need(full < 10, f"{full:.2f} s of the processor")  # also at -O0
    with Attack(server, SUITE, "1 MB in fragments of one byte"), server.websocket() as wire:
        text = b" " * 1_000_000 + json.dumps(modern_message("tools/list")).encode()
        parts = bytearray()
        for at, byte in enumerate(text):
            first = (1 if at == 0 else 0) | (0x80 if at == len(text) - 1 else 0)
            parts += bytes((first, 0x81, 0, 0, 0, 0, byte))
        wire.send(bytes(parts))
        check.need(wire.exactly(1) == b"\x81", "no answer")
    with Attack(server, SUITE, "17 MB by WebSocket ends with 1009"), server.websocket() as wire:
        wire.send(b"\x81\xff" + (17 << 20).to_bytes(8, "big") + b"\0\0\0\0" + b"x" * 100_000)
        check.need(wire.exactly(4) == b"\x88\x02\x03\xf1", "not closed with 1009")


def main():
    with line.conformance() as words:
        server = Server(words)
        parts = (floods, deaf, long_ones, half_open)
        for part in parts:
            part(server)

        def again():
            for _ in range(50):
                with server.websocket() as wire:
                    wire.send(frame(b"[" * 100_000))
                    wire.fill()
                server.post(b"[" * 100_000)
                server.sse()[0].socket.close()
        growth(server, SUITE, 512, again)
    line.end()


main()
