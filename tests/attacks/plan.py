#!/usr/bin/env python3
"""plan.py URL PID NAME=TOKEN - the attacks that need a real app: "tenon serve plan".

Plans are private to nobody but whoever was handed their id, so an id must not be guessable (plan.md
section 9), and long ones must not make the server slow or large (plan.md section 3.3).
"""
import json
import random
import sys

from attack import Attack, Server, growth, status_is
import check
import hostile

SUITE = "attack-plan"
LETTERS = "abcdefghijklmnopqrstuvwxyz234567"


def call(server, name, arguments):
    answer = server.modern("tools/call", {"name": name, "arguments": arguments})
    status_is(answer, 200)
    return answer.json()["result"]


def parse(server, text):
    return call(server, "terraform_parse", {"plan_text": text})["structuredContent"]


def guessing(server):
    text, _ = hostile.plan_of(2000)
    with Attack(server, SUITE, "guessed plan ids"):
        mine = parse(server, text)["plan_id"]
        chooser = random.Random(7)
        near = [mine[:at] + ("a" if mine[at] != "a" else "b") + mine[at + 1:] for at in range(len(mine))]
        alike = [mine[:-26] + "".join(chooser.choice(LETTERS) for _ in range(26)) for _ in range(200)]
        odd = [mine[:-1], mine + "a", mine.upper(), "", "*", "1", "../../etc/passwd", "' or 1=1 --", "a" * 250]
        for guess in near + alike + odd:
            result = call(server, "terraform_parse", {"plan_id": guess})
            check.need(result.get("isError"), f"{guess!r} is taken: {str(result)[:200]}")
            check.need(mine not in json.dumps(result), "the right id is in the refusal")
        check.need(not call(server, "terraform_parse", {"plan_id": mine}).get("isError"), "its own id")
    with Attack(server, SUITE, "plan ids do not follow each other"):
        made = [parse(server, text + f"\n# {at}")["plan_id"] for at in range(20)]
        check.need(len(set(made)) == 20, "the same twice")
        for at in range(len(made[0]) - 26, len(made[0])):
            check.need(len({one[at] for one in made}) > 4, f"letter {at} hardly changes")


def long_plans(server):
    shapes = {"braces": "{" * 10_000_000, "lines": "\n" * 5_000_000, "one line": "~ " * 5_000_000,
              "a heredoc without its end": "  + a = <<EOT\n" * 700_000,
              "escapes of a terminal": "\x1b[31m" * 1_000_000, "quotes": '"' * 5_000_000,
              "resources without a body": "  # a.b will be created\n" * 400_000}
    for name, text in shapes.items():
        with Attack(server, SUITE, f"up to 10 MB of {name} as a plan: in linear time"):
            used = []
            for size in (len(text) // 10, len(text)):
                start = server.cpu_s()
                call(server, "terraform_parse", {"plan_text": text[:size]})
                used.append(server.cpu_s() - start)
            check.need(used[1] < 0.2 + 30 * used[0], f"{used} s of the processor")


def main():
    server = Server(sys.argv[1:])
    for part in (guessing, long_plans):
        part(server)

    def again():
        for _ in range(20):
            call(server, "terraform_parse", {"plan_text": "{" * 1_000_000})
    growth(server, SUITE, 1024, again)
    return 1 if check.failures else 0


sys.exit(main())
