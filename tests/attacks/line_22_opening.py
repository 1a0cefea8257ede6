#!/usr/bin/env python3
"""line_22_opening.py - the browser and the tools that we start are started without a shell, by words that nobody else
chose (CVE-2025-6514: an address from a server was opened through a shell)."""
import json
import os

import line
import check
import daemon
import person
import studio

NASTY = ["$(touch @H@/ran)", "`touch @H@/ran`", "; touch @H@/ran", "| touch @H@/ran", "&& touch @H@/ran", "\ntouch @H@/ran\n",
         "--exec=touch @H@/ran", "-chdir=/", "-var=x=$(touch @H@/ran)", "a' ; touch @H@/ran ; '", "a\" ; touch @H@/ran ; \"",
         "file:///etc/passwd", "javascript:alert(1)", "%0atouch @H@/ran", "${IFS}touch", "\u202etxt.exe"]


def recorder(home, name, more=""):
    """A program that writes down how it was called, one JSON list a line."""
    path = home.path("bin", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        file.write("#!/usr/bin/env python3\nimport json, os, sys\n"
                   f"open({home.path('calls-' + name)!r}, 'a').write(json.dumps([sys.argv, open('/proc/%d/comm' % "
                   "os.getppid()).read().strip()]) + '\\n')\n" + more + "sys.exit(1)\n")
    os.chmod(path, 0o755)
    return path


def calls(home, name):
    try:
        with open(home.path("calls-" + name), encoding="utf-8") as file:
            return [json.loads(row) for row in file]
    except FileNotFoundError:
        return []


def browser():
    for name in NASTY[:6]:
        with line.step(f"tenon open, with {name!r} in every variable that chooses a browser"), daemon.Home() as home:
            recorder(home, "xdg-open", "import urllib.request\nurllib.request.urlopen(sys.argv[1], timeout=5)\n")
            text = name.replace("@H@", home.folder)
            env = home.env | {"PATH": home.path("bin") + ":" + os.environ["PATH"], "DISPLAY": ":77"}
            env |= {key: text for key in ("BROWSER", "XDG_CURRENT_DESKTOP", "TENON_BROWSER", "SHELL", "TERM", "EDITOR")}
            home.foreground("--set", "apps=plan")
            person.do("run", words=[daemon.TENON, "open"], env=env, text=None, timeout=60)
            seen = calls(home, "xdg-open")
            check.need(len(seen) == 1, f"{len(seen)} browsers: {seen}")
            (words, parent), = seen
            check.need(len(words) == 2 and words[1].startswith("http://127.0.0.1:"), words)
            check.need(parent not in ("sh", "bash", "dash"), f"started by {parent}")
            check.need("token" not in words[1], "the token is in the browser's words")
            check.need(not os.path.exists(home.path("ran")), "it ran")
            home.stop()


def engine():
    """Targets, folders, values and plan ids that a model chooses end up as words of their own, or are refused."""
    with daemon.Home() as home:
        path = recorder(home, "terraform")
        with studio.Served(env={"TENON_TERRAFORM": path}) as place:
            client = place.client
            client.use("new_project", name="p $(touch ran); x", directoryPath=place.folder)
            client.add("builtin/core/data", label="$(touch ran)")
            for text in NASTY:
                with line.step(f"the engine, with {text!r} in its targets, its values and its folder"):
                    text = text.replace("@H@", home.folder)
                    for given in ({"targets": [text]}, {"replace": [text]}, {"targets": ["terraform_data." + text]}, {"planId": text}):
                        client.code_of("run_terraform", command="plan", **given)
                        client.code_of("run_terraform", command="apply", confirmed=True, **given)
                    client.code_of("set_project_config", config={"variableValues": {text: text}, "region": text})
                    client.code_of("run_terraform", command="validate")
                    for words, parent in calls(home, "terraform"):
                        check.need(parent not in ("sh", "bash", "dash"), f"started by {parent}: {words}")
                        check.need(text not in words, f"a word of the engine's: {words}")
                    check.need(not os.path.exists(home.path("ran")) and not os.path.exists(os.path.join(place.folder, "ran")),
                               "it ran")
            check.need(calls(home, "terraform"), "a control: it was never started")


def main():
    browser()
    engine()
    line.end()


main()
