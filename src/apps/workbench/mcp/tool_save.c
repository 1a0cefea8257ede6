/* workbench_save: drafts into the source, by a person alone (section 14). */
#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/launch.h"
#include "apps/workbench/mcp/tools.h"
#include "apps/workbench/workspace/saving.h"
#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

struct waiting {
	struct tn_wb_door *door;
	struct tenon_call *call; /* NULL: nobody waits any more */
	bool writes, partial;
};

/* ---- answers ---- */

/* {"ok":...,"error"?,"appliedCount","files","failed"} (D2). */
static void reply_summary(struct tenon_call *call, const struct tn_wb_saved *saved,
			  const char *code, const char *message, const char *path)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(&out);
	tn_json_put_member_bool(&out, "ok", !code);
	if (code) {
		tn_json_put_key(&out, "error");
		tn_json_begin_object(&out);
		tn_json_put_member_text(&out, "code", code);
		tn_json_put_member_text(&out, "message", message);
		tn_json_put_member_bool(&out, "retryable",
					strcmp(code, "conflict") == 0 ||
						strcmp(code, "persist_failed") == 0);
		if (path && *path)
			tn_json_put_member_text(&out, "filePath", path);
		tn_json_end_object(&out);
		tenon_call_set_error(call);
	}
	tn_json_put_member_int(&out, "appliedCount",
			       saved->is_written ? (int64_t)saved->plan.written_count : 0);
	tn_json_put_member_raw(&out, "files",
			       saved->is_written && saved->files.files.size
				       ? tn_buf_str(&saved->files.files)
				       : TN_STR("[]"));
	tn_json_put_member_raw(&out, "failed",
			       saved->plan.failures.size ? tn_buf_str(&saved->plan.failures)
							 : TN_STR("[]"));
	tn_json_end_object(&out);
	tn_wb_reply(call, &out);
}

static void reply_plan(struct tenon_call *call, const struct tn_wb_saved *saved)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	tn_buf_append_text(&out, "{\"ok\":true,");
	tn_buf_append_str(&out, tn_str_from_offset(tn_buf_str(&saved->plan.data), 1));
	tn_buf_inherit_failure(&out, &saved->plan.data);
	tn_wb_reply(call, &out);
}

static void reply_saved(struct tenon_call *call, const struct waiting *waiting,
			const struct tn_wb_saved *saved)
{
	if (saved->files.code)
		reply_summary(call, saved, saved->files.code, saved->err.message,
			      saved->files.path);
	else if (saved->code != TENON_OK)
		tn_wb_reply_failure(call, &saved->err);
	else if (!waiting->writes)
		reply_plan(call, saved);
	else if (saved->plan.failure_count && !waiting->partial)
		reply_summary(call, saved, "validation_failed",
			      "not every draft can be written, so none was: clear those that "
			      "failed, or send partial",
			      NULL);
	else if (saved->failure)
		reply_summary(call, saved, saved->failure, saved->err.message, NULL);
	else
		reply_summary(call, saved, NULL, NULL, NULL);
}

static void saved_or_planned(void *data, struct tn_wb_workspace *workspace,
			     const struct tn_wb_saved *saved)
{
	struct waiting *waiting = data;
	struct tenon_call *call = waiting->call;

	if (workspace && saved->is_written)
		tn_wb_launches_written(waiting->door, workspace, tn_buf_str(&saved->files.files));
	if (call) {
		tenon_call_on_cancel(call, NULL, NULL);
		if (workspace && saved->is_written) /* told in the turn in which it was done */
			tn_wb_drafts_name_changer(workspace->drafts, tenon_call_client_name(call),
						  true);
		if (workspace)
			reply_saved(call, waiting, saved);
		else
			tn_wb_reply_error(call, "no_workspace",
					  "the workspace was closed meanwhile");
	}
	tn_mem_free(waiting);
}

/* What has begun goes on: files and drafts stay together. */
static void cancelled(struct tenon_call *call, void *data)
{
	struct waiting *waiting = data;

	waiting->call = NULL;
	tenon_call_finish(call);
}

/* ---- asking ---- */

static bool may_save(struct tenon_call *call, const struct tn_wb_workspace *workspace)
{
	bool allowed = true;

	if (!workspace->config) {
		tn_wb_reply_error(call, "workspace_loading",
				  "the workspace is being read: try again in a moment");
		return false;
	}
	(void)tn_json_to_bool(tn_wb_config_get(workspace->config, "guardrails", "allowSave"),
			      &allowed);
	if (!allowed)
		tn_wb_reply_error(
			call, "forbidden_by_policy", "guardrails.allowSave of %s is false",
			workspace->config->file ? workspace->config->file : "the configuration");
	return allowed;
}

static void start(struct tenon_call *call, struct tn_wb_workspace *workspace,
		  struct tn_wb_save *save, const struct waiting *of)
{
	struct waiting *waiting = tn_mem_alloc(sizeof(*waiting));

	if (waiting) {
		*waiting = *of;
		save->done = saved_or_planned;
		save->data = waiting;
		tenon_call_on_cancel(call, cancelled, waiting);
		if (tn_wb_workspace_save(workspace, save, NULL) == TENON_OK)
			return;
		tenon_call_on_cancel(call, NULL, NULL);
		tn_mem_free(waiting);
	}
	tenon_call_refuse(call, TN_WB_RPC_INTERNAL, "Out of memory.", NULL);
}

void tn_wb_call_save(struct tenon_call *call, void *data)
{
	struct tn_wb_workspace *workspace = tn_wb_workspace_of(call, data);
	const struct tn_json *only = tn_json_get(tn_call_arguments(call), "only");
	struct tn_wb_address address = {.group = TN_WB_GROUP_APP};
	struct tn_wb_save save = {.actor = "You"};
	struct waiting waiting = {.door = data, .call = call};
	bool dry_run = false;

	if (!workspace || !may_save(call, workspace))
		return;
	(void)tenon_call_bool(call, "dryRun", &dry_run);
	(void)tenon_call_bool(call, "partial", &save.partial);
	(void)tenon_call_bool(call, "undo", &save.undo);
	save.writes = !dry_run;
	if (only) {
		(void)tn_json_to_str(tn_json_get(only, "instanceId"), &address.instance_id);
		(void)tn_json_to_str(tn_json_get(only, "path"), &address.path);
		save.only = &address;
	}
	waiting.writes = save.writes;
	waiting.partial = save.partial;
	start(call, workspace, &save, &waiting);
}
