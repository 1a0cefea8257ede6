/* Every allocation of reading JSON, compiling schemas, patterns and URI templates, and checking a
 * value fails once, and from then on always: it is said to be memory, never the reader's fault, and
 * nothing leaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "short_memory.h"
#include "base/buf.h"
#include "base/size.h"
#include "jsonrpc/json.h"
#include "jsonrpc/pattern.h"
#include "jsonrpc/schema.h"
#include "jsonrpc/uri_template.h"

/* Runs `work`, which must succeed, then fails each of its allocations in turn. */
static void fail_each(void (*work)(bool faulty))
{
	unsigned long total;

	fault.nth = fault.count = 0;
	work(false);
	total = fault.count;
	assert_int_equal(fault.live, 0);
	assert_in_range(total, 1, 5000);
	for (unsigned run = 0; run < 2; run++) {
		fault.goes_on = run == 1;
		for (unsigned long nth = 1; nth <= total; nth++) {
			fault.count = 0;
			fault.nth = nth;
			work(true);
			assert_int_equal(fault.live, 0);
		}
	}
	fault.nth = 0;
}

/* Not for want of anything but memory. True: it went well. */
static bool is_good(enum tenon_code code, const struct tenon_error *err)
{
	if (code == TENON_OK)
		return true;
	if (!fault.nth || code != TENON_NO_MEMORY || !strstr(err->message, "memory"))
		fail_msg("allocation %lu: %d %s", fault.nth, (int)code, err->message);
	return false;
}

/* ---- JSON ---- */

static struct tn_buf members; /* an object of many, one of them twice */

static void read_members(bool faulty)
{
	struct tn_arena arena;
	struct tn_json *root;
	struct tenon_error err;

	(void)faulty;
	tn_arena_init(&arena, 16 * TN_MIB);
	if (is_good(tn_json_parse_copy(&arena, tn_buf_str(&members), &root, &err), &err))
		assert_int_equal(root->count, 1000);
	tn_arena_finish(&arena);
}

static void test_json(void **state)
{
	(void)state;
	tn_buf_init(&members, TN_MIB);
	tn_buf_append_text(&members, "{\"k1\":0");
	for (unsigned i = 0; i < 1000; i++) {
		tn_buf_append_text(&members, ",\"k");
		tn_buf_append_uint(&members, i);
		tn_buf_append_text(&members, "\":[1,\"text\"]");
	}
	tn_buf_append_byte(&members, '}');
	fault.live = 0; /* that text stays */
	fail_each(read_members);
	fault.live = 1;
	tn_buf_finish(&members);
}

/* ---- patterns and templates ---- */

static void compile_pattern(bool faulty)
{
	struct tn_arena arena;
	const struct tn_pattern *pattern;
	struct tenon_error err;
	uint64_t steps = 1000;

	(void)faulty;
	tn_arena_init(&arena, 16 * TN_MIB);
	if (is_good(tn_pattern_compile(&arena, TN_STR("^(ab|[c-e\\d]{2,40})+(?:x|y)*$"), &pattern,
				       &err),
		    &err))
		assert_int_equal(tn_pattern_search(pattern, TN_STR("abcd7"), &steps),
				 TN_PATTERN_YES);
	tn_arena_finish(&arena);
}

static void compile_template(bool faulty)
{
	struct tn_uri_template *template = NULL;
	struct tn_uri_variable found[TN_URI_TEMPLATE_VARIABLES_MAX];
	struct tn_arena arena;
	struct tenon_error err;
	size_t count;

	tn_arena_init(&arena, TN_MIB);
	if (is_good(tn_uri_template_compile(TN_STR("a:/{b}/{c}{?d,e}"), &template, &err), &err) &&
	    tn_uri_template_match(template, TN_STR("a:/1/2?d=3&e=4"), &arena, found, &count))
		assert_int_equal(count, 4);
	else
		assert_true(faulty); /* no memory is no match */
	tn_uri_template_free(template);
	tn_arena_finish(&arena);
}

static void test_patterns_and_templates(void **state)
{
	(void)state;
	fail_each(compile_pattern);
	fail_each(compile_template);
}

/* ---- schemas ---- */

static const char *const schemas[] = {
	"{\"$id\":\"https://example.org/a\",\"type\":\"object\",\"required\":[\"list\"],"
	"\"properties\":{\"list\":{\"type\":\"array\",\"uniqueItems\":true,"
	"\"items\":{\"$ref\":\"#/$defs/item\"},\"unevaluatedItems\":false},"
	"\"other\":{\"$ref\":\"b#name\"},\"more\":{\"$dynamicRef\":\"#node\"}},"
	"\"patternProperties\":{\"^x[0-9]+$\":{\"enum\":[\"a\",1,null,{\"b\":[]}]}},"
	"\"dependentRequired\":{\"other\":[\"list\"]},\"dependentSchemas\":{\"more\":true},"
	"\"allOf\":[{\"maxProperties\":3000}],\"unevaluatedProperties\":{\"type\":\"integer\"},"
	"\"$defs\":{\"item\":{\"$dynamicAnchor\":\"node\",\"multipleOf\":1,\"minimum\":0,"
	"\"const\":null,\"if\":true,\"then\":true,\"else\":true,\"not\":false},"
	"\"b\":{\"$id\":\"b\",\"$defs\":{\"c\":{\"$anchor\":\"name\",\"pattern\":\"a\","
	"\"minLength\":1,\"format\":\"email\"}}}}}",
	"{\"unevaluatedProperties\":{\"type\":\"integer\"},\"properties\":{\"list\":"
	"{\"uniqueItems\":true,\"contains\":{\"const\":5},\"minContains\":1}}}",
	"{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"$id\":\"http://x/\","
	"\"definitions\":{\"a\":{\"$id\":\"#here\"}},\"dependencies\":{\"a\":[\"b\"],\"c\":{}},"
	"\"items\":[true,{\"$ref\":\"#here\"}],\"additionalItems\":{\"$ref\":"
	"\"#/definitions/a\"},\"oneOf\":[{}],\"anyOf\":[{}]}",
};

/* More than what is looked at in pairs or fits a small mask. */
static void put_instance(struct tn_buf *out)
{
	tn_buf_append_text(out, "{\"list\":[0");
	for (unsigned i = 1; i < 300; i++) {
		tn_buf_append_byte(out, ',');
		tn_buf_append_uint(out, i);
	}
	tn_buf_append_byte(out, ']');
	for (unsigned i = 0; i < 2000; i++) {
		tn_buf_append_text(out, ",\"m");
		tn_buf_append_uint(out, i);
		tn_buf_append_text(out, "\":1");
	}
	tn_buf_append_byte(out, '}');
}

static struct tn_json *instance;
static struct tn_schema *compiled;
static const char *schema_text;

static void compile_schema(bool faulty)
{
	struct tn_arena arena;
	struct tn_json *root;
	struct tn_schema *schema = NULL;
	struct tenon_error err;

	(void)faulty;
	tn_arena_init(&arena, TN_MIB);
	if (is_good(tn_json_parse_copy(&arena, tn_str_from(schema_text), &root, &err), &err) &&
	    !is_good(tn_schema_compile_flags(root, TN_SCHEMA_ASSERT_FORMAT, &schema, &err), &err))
		assert_null(schema);
	tn_schema_free(schema);
	tn_arena_finish(&arena);
}

static void test_compiling(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(schemas); i++) {
		schema_text = schemas[i];
		fail_each(compile_schema);
	}
}

static void check_value(bool faulty)
{
	struct tn_schema_faults faults = {.root = "value"};
	enum tenon_code code = tn_schema_check(compiled, instance, &faults);

	if (!faulty) {
		assert_int_equal(code, TENON_OK);
	} else if (code != TENON_OK) {
		assert_int_equal(code, TENON_NO_MEMORY);
		assert_non_null(strstr(faults.items[0].message, "not enough memory to "));
	}
}

static void test_checking(void **state)
{
	struct tn_arena arena;
	struct tn_buf text;
	struct tenon_error err;
	long before;

	(void)state;
	tn_arena_init(&arena, 16 * TN_MIB);
	tn_buf_init(&text, TN_MIB);
	put_instance(&text);
	assert_int_equal(tn_json_parse_copy(&arena, tn_buf_str(&text), &instance, &err), TENON_OK);
	assert_int_equal(tn_schema_compile_text(tn_str_from(schemas[1]), &compiled, &err),
			 TENON_OK);
	before = fault.live;
	fault.live = 0; /* those stay */
	fail_each(check_value);
	fault.live = before;
	tn_schema_free(compiled);
	tn_buf_finish(&text);
	tn_arena_finish(&arena);
	assert_int_equal(fault.live, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_patterns_and_templates),
		cmocka_unit_test(test_compiling),
		cmocka_unit_test(test_checking),
	};

	fault.armed = true;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
