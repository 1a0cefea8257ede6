#include <stdlib.h>

#include "apps/studio/check/internal.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

enum { REST_BYTES_MAX = 512, ADVISED_MAX = 20 }; /* who has more of them needs another plan */

/* 6.4. Networks are containers with ranges and none around them, subnets such in such; nothing else
 * of the catalogue is known here. */
struct range {
	const struct tn_studio_node *node, *network; /* network: what it lies in; NULL: nothing */
	const struct tn_studio_property *property;
	struct tn_cidr cidr;
};

struct ranges {
	struct range *items;
	size_t count, room;
	bool starved;
};

static bool has_ranges(const struct tn_studio_property *property)
{
	return property->type == TN_STUDIO_CIDR ||
	       (property->type == TN_STUDIO_ARRAY && property->item_type == TN_STUDIO_CIDR);
}

static const struct tn_studio_property *ranges_of(const struct tn_studio_node *node)
{
	for (size_t i = 0; node->type && i < node->type->property_count; i++) {
		if (has_ranges(&node->type->properties[i]))
			return &node->type->properties[i];
	}
	return NULL;
}

static const struct tn_studio_node *network_of(const struct tn_studio_node *node)
{
	const struct tn_studio_node *parent = tn_studio_real_parent(node);

	return parent && parent->type && parent->type->container && ranges_of(parent) ? parent
										      : NULL;
}

/* ---- one value ---- */

/* The property's value with one range put in the place of another. */
static void fix_range(struct tn_studio_checking *checking, struct tn_studio_diagnostic *one,
		      const struct range *range, const struct tn_cidr *better)
{
	struct tn_studio_scope scope =
		tn_studio_scope_of(checking->document, range->node, checking->arena);
	const struct tn_json *value = tn_studio_value(&scope, range->property);
	char text[TN_CIDR_TEXT_SIZE];
	struct tn_buf rest;

	tn_cidr_format(better, text);
	tn_buf_init(&rest, REST_BYTES_MAX);
	tn_buf_append_text(&rest, "\"properties\":{");
	tn_json_put_key_str(&rest, range->property->key);
	if (tn_json_is(value, TN_JSON_ARRAY)) {
		tn_json_begin_array(&rest);
		for (const struct tn_json *at = value->first; at; at = at->next) {
			struct tn_cidr old;

			if (at->type == TN_JSON_STRING && tn_cidr_parse(at->text, &old) &&
			    tn_cidr_compare(&old, &range->cidr) == 0)
				tn_json_put_text(&rest, text);
			else
				tn_json_put_value(&rest, at);
		}
		tn_json_end_array(&rest);
	} else {
		tn_json_put_text(&rest, text);
	}
	tn_buf_append_byte(&rest, '}');
	if (!rest.failed)
		tn_studio_check_fix(checking, one, "update_resource", range->node,
				    tn_buf_str(&rest));
	tn_buf_finish(&rest);
}

/* True: it can be compared with others. */
static bool check_text(struct tn_studio_checking *checking, struct range *range,
		       const struct tn_json *value, bool tell)
{
	struct tn_studio_diagnostic *one;
	struct tn_cidr masked;
	char text[TN_CIDR_TEXT_SIZE];
	struct tn_str said = {"", 0};

	(void)tn_json_to_str(value, &said);
	if (!tn_json_is(value, TN_JSON_STRING) || !tn_cidr_parse(value->text, &range->cidr)) {
		if (!tell)
			return false;
		one = tn_studio_diagnose(
			checking->list, TN_STUDIO_ERROR, "CIDR_INVALID", range->node,
			"'%.*s', %.*s: '%.*s' is no address range like "
			"10.0.0.0/16.",
			TN_STUDIO_SHOWN(range->node->label),
			TN_STUDIO_SHOWN(range->property->label), TN_STUDIO_SHOWN(said));
		if (one)
			one->property = range->property->key;
		return false;
	}
	if (!tn_cidr_has_host_bits(&range->cidr))
		return true;
	masked = tn_cidr_masked(&range->cidr);
	tn_cidr_format(&masked, text);
	one = tell ? tn_studio_diagnose(
			     checking->list, TN_STUDIO_ERROR, "CIDR_INVALID", range->node,
			     "'%.*s', %.*s: %.*s has bits behind its prefix.",
			     TN_STUDIO_SHOWN(range->node->label),
			     TN_STUDIO_SHOWN(range->property->label), TN_STUDIO_SHOWN(said))
		   : NULL;
	if (one) {
		one->property = range->property->key;
		tn_studio_check_hint(checking, one, "The range is %s.", text);
		fix_range(checking, one, range, &masked);
	}
	range->cidr = masked;
	return true;
}

static void keep(struct ranges *ranges, const struct range *range)
{
	if (ranges->count == ranges->room) {
		size_t room = ranges->room ? 2 * ranges->room : 64;
		struct range *items = tn_mem_resize(ranges->items, room * sizeof(*items));

		if (!items) {
			ranges->starved = true;
			return;
		}
		ranges->items = items;
		ranges->room = room;
	}
	ranges->items[ranges->count++] = *range;
}

/* All ranges of a property; of networks and subnets they are kept for comparing. */
static void collect(struct tn_studio_checking *checking, const struct tn_studio_node *node,
		    const struct tn_studio_property *property, bool tell, struct ranges *ranges)
{
	struct tn_studio_scope scope =
		tn_studio_scope_of(checking->document, node, checking->arena);
	struct range range = {.node = node, .property = property, .network = network_of(node)};
	const struct tn_json *value, *at;

	if (!tn_studio_is_visible(&scope, property))
		return;
	value = tn_studio_value(&scope, property);
	if (tn_studio_value_is_empty(value))
		return;
	at = value->type == TN_JSON_ARRAY ? value->first : value;
	while (at) {
		if (check_text(checking, &range, at, tell) && node->type->container)
			keep(ranges, &range);
		at = value->type == TN_JSON_ARRAY ? at->next : NULL;
	}
}

static void collect_node(struct tn_studio_checking *checking, const struct tn_studio_node *node,
			 bool tell, struct ranges *ranges)
{
	for (size_t i = 0; node->type && i < node->type->property_count; i++) {
		const struct tn_studio_property *property = &node->type->properties[i];

		if (has_ranges(property))
			collect(checking, node, property, tell, ranges);
	}
}

/* ---- compared ---- */

/* By what they lie in, then as ranges, then in the order of making. */
static int compare(const void *a, const void *b)
{
	const struct range *one = a, *other = b;
	size_t mine = one->network ? one->network->order + 1 : 0;
	size_t its = other->network ? other->network->order + 1 : 0;
	int order;

	if (mine != its)
		return mine < its ? -1 : 1;
	order = tn_cidr_compare(&one->cidr, &other->cidr);
	if (order != 0)
		return order;
	return one->node->order < other->node->order ? -1 : one->node->order > other->node->order;
}

/* The first of this network: the array is sorted. */
static size_t first_of(const struct ranges *ranges, const struct tn_studio_node *network)
{
	size_t low = 0, high = ranges->count;
	size_t wanted = network ? network->order + 1 : 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct tn_studio_node *at = ranges->items[middle].network;

		if ((at ? at->order + 1 : 0) < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Where to look for a free one: the network's first range of IPv4; for networks 10.0.0.0/8. */
static bool space_of(const struct ranges *ranges, const struct tn_studio_node *network,
		     struct tn_cidr *ret)
{
	*ret = (struct tn_cidr){.bytes = {10}, .prefix = 8};
	if (!network)
		return true;
	for (size_t i = 0; i < ranges->count; i++) {
		if (ranges->items[i].node == network && !ranges->items[i].cidr.v6) {
			*ret = ranges->items[i].cidr;
			return true;
		}
	}
	return false;
}

/* A free one of the same size. */
static void advise_free(struct tn_studio_checking *checking, struct tn_studio_diagnostic *one,
			const struct ranges *ranges, const struct range *range)
{
	size_t first = first_of(ranges, range->network), count = 0;
	struct tn_cidr within, free_one;
	struct tn_cidr *taken;

	if (!one || range->cidr.v6 || checking->advised++ >= ADVISED_MAX ||
	    !space_of(ranges, range->network, &within))
		return;
	taken = tn_arena_alloc_array(checking->arena, ranges->count - first, sizeof(*taken));
	if (!taken)
		return;
	for (size_t i = first; i < ranges->count; i++) {
		const struct range *at = &ranges->items[i];

		if (at->network != range->network)
			break;
		if (at->node != range->node || tn_cidr_compare(&at->cidr, &range->cidr) != 0)
			taken[count++] = at->cidr;
	}
	if (!tn_cidr_first_free(&within, range->cidr.prefix, taken, count, &free_one))
		return;
	tn_studio_check_hint(checking, one, "The fix takes the first free range of this size.");
	fix_range(checking, one, range, &free_one);
}

static void tell_overlap(struct tn_studio_checking *checking, const struct ranges *ranges,
			 const struct range *range, const struct range *other)
{
	char mine[TN_CIDR_TEXT_SIZE], its[TN_CIDR_TEXT_SIZE];
	struct tn_studio_diagnostic *one;

	tn_cidr_format(&range->cidr, mine);
	tn_cidr_format(&other->cidr, its);
	one = tn_studio_diagnose(checking->list, TN_STUDIO_ERROR, "CIDR_OVERLAP", range->node,
				 "'%.*s', %s, overlaps %s of '%.*s'.",
				 TN_STUDIO_SHOWN(range->node->label), mine, its,
				 TN_STUDIO_SHOWN(other->node->label));
	if (!one)
		return;
	one->property = range->property->key;
	advise_free(checking, one, ranges, range);
}

/* Sorted, a range overlaps one before it only if it lies in the last one that reaches so far:
 * ranges nest or are apart. */
static void check_overlaps(struct tn_studio_checking *checking, const struct ranges *ranges,
			   const struct tn_studio_node *only)
{
	const struct range *outer = NULL;

	for (size_t i = 0; i < ranges->count; i++) {
		const struct range *at = &ranges->items[i];
		const struct range *later;

		if (!outer || outer->network != at->network ||
		    !tn_cidr_overlaps(&outer->cidr, &at->cidr)) {
			outer = at;
			continue;
		}
		/* The one made later is told, unless the question is about the other. */
		later = at->node->order >= outer->node->order ? at : outer;
		if (only && later->node != only && (at->node == only || outer->node == only))
			later = later == at ? outer : at;
		if (!only || later->node == only)
			tell_overlap(checking, ranges, later, later == at ? outer : at);
	}
}

static bool is_inside(const struct ranges *ranges, const struct range *range, bool *ret_known)
{
	size_t first = first_of(ranges, network_of(range->network));

	*ret_known = false;
	for (size_t i = first; i < ranges->count; i++) {
		const struct range *at = &ranges->items[i];

		if (at->network != network_of(range->network))
			break;
		if (at->node != range->network || at->cidr.v6 != range->cidr.v6)
			continue;
		*ret_known = true;
		if (tn_cidr_contains(&at->cidr, &range->cidr))
			return true;
	}
	return false;
}

static void check_outside(struct tn_studio_checking *checking, const struct ranges *ranges,
			  const struct tn_studio_node *only)
{
	for (size_t i = 0; i < ranges->count; i++) {
		const struct range *at = &ranges->items[i];
		struct tn_studio_diagnostic *one;
		char text[TN_CIDR_TEXT_SIZE];
		bool known;

		if (!at->network || (only && at->node != only) || is_inside(ranges, at, &known) ||
		    !known)
			continue;
		tn_cidr_format(&at->cidr, text);
		one = tn_studio_diagnose(checking->list, TN_STUDIO_ERROR, "CIDR_OUTSIDE_PARENT",
					 at->node, "'%.*s', %s, is not inside '%.*s'.",
					 TN_STUDIO_SHOWN(at->node->label), text,
					 TN_STUDIO_SHOWN(at->network->label));
		if (!one)
			continue;
		one->property = at->property->key;
		advise_free(checking, one, ranges, at);
	}
}

void tn_studio_check_networks(struct tn_studio_checking *checking,
			      const struct tn_studio_node *only)
{
	const struct tn_studio_document *document = checking->document;
	struct ranges ranges = {.count = 0};

	if (only && !ranges_of(only))
		return;
	for (size_t i = 0; i < document->node_count; i++)
		collect_node(checking, document->nodes[i], !only || document->nodes[i] == only,
			     &ranges);
	if (!ranges.starved && ranges.count > 0) {
		qsort(ranges.items, ranges.count, sizeof(*ranges.items), compare);
		check_overlaps(checking, &ranges, only);
		check_outside(checking, &ranges, only);
	}
	tn_mem_free(ranges.items);
}
