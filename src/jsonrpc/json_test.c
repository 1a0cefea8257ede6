#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/size.h"
#include "jsonrpc/json.h"
#include "jsonrpc/json_number.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/limits.h"

/* ---- helpers ---- */

static struct tn_json *parse(struct tn_arena *arena, struct tn_str text)
{
	struct tn_json *value = NULL;
	struct tenon_error err;

	if (tn_json_parse_copy(arena, text, &value, &err) != TENON_OK)
		fail_msg("%.*s: %s", (int)(text.size < 80 ? text.size : 80), text.data,
			 err.message);
	return value;
}

static enum tenon_code try_parse(struct tn_str text, struct tenon_error *err)
{
	struct tn_arena arena;
	struct tn_json *value;
	enum tenon_code code;

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	code = tn_json_parse_copy(&arena, text, &value, err);
	tn_arena_finish(&arena);
	return code;
}

/* Both readers must say the same. */
static bool tokens_accept(struct tn_str text)
{
	char *copy = tn_mem_copy_text(text.data, text.size);
	struct tn_json_reader reader;
	enum tn_json_token token;

	assert_non_null(copy);
	tn_json_reader_init(&reader, copy, text.size, TN_JSON_DEPTH_MAX);
	do
		token = tn_json_next(&reader);
	while (token != TN_JSON_TOKEN_END && token != TN_JSON_TOKEN_ERROR);
	assert_int_equal(tn_json_next(&reader), token); /* the end stays the end */
	tn_mem_free(copy);
	return token == TN_JSON_TOKEN_END;
}

/* ---- what is JSON and what is not ---- */

static const struct {
	const char *text, *written; /* written NULL: as it was */
} accepted[] = {
	{"null", NULL},
	{"true", NULL},
	{"false", NULL},
	{"0", NULL},
	{"-0", NULL},
	{"-1", NULL},
	{"1.5", NULL},
	{"1.50", NULL},
	{"1e5", NULL},
	{"1E+5", NULL},
	{"1e-05", NULL},
	{"-0.0e-0", NULL},
	{"1e999999", NULL},
	{"123456789012345678901234567890.123456789012345678901234567890", NULL},
	{"\"\"", NULL},
	{"\"a\"", NULL},
	{"\"\\u0041\"", "\"A\""},
	{"\"\\u00e9\\u20AC\"", "\"\xC3\xA9\xE2\x82\xAC\""},
	{"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\u0008\\u000c\\n\\r\\t\""},
	{"\"\\u0000\"", NULL},
	{"\"\x7F\"", NULL},
	{"\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"", NULL},
	{"\"\\uD83D\\uDE00\"", "\"\xF0\x9F\x98\x80\""},
	{"\"\\ud83d\"", "\"\xEF\xBF\xBD\""},
	{"\"\\ude00\"", "\"\xEF\xBF\xBD\""},
	{"\"\\ude00\\ud83d\"", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},
	{"\"\\ud83d\\u0041\"", "\"\xEF\xBF\xBD"
			       "A\""},
	{"\"\\ud83d\\ud83d\\ude00\"", "\"\xEF\xBF\xBD\xF0\x9F\x98\x80\""},
	{"\"\\ud83dx\"", "\"\xEF\xBF\xBDx\""},
	{"\"\\ud83d\\n\"", "\"\xEF\xBF\xBD\\n\""},
	{"\"0123456789abcde\\nf0123456789abcdef\"", NULL},
	{"[]", NULL},
	{"[ ]", "[]"},
	{"{}", NULL},
	{"{ }", "{}"},
	{"[[],{},[[]]]", NULL},
	{" [ 1 ,\t2\r\n, 3 ] ", "[1,2,3]"},
	{"{\"a\" : 1 , \"b\":[ { } ]}", "{\"a\":1,\"b\":[{}]}"},
	{"{\"\":1}", NULL},
	{"{\"a\\u0062\":1}", "{\"ab\":1}"},
	{"\xEF\xBB\xBF[1]", "[1]"}, /* MCP-012 */
	{"\xEF\xBB\xBF \"x\"", "\"x\""},
	/* MCP-014: the last one wins */
	{"{\"a\":1,\"a\":2}", "{\"a\":2}"},
	{"{\"a\":1,\"b\":2,\"a\":3,\"c\":4,\"b\":5}", "{\"a\":3,\"c\":4,\"b\":5}"},
	{"{\"a\":1,\"\\u0061\":2}", "{\"a\":2}"},
	{"{\"a\":1,\"a\":2,\"a\":3,\"a\":4}", "{\"a\":4}"},
	{"[{\"a\":{\"x\":1,\"x\":2},\"a\":{\"x\":3,\"x\":4}}]", "[{\"a\":{\"x\":4}}]"},
};

static void test_accepted(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(accepted); i++) {
		const char *wanted = accepted[i].written ? accepted[i].written : accepted[i].text;
		struct tn_arena arena;
		struct tn_buf out;

		tn_arena_init(&arena, TN_MIB);
		tn_buf_init(&out, TN_MIB);
		tn_json_put_value(&out, parse(&arena, tn_str_from(accepted[i].text)));
		if (!tn_str_is(tn_buf_str(&out), wanted))
			fail_msg("%s: %.*s", accepted[i].text, (int)out.size, out.data);
		assert_true(tokens_accept(tn_str_from(accepted[i].text)));
		tn_buf_finish(&out);
		tn_arena_finish(&arena);
	}
}

static const struct {
	const char *text, *part; /* of the message */
} rejected[] = {
	{"", "unfinished"},
	{" ", "unfinished"},
	{"\xEF\xBB\xBF", "unfinished"},
	{"\xEF\xBB", "unexpected character"},
	{"[1]\xEF\xBB\xBF", "after the value"},
	{"\xEF\xBB\xBF\xEF\xBB\xBF[1]", "unexpected character"},
	{"nul", "unknown word"},
	{"nulll", "after the value"},
	{"True", "unexpected character"},
	{"NaN", "unexpected character"},
	{"Infinity", "unexpected character"},
	{"-Infinity", "malformed number"},
	{"undefined", "unexpected character"},
	{"+1", "unexpected character"},
	{"01", "malformed number"},
	{"-01", "malformed number"},
	{"00", "malformed number"},
	{"-", "malformed number"},
	{"--1", "malformed number"},
	{".5", "unexpected character"},
	{"1.", "after its point"},
	{"1.e5", "after its point"},
	{"1e", "exponent"},
	{"1e+", "exponent"},
	{"1e5.5", "after the value"},
	{"0x10", "after the value"},
	{"1_000", "after the value"},
	{"1 2", "after the value"},
	{"'a'", "unexpected character"},
	{"\"a", "without end"},
	{"\"a\\", "malformed escape"},
	{"\"a\\\"", "without end"},
	{"\"\\a\"", "malformed escape"},
	{"\"\\'\"", "malformed escape"},
	{"\"\\0\"", "malformed escape"},
	{"\"\\x41\"", "malformed escape"},
	{"\"\\u12\"", "malformed escape"},
	{"\"\\u12g4\"", "malformed escape"},
	{"\"\\u\"", "malformed escape"},
	{"\"\\U0041\"", "malformed escape"},
	{"\"\\ud83d\\u12\"", "malformed escape"},
	{"\"a\nb\"", "control character"},
	{"\"a\tb\"", "control character"},
	{"\"0123456789abcdef\x1f\"", "control character"},
	{"[", "unfinished"},
	{"]", "unexpected character"},
	{"[1", "unfinished"},
	{"[1,", "unfinished"},
	{"[1,]", "unexpected character"},
	{"[,1]", "unexpected character"},
	{"[,]", "unexpected character"},
	{"[1,,2]", "unexpected character"},
	{"[1 2]", "missing comma"},
	{"[1}", "missing comma"},
	{"[1]]", "after the value"},
	{"[1];", "after the value"},
	{"[1:2]", "missing comma"},
	{"{", "unfinished"},
	{"}", "unexpected character"},
	{"{\"a\"}", "without a colon"},
	{"{\"a\":}", "unexpected character"},
	{"{\"a\":1", "unfinished"},
	{"{\"a\":1,", "unfinished"},
	{"{\"a\":1,}", "without a quoted key"},
	{"{,}", "without a quoted key"},
	{"{a:1}", "without a quoted key"},
	{"{1:1}", "without a quoted key"},
	{"{'a':1}", "without a quoted key"},
	{"{\"a\" 1}", "without a colon"},
	{"{\"a\"::1}", "unexpected character"},
	{"{\"a\":1 \"b\":2}", "missing comma"},
	{"{\"a\":1]", "missing comma"},
	{"{null:1}", "without a quoted key"},
	{"/* c */ 1", "unexpected character"},
	{"1 // c", "after the value"},
	{"[1]#", "after the value"},
	{"\v1", "unexpected character"},
	{"\f1", "unexpected character"},
	{"\xC2\xA0"
	 "1",
	 "unexpected character"},
	/* MCP-012: not UTF-8 */
	{"\"\x80\"", "not UTF-8"},
	{"\"\xBF\"", "not UTF-8"},
	{"\"\xC0\x80\"", "not UTF-8"},
	{"\"\xC1\xBF\"", "not UTF-8"},
	{"\"\xC3\"", "not UTF-8"},
	{"\"\xC3(\"", "not UTF-8"},
	{"\"\xE0\x80\x80\"", "not UTF-8"},
	{"\"\xE0\x9F\xBF\"", "not UTF-8"},
	{"\"\xE2\x82\"", "not UTF-8"},
	{"\"\xED\xA0\x80\"", "not UTF-8"},
	{"\"\xED\xBF\xBF\"", "not UTF-8"},
	{"\"\xED\xA0\xBD\xED\xB8\x80\"", "not UTF-8"},
	{"\"\xF0\x80\x80\x80\"", "not UTF-8"},
	{"\"\xF0\x8F\xBF\xBF\"", "not UTF-8"},
	{"\"\xF0\x9F\x98\"", "not UTF-8"},
	{"\"\xF4\x90\x80\x80\"", "not UTF-8"},
	{"\"\xF5\x80\x80\x80\"", "not UTF-8"},
	{"\"\xF8\x88\x80\x80\x80\"", "not UTF-8"},
	{"\"\xFE\xFF\"", "not UTF-8"},
	{"\"\\u0041\xFF\"", "not UTF-8"},
	{"{\"\xFF\":1}", "not UTF-8"},
	{"\xFF\xFE[\x00", "unexpected character"},
	{"\"0123456789abcdef0123456789abcdef\x80\"", "not UTF-8"},
};

static void test_rejected(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(rejected); i++) {
		struct tenon_error err;

		if (try_parse(tn_str_from(rejected[i].text), &err) != TENON_INVALID ||
		    !strstr(err.message, rejected[i].part))
			fail_msg("%s: %s", rejected[i].text, err.message);
		assert_false(tokens_accept(tn_str_from(rejected[i].text)));
	}
}

static void test_zero_bytes(void **state)
{
	(void)state;
	assert_int_equal(try_parse(tn_str("\0", 1), NULL), TENON_INVALID);
	assert_int_equal(try_parse(tn_str("1\0", 2), NULL), TENON_INVALID);
	assert_int_equal(try_parse(tn_str("\"a\0b\"", 5), NULL), TENON_INVALID);
	assert_int_equal(try_parse(tn_str("\"\\\0\"", 4), NULL), TENON_INVALID);
}

static void test_error_says_where(void **state)
{
	struct tenon_error err;

	(void)state;
	assert_int_equal(try_parse(TN_STR("[1, 2, x]"), &err), TENON_INVALID);
	assert_string_equal(err.message, "an unexpected character at byte 7");
}

/* Every cut of a document is refused without reading past it (a sanitizer watches). */
static void test_every_prefix_is_refused(void **state)
{
	static const char text[] = "{\"a\":[1.5e-3,true,false,null,"
				   "\"x\\u00e9\\ud83d\\ude00\xF0\x9F\x98\x80\"],\"b\":{}}";

	(void)state;
	for (size_t size = 0; size < sizeof(text) - 1; size++) {
		char *exact = tn_mem_alloc(size ? size : 1);
		struct tn_arena arena;
		struct tn_json *value;

		assert_non_null(exact);
		memcpy(exact, text, size);
		tn_arena_init(&arena, TN_MIB);
		assert_int_equal(tn_json_parse(&arena, exact, size, &value, NULL), TENON_INVALID);
		tn_arena_finish(&arena);
		tn_mem_free(exact);
	}
	assert_int_equal(try_parse(tn_str(text, sizeof(text) - 1), NULL), TENON_OK);
}

static void test_strings_are_unescaped_in_place(void **state)
{
	char text[] = "[\"a\\nb\",\"plain\",{\"k\\t\":\"\\u00e9\"}]";
	const struct tn_json *first, *second, *member;
	struct tn_arena arena;
	struct tn_json *value;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	assert_int_equal(tn_json_parse(&arena, text, sizeof(text) - 1, &value, NULL), TENON_OK);
	first = value->first;
	second = first->next;
	member = second->next->first;
	assert_ptr_equal(first->text.data, text + 2);
	assert_true(tn_str_is(first->text, "a\nb"));
	assert_ptr_equal(second->text.data, text + 9);
	assert_true(tn_str_is(member->key, "k\t"));
	assert_true(tn_str_is(member->text, "\xC3\xA9"));
	tn_arena_finish(&arena);
}

/* ---- numbers ---- */

static const struct {
	const char *text;
	bool fits;
	int64_t value;
} integers[] = {
	{"0", true, 0},
	{"-0", true, 0},
	{"0.0", true, 0},
	{"0e5", true, 0},
	{"0e99999999999999999999", true, 0},
	{"1", true, 1},
	{"1.0", true, 1},
	{"1.000", true, 1},
	{"10e2", true, 1000},
	{"10e-1", true, 1},
	{"1.5e1", true, 15},
	{"1500e-2", true, 15},
	{"0.00001e5", true, 1},
	{"9223372036854775807", true, INT64_MAX},
	{"-9223372036854775808", true, INT64_MIN},
	{"9223372036854775807.000", true, INT64_MAX},
	{"922337203685477580.7e1", true, INT64_MAX},
	{"9223372036854775808", false, 0},
	{"-9223372036854775809", false, 0},
	{"1e18", true, 1000000000000000000},
	{"1e19", false, 0},
	{"1e400", false, 0},
	{"1e99999999999999999999", false, 0},
	{"1e-99999999999999999999", false, 0},
	{"1.5", false, 0},
	{"15e-1", false, 0},
	{"1e-1", false, 0},
	{"123456789012345678901234567890", false, 0},
};

static void test_integers(void **state)
{
	struct tn_arena arena;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	for (size_t i = 0; i < TN_COUNT(integers); i++) {
		const struct tn_json *number = parse(&arena, tn_str_from(integers[i].text));
		int64_t value = 4711;

		if (tn_json_to_int(number, &value) != integers[i].fits)
			fail_msg("%s", integers[i].text);
		assert_true(value == (integers[i].fits ? integers[i].value : 4711));
	}
	assert_true(tn_json_is_integer(parse(&arena, TN_STR("1e400"))));
	assert_true(tn_json_is_integer(parse(&arena, TN_STR("123456789012345678901234567890"))));
	assert_false(tn_json_is_integer(parse(&arena, TN_STR("1e-400"))));
	assert_false(tn_json_is_integer(parse(&arena, TN_STR("\"1\""))));
	assert_false(tn_json_is_integer(NULL));
	tn_arena_finish(&arena);
}

static const struct {
	const char *text;
	bool fits;
	double value;
} doubles[] = {
	{"0", true, 0.0},
	{"1.5", true, 1.5},
	{"-1.5e3", true, -1500.0},
	{"0.1", true, 0.1},
	{"1e308", true, 1e308},
	{"1e309", false, 0},
	{"-1e309", false, 0},
	{"1e-400", true, 0.0},
	{"4.9406564584124654e-324", true, 4.9406564584124654e-324},
	{"123456789012345678901234567890", true, 123456789012345678901234567890.0},
	{"0.00000000000000000000000000000000000000000000000000000000000000000000000001", true,
	 1e-74},
	{"100000000000000000000000000000000000000000000000000000000000000000000000000e-70", true,
	 1e4},
	{"0.1000000000000000055511151231257827021181583404541015625000000000000000000000000001",
	 true, 0.1},
	{"1e99999999999999999999", false, 0},
	{"1e-99999999999999999999", true, 0.0},
};

static void test_doubles(void **state)
{
	struct tn_arena arena;
	double value = 7;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	for (size_t i = 0; i < TN_COUNT(doubles); i++) {
		const struct tn_json *number = parse(&arena, tn_str_from(doubles[i].text));

		if (tn_json_to_double(number, &value) != doubles[i].fits)
			fail_msg("%s", doubles[i].text);
		if (doubles[i].fits)
			assert_true(value == doubles[i].value);
	}
	assert_false(tn_json_to_double(parse(&arena, TN_STR("\"1\"")), &value));
	assert_false(tn_json_to_double(NULL, &value));
	tn_arena_finish(&arena);
}

/* In rising order; those of one line are equal. */
static const char *const order[][4] = {
	{"-1e400"},
	{"-9007199254740993"},
	{"-9007199254740992", "-9007199254740992.0"},
	{"-1.5", "-15e-1"},
	{"-1e-400"},
	{"0", "-0", "0.000", "-0e17"},
	{"1e-400"},
	{"0.0999999999999999999999999"},
	{"0.1", "1e-1", "0.10", "0.01e1"},
	{"0.10000000000000000000001"},
	{"1", "1.0", "10e-1"},
	{"10", "1e1"},
	{"9007199254740992"},
	{"9007199254740993"},
	{"1e400", "10e399"},
};

static void test_number_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(order); i++) {
		for (size_t j = 0; j < TN_COUNT(order); j++) {
			for (size_t k = 0; k < 4 && order[j][k]; k++) {
				int got = tn_json_number_compare(tn_str_from(order[i][0]),
								 tn_str_from(order[j][k]));

				if ((got > 0) - (got < 0) != (i > j) - (i < j))
					fail_msg("%s %s", order[i][0], order[j][k]);
			}
		}
		for (size_t k = 1; k < 4 && order[i][k]; k++)
			assert_true(tn_json_number_hash(tn_str_from(order[i][0]), 5) ==
				    tn_json_number_hash(tn_str_from(order[i][k]), 5));
	}
}

static void test_multiples(void **state)
{
	static const struct {
		const char *number, *divisor;
		bool is;
	} cases[] = {
		{"6", "3", true},
		{"7", "3", false},
		{"0", "3", true},
		{"-6", "3", true},
		{"0.3", "0.1", true},
		{"0.35", "0.1", false},
		{"19.99", "0.01", true},
		{"1e308", "0.5", true},
		{"1e308", "0.123456789", false},
		{"1e-5", "1", false},
		{"1e-5", "1e-5", true},
		{"1e-6", "1e-5", false},
		{"1500", "1e2", true},
		{"1550", "1e2", false},
		{"1e1000000", "7", false},
		{"999999999999999999999999", "999999999999999999", false},
		{"999999999999999999000000", "999999999999999999", true},
	};
	struct tn_json_divisor divisor;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		assert_true(tn_json_divisor_init(&divisor, tn_str_from(cases[i].divisor)));
		if (tn_json_number_is_multiple(tn_str_from(cases[i].number), &divisor) !=
		    cases[i].is)
			fail_msg("%s %s", cases[i].number, cases[i].divisor);
	}
	assert_false(tn_json_divisor_init(&divisor, TN_STR("0")));
	assert_false(tn_json_divisor_init(&divisor, TN_STR("-1")));
	assert_false(tn_json_divisor_init(&divisor, TN_STR("1234567890123456789")));
	assert_true(tn_json_divisor_init(&divisor, TN_STR("123456789012345678000000000")));
}

/* MCP-004 */
static void test_digits_survive(void **state)
{
	static const char text[] = "[123456789012345678901234567890,1.0,1e0,-0,1E+2]";
	struct tn_arena arena;
	struct tn_buf out;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	tn_buf_init(&out, TN_MIB);
	tn_json_put_value(&out, parse(&arena, tn_str_from(text)));
	assert_true(tn_str_is(tn_buf_str(&out), text));
	tn_buf_finish(&out);
	tn_arena_finish(&arena);
}

/* ---- looking ---- */

static void test_looking(void **state)
{
	struct tn_arena arena;
	const struct tn_json *object;
	struct tn_str text = TN_STR("before");
	bool flag = true;
	int64_t number = 9;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	object = parse(&arena, TN_STR("{\"s\":\"x\",\"t\":true,\"f\":false,\"n\":null,\"i\":7,"
				      "\"a\":[1],\"o\":{},\"d\":1.5,\"k\\u0000\":1}"));
	assert_int_equal(object->count, 9);
	assert_true(tn_json_to_str(tn_json_get(object, "s"), &text) && tn_str_is(text, "x"));
	assert_false(tn_json_to_str(tn_json_get(object, "i"), &text));
	assert_true(tn_str_is(text, "x"));
	assert_true(tn_json_to_bool(tn_json_get(object, "f"), &flag) && !flag);
	assert_true(tn_json_to_bool(tn_json_get(object, "t"), &flag) && flag);
	assert_false(tn_json_to_bool(tn_json_get(object, "n"), &flag));
	assert_true(tn_json_to_int(tn_json_get(object, "i"), &number) && number == 7);
	assert_false(tn_json_to_int(tn_json_get(object, "s"), &number));
	assert_null(tn_json_get(object, "absent"));
	assert_null(tn_json_get(object, "k"));
	assert_non_null(tn_json_get_str(object, tn_str("k\0", 2)));
	assert_null(tn_json_get(tn_json_get(object, "a"), "x"));
	assert_null(tn_json_get(NULL, "x"));
	assert_string_equal(tn_json_type_name(tn_json_get(object, "i")), "integer");
	assert_string_equal(tn_json_type_name(tn_json_get(object, "d")), "number");
	assert_string_equal(tn_json_type_name(tn_json_get(object, "t")), "boolean");
	assert_string_equal(tn_json_type_name(tn_json_get(object, "n")), "null");
	assert_string_equal(tn_json_type_name(tn_json_get(object, "a")), "array");
	assert_string_equal(tn_json_type_name(object), "object");
	assert_string_equal(tn_json_type_name(NULL), "nothing");
	tn_arena_finish(&arena);
}

static void test_equality(void **state)
{
	static const struct {
		const char *a, *b;
		bool equal;
	} cases[] = {
		{"1", "1.0", true},
		{"1", "true", false},
		{"0", "false", false},
		{"null", "null", true},
		{"null", "0", false},
		{"\"a\"", "\"\\u0061\"", true},
		{"[1,2]", "[1.0,20e-1]", true},
		{"[1,2]", "[2,1]", false},
		{"[1,2]", "[1,2,3]", false},
		{"{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", true},
		{"{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":2}", false},
		{"{\"a\":1}", "{\"a\":1,\"b\":2}", false},
		{"{}", "[]", false},
		{"{\"a\":{\"b\":[null]}}", "{\"a\":{\"b\":[null]}}", true},
	};
	struct tn_arena arena;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		const struct tn_json *a = parse(&arena, tn_str_from(cases[i].a));
		const struct tn_json *b = parse(&arena, tn_str_from(cases[i].b));

		assert_true(tn_json_equal(a, b) == cases[i].equal);
		assert_true(tn_json_equal(b, a) == cases[i].equal);
		assert_true(tn_json_equal(a, a) && tn_json_equal(b, b));
	}
	tn_arena_finish(&arena);
}

/* ---- tokens ---- */

static void test_tokens(void **state)
{
	static const enum tn_json_token wanted[] = {
		TN_JSON_TOKEN_OBJECT,     TN_JSON_TOKEN_KEY,    TN_JSON_TOKEN_ARRAY,
		TN_JSON_TOKEN_NUMBER,     TN_JSON_TOKEN_STRING, TN_JSON_TOKEN_ARRAY_END,
		TN_JSON_TOKEN_KEY,        TN_JSON_TOKEN_NULL,   TN_JSON_TOKEN_KEY,
		TN_JSON_TOKEN_TRUE,       TN_JSON_TOKEN_KEY,    TN_JSON_TOKEN_FALSE,
		TN_JSON_TOKEN_KEY,        TN_JSON_TOKEN_OBJECT, TN_JSON_TOKEN_OBJECT_END,
		TN_JSON_TOKEN_OBJECT_END, TN_JSON_TOKEN_END,
	};
	char text[] = "{\"a\":[1,\"x\"],\"b\":null,\"c\":true,\"d\":false,\"e\":{}}";
	struct tn_json_reader reader;

	(void)state;
	tn_json_reader_init(&reader, text, sizeof(text) - 1, TN_JSON_DEPTH_MAX);
	for (size_t i = 0; i < TN_COUNT(wanted); i++)
		assert_int_equal(tn_json_next(&reader), wanted[i]);
}

static void test_skip(void **state)
{
	char text[] = "{\"a\":[1,{\"b\":[]}],\"c\":\"x\",\"d\":2}";
	char broken[] = "{\"a\":[1,}";
	struct tn_json_reader reader;
	struct tenon_error err;

	(void)state;
	tn_json_reader_init(&reader, text, sizeof(text) - 1, TN_JSON_DEPTH_MAX);
	assert_int_equal(tn_json_next(&reader), TN_JSON_TOKEN_OBJECT);
	assert_int_equal(tn_json_next(&reader), TN_JSON_TOKEN_KEY);
	assert_true(tn_json_skip(&reader));
	assert_int_equal(tn_json_next(&reader), TN_JSON_TOKEN_KEY);
	assert_true(tn_str_is(reader.text, "c"));
	assert_true(tn_json_skip(&reader));
	assert_int_equal(tn_json_next(&reader), TN_JSON_TOKEN_KEY);
	assert_true(tn_json_skip(&reader));
	assert_int_equal(tn_json_next(&reader), TN_JSON_TOKEN_OBJECT_END);
	assert_int_equal(tn_json_next(&reader), TN_JSON_TOKEN_END);

	tn_json_reader_init(&reader, broken, sizeof(broken) - 1, TN_JSON_DEPTH_MAX);
	assert_int_equal(tn_json_next(&reader), TN_JSON_TOKEN_OBJECT);
	assert_int_equal(tn_json_next(&reader), TN_JSON_TOKEN_KEY);
	assert_false(tn_json_skip(&reader));
	assert_int_equal(tn_json_reader_fail(&reader, &err), TENON_INVALID);
	assert_string_equal(err.message, "an unexpected character at byte 8");
}

/* ---- limits ---- */

static void fill(struct tn_buf *text, const char *part, size_t size)
{
	size_t length = strlen(part);

	while (text->size + length <= size)
		tn_buf_append(text, part, length);
	assert_false(text->failed);
}

static void nest(struct tn_buf *text, const char *open, const char *close, unsigned depth)
{
	for (unsigned i = 0; i < depth; i++)
		tn_buf_append_text(text, open);
	tn_buf_append_byte(text, '1');
	for (unsigned i = 0; i < depth; i++)
		tn_buf_append_text(text, close);
}

/* MCP-013 */
static void test_depth(void **state)
{
	static const struct {
		const char *open, *close;
	} kinds[] = {{"[", "]"}, {"{\"a\":", "}"}};
	struct tenon_error err;
	struct tn_buf text;

	(void)state;
	for (size_t i = 0; i < TN_COUNT(kinds); i++) {
		tn_buf_init(&text, TN_MIB);
		nest(&text, kinds[i].open, kinds[i].close, TN_JSON_DEPTH_MAX);
		assert_int_equal(try_parse(tn_buf_str(&text), &err), TENON_OK);
		tn_buf_clear(&text);
		nest(&text, kinds[i].open, kinds[i].close, TN_JSON_DEPTH_MAX + 1);
		assert_int_equal(try_parse(tn_buf_str(&text), &err), TENON_INVALID);
		assert_non_null(strstr(err.message, "nested too deeply"));
		tn_buf_clear(&text);
		nest(&text, kinds[i].open, kinds[i].close, 10000);
		assert_int_equal(try_parse(tn_buf_str(&text), &err), TENON_INVALID);
		tn_buf_finish(&text);
	}
}

static double seconds_since(clock_t start)
{
	return (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* MCP-291: processed or refused in linear time. Generous, for sanitizers on a busy machine; what is
 * quadratic takes minutes at this size. */
static void test_ten_megabytes(void **state)
{
	static const struct {
		const char *first, *part, *last;
		enum tenon_code code;
	} kinds[] = {
		{"\"", "a", "\"", TENON_OK},
		{"\"", "a", "", TENON_INVALID},
		{"\"", "\\u0041", "\"", TENON_OK},
		{"\"", "\\ud83d", "\"", TENON_OK},
		{"\"", "\\n", "\"", TENON_OK},
		{"\"", "\xF0\x9F\x98\x80", "\"", TENON_OK},
		{"\"", "\xF0\x9F\x98\x80", "\xFF\"", TENON_INVALID},
		{"", "[", "", TENON_INVALID},
		{"", "{\"a\":", "", TENON_INVALID},
		{"1", "2", "", TENON_OK},
		{"1.", "2", "", TENON_OK},
		{"1e", "2", "", TENON_OK},
		{"", " ", "1", TENON_OK},
		{"[0", ",{\"key\":\"value\"}", "]", TENON_OK},
		{"[[]", ",[]", "]", TENON_LIMIT}, /* 3.5 million nodes: the arena's cap */
		{"{\"k\":0",
		 ",\"k\":\"a long enough value, and then some more of the same, so that "
		 "there are few of them\"",
		 "}", TENON_LIMIT},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(kinds); i++) {
		clock_t start;
		struct tn_buf text;

		tn_buf_init(&text, 16 * TN_MIB);
		tn_buf_append_text(&text, kinds[i].first);
		fill(&text, kinds[i].part, 10 * 1000 * 1000);
		tn_buf_append_text(&text, kinds[i].last);
		start = clock();
		if (try_parse(tn_buf_str(&text), NULL) != kinds[i].code)
			fail_msg("%s%s", kinds[i].first, kinds[i].part);
		if (seconds_since(start) > 3)
			fail_msg("%s%s: %.2f s", kinds[i].first, kinds[i].part,
				 seconds_since(start));
		tn_buf_finish(&text);
	}
}

static void test_ten_megabytes_of_digits_as_numbers(void **state)
{
	clock_t start = clock();
	struct tn_arena arena;
	struct tn_json *number;
	struct tn_buf text;
	int64_t integer;
	double real;

	(void)state;
	tn_buf_init(&text, 16 * TN_MIB);
	fill(&text, "7", 10 * 1000 * 1000);
	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	number = parse(&arena, tn_buf_str(&text));
	assert_true(tn_json_is_integer(number));
	assert_false(tn_json_to_int(number, &integer));
	assert_false(tn_json_to_double(number, &real));
	assert_true(tn_json_equal(number, number));
	assert_true(seconds_since(start) < 3);
	tn_arena_finish(&arena);
	tn_buf_finish(&text);
}

static void put_members(struct tn_buf *text, unsigned count, unsigned distinct)
{
	char key[24];

	tn_json_begin_object(text);
	for (unsigned i = 0; i < count; i++) {
		(void)snprintf(key, sizeof(key), "k%u", i % distinct);
		tn_json_put_member_int(text, key, i);
	}
	tn_json_end_object(text);
	assert_false(text->failed);
}

/* MCP-014, and never quadratic. */
static void test_many_members(void **state)
{
	static const unsigned distinct[] = {1, 2, 13, 50000, TN_JSON_MEMBERS_MAX};
	struct tenon_error err;
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, 16 * TN_MIB);
	for (size_t i = 0; i < TN_COUNT(distinct); i++) {
		clock_t start = clock();
		struct tn_arena arena;
		struct tn_json *object;
		int64_t expected = TN_JSON_MEMBERS_MAX - distinct[i];

		tn_buf_clear(&text);
		put_members(&text, TN_JSON_MEMBERS_MAX, distinct[i]);
		tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
		object = parse(&arena, tn_buf_str(&text));
		assert_int_equal(object->count, distinct[i]);
		for (const struct tn_json *m = object->first; m; m = m->next) {
			int64_t value;

			assert_true(tn_json_to_int(m, &value) && value == expected++);
		}
		assert_true(tn_json_equal(object, object));
		assert_true(seconds_since(start) < 3);
		tn_arena_finish(&arena);
	}
	tn_buf_clear(&text);
	put_members(&text, TN_JSON_MEMBERS_MAX + 1, TN_JSON_MEMBERS_MAX + 1);
	assert_int_equal(try_parse(tn_buf_str(&text), &err), TENON_LIMIT);
	assert_non_null(strstr(err.message, "100000 members"));
	tn_buf_finish(&text);
}

static void test_duplicates_at_every_size(void **state)
{
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	for (unsigned count = 1; count < 40; count++) {
		for (unsigned distinct = 1; distinct <= count; distinct++) {
			struct tn_arena arena;
			const struct tn_json *object;

			tn_buf_clear(&text);
			put_members(&text, count, distinct);
			tn_arena_init(&arena, TN_MIB);
			object = parse(&arena, tn_buf_str(&text));
			assert_int_equal(object->count, distinct);
			for (const struct tn_json *m = object->first; m; m = m->next) {
				int64_t value;

				assert_true(tn_json_to_int(m, &value));
				assert_true(value >= count - distinct && value < count);
			}
			tn_arena_finish(&arena);
		}
	}
	tn_buf_finish(&text);
}

static void test_arena_limit(void **state)
{
	struct tn_arena arena;
	struct tn_json *value = NULL;
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, "[0");
	fill(&text, ",1", 20000);
	tn_buf_append_byte(&text, ']');
	tn_arena_init(&arena, 100 * TN_KIB);
	assert_int_equal(tn_json_parse_copy(&arena, tn_buf_str(&text), &value, NULL), TENON_LIMIT);
	assert_null(value);
	tn_arena_finish(&arena);
	tn_buf_finish(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_accepted),
		cmocka_unit_test(test_rejected),
		cmocka_unit_test(test_zero_bytes),
		cmocka_unit_test(test_error_says_where),
		cmocka_unit_test(test_every_prefix_is_refused),
		cmocka_unit_test(test_strings_are_unescaped_in_place),
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_doubles),
		cmocka_unit_test(test_number_order),
		cmocka_unit_test(test_multiples),
		cmocka_unit_test(test_digits_survive),
		cmocka_unit_test(test_looking),
		cmocka_unit_test(test_equality),
		cmocka_unit_test(test_tokens),
		cmocka_unit_test(test_skip),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_ten_megabytes),
		cmocka_unit_test(test_ten_megabytes_of_digits_as_numbers),
		cmocka_unit_test(test_many_members),
		cmocka_unit_test(test_duplicates_at_every_size),
		cmocka_unit_test(test_arena_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
