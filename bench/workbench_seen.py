#!/usr/bin/env python3
"""workbench_seen.py - how soon one client sees what another has changed, and what the person has clicked (workbench.md P1): two
relays on one preview, whose page is played here. Prints medians and maxima in milliseconds; TENON_BUILD says which build."""
import os
import statistics
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("workbench", "lib", "terminal"):
    sys.path.insert(0, os.path.join(HERE, "../tests", folder))
import core  # noqa: E402
import daemon  # noqa: E402
from acting import Page, assistant, op_set, start  # noqa: E402
from preview import served, until  # noqa: E402

ROUNDS = 25
PAUSE_S = 0.15  # a notice of each resource at most once in 100 ms (N3)


def hears(client, path, began):
    while time.monotonic() - began < 3:
        if any(note["params"].get("uri", "").endswith(path) for note in client.notes_within(0.002)
               if note["method"] == "notifications/resources/updated"):
            break
    return (time.monotonic() - began) * 1000


def told(what, values):
    print(f"{what:48} median {statistics.median(values):6.1f} ms   longest {max(values):6.1f} ms")


def main():
    with served(os.path.join(core.ROOT, "demo/plain")) as port, \
            daemon.Home(port=17944, TENON_WORKBENCH_ACTUATION="allow") as home:
        home.tenon("up")
        shop = core.copy_demo(home)
        core.as_person(home, "open", shop, "--read")
        begun = start(home, port)
        page = Page(begun)
        with assistant(home, shop) as one, assistant(home, shop) as other:
            until(lambda: one.see("preview/sessions")["data"]["sessions"][0]["state"] == "ready", "ready")
            core.Follower(other, ["workspace/overrides", "preview/selection"]).heard(0.5)
            notices, reads, selections = [], [], []
            for i in range(ROUNDS):
                began = time.monotonic()
                call = one.send("tools/call", name="workbench_apply_overrides", arguments={
                    "sessionId": begun["sessionId"], "ops": [op_set("b1", "/label", f"v{i}")]})
                notices.append(hears(other, "workspace/overrides", began))
                while other.data("workspace/overrides")["overrides"][0]["value"] != f"v{i}":
                    pass
                reads.append((time.monotonic() - began) * 1000)
                one.finish(call)
                time.sleep(PAUSE_S)
            for i in range(ROUNDS):
                other.notes_within(PAUSE_S)
                began = time.monotonic()
                page.adapter.select("b1" if i % 2 else "b2", "ui.button", props={"label": f"x{i}"})
                selections.append(hears(other, "preview/selection", began))
    told("a change of another's, until the notice", notices)
    told("a change of another's, until it is read", reads)
    told("what is clicked, until the notice", selections)


main()
