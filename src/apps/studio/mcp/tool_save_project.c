/* save_project: diagram, configuration and assumptions to the project's files (FR-18). */
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/limits.h"
#include "apps/studio/mcp/tools.h"
#include "jsonrpc/json_write.h"

static bool flag_of(const struct tenon_call *call, const char *name)
{
	bool flag = false;

	(void)tenon_call_bool(call, name, &flag);
	return flag;
}

static bool save(const struct tenon_call *call, struct tn_studio_project *project,
		 struct tn_buf *files, struct tn_studio_fault *fault)
{
	const char *name = tenon_call_text(call, "name");
	bool force = flag_of(call, "force"), reload = flag_of(call, "reload");

	if (name && reload)
		return tn_studio_fail(fault, "INVALID_INPUT",
				      "the files that reload takes have a name of their own: send "
				      "`name` without it");
	return name ? tn_studio_project_rename(project, name, force, files, fault)
		    : tn_studio_project_save(project, force, reload, files, fault);
}

void tn_studio_call_save_project(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = tn_studio_project_of(call, door);
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_buf result, files;

	if (!project)
		return;
	tn_buf_init(&files, TN_STUDIO_RESULT_BYTES_MAX);
	if (!save(call, project, &files, &fault)) {
		tn_buf_finish(&files);
		tn_studio_reply_fault(call, &fault);
		return;
	}
	tn_buf_init(&result, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&result);
	tn_json_put_member_text(&result, "path", project->path);
	tn_json_put_member_int(&result, "revision", (int64_t)tn_oplog_revision(project->log));
	tn_json_put_member_raw(&result, "files", tn_buf_str(&files));
	tn_json_put_member_bool(&result, "dirty", tn_studio_project_is_dirty(project));
	tn_json_end_object(&result);
	tn_buf_inherit_failure(&result, &files);
	tn_buf_finish(&files);
	tn_studio_publish(door, project, flag_of(call, "reload") ? "diagram" : "config");
	tn_studio_reply(call, tn_str("", 0), &result);
}
