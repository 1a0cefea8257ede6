#!/usr/bin/env python3
"""bad_stdio.py TENON - hostile lines to "tenon serve plan": each gets one clear answer, the next line
is served, nothing grows, and the process ends when its input does. MCP-079 to MCP-091, MCP-290, MCP-291.
"""
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import hostile  # noqa: E402

SUITE = "bad-stdio"
TENON = sys.argv[1]
WAIT_S = 60
HELLO = hostile.request(id="hello", method="initialize", params={
    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})
READY = hostile.request(method="notifications/initialized")


class Peer:
    def __init__(self):
        self.process = subprocess.Popen([TENON, "serve", "plan"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, bufsize=0)
        self.lines = []
        self.news = threading.Condition()
        self.ended = False
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        self.ask(HELLO)
        self.send(READY)

    def read(self):
        stream = os.fdopen(os.dup(self.process.stdout.fileno()), "rb")
        for line in stream:
            with self.news:
                self.lines.append(line)
                self.news.notify()
        with self.news:
            self.ended = True
            self.news.notify()

    def send(self, line):
        self.process.stdin.write(line + b"\n")

    def take(self):
        """The next line as JSON."""
        with self.news:
            self.news.wait_for(lambda: self.lines or self.ended, WAIT_S)
            check.need(self.lines, "the server ended" if self.ended else "no answer")
            line = self.lines.pop(0)
        check.need(line.endswith(b"\n"), "a line without its end")
        return json.loads(line)

    def ask(self, line):
        self.send(line)
        return self.take()

    def is_well(self):
        """A ping is the next thing answered, so nothing else was said in between."""
        number = random.randrange(1 << 40)
        answer = self.ask(hostile.request(id=number, method="ping"))
        check.need(answer == {"jsonrpc": "2.0", "id": number, "result": {}}, f"ping: {answer}")

    def end(self):
        self.process.stdin.close()
        code = self.process.wait(WAIT_S)
        check.need(code == 0, f"exit {code}")


def expect_error(answer, codes, line):
    check.need("error" in answer, f"accepted: {str(answer)[:200]}")
    check.need(answer["error"]["code"] in codes, f"{answer['error']}, not one of {codes}")
    check.need(len(answer["error"]["message"]) > 3, "no message")
    check.need(answer.get("id", 0) is not None, "id null (MCP-016)")
    check.need(os.getcwd() not in json.dumps(answer), "names a path of this machine (MCP-034)")
    if answer["error"]["code"] in (-32601, -32602):
        check.need(answer.get("id") == json.loads(line)["id"], "another id")


def odd_lines(peer):
    with check.Step(SUITE, "blank lines and CRLF"):
        peer.send(b"\r\n\r\n   \n\t")
        peer.send(hostile.request(id=1, method="ping") + b"\r")
        check.need(peer.take()["id"] == 1, "no answer")
        peer.is_well()
    with check.Step(SUITE, "notifications are never answered"):
        peer.send(hostile.request(method="notifications/nonsense"))
        peer.send(hostile.request(method="tools/list"))
        peer.send(hostile.request(method="notifications/cancelled", params={"requestId": "none"}))
        peer.send(b'{"jsonrpc":"2.0","id":"nobody asked","result":{}}')
        peer.is_well()
    with check.Step(SUITE, "ids keep their type and digits"):
        for number in (b'"1"', b"1", b"123456789012345678901234567890", b"-7", b'"\\u00e9"'):
            answer = peer.ask(b'{"jsonrpc":"2.0","id":' + number + b',"method":"ping"}')
            check.need(answer["id"] == json.loads(number), f"{number}: {answer}")
    with check.Step(SUITE, "LSP framing is a parse error"):
        answer = peer.ask(b"Content-Length: 52\r")
        check.need(answer["error"]["code"] == -32700, answer)
        peer.is_well()
    with check.Step(SUITE, "a byte at a time"):
        for byte in hostile.request(id=9, method="ping") + b"\n":
            peer.process.stdin.write(bytes([byte]))
        check.need(peer.take()["id"] == 9, "no answer")


def large_lines(peer):
    with check.Step(SUITE, "a line of 100 MB is skipped, not stored"):
        before = check.resident_kib(peer.process.pid)
        chunk = b"x" * (1 << 20)
        for _ in range(100):
            peer.process.stdin.write(chunk)
        peer.process.stdin.write(b"\n")
        answer = peer.take()
        check.need(answer["error"]["code"] == -32600 and "id" not in answer, answer)
        peer.is_well()
        grown = check.resident_kib(peer.process.pid) - before
        check.need(check.sanitized() or grown < 24 * 1024, f"grew by {grown} KiB")
    for name, value in (("one string", b'"' + b"y" * 10_000_000 + b'"'), ("digits", b"1" * 10_000_000)):
        with check.Step(SUITE, f"10 MB of {name}"):
            start = time.monotonic()
            peer.ask(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":' + value + b"}}")
            check.need_soon(start, 10 if check.sanitized() else 1)
            peer.is_well()
    with check.Step(SUITE, "a plan of 10 MB"):
        text, count = hostile.plan_of(10_000_000)
        answer = peer.ask(hostile.call({"plan_text": text, "detail": "summary"}))
        check.need(answer["result"]["structuredContent"]["summary"]["total_changes"] == count,
                   str(answer)[:300])
    with check.Step(SUITE, "a plan of 100 MB is refused"):
        text, _ = hostile.plan_of(100_000_000)
        answer = peer.ask(hostile.call({"plan_text": text}))
        check.need(answer["error"]["code"] == -32600, str(answer)[:300])
        peer.is_well()


def random_plans(peer):
    with check.Step(SUITE, "random bytes as a plan"):
        source = random.Random(7)
        for size in [0, 1, 2, 100, 5000] * 20:
            text = source.randbytes(size).decode("latin-1")
            answer = peer.ask(hostile.call({"plan_text": text}))
            code = answer["result"]["structuredContent"]["error"]["code"]
            check.need(answer["result"]["isError"] and code in ("not_a_plan", "binary_plan"), answer)
        peer.is_well()


def growth(peer):
    if check.sanitized():
        return
    with check.Step(SUITE, "no growth over 20 rounds of everything"):
        lines = [line for _, line, _ in hostile.cases()]
        def round_of():
            for line in lines:
                peer.ask(line)
        for _ in range(3):
            round_of()
        before = check.resident_kib(peer.process.pid)
        for _ in range(20):
            round_of()
        grown = check.resident_kib(peer.process.pid) - before
        check.need(grown <= 256, f"grew by {grown} KiB")


def endings():
    with check.Step(SUITE, "what was asked before the end is answered (MCP-086)"):
        lines = b"\n".join([HELLO, READY, hostile.request(id=2, method="tools/list")])
        done = subprocess.run([TENON, "serve", "plan"], input=lines, stdout=subprocess.PIPE,
                              timeout=WAIT_S, check=False)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        check.need(done.returncode == 0, f"exit {done.returncode}")
        check.need([one["id"] for one in answers] == ["hello", 2], str(answers)[:200])
    with check.Step(SUITE, "half a request, then the end"):
        done = subprocess.run([TENON, "serve", "plan"], input=HELLO + b'\n{"jsonrpc":"2.0","id":3,"me',
                              stdout=subprocess.PIPE, timeout=WAIT_S, check=False)
        check.need(done.returncode == 0, f"exit {done.returncode}")
        last = json.loads(done.stdout.splitlines()[-1])
        check.need(last["error"]["code"] == -32700, last)
    with check.Step(SUITE, "no input at all"):
        done = subprocess.run([TENON, "serve", "plan"], input=b"", stdout=subprocess.PIPE,
                              timeout=WAIT_S, check=False)
        check.need(done.returncode == 0 and done.stdout == b"", f"exit {done.returncode}")
    with check.Step(SUITE, "ends by SIGTERM"):
        peer = Peer()
        peer.process.send_signal(signal.SIGTERM)
        code = peer.process.wait(10)
        check.need(code in (0, -signal.SIGTERM), f"exit {code}")
    with check.Step(SUITE, "ends when nobody reads"):
        peer = subprocess.Popen([TENON, "serve", "plan"], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, bufsize=0)
        peer.stdout.close()
        peer.stdin.write(HELLO + b"\n")
        check.need(peer.wait(10) is not None, "still there")


def main():
    peer = None
    with check.Step(SUITE, "handshake"):
        peer = Peer()
        peer.is_well()
    if peer:
        for name, line, codes in hostile.cases():
            with check.Step(SUITE, name):
                expect_error(peer.ask(line), codes, line)
                peer.is_well()
        odd_lines(peer)
        large_lines(peer)
        random_plans(peer)
        growth(peer)
        with check.Step(SUITE, "ends with its input"):
            peer.end()
    endings()
    return 1 if check.failures else 0


sys.exit(main())
