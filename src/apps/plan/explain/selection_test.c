/* Which changes get a sentence, and in which order (plan.md section 10.4). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/explain.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

/* delete, replace, forget, update, create, import, move; inside a group by plan order. */
static void test_order(void **state)
{
	static const enum tn_plan_action reversed[] = {
		TN_PLAN_MOVE, TN_PLAN_IMPORT,  TN_PLAN_CREATE, TN_PLAN_UPDATE, TN_PLAN_FORGET,
		TN_PLAN_READ, TN_PLAN_REPLACE, TN_PLAN_DELETE, TN_PLAN_DELETE};
	static const char *const starts[] = {"Permanently removes the load balancer \"n7\"",
					     "Permanently removes the load balancer \"n8\"",
					     "Removes and rebuilds",
					     "Stops managing",
					     "Changes the",
					     "Creates a ",
					     "Starts managing",
					     "Renames",
					     "1 data source is read while applying."};
	struct tn_plan *plan = test_plan();
	struct tn_buf out = test_buf();
	size_t last = 0;
	char address[32];

	(void)state;
	for (size_t i = 0; i < TN_COUNT(reversed); i++) {
		(void)snprintf(address, sizeof(address), "aws_lb.n%zu", i);
		(void)test_add(plan, reversed[i], address);
	}
	tn_plan_put_paragraph(&out, plan, TN_PLAN_NON_TECHNICAL);
	for (size_t i = 0; i < TN_COUNT(starts); i++) {
		size_t at = tn_str_find(tn_buf_str(&out), tn_str_from(starts[i]));

		assert_int_not_equal(at, TN_STR_NONE);
		assert_true(i == 0 || at > last);
		last = at;
	}
	tn_buf_finish(&out);
	test_plan_free(plan);
}

static struct tn_plan *mixed(uint32_t creates, uint32_t updates, uint32_t deletes,
			     uint32_t replaces)
{
	static const enum tn_plan_action actions[] = {TN_PLAN_CREATE, TN_PLAN_UPDATE,
						      TN_PLAN_DELETE, TN_PLAN_REPLACE};
	const uint32_t counts[] = {creates, updates, deletes, replaces};
	struct tn_plan *plan = test_plan();
	char address[32];

	for (unsigned a = 0; a < 4; a++)
		for (uint32_t i = 0; i < counts[a]; i++) {
			(void)snprintf(address, sizeof(address), "aws_lb.n%u[%u]", a, i);
			(void)test_add(plan, actions[a], address);
		}
	return plan;
}

/* At most 10 sentences; what takes away is never folded while anything else is shown. */
static void test_folding(void **state)
{
	static const struct {
		uint32_t creates, updates, deletes, replaces;
		const char *folded; /* NULL: nothing is */
		size_t told_losses;
	} cases[] = {
		{10, 0, 0, 0, NULL, 0},
		{11, 0, 0, 0, "And 1 more: 1 created.", 0},
		{8, 4, 2, 3, "And 7 more: 7 created.", 5},
		{4, 4, 6, 6, "And 10 more: 4 created, 4 changed, 2 replaced.", 10},
		{1, 2, 12, 3, "And 8 more: 1 created, 2 changed, 2 removed, 3 replaced.", 10},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan *plan = mixed(cases[i].creates, cases[i].updates, cases[i].deletes,
					     cases[i].replaces);
		struct tn_buf out = test_buf();
		struct tn_str text;

		tn_plan_put_paragraph(&out, plan, TN_PLAN_NON_TECHNICAL);
		text = tn_buf_str(&out);
		if (cases[i].folded)
			assert_contains(&out, cases[i].folded);
		else
			assert_lacks(&out, " more");
		assert_int_equal(test_count_of(text, "Permanently removes the") +
					 test_count_of(text, "Removes and rebuilds the"),
				 cases[i].told_losses);
		assert_true(test_count_of(text, " the load balancer") +
				    test_count_of(text, "Creates a load balancer") <=
			    10);
		tn_buf_finish(&out);
		test_plan_free(plan);
	}
}

/* More dangers than one explanation tells: the critical ones are told, whatever stands before. */
static void test_many_dangers(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *last;
	struct tn_buf out = test_buf();
	char address[64];

	(void)state;
	for (unsigned i = 0; i < 400; i++) {
		(void)snprintf(address, sizeof(address), "aws_instance.a[%u]", i);
		(void)test_add(plan, TN_PLAN_DELETE, address);
	}
	last = test_add(plan, TN_PLAN_CREATE, "aws_security_group_rule.worst");
	(void)test_attr(plan, last, "cidr_blocks[0]", NULL, "0.0.0.0/0");
	(void)test_attr(plan, last, "from_port", NULL, "#22");
	(void)test_attr(plan, last, "to_port", NULL, "#22");
	(void)test_attr(plan, last, "type", NULL, "ingress");
	test_assess(plan);
	tn_plan_put_explanation(&out, plan, TN_PLAN_FORM_FULL, TN_PLAN_NON_TECHNICAL);
	assert_contains(&out, "Creates a firewall rule \"worst\"");
	assert_contains(&out, "And 101 more: 101 removed.");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_folding),
		cmocka_unit_test(test_many_dangers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
