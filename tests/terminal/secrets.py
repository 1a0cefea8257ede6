#!/usr/bin/env python3
"""secrets.py - canaries of every kind that terminal.md section 9 names, typed, printed, exported, in pieces, with
colours, in the server's own environment and under a hidden prompt: history, search results, notifications,
resources, tool results, log and audit never have them. Raw output (the spool, recordings) is what the program
printed; it goes with its session.
"""
import json
import os
import sqlite3
import sys

import kit
from kit import check

SUITE = "terminal-secrets"
# Put together here, or a scanner of sources would find them.
SERVER = "cnry" + "-of-the-server-5501"
SHAPES = {
    "cloud": "AKIA" + "CNRY7QXZ4MPL2WVT",
    "forge": "ghp_" + "cnryB7dK2mQ9xR4tV6wZ1aC3eF5gH8jL0nPs",
    "gitlab": "glpat-" + "cnry7QxZ4mPl2WvT9sRk",
    "chat": "xoxb-" + "210987654321-210987654321-cnryQ7xZ4mPl2WvT9sRkJ3hG",
    "payment": "sk_live_" + "cnry4Qx7ZmPl2WvT9sRkJ3hG",
    "jwt": "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiJjbnJ5In0." + "cnryQ7xZ4mPl2WvT9sRkJ3hGb5Nd8Fy1",
}
PEM_BODY = "MIIcnry" + "Q7xZ4mPl2WvT9sRkJ3hGb5Nd8Fy1Lq6Uo0Ew"
PEM = "-----BEGIN " + "PRIVATE KEY-----\\n" + PEM_BODY + "\\n-----END " + "PRIVATE KEY-----\\n"
EXPORTED = "cnry-exported-8812"
ARGUMENT = "cnry-argument-3307"
HEADER = "cnryheader7719QxZ4mPl2WvT"
IN_URL = "cnry-in-url-4402"
CONFIGURED = "PLUM-" + "cnry-6610"
HIDDEN = "cnry-hidden-9913"
MARK = "cnry"


def step(name):
    return check.Step(SUITE, name)


def found_in(text, values):
    return [value for value in values if value in text]


def database(served):
    """Everything that history.db and what stands beside it hold: the bytes, and the rows."""
    everything = b""
    for path, data in served.files():
        if "history.db" in path:
            everything += data
    path = os.path.join(served.state, "tenon/terminal/history.db")
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
        rows = [row for table in ("sessions", "commands", "outputs", "events")
                for row in db.execute(f"select * from {table}")]
    return everything.decode("utf-8", "replace") + repr(rows)


def known_kinds(served, session):
    """Kinds a and b are in no result (redact.results is "known")."""
    for kind, value in SHAPES.items():
        with step(f"{kind}: printed, typed, in pieces, in colours, over a wrapped line: no result has it (9 b)"):
            half = len(value) // 2
            pieces = " ".join(f"'{char}'" for char in value)
            for command in (f"echo {value}", f"printf '%s' {value[:half]}; sleep 0.1; printf '%s\\n' {value[half:]}",
                            f"printf '\\033[31m%s\\033[1;32m%s\\033[0m\\n' {value[:half]} {value[half:]}",
                            f"for c in {pieces}; do printf %s $c; done; echo",
                            f"printf '%0110d%s\\n' 0 ' {value}'"):
                result = served.call("execute_command", command=command, session_id=session)["result"]
                said = result["structuredContent"]
                check.need(value not in json.dumps(result), f"{command}: {said['output'][:200]}")
                check.need(said["redactions"] >= 1 and "[redacted:" in said["output"], f"{command}: {said}"[:400])
            for tool, more in (("get_terminal_output", {"session_id": session, "lines": 60}),
                               ("get_terminal_output", {"command_id": said["command_id"]}),
                               ("search_history", {"query": "redacted"}), ("list_sessions", {})):
                check.need(value not in json.dumps(served.call(tool, **more)), tool)
            screen = json.dumps(served.call("get_screen", session_id=session))
            check.need(value not in screen, "the screen")
    with step("a private key in PEM form: printed in one go and line by line (9 b)"):
        for command in (f"printf '{PEM}'", f"printf '{PEM}' | while IFS= read -r l; do echo \"$l\"; sleep 0.05; done"):
            result = served.call("execute_command", command=command, session_id=session)["result"]
            check.need(PEM_BODY not in json.dumps(result), result["structuredContent"]["output"])
    with step("an exported variable with a secret's name is known from then on (9 a)"):
        served.run(f"export DEPLOY_TOKEN={EXPORTED}", session_id=session)
        for command in ("echo \"it is $DEPLOY_TOKEN\"", "env | grep DEPLOY", "printf '%s\\r\\n' \"$DEPLOY_TOKEN\"",
                        "printf '\\033[31mcnry-\\033[0mexpo'; sleep 0.1; echo rted-8812"):
            result = served.call("execute_command", command=command, session_id=session)["result"]
            check.need(EXPORTED not in json.dumps(result), f"{command}: {result['structuredContent']['output']}")
    with step("a value of the server's own environment: no command gets it, and it is known (9 a, 10.3)"):
        for command in ("env", "cat /proc/$PPID/environ | tr '\\0' '\\n'",
                        "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -a OWN_SERVICE"):
            check.need(SERVER not in served.run(command, session_id=session)["output"], command)
        result = served.call("execute_command", command="cat ~/written-down", session_id=session)["result"]
        check.need(SERVER not in json.dumps(result), "printed from a file")


def arguments(served, session):
    """Kind c and configured patterns are in results (\"known\"), not in what is kept."""
    with step("arguments, headers, passwords in URLs, and configured patterns run as they are (9 c, d)"):
        for command in (f"true --password={ARGUMENT}", f"true mysql -p{ARGUMENT}; : mysqldump -p{ARGUMENT} db",
                        f"mysql -u root -p{ARGUMENT} nothing 2>/dev/null; true",
                        f": curl -H 'Authorization: Bearer {HEADER}' http://x.invalid",
                        f": git clone https://me:{IN_URL}@git.invalid/x", f"echo {CONFIGURED} >/dev/null"):
            check.need(served.run(command, session_id=session)["exit_code"] == 0, command)
    with step("a line typed with send_keys is recorded without its secret"):
        done = served.tool("send_keys", session_id=session, text=f": tool --password={ARGUMENT} typed-line", enter=True)
        check.need(done["sent_bytes"] > 10, done)
        served.tool("wait_for", session_id=session, until="exit")


def hidden(served, session):
    with step("what is typed while echo is off is recorded nowhere (7.7, 7.14)"):
        done = served.run("read -rs -p 'Password: ' answer; echo; [ ${#answer} = %d ] && echo as-typed" % len(HIDDEN),
                          session_id=session)
        check.need(done["status"] == "waiting_input" and done["waiting"]["hidden_input"], done)
        typed = served.tool("send_keys", session_id=session, text=HIDDEN, enter=True, wait_ms=800)
        check.need(HIDDEN not in json.dumps(typed) and "as-typed" in typed["output"], typed)
        check.need(not [path for path, data in served.files() if HIDDEN.encode() in data], "a file has it")


def texts_in(folder):
    """Files with something in them: where bash keeps its traps for a moment there is nothing afterwards."""
    return [name for name in os.listdir(folder) if os.path.getsize(os.path.join(folder, name))]


def afterwards(served, session, uris):
    everything = [SERVER, *SHAPES.values(), PEM_BODY, EXPORTED, ARGUMENT, HEADER, IN_URL, CONFIGURED, HIDDEN]
    served.run(f"trap ': tool --password={ARGUMENT}' ERR", session_id=session)
    served.run("true", session_id=session)
    served.run("true")
    with step("history.db, its log and its index have none of them, and count what was left out (9)"):
        served.until(lambda: "typed-line" in database(served), "written")
        check.need(not found_in(database(served), everything), found_in(database(served), everything))
        check.need("[redacted:" in database(served), "redactions")
        with sqlite3.connect(f"file:{served.state}/tenon/terminal/history.db?mode=ro", uri=True) as db:
            counted = db.execute("select sum(redactions) from commands").fetchone()[0]
        check.need(counted > 30, f"{counted} counted")
    with step("search results have none of them, however they are asked for"):
        for query in (MARK, "echo", "redacted", "export", "password", "Authorization", "https", *everything):
            for more in ({}, {"syntax": "phrase"}, {"context": 5, "limit": 100}):
                said = json.dumps(served.call("search_history", query=query, **more))
                check.need(not found_in(said.replace(json.dumps(query)[1:-1], "") if query in everything else said,
                                        everything), f"{query}: {found_in(said, everything)}")
    with step("resources and notifications have none of the known kinds"):
        known = [SERVER, *SHAPES.values(), PEM_BODY, EXPORTED, HIDDEN]
        listed = [one["uri"] for one in served.ask("resources/list")["result"]["resources"]]
        check.need(len(listed) > 5, listed)
        for uri in listed + uris:
            answer = served.ask("resources/read", uri=uri)
            if not uri.endswith("/recording"):
                check.need(not found_in(json.dumps(answer), known), f"{uri}: {found_in(json.dumps(answer), known)}")
        check.need(not found_in(json.dumps(served.notes), everything), "notifications")
    with step("of the files only the spool and the recording have what was printed; commands' files are gone"):
        for path, data in served.files():
            kept = "/spool/" in path or "/recordings/" in path
            found = found_in(data.decode("utf-8", "replace"), everything)
            check.need(kept or not found, f"{path}: {found}")
            check.need(HIDDEN.encode() not in data, path)
        run = os.path.join(served.state, "tenon/terminal/run", session)
        check.need(not texts_in(run), f"run/ has {texts_in(run)}")
    with step("with the session its spool goes; its server's errors say nothing"):
        served.run(f"sleep 30; : {ARGUMENT}", session_id=session, yield_ms=100)
        served.ends(session)
        check.need(not found_in(served.said(), everything), served.said()[-300:])
        check.need(not os.path.exists(run) or not texts_in(run), f"run/ has {texts_in(run)}")


def main():
    settings = {"terminal": {"redact": {"patterns": ["PLUM-[a-z0-9-]+"]}}}
    # Without rules: what is shown is what a command gets, and none is asked about.
    with kit.Served(settings=settings, policy={"terminal": {"rules": []}}, env={"OWN_SERVICE_TOKEN": SERVER}) as served:
        served.put("home/written-down", f"it is {SERVER}\n")
        session = served.new(record=True)
        uris = [f"terminal://session/{session}{end}" for end in ("", "/screen", "/screen.ansi", "/output", "/recording")]
        for uri in uris[:2] + ["terminal://sessions"]:
            served.ask("resources/subscribe", uri=uri)
        known_kinds(served, session)
        arguments(served, session)
        hidden(served, session)
        afterwards(served, session, uris + ["terminal://history?query=cnry&type=all&limit=50"])
        code, left = served.end()
        check.result(code == 0 and not left, SUITE, "the server ends in order", (code, left))
    return 1 if check.failures else 0


sys.exit(main())
