"""hostile.py - bytes that a server must answer clearly and survive, for stdio and HTTP alike.

Each case: name, the message as bytes, the accepted JSON-RPC error codes. MCP-011 to MCP-016, MCP-291.
"""
import json

PARSE = (-32700,)
REQUEST = (-32600,)
EITHER = (-32700, -32600)
PARAMS = (-32602,)
METHOD = (-32601,)


def call(arguments, number=7, name="terraform_parse"):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call",
                       "params": {"name": name, "arguments": arguments}}).encode()


def request(**members):
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


def cases():
    many = 10_000
    return [
        ("not JSON", b"hello", PARSE),
        ("cut off", b'{"jsonrpc":"2.0","id":1,"method":"ping"', PARSE),
        ("a comma too many", b'{"jsonrpc":"2.0","id":1,"method":"ping",}', PARSE),
        ("two values", b'{"jsonrpc":"2.0","id":1,"method":"ping"} {}', PARSE),
        ("a comment", b'{"jsonrpc":"2.0","id":1,/* x */"method":"ping"}', PARSE),
        ("single quotes", b"{'jsonrpc':'2.0','id':1,'method':'ping'}", PARSE),
        ("NaN", b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":NaN}}', PARSE),
        ("leading zero", b'{"jsonrpc":"2.0","id":01,"method":"ping"}', PARSE),
        ("a control character in a string", b'{"jsonrpc":"2.0","id":1,"method":"pi\x01ng"}', PARSE),
        ("NUL between members", b'{"jsonrpc":"2.0",\x00"id":1,"method":"ping"}', PARSE),
        ("invalid UTF-8", b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\xff"}}', PARSE),
        ("overlong UTF-8", b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\xc0\xaf"}}',
         PARSE),
        ("UTF-8 surrogate", b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\xed\xa0\x80"}}',
         PARSE),
        ("ten thousand arrays", b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":'
         + b"[" * many + b"]" * many + b"}}", EITHER),
        ("ten thousand objects", b'{"jsonrpc":"2.0","id":1,"method":"ping","params":'
         + b'{"a":' * many + b"1" + b"}" * many + b"}", EITHER),
        ("open arrays only", b"[" * 1_000_000, EITHER),
        ("open objects only", b'{"a":' * 500_000, EITHER),
        ("a number", b"42", REQUEST),
        ("a string", b'"ping"', REQUEST),
        ("null", b"null", REQUEST),
        ("an empty array", b"[]", REQUEST),
        ("an empty object", b"{}", REQUEST),
        ("another jsonrpc", b'{"jsonrpc":"1.0","id":1,"method":"ping"}', REQUEST),
        ("no jsonrpc", b'{"id":1,"method":"ping"}', REQUEST),
        ("id null", request(id=None, method="ping"), REQUEST),
        ("id true", request(id=True, method="ping"), REQUEST),
        ("id 1.5", request(id=1.5, method="ping"), REQUEST),
        ("id an object", request(id={}, method="ping"), REQUEST),
        ("method a number", request(id=1, method=5), REQUEST),
        ("params an array", request(id=1, method="tools/list", params=[]), (-32600, -32602)),
        ("params a string", request(id=1, method="tools/list", params="x"), (-32600, -32602)),
        ("unknown method", request(id=1, method="tools/destroy"), METHOD),
        ("unknown tool", call({}, name="terraform_apply"), PARAMS),
        ("missing argument", call({}), PARAMS),
        ("wrong type", call({"plan_text": 5}), PARAMS),
        ("wrong type inside", call({"plan_text": "x", "limit": "many"}), PARAMS),
        ("out of range", call({"plan_text": "x", "limit": 1_000_000}), PARAMS),
        ("not in the list of words", call({"plan_text": "x", "detail": "everything"}), PARAMS),
        ("unknown argument", call({"plan_text": "x", "colour": "red"}), PARAMS),
        ("arguments an array", request(id=1, method="tools/call",
                                       params={"name": "terraform_parse", "arguments": []}), PARAMS),
        ("name missing", request(id=1, method="tools/call", params={}), PARAMS),
        ("bad cursor", request(id=1, method="tools/list", params={"cursor": "!!!"}), PARAMS),
    ]


def plan_of(size):
    """A valid plan of about `size` bytes, and the number of its changes."""
    parts = ["Terraform will perform the following actions:\n"]
    total = len(parts[0])
    count = 0
    while total < size:
        text = (f"\n  # aws_s3_bucket.b{count} will be created\n"
                f'  + resource "aws_s3_bucket" "b{count}" {{\n      + bucket = "bucket-{count}"\n'
                f'      + note   = "{"x" * 400}"\n    }}\n')
        parts.append(text)
        total += len(text)
        count += 1
    parts.append(f"\nPlan: {count} to add, 0 to change, 0 to destroy.\n")
    return "".join(parts), count
