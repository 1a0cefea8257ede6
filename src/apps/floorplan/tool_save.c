/* save_floorplan: a document's text to its file, or to another (floorplan.md 7.8). */
#include "apps/floorplan/tool_state.h"
#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

/* clang-format off */
static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	TN_FLOOR_DOCUMENT_ARGUMENT
	",\"path\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096,"
	"\"description\":\"Another file; without it the one it was opened from\"},"
	"\"overwrite\":{\"type\":\"boolean\",\"default\":false,\"description\":\"Replace a "
	"file that is there, or has changed meanwhile\"}},\"required\":[\"document\"],"
	"\"additionalProperties\":false}";
/* clang-format on */
/* clang-format off */
static const char output_schema[] =
	"{\"type\":\"object\",\"properties\":{\"success\":{\"type\":\"boolean\"},\"errors\":"
	TN_FLOOR_MESSAGES
	",\"document\":{\"type\":\"string\"},\"revision\":{\"type\":\"integer\","
	"\"minimum\":0},\"dsl\":{\"type\":\"string\"},\"path\":{\"type\":[\"string\","
	"\"null\"]},\"changed\":{\"type\":\"boolean\"},\"canUndo\":{\"type\":\"boolean\"},"
	"\"canRedo\":{\"type\":\"boolean\"},\"bytes\":{\"type\":\"integer\",\"minimum\":0}},"
	"\"required\":[\"success\"]}";
/* clang-format on */

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
static enum tenon_code check_there(struct saving *saving)
{
	char digest[TN_DIGEST_HEX_SIZE];
	enum tenon_code code = tn_floor_roots_load(&saving->door->roots, saving->path.data,
						   &saving->there, &saving->err);

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

static void write_file(const struct tenon_call *call, void *data)
{
	struct saving *saving = data;
	const struct tn_floor_roots *roots = &saving->door->roots;
	const char *own = tn_floor_document_of(saving->handle)->path;

	(void)call;
	saving->code = tn_floor_roots_find(roots, saving->asked, &saving->path, &saving->err);
	if (saving->code == TENON_OK && (!own || strcmp(own, saving->path.data) != 0))
		saving->expected[0] = '\0';
	if (saving->code == TENON_OK)
		saving->code = check_there(saving);
	if (saving->code == TENON_OK)
		saving->code = tn_floor_roots_store(roots, saving->path.data,
						    tn_buf_str(&saving->text), &saving->err);
	if (saving->code == TENON_OK)
		keep(saving);
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

static void call_save(struct tenon_call *call, void *data)
{
	struct tn_floor_door *door = data;
	struct tn_handle *handle = tn_floor_handle_of(call, door);
	const char *path = tenon_call_text(call, "path");
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

const struct tenon_tool tn_floor_tool_save = {
	.name = "save_floorplan",
	.title = "Save a floor plan",
	.description = "Write a document's text to its file, or to another one in the folders that "
		       "are allowed. A file that somebody else has changed is not replaced unless "
		       "overwrite says so.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_save,
};
