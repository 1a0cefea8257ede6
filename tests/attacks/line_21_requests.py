#!/usr/bin/env python3
"""line_21_requests.py - no call makes us ask an address of the inside: addresses in every argument of every tool, and
redirects of the one server that we do ask. The HTTP client by itself: src/loop/http_client_test.c."""
import http.server
import json
import threading

import line
import check
import daemon


PLAN = 'floorplan\n  floor f1 {\n    room Office at (0,0) size (10 x 12) walls [top: solid] label "%s"\n  }\n'


class Canary:
    """Listens on loopback; `asked` is what came, and `redirect` where it sends on."""

    def __init__(self, redirect=None):
        self.asked = []
        canary = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                canary.asked.append((self.command, self.path, str(self.headers)))
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                self.send_response(307 if redirect else 200)
                if redirect:
                    self.send_header("Location", redirect)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")
            do_POST = do_HEAD = do_PUT = do_CONNECT = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def addresses(port):
    """Ways to write an address; each would reach the canary or the metadata service of a cloud."""
    return [f"http://127.0.0.1:{port}/x", f"http://localhost:{port}/x", f"http://[::ffff:127.0.0.1]:{port}/x",
            f"http://2130706433:{port}/x", f"http://0x7f.1:{port}/x", f"http://127.0.0.1.nip.io:{port}/x",
            f"//127.0.0.1:{port}/x", f"git::http://127.0.0.1:{port}/x", f"s3::http://127.0.0.1:{port}/x",
            f"gopher://127.0.0.1:{port}/x", f"dict://127.0.0.1:{port}/x", f"http://x@127.0.0.1:{port}/x",
            f"<img src=http://127.0.0.1:{port}/x>", f"xlink:href=\"http://127.0.0.1:{port}/x\"",
            f"<!ENTITY x SYSTEM \"http://127.0.0.1:{port}/x\">", "http://169.254.169.254/latest/meta-data/"]


def places(schema):
    for name, rule in schema.get("properties", {}).items():
        kind = rule.get("type")
        if kind == "string" or (isinstance(kind, list) and "string" in kind):
            yield name, lambda text: text
        elif kind == "array":
            yield name, lambda text: [text]
        elif kind == "object":
            yield name, lambda text: {"url": text, "source": text, "backend": {"type": "http", "config": {"address": text}}}


def some(rule):
    """What the schema takes for an argument that is not tried."""
    kind = rule.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if "enum" in rule:
        return rule["enum"][0]
    if kind == "array":
        return [some(rule.get("items", {}))] * rule.get("minItems", 1)
    if kind == "object":
        return {name: some(one) for name, one in rule.get("properties", {}).items() if name in rule.get("required", [])}
    return {"integer": rule.get("minimum", 1), "number": rule.get("minimum", 1), "boolean": True}.get(kind, "x")


# Who runs a command runs it: that is line 13.
COMMANDS = {"execute_command", "create_session", "send_keys", "hand_over", "run_terraform"}


def arguments(home):
    with Canary() as canary:
        for app in ("terminal", "plan", "floorplan", "studio"):
            with line.step(f"{app}: no address in an argument of a tool is asked"), line.relay(home, app) as client:
                if app == "studio":
                    client.use("new_project", name="p", directoryPath=home.folder)
                tried = 0
                for tool in client.finish(client.start("tools/list"))["result"]["tools"]:
                    if tool["name"] in COMMANDS:
                        continue
                    rules = tool["inputSchema"].get("properties", {})
                    needed = {name: some(rules.get(name, {})) for name in tool["inputSchema"].get("required", [])}
                    for name, make in places(tool["inputSchema"]):
                        for text in addresses(canary.port):
                            answer = client.finish(client.start("tools/call", {"name": tool["name"], "arguments": {
                                **needed, name: make(text)}}))
                            tried += answer.get("error", {}).get("code") != -32602  # it came to the tool
                for text in addresses(canary.port):
                    client.finish(client.start("resources/read", {"uri": text}))
                check.need(tried > 100, f"only {tried} were tried")
                check.need(not canary.asked, canary.asked[:2])


def models(home):
    """The address of the model is the operator's; what it answers may not send us, or the key, elsewhere."""
    plan = "Terraform will perform the following actions:\n\n  # a.b will be created\n  + resource \"a\" \"b\" {\n    }\n\n" \
           "Plan: 1 to add, 0 to change, 0 to destroy.\n"
    with Canary() as inner, Canary(redirect=f"http://127.0.0.1:{inner.port}/latest/meta-data/") as outer, \
            line.step("a model's server that redirects: not followed, and its key goes nowhere else"):
        env = home.env | {"OPENAI_API_KEY": "sk-canary-0123456789abcdef", "OPENAI_BASE_URL": f"http://127.0.0.1:{outer.port}/v1"}
        call = {"name": "terraform_explain", "arguments": {"plan_text": plan, "source": "openai"}}
        text = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in (
            {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                                                         "clientInfo": {"name": "t", "version": "1"}}},
            {"method": "notifications/initialized"}, {"id": 2, "method": "tools/call", "params": call}))
        done = line.finished(["sh", "-c", f"(cat; sleep 3) | exec {daemon.TENON} serve plan"], env, text=text, timeout=60)
        check.need(outer.asked, f"a control: it was never asked: {done.stdout[-300:]}")
        check.need(not inner.asked, f"it was followed: {inner.asked[:1]}")


def pages(home):
    """Addresses in pictures and pages that we make would be asked by whoever looks at them."""
    with Canary() as canary, line.step("pictures name no address that their viewer would ask"):
        with line.relay(home, "floorplan") as client:
            name = f"<image href='http://127.0.0.1:{canary.port}/x'/><script src='//127.0.0.1:{canary.port}/x'/>"
            answer = client.finish(client.start("tools/call", {"name": "export_floorplan", "arguments": {
                "format": "svg", "dsl": PLAN % name}}))
            text = json.dumps(answer)
            check.need("<svg" in text, f"a control: no picture: {text[:300]}")
            check.need("<image" not in text and "<script" not in text and "xlink:href" not in text, text[:500])


def main():
    with daemon.Home(TENON_CONSENT="allow") as home:
        home.foreground("--set", "terminal.rate_per_minute=0")
        arguments(home)
        models(home)
        pages(home)
        home.stop()
    line.end()


main()
