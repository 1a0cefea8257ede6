"""feature_client.py - a client of conformance-server over any transport, in any revision.

Uses everything there is and knows what each answer has to be. Cancels calls, leaves in the middle of
others, and comes back.
"""
import json
import string

from gate import Visitor

from check import need
from talk import FORM, MODERN, Client

WATCHED = "test://watched-resource"
TASKS = "io.modelcontextprotocol/tasks"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
ANSWER_S = 30
SESSIONS = 300  # of each client that leaves some behind, and of four together more than are kept
EXTRA = {"test_extra_tool", "test_extra_prompt"}  # come and go: every client adds and removes them


def text_of(answer):
    need("result" in answer, str(answer)[:200])
    need(not answer["result"].get("isError"), str(answer)[:200])
    return "".join(block.get("text", "") for block in answer["result"]["content"])


class FeatureClient(Visitor):
    def __init__(self, number, gate, title, connect, revision):
        super().__init__(number, gate, f"{revision} {title}")
        self.connect, self.revision = connect, revision
        self.is_modern = revision == MODERN
        self.can_ask = revision >= "2025-06-18"  # elicitation
        self.client, self.lists = None, {}
        has_tasks = revision >= "2025-11-25"
        self.acts = [self.simple, self.mixed, self.failing, self.template, self.prompt, self.names,
                     self.form, self.sampling, self.roots, self.rounds, self.progress, self.cancelled,
                     self.changes, self.toggle, self.refused, self.completion] + [
            self.echo] * 8 + [self.parallel] * 4 + [self.leave, self.goodbye] + (
            [self.task] if has_tasks else [])

    # ---- the connection ----

    def talk(self):
        if not self.client:
            client = Client(self.connect(), self.revision, ANSWER_S)
            self.client = client
            hello = client.hello()
            need("result" in hello, str(hello)[:200])
            if not self.is_modern:
                need(hello["result"]["protocolVersion"] == self.revision, str(hello)[:200])
                if hasattr(client.link, "open_feed") and client.link.is_http:
                    client.link.open_feed()
        self.client.answers.clear()
        self.client.notes.clear()
        self.client.ended.clear()
        return self.client

    def fill(self):
        """With sessions that nobody comes back to, until the server gives up the oldest (TN_SESSIONS_MAX)."""
        if self.title.endswith(" HTTP") and not self.is_modern:
            for _ in range(SESSIONS):
                client = Client(self.connect(), self.revision, ANSWER_S)
                need("result" in client.hello(), "no session")
                client.link.hang_up()

    def drop(self):
        client, self.client = self.client, None
        if client:
            client.link.close()

    def goodbye(self):
        client, self.client = self.client, None
        if client:
            code = client.link.close()
            need(code in (None, 0), f"the server ended with {code}")

    def leave(self):
        """In the middle of a call; most without a word. What a client leaves behind for good (a
        session, a task) is rare: it is kept for minutes, and memory could not be seen to be flat."""
        client = self.talk()
        client.start("tools/call", {"name": "test_tool_with_progress"})
        self.client = None
        if client.link.is_http and not self.is_modern and self.random.random() < 0.9:
            client.link.close()
        else:
            client.link.hang_up()

    # ---- answers that are known beforehand ----

    def word(self, size=12):
        return "".join(self.random.choices(string.ascii_letters + string.digits, k=size))

    def arguments(self):
        return {"name": self.word(self.random.choice((3, 300, 3000))), "contactMethod": "email",
                "email": self.word() + "@example.org", "address": {"city": "Z\u00fcrich \U0001f600"}}

    @staticmethod
    def is_echo(answer, arguments):
        said = text_of(answer)
        need(said.startswith("Accepted: ") and json.loads(said[10:]) == arguments, said[:200])

    def echo(self):
        arguments = self.arguments()
        self.is_echo(self.talk().call("json_schema_2020_12_tool", arguments), arguments)

    def simple(self):
        said = text_of(self.talk().call("test_simple_text"))
        need(said == "This is a simple text response for testing.", said)

    def mixed(self):
        answer = self.talk().call("test_multiple_content_types")
        kinds = [block["type"] for block in answer["result"]["content"]]
        need(kinds == ["text", "image", "resource"], str(kinds))

    def failing(self):
        answer = self.talk().call("test_error_handling")
        need(answer["result"].get("isError") is True, str(answer)[:200])

    def template(self):
        word = self.word()
        answer = self.talk().ask("resources/read", {"uri": f"test://template/{word}/data"})
        found = json.loads(answer["result"]["contents"][0]["text"])
        need(found == {"id": word, "templateTest": True, "data": f"Data for ID: {word}"}, str(found))

    def prompt(self):
        one, two = self.word(), self.word()
        answer = self.talk().ask("prompts/get", {"name": "test_prompt_with_arguments",
                                                 "arguments": {"arg1": one, "arg2": two}})
        said = answer["result"]["messages"][0]["content"]["text"]
        need(said == f"Prompt with arguments: arg1='{one}', arg2='{two}'", said)

    def completion(self):
        answer = self.talk().ask("completion/complete", {
            "ref": {"type": "ref/prompt", "name": "test_prompt_with_arguments"},
            "argument": {"name": "arg1", "value": "part"}})
        need(answer["result"]["completion"]["values"] == ["party"], str(answer)[:200])

    def names(self):
        what = self.random.choice(("tools", "prompts", "resources"))
        answer = self.talk().ask(what + "/list")
        names = {one["name"] for one in answer["result"][what]} - EXTRA
        need(len(names) > 2 and self.lists.setdefault(what, names) == names, f"{what}: {names}")

    def toggle(self):
        name = self.random.choice(("test_trigger_tool_change", "test_trigger_prompt_change"))
        said = text_of(self.talk().call(name))
        need(said.split()[0] in ("Added", "Removed"), said)

    def refused(self):
        client = self.talk()
        method, params, codes = self.random.choice((
            ("tools/call", {"name": "no_such_tool"}, (-32602,)),
            ("no/such/method", {}, (-32601,)),
            ("tools/list", {"cursor": "!!!"}, (-32602,)),
            ("resources/read", {"uri": "test://nothing"}, (-32602, -32002)),
            ("tools/call", {"name": "test_elicitation", "arguments": {"message": 5}}, (-32602,))))
        answer = client.ask(method, params)
        is_told = answer.get("result", {}).get("isError")  # arguments: a tool error since 2025-11-25
        need(is_told or answer["error"]["code"] in codes, str(answer)[:200])

    # ---- what the server asks ----

    def form(self):
        answer = self.talk().call("test_elicitation", {"message": "Who?"})
        if not self.can_ask:
            need(answer["result"].get("isError") is True, str(answer)[:200])
            return
        said = text_of(answer)
        lead = "User response: action=accept, content="
        filled = {"username": FORM["username"], "email": FORM["email"]}
        need(said.startswith(lead) and json.loads(said[len(lead):]) == filled, said)

    def sampling(self):
        said = text_of(self.talk().call("test_sampling", {"prompt": self.word()}))
        need(said == "LLM response: Paris", said)

    def roots(self):
        said = text_of(self.talk().call("test_input_required_result_list_roots"))
        need("file:///tmp/somewhere" in said, said)

    def rounds(self):
        answer = self.talk().call("test_input_required_result_multi_round")
        if self.can_ask:
            need(text_of(answer) == "Ada likes green.", str(answer)[:200])
        else:
            need(answer["result"].get("isError") is True, str(answer)[:200])

    def task(self):
        """Asked as a task, in the revisions that have tasks; modern clients cannot say for how long
        it is kept."""
        if self.is_modern and self.random.random() < 0.9:
            self.echo()
            return
        client = self.talk()
        client.capabilities["extensions"] = {TASKS: {}}
        try:
            end = client.task("confirm_delete", {"filename": self.word()}, ttl_ms=1000)
        finally:
            del client.capabilities["extensions"]
        if "status" in end:  # a server that keeps enough tasks answers at once
            need(end["status"] == "completed", str(end)[:300])
            end = {"result": end["result"]}
        said = text_of(end)
        need(said.startswith("Deleted "), said)

    # ---- several things at once ----

    def progress(self):
        client, token = self.talk(), self.word()
        answer = client.call("test_tool_with_progress", _meta={"progressToken": token})
        need(text_of(answer) == "All of it is done.", str(answer)[:200])
        told = [note["params"] for note in client.notes
                if note["method"] == "notifications/progress"]
        steps = [one["progress"] for one in told]
        need(told and all(one["progressToken"] == token for one in told), str(told))
        need(steps == sorted(set(steps)) and steps[-1] == 100, str(steps))

    def parallel(self):
        client = self.talk()
        under_way = []
        for _ in range(self.random.randint(2, 6)):
            arguments = self.arguments()
            under_way.append((client.start("tools/call", {
                "name": "json_schema_2020_12_tool", "arguments": arguments}), arguments))
        self.random.shuffle(under_way)
        for number, arguments in under_way:
            self.is_echo(client.finish(number), arguments)

    def cancelled(self):
        """Every second of four; the others are answered, and nothing else is disturbed."""
        client = self.talk()
        numbers = [client.start("tools/call", {"name": "test_tool_with_progress"}) for _ in range(4)]
        for number in numbers[::2]:
            client.cancel(number)
        for number in numbers[1::2]:
            need(text_of(client.finish(number)) == "All of it is done.", "another answer")
        self.simple_again(client)

    @staticmethod
    def simple_again(client):
        said = text_of(client.call("test_simple_text"))
        need(said == "This is a simple text response for testing.", said)

    def changes(self):
        client = self.talk()
        if self.is_modern:
            number = client.start("subscriptions/listen", {
                "notifications": {"resourceSubscriptions": [WATCHED]}})
            client.wait_note("notifications/subscriptions/acknowledged")
        else:
            answer = client.ask("resources/subscribe", {"uri": WATCHED})
            need("result" in answer, str(answer))
        said = text_of(client.call("test_trigger_resource_update"))
        need(said == "Told everybody who watches.", said)
        note = client.wait_note("notifications/resources/updated")
        # Somebody else's change may have been on its way when the last subscription ended.
        while self.is_modern and note["params"]["_meta"][SUBSCRIPTION] < number:
            note = client.wait_note("notifications/resources/updated")
        need(note["params"]["uri"] == WATCHED, str(note))
        if self.is_modern:
            need(note["params"]["_meta"][SUBSCRIPTION] == number, str(note))
            client.cancel(number)
        else:
            need("result" in client.ask("resources/unsubscribe", {"uri": WATCHED}), "no unsubscribe")
