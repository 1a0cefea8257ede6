#!/usr/bin/env python3
"""shown.py [LANE] - what an assistant changes is seen in a real page (workbench.md 17.3 to 17.5): the real Vite of both lanes, the
adapters in Chromium, once in a server of the workbench's own and once in one that runs already."""
import contextlib
import json
import os
import re
import subprocess
import sys

for folder in ("../lib", "../terminal"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import check  # noqa: E402
import daemon  # noqa: E402
from acting import LASTING, assistant, op_clear, op_set  # noqa: E402
from check import need  # noqa: E402
from core import ROOT, as_person  # noqa: E402
from managed import LANES, NODE, copy_of, missing  # noqa: E402
from preview import until  # noqa: E402

PORT = int(os.environ.get("TENON_SHOWN_PORT", "17920"))
KINDS = ("managed", "attached")


class Shown:
    """A page in Chromium."""

    def __init__(self, url, *selector):
        self.child = subprocess.Popen([os.path.join(NODE, "node"), os.path.join(ROOT, "tests/workbench/show.mjs"), url, *selector],
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True)
        self.opened = self.child.stdout.readline()

    def is_there(self):
        """False: there is no browser, which has been said."""
        need(self.opened or self.child.wait(20) == 0, "the page does not come")
        return bool(self.opened)

    def do(self, *words):
        self.child.stdin.write(json.dumps(words) + "\n")
        self.child.stdin.flush()
        return json.loads(self.child.stdout.readline())

    def end(self):
        self.child.stdin.close()
        self.child.wait(20)
        self.child.stdout.close()


@contextlib.contextmanager
def vite(shop):
    child = subprocess.Popen([os.path.join(NODE, "node"), "node_modules/vite/bin/vite.js", "--port", "0", "--host", "127.0.0.1"],
                             cwd=shop, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                             env={**os.environ, "NO_COLOR": "1"})
    try:
        for line in child.stdout:
            found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
            if found:
                yield found.group(0)
                return
        raise AssertionError("Vite says no address")
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def order_button(client):
    return next((one["instanceId"] for one in client.use("workbench_list_instances", typeId="ui.button")["data"]["instances"]
                 if one["props"].get("label") == "Order now"), None)


def changes(step, client, page, session):
    use = lambda *ops: client.try_to("workbench_apply_overrides", sessionId=session, ops=list(ops))
    go = lambda **to: client.try_to("workbench_navigate", sessionId=session, to=to)
    one = until(lambda: order_button(client), "the button")
    with step("a draft is in the page's DOM when the answer comes, and survives a render, another route and a reload"):
        before = page.do("html")
        client.decide = lambda message: LASTING
        done, error = use(op_set(one, "/label", "Take two"))
        need(done and done["statuses"] == "reported" and done["overrides"][0]["status"] == "applied", f"{done} {error}")
        need("Take two" in page.do("text") and "Order now" not in page.do("text"), page.do("text"))
        as_mode = client.try_to("workbench_select", sessionId=session, instanceId=one)
        need(as_mode[0]["selected"]["instanceId"] == one, f"{as_mode}")
        for to, path in (({"path": "/menu"}, "/menu"), ({"routeId": "routeId:item", "params": {"itemId": "rye"}}, "/menu/rye"),
                         ({"routeId": "routeId:home"}, "/")):
            done, error = go(**to)
            need(done and (done["pathname"], done["how"]) == (path, "router"), f"{to}: {done} {error}")
        until(lambda: "Take two" in page.do("text"), "after two routes")
        page.do("reload")
        until(lambda: "Take two" in page.do("text"), "after a reload")
    with step("clearing gives the baseline back, byte for byte"):
        until(lambda: client.see("preview/sessions")["data"]["sessions"][0]["state"] == "ready", "ready")
        done, error = use(op_clear(one, "/label"))
        need(done, f"{error}")
        until(lambda: page.do("html") == before, "as it was")
        need(len(client.asked) == 2, f"{client.asked}")
        need(page.do("faults") == [], f"{page.do('faults')}")


def shown(lane, kind, home, shop, target):
    step = lambda name: check.Step(f"workbench-shown-{lane}-{kind}", name)
    with assistant(home, shop) as client:
        client.decide = lambda message: client.offered[0]
        with step("an assistant begins a preview"):
            done, error = client.try_to("workbench_start_preview", target=target)
            need(done, f"{error}")
        page = Shown(done["session"]["url"])
        try:
            if not page.is_there():
                return  # the reason has been said
            changes(step, client, page, done["session"]["sessionId"])
        finally:
            page.end()
        client.try_to("workbench_stop_preview", sessionId=done["session"]["sessionId"])


def lane_of(lane, number):
    why = missing(lane)
    if why:
        check.skipped(f"workbench-shown-{lane}", "everything", why)
        return
    shop = copy_of(lane, f"shown-{lane}")
    for at, kind in enumerate(KINDS):
        with daemon.Home(port=PORT + 2 * number + at, PATH=NODE + ":" + os.environ["PATH"]) as home:
            home.tenon("up")
            as_person(home, "open", shop, "--read", "--trust")
            if kind == "managed":
                shown(lane, kind, home, shop, {"type": "app", "launcherId": "vite"})
            else:
                with vite(shop) as url:
                    shown(lane, kind, home, shop, {"type": "app", "url": url})


def main():
    for number, lane in enumerate(LANES):
        if len(sys.argv) < 2 or lane in sys.argv[1:]:
            lane_of(lane, number)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
