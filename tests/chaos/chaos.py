#!/usr/bin/env python3
"""chaos.py ROUNDS [SEED] - kill -9 of relays, the daemon and AI hosts in the middle of calls, at random points.

A round: three hosts (host.py), each with a relay, change one shared document through one daemon; something is
killed; the rest goes on. Afterwards: no operation that was acknowledged is lost, nothing hung, no process is
left, and the discovery file is true or gone. ST-006, ST-007, ST-013, ST-014, ST-023; terminal.md 12.4.
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
import daemon  # noqa: E402

SUITE = "chaos"
HOST = os.path.join(os.path.dirname(__file__), "host.py")
PLAN = os.path.join(os.path.dirname(__file__), "../data/plan-examples/02-mixed-replace.txt")
NAMES = ("ada", "bert", "cleo")
AFTER_S = 20  # for everybody to work again


class Host:
    def __init__(self, home, index):
        self.name, self.index = NAMES[index], index
        self.sent = self.acked = 0
        self.relays, self.wrong, self.slow = [], [], []
        self.child = subprocess.Popen([sys.executable, HOST, self.name, str(index)], env=home.env,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8")
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.child.stdout:
            for key, value in json.loads(line).items():
                if key in ("sent", "acked"):
                    setattr(self, key, value)
                elif key == "relay":
                    self.relays.append(value)
                elif key in ("wrong", "slow"):
                    getattr(self, key).append(value)

    def kill(self):
        self.child.kill()
        self.child.wait()
        self.reader.join(20)


def kill_one(home, hosts, dice):
    """Somebody dies. The hosts that have to work afterwards."""
    kind = dice.choice(("relay", "daemon", "daemon", "host", "daemon and relay"))
    victim = dice.choice(hosts)
    survivors = list(hosts)
    if "daemon" in kind:
        os.kill(home.discovery()["pid"], signal.SIGKILL)
    if "relay" in kind:
        os.kill(victim.relays[-1], signal.SIGKILL)
    if kind == "host":
        relay = victim.relays[-1]
        victim.kill()
        survivors.remove(victim)
        daemon.wait_until(lambda: not daemon.is_alive(relay), "a relay outlives its host")
    return kind, survivors


def notes(home):
    """The review as it stands: address to note."""
    with open(PLAN, encoding="utf-8") as file:
        parsed = json.loads(home.tenon("call", "terraform_parse", "--json", "--args", "-",
                                       text=json.dumps({"plan_text": file.read()})).stdout)
    parsed = parsed["structuredContent"]
    review = json.loads(home.tenon("call", "terraform_review", f"plan_id={parsed['plan_id']}",
                                   "--json").stdout)["structuredContent"]
    found = {mark["address"]: mark["note"] for mark in review["marks"]}
    return [found.get(change["address"]) for change in parsed["resource_changes"]]


def check_committed(home, hosts):
    kept = notes(home)
    for host in hosts:
        name, _, number = (kept[host.index] or f"{host.name} 0").rpartition(" ")
        check.need(name == host.name, f"{host.name}'s note is {kept[host.index]}")
        check.need(host.acked <= int(number) <= host.sent,
                   f"{host.name}: acknowledged {host.acked}, kept {number}, sent {host.sent}")


def play(seed):
    dice = random.Random(seed)
    with daemon.Home(port=30000 + seed % 10000) as home:
        hosts = [Host(home, index) for index in range(len(NAMES))]
        daemon.wait_until(lambda: all(host.acked > 2 for host in hosts), "work has begun")
        time.sleep(dice.random() * 0.3)
        kind, survivors = kill_one(home, hosts, dice)
        before = {host.name: host.acked for host in survivors}
        daemon.wait_until(lambda: all(host.acked > before[host.name] + 2 for host in survivors),
                          f"everybody works again after the {kind}'s end", AFTER_S)
        for host in hosts:
            host.kill()
            check.need(not host.wrong, host.wrong[:3])
            check.need(not host.slow, f"took {host.slow[:3]} s")
        for relay in (relay for host in hosts for relay in host.relays):
            daemon.wait_until(lambda pid=relay: not daemon.is_alive(pid), f"relay {relay} is left")
        check_committed(home, hosts)
        found = home.discovery()
        check.need(home.processes() == [found["pid"]], f"left: {home.processes()}, {found['pid']}")
        home.tenon("down")
        check.need(not home.processes() and not os.path.exists(home.runtime("tenond.json")), "the end")
        return kind, sum(host.acked for host in hosts)


def main():
    rounds = int(sys.argv[1])
    first = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(1 << 30)
    for number in range(rounds):
        with check.Step(SUITE, f"round {number + 1}, seed {first + number}"):
            kind, acked = play(first + number)
            print(f"chaos {number + 1}: {kind}, {acked} operations", flush=True)
    return check.failures


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
