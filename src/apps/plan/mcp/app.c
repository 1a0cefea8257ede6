#include "apps/plan/mcp/app.h"

#include <stdlib.h>

#include "apps/plan/mcp/tools.h"
#include "apps/plan/service/model_source.h"
#include "apps/plan/service/state.h"
#include "mcp/server.h"
#include "tenon/server.h"

/* Where a model that is not on this machine may be asked, tools say so (plan.md section 12). */
static const struct tenon_tool *const *choose_tools(const void *data)
{
	const struct tn_plan_state *state = data;
	bool remote = tn_plan_model_is_remote(&state->config) &&
		      tn_plan_model_check(&state->config, NULL) == NULL;

	return remote ? tn_plan_open_world_tools : tn_plan_tools;
}

static const struct tenon_resource *const resources[] = {&tn_plan_resource_history,
							 &tn_plan_resource_plans, NULL};

static const struct tenon_resource_template *const templates[] = {
	&tn_plan_resource_plan,
	&tn_plan_resource_markdown,
	&tn_plan_resource_change,
	&tn_plan_resource_review,
	NULL,
};

static const struct tenon_prompt *const prompts[] = {&tn_plan_prompt_explain, NULL};

static void plans_changed(void *server)
{
	tenon_server_resource_updated(server, "plan://plans");
}

static enum tenon_code open_app(struct tenon_server *server, void **ret_state,
				struct tenon_error *err)
{
	const struct tn_plan_surroundings around = {.server = server,
						    .registry = &server->handles,
						    .loop = server->loop,
						    .clock = &tn_clock_system,
						    .settings = server->settings};
	struct tn_plan_state *state = NULL;
	enum tenon_code code = tn_plan_state_create(&around, &state, err);

	if (code != TENON_OK)
		return code;
	state->plans.changed = plans_changed;
	state->plans.changed_data = server;
	*ret_state = state;
	return TENON_OK;
}

static void close_app(void *state)
{
	tn_plan_state_destroy(state);
}

/* Text of UTF-16 that came as it was; the reader takes it apart. */
static const char *const nul_arguments[] = {"plan_text", "plan_json", "other_plan_text", NULL};

const struct tenon_app tn_plan_app = {
	.name = "plan",
	.instructions = "Explains Terraform and OpenTofu plans. Give terraform_explain the text "
			"that `terraform "
			"plan` printed; the result names a plan_id for further questions about the "
			"same plan.",
	.nul_arguments = nul_arguments,
	.argument_faults = TENON_FAULTS_ARE_PROTOCOL_ERRORS,
	.tools = tn_plan_tools,
	.resources = resources,
	.templates = templates,
	.prompts = prompts,
	.open = open_app,
	.close = close_app,
	.choose_tools = choose_tools,
};
