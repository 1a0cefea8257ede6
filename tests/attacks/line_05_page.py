#!/usr/bin/env python3
"""line_05_page.py - WebSocket and event streams, which a browser opens without asking first: the same checks as POST.

CVE-2025-52882; MCP-163; workbench.md T6, T14.
"""
import line
import daemon
from attack import EVIL, Attack, Server, frame, request, status_is
import check
from doors import UPGRADE, ask

SUITE = line.SUITE


def websocket(server):
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


def streams(server):
    """What an EventSource or a WebSocket of another page sends: it has no way to add a header, and needs none here."""
    for name, make in (("GET /sse", lambda **extra: server.head(method="GET", target="/sse", Content_Type=None,
                                                                Accept="text/event-stream", **extra)),
                       ("GET /mcp", lambda **extra: server.head(method="GET", Content_Type=None,
                                                                Accept="text/event-stream", **extra)),
                       ("GET /ws", server.handshake)):
        with Attack(server, SUITE, f"{name}: opened by a page of somebody else"):
            for extra, wanted in (({"Origin": EVIL}, 403), ({"Origin": "null"}, 403),
                                  ({"Origin": EVIL, "Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "websocket"}, 403),
                                  ({"Origin": "vscode-webview://x"}, 403), ({"Origin": "file://"}, 403),
                                  ({"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors"}, 403),
                                  ({"Host": "evil.example.com"}, (400, 403)), ({"Authorization": None}, 401),
                                  ({"Authorization": None, "Cookie": f"token={server.token}"}, 401),
                                  ({"Authorization": None, "Origin": server.root, "Sec_Fetch_Site": "same-origin"}, 401)):
                server.from_elsewhere()
                answer = server.once(make(**extra))
                status_is(answer, wanted)
                check.need(not any(key.startswith("access-control") for key in answer.headers), answer.headers)


def bridge(home):
    """Claude Code's IDE bridge listened for any page (CVE-2025-52882): ours takes no page at all."""
    found = home.discovery()
    good = {"Authorization": f"Bearer {found['token']}"}
    strangers = [f"http://127.0.0.1:{found['httpPort']}", f"https://127.0.0.1:{found['bridgePort']}",
                 f"http://127.0.0.2:{found['bridgePort']}", EVIL, "null", "file://", "vscode-webview://abc",
                 "chrome-extension://abcdef", ""]
    with line.step("the bridge: a page of another origin, the daemon's own page too, with and without the token"):
        for origin in strangers:
            for extra in (good, {}):
                answer = ask(found["bridgePort"], "GET", "/ws", **UPGRADE, Origin=origin, **extra)
                check.need(answer[0] in (401, 403), f"{origin}: {answer[0]}")
    with line.step("the page's own way in takes the token as a subprotocol from our own origin alone"):
        main = found["httpPort"]
        for origin, wanted in ((f"http://127.0.0.1:{main}", 101), (f"http://127.0.0.1:{main + 1}", 403),
                               (f"https://127.0.0.1:{main}", 403), (EVIL, 403)):
            got = ask(main, "GET", "/ws", **UPGRADE, Origin=origin,
                      Sec_WebSocket_Protocol=f"mcp, bearer.{found['token']}")[0]
            check.need(got == wanted, f"{origin}: {got}")
        got = ask(main, "GET", "/ws", **UPGRADE, Origin=f"http://127.0.0.1:{main}",
                  Sec_WebSocket_Protocol="mcp, bearer." + "x" * 43)[0]
        check.need(got == 401, f"a wrong token: {got}")


def frames(server):
    """An open WebSocket is no way around what is checked of a POST."""
    with Attack(server, SUITE, "one principal's WebSocket cannot speak for another"), server.websocket() as wire:
        wire.send(frame(request("tools/list", {"_meta": {"authorization": f"Bearer {server.tokens['bob']}"}})))
        wire.fill()
        check.need(b'"error"' in wire.buffer, wire.buffer[:200])


def main():
    with line.conformance() as words:
        server = Server(words)
        for part in (websocket, streams, frames):
            part(server)
    with daemon.Home() as home:
        home.foreground()
        bridge(home)
        home.stop()
    line.end()


main()
