#!/usr/bin/env python3
"""sse.py - the transport of 2024-11-05, byte by byte: MCP-104, MCP-130, MCP-156 to MCP-159."""
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import wire  # noqa: E402

SUITE = "sse"


def step(name):
    return check.Step(SUITE, name)


def open_stream(server, **headers):
    """A stream, and where its messages go."""
    stream = wire.Wire(server)
    answer = stream.ask("GET", "/sse", **headers)
    answer.expect(200)
    check.need(answer.headers["content-type"] == "text/event-stream", answer.headers)
    name, target = stream.event()
    check.need(name == "endpoint", name)
    return stream, target


def post(server, target, message, **headers):
    with wire.Wire(server) as connection:
        return connection.call("POST", target, message, **headers)


def conversation(server):
    with step("an endpoint first, and a session id nobody guesses"):
        stream, target = open_stream(server)
        path, number = target.split("?sessionId=")
        check.need(path == "/messages" and len(number) >= 26, target)
    with step("202, and the answer on the stream"):
        answer = post(server, target, wire.initialize())
        answer.expect(202)
        check.need(answer.body == b"Accepted", answer.body)
        check.need(stream.message()["result"]["protocolVersion"] == "2025-06-18", "initialize")
        post(server, target, wire.INITIALIZED).expect(202)
    with step("any legacy revision"):
        for version in ("2024-11-05", "2025-03-26", "2025-11-25"):
            other, place = open_stream(server)
            post(server, place, wire.initialize(version=version)).expect(202)
            check.need(other.message()["result"]["protocolVersion"] == version, version)
            other.socket.close()
    with step("progress before the answer"):
        post(server, target, wire.request(2, "tools/call", name="test_tool_with_progress", arguments={},
                                          _meta={"progressToken": "p"})).expect(202)
        message = stream.message()
        check.need(message["method"] == "notifications/progress", message)
        while "id" not in message:
            message = stream.message()
        check.need(message["id"] == 2 and "result" in message, message)
    with step("a question of the server on the stream, its answer by POST"):
        asked, place = open_stream(server)
        post(server, place, wire.initialize(elicitation={})).expect(202)
        asked.message()
        post(server, place, wire.INITIALIZED).expect(202)
        post(server, place, wire.request(3, "tools/call", name="test_elicitation",
                                         arguments={"message": "Who?"})).expect(202)
        question = asked.message()
        check.need(question["method"] == "elicitation/create", question)
        post(server, place, {"jsonrpc": "2.0", "id": question["id"],
                             "result": {"action": "decline"}}).expect(202)
        check.need(asked.message()["id"] == 3, "the answer")
        asked.socket.close()
    with step("the modern era is refused on the stream, and told where it is"):
        post(server, target, wire.modern(4, "server/discover")).expect(202)
        error = stream.message()["error"]
        check.need(error["code"] == -32600 and "/mcp" in error["message"], error)
    with step("a batch is refused, and executed in 2025-03-26"):
        post(server, target, [wire.request(5, "ping")]).expect(202)
        check.need(stream.message()["error"]["code"] == -32600, "a batch")
        other, place = open_stream(server)
        post(server, place, wire.initialize(version="2025-03-26")).expect(202)
        other.message()
        post(server, place, [wire.request(5, "ping"), wire.request(6, "ping")]).expect(202)
        check.need(len(other.message()) == 2, "a batch of two")
        other.socket.close()
    return stream, target


def refusals(server, target):
    ping = wire.request(9, "ping")
    rows = [
        ("no such path", "GET", "/sse/", None, {}, 404, "No such path"),
        ("another host", "GET", "/sse", None, {"Host": "evil.example"}, 403, "Host or Origin"),
        ("another origin", "GET", "/sse", None, {"Origin": "http://evil.example"}, 403, "Host or Origin"),
        ("POST to the stream", "POST", "/sse", ping, {}, 405, "Method not allowed"),
        ("GET of the messages", "GET", target, None, {}, 405, "Method not allowed"),
        ("OPTIONS", "OPTIONS", "/sse", None, {}, 405, "Method not allowed"),
        ("the stream as JSON", "GET", "/sse", None, {"Accept": "application/json"}, 406, "Accept"),
        ("no session id", "POST", "/messages", ping, {}, 400, "sessionId is missing"),
        ("an empty session id", "POST", "/messages?sessionId=", ping, {}, 404, "Session not found"),
        ("an unknown session", "POST", "/messages?sessionId=nobody", ping, {}, 404, "Session not found"),
        ("text", "POST", target, ping, {"Content-Type": "text/plain"}, 415, "application/json"),
        ("no JSON", "POST", target, b"{", {}, 400, "Parse error"),
        ("messages from another host", "POST", target, ping, {"Host": "evil.example"}, 403, "Host"),
        ("messages from another origin", "POST", target, ping, {"Origin": "null"}, 403, "Origin"),
        ("a page of another site", "POST", target, ping, {"Sec-Fetch-Site": "cross-site"}, 403, "Origin"),
    ]
    for name, method, place, body, headers, status, words in rows:
        with step(name), wire.Wire(server) as connection:
            answer = connection.call(method, place, body, **headers)
            answer.expect(status, words)
            if status == 405:
                check.need(answer.headers["allow"] in ("GET", "POST"), answer.headers)
    with step("too large"), wire.Wire(server) as connection:
        connection.call("POST", target, None, Content_Length=str(17 << 20)).expect(413, "too large")


def ends(server, stream, target):
    with step("closing the stream ends the session and what runs"):
        before = check.descriptors(server.process.pid)
        post(server, target, wire.request(10, "tools/call", name="slow_compute",
                                          arguments={"seconds": 600})).expect(202)
        stream.socket.close()
        deadline = time.monotonic() + 10
        while post(server, target, wire.request(11, "ping")).status != 404:
            check.need(time.monotonic() < deadline, "the session lives on")
            time.sleep(0.05)
        while check.descriptors(server.process.pid) >= before:
            check.need(time.monotonic() < deadline, "the descriptor is still open")
            time.sleep(0.05)


def tokens():
    with wire.Server("--http", "127.0.0.1:0", "--token", "ann=ann-ann-ann-ann-1",
                     "--token", "bob=bob-bob-bob-bob-2") as server:
        ann = {"Authorization": "Bearer ann-ann-ann-ann-1"}
        bob = {"Authorization": "Bearer bob-bob-bob-bob-2"}
        with step("no token, no stream"), wire.Wire(server) as connection:
            answer = connection.call("GET", "/sse")
            answer.expect(401, "Send the token")
            check.need(answer.headers["www-authenticate"] == 'Bearer realm="tenon"', answer.headers)
        with step("a token in the query string is none"), wire.Wire(server) as connection:
            connection.call("GET", "/sse?token=ann-ann-ann-ann-1").expect(401)
        stream, target = open_stream(server, **ann)
        with step("a message needs the token, too"):
            post(server, target, wire.initialize()).expect(401, "Send the token")
        with step("another's session is as if unknown"):
            post(server, target, wire.initialize(), **bob).expect(404, "Session not found")
        with step("with the token it goes"):
            post(server, target, wire.initialize(), **ann).expect(202)
            check.need("result" in stream.message(), "initialize")
        stream.socket.close()


def keep_alive():
    with wire.Server("--http", "127.0.0.1:0", "--keepalive", "200") as server:
        with step("comments on a silent stream"):
            stream, _ = open_stream(server)
            check.need(stream.event() is None and stream.event() is None, "a comment, twice")
            stream.socket.close()


def drain():
    server = wire.Server("--http", "127.0.0.1:0")
    with step("SIGTERM: the call is answered, the stream ends, exit 0"):
        stream, target = open_stream(server)
        post(server, target, wire.initialize()).expect(202)
        stream.message()
        post(server, target, wire.request(2, "tools/call", name="slow_compute",
                                          arguments={"seconds": 1})).expect(202)
        began = time.monotonic()
        code = server.stop()
        check.need(stream.message()["id"] == 2, "the answer")
        check.need(stream.event() is False, "the end of the stream")
        check.need(code == 0, f"ended with {code}")
        check.need_soon(began, 5)


with wire.Server("--http", "127.0.0.1:0") as the_server:
    the_stream, the_target = conversation(the_server)
    refusals(the_server, the_target)
    ends(the_server, the_stream, the_target)
tokens()
keep_alive()
drain()
sys.exit(check.failures > 0)
