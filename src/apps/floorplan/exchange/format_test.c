/* The usual layout of a plan's text (floorplan.md 12): what it looks like, and what it never
 * touches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/floorplan/exchange/format_test_kit.h"
#include "base/size.h"
#include "store/file.h"

static const char *const examples[] = {"v1-bakery", "v2-compass",  "v3-units",
				       "v4-clinic", "v5-townhall", "v6-freeform"};

static void expect(const char *text, const char *layout)
{
	struct tenon_error err = {0};
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	if (tn_floor_format(tn_str_from(text), &out, &err) != TENON_OK)
		fail_msg("%s\n  is refused: %s", text, err.message);
	if (!tn_str_is(tn_buf_str(&out), layout))
		fail_msg("%s\n  becomes\n%.*s\n  not\n%s", text, (int)out.size, out.data, layout);
	tn_buf_finish(&out);
}

/* What must hold of any text does; returns whether it is a plan. */
static bool check(struct tn_str text)
{
	bool parses;
	const char *fault = tn_format_check(text, &parses);

	if (fault)
		fail_msg("%s:\n%.*s", fault, (int)text.size, text.data ? text.data : "");
	return parses;
}

static void read_example(const char *name, struct tn_buf *out)
{
	char path[512];
	struct tenon_error err;

	(void)snprintf(path, sizeof(path), "%s/floorplan-examples/%s.floorplan", TN_TEST_DATA,
		       name);
	tn_buf_init(out, TN_MIB);
	if (tn_file_read(path, 0, out, &err) != TENON_OK)
		fail_msg("%s: %s", path, err.message);
}

/* ---- what it looks like ---- */

static void test_levels(void **state)
{
	(void)state;
	expect("floorplan\nfloor F {\nroom A at (0,0) size (1 x 1) composed of [\n"
	       "sub-room B at (0,0) size (1 x 1)\n]\n}\n",
	       "floorplan\n  floor F {\n    room A at (0,0) size (1 x 1) composed of [\n"
	       "      sub-room B at (0,0) size (1 x 1)\n    ]\n  }\n");
	/* A line that goes on with an element stands deeper than it. */
	expect("floorplan floor F{room A\nat(0,0)\nsize(1 x 1)}",
	       "floorplan floor F { room A\n      at (0,0)\n      size (1 x 1) }\n");
	expect("floorplan\n      config {\ntheme: dark,\n\tdefault_unit: m\n}\n",
	       "floorplan\n  config {\n    theme: dark,\n    default_unit: m\n  }\n");
}

static void test_blanks(void **state)
{
	(void)state;
	expect("%%{  version :1.0  }%%\nfloorplan\n", "%%{version: 1.0}%%\nfloorplan\n");
	expect("floorplan floor F{}", "floorplan floor F {}\n");
	expect("floorplan floor F { room A at ( - 1 , 2.5 ft )size(10x12)walls[top:door at "
	       "50 %,left :open] }",
	       "floorplan floor F { room A at (-1,2.5ft) size (10 x 12) walls [top: door at 50%, "
	       "left: open] }\n");
	expect("floorplan floor F { lift L at (0,0) size (2\u00d72) doors(left ,top) }",
	       "floorplan floor F { lift L at (0,0) size (2 \u00d7 2) doors (left, top) }\n");
	expect("floorplan floor F { room A at (0,0) size (10ftx12ft) }",
	       "floorplan floor F { room A at (0,0) size (10ft x 12ft) }\n");
	expect("floorplan connect F . A . top to outside door",
	       "floorplan connect F.A.top to outside door\n");
	/* Strings stay, whatever is in them. */
	expect("floorplan floor F { room A at (0,0) size (1 x 1) label  'a  {\n\n\n  b ' }",
	       "floorplan floor F { room A at (0,0) size (1 x 1) label 'a  {\n\n\n  b ' }\n");
}

static void test_empty_lines(void **state)
{
	(void)state;
	expect("\n\n \nfloorplan\n\n\n\n\tfloor F {}\n\n\n", "floorplan\n\n  floor F {}\n");
	expect("floorplan", "floorplan\n");
	expect("floorplan  \t ", "floorplan\n");
}

static void test_line_ends(void **state)
{
	(void)state;
	expect("floorplan\r\nfloor F {}", "floorplan\r\n  floor F {}\r\n");
	expect("floorplan\rfloor F {}", "floorplan\r  floor F {}\r");
	/* The empty lines above go, and with them their kind. */
	expect("\n\nfloorplan\r\nfloor F {}\n", "floorplan\r\n  floor F {}\r\n");
	expect("\r\n\r\nfloorplan", "floorplan\r\n");
}

static void test_comments(void **state)
{
	(void)state;
	expect("# a\t \n  /* b\n   c */\nfloorplan # d\n# e\nfloor F {# f\n} /* g */# h",
	       "# a\n/* b\n   c */\nfloorplan # d\n  # e\n  floor F { # f\n  } /* g */ # h\n");
	expect("floorplan /*a*/ floor/*b*/F /*c*/ { /*d*/ }",
	       "floorplan /*a*/ floor /*b*/ F /*c*/ { /*d*/ }\n");
	expect("floorplan floor F { room A at (0 /* x */, 0) size (1 x 1) }",
	       "floorplan floor F { room A at (0 /* x */ ,0) size (1 x 1) }\n");
}

static void test_front_matter(void **state)
{
	(void)state;
	expect("---\nversion:   1.0\ntitle:  \"a\"\n---\n\n\nfloorplan floor F{}",
	       "---\nversion:   1.0\ntitle:  \"a\"\n---\n\nfloorplan floor F {}\n");
	expect("\ufefffloorplan\nfloor F {}\n", "\ufefffloorplan\n  floor F {}\n");
}

/* ---- refusals ---- */

static void test_refusals(void **state)
{
	struct tenon_error err;
	struct tn_buf out;

	(void)state;
	tn_buf_init(&out, TN_MIB);
	assert_int_equal(tn_floor_format(TN_STR("floorplan floor {"), &out, &err), TENON_INVALID);
	assert_non_null(strstr(err.message, "syntax errors"));
	tn_buf_finish(&out);
	tn_buf_init(&out, 20);
	assert_int_equal(tn_floor_format(TN_STR("floorplan floor Ground {}"), &out, &err),
			 TENON_LIMIT);
	tn_buf_finish(&out);
	assert_false(check(TN_STR("floorplan floor F { \0 }")));
	assert_false(check(TN_STR("floorplan floor F { \xff }")));
	assert_false(check(tn_str(NULL, 0)));
}

/* ---- what holds of every text ---- */

static void test_examples(void **state)
{
	static const char *const others[] = {"../../../src/apps/floorplan/data/example-one-room",
					     "../../../src/apps/floorplan/data/example-apartment",
					     "../../../src/apps/floorplan/data/example-offices",
					     "../../../src/apps/floorplan/data/example-house",
					     "e1-wall-type",
					     "e2-open-string",
					     "e3-circle",
					     "e4-unknown-names",
					     "e5-duplicates",
					     "e6-connections",
					     "e7-values",
					     "e8-names-and-version"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(examples) + TN_COUNT(others); i++) {
		bool good = i < TN_COUNT(examples) + 4;
		struct tn_buf text;

		read_example(i < TN_COUNT(examples) ? examples[i] : others[i - TN_COUNT(examples)],
			     &text);
		assert_true(check(tn_buf_str(&text)) || !good);
		tn_buf_finish(&text);
	}
}

static void test_beginnings(void **state)
{
	unsigned plans = 0;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(examples); i++) {
		struct tn_buf text;

		read_example(examples[i], &text);
		for (size_t size = 0; size < text.size; size++)
			plans += check(tn_str(text.data, size));
		tn_buf_finish(&text);
	}
	assert_in_range(plans, 100, 5000); /* not all of them are refused */
}

static uint32_t next_random(uint64_t *state, uint32_t below)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33) % below;
}

/* A plan with pieces put in, and some bytes gone. */
static void put_changed(struct tn_buf *out, struct tn_str text, uint64_t *random)
{
	static const char *const pieces[] = {" ",        "\t",
					     "\n",       "\r\n",
					     "\r",       "\n\n\n",
					     "# c \n",   "/* c */",
					     "\v",       "\u00a0",
					     "\u2028",   "{",
					     "}",        "(",
					     ",",        "-",
					     ".",        "x",
					     " room Q ", "'",
					     "\"\"",     "\u00fc\n label",
					     "%",        "\ufeff",
					     "/*",       "#",
					     "12",       ":",
					     "[",        "]",
					     "1.5",      "outside ",
					     "style"};
	size_t at = 0;

	tn_buf_clear(out);
	for (unsigned changes = next_random(random, 4) + 1; changes > 0; changes--) {
		size_t size = next_random(random, (uint32_t)(text.size - at) + 1);

		tn_buf_append(out, text.data + at, size);
		tn_buf_append_text(out, pieces[next_random(random, TN_COUNT(pieces))]);
		at += size;
		if (next_random(random, 8) == 0)
			at += next_random(random, 8);
		at = at < text.size ? at : text.size;
	}
	tn_buf_append_str(out, tn_str_from_offset(text, at));
}

static void test_changed_plans(void **state)
{
	uint64_t random = 7;
	unsigned plans = 0;
	struct tn_buf changed;

	(void)state;
	tn_buf_init(&changed, TN_MIB);
	for (size_t i = 0; i < TN_COUNT(examples); i++) {
		struct tn_buf text;

		read_example(examples[i], &text);
		for (unsigned round = 0; round < 500; round++) {
			put_changed(&changed, tn_buf_str(&text), &random);
			plans += check(tn_buf_str(&changed));
		}
		tn_buf_finish(&text);
	}
	tn_buf_finish(&changed);
	assert_in_range(plans, 200, 2700); /* some are plans, and some are none */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_levels),      cmocka_unit_test(test_blanks),
		cmocka_unit_test(test_empty_lines), cmocka_unit_test(test_line_ends),
		cmocka_unit_test(test_comments),    cmocka_unit_test(test_front_matter),
		cmocka_unit_test(test_refusals),    cmocka_unit_test(test_examples),
		cmocka_unit_test(test_beginnings),  cmocka_unit_test(test_changed_plans),
	};

	return cmocka_run_group_tests_name("floorplan format", tests, NULL, NULL);
}
