#!/usr/bin/env python3
"""traffic.py URL TOKEN PID SECONDS - mixed traffic from eight clients, watching memory.

The first third warms caches up; after it neither resident memory nor descriptors may rise. Resident
memory is read when no request is running; the allocator's own scatter is granted 1.5 MiB.
"""
import http.client
import json
import os
import random
import sys
import threading
import time
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import hostile  # noqa: E402

SUITE = "soak"
URL, TOKEN, PID, SECONDS = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
ADDRESS = urllib.parse.urlsplit(URL)
CLIENTS = 8
SLACK_KIB = 1536
BAD = hostile.cases()
PLANS = [hostile.plan_of(size) for size in (300, 3_000, 30_000, 300_000)]
MODERN = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {}}


class Client(threading.Thread):
    """Calls until told to stop; keeps the gate shared, so that the watcher can wait for quiet."""

    def __init__(self, number, gate):
        super().__init__(daemon=True)
        self.random = random.Random(number)
        self.gate = gate
        self.calls = 0
        self.faults = []
        self.connection = None

    def post(self, body, **headers):
        self.connection = self.connection or http.client.HTTPConnection(
            ADDRESS.hostname, ADDRESS.port, timeout=60)
        self.connection.request("POST", ADDRESS.path, body, {
            "Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}",
            "Accept": "application/json, text/event-stream", **headers})
        answer = self.connection.getresponse()
        text = answer.read()
        for line in text.split(b"\n"):
            if line.startswith(b"data: {"):
                text = line[6:]
        return answer, json.loads(text) if text else None

    def parse(self):
        text, count = self.random.choice(PLANS)
        _, answer = self.post(hostile.call({"plan_text": text, "detail": "summary"}))
        found = json.loads(answer["result"]["content"][0]["text"])["summary"]["total_changes"]
        check.need(found == count, f"{found} changes, not {count}")

    def explain(self):
        text, count = self.random.choice(PLANS[:3])
        _, answer = self.post(hostile.call({"plan_text": text, "user_preference": "count_only"},
                                           name="terraform_explain"))
        said = answer["result"]["content"][0]["text"]
        plural = "" if count == 1 else "s"
        check.need(said == f"Summary: {count} change{plural}", said)

    def modern(self):
        body = json.dumps({"jsonrpc": "2.0", "id": 5, "method": "tools/list",
                           "params": {"_meta": MODERN}})
        _, answer = self.post(body, **{"MCP-Protocol-Version": "2026-07-28",
                                       "Mcp-Method": "tools/list"})
        check.need("tools" in answer["result"], str(answer)[:200])

    def session(self):
        """Half of the clients forget to say goodbye, as they do."""
        hello = hostile.request(id=1, method="initialize", params={
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "soak", "version": "1"}})
        answer, _ = self.post(hello)
        headers = {"Mcp-Session-Id": answer.getheader("Mcp-Session-Id"),
                   "MCP-Protocol-Version": "2025-11-25"}
        self.post(hostile.request(method="notifications/initialized"), **headers)
        self.post(hostile.request(id=2, method="tools/list"), **headers)
        if self.random.random() < 0.5:
            self.connection.request("DELETE", ADDRESS.path, headers={
                "Authorization": f"Bearer {TOKEN}", **headers})
            self.connection.getresponse().read()

    def bad(self):
        _, body, codes = self.random.choice(BAD)
        _, answer = self.post(body)
        # Without a session an unknown method is refused before it is looked up.
        check.need(answer["error"]["code"] in (*codes, -32600), str(answer)[:200])

    def leave(self):
        """A call whose client goes away."""
        self.connection = http.client.HTTPConnection(ADDRESS.hostname, ADDRESS.port, timeout=60)
        self.connection.request("POST", ADDRESS.path, hostile.call({"plan_text": PLANS[3][0]}), {
            "Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"})
        self.connection.close()
        self.connection = None

    def run(self):
        acts = [self.parse] * 6 + [self.explain] * 4 + [self.modern] * 3 + [self.session] * 2 + [
            self.bad] * 4 + [self.leave]
        while not self.gate.ended:
            self.gate.enter()
            try:
                self.random.choice(acts)()
                self.calls += 1
            except Exception as error:  # noqa: BLE001 - whatever it is, it is a finding
                self.faults.append(f"{type(error).__name__}: {error}")
                self.connection = None
            finally:
                self.gate.leave()


class Gate:
    """Lets the watcher stop everybody between two calls."""

    def __init__(self):
        self.news = threading.Condition()
        self.inside = 0
        self.is_shut = False
        self.ended = False

    def enter(self):
        with self.news:
            self.news.wait_for(lambda: not self.is_shut)
            self.inside += 1

    def leave(self):
        with self.news:
            self.inside -= 1
            self.news.notify_all()

    def quiet(self, look):
        with self.news:
            self.is_shut = True
            self.news.wait_for(lambda: self.inside == 0)
        time.sleep(0.3)  # what was left alone is noticed and freed
        seen = look()
        with self.news:
            self.is_shut = False
            self.news.notify_all()
        return seen


def main():
    gate = Gate()
    clients = [Client(number, gate) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    samples = []
    start = time.monotonic()
    while time.monotonic() - start < SECONDS:
        time.sleep(min(5, SECONDS / 12))
        samples.append(gate.quiet(lambda: (check.resident_kib(PID), check.descriptors(PID))))
        print(f"{time.monotonic() - start:5.0f} s  {samples[-1][0]:7d} KiB  {samples[-1][1]:4d} files  "
              f"{sum(client.calls for client in clients):8d} calls", flush=True)
    gate.ended = True
    for client in clients:
        client.join(60)
    warm = len(samples) // 3
    highest = max(kib for kib, _ in samples[:warm + 1])
    last = min(kib for kib, _ in samples[-3:])
    with check.Step(SUITE, "every answer is right"):
        faults = [fault for client in clients for fault in client.faults]
        check.need(not faults, f"{len(faults)} are not, the first: {faults[:1]}")
        check.need(all(client.calls > 10 for client in clients), "too few calls to mean anything")
    with check.Step(SUITE, "memory does not rise"):
        check.need(check.sanitized() or last <= highest + SLACK_KIB,
                   f"{highest} KiB after warming up, {last} KiB at the end")
    with check.Step(SUITE, "no descriptor is lost"):
        check.need(samples[-1][1] <= samples[warm][1] + CLIENTS, str(samples))
    return 1 if check.failures else 0


sys.exit(main())
