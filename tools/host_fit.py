#!/usr/bin/env python3
"""host_fit.py host_fit.json - which forms of results AI hosts are sent, as a C table (src/mcp/fit.h) on standard output.

What is wrong with the file is said, and nothing is made."""
import json
import re
import sys

FITS = {"both": "TN_FIT_BOTH", "text": "TN_FIT_TEXT", "structured": "TN_FIT_STRUCTURED",
        "image-alone": "TN_FIT_IMAGE_ALONE"}
NEEDED, MEMBERS = {"client", "from", "fit", "why"}, {"client", "from", "below", "fit", "why"}


def numbers(text):
    """Of a version, three."""
    if not isinstance(text, str) or not re.fullmatch(r"\d{1,4}(\.\d{1,4}){0,2}", text):
        sys.exit(f"{text}: a version is one to three numbers, such as \"2.1\"")
    return tuple([int(part) for part in text.split(".")] + [0, 0])[:3]


def check(hosts):
    ends = {}
    for host in hosts:
        if not NEEDED <= host.keys() <= MEMBERS or host["fit"] not in FITS:
            sys.exit(f"{host}: write client, from, perhaps below, why, and fit: {', '.join(FITS)}")
        if not re.fullmatch(r"[A-Za-z0-9 ._-]+\*?", host["client"]):
            sys.exit(f"{host['client']}: a name may end with *, and has no other signs")
        first, end = numbers(host["from"]), numbers(host["below"]) if "below" in host else (10000, 0, 0)
        if not ends.get(host["client"], (0, 0, 0)) <= first < end:
            sys.exit(f"{host['client']}: its versions stand from the oldest to the newest, each once")
        ends[host["client"]] = end


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        hosts = json.load(file)["hosts"]
    check(hosts)
    print("/* Made by tools/host_fit.py; do not edit. */\n#include \"host/settings/host_fit.h\"\n")
    print("const struct tn_fit_rule tn_host_fit_rules[] = {")
    for host in hosts:
        first, end = numbers(host["from"]), numbers(host.get("below", "0"))
        print("\t{\"%s\", {%d, %d, %d}, {%d, %d, %d}, %s}," % (host["client"], *first, *end, FITS[host["fit"]]))
    print("};\nconst size_t tn_host_fit_rule_count = sizeof(tn_host_fit_rules) / sizeof(tn_host_fit_rules[0]);")


main()
