#!/usr/bin/env python3
"""truth.py [PART...] - what the terminal says when something is too large, damaged, killed or gone.

terminal.md 8, 9, 12.4, 13. Nothing is answered as if it were not there when it is only out of reach.
"""
import glob
import json
import os
import shutil
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import kit  # noqa: E402

SUITE = "terminal-truth"
SLOW = 4 if check.sanitized() else 1


def step(name):
    return check.Step(SUITE, name)


def recording_of(served, session):
    return glob.glob(f"{served.state}/tenon/terminal/recordings/{session}.cast")[0]


def put_behind(path, text):
    with open(path, "a", encoding="utf-8") as file:
        file.write(text)


def read_pieces(served, uri):
    text = b""
    while True:
        piece = served.ask("resources/read", uri=f"{uri}?from={len(text)}")["result"]["contents"][0]["text"].encode()
        if not piece:
            return text
        text += piece


def recordings():
    """8: a large recording is said to be large, and is there in pieces."""
    with step("a large recording: a true message, and all of it in pieces of whole lines"), kit.Served() as served:
        session = served.new(record=True)
        uri = f"terminal://session/{session}/recording"
        small = served.ask("resources/read", uri=uri)["result"]["contents"][0]["text"]
        check.need(small.startswith('{"version":2'), small[:200])
        served.run("yes | head -c 16000000", session_id=session, timeout_ms=0, yield_ms=55000)
        served.tool("wait_for", session_id=session, until="exit", timeout_ms=60000 * SLOW)
        error = served.ask("resources/read", uri=uri)["error"]
        check.need(error["code"] == -32602 and "?from=0" in error["message"], error)
        text, sizes = b"", []
        while True:
            answer = served.ask("resources/read", uri=f"{uri}?from={len(text)}")
            piece = answer["result"]["contents"][0]["text"].encode()
            if not piece:
                break
            check.need(piece.endswith(b"\n"), piece[-100:])
            sizes.append(len(piece))
            text += piece
        shown = "".join(event[2] for event in map(json.loads, text.splitlines()[1:]) if event[1] == "o")
        check.need(len(sizes) > 1 and shown.count("y\r\n") == 8000000, (sizes, shown.count("y\r\n")))
        for wrong in ("1", str(len(text) + 1), "x", "-1"):
            error = served.ask("resources/read", uri=f"{uri}?from={wrong}")["error"]
            check.need(error["code"] == -32602 and error["message"].startswith("from:"), error)
        served.ends(session)
        check.need("result" in served.ask("resources/read", uri=f"{uri}?from=0"), "after the end")
    with step("a line of a recording that is longer than a piece is no end of it"), kit.Served() as served:
        session = served.new(record=True)
        uri = f"terminal://session/{session}/recording"
        path = recording_of(served, session)
        before = os.path.getsize(path)
        last = '[9.000,"o","last"]\n'
        put_behind(path, json.dumps([8.0, "o", "x" * 1400000]) + "\n" + last)
        text = read_pieces(served, uri)
        check.need(len(text) == before + 1400000 + len('[8.0, "o", ""]\n') + len(last) and text.endswith(last.encode()),
                   (before, len(text), text[-100:]))
        put_behind(path, "y" * (3 << 20))
        error = served.ask("resources/read", uri=f"{uri}?from={len(text)}")["error"]
        check.need("no recording of ours" in error["message"], error)
    with step("a recording whose file has another name, too, is not read"), kit.Served() as served:
        session = served.new(record=True)
        path = recording_of(served, session)
        with open(served.put("diary", "my diary\n"), encoding="utf-8") as diary:
            os.unlink(path)
            os.link(diary.name, path)
        for query in ("", "?from=0"):
            answer = served.ask("resources/read", uri=f"terminal://session/{session}/recording{query}")
            check.need("another name" in answer["error"]["message"] and "diary" not in str(answer), answer)
    with step("a session is said to be recorded as long as it is"), kit.Served() as served:
        session = served.new(record=True)
        check.need(served.info(session)["recorded"], "it is")
        folder = os.path.dirname(recording_of(served, session))
        shutil.move(folder, folder + ".old")
        with open(folder, "w", encoding="utf-8"):
            other = served.tool("create_session", record=True)["session"]
        check.need(not other["recorded"] and not served.info(other["id"])["recorded"], other)
        check.need(served.info(session)["recorded"], "it is still")
        served.ends(session)
        check.need(served.info(session)["recorded"], "it was, to its end")


def spoil(path, begin, end):
    with open(path, "r+b") as file:
        file.seek(begin)
        file.write(b"\x55" * (end - begin))


def damaged(where):
    with kit.Served(hello=False) as served:
        served.begin()
        for number in range(40):
            served.run(f"echo before{number}; seq 1000")
        served.tool("search_history", query="before39")
        served.end()
        path = glob.glob(served.state + "/tenon/terminal/history.db")[0]
        check.need(not glob.glob(path + "-wal"), "it was closed in order")
        size = os.path.getsize(path)
        spoil(path, *((0, 200) if where == "beginning" else (20000, size - 8192)))
        served.begin()
        served.run("echo later")
        served.call("search_history", query="before7")  # who reads what is damaged finds it
        served.until(lambda: "was damaged" in served.said(), "the damage is found", 30 * SLOW)
        answer = served.call("search_history", query="before7")["result"]
        check.need("was damaged" in answer["structuredContent"].get("warning", ""), answer)
        check.need(".broken-" in answer["content"][0]["text"], answer)
        later = served.tool("search_history", query="later")
        check.need(later["total"] == 2 and "warning" in later, later)
        check.need(served.said().count("was damaged") == 1, f"said: {served.said()!r}")
        check.need(len(glob.glob(path + ".broken-*")) == 1, os.listdir(os.path.dirname(path)))


def history():
    """9: a damaged history is said to be, where it is searched and in the log."""
    for where in ("beginning", "middle"):
        with step(f"a history damaged in its {where}: one line in the log, a warning beside what is found"):
            damaged(where)


S = "S3cretWord-"
SECRETS = [f"echo {S}01 | docker login --username u --password-stdin reg.example",
           f"echo 'machine h.example login me password {S}02' > .netrc; cat .netrc",
           f"cat <<'X' > .netrc\nmachine a\n  login b\n  password {S}03\nX\ncat .netrc",
           f"printf 'db:\\n  password: {S}04\\n'", f"openssl rsa -passin pass:{S}05 -in key",
           f"htpasswd -b f u {S}06", f"echo user:{S}07 | chpasswd --help",
           f"printf 'machine h\\nlogin me\\npassword {S}08\\n'", f"echo 'password = {S}09' > my.cnf; cat my.cnf",
           f"docker login -u u --password-stdin <<< {S}10"]


def secrets():
    """9: what everybody types every day: no part of the history has it, and no search finds it."""
    with step("secrets through pipes, in .netrc, behind pass: and as plain words"), \
            kit.Served(policy={"terminal": {"rules": []}}) as served:
        for command in SECRETS:
            served.run(command)
        check.need(served.tool("search_history", query="redacted")["total"] >= len(SECRETS), "what is found")
        found = served.tool("search_history", query=S)
        check.need(found["total"] == 0, found)
        served.end()
        for name, content in served.files():
            check.need("history.db" not in name or S.encode() not in content, name)


def ended():
    """7.2: what has just ended is not said to run, though the shell may be on its way to its prompt."""
    with step("a command that has ended is told as ended, with its end"), kit.Served() as served:
        for number in range(40):
            done = served.run(f"(exit {number})")
            read = served.call("get_terminal_output", command_id=done["command_id"])["result"]
            data, text = read["structuredContent"], read["content"][-1]["text"]
            check.need((data["command_status"], data["exit_code"]) == ("completed", number), data)
            check.need(f"completed \u00b7 exit {number} " in text and "[running" not in text, text)
        going = served.run("sleep 60", yield_ms=200)
        data = served.tool("get_terminal_output", command_id=going["command_id"])
        check.need("command_status" not in data and data["running_command_id"] == going["command_id"], data)


def many_lines():
    """6.2: as many lines as the schema says, unless others are asked for; what is left out is said, and can be read."""
    with step("execute_command returns 100 lines of 3000, and says where the others are"), kit.Served() as served:
        cut = served.run("seq 3000")
        lines = [line for line in cut["output"].splitlines() if line.isdigit()]
        check.need(len(lines) == 100 and lines[0] == "1" and lines[-1] == "3000", lines)
        check.need(cut["truncated"] and cut["total_lines"] == 3000 and cut["next_cursor"] in cut["output"], cut)
        more = served.tool("get_terminal_output", command_id=cut["command_id"], cursor=cut["next_cursor"])["output"]
        check.need(more.splitlines()[0] == str(1 + next(i for i, line in enumerate(lines) if int(line) != i + 1)), more[:200])
        whole = served.run("seq 3000", lines=5000)
        check.need(len(whole["output"].splitlines()) == 3000 and not whole["truncated"], whole["total_lines"])
        few = served.run("seq 100")
        check.need(len(few["output"].splitlines()) == 100 and not few["truncated"], few)


def killed_and_begun(served, patience_s):
    os.kill(served.pid, signal.SIGKILL)
    served.link.process.wait()
    time.sleep(patience_s)
    served.begin()


def killed():
    """12.4: a server that keeps its sessions itself was killed: the next one knows what they were."""
    for patience_s in (0, 1.5):
        with step(f"a killed server, the next one after {patience_s} s: its sessions are lost, and said to be"), \
                kit.Served() as served:
            session = served.new(name="work", cwd="/usr")
            done = served.run("cd /tmp; echo was here", session_id=session)
            going = served.run("sleep 3608", session_id=session, yield_ms=0, timeout_ms=0)
            gone = served.new(name="gone before")
            served.ends(gone)
            killed_and_begun(served, patience_s)
            for tool, more in (("execute_command", {"command": "pwd"}), ("send_keys", {"text": "x"}),
                               ("switch_session", {}), ("check_command", {"command": "ls"})):
                error = served.refused("session_lost", tool, session_id=session, **more)
                check.need(all(part in error["message"] for part in ("work", "/tmp", "sleep 3608")), error)
                check.need("create_session" in error["hint"], error)
            check.need(served.info(session)["state"] == "lost", served.info(session))
            read = served.tool("get_terminal_output", command_id=done["command_id"])
            check.need((read["output"], read["exit_code"]) == ("was here\n", 0), read)
            read = served.tool("get_terminal_output", command_id=going["command_id"])
            check.need(read["command_status"] != "completed" and read.get("exit_code") is None, read)
            check.need(served.tool("list_sessions")["sessions"] == [], "none is open")
            check.need(served.run("pwd")["session_id"] != session, "what names no session gets a new one")
            killed_and_begun(served, patience_s)
            served.refused("session_lost", "execute_command", command="pwd", session_id=session)
            served.end()
            left = [name for name, _ in served.files() if "/spool/" in name or "/run/ses_" in name]
            check.need(not left, f"after an end in order: {left}")


PARTS = {"ended": ended, "lines": many_lines, "secrets": secrets, "recordings": recordings, "history": history,
         "killed": killed}

for part in sys.argv[1:] or PARTS:
    with step(part):
        PARTS[part]()
sys.exit(check.failures > 0)
