/* RISK-ACCESS-OPEN (plan.md section 8): each kind of rule, by the attributes that decide. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/plan/explain/risk.h"
#include "apps/plan/explain/wording_kit.h"
#include "base/size.h"

enum {
	LOW = TN_PLAN_RISK_LOW,
	HIGH = TN_PLAN_RISK_HIGH,
	CRITICAL = TN_PLAN_RISK_CRITICAL,
	ABSENT = -1
};

struct pair {
	const char *path, *before, *after;
};

static const struct {
	int level;
	enum tn_plan_action action;
	const char *address;
	struct pair attributes[6];
} access_cases[] = {
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "aws_security_group.a",
	 {{"ingress[0].cidr_blocks[0]", NULL, "0.0.0.0/0"},
	  {"ingress[0].from_port", NULL, "#22"},
	  {"ingress[0].protocol", NULL, "tcp"},
	  {"ingress[0].to_port", NULL, "#22"}}},
	{HIGH,
	 TN_PLAN_CREATE,
	 "aws_security_group.a",
	 {{"ingress[0].cidr_blocks[0]", NULL, "0.0.0.0/0"},
	  {"ingress[0].from_port", NULL, "#443"},
	  {"ingress[0].to_port", NULL, "#443"}}},
	/* The range holds 3306. */
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "aws_security_group.a",
	 {{"ingress.ipv6_cidr_blocks[0]", NULL, "::/0"},
	  {"ingress.from_port", NULL, "#3000"},
	  {"ingress.to_port", NULL, "#4000"}}},
	/* All protocols. */
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "aws_security_group.a",
	 {{"ingress.cidr_blocks[0]", NULL, "0.0.0.0/0"},
	  {"ingress.from_port", NULL, "#0"},
	  {"ingress.protocol", NULL, "-1"},
	  {"ingress.to_port", NULL, "#0"}}},
	/* Ports of another rule do not count. */
	{HIGH,
	 TN_PLAN_CREATE,
	 "aws_security_group.a",
	 {{"ingress[0].cidr_blocks[0]", NULL, "10.0.0.0/8"},
	  {"ingress[0].from_port", NULL, "#22"},
	  {"ingress[1].cidr_blocks[0]", NULL, "0.0.0.0/0"},
	  {"ingress[1].from_port", NULL, "#443"},
	  {"ingress[1].to_port", NULL, "#443"}}},
	{LOW,
	 TN_PLAN_CREATE,
	 "aws_security_group.a",
	 {{"egress[0].cidr_blocks[0]", NULL, "0.0.0.0/0"},
	  {"egress[0].from_port", NULL, "#0"},
	  {"egress[0].protocol", NULL, "-1"}}},
	{LOW,
	 TN_PLAN_CREATE,
	 "aws_security_group_rule.a",
	 {{"cidr_blocks[0]", NULL, "0.0.0.0/0"}, {"type", NULL, "egress"}}},
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "aws_security_group_rule.a",
	 {{"cidr_blocks[0]", NULL, "0.0.0.0/0"},
	  {"from_port", NULL, "#0"},
	  {"to_port", NULL, "#65535"},
	  {"type", NULL, "ingress"}}},
	{LOW,
	 TN_PLAN_CREATE,
	 "aws_vpc_security_group_egress_rule.a",
	 {{"cidr_ipv4", NULL, "0.0.0.0/0"}}},
	{HIGH,
	 TN_PLAN_CREATE,
	 "aws_vpc_security_group_ingress_rule.a",
	 {{"cidr_ipv4", NULL, "0.0.0.0/0"}, {"from_port", NULL, "#80"}, {"to_port", NULL, "#80"}}},
	/* Narrowed, or never open. */
	{ABSENT,
	 TN_PLAN_UPDATE,
	 "aws_security_group.a",
	 {{"ingress[0].cidr_blocks[0]", "0.0.0.0/0", "10.0.0.0/8"}}},
	{ABSENT,
	 TN_PLAN_UPDATE,
	 "aws_security_group.a",
	 {{"ingress[0].cidr_blocks[0]", "0.0.0.0/0", NULL}}},
	{ABSENT,
	 TN_PLAN_DELETE,
	 "aws_security_group.a",
	 {{"ingress[0].cidr_blocks[0]", "0.0.0.0/0", NULL}}},
	/* It was open before; now other ports are. */
	{CRITICAL,
	 TN_PLAN_UPDATE,
	 "aws_security_group_rule.a",
	 {{"cidr_blocks[0]", "0.0.0.0/0", "0.0.0.0/0"},
	  {"from_port", "#443", "#22"},
	  {"to_port", "#443", "#22"}}},
	{ABSENT,
	 TN_PLAN_UPDATE,
	 "aws_security_group_rule.a",
	 {{"cidr_blocks[0]", "0.0.0.0/0", "0.0.0.0/0"}, {"description", "a", "b"}}},
	/* Never tags or descriptions, nor keys that are spelled like attributes. */
	{ABSENT,
	 TN_PLAN_CREATE,
	 "aws_security_group.a",
	 {{"tags[\"cidr_blocks\"]", NULL, "0.0.0.0/0"},
	  {"tags.cidr_blocks", NULL, "0.0.0.0/0"},
	  {"description", NULL, "0.0.0.0/0"},
	  {"ingress[0].description", NULL, "0.0.0.0/0"},
	  {"labels.source_ranges", NULL, "0.0.0.0/0"}}},
	{ABSENT, TN_PLAN_CREATE, "aws_route.a", {{"destination_cidr_block", NULL, "0.0.0.0/0"}}},
	{ABSENT, TN_PLAN_CREATE, "aws_subnet.a", {{"cidr_block", NULL, "0.0.0.0/0"}}},
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "aws_network_acl_rule.a",
	 {{"cidr_block", NULL, "0.0.0.0/0"},
	  {"protocol", NULL, "-1"},
	  {"rule_action", NULL, "allow"}}},
	{ABSENT,
	 TN_PLAN_CREATE,
	 "aws_network_acl_rule.a",
	 {{"cidr_block", NULL, "0.0.0.0/0"}, {"rule_action", NULL, "deny"}}},
	{LOW,
	 TN_PLAN_CREATE,
	 "aws_network_acl_rule.a",
	 {{"cidr_block", NULL, "0.0.0.0/0"}, {"egress", NULL, "?true"}}},
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "google_compute_firewall.a",
	 {{"allow.ports[0]", NULL, "22"},
	  {"allow.protocol", NULL, "tcp"},
	  {"source_ranges[0]", NULL, "0.0.0.0/0"}}},
	{HIGH,
	 TN_PLAN_CREATE,
	 "google_compute_firewall.a",
	 {{"allow.ports[0]", NULL, "80"},
	  {"allow.protocol", NULL, "tcp"},
	  {"source_ranges[0]", NULL, "0.0.0.0/0"}}},
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "google_compute_firewall.a",
	 {{"allow.protocol", NULL, "tcp"}, {"source_ranges[0]", NULL, "0.0.0.0/0"}}},
	{HIGH,
	 TN_PLAN_CREATE,
	 "google_compute_firewall.a",
	 {{"allow.protocol", NULL, "icmp"}, {"source_ranges[0]", NULL, "0.0.0.0/0"}}},
	{ABSENT,
	 TN_PLAN_CREATE,
	 "google_compute_firewall.a",
	 {{"deny.protocol", NULL, "all"}, {"source_ranges[0]", NULL, "0.0.0.0/0"}}},
	{LOW,
	 TN_PLAN_CREATE,
	 "google_compute_firewall.a",
	 {{"destination_ranges[0]", NULL, "0.0.0.0/0"}, {"direction", NULL, "EGRESS"}}},
	{HIGH,
	 TN_PLAN_CREATE,
	 "azurerm_network_security_rule.a",
	 {{"access", NULL, "Allow"},
	  {"destination_port_range", NULL, "443"},
	  {"direction", NULL, "Inbound"},
	  {"source_address_prefix", NULL, "Internet"}}},
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "azurerm_network_security_rule.a",
	 {{"access", NULL, "Allow"},
	  {"destination_port_range", NULL, "*"},
	  {"direction", NULL, "Inbound"},
	  {"source_address_prefix", NULL, "*"}}},
	{ABSENT,
	 TN_PLAN_CREATE,
	 "azurerm_network_security_rule.a",
	 {{"access", NULL, "Deny"}, {"source_address_prefix", NULL, "*"}}},
	{LOW,
	 TN_PLAN_CREATE,
	 "azurerm_network_security_rule.a",
	 {{"access", NULL, "Allow"},
	  {"direction", NULL, "Outbound"},
	  {"source_address_prefix", NULL, "*"}}},
	{ABSENT,
	 TN_PLAN_CREATE,
	 "azurerm_network_security_rule.a",
	 {{"destination_address_prefix", NULL, "*"},
	  {"source_address_prefix", NULL, "10.0.0.0/8"},
	  {"source_port_range", NULL, "*"}}},
	{HIGH,
	 TN_PLAN_CREATE,
	 "azurerm_mssql_firewall_rule.a",
	 {{"end_ip_address", NULL, "255.255.255.255"}, {"start_ip_address", NULL, "0.0.0.0"}}},
	{ABSENT,
	 TN_PLAN_CREATE,
	 "azurerm_mssql_firewall_rule.a",
	 {{"end_ip_address", NULL, "0.0.0.0"}, {"start_ip_address", NULL, "0.0.0.0"}}},
	{CRITICAL,
	 TN_PLAN_CREATE,
	 "hcloud_firewall.a",
	 {{"rule.direction", NULL, "in"},
	  {"rule.port", NULL, "22"},
	  {"rule.source_ips[0]", NULL, "0.0.0.0/0"},
	  {"rule.source_ips[1]", NULL, "::/0"}}},
	{HIGH,
	 TN_PLAN_UPDATE,
	 "google_sql_database_instance.a",
	 {{"settings.ip_configuration.authorized_networks[0].value", NULL, "0.0.0.0/0"}}},
	{ABSENT, TN_PLAN_UPDATE, "null_resource.a", {{"triggers.value", NULL, "*"}}},
};

static void test_access_open(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(access_cases); i++) {
		struct tn_plan *plan = test_plan();
		struct tn_plan_entry *entry =
			test_add(plan, access_cases[i].action, access_cases[i].address);
		int level;

		for (size_t j = 0; j < 6 && access_cases[i].attributes[j].path; j++)
			(void)test_attr(plan, entry, access_cases[i].attributes[j].path,
					access_cases[i].attributes[j].before,
					access_cases[i].attributes[j].after);
		test_assess(plan);
		level = test_level(plan, "RISK-ACCESS-OPEN", access_cases[i].address);
		if (level != access_cases[i].level)
			fail_msg("case %zu: %s is %d", i, access_cases[i].address, level);
		test_plan_free(plan);
	}
}

/* One finding a rule, with the address as evidence. */
static void test_access_evidence(void **state)
{
	struct tn_plan *plan = test_plan();
	struct tn_plan_entry *entry = test_add(plan, TN_PLAN_CREATE, "hcloud_firewall.a");

	(void)state;
	(void)test_attr(plan, entry, "rule.source_ips[0]", NULL, "0.0.0.0/0");
	(void)test_attr(plan, entry, "rule.source_ips[1]", NULL, "::/0");
	test_assess(plan);
	assert_int_equal(plan->finding_count, 1);
	assert_true(tn_str_is(plan->findings[0].path, "rule.source_ips[0]"));
	assert_true(tn_str_is(plan->findings[0].after.text, "0.0.0.0/0"));
	assert_int_equal(plan->findings[0].before.kind, TN_PLAN_VALUE_NONE);
	test_plan_free(plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_access_open),
		cmocka_unit_test(test_access_evidence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
