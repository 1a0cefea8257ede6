/* list_projects: what is open, and what was lately (ST-027). */
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/limits.h"
#include "apps/studio/mcp/tools.h"
#include "jsonrpc/json_write.h"

void tn_studio_put_projects(struct tn_buf *out, const struct tn_studio_door *door)
{
	const struct tn_studio_project *current = tn_studio_project_current(door->projects);

	tn_json_put_key(out, "open");
	tn_json_begin_array(out);
	for (const struct tn_studio_project *at = tn_studio_projects_first(door->projects); at;
	     at = at->next) {
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "id", at->id);
		tn_json_put_member_text(out, "name", at->name);
		tn_json_put_member_text(out, "path", at->path);
		tn_json_put_member_bool(out, "current", at == current);
		tn_json_put_member_bool(out, "dirty", tn_studio_project_is_dirty(at));
		tn_json_put_member_int(out, "savedRevision", (int64_t)at->saved_revision);
		if (at->opened_by[0]) {
			tn_json_put_key(out, "openedBy");
			tn_json_begin_object(out);
			tn_json_put_member_text(out, "name", at->opened_by);
			tn_json_put_member_bool(out, "person", at->opened_by_person);
			tn_json_end_object(out);
		}
		tn_json_end_object(out);
	}
	tn_json_end_array(out);
	tn_json_put_key(out, "recent");
	tn_studio_projects_put_recent(out, door->projects);
}

void tn_studio_call_list_projects(struct tenon_call *call, void *data)
{
	struct tn_buf result;

	tn_buf_init(&result, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&result);
	tn_studio_put_projects(&result, data);
	tn_json_end_object(&result);
	tn_studio_reply(call, tn_str("", 0), &result);
}
