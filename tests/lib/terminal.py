"""terminal.py - an assistant that uses the terminal's tools, for tests, over any link.

    with Served("--set", "max_sessions=200") as place:     # `tenon serve terminal`, on its own folders
        result = place.client.call("execute_command", command="true")
"""
import base64
import glob
import os
import shutil
import tempfile
import time

import daemon
import links
import talk

REVISION = "2025-11-25"
UNLIMITED = ("--set", "rate_per_minute=0")


class Fault(Exception):
    """A domain error: `code`, and the sentence with its way out."""

    def __init__(self, error):
        if isinstance(error, str):  # one of the machinery that all apps share
            error = {"code": error, "message": error}
        super().__init__(f"{error.get('code')}: {error.get('message')}")
        self.code, self.error = error.get("code"), error


def open_result(answer):
    """The structured content of a tool's answer."""
    if "result" not in answer:
        raise AssertionError(f"refused: {answer}")
    content = answer["result"].get("structuredContent", {})
    if answer["result"].get("isError"):
        raise Fault(content.get("error", {"message": answer["result"]["content"]}))
    return content


class Assistant(talk.Client):
    def __init__(self, link, timeout_s=60):
        super().__init__(link, REVISION, timeout_s)
        self.hello()

    def begin(self, tool, **arguments):
        """Starts a call; `end` waits for it."""
        return self.start("tools/call", {"name": tool, "arguments": arguments})

    def end(self, number):
        return open_result(self.finish(number))

    def use(self, tool, **arguments):
        return self.end(self.begin(tool, **arguments))

    def create(self, **arguments):
        return self.use("create_session", **arguments)["session"]["id"]

    def run(self, command, **arguments):
        return self.use("execute_command", command=command, **arguments)

    def code_of(self, tool, **arguments):
        """The error's code, or None when there is none."""
        try:
            self.use(tool, **arguments)
        except Fault as fault:
            return fault.code
        return None

    def states(self, **arguments):
        return {one["id"]: one["state"] for one in self.use("list_sessions", **arguments)["sessions"]}

    def all_output(self, page_bytes=1 << 20, **where):
        """The raw bytes from a cursor or of a command, page by page, and how many pages that took."""
        found, pages = [], 0
        while True:
            page = self.use("get_terminal_output", format="raw", max_bytes=page_bytes, **where)
            if page["gap_bytes"]:
                raise AssertionError(f"{page['gap_bytes']} bytes are missing")
            found.append(base64.b64decode(page["output"]))
            pages += 1
            where["cursor"] = page["next_cursor"]
            if not page["more"]:
                return b"".join(found), pages


class Served:
    """`tenon serve terminal` on standard input and output, with folders of its own."""

    def __init__(self, *words, timeout_s=60, env=None, command=()):
        self.folder = tempfile.mkdtemp(prefix="tenon-serve-")
        self.env = {name: value for name, value in os.environ.items()
                    if not name.startswith(("TENON_", "XDG_"))}
        self.env |= {"HOME": self.folder, "TENON_CONSENT": "allow", "PWD": self.folder}
        for name, folder in (("XDG_RUNTIME_DIR", "run"), ("XDG_CONFIG_HOME", "config"),
                             ("XDG_STATE_HOME", "state")):
            self.env[name] = os.path.join(self.folder, folder)
            os.mkdir(self.env[name], 0o700)
        self.env |= env or {}
        self.errors = open(os.path.join(self.folder, "errors"), "w+", encoding="utf-8")
        self.link = links.Stdio([*command, daemon.TENON, "serve", "terminal", *words], env=self.env,
                                errors=self.errors)
        self.client = Assistant(self.link, timeout_s)

    @property
    def pid(self):
        return self.link.process.pid

    def said(self):
        self.errors.seek(0)
        return self.errors.read()[-1000:]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.code = self.link.close(20)
        except (OSError, links.Lost):
            self.code = None
        self.errors.close()
        wait_gone(self.folder)
        shutil.rmtree(self.folder, ignore_errors=True)


# ---- processes ----


def children(pid):
    """Of all its threads."""
    found = []
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            with open(path, encoding="ascii") as file:
                found += [int(word) for word in file.read().split()]
        except (FileNotFoundError, ProcessLookupError):
            continue
    return found


def below(pid):
    """Everything that descends from it, as its parents know it now."""
    found, new = [], children(pid)
    while new:
        found += new
        new = [child for one in new for child in children(one)]
    return found


def read_bytes(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def marked(word):
    """Processes that have this word in their command line or environment, zombies left out."""
    mark = word.encode()
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid() and
            (mark in read_bytes(f"/proc/{name}/cmdline") or mark in read_bytes(f"/proc/{name}/environ")) and
            daemon.is_alive(int(name))]


def wait_gone(word, seconds=10):
    """Raises with what is left. How long it took."""
    begun = time.monotonic()
    while left := marked(word):
        if time.monotonic() - begun > seconds:
            raise AssertionError(f"left after {seconds} s: " + "; ".join(
                read_bytes(f"/proc/{pid}/cmdline").replace(b"\0", b" ").decode(errors="replace")[:80]
                for pid in left))
        time.sleep(0.05)
    return time.monotonic() - begun


def proportional_kib(pid):
    """Its share of what it has in memory."""
    for line in read_bytes(f"/proc/{pid}/smaps_rollup").decode().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    return 0
