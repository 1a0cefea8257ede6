/* The public half of the room: include/tenon/edit.h. */
#include "tenon/edit.h"

#include "apps/workbench/edit/edit.h"
#include "apps/workbench/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

static enum tenon_code read_globs(struct tn_arena *arena, const struct tn_json *list,
				  struct tn_wb_globs **ret, struct tenon_error *err)
{
	struct tn_str *texts = tn_arena_alloc_array(
		arena, tn_json_is(list, TN_JSON_ARRAY) ? list->count + 1 : 1, sizeof(*texts));
	size_t count = 0;

	if (!list)
		return TENON_OK;
	if (!texts)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	if (list->type != TN_JSON_ARRAY)
		return tn_fail(err, TENON_INVALID, "readOnlyFiles is an array of patterns");
	for (const struct tn_json *at = list->first; at; at = at->next)
		if (!tn_json_to_str(at, &texts[count++]))
			return tn_fail(err, TENON_INVALID, "readOnlyFiles is an array of patterns");
	return tn_wb_globs_create(texts, count, ret, err);
}

static enum tenon_code run(const char *root, const struct tn_json *json, struct tn_arena *arena,
			   struct tn_wb_edit_outcome *outcome, struct tenon_error *err)
{
	const struct tn_json none = {.type = TN_JSON_ARRAY};
	const struct tn_json *list = tn_json_get(json, "edits");
	struct tn_wb_globs *globs = NULL;
	struct tn_wb_edits edits = {0};
	enum tenon_code code = TENON_OK;

	if (!tn_json_is(json, TN_JSON_OBJECT))
		code = tn_fail(err, TENON_INVALID, "send an object: {\"edits\":[...]}");
	if (code == TENON_OK)
		code = read_globs(arena, tn_json_get(json, "readOnlyFiles"), &globs, err);
	if (code != TENON_OK)
		return tn_wb_edit_fail(outcome, "invalidEdit", tn_str("", 0), code);
	code = tn_wb_edits_read(arena, list ? list : &none, &edits, outcome, err);
	edits.read_only = globs;
	if (code == TENON_OK)
		code = tn_wb_edits_apply(root, &edits, outcome, err);
	tn_wb_globs_destroy(globs);
	return code;
}

static void put_answer(struct tn_buf *out, const struct tn_wb_edit_outcome *outcome,
		       const char *message)
{
	tn_json_begin_object(out);
	tn_json_put_member_bool(out, "ok", !outcome->code);
	if (outcome->code) {
		tn_json_put_key(out, "error");
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "code", outcome->code);
		tn_json_put_member_text(out, "message", message);
		tn_json_put_member_text(out, "filePath", outcome->path[0] ? outcome->path : NULL);
		tn_json_end_object(out);
	} else {
		tn_json_put_member_raw(out, "files", tn_buf_str(&outcome->files));
	}
	tn_json_end_object(out);
}

enum tenon_code tenon_edit_files(const char *root, const char *request, size_t size,
				 char **ret_answer)
{
	struct tn_wb_edit_outcome outcome;
	struct tenon_error err = {0};
	struct tn_json *json = NULL;
	enum tenon_code code;
	struct tn_arena arena;
	struct tn_buf answer;

	tn_wb_edit_outcome_init(&outcome);
	tn_arena_init(&arena, 4 * TN_WB_EDIT_BYTES_MAX);
	code = size > TN_WB_EDIT_REQUEST_BYTES_MAX
		       ? tn_fail(&err, TENON_LIMIT, "a request has at most 64 MiB")
		       : tn_json_parse_copy(&arena, tn_str(request, size), &json, &err);
	if (code == TENON_OK)
		code = run(root, json, &arena, &outcome, &err);
	else
		(void)tn_wb_edit_fail(&outcome, "invalidEdit", tn_str("", 0), code);
	tn_buf_init(&answer, TN_WB_EDIT_BYTES_MAX);
	put_answer(&answer, &outcome, err.message);
	*ret_answer = answer.failed ? NULL : tn_mem_copy_text(answer.data, answer.size);
	tn_buf_finish(&answer);
	tn_arena_finish(&arena);
	tn_wb_edit_outcome_finish(&outcome);
	return code;
}

void tenon_edit_free_text(char *text)
{
	tn_mem_free(text);
}
