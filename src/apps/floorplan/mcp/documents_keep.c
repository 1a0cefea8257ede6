/* Documents in a folder: for each a log named like its handle, and a file of what else is known of
 * it, {"principal":"local","by":"...","title":"...","path":null,"saved":"...","savedRevision":1},
 * named like the handle with ".json" behind. That file is there before the log and goes after it.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "apps/floorplan/mcp/documents.h"
#include "apps/floorplan/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "store/file.h"

#define SUFFIX ".json"

static void name_file(char out[PATH_MAX], const char *folder, const char *id)
{
	(void)snprintf(out, PATH_MAX, "%s/%s" SUFFIX, folder, id);
}

/* ---- writing ---- */

struct tn_floor_kept tn_floor_document_kept(const struct tn_handle *handle)
{
	const struct tn_floor_document *document = tn_floor_document_of(handle);

	return (struct tn_floor_kept){.folder = document->documents->folder,
				      .id = handle->id,
				      .principal = handle->principal,
				      .by = handle->by,
				      .title = handle->title,
				      .path = document->path,
				      .saved = document->saved,
				      .saved_revision = document->saved_revision};
}

enum tenon_code tn_floor_document_keep(const struct tn_floor_kept *kept, struct tenon_error *err)
{
	char path[PATH_MAX];
	struct tn_buf out;
	enum tenon_code code;

	tn_buf_init(&out, TN_FLOOR_KEPT_BYTES_MAX);
	tn_json_begin_object(&out);
	tn_json_put_member_text(&out, "principal", kept->principal);
	tn_json_put_member_text(&out, "by", kept->by);
	tn_json_put_member_text(&out, "title", kept->title);
	if (kept->path)
		tn_json_put_member_text(&out, "path", kept->path);
	else
		tn_json_put_member_null(&out, "path");
	tn_json_put_member_text(&out, "saved", kept->saved);
	tn_json_put_member_int(&out, "savedRevision", (int64_t)kept->saved_revision);
	tn_json_end_object(&out);
	tn_buf_append_byte(&out, '\n');
	code = tn_buf_check(&out, err);
	name_file(path, kept->folder, kept->id);
	if (code == TENON_OK)
		code = tn_dir_create(kept->folder, 0700, err);
	if (code == TENON_OK)
		code = tn_file_write(path, 0600, tn_buf_str(&out), err);
	tn_buf_finish(&out);
	return code;
}

void tn_floor_document_forget(const struct tn_floor_documents *documents, const char *id)
{
	char path[PATH_MAX];
	struct tenon_error err;

	(void)snprintf(path, sizeof(path), "%s/%s", documents->folder, id);
	/* What another process has is not ours any more. */
	if (tn_oplog_remove(path, &err) != TENON_OK)
		return;
	name_file(path, documents->folder, id);
	(void)unlink(path);
}

/* ---- reading ---- */

struct loading {
	struct tn_floor_documents *documents;
	struct tn_arena arena;
	const struct tn_json *known; /* what the file says */
	struct tenon_error err;
};

static const char *text_of(struct loading *loading, const char *name)
{
	struct tn_str text = {NULL, 0};

	if (!tn_json_to_str(tn_json_get(loading->known, name), &text))
		return NULL;
	return tn_arena_copy(&loading->arena, text);
}

static enum tenon_code read_known(struct loading *loading, const char *id)
{
	struct tn_json *known = NULL;
	char path[PATH_MAX];
	struct tn_buf text;
	enum tenon_code code;

	tn_buf_init(&text, TN_FLOOR_KEPT_BYTES_MAX);
	name_file(path, loading->documents->folder, id);
	code = tn_file_read(path, TN_FILE_NO_FOLLOW | TN_FILE_REGULAR_ONLY, &text, &loading->err);
	if (code == TENON_OK)
		code = tn_json_parse_copy(&loading->arena, tn_buf_str(&text), &known,
					  &loading->err);
	loading->known = known;
	tn_buf_finish(&text);
	return code;
}

static enum tenon_code take_known(struct loading *loading, struct tn_floor_document *document)
{
	const char *saved = text_of(loading, "saved"), *path = text_of(loading, "path");
	int64_t revision = 0;

	if (!saved || strlen(saved) != TN_DIGEST_HEX_SIZE - 1 ||
	    !tn_json_to_int(tn_json_get(loading->known, "savedRevision"), &revision) ||
	    revision < 0)
		return tn_fail(&loading->err, TENON_INVALID, "saved and savedRevision are missing");
	memcpy(document->saved, saved, sizeof(document->saved));
	document->saved_revision = (uint64_t)revision;
	if (path)
		document->path = tn_mem_copy_text(path, strlen(path));
	return path && !document->path ? tn_fail(&loading->err, TENON_NO_MEMORY, "out of memory")
				       : TENON_OK;
}

static enum tenon_code add_loaded(struct loading *loading, struct tn_floor_document *document,
				  const char *id)
{
	const char *principal = text_of(loading, "principal");
	struct tn_handle *handle = NULL;
	const struct tn_handle_new made = {.id = id,
					   .principal = principal ? principal : "",
					   .title = text_of(loading, "title"),
					   .by = text_of(loading, "by"),
					   .value = document,
					   .bytes = 4 * (document->text.size + TN_KIB)};
	enum tenon_code code;

	memcpy(document->id, id, strlen(id) + 1);
	code = tn_handles_add(&loading->documents->handles, &made, &handle, &loading->err);
	if (code == TENON_OK)
		tn_handle_unref(handle);
	return code;
}

/* A log without a beginning was never opened for anybody. */
static enum tenon_code load_one(struct loading *loading, const char *id)
{
	struct tn_floor_document *document = NULL;
	enum tenon_code code = read_known(loading, id);
	bool is_empty;

	if (code == TENON_OK)
		code = tn_floor_document_create(loading->documents, &document, &loading->err);
	if (code == TENON_OK)
		code = take_known(loading, document);
	if (code == TENON_OK)
		code = tn_floor_document_log(document, id, &loading->err);
	is_empty = code == TENON_OK && tn_oplog_revision(document->log) == 0;
	if (code == TENON_OK && !is_empty)
		return add_loaded(loading, document, id);
	tn_floor_document_free(document);
	if (is_empty)
		tn_floor_document_forget(loading->documents, id);
	return code;
}

static bool is_open(const struct tn_floor_documents *documents, const char *id)
{
	struct tn_handle *at = NULL;

	while ((at = tn_handles_next(&documents->handles, at, NULL)))
		if (strcmp(at->id, id) == 0)
			return true;
	return false;
}

/* The handle that a file is named by. False: it is another file. */
static bool id_of(const char *name, char id[TN_HANDLE_SIZE])
{
	size_t size = strlen(name), suffix = strlen(SUFFIX);

	if (name[0] == '.' || size <= suffix || size - suffix >= TN_HANDLE_SIZE ||
	    strcmp(name + size - suffix, SUFFIX) != 0)
		return false;
	memcpy(id, name, size - suffix);
	id[size - suffix] = '\0';
	return true;
}

void tn_floor_documents_load(struct tn_floor_documents *documents, unsigned *ret_damaged)
{
	DIR *folder = documents->folder ? opendir(documents->folder) : NULL;
	struct loading loading = {.documents = documents};
	const struct dirent *entry;
	char id[TN_HANDLE_SIZE];

	*ret_damaged = 0;
	while (folder && (entry = readdir(folder)) != NULL) {
		if (!id_of(entry->d_name, id) || is_open(documents, id))
			continue;
		tn_arena_init(&loading.arena, TN_FLOOR_ARENA_MAX);
		if (load_one(&loading, id) == TENON_INVALID)
			++*ret_damaged;
		tn_arena_finish(&loading.arena);
	}
	if (folder)
		(void)closedir(folder);
}

enum tenon_code tn_floor_documents_keep(struct tn_floor_documents *documents, struct tn_loop *loop,
					const char *folder, struct tenon_error *err)
{
	/* Room for the names of the files behind it. */
	if (strlen(folder) + TN_HANDLE_SIZE + 32 > PATH_MAX)
		return tn_fail(err, TENON_INVALID, "the folder's name is too long");
	documents->loop = loop;
	documents->folder = tn_mem_copy_text(folder, strlen(folder));
	return documents->folder ? TENON_OK : tn_fail(err, TENON_NO_MEMORY, "out of memory");
}
