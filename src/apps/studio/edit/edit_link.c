/* References, and the edges of rules that set them: equal in both directions (ST-034). */
#include "apps/studio/edit/internal.h"

#include "apps/studio/limits.h"

/* ---- looking ---- */

static bool is_text(const struct tn_json *value, struct tn_str text)
{
	struct tn_str found;

	return tn_json_to_str(value, &found) && tn_str_equal(found, text);
}

static bool has(const struct tn_json *value, struct tn_str id)
{
	if (!tn_json_is(value, TN_JSON_ARRAY))
		return is_text(value, id);
	for (const struct tn_json *at = value->first; at; at = at->next) {
		if (is_text(at, id))
			return true;
	}
	return false;
}

bool tn_studio_link_has(const struct tn_studio_node *node, struct tn_str key, struct tn_str target)
{
	return has(tn_json_get_str(node->references, key), target);
}

const struct tn_studio_edge *tn_studio_edge_between(const struct tn_studio_document *document,
						    struct tn_str source,
						    struct tn_str source_handle,
						    struct tn_str target,
						    struct tn_str target_handle)
{
	for (size_t i = 0; i < document->edge_count; i++) {
		const struct tn_studio_edge *edge = document->edges[i];

		if (tn_str_equal(edge->source_id, source) &&
		    tn_str_equal(edge->target_id, target) &&
		    tn_str_equal(edge->source_handle, source_handle) &&
		    tn_str_equal(edge->target_handle, target_handle))
			return edge;
	}
	return NULL;
}

/* ---- checking ---- */

static void check_target(struct tn_studio_mistakes *mistakes,
			 const struct tn_studio_property *property, struct tn_str node_id,
			 const struct tn_json *value)
{
	struct tn_str id = tn_str("", 0);
	const struct tn_studio_node *target;

	if (!tn_json_to_str(value, &id)) {
		tn_studio_mistake(mistakes, property->key, "an instanceId is expected");
		return;
	}
	target = tn_studio_node_find(mistakes->edit->document, id);
	if (!target) {
		tn_studio_mistake(mistakes, property->key, "there is no node '%.*s'",
				  (int)(id.size < 80 ? id.size : 80), id.data);
		mistakes->code = "NOT_FOUND";
	} else if (tn_str_equal(id, node_id)) {
		tn_studio_mistake(mistakes, property->key, "a node cannot refer to itself");
	} else if (!tn_studio_may_refer(property, target->type)) {
		struct tn_str first = tn_str("", 0);

		(void)tn_json_to_str(property->to->first, &first);
		tn_studio_mistake(mistakes, property->key, "'%.*s' is a %.*s; %.*s%s is expected",
				  (int)target->label.size, target->label.data,
				  (int)target->type_id.size, target->type_id.data, (int)first.size,
				  first.data,
				  property->to->count > 1 ? " or another type of its list" : "");
	}
}

static void check_one(struct tn_studio_mistakes *mistakes, const struct tn_studio_type *type,
		      struct tn_str node_id, const struct tn_json *given)
{
	const struct tn_studio_property *property = tn_studio_property_find(type, given->key);

	if (!property || property->type != TN_STUDIO_REFERENCE) {
		tn_studio_mistake_unknown(mistakes, type, given->key, true);
		return;
	}
	if (given->type == TN_JSON_NULL)
		return;
	if (given->type != TN_JSON_ARRAY) {
		check_target(mistakes, property, node_id, given);
		return;
	}
	if (!property->many && given->count > 1)
		tn_studio_mistake(mistakes, given->key, "it names one node, not %u", given->count);
	if (given->count > TN_STUDIO_LIST_MAX) {
		tn_studio_mistake(mistakes, given->key, "a list has at most %d elements",
				  TN_STUDIO_LIST_MAX);
		mistakes->code = "LIMIT_EXCEEDED";
		return;
	}
	for (const struct tn_json *at = given->first; at; at = at->next)
		check_target(mistakes, property, node_id, at);
}

void tn_studio_links_check(struct tn_studio_mistakes *mistakes, const struct tn_studio_type *type,
			   struct tn_str node_id, const struct tn_json *given)
{
	for (const struct tn_json *at = given ? given->first : NULL; at; at = at->next)
		check_one(mistakes, type, node_id, at);
}

/* ---- the edges of rules ---- */

struct ends {
	const struct tn_studio_rule *rule;
	struct tn_str source, target;
};

/* The edge that pictures this reference; false: none does. */
static bool ends_of(const struct tn_studio_document *document, const struct tn_studio_node *node,
		    struct tn_str key, struct tn_str other_id, struct ends *ret)
{
	const struct tn_studio_node *other = tn_studio_node_find(document, other_id);

	if (!node->type || !other || !other->type)
		return false;
	ret->rule = tn_studio_rule_of(document->registry, node->type, key, other->type);
	if (!ret->rule)
		return false;
	ret->source = ret->rule->sets_on_source ? node->id : other->id;
	ret->target = ret->rule->sets_on_source ? other->id : node->id;
	return true;
}

static const char *fail_full(struct tn_studio_edit *edit, const struct tn_studio_edge *new,
			     const struct tn_studio_edge *in_the_way, bool at_source)
{
	struct tn_str handle = at_source ? new->source_handle : new->target_handle;

	(void)tn_studio_fail(edit->fault, "HANDLE_FULL",
			     "the handle %.*s takes no more edges; %.*s is in the way "
			     "(disconnect_resources removes it)",
			     (int)handle.size, handle.data, (int)in_the_way->id.size,
			     in_the_way->id.data);
	return tn_arena_format(edit->arena, "{\"edgeId\":\"%.*s\"}", (int)in_the_way->id.size,
			       in_the_way->id.data);
}

static bool check_handle(struct tn_studio_edit *edit, const struct tn_studio_edge *edge,
			 bool at_source)
{
	struct tn_str id = at_source ? edge->source_id : edge->target_id;
	struct tn_str name = at_source ? edge->source_handle : edge->target_handle;
	const struct tn_studio_node *node = tn_studio_node_find(edit->document, id);
	const struct tn_studio_handle *handle =
		node && node->type ? tn_studio_handle_find(node->type, name) : NULL;
	const struct tn_studio_edge *first = NULL;
	int count = 0;

	if (!handle || handle->max <= 0)
		return true;
	for (size_t i = 0; i < edit->document->edge_count; i++) {
		const struct tn_studio_edge *at = edit->document->edges[i];

		if (tn_str_equal(at_source ? at->source_id : at->target_id, id) &&
		    tn_str_equal(at_source ? at->source_handle : at->target_handle, name)) {
			first = first ? first : at;
			count++;
		}
	}
	if (count < handle->max)
		return true;
	name = tn_str_from(fail_full(edit, edge, first, at_source));
	if (edit->fault)
		edit->fault->details = name;
	return false;
}

bool tn_studio_edit_check_handles(struct tn_studio_edit *edit, const struct tn_studio_edge *edge)
{
	return check_handle(edit, edge, true) && check_handle(edit, edge, false);
}

static bool add_edge(struct tn_studio_edit *edit, const struct ends *ends)
{
	struct tn_studio_edge edge = {.source_id = ends->source,
				      .source_handle = ends->rule->from_handle,
				      .target_id = ends->target,
				      .target_handle = ends->rule->to_handle,
				      .category = TN_STUDIO_STRUCTURAL};

	if (tn_studio_edge_between(edit->document, edge.source_id, edge.source_handle,
				   edge.target_id, edge.target_handle))
		return true;
	if (!tn_studio_edit_check_handles(edit, &edge))
		return false;
	edge.id = tn_studio_edit_new_id(edit);
	return tn_studio_edit_put_edge(edit, &edge);
}

/* All rules that could have set it: files may have an edge of another one. */
static bool remove_edges(struct tn_studio_edit *edit, struct tn_str node_id, struct tn_str key,
			 struct tn_str other_id)
{
	for (size_t i = edit->document->edge_count; i-- > 0;) {
		const struct tn_studio_edge *edge = edit->document->edges[i];
		struct tn_studio_connection connection;
		const struct tn_studio_node *source =
			tn_studio_node_find(edit->document, edge->source_id);
		const struct tn_studio_node *target =
			tn_studio_node_find(edit->document, edge->target_id);
		bool on_source = tn_str_equal(edge->source_id, node_id) &&
				 tn_str_equal(edge->target_id, other_id);

		if (!on_source && !(tn_str_equal(edge->source_id, other_id) &&
				    tn_str_equal(edge->target_id, node_id)))
			continue;
		if (edge->category != TN_STUDIO_STRUCTURAL ||
		    !tn_studio_connection_find(edit->document->registry, source->type,
					       edge->source_handle, target->type,
					       edge->target_handle, &connection) ||
		    !connection.rule || !connection.rule->sets ||
		    connection.rule->sets_on_source != on_source ||
		    !tn_str_equal(connection.rule->reference, key))
			continue;
		if (!tn_studio_edit_remove_by_id(edit, "removeEdge", edge->id))
			return false;
	}
	return true;
}

/* ---- setting ---- */

/* As it will be stored: a list for `many`, else one id, each once; NULL with *ret_none: nothing. */
static const struct tn_json *normal(struct tn_studio_edit *edit, bool many,
				    const struct tn_json *value)
{
	struct tn_json_maker list;

	if (!value || value->type == TN_JSON_NULL ||
	    (value->type == TN_JSON_ARRAY && value->count == 0))
		return NULL;
	if (!many)
		return value->type == TN_JSON_ARRAY ? value->first : value;
	tn_json_maker_begin(&list, edit->arena, TN_JSON_ARRAY);
	if (value->type != TN_JSON_ARRAY) {
		tn_json_maker_add(&list, value);
		return tn_json_maker_end(&list);
	}
	for (const struct tn_json *at = value->first; at; at = at->next) {
		struct tn_str id = tn_str(NULL, 0);

		(void)tn_json_to_str(at, &id);
		if (!list.failed && !has(list.value, id))
			tn_json_maker_add(&list, at);
	}
	return tn_json_maker_end(&list);
}

/* Calls `each` with the targets of `value` that `other` does not have. */
static bool differing(struct tn_studio_edit *edit, struct tn_str node_id, struct tn_str key,
		      const struct tn_json *value, const struct tn_json *other,
		      bool (*each)(struct tn_studio_edit *edit, struct tn_str node_id,
				   struct tn_str key, struct tn_str target))
{
	const struct tn_json *at = tn_json_is(value, TN_JSON_ARRAY) ? value->first : value;
	bool list = tn_json_is(value, TN_JSON_ARRAY);

	for (; at; at = list ? at->next : NULL) {
		struct tn_str id;

		if (tn_json_to_str(at, &id) && !has(other, id) && !each(edit, node_id, key, id))
			return false;
	}
	return true;
}

static bool add_edge_for(struct tn_studio_edit *edit, struct tn_str node_id, struct tn_str key,
			 struct tn_str target)
{
	const struct tn_studio_node *node = tn_studio_node_find(edit->document, node_id);
	struct ends ends;

	tn_studio_edit_touch(edit, target);
	return !node || !ends_of(edit->document, node, key, target, &ends) || add_edge(edit, &ends);
}

static bool put_references(struct tn_studio_edit *edit, const struct tn_studio_node *node,
			   struct tn_str key, const struct tn_json *value)
{
	struct tn_studio_draft draft;
	struct tn_json *references = tn_json_with(edit->arena, node->references, key, value);

	if (!references)
		return tn_studio_edit_no_memory(edit);
	tn_studio_draft_begin(&draft, edit, node);
	tn_studio_draft_set(&draft, "references", references);
	return tn_studio_draft_put(&draft);
}

bool tn_studio_link_set(struct tn_studio_edit *edit, struct tn_str node_id, struct tn_str key,
			const struct tn_json *value)
{
	const struct tn_studio_node *node = tn_studio_node_find(edit->document, node_id);
	const struct tn_studio_property *property =
		node->type ? tn_studio_property_find(node->type, key) : NULL;
	const struct tn_json *old = tn_json_get_str(node->references, key), *new;
	bool many = property ? property->many : tn_json_is(old, TN_JSON_ARRAY);

	new = normal(edit, many, value);
	/* The record goes with the operation; the edges are compared afterwards. */
	if (old)
		old = tn_json_copy(edit->arena, old);
	if (new)
		new = tn_json_copy(edit->arena, new);
	if (!put_references(edit, node, key, new) ||
	    !(new ? tn_studio_switch_on(edit, node_id, key)
		  : tn_studio_switch_off(edit, node_id, key)))
		return false;
	if (!differing(edit, node_id, key, old, new, remove_edges))
		return false;
	if (!new && !tn_studio_link_draw(edit, node_id, key, false))
		return false;
	return differing(edit, node_id, key, new, old, add_edge_for);
}

bool tn_studio_links_set(struct tn_studio_edit *edit, struct tn_str node_id,
			 const struct tn_json *given)
{
	for (const struct tn_json *at = given ? given->first : NULL; at; at = at->next) {
		if (!tn_studio_link_set(edit, node_id, at->key, at))
			return false;
	}
	return true;
}

/* The reference with one target more or less. */
static const struct tn_json *changed_list(struct tn_studio_edit *edit, const struct tn_json *old,
					  struct tn_str target, bool more)
{
	struct tn_json_maker list;

	tn_json_maker_begin(&list, edit->arena, TN_JSON_ARRAY);
	if (tn_json_is(old, TN_JSON_STRING) && !is_text(old, target))
		tn_json_maker_add(&list, old);
	for (const struct tn_json *at = tn_json_is(old, TN_JSON_ARRAY) ? old->first : NULL; at;
	     at = at->next) {
		if (!is_text(at, target))
			tn_json_maker_add(&list, at);
	}
	if (more)
		tn_json_maker_add(&list, tn_json_make_str(edit->arena, target));
	return tn_json_maker_end(&list);
}

bool tn_studio_link_add(struct tn_studio_edit *edit, struct tn_str node_id, struct tn_str key,
			struct tn_str target_id)
{
	const struct tn_studio_node *node = tn_studio_node_find(edit->document, node_id);
	const struct tn_json *old = tn_json_get_str(node->references, key);
	const struct tn_json *list;

	if (has(old, target_id))
		return true;
	list = changed_list(edit, old, target_id, true);
	return list ? tn_studio_link_set(edit, node_id, key, list) : tn_studio_edit_no_memory(edit);
}

bool tn_studio_link_drop(struct tn_studio_edit *edit, struct tn_str node_id, struct tn_str key,
			 struct tn_str target_id)
{
	const struct tn_studio_node *node = tn_studio_node_find(edit->document, node_id);
	const struct tn_json *list =
		changed_list(edit, tn_json_get_str(node->references, key), target_id, false);

	return list ? tn_studio_link_set(edit, node_id, key, list) : tn_studio_edit_no_memory(edit);
}

bool tn_studio_link_draw(struct tn_studio_edit *edit, struct tn_str node_id, struct tn_str key,
			 bool drawn)
{
	const struct tn_studio_node *node = tn_studio_node_find(edit->document, node_id);
	const struct tn_json *old = tn_json_get(node->record, TN_STUDIO_DRAWN);
	struct tn_studio_draft draft;
	const struct tn_json *list;

	if (has(old, key) == drawn)
		return true;
	list = changed_list(edit, old, key, drawn);
	if (!list)
		return tn_studio_edit_no_memory(edit);
	tn_studio_draft_begin(&draft, edit, node);
	tn_studio_draft_set(&draft, TN_STUDIO_DRAWN, list);
	return tn_studio_draft_put(&draft);
}
