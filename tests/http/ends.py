#!/usr/bin/env python3
"""ends.py - what comes while the server stops, and what half a connection is worth. MCP-085, MCP-195."""
import os
import socket
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import wire  # noqa: E402

SUITE = "ends"
PATH = os.path.join(tempfile.mkdtemp(), "mcp.sock")
SOON_S = 1.5  # less than the grace time of 2 s


def step(name):
    return check.Step(SUITE, name)


def raw(server, target, **headers):
    """A GET up to its last line end, and that."""
    every = {"Host": server.http, "Accept": "text/event-stream", **headers}
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in every.items())
    return f"GET {target} HTTP/1.1\r\n{lines}".encode(), b"\r\n"


def ends_soon(server, started):
    check.need(server.process.wait(30) == 0, "exit 0")
    check.need_soon(started, SOON_S)


def late_stream(name, target, **headers):
    """A stream that is asked for while the server stops would keep it for the whole grace time."""
    with step(f"while stopping, no new stream: {name}"):
        with wire.Server("--http", "127.0.0.1:0") as server, wire.Wire(server) as late:
            if name == "GET":
                with wire.Wire(server) as client:
                    opened = client.call("POST", "/mcp", wire.initialize()).expect(200)
                    headers["Mcp-Session-Id"] = opened.headers["mcp-session-id"]
            begin, end = raw(server, target, **headers)
            late.socket.sendall(begin)
            time.sleep(0.2)
            started = time.monotonic()
            server.process.terminate()
            time.sleep(0.2)
            late.socket.sendall(end)
            head = late.until(b"\r\n\r\n")
            check.need(head.startswith(b"HTTP/1.1 503 "), head[:40])
            late.socket.close()
            ends_soon(server, started)


def late_listener():
    with step("while stopping, no new listener"):
        with wire.Server("--http", "127.0.0.1:0") as server, wire.Wire(server) as client:
            client.upgrade().expect(101)
            client.say(wire.modern(1, "tools/call", name="slow_compute", arguments={"seconds": 1}))
            time.sleep(0.2)
            started = time.monotonic()
            server.process.terminate()
            time.sleep(0.2)
            client.say(wire.modern("L", "subscriptions/listen", notifications={}))
            answer = client.hear()
            check.need(answer["id"] == "L" and answer["error"]["code"] == -32603, answer)
            check.need(client.hear()["id"] == 1, "what ran before is answered")
            check.need(client.close_code() == 1001, "going away")
            client.socket.close()
            ends_soon(server, started)


def asking(client):
    client.say(wire.initialize(version="2025-11-25", elicitation={}))
    client.hear()
    client.say(wire.INITIALIZED)
    client.say(wire.request(2, "tools/call", name="test_elicitation", arguments={"message": "?"}))
    check.need(client.hear()["method"] == "elicitation/create", "a question")


def expect_unheard(client):
    seen = client.hear()
    while seen and seen.get("method"):
        seen = client.hear()
    check.need(seen and seen["id"] == 2 and seen["result"]["isError"], seen)
    check.need("cannot answer" in seen["result"]["content"][0]["text"], seen)


def half_closed():
    with wire.Server("--unix", PATH) as server:
        with step("half-closed, a client that was asked cannot answer"), wire.Lines(PATH) as client:
            asking(client)
            client.socket.settimeout(30)
            client.socket.shutdown(socket.SHUT_WR)
            expect_unheard(client)
            check.need(client.hear() is None, "the end")
        with step("nor one that is asked later"), wire.Lines(PATH) as client:
            client.socket.settimeout(30)
            client.say(wire.initialize(version="2025-11-25", elicitation={}))
            client.say(wire.INITIALIZED)
            client.say(wire.request(2, "tools/call", name="test_elicitation",
                                    arguments={"message": "?"}))
            client.socket.shutdown(socket.SHUT_WR)
            check.need(client.hear()["id"] == 1, "initialize")
            expect_unheard(client)
        with step("stopping, nobody waits for an answer that is not read"), wire.Lines(PATH) as client:
            asking(client)
            started = time.monotonic()
            server.process.terminate()
            expect_unheard(client)
            ends_soon(server, started)


late_stream("SSE", "/sse")
late_stream("GET", "/mcp")
late_stream("WebSocket", "/ws", Connection="Upgrade", Upgrade="websocket", Sec_WebSocket_Version="13",
            Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==")
late_listener()
half_closed()
os.rmdir(os.path.dirname(PATH))
sys.exit(check.failures > 0)
