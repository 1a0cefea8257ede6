#!/usr/bin/env python3
"""line_10_stdout.py - standard output belongs to the protocol: nothing that a child, an engine or a library prints comes
between two messages, and no child has a descriptor of the protocol (MCP-081, MCP-082). The library by itself:
src/serve/stray_print_test.c."""
import json
import os
import stat
import subprocess

import line
import check
import daemon
import kit

# Up to the process that speaks the protocol, and not to the test above it.
NOISE = "x=$$; while [ $x -gt 1 ]; do case $(cat /proc/$x/comm) in python*) break ;; esac; echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"STRAY\"}' >/proc/$x/fd/%d; " \
        "x=$(sed 's/.*) //' /proc/$x/stat | cut -d' ' -f2); done 2>/dev/null; true"
FDS = "for f in /proc/self/fd/*; do printf '%s %s\\n' \"${f##*/}\" \"$(readlink $f)\"; done"


def is_pure(lines):
    for one in lines:
        message = json.loads(one)
        check.need(message.get("jsonrpc") == "2.0" and message.get("result") != "STRAY", one[:200])


def talk(words, env, *calls, extra=b""):
    """The lines that came out for these calls; every one of them must be a message."""
    messages = [{"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                                                             "clientInfo": {"name": "t", "version": "1"}}},
                {"method": "notifications/initialized"}]
    messages += [{"id": 2 + at, "method": "tools/call", "params": {"name": name, "arguments": given}}
                 for at, (name, given) in enumerate(calls)]
    text = b"".join(json.dumps({"jsonrpc": "2.0", **one}).encode() + b"\n" for one in messages) + extra
    with subprocess.Popen(words, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as child:
        child.stdin.write(text)
        child.stdin.flush()
        seen, answers = [], {}
        while len(answers) < len(calls) + 1:
            got = child.stdout.readline()
            check.need(got, f"it ended after {seen[-2:]}")
            seen.append(got)
            message = json.loads(got)
            if "id" in message and "method" not in message:
                check.need(message["id"] not in answers, f"two answers to {message['id']}: {got[:200]}")
                answers[message["id"]] = message
        child.stdin.close()
        seen += child.stdout.readlines()
    is_pure(seen)
    return [answers[2 + at] for at in range(len(calls))]


def terminal_env(home):
    return home.env | {"TENON_CONSENT": "allow", "PWD": home.folder}


def programs(home):
    env = terminal_env(home)
    ways = {"serve terminal": [daemon.TENON, "serve", "terminal"], "a relay of the daemon": [daemon.TENON, "mcp", "terminal"]}
    for name, words in ways.items():
        for number in (1, 2):
            with line.step(f"{name}: a command writes messages into descriptor {number} of everything above it"):
                one, two = talk(words, env, ("execute_command", {"command": NOISE % number, "isolated": True}),
                                ("execute_command", {"command": NOISE % number}))
                check.need("result" in one and "result" in two, (one, two))
        with line.step(f"{name}: a command has three descriptors, and none of them is the protocol's"):
            for given in ({"command": FDS, "isolated": True}, {"command": FDS}, {"command": FDS, "isolated": True, "pty": True}):
                answer, = talk(words, env, ("execute_command", given))
                text = answer["result"]["structuredContent"]["output"]
                found = dict(row.split(" ", 1) for row in text.split("\n") if " " in row)
                more = {fd: to for fd, to in found.items() if int(fd) > 2 and not to.startswith(("/proc/", "/dev/tty",
                                                                                               "/dev/pts"))
                        and not to.endswith(".sh") and to != ""}
                check.need(not more, f"{given}: {more}")


def engine(home):
    """Terraform prints what it likes; the studio reads it from a pipe of its own."""
    fake = home.path("terraform")
    with open(fake, "w", encoding="ascii") as file:
        file.write("#!/bin/sh\necho '{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"STRAY\"}'\necho STRAY >&2\n" + NOISE % 1
                   + f"\nls -l /proc/self/fd >>{home.path('fds')}\nexit 1\n")
    os.chmod(fake, 0o755)
    with line.step("serve studio: an engine that prints messages on both of its streams"):
        env = terminal_env(home) | {"TENON_TERRAFORM": fake}
        talk([daemon.TENON, "serve", "studio"], env,
             ("new_project", {"name": "p", "directoryPath": home.folder}),
             ("run_terraform", {"command": "validate"}), ("run_terraform", {"command": "plan"}))
        text = open(home.path("fds"), encoding="ascii").read() if os.path.exists(home.path("fds")) else ""
        check.need(text, "the engine never ran")
        check.need("socket:" not in text, f"a socket of ours: {text}")


def preloaded(home):
    """A library that somebody's environment puts into every program, and that greets."""
    source, library = home.path("greets.c"), home.path("greets.so")
    with open(source, "w", encoding="ascii") as file:
        file.write('#include <stdio.h>\n#include <unistd.h>\n__attribute__((constructor)) static void hello(void)'
                   '{ printf("STRAY hello\\n"); }\n__attribute__((destructor)) static void bye(void)'
                   '{ printf("STRAY bye\\n"); fflush(stdout); }\n')
    subprocess.run([os.environ.get("CC", "cc").split()[0], "-shared", "-fPIC", source, "-o", library], check=True)
    if check.sanitized():
        return  # the sanitizer's own library must come first
    with line.step("a library that prints through stdio in our process, before and after us"):
        env = terminal_env(home) | {"LD_PRELOAD": library}
        answer, = talk([daemon.TENON, "serve", "plan"], env, ("terraform_explain", {"plan_text": "No changes."}))
        check.need("result" in answer, answer)


def files(home):
    """Ends of the protocol that are no pipes: a file, a socket, nothing."""
    with line.step("started with closed descriptors, it takes no file of its own for standard output"):
        for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            done = line.finished(["sh", "-c", f"exec {daemon.TENON} serve plan {closed}"], terminal_env(home), timeout=20,
                                 text="{}\n")
            check.need(done.returncode >= 0, f"{closed}: signal {-done.returncode}")
        for where, _, names in os.walk(home.path("state")):
            for name in names:
                path = os.path.join(where, name)
                if stat.S_ISREG(os.lstat(path).st_mode):
                    with open(path, "rb") as file:
                        check.need(b'"jsonrpc"' not in file.read(), f"messages in {path}")


def main():
    with daemon.Home(TENON_CONSENT="allow") as home:
        for part in (programs, engine, preloaded):
            part(home)
        home.stop()
    with daemon.Home(TENON_CONSENT="allow") as home:
        files(home)
    line.end()


main()
