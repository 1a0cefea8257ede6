/* What the change of one attribute comes to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/explain/turn.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

typedef bool asks(const struct tn_plan_attribute *attribute);

static bool ask(asks *turns, const char *before, const char *after)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "aws_lb.a");
	bool ret = turns(test_attr(plan, entry, "x", before, after));

	test_plan_free(plan);
	return ret;
}

static void test_off_and_on(void **state)
{
	(void)state;
	assert_true(ask(tn_plan_turns_off, "?true", "?false"));
	assert_true(ask(tn_plan_turns_off, "Enabled", "Suspended"));
	assert_true(ask(tn_plan_turns_off, "?true", NULL)); /* what is not there is off */
	assert_false(ask(tn_plan_turns_off, NULL, "?false"));
	assert_false(ask(tn_plan_turns_off, "?false", "?false"));
	assert_false(ask(tn_plan_turns_off, "#1", "#0")); /* a number is no switch */
	assert_true(ask(tn_plan_turns_on, NULL, "?true"));
	assert_true(ask(tn_plan_turns_on, "disabled", "ENABLED"));
	assert_false(ask(tn_plan_turns_on, "?true", "?true"));
	assert_true(ask(tn_plan_is_taken_away, "a", ""));
	assert_true(ask(tn_plan_is_taken_away, "a", NULL));
	assert_false(ask(tn_plan_is_taken_away, "a", "b"));
	assert_false(ask(tn_plan_is_taken_away, "", NULL));
}

static void test_less(void **state)
{
	static const struct {
		const char *before, *after;
		bool less;
	} cases[] = {
		{"#30", "#7", true},
		{"#7", "#30", false},
		{"#30.5", "#30", false}, /* the part behind the point does not count */
		{"30", "7", true},       /* a number may be written as a text */
		{"2592000s", "86400s", true},
		{"86400s", "30d", false},
		{"30d", "86400s", true},
		{"P14D", "PT1H", true},
		{"PT1H", "P14D", false},
		{"8760h0m0s", "24h", true},
		{"#30", "1d", false}, /* nobody knows what 30 is of */
		{"30 days", "7 days", false},
		{"b", "a", false},
		{NULL, "#1", false},
		{"#1", NULL, false},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		if (ask(tn_plan_turns_less, cases[i].before, cases[i].after) != cases[i].less)
			fail_msg("%s to %s", cases[i].before, cases[i].after);
	assert_true(ask(tn_plan_turns_zero, "#3", "#0"));
	assert_false(ask(tn_plan_turns_zero, NULL, "#0"));
	assert_false(ask(tn_plan_turns_zero, "#0", "#0"));
}

static void test_durations(void **state)
{
	static const struct {
		const char *text;
		uint64_t seconds; /* 0: none */
	} cases[] = {
		{"604800s", 604800},
		{"30d", 30 * 86400},
		{"2w", 14 * 86400},
		{"8760h0m0s", 365 * 86400},
		{"P1Y", 365 * 86400},
		{"P1M", 30 * 86400},
		{"PT1M", 60},
		{"P1DT1H30M", 86400 + 5400},
		{"P", 0},
		{"", 0},
		{"30", 0},
		{"d", 0},
		{"30x", 0},
		{"99999999999999s", 0},
		{"P1D extra", 0},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		uint64_t seconds;
		bool read = tn_plan_read_seconds(tn_str_from(cases[i].text), &seconds);

		if (read != (cases[i].seconds > 0) || (read && seconds != cases[i].seconds))
			fail_msg("%s is %llu", cases[i].text, (unsigned long long)seconds);
	}
}

static bool was_endless(const struct tn_plan_attribute *attribute)
{
	return tn_plan_value_is_endless(&attribute->before);
}

static void test_endless(void **state)
{
	(void)state;
	assert_true(ask(was_endless, "#0", "#1"));
	assert_true(ask(was_endless, "#-1", "#1"));
	assert_true(ask(was_endless, "-1", "1"));
	assert_true(ask(was_endless, NULL, "#1"));
	assert_false(ask(was_endless, "#1", "#2"));
	assert_false(ask(was_endless, "", "1"));
	assert_false(ask(was_endless, "-", "1"));
}

/* Of what is not shown nothing is concluded. */
static void test_unclear(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "aws_lb.a");
	struct tn_plan_attribute *attribute = test_attr(plan, entry, "x", "?true", "?false");

	(void)state;
	attribute->sensitive = true;
	assert_false(tn_plan_turns_off(attribute));
	attribute->sensitive = false;
	attribute->unknown = true;
	assert_false(tn_plan_turns_off(attribute));
	attribute->unknown = false;
	assert_true(tn_plan_turns_off(attribute));
	test_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_off_and_on), cmocka_unit_test(test_less),
		cmocka_unit_test(test_durations),  cmocka_unit_test(test_endless),
		cmocka_unit_test(test_unclear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
