#include "apps/studio/mcp/news.h"

#include "apps/studio/document/change.h"
#include "apps/studio/limits.h"
#include "apps/studio/mcp/presence.h"
#include "jsonrpc/json_write.h"

static void put_head(struct tn_buf *out, const struct tn_studio_seen *seen, uint64_t revision,
		     const char *cursor, bool reset)
{
	tn_json_put_member_int(out, "from", (int64_t)seen->revision);
	tn_json_put_member_int(out, "to", (int64_t)revision);
	tn_json_put_member_text(out, "cursor", cursor);
	tn_json_put_member_bool(out, "reset", reset);
}

void tn_studio_tell_reset(struct tn_buf *out, struct tn_buf *text,
			  const struct tn_studio_follow *follow, const struct tn_studio_seen *seen,
			  uint64_t revision)
{
	char cursor[TN_STUDIO_CURSOR_SIZE];

	tn_studio_follow_cursor(follow, revision, 0, cursor); /* it has to read all of it again */
	put_head(out, seen, revision, cursor, true);
	tn_buf_format(text,
		      "What has changed since revision %llu is not known any more: read "
		      "get_diagram. It is revision %llu now.",
		      (unsigned long long)seen->revision, (unsigned long long)revision);
}

/* ---- entries ---- */

static size_t put_nodes(struct tn_studio_telling *telling)
{
	const struct tn_studio_reading *reading = telling->reading;
	size_t count = 0;

	tn_json_put_key(telling->out, "nodes");
	tn_json_begin_array(telling->out);
	for (size_t i = 0; i < reading->node_count; i++) {
		if (!reading->nodes[i].news.any)
			continue;
		tn_json_put_raw(telling->out, reading->nodes[i].text);
		count++;
	}
	tn_json_end_array(telling->out);
	telling->any |= count > 0;
	return count;
}

static size_t put_edges(struct tn_studio_telling *telling)
{
	const struct tn_studio_reading *reading = telling->reading;
	size_t count = 0;

	tn_json_put_key(telling->out, "edges");
	tn_json_begin_array(telling->out);
	for (size_t i = 0; i < reading->edge_count; i++) {
		const struct tn_studio_read_edge *edge = &reading->edges[i];

		if (!edge->news.any || (reading->lean && edge->derived))
			continue;
		tn_json_put_raw(telling->out, edge->text);
		count++;
	}
	tn_json_end_array(telling->out);
	telling->any |= count > 0;
	return count;
}

static void put_routes(struct tn_studio_telling *telling)
{
	const struct tn_studio_reading *reading = telling->reading;

	if (!reading->view.routes)
		return;
	tn_json_put_key(telling->out, "routes");
	tn_json_begin_object(telling->out);
	for (size_t i = 0; i < reading->edge_count; i++) {
		const struct tn_studio_read_edge *edge = &reading->edges[i];

		if (!edge->news.route)
			continue;
		tn_json_put_key_str(telling->out, edge->id);
		tn_json_put_raw(telling->out, edge->route);
		telling->any = true;
	}
	tn_json_end_object(telling->out);
}

static void put_gone(struct tn_studio_telling *telling, const char *key, bool edges)
{
	size_t before;

	tn_json_put_key(telling->out, key);
	tn_json_begin_array(telling->out);
	before = telling->out->size;
	tn_studio_follow_put_gone(telling->follow, telling->seen, edges, telling->out);
	telling->any |= telling->out->size > before;
	tn_json_end_array(telling->out);
}

/* Where new ones stand, of those that are not the last. */
static void put_places(const struct tn_studio_telling *telling)
{
	const struct tn_studio_read_node *nodes = telling->reading->nodes;
	size_t last = telling->reading->node_count;

	while (last > 0 && nodes[last - 1].news.is_new)
		last--;
	tn_json_put_key(telling->out, "places");
	tn_json_begin_object(telling->out);
	for (size_t i = 0; i < last; i++) {
		if (!nodes[i].news.is_new)
			continue;
		tn_json_put_key_str(telling->out, nodes[i].node->id);
		tn_json_put_int(telling->out, (int64_t)i);
	}
	tn_json_end_object(telling->out);
}

/* ---- what stands beside them ---- */

static void put_status(const struct tn_studio_reading *reading,
		       const struct tn_studio_read_node *read, struct tn_buf *out)
{
	tn_json_put_text(out, tn_studio_status_of(reading->status, read->node->id));
}

static void put_diagnostics(const struct tn_studio_reading *reading,
			    const struct tn_studio_read_node *read, struct tn_buf *out)
{
	tn_studio_diagnostics_put(out, &reading->view.extras.diagnostics[read->node->order]);
}

static void put_cost(const struct tn_studio_reading *reading,
		     const struct tn_studio_read_node *read, struct tn_buf *out)
{
	tn_json_put_value(out, tn_json_get_str(reading->view.extras.costs, read->node->id));
}

enum beside { STATUS, DIAGNOSTICS, COST };

/* The object of what differs, by id. False: nothing does, and nothing is put. */
static bool put_by_id(struct tn_studio_telling *telling, const char *key, enum beside beside,
		      bool always)
{
	static void (*const put[])(const struct tn_studio_reading *reading,
				   const struct tn_studio_read_node *read,
				   struct tn_buf *out) = {put_status, put_diagnostics, put_cost};
	const struct tn_studio_reading *reading = telling->reading;
	size_t before = telling->out->size, empty;
	bool any;

	tn_json_put_key(telling->out, key);
	tn_json_begin_object(telling->out);
	empty = telling->out->size;
	for (size_t i = 0; i < reading->node_count; i++) {
		const struct tn_studio_news *news = &reading->nodes[i].news;
		const bool differs[] = {news->status, news->diagnostics, news->cost};

		if (!differs[beside])
			continue;
		tn_json_put_key_str(telling->out, reading->nodes[i].node->id);
		put[beside](reading, &reading->nodes[i], telling->out);
	}
	any = telling->out->size > empty;
	if (any || always)
		tn_json_end_object(telling->out);
	else
		telling->out->size = before;
	telling->any |= any;
	return any;
}

/* Two that stand together: what is of nodes, and the whole. */
static void put_together(struct tn_studio_telling *telling, const char *key, const char *by_id,
			 enum beside beside, const char *whole,
			 const struct tn_studio_read_part *part)
{
	size_t before = telling->out->size;
	bool any;

	if (!part->text.data)
		return;
	tn_json_put_key(telling->out, key);
	tn_json_begin_object(telling->out);
	any = put_by_id(telling, by_id, beside, true);
	if (!any && !part->news) {
		telling->out->size = before;
		return;
	}
	tn_json_put_member_raw(telling->out, whole, part->text);
	tn_json_end_object(telling->out);
	telling->any = true;
}

static void put_parts(struct tn_studio_telling *telling)
{
	static const char *const names[] = {"modules", "instances", "config", "project", "ghosts"};
	const struct tn_studio_read_part *parts = telling->reading->parts;

	for (int i = 0; i <= TN_STUDIO_FOLLOW_GHOSTS; i++) {
		if (!parts[i].news)
			continue;
		tn_json_put_member_raw(telling->out, names[i], parts[i].text);
		telling->any = true;
	}
	(void)put_by_id(telling, "statuses", STATUS, false);
	put_together(telling, "diagnostics", "byNode", DIAGNOSTICS, "project",
		     &parts[TN_STUDIO_FOLLOW_PROBLEMS]);
	put_together(telling, "costs", "estimates", COST, "total", &parts[TN_STUDIO_FOLLOW_COSTS]);
}

/* ---- changes ---- */

static bool put_change(const struct tn_change *change, void *data)
{
	struct tn_studio_telling *telling = data;

	if (change->revision > telling->reading->revision)
		return false; /* it came while this was read */
	tn_studio_put_listed_change(telling->out, change, tn_studio_here_colour, telling->here);
	telling->any = true;
	return true;
}

bool tn_studio_tell_news(struct tn_studio_telling *telling)
{
	const struct tn_studio_reading *reading = telling->reading;
	size_t nodes, edges;

	if (tn_studio_follow_needs_reset(telling->follow, telling->seen)) {
		tn_studio_tell_reset(telling->out, telling->text, telling->follow, telling->seen,
				     reading->revision);
		return true;
	}
	put_head(telling->out, telling->seen, reading->revision, telling->cursor, false);
	nodes = put_nodes(telling);
	put_gone(telling, "removedNodes", false);
	put_places(telling);
	edges = put_edges(telling);
	put_gone(telling, "removedEdges", true);
	put_routes(telling);
	put_parts(telling);
	tn_json_put_key(telling->out, "changes");
	tn_json_begin_array(telling->out);
	tn_oplog_list(telling->log, telling->seen->revision, put_change, telling);
	tn_json_end_array(telling->out);
	tn_buf_format(telling->text, "Revision %llu to %llu: changes in ",
		      (unsigned long long)telling->seen->revision,
		      (unsigned long long)reading->revision);
	tn_buf_append_count(telling->text, nodes, "node");
	tn_buf_append_text(telling->text, " and ");
	tn_buf_append_count(telling->text, edges, "edge");
	tn_buf_append_text(telling->text, ".");
	return telling->any;
}
