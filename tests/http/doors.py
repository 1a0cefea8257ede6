#!/usr/bin/env python3
"""doors.py - who may come in and how: named tokens and scopes, CORS, servers without sessions or without
the legacy eras, the order of checks. MCP-053, MCP-101 to MCP-105, MCP-129, MCP-265 to MCP-267, MCP-285."""
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import wire  # noqa: E402

SUITE = "doors"
ANN, BOB = "ann-ann-ann-ann-1", "bob-bob-bob-bob-2"
LIST = wire.request(1, "tools/list")


def step(name):
    return check.Step(SUITE, name)


def call(server, method, target, body=None, **headers):
    with wire.Wire(server) as connection:
        return connection.call(method, target, body, **headers)


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def names(answer):
    return [tool["name"] for tool in answer.expect(200).json()["result"]["tools"]]


def tokens():
    with wire.Server("--http", "127.0.0.1:0", "--token", f"ann={ANN}", "--token", f"bob={BOB}",
                     "--only", "bob=test_simple_*", "--only", "bob=test_image_content") as server:
        modern = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"}
        with step("each token its own scope, stateless"):
            check.need(len(names(call(server, "POST", "/mcp", LIST, **bearer(ANN)))) > 10, "ann sees all")
            found = names(call(server, "POST", "/mcp", LIST, **bearer(BOB)))
            check.need(found == ["test_simple_text", "test_image_content"], found)
            found = names(call(server, "POST", "/mcp", wire.modern(1, "tools/list"), **bearer(BOB), **modern))
            check.need(len(found) == 2, found)
        with step("what is out of scope is unknown"):
            answer = call(server, "POST", "/mcp", wire.request(
                2, "tools/call", name="test_audio_content", arguments={}), **bearer(BOB))
            check.need(answer.json()["error"]["code"] == -32602, answer.body)
        with step("in a session"):
            opened = call(server, "POST", "/mcp", wire.initialize(), **bearer(BOB)).expect(200)
            session = {"Mcp-Session-Id": opened.headers["mcp-session-id"]}
            check.need(len(names(call(server, "POST", "/mcp", LIST, **bearer(BOB), **session))) == 2, "two")
        with step("another's session is as if unknown: POST, GET, DELETE"):
            for method, body, accept in (("POST", LIST, wire.BOTH), ("GET", None, "text/event-stream"),
                                         ("DELETE", None, "*/*")):
                call(server, method, "/mcp", body, Accept=accept, **bearer(ANN), **session).expect(
                    404, "Session not found")
            call(server, "DELETE", "/mcp", **bearer(BOB), **session).expect(204)
        with step("over WebSocket and HTTP+SSE"):
            with wire.Wire(server) as socket:
                socket.upgrade(**bearer(BOB)).expect(101)
                socket.say(wire.modern(1, "tools/list"))
                check.need(len(socket.hear()["result"]["tools"]) == 2, "two over WebSocket")
            with wire.Wire(server) as stream:
                stream.ask("GET", "/sse", **bearer(BOB)).expect(200)
                target = stream.event()[1]
                call(server, "POST", target, wire.initialize(), **bearer(BOB)).expect(202)
                stream.message()
                call(server, "POST", target, LIST, **bearer(BOB)).expect(202)
                check.need(len(stream.message()["result"]["tools"]) == 2, "two over HTTP+SSE")
        rows = [("none", {}, 'Bearer realm="tenon"'),
                ("another scheme", {"Authorization": f"Basic {ANN}"}, 'Bearer realm="tenon"'),
                ("a wrong one", bearer("ann-ann-ann-ann-2"),
                 'Bearer realm="tenon", error="invalid_token"'),
                ("a name is no token", bearer("ann"), 'Bearer realm="tenon", error="invalid_token"')]
        for name, headers, challenge in rows:
            with step(f"401: {name}"):
                for target in ("/mcp", "/messages?sessionId=x"):
                    answer = call(server, "POST", target, LIST, **headers)
                    answer.expect(401, "Send the token as Authorization: Bearer <token>")
                    check.need(answer.headers["www-authenticate"] == challenge, answer.headers)


def order(server):
    """Each request has the fault that is told, and all that would be told later (MCP-104)."""
    size = {"Content-Length": str(17 << 20)}
    accept = {"Accept": "text/html"} | size
    kind = {"Content-Type": "text/plain"} | accept
    host = {"Host": "evil.example"} | kind
    rows = [("path", "PUT", "/nowhere", host, 404), ("host", "PUT", "/mcp", host, 403),
            ("token", "PUT", "/mcp", kind, 401), ("method", "PUT", "/mcp", kind | bearer(ANN), 405),
            ("type", "POST", "/mcp", kind | bearer(ANN), 415),
            ("accept", "POST", "/mcp", accept | bearer(ANN), 406),
            ("size", "POST", "/mcp", size | bearer(ANN), 413)]
    for name, method, target, headers, status in rows:
        with step(f"the order of checks: {name}"):
            call(server, method, target, None, **headers).expect(status)


def cors():
    page = "https://app.example"
    ask = {"Origin": page, "Access-Control-Request-Method": "POST",
           "Access-Control-Request-Headers": "content-type, mcp-param-region, x-other"}
    with wire.Server("--http", "127.0.0.1:0", "--token", f"ann={ANN}", "--cors", page) as server:
        with step("a preflight needs no token"):
            for target in ("/mcp", "/sse", "/messages"):
                answer = call(server, "OPTIONS", target, **ask).expect(204)
                found = answer.headers
                check.need(found["access-control-allow-origin"] == page, found)
                check.need(found["vary"] == "Origin", found)
                check.need(found["access-control-allow-methods"] == "POST, GET, DELETE, OPTIONS", found)
                allowed = found["access-control-allow-headers"].lower().split(", ")
                check.need({"authorization", "mcp-method", "mcp-param-region"} < set(allowed), found)
                check.need("x-other" not in allowed, found)
                check.need(found["access-control-max-age"] == "600", found)
        with step("another origin's preflight is refused, without headers"):
            answer = call(server, "OPTIONS", "/mcp", **(ask | {"Origin": "https://evil.example"}))
            answer.expect(403)
            check.need("access-control-allow-origin" not in answer.headers, answer.headers)
        with step("answers name the origin, errors too"):
            for headers, status in ((bearer(ANN), 200), ({}, 401)):
                answer = call(server, "POST", "/mcp", LIST, Origin=page, **headers).expect(status)
                check.need(answer.headers["access-control-allow-origin"] == page, answer.headers)
                check.need("Mcp-Session-Id" in answer.headers["access-control-expose-headers"], "expose")
        with step("streams name it, too"), wire.Wire(server) as stream:
            answer = stream.ask("GET", "/sse", Origin=page, **bearer(ANN)).expect(200)
            check.need(answer.headers["access-control-allow-origin"] == page, answer.headers)
        with step("without Origin only Vary"):
            answer = call(server, "POST", "/mcp", LIST, **bearer(ANN)).expect(200)
            check.need("access-control-allow-origin" not in answer.headers, answer.headers)
            check.need(answer.headers["vary"] == "Origin", answer.headers)
        with step("OPTIONS that is no preflight"):
            call(server, "OPTIONS", "/mcp", **bearer(ANN)).expect(405)
    with wire.Server("--http", "127.0.0.1:0", "--token", f"ann={ANN}") as server:
        with step("off: OPTIONS is 405, and no CORS header"):
            answer = call(server, "OPTIONS", "/mcp", **bearer(ANN),
                          **{"Access-Control-Request-Method": "POST"}).expect(405)
            check.need(not [name for name in answer.headers if name.startswith("access-control")], "")
        order(server)


def no_sessions():
    with wire.Server("--http", "127.0.0.1:0", "--no-sessions") as server:
        with step("initialize without a session id"):
            answer = call(server, "POST", "/mcp", wire.initialize()).expect(200)
            check.need("mcp-session-id" not in answer.headers, answer.headers)
            result = answer.json()["result"]
            check.need(result["protocolVersion"] == "2025-06-18", answer.body)
            check.need(result["capabilities"]["resources"] == {}
                       and "logging" not in result["capabilities"], "nothing that a session is needed for")
            call(server, "POST", "/mcp", wire.INITIALIZED).expect(202)
        with step("requests stand alone, in the revision of their header"):
            for headers, known in (({}, False), ({"MCP-Protocol-Version": "2025-11-25"}, True)):
                answer = call(server, "POST", "/mcp", LIST, **headers).expect(200)
                check.need((b'"execution"' in answer.body) == known, "execution is of 2025-11-25 only")
            call(server, "POST", "/mcp", wire.request(1, "ping")).expect(200)
            call(server, "POST", "/mcp", {"jsonrpc": "2.0", "id": 7, "result": {}}).expect(202)
        with step("what needs a session is refused"):
            for method, params in (("resources/subscribe", {"uri": "test://x"}),
                                   ("logging/setLevel", {"level": "debug"})):
                call(server, "POST", "/mcp", wire.request(1, method, **params)).expect(
                    400, "This server keeps no sessions")
        with step("GET and DELETE: 405"):
            for method in ("GET", "DELETE"):
                answer = call(server, method, "/mcp", Accept="text/event-stream").expect(405)
                check.need(answer.headers["allow"] == "POST", answer.headers)


def no_legacy():
    with wire.Server("--http", "127.0.0.1:0", "--no-legacy") as server:
        with step("initialize: -32022 with the versions"):
            error = call(server, "POST", "/mcp", wire.initialize()).expect(400, code=-32022).json()["error"]
            check.need(error["data"] == {"supported": ["2026-07-28"], "requested": "2025-06-18"}, error)
        with step("other legacy requests"):
            call(server, "POST", "/mcp", LIST).expect(400, "io.modelcontextprotocol/protocolVersion", -32602)
        with step("the modern era"):
            call(server, "POST", "/mcp", wire.modern(1, "tools/list"), **{
                "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list"}).expect(200)
        with step("GET and DELETE: 405; /sse: 404"):
            for method in ("GET", "DELETE"):
                call(server, method, "/mcp", Accept="text/event-stream").expect(405)
            call(server, "GET", "/sse").expect(404)
        with step("over WebSocket"), wire.Wire(server) as socket:
            socket.upgrade().expect(101)
            socket.say(wire.initialize())
            check.need(socket.hear()["error"]["code"] == -32022, "initialize")
            socket.say(wire.modern(1, "tools/list"))
            check.need("result" in socket.hear(), "tools/list")


def queued_notices():
    """MCP-140: what happens without a GET stream is told when there is one, each once."""
    with wire.Server("--http", "127.0.0.1:0") as server:
        opened = call(server, "POST", "/mcp", wire.initialize()).expect(200)
        session = {"Mcp-Session-Id": opened.headers["mcp-session-id"]}
        call(server, "POST", "/mcp", wire.INITIALIZED, **session).expect(202)
        call(server, "POST", "/mcp", wire.request(2, "resources/subscribe", uri="test://watched-resource"),
             **session).expect(200)
        for number in range(3):
            call(server, "POST", "/mcp", wire.request(number, "tools/call",
                 name="test_trigger_tool_change", arguments={}), **session).expect(200)
            call(server, "POST", "/mcp", wire.request(number, "tools/call",
                 name="test_trigger_resource_update", arguments={}), **session).expect(200)
            time.sleep(0.15)
        with step("notices wait for a GET stream, coalesced"), wire.Wire(server) as stream:
            stream.ask("GET", "/mcp", Accept="text/event-stream", **session).expect(200)
            heard = sorted(stream.message()["method"] for _ in range(2))
            check.need(heard == ["notifications/resources/updated", "notifications/tools/list_changed"],
                       heard)
            call(server, "POST", "/mcp", wire.request(9, "tools/call", name="test_trigger_tool_change",
                                                      arguments={}), **session).expect(200)
            check.need(stream.message()["method"] == "notifications/tools/list_changed", "and then live")


def local_files():
    """Whoever comes by an HTTP listener may not name files of this machine, whatever it speaks."""
    place = os.path.realpath("tests/data/plan-examples/01-small-create.txt")
    ask = wire.request(3, "tools/call", name="terraform_parse", arguments={"plan_path": place})
    way = os.path.join(tempfile.mkdtemp(), "mcp.sock")
    os.environ["TENON_PLAN_PATHS"] = os.path.dirname(place)
    with wire.Server("--foreground", "plan", "--http", "127.0.0.1:0", "--no-token", "--unix", way,
                     program="tenond") as server:
        with step("no local files over Streamable HTTP"):
            check.need("path_not_allowed" in str(call(server, "POST", "/mcp", ask).json()), "refused")
        with step("nor over WebSocket"), wire.Wire(server) as socket:
            socket.upgrade().expect(101)
            socket.say(wire.initialize())
            socket.hear()
            socket.say(ask)
            check.need("path_not_allowed" in str(socket.hear()), "refused")
        with step("nor over HTTP+SSE"), wire.Wire(server) as stream:
            stream.ask("GET", "/sse").expect(200)
            target = stream.event()[1]
            call(server, "POST", target, wire.initialize()).expect(202)
            stream.message()
            call(server, "POST", target, ask).expect(202)
            check.need("path_not_allowed" in str(stream.message()), "refused")
        with step("but over a Unix socket, to its own user"), wire.Lines(way) as client:
            client.say(wire.initialize())
            client.hear()
            client.say(ask)
            answer = client.hear()
            check.need("result" in answer and not answer["result"].get("isError"), answer)
    os.rmdir(os.path.dirname(way))


def options():
    rows = [
        ("a short token", ("--token", "ann=short"), "at least 16 characters"),
        ("a token with a blank", ("--token", "ann=0123456789 0123456789"), "visible ASCII"),
        ("a name with a blank", ("--token", f"ann b={ANN}"), "A-Z a-z 0-9"),
        ("an empty name", ("--token", f"={ANN}"), "1 to 63 characters"),
        ("a name without a token", ("--only", "ann=test_*"), "at least 16 characters"),
        ("two tokens alike", ("--token", f"ann={ANN}", "--token", f"bob={ANN}"), "are alike"),
    ]
    for name, more, words in rows:
        with step(f"refused: {name}"):
            said = wire.refused("--http", "127.0.0.1:0", *more)
            check.need(words in said and ANN not in said, said)


tokens()
cors()
no_sessions()
no_legacy()
queued_notices()
local_files()
options()
sys.exit(check.failures > 0)
