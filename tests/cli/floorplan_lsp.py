#!/usr/bin/env python3
"""floorplan_lsp.py TENON - a conversation with `tenon floorplan lsp`, as an editor holds it.

Everything an editor gets is applied to the text as an editor would (UTF-16 positions), and the
result is given back to the server: a rename, a layout or a cure must leave a plan without faults.
"""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402

TENON = sys.argv[1]
SUITE = "floorplan-lsp"
URI = "file:///home/a%20b/plan.floorplan"
PLAN = """%%{version: 1.0}%%
floorplan
  define Box (3 x 2)
  style Oak { floor_color: "#C8A46B" }
  floor G {
    room Hall at (0,0) size (6m x 4m) label "Größe 😀" style Oak
    room Bath size Box right-of Hall align top
    stair Up at (1,1) shape straight toward top rise 2m
  }
  floor H {
    room Hall at (0,0) size (6 x 4)
    stair Up at (1,1) shape straight toward top rise 2m
  }
  connect G.Hall.right to G.Bath.left door opens into Bath
  vertical G.Up to H.Up
"""


class Editor:
    def __init__(self):
        self.child = subprocess.Popen([TENON, "floorplan", "lsp"], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE)
        self.count, self.version, self.text, self.marks = 0, 0, "", None

    def send(self, message):
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(data) + data)

    def raw(self, data):
        self.child.stdin.write(data)
        self.child.stdin.flush()

    def receive(self):
        size = None
        while True:
            line = self.child.stdout.readline().strip()
            if not line:
                break
            name, value = line.split(b":")
            if name.lower() == b"content-length":
                size = int(value)
        message = json.loads(self.child.stdout.read(size))
        check.need(message["jsonrpc"] == "2.0", message)
        if message.get("method") == "textDocument/publishDiagnostics":
            self.marks = message["params"]
        return message

    def ask(self, method, params=None):
        self.count += 1
        self.send({"id": self.count, "method": method, **({"params": params} if params is not None else {})})
        while True:
            message = self.receive()
            if message.get("id") == self.count:
                return message

    def at(self, method, needle, shift=0, **more):
        return self.ask(method, {"textDocument": {"uri": URI}, "position": self.place(needle, shift),
                                 **more})

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    # Text as the editor has it.

    def place(self, needle, shift=0):
        before = self.text[:self.text.index(needle) + shift]
        line = before.count("\n")
        return {"line": line, "character": len(before.split("\n")[-1].encode("utf-16-le")) // 2}

    def index(self, position):
        lines = self.text.split("\n")
        line = lines[position["line"]].encode("utf-16-le")
        in_line = len(line[:2 * position["character"]].decode("utf-16-le"))
        return sum(len(one) + 1 for one in lines[:position["line"]]) + in_line

    def slice(self, place):
        return self.text[self.index(place["start"]):self.index(place["end"])]

    def apply(self, edits):
        for edit in sorted(edits, key=lambda e: -self.index(e["range"]["start"])):
            start, end = (self.index(edit["range"][k]) for k in ("start", "end"))
            self.text = self.text[:start] + edit["newText"] + self.text[end:]

    def open(self, text):
        self.text, self.version, self.marks = text, 1, None
        self.notify("textDocument/didOpen", {"textDocument": {"uri": URI, "languageId": "floorplan",
                                                              "version": 1, "text": text}})
        return self.wait_marks()

    def change(self, *changes):
        """Each (needle, length, new text), sent as a range of the text as it is then."""
        sent = []
        for needle, length, new in changes:
            start = self.text.index(needle)
            edit = {"range": {"start": self.place(needle), "end": self.place(needle, length)}, "text": new}
            self.text = self.text[:start] + new + self.text[start + length:]
            sent.append(edit)
        return self.push(sent)

    def push(self, changes):
        self.version += 1
        self.marks = None
        self.notify("textDocument/didChange", {"textDocument": {"uri": URI, "version": self.version},
                                               "contentChanges": changes})
        return self.wait_marks()

    def whole(self):
        return self.push([{"text": self.text}])

    def wait_marks(self):
        while self.marks is None:
            self.receive()
        check.need(self.marks["uri"] == URI, self.marks)
        return self.marks["diagnostics"]


def errors(marks):
    return [mark for mark in marks if mark["severity"] == 1]


def labels(reply):
    return {item["label"] for item in reply["result"]}


def check_life(editor):
    with check.Step(SUITE, "nothing before initialize; initialize tells what there is, once"):
        reply = editor.ask("textDocument/hover", {})
        check.need(reply["error"]["code"] == -32002, reply)
        reply = editor.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        able = reply["result"]["capabilities"]
        check.need(able["positionEncoding"] == "utf-16" and able["textDocumentSync"]["change"] == 2 and
                   able["renameProvider"]["prepareProvider"], reply)
        check.need(editor.ask("initialize", {})["error"]["code"] == -32600, "a second time")
        editor.notify("initialized", {})
    with check.Step(SUITE, "an unknown method, no JSON, an unknown notification"):
        check.need(editor.ask("textDocument/fly", {})["error"]["code"] == -32601, "")
        editor.raw(b"Content-Length: 3\r\nContent-Type: x\r\n\r\n{a}")
        check.need(editor.receive()["error"]["code"] == -32700, "")
        editor.notify("$/setTrace", {"value": "off"})


def check_marks(editor):
    with check.Step(SUITE, "a good plan has no errors; changes by range count in UTF-16"):
        check.need(errors(editor.open(PLAN)) == [], editor.marks)
        marks = errors(editor.change(("style Oak\n", 9, "style Eiche"), ("right-of Hall", 13, "right-of Hal")))
        check.need({mark["code"] for mark in marks} == {"FP2008", "FP2004"}, marks)
        by_code = {mark["code"]: mark for mark in marks}
        check.need(editor.slice(by_code["FP2008"]["range"]) == "Eiche", by_code)
        check.need(editor.slice(by_code["FP2004"]["range"]) == "Hal" and
                   "did you mean 'Hall'?" in by_code["FP2004"]["message"], by_code)
        check.need(editor.marks["version"] == 2, editor.marks)
        check.need(errors(editor.change(("style Eiche\n", 11, "style Oak"),
                                        ("right-of Hal ", 12, "right-of Hall"))) == [], editor.marks)
        check.need(editor.text == PLAN, "the text is as before")


def check_names(editor):
    with check.Step(SUITE, "definition and references keep floors apart"):
        reply = editor.at("textDocument/definition", "G.Hall.right", 3)
        check.need(reply["result"]["range"]["start"] == editor.place("room Hall at", 5), reply)
        reply = editor.at("textDocument/references", "room Hall at", 5,
                          context={"includeDeclaration": True})
        check.need(len(reply["result"]) == 3, reply)  # its own, right-of, connect; not floor H
        reply = editor.at("textDocument/references", "define Box", 8,
                          context={"includeDeclaration": False})
        check.need([editor.slice(one["range"]) for one in reply["result"]] == ["Box"], reply)
        reply = editor.at("textDocument/definition", "H.Up", 3)
        check.need(reply["result"]["range"]["start"]["line"] == 11, reply)
        check.need(editor.at("textDocument/definition", "version", 1)["result"] is None, "no name")
    with check.Step(SUITE, "hover tells a room's facts, a floor's, a key's"):
        words = editor.at("textDocument/hover", "right-of Hall", 10)["result"]["contents"]["value"]
        check.need("room Hall" in words and "6 x 4 m at (0, 0)" in words and "area 24 sqm" in words, words)
        words = editor.at("textDocument/hover", "vertical G", 9)["result"]["contents"]["value"]
        check.need("2 rooms" in words and "net area 30 sqm" in words, words)
        check.need("steps" in editor.at("textDocument/hover", "G.Up", 3)["result"]["contents"]["value"], "")
    with check.Step(SUITE, "rename changes every reference and leaves a good plan"):
        place = editor.at("textDocument/prepareRename", "opens into Bath", 12)["result"]
        check.need(place["placeholder"] == "Bath" and editor.slice(place["range"]) == "Bath", place)
        for name in ("room", "2nd", "a-b", "", "Hall"):
            reply = editor.at("textDocument/rename", "room Bath", 5, newName=name)
            check.need("error" in reply, f"{name}: {reply}")
        edits = editor.at("textDocument/rename", "room Bath", 5, newName="Bad")["result"]["changes"][URI]
        check.need(len(edits) == 3 and all(editor.slice(e["range"]) == "Bath" for e in edits), edits)
        editor.apply(edits)
        check.need("Bath" not in editor.text and errors(editor.whole()) == [], editor.text)
    with check.Step(SUITE, "outline"):
        symbols = editor.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})["result"]
        check.need([one["name"] for one in symbols] == ["Box", "Oak", "G", "H"], symbols)
        check.need([one["name"] for one in symbols[2]["children"]] == ["Hall", "Bad", "Up"], symbols)
        whole = editor.slice(symbols[2]["children"][0]["range"])
        check.need(whole.startswith("room Hall at") and whole.endswith("style Oak"), whole)


def check_words(editor):
    cases = (("right-of Hall", 9, {"Hall", "Bad"}, {"G", "solid"}),
             ("style Oak\n", 6, {"Oak"}, {"Hall"}),
             ("size Box", 5, {"Box"}, {"Hall"}),
             ("connect G", 8, {"outside", "Hall", "G", "H"}, {"Oak"}),
             ("G.Hall.right", 7, {"top", "left"}, {"Hall"}),
             ("toward top", 7, {"top", "right"}, {"Hall"}),
             ("    stair Up", 4, {"room", "stair", "lift"}, set()))
    for needle, shift, wanted, not_wanted in cases:
        with check.Step(SUITE, f"completion behind {needle[:shift]!r}"):
            got = labels(editor.at("textDocument/completion", needle, shift))
            check.need(wanted <= got and not not_wanted & got, got)
    with check.Step(SUITE, "completion while a line is being written"):
        editor.change(("  }\n  connect", 0, "    room New walls [top: \n"))
        got = labels(editor.at("textDocument/completion", "walls [top: ", 12))
        check.need(got == {"solid", "door", "window", "open"}, got)
        editor.change(("    room New walls [top: \n", 26, ""))
        editor.change(("  floor G", 0, "  config { \n}\n"))
        got = labels(editor.at("textDocument/completion", "config { ", 9))
        check.need({"default_unit", "theme", "stair_code"} <= got, got)
        editor.change(("config { ", 9, "config { theme: "))
        got = labels(editor.at("textDocument/completion", "theme: ", 7))
        check.need(got == {"default", "dark", "blueprint"}, got)
        editor.change(("  config { theme: \n}\n", 20, ""))


def check_changes(editor):
    with check.Step(SUITE, "formatting: the usual layout, then nothing to do"):
        editor.text = editor.text.replace("    room Bad size Box", "  room   Bad  size  Box")
        editor.whole()
        options = {"textDocument": {"uri": URI}, "options": {"tabSize": 2, "insertSpaces": True}}
        editor.apply(editor.ask("textDocument/formatting", options)["result"])
        check.need("\n    room Bad size Box right-of" in editor.text and errors(editor.whole()) == [],
                   editor.text)
        check.need(editor.ask("textDocument/formatting", options)["result"] == [], "a second time")
    with check.Step(SUITE, "what cannot be read is not formatted"):
        editor.change(("floorplan\n", 10, "floorplan {\n"))
        check.need("error" in editor.ask("textDocument/formatting", options), "")
        editor.change(("floorplan {\n", 12, "floorplan\n"))
    with check.Step(SUITE, "a cure is an edit that takes its fault away"):
        tried = 0
        for text in ("floorplan\n  floor G {\n    room A at (0,0) size (4 x 4)\n"
                     "    room B at (4,0) size (2 x 4) walls [left: door]\n  }\n",
                     'floorplan\n  style Oak { floor_color: "#C8A46B" }\n  floor G {\n'
                     "    room A at (0,0) size (4 x 4) style Oka\n  }\n"):
            marks = editor.open(text)
            for mark in marks:
                actions = editor.ask("textDocument/codeAction", {
                    "textDocument": {"uri": URI}, "range": mark["range"],
                    "context": {"diagnostics": [mark]}})["result"]
                for action in actions:
                    if action["diagnostics"][0]["code"] != mark["code"]:
                        continue
                    tried += 1
                    editor.open(text)
                    editor.apply(action["edit"]["changes"][URI])
                    after = [one for one in editor.whole() if one["code"] == mark["code"]]
                    check.need(len(after) < sum(one["code"] == mark["code"] for one in marks),
                               f"{action['title']}: {after}")
        check.need(tried > 1, f"{tried} cures were offered")


def check_end(editor):
    with check.Step(SUITE, "closing takes the marks away"):
        editor.open("floorplan {")
        check.need(len(editor.marks["diagnostics"]) > 0, editor.marks)
        editor.marks = None
        editor.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
        check.need(editor.wait_marks() == [], editor.marks)
        check.need(editor.at("textDocument/hover", "floorplan")["result"] is None, "a closed document")
    with check.Step(SUITE, "shutdown, then exit: 0"):
        check.need(editor.ask("shutdown")["result"] is None, "")
        check.need(editor.ask("textDocument/hover", {})["error"]["code"] == -32600, "after shutdown")
        editor.notify("exit", None)
        check.need(editor.child.wait(timeout=10) == 0, editor.child.returncode)
    with check.Step(SUITE, "a pipe that closes, and what is no message: 1"):
        for data in (b"", b"hello\r\n\r\n", b"Content-Length: 99999999999\r\n\r\n"):
            done = subprocess.run([TENON, "floorplan", "lsp"], input=data, capture_output=True, timeout=20,
                                  check=False)
            check.need(done.returncode == 1, f"{data}: {done}")


EDITOR = Editor()
try:
    check_life(EDITOR)
    check_marks(EDITOR)
    check_names(EDITOR)
    check_words(EDITOR)
    check_changes(EDITOR)
    check_end(EDITOR)
finally:
    EDITOR.child.kill()
    EDITOR.child.wait(timeout=10)
sys.exit(1 if check.failures else 0)
