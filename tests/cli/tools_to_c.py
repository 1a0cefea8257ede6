#!/usr/bin/env python3
"""tools_to_c.py TOOLS_TO_C - descriptions of tools that are wrong are refused with a sentence that says
where, and right ones reach C byte for byte."""
import copy
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib"))
import check  # noqa: E402

PROGRAM = sys.argv[1]
SHARED = {"place": {"type": "object", "properties": {"x": {"$ref": "shared.json#/number"}}},
          "number": {"type": "number", "maximum": 10}, "circle": {"items": {"$ref": "shared.json#/circle"}}}
GOOD = {"name": "draw_line", "title": "Draw", "description": "Draws \"a\" line?? \\ ü",
        "annotations": {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False},
        "tenon": {"textMaxBytes": 7},
        "inputSchema": {"type": "object", "properties": {"to": {"$ref": "shared.json#/place"}, "how": {"enum": ["a", "b"]}},
                        "required": ["to"], "additionalProperties": False}}


def step(name):
    return check.Step("build", name)


def make(folder, text, *options):
    with open(os.path.join(folder, "tool_line.json"), "w", encoding="utf-8") as file:
        file.write(text)
    out = [os.path.join(folder, "t.c"), os.path.join(folder, "t.h")]
    done = subprocess.run([sys.executable, PROGRAM, "make", "tn_x", *out, *options,
                           os.path.join(folder, "tool_line.json")], stderr=subprocess.PIPE, text=True, timeout=60)
    return done.returncode, done.stderr, out


def changed(path, value):
    """GOOD with one member set; None: taken out."""
    tool = copy.deepcopy(GOOD)
    at = tool
    for key in path[:-1]:
        at = at[key]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return json.dumps(tool)


P = ("inputSchema", "properties", "how")
WRONG = [
    ("not_JSON", "{\"name\":", "Expecting"),
    ("a_member_twice", json.dumps(GOOD).replace("{\"name\"", "{\"name\": 1, \"name\"", 1), "stands twice"),
    ("no_description", changed(["description"], None), "\"description\" is missing"),
    ("a_member_that_no_tool_has", changed(["inputSchemas"], {}), "\"inputSchemas\""),
    ("no_object_at_all", "[1]", "write an object"),
    ("a_name_that_is_no_text", changed(["name"], True), "name"),
    ("a_text_that_C_would_cut", changed(["description"], "a\0b"), "description"),
    ("a_first_sentence_without_an_end", changed(["description"], "Draws a line"), "first sentence"),
    ("a_first_sentence_that_is_long", changed(["description"], "Draws " + "a line, " * 10 + "and so on. Fine."), "80"),
    ("keywords_that_are_no_text", changed(["tenon", "keywords"], ["line"]), "tenon.keywords"),
    ("hints_that_are_no_object", changed(["annotations"], ["readOnlyHint"]), "annotations"),
    ("limits_that_are_no_object", changed(["tenon"], {"limits": 3}), "limits"),
    ("a_schema_that_is_true", changed(["inputSchema"], True), "inputSchema"),
    ("a_reference_that_is_no_text", changed(P, {"$ref": True}), "$ref"),
    ("a_hint_left_out", changed(["annotations", "idempotentHint"], None), "annotations"),
    ("a_hint_with_a_typing_error", changed(["annotations", "readonlyHint"], True), "annotations"),
    ("a_hint_that_contradicts", changed(["annotations", "readOnlyHint"], True), "annotations"),
    ("an_own_member_unknown", changed(["tenon", "personOnli"], True), "tenon.personOnli"),
    ("an_own_switch_that_is_off", changed(["tenon", "personOnly"], False), "tenon.personOnly"),
    ("a_second_one_that_is_the_same", changed(["annotations", "openWorldHint"], True).replace(
        '"textMaxBytes": 7', '"openWorldToo": true'), "openWorldToo"),
    ("a_limit_of_no_number", changed(["tenon", "limits"], {"inputSchema.properties.hoe.maxLength": "TN_X"}), "hoe"),
    ("a_limit_that_is_no_constant", changed(["tenon", "limits"], {"inputSchema.properties.to.properties.x.maximum": "x"}),
     "limits"),
    ("a_support_of_tasks_unknown", changed(["execution"], {"taskSupport": "sometimes"}), "taskSupport"),
    ("a_word_with_a_typing_error", changed([*P, "additionalProperites"], False), "how.additionalProperites"),
    ("a_type_that_is_none", changed([*P, "type"], "text"), "how.type"),
    ("a_count_below_zero", changed([*P, "minLength"], -1), "how.minLength"),
    ("a_default_that_is_no_choice", changed([*P, "default"], "c"), "how.default"),
    ("a_pattern_that_is_none", changed([*P, "pattern"], "("), "how.pattern"),
    ("an_argument_needed_that_is_none", changed(["inputSchema", "required"], ["too"]), "too"),
    ("arguments_that_are_no_object", changed(["inputSchema", "type"], "array"), "inputSchema needs"),
    ("a_schema_that_is_a_text", changed([*P, "items"], "string"), "how.items"),
    ("a_reference_to_nothing", changed(P, {"$ref": "shared.json#/plaice"}), "plaice"),
    ("a_reference_to_another_file", changed(P, {"$ref": "other.json#/place"}), "other.json"),
    ("a_reference_that_is_not_alone", changed(P, {"$ref": "shared.json#/place", "type": "object"}), "alone"),
    ("a_reference_to_itself", changed(P, {"$ref": "shared.json#/circle"}), "circle"),
]

with tempfile.TemporaryDirectory() as work:
    with open(os.path.join(work, "shared.json"), "w", encoding="utf-8") as shared:
        json.dump(SHARED, shared)
    with step("a_description_reaches_C_as_it_stands"):
        code, said, (made, header) = make(work, json.dumps(GOOD, ensure_ascii=False))
        check.need(code == 0, said)
        program = os.path.join(work, "print.c")
        with open(program, "w", encoding="utf-8") as main:
            main.write('#include <stdio.h>\n#include "t.h"\nvoid tn_x_call_line(struct tenon_call *c, void *d)'
                       '{(void)c;(void)d;}\nint main(void){const struct tenon_tool *t=tn_x_tools[0];'
                       'printf("%s\\n%s\\n%s\\n%s\\n%u %zu %d\\n",t->name,t->title,t->description,t->input_schema,'
                       't->flags,t->text_max_bytes,tn_x_tools[1]==NULL&&t->output_schema==NULL);return 0;}\n')
        include = os.path.join(os.path.dirname(os.path.abspath(PROGRAM)), "../include")
        subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", include, "-o",
                        os.path.join(work, "print"), program, made], check=True, timeout=120)
        lines = subprocess.run([os.path.join(work, "print")], check=True, stdout=subprocess.PIPE, timeout=60,
                               text=True).stdout.splitlines()
        schema = copy.deepcopy(GOOD["inputSchema"])
        schema["properties"]["to"] = {"type": "object", "properties": {"x": SHARED["number"]}}
        expected = ["draw_line", "Draw", GOOD["description"], json.dumps(schema, separators=(",", ":")), "14 7 1"]
        check.need(lines == expected, f"{lines} is not {expected}")
    with step("numbers_keep_their_form"):
        code, said, (made, header) = make(work, changed([*P, "minimum"], 1).replace('"minimum": 1', '"minimum": -1e7'))
        with open(made, encoding="utf-8") as file:
            check.need(code == 0 and "-1e7" in re.sub(r'"\n\t*"', "", file.read()), said)
    with step("an_action_is_the_data_of_one_handler"):
        code, said, (made, header) = make(work, changed(["tenon", "action"], True), "--action", "tn_x_act", "tn_x_do")
        with open(made, encoding="utf-8") as file:
            text = file.read()
        check.need(code == 0 and ".call = tn_x_do" in text and "&tn_x_action_line" in text, said)
    with step("a_number_that_limits_h_does_not_say_does_not_compile"):
        text = changed(["tenon", "limits"], {"inputSchema.properties.to.properties.x.maximum": "TN_X_MAX"})
        code, said, (made, header) = make(work, text)
        with open(made, encoding="utf-8") as file:
            c = re.sub(r'#include ".*/limits.h"\n', "", file.read())
        outcomes = []
        for limit in ("10", "11"):
            with open(made, "w", encoding="utf-8") as file:
                file.write(f"#define TN_X_MAX {limit}\n{c}")
            outcomes.append(subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-c", "-I", include, "-o", os.devnull,
                                            made], stderr=subprocess.DEVNULL, timeout=60).returncode == 0)
        check.need(code == 0 and outcomes == [True, False], f"{said}{outcomes}")
    for name, text, words in WRONG:
        with step("refused_" + name):
            code, said, _ = make(work, text)
            check.need(code == 1 and words in said and "tool_line.json" in said and "Traceback" not in said,
                       f"{code}: {said}")

sys.exit(1 if check.failures else 0)
