/* floorplan://document/{id}: the text of a document as it is now; subscribers are told of each
 * change (floorplan.md 7.8). Revision, path and what can be undone stand in _meta. */
#include "apps/floorplan/mcp/tool_state.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"

static void read_document(struct tenon_call *call, void *data)
{
	struct tn_floor_door *door = data;
	const struct tn_floor_document *document;
	struct tn_handle *handle = NULL;
	struct tn_buf meta;

	if (tn_floor_document_find(&door->documents, tenon_call_text(call, "id"),
				   tenon_call_principal(call), &handle, NULL) != TENON_OK) {
		tenon_call_not_found(call);
		return;
	}
	document = tn_floor_document_of(handle);
	tn_buf_init(&meta, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(&meta);
	tn_floor_put_document(&meta, handle);
	tn_json_end_object(&meta);
	tn_buf_append_byte(&meta, '\0');
	if (meta.failed) {
		tenon_call_fail(call, "Out of memory.");
	} else {
		tenon_call_set_cache(call, 0, false);
		tenon_call_add_resource_text(call, NULL, "text/plain",
					     document->text.data ? document->text.data : "",
					     document->text.size);
		tenon_call_set_block_meta(call, meta.data);
		tenon_call_finish(call);
	}
	tn_buf_finish(&meta);
}

const struct tenon_resource_template tn_floor_template_document = {
	.uri_template = "floorplan://document/{id}",
	.name = "document",
	.title = "An open floor plan",
	.description = "The text of a document of open_floorplan as it is now; subscribe to be "
		       "told of each change",
	.mime_type = "text/plain",
	.read = read_document,
	.complete = tn_floor_complete,
};
