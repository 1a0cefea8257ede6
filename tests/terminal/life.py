#!/usr/bin/env python3
"""life.py [PART...] - how sessions end, whoever ends first: no process is left, and what others had goes on.

terminal.md 4.2, 7.1, 12.1, 12.4, 12.5, 13.
"""
import os
import shutil
import signal
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import daemon  # noqa: E402
import links  # noqa: E402
import terminal  # noqa: E402

SUITE = "terminal-life"
ENDS_S = 5  # 12.4
# What a machine that does much else, and a sanitizer, add to it.
SLACK_S = 10 if check.sanitized() else 3
GRACE_S = 30


# ---- what is hard to end ----

# Each line leaves something behind that its shell does not wait for. MARK stands in every command line.
LEAVERS = """
sleep 3601.MARK &
nohup sleep 3602.MARK > /dev/null 2>&1 &
setsid sleep 3603.MARK &
(setsid sh -c 'sleep 3604.MARK & sleep 3604.MARK' &) &
python3 FOLDER/deaf.py MARK
sh -c 'kill -STOP $$; sleep 3606' MARK &
python3 FOLDER/forks.py MARK
env -i /bin/sleep 3607.MARK &
"""
# A daemon as they come: forked twice, a session of its own, deaf to every polite signal.
DEAF = """
import os, signal, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        time.sleep(3605)
    os._exit(0)
os.wait()
"""
# Forks faster than anybody looks: each child makes the next one and goes. (A file: the policy's rules deny
# this on the command line.)
FORKS = """
import os, time
if os.fork() == 0:
    os.setsid()
    while os.fork() == 0:
        time.sleep(0.02)
    os._exit(0)
"""
FOLDER = tempfile.mkdtemp(prefix="tenon-life-")
for name, text in (("deaf.py", DEAF), ("forks.py", FORKS)):
    with open(os.path.join(FOLDER, name), "w", encoding="utf-8") as file:
        file.write(text)


def leave(client, mark, session=None):
    """A session with all of it, and a command in front."""
    where = {"session_id": session or client.create(shell="bash")}
    begun = client.run(LEAVERS.replace("MARK", mark).replace("FOLDER", FOLDER), timeout_ms=0, **where)
    check.need(begun["status"] == "completed", begun)
    front = client.run(f"sh -c 'trap \"\" HUP TERM; sleep 3600.{mark}; sleep 3600.{mark}'", timeout_ms=0, yield_ms=0,
                       **where)
    daemon.wait_until(lambda: len(terminal.marked(mark)) >= 9, "everything that is left behind runs")
    return where["session_id"], front["command_id"]


def gone_within(mark, seconds):
    took = terminal.wait_gone(mark, seconds + SLACK_S)
    print(f"life: gone after {took:.1f} s of {seconds}", flush=True)


# ---- `tenon serve terminal` ends ----


def marks():
    """A word for each, that nothing else on this machine has."""
    number = 0
    while True:
        number += 1
        yield f"{os.getpid()}{number}0{int(time.time()) % 100000}"


MARKS = marks()


def kill_dead(place):
    os.kill(place.pid, signal.SIGKILL)


def kill_softly(place):
    os.kill(place.pid, signal.SIGTERM)


def close_input(place):
    place.link.process.stdin.close()


def standalone():
    """12.4: whatever ends it, within 5 s no process is left."""
    for name, end in (("kill -9", kill_dead), ("SIGTERM", kill_softly), ("end of input", close_input)):
        mark = next(MARKS)
        with check.Step(SUITE, f"serve terminal, {name}: nothing is left"):
            with terminal.Served() as place:
                leave(place.client, mark)
                leave(place.client, mark)
                below = terminal.below(place.pid)
                end(place)
                gone_within(mark, ENDS_S)
                daemon.wait_until(lambda pids=below: not any(daemon.is_alive(pid) for pid in pids),
                                  "host and keepers go", ENDS_S + SLACK_S)
                if end is not kill_dead:
                    check.need(place.link.process.wait(20) == (0 if end is close_input else 0), "exit code")
    mark = next(MARKS)
    with check.Step(SUITE, "serve terminal, its parent dies: nothing is left"):
        # The parent keeps the pipe's other ends open in a third process, so that only its death tells.
        with terminal.Served(command=(sys.executable, "-c", "import subprocess, sys; "
                                      "sys.exit(subprocess.call(sys.argv[1:]))")) as place:
            leave(place.client, mark)
            os.kill(place.pid, signal.SIGKILL)
            gone_within(mark, ENDS_S)


def closing():
    """7.12, 12.4: closing a session ends all of it, and tells whom it had to kill."""
    mark = next(MARKS)
    with terminal.Served() as place:
        client = place.client
        with check.Step(SUITE, "close_session ends all that it has started; zombies are reaped"):
            other = client.create(shell="bash")
            busy = client.run(f"sleep 3600.{mark}9", session_id=other, timeout_ms=0, yield_ms=0)
            session, command = leave(client, mark + "8")
            closed = client.use("close_session", session_id=session, grace_ms=1500)
            check.need(closed["killed"], closed)
            left = terminal.marked(mark + "8")
            check.need(not left, f"{len(left)} are left")
            check.need(client.use("wait_for", command_id=command, until="exit")["reason"] in ("matched", "exited"),
                       "the command's end is not told")
            check.need(client.code_of("execute_command", command="true", session_id=session) == "session_closed",
                       "it is still there")
            check.need(client.use("close_session", session_id=session)["killed"] == [], "closed twice")
            check.need(client.states()[other] in ("running", "waiting_input"), client.states())
            check.need(terminal.marked(mark + "9"), f"another session's command has ended: {busy}")
            zombies = [pid for pid in terminal.below(place.pid) if not daemon.is_alive(pid)]
            check.need(not zombies, f"zombies: {zombies}")


# ---- relays and clients come and go ----


def relay(home):
    link = links.Stdio([daemon.TENON, "mcp", "terminal"], env=home.env)
    return link, terminal.Assistant(link)


def clients():
    """4.2, 12.1, 12.4: a session outlives the conversation that made it."""
    mark = next(MARKS)
    with daemon.Home(TENON_CONSENT="allow") as home:
        home.foreground()
        with check.Step(SUITE, "a relay is killed: session, active session and running command go on"):
            link, client = relay(home)
            session = client.create(shell="bash", name="kept")
            client.run("cd /tmp; marker=there")
            cursor = client.use("get_terminal_output")["next_cursor"]
            running = client.run(f"for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.25; done; (exit 9) # {mark}",
                                 timeout_ms=0, yield_ms=300)
            check.need(running["status"] == "running", running)
            link.process.kill()
            link.process.wait()
            link, client = relay(home)
            listed = client.use("list_sessions")
            check.need(listed["active_session_id"] == session, listed)
            ended = client.use("wait_for", command_id=running["command_id"], until="exit")
            check.need(ended["command"]["exit_code"] == 9, ended)
            result, _ = client.all_output(command_id=running["command_id"])
            check.need(result == b"".join(b"%d\r\n" % i for i in range(1, 9)), result)
            check.need(b"1\r\n2\r\n" in client.all_output(cursor=cursor)[0], "the older cursor")
            check.need(client.run("echo $marker $PWD")["output"].strip() == "there /tmp", "another shell")
            link.close()
        with check.Step(SUITE, "two relays of one host at once: neither types into the other's session (HO-012)"):
            link, client = relay(home)
            check.need(client.use("list_sessions")["active_session_id"] == session, "it goes on")
            beside, other = relay(home)
            check.need(not other.use("list_sessions").get("active_session_id"), "the other's session")
            check.need(other.run("cd /usr; marker=other; echo $marker")["output"].strip() == "other", "a session of its own")
            check.need(client.run("echo $marker $PWD")["output"].strip() == "there /tmp", "what the other typed")
            other.use("close_session", session_id=other.use("list_sessions")["active_session_id"])
            beside.close()
            link.close()
        with check.Step(SUITE, "a relay ends while its call waits: the command goes on unless it was to end (7.1)"):
            link, client = relay(home)
            client.begin("execute_command", command=f"sleep 3600.{mark}", timeout_ms=0, session_id=session)
            daemon.wait_until(lambda: terminal.marked(mark), "the command runs")
            link.process.kill()
            link.process.wait()
            time.sleep(1)
            check.need(terminal.marked(mark), "the command has ended with its caller")
        with check.Step(SUITE, "the daemon ends in order, and everything with it"):
            link, client = relay(home)
            leave(client, mark)
            link.close()
            home.stop()
            gone_within(mark, ENDS_S)
            daemon.wait_until(lambda: not home.processes(), "host and keepers go", ENDS_S + SLACK_S)
    with check.Step(SUITE, "the daemon is killed and none follows: all is gone within the grace"):
        grace = GRACE_S if os.environ.get("LOAD_LONG") else 3
        setting = {} if grace == GRACE_S else {"TENON_TERMINAL_HOST_GRACE_S": str(grace)}
        with daemon.Home(TENON_CONSENT="allow", **setting) as home:
            child = home.foreground()
            link, client = relay(home)
            leave(client, mark)
            link.process.kill()
            link.process.wait()
            child.kill()
            child.wait()
            time.sleep(grace / 2)
            check.need(terminal.marked(mark), "the grace is not given")
            gone_within(mark, grace / 2 + (0 if grace == GRACE_S else ENDS_S))
            daemon.wait_until(lambda: not home.processes(), "host and keepers go", SLACK_S + 5)


def two_servers():
    """12.4: a second server on the same folders takes nothing from the first."""
    mark = next(MARKS)
    with daemon.Home(TENON_CONSENT="allow") as home:
        child = home.foreground()
        link, client = relay(home)
        session = client.create(shell="bash")
        running = client.run(f"echo begun; sleep 3600.{mark}", timeout_ms=0, yield_ms=300)
        for words in ([], ["--persist", "host"]):
            with check.Step(SUITE, f"serve terminal {' '.join(words)} beside a daemon leaves its sessions alone"):
                beside = links.Stdio([daemon.TENON, "serve", "terminal", *words], env=home.env)
                try:
                    other = terminal.Assistant(beside)
                    check.need(other.run("echo here")["output"].strip() == "here", "the second one works")
                except links.Lost:
                    check.need(words, "it has ended")  # two cannot keep the same sessions
                beside.close(20)
                check.need(terminal.marked(mark), "the daemon's command has ended")
                found = client.all_output(command_id=running["command_id"])[0]
                check.need(found == b"begun\r\n", found)
                folder = home.path("state", "tenon", "terminal")
                for part in ("run", "spool"):
                    check.need(os.listdir(os.path.join(folder, part)) == [session],
                               (part, os.listdir(os.path.join(folder, part)), session))
        with check.Step(SUITE, "nor between a daemon that was killed and the next one"):
            link.process.kill()
            link.process.wait()
            child.kill()
            child.wait()
            beside = links.Stdio([daemon.TENON, "serve", "terminal", "--persist", "host"], env=home.env)
            check.need(terminal.Assistant(beside).run("echo here")["output"].strip() == "here", "the second one works")
            beside.close(20)
            home.foreground()
            link, client = relay(home)
            check.need(client.states() == {session: "running"}, client.states())
            check.need(terminal.marked(mark), "the daemon's command has ended")
        with check.Step(SUITE, "and the daemon's session goes on"):
            client.use("signal", command_id=running["command_id"], signal="INT")
            check.need(client.use("wait_for", command_id=running["command_id"], until="exit")["command"]["exit_code"]
                       == 130, "its end")
            check.need(client.run("echo still")["output"].strip() == "still", "the next command")
        link.close()
        home.stop()


# ---- limits and time ----


def times():
    """4.2, 12.5: idle_timeout_s and closed_retention_s."""
    with terminal.Served("--set", "idle_timeout_s=60", "--set", "closed_retention_s=4", *terminal.UNLIMITED) as place:
        client = place.client
        with check.Step(SUITE, "a session that nobody uses closes; one with a command does not"):
            idle = client.create(shell="bash", idle_timeout_s=3)
            busy = client.create(shell="bash", idle_timeout_s=3)
            client.run("sleep 3600", session_id=busy, timeout_ms=0, yield_ms=0)
            client.run("echo kept", session_id=idle)
            begun = time.monotonic()
            daemon.wait_until(lambda: idle not in client.states(), "the idle one closes", 20)
            check.need(time.monotonic() - begun > 2, "it was closed too early")
            check.need(client.states().get(busy) == "running", client.states())
            check.need(client.code_of("execute_command", command="true", session_id=idle) in
                       ("session_closed", "session_exited"), "its code")
            check.need("kept" in client.use("get_terminal_output", session_id=idle)["output"], "its output")
        with check.Step(SUITE, "a closed one is forgotten after its retention"):
            check.need(idle in client.states(include_closed=True), "it is not listed")
            daemon.wait_until(lambda: idle not in client.states(include_closed=True), "it is forgotten", 25)
            try:
                client.use("get_terminal_output", session_id=idle)
                check.need(False, "it can still be read")
            except terminal.Fault as fault:
                check.need(fault.code == "session_closed" and "session" in str(fault), fault)
            folders = [os.path.join(place.env["XDG_STATE_HOME"], "tenon/terminal", part) for part in ("run", "spool")]
            check.need(all(os.listdir(folder) == [busy] for folder in folders), "its files are left")


def limits():
    """12.5, 13: session_limit, rate_limited, busy."""
    with terminal.Served("--set", "max_sessions=4", "--set", "max_sessions_per_caller=3") as place:
        client = place.client
        with check.Step(SUITE, "session_limit names the ids of the oldest idle ones"):
            ids = [client.create(shell="dash") for _ in range(3)]
            client.run("sleep 3600", session_id=ids[0], timeout_ms=0, yield_ms=0)
            try:
                client.create(shell="dash")
                check.need(False, "a fourth one")
            except terminal.Fault as fault:
                check.need(fault.code == "session_limit", fault)
                check.need(all(one in str(fault) for one in ids[1:]) and ids[0] not in str(fault), fault)
            client.use("close_session", session_id=ids[1], grace_ms=500)
            client.create(shell="dash")
    with terminal.Served("--set", "rate_per_minute=30") as place:
        client = place.client
        with check.Step(SUITE, "rate_limited says after how long to come again"):
            fault = None
            for _ in range(40):
                try:
                    client.use("list_sessions")
                except terminal.Fault as found:
                    fault = found
                    break
            check.need(fault and fault.code == "rate_limited", fault)
            after = fault.error["data"]["retry_after_ms"]
            check.need(0 < after <= 2100, fault.error)
            time.sleep(after / 1000)
            client.use("list_sessions")


def queue():
    """7.1: first in, first out; the queue counts against yield_ms; other ways when it is busy."""
    with terminal.Served(*terminal.UNLIMITED) as place:
        client = place.client
        for shell in ("bash", "dash"):
            session = client.create(shell=shell)
            with check.Step(SUITE, f"commands that wait run in their order ({shell})"):
                first = client.run("sleep 1.5; echo first", session_id=session, yield_ms=0)
                check.need(first["status"] in ("running", "queued"), first)
                numbers = [client.begin("execute_command", command=f"echo {i}; (exit {i})", session_id=session)
                           for i in range(20)]
                late = client.run("echo late", session_id=session, yield_ms=100)
                check.need(late["status"] == "queued" and late["exit_code"] is None and not late["output"], late)
                check.need(client.code_of("execute_command", command="true", session_id=session, if_busy="fail") ==
                           "busy", "if_busy: fail")
                results = [client.end(number) for number in numbers]
                for i, result in enumerate(results):
                    check.need((result["exit_code"], result["output"].strip()) == (i, str(i)), (i, result))
                waited = client.use("wait_for", command_id=late["command_id"], until="exit")
                check.need(waited["command"]["exit_code"] == 0, waited)
                starts = [one["started_at"] for one in results]
                check.need(starts == sorted(starts), starts)
                whole = client.all_output(cursor=first["next_cursor"], session_id=session)[0].decode()
                places = [whole.index(f"\n{i}\r\n") for i in range(20)]
                check.need(places == sorted(places) and whole.rindex("late") > places[-1], whole)
        with check.Step(SUITE, "if_busy: new_session runs beside it, in the same directory, and closes itself"):
            session = client.create(shell="bash", cwd="/usr")
            client.run("cd /tmp; sleep 3600", session_id=session, timeout_ms=0, yield_ms=300)
            result = client.run("pwd; (exit 4)", session_id=session, if_busy="new_session")
            check.need((result["exit_code"], result["session_id"] != session) == (4, True), result)
            check.need(result["output"].strip() in ("/tmp", "/usr"), result)
            daemon.wait_until(lambda: result["session_id"] not in client.states(), "it closes itself", 10)
            read = client.use("get_terminal_output", command_id=result["command_id"])
            check.need(read["output"].strip() == result["output"].strip(), read)
            check.need(client.use("list_sessions")["active_session_id"] == session, "the active session")


def back_to_back():
    """5.2: the next command may come while the shell is on its way to its prompt, or just made."""
    user = {"TENON_TERMINAL_RATE_PER_MINUTE": "0"}
    for shell in ("bash", "zsh", "fish", "dash"):
        if not any(os.access(os.path.join(folder, shell), os.X_OK) for folder in ("/bin", "/usr/bin")):
            continue
        with terminal.Served(env=user) as place, check.Step(SUITE, f"one command after the other, at once ({shell})"):
            client = place.client
            for round_ in range(4):
                session = client.create(shell=shell) if round_ % 2 else None
                if not session:  # nothing waits for its prompt but the command
                    number = client.begin("create_session", shell=shell)
                    session = client.end(number)["session"]["id"]
                for i in range(40):
                    sent = [client.begin("execute_command", command=f"echo {i}.{k}", session_id=session,
                                         cwd="/" if i % 3 == 0 else "/usr", yield_ms=50000) for k in range(1 + i % 3)]
                    for k, number in enumerate(sent):
                        result = client.end(number)
                        good = ((result["status"], result["exit_code"], result["output"].strip()) ==
                                ("completed", 0, f"{i}.{k}"))
                        seen = {} if good else client.use("get_screen", session_id=session)
                        check.need(good, f"{i}.{k}: {result['status']} {result['output']!r} {seen}")
    with check.Step(SUITE, "the first command of all, with a directory, as another user"):
        options = () if os.geteuid() else ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
        if options and not any(os.access(os.path.join(folder, "setpriv"), os.X_OK) for folder in ("/bin", "/usr/bin")):
            return
        for round_ in range(6):
            with terminal.Served(command=("sh", "-c", 'chown -R nobody "$HOME" 2> /dev/null; exec "$@"', "sh",
                                          *options)) as place:
                numbers = [place.client.begin("execute_command", command=f"echo {i}", cwd="/") for i in range(3)]
                results = [place.client.end(number) for number in numbers]
                check.need([one["output"].strip() for one in results] == ["0", "1", "2"], results)


def not_started():
    """13: what cannot be started says why, also where a session is made by the way."""
    with terminal.Served("--set", "sandbox=bubblewrap") as place:
        with check.Step(SUITE, "execute_command where the sandbox does not work: sandbox_unavailable"):
            code = place.client.code_of("create_session")
            if code is None:
                print("life: skipped: the sandbox works here", flush=True)
                return
            for arguments in ({}, {"isolated": True}, {"isolated": True, "pty": False}):
                found = place.client.code_of("execute_command", command="true", **arguments)
                check.need(found == code == "sandbox_unavailable", (arguments, found, code))


PARTS = {"standalone": standalone, "closing": closing, "clients": clients, "two_servers": two_servers,
         "times": times, "limits": limits, "queue": queue, "back_to_back": back_to_back, "not_started": not_started}

for part in sys.argv[1:] or PARTS:
    with check.Step(SUITE, part):
        PARTS[part]()
shutil.rmtree(FOLDER)
sys.exit(check.failures > 0)
