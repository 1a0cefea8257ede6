#!/usr/bin/env python3
"""line_16_orphans.py - programs that mean to stay, and hosts, relays and daemons that are killed: nothing is left behind
(terminal.md 7.12, 12.1, 12.4). Every way of ending: tests/terminal/life.py; 200 kills at random: tests/chaos."""
import os
import shutil
import signal
import subprocess
import sys
import time

import line
import check
import daemon
import kit
import links
import terminal

SUITE = line.SUITE

NOBODY = line.NOBODY


def step(name):
    return check.Step(SUITE, name)


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
                                settings={"terminal": {"limits": {"processes": 300}, "sandbox": "bubblewrap"}}) as served:
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


BACKGROUND = ("sleep 987", "(setsid sleep 987 &) ; setsid -f sleep 987", "nohup sleep 987 >/dev/null 2>&1 & disown",
              "sh -c 'trap \"\" HUP TERM INT; sleep 987 & wait'", "sh -c 'kill -STOP $$' & sleep 987")


def killed(whom):
    """`whom` of a terminal's own server is killed by -9 while every kind of child runs."""
    with step(f"kill -9 of {whom}: what ran in its sessions ends"):
        served = terminal.Served()
        try:
            for command in BACKGROUND:
                session = served.client.create()
                served.client.run(command, session_id=session, yield_ms=200)
            check.need(terminal.marked(served.folder), "nothing runs")
            victim = served.pid
            if whom == "the keeper of the terminals":
                keepers = [pid for pid in terminal.below(served.pid) if b"pty-host" in terminal.read_bytes(
                    f"/proc/{pid}/cmdline")]
                check.need(keepers, "no keeper")
                victim = keepers[0]
            if whom == "the client, which closes its pipe":
                served.link.process.stdin.close()
            else:
                os.kill(victim, signal.SIGKILL)
            if victim != served.pid:
                served.link.close()
            left = terminal.wait_gone(served.folder, 40)
            print(f"{whom}: {left:.1f} s", flush=True)
        finally:
            served.__exit__()


def zombies():
    with step("children that end while nobody looks leave no zombie"), terminal.Served() as served:
        served.client.run("for i in $(seq 200); do (sh -c 'true' &); done; sleep 0.5", yield_ms=20000)
        for pid in terminal.below(served.pid):
            state = terminal.read_bytes(f"/proc/{pid}/stat").rpartition(b")")[2].split()[:1]
            check.need(state != [b"Z"], f"{pid} is a zombie")


def stopped_daemon():
    with step("a daemon that is stopped and goes on has lost nothing"), daemon.Home() as home:
        child = home.foreground()
        with line.relay(home, "terminal", terminal.Assistant) as client:
            session = client.create()
            client.run("x=kept", session_id=session)
            os.kill(child.pid, signal.SIGSTOP)
            time.sleep(1)
            os.kill(child.pid, signal.SIGCONT)
            check.need(client.run("echo $x", session_id=session)["output"] == "kept\n", "the session")
        child.terminate()
        child.wait(30)


def main():
    with kit.Served(policy={"terminal": {"rules": []}}, env={"TENON_CONSENT": "allow"}) as served:
        stayers(served)
        with step("the server ends in order, and leaves no process"):
            code, left = served.end()
            check.need(code == 0 and not left, (code, left, served.said()[-300:]))
    bomb_in_sandbox()
    for whom in ("the server", "the client, which closes its pipe", "the keeper of the terminals"):
        killed(whom)
    zombies()
    stopped_daemon()
    line.end()


main()
