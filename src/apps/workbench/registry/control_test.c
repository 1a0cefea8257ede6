#include "apps/workbench/registry/control.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/workbench/registry/color.h"
#include "base/buf.h"

static struct tn_arena arena;

static const struct tn_json *parse(const char *text)
{
	struct tn_json *tree = NULL;

	if (tn_json_parse_copy(&arena, tn_str_from(text), &tree, NULL) != TENON_OK)
		fail_msg("no JSON: %s", text);
	return tree;
}

static int teardown(void **state)
{
	(void)state;
	tn_arena_finish(&arena);
	return 0;
}

static int setup(void **state)
{
	(void)state;
	tn_arena_init(&arena, TN_MIB);
	return 0;
}

/* Section 7.1: what each control accepts; 13.5, steps 9 and 10: with which code it refuses. */
static void each_control_accepts_its_values(void **state)
{
	static const struct {
		const char *control, *constraints, *value, *code;
	} cases[] = {
		{"{\"kind\":\"string\"}", NULL, "\"\"", NULL},
		{"{\"kind\":\"string\"}", NULL, "null", "type_mismatch"},
		{"{\"kind\":\"string\"}", NULL, "1", "type_mismatch"},
		{"{\"kind\":\"string\"}", "{\"required\":true}", "\"\"", "constraint_required"},
		{"{\"kind\":\"string\"}", "{\"required\":true}", "\" \"", NULL},
		{"{\"kind\":\"string\"}", "{\"required\":false}", "\"\"", NULL},
		{"{\"kind\":\"string\"}", "{\"pattern\":\"^[A-Z0-9]\"}", "\"today\"",
		 "constraint_pattern"},
		{"{\"kind\":\"string\"}", "{\"pattern\":\"b\"}", "\"abc\"", NULL},
		{"{\"kind\":\"string\"}", "{\"min\":9}", "\"a\"", NULL},
		{"{\"kind\":\"number\"}", NULL, "0", NULL},
		{"{\"kind\":\"number\"}", NULL, "-1.5e3", NULL},
		{"{\"kind\":\"number\"}", NULL, "1e999", "type_mismatch"},
		{"{\"kind\":\"number\"}", NULL, "\"1\"", "type_mismatch"},
		{"{\"kind\":\"number\"}", NULL, "true", "type_mismatch"},
		{"{\"kind\":\"number\"}", "{\"min\":1,\"max\":200}", "0.5", "constraint_min"},
		{"{\"kind\":\"number\"}", "{\"min\":1,\"max\":200}", "200.01", "constraint_max"},
		{"{\"kind\":\"number\"}", "{\"min\":1,\"max\":200}", "200.0", NULL},
		{"{\"kind\":\"number\"}", "{\"min\":0.1}", "0.1", NULL},
		{"{\"kind\":\"boolean\"}", NULL, "false", NULL},
		{"{\"kind\":\"boolean\"}", NULL, "0", "type_mismatch"},
		{"{\"kind\":\"boolean\"}", NULL, "null", "type_mismatch"},
		{"{\"kind\":\"select\",\"options\":[{\"value\":\"a\",\"label\":\"A\"},{\"value\":"
		 "\"\",\"label\":\"-\"}]}",
		 NULL, "\"a\"", NULL},
		{"{\"kind\":\"select\",\"options\":[{\"value\":\"a\",\"label\":\"A\"}]}", NULL,
		 "\"A\"", "not_in_options"},
		{"{\"kind\":\"select\",\"options\":[{\"value\":\"1\",\"label\":\"A\"}]}", NULL, "1",
		 "type_mismatch"},
		{"{\"kind\":\"select\",\"options\":[{\"value\":\"\",\"label\":\"-\"}]}",
		 "{\"required\":true}", "\"\"", "constraint_required"},
		{"{\"kind\":\"color\"}", NULL, "\"#abc\"", NULL},
		{"{\"kind\":\"color\"}", NULL, "\"red\"", "type_mismatch"},
		{"{\"kind\":\"color\"}", NULL, "\"\"", "type_mismatch"},
		{"{\"kind\":\"color\",\"format\":\"rgb\"}", NULL, "\"#abc\"", "type_mismatch"},
		{"{\"kind\":\"color\",\"format\":\"rgb\"}", NULL, "\"rgb(1,2,3)\"", NULL},
		{"{\"kind\":\"color\",\"format\":\"hsl\"}", NULL, "\"hsl(1 2% 3%)\"", NULL},
		{"{\"kind\":\"color\"}", "{\"pattern\":\"^#f\"}", "\"#abc\"", "constraint_pattern"},
		{"{\"kind\":\"slot\"}", NULL, "\"a\"", "type_mismatch"},
		{"{\"kind\":\"slot\",\"editable\":false}", NULL, "\"a\"", "type_mismatch"},
		{"{\"kind\":\"slot\",\"editable\":true}", NULL, "\"a\"", NULL},
		{"{\"kind\":\"slot\",\"editable\":true}", NULL, "1", "type_mismatch"},
		{"{\"kind\":\"json\"}", NULL, "null", NULL},
		{"{\"kind\":\"json\"}", "{\"required\":true}", "\"\"", NULL},
		{"{\"kind\":\"json\"}", NULL, "{\"a\":[1]}", NULL},
		{"{\"kind\":\"wheel\"}", NULL, "1", "type_mismatch"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		const struct tn_json *constraints =
			cases[i].constraints ? parse(cases[i].constraints) : NULL;
		const char *code = tn_wb_fit_code(tn_wb_control_check(
			parse(cases[i].control), constraints, parse(cases[i].value)));

		if ((code == NULL) != (cases[i].code == NULL) ||
		    (code && strcmp(code, cases[i].code) != 0))
			fail_msg("%zu: %s with %s: %s", i, cases[i].control, cases[i].value,
				 code ? code : "fits");
	}
}

static void colours_are_read_exactly(void **state)
{
	static const struct {
		const char *text;
		bool hex, rgb, hsl;
	} cases[] = {
		{"#abc", true, false, false},
		{"#ABCD", true, false, false},
		{"#a1b2c3", true, false, false},
		{"#a1b2c3d4", true, false, false},
		{"#ab", false, false, false},
		{"#abcde", false, false, false},
		{"#abg", false, false, false},
		{"abc", false, false, false},
		{" #abc", false, false, false},
		{"#", false, false, false},
		{"rgb(1, 2, 3)", false, true, false},
		{"RGB(1,2,3)", false, true, false},
		{"rgba(1, 2, 3, 0.5)", false, true, false},
		{"rgb(1, 2, 3, 50%)", false, true, false},
		{"rgb( 10% , 20% , 30% )", false, true, false},
		{"rgb(1 2 3)", false, true, false},
		{"rgb(1 2 3 / 50%)", false, true, false},
		{"rgb(1 2 3/.5)", false, true, false},
		{"rgb(1.5 -2 +3e1)", false, true, false},
		{"rgb(1 2 3, .5)", false, false, false},
		{"rgb(1, 2, 3 / .5)", false, false, false},
		{"rgb(1, 2 3)", false, false, false},
		{"rgb(1 2, 3)", false, false, false},
		{"rgb(1, 2%, 3)", false, false, false},
		{"rgb(1, 2)", false, false, false},
		{"rgb(1, 2, 3, 4, 5)", false, false, false},
		{"rgb(1, 2, 3) ", false, false, false},
		{"rgb (1, 2, 3)", false, false, false},
		{"rgb(1, 2, 3", false, false, false},
		{"rgb(1., 2, 3)", false, false, false},
		{"rgb(1deg, 2, 3)", false, false, false},
		{"rgb()", false, false, false},
		{"hsl(120, 50%, 25%)", false, false, true},
		{"hsla(120, 50%, 25%, .3)", false, false, true},
		{"hsl(120deg 50% 25%)", false, false, true},
		{"hsl(0.5turn 50% 25% / 1)", false, false, true},
		{"hsl(2rad, 50%, 25%)", false, false, true},
		{"hsl(200grad, 50%, 25%)", false, false, true},
		{"hsl(120 50 25)", false, false, true},
		{"hsl(120, 50, 25)", false, false, false},
		{"hsl(10%, 50%, 25%)", false, false, false},
		{"hsl(120, 50%)", false, false, false},
		{"", false, false, false},
		{"r", false, false, false},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_str text = tn_str_from(cases[i].text);

		if (tn_wb_color_is_hex(text) != cases[i].hex ||
		    tn_wb_color_is_rgb(text) != cases[i].rgb ||
		    tn_wb_color_is_hsl(text) != cases[i].hsl)
			fail_msg("%s", cases[i].text);
	}
	assert_false(tn_wb_color_is_rgb(tn_str("rgb(1\0,2,3)", 11)));
}

/* 13.5: matching has a step limit, and a runaway pattern counts as constraint_pattern. */
static void a_runaway_pattern_gives_up(void **state)
{
	const struct tn_json *control = parse("{\"kind\":\"string\"}");
	const struct tn_json *constraints = parse("{\"pattern\":\"a{0,1500}b\"}");
	size_t size = 60000;
	char *text = tn_arena_alloc(&arena, size);
	struct tn_json value = {.type = TN_JSON_STRING};
	enum tn_wb_fit fit;

	(void)state;
	memset(text, 'a', size);
	value.text = tn_str(text, size);
	assert_int_equal(tn_wb_pattern_check(tn_json_get(constraints, "pattern")->text), TENON_OK);
	fit = tn_wb_control_check(control, constraints, &value);
	assert_int_equal(fit, TN_WB_PATTERN_RUNAWAY);
	assert_string_equal(tn_wb_fit_code(fit), "constraint_pattern");
}

/* The largest pattern is too large, not "no memory": that would take the whole registry down. */
static void a_large_pattern_is_no_pattern(void **state)
{
	static const char *const parts[] = {"[a]", "[^\\w\\s]", "(a|b)", "a{9}", "."};
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	for (size_t i = 0; i < TN_COUNT(parts); i++) {
		tn_buf_clear(&text);
		while (text.size + strlen(parts[i]) <= 4096)
			tn_buf_append_text(&text, parts[i]);
		assert_int_not_equal(tn_wb_pattern_check(tn_buf_str(&text)), TENON_NO_MEMORY);
	}
	tn_buf_finish(&text);
}

static void a_refusal_says_what_would_fit(void **state)
{
	const struct tn_json *select =
		parse("{\"kind\":\"select\",\"options\":[{\"value\":\"a\",\"label\":\"A\"},"
		      "{\"value\":\"b\",\"label\":\"B\"}]}");
	char out[64];

	(void)state;
	tn_wb_fit_explain(TN_WB_NOT_IN_OPTIONS, select, NULL, out, sizeof(out));
	assert_string_equal(out, "must be one of the options \"a\", \"b\"");
	tn_wb_fit_explain(TN_WB_CONSTRAINT_MAX, parse("{\"kind\":\"number\"}"),
			  parse("{\"max\":200}"), out, sizeof(out));
	assert_string_equal(out, "must be at most 200");
	tn_wb_fit_explain(TN_WB_TYPE_MISMATCH, parse("{\"kind\":\"color\"}"), NULL, out,
			  sizeof(out));
	assert_string_equal(out, "must be a colour as a string such as #336699");
	tn_wb_fit_explain(TN_WB_NOT_IN_OPTIONS, select, NULL, out, 12);
	assert_string_equal(out, "must be one");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_control_accepts_its_values),
		cmocka_unit_test(colours_are_read_exactly),
		cmocka_unit_test(a_runaway_pattern_gives_up),
		cmocka_unit_test(a_large_pattern_is_no_pattern),
		cmocka_unit_test(a_refusal_says_what_would_fit),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
