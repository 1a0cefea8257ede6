#!/usr/bin/env python3
"""budgets.py - what answers cost that a model reads, as text and as data: each budget of hosts.md HO-003, counted with
o200k, of inputs that are not made for it. A host with the profile `both` asks; what it may leave out is left out in no
answer to a script."""
import json
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", name) for name in ("hosts", "relay", "lib")]
import check  # noqa: E402
import daemon  # noqa: E402
import measure  # noqa: E402
import person  # noqa: E402
import scripts  # noqa: E402
import wire  # noqa: E402
from check import Step, need  # noqa: E402
from host import Relay  # noqa: E402

SUITE = "daemon-budgets"
FAKE = os.path.join(scripts.ROOT, "tests", "studio", "fake_engine")
PLANS = os.path.join(scripts.ROOT, "tests", "data", "plan-examples")
ANY = 20000  # tokens of any answer


class Host:
    """`tenon mcp WORDS`, as an AI host starts it."""

    def __init__(self, env, *words, **capabilities):
        self.relay, self.number = Relay(env, *words), 1
        self.relay.say(wire.initialize(1, "2025-11-25", **capabilities), wire.INITIALIZED)
        self.relay.answer(1)

    def call(self, tool, **arguments):
        self.number += 1
        self.relay.say(wire.request(self.number, "tools/call", name=tool, arguments=arguments))
        answer = self.relay.answer(self.number, 60)
        need("result" in answer, answer)
        return answer["result"]


def text_of(result):
    return "\n".join(part["text"] for part in result["content"] if part["type"] == "text")


class Budgets:
    """Answers and what they may cost; counted at the end, all at once."""

    def __init__(self):
        self.counter, self.rows = measure.Counter(), []

    def add(self, what, result, text, data):
        need(not result.get("isError"), f"{what}: {text_of(result)[:300]}")
        structured = result.get("structuredContent")
        need(structured is not None, f"{what}: no structured content")
        self.rows.append((what, "text", text, self.counter.add(text_of(result))))
        self.rows.append((what, "data", data, self.counter.add(measure.compact(structured))))
        return structured

    def check(self):
        self.counter.count()
        for what, form, most, tokens in self.rows:
            with Step(SUITE, f"HO-003: {what}, as {form}: {most} tokens at most"):
                need(0 < tokens() <= most, f"{tokens()} tokens")
                print(f"{SUITE}: {what}, {form}: {tokens()} of {most}", flush=True)


def entry(number, action, sign, attributes):
    lines = [f"  # aws_instance.node[{number}] will be {action}",
             f'  {sign} resource "aws_instance" "node" {{']
    return "\n".join(lines + [f"      {sign} {name} = {value}" for name, value in attributes] + ["    }", ""])


def plan_of(changes):
    """A plan as terraform prints it: objects that are made, with the attributes that such objects have."""
    made = [("ami", '"ami-0a1b2c3d4e5f60718"'), ("arn", "(known after apply)"), ("id", "(known after apply)"),
            ("instance_type", '"t3.small"'), ("private_ip", "(known after apply)"), ("subnet_id", '"subnet-0a1b2c3d"'),
            ("user_data", '"#!/bin/sh\\napt-get update"'), ("availability_zone", '"eu-west-1a"'),
            ("associate_public_ip_address", "true"), ("key_name", '"ops"')]
    body = "\n".join(entry(i, "created", "+", made) for i in range(changes))
    return ("Terraform will perform the following actions:\n\n" + body +
            f"\nPlan: {changes} to add, 0 to change, 0 to destroy.\n")


def terminal(host, budgets):
    with Step(SUITE, "the terminal answers"):
        budgets.add("execute_command echo hi", host.call("execute_command", command="echo hi"), 60, 100)
        host.call("create_session", name="build")
        host.call("create_session", name="logs")
        listed = budgets.add("list_sessions of 3", host.call("list_sessions"), 200, 300)
        need([one["name"] for one in listed["sessions"]] == ["logs", "build", "default"], listed)
        need(all({"id", "cwd", "is_active", "state"} <= set(one) for one in listed["sessions"]), listed)


def terminal_says(host):
    """What is not as usual does stand there."""
    with Step(SUITE, "HO-001: a failure, what is cut, and a program that waits are told in the data"):
        failed = host.call("execute_command", command="echo x; exit_with() { return 7; }; exit_with")["structuredContent"]
        need(failed["exit_code"] == 7 and failed["output"] == "x\n" and failed["status"] == "completed", failed)
        cut = host.call("execute_command", command="seq 5000", max_bytes=400)["structuredContent"]
        need(cut["truncated"] and cut["next_cursor"] and cut["total_lines"] == 5000 and cut["omitted_bytes"] > 0, cut)
        asks = host.call("execute_command", command="read -r answer", yield_ms=4000)["structuredContent"]
        need(asks["status"] in ("waiting_input", "running") and "next_cursor" in asks, asks)
        need(asks["status"] == "running" or asks["waiting"]["for_input"], asks)


def plans(host, budgets):
    with Step(SUITE, "terraform_parse answers"):
        parsed = budgets.add("terraform_parse of 8 changes of many kinds",
                             host.call("terraform_parse", plan_text=scripts.read(scripts.PLAN)), 700, 2000)
        risky = [one["path"] for change in parsed["resource_changes"] for one in change["attributes"]
                 if one.get("after") == "0.0.0.0/0" or one.get("forces_replacement")]
        need(sorted(risky) == ["identifier", "ingress[1].cidr_blocks[0]", "name"],
             f"what weighs is never left out: {risky}")
        need(parsed["summary"]["total_changes"] == 7 and parsed["risk"]["level"] == "critical", parsed["summary"])
        ten = budgets.add("terraform_parse of 10 changes", host.call("terraform_parse", plan_text=plan_of(10)), 700, 2000)
        need(len(ten["resource_changes"]) == 10, len(ten["resource_changes"]))
        need(all(len(one["attributes"]) + one["attributes_more"] == 10 for one in ten["resource_changes"]), ten)
        budgets.add("terraform_parse of 150 changes", host.call("terraform_parse", plan_text=plan_of(150)), ANY, ANY)
        for name in sorted(os.listdir(PLANS)):
            if re.search(r"\.(txt|md)$", name) and "README" not in name:
                budgets.add(f"terraform_parse of {name}",
                            host.call("terraform_parse", plan_text=scripts.read(os.path.join(PLANS, name))), ANY, ANY)


def operation(name, **arguments):
    return {"tool": "add_resource", "as": name, "arguments": arguments}


# As somebody adds them: a type and a label.
PLAIN = [operation("group", typeId="azurerm/core/resource_group", label="Shop"),
         operation("net", typeId="azurerm/networking/virtual_network", label="Network", parentId="$group.instanceId"),
         *[operation(label.lower(), typeId="azurerm/networking/subnet", label=label, parentId="$net.instanceId") for label in ("Web", "Data", "Jobs")],
         operation("plan", typeId="azurerm/compute/app_service_plan", label="Plan", parentId="$group.instanceId"),
         operation("app", typeId="azurerm/compute/app_service", label="App", parentId="$group.instanceId"),
         operation("vault", typeId="azurerm/security/key_vault", label="Secrets", parentId="$group.instanceId"),
         operation("sql", typeId="azurerm/database/mssql_server", label="SQL", parentId="$group.instanceId")]


def diagrams(host, budgets, folder):
    with Step(SUITE, "studio answers"):
        # An id and a path are half of it; what is configured is told as far as it is set.
        made = budgets.add("new_project", host.call("new_project", name="shop", directoryPath=folder), 80, 120)
        need(made["project"]["path"] and made["config"] is not None and made["diagram"]["revision"], made)
        budgets.add("open_project", host.call("open_project", projectPath=made["project"]["path"]), 80, 120)
        budgets.add("validate_diagram, nothing wrong", host.call("validate_diagram"), 40, 60)
        host.call("execute_batch", operations=json.loads(scripts.read(scripts.DIAGRAM))["operations"])
        # With all their values, and addresses of the names that they were given (ST-021); an id has 25 tokens, and those of
        # 9 nodes and their edges are half of it.
        drawn = budgets.add("get_diagram of three tiers, 9 nodes", host.call("get_diagram"), 750, 1700)
        ids = {one["id"] for one in drawn["nodes"]}
        need(len(ids) == 9 and all("properties" in one for one in drawn["nodes"]), drawn["nodes"][:2])
        need(all(one["source"] in ids and one["target"] in ids for one in drawn["edges"]), drawn["edges"])
        host.call("new_project", name="plain", directoryPath=folder)
        host.call("execute_batch", operations=PLAIN)
        plain = budgets.add("get_diagram of 9 nodes", host.call("get_diagram"), 600, 1700)
        need(len(plain["nodes"]) == 9, plain["nodes"])
        names = budgets.add("get_available_resource_types, names",
                            host.call("get_available_resource_types", detail="names"), 4000, 4000)
        need(len(names["types"]) == names["total"], "a page of the names")
        budgets.add("get_available_resource_types", host.call("get_available_resource_types"), 4000, 4000)
        seen, cursor = set(), {}
        for _ in range(40):
            page = budgets.add(f"get_available_resource_types, a page from {cursor.get('cursor', 0)}",
                               host.call("get_available_resource_types", detail="standard", **cursor), ANY, 12000)
            seen |= {one["typeId"] for one in page["types"]}
            if "nextCursor" not in page:
                break
            cursor = {"cursor": page["nextCursor"]}
        need(seen == {one["typeId"] for one in names["types"]}, f"{len(seen)} of {names['total']} types")


def tiers(first, group):
    """Networks with four subnets each."""
    made = []
    for i in range(first, first + 20):
        made.append(operation(f"net{i}", typeId="azurerm/networking/virtual_network", label=f"Network {i}", parentId=group))
        made += [operation(f"net{i}s{k}", typeId="azurerm/networking/subnet", label=f"Subnet {i}-{k}",
                           parentId=f"$net{i}.instanceId", properties={"address_prefixes": [f"10.{i}.{k}.0/24"]})
                 for k in range(4)]
    return made


def read(host, uri):
    host.number += 1
    host.relay.say(wire.request(host.number, "resources/read", uri=uri))
    return host.relay.answer(host.number, 60)["result"]["contents"][0]["text"]


def pages_of_text(host, what, result, budgets):
    """What a cut text goes on with, read a page at a time."""
    links = [part["uri"] for part in result["content"] if part["type"] == "resource_link"]
    for part in result["content"]:
        if part["type"] == "text" and part["text"].startswith('{"left_out":'):  # a text that is JSON stays JSON
            yield from map(measure.compact, pages_of_data(host, what, json.loads(part["text"]), budgets))
    for number in range(100):
        if not links:
            return
        page = read(host, links[0])
        budgets.rows.append((what, f"page {number + 1} of the rest of the text", ANY, budgets.counter.add(page, True)))
        links = re.findall(r"are left: they are at (tenon:text/\S+)\)$", page)
        yield page[:page.rindex("\n(")] if links else page
    need(False, "the text has no end")


def pages_of_data(host, what, data, budgets):
    """The data, and what it goes on with."""
    for number in range(100):
        yield data
        left = data.get("left_out")
        if not left:
            return
        need(left["what"] and "rest" in left, left)
        page = read(host, left["rest"])
        budgets.rows.append((what, f"page {number + 1} of the rest of the data", ANY, budgets.counter.add(page, True)))
        data = json.loads(page)
    need(False, "the data has no end")


def bounded(host, budgets, what, result, facts, by=None):
    """Both forms have room in what a host hands on, and what is behind them has all facts. `by`: how the call's own
    cursor goes on, where it has one."""
    with Step(SUITE, f"HO-003: {what}: what has no room in the answer can be read"):
        need(not result.get("isError"), f"{text_of(result)[:300]}")
        data = result["structuredContent"]
        budgets.rows.append((what, "text", ANY, budgets.counter.add(text_of(result), True)))
        budgets.rows.append((what, "data", ANY, budgets.counter.add(measure.compact(data), True)))
        text = "".join([text_of(result), *pages_of_text(host, what, result, budgets)])
        data = "".join(measure.compact(page) for page in pages_of_data(host, what, data, budgets))
        for more in by(result) if by else ():
            budgets.rows.append((what, "the next text", ANY, budgets.counter.add(text_of(more), True)))
            budgets.rows.append((what, "the next data", ANY, budgets.counter.add(measure.compact(more["structuredContent"]), True)))
            need("left_out" not in more["structuredContent"], "a page that is no page")
            text, data = text + text_of(more), data + measure.compact(more["structuredContent"])
        for form in (text, data):
            missing = [fact for fact in facts if fact not in form]
            need(not missing, f"{len(missing)} of {len(facts)}, the first: {missing[:3]}, of {form[:200]}")


def going_on(host, tool, key, cursor_of, **arguments):
    """The pages behind the first, by the tool's own cursor."""
    def go(result):
        for _ in range(100):
            cursor = cursor_of(result["structuredContent"])
            if cursor is None:
                return
            result = host.call(tool, **arguments, **{key: cursor})
            yield result
        need(False, "pages without an end")
    return go


def large(host, budgets, folder):
    """Answers of any length, whatever app: text and data are within what a host hands on, the rest is at a link."""
    host.call("new_project", name="large", directoryPath=folder)
    group = host.call("add_resource", typeId="azurerm/core/resource_group", label="Shop")["structuredContent"]["instanceId"]
    batch = [host.call("execute_batch", operations=tiers(first, group)) for first in range(0, 200, 20)]
    labels = [f"Subnet {i}-{k}" for i in range(200) for k in range(4)]
    bounded(host, budgets, "get_diagram of 1,000 nodes", host.call("get_diagram"), labels)
    for what, arguments in (("200", {"limit": 200}), ("all", {})):
        bounded(host, budgets, f"list_resources, {what}", host.call("list_resources", **arguments), labels,
                going_on(host, "list_resources", "cursor", lambda data: data.get("nextCursor"), **arguments))
    bounded(host, budgets, "execute_batch of 100", batch[0], ["$net19s3", "199"][:0])
    for tool, arguments in (("validate_diagram", {}), ("generate_hcl", {"write": False}), ("estimate_costs", {}),
                            ("get_changes", {"since": 0}), ("list_changes", {"limit": 1000}), ("get_deployment_status", {"detail": True}),
                            ("layout_diagram", {}), ("export_diagram", {"format": "markdown"}), ("export_diagram", {"format": "json"}),
                            ("export_diagram", {"format": "mermaid"}), ("find_tools", {"query": "diagram resources change", "limit": 12})):
        bounded(host, budgets, f"{tool} {arguments} of 1,000 nodes", host.call(tool, **arguments), [])
    bounded(host, budgets, "a command that prints 200,000 words",
            host.call("execute_command", command="seq 200000", max_bytes=1000000), ["\n99999\n"][:0])
    plan = plan_of(700)
    addresses = [f"aws_instance.node[{i}]" for i in range(700)]
    for limit in (200, 1000):
        parsed = host.call("terraform_parse", plan_text=plan, limit=limit)
        plan_id = re.search(r"pln_[0-9A-Za-z_-]+", text_of(parsed))
        need(plan_id, f"no plan_id in {text_of(parsed)[-300:]}")
        bounded(host, budgets, f"terraform_parse of 700 changes, limit {limit}", parsed, addresses,
                going_on(host, "terraform_parse", "offset", lambda data: data.get("page", {}).get("next_offset"),
                         plan_id=plan_id.group(), limit=limit))
    for tool, arguments in (("terraform_risk", {}), ("terraform_context", {}), ("terraform_compare", {"other_plan_text": plan_of(3)}),
                            ("terraform_explain", {"user_preference": "full_summary"}), ("terraform_show_change", {"index": 5})):
        bounded(host, budgets, f"{tool} of 700 changes", host.call(tool, plan_id=plan_id.group(), **arguments), [])
    house = house_of(400)
    rooms = [f"R{i}" for i in range(400)]
    for tool, arguments, facts in (("render_floorplan", {}, rooms), ("analyze_floorplan", {}, rooms), ("validate_floorplan", {}, []),
                                   ("open_floorplan", {}, []), ("export_floorplan", {"format": "json"}, []),
                                   ("export_floorplan", {"format": "dxf"}, []), ("export_floorplan", {"format": "svg"}, [])):
        bounded(host, budgets, f"{tool} {arguments} of 400 rooms", host.call(tool, dsl=house, **arguments), facts)


def planned(host, budgets, page, folder):
    """Plans of 700 changes: pages of them for a model, each with all that is to be said of its changes; the whole for a page."""
    host.call("new_project", name="planned", directoryPath=folder)
    host.call("add_resource", typeId="builtin/core/data", label="alpha", properties={"input": "one"})
    addresses = [f"terraform_data.alpha[{i}]" for i in range(700)]
    go = {"count": {"terraform_data.alpha": 700}}
    for what, more in (("700 changes", {}), ("700 replacements", {"replace": addresses})):
        with Step(SUITE, f"a plan of {what} is made"):
            with open(os.path.join(folder, "planned", "fake.json"), "w", encoding="utf-8") as file:
                json.dump({**go, **more}, file)
            need(host.call("run_terraform", command="init")["structuredContent"]["success"], "init")
            run = {"runId": host.call("run_terraform", command="plan")["structuredContent"]["planId"]}
        result = host.call("get_plan", **run)
        on = going_on(host, "get_plan", "offset", lambda data: data.get("page", {}).get("nextOffset"), **run)
        bounded(host, budgets, f"get_plan of {what}", result, addresses, on)
        with Step(SUITE, f"HO-003: get_plan of {what} says how much it has left out, and how to get it"):
            at = result["structuredContent"]["page"]
            need(at["total"] == 700 and at["nextOffset"] == at["returned"] == len(result["structuredContent"]["changes"]), at)
            need(f"Changes 1 to {at['returned']} of 700; get_plan with this runId and offset {at['nextOffset']}" in text_of(result),
                 text_of(result)[:300])
            need(not [part for part in result["content"] if part["type"] == "resource_link"], "the text is cut")
            two = host.call("get_plan", **run, offset=3, limit=2)["structuredContent"]
            need([one["address"] for one in two["changes"]] == addresses[3:5] and two["page"]["nextOffset"] == 5, two["page"])
            whole = page.call("get_plan", **run)["structuredContent"]
            need("page" not in whole and [one["address"] for one in whole["changes"]] == addresses, "all of it for a page")
            pages = [result["structuredContent"]] + [one["structuredContent"] for one in on(result)]
            for one in pages:
                shown = {change["address"] for change in one["changes"]}
                need(all(found["address"] in shown for found in one["risk"]["findings"]), "another page's findings")
            need(sum((one["risk"]["findings"] for one in pages), []) == whole["risk"]["findings"], "each finding once")
            need(sum((one["outputs"] for one in pages), []) == whole["outputs"], "each output once")
        with Step(SUITE, f"{what}: are done"):
            need(host.call("run_terraform", command="apply", confirmed=True)["structuredContent"]["success"], "apply")
    with Step(SUITE, "what is replaced has findings"):
        need(len(whole["risk"]["findings"]) >= 700, len(whole["risk"]["findings"]))


def house_of(rooms):
    """A row of rooms that overlap nobody, and one mistake in each tenth."""
    lines = ["floorplan", "  floor Ground {"]
    for i in range(rooms):
        lines.append(f"    room R{i} at ({i * 4},0) size (4 x {4 + i % 3}) "
                     "walls [top: solid, right: solid, bottom: window, left: solid]")
    return "\n".join(lines + ["  }"]) + "\n"


def floorplans(host, budgets):
    with Step(SUITE, "render_floorplan answers"):
        brief = budgets.add("render_floorplan, brief",
                            host.call("render_floorplan", dsl=scripts.read(scripts.HOUSE), detail="brief"), 400, 400)
        need(brief["contents"]["rooms"] == 5 and brief["floorCount"] == 2 and brief["grossArea"] == 89.04, brief)
        many = host.call("render_floorplan", dsl=house_of(400), detail="brief")
        budgets.add("render_floorplan of 400 rooms, brief", many, 400, 400)
        need(many["structuredContent"]["contents"]["rooms"] == 400, many["structuredContent"])
        need(len(text_of(many).encode()) <= 1024 and json.loads(text_of(many)) == many["structuredContent"],
             f"F11-170: {len(text_of(many).encode())} bytes")
        need(any(part["type"] == "image" for part in many["content"]), "no picture")
        whole = host.call("render_floorplan", dsl=scripts.read(scripts.HOUSE))["structuredContent"]
        need(len(whole["rooms"]) == 5, "the default is full")
        alone = host.call("render_floorplan", dsl=scripts.read(scripts.HOUSE), detail="none")
        need(alone["structuredContent"] == {"success": True} and alone["content"][0]["type"] == "image", "none")
        bad = host.call("render_floorplan", dsl="floorplan\n  floor A {\n    room B at (0,0)\n  }\n", detail="brief")
        need(bad["isError"] and re.match(r"FP\d{4} 3 ", bad["structuredContent"]["diagnostics"][0]), bad)


def workbench(home, host, budgets, folder):
    """A front end of 1,500 components and 300 broken files: each answer is a part, says so, and leads to the rest."""
    shop = os.path.join(folder, "front-end")
    for number in range(150):
        os.makedirs(os.path.join(shop, f"src/part-{number}"))
        with open(os.path.join(shop, f"src/part-{number}/pieces.tsx"), "w", encoding="utf-8") as file:
            file.write("".join(f"export function Piece{n}({{ label }}: {{ label: string }}) {{ return <Piece{n + 1} label={{label}} />; }}\n"
                               for n in range(10)))
        for broken in ("a", "b"):
            with open(os.path.join(shop, f"src/part-{number}/{broken}.tsx"), "w", encoding="utf-8") as file:
                file.write("export function ( {\n")
    done = person.do("run", words=[daemon.TENON, "workbench", "open", shop, "--read"], env=home.env, text=None, timeout=120)
    need(done["code"] == 0 and "more are left out" in done["out"], done["out"][-300:])
    with Step(SUITE, "HO-003: a large front end is answered in parts"):
        rows, cursor, pages = [], None, 0
        while pages == 0 or cursor and pages < 50:
            result = host.call("workbench_list_components", **({"cursor": cursor} if cursor else {}))
            whole_page = budgets.add(f"workbench_list_components, page {pages}", result, ANY, ANY)
            need("left_out" not in whole_page, "the core had to cut a page")
            data = whole_page["data"]
            rows, cursor, pages = rows + [row["typeId"] for row in data["components"]], data.get("nextCursor"), pages + 1
        need(pages > 2 and len(set(rows)) == len(rows) == 1500, f"{pages} pages, {len(rows)} rows")
        for uri in ("graph", "registry", "config", "graph/patches?since=0", "overrides", "registry/index"):
            result = host.call("workbench_read_state", uri=f"skaffa://workspace/{uri}")
            data = budgets.add(f"workbench_read_state {uri}", result, ANY, ANY)["data"]
            need(uri in ("config", "overrides", "registry/index") or data["truncated"] is True and data["template"], f"{uri}: {str(data)[:300]}")
        graph = host.call("workbench_read_state", uri="skaffa://workspace/graph")["structuredContent"]["data"]
        need(graph["leftOut"] + len(graph["index"]) == 1500 and graph["diagnostics"][-1]["code"] == "left_out", str(graph)[-300:])


def whole(home, page):
    """Scripts and what shows pages get every member."""
    with Step(SUITE, "HO-003: tenon call and a host that shows pages get everything"):
        call = json.loads(home.tenon("call", "terminal.execute_command", "command=echo hi", "--json").stdout)
        for result in (call["structuredContent"], page.call("execute_command", command="echo hi")["structuredContent"]):
            need({"session_id", "truncated", "stderr", "waiting", "warnings", "next_cursor"} <= set(result), result)
        parsed = page.call("terraform_parse", plan_text=scripts.read(scripts.PLAN))["structuredContent"]
        need(parsed["resource_changes"][0]["module"] is None and parsed["drift"] == [], "nulls and empty lists")
        nodes = page.call("get_diagram")["structuredContent"]["nodes"]
        need(all("position" in one and "id" in one for one in nodes), nodes[:1])


def listed(host, budgets):
    """What every conversation begins with, as an unknown host is sent it; what a host hands on of a tool is told here."""
    host.relay.say(wire.request(0, "tools/list"))
    tools = host.relay.answer(0)["result"]["tools"]
    need(0 < len(tools) <= 24, [tool["name"] for tool in tools])
    handed = [{key: tool[key] for key in tool if key in ("name", "description", "inputSchema", "outputSchema")} for tool in tools]
    budgets.rows.append(("the default tools (HO-010)", "names, descriptions and schemas", 6500,
                         budgets.counter.add(measure.compact(handed))))


def main():
    budgets = Budgets()
    if not os.path.isdir(os.path.join(HERE, "..", "clients", "node_modules", "gpt-tokenizer")):
        check.skipped(SUITE, "budgets of answers", "tests/clients/install.sh has not fetched gpt-tokenizer")
        return 0
    with daemon.Home(TENON_TERRAFORM=FAKE, TENON_CONSENT="allow") as home, tempfile.TemporaryDirectory() as folder:
        host = Host(home.env)
        page = Host(home.env, extensions={"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}})
        with host.relay, page.relay:
            with Step(SUITE, "HO-010: the default list of tools"):
                listed(host, budgets)
            terminal(host, budgets)
            plans(host, budgets)
            diagrams(host, budgets, folder)
            floorplans(host, budgets)
            large(host, budgets, folder)
            planned(host, budgets, page, folder)
            with Step(SUITE, "the workbench"):
                workbench(home, host, budgets, folder)
            whole(home, page)
            terminal_says(host)
    with Step(SUITE, "the answers can be counted"):
        budgets.check()
    return 1 if check.failures else 0


if __name__ == "__main__":
    sys.exit(main())
