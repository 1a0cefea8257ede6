/* Host profiles: paths, entries and snippets. What is written to whole files is shown by
 * tests/cli/install.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/size.h"
#include "host/settings/hosts_entry.h"
#include "store/file.h"

static char home[] = "/tmp/tenon-hosts-XXXXXX";
static struct tenon_error err;
static struct tn_hosts *hosts;
static struct tn_buf out;

static const struct tn_host_entry entry = {
	.name = "tenon", .command = "/opt/tenon", .url = "http://127.0.0.1:7777"};

static void load(void)
{
	tn_hosts_free(hosts);
	hosts = NULL;
	assert_int_equal(tn_hosts_load(&hosts, &err), TENON_OK);
}

static void make(const char *name, const char *text)
{
	char path[PATH_MAX];
	char *slash;

	(void)snprintf(path, sizeof(path), "%s/%s", home, name);
	slash = strrchr(path, '/');
	*slash = '\0';
	assert_int_equal(tn_dir_create(path, 0700, &err), TENON_OK);
	*slash = '/';
	if (text)
		assert_int_equal(tn_file_write(path, 0600, tn_str_from(text), &err), TENON_OK);
}

static const struct tn_host *host(const char *id)
{
	const struct tn_host *found = tn_hosts_find(hosts, id);

	assert_non_null(found);
	return found;
}

static void assert_path(const char *id, const char *wanted)
{
	char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/%s", home, wanted);
	assert_string_equal(host(id)->path, path);
}

static int set_up_all(void **state)
{
	(void)state;
	(void)unsetenv("XDG_CONFIG_HOME");
	(void)unsetenv("CODEX_HOME");
	(void)unsetenv("CLAUDE_CONFIG_DIR");
	(void)unsetenv("CLINE_MCP_SETTINGS_PATH");
	tn_buf_init(&out, TN_MIB);
	return mkdtemp(home) && setenv("HOME", home, 1) == 0 ? 0 : -1;
}

static int tear_down_all(void **state)
{
	static const char *const made[] = {
		".cursor/mcp.json",
		".cursor",
		".cline/data/settings",
		".cline/data",
		".cline",
		".claude",
		".config/tenon/hosts.d/a.json",
		".config/tenon/hosts.d",
		".config/tenon",
		".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings",
		".config/Code/User/globalStorage/saoudrizwan.claude-dev",
		".config/Code/User/globalStorage",
		".config/Code/User",
		".config/Code",
		".config",
		"",
	};

	(void)state;
	tn_hosts_free(hosts);
	tn_buf_finish(&out);
	for (size_t i = 0; i < TN_COUNT(made); i++) {
		char path[PATH_MAX];

		(void)snprintf(path, sizeof(path), "%s/%s", home, made[i]);
		if (rmdir(path) != 0)
			(void)unlink(path);
	}
	return access(home, F_OK) == 0 ? -1 : 0;
}

static void test_paths(void **state)
{
	(void)state;
	load();
	assert_int_equal(hosts->count, 8);
	assert_path("claude-desktop", ".config/Claude/claude_desktop_config.json");
	assert_path("claude-code", ".claude.json");
	assert_path("vscode", ".config/Code/User/mcp.json");
	assert_path("cursor", ".cursor/mcp.json");
	assert_path("cline", ".cline/data/settings/cline_mcp_settings.json");
	assert_path("codex", ".codex/config.toml");
	assert_path("gemini", ".gemini/settings.json");
	for (size_t i = 0; i < hosts->count; i++)
		assert_false(hosts->list[i].is_here);
	assert_null(tn_hosts_find(hosts, "emacs"));
	assert_string_equal(tn_hosts_near(hosts, "cursr"), "cursor");
}

static void test_what_is_here(void **state)
{
	(void)state;
	make(".claude/x", NULL);
	make(".cursor/mcp.json", "{}");
	make(".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/x", NULL);
	load();
	assert_true(host("claude-code")->is_here);
	assert_true(host("cursor")->is_here);
	assert_true(host("vscode")->is_here);
	assert_false(host("gemini")->is_here);
	/* Cline's older folder, until there is the newer one. */
	assert_path("cline", ".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/"
			     "cline_mcp_settings.json");
	make(".cline/data/settings/x", NULL);
	load();
	assert_path("cline", ".cline/data/settings/cline_mcp_settings.json");
}

static void test_variables(void **state)
{
	(void)state;
	assert_int_equal(setenv("CODEX_HOME", "/elsewhere", 1), 0);
	assert_int_equal(setenv("XDG_CONFIG_HOME", "/config", 1), 0);
	load();
	assert_string_equal(host("codex")->path, "/elsewhere/config.toml");
	assert_string_equal(host("vscode")->path, "/config/Code/User/mcp.json");
	assert_int_equal(unsetenv("CODEX_HOME"), 0);
	assert_int_equal(unsetenv("XDG_CONFIG_HOME"), 0);
}

static void assert_snippet(const char *id, bool http, const char *wanted)
{
	tn_buf_clear(&out);
	assert_int_equal(tn_host_put_snippet(host(id), &entry, http, &out, &err), TENON_OK);
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data, wanted);
}

static void test_snippets(void **state)
{
	(void)state;
	load();
	assert_snippet(
		"claude-desktop", false,
		"{\n  \"mcpServers\": {\n    \"tenon\": {\n"
		"      \"command\": \"/opt/tenon\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n");
	assert_snippet("vscode", true,
		       "{\n  \"servers\": {\n    \"tenon\": {\n      \"type\": \"http\",\n"
		       "      \"url\": \"http://127.0.0.1:7777/mcp\",\n      \"headers\": {\n"
		       "        \"Authorization\": \"Bearer <TOKEN>\"\n      }\n    }\n  }\n}\n");
	assert_snippet("codex", false,
		       "[mcp_servers.tenon]\ncommand = \"/opt/tenon\"\nargs = [\"mcp\"]\n");
	assert_snippet("codex", true,
		       "[mcp_servers.tenon]\nurl = \"http://127.0.0.1:7777/mcp\"\n"
		       "http_headers = { \"Authorization\" = \"Bearer <TOKEN>\" }\n");
	/* One list has the command and its words. */
	assert_snippet("opencode", false,
		       "{\n  \"mcp\": {\n    \"tenon\": {\n      \"type\": \"local\",\n"
		       "      \"command\": [\"/opt/tenon\", \"mcp\"],\n      \"enabled\": true\n"
		       "    }\n  }\n}\n");
	assert_null(host("claude-desktop")->http);
}

static void test_own_profiles(void **state)
{
	static const char profile[] =
		"{\"id\": \"cursor\", \"name\": \"My Cursor\", \"format\": \"json\", // mine\n"
		"\"key\": [\"a\", \"b\"], \"paths\": {\"linux\": [\"{home}/mine.json\"],\n"
		"\"macos\": [\"{home}/mine.json\"], \"windows\": [\"{home}/mine.json\"]},\n"
		"\"stdio\": {\"run\": [\"{command}\"], \"on\": true}, \"steps\": [\"{path}\"]}";

	(void)state;
	make(".config/tenon/hosts.d/a.json", profile);
	load();
	assert_int_equal(hosts->count, 8);
	assert_string_equal(host("cursor")->name, "My Cursor");
	assert_path("cursor", "mine.json");
	assert_null(host("cursor")->http);
	make(".config/tenon/hosts.d/a.json", "{\"id\": \"new\",\n\"name\" 1}");
	assert_int_equal(tn_hosts_load(&hosts, &err), TENON_INVALID);
	assert_non_null(strstr(err.message, "hosts.d/a.json: line 2"));
	make(".config/tenon/hosts.d/a.json", "{\"id\": \"new\", \"name\": \"N\"}");
	assert_int_equal(tn_hosts_load(&hosts, &err), TENON_INVALID);
	assert_string_equal(err.message,
			    "hosts.d/a.json: a host needs \"format\": \"json\" or \"toml\"");
	/* One wrong profile does not take the others' set-up away. */
	tn_buf_clear(&out);
	assert_int_equal(tn_hosts_write("/opt/tenon", "http://127.0.0.1:7780", true, &out, &err),
			 TENON_INVALID);
	tn_buf_clear(&out);
	assert_int_equal(tn_hosts_write("/opt/tenon", "http://127.0.0.1:7780", false, &out, &err),
			 TENON_OK);
	make(".config/tenon/hosts.d/a.json", "{\"hosts\": []}");
	load();
}

static bool is_ours(const char *id, const char *text)
{
	struct tn_arena arena;
	struct tn_json *json = NULL;
	bool ours;

	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(text), &json, &err), TENON_OK);
	ours = tn_host_entry_is_ours(host(id), json);
	tn_arena_finish(&arena);
	return ours;
}

/* HO-012: what a person wrote is not taken for an entry of ours. */
static void test_ours(void **state)
{
	(void)state;
	load();
	assert_true(is_ours("cursor",
			    "{\"command\":\"/old/tenon\",\"args\":[\"mcp\",\"plan\"],\"x\":1}"));
	assert_false(is_ours("cursor", "{\"command\":\"tenon\",\"args\":[\"mcp\"]}"));
	assert_false(is_ours("cursor", "{\"command\":\"/a/tenon\",\"args\":[\"serve\"]}"));
	assert_false(is_ours("cursor", "{\"command\":\"/a/tenon\",\"args\":[]}"));
	assert_false(is_ours("gemini", "{\"httpUrl\":\"http://x\",\"command\":\"/a/tenon\","
				       "\"args\":[\"mcp\"]}"));
	assert_false(is_ours("codex", "{\"url\":\"http://127.0.0.1:7777/mcp\"}"));
	assert_true(is_ours("opencode", "{\"type\":\"local\",\"command\":[\"/a/tenon\",\"mcp\"]}"));
	assert_false(is_ours("opencode", "{\"type\":\"local\",\"command\":[\"/a/tenon\"]}"));
	assert_false(is_ours("opencode", "{\"command\":[]}"));
}

/* ST-018: every host has its steps, the last of which says how to see that it works. */
static void test_resource(void **state)
{
	struct tn_arena arena;
	struct tn_json *root = NULL;
	const struct tn_json *list;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	tn_buf_clear(&out);
	assert_int_equal(tn_hosts_write("/opt/tenon", "http://127.0.0.1:7780", true, &out, &err),
			 TENON_OK);
	assert_int_equal(tn_json_parse_copy(&arena, tn_buf_str(&out), &root, &err), TENON_OK);
	list = tn_json_get(root, "hosts");
	assert_int_equal(list->count, 8);
	for (const struct tn_json *item = list->first; item; item = item->next) {
		const struct tn_json *steps = tn_json_get(item, "steps");
		const struct tn_json *last = steps->first;

		while (last->next)
			last = last->next;
		assert_true(steps->count >= 3);
		assert_true(tn_str_starts(last->text, TN_STR("Does it work? ")));
		assert_true(tn_str_find(last->text, TN_STR("http://127.0.0.1:7780/health")) !=
			    TN_STR_NONE);
		assert_int_equal(tn_str_find_byte(last->text, '{'), TN_STR_NONE);
		assert_non_null(tn_json_get(item, "snippet"));
		assert_non_null(tn_json_get(item, "path"));
	}
	/* Claude Desktop takes local commands only. */
	assert_int_equal(tn_json_get(list->first, "httpSnippet")->type, TN_JSON_NULL);
	assert_true(tn_str_find(tn_json_get(list->first->next, "httpSnippet")->text,
				TN_STR("http://127.0.0.1:7780/mcp")) != TN_STR_NONE);
	tn_arena_finish(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths),     cmocka_unit_test(test_what_is_here),
		cmocka_unit_test(test_variables), cmocka_unit_test(test_snippets),
		cmocka_unit_test(test_resource),  cmocka_unit_test(test_own_profiles),
		cmocka_unit_test(test_ours),
	};

	return cmocka_run_group_tests(tests, set_up_all, tear_down_all);
}
