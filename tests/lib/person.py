"""person.py - a person, for tests: a process that nothing of the test is above.

The door of persons refuses whatever comes from a program that has used Tenon as a client, and a test
is such a program soon. So what a person does is done by a process that left the test's tree before;
it ends with the test.
"""
import json
import os
import pty
import select
import socket
import subprocess
import sys
import time

_ours = None


BUSY, TRIES = "could be looked at; try again", 10  # on a machine with much to look at a person does as is said


def _run(words, env, text, timeout, tries=TRIES):
    done = subprocess.run(words, env=env, input=text, capture_output=True, encoding="utf-8",
                          errors="replace", timeout=timeout, check=False,
                          stdin=None if text is not None else subprocess.DEVNULL)
    if BUSY in done.stderr and tries > 1:
        return _run(words, env, text, timeout, tries - 1)
    return {"code": done.returncode, "out": done.stdout, "err": done.stderr}


def _run_on_terminal(words, env, answers, timeout):
    """`answers`: pairs of what is waited for on the screen, and what is typed then."""
    pid, master = pty.fork()
    if pid == 0:
        os.execve(words[0], words, env)
    shown, answers, deadline = b"", list(answers), time.monotonic() + timeout
    while time.monotonic() < deadline:
        if not select.select([master], [], [], 0.2)[0]:
            continue
        try:
            got = os.read(master, 4096)
        except OSError:
            break
        if not got:
            break
        shown += got
        if answers and answers[0][0].encode() in shown:
            os.write(master, answers.pop(0)[1].encode())
    _, status = os.waitpid(pid, 0)
    os.close(master)
    return {"code": os.waitstatus_to_exitcode(status), "out": shown.decode("utf-8", "replace"), "err": ""}


def _ask(path, tries=TRIES):
    with socket.socket(socket.AF_UNIX) as door:
        door.connect(path)
        answer = json.loads(door.makefile().readline())
    return _ask(path, tries - 1) if BUSY in answer.get("message", "") and tries > 1 else answer


def _serve(end):
    acts = {"run": _run, "terminal": _run_on_terminal, "ask": _ask}
    file = end.makefile("rw", encoding="utf-8")
    for line in file:
        order = json.loads(line)
        try:
            answer = acts[order.pop("do")](**order)
        except Exception as error:  # told to whoever asked
            answer = {"failed": repr(error)}
        file.write(json.dumps(answer) + "\n")
        file.flush()


def _start():
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        os.setsid()
        ours.close()
        for fd in range(3, 256):
            if fd != theirs.fileno():
                try:
                    os.close(fd)
                except OSError:
                    pass
        try:
            _serve(theirs)
        finally:
            os._exit(0)
    os.wait()
    theirs.close()
    return ours.makefile("rw", encoding="utf-8")


class Elsewhere:
    """A process outside the test's tree; it ends when this does."""

    def __init__(self):
        sys.stdout.flush()
        sys.stderr.flush()
        self.file = _start()

    def do(self, what, **more):
        self.file.write(json.dumps({"do": what, **more}) + "\n")
        self.file.flush()
        answer = json.loads(self.file.readline())
        if isinstance(answer, dict) and "failed" in answer:
            raise AssertionError(answer["failed"])
        return answer

    def close(self):
        self.file.close()


def do(what, **more):
    """The person of this test."""
    global _ours
    _ours = _ours or Elsewhere()
    return _ours.do(what, **more)
