/* RISK-ACCESS-OPEN on JSON plans with the attributes that providers really give (plan.md section
 * 8): what the rules of an object come to, whichever attribute opens them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "apps/plan/read/reading_kit.h"
#include "apps/plan/explain/risk.h"
#include "base/size.h"

#define LOW TN_PLAN_RISK_LOW
#define HIGH TN_PLAN_RISK_HIGH
#define CRITICAL TN_PLAN_RISK_CRITICAL
#define NONE TN_PLAN_RISK_NONE
#define MEDIUM TN_PLAN_RISK_MEDIUM

/* aws_security_group_rule */
#define SG_RULE(cidr, from, to, protocol, type)                                                   \
	"{\"cidr_blocks\":[\"" cidr "\"],\"description\":null,\"from_port\":" from                \
	",\"id\":\"sgrule-1\",\"ipv6_cidr_blocks\":null,\"prefix_list_ids\":null,"                \
	"\"protocol\":\"" protocol "\",\"security_group_id\":\"sg-1\",\"self\":false,"            \
	"\"source_security_group_id\":null,\"timeouts\":null,\"to_port\":" to ",\"type\":\"" type \
	"\"}"

/* One block of aws_security_group.ingress or .egress. */
#define SG_BLOCK(cidr, from, to, protocol)                                         \
	"{\"cidr_blocks\":[\"" cidr "\"],\"description\":\"\",\"from_port\":" from \
	",\"ipv6_cidr_blocks\":[],\"prefix_list_ids\":[],\"protocol\":\"" protocol \
	"\",\"security_groups\":[],\"self\":false,\"to_port\":" to "}"
#define SG(ingress)                                                                       \
	"{\"arn\":\"arn:aws:ec2:eu-west-1:1:security-group/sg-1\",\"description\":\"x\"," \
	"\"egress\":[" SG_BLOCK("0.0.0.0/0", "0", "0",                                    \
				"-1") "],\"id\":\"sg-1\","                                \
				      "\"ingress\":[" ingress                             \
				      "],\"name\":\"web\",\"tags\":{},\"vpc_id\":\"vpc-1\"}"
#define HTTPS SG_BLOCK("0.0.0.0/0", "443", "443", "tcp")
#define SSH SG_BLOCK("0.0.0.0/0", "22", "22", "tcp")
#define INNER SG_BLOCK("10.0.0.0/8", "22", "22", "tcp")
#define DNS_UDP SG_BLOCK("0.0.0.0/0", "53", "53", "udp")
#define DNS_TCP SG_BLOCK("0.0.0.0/0", "53", "53", "tcp")

/* aws_vpc_security_group_ingress_rule */
#define VPC_RULE(from, to)                                                                         \
	"{\"cidr_ipv4\":\"0.0.0.0/0\",\"cidr_ipv6\":null,\"description\":null,\"from_port\":" from \
	",\"id\":\"sgr-1\",\"ip_protocol\":\"tcp\",\"prefix_list_id\":null,"                       \
	"\"referenced_security_group_id\":null,\"security_group_id\":\"sg-1\",\"to_port\":" to "}"

/* azurerm_network_security_rule */
#define AZURE(access, port, source)                                                                \
	"{\"access\":\"" access "\",\"description\":\"\",\"destination_address_prefix\":\"*\","    \
	"\"destination_address_prefixes\":null,\"destination_port_range\":\"" port                 \
	"\",\"destination_port_ranges\":null,\"direction\":\"Inbound\",\"id\":\"/s/r\","           \
	"\"name\":\"r\",\"priority\":100,\"protocol\":\"Tcp\",\"source_address_prefix\":\"" source \
	"\",\"source_address_prefixes\":null,\"source_port_range\":\"*\"}"

#define AZURE_ANY(port, source)                                                            \
	"{\"access\":\"Allow\",\"destination_port_range\":\"" port                         \
	"\",\"direction\":\"Inbound\",\"name\":\"r\",\"priority\":100,\"protocol\":\"*\"," \
	"\"source_address_prefix\":\"" source "\",\"source_port_range\":\"*\"}"

#define ORACLE(source)                                                                        \
	"{\"display_name\":\"l\",\"ingress_security_rules\":[{\"protocol\":\"6\",\"source\":" \
	"\"" source "\",\"tcp_options\":[{\"max\":22,\"min\":22}]}]}"
#define ALIBABA(source, ports)                                                        \
	"{\"cidr_ip\":\"" source "\",\"ip_protocol\":\"tcp\",\"port_range\":\"" ports \
	"\",\"policy\":\"accept\",\"type\":\"ingress\"}"

/* google_compute_firewall */
#define GCP(disabled, allow, deny)                                                         \
	"{\"allow\":[" allow "],\"deny\":[" deny                                           \
	"],\"description\":\"\",\"destination_ranges\":[],"                                \
	"\"direction\":\"INGRESS\",\"disabled\":" disabled ",\"id\":\"f\",\"name\":\"f\"," \
	"\"network\":\"n\",\"priority\":1000,\"source_ranges\":[\"0.0.0.0/0\"],"           \
	"\"source_tags\":null,\"target_tags\":null}"
#define PORTS(protocol, ports) "{\"ports\":[" ports "],\"protocol\":\"" protocol "\"}"

#define NACL(action, from, to)                                                               \
	"{\"cidr_block\":\"0.0.0.0/0\",\"egress\":false,\"from_port\":" from                 \
	",\"icmp_code\":null,\"icmp_type\":null,\"id\":\"nacl-1\",\"ipv6_cidr_block\":\"\"," \
	"\"network_acl_id\":\"acl-1\",\"protocol\":\"6\",\"rule_action\":\"" action          \
	"\",\"rule_number\":100,\"to_port\":" to "}"

#define UPDATE "\"update\""
#define REPLACE "\"delete\",\"create\""

static const struct {
	const char *name, *type, *actions, *before, *after, *evidence;
	enum tn_plan_risk level;
} cases[] = {
	{"a rule moves from 443 to 22", "aws_security_group_rule", UPDATE,
	 SG_RULE("0.0.0.0/0", "443", "443", "tcp", "ingress"),
	 SG_RULE("0.0.0.0/0", "22", "22", "tcp", "ingress"), "from_port", CRITICAL},
	{"the same as a replacement", "aws_security_group_rule", REPLACE,
	 SG_RULE("0.0.0.0/0", "443", "443", "tcp", "ingress"),
	 SG_RULE("0.0.0.0/0", "22", "22", "tcp", "ingress"), "from_port", CRITICAL},
	{"443 becomes every port", "aws_security_group_rule", UPDATE,
	 SG_RULE("0.0.0.0/0", "443", "443", "tcp", "ingress"),
	 SG_RULE("0.0.0.0/0", "0", "65535", "tcp", "ingress"), "from_port", CRITICAL},
	{"only the upper end moves", "aws_security_group_rule", UPDATE,
	 SG_RULE("0.0.0.0/0", "80", "80", "tcp", "ingress"),
	 SG_RULE("0.0.0.0/0", "80", "9300", "tcp", "ingress"), "to_port", CRITICAL},
	{"tcp becomes every protocol", "aws_security_group_rule", UPDATE,
	 SG_RULE("0.0.0.0/0", "443", "443", "tcp", "ingress"),
	 SG_RULE("0.0.0.0/0", "0", "0", "-1", "ingress"), "from_port", CRITICAL},
	{"egress becomes ingress", "aws_security_group_rule", REPLACE,
	 SG_RULE("0.0.0.0/0", "22", "22", "tcp", "egress"),
	 SG_RULE("0.0.0.0/0", "22", "22", "tcp", "ingress"), "type", CRITICAL},
	{"a range narrows", "aws_security_group_rule", UPDATE,
	 SG_RULE("0.0.0.0/0", "0", "65535", "tcp", "ingress"),
	 SG_RULE("0.0.0.0/0", "22", "22", "tcp", "ingress"), NULL, NONE},
	{"an address opens", "aws_security_group_rule", UPDATE,
	 SG_RULE("10.0.0.0/8", "22", "22", "tcp", "ingress"),
	 SG_RULE("0.0.0.0/0", "22", "22", "tcp", "ingress"), "cidr_blocks[0]", CRITICAL},
	{"half of all addresses is everybody", "aws_security_group_rule", UPDATE,
	 SG_RULE("10.0.0.0/8", "22", "22", "tcp", "ingress"),
	 SG_RULE("128.0.0.0/1", "22", "22", "tcp", "ingress"), "cidr_blocks[0]", CRITICAL},
	{"an inline rule moves", "aws_security_group", UPDATE, SG(HTTPS), SG(SSH),
	 "ingress[0].from_port", CRITICAL},
	{"22 is put before 443", "aws_security_group", UPDATE, SG(HTTPS), SG(SSH "," HTTPS),
	 "ingress[0].from_port", CRITICAL},
	{"22 beside 443 is closed", "aws_security_group", UPDATE, SG(SSH "," HTTPS), SG(HTTPS),
	 NULL, NONE},
	{"rules change places", "aws_security_group", UPDATE, SG(SSH "," HTTPS), SG(HTTPS "," SSH),
	 NULL, NONE},
	{"an inner rule goes before an open one", "aws_security_group", UPDATE, SG(INNER "," HTTPS),
	 SG(HTTPS), NULL, NONE},
	{"two rules become one range", "aws_security_group", UPDATE,
	 SG(SG_BLOCK("0.0.0.0/0", "80", "81", "tcp") "," SG_BLOCK("0.0.0.0/0", "82", "83", "tcp")),
	 SG(SG_BLOCK("0.0.0.0/0", "80", "83", "tcp")), NULL, NONE},
	{"udp is not tcp", "aws_security_group", UPDATE, SG(DNS_TCP), SG(DNS_TCP "," DNS_UDP),
	 "ingress[1].cidr_blocks[0]", HIGH},
	{"a rule of the newer kind moves", "aws_vpc_security_group_ingress_rule", UPDATE,
	 VPC_RULE("443", "443"), VPC_RULE("3389", "3389"), "from_port", CRITICAL},
	{"Azure: the port moves", "azurerm_network_security_rule", UPDATE,
	 AZURE("Allow", "443", "*"), AZURE("Allow", "3389", "*"), "destination_port_range",
	 CRITICAL},
	{"Azure: Deny becomes Allow", "azurerm_network_security_rule", UPDATE,
	 AZURE("Deny", "22", "Internet"), AZURE("Allow", "22", "Internet"), "access", CRITICAL},
	{"Azure: Allow becomes Deny", "azurerm_network_security_rule", UPDATE,
	 AZURE("Allow", "22", "*"), AZURE("Deny", "22", "*"), NULL, NONE},
	{"Azure: every protocol is not every port", "azurerm_network_security_rule", UPDATE,
	 AZURE_ANY("443", "10.0.0.0/8"), AZURE_ANY("443", "*"), "source_address_prefix", HIGH},
	{"Azure: every protocol on a port that matters", "azurerm_network_security_rule", UPDATE,
	 AZURE_ANY("3389", "10.0.0.0/8"), AZURE_ANY("3389", "*"), "source_address_prefix",
	 CRITICAL},
	{"Azure: an inner source", "azurerm_network_security_rule", UPDATE,
	 AZURE("Allow", "443", "10.0.0.0/8"), AZURE("Allow", "22", "10.0.0.0/8"), NULL, NONE},
	{"Google: a port more", "google_compute_firewall", UPDATE,
	 GCP("false", PORTS("tcp", "\"443\""), ""),
	 GCP("false", PORTS("tcp", "\"443\",\"22\""), ""), "allow[0].ports[1]", CRITICAL},
	{"Google: disabled becomes enabled", "google_compute_firewall", UPDATE,
	 GCP("true", PORTS("tcp", "\"22\""), ""), GCP("false", PORTS("tcp", "\"22\""), ""),
	 "disabled", CRITICAL},
	{"Google: a disabled rule moves", "google_compute_firewall", UPDATE,
	 GCP("true", PORTS("tcp", "\"443\""), ""), GCP("true", PORTS("tcp", "\"22\""), ""), NULL,
	 NONE},
	{"Google: tcp becomes all", "google_compute_firewall", UPDATE,
	 GCP("false", PORTS("tcp", "\"443\""), ""), GCP("false", PORTS("all", ""), ""),
	 "allow[0].protocol", CRITICAL},
	{"Google: deny becomes allow", "google_compute_firewall", REPLACE,
	 GCP("false", "", PORTS("tcp", "\"22\"")), GCP("false", PORTS("tcp", "\"22\""), ""),
	 "allow[0].ports[0]", CRITICAL},
	{"Oracle: an inline rule for all", "oci_core_security_list", UPDATE, ORACLE("10.0.0.0/8"),
	 ORACLE("0.0.0.0/0"), "ingress_security_rules[0].source", CRITICAL},
	{"Alibaba: a port for all", "alicloud_security_group_rule", UPDATE,
	 ALIBABA("10.0.0.0/8", "22/22"), ALIBABA("0.0.0.0/0", "22/22"), "cidr_ip", CRITICAL},
	{"Alibaba: a port of the web", "alicloud_security_group_rule", UPDATE,
	 ALIBABA("10.0.0.0/8", "443/443"), ALIBABA("0.0.0.0/0", "443/443"), "cidr_ip", HIGH},
	{"a source that is none of a rule", "aws_dms_replication_task", UPDATE,
	 "{\"source\":\"a\"}", "{\"source\":\"*\"}", NULL, NONE},
	{"an access list: deny becomes allow", "aws_network_acl_rule", REPLACE,
	 NACL("deny", "22", "22"), NACL("allow", "22", "22"), "rule_action", CRITICAL},
	{"an access list: the range widens", "aws_network_acl_rule", REPLACE,
	 NACL("allow", "443", "443"), NACL("allow", "443", "65535"), "to_port", CRITICAL},
};

static const struct tn_plan_finding *find(const struct tn_plan *plan, const char *id)
{
	for (uint32_t i = 0; i < plan->finding_count; i++)
		if (strcmp(plan->findings[i].id, id) == 0)
			return &plan->findings[i];
	return NULL;
}

static struct tn_plan *plan_of(const char *type, const char *actions, const char *before,
			       const char *after)
{
	struct tenon_error err;
	struct tn_plan *plan;
	char text[4000];

	(void)snprintf(text, sizeof(text),
		       "{\"format_version\":\"1.2\",\"resource_changes\":[{\"address\":"
		       "\"%s.a\",\"mode\":\"managed\",\"type\":\"%s\",\"name\":\"a\","
		       "\"change\":{\"actions\":[%s],\"before\":%s,\"after\":%s,"
		       "\"after_unknown\":{},\"before_sensitive\":{},"
		       "\"after_sensitive\":{}}}]}",
		       type, type, actions, before, after);
	plan = test_parse_text(text);
	assert_int_equal(tn_plan_assess_risk(plan, &err), TENON_OK);
	return plan;
}

static void what_opens_is_told(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(cases); i++) {
		struct tn_plan *plan =
			plan_of(cases[i].type, cases[i].actions, cases[i].before, cases[i].after);
		const struct tn_plan_finding *finding = find(plan, "RISK-ACCESS-OPEN");

		if ((finding ? finding->level : NONE) != cases[i].level)
			fail_msg("%s: level %d", cases[i].name, finding ? finding->level : NONE);
		if (finding && !tn_str_is(finding->path, cases[i].evidence))
			fail_msg("%s: evidence %.*s", cases[i].name, (int)finding->path.size,
				 finding->path.data);
		tn_plan_free(plan);
	}
}

static const char in_again[] =
	"It is deleted: what it kept out may come in, where another rule lets it.";
static const char in_now[] = "What it kept out may come in, where another rule lets it.";
static const char stops[] = "It is deleted, and what relies on it stops working.";

/* A rule that denies lets in by going. */
static const struct {
	const char *type, *actions, *before, *after;
	const char *id, *detail; /* NULL: nothing is found */
} denials[] = {
	{"azurerm_network_security_rule", "\"delete\"", AZURE("Deny", "*", "*"), "null",
	 "RISK-DELETE", in_again},
	{"azurerm_network_security_rule", "\"delete\"", AZURE("Allow", "*", "*"), "null",
	 "RISK-DELETE", stops},
	{"aws_network_acl_rule", "\"delete\"", NACL("deny", "22", "22"), "null", "RISK-DELETE",
	 in_again},
	{"google_compute_firewall", "\"delete\"", GCP("false", "", PORTS("tcp", "\"22\"")), "null",
	 "RISK-DELETE", in_again},
	{"google_compute_firewall", "\"delete\"", GCP("true", "", PORTS("tcp", "\"22\"")), "null",
	 "RISK-DELETE", stops},
	/* It denies less, or the same. */
	{"azurerm_network_security_rule", UPDATE, AZURE("Deny", "22", "*"),
	 AZURE("Deny", "22", "10.0.0.0/8"), "RISK-SECURITY-OFF", in_now},
	{"azurerm_network_security_rule", UPDATE, AZURE("Deny", "22", "10.0.0.0/8"),
	 AZURE("Deny", "22", "*"), "RISK-SECURITY-OFF", NULL},
	{"azurerm_network_security_rule", REPLACE, AZURE("Deny", "22", "*"),
	 AZURE("Deny", "*", "*"), "RISK-SECURITY-OFF", NULL},
	/* Who may come in is told as that. */
	{"azurerm_network_security_rule", UPDATE, AZURE("Deny", "22", "*"),
	 AZURE("Allow", "22", "*"), "RISK-SECURITY-OFF", NULL},
};

static void what_kept_others_out_is_told(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(denials); i++) {
		struct tn_plan *plan = plan_of(denials[i].type, denials[i].actions,
					       denials[i].before, denials[i].after);
		const struct tn_plan_finding *finding = find(plan, denials[i].id);

		if (!finding != !denials[i].detail ||
		    (finding && !tn_str_is(finding->detail, denials[i].detail)))
			fail_msg("case %zu: %.*s", i, finding ? (int)finding->detail.size : 0,
				 finding ? finding->detail.data : "");
		tn_plan_free(plan);
	}
}

/* A text leaves out what stays as it is. */
static const struct {
	enum tn_plan_risk level;
	const char *body;
} texts[] = {
	{HIGH, "      ~ access = \"Deny\" -> \"Allow\"\n"},
	{NONE, "      ~ access = \"Allow\" -> \"Deny\"\n"},
	{HIGH, "      ~ destination_port_range = \"443\" -> \"3389\"\n"},
	{MEDIUM, "      ~ destination_port_range = \"443\" -> \"8080\"\n"},
	{NONE, "      ~ destination_port_range = \"0-65535\" -> \"3389\"\n"},
	{NONE, "      ~ description = \"a\" -> \"b\"\n"},
	{NONE, "      ~ priority = 100 -> 200\n"},
	/* Whom it is about is printed. */
	{NONE, "      ~ destination_port_range = \"443\" -> \"3389\"\n"
	       "        source_address_prefix = \"10.0.0.0/8\"\n"},
};

static void what_is_not_printed_is_told(void **state)
{
	(void)state;
	for (size_t i = 0; i < TN_COUNT(texts); i++) {
		struct tenon_error err;
		struct tn_plan *plan;
		char text[2000];

		(void)snprintf(text, sizeof(text),
			       "Terraform will perform the following actions:\n\n"
			       "  # azurerm_network_security_rule.a will be updated in-place\n"
			       "  ~ resource \"azurerm_network_security_rule\" \"a\" {\n%s"
			       "        id = \"r\"\n"
			       "        # (9 unchanged attributes hidden)\n"
			       "    }\n\nPlan: 0 to add, 1 to change, 0 to destroy.\n",
			       texts[i].body);
		plan = test_parse_text(text);
		assert_int_equal(tn_plan_assess_risk(plan, &err), TENON_OK);
		if (plan->risk != texts[i].level)
			fail_msg("text %zu: %d", i, plan->risk);
		tn_plan_free(plan);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_opens_is_told),
		cmocka_unit_test(what_kept_others_out_is_told),
		cmocka_unit_test(what_is_not_printed_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
