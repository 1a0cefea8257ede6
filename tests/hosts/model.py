"""model.py - a stand-in for a model: a server on 127.0.0.1 that records what hosts send and plays a script.

A script is a generator. It yields ("tool", {arguments}) and gets back what the model was given as the
result (dialects.Received); its return value is the last thing that the model says:

    def script():
        got = yield "execute_command", {"command": "echo hi"}
        return "It says " + got.text
"""
import http.server
import json
import threading

# Some hosts keep the tools of servers back until the model asks for them with a tool of theirs.
FINDERS = {
    "ToolSearch": lambda name: {"query": f"+tenon {name}", "max_results": 5},
    "tool_search": lambda name: {"query": f"tenon {name}", "limit": 5},
}
CALLS_MAX = 80
OTHERWISE = "ok"  # to whatever is asked beside the conversation: titles, summaries, quota


class Unsolved(Exception):
    """What the model would have needed."""


class Stray(Exception):
    """The script asked for what the host does not offer."""


class Model:
    """One conversation. `turns` are the request bodies of it, in order; `beside` all others."""

    def __init__(self, dialect, script):
        self.dialect, self.script = dialect, script()
        self.turns, self.beside = [], []
        self.asked, self.received = [], []  # of the script; and what the host's finder brought:
        self.looked_up = []
        self.calls = 0
        self.said = self.failure = self.unsolved = None
        self.pending = None  # what was answered last
        self.wanted = None  # the call that waits until the host has loaded its tool
        self.lock = threading.Lock()
        model = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_GET(self):
                self.send(404, b"{}")

            def do_POST(self):
                raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                path = self.path.partition("?")[0].replace(":", "/")
                if not model.dialect.is_turn(path):
                    self.send(200, json.dumps({"input_tokens": 1, "totalTokens": 1}).encode())
                    return
                body = json.loads(raw)
                whole, events = model.turn(body)
                if events is not None and "generateContent" not in path:
                    self.stream(events)
                else:
                    self.send(200, json.dumps(whole).encode())

            def stream(self, events):
                text = "".join((f"event: {kind}\n" if kind else "")
                               + "data: " + json.dumps({"type": kind, **data} if kind else data) + "\n\n"
                               for kind, data in events)
                if not events[0][0]:
                    text += "data: [DONE]\n\n" if "choices" in events[0][1] else ""
                self.send(200, text.encode(), "text/event-stream")

            def send(self, status, body, kind="application/json"):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def turn(self, body):
        with self.lock:
            offered = self.dialect.tools(body)
            if not offered:
                self.beside.append(body)
                return self.dialect.answer(body, 9000 + len(self.beside), OTHERWISE, None)
            self.turns.append(body)
            results = self.dialect.results(body)
            got = results.get(self.dialect.call_id(self.calls)) if self.calls else None
            if self.pending is None or got is not None:
                self.step(got, offered)
            return self.dialect.answer(body, self.calls or 8000, *self.pending)

    def step(self, got, offered):
        """Goes on in the script with what came back."""
        try:
            if self.wanted:  # got is what the host's own finder said
                (name, arguments), self.wanted = self.wanted, None
                self.looked_up.append((name, got))
                self.call(name, arguments, offered)
                return
            if got is not None:
                self.received.append(got)
            name, arguments = self.script.send(got)
            self.asked.append((name, arguments))
            if not self.find(name, offered) and name not in [known for known, _ in self.looked_up]:
                self.look_up(name, arguments, offered)
            else:
                self.call(name, arguments, offered)
        except StopIteration as end:
            self.said = end.value or "done"
            self.pending = self.said, None
        except Unsolved as error:
            self.unsolved = str(error)
            self.pending = self.unsolved, None
        except Exception as error:  # told by whoever waits for the conversation
            self.failure = f"{type(error).__name__}: {error}"
            self.pending = f"The script failed: {error}", None

    def look_up(self, name, arguments, offered):
        """The tool is not there yet: the host's finder is asked for it, and the call is made then."""
        self.wanted = name, arguments
        program = self.dialect.program_tool(offered)
        finder = next((finder for finder in FINDERS if finder in offered), None)
        if finder:
            self.ask_for(finder, FINDERS[finder](name))
        elif program:
            self.ask_for(program, self.dialect.look_program(name))
        else:
            raise Stray(f"the host does not offer {name}")

    def call(self, name, arguments, offered):
        found, program = self.find(name, offered), self.dialect.program_tool(offered)
        if not found and not program:
            raise Stray(f"the host's finder did not bring {name}")
        self.ask_for(found or program, arguments if found else self.dialect.call_program(name, arguments))

    def ask_for(self, name, arguments):
        self.pending = "", (name, arguments)
        self.calls += 1
        if self.calls > CALLS_MAX:
            raise Stray("the script does not end")

    def find(self, name, offered):
        """What the host calls the tool: it puts the server's name before it."""
        found = [one for one in offered if one.endswith(("_" + name, "." + name))]
        return min([one for one in found if "tenon" in one], key=len, default=None)

    def close(self):
        self.server.shutdown()
        self.server.server_close()
