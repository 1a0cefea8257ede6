/* How much the redactor knows, over which borders it finds it, and how long that takes (terminal.md
 * section 9). */
#include "apps/terminal/redact/redact_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "apps/terminal/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/size.h"

#define A10 "aB3dEfGh1J"
#define GITHUB \
	("gh"  \
	 "p_")
#define A36 A10 A10 A10 "aB3dEf"

/* terminal.md section 9: across chunk borders. Cut at every place, no piece of a secret is left. */
static void parts_of_a_text(void **state)
{
	static const char text[] = "begin canary-abcdefgh end gh"
				   "p_" A36 " and --token=canary2";
	struct tn_redactor *redactor = tn_redact_kit_make(NULL);
	struct tn_str whole = TN_STR(text);

	(void)state;
	tn_redactor_learn(redactor, TN_STR("canary-abcdefgh"));
	for (size_t cut = 0; cut <= whole.size; cut++) {
		struct tn_buf out;
		unsigned count = 0;

		tn_buf_init(&out, TN_MIB);
		tn_redact_part(redactor, TN_REDACT_ALL, whole, 0, cut, &out, &count);
		tn_redact_part(redactor, TN_REDACT_ALL, whole, cut, whole.size, &out, &count);
		assert_true(tn_str_is(tn_buf_str(&out),
				      "begin [redacted:env] end [redacted:github-token] and "
				      "--token=[redacted:assigned]"));
		assert_int_equal(count, 3);
		tn_buf_finish(&out);
	}
	tn_redactor_destroy(redactor);
}

static void the_oldest_values_go(void **state)
{
	struct tn_redactor *redactor = tn_redact_kit_make(NULL), *fork;
	char value[32];

	(void)state;
	for (int i = 0; i < TN_REDACT_VALUES_MAX; i++) {
		(void)snprintf(value, sizeof(value), "secret-number-%d-", i);
		tn_redactor_learn(redactor, tn_str_from(value));
	}
	tn_redact_kit_check(redactor, TN_REDACT_KNOWN, "secret-number-0- secret-number-1023-",
			    "[redacted:env] [redacted:env]");
	fork = tn_redactor_fork(redactor);
	assert_non_null(fork);
	tn_redactor_learn(redactor, TN_STR("secret-number-0-")); /* known: nothing goes */
	tn_redactor_learn(redactor, TN_STR("one-more-secret"));
	tn_redact_kit_check(redactor, TN_REDACT_KNOWN,
			    "secret-number-0- secret-number-1- one-more-secret",
			    "secret-number-0- [redacted:env] [redacted:env]");
	/* What was forked off has not changed. */
	tn_redact_kit_check(fork, TN_REDACT_KNOWN, "secret-number-0- one-more-secret",
			    "[redacted:env] one-more-secret");
	tn_redactor_destroy(redactor);
	tn_redact_kit_check(fork, TN_REDACT_KNOWN, "secret-number-7-", "[redacted:env]");
	tn_redactor_destroy(fork);
}

/* Others on the machine do not count. */
static uint64_t processor_us(void)
{
	struct timespec now;

	assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now), 0);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* Under the thread sanitizer memory is not moved at the speed of memory. */
static bool is_slowed(void)
{
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
	return true;
#endif
#endif
	return false;
}

static uint64_t time_us(const struct tn_redactor *redactor, struct tn_str text)
{
	uint64_t least = UINT64_MAX;
	struct tn_buf out;

	/* One buffer for all rounds: not the kernel's first touch of its memory is measured. */
	tn_buf_init(&out, 64 * TN_MIB);
	for (int i = 0; i < 3; i++) {
		uint64_t begin = processor_us(), took;
		unsigned count = 0;

		tn_redact(redactor, TN_REDACT_ALL, text, &out, &count);
		assert_false(out.failed);
		took = processor_us() - begin;
		if (took < least)
			least = took;
		tn_buf_clear(&out);
	}
	tn_buf_finish(&out);
	return least;
}

/* The time grows with the text, whatever stands in it: sixteen times the text takes sixteen times
 * the time, where looking at everything from everywhere would take 256 times. */
static void time_grows_with_the_text(void **state)
{
	static const char *const pieces[] = {
		"sk-",
		"eyJ",
		GITHUB,
		"-----BEGIN PRIVATE KEY-----",
		"1",
		"'",
		"\"",
		"\\\"",
		"TOKEN=",
		"TOKEN='",
		"a:",
		"://a:",
		"https://a:b@",
		"\x1b[1m",
		"--token ",
		"=",
		"set token ",
		"Authorization: ",
		"\"token\":",
		"\\\"token\\\":\\\"",
		"'a ",
		"mysql -p ",
		"MTk4NjIyNDgz",
		"a.",
		"\r\n",
		"aaaaaaaaa",
		"TOKEN=\"a",
		"x ",
		"(",
		"github_pat_",
		"eyJaaaaaaaaaa.",
		"\x1b[",
		"\x1b]8;;",
		"<token>",
		"<token>a</",
		"Pwd=a;",
		"alter PASSWORD '",
		"token:\n a",
		"token: |\n ",
		"?sig=aaaaaaaaaaaaaaaaa",
	};
	enum { SIZE = 64 * 1024, TIMES = 16 };
	struct tn_redactor *redactor = tn_redact_kit_make(NULL);
	char *text = tn_mem_alloc(TIMES * SIZE);

	(void)state;
	if (is_slowed()) {
		tn_mem_free(text);
		tn_redactor_destroy(redactor);
		skip();
	}
	assert_non_null(text);
	tn_redactor_learn(redactor, TN_STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"));
	for (size_t i = 0; i < TN_COUNT(pieces); i++) {
		size_t size = strlen(pieces[i]);
		uint64_t small, large;

		for (size_t at = 0; at < TIMES * SIZE; at++)
			text[at] = pieces[i][at % size];
		small = time_us(redactor, tn_str(text, SIZE));
		large = time_us(redactor, tn_str(text, TIMES * SIZE));
		if (large > 4 * TIMES * small + 10000)
			fail_msg("%s: %lu us, %d times the text %lu us", pieces[i],
				 (unsigned long)small, TIMES, (unsigned long)large);
	}
	tn_mem_free(text);
	tn_redactor_destroy(redactor);
}
/* A line is looked through once, however often a name in it asks. */
static void a_line_is_read_once(void **state)
{
	static const char piece[] = "pwd=a;", plain[] = "abc=a;";
	enum { SIZE = 1024 * 1024, TIMES_MAX = 8 };
	struct tn_redactor *redactor = tn_redact_kit_make(NULL);
	char *text = tn_mem_alloc(SIZE);
	uint64_t took, wanted;

	(void)state;
	assert_non_null(text);
	for (size_t at = 0; at < SIZE; at++)
		text[at] = plain[at % (sizeof(plain) - 1)];
	wanted = time_us(redactor, tn_str(text, SIZE));
	for (size_t at = 0; at < SIZE; at++)
		text[at] = piece[at % (sizeof(piece) - 1)];
	took = time_us(redactor, tn_str(text, SIZE));
	if (took > TIMES_MAX * wanted + 10000)
		fail_msg("%s: %lu us, %s: %lu us", piece, (unsigned long)took, plain,
			 (unsigned long)wanted);
	tn_mem_free(text);
	tn_redactor_destroy(redactor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_of_a_text),
		cmocka_unit_test(the_oldest_values_go),
		cmocka_unit_test(time_grows_with_the_text),
		cmocka_unit_test(a_line_is_read_once),
	};

	return cmocka_run_group_tests_name("redact", tests, NULL, NULL);
}
