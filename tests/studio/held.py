#!/usr/bin/env python3
"""held.py - apply and destroy run what was looked at, while another program of the user exchanges it all the time:
the engine (a program, a script), the plan's file, a .tf file, a provider (studio.md ST-081). Each round is a
question that a person answers for what is right; if what is wrong runs afterwards, the other program has won."""
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import daemon  # noqa: E402
from acts import DATA, FAKE, Asked, plan_file  # noqa: E402
from check import Step, need  # noqa: E402

SUITE = "studio-held"
LATEST_S = 0.04
ROUNDS = int(os.environ.get("TENON_ROUNDS", "20")) # 60 in "make proof"
ENGINE = os.path.join(os.path.dirname(daemon.TENON), "tests/studio-engine")
# Exchanges two names, or what one file has, as fast as it can until it is ended.
FLIP = """
import ctypes, os, sys, time
how, one, other, delay = sys.argv[1:]
libc = ctypes.CDLL(None, use_errno=True)
os.write(1, b"x")
os.read(0, 1)
time.sleep(float(delay))
if how == "names":
    a, b = one.encode(), other.encode()
    while True:
        libc.syscall(316, -100, a, -100, b, 2)
texts = [open(name, "rb").read() for name in (other, one)]
while True:
    for text in texts:
        try:
            file = os.open(one, os.O_WRONLY)
        except OSError:
            continue
        os.pwrite(file, text, 0)
        os.close(file)
"""


def step(name):
    return Step(SUITE, name)


def write(path, text, mode=0o644):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)
    return path


class Flipper:
    """A second process, from some moment after the answer until it is stopped: before what was answered is looked at
    once more, meanwhile, and after. What is right stands there again afterwards."""

    def __init__(self, how, one, other):
        self.one, self.right = one, open(one, "rb").read()
        self.other, self.wrong = other, open(other, "rb").read()
        self.process = subprocess.Popen([sys.executable, "-c", FLIP, how, one, other, str(random.uniform(0, LATEST_S))],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.process.stdout.read(1)

    def start(self):
        if not self.process.stdin.closed:
            self.process.stdin.close()

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        if not self.process.stdin.closed:
            self.process.stdin.close()
        mode = os.stat(self.one).st_mode & 0o777
        for path, text in ((self.one, self.right), (self.other, self.wrong)):
            if open(path, "rb").read() == text:
                continue
            with open(path + ".new", "wb") as file:
                file.write(text)
            os.chmod(path + ".new", mode)
            os.replace(path + ".new", path)


class Small(Asked):
    """With the small engine, whose wrong twin is beside it."""

    def __init__(self, **env):
        self.tools = os.path.realpath(tempfile.mkdtemp())
        self.good = shutil.copy(ENGINE, os.path.join(self.tools, "terraform"))
        self.evil = shutil.copy(ENGINE + "-evil", os.path.join(self.tools, "other"))
        super().__init__(self.good, **env)

    def __exit__(self, *everything):
        super().__exit__(*everything)
        shutil.rmtree(self.tools, ignore_errors=True)

    def begin_small(self):
        """A project with a provider and a file of the user's own; its folder."""
        path = self.client.use("new_project", name="held", directoryPath=self.folder)["project"]["path"]
        self.client.add(DATA, label="alpha", properties={"input": "one"})
        self.run("plan")
        self.terraform = os.path.join(path, "terraform")
        provider = os.path.join(self.terraform, ".terraform/providers/example.org/x")
        os.makedirs(provider)
        self.provider = shutil.copy(self.good, os.path.join(provider, "terraform-provider-x"))
        self.extra = write(os.path.join(self.terraform, "extra.tf"), "# extra-good\n")
        return path

    def seen(self):
        try:
            with open(os.path.join(self.terraform, "terraform.tfstate.backup"), encoding="utf-8") as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []


def round_of(place, path, flipper_of):
    """What was carried out, if anything; one line of the engine."""
    plan, _ = place.run("plan")
    need(isinstance(plan, dict) and plan["success"], f"{plan} {place.fault}")
    flipper = flipper_of(plan["planId"])
    before = len(place.seen())
    try:
        result, asked = place.run("apply", meanwhile=flipper.start, planId=plan["planId"])
    finally:
        flipper.stop()
    lines = place.seen()[before:]
    return lines, result, asked


def flips(place, path):
    evil_provider = shutil.copy(place.evil, os.path.join(place.tools, "provider"))
    evil_extra = write(os.path.join(place.tools, "extra"), "# extra-evil\n")
    evil_plan = write(os.path.join(place.tools, "plan"), "plan-evil\n")

    return {"the engine, renamed": lambda _: Flipper("names", place.good, place.evil),
            "the engine, written": lambda _: Flipper("bytes", place.good, place.evil),
            "a provider, renamed": lambda _: Flipper("names", place.provider, evil_provider),
            "a provider, written": lambda _: Flipper("bytes", place.provider, evil_provider),
            "a .tf file, renamed": lambda _: Flipper("names", place.extra, evil_extra),
            "a .tf file, written": lambda _: Flipper("bytes", place.extra, evil_extra),
            "the plan, renamed": lambda plan: Flipper("names", plan_file(path, plan), evil_plan),
            "the plan, written": lambda plan: Flipper("bytes", plan_file(path, plan), evil_plan)}


def races():
    with Small() as place:
        path = place.begin_small()
        lines, result, asked = round_of(place, path, lambda _: Flipper("names", place.extra, place.extra))
        with step("undisturbed it is applied"):
            need(asked == 1 and lines == ["good|plan-good|# extra-good|good"], f"{lines} {result} {place.fault}")
        total = 0
        for name, flipper_of in flips(place, path).items():
            ran = 0
            with step(f"{name}: never what is wrong"):
                for _ in range(ROUNDS):
                    lines, result, asked = round_of(place, path, flipper_of)
                    ran += bool(lines)
                    need(not [line for line in lines if "evil" in line], f"won: {lines} {result}")
                print(f"{SUITE}: {name}: {ROUNDS} rounds, {ran} ran, all what was asked about", flush=True)
            total += ran
        with step("at least one in ten ran, so that there was something to win"):
            need(10 * total >= 8 * ROUNDS, f"{total} of {8 * ROUNDS}")


def scripts():
    """An engine that is a script: its interpreter is given what was looked at, whatever has that name by then."""
    with open(FAKE, encoding="utf-8") as file:
        text = file.read()
    evil = text.replace("def do_apply(self):", "def do_apply(self):\n        open('../won', 'w').close()")
    need(evil != text, "the stand-in for the engine is another one")
    tools = os.path.realpath(tempfile.mkdtemp())
    good = write(os.path.join(tools, "terraform"), text, 0o755)
    other = write(os.path.join(tools, "other"), evil, 0o755)
    for how in ("names", "bytes"):
        with Asked(good) as place, step(f"an engine that is a script ({how}): never what is wrong"):
            path, ran = place.begin("script"), 0
            for number in range(max(ROUNDS // 3, 5)):
                place.client.add(DATA, label=f"more{number}")
                plan, _ = place.run("plan")
                flipper = Flipper(how, good, other)
                try:
                    result, _ = place.run("apply", meanwhile=flipper.start, planId=plan["planId"])
                finally:
                    flipper.stop()
                ran += isinstance(result, dict) and result["success"]
                need(not os.path.exists(os.path.join(path, "won")), f"won: {result}")
            print(f"{SUITE}: a script, {how}: {max(ROUNDS // 3, 5)} rounds, {ran} ran", flush=True)
    shutil.rmtree(tools)


def appears():
    """A provider that was not there when it was asked about is not there; and what cannot be held is said."""
    with Small() as place:
        path = place.begin_small()
        os.remove(place.provider)

        def put():
            shutil.copy(place.good, place.provider)

        with step("a provider that appears in the engine's folder after the last look is not started"):
            for delay in range(20):
                plan, _ = place.run("plan")
                before = len(place.seen())
                result, _ = place.run("apply", meanwhile=lambda: threading.Timer(delay / 500, put).start(),
                                      planId=plan["planId"])
                time.sleep(0.05)
                need(not [line for line in place.seen()[before:] if not line.endswith("|")], f"{place.seen()} {result}")
                os.remove(place.provider)
        with step("the question says what is only compared, and what a script starts"):
            write(os.path.join(place.terraform, "large.bin"), "x" * (1 << 21))
            plan, _ = place.run("plan")
            place.run("apply", planId=plan["planId"])
            need("cannot be held" in place.client.questions[0].lower() and "large.bin" in place.client.questions[0],
                 place.client.questions)
    with Asked(FAKE) as place, step("a script's own programs are not held, and the question says so"):
        place.begin("said")
        place.client.add(DATA, label="beta")
        place.run("apply")
        need("what the script" in place.client.questions[0], place.client.questions)


def shown():
    """The engine whose words a person reads is the one that applies, though nothing of either file ever changes."""
    with Small() as place:
        place.begin_small()
        tools = os.path.join(place.tools, "tools")
        os.mkdir(tools)
        name = os.path.join(tools, "terraform")
        other = os.path.join(place.tools, "tools-other")
        os.mkdir(other)
        for path, engine in ((name, place.good), (os.path.join(other, "terraform"), place.evil)):
            shutil.copy(engine, path)
        os.rename(place.good, place.good + ".first")
        os.symlink("tools/terraform", place.good)

        def turn():
            for one, to in ((tools, tools + "-x"), (other, tools), (tools + "-x", other)):
                os.rename(one, to)

        with step("a plan that another engine showed is not applied, and nobody is asked about its words"):
            turn()
            plan, _ = place.run("plan")
            turn()
            before = len(place.seen())
            result, asked = place.run("apply", planId=plan["planId"])
            need(result == "STALE_PLAN" and asked == 0 and place.seen()[before:] == [], f"{asked} {result} {place.fault}")
            need("engine" in place.fault, place.fault)
        with step("one that the same engine showed is"):
            plan, _ = place.run("plan")
            result, asked = place.run("apply", planId=plan["planId"])
            need(asked == 1 and result["success"], f"{asked} {result} {place.fault}")


def longest_wait(place, number):
    """Of pings that are sent while a call goes on: the longest, how much the loop worked (s) in one of them at most, and
    how many they were; the call's result. What server and client waited for others who had the processor is no part of
    the longest: however busy the machine is, it is the server's own."""
    def now():
        return time.monotonic() - check.kept_waiting(os.getpid()) - check.kept_waiting(place.pid)

    longest, worked, count = 0.0, 0, 0
    while number not in place.client.answers:
        used, begun = daemon.loop_ns(place.pid), now()
        place.client.finish(place.client.start("ping", {}))
        worked = max(worked, daemon.loop_ns(place.pid) - used)
        longest, count = max(longest, now() - begun), count + 1
    return longest, worked / 1e9, count, place.client.end(number)


def others_go_on():
    """A plan of 60 MiB, 3,000 files, 500 .tf files of the user's of 100 KiB each and a state of 40 MiB are hashed and held
    while every other call is answered as ever."""
    with Small(PLAN_MIB="60", KEEP_CONSENT="1", TENON_CONSENT="allow") as place, step("others are answered meanwhile"):
        place.begin_small()
        for number in range(3000):
            write(os.path.join(place.terraform, f"data-{number}.txt"), f"{number}\n" * 50)
        for number in range(500):
            write(os.path.join(place.terraform, f"own-{number}.tf"), f"# {number}\n" * 15000)
        write(os.path.join(place.terraform, "terraform.tfstate"), "a state\n" * (5 << 20))
        for arguments in ({"command": "plan"}, {"command": "apply", "confirmed": True}):
            longest, worked, count, result = longest_wait(place, place.client.begin("run_terraform", **arguments))
            need(result["success"], f"{result}")
            print(f"{SUITE}: {arguments['command']}: {count} pings, the longest took {longest * 1000:.0f} ms, the loop worked "
                  f"{worked * 1000:.0f} ms at most", flush=True)
            need(worked < 0.2 or check.sanitized(), f"{arguments['command']}: the loop worked {worked * 1000:.0f} ms at once")
            check.need_quick(0 if check.sanitized() else longest, 0.25, f"{arguments['command']}: a ping")
            need(count > 20, f"only {count} pings")


def picture():
    """A worker paints: a picture of many pixels holds nobody up."""
    with Small() as place, step("others are answered while a picture is painted"):
        place.client.use("new_project", name="picture", directoryPath=place.folder)
        for _ in range(4):
            place.client.use("execute_batch", operations=[{"tool": "add_resource", "arguments": {"typeId": DATA}}] * 50)
        longest, worked, count, result = longest_wait(place, place.client.begin("export_diagram", format="png",
                                                                                options={"scale": 2}))
        print(f"{SUITE}: export_diagram: {result['width']} x {result['height']}, {count} pings, the longest took "
              f"{longest * 1000:.0f} ms, the loop worked {worked * 1000:.0f} ms at most", flush=True)
        need(worked < 0.2 or check.sanitized(), f"the loop worked {worked * 1000:.0f} ms at once")
        need(count > 20, f"only {count} pings")


def main():
    parts = {"others": others_go_on, "picture": picture, "races": races, "scripts": scripts, "appears": appears, "shown": shown}
    for name in sys.argv[1:] or parts:
        parts[name]()
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
