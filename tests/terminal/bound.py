#!/usr/bin/env python3
"""bound.py - what is judged and approved is what runs, where it runs (terminal.md 10.1, 10.2; hosts.md HO-012).

A table of every way in and every way of running something: rules, question, check_command and the runner agree
about the directory. Then nothing of what a person approved changes unasked: the script, the directory, the
program, the environment, the input; one after the other, at random, and in races.
"""
import ctypes
import os
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import threading
import time

import kit
import places
from places import Place, check, daemon, directory_in

SUITE = "terminal-bound"
ROUNDS = int(os.environ.get("TENON_ROUNDS", "60"))
RACES = int(os.environ.get("TENON_RACES", "40"))


def step(name):
    return check.Step(SUITE, name)


def write(path, text, mode=0o755):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)
    return path


# ---- the table ----

def policy_for(folder):
    """Deny by what is written there, and by where it runs; ask about rm."""
    return {"terminal": {"default": "allow", "rules": [
        {"id": "guarded", "action": "deny", "path_write": [folder + "/guarded*"]},
        {"id": "here", "action": "deny", "command": "touch", "cwd": [folder]},
        {"id": "ask", "action": "confirm", "command": "rm"}]}}


def first(client, expected, elsewhere, command):
    return client.run(command)


def isolated(client, expected, elsewhere, command):
    return client.run(command, isolated=True)


def new_session(client, expected, elsewhere, command):
    client.use("create_session")
    return client.run(command)


def new_session_cwd(client, expected, elsewhere, command):
    return client.run(command, session_id=client.use("create_session", cwd=elsewhere)["session"]["id"])


def cwd_given(client, expected, elsewhere, command):
    return client.run(command, cwd=elsewhere)


def isolated_cwd(client, expected, elsewhere, command):
    return client.run(command, isolated=True, cwd=elsewhere)


def busy(client, expected, elsewhere, command):
    session = client.use("create_session", cwd=elsewhere)["session"]["id"]
    client.run("sleep 60", session_id=session, yield_ms=0, timeout_ms=0)
    return client.run(command, session_id=session, if_busy="new_session")


def after_cd(client, expected, elsewhere, command):
    session = client.use("create_session")["session"]["id"]
    client.run(f"cd {elsewhere}", session_id=session)
    return client.run(command, session_id=session)


def shown(client, session, text, times=1):
    """What the session shows, once the text stands there so often: on a busy machine that takes its time."""
    deadline = time.monotonic() + places.PATIENCE_S
    while True:
        got = client.use("get_terminal_output", session_id=session)
        if got["output"].replace("\n", "").count(text) >= times or time.monotonic() > deadline:
            return got
        time.sleep(0.05)


def typed(client, expected, elsewhere, command):
    session = client.use("create_session", cwd=elsewhere)["session"]["id"]
    client.run("true", session_id=session)
    client.use("send_keys", session_id=session, text=command, enter=True)
    return shown(client, session, expected)


def typed_into_inner(client, expected, elsewhere, command):
    """A shell in the shell stands somewhere else than the session's own."""
    session = client.use("create_session")["session"]["id"]
    client.run("true", session_id=session)
    client.use("send_keys", session_id=session, text="PS1='inner> ' bash --norc", enter=True)
    shown(client, session, "inner> ", 2)
    client.use("send_keys", session_id=session, text=f"cd {elsewhere}", enter=True)
    shown(client, session, "inner> ", 3)
    client.use("send_keys", session_id=session, text=command, enter=True)
    return shown(client, session, expected)


def program(client, expected, elsewhere, command):
    answer = client.use("create_session", program=["/bin/sh", "-c", command])
    return shown(client, answer["session"]["id"], expected)


def program_cwd(client, expected, elsewhere, command):
    answer = client.use("create_session", program=["/bin/sh", "-c", command], cwd=elsewhere)
    return shown(client, answer["session"]["id"], expected)


# Name, how, and whether it runs `elsewhere`.
RUNS = (("first call", first, False), ("isolated", isolated, False), ("new session", new_session, False),
        ("program", program, False), ("new session with cwd", new_session_cwd, True), ("cwd", cwd_given, True),
        ("isolated with cwd", isolated_cwd, True), ("program with cwd", program_cwd, True),
        ("a session that is busy", busy, True), ("after cd", after_cd, True), ("typed", typed, True),
        ("typed into a shell in the shell", typed_into_inner, True))


def one_run(place, how, moved):
    own, elsewhere = place.folder("own"), place.folder("else where")
    link = os.path.join(place.root, "link")
    if not os.path.islink(link):
        os.symlink("else where", link)
    expected = elsewhere if moved else place.start_of(own)
    named = link if moved and " cd" not in how.__name__ else elsewhere
    place.write_policy(policy_for(expected))
    if place.way != "stdio":
        before = place.home.log().count("were read again")
        os.kill(place.home.discovery()["pid"], signal.SIGHUP)
        daemon.wait_until(lambda: place.home.log().count("were read again") > before, "the new policy")
    with place.client(own) as client:
        def attempt(command):
            try:
                return how(client, expected, named, command), None
            except places.Refused as refused:
                return refused.content, refused.code

        answer, code = attempt("echo x > guarded")
        check.need(code == "denied_by_policy" and not os.path.exists(expected + "/guarded"), f"by path: {code} {answer}")
    with place.client(own) as client:
        answer, code = attempt_of(client, how, expected, named, "touch touched")
        check.need(code == "denied_by_policy" and not os.path.exists(expected + "/touched"), f"by cwd: {code} {answer}")
    with place.client(own) as client:
        answer, code = attempt_of(client, how, expected, named, "rm -f nothing-here; pwd")
        check.need(code == "CONSENT_DECLINED" and len(client.asked) == 1, f"asked: {code} {client.asked} {answer}")
        check.need(directory_in(client.asked[0]) == expected, f"it says {client.asked[0]}, not {expected}")
    with place.client(own) as client:
        answer, code = attempt_of(client, how, expected, named, "pwd -P")
        check.need(code is None and expected in answer["output"].replace("\n", ""), f"runs in {answer}, not {expected}")
        checked = client.use("check_command", command="echo x > guarded", **({"cwd": named} if moved else {}))
        check.need(checked["decision"] == "deny", f"check_command: {checked['decision']}")


def attempt_of(client, how, expected, named, command):
    try:
        return how(client, expected, named, command), None
    except places.Refused as refused:
        return refused.content, refused.code


def table():
    for way in check.beside(places.WAYS):
        with step(f"each way to run, {way}"), Place(way, {"terminal": {"default": "allow"}}) as place:
            for name, how, moved in RUNS:
                with step(f"{way}, {name}: rules, question, check_command and the runner mean one directory"):
                    one_run(place, how, moved)


# ---- nothing changes unasked ----

ASK = {"terminal": {"default": "allow", "opaque": "confirm", "rules": [{"id": "ask", "action": "confirm", "command": "rm"}]}}


class Scene:
    """One act: a script in a folder reached by a link, a program of one's own, env and stdin. With any byte
    of it changed it is still one that has to be asked about."""

    def __init__(self, place, number):
        self.root = place.folder(f"scene-{number}")
        for name in ("da", "db"):
            os.mkdir(os.path.join(self.root, name))
            for victim in ("v1", "v2"):
                write(os.path.join(self.root, name, victim), "x")
        self.link = os.path.join(self.root, "cur")
        os.symlink("da", self.link)
        self.tool = write(os.path.join(self.root, "tool"), "#!/bin/sh\necho tool\n")
        self.script = write(os.path.join(self.root, "da", "x.sh"), "rm -f v1\nrm -f v2\n../tool\n")
        write(os.path.join(self.root, "db", "x.sh"), "rm -f v1\nrm -f v2\n../tool\n")
        self.first = os.path.join(self.root, "first")
        os.mkdir(self.first)
        self.arguments = {"command": "sh x.sh && ../tool", "cwd": self.link, "isolated": True,
                          "env": {"WHO": "a", "PATH": self.first + ":/usr/bin:/bin"}, "stdin": "some input\n"}

    def change(self, what, dice):
        """Any byte of any input."""
        def flipped(text):
            at = dice.randrange(len(text))
            other = dice.choice([c for c in "abcxyz019 ./-" if c != text[at]])
            return text[:at] + other + text[at + 1:]

        if what == "script":
            with open(self.script, encoding="utf-8") as file:
                text = file.read()
            if dice.random() < 0.5:
                write(self.script, flipped(text))
            else:
                os.replace(write(self.script + ".new", flipped(text)), self.script)
        elif what == "script gone":
            os.unlink(self.script)
        elif what == "program":
            with open(self.tool, encoding="utf-8") as file:
                text = file.read()
            os.replace(write(self.tool + ".new", flipped(text)), self.tool)
        elif what == "directory":
            os.unlink(self.link)
            os.symlink("db", self.link)
        elif what == "same name":
            os.rename(os.path.join(self.root, "da"), os.path.join(self.root, "dc"))
            os.rename(os.path.join(self.root, "db"), os.path.join(self.root, "da"))
            self.script = os.path.join(self.root, "da", "x.sh")
        elif what == "became a link":
            os.rename(os.path.join(self.root, "da"), os.path.join(self.root, "dc"))
            os.symlink("db", os.path.join(self.root, "da"))
        elif what == "found sooner":
            write(os.path.join(self.first, dice.choice(("sh", "rm"))), "#!/bin/bash\n/bin/rm -f v1 v2\n")
        elif what == "env":
            self.arguments["env"] = {**self.arguments["env"], "WHO": flipped(self.arguments["env"]["WHO"])}
        elif what == "stdin":
            self.arguments["stdin"] = flipped(self.arguments["stdin"])
        elif what == "command":
            self.arguments["command"] += dice.choice([" ", ";", "\n"])

    def victims(self):
        return sorted(f"{folder}/{name}" for folder in os.listdir(self.root)
                      if folder.startswith("d") and not os.path.islink(os.path.join(self.root, folder))
                      for name in os.listdir(os.path.join(self.root, folder)) if name.startswith("v"))


CHANGES = ("script", "script gone", "program", "found sooner", "directory", "same name", "became a link", "env", "stdin", "command")


def properties():
    dice = random.Random(15)
    with Place("relay", ASK) as place:
        with step("an approval that nothing was changed of is used, and once"):
            scene = Scene(place, "same")
            with place.client() as client:
                client.once()
                client.use("execute_command", **scene.arguments)
                check.need(scene.victims() == ["db/v1", "db/v2"], scene.victims())
                check.need(len(client.asked) == 1, client.asked)
                client.use("execute_command", **scene.arguments)
                check.need(len(client.asked) == 2, "asked again")
        with step(f"{ROUNDS} acts, each with another byte of another input while the question is open: none runs so"):
            for number in range(ROUNDS):
                while_open(place, number, dice)
        with step("the same after Allow this exact command in this session"):
            for number in range(ROUNDS // 3):
                after_lasting(place, f"l{number}", dice)


def while_open(place, number, dice):
    """It is changed after the question was shown, before it is answered."""
    scene = Scene(place, number)
    in_session = dice.random() < 0.5
    if in_session:
        del scene.arguments["isolated"], scene.arguments["stdin"]
    what = dice.choice([c for c in CHANGES if c not in ("env", "stdin", "command")])
    before = scene.victims()

    with place.client() as client:
        def decide(message):
            if len(client.asked) > 1:
                return "Refuse"
            scene.change(what, dice)
            return "Run once"

        client.decide = decide
        code = client.refused("execute_command", **scene.arguments)
        same = [v.replace("dc/", "da/") for v in scene.victims()] if what == "same name" else scene.victims()
        check.need(code in ("CONSENT_DECLINED", "changed") and len(same) == len(before),
                   f"{number}: {what} was changed (in a session: {in_session}): {code}, {scene.victims()}")
        check.need(code == "changed" or len(client.asked) == 2, f"{what}: asked {len(client.asked)} times")


def after_lasting(place, number, dice):
    scene = Scene(place, number)
    what = dice.choice([c for c in CHANGES if c != "script gone"])
    scene.arguments["command"] = "sh x.sh; ../tool"
    with place.client() as client:
        client.decide = lambda message: "Allow this exact command in this session"
        client.use("execute_command", **scene.arguments)
        client.use("execute_command", **scene.arguments)
        check.need(len(client.asked) == 1, f"it lasts: {len(client.asked)}")
        for name in ("da/v1", "da/v2"):
            write(os.path.join(scene.root, name), "x")
        before = scene.victims()
        scene.change(what, dice)
        client.decide = lambda message: "Refuse"
        code = client.refused("execute_command", **scene.arguments)
        check.need(code == "CONSENT_DECLINED" and len(scene.victims()) == len(before),
                   f"{number}: {what} was changed: {code}, {scene.victims()}")


# ---- what is held ----

# How a file is run; what the file is called, and what stands in it.
PRINTS = {"x": "#!/bin/sh\necho said-%s\n", "d/x": "#!/bin/sh\necho said-%s\n", "x.py": "print('said-%s')\n",
          "mod.py": "print('said-%s')\n", "pkg/__main__.py": "print('said-%s')\n", "x.js": "console.log('said-%s')\n",
          "x.awk": "BEGIN { print \"said-%s\" }\n", "Makefile": "all:\n\t@echo said-%s\n",
          "package.json": '{"name": "p", "version": "1.0.0", "scripts": {"y": "echo said-%s"}}\n'}
SHAPES = (("sh x", "x"), (". ./x", "x"), ("bash -c 'source ./x'", "x"), ("bash -e x", "x"), ("bash < x", "x"), ("./x", "x"),
          ("python3 x.py", "x.py"), ("python3 -u x.py a", "x.py"), ("python3 -m mod", "mod.py"),
          ("python3 -m pkg", "pkg/__main__.py"), ("python3 < x.py", "x.py"), ("node x.js", "x.js"), ("make", "Makefile"),
          ("make -s -f Makefile all", "Makefile"), ("npm run y", "package.json"), ("env A=b ./x", "x"),
          ("echo 1 | xargs ./x", "x"), ("find . -maxdepth 1 -name x -exec ./x {} \\;", "x"), ("(nohup ./x & wait) 2>&1", "x"),
          ("timeout 5 ./x", "x"), ("cd d && ./x", "d/x"), ("(cd d; sh x)", "d/x"), ("sh <<'E'\n./x\nE", "x"),
          ("echo $(./x)", "x"), ("cat x | sh", "x"), ("sh -c ./x", "x"), ("awk -f x.awk /dev/null", "x.awk"),
          ("for i in 1; do ./x; done", "x"), ("./d/../x", "x"), ("setsid -w ./x", "x"), ("trap ./x EXIT", "x"))


def fill(root, word):
    for name, text in PRINTS.items():
        os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
        os.replace(write(os.path.join(root, name + ".new"), text % word), os.path.join(root, name))


def in_question(question, kind):
    return re.findall(rf"^{kind} (.*)$", question, re.M)


def shapes():
    """Approved, and exchanged while it runs, but before it comes to the file: what was approved is what runs."""
    with Place("relay", ASK) as place:
        root = place.folder("shapes")
        with place.client() as client:
            client.once()
            for shape, name in SHAPES:
                if not shutil.which(shape.split()[0]) and shape.split()[0] in ("node", "npm", "make", "awk"):
                    continue
                with step(f"`{shape}`: the file is shown, and held while it runs"):
                    fill(root, "before")
                    output = while_it_runs(client, root, shape, lambda: fill(root, "after"))
                    shown = " ".join(in_question(client.asked[0], "script"))
                    check.need(os.path.normpath(os.path.join(root, name)) in os.path.normpath(shown.split(",")[0]) or
                               f"/{name}, " in shown, f"not shown: {client.asked[0]}")
                    output += open(os.path.join(root, "nohup.out")).read() if "nohup" in shape else ""
                    check.need("said-before" in output and "said-after" not in output, output)


def while_it_runs(client, root, shape, change, **more):
    """What a run has printed that was approved, and had `change` happen before it came to `shape`."""
    client.asked.clear()
    for mark in ("begun", "go"):
        if os.path.exists(os.path.join(root, mark)):
            os.unlink(os.path.join(root, mark))
    answer = client.run(f"rm -f nothing; touch begun; until [ -e go ]; do sleep 0.02; done\n{shape}",
                        isolated=True, cwd=root, yield_ms=0, timeout_ms=20000, **more)
    for _ in range(500):
        if os.path.exists(os.path.join(root, "begun")):
            break
        time.sleep(0.02)
    change()
    write(os.path.join(root, "go"), "")
    client.use("wait_for", command_id=answer["command_id"], until="exit", timeout_ms=10000)
    return client.use("get_terminal_output", command_id=answer["command_id"])["output"]


def exchanged():
    """Not the file is exchanged, but the folder that it lies in, or what kind of file it is."""
    def another_folder(root, link):
        os.rename(os.path.join(root, "d"), os.path.join(root, "d0"))
        write(os.path.join(root, "e/x"), PRINTS["x"] % "after")
        if link:
            os.symlink("e", os.path.join(root, "d"))
        else:
            os.rename(os.path.join(root, "e"), os.path.join(root, "d"))

    def another_kind(root, text):
        os.replace(write(os.path.join(root, "tool.new"), text), os.path.join(root, "tool"))

    with Place("relay", ASK) as place:
        for number, shape in enumerate(("cd d && ./x", "(cd d; sh x)", "cd d && exec ./x", "cd ./d/. && sh ./x", "sh d/x", "./d/x")):
            for link in (True, False):
                with place.client() as client, step(f"`{shape}`: d is {'a link' if link else 'another folder'} by then"):
                    client.once()
                    root = place.folder(f"exchanged{number}{link}")
                    os.makedirs(os.path.join(root, "e"))
                    fill(root, "before")
                    output = while_it_runs(client, root, shape, lambda: another_folder(root, link))
                    check.need("said-after" not in output, output)
        with place.client() as client, step("a program that the call's own PATH has"):
            client.once()
            root = place.folder("path")
            write(os.path.join(root, "tool"), PRINTS["x"] % "before")
            output = while_it_runs(client, root, "tool", lambda: another_kind(root, PRINTS["x"] % "after"),
                                   env={"PATH": root + ":" + os.environ["PATH"]})
            check.need("said-before" in output and "said-after" not in output, output)
        for where in ("empty", "not there", "no program", "relative"):
            for shape in ("tool", "sh -c tool", "dash -c tool", "env tool", "echo | xargs tool", "find . -maxdepth 0 -exec tool \\;"):
                with place.client() as client, step(f"`{shape}` is found in PATH, sooner by then: {where}"):
                    client.once()
                    root = place.folder("sooner")
                    first = os.path.join(root, "first")
                    shutil.rmtree(first, ignore_errors=True)
                    os.makedirs(root + "/second", exist_ok=True)
                    write(os.path.join(root, "second/tool"), PRINTS["x"] % "before")
                    if where != "not there":
                        os.mkdir(first)
                    if where == "no program":
                        write(os.path.join(first, "tool"), "nothing", 0o644)

                    def plant():
                        os.makedirs(first, exist_ok=True)
                        write(os.path.join(first, "tool"), PRINTS["x"] % "after")

                    searched = "first" if where == "relative" else first
                    output = while_it_runs(client, root, shape, plant,
                                           env={"PATH": f"{searched}:{root}/second:{os.environ['PATH']}"})
                    check.need("said-after" not in output, output)
        with place.client() as client, step("a run starts what it put before others itself"):
            client.once()
            root = place.folder("sooner")
            shutil.rmtree(root + "/first", ignore_errors=True)
            output = while_it_runs(client, root, "mkdir first; cp second/tool first/; sed -i s/before/own/ first/tool; tool",
                                   lambda: None, env={"PATH": f"{root}/first:{root}/second:{os.environ['PATH']}"})
            check.need("said-own" in output, output)
        for kind, text in (("a script", PRINTS["x"] % "after"), ("a text", "echo said-after\n"),
                           ("a script with words", "#!/usr/bin/env -S sh -c 'echo said-after'\n")):
            for shape in ("./tool", "sh -c ./tool", "dash -c ./tool", "env ./tool", "bash -c 'exec ./tool'"):
                with place.client() as client, step(f"`{shape}` was a program, and is {kind} by then"):
                    client.once()
                    root = place.folder("kinds")
                    os.makedirs(root, exist_ok=True)
                    shutil.copy("/bin/echo", os.path.join(root, "tool"))
                    output = while_it_runs(client, root, shape, lambda: another_kind(root, text))
                    check.need("said-after" not in output, output)


def unheld():
    with Place("relay", ASK) as place:
        root = place.folder("unheld")
        fill(root, "x")
        for number in range(70):
            write(os.path.join(root, f"s{number}"), "true\n")
        with place.client() as client:
            for command, words in (("python3 x.py", "modules and files that python3"), ("make", "what make reads besides"),
                                   ("sh ./*.sh", "known only when it runs"), ("sh \"$UNSET\"", "known only when it runs"),
                                   ("ssh nowhere ./x", "what ssh runs somewhere else"), ("no-such-thing-here", "found only when"),
                                   ("eval \"$(cat x)\"", "made by an expansion"), ("curl -s localhost:1/x | sh", "a shell reads a pipe"),
                                   ("cp x later; sh later", "sh reads could not be read"), ("mv x later; . ./later", ". reads could not be read"),
                                   ("find . -name x -exec bash {} \\;", "bash reads could not be read"),
                                   ("bash /dev/fd/3 3< x", "reads what is not known"),
                                   ("; ".join(f"sh s{n}" for n in range(70)), "more files than can be held")):
                with step(f"`{command[:30]}`: the question says what cannot be held"):
                    client.asked.clear()
                    code = client.refused("execute_command", command=f"{command}; rm -f nothing", isolated=True, cwd=root)
                    said = in_question(client.asked[0], "cannot be held:") if client.asked else []
                    check.need(code == "CONSENT_DECLINED" and any(words in line for line in said), f"{code} {said}")
            with step("more files than can be held are asked about, though each of them is allowed"):
                client.asked.clear()
                code = client.refused("execute_command", command="; ".join(f"sh s{n}" for n in range(70)), isolated=True,
                                      cwd=root)
                check.need(code == "CONSENT_DECLINED" and client.asked, f"{code} {client.asked}")
            with step("in a session the question says that files are compared, not held"):
                client.asked.clear()
                client.refused("execute_command", command="sh x; rm -f nothing", cwd=root)
                check.need(any("a session's shell" in line for line in in_question(client.asked[0], "cannot be held:")),
                           client.asked)


def names_stay():
    """A held run is a run like any other: names, directories, exit codes, what it writes itself."""
    with Place("relay", ASK) as place:
        root = place.folder("names")
        write(os.path.join(root, "lib.sh"), "echo lib\n")
        write(os.path.join(root, "x.sh"), '#!/bin/bash\necho "$0 $BASH_SOURCE $#"; . "$(dirname "$0")/lib.sh"; exit 7\n')
        write(os.path.join(root, "gen.sh"), "echo old\n")
        write(os.path.join(root, "tool"), "#!/bin/sh\necho tool\n")
        write(os.path.join(root, "threads.py"), "import subprocess, threading\ndef run():\n    for _ in range(10):\n"
              "        subprocess.run(['./tool'])\nfor _ in range(8):\n    threading.Thread(target=run).start()\n")
        write(os.path.join(root, "taken.py"), "import os, threading, time\n"
              "threading.Thread(target=lambda: os.execv('./tool', ['./tool'])).start()\ntime.sleep(5)\n")
        write(os.path.join(root, "x.py"), "import sys, os; print(__file__, sys.path[0])\n")
        with place.client() as client:
            client.once()
            for command, wanted, code in (
                    ("./x.sh a b", "./x.sh ./x.sh 2\nlib\n", 7), ("bash x.sh", "x.sh x.sh 0\nlib\n", 7),
                    ("python3 x.py", f"{root}/x.py {root}\n", 0), ("sh gen.sh; cp gen.sh c.sh && cat c.sh", "old\necho old\n", 0),
                    ("sh gen.sh; echo 'echo new' > gen.sh; sh gen.sh", "old\nnew\n", 0),
                    ("sh gen.sh; sed -i s/new/newer/ gen.sh; sh gen.sh", "new\nnewer\n", 0),
                    ("sh gen.sh; mv lib.sh gen.sh; sh gen.sh", "newer\nlib\n", 0),
                    ("ls made 2>&1 | wc -l; mkdir made.new; echo 'echo made' > made.new/y; mv made.new made; sh made/y", "1\nmade\n", 0),
                    ("for i in $(seq 200); do ./tool & done | sort | uniq -c | tr -s ' '; wait", " 200 tool\n", 0),
                    ("python3 threads.py | sort | uniq -c | tr -s ' '", " 80 tool\n", 0),
                    ("python3 taken.py; ./tool", "tool\ntool\n", 0),
                    ("./none 2>/dev/null; ./lib.sh 2>/dev/null; ./tool; exec ./tool", "tool\ntool\n", 0),
                    ("sh gen.sh; kill -TERM $$", "lib\n", None)):
                with step(f"held and yet the same: {command[:40]}"):
                    answer = client.run(f"rm -f nothing; {command}", isolated=True, cwd=root)
                    check.need(answer["output"] == wanted and answer["exit_code"] == code, answer)


def contained():
    """In a container that lets nobody take another process's descriptors (pidfd_getfd): a child of ours."""
    done = subprocess.run([sys.executable, os.path.abspath(__file__), "inside"], timeout=100, check=False)
    check.result(done.returncode == 0, "terminal-bound", "held where pidfd_getfd is not allowed")


def inside():
    class Program(ctypes.Structure):
        _fields_ = [("size", ctypes.c_ushort), ("rules", ctypes.c_char_p)]
    # Load the call's number; is it 438 (pidfd_getfd, on every machine): EPERM; all else is allowed.
    rules = b"".join(struct.pack("=HBBI", *rule) for rule in (
        (0x20, 0, 0, 0), (0x15, 0, 1, 438), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7fff0000)))
    library = ctypes.CDLL(None, use_errno=True)
    check.need(library.prctl(38, 1, 0, 0, 0) == 0, "no_new_privs")
    check.need(library.prctl(22, 2, ctypes.byref(Program(4, rules))) == 0, "the filter")
    check.need(library.syscall(438, 0, 0, 0) == -1 and ctypes.get_errno() == 1, "a control: it is refused")
    with Place("relay", ASK) as place, place.client() as client:
        root = place.folder("contained")
        fill(root, "x")
        client.once()
        answer = client.run("rm -f nothing; ./x; sh x", isolated=True, cwd=root)
        check.need(answer["output"] == "said-x\nsaid-x\n" and answer["exit_code"] == 0, answer)


# ---- typed behind another program ----

RM = "rm -f victim"
ENTER = {"key": "Enter"}
# What is in front, and the calls of send_keys that try to get a line to the shell behind it.
SMUGGLED = (
    ("sleep 1", [{"text": RM, "enter": True}]),
    ("sleep 1", [{"text": RM}, {"wait_s": 1.3}, {"keys": ["Enter"]}]),
    ("sleep 1", [{"text": RM}, {"wait_s": 1.3}, {"keys": ["C-o"]}]),
    ("sleep 1", [{"text": "true\n" + RM}, {"wait_s": 1.3}, {"keys": ["Enter"]}]),
    ("sleep 1", [{"text": "eval \"$(printf 'rm -f vic'; echo tim)\"", "enter": True}]),
    ("sleep 60", [{"sequence": [{"key": "C-c"}, {"wait_ms": 300}, {"text": RM}, ENTER]}]),
    ("sleep 60", [{"sequence": [{"key": "C-c"}, {"wait_ms": 300}, {"text": RM}, {"wait_ms": 100}, ENTER]}]),
    ("sleep 60", [{"sequence": [{"key": "C-z"}, {"wait_ms": 300}, {"text": RM}, ENTER]}]),
    ("cat", [{"sequence": [{"key": "C-c"}, {"wait_ms": 300}, {"text": RM}, ENTER]}]),
    ("cat", [{"sequence": [{"key": "C-d"}, {"text": RM}, ENTER]}]),
    ("cat", [{"sequence": [{"text": "x\n"}, {"key": "C-d"}, {"wait_ms": 300}, {"text": RM + "\n"}]}]),
    ("cat", [{"text": "x\n\x04" + RM + "\n"}]),
    ("cat", [{"text": "\x03" + RM + "\n"}]),
    ("cat", [{"text": "\x1c" + RM + "\n"}]),
    ("head -n 1", [{"text": "x\n" + RM + "\n"}]),
    ("head -n 1", [{"text": "x\n" + RM}, {"wait_s": 0.3}, {"keys": ["Enter"]}]),
    ("sh -c 'read x'", [{"text": "x\n" + RM + "\n"}]),
    ("read x", [{"text": "x\n" + RM + "\n"}]),
    ("timeout 1 cat", [{"text": RM}, {"wait_s": 1.4}, {"keys": ["Enter"]}]),
    ("stty raw; sleep 1; stty sane", [{"text": RM + "\r"}]),
    ("stty -echo; sleep 1; stty sane", [{"text": RM + "\n"}]),
    ("python3 -q", [{"text": "exit()\n" + RM + "\n"}]),
    ("python3 -q", [{"sequence": [{"key": "C-d"}, {"wait_ms": 500}, {"text": RM}, ENTER]}]),
    ("python3 -q", [{"sequence": [{"text": "import os; os.system('bash')\n"}, {"wait_ms": 900}, {"text": RM + "\n"}]}]),
    ("python3 -q", [{"sequence": [{"text": "import os; os.system('dash')\n"}, {"wait_ms": 900}, {"text": RM}, ENTER]}]),
    ("dash", [{"text": "\x1b[200~\n" + RM + "\n"}]),
    ("dash", [{"text": RM + "\x04\x04"}]),
    ("dash", [{"text": RM + ";" + "\b" * (len(RM) + 1) + "true\r"}]),
    ("read x", [{"text": "\x1b[200~\n" + RM + "\n"}]),
    ("true", [{"text": "\x1b[200~"}, {"keys": ["C-c"]}, {"text": RM + "\n"}]),
    ("true", [{"text": "x\x03" + " " + RM + "\n", "paste": True}]),
    ("less -X file", [{"text": "q" + RM + "\n"}]),
    ("less -X file", [{"text": "q" + RM}, {"wait_s": 0.3}, {"keys": ["Enter"]}]),
    ("less -X file", [{"text": "qr"}, {"wait_s": 0.3}, {"text": RM[1:], "enter": True}]),
    ("vi -u NONE file", [{"text": ":q!\r" + RM + "\r"}]),
    ("vi -u NONE file", [{"text": "ZQ" + RM + "\r"}]),
    ("true", [{"text": "true\n" + RM}, {"wait_s": 0.4}, {"keys": ["Enter"]}]),
)


def in_front(client, session, command):
    """It is there, and has had the time to say that it reads."""
    client.use("send_keys", session_id=session, text=command, enter=True, wait_ms=500)
    if command.startswith("python3"):  # which takes long to come on a busy machine
        client.use("wait_for", session_id=session, until="screen", value=">>>", timeout_ms=20000)


def asks_about_rm():
    return Place("relay", {"terminal": {"default": "allow", "rules": [{"id": "ask", "action": "confirm", "command": "rm"}]}})


def smuggled():
    for share in check.beside([SMUGGLED[i::3] for i in range(3)]):
        with step("typed behind what is in front"):
            try_behind(share)
    typed_lines()


def try_behind(share):
    with asks_about_rm() as place:
        root = place.folder("typed")
        write(os.path.join(root, "file"), "one\n" * 200)
        with place.client() as client:
            for front, calls in share:
                if front.split()[0] in ("less", "vi", "python3") and not shutil.which(front.split()[0]):
                    continue
                with step(f"behind `{front}`: {str(calls)[:70]}"):
                    victim = write(os.path.join(root, "victim"), "x")
                    session = client.use("create_session", cwd=root)["session"]["id"]
                    client.run("true", session_id=session)
                    in_front(client, session, front)
                    said = []
                    for one in calls:
                        time.sleep(one.get("wait_s", 0))
                        if "wait_s" not in one:
                            said.append(client.refused("send_keys", session_id=session, wait_ms=600, **one))
                    time.sleep(1.2 if " 1" in front else 0.2)
                    check.need(os.path.exists(victim), f"it ran: {said} {client.asked}")
                    client.use("close_session", session_id=session, force=True)


def typed_lines():
    with asks_about_rm() as place:
        root = place.folder("typed")
        with place.client() as client:
            session = client.use("create_session", cwd=root)["session"]["id"]
            client.run("true", session_id=session)
            with step("lines for a program that reads them are typed whole, and nobody is asked about them"):
                in_front(client, session, "cat > got")
                lines = "".join(f"line {n}: rm -f victim; eval $(x\n" for n in range(50))
                client.use("send_keys", session_id=session, text=lines, wait_ms=200)
                client.use("send_keys", session_id=session, keys=["C-d"], wait_ms=300)
                check.need(open(os.path.join(root, "got"), encoding="utf-8").read() == lines, "not whole")
                check.need(not client.asked, client.asked)
            with step("and for an interpreter"):
                in_front(client, session, "python3 -q")
                client.use("send_keys", session_id=session, text="for x in range(3):\n    print('rm -f', x)\n\nprint(6 * 7)\n", wait_ms=600)
                answer = client.use("send_keys", session_id=session, text="exit()", enter=True, wait_ms=600)
                check.need(not client.asked, client.asked)
                answer = client.run("echo back", session_id=session)
                check.need(answer["output"] == "back\n", answer)
            with step("a harmless line behind C-c goes on in the same call"):
                in_front(client, session, "sleep 60")
                client.use("send_keys", session_id=session, wait_ms=500,
                           sequence=[{"key": "C-c"}, {"wait_ms": 300}, {"text": "echo he''re > there"}, ENTER])
                check.need(os.path.exists(os.path.join(root, "there")) and not client.asked, client.asked)


# ---- races ----

class Swapper(threading.Thread):
    """Exchanges two things under one name, as fast as it can."""

    def __init__(self, swap):
        super().__init__(daemon=True)
        self.swap, self.stop, self.count = swap, False, 0

    def run(self):
        while not self.stop:
            self.swap(self.count % 2)
            self.count += 1

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop = True
        self.join()


def is_safe(refused):
    """It changed before it could start, or with every question again."""
    return refused.code == "changed" or "rounds of questions" in str(refused)


def race(place, what, arguments, swap, victim, revive):
    """How many destructive runs nobody was asked about."""
    unasked = 0
    with place.client() as client, Swapper(swap):
        for _ in range(RACES):
            revive()
            client.asked.clear()
            try:
                client.use("execute_command", **arguments)
            except places.Refused as refused:
                check.need(refused.code in ("CONSENT_DECLINED", "changed", "cwd_not_found"), f"{refused}")
            unasked += not os.path.exists(victim) and not client.asked
    return unasked


def races():
    with Place("relay", ASK) as place:
        root = place.folder("race")
        victim, script = os.path.join(root, "victim"), os.path.join(root, "x.sh")
        write(os.path.join(root, "good"), "true\n")
        write(os.path.join(root, "bad"), "rm -f victim\n")

        def swap_script(side):
            with open(os.path.join(root, ("good", "bad")[side]), encoding="utf-8") as file:
                text = file.read()
            write(script + ".new", text)
            os.replace(script + ".new", script)

        def revive():
            write(victim, "x")

        swap_script(0)
        with step(f"isolated: a script that is exchanged all the time, {RACES} runs, none destroys unasked"):
            unasked = race(place, "script", {"command": "sh x.sh", "cwd": root, "isolated": True}, swap_script, victim,
                           revive)
            check.need(unasked == 0, f"{unasked} of {RACES}")
        for name, bad in (("another interpreter", "#!/usr/bin/env -S rm -f victim\n"),
                          ("an argument for the same interpreter", "#!/bin/sh -crm<victim;rm\tvictim\n"), ("a program", None)):
            with step(f"isolated: ./x.sh that becomes {name}, {RACES} approved runs, what was not shown does not run"):
                race_start(place, root, victim, bad)


def race_start(place, root, victim, bad):
    """The kernel itself opens what is started: it is looked at again before its first instruction."""
    script, wrong = os.path.join(root, "x.sh"), 0
    sides = [b"#!/bin/sh\ntrue good\n", bad.encode() if bad else open(os.path.realpath("/bin/rm"), "rb").read()]

    def swap(side):
        with open(script + ".new", "wb") as file:
            file.write(sides[side])
        os.chmod(script + ".new", 0o755)
        os.replace(script + ".new", script)

    swap(0)
    with place.client() as client, Swapper(swap):
        client.once()
        for _ in range(RACES):
            write(victim, "x")
            client.asked.clear()
            try:
                client.use("execute_command", command="./x.sh victim; rm -f nothing", cwd=root, isolated=True)
            except places.Refused as refused:
                check.need(is_safe(refused), f"{refused}")
            wrong += not os.path.exists(victim) and client.asked and all("true good" in question for question in client.asked)
    check.need(wrong == 0, f"{wrong} of {RACES}")


def directories():
    """A link to a folder is turned all the time: what is approved for one folder happens in that one."""
    with Place("relay", ASK) as place:
        root = place.folder("turn")
        for name in ("da", "db"):
            os.mkdir(os.path.join(root, name))
        link = os.path.join(root, "cur")

        def turn(side):
            os.symlink(("da", "db")[side], link + ".new")
            os.replace(link + ".new", link)

        turn(0)
        for mode in ({"isolated": True}, {}):
            wrong = 0
            with step(f"{RACES} approved runs in a folder whose name is turned all the time ({mode or 'a session'})"):
                with place.client() as client, Swapper(turn):
                    client.once()
                    for _ in range(RACES):
                        for name in ("da", "db"):
                            write(os.path.join(root, name, "f"), "x")
                        client.asked.clear()
                        try:
                            client.use("execute_command", command="rm -f f", cwd=link, **mode)
                        except places.Refused as refused:
                            check.need(is_safe(refused), f"{refused}")
                        approved = {os.path.basename(directory_in(question)) for question in client.asked}
                        gone = {name for name in ("da", "db") if not os.path.exists(os.path.join(root, name, "f"))}
                        wrong += not gone <= approved
                check.need(wrong == 0, f"{wrong} of {RACES} in another folder")


# ---- the command line ----

def command_line():
    with Place("relay", {"terminal": {"default": "allow"}}) as place:
        with step("`tenon call` without a session runs where the caller stands, whatever session is active"):
            demo, script = place.folder("demo"), place.folder("script")
            place.home.tenon("call", "terminal.create_session", "name=demo", f"cwd={demo}")
            for _ in range(2):
                # A shell that takes its time to go is not a session of anybody's.
                answer = places.call(place.home, script, "command=trap '' HUP TERM; pwd")
                check.need(answer["structuredContent"]["output"].strip() == script, answer)
            sessions = place.home.tenon("call", "terminal.list_sessions", "--json").stdout
            check.need(sessions.count('"state":"idle"') + sessions.count('"state": "idle"') == 1, sessions)


def nothing_stays(served):
    folder = f"/proc/{served.pid}/fd"
    script = write(os.path.join(served.home, "s.sh"), "echo from-script\n")
    with step("a hundred commands that read a script leave no descriptor behind"):
        session = served.new()
        served.tool("execute_command", session_id=session, command=f"sh {script}")
        before = len(os.listdir(folder))
        for _ in range(100):
            done = served.tool("execute_command", session_id=session, command=f"sh {script}")
            check.need("from-script" in done["output"], done)
        check.need(len(os.listdir(folder)) <= before + 5, f"{before}, then {len(os.listdir(folder))}")


def held():
    """What is held for a command is let go with it; what comes with a new session is judged like a command's."""
    with kit.Served(policy={"terminal": {"rules": [{"id": "no", "action": "deny", "command": "forbidden-word"}]}}) as served:
        if os.geteuid() == 0:
            nothing_stays(served)
        else:
            check.skipped(SUITE, "descriptors of a hundred commands", "of a server only root may count them")
        with step("the environment of a new session is judged: it can hold commands"):
            error = served.refused("denied_by_policy", "create_session", env={"PROMPT_COMMAND": "forbidden-word x"})
            check.need("no" in error["message"], error)
            made = served.tool("create_session", env={"GREETING": "hello"})
            done = served.tool("execute_command", session_id=made["session"]["id"], command="echo $GREETING")
            check.need("hello" in done["output"], done)
        served.end()


def main():
    parts = {"shapes": shapes, "exchanged": exchanged, "unheld": unheld, "names": names_stay, "smuggled": smuggled, "table": table, "properties": properties, "races": races, "directories": directories,
             "command_line": command_line, "held": held, "contained": contained}
    if sys.argv[1:] == ["inside"]:
        inside()
        return 0
    for name in check.beside(sys.argv[1:] or parts):
        with step(name):
            parts[name]()
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
