/* Settings: by file, variable and flag, and what is said when they are wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/plan/service/config.h"
#include "base/size.h"
#include "host/settings/config_key.h"
#include "store/file.h"

static char home[] = "/tmp/tenon-config-XXXXXX";
static char path[PATH_MAX];
static struct tenon_error err;
static struct tn_config *config;

static void forget_variables(void)
{
	char scratch[TN_CONFIG_VARIABLE_MAX];

	for (size_t i = 0; i < tn_config_key_count(); i++)
		(void)unsetenv(tn_config_key_variable(tn_config_key_at(i), scratch));
}

static int set_up_all(void **state)
{
	(void)state;
	if (!mkdtemp(home))
		return -1;
	(void)snprintf(path, sizeof(path), "%s/tenon/config.json", home);
	return setenv("XDG_CONFIG_HOME", home, 1);
}

static int tear_down_all(void **state)
{
	(void)state;
	*strrchr(path, '/') = '\0';
	(void)rmdir(path);
	return rmdir(home);
}

static int set_up(void **state)
{
	(void)state;
	forget_variables();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	tn_config_free(config);
	config = NULL;
	(void)unlink(path);
	forget_variables();
	return 0;
}

static void write_file(const char *text)
{
	char folder[PATH_MAX];

	(void)snprintf(folder, sizeof(folder), "%s/tenon", home);
	assert_int_equal(tn_dir_create(folder, 0700, &err), TENON_OK);
	assert_int_equal(tn_file_write(path, 0640, tn_str_from(text), &err), TENON_OK);
}

static void assert_file(const char *wanted)
{
	struct tn_buf text;

	tn_buf_init(&text, TN_MIB);
	assert_int_equal(tn_file_read(path, 0, &text, &err), TENON_OK);
	if (!tn_str_is(tn_buf_str(&text), wanted))
		fail_msg("[%.*s] instead of [%s]", (int)text.size, text.data, wanted);
	tn_buf_finish(&text);
}

static enum tenon_code read_config(const char *const *flags)
{
	tn_config_free(config);
	config = NULL;
	return tn_config_read(NULL, flags, &config, &err);
}

static void assert_refused(const char *text, const char *const *flags, const char *words)
{
	if (text)
		write_file(text);
	assert_int_equal(read_config(flags), TENON_INVALID);
	if (strcmp(err.message, words) != 0)
		fail_msg("[%s] instead of [%s]", err.message, words);
}

static void test_defaults(void **state)
{
	(void)state;
	assert_int_equal(read_config(NULL), TENON_OK);
	assert_string_equal(tn_config_path(config), path);
	assert_int_equal(tn_config_int(config, "http.port"), 7777);
	assert_string_equal(tn_config_text(config, "http.listen"), "127.0.0.1");
	assert_true(tn_config_bool(config, "mcp.enabled"));
	assert_string_equal(tn_config_list(config, "apps")[0], "terminal");
	assert_string_equal(tn_config_list(config, "apps")[1], "plan");
	assert_null(tn_config_list(config, "http.hosts")[0]);
	assert_int_equal(access(path, F_OK), -1); /* reading makes no file */
}

/* A value for each key that is not its default: as a variable, and as JSON. */
static const char *const others[][3] = {
	{"http.port", "7000", "7000"},
	{"http.listen", "::1", "\"::1\""},
	{"http.allow_remote", "yes", "true"},
	{"http.behind_proxy", "1", "true"},
	{"http.hosts", "a.example, b.example:8443", "[\"a.example\",\"b.example:8443\"]"},
	{"http.proxies", "127.0.0.1, ::1", "[\"127.0.0.1\",\"::1\"]"},
	{"http.token_file", "/t", "\"/t\""},
	{"http.token_ttl_s", "60", "60"},
	{"mcp.enabled", "0", "false"},
	{"mcp.fit", "claude-code=both, my-*=image-alone",
	 "[\"claude-code=both\",\"my-*=image-alone\"]"},
	{"mcp.tools", "all", "\"all\""},
	{"apps", ",", "[]"},
	{"log.level", "debug", "\"debug\""},
	{"log.file", "-", "\"-\""},
	{"consent.timeout_s", "5", "5"},
	{"consent.proof", "polkit", "\"polkit\""},
	{"ui.enabled", "off", "false"},
	{"plan.source", "builtin", "\"builtin\""},
	{"plan.llm.base_url", "http://127.0.0.1:9/v1", "\"http://127.0.0.1:9/v1\""},
	{"plan.llm.model", "m", "\"m\""},
	{"plan.llm.api_key_env", "MY_KEY", "\"MY_KEY\""},
	{"plan.llm.keyless", "true", "true"},
	{"plan.llm.timeout_ms", "100", "100"},
	{"plan.llm.max_tokens", "2", "2"},
	{"plan.llm.headers", "X-A: 1\nX-B: 2, 3", "[\"X-A: 1\",\"X-B: 2, 3\"]"},
	{"plan.llm.context_role", "system", "\"system\""},
	{"plan.llm.context_details", "1", "\"on\""},
	{"plan.llm.allow_remote", "no", "false"},
	{"plan.paths", "/a:/b", "[\"/a\",\"/b\"]"},
	{"plan.paths_over_http", "1", "true"},
	{"plan.store_raw", "1", "true"},
	{"plan.keep_days", "0", "0"},
	{"plan.handle_hours", "1", "1"},
	{"terminal.backend", "none", "\"none\""},
	{"terminal.persist", "none", "\"none\""},
	{"terminal.host_grace_s", "0", "0"},
	{"terminal.roots", "/a b:/c", "[\"/a b\",\"/c\"]"},
	{"terminal.shell", "/bin/zsh", "\"/bin/zsh\""},
	{"terminal.allowed_shells", "/bin/sh", "[\"/bin/sh\"]"},
	{"terminal.env.pass", "FOO, AWS_*", "[\"FOO\",\"AWS_*\"]"},
	{"terminal.max_sessions", "10000", "10000"},
	{"terminal.max_sessions_per_caller", "1", "1"},
	{"terminal.idle_timeout_s", "0", "0"},
	{"terminal.closed_retention_s", "0", "0"},
	{"terminal.start_timeout_ms", "100", "100"},
	{"terminal.scrollback_lines", "100000", "100000"},
	{"terminal.max_hold_ms", "100", "100"},
	{"terminal.max_concurrent_calls", "256", "256"},
	{"terminal.rate_per_minute", "0", "0"},
	{"terminal.spool_session_bytes", "1048576", "1048576"},
	{"terminal.spool_total_bytes", "17592186044416", "17592186044416"},
	{"terminal.sandbox", "bubblewrap", "\"bubblewrap\""},
	{"terminal.sandbox_network", "none", "\"none\""},
	{"terminal.limits.processes", "0", "0"},
	{"terminal.limits.files", "1048576", "1048576"},
	{"terminal.limits.file_bytes", "1", "1"},
	{"terminal.limits.memory_bytes", "1125899906842624", "1125899906842624"},
	{"terminal.limits.cpu_s", "1", "1"},
	{"terminal.redact.results", "off", "\"off\""},
	{"terminal.redact.patterns", "a{1,2}\nb", "[\"a{1,2}\",\"b\"]"},
	{"terminal.history.enabled", "no", "false"},
	{"terminal.history.ignore_space_people", "no", "false"},
	{"terminal.history.ignore_space_tools", "yes", "true"},
	{"terminal.history.days", "3650", "3650"},
	{"terminal.history.bytes", "1048576", "1048576"},
	{"studio.terraform.path", "/opt/tofu", "\"/opt/tofu\""},
	{"studio.roots", "/a:/b c", "[\"/a\",\"/b c\"]"},
	{"studio.tools", "core", "\"core\""},
	{"studio.plugin_cache", "/cache", "\"/cache\""},
	{"studio.runs_at_once", "64", "64"},
	{"studio.notifications.destructive", "no", "false"},
	{"studio.prices_url", "http://127.0.0.1:9/p", "\"http://127.0.0.1:9/p\""},
	{"floorplan.roots", "/a:/b", "[\"/a\",\"/b\"]"},
	{"workbench.actuation", "allow", "\"allow\""},
	{"workbench.browser", "/usr/bin/chromium", "\"/usr/bin/chromium\""},
};

/* The value as JSON; secrets are compared as the variable says them. */
static void assert_value(const char *name, const char *json, enum tn_setting_source source)
{
	const struct tn_setting *key = tn_config_key_find(tn_str_from(name));
	size_t index = (size_t)(tn_config_key_index(key));
	struct tn_setting open = *key;
	struct tn_buf out;

	open.secret = false;
	tn_buf_init(&out, TN_MIB);
	tn_config_value_put_json(&open, &config->values[index], &out);
	if (!tn_str_is(tn_buf_str(&out), json))
		fail_msg("%s: %.*s instead of %s", name, (int)out.size, out.data, json);
	assert_int_equal(config->values[index].source, source);
	tn_buf_finish(&out);
}

static void nested(char *out, size_t size, const char *name, const char *json)
{
	size_t used = 0, depth = 0;

	for (size_t length; *name; name += length + (name[length] == '.'), depth++) {
		length = strcspn(name, ".");
		used += (size_t)snprintf(out + used, size - used, "{\"%.*s\":", (int)length, name);
	}
	used += (size_t)snprintf(out + used, size - used, "%s", json);
	while (depth--)
		used += (size_t)snprintf(out + used, size - used, "}");
}

static void test_every_key(void **state)
{
	(void)state;
	assert_int_equal(TN_COUNT(others), tn_config_key_count());
	for (size_t i = 0; i < TN_COUNT(others); i++) {
		const struct tn_setting *key = tn_config_key_find(tn_str_from(others[i][0]));
		const char *flags[] = {others[i][0], others[i][1], NULL};
		char scratch[TN_CONFIG_VARIABLE_MAX], text[512];

		assert_ptr_equal(key, tn_config_key_at(i)); /* in the table's order */
		nested(text, sizeof(text), others[i][0], others[i][2]);
		write_file(text);
		assert_int_equal(read_config(NULL), TENON_OK);
		assert_value(others[i][0], others[i][2], TN_SETTING_FILE);
		assert_int_equal(unlink(path), 0);

		assert_int_equal(setenv(tn_config_key_variable(key, scratch), others[i][1], 1), 0);
		assert_int_equal(read_config(NULL), TENON_OK);
		assert_value(others[i][0], others[i][2], TN_SETTING_ENVIRONMENT);
		forget_variables();

		assert_int_equal(read_config(flags), TENON_OK);
		assert_value(others[i][0], others[i][2], TN_SETTING_FLAG);
	}
}

static void test_precedence(void **state)
{
	const char *const flags[] = {"http.port", "7003", NULL};

	(void)state;
	write_file("{\"http\": {\"port\": 7001}}");
	assert_int_equal(setenv("TENON_HTTP_PORT", "7002", 1), 0);
	assert_int_equal(read_config(flags), TENON_OK);
	assert_int_equal(tn_config_int(config, "http.port"), 7003);
	assert_int_equal(read_config(NULL), TENON_OK);
	assert_int_equal(tn_config_int(config, "http.port"), 7002);
	assert_int_equal(setenv("TENON_HTTP_PORT", "", 1), 0);
	assert_int_equal(read_config(NULL), TENON_OK);
	assert_int_equal(tn_config_int(config, "http.port"), 7001);
}

static void test_a_named_file(void **state)
{
	char other[PATH_MAX];

	(void)state;
	(void)snprintf(other, sizeof(other), "%s/other.json", home);
	assert_int_equal(tn_config_read(other, NULL, &config, &err), TENON_NOT_FOUND);
	assert_string_equal(err.message, "other.json: there is no such file");
	assert_int_equal(tn_file_write(other, 0600, TN_STR("{\"http\":{\"port\":7009}}"), &err),
			 TENON_OK);
	assert_int_equal(tn_config_read(other, NULL, &config, &err), TENON_OK);
	assert_int_equal(tn_config_int(config, "http.port"), 7009);
	assert_int_equal(unlink(other), 0);
}

static void test_faults_of_the_file(void **state)
{
	static const char *const rows[][2] = {
		{"{\n  // c\n  \"http\": {\n    \"port\": 70000\n  }\n}",
		 "config.json:4: http.port: 70000; send 1024 to 65535"},
		{"{\"http\": {\"port\": 80.5}}",
		 "config.json:1: http.port: 80.5; send a whole number from 1024 to 65535"},
		{"{\"http\": {\"port\": \"7777\"}}",
		 "config.json:1: http.port: this is of type string; send a whole number"},
		{"{\"mcp\": {\"enabled\": 1}}",
		 "config.json:1: mcp.enabled: this is of type integer; send true or false"},
		{"{\"log\": {\"level\": \"loud\"}}",
		 "config.json:1: log.level: \"loud\"; send one of debug, info, notice, warning, "
		 "error"},
		{"{\"log\": {\"file\": \"here.log\"}}",
		 "config.json:1: log.file: \"here.log\"; send an absolute path, beginning with /, "
		 "or - for "
		 "standard error"},
		{"{\"http\": {\"listen\": \"here\"}}",
		 "config.json:1: http.listen: \"here\"; send an IP address such as 127.0.0.1 or "
		 "::1"},
		{"{\"http\": {\"hosts\": \"a\"}}",
		 "config.json:1: http.hosts: this is of type string; send a list of strings"},
		{"{\"http\": {\"hosts\": [1]}}",
		 "config.json:1: http.hosts: this is of type integer; send a list of strings"},
		{"{\"http\": {\"hosts\": [\"a/b\"]}}",
		 "config.json:1: http.hosts: \"a/b\"; send a host name such as tenon.example or "
		 "tenon.example:8443"},
		{"{\"apps\": [\"plam\"]}",
		 "config.json:1: apps: \"plam\" is no app; did you mean \"plan\"?"},
		{"{\"plan\": {\"paths\": [\"/a:b\"]}}",
		 "config.json:1: plan.paths: \"/a:b\": an element may not have a \":\" in it"},
		{"{\"plan\": {\"llm\": {\"headers\": [\"Secret\"]}}}",
		 "config.json:1: plan.llm.headers: not a header (not shown); send \"Name: "
		 "value\""},
		{"{\"plan\": {\"llm\": {\"base_url\": \"ftp://a\"}}}",
		 "config.json:1: plan.llm.base_url: \"ftp://a\"; send a URL that begins with "
		 "http:// or https://"},
		{"{\"plan\": {\"llm\": {\"model\": \"a\\nb\"}}}",
		 "config.json:1: plan.llm.model: the text has a control character in it"},
		{"{\n\"htpp\": {}}",
		 "config.json:2: htpp: there is no such setting; docs/configuration.md lists "
		 "them"},
		{"{\n\"http\": {\n\"prot\": 1}}",
		 "config.json:3: http.prot: there is no such setting; did you mean http.port?"},
		{"{\"port\": 7000}",
		 "config.json:1: port: there is no such setting; did you mean http.port?"},
		{"{\"http.port\": 7000}",
		 "config.json:1: \"http.port\" is not written with a dot; send {\"http\": {...}}"},
		{"{\"http\": 7000}",
		 "config.json:1: http: this is of type integer; send an object"},
		{"{\n\"http\": {\"port\": 7000},\n\"http\": {}}",
		 "config.json:3: the key \"http\" stands here a second time; remove one of them"},
		{"{\n\"http\": {,}}", "config.json:2: a member without a quoted key"},
		{"[]", "config.json:1: send an object: {\"http\": {...}}"},
		{"{\"http\": {\"listen\": \"0.0.0.0\"}}",
		 "http.listen: other machines reach 0.0.0.0; set http.allow_remote to true as "
		 "well, or send 127.0.0.1"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(rows); i++)
		assert_refused(rows[i][0], NULL, rows[i][1]);
}

static void test_faults_outside(void **state)
{
	const char *const port[] = {"http.port", "12", NULL};
	const char *const prot[] = {"http.prot", "7000", NULL};

	(void)state;
	assert_refused(NULL, port, "--set http.port: 12; send 1024 to 65535");
	assert_refused(NULL, prot,
		       "--set http.prot: there is no such setting; did you mean http.port?");
	assert_int_equal(setenv("TENON_MCP_ENABLED", "perhaps", 1), 0);
	assert_refused(NULL, NULL, "TENON_MCP_ENABLED: \"perhaps\"; send true or false");
}

static void test_all_faults(void **state)
{
	struct tn_buf out;

	(void)state;
	tn_buf_init(&out, TN_MIB);
	assert_int_equal(setenv("TENON_HTTP_PORT", "x", 1), 0);
	assert_refused("{\n\"apps\": 1,\n\"log\": {\"level\": 2}}", NULL,
		       "config.json:2: apps: this is of type integer; send a list of strings (and "
		       "2 more)");
	tn_config_faults(NULL, NULL, &out);
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data,
			    "config.json:2: apps: this is of type integer; send a list of strings\n"
			    "config.json:3: log.level: this is of type integer; send a string\n"
			    "TENON_HTTP_PORT: x; send a whole number from 1024 to 65535\n");
	tn_buf_clear(&out);
	write_file(
		"{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"j\":1,"
		"\"k\":1,\"l\":1,\"m\":1,\"n\":1,\"o\":1,\"p\":1,\"q\":1,\"r\":1,\"s\":1,"
		"\"t\":1,\"u\":1}");
	tn_config_faults(NULL, NULL, &out);
	assert_true(tn_str_ends(tn_buf_str(&out), TN_STR("\nand 2 more\n")));
	tn_buf_finish(&out);
}

static void test_change(void **state)
{
	struct stat status;

	(void)state;
	/* No file yet: it is made, for the user alone. */
	assert_int_equal(read_config(NULL), TENON_OK);
	assert_int_equal(tn_config_change(config, "http.port", "7001", &err), TENON_OK);
	assert_int_equal(tn_config_int(config, "http.port"), 7001);
	assert_file("{\n  \"http\": {\n    \"port\": 7001\n  }\n}\n");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0600);
	/* One that is there keeps comments, order, and its mode. */
	write_file("// mine\n{\n\t\"mcp\": {\"enabled\": true}, // on\n}\n");
	assert_int_equal(read_config(NULL), TENON_OK);
	assert_int_equal(tn_config_change(config, "mcp.enabled", "false", &err), TENON_OK);
	assert_false(tn_config_bool(config, "mcp.enabled"));
	assert_int_equal(tn_config_change(config, "log.level", "\"debug\"", &err), TENON_OK);
	assert_file("// mine\n{\n\t\"mcp\": {\"enabled\": false}, // on\n"
		    "\t\"log\": {\n\t\t\"level\": \"debug\"\n\t},\n}\n");
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_mode & 07777, 0640);
	/* Back to the default. */
	assert_int_equal(tn_config_change(config, "mcp.enabled", NULL, &err), TENON_OK);
	assert_true(tn_config_bool(config, "mcp.enabled"));
	assert_int_equal(tn_config_change(config, "mcp.enabled", NULL, &err), TENON_OK);
	assert_file("// mine\n{\n\t\"mcp\": {}, // on\n"
		    "\t\"log\": {\n\t\t\"level\": \"debug\"\n\t},\n}\n");
}

/* Several are checked together, and one that is refused changes nothing. */
static void test_change_all(void **state)
{
	const struct tn_config_edit remote[] = {{"http.listen", "\"0.0.0.0\""},
						{"http.allow_remote", "true"}};
	const struct tn_config_edit back[] = {{"http.listen", NULL}, {"http.allow_remote", NULL}};
	const struct tn_config_edit bad[] = {{"http.port", "7001"}, {"log.level", "\"loud\""}};
	static const char text[] = "{} // mine\n";

	(void)state;
	write_file(text);
	assert_int_equal(read_config(NULL), TENON_OK);
	assert_int_equal(tn_config_change_all(config, remote, 1, &err), TENON_INVALID);
	assert_int_equal(tn_config_change_all(config, bad, 2, &err), TENON_INVALID);
	assert_file(text);
	assert_int_equal(tn_config_int(config, "http.port"), 7777);
	assert_int_equal(tn_config_change_all(config, remote, 2, &err), TENON_OK);
	assert_string_equal(tn_config_text(config, "http.listen"), "0.0.0.0");
	assert_true(tn_config_bool(config, "http.allow_remote"));
	assert_int_equal(tn_config_change_all(config, back, 2, &err), TENON_OK);
	assert_string_equal(tn_config_text(config, "http.listen"), "127.0.0.1");
	assert_int_equal(tn_config_change_all(config, NULL, 0, &err), TENON_OK);
}

static void test_change_refused(void **state)
{
	static const char text[] = "{\"log\": {\"level\": \"info\"}}";
	const char *const flags[] = {"http.port", "7003", NULL};

	(void)state;
	write_file(text);
	assert_int_equal(setenv("TENON_LOG_LEVEL", "error", 1), 0);
	assert_int_equal(read_config(flags), TENON_OK);
	assert_int_equal(tn_config_change(config, "http.port", "7004", &err), TENON_DENIED);
	assert_int_equal(tn_config_change(config, "log.level", "\"info\"", &err), TENON_DENIED);
	assert_non_null(strstr(err.message, "TENON_LOG_LEVEL"));
	assert_int_equal(tn_config_change(config, "http.prot", "7004", &err), TENON_INVALID);
	assert_string_equal(err.message,
			    "http.prot: there is no such setting; did you mean http.port?");
	assert_int_equal(tn_config_change(config, "apps", "7", &err), TENON_INVALID);
	assert_int_equal(tn_config_change(config, "apps", "[", &err), TENON_INVALID);
	assert_int_equal(tn_config_change(config, "http.listen", "\"0.0.0.0\"", &err),
			 TENON_INVALID);
	assert_file(text);
	assert_string_equal(tn_config_text(config, "http.listen"), "127.0.0.1");
}

/* Every setting of the file reaches the app, and a change later on is still a change. */
static void test_views_of_plan(void **state)
{
	struct tn_plan_config plan;

	(void)state;
	write_file("{\"http\": {\"port\": 7001}, \"plan\": {\n"
		   "\"source\": \"builtin\", \"paths\": [\"/a\", \"/b\"], \"keep_days\": 3,\n"
		   "\"paths_over_http\": true, \"store_raw\": true, \"handle_hours\": 2,\n"
		   "\"llm\": {\"base_url\": \"http://127.0.0.1:9\", \"model\": \"m\",\n"
		   "\"keyless\": true, \"timeout_ms\": 200, \"max_tokens\": 5,\n"
		   "\"headers\": [\"X-A: 1\", \"X-B: 2\"], \"context_role\": \"system\",\n"
		   "\"context_details\": \"on\", \"allow_remote\": false}}}");
	assert_int_equal(setenv("TENON_PLAN_MODEL", "from outside", 1), 0);
	assert_int_equal(read_config(NULL), TENON_OK);
	tn_plan_config_read(&plan, tn_config_views(config));
	assert_string_equal(plan.base_url, "http://127.0.0.1:9");
	assert_string_equal(plan.model, "from outside");
	assert_string_equal(plan.headers[0], "X-A: 1");
	assert_string_equal(plan.headers[1], "X-B: 2");
	assert_null(plan.headers[2]);
	assert_string_equal(plan.paths[0], "/a");
	assert_string_equal(plan.paths[1], "/b");
	assert_int_equal(plan.timeout_ms, 200);
	assert_int_equal(plan.max_tokens, 5);
	assert_int_equal(plan.keep_days, 3);
	assert_int_equal(plan.handle_idle_ms, 2 * 3600 * 1000);
	assert_int_equal(plan.preference, TN_PLAN_SOURCE_BUILTIN);
	assert_int_equal(plan.context_details, TN_PLAN_SWITCH_ON);
	assert_true(plan.keyless && !plan.allow_remote && plan.context_is_system);
	assert_true(plan.paths_over_http && plan.store_raw);

	assert_int_equal(tn_config_change(config, "plan.keep_days", "4", &err), TENON_OK);
	assert_int_equal(tn_config_int(config, "plan.keep_days"), 4);
	assert_int_equal(tn_config_change(config, "plan.keep_days", "5", &err), TENON_OK);
	assert_int_equal(tn_config_int(config, "plan.keep_days"), 5);
	assert_int_equal(tn_config_change(config, "plan.llm.model", "\"n\"", &err), TENON_DENIED);
}

static void test_settings(void **state)
{
	struct tn_arena arena;
	struct tn_json *root = NULL;
	const struct tn_json *first, *settings;
	struct tn_buf out;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	tn_buf_init(&out, TN_MIB);
	write_file("{\"http\": {\"port\": 7001},"
		   "\"plan\": {\"llm\": {\"headers\": [\"Authorization: Bearer canary\"]}}}");
	assert_int_equal(read_config(NULL), TENON_OK);
	tn_config_write(config, &out);
	assert_int_equal(tn_json_parse_copy(&arena, tn_buf_str(&out), &root, &err), TENON_OK);
	assert_true(tn_str_is(tn_json_get(root, "path")->text, path));
	settings = tn_json_get(root, "settings");
	assert_int_equal(settings->count, tn_config_key_count());
	first = settings->first;
	assert_true(tn_str_is(tn_json_get(first, "key")->text, "http.port"));
	assert_true(tn_str_is(tn_json_get(first, "value")->text, "7001"));
	assert_true(tn_str_is(tn_json_get(first, "default")->text, "7777"));
	assert_true(tn_str_is(tn_json_get(first, "source")->text, "file"));
	assert_true(tn_str_is(tn_json_get(first, "type")->text, "integer"));
	assert_true(tn_str_is(tn_json_get(first, "minimum")->text, "1024"));
	assert_true(tn_str_is(tn_json_get(first, "maximum")->text, "65535"));
	assert_int_equal(tn_json_get(first, "restart")->type, TN_JSON_FALSE);
	/* Every client may read this. */
	assert_int_equal(tn_str_find(tn_buf_str(&out), TN_STR("canary")), TN_STR_NONE);
	assert_true(tn_str_find(tn_buf_str(&out), TN_STR("\"Authorization: ...\"")) != TN_STR_NONE);
	tn_buf_finish(&out);
	tn_arena_finish(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_defaults, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_every_key, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_precedence, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_a_named_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_faults_of_the_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_faults_outside, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_all_faults, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_change, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_change_all, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_change_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_views_of_plan, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_settings, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, set_up_all, tear_down_all);
}
