#!/usr/bin/env python3
"""together.py - many at once, by every way, and none waits for another: terminal.md T-01, T-12. An editor's
own client, and the port that people know: T-10."""
import json
import os
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import wire  # noqa: E402

SUITE = "together"
TOKEN = "together-token-0123456789"
AUTH = {"Authorization": f"Bearer {TOKEN}"}
SLOW = wire.request(1, "tools/call", name="slow_compute", arguments={"seconds": 2})
QUICK = wire.request(2, "tools/call", name="test_simple_text", arguments={})


def step(name):
    return check.Step(SUITE, name)


def on_one_socket(server):
    with step("T-12: one WebSocket: a slow call holds up no other"), wire.Wire(server) as socket_:
        socket_.upgrade(**AUTH).expect(101)
        socket_.say(wire.initialize(9))
        socket_.hear()
        began = time.monotonic()
        socket_.say(SLOW)
        for number in range(10, 110):
            socket_.say(QUICK | {"id": number})
        for number in range(10, 110):
            check.need(socket_.hear()["id"] == number, "the quick ones come first, in order")
        check.need(socket_.hear()["id"] == 1, "then the slow one")
        check.need(time.monotonic() - began >= 1.9, "which took its time")


def over_http(server):
    with step("T-12: HTTP: a slow call holds up no other"), wire.Wire(server) as slow:
        answers = []
        thread = threading.Thread(target=lambda: answers.append(
            slow.call("POST", "/mcp", SLOW, Accept=wire.JSON, **AUTH)))
        before = 0
        thread.start()
        time.sleep(0.3)  # it has begun
        began = time.monotonic()
        for _ in range(50):
            with wire.Wire(server) as other:
                other.call("POST", "/mcp", QUICK, **AUTH).expect(200)
            before += not answers
        check.need(before > 0, "they waited for the slow one")
        check.need_soon(began, 1.2)
        thread.join()
        check.need("result" in answers[0].json(), answers[0].body)


def all_at_once(server):
    """T-01: the same state by HTTP and WebSocket, 16 clients each, at the same time."""
    failures = []

    def one(number):
        try:
            with wire.Wire(server) as client:
                if number % 2:
                    client.upgrade(**AUTH).expect(101)
                    client.say(wire.initialize())
                    client.hear()
                for i in range(50):
                    if number % 2:
                        client.say(QUICK | {"id": i})
                        answer = client.hear()
                    else:
                        answer = client.call("POST", "/mcp", QUICK | {"id": i}, **AUTH).json()
                    check.need(answer["id"] == i and "result" in answer, answer)
        except Exception as failure:  # pylint: disable=broad-except
            failures.append(f"{number}: {failure}")

    with step("T-01, T-12: 32 clients at once, by HTTP and WebSocket"):
        threads = [threading.Thread(target=one, args=(number,)) for number in range(32)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        check.need(not failures, failures[:3])


def tenon():
    return os.path.join(wire.BUILD, "tenon")


def in_an_editor():
    with step("T-10 (2): inside an editor, by stdio"):
        text = "".join(json.dumps(message) + "\n" for message in (
            wire.initialize(), wire.INITIALIZED, wire.request(2, "tools/list")))
        done = subprocess.run([tenon(), "serve", "plan"], input=text.encode(), timeout=30,
                              capture_output=True, check=True)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        check.need([answer["id"] for answer in answers] == [1, 2], done.stdout)
        check.need(answers[1]["result"]["tools"], done.stdout)
    with step("T-10 (2): inside an editor, by a WebSocket of its page"):
        with wire.Server("serve", "plan", "--http", "127.0.0.1:0", "--token", TOKEN,
                         program="tenon") as server, wire.Wire(server) as page:
            answer = page.upgrade(Sec_WebSocket_Protocol=f"mcp, bearer.{TOKEN}", Origin=f"http://{server.http}")
            check.need(answer.expect(101).headers["sec-websocket-protocol"] == "mcp", answer.headers)
            page.say(wire.modern(1, "tools/list"))
            check.need(page.hear()["result"]["tools"], "tools")
            with wire.Wire(server) as other:
                other.upgrade(Sec_WebSocket_Protocol="mcp, bearer.another-token-012345").expect(401)


def is_free(port):
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def known_port():
    for words in (("serve", "plan", "--http"), ("serve", "--http", "plan")):
        with step(f"T-10 (1): tenon {' '.join(words)} listens on 127.0.0.1:8080"):
            if is_free(8080):
                with wire.Server(*words, program="tenon") as server:
                    check.need(server.url == "http://127.0.0.1:8080/mcp", server.url)
            else:  # it says so, and names what is taken
                done = subprocess.run([tenon(), *words], stdin=subprocess.DEVNULL, timeout=20,
                                      capture_output=True, check=False)
                check.need(done.returncode > 0 and b"bind listener" in done.stderr, done.stderr)


def remote():
    with step("T4, T5: two acts and a list of names, and the door is open to those names"):
        with wire.Server("serve", "plan", "--http", "0.0.0.0:0", "--allow-remote", "--host", "mcp.example",
                         "--token", TOKEN, program="tenon") as server:
            for host, status in (("mcp.example", 200), ("other.example", 403), ("127.0.0.1", 403)):
                with wire.Wire(server) as client:
                    client.call("POST", "/mcp", wire.request(1, "tools/list"), Host=host,
                                **AUTH).expect(status)


with wire.Server("--http", "127.0.0.1:0", "--token", f"ann={TOKEN}") as everybody:
    on_one_socket(everybody)
    over_http(everybody)
    all_at_once(everybody)
in_an_editor()
known_port()
remote()
sys.exit(check.failures > 0)
