#!/usr/bin/env python3
"""terminal_attach.py TENON - "tenon terminal run", "attach" and "replay" in a real terminal, on a daemon of
their own (terminal.md 7.4, 11, 14): exit codes, every byte, keys, sizes, and the terminal given back.
"""
import fcntl
import glob
import json
import os
import pty
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402

SUITE = "terminal-attach"
TENON = os.path.abspath(sys.argv[1])
FOLDER = tempfile.mkdtemp()
ENV = {name: value for name, value in os.environ.items() if not name.startswith(("TENON_", "XDG_"))}
ENV |= {"HOME": FOLDER, "XDG_CONFIG_HOME": os.path.join(FOLDER, "config"), "TERM": "xterm-256color",
        "XDG_STATE_HOME": os.path.join(FOLDER, "state"), "XDG_RUNTIME_DIR": os.path.join(FOLDER, "run"),
        "TENON_HTTP_PORT": str(23000 + os.getpid() % 5000), "SHELL": "/bin/bash", "PS1": "$ "}
os.mkdir(ENV["XDG_RUNTIME_DIR"], 0o700)
PATIENCE = 20
DETACH = b"\x1d"


def tenon(*words, **more):
    return subprocess.run([TENON, *words], env=ENV, capture_output=True, timeout=120, check=False,
                          stdin=subprocess.DEVNULL, **more)


def session(name):
    found = json.loads(tenon("terminal", "sessions", "--all", "--json").stdout)["sessions"]
    return next(s for s in found if s["name"] == name)


class Attached:
    """`tenon terminal attach` in a terminal of its own."""

    def __init__(self, *words):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(TENON, [TENON, "terminal", "attach", *words], ENV)
        self.resize(33, 101)
        self.seen = b""

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def expect(self, words):
        end = time.monotonic() + PATIENCE
        while words not in self.seen:
            check.need(time.monotonic() < end, f"no {words!r} in {self.seen[-300:]!r}")
            if not select.select([self.fd], [], [], 0.2)[0]:
                continue
            try:
                piece = os.read(self.fd, 65536)
            except OSError:
                piece = b""
            check.need(piece, f"it ended without {words!r}: {self.seen[-300:]!r}")
            self.seen += piece
        self.seen = self.seen[self.seen.index(words) + len(words):]

    def type(self, keys):
        os.write(self.fd, keys)

    def ready(self, name):
        """It has the keyboard, and the session this terminal's size."""
        end = time.monotonic() + PATIENCE
        while not (session(name)["controlled_by"] and session(name)["cols"] == 101):
            check.need(time.monotonic() < end, session(name))
            time.sleep(0.05)

    def is_raw(self):
        return not termios.tcgetattr(self.fd)[3] & termios.ICANON

    def ended(self):
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def run_steps():
    with check.Step(SUITE, "run: output, exit code, standard error"):
        done = tenon("terminal", "run", "--", "echo out; echo err >&2; exit 7")
        check.need((done.returncode, done.stdout, done.stderr) == (7, b"out\n", b"err\n"), done)
    with check.Step(SUITE, "run: several words are a program and its arguments"):
        with tempfile.TemporaryDirectory() as folder:
            inner = os.path.join(os.path.realpath(folder), "in ner")
            os.mkdir(inner)
            for words, wanted in (((), os.path.dirname(inner)), (("--cwd", "in ner"), inner), (("--cwd", inner), inner),
                                  (("--cwd", "/"), "/")):
                done = subprocess.run([TENON, "terminal", "run", *words, "--", "pwd"], env=ENV, cwd=folder,
                                      capture_output=True, encoding="utf-8", check=False, timeout=60)
                check.need(done.stdout == wanted + "\n", (words, done.stdout, done.stderr))
            done = tenon("terminal", "run", "--cwd", "not/there", "--", "pwd")
            check.need(done.returncode == 1 and b"--cwd not/there: No such file" in done.stderr, done.stderr)
        done = tenon("terminal", "run", "--", "printf", "%s|", "a b", "it's", "$HOME")
        check.need(done.stdout == b"a b|it's|$HOME|", done)
    with check.Step(SUITE, "run: 124 when its time is over"):
        check.need(tenon("terminal", "run", "--timeout", "400", "--", "sleep 30").returncode == 124, "")
    with check.Step(SUITE, "run: every byte of a long output, in order"):
        done = tenon("terminal", "run", "--", "seq 1 300000")
        check.need(done.stdout == b"".join(b"%d\n" % i for i in range(1, 300001)), len(done.stdout))
    with check.Step(SUITE, "run: Ctrl-C is passed on"):
        with subprocess.Popen([TENON, "terminal", "run", "--", "echo there; sleep 60"], env=ENV,
                              stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as child:
            check.need(child.stdout.readline() == b"there\n", "")
            child.send_signal(signal.SIGINT)
            check.need(child.wait(PATIENCE) == 130, child.returncode)
    with check.Step(SUITE, "run: in a session, and in none of that name"):
        tenon("call", "terminal.create_session", "name=att", "record:=true")
        tenon("terminal", "run", "--session", "att", "--", "cd /tmp; stays=here")
        done = tenon("terminal", "run", "--session", "att", "--", "pwd; echo $stays")
        check.need(done.stdout == b"/tmp\nhere\n", done)
        check.need(tenon("terminal", "run", "--session", "none", "--", "pwd").returncode == 5, "")


def attach_steps():
    with check.Step(SUITE, "attach: keys go there, the screen comes here, in this terminal's size"):
        one = Attached("att")
        one.ready("att")
        one.type(b"stty size; echo typed-$((40+2))\r")
        one.expect(b"33 101")
        one.expect(b"typed-42")
        one.resize(20, 90)
        end = time.monotonic() + PATIENCE
        while session("att")["cols"] != 90:
            check.need(time.monotonic() < end, "the size did not change")
            time.sleep(0.05)
        one.type(b"stty size\r")
        one.expect(b"20 90")
    with check.Step(SUITE, "attach: assistants wait meanwhile"):
        done = tenon("call", "terminal.execute_command", f"session_id={session('att')['id']}", "command=true")
        check.need(b"person" in done.stderr and done.returncode == 5, done)
    with check.Step(SUITE, "attach: Ctrl-] detaches, and everything is as it was"):
        check.need(one.is_raw(), "it is not raw")
        one.type(DETACH)
        one.expect(b"detached from")
        check.need(one.ended() == 0 and not one.is_raw(), "the terminal was not given back")
        after = session("att")
        check.need((after["cols"], after["rows"], after["controlled_by"]) == (120, 40, None), after)
    with check.Step(SUITE, "attach: a signal gives the terminal back, too"):
        two = Attached("att")
        two.ready("att")
        os.kill(two.pid, signal.SIGTERM)
        two.expect(b"detached from")
        check.need(two.ended() == 0 and not two.is_raw(), "the terminal was not given back")
    with check.Step(SUITE, "attach --view only looks"):
        three = Attached("att", "--view")
        three.expect(b"typed-42")
        three.type(b"echo not-$((1+1))\r")
        tenon("terminal", "run", "--session", "att", "--", "echo seen-$((5+5))")
        three.expect(b"seen-10")
        check.need(b"not-2" not in three.seen, "it was typed")
        three.type(b"\x03")
        check.need(three.ended() == 0, "its end")
    with check.Step(SUITE, "attach: the session's end"):
        four = Attached("att")
        four.ready("att")
        four.type(b"exit 5\r")
        four.expect(b"has ended with exit code 5")
        check.need(four.ended() == 0 and not four.is_raw(), "its end")
    with check.Step(SUITE, "attach: without a terminal, or to nothing"):
        check.need(b"needs a terminal" in tenon("terminal", "attach", "att").stderr, "")
        five = Attached("nothing-of-that-name")
        five.expect(b"there is no session")
        check.need(five.ended() == 5, "the exit code")


def tmux(*words):
    return subprocess.run(["tmux", "-L", "tenon-attach", "-f", "/dev/null", *words], capture_output=True, timeout=20,
                          env=ENV | {"TMUX_TMPDIR": FOLDER, "LANG": "C.UTF-8"}, check=False).stdout.decode()


def tmux_shows(*words):
    """What the pane shows, as soon as it has all of these."""
    end = time.monotonic() + PATIENCE
    while not all(word in (shown := tmux("capture-pane", "-p", "-e")) for word in words):
        check.need(time.monotonic() < end, f"no {words} in {shown!r}")
        time.sleep(0.05)
    return shown


def tmux_is(columns, rows):
    end = time.monotonic() + PATIENCE
    while (session("tm")["cols"], session("tm")["rows"]) != (columns, rows):
        check.need(time.monotonic() < end, session("tm"))
        time.sleep(0.05)


def tmux_steps():
    tenon("call", "terminal.create_session", "name=tm")
    tmux("new-session", "-d", "-x", "101", "-y", "34", f"'{TENON}' terminal attach tm; echo ended $?; exec cat")
    with check.Step(SUITE, "attach in tmux: keys, colours, wide characters"):
        tmux_is(101, 34)
        tmux("send-keys", "printf '\\e[31mred-%d\\e[m \u6f22\u5b57 \U0001f600|\\n' $((40+2))", "Enter")
        tmux_shows("\x1b[31mred-42\x1b[39m \u6f22\u5b57 \U0001f600|")
    with check.Step(SUITE, "attach in tmux: the window's size"):
        tmux("resize-window", "-x", "90", "-y", "21")
        tmux_is(90, 21)
        tmux("send-keys", "stty size", "Enter")
        tmux_shows("21 90")
    with check.Step(SUITE, "attach in tmux: a full-screen program, and back"):
        tmux("send-keys", "seq 1 500 | LESS= less", "Enter")
        check.need("stty size" not in tmux_shows("\n20\n:"), "the screen before it is still there")
        tmux("send-keys", "q")
        tmux_shows("21 90")
    with check.Step(SUITE, "attach in tmux: Ctrl-] gives the pane back"):
        tmux("send-keys", "C-]")
        tmux_shows("detached from", "ended 0")
        tmux("send-keys", "read by cat", "Enter")
        tmux_shows("read by cat\nread by cat\n")


def main():
    run_steps()
    attach_steps()
    if shutil.which("tmux"):
        tmux_steps()
    with check.Step(SUITE, "replay: what was seen; what is no recording is refused"):
        files = glob.glob(os.path.join(ENV["XDG_STATE_HOME"], "tenon/terminal/recordings/*.cast"))
        check.need(len(files) == 1, files)
        done = tenon("terminal", "replay", files[0])
        check.need(done.returncode == 0 and b"typed-42" in done.stdout, done)
        done = tenon("terminal", "replay", "/etc/passwd")
        check.need(done.returncode == 1 and b"no recording" in done.stderr, done)


try:
    main()
finally:
    if shutil.which("tmux"):
        tmux("kill-server")
    tenon("down")
    shutil.rmtree(FOLDER, ignore_errors=True)
sys.exit(1 if check.failures else 0)
