#!/usr/bin/env python3
"""fake_host.py TENON [wrapped] - an AI host for consent.py: starts a relay, and does what it is told,
one JSON line in, one out."""
import json
import os
import pty
import select
import socket
import subprocess
import sys

TENON = sys.argv[1]
PLAN = "No changes. Your infrastructure matches the configuration."


class Relay:
    def __init__(self, wrapped):
        words = ["sh", "-c", '"$0" mcp; true', TENON] if wrapped else [TENON, "mcp"]
        self.child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      encoding="utf-8")
        self.number = 0
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                "clientInfo": {"name": "fake-host", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.child.stdin.write(json.dumps(message) + "\n")
        self.child.stdin.flush()

    def ask(self, method, params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            message = json.loads(self.child.stdout.readline())
            if message.get("id") == self.number:
                return message

    def end(self):
        self.child.stdin.close()
        self.child.wait(20)


def run(words, terminal, depth):
    words = [TENON, *words]
    for _ in range(depth):
        words = ["sh", "-c", '"$@"; exit $?', "sh", *words]
    if not terminal:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
                              check=False, timeout=60)
        return {"code": done.returncode, "shown": done.stdout + done.stderr}
    pid, master = pty.fork()
    if pid == 0:
        os.execv(words[0], words)
    shown = b""
    while True:
        if select.select([master], [], [], 0.1)[0]:
            try:
                got = os.read(master, 4096)
            except OSError:
                break
            if not got:
                break
            shown += got
            if b"decide later]" in shown:
                os.write(master, b"y\n")
    _, status = os.waitpid(pid, 0)
    os.close(master)
    return {"code": os.waitstatus_to_exitcode(status), "shown": shown.decode("utf-8", "replace")}


def door():
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(os.path.join(os.environ["XDG_RUNTIME_DIR"], "tenon", "person.sock"))
        return json.loads(connection.makefile().readline())


def main():
    relay = Relay("wrapped" in sys.argv[2:])
    for line in sys.stdin:
        told = json.loads(line)
        if told["do"] == "call":
            answer = relay.ask("tools/call", {"name": "terraform_explain", "arguments": {
                "plan_text": told.get("text", PLAN)}})
        elif told["do"] == "tool":
            answer = relay.ask("tools/call", {"name": told["name"], "arguments": told["arguments"]})
        elif told["do"] == "run":
            answer = run(told["words"], told["terminal"], told.get("depth", 0))
        elif told["do"] == "door":
            answer = door()
        else:
            relay.end()
            answer = {}
        print(json.dumps(answer), flush=True)
    if relay.child.poll() is None:
        relay.end()


if __name__ == "__main__":
    main()
