#!/usr/bin/env python3
"""ws.py - JSON-RPC over WebSocket, frame by frame: MCP-104, MCP-161 to MCP-164."""
import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import wire  # noqa: E402

SUITE = "ws"
TEXT, BINARY, PING, PONG = 1, 2, 9, 10


def step(name):
    return check.Step(SUITE, name)


def connect(server, **headers):
    connection = wire.Wire(server)
    answer = connection.upgrade(**headers)
    answer.expect(101)
    return connection


def handshakes(server):
    rows = [
        ("no upgrade", {"Upgrade": None, "Connection": None}, 426, "Upgrade: websocket"),
        ("another protocol", {"Upgrade": "h2c"}, 426, "Upgrade: websocket"),
        ("no version", {"Sec-WebSocket-Version": None}, 426, "must be 13"),
        ("an old version", {"Sec-WebSocket-Version": "8"}, 426, "must be 13"),
        ("no key", {"Sec-WebSocket-Key": None}, 400, "Sec-WebSocket-Key"),
        ("a short key", {"Sec-WebSocket-Key": "QUJD"}, 400, "Sec-WebSocket-Key"),
        ("other subprotocols only", {"Sec-WebSocket-Protocol": "soap, wamp"}, 400, "subprotocol mcp"),
        ("another host", {"Host": "evil.example"}, 403, "Host or Origin"),
        ("another origin", {"Origin": "http://evil.example"}, 403, "Host or Origin"),
    ]
    for name, headers, status, words in rows:
        with step(name), wire.Wire(server) as connection:
            connection.upgrade(**headers).expect(status, words)
            connection.call("POST", "/mcp", wire.request(1, "tools/list")).expect(200)
    with step("POST"), wire.Wire(server) as connection:
        answer = connection.call("POST", "/ws", wire.request(1, "ping"))
        answer.expect(405, "Method not allowed")
        check.need(answer.headers["allow"] == "GET", answer.headers)
    with step("mcp is chosen among others"):
        with wire.Wire(server) as connection:
            answer = connection.upgrade(**{"Sec-WebSocket-Protocol": "soap, mcp"})
            check.need(answer.headers["sec-websocket-protocol"] == "mcp", answer.headers)
    with step("no subprotocol is accepted, and none answered"):
        with wire.Wire(server) as connection:
            answer = connection.upgrade(**{"Sec-WebSocket-Protocol": None})
            answer.expect(101)
            check.need("sec-websocket-protocol" not in answer.headers, answer.headers)
    with step("frames behind the handshake, in one packet"):
        with wire.Wire(server) as connection:
            ask = connection.socket.sendall
            data = json.dumps(wire.request(1, "ping")).encode()
            frame = bytes([0x81, 0x80 | len(data)]) + bytes(4) + data
            connection.socket = Behind(connection.socket, frame)
            connection.upgrade().expect(101)
            check.need(connection.hear()["result"] == {}, "the answer")
            check.need(ask, "")


class Behind:
    """A socket that sends this behind whatever is sent first."""

    def __init__(self, inner, behind):
        self.inner, self.behind = inner, behind

    def sendall(self, data):
        self.inner.sendall(data + self.behind)
        self.behind = b""

    def recv(self, size):
        return self.inner.recv(size)

    def close(self):
        self.inner.close()


def conversation(server):
    with step("both eras on one connection"):
        with connect(server) as connection:
            connection.say(wire.modern(1, "server/discover"))
            check.need("supportedVersions" in connection.hear()["result"], "discover")
            connection.say(wire.request(2, "tools/list"))
            error = connection.hear()["error"]
            check.need(error["code"] == -32602 and "initialize" in error["message"], error)
            connection.say(wire.initialize(3))
            check.need(connection.hear()["result"]["protocolVersion"] == "2025-06-18", "initialize")
            connection.say(wire.INITIALIZED)
            connection.say(wire.request(4, "tools/list"))
            check.need(connection.hear()["result"]["tools"], "tools/list")
            connection.say(wire.modern(5, "tools/call", name="test_simple_text", arguments={}))
            check.need(connection.hear()["result"]["resultType"] == "complete", "a modern call")
            connection.say(wire.initialize(6))
            check.need(connection.hear()["error"]["code"] == -32600, "a second initialize")
    with step("state is the connection's own"):
        with connect(server) as one, connect(server) as two:
            one.say(wire.initialize())
            one.hear()
            two.say(wire.request(1, "tools/list"))
            check.need(two.hear()["error"]["code"] == -32602, "the other has not initialized")
    with step("cancellation by notification"):
        with connect(server) as connection:
            connection.say(wire.modern("slow", "tools/call", name="slow_compute",
                                       arguments={"seconds": 600}))
            connection.say({"jsonrpc": "2.0", "method": "notifications/cancelled",
                            "params": {"requestId": "slow"}})
            connection.say(wire.modern("next", "tools/list"))
            check.need(connection.hear()["id"] == "next", "the cancelled one is silent")
    with step("listen streams by subscription id"):
        with connect(server) as connection:
            connection.say(wire.modern("L", "subscriptions/listen",
                                       notifications={"toolsListChanged": True}))
            message = connection.hear()
            check.need(message["method"] == "notifications/subscriptions/acknowledged", message)
            connection.say(wire.modern("T", "tools/call", name="test_trigger_tool_change", arguments={}))
            heard = [connection.hear(), connection.hear()]
            notice = next(m for m in heard if "method" in m)
            check.need(notice["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "L", heard)
    with step("malformed JSON is answered, the connection goes on"):
        with connect(server) as connection:
            connection.frame(TEXT, b"{")
            check.need(connection.hear()["error"]["code"] == -32700, "a parse error")
            connection.say(wire.request(1, "ping"))
            check.need(connection.hear()["id"] == 1, "the next")


def frames(server):
    with step("a ping is answered"):
        with connect(server) as connection:
            connection.frame(PING, b"hello")
            check.need(connection.read_frame() == (PONG, b"hello"), "a pong")
    with step("a message in pieces, a ping between them"):
        with connect(server) as connection:
            data = json.dumps(wire.request(1, "ping")).encode()
            connection.frame(TEXT, data[:5], last=False)
            connection.frame(PING, b"")
            connection.frame(0, data[5:])
            check.need(connection.read_frame() == (PONG, b""), "a pong")
            check.need(connection.hear()["id"] == 1, "the answer")
    rows = [
        ("binary: 1003", 1003, lambda c: c.frame(BINARY, b"{}")),
        ("bad UTF-8: 1007", 1007, lambda c: c.frame(TEXT, b"\xff")),
        ("not masked: 1002", 1002, lambda c: c.frame(TEXT, b"{}", masked=False)),
        ("reserved bits: 1002", 1002, lambda c: c.frame(TEXT | 0x40, b"{}")),
        ("too large: 1009", 1009, lambda c: c.frame(TEXT, bytes((16 << 20) + 1))),
        ("a close frame is answered", 1000, lambda c: c.frame(8, b"\x03\xe8")),
    ]
    for name, code, send in rows:
        with step(name), connect(server) as connection:
            send(connection)
            check.need(connection.close_code() == code, name)
            check.need(connection.is_over(), "the connection is still open")


def ends(server):
    with step("the end of the connection cancels everything"):
        before = check.descriptors(server.process.pid)
        connection = connect(server)
        connection.say(wire.modern(1, "tools/call", name="slow_compute", arguments={"seconds": 600}))
        connection.say(wire.modern(2, "subscriptions/listen", notifications={"toolsListChanged": True}))
        connection.hear()
        connection.socket.close()
        deadline = time.monotonic() + 30
        while check.descriptors(server.process.pid) > before:
            check.need(time.monotonic() < deadline, "the descriptor is still open")
            time.sleep(0.05)


def tokens():
    token = "ann-ann-ann-ann-1"
    options = ("--http", "127.0.0.1:0", "--token", f"ann={token}")
    with wire.Server(*options) as server:
        with step("no token, no upgrade"), wire.Wire(server) as connection:
            answer = connection.upgrade()
            answer.expect(401, "Send the token")
            check.need(answer.headers["www-authenticate"] == 'Bearer realm="tenon"', answer.headers)
        with step("a wrong token"), wire.Wire(server) as connection:
            answer = connection.upgrade(Authorization="Bearer ann-ann-ann-ann-2")
            answer.expect(401)
            check.need("invalid_token" in answer.headers["www-authenticate"], answer.headers)
        with step("the token as subprotocol is off"), wire.Wire(server) as connection:
            connection.upgrade(**{"Sec-WebSocket-Protocol": f"mcp, bearer.{token}"}).expect(401)
        with step("the token in its header"), wire.Wire(server) as connection:
            connection.upgrade(Authorization=f"Bearer {token}").expect(101)
    with wire.Server(*options, "--bearer-subprotocol") as server:
        with step("the token as subprotocol, switched on; it is not repeated"):
            with wire.Wire(server) as connection:
                answer = connection.upgrade(**{"Sec-WebSocket-Protocol": f"mcp, bearer.{token}"})
                answer.expect(101)
                check.need(answer.headers["sec-websocket-protocol"] == "mcp", answer.headers)
        with step("a wrong one there"), wire.Wire(server) as connection:
            answer = connection.upgrade(**{"Sec-WebSocket-Protocol": "mcp, bearer.ann-ann-ann-ann-2"})
            answer.expect(401)
            check.need("invalid_token" in answer.headers["www-authenticate"], answer.headers)
        with step("only there"), wire.Wire(server) as connection:
            connection.call("POST", "/mcp", wire.request(1, "tools/list"),
                            **{"Sec-WebSocket-Protocol": f"bearer.{token}"}).expect(401)


def caps():
    with wire.Server("--http", "127.0.0.1:0", "--connections", "2") as server:
        with step("the cap of connections"):
            one, two = connect(server), connect(server)
            with wire.Wire(server) as three:
                answer = three.upgrade()
                answer.expect(503, "too many connections")
                check.need(answer.headers["retry-after"] == "1", answer.headers)
            with wire.Wire(server) as plain:  # counted together with those that speak HTTP
                plain.call("POST", "/mcp", wire.request(1, "ping")).expect(503)
            one.socket.close()
            two.say(wire.request(1, "ping"))
            check.need(two.hear()["id"] == 1, "the others go on")
            deadline = time.monotonic() + 30
            while True:
                with wire.Wire(server) as again:
                    if again.upgrade().status == 101:
                        break
                check.need(time.monotonic() < deadline, "room again")


def drain():
    server = wire.Server("--http", "127.0.0.1:0")
    with step("SIGTERM: the call is answered, the listener ended, close 1001, exit 0"):
        connection = connect(server)
        connection.say(wire.modern("L", "subscriptions/listen", notifications={"toolsListChanged": True}))
        connection.hear()
        connection.say(wire.modern("S", "tools/call", name="slow_compute", arguments={"seconds": 1}))
        connection.say(wire.modern("T", "tools/list"))
        check.need(connection.hear()["id"] == "T", "what came behind it")
        idle = connect(server)
        server.process.terminate()
        check.need(idle.close_code() == 1001, "the idle one is closed at once")
        idle.frame(8, b"\x03\xe9")
        heard = [connection.hear(), connection.hear()]
        check.need([m["id"] for m in heard] == ["L", "S"] and all("result" in m for m in heard), heard)
        check.need(connection.close_code() == 1001, "going away")
        connection.frame(8, b"\x03\xe9")
        code = server.process.wait(30)
        check.need(code == 0, f"ended with {code}")


with wire.Server("--http", "127.0.0.1:0") as the_server:
    handshakes(the_server)
    conversation(the_server)
    frames(the_server)
    ends(the_server)
tokens()
caps()
drain()
sys.exit(check.failures > 0)
