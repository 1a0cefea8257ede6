"""plan_client.py - a client of `tenon serve plan` over HTTP: plans of all sizes, errors, sessions that
come and go, calls whose client leaves.
"""
import http.client
import json
import urllib.parse

from gate import Visitor

import check
import hostile

BAD = hostile.cases()
PLANS = [hostile.plan_of(size) for size in (300, 3_000, 30_000, 300_000)]
MODERN = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {}}


# More than a third of what a server keeps, for three clients: its sessions (TN_SESSIONS_MAX); its conversations and
# those it remembers to have gone (TN_PLAN_CONVERSATIONS_MAX, TN_HANDLES_GONE_MAX), which also fill the 2 MB of
# pages that SQLite keeps of the history. A table that is still filling is no memory that is lost.
SESSIONS, CONVERSATIONS = 400, 750


class PlanClient(Visitor):
    """Half of its sessions are left open, as clients do."""

    def __init__(self, number, gate, url, token):
        super().__init__(number, gate, "plan over HTTP")
        self.address, self.token = urllib.parse.urlsplit(url), token
        self.connection = None
        self.acts = [self.parse] * 6 + [self.explain] * 4 + [self.modern] * 3 + [
            self.session] * 2 + [self.bad] * 4 + [self.leave]

    def fill(self):
        for _ in range(SESSIONS):
            self.visit(False)
        for _ in range(CONVERSATIONS):
            self.explain()

    def drop(self):
        self.connection = None

    def post(self, body, **headers):
        self.connection = self.connection or http.client.HTTPConnection(
            self.address.hostname, self.address.port, timeout=60)
        self.connection.request("POST", self.address.path, body, {
            "Content-Type": "application/json", "Authorization": f"Bearer {self.token}",
            "Accept": "application/json, text/event-stream", **headers})
        answer = self.connection.getresponse()
        text = answer.read()
        for line in text.split(b"\n"):
            if line.startswith(b"data: {"):
                text = line[6:]
        return answer, json.loads(text) if text else None

    def parse(self):
        text, count = self.random.choice(PLANS)
        _, answer = self.post(hostile.call({"plan_text": text, "detail": "summary"}))
        found = json.loads(answer["result"]["content"][0]["text"])["summary"]["total_changes"]
        check.need(found == count, f"{found} changes, not {count}")

    def explain(self):
        text, count = self.random.choice(PLANS[:3])
        _, answer = self.post(hostile.call({"plan_text": text, "user_preference": "count_only"},
                                           name="terraform_explain"))
        said = answer["result"]["content"][0]["text"]
        plural = "" if count == 1 else "s"
        check.need(said == f"Summary: {count} change{plural}", said)

    def modern(self):
        body = json.dumps({"jsonrpc": "2.0", "id": 5, "method": "tools/list",
                           "params": {"_meta": MODERN}})
        _, answer = self.post(body, **{"MCP-Protocol-Version": "2026-07-28",
                                       "Mcp-Method": "tools/list"})
        check.need("tools" in answer["result"], str(answer)[:200])

    def session(self):
        self.visit(self.random.random() < 0.5)

    def visit(self, says_goodbye):
        """Half of the clients forget to say goodbye, as they do."""
        hello = hostile.request(id=1, method="initialize", params={
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "soak", "version": "1"}})
        answer, _ = self.post(hello)
        headers = {"Mcp-Session-Id": answer.getheader("Mcp-Session-Id"),
                   "MCP-Protocol-Version": "2025-11-25"}
        self.post(hostile.request(method="notifications/initialized"), **headers)
        self.post(hostile.request(id=2, method="tools/list"), **headers)
        if says_goodbye:
            self.connection.request("DELETE", self.address.path, headers={
                "Authorization": f"Bearer {self.token}", **headers})
            self.connection.getresponse().read()

    def bad(self):
        _, body, codes = self.random.choice(BAD)
        _, answer = self.post(body)
        # Without a session an unknown method is refused before it is looked up.
        check.need(answer["error"]["code"] in (*codes, -32600), str(answer)[:200])

    def leave(self):
        """A call whose client goes away."""
        self.connection = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=60)
        self.connection.request("POST", self.address.path, hostile.call({"plan_text": PLANS[3][0]}), {
            "Content-Type": "application/json", "Authorization": f"Bearer {self.token}"})
        self.connection.close()
        self.connection = None
