#!/usr/bin/env python3
"""hostile.py - what can be done to a shell so that it no longer says when a command ends: the result is right or says
that it is not known, the server answers within a second, and closing the session leaves no process. Programs that lie,
flood and stay: tests/attacks, lines 11, 12, 16 and 17. terminal.md 5.1 to 5.4, 10, 12.4, 16.
"""
import sys
import time

import kit
from kit import check
import daemon

SUITE = "terminal-hostile"


def step(name):
    return check.Step(SUITE, name)


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


def searched(served):
    """What a PATH of so many folders is searched for is looked up within bounds: the loop is everybody's."""
    with step("a PATH of 30,000 folders holds nobody up"):
        used = daemon.loop_ns(served.pid)
        result = served.run("; ".join(f"nothing-{number}" for number in range(60)), isolated=True,
                            env={"PATH": "/n:" * 30000}, timeout_ms=30000, yield_ms=50000)
        used = (daemon.loop_ns(served.pid) - used) / 1e9
        check.need(result["exit_code"] == 127, str(result)[:300])
        check.need(used < 0.3 or check.sanitized(), f"the loop worked {used:.1f} s")


def main():
    with kit.Served(policy={"terminal": {"rules": []}}, env={"TENON_CONSENT": "allow"}) as served:
        searched(served)
        tricks(served)
        with step("the server ends in order, and leaves no process"):
            code, left = served.end()
            check.need(code == 0 and not left, (code, left, served.said()[-300:]))
    return 1 if check.failures else 0


sys.exit(main())
