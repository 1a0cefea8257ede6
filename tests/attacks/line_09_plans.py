#!/usr/bin/env python3
"""line_09_plans.py - plans are private to whoever was handed their id, so an id cannot be guessed (plan.md section 9)."""
import json
import random

import line
from attack import Attack, Server, status_is
import check
import hostile

SUITE = line.SUITE
TOKEN = "alice-alice-alice-alice-0123456789"
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


def main():
    with line.listening("tenon", "serve", "plan", "--http", "127.0.0.1:0", "--token", TOKEN) as (url, pid, _):
        guessing(Server([url, str(pid), f"alice={TOKEN}"]))
    line.end()


main()
