/* What of a graph is seen. */
#include <stdlib.h>

#include "apps/workbench/graph/internal.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

uint64_t tn_wb_graph_revision(const struct tn_wb_graph *graph)
{
	return graph->revision;
}

bool tn_wb_graph_is_new(const struct tn_wb_graph *graph)
{
	return graph->revision == 0 && graph->producers.used == 0;
}

size_t tn_wb_graph_withheld(const struct tn_wb_graph *graph)
{
	return graph->withheld;
}

size_t tn_wb_graph_bytes(const struct tn_wb_graph *graph)
{
	return graph->bytes;
}

static int compare_keys(const void *left, const void *right)
{
	const struct tn_wb_node *const *a = left, *const *b = right;

	return tn_str_compare((*a)->key, (*b)->key);
}

/* Everything that is seen, in canonical order; NULL: out of memory. */
static const struct tn_wb_node **sorted(const struct tn_wb_graph *graph, size_t *ret_count)
{
	const struct tn_wb_node **list = tn_mem_alloc_array(graph->things.used + 1, sizeof(*list));
	size_t cursor = 0, count = 0;
	struct tn_str key;
	void *value;

	while (list && tn_map_next(&graph->things, &cursor, &key, &value)) {
		const struct tn_wb_node *thing = value;

		if (thing->seen)
			list[count++] = thing;
	}
	if (list)
		qsort(list, count, sizeof(struct tn_wb_node *), compare_keys);
	*ret_count = count;
	return list;
}

static void put_list(struct tn_buf *out, const char *name, const struct tn_wb_node **list,
		     size_t count)
{
	tn_json_put_key(out, name);
	tn_json_begin_array(out);
	for (size_t i = 0; i < count; i++)
		tn_json_put_raw(out, list[i]->text);
	tn_json_end_array(out);
}

enum tenon_code tn_wb_graph_put_snapshot(const struct tn_wb_graph *graph, struct tn_buf *out,
					 struct tenon_error *err)
{
	size_t count = 0, nodes = 0;
	const struct tn_wb_node **list = sorted(graph, &count);

	if (!list)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	while (nodes < count && list[nodes]->kind < TN_WB_FIRST_EDGE)
		nodes++;
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "schemaVersion", "v0");
	tn_json_put_member_int(out, "revision", (int64_t)graph->revision);
	put_list(out, "nodes", list, nodes);
	put_list(out, "edges", list + nodes, count - nodes);
	tn_json_end_object(out);
	tn_mem_free(list);
	return tn_buf_check(out, err);
}

enum tenon_code tn_wb_graph_put_index(const struct tn_wb_graph *graph, size_t bytes_max,
				      struct tn_buf *out, size_t *ret_left, struct tenon_error *err)
{
	size_t count = 0, start = out->size;
	const struct tn_wb_node **list = sorted(graph, &count);

	*ret_left = 0;
	if (!list)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_json_begin_array(out);
	for (size_t i = 0; i < count && list[i]->kind < TN_WB_FIRST_EDGE; i++) {
		if (out->size - start > bytes_max) {
			++*ret_left;
			continue;
		}
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "kind", tn_wb_kind_name(list[i]->kind));
		tn_json_put_member_str(out, "id", tn_wb_key_id(list[i]->key));
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_mem_free(list);
	return tn_buf_check(out, err);
}

const struct tn_wb_node *tn_wb_graph_find(const struct tn_wb_graph *graph, const char *kind,
					  struct tn_str id)
{
	const struct tn_wb_node *node = NULL;
	struct tn_arena arena;
	enum tn_wb_kind which;
	struct tn_str key;

	if (!tn_wb_kind_find(tn_str_from(kind), &which) || which > TN_WB_COMPONENT_TYPE)
		return NULL;
	tn_arena_init(&arena, TN_MIB);
	key = tn_wb_key_make(&arena, which, id);
	if (key.data)
		node = tn_wb_thing_find(graph, key);
	tn_arena_finish(&arena);
	return node && node->seen ? node : NULL;
}

struct tn_str tn_wb_node_json(const struct tn_wb_node *node)
{
	return node->text;
}

/* item.c writes it last, and inside a text the quotes of a member's name would be escaped. */
struct tn_str tn_wb_node_source(const struct tn_wb_node *node)
{
	static const struct tn_str member = {",\"source\":", 10};
	size_t at = tn_str_find(node->text, member);

	if (at == TN_STR_NONE)
		return (struct tn_str){0};
	at += member.size;
	return tn_str(node->text.data + at, node->text.size - at - 1);
}

struct tn_str tn_wb_node_id(const struct tn_wb_node *node)
{
	return tn_wb_key_id(node->key);
}

bool tn_wb_node_is(const struct tn_wb_node *node, const char *kind)
{
	return strcmp(tn_wb_kind_name(node->kind), kind) == 0;
}

void tn_wb_node_edges(const struct tn_wb_node *node,
		      void (*each)(const struct tn_wb_node *other, bool outward, void *data),
		      void *data)
{
	for (const struct tn_wb_link *link = node->edges; link; link = link->next) {
		const struct tn_wb_node *edge = link->edge;
		bool outward = link == &edge->links[0];

		if (edge->seen)
			each(edge->ends[outward ? 1 : 0], outward, data);
	}
}

void tn_wb_graph_each(const struct tn_wb_graph *graph, const char *kind,
		      bool (*each)(const struct tn_wb_node *node, void *data), void *data)
{
	enum tn_wb_kind which;
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	if (!tn_wb_kind_find(tn_str_from(kind), &which))
		return;
	while (tn_map_next(&graph->things, &cursor, &key, &value)) {
		const struct tn_wb_node *thing = value;

		if (thing->seen && thing->kind == which && !each(thing, data))
			return;
	}
}
