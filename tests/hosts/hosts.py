#!/usr/bin/env python3
"""hosts.py [--write] [--keep FOLDER] - the real AI hosts, one after the other, some at a time: does each connect through
what `tenon install` wrote, and what does its model receive? The figures are docs/hosts.md, which --write makes anew."""
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib")]
import check  # noqa: E402
import drivers  # noqa: E402
import measure  # noqa: E402
import page  # noqa: E402
from check import Step, need  # noqa: E402
from scripts import TASKS, TOUR  # noqa: E402

SUITE = "hosts"
PAGE = os.path.join(HERE, "..", "..", "docs", "hosts.md")
AT_ONCE = 3  # much of it is waiting


def why_not(driver):
    """What keeps a host from being run here, or None."""
    if not os.path.isdir(os.path.join(drivers.MODULES, driver.package)):
        return f"{driver.package} is not made for this machine"
    return None


def plan():
    """(way, script) of every conversation: the longest first."""
    ways = {way: why_not(driver) for way, driver in drivers.WAYS.items()}
    found = [(way, script) for script in ("tour", *TASKS, "http") for way, why in ways.items()
             if not why and (script == "tour" or way in drivers.DEFAULTS)]
    found += [(way, "both") for way, _ in found[:1]]
    return found, {way: why for way, why in ways.items() if why}


def talk(folder, way, script):
    """The record of one conversation; one that is there already (--keep) is taken."""
    out = os.path.join(folder, f"{way} {script}.json".replace(" ", "-").replace(",", ""))
    if os.path.exists(out):
        with open(out, encoding="utf-8") as file:
            return json.load(file)
    record = talk_once(out, way, script)
    # On a busy machine a host may give up waiting for its servers: it is started once more.
    slow = record["failure"] or record["code"] is None
    return talk_once(out, way, script) if slow else record


def talk_once(out, way, script):
    done = subprocess.run([sys.executable, os.path.join(HERE, "conversation.py"), way, script, out],
                          stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=400, check=False)
    if done.returncode:
        return {"way": way, "script": script, "failure": done.stderr[-600:] or f"exit {done.returncode}", "turns": []}
    with open(out, encoding="utf-8") as file:
        return json.load(file)


def ended(record):
    """Whether the conversation was had at all."""
    with Step(SUITE, f"{record['way']}: {record['script']}"):
        need(not record["failure"], f"{record['failure']} {record.get('output', '')[-300:]}")
        need(record["code"] == 0, f"exit {record['code']}: {record['output'][-300:]}")
        need(record["alive"], "the daemon did not outlive it")
        need(record["said"] or record["unsolved"], f"the host ended before the script: {record['output'][-300:]}")
        return True
    return False


def figures_of(records, counter):
    figures = {}
    whole = next(record for (_, script), record in records.items() if script == "both")
    facts = [measure.Facts(result) for _, result in measure.sent_results(whole["heard"])]
    for way, driver in drivers.WAYS.items():
        mine = {script: record for (name, script), record in records.items() if name == way}
        if "tour" not in mine:
            continue
        dialect, tour = driver.dialect(), mine["tour"]
        sent = measure.sent_results(tour["heard"])
        need([name for name, _ in sent] == [name for name, _ in tour["asked"]], f"{way}: the host called other tools")
        figures[way] = {
            "offer": measure.Offer(tour, dialect, counter),
            "calls": [measure.Call(got, result, one, counter)
                      for got, (_, result), one in zip(tour["received"], sent, facts)],
            "questions": measure.questions(tour["heard"]), "tasks": {}}
        for task in TASKS:
            if task in mine:
                tokens, images = measure.task_tokens(mine[task], dialect, counter)
                figures[way]["tasks"][task] = {"tokens": tokens, "images": images, "solved": bool(mine[task]["said"]),
                                               "why": mine[task]["unsolved"]}
    return figures


def packages_of(folder):
    """What the lock file names: the test runs exactly these."""
    with open(os.path.join(folder, "package-lock.json"), encoding="utf-8") as file:
        return json.load(file)["packages"]


def versions():
    hosts, clients = packages_of(HERE), packages_of(os.path.join(HERE, "..", "clients"))
    found = {driver.title: hosts["node_modules/" + driver.package]["version"].partition("-")[0]
             for driver in drivers.WAYS.values()}
    return {**found, "gpt-tokenizer": clients["node_modules/gpt-tokenizer"]["version"]}


def check_offer(records, counter):
    """hosts.md HO-010, of the default list."""
    heard = next(record["heard"] for (_, script), record in records.items() if script == "tour")
    tools = measure.listed(heard)
    tokens = counter.add("\n".join(measure.compact({key: tool[key] for key in ("name", "description", "inputSchema")})
                                   for tool in tools))

    def check_it():
        with Step(SUITE, "a conversation begins with at most 24 tools and 6,500 tokens of them"):
            need(0 < len(tools) <= 24 and tokens() <= 6500, f"{len(tools)} tools, {tokens()} tokens")
            print(f"{SUITE}: {len(tools)} tools, {tokens()} tokens", flush=True)
    return check_it


def check_calls(figures):
    """What must be so with every host, today."""
    for way, figure in figures.items():
        offer = figure["offer"]
        with Step(SUITE, f"{way}: every tool is within reach"):
            need(offer.listed or offer.named or offer.finder or offer.program, "the model hears of no tool")
        for (app, what), call in zip(TOUR, figure["calls"]):
            with Step(SUITE, f"{way}: {app}: {what}"):
                need(call.tokens() > 0 or call.images, "nothing reached the model")
                need(call.tokens() < 20000, f"{call.tokens()} tokens in one answer")
                need(bool(call.images) == bool(call.sent_images), "the picture did not reach the model")
        for task, one in figure["tasks"].items():
            with Step(SUITE, f"{way}: {TASKS[task]}"):
                need(one["solved"], f"not solved: {one['why']}")


def check_page(text, write):
    if write:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(text)
    with Step(SUITE, "docs/hosts.md says what is so"):
        with open(PAGE, encoding="utf-8") as file:
            found = page.differences(file.read(), text)
        need(not found, f"{'; '.join(found[:3])} ({len(found)} lines; tests/hosts/run.sh --write mends it)")


def main():
    keep = sys.argv[sys.argv.index("--keep") + 1] if "--keep" in sys.argv else None
    folder = keep or tempfile.mkdtemp(prefix="tenon-hosts-")
    os.makedirs(folder, exist_ok=True)
    conversations, skipped = plan()
    for way, why in skipped.items():
        check.skipped(SUITE, way, why)
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        records = list(pool.map(lambda one: talk(folder, *one), conversations))
    records = {(one["way"], one["script"]): one for one in records if ended(one)}
    counter = measure.Counter()
    with Step(SUITE, "what was recorded can be measured"):
        figures = figures_of(records, counter)
        check_it = check_offer(records, counter)
        counter.count()
        check_it()
        check_calls(figures)
        if len(records) == len(conversations):
            check_page(page.make(figures, versions(), skipped), "--write" in sys.argv)
    if not keep:
        shutil.rmtree(folder)
    sys.exit(check.failures > 0)


main()
