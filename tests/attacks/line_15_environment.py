#!/usr/bin/env python3
"""line_15_environment.py - what children get of us, and what they can be made to load: no token, no descriptor, no variable
that runs code unasked; no secret stands in a command line (terminal.md 10.3; T7). What programs look up by themselves
(PYTHONPATH) is theirs: docs/security-model.md."""
import os
import subprocess
import time

import line
import check
import daemon
import studio
import terminal

SECRETS = {"OPENAI_API_KEY": "sk-canary-of-the-key-0123456789", "AWS_SECRET_ACCESS_KEY": "canary/of/aws/0123456789abcdefgh",
           "GITHUB_TOKEN": "ghp_canary0123456789canary0123456789ab", "TENON_PRIVATE": "canary-of-tenon-0123456789",
           "NPM_TOKEN": "npm_canary0123456789", "DB_PASSWORD": "canary-of-the-database"}
# Each removes what is precious when it is obeyed: @H@ is the home, with a script or library of that name in it.
LOADERS = {"LD_PRELOAD": "@H@/evil.so", "LD_LIBRARY_PATH": "@H@/libraries", "LD_AUDIT": "@H@/evil.so", "BASH_ENV": "@H@/evil.sh",
           "ENV": "@H@/evil.sh", "PROMPT_COMMAND": "rm -rf @H@/precious", "PS4": "$(rm -rf @H@/precious)",
           "PS1": "$(rm -rf @H@/precious)", "PS0": "$(rm -rf @H@/precious)", "PYTHONSTARTUP": "@H@/evil.py",
           "GIT_SSH_COMMAND": "rm -rf @H@/precious", "GIT_EXTERNAL_DIFF": "rm -rf @H@/precious", "SHELLOPTS": "xtrace",
           "ZDOTDIR": "@H@/zsh", "PAGER": "rm -rf @H@/precious", "EDITOR": "rm -rf @H@/precious", "VISUAL": "rm -rf @H@/precious",
           "BROWSER": "rm -rf @H@/precious", "LESSOPEN": "|rm -rf @H@/precious", "PERL5OPT": "-I@H@ -Mevil",
           "RUBYOPT": "-r@H@/evil.rb", "NODE_OPTIONS": "--require @H@/evil.js", "BASH_FUNC_ls%%": "() { rm -rf @H@/precious; }",
           "FPATH": "@H@/zsh", "fish_function_path": "@H@/zsh", "XDG_CONFIG_HOME": "@H@/config-evil", "HOME": "@H@/zsh",
           "IFS": "x", "INPUTRC": "@H@/inputrc", "TERMINFO": "@H@/zsh",
           "PATH": "@H@/bin:/usr/bin:/bin"}
OTHER_SHELLS = {"/bin/dash": ("ENV",), "/usr/bin/zsh": ("ZDOTDIR", "FPATH", "HOME"),
                "/usr/bin/fish": ("XDG_CONFIG_HOME", "fish_function_path", "HOME")}
# As root even a process that hides its environment shows it, so of those above only the shell is asked.
EVERY = "env; tr '\\0' '\\n' </proc/self/environ; tr '\\0' '\\n' </proc/$$/environ; tr '\\0' ' ' </proc/$PPID/cmdline"


def place_traps(home):
    """Files that remove what is precious, in every language that a variable names."""
    remove = "rm -rf " + home.path("precious")
    for folder in ("zsh", "bin", "python", "config-evil/fish", "libraries"):
        os.makedirs(home.path(folder))
    texts = {"evil.sh": remove, "evil.py": f"import os; os.system('{remove}')", "evil.rb": f"system('{remove}')",
             "evil.js": f"require('child_process').execSync('{remove}')", "evil.pm": f"system('{remove}'); 1;",
             "python/sitecustomize.py": f"import os; os.system('{remove}')", "config-evil/fish/config.fish": remove,
             "inputrc": f'"\\C-m": "{remove}\\n"\n'}
    texts |= {f"zsh/{name}": remove + "\n" for name in (".zshrc", ".zshenv", ".bashrc", ".profile", ".bash_profile")}
    for name, text in texts.items():
        with open(home.path(name), "w", encoding="ascii") as file:
            file.write(text + "\n")
    for name in ("true", "ls", "python3"):
        with open(home.path("bin", name), "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\n/bin/{remove}\n")
        os.chmod(home.path("bin", name), 0o755)
    source = home.path("evil.c")
    with open(source, "w", encoding="ascii") as file:
        file.write('#include <stdlib.h>\n#include <unistd.h>\n__attribute__((constructor)) static void run(void)'
                   f'{{ unsetenv("LD_PRELOAD"); unsetenv("LD_AUDIT"); (void)!system("{remove}"); }}\n'
                   'unsigned la_version(unsigned v) { return v; }\n')
    for target in ("evil.so", "libraries/libc.so.6", "libraries/libtinfo.so.6"):
        subprocess.run(["cc", "-shared", "-fPIC", source, "-o", home.path(target)], check=True)


def environment(home, found):
    with line.relay(home, "terminal", terminal.Assistant) as client:
        for name, given in {"in a session": {}, "isolated": {"isolated": True}, "on a terminal": {"isolated": True, "pty": True}}.items():
            with line.step(f"a command {name}: no secret of the daemon's environment, neither token"):
                text = client.run(EVERY, cwd=home.folder, max_bytes=200000, **given)["output"]
                check.need("PATH=" in text, text[:300])
                for key, value in [*SECRETS.items(), ("the token", found["token"])]:
                    check.need(value not in text, f"{key} is there")
                check.need("NOTIFY_SOCKET" not in text and "LISTEN_FDS" not in text, "what a supervisor gave us")


def loaders(home):
    place_traps(home)
    with line.relay(home, "terminal", terminal.Assistant) as client:
        for name, value in LOADERS.items():
            with line.step(f"{name} in a call's environment: what it loads does not remove anything unasked"):
                for tool, given in (("execute_command", {"command": "true", "isolated": True}),
                                    ("execute_command", {"command": "bash -c true; sh -c true; python3 -c 1; ls", "isolated": True}),
                                    ("create_session", {"shell": "/bin/bash"}), ("create_session", {"shell": "/bin/dash"}),
                                    ("create_session", {"shell": "/usr/bin/zsh"}), ("create_session", {"shell": "/usr/bin/fish"})):
                    shell = given.get("shell", "/bin/bash")
                    if not os.path.exists(shell) or name not in OTHER_SHELLS.get(shell, (name,)):
                        continue
                    os.makedirs(home.path("precious"), exist_ok=True)
                    env = {name: value.replace("@H@", home.folder)}
                    answer = client.finish(client.start("tools/call", {"name": tool, "arguments": given | {
                        "env": env, "cwd": home.folder}}))
                    made = answer.get("result", {}).get("structuredContent", {}).get("session")
                    if made and not answer["result"].get("isError"):
                        client.code_of("execute_command", command="true; ls", session_id=made["id"])
                        client.code_of("close_session", session_id=made["id"], force=True)
                    check.need(os.path.isdir(home.path("precious")), f"{tool} {given}: it did")
        with line.step("a harmless variable is let through (control)"):
            check.need("mine" in client.run("echo $MINE", env={"MINE": "mine"}, isolated=True, cwd=home.folder)["output"], "no")


def engine(home):
    """The engine of the studio needs the cloud's variables; ours it does not get."""
    path, seen = home.path("terraform"), home.path("seen")
    with open(path, "w", encoding="ascii") as file:
        file.write(f"#!/bin/sh\nenv >>{seen}\nls -l /proc/self/fd >>{seen}\nexit 1\n")
    os.chmod(path, 0o755)
    with line.step("the engine gets neither token of ours, nor a descriptor"), studio.Served(
            env={"TENON_TERRAFORM": path, **SECRETS}) as place:
        place.client.use("new_project", name="p", directoryPath=place.folder)
        place.client.code_of("run_terraform", command="validate")
        text = open(seen, encoding="utf-8").read()
        check.need("PATH=" in text, "it never ran")
        check.need(SECRETS["TENON_PRIVATE"] not in text, "TENON_PRIVATE")
        check.need("socket:" not in text, text)


def arguments():
    """Every user of the machine reads command lines."""
    token = "canary-token-on-the-command-line-0123"
    with line.step("--token is no longer in the command line once it serves"):
        with line.listening("tenon", "serve", "plan", "--http", "127.0.0.1:0", "--token", token) as (_, pid, _):
            for one in [pid, *terminal.below(pid)]:
                check.need(token.encode() not in terminal.read_bytes(f"/proc/{one}/cmdline"), "it is")
    with daemon.Home() as home, line.step("no process of a daemon, a relay or a verb has a token in its words"):
        home.foreground()
        found = home.discovery()
        relays = [subprocess.Popen([daemon.TENON, "mcp", "plan"], env=home.env, stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL) for _ in range(2)]
        looked = 0
        end = time.monotonic() + 1
        while time.monotonic() < end:
            for name in filter(str.isdigit, os.listdir("/proc")):
                words = terminal.read_bytes(f"/proc/{name}/cmdline")
                looked += b"tenon" in words
                check.need(found["token"].encode() not in words, words)
        check.need(looked > 2, "nothing was looked at")
        for one in relays:
            one.stdin.close()
            one.wait(20)
        home.stop()


def main():
    for allow in (True, False):
        with daemon.Home(**SECRETS) as home:
            if allow:
                home.env["TENON_CONSENT"] = "allow"
            child = home.foreground("--set", "terminal.rate_per_minute=0")
            if allow:
                environment(home, home.discovery())
            else:
                loaders(home)
            child.terminate()
            child.wait(30)
    with daemon.Home() as home:
        engine(home)
    arguments()
    line.end()


main()
