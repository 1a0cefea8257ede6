#!/usr/bin/env python3
"""live.py - relays of a real daemon that is killed, stopped, started: FR-01, FR-02, ST-007, ST-009, ST-013.

RELAY_ROUNDS=N: how often something is killed at a random point (20)."""
import json
import os
import random
import signal
import sys
import time

import host
from host import FAILED, LOST, Relay, check, daemon, fault_of, wire

SUITE = "relay-live"
ROUNDS = int(os.environ.get("RELAY_ROUNDS", "20"))
PLAN = '{"format_version":"1.2","resource_changes":[]}'
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")


def step(name):
    return check.Step(SUITE, name)


def explain(number, modern=False):
    make = wire.modern if modern else wire.request
    return make(number, "tools/call", name="terraform_explain", arguments={"plan_json": PLAN})


def kill_daemon(home):
    pid = home.discovery()["pid"]
    os.kill(pid, signal.SIGKILL)
    daemon.wait_until(lambda: not daemon.is_alive(pid), "the daemon's end")


def fit(home):
    """Which forms of a result are sent: by who the host is, and by --fit."""
    hosts = (("claude-code", "2.1.330", (), "text", "client"), ("claude-code", "2.1.330", ("--fit", "both"), "both", "connection"),
             ("codex-mcp-client", "0.169.0", (), "text", "client"), ("gemini-cli-mcp-client", "0.61.0", (), "both", "client"), ("wire", "1", (), "both", "default"),
             ("wire", "1", ("--fit=structured",), "structured", "connection"))
    for name, version, words, wanted, by in hosts:
        with step(f"HO-002: {name} {' '.join(words)}"), Relay(home.env, "--all", *words) as relay:
            hello = wire.initialize()
            hello["params"]["clientInfo"] = {"name": name, "version": version}
            relay.say(hello, wire.INITIALIZED, wire.request(2, "tools/list"))
            tools = relay.answer(2)["result"]["tools"]
            relay.say(explain(3))
            result = relay.answer(3)["result"]
            relay.say(wire.request(4, "resources/read", uri="tenon://clients"))
            check.need(any("outputSchema" in tool for tool in tools) == (wanted != "text"), "output schemas")
            check.need(("structuredContent" in result) == (wanted != "text"), list(result))
            check.need(bool(result["content"]) == (wanted != "structured"), result["content"])
            clients = json.loads(relay.answer(4)["result"]["contents"][0]["text"])["clients"]
            check.need((wanted, by) in [(one["fit"], one["fitBy"]) for one in clients if one["name"] == name], clients)
    def told(name):
        with Relay(home.env, "plan") as relay:
            hello = wire.initialize()
            hello["params"]["clientInfo"]["name"] = name
            relay.say(hello, wire.INITIALIZED, explain(3))
            return "structuredContent" not in relay.answer(3)["result"]

    with step("HO-002: the setting, at once; also when a file beside it is broken"):
        path, policy = (home.path("config", "tenon", name) for name in ("config.json", "policy.json"))
        for setting, wanted in (("mine*=text", True), ("mine*=both", False), ("mine*=text", True)):
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"mcp": {"fit": [setting, "wire=structured"]}}, file)
            with open(policy, "w", encoding="utf-8") as file:
                file.write("{" if setting.endswith("both") else "{}")
            os.kill(home.discovery()["pid"], signal.SIGHUP)
            daemon.wait_until(lambda wanted=wanted: told("mine-1") == wanted, setting)
        os.remove(path)
        os.remove(policy)
        os.kill(home.discovery()["pid"], signal.SIGHUP)
        daemon.wait_until(lambda: not told("mine-1"), "no setting")
    with step("HO-002: a profile that there is not"), Relay(home.env, "--fit", "short") as relay:
        check.need(relay.process.wait(10) == 1 and b"image-alone" in relay.process.stderr.read(), "its end")


def start(home):
    with step("FR-01: a relay without a daemon starts one, and it stays"):
        with Relay(home.env) as relay:
            check.need(relay.initialize()["serverInfo"]["name"] == "tenon", "who answers")
            relay.say(wire.request(1, "tools/list"))
            check.need(relay.answer(1)["result"]["tools"], "tools")
            check.need(relay.end() == 0, "exit code")
        check.need(daemon.is_alive(home.discovery()["pid"]), "the daemon")
        check.need(home.processes() == [home.discovery()["pid"]], "nothing else is left")
    with step("ST-006: ten at once start one daemon"):
        home.stop()
        relays = [Relay(home.env) for _ in range(10)]
        for relay in relays:
            relay.say(wire.modern(1, "tools/list"))
        for relay in relays:
            check.need(relay.answer(1)["result"]["tools"], "tools")
        found = home.discovery()["pid"]
        for relay in relays:
            check.need(relay.end() == 0, "exit code")
            relay.__exit__()
        check.need(home.processes() == [found], "one daemon")
    for version in LEGACY:
        with step(f"FR-02: initialise, list, call, {version}"), Relay(home.env, "plan") as relay:
            check.need(relay.initialize(version)["protocolVersion"] == version, "the revision")
            relay.say(wire.request(1, "tools/list"), explain(2))
            names = [tool["name"] for tool in relay.answer(1)["result"]["tools"]]
            check.need("terraform_explain" in names, names)
            check.need(not relay.answer(2)["result"].get("isError"), "a call")
            check.need(relay.end() == 0, "exit code")
    with step("the same in 2026-07-28"), Relay(home.env, "plan") as relay:
        relay.say(wire.modern(1, "server/discover"), wire.modern(2, "tools/list"), explain(3, True))
        check.need("2026-07-28" in relay.answer(1)["result"]["supportedVersions"], "discover")
        check.need(relay.answer(2)["result"]["tools"], "tools")
        check.need(not relay.answer(3)["result"].get("isError"), "a call")
    with step("an app that is not there: exit 1, and its host is told"), Relay(home.env, "nothing") as relay:
        relay.say(wire.initialize(1))
        fault = fault_of(relay.answer(1), "2026")
        check.need(fault["error"] == FAILED and fault["message"], fault)
        check.need("/ws/nothing" in fault["message"] and "tenon tools" in fault["message"], fault)
        check.need(relay.process.wait(30) == 1 and relay.complaint(), "its end")
    with step("a wrong token: exit 3"):
        env = home.env | {"TENON_BRIDGE_TOKEN": "wrong-wrong-wrong-wrong"}
        with Relay(env) as relay:
            relay.say(wire.initialize(1))
            check.need(fault_of(relay.answer(1), "2026")["error"] == FAILED, "the answer")
            check.need(relay.process.wait(30) == 3, "exit code")


def stops(home):
    with step("an idle relay does not start what was told to stop; the next call does"):
        with Relay(home.env) as relay:
            relay.initialize()
            home.tenon("down")
            time.sleep(2) # four of its tries
            check.need(not home.discovery_or_none(), "a daemon runs again")
            relay.say(wire.request(1, "tools/list"))
            check.need(relay.answer(1)["result"]["tools"], "the list")
            check.need(home.discovery(), "a daemon")
    with step("ST-013: a restart by hand is not noticed by the host"):
        with Relay(home.env) as relay:
            relay.initialize()
            home.tenon("down")
            home.tenon("up")
            relay.say(wire.request(1, "tools/list"))
            told = []
            check.need(relay.answer(1, others=told)["result"]["tools"], "the list")
            check.need("notifications/tools/list_changed" in [m.get("method") for m in told], told)


def switches(home):
    with step("T8: a token that is changed is not noticed by the host"):
        home.stop() # it remembers that we start relays: hosts do not speak for a person
        home.tenon("up")
        start_it = "import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:]))"
        with Relay(home.env, host=(sys.executable, "-c", start_it)) as relay:
            relay.initialize()
            before = home.discovery()["token"]
            home.tenon("token", "--rotate")
            check.need(home.discovery()["token"] != before, "the same token")
            time.sleep(1) # within which the old one's connections end
            relay.say(wire.request(1, "tools/list"))
            told = []
            check.need(relay.answer(1, others=told)["result"]["tools"], "the list")
            check.need("notifications/tools/list_changed" in [m.get("method") for m in told], told)
    with step("ST-008: switched off, a call says so and the conversation goes on"):
        home.stop()
        home.env["TENON_MCP_ENABLED"] = "false"
        try:
            with Relay(home.env) as relay:
                relay.initialize()
                relay.say(explain(1))
                fault = fault_of(relay.answer(1), "2025-06-18")
                check.need(fault["error"] == "SERVER_DISABLED" and fault["retryable"], fault)
                check.need(relay.end() == 0, "exit code")
        finally:
            del home.env["TENON_MCP_ENABLED"]
            home.stop()


def restarts(home):
    with step("ST-007: a daemon that dies is started again, three times in a row"):
        home.tenon("up")
        with Relay(home.env) as relay:
            relay.initialize()
            for number in range(1, 4):
                kill_daemon(home)
                relay.say(wire.request(number, "tools/list"))
                message = relay.answer(number)
                if "error" in message: # it was out when the daemon died
                    check.need(fault_of(message, "2025-06-18")["error"] == LOST, message)
                    relay.say(wire.request(100 + number, "tools/list"))
                    message = relay.answer(100 + number)
                check.need(message["result"]["tools"], message)
            kill_daemon(home)
            relay.say(wire.request(4, "tools/list"), explain(5))
            faults = [fault_of(relay.answer(n), "2025-06-18") for n in (4, 5)]
            if faults[0]["error"] == LOST:
                relay.say(wire.request(6, "tools/list"))
                faults = [fault_of(relay.answer(6), "2025-06-18")]
            check.need(all(f["error"] == FAILED and not f["retryable"] for f in faults), faults)
            check.need(not home.discovery_or_none(), "a fourth time")
            home.tenon("up")
            relay.say(wire.request(7, "tools/list"))
            check.need(relay.answer(7)["result"]["tools"], "a person says up")
            check.need(relay.end() == 0, "exit code")


def check_left(home, what):
    """Nothing but a daemon, which is the one that can be found."""
    def tidy():
        found = home.discovery_or_none()
        return home.processes() == ([found["pid"]] if found else [])
    try:
        daemon.wait_until(tidy, what)
    except AssertionError as error:
        left = []
        for pid in home.processes():
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                left.append((pid, file.read().replace(b"\0", b" ")))
        raise AssertionError(f"{what}: left are {left}, found is {home.discovery_or_none()}") from error


def one_round(home, seed):
    """Four relays with calls under way; somebody is killed; every call is answered all the same."""
    chance = random.Random(seed)
    home.tenon("up")
    try:
        os.unlink(home.runtime("launch.json")) # or ST-007 would count them
    except FileNotFoundError:
        pass
    relays = [Relay(home.env) for _ in range(4)]
    try:
        for relay in relays[:2]:
            relay.initialize()
        for number in range(chance.randrange(1, 40)):
            relays[0].say(explain(number))
            relays[1].say(wire.request(number, "tools/list"))
            relays[2].say(explain(number, True))
            relays[3].say(explain(number, True))
        time.sleep(chance.random() * 0.02)
        victim = chance.choice(("daemon", "relay", "both"))
        if victim != "relay":
            os.kill(home.discovery()["pid"], signal.SIGKILL)
        if victim != "daemon":
            relays[3].process.kill()
        for index, relay in enumerate(relays[:3]):
            began = time.monotonic()
            relay.say((wire.modern if index == 2 else wire.request)("last", "tools/list"))
            waiting = set(range(number + 1)) | {"last"}
            while waiting:
                line = relay.line(60)
                check.need(line, f"seed {seed}, {victim} killed: relay {index} waits for {waiting}")
                message = json.loads(line)
                if "method" not in message:
                    waiting.remove(message["id"])
            check.need_soon(began, 5, f"seed {seed}: until all was answered")
        for relay in relays[:3]:
            check.need(relay.end() == 0, f"seed {seed}: exit code")
        relays[3].process.kill()
        check_left(home, f"seed {seed}")
    finally:
        for relay in relays:
            relay.__exit__()


def kills(home):
    first = int(os.environ.get("RELAY_SEED", random.randrange(1 << 30)))
    with step(f"kill -9 at random points, {ROUNDS} times, RELAY_SEED={first}"):
        for seed in range(first, first + ROUNDS):
            one_round(home, seed)


def main():
    with daemon.Home() as home:
        for part in (start, fit, stops, switches, restarts, kills):
            part(home)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
