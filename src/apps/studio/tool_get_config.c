/* get_project_config: the configuration, without what is nobody's business (FR-20, ST-028). */
#include "apps/studio/tool_state.h"
#include "jsonrpc/json_write.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{" TN_STUDIO_PROJECT_ARGUMENT
	"},\"additionalProperties\":false}";

static const char output_schema[] =
	TN_STUDIO_OUTPUT("\"config\":" TN_STUDIO_ANY_OBJECT ",\"redacted\":" TN_STUDIO_TEXTS
			 ",\"hints\":" TN_STUDIO_ANY_OBJECT ",\"project\":" TN_STUDIO_ANY_OBJECT,
			 "\"config\",\"redacted\",\"project\"");

void tn_studio_put_config_answer(struct tn_buf *result, const struct tn_studio_project *project)
{
	struct tn_buf paths, hints;

	tn_buf_init(&paths, TN_STUDIO_RESULT_BYTES_MAX);
	tn_buf_init(&hints, TN_STUDIO_RESULT_BYTES_MAX);
	tn_json_put_key(result, "config");
	tn_studio_config_put(result, &project->document, &paths, &hints);
	tn_json_put_member_raw(result, "redacted", tn_buf_str(&paths));
	tn_json_put_member_raw(result, "hints", tn_buf_str(&hints));
	tn_json_put_key(result, "project");
	tn_studio_project_put(result, project);
	tn_buf_inherit_failure(result, &paths);
	tn_buf_inherit_failure(result, &hints);
	tn_buf_finish(&paths);
	tn_buf_finish(&hints);
}

static bool run(struct tn_studio_act *act, const struct tn_json *arguments, struct tn_buf *result)
{
	(void)arguments;
	tn_studio_put_config_answer(result, act->project);
	return true;
}

const struct tn_studio_action tn_studio_action_get_config = {.name = "get_project_config",
							     .run = run};

static void call_get(struct tenon_call *call, void *door)
{
	tn_studio_run_action(call, door, &tn_studio_action_get_config);
}

const struct tenon_tool tn_studio_tool_get_config = {
	.name = "get_project_config",
	.title = "Read the configuration",
	.description = "Region, tags, naming convention, providers, backend, variable values and "
		       "layout of the project. Values that are secret or identify an account read "
		       "[redacted]; hints say whether they are set.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_READ_ONLY | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_get,
};
