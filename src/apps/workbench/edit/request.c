/* Edits as JSON. */
#include "apps/workbench/edit/edit.h"
#include "apps/workbench/limits.h"
#include "base/digest.h"
#include "base/size.h"

void tn_wb_edit_outcome_init(struct tn_wb_edit_outcome *outcome)
{
	*outcome = (struct tn_wb_edit_outcome){.code = NULL};
	tn_buf_init(&outcome->files, TN_WB_EDIT_BYTES_MAX);
	tn_buf_init(&outcome->inverse, TN_WB_EDIT_BYTES_MAX);
}

void tn_wb_edit_outcome_finish(struct tn_wb_edit_outcome *outcome)
{
	tn_buf_finish(&outcome->files);
	tn_buf_finish(&outcome->inverse);
}

enum tenon_code tn_wb_edit_fail(struct tn_wb_edit_outcome *outcome, const char *what,
				struct tn_str path, enum tenon_code code)
{
	size_t size = path.size < sizeof(outcome->path) ? path.size : 0;

	outcome->code = what;
	if (size)
		memcpy(outcome->path, path.data, size);
	outcome->path[size] = '\0';
	return code;
}

static bool is_hex(struct tn_str text)
{
	for (size_t i = 0; i < text.size; i++)
		if (!tn_is_digit(text.data[i]) &&
		    (tn_to_lower(text.data[i]) < 'a' || tn_to_lower(text.data[i]) > 'f'))
			return false;
	return text.size == TN_DIGEST_HEX_SIZE - 1;
}

static bool kind_of(const struct tn_json *json, enum tn_wb_edit_kind *ret)
{
	static const char *const names[] = {[TN_WB_EDIT_TEXT] = "text",
					    [TN_WB_EDIT_CREATE] = "create",
					    [TN_WB_EDIT_DELETE] = "delete"};
	struct tn_str name = {0};

	(void)tn_json_to_str(tn_json_get(json, "kind"), &name);
	for (size_t i = 0; i < TN_COUNT(names); i++)
		if (tn_str_is(name, names[i])) {
			*ret = (enum tn_wb_edit_kind)i;
			return true;
		}
	return false;
}

/* True where it is left out, too. */
static bool optional_bool(const struct tn_json *json, const char *name, bool *ret)
{
	const struct tn_json *member = tn_json_get(json, name);

	return !member || tn_json_to_bool(member, ret);
}

static bool read_replacement(const struct tn_json *json, struct tn_wb_replacement *ret)
{
	int64_t start, end;

	if (!tn_json_to_int(tn_json_get(json, "start"), &start) || start < 0 ||
	    !tn_json_to_int(tn_json_get(json, "end"), &end) || end < 0 ||
	    !tn_json_to_str(tn_json_get(json, "newText"), &ret->text))
		return false;
	ret->start = (size_t)start;
	ret->end = (size_t)end;
	return true;
}

/* NULL, or what is wrong. */
static const char *read_text(struct tn_arena *arena, const struct tn_json *json,
			     struct tn_wb_file_edit *ret)
{
	const struct tn_json *expected = tn_json_get(json, "expectedSha256");
	const struct tn_json *list = tn_json_get(json, "edits");

	if (expected && (!tn_json_to_str(expected, &ret->expected) || !is_hex(ret->expected)))
		return "expectedSha256 is 64 hex digits";
	if (!tn_json_is(list, TN_JSON_ARRAY) || list->count > TN_WB_REPLACEMENTS_MAX)
		return "edits is an array of at most 10000";
	ret->list = tn_arena_alloc_array(arena, list->count + 1, sizeof(*ret->list));
	for (const struct tn_json *at = list->first; ret->list && at; at = at->next)
		if (!read_replacement(at, &ret->list[ret->count++]))
			return "an edit is {\"start\",\"end\",\"newText\"}: offsets in bytes, and "
			       "a text";
	return NULL;
}

static const char *read_one(struct tn_arena *arena, const struct tn_json *json,
			    struct tn_wb_file_edit *ret)
{
	if (!tn_json_to_str(tn_json_get(json, "filePath"), &ret->path))
		return "an edit has a filePath";
	if (!kind_of(json, &ret->kind))
		return "an edit has a kind: text, create or delete";
	if (ret->kind == TN_WB_EDIT_TEXT)
		return read_text(arena, json, ret);
	if (ret->kind == TN_WB_EDIT_CREATE &&
	    !tn_json_to_str(tn_json_get(json, "contents"), &ret->contents))
		return "a create edit has contents, a text";
	return optional_bool(json, "overwrite", &ret->overwrite) &&
			       optional_bool(json, "allowMissing", &ret->allow_missing)
		       ? NULL
		       : "overwrite and allowMissing are true or false";
}

enum tenon_code tn_wb_edits_read(struct tn_arena *arena, const struct tn_json *json,
				 struct tn_wb_edits *ret, struct tn_wb_edit_outcome *outcome,
				 struct tenon_error *err)
{
	const struct tn_str none = {"", 0};
	const char *fault = NULL;

	if (!tn_json_is(json, TN_JSON_ARRAY) || json->count > TN_WB_EDIT_FILES_MAX)
		return tn_wb_edit_fail(outcome, "invalidEdit", none,
				       tn_fail(err, TENON_INVALID,
					       "edits is an array of at most %d files",
					       TN_WB_EDIT_FILES_MAX));
	ret->list = tn_arena_alloc_array(arena, json->count + 1, sizeof(*ret->list));
	for (const struct tn_json *at = json->first; ret->list && at; at = at->next) {
		struct tn_wb_file_edit *edit = &ret->list[ret->count++];

		fault = read_one(arena, at, edit);
		if (fault)
			return tn_wb_edit_fail(outcome, "invalidEdit", edit->path,
					       tn_fail(err, TENON_INVALID, "%s", fault));
		if (edit->kind == TN_WB_EDIT_TEXT && !edit->list)
			ret->list = NULL;
	}
	if (ret->list)
		return TENON_OK;
	return tn_wb_edit_fail(outcome, "ioError", none,
			       tn_fail(err, TENON_NO_MEMORY, "out of memory"));
}
