#!/usr/bin/env python3
"""soak.py SECONDS FEATURES PLAN - 24 clients on two servers and on processes of their own.

    FEATURES  conformance-server: program,pid,url,socket
    PLAN      tenon serve plan: url,token,pid

Mixed transports and revisions, random cancels and disconnects; every answer is checked. Before the clock
starts, what a server keeps on purpose is filled to its bounds; the first third reaches the peaks of the load.
After it neither the memory nor the descriptors of the servers may rise. Memory is what is the process's own,
read when no call is running; run.sh has the allocator give back what is freed, so that it is what is in use.
"""
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import links  # noqa: E402
from feature_client import FeatureClient  # noqa: E402
from gate import Gate  # noqa: E402
from plan_client import PlanClient  # noqa: E402

SUITE = "soak"
SECONDS = int(sys.argv[1])
PROGRAM, PID, URL, SOCKET = sys.argv[2].split(",")
PLAN_URL, PLAN_TOKEN, PLAN_PID = sys.argv[3].split(",")
ROOT = URL.rsplit("/", 1)[0]
# Tasks that clients leave with the first are kept for minutes; 200 bytes lost with every call are 6 MiB in a minute
# there, and half of one with the second, which is called less often.
SLACK_KIB = {"features": 1024, "plan": 320}

WAYS = {
    "stdio": lambda: links.Stdio([PROGRAM, "--stdio"]),
    "HTTP": lambda: links.Http(URL),
    "HTTP, events": lambda: links.Http(URL, accept="text/event-stream"),
    "HTTP+SSE": lambda: links.Sse(ROOT + "/sse"),
    "WebSocket": lambda: links.WebSocket(ROOT + "/ws"),
    "Unix socket": lambda: links.Unix(SOCKET),
}
R1, R2, R3, R4, R5 = "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"
CLIENTS = [
    ("stdio", R3), ("stdio", R4), ("stdio", R5),
    ("HTTP", R2), ("HTTP", R3), ("HTTP", R4), ("HTTP", R4), ("HTTP", R5), ("HTTP", R5),
    ("HTTP, events", R5),
    ("HTTP+SSE", R1), ("HTTP+SSE", R2), ("HTTP+SSE", R4),
    ("WebSocket", R1), ("WebSocket", R3), ("WebSocket", R4), ("WebSocket", R5), ("WebSocket", R5),
    ("Unix socket", R1), ("Unix socket", R4), ("Unix socket", R5),
]
PLAN_CLIENTS = 3


def is_wanted(way):
    return way in os.environ.get("SOAK_WAYS", ";".join(WAYS)).split(";")


def make_clients(gate):
    features = [FeatureClient(number, gate, way, WAYS[way], revision)
                for number, (way, revision) in enumerate(CLIENTS) if is_wanted(way)]
    return features + [PlanClient(100 + number, gate, PLAN_URL, PLAN_TOKEN)
                       for number in range(PLAN_CLIENTS)]


class Server:
    """What is watched: memory and descriptors of a process."""

    def __init__(self, name, pid):
        self.name, self.pid, self.samples = name, pid, []

    def look(self):
        self.samples.append((check.private_kib(self.pid), check.descriptors(self.pid)))

    def judge(self, clients):
        warm = len(self.samples) // 3
        highest = max(kib for kib, _ in self.samples[:warm + 1])
        last = min(kib for kib, _ in self.samples[-3:])
        with check.Step(SUITE, f"{self.name}: memory does not rise"):
            check.need(check.sanitized() or last <= highest + SLACK_KIB[self.name],
                       f"{highest} KiB after warming up, {last} KiB at the end")
        most = max(count for _, count in self.samples[:warm + 1])
        with check.Step(SUITE, f"{self.name}: no descriptor is lost"):
            check.need(self.samples[-1][1] <= most + clients, str(self.samples))


def watch(gate, servers, clients):
    start = time.monotonic()
    while time.monotonic() - start < SECONDS:
        time.sleep(min(5, SECONDS / 12))
        gate.quiet(lambda: [server.look() for server in servers])
        seen = "  ".join("%s %d KiB %d files" % (server.name, *server.samples[-1])
                         for server in servers)
        print(f"{time.monotonic() - start:5.0f} s  {seen}  {sum(one.calls for one in clients)} calls",
              flush=True)


def main():
    gate = Gate()
    clients = make_clients(gate)
    servers = [Server("features", PID), Server("plan", PLAN_PID)]
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda client: client.fill(), clients))
    for client in clients:
        client.start()
    watch(gate, servers, clients)
    gate.ended = True
    for client in clients:
        client.join(60)
    for client in clients:
        print(f"   {client.title}: {client.calls} acts, {len(client.faults)} faults")
    faults = [fault for client in clients for fault in client.faults]
    with check.Step(SUITE, "every answer is right"):
        for fault in faults[:20]:
            print("  ", fault)
        check.need(not faults, f"{len(faults)} are not, the first: {faults[:1]}")
    with check.Step(SUITE, "every client has been busy"):
        idle = [client.title for client in clients if client.calls < 10]
        check.need(not idle, f"too few calls to mean anything: {idle}")
    for server in servers:
        server.judge(len(clients))
    return 1 if check.failures else 0


sys.exit(main())
