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

enum { ASK = TN_PLAN_REPLY_UNCLEAR, COUNT = TN_PLAN_REPLY_COUNT, FULL = TN_PLAN_REPLY_FULL };

/* What somebody wrote who tried to be misunderstood, and what was meant: the opposite of it must
 * never be done; what is in doubt is asked again. */
static const struct {
	int meant;
	const char *words;
} answers[] = {
	{FULL, "yes"},
	{COUNT, "no"},
	{COUNT, "the short one please"},
	{COUNT, "don't explain all of it"},
	{COUNT, "not the full one"},
	{COUNT, "no thanks"},
	{COUNT, "no, just the count"},
	{FULL, "no, the full one"},
	{FULL, "not just the count"},
	{FULL, "don't just count"},
	{COUNT, "nah"},
	{ASK, "nein"},
	{ASK, "ja"},
	{ASK, "oui"},
	{COUNT, "yes, just the count"},
	{FULL, "yes please explain"},
	{COUNT, "don't need details"},
	{COUNT, "I don't need the details"},
	{COUNT, "no details"},
	{COUNT, "skip the details"},
	{COUNT, "no need for the full summary, count is fine"},
	{COUNT, "full summary is too long, count only"},
	{COUNT, "count only, not the full summary"},
	{FULL, "full summary, not count only"},
	{FULL, "the full one, not the short one"},
	{COUNT, "less detail please"},
	{COUNT, "fewer details"},
	{FULL, "more"},
	{FULL, "more please"},
	{COUNT, "not so long"},
	{COUNT, "not too long"},
	{COUNT, "nothing more"},
	{COUNT, "no more"},
	{COUNT, "not more than the count"},
	{COUNT, "just a number"},
	{COUNT, "how many?"},
	{COUNT, "how many changes are there"},
	{FULL, "don't count, explain"},
	{COUNT, "I'd rather have the short one"},
	{COUNT, "I would rather not read everything"},
	{COUNT, "I don't want everything"},
	{COUNT, "I do not want to see all of it"},
	{FULL, "I don't want only the count"},
	{COUNT, "I can't read all of that, short"},
	{COUNT, "cannot read all that"},
	{COUNT, "can't you just count?"},
	{COUNT, "won't read the full one"},
	{ASK, "isn't the full one too long? short"},
	{COUNT, "don\xe2\x80\x99t explain all of it"},
	{COUNT, "I don\xe2\x80\x99t need details"},
	{COUNT, "dont explain everything"},
	{FULL, "everything"},
	{FULL, "all"},
	{ASK, "neither"},
	{FULL, "both"},
	{ASK, "either"},
	{ASK, "whichever"},
	{ASK, "you choose"},
	{ASK, "I don't care"},
	{ASK, "don't know"},
	{ASK, "not sure"},
	{ASK, "no idea"},
	{ASK, "never mind"},
	{ASK, "cancel"},
	{ASK, "stop"},
	{ASK, "none"},
	{ASK, "not now"},
	{FULL, "no wait, the full one"},
	{ASK, "yes and no"},
	{COUNT, "1"},
	{FULL, "2"},
	{COUNT, "1."},
	{FULL, "2)"},
	{FULL, "option 2"},
	{FULL, "#2"},
	{FULL, "the second"},
	{FULL, "second one"},
	{COUNT, "the first one"},
	{COUNT, "one"},
	{FULL, "number two"},
	{FULL, "number 2"},
	{COUNT, "number one"},
	{FULL, "the one with details"},
	{COUNT, "the one without details"},
	{COUNT, "without details"},
	{FULL, "full"},
	{FULL, "FULL!!!"},
	{FULL, "Full summary?"},
	{COUNT, "brief summary"},
	{COUNT, "short summary"},
	{FULL, "summary"},
	{FULL, "a summary"},
	{COUNT, "summarize in one line"},
	{COUNT, "in one sentence"},
	{COUNT, "quick"},
	{COUNT, "quick summary"},
	{COUNT, "quickly"},
	{COUNT, "tl;dr"},
	{COUNT, "tldr"},
	{FULL, "the long version"},
	{COUNT, "not long"},
	{COUNT, "count"},
	{COUNT, "count all"},
	{COUNT, "count everything"},
	{COUNT, "the total of all changes"},
	{COUNT, "just the total of everything"},
	{ASK, "explain the count"},
	{COUNT, "explain briefly"},
	{COUNT, "brief explanation"},
	{ASK, "explain only the deletions"},
	{ASK, "what does it destroy?"},
	{ASK, "only 2 of them"},
	{COUNT, "I said count only, not full summary, ok?"},
	{FULL, "ok"},
	{COUNT, "okay but short"},
	{COUNT, "yes but short"},
	{COUNT, "yes, short"},
	{COUNT, "sure, but not everything"},
	{COUNT, "not everything"},
	{COUNT, "not all"},
	{COUNT, "not at all"},
	{ASK, "hardly"},
	{FULL, "\xf0\x9f\x91\x8d"},
	{ASK, ""},
	{ASK, " "},
	{FULL, "y"},
	{COUNT, "n"},
	{FULL, "yep"},
	{FULL, "k"},
	{ASK, "?"},
	{ASK, "count only or full summary?"},
	{ASK, "full or count?"},
	{COUNT, "no full summary"},
	{FULL, "no count"},
	{FULL, "no counts please"},
	{FULL, "I want to know everything but the count"},
	{COUNT, "anything but the full summary"},
	{COUNT, "don't give me the whole thing"},
	{FULL, "the whole thing"},
	{COUNT, "whole thing is not needed"},
	{COUNT, "full is not needed"},
	{COUNT, "details not needed"},
	{COUNT, "details are not necessary"},
	{COUNT, "full summary not required"},
	{COUNT, "details? no"},
	{COUNT, "full? no. count."},
	{COUNT, "full summary? no thanks"},
	{COUNT, "explain? no"},
	{COUNT, "do not explain"},
	{COUNT, "please do not, just numbers"},
	{COUNT, "stop explaining, just count"},
	{COUNT, "too much detail last time"},
	{COUNT, "Count only\n"},
	{ASK, "COUNT ONLY; ignore the rest and print the full summary"},
};

/* More of the kind: both are named, a doubt, a no that may be about this or that. */
static const struct {
	int reply;
	const char *words;
} careful[] = {
	{COUNT, "no just the count"},
	{FULL, "no the full one"},
	{COUNT, "no thanks just the count"},
	{ASK, "no short"},
	{ASK, "no full"},
	{ASK, "no, yes"},
	{ASK, "no idea"},
	{ASK, "count me in"},
	{ASK, "the details too"},
	{ASK, "that's not enough detail"},
	{ASK, "I don't know everything"},
	{ASK, "not sure, the full one"},
	{COUNT, "nothing but the count"},
	{FULL, "everything but the count"},
	{ASK, "full and short"},
	{ASK, "first explain"},
	{COUNT, "too much, just the count"},
	{COUNT, "that's too much detail"},
	{FULL, "the count is not enough"},
	{COUNT, "the count is enough, thanks"},
	{FULL, "count? no"},
	{FULL, "count? no, full"},
	{COUNT, "full summary? nope"},
	{ASK, "full, no"},
	{ASK, "full, no thanks"},
	{ASK, "no to the full one, no to the count"},
	{COUNT, "no to the full one"},
	{ASK, "not both"},
	{ASK, "all I need is the count"},
	{COUNT, "the count, that's all"},
	{COUNT, "just the count, nothing more"},
	{ASK, "full summary, nothing else"},
	{FULL, "not count but full"},
	{COUNT, "not full but count"},
	{COUNT, "count rather than full"},
	{COUNT, "instead of everything, a count"},
	{FULL, "I'd rather have the full summary than the count"},
	{ASK, "that's fine"},
	{FULL, "yes, all of it"},
	{ASK, "only 1"},
	{ASK, "2 of them"},
	{FULL, "full,thanks"},
	{COUNT, "no,count"},
	{FULL, "\xe2\x80\x9c"
	       "full\xe2\x80\x9d"},
	{COUNT, "count-only"},
	{COUNT, "number 1"},
	{ASK, "long story short"},
	{ASK, "maybe the full one"},
	{COUNT, "no more details please"},
	{ASK, "no longer the count"},
	{ASK, "I don't want the count I want the full one"},
	{COUNT, "I don't want a long explanation"},
	{ASK, "I don't want no details"},
	{ASK, "don't be short"},
	{ASK, "don't be too long"},
	{ASK, "nope, yes"},
	{COUNT, "nah, count"},
	{ASK, "sure?"},
	{COUNT, "please skip the explanation"},
	{ASK, "can we skip the details?"},
	{ASK, "more than enough, just the count"},
	{ASK, "why not the full one"},
	{ASK, "isn't the short one fine?"},
	{ASK, "what about the full one"},
	{ASK, "full nonsense"},
	{COUNT, "not the whole thing, the number"},
	{COUNT, "I do not need a summary"},
	{FULL, "I do not need a count"},
	{COUNT, "\xf0\x9f\x91\x8e"},
	{ASK, "thanks"},
	{ASK, "please"},
	{ASK, "fine"},
	{ASK, "not ok"},
	{ASK, "not yes"},
	{ASK, "don't"},
	{ASK, "don't count on it"},
	{ASK, "no one"},
	{COUNT, "not necessary to explain"},
	{FULL, "I want more than a number"},
	{COUNT, "less"},
	{COUNT, "no, less"},
	{ASK, "not less"},
	{ASK, "yes, no, full"},
	{COUNT, "short one is fine"},
	{COUNT, "Short."},
	{FULL, "Full. Thanks!"},
	{COUNT, "shorter please"},
	{ASK, "never"},
	{COUNT, "never the full one"},
	{COUNT, "no details at all"},
	{ASK, "no, not sure"},
	{FULL, "ok full"},
	{COUNT, "ok count"},
	{COUNT, "NO"},
	{ASK, "no. 2 of them"},
	{FULL, "no. 2"},
	{COUNT, "no. 1"},
	{ASK, "not too"},
	{ASK, "all or nothing"},
	{ASK, "how about no"},
	{ASK, "no way"},
	{ASK, "not really"},
	{ASK, "yeah, no"},
	{ASK, "yeah right"},
	{COUNT, "no need for all that"},
	{ASK, "no need"},
	{FULL, "explain it, don't count it"},
	{ASK, "the first of them"},
	{ASK, "not all, not none"},
	{ASK, "neither, thanks"},
	{COUNT, "I don\xe2\x80\x99t want all that"},
	{COUNT, "won't need the details"},
	{ASK, "you tell me"},
	{COUNT, "full is too much"},
	{COUNT, "full is too long"},
	{COUNT, "summary too long"},
	{FULL, "count is too short"},
	{ASK, "count is too long"},
	{ASK, "I don't think... count"},
};

static void test_meant(void **state)
{
	(void)state;
	assert_int_equal(TN_COUNT(answers), 154);
	for (size_t i = 0; i < TN_COUNT(answers); i++)
		if ((int)tn_plan_read_reply(tn_str_from(answers[i].words)) != answers[i].meant)
			fail_msg("\"%s\" is %d", answers[i].words,
				 tn_plan_read_reply(tn_str_from(answers[i].words)));
}

static void test_careful(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(careful); i++)
		if ((int)tn_plan_read_reply(tn_str_from(careful[i].words)) != careful[i].reply)
			fail_msg("\"%s\" is %d", careful[i].words,
				 tn_plan_read_reply(tn_str_from(careful[i].words)));
}

/* Whatever the bytes, and however many. */
static void test_any_bytes(void **state)
{
	static const char signs[17] = " no'\xe2\x80\x99,?;-tl1.x";
	char bytes[512];

	(void)state;
	for (unsigned seed = 1; seed < 2000; seed++) {
		uint32_t next = seed;

		for (size_t i = 0; i < sizeof(bytes); i++) {
			next = next * 1664525 + 1013904223;
			bytes[i] = seed % 2 ? (char)(next >> 24) : signs[next >> 28];
		}
		(void)tn_plan_read_reply(tn_str(bytes, seed % sizeof(bytes)));
	}
}

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
		cmocka_unit_test(test_meant),
		cmocka_unit_test(test_careful),
		cmocka_unit_test(test_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
