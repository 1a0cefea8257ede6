#!/usr/bin/env python3
"""line_03_loopback.py - loopback is no authentication: another user of the machine, and whoever has no token or a wrong
one; sockets and files of the user are the user's.

T10: after twenty guesses the refusal is 429. studio.md FR-03, FR-04, ST-012; workbench.md T6, T16, T17.
"""
import json
import os
import socket
import stat
import sys

import line
import daemon
from attack import Attack, Server, request, status_is
import check
from doors import LIST, PING, UPGRADE, ask, doors, refused, ways

SUITE = line.SUITE


def tokens_of_server(server):
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


OTHER_USER = """
import http.client, json, socket, sys
found = json.loads(sys.argv[1])
seen = []
for port, path, headers in found["doors"]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path, headers=headers)
    seen.append(connection.getresponse().status)
for name in found["files"]:
    try:
        seen.append("read " + open(name).read()[:20])
    except OSError as why:
        seen.append(type(why).__name__)
for name in found["sockets"]:
    try:
        with socket.socket(socket.AF_UNIX) as door:
            door.settimeout(5)
            door.connect(name)
            door.sendall(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\\n')
            seen.append("told " + door.recv(100).decode())
    except OSError as why:
        seen.append(type(why).__name__)
print(json.dumps(seen))
"""


def another_user(home, found):
    with line.step("another user of this machine: every port, file and socket of the daemon's"):
        main, bridge = found["httpPort"], found["bridgePort"]
        wanted = {"doors": [[main, "/mcp", {}], [main, "/ws", UPGRADE], [main, "/metrics", {}], [main, "/sse", {}],
                            [bridge, "/ws", UPGRADE]],
                  "files": [home.runtime("tenond.json"), home.path("state", "tenon", "tenond.log"),
                            f"/proc/{found['pid']}/environ", f"/proc/{found['pid']}/mem"],
                  "sockets": [home.runtime("person.sock")]}
        os.chmod(home.folder, 0o755)  # the folders of ours must do
        done = line.as_nobody(OTHER_USER, json.dumps(wanted))
        if not done:
            print("not root: another user cannot be played", file=sys.stderr)
            return
        check.need(done.returncode == 0, done.stderr)
        seen = json.loads(done.stdout)
        check.need(set(seen[:5]) <= {401, 429}, seen)
        check.need(seen[5:] == ["PermissionError"] * 5, seen)


def modes(home):
    """Whatever the umask and the folders say, what the daemon makes is the user's alone."""
    with line.step("every file, socket and folder of the daemon's is closed to others, under umask 0"):
        wide = []
        for top in ("run", "state"):
            for where, folders, files in os.walk(home.path(top, "tenon")):
                for name in folders + files:
                    mode = os.lstat(os.path.join(where, name)).st_mode
                    if not stat.S_ISLNK(mode) and stat.S_IMODE(mode) & 0o077:
                        wide.append((os.path.join(where, name), oct(mode)))
        check.need(not wide, wide)
        check.need(stat.S_IMODE(os.lstat(home.runtime("tenond.json")).st_mode) == 0o600, "tenond.json")
        check.need(stat.S_IMODE(os.lstat(home.runtime("person.sock")).st_mode) == 0o600, "person.sock")


def unix_socket(folder):
    """`--unix` has no token: the socket's mode keeps strangers out, and where the mode was changed by somebody, the
    kernel's word on who is at the other end."""
    path = os.path.join(folder, "mcp.sock")
    with line.step("a Unix socket: 0600, and another user is not served even when the mode lets them in"):
        with line.listening("tenon", "serve", "plan", "--unix", path):
            check.need(stat.S_IMODE(os.stat(path).st_mode) == 0o600, oct(os.stat(path).st_mode))
            with socket.socket(socket.AF_UNIX) as ours:
                ours.connect(path)
                ours.sendall(PING + b"\n")
                check.need(b'"result"' in ours.recv(1000), "the user's own ping")
            os.chmod(folder, 0o755)
            code = ("import socket,sys\ns=socket.socket(socket.AF_UNIX);s.settimeout(5);s.connect(sys.argv[1])\n"
                    "try:\n s.sendall(b'%s\\n');print(s.recv(1000))\nexcept OSError as e: print('refused', e)")
            code %= PING.decode()
            done = line.as_nobody(code, path)
            check.need(not done or "PermissionError" in done.stderr, f"{done.stdout} {done.stderr[-200:]}" if done else "")
            os.chmod(path, 0o666)
            done = line.as_nobody(code, path)
            check.need(not done or (done.returncode == 0 and "\"result\"" not in done.stdout), f"{done.stdout} {done.stderr[-200:]}" if done else "")


def token_files(folder):
    with line.step("a file with the token that others may read, or a link, is told or refused"):
        path = os.path.join(folder, "token")
        with open(path, "w", encoding="ascii") as file:
            file.write("token-in-a-file-that-is-open-0123456789\n")
        os.chmod(path, 0o644)
        with daemon.Home() as home:
            done = line.finished([daemon.TENOND, "--daemon", "--set", f"http.token_file={path}"], home.env)
            check.need(done.returncode != 0 and "token" in done.stderr, f"{done.returncode} {done.stderr}")


def main():
    with line.conformance() as words:
        tokens_of_server(Server(words))
    os.umask(0)
    with daemon.Home() as home:
        home.foreground()
        found = home.discovery()
        good = {"Authorization": f"Bearer {found['token']}"}
        with line.step("with the token every door opens"):
            status, _, body = ask(found["httpPort"], "POST", "/mcp", LIST, **good)
            check.need(status == 200 and b"terraform_explain" in body, body[:200])
            for port, path in ((found["httpPort"], "/ws"), (found["bridgePort"], "/ws"),
                               (found["bridgePort"], "/ws/plan")):
                check.need(ask(port, "GET", path, **UPGRADE, **good)[0] == 101, path)
            check.need(ask(found["httpPort"], "GET", "/health")[0] == 200, "health")
        tokens(found, found["token"])
        another_user(home, found)
        modes(home)
        unix_socket(home.path("run"))
        token_files(home.folder)
        with line.step("and after all that the right token still opens"):
            check.need(ask(found["httpPort"], "POST", "/mcp", PING, **good)[0] in (200, 400), "ping")
            check.need(ask(found["bridgePort"], "GET", "/ws", **UPGRADE, **good)[0] == 101, "bridge")
            check.need(found["token"] not in home.log(), "the token is in the log")
        home.stop()
    line.end()


main()
