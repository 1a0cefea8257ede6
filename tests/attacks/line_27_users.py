#!/usr/bin/env python3
"""line_27_users.py - several users on one machine: caches, logs, temporary files, sockets and memory of one are closed to
the others, whatever the umask; nothing leaves a core."""
import os
import stat
import subprocess
import tempfile

import line
import check
import daemon
import studio
import terminal

READ = """
import os, sys
seen = []
for top in sys.argv[1:]:
    for where, folders, files in os.walk(top):
        for name in files:
            try:
                open(os.path.join(where, name), "rb").read(1)
                seen.append(os.path.join(where, name))
            except OSError:
                pass
print("\\n".join(seen))
"""


def used(home):
    """Everything that makes files: sessions, plans, projects, exports, a hand-over of a long text."""
    with line.relay(home, "terminal", terminal.Assistant) as client:
        client.run("echo private; sleep 0.1", cwd=home.folder)
        client.use("create_session", cwd=home.folder, record=True)
        client.run("seq 300000", cwd=home.folder)
    with line.relay(home, "plan") as client:
        client.use("terraform_explain", plan_text="No changes. Your infrastructure matches the configuration.")
    with line.relay(home, "studio") as client:
        client.use("new_project", name="p", directoryPath=home.path("data"))
        client.add("builtin/core/data", label="private")
        client.use("save_project")
    with line.relay(home, "floorplan") as client:
        client.finish(client.start("tools/call", {"name": "open_floorplan", "arguments": {"dsl": "floorplan\n  floor f1 {\n  }\n"}}))


def modes(home, temporary):
    with line.step("under umask 0: no file, folder or socket of ours is open to others"):
        wide = []
        for top in (home.path("run", "tenon"), home.path("state", "tenon"), home.path("cache"), temporary):
            for where, folders, files in os.walk(top):
                for name in folders + files:
                    path = os.path.join(where, name)
                    try:
                        status = os.lstat(path)
                    except FileNotFoundError:
                        continue
                    if not stat.S_ISLNK(status.st_mode) and stat.S_IMODE(status.st_mode) & 0o077:
                        wide.append((path, oct(status.st_mode)))
        check.need(not wide, wide[:5])
    with line.step("another user reads none of it, though the folders above let them in"):
        os.chmod(home.folder, 0o755)
        for name in ("run", "state", "config", "cache"):
            os.chmod(home.path(name), 0o755)
        done = line.as_nobody(READ, home.path("run"), home.path("state"), home.path("config"), home.path("cache"), temporary)
        check.need(not done or (done.returncode == 0 and not done.stdout.strip()), done)
    with line.step("nothing of ours lies in the shared folder for temporary files"):
        left = [name for name in os.listdir(temporary) if "tenon" in name]
        for name in left:
            check.need(stat.S_IMODE(os.lstat(os.path.join(temporary, name)).st_mode) & 0o077 == 0, name)


def memory(home):
    pid = home.discovery()["pid"]
    with line.step("the daemon leaves no core, and shows its memory to nobody"):
        with open(f"/proc/{pid}/limits", encoding="ascii") as file:
            core = [row for row in file if row.startswith("Max core file size")][0].split()[4]
        owner = os.stat(f"/proc/{pid}/mem").st_uid
        check.need(core == "0" or owner != os.geteuid() or os.geteuid() == 0, f"core {core}")
        done = line.as_nobody("import sys\nfor n in ('mem','environ','maps','fd','cwd'):\n try:\n  p='/proc/'+sys.argv[1]+'/'+n\n"
                              "  import os\n  (os.listdir(p) if n=='fd' else os.readlink(p) if n=='cwd' else open(p,'rb').read(1))\n"
                              "  print(n)\n except OSError: pass", str(pid))
        check.need(not done or (done.returncode == 0 and not done.stdout.strip()), done)
    with line.step("killed by a signal that dumps, it leaves no core where it stood, and none with a token"):
        folder = home.path("crash")
        os.mkdir(folder)
        with daemon.Home() as other:
            child = subprocess.Popen(["sh", "-c", f"ulimit -c unlimited; exec {daemon.TENOND} --daemon"], env=other.env, cwd=folder,
                                     stdin=subprocess.DEVNULL)
            daemon.wait_until(lambda: other.discovery_or_none() or child.poll() is not None, "a daemon")
            token = other.discovery()["token"].encode()
            os.kill(child.pid, 6)
            child.wait(30)
            for where, _, names in os.walk(other.folder):
                for name in names:
                    path = os.path.join(where, name)
                    if "core" in name and os.path.isfile(path):
                        check.need(token not in open(path, "rb").read(), path)
        check.need(os.listdir(folder) == [] or os.environ.get("ASAN_OPTIONS"), os.listdir(folder))


def prepared():
    """Somebody made the folders first, in a place that both may write to."""
    if os.geteuid() != 0:
        return
    with daemon.Home() as home, line.step("folders that another user made first are not used"):
        for name in ("run", "state"):
            os.mkdir(home.path(name, "tenon"), 0o700)
            os.chown(home.path(name, "tenon"), line.NOBODY, line.NOBODY)
        done = home.tenon("up", code=None)
        check.need(done.returncode != 0, f"it started: {done.stdout}")
        check.need(os.listdir(home.path("run", "tenon")) == [], "files in a stranger's folder")
    with studio.Served() as place, line.step("a link of another user in a project is not written through"):
        path = place.client.use("new_project", name="p", directoryPath=place.folder)["project"]["path"]
        target = os.path.join(place.folder, "target")
        with open(target, "w", encoding="ascii") as file:
            file.write("kept")
        os.symlink(target, os.path.join(path, "x.csv"))
        os.lchown(os.path.join(path, "x.csv"), line.NOBODY, line.NOBODY)
        place.client.code_of("export_diagram", format="csv", path="x.csv", overwrite=True)
        with open(target, encoding="ascii") as file:
            check.need(file.read() == "kept", "it was")


def main():
    os.umask(0)
    temporary = tempfile.mkdtemp(prefix="line-27-")
    os.chmod(temporary, 0o1777)
    with daemon.Home(TENON_CONSENT="allow", TMPDIR=temporary) as home:
        home.foreground("--set", "terminal.rate_per_minute=0")
        used(home)
        modes(home, temporary)
        memory(home)
        home.stop()
    prepared()
    subprocess.run(["rm", "-rf", temporary], check=True)
    line.end()


main()
