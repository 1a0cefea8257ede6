#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cli/shared/change_summary.h"

static void expect(const char *before, const char *after, const char *wanted)
{
	struct tn_buf out;

	tn_buf_init(&out, 65536);
	tn_change_summary(tn_str_from(before), tn_str_from(after), &out);
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data, wanted);
	tn_buf_finish(&out);
}

static void values_of_json(void **state)
{
	(void)state;
	expect("{\"a\":1}", "{\"a\":1}", "");
	expect("{\"a\":1}", "{ \"a\" : 1.0 }", "");
	expect("{\"calls\":{\"total\":3}}", "{\"calls\":{\"total\":4}}", "calls.total 3 -> 4");
	expect("{\"a\":1}", "{\"a\":1,\"b\":\"x\"}", "b \"x\" added");
	expect("{\"a\":1,\"b\":null}", "{\"a\":1}", "b null removed");
	expect("[1,2]", "[1,3]", "[1] 2 -> 3");
	expect("{\"l\":[1,2]}", "{\"l\":[1,2,3]}", "l 2 elements -> 3 elements");
	expect("{\"l\":[{\"n\":\"a\"}]}", "{\"l\":[{\"n\":\"b\"}]}", "l[0].n \"a\" -> \"b\"");
	expect("1", "2", "all 1 -> 2");
	expect("{\"a\":\"1234567890123456789012345678901234567890\"}", "{\"a\":1}",
	       "a \"123456789012345678901234567890123456789... -> 1");
	expect("{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1}",
	       "{\"a\":2,\"b\":2,\"c\":2,\"d\":2,\"e\":2,\"f\":2,\"g\":2,\"h\":2}",
	       "a 1 -> 2, b 1 -> 2, c 1 -> 2, d 1 -> 2, e 1 -> 2, f 1 -> 2, and 2 more");
}

static void lines_of_text(void **state)
{
	(void)state;
	expect("a\nb\nc\n", "a\nB\nc\n", "+1 -1 lines");
	expect("a\n", "a\nb\n", "+1 -0 lines");
	expect("a\nb\n", "a\n", "+0 -1 lines");
	expect("", "a\nb", "+2 -0 lines");
	expect("a\na\n", "a\na\na\n", "+1 -0 lines");
	expect("word", "words", "+1 -1 lines");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_json),
		cmocka_unit_test(lines_of_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
