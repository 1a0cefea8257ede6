#!/usr/bin/env python3
"""start_files.py [PART...] - start files as people have them: slow, asking, broken, becoming another shell.

terminal.md 4.2, 5.2, 5.3, 7.1, 13. What is asked for runs exactly once and in order, or is said not to have run; what
ran is known from files that it wrote, never from what was answered.
"""
import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import daemon  # noqa: E402
import kit  # noqa: E402
import links  # noqa: E402
import terminal  # noqa: E402

SUITE = "terminal-start"
SHELLS = {name: shutil.which(name) for name in ("bash", "zsh", "fish", "dash")}
SLOW = 2 if check.sanitized() else 1


def step(name):
    return check.Step(SUITE, name)


class Home(kit.Served):
    """`tenon serve terminal` whose home has these files; commands write to a file of its own."""

    def __init__(self, files, shell="bash", **more):
        env = {"SHELL": SHELLS[shell], "TENON_CONSENT": "allow"} | more.pop("env", {})
        super().__init__(*more.pop("options", ()), env=env, hello=False, **more)
        for name, text in files.items():
            path = os.path.join(self.home, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            if text.startswith("#!"):
                os.chmod(path, 0o755)
        self.wrote = os.path.join(self.folder, "wrote")
        self.begin()

    def text(self, word):
        """A command that proves that it ran, in any shell."""
        return f"echo {word} >> {self.wrote}; echo out-{word}"

    def ran(self):
        try:
            with open(self.wrote, encoding="utf-8") as file:
                return file.read().split()
        except FileNotFoundError:
            return []

    def several(self, count=4, **more):
        """Sends them at once; their results, in order. An error is its structured form."""
        more = {"timeout_ms": 25000 * SLOW, "yield_ms": min(40000 * SLOW, 55000)} | more
        numbers = [self.start("execute_command", command=self.text(f"n{i}"), **more) for i in range(count)]
        return [self.checked("execute_command", self.finish(n, 90 * SLOW))["result"]["structuredContent"]
                for n in numbers]


def state_of(result):
    return result["error"]["code"] if "error" in result else result["status"]


def check_truth(place, results, shown=True):
    """Each ran once and in order, or is said not to have run; nobody says more than is known."""
    ran = place.ran()
    check.need(ran == sorted(set(ran)), f"ran twice, or out of order: {ran}")
    for i, result in enumerate(results):
        did = f"n{i}" in ran
        if "error" in result:
            check.need(not did, f"n{i} ran, and its result is {result}")
        elif result["status"] == "completed":
            check.need(did and result["completion"] in ("marks", "process"), f"n{i} {did}: {result}")
            check.need(not shown or result["exit_code"] is None or f"out-n{i}" in result["output"], result)
        else:
            check.need(result["exit_code"] is None, f"n{i}: {result}")
            check.need(did is False or result["status"] not in ("not_started", "queued"), f"n{i} ran: {result}")


def check_exact(place, results):
    check_truth(place, results)
    for i, result in enumerate(results):
        check.need((state_of(result), result.get("exit_code"), result.get("output", "").strip()) ==
                   ("completed", 0, f"out-n{i}"), result)
    check.need(place.ran() == [f"n{i}" for i in range(len(results))], place.ran())


def check_usable(place, code_of=lambda n: f"(exit {n})"):
    """What ordinary use needs: codes, variables, a directory, nothing of ours in the output."""
    for number in (0, 1, 42):
        result = place.run(code_of(number))
        check.need((result["status"], result["exit_code"], result["output"]) == ("completed", number, ""), result)
    result = place.run("cd /usr; pwd")
    check.need((result["cwd"], result["output"].strip()) == ("/usr", "/usr"), result)
    result = place.run("echo 'a  b'\necho \"c\"")
    check.need(result["output"].split("\n")[:2] == ["a  b", "c"], result)


# ---- slow ones ----


def slow():
    """4.2: commands wait for the first prompt, however long that takes."""
    cases = (("bash", {".bashrc": "sleep 6\n"}), ("zsh", {".zshrc": "sleep 5\n"}),
             ("fish", {".config/fish/config.fish": "sleep 5\n"}), ("dash", {".profile": "sleep 5\n"}))
    for shell, files in check.beside(cases):
        if not SHELLS[shell]:
            continue
        with step(f"a start file that takes 5 s and more ({shell})"), Home(files, shell) as place:
            if shell == "dash":  # it reads a start file at a login only
                place.new(shell="dash", login=True)
            results = place.several()
            check_exact(place, results)
            check_usable(place, (lambda n: f"sh -c 'exit {n}'") if shell == "fish" else (lambda n: f"(exit {n})"))
    with step("what is in front is named from 1 s on; yield_ms 0 says why it is queued"):
        with Home({".bashrc": "sleep 4\n"}) as place:
            answer = place.call("execute_command", command=place.text("n0"), yield_ms=0)["result"]
            first = answer["structuredContent"]
            check.need((first["status"], first["queued_for"], first["exit_code"]) == ("queued", "shell_start", None),
                       first)
            check.need("another command" not in answer["content"][0]["text"], answer["content"][0]["text"])
            place.until(lambda: place.info(first["session_id"])["pid"], "its program is there")
            second = place.run(place.text("n1"), yield_ms=1600)
            check.need((second["status"], second["queued_for"], second["waiting"]["program"],
                        second["waiting"]["for_input"]) == ("queued", "shell_start", "sleep", False), (second["waiting"], second["queued_for"]))
            info = place.info(first["session_id"])
            check.need((info["state"], info["waiting"]["program"], info["waiting"]["for_input"]) ==
                       ("starting", "sleep", False), info)
            sent = place.tool("send_keys", keys=["Left"], wait_ms=1)
            check.need(not sent["exited"] and sent["state"] == "starting", sent)
            for one in (first, second):
                done = place.tool("wait_for", command_id=one["command_id"], until="exit", timeout_ms=20000 * SLOW)
                check.need((done["command"]["status"], done["command"]["exit_code"]) == ("completed", 0), done)
            check.need(place.ran() == ["n0", "n1"], place.ran())
    with step("keys to a session whose program is not there yet: a true sentence"), Home({".bashrc": ""}) as place:
        number = place.start("create_session")
        sessions = place.tool("list_sessions")["sessions"]
        if sessions and sessions[0]["state"] == "starting":
            answer = place.call("send_keys", session_id=sessions[0]["id"], keys=["Left"])["result"]
            text = answer["content"][0]["text"]
            check.need("has ended" not in text, text)
        place.finish(number)
    with step("through a daemon, with sleep 4"), daemon.Home(TENON_CONSENT="allow", SHELL="/bin/bash") as home:
        with open(home.path(".bashrc") if os.path.isdir(home.path()) else home.path("home", ".bashrc"), "w",
                  encoding="utf-8") as file:
            file.write("sleep 4\n")
        home.env["HOME"] = os.path.dirname(file.name)
        home.foreground()
        link = links.Stdio([daemon.TENON, "mcp", "terminal"], env=home.env)
        client = terminal.Assistant(link)
        wrote = home.path("wrote")
        numbers = [client.begin("execute_command", command=f"echo r{i} >> {wrote}") for i in range(4)]
        results = [client.end(number) for number in numbers]
        check.need([(one["status"], one["exit_code"]) for one in results] == [("completed", 0)] * 4, results)
        with open(wrote, encoding="utf-8") as file:
            check.need(file.read().split() == ["r0", "r1", "r2", "r3"], "what ran")
        link.close()
        home.stop()


# ---- those that ask ----

ASKS = (
    ("bash", {".bashrc": 'read -p "Unlock key? " x; export KEY=$x\n'}, False),
    ("bash", {".bashrc": 'read -e -p "Unlock key? " x; export KEY=$x\n'}, False),
    ("bash", {".bashrc": 'read -s -p "Passphrase: " x; export KEY=$x\n'}, True),
    ("bash", {".bashrc": 'echo "1) one"; select x in one two; do KEY=$REPLY; break; done\n'}, False),
    ("bash", {".bashrc": 'sh -c \'printf "Enter passphrase for key: "; stty -echo; read x; stty echo; '
                         'echo $x > ~/answer\'; KEY=$(cat ~/answer)\n'}, True),
    ("bash", {".bashrc": 'python3 -c "import sys; x = input(\'Unlock key? \'); open(\'answer\', \'w\').write(x)"; '
                         'KEY=$(cat answer)\n'}, False),
    ("zsh", {".zshrc": 'read "x?Unlock key? "; export KEY=$x\n'}, False),
    ("zsh", {".zshrc": 'vared -p "Unlock key? " -c x; export KEY=$x\n'}, False),
    ("zsh", {".zshrc": 'read -q "x?Unlock key (y/n)? "; read "x?again? "; export KEY=$x\n'}, False),
    ("fish", {".config/fish/config.fish": 'read -P "Unlock key? " x; set -gx KEY $x\n'}, False),
    ("fish", {".config/fish/config.fish": 'read -s -P "Passphrase: " x; set -gx KEY $x\n'}, False),
    ("dash", {".profile": 'printf "Unlock key? "; read x; export KEY=$x\n'}, False),
)


def asks():
    """4.2: a start file that asks is answered; what is queued runs then, and only then."""
    for shell, files, hidden in check.beside(ASKS):
        text = next(iter(files.values())).split("\n", maxsplit=1)[0]
        if not SHELLS[shell]:
            continue
        with step(f"a start file that asks ({shell}: {text[:34]})"), Home(files, shell) as place:
            made = place.tool("create_session", shell=shell, login=shell == "dash")["session"]
            check.need(made["state"] in ("waiting_input", "starting"), made)
            place.until(lambda: place.info(made["id"])["state"] == "waiting_input", "it waits for input", 15 * SLOW)
            info = place.info(made["id"])
            check.need(info["waiting"]["for_input"] and info["waiting"]["program"], info)
            check.need(info["waiting"]["hidden_input"] or not hidden, info)
            begun = time.monotonic()
            results = place.several(3, timeout_ms=20000 * SLOW)
            check.need_soon(begun, 10 * SLOW, "it says so")
            for one in results:
                check.need((one["status"], one["queued_for"], one["waiting"]["for_input"]) ==
                           ("queued", "shell_start", True), one)
            check.need(place.ran() == [], place.ran())
            if "read -q" in text:
                place.tool("send_keys", text="y")
                time.sleep(0.5)
            place.tool("send_keys", text="1" if "select" in text else "sesame", enter=True)
            for i, one in enumerate(results):
                done = place.tool("wait_for", command_id=one["command_id"], until="exit", timeout_ms=20000 * SLOW)
                check.need((done["command"]["status"], done["command"]["exit_code"]) == ("completed", 0), (i, done))
            check.need(place.ran() == ["n0", "n1", "n2"], place.ran())
            key = place.run("echo $KEY")["output"].strip()
            check.need(key == ("1" if "select" in text else "sesame"), key)
    with step("a person's answer: hand_over during the start"), Home({".bashrc": "read x\n"}) as place:
        session = place.tool("create_session")["session"]["id"]
        given = place.tool("hand_over", message="Unlock the key", timeout_ms=1500, session_id=session)
        check.need(given["reason"] == "timed_out", given)
        place.tool("send_keys", text="x", enter=True, session_id=session)
        check.need(place.run("echo there")["output"] == "there\n", "the shell goes on")


# ---- those that never come to a prompt ----


def never():
    """4.2, 13: shell_not_ready; what was withdrawn is not run, ever."""
    cases = (("a question that nobody answers", {".bashrc": "read x\n"}), ("sleep", {".bashrc": "sleep 9\n"}),
             ("a loop", {".bashrc": "while :; do :; done\n"}),
             ("a loop that ignores signals", {".bashrc": "trap '' INT TERM; while :; do sleep 0.1; done\n"}),
             ("a program in front", {".bashrc": "python3 -q\n"}), ("cat", {".bashrc": "cat\n"}))
    for name, files in check.beside(cases):
        with step(f"never ready: {name}"), Home(files) as place:
            made = place.tool("create_session", start_timeout_ms=1200)["session"]
            results = place.several(3, session_id=made["id"])
            for result in results:
                check.need(state_of(result) in ("shell_not_ready", "queued"), result)
                if "error" in result:
                    check.need("not run" in result["error"]["message"], result)
                else:
                    done = place.tool("wait_for", command_id=result["command_id"], until="exit", timeout_ms=9000)
                    check.need(done["command"]["status"] == "not_started", done)
                    check.need(done["command"]["exit_code"] is None, done)
            info = place.info(made["id"])
            check.need(info["state"] in ("starting", "waiting_input"), info)
            begun = time.monotonic()
            answer = place.call("execute_command", command=place.text("late"), timeout_ms=700, session_id=made["id"])
            found = answer["result"]["structuredContent"]
            check.need(state_of(found) in ("shell_not_ready", "queued"), found)
            check.need_soon(begun, 5 * SLOW, "timeout_ms is smaller than start_timeout_ms")
            if name == "sleep":  # its shell comes to its prompt after all
                place.until(lambda: place.info(made["id"])["state"] == "idle", "it is ready", 20 * SLOW)
                check.need(place.run("echo now", session_id=made["id"])["output"] == "now\n", "it is used")
            time.sleep(0.3)
            check.need(place.ran() == [], place.ran())
    with step("the setting start_timeout_ms"):
        with Home({".bashrc": "sleep 30\n"}, options=("--set", "start_timeout_ms=900")) as place:
            check.need(state_of(place.several(1)[0]) == "shell_not_ready", "the setting")
    with step("a program that takes the terminal for itself (tmux)"):
        if not shutil.which("tmux"):
            return
        with Home({".bashrc": '[ "$TMUX" ] || exec tmux -L "tenon$$" -f /dev/null new\n'}) as place:
            made = place.tool("create_session", start_timeout_ms=2500)["session"]
            results = place.several(2, session_id=made["id"])
            check_truth(place, results)
            check.need(place.ran() == [] and all(state_of(one) in ("shell_not_ready", "queued") for one in results),
                       (place.ran(), results))
            text = str(results) + str(place.info(made["id"])["waiting"])
            check.need("tmux" in text, text)


# ---- those that end ----


def ends():
    """A start file that ends its shell: nothing ran, and why is said."""
    for name, files, code in check.beside((("exit 3", {".bashrc": "echo on my way out; exit 3\n"}, 3),
                              ("set -e", {".bashrc": "set -e\nfalse\necho never\n"}, 1),
                              ("kill -9", {".bashrc": "kill -9 $$\n"}, None),
                              ("exec false", {".bashrc": "sleep 0.3; exec false\n"}, 1))):
        with step(f"a start file with {name}"), Home(files) as place:
            results = place.several(3)
            check.need(place.ran() == [], place.ran())
            check.need(all("error" in one for one in results), results)
            first = results[0]["error"]
            check.need(first["code"] in ("session_exited", "session_closed") and "not run" in first["message"], first)
            check.need((f"exit code {code}" if code is not None else "SIGKILL") in first["message"], first)
            info = [one for one in place.tool("list_sessions", include_closed=True)["sessions"]][-1]
            check.need((info["exit_code"], info["signal"]) == (code, "SIGKILL" if code is None else None), info)


# ---- those that become another shell ----


def become():
    """4.2: recognised by the kernel, integrated as what it is now."""
    fish_asks = 'read -P "Unlock? " x; set -gx KEY $x\n'
    once = 'if [ -z "$ONCE" ]; then export ONCE=1; %s; fi\n'
    cases = [("bash", "zsh", {".bashrc": "exec zsh\n", ".zshrc": ""}),
             ("bash", "zsh", {".bashrc": "export SHELL=/usr/bin/zsh; [ -z \"$ZSH_VERSION\" ] && exec /usr/bin/zsh -l\n",
                              ".zshrc": "PROMPT='%F{green}%~%f %# '\nbindkey -v\n"}),
             ("bash", "zsh", {".bashrc": "exec env ZDOTDIR=$HOME/.z zsh\n", ".z/.zshrc": "MINE=1\n"}),
             ("bash", "fish", {".bashrc": "exec fish\n"}),
             ("bash", "fish", {".bashrc": "[[ $(ps -o comm= $PPID) != fish ]] && exec fish\n",
                               ".config/fish/config.fish": "function fish_prompt; echo -n 'my> '; end\nsleep 2\n"}),
             ("bash", "bash", {".bashrc": once % "exec bash"}),
             ("bash", "bash", {".bashrc": once % "exec bash --norc"}),
             ("bash", "bash", {".bashrc": once % "exec bash --posix", ".inputrc": "set editing-mode vi\n"}),
             ("bash", "bash", {".bashrc": once % "exec bash", ".inputrc": "set enable-bracketed-paste off\n"}),
             ("zsh", "fish", {".zshrc": "exec fish\n"}), ("zsh", "bash", {".zshrc": "exec bash\n"}),
             ("fish", "zsh", {".config/fish/config.fish": "exec zsh\n", ".zshrc": "setopt prompt_sp\n"}),
             ("fish", "bash", {".config/fish/config.fish": "status is-interactive; and exec bash\n"}),
             ("zsh", "zsh", {".zshrc": once % "exec zsh"}), ("fish", "fish", {".config/fish/config.fish":
                                                            "set -q ONCE; or begin; set -gx ONCE 1; exec fish; end\n"}),
             ("bash", "zsh", {".bashrc": "exec zsh -f\n"}),
             ("bash", "bash", {".bashrc": once % "exec env -i HOME=$HOME ONCE=1 TERM=$TERM PATH=$PATH bash -l"}),
             ("bash", "bash", {".bashrc": once % "exec nice -n 1 setpriv --nnp bash"}),
             ("bash", "zsh", {".bashrc": "trap '' INT QUIT; sleep 1 & exec zsh\n", ".zshrc": "read -t 1 x\n"}),
             ("bash", "fish", {".bashrc": "printf '\\e]133;A\\a$ \\e]133;B\\a\\e]133;D;0\\a'; exec fish\n",
                               ".config/fish/config.fish": "fish_vi_key_bindings\nfunction fish_greeting; echo hi; end\n"}),
             ("bash", "dash", {".bashrc": "exec dash\n"}),
             ("dash", "bash", {".profile": "[ -n \"$BASH_VERSION\" ] || exec bash\n"})]
    for first, then, files in check.beside(cases):
        if not SHELLS[first] or not SHELLS[then]:
            continue
        text = next(iter(files.values())).strip()
        with step(f"{first} becomes {then}: {text[-44:]}"), Home(files, first) as place:
            made = place.tool("create_session", shell=first, login=first == "dash")["session"]
            results = place.several(4)
            check_exact(place, results)
            info = place.info(made["id"])
            check.need((info["program"], info["integration"]) ==
                       (then, "prompt" if then == "dash" else "marks"), info)
            check.need(results[0]["integration"] == info["integration"], results[0])
            check_usable(place, (lambda n: f"sh -c 'exit {n}'") if then == "fish" else (lambda n: f"(exit {n})"))
            result = place.run("echo (" if then != "fish" else "echo )")
            check.need(result["exit_code"] not in (0, None), result)
            result = place.run("echo X=5")
            check.need(result["output"] == "X=5\n", result)
            result = place.run("sleep 30", timeout_ms=700)
            check.need(result["status"] == "timed_out", result)
            check.need(place.run("echo after")["output"] == "after\n", "after an interrupt")
    for name, files in check.beside((("fish", {".bashrc": "exec fish\n", ".config/fish/config.fish": fish_asks}),
                        ("fish, conf.d", {".bashrc": "exec fish\n", ".config/fish/conf.d/a.fish": fish_asks}),
                        ("zsh", {".bashrc": "exec zsh\n", ".zshrc": "read 'KEY?Unlock? '\n"}),
                        ("zsh, vared", {".bashrc": "exec zsh\n", ".zshrc": "vared -p 'Unlock? ' -c KEY\n"}),
                        ("zsh, vared elsewhere", {".bashrc": "exec zsh\n", ".zshrc": ". ~/more\n",
                                                  "more": "vared -p 'Unlock? ' -c KEY\n"}),
                        ("zsh, keys", {".bashrc": "exec zsh\n", ".zshrc": "read -k 7 KEY; KEY=${KEY%$'\\n'}\n"}),
                        ("bash", {".bashrc": once % "exec bash" + "read -p 'Unlock? ' KEY\n"}),
                        ("bash, keys", {".bashrc": once % "exec bash" + "read -n 6 KEY; read -n 1 x\n"}),
                        ("dash", {".bashrc": "exec dash -l\n", ".profile": "sh -c 'read x; echo $x > ~/x'; read KEY < "
                                                                          "~/x\n"}))):
        with step(f"one that asks at its start, in place of bash ({name})"), Home(files) as place:
            made = place.tool("create_session")["session"]
            results = place.several(2, timeout_ms=20000)
            time.sleep(4)
            check.need(place.ran() == [] and {state_of(one) for one in results} == {"queued"}, results)
            check.need("take" not in place.tool("get_screen", session_id=made["id"])["lines"][0], "it was typed into")
            place.tool("send_keys", text="sesame", enter=True)
            for one in results:
                done = place.tool("wait_for", command_id=one["command_id"], until="exit", timeout_ms=20000 * SLOW)
                check.need(done["command"]["status"] == "completed", done)
            check.need(place.run("echo $KEY")["output"] == "sesame\n", place.run("echo $KEY"))
    for name in check.beside(("python3 -q", "sh -c 'cat; exit 1'", "script -q /dev/null", "less /etc/passwd")):
        with step(f"no shell: exec {name}"):
            if not shutil.which(name.split()[0]):
                continue
            with Home({".bashrc": once % f"exec {name}", ".inputrc": ""}) as place:
                made = place.tool("create_session", start_timeout_ms=5000)["session"]
                check_truth(place, place.several(2, session_id=made["id"]))
                time.sleep(1.5)
                check.need(place.ran() == [], place.ran())
    with step("a shell that becomes another one by a command"), Home({}) as place:
        for other in ("zsh", "fish", "bash --norc"):
            if not SHELLS[other.split()[0]]:
                continue
            result = place.run(f"exec {other}", yield_ms=20000)
            check.need((result["status"], result["exit_code"]) == ("completed", None), result)
            result = place.run("echo here; sh -c 'exit 7'")
            check.need((result["status"], result["exit_code"], result["output"]) == ("completed", 7, "here\n"), result)
    with step("zsh without start files, which would ask its newcomers, is not typed into"):
        with Home({".bashrc": "exec zsh\n"}) as place:
            made = place.tool("create_session", start_timeout_ms=4000)["session"]
            check_truth(place, place.several(2, session_id=made["id"]))
            end = time.monotonic() + 10 * SLOW
            while place.ran() and place.info(made["id"])["state"] != "idle" and time.monotonic() < end:
                time.sleep(0.1)  # what ran has its prompt behind it
            if place.info(made["id"])["state"] != "idle":
                check.need(place.ran() == [], place.ran())
                check.need(not os.path.exists(os.path.join(place.home, ".zshrc")), "its question was answered")


# ---- what real ones do ----

REAL = {
    "bash, as Debian has it": ("bash", {".bashrc": r"""
case $- in *i*) ;; *) return;; esac
HISTCONTROL=ignoreboth
shopt -s histappend checkwinsize
PS1='${debian_chroot:+($debian_chroot)}\[\033[01;32m\]\u@\h\[\033[00m\]:\[\033[01;34m\]\w\[\033[00m\]\$ '
case "$TERM" in xterm*) PS1="\[\e]0;${debian_chroot:+($debian_chroot)}\u@\h: \w\a\]$PS1" ;; esac
[ -x /usr/bin/dircolors ] && eval "$(dircolors -b)"
alias ls='ls --color=auto'; alias grep='grep --color=auto'
[ -f /usr/share/bash-completion/bash_completion ] && . /usr/share/bash-completion/bash_completion
"""}),
    "version managers (nvm, pyenv, conda, direnv)": ("bash", {".bashrc": r"""
export NVM_DIR="$HOME/.nvm"
nvm() { unset -f nvm node; echo lazy; }; node() { nvm; command node "$@"; }
cdnvm() { command cd "$@" || return; [[ -f .nvmrc ]] && nvm; return 0; }
alias cd='cdnvm'
export PYENV_ROOT="$HOME/.pyenv"; [[ -d $PYENV_ROOT/bin ]] && export PATH="$PYENV_ROOT/bin:$PATH"
_pyenv_hook() { local ret=$?; :; return $ret; }
_direnv_hook() { local previous_exit_status=$?; trap -- '' SIGINT; : "$(true)"; trap - SIGINT; return $previous_exit_status; }
if [[ ";${PROMPT_COMMAND[*]:-};" != *";_direnv_hook;"* ]]; then
  PROMPT_COMMAND="_direnv_hook${PROMPT_COMMAND:+;$PROMPT_COMMAND}"
fi
PROMPT_COMMAND="_pyenv_hook;$PROMPT_COMMAND"
"""}),
    "bash with starship": ("bash", {".bashrc": r"""
starship_preexec() { STARSHIP_CMD_STATUS=$?; : "$1"; STARSHIP_START_TIME=$EPOCHREALTIME; }
starship_precmd() { STARSHIP_CMD_STATUS=$? STARSHIP_PIPE_STATUS=(${PIPESTATUS[@]}); eval "$_PRESERVED_PROMPT_COMMAND"
  PS1="\[\e[1;36m\]\w\[\e[0m\] \n\[\e[1;32m\]❯\[\e[0m\] "; STARSHIP_END=$(date +%s); }
dbg_trap="$(trap -p DEBUG | cut -d' ' -f3 | tr -d \')"
trap 'starship_preexec "$_"' DEBUG
_PRESERVED_PROMPT_COMMAND=$PROMPT_COMMAND
PROMPT_COMMAND="starship_precmd"
"""}),
    "bash-preexec, DEBUG trap": ("bash", {".bashrc": r"""
set -o functrace
__bp_preexec_invoke_exec() { :; }
trap '__bp_preexec_invoke_exec "$_"' DEBUG
PROMPT_COMMAND=$'__bp_precmd_invoke_cmd\n'"$PROMPT_COMMAND"
__bp_precmd_invoke_cmd() { local r=$?; history -a; return $r; }
"""}),
    "zsh with oh-my-zsh, p10k": ("zsh", {".zshrc": r"""
[[ -r "${XDG_CACHE_HOME:-$HOME/.cache}/p10k-instant-prompt-${(%):-%n}.zsh" ]] && source nothing
setopt auto_cd multios prompt_subst auto_pushd extended_history share_history correct_all
autoload -Uz compinit colors add-zsh-hook vcs_info edit-command-line && colors
compinit -u -d $HOME/.zcompdump
zstyle ':completion:*' menu select
precmd() { vcs_info; print -Pn "\e]0;%~\a" }
preexec() { print -Pn "\e]0;$1\a" }
add-zsh-hook precmd _omz_async; _omz_async() { : }
POWERLEVEL9K_INSTANT_PROMPT=quiet
PROMPT='%{$fg[cyan]%}%c%{$reset_color%} ${vcs_info_msg_0_}%(?.%F{green}.%F{red})❯%f '
RPROMPT='%D{%H:%M:%S}'
TMOUT=3600
zle-line-init() { zle reset-prompt }; zle -N zle-line-init
bindkey -v; KEYTIMEOUT=1
"""}),
    "fish with a prompt and abbreviations": ("fish", {".config/fish/config.fish": r"""
if status is-interactive
    set -g fish_greeting hello
    abbr -a gs 'git status'
    fish_vi_key_bindings
    function fish_prompt; set_color green; echo -n (prompt_pwd); set_color normal; echo -n ' > '; end
    function fish_right_prompt; date +%H:%M; end
    function on_pwd --on-variable PWD; true; end
end
"""}),
    "a keychain that starts an agent": ("bash", {".bashrc": r"""
if [ -z "$SSH_AUTH_SOCK" ]; then eval "$(ssh-agent -s 2>/dev/null)" > /dev/null; fi
(sleep 60; echo late) & disown
sleep 60 &
trap 'kill $SSH_AGENT_PID 2> /dev/null' EXIT
"""}),
    "a screen that is cleared": ("bash", {".bashrc": "clear; printf '\\e[2J\\e[H\\e[?1049h\\e[?1049l'; tput reset 2> "
                                                     "/dev/null; echo welcome\n"}),
    "10 MB at the start": ("bash", {".bashrc": "head -c 10000000 /dev/urandom | base64\n"}),
    "another directory": ("bash", {".bashrc": "mkdir -p ~/work; cd ~/work\n"}),
    "stty -echo": ("bash", {".bashrc": "stty -echo\n"}),
    "stty raw, sane after": ("bash", {".bashrc": "stty raw; sleep 0.5; stty sane\n"}),
    "set -u, set -o": ("bash", {".bashrc": "set -u; set -o noclobber noglob; set -f\n"}),
    "set -v": ("bash", {".bashrc": "set -v\n"}),
    "posix mode": ("bash", {".bashrc": "set -o posix\n"}),
    "PROMPT_COMMAND replaced, an array": ("bash", {".bashrc": "PROMPT_COMMAND=(true 'printf \"\"' : )\n"}),
    "readonly PS1": ("bash", {".bashrc": "PS1='mine> '; readonly PS1\n"}),
    "readonly PROMPT_COMMAND": ("bash", {".bashrc": "PROMPT_COMMAND='true'; readonly PROMPT_COMMAND\n"}),
    "readonly all": ("bash", {".bashrc": "PS1='$ '; PS0=''; PROMPT_COMMAND=:; readonly PS0 PS1 PROMPT_COMMAND "
                                         "HISTFILE HISTCONTROL\n"}),
    "readonly unset": ("bash", {".bashrc": "readonly PROMPT_COMMAND PS1\n"}),
    "zsh, readonly PS1": ("zsh", {".zshrc": "PS1='mine> '; readonly PS1\n"}),
    "zsh, readonly hooks": ("zsh", {".zshrc": "typeset -ga precmd_functions preexec_functions; "
                                              "readonly precmd_functions preexec_functions\n"}),
    "zsh, readonly all": ("zsh", {".zshrc": "PS1='$ '; typeset -ga precmd_functions; readonly PS1 precmd_functions\n"}),
    "dash, readonly PS1": ("dash", {".profile": "PS1='mine> '; readonly PS1\n"}),
    "standard input taken away": ("bash", {".bashrc": "exec 3<&0; exec < /dev/null; exec <&3\n"}),
    "output sent elsewhere": ("bash", {".bashrc": "exec > >(cat)\n"}),
    "a syntax error": ("bash", {".bashrc": "echo 'one\nif then\n"}),
    "a trap on every signal": ("bash", {".bashrc": "trap : INT QUIT TERM HUP USR1 WINCH CHLD\n"}),
}
ODD = ("output sent elsewhere", "set -v")


def real():
    """5.2, 16: exact in all of them."""
    for name, (shell, files) in check.beside(REAL.items()):
        if not SHELLS[shell]:
            continue
        with step(f"real ones: {name}"), Home(files, shell) as place:
            if shell == "dash":
                place.new(shell="dash", login=True)
            results = place.several(5)
            check_truth(place, results, name not in ODD)  # what goes through a program comes when it likes
            if name not in ODD:
                check_exact(place, results)
                check_usable(place, (lambda n: f"sh -c 'exit {n}'") if shell == "fish" else (lambda n: f"(exit {n})"))
                result = place.run("sleep 20", timeout_ms=600)
                check.need(result["status"] in ("timed_out", "interrupted"), result)
                result = place.run("echo after; (exit 3)" if shell != "fish" else "echo after; sh -c 'exit 3'")
                check.need((result["output"], result["exit_code"]) == ("after\n", 3), result)


# ---- misfortunes ----


def misfortunes():
    """Whoever ends during the start: what was queued is not run behind anybody's back."""
    with step("the session is closed during its start"), Home({".bashrc": "sleep 3\n"}) as place:
        number = place.start("execute_command", command=place.text("n0"), timeout_ms=60000)
        place.until(lambda: place.tool("list_sessions")["sessions"], "the session is there")
        session = place.tool("list_sessions")["sessions"][0]["id"]
        place.tool("close_session", session_id=session, force=True)
        answer = place.finish(number)["result"]["structuredContent"]
        check.need(state_of(answer) in ("session_closed", "session_exited"), answer)
        time.sleep(3.5)
        check.need(place.ran() == [], place.ran())
    with step("a queued call is cancelled"), Home({".bashrc": "sleep 2\n"}) as place:
        for more in ({}, {"timeout_ms": 0}, {"timeout_ms": 600000, "yield_ms": 50000}):
            number = place.start("execute_command", command=place.text("n0"), **more)
            time.sleep(0.1)
            place.link.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": number}})
        check.need(place.run(place.text("n1"))["exit_code"] == 0, "the next one")
        check.need(place.ran() == ["n1"], place.ran())
    with daemon.Home(TENON_CONSENT="allow", SHELL="/bin/bash") as home:
        folder = tempfile.mkdtemp(prefix="tenon-start-")
        with open(os.path.join(folder, ".bashrc"), "w", encoding="utf-8") as file:
            file.write("sleep 3\n")
        home.env["HOME"] = folder
        wrote = os.path.join(folder, "wrote")
        child = home.foreground()
        with step("a client goes while its command waits for the shell"):
            link = links.Stdio([daemon.TENON, "mcp", "terminal"], env=home.env)
            client = terminal.Assistant(link)
            client.begin("execute_command", command=f"echo gone >> {wrote}", timeout_ms=0)
            time.sleep(0.7)
            link.process.kill()
            link.process.wait()
            time.sleep(3.5)
            check.need(not os.path.exists(wrote), "it ran")
        with step("the daemon is killed during the start: the shell goes on, what nobody heard of does not run"):
            link = links.Stdio([daemon.TENON, "mcp", "terminal"], env=home.env)
            client = terminal.Assistant(link)
            number = client.begin("create_session", shell="bash")
            time.sleep(0.6)
            session = client.use("list_sessions")["sessions"][0]["id"]
            told = client.run(f"echo told >> {wrote}", session_id=session, yield_ms=0, timeout_ms=60000)
            check.need((told["status"], told["queued_for"]) == ("queued", "shell_start"), told)
            client.begin("execute_command", command=f"echo lost >> {wrote}", session_id=session, timeout_ms=60000)
            time.sleep(0.3)
            os.kill(child.pid, signal.SIGKILL)
            child.wait()
            link.process.kill()
            link.process.wait()
            home.foreground()
            link = links.Stdio([daemon.TENON, "mcp", "terminal"], env=home.env)
            client = terminal.Assistant(link)
            daemon.wait_until(lambda: client.states().get(session) == "idle", "it comes to its prompt", 20)
            client.run(f"echo after >> {wrote}", session_id=session)
            with open(wrote, encoding="utf-8") as file:
                check.need(file.read().split() == ["told", "after"], "what ran")
            done = client.use("wait_for", command_id=told["command_id"], until="exit")
            check.need(done["command"]["status"] == "completed", done)
            link.close()
        home.stop()
        shutil.rmtree(folder)
    with step("Ctrl-C to a start file: the shell is ready, and exact"), Home({".bashrc": "sleep 30\nMINE=1\n"}) as place:
        session = place.new()
        place.tool("signal", session_id=session, signal="INT")
        check_exact(place, place.several(3, session_id=session))
    with step("Ctrl-C typed to a start file that asks"), Home({".bashrc": "read x\n"}) as place:
        session = place.new()
        place.tool("send_keys", session_id=session, keys=["C-c"])
        check_exact(place, place.several(3, session_id=session))


def stuck():
    """7.1: what cannot be ended has timed out, and says so; another session serves."""
    with step("a loop that ignores signals: timed_out, stuck; if_busy: new_session"), Home({}) as place:
        place.run("true")  # the half second is the command's, not the shell's that starts
        result = place.run("trap '' INT TERM; while :; do :; done", timeout_ms=500, yield_ms=30000)
        check.need((result["status"], result["exit_code"]) == ("timed_out", None), result)
        check.need("stuck" in result["warnings"], result)
        check.need(place.info(result["session_id"])["stuck"], "stuck")
        place.refused("stuck", "execute_command", command="true")
        other = place.run("echo beside; (exit 6)", if_busy="new_session")
        check.need((other["exit_code"], other["output"]) == (6, "beside\n"), other)
        place.ends(result["session_id"], force=True)


def full_disk():
    """7.1, 9: what cannot be handed over is not run and says why; what cannot be kept says so."""
    for part in (fill_up, filled_by_others, old_output_goes):
        with Home({}) as place:
            if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", place.state], check=False,
                              stderr=subprocess.DEVNULL).returncode:
                print("start_files: skipped: a full disk cannot be made here", flush=True)
                return
            try:
                part(place, os.path.join(place.state, "filler"))
            finally:
                subprocess.run(["umount", "-l", place.state], check=True)


def fill(filler):
    """All that the disk has left is in this file then."""
    with open(filler, "ab", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError as error:
            check.need(error.errno == errno.ENOSPC, error)


GAVE = "the oldest output of terminals was given up"


def fill_up(place, filler):
    with step("a full disk: an error that says so, and nothing is run"):
        check.need(place.run(place.text("n0"))["exit_code"] == 0, "before")
        fill(filler)
        for _ in range(3):
            error = place.refused("io_error", "execute_command", command=place.text("n1"))
            check.need("No space left on device" in error["message"] and "not run" in error["message"], error)
        check.need(place.ran() == ["n0"], place.ran())
        os.unlink(filler)
        result = place.run(place.text("n2"))
        check.need((result["status"], result["exit_code"], result["output"]) == ("completed", 0, "out-n2\n"), result)
        check.need(place.ran() == ["n0", "n2"], place.ran())
    with step("a flood on a small disk: the oldest output is given up, once said, and nobody waits"):
        old = place.run("seq 1 200000; echo old", timeout_ms=0, yield_ms=30000)
        check.need((old["status"], old["warnings"]) == ("completed", []), str(old)[-600:])
        result = place.run("seq 1 2000000; echo end; (exit 5)", timeout_ms=0, yield_ms=50000)
        check.need((result["status"], result["exit_code"]) == ("completed", 5), str(result)[-600:])
        check.need(result["warnings"] == ["disk_full"], str(result)[-600:])
        check.need(result["output"].endswith("1999999\n2000000\nend\n") and result["gap_bytes"] > 10 << 20,
                   str(result)[-600:])
        again = place.tool("get_terminal_output", command_id=old["command_id"])
        check.need(again["gap_bytes"] > 0, str(again)[-600:])
        after = place.run("echo on")
        check.need((after["output"], after["warnings"]) == ("on\n", []), after)
        check.need(place.said().count("was given up") == 1, place.said())


def filled_by_others(place, filler):
    def told(command):
        answer = place.ask("resources/read", uri=f"terminal://command/{command}")
        return json.loads(answer["result"]["contents"][0]["text"])

    with step("a disk that others have filled: the program waits and its result says so; with room it goes on"):
        begun = place.run("read x; seq 1 200000; echo end; (exit 3)", timeout_ms=0, yield_ms=50000)
        check.need(begun["status"] == "waiting_input", begun)
        fill(filler)
        place.tool("send_keys", text="go", enter=True)
        place.until(lambda: "the disk is full" in place.said(), "it waits, and the log says so")
        waits = told(begun["command_id"])
        check.need((waits["status"], waits["exit_code"], waits["warnings"]) == ("running", None, ["disk_full"]), waits)
        check.need("end" not in waits["output"], waits["output"][-200:])
        os.unlink(filler)
        done = place.tool("wait_for", command_id=begun["command_id"], until="exit", timeout_ms=30000)
        check.need((done["command"]["status"], done["command"]["exit_code"]) == ("completed", 3), done)
        result = told(begun["command_id"])
        check.need(result["output"].endswith("199999\n200000\nend\n") and result["warnings"] == ["disk_full"],
                   str(result)[-600:])
        check.need((place.said().count("the disk is full"), place.said().count(GAVE)) == (1, 1), place.said())
        after = place.run("echo on")
        check.need((after["output"], after["warnings"]) == ("on\n", []), after)


def old_output_goes(place, filler):
    def flood(**more):
        """The disk is full, and nearly all of it is this output."""
        if os.path.exists(filler):
            os.unlink(filler)
        result = place.run("seq 1 800000; echo flooded", timeout_ms=0, yield_ms=50000, **more)
        check.need(result["status"] == "completed" and result["output"].endswith("flooded\n"), str(result)[-600:])
        fill(filler)
        return result

    def goes_on(**more):
        number = f"n{len(place.ran())}"
        result = place.run(place.text(number), **more)
        check.need((result["status"], result["exit_code"], result["output"]) == ("completed", 0, f"out-{number}\n"), result)
        check.need(place.ran()[-1:] == [number], place.ran())
        return result

    with step("a full disk with old output: it goes for a command, and is said to"):
        old = flood()
        said = place.said().count(GAVE)
        check.need(goes_on()["warnings"] == ["disk_full"] and place.said().count(GAVE) == said + 1, place.said())
        check.need(place.tool("get_terminal_output", command_id=old["command_id"])["gap_bytes"] > 0, "what is gone")
        check.need(goes_on()["warnings"] == [], "there is room")
    with step("a full disk with old output: it goes for new sessions and what runs in them"):
        flood()
        goes_on(session_id=place.new())
        flood()
        check.need(place.run("echo alone", isolated=True)["output"] == "alone\n", "isolated")
    with step("a full disk with old output of a session that is closed: it goes, too"):
        session = place.new()
        flood(session_id=session)
        place.ends(session)
        goes_on()
        flood(session_id=place.new())
        place.ends(old["session_id"])
        goes_on(session_id=place.new())


PARTS = {"full_disk": full_disk, "slow": slow, "asks": asks, "never": never, "ends": ends, "become": become, "real": real,
         "misfortunes": misfortunes, "stuck": stuck}

for part in sys.argv[1:] or PARTS:
    with step(part):
        PARTS[part]()
sys.exit(check.failures > 0)
