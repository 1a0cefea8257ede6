/* workbench_undo, and what persons alone do with drafts: lost ones cleared, a broken file put aside
 * (section 0, One door; ARCHITECTURE section 3.3). */
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/acting.h"
#include "apps/workbench/mcp/tools.h"
#include "base/limits.h"
#include "base/mem.h"
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

/* What has been done, until it is in the file (O6). */
struct ending {
	struct tn_wb_written written; /* first */
	struct tenon_call *call;
	struct tn_wb_door *door;
	char workspace[TN_HANDLE_SIZE];
	struct tn_wb_outcome outcome;
};

static void free_ending(void *data)
{
	struct ending *ending = data;

	tn_wb_written_forget(&ending->written);
	tn_wb_outcome_finish(&ending->outcome);
	tn_mem_free(ending);
}

static struct ending *begin_ending(const struct tn_wb_acting *acting,
				   void (*done)(struct tn_wb_written *written, enum tenon_code code,
						const struct tenon_error *err))
{
	struct ending *ending = tn_mem_alloc(sizeof(*ending));

	if (!ending) {
		tenon_call_refuse(acting->call, TN_WB_RPC_INTERNAL, "Out of memory.", NULL);
		return NULL;
	}
	ending->written.done = done;
	ending->call = acting->call;
	ending->door = acting->door;
	(void)snprintf(ending->workspace, sizeof(ending->workspace), "%s", acting->workspace->id);
	tn_wb_outcome_init(&ending->outcome);
	tenon_call_set_data(acting->call, ending, free_ending);
	return ending;
}

static void answer(struct ending *ending)
{
	const struct tn_wb_outcome *outcome = &ending->outcome;
	struct tn_wb_workspace *workspace =
		tn_wb_workspaces_find(&ending->door->workspaces, tn_str_from(ending->workspace));
	struct tn_buf out;

	if (workspace)
		tn_wb_tell_outcome(workspace, outcome);
	tn_wb_begin_reply(&out);
	tn_json_put_member_int(&out, "revision", (int64_t)outcome->revision);
	if (outcome->applied)
		tn_json_put_member_int(&out, "applied", (int64_t)outcome->applied);
	if (outcome->label)
		tn_json_put_member_text(&out, "label", outcome->label);
	if (outcome->change_id)
		tn_json_put_member_int(&out, "changeId", (int64_t)outcome->change_id);
	put_fits(&out, "overrides", &outcome->states);
	tn_wb_put_untrusted(&out, (const char *const[]){"/overrides", NULL});
	tn_json_end_object(&out);
	tn_wb_reply(ending->call, &out);
}

static void written(struct tn_wb_written *written, enum tenon_code code,
		    const struct tenon_error *err)
{
	struct ending *ending = (struct ending *)written;
	struct tn_wb_workspace *workspace =
		tn_wb_workspaces_find(&ending->door->workspaces, tn_str_from(ending->workspace));

	if (code == TENON_OK) {
		answer(ending);
		return;
	}
	if (workspace && code != TENON_CANCELLED)
		tn_wb_workspace_tell(workspace, TN_WB_CHANGED_OVERRIDES);
	tn_wb_reply_not_written(ending->call, code, err);
}

/* Ends the call, and tells everybody what has changed. */
static void finish(const struct tn_wb_acting *acting, enum tenon_code code, struct ending *ending,
		   const struct tenon_error *err)
{
	if (code != TENON_OK) {
		tn_wb_reply_outcome_failure(acting->call, &ending->outcome, err);
		return;
	}
	tn_wb_name_changer(acting->call, acting->workspace, &ending->outcome);
	if (!ending->outcome.changed ||
	    !tn_wb_drafts_wait(acting->workspace->drafts, &ending->written))
		answer(ending);
}

/* ---- undo ---- */

/* Whose change it is, and the first of what would be written; the others are details. */
static const char *sum_up(const struct tn_wb_acting *acting, const struct tn_oplog_which *which,
			  const struct tn_change *change, const struct tn_wb_effect *effect)
{
	struct tn_arena *arena = &acting->call->arena;
	const char *of = tn_arena_format(arena, "%s \"%.100s\" of %.100s, in the drafts of %.60s",
					 which->redo ? "Make again" : "Take back", change->label,
					 change->actor, acting->workspace->name);

	if (!of || effect->count == 0)
		return of;
	if (effect->count == 1)
		return tn_arena_format(arena, "%s: %s", of, effect->first);
	return tn_arena_format(arena, "%s: %zu props", of, effect->count);
}

/* What is agreed to is bound to the change, and to what it writes over what. */
static bool ask(const struct tn_wb_acting *acting, const struct tn_oplog_which *which,
		const struct tn_change *change, struct tn_wb_effect *effect)
{
	const struct tn_wb_question question = {.kind = "clear",
						.summary = sum_up(acting, which, change, effect),
						.detail = tn_buf_str(&effect->detail),
						.data = &effect->data,
						.exactly = tn_buf_str(&effect->exactly)};

	return question.summary && tn_wb_acting_consent(acting, &question);
}

/* Tried first; what cannot be done is not asked about. */
static bool try(const struct tn_wb_acting *acting, const struct tn_oplog_which *which,
		const struct tn_change *change)
{
	struct tn_wb_drafts *drafts = acting->workspace->drafts;
	struct tn_wb_effect effect;
	struct tn_wb_outcome would;
	struct tenon_error err;
	bool go = false;

	tn_wb_outcome_init(&would);
	if (tn_wb_drafts_would_undo(drafts, which, &would, &err) != TENON_OK) {
		tn_wb_reply_outcome_failure(acting->call, &would, &err);
	} else {
		bool read = tn_wb_effect_read(&effect, acting, &would);

		tn_buf_format(&effect.exactly, "%llu %d", (unsigned long long)change->id,
			      which->redo);
		if (read && !effect.exactly.failed)
			go = ask(acting, which, change, &effect);
		else
			tenon_call_refuse(acting->call, TN_WB_RPC_INTERNAL, "Out of memory.", NULL);
		tn_wb_effect_finish(&effect);
	}
	tn_wb_outcome_finish(&would);
	return go;
}

void tn_wb_call_undo(struct tenon_call *call, void *data)
{
	struct tn_oplog_which which = {.id = 0};
	const struct tn_change *change;
	struct tn_wb_acting acting;
	struct ending *ending;
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
	/* Persons are asked nothing. */
	if (!tenon_call_is_person(call) && !try(&acting, &which, change))
		return;
	ending = begin_ending(&acting, written);
	if (!ending)
		return;
	code = tn_wb_drafts_undo(acting.workspace->drafts, &which, tn_wb_actor_of(call), NULL,
				 &ending->outcome, &err);
	finish(&acting, code, ending, &err);
}

/* ---- persons alone ---- */

void tn_wb_call_clear_orphaned(struct tenon_call *call, void *data)
{
	const char *name = tenon_call_text(call, "group");
	enum tn_wb_group group = TN_WB_GROUP_APP;
	struct tn_wb_acting acting;
	struct ending *ending;
	struct tenon_error err;
	enum tenon_code code;

	if (!begin(&acting, call, data))
		return;
	(void)(name && tn_wb_group_of(tn_str_from(name), &group));
	ending = begin_ending(&acting, written);
	if (!ending)
		return;
	code = tn_wb_drafts_clear_orphaned(acting.workspace->drafts, name ? &group : NULL,
					   tn_wb_actor_of(call), &ending->outcome, &err);
	finish(&acting, code, ending, &err);
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
