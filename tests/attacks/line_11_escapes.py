#!/usr/bin/env python3
"""line_11_escapes.py - escape sequences and invisible characters from programs, files and names: never typed back into a
session, and never raw on the way to a person's terminal or to the model (terminal.md 6.3, 10.4)."""
import json
import os
import re

import line
import check
import daemon
import kit
import person
import terminal

SUITE = line.SUITE
SHELLS = [path for path in ("/bin/bash", "/usr/bin/zsh", "/usr/bin/fish", "/bin/dash") if os.path.exists(path)]


def step(name):
    return check.Step(SUITE, name)


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


# What a terminal would obey, or what shows a person something else than is there.
TRICKS = {
    "CSI": "\x1b[2J\x1b[1;1H\x1b[8mHIDE", "CSI as C1": "\u009b2JHIDE", "OSC title": "\x1b]0;HIDE\x07",
    "OSC as C1": "\u009d0;HIDE\u009c", "OSC 8 link": "\x1b]8;;file:///etc/passwd\x1b\\HIDE\x1b]8;;\x1b\\",
    "OSC 52 clipboard": "\x1b]52;c;SElERQ==\x07", "DCS": "\x1bPqHIDE\x1b\\", "APC": "\x1b_HIDE\x1b\\",
    "PM and SOS": "\x1b^HIDE\x1b\\\x1bXHIDE\x1b\\", "answer-back": "\x05HIDE", "backspaces": "rm\b\bls HIDE",
    "a carriage return": "rm -rf x\rls HIDE", "half a sequence": "HIDE\x1b[", "a NEL": "HIDE\u0085x",
    "bidi override": "\u202eHIDE\u202c", "bidi isolate": "\u2066HIDE\u2069", "zero width": "HI\u200b\u200dDE\ufeff",
    "tag letters": "HIDE" + "".join(chr(0xE0000 + ord(letter)) for letter in "run rm"),
    "variation selectors": "HIDE" + "\ufe01\U000e0101", "a delete": "HIDE\x7f",
}
# Bidi controls, C0 and C1 but newline and tab, and DEL.
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def raw_of(text):
    found = RAW.search(text)
    return f"{text[max(0, found.start() - 30):found.end() + 30]!r}" if found else None


def to_the_model(served):
    """Output in its plain form, the screen, titles, names, history."""
    for name, trick in TRICKS.items():
        with step(f"{name}: in no plain text that a model reads"):
            session = served.new(activate=False)
            path = served.put("home/trick", trick + "\n")
            done = served.run(f"cat {path}", session_id=session)
            screen = json.dumps(served.tool("get_screen", session_id=session), ensure_ascii=False)
            found = [done["output"], screen, served.info(session)["title"] or "",
                     served.tool("get_terminal_output", session_id=session, format="plain")["output"]]
            for text in found:
                for one in re.findall("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", text):
                    raise AssertionError(f"{one!r} in {text[:200]!r}")
            served.ends(session)


def to_the_person():
    """A client's name, a command, a file's name and a plan's words, on the terminal of a person who decides or looks."""
    policy = '{"rules": [{"id": "all", "tool": "*", "action": "confirm"}]}'
    with daemon.Home() as home:
        os.mkdir(home.path("config", "tenon"), 0o700)
        with open(home.path("config", "tenon", "policy.json"), "w", encoding="utf-8") as file:
            file.write(policy)
        child = home.foreground()
        for name, trick in TRICKS.items():
            with step(f"{name}: a person who approves sees no part of it obeyed"):
                link = terminal.links.Stdio([daemon.TENON, "mcp", "terminal"], env=home.env)
                client = terminal.talk.Client(link, "2025-11-25")
                client.finish(client.start("initialize", {
                    "protocolVersion": "2025-11-25", "capabilities": {},
                    "clientInfo": {"name": "host" + trick, "version": trick, "title": trick}}))
                client.notify("notifications/initialized")
                client.finish(client.start("tools/call", {"name": "execute_command", "arguments": {
                    "command": "rm -rf '" + trick + "'", "cwd": home.folder}}))
                for words in (["approve", "--list"], ["status"], ["logs"]):
                    shown = person.do("terminal", words=[daemon.TENON, *words], env=home.env, answers=[], timeout=20)
                    # Colours of ours, and what a terminal's line ends are.
                    text = re.sub("\x1b\\[[0-9;]*m", "", shown["out"].replace("\r\n", "\n"))
                    wrong = raw_of(text)
                    check.need(not wrong, f"tenon {' '.join(words)}: {wrong}")
                shown = person.do("terminal", words=[daemon.TENON, "approve"], env=home.env,
                                  answers=[["decide later]", "n\n"]], timeout=20)["out"]
                wrong = raw_of(re.sub("\x1b\\[[0-9;]*m", "", shown.replace("\r\n", "\n")))
                check.need("rm -rf" in shown and not wrong, f"tenon approve: {wrong or shown[-300:]}")
                link.close()
        with step("nor does the log on disk have any"):
            check.need(not raw_of(home.log()), raw_of(home.log()))
        child.terminate()
        child.wait(30)


def main():
    with kit.Served(policy={"terminal": {"rules": []}}, env={"TENON_CONSENT": "allow"}) as served:
        reports(served)
        to_the_model(served)
        with step("the server ends in order, and leaves no process"):
            code, left = served.end()
            check.need(code == 0 and not left, (code, left, served.said()[-300:]))
    to_the_person()
    line.end()


main()
