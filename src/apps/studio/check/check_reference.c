#include "apps/studio/check/internal.h"
#include "jsonrpc/json_write.h"

enum { REST_BYTES_MAX = 512 };

/* ---- what could be referred to ---- */

/* The only node of these types; NULL: there are none or several. */
static const struct tn_studio_node *only_candidate(const struct tn_studio_checking *checking,
						   const struct tn_studio_node *node,
						   const struct tn_json *types, size_t *ret_count)
{
	const struct tn_studio_document *document = checking->document;
	const struct tn_studio_node *found = NULL;

	*ret_count = 0;
	for (size_t i = 0; i < document->node_count; i++) {
		const struct tn_studio_node *at = document->nodes[i];

		if (at == node || !at->type || !tn_studio_ids_have(types, at->type))
			continue;
		found = at;
		++*ret_count;
	}
	return *ret_count == 1 ? found : NULL;
}

/* "Virtual Network or Subnet" */
static void name_types(const struct tn_studio_checking *checking, const struct tn_json *types,
		       struct tn_buf *out)
{
	for (const struct tn_json *at = types ? types->first : NULL; at; at = at->next) {
		const struct tn_studio_type *type;

		if (at->type != TN_JSON_STRING)
			continue;
		type = tn_studio_type_find(checking->document->registry, at->text);
		if (at != types->first)
			tn_buf_append_text(out, at->next ? ", " : " or ");
		tn_buf_append_str(out, type ? type->display_name : at->text);
	}
}

static void advise(struct tn_studio_checking *checking, struct tn_studio_diagnostic *one,
		   const struct tn_studio_node *node, struct tn_str key,
		   const struct tn_json *types, bool by_parent)
{
	const struct tn_studio_node *candidate;
	struct tn_buf names, rest;
	size_t count;

	tn_buf_init(&names, REST_BYTES_MAX);
	tn_buf_init(&rest, REST_BYTES_MAX);
	candidate = only_candidate(checking, node, types, &count);
	name_types(checking, types, &names);
	if (candidate && by_parent) {
		tn_json_put_member_str(&rest, "parentId", candidate->id);
	} else if (candidate) {
		tn_buf_append_text(&rest, "\"properties\":{},\"references\":{");
		tn_json_put_key_str(&rest, key);
		tn_json_put_str(&rest, candidate->id);
		tn_buf_append_byte(&rest, '}');
	}
	if (candidate && !rest.failed)
		tn_studio_check_fix(checking, one, by_parent ? "move_resource" : "update_resource",
				    node, tn_buf_str(&rest));
	if (candidate)
		tn_studio_check_hint(checking, one, "There is one in the diagram: '%.*s'.",
				     TN_STUDIO_SHOWN(candidate->label));
	else if (types && count > 0)
		tn_studio_check_hint(checking, one, "%s one of the %zu in the diagram: %.*s.",
				     by_parent ? "Move it into" : "Choose", count, (int)names.size,
				     names.data ? names.data : "");
	else if (types)
		tn_studio_check_hint(checking, one, "Add a %.*s, then %s.", (int)names.size,
				     names.data ? names.data : "",
				     by_parent ? "move it there" : "refer to it");
	tn_buf_finish(&names);
	tn_buf_finish(&rest);
}

/* ---- references that are properties ---- */

static void fix_clear(struct tn_studio_checking *checking, struct tn_studio_diagnostic *one,
		      const struct tn_studio_node *node, struct tn_str key)
{
	struct tn_buf rest;

	tn_buf_init(&rest, REST_BYTES_MAX);
	tn_buf_append_text(&rest, "\"properties\":{},\"references\":{");
	tn_json_put_key_str(&rest, key);
	tn_json_put_null(&rest);
	tn_buf_append_byte(&rest, '}');
	if (!rest.failed)
		tn_studio_check_fix(checking, one, "update_resource", node, tn_buf_str(&rest));
	tn_buf_finish(&rest);
}

static void check_target(struct tn_studio_checking *checking, const struct tn_studio_node *node,
			 const struct tn_studio_property *property, const struct tn_json *id)
{
	const struct tn_studio_node *target;
	struct tn_studio_diagnostic *one = NULL;

	if (id->type != TN_JSON_STRING) {
		one = tn_studio_diagnose(checking->list, TN_STUDIO_ERROR, "INVALID_REFERENCE", node,
					 "'%.*s', %.*s: this is not the id of a resource.",
					 TN_STUDIO_SHOWN(node->label),
					 TN_STUDIO_SHOWN(property->label));
	} else if (!(target = tn_studio_node_find(checking->document, id->text))) {
		one = tn_studio_diagnose(
			checking->list, TN_STUDIO_ERROR, "INVALID_REFERENCE", node,
			"'%.*s', %.*s: there is no resource '%.*s'.", TN_STUDIO_SHOWN(node->label),
			TN_STUDIO_SHOWN(property->label), TN_STUDIO_SHOWN(id->text));
	} else if (target->type && property->to &&
		   !tn_studio_ids_have(property->to, target->type)) {
		struct tn_buf names;

		tn_buf_init(&names, REST_BYTES_MAX);
		name_types(checking, property->to, &names);
		one = tn_studio_diagnose(
			checking->list, TN_STUDIO_ERROR, "INVALID_REFERENCE", node,
			"'%.*s', %.*s: '%.*s' is a %.*s; a %.*s is expected.",
			TN_STUDIO_SHOWN(node->label), TN_STUDIO_SHOWN(property->label),
			TN_STUDIO_SHOWN(target->label), TN_STUDIO_SHOWN(target->type->display_name),
			(int)names.size, names.data ? names.data : "");
		tn_buf_finish(&names);
	}
	if (!one)
		return;
	one->property = property->key;
	fix_clear(checking, one, node, property->key);
}

static void tell_missing(struct tn_studio_checking *checking, const struct tn_studio_node *node,
			 struct tn_str key, struct tn_str label, const struct tn_json *types,
			 bool by_parent)
{
	struct tn_studio_diagnostic *one =
		tn_studio_diagnose(checking->list, TN_STUDIO_ERROR, "MISSING_REFERENCE", node,
				   "'%.*s' needs its reference %.*s.", TN_STUDIO_SHOWN(node->label),
				   TN_STUDIO_SHOWN(label));

	if (!one)
		return;
	one->property = key;
	advise(checking, one, node, key, types, by_parent);
}

void tn_studio_check_reference(struct tn_studio_checking *checking,
			       const struct tn_studio_node *node,
			       const struct tn_studio_scope *scope,
			       const struct tn_studio_property *property)
{
	const struct tn_json *stored = tn_json_get_str(node->references, property->key);
	const struct tn_studio_node *target;
	bool implied;

	if (tn_json_is(stored, TN_JSON_ARRAY)) {
		for (const struct tn_json *at = stored->first; at; at = at->next)
			check_target(checking, node, property, at);
	} else if (stored && stored->type != TN_JSON_NULL) {
		check_target(checking, node, property, stored);
	}
	if ((property->required || property->required_when) &&
	    tn_studio_is_required(scope, property) &&
	    tn_studio_references(checking->document, node, property, &target, 1, &implied) == 0)
		tell_missing(checking, node, property->key, property->label, property->to, false);
}

/* ---- references that templates need ---- */

struct needs {
	struct tn_studio_checking *checking;
	const struct tn_studio_node *node;
	const struct tn_studio_scope *scope;
	unsigned missing;
};

static void need(struct needs *needs, struct tn_str key)
{
	const struct tn_studio_node *node = needs->node;
	const struct tn_studio_property *property = tn_studio_property_find(node->type, key);
	const struct tn_json *parent = node->type->parent_reference;
	struct tn_str parent_key;

	/* Hidden ones do not count; required ones were told as properties. */
	if (property && (!tn_studio_is_visible(needs->scope, property) ||
			 tn_studio_is_required(needs->scope, property)))
		return;
	if (tn_studio_reference(needs->checking->document, node, key))
		return;
	needs->missing++;
	if (property)
		tell_missing(needs->checking, node, key, property->label, property->to, false);
	else if (tn_json_to_str(tn_json_get(parent, "key"), &parent_key) &&
		 tn_str_equal(parent_key, key))
		tell_missing(needs->checking, node, key, key, tn_json_get(parent, "from"), true);
	else
		tell_missing(needs->checking, node, key, key, NULL, false);
}

/* Items of the primary block; templates were checked and are not deep. */
static void look_at_items(struct needs *needs, const struct tn_json *items)
{
	for (const struct tn_json *item = tn_json_is(items, TN_JSON_ARRAY) ? items->first : NULL;
	     item; item = item->next) {
		bool required = false;
		struct tn_str key;

		if (item->type != TN_JSON_OBJECT || tn_json_get(item, "each") ||
		    !tn_studio_condition_holds(needs->scope, tn_json_get(item, "if")))
			continue;
		if (tn_json_to_bool(tn_json_get(item, "required"), &required) && required &&
		    tn_json_to_str(tn_json_get(tn_json_get(item, "value"), "ref"), &key))
			need(needs, key);
		look_at_items(needs, tn_json_get(item, "items"));
	}
}

unsigned tn_studio_check_template_references(struct tn_studio_checking *checking,
					     const struct tn_studio_node *node,
					     const struct tn_studio_scope *scope)
{
	struct needs needs = {.checking = checking, .node = node, .scope = scope};

	look_at_items(&needs, node->type->body);
	return needs.missing;
}
