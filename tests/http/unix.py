#!/usr/bin/env python3
"""unix.py - lines over a Unix socket: who may, what is at the path, and the end. MCP-093, MCP-284."""
import json
import os
import socket
import stat
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import wire  # noqa: E402

SUITE = "unix"
FOLDER = tempfile.mkdtemp()
PATH = os.path.join(FOLDER, "mcp.sock")


def step(name):
    return check.Step(SUITE, name)


def conversation(server):
    with step("mode 0600, and nothing beside it"):
        check.need(stat.S_IMODE(os.stat(PATH).st_mode) == 0o600, oct(os.stat(PATH).st_mode))
        check.need(os.listdir(FOLDER) == ["mcp.sock"], os.listdir(FOLDER))
    with step("both eras, each connection a client of its own"):
        with wire.Lines(PATH) as one, wire.Lines(PATH) as two:
            one.say(wire.initialize())
            check.need(one.hear()["result"]["protocolVersion"] == "2025-06-18", "initialize")
            two.say(wire.request(1, "tools/list"))
            check.need(two.hear()["error"]["code"] == -32602, "the other has not initialized")
            two.say(wire.modern(2, "tools/list"))
            check.need(two.hear()["result"]["resultType"] == "complete", "a modern call")
    with step("half-closed, it gets its answers; then the end"):
        with wire.Lines(PATH) as client:
            client.say(wire.modern(1, "tools/call", name="slow_compute", arguments={"seconds": 1}))
            client.say(wire.modern(2, "tools/list"))
            client.socket.shutdown(socket.SHUT_WR)
            check.need([client.hear()["id"], client.hear()["id"]] == [2, 1], "both answers")
            check.need(client.hear() is None, "the end")
    with step("a line too long is refused, the next is served"):
        with wire.Lines(PATH) as client:
            client.say(b"x" * ((16 << 20) + 10))
            error = client.hear()["error"]
            check.need(error["code"] == -32600 and error["message"] == "The message is too long", error)
            client.say(wire.request(1, "ping"))
            check.need(client.hear()["id"] == 1, "the next")
    with step("closed, what runs for it is cancelled"):
        before = check.descriptors(server.process.pid)
        client = wire.Lines(PATH)
        client.say(wire.modern(1, "tools/call", name="slow_compute", arguments={"seconds": 600}))
        client.say(wire.modern(2, "tools/list"))
        client.hear()
        client.socket.close()
        deadline = time.monotonic() + 30
        while check.descriptors(server.process.pid) > before:
            check.need(time.monotonic() < deadline, "the descriptor is still open")
            time.sleep(0.05)
    with step("a second server on a living socket is refused"):
        check.need("another server listens" in wire.refused("--unix", PATH), "what it says")
        with wire.Lines(PATH) as client:
            client.say(wire.request(1, "ping"))
            check.need(client.hear()["id"] == 1, "the first goes on")
        check.need(os.listdir(FOLDER) == ["mcp.sock"], os.listdir(FOLDER))


def paths():
    with step("the socket is gone at the end"):
        check.need(not os.path.exists(PATH), "it is still there")
    with step("a dead socket is replaced, with its mode"):
        with socket.socket(socket.AF_UNIX) as dead:
            dead.bind(PATH)
        os.chmod(PATH, 0o777)
        with wire.Server("--unix", PATH):
            check.need(stat.S_IMODE(os.stat(PATH).st_mode) == 0o600, oct(os.stat(PATH).st_mode))
            with wire.Lines(PATH) as client:
                client.say(wire.request(1, "ping"))
                check.need(client.hear()["id"] == 1, "ping")
    with step("a wide umask changes nothing"):
        old = os.umask(0)
        with wire.Server("--unix", PATH):
            check.need(stat.S_IMODE(os.stat(PATH).st_mode) == 0o600, oct(os.stat(PATH).st_mode))
        os.umask(old)
    with step("a file is left alone"):
        with open(PATH, "w", encoding="ascii") as file:
            file.write("precious")
        check.need("no socket" in wire.refused("--unix", PATH), "what it says")
        with open(PATH, encoding="ascii") as file:
            check.need(file.read() == "precious", "its text")
        os.unlink(PATH)
    with step("so is a link"):
        os.symlink("/nowhere", PATH)
        check.need("no socket" in wire.refused("--unix", PATH), "what it says")
        os.unlink(PATH)
    with step("a path too long"):
        check.need("at most 107 bytes" in wire.refused("--unix", os.path.join(FOLDER, "x" * 120)), "")
    with step("an empty path"):
        check.need("needs a path" in wire.refused("--unix", ""), "what it says")
    with step("a folder that is not there"):
        check.need("No such file" in wire.refused("--unix", "/nowhere/at/all.sock"), "what it says")
    with step("another's socket at the path is not removed"):
        with wire.Server("--unix", PATH):
            os.unlink(PATH)
            other = socket.socket(socket.AF_UNIX)
            other.bind(PATH)
        check.need(os.path.exists(PATH), "it was removed")
        other.close()
        os.unlink(PATH)


def caps():
    with step("the cap of connections"):
        with wire.Server("--unix", PATH, "--connections", "2"):
            with wire.Lines(PATH) as one, wire.Lines(PATH) as two:
                one.say(wire.request(1, "ping"))
                two.say(wire.request(1, "ping"))
                one.hear(), two.hear()
                with wire.Lines(PATH) as three:
                    check.need(three.hear()["error"]["message"] == "Too many connections", "refused")
                    check.need(three.hear() is None, "and closed")
                one.say(wire.request(2, "ping"))
                check.need(one.hear()["id"] == 2, "the others go on")


def other_user():
    """Only root can become somebody else."""
    if os.geteuid() != 0:
        return
    with step("another user is refused, even if the mode would allow it"):
        with wire.Server("--unix", PATH):
            os.chmod(PATH, 0o666)
            os.chmod(FOLDER, 0o755)
            read, write = os.pipe()
            child = os.fork()
            if child == 0:
                os.setuid(65534)
                with wire.Lines(PATH) as client:
                    client.say(wire.request(1, "ping"))
                    os.write(write, json.dumps([client.hear(), client.hear()]).encode())
                os._exit(0)
            os.waitpid(child, 0)
            heard = json.loads(os.read(read, 4096))
            check.need(heard[0]["error"]["message"] == "This user may not connect", heard)
            check.need(heard[1] is None, "and closed")


def several():
    with step("HTTP and a Unix socket at once, one feed of changes, one end"):
        with wire.Server("--http", "127.0.0.1:0", "--unix", PATH) as server:
            with wire.Lines(PATH) as client, wire.Wire(server) as connection:
                client.say(wire.modern("L", "subscriptions/listen",
                                       notifications={"toolsListChanged": True}))
                client.hear()
                connection.call("POST", "/mcp", wire.request(1, "tools/call",
                                                             name="test_trigger_tool_change",
                                                             arguments={})).expect(200)
                notice = client.hear()
                check.need(notice["method"] == "notifications/tools/list_changed", notice)
                check.need(server.stop() == 0, "exit 0")
                check.need(client.hear()["id"] == "L" and client.hear() is None, "the listener's end")


def drain():
    server = wire.Server("--unix", PATH)
    with step("SIGTERM: what runs is answered, exit 0"):
        client = wire.Lines(PATH)
        client.say(wire.modern(1, "tools/call", name="slow_compute", arguments={"seconds": 1}))
        client.say(wire.modern(2, "tools/list"))
        check.need(client.hear()["id"] == 2, "what came behind it")
        check.need(server.stop() == 0, "exit 0")
        check.need(client.hear()["id"] == 1 and client.hear() is None, "the answer and the end")


with wire.Server("--unix", PATH) as the_server:
    conversation(the_server)
paths()
caps()
other_user()
several()
drain()
os.rmdir(FOLDER)
sys.exit(check.failures > 0)
