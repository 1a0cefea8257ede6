/* skaffa://workspace/graph and what is below it: the graph, its patches, one node. */
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

static bool is_too_large(const struct tn_wb_look *look)
{
	return tn_wb_graph_bytes(look->workspace->graph) > look->bytes_max;
}

/* M4 */
static void put_truncated(struct tn_buf *out, const struct tn_wb_look *look)
{
	const struct tn_wb_graph *graph = look->workspace->graph;
	struct tenon_error err;
	size_t left = 0;

	tn_json_put_member_bool(out, "truncated", true);
	tn_json_put_member_int(out, "revision", (int64_t)tn_wb_graph_revision(graph));
	tn_json_put_member_text(out, "template", "skaffa://workspace/graph/node/{kind}/{id}");
	tn_json_put_key(out, "index");
	if (tn_wb_graph_put_index(graph, look->bytes_max, out, &left, &err) != TENON_OK)
		tn_json_put_null(out);
	if (left)
		tn_json_put_member_int(out, "leftOut", (int64_t)left);
}

static void put_whole(struct tn_buf *out, const struct tn_wb_graph *graph)
{
	struct tenon_error err;

	tn_json_put_key(out, "graph");
	if (tn_wb_graph_put_snapshot(graph, out, &err) != TENON_OK)
		tn_json_put_null(out);
}

enum tn_wb_seen tn_wb_see_graph(struct tn_wb_look *look)
{
	struct tn_buf *out = look->data;
	const struct tn_wb_graph *graph;

	if (!tn_wb_look_loaded(look))
		return TN_WB_SEEN;
	graph = look->workspace->graph;
	tn_json_begin_object(out);
	if (is_too_large(look))
		put_truncated(out, look);
	else
		put_whole(out, graph);
	tn_json_put_member_int(out, "withheldEdges", (int64_t)tn_wb_graph_withheld(graph));
	tn_json_put_key(out, "diagnostics");
	tn_wb_diagnostics_put(out, &look->workspace->graph_diagnostics);
	tn_json_end_object(out);
	return TN_WB_SEEN;
}

/* ---- patches (N5, N6) ---- */

static void put_range(struct tn_buf *out, const struct tn_wb_look *look, int64_t from)
{
	tn_json_put_member_text(out, "epoch", look->workspace->epoch);
	if (from < 0)
		tn_json_put_member_null(out, "from");
	else
		tn_json_put_member_int(out, "from", from);
	tn_json_put_member_int(out, "to", (int64_t)tn_wb_graph_revision(look->workspace->graph));
}

static void put_patches(struct tn_buf *out, const struct tn_wb_look *look, uint64_t since)
{
	put_range(out, look, (int64_t)since);
	tn_json_put_key(out, "patches");
	tn_json_begin_array(out);
	(void)tn_wb_graph_put_patches(look->workspace->graph, since, out);
	tn_json_end_array(out);
	tn_json_put_member_bool(out, "resync", false);
}

static void put_resync(struct tn_buf *out, const struct tn_wb_look *look)
{
	const struct tn_wb_graph *graph = look->workspace->graph;

	put_range(out, look, -1);
	tn_json_put_key(out, "patches");
	tn_json_begin_array(out);
	tn_json_end_array(out);
	tn_json_put_member_bool(out, "resync", true);
	if (is_too_large(look))
		put_truncated(out, look);
	else
		put_whole(out, graph);
}

enum tn_wb_seen tn_wb_see_patches(struct tn_wb_look *look, const char *epoch, const char *since)
{
	struct tn_buf *out = look->data;
	const struct tn_wb_graph *graph;
	uint64_t from;

	if (since && !tn_str_to_uint(tn_str_from(since), &from)) {
		look->message = "since is a revision of the graph: an integer of 0 or more";
		return TN_WB_MALFORMED;
	}
	if (!tn_wb_look_loaded(look))
		return TN_WB_SEEN;
	graph = look->workspace->graph;
	if (!since)
		from = tn_wb_graph_newest_within(graph, look->bytes_max);
	tn_json_begin_object(out);
	if ((epoch && strcmp(epoch, look->workspace->epoch) != 0) ||
	    from > tn_wb_graph_revision(graph) ||
	    from < tn_wb_graph_newest_within(graph, look->bytes_max))
		put_resync(out, look);
	else
		put_patches(out, look, from);
	tn_json_end_object(out);
	return TN_WB_SEEN;
}

/* ---- one node ---- */

enum tn_wb_seen tn_wb_see_node(struct tn_wb_look *look, const char *kind, const char *id)
{
	const struct tn_wb_node *node;

	if (strcmp(kind, "route") != 0 && strcmp(kind, "componentType") != 0) {
		look->message = "the kind of a node is route or componentType";
		return TN_WB_MALFORMED;
	}
	if (!tn_wb_look_loaded(look))
		return TN_WB_SEEN;
	node = tn_wb_graph_find(look->workspace->graph, kind, tn_str_from(id));
	if (!node)
		return TN_WB_NOT_THERE;
	tn_json_put_raw(look->data, tn_wb_node_json(node));
	return TN_WB_SEEN;
}
