#!/usr/bin/env python3
"""learnt.py - a name is judged by what the session has it mean: by earlier calls, by lines that were typed, by
the user's own start files (terminal.md 10.1)."""
import sys

import kit
from kit import check

SUITE = "terminal-learnt"


def step(name):
    return check.Step(SUITE, name)


class Asking(kit.Served):
    """Counts what is asked, and says yes or no to all of it."""

    def __init__(self):
        super().__init__(capabilities={"elicitation": {"form": {}}}, hello=False)
        self.asked = []
        self.put("home/.bashrc", "alias gg=git\nwrap() { \"$@\"; }\n")
        self.begin()
        self.answer(True)

    def answer(self, decision):
        self.on_ask = lambda method, params: self.asked.append(params) or (
            {"action": "accept", "content": {"decision": "Run once"}} if decision else {"action": "decline"})

    def is_asked(self, command, **more):
        before = len(self.asked)
        self.call("execute_command", command=command, **more)
        return len(self.asked) > before

    def is_asked_typed(self, text, session):
        before = len(self.asked)
        self.call("send_keys", session_id=session, text=text, enter=True)
        self.run("true", session_id=session)
        return len(self.asked) > before


def main():
    with Asking() as served:
        session = served.new()
        with step("what an earlier call defined"):
            check.need(not served.is_asked("alias g=git c=clean", session_id=session), "an alias")
            check.need(not served.is_asked("g --version", session_id=session), "a harmless use")
            served.answer(False)
            check.need(served.is_asked("g clean -fdx", session_id=session), "but here")
            served.answer(True)
            check.need(served.is_asked("f() { rm -rf ~/nothing; }", session_id=session), "the definition")
            served.answer(False)
            check.need(served.is_asked("f", session_id=session), "and its use")
            check.need(served.is_asked("true; f", session_id=session), "wherever it stands")
        with step("another session has learnt nothing of it"):
            other = served.new()
            check.need(not served.is_asked("f", session_id=other), "f")
            check.need(not served.is_asked("g clean -fdx", session_id=other), "g")
            check.need(not served.is_asked("f", isolated=True), "nor has a shell of its own")
        with step("what was typed"):
            served.answer(True)
            check.need(not served.is_asked_typed("alias k=kubectl", other), "typed")
            served.answer(False)
            check.need(served.is_asked("k delete ns prod", session_id=other), "and used by a call")
            check.need(served.is_asked_typed("k delete ns prod", other), "and typed")
        with step("the user's own start files"):
            check.need(not served.is_asked("gg --version; wrap ls", session_id=other), "harmless")
            check.need(served.is_asked("gg clean -fdx", session_id=other), "an alias")
            check.need(served.is_asked("wrap git clean -fdx", session_id=other), "a function")
            check.need(served.is_asked("gg clean -fdx", if_busy="new_session"), "in a session that is yet to come")
        with step("check_command says the same, and teaches nothing"):
            found = served.tool("check_command", command="alias z=git; z clean -fdx", session_id=other)
            check.need(found["decision"] == "confirm", found)
            check.need(not served.is_asked("z clean -fdx", session_id=other), "it was not run")
    return 1 if check.failures else 0


sys.exit(main())
