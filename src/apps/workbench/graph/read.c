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

uint64_t tn_wb_graph_turn(const struct tn_wb_graph *graph)
{
	return graph->turn;
}

/* The next that is seen before `end`; NULL: none. */
static const struct tn_wb_node *next_seen(const struct tn_wb_graph *graph, size_t *place,
					  size_t end)
{
	struct tn_str key;
	void *value;

	while (*place < end && tn_map_next(&graph->things, place, &key, &value)) {
		const struct tn_wb_node *thing = value;

		if (thing->seen && *place <= end)
			return thing;
	}
	return NULL;
}

static void put_kinds(struct tn_buf *out, const char *name, const struct tn_wb_graph *graph,
		      size_t from, size_t end, bool edges)
{
	const struct tn_wb_node *thing;

	tn_json_put_key(out, name);
	tn_json_begin_array(out);
	while ((thing = next_seen(graph, &from, end)) != NULL)
		if ((thing->kind >= TN_WB_FIRST_EDGE) == edges)
			tn_json_put_raw(out, thing->text);
	tn_json_end_array(out);
}

enum tenon_code tn_wb_graph_put_part(const struct tn_wb_graph *graph, size_t bytes_max,
				     struct tn_buf *out, size_t *place, struct tenon_error *err)
{
	const struct tn_wb_node *thing;
	size_t from = *place, bytes = 0;

	while (bytes < bytes_max &&
	       (thing = next_seen(graph, place, graph->things.capacity)) != NULL)
		bytes += thing->text.size + 1;
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "schemaVersion", "v0");
	tn_json_put_member_int(out, "revision", (int64_t)graph->revision);
	put_kinds(out, "nodes", graph, from, *place, false);
	put_kinds(out, "edges", graph, from, *place, true);
	tn_json_end_object(out);
	if (bytes < bytes_max)
		*place = 0;
	return tn_buf_check(out, err);
}

/* No row of the index is shorter: {"kind":"route","id":"x"} and a comma. */
enum { ROW_BYTES_MIN = 26 };

/* The first nodes in canonical order: as a heap whose top is the last of them, so that a graph that
 * is too large to be shown is not put in order as a whole for what fits. */
struct first_nodes {
	const struct tn_wb_node **list;
	size_t count, room;
	size_t all; /* nodes of the graph, these among them */
};

static bool is_before(const struct tn_wb_node *a, const struct tn_wb_node *b)
{
	return tn_str_compare(a->key, b->key) < 0;
}

static void sift_up(struct first_nodes *first, size_t at)
{
	for (size_t up; at && is_before(first->list[up = (at - 1) / 2], first->list[at]); at = up) {
		const struct tn_wb_node *swap = first->list[up];

		first->list[up] = first->list[at];
		first->list[at] = swap;
	}
}

static void replace_top(struct first_nodes *first, const struct tn_wb_node *node)
{
	size_t at = 0, child;

	while ((child = 2 * at + 1) < first->count) {
		if (child + 1 < first->count &&
		    is_before(first->list[child], first->list[child + 1]))
			child++;
		if (!is_before(node, first->list[child]))
			break;
		first->list[at] = first->list[child];
		at = child;
	}
	first->list[at] = node;
}

static void keep_node(struct first_nodes *first, const struct tn_wb_node *node)
{
	if (first->count < first->room) {
		first->list[first->count] = node;
		sift_up(first, first->count++);
	} else if (is_before(node, first->list[0])) {
		replace_top(first, node);
	}
}

/* In order. False: out of memory. */
static bool find_first(const struct tn_wb_graph *graph, size_t room, struct first_nodes *ret)
{
	*ret = (struct first_nodes){.room = room < graph->things.used ? room : graph->things.used};
	ret->list = tn_mem_alloc_array(ret->room + 1, sizeof(*ret->list));
	if (!ret->list)
		return false;
	/* A snapshot's are made in canonical order: then those behind the first ones cost nothing.
	 */
	for (const struct tn_wb_node *thing = ret->room ? graph->oldest_thing : NULL; thing;
	     thing = thing->newer) {
		if (!thing->seen || thing->kind >= TN_WB_FIRST_EDGE)
			continue;
		ret->all++;
		keep_node(ret, thing);
	}
	qsort(ret->list, ret->count, sizeof(struct tn_wb_node *), compare_keys);
	return true;
}

enum tenon_code tn_wb_graph_put_index(const struct tn_wb_graph *graph, size_t bytes_max,
				      struct tn_buf *out, size_t *ret_left, struct tenon_error *err)
{
	struct first_nodes first;
	size_t start = out->size, shown = 0;

	*ret_left = 0;
	if (!find_first(graph, bytes_max / ROW_BYTES_MIN + 1, &first))
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_json_begin_array(out);
	for (; shown < first.count && out->size - start <= bytes_max; shown++) {
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "kind", tn_wb_kind_name(first.list[shown]->kind));
		tn_json_put_member_str(out, "id", tn_wb_key_id(first.list[shown]->key));
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_mem_free(first.list);
	*ret_left = first.all - shown;
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
