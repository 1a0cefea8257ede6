#!/usr/bin/env python3
"""line_17_floods.py - programs that print without end, or read nothing: memory stays flat, others are served, and the
program is held up instead (terminal.md 6, 12.5)."""
import os
import time

import line
import check
import kit

SUITE = line.SUITE
FLOOD_MB = 16 if check.sanitized() else 100
SHELLS = [path for path in ("/bin/bash", "/usr/bin/zsh", "/usr/bin/fish", "/bin/dash") if os.path.exists(path)]


def step(name):
    return check.Step(SUITE, name)


def floods(served):
    session = served.new()
    other = served.new(activate=False)
    with step(f"{FLOOD_MB} MB without a newline: memory flat, the answer capped, all of it counted (6.1, 6.2)"):
        served.run("head -c 3000000 /dev/zero | tr '\\0' x", session_id=session)
        before = check.resident_kib(served.pid)
        number = served.start("execute_command", command=f"head -c {FLOOD_MB}000000 /dev/zero | tr '\\0' x",
                              session_id=session, timeout_ms=120000, yield_ms=50000)
        peak = 0
        while number not in served.answers:
            try:
                served.take(0.2)
            except TimeoutError:
                served.answers_within()
                peak = max(peak, check.resident_kib(served.pid))
        done = served.finish(number)["result"]["structuredContent"]
        check.need((done["status"], done["total_bytes"]) == ("completed", FLOOD_MB * 1000000), str(done)[:300])
        check.need(len(done["output"]) <= 17000 and done["truncated"], len(done["output"]))
        check.need(check.sanitized() or peak - before < 48 * 1024, f"{before} to {peak} KiB")
    shapes = {
        "NULs": "head -c 3000000 /dev/zero",
        "bytes that are no UTF-8": "head -c 1000000 /dev/urandom | tr '\\000-\\177' '\\200-\\377'",
        "bytes of chance": "head -c 2000000 /dev/urandom",
        "a million combining marks": "printf a; yes | head -n 1000000 | tr -d '\\n' | sed 's/y/\\xcc\\x81/g'",
        "right to left and without a width": "yes \"$(printf '\\342\\200\\256\\342\\200\\213\\342\\200\\215\\327\\220')\" | head -n 50000",
        "a huge SGR": "printf '\\033['; yes '1;38;5;9' | head -n 200000 | tr '\\n' ';'; printf m",
        "an endless OSC": "printf '\\033]0;'; head -c 3000000 /dev/zero | tr '\\0' t",
        "an endless DCS": "printf '\\033P'; head -c 3000000 /dev/zero | tr '\\0' q",
        "huge counts": "printf '\\033[999999999b\\033[999999999L\\033[999999999S\\033[999999999;999999999H\\033[2147483648X'",
        "regions and modes": "printf '\\033[?1049h\\033[5;6r\\033[?1000;1006;2004h\\033(0\\033[4h\\033[?7l\\033[8m'",
    }
    for name, command in shapes.items():
        with step(f"{name}: the result is capped, the next command exact, others undisturbed (6.3)"):
            before = check.resident_kib(served.pid)
            done = served.run(command, session_id=session)
            check.need((done["status"], done["exit_code"]) == ("completed", 0), str(done)[:300])
            check.need(len(done["output"].encode()) <= 40000, len(done["output"].encode()))
            check.need("\x1b" not in done["output"] and "\0" not in done["output"], "control bytes")
            done = served.run("(echo fine; exit 5)", session_id=session)
            check.need((done["output"], done["exit_code"]) == ("fine\n", 5), str(done)[:300])
            check.need(served.run("echo other", session_id=other)["output"] == "other\n", "another session")
            grown = check.resident_kib(served.pid) - before
            check.need(check.sanitized() or grown < 24 * 1024, f"{grown} KiB more")
    with step("a storm of resizes while it prints: the last size counts"):
        number = served.start("execute_command", command="seq 200000; echo over", session_id=session)
        for at in range(300):
            served.start("resize_session", session_id=session, cols=20 + at % 400, rows=5 + at % 190)
        served.tool("resize_session", session_id=session, cols=77, rows=33)
        done = served.finish(number)["result"]["structuredContent"]
        check.need(done["exit_code"] == 0 and done["output"].endswith("over\n"), str(done)[:200])
        check.need(served.run("stty size", session_id=session)["output"] == "33 77\n", "the size")
    with step("a program that never reads: 10 MB of keys are an error at the latest, and nobody's memory"):
        served.run("stty raw -echo; sleep 60", session_id=session, yield_ms=300)
        before = check.resident_kib(served.pid)
        sent = 0
        for _ in range(10):
            said = served.call("send_keys", session_id=session, text="k" * 1000000, wait_ms=0)
            sent += 0 if said.get("error") or said["result"].get("isError") else 1
        check.need(sent < 10, "all of it was taken")
        check.need(check.sanitized() or check.resident_kib(served.pid) - before < 16 * 1024, "it grows")
        served.answers_within()
    for one in (session, other):
        served.ends(one)


def endless(served):
    """`yes` does not end. What is kept of it is bounded, and so is how far it gets: it waits."""
    with step("endless output: kept within the budget, interrupted at once, and its shell goes on"):
        session, other = served.new(activate=False), served.new(activate=False)
        for command in ("yes", "yes | tr -d '\\n'", "while :; do printf '\\033[31mx\\n'; done"):
            before = check.resident_kib(served.pid)
            done = served.run(command, session_id=session, timeout_ms=600000, yield_ms=1500)
            check.need(done["status"] == "running", str(done)[:300])
            served.answers_within()
            check.need(served.run("echo other", session_id=other)["output"] == "other\n", "another session")
            check.need(check.sanitized() or check.resident_kib(served.pid) - before < 48 * 1024, "it grows")
            served.tool("signal", session_id=session, signal="INT", escalate=True)
            served.until(lambda: served.info(session)["state"] != "busy", "it ends", 20)
            check.need(served.run("echo after", session_id=session)["output"] == "after\n", "its shell")
        for one in (session, other):
            served.ends(one)


def back_pressure(served):
    """A daemon that is stopped reads nothing: the program waits, and no file or buffer grows meanwhile."""
    import signal
    with step("back-pressure reaches the program: while nobody reads, it does not get on"):
        session = served.new(activate=False)
        count = os.path.join(served.home, "count")
        writer = served.put("home/writer.py", "import os\nn=0\nwhile True:\n  os.write(1, b'x' * 65536)\n  n += 1\n"
                            f"  open({count!r}, 'w').write(str(n))\n")
        served.run(f"python3 {writer}", session_id=session, timeout_ms=600000, yield_ms=300)
        keepers = [pid for pid in served.ours() if b"pty-host" in open(f"/proc/{pid}/cmdline", "rb").read()]
        stopped = [served.pid, *keepers]
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        try:
            time.sleep(0.5)
            first = open(count, encoding="ascii").read()
            time.sleep(1)
            last = open(count, encoding="ascii").read()
            check.need(first == last, f"{first} and then {last} blocks of 64 KiB")
        finally:
            for pid in stopped:
                os.kill(pid, signal.SIGCONT)
        served.ends(session, force=True)


def scrollback(served):
    with step("a huge scrollback: every page of it bounded, resizing takes no longer than reading"):
        session = served.new(activate=False)
        served.run("seq -w 1000000", session_id=session, timeout_ms=60000, yield_ms=50000)
        before = check.resident_kib(served.pid)
        for size in ((10, 5), (500, 200), (1, 1), (80, 24)):
            served.call("resize_session", session_id=session, cols=size[0], rows=size[1])
            served.answers_within()
        screen = served.call("get_screen", session_id=session, scrollback=1000000)
        check.need(len(str(screen)) < 20_000_000, f"{len(str(screen))} bytes")
        check.need(check.sanitized() or check.resident_kib(served.pid) - before < 48 * 1024, "it grows")
        served.ends(session)


def main():
    with kit.Served(policy={"terminal": {"rules": []}}, env={"TENON_CONSENT": "allow"}) as served:
        for part in (floods, endless, back_pressure, scrollback):
            part(served)
        with step("the server ends in order, and leaves no process"):
            code, left = served.end()
            check.need(code == 0 and not left, (code, left, served.said()[-300:]))
    line.end()


main()
