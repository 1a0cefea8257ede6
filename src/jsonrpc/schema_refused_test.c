/* Schemas and patterns that are refused, and values too deep to be checked: each with its sentence
 * (MCP-279, MCP-281, MCP-282). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/size.h"
#include "jsonrpc/limits.h"
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

static void expect_whole(struct tn_str text, enum tenon_code code, const char *message)
{
	struct tn_schema *schema = NULL;
	struct tenon_error err = {.code = TENON_OK};

	if (tn_schema_compile_text(text, &schema, &err) != code || schema ||
	    strcmp(err.message, message) != 0)
		fail_msg("%.*s: wanted: %s; got: %s", (int)(text.size < 200 ? text.size : 200),
			 text.data, message, err.message);
}

/* The sentence says where, and what it must be. */
static void test_sentences(void **state) /* MCP-279 */
{
	static const struct {
		const char *schema, *message;
	} cases[] = {
		{"7", "schema #: a schema is an object or a boolean, not integer"},
		{"{\"type\":\"text\"}", "schema #/type: must be null, boolean, integer, number, "
					"string, array, object or a "
					"list of them"},
		{"{\"type\":[]}", "schema #/type: must be a list of types, not empty"},
		{"{\"enum\":7}", "schema #/enum: must be an array of values"},
		{"{\"minimum\":\"1\"}", "schema #/minimum: must be a number"},
		{"{\"multipleOf\":0}",
		 "schema #/multipleOf: must be a number above 0 with at most 18 digits"},
		{"{\"minLength\":-1}", "schema #/minLength: must be an integer of 0 or more"},
		{"{\"pattern\":\"(\"}",
		 "schema #/pattern: the pattern has a ( without a ) at character 2"},
		{"{\"items\":[true],\"prefixItems\":[true]}",
		 "schema #/items: must be a schema when prefixItems is there"},
		{"{\"allOf\":[]}", "schema #/allOf: must be an array of schemas, not empty"},
		{"{\"allOf\":[7]}",
		 "schema #/allOf/0: a schema is an object or a boolean, not integer"},
		{"{\"uniqueItems\":7}", "schema #/uniqueItems: must be true or false"},
		{"{\"properties\":7}", "schema #/properties: must be an object of schemas"},
		{"{\"properties\":{\"a\":{\"$defs\":7}}}",
		 "schema #/properties/a/$defs: must be an object of schemas"},
		{"{\"required\":7}", "schema #/required: must be an array of names"},
		{"{\"required\":[7]}", "schema #/required: must be an array of names"},
		{"{\"$recursiveRef\":\"#\"}",
		 "schema #/$recursiveRef: belongs to draft 2019-09, which is not supported; use "
		 "$dynamicRef"},
		{"{\"$schema\":7}", "schema #: $schema is not a string"},
		{"{\"$schema\":\"http://json-schema.org/draft-04/schema#\"}",
		 "schema #: dialect not supported: \"http://json-schema.org/draft-04/schema\"; use "
		 "2020-12 or draft-07"},
		{"{\"$id\":7}", "schema #: $id is not a string"},
		{"{\"$anchor\":\"a\",\"$defs\":{\"b\":{\"$anchor\":\"a\"}}}",
		 "schema #/$defs/b/$anchor: the anchor is used twice"},
		{"{\"$defs\":{\"a\":{\"$ref\":\"#/$defs/b\"},\"b\":{\"$ref\":\"#/$defs/a\"}}}",
		 "schema #: schemas refer to each other in a circle"},
		{"{\"$ref\":\"#/x\"}", "schema #/$ref: the reference \"#/x\" leads nowhere"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		expect_whole(tn_str_from(cases[i].schema), TENON_INVALID, cases[i].message);
}

static void append_number(struct tn_buf *text, const char *before, unsigned n, const char *after)
{
	tn_buf_append_text(text, before);
	tn_buf_append_uint(text, n);
	tn_buf_append_text(text, after);
}

static void test_large_schemas(void **state) /* MCP-282 */
{
	struct tn_buf text;
	char message[200];

	(void)state;
	tn_buf_init(&text, 4 * TN_MIB);
	for (unsigned i = 0; i <= TN_SCHEMA_DEPTH_MAX; i++)
		tn_buf_append_text(&text, "{\"not\":");
	tn_buf_append_text(&text, "true");
	for (unsigned i = 0; i <= TN_SCHEMA_DEPTH_MAX; i++)
		tn_buf_append_byte(&text, '}');
	(void)snprintf(message, sizeof(message), ": nested more than %d deep", TN_SCHEMA_DEPTH_MAX);
	expect_refused(tn_buf_str(&text), TENON_LIMIT, message);

	tn_buf_clear(&text);
	tn_buf_append_text(&text, "{\"allOf\":[true");
	for (unsigned i = 0; i < TN_SCHEMA_NODES_MAX; i++)
		tn_buf_append_text(&text, ",true");
	tn_buf_append_text(&text, "]}");
	(void)snprintf(message, sizeof(message), "schema #/allOf/%d: more than %d schemas",
		       TN_SCHEMA_NODES_MAX - 1, TN_SCHEMA_NODES_MAX);
	expect_whole(tn_buf_str(&text), TENON_LIMIT, message);

	tn_buf_clear(&text);
	tn_buf_append_text(&text, "{\"$defs\":{\"d0\":true");
	for (unsigned i = 1; i < 5000; i++) { /* wherever the search begins */
		append_number(&text, ",\"d", i, "\":{\"$ref\":\"#/$defs/d");
		append_number(&text, "", i - 1, "\"}");
	}
	tn_buf_append_text(&text, "}}");
	expect_refused(tn_buf_str(&text), TENON_LIMIT, "references chained more than 256 deep");
	tn_buf_finish(&text);
}

static void expect_fault(const char *schema_text, const char *value_text, enum tenon_code code,
			 const char *message)
{
	struct tn_schema *schema = NULL;
	struct tn_schema_faults faults = {.root = "value"};
	struct tn_arena arena;
	struct tn_json *root, *value;
	struct tenon_error err;

	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(schema_text), &root, &err),
			 TENON_OK);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(value_text), &value, &err),
			 TENON_OK);
	assert_int_equal(tn_schema_compile_flags(root, TN_SCHEMA_ASSERT_FORMAT, &schema, &err),
			 TENON_OK);
	if (tn_schema_check(schema, value, &faults) != code ||
	    strcmp(faults.items[0].message, message) != 0)
		fail_msg("wanted: %s; got: %s", message, faults.items[0].message);
	tn_schema_free(schema);
	tn_arena_finish(&arena);
}

static void test_values(void **state) /* MCP-281, MCP-283 */
{
	(void)state;
	expect_fault("{\"exclusiveMinimum\":3}", "3", TENON_INVALID,
		     "value: must be greater than 3, got 3");
	expect_fault("{\"exclusiveMaximum\":3}", "3", TENON_INVALID,
		     "value: must be less than 3, got 3");
	expect_fault("{\"format\":\"email\"}", "\"x\"", TENON_INVALID,
		     "value: must be an e-mail address such as name@example.org, got \"x\"");
	expect_fault("{\"format\":\"uri\"}", "\"x\"", TENON_INVALID,
		     "value: must be an absolute URI such as https://example.org/, got \"x\"");
	expect_fault("{\"format\":\"date\"}", "\"x\"", TENON_INVALID,
		     "value: must be a date such as 2026-11-21, got \"x\"");
	expect_fault("{\"format\":\"date-time\"}", "\"x\"", TENON_INVALID,
		     "value: must be a time such as 2026-11-21T10:15:00Z, got \"x\"");
	expect_fault("{\"$ref\":\"http://x/y\"}", "1", TENON_INVALID,
		     "value: cannot be checked: its schema refers to \"http://x/y\", which is "
		     "never fetched");
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
		cmocka_unit_test(test_wrong_forms),    cmocka_unit_test(test_sentences),
		cmocka_unit_test(test_large_schemas),  cmocka_unit_test(test_values),
		cmocka_unit_test(test_large_patterns), cmocka_unit_test(test_deep_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
