/* close_project: a project is let go. */
#include "apps/studio/tool_state.h"
#include "jsonrpc/json_write.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{\"discard\":{\"type\":\"boolean\",\"description\":"
	"\"Drop what is not saved\"}," TN_STUDIO_PROJECT_ARGUMENT
	"},\"additionalProperties\":false}";

static const char output_schema[] = TN_STUDIO_OUTPUT(
	"\"closed\":" TN_STUDIO_TEXT ",\"current\":{\"type\":[\"string\",\"null\"]}",
	"\"closed\",\"current\"");

static void call_close(struct tenon_call *call, void *data)
{
	struct tn_studio_door *door = data;
	struct tn_studio_project *project = tn_studio_project_of(call, door);
	const struct tn_studio_project *current;
	struct tn_studio_fault fault = {.code = NULL};
	struct tn_buf result;
	char id[TN_STUDIO_ID_SIZE];
	bool discard = false;

	if (!project)
		return;
	memcpy(id, project->id, sizeof(id));
	(void)tenon_call_bool(call, "discard", &discard);
	/* What runs in it has to come to its end first. */
	if (!tn_studio_runs_forget(door->runs, project, &fault) ||
	    !tn_studio_project_close(project, discard, &fault)) {
		tn_studio_reply_fault(call, &fault);
		return;
	}
	current = tn_studio_project_current(door->projects);
	tn_buf_init(&result, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_begin_object(&result);
	tn_json_put_member_text(&result, "closed", id);
	tn_json_put_member_text(&result, "current", current ? current->id : NULL);
	tn_json_end_object(&result);
	tn_studio_publish(door, NULL, "current");
	tn_studio_reply(call, tn_str("", 0), &result);
}

const struct tenon_tool tn_studio_tool_close_project = {
	.name = "close_project",
	.title = "Close a project",
	.description = "Lets a project go. With unsaved changes it is refused, unless discard says "
		       "to drop them.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_NOT_DESTRUCTIVE | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_close,
	.beyond_core = true,
};
