#!/usr/bin/env python3
"""polkit.py - consent.proof = polkit: what a person approves counts after the real polkitd has asked a human.

    TENON_BUILD=build tests/consent/polkit.py

As root, in mounts of its own: a private bus stands where the system's is, with the machine's polkitd on
it, Tenon's policy file, and an agent by script (polkit_agent.c) for the dialog. The daemon, the assistant
and the person are of another user, since polkit says yes to root without asking."""
import json
import os
import shutil
import signal
import subprocess
import sys
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(FOLDER, "../lib"))
from check import need_soon  # noqa: E402
import daemon  # noqa: E402
import person  # noqa: E402

POLKITD = "/usr/lib/polkit-1/polkitd"
USER = "nobody"
UID = 65534
AS_USER = {"user": UID, "group": UID, "extra_groups": []}
QUESTION = "Approve this once?"

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path=/run/dbus/system_bus_socket</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/><allow own="*"/><allow send_type="*"/><allow receive_type="*"/>
    <allow send_destination="*"/><allow send_requested_reply="true"/>
  </policy>
</busconfig>
"""


def check(true, what):
    if not true:
        raise AssertionError(what)


# ---- a machine with polkit ----

def mount(*words):
    subprocess.run(["mount", *words], check=True)


class Machine:
    """A bus and polkitd, in our mounts."""

    def __init__(self, folder):
        self.folder = folder
        self.children = []
        os.makedirs("/run/dbus", exist_ok=True)
        mount("-t", "tmpfs", "bus", "/run/dbus")
        os.chmod("/run/dbus", 0o755)
        for name in ("/usr/share/polkit-1/actions", "/usr/share/polkit-1/rules.d", "/etc/polkit-1/rules.d"):
            if os.path.isdir(name):
                mount("-t", "tmpfs", "polkit", name)
                os.chmod(name, 0o755)
        config = os.path.join(folder, "bus.conf")
        with open(config, "w", encoding="utf-8") as file:
            file.write(BUS)
        self.bus = self.start("dbus-daemon", "--nofork", "--nopidfile", "--config-file=" + config)
        daemon.wait_until(lambda: os.path.exists("/run/dbus/system_bus_socket"), "the bus")
        self.polkitd = None

    def start(self, *words):
        child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=open(os.path.join(self.folder, os.path.basename(words[0]) + ".log"), "ab"))
        self.children.append(child)
        return child

    def policy(self, text):
        """polkitd begins anew with this policy."""
        if self.polkitd:
            self.end_polkit()
        path = "/usr/share/polkit-1/actions/io.tenon.consent.policy"
        if text is None:
            if os.path.exists(path):
                os.unlink(path)
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(path, 0o644)
        self.polkitd = self.start(POLKITD, "--no-debug")
        daemon.wait_until(lambda: b"PolicyKit1" in subprocess.run(
            ["dbus-send", "--bus=unix:path=/run/dbus/system_bus_socket", "--print-reply", "--dest=org.freedesktop.DBus",
             "/", "org.freedesktop.DBus.ListNames"], capture_output=True, check=False).stdout, "polkitd")

    def end_polkit(self):
        self.polkitd.send_signal(signal.SIGTERM)
        self.polkitd.wait(20)
        self.children.remove(self.polkitd)
        self.polkitd = None

    def close(self):
        for child in self.children:
            child.kill()
            child.wait()


class Place(daemon.Home):
    """A home of the other user, with copies of the programs where it can reach them."""

    def __init__(self, **environment):
        super().__init__(**environment)
        bin_folder = self.path("bin")
        os.mkdir(bin_folder)
        for name in ("tenon", "tenond", "tenon-proof"):
            shutil.copy(os.path.join(daemon.BUILD, name), bin_folder)
        daemon.TENON, daemon.TENOND = (os.path.join(bin_folder, n) for n in ("tenon", "tenond"))
        subprocess.run(["chown", "-R", f"{UID}:{UID}", self.folder], check=True)
        # As make install leaves them.
        subprocess.run(["chown", "-R", "0:0", bin_folder], check=True)
        os.chmod(os.path.join(bin_folder, "tenon-proof"), 0o711)
        self.log_path = self.path("agent.log")
        self.number = 0

    def run(self):
        return self.foreground(**AS_USER, cwd="/")

    def call(self, tool, arguments):
        """What an assistant does: one call, by a process that ends. (is an error, structured result)"""
        where = self.discovery()
        self.number += 1
        done = subprocess.run([PYTHON, "-c", CALL, where["url"] + "/mcp", where["token"], tool, json.dumps(arguments)],
                              env=self.env, capture_output=True, encoding="utf-8", timeout=60,
                              check=True, cwd="/", **AS_USER)
        result = json.loads(done.stdout)["result"]
        return result.get("isError", False), result.get("structuredContent") or {}, result

    def shown(self):
        """What the dialog has shown since it was looked at last."""
        try:
            with open(self.log_path, encoding="utf-8") as file:
                lines = file.read().splitlines()
        except FileNotFoundError:
            lines = []
        open(self.log_path, "w", encoding="utf-8").close()
        return lines

    def approve(self, agent, words, typed=("y\n",), timeout=60):
        """`tenon approve`, on a terminal of a person who has this agent."""
        return person.do("terminal", words=[AGENT, str(UID), agent, self.log_path, daemon.TENON, "approve", *words],
                         env=self.env, answers=[[QUESTION, key] for key in typed], timeout=timeout)


AGENT = os.path.join(daemon.BUILD, "tests/polkit-agent")


# One call of a client: URL, token, tool, arguments. By Debian's Python, which every user can run.
PYTHON = "/usr/bin/python3"
CALL = """
import json, sys, urllib.request
url, token, tool, arguments = sys.argv[1:]
body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
    "name": tool, "arguments": json.loads(arguments), "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "an <b>assistant</b>", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}}}})
request = urllib.request.Request(url, body.encode(), {
    "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool,
    "Authorization": "Bearer " + token})
with urllib.request.urlopen(request, timeout=110) as answer:
    text = answer.read().decode()
    if not text.startswith("{"):  # what takes its time is a stream: the result comes last
        text = [line[5:] for line in text.splitlines() if line.startswith("data:")][-1]
    print(text)
"""


# ---- the stories ----

def victim(place, name):
    path = place.path("data", name)
    os.makedirs(path, exist_ok=True)
    os.chown(path, UID, UID)
    return path


def ask_to_remove(place, path):
    """The request's id."""
    bad, said, whole = place.call("execute_command", {"command": f"rm -rf {path}", "isolated": True, "cwd": "/"})
    check(bad and said.get("error") == "CONSENT_UNAVAILABLE", whole)
    return said["approvalId"]


def is_done(place, path):
    bad, said, whole = place.call("execute_command", {"command": f"rm -rf {path}", "isolated": True, "cwd": "/"})
    check(bad != (not os.path.exists(path)), whole)
    return not bad


def what_lasts_is_shown(place):
    path = victim(place, "lasting")
    identity = ask_to_remove(place, path)
    place.shown()
    got = place.approve("yes", [identity], typed=("a\n",))
    check(got["code"] == 0, got)
    check("Allow this exact command in this session" in "\n".join(place.shown()), "the dialog shows it as for once")


def a_yes_counts(place):
    path = victim(place, "yes")
    identity = ask_to_remove(place, path)
    got = place.approve("yes", [identity])
    check(got["code"] == 0 and "approved" in got["out"], got)
    shown = place.shown()
    check(len(shown) == 1 and shown[0].startswith("asked io.tenon.consent.approve: "), shown)
    check(f"rm -rf {path}" in shown[0], shown)
    check("<" not in shown[0] and "‹b›assistant" in shown[0], shown)
    check(is_done(place, path), "it runs")
    again = victim(place, "yes")
    check(not is_done(place, again), "once is once")
    got = place.approve("no", ["--deny"])
    check(got["code"] == 0 and not place.shown(), "refusing asks nobody")


def anything_else_does_not(place):
    for agent, words in (("no", "was not convinced"), ("close", "dialog was closed")):
        path = victim(place, agent)
        identity = ask_to_remove(place, path)
        got = place.approve(agent, [identity])
        check(got["code"] != 0 and words in got["out"].replace("\r\n", " "), got)
        check(not is_done(place, path), agent)
        place.approve("no", [identity, "--deny"])
        place.shown()


    path = victim(place, "missing")
    result = by_http(place, "missing", "approve_request", {"id": ask_to_remove(place, path), "decision": "approve"})
    check(result["isError"] and "found nobody to ask" in result["content"][0]["text"], result)
    check(not is_done(place, path), "nobody was asked")


def take_token(place):
    address = person.do("run", words=["setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups", daemon.TENON,
                                      "open", "--print"], env=place.env, text=None, timeout=30)["out"].strip()
    check("token=" in address, address)
    return address.partition("token=")[2]


def by_http(place, agent, tool, arguments):
    """A person's program, such as a browser with the page, calls a tool that only persons have."""
    got = person.do("run", words=[AGENT, str(UID), agent, place.log_path, PYTHON, "-c", CALL,
                                  place.discovery()["url"] + "/mcp", take_token(place), tool, json.dumps(arguments)],
                    env=place.env, text=None, timeout=60)
    check(got["code"] == 0, got)
    return json.loads(got["out"])["result"]


def the_page_is_asked_too(place):
    path = victim(place, "page")
    identity = ask_to_remove(place, path)
    result = by_http(place, "no", "approve_request", {"id": identity, "decision": "approve"})
    check(result["isError"] and not is_done(place, path), result)
    result = by_http(place, "yes", "approve_request", {"id": identity, "decision": "approve"})
    check(not result.get("isError") and is_done(place, path), result)
    check(len(place.shown()) == 2, "two dialogs")


def what_makes_approvals_needless_is_proven(place):
    allow = {"text": '{"default": "allow", "terminal": {"default": "allow", "rules": []}}'}
    path = victim(place, "policy")
    for tool, arguments, words in (("change_policy", allow, "default"),
                                   ("change_settings", {"settings": {"consent.proof": "none"}}, "consent.proof")):
        result = by_http(place, "no", tool, arguments)
        check(result["isError"] and "Nothing was changed" in result["content"][0]["text"], result)
        shown = place.shown()
        check(len(shown) == 1 and words in shown[0], shown)
        check(not is_done(place, path), "nothing was changed")
    result = by_http(place, "yes", "change_settings", {"settings": {"log.level": "debug"}})
    check(not result.get("isError"), result)
    place.shown()


def a_terminal_has_an_agent(place):
    """Without a desktop `tenon approve` brings polkit's own agent for terminals; polkit's helper asks PAM, which
    says here what the test has written."""
    real = [name for name in ("/etc/pam.d/polkit-1", "/usr/lib/pam.d/polkit-1") if os.path.exists(name)]
    if not shutil.which("pkttyagent") or not real:
        print("skipped: there is no pkttyagent, or PAM does not know polkit")
        return
    service = place.path("polkit-1")
    with open(service, "w", encoding="utf-8") as file:
        file.write("auth required pam_deny.so\naccount required pam_permit.so\n")
    mount("--bind", service, real[0])
    path = victim(place, "terminal")
    identity = ask_to_remove(place, path)
    words = [shutil.which("setpriv"), f"--reuid={UID}", f"--regid={UID}", "--clear-groups", daemon.TENON, "approve", identity]
    for module, code in (("deny", 5), ("permit", 0)):
        with open(service, "w", encoding="utf-8") as file:
            file.write(f"auth required pam_{module}.so\naccount required pam_permit.so\n")
        got = person.do("terminal", words=words, env=place.env, answers=[[QUESTION, "y\n"]], timeout=60)
        said = got["out"].partition(QUESTION)[2]
        check(got["code"] == code and f"consent: Run: rm -rf {path}" in said, got)
    check(is_done(place, path), "approved on the terminal")
    check(not [pid for pid in place.processes() if "pkttyagent" in open(f"/proc/{pid}/comm", encoding="utf-8").read()],
          "the agent has ended")


def begin_reading(place, identity):
    """A person who approves, and whose dialog stays open."""
    outside = person.Elsewhere()
    outside.file.write(json.dumps({
        "do": "terminal", "words": [AGENT, str(UID), "silent", place.log_path, daemon.TENON, "approve", identity],
        "env": place.env, "answers": [[QUESTION, "y\n"]], "timeout": 60}) + "\n")
    outside.file.flush()
    daemon.wait_until(lambda: os.path.exists(place.log_path) and "asked" in open(
        place.log_path, encoding="utf-8").read(), "the dialog")
    return outside


def who_asks_cannot_be_changed(place):
    """A program of the same user looks into tenon-proof while it asks, and ends it: that approves nothing."""
    path = victim(place, "attacked")
    identity = ask_to_remove(place, path)
    outside = begin_reading(place, identity)
    found = subprocess.run(["pgrep", "-x", "-u", str(UID), "tenon-proof"], capture_output=True, encoding="utf-8",
                           check=True).stdout.split()
    check(len(found) == 1, found)
    for words in (["ls", f"/proc/{found[0]}/fd/"], ["cat", f"/proc/{found[0]}/environ"],
                  ["sh", "-c", f"echo '{{\"proven\":\"\"}}' >/proc/{found[0]}/fd/1"],
                  ["dd", "if=/dev/null", f"of=/proc/{found[0]}/mem"]):
        done = subprocess.run(words, capture_output=True, check=False, cwd="/", **AS_USER)
        check(done.returncode != 0, (words, done))
    subprocess.run(["kill", "-9", found[0]], check=True, cwd="/", **AS_USER)
    ended = json.loads(outside.file.readline())
    check(ended["code"] == 5 and "gave no answer" in ended["out"].replace("\r\n", " "), ended)
    outside.close()
    check(not is_done(place, path), "not approved")
    place.shown()
    # What others may have replaced is not asked.
    proof = os.path.join(os.path.dirname(daemon.TENON), "tenon-proof")
    path = victim(place, "replaced")
    identity = ask_to_remove(place, path)
    os.chmod(proof, 0o777)
    got = place.approve("yes", [identity])
    os.chmod(proof, 0o711)
    check(got["code"] == 5 and "others may write it" in got["out"].replace("\r\n", " ") and not place.shown(), got)
    check(not is_done(place, path), "not asked")
    place.approve("no", [identity, "--deny"])


def approvers(identity):
    """The processes of `tenon approve IDENTITY`."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().decode(errors="replace").split("\0")
        except OSError:
            continue
        if os.path.basename(words[0]) in ("tenon", "tenond") and identity in words:
            found.append(int(pid))
    return found


def a_dialog_goes_with_who_asked(place):
    """`tenon approve` is killed while the human reads: the dialog goes, and nothing is approved."""
    path = victim(place, "killed")
    identity = ask_to_remove(place, path)
    outside = begin_reading(place, identity)
    running = approvers(identity)
    check(len(running) == 1, running)
    os.kill(running[0], signal.SIGKILL)
    daemon.wait_until(lambda: "withdrawn" in open(place.log_path, encoding="utf-8").read(), "the dialog's end")
    check(json.loads(outside.file.readline())["code"] != 0, "it was killed")
    outside.close()
    check(not is_done(place, path), "nothing was approved")
    got = place.approve("no", [identity, "--deny"])
    check(got["code"] == 0, f"the question waits still: {got}")
    place.shown()


def a_refusal_ends_a_dialog(place):
    """It is refused elsewhere while the human reads: the dialog goes, and nothing is approved."""
    path = victim(place, "silent")
    identity = ask_to_remove(place, path)
    other = ask_to_remove(place, victim(place, "other"))
    outside = begin_reading(place, identity)
    started = time.monotonic()
    check(not place.call("list_sessions", {})[0], "a proof holds the daemon up")
    need_soon(started, 10, "a proof holds the daemon up")
    # A second approval does not begin while this one is read; a refusal does, and ends it.
    got = place.approve("yes", [other])
    check(got["code"] != 0 and "another approval is being proven" in got["out"].replace("\r\n", " "), got)
    got = place.approve("no", [identity, "--deny"])
    check(got["code"] == 0, got)
    daemon.wait_until(lambda: "withdrawn" in open(place.log_path, encoding="utf-8").read(), "the dialog's end")
    ended = json.loads(outside.file.readline())
    check(ended["code"] != 0 and "withdrawn, refused" in ended["out"].replace("\r\n", " "), ended)
    outside.close()
    check(not is_done(place, path), "refused")
    place.approve("no", [other, "--deny"])
    place.shown()


def an_assistant_proves_nothing(place):
    """It has got hold of the person token: what asks for the proof is below a client."""
    path = victim(place, "stolen")
    identity = ask_to_remove(place, path)
    token = take_token(place)
    where = place.discovery()
    # A host: it speaks as a client, and then, by a child, as the person whose token it has.
    script = ("import subprocess, sys\n"
              "for words in " + repr([[where["url"] + "/mcp", where["token"], "list_sessions", "{}"],
                                      [where["url"] + "/mcp", token, "approve_request",
                                       json.dumps({"id": identity, "decision": "approve"})]]) + ":\n"
              f"    print(subprocess.run([sys.executable, '-c', {CALL!r}, *words], capture_output=True,\n"
              "                         encoding='utf-8'))\n")
    done = subprocess.run([AGENT, str(UID), "yes", place.log_path, PYTHON, "-c", script], env=place.env,
                          capture_output=True, encoding="utf-8", timeout=60, check=False, cwd="/")
    check("does not speak for a person" in done.stdout, (done.stdout, done.stderr))
    check(not place.shown(), "no dialog")
    check(not is_done(place, path), "not approved")
    place.approve("no", [identity, "--deny"])


def a_server_without_a_daemon(place):
    """`tenon serve` has a door for persons of its own, and asks for the same proof."""
    path = victim(place, "alone")
    child = subprocess.Popen([daemon.TENON, "serve", "terminal", "--http", "127.0.0.1:0", "--root", place.path("data")],
                             env=place.env, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8", cwd="/",
                             **AS_USER)
    told = {}
    while "token" not in told:
        line = child.stderr.readline()
        check(line, "the server's words")
        told[line.split()[0]] = line.split()[-1]
    url, token = told["listening"], told["token"]

    def call():
        done = subprocess.run([PYTHON, "-c", CALL, url, token, "execute_command", json.dumps(
            {"command": f"rm -rf {path}", "isolated": True})], env=place.env, capture_output=True, encoding="utf-8",
            timeout=60, check=True, cwd="/", **AS_USER)
        return json.loads(done.stdout)["result"]
    asked = call()
    check(asked["isError"], asked)
    for agent, code in (("no", 5), ("yes", 0)):
        got = place.approve(agent, [asked["structuredContent"]["approvalId"]])
        check(got["code"] == code and len(place.shown()) == 1, (agent, got))
        check(os.path.exists(path), "nobody has called")
    check(not call().get("isError") and not os.path.exists(path), "it runs")
    child.terminate()
    check(child.wait(20) == 0, "its end")
    child.stderr.close()


def polkit_cannot_ask(place, machine, text, words):
    """Without a dialog that shows the question nothing is approved, and why is told."""
    if text != "ended":
        machine.policy(text)
    path = victim(place, f"unasked-{place.number}")
    identity = ask_to_remove(place, path)
    got = place.approve("missing" if text == "ended" else "yes", [identity])
    check(got["code"] != 0 and words in got["out"].replace("\r\n", " "), got)
    check(not is_done(place, path), words)
    done = subprocess.run([os.path.join(os.path.dirname(daemon.TENON), "tenon-proof"), "--check", "polkit"],
                          env=place.env, capture_output=True, encoding="utf-8", check=False, **AS_USER)
    check(done.returncode == 1 and words in done.stdout, done)
    place.approve("missing", [identity, "--deny"])
    place.shown()


def stories(machine, place):
    proof = os.path.join(os.path.dirname(daemon.TENON), "tenon-proof")
    policy = subprocess.run([proof, "--policy", USER], capture_output=True, encoding="utf-8", check=True).stdout
    machine.policy(policy)
    check(subprocess.run([proof, "--check", "polkit"], check=False, stdout=subprocess.DEVNULL, **AS_USER).returncode == 0,
          "it can ask this user")
    done = subprocess.run([proof, "--check", "polkit"], check=False, capture_output=True, encoding="utf-8")
    check(done.returncode == 1 and "as it does for root" in done.stdout, done)
    child = place.run()
    for story in (a_yes_counts, what_lasts_is_shown, anything_else_does_not, the_page_is_asked_too,
                  what_makes_approvals_needless_is_proven, a_terminal_has_an_agent,
                  a_dialog_goes_with_who_asked, a_refusal_ends_a_dialog, an_assistant_proves_nothing, who_asks_cannot_be_changed,
                  a_server_without_a_daemon):
        story(place)
        print("ok", story.__name__, flush=True)
    polkit_cannot_ask(place, machine, subprocess.run([proof, "--policy"], capture_output=True, encoding="utf-8",
                                                     check=True).stdout, "lets this user show no question")
    polkit_cannot_ask(place, machine, policy.replace("auth_self", "yes"), "without asking anybody")
    polkit_cannot_ask(place, machine, policy.replace("auth_self", "no"), "refuse io.tenon.consent.approve")
    polkit_cannot_ask(place, machine, None, "lets this user show no question")
    machine.end_polkit()
    polkit_cannot_ask(place, machine, "ended", "polkit does not run")
    print("ok polkit_cannot_ask", flush=True)
    child.send_signal(signal.SIGTERM)
    check(child.wait(30) == 0, "its end")
    check("an approval was proven (polkit)" in place.log(), "the log")


def main():
    missing = [name for name in ("dbus-daemon", "dbus-send", POLKITD, "unshare", AGENT, PYTHON)
               if not shutil.which(name)]
    if os.geteuid() != 0 or missing:
        print("SKIP consent-polkit: " + ("needs root" if os.geteuid() else "there is no " + ", ".join(missing)))
        sys.exit(77)
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode != 0:
        print("SKIP consent-polkit: mount namespaces are not allowed here")
        sys.exit(77)
    if sys.argv[1:2] != ["inside"]:
        os.execvp("unshare", ["unshare", "--mount", sys.executable, os.path.abspath(__file__), "inside"])
    with Place(TENON_CONSENT_PROOF="polkit", TENON_CONSENT="allow") as place:
        machine = Machine(place.folder)
        try:
            stories(machine, place)
        finally:
            machine.close()
    print("consent-polkit: all good")


if __name__ == "__main__":
    main()
