/* The end of a body is found whatever pieces it comes in (RFC 9112 sections 6 and 7). */
#include "gateway/body.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/size.h"

/* The payload, and how many bytes belong to the body; SIZE_MAX: a fault. */
static size_t pass(enum tn_body_kind kind, uint64_t length, const char *text, size_t piece,
		   char payload[256])
{
	struct tn_str left = tn_str_from(text);
	struct tn_body body;
	size_t taken = 0;

	tn_body_init(&body, kind, length);
	payload[0] = '\0';
	while (left.size && !body.ended) {
		struct tn_str part = tn_str(left.data, left.size < piece ? left.size : piece), got;
		size_t count = tn_body_take(&body, part, &got);

		(void)strncat(payload, got.data, got.size);
		taken += count;
		if (body.fault)
			return SIZE_MAX;
		left = tn_str_from_offset(left, count);
	}
	return body.ended || kind == TN_BODY_UNTIL_CLOSE ? taken : 0;
}

static const struct {
	enum tn_body_kind kind;
	uint64_t length;
	const char *text, *payload;
	size_t taken; /* 0: more is needed */
} cases[] = {
	{TN_BODY_NONE, 0, "next", "", 0},
	{TN_BODY_LENGTH, 3, "abcdef", "abc", 3},
	{TN_BODY_LENGTH, 9, "abc", "abc", 0},
	{TN_BODY_UNTIL_CLOSE, 0, "abc", "abc", 3},
	{TN_BODY_CHUNKED, 0, "3\r\nabc\r\n0\r\n\r\nnext", "abc", 13},
	{TN_BODY_CHUNKED, 0, "A;x=\"y\"\r\n0123456789\r\n1 \r\n-\r\n00\r\nT: v\r\n\r\n",
	 "0123456789-", 40},
	{TN_BODY_CHUNKED, 0, "3\r\nabc\r\n", "abc", 0},
	{TN_BODY_CHUNKED, 0, "\r\n", "", SIZE_MAX},
	{TN_BODY_CHUNKED, 0, "3\nabc", "", SIZE_MAX},
	{TN_BODY_CHUNKED, 0, "3\r\nabcd\r\n", "abc", SIZE_MAX},
	{TN_BODY_CHUNKED, 0, "-1\r\n", "", SIZE_MAX},
	{TN_BODY_CHUNKED, 0, "fffffffffffffffff\r\n", "", SIZE_MAX},
	{TN_BODY_CHUNKED, 0, "1;\n\r\n", "", SIZE_MAX},
	{TN_BODY_CHUNKED, 0, "0\r\nT: v\n\nGET / HTTP/1.1\r\n\r\n", "", SIZE_MAX},
	{TN_BODY_CHUNKED, 0, "0\r\n\n", "", SIZE_MAX},
};

static void a_body_ends_where_it_says(void **none)
{
	(void)none;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		for (size_t piece = 1; piece < 32; piece++) {
			char payload[256];
			size_t taken =
				pass(cases[i].kind, cases[i].length, cases[i].text, piece, payload);

			if (taken != cases[i].taken)
				fail_msg("case %zu in pieces of %zu: %zu", i, piece, taken);
			assert_string_equal(payload, cases[i].payload);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_body_ends_where_it_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
