/* copy_resources: nodes with all they hold, within a project, between two, or from a document
 * (studio.md 15.8, studio-canvas.md SC-014). Which nodes, and from where. */
#include "apps/studio/edit/internal.h"

#include "apps/studio/limits.h"
#include "apps/studio/project/project.h"

/* ---- where from ---- */

static bool is_called(const struct tn_studio_project *project, const char *which)
{
	return strcmp(project->id, which) == 0 || strcmp(project->path, which) == 0;
}

/* NULL: there is none in the list. */
static struct tn_studio_project *find_frozen(struct tn_studio_project *first, const char *which)
{
	while (first && !is_called(first, which))
		first = first->next;
	return first;
}

/* On a fork the table is not to be looked into: a worker may be there. */
static struct tn_studio_project *find_source(const struct tn_studio_edit *edit, const char *which)
{
	struct tn_studio_projects *projects = edit->project->projects;
	struct tn_studio_project *found;
	struct tn_buf resolved;
	char whole[PATH_MAX];
	const char *path =
		tn_place_from(tn_studio_projects_roots(projects), edit->folder, which, whole);

	if (edit->project->own) {
		found = tn_studio_project_find(projects, which, edit->fault);
		return found || path == which ? found
					      : tn_studio_project_find(projects, path, edit->fault);
	}
	if (is_called(edit->project, which))
		return edit->project;
	found = find_frozen(edit->others, which);
	tn_buf_init(&resolved, TN_STUDIO_FILE_BYTES_MAX);
	if (!found && path[0] == '/' && tn_studio_path_allowed(projects, path, &resolved, NULL))
		found = is_called(edit->project, resolved.data)
				? edit->project
				: find_frozen(edit->others, resolved.data);
	tn_buf_finish(&resolved);
	if (!found)
		tn_studio_project_fail_closed(which, edit->fault);
	return found;
}

static bool choose_source(struct tn_studio_copy *copy)
{
	struct tn_studio_edit *edit = copy->edit;
	struct tn_str which = tn_studio_edit_text(copy->arguments, "fromProject");
	bool ids = tn_json_get(copy->arguments, "instanceIds") != NULL;

	if (ids == (tn_json_get(copy->arguments, "document") != NULL))
		return tn_studio_fail(edit->fault, "INVALID_INPUT",
				      "send either instanceIds or a document");
	copy->from = ids ? edit->project : NULL;
	if (ids && which.size > 0)
		copy->from = find_source(edit, which.data);
	copy->within = ids && copy->from == edit->project;
	return !ids || copy->from != NULL;
}

/* ---- what is copied ---- */

static bool take(struct tn_studio_copy *copy, const struct tn_json *record)
{
	struct tn_studio_copied *one = &copy->all[copy->count];
	struct tn_str id = tn_studio_edit_text(record, "id");

	if (id.size == 0)
		id = tn_studio_edit_text(record, "instanceId");
	if (tn_map_get(&copy->by_id, id))
		return true;
	*one = (struct tn_studio_copied){.record = tn_json_copy(copy->edit->arena, record)};
	if (!one->record || tn_map_put(&copy->by_id, id, one, NULL) != TENON_OK)
		return tn_studio_edit_no_memory(copy->edit);
	one->old_id = tn_studio_keep(copy->edit, id);
	copy->count++;
	return true;
}

static bool make_room(struct tn_studio_copy *copy, size_t count)
{
	if (count > TN_STUDIO_NODES_MAX)
		return tn_studio_fail(copy->edit->fault, "LIMIT_EXCEEDED",
				      "%zu nodes; at most %d are copied at once", count,
				      TN_STUDIO_NODES_MAX);
	copy->all = tn_arena_alloc_array(copy->edit->arena, count + 1, sizeof(*copy->all));
	return copy->all || tn_studio_edit_no_memory(copy->edit);
}

static bool is_chosen(const struct tn_studio_copy *copy, const struct tn_studio_node *node)
{
	for (; node; node = node->parent) {
		if (tn_map_get(&copy->by_id, node->id))
			return true;
	}
	return false;
}

/* Those that are named, and whatever stands in them. */
static bool gather_nodes(struct tn_studio_copy *copy)
{
	const struct tn_studio_document *document = &copy->from->document;
	const struct tn_json *ids = tn_json_get(copy->arguments, "instanceIds");

	if (!make_room(copy, document->node_count))
		return false;
	for (const struct tn_json *at = tn_studio_edit_first(ids); at; at = at->next) {
		const struct tn_studio_node *node = tn_studio_node_find(document, at->text);

		if (!node)
			return tn_studio_fail(copy->edit->fault, "NOT_FOUND",
					      "there is no node '%.*s' to copy", (int)at->text.size,
					      at->text.data);
		if (!take(copy, node->record))
			return false;
	}
	for (size_t i = 0; i < document->node_count; i++) {
		if (is_chosen(copy, document->nodes[i]) && !take(copy, document->nodes[i]->record))
			return false;
	}
	return true;
}

static bool gather(struct tn_studio_copy *copy)
{
	const struct tn_json *nodes =
		tn_json_get(tn_json_get(copy->arguments, "document"), "nodes");

	if (copy->from ? !gather_nodes(copy) : !make_room(copy, nodes ? nodes->count : 0))
		return false;
	for (const struct tn_json *at = copy->from ? NULL : tn_studio_edit_first(nodes); at;
	     at = at->next) {
		if (!take(copy, at))
			return false;
	}
	for (size_t i = 0; i < copy->count; i++) {
		struct tn_studio_copied *parent = tn_map_get(
			&copy->by_id, tn_studio_edit_text(copy->all[i].record, "parentId"));

		if (parent && parent != &copy->all[i])
			copy->all[i].parent = (uint32_t)(parent - copy->all) + 1;
	}
	return copy->count > 0 ||
	       tn_studio_fail(copy->edit->fault, "INVALID_INPUT", "there is nothing to copy");
}

/* ---- the whole ---- */

static bool answer(struct tn_studio_copy *copy, struct tn_buf *result)
{
	const struct tn_json *edges = tn_json_maker_end(&copy->edges);
	const struct tn_json *dropped = tn_json_maker_end(&copy->dropped);

	if (!edges || !dropped)
		return tn_studio_edit_no_memory(copy->edit);
	tn_json_put_key(result, "copies");
	tn_json_begin_object(result);
	for (size_t i = 0; i < copy->count; i++) {
		tn_json_put_key_str(result, copy->all[i].old_id);
		tn_json_put_str(result, copy->all[i].new_id);
	}
	tn_json_end_object(result);
	tn_json_put_key(result, "edges");
	tn_json_put_value(result, edges);
	tn_json_put_key(result, "dropped");
	tn_json_put_value(result, dropped);
	return true;
}

static bool copy_all(struct tn_studio_copy *copy, struct tn_buf *result)
{
	struct tn_studio_edit *edit = copy->edit;

	if (!choose_source(copy) || !gather(copy) || !tn_studio_copy_add_all(copy))
		return false;
	for (size_t i = 0; i < copy->count; i++)
		tn_studio_copy_complete(copy, &copy->all[i]);
	if (!tn_studio_copy_edges(copy))
		return false;
	if (copy->count == 1)
		tn_studio_edit_say(edit, "Copy '%.*s'",
				   (int)tn_studio_edit_text(copy->all[0].record, "label").size,
				   tn_studio_edit_text(copy->all[0].record, "label").data);
	else
		tn_studio_edit_say(edit, "Copy %zu resources", copy->count);
	edit->steps = 0; /* those of which it is made are one */
	return answer(copy, result);
}

static bool copy_step(struct tn_studio_edit *edit, const struct tn_json *arguments,
		      struct tn_buf *result)
{
	struct tn_studio_copy copy = {.edit = edit, .arguments = arguments};
	unsigned steps = edit->steps;
	bool done;

	tn_map_init(&copy.by_id);
	tn_json_maker_begin(&copy.dropped, edit->arena, TN_JSON_ARRAY);
	tn_json_maker_begin(&copy.edges, edit->arena, TN_JSON_ARRAY);
	done = copy_all(&copy, result);
	tn_map_finish(&copy.by_id);
	edit->steps = steps;
	return done;
}

bool tn_studio_edit_copy(struct tn_studio_edit *edit, const struct tn_json *arguments,
			 struct tn_buf *result)
{
	return tn_studio_edit_run(edit, copy_step, arguments, result);
}
