/* Schemas and patterns that are refused, and values too deep to be checked: each with its sentence
 * (MCP-279, MCP-281, MCP-282). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/size.h"
#include "jsonrpc/pattern.h"
#include "jsonrpc/schema.h"

static void expect_refused(struct tn_str text, enum tenon_code code, const char *words)
{
	struct tn_schema *schema = NULL;
	struct tenon_error err = {.code = TENON_OK};

	if (tn_schema_compile_text(text, &schema, &err) != code || schema ||
	    !strstr(err.message, words))
		fail_msg("%.*s: %d %s", (int)(text.size < 200 ? text.size : 200), text.data,
			 (int)err.code, err.message);
}

static void test_wrong_forms(void **state)
{
	static const struct {
		const char *schema, *words;
	} cases[] = {
		{"{\"pattern\":7}", "a string"},
		{"{\"format\":7}", "a string"},
		{"{\"patternProperties\":[]}", "an object of schemas"},
		{"{\"dependentRequired\":{\"a\":[7]}}", "lists of names"},
		{"{\"dependentRequired\":[]}", "an object"},
		{"{\"dependentSchemas\":7}", "an object"},
		{"{\"$ref\":7}", "a string"},
		{"{\"$dynamicRef\":7}", "a string"},
		{"{\"$anchor\":\"\"}", "a name"},
		{"{\"$anchor\":7}", "a name"},
		{"{\"$dynamicAnchor\":7}", "a name"},
		{"{\"$defs\":[]}", "an object of schemas"},
		{"{\"$id\":\"a:b\",\"$defs\":{\"x\":{\"$id\":\"a:b\"}}}", "is used twice"},
		{"{\"$ref\":\"#/$defs/none\"}", "leads nowhere"},
		{"{\"$ref\":\"#none\"}", "leads nowhere"},
		{"{\"pattern\":\"[\\\\q]\"}", "escape"},
		{"{\"pattern\":\"[a-\\\\q]\"}", "escape"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		expect_refused(tn_str_from(cases[i].schema), TENON_INVALID, cases[i].words);
}

static void expect_pattern_refused(const struct tn_buf *source, const char *words)
{
	struct tn_arena arena;
	const struct tn_pattern *pattern = NULL;
	struct tenon_error err = {.code = TENON_OK};

	tn_arena_init(&arena, 16 * TN_MIB);
	assert_int_equal(tn_pattern_compile(&arena, tn_buf_str(source), &pattern, &err),
			 TENON_LIMIT);
	if (!strstr(err.message, words))
		fail_msg("%s: not in: %s", words, err.message);
	tn_arena_finish(&arena);
}

static void test_large_patterns(void **state) /* MCP-282 */
{
	struct tn_buf source;

	(void)state;
	tn_buf_init(&source, TN_MIB);
	for (int i = 0; i <= TN_PATTERN_STATES_MAX; i++)
		tn_buf_append_byte(&source, 'a');
	expect_pattern_refused(&source, "the pattern is longer than 4096 bytes");
	tn_buf_finish(&source);
}

/* A schema that refers to itself follows the value down, but not for ever. */
static void test_deep_values(void **state) /* MCP-282 */
{
	static const char text[] =
		"{\"$defs\":{\"a\":{\"$ref\":\"#/$defs/b\"},\"b\":{\"$ref\":\"#/$defs/c\"},"
		"\"c\":{\"$ref\":\"#/$defs/d\"},\"d\":{\"$ref\":\"#/$defs/e\"},\"e\":{\"$ref\":"
		"\"#/$defs/f\"},\"f\":{\"$ref\":\"#/$defs/g\"},\"g\":{\"$ref\":\"#/$defs/h\"},"
		"\"h\":{\"items\":{\"$ref\":\"#/$defs/a\"}}},\"$ref\":\"#/$defs/a\"}";
	struct tn_schema *schema;
	struct tn_schema_faults faults;
	struct tn_arena arena;
	struct tn_json *value;
	struct tenon_error err;
	char deep[2 * TN_JSON_DEPTH_MAX];

	(void)state;
	memset(deep, '[', TN_JSON_DEPTH_MAX);
	memset(deep + TN_JSON_DEPTH_MAX, ']', TN_JSON_DEPTH_MAX);
	tn_arena_init(&arena, 16 * TN_MIB);
	assert_int_equal(tn_schema_compile_text(tn_str_from(text), &schema, &err), TENON_OK);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str(deep, sizeof(deep)), &value, &err),
			 TENON_OK);
	faults.root = "value";
	assert_int_equal(tn_schema_check(schema, value, &faults), TENON_LIMIT);
	assert_non_null(strstr(faults.items[0].message, "nested too deeply to be checked"));
	tn_schema_free(schema);
	tn_arena_finish(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrong_forms),
		cmocka_unit_test(test_large_patterns),
		cmocka_unit_test(test_deep_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
