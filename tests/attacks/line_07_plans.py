#!/usr/bin/env python3
"""line_07_plans.py - long plans of every shape make the server neither slow nor large (plan.md section 3.3)."""
import line
from attack import Attack, Server, growth, status_is
import check

SUITE = line.SUITE
TOKEN = "alice-alice-alice-alice-0123456789"


def call(server, name, arguments):
    answer = server.modern("tools/call", {"name": name, "arguments": arguments})
    status_is(answer, 200)
    return answer.json()["result"]


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
    with line.listening("tenon", "serve", "plan", "--http", "127.0.0.1:0", "--token", TOKEN) as (url, pid, text):
        server = Server([url, str(pid), f"alice={TOKEN}"])
        long_plans(server)

        def again():
            for _ in range(20):
                call(server, "terraform_parse", {"plan_text": "{" * 1_000_000})
        growth(server, SUITE, 1024, again)
        with line.step("the token is told once, to whoever started it"):
            check.need(text().count(TOKEN) == 1, text()[:500])
    line.end()


main()
