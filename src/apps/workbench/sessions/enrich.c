/* The selection, with what registry, graph, drafts and configuration know of it (section 12). */
#include "apps/workbench/sessions/effective.h"
#include "apps/workbench/sessions/parts.h"
#include "apps/workbench/values/pointer.h"
#include "jsonrpc/json_write.h"

struct enriching {
	const struct tn_wb_session *session;
	const struct tn_wb_site *site;
	const struct tn_wb_instance *selected;
	const struct tn_wb_entry *entry; /* NULL: unknown or disabled */
	const struct tn_json *baseline;  /* what the parent passed; NULL: not said */
	const struct tn_json *layer;     /* of the configuration; NULL: none */
	const struct tn_wb_slot *slots;  /* drafts of this instance */
	size_t slot_count;
	struct tn_arena arena;
	struct tn_buf *out;
};

/* ---- registryMatch ---- */

static void put_match(struct enriching *e)
{
	bool disabled = !e->entry && e->site->registry &&
			tn_wb_registry_is_disabled(e->site->registry, e->selected->type_id);

	tn_json_put_key(e->out, "registryMatch");
	tn_json_begin_object(e->out);
	tn_json_put_member_text(e->out, "status",
				e->entry   ? "matched"
				: disabled ? "disabled"
					   : "unknown");
	tn_json_put_key(e->out, "entry");
	tn_json_put_value(e->out, e->entry ? e->entry->tree : NULL);
	tn_json_end_object(e->out);
}

/* ---- props (E4) ---- */

struct row {
	const struct tn_json *value;
	const char *from, *state;
};

/* Drafts of a prop: the shortest path first, those of the same length in byte order, which they
 * are in (A12). */
static void lay_drafts(struct enriching *e, struct tn_str name, size_t length, struct row *row)
{
	for (size_t i = 0; i < e->slot_count; i++) {
		const struct tn_wb_draft *draft = e->slots[i].draft;
		const char *status = tn_wb_slot_status(&e->slots[i], e->site->registry, NULL);
		const struct tn_json *made;
		struct tn_wb_prop_path path;
		struct tn_json *value = NULL;
		struct tenon_error err;
		bool blocked;

		if (tn_wb_prop_path_read(&path, draft->address.path) != TN_WB_PATH_GOOD ||
		    path.count != length || !tn_str_equal(path.tokens[0], name))
			continue;
		if (strcmp(row->state, "orphaned") != 0 &&
		    (strcmp(status, "applied") != 0 || strcmp(row->state, "none") == 0))
			row->state = status;
		if (tn_json_parse_copy(&e->arena, draft->value, &value, &err) != TENON_OK)
			continue;
		row->from = "override";
		made = tn_wb_effective_set(&e->arena, row->value, &path, value, &blocked);
		if (made)
			row->value = made;
	}
}

static struct row row_of(struct enriching *e, struct tn_str name)
{
	const struct tn_json *layer = tn_json_get_str(e->layer, name);
	const struct tn_json *baseline = tn_json_get_str(e->baseline, name);
	struct row row = {.value = layer ? layer : baseline, .state = "none"};

	row.from = layer ? "config" : baseline ? "code" : "unknown";
	for (size_t length = 1; e->slot_count && length <= TN_WB_PATH_TOKENS_MAX; length++)
		lay_drafts(e, name, length, &row);
	return row;
}

static void put_member(struct tn_buf *out, const char *name, const struct tn_json *value)
{
	if (!value)
		return;
	tn_json_put_key(out, name);
	tn_json_put_value(out, value);
}

/* `definition` NULL: the registry does not know the prop. */
static void put_row(struct enriching *e, struct tn_str name, const struct tn_json *definition)
{
	static const char *const kinds[] = {[TN_WB_EDITABLE] = "editable",
					    [TN_WB_INSPECT_ONLY] = "inspectOnly",
					    [TN_WB_OPAQUE] = "opaque"};
	struct row row = row_of(e, name);
	struct tn_wb_prop prop = {.definition = definition};
	struct tn_buf path;

	tn_buf_init(&path, TN_WB_MESSAGE_BYTES_MAX);
	tn_wb_pointer_push(&path, name);
	if (definition)
		(void)tn_wb_entry_prop(e->entry, name, &prop);
	tn_json_begin_object(e->out);
	tn_json_put_member_str(e->out, "name", name);
	tn_json_put_member_str(e->out, "path", tn_buf_str(&path));
	put_member(e->out, "label", tn_json_get(definition, "label"));
	put_member(e->out, "group", tn_json_get(definition, "group"));
	tn_json_put_member_text(e->out, "exposure", definition ? kinds[prop.kind] : "unregistered");
	put_member(e->out, "control", prop.control);
	put_member(e->out, "constraints", prop.constraints);
	put_member(e->out, "value", row.value);
	tn_json_put_member_text(e->out, "valueFrom", row.from);
	put_member(e->out, "baseline", tn_json_get_str(e->baseline, name));
	tn_json_put_member_text(e->out, "overrideState", row.state);
	tn_json_end_object(e->out);
	tn_buf_finish(&path);
}

static void put_props(struct enriching *e)
{
	const struct tn_json *props = e->entry ? tn_json_get(e->entry->tree, "props") : NULL;

	tn_json_put_key(e->out, "props");
	tn_json_begin_array(e->out);
	for (const struct tn_json *at = props ? props->first : NULL; at; at = at->next)
		put_row(e, at->key, at);
	for (const struct tn_json *at = e->baseline ? e->baseline->first : NULL; at; at = at->next)
		if (!tn_json_get_str(props, at->key))
			put_row(e, at->key, NULL);
	tn_json_end_array(e->out);
}

/* ---- the rest of E3 ---- */

static void put_overrides(struct enriching *e)
{
	tn_json_put_key(e->out, "overrides");
	tn_json_begin_array(e->out);
	for (size_t i = 0; i < e->slot_count; i++)
		tn_wb_slot_put(e->out, &e->slots[i], e->site->registry);
	tn_json_end_array(e->out);
}

static void put_node(struct tn_buf *out, const char *name, const struct tn_wb_node *node)
{
	tn_json_put_key(out, name);
	if (node)
		tn_json_put_raw(out, tn_wb_node_json(node));
	else
		tn_json_put_null(out);
}

static void put_graph(struct enriching *e)
{
	const struct tn_wb_graph *graph = e->site->graph;
	const struct tn_wb_node *type =
		graph ? tn_wb_graph_find(graph, "componentType", e->selected->type_id) : NULL;

	tn_json_put_key(e->out, "graph");
	tn_json_begin_object(e->out);
	put_node(e->out, "componentType", type);
	tn_wb_node_put_relations(e->out, type);
	put_node(e->out, "activeRoute", tn_wb_session_active_route(e->session, &e->arena));
	tn_json_end_object(e->out);
}

static void put_sources(struct enriching *e)
{
	const struct tn_wb_graph *graph = e->site->graph;
	const struct tn_wb_node *type =
		graph ? tn_wb_graph_find(graph, "componentType", e->selected->type_id) : NULL;
	struct tn_json *node = NULL;
	struct tenon_error err;

	if (type && tn_json_parse_copy(&e->arena, tn_wb_node_json(type), &node, &err) != TENON_OK)
		node = NULL;
	if (e->selected->source.size)
		tn_json_put_member_raw(e->out, "source", e->selected->source);
	else
		tn_json_put_member_null(e->out, "source");
	tn_json_put_key(e->out, "definition");
	tn_json_put_value(e->out, tn_json_get(node, "source"));
}

void tn_wb_session_put_ancestors(struct tn_buf *out, const struct tn_wb_session *session)
{
	const struct tn_wb_instance *selected = session->selection.instance, *at;
	struct tn_str parent = {0};

	tn_json_begin_array(out);
	at = selected ? tn_map_get(&session->instances, selected->id) : NULL;
	if (selected)
		parent = at ? at->parent_id : selected->parent_id;
	for (int i = 0; parent.size && i < TN_WB_ANCESTORS_MAX; i++) {
		at = tn_map_get(&session->instances, parent);
		if (!at)
			break;
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "instanceId", at->id);
		tn_json_put_member_str(out, "componentTypeId", at->type_id);
		tn_json_put_member_str(out, "displayName",
				       at->display_name.size ? at->display_name : at->type_id);
		tn_json_end_object(out);
		parent = at->parent_id;
	}
	tn_json_end_array(out);
}

static bool gather(struct enriching *e)
{
	const struct tn_wb_site *site = e->site;
	struct tn_json *selected = NULL;
	struct tenon_error err;
	size_t first = 0;

	if (tn_json_parse_copy(&e->arena, e->selected->text, &selected, &err) != TENON_OK)
		return false;
	e->baseline = tn_json_get(selected, "props");
	e->layer = tn_json_get_str(site->prop_defaults, e->selected->type_id);
	if (site->registry)
		e->entry = tn_wb_registry_find(site->registry, e->selected->type_id);
	if (!site->drafts)
		return true;
	e->slot_count = tn_wb_document_instance(tn_wb_drafts_document(site->drafts),
						e->session->group, e->selected->id, &first);
	if (e->slot_count)
		e->slots = tn_wb_drafts_document(site->drafts)->slots + first;
	return true;
}

static void put_enriched(struct enriching *e)
{
	put_match(e);
	put_props(e);
	put_overrides(e);
	put_graph(e);
	put_sources(e);
	tn_json_put_key(e->out, "ancestors");
	tn_wb_session_put_ancestors(e->out, e->session);
}

void tn_wb_session_put_selection(struct tn_buf *out, const struct tn_wb_session *session)
{
	const struct tn_wb_selection *selection = &session->selection;
	struct enriching e = {.session = session,
			      .site = &session->set->site,
			      .selected = selection->instance,
			      .out = out};
	char at[TN_CLOCK_ISO_SIZE];

	if (!selection->caused_by) {
		tn_json_put_null(out);
		return;
	}
	tn_clock_format_iso(selection->changed_wall_ms, at);
	tn_arena_init(&e.arena, TN_WB_SESSION_BYTES_MAX);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "sessionId", session->id);
	tn_json_put_member_text(out, "changedAt", at);
	tn_json_put_member_text(out, "causedBy", selection->caused_by);
	tn_json_put_key(out, "selected");
	if (selection->instance)
		tn_json_put_raw(out, selection->instance->text);
	else
		tn_json_put_null(out);
	if (selection->instance && gather(&e))
		put_enriched(&e);
	tn_json_end_object(out);
	tn_arena_finish(&e.arena);
}

void tn_wb_sessions_put_selection(struct tn_buf *out, const struct tn_wb_sessions *set)
{
	const struct tn_wb_session *active = set->active;

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "activeSessionId", active ? active->id : NULL);
	tn_json_put_key(out, "current");
	if (active && active->selection.instance)
		tn_wb_session_put_selection(out, active);
	else
		tn_json_put_null(out);
	tn_json_put_key(out, "others");
	tn_json_begin_array(out);
	for (const struct tn_wb_session *at = set->first; at; at = at->next) {
		if (at == active)
			continue;
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "sessionId", at->id);
		tn_json_put_key(out, "selected");
		if (at->selection.instance)
			tn_json_put_raw(out, at->selection.instance->text);
		else
			tn_json_put_null(out);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_json_end_object(out);
}
