/* The tables of keywords, and which form of a value each keyword refuses: a schema with a slip in
 * it must be refused with its place, not be taken for one that allows everything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/size.h"
#include "jsonrpc/schema.h"
#include "jsonrpc/schema_keyword.h"

static const struct tn_schema_keyword_table *const tables[] = {
	&tn_schema_value_keywords, &tn_schema_array_keywords, &tn_schema_object_keywords,
	&tn_schema_logic_keywords};

/* They are searched by halves: one in the wrong place would be passed over as a note. */
static void tables_are_sorted_and_share_no_name(void **state)
{
	size_t total = 0;

	(void)state;
	for (size_t t = 0; t < TN_COUNT(tables); t++) {
		total += tables[t]->count;
		for (size_t i = 1; i < tables[t]->count; i++)
			assert_true(strcmp(tables[t]->entries[i - 1].name,
					   tables[t]->entries[i].name) < 0);
		for (size_t u = t + 1; u < TN_COUNT(tables); u++)
			for (size_t i = 0; i < tables[t]->count; i++)
				for (size_t j = 0; j < tables[u]->count; j++)
					assert_string_not_equal(tables[t]->entries[i].name,
								tables[u]->entries[j].name);
	}
	assert_int_equal(total, 48);
}

static enum tenon_code compile(const char *text, char *ret_message, size_t size)
{
	struct tenon_error err = {.message = ""};
	struct tn_schema *schema = NULL;
	struct tn_arena arena;
	struct tn_json *tree;
	enum tenon_code code;

	tn_arena_init(&arena, TN_MIB);
	if (tn_json_parse_copy(&arena, tn_str_from(text), &tree, &err) != TENON_OK)
		fail_msg("%s: %s", text, err.message);
	code = tn_schema_compile(tree, &schema, &err);
	(void)snprintf(ret_message, size, "%s", err.message);
	tn_schema_free(schema);
	tn_arena_finish(&arena);
	return code;
}

static void refused(const char *text, const char *place)
{
	char message[256];

	if (compile(text, message, sizeof(message)) != TENON_INVALID || !strstr(message, place))
		fail_msg("%s: %s, expected %s", text, message, place);
}

static void taken(const char *text)
{
	char message[256];

	if (compile(text, message, sizeof(message)) != TENON_OK)
		fail_msg("%s: %s", text, message);
}

static void counts_are_whole_and_not_below_zero(void **state)
{
	static const char *const names[] = {"minLength",     "maxLength",    "minItems",
					    "maxItems",      "minContains",  "maxContains",
					    "minProperties", "maxProperties"};
	static const char *const wrong[] = {"-1", "1.5", "\"1\"", "true", "null", "[]"};
	static const char *const right[] = {"0", "3", "2.0", "1e3", "123456789012345678901234"};
	char text[128], place[64];

	(void)state;
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		(void)snprintf(place, sizeof(place), "/%s", names[i]);
		for (size_t j = 0; j < TN_COUNT(wrong); j++) {
			(void)snprintf(text, sizeof(text), "{\"%s\":%s}", names[i], wrong[j]);
			refused(text, place);
		}
		for (size_t j = 0; j < TN_COUNT(right); j++) {
			(void)snprintf(text, sizeof(text), "{\"%s\":%s}", names[i], right[j]);
			taken(text);
		}
	}
}

static void what_wants_a_schema_takes_nothing_else(void **state)
{
	static const char *const names[] = {"additionalProperties",
					    "contains",
					    "else",
					    "if",
					    "items",
					    "not",
					    "propertyNames",
					    "then",
					    "unevaluatedItems",
					    "unevaluatedProperties"};
	static const char *const wrong[] = {"1", "\"string\"", "null"};
	char text[128], place[64];

	(void)state;
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		(void)snprintf(place, sizeof(place), "/%s", names[i]);
		for (size_t j = 0; j < TN_COUNT(wrong); j++) {
			(void)snprintf(text, sizeof(text), "{\"%s\":%s}", names[i], wrong[j]);
			refused(text, place);
		}
		(void)snprintf(text, sizeof(text), "{\"%s\":false}", names[i]);
		taken(text);
	}
}

static void lists_of_schemas_have_members(void **state)
{
	static const char *const names[] = {"allOf", "anyOf", "oneOf", "prefixItems"};
	char text[128], place[64];

	(void)state;
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		(void)snprintf(place, sizeof(place), "/%s", names[i]);
		(void)snprintf(text, sizeof(text), "{\"%s\":[]}", names[i]);
		refused(text, place);
		(void)snprintf(text, sizeof(text), "{\"%s\":{}}", names[i]);
		refused(text, place);
		(void)snprintf(place, sizeof(place), "/%s/1", names[i]);
		(void)snprintf(text, sizeof(text), "{\"%s\":[{},7]}", names[i]);
		refused(text, place);
		(void)snprintf(text, sizeof(text), "{\"%s\":[{},true]}", names[i]);
		taken(text);
	}
}

static void a_fault_inside_says_where_it_is(void **state)
{
	(void)state;
	refused("{\"properties\":{\"a\":{\"items\":{\"type\":\"text\"}}}}",
		"/properties/a/items/type");
	refused("{\"patternProperties\":{\"(\":{}}}", "/patternProperties");
	refused("{\"dependentRequired\":{\"a\":{}}}", "/dependentRequired");
	refused("{\"required\":[1]}", "/required");
	refused("{\"multipleOf\":0}", "/multipleOf");
	refused("{\"uniqueItems\":1}", "/uniqueItems");
	refused("{\"$recursiveRef\":\"#\"}", "/$recursiveRef");
}

/* draft-07 has none of these: what stands there is a note, whatever its form. */
static void what_draft_07_does_not_know_is_passed_over(void **state)
{
	(void)state;
	refused("{\"prefixItems\":1}", "/prefixItems");
	taken("{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"prefixItems\":1}");
	taken("{\"x-note\":1,\"title\":[],\"Type\":\"text\"}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_are_sorted_and_share_no_name),
		cmocka_unit_test(counts_are_whole_and_not_below_zero),
		cmocka_unit_test(what_wants_a_schema_takes_nothing_else),
		cmocka_unit_test(lists_of_schemas_have_members),
		cmocka_unit_test(a_fault_inside_says_where_it_is),
		cmocka_unit_test(what_draft_07_does_not_know_is_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
