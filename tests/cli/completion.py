#!/usr/bin/env python3
"""completion.py - what Tab offers, in real shells: bash, and zsh and fish where they are installed."""
import os
import pty
import select
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../lib"))
import check  # noqa: E402
import daemon  # noqa: E402

SUITE = "completion"


def words(home, *typed):
    text = home.tenon("completion", "--words", "--", *typed).stdout
    return [line.split("\t")[0] for line in text.splitlines()]


def need_words(found, *wanted):
    for word in wanted:
        check.need(word in found, f"{word!r} is not among {found}")


def test_words(home):
    with check.Step(SUITE, "verbs, topics, shells"):
        need_words(words(home, ""), "call", "status", "completion", "--help")
        check.need(words(home, "sta") == ["status"], words(home, "sta"))
        need_words(words(home, "help", ""), "call", "exit-codes")
        check.need(words(home, "completion", "") == ["bash", "zsh", "fish"], "shells")
        check.need(words(home, "dance", "") == [], "nothing is known of it")
    with check.Step(SUITE, "options, and the values they take"):
        need_words(words(home, "logs", "-"), "--follow", "--level", "--json", "--help")
        need_words(words(home, "logs", "--level", ""), "debug", "warning")
        check.need(words(home, "logs", "--level", "w") == ["warning"], "one value")
        check.need(words(home, "read", "a://b", "-o", "") == [":files"], "files")
        need_words(words(home, "plan", "explain", "--fo"), "--format")
        check.need(words(home, "plan", "explain", "x") == [":files"], "files")
    with check.Step(SUITE, "without a daemon nothing is started, and nothing takes long"):
        start = time.monotonic()
        check.need(words(home, "call", "") == [], "tools without a daemon")
        check.need_soon(start, 2)
        check.need(home.discovery_or_none() is None, "a daemon was started")
    home.tenon("up")
    with check.Step(SUITE, "apps, tools, arguments, values, resources of the running daemon"):
        need_words(words(home, "call", ""), "plan.", "terraform_explain")
        need_words(words(home, "call", "plan.terraform_e"), "plan.terraform_explain")
        need_words(words(home, "call", "plan.terraform_explain", ""), "plan_text=", "audience=")
        need_words(words(home, "call", "plan.terraform_explain", "audience="),
                   "audience=non_technical", "audience=developer")
        check.need(words(home, "call", "plan.terraform_explain", "plan_text=@") == [":files"],
                   "files after @")
        need_words(words(home, "tools", "pl"), "plan")
        need_words(words(home, "read", "tenon://st"), "tenon://status")
        need_words(words(home, "mcp", ""), "plan")


def in_bash(home, line):
    """The replies for a line that is typed so far, as readline would put them together."""
    script = (f'source <("{daemon.TENON}" completion bash)\n'
              "compopt() { :; }\n"
              f"COMP_LINE={line!r} COMP_POINT={len(line)}\n_tenon\n"
              'printf "%s\\n" "${COMPREPLY[@]}"\n')
    path = {**home.env, "PATH": os.path.dirname(daemon.TENON) + ":" + os.environ["PATH"]}
    done = subprocess.run(["bash", "--norc", "-c", script], env=path, capture_output=True,
                          encoding="utf-8", timeout=30, check=False, cwd=home.folder)
    check.need(done.returncode == 0 and not done.stderr, done.stderr)
    return done.stdout.splitlines()


def test_bash(home):
    with check.Step(SUITE, "bash"):
        need_words(in_bash(home, "tenon st"), "status")
        need_words(in_bash(home, "tenon call plan.terraform_expl"), "plan.terraform_explain")
        # What stands before the last = : or @ is not replaced.
        need_words(in_bash(home, "tenon call plan.terraform_explain audience="), "developer")
        need_words(in_bash(home, "tenon read tenon:"), "//status")
        need_words(in_bash(home, "tenon read tenon://st"), "//status")
        with open(home.path("a plan.txt"), "w", encoding="utf-8"):
            pass
        need_words(in_bash(home, "tenon plan explain a"), "a plan.txt")
        need_words(in_bash(home, "tenon call plan.terraform_explain plan_text=@a"), "a plan.txt")


class Shell:
    """An interactive shell on a terminal."""

    def __init__(self, argv, env, folder):
        self.screen = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                os.chdir(folder)
                os.execvpe(argv[0], argv, env)
            finally:
                os._exit(127)

    def type(self, text):
        os.write(self.fd, text.encode())

    def wait_for(self, text, seconds=20):
        deadline = time.monotonic() + seconds
        while text.encode() not in self.screen:
            check.need(time.monotonic() < deadline, f"{text!r} did not come: {self.screen[-800:]!r}")
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    self.screen += os.read(self.fd, 65536)
                except OSError:
                    deadline = 0
        self.screen = b""

    def end(self):
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


def test_zsh(home):
    if not shutil.which("zsh"):
        return
    with check.Step(SUITE, "zsh"):
        env = {**home.env, "TERM": "xterm", "PS1": "ready> ",
               "PATH": os.path.dirname(daemon.TENON) + ":" + os.environ["PATH"]}
        shell = Shell(["zsh", "-f", "-i"], env, home.folder)
        try:
            shell.wait_for("ready> ")
            shell.type("autoload -Uz compinit && compinit -u -D && source <(tenon completion zsh); "
                       "echo so''urced\n")
            shell.wait_for("sourced")
            shell.type("tenon sta\t")
            shell.wait_for("tus")
            shell.type("\x15tenon call plan.terraform_explain aud\t")
            shell.wait_for("audience=")
            shell.type("dev\t")
            shell.wait_for("eloper")
            shell.type("\x15tenon read tenon://sta\t")
            shell.wait_for("tus")
        finally:
            shell.end()


def test_fish(home):
    if not shutil.which("fish"):
        return
    with check.Step(SUITE, "fish"):
        env = {**home.env, "TERM": "xterm",
               "PATH": os.path.dirname(daemon.TENON) + ":" + os.environ["PATH"]}
        for line, wanted in (("tenon sta", "status"), ("tenon call plan.terraform_expl",
                                                       "plan.terraform_explain"),
                             ("tenon call plan.terraform_explain audience=d",
                              "audience=developer"), ("tenon read tenon://st", "tenon://status")):
            done = subprocess.run(["fish", "--no-config", "-c",
                                   f"tenon completion fish | source; complete -C '{line}'"], env=env,
                                  capture_output=True, encoding="utf-8", timeout=30, check=False)
            need_words([one.split("\t")[0] for one in done.stdout.splitlines()], wanted)


def main():
    with daemon.Home() as home:
        test_words(home)
        test_bash(home)
        test_zsh(home)
        test_fish(home)
    return 1 if check.failures else 0


sys.exit(main())
