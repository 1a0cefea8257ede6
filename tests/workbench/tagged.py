#!/usr/bin/env python3
"""tagged.py - launchers with "inject": "script" (workbench.md S18, A3, T20): a real server of the folder whose page has the tag, in the
real Chromium; and pages of others that want the key."""
import http.server
import json
import os
import re
import socket
import subprocess
import sys
import threading

for folder in ("../lib", "../terminal"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))
import check  # noqa: E402
import daemon  # noqa: E402
import links  # noqa: E402
from check import need  # noqa: E402
from core import ROOT, Seer, as_person  # noqa: E402
from managed import NODE, start  # noqa: E402
from preview import Adapter, fetch, until  # noqa: E402
from secure import certificate  # noqa: E402
from shown import Shown as Chromium  # noqa: E402

PORT = int(os.environ.get("TENON_TAGGED_PORT", "18600"))
SERVER = '''import http.server, ssl, sys
server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), http.server.SimpleHTTPRequestHandler)
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*sys.argv[2:])
    server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
'''
PAGE = '''<!doctype html><html><head>{tag}<title>Tagged</title></head>
<body><div id="root"><p data-component="plain.notice">Fresh bread</p></div></body></html>'''


def step(name):
    return check.Step("workbench-tagged", name)


def folder_of(home, files):
    folder = home.path("work", "site")
    os.makedirs(folder)
    launcher = {"displayName": "Mine", "supportedSessionTypes": ["app"], "inject": "script"}
    command = [sys.executable, "server.py", "{port}"]
    write = lambda name, text: open(os.path.join(folder, name), "w", encoding="utf-8").write(text)
    write("server.py", SERVER)
    write("index.html", PAGE.format(tag=""))
    write("mine.module.json", json.dumps({"schemaVersion": "v0", "id": "mine", "launchers": [
        {"id": "mine", "command": command, "url": "http://localhost:{port}/", **launcher},
        {"id": "safe", "command": command + files, "url": "https://127.0.0.1:{port}/", **launcher},
        {"id": "through", "command": command + files, "url": "https://localhost:{port}/", **launcher, "inject": "gateway"}]}))
    write("skaffa.config.json", json.dumps({"modules": ["./mine.module.json"], "preview": {"launcher": {"id": "mine"}}}))
    write("package.json", "{}")
    return folder


def put_tag(folder, tag):
    with open(os.path.join(folder, "index.html"), "w", encoding="utf-8") as file:
        file.write(PAGE.format(tag=tag))


def session_of(client, number):
    return client.see(f"preview/sessions/{number}")["data"]


def tag_of(session):
    told = [one for one in session["warnings"] if one["code"] == "script_tag"]
    need(len(told) == 1 and told[0]["severity"] == "info", f"{session['warnings']}")
    return re.search(r"<script .*></script>", told[0]["message"]).group(0)


def source_of(tag):
    return re.fullmatch(r'<script src="(http://127\.0\.0\.1:\d+)(/__skaffa/adapter\.js)" crossorigin></script>', tag).groups()


def told(home, client, folder):
    with step("S18. the tag is told by the command line and in the session; the page is the server's own"):
        words = as_person(home, "preview")
        need("<script src=" in words and "crossorigin></script>" in words, words)
        sessions = client.see("preview/sessions")["data"]["sessions"]
        need(len(sessions) == 1, f"{sessions}")
        session = sessions[0]
        need(session["state"] == "loading" and re.fullmatch(r"http://localhost:\d+/", session["url"]), f"{session}")
        tag = tag_of(session)
        need(tag in words, words)
        need(b"<head><title>" in fetch(session["url"].rstrip("/"))[1], "nothing is put into its pages")
    return session, tag


def refused(session, tag):
    origin, path = source_of(tag)
    own = session["url"].rstrip("/")
    port = own.rsplit(":", 1)[1]
    with step("T20. the script with the key is for pages of the target's origin, and for nobody else"):
        answer, text = fetch(origin, path, Origin=own)
        need(answer.status == 200 and answer.headers["Access-Control-Allow-Origin"] == own, f"{answer.status} {answer.headers}")
        need(answer.headers["Vary"] == "Origin" and answer.headers["Cache-Control"] == "no-store", f"{answer.headers}")
        block = json.loads(re.search(rb'JSON\.stringify\((\{"protocol".*?\})\)', text).group(1))
        need(block["sessionId"] == session["sessionId"] and block["channelUrl"].startswith(origin.replace("http", "ws")), f"{block}")
        key = block["key"].encode()
        for what, headers in {
                "none": {}, "null": {"Origin": "null"}, "another": {"Origin": "http://evil.example"},
                "another port": {"Origin": "http://localhost:1"}, "another name": {"Origin": f"http://127.0.0.1:{port}"},
                "another scheme": {"Origin": f"https://localhost:{port}"}, "its own": {"Origin": origin},
                "the daemon's": {"Origin": "http://127.0.0.1:7777"}, "longer": {"Origin": own + ".evil.example"},
                "a referrer": {"Referer": own + "/", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "script"},
                "same-site": {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"},
                "a navigation": {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "cross-site"},
                "rebound": {"Host": "evil.example", "Origin": own}}.items():
            answer, text = fetch(origin, path, **{name.replace("-", "_"): value for name, value in headers.items()})
            need(answer.status == 403 and key not in text and not answer.headers["Access-Control-Allow-Origin"],
                 f"{what}: {answer.status} {text[:80]}")
        answer, text = fetch(origin, "/", Origin=own)
        need(answer.status == 404 and key not in text, f"{answer.status}")
        need(fetch(origin, path, method="OPTIONS", Origin="http://evil.example")[0].status == 403, "OPTIONS")
    with step("the channel lets in the target's origin"):
        adapter = Adapter(block, origin=own)
        need(adapter.status == 101, f"{adapter.status}")
        adapter.ready()
        adapter.end()
        need(Adapter(block, origin="http://evil.example").status == 403, "a foreign page")
    return key.decode()


HOSTILE = '''<!doctype html><html><head><title>evil</title></head><body><div id="root"><p>evil</p></div><script>
const src = "%s", own = "%s", found = [];
const note = (what) => found.push(what);
const load = (how) => new Promise((done) => {
	const one = document.createElement("script");
	Object.assign(one, how, { src, onload: () => { note("loaded " + JSON.stringify(how)); done(); }, onerror: () => done() });
	document.head.append(one);
});
const get = (how) => fetch(src, how).then((answer) => answer.text()).then((text) => text.includes("skaffa") && note("fetched " + JSON.stringify(how)), () => {});
(async () => {
	await load({});
	await load({ crossOrigin: "anonymous" });
	await load({ crossOrigin: "use-credentials" });
	await load({ type: "module" });
	await load({ referrerPolicy: "unsafe-url" });
	await get({});
	await get({ mode: "no-cors" });
	await get({ headers: { "X-Any": "1" } });
	for (const url of [src, own]) {
		const frame = document.createElement("iframe");
		frame.src = url;
		await new Promise((done) => { frame.onload = done; document.body.append(frame); setTimeout(done, 3000); });
		try { note("frame " + frame.contentDocument.documentElement.outerHTML); } catch {}
	}
	await new Promise((done) => {
		const socket = new WebSocket(src.replace("http", "ws").replace("adapter.js", "rt"), "skaffa-rt.v0");
		socket.onopen = () => { note("channel"); done(); };
		socket.onerror = done;
	});
	if (document.getElementById("skaffa-rt-config")) note("block");
	document.getElementById("root").dataset.done = JSON.stringify(found);
	document.title = "done";
})();
</script></body></html>'''


def in_chromium(home, client, folder, session, tag):
    origin, path = source_of(tag)
    page = Chromium(session["url"])
    if not page.is_there():
        return  # the reason has been said
    try:
        with step("in Chromium: with the tag in its page the session is ready, a click selects"):
            need(session_of(client, session["sessionId"])["state"] != "ready", "without the tag it is not")
            put_tag(folder, tag)
            page.do("reload")
            now = until(lambda: session_of(client, session["sessionId"])["state"] == "ready" and
                        session_of(client, session["sessionId"]), "ready")
            need(now["adapter"]["id"] == "dom" and not [one for one in now["warnings"] if one["code"] == "script_tag"], f"{now}")
            page.do("click", "Fresh bread")
            got = until(lambda: client.see("preview/selection")["data"]["current"], "a selection")
            need(got["selected"]["componentTypeId"] == "plain.notice", f"{got['selected']}")
            need(page.do("faults") == [], f"{page.do('faults')}")
        with step("in Chromium: another page gets neither script nor key nor channel"):
            evil(session, origin + path)
    finally:
        page.end()


def evil(session, source):
    class Evil(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = (HOSTILE % (source, session["url"])).encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Evil)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for host in ("127.0.0.1", "localhost"):
        page = Chromium(f"http://{host}:{server.server_port}/")
        until(lambda: page.do("is", "#root", "data-done") is not None, "the attempts")
        need(page.do("is", "#root", "data-done") == "[]", f"{host}: {page.do('is', '#root', 'data-done')}")
        page.end()
    server.shutdown()
    server.server_close()


def again(home, client, folder, session, tag):
    with step("the next preview of the same launcher has the same tag, and another key; a port that is taken gives another"):
        before = fetch(source_of(tag)[0], source_of(tag)[1], Origin=session["url"].rstrip("/"))[1]
        as_person(home, "stop", session["sessionId"])
        until(lambda: not client.see("preview/sessions")["data"]["sessions"], "no session is left")
        next_one = json.loads(as_person(home, "preview", "--json"))["session"]
        need(tag_of(next_one) == tag, f"{tag_of(next_one)} {tag}")
        own = next_one["url"].rstrip("/")
        after = fetch(source_of(tag)[0], source_of(tag)[1], Origin=own)[1]
        need(len(after) == len(before) and after != before, "the same key")
        as_person(home, "stop", next_one["sessionId"])
        until(lambda: not client.see("preview/sessions")["data"]["sessions"], "no session is left")
        with socket.create_server(("127.0.0.1", int(source_of(tag)[0].rsplit(":", 1)[1]))):
            other = json.loads(as_person(home, "preview", "--json"))["session"]
            need(tag_of(other) != tag, "the port of somebody else")
        as_person(home, "stop", other["sessionId"])


def safe(home, client, folder):
    with step("a server with TLS is found by asking, through the gateway and with the tag"):
        session = start(home, target={"type": "app", "launcherId": "through"})["session"]
        need(session["url"].startswith("http://127.0.0.1:") and session["state"] == "loading", f"{session}")
        answer, page = fetch(session["url"].rstrip("/"))
        need(answer.status == 200 and page.count(b"skaffa-rt-config") == 1, f"{answer.status} {page[:200]}")
        as_person(home, "stop", session["sessionId"])
        session = start(home, target={"type": "app", "launcherId": "safe"})["session"]
        need(re.fullmatch(r"https://127\.0\.0\.1:\d+/", session["url"]), f"{session}")
        put_tag(folder, tag_of(session))
        page = Chromium(session["url"])
        if page.is_there():
            until(lambda: session_of(client, session["sessionId"])["state"] == "ready", "ready on a page with https")
        page.end()
        as_person(home, "stop", session["sessionId"])


def main():
    with daemon.Home(port=PORT, PATH=NODE + ":" + os.environ["PATH"]) as home:
        home.tenon("up")
        files = certificate(home.path("."))
        folder = folder_of(home, files)
        with Seer(links.Stdio([daemon.TENON, "mcp", "workbench"], home.env, folder=folder)) as client:
            as_person(home, "open", folder, "--read", "--trust")
            session, tag = told(home, client, folder)
            refused(session, tag)
            in_chromium(home, client, folder, session, tag)
            again(home, client, folder, session, tag)
            safe(home, client, folder)
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
