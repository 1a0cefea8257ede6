/* skaffa://workspace/graph and what is below it: the graph, its patches, one node. */
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

static bool is_too_large(const struct tn_wb_look *look)
{
	return tn_wb_graph_bytes(look->workspace->graph) > look->bytes_max;
}

/* Where a part begins, in the graph of a turn: "TURN.PLACE". */
static void put_cursor(struct tn_buf *out, const struct tn_wb_graph *graph, size_t place)
{
	char cursor[48];

	(void)snprintf(cursor, sizeof(cursor), "%llu.%zu",
		       (unsigned long long)tn_wb_graph_turn(graph), place);
	tn_json_put_member_text(out, "nextCursor", cursor);
}

static bool read_cursor(const char *cursor, const struct tn_wb_graph *graph, size_t *ret_place)
{
	struct tn_str text = tn_str_from(cursor);
	size_t dot = tn_str_find_byte(text, '.');
	uint64_t turn, place;

	*ret_place = 0;
	if (!text.size) /* the beginning, whichever turn it is */
		return true;
	if (dot == TN_STR_NONE || !tn_str_to_uint(tn_str(text.data, dot), &turn) ||
	    !tn_str_to_uint(tn_str_from_offset(text, dot + 1), &place))
		return false;
	*ret_place = (size_t)place;
	return turn == tn_wb_graph_turn(graph);
}

static enum tn_wb_seen see_part(struct tn_wb_look *look, const char *cursor)
{
	const struct tn_wb_graph *graph = look->workspace->graph;
	struct tn_buf *out = look->data;
	struct tenon_error err;
	size_t place;

	if (!read_cursor(cursor, graph, &place)) {
		look->message = "the cursor is of another state of the graph: begin again with "
				"skaffa://workspace/graph";
		return TN_WB_MALFORMED;
	}
	tn_json_begin_object(out);
	tn_json_put_key(out, "graph");
	if (tn_wb_graph_put_part(graph, look->bytes_max, out, &place, &err) != TENON_OK)
		tn_json_put_null(out);
	if (place)
		put_cursor(out, graph, place);
	tn_json_end_object(out);
	return TN_WB_SEEN;
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
	put_cursor(out, graph, 0);
}

static void put_whole(struct tn_buf *out, const struct tn_wb_graph *graph)
{
	struct tenon_error err;

	tn_json_put_key(out, "graph");
	if (tn_wb_graph_put_snapshot(graph, out, &err) != TENON_OK)
		tn_json_put_null(out);
}

enum tn_wb_seen tn_wb_see_graph(struct tn_wb_look *look, const char *cursor)
{
	struct tn_buf *out = look->data;
	const struct tn_wb_graph *graph;

	if (!tn_wb_look_loaded(look))
		return TN_WB_SEEN;
	if (cursor)
		return see_part(look, cursor);
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
