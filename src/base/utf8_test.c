#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"

/* Every scalar value there is. */
static void test_all_characters(void **state)
{
	(void)state;
	for (uint32_t code = 0; code <= 0x10FFFF; code++) {
		char bytes[TN_UTF8_BYTES_MAX];
		size_t size, decoded;
		uint32_t back = 0;

		if (code == 0xD800)
			code = 0xE000;
		size = tn_utf8_encode(code, bytes);
		decoded = tn_utf8_decode(bytes, size, &back);
		if (decoded != size || back != code || !tn_utf8_valid(bytes, size))
			fail_msg("U+%04X", (unsigned)code);
		if (size > 1 && tn_utf8_decode(bytes, size - 1, &back) != 0)
			fail_msg("U+%04X cut short", (unsigned)code);
	}
}

static void test_codes_that_are_no_characters(void **state)
{
	static const uint32_t codes[] = {0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x110000, 0xFFFFFFFF};
	char bytes[TN_UTF8_BYTES_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		assert_int_equal(tn_utf8_encode(codes[i], bytes), 3);
		assert_memory_equal(bytes, "\xEF\xBF\xBD", 3);
	}
}

/* A second reading of RFC 3629 section 4, as its grammar has it. */
static size_t by_grammar(const unsigned char *s)
{
	static const struct {
		unsigned char first_low, first_high, second_low, second_high, size;
	} rows[] = {
		{0x00, 0x7F, 0x00, 0xFF, 1}, {0xC2, 0xDF, 0x80, 0xBF, 2},
		{0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3},
		{0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
		{0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4},
		{0xF4, 0xF4, 0x80, 0x8F, 4},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (s[0] < rows[i].first_low || s[0] > rows[i].first_high)
			continue;
		if (s[1] < rows[i].second_low || s[1] > rows[i].second_high)
			return 0;
		for (size_t j = 2; j < rows[i].size; j++) {
			if (s[j] < 0x80 || s[j] > 0xBF)
				return 0;
		}
		return rows[i].size;
	}
	return 0;
}

/* All leading pairs, with third and fourth bytes from both sides of each border. */
static void test_all_byte_pairs(void **state)
{
	static const unsigned char tails[] = {0x00, 0x7F, 0x80, 0x9F, 0xBF, 0xC0, 0xFF};
	unsigned char s[4];
	uint32_t code;

	(void)state;
	for (unsigned pair = 0; pair < 65536; pair++) {
		s[0] = (unsigned char)(pair >> 8);
		s[1] = (unsigned char)pair;
		for (size_t i = 0; i < sizeof(tails); i++) {
			for (size_t j = 0; j < sizeof(tails); j++) {
				s[2] = tails[i];
				s[3] = tails[j];
				if (tn_utf8_decode((const char *)s, 4, &code) != by_grammar(s))
					fail_msg("%02x %02x %02x %02x", s[0], s[1], s[2], s[3]);
			}
		}
	}
}

static void test_valid_at_every_offset(void **state)
{
	char text[80];

	(void)state;
	memset(text, 'a', sizeof(text));
	assert_true(tn_utf8_valid(NULL, 0));
	for (size_t at = 0; at < sizeof(text); at++) {
		assert_true(tn_utf8_valid(text, at));
		text[at] = (char)0xFF;
		assert_false(tn_utf8_valid(text, sizeof(text)));
		assert_true(tn_utf8_valid(text, at));
		text[at] = 'a';
		if (at + 3 <= sizeof(text)) {
			memcpy(text + at, "\xE2\x82\xAC", 3);
			assert_true(tn_utf8_valid(text, sizeof(text)));
			assert_false(tn_utf8_valid(text, at + 1));
			assert_false(tn_utf8_valid(text, at + 2));
			memcpy(text + at, "aaa", 3);
		}
	}
}

static void test_cut(void **state)
{
	struct tn_str text = TN_STR("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z");
	static const size_t wanted[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11, 11};

	(void)state;
	for (size_t max = 0; max < sizeof(wanted) / sizeof(wanted[0]); max++)
		assert_int_equal(tn_utf8_cut(text, max).size, wanted[max]);
	assert_int_equal(tn_utf8_cut(tn_str("\x80\x80\x80", 3), 2).size, 0);
}

static void test_one_line(void **state)
{
	static const char *const rows[][2] = {
		{"", ""},
		{"plain \xe4\xb8\x96\xe7\x95\x8c", "plain \xe4\xb8\x96\xe7\x95\x8c"},
		{"a\r\n\v\fb\n", "a    b "},
		{"a\xc2\x85"
		 "b\xe2\x80\xa8\xe2\x80\xa9",
		 "a  b      "},
		{"\xe2\x80\xaa\xc2\x86\x1b[2K\x7f\t.", "      [2K  ."},
		{"a\xf3\xa0\x81\x89z", "a    z"},
		{"\xe2\x80\x8c\xef\xb8\x8f", "\xe2\x80\x8c\xef\xb8\x8f"},
		{"cut \xe2\x80", "cut \xe2\x80"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[64];

		(void)snprintf(text, sizeof(text), "%s", rows[i][0]);
		tn_utf8_one_line(text, strlen(text));
		assert_string_equal(text, rows[i][1]);
	}
}

static void test_own_lines(void **state)
{
	char text[] = "ours\n\ttheirs\r\xe2\x80\xa8x\x1b";
	struct tn_buf out;

	(void)state;
	tn_utf8_own_lines(text, sizeof(text) - 1);
	assert_string_equal(text, "ours\n\ttheirs    x ");
	tn_buf_init(&out, 100);
	tn_utf8_put_line(&out, tn_str("", 0));
	tn_buf_append_text(&out, "ours\n");
	tn_utf8_put_line(&out, TN_STR("a\nb\0c"));
	assert_true(tn_str_is(tn_buf_str(&out), "ours\na b c"));
	tn_buf_finish(&out);
}

/* Whatever is of one kind to Unicode or to a reader, by its borders. */
static void test_looks(void **state)
{
	static const struct {
		uint32_t code;
		enum tn_utf8_look look;
	} rows[] = {{0, TN_UTF8_CONTROL},      {'\t', TN_UTF8_CONTROL},  {'\n', TN_UTF8_BREAK},
		    {'\v', TN_UTF8_BREAK},     {'\f', TN_UTF8_BREAK},    {'\r', TN_UTF8_BREAK},
		    {0x1B, TN_UTF8_CONTROL},   {' ', TN_UTF8_SEEN},      {'~', TN_UTF8_SEEN},
		    {0x7F, TN_UTF8_CONTROL},   {0x85, TN_UTF8_BREAK},    {0x9F, TN_UTF8_CONTROL},
		    {0xA0, TN_UTF8_SEEN},      {0x61C, TN_UTF8_TURN},    {0x200C, TN_UTF8_NO_SIZE},
		    {0x200F, TN_UTF8_TURN},    {0x2028, TN_UTF8_BREAK},  {0x2029, TN_UTF8_BREAK},
		    {0x202E, TN_UTF8_TURN},    {0x202F, TN_UTF8_SEEN},   {0x2069, TN_UTF8_TURN},
		    {0x2070, TN_UTF8_SEEN},    {0xFE0F, TN_UTF8_FILLER}, {0xE0041, TN_UTF8_TURN},
		    {0xE0100, TN_UTF8_FILLER}, {0x10FFFF, TN_UTF8_SEEN}, {0x1F600, TN_UTF8_SEEN}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(tn_utf8_look(rows[i].code), rows[i].look);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_line),
		cmocka_unit_test(test_own_lines),
		cmocka_unit_test(test_looks),
		cmocka_unit_test(test_all_characters),
		cmocka_unit_test(test_codes_that_are_no_characters),
		cmocka_unit_test(test_all_byte_pairs),
		cmocka_unit_test(test_valid_at_every_offset),
		cmocka_unit_test(test_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
