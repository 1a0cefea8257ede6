/* set_presence: what a page shows now, for the others (SC-017). */
#include "apps/studio/limits.h"
#include "apps/studio/mcp/presence.h"
#include "apps/studio/mcp/tools.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

/* As it is told on: members of an object, without what else the call says. */
static void put_said(struct tn_buf *out, const struct tn_json *arguments)
{
	static const char *const keys[] = {"selection", "view", "held", "editing", "pointer"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct tn_json *value = tn_json_get(arguments, keys[i]);

		if (!value && i > 0)
			continue;
		tn_json_put_key(out, keys[i]);
		if (value)
			tn_json_put_value(out, value);
		else
			tn_json_put_raw(out, TN_STR("[]"));
	}
}

void tn_studio_call_set_presence(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = tn_studio_project_of(call, door);
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_buf said;
	bool good;

	if (!project)
		return;
	tn_buf_init(&said, TN_MIB);
	put_said(&said, tn_call_arguments(call));
	good = !said.failed ? tn_studio_here_set(door, call, project, tn_buf_str(&said), &fault)
			    : tn_studio_fail(&fault, "LIMIT_EXCEEDED", "that is too much");
	tn_buf_clear(&said);
	if (good) {
		tn_buf_append_text(&said, "{\"ok\":true}");
		tn_studio_reply(call, TN_STR("ok"), &said);
	} else {
		tn_buf_finish(&said);
		tn_studio_reply_fault(call, &fault);
	}
}
