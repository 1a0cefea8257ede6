#!/usr/bin/env python3
"""daemon.py - who may not talk to a user's daemon: pages of other origins, rebound names, other users of the
machine, anybody without the token, by any of its doors. studio.md FR-03, FR-04, ST-012; workbench.md T6, T13 to T17.
"""
import http.client
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import daemon  # noqa: E402

SUITE = "attack-daemon"
NOBODY = 65534
PING = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})
LIST = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
UPGRADE = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
           "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}


def ask(port, method, path, body=None, **headers):
    """(status, headers, body); a header given as None is left out."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    every = {"Host": f"127.0.0.1:{port}"}
    if body is not None:
        every |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    every |= {name.replace("_", "-"): value for name, value in headers.items()}
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in every.items():
        if value is not None:
            connection.putheader(name, value)
    connection.endheaders(body.encode() if body else None)
    answer = connection.getresponse()
    found = answer.status, {key.lower(): value for key, value in answer.getheaders()}, \
        b"" if answer.status == 101 else answer.read()
    connection.close()
    return found


def doors(found):
    """Name, and a function that knocks with further headers."""
    main, bridge = found["httpPort"], found["bridgePort"]

    def knock(port, method, path, body=None, **fixed):
        return lambda query="", **extra: ask(port, method, path + query, body, **(fixed | extra))

    return [("POST /mcp", knock(main, "POST", "/mcp", PING)),
            ("POST /mcp/plan", knock(main, "POST", "/mcp/plan", PING)),
            ("GET /mcp", knock(main, "GET", "/mcp")), ("DELETE /mcp", knock(main, "DELETE", "/mcp")),
            ("GET /sse", knock(main, "GET", "/sse")),
            ("POST /messages", knock(main, "POST", "/messages", PING)),
            ("GET /metrics", knock(main, "GET", "/metrics")),
            ("WebSocket /ws", knock(main, "GET", "/ws", **UPGRADE)),
            ("WebSocket /ws/plan", knock(main, "GET", "/ws/plan", **UPGRADE)),
            ("the bridge", knock(bridge, "GET", "/ws", **UPGRADE)),
            ("the bridge, one app", knock(bridge, "GET", "/ws/plan", **UPGRADE))]


def refused(answer, statuses):
    status, headers, body = answer
    check.need(status in statuses, f"{status} {body[:200]!r}, not {statuses}")
    check.need(not [name for name in headers if name.startswith("access-control") or name == "set-cookie"],
               f"headers {headers}")


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


def tokens(found, token):
    for name, knock in doors(found):
        with check.Step(SUITE, f"{name}: no token"):
            refused(knock(), (401,))
        with check.Step(SUITE, f"{name}: a token where none counts"):
            refused(knock(query=f"?token={token}"), (401,))
            refused(knock(query=f"?access_token={token}"), (401,))
            refused(knock(Cookie=f"token={token}"), (401,))
    for name, knock in doors(found):
        with check.Step(SUITE, f"{name}: a wrong token"):
            for wrong in ("Bearer wrong-wrong-wrong-wrong", f"Bearer {token[:-1]}", f"Bearer {token}x",
                          "Bearer "):
                refused(knock(Authorization=wrong), (401, 429))
    with check.Step(SUITE, "the bridge: a page's way to send a token does not count"):
        refused(ask(found["bridgePort"], "GET", "/ws", **UPGRADE,
                    Sec_WebSocket_Protocol=f"mcp, bearer.{token}"), (401, 429))
    with check.Step(SUITE, "the bridge has nothing but /ws"):
        for path in ("/", "/mcp", "/sse", "/messages", "/health", "/metrics", "/mcp/plan"):
            refused(ask(found["bridgePort"], "GET", path, Authorization=f"Bearer {token}"), (404,))


# Run as another user: what it gets without a token, and whether it can read one.
OTHER_USER = """
import http.client, json, sys
found = json.loads(sys.argv[1])
seen = []
for port, path, headers in found["doors"]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path, headers=headers)
    seen.append(connection.getresponse().status)
    connection.close()
for name in found["files"]:
    try:
        open(name).read()
        seen.append("read " + name)
    except (PermissionError, FileNotFoundError, OSError) as why:
        seen.append(type(why).__name__)
print(json.dumps(seen))
"""


def another_user(home, found):
    with check.Step(SUITE, "another user of this machine"):
        if os.geteuid() != 0:
            print("not root: another user cannot be played")
            return
        main, bridge = found["httpPort"], found["bridgePort"]
        wanted = {"doors": [[main, "/mcp", {}], [main, "/ws", UPGRADE], [main, "/metrics", {}],
                            [bridge, "/ws", UPGRADE]],
                  "files": [home.runtime("tenond.json"), home.path("state", "tenon", "tenond.log")]}
        os.chmod(home.folder, 0o755)  # the folders of ours must do
        done = subprocess.run(["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
                               sys.executable, "-c", OTHER_USER, json.dumps(wanted)], timeout=60,
                              capture_output=True, check=True, cwd="/")
        seen = json.loads(done.stdout)
        check.need(set(seen[:4]) <= {401, 429}, seen)
        check.need(seen[4:] == ["PermissionError"] * 2, seen)
        status = subprocess.run(["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
                                 sys.executable, "-c",
                                 "import socket,sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])",
                                 home.runtime("person.sock")], capture_output=True, check=False, cwd="/")
        check.need(status.returncode != 0, "person.sock let another user in")


def main():
    with daemon.Home() as home:
        home.foreground()
        found = home.discovery()
        good = {"Authorization": f"Bearer {found['token']}"}
        with check.Step(SUITE, "with the token every door opens"):
            status, _, body = ask(found["httpPort"], "POST", "/mcp", LIST, **good)
            check.need(status == 200 and b"terraform_explain" in body, body[:200])
            for port, path in ((found["httpPort"], "/ws"), (found["bridgePort"], "/ws"),
                               (found["bridgePort"], "/ws/plan")):
                check.need(ask(port, "GET", path, **UPGRADE, **good)[0] == 101, path)
            check.need(ask(found["httpPort"], "GET", "/health")[0] == 200, "health")
        pages(found, good["Authorization"])
        tokens(found, found["token"])
        another_user(home, found)
        with check.Step(SUITE, "and after all that the right token still opens"):
            check.need(ask(found["httpPort"], "POST", "/mcp", PING, **good)[0] in (200, 400), "ping")
            check.need(ask(found["bridgePort"], "GET", "/ws", **UPGRADE, **good)[0] == 101, "bridge")
            check.need(found["token"] not in home.log(), "the token is in the log")
        home.stop()
    return 1 if check.failures else 0


sys.exit(main())
