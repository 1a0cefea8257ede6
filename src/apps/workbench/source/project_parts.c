#include "apps/workbench/source/project_parts.h"

#include "jsonrpc/json_write.h"

void tn_wb_begin_snapshot(struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "schemaVersion", "v0");
	tn_json_put_member_int(out, "revision", 0);
}

void tn_wb_put_source(struct tn_buf *out, const char *path, struct tn_wb_position at)
{
	tn_json_put_key(out, "source");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "filePath", path);
	tn_json_put_member_int(out, "line", at.line);
	tn_json_put_member_int(out, "column", at.column);
	tn_json_end_object(out);
}

void tn_wb_type_found(void *data, uint32_t hint)
{
	struct tn_wb_type_list *list = data;

	if (list->count == list->capacity) {
		size_t capacity = list->capacity ? list->capacity * 2 : 32;
		uint32_t *items = tn_arena_alloc_array(list->arena, capacity, sizeof(*items));

		list->failed = list->failed || !items;
		if (!items)
			return;
		if (list->count)
			memcpy(items, list->items, list->count * sizeof(*items));
		list->items = items;
		list->capacity = capacity;
	}
	list->items[list->count++] = hint;
}

/* qsort takes no context, and hints are few: a heap of our own. */
static void sift(struct tn_wb_type_list *list, size_t at, size_t count)
{
	for (size_t child; (child = 2 * at + 1) < count; at = child) {
		uint32_t swap;

		if (child + 1 < count &&
		    tn_str_compare(list->hints[list->items[child]].type_id,
				   list->hints[list->items[child + 1]].type_id) < 0)
			child++;
		if (tn_str_compare(list->hints[list->items[at]].type_id,
				   list->hints[list->items[child]].type_id) >= 0)
			return;
		swap = list->items[at];
		list->items[at] = list->items[child];
		list->items[child] = swap;
	}
}

void tn_wb_types_sort(struct tn_wb_type_list *list)
{
	size_t kept = 0;

	for (size_t i = list->count / 2; i-- > 0;)
		sift(list, i, list->count);
	for (size_t end = list->count; end-- > 1;) {
		uint32_t swap = list->items[0];

		list->items[0] = list->items[end];
		list->items[end] = swap;
		sift(list, 0, end);
	}
	for (size_t i = 0; i < list->count; i++)
		if (kept == 0 || !tn_str_equal(list->hints[list->items[kept - 1]].type_id,
					       list->hints[list->items[i]].type_id))
			list->items[kept++] = list->items[i];
	list->count = kept;
}
