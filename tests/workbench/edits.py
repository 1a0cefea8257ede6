#!/usr/bin/env python3
"""edits.py - tenon workbench edit with real files: kills at any moment, full and read-only disks, links that are exchanged meanwhile
(workbench.md D3). No daemon, no Node."""
import ctypes
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib"))
import check  # noqa: E402
from check import need  # noqa: E402

BUILD = os.environ.get("TENON_BUILD", "build")
FILES = 40
libc = ctypes.CDLL(None, use_errno=True)


def step(name):
    return check.Step("workbench-edits", name)


def equal(got, wanted, what):
    need(got == wanted, f"{what}: {got} instead of {wanted}")


def command(root):
    return [os.path.join(BUILD, "tenon"), "workbench", "edit", "--root", root]


def edit(root, *edits, **more):
    ended = subprocess.run(command(root), input=json.dumps({"edits": edits, **more}), capture_output=True, text=True, timeout=60)
    return json.loads(ended.stdout)


def replace(path, old, new, start=0):
    return {"kind": "text", "filePath": path, "edits": [{"start": start, "end": start + len(old), "newText": new}]}


def write(root, path, text):
    whole = os.path.join(root, path)
    os.makedirs(os.path.dirname(whole), exist_ok=True)
    with open(whole, "w", encoding="utf-8") as file:
        file.write(text)


def tree(root):
    """Every name beneath the root, with what is in it."""
    found = {}
    for folder, folders, names in os.walk(root):
        for name in folders + names:
            path = os.path.join(folder, name)
            found[os.path.relpath(path, root)] = None if os.path.isdir(path) else open(path, encoding="utf-8").read()
    return found


def kill_worker(pid):
    """The process that does it, and the one that waits for it."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            children = [int(word) for word in file.read().split()]
    except OSError:
        children = []
    for victim in [*children, pid]:
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return bool(children)


def many(old, new):
    edits = [replace(f"src/{i}.txt", old, new) for i in range(FILES)]
    return [*edits, {"kind": "create", "filePath": "made/of/late.txt", "contents": "x"}, {"kind": "delete", "filePath": "gone.txt"}]


def takes():
    """How long it takes undisturbed."""
    root = tempfile.mkdtemp()
    for i in range(FILES):
        write(root, f"src/{i}.txt", "old")
    write(root, "gone.txt", "x")
    began = time.monotonic()
    edit(root, *many("old", "new"))
    shutil.rmtree(root)
    return time.monotonic() - began


def kills(rounds, whole):
    """whole: both processes die at once; else the one in front alone, and the other goes on."""
    seen_old = seen_new = left = 0
    dice, longest = random.Random(7), takes() * 1.2
    for _ in range(rounds):
        root = tempfile.mkdtemp()
        for i in range(FILES):
            write(root, f"src/{i}.txt", "old")
        write(root, "gone.txt", "x")
        before = tree(root)
        after = {name: "new" if text == "old" else text for name, text in before.items() if name != "gone.txt"}
        after |= {"made": None, "made/of": None, "made/of/late.txt": "x"}
        running = subprocess.Popen(command(root), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        running.stdin.write(json.dumps({"edits": many("old", "new")}).encode())
        running.stdin.close()
        time.sleep(dice.random() * longest)
        if whole:
            kill_worker(running.pid)
        else:
            running.kill()
        running.stdout.read()  # to its end, which is that of the last process that has it
        running.stdout.close()
        running.wait()
        now = tree(root)
        left += now not in (before, after)
        equal(edit(root), {"ok": True, "files": []}, "nothing to do")
        now = tree(root)
        need(now in (before, after), f"neither all nor none: {set(now.items()) ^ set(before.items())}")
        seen_old += now == before
        seen_new += now == after
        shutil.rmtree(root)
    print(f"# {rounds} kills: {seen_old} left all files as they were, {seen_new} changed all; {left} needed the next call to tidy up")
    need(whole or left == 0, "the one that waited alone was killed, and something was left")


def killed_at_any_moment():
    kills(60, True)


def killed_in_front():
    kills(30, False)


def mounted(root, size):
    need(libc.mount(b"none", root.encode(), b"tmpfs", 0, f"size={size},mode=0755".encode()) == 0, "mount")


def full_disk():
    root = tempfile.mkdtemp()
    mounted(root, "200k")
    try:
        write(root, "a.txt", "a" * 60000)
        write(root, "b.txt", "b" * 60000)
        before = tree(root)
        failed = edit(root, replace("a.txt", "a", "A" * 5000), replace("b.txt", "b", "B" * 20000))
        equal((failed["ok"], failed["error"]["code"], failed["error"]["filePath"]), (False, "ioError", "b.txt"), "no room")
        equal(tree(root), before, "as it was")
        need(libc.mount(b"none", root.encode(), b"tmpfs", 32 | 1, None) == 0, "read-only")  # MS_REMOUNT | MS_RDONLY
        failed = edit(root, replace("a.txt", "a", "A"))
        equal((failed["ok"], failed["error"]["code"]), (False, "permissionDenied"), "read-only")
        equal(tree(root), before, "as it was")
    finally:
        need(libc.umount2(root.encode(), 2) == 0, "unmount")
        os.rmdir(root)


def no_right():
    """As somebody who may write one folder and not the other."""
    root = tempfile.mkdtemp()
    write(root, "mine/a.txt", "a")
    write(root, "theirs/b.txt", "b")
    write(root, "fixed.txt", "f")
    for path in (".", "mine", "mine/a.txt", "theirs/b.txt"):
        os.chown(os.path.join(root, path), 65534, 65534)
    os.chmod(os.path.join(root, "fixed.txt"), 0o644)
    before = tree(root)
    for last, path in ((replace("theirs/b.txt", "b", "B"), "theirs/b.txt"), (replace("fixed.txt", "f", "F"), "fixed.txt")):
        ended = subprocess.run(command(root), input=json.dumps({"edits": [replace("mine/a.txt", "a", "A"), last]}), text=True,
                               capture_output=True, user=65534, group=65534, extra_groups=[], timeout=60)
        failed = json.loads(ended.stdout)
        equal((failed["ok"], failed["error"]["code"], failed["error"]["filePath"]), (False, "permissionDenied", path), path)
        equal(tree(root), before, "as it was")
    shutil.rmtree(root)


def exchanged_links():
    """A folder that is a link to a place outside every other moment: nothing outside is ever written."""
    root, outside = tempfile.mkdtemp(), tempfile.mkdtemp()
    write(root, "real/a.txt", "old")
    write(outside, "a.txt", "old")
    os.symlink("real", os.path.join(root, "way"))
    os.symlink(outside, os.path.join(root, "out"))
    over, dice = threading.Event(), random.Random(3)

    def swap():
        way, out = os.path.join(root, "way").encode(), os.path.join(root, "out").encode()
        while not over.is_set():
            need(libc.renameat2(-100, way, -100, out, 2) == 0, "RENAME_EXCHANGE")
            time.sleep(dice.random() * 0.0005)

    thread = threading.Thread(target=swap)
    thread.start()
    codes = {}
    for _ in range(150):
        said = edit(root, replace("way/a.txt", "old", "new"))
        code = "ok" if said["ok"] else said["error"]["code"]
        codes[code] = codes.get(code, 0) + 1
        if said["ok"]:
            edit(root, replace("real/a.txt", "new", "old"))
    over.set()
    thread.join()
    print(f"# {codes}")
    equal(tree(outside), {"a.txt": "old"}, "outside")
    need(codes.get("ok"), "it never worked")
    shutil.rmtree(root)
    shutil.rmtree(outside)


def two_at_once():
    """Two processes on one folder: one after the other, or a conflict; never a mixture."""
    root = tempfile.mkdtemp()
    for i in range(FILES):
        write(root, f"src/{i}.txt", "000")
    for turn in range(12):
        running = [subprocess.Popen(command(root), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(3)]
        for number, process in enumerate(running):
            process.stdin.write(json.dumps({"edits": [replace(f"src/{i}.txt", "000", f"{turn:02}{number}") for i in range(FILES)]}))
            process.stdin.close()
        said = [json.loads(process.stdout.read()) for process in running]
        for process in running:
            process.wait()
            process.stdout.close()
        need(any(one["ok"] for one in said), f"none was done: {said}")
        need(all(one["ok"] or one["error"]["code"] == "conflict" for one in said), f"{said}")
        equal(len({text for text in tree(root).values() if text is not None}), 1, "one and the same everywhere")
    need(not [name for name in tree(root) if ".tenon" in name], "something was left")
    shutil.rmtree(root)


def main():
    for name, run in (("killed at any moment", killed_at_any_moment), ("killed in front", killed_in_front),
                      ("links that are exchanged", exchanged_links), ("two at once", two_at_once)):
        with step(name):
            run()
    for name, run in (("a full disk", full_disk), ("no right", no_right)):
        if os.geteuid() != 0:
            check.skipped("workbench-edits", name, "only root may mount a disk and become somebody else")
            continue
        with step(name):
            run()
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
