/* set_project_config: a partial configuration, merged (FR-21, ST-030). */
#include "apps/studio/tool_state.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{\"config\":{\"type\":\"object\",\"description\":"
	"\"JSON Merge Patch: objects merge, lists replace, null deletes. A value [redacted] "
	"leaves the stored one alone\"}," TN_STUDIO_WRITE_ARGUMENTS
	"},\"required\":[\"config\"],\"additionalProperties\":false}";

static const char output_schema[] =
	TN_STUDIO_OUTPUT("\"config\":" TN_STUDIO_ANY_OBJECT ",\"redacted\":" TN_STUDIO_TEXTS
			 ",\"hints\":" TN_STUDIO_ANY_OBJECT ",\"project\":" TN_STUDIO_ANY_OBJECT
			 ",\"changed\":" TN_STUDIO_TEXTS TN_STUDIO_CHANGE,
			 "\"config\",\"redacted\",\"project\",\"changed\",\"revision\"");

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	if (!tn_studio_edit_config(act->edit, arguments, result))
		return false;
	tn_studio_put_config_answer(result, act->project);
	return true;
}

const struct tn_studio_action tn_studio_action_set_config = {
	.name = "set_project_config", .writes = true, .changes = "config", .run = run};

static void call_set(struct tenon_call *call, void *door)
{
	tn_studio_run_action(call, door, &tn_studio_action_set_config);
}

const struct tenon_tool tn_studio_tool_set_config = {
	.name = "set_project_config",
	.title = "Change the configuration",
	.description = "Changes parts of the project's configuration; the rest stays. Unknown keys "
		       "and wrong values are refused and nothing changes.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_set,
};
