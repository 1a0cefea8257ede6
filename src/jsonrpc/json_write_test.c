#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/size.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

static struct tn_buf out;

static int set_up(void **state)
{
	(void)state;
	tn_buf_init(&out, TN_MIB);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	tn_buf_finish(&out);
	return 0;
}

static void assert_out(const char *wanted)
{
	assert_false(out.failed);
	if (!tn_str_is(tn_buf_str(&out), wanted))
		fail_msg("%.*s instead of %s", (int)out.size, out.data, wanted);
	tn_buf_clear(&out);
}

static void test_structure(void **state)
{
	(void)state;
	tn_json_begin_object(&out);
	tn_json_put_member_text(&out, "jsonrpc", "2.0");
	tn_json_put_member_int(&out, "id", 7);
	tn_json_put_member_null(&out, "none");
	tn_json_put_member_text(&out, "absent", NULL);
	tn_json_put_member_bool(&out, "yes", true);
	tn_json_put_member_raw(&out, "raw", TN_STR("{\"a\":[]}"));
	tn_json_put_member_str(&out, "s", TN_STR("{[,:"));
	tn_json_put_key(&out, "list");
	tn_json_begin_array(&out);
	tn_json_begin_array(&out);
	tn_json_end_array(&out);
	tn_json_begin_object(&out);
	tn_json_end_object(&out);
	tn_json_put_bool(&out, false);
	tn_json_put_null(&out);
	tn_json_put_value(&out, NULL);
	tn_json_put_text(&out, "x");
	tn_json_put_double(&out, 1.5);
	tn_json_put_base64(&out, "hi", 2);
	tn_json_end_array(&out);
	tn_json_put_key_str(&out, TN_STR("a\"b"));
	tn_json_put_int(&out, -1);
	tn_json_end_object(&out);
	assert_out("{\"jsonrpc\":\"2.0\",\"id\":7,\"none\":null,\"absent\":null,\"yes\":true,"
		   "\"raw\":{\"a\":[]},\"s\":\"{[,:\",\"list\":[[],{},false,null,null,\"x\",1.5,"
		   "\"aGk=\"],\"a\\\"b\":-1}");
}

static void test_integers(void **state)
{
	(void)state;
	tn_json_begin_array(&out);
	tn_json_put_int(&out, 0);
	tn_json_put_int(&out, INT64_MAX);
	tn_json_put_int(&out, INT64_MIN);
	tn_json_end_array(&out);
	assert_out("[0,9223372036854775807,-9223372036854775808]");
}

static const struct {
	double value;
	const char *written;
} doubles[] = {
	{0.0, "0"},
	{-0.0, "0"},
	{1.0, "1"},
	{-17.0, "-17"},
	{0.1, "0.1"},
	{0.1 + 0.2, "0.30000000000000004"},
	{1.0 / 3, "0.3333333333333333"},
	{123456789.125, "123456789.125"},
	{999999999999999.0, "999999999999999"},
	{1e15, "1e+15"},
	{9007199254740993.0, "9007199254740992"},
	{1e300, "1e+300"},
	{5e-324, "5e-324"},
	{1.7976931348623157e308, "1.7976931348623157e+308"},
	{(double)INFINITY, "null"},
	{-(double)INFINITY, "null"},
	{(double)NAN, "null"},
};

static void test_doubles(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(doubles); i++) {
		tn_json_put_double(&out, doubles[i].value);
		assert_out(doubles[i].written);
	}
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* What is written reads back as the same double, and one digit less would not. */
static void test_doubles_are_exact_and_short(void **state)
{
	uint64_t seed = 20261121;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t bits = next_random(&seed);
		char shorter[400];
		double value;
		size_t digits = 0;

		memcpy(&value, &bits, sizeof(value));
		if (i % 2)
			value = (double)(int64_t)(bits >> 20) / 1000;
		if (value != value || value - value != 0)
			continue;
		tn_json_put_double(&out, value);
		tn_buf_append_byte(&out, '\0');
		assert_true(strtod(out.data, NULL) == value);
		for (const char *c = out.data; *c && *c != 'e'; c++)
			digits += *c != '-' && *c != '.' && (digits || *c != '0');
		if (digits > 15) {
			(void)snprintf(shorter, sizeof(shorter), "%.*g", (int)digits - 1, value);
			assert_true(strtod(shorter, NULL) != value);
		}
		tn_buf_clear(&out);
	}
}

static void test_control_characters(void **state)
{
	(void)state;
	for (int c = 0; c < 0x20; c++) {
		char text[3] = {'a', (char)c, 'b'}, wanted[16];

		(void)snprintf(wanted, sizeof(wanted), "\"a\\u%04xb\"", (unsigned)c);
		tn_json_put_str(&out, tn_str(text, 3));
		if (c == '\n' || c == '\r' || c == '\t')
			(void)snprintf(wanted, sizeof(wanted), "\"a\\%cb\"",
				       c == '\n'   ? 'n'
				       : c == '\r' ? 'r'
						   : 't');
		assert_out(wanted);
	}
	tn_json_put_text(&out, "\x7F/\\\"");
	assert_out("\"\x7F/\\\\\\\"\"");
}

#define FFFD "\xEF\xBF\xBD"

static const struct {
	const char *text, *written; /* written without quotes */
} repaired[] = {
	{"\x80", FFFD},
	{"a\xFFz", "a" FFFD "z"},
	{"\xC3", FFFD},
	{"\xC3z", FFFD "z"},
	{"\xE2\x82", FFFD FFFD},
	{"\xC0\x80", FFFD FFFD},
	{"\xED\xA0\x80", FFFD FFFD FFFD},
	{"\xF4\x90\x80\x80", FFFD FFFD FFFD FFFD},
	{"\xC3\xA9\xFF\xE2\x82\xAC", "\xC3\xA9" FFFD "\xE2\x82\xAC"},
	{"0123456789abcdef0123456789abcde\xFF", "0123456789abcdef0123456789abcde" FFFD},
	/* What begins a line or turns text where a model reads the JSON; and what stands beside it.
	 */
	{"a\xC2\x85\xE2\x80\xA8\xE2\x80\xA9", "a\\u0085\\u2028\\u2029"},
	{"\xC2\x9B\xD8\x9C\xE2\x80\xAE\xE2\x81\xA9", "\\u009b\\u061c\\u202e\\u2069"},
	{"\xF3\xA0\x81\x81", "\\udb40\\udc41"},
	{"\xC2\xA0\xD8\x9B\xE2\x80\x8D\xE2\x80\xAF", "\xC2\xA0\xD8\x9B\xE2\x80\x8D\xE2\x80\xAF"},
	{"0123456789abcdef\xF0\x9F\x98\x80", "0123456789abcdef\xF0\x9F\x98\x80"},
};

/* What is written is always UTF-8 (MCP-011). */
static void test_invalid_utf8(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(repaired); i++) {
		tn_json_put_escaped(&out, tn_str_from(repaired[i].text));
		assert_true(tn_utf8_valid(out.data, out.size));
		assert_out(repaired[i].written);
	}
	tn_json_put_escaped(&out, tn_str(NULL, 0)); /* of no text at all */
	assert_out("");
}

/* Any bytes as a string: valid JSON, and good UTF-8 comes back as it was. */
static void test_any_bytes(void **state)
{
	uint64_t seed = 42;

	(void)state;
	for (int i = 0; i < 5000; i++) {
		char bytes[48];
		size_t size = next_random(&seed) % sizeof(bytes);
		struct tn_arena arena;
		struct tn_json *value;

		for (size_t j = 0; j < size; j++)
			bytes[j] = (char)(next_random(&seed) % (i % 3 ? 256 : 130));
		tn_json_put_str(&out, tn_str(bytes, size));
		tn_arena_init(&arena, TN_MIB);
		assert_int_equal(tn_json_parse_copy(&arena, tn_buf_str(&out), &value, NULL),
				 TENON_OK);
		if (tn_utf8_valid(bytes, size))
			assert_true(tn_str_equal(value->text, tn_str(bytes, size)));
		tn_arena_finish(&arena);
		tn_buf_clear(&out);
	}
}

static void test_number_in_a_text(void **state) /* HO-001: a text is no list of values */
{
	(void)state;
	tn_buf_append_text(&out, "hours: ");
	tn_json_append_double(&out, 730);
	tn_buf_append_text(&out, " at ");
	tn_json_append_double(&out, -0.0416);
	tn_buf_append_text(&out, ", not ");
	tn_json_append_double(&out, INFINITY);
	assert_out("hours: 730 at -0.0416, not null");
}

static void test_foreign(void **state) /* MCP-079: a message is one line */
{
	(void)state;
	tn_json_begin_object(&out);
	tn_json_put_member_foreign(&out, "a", TN_STR("{\r\n  \"b\" :\n\"c\\n d\"\n}\n"));
	tn_json_put_member_foreign(&out, "e", TN_STR("[1, 2]"));
	tn_json_put_member_foreign(&out, "f", TN_STR("\n7\r"));
	tn_json_end_object(&out);
	assert_true(tn_str_is(tn_buf_str(&out), "{\"a\":{  \"b\" :\"c\\n d\"},\"e\":[1, 2],"
						"\"f\":7}"));
}

static void test_full_buffer(void **state)
{
	struct tn_buf small;
	struct tenon_error err;

	(void)state;
	tn_buf_init(&small, 16);
	tn_json_begin_array(&small);
	tn_json_put_text(&small, "0123456789abcdef0123456789");
	tn_json_put_int(&small, 5);
	tn_json_end_array(&small);
	assert_true(small.failed);
	assert_true(small.size <= 16);
	assert_int_equal(tn_buf_check(&small, &err), TENON_LIMIT);
	tn_buf_finish(&small);
}

/* The cap is the cap: what fits exactly is written. */
static void test_exactly_full(void **state)
{
	struct tn_buf small;

	(void)state;
	tn_buf_init(&small, 20);
	tn_json_begin_array(&small);
	tn_json_put_int(&small, -1234);
	tn_json_put_text(&small, "abc");
	tn_json_put_bool(&small, false);
	tn_json_end_array(&small);
	assert_false(small.failed);
	assert_true(tn_str_is(tn_buf_str(&small), "[-1234,\"abc\",false]"));
	tn_buf_clear(&small);
	tn_json_put_text(&small, "0123456789abcdefgh");
	assert_false(small.failed);
	assert_int_equal(small.size, 20);
	tn_buf_finish(&small);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_structure, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_integers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_doubles, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_doubles_are_exact_and_short, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_control_characters, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_invalid_utf8, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_any_bytes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_number_in_a_text, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_foreign, set_up, tear_down),
		cmocka_unit_test(test_full_buffer),
		cmocka_unit_test(test_exactly_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
