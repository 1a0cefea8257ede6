/* What is seen after an update, and the patch that says how it differs (G2, G7, G8). */
#include <stdlib.h>

#include "apps/workbench/graph/internal.h"
#include "apps/workbench/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

struct difference {
	const struct tn_wb_node *thing;
	bool gone;
};

static const struct tn_wb_claim *winner(const struct tn_wb_node *node)
{
	const struct tn_wb_claim *best = node->claims;

	for (const struct tn_wb_claim *claim = best; claim; claim = claim->next)
		if (claim->producer->rank > best->producer->rank)
			best = claim;
	return best;
}

static void see(struct tn_wb_graph *graph, struct tn_wb_node *thing, struct tn_str text, bool seen)
{
	if (thing->seen)
		graph->bytes -= thing->text.size + 1;
	if (seen)
		graph->bytes += text.size + 1;
	thing->seen = seen;
	thing->text = text;
}

/* True: it is otherwise now. */
static bool settle_node(struct tn_wb_graph *graph, struct tn_wb_node *node)
{
	const struct tn_wb_claim *claim = winner(node);
	struct tn_str text = claim ? claim->text : (struct tn_str){0};
	bool was = node->seen, same = tn_str_equal(node->text, text);

	see(graph, node, text, claim != NULL);
	if (was != node->seen)
		for (struct tn_wb_link *link = node->edges; link; link = link->next)
			tn_wb_thing_touch(graph, link->edge);
	return was != node->seen || !same;
}

static bool settle_edge(struct tn_wb_graph *graph, struct tn_wb_node *edge)
{
	bool was = edge->seen, claimed = edge->claims != NULL;
	bool seen = claimed && edge->ends[0]->seen && edge->ends[1]->seen;
	bool withheld = claimed && !seen;

	graph->withheld = graph->withheld + withheld - edge->withheld;
	edge->withheld = withheld;
	see(graph, edge, claimed ? edge->claims->text : (struct tn_str){0}, seen);
	return was != seen;
}

static bool is_edge(const struct tn_wb_node *thing)
{
	return thing->kind >= TN_WB_FIRST_EDGE;
}

/* removeEdge, removeNode, upsertNode, upsertEdge; each in canonical order. */
static int group_of(const struct difference *difference)
{
	if (difference->gone)
		return is_edge(difference->thing) ? 0 : 1;
	return is_edge(difference->thing) ? 3 : 2;
}

static int compare(const void *left, const void *right)
{
	const struct difference *a = left, *b = right;
	int by_group = group_of(a) - group_of(b);

	return by_group ? by_group : tn_str_compare(a->thing->key, b->thing->key);
}

/* {"kind":"route","id":"..."}: of a node that is gone. */
static void put_reference(struct tn_buf *out, const struct tn_wb_node *node)
{
	static const char *const names[2][2] = {{"id", NULL}, {"sessionId", "instanceId"}};
	const char *const *name = names[node->kind == TN_WB_INSTANCE];
	struct tn_str rest = tn_str_from_offset(node->key, 1);

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "kind", tn_wb_kind_name(node->kind));
	for (int i = 0; i < 2 && name[i]; i++) {
		size_t end = tn_str_find_byte(rest, '\0');

		tn_json_put_member_str(out, name[i],
				       end == TN_STR_NONE ? rest : tn_str(rest.data, end));
		rest = end == TN_STR_NONE ? rest : tn_str_from_offset(rest, end + 1);
	}
	tn_json_end_object(out);
}

/* {"kind":"...", ...} of an edge can be made of its key, and is as it was claimed. */
static void put_operation(struct tn_buf *out, const struct difference *difference)
{
	static const char *const names[] = {"removeEdge", "removeNode", "upsertNode", "upsertEdge"};
	const struct tn_wb_node *thing = difference->thing;
	const char *member = is_edge(thing) ? "edge" : "node";

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "op", names[group_of(difference)]);
	tn_json_put_key(out, member);
	if (difference->gone && !is_edge(thing))
		put_reference(out, thing);
	else
		tn_json_put_raw(out, thing->text);
	tn_json_end_object(out);
}

static void put_patch(struct tn_buf *out, uint64_t revision, const struct difference *differences,
		      size_t count)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "schemaVersion", "v0");
	tn_json_put_member_int(out, "revision", (int64_t)revision);
	tn_json_put_key(out, "ops");
	tn_json_begin_array(out);
	for (size_t i = 0; i < count; i++)
		put_operation(out, &differences[i]);
	tn_json_end_array(out);
	tn_json_end_object(out);
}

/* Settles every touched thing, the nodes before the edges. An edge that goes keeps its text for the
 * patch: its claim is freed after it. */
static size_t settle_all(struct tn_wb_graph *graph, struct difference *differences)
{
	size_t count = 0;

	for (int edges = 0; edges < 2; edges++) {
		for (struct tn_wb_node *at = graph->touched; at; at = at->next_touched) {
			struct tn_str before = at->text;
			bool differs;

			if (is_edge(at) != (edges == 1))
				continue;
			differs = edges ? settle_edge(graph, at) : settle_node(graph, at);
			if (!at->seen && is_edge(at) && !at->text.size)
				at->text = before;
			if (differs && differences)
				differences[count] = (struct difference){at, !at->seen};
			count += differs;
		}
	}
	return count;
}

static void let_go(struct tn_wb_graph *graph)
{
	while (graph->touched) {
		struct tn_wb_node *thing = graph->touched;

		graph->touched = thing->next_touched;
		thing->touched = false;
		if (!thing->seen)
			thing->text = (struct tn_str){0};
		tn_wb_thing_prune(graph, thing);
	}
	tn_wb_claims_free_gone(graph);
}

/* More than is touched now can be: the edges at nodes that come or go. */
static size_t most_differences(const struct tn_wb_graph *graph)
{
	size_t count = 0;

	for (const struct tn_wb_node *at = graph->touched; at; at = at->next_touched) {
		count++;
		for (const struct tn_wb_link *link = at->edges; link; link = link->next)
			count++;
	}
	return count;
}

void tn_wb_graph_settle(struct tn_wb_graph *graph, struct tn_wb_update *ret)
{
	struct difference *differences =
		tn_mem_alloc_array(most_differences(graph) + 1, sizeof(*differences));
	size_t count = settle_all(graph, differences);
	struct tn_buf patch;

	graph->turn++;
	*ret = (struct tn_wb_update){.accepted = true, .changed = count > 0};
	if (count > 0) {
		graph->revision++;
		tn_buf_init(&patch, TN_WB_PATCH_BYTES_MAX);
		if (differences) {
			qsort(differences, count, sizeof(*differences), compare);
			put_patch(&patch, graph->revision, differences, count);
		}
		tn_wb_patch_keep(graph, !differences || patch.failed ? (struct tn_str){0}
								     : tn_buf_str(&patch));
		tn_buf_finish(&patch);
		if (graph->newest)
			ret->patch = tn_str(graph->newest->text, graph->newest->size);
	}
	ret->revision = graph->revision;
	tn_mem_free(differences);
	let_go(graph);
}
