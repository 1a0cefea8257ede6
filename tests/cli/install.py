#!/usr/bin/env python3
"""install.py TENON - `tenon install` with a home of its own: every host's file when it is missing, when it has
other entries and comments, and when the entry is there; undone, refused, asked, and changed by others.

The files are tests/data/install/HOST.{before,after,new}; @TENON@ stands for the program's path.
`--write` makes .after and .new anew from what the program does: to be read before they are committed."""
import json
import os
import pty
import re
import select
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import tomllib

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
from check import Step, need  # noqa: E402
import check  # noqa: E402

TENON = os.path.realpath(sys.argv[1])
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "install")
PATHS = {
    "claude-desktop": ".config/Claude/claude_desktop_config.json",
    "claude-code": ".claude.json",
    "vscode": ".config/Code/User/mcp.json",
    "cursor": ".cursor/mcp.json",
    "cline": ".cline/data/settings/cline_mcp_settings.json",
    "codex": ".codex/config.toml",
    "gemini": ".gemini/settings.json",
    "opencode": ".config/opencode/opencode.json",
}
SUFFIX = ".tenon-backup"


class Home:
    """A user's folder, empty at first."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="tenon-install-")
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path)

    more = {}  # of the environment

    def environment(self):
        names = ("PATH", "TENON_HTTP_PORT", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")
        return {"HOME": self.path, **{n: os.environ[n] for n in names if n in os.environ}, **self.more}

    def run(self, *words, exit=0):
        done = subprocess.run([TENON, "install", *words], env=self.environment(), capture_output=True,
                              stdin=subprocess.DEVNULL, timeout=60)
        need(done.returncode == exit, f"{words}: exit {done.returncode}, not {exit}: "
             f"{done.stderr.decode()[:300]}")
        return done

    def file(self, host):
        return os.path.join(self.path, PATHS[host])

    def write(self, host, data, mode=0o640):
        path = self.file(host)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
        os.chmod(path, mode)
        return path

    def read(self, host, suffix=""):
        with open(self.file(host) + suffix, "rb") as file:
            return file.read()

    def has(self, host, suffix=""):
        return os.path.lexists(self.file(host) + suffix)

    def answer(self, words, reply, meanwhile=None, apps=b"\n"):
        """The same on a terminal, with one line typed when it asks whether, and one when it asks which apps."""
        pid, fd = pty.fork()
        if pid == 0:
            os.execve(TENON, [TENON, "install", *words], self.environment())
        seen = b""
        end = time.monotonic() + 60
        for question, line in ((b"[all]", apps), (b"[y/N]", reply)):
            while question not in seen and time.monotonic() < end:
                if select.select([fd], [], [], 1)[0]:
                    try:
                        seen += os.read(fd, 65536)
                    except OSError:
                        end = 0  # it has ended
            if line is reply and meanwhile:
                meanwhile()
            if end:
                os.write(fd, line)
        while True:
            try:
                more = os.read(fd, 65536)
            except OSError:
                break
            if not more:
                break
            seen += more
        _, status = os.waitpid(pid, 0)
        os.close(fd)
        return os.waitstatus_to_exitcode(status), seen


def golden(name):
    with open(os.path.join(DATA, name), "rb") as file:
        return file.read().replace(b"@TENON@", TENON.encode())


def same(got, wanted, what):
    need(got == wanted, f"{what}: {got!r} instead of {wanted!r}")


def write_goldens():
    for host in PATHS:
        with Home() as home:
            home.run(host, "--yes")
            new = home.read(host)
        with Home() as home:
            home.write(host, golden(host + ".before"))
            home.run(host, "--yes")
            after = home.read(host)
        for name, data in ((".new", new), (".after", after)):
            with open(os.path.join(DATA, host + name), "wb") as file:
                file.write(data.replace(TENON.encode(), b"@TENON@"))


def no_host():
    with Step("install", "options without a host: nothing happens, and it is said"), Home() as home:
        for option in ("--undo", "--print", "--yes", "--dry-run", "--app=plan"):
            done = home.run(option, exit=1)
            need(b"name a HOST" in done.stderr and not done.stdout, f"{option}: {done}")


def one_host(host):
    with Step("install", f"{host}: no file yet"), Home() as home:
        same(home.run(host, "--print").stdout, golden(host + ".new"), "--print")
        shown = home.run(host, "--dry-run").stdout
        need(b"+++ " in shown and not home.has(host), "--dry-run shows, and writes nothing")
        need(home.run(host, exit=1).stderr.count(b"--yes") == 1, "asks for --yes")
        need(not home.has(host), "nothing is written unasked")
        left = home.run(host, "--yes").stdout.rpartition(b": added ")[2]
        need(b"tenon install" not in left, f"what is left to do is not what was done: {left!r}")
        need(b"Does it work?" in left, f"what is left to do is said: {left!r}")
        same(home.read(host), golden(host + ".new"), "the file")
        same(stat.S_IMODE(os.stat(home.file(host)).st_mode), 0o600, "its mode")
        need(not home.has(host, SUFFIX), "there was nothing to back up")
        need(b"unchanged" in home.run(host).stdout, "the second time nothing changes")
        same(home.read(host), golden(host + ".new"), "the file after the second time")
        home.run(host, "--undo", "--yes")
        need(not home.has(host), "undone, the file is gone")
        need(b"unchanged" in home.run(host, "--remove").stdout, "there is nothing more to undo")
    with Step("install", f"{host}: other entries and comments"), Home() as home:
        home.write(host, golden(host + ".before"))
        home.run(host, "--yes")
        same(home.read(host), golden(host + ".after"), "the file")
        same(home.read(host, SUFFIX), golden(host + ".before"), "the backup")
        same(stat.S_IMODE(os.stat(home.file(host)).st_mode), 0o640, "its mode")
        same(stat.S_IMODE(os.stat(home.file(host) + SUFFIX).st_mode), 0o640, "the backup's mode")
        home.run(host, "--yes")
        same(home.read(host), golden(host + ".after"), "the file after the second time")
        home.run(host, "--undo", "--yes")
        same(home.read(host), golden(host + ".before"), "undone")
        need(not home.has(host, SUFFIX), "the backup is the file again")
    with Step("install", f"{host}: undone after somebody changed the rest"), Home() as home:
        home.write(host, golden(host + ".before"))
        home.run(host, "--yes")
        home.write(host, home.read(host).replace(b"kept", b"changed"))
        home.run(host, "--undo", "--yes")
        left = home.read(host)
        need(TENON.encode() not in left and b"changed" in left, "our entry is gone, the change is there")
        if host != "claude-code":  # where we had to make mcpServers, it stays, empty
            same(left, golden(host + ".before").replace(b"kept", b"changed"), "the rest")
        same(home.read(host, SUFFIX), golden(host + ".before"), "the backup is kept")
    with Step("install", f"{host}: an entry of an older place, with members of the user's"), Home() as home:
        old = golden(host + ".after").replace(TENON.encode(), b"/old/tenon")
        extra = b"enabled = false\n" if host == "codex" else None
        if extra:
            old = old.replace(b"[mcp_servers.tenon]\ncommand", b"[mcp_servers.tenon]\n" + extra + b"command")
        else:
            old = re.sub(rb'("command": ?"/old/tenon")', rb'\1, "cwd": "/mine"', old)
        home.write(host, old)
        home.run(host, "--yes")
        same(home.read(host), old.replace(b"/old/tenon", TENON.encode()), "only the path has changed")
        need(not home.has(host, SUFFIX), "this was not our first change: no backup")
    with Step("install", f"{host}: a broken file stays as it is"), Home() as home:
        broken = golden(host + ".before").rstrip() + b"\n]"
        home.write(host, broken)
        told = home.run(host, "--yes", exit=5).stderr.decode()
        need(re.search(r"line \d+: ", told), f"the line is told: {told}")
        line = home.run(host, "--yes", "--json", exit=5).stderr.decode()
        need(line.count("\n") == 1 and json.loads(line)["error"] == "INVALID", f"as one line: {line}")
        home.run(host, "--undo", "--yes", exit=5)
        same(home.read(host), broken, "the file")
        need(not home.has(host, SUFFIX), "no backup")


def no_secrets():
    with Step("install", "no token is written, ST-016"), Home() as home:
        home.run(*PATHS, "--yes")
        for host in PATHS:
            need(b"oken" not in home.read(host) and b"Bearer" not in home.read(host), host)


def links():
    with Step("install", "a link stays one"), Home() as home:
        target = os.path.join(home.path, "dotfiles.json")
        with open(target, "wb") as file:
            file.write(golden("cursor.before"))
        os.makedirs(os.path.dirname(home.file("cursor")))
        os.symlink(target, home.file("cursor"))
        home.run("cursor", "--yes")
        need(os.path.islink(home.file("cursor")), "the link")
        same(home.read("cursor"), golden("cursor.after"), "what it leads to")
        need(os.path.exists(target + SUFFIX), "the backup stands beside the file")
    with Step("install", "a link that leads nowhere"), Home() as home:
        os.makedirs(os.path.dirname(home.file("cursor")))
        os.symlink("/nonexistent/x", home.file("cursor"))
        home.run("cursor", "--yes", exit=5)


def asking():
    with Step("install", "asked on a terminal, and the answer is no"), Home() as home:
        home.write("cursor", golden("cursor.before"))
        code, seen = home.answer(["cursor"], b"n\n")
        need(code == 1 and b"@@" in seen and b"[y/N]" in seen, f"{code} {seen}")
        same(home.read("cursor"), golden("cursor.before"), "the file")
    with Step("install", "asked on a terminal, and the answer is yes"), Home() as home:
        home.write("cursor", golden("cursor.before"))
        code, _ = home.answer(["cursor"], b"y\n")
        same(code, 0, "exit")
        same(home.read("cursor"), golden("cursor.after"), "the file")
    with Step("install", "the file changes between question and answer"), Home() as home:
        home.write("cursor", golden("cursor.before"))
        code, seen = home.answer(["cursor"], b"y\n", lambda: home.write("cursor", b'{"new":1}'))
        need(code == 5 and b"meanwhile" in seen, f"{code} {seen}")
        same(home.read("cursor"), b'{"new":1}', "the file")


def which_apps():
    with Step("install", "which apps is asked, with what each costs a conversation"), Home() as home:
        code, seen = home.answer(["cursor"], b"y\n", apps=b" plan, terminal\n")
        same(code, 0, "exit")
        for app in ("all apps", "terminal", "plan", "studio", "floorplan", "workbench"):
            need(re.search(rb"%s +\d+ tools, about +\d+ tokens" % app.encode(), seen), f"{app}: {seen}")
        entries = json.loads(home.read("cursor"))["mcpServers"]
        same(sorted(entries), ["tenon-plan", "tenon-terminal"], "the entries")
    with Step("install", "an app that is not there is refused, and nothing is written"), Home() as home:
        code, seen = home.answer(["cursor"], b"y\n", apps=b"cad\n")
        need(code == 1 and b"there are: terminal" in seen and not home.has("cursor"), f"{code} {seen}")
    with Step("install", "who said --app is not asked, and nobody is where nobody can answer"), Home() as home:
        home.run("cursor", "--app", "plan", "--yes")
        same(sorted(json.loads(home.read("cursor"))["mcpServers"]), ["tenon-plan"], "the entries")
    with Step("install", "the list says what a conversation begins with"), Home() as home:
        need(b"all apps" in home.run().stdout, "no prices")


def surroundings():
    """HO-012: hosts that pass on a few variables only would start a daemon of their own."""
    with Step("install", "where the daemon is, where it is not where it would be looked for"), Home() as home:
        home.more = {"XDG_RUNTIME_DIR": home.path + "/run", "XDG_STATE_HOME": home.path + "/.local/state"}
        for host, place in (("claude-code", "env"), ("gemini", "env"), ("opencode", "environment")):
            home.run(host, "--yes")
            entry = next(iter(json.loads(home.read(host)).get("mcpServers", json.loads(home.read(host)).get("mcp")).values()))
            same(entry[place], {"XDG_RUNTIME_DIR": home.path + "/run"}, host)
            home.run(host, "--undo", "--yes")
            need(not home.has(host) or b"XDG" not in home.read(host), f"{host}: it is left behind")
        home.run("codex", "--yes")
        with open(home.file("codex"), "rb") as file:
            entry = tomllib.load(file)["mcp_servers"]["tenon"]
        same(entry["env"], {"XDG_RUNTIME_DIR": home.path + "/run"}, "codex")
        home.run("codex", "--undo", "--yes")
        need(not home.has("codex") or b"XDG" not in home.read("codex"), "codex: it is left behind")


def moved():
    """HO-012: what an earlier installation wrote of the surroundings goes when it says nothing any more; the user's stays."""
    there = {"XDG_RUNTIME_DIR": "/elsewhere/run"}
    for host, place in (("claude-code", "env"), ("gemini", "env"), ("opencode", "environment"), ("codex", "env")):
        with Step("install", f"{host}: surroundings that are as usual again are taken out"), Home() as home:
            home.run(host, "--yes")
            usual = home.read(host)
            home.more = there
            home.run(host, "--yes")
            need(b"/elsewhere/run" in home.read(host), home.read(host))
            home.more = {"XDG_RUNTIME_DIR": "/another/run"}
            home.run(host, "--yes")
            need(b"/another/run" in home.read(host) and b"elsewhere" not in home.read(host), home.read(host))
            home.more = {}
            home.run(host, "--yes")
            same(home.read(host), usual, "the file")
            home.run(host, "--yes")
            same(home.read(host), usual, "the file once more")
            home.run(host, "--undo", "--yes")
            need(not home.has(host), "undone")
        if host == "codex":
            continue
        with Step("install", f"{host}: variables of the user's stay"), Home() as home:
            home.run(host, "--yes")
            entries = json.loads(home.read(host))
            key = next(key for key in entries if "tenon" in entries[key])
            entries[key]["tenon"][place] = {"MINE": "1"}
            home.write(host, json.dumps(entries).encode())
            for more, wanted in ((there, there | {"MINE": "1"}), ({}, {"MINE": "1"})):
                home.more = more
                home.run(host, "--yes")
                same(json.loads(home.read(host))[key]["tenon"][place], wanted, "the variables")


URL = "http://127.0.0.1:18599/mcp"
HEADERS = {"Authorization": "Bearer ${TENON_TOKEN}"}
# What docs/connect.md gives for HTTP, and members that fit both ways.
OVER_HTTP = {
    "claude-desktop": ({"url": URL, "headers": HEADERS}, {"disabled": False}),
    "claude-code": ({"type": "http", "url": URL, "headers": HEADERS, "oauth": {"clientId": "x"}}, {"timeout": 5000}),
    "vscode": ({"type": "http", "url": URL, "headers": HEADERS}, {"gallery": True}),
    "cursor": ({"type": "http", "url": URL, "headers": HEADERS}, {"disabled": False}),
    "cline": ({"type": "streamableHttp", "url": URL, "headers": HEADERS}, {"timeout": 60, "autoApprove": ["get_diagram"]}),
    "gemini": ({"httpUrl": URL, "headers": HEADERS}, {"trust": True, "excludeTools": ["a", "b"], "timeout": 9}),
    "opencode": ({"type": "remote", "url": URL, "headers": HEADERS}, {"timeout": 9}),
}
CODEX_OVER_HTTP = f"""model = "x" # kept

[mcp_servers.tenon]
url = "{URL}"
bearer_token_env_var = "TENON_TOKEN"
tool_timeout_sec = 60
http_headers.X-One = "1"
disabled_tools = [
  "one", # kept
]

[mcp_servers.tenon.env_http_headers]
# gone
X-Two = "TWO"

[mcp_servers.tenon.tools.other]
approval_mode = "never"

[mcp_servers.other]
url = "http://127.0.0.1:1/x"
"""


def http_file(host):
    if host == "codex":
        return CODEX_OVER_HTTP.encode()
    key = {"vscode": "servers", "opencode": "mcp"}.get(host, "mcpServers")
    entry, neutral = OVER_HTTP[host]
    return json.dumps({"mine": 1, key: {"tenon": entry | neutral, "other": {"url": URL}}}, indent=4).encode()


def entries_of(host, data):
    if host == "codex":
        return tomllib.loads(data.decode())["mcp_servers"]
    return json.loads(data)[{"vscode": "servers", "opencode": "mcp"}.get(host, "mcpServers")]


def over_http():
    """HO-012: an entry over HTTP, as docs/connect.md gives it, becomes one that starts a program, and comes back."""
    for host in PATHS:
        with Step("install", f"{host}: over an entry over HTTP"), Home() as home:
            before = http_file(host)
            home.write(host, before)
            shown = home.run(host, "--dry-run").stdout
            need(re.search(rb"(?m)^-.*%s" % URL.encode(), shown), f"the preview shows what goes: {shown}")
            home.run(host, "--yes")
            wanted = entries_of(host, golden(host + ".new"))["tenon"]
            if host == "codex":
                wanted |= {"tool_timeout_sec": 60, "disabled_tools": ["one"], "tools": {"other": {"approval_mode": "never"}}}
            else:
                wanted |= OVER_HTTP[host][1]
            same(entries_of(host, home.read(host))["tenon"], wanted, "the entry")
            same(entries_of(host, home.read(host))["other"], entries_of(host, before)["other"], "another entry")
            same(home.read(host, SUFFIX), before, "the backup")
            need(b"unchanged" in home.run(host).stdout, "the second time nothing changes")
            home.run(host, "--fit", "text", "--yes")
            same(home.read(host, SUFFIX), before, "the backup after a later change")
            home.run(host, "--undo", "--yes")
            same(home.read(host), before, "undone, byte for byte")
            need(not home.has(host, SUFFIX), "the backup is the file again")
        with Step("install", f"{host}: an entry that is not ours is not taken away"), Home() as home:
            home.write(host, http_file(host))
            done = home.run(host, "--undo", "--yes")
            need(b'"tenon" stays' in done.stdout, done)
            same(json.loads(home.run(host, "--undo", "--yes", "--json").stdout)["hosts"][0]["kept"], ["tenon"], "kept")
            same(home.read(host), http_file(host), "the file")
        with Step("install", f"{host}: undone after a change, the entry over HTTP is there again"), Home() as home:
            home.write(host, http_file(host))
            home.run(host, "--yes")
            home.write(host, home.read(host).replace(b"other", b"changed"))
            need(b"is there again" in home.run(host, "--undo", "--yes").stdout, "it is said")
            left, old = entries_of(host, home.read(host)), entries_of(host, http_file(host))
            same(left["tenon"], old["tenon"], "the entry")
            same(left["changed"], old["other"], "the change")
    with Step("install", "what an earlier installation left beside an address is exchanged, too"), Home() as home:
        home.write("gemini", json.dumps({"mcpServers": {"tenon": {"httpUrl": URL, "command": TENON, "args": ["mcp"]}}}).encode())
        home.run("gemini", "--yes")
        same(entries_of("gemini", home.read("gemini"))["tenon"], {"command": TENON, "args": ["mcp"]}, "the entry")
        need(home.has("gemini", SUFFIX), "the backup")
    with Step("install", "a later entry of ours leaves the backup as it was"), Home() as home:
        home.write("cursor", golden("cursor.before"))
        home.run("cursor", "--yes")
        home.run("cursor", "--app", "plan", "--yes")
        same(home.read("cursor", SUFFIX), golden("cursor.before"), "the backup")
        home.run("cursor", "--undo", "--yes")
        same(home.read("cursor"), golden("cursor.before"), "undone")
    with Step("install", "codex: variables that stand in a table of their own"), Home() as home:
        home.more = {"XDG_RUNTIME_DIR": home.path + "/run"}
        home.write("codex", b'[mcp_servers.tenon]\ncommand = "/old/tenon"\nargs = ["mcp"]\n\n[mcp_servers.tenon.env]\nMINE = "1"\n')
        home.run("codex", "--yes")
        same(entries_of("codex", home.read("codex"))["tenon"], {
            "command": TENON, "args": ["mcp"], "env": {"MINE": "1", "XDG_RUNTIME_DIR": home.path + "/run"}}, "the entry")
        need(b"unchanged" in home.run("codex").stdout, "the second time nothing changes")
        home.run("codex", "--undo", "--yes")
        need(b"tenon" not in home.read("codex") if home.has("codex") else True, "undone")
    with Step("install", "the words name the port that a daemon would have"), Home() as home:
        home.more = {"TENON_HTTP_PORT": "18598"}
        shown = home.run("cursor", "--yes").stdout
        need(b"http://127.0.0.1:18598/health" in shown and b"7777" not in shown, shown)


def elsewhere():
    """HO-012: tenon doctor sees a host whose relay would come to another daemon."""
    def told(home):
        done = subprocess.run([TENON, "doctor", "--json"], env=home.environment(), stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=120, check=False)
        return [one for one in json.loads(done.stdout)["checks"] if one["name"] == "AI hosts" and "entry" in one["message"]]

    for host in ("claude-code", "codex", "opencode"):
        with Step("install", f"doctor: {host} talks to another daemon"), Home() as home:
            home.run(host, "--yes")
            same(told(home), [], "the same place")
            home.more = {"XDG_RUNTIME_DIR": home.path + "/run"}
            os.mkdir(home.path + "/run", 0o700)
            found = told(home)
            need(len(found) == 1 and host in found[0]["message"] and "not said" in found[0]["message"], found)
            home.run(host, "--yes")
            same(told(home), [], "installed from here")
            home.more = {}
            found = told(home)
            need(len(found) == 1 and home.path + "/run there" in found[0]["message"], found)
    with Step("install", "doctor: the program of an entry is gone"), Home() as home:
        home.run("cursor", "--yes")
        home.write("cursor", home.read("cursor").replace(TENON.encode(), b"/nowhere/tenon"))
        need("starts nothing: there is no program /nowhere/tenon" in told(home)[0]["message"], told(home))
        need("another daemon" not in told(home)[0]["message"], told(home))
    with Step("install", "doctor: an address is no other place for want of variables"), Home() as home:
        home.more = {"XDG_RUNTIME_DIR": home.path + "/run"}
        os.mkdir(home.path + "/run", 0o700)
        subprocess.run([TENON, "up"], env=home.environment(), check=True, capture_output=True, timeout=60)
        try:
            with open(home.path + "/run/tenon/tenond.json", "rb") as file:
                url = json.load(file)["url"].encode() + b"/mcp"
            for host in ("gemini", "claude-code", "codex"):
                home.write(host, http_file(host).replace(URL.encode(), url))
            same(told(home), [], "the daemon's address")
            home.write("gemini", http_file("gemini"))
            found = told(home)
            need(len(found) == 1 and URL + " there" in found[0]["message"], found)
        finally:
            subprocess.run([TENON, "down"], env=home.environment(), check=True, capture_output=True, timeout=60)


def fit():
    with Step("install", "which forms of results a host gets is said to the relay"), Home() as home:
        for host in PATHS:
            home.run(host, "--fit", "image-alone", "--yes")
            with open(home.file(host), encoding="utf-8") as file:
                words = re.sub(r"[\s\"',\[\]]+", " ", file.read())
            need(" mcp --fit image-alone " in words, f"{host}: {words}")
        home.run("gemini", "--app", "plan", "--fit=text", "--yes")
        with open(home.file("gemini"), encoding="utf-8") as file:
            need(json.load(file)["mcpServers"]["tenon-plan"]["args"] == ["mcp", "plan", "--fit", "text"], "with an app")
        home.run("claude-code", "--yes")
        with open(home.file("claude-code"), encoding="utf-8") as file:
            need(json.load(file)["mcpServers"]["tenon"]["args"] == ["mcp"], "installed again without it")
        need(b"both|text|structured|image-alone" in home.run("gemini", "--fit", "short", "--yes", exit=1).stderr, "unknown")
        home.run("--fit", "text", exit=1)
        home.run("codex", "--undo", "--yes")
        need(not home.has("codex"), "taken out with its flag")


def apps():
    with Step("install", "an entry for each app"), Home() as home:
        home.run("gemini", "--app", "plan", "--yes")
        servers = json.loads(home.read("gemini"))["mcpServers"]
        same(servers, {"tenon-plan": {"command": TENON, "args": ["mcp", "plan"]}}, "the entry")
        need(b'"cook"' in home.run("gemini", "--app", "cook", "--yes", exit=1).stderr, "unknown app")
        home.run("gemini", "--undo", "--yes")
        need(not home.has("gemini"), "undone without --app, too")
    with Step("install", "an entry written by hand stays"), Home() as home:
        text = b'{"mcpServers": {"tenon-plan": {"command": "tenon", "args": ["serve", "plan"]}}}'
        home.write("gemini", text)
        home.run("gemini", "--yes")
        home.run("gemini", "--undo", "--yes")
        same(home.read("gemini"), text, "the file")


def lists():
    with Step("install", "the list"), Home() as home:
        os.mkdir(os.path.join(home.path, ".gemini"))
        home.run("cursor", "--yes")
        home.write("codex", b"broken")
        hosts = {h["id"]: h for h in json.loads(home.run("--json").stdout)["hosts"]}
        same(sorted(hosts), sorted(PATHS), "the hosts")
        for host, path in PATHS.items():
            same(hosts[host]["path"], os.path.join(home.path, path), "path")
        need(hosts["cursor"]["installed"] and hosts["cursor"]["here"], "cursor has it")
        need(hosts["gemini"]["here"] and not hosts["gemini"]["installed"], "gemini is here")
        need(not hosts["vscode"]["here"], "VS Code is not")
        need("line 1" in hosts["codex"]["problem"], "codex's file is broken")
        text = home.run().stdout.decode()
        need(re.search(r"^cursor +Cursor +installed +/", text, re.M), text)
        need(re.search(r"^gemini +Gemini CLI +found +/", text, re.M), text)
    with Step("install", "a report for programs"), Home() as home:
        home.write("cursor", golden("cursor.before"))
        done = json.loads(home.run("cursor", "vscode", "--yes", "--json").stdout)["hosts"]
        same([h["action"] for h in done], ["added", "added"], "actions")
        same(done[0]["backup"], home.file("cursor") + SUFFIX, "backup")
        need(done[0]["written"] and done[0]["diff"].startswith("--- "), "written, with its diff")
        line = home.run("gemini", "--json", exit=1).stderr.decode()
        need(json.loads(line)["error"] == "USAGE", line)


def strangers():
    with Step("install", "a host that is not known, ST-017"), Home() as home:
        done = home.run("emacs", exit=1)
        same(json.loads(done.stdout)["mcpServers"]["tenon"]["args"], ["mcp"], "the snippet")
        need(b'did you mean "codex"' in home.run("codx", exit=1).stderr, "did you mean")
    with Step("install", "a profile of the user's"), Home() as home:
        folder = os.path.join(home.path, ".config/tenon/hosts.d")
        os.makedirs(folder)
        paths = ["{home}/.emacs.d/mcp.json"]
        with open(os.path.join(folder, "emacs.json"), "w", encoding="utf-8") as file:
            json.dump({"id": "emacs", "name": "Emacs", "format": "json", "key": ["a", "b"],
                       "paths": {"linux": paths, "macos": paths, "windows": paths},
                       "stdio": {"run": "{command}", "with": "{args}"}, "http": None,
                       "steps": ["Save all", "Run: tenon install emacs", "Restart"]}, file)
        left = home.run("emacs", "--yes").stdout.rpartition(b": added ")[2].splitlines()[1:]
        same(left, [b"  Save all", b"  Restart"], "the steps but the one that this is")
        with open(os.path.join(home.path, ".emacs.d/mcp.json"), encoding="utf-8") as file:
            same(json.load(file), {"a": {"b": {"tenon": {"run": TENON, "with": ["mcp"]}}}}, "the file")


def daemon():
    with Step("install", "a daemon writes the manifest at its first start, FR-34"), Home() as home:
        run = os.path.join(home.path, "run")
        os.mkdir(run, 0o700)
        env = {**home.environment(), "XDG_RUNTIME_DIR": run}
        subprocess.run([TENON, "up"], env=env, check=True, capture_output=True, timeout=60)
        try:
            with open(os.path.join(home.path, ".config/tenon/mcp.json"), encoding="utf-8") as file:
                servers = json.load(file)["mcpServers"]
            for entry in servers.values():
                need(os.access(entry["command"], os.X_OK), "FR-35: the command exists")
            need({"tenon", "tenon-plan"} <= set(servers), f"all, and one for each app: {servers}")
            read = subprocess.run([TENON, "read", "tenon://hosts"], env=env, check=True,
                                  capture_output=True, timeout=60)
            same(sorted(h["id"] for h in json.loads(read.stdout)["hosts"]), sorted(PATHS), "tenon://hosts")
            with open(os.path.join(run, "tenon/tenond.json"), encoding="utf-8") as file:
                found = json.load(file)
            shown = subprocess.run([TENON, "install", "cursor", "--yes"], env=env, check=True,
                                   capture_output=True, timeout=60).stdout.decode()
            need(found["url"] + "/health" in shown, "the steps name the daemon's own port")
            need(found["token"].encode() not in home.read("cursor"), "and no token")
        finally:
            subprocess.run([TENON, "down"], env=env, check=True, capture_output=True, timeout=60)


if "--write" in sys.argv:
    write_goldens()
    sys.exit(0)
for name in PATHS:
    one_host(name)
no_host()
no_secrets()
links()
asking()
which_apps()
surroundings()
moved()
over_http()
elsewhere()
apps()
fit()
lists()
strangers()
daemon()
sys.exit(1 if check.failures else 0)
