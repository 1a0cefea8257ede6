/* new_project: a folder with an empty diagram (FR-19). */
#include "apps/studio/tool_state.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"name\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":400,\"description\":\"1 to "
	"100 "
	"characters; the folder gets this name\"},"
	"\"directoryPath\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":4096,"
	"\"description\":\"Absolute; the folder in which the project's folder is made\"},"
	"\"config\":{\"type\":\"object\",\"description\":\"Configuration to begin with, as in "
	"set_project_config\"},"
	"\"template\":{\"type\":\"string\",\"maxLength\":128,\"description\":\"Reserved\"}"
	"},\"required\":[\"name\",\"directoryPath\"],\"additionalProperties\":false}";

static const char output_schema[] = TN_STUDIO_PROJECT_DATA;

void tn_studio_reply_project(struct tenon_call *call, struct tn_studio_door *door,
			     struct tn_studio_project *project, struct tn_buf *warnings)
{
	struct tn_buf result;
	struct tn_arena arena;
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_buf text;
	struct tn_studio_act act = {
		.project = project, .arena = &arena, .fault = &fault, .text = &text};

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

static void call_new(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_studio_project *project;

	if (tenon_call_text(call, "template"))
		(void)tn_studio_fail(&fault, "UNSUPPORTED",
				     "there are no templates yet; leave `template` out");
	project = fault.code ? NULL
			     : tn_studio_project_new(door->projects, tenon_call_text(call, "name"),
						     tenon_call_text(call, "directoryPath"),
						     tn_json_get(tn_call_arguments(call), "config"),
						     &fault);
	if (project)
		tn_studio_reply_project(call, door, project, NULL);
	else
		tn_studio_reply_fault(call, &fault);
}

const struct tenon_tool tn_studio_tool_new_project = {
	.name = "new_project",
	.title = "Make a project",
	.description = "Makes a folder with an empty diagram and opens it as the current project.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_NOT_DESTRUCTIVE | TENON_CLOSED_WORLD,
	.text_max_bytes = 100000,
	.call = call_new,
};
