/* get_project_config: the configuration, without what is nobody's business (FR-20, ST-028). */
#include "apps/studio/document/config.h"
#include "apps/studio/mcp/tool_state.h"
#include "apps/studio/limits.h"
#include "apps/studio/mcp/tools.h"
#include "jsonrpc/json_write.h"

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

const struct tn_studio_action tn_studio_action_get_config = {.run = run};
