/* What somebody means who was asked (plan.md section 10.1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/explain/explain.h"
#include "base/size.h"

static const struct {
	enum tn_plan_reply reply;
	const char *words;
} cases[] = {
	/* The words of the contract. */
	{TN_PLAN_REPLY_COUNT, "count only"},
	{TN_PLAN_REPLY_COUNT, "  Count Only \n"},
	{TN_PLAN_REPLY_COUNT, "COUNT"},
	{TN_PLAN_REPLY_COUNT, "1"},
	{TN_PLAN_REPLY_COUNT, "only count"},
	{TN_PLAN_REPLY_FULL, "full summary"},
	{TN_PLAN_REPLY_FULL, "Full"},
	{TN_PLAN_REPLY_FULL, "summary"},
	{TN_PLAN_REPLY_FULL, "2"},
	/* What people say. */
	{TN_PLAN_REPLY_FULL, "Full summary please"},
	{TN_PLAN_REPLY_FULL, "the long one"},
	{TN_PLAN_REPLY_FULL, "yes"},
	{TN_PLAN_REPLY_FULL, "Yes, please!"},
	{TN_PLAN_REPLY_FULL, "ok, all of it"},
	{TN_PLAN_REPLY_FULL, "OK"},
	{TN_PLAN_REPLY_FULL, "everything"},
	{TN_PLAN_REPLY_FULL, "I'd like the full summary, thanks"},
	{TN_PLAN_REPLY_FULL, "give me the details"},
	{TN_PLAN_REPLY_FULL, "the second one"},
	{TN_PLAN_REPLY_FULL, "option 2"},
	{TN_PLAN_REPLY_FULL, "2."},
	{TN_PLAN_REPLY_FULL, "number two"},
	{TN_PLAN_REPLY_FULL, "both"},
	{TN_PLAN_REPLY_FULL, "a summary"},
	{TN_PLAN_REPLY_FULL, "tell me more"},
	{TN_PLAN_REPLY_FULL, "not only the count"},
	{TN_PLAN_REPLY_FULL, "sure, go ahead"},
	{TN_PLAN_REPLY_COUNT, "count please"},
	{TN_PLAN_REPLY_COUNT, "just the count please"},
	{TN_PLAN_REPLY_COUNT, "the short one"},
	{TN_PLAN_REPLY_COUNT, "a short summary"},
	{TN_PLAN_REPLY_COUNT, "first"},
	{TN_PLAN_REPLY_COUNT, "one"},
	{TN_PLAN_REPLY_COUNT, "just the number"},
	{TN_PLAN_REPLY_COUNT, "ok, just the count"},
	{TN_PLAN_REPLY_COUNT, "the count is enough"},
	{TN_PLAN_REPLY_COUNT, "how many"},
	{TN_PLAN_REPLY_COUNT, "no"},
	{TN_PLAN_REPLY_COUNT, "no thanks"},
	{TN_PLAN_REPLY_COUNT, "not the full one"},
	{TN_PLAN_REPLY_COUNT, "I don't need the details"},
	/* What means neither. */
	{TN_PLAN_REPLY_UNCLEAR, ""},
	{TN_PLAN_REPLY_UNCLEAR, "whatever"},
	{TN_PLAN_REPLY_UNCLEAR, "3"},
	{TN_PLAN_REPLY_UNCLEAR, "12"},
	{TN_PLAN_REPLY_UNCLEAR, "countonly"},
	{TN_PLAN_REPLY_UNCLEAR, "maybe later"},
	{TN_PLAN_REPLY_UNCLEAR, "Count only or full summary?"},
	{TN_PLAN_REPLY_UNCLEAR, "what is a full summary?"},
	{TN_PLAN_REPLY_UNCLEAR, "yes the database team said they would look at it tomorrow"},
	{TN_PLAN_REPLY_UNCLEAR, "please restart nginx on server seventeen with all certificates"},
	{TN_PLAN_REPLY_UNCLEAR, "!?"},
};

static void test_replies(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		if (tn_plan_read_reply(tn_str_from(cases[i].words)) != cases[i].reply)
			fail_msg("\"%s\" is %d", cases[i].words,
				 tn_plan_read_reply(tn_str_from(cases[i].words)));
	assert_int_equal(tn_plan_read_reply(tn_str_from(NULL)), TN_PLAN_REPLY_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_replies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
