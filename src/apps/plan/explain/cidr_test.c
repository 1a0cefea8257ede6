/* How much of the internet a range is, and which ranges hold which. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/explain/cidr.h"
#include "apps/plan/explain/explain.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

enum {
	LOW = TN_PLAN_LOW_HALF,
	HIGH = TN_PLAN_HIGH_HALF,
	FOUR = TN_PLAN_LOW_HALF | TN_PLAN_HIGH_HALF,
	SIX = TN_PLAN_SIX
};

static void test_parts(void **state)
{
	static const struct {
		const char *range;
		unsigned parts;
	} cases[] = {{"0.0.0.0/0", FOUR},
		     {"*", FOUR},
		     {"internet", FOUR},
		     {"Any", FOUR},
		     {"0.0.0.0/1", LOW},
		     {"128.0.0.0/1", HIGH},
		     {"200.1.2.3/1", HIGH},
		     {"::/0", SIX},
		     {"2000::/3", SIX},
		     {"::/4", 0},
		     {"0.0.0.0/2", 0},
		     {"10.0.0.0/8", 0},
		     {"0.0.0.0", 0},
		     {"0.0.0.0.0/0", 0},
		     {"256.0.0.0/0", 0},
		     {"0.0.0/0", 0},
		     {"0.0.0.0/", 0},
		     {"/0", 0},
		     {"", 0},
		     {"VirtualNetwork", 0},
		     {"0.0.0.0/33", 0}};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		if (tn_plan_internet_parts(tn_str_from(cases[i].range)) != cases[i].parts)
			fail_msg("%s", cases[i].range);
}

static void test_holds(void **state)
{
	static const struct {
		const char *wide, *narrow;
		bool holds;
	} cases[] = {{"0.0.0.0/0", "10.0.0.0/8", true},
		     {"10.0.0.0/8", "10.1.0.0/16", true},
		     {"10.0.0.0/8", "10.1.2.3", true},
		     {"10.0.0.0/8", "11.0.0.0/16", false},
		     {"10.1.0.0/16", "10.0.0.0/8", false},
		     {"::/0", "10.0.0.0/8", false},
		     {"0.0.0.0/0", "fd00::/8", false},
		     {"::/0", "fd00::/8", true},
		     {"*", "10.0.0.0/8", true},
		     {"0.0.0.0/1", "10.0.0.0/8", true},
		     {"128.0.0.0/1", "10.0.0.0/8", false},
		     {"sg-1", "sg-1", true},
		     {"sg-1", "sg-2", false},
		     {"0.0.0.0/0", "sg-1", false}};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++)
		if (tn_plan_range_holds(tn_str_from(cases[i].wide), tn_str_from(cases[i].narrow)) !=
		    cases[i].holds)
			fail_msg("%s holds %s", cases[i].wide, cases[i].narrow);
}

/* A half is called one, by its sentence and by its title, and weighs the same. */
static void test_half_is_told(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_CREATE, "aws_security_group_rule.a");
	struct tn_buf out = test_buf();

	(void)state;
	(void)test_attr(plan, entry, "cidr_blocks[0]", NULL, "0.0.0.0/1");
	(void)test_attr(plan, entry, "from_port", NULL, "#22");
	(void)test_attr(plan, entry, "to_port", NULL, "#22");
	(void)test_attr(plan, entry, "type", NULL, "ingress");
	test_assess(plan);
	assert_int_equal(test_level(plan, "RISK-ACCESS-OPEN", "aws_security_group_rule.a"),
			 TN_PLAN_RISK_CRITICAL);
	assert_true(tn_str_is(plan->findings[0].title, "Open to half of the internet"));
	tn_plan_put_explanation(&out, plan, TN_PLAN_FORM_FULL, TN_PLAN_NON_TECHNICAL);
	assert_contains(&out, "Opens SSH (port 22) to half of the internet");
	assert_lacks(&out, "whole internet");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

/* What stands beside each other in one rule counts together, in any order. */
static void test_joined(void **state)
{
	static const struct {
		const char *title; /* NULL: nothing is told */
		const char *ranges[10];
	} cases[] = {
		{"Open to everybody", {"0.0.0.0/2", "64.0.0.0/2", "128.0.0.0/2", "192.0.0.0/2"}},
		{"Open to everybody", {"192.0.0.0/2", "0.0.0.0/2", "128.0.0.0/2", "64.0.0.0/2"}},
		{"Open to everybody", {"0.0.0.0/1", "128.0.0.0/2", "192.0.0.0/2"}},
		{"Open to everybody", {"128.0.0.0/2", "192.0.0.0/2", "0.0.0.0/1"}},
		{"Open to half of the internet", {"0.0.0.0/2", "64.0.0.0/2"}},
		{"Open to half of the internet", {"0.0.0.0/2", "64.0.0.0/2", "128.0.0.0/2"}},
		{NULL, {"0.0.0.0/2", "128.0.0.0/2"}},
		{NULL, {"64.0.0.0/2", "128.0.0.0/2"}},
		{NULL, {"10.0.0.0/8", "11.0.0.0/8", "172.16.0.0/12"}},
		/* What belongs to nobody need not be let in. */
		{"Open to everybody",
		 {"1.0.0.0/8", "2.0.0.0/7", "4.0.0.0/6", "8.0.0.0/5", "16.0.0.0/4", "32.0.0.0/3",
		  "64.0.0.0/2", "128.0.0.0/2", "192.0.0.0/3"}},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry =
			test_add(plan, TN_PLAN_CREATE, "aws_security_group_rule.a");

		for (size_t j = 0; j < 10 && cases[i].ranges[j]; j++) {
			static const char *const paths[] = {
				"cidr_blocks[0]", "cidr_blocks[1]", "cidr_blocks[2]",
				"cidr_blocks[3]", "cidr_blocks[4]", "cidr_blocks[5]",
				"cidr_blocks[6]", "cidr_blocks[7]", "cidr_blocks[8]"};

			(void)test_attr(plan, entry, paths[j], NULL, cases[i].ranges[j]);
		}
		(void)test_attr(plan, entry, "from_port", NULL, "#22");
		(void)test_attr(plan, entry, "to_port", NULL, "#22");
		(void)test_attr(plan, entry, "type", NULL, "ingress");
		test_assess(plan);
		if (plan->finding_count != (cases[i].title != NULL) ||
		    (cases[i].title && !tn_str_is(plan->findings[0].title, cases[i].title)))
			fail_msg("case %zu", i);
		test_plan_free(plan);
	}
}

/* The ways in and the ways out of one rule are not joined. */
static void test_directions(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_CREATE, "azurerm_firewall_rule.a");

	(void)state;
	(void)test_attr(plan, entry, "destination_addresses[0]", NULL, "0.0.0.0/2");
	(void)test_attr(plan, entry, "destination_ports[0]", NULL, "22");
	(void)test_attr(plan, entry, "source_addresses[0]", NULL, "64.0.0.0/2");
	test_assess(plan);
	assert_int_equal(plan->finding_count, 0);
	test_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),        cmocka_unit_test(test_holds),
		cmocka_unit_test(test_half_is_told), cmocka_unit_test(test_joined),
		cmocka_unit_test(test_directions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
