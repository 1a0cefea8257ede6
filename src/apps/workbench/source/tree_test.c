#include "apps/workbench/source/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/workbench/source/source_test_kit.h"
#include "base/mem.h"

static size_t count_kind(const struct tn_wb_tree *tree, enum tn_wb_syntax_kind kind)
{
	size_t count = 0;

	for (uint32_t i = 0; i < tree->count; i++)
		count += tree->nodes[i].kind == kind;
	return count;
}

static void insides_are_stretches(void **state)
{
	struct tn_wb_tree tree = source_test_tree("const A = () => <B c={1}><D /></B>;");
	uint32_t element = 0;
	(void)state;

	while (tree.nodes[element].kind != TN_WB_JSX_ELEMENT)
		element++;
	assert_string_equal(
		tn_wb_text(&tree,
			   tn_wb_child(&tree, tn_wb_child(&tree, element, TN_WB_FIELD_OPEN_TAG),
				       TN_WB_FIELD_NAME))
			.data,
		"B c={1}><D /></B>;");
	for (uint32_t i = 1; i < tree.count; i++) {
		assert_true(tree.nodes[i].parent < i);
		assert_true(tree.nodes[i].after > i);
		assert_true(tree.nodes[i].after <= tree.nodes[tree.nodes[i].parent].after);
		assert_true(tree.nodes[i].end <= tree.nodes[tree.nodes[i].parent].end);
	}
	assert_int_equal(tn_wb_first(&tree, TN_WB_NO_NODE), TN_WB_NO_NODE);
	assert_int_equal(tn_wb_next(&tree, 0), TN_WB_NO_NODE);
	tn_wb_tree_finish(&tree);
}

/* Appendix A: legal, and the grammar does not know it. Operators stay operators. */
static void a_bare_ampersand_is_text(void **state)
{
	static const char text[] = "export function A() {\n"
				   "  const x = 6 & 3;\n"
				   "  return (\n"
				   "    <div title=\"a & b\">\n"
				   "      <p>Butter & salt</p>\n"
				   "      <p>A & B & C && D &amp; E</p>\n"
				   "      <p>R&D {x && <b>q & r</b>} & more</p>\n"
				   "      a && b\n"
				   "    </div>\n"
				   "  );\n"
				   "}\n"
				   "type T = X & Y;\n"
				   "export const f = () => <p>Q & A</p>;\n";
	struct tn_wb_tree tree = source_test_tree(text);
	(void)state;

	assert_false(tree.is_broken);
	assert_int_equal(count_kind(&tree, TN_WB_BROKEN), 0);
	assert_int_equal(count_kind(&tree, TN_WB_EXPORT), 2);
	assert_int_equal(count_kind(&tree, TN_WB_INTERSECTION), 1);
	assert_int_equal(count_kind(&tree, TN_WB_JSX_ELEMENT), 6);
	tn_wb_tree_finish(&tree);
}

static void what_does_not_parse_leaves_the_rest(void **state)
{
	struct tn_wb_tree tree = source_test_tree("import X from './x';\n"
						  "export function A() { return <p>{ a. }</p>; }\n"
						  "export const = ;\n"
						  "export function C() { return <X />; }\n");
	(void)state;

	assert_true(tree.is_broken);
	assert_int_equal(count_kind(&tree, TN_WB_IMPORT), 1);
	assert_int_equal(count_kind(&tree, TN_WB_JSX_SELF_CLOSING), 1);
	tn_wb_tree_finish(&tree);
}

/* Section 5: columns count UTF-16 units; a byte order mark is before the first column. */
static void positions_are_those_of_editors(void **state)
{
	static const char text[] = "\xEF\xBB\xBF"
				   "const a = 1;\r\n"
				   "const \xF0\x9F\x8D\x9E\xC3\xA9 = <B />;\r\n";
	struct tn_wb_tree tree = source_test_tree(text);
	uint32_t at = (uint32_t)(strstr(text, "<B") - text), back = 0;
	struct tn_wb_position position = tn_wb_tree_position(&tree, at);
	(void)state;

	assert_int_equal(position.line, 2);
	assert_int_equal(position.column, 13);
	assert_true(tn_wb_tree_offset(&tree, position, &back));
	assert_int_equal(back, at);
	position = tn_wb_tree_position(&tree, 3);
	assert_int_equal(position.line, 1);
	assert_int_equal(position.column, 1);
	assert_true(tn_wb_tree_offset(&tree, position, &back));
	assert_int_equal(back, 3);
	assert_false(tn_wb_tree_offset(&tree, (struct tn_wb_position){9, 1}, &back));
	assert_false(tn_wb_tree_offset(&tree, (struct tn_wb_position){1, 99}, &back));
	assert_false(tn_wb_tree_offset(&tree, (struct tn_wb_position){2, 8}, &back));
	tn_wb_tree_finish(&tree);
}

static void literals_say_what_they_mean(void **state)
{
	struct tn_wb_tree tree =
		source_test_tree("x('a\\n\\u00e9\\x41\\'', `b`, `c${d}`, ('e' as const)!);");
	uint32_t first = 0;
	struct tn_str said;
	char room[32];
	(void)state;

	while (tree.nodes[first].kind != TN_WB_ARGUMENTS)
		first++;
	first = tn_wb_first(&tree, first);
	assert_true(tn_wb_literal(&tree, first, room, sizeof(room), &said));
	assert_true(tn_str_is(said, "a\n\xC3\xA9"
				    "A'"));
	assert_false(tn_wb_literal(&tree, first, room, 3, &said));
	first = tn_wb_next(&tree, first);
	assert_true(tn_wb_literal(&tree, first, room, sizeof(room), &said));
	assert_true(tn_str_is(said, "b"));
	first = tn_wb_next(&tree, first);
	assert_false(tn_wb_literal(&tree, first, room, sizeof(room), &said));
	first = tn_wb_next(&tree, first);
	assert_true(tn_wb_literal(&tree, first, room, sizeof(room), &said));
	assert_true(tn_str_is(said, "e"));
	tn_wb_tree_finish(&tree);
}

/* An angle-bracket cast is TypeScript, and in TSX a tag. */
static void the_ending_says_the_language(void **state)
{
	struct tn_str text = TN_STR("const a = <string>b; export const c = 1;");
	struct tn_wb_tree tree = {0};
	(void)state;

	assert_int_equal(tn_wb_language_of(TN_STR("a/b.ts")), TN_WB_TYPESCRIPT);
	assert_int_equal(tn_wb_language_of(TN_STR("a/b.js")), TN_WB_TSX);
	assert_int_equal(
		tn_wb_tree_parse(source_test_reader(), TN_WB_TYPESCRIPT, text, &tree, NULL),
		TENON_OK);
	assert_false(tree.is_broken);
	tn_wb_tree_finish(&tree);
}

/* Deep, wide, and of nothing but what opens: bounded in time, memory and stack. */
static void hostile_texts_end(void **state)
{
	static const char *const signs[] = {"(", "<a>&", "`${"};
	size_t size = 2 * 1024 * 1024;
	char *text = tn_mem_alloc(size + 1);
	(void)state;

	assert_non_null(text);
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		size_t length = strlen(signs[i]);
		struct tn_wb_tree tree = {0};
		struct tenon_error err = {0};
		enum tenon_code code;

		for (size_t at = 0; at < size; at++)
			text[at] = signs[i][at % length];
		code = tn_wb_tree_parse(source_test_reader(), TN_WB_TSX, tn_str(text, size), &tree,
					&err);
		assert_true(code == TENON_OK || code == TENON_LIMIT);
		tn_wb_tree_finish(&tree);
	}
	assert_int_equal(tn_wb_tree_parse(source_test_reader(), TN_WB_TSX, tn_str(text, size + 1),
					  &(struct tn_wb_tree){0}, NULL),
			 TENON_LIMIT);
	tn_mem_free(text);
}

static void without_the_plugin_it_says_so(void **state)
{
	struct tn_wb_reader *reader = NULL;
	struct tenon_error err = {0};
	(void)state;

	assert_int_equal(tn_wb_reader_open("/nonexistent", &reader, &err), TENON_NOT_FOUND);
	assert_null(reader);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(insides_are_stretches),
		cmocka_unit_test(a_bare_ampersand_is_text),
		cmocka_unit_test(what_does_not_parse_leaves_the_rest),
		cmocka_unit_test(positions_are_those_of_editors),
		cmocka_unit_test(literals_say_what_they_mean),
		cmocka_unit_test(the_ending_says_the_language),
		cmocka_unit_test(hostile_texts_end),
		cmocka_unit_test(without_the_plugin_it_says_so),
	};
	int failed;

	if (!source_test_begin(argc, argv))
		return 0;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	source_test_end();
	return failed;
}
