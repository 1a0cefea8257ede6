#!/usr/bin/env python3
"""hostile.py - programs and shells that mean to lie, to flood, to hang, to stay: nothing changes outside of their
session, the server answers within a second, a result is right or says that it is not known, and closing the
session leaves no process. terminal.md 5.1 to 5.4, 6, 10, 10.4, 12.4, 16.
"""
import os
import re
import shutil
import subprocess
import sys
import time

import kit
from kit import check

SUITE = "terminal-hostile"
SHELLS = [path for path in ("/bin/bash", "/usr/bin/zsh", "/usr/bin/fish", "/bin/dash") if os.path.exists(path)]
FLOOD_MB = 16 if check.sanitized() else 200
NOBODY = 65534


def step(name):
    return check.Step(SUITE, name)


def on_disk(served, text):
    return [path for path, data in served.files() if text.encode() in data]


def fake_marks(served):
    for shell in SHELLS:
        name = os.path.basename(shell)
        session = served.new(shell=shell)
        with step(f"{name}: marks that a program fakes end nothing and are not shown (5.1)"):
            fakes = "".join(f"\\033]133;{mark}\\007" for mark in (
                "D;0", "D;0;tn=", "D;0;tn=0000000000000000", "D;0;n=1", "A", "B", "C", "D;0;tn=;n=1;cwd=/",
                "D;0;tn=%s;n=1;cwd=/" % ("f" * 32), "D;0;n=1;tn=x;tn=x"))
            lies = served.put("home/lies.sh", f"printf '{fakes}\\033]7;file://x/etc\\007'; sleep 0.4; echo real; exit 7\n")
            done = served.run(f"sh {lies}", session_id=session)
            check.need((done["status"], done["exit_code"], done["completion"]) == ("completed", 7, "marks"), done)
            check.need(done["output"] == "real\n" and done["duration_ms"] >= 350, done)
            check.need(done["cwd"] == os.path.realpath(served.home), done["cwd"])
        with step(f"{name}: the nonce is in no environment, no command line and no start file (5.1)"):
            nonce = served.run("printf %s \"$__tn_nonce\"", session_id=session)["output"]
            check.need(len(nonce) >= 16, f"{nonce!r}")
            for pid in served.ours():
                for where in ("environ", "cmdline"):
                    with open(f"/proc/{pid}/{where}", "rb") as file:
                        check.need(nonce.encode() not in file.read(), f"{where} of {pid}")
            kept = [path for path in on_disk(served, nonce) if "/spool/" not in path]
            check.need(not kept, kept)
            check.need(nonce not in served.run("env; cat /proc/$PPID/environ /proc/self/environ", session_id=session)
                       ["output"], "a program has it")
        served.ends(session)


# What a terminal could be made to type, and what never is (10.4).
SILENT = {
    "the clipboard (OSC 52)": "\\033]52;c;?\\007\\033]52;c;cm0gLXJmIC8K\\007\\033]52;p;?\\033\\\\",
    "title and window reports": "\\033]0;rm -rf /\\007\\033[21t\\033[20t\\033[14t\\033[18t\\033[19t\\033[11t\\033[13t\\033[15t",
    "colours": "\\033]4;1;?\\007\\033]10;?\\007\\033]11;?\\033\\\\\\033]12;?\\007",
    "answer-back (ENQ)": "\\005\\005",
    "settings (DECRQSS), capabilities, version": "\\033P$qm\\033\\\\\\033P+q544e\\033\\\\\\033[>q\\033[x\\033[?996n\\033[=c",
    "modes, checksums, fonts": "\\033[?1049$p\\033[1;1;1;1;5;5*y\\033]50;?\\007\\033[?26n\\033[?15n\\033[?u",
}
ANSWERED = {"device attributes": "\\033[c", "more of them": "\\033[>c", "state": "\\033[5n", "the place": "\\033[6n"}


ASKS = """import os, select, sys, termios, tty
kept = termios.tcgetattr(0)
tty.setraw(0)
os.write(1, sys.argv[1].encode().decode("unicode_escape").encode("latin-1"))
got = b""
while select.select([0], [], [], 0.6)[0]:
    got += os.read(0, 1000)
termios.tcsetattr(0, termios.TCSANOW, kept)
print(got.hex())
"""


def typed_back(served, session, query):
    script = served.put("home/asks.py", ASKS)
    return bytes.fromhex(served.run(f"python3 {script} '{query}'", session_id=session)["output"].strip())


def reports(served):
    session = served.new()
    with step("reports, clipboard, colours, answer-back: nothing is typed into the session (10.4)"):
        for name, query in SILENT.items():
            got = typed_back(served, session, query)
            check.need(got == b"", f"{name}: {got!r}")
        check.need("rm -rf" in served.info(session)["title"], "a title is only shown")
    with step("device attributes and the place of the cursor are answered, with numbers only (10.4)"):
        for name, query in ANSWERED.items():
            got = typed_back(served, session, query)
            check.need(re.fullmatch(rb"\x1b\[[?>]?[0-9;]+[cnR]", got), f"{name}: {got!r}")
    served.ends(session)
    for shell in SHELLS:
        session = served.new(shell=shell)
        with step(f"{os.path.basename(shell)}: an answer that nobody reads is no part of the next command (5.2)"):
            for _ in range(3):
                served.run("printf '\\033[6n\\033[c\\033[6n\\033[c'", session_id=session)
                done = served.run("echo exactly", session_id=session)
                check.need((done["output"], done["exit_code"]) == ("exactly\n", 0), done)
        served.ends(session)


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


# After each of them a command that exits with 5 does so, or its result says that it is not known.
SHELL_TRICKS = [
    "stty raw -echo", "stty -echo -icanon", "stty -isig -icrnl", "stty 0 2>/dev/null; true", "trap '' INT TERM HUP QUIT TSTP",
    "PROMPT_COMMAND='sleep 1'", "PROMPT_COMMAND=(false 'echo more')", "unset PROMPT_COMMAND", "readonly PROMPT_COMMAND=",
    "PS1=$'\\e]133;D;0\\a\\e]133;A\\afake $ '", "readonly PS1='$ ' PS0=", "unset PS1 PS0 PS2", "PS1='$(sleep 0.3; exit 9)'",
    "alias eval=false builtin=false printf=false local=false", "eval() { echo stolen; }", "builtin() { return 9; }",
    "printf() { builtin printf stolen; }; export -f printf", "enable -n eval printf builtin local", "set -o posix",
    "readonly __tn_c=x", "readonly __tn_n=7", "__tn_n=99 __tn_s=3 __tn_said=1", "unset __tn_nonce __tn_dir __tn_b __tn_o",
    "unset -f __tn_b __tn_e __tn_first __tn_last __tn_mark", "__tn_b() { :; }", "exec 3>&- 9>&-", "ulimit -f 0",
    "trap 'echo dbg' DEBUG; trap 'false' ERR; trap 'echo r' RETURN", "shopt -s extdebug; trap 'false' DEBUG",
    "set -eu -o pipefail", "set -x -v -n 2>/dev/null", "IFS=xyz0123456789", "PATH=", "LC_ALL=C LANG=xx_YY", "cd /; rmdir . 2>/dev/null",
    "exec >/dev/null 2>&1", "exec </dev/null", "exec <&- >&- 2>&-", "kill -STOP $$", "exec sleep 1000", "exec true", "exit 9",
    "set +m; set +o history; shopt -s expand_aliases", "bind -r '\\C-m' 2>/dev/null; bind 'set disable-completion on'",
    "bind '\"\\C-m\": \"echo stolen\\n\"'", "set -o vi", "TMOUT=1", "exec bash --norc", "exec dash", "bash --norc",
    "while :; do echo noise; sleep 0.001; done &",
]


def tricks(served):
    for trick in SHELL_TRICKS:
        with step(f"bash: {trick}"):
            begun = time.monotonic()
            session = served.new(activate=False)
            first = served.run(trick, session_id=session, timeout_ms=1500, yield_ms=2000)
            if first["status"] == "completed":
                answer = served.call("execute_command", command="(exit 5)", session_id=session, timeout_ms=1500,
                                     yield_ms=2000)["result"]
                second = answer["structuredContent"]
                honest = answer.get("isError") or second["exit_code"] in (5, None) or second["status"] != "completed"
                check.need(honest, f"after {first['status']}: {str(second)[:300]}")
            served.answers_within()
            served.ends(session, grace_ms=300)
            if time.monotonic() - begun > 2:
                print(f"{time.monotonic() - begun:.1f} s, {first['status']}: {trick}", flush=True)


STAYERS = {
    "forks twice, ignores HUP and TERM":
        "import os,signal,time\nfor s in (1,2,3,15,20): signal.signal(s, signal.SIG_IGN)\n"
        "if os.fork(): os._exit(0)\nos.setsid()\nif os.fork(): os._exit(0)\nos.closerange(0, 99)\ntime.sleep(1000)\n",
    "leaves children in groups of their own":
        "import os,time\nfor _ in range(20):\n  if not os.fork():\n    os.setpgid(0, 0); time.sleep(1000)\n",
    "takes the terminal's foreground and leaves a child that holds it":
        "import os,signal,time\nsignal.signal(signal.SIGTTOU, signal.SIG_IGN)\nif not os.fork():\n  os.setpgid(0, 0)\n"
        "  os.tcsetpgrp(0, os.getpid())\n  time.sleep(1000)\ntime.sleep(0.2)\n",
    "gives the terminal up":
        "import fcntl,termios,os\nfd=os.open('/dev/tty', os.O_RDWR)\nfcntl.ioctl(fd, termios.TIOCNOTTY)\n",
    "sets a wrong size and odd modes":
        "import fcntl,termios,struct\nfcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 60000, 1, 0, 0))\n",
    "signals everything around it":
        "import os,signal\nfor s in (signal.SIGHUP, signal.SIGTERM):\n  signal.signal(s, signal.SIG_IGN)\n  os.kill(0, s)\n"
        "  os.kill(os.getppid(), s)\n",
    "stops its keeper and its shell":
        "import os,signal\np=os.getppid()\nq=int(open('/proc/%d/stat' % p).read().rpartition(')')[2].split()[1])\n"
        "os.kill(p, signal.SIGSTOP)\n",
    "hundred children that each fork on":
        "import os,time\nfor _ in range(100):\n  if not os.fork():\n    os.setsid()\n    if not os.fork(): time.sleep(1000)\n    os._exit(0)\n",
}


def stayers(served):
    other = served.new(activate=False)
    for name, text in STAYERS.items():
        with step(f"a program that {name}: closing the session leaves nothing (7.12, 12.4)"):
            around = set(served.ours())
            session = served.new(activate=False)
            script = served.put("home/stayer.py", text)
            served.run(f"python3 {script}", session_id=session, timeout_ms=2000, yield_ms=9000)
            served.answers_within()
            served.ends(session, grace_ms=300)
            served.until(lambda: set(served.ours()) <= around, f"they end: {set(served.ours()) - around}", 6)
            check.need(served.run("echo other", session_id=other)["output"] == "other\n", "another session")
    served.ends(other)


def bomb_in_sandbox():
    name = "a fork bomb in the sandbox, as an unprivileged user with a limit of processes (10)"
    under = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups") if os.geteuid() == 0 else ()
    probe = [*under, "bwrap", "--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "true"]
    works = all(map(shutil.which, ["bwrap", *under[:1]])) and subprocess.run(
        probe, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode == 0
    if not works or subprocess.run([*under, "test", "-x", kit.TENON], check=False).returncode:
        print(f"SKIPPED {SUITE}: {name}: no user namespaces, bwrap, or way to the program", file=sys.stderr)
        check.result(True, SUITE, f"{name} - SKIPPED, it cannot work here")
        return
    with step(name), kit.Served(policy={"terminal": {"rules": []}}, under=under, hello=False,
                                settings={"terminal": {"limits": {"processes": 300}}}) as served:
        for where, _, _ in os.walk(served.folder):
            os.chown(where, NOBODY if under else -1, -1)
        root = os.path.join(served.home, "work")
        os.mkdir(root)
        served.words += ["--root", root]
        served.begin()
        with open(os.path.join(root, "bomb.py"), "w", encoding="ascii") as file:
            file.write("import os\nwhile True:\n  try: os.fork()\n  except OSError: pass\n")
        session = served.tool("create_session", sandbox="on")["session"]
        check.need(session["sandbox"] not in ("none", "off"), session)
        number = served.start("execute_command", command="python3 bomb.py", session_id=session["id"], timeout_ms=2000)
        deadline = time.monotonic() + 2
        while time.monotonic() < deadline:
            served.answers_within()
            time.sleep(0.2)
        served.finish(number)
        served.ends(session["id"], force=True)
        code, left = served.end()
        check.need(code == 0 and not left, (code, left))


def main():
    with kit.Served(policy={"terminal": {"rules": []}}) as served:
        for part in (fake_marks, reports, floods, tricks, stayers):
            begun = time.monotonic()
            part(served)
            print(f"{part.__name__}: {time.monotonic() - begun:.1f} s", flush=True)
        with step("the server ends in order, and leaves no process"):
            code, left = served.end()
            check.need(code == 0 and not left, (code, left, served.said()[-300:]))
    bomb_in_sandbox()
    return 1 if check.failures else 0


sys.exit(main())
