#!/usr/bin/env python3
"""packages.py [--build] FOLDER - what FOLDER/package-lock.json names, into FOLDER/node_modules.

The lock file says everything: which packages, where they lie and the hash of each. So nothing is resolved, no
install script runs, and npm is not needed: Debian's brings 357 packages along and leaves out, being old, the
native parts of newer tools. With --build what only development needs is left out. What is there is kept.

From where: npm's own settings say so, in the environment or in .npmrc (registry, @scope:registry, cafile,
https-proxy, proxy, noproxy, _authToken, _auth), and so do HTTPS_PROXY and NODE_EXTRA_CA_CERTS.
What was fetched once is kept in ~/.cache/tenon/packages by its hash (XDG_CACHE_HOME counts)."""
import base64
import concurrent.futures
import fcntl
import hashlib
import io
import json
import os
import platform
import re
import shutil
import ssl
import sys
import tarfile
import time
import urllib.error
import urllib.parse
import urllib.request

PUBLIC = "https://registry.npmjs.org/"
TRIES = 4
AT_ONCE = 6
BYTES_MAX = 256 << 20  # of one package, packed
MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}


class Refused(Exception):
    """A sentence for the user."""


class Settings:
    """npm's settings: the environment, the folder's, the user's and the machine's .npmrc; the first one counts."""

    def __init__(self, folder):
        self.values = {}
        for name, value in os.environ.items():
            if name.lower().startswith("npm_config_") and value:
                key = name[len("npm_config_"):]
                # npm: "_" between words stands for "-"; an address keeps its own letters.
                self.values.setdefault(key if key.startswith(("//", "@")) else key.lower().replace("_", "-"), value)
        home = os.path.expanduser("~")
        for path in (os.path.join(folder, ".npmrc"), self.get("userconfig", os.path.join(home, ".npmrc")),
                     self.get("globalconfig", "/etc/npmrc")):
            self.read(path)

    def read(self, path):
        """Adds what the file says to what is not said yet."""
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                lines = file.read().splitlines()
        except OSError:
            return
        said = {}
        for line in lines:
            key, equals, value = line.partition("=")
            if equals and not line.lstrip().startswith(("#", ";")):
                value = value.strip().strip("\"'")
                said[key.strip()] = re.sub(r"\$\{([^}]+)\}",
                                           lambda found: os.environ.get(found[1], found[0]), value)
        for key, value in said.items():
            self.values.setdefault(key, value)

    def get(self, key, default=None):
        """A setting's value."""
        return self.values.get(key) or default

    def registry(self, name):
        """The address below which a package lies."""
        scope = name.split("/")[0]
        address = (self.get(scope + ":registry") if scope.startswith("@") else None) or self.get("registry", PUBLIC)
        return address.rstrip("/") + "/"

    def authorization(self, address):
        """The header for this address: the setting of the longest part of it, as npm looks for it."""
        parts = urllib.parse.urlsplit(address)
        where = "//%s%s" % (parts.netloc, parts.path)
        while len(where) > 2:
            for stem in (where, where.rstrip("/")):
                if self.get(stem + ":_authToken"):
                    return "Bearer " + self.get(stem + ":_authToken")
                if self.get(stem + ":_auth"):
                    return "Basic " + self.get(stem + ":_auth")
            where = where.rstrip("/").rpartition("/")[0] + "/" if "/" in where.strip("/") else ""
        return None

    def opener(self):
        """What opens addresses: with the machine's certificates, and by its proxies."""
        context = ssl.create_default_context()
        for path in (self.get("cafile"), os.environ.get("NODE_EXTRA_CA_CERTS")):
            if path and os.path.exists(path):
                context.load_verify_locations(path)
        proxies = urllib.request.getproxies()
        if self.get("noproxy"):
            os.environ.setdefault("no_proxy", self.get("noproxy"))
        if self.get("https-proxy") or self.get("proxy"):
            proxies["https"] = self.get("https-proxy") or self.get("proxy")
            proxies["http"] = self.get("proxy") or proxies["https"]
        return urllib.request.build_opener(urllib.request.ProxyHandler(proxies),
                                           urllib.request.HTTPSHandler(context=context))


def fits(entry):
    """Whether the package is for this machine: os, cpu and libc of its entry."""
    here = {"os": "linux", "cpu": MACHINES.get(platform.machine(), platform.machine()),
            "libc": "glibc" if platform.libc_ver()[0] == "glibc" else "musl"}
    for key, value in here.items():
        wanted = entry.get(key) or []
        wanted = [wanted] if isinstance(wanted, str) else wanted
        if "!" + value in wanted or (any(w[:1] != "!" for w in wanted) and value not in wanted):
            return False
    return True


def linked(lock):
    """The packages that lie in the folder itself: {place: folder}."""
    found = {}
    for place, entry in lock["packages"].items():
        if not entry.get("link"):
            continue
        target = str(entry.get("resolved", ""))
        if not place.startswith("node_modules/") or target not in lock["packages"] \
                or not re.fullmatch(r"[\w-][\w.-]*(/[\w-][\w.-]*)*", target) or ".." in place.split("/"):
            raise Refused("%s in package-lock.json is a link that leaves the folder" % place)
        found[place] = target
    return found


def chosen(lock, build):
    """(place, name, version, integrity) of each package that this machine needs."""
    if lock.get("lockfileVersion") != 3:
        raise Refused("package-lock.json is of version %s; npm 7 and newer write 3" % lock.get("lockfileVersion"))
    ours = set(linked(lock).values())
    for place, entry in lock["packages"].items():
        if not place or place in ours or entry.get("link") or entry.get("inBundle") or (build and entry.get("dev")):
            continue
        if not fits(entry):
            if entry.get("optional"):
                continue
            raise Refused("%s is not made for this machine" % place)
        if not str(entry.get("integrity", "")).startswith("sha512-"):
            raise Refused("%s in package-lock.json has no sha512 hash" % place)
        if not place.startswith("node_modules/") or ".." in place.split("/"):
            raise Refused("%s in package-lock.json lies outside node_modules" % place)
        yield place, entry.get("name") or place.rpartition("node_modules/")[2], entry["version"], entry["integrity"]


class Fetcher:
    """Packed packages, from the cache or from the registry, always checked against their hash."""

    def __init__(self, folder):
        self.settings = Settings(folder)
        self.opener = self.settings.opener()
        self.bytes = self.fetched_bytes = 0
        cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
        self.cache = os.path.join(cache, "tenon", "packages")

    def download(self, name, version):
        """The bytes that the registry has: it keeps them where each registry of npm's kind does."""
        address = "%s%s/-/%s-%s.tgz" % (self.settings.registry(name), name, name.rpartition("/")[2], version)
        request = urllib.request.Request(address, headers={"User-Agent": "tenon-build"})
        authorization = self.settings.authorization(address)
        if authorization:  # not for where a redirection leads
            request.add_unredirected_header("Authorization", authorization)
        for attempt in range(1, TRIES + 1):
            try:
                with self.opener.open(request, timeout=60) as answer:
                    packed = answer.read(BYTES_MAX + 1)
                    announced = answer.headers.get("Content-Length")
                    if announced is None or int(announced) == len(packed):
                        return packed
                    why = "it ended after %d of %s bytes" % (len(packed), announced)
            except urllib.error.HTTPError as error:
                why = "HTTP %d" % error.code
                if error.code in (401, 403, 404):
                    break
            except (OSError, ValueError) as error:
                why = str(getattr(error, "reason", error))
            if attempt < TRIES:
                time.sleep(attempt * 2)
        raise Refused("%s cannot be fetched: %s" % (address, why))

    def packed(self, name, version, integrity):
        """The bytes of a package."""
        found = self.find(name, version, integrity)
        self.bytes += len(found)
        return found

    def find(self, name, version, integrity):
        """In the cache, or in the registry."""
        digest = base64.b64decode(integrity.split()[0][len("sha512-"):])
        path = os.path.join(self.cache, digest.hex() + ".tgz")
        try:
            with open(path, "rb") as file:
                packed = file.read()
            if hashlib.sha512(packed).digest() == digest:
                return packed
        except OSError:
            pass
        packed = self.download(name, version)
        if hashlib.sha512(packed).digest() != digest:
            raise Refused("%s %s from %s is not what package-lock.json names: its hash differs" % (
                name, version, self.settings.registry(name)))
        self.fetched_bytes += len(packed)
        try:  # a machine without a home builds as well
            os.makedirs(self.cache, exist_ok=True)
            with open("%s.%d" % (path, os.getpid()), "wb") as file:
                file.write(packed)
            os.rename(file.name, path)
        except OSError:
            pass
        return packed


def unpack(packed, target):
    """A package's files: what npm packs is plain files below one folder."""
    with tarfile.open(fileobj=io.BytesIO(packed), mode="r:gz") as archive:
        for member in archive:
            parts = member.name.split("/")[1:]
            if not member.isfile() or not parts or ".." in parts or "" in parts:
                continue
            path = os.path.join(target, *parts)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with archive.extractfile(member) as source, open(path, "wb") as file:
                shutil.copyfileobj(source, file)
            os.chmod(path, 0o755 if member.mode & 0o111 else 0o644)


def link_programs(modules, place, name):
    """The programs of a package, in the .bin beside it."""
    with open(os.path.join(modules, place, "package.json"), encoding="utf-8") as file:
        programs = json.load(file).get("bin") or {}
    if isinstance(programs, str):
        programs = {name.rpartition("/")[2]: programs}
    folder = os.path.join(modules, place[:len(place) - len(name)], ".bin")
    for program, path in programs.items():
        target = os.path.normpath(os.path.join(modules, place, path))
        link = os.path.join(folder, program)
        if "/" in program or not target.startswith(os.path.join(modules, place) + "/") or not os.path.isfile(target):
            continue
        os.makedirs(folder, exist_ok=True)
        os.chmod(target, 0o755)
        if not os.path.lexists(link):
            os.symlink(os.path.relpath(target, folder), link)


def install(folder, build):
    """Fills node_modules, or leaves the old one as it was."""
    with open(os.path.join(folder, "package-lock.json"), "rb") as lock_file:
        fcntl.flock(lock_file, fcntl.LOCK_EX)  # several builds may ask at once
        text = lock_file.read()
        mark = hashlib.sha256(text).hexdigest()
        modules, fresh = os.path.join(folder, "node_modules"), os.path.join(folder, "node_modules.new")
        try:
            with open(os.path.join(modules, ".tenon-lock"), encoding="ascii") as file:
                if file.read() in [mark + " all", mark + " build"][:2 if build else 1]:
                    return
        except OSError:
            pass
        shutil.rmtree(fresh, ignore_errors=True)
        fetcher = Fetcher(folder)

        def one(package):
            place, name, version, integrity = package
            inner = place[len("node_modules/"):]
            unpack(fetcher.packed(name, version, integrity), os.path.join(fresh, inner))
            return inner, name

        lock = json.loads(text)
        packages = list(chosen(lock, build))
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            try:
                unpacked = list(pool.map(one, packages))
            except BaseException:  # the first one that fails is enough
                pool.shutdown(cancel_futures=True)
                raise
        for inner, name in unpacked:
            link_programs(fresh, inner, name)
        for place, target in linked(lock).items():
            link = os.path.join(fresh, place[len("node_modules/"):])
            os.makedirs(os.path.dirname(link), exist_ok=True)
            os.symlink(os.path.relpath(os.path.join(folder, target), os.path.join(folder, os.path.dirname(place))), link)
        with open(os.path.join(fresh, ".tenon-lock"), "w", encoding="ascii") as file:
            file.write(mark + (" build" if build else " all"))
        shutil.rmtree(modules, ignore_errors=True)
        os.rename(fresh, modules)
        print("packages.py: %s: %d packages of %.1f MB, %.1f MB fetched" % (
            os.path.relpath(folder), len(packages), fetcher.bytes / 1e6, fetcher.fetched_bytes / 1e6), file=sys.stderr)


def main(arguments):
    """Reads the arguments."""
    build = "--build" in arguments
    folders = [a for a in arguments if a != "--build"]
    if len(folders) != 1 or folders[0].startswith("-"):
        sys.exit(__doc__.splitlines()[0])
    folder = os.path.abspath(folders[0])
    try:
        install(folder, build)
    except Refused as refused:
        sys.exit("packages.py: %s" % refused)
    except (OSError, ValueError, tarfile.TarError) as error:
        sys.exit("packages.py: %s: %s" % (folder, error))


main(sys.argv[1:])
