/* risk_access.c - RISK-ACCESS-OPEN: may the whole internet come in, and to which ports? */
#include "apps/plan/risk_rules.h"
#include "base/size.h"

/* Values that stand for everybody. */
static const char *const everybody[] = {"0.0.0.0/0", "::/0", "*", "Internet", "Any"};

/* Ports behind which there is administration or data. */
static const uint64_t precious_ports[] = {22,    3389, 3306, 5432, 1433,
					  27017, 6379, 9200, 2375, 5900};

static bool is_everybody(struct tn_str text)
{
	for (size_t i = 0; i < TN_COUNT(everybody); i++)
		if (tn_str_equal_nocase(text, tn_str_from(everybody[i])))
			return true;
	return false;
}

/* start 0.0.0.0, end 0.0.0.0 is how one cloud spells "its own services"; anything wider is open. */
static bool is_open_range(const struct tn_plan_block *rule, struct tn_str start, struct tn_str name)
{
	const struct tn_plan_attribute *end;
	struct tn_str text;

	if (!tn_str_is(start, "0.0.0.0"))
		return false;
	end = tn_plan_block_get(rule, tn_str_is(name, "start_ip") ? "end_ip" : "end_ip_address");
	return !end || !tn_plan_risk_after(end, &text) || !tn_str_is(text, "0.0.0.0");
}

static bool lets_everybody(const struct tn_plan_block *rule,
			   const struct tn_plan_attribute *attribute, struct tn_str name)
{
	struct tn_str text;

	if (!tn_plan_risk_after(attribute, &text))
		return false;
	if (tn_str_is(name, "start_ip_address") || tn_str_is(name, "start_ip"))
		return is_open_range(rule, text, name);
	return is_everybody(text);
}

/* ---- ports ---- */

struct port_set {
	bool all, precious;
};

static void add_range(struct port_set *ports, uint64_t low, uint64_t high)
{
	ports->all = ports->all || (low <= 1 && high >= 65535);
	for (size_t i = 0; i < TN_COUNT(precious_ports); i++)
		if (low <= precious_ports[i] && precious_ports[i] <= high)
			ports->precious = true;
}

/* "22", "8000-9000", "all", "*". */
static void add_port_text(struct port_set *ports, struct tn_str text)
{
	size_t dash = tn_str_find_byte(text, '-');
	struct tn_str first = tn_str(text.data, dash == TN_STR_NONE ? text.size : dash);
	struct tn_str last = dash == TN_STR_NONE ? first : tn_str_from_offset(text, dash + 1);
	uint64_t low, high;

	if (tn_str_is(text, "*") || tn_str_equal_nocase(text, TN_STR("all")) ||
	    tn_str_equal_nocase(text, TN_STR("any")))
		add_range(ports, 0, 65535);
	else if (tn_str_to_uint(tn_str_trim(first), &low) &&
		 tn_str_to_uint(tn_str_trim(last), &high))
		add_range(ports, low, high);
}

static bool is_every_protocol(struct tn_str text)
{
	return tn_str_is(text, "-1") || tn_str_is(text, "*") ||
	       tn_str_equal_nocase(text, TN_STR("all")) || tn_str_equal_nocase(text, TN_STR("any"));
}

static bool is_without_ports(struct tn_str text)
{
	return text.size >= 4 && tn_str_equal_nocase(tn_str(text.data, 4), TN_STR("icmp"));
}

/* The pair's lower end is at hand; its upper end stands in the same block. */
static void add_pair(struct port_set *ports, const struct tn_plan_block *block, struct tn_str low,
		     const char *upper)
{
	const struct tn_plan_attribute *attribute = tn_plan_block_get(block, upper);
	struct tn_str high = low;
	uint64_t from, to;

	if (attribute)
		(void)tn_plan_risk_after(attribute, &high); /* else it stays one port */
	if (tn_str_to_uint(low, &from) && tn_str_to_uint(high, &to))
		add_range(ports, from, to);
}

/* A rule that names a protocol and no port lets all its ports through, where ports are a list of
 * their own (allow { protocol = "tcp" }). */
static bool has_ports(const struct tn_plan_block *block)
{
	for (const struct tn_plan_attribute *at = block->first; at < block->end; at++) {
		struct tn_plan_path path = tn_plan_path_split(at->path);

		if (tn_str_equal(path.owner, block->owner) && tn_str_is(path.name, "ports"))
			return true;
	}
	return false;
}

static void add_protocol(struct port_set *ports, const struct tn_plan_block *block,
			 struct tn_str text)
{
	if (is_every_protocol(text))
		add_range(ports, 0, 65535);
	else if (!is_without_ports(text) && tn_str_is(tn_plan_path_root(block->owner), "allow") &&
		 !has_ports(block))
		add_range(ports, 0, 65535);
}

static bool is_ports_text(struct tn_str name)
{
	static const char *const names[] = {
		"port",
		"ports",
		"port_range",
		"destination_port",
		"destination_port_range",
		"destination_port_ranges",
	};

	for (size_t i = 0; i < TN_COUNT(names); i++)
		if (tn_str_is(name, names[i]))
			return true;
	return false;
}

static void add_attribute(struct port_set *ports, const struct tn_plan_risks *risks,
			  const struct tn_plan_attribute *attribute)
{
	struct tn_plan_path path = tn_plan_path_split(attribute->path);
	struct tn_plan_block block;
	struct tn_str text;

	if (!tn_plan_risk_after(attribute, &text))
		return;
	if (is_ports_text(path.name)) {
		add_port_text(ports, text);
		return;
	}
	block = tn_plan_risk_block(risks, attribute, path.owner);
	if (tn_str_is(path.name, "from_port"))
		add_pair(ports, &block, text, "to_port");
	else if (tn_str_is(path.name, "port_range_min"))
		add_pair(ports, &block, text, "port_range_max");
	else if (tn_str_is(path.name, "protocol") || tn_str_is(path.name, "ip_protocol"))
		add_protocol(ports, &block, text);
}

/* All ports named in the rule and in the blocks inside it. */
static struct port_set ports_of_rule(const struct tn_plan_risks *risks,
				     const struct tn_plan_block *rule)
{
	struct port_set ports = {false, false};

	for (const struct tn_plan_attribute *at = rule->first; at < rule->end; at++)
		add_attribute(&ports, risks, at);
	return ports;
}

static bool is_ports_attribute(struct tn_str name)
{
	return tn_str_find(name, TN_STR("port")) != TN_STR_NONE ||
	       tn_str_find(name, TN_STR("protocol")) != TN_STR_NONE;
}

/* An address that was open before matters again when the rule's ports change. */
static bool ports_change(const struct tn_plan_block *rule)
{
	for (const struct tn_plan_attribute *at = rule->first; at < rule->end; at++)
		if ((at->change == TN_PLAN_ATTR_ADD || at->change == TN_PLAN_ATTR_UPDATE) &&
		    is_ports_attribute(tn_plan_path_split(at->path).name))
			return true;
	return false;
}

static bool is_outbound(const struct tn_plan_risks *risks, const struct tn_plan_block *rule,
			struct tn_str name)
{
	return tn_str_starts(name, TN_STR("destination_")) ||
	       tn_str_is(risks->entry->type, "aws_vpc_security_group_egress_rule") ||
	       tn_plan_path_has_name(rule->owner, TN_STR("egress")) ||
	       tn_plan_path_has_name(rule->owner, TN_STR("outbound_rule")) ||
	       tn_plan_block_says(rule, "type", "egress") ||
	       tn_plan_block_says(rule, "egress", "true") ||
	       tn_plan_block_says(rule, "direction", "egress") ||
	       tn_plan_block_says(rule, "direction", "outbound") ||
	       tn_plan_block_says(rule, "direction", "out");
}

/* A firewall of denials has "deny" blocks where others have "allow". */
static bool is_denial(const struct tn_plan_block *rule)
{
	if (tn_plan_block_says(rule, "access", "deny") ||
	    tn_plan_block_says(rule, "action", "deny") ||
	    tn_plan_block_says(rule, "action", "block") ||
	    tn_plan_block_says(rule, "rule_action", "deny"))
		return true;
	for (const struct tn_plan_attribute *at = rule->first; at < rule->end; at++)
		if (tn_str_is(tn_plan_path_root(at->path), "deny"))
			return true;
	return false;
}

/* cidr_block is the range of a network everywhere but in access lists; value only in the list of
 * networks that may come. */
static bool is_address(const struct tn_plan_risks *risks, struct tn_plan_path path)
{
	bool in_list = tn_plan_path_has_name(path.owner, TN_STR("authorized_networks")) ||
		       tn_plan_path_has_name(path.owner, TN_STR("cidr_blocks"));

	if (tn_str_is(path.name, "value"))
		return in_list;
	if (tn_str_is(path.name, "cidr_block") || tn_str_is(path.name, "ipv6_cidr_block"))
		return in_list || risks->class == TN_PLAN_ACCESS;
	return true;
}

void tn_plan_risk_address(struct tn_plan_risks *risks, const struct tn_plan_attribute *attribute,
			  struct tn_plan_path path)
{
	struct tn_plan_block rule;
	struct port_set ports;

	if (!is_address(risks, path) ||
	    (risks->opened.data && tn_str_equal(risks->opened, path.owner)))
		return; /* no address, or another one of a rule that is told already */
	rule = tn_plan_risk_block(risks, attribute, path.owner);
	if (!lets_everybody(&rule, attribute, path.name) || is_denial(&rule) ||
	    (attribute->change == TN_PLAN_ATTR_UNCHANGED && !ports_change(&rule)))
		return;
	risks->opened = path.owner;
	if (is_outbound(risks, &rule, path.name)) {
		tn_plan_risk_add(risks, TN_PLAN_RULE_ACCESS_OPEN, TN_PLAN_RISK_LOW,
				 "What is behind this rule may reach any address.", attribute);
		return;
	}
	ports = ports_of_rule(risks, &rule);
	if (ports.all)
		tn_plan_risk_add(risks, TN_PLAN_RULE_ACCESS_OPEN, TN_PLAN_RISK_CRITICAL,
				 "Everybody on the internet may reach every port.", attribute);
	else if (ports.precious)
		tn_plan_risk_add(risks, TN_PLAN_RULE_ACCESS_OPEN, TN_PLAN_RISK_CRITICAL,
				 "Everybody on the internet may reach a port used for "
				 "administration or data.",
				 attribute);
	else
		tn_plan_risk_add(risks, TN_PLAN_RULE_ACCESS_OPEN, TN_PLAN_RISK_HIGH,
				 "Everybody on the internet may come in through this rule.",
				 attribute);
}
