#include "jsonrpc/json_pointer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void pointers_are_made_with_escapes(void **state)
{
	struct tn_buf pointer;

	(void)state;
	tn_buf_init(&pointer, 1024);
	tn_json_pointer_push(&pointer, TN_STR("a/b~c"));
	tn_json_pointer_push_index(&pointer, 12);
	tn_json_pointer_push(&pointer, TN_STR(""));
	assert_true(tn_str_equal(tn_buf_str(&pointer), TN_STR("/a~1b~0c/12/")));
	tn_buf_finish(&pointer);
}

static void pointers_are_taken_apart(void **state)
{
	struct tn_str rest = TN_STR("/a~1b~0c//x"), token;
	char out[16];

	(void)state;
	assert_true(tn_json_pointer_take(&rest, out, &token));
	assert_true(tn_str_is(token, "a/b~c"));
	assert_true(tn_json_pointer_take(&rest, out, &token));
	assert_true(tn_str_is(token, ""));
	assert_true(tn_json_pointer_take(&rest, out, &token));
	assert_true(tn_str_is(token, "x"));
	assert_false(tn_json_pointer_take(&rest, out, &token)); /* nothing is left */
	rest = TN_STR("a");
	assert_false(tn_json_pointer_take(&rest, out, &token));
	rest = TN_STR("/~2");
	assert_false(tn_json_pointer_take(&rest, out, &token));
	rest = TN_STR("/~");
	assert_false(tn_json_pointer_take(&rest, out, &token));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pointers_are_made_with_escapes),
		cmocka_unit_test(pointers_are_taken_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
