#!/usr/bin/env python3
"""line_09_handles.py - what one client holds is of no use to another.

Sealed states, tasks, sessions and event streams: replayed, changed, guessed and taken from their
owner (MCP-130, MCP-133, MCP-205, MCP-290). Another's is as if unknown. A state with other arguments,
and one that has expired, are in src/mcp/ask_test.c: no fixture has both arguments and a state.
"""
import json
import random

import line
from attack import MODERN, Attack, Server, frame, request, status_is
import check

SUITE = line.SUITE
FORM = {"elicitation": {}}
TASKS = {"extensions": {"io.modelcontextprotocol/tasks": {}}, "elicitation": {}}
ASKING = "test_input_required_result_request_state"
RANDOM = random.Random(20261121)


def call(server, name, arguments=None, capabilities=None, token=None, **params):
    return server.modern("tools/call", {"name": name, "arguments": arguments or {}, **params},
                         capabilities=capabilities, token=token)


def ask(server, name=ASKING, **options):
    """The first round: the state that is to be brought back, and the question's key."""
    answer = call(server, name, capabilities=FORM, **options)
    status_is(answer, 200)
    result = answer.json()["result"]
    check.need(result.get("resultType") == "input_required", result)
    return result["requestState"], next(iter(result["inputRequests"]))


def reply(server, state, key, name=ASKING, **options):
    return call(server, name, capabilities=FORM, requestState=state, inputResponses={
        key: {"action": "accept", "content": {"ok": True, "name": "Eve", "color": "red"}}}, **options)


def is_refused(answer):
    error = answer.json().get("error")
    check.need(error and error["code"] == -32602, answer.body[:300])


# ---- sealed state ----


def states(server):
    other = server.tokens["bob"]
    with Attack(server, SUITE, "requestState: the honest way"):
        state, key = ask(server)
        answer = reply(server, state, key)
        check.need(b"state-ok" in answer.body, answer.body[:300])
    with Attack(server, SUITE, "requestState of another tool"):
        state, key = ask(server)
        is_refused(reply(server, state, key, name="test_input_required_result_tampered_state"))
        is_refused(reply(server, state, key, name="test_input_required_result_multi_round"))
    with Attack(server, SUITE, "requestState of another principal"):
        state, key = ask(server)
        is_refused(reply(server, state, key, token=other))
    with Attack(server, SUITE, "requestState over another transport, by another principal"):
        state, key = ask(server)
        with server.websocket(token=other) as wire:
            meta = {"io.modelcontextprotocol/protocolVersion": MODERN,
                    "io.modelcontextprotocol/clientCapabilities": FORM}
            wire.send(frame(request("tools/call", {
                "name": ASKING, "arguments": {}, "_meta": meta, "requestState": state,
                "inputResponses": {key: {"action": "accept", "content": {"ok": True}}}})))
            check.need(b"-32602" in message_of(wire), "taken")
    with Attack(server, SUITE, "requestState with each byte changed"):
        state, key = ask(server)
        for at in range(len(state)):
            letter = "A" if state[at] != "A" else "B"
            is_refused(reply(server, state[:at] + letter + state[at + 1:], key))
    with Attack(server, SUITE, "requestState cut, longer, empty, doubled, of others"):
        state, key = ask(server)
        for bad in ([state[:at] for at in range(0, len(state), 3)]
                    + [state + end for end in ("A", "AAAA", "=", "\n", " ", "\x00")]
                    + [state + state, state.swapcase(), state[::-1], "x" * 70000, "null", "{}", "é" * 50]):
            is_refused(reply(server, bad, key))
        for bad in (5, None, [], {}, True):
            answer = reply(server, bad, key)
            check.need("error" in answer.json(), f"{bad!r}: {answer.body[:200]}")
    with Attack(server, SUITE, "two states spliced"):
        one, key = ask(server)
        two, _ = ask(server)
        for at in range(4, min(len(one), len(two)), 5):
            if one[:at] + two[at:] not in (one, two):
                is_refused(reply(server, one[:at] + two[at:], key))
    with Attack(server, SUITE, "states of the same call are never the same"):
        made = {ask(server)[0] for _ in range(50)}
        check.need(len(made) == 50, f"{len(made)} of 50")
    with Attack(server, SUITE, "the state does not show what is in it"):
        state, _ = ask(server)
        check.need("asked" not in state and b"asked" not in decode(state), "readable")


def decode(text):
    import base64
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def message_of(wire):
    """The next whole message of a WebSocket, as bytes."""
    _, size = wire.exactly(2)
    if size >= 126:
        size = int.from_bytes(wire.exactly(2 if size == 126 else 8), "big")
    return wire.exactly(size)


# ---- tasks ----


def task(server, token=None, seconds=1):
    answer = call(server, "slow_compute", {"seconds": seconds}, capabilities=TASKS, token=token)
    status_is(answer, 200)
    found = json.dumps(answer.json()["result"])
    at = found.index("tsk_")
    return found[at:found.index('"', at)]


def guesses(handle):
    """Ids near one that exists, and ids like it."""
    head, tail = handle.split("_", 1) if "_" in handle else ("", handle)
    head = head + "_" if head else ""
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    near = [head + tail[:at] + letters[(letters.find(tail[at]) + 1) % 32] + tail[at + 1:]
            for at in range(len(tail))]
    alike = [head + "".join(RANDOM.choice(letters) for _ in tail) for _ in range(100)]
    odd = [handle[:-1], handle + "a", handle.upper(), handle.swapcase(), handle + "\x00", " " + handle,
           head, tail, "", "*", "%", "../" + handle, handle + "/..", "0", "1", "-1", "' or '1'='1",
           "a" * 255, "null"]
    return [text for text in near + alike + odd if text != handle]


def tasks(server):
    other = server.tokens["bob"]
    with Attack(server, SUITE, "another's task"):
        mine = task(server)
        for method in ("tasks/get", "tasks/cancel", "tasks/update"):
            answer = server.modern(method, {"taskId": mine, "inputResponses": {}}, token=other,
                                   capabilities=TASKS)
            unknown = server.modern(method, {"taskId": "tsk_" + "a" * 26, "inputResponses": {}}, token=other,
                                    capabilities=TASKS)
            check.need("error" in answer.json(), f"{method}: {answer.body[:200]}")
            check.need((answer.status, answer.json()["error"]) == (unknown.status, unknown.json()["error"]),
                       f"{method} tells it from one that does not exist: {answer.body} {unknown.body}")
        answer = server.modern("tasks/get", {"taskId": mine}, capabilities=TASKS)
        check.need("result" in answer.json(), f"its owner: {answer.body[:200]}")
    with Attack(server, SUITE, "guessed tasks"):
        mine = task(server)
        for text in guesses(mine):
            answer = server.modern("tasks/get", {"taskId": text}, capabilities=TASKS,
                                   Mcp_Name="=?base64?" + b64(text) + "?=")
            check.need("error" in answer.json(), f"{text!r}: {answer.body[:200]}")
    with Attack(server, SUITE, "ids of tasks do not follow each other"):
        made = [task(server) for _ in range(20)]
        check.need(len(set(made)) == 20, "the same twice")
        for at in range(4, min(map(len, made))):
            check.need(len({text[at] for text in made}) > 4, f"letter {at} hardly changes")
    with Attack(server, SUITE, "subscribing to another's task"):
        mine = task(server)
        with server.websocket(token=other) as wire:
            meta = {"io.modelcontextprotocol/protocolVersion": MODERN,
                    "io.modelcontextprotocol/clientCapabilities": TASKS}
            wire.send(frame(request("subscriptions/listen", {
                "notifications": {"taskIds": [mine]}, "_meta": meta})))
            server.modern("tasks/cancel", {"taskId": mine}, capabilities=TASKS)
            wire.send(frame(request("tools/list", {"_meta": meta}, 2)))
            seen = b""
            while b'"id":2' not in seen:
                text = message_of(wire)
                seen += text
                check.need(not (b"notifications/tasks" in text and b"status" in text), text[:300])


def b64(text):
    import base64
    return base64.b64encode(text.encode()).decode()


# ---- sessions ----


def sessions(server):
    other = server.tokens["bob"]
    ping = request("ping")
    with Attack(server, SUITE, "another token on a session"):
        mine = server.session()
        unknown = {**mine, "Mcp_Session_Id": "a" * len(mine["Mcp_Session_Id"])}
        for method in ("POST", "GET", "DELETE"):
            body = json.dumps(ping).encode() if method == "POST" else b""
            accept = {"Accept": "text/event-stream"} if method == "GET" else {}
            theirs = server.once(server.head(body, method=method, token=other, **accept, **mine) + body)
            nobody = server.once(server.head(body, method=method, token=other, **accept, **unknown) + body)
            status_is(theirs, 404)
            check.need((theirs.status, theirs.body) == (nobody.status, nobody.body),
                       "tells it from one that does not exist")
        status_is(server.post(ping, **mine), 200)
    with Attack(server, SUITE, "a session id is no token"):
        mine = server.session()
        status_is(server.post(ping, Authorization=None, **mine), 401)
    with Attack(server, SUITE, "guessed sessions"):
        mine = server.session()
        for text in guesses(mine["Mcp_Session_Id"]):
            if not all(" " < letter <= "~" for letter in text) or not text:
                continue
            answer = server.post(ping, **{**mine, "Mcp_Session_Id": text})
            check.need(answer.status in (400, 404), f"{text!r}: {answer.status}")
    with Attack(server, SUITE, "two session ids in one request"):
        mine, yours = server.session(), server.session(token=other)
        for first, second in ((mine, yours), (yours, mine), (mine, mine)):
            more = [f"Mcp-Session-Id: {second['Mcp_Session_Id']}"]
            status_is(server.post(ping, more=more, **first), 404)
            for method in ("GET", "DELETE"):
                status_is(server.once(server.head(method=method, Accept="text/event-stream", more=more,
                                                  **first)), 404)
        status_is(server.post(ping, **mine), 200)
    with Attack(server, SUITE, "a client chooses its session id"):
        hello = request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                       "clientInfo": {"name": "x", "version": "1"}})
        answer = server.post(hello, Mcp_Session_Id="chosen-by-the-attacker-00")
        check.need(answer.headers.get("mcp-session-id") != "chosen-by-the-attacker-00", "it may")
    with Attack(server, SUITE, "a deleted session stays deleted"):
        mine = server.session()
        status_is(server.once(server.head(method="DELETE", **mine)), (200, 204))
        for method in ("POST", "GET", "DELETE"):
            body = json.dumps(ping).encode() if method == "POST" else b""
            accept = {"Accept": "text/event-stream"} if method == "GET" else {}
            status_is(server.once(server.head(body, method=method, **accept, **mine) + body), 404)
    with Attack(server, SUITE, "resuming another's stream"):
        mine, yours = server.session(), server.session(token=other)
        body = json.dumps(request("tools/call", {"name": "test_tool_with_logging", "arguments": {}})).encode()
        with server.wire() as wire:
            wire.send(server.head(body, Accept="text/event-stream", **mine) + body)
            event = wire.until(b"\n\n")
        last = [line[4:] for line in event.decode().split("\n") if line.startswith("id: ")]
        check.need(last, f"no event id in {event[:200]!r}")
        for session, token in ((yours, other), (mine, other)):
            with server.wire() as wire:
                wire.send(server.head(method="GET", token=token, Accept="text/event-stream",
                                      Last_Event_ID=last[0].strip(), **session))
                status, _ = wire.head()
                wire.socket.settimeout(0.3)
                try:
                    wire.fill()
                except TimeoutError:
                    pass
                check.need(status in (400, 404) or b"data: {" not in wire.buffer, "replayed")


def event_streams(server):
    other = server.tokens["bob"]
    with Attack(server, SUITE, "HTTP+SSE: another token on a sessionId"):
        stream, target = server.sse()
        with stream:
            body = request("ping")
            status_is(server.post(body, target=target, token=other), 404)
            status_is(server.post(body, target=target, Authorization=None), 401)
            stream.socket.settimeout(0.3)
            try:
                stream.fill()
            except TimeoutError:
                pass
            check.need(b"result" not in stream.buffer, stream.buffer[:200])
    with Attack(server, SUITE, "HTTP+SSE: guessed sessionIds"):
        stream, target = server.sse()
        with stream:
            where, mine = target.split("sessionId=")
            for text in guesses(mine):
                if all("!" <= letter <= "~" and letter not in "%#'\"" for letter in text):
                    answer = server.post(request("ping"), target=f"{where}sessionId={text}")
                    check.need(answer.status in (400, 404), f"{text!r}: {answer.status}")
            status_is(server.post(request("ping"), target=f"{where}sessionId={mine}&sessionId=x"), (202, 404))
    with Attack(server, SUITE, "HTTP+SSE: a sessionId after its stream"):
        stream, target = server.sse()
        stream.socket.close()
        server.settle()
        status_is(server.post(request("ping"), target=target), 404)
    with Attack(server, SUITE, "HTTP+SSE: its sessionId is no session of /mcp, nor the other way"):
        stream, target = server.sse()
        with stream:
            status_is(server.post(request("ping"), Mcp_Session_Id=target.split("=")[1],
                                  MCP_Protocol_Version="2025-11-25"), 404)
            mine = server.session()["Mcp_Session_Id"]
            status_is(server.post(request("ping"), target=f"/messages?sessionId={mine}"), 404)


def main():
    with line.conformance() as words:
        server = Server(words)
        for part in (states, tasks, sessions, event_streams):
            part(server)
    line.end()


main()
