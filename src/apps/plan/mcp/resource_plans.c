/* plan://plans: what is open, for whoever may know it; the one opened last comes first. */
#include "apps/plan/mcp/app.h"
#include "apps/plan/explain/names.h"
#include "apps/plan/service/state.h"
#include "apps/plan/explain/to_json.h"
#include "apps/plan/mcp/tool_complete.h"
#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "tenon/result.h"

static void put_plan(struct tn_buf *out, const struct tn_handle *handle)
{
	const struct tn_plan *plan = handle->value;
	char when[TN_CLOCK_ISO_SIZE];

	tn_clock_format_iso(handle->created_wall_ms, when);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "plan_id", handle->id);
	tn_json_put_member_text(out, "title", handle->title);
	tn_json_put_member_text(out, "source", tn_plan_kind_name(plan->kind));
	tn_json_put_key(out, "summary");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "total_changes", plan->total_changes);
	tn_json_put_key(out, "actions");
	tn_plan_put_actions_object(out, plan);
	tn_json_end_object(out);
	tn_json_put_member_text(out, "risk", tn_plan_risk_name(plan->risk));
	tn_json_put_member_text(out, "client", handle->by[0] ? handle->by : NULL);
	tn_json_put_member_text(out, "time", when);
	tn_json_end_object(out);
}

/* The table is ordered by use, and reading a plan must not move it in the list. */
static const struct tn_handle *next_by_age(const struct tn_handles *plans, const char *principal,
					   uint64_t before)
{
	const struct tn_handle *best = NULL;

	for (struct tn_handle *at = tn_handles_next(plans, NULL, principal); at;
	     at = tn_handles_next(plans, at, principal)) {
		if (at->number < before && (!best || at->number > best->number))
			best = at;
	}
	return best;
}

static void read_plans(struct tenon_call *call, void *data)
{
	const struct tn_plan_state *state = data;
	const char *principal = tenon_call_principal(call);
	const struct tn_handle *at = NULL;
	struct tn_buf out;

	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(&out);
	tn_json_put_key(&out, "plans");
	tn_json_begin_array(&out);
	if (tn_plan_may_list(call))
		at = next_by_age(&state->plans, principal, UINT64_MAX);
	for (; at; at = next_by_age(&state->plans, principal, at->number))
		put_plan(&out, at);
	tn_json_end_array(&out);
	tn_json_end_object(&out);
	if (out.failed) {
		tenon_call_fail(call, "The list is too large.");
	} else {
		tenon_call_set_cache(call, 0, false);
		tenon_call_add_resource_text(call, NULL, "application/json", out.data, out.size);
		tenon_call_finish(call);
	}
	tn_buf_finish(&out);
}

const struct tenon_resource tn_plan_resource_plans = {
	.uri = "plan://plans",
	.name = "plans",
	.title = "Open plans",
	.description =
		"The plans that have been sent and not yet forgotten, newest first: plan_id, "
		"counts, risk, which client sent it, and when.",
	.mime_type = "application/json",
	.size_bytes = -1,
	.read = read_plans,
};
