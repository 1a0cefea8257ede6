#!/usr/bin/env python3
"""line_02_binding.py - an address that other machines reach is never opened by a slip: it takes a flag of its own, the
names that others use, a token, and for the terminal a proxy that has ended TLS (FR-03; workbench.md T4, T5)."""
import os
import subprocess

import line
import check
import daemon
from doors import LIST, ask

HOME = ("0100007F", "00000000000000000000000001000000")  # 127.0.0.1 and ::1, as /proc has them
WIDE = ["0.0.0.0", "[::]", "[0:0:0:0:0:0:0:0]", "[::0]", "[::ffff:0.0.0.0]", "0.0.0.1", "[fe80::1]", "192.0.2.1",
        "[::ffff:192.0.2.1]", "224.0.0.1", "255.255.255.255", "[::ffff:127.0.0.1]"]
# No address at all: nothing that a resolver or an old C library reads as one may be taken for one.
TRICKS = ["0", "0x0", "00000000", "0.0", "0.0.0", "000.0.0.0", "*", "", "localhost.evil.example", "localhost@0.0.0.0",
          "127.0.0.1.nip.io", "2130706433", "127.1", "0177.0.0.1", "0x7f.1", "127.0.0.1 0.0.0.0", "127.0.0.1,0.0.0.0",
          "127.0.0.1\t", "any", "::", "[::", "::]", "[::]]", "any:any", "127.0.0.1%lo", "[::%lo]", "${HOSTNAME}",
          "①②⑦.⓪.⓪.①", "LOCALHOST\x01"]
TOKEN = "a-token-that-is-long-enough-0123456789"


def outcome(words, env):
    """(what it said, the addresses that it listens on); it has ended or been ended."""
    child = subprocess.Popen(words, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE)
    os.set_blocking(child.stderr.fileno(), False)
    said = b""
    try:
        def ready():
            nonlocal said
            ended = child.poll() is not None # before it is read: what it said last is not missed
            said += child.stderr.read() or b""
            return b"listening on" in said or b"ready" in said or ended
        daemon.wait_until(ready, "it serves or refuses")
        found = {address for address, _ in daemon.listening_ports(child.pid)} if child.poll() is None else set()
        return said.decode(errors="replace"), found, child.poll()
    finally:
        if child.poll() is None:
            child.terminate()
            child.wait(20)
        child.stderr.close()


def refused(words, env, what, says=None):
    said, found, code = outcome(words, env)
    check.need(code not in (None, 0) and code > 0, f"{what}: it serves on {found}")
    check.need(said.strip() and (not says or says in said), f"{what}: {said[:300]!r}")


def standalone(home):
    for app in ("plan", "terminal"):
        start = [daemon.TENON, "serve", app, "--http"]
        more = ["--root", home.folder] if app == "terminal" else []
        with line.step(f"serve {app}: an address that others reach, without a flag"):
            for address in WIDE:
                for words in ((), ("--token", TOKEN), ("--host", "a.example"), ("--token", TOKEN, "--host", "a.example"),
                              ("--no-token",)):
                    refused([*start, f"{address}:0", *more, *words], home.env, f"{address} {words}")
        with line.step(f"serve {app}: with the flag, and without a token or the names"):
            for words, says in ((("--allow-remote",), "--host"), (("--allow-remote", "--token", TOKEN), "--host"),
                                (("--allow-remote", "--no-token", "--host", "a.example"), None),
                                (("--behind-proxy", "--no-token", "--host", "a.example"), None)):
                refused([*start, "0.0.0.0:0", *more, *words], home.env, str(words), says)
        with line.step(f"serve {app}: what is no address is refused, or is ours alone"):
            for address in TRICKS:
                said, found, code = outcome([*start, f"{address}:0", *more, "--token", TOKEN], home.env)
                check.need(code != 0 and (code is None or code > 0), f"{address}: exit {code}")
                check.need(found <= set(HOME), f"{address!r}: listens on {found}; {said[:200]}")
        with line.step(f"serve {app}: one wide address beside a good one"):
            refused([*start, "127.0.0.1:0", "--http", "0.0.0.0:0", *more], home.env, "two")
    with line.step("serve terminal: open to others without TLS in front"):
        refused([daemon.TENON, "serve", "terminal", "--http", "0.0.0.0:0", "--allow-remote", "--token", TOKEN, "--host",
                 "a.example", "--root", home.folder], home.env, "no --behind-proxy")
    with line.step("serve plan: with all of it, it says that the text is not encrypted, and asks for the token"):
        words = ["serve", "plan", "--http", "0.0.0.0:0", "--allow-remote", "--token", TOKEN, "--host", "a.example"]
        with line.listening("tenon", *words) as (url, pid, text):
            check.need({address for address, _ in daemon.listening_ports(pid)} == {"00000000"}, "elsewhere")
            check.need("encrypted" in text() or "other machines" in text(), text()[:400])
            port = url.rsplit(":", 1)[1].split("/")[0]
            for extra, wanted in (({}, 401), ({"Authorization": "Bearer " + "x" * 30}, 401),
                                  ({"Authorization": f"Bearer {TOKEN}"}, 200)):
                got = ask(int(port), "POST", "/mcp", LIST, Host=f"a.example:{port}", **extra)[0]
                check.need(got == wanted, f"{extra}: {got}")
            got = ask(int(port), "POST", "/mcp", LIST, Host=f"evil.example:{port}",
                      Authorization=f"Bearer {TOKEN}")[0]
            check.need(got == 403, f"another Host: {got}")


def daemons(home):
    start = [daemon.TENOND, "--daemon"]
    with line.step("the daemon: an address that others reach, without the second act, by flag and by environment"):
        for address in WIDE:
            plain = address.strip("[]")
            refused([*start, "--set", f"http.listen={plain}"], home.env, address)
        for address in ("0.0.0.0", "::"):
            refused(start, home.env | {"TENON_HTTP_LISTEN": address}, address)
            refused([*start, "--set", f"http.listen={address}", "--set", "http.allow_remote=true"], home.env, address,
                    "http.hosts")
    with line.step("the daemon: what is no address"):
        for address in TRICKS:
            if address in ("", "::"):
                continue  # the default; refused above
            said, found, code = outcome([*start, "--set", f"http.listen={address}"], home.env)
            check.need(code not in (0, None) or found <= set(HOME), f"{address!r}: {found} {said[:200]}")
    with line.step("the daemon: a settings file that somebody else may write is not followed to the network"):
        os.makedirs(home.path("config", "tenon"), 0o700, exist_ok=True)
        with open(home.path("config", "tenon", "config.json"), "w", encoding="ascii") as file:
            file.write('{"http": {"listen": "0.0.0.0"}}')
        refused(start, home.env, "config.json", "http.allow_remote")
        os.unlink(home.path("config", "tenon", "config.json"))


def main():
    with daemon.Home() as home:
        standalone(home)
        daemons(home)
    line.end()


main()
