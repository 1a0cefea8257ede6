#include "apps/workbench/sessions/instrumentation.h"

#include <stdlib.h>

#include "apps/workbench/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

enum { NAMED_MAX = 3 };

/* All texts of a row lie behind it. */
static struct tn_wb_instrumented *copy_row(const struct tn_wb_instrumented *row)
{
	const struct tn_str *texts[] = {&row->type_id, &row->target, &row->export_name,
					&row->reason};
	size_t size = sizeof(*row);
	struct tn_wb_instrumented *copy;
	struct tn_str *to[4];
	char *at;

	for (size_t i = 0; i < TN_COUNT(texts); i++)
		size += texts[i]->size;
	copy = tn_mem_alloc(size);
	if (!copy)
		return NULL;
	at = (char *)(copy + 1);
	to[0] = &copy->type_id;
	to[1] = &copy->target;
	to[2] = &copy->export_name;
	to[3] = &copy->reason;
	for (size_t i = 0; i < TN_COUNT(texts); i++) {
		*to[i] = tn_str(at, texts[i]->size);
		if (texts[i]->size)
			memcpy(at, texts[i]->data, texts[i]->size);
		at += texts[i]->size;
	}
	return copy;
}

void tn_wb_instrumentation_init(struct tn_wb_instrumentation *all)
{
	all->skipped = 0;
	tn_map_init(&all->rows);
}

void tn_wb_instrumentation_finish(struct tn_wb_instrumentation *all)
{
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	while (tn_map_next(&all->rows, &cursor, &key, &value))
		tn_mem_free(value);
	tn_map_finish(&all->rows);
	tn_wb_instrumentation_init(all);
}

static bool put_row(struct tn_wb_instrumentation *all, struct tn_str key,
		    const struct tn_wb_instrumented *row)
{
	struct tn_wb_instrumented *before = tn_map_get(&all->rows, key), *copy;
	struct tenon_error err;

	if (before ? tn_str_equal(before->reason, row->reason)
		   : all->rows.used >= TN_WB_ENTRIES_MAX)
		return false;
	copy = copy_row(row);
	if (!copy || tn_map_put(&all->rows, key, copy, &err) != TENON_OK) {
		tn_mem_free(copy);
		return false;
	}
	all->skipped += row->reason.size > 0;
	if (before)
		all->skipped -= before->reason.size > 0;
	tn_mem_free(before);
	return true;
}

static void make_key(struct tn_buf *key, const struct tn_wb_instrumented *row)
{
	tn_buf_init(key, 4 * TN_WB_TEXT_BYTES_MAX);
	tn_buf_append_str(key, row->type_id);
	tn_buf_append_byte(key, '\0');
	tn_buf_append_str(key, row->target);
	tn_buf_append_byte(key, '\0');
	tn_buf_append_str(key, row->export_name);
}

bool tn_wb_instrumentation_add(struct tn_wb_instrumentation *all,
			       const struct tn_wb_instrumented *row)
{
	struct tn_buf key;
	bool changed;

	make_key(&key, row);
	changed = !key.failed && put_row(all, tn_buf_str(&key), row);
	tn_buf_finish(&key);
	return changed;
}

bool tn_wb_instrumentation_remove(struct tn_wb_instrumentation *all,
				  const struct tn_wb_instrumented *row)
{
	struct tn_wb_instrumented *before = NULL;
	struct tn_buf key;

	make_key(&key, row);
	if (!key.failed)
		before = tn_map_remove(&all->rows, tn_buf_str(&key));
	tn_buf_finish(&key);
	if (!before)
		return false;
	all->skipped -= before->reason.size > 0;
	tn_mem_free(before);
	return true;
}

void tn_wb_instrumentation_copy(struct tn_wb_instrumentation *all,
				const struct tn_wb_instrumentation *from)
{
	size_t cursor = 0;
	struct tn_str key;
	void *value;

	while (tn_map_next(&from->rows, &cursor, &key, &value))
		(void)put_row(all, key, value);
}

/* ---- reading ---- */

static int compare(const void *left, const void *right)
{
	const struct tn_wb_instrumented *a = *(const struct tn_wb_instrumented *const *)left;
	const struct tn_wb_instrumented *b = *(const struct tn_wb_instrumented *const *)right;
	int order = tn_str_compare(a->type_id, b->type_id);

	if (!order)
		order = tn_str_compare(a->target, b->target);
	return order ? order : tn_str_compare(a->export_name, b->export_name);
}

/* NULL: out of memory. */
static const struct tn_wb_instrumented **sorted(const struct tn_wb_instrumentation *all)
{
	const struct tn_wb_instrumented **list =
		tn_mem_alloc_array(all->rows.used + 1, sizeof(struct tn_wb_instrumented *));
	size_t cursor = 0, count = 0;
	struct tn_str key;
	void *value;

	while (list && tn_map_next(&all->rows, &cursor, &key, &value))
		list[count++] = value;
	if (list)
		qsort(list, count, sizeof(struct tn_wb_instrumented *), compare);
	return list;
}

static void put_one(struct tn_buf *out, const struct tn_wb_instrumented *row)
{
	tn_json_begin_object(out);
	tn_json_put_member_str(out, "typeId", row->type_id);
	tn_json_put_member_str(out, "target", row->target);
	tn_json_put_member_str(out, "exportName", row->export_name);
	if (row->reason.size)
		tn_json_put_member_str(out, "reason", row->reason);
	tn_json_end_object(out);
}

static void put_list(struct tn_buf *out, const struct tn_wb_instrumented **list, size_t count,
		     bool skipped)
{
	size_t began = out->size;
	int64_t left_out = 0;

	tn_json_put_key(out, skipped ? "skipped" : "instrumented");
	tn_json_begin_array(out);
	for (size_t i = 0; i < count; i++) {
		if ((list[i]->reason.size > 0) != skipped)
			continue;
		if (out->size - began < TN_WB_HINTS_BYTES_MAX)
			put_one(out, list[i]);
		else
			left_out++;
	}
	tn_json_end_array(out);
	if (left_out)
		tn_json_put_member_int(out, skipped ? "moreSkipped" : "moreInstrumented", left_out);
}

void tn_wb_instrumentation_put(struct tn_buf *out, const struct tn_wb_instrumentation *all)
{
	const struct tn_wb_instrumented **list = sorted(all);

	tn_json_begin_object(out);
	put_list(out, list, list ? all->rows.used : 0, false);
	put_list(out, list, list ? all->rows.used : 0, true);
	tn_json_end_object(out);
	tn_mem_free(list);
}

void tn_wb_instrumentation_put_skipped(struct tn_buf *out, const struct tn_wb_instrumentation *all)
{
	const struct tn_wb_instrumented **list = all->skipped ? sorted(all) : NULL;
	size_t named = 0;

	for (size_t i = 0; list && i < all->rows.used && named < NAMED_MAX; i++) {
		const struct tn_wb_instrumented *row = list[i];

		if (!row->reason.size)
			continue;
		tn_buf_format(out, "%s%.*s (%.*s, export %.*s): %.*s", named++ ? "; " : "",
			      (int)row->type_id.size, row->type_id.data, (int)row->target.size,
			      row->target.data, (int)row->export_name.size, row->export_name.data,
			      (int)row->reason.size, row->reason.data);
	}
	if (all->skipped > named)
		tn_buf_format(out, "; and %zu more", all->skipped - named);
	tn_mem_free(list);
}
