#!/usr/bin/env python3
"""agreed.py - what a person agrees to is what happens, and what is answered is so (workbench.md section 17): tries to get around it."""
import os
import sys

for folder in ("../lib", "../terminal"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import check  # noqa: E402
import daemon  # noqa: E402
from acting import REFUSE, Page, assistant  # noqa: E402
from check import need  # noqa: E402
from core import ROOT, as_person, copy_demo  # noqa: E402
from preview import served, start, until  # noqa: E402


def step(name):
    return check.Step("workbench-agreed", name)


class Preview:
    """A page of the folder, and whoever acts on it."""

    def __init__(self, home, shop, client, port):
        as_person(home, "open", shop, "--read")
        self.client, self.started = client, start(home, port)
        self.session, self.page = self.started["sessionId"], Page(self.started)
        until(lambda: client.see(f"preview/sessions/{self.session}")["data"]["state"] == "ready", "ready")
        until(lambda: client.use("workbench_list_instances")["data"]["instances"], "instances")

    def use(self, tool, **more):
        return self.client.try_to("workbench_" + tool, sessionId=self.session, **more)

    def apply(self, *ops, **more):
        return self.use("apply_overrides", ops=list(ops), **more)


def targets(preview, port, other):
    client = preview.client
    with step("V5. who is asked about an address sees the one that is previewed, whatever else the target says"):
        client.decide = lambda message: client.offered[0]
        target = {"type": "component", "componentTypeId": "ui.button", "harnessUrl": f"http://127.0.0.1:{other}/"}
        client.try_to("workbench_start_preview", target={**target, "harnessUrl": f"http://127.0.0.1:{port}/"})
        client.decide = lambda message: REFUSE
        _, error = client.try_to("workbench_start_preview", target={**target, "url": f"http://127.0.0.1:{port}/"})
        need(error and error["error"] == "CONSENT_DECLINED" and f"127.0.0.1:{other}" in client.asked[-1], f"{error} {client.asked}")


def main():
    with served(os.path.join(ROOT, "demo/plain")) as port, served(os.path.join(ROOT, "demo/plain")) as other:
        with daemon.Home(port=int(os.environ.get("TENON_HTTP_PORT", "18513"))) as home:
            shop = copy_demo(home)
            home.tenon("up")
            with assistant(home, shop) as client:
                preview = Preview(home, shop, client, port)
                targets(preview, port, other)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
