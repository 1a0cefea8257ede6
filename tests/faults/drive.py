#!/usr/bin/env python3
"""drive.py BUILD INJECT_LIBRARY - fails the 1st, 2nd, 3rd ... call of each kind in each case.

A case is a command with its input, or a conversation. Whatever fails, the program must not crash,
leak, hang, or present a wrong answer as a right one: it ends with an error that says so, or it gives
the same answer as without the fault. A transfer that moves only a part must not be noticed at all.

"once" and "short" go through all positions, "on" (from then on) through 50 spread over them.
FAULTS_QUICK=1 tries some early calls and then ever larger steps. FAULTS_ONLY=TEXT picks cases,
FAULTS_KIND=TEXT kinds ("alloc once").
"""
import concurrent.futures
import json
import os
import re
import sys
import tempfile

from cases import BUILD, EXAMPLES, TOKEN, Command, Server, conversation, example, same_answers
from talks import all_talks, our_clients

QUICK = os.environ.get("FAULTS_QUICK") == "1"
ONLY = os.environ.get("FAULTS_ONLY", "")
KIND = os.environ.get("FAULTS_KIND", "")
NTH_MAX = 100_000
SPREAD = 8 if QUICK else 50
SWEEPS = [("alloc", "once"), ("alloc", "on"), ("io", "once"), ("io", "on"), ("io", "short"),
          ("file", "once"), ("poll", "once")]


def cases():
    plan = example("02-mixed-replace.txt")
    lines = "".join(json.dumps(one) + "\n" for one in conversation()).encode()
    path = os.path.join(EXAMPLES, "09-same-plan.json")
    every = [
        Command("explain from a pipe", "tenond", ["plan", "explain", "--full"], plan),
        Command("explain through tenon", "tenon", ["plan", "explain", "--full"], plan),
        Command("explain a file as Markdown", "tenond",
                ["plan", "explain", "--format", "markdown", "--full", path]),
        Command("parse as JSON", "tenond", ["plan", "parse", "--format", "json"], plan),
        Command("risk as SARIF", "tenond", ["plan", "risk", "--format", "sarif"], plan),
        Command("best of three", "tenond", ["plan", "best-of", "-n", "3"], plan),
        Command("compare", "tenond", ["plan", "compare", path, path]),
        Command("a conversation on stdio", "tenond", ["--foreground", "plan"], lines, same_answers),
        Command("tiny-server on stdio", "tiny-server", [], lines, same_answers),
        Server("a conversation over HTTP", "tenond",
               ["--foreground", "plan", "--http", "127.0.0.1:0", "--token", TOKEN]),
    ]
    return [case for case in every + all_talks() + our_clients() if ONLY in case.name]


def stepping(mode, total):
    """Which calls fail: all of them and some more, in case a run makes more calls than the first."""
    if mode == "on":
        return sorted({1 + total * i // SPREAD for i in range(SPREAD)})
    if not QUICK:
        return range(1, NTH_MAX)
    numbers, number = [], 1
    while number <= total:
        numbers.append(number)
        number += 1 if number < 4 else max(1, number // 3)
    return numbers


class Sweep:
    """One case, one kind of fault: N = 1, 2, 3 ... until the program makes fewer calls than N."""

    def __init__(self, case, kind, mode, good, total):
        self.case, self.kind, self.mode, self.good, self.total = case, kind, mode, good, total
        self.runs = 0
        self.faults = []

    def name(self):
        return f"{self.case.name}: {self.kind} {self.mode}"

    def run_one(self, number):
        """False when the fault did not happen any more."""
        with tempfile.TemporaryDirectory() as work:
            hit = os.path.join(work, "hit")
            outcome = self.case.run(work, {
                "KIND": self.kind, "MODE": self.mode, "NTH": str(number), "HIT": hit,
                "PROGRAM": self.case.program})
            try:
                with open(hit, encoding="utf-8") as file:
                    call = file.readline().strip()
            except FileNotFoundError:
                return False
        why = outcome.broken()
        if not why and self.mode == "short":
            if outcome.code != self.good.code or outcome.output != self.good.output:
                why = f"a short transfer changed the answer (exit {outcome.code})"
        elif not why and outcome.code == self.good.code and not self.case.is_same(
                self.good.output, outcome.output):
            why = f"exit {outcome.code}, but the answer is another: {outcome.output[:200]!r}"
        self.runs += 1
        if why:
            self.faults.append(f"N={number} ({call}{self.place(number)}): {why}")
        return True

    def place(self, number):
        """Where in our code the fault was injected, from the sanitizer's trace; outermost last."""
        with tempfile.TemporaryDirectory() as work:
            outcome = self.case.run(work, {
                "KIND": self.kind, "MODE": self.mode, "NTH": str(number), "TRACE": "1",
                "PROGRAM": self.case.program})
        trace = outcome.errors.split("\n\n")[0]
        frames = re.findall(r"#\d+ \S+ in (\w+) \S*?((?:src|examples)/\S+:\d+)", trace)
        ours = [frame for frame in frames if "libsanitizer" not in frame[1]]
        return "".join(f" < {name} {place}" for name, place in ours[:7])

    def run(self):
        for number in stepping(self.mode, self.total):
            if not self.run_one(number) or len(self.faults) >= 5:
                break
        return self


def calls_made(case, kind):
    """How many calls of this kind the program makes, none of which fails."""
    with tempfile.TemporaryDirectory() as work:
        path = os.path.join(work, "count")
        case.run(work, {"KIND": kind, "MODE": "once", "NTH": str(NTH_MAX * 10), "COUNT": path,
                        "PROGRAM": case.program})
        try:
            with open(path, encoding="ascii") as file:
                return int(file.readline())
        except FileNotFoundError:
            return 0


def report(passed, name, why=""):
    path = os.environ.get("TENON_RESULTS")
    flat = re.sub(r"\s+", " ", why)
    if path:
        with open(path, "a", encoding="utf-8") as file:
            print("passed" if passed else "failed", "faults", name, flat[:400], sep="\t", file=file)
    print(f"{'ok' if passed else 'FAILED'} {name}{': ' + why if why else ''}", flush=True)


def main():
    sweeps = []
    for case in cases():
        if not os.path.exists(os.path.join(BUILD, case.program)):
            report(False, case.name, f"{case.program} is not built")
            continue
        with tempfile.TemporaryDirectory() as work:
            good = case.run(work, {})
        why = good.broken()
        report(not why, f"{case.name}: without a fault", why)
        if why:
            continue
        wanted = [one for one in SWEEPS if KIND in " ".join(one)]
        totals = {kind: calls_made(case, kind) for kind in {kind for kind, _ in wanted}}
        print(f"-- {case.name}: {totals}", flush=True)
        sweeps += [Sweep(case, kind, mode, good, totals[kind]) for kind, mode in wanted]
    bad = False
    with concurrent.futures.ThreadPoolExecutor(2 * (os.cpu_count() or 2)) as pool:
        for sweep in pool.map(Sweep.run, sweeps):
            bad |= bool(sweep.faults)
            if sweep.runs == 0:
                print(f"-- {sweep.name()}: makes no such call", flush=True)
                continue
            report(not sweep.faults, f"{sweep.name()} ({sweep.runs} runs)", " | ".join(sweep.faults))
    return 3 if bad else 0  # 1 is what Python itself says when it breaks


sys.exit(main())
