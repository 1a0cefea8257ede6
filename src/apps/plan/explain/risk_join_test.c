/* Rules of one group that come to half of the internet, or all of it, together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/explain/explain.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

enum { RULES = 9 };

static const char everybody[] = "Open to everybody";
static const char half[] = "Open to half of the internet";

static const char *const names[RULES] = {
	"aws_security_group_rule.a", "aws_security_group_rule.b", "aws_security_group_rule.c",
	"aws_security_group_rule.d", "aws_security_group_rule.e", "aws_security_group_rule.f",
	"aws_security_group_rule.g", "aws_security_group_rule.h", "aws_security_group_rule.i"};

static struct tn_plan_entry *add_rule(struct tn_plan *plan, size_t index, const char *before,
				      const char *after, const char *port)
{
	struct tn_plan_entry *entry =
		test_add(plan, before ? TN_PLAN_UPDATE : TN_PLAN_CREATE, names[index]);

	(void)test_attr(plan, entry, "cidr_blocks[0]", before, after);
	(void)test_attr(plan, entry, "from_port", before ? port : NULL, port);
	(void)test_attr(plan, entry, "protocol", before ? "tcp" : NULL, "tcp");
	(void)test_attr(plan, entry, "security_group_id", before ? "sg-1" : NULL, "sg-1");
	(void)test_attr(plan, entry, "to_port", before ? port : NULL, port);
	(void)test_attr(plan, entry, "type", before ? "ingress" : NULL, "ingress");
	return entry;
}

static const char *title_of(const struct tn_plan *plan, size_t rule)
{
	for (uint32_t i = 0; i < plan->finding_count; i++)
		if (tn_str_is(plan->changes[plan->findings[i].change].address, names[rule]))
			return tn_str_is(plan->findings[i].title, everybody) ? everybody
			       : tn_str_is(plan->findings[i].title, half)    ? half
									     : "?";
	return NULL;
}

static const struct {
	struct {
		const char *before, *after;
		const char *title; /* NULL: nothing is told of it */
	} rules[RULES];
} cases[] = {
	{{{NULL, "0.0.0.0/2", everybody},
	  {NULL, "64.0.0.0/2", everybody},
	  {NULL, "128.0.0.0/2", everybody},
	  {NULL, "192.0.0.0/2", everybody}}},
	{{{NULL, "128.0.0.0/2", everybody},
	  {NULL, "0.0.0.0/1", everybody},
	  {NULL, "192.0.0.0/2", everybody}}},
	{{{NULL, "0.0.0.0/2", half}, {NULL, "64.0.0.0/2", half}, {NULL, "128.0.0.0/2", NULL}}},
	{{{NULL, "64.0.0.0/2", NULL}, {NULL, "128.0.0.0/2", NULL}}},
	/* What another one holds, and what belongs to nobody, opens nothing. */
	{{{NULL, "0.0.0.0/1", everybody},
	  {NULL, "128.0.0.0/1", everybody},
	  {NULL, "11.0.0.0/8", NULL},
	  {NULL, "10.0.0.0/8", NULL}}},
	{{{NULL, "0.0.0.0/0", everybody}, {NULL, "64.0.0.0/2", NULL}}},
	/* One was there, unchanged or not. */
	{{{"0.0.0.0/1", "0.0.0.0/1", NULL}, {NULL, "128.0.0.0/1", everybody}}},
	{{{"0.0.0.0/1", "10.0.0.0/8", NULL}, {NULL, "128.0.0.0/1", half}}},
	{{{"0.0.0.0/2", "0.0.0.0/2", NULL},
	  {"64.0.0.0/2", "64.0.0.0/2", NULL},
	  {"10.0.0.0/8", "128.0.0.0/1", everybody}}},
	/* They change places. */
	{{{"0.0.0.0/2", "64.0.0.0/2", NULL}, {"64.0.0.0/2", "0.0.0.0/2", NULL}}},
	/* All but what belongs to nobody. */
	{{{NULL, "1.0.0.0/8", everybody},
	  {NULL, "2.0.0.0/7", everybody},
	  {NULL, "4.0.0.0/6", everybody},
	  {NULL, "8.0.0.0/5", everybody},
	  {NULL, "16.0.0.0/4", everybody},
	  {NULL, "32.0.0.0/3", everybody},
	  {NULL, "64.0.0.0/2", everybody},
	  {NULL, "128.0.0.0/2", everybody},
	  {NULL, "192.0.0.0/3", everybody}}},
};

static void test_joined(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan *plan = test_plan();

		for (size_t j = 0; j < RULES && cases[i].rules[j].after; j++)
			(void)add_rule(plan, j, cases[i].rules[j].before, cases[i].rules[j].after,
				       "#22");
		test_assess(plan);
		for (size_t j = 0; j < RULES && cases[i].rules[j].after; j++)
			if (title_of(plan, j) != cases[i].rules[j].title)
				fail_msg("case %zu, rule %zu: %s", i, j, title_of(plan, j));
		test_plan_free(plan);
	}
}

/* Findings stand in the order of the changes, whenever they were found. */
static void test_order(void **state)
{
	static const char *const ranges[] = {"0.0.0.0/2", "64.0.0.0/2", "128.0.0.0/1"};
	struct tn_plan *plan = test_plan();
	struct tn_buf out = test_buf();

	(void)state;
	for (size_t i = 0; i < TN_COUNT(ranges); i++) {
		(void)add_rule(plan, i, NULL, ranges[i], "#22");
		(void)test_add(plan, TN_PLAN_DELETE, "aws_db_instance.db");
	}
	plan->errored = true;
	test_assess(plan);
	assert_int_equal(plan->finding_count, 7); /* the last one is about the plan */
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(plan->findings[i].change, i);
	assert_true(plan->findings[6].change == TN_PLAN_NO_CHANGE);
	tn_plan_put_paragraph(&out, plan, TN_PLAN_NON_TECHNICAL);
	assert_contains(&out,
			"Opens SSH (port 22) to the whole internet (aws_security_group_rule.b). ");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

/* Whoever comes to more ports comes to these, too; not by another protocol. */
static void test_ports(void **state)
{
	static const struct {
		const char *low, *high, *protocol;
		bool joined;
	} others[] = {
		{"#22", "#22", "tcp", true},    {"#20", "#25", "tcp", true},
		{"#0", "#65535", "-1", true},   {"#22", "#22", "udp", false},
		{"#443", "#443", "tcp", false},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(others); i++) {
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry;

		(void)add_rule(plan, 0, NULL, "0.0.0.0/1", "#22");
		entry = test_add(plan, TN_PLAN_CREATE, names[1]);
		(void)test_attr(plan, entry, "cidr_blocks[0]", NULL, "128.0.0.0/1");
		(void)test_attr(plan, entry, "from_port", NULL, others[i].low);
		(void)test_attr(plan, entry, "protocol", NULL, others[i].protocol);
		(void)test_attr(plan, entry, "security_group_id", NULL, "sg-1");
		(void)test_attr(plan, entry, "to_port", NULL, others[i].high);
		(void)test_attr(plan, entry, "type", NULL, "ingress");
		test_assess(plan);
		if ((title_of(plan, 0) == everybody) != others[i].joined)
			fail_msg("case %zu", i);
		test_plan_free(plan);
	}
}

/* Blocks of one group. */
static void test_blocks(void **state)
{
	static const char *const paths[4][2] = {
		{"ingress[0].cidr_blocks[0]", "ingress[0].from_port"},
		{"ingress[1].cidr_blocks[0]", "ingress[1].from_port"},
		{"ingress[2].cidr_blocks[0]", "ingress[2].from_port"},
		{"ingress[3].cidr_blocks[0]", "ingress[3].from_port"}};
	static const char *const quarters[] = {"0.0.0.0/2", "64.0.0.0/2", "128.0.0.0/2",
					       "192.0.0.0/2"};
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_CREATE, "aws_security_group.a");

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		(void)test_attr(plan, entry, paths[i][0], NULL, quarters[i]);
		(void)test_attr(plan, entry, paths[i][1], NULL, "#22");
	}
	test_assess(plan);
	assert_int_equal(test_level(plan, "RISK-ACCESS-OPEN", "aws_security_group.a"),
			 TN_PLAN_RISK_CRITICAL);
	assert_true(tn_str_is(plan->findings[0].title, everybody));
	test_plan_free(plan);
}

/* Halves in rules that are objects of their own come together in their group. */
static void test_halves_of_a_group(void **state)
{
	static const struct {
		const char *group, *other; /* NULL: known after applying */
		const char *port;
		const char *title;
	} groups[] = {
		{"sg-1", "sg-1", "#22", "Open to everybody"},
		{"sg-1", "sg-2", "#22", "Open to half of the internet"},
		{"sg-1", "sg-1", "#3306", "Open to half of the internet"},
		{NULL, NULL, "#22", "Open to half of the internet"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(groups); i++) {
		static const char *const ranges[] = {"0.0.0.0/1", "128.0.0.0/1"};
		struct tn_plan *plan = test_plan();

		for (size_t j = 0; j < 2; j++) {
			const char *group = j ? groups[i].other : groups[i].group;
			const char *port = j ? groups[i].port : "#22";
			struct tn_plan_entry *entry =
				test_add(plan, TN_PLAN_CREATE,
					 j ? "aws_vpc_security_group_ingress_rule.b"
					   : "aws_vpc_security_group_ingress_rule.a");

			(void)test_attr(plan, entry, "cidr_ipv4", NULL, ranges[j]);
			(void)test_attr(plan, entry, "from_port", NULL, port);
			(void)test_attr(plan, entry, "ip_protocol", NULL, "tcp");
			test_attr(plan, entry, "security_group_id", NULL, group)->unknown = !group;
			(void)test_attr(plan, entry, "to_port", NULL, port);
		}
		test_assess(plan);
		assert_int_equal(plan->finding_count, 2);
		for (size_t j = 0; j < 2; j++)
			if (!tn_str_is(plan->findings[j].title, groups[i].title))
				fail_msg("case %zu", i);
		test_plan_free(plan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_joined),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_ports),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_halves_of_a_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
