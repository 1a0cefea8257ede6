#!/usr/bin/env python3
"""packages.py - tools/packages.py against a registry of our own: what it takes, what it refuses, whose settings it
heeds, and that node_modules is whole or as before."""
import base64
import hashlib
import http.server
import io
import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib"))
import check  # noqa: E402

SUITE = "packages"
TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tools/packages.py")
WORK = tempfile.mkdtemp(prefix="tenon-packages-")
HERE = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
OTHER = "arm64" if HERE == "x64" else "x64"


class Registry(http.server.BaseHTTPRequestHandler):
    files, asked, trouble = {}, [], {}  # path: bytes; (path, authorization); path: how often to fail, and how

    def do_GET(self):
        self.asked.append((self.path, self.headers.get("Authorization")))
        how, times = self.trouble.get(self.path, (None, 0))
        if times:
            self.trouble[self.path] = (how, times - 1)
        if times and how == "moved":
            self.send_response(302)
            self.send_header("Location", f"http://localhost:{self.server.server_port}/elsewhere" + self.path)
            self.end_headers()
            return
        data = self.files.get(self.path.removeprefix("http://registry.invalid").removeprefix("/elsewhere").removeprefix("/npm"))
        if data is None or (times and how == "error"):
            self.send_error(404 if data is None else 503)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[:len(data) // 2] if times and how == "short" else data)

    def log_message(self, *_args):
        pass


def pack(files, **kinds):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            info.mode = 0o755 if name.endswith("bin/tool") else 0o644
            archive.addfile(info, io.BytesIO(text.encode()))
        for name, target in kinds.items():
            info = tarfile.TarInfo("package/" + name)
            info.type, info.linkname = tarfile.SYMTYPE, target
            archive.addfile(info)
    return out.getvalue()


def package(called, version="1.0.0", text="x", data=None, **about):
    data = data or pack({"package/package.json": json.dumps({"name": called, "bin": about.pop("bin", {})}),
                         "package/index.js": text, "package/bin/tool": "#!/bin/sh\n"})
    Registry.files[f"/{called}/-/{called.rpartition('/')[2]}-{version}.tgz"] = data
    return {"version": version, "integrity": "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode(),
            **about}


class Folder:
    """A project, and a home of its own."""

    def __init__(self, name, entries, version=3):
        self.path = os.path.join(WORK, name)
        os.makedirs(self.path)
        self.env = {"PATH": os.environ["PATH"], "HOME": self.path, "npm_config_registry": REGISTRY}
        self.lock(entries, version)

    def lock(self, entries, version=3):
        with open(os.path.join(self.path, "package-lock.json"), "w", encoding="utf-8") as file:
            json.dump({"lockfileVersion": version, "packages": {"": {}, **entries}}, file)

    def run(self, *words, code=0, **env):
        done = subprocess.run([sys.executable, TOOL, *words, self.path], env={**self.env, **env}, check=False,
                              capture_output=True, encoding="utf-8", timeout=60)
        check.need(done.returncode == code and "Traceback" not in done.stderr, done.stderr[-600:])
        return done.stderr

    def has(self, *parts):
        return os.path.lexists(os.path.join(self.path, "node_modules", *parts))

    def npmrc(self, text):
        with open(os.path.join(self.path, ".npmrc"), "w", encoding="utf-8") as file:
            file.write(text)


def test_layout():
    with check.Step(SUITE, "packages lie where the lock file says, programs are linked, others' machines are left out"):
        folder = Folder("layout", {
            "node_modules/a": package("a", bin={"tool": "bin/tool"}),
            "node_modules/@s/b": package("@s/b", bin="bin/tool"),
            "node_modules/a/node_modules/c": package("c", "2.0.0"),
            "node_modules/other": package("other", cpu=[OTHER], optional=True),
            "node_modules/mine": package("mine", os=["linux"], cpu=[HERE], libc=["glibc"], optional=True),
            "node_modules/not-here": package("not-here", os=["!linux"], optional=True),
            "node_modules/alias": package("real", name="real"),
            "node_modules/a/node_modules/inner": {"version": "1.0.0", "inBundle": True},
            "node_modules/test-only": package("test-only", dev=True)})
        folder.run("--build")
        for path in ("a/index.js", "@s/b/index.js", "a/node_modules/c/index.js", "mine/index.js", "alias/index.js"):
            check.need(folder.has(path), path)
        for path in ("other", "not-here", "test-only", "a/node_modules/inner"):
            check.need(not folder.has(path), path)
        for link in (".bin/tool", ".bin/b"):
            check.need(os.access(os.path.join(folder.path, "node_modules", link), os.X_OK), link)
        before = len(Registry.asked)
        folder.run("--build")
        folder.run()
        check.need(folder.has("test-only") and folder.has("a"), "all")
        folder.run("--build")
        check.need(folder.has("test-only") and len(Registry.asked) == before + 1, "what is there is kept")


def test_linked():
    with check.Step(SUITE, "a package that lies in the folder itself is linked, and nothing is fetched for it"):
        folder = Folder("linked", {"packages/kit": {"name": "@s/kit", "version": "1.0.0"},
                                   "node_modules/@s/kit": {"resolved": "packages/kit", "link": True},
                                   "node_modules/a": package("a")})
        folder.run()
        link = os.path.join(folder.path, "node_modules/@s/kit")
        check.need(os.readlink(link) == "../../packages/kit" and folder.has("a"), "the link")


def test_refused():
    with check.Step(SUITE, "a package of other bytes is refused, and what was there stays"):
        folder = Folder("refused", {"node_modules/old": package("old")})
        folder.run()
        wrong = package("wrong")
        Registry.files["/wrong/-/wrong-1.0.0.tgz"] = pack({"package/package.json": "{}"})
        folder.lock({"node_modules/wrong": wrong})
        check.need("its hash differs" in folder.run(code=1), "says so")
        check.need(folder.has("old") and not folder.has("wrong"), "as before")
    for name, entry, words in (
            ("none", {"version": "1.0.0", "integrity": "sha512-" + "A" * 86 + "=="}, "cannot be fetched: HTTP 404"),
            ("weak", {**package("weak"), "integrity": "sha1-AAAA"}, "has no sha512 hash"),
            ("link", {"link": True}, "is a link that leaves"),
            ("up", {"link": True, "resolved": "../up"}, "is a link that leaves"),
            ("absolute", {"link": True, "resolved": "/etc"}, "is a link that leaves"),
            ("needed", package("needed", cpu=[OTHER]), "is not made for this machine")):
        with check.Step(SUITE, f"refused: {name}"):
            text = Folder("refused-" + name, {"node_modules/" + name: entry}).run(code=1)
            check.need(words in text and text.count("\n") == 1, text)
    with check.Step(SUITE, "refused: a place elsewhere, another version of lock files, no JSON"):
        check.need("outside" in Folder("place", {"node_modules/../../x": package("x")}).run(code=1), "place")
        check.need("version 2" in Folder("two", {}, version=2).run(code=1), "version")
        folder = Folder("nothing", {})
        with open(os.path.join(folder.path, "package-lock.json"), "w", encoding="utf-8") as file:
            file.write("{")
        folder.run(code=1)
    with check.Step(SUITE, "nothing is written outside of the package"):
        data = pack({"package/package.json": '{"bin": {"../up": "index.js", "out": "../../../out"}}',
                     "package/../../../../escaped": "x", "package/index.js": "x"}, to_etc="/etc")
        folder = Folder("escape", {"node_modules/e": package("e", data=data)})
        folder.run()
        check.need(not os.path.exists(os.path.join(WORK, "escaped")) and not folder.has("e/to_etc"), "escaped")
        check.need(not folder.has("up") and not folder.has(".bin/out"), "programs")


def test_troubles():
    for how in ("error", "short"):
        with check.Step(SUITE, f"a registry that fails once is asked again: {how}"):
            folder = Folder("again-" + how, {"node_modules/t": package("t-" + how, name="t-" + how)})
            Registry.trouble[f"/t-{how}/-/t-{how}-1.0.0.tgz"] = (how, 1)
            folder.run()
            check.need(folder.has("t/index.js"), how)
    with check.Step(SUITE, "a cache that was spoilt is fetched anew"):
        folder = Folder("spoilt", {"node_modules/s": package("s")})
        folder.run()
        cache = os.path.join(folder.path, ".cache/tenon/packages")
        for name in os.listdir(cache):
            with open(os.path.join(cache, name), "wb") as file:
                file.write(b"spoilt")
        shutil.rmtree(os.path.join(folder.path, "node_modules"))
        folder.run()
        check.need(folder.has("s/index.js"), "again")
    with check.Step(SUITE, "no registry: one sentence that names the address"):
        folder = Folder("away", {f"node_modules/w{i}": package(f"w{i}") for i in range(30)})
        text = folder.run(code=1, npm_config_registry="http://127.0.0.1:1/")
        check.need("http://127.0.0.1:1/w" in text and text.count("\n") == 1, text)


def test_settings():
    with check.Step(SUITE, "the registry of .npmrc, one for a scope, and a token that goes nowhere else"):
        folder = Folder("settings", {"node_modules/n": package("n"), "node_modules/@own/m": package("@own/m")})
        del folder.env["npm_config_registry"]
        where = REGISTRY.removeprefix("http:")
        folder.npmrc(f"; mine\nregistry = {REGISTRY}\n@own:registry={REGISTRY}npm/\n{where}npm/:_authToken=${{SECRET}}\n")
        Registry.asked.clear()
        Registry.trouble["/npm/@own/m/-/m-1.0.0.tgz"] = ("moved", 1)
        folder.run(SECRET="s3cret")
        asked = dict(Registry.asked)
        check.need(asked == {"/n/-/n-1.0.0.tgz": None, "/npm/@own/m/-/m-1.0.0.tgz": "Bearer s3cret",
                             "/elsewhere/npm/@own/m/-/m-1.0.0.tgz": None}, asked)
    with check.Step(SUITE, "the environment wins, and a proxy is used"):
        folder = Folder("proxy", {"node_modules/p": package("p")})
        Registry.asked.clear()
        folder.run(npm_config_registry="http://registry.invalid/", http_proxy=REGISTRY, NO_PROXY="")
        check.need(Registry.asked == [("http://registry.invalid/p/-/p-1.0.0.tgz", None)], Registry.asked)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Registry)
REGISTRY = f"http://127.0.0.1:{server.server_port}/"
threading.Thread(target=server.serve_forever, daemon=True).start()
try:
    test_layout()
    test_linked()
    test_refused()
    test_troubles()
    test_settings()
finally:
    shutil.rmtree(WORK, ignore_errors=True)
sys.exit(1 if check.failures else 0)
