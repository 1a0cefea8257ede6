"""drivers.py - how each host is told to use the stand-in model, and how it is run without a person.

A way is a host in one of its modes. Every way starts from what `tenon install` writes; a driver adds to the
host's settings what points it to the model on 127.0.0.1, and keeps it from asking for anything else."""
import json
import os

import dialects

HERE = os.path.dirname(os.path.abspath(__file__))
MODULES = os.path.join(HERE, "node_modules")
NODE = os.path.join(HERE, "..", "..", "tools", "node.sh")
PROMPT = "Please do the task."


def _machine():
    return {"x86_64": "x64", "aarch64": "arm64"}.get(os.uname().machine, os.uname().machine)


def _module(*parts):
    return os.path.join(MODULES, *parts)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class Driver:
    """`settings` is the file that `tenon install` changes, below the home folder."""

    install = title = settings = ""
    note = ""

    def prepare(self, home, url):
        """Writes the host's own settings; tenon install comes after."""

    def environment(self, url):
        return {}

    def http_entry(self, url, token):
        """The entry for HTTP, as docs/connect.md has it."""
        return {"mcpServers": {"tenon": {"type": "http", "url": url,
                                         "headers": {"Authorization": "Bearer " + token}}}}

    def tap(self, text, words):
        """The settings with `words` before the command that tenon install has written."""
        entry = json.loads(text)
        place = entry["mcpServers"]["tenon"]
        command = [*words, place["command"], *place["args"]]
        place["command"], place["args"] = command[0], command[1:]
        return json.dumps(entry)


class ClaudeCode(Driver):
    install, title, settings = "claude-code", "Claude Code", ".claude.json"
    package = "@anthropic-ai/claude-code-linux-" + _machine()
    dialect = dialects.Anthropic

    def __init__(self, all_tools=False):
        self.all_tools = all_tools

    def program(self):
        return [_module(self.package, "claude")]

    def environment(self, url):
        found = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "stand-in", "DISABLE_AUTOUPDATER": "1",
                 "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
        return {**found, "ENABLE_TOOL_SEARCH": "false"} if self.all_tools else found

    def command(self):
        return [*self.program(), "-p", PROMPT, "--allowedTools", "mcp__tenon"]


class Codex(Driver):
    install, title, settings = "codex", "Codex", ".codex/config.toml"
    package = "@openai/codex-linux-" + _machine()
    dialect = dialects.Responses

    def __init__(self, model=None):
        self.model = model

    def program(self):
        vendor = _module(self.package, "vendor")
        return [os.path.join(vendor, os.listdir(vendor)[0], "bin", "codex")]

    def prepare(self, home, url):
        write(os.path.join(home, self.settings), (f'model = "{self.model}"\n' if self.model else "") + f"""\
model_provider = "stand-in"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.stand-in]
name = "a stand-in"
base_url = "{url}/v1"
env_key = "STAND_IN_KEY"
wire_api = "responses"
""")

    def environment(self, url):
        return {"STAND_IN_KEY": "stand-in"}

    def command(self):
        return [*self.program(), "exec", "--skip-git-repo-check", PROMPT]

    def http_entry(self, url, token):
        return f'\n[mcp_servers.tenon]\nurl = "{url}"\nhttp_headers = {{ Authorization = "Bearer {token}" }}\n'

    def tap(self, text, words):
        lines = text.splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith("command = "))
        command = json.loads(lines[at].partition("= ")[2])
        words = [*words, command, *json.loads(lines[at + 1].partition("= ")[2])]
        lines[at:at + 2] = [f"command = {json.dumps(words[0])}", f"args = {json.dumps(words[1:])}"]
        return "\n".join(lines) + "\n"


class GeminiCli(Driver):
    install, title, settings = "gemini", "Gemini CLI", ".gemini/settings.json"
    package = "@google/gemini-cli"
    dialect = dialects.Gemini

    def program(self):
        return [NODE, _module(self.package, "bundle", "gemini.js")]

    def prepare(self, home, url):
        write(os.path.join(home, self.settings), json.dumps({
            "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
            "general": {"enableAutoUpdate": False}, "privacy": {"usageStatisticsEnabled": False}}))

    def environment(self, url):
        return {"GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": "stand-in"}

    def command(self):
        return [*self.program(), "-p", PROMPT, "--yolo", "-m", "gemini-2.5-pro"]

    def http_entry(self, url, token):
        return {"mcpServers": {"tenon": {"httpUrl": url, "headers": {"Authorization": "Bearer " + token}}}}


class Opencode(Driver):
    install, title, settings = "opencode", "opencode", ".config/opencode/opencode.json"
    package = "opencode-linux-x64-baseline" if _machine() == "x64" else "opencode-linux-arm64"
    dialect = dialects.Chat

    def program(self):
        return [_module(self.package, "bin", "opencode")]

    def prepare(self, home, url):
        model = {"name": "a stand-in", "tool_call": True, "attachment": True,
                 "modalities": {"input": ["text", "image"], "output": ["text"]},
                 "limit": {"context": 200000, "output": 8000}}
        write(os.path.join(home, self.settings), json.dumps({
            "autoupdate": False, "share": "disabled", "model": "stand-in/model",
            "provider": {"stand-in": {"npm": "@ai-sdk/openai-compatible", "name": "a stand-in",
                                      "options": {"baseURL": url + "/v1", "apiKey": "stand-in"},
                                      "models": {"model": model}}}}))

    def environment(self, url):
        return {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1"}

    def command(self):
        return [*self.program(), "run", PROMPT]

    def http_entry(self, url, token):
        return {"mcp": {"tenon": {"type": "remote", "url": url, "enabled": True,
                                  "headers": {"Authorization": "Bearer " + token}}}}

    def tap(self, text, words):
        entry = json.loads(text)
        entry["mcp"]["tenon"]["command"] = [*words, *entry["mcp"]["tenon"]["command"]]
        return json.dumps(entry)


# By the name in the table.
WAYS = {
    "claude-code": ClaudeCode(),
    "claude-code, all tools": ClaudeCode(all_tools=True),
    "codex": Codex(),
    "codex, gpt-5.5": Codex("gpt-5.5"),
    "codex, other models": Codex("stand-in"),
    "gemini-cli": GeminiCli(),
    "opencode": Opencode(),
}
# As they come out of the box.
DEFAULTS = ("claude-code", "codex", "gemini-cli", "opencode")
