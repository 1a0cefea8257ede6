#include "apps/studio/mcp/reading.h"

#include <stdio.h>
#include <string.h>

#include "apps/studio/document/config.h"
#include "apps/studio/limits.h"
#include "apps/studio/status/ghost.h"
#include "jsonrpc/json_write.h"

struct maker {
	struct tn_studio_reading *reading;
	const struct tn_studio_project *project;
	struct tn_arena *arena;
	struct tn_buf text, lean; /* of one entry */
	bool failed;
};

/* ---- nodes ---- */

/* Stored members that a model does not need: places are what `include` layout tells, and an id is
 * told once. */
static bool is_left_out(struct tn_str key)
{
	return tn_str_is(key, "id") || tn_str_is(key, "position") || tn_str_is(key, "size") ||
	       tn_str_is(key, "properties") || tn_str_is(key, "references") ||
	       tn_str_is(key, "rev");
}

/* For a model (hosts.md HO-003): what follows from the rest is not repeated. */
static void put_node_lean(struct tn_buf *out, const struct tn_studio_project *project,
			  const struct tn_studio_node *node,
			  const struct tn_studio_node_extras *extras, struct tn_arena *arena)
{
	const struct tn_studio_document *document = &project->document;
	struct tn_studio_scope scope = tn_studio_scope_of(document, node, arena);
	const struct tn_json *name = tn_studio_value_by_key(&scope, TN_STR("name"));
	const char *status = tn_studio_status_of(project->status, node->id);

	tn_json_begin_object(out);
	tn_json_put_member_str(out, "id", node->id);
	for (const struct tn_json *at = node->record ? node->record->first : NULL; at;
	     at = at->next) {
		if (!is_left_out(at->key)) {
			tn_json_put_key_str(out, at->key);
			tn_json_put_value(out, at);
		}
	}
	tn_json_put_key(out, "properties");
	tn_studio_put_properties(out, node, project->secrets);
	if (strcmp(status, "pending") != 0)
		tn_json_put_member_text(out, "deploymentStatus", status);
	if (tn_json_is(name, TN_JSON_STRING) && !tn_json_get(node->properties, "name"))
		tn_json_put_member_str(out, "effectiveName", name->text);
	tn_json_put_key(out, "effectiveReferences");
	tn_studio_put_references(out, document, node);
	tn_json_put_member_int(out, "rev", (int64_t)node->rev);
	tn_studio_put_extras(out, node, &scope, extras);
	tn_json_end_object(out);
}

/* What a buffer has, for as long as the arena. */
static struct tn_str keep(struct maker *maker, const struct tn_buf *text)
{
	const char *copy = text->failed ? NULL : tn_arena_copy(maker->arena, tn_buf_str(text));

	maker->failed |= !copy;
	return tn_str(copy, copy ? text->size : 0);
}

static uint64_t hash(const struct maker *maker, const char *text, size_t size)
{
	return maker->reading->noted ? tn_digest_short(tn_str(text, size), maker->reading->key) : 0;
}

static void read_node(struct maker *maker, const struct tn_studio_node *node)
{
	const struct tn_studio_project *project = maker->project;
	struct tn_studio_reading *reading = maker->reading;
	struct tn_studio_read_node *read = &reading->nodes[node->order];
	size_t ends[TN_STUDIO_FACETS], start = 0;

	read->node = node;
	tn_buf_clear(&maker->text);
	if (!reading->lean || reading->noted)
		tn_studio_put_node(&maker->text, &project->document, node, project->status,
				   project->secrets, &reading->view.extras, maker->arena, ends);
	for (int i = 0; reading->noted && !maker->text.failed && i < TN_STUDIO_FACETS; i++) {
		read->hashes[i] = hash(maker, maker->text.data + start, ends[i] - start);
		start = ends[i];
	}
	tn_buf_clear(&maker->lean);
	if (reading->lean)
		put_node_lean(&maker->lean, project, node, &reading->view.extras, maker->arena);
	read->text = keep(maker, reading->lean ? &maker->lean : &maker->text);
}

/* ---- edges ---- */

static void read_edge(struct maker *maker, size_t index)
{
	const struct tn_studio_view *view = &maker->reading->view;
	struct tn_studio_read_edge *read = &maker->reading->edges[index];

	read->id = view->edges[index].id;
	read->derived = view->edges[index].derived;
	tn_buf_clear(&maker->text);
	tn_studio_put_edge(&maker->text, &view->edges[index]);
	read->text = keep(maker, &maker->text);
	read->hash = hash(maker, read->text.data, read->text.size);
	if (!view->routes)
		return;
	tn_buf_clear(&maker->text);
	tn_studio_put_route(&maker->text, &view->routes[index]);
	read->route = keep(maker, &maker->text);
	read->route_hash = hash(maker, read->route.data, read->route.size);
}

/* ---- the rest ---- */

static void put_array(struct tn_buf *out, const struct tn_json *value)
{
	if (value)
		tn_json_put_value(out, value);
	else
		tn_json_put_raw(out, TN_STR("[]"));
}

static void put_config(struct tn_buf *out, const struct tn_studio_document *document)
{
	struct tn_buf paths, hints;

	tn_buf_init(&paths, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_init(&hints, TN_STUDIO_RESULT_BYTES_MAX);
	tn_studio_config_put(out, document, &paths, &hints);
	tn_buf_finish(&paths);
	tn_buf_finish(&hints);
}

/* Those of no node. */
static void put_problems(struct tn_buf *out, const struct maker *maker)
{
	tn_json_begin_array(out);
	for (const struct tn_studio_diagnostic *at = maker->reading->view.problems.first; at;
	     at = at->next) {
		if (!tn_studio_node_find(&maker->project->document, at->node_id))
			tn_studio_diagnostic_put(out, at);
	}
	tn_json_end_array(out);
}

static void put_part(const struct maker *maker, enum tn_studio_followed part, struct tn_buf *out)
{
	const struct tn_studio_project *project = maker->project;

	switch (part) {
	case TN_STUDIO_FOLLOW_MODULES:
		put_array(out, project->document.modules);
		break;
	case TN_STUDIO_FOLLOW_INSTANCES:
		put_array(out, project->document.instances);
		break;
	case TN_STUDIO_FOLLOW_CONFIG:
		put_config(out, &project->document);
		break;
	case TN_STUDIO_FOLLOW_PROJECT:
		tn_studio_project_put(out, project);
		break;
	case TN_STUDIO_FOLLOW_GHOSTS:
		tn_studio_ghosts_put(out, project->status, &project->document);
		break;
	case TN_STUDIO_FOLLOW_PROBLEMS:
		put_problems(out, maker);
		break;
	default:
		tn_json_put_value(out, tn_json_get(maker->reading->view.estimate, "total"));
	}
}

static void read_parts(struct maker *maker)
{
	static const unsigned needs[TN_STUDIO_FOLLOW_PARTS] = {
		[TN_STUDIO_FOLLOW_GHOSTS] = TN_STUDIO_WITH_GHOSTS,
		[TN_STUDIO_FOLLOW_PROBLEMS] = TN_STUDIO_WITH_DIAGNOSTICS,
		[TN_STUDIO_FOLLOW_COSTS] = TN_STUDIO_WITH_COSTS};

	for (int i = 0; i < TN_STUDIO_FOLLOW_PARTS; i++) {
		struct tn_studio_read_part *part = &maker->reading->parts[i];

		if (needs[i] & ~maker->reading->view.with)
			continue;
		tn_buf_clear(&maker->text);
		put_part(maker, (enum tn_studio_followed)i, &maker->text);
		part->text = keep(maker, &maker->text);
		part->hash = hash(maker, part->text.data, part->text.size);
	}
}

/* ---- all of it ---- */

static bool make_room(struct maker *maker)
{
	struct tn_studio_reading *reading = maker->reading;

	reading->node_count = maker->project->document.node_count;
	reading->edge_count = reading->view.edge_count;
	reading->nodes = tn_arena_alloc_array(maker->arena, reading->node_count + 1,
					      sizeof(*reading->nodes));
	reading->edges = tn_arena_alloc_array(maker->arena, reading->edge_count + 1,
					      sizeof(*reading->edges));
	return reading->nodes && reading->edges;
}

bool tn_studio_reading_make(struct tn_studio_reading *reading, struct tn_studio_act *act,
			    unsigned with)
{
	struct maker maker = {.reading = reading, .project = act->project, .arena = act->arena};

	reading->lean = act->lean;
	reading->status = act->project->status;
	reading->revision = tn_studio_project_revision(act->project);
	(void)snprintf(reading->project_id, sizeof(reading->project_id), "%s", act->project->id);
	if (!tn_studio_view_make(act->project, act->prices, with, act->arena, act->fault,
				 &reading->view))
		return false;
	if (!make_room(&maker))
		return tn_studio_fail_memory(act->fault);
	tn_buf_init(&maker.text, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_init(&maker.lean, TN_STUDIO_RESULT_BYTES_MAX);
	for (size_t i = 0; i < reading->node_count; i++)
		read_node(&maker, act->project->document.nodes[i]);
	for (size_t i = 0; i < reading->edge_count; i++)
		read_edge(&maker, i);
	if (reading->noted)
		read_parts(&maker);
	tn_buf_finish(&maker.text);
	tn_buf_finish(&maker.lean);
	return !maker.failed || tn_studio_fail_memory(act->fault);
}

/* To a model an edge that pictures a reference is that reference. */
void tn_studio_reading_put(const struct tn_studio_reading *reading, struct tn_buf *out)
{
	tn_json_put_key(out, "nodes");
	tn_json_begin_array(out);
	for (size_t i = 0; i < reading->node_count; i++)
		tn_json_put_raw(out, reading->nodes[i].text);
	tn_json_end_array(out);
	tn_json_put_key(out, "edges");
	tn_json_begin_array(out);
	for (size_t i = 0; i < reading->edge_count; i++) {
		if (!reading->lean || !reading->edges[i].derived)
			tn_json_put_raw(out, reading->edges[i].text);
	}
	tn_json_end_array(out);
	if (!reading->view.routes)
		return;
	tn_json_put_key(out, "routes");
	tn_json_begin_object(out);
	for (size_t i = 0; i < reading->edge_count; i++) {
		tn_json_put_key_str(out, reading->edges[i].id);
		tn_json_put_raw(out, reading->edges[i].route);
	}
	tn_json_end_object(out);
}
