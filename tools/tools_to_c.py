#!/usr/bin/env python3
"""tools_to_c.py - the tools of our apps: each is described in a tool_NAME.json beside its tool_NAME.c.

    tools_to_c.py make PREFIX OUT.c OUT.h [--action STRUCT CALL] FILE.json...   for the build
    tools_to_c.py check [--write]                            for lint; --write: lays the files out

`make` writes struct tenon_tool PREFIX_tool_NAME for each file, and PREFIX_tools[], which has them in the
given order and ends with NULL. A tool's handler is PREFIX_call_NAME. Where its JSON says "action", it is
CALL for all of these, and its data is the STRUCT PREFIX_action_NAME. Where one says "openWorldToo", there are
also PREFIX_open_world_tools[], in which such tools say that they reach beyond this program.

"limits" names the constants of limits.h that numbers of the schemas must be: {"inputSchema.properties.text.maxLength":
"TN_X_MAX"}. C that says another does not compile.

"keywords" are words by which somebody may look for a tool who does not know ours; those of shared.json count for all tools
of its folder. Only find_tools sees them.

{"$ref": "shared.json#/NAME"} is replaced by that member of the shared.json in the same folder: what several
tools of an app have in common is described once. Clients never see the reference. Everything else reaches
them as it stands here, without the white space.
"""
import json
import os
import re
import subprocess
import sys

WIDTH = 100
FIRST_SENTENCE = 80  # characters of a description that say what the tool does (hosts.md HO-011)
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Wrong(Exception):
    """What is wrong with a file, as a sentence."""


# ---- JSON, with numbers and texts as they were written ----

class Number(str):
    pass


def only_once(pairs):
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise Wrong("\"%s\" stands twice in one object" % name)
    return dict(pairs)


def read(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    try:
        return text, json.loads(text, parse_int=Number, parse_float=Number, object_pairs_hook=only_once)
    except ValueError as why:
        raise Wrong(str(why)) from why


def atom(value):
    return value if isinstance(value, Number) else json.dumps(value, ensure_ascii=False)


def write(value, comma=",", colon=":"):
    """On one line."""
    if isinstance(value, dict):
        return "{" + comma.join(atom(k) + colon + write(v, comma, colon) for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + comma.join(write(v, comma, colon) for v in value) + "]"
    return atom(value)


def lay_out(value, indent=0, used=0):
    """For people: on one line where that fits, otherwise one line for each member."""
    line = write(value, ", ", ": ")
    if not value or not isinstance(value, (dict, list)) or (indent and indent + used + len(line) < WIDTH):
        return line
    space = " " * (indent + 2)
    if isinstance(value, dict):
        parts = [atom(k) + ": " + lay_out(v, indent + 2, len(atom(k)) + 2) for k, v in value.items()]
        return "{\n" + ",\n".join(space + part for part in parts) + "\n" + " " * indent + "}"
    if not any(isinstance(v, (dict, list)) for v in value):
        return "[" + fill([atom(v) for v in value], indent) + "]"
    return "[\n" + ",\n".join(space + lay_out(v, indent + 2) for v in value) + "\n" + " " * indent + "]"


def fill(words, indent):
    """A list of plain values, as many on a line as fit."""
    space = " " * (indent + 2)
    lines = [space]
    for word in words:
        if len(lines[-1]) + len(word) + 2 > WIDTH:
            lines.append(space)
        lines[-1] += word + ", "
    return "\n" + "\n".join(line.rstrip() for line in lines)[:-1] + "\n" + " " * indent


# ---- what a schema may say: JSON Schema 2020-12, the words that we use ----

TYPES = ("object", "array", "string", "number", "integer", "boolean", "null")


def is_count(value):
    return isinstance(value, Number) and value.isdigit()


def is_number(value):
    return isinstance(value, Number)


def is_text(value):
    return isinstance(value, str) and not isinstance(value, Number)


def is_texts(value):
    return isinstance(value, list) and all(is_text(v) for v in value) and len(set(value)) == len(value)


def is_type(value):
    names = value if isinstance(value, list) else [value]
    return is_texts(names) and bool(names) and all(name in TYPES for name in names)


def is_pattern(value):
    try:
        return is_text(value) and bool(re.compile(value))
    except re.error:
        return False


PLAIN = {
    "type": (is_type, "one of %s, or a list of them" % ", ".join(TYPES)),
    "description": (is_text, "a text"),
    "enum": (lambda v: isinstance(v, list) and v != [], "a list of values"),
    "const": (lambda v: True, "a value"),
    "default": (lambda v: True, "a value"),
    "required": (is_texts, "a list of different names"),
    "pattern": (is_pattern, "a regular expression"),
    "x-mcp-header": (is_text, "a text"),
}
PLAIN.update({name: (is_count, "a whole number from 0") for name in (
    "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")})
PLAIN.update({name: (is_number, "a number") for name in ("minimum", "maximum")})
SCHEMAS = ("items", "additionalProperties", "if", "then", "else")
LISTS = ("anyOf", "oneOf", "allOf")


def check_schema(schema, where):
    if isinstance(schema, bool):
        return
    if not isinstance(schema, dict):
        raise Wrong("%s is no schema; write an object" % where)
    for word, value in schema.items():
        at = "%s.%s" % (where, word)
        if word in PLAIN:
            if not PLAIN[word][0](value):
                raise Wrong("%s is %s; write %s" % (at, write(value), PLAIN[word][1]))
        elif word in SCHEMAS:
            check_schema(value, at)
        elif word in LISTS and isinstance(value, list) and value:
            for i, part in enumerate(value):
                check_schema(part, "%s[%d]" % (at, i))
        elif word == "properties" and isinstance(value, dict):
            for name, part in value.items():
                check_schema(part, "%s.%s" % (at, name))
        else:
            raise Wrong("%s: a word that no schema of ours has; tools/tools_to_c.py knows them" % at)
    check_required(schema, where)


def check_required(schema, where):
    """A closed object cannot need what it does not have; with defaults, their type is right."""
    for name in schema.get("required", []):
        if schema.get("additionalProperties") is False and name not in schema.get("properties", {}):
            raise Wrong("%s.required names \"%s\", which is none of its properties" % (where, name))
    if "enum" in schema and "default" in schema and schema["default"] not in schema["enum"]:
        raise Wrong("%s.default is none of its enum" % where)


# ---- the description of a tool ----

HINTS = {"readOnlyHint": ("TENON_READ_ONLY", True), "destructiveHint": ("TENON_NOT_DESTRUCTIVE", False),
         "idempotentHint": ("TENON_IDEMPOTENT", True), "openWorldHint": ("TENON_CLOSED_WORLD", False)}
SUPPORT = {"optional": "TENON_TASK_OPTIONAL", "required": "TENON_TASK_REQUIRED"}
# What clients do not see: members of struct tenon_tool (include/tenon/tool.h), and what is said above.
OWN = {"action": (True, None), "openWorldToo": (True, None), "asksConsent": (True, None), "givesPictures": (True, None),
       "personOnly": (True, "person_only"),
       "beyondCore": (True, "beyond_core"), "everyday": (True, "everyday"), "textMaxBytes": (Number, "text_max_bytes"), "limits": (dict, None),
       "keywords": (str, "keywords"), "writesWith": (str, "writes_with")}
NEEDED = ("name", "title", "description", "annotations")
MEMBERS = NEEDED + ("execution", "tenon", "inputSchema", "outputSchema")


def resolve(value, shared, used):
    """The value with what it refers to in shared.json."""
    if isinstance(value, list):
        return [resolve(v, shared, used) for v in value]
    if not isinstance(value, dict):
        return value
    if "$ref" not in value:
        return {k: resolve(v, shared, used) for k, v in value.items()}
    place, _, name = str(value["$ref"]).partition("#/")
    if len(value) > 1 or place != "shared.json" or name not in shared:
        raise Wrong("%s: write {\"$ref\": \"shared.json#/NAME\"} alone, with a NAME of shared.json" % write(value))
    used.add(name)
    return resolve(shared[name], {k: v for k, v in shared.items() if k != name}, used)


def check_shape(tool):
    """What stands where; what it says is looked at afterwards."""
    for name in ("name", "title", "description"):
        if not is_text(tool[name]) or not tool[name] or "\0" in tool[name]:
            raise Wrong("\"%s\": write a text" % name)
    first = re.match(r".*?[.?!](?=\s|$)", tool["description"], re.S)
    if not first or len(first.group()) > FIRST_SENTENCE:
        raise Wrong("\"description\": its first sentence says in %d characters what the tool does, and ends with a dot" %
                    FIRST_SENTENCE)
    for name in ("annotations", "execution", "tenon", "inputSchema", "outputSchema"):
        if not isinstance(tool.get(name, {}), dict):
            raise Wrong("\"%s\": write an object" % name)
    if not isinstance(tool.get("tenon", {}).get("limits", {}), dict):
        raise Wrong("tenon.limits: write an object")


def check_hints(hints):
    names = list(HINTS) if hints.get("readOnlyHint") is False else [n for n in HINTS if n != "destructiveHint"]
    if sorted(hints) != sorted(names) or not all(isinstance(v, bool) for v in hints.values()):
        raise Wrong("annotations: write %s, each true or false (destructiveHint only for what is not read only)" %
                    ", ".join(names))


def check_own(tool):
    for name, value in tool.get("tenon", {}).items():
        kind = OWN.get(name, (None,))[0]
        if not (value is True if kind is True else is_count(value) if kind is Number else isinstance(value, kind or ())):
            raise Wrong("tenon.%s: write some of %s; a switch is true or left out" % (name, ", ".join(OWN)))
    for path, limit in tool.get("tenon", {}).get("limits", {}).items():
        if not (is_text(limit) and re.fullmatch("TN_[A-Z0-9_]+", limit) and is_number(member_at(tool, path))):
            raise Wrong("tenon.limits: \"%s\" is no number of a schema, or %s no constant" % (path, write(limit)))


def member_at(tool, path):
    """The member at "inputSchema.properties.x"; None: there is none."""
    at = tool
    for name in path.split("."):
        at = at.get(name) if isinstance(at, dict) else None
    return at


def check_tool(tool):
    if not isinstance(tool, dict):
        raise Wrong("write an object: a tool")
    for name in tool:
        if name not in MEMBERS:
            raise Wrong("\"%s\": a tool has no such member; it has %s" % (name, ", ".join(MEMBERS)))
    for name in NEEDED:
        if name not in tool:
            raise Wrong("\"%s\" is missing" % name)
    check_shape(tool)
    check_hints(tool["annotations"])
    if "execution" in tool and (list(tool["execution"]) != ["taskSupport"] or
                                tool["execution"]["taskSupport"] not in list(SUPPORT)):
        raise Wrong("execution: write {\"taskSupport\": \"optional\"} or \"required\"")
    check_own(tool)
    own = tool.get("tenon", {})
    if "writesWith" in own and (tool["annotations"]["readOnlyHint"] or
                                member_at(tool, "inputSchema.properties." + own["writesWith"]) is None):
        raise Wrong("tenon.writesWith: an argument without which a tool with readOnlyHint false changes nothing")
    if "openWorldToo" in tool.get("tenon", {}) and tool["annotations"]["openWorldHint"]:
        raise Wrong("tenon.openWorldToo: only with openWorldHint false, which is what it changes")
    for name in ("inputSchema", "outputSchema"):
        if name in tool:
            check_schema(tool[name], name)
            if tool[name].get("type") != "object":
                raise Wrong("%s needs \"type\": \"object\"" % name)


def describe(path, used=None):
    """The checked description with everything that it refers to."""
    shared = os.path.join(os.path.dirname(path), "shared.json")
    common = read(shared)[1] if os.path.exists(shared) else {}
    tool = resolve(read(path)[1], common, set() if used is None else used)
    check_tool(tool)
    words = [own["keywords"] for own in (tool.get("tenon", {}), common) if "keywords" in own]
    if words:
        tool.setdefault("tenon", {})["keywords"] = " ".join(words)
    return tool


# ---- C ----

NAMED = {c: chr(c) if chr(c) not in '"\\?' else "\\" + chr(c) for c in range(32, 127)}


def literal(text):
    lines, line = [], ""
    for byte in text.encode():
        line += NAMED.get(byte, "\\%03o" % byte)
        if len(line) > 88:
            lines.append(line)
            line = ""
    return "\n".join('\t\t"%s"' % part for part in lines + [line] if part)


def flags_of(tool):
    hints = [name for hint, (name, value) in HINTS.items() if tool["annotations"].get(hint) == value]
    if tool.get("tenon", {}).get("asksConsent"):
        hints.append("TENON_ASKS_CONSENT")
    if tool.get("tenon", {}).get("givesPictures"):
        hints.append("TENON_GIVES_PICTURES")
    return " | ".join(hints) or "0"


def members(tool, name, prefix, action):
    own = tool.get("tenon", {})
    for key in ("name", "title", "description"):
        yield "%s =\n%s" % (key, literal(tool[key]))
    for key, member in (("inputSchema", "input_schema"), ("outputSchema", "output_schema")):
        if key in tool:
            yield "%s =\n%s" % (member, literal(write(tool[key])))
    yield "flags = %s" % flags_of(tool)
    if "execution" in tool:
        yield "task_support = %s" % SUPPORT[tool["execution"]["taskSupport"]]
    for key, (_, member) in OWN.items():
        if member and key in own:
            yield "%s = %s" % (member, "true" if own[key] is True else atom(own[key]))
    if "action" in own:
        yield "call = %s" % action[1]
        yield "data = (void *)(uintptr_t)&%s_action_%s" % (prefix, name)
    else:
        yield "call = %s_call_%s" % (prefix, name)


def name_of(path):
    found = re.search(r"tool_([a-z0-9_]+)\.json$", path)
    if not found:
        raise Wrong("a tool's file is called tool_NAME.json, with small letters, digits and _")
    return found.group(1)


def struct_of(tool, name, prefix, action, suffix=""):
    body = "".join("\t.%s,\n" % member for member in members(tool, name, prefix, action))
    return "const struct tenon_tool %s_tool_%s%s = {\n%s};\n" % (prefix, name, suffix, body)


def table_of(table, names, prefix):
    rows = "".join("\t&%s_tool_%s,\n" % (prefix, name) for name in names)
    return "const struct tenon_tool *const %s_%s[%d] = {\n%s\tNULL,\n};\n" % (prefix, table, len(names) + 1, rows)


def open_world(tools):
    """Names of the tools that there are twice, with the descriptions of the second."""
    return {name: {**tool, "annotations": {**tool["annotations"], "openWorldHint": True}}
            for name, tool in tools.items() if tool.get("tenon", {}).get("openWorldToo")}


def limits_of(tools):
    """Lines that fail to compile where a schema says another number than limits.h."""
    return ["_Static_assert(%s == %s, \"tool_%s.json: %s\");" % (limit, member_at(tool, path), name, path)
            for name, tool in tools.items() for path, limit in tool.get("tenon", {}).get("limits", {}).items()]


def make_c(tools, prefix, action):
    twice = open_world(tools)
    limits = limits_of(tools)
    parts = ["\n".join(limits) + "\n"] if limits else []
    parts += [struct_of(tool, name, prefix, action) for name, tool in tools.items()]
    parts += [struct_of(tool, name, prefix, action, "_open_world") for name, tool in twice.items()]
    parts.append(table_of("tools", tools, prefix))
    if twice:
        parts.append(table_of("open_world_tools", [n + "_open_world" * (n in twice) for n in tools], prefix))
    return "\n".join(parts)


def make_h(tools, prefix, action):
    calls = [name for name, tool in tools.items() if "action" not in tool.get("tenon", {})]
    twice = open_world(tools)
    names = list(tools) + [name + "_open_world" for name in twice]
    lines = ["extern const struct tenon_tool %s_tool_%s;" % (prefix, name) for name in names]
    lines += ["extern const struct tenon_tool *const %s_%s[%d]; /* ends with NULL */" % (prefix, table, len(tools) + 1)
              for table in ["tools"] + ["open_world_tools"] * bool(twice)]
    lines += ["tenon_call_fn %s_call_%s;" % (prefix, name) for name in calls]
    if action:
        lines += ["struct %s;" % action[0], "tenon_call_fn %s;" % action[1]]
        lines += ["extern const struct %s %s_action_%s;" % (action[0], prefix, name)
                  for name in tools if name not in calls]
    return "\n".join(lines) + "\n"


def limits_header(tools, path):
    """limits.h of the house: one folder above that of its tools."""
    house = os.path.relpath(os.path.dirname(os.path.dirname(os.path.abspath(path))), os.path.join(ROOT, "src"))
    return "#include \"%s/limits.h\"\n" % house if limits_of(tools) else ""


def make(prefix, out_c, out_h, arguments):
    action = arguments[1:3] if arguments[0] == "--action" else None
    paths = arguments[3:] if action else arguments
    tools = {}
    for path in paths:
        try:
            tools[name_of(path)] = describe(path)
        except Wrong as why:
            sys.exit("%s: %s" % (path, why))
    made = "/* Made by tools/tools_to_c.py of tool_*.json; do not edit. */\n"
    guard = "%s_TOOLS_H" % prefix.upper()
    with open(out_h, "w", encoding="utf-8") as file:
        file.write("%s#ifndef %s\n#define %s\n\n#include \"tenon/tool.h\"\n\n%s\n#endif\n" %
                   (made, guard, guard, make_h(tools, prefix, action)))
    with open(out_c, "w", encoding="utf-8") as file:
        file.write("%s#include \"%s\"\n%s\n%s" % (made, os.path.basename(out_h), limits_header(tools, paths[0]),
                                                 make_c(tools, prefix, action)))


# ---- lint ----

def check_layout(path, rewrite):
    text, value = read(path)
    good = lay_out(value) + "\n"
    if text == good:
        return
    if not rewrite:
        raise Wrong("not laid out as it should be; run tools/tools_to_c.py check --write")
    with open(path, "w", encoding="utf-8") as file:
        file.write(good)


def is_listed(path):
    """Its name stands in the list of tools in the meson.build above it."""
    folder = os.path.dirname(path)
    while not os.path.exists(os.path.join(folder, "meson.build")):
        folder = os.path.dirname(folder)
    with open(os.path.join(folder, "meson.build"), encoding="utf-8") as file:
        lists = re.findall(r"^\w+_tools = \[([^]]*)\]", file.read(), re.M)
    return "'%s'" % name_of(path) in ",".join(lists)


def check_file(path, rewrite, used):
    check_layout(path, rewrite)
    if os.path.basename(path) == "shared.json":
        return
    describe(path, used.setdefault(os.path.dirname(path), set()))
    if not is_listed(path):
        raise Wrong("no meson.build lists it, so that no client sees this tool")


def check(rewrite):
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "--",
                             "src/**/*tool_*.json", "src/**/shared.json"], cwd=ROOT, check=True, text=True,
                            stdout=subprocess.PIPE).stdout.split()
    used, bad = {}, False
    for path in sorted(set(listed)):
        if not os.path.exists(os.path.join(ROOT, path)):
            continue
        try:
            check_file(os.path.join(ROOT, path), rewrite, used)
        except Wrong as why:
            print("%s:1: %s" % (path, why))
            bad = True
    for folder, names in used.items():
        shared = os.path.join(folder, "shared.json")
        for name in set(read(shared)[1] if os.path.exists(shared) else ()) - names - {"keywords"}:
            print("%s:1: no tool refers to \"%s\"" % (os.path.relpath(shared, ROOT), name))
            bad = True
    sys.exit(bad)


if sys.argv[1:2] == ["make"] and len(sys.argv) > 5:
    make(*sys.argv[2:5], sys.argv[5:])
elif sys.argv[1:] in (["check"], ["check", "--write"]):
    check(len(sys.argv) > 2)
else:
    sys.exit(__doc__)
