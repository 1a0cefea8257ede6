/* What of the details of a fault is said, beside the message that says it already; and of a page of
 * a plan, where it goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
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

/* ---- a plan ---- */

static void expect_plan(const char *json, const char *wanted)
{
	struct tn_json *plan = NULL;
	struct tn_arena arena;
	struct tn_buf out;

	tn_arena_init(&arena, TN_MIB);
	tn_buf_init(&out, TN_MIB);
	assert_int_equal(tn_json_parse_copy(&arena, tn_str_from(json), &plan, NULL), TENON_OK);
	tn_studio_say_plan(&out, plan);
	tn_buf_append_byte(&out, '\0');
	assert_string_equal(out.data, wanted);
	tn_buf_finish(&out);
	tn_arena_finish(&arena);
}

#define CHANGE "\"changes\":[{\"action\":\"create\",\"address\":\"t.a\"}]"

static void a_page_says_where_it_goes_on(void **state)
{
	(void)state;
	expect_plan("{\"runId\":\"run_a\"," CHANGE "}", "\nRun run_a\ncreate t.a");
	expect_plan("{\"runId\":\"run_a\",\"page\":{\"offset\":0,\"returned\":1,\"total\":3,"
		    "\"nextOffset\":1}," CHANGE "}",
		    "\nRun run_a\nChanges 1 to 1 of 3; get_plan with this runId and offset 1 has "
		    "those that follow, and their findings\ncreate t.a");
	expect_plan(
		"{\"runId\":\"run_a\",\"page\":{\"offset\":2,\"returned\":1,\"total\":3}," CHANGE
		"}",
		"\nRun run_a\nChanges 3 to 3 of 3; outputs stand at offset 0\ncreate t.a");
	expect_plan(
		"{\"runId\":\"run_a\",\"page\":{\"offset\":3,\"returned\":0,\"total\":3}}",
		"\nRun run_a\nNo change is behind offset 3: there are 3; outputs stand at offset "
		"0");
}

/* What has no price is not null, and not nothing. */
static void a_cost_that_is_not_known_is_told_in_words(void **state)
{
	static const struct {
		const char *before, *after, *words;
	} costs[] = {
		{"0", "30.37", " 0 -> 30.37 USD a month"},
		{"30.37", "0", " 30.37 -> 0 USD a month"},
		{"0", "null", " (no price is known)"},
		{"null", "0", " (no price is known)"},
		{"null", "null", " (no price is known)"},
		{"12.5", "null", " 12.5 USD a month before, afterwards no price is known"},
		{"null", "12.5", " 12.5 USD a month afterwards, before no price is known"},
	};
	char json[256], wanted[256];

	(void)state;
	for (size_t i = 0; i < TN_COUNT(costs); i++) {
		(void)snprintf(json, sizeof(json),
			       "{\"runId\":\"r\",\"changes\":[{\"action\":\"create\",\"address\":"
			       "\"t.a\",\"monthlyCost\":{\"before\":%s,\"after\":%s,"
			       "\"currency\":\"USD\"}}]}",
			       costs[i].before, costs[i].after);
		(void)snprintf(wanted, sizeof(wanted), "\nRun r\ncreate t.a%s", costs[i].words);
		expect_plan(json, wanted);
	}
}

/* A block that forces has no values of its own. */
static void nothing_becomes_nothing(void **state)
{
	(void)state;
	expect_plan("{\"runId\":\"r\",\"changes\":[{\"action\":\"replace\",\"address\":\"t.a\","
		    "\"attributes\":[{\"path\":\"boot_disk\",\"before\":null,\"after\":null,"
		    "\"forcesReplacement\":true},{\"path\":\"size\",\"before\":1,\"after\":2},"
		    "{\"path\":\"tag\",\"before\":null,\"after\":\"x\"},"
		    "{\"path\":\"gone\",\"before\":\"x\",\"after\":null}]}]}",
		    "\nRun r\nreplace t.a: boot_disk (forces replacement), size: 1 -> 2, "
		    "tag=\"x\", gone: \"x\" -> null");
}

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(a_part_of_a_word_is_no_word),
		cmocka_unit_test(a_word_is_one_wherever_it_stands),
		cmocka_unit_test(what_is_known_is_left_out),
		cmocka_unit_test(a_page_says_where_it_goes_on),
		cmocka_unit_test(a_cost_that_is_not_known_is_told_in_words),
		cmocka_unit_test(nothing_becomes_nothing),
	};

	return cmocka_run_group_tests(all, NULL, NULL);
}
