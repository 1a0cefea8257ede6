#!/usr/bin/env python3
"""loss.py - a bridge that goes away: ST-007, ST-010, ST-013 to ST-015, T2, against a scripted bridge."""
import os
import sys
import threading
import time

import host
from host import LOST, Bridge, Relay, call, check, daemon, fault_of, joined, wire

SUITE = "relay-loss"


def step(name):
    return check.Step(SUITE, name)


def in_flight(home):
    for version in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"):
        with step(f"ST-013: what was in flight is answered within 100 ms, {version}"), Bridge() as bridge:
            relay, connection = joined(bridge, home, version)
            with relay:
                relay.say(call(1), call("two"), wire.request(3, "resources/read", uri="a"), call(4))
                for _ in range(4):
                    connection.hear()
                connection.result(4, content=[])
                relay.answer(4)
                began = time.monotonic()
                connection.drop()
                heard = {m["id"]: m for m in (relay.hear(), relay.hear(), relay.hear())}
                took = time.monotonic() - began
                if not check.sanitized():
                    check.need_quick(took, 0.1)
                check.need(set(heard) == {1, "two", 3}, heard)
                check.need("error" in heard[3] and "result" in heard[1], heard)
                for message in heard.values():
                    fault = fault_of(message, version)
                    check.need(fault["error"] == LOST and fault["retryable"] is True, fault)
                    check.need("may have happened" in fault["message"], fault) # ST-014
    with step("the same in 2026-07-28"), Bridge() as bridge:
        with Relay(bridge.environment(home)) as relay:
            relay.say(wire.modern(1, "tools/call", name="t", arguments={}), wire.modern(2, "tools/list"))
            connection = bridge.open()
            connection.hear(), connection.hear()
            connection.drop()
            first, second = relay.hear(), relay.hear()
            check.need(fault_of(first, "2026-07-28")["error"] == LOST, first)
            check.need(fault_of(second, "2026-07-28")["error"] == LOST and "error" in second, second)
    with step("a call that asks for a task gets an error, which is no task"), Bridge() as bridge:
        relay, connection = joined(bridge, home, "2025-11-25")
        with relay:
            relay.say(wire.request(1, "tools/call", name="t", arguments={}, task={}))
            connection.hear()
            connection.drop()
            check.need("error" in relay.answer(1), "a result")
    with step("the ids of a batch are known, too"), Bridge() as bridge:
        relay, connection = joined(bridge, home, "2025-03-26")
        with relay:
            relay.say([call(1), {"jsonrpc": "2.0", "method": "x"}, call(2), call(3)])
            check.need(len(connection.hear()) == 4, "a batch")
            connection.say([{"jsonrpc": "2.0", "id": 2, "result": {}}])
            check.need(relay.hear()[0]["id"] == 2, "passed on")
            connection.drop()
            check.need({relay.hear()["id"], relay.hear()["id"]} == {1, 3}, "those that are left")
    with step("a call that was cancelled is not answered"), Bridge() as bridge:
        relay, connection = joined(bridge, home)
        with relay:
            relay.say(call("a\"b"), call(2), {"jsonrpc": "2.0", "method": "notifications/cancelled",
                                              "params": {"requestId": "a\"b"}})
            for _ in range(3):
                connection.hear()
            connection.drop()
            check.need(relay.hear()["id"] == 2 and relay.is_silent(0.1), "the cancelled one is answered")


def session(home):
    with step("ST-015: the conversation is repeated, and the host told of changes"), Bridge() as bridge:
        relay, connection = joined(bridge, home)
        with relay:
            relay.say(wire.request(1, "logging/setLevel", level="error"),
                      wire.request(2, "resources/subscribe", uri="a://b"),
                      wire.request(3, "resources/subscribe", uri="a://refused"))
            for number in (1, 2):
                check.need(connection.hear()["id"] == number, number)
                connection.result(number)
            connection.hear()
            connection.say({"jsonrpc": "2.0", "id": 3, "error": {"code": -32602, "message": "no"}})
            for number in (1, 2, 3):
                relay.answer(number)
            connection.drop()
            began = time.monotonic()
            again = bridge.open()
            took = time.monotonic() - began
            check.need(took > 0.1, f"the first try after {took:.3f} s, not 0.2")
            check.need_quick(took, 1, "the first try")
            relay.say(call(7)) # waits
            asked = again.initialize()
            check.need(asked["params"] == wire.initialize(0, elicitation={})["params"], asked)
            check.need(again.hear()["method"] == "notifications/initialized", "initialized")
            check.need(again.hear()["params"] == {"level": "error"}, "the level")
            subscribed = again.hear()
            check.need(subscribed["params"] == {"uri": "a://b"}, subscribed)
            again.result(subscribed["id"])
            check.need(again.hear() == call(7), "the call that waited")
            again.result(7, content=[])
            told = []
            relay.answer(7, others=told)
            check.need([m["method"] for m in told] == ["notifications/tools/list_changed",
                                                       "notifications/resources/updated"], told)
            check.need(told[1]["params"] == {"uri": "a://b"}, told)
            check.need(relay.is_silent(0.1), "our own answers stay with us")
    with step("an initialize that was lost is asked again, and the host notices nothing"), Bridge() as bridge:
        with Relay(bridge.environment(home)) as relay:
            relay.say(wire.initialize(0))
            connection = bridge.open()
            first = connection.hear()
            connection.drop()
            connection = bridge.open()
            check.need(connection.initialize() == first, "the same")
            check.need("result" in relay.hear(), "the answer")
    with step("a daemon of another revision ends the conversation"), Bridge() as bridge:
        relay, connection = joined(bridge, home)
        with relay:
            connection.drop()
            connection = bridge.open()
            relay.say(call(1))
            connection.initialize("2025-11-25")
            fault = fault_of(relay.hear(), "2025-06-18")
            check.need(fault["error"] == host.FAILED and "speaks 2025-11-25" in fault["message"], fault)
            check.need(relay.process.wait(30) == 4, "exit code")
            check.need("start it anew" in relay.complaint(), "its words")
    with step("questions are withdrawn, and late answers go nowhere"), Bridge() as bridge:
        relay, connection = joined(bridge, home)
        with relay:
            connection.say(wire.request("q", "elicitation/create", message="?"))
            connection.say(wire.request(5, "sampling/createMessage", messages=[]))
            check.need(relay.hear()["id"] == "q" and relay.hear()["id"] == 5, "the questions")
            relay.say({"jsonrpc": "2.0", "id": 5, "result": {}})
            check.need(connection.hear()["id"] == 5, "an answer")
            connection.drop()
            gone = relay.hear()
            check.need(gone["method"] == "notifications/cancelled" and gone["params"]["requestId"] == "q", gone)
            relay.say({"jsonrpc": "2.0", "id": "q", "result": {}})
            again = bridge.open()
            again.initialize()
            check.need(again.hear()["method"] == "notifications/initialized", "initialized")
            relay.say({"jsonrpc": "2.0", "id": "q", "result": {}}, call(9))
            check.need(again.hear()["id"] == 9, "the late answer was passed on")


def acknowledge(connection, asked):
    meta = {"io.modelcontextprotocol/subscriptionId": asked["id"]}
    connection.say({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
                    "params": {"_meta": meta, "notifications": asked["params"]["notifications"]}})


def listeners(home):
    filter_ = {"toolsListChanged": True, "resourceSubscriptions": ["a://b"]}
    for orderly in (False, True):
        how = "stops" if orderly else "dies"
        with step(f"MCP-088: a listen request goes on when the daemon {how}"), Bridge() as bridge:
            with Relay(bridge.environment(home)) as relay:
                relay.say(wire.modern("L", "subscriptions/listen", notifications=filter_))
                connection = bridge.open()
                asked = connection.hear()
                acknowledge(connection, asked)
                check.need(relay.hear()["method"].endswith("acknowledged"), "acknowledged")
                if orderly:
                    connection.result("L", resultType="complete")
                    connection.goodbye()
                else:
                    connection.drop()
                connection = bridge.open()
                check.need(connection.hear() == asked, "the same request")
                acknowledge(connection, asked)
                told = [relay.hear(), relay.hear()]
                check.need([m["method"] for m in told] == ["notifications/tools/list_changed",
                                                           "notifications/resources/updated"], told)
                for message in told:
                    identity = message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"]
                    check.need(identity == "L", message)
                check.need(relay.is_silent(0.1), "not acknowledged twice")
                relay.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "L"}})
                connection.hear()
                connection.drop()
                connection = bridge.open()
                relay.say(wire.modern(1, "tools/list"))
                check.need(connection.hear()["id"] == 1, "a cancelled one is not sent again")


def backoff(home):
    with step("ST-013: 200 ms, doubled, five tries; then the next call tries again"), Bridge() as bridge:
        relay, connection = joined(bridge, home)
        with relay:
            times = [time.monotonic()]
            connection.drop()
            relay.say(call(1))
            for _ in range(5):
                bridge.listener.settimeout(30)
                tried = bridge.listener.accept()[0]
                times.append(time.monotonic())
                tried.close()
            fault = fault_of(relay.answer(1), "2025-06-18")
            check.need(fault["error"] == LOST and fault["retryable"], fault)
            gaps = [round(after - before, 2) for before, after in zip(times, times[1:])]
            least = 0  # since the connection was lost: what is seen late makes the next gap short
            for gap, at, wanted in zip(gaps, times[1:], (0.2, 0.4, 0.8, 1.6, 3.2)):
                least += wanted
                check.need(at - times[0] > least - 0.06, gaps)
                check.need_quick(gap, wanted + 0.5, f"{gaps}")
            check.need(relay.process.poll() is None and relay.is_silent(0.5), "it lives, and waits")
            relay.say(call(2))
            again = bridge.open()
            again.initialize()
            check.need(again.hear()["method"] == "notifications/initialized", "initialized")
            check.need(again.hear()["id"] == 2, "the call")
            again.result(2, content=[])
            check.need("result" in relay.answer(2), "its answer")
    with step("what waits has a cap"), Bridge() as bridge:
        relay, connection = joined(bridge, home)
        with relay:
            connection.drop()
            thread = threading.Thread(target=lambda: relay.say(*(call(n, x="x" * (8 << 20)) for n in range(6))))
            thread.start()
            refused = relay.hear()
            thread.join()
            check.need("too much waits" in fault_of(refused, "2025-06-18")["message"], refused)
            check.need(daemon.is_alive(relay.process.pid), "it lives")


def refusals(home):
    with step("ST-010: a wrong token ends the relay with 3, its host's request answered"), Bridge() as bridge:
        with Relay(bridge.environment(home)) as relay:
            for _ in range(2): # T2: once more, had the file changed
                connection = bridge.accept()
                check.need(connection.headers["authorization"] == f"Bearer {host.TOKEN}", connection.headers)
                connection.refuse(401, "Send the token")
            relay.say(wire.initialize(1))
            fault = fault_of(relay.hear(), "2026")
            check.need(fault["error"] == host.FAILED and fault["retryable"] is False, fault)
            check.need(relay.process.wait(30) == 3 and "Send the token" in relay.complaint(), "its end")
    with step("T2: the discovery file is read again after a 401"), Bridge() as bridge:
        bridge.write_discovery(home, token="old-old-old-old-old")
        with Relay(home.env) as relay:
            relay.say(wire.initialize(0))
            connection = bridge.accept()
            check.need(connection.headers["authorization"] == "Bearer old-old-old-old-old", "the old one")
            bridge.write_discovery(home, token="new-new-new-new-new")
            connection.refuse(401, "no")
            connection = bridge.open()
            check.need(connection.headers["authorization"] == "Bearer new-new-new-new-new", "the new one")
            connection.initialize()
            check.need("result" in relay.hear(), "the answer")
    with step("an unknown app ends the relay with 1 and the daemon's words"), Bridge() as bridge:
        with Relay(bridge.environment(home), "plan", "nothing") as relay:
            relay.say(wire.initialize(1))
            connection = bridge.accept()
            check.need(connection.target == "/ws/plan,nothing", connection.target)
            connection.refuse(404, "No app nothing; there are plan, tenon")
            check.need("there are plan" in fault_of(relay.hear(), "2026")["message"], "the answer")
            check.need(relay.process.wait(30) == 1 and "there are plan" in relay.complaint(), "its end")
    with step("a daemon that is busy is asked again"), Bridge() as bridge:
        with Relay(bridge.environment(home)) as relay:
            relay.say(wire.initialize(0))
            bridge.accept().refuse(503, "too many connections")
            bridge.open().initialize()
            check.need("result" in relay.hear(), "the answer")
    with step("words that are no app's name are a mistake in the call"):
        for word in ("a/b", "", "a b"):
            with Relay(home.env, word) as relay:
                check.need(relay.process.wait(30) == 1 and "usage" in relay.complaint(), word)
    with step("who it is, and whose"), Bridge() as bridge:
        with Relay(bridge.environment(home)) as relay:
            headers = bridge.accept().headers
            check.need(headers["tenon-relay"] == f"{relay.process.pid} {os.getpid()}", headers)


def strangers(home):
    """ST-006: a dead daemon's port may be anybody's by now."""
    with step("a stranger on a dead daemon's port gets nothing"), Bridge() as bridge:
        dead = os.fork()
        if dead == 0:
            os._exit(0)
        os.waitpid(dead, 0)
        bridge.write_discovery(home, pid=dead)
        with Relay(home.env) as relay:
            check.need(relay.initialize()["serverInfo"]["name"] == "tenon", "a daemon of our own")
            bridge.listener.settimeout(0.1)
            try:
                bridge.listener.accept()
                check.need(False, "the stranger was spoken to")
            except TimeoutError:
                pass
        home.stop()
    with step("a folder that others may open is not read"), Bridge() as bridge:
        bridge.write_discovery(home)
        os.chmod(home.path("run", "tenon"), 0o755)
        try:
            with Relay(home.env) as relay:
                relay.say(wire.initialize(1))
                check.need("0700" in fault_of(relay.hear(), "2026")["message"], "the reason")
                check.need(relay.process.wait(30) == 3, "exit code")
        finally:
            os.chmod(home.path("run", "tenon"), 0o700)
            os.unlink(home.runtime("tenond.json"))


def main():
    with daemon.Home() as home:
        for part in (in_flight, session, listeners, backoff, refusals, strangers):
            part(home)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
