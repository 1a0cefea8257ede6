#!/usr/bin/env python3
"""readme.py README.md - runs every line of README's sh blocks as it stands there, in order, and looks at what comes
of it. A line that nobody has thought about is a failure; so is one that README no longer has.

Each block begins in the folder of the clone, each line is one of bash's with nothing to type on, unless its entry says
"on a terminal". What README takes for granted is put there: the user's files, and two programs that a bare machine
lacks, each by a stand-in. For a machine that may be thrown away: it writes to the home folder and to /usr/local."""
import json
import os
import pty
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../lib"))
import check  # noqa: E402

SUITE = "readme"
CLONE = os.path.abspath(os.path.join(HERE, "../.."))
HOME = os.path.expanduser("~")
STAND_INS = os.path.join(HOME, "stand-ins")
PATIENCE_S = 120
INITIALIZE = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}})
NOT_RUN = {  # a line, and why it is not run here
    "make test": "it takes as long as all other tests together: make proof runs it on this machine",
}


def need_in(parts, text):
    for part in [parts] if isinstance(parts, str) else parts:
        check.need(part in text, f"{part!r} is not in {text[-1500:]!r}")


def wait_for(look, what, seconds=PATIENCE_S):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{what}: not within {seconds} s")


# ---- how a line is run ----

class Lines:
    """What is done with lines; `folder` is where the block has got to."""

    def __init__(self):
        self.folder = CLONE

    def run(self, line, text=None):
        done = subprocess.run(["bash", "-c", line], cwd=self.folder, capture_output=True, encoding="utf-8",
                              errors="replace", check=False, timeout=600, input=text,
                              **({} if text else {"stdin": subprocess.DEVNULL}))
        check.need(done.returncode == 0, f"exit {done.returncode}: {done.stderr[-600:]} {done.stdout[-300:]}")
        return done.stdout + done.stderr

    def on_terminal(self, line, *answers):
        """On a terminal of its own: after each text that is seen the keys are typed."""
        pid, fd = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execvp("bash", ["bash", "-c", line])
        seen, at, waiting = "", 0, list(answers)
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if select.select([fd], [], [], 0.2)[0]:
                try:
                    data = os.read(fd, 65536)
                except OSError:
                    break
                seen += data.decode("utf-8", "replace")
            if waiting and waiting[0][0] in seen[at:]:
                at = len(seen)
                os.write(fd, waiting.pop(0)[1])
        else:
            os.kill(pid, signal.SIGKILL)
        os.close(fd)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        check.need(code == 0 and not waiting, f"exit {code}, waiting for {waiting}: {seen[-800:]!r}")
        return seen

    def until(self, line, begun, act, wanted=None, text=None):
        """One that goes on until Ctrl-C: `act` is done when `begun` was printed, `wanted` is printed because of it."""
        process = subprocess.Popen(["bash", "-c", "exec " + line], cwd=self.folder, start_new_session=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        os.set_blocking(process.stdout.fileno(), False)
        seen = []

        def has(part):
            seen.append((process.stdout.read() or b"").decode("utf-8", "replace"))
            check.need(process.poll() is None or part in "".join(seen), f"it ended: {''.join(seen)[-800:]}")
            return part in "".join(seen)
        try:
            if text:
                process.stdin.write(text.encode())
                process.stdin.flush()
            wait_for(lambda: has(begun), f"{begun!r}")
            act("".join(seen))
            if wanted:
                wait_for(lambda: has(wanted), f"{wanted!r} in {''.join(seen)[-500:]!r}")
            os.killpg(process.pid, signal.SIGINT)
            code = process.wait(20)
            check.need(code in (0, 130, -signal.SIGINT), f"Ctrl-C: exit {code}")
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


# ---- what README takes for granted ----

def write(path, text, mode=0o644):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def prepare():
    """The user's files; a terraform that has a plan (tests/studio/fake_engine runs the rest), a claude that starts
    what it is told to remember."""
    sample = os.path.join(CLONE, "tests/data/plan-examples/02-mixed-replace.txt")
    shutil.copy(sample, os.path.join(CLONE, "plan.txt"))
    with open(os.path.join(CLONE, "examples/house.floorplan"), encoding="utf-8") as file:
        house = file.read()
    write(os.path.join(CLONE, "old.floorplan"), house)
    write(os.path.join(CLONE, "new.floorplan"), house.replace("size (5.6 x 5)", "size (6.6 x 5)"))
    os.makedirs(STAND_INS, exist_ok=True)
    write(os.path.join(STAND_INS, "terraform"),
          f'#!/bin/sh\n[ "$*" != "plan -no-color" ] || exec cat {sample}\n'
          f'exec python3 {CLONE}/tests/studio/fake_engine "$@"\n', 0o755)
    write(os.path.join(STAND_INS, "claude"),
          '#!/bin/sh\n[ "$1 $2 $3 $4" = "mcp add plan --" ] || exit 9\nshift 4\nexec "$@"\n', 0o755)
    os.environ["PATH"] += ":" + STAND_INS


# ---- what comes of each line ----

def starts(lines, line):
    need_in(["Summary: 7 changes", "9 rooms on 2 floors", "  Page     http://127.0.0.1:", "make stop ends it"],
            lines.run(line))


def installs(lines, line):
    text = lines.on_terminal(line, ("[all]", b"\n"), ("[y/N]", b"y\n"))
    need_in(["+++ ", "Does it work?"], text)
    check.need("tenon install" not in text.partition("added")[2], text)
    with open(os.path.join(HOME, ".claude.json"), encoding="utf-8") as file:
        entry = json.load(file)["mcpServers"]["tenon"]
    check.need(os.access(entry["command"], os.X_OK) and entry["args"] == ["mcp"], entry)


def is_installed(lines, line):
    lines.run(line)
    need_in("/usr/local/bin/tenon", lines.run("command -v tenon"))
    for path in ("man/man1/tenon.1", "bash-completion/completions/tenon", "zsh/site-functions/_tenon",
                 "fish/vendor_completions.d/tenon.fish"):
        check.need(os.path.getsize("/usr/local/share/" + path) > 500, path)
    need_in("complete -F _tenon tenon", lines.run("bash -n /usr/local/share/bash-completion/completions/tenon && "
                                                  "cat /usr/local/share/bash-completion/completions/tenon"))


def opens(lines, line):
    address = lines.run(line).strip()
    check.need(re.fullmatch(r"http://127\.0\.0\.1:\d+/#token=\w+", address), address)
    with urllib.request.urlopen(address.partition("#")[0], timeout=20) as answer:
        need_in("<!doctype html", answer.read().decode().lower())


def asks_doctor(lines, line):
    text = lines.run(line)
    need_in(["terraform_explain", '"pln_', "ok    daemon", "ok    programs", "ok    relay", "studio engine"], text)
    check.need(not re.search(r"^fail ", text, re.M), text)


def watches_plans(lines, line):
    def act(_seen):
        lines.run("tenon call plan.terraform_explain plan_text=@tests/data/plan-examples/01-small-create.txt "
                  "user_preference=count_only")
    lines.until(line, "watching 1 resource", act, " plan://plans: ")


def follows_logs(lines, line):
    lines.until(line, "person token", lambda _seen: None)


def attaches(lines, line):
    text = lines.on_terminal(line, ("git log", b"echo typed-$((40 + 2))\r"), ("typed-42", b"\x1d"))
    need_in(["demo", "typed-42"], text)


def draws(path, begins):
    def look(lines, line):
        lines.run(line)
        with open(os.path.join(lines.folder, path), "rb") as file:
            check.need(file.read(len(begins)) == begins, f"{path} is none")
    return look


def says(*parts):
    return lambda lines, line: need_in(parts, lines.run(line))


def watches_house(lines, line):
    path = os.path.join(lines.folder, "house.floorplan")
    picture = os.path.join(lines.folder, "house.png")
    os.remove(picture)

    def act(_seen):
        wait_for(lambda: os.path.exists(picture), "a picture")
        before = os.stat(picture).st_mtime_ns
        with open(path, "a", encoding="utf-8") as file:
            file.write("\n")
        wait_for(lambda: os.stat(picture).st_mtime_ns != before, "a new picture")
    lines.until(line, "house.floorplan", act)


def serves_editor(lines, line):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize",
                       "params": {"processId": None, "rootUri": None, "capabilities": {}}})
    lines.until(line, "capabilities", lambda _seen: None, text=f"Content-Length: {len(body)}\r\n\r\n{body}")


def is_added(lines, line):
    need_in("serverInfo", lines.run(line, text=INITIALIZE + "\n"))


def serves_http(lines, line):
    def act(seen):
        url = re.search(r"http://127\.0\.0\.1:8080/\S*", seen)[0]
        token = re.search(r"\b([A-Za-z0-9_-]{30,})\s*$", seen.strip(), re.M)[1]
        request = urllib.request.Request(url, INITIALIZE.encode(), {
            "Authorization": "Bearer " + token, "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            need_in("serverInfo", answer.read().decode())
    lines.until(line, "oken", act)


def serves_socket(lines, line):
    path = os.path.join(HOME, "plan.sock")

    def act(_seen):
        wait_for(lambda: os.path.exists(path), path)
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(20)
            client.connect(path)
            client.sendall((INITIALIZE + "\n").encode())
            need_in("serverInfo", client.recv(65536).decode())
    lines.until(line, "", act)


def enters(lines, line):
    lines.folder = os.path.join(lines.folder, line.split()[1])
    check.need(os.path.isdir(lines.folder), lines.folder)


ENTRIES = [
    ("make start", starts),
    ("make test", None),
    ("build/tenon install claude-code", installs),  # on a terminal: it asks
    ("build/tenon install", says("claude-code", "installed", "gemini")),
    ("make install", is_installed),
    ("tenon open", opens),
    ("tenon call plan.terraform_explain plan_text=@plan.txt user_preference=full_summary",
     says("Summary: 7 changes", "Removes and rebuilds")),
    ("tenon tools; tenon read plan://plans; tenon status; tenon doctor", asks_doctor),
    ("tenon watch plan://plans", watches_plans),
    ("tenon logs -f", follows_logs),
    ("tenon terminal run -- make help", says("this list", "print the page's URL")),
    ("tenon terminal sessions; tenon terminal attach demo", attaches),  # on a terminal: its keys go there
    ("tenon terminal history 'connection refused' --exit failed", says("nothing was found")),
    ("tenon terminal policy check 'rm -rf build'", says("confirm", "delete")),
    ("terraform plan -no-color | build/tenon plan explain", says("Summary: 7 changes")),
    ("build/tenon plan explain --full --format markdown plan.txt", says("#### Replaced (2)", "`aws_db_instance.ledger`")),
    ("build/tenon plan risk --format sarif plan.txt", says('"version":"2.1.0"', "aws_db_instance.ledger")),
    ("build/tenon plan --help", says("usage: tenon plan")),
    ("build/tenon up", says("tenond")),
    ("TENON=build/tenon examples/build_diagram.py examples/three-tier.json /tmp", says("14 operations", "a month")),
    ("tenon call studio.generate_hcl; tenon call studio.estimate_costs",
     says('resource "azurerm_mssql_server"', "Total:")),
    ("tenon call studio.export_diagram format=png path=shop.png", says("shop.png", "pixels")),
    ("tenon call studio.run_terraform command=plan", says("plan succeeded: 11 to add")),
    ("tenon studio types check examples/studio-types.json", says("3 types, 0 mistakes")),
    ("cp examples/house.floorplan .", lambda lines, line: lines.run(line)),
    ("tenon floorplan validate house.floorplan", lambda lines, line: lines.run(line)),
    ("tenon floorplan render house.floorplan -o house.png", draws("house.png", b"\x89PNG")),
    ("tenon floorplan diff old.floorplan new.floorplan -o what-changed.png", draws("what-changed.png", b"\x89PNG")),
    ("tenon floorplan fmt house.floorplan", lambda lines, line: lines.run(line)),
    ("tenon floorplan watch house.floorplan -o house.png", watches_house),
    ("tenon floorplan lsp", serves_editor),
    ('claude mcp add plan -- "$PWD/build/tenon" serve plan', is_added),
    ("build/tenon serve plan --http 127.0.0.1:8080", serves_http),
    ('build/tenon serve plan --unix "$HOME/plan.sock"', serves_socket),
    ("cd examples", enters),
    ("cc tiny-server.c $(pkg-config --cflags --libs tenon) -o tiny-server", lambda lines, line: lines.run(line)),
    ("cc tiny-client.c $(pkg-config --cflags --libs tenon) -o tiny-client", lambda lines, line: lines.run(line)),
    ("./tiny-client ./tiny-server -- greet '{\"name\":\"Ann\"}'", says("Ann")),
]


def lines_of(path):
    """(begins a block, line without its comment) of each sh block."""
    with open(path, encoding="utf-8") as file:
        blocks = re.findall(r"^```sh\n(.*?)^```$", file.read(), re.M | re.S)
    for block in blocks:
        for number, line in enumerate(block.splitlines()):
            yield number == 0, re.sub(r"\s+#\s.*$", "", line)


def main(path):
    # Whoever was started in the background passes an ignored Ctrl-C on, and endless lines are ended by it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    prepare()
    lines = Lines()
    found = list(lines_of(path))
    entries = dict(ENTRIES)
    with check.Step(SUITE, "every line is tried, and none that is not there"):
        check.need([line for _, line in found] == [line for line, _ in ENTRIES],
                   set(line for _, line in found) ^ set(entries) or "another order")
    for first, line in found:
        if first:
            lines.folder = CLONE
        if line in NOT_RUN:
            print(f"not run: {line}: {NOT_RUN[line]}")
        elif entries.get(line):
            began = time.monotonic()
            with check.Step(SUITE, line):
                entries[line](lines, line)
            print(f"{time.monotonic() - began:6.1f} s  {line}", flush=True)
    with check.Step(SUITE, "make stop"):
        need_in("stopped", lines.run("make stop 2>&1; build/tenon status && exit 1; echo stopped"))
        check.need(not os.path.exists(os.path.join(HOME, "plan.sock")), "serve left its socket")


main(sys.argv[1])
sys.exit(1 if check.failures else 0)
