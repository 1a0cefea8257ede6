"""line.py - what the numbered tests share: a server, a daemon or a client of one's own, and its end.

Every file line_NN_*.py is one line of docs/attacks.md, runs by itself (TENON_BUILD=... python3 FILE),
and ends with `line.end()`.
"""
import contextlib
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../terminal"))
import check  # noqa: E402
import daemon  # noqa: E402
import links  # noqa: E402
import studio  # noqa: E402
import talk  # noqa: E402
import terminal  # noqa: E402

SUITE = re.sub(r"_", "-", os.path.splitext(os.path.basename(sys.argv[0]))[0])
BUILD = os.path.abspath(daemon.BUILD)
ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
TOKENS = {"alice": "alice-alice-alice-alice-0123456789", "bob": "bob-bob-bob-bob-bob-bob-0123456789"}
WRONG = "wrong-wrong-wrong-wrong"
NOBODY = 65534
talk.CAPABILITIES.clear()  # nobody answers for a person here


def step(name):
    return check.Step(SUITE, name)


def end():
    sys.exit(1 if check.failures else 0)


@contextlib.contextmanager
def listening(program, *words, **more):
    """Starts PROGRAM WORDS, which says where it listens: (url, pid, what it has written so far)."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, most), most))
    folder = tempfile.mkdtemp(prefix="tenon-line-")
    env = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "TENON_"))}
    for name in ("RUNTIME_DIR", "STATE_HOME", "CONFIG_HOME"):
        env["XDG_" + name] = os.path.join(folder, name)
        os.mkdir(env["XDG_" + name], 0o700)
    env |= {"HOME": folder} | more
    said = os.path.join(folder, "said")

    def text():
        with open(said, encoding="utf-8", errors="replace") as file:
            return file.read()

    with open(said, "wb") as file:
        child = subprocess.Popen([os.path.join(BUILD, program), *words], env=env, stdin=subprocess.DEVNULL,
                                 stdout=file, stderr=file)
    try:
        daemon.wait_until(lambda: "listening on " in text() or child.poll() is not None, "a server")
        check.need(child.poll() is None, f"it did not start: {text()[-500:]}")
        yield re.search(r"listening on (\S+)", text()).group(1), child.pid, text
        with step("alive after all of it"):
            check.need(child.poll() is None, f"exit {child.poll()}: {text()[-500:]}")
        child.terminate()
        with step("ends in order"):
            check.need(child.wait(15) == 0, f"exit {child.returncode}: {text()[-500:]}")
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def conformance(*words):
    """The words for attack.Server: one with fixtures for everything, and two principals."""
    tokens = [f"{name}={token}" for name, token in TOKENS.items()]
    options = [word for token in tokens for word in ("--token", token)]
    with listening("conformance-server", "--http", "127.0.0.1:0", *options, "--bearer-subprotocol",
                   *words) as (url, pid, text):
        yield [url, str(pid), *tokens]
        with step("no token in what it writes"):
            check.need(not [one for one in (*TOKENS.values(), WRONG) if one in text()], "a token")


@contextlib.contextmanager
def relay(home, app, kind=studio.Assistant):
    """An assistant at the relay of a home's daemon."""
    link = links.Stdio([daemon.TENON, "mcp", app], env=home.env)
    try:
        yield kind(link)
    finally:
        link.close()


def as_nobody(code, *words, cwd="/"):
    """Python code as another user of this machine, or None where we may not be one."""
    if os.geteuid() != 0:
        return None
    return subprocess.run(["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", sys.executable, "-c",
                           code, *words], timeout=60, capture_output=True, encoding="utf-8", check=False, cwd=cwd)


def finished(words, env, text=None, timeout=30, **more):
    """Runs a program to its end."""
    return subprocess.run(words, env=env, input=text, capture_output=True, encoding="utf-8", errors="replace",
                          timeout=timeout, check=False, stdin=None if text is not None else subprocess.DEVNULL, **more)
