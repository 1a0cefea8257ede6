#include "apps/workbench/save/promote.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/workbench/edit/edit.h"
#include "apps/workbench/source/source_test_kit.h"
#include "base/size.h"

#define BEFORE "const a = 1;\r\nexport const f = () => <div>\xF0\x9F\x8D\x9E "
#define AFTER "</div>;\r\n"

/* The tag, in a file, with prop p of the first <A set to the value; or the code. */
static void promote(const char *tag, const char *prop, const char *value, char ret[1024])
{
	char text[1024];
	struct tn_wb_promotion made;
	struct tn_wb_replacement edit;
	struct tn_json *json = NULL;
	struct tn_wb_tree tree;
	struct tn_arena arena;
	struct tn_buf out;
	uint32_t at;

	(void)snprintf(text, sizeof(text), "%s%s%s", BEFORE, tag, AFTER);
	tree = source_test_tree(text);
	tn_arena_init(&arena, TN_MIB);
	tn_buf_init(&out, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(value), &json, NULL), TENON_OK);
	at = tn_wb_tag_at(&tree, (uint32_t)(strstr(text, "<A") - text));
	assert_int_not_equal(at, TN_WB_NO_NODE);
	tn_wb_promote(&tree, at, tn_str_from(prop), json, &arena, &made);
	edit = (struct tn_wb_replacement){made.start, made.end, made.text};
	if (made.code) {
		(void)snprintf(ret, 1024, "%s", made.code);
	} else if (made.is_nothing) {
		(void)snprintf(ret, 1024, "nothing");
	} else {
		assert_int_equal(tn_wb_replace(tn_str_from(text), &edit, 1, &out, NULL), TENON_OK);
		assert_memory_equal(out.data, BEFORE, strlen(BEFORE));
		(void)snprintf(ret, 1024, "%.*s", (int)(out.size - strlen(BEFORE) - strlen(AFTER)),
			       out.data + strlen(BEFORE));
	}
	tn_buf_finish(&out);
	tn_arena_finish(&arena);
	tn_wb_tree_finish(&tree);
}

#define REFUSED "unsupportedPattern"
#define NOTHING "nothing"

/* D4, each row. */
static const struct {
	const char *tag, *value, *expected;
} rows[] = {
	/* p="a", a text */
	{"<A p=\"a\" />", "\"b\"", "<A p=\"b\" />"},
	{"<A p='a' />", "\"b\"", "<A p=\"b\" />"},
	{"<A p=\"a\"></A>", "\"\"", "<A p=\"\"></A>"},
	{"<A p=\"a\" />", "\"\xF0\x9F\xA5\x96\xC3\xA9 it's\\t`\"",
	 "<A p=\"\xF0\x9F\xA5\x96\xC3\xA9 it's\t`\" />"},
	{"<A p=\"a\" />", "\"a \\\"b\\\"\"", "<A p={\"a \\\"b\\\"\"} />"},
	{"<A p=\"a\" />", "\"{x}\"", "<A p={\"{x}\"} />"},
	{"<A p=\"a\" />", "\"a<b\"", "<A p={\"a<b\"} />"},
	{"<A p=\"a\" />", "\"a>b\"", "<A p={\"a>b\"} />"},
	{"<A p=\"a\" />", "\"R&D\"", "<A p={\"R&D\"} />"},
	{"<A p=\"a\" />", "\"a\\nb\"", "<A p={\"a\\nb\"} />"},
	{"<A p=\"a\" />", "\"a\\\\b\"", "<A p={\"a\\\\b\"} />"},
	{"<A p=\"a\" />", "\"a\\u2028b\xE2\x80\xA9\"", "<A p={\"a\\u2028b\\u2029\"} />"},
	{"<A p=\"a\" />", "\"a\\u0000b\\r\"", "<A p={\"a\\u0000b\\r\"} />"},
	{"<A p=\"a\" />", "\"a\"", NOTHING},
	{"<A p=\"&amp;\" />", "\"&amp;\"", "<A p={\"&amp;\"} />"},
	{"<A p=\"&amp;\" />", "\"b\"", "<A p=\"b\" />"},
	/* p="a", a number or boolean */
	{"<A p=\"a\" />", "3", "<A p={3} />"},
	{"<A p=\"a\" />", "true", "<A p={true} />"},
	/* a literal in braces */
	{"<A p={\"a\"} />", "\"b\"", "<A p={\"b\"} />"},
	{"<A p={'a'} />", "\"b\"", "<A p={\"b\"} />"},
	{"<A p={'a'} />", "\"a\"", NOTHING},
	{"<A p={`a`} />", "\"b\"", "<A p={\"b\"} />"},
	{"<A p={`a${x}`} />", "\"b\"", REFUSED},
	{"<A p={tag`a`} />", "\"b\"", REFUSED},
	{"<A p={3} />", "4", "<A p={4} />"},
	{"<A p={3} />", "3.0", NOTHING},
	{"<A p={0x10} />", "16", "<A p={16} />"},
	{"<A p={10n} />", "3", REFUSED},
	{"<A p={true} />", "false", "<A p={false} />"},
	{"<A p={true} />", "\"x\"", "<A p={\"x\"} />"},
	{"<A p={-1.5} />", "2", "<A p={2} />"},
	{"<A p={2} />", "-1.5e3", "<A p={-1.5e3} />"},
	{"<A p={ /* c */ \"a\" /* d */ } />", "1", "<A p={ /* c */ 1 /* d */ } />"},
	/* shorthand */
	{"<A p />", "false", "<A p={false} />"},
	{"<A p>x</A>", "true", NOTHING},
	{"<A p />", "\"x\"", REFUSED},
	{"<A p {/* c */...{}} q />", "false", REFUSED},
	/* absent, no spread */
	{"<A />", "\"b\"", "<A p=\"b\" />"},
	{"<A/>", "3", "<A p={3}/>"},
	{"<A></A>", "\"a\\\"\"", "<A p={\"a\\\"\"}></A>"},
	{"<A q=\"1\" />", "true", "<A q=\"1\" p={true} />"},
	{"<A\r\n\tq=\"1\" // c\r\n/>", "\"b\"", "<A\r\n\tq=\"1\" p=\"b\" // c\r\n/>"},
	{"<A /* c */>x</A>", "\"b\"", "<A p=\"b\" /* c */>x</A>"},
	{"<A<string, B<C>> />", "\"b\"", "<A<string, B<C>> p=\"b\" />"},
	{"<A.B.C />", "\"b\"", "<A.B.C p=\"b\" />"},
	{"<A q={<B p=\"1\" {...x} />} />", "\"b\"", "<A q={<B p=\"1\" {...x} />} p=\"b\" />"},
	/* spreads */
	{"<A {...x} />", "\"b\"", REFUSED},
	{"<A p=\"a\" {...x} />", "\"b\"", REFUSED},
	{"<A p=\"a\" q\n {\n ...x\n } />", "\"b\"", REFUSED},
	{"<A {...x} p=\"a\" />", "\"b\"", "<A {...x} p=\"b\" />"},
	/* other expressions */
	{"<A p={x} />", "\"b\"", REFUSED},
	{"<A p={f()} />", "\"b\"", REFUSED},
	{"<A p={(\"a\")} />", "\"b\"", REFUSED},
	{"<A p={\"a\" as const} />", "\"b\"", REFUSED},
	{"<A p={null} />", "\"b\"", REFUSED},
	{"<A p={undefined} />", "\"b\"", REFUSED},
	{"<A p={+1} />", "2", REFUSED},
	{"<A p={!1} />", "2", REFUSED},
	{"<A p=<b /> />", "2", REFUSED},
	{"<A p=\"1\" p=\"2\" />", "2", REFUSED},
	/* values that are no scalars */
	{"<A p=\"a\" />", "{}", REFUSED},
	{"<A p=\"a\" />", "[1]", REFUSED},
	{"<A p={1} />", "null", REFUSED},
};

static void each_row_of_the_table(void **state)
{
	char said[1024];

	(void)state;
	for (size_t i = 0; i < TN_COUNT(rows); i++) {
		promote(rows[i].tag, "p", rows[i].value, said);
		if (strcmp(said, rows[i].expected) != 0)
			fail_msg("%s with %s: %s instead of %s", rows[i].tag, rows[i].value, said,
				 rows[i].expected);
	}
}

static void some_props_are_none(void **state)
{
	char said[1024];

	(void)state;
	promote("<A />", "key", "\"b\"", said);
	assert_string_equal(said, REFUSED);
	promote("<A>x</A>", "children", "\"b\"", said);
	assert_string_equal(said, REFUSED);
	promote("<A />", "children", "\"b\"", said);
	assert_string_equal(said, "<A children=\"b\" />");
	promote("<A />", "a b", "\"b\"", said);
	assert_string_equal(said, REFUSED);
	promote("<A />", "data-x", "\"b\"", said);
	assert_string_equal(said, "<A data-x=\"b\" />");
	promote("<A xlink:href=\"a\" />", "xlink:href", "\"b\"", said);
	assert_string_equal(said, "<A xlink:href=\"b\" />");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_row_of_the_table),
		cmocka_unit_test(some_props_are_none),
	};
	int failed;

	if (!source_test_begin(argc, argv))
		return 0;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	source_test_end();
	return failed;
}
