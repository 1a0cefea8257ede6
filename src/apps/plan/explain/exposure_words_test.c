/* What everybody may reach before and after, in words: ports, and what opens, closes and stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/explain/exposure.h"
#include "apps/plan/explain/explain.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

/* One rule of a set on each side; NULL: it is not there. */
struct rule {
	const char *before, *after; /* "0.0.0.0/0"; of IPv6 where it has a colon */
	const char *port;
};

/* The paths live in the plan's arena. */
static const char *path_of(struct tn_plan *plan, size_t rule, const char *name, bool six)
{
	char path[64];
	int size =
		snprintf(path, sizeof(path), "ingress[%zu].%s%s", rule, six ? "ipv6_" : "", name);
	const char *copy = tn_arena_copy(&plan->arena, tn_str(path, (size_t)size));

	assert_non_null(copy);
	return copy;
}

static struct tn_plan *set_of(const struct rule *rules, size_t count)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_UPDATE, "aws_security_group.a");

	for (size_t i = 0; i < count && rules[i].port; i++) {
		const struct rule *rule = &rules[i];
		const char *any = rule->before ? rule->before : rule->after;
		static const char *const names[] = {"cidr_blocks[0]", "from_port", "protocol",
						    "to_port"};
		const char *values[] = {any, rule->port, "tcp", rule->port};

		for (size_t j = 0; j < 4; j++)
			(void)test_attr(plan, entry,
					path_of(plan, i, names[j], j == 0 && strchr(any, ':')),
					j == 0 || !rule->before ? rule->before : values[j],
					j == 0 || !rule->after ? rule->after : values[j]);
	}
	return plan;
}

static const struct {
	const char *words; /* NULL: nothing changes for everybody */
	struct rule rules[5];
} cases[] = {
	{"opens SSH (port 22) to the whole internet", {{NULL, "0.0.0.0/0", "#22"}}},
	{"closes SSH (port 22) to the internet", {{"0.0.0.0/0", NULL, "#22"}}},
	{"closes SSH (port 22) to the internet", {{"0.0.0.0/0", "10.0.0.0/8", "#22"}}},
	{NULL, {{"10.0.0.0/8", "10.0.0.0/16", "#22"}}},
	{NULL, {{"0.0.0.0/0", "0.0.0.0/0", "#22"}}},
	{"opens port 8080 to the whole internet, HTTPS (port 443) stays open",
	 {{"0.0.0.0/0", "0.0.0.0/0", "#443"}, {NULL, "0.0.0.0/0", "#8080"}}},
	/* Half of it, and two halves in two rules. */
	{"opens SSH (port 22) to half of the internet", {{NULL, "0.0.0.0/1", "#22"}}},
	{"opens SSH (port 22) to the whole internet",
	 {{NULL, "0.0.0.0/1", "#22"}, {NULL, "128.0.0.0/1", "#22"}}},
	{"leaves SSH (port 22) open to half of the internet", {{"0.0.0.0/0", "0.0.0.0/1", "#22"}}},
	/* The newer addresses are not the whole of it. */
	{"opens SSH (port 22) to every IPv6 address", {{NULL, "::/0", "#22"}}},
	{"opens SSH (port 22) to every IPv6 address, SSH (port 22) stays open",
	 {{"0.0.0.0/0", "0.0.0.0/0", "#22"}, {NULL, "::/0", "#22"}}},
	{"opens SSH (port 22) to the whole internet",
	 {{NULL, "::/0", "#22"}, {NULL, "0.0.0.0/0", "#22"}}},
	{"closes SSH (port 22) to IPv6", {{"::/0", NULL, "#22"}}},
	{"leaves SSH (port 22) open to IPv6 only",
	 {{"0.0.0.0/0", NULL, "#22"}, {"::/0", "::/0", "#22"}}},
	/* One range of ports that stand in several rules. */
	{"opens ports 80 to 82 to the whole internet",
	 {{NULL, "0.0.0.0/0", "#80"}, {NULL, "0.0.0.0/0", "#82"}, {NULL, "0.0.0.0/0", "#81"}}},
	/* Three are shown, and of those what weighs most. */
	{"opens SSH (port 22), port 81 and MySQL (port 3306) and 2 more to the whole internet",
	 {{NULL, "0.0.0.0/0", "#3306"},
	  {NULL, "0.0.0.0/0", "#81"},
	  {NULL, "0.0.0.0/0", "#8080"},
	  {NULL, "0.0.0.0/0", "#9000"},
	  {NULL, "0.0.0.0/0", "#22"}}},
	/* What goes and what comes in one clause. */
	{"opens HTTPS (port 443) to the whole internet, closes HTTP (port 80)",
	 {{"0.0.0.0/0", NULL, "#80"}, {NULL, "0.0.0.0/0", "#443"}}},
	{"closes HTTP (port 80) to the internet, SSH (port 22) stays open",
	 {{"0.0.0.0/0", NULL, "#80"}, {"0.0.0.0/0", "0.0.0.0/0", "#22"}}},
};

static void test_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan *plan = set_of(cases[i].rules, 5);
		struct tn_buf out = test_buf();

		if (tn_plan_put_exposure(&out, &plan->changes[0]) != (cases[i].words != NULL) ||
		    strcmp(test_text(&out), cases[i].words ? cases[i].words : "") != 0)
			fail_msg("case %zu: %s", i, test_text(&out));
		tn_buf_finish(&out);
		test_plan_free(plan);
	}
}

static void test_ports(void **state)
{
	static const struct {
		struct tn_plan_ports ranges[3];
		unsigned count;
		const char *words;
	} ports[] = {
		{{{22, 22}}, 1, "SSH (port 22)"},
		{{{20, 25}}, 1, "ports 20 to 25"},
		{{{0, 65535}}, 1, "every port"},
		{{{22, 22}, {8080, 8080}}, 2, "SSH (port 22) and port 8080"},
		{{{1, 2}, {22, 22}, {443, 443}},
		 3,
		 "ports 1 to 2, SSH (port 22) and HTTPS (port 443)"},
		{{{TN_PLAN_NO_PORT, TN_PLAN_NO_PORT}}, 1, ""},
		{{{22, 22}, {443, 443}, {TN_PLAN_NO_PORT, TN_PLAN_NO_PORT}},
		 3,
		 "SSH (port 22) and HTTPS (port 443)"},
		{{{1, 65535}}, 1, "every port"},
		{{{2, 65535}}, 1, "ports 2 to 65535"},
	};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(ports); i++) {
		struct tn_buf out = test_buf();

		tn_plan_put_ports(&out, ports[i].ranges, ports[i].count);
		assert_string_equal(test_text(&out), ports[i].words);
		tn_buf_finish(&out);
	}
}

/* What opens to IPv6 alone says so everywhere. */
static void test_only_newer_addresses(void **state)
{
	static const struct rule rules[] = {{NULL, "::/0", "#22"}};
	struct tn_plan *plan = set_of(rules, 1);
	struct tn_buf out = test_buf();

	(void)state;
	test_assess(plan);
	assert_int_equal(plan->risk, TN_PLAN_RISK_CRITICAL);
	assert_true(tn_str_is(plan->findings[0].title, "Open to every IPv6 address"));
	assert_true(test_contains(plan->findings[0].detail, "Everybody with an IPv6 address"));
	tn_plan_put_paragraph(&out, plan, TN_PLAN_NON_TECHNICAL);
	assert_contains(&out, "Opens SSH (port 22) to every IPv6 address (aws_security_group.a). ");
	assert_lacks(&out, "whole internet");
	tn_buf_finish(&out);
	test_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_ports),
		cmocka_unit_test(test_only_newer_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
