#!/usr/bin/env python3
"""open_race.py - the one-time door of `tenon open`: another process of the same user reads the page's
address from the browser's words and comes first.

    TENON_BUILD=build tests/consent/open_race.py
"""
import json
import os
import shutil
import subprocess
import sys
import threading
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "../lib"))
from check import need_quick  # noqa: E402
import daemon  # noqa: E402
import person  # noqa: E402

# What a thief does: waits for the address, and asks for it at once.
THIEF = """
import os, sys, time, http.client
sys.path.insert(0, %r)
import callers
if sys.argv[2] == "client":
    callers.post().close()
open(sys.argv[3], "w").close()
while not os.path.exists(sys.argv[1]) or not open(sys.argv[1]).read().endswith("\\n"):
    time.sleep(0.002)
address = open(sys.argv[1]).read().strip()
if sys.argv[2] == "drip":
    import socket
    host, port = address.split("/")[2].split(":")
    end = socket.create_connection((host, int(port)))
    try:
        for byte in b"GET /" + b"a" * 40:
            end.sendall(bytes([byte]))
            time.sleep(0.3)
    except OSError:
        pass
    sys.exit(print("dripped"))
connection = http.client.HTTPConnection(address.split("/")[2], timeout=20)
connection.request("GET", "/" + address.split("/", 3)[3])
answer = connection.getresponse()
print(answer.status, answer.getheader("Location") or "", answer.read().decode()[:400].replace("\\n", " "))
"""


def check(true, what):
    if not true:
        raise AssertionError(what)


def browser(home, late_s, chromium):
    """xdg-open, which tells the address to whoever reads, as /proc does, and comes a little later."""
    programs = home.path("bin")
    os.makedirs(programs, exist_ok=True)
    path = os.path.join(programs, "xdg-open")
    command = (f"exec {chromium} --headless --no-sandbox --disable-gpu --user-data-dir={home.path('profile')} "
               "--dump-dom \"$1\"" if chromium else "exec curl -s -i \"$1\"")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\necho \"$1\" >{home.path('address')}\nsleep {late_s}\n"
                   f"{command} >{home.path('seen')} 2>{home.path('said')}\n")
    os.chmod(path, 0o755)
    return {**home.env, "PATH": programs + ":" + os.environ["PATH"], "DISPLAY": ":77"}


def race(home, kind, late_s=0.4, chromium=None):
    """(what `tenon open` said, what the thief got, what the browser got)"""
    for name in ("address", "seen", "ready"):
        if os.path.exists(home.path(name)):
            os.unlink(home.path(name))
    env, stolen, thief = browser(home, late_s, chromium), [], person.Elsewhere()
    thread = threading.Thread(target=lambda: stolen.append(thief.do(
        "run", words=[sys.executable, "-c", THIEF % FOLDER, home.path("address"), kind, home.path("ready")],
        env=home.env, text=None, timeout=60)))
    thread.start()
    daemon.wait_until(lambda: os.path.exists(home.path("ready")), "the thief")
    opened = person.Elsewhere()
    # The terminal stays as long as the browser needs it: a person's shell does not end with `tenon open`.
    script = '"$0" open; code=$?; for i in $(seq 300); do [ -s "$1" ] && break; sleep 0.1; done; exit $code'
    began = time.monotonic()
    done = opened.do("terminal", words=["/bin/bash", "-c", script, daemon.TENON, home.path("seen")], env=env,
                     answers=[], timeout=60)
    done["took_s"] = time.monotonic() - began
    thread.join(60)
    daemon.wait_until(lambda: os.path.exists(home.path("seen")) and os.path.getsize(home.path("seen")) > 0,
                      "what the browser saw")
    time.sleep(0.3)
    opened.close()
    thief.close()
    with open(home.path("seen"), encoding="utf-8", errors="replace") as file:
        return done, stolen[0]["out"], file.read()


def test_a_client(home):
    """Below a client: it gets nothing, the person's browser gets the page, and it is said."""
    done, stolen, seen = race(home, "client")
    check(stolen.startswith("403") and "#token=" not in stolen, stolen)
    check("302 Found" in seen and "#token=" in seen, seen)
    check(done["code"] == 0 and "was refused" in done["out"] and "the page is open in curl" in done["out"], done)


def test_a_stranger(home):
    """Nobody knows it: whoever comes second shows that somebody took it, and the token is dead."""
    done, stolen, seen = race(home, "nobody")
    check(stolen.startswith("302") and "#token=" in stolen, stolen)
    check("409 Conflict" in seen and "Another process took" in seen and "#token=" not in seen, seen)
    check(done["code"] == 3 and "another process took this page's address" in done["out"].replace("\r\n", ""), done)
    token = stolen.split("#token=")[1].split()[0]
    check(home.get("/metrics", token=token)[0] == 401, "its token is dead")


def test_one_that_drips(home):
    """It sends its request byte by byte, for ever: the browser behind it waits two seconds, no more."""
    done, _, seen = race(home, "drip")
    check("302 Found" in seen and done["code"] == 0, (seen, done))
    need_quick(done["took_s"], 8, f"{done}")


def test_pages_apart(home):
    """Each page has a token of its own; taking one back leaves the others."""
    tokens = []
    for _ in range(2):
        env = browser(home, 0, None)
        done = person.do("run", words=[daemon.TENON, "open"], env=env, text=None, timeout=60)
        daemon.wait_until(lambda: "#token=" in open(home.path("seen"), encoding="utf-8").read(), "the page")
        with open(home.path("seen"), encoding="utf-8") as file:
            tokens.append(file.read().split("#token=")[1].split()[0])
        check(done["code"] == 0, done)
        os.unlink(home.path("seen"))
    check(tokens[0] != tokens[1], "two tokens")
    race(home, "nobody")
    for token in tokens:
        check(home.get("/metrics", token=token)[0] == 200, "the other pages' tokens")


def test_chromium(home):
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if not chromium:
        print("skipped: there is no Chromium")
        return
    done, stolen, seen = race(home, "client", 0, chromium)
    check(stolen.startswith("403"), stolen)
    check("<html" in seen and "This page was not opened" not in seen, seen[:2000])
    check("the page is open in chrom" in done["out"], done)


def main():
    with daemon.Home() as home:
        home.tenon("up")
        for test in (test_a_client, test_a_stranger, test_pages_apart, test_chromium, test_one_that_drips):
            test(home)
            print("ok", test.__name__)
        home.tenon("down")


if __name__ == "__main__":
    main()
