/* new_project: a folder with an empty diagram (FR-19). */
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "apps/studio/document/config.h"
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/limits.h"
#include "apps/studio/mcp/tools.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/caller_folder.h"

void tn_studio_reply_project(struct tenon_call *call, struct tn_studio_door *door,
			     struct tn_studio_project *project, struct tn_buf *warnings)
{
	struct tn_buf result;
	struct tn_arena arena;
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_buf text;
	struct tn_str actor =
		tn_utf8_cut(tn_str_from(tn_studio_actor_of(call)), sizeof(project->opened_by) - 1);
	struct tn_studio_act act = {
		.project = project, .arena = &arena, .fault = &fault, .text = &text};

	(void)snprintf(project->opened_by, sizeof(project->opened_by), "%.*s", (int)actor.size,
		       actor.data);
	project->opened_by_person = tenon_call_is_person(call);
	tn_arena_init(&arena, TN_STUDIO_ARENA_MAX);
	tn_buf_init(&result, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_init(&text, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&result);
	tn_json_put_key(&result, "project");
	tn_studio_project_put(&result, project);
	tn_json_put_key(&result, "config");
	tn_studio_config_put(&result, &project->document, NULL, NULL);
	tn_json_put_key(&result, "diagram");
	tn_json_begin_object(&result);
	(void)tn_studio_action_diagram.run(&act, NULL, &result);
	tn_json_end_object(&result);
	tn_json_put_member_raw(&result, "warnings", warnings ? tn_buf_str(warnings) : TN_STR("[]"));
	tn_json_put_member_bool(&result, "recovered", project->recovered);
	if (warnings && warnings->size > strlen("[]")) {
		tn_buf_append_str(&text, TN_STR("warnings:"));
		tn_json_put_raw(&text, tn_buf_str(warnings));
		tn_buf_append_byte(&text, '\n');
	}
	if (project->recovered)
		tn_buf_append_str(&text, TN_STR("recovered: with changes that were not saved\n"));
	tn_json_end_object(&result);
	if (fault.code)
		tn_studio_reply_fault(call, &fault);
	else
		tn_studio_reply(call, tn_buf_str(&text), &result);
	tn_buf_finish(&result);
	tn_buf_finish(&text);
	tn_arena_finish(&arena);
	tn_studio_publish(door, project, "current");
}

void tn_studio_call_new_project(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_studio_project *project;

	if (tenon_call_text(call, "template"))
		(void)tn_studio_fail(&fault, "UNSUPPORTED",
				     "there are no templates yet; leave `template` out");
	project = fault.code ? NULL
			     : tn_studio_project_new(
				       door->projects, tenon_call_text(call, "name"),
				       tn_call_path(call, tn_studio_projects_roots(door->projects),
						    tenon_call_text(call, "directoryPath")),
				       tn_json_get(tn_call_arguments(call), "config"), &fault);
	if (project)
		tn_studio_reply_project(call, door, project, NULL);
	else
		tn_studio_reply_fault(call, &fault);
}
