#!/usr/bin/env python3
"""streams.py - legacy GET streams and how they are resumed, and the streams of modern requests:
MCP-112, MCP-138, MCP-139, MCP-141, MCP-145, MCP-149, MCP-153."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import wire  # noqa: E402

SUITE = "streams"
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def step(name):
    return check.Step(SUITE, name)


def call(server, method, body=None, **headers):
    with wire.Wire(server) as connection:
        return connection.call(method, "/mcp", body, **headers)


def open_session(server, version="2025-11-25"):
    opened = call(server, "POST", wire.initialize(version=version)).expect(200)
    session = {"Mcp-Session-Id": opened.headers["mcp-session-id"]}
    call(server, "POST", INITIALIZED, **session).expect(202)
    return session


def open_stream(server, session, **headers):
    stream = wire.Wire(server)
    answer = stream.ask("GET", "/mcp", Accept="text/event-stream", **session, **headers)
    return stream, answer


def tool(number, name, **more):
    return wire.request(number, "tools/call", name=name, arguments={}, **more)


def lines_of(piece):
    """The fields of an event, as sent."""
    return dict(line.split(": ", 1) if ": " in line else (line.rstrip(":"), "")
                for line in piece.decode().strip("\r\n").split("\n") if not line.startswith(":"))


def get_streams(server):
    session = open_session(server)
    with step("GET wants an event stream (MCP-138)"):
        call(server, "GET", Accept="application/json", **session).expect(406)
        first, answer = open_stream(server, session)
        answer.expect(200)
        check.need(answer.headers["content-type"] == "text/event-stream", answer.headers)
    with step("a change comes on it, the answer does not (MCP-139)"):
        answer = call(server, "POST", tool(7, "test_trigger_tool_change"), Accept="application/json", **session)
        check.need(answer.expect(200).json()["id"] == 7, answer.body)
        message = first.message()
        check.need(message["method"] == "notifications/tools/list_changed", message)
    with step("a second GET replaces the first (MCP-141)"):
        second, answer = open_stream(server, session)
        answer.expect(200)
        while first.chunk():
            pass  # its end
        call(server, "POST", tool(8, "test_trigger_tool_change"), Accept="application/json", **session)
        message = second.message()
        check.need(message["method"] == "notifications/tools/list_changed", message)
        second.socket.close()


def resumption(server):
    session = open_session(server)
    with step("ids of events name stream and place (MCP-145)"):
        post = wire.Wire(server)
        answer = post.ask("POST", "/mcp", tool(5, "test_reconnection"), **session)
        check.need(answer.headers["content-type"] == "text/event-stream", answer.headers)
        place = lines_of(post.chunk())["id"]
        check.need(re.fullmatch(r"[0-9a-z]+-[0-9a-z]+", place), place)
        while post.chunk():
            pass  # the server lets the connection go, not the stream
    with step("what follows is sent once, and then the stream ends (MCP-149)"):
        again, answer = open_stream(server, session, Last_Event_ID=place)
        answer.expect(200)
        message = again.message()
        check.need(message["id"] == 5 and "result" in message, message)
        while again.chunk():
            pass
    with step("malformed and foreign event ids (MCP-149)"):
        for bad in ("nonsense", "!", place + "-1"):
            _, answer = open_stream(server, session, Last_Event_ID=bad)
            answer.expect(400)
        other = open_session(server)
        _, answer = open_stream(server, other, Last_Event_ID=place)
        answer.expect(400)


def modern_streams(server):
    def ask(number, name, meta=None, accept=wire.BOTH):
        headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": name}
        message = wire.modern(number, "tools/call", name=name, arguments={})
        message["params"]["_meta"].update(meta or {})
        connection = wire.Wire(server)
        return connection, connection.ask("POST", "/mcp", message, Accept=accept, **headers)

    with step("quick and quiet: JSON; with progress: a stream (MCP-112)"):
        _, answer = ask(1, "test_simple_text")
        check.need(answer.headers["content-type"] == "application/json", answer.headers)
        stream, answer = ask(2, "test_tool_with_progress", {"progressToken": "p"})
        check.need(answer.headers["content-type"] == "text/event-stream", answer.headers)
    with step("progress, the answer, the end; no ids (MCP-153)"):
        seen = []
        while True:
            piece = stream.chunk()
            if not piece:
                break
            fields = lines_of(piece)
            if fields:
                check.need("id" not in fields and "retry" not in fields, fields)
                seen.append("progress" if "notifications/progress" in fields["data"] else "answer")
        check.need(seen[-1] == "answer" and set(seen[:-1]) == {"progress"}, seen)
    with step("only an event stream is accepted (MCP-112)"):
        stream, answer = ask(3, "test_simple_text", accept="text/event-stream")
        check.need(answer.headers["content-type"] == "text/event-stream", answer.headers)
        check.need(stream.message()["id"] == 3, "the answer")


with wire.Server("--http", "127.0.0.1:0") as the_server:
    get_streams(the_server)
    resumption(the_server)
    modern_streams(the_server)
sys.exit(check.failures > 0)
