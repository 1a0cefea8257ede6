#!/usr/bin/env python3
"""line_04_squatting.py - a stranger on our port, and discovery files that lie: no client of ours gives its token to
somebody who is not our server, and no page or relay follows an address that we did not write (ST-006)."""
import json
import os
import signal
import socket
import subprocess
import threading

import line
import check
import daemon


class Stranger:
    """Listens on a port of this machine, answers as if it were Tenon, and keeps what it is told."""

    def __init__(self, port):
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", port))
        self.listener.listen(32)
        self.port = self.listener.getsockname()[1]
        self.heard = b""
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        body = b'{"status":"ok","version":"0.9"}'
        while True:
            try:
                end, _ = self.listener.accept()
            except OSError:
                return
            with end:
                end.settimeout(3)
                try:
                    self.heard += end.recv(65536)
                    end.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                                % (len(body), body))
                except OSError:
                    pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()


VERBS = (["status"], ["call", "plan.terraform_parse", "plan_text=No changes."], ["read", "tenon://status"], ["tools"],
         ["doctor"], ["approve", "--list"], ["open", "--print"], ["token"])
HELLO = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}) + "\n"


def relayed(home):
    """A relay that says hello, and ends."""
    return line.finished([daemon.TENON, "mcp", "plan"], home.env, text=HELLO, timeout=60)


def is_untold(home, strangers, secrets):
    for words in VERBS:
        home.tenon(*words, code=None)
    relayed(home)
    for one in strangers:
        for secret in secrets:
            check.need(secret.encode() not in one.heard, f"the stranger on {one.port} was told the token")


def killed():
    with daemon.Home() as home, line.step("the ports of a killed daemon, taken by a stranger; its file is still there"):
        home.foreground()
        found = home.discovery()
        kept = open(home.runtime("tenond.json"), encoding="utf-8").read()
        os.kill(found["pid"], signal.SIGKILL)
        daemon.wait_until(lambda: not daemon.is_alive(found["pid"]), "its end")
        with Stranger(found["httpPort"]) as one, Stranger(found["bridgePort"]) as other:
            check.need(os.path.exists(home.runtime("tenond.json")), "the file is gone")
            is_untold(home, (one, other), [found["token"]])
            now = home.discovery()
            check.need(now["httpPort"] != found["httpPort"] and now["token"] != found["token"], now)
            check.need(now["token"].encode() not in one.heard + other.heard, "the next one's token")
            check.need(kept != open(home.runtime("tenond.json"), encoding="utf-8").read(), "the old file")


def lies():
    """The file says something else, while the daemon lives (its lock is held) or not."""
    with daemon.Home() as home, Stranger(0) as stranger:
        home.foreground()
        found = home.discovery()
        path = home.runtime("tenond.json")
        kept = open(path, encoding="utf-8").read()
        bystander = subprocess.Popen(["sleep", "600"], env=home.env)
        elsewhere = {"a url of another host": {"url": "http://evil.example:7777"},
                     "a url of an address of the network": {"url": f"http://192.0.2.1:{stranger.port}"},
                     "a url with a user in it": {"url": f"http://127.0.0.1@evil.example:{stranger.port}"},
                     "a port above 65535": {"httpPort": 99999},
                     "no token": {"token": ""}, "a token with a line break": {"token": "x\r\nX-Evil: 1"},
                     "a pid of nobody": {"pid": 0},
                     "a pid below zero": {"pid": -1}, "a bystander's pid": {"pid": bystander.pid}}
        for name, change in elsewhere.items():
            with line.step(f"the discovery file has {name}: no verb crashes, hangs or ends anybody"):
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(json.loads(kept) | change, file)
                for words in (["status"], ["call", "plan.terraform_parse", "plan_text=No changes."], ["down"]):
                    if words == ["down"] and "pid" not in change:
                        continue
                    done = home.tenon(*words, code=None)
                    check.need(done.returncode >= 0, f"{words}: {done.returncode} {done.stderr[-200:]}")
                    check.need("X-Evil" not in stranger.heard.decode("latin-1"), "a header")
                check.need(bystander.poll() is None, "somebody else was ended")
                if not daemon.is_alive(found["pid"]):
                    home.foreground()
                    found = home.discovery()
                    kept = open(path, encoding="utf-8").read()
        for name, text in (("nothing", ""), ("no JSON", "{"), ("a list", "[]"), ("a megabyte", " " * (1 << 20)),
                           ("NULs", "\0" * 1000), ("deep arrays", "[" * 100000)):
            with line.step(f"the discovery file is {name}"):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                done = home.tenon("status", code=None)
                check.need(done.returncode >= 0, f"{done.returncode} {done.stderr[-200:]}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(kept)
        bystander.kill()
        bystander.wait()


def files():
    """The file is not the user's: whoever wrote it could have written anything."""
    with daemon.Home() as home, Stranger(0) as stranger:
        home.foreground()
        found = home.discovery()
        path, real = home.runtime("tenond.json"), home.path("real.json")
        lie = json.dumps(found | {"httpPort": stranger.port, "bridgePort": stranger.port, "token": "t" * 43,
                                  "url": f"http://127.0.0.1:{stranger.port}"})

        def linked():
            with open(home.path("lie.json"), "w", encoding="utf-8") as file:
                file.write(lie)
            os.symlink(home.path("lie.json"), path)

        for name, make in (("a link", linked), ("a pipe", lambda: os.mkfifo(path, 0o600))):
            with line.step(f"the discovery file is {name}: not followed, and not waited for"):
                os.rename(path, real)
                make()
                try:
                    words = ["call", "plan.terraform_parse", "plan_text=No changes."]
                    check.need(home.tenon(*words, code=None, timeout=20).returncode >= 0, words)
                    check.need(stranger.heard == b"", f"the stranger was asked: {stranger.heard[:200]}")
                finally:
                    os.unlink(path)
                    os.rename(real, path)
        with line.step("another user can put none in its place, nor make the folder before us"):
            os.chmod(home.folder, 0o755)
            code = ("import os,sys\nfor act in (lambda: open(sys.argv[1],'w'), lambda: os.unlink(sys.argv[1]),"
                    " lambda: os.rename(os.path.dirname(sys.argv[1]), sys.argv[1]+'x')):\n"
                    " try:\n  act(); print('done')\n except PermissionError: print('refused')")
            done = line.as_nobody(code, path)
            check.need(not done or done.stdout.split() == ["refused"] * 3, done)
        with line.step("the runtime folder is another user's, or open to others: no daemon starts in it, none is found"):
            home.stop()
            os.chmod(home.path("run", "tenon"), 0o777)
            done = home.tenon("up", code=None)
            check.need(done.returncode != 0 and "0700" in done.stderr, done.stderr)
            check.need(home.tenon("status", code=None).returncode != 0, "it is found there")
            os.chmod(home.path("run", "tenon"), 0o700)


def main():
    for part in (killed, lies, files):
        part()
    line.end()


main()
