#include "jsonrpc/plain_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "jsonrpc/json_number.h"
#include "jsonrpc/schema.h"

static const char *const except[] = {"stdin", NULL};

/* The paths that are refused, by commas; "" when there is none. */
static void expect(const char *text, const char *wanted)
{
	struct tn_schema_faults faults = {.root = "arguments"};
	struct tn_arena arena;
	struct tn_json *tree = NULL;
	struct tenon_error err;
	char told[500] = "";
	enum tenon_code code;

	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(text), &tree, &err), TENON_OK);
	code = tn_plain_text_check(tree, except, &faults);
	for (uint32_t i = 0; i < faults.count; i++) {
		size_t used = strlen(told);

		(void)snprintf(told + used, sizeof(told) - used, "%s%s", used ? "," : "",
			       faults.items[i].path);
		assert_non_null(strstr(faults.items[i].message, "NUL"));
	}
	assert_string_equal(told, wanted);
	assert_int_equal(code, wanted[0] ? TENON_INVALID : TENON_OK);
	assert_int_equal(tn_plain_text_check(tree, except, NULL), code);
	tn_arena_finish(&arena);
}

static void a_nul_is_told_with_its_place(void **state)
{
	(void)state;
	expect("{}", "");
	expect("{\"a\":\"x\",\"b\":[1,null,{\"c\":\"\"}]}", "");
	expect("{\"a\":\"\\u0000\"}", "a");
	expect("{\"a\":\"x\\u0000y\",\"b\":\"y\",\"c\":\"\\u0000\"}", "a,c");
	expect("{\"a\":[\"x\",{\"b\":\"x\\u0000\"}]}", "a[1].b");
	expect("{\"stdin\":\"x\\u0000\",\"deep\":{\"stdin\":\"\\u0000\"}}", "deep.stdin");
	expect("{\"stdin\":[\"\\u0000\",{\"x\":\"\\u0000\"}]}", "");
}

static void a_name_with_a_nul_is_refused(void **state)
{
	struct tn_schema_faults faults = {.root = "arguments"};
	struct tn_arena arena;
	struct tn_json *tree = NULL;
	struct tenon_error err;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(
		tn_json_parse_copy(&arena, TN_STR("{\"a\":{\"b\\u0000c\":1}}"), &tree, &err),
		TENON_OK);
	assert_int_equal(tn_plain_text_check(tree, NULL, &faults), TENON_INVALID);
	assert_true(tn_json_has_nul(tree));
	assert_false(tn_json_has_nul(NULL));
	tn_arena_finish(&arena);
}

/* MCP-004 */
static void ids_are_numbers_that_come_back_as_they_went(void **state)
{
	static const char *const good[] = {"0",
					   "-1",
					   "9007199254740993",
					   "1.0",
					   "1e2",
					   "-0",
					   "123456789012345678901234567890123456789",
					   "9007199254740992.0"};
	static const char *const bad[] = {"1.5",  "1e400", "-1e400", "9007199254740993.0",
					  "1e16", "1e-1",  "0.1",    "1E999999999999"};

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		assert_true(tn_json_number_is_id(tn_str_from(good[i])));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(tn_json_number_is_id(tn_str_from(bad[i])));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_nul_is_told_with_its_place),
		cmocka_unit_test(a_name_with_a_nul_is_refused),
		cmocka_unit_test(ids_are_numbers_that_come_back_as_they_went),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
