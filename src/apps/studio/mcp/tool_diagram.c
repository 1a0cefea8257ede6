/* get_diagram: everything that is on the canvas (FR-26). */
#include <string.h>

#include "apps/studio/mcp/tools.h"
#include "apps/studio/picture/outline.h"
#include "apps/studio/limits.h"
#include "apps/studio/mcp/tool_state.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

static bool is_included(const struct tn_json *arguments, const char *what)
{
	const struct tn_json *include = tn_json_get(arguments, "include");

	for (const struct tn_json *at = include ? include->first : NULL; at; at = at->next) {
		if (tn_str_is(at->text, what))
			return true;
	}
	return false;
}

/* The estimates by id, as JSON in the arena. */
static bool read_costs(struct tn_studio_act *act, const struct tn_json **ret)
{
	const struct tn_studio_cost_options options = {.node_ids = NULL};
	struct tn_json *estimate = NULL;
	struct tn_buf json, text;
	bool good;

	tn_buf_init(&json, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_init(&text, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&json);
	good = tn_studio_estimate(&act->project->document, act->prices, &options, act->arena, &json,
				  &text, act->fault);
	tn_json_end_object(&json);
	if (good && (json.failed || tn_json_parse_copy(act->arena, tn_buf_str(&json), &estimate,
						       NULL) != TENON_OK))
		good = tn_studio_fail_memory(act->fault);
	*ret = tn_json_get(estimate, "estimates");
	tn_buf_finish(&json);
	tn_buf_finish(&text);
	return good;
}

struct included {
	struct tn_studio_node_extras extras;
	struct tn_studio_diagnostics problems;
	struct tn_studio_generated generated;
};

/* Those of each node by themselves, by its order. */
static bool part_problems(struct tn_studio_act *act, struct included *included)
{
	const struct tn_studio_document *document = &act->project->document;
	const struct tn_studio_diagnostic *at = included->problems.first;
	struct tn_studio_diagnostics *lists =
		tn_arena_alloc_array(act->arena, document->node_count + 1, sizeof(*lists));

	for (; lists && at; at = at->next) {
		const struct tn_studio_node *node = tn_studio_node_find(document, at->node_id);

		if (node && !tn_studio_diagnostics_add(&lists[node->order], act->arena, at))
			lists = NULL;
	}
	included->extras.diagnostics = lists;
	return lists || tn_studio_fail_memory(act->fault);
}

static bool include(struct tn_studio_act *act, const struct tn_json *arguments,
		    struct included *ret)
{
	const struct tn_studio_project *project = act->project;
	const struct tn_studio_generate_options options = {
		.project_name = tn_str_from(project->name), .secrets = project->secrets};
	const struct tn_studio_check_options check = {.known_variables = project->secrets,
						      .deployed = tn_studio_status_deployed,
						      .status = project->status};

	*ret = (struct included){.extras = {.defaults = is_included(arguments, "defaults"),
					    .layout = is_included(arguments, "layout")}};
	tn_studio_diagnostics_init(&ret->problems, act->arena);
	if (is_included(arguments, "diagnostics") || is_included(arguments, "addresses")) {
		if (!tn_studio_generate(&project->document, &options, act->arena, &ret->problems,
					&ret->generated))
			return tn_studio_fail_memory(act->fault);
	}
	if (is_included(arguments, "addresses"))
		ret->extras.addresses = &ret->generated;
	if (is_included(arguments, "diagnostics")) {
		tn_studio_check(&project->document, &check, &ret->problems);
		if (!part_problems(act, ret))
			return false;
	}
	return !is_included(arguments, "costs") || read_costs(act, &ret->extras.costs);
}

static void put_list(struct tn_buf *out, const char *key, const struct tn_json *value)
{
	tn_json_put_key(out, key);
	if (value)
		tn_json_put_value(out, value);
	else
		tn_json_put_raw(out, TN_STR("[]"));
}

static void put_edges(struct tn_buf *result, const struct tn_studio_edge *edges, size_t count)
{
	tn_json_put_key(result, "edges");
	tn_json_begin_array(result);
	for (size_t i = 0; i < count; i++)
		tn_studio_put_edge(result, &edges[i]);
	tn_json_end_array(result);
}

static void put_part(struct tn_buf *text, const char *key, const struct tn_json *value)
{
	if (!value || value->count == 0)
		return;
	tn_buf_format(text, "%s:", key);
	tn_json_put_value(text, value);
	tn_buf_append_byte(text, '\n');
}

static void put_text(struct tn_studio_act *act, const struct tn_studio_node_extras *extras,
		     const struct tn_studio_edge *edges, size_t count)
{
	const struct tn_studio_project *project = act->project;
	const struct tn_studio_document *document = &project->document;
	const struct tn_studio_outline outline = {.document = document,
						  .status = project->status,
						  .secrets = project->secrets,
						  .extras = extras,
						  .arena = act->arena};

	tn_buf_format(act->text, "%zu nodes, %zu edges, revision %llu of \"", document->node_count,
		      count, (unsigned long long)tn_oplog_revision(project->log));
	tn_utf8_put_line(act->text, tn_str_from(project->name));
	tn_buf_format(act->text, "\"%s (%s, ",
		      tn_studio_project_is_dirty(project) ? ", not saved" : "", project->id);
	tn_utf8_put_line(act->text, tn_str_from(project->path));
	tn_buf_append_text(act->text, ")\n");
	tn_studio_outline(act->text, &outline, edges, count);
	put_part(act->text, "modules", document->modules);
	put_part(act->text, "instances", document->instances);
}

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	const struct tn_studio_project *project = act->project;
	const struct tn_studio_document *document = &project->document;
	const struct tn_studio_edge *edges = NULL;
	struct included included;
	struct tenon_error err = {0};
	size_t count = 0;

	if (!include(act, arguments, &included))
		return false;
	if (tn_studio_edges_all(document, act->arena, &edges, &count, &err) != TENON_OK)
		return tn_studio_fail_error(act->fault, &err);
	tn_json_put_key(result, "nodes");
	tn_json_begin_array(result);
	for (size_t i = 0; i < document->node_count; i++)
		tn_studio_put_node(result, document, document->nodes[i], project->status,
				   project->secrets, &included.extras, act->arena);
	tn_json_end_array(result);
	put_edges(result, edges, count);
	put_list(result, "modules", document->modules);
	put_list(result, "instances", document->instances);
	tn_json_put_member_int(result, "revision", (int64_t)tn_oplog_revision(project->log));
	tn_json_put_key(result, "project");
	tn_studio_project_put(result, project);
	put_text(act, &included.extras, edges, count);
	return true;
}

const struct tn_studio_action tn_studio_action_diagram = {.needs_prices = true, .run = run};
