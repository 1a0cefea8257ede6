/* Content-Security-Policy of previewed pages (workbench.md S16). */
#include "gateway/policy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const char *const cases[][2] = {
	{"frame-ancestors 'none'", ""},
	{"script-src 'self'; frame-ancestors 'none'; img-src *",
	 "script-src 'self' 'nonce-N'; img-src *"},
	{"script-src 'none'", "script-src 'nonce-N'"},
	{"connect-src 'self'", "connect-src 'self' ws://h:1"},
	{"default-src 'self'",
	 "default-src 'self'; script-src 'self' 'nonce-N'; connect-src 'self' ws://h:1"},
	{"Default-Src 'none'; script-src-elem 'self'",
	 "Default-Src 'none'; script-src-elem 'self' 'nonce-N'; connect-src ws://h:1"},
	{"script-src 'unsafe-inline'", "script-src 'unsafe-inline' 'self'"},
	{"script-src 'unsafe-inline' 'nonce-A'", "script-src 'unsafe-inline' 'nonce-A' 'nonce-N'"},
	{"img-src a; ; ,connect-src b", "img-src a, connect-src b ws://h:1"},
	{"upgrade-insecure-requests", "upgrade-insecure-requests"},
};

static void the_adapter_may_run_and_reach_its_host_and_nothing_else_changes(void **none)
{
	(void)none;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct tn_buf out;

		tn_buf_init(&out, TN_MIB);
		tn_policy_rewrite(&out, tn_str_from(cases[i][0]), "N", TN_STR("ws://h:1"));
		tn_buf_append_byte(&out, '\0');
		assert_string_equal(out.data, cases[i][1]);
		tn_buf_finish(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_adapter_may_run_and_reach_its_host_and_nothing_else_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
