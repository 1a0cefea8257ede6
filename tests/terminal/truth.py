#!/usr/bin/env python3
"""truth.py [PART...] - what the terminal says when something is too large, damaged, killed or gone.

terminal.md 8, 9, 12.4, 13. Nothing is answered as if it were not there when it is only out of reach.
"""
import glob
import json
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import kit  # noqa: E402

SUITE = "terminal-truth"
SLOW = 4 if check.sanitized() else 1


def step(name):
    return check.Step(SUITE, name)


def recordings():
    """8: a large recording is said to be large, and is there in pieces."""
    with step("a large recording: a true message, and all of it in pieces of whole lines"), kit.Served() as served:
        session = served.new(record=True)
        uri = f"terminal://session/{session}/recording"
        small = served.ask("resources/read", uri=uri)["result"]["contents"][0]["text"]
        check.need(small.startswith('{"version":2'), small[:200])
        served.run("yes | head -c 16000000", session_id=session, timeout_ms=0, yield_ms=55000)
        served.tool("wait_for", session_id=session, until="exit", timeout_ms=60000 * SLOW)
        error = served.ask("resources/read", uri=uri)["error"]
        check.need(error["code"] == -32602 and "?from=0" in error["message"], error)
        text, sizes = b"", []
        while True:
            answer = served.ask("resources/read", uri=f"{uri}?from={len(text)}")
            piece = answer["result"]["contents"][0]["text"].encode()
            if not piece:
                break
            check.need(piece.endswith(b"\n"), piece[-100:])
            sizes.append(len(piece))
            text += piece
        shown = "".join(event[2] for event in map(json.loads, text.splitlines()[1:]) if event[1] == "o")
        check.need(len(sizes) > 1 and shown.count("y\r\n") == 8000000, (sizes, shown.count("y\r\n")))
        for wrong in ("1", str(len(text) + 1), "x", "-1"):
            error = served.ask("resources/read", uri=f"{uri}?from={wrong}")["error"]
            check.need(error["code"] == -32602 and error["message"].startswith("from:"), error)
        served.ends(session)
        check.need("result" in served.ask("resources/read", uri=f"{uri}?from=0"), "after the end")


PARTS = {"recordings": recordings}

for part in sys.argv[1:] or PARTS:
    with step(part):
        PARTS[part]()
sys.exit(check.failures > 0)
