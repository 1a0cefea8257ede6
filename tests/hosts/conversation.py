#!/usr/bin/env python3
"""conversation.py WAY SCRIPT OUT - one host talks with the stand-in model, in a sandbox of its own.

Outside the sandbox this makes it: no network but a loopback, an empty /tmp and /run, processes that end with
it, and a home folder that is removed afterwards. Inside it starts a daemon, has `tenon install` write the
host's settings, and runs the host. What was said goes to OUT as JSON."""
import json
import os
import secrets
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib")]
import drivers  # noqa: E402
import model  # noqa: E402
import scripts  # noqa: E402

BUILD = os.path.abspath(os.environ.get("TENON_BUILD", os.path.join(HERE, "../../build")))
TENON = os.path.join(BUILD, "tenon")
RECORD = "record.json"
SECONDS_MAX = 300


def sandbox(home, *words):
    """The command that runs `words` with nothing of this machine's but its files."""
    run = f"/run/user/{os.geteuid()}"
    return ["bwrap", "--dev-bind", "/", "/", "--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent",
            "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs", "/run", "--dir", "/run/user",
            "--perms", "0700", "--dir", run, "--chdir", home, "--clearenv",
            *(word for name, value in environment(home, run).items() for word in ("--setenv", name, value)), *words]


def environment(home, run):
    """What a login session has."""
    user = {"HOME": home, "USER": "tester", "LOGNAME": "tester", "SHELL": "/bin/bash", "LANG": "C.UTF-8",
            "TERM": "xterm-256color", "PATH": "/usr/local/bin:/usr/bin:/bin", "XDG_RUNTIME_DIR": run,
            "TENON_BUILD": BUILD, "TENON_TERRAFORM": os.path.join(HERE, "..", "studio", "fake_engine")}
    return user | {name: os.environ[name] for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS") if name in os.environ}


def outside(way, script, out):
    home = f"/var/tmp/tenon-hosts-{secrets.token_hex(4)}"
    os.mkdir(home, 0o700)
    try:
        done = subprocess.run([*sandbox(home), sys.executable, os.path.abspath(__file__), "--inside", way, script],
                              stdin=subprocess.DEVNULL, timeout=SECONDS_MAX + 60, check=False)
        if done.returncode == 0:
            shutil.copy(os.path.join(home, RECORD), out)
        return done.returncode
    finally:
        shutil.rmtree(home, ignore_errors=True)


def tenon(*words):
    done = subprocess.run([TENON, *words], capture_output=True, encoding="utf-8", timeout=60, check=False,
                          stdin=subprocess.DEVNULL)
    if done.returncode:
        raise AssertionError(f"tenon {' '.join(words)}: exit {done.returncode}: {done.stderr[-400:]}")
    return done.stdout


def install(driver, home, script, log):
    """The host's settings: what tenon install writes, but for the tour, which listens in, and for HTTP."""
    path = os.path.join(home, driver.settings)
    if script == "http":
        entry = driver.http_entry("http://127.0.0.1:7777/mcp", tenon("token").strip())
        old = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
        drivers.write(path, old + entry if isinstance(entry, str) else json.dumps(json.loads(old or "{}") | entry))
        return
    tenon("install", driver.install, "--yes", *(["--fit", "both"] if script == "both" else []))
    with open(path, encoding="utf-8") as file:
        written = file.read()
    if script in ("tour", "both"):
        drivers.write(path, driver.tap(written, [sys.executable, os.path.join(HERE, "tap.py"), log]))


def run_host(driver, url, folder):
    """(exit code, output, seconds)"""
    begin = time.monotonic()
    try:
        done = subprocess.run(driver.command(), env=os.environ | driver.environment(url) | {"PWD": folder},
                              cwd=folder,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              encoding="utf-8", errors="replace", timeout=SECONDS_MAX, check=False)
        code, output = done.returncode, done.stdout
    except subprocess.TimeoutExpired as late:
        code, output = None, (late.stdout or b"").decode("utf-8", "replace")
    return code, output, time.monotonic() - begin


def inside(way, script):
    home, driver = os.environ["HOME"], drivers.WAYS[way]
    folder, log = os.path.join(home, "project"), os.path.join(home, "tap.log")
    scripts.prepare(folder)
    play = model.Model(driver.dialect(), lambda: scripts.SCRIPTS[script](folder))
    driver.prepare(home, play.url)
    tenon("up")
    install(driver, home, script, log)
    code, output, seconds = run_host(driver, play.url, folder)
    alive = subprocess.run([TENON, "status"], capture_output=True, timeout=60, check=False).returncode == 0
    heard = []
    if os.path.exists(log):
        with open(log, encoding="utf-8") as file:
            heard = [json.loads(line) for line in file]
    with open(os.path.join(home, RECORD), "w", encoding="utf-8") as file:
        json.dump({"way": way, "script": script, "code": code, "output": output[-3000:], "seconds": seconds,
                   "alive": alive,
                   "said": play.said, "failure": play.failure, "unsolved": play.unsolved, "turns": play.turns, "beside": len(play.beside),
                   "asked": play.asked, "received": [vars(one) for one in play.received],
                   "looked_up": [(name, got.text) for name, got in play.looked_up], "heard": heard}, file)


if __name__ == "__main__":
    if sys.argv[1] == "--inside":
        inside(*sys.argv[2:])
    else:
        sys.exit(outside(*sys.argv[1:]))
