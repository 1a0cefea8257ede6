/* The terminal's settings, its directories and shells (terminal.md 10.3, 12.5, 12.6). */
#include "apps/terminal/settings/config.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "apps/terminal/settings/settings_table.h"
#include "base/settings_test_kit.h"
#include "base/size.h"

static const char *const *variables; /* of one test: name, value, ..., NULL */
static struct settings_kit settings;
static struct tenon_error err;
static char folder[] = "/tmp/tenon-terminal-config-XXXXXX";

static const char *get(const char *name)
{
	for (const char *const *at = variables; at && at[0]; at += 2) {
		if (strcmp(at[0], name) == 0)
			return at[1];
	}
	return strcmp(name, "HOME") == 0 ? "/home/somebody" : NULL;
}

/* `set`: settings ("terminal.roots") and variables ("SHELL"), each with its value. */
static struct tn_term_config read_with(const char *const *set, bool network, const char *runtime)
{
	const struct tn_term_surroundings around = {
		.views = settings.views, .network = network, .runtime_folder = runtime, .get = get};
	struct tn_term_config config;

	for (const char *const *at = set; at && at[0]; at += 2) {
		if (strchr(at[0], '.'))
			settings_kit_set(&settings, at[0], at[1]);
	}
	variables = set;
	if (tn_term_config_read(&config, &around, &err) != TENON_OK)
		fail_msg("%s", err.message);
	return config;
}

static struct tn_term_config read_ok(const char *const *set)
{
	return read_with(set, false, NULL);
}

/* terminal.md 12.5: the table of defaults, which are there without a host, too. */
static void the_defaults_are_those_of_the_contract(void **state)
{
	const struct tn_term_surroundings alone = {.get = get};
	struct tn_term_config c;
	const struct tn_settings *s = &c.settings;

	(void)state;
	variables = NULL;
	assert_int_equal(tn_term_config_read(&c, &alone, &err), TENON_OK);
	assert_true(tn_settings_is(s, "terminal.backend", "pty"));
	assert_int_equal(tn_settings_int(s, "terminal.host_grace_s"), 30);
	assert_null(c.roots[0]);
	assert_null(c.allowed_shells[0]);
	assert_null(c.env_pass[0]);
	assert_string_equal(c.shell, "");
	assert_int_equal(tn_settings_int(s, "terminal.max_sessions"), 100);
	assert_int_equal(tn_settings_int(s, "terminal.max_sessions_per_caller"), 32);
	assert_int_equal(tn_settings_int(s, "terminal.idle_timeout_s"), 3600);
	assert_int_equal(tn_settings_int(s, "terminal.closed_retention_s"), 3600);
	assert_int_equal(tn_settings_int(s, "terminal.scrollback_lines"), 10000);
	assert_int_equal(tn_settings_int(s, "terminal.max_hold_ms"), 55000);
	assert_int_equal(tn_settings_int(s, "terminal.max_concurrent_calls"), 64);
	assert_int_equal(tn_settings_int(s, "terminal.rate_per_minute"), 600);
	assert_int_equal(tn_settings_int(s, "terminal.spool_session_bytes"), 128 << 20);
	assert_true(tn_settings_int(s, "terminal.spool_total_bytes") == INT64_C(2) << 30);
	assert_int_equal(c.sandbox, TN_TERM_SANDBOX_NONE);
	assert_true(c.sandbox_network && !c.network);
	assert_int_equal(c.redact_results, TN_REDACT_KNOWN);
	assert_true(tn_settings_bool(s, "terminal.history.enabled"));
	assert_true(tn_settings_bool(s, "terminal.history.ignore_space_people"));
	assert_false(tn_settings_bool(s, "terminal.history.ignore_space_tools"));
	assert_int_equal(tn_settings_int(s, "terminal.history.days"), 30);
	assert_int_equal(tn_settings_int(s, "terminal.history.bytes"), 512 << 20);
	assert_string_equal(c.state_folder, "/home/somebody/.local/state/tenon/terminal");
	assert_false(c.persist); /* there is no folder for the host's socket */
	tn_term_config_finish(&c);
}

static void all_can_be_said_otherwise(void **state)
{
	const char *const set[] = {"terminal.roots",
				   "/a:/b c",
				   "terminal.env.pass",
				   "FOO,AWS_*",
				   "terminal.redact.patterns",
				   "a{1,2}\nb",
				   "terminal.redact.results",
				   "all",
				   "terminal.max_sessions",
				   "250",
				   "terminal.sandbox",
				   "bubblewrap",
				   "terminal.sandbox_network",
				   "none",
				   "TENON_STATE_DIR",
				   "/s",
				   NULL};
	struct tn_term_config c = read_with(set, false, "/r");

	(void)state;
	assert_false(c.sandbox_network);
	assert_string_equal(c.roots[0], "/a");
	assert_string_equal(c.roots[1], "/b c");
	assert_null(c.roots[2]);
	assert_string_equal(c.env_pass[1], "AWS_*");
	assert_string_equal(c.redact_patterns[0], "a{1,2}");
	assert_string_equal(c.redact_patterns[1], "b");
	assert_int_equal(c.redact_results, TN_REDACT_ALL);
	assert_int_equal(tn_settings_u32(&c.settings, "terminal.max_sessions"), 250);
	assert_int_equal(c.sandbox, TN_TERM_SANDBOX_ALWAYS);
	assert_string_equal(c.state_folder, "/s/terminal");
	assert_true(c.persist);
	assert_string_equal(c.runtime_folder, "/r");
	tn_term_config_finish(&c);
}

/* terminal.md 10: "default none for stdio, bubblewrap for network transports if installed". */
static void the_sandbox_is_for_the_network(void **state)
{
	const char *const refused[] = {"terminal.sandbox", "none", NULL};
	struct tn_term_config c = read_with(NULL, true, NULL);

	(void)state;
	assert_true(c.network);
	assert_int_equal(c.sandbox, TN_TERM_SANDBOX_IF_AVAILABLE);
	tn_term_config_finish(&c);
	c = read_with(refused, true, NULL);
	assert_int_equal(c.sandbox, TN_TERM_SANDBOX_NONE);
	tn_term_config_finish(&c);
}

static int set_up(void **state)
{
	(void)state;
	settings_kit_open(&settings, &tn_term_setting_table);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	settings_kit_close(&settings);
	return 0;
}

/* ---- directories ---- */

static void make(const char *path, bool is_folder)
{
	if (is_folder)
		assert_int_equal(mkdir(path, 0755), 0);
	else
		assert_non_null(freopen(path, "w", stdin));
}

static int set_up_all(void **state)
{
	(void)state;
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int tear_down_all(void **state)
{
	static const char *const paths[] = {"root/below", "root/out", "root/file",
					    "root",       "rootless", "link",
					    "sh.d/bash",  "sh.d/ksh", "sh.d"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(paths); i++) {
		if (unlink(paths[i]) != 0)
			(void)rmdir(paths[i]);
	}
	return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static enum tenon_code look(const struct tn_term_config *c, const char *base, const char *wanted,
			    const char *expected)
{
	char out[4096] = "", real[PATH_MAX];
	enum tenon_code code = tn_term_config_directory(c, base, wanted, out, &err);

	if (expected && (!realpath(expected, real) || strcmp(out, real) != 0))
		fail_msg("%s: [%s] instead of [%s]", wanted ? wanted : "NULL", out, real);
	return code;
}

/* terminal.md 10.3: resolved, inside the roots, symlinks out are refused. */
static void a_directory_is_inside_the_roots(void **state)
{
	char root[PATH_MAX], other[PATH_MAX], below[PATH_MAX + 16];
	const char *set[] = {"terminal.roots", root, NULL};
	struct tn_term_config c;

	(void)state;
	make("root", true);
	make("root/below", true);
	make("root/file", false);
	make("rootless", true);
	assert_int_equal(symlink("root", "link"), 0);
	assert_int_equal(symlink("../rootless", "root/out"), 0);
	(void)snprintf(root, sizeof(root), "/nowhere:%.64s/link/", folder); /* a link itself */
	c = read_ok(set);
	assert_non_null(realpath("root", root));
	assert_non_null(realpath("rootless", other));
	(void)snprintf(below, sizeof(below), "%s/below", root);

	assert_int_equal(look(&c, root, NULL, "root"), TENON_OK);
	assert_int_equal(look(&c, NULL, NULL, "root"), TENON_OK);
	assert_int_equal(look(&c, NULL, "below", "root/below"), TENON_OK);
	assert_int_equal(look(&c, root, "below", "root/below"), TENON_OK);
	assert_int_equal(look(&c, root, below, "root/below"), TENON_OK);
	assert_int_equal(look(&c, below, "..", "root"), TENON_OK);
	assert_int_equal(look(&c, root, "..", NULL), TENON_DENIED);
	assert_int_equal(look(&c, root, other, NULL), TENON_DENIED); /* the same words */
	assert_int_equal(look(&c, root, "out", NULL), TENON_DENIED); /* a symbolic link out */
	assert_non_null(strstr(err.message, "limit where commands start, not what they reach"));
	assert_int_equal(look(&c, root, "/", NULL), TENON_DENIED);
	assert_int_equal(look(&c, other, NULL, NULL), TENON_DENIED);
	assert_int_equal(look(&c, root, "none", NULL), TENON_NOT_FOUND);
	assert_int_equal(look(&c, root, "", NULL), TENON_NOT_FOUND);
	assert_int_equal(look(&c, root, "file", NULL), TENON_INVALID);
	assert_int_equal(look(&c, root, "file/x", NULL), TENON_INVALID);
	assert_int_equal(tn_term_config_start_directory(&c, other, &err), TENON_OK);
	assert_string_equal(other, root); /* the first one that is there */
	tn_term_config_finish(&c);
}

static void without_roots_any_directory_is_fine(void **state)
{
	struct tn_term_config c = read_ok(NULL);
	char out[4096], real[PATH_MAX];

	(void)state;
	assert_int_equal(look(&c, folder, "/", "/"), TENON_OK);
	assert_int_equal(look(&c, "/", "usr", "/usr"), TENON_OK);
	assert_int_equal(tn_term_config_start_directory(&c, out, &err), TENON_OK);
	assert_non_null(realpath(".", real));
	assert_string_equal(out, real);
	tn_term_config_finish(&c);
}

/* ---- shells ---- */

static void a_shell_by_name_or_path(void **state)
{
	const char *const bash[] = {"SHELL", "/bin/bash", NULL};
	struct tn_term_config c = read_ok(bash);
	char out[4096];

	(void)state;
	assert_int_equal(tn_term_config_shell(&c, NULL, out, &err), TENON_OK);
	assert_string_equal(out, "/bin/bash");
	assert_int_equal(tn_term_config_shell(&c, "sh", out, &err), TENON_OK);
	assert_string_equal(out, "/bin/sh");
	assert_int_equal(tn_term_config_shell(&c, "/bin/sh", out, &err), TENON_OK);
	/* A program is no shell because it is there. */
	assert_int_equal(tn_term_config_shell(&c, "/usr/bin/env", out, &err), TENON_DENIED);
	assert_non_null(strstr(err.message, "/usr/bin/env is not among the allowed shells: bash"));
	assert_int_equal(tn_term_config_shell(&c, "cmd.exe", out, &err), TENON_DENIED);
	assert_int_equal(tn_term_config_shell(&c, "/nowhere/zsh", out, &err), TENON_NOT_FOUND);
	tn_term_config_finish(&c);
}

static void only_the_allowed_ones(void **state)
{
	char list[PATH_MAX], mine[PATH_MAX];
	const char *const set[] = {"SHELL", "/bin/bash", "terminal.allowed_shells", list, NULL};
	struct tn_term_config c;
	char out[4096];

	(void)state;
	make("sh.d", true);
	assert_int_equal(symlink("/bin/sh", "sh.d/ksh"), 0);
	assert_int_equal(symlink("/bin/bash", "sh.d/bash"), 0);
	(void)snprintf(mine, sizeof(mine), "%.64s/sh.d/ksh", folder);
	(void)snprintf(list, sizeof(list), "/nowhere/sh:%.128s", mine);
	c = read_ok(set);
	assert_int_equal(tn_term_config_shell(&c, "ksh", out, &err), TENON_OK);
	assert_string_equal(out, mine);
	assert_int_equal(tn_term_config_shell(&c, "bash", out, &err), TENON_DENIED);
	assert_non_null(strstr(err.message, "bash is not among the allowed shells: ksh"));
	assert_int_equal(tn_term_config_shell(&c, "/bin/bash", out, &err), TENON_DENIED);
	/* The same program by another name is another shell: it behaves as another one. */
	assert_int_equal(tn_term_config_shell(&c, "/bin/sh", out, &err), TENON_DENIED);
	/* $SHELL is not allowed, so it is not the default either. */
	assert_int_equal(tn_term_config_shell(&c, NULL, out, &err), TENON_NOT_FOUND);
	tn_term_config_finish(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_defaults_are_those_of_the_contract, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(all_can_be_said_otherwise, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_sandbox_is_for_the_network, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_directory_is_inside_the_roots, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_roots_any_directory_is_fine, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(a_shell_by_name_or_path, set_up, tear_down),
		cmocka_unit_test_setup_teardown(only_the_allowed_ones, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, set_up_all, tear_down_all);
}
