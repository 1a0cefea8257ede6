"""studio.py - an assistant that uses the studio's tools, for tests, over any link.

    with studio.Served() as place:                  # `tenon serve studio`, on its own folders
        place.client.use("new_project", name="one", directoryPath=place.folder)
        place.kill(); place.start()                 # the same folders, another process
"""
import os
import shutil
import signal
import tempfile

import daemon
import links
import talk

REVISION = "2025-11-25"


class Fault(Exception):
    """A tool error: `code`, and all of it."""

    def __init__(self, error):
        super().__init__(f"{error.get('error')}: {error.get('message')}")
        self.code, self.error = error.get("error"), error


class Assistant(talk.Client):
    def __init__(self, link, timeout_s=60):
        super().__init__(link, REVISION, timeout_s)
        self.hello()

    def begin(self, tool, **arguments):
        """Starts a call; `end` waits for it."""
        return self.start("tools/call", {"name": tool, "arguments": arguments})

    def end(self, number):
        answer = self.finish(number)
        if "result" not in answer:
            raise AssertionError(f"refused: {answer}")
        content = answer["result"].get("structuredContent", {})
        if answer["result"].get("isError"):
            raise Fault(content or {"message": answer["result"]["content"]})
        return content

    def use(self, tool, **arguments):
        return self.end(self.begin(tool, **arguments))

    def add(self, kind, parent=None, **arguments):
        """The instanceId of a new resource."""
        if parent:
            arguments["parentId"] = parent
        return self.use("add_resource", typeId=kind, **arguments)["instanceId"]

    def code_of(self, tool, **arguments):
        """The error's code, or None when there is none."""
        try:
            self.use(tool, **arguments)
        except Fault as fault:
            return fault.code
        return None

    def diagram(self):
        return self.use("get_diagram")


def bare(records):
    """Nodes or edges as they are, whatever the revision of their last change: undoing is a change, too (SC-012)."""
    return [{key: value for key, value in one.items() if key != "rev"} for one in records]


class Served:
    """`tenon serve studio` on standard input and output, with folders of its own."""

    def __init__(self, *words, env=None, timeout_s=60):
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="tenon-studio-"))
        self.words, self.timeout_s = words, timeout_s
        self.env = {name: value for name, value in os.environ.items()
                    if not name.startswith(("TENON_", "XDG_", "TF_", "ARM_", "AWS_"))}
        self.env |= {"HOME": self.folder, "TENON_CONSENT": "allow"}
        for name, folder in (("RUNTIME_DIR", "run"), ("CONFIG_HOME", "config"), ("STATE_HOME", "state"),
                             ("DATA_HOME", "data"), ("CACHE_HOME", "cache")):
            self.env["XDG_" + name] = os.path.join(self.folder, folder)
            os.mkdir(self.env["XDG_" + name], 0o700)
        self.env |= env or {}
        self.errors = open(os.path.join(self.folder, "errors"), "w+", encoding="utf-8")
        self.start()

    def start(self):
        self.link = links.Stdio([daemon.TENON, "serve", "studio", *self.words], env=self.env, errors=self.errors)
        self.client = Assistant(self.link, self.timeout_s)

    @property
    def pid(self):
        return self.link.process.pid

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)
        self.link.process.wait()
        self.link.process.stdin.close()
        self.link.process.stdout.close()

    def said(self):
        self.errors.seek(0)
        return self.errors.read()[-1000:]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.code = self.link.close(20)
        except (OSError, links.Lost, ValueError):
            self.code = None
        self.errors.close()
        shutil.rmtree(self.folder, ignore_errors=True)
