/* The settings of the terminal as the table has them, and as the terminal reads them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/terminal/config.h"
#include "base/size.h"
#include "host/config_key.h"

static struct tenon_error err;

static const char *get_variable(const char *name)
{
	return getenv(name);
}

static int set_up(void **state)
{
	char scratch[TN_CONFIG_VARIABLE_MAX];

	(void)state;
	for (size_t i = 0; i < tn_config_key_count; i++)
		(void)unsetenv(tn_config_key_variable(&tn_config_keys[i], scratch));
	return setenv("XDG_CONFIG_HOME", "/nowhere", 1) || setenv("HOME", "/nowhere", 1);
}

/* What the table promises is what the terminal does without any setting. */
static void test_defaults_of_terminal(void **state)
{
	struct tn_config *config = NULL;
	struct tn_term_config c;

	(void)state;
	assert_int_equal(tn_config_read(NULL, NULL, &config, &err), TENON_OK);
	assert_int_equal(tn_term_config_read(&c, get_variable, &err), TENON_OK);
	const struct {
		const char *key;
		uint64_t number;
	} rows[] = {
		{"terminal.host_grace_s", c.host_grace_s},
		{"terminal.max_sessions", c.max_sessions},
		{"terminal.max_sessions_per_caller", c.max_sessions_per_caller},
		{"terminal.idle_timeout_s", c.idle_timeout_s},
		{"terminal.closed_retention_s", c.closed_retention_s},
		{"terminal.scrollback_lines", c.scrollback_lines},
		{"terminal.max_hold_ms", c.max_hold_ms},
		{"terminal.max_concurrent_calls", c.max_concurrent_calls},
		{"terminal.rate_per_minute", c.rate_per_minute},
		{"terminal.spool_session_bytes", c.spool_session_bytes},
		{"terminal.spool_total_bytes", c.spool_total_bytes},
		{"terminal.limits.processes", c.limit_processes},
		{"terminal.limits.files", c.limit_files},
		{"terminal.limits.file_bytes", c.limit_file_bytes},
		{"terminal.limits.memory_bytes", c.limit_memory_bytes},
		{"terminal.limits.cpu_s", c.limit_cpu_s},
		{"terminal.history.days", c.history_days},
		{"terminal.history.bytes", c.history_bytes},
	};

	for (size_t i = 0; i < TN_COUNT(rows); i++)
		assert_int_equal(rows[i].number, tn_config_int(config, rows[i].key));
	assert_int_equal(c.history, tn_config_bool(config, "terminal.history.enabled"));
	assert_int_equal(c.ignore_space_people,
			 tn_config_bool(config, "terminal.history.ignore_space_people"));
	assert_int_equal(c.ignore_space_tools,
			 tn_config_bool(config, "terminal.history.ignore_space_tools"));
	assert_string_equal(tn_config_text(config, "terminal.redact.results"), "known");
	assert_int_equal(c.redact_results, TN_REDACT_KNOWN);
	tn_term_config_finish(&c);
	tn_config_free(config);
}

/* The largest and the smallest number of each key is one that the terminal takes. */
static void test_bounds_of_terminal(void **state)
{
	struct tn_term_config c;

	(void)state;
	for (size_t i = 0; i < tn_config_key_count; i++) {
		const struct tn_config_key *key = &tn_config_keys[i];
		char scratch[TN_CONFIG_VARIABLE_MAX], text[32];

		if (key->type != TN_CONFIG_INTEGER || strncmp(key->key, "terminal.", 9) != 0)
			continue;
		for (int most = 0; most < 2; most++) {
			(void)snprintf(text, sizeof(text), "%lld",
				       (long long)(most ? key->most : key->least));
			(void)setenv(tn_config_key_variable(key, scratch), text, 1);
			if (tn_term_config_read(&c, get_variable, &err) != TENON_OK)
				fail_msg("%s=%s: %s", key->key, text, err.message);
			tn_term_config_finish(&c);
		}
		(void)snprintf(text, sizeof(text), "%lld", (long long)key->most + 1);
		(void)setenv(tn_config_key_variable(key, scratch), text, 1);
		assert_int_equal(tn_term_config_read(&c, get_variable, &err), TENON_INVALID);
		(void)unsetenv(tn_config_key_variable(key, scratch));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_defaults_of_terminal, set_up),
		cmocka_unit_test_setup(test_bounds_of_terminal, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
