/* workbench_navigate: the page goes to another path of the app (17.4). */
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/request.h"
#include "apps/workbench/mcp/tools.h"
#include "apps/workbench/sessions/destination.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/server.h"

/* A page that is loaded anew shakes hands again; one whose router is slow, or sends it elsewhere,
 * says so later. */
enum { LOOK_AGAIN_MS = 50, ANSWER_MS = 10000, ROUTED_MS = 1000, LOADED_MS = 3000 };

struct going {
	struct tn_wb_request request;
	char path[TN_WB_ADDRESS_BYTES_MAX + 1]; /* without query and fragment */
	bool navigates;                         /* by its router: the page stays */
	uint64_t answered_ms;                   /* how long it took; 0: not answered yet */
};

static void free_going(void *data)
{
	struct going *going = data;

	tn_wb_request_end(&going->request);
	tn_mem_free(going);
}

static void answer(struct tenon_call *call, const struct tn_wb_session *session, bool reloaded)
{
	const struct tn_wb_route *route = &session->route;
	struct tn_buf out;

	tn_wb_begin_reply(&out);
	tn_json_put_member_text(&out, "sessionId", session->id);
	tn_json_put_member_text(&out, "pathname", route->pathname);
	if (route->matched)
		tn_json_put_member_raw(&out, "matchedRouteIds", tn_str_from(route->matched));
	tn_json_put_member_text(&out, "how", reloaded ? "reload" : "router");
	tn_wb_put_untrusted(&out, (const char *const[]){"/pathname", "/matchedRouteIds", NULL});
	tn_json_end_object(&out);
	tn_wb_reply(call, &out);
}

static void refuse(struct tenon_call *call, const struct tn_wb_request *request)
{
	if (strcmp(request->code, "invalid_path") == 0)
		tn_wb_reply_error(call, "invalid_path", "the page does not take this path");
	else
		tn_wb_reply_error(call, "navigation_unsupported",
				  "the page's router cannot be told where to go: a person "
				  "navigates in the page");
}

static bool is_reloaded(const struct tn_wb_request *request, const struct tn_wb_session *session)
{
	return session->state_since_ms != request->state_since_ms;
}

/* It has got there, or has been given the time to; without a router it must come back first, unless
 * it only scrolls. */
static bool is_there(const struct going *going, const struct tn_wb_session *session)
{
	uint64_t since = tn_wb_request_age_ms(&going->request) - going->answered_ms;

	if (!session->navigates && !is_reloaded(&going->request, session))
		return since + 1 > LOADED_MS;
	return (session->route.pathname && strcmp(session->route.pathname, going->path) == 0) ||
	       since + 1 > ROUTED_MS;
}

/* The preview has ended, or a page that need not be loaded anew has gone and stays away. */
static bool is_lost(const struct going *going, const struct tn_wb_session *session)
{
	uint64_t now = tn_server_now_ms(going->request.door->server);

	if (!session || !tn_wb_session_state_is_live(session->state))
		return true;
	return going->navigates && session->state != TN_WB_SESSION_READY &&
	       now - session->state_since_ms > LOADED_MS;
}

/* It did not come to an end in time. */
static void give_up(struct tenon_call *call, const struct tn_wb_request *request,
		    const struct tn_wb_session *session)
{
	if (session && session->state == TN_WB_SESSION_READY && !session->navigates)
		refuse(call, request);
	else
		tn_wb_reply_error(call, "session_not_ready", "the page has not come back");
}

static void look_again(struct tenon_call *call, void *data)
{
	struct going *going = data;
	const struct tn_wb_request *request = &going->request;
	const struct tn_wb_session *session = tn_wb_request_session(request);
	uint64_t age = tn_wb_request_age_ms(request);
	bool ready = session && session->state == TN_WB_SESSION_READY;
	bool reloaded = session && is_reloaded(request, session);

	if (!going->answered_ms && (request->answered || (ready && reloaded)))
		going->answered_ms = age + 1;
	if (request->answered && !request->ok && !reloaded)
		refuse(call, request);
	else if (ready && going->answered_ms && is_there(going, session))
		answer(call, session, reloaded);
	else if (age < ANSWER_MS && !is_lost(going, session))
		tenon_call_after(call, LOOK_AGAIN_MS, look_again, going);
	else
		give_up(call, request, session);
}

static bool ask(const struct tn_wb_acting *acting, struct tn_str path)
{
	struct tn_str shown = tn_utf8_cut(path, 300);
	const bool whole = shown.size == path.size;
	const struct tn_wb_question question = {
		.kind = "tweak",
		.summary = tn_arena_format(&acting->call->arena,
					   "Go to %.*s%s in the preview of %.60s", (int)shown.size,
					   shown.data, whole ? "" : "...", acting->workspace->name),
		.detail = whole ? TN_STR("") : path,
		.exactly = path,
		.lasts = true};

	return question.summary && tn_wb_acting_consent(acting, &question);
}

static void go(const struct tn_wb_acting *acting, struct tn_str path)
{
	struct going *going = tn_mem_alloc(sizeof(*going));
	uint64_t number = going ? tn_wb_session_navigate(acting->session, path) : 0;
	size_t size = 0;

	if (!number) {
		tn_mem_free(going);
		tn_wb_reply_error(acting->call, "session_not_ready",
				  "no page of the preview listens");
		return;
	}
	while (size < path.size && path.data[size] != '?' && path.data[size] != '#')
		size++;
	(void)snprintf(going->path, sizeof(going->path), "%.*s", (int)size, path.data);
	tn_wb_request_begin(&going->request, acting, number);
	going->navigates = acting->session->navigates;
	tenon_call_set_data(acting->call, going, free_going);
	tn_wb_end_with_caller(acting->call);
	look_again(acting->call, going);
}

void tn_wb_call_navigate(struct tenon_call *call, void *data)
{
	struct tn_wb_acting acting;
	struct tenon_error err;
	struct tn_buf path;
	const char *code;

	if (!tn_wb_acting_begin(&acting, call, data) || !tn_wb_acting_is_ready(&acting))
		return;
	tn_buf_init(&path, TN_WB_ADDRESS_BYTES_MAX + 1);
	code = tn_wb_destination_read(acting.workspace->graph,
				      tn_json_get(tn_call_arguments(call), "to"), &path, &err);
	if (code)
		tn_wb_reply_error(call, code, "%s", err.message);
	else if (ask(&acting, tn_buf_str(&path)))
		go(&acting, tn_buf_str(&path));
	tn_buf_finish(&path);
}
