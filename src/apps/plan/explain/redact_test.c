/* plan.md section 16: secret-looking strings become [redacted]. The secrets below are made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/redact.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

#define RANDOM "Zk3vQ9xLr7TnB2mWc5Yp"

static const struct {
	const char *text, *expected; /* NULL: unchanged */
} cases[] = {
	/* By prefix. */
	{"id AKIA0123456789ABCDEF end", "id [redacted] end"},
	{"ASIA0123456789ABCDEF", "[redacted]"},
	{"AKIASHORT", NULL},
	{"xAKIA0123456789ABCDEF", NULL},
	{"ghp_0123456789abcdefghijABCDEFGHIJ012345", "[redacted]"},
	{"github_pat_0123456789abcdefghijAB_x", "[redacted]"},
	{"glpat-0123456789abcdefABCD", "[redacted]"},
	{"\"sk-proj-0123456789abcdefghij\"", "\"[redacted]\""},
	{"sk_live_0123456789abc", "[redacted]"},
	{"xoxb-0123456789-abcdef", "[redacted]"},
	{"AIza0123456789abcdefghijABCDEFGHIJ012", "[redacted]"},
	{"task-list-of-things-that-are-long", NULL},
	/* PEM blocks. */
	{"a -----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc=\n-----END RSA PRIVATE KEY----- b",
	 "a [redacted] b"},
	{"-----BEGIN PRIVATE KEY-----\nMIIE cut off", "[redacted]"},
	{"----- BEGIN nothing", NULL},
	/* JSON web tokens. */
	{"t eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_-1 u", "t [redacted] u"},
	{"eyJhbGciOiJIUzI1NiJ9.", NULL},
	{"eyJ.eyJ.x", NULL},
	/* Logins in URLs. */
	{"postgres://admin:hunter2@db.example/x", "postgres://[redacted]@db.example/x"},
	{"https://example.com:8080/a@b", NULL},
	{"https://user@example.com/", NULL},
	{"https://example.com/a:b@c", NULL},
	{"amqp://a:b@c amqp://d:e@f", "amqp://[redacted]@c amqp://[redacted]@f"},
	/* Random text next to a word. */
	{"password = " RANDOM, "password = [redacted]"},
	{"DB_PASSWORD: \"" RANDOM "\"", "DB_PASSWORD: \"[redacted]\""},
	{"secret 0123456789abcdef0123456789abcdef", "secret [redacted]"},
	{"api_key=" RANDOM " and " RANDOM, "api_key=[redacted] and [redacted]"},
	{"name = " RANDOM, NULL},
	{"password\nname = " RANDOM, NULL},
	{"password = short1A", NULL},
	{"commit 0123456789abcdef0123456789abcdef01234567", NULL},
	{"Removes aws_secretsmanager_secret.production_database_credentials", NULL},
	/* Pairs without blanks: connection strings, shells. */
	{"Server=tcp:x;User ID=sa;Password=hunter2x;Encrypt=True",
	 "Server=tcp:x;User ID=sa;Password=[redacted];Encrypt=True"},
	{"AccountName=shop;AccountKey=c2VjcmV0LXg=;EndpointSuffix=x",
	 "AccountName=shop;AccountKey=[redacted];EndpointSuffix=x"},
	{"export DB_PASSWORD=hunter22\nnext", "export DB_PASSWORD=[redacted]\nnext"},
	{"https://x.example/?sig=1&access_token=abcdef1&x=2",
	 "https://x.example/?sig=1&access_token=[redacted]&x=2"},
	{"password=$PASSWORD", NULL},
	{"password=", NULL},
	{"password==literal", NULL},
	{"token=ab", NULL},
	{"token=short", "token=[redacted]"},
	{"pwd=Yy(8){x}[y];next", "pwd=[redacted];next"},
	{"SharedAccessKeyName=Root;SharedAccessKey=c2VjcmV0;E=x",
	 "SharedAccessKeyName=Root;SharedAccessKey=[redacted];E=x"},
	{"tokens=1234567", NULL},
	/* Nothing. */
	{"", NULL},
	{"-", NULL},
	{":", NULL},
	{"://", NULL},
	{"Summary: 3 changes\nCreates a disk \"x\" (aws_ebs_volume.x).", NULL},
};

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_str text = tn_str_from(cases[i].text);
		struct tn_buf out = test_buf();

		tn_plan_redact(&out, text);
		assert_string_equal(test_text(&out),
				    cases[i].expected ? cases[i].expected : cases[i].text);
		assert_int_equal(tn_plan_has_secret(text), cases[i].expected != NULL);
		tn_buf_finish(&out);
	}
}

/* What is redacted once stays as it is. */
static void test_twice(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_buf once = test_buf(), twice = test_buf();

		tn_plan_redact(&once, tn_str_from(cases[i].text));
		tn_plan_redact(&twice, tn_buf_str(&once));
		assert_true(tn_str_equal(tn_buf_str(&once), tn_buf_str(&twice)));
		tn_buf_finish(&twice);
		tn_buf_finish(&once);
	}
}

/* Linear in the text, whatever it repeats: 4 MB of each takes no noticeable time. */
static void test_long_text(void **state)
{
	static const char *const pieces[] = {"eyJabcdefgh.", "://a:", "-----BEGIN ", "password ",
					     "sk-"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(pieces); i++) {
		struct tn_buf text = test_buf(), out = test_buf();

		while (text.size < 4000000)
			tn_buf_append_text(&text, pieces[i]);
		tn_plan_redact(&out, tn_buf_str(&text));
		assert_false(out.failed);
		tn_buf_finish(&out);
		tn_buf_finish(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_twice),
		cmocka_unit_test(test_long_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
