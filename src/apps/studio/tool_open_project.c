/* open_project: a project from its folder, and the current one (FR-17). */
#include "apps/studio/tool_state.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{\"projectPath\":{\"type\":\"string\",\"minLength\":1,"
	"\"maxLength\":4096,\"description\":\"Absolute: the project's folder, or its studio.json\"}"
	"},\"required\":[\"projectPath\"],\"additionalProperties\":false}";

static const char output_schema[] = TN_STUDIO_PROJECT_DATA;

static void call_open(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_studio_project *project;
	struct tn_buf warnings;

	tn_buf_init(&warnings, TN_STUDIO_RESULT_BYTES_MAX);
	project = tn_studio_project_open(door->projects, tenon_call_text(call, "projectPath"),
					 &warnings, &fault);
	if (project) {
		tn_studio_reply_project(call, door, project, warnings.size > 0 ? &warnings : NULL);
		/* ST-100: what exists, in the background; nothing of what is not trusted runs. */
		tn_studio_state_refresh(door->runs, project, NULL, NULL);
	} else {
		tn_studio_reply_fault(call, &fault);
	}
	tn_buf_finish(&warnings);
}

const struct tenon_tool tn_studio_tool_open_project = {
	.name = "open_project",
	.title = "Open a project",
	.description =
		"Opens a project and makes it the current one. One that is open already "
		"keeps its unsaved changes. Opening runs nothing of the project; of one that "
		"is trusted here the engine reads what exists.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_NOT_DESTRUCTIVE | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.text_max_bytes = 100000,
	.call = call_open,
};
