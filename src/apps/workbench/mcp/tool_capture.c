/* workbench_capture: a picture of the page, drawn by a browser of ours (section 0, Acting). */
#include <stdio.h>

#include "apps/workbench/limits.h"
#include "apps/workbench/mcp/request.h"
#include "apps/workbench/mcp/tools.h"
#include "base/base64.h"
#include "base/mem.h"
#include "base/url.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/server.h"

/* How long the page may take to shake hands and to say where the instance is, and how long its
 * drafts take to be drawn (A14: 500 ms). */
enum { LOOK_AGAIN_MS = 50, HANDS_MS = 5000, QUIET_MS = 900, ANSWER_MS = 3000 };
enum { WIDTH = 1280, HEIGHT = 800 };

enum stage { LOADING, SETTLING, LOCATING, DRAWING, DRAWN };

struct capture {
	struct tn_wb_door *door;
	struct tenon_call *call;
	struct tn_wb_browser *browser;
	struct tn_wb_request request;    /* also without one: says which session it is */
	char id[TN_WB_ID_BYTES_MAX + 1]; /* empty: the whole window */
	enum stage stage;
	uint64_t since_ms; /* of the stage */
	uint64_t ready_ms; /* when its page had shaken hands; 0: not yet */
	const char *failure;
	struct tn_buf base64;
	struct tn_arena arena;
	struct tn_str png;
};

static void free_capture(void *data)
{
	struct capture *capture = data;

	tn_wb_request_end(&capture->request);
	tn_wb_browser_free(capture->browser);
	capture->door->captures--;
	tn_buf_finish(&capture->base64);
	tn_arena_finish(&capture->arena);
	tn_mem_free(capture);
}

static void enter(struct capture *capture, enum stage stage)
{
	capture->stage = stage;
	capture->since_ms = tn_server_now_ms(capture->door->server);
}

/* ---- what the browser says ---- */

static void loaded(void *data)
{
	enter(data, SETTLING);
}

static void drawn(void *data, const char *failure, struct tn_str png)
{
	struct capture *capture = data;

	capture->failure = failure;
	if (!failure)
		tn_buf_append_str(&capture->base64, png);
	enter(capture, DRAWN);
}

/* ---- the answer ---- */

static void put_facts(struct tn_buf *out, const struct capture *capture)
{
	const struct tn_wb_session *session = tn_wb_request_session(&capture->request);
	char now[TN_CLOCK_ISO_SIZE];

	tn_clock_format_iso(tn_clock_wall_ms(&capture->door->clock), now);
	tn_json_put_member_text(out, "sessionId", capture->request.session);
	if (capture->id[0])
		tn_json_put_member_text(out, "instanceId", capture->id);
	tn_json_put_key(out, "route");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "pathname", session ? session->route.pathname : NULL);
	tn_json_end_object(out);
	tn_json_put_key(out, "viewport");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "width", WIDTH);
	tn_json_put_member_int(out, "height", HEIGHT);
	tn_json_end_object(out);
	tn_json_put_member_text(out, "takenAt", now);
	tn_json_put_member_text(out, "via", "browser");
}

static void decode(const struct tenon_call *call, void *data)
{
	struct capture *capture = data;

	(void)call;
	if (!tn_base64_decode(&capture->arena, tn_buf_str(&capture->base64), &capture->png))
		capture->png = (struct tn_str){0};
}

static void answer(struct tenon_call *call, void *data)
{
	const struct capture *capture = data;
	struct tn_buf out;

	if (tenon_call_cancelled(call))
		return; /* it has ended */
	if (!capture->png.size) {
		tn_wb_reply_error(call, "browser_unavailable", "the browser drew no picture");
		return;
	}
	tenon_call_add_image(call, "image/png", capture->png.data, capture->png.size);
	tn_wb_begin_reply(&out);
	put_facts(&out, capture);
	tn_wb_put_untrusted(&out, (const char *const[]){"/route", NULL});
	tn_json_end_object(&out);
	tn_wb_reply(call, &out);
}

/* ---- from stage to stage ---- */

/* The one that has come since: that is the browser's. NULL: none has shaken hands. */
static struct tn_wb_page *page_of(const struct capture *capture)
{
	const struct tn_wb_session *session = tn_wb_request_session(&capture->request);
	struct tn_wb_page *found = NULL;

	for (struct tn_wb_page *at = session ? session->pages : NULL; at; at = at->next)
		if (at->ready && at->since_ms >= capture->request.began_ms)
			found = at;
	return found;
}

static void locate(struct capture *capture)
{
	struct tn_wb_page *page = page_of(capture);

	capture->request.answered = false;
	capture->request.number = page ? tn_wb_page_locate(page, tn_str_from(capture->id)) : 0;
	enter(capture, LOCATING);
}

/* The page may be one without an adapter: then it is drawn as it is. */
static void settle(struct capture *capture, uint64_t now)
{
	if (!capture->ready_ms && page_of(capture))
		capture->ready_ms = now;
	if (capture->ready_ms ? now - capture->ready_ms < QUIET_MS
			      : now - capture->since_ms < HANDS_MS)
		return;
	if (capture->id[0]) {
		locate(capture);
		return;
	}
	enter(capture, DRAWING);
	tn_wb_browser_draw(capture->browser, NULL);
}

/* False: the call has ended. */
static bool clip(struct capture *capture, uint64_t now)
{
	const struct tn_wb_request *request = &capture->request;

	if (request->number && !request->answered && now - capture->since_ms < ANSWER_MS)
		return true;
	if (!request->answered || !request->ok || request->rect.width < 1 ||
	    request->rect.height < 1) {
		tn_wb_reply_error(capture->call, "unknown_instance",
				  "the browser's page shows no instance %.200s", capture->id);
		return false;
	}
	enter(capture, DRAWING);
	tn_wb_browser_draw(capture->browser, &request->rect);
	return true;
}

static void look_again(struct tenon_call *call, void *data)
{
	struct capture *capture = data;
	uint64_t now = tn_server_now_ms(capture->door->server);

	if (capture->stage == DRAWN && !capture->failure) {
		tenon_call_work(call, decode, answer, capture);
		return;
	}
	if (capture->stage == DRAWN || !tn_wb_request_session(&capture->request)) {
		tn_wb_reply_error(call, capture->failure ? "browser_unavailable" : "no_page", "%s",
				  capture->failure ? capture->failure : "the preview has ended");
		return;
	}
	if (capture->stage == SETTLING)
		settle(capture, now);
	else if (capture->stage == LOCATING && !clip(capture, now))
		return;
	tenon_call_after(call, LOOK_AGAIN_MS, look_again, capture);
}

/* ---- the beginning ---- */

/* The port of the preview, at the path where the page is. */
static const char *address_of(struct tenon_call *call, const struct tn_wb_session *session)
{
	const char *path = session->route.pathname;
	struct tn_url url;

	if (!path || path[0] != '/' || !tn_url_parse(tn_str_from(session->url), &url))
		return session->url;
	return tn_arena_format(&call->arena, "%.*s%s", (int)url.origin.size, url.origin.data, path);
}

static bool can_begin(const struct tn_wb_acting *acting, const char *program, const char *id)
{
	const struct tn_wb_session *session = acting->session;

	if (!session->url || !tn_wb_session_state_is_live(session->state))
		tn_wb_reply_error(acting->call, "no_page", "the preview is %s and has no page",
				  tn_wb_session_state_name(session->state));
	else if (!program[0])
		tn_wb_reply_error(acting->call, "browser_unavailable",
				  "no browser draws pages here: a person sets workbench.browser to "
				  "the path of a Chromium");
	else if (id && session->reports_instances && session->state == TN_WB_SESSION_READY &&
		 !tn_wb_acting_instance(acting, tn_str_from(id)))
		tn_wb_reply_error(acting->call, "unknown_instance",
				  "no instance %.200s is on the page; workbench_list_instances "
				  "lists them",
				  id);
	else if (acting->door->captures >= TN_WB_CAPTURES_MAX)
		tn_wb_reply_error(acting->call, "limit_exceeded",
				  "%d pictures are being drawn; try again in a moment",
				  TN_WB_CAPTURES_MAX);
	else
		return true;
	return false;
}

static struct capture *begin(const struct tn_wb_acting *acting, const char *id)
{
	struct capture *capture = tn_mem_alloc(sizeof(*capture));

	if (!capture) {
		tenon_call_refuse(acting->call, TN_WB_RPC_INTERNAL, "Out of memory.", NULL);
		return NULL;
	}
	capture->door = acting->door;
	capture->call = acting->call;
	capture->door->captures++;
	(void)snprintf(capture->id, sizeof(capture->id), "%s", id ? id : "");
	tn_buf_init(&capture->base64, TN_WB_PICTURE_BYTES_MAX);
	tn_arena_init(&capture->arena, TN_WB_PICTURE_BYTES_MAX);
	tn_wb_request_begin(&capture->request, acting, 0);
	tenon_call_set_data(acting->call, capture, free_capture);
	tn_wb_end_with_caller(acting->call);
	return capture;
}

void tn_wb_call_capture(struct tenon_call *call, void *data)
{
	const char *id = tenon_call_text(call, "instanceId");
	struct tn_wb_browser_options options = {
		.width = WIDTH, .height = HEIGHT, .loaded = loaded, .done = drawn};
	struct tn_wb_acting acting;
	struct capture *capture;
	struct tenon_error err;

	if (!tn_wb_acting_begin(&acting, call, data))
		return;
	options.program = tn_settings_text(&acting.door->settings, "workbench.browser");
	options.url = acting.session->url ? address_of(call, acting.session) : NULL;
	if (!can_begin(&acting, options.program, id) || !tn_wb_may_draw(&acting))
		return;
	capture = options.url ? begin(&acting, id) : NULL;
	if (!capture)
		return;
	options.data = capture;
	if (tn_wb_browser_open(acting.door->server->loop, &options, &capture->browser, &err) !=
	    TENON_OK)
		tn_wb_reply_error(call, "browser_unavailable", "%s", err.message);
	else
		look_again(call, capture);
}
