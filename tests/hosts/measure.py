"""measure.py - figures from recorded conversations: what Tenon sent, what the model received, what it costs."""
import json
import os
import re
import subprocess

from scripts import HANDLE, objects_in

HERE = os.path.dirname(os.path.abspath(__file__))
NODE = os.path.join(HERE, "..", "..", "tools", "node.sh")
TOKENS = os.path.join(HERE, "..", "clients", "tokens.mjs")
# What a next call or an answer would name; whatever stands under such a key must reach the model.
FACT = re.compile(r"^(id|name|label|address|code|error|typeId|terraformName|type|path|state|level|status|title"
                  r"|\w+_id|\w+Id|cwd|exit_code|explanation|sku_name|area|revision|next_cursor)$")
# How a text names what went wrong: CODE: ..., error code, code: ..., "code":"CODE".
ERROR = re.compile(r"\b[A-Z]{2,}_[A-Z_]+\b|\berror [a-z_]+|\b[a-z]+(_[a-z]+)+: |code\W{1,4}\w+")
# Different in each run, and of different length in tokens; counted as one and the same.
PASSING = [
    (HANDLE, lambda found: ("ses_" if "_" in found.group() else "") + "4f0c2a7e-5b1d-4c3e-9a86-d2f7b0c19e35"),
    (re.compile(r"(/var/tmp/tenon-hosts-|-var-tmp-tenon-hosts-)\w{8}"), "/home/tester"),
    (re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z"), "2026-11-22T10:00:00.000Z"),
    (re.compile(r"\bc1\.[0-9a-f]{8}\.\d+"), "c1.0ca21730.441"),
    (re.compile(r"\b(cursor\W{1,5})\d+\.[0-9a-f]{1,6}\.\d+\b"), r"\g<1>2.240afa.1"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "2ce0c73d7a674a20b1f040127711c4dc5c71e85bef2a360a03e3626ef532dea0"),
    (re.compile(r"\bmcp-tenon-blob-\d+-\w+\.png"), "mcp-tenon-blob-1795405275508-xnt2ot.png"),
    (re.compile(r"(Wall time:?) [\d.]+ seconds"), r"\1 0.1 seconds"),
    (re.compile(r"\b\d+\.\d s\b"), "0.1 s"),
    (re.compile(r'(\\?"(?:pid|duration_ms|total_bytes)\\?":) ?\d+'), r"\g<1>4321"),
]


def steady(text):
    for pattern, by in PASSING:
        text = pattern.sub(by, text)
    return text


class Counter:
    """Collects texts, and counts them all with one run of tokens.mjs."""

    def __init__(self):
        self.texts, self.counts = {}, None

    def add(self, text, exact=False):
        """A number, after count(): call what this returns. `exact`: of these very words, ids too."""
        text = text if exact else steady(text)
        self.texts.setdefault(text, len(self.texts))
        return lambda: self.counts[self.texts[text]]

    def count(self):
        done = subprocess.run([NODE, TOKENS], input=json.dumps(list(self.texts)),
                              capture_output=True, encoding="utf-8", timeout=120, check=True)
        self.counts = json.loads(done.stdout)


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# ---- what was sent ----

def sent_results(heard):
    """The results of tools/call in the order of the calls, as the server wrote them; not those that only ask."""
    asked = [one["message"] for one in heard if one.get("from") == "host" and one["message"].get("method") == "tools/call"]
    answers = {one["message"]["id"]: one["message"] for one in heard
               if one.get("from") == "server" and "id" in one["message"] and "method" not in one["message"]}
    found = [(one["params"]["name"], answers.get(one["id"], {}).get("result", {})) for one in asked]
    return [(name, result) for name, result in found if result.get("resultType") != "input_required"]


def listed(heard):
    """The tools of the first answer to tools/list."""
    asked = next(one["message"]["id"] for one in heard
                 if one.get("from") == "host" and one["message"].get("method") == "tools/list")
    return next(one["message"]["result"]["tools"] for one in heard
                if one.get("from") == "server" and one["message"].get("id") == asked and "result" in one["message"])


def questions(heard):
    """What the host answered to what the server asked of the person, in either era."""
    asked = {one["message"]["id"] for one in heard
             if one.get("from") == "server" and one["message"].get("method") == "elicitation/create"}
    answers = [one["message"] for one in heard if one.get("from") == "host"]
    return [one.get("result", {}).get("action", "error") for one in answers
            if "method" not in one and one.get("id") in asked] + [
        answer.get("action", "error") for one in answers
        for answer in one.get("params", {}).get("inputResponses", {}).values()]


def handshake(heard):
    """(what the host says of itself, what the server answered)"""
    first = next(one["message"] for one in heard if one.get("from") == "host")
    answer = next(one["message"] for one in heard
                  if one.get("from") == "server" and one["message"].get("id") == first["id"])
    return first.get("params", {}), answer.get("result", {})


def facts_of(value, key=""):
    """The values that a next call would need, each once."""
    if isinstance(value, dict):
        return {fact for name, one in value.items() for fact in facts_of(one, name)}
    if isinstance(value, list):
        return {fact for one in value for fact in facts_of(one, key)}
    if not FACT.match(key) or value is None or isinstance(value, bool) or value == "":
        return set()
    return {value if isinstance(value, str) else json.dumps(value)}


# ---- what was received ----

def holds(text, fact):
    """Whether the fact stands in the text, as it is or as JSON writes it."""
    return any(re.search(rf"(?<![\w.]){re.escape(form)}(?!\w)", text) is not None
               for form in {fact, json.dumps(fact)[1:-1], json.dumps(fact, ensure_ascii=False)[1:-1],
                            json.dumps(json.dumps(fact)[1:-1])[1:-1]})


def form_of(got, sent):
    """Letters: T the text, J the structured content, S text that is the same JSON, "cut" when less than all of one."""
    texts = [part["text"] for part in sent.get("content", []) if part["type"] == "text"]
    structured = sent.get("structuredContent")
    text = "\n".join(got["texts"])
    same = any(_json(one) == structured for one in texts) if structured is not None else False
    plain = text.replace('\\"', '"').replace("\\n", "\n")
    has_text = bool(texts) and all(one.strip() in text or one.strip() in plain for one in texts)
    has_json = structured is not None and (structured in objects_in(text) or compact(structured) in plain)
    if same and (has_text or has_json):
        return "S"
    letters = ("T" if has_text else "") + ("J" if has_json else "")
    return letters or "cut"


def _json(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def handles_in(text):
    return len({found.group() for found in HANDLE.finditer(text)})


class Facts:
    """What a result has that a next call could need: of one that has structured content, whatever else is sent of it.
    Ids are made anew in each run: of those there must be as many."""

    def __init__(self, sent):
        found = facts_of(sent.get("structuredContent") or {})
        self.ids = len({one for one in found if HANDLE.fullmatch(one)})
        self.words = {steady(one) for one in found if not HANDLE.fullmatch(one)}
        self.count = self.ids + len(self.words)

    def missing(self, text, sent):
        plain = steady(text)
        if sent.get("isError"):  # what goes wrong depends on what the host can be asked; it has a code in any case
            return [] if ERROR.search(text) else ["a code"] * self.count
        words = sorted(fact for fact in self.words if not holds(plain, fact))
        return ["an id"] * max(0, self.ids - handles_in(text)) + words


class Call:
    """One call of the tour."""

    def __init__(self, got, sent, facts, counter):
        self.form = form_of(got, sent)
        self.error, self.marked = bool(sent.get("isError")), got["error"]
        text = "\n".join(got["texts"])
        self.tokens = counter.add(text)
        missing = facts.missing(text, sent)
        self.facts, self.found, self.missing = facts.count, facts.count - len(missing), missing[:5]
        self.sent_images = [part for part in sent.get("content", []) if part["type"] == "image"]
        self.images = got["images"]


class Offer:
    """What the first request carries of Tenon, or the first that names its tools: a host may begin before its servers are there."""

    @staticmethod
    def of_turn(dialect, turn):
        tools = dialect.tools(turn)
        listed = {name: tool for name, tool in tools.items() if "tenon" in name}
        words = dialect.system(turn) + "\n" + "\n".join(compact(tool) for name, tool in tools.items() if name not in listed)
        names = sorted(set(re.findall(r"\bmcp__tenon__\w+|\btenon_[a-z_]+", words)) - set(listed))
        return turn, tools, listed, names

    def __init__(self, record, dialect, counter):
        turns = [self.of_turn(dialect, turn) for turn in record["turns"]]
        first, tools, listed, names = next((turn for turn in turns if turn[3]), turns[0]) if not turns[0][2] else turns[0]
        self.listed, self.named = len(listed), len(names)
        self.tokens = counter.add("\n".join([compact(tool) for tool in listed.values()] + names))
        self.example = next((name for name in [*listed, *names] if name.endswith("execute_command")), "")
        self.finder = next((name for name in ("ToolSearch", "tool_search") if name in tools), "")
        self.program = dialect.program_tool(tools) or ""
        if record["heard"]:
            self.says, answer = handshake(record["heard"])
            instructions = answer.get("instructions", "")
            everything = steady(compact(first)).replace("\\n", "\n")
            self.instructions = instructions[:200] in everything
            self.instruction_tokens = counter.add(instructions)
            self.environment = record["heard"][0]["environment"]
            self.in_project = record["heard"][0]["directory"].endswith("/project")


def task_tokens(record, dialect, counter):
    """All that Tenon puts into the conversation: what is offered, what is looked up, the calls, and their results."""
    offer = Offer(record, dialect, counter)
    parts = [offer.tokens] + [counter.add(text) for _, text in record["looked_up"]]
    parts += [counter.add(compact(arguments)) for _, arguments in record["asked"]]
    parts += [counter.add("\n".join(got["texts"])) for got in record["received"]]
    images = sum(len(got["images"]) for got in record["received"])
    return lambda: sum(part() for part in parts), images
