#!/usr/bin/env python3
"""settings_hold.py - what a setting forbids stays forbidden in a process that cannot put anything into its
environment, and no setting of config.json reaches the programs that a server starts.

With tests/faults one would have to hit the one allocation of setenv; here all of its calls fail.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import daemon  # noqa: E402
import links  # noqa: E402
import studio  # noqa: E402
import talk  # noqa: E402
import terminal  # noqa: E402

SUITE = "settings-hold"
FOLDER = tempfile.mkdtemp(prefix="tenon-hold-")
ROOT = os.path.join(FOLDER, "root")
CANARY = "canary-5b71-canary"
PLAN = "Terraform will perform the following actions:\n\n  # aws_s3_bucket.logs will be created\n" \
       "  + resource \"aws_s3_bucket\" \"logs\" {\n      + bucket = \"logs\"\n    }\n\n" \
       "Plan: 1 to add, 0 to change, 0 to destroy.\n"
os.mkdir(ROOT)


def put(name, **content):
    path = os.path.join(FOLDER, name)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file)
    return path


def without_setenv():
    source, library = os.path.join(FOLDER, "full.c"), os.path.join(FOLDER, "full.so")
    with open(source, "w", encoding="ascii") as file:
        file.write("#include <errno.h>\nint setenv(const char *n, const char *v, int o)\n"
                   "{ (void)n; (void)v; (void)o; errno = ENOMEM; return -1; }\n")
    subprocess.run(["cc", "-shared", "-fPIC", source, "-o", library], check=True)
    # A sanitizer's library may come second: ours needs nothing of it.
    options = os.environ.get("ASAN_OPTIONS", "")
    return {"LD_PRELOAD": library, "ASAN_OPTIONS": (options + ":" if options else "") + "verify_asan_link_order=0"}


def remote_models(config, env):
    with terminal.Served(env=env) as place:  # its folders; the server of interest is another one
        link = links.Stdio([daemon.TENON, "serve", "plan", "--config", config], env=place.env, errors=place.errors)
        client = talk.Client(link, terminal.REVISION)
        client.hello()
        answer = client.call("terraform_explain", {"plan_text": PLAN, "source": "openai"})
        link.close()
    return json.dumps(answer)


def starts_at(folder, config, env):
    with terminal.Served("--config", config, env=env) as place:
        return place.client.code_of("create_session", cwd=folder)


def forbidden(env):
    plan = put("plan.json", plan={"llm": {"allow_remote": False, "base_url": "https://192.0.2.1/v1", "timeout_ms": 100}})
    roots = put("roots.json", terminal={"roots": [ROOT]})
    for how, more in (("as always", {}), ("where setenv fails", env)):
        with check.Step(SUITE, f"plan.llm.allow_remote false, {how}: no model elsewhere is asked"):
            said = remote_models(plan, more | {"OPENAI_API_KEY": "sk-test"})
            check.need("source_unavailable" in said and "not on this machine" in said, said)
        with check.Step(SUITE, f"terminal.roots, {how}: commands start there and nowhere else"):
            check.need(starts_at("/", roots, more) == "cwd_not_allowed", starts_at("/", roots, more))
            check.need(starts_at(ROOT, roots, more) is None, "in the root itself")


def environment_of(pid):
    """As others of the same user may read it: of a server they may not, root alone may."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return file.read().decode(errors="replace")
    except PermissionError:
        check.need(os.geteuid() != 0, f"/proc/{pid}/environ is kept from root")
        return ""


def children():
    """Headers for a model are secrets: in config.json, and in their variable."""
    engine, seen = os.path.join(FOLDER, "terraform"), os.path.join(FOLDER, "seen")
    config = put("secret.json", plan={"llm": {"headers": [f"X-Key: {CANARY}-file"]}},
                 terminal={"max_sessions": 77, "env": {"pass": ["TENON_PLAN_HEADERS"]}})
    given = {"TENON_PLAN_HEADERS": f"X-Key: {CANARY}-variable", "OPENAI_API_KEY": f"{CANARY}-key"}
    with open(engine, "w", encoding="ascii") as file:
        file.write(f"#!/bin/sh\nenv >>{seen}\nexit 1\n")
    os.chmod(engine, 0o755)
    for env in ({}, given):
        name = "the variables" if env else "config.json"
        with check.Step(SUITE, f"a session has no secret of {name}, even where a pattern asks for it"), \
                terminal.Served("--config", config, env=env) as place:
            output = place.client.run("env")["output"]
            check.need("PATH=" in output and CANARY not in output, output)
            check.need(not re.search(r"(?m)=77\r?$", output) and "MAX_SESSIONS" not in output, output)
            for pid in [place.pid, *terminal.below(place.pid)]:
                check.need(CANARY not in environment_of(pid), f"/proc/{pid}/environ")
        with check.Step(SUITE, f"the engine of the studio has no headers of {name}"), studio.Served(
                "--config", config, env={"TENON_TERRAFORM": engine, **env}) as place:
            place.client.use("new_project", name="p", directoryPath=place.folder)
            place.client.code_of("run_terraform", command="validate")
            with open(seen, encoding="utf-8") as file:
                text = file.read()
            check.need("PATH=" in text, "it never ran")
            check.need(CANARY + "-file" not in text and CANARY + "-variable" not in text, text)


forbidden(without_setenv())
children()
shutil.rmtree(FOLDER)
sys.exit(check.failures > 0)
