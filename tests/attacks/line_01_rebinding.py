#!/usr/bin/env python3
"""line_01_rebinding.py - a page of somebody else reaches loopback: DNS rebinding, cross-site POST, CORS.

CVE-2025-49596, CVE-2025-66414, CVE-2025-66416; MCP-101 to MCP-105, MCP-109; workbench.md T13 to T15.
"""
import line
import daemon
from attack import EVIL, Attack, Server, status_is, trigger
import check
from doors import PING, doors, refused, ways

SUITE = line.SUITE


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


def pages(found, good):
    for name, knock in doors(found):
        port = found["bridgePort"] if "bridge" in name else found["httpPort"]
        with check.Step(SUITE, f"{name}: a page of another origin, even with the token"):
            for origin in ("https://evil.example", "null", f"http://127.0.0.1:{port + 1}",
                           f"http://localhost.evil.example:{port}", "http://127.0.0.1"):
                refused(knock(Authorization=good, Origin=origin), (403,))
                refused(knock(Origin=origin), (403,))
        with check.Step(SUITE, f"{name}: Sec-Fetch-Site of another site"):
            for site in ("cross-site", "same-site"):
                refused(knock(Authorization=good, Sec_Fetch_Site=site), (403,))
        with check.Step(SUITE, f"{name}: a rebound name"):
            for host in ("evil.example", f"evil.example:{port}", "localhost.evil.example", "0.0.0.0"):
                refused(knock(Authorization=good, Host=host), (403,))


def main():
    with line.conformance() as words:
        server = Server(words)
        for part in (rebinding, cross_site):
            part(server)
    with daemon.Home() as home:
        home.foreground()
        found = home.discovery()
        pages(found, f"Bearer {found['token']}")
        home.stop()
    line.end()


main()
