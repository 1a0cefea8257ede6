/* What of the details of a fault is said, beside the message that says it already. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/studio/mcp/say.h"
#include "base/size.h"

static void expect(const char *details, const char *message, const char *wanted)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_studio_say_details(&out, tn_str_from(details), tn_str_from(message));
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data, wanted);
	tn_buf_finish(&out);
}

static void a_part_of_a_word_is_no_word(void **state)
{
	(void)state;
	expect("{\"property\":\"id\"}", "it did not fit", "property id");
	expect("{\"label\":\"a\"}", "no place is that large", "label a");
	expect("{\"label\":\"a\"}", "a-b and a_b, 2a, a1, \xc3\xa4 a\xc3\xa4", "label a");
	expect("{\"count\":7}", "17 or 71, vm-7, 7_", "count 7");
	expect("{\"changeId\":\"change-8\"}", "change-88 is later", "changeId change-8");
	expect("{\"a\":\"longer than the message\"}", "short", "a longer than the message");
}

static void a_word_is_one_wherever_it_stands(void **state)
{
	(void)state;
	expect("{\"property\":\"id\"}", "id", "");
	expect("{\"property\":\"id\"}", "it did not fit: id", "");
	expect("{\"property\":\"id\"}", "\"id\" did not fit", "");
	expect("{\"property\":\"id\"}", "it did, but id.tf did not", "");
	expect("{\"label\":\"aa\"}", "aaa aa.", "");
	expect("{\"count\":7}", "17 of 7", "");
	expect("{\"empty\":\"\",\"none\":null,\"no\":false}", "", "");
	expect("{\"empty\":\"\",\"none\":null,\"no\":false}", "a, b", "");
	expect("{\"empty\":\"\"}", "word", "");
}

static void what_is_known_is_left_out(void **state)
{
	(void)state;
	expect("{\"changeId\":\"change-8\",\"by\":{\"changeId\":\"change-3\",\"mine\":true}}",
	       "change-8 cannot be undone", "by (changeId change-3, mine)");
	expect("{\"by\":{\"changeId\":\"change-8\"},\"at\":4}", "change-8 is in the way", "at 4");
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(a_part_of_a_word_is_no_word),
		cmocka_unit_test(a_word_is_one_wherever_it_stands),
		cmocka_unit_test(what_is_known_is_left_out),
	};

	return cmocka_run_group_tests(all, NULL, NULL);
}
