#!/usr/bin/env python3
"""tasks.py CONFORMANCE_SERVER - tasks as bytes on the wire, in both forms, by stdio and by HTTP.

What the units cannot show: the real transports, a caller that leaves, a server that is stopped
while tasks run. Prints one line a test, as cmocka does.
"""
import http.client
import json
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402

SERVER = sys.argv[1]
FAILURES = 0
TASKS = "io.modelcontextprotocol/tasks"
CAN = {"elicitation": {}, "extensions": {TASKS: {}}}


def test(name, passed, seen=""):
    global FAILURES
    print(f"[{'       OK ' if passed else '  FAILED  '}] {name}")
    if not passed:
        FAILURES += 1
        print(f"    {seen}", file=sys.stderr)


def is_soon(took, seconds):
    """check.need_soon"""
    return took < seconds or took < seconds * check.granted(check.how_busy())


def modern(number, method, can=None, **params):
    params["_meta"] = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                       "io.modelcontextprotocol/clientCapabilities": CAN if can is None else can}
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def legacy(number, method, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


class Pipe:
    def __init__(self):
        self.process = subprocess.Popen([SERVER, "--stdio"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.others = []

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def next(self, wanted):
        """The next message that fits; those before it are kept in `others`."""
        while True:
            message = json.loads(self.process.stdout.readline())
            if wanted(message):
                return message
            self.others.append(message)

    def ask(self, message):
        self.send(message)
        return self.next(lambda m: m.get("id") == message["id"] and "method" not in m)

    def end(self):
        self.process.stdin.close()
        began = time.monotonic()
        return self.process.wait(30), time.monotonic() - began


class Web:
    def __init__(self):
        self.process = subprocess.Popen([SERVER, "--http", "127.0.0.1:0"],
                                        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while True:
            line = self.process.stderr.readline()
            if line.startswith("listening on "):
                break
        self.port = int(line.split(":")[2].split("/")[0])

    def open(self, message, session=None, accept="application/json, text/event-stream"):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        params = message.get("params", {})
        headers = {"Content-Type": "application/json", "Accept": accept}
        if "_meta" in params:
            headers |= {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": message["method"]}
        for member in ("name", "taskId"):
            if member in params:
                headers["Mcp-Name"] = params[member]
        if session:
            headers["Mcp-Session-Id"] = session
        connection.request("POST", "/mcp", json.dumps(message), headers)
        return connection

    def post(self, message, session=None):
        connection = self.open(message, session)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        if "text/event-stream" in answer.getheader("Content-Type", ""):
            text = [line[6:] for line in text.split("\n") if line.startswith("data: ")][-1]
        return answer, json.loads(text) if text else None

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        began = time.monotonic()
        code = self.process.wait(30)
        self.process.stderr.close()
        return code, time.monotonic() - began


def poll(get, ends=("completed", "failed", "cancelled"), seconds=60):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        task = get()
        if task["status"] in ends:
            return task
        time.sleep(0.05)
    return task


def stdio_modern():
    pipe = Pipe()
    made = pipe.ask(modern(1, "tools/call", name="slow_compute",
                           arguments={"seconds": 1, "label": "it"}))["result"]
    test("stdio: MCP-251 a task is made", made["resultType"] == "task" and
         made["status"] == "working" and isinstance(made["ttlMs"], int) and
         isinstance(made["pollIntervalMs"], int) and "requestState" not in made, made)
    pipe.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
    done = poll(lambda: pipe.ask(modern(2, "tasks/get", taskId=made["taskId"]))["result"])
    test("stdio: MCP-252 it completes with its result", done["status"] == "completed" and
         done["result"]["content"][0]["text"] == "Computed it.", done)
    made = pipe.ask(modern(3, "tools/call", name="confirm_delete",
                           arguments={"filename": "f"}))["result"]
    asks = pipe.ask(modern(4, "tasks/get", taskId=made["taskId"]))["result"]
    key = next(iter(asks["inputRequests"]))
    pipe.ask(modern(5, "tasks/update", taskId=made["taskId"], inputResponses={
        key: {"action": "accept", "content": {"confirm": True}}}))
    done = pipe.ask(modern(6, "tasks/get", taskId=made["taskId"]))["result"]
    test("stdio: MCP-253 a question is answered",
         done["result"]["content"][0]["text"] == "Deleted f.", done)
    pipe.ask(modern(7, "tools/call", name="slow_compute", arguments={"seconds": 60}))
    code, seconds = pipe.end()
    test("stdio: a running task does not hold up the end", code == 0 and is_soon(seconds, 1.5),
         (code, seconds))


def stdio_legacy():
    pipe = Pipe()
    hello = pipe.ask(legacy(0, "initialize", protocolVersion="2025-11-25",
                            capabilities={"elicitation": {}},
                            clientInfo={"name": "t", "version": "1"}))["result"]
    pipe.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    test("stdio: MCP-242 tasks are declared", hello["capabilities"]["tasks"] ==
         {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}, hello)
    made = pipe.ask(legacy(1, "tools/call", name="multi_input", task={"ttl": 5000}))
    task = made["result"]["task"]["taskId"]
    pipe.send(legacy(2, "tasks/result", taskId=task))
    for name in ("Ann", "Bob"):
        question = pipe.next(lambda m: m.get("method") == "elicitation/create")
        test(f"stdio: MCP-246 {name} is asked for the task", question["params"]["_meta"] ==
             {"io.modelcontextprotocol/related-task": {"taskId": task}}, question)
        pipe.send({"jsonrpc": "2.0", "id": question["id"],
                   "result": {"action": "accept", "content": {"name": name}}})
    done = pipe.next(lambda m: m.get("id") == 2)
    test("stdio: MCP-244 the result", done["result"]["content"][0]["text"] == "Ann, then Bob.",
         done)
    told = [m["params"]["status"] for m in pipe.others
            if m.get("method") == "notifications/tasks/status"]
    test("stdio: the session is told", told == ["input_required", "completed"], pipe.others)
    made = pipe.ask(legacy(3, "tools/call", name="slow_compute", arguments={"seconds": 60},
                           task={}))
    task = made["result"]["task"]["taskId"]
    pipe.send(legacy(4, "tasks/result", taskId=task))
    pipe.send(legacy(5, "tasks/cancel", taskId=task))
    test("stdio: MCP-245 cancelled", pipe.next(lambda m: m.get("id") == 4)["error"]["code"] == -32602
         and pipe.next(lambda m: m.get("id") == 5)["result"]["status"] == "cancelled", pipe.others)
    code, _ = pipe.end()
    test("stdio: it ends in order", code == 0, code)


def http_modern():
    web = Web()
    connection = web.open(modern(1, "tools/call", name="slow_compute",
                                 arguments={"seconds": 1, "label": "it"}))
    made = json.loads(connection.getresponse().read())["result"]
    connection.close()  # MCP-253: that cancels requests, not tasks
    get = modern(2, "tasks/get", taskId=made["taskId"])
    done = poll(lambda: web.post(get)[1]["result"])
    test("HTTP: a task outlives its caller's connection", done["status"] == "completed", done)
    answer, body = web.post(modern(3, "tasks/get", can={}, taskId=made["taskId"]))
    test("HTTP: MCP-254 undeclared", answer.status == 400 and body["error"] == {
        "code": -32021, "message": "Missing required client capability",
        "data": {"requiredCapabilities": {"extensions": {TASKS: {}}}}}, body)
    answer, body = web.post(modern(4, "tasks/list"))
    test("HTTP: MCP-254 no list", answer.status == 404 and body["error"]["code"] == -32601, body)
    answer, body = web.post(modern(5, "tasks/get", taskId="tsk_unknown"))
    test("HTTP: unknown", answer.status == 200 and body["error"]["code"] == -32602, body)
    made = web.post(modern(6, "tools/call", name="slow_compute",
                           arguments={"seconds": 60}))[1]["result"]
    listen = web.open(modern(7, "subscriptions/listen", notifications={"taskIds": [made["taskId"]]}))
    stream = listen.getresponse()
    events = []

    def event():
        while True:
            line = stream.readline().decode()
            if line.startswith("data: "):
                return json.loads(line[6:])
    events.append(event())
    web.post(modern(8, "tasks/cancel", taskId=made["taskId"]))
    events.append(event())
    listen.close()
    test("HTTP: MCP-256 the listener is told", events[0]["params"]["notifications"] ==
         {"taskIds": [made["taskId"]]} and events[1]["method"] == "notifications/tasks" and
         events[1]["params"]["status"] == "cancelled", events)
    web.post(modern(9, "tools/call", name="slow_compute", arguments={"seconds": 60}))
    code, seconds = web.end()
    test("HTTP: running tasks do not hold up the end", code == 0 and is_soon(seconds, 1.5), (code, seconds))


def http_legacy():
    web = Web()
    answer, _ = web.post(legacy(0, "initialize", protocolVersion="2025-11-25",
                                capabilities={"elicitation": {}},
                                clientInfo={"name": "t", "version": "1"}))
    session = answer.getheader("Mcp-Session-Id")
    made = web.post(legacy(1, "tools/call", name="slow_compute", arguments={"seconds": 1},
                           task={}), session)[1]
    task = made["result"]["task"]["taskId"]
    done = web.post(legacy(2, "tasks/result", taskId=task), session)[1]
    test("HTTP: MCP-244 tasks/result waits", done["result"]["content"][0]["text"] == "Computed it.",
         done)
    answer, _ = web.post(legacy(0, "initialize", protocolVersion="2025-11-25", capabilities={}))
    body = web.post(legacy(3, "tasks/get", taskId=task), answer.getheader("Mcp-Session-Id"))[1]
    test("HTTP: MCP-247 another anonymous session", body["error"]["code"] == -32602, body)
    # A task that waits for an answer, with somebody waiting for the task, while the server stops.
    made = web.post(legacy(4, "tools/call", name="multi_input", task={}), session)[1]
    waiting = web.open(legacy(5, "tasks/result", taskId=made["result"]["task"]["taskId"]), session)
    stream = waiting.getresponse()
    line = stream.readline()
    while b"elicitation/create" not in line:
        line = stream.readline()
    code, seconds = web.end()
    waiting.close()
    test("HTTP: a stop with questions out", code == 0 and is_soon(seconds, 5), (code, seconds))


for story in (stdio_modern, stdio_legacy, http_modern, http_legacy):
    story()
sys.exit(1 if FAILURES else 0)
