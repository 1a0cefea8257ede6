"""daemon.py - a daemon of one's own, for tests: private folders, the real programs, and its end.

    with daemon.Home() as home:        # XDG folders below one temporary folder
        home.tenon("up")               # the real command line; raises unless it exits as expected
        home.discovery()["bridgePort"]
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

import person

BUILD = os.environ.get("TENON_BUILD", os.path.join(os.path.dirname(__file__), "../../build"))
TENON = os.path.abspath(os.path.join(BUILD, "tenon"))
TENOND = os.path.abspath(os.path.join(BUILD, "tenond"))
PATIENCE_S = 30


def wait_until(true, what, seconds=PATIENCE_S):
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.01)


def is_alive(pid):
    """Of a process that may be nobody's child: a zombie has ended, once its other threads have: they
    hold its locks and ports."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            ended = file.read().rpartition(")")[2].split()[0] in "ZX"
        return not ended or len(os.listdir(f"/proc/{pid}/task")) > 1
    except (FileNotFoundError, ProcessLookupError):
        return False


def loop_ns(pid):
    """Processor time of the process's first thread, which is the loop's: a busy machine does not lengthen it."""
    with open(f"/proc/{pid}/task/{pid}/schedstat", encoding="ascii") as file:
        return int(file.read().split()[0])


def sockets_of(pid):
    mine = set()
    for name in os.listdir(f"/proc/{pid}/fd"):
        try:
            target = os.readlink(f"/proc/{pid}/fd/{name}")
        except FileNotFoundError:
            continue
        if target.startswith("socket:["):
            mine.add(target[8:-1])
    return mine


def sockets_of_hidden():
    """What no process has that can be looked into: the daemon hides its descriptors from its user."""
    others = set()
    for name in os.listdir("/proc"):
        try:
            others |= sockets_of(name) if name.isdigit() else set()
        except (FileNotFoundError, PermissionError, ProcessLookupError):
            continue
    found = set()
    for table in ("tcp", "tcp6"):
        with open(f"/proc/net/{table}", encoding="ascii") as file:
            found |= {line.split()[9] for line in list(file)[1:] if line.split()[7] == str(os.geteuid())}
    return found - others


def listening_ports(pid):
    """Addresses and ports that this process listens on, from the kernel."""
    try:
        mine = sockets_of(pid)
    except PermissionError:
        mine = sockets_of_hidden()
    found = set()
    for table in ("tcp", "tcp6"):
        with open(f"/proc/net/{table}", encoding="ascii") as file:
            for line in list(file)[1:]:
                field = line.split()
                if field[3] == "0A" and field[9] in mine:
                    address, port = field[1].split(":")
                    found.add((address, int(port, 16)))
    return found


class Home:
    def __init__(self, port=0, **environment):
        self.folder = tempfile.mkdtemp(prefix="tenon-home-")
        self.env = {key: value for key, value in os.environ.items()
                    if not key.startswith(("XDG_", "TENON_", "DISPLAY", "WAYLAND_"))}
        self.env["TENON_BUILD"] = os.path.abspath(BUILD)
        self.env["HOME"] = self.folder
        for name, folder in (("RUNTIME_DIR", "run"), ("CONFIG_HOME", "config"),
                             ("STATE_HOME", "state"), ("DATA_HOME", "data"), ("CACHE_HOME", "cache")):
            path = os.path.join(self.folder, folder)
            os.mkdir(path, 0o700)
            self.env["XDG_" + name] = path
        # Several tests at once: each takes ports of its own.
        self.env["TENON_HTTP_PORT"] = str(port or 20000 + os.getpid() % 20000)
        self.env.update(environment)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def runtime(self, name):
        return self.path("run", "tenon", name)

    def tenon(self, *words, code=0, text=None, timeout=60):
        """Runs `tenon WORDS`; raises unless it exits with `code` (None: whatever). Its result. What
        only a person may do is done by one (person.py)."""
        if (words[0] in ("open", "approve") and "--list" not in words) or words[:2] == ("token", "--rotate"):
            got = person.do("run", words=[TENON, *words], env=self.env, text=text, timeout=timeout)
            done = subprocess.CompletedProcess(words, got["code"], got["out"], got["err"])
        else:
            done = subprocess.run([TENON, *words], env=self.env, input=text, capture_output=True,
                                  encoding="utf-8", timeout=timeout, check=False,
                                  stdin=None if text is not None else subprocess.DEVNULL)
        if code is not None and done.returncode != code:
            raise AssertionError(f"tenon {' '.join(words)}: exit {done.returncode}, not {code}: "
                                 f"{done.stdout[-400:]} {done.stderr[-400:]}")
        return done

    def foreground(self, *words, **options):
        """`tenond --daemon WORDS` as our child; it is ready when the discovery file is there."""
        child = subprocess.Popen([TENOND, "--daemon", *words], env=self.env,
                                 stdin=subprocess.DEVNULL, **options)
        wait_until(lambda: self.discovery_or_none() or child.poll() is not None, "a daemon")
        return child

    def discovery_or_none(self):
        try:
            with open(self.runtime("tenond.json"), encoding="utf-8") as file:
                found = json.load(file)
        except FileNotFoundError:
            return None
        return found if is_alive(found["pid"]) else None

    def discovery(self):
        found = self.discovery_or_none()
        if not found:
            raise AssertionError("no daemon runs")
        return found

    def get(self, path, token=None, timeout=20):
        """(status, headers, body) of a GET on the HTTP listener."""
        request = urllib.request.Request(self.discovery()["url"] + path)
        if token:
            request.add_header("Authorization", "Bearer " + token)
        try:
            with urllib.request.urlopen(request, timeout=timeout) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.headers, refused.read()

    def log(self):
        try:
            with open(self.path("state", "tenon", "tenond.log"), encoding="utf-8",
                      errors="replace") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def processes(self):
        """Every process that has our folders in its environment: what a test may leave behind."""
        mark = ("XDG_RUNTIME_DIR=" + self.env["XDG_RUNTIME_DIR"]).encode()
        found = []
        for name in os.listdir("/proc"):
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    if name.isdigit() and mark in file.read().split(b"\0") and is_alive(int(name)):
                        found.append(int(name))
            except (FileNotFoundError, ProcessLookupError, PermissionError, NotADirectoryError):
                continue
        # The daemon itself hides its environment from everybody but root.
        ours = self.discovery_or_none()
        if ours and ours["pid"] not in found and is_alive(ours["pid"]):
            found.append(ours["pid"])
        return found

    def stop(self):
        found = self.discovery_or_none()
        if found:
            os.kill(found["pid"], signal.SIGTERM)
            wait_until(lambda: not is_alive(found["pid"]), "the daemon's end")

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is not None:
            sys.stderr.write(self.log()[-2000:])
        for pid in self.processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        shutil.rmtree(self.folder, ignore_errors=True)
        return False
