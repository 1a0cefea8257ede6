/* Previews begin, end and are looked at: by persons, and by assistants where a person agrees
 * (sections 0, 17.1 and 17.2). */
#include "apps/workbench/mcp/acting.h"
#include "apps/workbench/mcp/tools.h"
#include "base/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"

static void reply_session(struct tenon_call *call, const struct tn_wb_session *session)
{
	struct tn_buf out;

	tn_wb_begin_reply(&out);
	tn_json_put_key(&out, "session");
	tn_wb_session_put(&out, session);
	tn_json_end_object(&out);
	tn_wb_reply(call, &out);
}

void tn_wb_call_start_preview(struct tenon_call *call, void *data)
{
	struct tn_wb_workspace *workspace = tn_wb_workspace_of(call, data);
	struct tn_wb_session *session = NULL;
	struct tenon_error err;
	const char *code;

	if (!workspace)
		return;
	if (!workspace->config) {
		tn_wb_reply_error(call, "workspace_loading",
				  "the workspace is being read: try again in a moment");
		return;
	}
	if (!tn_wb_may_start(call, data, workspace, tn_json_get(tn_call_arguments(call), "target")))
		return;
	code = tn_wb_preview_start(data, workspace, tn_json_get(tn_call_arguments(call), "target"),
				   &session, &err);
	if (code) {
		tn_wb_reply_error(call, code, "%s", err.message);
		return;
	}
	tn_wb_note_starter(call, session);
	reply_session(call, session);
}

void tn_wb_call_stop_preview(struct tenon_call *call, void *data)
{
	struct tn_wb_session *session = tn_wb_session_named(call, data);
	struct tn_buf out;
	bool stopped;

	if (!session || !tn_wb_may_stop(call, data, session))
		return;
	stopped = session->state == TN_WB_SESSION_STOPPED;
	tn_wb_preview_stop(data, session);
	tn_wb_begin_reply(&out);
	tn_json_put_member_bool(&out, "alreadyStopped", stopped);
	tn_json_end_object(&out);
	tn_wb_reply(call, &out);
}

void tn_wb_call_activate_session(struct tenon_call *call, void *data)
{
	struct tn_wb_session *session = tn_wb_session_named(call, data);

	if (!session)
		return;
	if (tn_wb_session_activate(session))
		reply_session(call, session);
	else
		tn_wb_reply_error(
			call, "session_not_found",
			"that session has ended; skaffa://preview/sessions lists the others");
}

void tn_wb_call_set_mode(struct tenon_call *call, void *data)
{
	struct tn_wb_session *session = tn_wb_session_named(call, data);

	if (!session)
		return;
	tn_wb_session_set_mode(session, strcmp(tenon_call_text(call, "mode"), "interact") == 0);
	reply_session(call, session);
}
