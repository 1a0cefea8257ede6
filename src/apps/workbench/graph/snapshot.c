#include "apps/workbench/graph/snapshot.h"

#include <stdlib.h>

#include "apps/workbench/graph/internal.h"
#include "apps/workbench/limits.h"
#include "base/mem.h"

static enum tenon_code read_item(struct tn_wb_snapshot *snapshot, const struct tn_wb_sender *from,
				 const struct tn_json *json, enum tn_wb_item_form form,
				 struct tn_wb_place place)
{
	struct tn_wb_item *item = tn_arena_alloc(&snapshot->arena, sizeof(*item));

	if (!item)
		return TENON_NO_MEMORY;
	snapshot->items[snapshot->count++] = item;
	return tn_wb_sender_item(from, &snapshot->arena, json, form, place, item);
}

static enum tenon_code read_list(struct tn_wb_snapshot *snapshot, const struct tn_wb_sender *from,
				 const struct tn_json *list, enum tn_wb_item_form form,
				 const char *where)
{
	enum tenon_code code = TENON_OK;
	size_t index = 0;

	for (const struct tn_json *at = list->first; at && code == TENON_OK; at = at->next)
		code = read_item(snapshot, from, at, form, (struct tn_wb_place){where, index++});
	return code;
}

/* Of two that are the same the one read last is behind. */
static int compare_items(const void *left, const void *right)
{
	const struct tn_wb_item *const *a = left, *const *b = right;
	int order = tn_str_compare((*a)->key, (*b)->key);

	return order ? order : ((*a)->place > (*b)->place) - ((*a)->place < (*b)->place);
}

/* In the order of keys, each once: of two in one snapshot the last counts. */
static void sort(struct tn_wb_snapshot *snapshot)
{
	size_t kept = 0;

	for (size_t i = 0; i < snapshot->count; i++)
		snapshot->items[i]->place = i;
	qsort(snapshot->items, snapshot->count, sizeof(struct tn_wb_item *), compare_items);
	for (size_t i = 0; i < snapshot->count; i++) {
		if (kept && tn_str_equal(snapshot->items[kept - 1]->key, snapshot->items[i]->key))
			kept--;
		snapshot->items[kept++] = snapshot->items[i];
	}
	snapshot->count = kept;
}

static enum tenon_code read_all(struct tn_wb_snapshot *snapshot, const struct tn_wb_sender *from,
				const struct tn_json *json)
{
	const struct tn_json *nodes = tn_json_get(json, "nodes");
	const struct tn_json *edges = tn_json_get(json, "edges");
	enum tenon_code code = tn_wb_sender_head(from, json, "nodes", "edges", &snapshot->revision);

	if (code != TENON_OK)
		return code;
	snapshot->items = tn_arena_alloc_array(&snapshot->arena, nodes->count + edges->count + 1,
					       sizeof(struct tn_wb_item *));
	if (!snapshot->items)
		return TENON_NO_MEMORY;
	code = read_list(snapshot, from, nodes, TN_WB_ITEM_NODE, "nodes");
	if (code == TENON_OK)
		code = read_list(snapshot, from, edges, TN_WB_ITEM_EDGE, "edges");
	sort(snapshot);
	return code;
}

enum tenon_code tn_wb_snapshot_read(enum tn_wb_graph_holds holds, const char *producer,
				    const struct tn_json *json, struct tn_wb_snapshot **ret,
				    struct tn_wb_diagnostics *diagnostics, struct tenon_error *err)
{
	const struct tn_wb_sender from = {producer, holds, diagnostics};
	struct tn_wb_snapshot *snapshot = tn_mem_alloc(sizeof(*snapshot));
	enum tenon_code code;

	*ret = NULL;
	if (!snapshot)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_arena_init(&snapshot->arena, TN_WB_UPDATE_ARENA_MAX);
	code = read_all(snapshot, &from, json);
	if (code == TENON_OK) {
		*ret = snapshot;
		return TENON_OK;
	}
	tn_wb_snapshot_free(snapshot);
	return code == TENON_INVALID ? TENON_OK : tn_fail(err, TENON_NO_MEMORY, "out of memory");
}

void tn_wb_snapshot_free(struct tn_wb_snapshot *snapshot)
{
	if (!snapshot)
		return;
	tn_arena_finish(&snapshot->arena);
	tn_mem_free(snapshot);
}

/* Both are in the order of keys. */
void tn_wb_snapshot_compare(struct tn_wb_snapshot *snapshot, const struct tn_wb_snapshot *before)
{
	size_t at = 0, then = 0, room = snapshot->count + 1;

	snapshot->made = tn_arena_alloc_array(&snapshot->arena, room, sizeof(*snapshot->made));
	snapshot->gone =
		tn_arena_alloc_array(&snapshot->arena, before->count + 1, sizeof(*snapshot->gone));
	snapshot->made_count = snapshot->gone_count = 0;
	snapshot->is_compared = snapshot->made && snapshot->gone;
	while (snapshot->is_compared && (at < snapshot->count || then < before->count)) {
		const struct tn_wb_item *now = at < snapshot->count ? snapshot->items[at] : NULL;
		const struct tn_wb_item *was = then < before->count ? before->items[then] : NULL;
		int order = !was ? -1 : !now ? 1 : tn_str_compare(now->key, was->key);

		if (order < 0 || (order == 0 && !tn_str_equal(now->text, was->text)))
			snapshot->made[snapshot->made_count++] = now;
		else if (order > 0)
			snapshot->gone[snapshot->gone_count++] = was;
		at += order <= 0;
		then += order >= 0;
	}
}
