#!/usr/bin/env python3
"""text_alone.py - what a host gets that is sent the text of a result alone has every id, name, value and code that the
structured content has (HO-001, HO-002): each call is made by a host that gets both and by one that gets text."""
import json
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", name) for name in ("hosts", "relay", "lib")]
import daemon  # noqa: E402
import measure  # noqa: E402
import scripts  # noqa: E402
import wire  # noqa: E402
from host import Relay, check  # noqa: E402

SUITE = "daemon-text-alone"
# What a next call does not need: what is the same in every such answer, or was in the call. An answer that is told by the
# text itself ("exit 1") is no word of it, either.
PLAIN = {"explained", "completed", "idle", "none", "local"}
SUBNET = "azurerm/networking/subnet"


class Host:
    def __init__(self, env, fit):
        self.relay, self.number = Relay(env, "--fit", fit), 1
        # Who shows pages gets every member: with them the text is compared, not with what is lean.
        shows = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
        self.relay.say(wire.initialize(1, "2025-11-25", **(shows if fit == "both" else {})), wire.INITIALIZED)
        self.relay.answer(1)

    def call(self, name, arguments):
        self.number += 1
        self.relay.say(wire.request(self.number, "tools/call", name=name, arguments=arguments))
        answer = self.relay.answer(self.number, 60)
        check.need("result" in answer, answer)
        return answer["result"]


def text_of(result):
    return "\n".join(part["text"] for part in result["content"] if part["type"] == "text")


def compare(both, text, name, arguments, own=None, but=None):
    """Both results. `own`: the arguments of the second, where they name what is its own; `but`: a pattern of what it is
    not told, because another call tells it to those who need it."""
    with check.Step(SUITE, f"{name} {json.dumps(arguments)[:60]}"):
        whole, alone = both.call(name, arguments), text.call(name, own or arguments)
        check.need("structuredContent" not in alone, "structured content")
        check.need([part["type"] for part in whole["content"] if part["type"] == "image"] ==
                   [part["type"] for part in alone["content"] if part["type"] == "image"], "pictures")
        missing = [fact for fact in measure.Facts(whole).missing(text_of(alone), alone) if fact not in PLAIN and not (but and re.fullmatch(but, fact, re.DOTALL))]
        check.need(not missing, f"{missing[:12]} of {text_of(alone)[:300]}")
        return whole, alone
    return None, None


def terminals(both, text):
    """A full-screen program, a question, an end."""
    _, made = compare(both, text, "create_session", {"name": "one"})
    session = measure.HANDLE.search(text_of(made)).group()
    # The session is the one that counts when none is named; all of the output is there.
    compare(both, text, "execute_command", {"command": "printf 'a\\nb\\n'; cd /tmp; false"}, but=r"an id|c1\..*")
    compare(both, text, "search_history", {"query": "printf"}, but=r"an id|/.*")  # of each entry the command's id is told
    with check.Step(SUITE, "send_keys: the screen, what it waits for, and how to read on"):
        text.call("send_keys", {"session_id": session, "text": "printf '\\033[?1049hon the screen'; read -s x; "
                                "printf '\\033[?1049l'", "enter": True, "wait_ms": 1000})
        got = text_of(text.call("send_keys", {"session_id": session, "text": "y", "wait_ms": 500}))
        check.need("on the screen" in got and "next_cursor c1." in got and "[screen]" in got, got)
    with check.Step(SUITE, "close_session: what it printed last"):
        got = text_of(text.call("close_session", {"session_id": session, "force": True}))
        check.need("Closed session" in got, got)


def plans(both, text):
    plan = {"plan_text": scripts.read(scripts.PLAN)}
    for name, more in (("terraform_explain", {"user_preference": "full_summary"}), ("terraform_risk", {}),
                       ("terraform_show_change", {"address": "aws_db_instance.ledger"})):
        compare(both, text, name, plan | more)
    _, alone = compare(both, text, "terraform_explain", plan | {"user_preference": "full_summary", "format": "markdown"},
                       but="Summary: .*")  # the document says it in other words
    with check.Step(SUITE, "terraform_explain: the handles stand beside a document"):
        check.need("plan_id pln_" in text_of(alone) and "conversation_id cnv_" in text_of(alone), text_of(alone)[-200:])


def whole_plans(text):
    """terraform_parse: what the data has, a line an entry."""
    plan = scripts.read(os.path.join(scripts.ROOT, "tests", "data", "plan-examples", "03-drift-move-import-forget.txt"))
    with check.Step(SUITE, "terraform_parse: moves, imports, values, drift, findings, and which entry each line is"):
        got = text_of(text.call("terraform_parse", {"plan_text": plan}))
        for fact in ("7 move module.media[\"eu\"].google_storage_bucket.this (moved from google_storage_bucket.thumbs)",
                     "(import id projects/orchard/secrets/mail)", "machine_type: \"e2-small\" -> \"e2-medium\"",
                     "drift update google_storage_bucket.media: labels[\"edited_by\"]=\"console\"", "RISK-DRIFT-REVERT medium 1",
                     "name: \"printer\" -> \"press\" (forces replacement)", "size=50", "plan_id pln_"):
            check.need(fact in got, f"no {fact} in {got}")
    with check.Step(SUITE, "terraform_parse of a page: where the next begins"):
        got = text_of(text.call("terraform_parse", {"plan_text": plan, "limit": 2}))
        check.need("offset 2 gives the next" in got and "7 entries match" in got, got)
    with check.Step(SUITE, "terraform_parse of a part: findings of entries that are not told have their address"):
        whole = text_of(text.call("terraform_parse", {"plan_text": plan}))
        for arguments in ({"limit": 1}, {"offset": 3, "limit": 2}, {"actions": ["create"]}, {"address_prefix": "module.none"}):
            got = text_of(text.call("terraform_parse", {"plan_text": plan, **arguments}))
            told = set(re.findall(r"^(\d+) ", got, re.MULTILINE))
            for rule, number in re.findall(r"^(RISK-\S+ \w+) (\d+)[: ]", got, re.MULTILINE):
                check.need(number in told, f"{rule} {number} of what is not told in {got}")
            check.need(got.count("RISK-") == whole.count("RISK-"), got)
        check.need("none of" in got and "matches" in got, got)


def sessions(text):
    with check.Step(SUITE, "list_sessions: in which state each is, and what a program in it waits for"):
        first = measure.HANDLE.search(text_of(text.call("create_session", {"name": "first"}))).group()
        got = text_of(text.call("list_sessions", {}))
        check.need(got.endswith("all idle"), got)
        running = text_of(text.call("execute_command", {"command": "sleep 60", "session_id": first, "yield_ms": 300}))
        command = re.search(r"cmd_\w+", running).group()
        check.need(re.search(r"next_cursor c1\.\w+\.\d+", running), running)
        got = text_of(text.call("list_sessions", {}))
        check.need(f"{first}: running {command}" in got, got)
        screen = text_of(text.call("get_screen", {"session_id": first}))
        check.need(re.search(r"\[120 columns, 40 rows, cursor in row \d+, column \d+.*, revision \d+\]", screen), screen)
        text.call("close_session", {"session_id": first, "force": True})


def diagrams(both, text, folder):
    compare(both, text, "new_project", {"name": "shop", "directoryPath": folder},
            {"name": "shop", "directoryPath": folder + "2"}, but="/.*")
    both.call("execute_batch", {"operations": json.loads(scripts.read(scripts.DIAGRAM))["operations"]})
    for name, arguments, but in (
            ("get_diagram", {}, "ref:.*"),  # how these are made is told
            ("validate_diagram", {}, None), ("export_diagram", {"format": "png"}, None),
            ("list_resources", {}, r"\d"), ("list_resources", {"limit": 2}, r"\d"),
            ("get_available_resource_types", {"typeIds": [SUBNET], "detail": "full"}, None),
            ("get_deployment_status", {"detail": True}, None), ("generate_hcl", {"write": False}, r"\d"),
            ("get_available_resource_types", {"detail": "standard", "limit": 12}, None), ("estimate_costs", {}, None),
            ("estimate_costs", {"groupBy": "category"}, None)):
        compare(both, text, name, arguments, but=but)
    with check.Step(SUITE, "get_diagram: from where get_changes goes on; execute_batch: which change it was"):
        cursor = re.search(r"^cursor (\S+)$", text_of(text.call("get_diagram", {})), re.MULTILINE)
        check.need(cursor, "no cursor")
        made = text_of(text.call("execute_batch", {"operations": [
            {"tool": "add_resource", "arguments": {"typeId": "azurerm/core/resource_group", "label": "Second"}}]}))
        check.need(re.search(r"change-\d+", made), made)
        check.need("Second" in text_of(text.call("get_changes", {"since": cursor.group(1)})), "what has changed since")
    with check.Step(SUITE, "import_terraform: what could not be read, and what is left out"):
        got = text_of(text.call("import_terraform", {"source": "config", "dryRun": True,
                                                     "files": {"main.tf": 'resource "aws_vpc" {'}}))
        check.need("0 resources are mapped, 0 in part, 0 blocks stay as text" in got and "1 block is left out. Not all could be "
                   "read: 1 fault, the first in main.tf, line 1: " in got, got)
    with check.Step(SUITE, "a page of a list, and of types, says how to go on"):
        check.need("cursor 2 gives" in text_of(text.call("list_resources", {"limit": 2})), "resources")
        check.need("cursor 2 gives" in text_of(text.call("get_available_resource_types", {"limit": 2})), "types")


def main():
    with daemon.Home() as home, tempfile.TemporaryDirectory() as folder:
        for part in ("shop", "shop2"):
            os.mkdir(os.path.join(folder, part))
        both, text = Host(home.env, "both"), Host(home.env, "text")
        with both.relay, text.relay:
            terminals(both, text)
            plans(both, text)
            whole_plans(text)
            sessions(text)
            diagrams(both, text, os.path.join(folder, "shop"))
            compare(both, text, "render_floorplan", {"dsl": scripts.read(scripts.HOUSE)})
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
