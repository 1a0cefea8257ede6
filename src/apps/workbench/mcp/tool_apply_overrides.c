/* workbench_apply_overrides: a batch of drafts, agreed to, made, and seen by the page (17.3). */
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/acting.h"
#include "apps/workbench/mcp/tools.h"
#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/fault.h"
#include "mcp/server.h"

enum { LOOK_AGAIN_MS = 50, STATUSES_MS = 2000 };

/* What has been done, while its statuses are waited for. */
struct done {
	struct tn_wb_written written; /* first: until it is in the file nobody is told */
	struct tenon_call *call;
	struct tn_wb_door *door;
	char workspace[TN_HANDLE_SIZE];
	enum tn_wb_group group;
	uint64_t until_ms;
	struct tn_wb_outcome outcome;
	bool dry_run;
	struct tn_arena arena;
	const struct tn_json *named; /* drafts; NULL: none */
};

static void free_done(void *data)
{
	struct done *done = data;

	tn_wb_written_forget(&done->written);
	tn_wb_outcome_finish(&done->outcome);
	tn_arena_finish(&done->arena);
	tn_mem_free(done);
}

/* ---- the answer ---- */

static const struct tn_wb_slot *
slot_of(const struct done *done, const struct tn_wb_workspace *workspace, const struct tn_json *one)
{
	struct tn_wb_address address = {.group = done->group};

	(void)tn_json_to_str(tn_json_get(one, "instanceId"), &address.instance_id);
	(void)tn_json_to_str(tn_json_get(one, "path"), &address.path);
	return tn_wb_document_find(tn_wb_drafts_document(workspace->drafts), &address);
}

/* The drafts that were named, as they are now or would be; those that have room. */
static void put_states(struct tn_buf *out, const struct done *done,
		       const struct tn_wb_workspace *workspace)
{
	size_t left = 0;

	tn_json_put_key(out, "overrides");
	tn_json_begin_array(out);
	for (const struct tn_json *at = done->named ? done->named->first : NULL; at;
	     at = at->next) {
		const struct tn_wb_slot *slot = done->dry_run ? NULL : slot_of(done, workspace, at);
		struct tn_buf one;

		if (!slot && !done->dry_run)
			continue;
		tn_buf_init(&one, TN_WB_SESSION_BYTES_MAX);
		if (slot)
			tn_wb_slot_put(&one, slot, workspace->registry);
		else
			tn_json_put_value(&one, at);
		if (out->size + one.size < TN_WB_ANSWER_BYTES_MAX / 2)
			tn_json_put_raw(out, tn_buf_str(&one));
		else
			left++;
		tn_buf_finish(&one);
	}
	tn_json_end_array(out);
	if (left)
		tn_json_put_member_int(out, "moreOverrides", (int64_t)left);
}

static void answer(struct tenon_call *call, const struct done *done,
		   const struct tn_wb_workspace *workspace, bool reported)
{
	/* Ids and locators are a page's. */
	static const char *const pointers[] = {"/overrides", "/inverseOps", NULL};
	const struct tn_wb_outcome *outcome = &done->outcome;
	struct tn_buf out;

	tn_wb_begin_reply(&out);
	tn_json_put_member_int(&out, "revision", (int64_t)outcome->revision);
	tn_json_put_member_int(&out, "applied", (int64_t)outcome->applied);
	tn_json_put_member_int(&out, "unchanged", (int64_t)outcome->unchanged);
	if (outcome->change_id)
		tn_json_put_member_int(&out, "changeId", (int64_t)outcome->change_id);
	if (done->dry_run || (workspace && workspace->drafts))
		put_states(&out, done, workspace);
	if (outcome->inverse.size < TN_WB_ANSWER_BYTES_MAX / 2 &&
	    outcome->inverse_count <= TN_WB_OPS_MAX)
		tn_json_put_member_raw(&out, "inverseOps", tn_buf_str(&outcome->inverse));
	else
		tn_json_put_member_text(&out, "message",
					"The inverse ops are too many for one batch: "
					"workbench_undo takes the changeId.");
	tn_wb_put_untrusted(&out, pointers);
	tn_json_put_member_bool(&out, "dryRun", done->dry_run);
	tn_json_put_member_text(&out, "statuses", reported ? "reported" : "pending");
	tn_json_end_object(&out);
	tn_wb_reply(call, &out);
}

static bool is_reported(const struct done *done, const struct tn_wb_workspace *workspace)
{
	for (const struct tn_json *at = done->named ? done->named->first : NULL; at;
	     at = at->next) {
		const struct tn_wb_slot *slot = slot_of(done, workspace, at);

		if (slot && strcmp(tn_wb_slot_status(slot, NULL, NULL), "pending") == 0)
			return false;
	}
	return true;
}

static bool is_shown(const struct done *done, const struct tn_wb_workspace *workspace)
{
	for (const struct tn_wb_session *at = workspace->sessions.first; at; at = at->next)
		if (at->group == done->group && at->state == TN_WB_SESSION_READY)
			return true;
	return false;
}

static void look_again(struct tenon_call *call, void *data)
{
	struct done *done = data;
	const struct tn_wb_workspace *workspace =
		tn_wb_workspaces_find(&done->door->workspaces, tn_str_from(done->workspace));
	bool there = workspace && workspace->drafts;

	if (there && is_shown(done, workspace) && is_reported(done, workspace))
		answer(call, done, workspace, true);
	else if (!there || !is_shown(done, workspace) ||
		 tn_server_now_ms(done->door->server) >= done->until_ms)
		answer(call, done, workspace, false);
	else
		tenon_call_after(call, LOOK_AGAIN_MS, look_again, done);
}

/* ---- the failure ---- */

static void reply_faults(struct tenon_call *call, const struct tn_wb_outcome *outcome,
			 const char *message)
{
	struct tn_buf details;

	tn_buf_init(&details, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(&details);
	tn_json_put_key(&details, "ops");
	tn_json_begin_array(&details);
	for (size_t i = 0; i < outcome->fault_count; i++) {
		tn_json_begin_object(&details);
		tn_json_put_member_int(&details, "index", outcome->faults[i].index);
		tn_json_put_member_text(&details, "code", outcome->faults[i].code);
		tn_json_put_member_text(&details, "message", outcome->faults[i].message);
		tn_json_end_object(&details);
	}
	tn_json_end_array(&details);
	tn_json_end_object(&details);
	tn_wb_reply_error_with(call, outcome->failure, tn_buf_str(&details), "%s", message);
	tn_buf_finish(&details);
}

/* Revisions are the core's, in its words (section 0). */
static void reply_stale(struct tenon_call *call, const struct tn_wb_outcome *outcome,
			const char *message)
{
	struct tn_buf members;

	tn_buf_init(&members, TN_KIB);
	tn_json_put_key(&members, "details");
	tn_json_begin_object(&members);
	tn_json_put_member_int(&members, "revision", (int64_t)outcome->revision);
	tn_json_end_object(&members);
	tn_call_fail_with(call, "STALE_REVISION", true, tn_buf_str(&members), "%s", message);
	tn_buf_finish(&members);
}

void tn_wb_reply_outcome_failure(struct tenon_call *call, const struct tn_wb_outcome *outcome,
				 const struct tenon_error *err)
{
	if (outcome->fault_count)
		reply_faults(call, outcome, err->message);
	else
		tn_wb_reply_error(call, outcome->failure, "%s", err->message);
}

static void reply_failure(struct tenon_call *call, const struct tn_wb_outcome *outcome,
			  const struct tenon_error *err)
{
	if (strcmp(outcome->failure, "conflict") == 0)
		reply_stale(call, outcome, err->message);
	else
		tn_wb_reply_outcome_failure(call, outcome, err);
}

/* ---- the batch ---- */

/* V4: only what clears may be done where no page is ready. */
static bool has_set(const struct tn_json *ops)
{
	struct tn_str op;

	for (const struct tn_json *at = ops->first; at; at = at->next)
		if (!tn_json_to_str(tn_json_get(at, "op"), &op) ||
		    !tn_str_starts(op, TN_STR("clear")))
			return true;
	return false;
}

static bool may_act(const struct tn_wb_acting *acting, const struct tn_json *ops)
{
	if (!acting->session)
		return true;
	if (has_set(ops))
		return tn_wb_acting_is_ready(acting);
	return tn_wb_session_state_is_live(acting->session->state) || tn_wb_acting_is_ready(acting);
}

static const char *sum_up(const struct tn_wb_acting *acting, const struct tn_wb_effect *effect)
{
	const char *where = acting->workspace->name;
	struct tn_arena *arena = &acting->call->arena;

	if (effect->count == 1)
		return tn_arena_format(arena, "Change a prop in the preview of %.60s: %s", where,
				       effect->first);
	return tn_arena_format(arena, "Change %zu props in the preview of %.60s", effect->count,
			       where);
}

/* What it would do, to whoever is to agree. */
static bool ask(const struct tn_wb_acting *acting, const struct tn_wb_outcome *would)
{
	struct tn_wb_effect effect;
	bool agreed = false;

	if (!would->forth[acting->group].size)
		return true; /* nothing changes */
	if (!tn_wb_effect_read(&effect, acting, would)) {
		tenon_call_refuse(acting->call, TN_WB_RPC_INTERNAL, "Out of memory.", NULL);
	} else {
		const struct tn_wb_question question = {.kind = effect.clears_persons ? "clear"
										      : "tweak",
							.summary = sum_up(acting, &effect),
							.detail = tn_buf_str(&effect.detail),
							.data = &effect.data,
							.exactly = tn_buf_str(&effect.exactly),
							.lasts = !effect.clears_persons};

		agreed = question.summary && tn_wb_acting_consent(acting, &question);
	}
	tn_wb_effect_finish(&effect);
	return agreed;
}

void tn_wb_name_changer(struct tenon_call *call, struct tn_wb_workspace *workspace,
			const struct tn_wb_outcome *outcome)
{
	if (outcome->changed)
		tn_wb_drafts_name_changer(workspace->drafts, tenon_call_client_name(call),
					  tenon_call_is_person(call));
}

void tn_wb_tell_outcome(struct tn_wb_workspace *workspace, const struct tn_wb_outcome *outcome)
{
	if (!outcome->changed)
		return;
	for (size_t i = 0; i < TN_WB_GROUPS; i++)
		tn_wb_sessions_apply(&workspace->sessions, (enum tn_wb_group)i,
				     tn_buf_str(&outcome->forth[i]));
	tn_wb_workspace_tell(workspace, TN_WB_CHANGED_OVERRIDES);
}

static void read_named(struct done *done)
{
	struct tn_str states = tn_buf_str(&done->outcome.states);
	struct tn_json *tree = NULL;

	if (tn_json_parse_copy(&done->arena, states, &tree, NULL) == TENON_OK)
		done->named = tree;
}

/* O6: it is in the file. */
static void tell(struct done *done, struct tn_wb_workspace *workspace)
{
	if (workspace)
		tn_wb_tell_outcome(workspace, &done->outcome);
	read_named(done);
	done->until_ms = tn_server_now_ms(done->door->server) + STATUSES_MS;
	tn_wb_end_with_caller(done->call);
	if (tenon_call_cancelled(done->call))
		tenon_call_finish(done->call);
	else
		look_again(done->call, done);
}

static void written(struct tn_wb_written *written, enum tenon_code code,
		    const struct tenon_error *err)
{
	struct done *done = (struct done *)written;
	struct tn_wb_workspace *workspace =
		tn_wb_workspaces_find(&done->door->workspaces, tn_str_from(done->workspace));

	if (code == TENON_OK) {
		tell(done, workspace);
		return;
	}
	if (workspace && code != TENON_CANCELLED)
		tn_wb_workspace_tell(workspace, TN_WB_CHANGED_OVERRIDES);
	tn_wb_reply_not_written(done->call, code, err);
}

/* Made, told to the pages, and answered when they have said what became of it. */
static void make(const struct tn_wb_acting *acting, const struct tn_wb_batch *batch,
		 struct done *done)
{
	struct tn_wb_drafts *drafts = acting->workspace->drafts;
	struct tenon_call *call = acting->call;
	struct tenon_error err;

	if (tn_wb_drafts_apply(drafts, batch, &done->outcome, &err) != TENON_OK) {
		reply_failure(call, &done->outcome, &err);
		return;
	}
	if (!done->dry_run)
		tn_wb_name_changer(call, acting->workspace, &done->outcome);
	if (done->dry_run) {
		read_named(done);
		answer(call, done, acting->workspace, false);
	} else if (!done->outcome.changed || !tn_wb_drafts_wait(drafts, &done->written)) {
		tell(done, acting->workspace);
	}
}

/* V3: seen whole before anybody is asked, and once more, in the same turn, when it is done. */
static bool try(const struct tn_wb_acting *acting, const struct tn_wb_batch *batch)
{
	struct tn_wb_batch dry = *batch;
	struct tn_wb_outcome would;
	struct tenon_error err;
	bool go = false;

	if (batch->dry_run)
		return true;
	dry.dry_run = true;
	tn_wb_outcome_init(&would);
	if (tn_wb_drafts_apply(acting->workspace->drafts, &dry, &would, &err) == TENON_OK)
		go = ask(acting, &would);
	else
		reply_failure(acting->call, &would, &err);
	tn_wb_outcome_finish(&would);
	return go;
}

static struct done *begin(const struct tn_wb_acting *acting, bool dry_run)
{
	struct done *done = tn_mem_alloc(sizeof(*done));

	if (!done) {
		tenon_call_refuse(acting->call, TN_WB_RPC_INTERNAL, "Out of memory.", NULL);
		return NULL;
	}
	done->door = acting->door;
	done->group = acting->group;
	done->dry_run = dry_run;
	(void)snprintf(done->workspace, sizeof(done->workspace), "%s", acting->workspace->id);
	tn_wb_outcome_init(&done->outcome);
	tn_arena_init(&done->arena, TN_WB_OVERRIDES_ARENA_MAX);
	done->call = acting->call;
	done->written.done = written;
	tenon_call_set_data(acting->call, done, free_done);
	return done;
}

void tn_wb_call_apply_overrides(struct tenon_call *call, void *data)
{
	const struct tn_json *ops = tn_json_get(tn_call_arguments(call), "ops");
	struct tn_wb_batch batch = {.ops = ops,
				    .expected_revision = -1,
				    .actor = tn_wb_actor_of(call),
				    .by_assistant = !tenon_call_is_person(call),
				    .label = ops->count == 1 ? "Change a prop" : "Change props"};
	struct tn_wb_acting acting;
	struct tn_wb_facts facts;
	struct done *done;

	if (!tn_wb_acting_begin(&acting, call, data) || !may_act(&acting, ops))
		return;
	batch.ops = tn_wb_complete_ops(&acting, &call->arena, ops);
	if (!batch.ops) {
		tenon_call_refuse(call, TN_WB_RPC_INTERNAL, "Out of memory.", NULL);
		return;
	}
	facts = tn_wb_sessions_facts(&acting.workspace->sessions, acting.group);
	batch.facts = &facts;
	batch.group = acting.group;
	(void)tenon_call_int(call, "expectedRevision", &batch.expected_revision);
	(void)tenon_call_bool(call, "dryRun", &batch.dry_run);
	if (!try(&acting, &batch))
		return;
	done = begin(&acting, batch.dry_run);
	if (done)
		make(&acting, &batch, done);
}
