#!/usr/bin/env python3
"""line_13_rules.py - ways around the reading of commands, on a real daemon with a real shell: what deletes is asked about
before it runs, whatever it is dressed as, and nothing has been touched until then. Every way by itself, without a shell:
src/apps/terminal/policy/rules_denied_test.c and rules_asked_test.c; the figures: rules_figures_test.c; one file that is removed, moved or rewritten is
allowed on purpose (docs/policy.md)."""
import base64
import os
import shutil
import subprocess

import line
import check
import daemon
import terminal

REMOVE = "rm -rf %s"
WAYS = {
    "as it is": "rm -rf %s", "a path": "/bin/rm -rf %s", "quotes": "'r'm -rf %s", "an escape": "r\\m -rf %s",
    "a C string": "$'\\x72\\x6d' -rf %s", "braces": "{rm,-rf,%s}", "IFS": "rm${IFS}-rf${IFS}%s",
    "a variable": "x=rm; $x -rf %s", "a substitution": "$(echo rm) -rf %s", "backquotes": "`printf rm` -rf %s",
    "eval": "eval 'rm -rf %s'", "another shell": "sh -c 'rm -rf %s'", "env": "env -S 'rm -rf %s'", "command": "command rm -rf %s",
    "busybox": "busybox rm -rf %s", "a pipe into a shell": "echo rm -rf %s | sh", "a here document": "sh <<E\nrm -rf %s\nE",
    "base 64": "echo @B64@ | base64 -d | sh", "xargs": "echo %s | xargs rm -rf", "find -delete": "find %s -delete",
    "find -exec": "find %s -exec rm -rf {} +", "python": "python3 -c 'import shutil; shutil.rmtree(\"%s\")'",
    "perl": "perl -e 'system(\"rm -rf %s\")'", "awk": "awk 'BEGIN{system(\"rm -rf %s\")}'",
    "git's pager": "script -qc 'git -c core.pager=\"rm -rf %s\" -p help' /dev/null", "git's alias": "git -c alias.x='!rm -rf %s' x", "tar's checkpoint":
    "tar cf /dev/null /dev/null --checkpoint=1 --checkpoint-action=exec='rm -rf %s'",
    "an arithmetic subscript": "a='x[$(rm -rf %s)]'; ((a))", "test -v": "a='x[$(rm -rf %s)]'; test -v \"$a\"",
    "printf -v": "printf -v 'x[$(rm -rf %s)]' y", "setarch": "setarch -R rm -rf %s", "the loader": "/lib64/ld-linux-x86-64.so.2 /bin/rm -rf %s",
    "nohup": "nohup rm -rf %s", "timeout": "timeout 5 rm -rf %s", "a background": "rm -rf %s & wait", "a trap": "trap 'rm -rf %s' EXIT; exit",
    "a function": "f() { rm -rf \"$1\"; }; f %s", "a here string": "bash <<<'rm -rf %s'", "source": ". /dev/stdin <<<'rm -rf %s'",
    "a continuation": "r\\\nm -rf %s", "a comment before": "# nothing\nrm -rf %s", "a carriage return": "true\r\nrm -rf %s",
    "make": "printf 'a:\\n\\trm -rf %s\\n' | make -f -", "ssh's proxy": "ssh -o ProxyCommand='rm -rf %s' x", "script": "script -qc 'rm -rf %s' /dev/null",
    "truncate": "truncate -s 0 %s/file", "cp of nothing": "cp /dev/null %s/file",
    "rsync": "rsync -a --delete /var/empty/ %s/", "shred": "shred -u %s/file", "dd": "dd if=/dev/null of=%s/file",
    "git clean": "cd %s && git init -q . && git clean -fdx",
}


# What a way needs that a machine may not have; without it the way does nothing, and proves nothing.
NEEDS = {"busybox": "busybox", "rsync": "rsync", "script": "script", "ssh's proxy": "ssh", "perl": "perl", "make": "make",
         "setarch": "setarch", "git's pager": "script", "git's alias": "git", "git clean": "git"}


def does_nothing(target, name, command):
    """A control: without us the way would have harmed."""
    folder = os.path.dirname(target)
    try:
        subprocess.run(["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=False)
    except subprocess.TimeoutExpired:
        pass
    return is_precious(target) and shutil.which(NEEDS.get(name, "sh")) is not None


def is_precious(target):
    try:
        with open(os.path.join(target, "file"), encoding="ascii") as file:
            return file.read() == "precious"
    except FileNotFoundError:
        return False


def make_precious(target):
    os.makedirs(target, exist_ok=True)
    with open(os.path.join(target, "file"), "w", encoding="ascii") as file:
        file.write("precious")


def ways(home, client):
    target = home.path("precious")
    missed = []
    for name, way in WAYS.items():
        make_precious(target)
        command = way.replace("%s", target).replace("@B64@", base64.b64encode((REMOVE % target).encode()).decode())
        if does_nothing(target, name, command):
            missed.append((name, "would do nothing by itself"))
        make_precious(target)
        for given in ({}, {"isolated": True}):
            try:
                client.run(command, cwd=home.folder, timeout_ms=5000, yield_ms=6000, **given)
            except terminal.Fault as fault:
                check.need(fault.code or "CONSENT" in str(fault.error) or fault.error, f"{name}: {fault.error}")
            if not is_precious(target):
                missed.append((name, given))
    return missed


def typed(home, client):
    """The same by keys, in halves, by paste, and with the ends of lines that a shell knows."""
    target = home.path("typed")
    for name, steps in {"in halves": [{"text": "rm -r"}, {"text": f"f {target}", "enter": True}],
                        "a paste": [{"text": f"rm -rf {target}\n", "paste": True}, {"keys": ["Enter"]}],
                        "C-m": [{"text": f"rm -rf {target}"}, {"keys": ["C-m"]}],
                        "C-j": [{"text": f"rm -rf {target}"}, {"keys": ["C-j"]}],
                        "C-o": [{"text": f"rm -rf {target}"}, {"keys": ["C-o"]}],
                        "a newline inside": [{"text": f"true\nrm -rf {target}\ntrue\n"}],
                        "backspaces": [{"text": "rmx"}, {"keys": ["Backspace"]}, {"text": f" -rf {target}", "enter": True}]
                        }.items():
        with line.step(f"typed, {name}: nothing ran unasked"):
            os.makedirs(target, exist_ok=True)
            session = client.create(cwd=home.folder)
            for given in steps:
                try:
                    client.use("send_keys", session_id=session, wait_ms=300, **given)
                except terminal.Fault:
                    break
            client.code_of("wait_for", session_id=session, until="idle", idle_ms=200, timeout_ms=1000)
            check.need(os.path.isdir(target), "it is gone")
            client.use("close_session", session_id=session, force=True)


def two_calls(home, client):
    """What one call prepares, the next one uses. (A PATH that the session itself has changed: docs/security-model.md.)"""
    target = home.path("later")
    for name, calls in {"an alias": ["shopt -s expand_aliases; alias x='rm -rf'", f"x {target}"],
                        "a function": ["x() { rm -rf \"$@\"; }", f"x {target}"],
                        "a script": ["printf 'rm -rf %s' \"$HOME/later\" >x.sh", "sh x.sh"],
                        "a copy": ["cp /bin/rm ./copied", f"./copied -rf {target}"],
                        "a link": ["ln -sf /bin/rm ./linked", f"./linked -rf {target}"]}.items():
        with line.step(f"in two calls, {name}: nothing ran unasked"):
            os.makedirs(target, exist_ok=True)
            session = client.create(cwd=home.folder)
            for command in calls:
                try:
                    client.run(command, session_id=session)
                except terminal.Fault:
                    pass
            check.need(os.path.isdir(target), "it is gone")
            client.use("close_session", session_id=session, force=True)


def main():
    with daemon.Home(TENON_TERMINAL_CONSENT_WAIT_S="0") as home:
        child = home.foreground("--set", "terminal.rate_per_minute=0")
        with line.relay(home, "terminal", terminal.Assistant) as client:
            with line.step(f"{len(WAYS)} ways to delete, in a session and isolated: nothing ran unasked"):
                missed = ways(home, client)
                check.need(not missed, missed)
            with line.step("a control: what harms nothing runs unasked, so it is not all refused"):
                check.need(client.run("echo hello", cwd=home.folder)["output"] == "hello\n", "echo")
            typed(home, client)
            two_calls(home, client)
        child.terminate()
        child.wait(30)
    line.end()


main()
