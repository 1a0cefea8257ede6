#!/usr/bin/env python3
"""screen_programs.py SCREEN_SHOW STORIES - real programs, and our stories, beside tmux.

vim, less and top run on a PTY of 80x24 with keys sent to them; the bytes that they print are shown by our screen and by
tmux (a second opinion on terminals), which must agree on every row and on the cursor. Then the same with the bytes of
STORIES/*.screen. Programs that are not here are left out; without tmux nothing is compared (exit 77: skipped).
"""
import fcntl
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

SHOW, STORIES = sys.argv[1:3]
COLUMNS, ROWS = 80, 24
# Where tmux 3.3 does otherwise, and not what xterm does; the number is the story's line with "size".
DIFFERS = {
    "alternate.screen:37": "its cursor does not go on waiting on the other screen",
    "alternate.screen:49": "its cursor waits on where 1049 or 1047 clears that",
    "charsets.screen:2": "it shows line drawing as the letters",
    "charsets.screen:12": "it shows line drawing as the letters",
    "charsets.screen:16": "it has no British set",
    "charsets.screen:20": "it shows line drawing as the letters",
    "cursor.screen:28": "it has no CHT",
    "cursor.screen:37": "it shows line drawing as the letters",
    "cursor.screen:45": "it does not save that the cursor waits behind the last column",
    "edit.screen:25": "it has no DECSED and DECSEL",
    "region.screen:2": "it inserts lines outside of the region",
    "torture.screen:2": "it shows line drawing as the letters",
    "utf8.screen:2": "it drops what is no UTF-8",
    "utf8.screen:7": "it drops what is no UTF-8",
    "utf8.screen:11": "it has no C1 controls",
    "utf8.screen:20": "characters do not end its sequences",
    "wide.screen:12": "it drops what does not fit",
    "wide.screen:16": "it leaves halves of wide characters",
    "wide.screen:22": "it leaves halves of wide characters",
    "wide.screen:25": "it leaves halves of wide characters",
    "wide.screen:28": "it leaves halves of wide characters",
    "wide.screen:31": "it leaves halves of wide characters",
    "wide.screen:46": "it joins more than six code points",
    "wide.screen:50": "it joins emoji, which programs do not count on",
    "wide.screen:58": "it keeps what cannot be seen",
    "wide.screen:62": "it moves the cursor although nothing fits",
    "wrap.screen:23": "its cursor goes on waiting after a line feed",
    "xterm.screen:10": "it does not save that the cursor waits behind the last column",
    "xterm.screen:24": "it has no SL, SR, DECIC and DECDC",
}


def answer(data):
    """A terminal's answers, so that no program waits for them."""
    out = b""
    if b"\x1b[c" in data or b"\x1b[0c" in data:
        out += b"\x1b[?62;22c"
    if b"\x1b[6n" in data:
        out += b"\x1b[1;1R"
    return out


def run(words, keys, folder):
    """What the program printed, with `keys` sent one after the other, each when it has become quiet."""
    pid, master = pty.fork()
    if pid == 0:
        os.chdir(folder)
        for name in [name for name in os.environ if name.startswith(("LESS", "VIM", "LC_"))]:
            del os.environ[name]
        os.environ.update(TERM="xterm-256color", LANG="C.UTF-8", HOME=folder, LESSHISTFILE="-")
        os.execvp(words[0], words)
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    os.kill(pid, signal.SIGWINCH)
    printed = b""
    try:
        for key in [None, *keys]:
            if key is not None:
                os.write(master, key)
            deadline = time.monotonic() + 20
            quiet = 0.5
            while time.monotonic() < deadline and select.select([master], [], [], quiet)[0]:
                data = os.read(master, 65536)
                printed += data
                os.write(master, answer(data))
    finally:
        os.kill(pid, signal.SIGKILL)
        os.close(master)
        os.waitpid(pid, 0)
    return printed


def ours(data, columns, rows):
    result = subprocess.run([SHOW, str(columns), str(rows)], input=data, capture_output=True, check=True)
    lines = result.stdout.decode().split("\n")
    return lines[:rows], lines[rows]


class Tmux:
    def __init__(self, folder):
        self.folder = folder
        self.socket = os.path.join(folder, "tmux")
        self.count = 0
        self.call("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "sleep 1000")
        self.call("set", "-g", "status", "off")

    def call(self, *words):
        environment = dict(os.environ, LANG="C.UTF-8", LC_ALL="C.UTF-8", TERM="xterm-256color")
        environment.pop("TMUX", None)
        return subprocess.run(["tmux", "-u", "-S", self.socket, *words], capture_output=True, check=True, text=True,
                              env=environment, timeout=60).stdout

    def show(self, data, columns, rows):
        self.count += 1
        name = f"w{self.count}"
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(data)
        go, done = path + ".go", path + ".done"
        os.mkfifo(go)
        script = f"stty raw -echo; read x <{go}; cat {path}; touch {done}; exec sleep 1000"
        self.call("new-session", "-d", "-s", name, "-x", str(columns), "-y", str(rows), script)
        with open(go, "w", encoding="ascii") as file:
            file.write("x\n")
        deadline = time.monotonic() + 30
        while not os.path.exists(done) and time.monotonic() < deadline:
            time.sleep(0.02)
        before = None
        for _ in range(50):  # until it has drawn all of it
            text = self.call("capture-pane", "-p", "-N", "-t", name)
            cursor = self.call("display", "-p", "-t", name, "#{cursor_y} #{cursor_x}").strip()
            if (text, cursor) == before:
                break
            before = (text, cursor)
            time.sleep(0.1)
        self.call("kill-session", "-t", name)
        lines = [line.rstrip(" ") for line in text.split("\n")]
        return (lines + [""] * rows)[:rows], cursor

    def close(self):
        self.call("kill-server")


def place(cursor, columns):
    """tmux has a cursor that waits behind the last column there."""
    row, column = map(int, cursor.split())
    return row, min(column, columns - 1)


def compare(name, data, tmux, columns, rows):
    mine, my_cursor = ours(data, columns, rows)
    theirs, their_cursor = tmux.show(data, columns, rows)
    same = mine == theirs and place(my_cursor, columns) == place(their_cursor, columns)
    if not same:
        print(f"{name}: differs; ours, then tmux (cursors {my_cursor} and {their_cursor})")
        for one, other in zip(mine, theirs):
            if one != other:
                print(f"  |{one}|\n  |{other}|")
    return same


def unescape(text):
    names = {"e": "\x1b", "r": "\r", "t": "\t", "n": "\n", "b": "\b", "\\": "\\", "s": " "}
    out, at = b"", 0
    while at < len(text):
        if text[at] != "\\":
            out += text[at].encode()
            at += 1
        elif text[at + 1] == "x":
            out += bytes([int(text[at + 2 : at + 4], 16)])
            at += 4
        else:
            out += names[text[at + 1]].encode()
            at += 2
    return out


def stories():
    """(name, bytes, columns, rows) of each screen in the stories, up to its first resize or prompt."""
    for file in sorted(os.listdir(STORIES)):
        current, going = None, False
        with open(os.path.join(STORIES, file), encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                word, _, rest = line.rstrip("\n").partition(" ")
                if word == "size":
                    if current:
                        yield current
                    current = [f"{file}:{number}", b"", *map(int, rest.split())]
                    going = True
                elif word in ("resize", "sane"):
                    going = False
                elif word == "in" and going:
                    current[1] += unescape(rest)
        if current:
            yield current


def programs(folder):
    text = os.path.join(folder, "text.txt")
    with open(text, "w", encoding="utf-8") as file:
        for i in range(200):
            file.write(f"line {i} \tof a text with 中文, 한국어, é and a lot of words that go on past the edge of it\n")
    yield "vim", ["vim", "-u", "NONE", "-N", "-n", text], [
        b":set number hlsearch incsearch ruler\r", b"/words\r", b"5dd3p", b"Go new \xe4\xb8\xad\x1b", b":split\r",
        b"\x04", b"gg", b"zz", b":vsplit\r", b"yyP"]
    yield "vim syntax", ["vim", "-u", "NONE", "-N", "-n", "--cmd", "syntax on", __file__], [
        b":syntax on\r", b"\x06", b"\x06", b"gg", b"10J", b"u", b"qqjddq5@q"]
    yield "less", ["less", text], [b" ", b"/17\r", b"n", b"G", b"k", b"\x1b[C", b"g", b"10j", b"-N\r"]
    yield "top", ["top", "-d", "1"], [b"c", b"1", b"z", b"x"]


def main():
    if not shutil.which("tmux"):
        print("tmux is not here: nothing to compare with")
        sys.exit(77)
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        tmux = Tmux(folder)
        try:
            for name, words, keys in programs(folder):
                if not shutil.which(words[0]):
                    print(f"{name}: not here")
                    continue
                printed = run(words, keys, folder)
                # At each key the screen was another one: compare it half-way, too.
                for part in (len(printed) // 3, len(printed) // 2, len(printed)):
                    while part < len(printed) and not printed.startswith(b"\x1b[", part):
                        part += 1
                    if not compare(f"{name} ({part} bytes)", printed[:part], tmux, COLUMNS, ROWS):
                        failed.append(name)
            for name, data, columns, rows in stories():
                if name not in DIFFERS and not compare(name, data, tmux, columns, rows):
                    failed.append(name)
        finally:
            tmux.close()
    print("differ: " + ", ".join(failed) if failed else "all as in tmux")
    sys.exit(1 if failed else 0)


main()
