"""talk.py - a client's side of an MCP conversation over any link, in any revision, for tests.

Answers what the server asks (forms, sampling, roots, pings) always in the same way, so that the text
of each answer is known beforehand. One thread; requests may overlap (`start`, then `finish`).
"""
import time

from links import Lost

MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri", "tasks/get": "taskId",
         "tasks/update": "taskId", "tasks/cancel": "taskId"}
CAPABILITIES = {"roots": {"listChanged": True}, "sampling": {}, "elicitation": {}}
FORM = {"username": "ada", "email": "ada@example.org", "name": "Ada", "color": "green", "ok": True,
        "context": "a test", "confirm": True}


def fill(schema):
    """What a person who always writes the same fills in."""
    return {name: FORM[name] for name in schema.get("properties", {}) if name in FORM}


def reply_to(method, params):
    """The result of a request of the server's."""
    if method == "elicitation/create":
        return {"action": "accept", "content": fill(params.get("requestedSchema", {}))}
    if method == "sampling/createMessage":
        return {"role": "assistant", "model": "a test", "stopReason": "endTurn",
                "content": {"type": "text", "text": "Paris"}}
    if method == "roots/list":
        return {"roots": [{"uri": "file:///tmp/somewhere", "name": "somewhere"}]}
    return {}


class Client:
    def __init__(self, link, revision, timeout_s=60, extensions=None):
        self.link, self.revision, self.timeout_s = link, revision, timeout_s
        self.is_modern = revision == MODERN
        self.number = 0
        self.answers, self.notes, self.ended = {}, [], set()
        self.capabilities = dict(CAPABILITIES)
        if extensions:
            self.capabilities["extensions"] = extensions

    # ---- messages ----

    def start(self, method, params=None, number=None):
        """Sends a request and returns its id."""
        if number is None:
            self.number += 1
            number = self.number
        params = dict(params or {})
        headers = {}
        if self.is_modern:
            params["_meta"] = {META + "protocolVersion": MODERN,
                               META + "clientCapabilities": self.capabilities,
                               **params.get("_meta", {})}
            headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": method}
            if method in NAMED:
                headers["Mcp-Name"] = params[NAMED[method]]
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self.link.send(message, headers=headers)
        return number

    def notify(self, method, params=None):
        message = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = params
        self.link.send(message)

    def take(self, timeout_s):
        """Takes one message in."""
        message = self.link.receive(timeout_s)
        if "ended" in message:
            self.ended.add(message["ended"])
        elif "method" in message and "id" in message:
            self.link.send({"jsonrpc": "2.0", "id": message["id"],
                            "result": reply_to(message["method"], message.get("params", {}))})
        elif "method" in message:
            self.notes.append(message)
        elif message.get("id") is None:
            # An answer to something that could not be read; whoever waits learns of it.
            self.answers[None] = message
        else:
            self.answers[message["id"]] = message

    def finish(self, number):
        """The answer of a request that was started. TimeoutError, Lost."""
        deadline = time.monotonic() + self.timeout_s
        while number not in self.answers:
            if None in self.answers:
                return self.answers.pop(None)
            if number in self.ended:
                raise Lost("the stream ended without an answer")
            self.take(max(0, deadline - time.monotonic()))
        return self.answers.pop(number)

    def ask(self, method, params=None):
        return self.finish(self.start(method, params))

    def ask_fully(self, method, params=None):
        """The same, and what the server wants to know is brought to it in further rounds."""
        params = dict(params or {})
        answer = self.ask(method, params)
        for _ in range(10):
            result = answer.get("result", {})
            if result.get("resultType") != "input_required":
                break
            again = dict(params)
            if "inputRequests" in result:
                again["inputResponses"] = {key: reply_to(one["method"], one.get("params", {}))
                                           for key, one in result["inputRequests"].items()}
            if "requestState" in result:
                again["requestState"] = result["requestState"]
            answer = self.ask(method, again)
        return answer

    def task(self, name, arguments=None, ttl_ms=60000):
        """Calls a tool as a task and follows it to its end, in the form that the revision has.

        Modern clients must have declared the extension. Returns the last answer."""
        if self.is_modern:
            return self.follow(self.call(name, arguments))
        answer = self.ask("tools/call", {"name": name, "arguments": arguments or {},
                                         "task": {"ttl": ttl_ms}})
        if "task" not in answer.get("result", {}):
            return answer
        return self.ask("tasks/result", {"taskId": answer["result"]["task"]["taskId"]})

    def follow(self, answer):
        """Modern: asks about the task in `answer` until it has ended; its questions are answered."""
        deadline = time.monotonic() + self.timeout_s
        result = answer.get("result", {})
        if result.get("resultType") != "task":
            return answer
        number = result["taskId"]
        while time.monotonic() < deadline:
            result = self.ask("tasks/get", {"taskId": number}).get("result", {})
            if result.get("status") == "input_required":
                self.ask("tasks/update", {"taskId": number, "inputResponses": {
                    key: reply_to(one["method"], one.get("params", {}))
                    for key, one in result["inputRequests"].items()}})
            elif result.get("status") != "working":
                return result
            else:
                time.sleep(0.05)
        raise TimeoutError

    def call(self, name, arguments=None, **more):
        return self.ask_fully("tools/call", {"name": name, "arguments": arguments or {}, **more})

    def hello(self):
        """The handshake, where there is one. Returns its answer."""
        if self.is_modern:
            return self.ask("server/discover")
        answer = self.ask("initialize", {
            "protocolVersion": self.revision, "capabilities": self.capabilities,
            "clientInfo": {"name": "talk", "version": "1"}})
        if "result" in answer:
            self.link.revision = answer["result"]["protocolVersion"]
            self.notify("notifications/initialized")
        return answer

    def cancel(self, number):
        """As the revision and the transport want it (MCP-174)."""
        if not (self.is_modern and self.link.is_http and self.link.abandon(number)):
            self.notify("notifications/cancelled", {"requestId": number})

    def wait_note(self, method, timeout_s=None):
        """The next notification of that method; whatever else came stays."""
        deadline = time.monotonic() + (timeout_s or self.timeout_s)
        while True:
            for note in self.notes:
                if note["method"] == method:
                    self.notes.remove(note)
                    return note
            self.take(max(0, deadline - time.monotonic()))
