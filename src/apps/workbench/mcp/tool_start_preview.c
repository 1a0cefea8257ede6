/* Previews begin, end and are looked at: by persons, and by assistants where a person agrees
 * (sections 0, 17.1 and 17.2). */
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/acting.h"
#include "apps/workbench/mcp/tools.h"
#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/server.h"

enum { LOOK_AGAIN_MS = 25, PROGRESS_MS = 500, WAIT_MS = 45000, STOP_WAIT_MS = 10000 };

enum wait { WAIT_NONE, WAIT_SERVER, WAIT_READY };

struct waiting {
	struct tn_wb_door *door;
	char workspace[TN_HANDLE_SIZE];
	char session[TN_WB_SESSION_ID_SIZE];
	enum wait wait;
	bool reused, already_stopped;
	uint64_t began_ms, told_ms, wait_ms;
};

static void reply_session(struct tenon_call *call, const struct tn_wb_session *session,
			  const bool *reused)
{
	struct tn_buf out;

	tn_wb_begin_reply(&out);
	tn_json_put_key(&out, "session");
	tn_wb_session_put(&out, session);
	if (reused)
		tn_json_put_member_bool(&out, "reused", *reused);
	tn_wb_put_untrusted(&out, (const char *const[]){"/session/route", "/session/adapter",
							"/session/warnings", NULL});
	tn_json_end_object(&out);
	tn_wb_reply(call, &out);
}

/* ---- waiting ---- */

static struct tn_wb_session *session_of(const struct waiting *waiting)
{
	const struct tn_wb_workspace *workspace =
		tn_wb_workspaces_find(&waiting->door->workspaces, tn_str_from(waiting->workspace));

	return workspace ? tn_wb_session_of(workspace, waiting->session) : NULL;
}

static struct waiting *begin_waiting(struct tenon_call *call, struct tn_wb_door *door,
				     const struct tn_wb_session *session, uint64_t wait_ms)
{
	const struct tn_wb_workspace *workspace = session->set->data;
	struct waiting *waiting = tn_mem_alloc(sizeof(*waiting));

	if (!waiting) {
		tenon_call_refuse(call, TN_WB_RPC_INTERNAL, "Out of memory.", NULL);
		return NULL;
	}
	waiting->door = door;
	(void)snprintf(waiting->workspace, sizeof(waiting->workspace), "%s", workspace->id);
	(void)snprintf(waiting->session, sizeof(waiting->session), "%s", session->id);
	waiting->began_ms = waiting->told_ms = tn_server_now_ms(door->server);
	waiting->wait_ms = wait_ms;
	tenon_call_set_data(call, waiting, tn_mem_free);
	return waiting;
}

static bool is_late(const struct waiting *waiting)
{
	return tn_server_now_ms(waiting->door->server) - waiting->began_ms >= waiting->wait_ms;
}

static void tell_progress(struct tenon_call *call, struct waiting *waiting, const char *message)
{
	uint64_t now = tn_server_now_ms(waiting->door->server);

	if (now - waiting->told_ms < PROGRESS_MS)
		return;
	waiting->told_ms = now;
	tenon_call_progress(call, (double)(now - waiting->began_ms), (double)waiting->wait_ms,
			    message);
}

/* ---- start ---- */

/* 17.1: with what the server has said last. */
static void reply_failed(struct tenon_call *call, const struct tn_wb_session *session)
{
	const char *code = session->error_code ? session->error_code : "launch_failed";
	const char *message = session->error_message ? session->error_message : "out of memory";
	struct tn_buf details;

	tn_buf_init(&details, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(&details);
	tn_json_put_member_text(&details, "sessionId", session->id);
	tn_json_put_member_text(&details, "cause", code);
	tn_json_put_key(&details, "log");
	(void)tn_wb_log_put(&details, &session->log,
			    &(struct tn_wb_log_query){.limit = TN_WB_LAUNCH_LOG,
						      .bytes_max = TN_WB_ANSWER_BYTES_MAX / 2});
	tn_json_end_object(&details);
	tn_wb_reply_error_with(
		call, strcmp(code, "launch_timeout") == 0 ? "launch_timeout" : "launch_failed",
		details.failed ? tn_str("", 0) : tn_buf_str(&details), "%s", message);
	tn_buf_finish(&details);
}

static bool is_reached(const struct tn_wb_session *session, enum wait wait)
{
	return wait == WAIT_NONE || session->state == TN_WB_SESSION_READY ||
	       (wait == WAIT_SERVER && session->state != TN_WB_SESSION_CREATING);
}

static void look_whether_started(struct tenon_call *call, void *data)
{
	struct waiting *waiting = data;
	const struct tn_wb_session *session = session_of(waiting);

	if (!session || session->state == TN_WB_SESSION_STOPPED) {
		tn_wb_reply_error(call, "session_not_found",
				  "the preview was stopped while it started");
	} else if (session->state == TN_WB_SESSION_FAILED) {
		reply_failed(call, session);
	} else if (is_reached(session, waiting->wait)) {
		reply_session(call, session, &waiting->reused);
	} else if (tenon_call_cancelled(call) || is_late(waiting)) {
		tn_wb_reply_error(call, "session_not_ready",
				  "%s: the preview %s goes on; look at skaffa://preview/sessions",
				  session->state == TN_WB_SESSION_CREATING
					  ? "its server does not answer yet"
					  : "no page of it is open yet",
				  session->id);
	} else {
		tell_progress(call, waiting,
			      session->state == TN_WB_SESSION_CREATING
				      ? "The server of the preview is starting."
				      : "Open the preview's url in a browser.");
		tenon_call_after(call, LOOK_AGAIN_MS, look_whether_started, waiting);
	}
}

static enum wait wait_of(struct tenon_call *call)
{
	const char *word = tenon_call_text(call, "wait");

	if (!word || strcmp(word, "server") == 0)
		return WAIT_SERVER;
	return strcmp(word, "ready") == 0 ? WAIT_READY : WAIT_NONE;
}

void tn_wb_call_start_preview(struct tenon_call *call, void *data)
{
	struct tn_wb_workspace *workspace = tn_wb_workspace_of(call, data);
	struct tn_wb_session *session = NULL;
	struct waiting *waiting;
	struct tenon_error err;
	int64_t wait_ms = WAIT_MS;
	const char *code;
	bool reused = false;

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
				   &session, &reused, &err);
	if (code) {
		tn_wb_reply_error(call, code, "%s", err.message);
		return;
	}
	if (!reused)
		tn_wb_note_starter(call, session);
	(void)tenon_call_int(call, "timeoutMs", &wait_ms);
	waiting = begin_waiting(call, data, session, (uint64_t)wait_ms);
	if (!waiting)
		return;
	waiting->wait = wait_of(call);
	waiting->reused = reused;
	look_whether_started(call, waiting);
}

/* ---- stop ---- */

static void reply_stopped(struct tenon_call *call, const char *session_id, bool already)
{
	struct tn_buf out;

	tn_wb_begin_reply(&out);
	tn_json_put_member_text(&out, "sessionId", session_id);
	tn_json_put_member_text(&out, "state", "disposed");
	tn_json_put_member_bool(&out, "alreadyStopped", already);
	tn_json_end_object(&out);
	tn_wb_reply(call, &out);
}

static void look_whether_stopped(struct tenon_call *call, void *data)
{
	struct waiting *waiting = data;

	if (!session_of(waiting)) {
		reply_stopped(call, waiting->session, waiting->already_stopped);
	} else if (is_late(waiting)) {
		tn_wb_reply_error(call, "internal_error", "its server does not end");
	} else {
		tell_progress(call, waiting, "The server of the preview is ending.");
		tenon_call_after(call, LOOK_AGAIN_MS, look_whether_stopped, waiting);
	}
}

/* 17.2: an id of a preview that is gone already. */
static bool has_ended(const struct tn_wb_door *door, const char *session_id)
{
	for (const struct tn_wb_workspace *at = door->workspaces.first; session_id && at;
	     at = at->next)
		if (tn_wb_sessions_has_ended(&at->sessions, tn_str_from(session_id)))
			return true;
	return false;
}

void tn_wb_call_stop_preview(struct tenon_call *call, void *data)
{
	const char *named = tenon_call_text(call, "sessionId");
	struct tn_wb_session *session;
	struct waiting *waiting;

	if (has_ended(data, named)) {
		reply_stopped(call, named, true);
		return;
	}
	session = tn_wb_session_named(call, data);
	if (!session || !tn_wb_may_stop(call, data, session))
		return;
	waiting = begin_waiting(call, data, session, STOP_WAIT_MS);
	if (!waiting)
		return;
	waiting->already_stopped = session->state == TN_WB_SESSION_STOPPED;
	tn_wb_preview_stop(data, session);
	look_whether_stopped(call, waiting);
}

/* ---- which one, and how ---- */

void tn_wb_call_activate_session(struct tenon_call *call, void *data)
{
	struct tn_wb_session *session = tn_wb_session_named(call, data);

	if (!session)
		return;
	if (tn_wb_session_activate(session))
		reply_session(call, session, NULL);
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
	reply_session(call, session, NULL);
}
