/* studio://engine: which engine runs here, or how to get one (studio-canvas.md SC-110). */
#include "apps/studio/mcp/resource.h"
#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

struct reading {
	struct tenon_call *call; /* NULL: it has gone */
	bool is_looking;
};

static void free_reading(void *data)
{
	struct reading *reading = data;

	reading->call = NULL;
	if (!reading->is_looking) /* otherwise who looks frees it */
		tn_mem_free(reading);
}

static void answer(struct tenon_call *call, const struct tn_studio_engine *engine,
		   const struct tn_studio_fault *fault)
{
	struct tn_buf text;

	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(&text);
	if (engine) {
		tn_json_put_member_text(&text, "name", engine->name);
		tn_json_put_member_text(&text, "version", engine->version);
		tn_json_put_member_text(&text, "path", engine->path);
	} else {
		tn_json_put_member_text(&text, "error", fault->code);
		tn_json_put_member_text(&text, "message", fault->message);
	}
	tn_json_end_object(&text);
	if (text.failed) {
		tenon_call_fail(call, "Out of memory.");
	} else {
		tenon_call_set_cache(call, 0, false);
		tenon_call_add_resource_text(call, NULL, "application/json", text.data, text.size);
		tenon_call_finish(call);
	}
	tn_buf_finish(&text);
}

static void found(const struct tn_studio_engine *engine, const struct tn_studio_fault *fault,
		  void *data)
{
	struct reading *reading = data;

	reading->is_looking = false;
	if (!reading->call)
		tn_mem_free(reading);
	else if (tenon_call_cancelled(reading->call))
		tenon_call_fail(reading->call, "cancelled");
	else
		answer(reading->call, engine, fault);
}

static void read_engine(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct reading *reading = tn_mem_alloc(sizeof(*reading));

	if (!reading) {
		tenon_call_fail(call, "Out of memory.");
		return;
	}
	*reading = (struct reading){.call = call, .is_looking = true};
	tenon_call_set_data(call, reading, free_reading);
	tn_studio_engine_find(door->runs, found, reading);
}

const struct tenon_resource tn_studio_resource_engine = {
	.uri = "studio://engine",
	.name = "engine",
	.title = "The engine",
	.description = "Name, version and path of terraform or tofu, or how to get one",
	.mime_type = "application/json",
	.size_bytes = -1,
	.read = read_engine,
};
