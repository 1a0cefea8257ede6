#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cli/shared/progress_bar.h"

static void expect(unsigned columns, double progress, double total, const char *message,
		   const char *wanted)
{
	char line[256];
	size_t size =
		tn_progress_bar_format(line, sizeof(line), columns, 1, progress, total, message);

	assert_string_equal(line, wanted);
	assert_int_equal(size, strlen(line));
}

static void a_share_is_a_bar(void **state)
{
	(void)state;
	expect(40, 0, 10, NULL, "[..................]   0%");
	expect(40, 5, 10, "half", "[##########........]  50%  half");
	expect(40, 10, 10, NULL, "[##################] 100%");
	expect(40, 11, 10, NULL, "[##################] 100%");
	expect(40, -1, 10, NULL, "[..................]   0%");
	expect(200, 1, 2, NULL, "[###############.............]  50%");
}

static void without_a_total_it_is_a_count(void **state)
{
	(void)state;
	expect(40, 3, 0, "reading", "/ 3  reading");
	expect(40, 0.5, 0, NULL, "/ 0.5");
}

static void nothing_is_wider_than_the_terminal(void **state)
{
	(void)state;
	expect(12, 1, 2, "message", " 50%  messag");
	expect(4, 1, 2, "message", " 50%");
	expect(2, 1, 2, "message", " 5");
	expect(16, 3, 0, "\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97",
	       "/ 3  \xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2");
}

/* MCP-287: a server's words move no cursor and begin no line. */
static void messages_are_made_safe(void **state)
{
	(void)state;
	expect(60, 3, 0, "a\033[2Jb\nc\td\r", "/ 3  ab c d");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_share_is_a_bar),
		cmocka_unit_test(without_a_total_it_is_a_count),
		cmocka_unit_test(nothing_is_wider_than_the_terminal),
		cmocka_unit_test(messages_are_made_safe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
