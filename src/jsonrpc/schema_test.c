#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/limits.h"
#include "jsonrpc/schema.h"

/* ---- helpers ---- */

static struct tn_schema *compile(const char *text, unsigned flags)
{
	struct tn_schema *schema = NULL;
	struct tn_arena arena;
	struct tn_json *tree;
	struct tenon_error err;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(text), &tree, &err), TENON_OK);
	if (tn_schema_compile_flags(tree, flags, &schema, &err) != TENON_OK)
		fail_msg("%s: %s", text, err.message);
	tn_arena_finish(&arena); /* the schema lives on without its tree */
	return schema;
}

static enum tenon_code check(const struct tn_schema *schema, struct tn_str instance,
			     struct tn_schema_faults *faults)
{
	struct tn_arena arena;
	struct tn_json *tree;
	enum tenon_code code;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	assert_int_equal(tn_json_parse_copy(&arena, instance, &tree, NULL), TENON_OK);
	code = tn_schema_check(schema, tree, faults);
	tn_arena_finish(&arena);
	return code;
}

/* ---- sentences ---- */

#define TOOL                                                                                       \
	"{\"type\":\"object\",\"properties\":{\"plan_text\":{\"type\":\"string\",\"minLength\":1}" \
	","                                                                                        \
	"\"source\":{\"enum\":[\"builtin\",\"openai\"]},"                                          \
	"\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":100},"                          \
	"\"items\":{\"type\":\"array\",\"maxItems\":3,\"uniqueItems\":true,\"items\":"             \
	"{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{\"name\":{\"type\":"         \
	"\"string\","                                                                              \
	"\"pattern\":\"^[a-z]+$\",\"maxLength\":5}},\"additionalProperties\":false}}},"            \
	"\"required\":[\"plan_text\"],\"additionalProperties\":false}"

#define UNION                                                                                \
	"{\"anyOf\":[{\"type\":\"object\",\"properties\":{\"kind\":{\"const\":\"a\"},\"n\":" \
	"{\"type\":\"integer\"}},\"required\":[\"kind\",\"n\"]},{\"type\":\"object\","       \
	"\"properties\":"                                                                    \
	"{\"kind\":{\"const\":\"b\"}},\"required\":[\"kind\"]},{\"type\":\"string\"}]}"

static const struct {
	const char *schema, *instance;
	const char *path, *keyword, *message; /* of the first fault */
} sentences[] = {
	{TOOL, "{\"plan_text\":1}", "plan_text", "type",
	 "plan_text: expected a string, got an integer"},
	{TOOL, "{\"plan_text\":null}", "plan_text", "type",
	 "plan_text: expected a string, got null"},
	{TOOL, "[]", "arguments", "type", "arguments: expected an object, got an array"},
	{TOOL, "{}", "plan_text", "required", "plan_text: required but missing; send a string"},
	{TOOL, "{\"plan_text\":\"\"}", "plan_text", "minLength",
	 "plan_text: too short: 0 characters; send at least 1"},
	{TOOL, "{\"plan_text\":\"x\",\"source\":\"foo\"}", "source", "enum",
	 "source: \"foo\" is not one of \"builtin\", \"openai\""},
	{TOOL, "{\"plan_text\":\"x\",\"source\":\"opnai\"}", "source", "enum",
	 "source: \"opnai\" is not one of \"builtin\", \"openai\"; did you mean \"openai\"?"},
	{TOOL, "{\"plan_text\":\"x\",\"planText\":1}", "planText", "additionalProperties",
	 "planText: unknown property; did you mean \"plan_text\"?"},
	{TOOL, "{\"plan_text\":\"x\",\"q\":1}", "q", "additionalProperties",
	 "q: unknown property; known are \"items\", \"limit\", \"source\", \"plan_text\""},
	{TOOL, "{\"plan_text\":\"x\",\"limit\":\"12\"}", "limit", "type",
	 "limit: expected an integer, got a string; send it without quotes"},
	{TOOL, "{\"plan_text\":\"x\",\"limit\":1.5}", "limit", "type",
	 "limit: expected an integer, got 1.5"},
	{TOOL, "{\"plan_text\":\"x\",\"limit\":0}", "limit", "minimum",
	 "limit: must be at least 1, got 0"},
	{TOOL, "{\"plan_text\":\"x\",\"limit\":1e9}", "limit", "maximum",
	 "limit: must be at most 100, got 1e9"},
	{TOOL, "{\"plan_text\":\"x\",\"items\":\"[1]\"}", "items", "type",
	 "items: expected an array, got a string; send the JSON itself, not a string that contains "
	 "it"},
	{TOOL, "{\"plan_text\":\"x\",\"items\":[{\"name\":\"a\"},{\"name\":\"B\"}]}",
	 "items[1].name", "pattern", "items[1].name: must match the pattern ^[a-z]+$, got \"B\""},
	{TOOL, "{\"plan_text\":\"x\",\"items\":[{}]}", "items[0].name", "required",
	 "items[0].name: required but missing; send a string"},
	{TOOL, "{\"plan_text\":\"x\",\"items\":[{\"name\":\"a\"},{\"name\":\"a\"}]}", "items",
	 "uniqueItems", "items: elements 0 and 1 are equal; send each only once"},
	{TOOL, "{\"plan_text\":\"x\",\"items\":[1,2,3,4]}", "items", "maxItems",
	 "items: too many elements: 4; send at most 3"},
	{UNION, "{\"kind\":\"a\"}", "n", "required", "n: required but missing; send an integer"},
	{UNION, "3", "arguments", "type",
	 "arguments: expected a string or an object, got an integer"},
	{UNION, "{\"kind\":\"c\"}", "arguments", "anyOf",
	 "arguments: an object fits none of the allowed forms: an object with \"kind\": \"a\", an "
	 "object "
	 "with \"kind\": \"b\", a string"},
	{"{\"anyOf\":[{\"type\":\"object\",\"required\":[\"a\"]},{\"type\":\"object\",\"required\":"
	 "[\"b\",\"c\"]}]}",
	 "{}", "arguments", "anyOf",
	 "arguments: an object fits none of the allowed forms: an object with \"a\", an object "
	 "with \"b\" and "
	 "\"c\""},
	{"{\"oneOf\":[{\"const\":\"red\"},{\"const\":\"blue\"}]}", "\"green\"", "arguments",
	 "oneOf", "arguments: \"green\" fits none of the allowed forms: \"red\", \"blue\""},
	{"{\"oneOf\":[{},{}]}", "1", "arguments", "oneOf",
	 "arguments: fits more than one of the allowed forms; send a value that fits exactly one"},
	{"{\"const\":\"yes\"}", "\"no\"", "arguments", "const",
	 "arguments: must be \"yes\", got \"no\""},
	{"{\"multipleOf\":5}", "7", "arguments", "multipleOf",
	 "arguments: must be a multiple of 5, got 7"},
	{"{\"not\":{}}", "7", "arguments", "not", "arguments: has a form that is not allowed"},
	{"{\"properties\":{\"a\":false}}", "{\"a\":1}", "a", "false",
	 "a: not allowed here; leave it out"},
	{"{\"additionalProperties\":false}", "{\"a b\":1}", "[\"a b\"]", "additionalProperties",
	 "[\"a b\"]: unknown property; leave it out"},
	{"{\"items\":{\"type\":\"null\"}}", "[null,1]", "[1]", "type",
	 "[1]: expected null, got an integer"},
	{"{\"propertyNames\":{\"maxLength\":2}}", "{\"abc\":1}", "abc", "maxLength",
	 "abc (property name): too long: 3 characters; send at most 2"},
	{"{\"dependentRequired\":{\"a\":[\"b\"]}}", "{\"a\":1}", "b", "dependentRequired",
	 "b: missing; it is needed together with \"a\""},
	{"{\"contains\":{\"const\":1}}", "[2]", "arguments", "contains",
	 "arguments: 0 elements are of the kind that is needed at least 1 times"},
	{"{\"properties\":{\"a\":{\"properties\":{\"b\":{\"type\":\"object\",\"minProperties\":1}}}"
	 "}}",
	 "{\"a\":{\"b\":{}}}", "a.b", "minProperties",
	 "a.b: too few properties: 0; send at least 1"},
	{"{\"unevaluatedProperties\":false,\"properties\":{\"name\":{}}}", "{\"nmae\":1,\"x\":1}",
	 "nmae", "unevaluatedProperties", "nmae: unknown property; known are \"name\""},
};

static void test_sentences(void **state)
{
	struct tn_schema_faults faults = {.root = "arguments"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(sentences); i++) {
		struct tn_schema *schema = compile(sentences[i].schema, 0);

		assert_int_equal(check(schema, tn_str_from(sentences[i].instance), &faults),
				 TENON_INVALID);
		assert_true(faults.count >= 1);
		assert_string_equal(faults.items[0].message, sentences[i].message);
		assert_string_equal(faults.items[0].path, sentences[i].path);
		assert_string_equal(faults.items[0].keyword, sentences[i].keyword);
		tn_schema_free(schema);
	}
}

/* ARCHITECTURE 3.1: all faults at once, so that one round mends the call. */
static void test_many_faults(void **state)
{
	struct tn_schema_faults faults = {.root = "arguments"};
	struct tn_schema *schema = compile(TOOL, 0);
	struct tn_buf text;

	(void)state;
	assert_int_equal(check(schema,
			       TN_STR("{\"source\":1,\"limit\":0,\"a\":1,\"b\":2,"
				      "\"items\":[{\"name\":1},{\"nam\":\"x\"}]}"),
			       &faults),
			 TENON_INVALID);
	assert_int_equal(faults.count, 8);
	assert_int_equal(faults.more, 0);
	tn_schema_free(schema);

	schema = compile("{\"items\":{\"type\":\"string\"}}", 0);
	tn_buf_init(&text, TN_MIB);
	tn_json_begin_array(&text);
	for (int i = 0; i < 50; i++)
		tn_json_put_int(&text, i);
	tn_json_end_array(&text);
	assert_int_equal(check(schema, tn_buf_str(&text), &faults), TENON_INVALID);
	assert_int_equal(faults.count, TN_SCHEMA_FAULTS_MAX);
	assert_int_equal(faults.more, 50 - TN_SCHEMA_FAULTS_MAX);
	tn_buf_clear(&text);
	tn_schema_faults_write(&faults, &text);
	assert_true(tn_str_starts(tn_buf_str(&text),
				  TN_STR("[0]: expected a string, got an integer; [1]: expected")));
	assert_true(tn_str_ends(tn_buf_str(&text), TN_STR("; and 30 more")));
	assert_int_equal(check(schema, TN_STR("[\"x\"]"), &faults), TENON_OK);
	assert_int_equal(faults.count, 0);
	tn_buf_finish(&text);
	tn_schema_free(schema);
}

/* MCP-287: what a peer chose is cut and cleaned before it reaches a terminal or a log. */
static void test_hostile_names_are_cleaned(void **state)
{
	struct tn_schema_faults faults = {.root = "arguments"};
	struct tn_schema *schema = compile("{\"additionalProperties\":false}", 0);
	char long_name[3000];

	(void)state;
	assert_int_equal(check(schema, TN_STR("{\"\\u001b[31m\\u202ex\\u0085\":1}"), &faults),
			 TENON_INVALID);
	assert_string_equal(faults.items[0].path, "[\"?[31m?x?\"]");
	memset(long_name, 'n', sizeof(long_name));
	memcpy(long_name, "{\"", 2);
	memcpy(long_name + sizeof(long_name) - 4, "\":1}", 4);
	assert_int_equal(check(schema, tn_str(long_name, sizeof(long_name)), &faults),
			 TENON_INVALID);
	assert_true(strlen(faults.items[0].path) < 80);
	tn_schema_free(schema);
}

static void test_deep_paths_lose_their_front(void **state)
{
	struct tn_schema_faults faults = {.root = "arguments"};
	struct tn_schema *schema =
		compile("{\"additionalProperties\":{\"$ref\":\"#\"},\"type\":\"object\"}", 0);
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	for (int i = 0; i < 60; i++)
		tn_buf_append_text(&text, "{\"a_rather_long_name_\xC3\xA9\":");
	tn_buf_append_text(&text, "1");
	for (int i = 0; i < 60; i++)
		tn_buf_append_byte(&text, '}');
	assert_int_equal(check(schema, tn_buf_str(&text), &faults), TENON_INVALID);
	assert_true(strncmp(faults.items[0].path, "...", 3) == 0);
	assert_true(tn_utf8_valid(faults.items[0].message, strlen(faults.items[0].message)));
	tn_buf_finish(&text);
	tn_schema_free(schema);
}

/* Programs want a JSON Pointer, and a path is the only place that a fault has. */
static void test_paths_become_pointers(void **state)
{
	static const struct {
		const char *path, *pointer;
	} cases[] = {
		{"arguments", ""},
		{"arguments.operations[2].width", "/operations/2/width"},
		{"arguments[\"a.b\"]", "/a.b"},
		{"argumentsToo", "/argumentsToo"},
		{"operations[0].action", "/operations/0/action"},
		{"[\"ui.but/ton\"].props[\"a~b\"][3]", "/ui.but~1ton/props/a~0b/3"},
		{"[\"a\\\"]b\"].c", "/a\\\"]b/c"},
		{"[\"\"]", "/"},
		{"[12][0]", "/12/0"},
		{"cut_her....x", "/cut_her.../x"},
		{"[\"cut her...\"].x", "/cut her.../x"},
		{"...name.x", NULL},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_buf out;

		tn_buf_init(&out, TN_KIB);
		assert_int_equal(tn_schema_put_pointer(&out, cases[i].path, "arguments"),
				 cases[i].pointer != NULL);
		tn_buf_append_byte(&out, '\0');
		assert_string_equal(out.data, cases[i].pointer ? cases[i].pointer : "");
		tn_buf_finish(&out);
	}
}

/* ---- compiling ---- */

static const struct {
	const char *schema, *part; /* of the message */
	enum tenon_code code;
} refused[] = {
	{"1", "schema #: a schema is an object or a boolean", TENON_INVALID},
	{"{\"type\":\"strng\"}", "schema #/type: must be", TENON_INVALID},
	{"{\"type\":[]}", "#/type", TENON_INVALID},
	{"{\"type\":[\"string\",1]}", "#/type", TENON_INVALID},
	{"{\"properties\":{\"a\":{\"pattern\":\"(a)\\\\1\"}}}",
	 "schema #/properties/a/pattern: the pattern has a back-reference", TENON_INVALID},
	{"{\"properties\":[]}", "#/properties: must be an object", TENON_INVALID},
	{"{\"properties\":{\"a\":1}}", "#/properties/a: a schema is", TENON_INVALID},
	{"{\"patternProperties\":{\"(\":{}}}", "#/patternProperties", TENON_INVALID},
	{"{\"required\":\"a\"}", "#/required", TENON_INVALID},
	{"{\"required\":[1]}", "#/required", TENON_INVALID},
	{"{\"minLength\":-1}", "#/minLength: must be an integer of 0 or more", TENON_INVALID},
	{"{\"minLength\":1.5}", "#/minLength", TENON_INVALID},
	{"{\"minimum\":\"1\"}", "#/minimum: must be a number", TENON_INVALID},
	{"{\"exclusiveMinimum\":true}", "#/exclusiveMinimum: must be a number", TENON_INVALID},
	{"{\"multipleOf\":0}", "#/multipleOf", TENON_INVALID},
	{"{\"multipleOf\":-2}", "#/multipleOf", TENON_INVALID},
	{"{\"enum\":1}", "#/enum", TENON_INVALID},
	{"{\"uniqueItems\":1}", "#/uniqueItems", TENON_INVALID},
	{"{\"allOf\":[]}", "#/allOf", TENON_INVALID},
	{"{\"anyOf\":{}}", "#/anyOf", TENON_INVALID},
	{"{\"allOf\":[{},{\"not\":3}]}", "#/allOf/1/not: a schema is", TENON_INVALID},
	{"{\"$defs\":{\"x\":{\"items\":7}}}", "#/$defs/x/items: a schema is", TENON_INVALID},
	{"{\"items\":[{}],\"prefixItems\":[{}]}", "#/items", TENON_INVALID},
	{"{\"dependentRequired\":{\"a\":\"b\"}}", "#/dependentRequired", TENON_INVALID},
	{"{\"$ref\":7}", "#/$ref", TENON_INVALID},
	{"{\"$ref\":\"#/$defs/no\"}", "\"#/$defs/no\" leads nowhere", TENON_INVALID},
	{"{\"$ref\":\"#no\"}", "\"#no\" leads nowhere", TENON_INVALID},
	{"{\"items\":{\"$ref\":\"#/type\"},\"type\":\"array\"}", "a schema is", TENON_INVALID},
	{"{\"$ref\":\"#\"}", "in a circle", TENON_INVALID},
	{"{\"allOf\":[{\"$ref\":\"#/$defs/a\"}],\"$defs\":{\"a\":{\"anyOf\":[{\"$ref\":\"#\"}]}}}",
	 "in a circle", TENON_INVALID},
	{"{\"dependentSchemas\":{\"a\":{\"$ref\":\"#\"}}}", "in a circle", TENON_INVALID},
	{"{\"$id\":7}", "$id is not a string", TENON_INVALID},
	{"{\"$anchor\":\"a\",\"not\":{\"$anchor\":\"a\"}}", "used twice", TENON_INVALID},
	{"{\"$recursiveRef\":\"#\"}", "#/$recursiveRef: belongs to draft 2019-09", TENON_INVALID},
	/* MCP-279 */
	{"{\"$schema\":\"http://json-schema.org/draft-04/schema#\"}", "dialect not supported",
	 TENON_INVALID},
	{"{\"$schema\":\"https://json-schema.org/draft/2019-09/schema\"}", "dialect not supported",
	 TENON_INVALID},
	{"{\"$schema\":\"https://example.org/mine\"}", "dialect not supported", TENON_INVALID},
	{"{\"$schema\":7}", "$schema is not a string", TENON_INVALID},
	{"{\"properties\":{\"a\":{\"$id\":\"x\",\"$schema\":\"urn:other\"}}}",
	 "dialect not supported", TENON_INVALID},
};

static void test_refused_schemas(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(refused); i++) {
		struct tn_schema *schema = NULL;
		struct tenon_error err = {0};

		if (tn_schema_compile_text(tn_str_from(refused[i].schema), &schema, &err) !=
			    refused[i].code ||
		    !strstr(err.message, refused[i].part))
			fail_msg("%s: %s", refused[i].schema, err.message);
		assert_null(schema);
	}
}

/* MCP-281: never fetched, never passed, wherever it stands. */
static void test_external_references_fail(void **state)
{
	static const char *const schemas[] = {
		"{\"$ref\":\"http://example.org/x.json\"}",
		"{\"$ref\":\"https://json-schema.org/draft/2020-12/schema\"}",
		"{\"$ref\":\"other.json\"}",
		"{\"$dynamicRef\":\"http://example.org/x.json#a\"}",
		"{\"not\":{\"$ref\":\"http://example.org/x.json\"}}",
		"{\"anyOf\":[{\"$ref\":\"http://example.org/x.json\"},true]}",
		"{\"oneOf\":[true,{\"$ref\":\"http://example.org/x.json\"}]}",
		"{\"if\":{\"$ref\":\"http://example.org/x.json\"},\"else\":true,\"then\":true}",
		"{\"contains\":{\"$ref\":\"http://example.org/x.json\"},\"minContains\":0}",
		"{\"unevaluatedItems\":{\"$ref\":\"http://example.org/x.json\"}}",
	};
	struct tn_schema_faults faults = {.root = "arguments"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(schemas); i++) {
		struct tn_schema *schema = compile(schemas[i], 0);

		assert_int_equal(check(schema, TN_STR("[1]"), &faults), TENON_INVALID);
		assert_int_equal(faults.count, 1);
		assert_string_equal(faults.items[0].keyword, "$ref");
		assert_non_null(strstr(faults.items[0].message, "never fetched"));
		tn_schema_free(schema);
	}
}

/* ---- bounds (MCP-282) ---- */

static void put_repeated(struct tn_buf *out, const char *text, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		tn_buf_append_text(out, text);
}

static void test_depth_of_schemas(void **state)
{
	struct tn_schema *schema = NULL;
	struct tn_buf text;

	(void)state;
	for (unsigned depth = TN_SCHEMA_DEPTH_MAX - 1; depth <= TN_SCHEMA_DEPTH_MAX; depth++) {
		bool allowed = depth < TN_SCHEMA_DEPTH_MAX;

		tn_buf_init(&text, TN_MIB);
		put_repeated(&text, "{\"not\":", depth);
		tn_buf_append_text(&text, "{}");
		put_repeated(&text, "}", depth);
		assert_int_equal(tn_schema_compile_text(tn_buf_str(&text), &schema, NULL),
				 allowed ? TENON_OK : TENON_LIMIT);
		tn_buf_finish(&text);
	}
	tn_schema_free(schema);
}

static void test_number_of_schemas(void **state)
{
	struct tn_schema *schema = NULL;
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, "{\"allOf\":[true");
	put_repeated(&text, ",true", TN_SCHEMA_NODES_MAX - 2);
	tn_buf_append_text(&text, "]}");
	assert_int_equal(tn_schema_compile_text(tn_buf_str(&text), &schema, NULL), TENON_OK);
	tn_schema_free(schema);
	text.size -= 2;
	tn_buf_append_text(&text, ",true]}");
	assert_int_equal(tn_schema_compile_text(tn_buf_str(&text), &schema, NULL), TENON_LIMIT);
	tn_buf_finish(&text);
}

/* Each level asks twice for the next: 2^40 visits without a step limit. */
static void test_exploding_references_stop(void **state)
{
	struct tn_schema_faults faults = {.root = "arguments"};
	struct tn_schema *schema = NULL;
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, "{\"$ref\":\"#/$defs/a0\",\"$defs\":{");
	for (int i = 0; i < 40; i++)
		tn_buf_format(&text,
			      "\"a%d\":{\"allOf\":[{\"$ref\":\"#/$defs/a%d\"},{\"$ref\":\"#/$defs/"
			      "a%d\"}]},",
			      i, i + 1, i + 1);
	tn_buf_append_text(&text, "\"a40\":{\"type\":\"integer\"}}}");
	assert_int_equal(tn_schema_compile_text(tn_buf_str(&text), &schema, NULL), TENON_OK);
	assert_int_equal(check(schema, TN_STR("1"), &faults), TENON_LIMIT);
	assert_int_equal(faults.count, 1);
	assert_non_null(strstr(faults.items[0].message, "too large to be checked"));
	tn_schema_free(schema);
	tn_buf_finish(&text);
}

static void test_long_chains_are_refused(void **state)
{
	struct tn_schema *schema = NULL;
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, "{\"$ref\":\"#/$defs/a0\",\"$defs\":{");
	for (int i = 0; i < 5000; i++)
		tn_buf_format(&text, "\"a%d\":{\"$ref\":\"#/$defs/a%d\"},", i, i + 1);
	tn_buf_append_text(&text, "\"a5000\":{}}}");
	assert_int_equal(tn_schema_compile_text(tn_buf_str(&text), &schema, NULL), TENON_LIMIT);
	tn_buf_finish(&text);
}

/* A value 127 deep under a schema that refers to itself through several steps. */
static void test_deepest_value(void **state)
{
	struct tn_schema *schema =
		compile("{\"items\":{\"allOf\":[{\"anyOf\":[{\"$ref\":\"#\"}]}]}}", 0);
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	put_repeated(&text, "[", TN_JSON_DEPTH_MAX);
	put_repeated(&text, "]", TN_JSON_DEPTH_MAX);
	assert_int_equal(check(schema, tn_buf_str(&text), NULL), TENON_OK);
	tn_schema_free(schema);
	tn_buf_finish(&text);
}

static void test_long_text_against_a_pattern(void **state)
{
	struct tn_schema_faults faults = {.root = "arguments"};
	struct tn_schema *schema = compile("{\"pattern\":\"(a|b|ab)*c$\"}", 0);
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, 16 * TN_MIB);
	tn_buf_append_byte(&text, '"');
	put_repeated(&text, "abababab", 500000);
	tn_buf_append_byte(&text, '"');
	assert_int_equal(check(schema, tn_buf_str(&text), &faults), TENON_LIMIT);
	assert_non_null(strstr(faults.items[0].message, "pattern"));
	tn_schema_free(schema);
	tn_buf_finish(&text);
}

/* MCP-291: time that grows with the square of the size would not end here. */
static void test_large_values_are_linear(void **state)
{
	static const char *const schemas[] = {
		"{\"uniqueItems\":true,\"items\":{\"type\":\"integer\"}}",
		"{\"items\":{\"enum\":[]},\"not\":{}}",
		"{\"contains\":{\"const\":7},\"unevaluatedItems\":{\"type\":\"integer\"}}",
	};
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, 16 * TN_MIB);
	tn_json_begin_array(&text);
	for (int i = 0; i < 300000; i++)
		tn_json_put_int(&text, i);
	tn_json_end_array(&text);
	for (size_t i = 0; i < TN_COUNT(schemas); i++) {
		struct tn_schema *schema = compile(schemas[i], 0);

		assert_int_equal(check(schema, tn_buf_str(&text), NULL),
				 i == 1 ? TENON_INVALID : TENON_OK);
		tn_schema_free(schema);
	}
	tn_buf_finish(&text);
}

static void test_many_members(void **state)
{
	static const char *const schemas[] = {
		"{\"required\":[\"k99999\"],\"patternProperties\":{\"^k\":{\"type\":\"integer\"}},"
		"\"additionalProperties\":false}",
		"{\"anyOf\":[{\"patternProperties\":{\"[0-4]$\":{}}},{\"patternProperties\":{\"[5-"
		"9]$\":"
		"{}}}],\"unevaluatedProperties\":false}",
		"{\"required\":[\"missing\"]}",
	};
	struct tn_buf text;
	char key[16];

	(void)state;
	tn_buf_init(&text, 16 * TN_MIB);
	tn_json_begin_object(&text);
	for (int i = 0; i < 100000; i++) {
		(void)snprintf(key, sizeof(key), "k%d", i);
		tn_json_put_member_int(&text, key, i);
	}
	tn_json_end_object(&text);
	for (size_t i = 0; i < TN_COUNT(schemas); i++) {
		struct tn_schema *schema = compile(schemas[i], 0);

		assert_int_equal(check(schema, tn_buf_str(&text), NULL),
				 i == 2 ? TENON_INVALID : TENON_OK);
		tn_schema_free(schema);
	}
	tn_buf_finish(&text);
}

/* ---- formats (MCP-208) ---- */

static const struct {
	const char *format, *text;
	bool good;
} formats[] = {
	{"email", "name@example.org", true},
	{"email", "a.b+c@sub.example.org", true},
	{"email", "j\xC3\xB6rg@example.org", true},
	{"email", "name@localhost", true},
	{"email", "@example.org", false},
	{"email", "name@", false},
	{"email", "name", false},
	{"email", ".name@example.org", false},
	{"email", "name.@example.org", false},
	{"email", "na..me@example.org", false},
	{"email", "na me@example.org", false},
	{"email", "name@exam ple.org", false},
	{"email", "name@-example.org", false},
	{"email", "name@example..org", false},
	{"uri", "https://example.org/a?b=c#d", true},
	{"uri", "urn:isbn:0451450523", true},
	{"uri", "mailto:a@b.c", true},
	{"uri", "http://[::1]:8080/", true},
	{"uri", "a%20b:x", false},
	{"uri", "https://example.org/%zz", false},
	{"uri", "https://example.org/%4", false},
	{"uri", "/relative", false},
	{"uri", "//host/path", false},
	{"uri", "http:", false},
	{"uri", "https://example.org/a b", false},
	{"uri", "1http://x", false},
	{"uri", "https://\xC3\xA9.org/", false},
	{"date", "2026-11-21", true},
	{"date", "2024-02-29", true},
	{"date", "2000-02-29", true},
	{"date", "1900-02-29", false},
	{"date", "2026-02-29", false},
	{"date", "2026-04-31", false},
	{"date", "2026-13-01", false},
	{"date", "2026-00-01", false},
	{"date", "2026-1-01", false},
	{"date", "2026-11-21T", false},
	{"date-time", "2026-11-21T10:15:30Z", true},
	{"date-time", "2026-11-21t10:15:30.123456z", true},
	{"date-time", "2026-11-21T10:15:30+05:30", true},
	{"date-time", "2016-12-31T23:59:60Z", true},
	{"date-time", "2017-01-01T00:59:60+01:00", true},
	{"date-time", "2016-12-31T22:59:60Z", false},
	{"date-time", "2026-11-21T24:00:00Z", false},
	{"date-time", "2026-11-21T10:60:00Z", false},
	{"date-time", "2026-11-21T10:15:30", false},
	{"date-time", "2026-11-21T10:15:30.Z", false},
	{"date-time", "2026-11-21 10:15:30Z", false},
	{"date-time", "2026-11-21T10:15:30+24:00", false},
	{"date-time", "2026-11-21T10:15:30Zx", false},
};

static void test_formats(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(formats); i++) {
		struct tn_schema_faults faults = {.root = "answer"};
		struct tn_schema *noted, *asserted;
		char schema[64];
		struct tn_buf text;

		(void)snprintf(schema, sizeof(schema), "{\"format\":\"%s\"}", formats[i].format);
		noted = compile(schema, 0);
		asserted = compile(schema, TN_SCHEMA_ASSERT_FORMAT);
		tn_buf_init(&text, TN_MIB);
		tn_json_put_text(&text, formats[i].text);
		assert_int_equal(check(noted, tn_buf_str(&text), NULL), TENON_OK);
		if ((check(asserted, tn_buf_str(&text), &faults) == TENON_OK) != formats[i].good)
			fail_msg("%s: %s", formats[i].format, formats[i].text);
		if (!formats[i].good)
			assert_string_equal(faults.items[0].keyword, "format");
		assert_int_equal(check(asserted, TN_STR("5"), NULL), TENON_OK);
		tn_buf_finish(&text);
		tn_schema_free(noted);
		tn_schema_free(asserted);
	}
}

static void test_free_accepts_null(void **state)
{
	(void)state;
	tn_schema_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sentences),
		cmocka_unit_test(test_many_faults),
		cmocka_unit_test(test_hostile_names_are_cleaned),
		cmocka_unit_test(test_deep_paths_lose_their_front),
		cmocka_unit_test(test_paths_become_pointers),
		cmocka_unit_test(test_refused_schemas),
		cmocka_unit_test(test_external_references_fail),
		cmocka_unit_test(test_depth_of_schemas),
		cmocka_unit_test(test_number_of_schemas),
		cmocka_unit_test(test_exploding_references_stop),
		cmocka_unit_test(test_long_chains_are_refused),
		cmocka_unit_test(test_deepest_value),
		cmocka_unit_test(test_long_text_against_a_pattern),
		cmocka_unit_test(test_large_values_are_linear),
		cmocka_unit_test(test_many_members),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_free_accepts_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
