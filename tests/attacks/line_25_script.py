#!/usr/bin/env python3
"""line_25_script.py - stored script: strings of strangers in pictures, in text and in what the page is given, and the policy
that the page comes with. That a real browser runs none of it: tests/browser (exposed.mjs, home.mjs)."""
import json
import os
import re
import xml.dom.minidom

import line
import check
import daemon

STRINGS = ["<script>alert(1)</script>", "\"><script>alert(1)</script>", "'><img src=x onerror=alert(1)>", "]]><script>alert(1)</script>",
           "</svg><script>alert(1)</script>", "<foreignObject><body onload=alert(1)>", "javascript:alert(1)", "&lt;script&gt;",
           "<a href='javascript:alert(1)'>x</a>", "<!--><script>alert(1)</script>", "<?xml-stylesheet href='x'?>", "\u2028</script>",
           "<style>*{background:url(//evil.example)}</style>", "{{constructor.constructor('alert(1)')()}}", "[x](javascript:alert(1))",
           "<iframe srcdoc='<script>1</script>'>", "<math><mtext></style><img src=x onerror=1>"]
PLAN = 'floorplan\n  floor f1 {\n    room Office at (0,0) size (10 x 12) walls [top: solid] label "%s"\n  }\n'
ALLOWED = {"svg", "g", "path", "rect", "text", "tspan", "line", "circle", "ellipse", "polyline", "polygon", "defs", "clipPath",
           "marker", "pattern", "title", "desc", "style", "use", "linearGradient", "stop"}


def is_inert(where, svg):
    """Read as XML: only shapes and text, no handler, no address."""
    for node in xml.dom.minidom.parseString(svg).getElementsByTagName("*"):
        check.need(node.tagName in ALLOWED, f"{where}: <{node.tagName}>")
        for name, value in (node.attributes or {}).items():
            check.need(not name.lower().startswith("on"), f"{where}: {name}={value[:100]}")
            check.need(name in ("aria-label", "data-label", "id") or ("javascript:" not in value and "evil" not in value),
                       f"{where}: {name}={value[:100]}")
            check.need("href" not in name.lower() or value.startswith("#"), f"{where}: {name}={value[:100]}")
        if node.tagName == "style":
            check.need("url(" not in node.firstChild.data and "@import" not in node.firstChild.data, f"{where}: style")


def pictures(home):
    seen = 0
    with line.relay(home, "floorplan") as client:
        for text in STRINGS:
            with line.step(f"floorplan, {text!r}: the picture has shapes and words only"):
                dsl = PLAN % text.replace("\\", "").replace('"', "'")
                answer = client.finish(client.start("tools/call", {"name": "export_floorplan", "arguments": {
                    "format": "svg", "dsl": dsl}}))
                for svg in texts(answer):
                    if not svg.lstrip().startswith(("<svg", "<?xml")):
                        continue
                    is_inert("floorplan", svg)
                    seen += 1
    with line.step("a control: there were pictures"):
        check.need(seen >= 10, f"{seen} of {len(STRINGS)}")
    with line.relay(home, "studio") as client:
        client.use("new_project", name="p", directoryPath=home.folder)
        for text in STRINGS:
            client.code_of("add_resource", typeId="azurerm/core/resource_group", label=text)
        with line.step("studio: the picture of a diagram full of them has shapes and words only"):
            client.use("export_diagram", format="svg", path="x.svg", overwrite=True)
            with open(home.path("p", "x.svg"), encoding="utf-8") as file:
                svg = file.read()
            check.need("alert(1)" in svg, "a control: their words are there")
            is_inert("studio", svg)
        for form in ("markdown", "html", "json", "csv", "mermaid", "dot"):
            with line.step(f"studio, as {form}: none is left as markup"):
                if client.code_of("export_diagram", format=form, path="x." + form, overwrite=True):
                    continue  # no such form
                with open(home.path("p", "x." + form), encoding="utf-8") as file:
                    data = file.read()
                check.need(form in ("json", "csv") or "<script>alert" not in data, data[max(0, data.find("<script>") - 100):][:200])


def texts(answer):
    """Every text of an answer, those in structured content too."""
    stack = [answer]
    while stack:
        one = stack.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            stack += one.values()
        elif isinstance(one, list):
            stack += one


def markdown(home):
    with line.relay(home, "plan") as client:
        for text in STRINGS:
            with line.step(f"a plan's Markdown, {text!r}: a renderer sees no tag and no link of it"):
                plan = {"format_version": "1.2", "terraform_version": "1.9.0", "resource_changes": [
                    {"address": f"a.b[{json.dumps(text)}]", "mode": "managed", "type": "a", "name": "b", "provider_name": "x",
                     "change": {"actions": ["delete"], "before": {"name": text}, "after": None, "after_unknown": {}}}]}
                answer = client.finish(client.start("tools/call", {"name": "terraform_explain", "arguments": {
                    "plan_json": json.dumps(plan)}}))
                data = answer["result"]["structuredContent"].get("details_markdown", "")
                check.need("a.b" in data, str(answer)[:300])
                outside = re.sub(r"(`+).*?\1", "", data)  # code is shown as it is
                outside = re.sub(r"\\.", "", outside.replace("<!-- tenon-plan", ""))
                check.need(not re.search(r"<[a-zA-Z/!?]", outside) and "](" not in outside, outside[:500])


def page(home):
    with line.step("the page's policy: nothing inline, nothing from elsewhere, in no frame, no sniffing"):
        for path in ("/", "/index.html"):
            status, headers, body = home.get(path)
            if status == 404:
                continue
            policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";") if " " in part.strip())
            check.need(policy["default-src"] == "'none'", policy)
            for name, value in policy.items():
                check.need("unsafe-eval" not in value and "*" not in value.split() and "http:" not in value.split() and
                           "data:" not in (value.split() if name == "script-src" else []), f"{name} {value}")
            check.need("unsafe-inline" not in policy.get("script-src", ""), policy)
            check.need(policy.get("frame-ancestors") == "'none'" and policy.get("base-uri") == "'none'" and
                       policy.get("form-action") == "'none'", policy)
            check.need(headers["X-Content-Type-Options"] == "nosniff" and "no-referrer" in headers["Referrer-Policy"], headers)
            check.need(not re.search(rb"<script(?![^>]*\bsrc=)", body) and not re.search(rb"\son[a-z]+=", body), "inline script")
    with line.step("no file of a stranger is served at our origin, whatever it is called"):
        with open(home.path("p", "evil.html"), "w", encoding="utf-8") as file:
            file.write(STRINGS[0])
        for path in ("/p/evil.html", "/../p/evil.html", "/assets/../../p/evil.html", "/%2e%2e/p/evil.html", "/x.svg", "/sw.js",
                     "/assets//etc/passwd", "/assets/%2e%2e%2fetc%2fpasswd", "/service-worker.js"):
            status, headers, body = home.get(path)
            check.need(b"alert(1)" not in body and b"root:" not in body, f"{path}: {status}")
            check.need(status in (400, 404) or "html" in headers.get("Content-Type", ""), f"{path}: {status}")


def main():
    with daemon.Home(TENON_CONSENT="allow") as home:
        home.foreground()
        for part in (pictures, markdown, page):
            part(home)
        home.stop()
    line.end()


main()
