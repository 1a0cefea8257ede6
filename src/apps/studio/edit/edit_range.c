/* Fresh ranges for networks and for what lies in them (studio.md 6.4). What is a network stands in
 * the types: a container that needs a range and has one by default; what is part of one by its
 * parent, and needs a range too, is a subnet. */
#include "apps/studio/cidr.h"
#include "apps/studio/edit/internal.h"

enum { NETWORK_PREFIX = 16, SUBNET_PREFIX = 24, SMALLEST_PREFIX = 28, USED_MAX = 65536 };

const struct tn_studio_property *tn_studio_range_property(const struct tn_studio_type *type)
{
	for (size_t i = 0; type && i < type->property_count; i++) {
		const struct tn_studio_property *property = &type->properties[i];

		if (property->required && property->default_value &&
		    (property->type == TN_STUDIO_CIDR ||
		     (property->type == TN_STUDIO_ARRAY && property->item_type == TN_STUDIO_CIDR)))
			return property;
	}
	return NULL;
}

/* The network that a node of this type in this parent is a part of; NULL: none. */
static const struct tn_studio_node *network_of(const struct tn_studio_type *type,
					       const struct tn_studio_node *parent)
{
	const struct tn_json *from = tn_json_get(type->parent_reference, "from");

	while (parent && parent->type && parent->type->is_annotation)
		parent = parent->parent;
	return parent && parent->type && tn_studio_ids_have(from, parent->type) &&
			       tn_studio_range_property(parent->type)
		       ? parent
		       : NULL;
}

static bool is_part(const struct tn_studio_document *document, const struct tn_studio_type *type)
{
	const struct tn_json *from = tn_json_get(type->parent_reference, "from");

	for (const struct tn_json *at = from ? from->first : NULL; at; at = at->next) {
		const struct tn_studio_type *parent =
			tn_studio_type_find(document->registry, at->text);

		if (parent && tn_studio_range_property(parent))
			return true;
	}
	return false;
}

struct ranges {
	struct tn_cidr *at;
	size_t count, room;
};

static void add(struct ranges *ranges, const struct tn_json *value)
{
	struct tn_str text;

	if (!value)
		return;
	if (value->type == TN_JSON_ARRAY) {
		for (const struct tn_json *one = value->first; one; one = one->next)
			add(ranges, one->type == TN_JSON_STRING ? one : NULL);
	} else if (ranges->count < ranges->room && tn_json_to_str(value, &text) &&
		   tn_cidr_parse(text, &ranges->at[ranges->count])) {
		ranges->count++;
	}
}

static const struct tn_json *value_of(const struct tn_studio_document *document,
				      const struct tn_studio_node *node, struct tn_arena *arena)
{
	const struct tn_studio_scope scope = tn_studio_scope_of(document, node, arena);
	const struct tn_studio_property *property = tn_studio_range_property(node->type);

	return property ? tn_studio_value(&scope, property) : NULL;
}

static const struct tn_json *as_value(const struct tn_studio_property *property,
				      const struct tn_cidr *cidr, struct tn_arena *arena)
{
	char text[TN_CIDR_TEXT_SIZE];
	struct tn_json_maker list;
	struct tn_json *value;
	const char *copy;

	tn_cidr_format(cidr, text);
	copy = tn_arena_copy(arena, tn_str_from(text));
	value = copy ? tn_json_make_str(arena, tn_str_from(copy)) : NULL;
	if (property->type == TN_STUDIO_CIDR)
		return value;
	tn_json_maker_begin(&list, arena, TN_JSON_ARRAY);
	tn_json_maker_add(&list, value);
	return tn_json_maker_end(&list);
}

static bool fresh_network(struct ranges *used, struct tn_cidr *ret)
{
	struct tn_cidr all = {.bytes = {10}, .prefix = 8};

	return tn_cidr_first_free(&all, NETWORK_PREFIX, used->at, used->count, ret);
}

static bool fresh_part(const struct ranges *of_network, const struct ranges *used,
		       struct tn_cidr *ret)
{
	unsigned prefix = SUBNET_PREFIX;
	const struct tn_cidr *network = of_network->at;

	if (of_network->count == 0 || network->v6)
		return false;
	if (network->prefix >= SUBNET_PREFIX)
		prefix = network->prefix + 2u;
	for (; prefix <= SMALLEST_PREFIX; prefix++) {
		if (tn_cidr_first_free(network, prefix, used->at, used->count, ret))
			return true;
	}
	return false;
}

/* Ranges that the new one must not overlap: of the same network, or of all other networks. */
static bool collect(const struct tn_studio_document *document, const struct tn_studio_node *network,
		    struct tn_arena *arena, struct ranges *ret)
{
	*ret = (struct ranges){.room = document->node_count * 4 + 16};
	if (ret->room > USED_MAX)
		ret->room = USED_MAX;
	ret->at = tn_arena_alloc_array(arena, ret->room, sizeof(*ret->at));
	if (!ret->at)
		return false;
	for (size_t i = 0; i < document->node_count; i++) {
		const struct tn_studio_node *node = document->nodes[i];

		if (!node->type || !tn_studio_range_property(node->type))
			continue;
		if (network ? network_of(node->type, node->parent) == network
			    : !is_part(document, node->type))
			add(ret, value_of(document, node, arena));
	}
	return true;
}

static bool find_fresh(const struct tn_studio_document *document,
		       const struct tn_studio_node *network, struct tn_arena *arena,
		       struct tn_cidr *ret)
{
	struct ranges used, own = {.room = 16};

	if (!collect(document, network, arena, &used))
		return false;
	if (!network)
		return fresh_network(&used, ret);
	own.at = tn_arena_alloc_array(arena, own.room, sizeof(*own.at));
	if (!own.at)
		return false;
	add(&own, value_of(document, network, arena));
	return fresh_part(&own, &used, ret);
}

bool tn_studio_fresh_range(const struct tn_studio_document *document,
			   const struct tn_studio_type *type, const struct tn_studio_node *parent,
			   struct tn_arena *arena, const struct tn_studio_property **ret_property,
			   const struct tn_json **ret)
{
	const struct tn_studio_property *property = tn_studio_range_property(type);
	const struct tn_studio_node *network = property ? network_of(type, parent) : NULL;
	struct tn_cidr cidr;

	if (!property || (!network && (is_part(document, type) || !type->container)) ||
	    !find_fresh(document, network, arena, &cidr))
		return false;
	*ret_property = property;
	*ret = as_value(property, &cidr, arena);
	return *ret != NULL;
}
