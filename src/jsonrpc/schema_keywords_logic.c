/* Keywords that combine schemas, name them and refer to them. */
#include "base/size.h"
#include "jsonrpc/schema_keyword.h"

static struct tn_schema_logic *logic_rules(const struct tn_schema_keyword *k)
{
	if (!k->node->logic)
		k->node->logic = tn_schema_new(k->c, 1, sizeof(*k->node->logic));
	return k->node->logic;
}

/* ---- combining ---- */

static bool kw_all_of(const struct tn_schema_keyword *k)
{
	return logic_rules(k) && tn_keyword_read_list(k, &k->node->logic->all);
}

static bool kw_any_of(const struct tn_schema_keyword *k)
{
	return logic_rules(k) && tn_keyword_read_list(k, &k->node->logic->any);
}

static bool kw_one_of(const struct tn_schema_keyword *k)
{
	return logic_rules(k) && tn_keyword_read_list(k, &k->node->logic->one);
}

static bool kw_not(const struct tn_schema_keyword *k)
{
	return logic_rules(k) && tn_keyword_read_schema(k, &k->node->logic->not_node);
}

static bool kw_if(const struct tn_schema_keyword *k)
{
	return logic_rules(k) && tn_keyword_read_schema(k, &k->node->logic->if_node);
}

static bool kw_then(const struct tn_schema_keyword *k)
{
	return logic_rules(k) && tn_keyword_read_schema(k, &k->node->logic->then_node);
}

static bool kw_else(const struct tn_schema_keyword *k)
{
	return logic_rules(k) && tn_keyword_read_schema(k, &k->node->logic->else_node);
}

/* ---- names and references ---- */

static bool kw_ref(const struct tn_schema_keyword *k)
{
	if (k->value->type != TN_JSON_STRING)
		return tn_keyword_refuse(k, "a string");
	return logic_rules(k) && tn_schema_add_reference(k->c, k->node, k->value->text, false);
}

static bool kw_dynamic_ref(const struct tn_schema_keyword *k)
{
	if (k->value->type != TN_JSON_STRING)
		return tn_keyword_refuse(k, "a string");
	return logic_rules(k) && tn_schema_add_reference(k->c, k->node, k->value->text, true);
}

static bool kw_anchor(const struct tn_schema_keyword *k)
{
	if (k->value->type != TN_JSON_STRING || k->value->text.size == 0)
		return tn_keyword_refuse(k, "a name");
	return tn_schema_add_anchor(k->c, k->node, k->value->text, false);
}

static bool kw_dynamic_anchor(const struct tn_schema_keyword *k)
{
	if (k->value->type != TN_JSON_STRING || k->value->text.size == 0)
		return tn_keyword_refuse(k, "a name");
	return tn_schema_add_anchor(k->c, k->node, k->value->text, true);
}

/* The walk has opened the resource already; what is left is draft-07's "$id": "#name". */
static bool kw_id(const struct tn_schema_keyword *k)
{
	struct tn_str id = k->value->text; /* enter_base has seen that it is a string */

	if (k->c->base->dialect == TN_SCHEMA_DRAFT_07 && id.size > 1 && id.data[0] == '#')
		return tn_schema_add_anchor(k->c, k->node, tn_str_from_offset(id, 1), false);
	return true;
}

static bool kw_definitions(const struct tn_schema_keyword *k)
{
	if (k->value->type != TN_JSON_OBJECT)
		return tn_keyword_refuse(k, "an object of schemas");
	for (const struct tn_json *v = k->value->first; v; v = v->next) {
		if (!tn_keyword_child(k, v, 0))
			return false;
	}
	return true;
}

static bool kw_recursive(const struct tn_schema_keyword *k)
{
	return tn_schema_refuse(
		k->c, TENON_INVALID,
		"belongs to draft 2019-09, which is not supported; use $dynamicRef");
}

static const struct tn_schema_keyword_entry entries[] = {
	/* sorted by bytes */
	{"$anchor", kw_anchor, TN_IN_2020, TN_INSIDE},
	{"$defs", kw_definitions, TN_IN_BOTH, TN_INSIDE},
	{"$dynamicAnchor", kw_dynamic_anchor, TN_IN_2020, TN_INSIDE},
	{"$dynamicRef", kw_dynamic_ref, TN_IN_2020, TN_INSIDE},
	{"$id", kw_id, TN_IN_BOTH, TN_INSIDE},
	{"$recursiveAnchor", kw_recursive, TN_IN_2020, TN_INSIDE},
	{"$recursiveRef", kw_recursive, TN_IN_2020, TN_INSIDE},
	{"$ref", kw_ref, TN_IN_BOTH, TN_INSIDE},
	{"allOf", kw_all_of, TN_IN_BOTH, TN_INSIDE},
	{"anyOf", kw_any_of, TN_IN_BOTH, TN_INSIDE},
	{"definitions", kw_definitions, TN_IN_BOTH, TN_INSIDE},
	{"else", kw_else, TN_IN_BOTH, TN_OUTSIDE},
	{"if", kw_if, TN_IN_BOTH, TN_OUTSIDE},
	{"not", kw_not, TN_IN_BOTH, TN_OUTSIDE},
	{"oneOf", kw_one_of, TN_IN_BOTH, TN_INSIDE},
	{"then", kw_then, TN_IN_BOTH, TN_OUTSIDE},
};

const struct tn_schema_keyword_table tn_schema_logic_keywords = {entries, TN_COUNT(entries)};
