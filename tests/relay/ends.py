#!/usr/bin/env python3
"""ends.py - how a relay ends, and what it leaves: MCP-081 to MCP-089 at its own pipe, FR-05, ST-006."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

import host
from host import Bridge, Relay, call, check, daemon, fault_of, joined, wire

SUITE = "relay-ends"


def step(name):
    return check.Step(SUITE, name)


def end_of_input(home):
    with step("MCP-085: the end of input ends an idle relay at once"), Bridge() as bridge:
        relay, connection = joined(bridge, home)
        with relay:
            began = time.monotonic()
            relay.process.stdin.close()
            opcode, data = connection.frame()
            check.need((opcode, data) == (8, b"\x03\xe8"), (opcode, data))
            connection.socket.sendall(b"\x88\x02\x03\xe8")
            check.need(relay.process.wait(30) == 0, "exit code")
            if not check.sanitized():
                check.need_soon(began, 0.3)
    with step("a daemon that does not say goodbye is not waited for"), Bridge() as bridge:
        relay, _ = joined(bridge, home)
        with relay:
            began = time.monotonic()
            check.need(relay.end() == 0, "its end")
            check.need_soon(began, 2)
    with step("MCP-086: what is in flight is still answered"), Bridge() as bridge:
        relay, connection = joined(bridge, home)
        with relay:
            relay.say(call(1))
            relay.process.stdin.close()
            connection.hear()
            time.sleep(0.5)
            check.need(relay.process.poll() is None, "it has not waited")
            connection.result(1, content=[])
            check.need("result" in relay.answer(1), "the answer")
            check.need(relay.process.wait(30) == 0, "exit code")
    with step("but for 2 s at most"), Bridge() as bridge:
        relay, connection = joined(bridge, home)
        with relay:
            relay.say(call(1))
            began = time.monotonic()
            relay.process.stdin.close()
            check.need(fault_of(relay.answer(1), "2025-06-18")["error"] == host.LOST, "the answer")
            check.need(relay.process.wait(30) == 0, "exit code")
            check.need(time.monotonic() - began > 1.9, "it has not waited")
            check.need_soon(began, 3.5)
    with step("nothing is read: the end of input alone"), Bridge() as bridge:
        with Relay(bridge.environment(home)) as relay:
            check.need(relay.end() == 0, "exit code")
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        with step(f"{number.name} is as the end of input"), Bridge() as bridge:
            relay, connection = joined(bridge, home)
            with relay:
                relay.process.send_signal(number)
                check.need(connection.frame()[0] == 8, "a close frame")
                connection.socket.close()
                check.need(relay.process.wait(30) == 0, "exit code")
    with step("a host that reads no more"), Bridge() as bridge:
        relay, connection = joined(bridge, home)
        with relay:
            relay.process.stdout.close()
            connection.say({"jsonrpc": "2.0", "method": "notifications/message", "params": {}})
            check.need(relay.process.wait(30) == 0, "exit code")


# Starts a relay whose standard input another process of ours holds open, tells its pid, and dies when told.
PARENT = """
import os, subprocess, sys
relay = subprocess.Popen(sys.argv[1:], stdin=int(os.environ["KEPT"]), stdout=subprocess.DEVNULL)
print(relay.pid, flush=True)
sys.stdin.read()
os.kill(os.getpid(), 9)
"""
# The thread that starts it ends, the process does not.
THREAD = """
import subprocess, sys, threading, time
def start():
    global relay
    relay = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    print(relay.pid, flush=True)
thread = threading.Thread(target=start)
thread.start()
thread.join()
sys.stdin.read()
"""


def parents(home):
    with step("MCP-085: it dies with its parent, although another holds its input open"), Bridge() as bridge:
        theirs, ours = os.pipe()
        os.set_inheritable(theirs, True)
        env = bridge.environment(home) | {"KEPT": str(theirs)}
        parent = subprocess.Popen([sys.executable, "-c", PARENT, daemon.TENON, "mcp"], env=env,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[theirs])
        relay = int(parent.stdout.readline())
        connection = bridge.open()
        # It has read the handshake once it answers a ping: from then on it owes a close frame.
        connection.socket.sendall(b"\x89\x02hi")
        check.need(connection.frame() == (10, b"hi"), "a pong")
        parent.stdin.close()
        parent.wait()
        daemon.wait_until(lambda: not daemon.is_alive(relay), "the relay's end")
        check.need(connection.frame()[0] == 8, "a close frame")
        os.close(ours)
        os.close(theirs)
    with step("and lives when only the thread that started it ends"), Bridge() as bridge:
        parent = subprocess.Popen([sys.executable, "-c", THREAD, daemon.TENON, "mcp"],
                                  env=bridge.environment(home), stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE)
        relay = int(parent.stdout.readline())
        bridge.open()
        time.sleep(0.3)
        check.need(daemon.is_alive(relay), "it has ended")
        parent.kill()
        parent.wait()
        daemon.wait_until(lambda: not daemon.is_alive(relay), "the relay's end")


def lines(home):
    with step("MCP-089: what is no message is the daemon's to answer, and changes nothing"), Bridge() as bridge:
        relay, connection = joined(bridge, home)
        with relay:
            for text in (b"{", b"Content-Length: 5", b"[1,]", b'{"id":1}', b"\xe2\x82\xac"):
                relay.send(b"  \r\n" + text + b"\r\n")
                check.need(connection.frame() == (1, text), text)
    with step("bytes that are no text are answered here"), Bridge() as bridge:
        relay, connection = joined(bridge, home)
        with relay:
            relay.send(b'{"jsonrpc":"2.0","id":1,"method":"\xff"}\n')
            relay.say(call(2))
            refused = relay.hear()
            check.need(refused["error"]["code"] == -32700 and "id" not in refused, refused)
            check.need(connection.hear()["id"] == 2, "the next")
    with step("a message that is too long"), Bridge() as bridge:
        relay, connection = joined(bridge, home)
        with relay:
            relay.send(b'{"a":"' + b"x" * (16 << 20) + b'"}\n')
            refused = relay.hear()
            check.need(refused["error"]["code"] == -32600, refused)
            check.need("too long" in refused["error"]["message"], refused)
            relay.say(call(2))
            check.need(connection.hear()["id"] == 2, "the next")
    with step("a last line without its end"), Bridge() as bridge:
        relay, connection = joined(bridge, home)
        with relay:
            relay.send(json.dumps(call(3)).encode())
            relay.process.stdin.close()
            check.need(connection.hear()["id"] == 3, "the line")
            connection.result(3, content=[])
            check.need("result" in relay.answer(3), "the answer")


def opened(trace):
    """The files that a traced process opened after the loader had done, as strace tells it."""
    found = []
    for line in trace.splitlines():
        match = re.search(r'\b(?:open|openat|creat|openat2)\((?:AT_FDCWD, )?"([^"]*)"', line)
        if match:
            found.append(match.group(1))
    return found


def files(home):
    """FR-05. What the dynamic loader maps and the relay's own two pipes are no files of anybody's."""
    strace = shutil.which("strace")
    if not strace or check.sanitized():
        return
    with step("FR-05: no file is opened but the discovery file"), Bridge() as bridge:
        bridge.write_discovery(home)
        trace = home.path("trace")
        process = subprocess.Popen([strace, "-f", "-o", trace, daemon.TENON, "mcp"], env=home.env,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        process.stdin.write(json.dumps(call(1)).encode() + b"\n")
        process.stdin.flush()
        connection = bridge.open()
        connection.hear()
        connection.result(1, content=[])
        process.stdout.readline()
        process.stdin.close()
        process.wait(30)
        with open(trace, encoding="utf-8", errors="replace") as file:
            names = opened(file.read())
        others = [name for name in names if not re.fullmatch(
            r"/etc/ld\.so\.(cache|preload)|/\S*/lib\S*\.so[.0-9]*|/proc/self/fd/[01]", name)]
        check.need(others == [home.runtime("tenond.json")], others)
        os.unlink(home.runtime("tenond.json"))


def slow(home):
    text = "x" * (1 << 20)
    with step("a host that does not read: 64 MiB for it wait outside"), Bridge() as bridge:
        relay, connection = joined(bridge, home)
        with relay:
            connection.socket.settimeout(1)
            sent = 0
            try:
                while sent < 64:
                    connection.result(sent, text=text)
                    sent += 1
            except TimeoutError:
                pass
            check.need(sent < 60, f"the relay took {sent} MiB that nobody reads")
            if not check.sanitized():
                size = check.resident_kib(relay.process.pid)
                check.need(size < 24 * 1024, f"{size} KiB resident")
    with step("and get through when it does"), Bridge() as bridge:
        relay, connection = joined(bridge, home)
        with relay:
            child = os.fork()
            if child == 0:
                connection.socket.settimeout(60)
                for number in range(64):
                    connection.result(number, text=text)
                time.sleep(1)
                os._exit(0)
            time.sleep(0.5)
            for number in range(64):
                message = relay.hear()
                check.need(message["id"] == number and len(message["result"]["text"]) == 1 << 20, number)
            os.waitpid(child, 0)
    with step("a daemon that does not read: 64 MiB for it wait outside, too"), Bridge() as bridge:
        relay, connection = joined(bridge, home)
        with relay:
            os.set_blocking(relay.process.stdin.fileno(), False)
            data = json.dumps(call(1, text="x" * (1 << 20))).encode() + b"\n"
            sent, deadline = 0, time.monotonic() + 2
            while time.monotonic() < deadline and sent < 64 << 20:
                try:
                    sent += os.write(relay.process.stdin.fileno(), data[sent % len(data):])
                except BlockingIOError:
                    time.sleep(0.01)
            check.need(sent < 40 << 20, f"the relay took {sent >> 20} MiB")
            connection.socket.settimeout(10)
            for _ in range(sent // len(data)):
                check.need(len(connection.frame()[1]) == len(data) - 1, "a message")
    with step("50 and more in flight, in any order (ST-011)"), Bridge() as bridge:
        relay, connection = joined(bridge, home)
        with relay:
            relay.say(*(call(n) for n in range(250)))
            for n in range(250):
                check.need(connection.hear()["id"] == n, n)
            for n in reversed(range(250)):
                connection.result(n, content=[])
            for n in reversed(range(250)):
                check.need(relay.hear()["id"] == n, n)
    with step("4,096 unanswered: the next wait outside, and go on when one is answered"), Bridge() as bridge:
        relay, connection = joined(bridge, home)
        with relay:
            relay.send(b"".join(json.dumps(call(n)).encode() + b"\n" for n in range(5000)))
            for n in range(4096):
                connection.hear()
            connection.socket.settimeout(0.3)
            try:
                connection.hear()
                check.need(False, "one more came")
            except TimeoutError:
                pass
            connection.socket.settimeout(10)
            for n in range(904):
                connection.result(n)
            for n in range(904):
                check.need(connection.hear()["id"] == 4096 + n, n)
                check.need(relay.hear()["id"] == n, n)
    with step("errors without an id: those requests do not fill the table for ever"), Bridge() as bridge:
        relay, connection = joined(bridge, home)
        with relay:
            for number in range(6000):
                relay.say(call(10_000 + number))
                connection.hear()
                connection.say({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "x"}})
                check.need(relay.hear()["id"] is None, "the error is passed on")
            relay.say(call(1))
            check.need(connection.hear()["id"] == 1, "the next one")
            connection.result(1, content=[])
            check.need("result" in relay.answer(1), "its answer")


def main():
    socket.setdefaulttimeout(host.PATIENCE_S)
    with daemon.Home() as home:
        for part in (end_of_input, parents, lines, files, slow):
            part(home)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
