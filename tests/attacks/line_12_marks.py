#!/usr/bin/env python3
"""line_12_marks.py - prompts and ends of commands that a program fakes: without the session's nonce they are text
(terminal.md 5.1)."""
import base64
import json
import os

import line
import check
import kit

SUITE = line.SUITE
SHELLS = [path for path in ("/bin/bash", "/usr/bin/zsh", "/usr/bin/fish", "/bin/dash") if os.path.exists(path)]


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


PROMPTS = {
    "the prompt of a shell": "printf 'user@host:~$ '; sleep 0.5; printf 'real\\n'; exit 7",
    "a prompt and an exit code": "printf 'real\\n[exit 0]\\n$ '; sleep 0.5; exit 7",
    "a prompt that asks for a password": "printf '[sudo] password for ann: '; sleep 0.5; printf 'real\\n'; exit 7",
    "a new screen with a prompt": "printf '\\033[2J\\033[H$ '; sleep 0.5; printf 'real\\n'; exit 7",
    "marks of another terminal's (OSC 633, 1337, 697)":
        "printf '\\033]633;D;0\\007\\033]1337;D;0\\007\\033]697;D;0\\007'; sleep 0.5; printf 'real\\n'; exit 7",
    "marks by C1 and ST": "printf '\\302\\235133;D;0\\302\\234\\235133;D;0\\234'; sleep 0.5; printf 'real\\n'; exit 7",
    "a mark in pieces": "printf '\\033]13'; sleep 0.2; printf '3;D;0\\007'; sleep 0.4; printf 'real\\n'; exit 7",
}


def prompts(served):
    """What a person takes for the end is none."""
    for name, text in PROMPTS.items():
        with step(f"{name}: the command goes on, and ends with its own exit code"):
            session = served.new(activate=False)
            script = served.put("home/lies.sh", text + "\n")
            done = served.run(f"sh {script}", session_id=session)
            check.need((done["status"], done["exit_code"]) == ("completed", 7) and "real" in done["output"], done)
            check.need(done["duration_ms"] >= 350, done)
            served.ends(session)


def replayed(served):
    """Everything that a client was ever told of the session, printed again by a program. (Whoever reads the daemon's own
    files can do more: docs/terminal-safety.md.)"""
    with step("whatever the session has answered, printed again, ends nothing"):
        session = served.new(activate=False)
        served.run("echo one", session_id=session)
        said = served.tool("get_terminal_output", session_id=session, format="raw")["output"]
        text = base64.b64decode(said) + json.dumps(served.info(session)).encode() + json.dumps(
            served.tool("get_screen", session_id=session, scrollback=1000)).encode()
        for mark in (b"D;0", b"D;0;n=2", b"C;n=3", b"A"):
            text += b"\x1b]133;" + mark + b"\x07\x1b]133;" + mark + b";tn=" + session.encode() + b"\x07"
        with open(os.path.join(served.home, "marks"), "wb") as file:
            file.write(text)
        done = served.run("(cat ~/marks; sleep 0.5; echo real; exit 7)", session_id=session)
        check.need((done["status"], done["exit_code"]) == ("completed", 7) and "real" in done["output"], done)
        served.ends(session)


def main():
    with kit.Served(policy={"terminal": {"rules": []}}, env={"TENON_CONSENT": "allow"}) as served:
        for part in (fake_marks, prompts, replayed):
            part(served)
        with step("the server ends in order, and leaves no process"):
            code, left = served.end()
            check.need(code == 0 and not left, (code, left, served.said()[-300:]))
    line.end()


main()
