/* workbench_undo, and what persons alone do with drafts: lost ones cleared, a broken file put aside
 * (section 0, One door; ARCHITECTURE section 3.3). */
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/acting.h"
#include "apps/workbench/mcp/tools.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

/* Drafts of the workspace that the argument names. False: the call has ended. */
static bool begin(struct tn_wb_acting *ret, struct tenon_call *call, struct tn_wb_door *door)
{
	*ret = (struct tn_wb_acting){
		.door = door, .call = call, .workspace = tn_wb_workspace_of(call, door)};
	if (!ret->workspace)
		return false;
	if (ret->workspace->drafts)
		return true;
	tn_wb_reply_error(call, "workspace_loading",
			  "the workspace is being read: try again in a moment");
	return false;
}

static void put_fits(struct tn_buf *out, const char *name, const struct tn_buf *json)
{
	if (json->size && json->size < TN_WB_ANSWER_BYTES_MAX / 2)
		tn_json_put_member_raw(out, name, tn_buf_str(json));
}

/* Ends the call, and tells everybody what has changed. */
static void finish(const struct tn_wb_acting *acting, enum tenon_code code,
		   struct tn_wb_outcome *outcome, const struct tenon_error *err)
{
	struct tn_buf out;

	if (code != TENON_OK) {
		tn_wb_reply_outcome_failure(acting->call, outcome, err);
	} else {
		tn_wb_tell_outcome(acting->call, acting->workspace, outcome);
		tn_wb_begin_reply(&out);
		tn_json_put_member_int(&out, "revision", (int64_t)outcome->revision);
		if (outcome->applied)
			tn_json_put_member_int(&out, "applied", (int64_t)outcome->applied);
		if (outcome->label)
			tn_json_put_member_text(&out, "label", outcome->label);
		if (outcome->change_id)
			tn_json_put_member_int(&out, "changeId", (int64_t)outcome->change_id);
		put_fits(&out, "overrides", &outcome->states);
		tn_json_end_object(&out);
		tn_wb_reply(acting->call, &out);
	}
	tn_wb_outcome_finish(outcome);
}

/* ---- undo ---- */

/* Which one it is now; what is asked about is bound to it and to the drafts as they are. */
static bool ask(const struct tn_wb_acting *acting, const struct tn_oplog_which *which,
		const struct tn_change *change)
{
	struct tenon_call *call = acting->call;
	const char *exactly = tn_arena_format(
		&call->arena, "%llu %llu %d", (unsigned long long)change->id,
		(unsigned long long)tn_wb_drafts_revision(acting->workspace->drafts), which->redo);
	const struct tn_wb_question question = {
		.kind = "clear",
		.summary = tn_arena_format(&call->arena,
					   "%s \"%.100s\" of %.100s, in the drafts of %.60s",
					   which->redo ? "Make again" : "Take back", change->label,
					   change->actor, acting->workspace->name),
		.exactly = tn_str_from(exactly)};

	return exactly && question.summary && tn_wb_acting_consent(acting, &question);
}

void tn_wb_call_undo(struct tenon_call *call, void *data)
{
	struct tn_oplog_which which = {.id = 0};
	const struct tn_change *change;
	struct tn_wb_outcome outcome;
	struct tn_wb_acting acting;
	struct tenon_error err;
	enum tenon_code code;
	int64_t id = 0;

	(void)tenon_call_int(call, "changeId", &id);
	(void)tenon_call_bool(call, "redo", &which.redo);
	which.id = (uint64_t)id;
	if (!begin(&acting, call, data))
		return;
	change = tn_wb_drafts_undoes(acting.workspace->drafts, &which);
	if (!change) {
		tn_wb_reply_error(call, "nothing_to_undo", "there is no such change to be %s",
				  which.redo ? "made again" : "taken back");
		return;
	}
	if (!ask(&acting, &which, change))
		return;
	tn_wb_outcome_init(&outcome);
	code = tn_wb_drafts_undo(acting.workspace->drafts, &which, tn_wb_actor_of(call), NULL,
				 &outcome, &err);
	finish(&acting, code, &outcome, &err);
}

/* ---- persons alone ---- */

void tn_wb_call_clear_orphaned(struct tenon_call *call, void *data)
{
	const char *name = tenon_call_text(call, "group");
	enum tn_wb_group group = TN_WB_GROUP_APP;
	struct tn_wb_outcome outcome;
	struct tn_wb_acting acting;
	struct tenon_error err;
	enum tenon_code code;

	if (!begin(&acting, call, data))
		return;
	(void)(name && tn_wb_group_of(tn_str_from(name), &group));
	tn_wb_outcome_init(&outcome);
	code = tn_wb_drafts_clear_orphaned(acting.workspace->drafts, name ? &group : NULL,
					   tn_wb_actor_of(call), &outcome, &err);
	finish(&acting, code, &outcome, &err);
}

void tn_wb_call_reset_overrides_file(struct tenon_call *call, void *data)
{
	struct tn_wb_acting acting;
	struct tenon_error err;
	struct tn_buf out;

	if (!begin(&acting, call, data))
		return;
	if (tn_wb_drafts_reset_file(acting.workspace->drafts, &err) != TENON_OK) {
		tn_wb_reply_failure(call, &err);
		return;
	}
	tn_wb_workspace_tell(acting.workspace, TN_WB_CHANGED_OVERRIDES);
	tn_wb_begin_reply(&out);
	tn_json_put_member_int(&out, "revision",
			       (int64_t)tn_wb_drafts_revision(acting.workspace->drafts));
	tn_json_end_object(&out);
	tn_wb_reply(call, &out);
}
