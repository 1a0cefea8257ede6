#!/usr/bin/env python3
"""line_06_headers.py - headers that say something else than the body (MCP-113 to MCP-122, MCP-127).

A proxy decides by the headers, the server by the body: one that lets them differ lets a forbidden
call pass as an allowed one.
"""
import base64
import json

import line
from attack import MODERN, Attack, Server, modern_message, status_is
import check

SUITE = line.SUITE
TOOL = "test_header_param"
MISMATCH = -32020


def sentinel(data):
    data = data.encode() if isinstance(data, str) else data
    return "=?base64?" + base64.b64encode(data).decode() + "?="


def post(server, more=(), arguments=None, method="tools/call", **extra):
    """A correct call of TOOL but for `extra` headers (None: left out) and lines `more`."""
    params = {"name": TOOL, "arguments": arguments or {}} if method == "tools/call" else {}
    if method == "resources/read":
        params = {"uri": "test://static-text"}
    body = json.dumps(modern_message(method, params, 77)).encode()
    headers = {"MCP_Protocol_Version": MODERN, "Mcp_Method": method}
    if method == "tools/call":
        headers["Mcp_Name"] = TOOL
    elif method == "resources/read":
        headers["Mcp_Name"] = "test://static-text"
    headers.update(extra)
    return server.once(server.head(body, more=more, **headers) + body)


def refused(server, name, **options):
    with Attack(server, SUITE, name):
        answer = post(server, **options)
        status_is(answer, 400)
        check.need(answer.code() == MISMATCH, answer.body[:300])
        check.need(answer.json().get("id") == 77, "not with the request's id")


def served(server, name, **options):
    with Attack(server, SUITE, name):
        answer = post(server, **options)
        status_is(answer, 200)
        check.need("result" in answer.json(), answer.body[:300])


def standard(server):
    values = {"Mcp_Method": ("tools/call", "tools/list"), "Mcp_Name": (TOOL, "test_simple_text"),
              "MCP_Protocol_Version": (MODERN, "2025-11-25")}
    for header, (right, other) in values.items():
        plain = header.replace("_", "-")
        refused(server, f"{plain} missing", **{header: None})
        refused(server, f"{plain} empty", **{header: ""})
        refused(server, f"{plain} of something else", **{header: other})
        if header != "MCP_Protocol_Version":
            refused(server, f"{plain} in other letters", **{header: right.upper()})
        refused(server, f"{plain} with something behind", **{header: right + "x"})
        refused(server, f"{plain} with a word before", **{header: "x " + right})
        refused(server, f"{plain} as a list", **{header: f"{right}, {right}"})
        refused(server, f"{plain} twice, the first wrong", **{header: other}, more=[f"{plain}: {right}"])
        refused(server, f"{plain} twice, the second wrong", more=[f"{plain}: {other}"])
        refused(server, f"{plain} with a byte above 7E", **{header: right + "\xe9"})
        refused(server, f"{plain} quoted", **{header: f'"{right}"'})
        served(server, f"{plain} with blanks and a tab around", **{header: f" \t{right}\t "})
        served(server, f"{plain} named in other letters", **{header: None},
               more=[f"{plain.upper()}: {right}"])
        for data in (right.encode() + b"\x00", right.encode() + b"\x0b"):
            with Attack(server, SUITE, f"{plain} with a control byte {data[-1]:#x}"):
                status_is(post(server, **{header: data.decode("latin-1")}), 400)
    refused(server, "Mcp-Name of another resource", method="resources/read", Mcp_Name="test://other")
    refused(server, "Mcp-Name missing on resources/read", method="resources/read", Mcp_Name=None)
    with Attack(server, SUITE, "a notification named as another"):
        body = json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {
            "requestId": 1, "_meta": {"io.modelcontextprotocol/protocolVersion": MODERN}}}).encode()
        status_is(server.once(server.head(body, MCP_Protocol_Version=MODERN,
                                          Mcp_Method="notifications/other") + body), 400)


def as_tool(server, body, Mcp_Method="tools/call"):
    return server.once(server.head(body, MCP_Protocol_Version=MODERN, Mcp_Method=Mcp_Method,
                                   Mcp_Name=TOOL) + body)


def hidden_names(server):
    """What JSON can write in two ways must be compared as what it means."""
    for name, text in (("an escaped method", b'"tools\\u002fcall"'), ("an escaped slash", b'"tools\\/call"')):
        with Attack(server, SUITE, f"{name} is the same method"):
            body = json.dumps(modern_message("tools/call", {"name": TOOL, "arguments": {}}, 77)).encode()
            body = body.replace(b'"tools/call"', text)
            status_is(as_tool(server, body, Mcp_Method="tools/list"), 400)
            status_is(as_tool(server, body), 200)
    # MCP-014: the last one counts, for the comparison and for the call alike.
    other = {"method": '"tools/list"', "name": '"test_trigger_tool_change"',
             "params": '{"name":"test_trigger_tool_change"}'}
    for key, value in other.items():
        body = json.dumps(modern_message("tools/call", {"name": TOOL, "arguments": {}}, 77))
        at = body.index(f'"{key}"')
        end = at + len(f'"{key}": ') + len(json.dumps(json.loads(body).get(
            key, json.loads(body)["params"].get(key))))
        first = body[:at] + f'"{key}": {value}, ' + body[at:]
        last = body[:end] + f', "{key}": {value}' + body[end:]
        with Attack(server, SUITE, f"the member {key} twice: headers as the first"):
            status_is(as_tool(server, last.encode()), 400)
        with Attack(server, SUITE, f"the member {key} twice: headers as the last"):
            answer = as_tool(server, first.encode())
            status_is(answer, 200)
            check.need(b"No region." in answer.body, answer.body[:200])


def sentinels(server):
    region = {"region": "us-west1"}
    good = {"arguments": region, "Mcp_Param_Region": "us-west1"}
    served(server, "Mcp-Param as it is", **good)
    served(server, "Mcp-Param in a sentinel", arguments=region, Mcp_Param_Region=sentinel("us-west1"))
    served(server, "Mcp-Param of other letters of the world", arguments={"region": "Hello, 世界"},
           Mcp_Param_Region=sentinel("Hello, 世界"))
    literal = "=?base64?literal?="
    served(server, "a value that looks like a sentinel, in a sentinel", arguments={"region": literal},
           Mcp_Param_Region=sentinel(literal))
    nested = sentinel("us-west1")
    served(server, "a sentinel in a sentinel is decoded once", arguments={"region": nested},
           Mcp_Param_Region=sentinel(nested))
    refused(server, "a sentinel in a sentinel is not decoded twice", arguments=region,
            Mcp_Param_Region=sentinel(nested))
    refused(server, "Mcp-Param missing", arguments=region)
    refused(server, "Mcp-Param of no argument", Mcp_Param_Region="us-west1")
    refused(server, "Mcp-Param that differs", arguments=region, Mcp_Param_Region="eu-west1")
    refused(server, "Mcp-Param in other letters", arguments=region, Mcp_Param_Region="US-WEST1")
    refused(server, "Mcp-Param twice", more=["Mcp-Param-Region: eu-west1"], **good)
    refused(server, "Mcp-Param twice in other letters", more=["mcp-param-REGION: eu-west1"], **good)
    for name, value in (("no base64", "=?base64?!!!!?="), ("no padding", "=?base64?dXM?="),
                        ("padding too long", "=?base64?dXM==?="), ("padding inside", "=?base64?dX=M?="),
                        ("a blank inside", "=?base64?dXMt d2VzdDE=?="), ("stray bits", "=?base64?dXN=?="),
                        ("URL-safe letters", "=?base64?_-__?="), ("one letter", "=?base64?d?="),
                        ("no UTF-8", sentinel(b"\xff\xfe")), ("overlong UTF-8", sentinel(b"\xc0\xaf")),
                        ("a surrogate", sentinel(b"\xed\xa0\x80")), ("half a character", sentinel(b"\xe4\xb8")),
                        ("markers in capitals", "=?BASE64?dXMtd2VzdDE=?="),
                        ("no end", "=?base64?dXMtd2VzdDE="), ("no beginning", "dXMtd2VzdDE=?="),
                        ("two of them", sentinel("us-") + sentinel("west1")),
                        ("something before", "x" + sentinel("us-west1")),
                        ("something behind", sentinel("us-west1") + "x"),
                        ("another charset", "=?utf-8?B?dXMtd2VzdDE=?="), ("empty", "=?base64??="),
                        ("too short for both markers", "=?base64?="),
                        ("NUL inside", sentinel(b"us-west1\x00"))):
        refused(server, f"sentinel: {name}", arguments=region, Mcp_Param_Region=value)
        if name != "NUL inside":
            refused(server, f"sentinel in Mcp-Name: {name}", Mcp_Name=value.replace("us-west1", TOOL))
    served(server, "a sentinel in Mcp-Name", Mcp_Name=sentinel(TOOL))
    refused(server, "a sentinel in Mcp-Name of another tool", Mcp_Name=sentinel("test_simple_text"))
    served(server, "an unknown Mcp-Param is nobody's", Mcp_Param_Colour="red")
    with Attack(server, SUITE, "a line break in a sentinel stays a value"):
        value = "us-west1\r\nMcp-Name: x"
        answer = post(server, arguments={"region": value}, Mcp_Param_Region=sentinel(value))
        status_is(answer, 200)
        check.need("mcp-name" not in answer.headers, "a header of the attacker's")


def main():
    with line.conformance() as words:
        server = Server(words)
        standard(server)
        hidden_names(server)
        sentinels(server)
    line.end()


main()
