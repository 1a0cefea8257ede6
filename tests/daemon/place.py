#!/usr/bin/env python3
"""place.py - where the daemon is reached and found, while it runs: another port, a supervisor's socket, a
runtime folder that vanishes. FR-03, FR-04, ST-006, T4, T5 (studio.md section 3.2, workbench.md section 4)."""
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
sys.path.insert(0, os.path.dirname(__file__))
import admin  # noqa: E402
import check  # noqa: E402
import daemon  # noqa: E402
import life  # noqa: E402
import talk  # noqa: E402

SUITE = "daemon-place"


def step(name):
    return check.Step(SUITE, name)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as spare:
        return spare.getsockname()[1]


def write_settings(home, settings):
    os.makedirs(home.path("config", "tenon"), exist_ok=True)
    with open(home.path("config", "tenon", "config.json"), "w", encoding="utf-8") as file:
        json.dump(settings, file)


def addresses(pid):
    return {address for address, _ in daemon.listening_ports(pid)}


def person_of(home):
    return admin.Talker(home, talk.MODERN, "person", admin.person_token(home))


def moves():
    with daemon.Home() as home:
        del home.env["TENON_HTTP_PORT"]
        ports = [free_port() for _ in range(3)]
        write_settings(home, {"http": {"port": ports[0]}})
        child = home.foreground()
        person = person_of(home)
        with step("the port is changed twice within a second: both are answered, the last one holds"):
            for port in ports[1:]:
                done = person.tool("change_settings", settings={"http.port": port})
                check.need(done["structuredContent"]["problem"] is None, done)
            check.need(home.discovery()["httpPort"] == ports[2], home.discovery())
            check.need(home.get("/health")[0] == 200, "the new port")
            for port in ports[:2]:
                daemon.wait_until(lambda port=port: life.refused(port), f"the end of {port}")
        person = person_of(home)
        with step("a move opens nothing to other machines without the second act (FR-03, T4)"):
            done = person.tool("change_settings", settings={"http.listen": "0.0.0.0", "http.port": ports[0]})
            check.need(done.get("isError") and "http.allow_remote" in json.dumps(done), done)
            check.need(addresses(child.pid) == {"0100007F"}, addresses(child.pid))
            check.need(home.discovery()["httpPort"] == ports[2], "it stays where it is")
            check.need(home.get("/health")[0] == 200, "and goes on")
            check.need(person.read("status")["http"]["exposure"] == "loopback", "exposure")
        with step("what is for the next start is not for this one, not even when the port moves now"):
            done = person.tool("change_settings", settings={
                "http.listen": "0.0.0.0", "http.allow_remote": True, "http.hosts": ["box.example"]})
            check.need(done["structuredContent"]["problem"] is None, done)
            done = person.tool("change_settings", settings={"http.port": ports[0]})
            check.need(done["structuredContent"]["problem"] is None, done)
            check.need(addresses(child.pid) == {"0100007F"}, addresses(child.pid))
            check.need(home.discovery()["httpPort"] == ports[0], home.discovery())
            status = person_of(home).read("status")["http"]
            check.need((status["address"], status["exposure"]) == ("127.0.0.1", "loopback"), status)
        child.terminate()
        check.need(child.wait(20) == 0, "ends in order")


def turns():
    """http.token_ttl_s is for the next start: never "at once, and again and again"."""
    with daemon.Home() as home, step("the token goes on being changed as often as it was said at the start"):
        write_settings(home, {"http": {"token_ttl_s": 1}})
        began = time.monotonic()
        child = home.foreground()
        done = person_of(home).tool("change_settings", settings={"http.token_ttl_s": None})
        check.need(done["structuredContent"]["problem"] is None, done)
        daemon.wait_until(lambda: home.log().count("the client token was changed") >= 2, "two changes")
        many = home.log().count("the client token was changed")
        check.need(many <= 1 + time.monotonic() - began, f"{many} changes, more than one a second")
        child.terminate()
        check.need(child.wait(20) == 0, "ends in order")


def activated(home, address, **options):
    """A daemon with a socket of a supervisor's, and the port of that."""
    listener = socket.create_server((address, 0))
    words = 'export LISTEN_PID=$$ LISTEN_FDS=1; exec 3<&"$0"; exec "$1" --daemon'
    child = subprocess.Popen(["bash", "-c", words, str(listener.fileno()), daemon.TENOND], env=home.env,
                             pass_fds=[listener.fileno()], **options)
    port = listener.getsockname()[1]
    listener.close()
    return child, port


def supervised():
    with daemon.Home() as home, step("a socket for other machines needs the second act, too (FR-03, T4, T5)"):
        child, _ = activated(home, "0.0.0.0", stderr=subprocess.PIPE, encoding="utf-8")
        try:
            said = child.communicate(timeout=20)[1]
        except subprocess.TimeoutExpired:
            child.kill()
            said = child.communicate()[1] + " (it serves)"
        check.need(child.returncode == 1 and "http.allow_remote" in said, said)
    with daemon.Home() as home, step("settings that change leave the supervisor's socket alone"):
        del home.env["TENON_HTTP_PORT"]
        child, port = activated(home, "127.0.0.1")
        daemon.wait_until(home.discovery_or_none, "the daemon")
        person = person_of(home)
        done = person.tool("change_settings", settings={"log.level": "debug"})
        check.need(done["structuredContent"]["problem"] is None, done)
        check.need(home.discovery()["httpPort"] == port, "it has moved")
        child.terminate()
        check.need(child.wait(20) == 0, "ends in order")


def cleared():
    with daemon.Home() as home:
        with step("a runtime folder that was cleared is filled again"):
            home.tenon("up")
            first = home.discovery()
            shutil.rmtree(home.runtime(""))
            daemon.wait_until(home.discovery_or_none, "the files")
            check.need(home.discovery() == first, "the same daemon")
            check.need(json.loads(home.tenon("status", "--json").stdout)["pid"] == first["pid"], "status")
            person_of(home).link.close()
            with open(home.runtime("tenond.json"), "w", encoding="utf-8") as file:
                file.write("damaged")
            check.need("tenond.json" in home.tenon("down", code=4).stderr, "which file")
            daemon.wait_until(lambda: "damaged" not in open(home.runtime("tenond.json"), encoding="utf-8").read(),
                              "the file")
            check.need(home.discovery() == first, "the same daemon, after damage")
            check.need(life.mode(home.runtime("")) == 0o700, "mode of the folder")
        with step("if another daemon has the place by then, the one before ends and takes nothing along"):
            shutil.rmtree(home.runtime(""))
            home.tenon("up")
            second = home.discovery()
            check.need(second["pid"] != first["pid"], "another one")
            daemon.wait_until(lambda: not daemon.is_alive(first["pid"]), "the end of the first")
            check.need(home.discovery() == second, "its file stays")
            check.need(set(os.listdir(home.runtime(""))) ==
                       {"tenond.json", "tenond.lock", "person.sock", "launch.json"},
                       os.listdir(home.runtime("")))
            home.tenon("down")


def linked():
    with daemon.Home() as home, step("a runtime folder behind a symbolic link: the daemon is found and ended"):
        os.symlink(home.env["XDG_RUNTIME_DIR"], home.path("linked"))
        home.env["XDG_RUNTIME_DIR"] = home.path("linked")
        home.tenon("up")
        pid = home.discovery()["pid"]
        home.tenon("down")
        check.need(not daemon.is_alive(pid), "it lives on")


def waiting():
    with daemon.Home() as home, step("what waits for a person is answered when the daemon ends, at once"):
        child = home.foreground()
        person = person_of(home)
        person.tool("change_policy", text='{"elicitation": "never", "rules": '
                                          '[{"tool": "terraform_explain", "action": "confirm"}]}')
        caller = subprocess.Popen([daemon.TENON, "call", "--json", "plan.terraform_explain",
                                   f"plan_text={admin.PLAN}"], env=home.env, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
        daemon.wait_until(lambda: person.read("approvals")["approvals"], "the request")
        began = time.monotonic()
        person.link.close()
        child.terminate()
        said = caller.communicate(timeout=20)[0]
        check.need(caller.returncode == 5 and "CONSENT_UNAVAILABLE" in said, (caller.returncode, said))
        check.need(child.wait(20) == 0, "ends in order")
        check.need_soon(began, 1.5)


def drains():
    plan = os.path.join(os.path.dirname(__file__), "../data/plan-examples/02-mixed-replace.txt")
    silence = socket.create_server(("127.0.0.1", 0))
    with silence, daemon.Home(OPENAI_BASE_URL=f"http://127.0.0.1:{silence.getsockname()[1]}/v1",
                              OPENAI_API_KEY="x") as home:
        silence.settimeout(20)
        with step("up, behind a daemon that still answers what is in flight, starts the next one"):
            home.tenon("up")
            first = home.discovery()
            call = subprocess.Popen([daemon.TENON, "call", "plan.terraform_explain", "source=openai",
                                     "user_preference=full_summary", f"plan_text=@{plan}"],
                                    env=home.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            model, _ = silence.accept()
            os.kill(first["pid"], signal.SIGTERM)
            daemon.wait_until(lambda: life.refused(first["bridgePort"]), "its listeners' end")
            home.tenon("up")
            check.need(home.discovery()["pid"] != first["pid"], "a new one")
            call.wait(20)
            model.close()
            home.tenon("down")


def main():
    drains()
    moves()
    turns()
    supervised()
    cleared()
    linked()
    waiting()
    return check.failures


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
