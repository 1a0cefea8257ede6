#!/usr/bin/env python3
"""page.py - what tenond serves at / and /assets/: every file of the page, compressed for those who take
it, asked for again only when it has changed, to our own origin alone. workbench.md T6, T13, T19.
"""
import gzip
import http.client
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib"))
import check  # noqa: E402
import daemon  # noqa: E402

SUITE = "daemon"
TYPES = {"": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
         ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".woff2": "font/woff2"}
NEITHER = ("access-control-allow-origin", "set-cookie", "www-authenticate")


def step(name):
    return check.Step(SUITE, name)


class Asker:
    """Requests to one daemon, with no header that is not named here."""

    def __init__(self, home):
        self.port = home.discovery()["httpPort"]

    def __call__(self, method, path, body=None, **headers):
        """(status, headers, body)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        every = {"Host": f"127.0.0.1:{self.port}"} | headers
        if body is not None:
            every["Content-Length"] = str(len(body))
        for name, value in every.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders(body)
        answer = connection.getresponse()
        found = (answer.status, {name.lower(): value for name, value in answer.getheaders()},
                 answer.read())
        connection.close()
        return found


def files_of(ask):
    """Every file of the page, found as a browser finds them: from what refers to it."""
    known, new = [], ["/"]
    while new:
        path = new.pop()
        known.append(path)
        text = ask("GET", path)[2].decode("latin-1")
        # Of scripts only whole literals count; they name nothing that the page does not have.
        for found in re.findall(r"/assets/[A-Za-z0-9_.-]+\.[a-z0-9]+", text):
            if found not in known and found not in new:
                new.append(found)
    return known


def of_every_answer(where, headers):
    """T19, and the policy that every answer of the page has, whatever its status."""
    for name, value in (("cache-control", "no-store"), ("x-content-type-options", "nosniff"),
                        ("cross-origin-resource-policy", "same-origin")):
        check.need(headers.get(name) == value, f"{where}: {name} is {headers.get(name)}")
    for name in NEITHER:
        check.need(name not in headers, f"{where}: {name}")


def of_the_page(where, headers):
    of_every_answer(where, headers)
    rules = dict(rule.strip().partition(" ")[::2]
                 for rule in headers["content-security-policy"].split(";"))
    for name in ("default-src", "base-uri", "form-action", "frame-ancestors"):
        check.need(rules.get(name) == "'none'", f"{where}: {name} {rules.get(name)}")
    for name in ("script-src", "style-src", "connect-src", "font-src"):
        check.need(rules.get(name) == "'self'", f"{where}: {name} {rules.get(name)}")
    # Frames are previews of the workbench, whose ports nobody knows before (workbench.md T19).
    check.need(rules.pop("frame-src", None) == "http://127.0.0.1:*", f"{where}: frame-src")
    check.need(not re.search(r"unsafe|\*|http", str(rules)), f"{where}: CSP")
    check.need(headers.get("referrer-policy") == "no-referrer", f"{where}: Referrer-Policy")
    check.need(headers.get("vary") == "Accept-Encoding", f"{where}: Vary")


def whole(ask, files):
    with step("the page has its script, style, icon and font, each with its media type"):
        kinds = {os.path.splitext(path)[1] for path in files}
        check.need(set(TYPES) <= kinds, f"only {kinds}")
        for path in files:
            status, headers, body = ask("GET", path)
            check.need(status == 200 and body, f"{path}: {status}")
            check.need(headers["content-type"] == TYPES[os.path.splitext(path)[1]],
                       f"{path}: {headers['content-type']}")
            of_the_page(path, headers)


def encodings(ask, files):
    with step("gzip for those who take it, the same bytes for those who do not"):
        packed_files = 0
        for path in files:
            plain = ask("GET", path)
            check.need("content-encoding" not in plain[1], f"{path} is packed for somebody else")
            for refused in ("identity", "br", "gzip;q=0"):
                other = ask("GET", path, Accept_Encoding=refused)
                check.need("content-encoding" not in other[1], f"{path}: {refused}")
                check.need(other[2] == plain[2], f"{path}: other bytes for {refused}")
            packed = ask("GET", path, Accept_Encoding="gzip, deflate, br")
            of_the_page(path, packed[1])
            check.need(packed[1]["etag"] == plain[1]["etag"], f"{path}: ETag")
            if packed[1].get("content-encoding") == "gzip":
                packed_files += 1
                check.need(len(packed[2]) < len(plain[2]), f"{path} grew")
                check.need(gzip.decompress(packed[2]) == plain[2], f"{path}: another text")
            else:
                check.need(packed[2] == plain[2], f"{path}: neither packed nor plain")
        check.need(packed_files >= 3, f"only {packed_files} files are packed")


def heads(ask, files):
    with step("HEAD says what GET says, without the body"):
        for path in files:
            for encoding in ("identity", "gzip"):
                got = ask("GET", path, Accept_Encoding=encoding)
                head = ask("HEAD", path, Accept_Encoding=encoding)
                check.need(head[0] == 200 and head[2] == b"", f"{path}: {head[0]}")
                for name in ("content-length", "content-type", "etag", "content-encoding"):
                    check.need(head[1].get(name) == got[1].get(name), f"{path}: {name}")
                check.need(int(head[1]["content-length"]) == len(got[2]), f"{path}: length")


def again(ask, files):
    with step("a file that has not changed is not sent again"):
        tags = {path: ask("GET", path)[1]["etag"] for path in files}
        check.need(len(set(tags.values())) == len(files), "two files with one ETag")
        for path, tag in tags.items():
            for known in (tag, f'"other", {tag}', f"W/{tag}"):
                status, headers, body = ask("GET", path, If_None_Match=known)
                check.need(status == 304 and body == b"", f"{path}: {status} for {known}")
                check.need(headers.get("etag") == tag, f"{path}: ETag of a 304")
                of_the_page(path, headers)
            status, _, body = ask("GET", path, If_None_Match='"another"')
            check.need(status == 200 and body, f"{path}: {status} for another tag")


def nothing_else(ask):
    with step("no other path, whatever it is made of"):
        for path in ("/index.html", "/assets/", "/assets/none.js", "/assets/../", "/assets/%2e%2e/",
                     "/assets/..%2f..%2fetc%2fpasswd", "/assets//etc/passwd", "/.stamp", "/favicon.ico"):
            status, headers, body = ask("GET", path)
            check.need(status in (400, 404), f"{path}: {status}")
            check.need(b"<html" not in body, f"{path}: the page")
            of_every_answer(path, headers)
            check.need(not headers["content-type"].startswith("text/html"), f"{path}: HTML")


def strangers(ask, files):
    with step("another name, another origin and another site are refused"):
        for path in files:
            for headers in ({"Host": "rebound.example"}, {"Host": f"rebound.example:{ask.port}"},
                            {"Origin": "https://evil.example"}, {"Origin": "null"},
                            {"Origin": f"http://127.0.0.1:{ask.port + 1}"},
                            {"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"}):
                status, answer, body = ask("GET", path, **headers)
                check.need(status == 403, f"{path}: {status} for {headers}")
                check.need(b"<html" not in body and len(body) < 1000, f"{path}: {headers}")
                of_every_answer(path, answer)
            for headers in ({"Origin": f"http://127.0.0.1:{ask.port}"}, {"Sec_Fetch_Site": "none"},
                            {"Sec_Fetch_Site": "same-origin"}, {"Host": f"localhost:{ask.port}"}):
                status = ask("GET", path, **headers)[0]
                check.need(status == 200, f"{path}: {status} for {headers}")


def methods(ask, files):
    with step("nothing but GET and HEAD"):
        for path in files:
            for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
                status, headers, _ = ask(method, path, b"" if method == "OPTIONS" else b"{}")
                check.need(status == 405, f"{method} {path}: {status}")
                check.need(headers.get("allow") == "GET, HEAD", f"{method} {path}: Allow")
                of_every_answer(path, headers)


def switched_off(files):
    with step("ui.enabled=false: no file of it, and everything else goes on"):
        with daemon.Home() as home:
            home.foreground("--set", "ui.enabled=false")
            ask = Asker(home)
            for path in files:
                status, headers, _ = ask("GET", path)
                check.need(status == 404, f"{path}: {status}")
                of_every_answer(path, headers)
            check.need(ask("GET", "/health")[0] == 200, "/health")


def main():
    with daemon.Home() as home:
        home.foreground()
        ask = Asker(home)
        files = []
        with step("the page is there, or it is said why not"):
            status, headers, body = ask("GET", "/")
            of_the_page("/", headers)
            if status != 404 or b"-Dweb=disabled" not in body:
                check.need(status == 200, f"{status}")
                files = files_of(ask)
        if files:
            whole(ask, files)
            encodings(ask, files)
            heads(ask, files)
            again(ask, files)
            strangers(ask, files)
            methods(ask, files)
        nothing_else(ask)
    switched_off(files or ["/"])
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
