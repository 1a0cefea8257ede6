/* Text to tree: the examples of the contract that are about syntax, and the corners of the
 * grammar (floorplan.md sections 3 and 5.2). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/floorplan/language/tree.h"
#include "apps/floorplan/limits.h"
#include "base/size.h"
#include "jsonrpc/json.h"
#include "store/file.h"

struct parsed {
	struct tn_arena arena;
	struct tn_floor_diagnostics list;
	struct tn_floor_tree tree;
};

static void parse(struct parsed *parsed, struct tn_str text)
{
	tn_arena_init(&parsed->arena, TN_FLOOR_ARENA_MAX);
	tn_floor_diagnostics_init(&parsed->list, &parsed->arena);
	assert_true(tn_floor_parse(text, &parsed->arena, &parsed->list, &parsed->tree));
	tn_floor_diagnostics_sort(&parsed->list);
}

static void finish(struct parsed *parsed)
{
	tn_arena_finish(&parsed->arena);
}

/* ---- one line a diagnostic: "FP1005 4:53-4:58" ---- */

static void list_all(const struct parsed *parsed, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (const struct tn_floor_diagnostic *at = parsed->list.first; at && used < size;
	     at = at->next) {
		int wrote = snprintf(out + used, size - used, "%sFP%04d %u:%u-%u:%u",
				     used ? "; " : "", at->code, at->range.line, at->range.column,
				     at->range.end_line, at->range.end_column);

		used += wrote > 0 ? (size_t)wrote : 0;
	}
}

static void expect(const char *text, const char *diagnostics)
{
	struct parsed parsed;
	char found[2048];

	parse(&parsed, tn_str_from(text));
	list_all(&parsed, found, sizeof(found));
	if (strcmp(found, diagnostics) != 0)
		fail_msg("%s\n  gives %s\n  not   %s", text, found, diagnostics);
	finish(&parsed);
}

/* ---- the examples ---- */

static void read_file(const char *name, struct tn_buf *out)
{
	char path[512];
	struct tenon_error err;

	(void)snprintf(path, sizeof(path), "%s/floorplan-examples/%s", TN_TEST_DATA, name);
	tn_buf_init(out, TN_MIB);
	if (tn_file_read(path, 0, out, &err) != TENON_OK)
		fail_msg("%s: %s", path, err.message);
}

static int64_t number_of(const struct tn_json *object, const char *key)
{
	int64_t number = -1;

	assert_true(tn_json_to_int(tn_json_get(object, key), &number));
	return number;
}

static void check_one(const char *name, const struct tn_floor_diagnostic *found,
		      const struct tn_json *expected)
{
	char code[16];
	const struct tn_json *mentions = tn_json_get(expected, "mentions");

	(void)snprintf(code, sizeof(code), "FP%04d", found->code);
	if (!tn_str_is(tn_json_get(expected, "code")->text, code))
		fail_msg("%s: %s, not %s: %s", name, code, tn_json_get(expected, "code")->text.data,
			 found->message);
	assert_int_equal(found->range.line, number_of(expected, "line"));
	assert_int_equal(found->range.column, number_of(expected, "column"));
	assert_int_equal(found->range.end_line, number_of(expected, "endLine"));
	assert_int_equal(found->range.end_column, number_of(expected, "endColumn"));
	for (const struct tn_json *at = mentions ? mentions->first : NULL; at; at = at->next) {
		if (!strstr(found->message, at->text.data))
			fail_msg("%s: '%s' does not mention %s", name, found->message,
				 at->text.data);
	}
}

static void test_examples(void **state)
{
	static const char *const names[] = {"e1-wall-type", "e2-open-string",
					    "e8-names-and-version"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		struct tn_buf text, json;
		struct tn_json *facts = NULL;
		const struct tn_json *expected;
		struct parsed parsed;
		char file[64];

		(void)snprintf(file, sizeof(file), "%s.floorplan", names[i]);
		read_file(file, &text);
		(void)snprintf(file, sizeof(file), "%s.json", names[i]);
		read_file(file, &json);
		parse(&parsed, tn_buf_str(&text));
		assert_int_equal(tn_json_parse_copy(&parsed.arena, tn_buf_str(&json), &facts, NULL),
				 TENON_OK);
		expected = tn_json_get(facts, "errors")->first;
		for (const struct tn_floor_diagnostic *at = parsed.list.first; at; at = at->next) {
			if (!expected)
				fail_msg("%s: not expected: %d %s", names[i], at->code,
					 at->message);
			check_one(names[i], at, expected);
			expected = expected->next;
		}
		assert_null(expected);
		finish(&parsed);
		tn_buf_finish(&text);
		tn_buf_finish(&json);
	}
}

static void test_valid_examples(void **state)
{
	static const char *const names[] = {
		"v1-bakery",   "v2-compass", "v3-units",         "v4-clinic",     "v5-townhall",
		"v6-freeform", "e3-circle",  "e4-unknown-names", "e5-duplicates", "e6-connections"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		struct tn_buf text;
		struct parsed parsed;
		char file[64];

		(void)snprintf(file, sizeof(file), "%s.floorplan", names[i]);
		read_file(file, &text);
		parse(&parsed, tn_buf_str(&text));
		if (!parsed.tree.parses)
			fail_msg("%s: line %u: %s", names[i], parsed.list.first->range.line,
				 parsed.list.first->message);
		finish(&parsed);
		tn_buf_finish(&text);
	}
}

/* ---- corners ---- */

#define HEAD "%%{version: 1.0}%%\nfloorplan\n"
#define IN_FLOOR(text) HEAD "floor F {\n" text "\n}\n"
#define ROOM "room A at (0,0) size (2 x 2)"

static void test_sizes(void **state) /* L7, E2 */
{
	(void)state;
	expect(IN_FLOOR("room A at (0,0) size (10x12)"), "");
	expect(IN_FLOOR("room A at (0,0) size (10 x12)"), "");
	expect(IN_FLOOR("room A at (0,0) size (10ftx12ft)"), "");
	expect(IN_FLOOR("room A at (0,0) size (10ft x12)"), "");
	expect(IN_FLOOR("room A at (0,0) size (3mmx4mm)"), "");
	expect(IN_FLOOR("room A at (0,0) size (3\xC3\x97 4)"), "");
	expect(IN_FLOOR("room A at (-1,-2.5m) size (3 x 4) elevation -1"), "");
	expect(IN_FLOOR("room x12 at (0,0) size (3 x 4)"), "");
	expect(IN_FLOOR("room A at (0,0) size (-3 x 4)"), "FP1005 4:23-4:24");
	expect(IN_FLOOR("room A at (0,0) size (3 x 1e3)"), "FP1005 4:28-4:30");
}

static void test_blanks_and_comments(void **state) /* L1 to L4 */
{
	(void)state;
	expect("\xEF\xBB\xBF%%{version: 1.0}%%\r\nfloorplan\r\n", "");
	expect("%%{version: 1.0}%%\rfloorplan\rfloor F {\rroom\r}", "FP1005 5:1-5:2");
	expect(HEAD "/* a\n * b */ floor F { } # c", "");
	expect(HEAD "/* a", "FP1002 3:1-3:3");
	expect(HEAD "floor F\xC2\xA0{\xE3\x80\x80}", "");
	expect(HEAD "floor F { } // no", "FP1001 3:13-3:14; FP1001 3:14-3:15; FP1005 3:16-3:18");
	expect("\xFF", "FP0002 1:1-1:2");
	expect("floorplan \xC3", "FP0002 1:11-1:12");
}

static void test_one_fault_a_statement(void **state) /* 5.2 */
{
	(void)state;
	expect(IN_FLOOR("room A at 0,0 size 3\n" ROOM), "FP1005 4:11-4:12");
	expect(IN_FLOOR("room A at (0,0) size (2 x 2) walls [top: brick, left: wood]\nroom B"),
	       "FP1005 4:42-4:47; FP1015 5:6-5:7");
	expect(IN_FLOOR(ROOM " composed of [\nroom B at (0,0) size (1 x 1) walls [top: no]\n"
			     "room C at (1,1) size (1 y 1)\n]\nroom D at (5,5) size (1 x 1)"),
	       "FP1005 5:42-5:44; FP1005 6:25-6:26");
	expect(HEAD "floor F (\n" ROOM "\n}\nconnect A to", "FP1005 3:9-3:10; FP1005 6:13-6:13");
	expect(HEAD "connect A to B door\nnonsense here\nfloor F { }", "FP1005 4:1-4:9");
}

static void test_words(void **state)
{
	(void)state;
	expect("%%{versoin: 1.0}%%\nfloorplan", "FP7000 1:1-1:1; FP1010 1:4-1:11");
	expect("floorplan {\n}", "FP7000 1:1-1:1; FP1008 1:11-1:12");
	expect("floor F { }", "FP1005 1:1-1:6; FP7000 1:1-1:1");
	expect(IN_FLOOR("stair S at (0,0) shape straight toward top"), "FP1015 4:7-4:8");
	expect(IN_FLOOR("stair S at (0,0) rise 3m"), "FP1015 4:7-4:8");
	expect(IN_FLOOR("lift L at (0,0)"), "FP1015 4:6-4:7");
	expect(HEAD "config { theme: dark }\nconfig { theme: default }", "FP5008 4:1-4:7");
	expect(IN_FLOOR("room A at (0,0) at (1,1) size (2 x 2)"), "FP1009 4:17-4:19");
	expect(HEAD "connect F.A.right to F.B door at 5% swing: left opens into A", "");
	expect(HEAD "vertical F.S to G.S to H.S\nvertical F.S", "FP1005 4:13-4:13");
	expect(IN_FLOOR("stair S shape curved from top arc 90\xC2\xB0 radius 2m rise 3m at (0,0)"),
	       "");
	expect(IN_FLOOR("stair S shape custom from top [flight 3 along A.top width 1m, turn left "
			"landing (1 x 1), flight 2, turn right winders 3 90\xC2\xB0,] rise 3m"),
	       "");
}

/* What the first diagnostic says; there is no other error. */
static void expect_message(const char *text, const char *message)
{
	struct parsed parsed;

	parse(&parsed, tn_str_from(text));
	assert_int_equal(parsed.list.counts[TN_FLOOR_ERROR], 1);
	if (!strstr(parsed.list.first->message, message))
		fail_msg("%s\n  gives %s\n  not   %s", text, parsed.list.first->message, message);
	finish(&parsed);
}

static void test_hyphens(void **state) /* L9, 5.2: one diagnostic, and what to write */
{
	(void)state;
	expect(IN_FLOOR(ROOM "\nroom B size (2 x 2) right-ofA"), "FP1005 5:21-5:30");
	expect(IN_FLOOR(ROOM "\nroom B right-of-A size (2 x 2)"), "FP1005 5:8-5:18");
	expect(IN_FLOOR("room A-B at (0,0) size (2 x 2) label-x\nroom C-D size (2 x 2) at (9,9)"),
	       "FP1014 4:6-4:9; FP1005 4:32-4:39; FP1014 5:6-5:9");
	expect(IN_FLOOR("room A at (0,0) size (1 x y-z) right-ofB\nroom B-C at (3,3) size (1 x 1)"),
	       "FP1005 4:27-4:30; FP1014 4:32-4:41; FP1014 5:6-5:9");
	expect(HEAD "config { theme: blue-print }", "FP1014 3:17-3:27");
	expect_message(IN_FLOOR("room B size (2 x 2) right-ofA"),
		       "'right-ofA'; write 'right-of A'");
	expect_message(IN_FLOOR("room B size (2 x 2) above-left-of-A_1"),
		       "write 'above-left-of A_1'");
	expect_message(IN_FLOOR("room B size (2 x 2) left-Hall"), "write 'left-of Hall'");
	expect_message(IN_FLOOR("room B size (2 x 2) above-A"), "write 'above A'");
	expect_message(IN_FLOOR("room B size (2 x 2) above-left A"),
		       "did you mean 'above-left-of'?");
	expect_message(IN_FLOOR("room B size (2 x 2) right-off A"), "did you mean 'right-of'?");
	expect_message(IN_FLOOR("room B-C at (0,0) size (2 x 2)"), "'B-C' has a hyphen; write _");
}

static void test_reserved(void **state) /* FP1007: what is proposed is a name */
{
	(void)state;
	expect_message(IN_FLOOR("room right-of at (0,0) size (2 x 2)"), "write 'right_of_1'");
	expect_message(IN_FLOOR("room above-right-of at (0,0) size (2 x 2)"),
		       "write 'above_right_of_1'");
	expect_message(IN_FLOOR("room door at (0,0) size (2 x 2)"), "write 'door_1'");
}

static void test_front_matter(void **state) /* 3.3 */
{
	(void)state;
	expect("---\ntitle: x\n---\nfloorplan", "FP7000 1:1-1:1");
	expect("\n# c\n  ---\n  version: '1.0.0'\n  config:\n    theme: dark\n  ---\nfloorplan",
	       "");
	expect("---\nversion: 1\n", "FP1012 1:1-1:4; FP1005 2:11-2:11");
	expect("---\nversion: 1\nnothing\n  odd: 1\n---\nfloorplan",
	       "FP1011 3:1-3:8; FP1011 4:1-4:9");
	expect("---\nversion: 1.1\ncolour: red\n---\n%%{version: 1.0}%%\nfloorplan",
	       "FP7005 2:10-2:13; FP7004 3:1-3:7");
	expect("%%{version: \"2.0\"}%%\nfloorplan", "FP7003 1:13-1:18");
	expect("%%{version: 0.9}%%\nfloorplan", "FP7001 1:13-1:16");
	expect("%%{version: 1.0.0}%%\nfloorplan", "");
}

static void test_caps(void **state) /* section 11 */
{
	struct tn_buf text;
	struct parsed parsed;

	(void)state;
	tn_buf_init(&text, 4 * TN_MIB);
	tn_buf_append_text(&text, HEAD "floor F {\n");
	for (int i = 0; i < TN_FLOOR_ROOMS_MAX + 1; i++)
		tn_buf_format(&text, "room R%d at (0,0) size (1 x 1)\n", i);
	tn_buf_append_text(&text, "}\n");
	parse(&parsed, tn_buf_str(&text));
	assert_int_equal(parsed.list.first->code, 4);
	assert_int_equal(parsed.list.counts[TN_FLOOR_ERROR], 1);
	finish(&parsed);
	tn_buf_clear(&text);
	tn_buf_append_text(&text, HEAD "floor F {\n");
	for (int i = 0; i < TN_FLOOR_DEPTH_MAX; i++)
		tn_buf_format(&text, "room R%d at (0,0) size (1 x 1) composed of [\n", i);
	tn_buf_append_text(&text, "room X at (0,0) size (1 x 1)\n");
	parse(&parsed, tn_buf_str(&text)); /* the eighth sub-room is one */
	assert_int_not_equal(parsed.list.first->code, 4);
	finish(&parsed);
	tn_buf_append_text(&text, "composed of [ room Y at (0,0) size (1 x 1)\n");
	parse(&parsed, tn_buf_str(&text));
	assert_int_equal(parsed.list.first->code, 4);
	finish(&parsed);
	tn_buf_clear(&text);
	for (size_t i = 0; i < TN_FLOOR_TEXT_BYTES_MAX + 1; i++)
		tn_buf_append_byte(&text, ' ');
	parse(&parsed, tn_buf_str(&text));
	assert_int_equal(parsed.list.first->code, 1);
	finish(&parsed);
	tn_buf_finish(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examples),
		cmocka_unit_test(test_valid_examples),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_blanks_and_comments),
		cmocka_unit_test(test_one_fault_a_statement),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_hyphens),
		cmocka_unit_test(test_reserved),
		cmocka_unit_test(test_front_matter),
		cmocka_unit_test(test_caps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
