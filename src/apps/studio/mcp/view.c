#include "apps/studio/mcp/view.h"

#include "apps/studio/limits.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

unsigned tn_studio_with(const struct tn_json *include)
{
	static const char *const names[] = {"defaults",  "layout", "diagnostics", "costs",
					    "addresses", "routes", "ghosts"};
	unsigned with = 0;

	for (const struct tn_json *at = include ? include->first : NULL; at; at = at->next) {
		for (unsigned i = 0; i < TN_COUNT(names); i++) {
			if (tn_str_is(at->text, names[i]))
				with |= 1u << i;
		}
	}
	return with;
}

/* The estimates by id, as JSON in the arena. */
static bool read_costs(const struct tn_studio_project *project,
		       const struct tn_studio_prices *prices, struct tn_arena *arena,
		       struct tn_studio_fault *fault, struct tn_studio_view *view)
{
	const struct tn_studio_cost_options options = {.node_ids = NULL};
	struct tn_json *estimate = NULL;
	struct tn_buf json, text;
	bool good;

	tn_buf_init(&json, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_init(&text, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&json);
	good = tn_studio_estimate(&project->document, prices, &options, arena, &json, &text, fault);
	tn_json_end_object(&json);
	if (good && (json.failed ||
		     tn_json_parse_copy(arena, tn_buf_str(&json), &estimate, NULL) != TENON_OK))
		good = tn_studio_fail_memory(fault);
	view->estimate = estimate;
	view->extras.costs = tn_json_get(estimate, "estimates");
	tn_buf_finish(&json);
	tn_buf_finish(&text);
	return good;
}

/* Those of each node by themselves, by its order. */
static bool part_problems(const struct tn_studio_document *document, struct tn_arena *arena,
			  struct tn_studio_view *view)
{
	struct tn_studio_diagnostics *lists =
		tn_arena_alloc_array(arena, document->node_count + 1, sizeof(*lists));

	for (const struct tn_studio_diagnostic *at = view->problems.first; lists && at;
	     at = at->next) {
		const struct tn_studio_node *node = tn_studio_node_find(document, at->node_id);

		if (node && !tn_studio_diagnostics_add(&lists[node->order], arena, at))
			lists = NULL;
	}
	view->extras.diagnostics = lists;
	return lists != NULL;
}

static bool generate(const struct tn_studio_project *project, const struct tn_studio_prices *prices,
		     struct tn_arena *arena, struct tn_studio_view *view)
{
	const struct tn_studio_generate_options options = {
		.project_name = tn_str_from(project->name), .secrets = project->secrets};
	const struct tn_studio_check_options check = {
		.deployed = tn_studio_status_deployed, .status = project->status, .prices = prices};

	/* First, because generation says nothing again. */
	if (view->with & TN_STUDIO_WITH_DIAGNOSTICS)
		tn_studio_check(&project->document, &check, &view->problems);
	if (!tn_studio_generate(&project->document, &options, arena, &view->problems,
				&view->generated))
		return false;
	if (view->with & TN_STUDIO_WITH_ADDRESSES)
		view->extras.addresses = &view->generated;
	if (!(view->with & TN_STUDIO_WITH_DIAGNOSTICS))
		return true;
	return part_problems(&project->document, arena, view);
}

bool tn_studio_view_make(const struct tn_studio_project *project,
			 const struct tn_studio_prices *prices, unsigned with,
			 struct tn_arena *arena, struct tn_studio_fault *fault,
			 struct tn_studio_view *ret)
{
	const struct tn_studio_document *document = &project->document;
	struct tenon_error err = {0};

	*ret = (struct tn_studio_view){.with = with,
				       .extras = {.defaults = (with & TN_STUDIO_WITH_DEFAULTS) != 0,
						  .layout = (with & TN_STUDIO_WITH_LAYOUT) != 0}};
	tn_studio_diagnostics_init(&ret->problems, arena);
	if (tn_studio_edges_all(document, arena, &ret->edges, &ret->edge_count, &err) != TENON_OK)
		return tn_studio_fail_error(fault, &err);
	if ((with & (TN_STUDIO_WITH_DIAGNOSTICS | TN_STUDIO_WITH_ADDRESSES)) &&
	    !generate(project, prices, arena, ret))
		return tn_studio_fail_memory(fault);
	if ((with & TN_STUDIO_WITH_ROUTES) &&
	    !tn_studio_routes(document, ret->edges, ret->edge_count, arena, &ret->routes))
		return tn_studio_fail_memory(fault);
	return !(with & TN_STUDIO_WITH_COSTS) || read_costs(project, prices, arena, fault, ret);
}

void tn_studio_put_route(struct tn_buf *out, const struct tn_studio_route *route)
{
	tn_json_begin_array(out);
	for (unsigned i = 0; i < route->point_count; i++) {
		tn_json_begin_array(out);
		tn_json_put_int(out, route->points[i].x);
		tn_json_put_int(out, route->points[i].y);
		tn_json_end_array(out);
	}
	tn_json_end_array(out);
}
