#!/usr/bin/env python3
"""line_26_deputy.py - nobody acts with what somebody else may: tokens of other audiences, names of others, scopes, and tokens
that would be passed on. Scopes one by one: tests/http/doors.py, src/mcp/scope_test.c."""
import base64
import json

import line
from attack import Attack, Server, frame, modern_message, request, status_is
import check
import daemon
from doors import LIST, UPGRADE, ask

SUITE = line.SUITE


def jwt(**claims):
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
    return f"{part({'alg': 'none'})}.{part(claims)}."


def audiences(server):
    bob = server.tokens["bob"]
    for name, token in {"no signature": jwt(aud="tenon", sub="alice"), "another audience": jwt(aud="https://evil.example"),
                        "everybody": jwt(aud="*", scope="*", sub="root"), "two tokens": f"{server.token} {bob}",
                        "a list": f"{server.token}, Bearer {bob}", "a name before it": f"alice={server.token}",
                        "a name": "alice"}.items():
        with Attack(server, SUITE, f"a token that is not ours: {name}"):
            server.from_elsewhere()
            status_is(server.post(request("ping"), Authorization=f"Bearer {token}"), (400, 401))


def names(server):
    """Who speaks is known by the token alone."""
    bob = server.tokens["bob"]
    for header, value in (("X_Forwarded_User", "alice"), ("X_Forwarded_For", "127.0.0.1"), ("Forwarded", "for=127.0.0.1"),
                          ("X_Real_IP", "127.0.0.1"), ("Remote_User", "alice"), ("X_Auth_Request_User", "alice"),
                          ("Mcp_Session_Id", "alice"), ("Via", "1.1 alice")):
        with Attack(server, SUITE, f"{header.replace('_', '-')} makes nobody else of the caller"):
            mine = server.session()
            answer = server.post(request("ping"), token=bob, **({**mine, header: value} if header != "Mcp_Session_Id" else mine))
            status_is(answer, 404)
    with Attack(server, SUITE, "a principal in the message is data"):
        for place in ({"principal": "alice"}, {"_meta": {"io.tenon/principal": "alice"}}, {"user": "alice"}):
            answer = server.post({**request("ping"), **place}, token=bob)
            check.need(answer.status in (200, 400), answer.status)
            mine = server.session()
            status_is(server.post({**request("ping"), **place}, token=bob, **mine), 404)


def scopes():
    """Bob may use two tools: no way of naming another one helps."""
    with line.conformance("--only", "bob=test_simple_*", "--only", "bob=test_image_content") as words:
        server = Server(words)
        bob = server.tokens["bob"]
        forbidden = ("test_trigger_tool_change", "TEST_SIMPLE_TEXT", "test_simple_text/../test_trigger_tool_change",
                     "test_simple_*", "*", "test_simple_text\0", " test_simple_text", "test_simple_", "")
        for name in forbidden:
            with Attack(server, SUITE, f"out of scope: {name!r}"):
                answer = server.post(request("tools/call", {"name": name, "arguments": {}}), token=bob)
                check.need("error" in answer.json(), answer.body[:200])
                with server.websocket(token=bob) as wire:
                    wire.send(frame(modern_message("tools/call", {"name": name, "arguments": {}})))
                    wire.fill()
                    check.need(b'"error"' in wire.buffer and b'"result"' not in wire.buffer, wire.buffer[:200])
        with Attack(server, SUITE, "a batch and a name given twice are no way either"):
            answer = server.post([request("tools/call", {"name": "test_simple_text"}),
                                  request("tools/call", {"name": "test_trigger_tool_change"}, 2)], token=bob)
            check.need(b"Tool list changed" not in answer.body, answer.body[:200])
            body = (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"test_simple_text",'
                    b'"name":"test_trigger_tool_change","arguments":{}}}')
            answer = server.post(body, token=bob)
            check.need("error" in answer.json(), answer.body[:200])
        with Attack(server, SUITE, "what is in scope is served (control)"):
            answer = server.post(request("tools/call", {"name": "test_simple_text", "arguments": {}}), token=bob)
            check.need("result" in answer.json(), answer.body[:200])


def two_tokens():
    """The client's token is not the person's, nor that of another daemon; `/mcp/plan` is plan alone."""
    with daemon.Home() as home, daemon.Home(port=20000 + (daemon.os.getpid() + 7) % 20000) as other:
        for one in (home, other):
            one.foreground()
        found, theirs = home.discovery(), other.discovery()
        good = {"Authorization": f"Bearer {found['token']}"}
        with line.step("the token of one daemon is none of another"):
            got = ask(theirs["httpPort"], "POST", "/mcp", LIST, **good)[0]
            check.need(got in (401, 429), got)
            check.need(ask(theirs["bridgePort"], "GET", "/ws", **UPGRADE, **good)[0] in (401, 429), "the bridge")
        with line.step("an endpoint of one app has no tool of another, nor what only persons have"):
            for tool in ("execute_command", "run_terraform", "approve_request", "tenon.approve_request", "change_policy"):
                body = json.dumps(request("tools/call", {"name": tool, "arguments": {"command": "true"}}))
                answer = json.loads(ask(found["httpPort"], "POST", "/mcp/plan", body, **good)[2])
                check.need("error" in answer, f"{tool}: {answer}")
        with line.step("the person's token is not handed to a client who asks in its own name"):
            for body in (request("resources/read", {"uri": "tenon://token"}), request("tools/call", {"name": "token", "arguments": {}})):
                status, headers, text = ask(found["httpPort"], "POST", "/mcp", json.dumps(body), **good)
                check.need(b"error" in text and found["token"].encode() not in text, text[:200])
        for one in (home, other):
            one.stop()


def main():
    with line.conformance() as words:
        server = Server(words)
        audiences(server)
        names(server)
    scopes()
    two_tokens()
    line.end()


main()
