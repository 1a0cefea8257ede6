/* remove_resource (studio.md 6.3): a node, what it holds, the edges on any of it, and every
 * reference to any of it. */
#include "apps/studio/edit/internal.h"

#include "apps/studio/limits.h"

struct removal {
	struct tn_studio_edit *edit;
	struct tn_map gone; /* ids, to anything */
	struct tn_json_maker ids, edges, cleared;
	struct tn_buf addresses;
};

static bool is_gone(const struct removal *removal, struct tn_str id)
{
	return id.size > 0 && tn_map_get(&removal->gone, id) != NULL;
}

static void add_text(struct tn_json_maker *list, struct tn_str text)
{
	const char *copy = tn_arena_copy(list->arena, text);

	tn_json_maker_add(list,
			  copy ? tn_json_make_str(list->arena, tn_str(copy, text.size)) : NULL);
}

/* ---- what goes ---- */

static bool collect_nodes(struct removal *removal, const struct tn_studio_node *top)
{
	const struct tn_studio_document *document = removal->edit->document;

	for (size_t i = 0; i < document->node_count; i++) {
		struct tn_studio_node *node = document->nodes[i];

		if (node != top && !tn_studio_is_within(node, top))
			continue;
		add_text(&removal->ids, node->id);
		tn_studio_edit_touch(removal->edit, node->id);
		if (tn_map_put(&removal->gone, node->id, removal, NULL) != TENON_OK)
			return tn_studio_edit_no_memory(removal->edit);
		if (removal->edit->deployed)
			(void)removal->edit->deployed(removal->edit->status, node->id,
						      &removal->addresses);
	}
	return true;
}

static bool collect_edges(struct removal *removal)
{
	const struct tn_studio_edge *edges;
	struct tenon_error err = {0};
	size_t count;

	if (tn_studio_edges_all(removal->edit->document, removal->edit->arena, &edges, &count,
				&err) != TENON_OK)
		return tn_studio_fail_error(removal->edit->fault, &err);
	for (size_t i = 0; i < count; i++) {
		if (is_gone(removal, edges[i].source_id) || is_gone(removal, edges[i].target_id))
			add_text(&removal->edges, edges[i].id);
	}
	return true;
}

static bool remove_edges(struct removal *removal)
{
	for (size_t i = removal->edit->document->edge_count; i-- > 0;) {
		const struct tn_studio_edge *edge = removal->edit->document->edges[i];

		if (!is_gone(removal, edge->source_id) && !is_gone(removal, edge->target_id))
			continue;
		if (!tn_studio_edit_remove_by_id(removal->edit, "removeEdge", edge->id))
			return false;
	}
	return true;
}

/* ---- references ---- */

static void put_cleared(struct removal *removal, struct tn_str id, struct tn_str property)
{
	struct tn_json_maker entry;

	tn_json_maker_begin(&entry, removal->edit->arena, TN_JSON_OBJECT);
	tn_json_maker_put(&entry, TN_STR("instanceId"), tn_json_make_str(removal->edit->arena, id));
	tn_json_maker_put(
		&entry, TN_STR("property"),
		tn_json_make_str(removal->edit->arena, tn_studio_keep(removal->edit, property)));
	tn_json_maker_add(&removal->cleared, tn_json_maker_end(&entry));
}

static bool names_gone(const struct removal *removal, const struct tn_json *value)
{
	struct tn_str id;

	if (tn_json_to_str(value, &id))
		return is_gone(removal, id);
	for (const struct tn_json *at = tn_json_is(value, TN_JSON_ARRAY) ? value->first : NULL; at;
	     at = at->next) {
		if (tn_json_to_str(at, &id) && is_gone(removal, id))
			return true;
	}
	return false;
}

/* What is left of a reference; NULL: nothing. */
static const struct tn_json *left_of(struct removal *removal, const struct tn_json *value)
{
	struct tn_json_maker list;
	struct tn_json *made;

	if (value->type != TN_JSON_ARRAY)
		return NULL;
	tn_json_maker_begin(&list, removal->edit->arena, TN_JSON_ARRAY);
	for (const struct tn_json *at = value->first; at; at = at->next) {
		if (!names_gone(removal, at))
			tn_json_maker_add(&list, at);
	}
	made = tn_json_maker_end(&list);
	return made && made->count > 0 ? made : NULL;
}

static void clear_references(struct removal *removal, struct tn_studio_draft *draft,
			     const struct tn_studio_node *node, struct tn_str id)
{
	const struct tn_json *left = node->references;

	for (const struct tn_json *at = left ? left->first : NULL; at; at = at->next) {
		if (!names_gone(removal, at))
			continue;
		put_cleared(removal, id, at->key);
		left = tn_json_with(draft->edit->arena, left, at->key, left_of(removal, at));
		if (!left) {
			draft->record = NULL;
			return;
		}
	}
	if (left != node->references)
		tn_studio_draft_set(draft, "references", left);
}

/* Elements of lists name nodes, too: the target of a route. */
static const struct tn_json *clear_element(struct removal *removal,
					   const struct tn_studio_property *property,
					   const struct tn_json *element, bool *ret_any)
{
	for (size_t i = 0; i < property->field_count && element; i++) {
		const struct tn_json *value = tn_json_get_str(element, property->fields[i].key);

		if (property->fields[i].type != TN_STUDIO_NODE || !names_gone(removal, value))
			continue;
		*ret_any = true;
		element =
			tn_json_with(removal->edit->arena, element, property->fields[i].key, NULL);
	}
	return element;
}

static void clear_elements(struct removal *removal, struct tn_studio_draft *draft,
			   const struct tn_studio_node *node, struct tn_str id)
{
	const struct tn_json *properties = node->properties;

	for (size_t i = 0; node->type && properties && i < node->type->property_count; i++) {
		const struct tn_studio_property *property = &node->type->properties[i];
		const struct tn_json *value = tn_json_get_str(properties, property->key);
		struct tn_json_maker list;
		bool any = false;

		if (property->field_count == 0 || !tn_json_is(value, TN_JSON_ARRAY))
			continue;
		tn_json_maker_begin(&list, removal->edit->arena, TN_JSON_ARRAY);
		for (const struct tn_json *at = value->first; at; at = at->next)
			tn_json_maker_add(&list, clear_element(removal, property, at, &any));
		if (!any)
			continue;
		put_cleared(removal, id, property->key);
		value = tn_json_maker_end(&list);
		properties =
			value ? tn_json_with(removal->edit->arena, properties, property->key, value)
			      : NULL;
		if (!properties)
			draft->record = NULL;
	}
	if (properties && properties != node->properties)
		tn_studio_draft_set(draft, "properties", properties);
}

static bool clear_node(struct removal *removal, const struct tn_studio_node *node)
{
	struct tn_studio_draft draft;
	struct tn_str id = tn_studio_keep(removal->edit, node->id);

	tn_studio_draft_begin(&draft, removal->edit, node);
	clear_references(removal, &draft, node, id);
	clear_elements(removal, &draft, node, id);
	return draft.record == node->record || tn_studio_draft_put(&draft);
}

static bool clear_all(struct removal *removal)
{
	const struct tn_studio_document *document = removal->edit->document;

	for (size_t i = 0; i < document->node_count; i++) {
		if (!is_gone(removal, document->nodes[i]->id) &&
		    !clear_node(removal, document->nodes[i]))
			return false;
	}
	return true;
}

/* What only served references that are cleared goes back to what it is by itself. */
static bool switch_off(struct removal *removal)
{
	const struct tn_json *list = removal->cleared.failed ? NULL : removal->cleared.value;

	for (const struct tn_json *at = list ? list->first : NULL; at; at = at->next) {
		struct tn_str id = TN_STR(""), key = TN_STR("");

		(void)tn_json_to_str(tn_json_get(at, "instanceId"), &id);
		(void)tn_json_to_str(tn_json_get(at, "property"), &key);
		if (!tn_studio_switch_off(removal->edit, id, key))
			return false;
	}
	return true;
}

/* ---- the nodes ---- */

/* The youngest first, so that undoing puts each back where it was. */
static bool remove_nodes(struct removal *removal)
{
	struct tn_studio_edit *edit = removal->edit;

	for (size_t i = edit->document->node_count; i-- > 0;) {
		const struct tn_studio_node *node = edit->document->nodes[i];
		struct tn_str id;

		if (!is_gone(removal, node->id))
			continue;
		id = tn_studio_keep(edit, node->id);
		if (tn_json_get_str(edit->document->usage, id) &&
		    !tn_studio_edit_set_usage(edit, id, NULL))
			return false;
		if (!tn_studio_edit_remove_by_id(edit, "removeNode", id))
			return false;
	}
	return true;
}

static bool put_list(struct removal *removal, const char *key, struct tn_json_maker *maker,
		     struct tn_buf *result)
{
	struct tn_json *list = tn_json_maker_end(maker);

	if (!list)
		return tn_studio_edit_no_memory(removal->edit);
	tn_json_put_key(result, key);
	tn_json_put_value(result, list);
	return true;
}

static bool remove_all(struct removal *removal, const struct tn_studio_node *top,
		       struct tn_buf *result)
{
	if (!collect_nodes(removal, top) || !collect_edges(removal))
		return false;
	if (!removal->ids.failed && removal->ids.value->count > 1)
		tn_studio_edit_say(removal->edit, "Remove '%.*s' and %u more", (int)top->label.size,
				   top->label.data, removal->ids.value->count - 1);
	if (!remove_edges(removal) || !clear_all(removal) || !remove_nodes(removal) ||
	    !tn_studio_edit_index(removal->edit) || !switch_off(removal))
		return false;
	if (!put_list(removal, "removed", &removal->ids, result) ||
	    !put_list(removal, "removedEdges", &removal->edges, result) ||
	    !put_list(removal, "clearedReferences", &removal->cleared, result))
		return false;
	tn_json_put_key(result, "willDestroy");
	tn_json_begin_array(result);
	if (removal->addresses.size > 1)
		tn_buf_append_str(result, tn_str_from_offset(tn_buf_str(&removal->addresses), 1));
	tn_json_end_array(result);
	tn_buf_inherit_failure(result, &removal->addresses);
	return true;
}

static bool remove_node(struct tn_studio_edit *edit, const struct tn_json *arguments,
			struct tn_buf *result)
{
	const struct tn_studio_node *node = tn_studio_edit_node(edit, arguments, "instanceId");
	struct removal removal = {.edit = edit};
	bool done;

	if (!node)
		return false;
	tn_studio_edit_say(edit, "Remove '%.*s'", (int)node->label.size, node->label.data);
	tn_map_init(&removal.gone);
	tn_json_maker_begin(&removal.ids, edit->arena, TN_JSON_ARRAY);
	tn_json_maker_begin(&removal.edges, edit->arena, TN_JSON_ARRAY);
	tn_json_maker_begin(&removal.cleared, edit->arena, TN_JSON_ARRAY);
	tn_buf_init(&removal.addresses, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_array(&removal.addresses);
	done = remove_all(&removal, node, result);
	tn_map_finish(&removal.gone);
	tn_buf_finish(&removal.addresses);
	return done;
}

bool tn_studio_edit_remove(struct tn_studio_edit *edit, const struct tn_json *arguments,
			   struct tn_buf *result)
{
	return tn_studio_edit_run(edit, remove_node, arguments, result);
}
