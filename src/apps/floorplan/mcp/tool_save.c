/* save_floorplan: a document's text to its file, or to another (floorplan.md 7.8). */
#include "apps/floorplan/mcp/tool_state.h"
#include "apps/floorplan/limits.h"
#include "apps/floorplan/mcp/tools.h"
#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "mcp/caller_folder.h"

struct saving {
	struct tn_floor_door *door;
	struct tn_handle *handle; /* referenced */
	const char *asked;        /* NULL: the document's own */
	bool overwrite;
	char expected[TN_DIGEST_HEX_SIZE]; /* of what stands in its own file; empty: whatever */
	uint64_t revision;
	struct tn_buf path, text, there;
	const char *reason;
	char saved[TN_DIGEST_HEX_SIZE]; /* of what was written */
	enum tenon_code code;
	struct tenon_error err;
};

static void free_saving(void *data)
{
	struct saving *saving = data;

	tn_handle_unref(saving->handle);
	tn_buf_finish(&saving->path);
	tn_buf_finish(&saving->text);
	tn_buf_finish(&saving->there);
	tn_mem_free(saving);
}

/* What is there is only replaced when it is what this document has read or written, or the caller
 * says so. */
static enum tenon_code check_there(struct saving *saving, const struct tn_place *place)
{
	char digest[TN_DIGEST_HEX_SIZE];
	enum tenon_code code = tn_place_read(place, &saving->there, &saving->err);

	if (code == TENON_NOT_FOUND || (code == TENON_OK && saving->overwrite))
		return TENON_OK;
	if (code == TENON_LIMIT || code == TENON_OK) {
		tn_digest_hex(tn_buf_str(&saving->there), digest);
		if (code == TENON_OK && strcmp(digest, saving->expected) == 0)
			return TENON_OK;
		saving->reason = saving->expected[0] ? "FILE_CHANGED" : "FILE_EXISTS";
		return tn_fail(
			&saving->err, TENON_BUSY,
			saving->expected[0]
				? "the file has changed since it was read; open it again, or "
				  "send overwrite"
				: "there is a file of this name; send overwrite to replace "
				  "it");
	}
	return code;
}

/* That it is saved, for the time after a restart. Where that cannot be written the document counts
 * as changed then, which is no loss. */
static void keep(struct saving *saving)
{
	struct tn_floor_kept kept = tn_floor_document_kept(saving->handle);
	struct tenon_error ignored;

	tn_digest_hex(tn_buf_str(&saving->text), saving->saved);
	kept.path = saving->path.data;
	kept.saved = saving->saved;
	kept.saved_revision = saving->revision;
	if (kept.folder)
		(void)(tn_floor_document_keep(&kept, &ignored) == TENON_OK);
}

static enum tenon_code write_place(struct saving *saving, const struct tn_place *place)
{
	const char *own = tn_floor_document_of(saving->handle)->path;
	enum tenon_code code;

	tn_buf_append(&saving->path, place->path, strlen(place->path) + 1);
	code = tn_buf_check(&saving->path, &saving->err);
	if (code != TENON_OK)
		return code;
	saving->path.size--; /* the NUL stays behind the last byte */
	if (!own || strcmp(own, place->path) != 0)
		saving->expected[0] = '\0';
	code = check_there(saving, place);
	if (code == TENON_OK)
		code = tn_place_write(place, 0644, tn_buf_str(&saving->text), &saving->err);
	if (code == TENON_OK)
		keep(saving);
	return code;
}

static void write_file(const struct tenon_call *call, void *data)
{
	struct saving *saving = data;
	struct tn_place place;

	(void)call;
	saving->code =
		tn_floor_place_find(&saving->door->roots, saving->asked, &place, &saving->err);
	if (saving->code != TENON_OK)
		return;
	saving->code = write_place(saving, &place);
	tn_place_close(&place);
}

static void file_written(struct tenon_call *call, void *data)
{
	struct saving *saving = data;
	struct tn_floor_document *document = tn_floor_document_of(saving->handle);
	struct tn_buf json;
	char *path;

	saving->err.code = saving->code;
	if (saving->code != TENON_OK) {
		tn_floor_reply_error(call, saving->reason, &saving->err);
		return;
	}
	path = tn_mem_copy_text(saving->path.data, saving->path.size);
	if (path) {
		tn_mem_free(document->path);
		document->path = path;
		document->saved_revision = saving->revision;
		memcpy(document->saved, saving->saved, sizeof(document->saved));
	}
	tn_buf_init(&json, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(&json);
	tn_json_put_member_bool(&json, "success", true);
	tn_floor_put_document(&json, saving->handle);
	tn_json_put_member_int(&json, "bytes", (int64_t)saving->text.size);
	tn_json_end_object(&json);
	tn_floor_publish(saving->door, saving->handle);
	tn_floor_reply(call, &json);
}

static bool fill(struct saving *saving, struct tenon_call *call)
{
	const struct tn_floor_document *document = tn_floor_document_of(saving->handle);

	tn_buf_init(&saving->path, TN_RESULT_BYTES_MAX);
	tn_buf_init(&saving->text, 2 * TN_FLOOR_TEXT_BYTES_MAX);
	tn_buf_init(&saving->there, TN_FLOOR_TEXT_BYTES_MAX);
	tn_buf_append_str(&saving->text, tn_buf_str(&document->text));
	saving->revision = tn_oplog_revision(document->log);
	memcpy(saving->expected, document->saved, sizeof(saving->expected));
	(void)tenon_call_bool(call, "overwrite", &saving->overwrite);
	return !saving->text.failed;
}

void tn_floor_call_save(struct tenon_call *call, void *data)
{
	struct tn_floor_door *door = data;
	struct tn_handle *handle = tn_floor_handle_of(call, door);
	const char *path = tn_call_path(call, &door->roots, tenon_call_text(call, "path"));
	struct saving *saving;

	if (!handle)
		return;
	if (!path)
		path = tn_floor_document_of(handle)->path;
	if (!path) {
		tn_floor_reply_fault(call, "FP9001",
				     "this document came as text: send the path of a file",
				     "/path");
		return;
	}
	saving = tn_mem_alloc(sizeof(*saving));
	if (!saving) {
		tenon_call_refuse(call, -32603, "Out of memory.", NULL);
		return;
	}
	saving->door = door;
	saving->handle = handle;
	tn_handle_ref(handle);
	saving->asked = path;
	tenon_call_set_data(call, saving, free_saving);
	if (fill(saving, call))
		tenon_call_work(call, write_file, file_written, saving);
	else
		tenon_call_refuse(call, -32603, "Out of memory.", NULL);
}
