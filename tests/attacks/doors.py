#!/usr/bin/env python3
"""doors.py URL PID NAME=TOKEN... - who may come in: DNS rebinding, pages of other sites, tokens.

MCP-101 to MCP-105, MCP-109, MCP-163; T10: after twenty guesses the refusal is 429.
"""
import sys

from attack import EVIL, Attack, Server, request, status_is, trigger
import check

SUITE = "attack-doors"
PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'


def ways(server):
    """Every way in: name, and a function that makes the bytes of a request with other headers."""
    def http(method, target, body=b""):
        return lambda **extra: server.head(body, method=method, target=target, **extra) + body

    return [("POST /mcp", http("POST", server.path, PING)), ("GET /mcp", http("GET", server.path)),
            ("DELETE /mcp", http("DELETE", server.path)),
            ("OPTIONS /mcp", http("OPTIONS", server.path)), ("GET /sse", http("GET", "/sse")),
            ("POST /messages", http("POST", "/messages?sessionId=x", PING)),
            ("OPTIONS /messages", http("OPTIONS", "/messages")),
            ("GET /ws", server.handshake)]


def rebinding(server):
    port = server.address[1]
    hosts = ["evil.example.com", f"evil.example.com:{port}", "localhost.evil.example.com",
             "127.0.0.1.evil.example.com", f"127.0.0.1@evil.example.com:{port}", "127.0.0.2",
             "2130706433", "0x7f000001", "[::ffff:127.0.0.1]", "0.0.0.0", "localhost.", "LOCALHOST.",
             f"127.0.0.1:{port}@evil.example.com", "127.0.0.1 evil.example.com", "127.1", "[::1%25lo]"]
    origins = [EVIL, "https://evil.example.com", "null", "NULL", f"http://127.0.0.1:{port + 1}",
               "http://127.0.0.1", f"https://127.0.0.1:{port}", f"http://127.0.0.1:{port}.evil.com",
               f"http://127.0.0.1:{port}@evil.com", f"http://evil.com#127.0.0.1:{port}",
               f"http://localhost.evil.com:{port}", "file://", "chrome-extension://abcdef",
               f"http://127.0.0.1:{port} {EVIL}", f"{EVIL} http://127.0.0.1:{port}", f"127.0.0.1:{port}",
               f"http://127.0.0.1:0{port}", f"http://127.0.0.1:{port}/", f"ws://127.0.0.1:{port}"]
    for name, make in ways(server):
        with Attack(server, SUITE, f"DNS rebinding: {name} by another Host"):
            for host in hosts:
                answer = server.once(make(Host=host))
                check.need(answer.status in (403, 400), f"Host {host}: {answer.status}")
        with Attack(server, SUITE, f"another origin: {name}"):
            for origin in origins:
                answer = server.once(make(Origin=origin))
                check.need(answer.status == 403, f"Origin {origin}: {answer.status}")
                check.need(not any(key.startswith("access-control") for key in answer.headers),
                           f"Origin {origin}: CORS headers")
        with Attack(server, SUITE, f"two Hosts, two Origins, none: {name}"):
            text = make()
            blank = text.index(b"\r\n") + 2
            for line, wanted in ((f"Host: {server.host}", 400), ("Host: evil.example.com", 400)):
                status_is(server.once(text[:blank] + line.encode() + b"\r\n" + text[blank:]), wanted)
            good = make(Origin=server.root)
            twice = good[:blank] + f"Origin: {EVIL}\r\n".encode() + good[blank:]
            status_is(server.once(twice), 403)
            status_is(server.once(make(Host=None)), 400)
            status_is(server.once(make(Host="")), (400, 403))


def cross_site(server):
    """What a page somewhere else can make a browser send, with no answer readable by it."""
    for name, make in ways(server):
        with Attack(server, SUITE, f"Sec-Fetch-Site: {name}"):
            for site in ("cross-site", "same-site", "CROSS-SITE", "same-origin, cross-site", "x"):
                status_is(server.once(make(Sec_Fetch_Site=site)), 403)
    with Attack(server, SUITE, "Sec-Fetch-Site given twice"):
        status_is(server.once(server.head(PING, more=["Sec-Fetch-Site: same-origin",
                                                      "Sec-Fetch-Site: cross-site"]) + PING), 403)
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data",
                 "text/plain; application/json", "text/json", "application/json5",
                 "application/jsonx", "application/*", "*/*", "application/json, text/plain", "", None):
        with Attack(server, SUITE, f"a form's Content-Type: {kind}"):
            for target in (server.path, "/messages?sessionId=x"):
                status_is(server.once(trigger(server, target=target, Content_Type=kind)), 415)
    with Attack(server, SUITE, "two Content-Types"):
        for first, second in (("application/json", "text/plain"), ("text/plain", "application/json")):
            status_is(server.once(trigger(server, Content_Type=first, more=[f"Content-Type: {second}"])), 415)
    with Attack(server, SUITE, "a page of the server's own address, without a token"):
        status_is(server.post(PING, Origin=server.root, Authorization=None,
                              Sec_Fetch_Site="same-origin"), 401)


def tokens(server):
    good = server.token
    wrong = [None, "", "Bearer", "Bearer ", "Bearer  " , f"Bearer {good[:-1]}", f"Bearer {good}x",
             f"Bearer x{good}", f"Bearer {good.upper()}", f"Basic {good}", good, f"Bearer {good},x",
             f"Bearer {good} x", f"Bearer, {good}", f"Bearer={good}", f"Token {good}",
             'Bearer "' + good + '"', f"Bearer {good}\x00"[:-1] + "%00", f"Bearer {'a' * 8000}"]
    for name, make in ways(server):
        with Attack(server, SUITE, f"without the right token: {name}"):
            for value in wrong:
                server.from_elsewhere()
                answer = server.once(make(Authorization=value))
                check.need(answer.status == 401, f"{value!r}: {answer.status}")
                check.need(answer.headers.get("www-authenticate", "").lower().startswith("bearer"),
                           "no WWW-Authenticate")
                check.need(good.encode() not in answer.body, "the token is in the answer")
    server.from_elsewhere()
    with Attack(server, SUITE, "two Authorization headers"):
        for first, second in ((good, "wrong-wrong-wrong-wrong"), ("wrong-wrong-wrong-wrong", good)):
            text = server.head(PING, Authorization=f"Bearer {first}",
                               more=[f"Authorization: Bearer {second}"])
            status_is(server.once(text + PING), (400, 401))
    for target in (server.path, "/sse", "/ws", "/messages"):
        with Attack(server, SUITE, f"a token in the query string of {target}"):
            for field in ("token", "access_token", "bearer", "Authorization", "ticket", "api_key"):
                where = f"{target}?{field}={good}"
                if target == "/ws":
                    text = server.handshake(target=where, Authorization=None)
                else:
                    method = "GET" if target == "/sse" else "POST"
                    text = server.head(PING, method=method, target=where, Authorization=None) + PING
                status_is(server.once(text), 401)
    with Attack(server, SUITE, "a token as cookie, and in other headers"):
        for name in ("Cookie", "X_Authorization", "Proxy_Authorization", "X_Api_Key",
                     "Mcp_Session_Id"):
            extra = {name: f"token={good}" if name == "Cookie" else f"Bearer {good}"}
            status_is(server.post(PING, Authorization=None, **extra), 401)
    with Attack(server, SUITE, "guessing is slowed down, and locks nobody out"):
        for _ in range(25):
            answer = server.post(PING, Authorization="Bearer guess-guess-guess-guess")
        status_is(answer, 429)
        check.need(0 < int(answer.headers["retry-after"]) <= 30, answer.headers)
        status_is(server.post(request("tools/list")), 200)
    with Attack(server, SUITE, "no cookie is ever set"):
        check.need("set-cookie" not in server.post(PING).headers, "Set-Cookie")


def websocket(server):
    server.from_elsewhere()  # the last one has guessed too often
    subprotocol = {"Authorization": None}
    rows = [("wrong token as subprotocol", {"Sec_WebSocket_Protocol": "mcp, bearer.wrong-wrong-wrong",
                                            **subprotocol}, 401),
            ("an empty token as subprotocol", {"Sec_WebSocket_Protocol": "mcp, bearer.",
                                               **subprotocol}, 401),
            ("only other subprotocols", {"Sec_WebSocket_Protocol": "chat"}, 400),
            ("no Upgrade", {"Upgrade": None}, (400, 426)), ("Upgrade: h2c", {"Upgrade": "h2c"}, (400, 426)),
            ("no Connection", {"Connection": None}, (400, 426)),
            ("version 8", {"Sec_WebSocket_Version": "8"}, (400, 426)),
            ("no key", {"Sec_WebSocket_Key": None}, 400),
            ("a short key", {"Sec_WebSocket_Key": "AAAA"}, 400)]
    for name, extra, status in rows:
        with Attack(server, SUITE, f"WebSocket handshake: {name}"), server.wire() as wire:
            # Frames behind a refused handshake are not messages.
            data = server.handshake(**extra) + b"\x81\x80\0\0\0\0" + b"\x88\x80\0\0\0\0"
            status_is(wire.send(data).answer(), status)
    with Attack(server, SUITE, "WebSocket handshake by POST"), server.wire() as wire:
        text = server.handshake().replace(b"GET ", b"POST ", 1)
        status_is(wire.send(text).answer(), (405, 400))


def main():
    server = Server(sys.argv[1:])
    for part in (rebinding, cross_site, tokens, websocket):
        part(server)
    with Attack(server, SUITE, "the right door still opens"):
        status_is(server.post(request("tools/list")), 200)
    return 1 if check.failures else 0


sys.exit(main())
