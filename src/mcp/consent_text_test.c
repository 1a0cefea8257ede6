/* What a person reads before saying yes (terminal.md section 10.2). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/size.h"
#include "base/utf8.h"
#include "mcp/consent_text.h"
#include "mcp/limits.h"

static void expect(const char *text, size_t size, bool lines, const char *shown)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_consent_text_put(&out, tn_str(text, size), TN_CONSENT_TEXT_MAX, lines);
	tn_buf_append_byte(&out, '\0');
	assert_false(out.failed);
	assert_string_equal(out.data, shown);
	tn_buf_finish(&out);
}

static void test_shown_as_it_is(void **state)
{
	(void)state;
	expect("rm -rf /srv", 11, false, "rm -rf /srv");
	expect("größer 漢字 🙂", strlen("größer 漢字 🙂"), false,
	       "größer 漢字 🙂");
	expect("", 0, false, "");
}

static void test_controls_are_shown(void **state)
{
	static const struct {
		const char *text, *shown;
	} cases[] = {
		{"ls\r\x1b[2Krm", "ls␍␛[2Krm"}, /* a line that overwrites itself */
		{"a\nb\tc", "a␊b␉c"},           /* a second line that looks like ours */
		{"a\x7f", "a␡"},                /* rubs out */
		{"a\xc2\x9b"
		 "31m",
		 "a<U+009B>31m"},                           /* C1: the same as ESC [ */
		{"\xe2\x80\xaegpj.exe", "<U+202E>gpj.exe"}, /* drawn backwards */
		{"pay\xe2\x80\x8bpal", "pay<U+200B>pal"},   /* zero width */
		{"x\xf3\xa0\x81\x81", "x<U+E0041>"},        /* tags: text nobody sees */
		{"x\xe2\x80\xa8y", "x<U+2028>y"},           /* a line of its own */
		{"a\xff"
		 "b\xc3",
		 "a\xef\xbf\xbd"
		 "b\xef\xbf\xbd"}, /* not UTF-8 */
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		expect(cases[i].text, strlen(cases[i].text), false, cases[i].shown);
	expect("a\0b", 3, false, "a␀b");
	expect("a\n\tb\r", 5, true, "a\n\tb␍");
}

static void test_cut(void **state)
{
	char text[TN_CONSENT_TEXT_MAX + 100];
	struct tn_buf out;

	(void)state;
	memset(text, 'x', sizeof(text));
	tn_buf_init(&out, TN_MIB);
	tn_consent_text_put(&out, tn_str(text, sizeof(text)), TN_CONSENT_TEXT_MAX, true);
	assert_true(tn_str_ends(tn_buf_str(&out), TN_STR("x [... 100 more bytes, not shown]")));
	assert_true(out.size < TN_CONSENT_TEXT_MAX + 64);
	tn_buf_finish(&out);
}

static void expect_data(const char *json, const char *shown)
{
	struct tn_buf out;
	bool good;

	tn_buf_init(&out, TN_MIB);
	good = tn_consent_data_put(&out, tn_str_from(json));
	tn_buf_append_byte(&out, '\0');
	assert_int_equal(good, shown != NULL);
	assert_string_equal(out.data, shown ? shown : "");
	tn_buf_finish(&out);
}

static void test_data(void **state)
{
	struct tn_buf large;

	(void)state;
	expect_data("{}", "{}");
	expect_data("{\"a\":[1,true,null,-2.5,{\"b\":\"c\"}]}",
		    "{\"a\":[1,true,null,-2.5,{\"b\":\"c\"}]}");
	expect_data("{\"x\\u202e\":[\"vm\\u0000\\n\\u200b\"]}",
		    "{\"x<U+202E>\":[\"vm␀␊<U+200B>\"]}");
	expect_data("[1]", NULL);
	expect_data("{\"a\":", NULL);
	expect_data("", NULL);
	tn_buf_init(&large, 2 * TN_CONSENT_DATA_MAX);
	tn_buf_append_text(&large, "{\"a\":[0");
	while (large.size < TN_CONSENT_DATA_MAX)
		tn_buf_append_text(&large, ",0");
	tn_buf_append_text(&large, "]}");
	tn_buf_append_byte(&large, '\0');
	expect_data(large.data, NULL);
	tn_buf_finish(&large);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shown_as_it_is),
		cmocka_unit_test(test_controls_are_shown),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
