/* list_projects: what is open, and what was lately (ST-027). */
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/limits.h"
#include "apps/studio/mcp/tools.h"
#include "jsonrpc/json_write.h"

void tn_studio_call_list_projects(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	const struct tn_studio_project *current = tn_studio_project_current(door->projects);
	struct tn_buf result;

	tn_buf_init(&result, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&result);
	tn_json_put_key(&result, "open");
	tn_json_begin_array(&result);
	for (const struct tn_studio_project *at = tn_studio_projects_first(door->projects); at;
	     at = at->next) {
		tn_json_begin_object(&result);
		tn_json_put_member_text(&result, "id", at->id);
		tn_json_put_member_text(&result, "name", at->name);
		tn_json_put_member_text(&result, "path", at->path);
		tn_json_put_member_bool(&result, "current", at == current);
		tn_json_put_member_bool(&result, "dirty", tn_studio_project_is_dirty(at));
		tn_json_end_object(&result);
	}
	tn_json_end_array(&result);
	tn_json_put_key(&result, "recent");
	tn_studio_projects_put_recent(&result, door->projects);
	tn_json_end_object(&result);
	tn_studio_reply(call, tn_str("", 0), &result);
}
