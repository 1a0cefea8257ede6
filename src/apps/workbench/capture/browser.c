#include "apps/workbench/capture/browser.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "apps/workbench/launch/scratch.h"
#include "apps/workbench/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"
#include "loop/child.h"

extern char **environ;

/* What it is asked, one after the other. */
enum step { CREATING, ATTACHING, ENABLING, SIZING, GOING, LOADED, DRAWING, OVER };

struct tn_wb_browser {
	struct tn_loop *loop;
	struct tn_child *child;
	struct tn_io *out;
	struct tn_timer *limit;
	char scratch[TN_WB_SCRATCH_SIZE];
	struct tn_buf said; /* of a message that has not come whole */
	struct tn_wb_browser_options options;
	char *url;
	char session[128];
	enum step step;
	int64_t number; /* of the last request */
};

static void finish(struct tn_wb_browser *b, const char *failure, struct tn_str png)
{
	if (b->step == OVER)
		return;
	b->step = OVER;
	tn_timer_stop(b->limit);
	if (b->out)
		tn_io_watch(b->out, 0);
	b->options.done(b->options.data, failure, png);
}

static void fail(struct tn_wb_browser *b, const char *failure)
{
	finish(b, failure, (struct tn_str){0});
}

/* ---- requests ---- */

static void begin(struct tn_wb_browser *b, struct tn_buf *out, const char *method)
{
	tn_buf_init(out, 64 * TN_KIB);
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "id", ++b->number);
	tn_json_put_member_text(out, "method", method);
	if (b->session[0])
		tn_json_put_member_text(out, "sessionId", b->session);
	tn_json_put_key(out, "params");
	tn_json_begin_object(out);
}

/* They are small, and it reads one before it is sent the next. */
static void send(struct tn_wb_browser *b, struct tn_buf *out)
{
	ssize_t sent;

	tn_json_end_object(out);
	tn_json_end_object(out);
	tn_buf_append_byte(out, '\0');
	do
		sent = out->failed
			       ? -1
			       : write(tn_child_fd(b->child, TN_CHILD_STDIN), out->data, out->size);
	while (sent < 0 && errno == EINTR && !out->failed);
	if (sent < 0 || (size_t)sent != out->size)
		fail(b, "the browser does not listen");
	tn_buf_finish(out);
}

static void put_size(struct tn_buf *out, const struct tn_wb_browser *b)
{
	tn_json_put_member_int(out, "width", b->options.width);
	tn_json_put_member_int(out, "height", b->options.height);
}

static void request(struct tn_wb_browser *b, enum step step, const char *target)
{
	static const char *const methods[] = {
		[CREATING] = "Target.createTarget", [ATTACHING] = "Target.attachToTarget",
		[ENABLING] = "Page.enable",         [SIZING] = "Emulation.setDeviceMetricsOverride",
		[GOING] = "Page.navigate",
	};
	struct tn_buf out;

	b->step = step;
	begin(b, &out, methods[step]);
	if (step == CREATING || step == GOING)
		tn_json_put_member_text(&out, "url", step == GOING ? b->url : "about:blank");
	if (step == ATTACHING) {
		tn_json_put_member_text(&out, "targetId", target);
		tn_json_put_member_bool(&out, "flatten", true);
	}
	if (step == SIZING) {
		put_size(&out, b);
		tn_json_put_member_int(&out, "deviceScaleFactor", 1);
		tn_json_put_member_bool(&out, "mobile", false);
	}
	send(b, &out);
}

void tn_wb_browser_draw(struct tn_wb_browser *b, const struct tn_wb_rect *clip)
{
	struct tn_buf out;

	if (b->step != LOADED)
		return;
	b->step = DRAWING;
	begin(b, &out, "Page.captureScreenshot");
	tn_json_put_member_text(&out, "format", "png");
	if (clip) {
		tn_json_put_key(&out, "clip");
		tn_json_begin_object(&out);
		tn_json_put_key(&out, "x");
		tn_json_put_double(&out, clip->x);
		tn_json_put_key(&out, "y");
		tn_json_put_double(&out, clip->y);
		tn_json_put_key(&out, "width");
		tn_json_put_double(&out, clip->width);
		tn_json_put_key(&out, "height");
		tn_json_put_double(&out, clip->height);
		tn_json_put_member_int(&out, "scale", 1);
		tn_json_end_object(&out);
	}
	send(b, &out);
}

/* ---- answers ---- */

static const char *text_of(struct tn_arena *arena, const struct tn_json *object, const char *name)
{
	struct tn_str text;

	return tn_json_to_str(tn_json_get(object, name), &text) ? tn_arena_copy(arena, text) : NULL;
}

static void answered(struct tn_wb_browser *b, struct tn_arena *arena, const struct tn_json *result)
{
	const char *text;

	switch (b->step) {
	case CREATING:
		text = text_of(arena, result, "targetId");
		if (text)
			request(b, ATTACHING, text);
		else
			fail(b, "the browser opens no page");
		break;
	case ATTACHING:
		text = text_of(arena, result, "sessionId");
		(void)snprintf(b->session, sizeof(b->session), "%s", text ? text : "");
		request(b, ENABLING, NULL);
		break;
	case ENABLING:
		request(b, SIZING, NULL);
		break;
	case SIZING:
		request(b, GOING, NULL);
		break;
	case GOING:
		if (tn_json_get(result, "errorText"))
			fail(b, "the browser cannot load the page");
		break;
	default:
		break;
	}
}

static void take_small(struct tn_wb_browser *b, struct tn_str text)
{
	struct tn_json *message = NULL;
	struct tn_arena arena;
	struct tn_str method;
	int64_t id = 0;

	tn_arena_init(&arena, TN_WB_MESSAGE_ARENA_MAX);
	if (tn_json_parse_copy(&arena, text, &message, NULL) != TENON_OK)
		fail(b, "the browser says what nobody understands");
	else if (tn_json_to_int(tn_json_get(message, "id"), &id) && id == b->number &&
		 tn_json_get(message, "error"))
		fail(b, "the browser refuses what it is asked");
	else if (id == b->number)
		answered(b, &arena, tn_json_get(message, "result"));
	else if (b->step == GOING && tn_json_to_str(tn_json_get(message, "method"), &method) &&
		 tn_str_is(method, "Page.loadEventFired")) {
		b->step = LOADED;
		b->options.loaded(b->options.data);
	}
	tn_arena_finish(&arena);
}

/* The picture is not parsed: nothing in base64 ends a text. */
static bool take_picture(struct tn_wb_browser *b, struct tn_str text)
{
	static const struct tn_str member = {"\"data\":\"", 8};
	size_t at = b->step == DRAWING ? tn_str_find(text, member) : TN_STR_NONE, end;

	if (at == TN_STR_NONE)
		return false;
	text = tn_str_from_offset(text, at + member.size);
	end = tn_str_find_byte(text, '"');
	if (end == TN_STR_NONE)
		return false;
	finish(b, NULL, tn_str(text.data, end));
	return true;
}

static void take_all(struct tn_wb_browser *b)
{
	struct tn_str rest = tn_buf_str(&b->said);
	size_t end;

	while (b->step != OVER && (end = tn_str_find_byte(rest, '\0')) != TN_STR_NONE) {
		struct tn_str one = tn_str(rest.data, end);

		if (!take_picture(b, one) && one.size <= TN_WB_MESSAGE_BYTES_MAX)
			take_small(b, one);
		rest = tn_str_from_offset(rest, end + 1);
	}
	if (b->step != OVER && rest.size < b->said.size) {
		memmove(b->said.data, rest.data, rest.size);
		b->said.size = rest.size;
	}
}

static void ready(struct tn_io *io, int events, void *data)
{
	struct tn_wb_browser *b = data;
	char bytes[64 * 1024];
	ssize_t got;

	(void)events;
	do
		got = read(tn_child_fd(b->child, TN_CHILD_STDOUT), bytes, sizeof(bytes));
	while (got < 0 && errno == EINTR);
	if (got == 0)
		tn_io_watch(io, 0); /* what that means comes with its end */
	if (got <= 0)
		return;
	tn_buf_append(&b->said, bytes, (size_t)got);
	if (b->said.failed)
		fail(b, "the picture is too large");
	else if (memchr(bytes, '\0', (size_t)got))
		take_all(b);
}

/* ---- life ---- */

static void has_ended(struct tn_child *child, struct tn_child_end end, void *data)
{
	(void)child;
	(void)end;
	fail(data, "the browser has ended by itself: is it a Chromium, and may it run here?");
}

static void is_late(struct tn_timer *timer, void *data)
{
	(void)timer;
	fail(data, "the browser did not draw the page in time");
}

/* The shell puts its two streams where Chromium looks for the pipes; nobody reads what else it
 * prints. Root has no sandbox that Chromium could use. */
static enum tenon_code start(struct tn_wb_browser *b, const char *program, struct tenon_error *err)
{
	char folder[TN_WB_SCRATCH_SIZE + 32];
	const char *const argv[] = {"/bin/sh",
				    "-c",
				    "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1",
				    program,
				    folder,
				    "--headless",
				    "--remote-debugging-pipe",
				    "--no-first-run",
				    "--no-default-browser-check",
				    "--disable-background-networking",
				    "--disable-component-update",
				    "--disable-extensions",
				    "--disable-sync",
				    "--disable-breakpad",
				    "--disable-gpu",
				    "--hide-scrollbars",
				    "--mute-audio",
				    geteuid() == 0 ? "--no-sandbox" : NULL,
				    NULL};
	const struct tn_child_options options = {.command = argv,
						 .env = (const char *const *)environ,
						 .directory = "/",
						 .new_session = true,
						 .exited = has_ended,
						 .data = b};
	enum tenon_code code;

	(void)snprintf(folder, sizeof(folder), "--user-data-dir=%s", b->scratch);
	code = tn_child_open(b->loop, &options, &b->child, err);
	if (code == TENON_OK)
		code = tn_io_open(b->loop, tn_child_fd(b->child, TN_CHILD_STDOUT), ready, b,
				  &b->out, err);
	if (code != TENON_OK)
		return code;
	tn_io_watch(b->out, TN_IO_READ);
	request(b, CREATING, NULL);
	return TENON_OK;
}

enum tenon_code tn_wb_browser_open(struct tn_loop *loop,
				   const struct tn_wb_browser_options *options,
				   struct tn_wb_browser **ret, struct tenon_error *err)
{
	struct tn_wb_browser *b = tn_mem_alloc(sizeof(*b));
	enum tenon_code code;

	if (!b)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	b->loop = loop;
	b->options = *options;
	tn_buf_init(&b->said, TN_WB_PICTURE_BYTES_MAX);
	b->url = tn_mem_copy_text(options->url, strlen(options->url));
	code = !b->url ? tn_fail(err, TENON_NO_MEMORY, "out of memory")
	       : access(options->program, X_OK) != 0
		       ? tn_fail(err, TENON_SYSTEM, "%.200s cannot be run", options->program)
		       : tn_wb_scratch_make("capture", b->scratch, err);
	if (code == TENON_OK)
		code = tn_timer_open(loop, is_late, b, &b->limit, err);
	if (code == TENON_OK)
		code = start(b, options->program, err);
	if (code != TENON_OK) {
		tn_wb_browser_free(b);
		return code;
	}
	tn_timer_start(b->limit, TN_WB_BROWSER_MS);
	*ret = b;
	return TENON_OK;
}

void tn_wb_browser_free(struct tn_wb_browser *b)
{
	if (!b)
		return;
	tn_io_close(b->out);
	tn_timer_close(b->limit);
	tn_child_free(b->child);
	tn_wb_scratch_remove_soon(b->scratch, b->loop);
	tn_buf_finish(&b->said);
	tn_mem_free(b->url);
	tn_mem_free(b);
}
