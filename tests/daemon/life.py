#!/usr/bin/env python3
"""life.py - how the daemon starts, is found, and ends. FR-01, FR-03, FR-04, FR-07, FR-08, ST-005 to ST-008,
L7, T3 to T9, T12 (studio.md section 3.2, workbench.md sections 3 and 4)."""
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import daemon  # noqa: E402
from daemon import listening_ports  # noqa: E402

SUITE = "daemon"


def step(name):
    return check.Step(SUITE, name)


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def refused(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
        return False
    except ConnectionRefusedError:
        return True


def starting():
    with daemon.Home() as home, step("up starts one, which answers, and says where (FR-01, FR-03)"):
        check.need(home.tenon("status", code=None).returncode == 4, "status without a daemon")
        up = json.loads(home.tenon("up", "--json").stdout)
        found = home.discovery()
        check.need("token" not in up, "up tells no secret")
        check.need((up["pid"], up["httpPort"], up["bridgePort"]) ==
                   (found["pid"], found["httpPort"], found["bridgePort"]), up)
        status, headers, body = home.get("/health")
        check.need(status == 200, status)
        check.need(body == b'{"status":"ok","version":"%s"}' % found["version"].encode(), body)  # FR-08
        check.need(headers["Cache-Control"] == "no-store", headers)  # T19
        again = json.loads(home.tenon("up", "--json").stdout)
        check.need(again["pid"] == up["pid"], "a second one")
        loopback = {("0100007F", found["httpPort"]), ("0100007F", found["bridgePort"])}
        check.need(listening_ports(found["pid"]) == loopback, listening_ports(found["pid"]))
        for name, wanted in (("tenond.json", 0o600), ("tenond.lock", 0o600), ("person.sock", 0o600),
                             ("", 0o700)):
            check.need(mode(home.runtime(name)) == wanted, f"{name}: {mode(home.runtime(name)):o}")
        home.tenon("down")
        check.need(not daemon.is_alive(found["pid"]), "down waits for the end")
        check.need(refused(found["httpPort"]) and refused(found["bridgePort"]), "ports are free")  # FR-07
        left = set(os.listdir(home.runtime(""))) - {"launch.json"}
        check.need(not left, left)
        home.tenon("down")
        check.need(not home.processes(), "nothing is left")

    with daemon.Home() as home, step("the bridge's port and the token are new at each start (FR-04)"):
        seen = []
        for _ in range(3):
            home.tenon("up")
            found = home.discovery()
            seen.append((found["bridgePort"], found["token"]))
            check.need(found["bridgePort"] != found["httpPort"], "a listener of its own")
            check.need(len(found["token"]) >= 43, "256 bits")
            home.tenon("down")
        check.need(len({port for port, _ in seen}) > 1 and len({token for _, token in seen}) == 3, seen)

    with daemon.Home() as home, step("ten at once start one"):
        many = [subprocess.Popen([daemon.TENON, "up", "--json"], env=home.env,
                                 stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) for _ in range(10)]
        pids = {json.loads(one.communicate(timeout=60)[0])["pid"] for one in many}
        check.need(all(one.returncode == 0 for one in many), [one.returncode for one in many])
        check.need(len(pids) == 1, pids)
        running = [pid for pid in home.processes()]
        check.need(set(running) == pids, running)

    with daemon.Home() as home, step("a second daemon for the same user is refused"):
        home.tenon("up")
        second = subprocess.run([daemon.TENOND, "--daemon"], env=home.env, capture_output=True,
                                timeout=30, check=False)
        check.need(second.returncode == 1 and b"already" in second.stderr, second)
        check.need(home.get("/health")[0] == 200, "the first goes on")


def ports():
    taken = socket.create_server(("127.0.0.1", 0))
    port = taken.getsockname()[1]
    with daemon.Home(port=port) as home, step("a taken port: the next free one, and told (ST-005)"):
        home.tenon("up")
        found = home.discovery()
        check.need(port < found["httpPort"] <= port + 20, found["httpPort"])
        check.need("taken" in home.log(), "the log says so")
        status = json.loads(home.tenon("status", "--json").stdout)
        check.need(status["httpPort"] == found["httpPort"] and status["pid"] == found["pid"], status)
    taken.close()

    with daemon.Home() as home, step("another address needs two acts (FR-03, T4, T5)"):
        for words, missing in (((), "http.allow_remote"),
                               (("--set", "http.allow_remote=true"), "http.hosts")):
            done = subprocess.run([daemon.TENOND, "--daemon", "--set", "http.listen=0.0.0.0", *words],
                                  env=home.env, capture_output=True, timeout=30, check=False)
            check.need(done.returncode == 1 and missing.encode() in done.stderr, done)
        child = home.foreground("--set", "http.listen=0.0.0.0", "--set", "http.allow_remote=true",
                                "--set", "http.hosts=tenon.example", "--set", "apps=plan")
        check.need("other machines" in home.log(), "a warning in the log")
        # "All addresses" is none that can be opened.
        url = f"http://tenon.example:{home.discovery()['httpPort']}"
        check.need(home.discovery()["url"] == url, home.discovery()["url"])
        ports_now = listening_ports(child.pid)
        found = home.discovery()
        check.need(("0100007F", found["bridgePort"]) in ports_now, "the bridge stays at home")
        child.terminate()
        check.need(child.wait(20) == 0, "ends in order")


    with daemon.Home() as home, step("the terminal needs more than that (terminal.md 10, 10.3, 12.1)"):
        words = ["--set", "http.listen=0.0.0.0", "--set", "http.allow_remote=true", "--set", "http.hosts=a.example"]
        done = subprocess.run([daemon.TENOND, "--daemon", *words], env=home.env, capture_output=True,
                              timeout=30, check=False)
        wanted = b"as root the app terminal" if os.geteuid() == 0 else b"http.behind_proxy"
        check.need(done.returncode == 1 and wanted in done.stderr, done)


def ends():
    with daemon.Home() as home, step("killed, it is replaced and the files are healed (ST-006)"):
        home.tenon("up")
        first = home.discovery()
        os.kill(first["pid"], signal.SIGKILL)
        daemon.wait_until(lambda: not daemon.is_alive(first["pid"]), "the end")
        check.need(os.path.exists(home.runtime("tenond.json")), "a killed one leaves its file")
        check.need(home.tenon("status", code=4).returncode == 4, "nobody is found by it")
        home.tenon("up")
        check.need(home.discovery()["pid"] != first["pid"], "a new one")

    with daemon.Home(TENON_APPS=",") as home, step("no app in the list: none is on"):
        home.tenon("up")
        check.need(home.tenon("tools").stdout == "", "tools")
        apps = json.loads(home.tenon("status", "--json").stdout)["status"]["apps"]
        check.need(apps and not any(app["enabled"] for app in apps), apps)
        check.need(home.get("/health")[0] == 200, "it lives")

    with daemon.Home() as home, step("three restarts in a row, then SERVER_FAILED (ST-007)"):
        launch = [daemon.TENOND, "--launch"]
        for number in range(5):
            done = subprocess.run(launch, env=home.env, capture_output=True, timeout=60, check=False)
            answer = json.loads(done.stdout)
            if number < 4:
                check.need(done.returncode == 0, done)
                os.kill(answer["pid"], signal.SIGKILL)
                daemon.wait_until(lambda: not daemon.is_alive(answer["pid"]), "the end")
        check.need(done.returncode == 4 and answer["error"] == "SERVER_FAILED", answer)
        check.need("last line of its log: tenond" in answer["message"], answer)
        home.tenon("up")
        done = subprocess.run(launch, env=home.env, capture_output=True, timeout=60, check=False)
        check.need(done.returncode == 0, "tenon up counts anew")

    for number in (signal.SIGTERM, signal.SIGINT):
        with daemon.Home() as home, step(f"{number.name} ends it in order (FR-07)"):
            child = home.foreground()
            child.send_signal(number)
            check.need(child.wait(20) == 0, child.returncode)
            check.need(set(os.listdir(home.runtime(""))) <= {"launch.json"},
                       os.listdir(home.runtime("")))

    with daemon.Home() as home, step("nobody is ended because a number is written somewhere (ST-006)"):
        victim = subprocess.Popen(["sleep", "60"], env=home.env)
        home.tenon("up")
        found = home.discovery()
        os.kill(found["pid"], signal.SIGKILL)
        daemon.wait_until(lambda: not daemon.is_alive(found["pid"]), "the end")
        with open(home.runtime("tenond.json"), "w", encoding="utf-8") as file:
            json.dump({**found, "pid": victim.pid}, file)
        home.tenon("down")
        home.tenon("up")
        check.need(victim.poll() is None, "an innocent process was ended")
        victim.kill()
        victim.wait()


def settings():
    with daemon.Home() as home, step("a broken setting: file, line, key and what to send"):
        os.makedirs(home.path("config", "tenon"))
        with open(home.path("config", "tenon", "config.json"), "w", encoding="utf-8") as file:
            file.write('{\n  // the port\n  "http": {\n    "port": 70000\n  }\n}\n')
        del home.env["TENON_HTTP_PORT"]
        done = home.tenon("up", code=4)
        for part in ("config.json:4", "http.port", "65535"):
            check.need(part in done.stderr, done.stderr)

    with daemon.Home() as home, step("a broken policy: the same"):
        os.makedirs(home.path("config", "tenon"))
        with open(home.path("config", "tenon", "policy.json"), "w", encoding="utf-8") as file:
            file.write('{\n  "default": "perhaps"\n}\n')
        done = home.tenon("up", code=4)
        check.need("policy.json" in done.stderr and "allow" in done.stderr, done.stderr)

    with daemon.Home() as home, step("SIGHUP reads settings and policy again, and does not end it"):
        child = home.foreground()
        os.makedirs(home.path("config", "tenon"), exist_ok=True)
        with open(home.path("config", "tenon", "config.json"), "w", encoding="utf-8") as file:
            file.write('{"mcp": {"enabled": false}}')
        child.send_signal(signal.SIGHUP)
        found = home.discovery()

        def is_off():
            return home.get("/mcp", found["token"])[0] == 503
        daemon.wait_until(is_off, "mcp.enabled off (ST-008)")
        check.need(home.get("/health")[0] == 200, "the rest goes on")
        child.terminate()
        check.need(child.wait(20) == 0, "ends in order")

    with daemon.Home() as home, step("a token that stays, from a private file only (T9)"):
        token = "stays-the-same-0123456789"
        path = home.path("token")
        with open(path, "w", encoding="ascii") as file:
            file.write(token + "\n")
        os.chmod(path, 0o644)
        home.env["TENON_HTTP_TOKEN_FILE"] = path
        check.need("600" in home.tenon("up", code=4).stderr, "readable by others")
        os.chmod(path, 0o600)
        home.tenon("up")
        check.need(home.discovery()["token"] == token, "the file's")
        check.need(home.get("/metrics", token)[0] == 200, "it counts")
        check.need(home.get("/metrics", token + "x")[0] == 401, "no other does")
        check.need(home.get("/metrics")[0] == 401, "nor none")


def secrets():
    with daemon.Home() as home, step("the tokens stand where they must and nowhere else (T7, ST-141, T17)"):
        home.tenon("up")
        found = home.discovery()
        person = home.tenon("open", "--print").stdout.partition("#token=")[2].strip()
        check.need(len(person) >= 43 and person != found["token"], "two tokens")
        home.tenon("call", "plan.terraform_parse", "plan_text=No changes.", code=None)
        for resource in ("status", "clients", "calls", "audit", "logs", "settings", "hosts"):
            text = home.tenon("read", f"tenon://{resource}").stdout
            check.need(found["token"] not in text and person not in text, f"tenon://{resource}")
        doctor = home.tenon("doctor", code=None).stdout
        check.need(found["token"] not in doctor and person not in doctor, "doctor")
        for path, token in (("/health", None), ("/metrics", found["token"]), ("/", None)):
            _, headers, body = home.get(path, token)
            check.need("Set-Cookie" not in headers, "a cookie")
            check.need(found["token"].encode() not in body and person.encode() not in body, path)
        for name in ("environ", "cmdline"):
            try:
                with open(f"/proc/{found['pid']}/{name}", "rb") as file:
                    check.need(person.encode() not in file.read(), name)
            except PermissionError: # of the user's own, too, it is not to be read
                check.need(os.geteuid() != 0, name)
        for folder, _, names in os.walk(home.folder):
            for name in names:
                path = os.path.join(folder, name)
                if not stat.S_ISREG(os.lstat(path).st_mode):
                    continue
                with open(path, "rb") as file:
                    data = file.read()
                check.need(person.encode() not in data, f"the person's in {path}")
                check.need(found["token"].encode() not in data or name == "tenond.json", path)


def systemd():
    def available(name):
        return any(os.access(os.path.join(folder, name), os.X_OK)
                   for folder in os.environ["PATH"].split(":"))

    build = os.path.dirname(daemon.TENOND)
    with daemon.Home() as home, step("socket activation: the first connection starts it"):
        check.need(available("systemd-socket-activate"), "systemd is not installed")
        spare = socket.create_server(("127.0.0.1", 0))
        port = spare.getsockname()[1]
        spare.close()
        manager = subprocess.Popen(
            ["systemd-socket-activate", "-l", f"127.0.0.1:{port}",
             *[word for key, value in home.env.items() for word in ("-E", f"{key}={value}")],
             daemon.TENOND, "--daemon"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        daemon.wait_until(lambda: not refused(port), "the port")
        daemon.wait_until(lambda: home.discovery_or_none(), "the daemon")
        check.need(home.discovery()["httpPort"] == port, home.discovery())
        check.need(home.get("/health")[0] == 200, "it answers on the socket it was given")
        manager.terminate()
        check.need(manager.wait(20) == 0, "ends in order")

    with step("the units are in order (systemd-analyze verify)"):
        folder = os.path.join(build, "unit-test")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(build, "packaging", "tenond.service"), encoding="utf-8") as file:
            unit = file.read()
        installed = [line for line in unit.splitlines() if line.startswith("ExecStart=")]
        check.need(len(installed) == 1, unit)
        with open(os.path.join(folder, "tenond.service"), "w", encoding="utf-8") as file:
            file.write(unit.replace(installed[0], f"ExecStart={daemon.TENOND} --daemon"))
        source = os.path.join(os.path.dirname(__file__), "../../packaging/systemd/tenond.socket")
        with open(source, encoding="utf-8") as file, \
                open(os.path.join(folder, "tenond.socket"), "w", encoding="utf-8") as copy:
            copy.write(file.read())
        done = subprocess.run(["systemd-analyze", "verify", "--user", "--man=no",
                               os.path.join(folder, "tenond.service"),
                               os.path.join(folder, "tenond.socket")],
                              capture_output=True, encoding="utf-8", check=False, timeout=60,
                              env={**os.environ, "XDG_RUNTIME_DIR": "/tmp"})
        check.need(done.returncode == 0 and "tenond" not in done.stderr, done.stderr)
        check.need("NoNewPrivileges=yes" in unit and "UMask=0077" in unit, unit)

    with daemon.Home() as home, step("a supervisor is told when it is ready"):
        path = home.path("notify")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
            listener.bind(path)
            listener.settimeout(20)
            home.env["NOTIFY_SOCKET"] = path
            child = subprocess.Popen([daemon.TENOND, "--daemon"], env=home.env)
            check.need(listener.recv(100) == b"READY=1", "READY=1")
            check.need(home.get("/health")[0] == 200, "and it is")
            child.terminate()
            check.need(listener.recv(100) == b"STOPPING=1", "STOPPING=1")
            check.need(child.wait(20) == 0, "ends in order")


def main():
    starting()
    ports()
    ends()
    settings()
    secrets()
    systemd()
    return check.failures


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
