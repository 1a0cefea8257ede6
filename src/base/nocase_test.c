#include "base/nocase.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void words_are_found_whatever_their_case(void **state)
{
	static const struct {
		const char *text, *part;
		bool found;
	} cases[] = {
		{"ui.Button", "BUTTON", true},
		{"ui.Button", "ui.", true},
		{"aab", "AB", true},
		{"aab", "b", true},
		{"Button", "Buttons", false},
		{"Button", "bt", false},
		{"[", "{", false},
		{"", "a", false},
		{"", "", true},
		{"a", "", true},
		{"\xC3\x84", "\xC3\xA4", false}, /* letters beyond ASCII are what they are */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (tn_nocase_contains(tn_str_from(cases[i].text), tn_str_from(cases[i].part)) !=
		    cases[i].found)
			fail_msg("%s in %s", cases[i].part, cases[i].text);
	assert_true(tn_nocase_contains((struct tn_str){0}, (struct tn_str){0}));
	assert_false(tn_nocase_contains((struct tn_str){0}, TN_STR("a")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(words_are_found_whatever_their_case)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
