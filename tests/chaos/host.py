#!/usr/bin/env python3
"""host.py NAME INDEX - an AI host for the chaos test: a relay as its child, and one call after the other.

Each call changes the note on change INDEX of one shared plan review: an operation that is committed or not.
Prints, a JSON object a line: {"relay": pid}, {"sent": n}, {"acked": n}, {"slow": seconds} for whatever took longer than it
may, {"wrong": text} for answers that must not be. Never ends by itself.
"""
import json
import os
import select
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import daemon  # noqa: E402

LIMIT_S = 5.0  # nothing may hang for longer, on a machine that has nothing else to do (check.need_soon)
PATIENCE_S = 60.0
PLAN = os.path.join(os.path.dirname(__file__), "../data/plan-examples/02-mixed-replace.txt")


def tell(**what):
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


class Relay:
    def __init__(self):
        self.child = subprocess.Popen([daemon.TENON, "mcp", "plan"], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.held, self.next_id = b"", 0
        tell(relay=self.child.pid)
        self.call("initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                 "clientInfo": {"name": sys.argv[1], "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.child.stdin.write(json.dumps(message).encode() + b"\n")
        self.child.stdin.flush()

    def line(self, until):
        while b"\n" not in self.held:
            left = until - time.monotonic()
            if left <= 0:
                return None
            if select.select([self.child.stdout], [], [], left)[0]:
                data = os.read(self.child.stdout.fileno(), 1 << 16)
                if not data:
                    raise BrokenPipeError
                self.held += data
        line, self.held = self.held.split(b"\n", 1)
        return json.loads(line)

    def call(self, method, params):
        """The answer: every request gets one, whatever dies."""
        self.next_id += 1
        begun = time.monotonic()
        self.send({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params})
        while True:
            message = self.line(begun + PATIENCE_S)
            if message is None:
                tell(wrong=f"no answer to {method} within {PATIENCE_S} s")
                raise BrokenPipeError
            if message.get("id") == self.next_id and "method" not in message:
                break
        took = time.monotonic() - begun
        if took > LIMIT_S and took > LIMIT_S * check.granted(check.how_busy()):
            tell(slow=round(took, 2))
        return message

    def tool(self, name, **arguments):
        """(structured result, None) or (None, the code of the error)."""
        answer = self.call("tools/call", {"name": name, "arguments": arguments})
        if "error" in answer:
            return None, (answer["error"].get("data") or {}).get("error") or answer["error"]["message"]
        result = answer["result"]
        if result.get("isError"):
            content = result.get("structuredContent") or {}
            fault = content.get("error") or result["content"][0]["text"]
            return None, fault["code"] if isinstance(fault, dict) else fault
        return result["structuredContent"], None


def work(relay, number):
    """Parses the plan and adds to its review until something breaks. The next number."""
    with open(PLAN, encoding="utf-8") as file:
        plan = file.read()
    while True:
        parsed, why = relay.tool("terraform_parse", plan_text=plan)
        if why:
            if why not in ("BRIDGE_DISCONNECTED", "SERVER_FAILED"):
                tell(wrong=f"terraform_parse: {why}")
            continue
        address = parsed["resource_changes"][int(sys.argv[2])]["address"]
        while True:
            number += 1
            tell(sent=number)
            _, why = relay.tool("terraform_review", plan_id=parsed["plan_id"],
                                marks=[{"address": address, "verdict": "question",
                                        "note": f"{sys.argv[1]} {number}"}])
            if why is None:
                tell(acked=number)
            elif why in ("HANDLE_EXPIRED", "BRIDGE_DISCONNECTED", "unknown_plan"):
                break  # another daemon: the plan is opened again
            else:
                tell(wrong=f"terraform_review: {why}")
                break


def main():
    number = 0
    while True:
        try:
            number = work(Relay(), number)
        except BrokenPipeError:
            tell(restarted=True)  # a host starts its server again


if __name__ == "__main__":
    main()
