#!/usr/bin/env python3
"""confined.py - sessions under Landlock (terminal.md 10, layer 2): attempts to get out, with the kernel's ABI and
with older ones; ordinary work, which must go on; what is left of what stays behind."""
import ctypes
import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import kit
from kit import check

SUITE = "terminal-confined"
HERE = os.path.dirname(os.path.abspath(__file__))
# What is about to run is not what is tested here.
OPEN = {"terminal": {"rules": [], "opaque": "allow", "hidden": "allow"}}


def step(name):
    return check.Step(SUITE, name)


def name_of(pid):
    try:
        with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""


def parent_of(pid):
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        return int(file.read().rpartition(")")[2].split()[1])


def drop_capabilities():
    for number in range(64):
        ctypes.CDLL(None).prctl(24, number, 0, 0, 0)  # PR_CAPBSET_DROP; refused of who has none


class Confined(kit.Served):
    """A server whose sessions are confined to the folder `work`; beside it are things to attack."""

    def __init__(self, abi=None, network="host", policy=None, **more):
        env = {"TENON_TEST_LANDLOCK_ABI": str(abi)} if abi is not None else {}
        super().__init__("--set", "sandbox=landlock", "--set", f"sandbox_network={network}", env=env,
                         policy=policy or OPEN, hello=False, **more)
        self.work, self.outside = os.path.join(self.folder, "work"), os.path.join(self.folder, "outside")
        os.mkdir(self.work)
        self.words += ["--root", self.work]
        self.network = network == "host"
        self.closing = []
        self.secrets = []
        for name in ("home/.ssh/id_ed25519", "home/.aws/credentials", "config/tenon/policy.json",
                     "state/tenon/secret", "run/tenon/tenond.json"):
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True, mode=0o700)
            self.secrets.append(self.put(name, "secret\n", 0o600))
        os.makedirs(os.path.join(self.home, ".local/bin"))
        self.begin()

    def prepare(self):
        os.makedirs(os.path.join(self.outside, "empty"))
        self.put("outside/file", "untouched\n")
        # As root, too, it has no more privileges than who attacks it: the kernel would protect it for that alone.
        victim = subprocess.Popen(["sleep", "600"], start_new_session=True,  # pylint: disable=consider-using-with
                                  preexec_fn=drop_capabilities)  # pylint: disable=subprocess-popen-preexec-fn
        self.closing.append(victim.kill)
        ends = {}
        for name, family, kind, address in (
                ("socket", socket.AF_UNIX, socket.SOCK_STREAM, os.path.join(self.outside, "socket")),
                ("datagram", socket.AF_UNIX, socket.SOCK_DGRAM, os.path.join(self.outside, "datagram")),
                ("abstract", socket.AF_UNIX, socket.SOCK_STREAM, "\0tenon-confined-%d" % os.getpid()),
                ("tcp", socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
                ("udp", socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))):
            end = socket.socket(family, kind)
            end.bind(address)
            if kind == socket.SOCK_STREAM:
                end.listen(64)
            ends[name] = end
            self.closing.append(end.close)
        targets = {"outside": self.outside, "work": self.work, "secrets": self.secrets, "server": self.pid,
                   "victim": victim.pid, "network": self.network, "ours": sorted(self.ours()),
                   "socket": ends["socket"].getsockname(), "datagram": ends["datagram"].getsockname(),
                   "abstract": "tenon-confined-%d" % os.getpid(),
                   "tcp": ends["tcp"].getsockname()[1], "udp": ends["udp"].getsockname()[1]}
        with open(os.path.join(self.work, "targets.json"), "w", encoding="utf-8") as file:
            json.dump(targets, file)
        shutil.copy(os.path.join(HERE, "attacks_inside.py"), self.work)
        return victim, ends

    def inside(self, command, timeout_ms=120000):
        return self.run(command, isolated=True, pty=False, timeout_ms=timeout_ms, yield_ms=55000, cwd=self.work)

    def shut(self):
        for close in self.closing:
            close()


def attacks(abi, network):
    name = f"attempts to get out: ABI {'of the kernel' if abi is None else abi}, network {network}"
    with Confined(abi, network) as served:
        victim, ends = served.prepare()
        with step(name):
            session = served.tool("create_session")["session"]
            check.need(session["sandbox"] == "landlock", session)
            done = served.run("python3 attacks_inside.py targets.json >result.json 2>errors", timeout_ms=120000,
                              session_id=session["id"], yield_ms=55000)
            with open(os.path.join(served.work, "errors"), encoding="utf-8") as file:
                check.need(done["exit_code"] == 0, file.read()[-1200:])
            with open(os.path.join(served.work, "result.json"), encoding="utf-8") as file:
                found = json.load(file)
            wrong = {attempt: what for attempt, what in found.items() if what != "held"}
            check.need(len(found) > 80 and not wrong, wrong or found)
        with step(f"{name}: outside everything is as it was"):
            with open(os.path.join(served.outside, "file"), encoding="ascii") as file:
                check.need(file.read() == "untouched\n", "the file")
            check.need(sorted(os.listdir(served.outside)) == ["datagram", "empty", "file", "socket"],
                       os.listdir(served.outside))
            check.need(victim.poll() is None, "the victim lives")
            for end in ("datagram",) + (() if served.network else ("udp",)):
                ends[end].settimeout(0.1)
                try:
                    check.need(not ends[end].recv(100), f"{end}: something came")
                except TimeoutError:
                    pass
            for end in ("socket", "abstract") + (() if served.network else ("tcp",)):
                ends[end].settimeout(0.1)
                try:
                    ends[end].accept()
                    check.need(False, f"{end}: somebody came")
                except TimeoutError:
                    pass
        served.shut()


WORK = {
    "modes, times, links, moves": "echo x >a && chmod 755 a && touch -d 2001-02-03 a && ln a b && ln -s a c && mv b d "
                                  "&& mkdir e && mv d e/ && cp -a e f && rm -r e && [ \"$(stat -c %a a)\" = 755 ] && "
                                  "[ \"$(stat -c %Y a)\" = \"$(date -d 2001-02-03 +%s)\" ]",
    "tar": "mkdir t && echo 1 >t/1 && chmod 640 t/1 && tar cf t.tar t && rm -r t && tar xf t.tar && [ \"$(stat -c %a t/1)\" = 640 ]",
    "git": "git init -q one && cd one && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m first && cd .. "
           "&& git clone -q one two && git -C two log --oneline | grep -q first",
    "gcc and make": "printf 'int main(void){return 0;}' >m.c && printf 'm: m.c\\n\\tgcc -o m m.c\\n' >Makefile && make -s -j2 && ./m",
    "a sanitizer of leaks, which traces": "printf 'int main(void){return 0;}' >l.c && gcc -fsanitize=address -o l l.c && ./l",
    "python, an environment and many processes": "python3 -m venv --without-pip v && v/bin/python -c '"
        "import multiprocessing as m, tempfile\nwith m.Pool(2) as p: assert p.map(abs, [-1, 2]) == [1, 2]\n"
        "with m.Manager() as g: assert g.list([1])[0] == 1\ntempfile.TemporaryFile().write(b\"x\")'",
    "npm, without a network": "mkdir -p dep app && cd dep && npm init -y >/dev/null && cd ../app && npm init -y >/dev/null && "
                              "npm install --offline --no-audit --no-fund ../dep >/dev/null && ls node_modules | grep -q dep",
    "sockets of its own": "python3 -c 'import socket, threading\ns = socket.socket(socket.AF_UNIX); s.bind(\"own\"); s.listen()\n"
                          "c = socket.socket(socket.AF_UNIX); c.connect(\"own\"); s.accept()[0].send(b\"hi\"); assert c.recv(2) == b\"hi\"'",
    "a shell's pipes and jobs": "set -m; (sleep 0.1; exit 3) & wait $!; [ $? = 3 ] && seq 100000 | sort -rn | head -1 | grep -qx 100000 "
                                "&& kill -0 $$ && (sleep 60 & kill $!; wait $! 2>/dev/null; [ $? = 143 ])",
    "a temporary folder of its own": "f=$(mktemp) && echo x >$f && case $f in $TMPDIR/*) ;; *) false;; esac && [ ! -w /tmp ] || ! touch /tmp/x 2>/dev/null",
    "a cache": "mkdir -p ~/.cache/test && echo x >~/.cache/test/x",
    "tmux": "tmux new-session -d -s t 'sleep 30' && tmux ls | grep -q '^t:' && tmux kill-server",
    "vim": "printf 'iword\\033:wq\\r' >keys && vim -u NONE -s keys -T dumb edited </dev/null >/dev/null 2>&1; grep -q word edited || "
           "{ printf 'a\\nword\\n.\\nw edited\\n' | ed -s 2>/dev/null; vim -u NONE -es -c 'normal iword' -c wq edited; grep -q word edited; }",
}


def work(abi):
    with Confined(abi) as served:
        for name, command in WORK.items():
            tool = {"git": "git", "npm, without a network": "npm", "tmux": "tmux", "gcc and make": "gcc", "vim": "vim",
                    "a sanitizer of leaks, which traces": "gcc"}.get(name, "sh")
            with step(f"ordinary work, ABI {abi or 'of the kernel'}: {name}"):
                if not shutil.which(tool):
                    print(f"SKIPPED {SUITE}: {name}: {tool} is not here", file=sys.stderr)
                    continue
                done = served.run(f"bash -c {kit_quote(command)}", isolated=True, timeout_ms=120000, yield_ms=55000)
                check.need(done["exit_code"] == 0, (done["exit_code"], done["output"][-800:]))
        with step(f"Ctrl-C and job control, ABI {abi or 'of the kernel'}"):
            session = served.new()
            number = served.start("execute_command", command="sleep 600", session_id=session, timeout_ms=60000, yield_ms=20000)
            time.sleep(0.5)
            served.tool("signal", session_id=session, signal="INT")
            done = served.finish(number)["result"]["structuredContent"]
            check.need(done["exit_code"] == 130, done)
            check.need(served.run("echo still-here", session_id=session)["output"] == "still-here\n", "the shell lives")
            done = served.run("sh -c 'kill -TERM $$'", session_id=session)
            check.need(done["exit_code"] == 143, done)
            served.ends(session)


def kit_quote(text):
    return "'" + text.replace("'", "'\\''") + "'"


def use(folder):
    """A descriptor that holds the folder; another server may take it away until then."""
    while True:
        try:
            os.makedirs(folder, exist_ok=True)
            held = os.open(folder, os.O_RDONLY)
            fcntl.flock(held, fcntl.LOCK_EX)
            if os.fstat(held).st_ino == os.stat(folder).st_ino:
                return held
            os.close(held)
        except FileNotFoundError:
            continue


def left_behind():
    with Confined() as served:
        with step("what stays behind is confined as before, and goes with the session"):
            session = served.new()
            served.put("work/stay.sh", "sleep 1; echo out >" + served.folder + "/escaped; echo in >stayed; sleep 600\n")
            served.run("setsid nohup sh stay.sh >/dev/null 2>&1 & disown", session_id=session)
            served.until(lambda: os.path.exists(os.path.join(served.work, "stayed")), "it goes on", 10)
            check.need(not os.path.exists(os.path.join(served.folder, "escaped")), "and is confined")
            served.ends(session)
        with step("its temporary folder goes with it"):
            done = served.inside("echo $TMPDIR; mkdir -p $TMPDIR/a/b; echo x >$TMPDIR/a/b/c")
            folder = done["output"].strip()
            check.need(folder.startswith("/tmp/tenon-") and not os.path.exists(folder), folder)
        with step("and when whoever removes it is killed"):
            for victim in ("watcher", "keeper"):
                session = served.new()
                folder = served.run("echo $TMPDIR; echo x >$TMPDIR/a", session_id=session)["output"].strip()
                check.need(os.path.exists(folder + "/a"), folder)
                killed = [pid for pid in served.ours() if name_of(pid) == "tenon-confine"]
                check.need(killed, [name_of(pid) for pid in served.ours()])
                killed = [parent_of(pid) for pid in killed] if victim == "keeper" else killed
                check.need(served.pid not in killed, killed)
                for pid in killed:
                    os.kill(pid, signal.SIGKILL)
                served.call("close_session", session_id=session)
                served.until(lambda folder=folder: not os.path.exists(folder), f"{folder} is left by a killed {victim}", 10)
        with step("what an earlier server left goes when the next one starts a session; what is in use stays"):
            left, used = "/tmp/tenon-confined-aaaaa%d" % (os.getpid() % 10), "/tmp/tenon-confined-bbbbb%d" % (os.getpid() % 10)
            held = use(used)
            os.makedirs(used + "/a/b", exist_ok=True)
            # At once: servers of other tests sweep, too, while a tree grows.
            os.makedirs(served.folder + "/grown/a/b")
            os.rename(served.folder + "/grown", left)
            with Confined() as other:
                other.ends(other.new())
                other.until(lambda: not os.path.exists(left), "it is left", 10)
            check.need(os.path.exists(used + "/a/b"), "it is in use")
            shutil.rmtree(used)
            os.close(held)
        with step("an exit code, and the end by a signal, are the program's"):
            check.need(served.inside("exit 7")["exit_code"] == 7, "7")
            done = served.inside("kill -KILL $$")
            check.need(done["exit_code"] in (137, None) or done.get("signal") == "KILL", done)
        with step("a program that is not there"):
            check.need(served.inside("/nowhere/x")["exit_code"] == 127, "127")


def declined(served, name, **arguments):
    result = served.call(name, **arguments)["result"]
    check.need(result["isError"] and result["structuredContent"]["error"] == "CONSENT_DECLINED", result)


def once_without():
    """What the sandbox refuses a person can allow once: that command, and no other."""
    with Confined(capabilities={"elicitation": {"form": {}}}) as served:
        asked = []
        target = os.path.join(served.folder, "home", "wanted")
        words = {"command": f"echo x >>{target}", "isolated": True, "pty": False}

        def answer(decision):
            served.on_ask = lambda method, params: asked.append(params) or (
                {"action": "accept", "content": {"decision": "Run once"}} if decision else {"action": "decline"})

        with step("a refusal says that it may be the sandbox's, and how a person allows it"):
            done = served.run(**words)
            check.need(done["exit_code"] != 0 and not os.path.exists(target), done)
            check.need(any("sandbox" in text for text in done["warnings"]), done["warnings"])
            check.need(not served.run("false", isolated=True)["warnings"], "an end like any other")
            check.need(not asked, asked)
        with step("without it: a person is asked, who refuses"):
            answer(False)
            declined(served, "execute_command", sandbox="off", **words)
            check.need(len(asked) == 1 and "without the sandbox" in json.dumps(asked), asked)
            check.need(not os.path.exists(target), "nothing was run")
        with step("without it, once: the next one is asked about again"):
            answer(True)
            check.need(served.run(sandbox="off", **words)["exit_code"] == 0, "it runs")
            check.need(served.run(**words)["exit_code"] != 0, "and confined as before without the word")
            answer(False)
            declined(served, "execute_command", sandbox="off", **words)
            with open(target, encoding="ascii") as file:
                check.need(file.read() == "x\n", "once")
        with step("a session without it is asked about, too, and a person's choice is kept to"):
            declined(served, "create_session", sandbox="off")
            answer(True)
            check.need(served.tool("create_session", sandbox="off")["session"]["sandbox"] == "none", "none")
        with step("only isolated: a session has the one that it was made with"):
            check.need("isolated" in str(served.call("execute_command", command="true", sandbox="off")["error"]), "says so")
    with Confined(policy={"terminal": {"rules": [], "sandbox_off": "deny"}}) as served:
        with step("the policy may refuse it for everybody"):
            served.refused("denied_by_policy", "create_session", sandbox="off")
            served.refused("denied_by_policy", "execute_command", command="true", isolated=True, sandbox="off")


def main():
    parts = sys.argv[1:] or ["attacks", "work", "left", "once"]
    supported = subprocess.run([kit.TENON, "doctor"], capture_output=True, encoding="utf-8", check=False).stdout
    if "Landlock works" not in supported:
        print(f"SKIPPED {SUITE}: this kernel has no Landlock, or the tests may not use it", file=sys.stderr)
        check.result(True, SUITE, "SKIPPED: no Landlock here")
        return 0
    tries = {"attacks": [lambda abi=abi, network=network: attacks(abi, network) for abi, network in (
                 (None, "host"), (None, "none"), (5, "none"), (3, "none"), (2, "host"), (2, "none"), (1, "none"))],
             "work": [lambda: work(None), lambda: work(2)], "left": [left_behind], "once": [once_without]}
    for one in check.beside([one for part in parts for one in tries[part]]):
        with step("to the end"):
            one()
    return 1 if check.failures else 0


sys.exit(main())
