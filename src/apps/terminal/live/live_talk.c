/* The words of the live view: what viewers are told, and what they ask for. */
#include "apps/terminal/live/internal.h"

#include "apps/terminal/limits.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"

/* To all persons alike: they share one keyboard, and none is told from another. */
#define LIVE_PERSON "a person"

enum { ARENA_BYTES = 2 * 1024 * 1024, NUMBER_MAX = 10000 };

/* ---- what is said ---- */

static void begin(struct tn_buf *out, size_t limit, const char *kind)
{
	tn_buf_init(out, limit);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "t", kind);
}

void live_say(struct tn_live_viewer *viewer, const struct tn_buf *text)
{
	if (viewer->has_begun && !viewer->is_closing && !text->failed)
		viewer->wire.send(viewer->wire.line, tn_buf_str(text), false);
}

static void end_and_say(struct tn_live_viewer *viewer, struct tn_buf *out)
{
	tn_json_end_object(out);
	live_say(viewer, out);
	tn_buf_finish(out);
}

static void end_and_tell(struct live_feed *feed, struct tn_buf *out)
{
	tn_json_end_object(out);
	for (struct tn_live_viewer *v = feed->viewers; v; v = v->next)
		live_say(v, out);
	tn_buf_finish(out);
}

static void refuse(struct tn_live_viewer *viewer, const char *what, const char *message)
{
	struct tn_buf out;

	begin(&out, TN_KIB, "refused");
	tn_json_put_member_text(&out, "what", what);
	tn_json_put_member_text(&out, "message", message);
	end_and_say(viewer, &out);
}

void live_say_snapshot(struct tn_live_viewer *viewer, size_t size)
{
	const struct live_feed *feed = viewer->feed;
	struct tn_buf out;

	begin(&out, LIVE_SAID_MAX, "snapshot");
	tn_json_put_member_int(&out, "cols", feed->columns);
	tn_json_put_member_int(&out, "rows", feed->rows);
	tn_json_put_member_text(&out, "title", feed->title);
	tn_json_put_member_int(&out, "bytes", (int64_t)size);
	tn_json_put_member_int(&out, "offset", (int64_t)feed->offset);
	end_and_say(viewer, &out);
}

void live_say_lag(struct tn_live_viewer *viewer, uint64_t bytes)
{
	struct tn_buf out;

	begin(&out, TN_KIB, "lag");
	tn_json_put_member_int(&out, "bytes", (int64_t)bytes);
	end_and_say(viewer, &out);
}

static void put_state(const struct tn_live_viewer *viewer, const struct tn_term_session_info *info,
		      struct tn_buf *out)
{
	const struct live_feed *feed = viewer->feed;

	tn_json_put_member_text(out, "state", tn_term_state_name(info->state));
	tn_json_put_member_text(out, "name", info->name);
	tn_json_put_member_text(out, "program", info->program);
	tn_json_put_member_text(out, "cwd", info->cwd);
	tn_json_put_member_bool(out, "alternate_screen", info->alternate_screen);
	tn_json_put_member_text(out, "running_command_id", info->running_command_id);
	tn_json_put_member_bool(out, "waiting", info->waiting.for_input);
	tn_json_put_member_bool(out, "hidden_input", info->waiting.hidden_input);
	tn_json_put_member_text(out, "message", info->message);
	tn_json_put_member_bool(out, "may_control", viewer->may_control);
	tn_json_put_member_bool(out, "in_control", feed->controller == viewer);
	tn_json_put_member_text(out, "controlled_by", info->controlled_by);
	tn_json_put_member_int(out, "viewers", (int64_t)feed->viewer_count);
}

void live_say_state(struct tn_live_viewer *viewer)
{
	struct tn_term_session_info info;
	struct tn_buf out;

	if (!viewer->has_begun || !viewer->feed->session)
		return;
	tn_term_session_describe(viewer->feed->session, NULL, &info);
	begin(&out, LIVE_SAID_MAX, "state");
	put_state(viewer, &info, &out);
	tn_json_end_object(&out);
	if (out.failed || tn_str_equal(tn_buf_str(&out), tn_buf_str(&viewer->said))) {
		tn_buf_finish(&out);
		return;
	}
	live_say(viewer, &out);
	tn_buf_finish(&viewer->said);
	viewer->said = out;
}

void live_tell_state(struct live_feed *feed)
{
	for (struct tn_live_viewer *v = feed->viewers; v; v = v->next)
		live_say_state(v);
}

void live_say_exit(struct tn_live_viewer *viewer)
{
	struct tn_term_session_info info;
	struct tn_buf out;

	if (viewer->told_exit || !viewer->has_begun || !viewer->feed->session)
		return;
	tn_term_session_describe(viewer->feed->session, NULL, &info);
	if (info.state < TN_TERM_EXITED)
		return;
	viewer->told_exit = true;
	begin(&out, TN_KIB, "exit");
	tn_json_put_member_text(&out, "state", tn_term_state_name(info.state));
	if (info.exit_code == TN_TERM_NO_EXIT_CODE)
		tn_json_put_member_null(&out, "exit_code");
	else
		tn_json_put_member_int(&out, "exit_code", info.exit_code);
	tn_json_put_member_text(&out, "signal", info.signal);
	end_and_say(viewer, &out);
}

static void tell_size(struct live_feed *feed, const struct tn_term_session_info *info)
{
	struct tn_buf out;

	if (info->columns == feed->columns && info->rows == feed->rows)
		return;
	feed->columns = info->columns;
	feed->rows = info->rows;
	begin(&out, TN_KIB, "resize");
	tn_json_put_member_int(&out, "cols", feed->columns);
	tn_json_put_member_int(&out, "rows", feed->rows);
	end_and_tell(feed, &out);
	/* Terminals move text about when they change size, each in its way; the session's does not.
	 */
	for (struct tn_live_viewer *v = feed->viewers; v; v = v->next) {
		if (v->has_begun && !v->is_lagging && !v->is_closing)
			live_send_snapshot(v);
	}
}

static void tell_title(struct live_feed *feed, const struct tn_term_session_info *info)
{
	size_t size = strlen(info->title);
	struct tn_buf out;

	if (strcmp(info->title, feed->title) == 0 || size >= sizeof(feed->title))
		return;
	memcpy(feed->title, info->title, size + 1);
	begin(&out, LIVE_SAID_MAX, "title");
	tn_json_put_member_text(&out, "title", feed->title);
	end_and_tell(feed, &out);
}

void live_tell_shape(struct live_feed *feed)
{
	struct tn_term_session_info info;

	if (!feed->session)
		return;
	tn_term_session_describe(feed->session, NULL, &info);
	tell_size(feed, &info);
	tell_title(feed, &info);
}

void live_tell_command(struct live_feed *feed, const struct tn_term_command_info *info, bool ended)
{
	char started[TN_CLOCK_ISO_SIZE];
	struct tn_buf out;

	tn_clock_format_iso(info->started_ms, started);
	begin(&out, 8 * TN_TERM_COMMAND_BYTES_MAX, "command");
	tn_json_put_member_text(&out, "command_id", info->id);
	tn_json_put_member_text(&out, "command", info->text);
	tn_json_put_member_text(&out, "cwd", info->cwd);
	tn_json_put_member_text(&out, "started_at", started);
	tn_json_put_member_bool(&out, "ended", ended);
	tn_json_put_member_text(&out, "status", tn_term_status_name(info->status));
	if (info->exit_code == TN_TERM_NO_EXIT_CODE)
		tn_json_put_member_null(&out, "exit_code");
	else
		tn_json_put_member_int(&out, "exit_code", info->exit_code);
	tn_json_put_member_int(&out, "duration_ms", info->duration_ms);
	tn_json_put_member_bool(&out, "typed", info->typed);
	end_and_tell(feed, &out);
}

/* ---- what is asked for ---- */

void live_type(struct tn_live_viewer *viewer, struct tn_str bytes)
{
	struct tenon_error err;

	if (viewer->feed->controller != viewer)
		refuse(viewer, "input", "you are not in control; take the keyboard first");
	else if (tn_term_session_type(viewer->feed->session, bytes, &err) != TENON_OK)
		refuse(viewer, "input", err.message);
}

static void take_input(struct tn_live_viewer *viewer, const struct tn_json *message)
{
	struct tn_str data;

	if (!tn_json_to_str(tn_json_get(message, "data"), &data))
		live_close_viewer(viewer, LIVE_CLOSE_POLICY);
	else if (data.size)
		live_type(viewer, data);
}

static bool read_side(const struct tn_json *message, const char *name, int64_t least, int64_t most,
		      uint16_t *ret)
{
	int64_t number;

	if (!tn_json_to_int(tn_json_get(message, name), &number) || number < least || number > most)
		return false;
	*ret = (uint16_t)number;
	return true;
}

static void resize(struct tn_live_viewer *viewer, uint16_t columns, uint16_t rows)
{
	struct live_feed *feed = viewer->feed;
	struct tn_term_session_info info;
	struct tenon_error err;

	tn_term_session_describe(feed->session, NULL, &info);
	if (tn_term_session_resize(feed->session, columns, rows, &err) != TENON_OK) {
		refuse(viewer, "resize", err.message);
		return;
	}
	if (!feed->columns_before) {
		feed->columns_before = info.columns;
		feed->rows_before = info.rows;
	}
	feed->columns_theirs = columns;
	feed->rows_theirs = rows;
}

static void take_resize(struct tn_live_viewer *viewer, const struct tn_json *message)
{
	uint16_t columns, rows;

	if (!read_side(message, "cols", 20, 500, &columns) ||
	    !read_side(message, "rows", 5, 200, &rows))
		refuse(viewer, "resize", "send 20 to 500 columns and 5 to 200 rows");
	else if (viewer->feed->controller != viewer)
		refuse(viewer, "resize", "whoever is in control says how large it is");
	else
		resize(viewer, columns, rows);
}

/* Unless somebody else has said meanwhile how large it is. */
static void restore_size(struct live_feed *feed)
{
	struct tn_term_session_info info;
	struct tenon_error err;

	tn_term_session_describe(feed->session, NULL, &info);
	if (feed->columns_before && info.columns == feed->columns_theirs &&
	    info.rows == feed->rows_theirs &&
	    tn_term_session_resize(feed->session, feed->columns_before, feed->rows_before, &err) !=
		    TENON_OK)
		feed->columns_theirs = feed->rows_theirs = 0; /* it has ended */
	feed->columns_before = 0;
}

void live_give(struct live_feed *feed)
{
	restore_size(feed);
	tn_term_session_give(feed->session);
}

/* `bytes`: of all binary messages so far, what the viewer has drawn. */
static void take_ack(struct tn_live_viewer *viewer, const struct tn_json *message)
{
	int64_t bytes;

	if (!tn_json_to_int(tn_json_get(message, "bytes"), &bytes) || bytes < 0 ||
	    (uint64_t)bytes > viewer->sent || (uint64_t)bytes < viewer->acked) {
		live_close_viewer(viewer, LIVE_CLOSE_POLICY);
		return;
	}
	viewer->acked = (uint64_t)bytes;
	/* What waits beyond that are words; more would be a viewer that draws what it has not got.
	 */
	if (viewer->is_lagging && viewer->acked == viewer->sent &&
	    viewer->wire.queued(viewer->wire.line) < LIVE_FRAME)
		live_send_snapshot(viewer);
}

static void take_control(struct tn_live_viewer *viewer, const struct tn_json *message)
{
	struct live_feed *feed = viewer->feed;
	struct tn_live_viewer *before = feed->controller;

	(void)message;
	if (!viewer->may_control) {
		refuse(viewer, "take", "this view is for looking only");
		return;
	}
	feed->controller = viewer; /* known before others are told */
	if (!tn_term_session_take(feed->session, LIVE_PERSON)) {
		feed->controller = before;
		refuse(viewer, "take", "somebody else is in control");
		return;
	}
	feed->is_vacant = false;
	tn_timer_stop(feed->timer);
	live_tell_state(feed);
}

static void give_control(struct tn_live_viewer *viewer, const struct tn_json *message)
{
	struct live_feed *feed = viewer->feed;

	(void)message;
	if (feed->controller != viewer) {
		refuse(viewer, "give", "you are not in control");
		return;
	}
	feed->controller = NULL;
	live_give(feed);
	live_tell_state(feed);
}

static const struct {
	const char *kind;
	void (*take)(struct tn_live_viewer *viewer, const struct tn_json *message);
} requests[] = {
	{"input", take_input},  {"ack", take_ack},      {"resize", take_resize},
	{"take", take_control}, {"give", give_control},
};

void live_take_text(struct tn_live_viewer *viewer, struct tn_str text)
{
	struct tn_json *message = NULL;
	struct tn_arena arena;
	struct tn_str kind = TN_STR("");
	size_t i = 0;

	tn_arena_init(&arena, ARENA_BYTES);
	if (tn_json_parse_copy(&arena, text, &message, NULL) != TENON_OK)
		message = NULL;
	(void)tn_json_to_str(tn_json_get(message, "t"), &kind);
	while (i < TN_COUNT(requests) && !tn_str_is(kind, requests[i].kind))
		i++;
	if (i < TN_COUNT(requests))
		requests[i].take(viewer, message);
	else
		live_close_viewer(viewer, LIVE_CLOSE_POLICY);
	tn_arena_finish(&arena);
}
