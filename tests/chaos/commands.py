#!/usr/bin/env python3
"""commands.py ROUNDS [SEED] - kill -9 of the daemon in the middle of terminal commands, at random points.

A round: sessions of several shells, each with a command that prints what can be foretold; the daemon is killed
once or more while they run. The next daemon has the same sessions and the same commands; each ends with its own
exit code and every byte, and nothing is left behind. terminal.md 4.2, 6.1, 12.4; ARCHITECTURE 1.
"""
import os
import random
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import daemon  # noqa: E402
import links  # noqa: E402
import terminal  # noqa: E402

SUITE = "chaos-terminal"
SHELLS = [name for name in ("bash", "zsh", "fish", "dash") if any(
    os.access(os.path.join(folder, name), os.X_OK) for folder in ("/bin", "/usr/bin", "/usr/local/bin"))]
# What a command prints, piece by piece: each line tells its own number, so that a lost, doubled or moved one is
# seen. Some at once, some for longer than the daemon lives.
PRINT = ("import sys, time\nfirst, count, pause, code = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), "
         "int(sys.argv[4])\nfor i in range(count):\n    sys.stdout.write('%d %d \\x1b[3%dm%s\\x1b[0m\\n' % "
         "(first, i, i % 8, 'x' * (i * 7 % 90)))\n    if pause and i % 50 == 0:\n        sys.stdout.flush()\n"
         "        time.sleep(pause)\nsys.exit(code)\n")


def printed(first, count):
    return "".join(f"{first} {i} \x1b[3{i % 8}m{'x' * (i * 7 % 90)}\x1b[0m\r\n" for i in range(count)).encode()


def connect(home):
    link = links.Stdio([daemon.TENON, "mcp", "terminal"], env=home.env)
    return link, terminal.Assistant(link)


class Work:
    """One session and the command that runs in it."""

    def __init__(self, client, folder, dice, number):
        self.session = client.create(shell=SHELLS[number % len(SHELLS)], name=f"work {number}", activate=False)
        before = client.run("cd /tmp", session_id=self.session)
        check.need(before["exit_code"] == 0, before)
        self.first, self.code = dice.randrange(10 ** 6), dice.randrange(1, 100)
        self.count = dice.choice((200, 2000, 60000))
        pause = 0 if self.count == 60000 else dice.choice((0.02, 0.1, 0.5)) * 200 / self.count
        self.earlier = client.run(f"echo earlier {number}", session_id=self.session)
        self.started = client.begin("execute_command", command=f"python3 {folder}/print.py {self.first} {self.count} "
                                    f"{pause} {self.code}", session_id=self.session, timeout_ms=0, yield_ms=0)
        self.command = client.end(self.started)["command_id"]
        self.queued = client.run(f"echo after {number}", session_id=self.session, yield_ms=0)["command_id"]

    def ended(self, client, number):
        told = client.use("wait_for", command_id=self.command, until="exit", timeout_ms=60000)
        check.need(told["command"] and told["command"]["exit_code"] == self.code,
                   f"{self.code}: {told['reason']} {told['command']}")
        found, _ = client.all_output(command_id=self.command)
        wanted = printed(self.first, self.count)
        if found != wanted:
            at = next((i for i, (a, b) in enumerate(zip(found, wanted)) if a != b), min(len(found), len(wanted)))
            check.need(False, f"{len(found)} of {len(wanted)} bytes, other from {at} on: {found[at:at + 60]} for "
                       f"{wanted[at:at + 60]}")
        result = client.use("wait_for", command_id=self.queued, until="exit", timeout_ms=60000)
        check.need(result["command"]["exit_code"] == 0, result)
        for command, text in ((self.queued, f"after {number}"), (self.earlier["command_id"], f"earlier {number}")):
            output = client.use("get_terminal_output", command_id=command)["output"].strip()
            check.need(output == text, f"{output} for {text}")
        again = client.run("pwd", session_id=self.session)
        check.need((again["exit_code"], again["output"].strip()) == (0, "/tmp"), again)


def play(seed):
    dice = random.Random(seed)
    with daemon.Home(port=30000 + seed % 10000, TENON_CONSENT="allow", TENON_TERMINAL_RATE_PER_MINUTE="0") as home:
        with open(home.path("print.py"), "w", encoding="utf-8") as file:
            file.write(PRINT)
        home.tenon("up")
        link, client = connect(home)
        works = [Work(client, home.folder, dice, number) for number in range(len(SHELLS))]
        cursor = client.use("get_terminal_output", session_id=works[0].session)["next_cursor"]
        host = [pid for pid in home.processes() if b"--pty-host" in terminal.read_bytes(f"/proc/{pid}/cmdline")]
        times = dice.choice((1, 1, 2, 3))
        for _ in range(times):
            time.sleep(dice.random() * 1.0)
            os.kill(home.discovery()["pid"], signal.SIGKILL)
            link.process.kill()
            link.process.wait()
            time.sleep(dice.choice((0, 0.05, 1.5)))
            link, client = connect(home)  # starts the next daemon
            states = client.states()
            check.need(set(states) == {work.session for work in works}, states)
        page = client.use("get_terminal_output", session_id=works[0].session, cursor=cursor, max_bytes=1000)
        check.need(page["gap_bytes"] == 0, page)
        for number, work in enumerate(works):
            work.ended(client, number)
        still = [pid for pid in home.processes() if b"--pty-host" in terminal.read_bytes(f"/proc/{pid}/cmdline")]
        check.need(sorted(still)[:1] == sorted(host)[:1], "another host")
        link.close()
        home.tenon("down")
        daemon.wait_until(lambda: not home.processes(), f"left: {home.processes()}", 10)
        return times


def main():
    rounds = int(sys.argv[1])
    first = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(1 << 30)
    for number in range(rounds):
        with check.Step(SUITE, f"round {number + 1}, seed {first + number}"):
            begun = time.monotonic()
            times = play(first + number)
            print(f"chaos {number + 1}: killed {times} times, {time.monotonic() - begun:.1f} s", flush=True)
    return check.failures


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
