#include "apps/workbench/save/plan.h"

#include <stdlib.h>

#include "apps/workbench/save/diff.h"
#include "apps/workbench/save/plan_parts.h"
#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

void tn_wb_plan_inputs_init(struct tn_wb_plan_inputs *inputs)
{
	*inputs = (struct tn_wb_plan_inputs){.drafts = NULL};
	tn_arena_init(&inputs->arena, TN_WB_PLAN_BYTES_MAX);
}

void tn_wb_plan_inputs_finish(struct tn_wb_plan_inputs *inputs)
{
	tn_wb_globs_destroy(inputs->read_only);
	tn_arena_finish(&inputs->arena);
}

void tn_wb_plan_init(struct tn_wb_plan *plan)
{
	*plan = (struct tn_wb_plan){.is_written = NULL};
	tn_buf_init(&plan->data, TN_WB_PLAN_BYTES_MAX);
	tn_buf_init(&plan->edits, TN_WB_PLAN_BYTES_MAX);
	tn_buf_init(&plan->failures, TN_WB_PLAN_BYTES_MAX);
}

void tn_wb_plan_finish(struct tn_wb_plan *plan)
{
	tn_buf_finish(&plan->data);
	tn_buf_finish(&plan->edits);
	tn_buf_finish(&plan->failures);
	tn_mem_free(plan->is_written);
}

/* ---- what it came to ---- */

static const char *code_of(const struct tn_wb_item *item)
{
	return item->spot ? item->spot->code : item->code;
}

static void put_address(struct tn_buf *out, const struct tn_wb_address *address)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "group", tn_wb_group_name(address->group));
	tn_json_put_member_str(out, "instanceId", address->instance_id);
	tn_json_put_member_str(out, "path", address->path);
	tn_json_end_object(out);
}

static void put_failures(struct tn_wb_planning *p, struct tn_wb_plan *plan)
{
	struct tn_buf *out = &plan->failures;

	tn_json_begin_array(out);
	for (size_t i = 0; i < p->inputs->draft_count; i++) {
		const struct tn_wb_item *item = &p->items[i];

		plan->is_written[i] = !code_of(item);
		plan->written_count += plan->is_written[i];
		if (plan->is_written[i])
			continue;
		plan->failure_count++;
		tn_json_begin_object(out);
		tn_json_put_key(out, "address");
		put_address(out, &item->draft->address);
		tn_json_put_member_text(out, "code", code_of(item));
		tn_json_put_member_text(out, "message",
					item->spot ? item->spot->message : item->message);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

/* Whose drafts an edit is of: more than one where several instances are written at one place. */
static void put_addresses(struct tn_buf *out, const struct tn_wb_planning *p,
			  const struct tn_wb_spot *spot)
{
	tn_json_put_key(out, "addresses");
	tn_json_begin_array(out);
	for (size_t i = 0; i < p->inputs->draft_count; i++)
		if (p->items[i].spot == spot)
			put_address(out, &p->items[i].draft->address);
	tn_json_end_array(out);
}

static void put_edits_of(struct tn_buf *out, const struct tn_wb_planning *p,
			 const struct tn_wb_plan_file *file)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "kind", "text");
	tn_json_put_member_str(out, "filePath", file->path);
	tn_json_put_member_text(out, "expectedSha256", file->digest);
	tn_json_put_key(out, "edits");
	tn_json_begin_array(out);
	for (size_t i = 0; i < file->count; i++) {
		tn_json_begin_object(out);
		tn_json_put_member_int(out, "start", (int64_t)file->list[i].start);
		tn_json_put_member_int(out, "end", (int64_t)file->list[i].end);
		tn_json_put_member_str(out, "newText", file->list[i].text);
		put_addresses(out, p, file->spots[i]);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_json_end_object(out);
}

static void put_files(struct tn_buf *out, const struct tn_wb_planning *p)
{
	tn_json_begin_array(out);
	for (size_t i = 0; i < p->file_count; i++) {
		if (!p->files[i]->is_read)
			continue;
		tn_json_begin_object(out);
		tn_json_put_member_str(out, "filePath", p->files[i]->path);
		tn_json_put_member_text(out, "sha256", p->files[i]->digest);
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
}

static enum tenon_code describe(struct tn_wb_planning *p, struct tn_wb_plan *plan,
				struct tenon_error *err)
{
	struct tn_buf *out = &plan->data, diff;

	plan->is_written = tn_mem_alloc_array(p->inputs->draft_count + 1, sizeof(bool));
	if (!plan->is_written)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_buf_init(&diff, TN_WB_PLAN_BYTES_MAX);
	put_failures(p, plan);
	tn_json_begin_array(&plan->edits);
	for (size_t i = 0; i < p->file_count; i++) {
		const struct tn_wb_plan_file *file = p->files[i];

		if (!file->count)
			continue;
		put_edits_of(&plan->edits, p, file);
		tn_wb_put_diff(&diff, file->path, tn_buf_str(&file->text), file->list, file->count);
	}
	tn_json_end_array(&plan->edits);
	tn_json_begin_object(out);
	tn_json_put_member_raw(out, "edits", tn_buf_str(&plan->edits));
	tn_json_put_member_raw(out, "failures", tn_buf_str(&plan->failures));
	tn_json_put_member_str(out, "diff", tn_buf_str(&diff));
	tn_json_put_key(out, "files");
	put_files(out, p);
	tn_json_end_object(out);
	tn_buf_inherit_failure(out, &plan->edits);
	tn_buf_inherit_failure(out, &plan->failures);
	tn_buf_inherit_failure(out, &diff);
	tn_buf_finish(&diff);
	return tn_buf_check(out, err);
}

/* ---- making ---- */

static int by_path(const void *a, const void *b)
{
	const struct tn_wb_plan_file *const *left = a, *const *right = b;

	return tn_str_compare((*left)->path, (*right)->path);
}

static enum tenon_code open_sites(struct tn_wb_source *source, struct tn_wb_planning *p,
				  struct tn_wb_sites **ret, struct tenon_error *err)
{
	struct tn_str *paths = tn_arena_alloc_array(&p->arena, p->file_count + 1, sizeof(*paths));

	if (!paths)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	qsort(p->files, p->file_count, sizeof(struct tn_wb_plan_file *), by_path);
	for (size_t i = 0; i < p->file_count; i++)
		paths[i] = p->files[i]->path;
	return tn_wb_sites_open(source, paths, p->file_count, p->inputs->hints,
				p->inputs->hint_count, ret, err);
}

static enum tenon_code make_files(struct tn_wb_source *source, struct tn_wb_planning *p,
				  struct tenon_error *err)
{
	struct tn_wb_sites *sites = NULL;
	enum tenon_code code = open_sites(source, p, &sites, err);

	if (code == TENON_NOT_FOUND) {
		for (size_t i = 0; i < p->spot_count; i++)
			tn_wb_spot_refuse(p->spots[i], "internalError",
					  "tenon-source.so, which reads sources, is not installed");
		return TENON_OK;
	}
	for (size_t i = 0; i < p->file_count && code == TENON_OK; i++) {
		if (p->cancelled && atomic_load_explicit(p->cancelled, memory_order_relaxed))
			code = tn_fail(err, TENON_CANCELLED, "cancelled");
		else
			code = tn_wb_plan_file_make(p, sites, p->files[i], err);
	}
	tn_wb_sites_close(sites);
	return code;
}

enum tenon_code tn_wb_plan_make(struct tn_wb_source *source, const struct tn_wb_plan_inputs *inputs,
				const atomic_bool *cancelled, struct tn_wb_plan *ret,
				struct tenon_error *err)
{
	struct tn_wb_planning p = {.inputs = inputs, .cancelled = cancelled};
	enum tenon_code code;

	tn_arena_init(&p.arena, 2 * TN_WB_PLAN_BYTES_MAX);
	tn_map_init(&p.spot_of);
	tn_map_init(&p.file_of);
	tn_map_init(&p.item_of);
	code = tn_wb_spots_make(&p, err);
	if (code == TENON_OK)
		code = tn_wb_spots_compare(&p, err);
	if (code == TENON_OK && p.file_count)
		code = make_files(source, &p, err);
	if (code == TENON_OK)
		code = describe(&p, ret, err);
	for (size_t i = 0; i < p.file_count; i++)
		tn_buf_finish(&p.files[i]->text);
	tn_map_finish(&p.spot_of);
	tn_map_finish(&p.file_of);
	tn_map_finish(&p.item_of);
	tn_arena_finish(&p.arena);
	return code;
}
