/* exposure.c - may the whole internet come in, and to which ports?
 *
 * What counts is what the rules of an object come to. All that they admit before the change and
 * after it is collected; only ports that open are told, whichever attribute opens them (an address,
 * a port, a protocol, Deny that becomes Allow) and wherever a rule stands in its list. */
#include "apps/plan/explain/exposure.h"

#include "apps/plan/explain/block.h"
#include "apps/plan/explain/path.h"
#include "apps/plan/read/access_names.h"
#include "base/mem.h"
#include "base/size.h"

struct scope {
	const struct tn_plan_entry *entry;
	enum tn_plan_class class;
};

/* ---- addresses ---- */

/* start 0.0.0.0, end 0.0.0.0 is how one cloud spells "its own services"; anything wider is open. */
static bool is_open_range(const struct tn_plan_block *rule, enum tn_plan_side side,
			  struct tn_str start, struct tn_str name)
{
	const struct tn_plan_attribute *end;
	struct tn_str text;

	if (!tn_str_is(start, "0.0.0.0"))
		return false;
	end = tn_plan_block_get(rule, tn_str_is(name, "start_ip") ? "end_ip" : "end_ip_address");
	return !end || !tn_plan_side_text(end, side, &text) || !tn_str_is(text, "0.0.0.0");
}

/* cidr_block is the range of a network everywhere but in access lists; value only in the list of
 * networks that may come. */
static bool is_address(const struct scope *scope, struct tn_plan_path path)
{
	bool in_list = tn_plan_path_has_name(path.owner, TN_STR("authorized_networks")) ||
		       tn_plan_path_has_name(path.owner, TN_STR("cidr_blocks"));

	if (tn_str_is(path.name, "value"))
		return in_list;
	if (tn_str_is(path.name, "source")) /* many objects have one; rules of two clouds, too */
		return tn_plan_path_has_name(path.owner, TN_STR("ingress_security_rules")) ||
		       tn_str_find(scope->entry->type, TN_STR("security_rule")) != TN_STR_NONE ||
		       tn_str_find(scope->entry->type, TN_STR("firewall")) != TN_STR_NONE;
	if (tn_str_is(path.name, "cidr_block") || tn_str_is(path.name, "ipv6_cidr_block"))
		return in_list || scope->class == TN_PLAN_ACCESS;
	return true;
}

/* ---- rules ---- */

static bool is_outbound(const struct scope *scope, const struct tn_plan_block *rule,
			enum tn_plan_side side, struct tn_str name)
{
	return tn_str_starts(name, TN_STR("destination_")) ||
	       tn_str_is(scope->entry->type, "aws_vpc_security_group_egress_rule") ||
	       tn_plan_path_has_name(rule->owner, TN_STR("egress")) ||
	       tn_plan_path_has_name(rule->owner, TN_STR("outbound_rule")) ||
	       tn_plan_block_says(rule, side, "type", "egress") ||
	       tn_plan_block_says(rule, side, "egress", "true") ||
	       tn_plan_block_says(rule, side, "direction", "egress") ||
	       tn_plan_block_says(rule, side, "direction", "outbound") ||
	       tn_plan_block_says(rule, side, "direction", "out");
}

/* A firewall of denials has "deny" blocks where others have "allow". */
static bool has_deny_block(const struct tn_plan_block *rule, enum tn_plan_side side)
{
	struct tn_str text;

	for (const struct tn_plan_attribute *at = rule->first; at < rule->end; at++)
		if (tn_str_is(tn_plan_path_root(at->path), "deny") &&
		    tn_plan_side_text(at, side, &text))
			return true;
	return false;
}

static bool denies(const struct tn_plan_block *rule, enum tn_plan_side side)
{
	return tn_plan_block_says(rule, side, "access", "deny") ||
	       tn_plan_block_says(rule, side, "action", "deny") ||
	       tn_plan_block_says(rule, side, "action", "block") ||
	       tn_plan_block_says(rule, side, "rule_action", "deny") || has_deny_block(rule, side);
}

static bool is_off(const struct tn_plan_block *rule, enum tn_plan_side side)
{
	return denies(rule, side) || tn_plan_block_says(rule, side, "disabled", "true");
}

/* ---- what is admitted ---- */

enum protocol { TCP = 1, UDP = 2, OTHER = 4, EVERY = 7 };

/* Ports behind which there is administration or data. */
static const uint32_t precious_ports[] = {22,    3389, 3306, 5432, 1433,
					  27017, 6379, 9200, 2375, 5900};

/* One address of one rule, on one side. */
struct reading {
	const struct scope *scope;
	struct tn_plan_admitted *admitted;
	struct tn_plan_opening
		*verdict; /* NULL on the side before: what is admitted is only noted */
	enum tn_plan_side side;
	unsigned parts; /* of the internet */
	bool out;
	bool any_ports;
};

static bool is_in(const uint64_t *ports, uint32_t port)
{
	return ports[port / 64] >> (port % 64) & 1;
}

static void note(uint64_t *ports, uint32_t low, uint32_t high)
{
	for (uint32_t port = low; port <= high;) {
		if (port % 64 == 0 && high - port >= 63) {
			ports[port / 64] = UINT64_MAX;
			port += 64;
		} else {
			ports[port / 64] |= (uint64_t)1 << (port % 64);
			port++;
		}
	}
}

static bool holds_all(const uint64_t *ports, uint32_t low, uint32_t high)
{
	for (uint32_t port = low; port <= high;) {
		if (port % 64 == 0 && high - port >= 63 && ports[port / 64] == UINT64_MAX)
			port += 64;
		else if (is_in(ports, port))
			port++;
		else
			return false;
	}
	return true;
}

bool tn_plan_is_precious(struct tn_plan_ports range)
{
	for (size_t i = 0; i < TN_COUNT(precious_ports); i++)
		if (range.low <= precious_ports[i] && precious_ports[i] <= range.high)
			return true;
	return false;
}

/* Where there is no room any more, what weighs less makes some. */
static void add_last(struct tn_plan_opening *verdict, struct tn_plan_ports range)
{
	verdict->more = true;
	if (!tn_plan_is_precious(range))
		return;
	for (unsigned i = 0; i < TN_PLAN_RANGES_MAX; i++)
		if (!tn_plan_is_precious(verdict->ranges[i])) {
			verdict->ranges[i] = range;
			return;
		}
}

/* What another range holds, of this protocol or the next, is told once. */
static void add_opened(struct tn_plan_opening *verdict, uint32_t low, uint32_t high)
{
	for (unsigned i = 0; i < verdict->range_count;) {
		struct tn_plan_ports *range = &verdict->ranges[i];

		if (range->low <= low && high <= range->high)
			return;
		if (low <= range->low && range->high <= high)
			*range = verdict->ranges[--verdict->range_count];
		else
			i++;
	}
	if (verdict->range_count < TN_PLAN_RANGES_MAX)
		verdict->ranges[verdict->range_count++] = (struct tn_plan_ports){low, high};
	else
		add_last(verdict, (struct tn_plan_ports){low, high});
}

static void judge(struct tn_plan_opening *verdict, const uint64_t *before, uint32_t low,
		  uint32_t high)
{
	if (before && holds_all(before, low, high))
		return;
	verdict->all = verdict->all || (low <= 1 && high >= TN_PLAN_PORT_LAST);
	add_opened(verdict, low, high);
	for (size_t i = 0; i < TN_COUNT(precious_ports); i++)
		if (low <= precious_ports[i] && precious_ports[i] <= high &&
		    !(before && is_in(before, precious_ports[i])))
			verdict->precious = true;
}

static void add_range(struct reading *r, uint8_t protocols, uint64_t low, uint64_t high)
{
	r->any_ports = true;
	if (high > TN_PLAN_NO_PORT)
		high = TN_PLAN_NO_PORT;
	for (unsigned i = 0; i < 3 * TN_PLAN_PARTS && low <= high; i++) {
		unsigned part = i / 3, protocol = i % 3;
		uint64_t *before = r->admitted ? r->admitted->ports[r->out][part][protocol] : NULL;

		if (!(protocols & 1U << protocol) || !(r->parts & 1U << part))
			continue;
		if (r->verdict)
			judge(r->verdict, before, (uint32_t)low, (uint32_t)high);
		else
			note(before, (uint32_t)low, (uint32_t)high);
	}
}

static bool is_every_protocol(struct tn_str text)
{
	return tn_str_is(text, "-1") || tn_str_is(text, "*") ||
	       tn_str_equal_nocase(text, TN_STR("all")) || tn_str_equal_nocase(text, TN_STR("any"));
}

static uint8_t protocols_named(struct tn_str text)
{
	if (is_every_protocol(text))
		return EVERY;
	if (tn_str_equal_nocase(text, TN_STR("tcp")) || tn_str_is(text, "6"))
		return TCP;
	if (tn_str_equal_nocase(text, TN_STR("udp")) || tn_str_is(text, "17"))
		return UDP;
	return OTHER;
}

/* The protocol of the block in which a port stands; every one where none is named. */
static uint8_t protocols_of(const struct reading *r, const struct tn_plan_block *block)
{
	static const char *const names[] = {"protocol", "ip_protocol"};
	struct tn_str text;

	for (size_t i = 0; i < TN_COUNT(names); i++) {
		const struct tn_plan_attribute *named = tn_plan_block_get(block, names[i]);

		if (named && tn_plan_side_text(named, r->side, &text))
			return protocols_named(text);
	}
	return EVERY;
}

/* "22", "8000-9000", "all", "*". */
static void add_port_text(struct reading *r, uint8_t protocols, struct tn_str text)
{
	size_t slash = tn_str_find_byte(text, '/'); /* "22/22" of one cloud */
	size_t dash = slash == TN_STR_NONE ? tn_str_find_byte(text, '-') : slash;
	struct tn_str first = tn_str(text.data, dash == TN_STR_NONE ? text.size : dash);
	struct tn_str last = dash == TN_STR_NONE ? first : tn_str_from_offset(text, dash + 1);
	uint64_t low, high;

	if (tn_str_is(text, "*") || tn_str_is(text, "-1/-1") ||
	    tn_str_equal_nocase(text, TN_STR("all")) || tn_str_equal_nocase(text, TN_STR("any")))
		add_range(r, protocols, 0, TN_PLAN_PORT_LAST);
	else if (tn_str_to_uint(tn_str_trim(first), &low) &&
		 tn_str_to_uint(tn_str_trim(last), &high))
		add_range(r, protocols, low, high);
}

/* The pair's lower end is at hand; its upper end stands in the same block. AWS has -1 or 0 for the
 * ports of a rule for every protocol: there the protocol decides. */
static void add_pair(struct reading *r, const struct tn_plan_block *block, struct tn_str low,
		     const char *upper)
{
	const struct tn_plan_attribute *attribute = tn_plan_block_get(block, upper);
	struct tn_str high = low;
	uint64_t from, to;

	if (attribute)
		(void)tn_plan_side_text(attribute, r->side, &high); /* else it stays one port */
	if (tn_str_to_uint(low, &from) && tn_str_to_uint(high, &to))
		add_range(r, protocols_of(r, block), from, to);
}

/* A rule that names a protocol and no port lets all its ports through, where ports are a list of
 * their own (allow { protocol = "tcp" }). */
static bool has_ports(const struct tn_plan_block *block, enum tn_plan_side side)
{
	struct tn_str text;

	for (const struct tn_plan_attribute *at = block->first; at < block->end; at++) {
		struct tn_plan_path path = tn_plan_path_split(at->path);

		if (tn_str_equal(path.owner, block->owner) && tn_str_is(path.name, "ports") &&
		    tn_plan_side_text(at, side, &text))
			return true;
	}
	return false;
}

static bool is_without_ports(struct tn_str text)
{
	return text.size >= 4 && tn_str_equal_nocase(tn_str(text.data, 4), TN_STR("icmp"));
}

static void add_protocol(struct reading *r, const struct tn_plan_block *block, struct tn_str text)
{
	bool whole = tn_str_is(tn_plan_path_root(block->owner), "allow") &&
		     !has_ports(block, r->side) && !is_without_ports(text);

	/* Azure's "*" says nothing about ports: those stand beside it. */
	if (is_every_protocol(text) && !tn_str_is(text, "*"))
		add_range(r, EVERY, 0, TN_PLAN_PORT_LAST);
	else if (whole)
		add_range(r, protocols_named(text), 0, TN_PLAN_PORT_LAST);
}

/* tcp_options { min, max }, and { destination_port_range { min, max } } in it. */
static bool is_port_block(struct tn_str owner)
{
	if (tn_plan_path_has_name(owner, TN_STR("source_port_range")))
		return false;
	return tn_plan_path_has_name(owner, TN_STR("tcp_options")) ||
	       tn_plan_path_has_name(owner, TN_STR("udp_options"));
}

static void add_attribute(struct reading *r, const struct tn_plan_attribute *attribute)
{
	struct tn_plan_path path = tn_plan_path_split(attribute->path);
	struct tn_plan_block block;
	struct tn_str text;

	if (!tn_plan_side_text(attribute, r->side, &text))
		return;
	block = tn_plan_block_around(r->scope->entry, attribute, path.owner);
	if (tn_plan_access_is_port(path.name))
		add_port_text(r, protocols_of(r, &block), text);
	else if (tn_str_is(path.name, "from_port"))
		add_pair(r, &block, text, "to_port");
	else if (tn_str_is(path.name, "min") && is_port_block(path.owner))
		add_pair(r, &block, text, "max");
	else if (tn_str_is(path.name, "port_range_min"))
		add_pair(r, &block, text, "port_range_max");
	else if (tn_str_is(path.name, "protocol") || tn_str_is(path.name, "ip_protocol"))
		add_protocol(r, &block, text);
}

/* ---- rule by rule ---- */

/* The parts of the internet that may come, by this address and those of the rule before it; 0:
 * none. */
static unsigned parts_let_in(struct tn_plan_joined *joined, const struct tn_plan_block *rule,
			     const struct tn_plan_attribute *address, struct tn_str name,
			     enum tn_plan_side side)
{
	struct tn_str text;

	if (!tn_plan_side_text(address, side, &text) || is_off(rule, side))
		return 0;
	if (tn_str_is(name, "start_ip_address") || tn_str_is(name, "start_ip"))
		return is_open_range(rule, side, text, name) ? TN_PLAN_LOW_HALF | TN_PLAN_HIGH_HALF
							     : 0;
	return tn_plan_join(joined, text);
}

/* Every port named in the rule and in the blocks inside it. */
static void read_rule(struct reading *reading, const struct tn_plan_block *rule)
{
	for (const struct tn_plan_attribute *at = rule->first; at < rule->end; at++)
		add_attribute(reading, at);
	if (!reading->any_ports)
		add_range(reading, EVERY, TN_PLAN_NO_PORT, TN_PLAN_NO_PORT);
}

/* The address, or, where it stays as it is, what opens it. */
static const struct tn_plan_attribute *evidence_of(const struct tn_plan_block *rule,
						   const struct tn_plan_attribute *address)
{
	if (address->change != TN_PLAN_ATTR_UNCHANGED)
		return address;
	for (const struct tn_plan_attribute *at = rule->first; at < rule->end; at++)
		if (at->change != TN_PLAN_ATTR_UNCHANGED && at->change != TN_PLAN_ATTR_REMOVE &&
		    tn_plan_access_reads(tn_plan_path_split(at->path).name))
			return at;
	return address;
}

/* The addresses of a rule stand together. One that is open, or makes those before it open, says all
 * that the rule admits, for its family of addresses; more of them say it again. */
struct pass {
	struct scope scope;
	struct tn_plan_admitted *admitted;
	tn_plan_opening_fn *tell; /* NULL: what is admitted is only noted */
	void *context;
	enum tn_plan_side side;
	struct tn_plan_admitted *after;  /* made where there is a half, to put it together */
	bool failed;                     /* no memory for that */
	struct tn_str owner;             /* of the rule looked at last */
	struct tn_plan_joined joined[2]; /* what may come to it, and where it may go */
	unsigned seen;                   /* parts of the internet that it lets in */
	bool told;
};

static void begin_rule(struct pass *pass, struct tn_str owner)
{
	if (pass->owner.data && tn_str_equal(pass->owner, owner))
		return;
	pass->owner = owner;
	pass->joined[0].count = 0;
	pass->joined[1].count = 0;
	pass->seen = 0;
	pass->told = false;
}

/* The other half of the internet comes to one of these ports, too. */
static bool is_whole(const struct tn_plan_admitted *after, bool out, struct tn_plan_ports range)
{
	for (uint32_t port = range.low; port <= range.high; port++)
		for (unsigned protocol = 0; protocol < 3; protocol++)
			if (is_in(after->ports[out][0][protocol], port) &&
			    is_in(after->ports[out][1][protocol], port))
				return true;
	return false;
}

/* It opens to those of the rule alone, and does not make them everybody. */
static bool is_a_part(struct pass *pass, const struct reading *reading,
		      const struct tn_plan_opening *opening)
{
	if (opening->more)
		return false;
	if (!pass->after) {
		pass->after = tn_mem_alloc(sizeof(*pass->after));
		if (!pass->after) {
			pass->failed = true;
			return false;
		}
		tn_plan_find_admitted(pass->scope.entry, TN_PLAN_AFTER, pass->after);
	}
	for (unsigned i = 0; i < opening->range_count; i++)
		if (is_whole(pass->after, reading->out, opening->ranges[i]) &&
		    !is_whole(pass->admitted, reading->out, opening->ranges[i]))
			return false;
	return true;
}

static enum tn_plan_crowd crowd_of(struct pass *pass, const struct reading *reading,
				   const struct tn_plan_opening *opening)
{
	switch (reading->parts) {
	case TN_PLAN_LOW_HALF:
		return is_a_part(pass, reading, opening) ? TN_PLAN_LOW_CROWD : TN_PLAN_EVERYBODY;
	case TN_PLAN_HIGH_HALF:
		return is_a_part(pass, reading, opening) ? TN_PLAN_HIGH_CROWD : TN_PLAN_EVERYBODY;
	case TN_PLAN_SIX:
		return is_a_part(pass, reading, opening) ? TN_PLAN_SIX_CROWD : TN_PLAN_EVERYBODY;
	default:
		return TN_PLAN_EVERYBODY;
	}
}

static void look_at(struct pass *pass, const struct tn_plan_attribute *address,
		    struct tn_plan_path path)
{
	struct tn_plan_block rule = tn_plan_block_around(pass->scope.entry, address, path.owner);
	struct tn_plan_opening opening = {.range_count = 0};
	struct reading reading = {
		.scope = &pass->scope, .admitted = pass->admitted, .side = pass->side};
	struct tn_plan_joined *joined;

	begin_rule(pass, path.owner);
	joined = &pass->joined[tn_str_starts(path.name, TN_STR("destination_"))];
	reading.parts = parts_let_in(joined, &rule, address, path.name, pass->side);
	if ((reading.parts & ~pass->seen) == 0)
		return;
	pass->seen |= reading.parts;
	reading.out = is_outbound(&pass->scope, &rule, pass->side, path.name);
	reading.verdict = pass->tell ? &opening : NULL;
	read_rule(&reading, &rule);
	if (opening.range_count == 0 || pass->told)
		return;
	pass->told = true;
	opening.out = reading.out;
	opening.evidence = evidence_of(&rule, address);
	opening.crowd = crowd_of(pass, &reading, &opening);
	pass->tell(pass->context, &opening);
}

static bool is_rule_address(const struct scope *scope, const struct tn_plan_attribute *attribute,
			    struct tn_plan_path path)
{
	return tn_plan_access_is_address(path.name) && !tn_plan_path_is_remark(attribute->path) &&
	       is_address(scope, path);
}

bool tn_plan_is_rule_address(const struct tn_plan_entry *entry,
			     const struct tn_plan_attribute *attribute)
{
	struct scope scope = {entry, tn_plan_type_class(entry->type)};

	return is_rule_address(&scope, attribute, tn_plan_path_split(attribute->path));
}

static void look_at_all(struct pass *pass)
{
	const struct tn_plan_attributes *attributes = &pass->scope.entry->attributes;

	for (uint32_t i = 0; i < attributes->count; i++) {
		const struct tn_plan_attribute *attribute = &attributes->items[i];
		struct tn_plan_path path = tn_plan_path_split(attribute->path);

		if (is_rule_address(&pass->scope, attribute, path))
			look_at(pass, attribute, path);
	}
}

bool tn_plan_find_openings(const struct tn_plan_entry *entry, tn_plan_opening_fn *tell,
			   void *context)
{
	struct tn_plan_admitted *before = tn_mem_alloc(sizeof(*before));
	struct pass pass = {.scope = {entry, tn_plan_type_class(entry->type)},
			    .admitted = before,
			    .side = TN_PLAN_BEFORE};

	if (!before)
		return false;
	look_at_all(&pass);
	pass.side = TN_PLAN_AFTER;
	pass.owner = tn_str(NULL, 0);
	pass.tell = tell;
	pass.context = context;
	look_at_all(&pass);
	tn_mem_free(pass.after);
	tn_mem_free(before);
	return !pass.failed;
}

void tn_plan_find_admitted(const struct tn_plan_entry *entry, enum tn_plan_side side,
			   struct tn_plan_admitted *ret)
{
	struct pass pass = {
		.scope = {entry, tn_plan_type_class(entry->type)}, .admitted = ret, .side = side};

	memset(ret, 0, sizeof(*ret));
	look_at_all(&pass);
}

void tn_plan_rule_read(const struct tn_plan_entry *entry, const struct tn_plan_block *rule,
		       enum tn_plan_side side, struct tn_plan_rule_facts *ret)
{
	struct scope scope = {entry, tn_plan_type_class(entry->type)};
	struct reading reading = {.scope = &scope, .side = side, .parts = TN_PLAN_LOW_HALF};

	*ret = (struct tn_plan_rule_facts){.denies = denies(rule, side)};
	ret->disabled = tn_plan_block_says(rule, side, "disabled", "true");
	reading.verdict = &ret->ports;
	read_rule(&reading, rule);
	ret->ports.out = is_outbound(&scope, rule, side, tn_str("", 0));
}
