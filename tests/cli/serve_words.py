#!/usr/bin/env python3
"""serve_words.py TENON - what "tenon serve" refuses to start with: the sentence, the exit code, and
nothing on standard output."""
import os
import socket
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402

SUITE = "serve-words"
TENON = sys.argv[1]
FOLDER = tempfile.mkdtemp()
HTTP = ["plan", "--http", "127.0.0.1:0"]
TOKEN = "0123456789abcdef"
LONG = os.path.join(FOLDER, "long")
BLANK = os.path.join(FOLDER, "blank")
FILE = os.path.join(FOLDER, "file")
NOTHING = os.path.join(FOLDER, "nothing")

for path, text in ((LONG, "x" * 600), (BLANK, "0123456789 abcdef"), (FILE, "no socket")):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)

taken = socket.create_server(("127.0.0.1", 0))
PORT = taken.getsockname()[1]

# Exit code, words of the command line, what is said behind "tenon serve: ".
REFUSED = [
    (1, [], "name at least one app; tenon serve --help"),
    (1, ["cooking"], 'unknown app "cooking"; there is: terminal, plan, studio, floorplan, workbench'),
    (1, ["plan"] * 17, "too many apps"),
    (1, ["plan", "--token"], "--token needs a value, or is unknown; tenon serve --help"),
    (1, ["plan", "--colour", "red"], "unknown option --colour; tenon serve --help"),
    (1, ["plan", "--http", "127.0.0.1:many"],
     '--http: "127.0.0.1:many": send ADDR:PORT, for example 127.0.0.1:8080'),
    (1, ["plan", "--http", "127.0.0.1:65536"],
     '--http: "127.0.0.1:65536": send ADDR:PORT, for example 127.0.0.1:8080'),
    (1, ["plan", "--http", "a" * 80 + ":1"], f'--http: "{"a" * 80}:1" is no address'),
    (1, ["plan"] + ["--http", "127.0.0.1:0"] * 9, "--http: at most 8 times"),
    (1, ["plan"] + ["--unix", FILE] * 9, "--unix: at most 8 times"),
    (1, HTTP + ["--token", "short"], "a token has 16 to 512 characters"),
    (1, HTTP + ["--token", "x" * 513], "a token has 16 to 512 characters"),
    (1, HTTP + ["--token-file", BLANK], "a token has visible ASCII characters only"),
    (1, HTTP + ["--token-file", NOTHING], f"--token-file: cannot open {NOTHING}"),
    (1, HTTP + ["--token-file", FOLDER], "--token-file: "),
    (1, HTTP + ["--token-file", LONG], "--token-file: "),
    (1, ["plan", "--token", TOKEN], "tokens are for --http"),
    (1, ["plan", "--origin", "https://a.example"], "hosts and origins are for --http"),
    (1, HTTP + ["--token", TOKEN, "--no-token"], "--no-token and a token exclude each other"),
    (1, HTTP + ["--host", "a.example"] * 99, "at most "),
    (1, ["plan", "--http", "localhost:0"],
     "the address to listen on is not numeric; send 127.0.0.1 or ::1"),
    (1, ["plan", "--http", "0.0.0.0:0"], "other machines can reach 0.0.0.0: --allow-remote is missing"),
    (1, ["plan", "--http", "[::]:0", "--token", TOKEN],
     "other machines can reach ::: --allow-remote is missing"),
    (1, ["plan", "--allow-remote"], "--allow-remote: an address that others can reach is missing; "
     "send --http 0.0.0.0:8080"),
    (1, HTTP + ["--allow-remote"], "--allow-remote: an address that others can reach is missing; "
     "send --http 0.0.0.0:8080"),
    (1, ["plan", "--http", "0.0.0.0:0", "--allow-remote"],
     "--allow-remote: the names others use are missing; send --host NAME"),
    (1, ["plan", "--http", "0.0.0.0:0", "--allow-remote", "--host", "a.example", "--no-token"],
     "without a token only a loopback address can be served"),
    (1, ["plan", "--http", f"127.0.0.1:{PORT}"],
     f"bind listener: another program has port {PORT}; choose another one"),
    (None, ["plan", "--unix", os.path.join(NOTHING, "socket")], "bind the Unix socket: "),
    (None, ["plan", "--unix", FILE], "something that is no socket is at the socket's path"),
    (None, ["plan", "--unix", "/tmp/" + "x" * 200], "the path of a Unix socket has at most "),
    (None, ["plan", "--unix", ""], "a Unix socket needs a path"),
]

for number, (code, words, sentence) in enumerate(REFUSED):
    with check.Step(SUITE, f"{number}: {sentence}"):
        done = subprocess.run([TENON, "serve", *words], stdin=subprocess.DEVNULL, timeout=20,
                              capture_output=True, check=False)
        said = done.stderr.decode()
        first = said.split("\n", 1)[0]
        wanted = "tenon serve: " + sentence
        check.need(first.startswith(wanted) if wanted.endswith(" ") else first == wanted, said)
        check.need(said.count("\n") == 1, said)
        check.need(done.returncode == code if code else done.returncode > 0, done.returncode)
        check.need(not done.stdout, done.stdout)
sys.exit(check.failures > 0)
