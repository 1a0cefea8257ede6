#!/usr/bin/env python3
"""order.py - what is long happens aside, in order, and is there when it is said to be (workbench.md G6, G7, O6, O10, V5, V6, E2):
large graphs of producers, drafts that are written while others come, kills, and calls whose page or caller goes."""
import contextlib
import http.client
import json
import os
import signal
import socket
import sys
import threading
import time

for folder in ("../lib", "../terminal"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import check  # noqa: E402
import daemon  # noqa: E402
import links  # noqa: E402
from check import need  # noqa: E402
from acting import ONCE, Page, assistant, known, op_clear, op_set, start  # noqa: E402
from core import ROOT, as_person, copy_demo  # noqa: E402
from places import Refused  # noqa: E402
from preview import served, until  # noqa: E402

NODES = 20000
CLOCK = "2026-01-31T08:44:40.000Z"
MAY_MS = 20 * (10 if check.sanitized() else 3)  # of processor time of the loop, at once; the machine is shared


def step(name):
    return check.Step("workbench-order", name)


def nodes(count, mark=""):
    return [{"kind": "componentType", "id": f"far.{number:06}", "displayName": f"Far {number}{mark}"} for number in range(count)]


class Producer:
    def __init__(self, home):
        found = home.discovery()
        self.port, self.token = found["httpPort"], found["token"]

    def send(self, method, path, document=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, f"/api/v0/graph/producers/{path}", json.dumps(document) if document is not None else None, {
            "Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})
        return connection

    def send_and_go(self, path, document):
        """It goes before its answer, on a connection that is known: of whoever leaves before that nothing is taken."""
        with contextlib.closing(self.send("DELETE", "nobody")) as connection:
            connection.getresponse().read()
            connection.request("PUT", f"/api/v0/graph/producers/{path}", json.dumps(document), {
                "Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})

    @staticmethod
    def answer(connection):
        answer = connection.getresponse()
        body = json.loads(answer.read())
        connection.close()
        return answer.status, body

    def do(self, *words):
        return self.answer(self.send(*words))


def snapshot(revision, count=NODES, mark=""):
    return {"schemaVersion": "v0", "revision": revision, "nodes": nodes(count, mark), "edges": []}


def patch(revision, *ops):
    return {"schemaVersion": "v0", "revision": revision, "ops": list(ops)}


def producers(home, client):
    producer = Producer(home)
    with step("G6, G7. a long snapshot is done aside, what comes behind it waits for it, each is one revision"):
        before = client.data("workspace/graph/patches")["to"]
        first = producer.send("PUT", "far/snapshot", snapshot(1))
        rest = [producer.send("POST", "far/patch", patch(number, {"op": "upsertNode", "node": {
            "kind": "componentType", "id": f"late.{number}", "displayName": "Late"}})) for number in range(2, 8)]
        status, done = producer.answer(first)
        need(status == 200 and done["accepted"] and done["revision"] == before + 1, f"{status} {str(done)[:300]}")
        answers = [producer.answer(one) for one in rest]
        need(sorted(one["revision"] for status, one in answers if one["accepted"])[0] == before + 2, f"{str(answers)[:600]}")
        need(client.use("workbench_read_state", uri="skaffa://workspace/graph/node/componentType/far.019999")["data"], "it is there")
        status, done = producer.do("POST", "far/patch", patch(3))
        need(status == 422 and done["diagnostics"][0]["code"] == "stale_producer_revision", f"{status} {str(done)[:300]}")
    with step("G8, N5. whoever follows the patches gets the one of what was done aside, too"):
        now = client.data("workspace/graph/patches")
        more = producer.do("POST", "far/patch", patch(100, {"op": "removeNode", "node": {"kind": "componentType", "id": "far.000001"}}))[1]
        since = client.data(f"workspace/graph/patches?epoch={now['epoch']}&since={now['to']}")
        need(not since["resync"] and since["patches"] == [more["emitted"]], f"{str(since)[:400]}")
    with step("a producer that goes while it is waited for costs nothing, and what it sent counts"):
        for name in ("other", "cut"):
            producer.send_and_go(f"{name}/snapshot", snapshot(1, mark=f" {name}"))
        for name in ("other", "cut"):
            until(lambda name=name: producer.do("DELETE", name)[0] == 200, f"what \"{name}\" sent is there, and goes", 60)
        need(producer.do("DELETE", "nobody")[0] == 404, "nothing to take back")
    with step("updates that wait are bounded in bytes: those above are refused, the others count"):
        text = snapshot(20, 1)
        text["nodes"][0]["displayName"] = "x" * 100
        body = json.dumps(text).encode()
        body = body[:-1] + b" " * (12_000_000 - len(body)) + b"}"
        waiting = []
        for number in range(8):
            fd = socket.create_connection(("127.0.0.1", producer.port), timeout=120)
            fd.sendall((f"PUT /api/v0/graph/producers/wide{number}/snapshot HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                        f"Connection: close\r\nAuthorization: Bearer {producer.token}\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body[:-1])
            waiting.append(fd)
        for fd in waiting:
            fd.sendall(body[-1:])
        statuses = sorted(int(fd.recv(65536).split()[1]) for fd in waiting)
        need(set(statuses) == {200, 503}, f"{statuses}")
        for number in range(8):
            producer.do("DELETE", f"wide{number}")
    with step("what is no JSON, and what is refused, is answered as ever, however long"):
        connection = http.client.HTTPConnection("127.0.0.1", producer.port, timeout=60)
        connection.request("PUT", "/api/v0/graph/producers/far/snapshot", "[" + "1," * 100000, {
            "Authorization": f"Bearer {producer.token}", "Content-Type": "application/json"})
        status, done = producer.answer(connection)
        need(status == 400 and done["error"]["code"] == "INVALID_JSON", f"{status} {done}")
        wrong = snapshot(1)
        wrong["nodes"].append({"kind": "route"})
        status, done = producer.do("PUT", "far/snapshot", wrong)
        need(status == 422 and not done["accepted"] and done["diagnostics"][0]["code"] == "graph_update_invalid", f"{str(done)[:300]}")
    with step("nobody waits for the loop while a graph is made"):
        pid = home.discovery()["pid"]
        sent = producer.send("PUT", "far/snapshot", snapshot(200, mark=" again"))
        worst, over = 0, threading.Event()
        reader = threading.Thread(target=lambda: (producer.answer(sent), over.set()))
        reader.start()
        while not over.is_set():
            used = daemon.loop_ns(pid)
            client.ask("ping")
            worst = max(worst, (daemon.loop_ns(pid) - used) / 1e6)
        reader.join()
        need(worst < MAY_MS, f"the loop worked {worst:.0f} ms at once")
        need(producer.do("DELETE", "far")[1]["accepted"], "taken back")


class Placed(Page):
    """A page whose instances have locators."""

    def __init__(self, started):
        super().__init__(started)
        self.adapter.say("runtime.instances", full=True, remove=[], upsert=[
            {"instanceId": name, "componentTypeId": "ui.button", "props": {"label": "Order now", "tone": "primary"},
             "instanceLocator": {"kind": "renderIndex", "index": index}} for index, name in enumerate(("b1", "b2"))])


def file_of(shop):
    with open(os.path.join(shop, ".skaffa/overrides.v0.json"), encoding="utf-8") as file:
        return file.read()


def write_file(shop, drafts):
    os.makedirs(os.path.join(shop, ".skaffa"), exist_ok=True)
    with open(os.path.join(shop, ".skaffa/overrides.v0.json"), "w", encoding="utf-8") as file:
        json.dump({"schemaVersion": "v0", "updatedAt": "2026-01-31T08:44:40.000Z", "app": {"overrides": drafts}}, file)


def inverses(client, shop, session):
    use = lambda ops: client.use("workbench_apply_overrides", sessionId=session, ops=ops)
    drafts = [{"instanceId": "b1", "path": "/label", "value": "no locator"},
              {"instanceId": "b2", "path": "/tone", "value": "quiet", "componentTypeId": "ui.button"},
              {"instanceId": "lost", "path": "/label", "value": "no page knows it"}]
    with step("O10. a batch and its inverseOps give the same file, byte for byte, whatever the page says meanwhile"):
        write_file(shop, drafts)
        until(lambda: len(client.data("workspace/overrides")["overrides"]) == 3, "the file's drafts")
        use([op_set("b2", "/label", "x")])
        use([op_clear("b2", "/label")])
        before = file_of(shop)
        for ops in ([op_clear("b1", "/label")], [{"op": "clearInstance", "instanceId": "lost"}], [{"op": "clearAll"}],
                    [op_set("b1", "/label", "other", instanceLocator={"kind": "renderIndex", "index": 7}), op_clear("b2", "/tone")],
                    [op_set("b1", "/label", "y"), op_set("b2", "/tone", "primary"), op_clear("lost", "/label")]):
            done = use(ops)
            need(file_of(shop) != before, f"{ops} changed nothing")
            use(done["inverseOps"])
            need(file_of(shop) == before, f"{ops}, then {done['inverseOps']}: {file_of(shop)}")


def questions(home, shop, session):
    with step("V6. who is asked about an undo sees whose change it is, and old and new of what is written"), \
            assistant(home, shop) as client:
        client.decide = lambda message: ONCE
        use = lambda ops: client.try_to("workbench_apply_overrides", sessionId=session, ops=ops)
        use([op_set("b1", "/label", "Buy")])
        use([op_set("b1", "/label", "Take"), op_set("b2", "/label", "Give")])
        client.decide = lambda message: "Refuse"
        _, error = client.try_to("workbench_undo")
        need(error["error"] == "CONSENT_DECLINED", f"{error}")
        for words in ('Take back "Change props" of', '"b1" "/label": "Take" -> "Buy"', '"b2" "/label": "Give" -> "Order now" (the code\'s)'):
            need(words in client.asked[-1], f"{words!r} is not in {client.asked[-1]}")
        client.decide = lambda message: ONCE
        done, error = client.try_to("workbench_undo")
        need(done, f"{error}")
        client.try_to("workbench_undo")
        need('"b1" "/label": "Buy" -> ' in client.asked[-1], f"{client.asked[-1]}")
        use([op_clear("b1", "/label")])


def kept(home, shop, port):
    with step("O6, O13. an acknowledged draft survives a kill, whoever else changes drafts at that moment"):
        write_file(shop, [{"instanceId": f"x{number:04}", "path": "/label", "value": "v" * 40, "componentTypeId": "ui.button"}
                          for number in range(4000)])
        for round_ in range(3):
            started = start(home, port)
            page = Placed(started)
            with assistant(home, shop) as client:  # half of the file may have been seen, and the page not yet
                until(lambda: client.data("workspace/overrides").get("total", 0) >= 4000, "the file's drafts", 60)
                known(client, started)
            said, refused, lock = {}, [], threading.Lock()

            def work(name, session=started["sessionId"], said=said, refused=refused, lock=lock):
                with assistant(home, shop) as client:
                    for number in range(1000):
                        value = f"{name}{number}"
                        try:
                            client.use("workbench_apply_overrides", sessionId=session, ops=[op_set(name, "/label", value)])
                        except (Refused, links.Lost) as error:
                            if "BRIDGE_DISCONNECTED" not in str(error):  # it was not killed
                                refused.append(f"{name}: {error}")
                            return
                        with lock:
                            said[name] = value

            threads = [threading.Thread(target=work, args=(name,), daemon=True) for name in ("b1", "b2")]
            for thread in threads:
                thread.start()
            until(lambda: refused or len(said) == 2, "both have answers", 60)
            need(not refused, f"{refused}")
            time.sleep(0.3 + 0.2 * round_)
            with lock:
                last = dict(said)
                os.kill(home.discovery()["pid"], signal.SIGKILL)
            for thread in threads:
                thread.join(60)
            in_file = {one["instanceId"]: one["value"] for one in json.loads(file_of(shop))["app"]["overrides"]}
            need(len(in_file) == 4002, f"{len(in_file)} drafts")
            for name, value in last.items():
                need(int(in_file[name][2:]) >= int(value[2:]), f"{name}: {in_file[name]}, {value} was acknowledged")
            page.adapter.end()
            home.tenon("up")
            as_person(home, "open", shop, "--read")


def edited(home, shop, client, session):
    path = os.path.join(shop, ".skaffa/overrides.v0.json")
    value_of = lambda one: next((draft["value"] for draft in client.data("workspace/overrides")["overrides"] if draft["instanceId"] == one), None)

    def edit(change):
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
        change(document["app"]["overrides"])
        with open(path + ".edit", "w", encoding="utf-8") as file:
            json.dump(document, file)
        os.rename(path + ".edit", path)

    with step("O15. what an editor writes into the file and what an assistant drafts at that moment both count"):
        write_file(shop, [{"instanceId": f"e{number}", "path": "/label", "value": "before"} for number in range(4)])
        until(lambda: value_of("e3") == "before", "the file's drafts")
        for round_ in range(10):
            edit(lambda drafts, value=f"edited{round_}": drafts.__setitem__(slice(None), [
                {**one, "value": value} if one["instanceId"] == "e0" else one for one in drafts if one["instanceId"] != "e1"]))
            client.use("workbench_apply_overrides", sessionId=session, ops=[op_set("b1", "/label", f"drafted{round_}")])
            in_file = {one["instanceId"]: one["value"] for one in json.loads(file_of(shop))["app"]["overrides"]}
            need(in_file == {"b1": f"drafted{round_}", "e0": f"edited{round_}", "e2": "before", "e3": "before"}, f"{in_file}")
            need(value_of("e0") == f"edited{round_}" and value_of("e1") is None, "memory")
    with step("O15. an editor that writes all the time beside two assistants loses nothing"):
        stop, threads = threading.Event(), []

        def work(name):
            with assistant(home, shop) as other:
                number = 0
                while not stop.is_set():
                    other.use("workbench_apply_overrides", sessionId=session, ops=[op_set(name, "/label", f"{number}")])
                    number += 1

        threads = [threading.Thread(target=work, args=(name,), daemon=True) for name in ("b1", "b2")]
        for thread in threads:
            thread.start()
        for number in range(60):
            edit(lambda drafts, number=number: drafts.append({"instanceId": f"kept{number}", "path": "/label", "value": "kept"}))
            time.sleep(0.02)
        stop.set()
        for thread in threads:
            thread.join(60)
        in_file = {one["instanceId"] for one in json.loads(file_of(shop))["app"]["overrides"]}
        gone = [number for number in range(60) if f"kept{number}" not in in_file]
        need(not gone, f"lost: {gone}")
    with step("O14. a file that is damaged at that moment refuses the draft, and is not overwritten"):
        with open(path, "w", encoding="utf-8") as file:
            file.write("{ half")
        answer = client.ask("tools/call", name="workbench_apply_overrides", arguments={
            "sessionId": session, "ops": [op_set("b1", "/label", "never")]})["result"]
        need(answer.get("isError") and answer["structuredContent"]["error"]["code"] == "persist_failed", f"{answer}")
        need(file_of(shop) == "{ half", "the file")
        until(lambda: client.data("workspace/overrides")["storeState"] == "file_invalid", "it is said")
        write_file(shop, [])
        until(lambda: client.data("workspace/overrides")["storeState"] == "ok", "mended")
    with step("O14. a file of any size is looked at aside: the loop is not held"):
        pid = home.discovery()["pid"]
        for size in (60 << 20, 1 << 40):
            with open(path, "w", encoding="utf-8") as file:
                file.truncate(size)
            before = daemon.loop_ns(pid)
            until(lambda: client.data("workspace/overrides")["storeState"] == "file_invalid", "it is said", 30)
            answer = client.ask("tools/call", name="workbench_apply_overrides", arguments={
                "sessionId": session, "ops": [op_set("b1", "/label", "never")]})["result"]
            need(answer.get("isError") and answer["structuredContent"]["error"]["code"] == "persist_failed", f"{answer}")
            need(os.path.getsize(path) == size, "the file")
            used = (daemon.loop_ns(pid) - before) / 1e6
            need(used < 5 * MAY_MS, f"{size} bytes: {used:.0f} ms of the loop, for all of this")
            write_file(shop, [])
            until(lambda: client.data("workspace/overrides")["storeState"] == "ok", "mended")


def together(home, shop, port, session, page):
    names = [f"{side}{number}" for side in "lr" for number in range(60)]
    see = lambda of: of.adapter.say("runtime.instances", full=False, remove=[], upsert=[
        {"instanceId": name, "componentTypeId": "ui.button", "props": {"label": "Order now"},
         "instanceLocator": {"kind": "renderIndex", "index": 10 + index}} for index, name in enumerate(names)])
    with step("O15. two daemons in one folder, with an assistant each that writes all the time, lose nothing"), \
            daemon.Home(port=18014, TENON_WORKBENCH_ACTUATION="allow") as other:
        other.tenon("up")
        as_person(other, "open", shop, "--read")
        beside = start(other, port)
        second = Placed(beside)
        see(page)
        see(second)
        refused, done = [], []

        def work(where, of, side):
            with assistant(where, shop) as client:
                until(lambda: names[-1] in json.dumps(client.see(f"preview/sessions/{of}/instances")), "listed")
                for number in range(60):
                    answer = client.ask("tools/call", name="workbench_apply_overrides", arguments={
                        "sessionId": of, "ops": [op_set(f"{side}{number}", "/label", "kept")]})["result"]
                    if answer.get("isError"):
                        refused.append((side, number, answer["structuredContent"]))
            done.append(side)

        threads = [threading.Thread(target=work, args=args) for args in ((home, session, "l"), (other, beside["sessionId"], "r"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
        need(not refused, f"{refused[:2]}")
        need(len(done) == 2, f"{done}")
        in_file = {one["instanceId"] for one in json.loads(file_of(shop))["app"]["overrides"]}
        need(set(names) <= in_file, f"lost: {sorted(set(names) - in_file)}")
        for where in (home, other):
            with assistant(where, shop) as client:
                until(lambda: {one["instanceId"] for one in client.data("workspace/overrides")["overrides"]} == in_file, "both know all")
        second.adapter.end()


def lost(client, shop, session, page):
    with step("O6. what cannot be written has not happened: persist_failed, memory and page as before"):
        drafts = lambda: [(one["instanceId"], one["path"], one["value"]) for one in client.data("workspace/overrides")["overrides"]]
        before = drafts()
        sent = len(page.batches)
        os.rename(os.path.join(shop, ".skaffa"), os.path.join(shop, ".aside"))
        with open(os.path.join(shop, ".skaffa"), "w", encoding="utf-8"):
            pass
        answer = client.ask("tools/call", name="workbench_apply_overrides", arguments={
            "sessionId": session, "ops": [op_set("b1", "/label", "never")]})["result"]
        need(answer.get("isError") and answer["structuredContent"]["error"]["code"] == "persist_failed", f"{answer}")
        need([one for one in client.data("workspace/overrides")["overrides"] if one["value"] == "never"] == [], "memory")
        need("lastChange" not in client.data("workspace/overrides"), "who has done what has not happened")
        need(not any(op.get("value") == "never" for batch in page.batches[sent:] for op in batch), "the page")
        os.unlink(os.path.join(shop, ".skaffa"))
        os.rename(os.path.join(shop, ".aside"), os.path.join(shop, ".skaffa"))
        until(lambda: client.data("workspace/overrides")["storeState"] == "ok", "the file is back")
        need(drafts() == before, "as before")


def leaving(home, client, shop, started, page):
    session = started["sessionId"]
    with step("15.3, E2. whoever waits for a click is told at once when the page goes, and when the preview ends"):
        wait = lambda **more: client.send("tools/call", name="workbench_wait_for_selection", arguments={"timeoutMs": 60000, **more})
        number = wait()
        time.sleep(0.3)
        began = time.monotonic()
        page.adapter.end()
        got = client.finish(number)["result"]["structuredContent"]
        check.need_soon(began, 2, "the page has gone")
        need(got["status"] == "session_not_ready" and "timedOut" not in got["data"], f"{got}")
        page = Placed(started)
        page.reports = False
        known(client, started)
    with step("17.3. the answer about drafts does not wait for a page that has gone"):
        number = client.send("tools/call", name="workbench_apply_overrides", arguments={
            "sessionId": session, "ops": [op_set("b1", "/label", "going")]})
        until(lambda: page.batches, "it is sent")
        began = time.monotonic()
        page.adapter.end()
        got = client.finish(number)["result"]["structuredContent"]
        check.need_soon(began, 1, "it waited")
        need(got["ok"] and got["statuses"] == "pending", f"{got}")
    with step("a caller that goes while it waits leaves nothing behind"):
        page = Placed(started)
        known(client, started)
        with assistant(home, shop) as other:
            other.send("tools/call", name="workbench_wait_for_selection", arguments={"timeoutMs": 60000, "prompt": "Which?"})
            until(lambda: any("Which?" in json.dumps(one) for one in page.said) or
                  "Which?" in json.dumps(client.see("preview/sessions")["data"]), "it is asked")
        until(lambda: "Which?" not in json.dumps(client.see("preview/sessions")["data"]), "nobody asks any more", 5)
        number = wait(sessionId=session)
        time.sleep(0.3)
        as_person(home, "stop", session)
        began = time.monotonic()
        client.finish(number)
        check.need_soon(began, 2, "the preview has ended")


def main():
    with daemon.Home(port=18004, TENON_WORKBENCH_ACTUATION="confirm") as home, \
            served(os.path.join(ROOT, "demo/plain")) as port:
        home.tenon("up")
        shop = copy_demo(home)
        as_person(home, "open", shop, "--read")
        started = start(home, port)
        page = Placed(started)
        with assistant(home, shop) as client:
            known(client, started)
            questions(home, shop, started["sessionId"])
    with daemon.Home(port=18004, TENON_WORKBENCH_ACTUATION="allow", TENON_WORKBENCH_TEST_CLOCK=CLOCK) as home, \
            served(os.path.join(ROOT, "demo/plain")) as port:
        home.tenon("up")
        shop = copy_demo(home)
        as_person(home, "open", shop, "--read")
        started = start(home, port)
        page = Placed(started)
        with assistant(home, shop) as client:
            known(client, started)
            producers(home, client)
            inverses(client, shop, started["sessionId"])
            edited(home, shop, client, started["sessionId"])
            together(home, shop, port, started["sessionId"], page)
            lost(client, shop, started["sessionId"], page)
            leaving(home, client, shop, started, page)
        kept(home, shop, port)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
