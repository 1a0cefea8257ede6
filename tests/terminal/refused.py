#!/usr/bin/env python3
"""refused.py - every refusal of the terminal, by a real call: domain errors with their shape, and the codes of
JSON-RPC; nothing changes by being refused. Without a backend every tool answers with a placeholder.
terminal.md 4.1, 7, 13; T-03, T-05, T-06, T-09, T-11, T-13.
"""
import base64
import json
import os
import shutil
import sys
import time

import kit
from kit import check

SUITE = "terminal-refused"
SEED = ("execute_command", "get_terminal_output", "list_sessions", "create_session", "switch_session",
        "search_history")
TOOLS = SEED + ("send_keys", "wait_for", "get_screen", "signal", "resize_session", "close_session", "check_command",
                "hand_over")
NOTHING = "ses_" + "a" * 38


def step(name):
    return check.Step(SUITE, name)


def picture(served):
    """What a refusal must not change."""
    kept = served.tool("list_sessions", include_closed=True)
    return [(one["id"], one["name"], one["state"], one["cwd"], one["cols"], one["total_bytes"], one["is_active"])
            for one in kept["sessions"]], kept["active_session_id"]


class Same:
    """`with Same(served):` - nothing has changed in the end."""

    def __init__(self, served):
        self.served = served

    def __enter__(self):
        # A prompt may still be on its way.
        self.before, last = picture(self.served), None
        while last != self.before:
            time.sleep(0.1)
            last, self.before = self.before, picture(self.served)

    def __exit__(self, kind, value, trace):
        if kind is None:
            after = picture(self.served)
            check.need(after == self.before, f"{self.before} became {after}")


def protocol(served):
    def code_of(answer):
        return answer.get("error", {}).get("code")

    with step("-32600, -32601, -32602, -32603: what T-06 says, and the name of an unknown tool"):
        served.link.send({"jsonrpc": "1.0", "id": 900, "method": "tools/list"})
        check.need(code_of(served.finish(900)) == -32600, "a wrong version")
        served.link.send({"jsonrpc": "2.0", "id": 901})
        check.need(code_of(served.finish(901)) == -32600, "no method")
        check.need(code_of(served.ask("tools/destroy")) == -32601, "an unknown method")
        check.need(code_of(served.ask("tools/call", arguments={})) == -32602, "no name")
        answer = served.ask("tools/call", name="rm_everything", arguments={})
        check.need(answer["error"] == {**answer["error"], "code": -32602,
                                       "message": "Unknown tool: rm_everything"}, answer)
    session = served.new(name="mine")
    with step("missing, ill-typed, unknown and too large arguments of every tool are -32602"), Same(served):
        wrong = {
            "execute_command": [{}, {"command": ""}, {"command": 1}, {"command": "x\0y"}, {"command": "x" * 1048577},
                                {"command": "x", "timeout_ms": -1}, {"command": "x", "timeout_ms": 86400001},
                                {"command": "x", "yield_ms": 55001}, {"command": "x", "timeout_ms": 1.5},
                                {"command": "x", "on_timeout": "pray"}, {"command": "x", "if_busy": "kill"},
                                {"command": "x", "env": {"A": 1}}, {"command": "x", "max_bytes": 1048577},
                                {"command": "x", "lines": 10001}, {"command": "x", "format": "html"},
                                {"command": "x", "omit": "all"}, {"command": "x", "stdin": "y"},
                                {"command": "x", "pty": False}],
            "get_terminal_output": [{"lines": 0}, {"lines": 10001}, {"lines": "many"}, {"wait_ms": 55001},
                                    {"lines": 5, "cursor": "c1.0.0"}],
            "list_sessions": [{"project_id": 1}, {"include_closed": "yes"}],
            "create_session": [{"name": ""}, {"name": "x" * 65}, {"name": "a\nb"}, {"cols": 19}, {"cols": 501},
                               {"rows": 4}, {"rows": 201}, {"project_id": "x" * 129}, {"sandbox": "maybe"},
                               {"program": "ls"}, {"program": []}],
            "switch_session": [{}, {"session_id": 7}],
            "search_history": [{}, {"query": ""}, {"query": "x" * 1001}, {"query": "x", "type": "both"},
                               {"query": "x", "limit": 0}, {"query": "x", "context": 6}],
            "send_keys": [{"session_id": session}, {"session_id": session, "text": "x", "keys": ["Enter"]},
                          {"session_id": session, "keys": "Enter"}],
            "wait_for": [{"session_id": session}, {"session_id": session, "until": "rain"},
                         {"session_id": session, "until": "pattern"}, {"session_id": session, "until": "exit",
                                                                        "timeout_ms": 0}],
            "get_screen": [{"session_id": session, "format": "png"}, {"session_id": session, "scrollback": 1001}],
            "signal": [{"session_id": session, "signal": "STOPIT"}, {"session_id": session, "target": "init"}],
            "resize_session": [{"session_id": session}, {"session_id": session, "cols": 19, "rows": 24},
                               {"session_id": session, "cols": 80, "rows": 201}],
            "close_session": [{}, {"session_id": session, "grace_ms": -1}],
            "check_command": [{}, {"command": 1}],
            "hand_over": [{"session_id": session, "message": "x", "until": "never"}, {}],
        }
        check.need(set(wrong) == set(TOOLS), "every tool")
        for name, calls in wrong.items():
            for arguments in calls + [{**(calls[-1] if name == "list_sessions" else {}), "no_such_argument": 1}]:
                answer = served.call(name, **arguments)
                check.need(code_of(answer) == -32602, f"{name} {str(arguments)[:120]}: {str(answer)[:300]}")
    served.ends(session)


def sessions(served):
    with step("no_session, unknown_session, unknown_command: before there is any"):
        served.refused("no_session", "get_terminal_output")
        for name, more in (("switch_session", {}), ("get_screen", {}), ("close_session", {}), ("signal", {}),
                           ("send_keys", {"text": "x"}), ("execute_command", {"command": "x"}),
                           ("get_terminal_output", {}), ("wait_for", {"until": "exit"}), ("hand_over", {"message": "x"}),
                           ("resize_session", {"cols": 80, "rows": 24}), ("check_command", {"command": "ls"})):
            for guess in (NOTHING, "ses_x", "*", "../../etc"):
                served.refused("unknown_session", name, session_id=guess, **more)
        for name, more in (("get_terminal_output", {}), ("signal", {}), ("wait_for", {"until": "exit"})):
            served.refused("unknown_command", name, command_id="cmd_" + "a" * 38, **more)
        check.need(served.tool("list_sessions")["count"] == 0, "no session came of it")
    session = served.new()
    place = os.path.realpath(served.home)
    with step("cwd_not_found, cwd_not_directory, cwd_not_allowed; shells and programs that are none"), Same(served):
        file = served.put("home/file", "x")
        os.symlink("/", os.path.join(served.home, "out"))
        for name, more in (("create_session", {}), ("execute_command", {"command": "pwd"})):
            served.refused("cwd_not_found", name, cwd=os.path.join(place, "nothing"), **more)
            served.refused("cwd_not_directory", name, cwd=os.path.realpath(file), **more)
            for outside in ("/", "/etc", os.path.join(place, "out"), os.path.join(place, ".."),
                            os.path.join(place, "out/etc")):
                error = served.refused("cwd_not_allowed", name, cwd=outside, **more)
                check.need("start" in error["message"] + str(error.get("hint")), "where commands start: " + str(error))
        served.refused("shell_not_allowed", "create_session", shell="/usr/bin/python3")
    with step("spawn_failed: what could not be started is not among the sessions, and not the active one"):
        before = served.tool("list_sessions")["active_session_id"]
        for program in ("/nothing/of/the/kind", os.path.realpath(file), place):
            served.refused("spawn_failed", "create_session", program=[program])
        kept = served.tool("list_sessions")
        check.need((kept["count"], kept["active_session_id"]) == (1, before), kept)
    served.run("true")
    with step("invalid_key, invalid_cursor, invalid_pattern, pattern_limit"), Same(served):
        error = served.refused("invalid_key", "send_keys", session_id=session, keys=["Retrun"])
        check.need("Enter" in error["message"] + str(error.get("hint")), "the names there are")
        for cursor in ("", "x", "c1.x.0", "c1.ffff.99", "c1..", "h1.0", "c1.0.-1"):
            answer = served.call("get_terminal_output", session_id=session, cursor=cursor)
            check.need(answer.get("error", {}).get("code") == -32602 or answer["result"]["structuredContent"]
                       ["error"]["code"] == "invalid_cursor", f"{cursor!r}: {answer}")
        served.refused("invalid_cursor", "search_history", query="x", cursor="h9.x")
        for value in ("(", "[", "a{2,1}", "(?<n>x"):
            served.refused("invalid_pattern", "wait_for", session_id=session, until="pattern", value=value)
            served.refused("invalid_pattern", "search_history", query=value, syntax="regex")
    with step("pattern_limit: a pattern that would take for ever is an error, and a quick one"):
        served.run("printf '%s\\n' " + "a" * 60, session_id=session)
        begun = time.monotonic()
        served.refused("pattern_limit", "search_history", query="(a+)+(a+)+(a+)+[bx]$", syntax="regex")
        check.need_soon(begun, 5)
        number = served.start("wait_for", session_id=session, until="pattern", value="(a+)+(a+)+(a+)+$x")
        served.tool("send_keys", session_id=session, text="echo " + "a" * 70 + "!", enter=True)
        result = served.finish(number)["result"]
        check.need(result["structuredContent"]["error"]["code"] == "pattern_limit", result)
        kit.check_refusal(result)
        served.answers_within()


def busy(served):
    session = served.new()
    with step("busy, not_at_prompt; a command that waits for input is not queued behind"):
        running = served.run("sleep 30", yield_ms=200, session_id=session)
        check.need(running["status"] == "running", running)
        error = served.refused("busy", "execute_command", command="echo x", session_id=session, if_busy="fail")
        check.need(running["command_id"] in error["message"] + json.dumps(error.get("data", {})), error)
        served.tool("signal", session_id=session)
        served.tool("wait_for", command_id=running["command_id"], until="exit")
        reading = served.run("cat >/dev/null", session_id=session)
        check.need(reading["status"] == "waiting_input", reading)
        error = served.refused("not_at_prompt", "execute_command", command="echo x", session_id=session)
        check.need("cat" in error["message"] and "send_keys" in error["hint"], error)
    with step("line_too_long: what the kernel would drop is not sent"):
        before = served.info(session)["total_bytes"]
        served.refused("line_too_long", "send_keys", session_id=session, text="x" * 4096, enter=True)
        check.need(served.info(session)["total_bytes"] == before, "it was sent")
        served.tool("send_keys", session_id=session, keys=["C-c"])
        served.tool("wait_for", session_id=session, until="exit")
    with step("input_too_large: more lines than are looked at in one call are not sent, and hold nobody up"):
        shell = served.new()
        served.run("true", session_id=shell)
        time.sleep(0.5)  # its prompt
        before = served.info(shell)["total_bytes"]
        for lines in ("\n" * (1 << 20), "a\\\n" * 20000, "true\n" * 2000):
            number = served.start("send_keys", session_id=shell, text=lines)
            served.answers_within(2.0)
            answer = served.finish(number)["result"]["structuredContent"]
            check.need(answer.get("error", {}).get("code") == "input_too_large", answer)
        check.need(served.info(shell)["total_bytes"] == before, "it was sent")
        served.ends(shell)
    with step("cancelled: the call ends, the command is interrupted"):
        number = served.start("execute_command", command="sleep 25", session_id=session)
        served.until(lambda: served.info(session)["state"] == "running", "it runs")
        served.link.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
        served.until(lambda: served.info(session)["state"] == "idle", "it was interrupted")
    with step("a text that is nested too deeply to say what it runs is not run unasked"):
        deep = "$(" * 5000 + "true" + ")" * 5000
        for name in ("check_command", "execute_command"):
            result = served.call(name, command=deep, session_id=session)["result"]
            said = result["structuredContent"]
            check.need(said.get("decision") == "confirm" or said.get("error") == "CONSENT_UNAVAILABLE", str(said)[:300])
    with step("session_exited, then session_closed; what it printed can be read, closing it again is a success"):
        gone = served.new(activate=False)
        done = served.run("echo last; exit 3", session_id=gone)
        check.need((done["status"], done["exit_code"]) == ("session_exited", 3), done)
        for name, more in (("execute_command", {"command": "x"}), ("send_keys", {"text": "x"}),
                           ("resize_session", {"cols": 80, "rows": 24}), ("hand_over", {"message": "x"})):
            answer = served.call(name, session_id=gone, **more)["result"]
            kit.check_refusal(answer)
            error = answer["structuredContent"]["error"]
            check.need(error["code"] in ("session_exited", "session_closed"), error)
            check.need("exit code 3" in error["message"] and "create_session" in error["hint"], error)
        served.refused("session_closed", "switch_session", session_id=gone)
        check.need("last" in served.tool("get_terminal_output", command_id=done["command_id"])["output"], "output")
        served.ends(gone)
        served.ends(gone)
        error = served.call("execute_command", command="x", session_id=gone)["result"]["structuredContent"]["error"]
        check.need(error["code"] in ("session_exited", "session_closed"), error)
        check.need(served.tool("signal", session_id=gone)["delivered_to"] == [], "a signal to nobody")
    served.ends(session)


def stuck(served):
    session = served.new(activate=False)
    with step("stuck: a shell that stops itself again and again shows no prompt, and only its session is lost by that"):
        done = served.run("trap '' INT TERM HUP; while :; do kill -STOP $$; done", session_id=session, timeout_ms=500,
                          yield_ms=15000)
        served.until(lambda: served.info(session)["stuck"], f"stuck after {done['status']}", 15)
        served.refused("stuck", "execute_command", command="x", session_id=session)
        served.answers_within()
        served.ends(session, force=True)


def consent():
    rules = {"terminal": {"default": "allow", "rules": [
        {"id": "t-deny", "action": "deny", "command": "denied-word"},
        {"id": "t-ask", "action": "confirm", "command": "asked-word"}]}}
    with kit.Served(policy=rules) as served:
        session = served.new()
        with step("denied_by_policy, confirmation_required: nothing reaches the shell"), Same(served):
            for name, more in (("execute_command", {"command": "denied-word"}),
                               ("send_keys", {"session_id": session, "text": "denied-word", "enter": True}),
                               ("create_session", {"program": ["denied-word"]})):
                error = served.refused("denied_by_policy", name, **more)
                check.need("t-deny" in error["message"], error)
            # Consent is shared machinery: its errors look the same in every app (ARCHITECTURE 3).
            error = served.call("execute_command", command="asked-word now")["result"]
            # Over stdio nobody can be reached, so the sentence says what would help (10.2).
            check.need(error["isError"] and error["structuredContent"]["error"] == "CONSENT_UNAVAILABLE" and
                       "policy.json" in error["structuredContent"]["message"] and
                       error["content"][0]["text"] == error["structuredContent"]["message"], error)
        served.end()
    with kit.Served(policy=rules, capabilities={"elicitation": {"form": {}}}) as served:
        session = served.new()
        with step("confirmation_declined: a person who refuses, and one who closes the window"):
            asked = []
            for action in ("decline", "cancel"):
                served.on_ask = lambda method, params, action=action: asked.append(params) or {"action": action}
                error = served.call("execute_command", command="asked-word now")["result"]
                check.need(error["isError"] and error["structuredContent"]["error"] in
                           ("CONSENT_DECLINED", "CONSENT_UNAVAILABLE"), error)
            check.need(len(asked) == 2 and "asked-word now" in json.dumps(asked[0]), asked)
            check.need("asked-word" not in served.tool("get_terminal_output", session_id=session)["output"],
                       "it was run")
        served.end()


def limits():
    settings = {"terminal": {"max_sessions": 2, "max_concurrent_calls": 2}}
    with kit.Served(settings=settings, env={"TENON_TEST_LANDLOCK_ABI": "0"}) as served:
        kept = [served.new(), served.new()]
        with step("session_limit: the ids of those that are idle"), Same(served):
            error = served.refused("session_limit", "create_session")
            check.need(all(one in error["message"] for one in kept), error)
            served.refused("session_limit", "execute_command", command="true", isolated=True)
        with step("rate_limited: calls that wait, and nothing is forgotten of them"):
            waits = [served.start("wait_for", session_id=kept[0], until="text", value="never-said", timeout_ms=3000)
                     for _ in range(2)]
            served.refused("rate_limited", "wait_for", session_id=kept[0], until="exit")
            for number in waits:
                check.need(served.finish(number)["result"]["structuredContent"]["reason"] == "timed_out", "it waited")
        with step("sandbox_unavailable, where it would hold nobody; never a session without it"):
            served.ends(kept.pop())
            if os.geteuid() == 0 or not shutil.which("bwrap"):
                served.refused("sandbox_unavailable", "create_session", sandbox="on")
                check.need(served.tool("list_sessions")["count"] == 1, "no session without it")
            else:
                check.need(served.tool("create_session", sandbox="on")["session"]["sandbox"], "it says so")
        served.end()
    with kit.Served("--set", "sandbox=landlock", env={"TENON_TEST_LANDLOCK_ABI": "0"}) as served:
        with step("sandbox_unavailable with landlock where there is neither that nor bubblewrap"):
            if os.geteuid() == 0 or not shutil.which("bwrap"):
                error = served.refused("sandbox_unavailable", "execute_command", command="true", isolated=True)
                check.need("Landlock" in error["message"] and "bubblewrap" in error["message"], error)
            else:
                check.need(served.tool("create_session")["session"]["sandbox"] == "bubblewrap", "the other one")
        served.end()
    with kit.Served("--set", "rate_per_minute=3") as served:
        with step("rate_limited: calls in a minute, and how long to wait"):
            for _ in range(3):
                served.tool("list_sessions")
            error = served.refused("rate_limited", "list_sessions")
            check.need(0 < error["data"]["retry_after_ms"] <= 60000, error)
        served.end()
    with kit.Served(hello=False) as served:
        os.makedirs(os.path.join(served.state, "tenon/terminal/history.db"))  # a folder is no database
        served.begin()
        with step("history_unavailable: terminals go on without it (9)"):
            check.need(served.run("echo on")["output"].strip() == "on", "it runs")
            served.refused("history_unavailable", "search_history", query="on")
        served.end()


def expired():
    with kit.Served("--set", "closed_retention_s=1") as served:
        session = served.new()
        command = served.run("echo kept for a while")["command_id"]
        served.ends(session)
        with step("output_expired, session_closed: after the retention time, and not \"unknown\""):
            served.until(lambda: served.tool("list_sessions", include_closed=True)["count"] == 0, "it goes", 30)
            error = served.refused("output_expired", "get_terminal_output", command_id=command)
            check.need("search_history" in error["hint"], error)
            served.refused("session_closed", "get_screen", session_id=session)
        served.end()


def handed():
    with kit.Served() as served:
        session = served.new()
        with step("handed_over: until a person gives it back, a model can read and not type"):
            number = served.start("hand_over", session_id=session, message="Type your name", timeout_ms=4000)
            served.until(lambda: served.call("send_keys", session_id=session, text="x", wait_ms=0)["result"]
                         .get("isError"), "handed over")
            for name, more in (("execute_command", {"command": "x"}), ("send_keys", {"text": "x"})):
                served.refused("handed_over", name, session_id=session, **more)
            served.tool("get_screen", session_id=session)
            check.need(served.checked("hand_over", served.finish(number))["result"]["structuredContent"]["reason"] ==
                       "timed_out", "its end")
        served.end()


def placeholder():
    arguments = {"execute_command": {"command": "rm -rf /"}, "switch_session": {"session_id": NOTHING},
                 "search_history": {"query": "x"}, "send_keys": {"session_id": NOTHING, "text": "x"},
                 "wait_for": {"session_id": NOTHING, "until": "exit"}, "get_screen": {"session_id": NOTHING},
                 "signal": {"session_id": NOTHING}, "resize_session": {"session_id": NOTHING, "cols": 80, "rows": 24},
                 "close_session": {"session_id": NOTHING}, "hand_over": {"session_id": NOTHING, "message": "x"},
                 "check_command": {"command": "x"}}
    defaults = {"execute_command": {"timeout_ms": 30000, "cwd": "<current>"}, "get_terminal_output": {"lines": 100},
                "search_history": {"type": "all"}}
    with kit.Served("--backend", "none") as served:
        tools = served.ask("tools/list")["result"]["tools"]
        with step("tools are described: name, description, schemas; session_id can be routed by (T-03, T-09)"):
            check.need(set(TOOLS) <= {tool["name"] for tool in tools}, [tool["name"] for tool in tools])
            for tool in tools:
                schema = tool["inputSchema"]
                check.need(tool["description"] and schema["additionalProperties"] is False, tool)
                if "session_id" in schema["properties"]:
                    check.need(schema["properties"]["session_id"]["x-mcp-header"] == "Session", tool["name"])
        with step("without a backend every tool answers with a placeholder, defaults filled in (T-11)"):
            for name in TOOLS:
                given = arguments.get(name, {})
                result = served.call(name, **given)["result"]
                check.need(not result.get("isError") and result["structuredContent"]["placeholder"] is True, result)
                text = result["content"][0]["text"]
                check.need(text.startswith("Placeholder: no terminal backend is configured."), text)
                want = {**given, **defaults.get(name, {})}
                found = result["structuredContent"]["arguments"]
                check.need(found == {**found, **want}, f"{name}: {found}")
                check.need(all(json.dumps(value) in text for value in want.values()), text)
        with step("without a backend: unknown tools and arguments are refused as ever; nothing was started"):
            check.need(served.call("execute_command", command="x", other=1)["error"]["code"] == -32602, "argument")
            check.need(served.call("nothing")["error"]["message"] == "Unknown tool: nothing", "tool")
            check.need(served.ours() == [served.pid] or not served.ours(), served.ours())
        served.end()


def main():
    with kit.Served("--root", "home-is-put-here", hello=False) as served:
        served.words[served.words.index("home-is-put-here")] = os.path.realpath(served.home)
        served.begin()
        sessions(served)
        protocol(served)
        busy(served)
        stuck(served)
        with step("the server ends in order, and leaves no process"):
            code, left = served.end()
            check.need(code == 0 and not left, (code, left, served.said()[-300:]))
    for part in (consent, limits, expired, handed, placeholder):
        part()
    return 1 if check.failures else 0


sys.exit(main())
