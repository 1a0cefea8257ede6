/* Subscripts run what stands in them wherever a variable is named: read v 'x[$(rm -r .)]'. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/terminal/policy/internal.h"
#include "base/size.h"

static void subscripts_that_run_something(void **state)
{
	static const char *const texts[] = {
		"x[$(rm y)]",  "x[`rm y`]",       "_a1[0$(rm y)]",   "x[1] y[$(rm y)]",
		"a[b[$(rm)]]", "x[$((1)) $(rm)]", "-v x[$(rm y)]=1", "x[ \"$(rm y)\" ]",
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(texts); i++) {
		if (!tn_builtin_has_subscript(tn_str_from(texts[i])))
			fail_msg("%s runs something", texts[i]);
	}
}

static void texts_that_run_nothing(void **state)
{
	static const char *const texts[] = {
		"",
		"x",
		"x[1]",
		"x[$y]",          /* a variable's value, not a command */
		"x[1] $(rm y)",   /* behind the bracket: it stays quoted */
		"$(rm y)",        /* no subscript at all */
		"[$(rm y)]",      /* no name before it: a pattern */
		"\\e[31m$(rm y)", /* a colour: the letter is escaped */
		"x[$",            /* the text ends */
		"[",
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(texts); i++) {
		if (tn_builtin_has_subscript(tn_str_from(texts[i])))
			fail_msg("%s runs nothing", texts[i]);
	}
}

/* The text ends with the slice, not with what stands behind it in memory. */
static void a_slice_ends_where_it_ends(void **state)
{
	(void)state;
	assert_false(tn_builtin_has_subscript(tn_str("x[$(rm)]", 3)));
	assert_true(tn_builtin_has_subscript(tn_str("x[$(rm)]", 4)));
	assert_true(tn_builtin_has_subscript(tn_str("x[`", 3)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(subscripts_that_run_something),
		cmocka_unit_test(texts_that_run_nothing),
		cmocka_unit_test(a_slice_ends_where_it_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
