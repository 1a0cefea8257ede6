#include "apps/floorplan/mcp/documents.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "apps/floorplan/limits.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"

/* ---- the one operation ---- */

static enum tenon_code read_range(const struct tn_floor_document *document,
				  const struct tn_json *operation, size_t *ret_at,
				  size_t *ret_remove, struct tn_str *ret_text,
				  struct tenon_error *err)
{
	int64_t at = -1, remove = -1;

	if (!tn_json_to_int(tn_json_get(operation, "at"), &at) ||
	    !tn_json_to_int(tn_json_get(operation, "remove"), &remove) ||
	    !tn_json_to_str(tn_json_get(operation, "text"), ret_text))
		return tn_fail(err, TENON_INVALID, "an operation has at, remove and text");
	if (at < 0 || remove < 0 || (uint64_t)at > document->text.size ||
	    (uint64_t)remove > document->text.size - (uint64_t)at)
		return tn_fail(err, TENON_INVALID, "the operation is outside the text");
	*ret_at = (size_t)at;
	*ret_remove = (size_t)remove;
	if (document->text.size - *ret_remove + ret_text->size > TN_FLOOR_TEXT_BYTES_MAX)
		return tn_fail(err, TENON_LIMIT, "the plan would be larger than %lu bytes",
			       TN_FLOOR_TEXT_BYTES_MAX);
	return TENON_OK;
}

static void put_operation(struct tn_buf *out, size_t at, size_t remove, struct tn_str text)
{
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "at", (int64_t)at);
	tn_json_put_member_int(out, "remove", (int64_t)remove);
	tn_json_put_member_str(out, "text", text);
	tn_json_end_object(out);
}

static enum tenon_code apply(void *data, const struct tn_json *operation, struct tn_buf *inverse,
			     struct tenon_error *err)
{
	struct tn_floor_document *document = data;
	struct tn_buf *text = &document->text;
	size_t at = 0, remove = 0, behind;
	struct tn_str insert = {NULL, 0};
	enum tenon_code code = read_range(document, operation, &at, &remove, &insert, err);

	if (code != TENON_OK)
		return code;
	if (insert.size > remove && !tn_buf_reserve(text, insert.size - remove)) {
		text->failed = text->starved = false;
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	put_operation(inverse, at, insert.size, tn_str(text->data ? text->data + at : "", remove));
	code = tn_buf_check(inverse, err);
	if (code != TENON_OK)
		return code;
	behind = text->size - at - remove;
	if (behind > 0)
		memmove(text->data + at + insert.size, text->data + at + remove, behind);
	if (insert.size > 0)
		memcpy(text->data + at, insert.data, insert.size);
	text->size = at + insert.size + behind;
	return TENON_OK;
}

static void save(const void *data, struct tn_buf *out)
{
	const struct tn_floor_document *document = data;

	tn_json_put_str(out, tn_buf_str(&document->text));
}

static enum tenon_code load(void *data, const struct tn_json *saved, struct tenon_error *err)
{
	struct tn_floor_document *document = data;
	struct tn_str text = {NULL, 0};

	if (!tn_json_to_str(saved, &text))
		return tn_fail(err, TENON_INVALID, "a saved plan is a text");
	tn_buf_clear(&document->text);
	tn_buf_append_str(&document->text, text);
	return tn_buf_check(&document->text, err);
}

static const struct tn_document_ops operations = {.apply = apply, .save = save, .load = load};

/* ---- life ---- */

void tn_floor_document_free(void *value)
{
	struct tn_floor_document *document = value;

	if (!document)
		return;
	tn_oplog_close(document->log);
	tn_buf_finish(&document->text);
	tn_mem_free(document->path);
	tn_mem_free(document);
}

/* One that goes while the program runs is gone for good. */
static void drop_document(void *value)
{
	struct tn_floor_document *document = value;
	const struct tn_floor_documents *documents = document->documents;
	char id[TN_HANDLE_SIZE];

	memcpy(id, document->id, sizeof(id));
	tn_floor_document_free(document);
	if (!documents->finishing && id[0])
		tn_floor_document_forget(documents, id);
}

void tn_floor_documents_init(struct tn_floor_documents *documents, const struct tn_clock *clock,
			     struct tn_handle_registry *registry)
{
	const struct tn_handles_options options = {.app = "floorplan",
						   .kind = "document",
						   .prefix = "fpl_",
						   .clock = clock,
						   .registry = registry,
						   .free_value = drop_document,
						   .count_max = TN_FLOOR_DOCUMENTS_MAX,
						   .bytes_max = TN_FLOOR_DOCUMENT_BYTES_MAX,
						   .idle_ms = TN_FLOOR_DOCUMENT_IDLE_MS};

	*documents = (struct tn_floor_documents){.clock = clock};
	tn_handles_init(&documents->handles, &options);
}

void tn_floor_documents_finish(struct tn_floor_documents *documents)
{
	documents->finishing = true;
	tn_handles_finish(&documents->handles);
	tn_mem_free(documents->folder);
	documents->folder = NULL;
}

enum tenon_code tn_floor_document_find(struct tn_floor_documents *documents, const char *id,
				       const char *principal, struct tn_handle **ret,
				       struct tenon_error *err)
{
	enum tenon_code code = tn_handles_find(&documents->handles, id, principal, ret, err);
	unsigned damaged;

	if (code != TENON_NOT_FOUND || !documents->folder)
		return code;
	tn_floor_documents_load(documents, &damaged);
	return tn_handles_find(&documents->handles, id, principal, ret, err);
}

struct tn_handle *tn_floor_document_find_path(const struct tn_floor_documents *documents,
					      const char *principal, const char *path)
{
	struct tn_handle *at = NULL;

	while ((at = tn_handles_next(&documents->handles, at, principal))) {
		const struct tn_floor_document *document = at->value;

		if (document->path && strcmp(document->path, path) == 0)
			return at;
	}
	return NULL;
}

static enum tenon_code check_text(struct tn_str text, struct tenon_error *err)
{
	if (text.size > TN_FLOOR_TEXT_BYTES_MAX)
		return tn_fail(err, TENON_LIMIT, "the plan is larger than %lu bytes",
			       TN_FLOOR_TEXT_BYTES_MAX);
	if (text.size > 0 && memchr(text.data, '\0', text.size))
		return tn_fail(err, TENON_INVALID, "the plan has a NUL byte; it is no text");
	if (text.size > 0 && !tn_utf8_valid(text.data, text.size))
		return tn_fail(err, TENON_INVALID, "the plan is not UTF-8 text");
	return TENON_OK;
}

enum tenon_code tn_floor_document_create(struct tn_floor_documents *documents,
					 struct tn_floor_document **ret, struct tenon_error *err)
{
	struct tn_floor_document *document = tn_mem_alloc(sizeof(*document));

	if (!document)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	document->documents = documents;
	/* Twice: a text that is replaced whole stands beside the new one for a moment. */
	tn_buf_init(&document->text, 2 * TN_FLOOR_TEXT_BYTES_MAX);
	*ret = document;
	return TENON_OK;
}

enum tenon_code tn_floor_document_log(struct tn_floor_document *document, const char *id,
				      struct tenon_error *err)
{
	const struct tn_floor_documents *documents = document->documents;
	char path[PATH_MAX];
	const struct tn_oplog_options options = {.path = documents->folder ? path : NULL,
						 .ops = &operations,
						 .document = document,
						 .clock = documents->clock,
						 .loop = documents->loop};

	(void)snprintf(path, sizeof(path), "%s/%s", documents->folder ? documents->folder : "", id);
	return tn_oplog_open(&options, &document->log, err);
}

/* Its file first: a log that nothing is known of would never be found again. */
static enum tenon_code fill(struct tn_handle *handle, const struct tn_floor_opened *opened,
			    struct tenon_error *err)
{
	struct tn_floor_document *document = handle->value;
	enum tenon_code code = TENON_OK;

	document->saved_revision = 1;
	tn_digest_hex(opened->text, document->saved);
	if (opened->path) {
		document->path = tn_mem_copy_text(opened->path, strlen(opened->path));
		if (!document->path)
			return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	if (document->documents->folder) {
		struct tn_floor_kept kept = tn_floor_document_kept(handle);

		memcpy(document->id, handle->id, sizeof(document->id));
		code = tn_floor_document_keep(&kept, err);
	}
	if (code == TENON_OK)
		code = tn_floor_document_log(document, handle->id, err);
	if (code != TENON_OK)
		return code;
	tn_buf_append_str(&document->text, opened->text);
	code = tn_buf_check(&document->text, err);
	return code == TENON_OK ? tn_oplog_start(document->log, 1, err) : code;
}

static enum tenon_code add(struct tn_floor_documents *documents,
			   const struct tn_floor_opened *opened, struct tn_handle **ret,
			   struct tenon_error *err)
{
	const char *slash = opened->path ? strrchr(opened->path, '/') : NULL;
	struct tn_handle_new made = {.principal = opened->principal,
				     .by = opened->by,
				     .title = slash ? slash + 1 : "plan",
				     .bytes = 4 * (opened->text.size + TN_KIB)};
	struct tn_floor_document *document;
	enum tenon_code code = tn_floor_document_create(documents, &document, err);

	made.value = document;
	if (code == TENON_OK)
		code = tn_handles_add(&documents->handles, &made, ret, err);
	if (code == TENON_OK)
		code = fill(*ret, opened, err);
	if (code != TENON_OK && *ret) {
		tn_handles_close(&documents->handles, *ret);
		tn_handle_unref(*ret);
		*ret = NULL;
	}
	return code;
}

enum tenon_code tn_floor_document_open(struct tn_floor_documents *documents,
				       const struct tn_floor_opened *opened, struct tn_handle **ret,
				       struct tenon_error *err)
{
	struct tn_handle *known =
		opened->path
			? tn_floor_document_find_path(documents, opened->principal, opened->path)
			: NULL;
	enum tenon_code code;

	*ret = NULL;
	if (known && tn_handles_find(&documents->handles, known->id, opened->principal, &known,
				     NULL) == TENON_OK) {
		tn_handle_ref(known);
		*ret = known;
		return TENON_OK;
	}
	code = check_text(opened->text, err);
	return code == TENON_OK ? add(documents, opened, ret, err) : code;
}

/* ---- changing ---- */

static bool is_inside_character(char byte)
{
	return ((unsigned char)byte & 0xC0) == 0x80;
}

/* What the two begin and end with alike, in whole characters: operations are JSON texts. */
static void find_difference(struct tn_str before, struct tn_str after, size_t *ret_front,
			    size_t *ret_back)
{
	size_t least = before.size < after.size ? before.size : after.size, front = 0, back = 0;

	while (front < least && before.data[front] == after.data[front])
		front++;
	while (front > 0 && ((front < before.size && is_inside_character(before.data[front])) ||
			     (front < after.size && is_inside_character(after.data[front]))))
		front--;
	while (back < least - front &&
	       before.data[before.size - 1 - back] == after.data[after.size - 1 - back])
		back++;
	while (back > 0 && is_inside_character(before.data[before.size - back]))
		back--;
	*ret_front = front;
	*ret_back = back;
}

static enum tenon_code commit(struct tn_floor_document *document, const struct tn_buf *operation,
			      const struct tn_commit *how, struct tenon_error *err)
{
	struct tn_commit change = *how;
	struct tn_change done;
	struct tn_json *list = NULL;
	struct tn_arena arena;
	enum tenon_code code = tn_buf_check(operation, err);

	tn_arena_init(&arena, TN_FLOOR_ARENA_MAX);
	if (code == TENON_OK)
		code = tn_json_parse_copy(&arena, tn_buf_str(operation), &list, err);
	change.operations = list;
	if (code == TENON_OK)
		code = tn_oplog_commit(document->log, &change, &done, err);
	tn_arena_finish(&arena);
	return code;
}

enum tenon_code tn_floor_document_change(struct tn_floor_document *document, struct tn_str text,
					 int64_t expected, const char *actor, const char *label,
					 struct tenon_error *err)
{
	const struct tn_commit how = {
		.actor = actor, .label = label, .expected_revision = expected};
	struct tn_str before = tn_buf_str(&document->text);
	uint64_t revision = tn_oplog_revision(document->log);
	size_t front = 0, back = 0;
	struct tn_buf operation;
	enum tenon_code code = check_text(text, err);

	if (code != TENON_OK)
		return code;
	if (expected >= 0 && (uint64_t)expected != revision)
		return tn_fail(err, TENON_EXPIRED,
			       "the document has revision %llu, not %lld: read it again",
			       (unsigned long long)revision, (long long)expected);
	if (tn_str_equal(before, text))
		return TENON_OK;
	find_difference(before, text, &front, &back);
	tn_buf_init(&operation, TN_RESULT_BYTES_MAX);
	tn_json_begin_array(&operation);
	put_operation(&operation, front, before.size - front - back,
		      tn_str(text.data ? text.data + front : "", text.size - front - back));
	tn_json_end_array(&operation);
	code = commit(document, &operation, &how, err);
	tn_buf_finish(&operation);
	return code;
}
