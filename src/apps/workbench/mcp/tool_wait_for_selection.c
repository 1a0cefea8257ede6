/* workbench_wait_for_selection: the next selection, or the current one after a while (15.3). */
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/door.h"
#include "apps/workbench/mcp/tools.h"
#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/server.h"

enum { LOOK_AGAIN_MS = 50, PROGRESS_MS = 1000, WAIT_MS = 60000 };

struct waiting {
	struct tn_wb_door *door;
	char workspace[TN_HANDLE_SIZE];
	char session[TN_WB_SESSION_ID_SIZE]; /* empty: the active one, whichever that is */
	uint64_t after;                      /* the number of the last change of a selection */
	uint64_t began_ms, told_ms, wait_ms;
	bool was_ready;  /* there was a page to click on */
	uint64_t prompt; /* of the session that was asked; 0: none was */
	char prompted[TN_WB_SESSION_ID_SIZE];
	char asks[2048]; /* what progress says: the host shows it to the person */
};

static const struct tn_wb_workspace *workspace_of(const struct waiting *waiting)
{
	return tn_wb_workspaces_find(&waiting->door->workspaces, tn_str_from(waiting->workspace));
}

static struct tn_wb_session *session_of(const struct waiting *waiting)
{
	return tn_wb_session_of(workspace_of(waiting),
				waiting->session[0] ? waiting->session : NULL);
}

/* The person at the page is told what is waited for, and no longer when nobody waits. */
static void show(struct waiting *waiting, const char *prompt)
{
	struct tn_wb_session *session = session_of(waiting);

	if (!session || !prompt)
		return;
	waiting->prompt = tn_wb_session_prompt(session, prompt);
	(void)snprintf(waiting->prompted, sizeof(waiting->prompted), "%s", session->id);
}

static void free_waiting(void *data)
{
	struct waiting *waiting = data;
	struct tn_wb_session *session =
		waiting->prompt ? tn_wb_session_of(workspace_of(waiting), waiting->prompted) : NULL;

	if (session)
		tn_wb_session_unprompt(session, waiting->prompt);
	tn_mem_free(waiting);
}

/* The selection now; `timed_out` is a member of its data. */
static void answer(struct tenon_call *call, const struct waiting *waiting, bool timed_out)
{
	struct tn_wb_look look;
	enum tn_wb_seen seen = TN_WB_NOT_THERE;
	struct tn_buf out;

	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	if (tn_wb_look_begin(&look, waiting->door, call, waiting->workspace, &out))
		seen = waiting->session[0] ? tn_wb_see_session_selection(&look, waiting->session)
					   : tn_wb_see_selection(&look);
	if (seen != TN_WB_SEEN) {
		tn_buf_finish(&out);
		tn_wb_reply_error(
			call, "session_not_found",
			"the session has ended meanwhile; skaffa://preview/sessions lists "
			"the others");
		return;
	}
	if (timed_out) {
		look.status = "ok";
		look.message = NULL;
		if (out.size && out.data[out.size - 1] == '}')
			out.size--; /* one member more */
		else
			tn_buf_clear(&out);
		if (!out.size)
			tn_json_begin_object(&out);
		tn_json_put_member_bool(&out, "timedOut", true);
		tn_json_end_object(&out);
	}
	tn_wb_reply_look(call, &look, seen, &out);
}

/* Nothing can be clicked any more: the page has gone, or what it showed has ended (E2). */
static bool is_over(struct waiting *waiting, const struct tn_wb_session *session)
{
	const struct tn_wb_workspace *workspace = workspace_of(waiting);
	bool ready = session && session->state == TN_WB_SESSION_READY;

	if (!workspace || !workspace->sessions.first || (!session && waiting->session[0]))
		return true;
	if (session && !tn_wb_session_state_is_live(session->state))
		return true;
	if (waiting->was_ready && !ready)
		return true;
	waiting->was_ready = ready;
	return false;
}

static void look_again(struct tenon_call *call, void *data)
{
	struct waiting *waiting = data;
	const struct tn_wb_session *session = session_of(waiting);
	uint64_t now = tn_server_now_ms(waiting->door->server);

	if ((session && session->selection.number > waiting->after) || is_over(waiting, session)) {
		answer(call, waiting, false);
	} else if (now - waiting->began_ms >= waiting->wait_ms) {
		answer(call, waiting, true);
	} else {
		if (now - waiting->told_ms >= PROGRESS_MS) {
			waiting->told_ms = now;
			tenon_call_progress(call, (double)(now - waiting->began_ms),
					    (double)waiting->wait_ms, waiting->asks);
		}
		tenon_call_after(call, LOOK_AGAIN_MS, look_again, waiting);
	}
}

void tn_wb_call_wait_for_selection(struct tenon_call *call, void *data)
{
	struct tn_wb_workspace *workspace = tn_wb_workspace_of(call, data);
	const char *named = tenon_call_text(call, "sessionId");
	const char *prompt = tenon_call_text(call, "prompt");
	struct tn_wb_door *door = data;
	struct waiting *waiting;
	int64_t wait_ms = WAIT_MS;

	if (!workspace)
		return;
	/* Without a session there is nothing that could be clicked, which get_selection says. */
	if (!workspace->sessions.first || (named && !tn_wb_session_of(workspace, named))) {
		tn_wb_call_get_selection(call, data);
		return;
	}
	waiting = tn_mem_alloc(sizeof(*waiting));
	if (!waiting) {
		tenon_call_refuse(call, TN_WB_RPC_INTERNAL, "Out of memory.", NULL);
		return;
	}
	(void)tenon_call_int(call, "timeoutMs", &wait_ms);
	(void)snprintf(waiting->asks, sizeof(waiting->asks), "Waiting for a click%s%s",
		       prompt ? ": " : "", prompt ? prompt : "");
	waiting->door = door;
	(void)snprintf(waiting->workspace, sizeof(waiting->workspace), "%s", workspace->id);
	(void)snprintf(waiting->session, sizeof(waiting->session), "%s", named ? named : "");
	waiting->after = workspace->sessions.selections;
	waiting->began_ms = waiting->told_ms = tn_server_now_ms(door->server);
	waiting->wait_ms = (uint64_t)wait_ms;
	tenon_call_set_data(call, waiting, free_waiting);
	tn_wb_end_with_caller(call);
	show(waiting, prompt);
	look_again(call, waiting);
}
