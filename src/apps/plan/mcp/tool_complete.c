#include "apps/plan/mcp/tool_complete.h"

#include "apps/plan/service/state.h"
#include "base/limits.h"
#include "mcp/call.h"

/* Standard input has one peer, a token one holder, and a user is known by the kernel; "anonymous"
 * may be anybody. */
bool tn_plan_may_list(const struct tenon_call *call)
{
	return strcmp(call->principal, "anonymous") != 0;
}

static void complete_audience(struct tenon_call *call, struct tn_str typed)
{
	static const char *const values[] = {"non_technical", "developer"};

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		if (tn_str_starts(tn_str_from(values[i]), typed))
			tenon_call_add_completion(call, values[i]);
	}
}

static void complete_plan_id(struct tenon_call *call, const struct tn_plan_state *state,
			     struct tn_str typed)
{
	const char *principal = tenon_call_principal(call);
	struct tn_handle *handle = NULL;
	uint64_t total = 0;

	while ((handle = tn_handles_next(&state->plans, handle, principal))) {
		if (!tn_str_starts(tn_str_from(handle->id), typed))
			continue;
		if (total++ < TN_COMPLETIONS_MAX)
			tenon_call_add_completion(call, handle->id);
	}
	tenon_call_set_completion_total(call, total);
}

void tn_plan_complete_id(struct tenon_call *call, void *state)
{
	const char *name = NULL, *value = NULL;

	tenon_call_completing(call, &name, &value);
	if (name && strcmp(name, "audience") == 0)
		complete_audience(call, tn_str_from(value));
	else if (name && strcmp(name, "plan_id") == 0 && tn_plan_may_list(call))
		complete_plan_id(call, state, tn_str_from(value));
	tenon_call_finish(call);
}
