/* open_floorplan: a plan as a document with revisions and undo (floorplan.md 7.8). */
#include "apps/floorplan/mcp/tool_state.h"
#include "apps/floorplan/limits.h"
#include "apps/floorplan/mcp/tools.h"
#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/caller_folder.h"

struct opening {
	struct tn_floor_door *door;
	const char *asked; /* NULL: the text is an argument */
	struct tn_buf path, text;
	enum tenon_code code;
	struct tenon_error err;
};

static void free_opening(void *data)
{
	struct opening *opening = data;

	tn_buf_finish(&opening->path);
	tn_buf_finish(&opening->text);
	tn_mem_free(opening);
}

static void reply_opened(struct tenon_call *call, struct tn_floor_door *door,
			 const struct tn_floor_opened *opened)
{
	struct tn_handle *handle = NULL;
	struct tenon_error err = {0};
	struct tn_buf json;

	if (tn_floor_document_open(&door->documents, opened, &handle, &err) != TENON_OK) {
		tn_floor_reply_error(call, NULL, &err);
		return;
	}
	tn_buf_init(&json, TN_RESULT_BYTES_MAX);
	tn_floor_put_open_document(&json, handle);
	tn_floor_reply(call, &json);
	tn_handle_unref(handle);
}

static void read_file(const struct tenon_call *call, void *data)
{
	struct opening *opening = data;
	struct tn_place place;

	(void)call;
	opening->code =
		tn_floor_place_find(&opening->door->roots, opening->asked, &place, &opening->err);
	if (opening->code != TENON_OK)
		return;
	tn_buf_append(&opening->path, place.path, strlen(place.path) + 1);
	opening->code = tn_buf_check(&opening->path, &opening->err);
	if (opening->code == TENON_OK)
		opening->code = tn_place_read(&place, &opening->text, &opening->err);
	tn_place_close(&place);
}

static void file_read(struct tenon_call *call, void *data)
{
	struct opening *opening = data;
	const struct tn_floor_opened opened = {.text = tn_buf_str(&opening->text),
					       .path = opening->path.data,
					       .principal = tenon_call_principal(call),
					       .by = tenon_call_client_name(call)};

	opening->err.code = opening->code;
	if (opening->code != TENON_OK)
		tn_floor_reply_error(call, NULL, &opening->err);
	else
		reply_opened(call, opening->door, &opened);
}

static void open_path(struct tenon_call *call, struct tn_floor_door *door, const char *path)
{
	struct opening *opening = tn_mem_alloc(sizeof(*opening));

	if (!opening || !path) {
		tn_mem_free(opening);
		tenon_call_refuse(call, -32603, "Out of memory.", NULL);
		return;
	}
	opening->door = door;
	opening->asked = path;
	tn_buf_init(&opening->path, TN_RESULT_BYTES_MAX);
	tn_buf_init(&opening->text, TN_FLOOR_TEXT_BYTES_MAX);
	tenon_call_set_data(call, opening, free_opening);
	tenon_call_work(call, read_file, file_read, opening);
}

void tn_floor_call_open(struct tenon_call *call, void *data)
{
	struct tn_floor_door *door = data;
	const char *path = tenon_call_text(call, "path");
	struct tn_floor_opened opened = {.principal = tenon_call_principal(call),
					 .by = tenon_call_client_name(call)};
	bool has_text = tn_json_to_str(tn_json_get(tn_call_arguments(call), "dsl"), &opened.text);

	if (has_text == (path != NULL))
		tn_floor_reply_fault(call, "FP9001",
				     path ? "send path or dsl, not both"
					  : "send path (a file) or dsl (the plan as text)",
				     path ? "/dsl" : "/path");
	else if (path)
		open_path(call, door, tn_call_path(call, &door->roots, path));
	else
		reply_opened(call, door, &opened);
}
