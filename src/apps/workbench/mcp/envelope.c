/* What a read is about, and what is written around its data (workbench.md 15.2). */
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/caller_folder.h"

bool tn_wb_look_begin(struct tn_wb_look *look, struct tn_wb_door *door, struct tenon_call *call,
		      const char *id, struct tn_buf *data)
{
	*look = (struct tn_wb_look){.door = door,
				    .call = call,
				    .data = data,
				    .status = "ok",
				    .bytes_max = TN_WB_ANSWER_BYTES_MAX};
	if (id) {
		look->workspace = tn_wb_workspaces_find(&door->workspaces, tn_str_from(id));
		look->why = "it was named";
		return look->workspace != NULL;
	}
	look->workspace = tn_wb_workspaces_of(&door->workspaces, tn_call_folder(call), &look->why);
	return true;
}

bool tn_wb_look_is_loaded(struct tn_wb_look *look)
{
	if (look->workspace && look->workspace->config)
		return true;
	look->status = look->workspace ? "loading" : "no_workspace";
	look->message =
		look->workspace
			? "The workspace is being read: read again in a moment."
			: "No workspace is open. A person opens one: tenon workbench open PATH";
	return false;
}

bool tn_wb_look_loaded(struct tn_wb_look *look)
{
	bool loaded = tn_wb_look_is_loaded(look);

	if (!loaded)
		tn_json_put_null(look->data);
	return loaded;
}

void tn_wb_say_untrusted(struct tn_wb_look *look, const char *const *pointers)
{
	for (size_t i = 0; pointers[i]; i++)
		look->untrusted[i] = pointers[i];
}

/* ---- the envelope ---- */

static void put_untrusted(struct tn_buf *out, const struct tn_wb_look *look)
{
	tn_json_put_key(out, "untrusted");
	tn_json_begin_array(out);
	for (size_t i = 0; i < TN_COUNT(look->untrusted) && look->untrusted[i]; i++)
		tn_json_put_text(out, look->untrusted[i]);
	tn_json_end_array(out);
}

/* What is larger than an answer may be, and has no parts to be read one by one: a configuration. */
static void put_data(struct tn_buf *out, const struct tn_wb_look *look)
{
	if (look->data->size <= look->bytes_max + TN_WB_TOLD_BYTES_MAX * 2) {
		tn_json_put_member_raw(out, "data", tn_buf_str(look->data));
		return;
	}
	tn_json_put_key(out, "data");
	tn_json_begin_object(out);
	tn_json_put_member_bool(out, "truncated", true);
	tn_json_put_member_int(out, "bytes", (int64_t)look->data->size);
	tn_json_end_object(out);
}

void tn_wb_put_envelope(struct tn_buf *out, const struct tn_wb_look *look)
{
	char now[TN_CLOCK_ISO_SIZE];

	tn_clock_format_iso(tn_clock_wall_ms(&look->door->clock), now);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "status", look->status);
	if (look->message)
		tn_json_put_member_text(out, "message", look->message);
	tn_json_put_member_text(out, "schemaVersion", "v0");
	tn_json_put_key(out, "workspace");
	if (look->workspace) {
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "name", look->workspace->name);
		tn_json_put_member_text(out, "epoch", look->workspace->epoch);
		tn_json_end_object(out);
	} else {
		tn_json_put_null(out);
	}
	tn_json_put_member_text(out, "generatedAt", now);
	put_untrusted(out, look);
	put_data(out, look);
	tn_json_end_object(out);
	tn_buf_inherit_failure(out, look->data);
}
