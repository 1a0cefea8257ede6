#include "apps/plan/read/access_names.h"

#include "base/size.h"

#define NAME(text)                     \
	{                              \
		text, sizeof(text) - 1 \
	}

static const struct tn_str address_names[] = {
	NAME("allowed_cidr_blocks"),
	NAME("allowed_cidrs"),
	NAME("allowed_ip_ranges"),
	NAME("allowed_ips"),
	NAME("authorized_networks"),
	NAME("cidr_block"),
	NAME("cidr_blocks"),
	NAME("cidr_ip"),
	NAME("cidr_ipv4"),
	NAME("cidr_ipv6"),
	NAME("destination_addresses"),
	NAME("destination_ips"),
	NAME("destination_ranges"),
	NAME("ip_range"),
	NAME("ipv6_cidr_block"),
	NAME("ipv6_cidr_blocks"),
	NAME("ipv6_cidr_ip"),
	NAME("public_access_cidrs"),
	NAME("remote_ip_prefix"),
	NAME("source_address_prefix"),
	NAME("source_address_prefixes"),
	NAME("source_addresses"),
	NAME("source"),
	NAME("source_cidr"),
	NAME("source_cidr_ip"),
	NAME("source_ip_ranges"),
	NAME("source_ips"),
	NAME("source_ranges"),
	NAME("start_ip"),
	NAME("start_ip_address"),
	NAME("value"),
};

static const struct tn_str port_names[] = {
	NAME("port"),
	NAME("ports"),
	NAME("port_range"),
	NAME("destination_port"),
	NAME("destination_port_range"),
	NAME("destination_port_ranges"),
};

static const struct tn_str other_names[] = {
	NAME("from_port"),
	NAME("to_port"),
	NAME("port_range_min"),
	NAME("port_range_max"),
	NAME("min"),
	NAME("max"),
	NAME("protocol"),
	NAME("ip_protocol"),
	NAME("access"),
	NAME("action"),
	NAME("rule_action"),
	NAME("disabled"),
	NAME("type"),
	NAME("egress"),
	NAME("direction"),
	NAME("end_ip"),
	NAME("end_ip_address"),
	NAME("security_groups"),
	NAME("source_security_group_id"),
	NAME("referenced_security_group_id"),
	NAME("self"),
};

static bool is_among(struct tn_str name, const struct tn_str *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (tn_str_equal(name, names[i]))
			return true;
	return false;
}

bool tn_plan_access_is_address(struct tn_str name)
{
	return is_among(name, address_names, TN_COUNT(address_names));
}

bool tn_plan_access_is_port(struct tn_str name)
{
	return is_among(name, port_names, TN_COUNT(port_names));
}

bool tn_plan_access_reads(struct tn_str name)
{
	return tn_plan_access_is_port(name) || is_among(name, other_names, TN_COUNT(other_names)) ||
	       tn_plan_access_is_address(name);
}
