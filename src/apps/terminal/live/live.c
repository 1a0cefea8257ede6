#include "apps/terminal/live/internal.h"

#include "apps/terminal/limits.h"
#include "base/limits.h"
#include "base/mem.h"

/* ---- bytes to one viewer ---- */

static void send_frames(struct tn_live_viewer *viewer, struct tn_str bytes)
{
	while (bytes.size) {
		struct tn_str frame =
			tn_str(bytes.data, bytes.size < LIVE_FRAME ? bytes.size : LIVE_FRAME);

		viewer->wire.send(viewer->wire.line, frame, true);
		viewer->sent += frame.size;
		bytes = tn_str_from_offset(bytes, frame.size);
	}
}

/* Its window is open: a snapshot does not count, however large it is. */
static bool keeps_up(const struct tn_live_viewer *viewer, size_t more)
{
	uint64_t from = viewer->acked > viewer->snapshot_end ? viewer->acked : viewer->snapshot_end;

	return viewer->sent + more <= from + TN_TERM_VIEWER_LAG_BYTES;
}

static void pass(struct tn_live_viewer *viewer, struct tn_str bytes)
{
	if (!viewer->has_begun || viewer->is_lagging || viewer->is_closing)
		return; /* the next snapshot has it */
	if (keeps_up(viewer, bytes.size)) {
		send_frames(viewer, bytes);
		return;
	}
	viewer->is_lagging = true;
	live_say_lag(viewer, viewer->sent - viewer->acked);
}

/* The picture for a filter that knows nothing yet. What has only begun stays in the filter: for a
 * viewer it comes whole, from the feed's. */
static void filter_snapshot(const struct tn_term_session *session, uint32_t scrollback,
			    struct tn_live_filter *filter, struct tn_buf *out)
{
	const struct tn_screen *screen = session ? tn_term_session_screen(session) : NULL;
	struct tn_buf picture;

	tn_live_filter_init(filter);
	tn_buf_init(&picture, TN_RESULT_BYTES_MAX);
	if (screen)
		tn_screen_put_snapshot(screen, scrollback, &picture);
	tn_live_filter_feed(filter, tn_buf_str(&picture), out);
	tn_buf_inherit_failure(out, &picture);
	tn_buf_finish(&picture);
}

/* Everything that a fresh terminal needs; what the filter still holds comes behind it. */
void live_send_snapshot(struct tn_live_viewer *viewer)
{
	struct tn_live_filter filter;
	struct tn_buf out;

	viewer->is_lagging = false;
	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	filter_snapshot(viewer->feed->session, LIVE_SCROLLBACK, &filter, &out);
	if (!out.failed) {
		live_say_snapshot(viewer, out.size);
		send_frames(viewer, tn_buf_str(&out));
		viewer->snapshot_end = viewer->sent;
	} else {
		live_close_viewer(viewer, LIVE_CLOSE_POLICY); /* no memory: it comes again */
	}
	tn_buf_finish(&out);
}

void live_close_viewer(struct tn_live_viewer *viewer, unsigned code)
{
	if (viewer->is_closing)
		return;
	viewer->is_closing = true;
	viewer->wire.close(viewer->wire.line, code);
}

/* ---- one session ---- */

static void free_feed(struct live_feed *feed)
{
	struct live_feed **at = &feed->live->feeds;

	while (*at != feed)
		at = &(*at)->next;
	*at = feed->next;
	if (feed->session)
		tn_term_unwatch(feed->session, &feed->watcher);
	tn_timer_close(feed->timer);
	tn_buf_finish(&feed->out);
	tn_mem_free(feed);
}

/* Nobody looks, and nobody is expected back. */
static void drop_if_spent(struct live_feed *feed)
{
	if (feed->viewers || (feed->is_vacant && feed->session))
		return;
	free_feed(feed);
}

static void on_output(struct tn_term_watcher *watcher, struct tn_str bytes, uint64_t from)
{
	struct live_feed *feed = watcher->data;

	while (bytes.size) {
		struct tn_str slice =
			tn_str(bytes.data, bytes.size < LIVE_SLICE ? bytes.size : LIVE_SLICE);

		tn_buf_clear(&feed->out);
		tn_live_filter_feed(&feed->filter, slice, &feed->out);
		for (struct tn_live_viewer *v = feed->viewers; v && feed->out.size; v = v->next)
			pass(v, tn_buf_str(&feed->out));
		bytes = tn_str_from_offset(bytes, slice.size);
		from += slice.size;
	}
	feed->offset = from;
	tn_buf_shrink(&feed->out, 0);
}

static void on_changed(struct tn_term_watcher *watcher)
{
	struct live_feed *feed = watcher->data;

	live_tell_shape(feed);
	live_tell_state(feed);
	for (struct tn_live_viewer *v = feed->viewers; v; v = v->next)
		live_say_exit(v);
}

static void on_command(struct tn_term_watcher *watcher, const struct tn_term_command_info *info,
		       bool ended)
{
	struct live_feed *feed = watcher->data;

	live_tell_command(feed, info, ended);
}

static void on_closed(struct tn_term_watcher *watcher)
{
	struct live_feed *feed = watcher->data;

	for (struct tn_live_viewer *v = feed->viewers; v; v = v->next) {
		live_say_exit(v);
		live_close_viewer(v, LIVE_CLOSE_NORMAL);
	}
	tn_term_unwatch(feed->session, watcher);
	feed->session = NULL;
	feed->controller = NULL;
	feed->is_vacant = false;
	drop_if_spent(feed);
}

/* Who was in control has not come back. */
static void on_vacant(struct tn_timer *timer, void *data)
{
	struct live_feed *feed = data;
	struct tn_term_session_info info;

	(void)timer;
	if (!feed->is_vacant)
		return;
	feed->is_vacant = false;
	if (feed->session) {
		tn_term_session_describe(feed->session, NULL, &info);
		/* What was handed over goes back by a person's own act only (7.14). */
		if (!info.message)
			live_give(feed);
	}
	drop_if_spent(feed);
}

static struct live_feed *create_feed(struct tn_live *live, struct tn_term_session *session,
				     const char *id)
{
	struct live_feed *feed = tn_mem_alloc(sizeof(*feed));
	struct tn_term_session_info info;

	if (!feed)
		return NULL;
	if (tn_timer_open(live->options.loop, on_vacant, feed, &feed->timer, NULL) != TENON_OK) {
		tn_mem_free(feed);
		return NULL;
	}
	feed->live = live;
	feed->session = session;
	memcpy(feed->id, id, strlen(id) + 1);
	tn_buf_init(&feed->out, TN_LIVE_FILTER_GROWTH * (size_t)LIVE_SLICE + TN_LIVE_FILTER_HELD);
	/* From now on it knows what of a sequence has been already. */
	filter_snapshot(session, 0, &feed->filter, &feed->out);
	feed->watcher = (struct tn_term_watcher){.output = on_output,
						 .changed = on_changed,
						 .command = on_command,
						 .closed = on_closed,
						 .data = feed};
	feed->next = live->feeds;
	live->feeds = feed;
	tn_term_watch(session, &feed->watcher);
	live_tell_shape(feed); /* nobody yet: it is only noted */
	tn_term_session_describe(session, NULL, &info);
	feed->offset = info.total_bytes;
	return feed;
}

static struct live_feed *find_feed(struct tn_live *live, const struct ticket *ticket)
{
	struct live_feed *feed = live->feeds;
	struct tn_term_session *session;

	while (feed && (!feed->session || strcmp(feed->id, ticket->session_id) != 0))
		feed = feed->next;
	if (feed)
		return feed;
	session = live->options.find(ticket->session_id, ticket->principal, live->options.data);
	return session ? create_feed(live, session, ticket->session_id) : NULL;
}

/* ---- viewers ---- */

struct tn_live_viewer *tn_live_enter(struct tn_live *live, struct tn_str session_id,
				     struct tn_str ticket, const struct tn_live_wire *wire)
{
	struct tn_live_viewer *viewer;
	struct live_feed *feed;
	struct ticket used;

	if (!live_ticket_use(live, session_id, ticket, &used))
		return NULL;
	feed = find_feed(live, &used);
	if (!feed)
		return NULL;
	viewer = feed->viewer_count < TN_TERM_VIEWERS_MAX ? tn_mem_alloc(sizeof(*viewer)) : NULL;
	if (!viewer) {
		drop_if_spent(feed);
		return NULL;
	}
	viewer->feed = feed;
	viewer->wire = *wire;
	viewer->may_control = used.control;
	tn_buf_init(&viewer->said, LIVE_SAID_MAX);
	viewer->next = feed->viewers;
	feed->viewers = viewer;
	feed->viewer_count++;
	return viewer;
}

void tn_live_begin(struct tn_live_viewer *viewer)
{
	struct live_feed *feed = viewer->feed;

	viewer->has_begun = true;
	live_send_snapshot(viewer);
	live_tell_state(feed); /* the others see that there is one more */
	live_say_exit(viewer);
}

void tn_live_received(struct tn_live_viewer *viewer, struct tn_str bytes, bool binary)
{
	if (viewer->is_closing || !viewer->feed->session)
		return;
	if (binary)
		live_type(viewer, bytes);
	else
		live_take_text(viewer, bytes);
}

void tn_live_leave(struct tn_live_viewer *viewer)
{
	struct live_feed *feed = viewer->feed;
	struct tn_live_viewer **at = &feed->viewers;

	while (*at != viewer)
		at = &(*at)->next;
	*at = viewer->next;
	feed->viewer_count--;
	if (feed->controller == viewer) {
		feed->controller = NULL;
		feed->is_vacant = true;
		tn_timer_start(feed->timer, feed->live->options.return_ms);
	}
	tn_buf_finish(&viewer->said);
	tn_mem_free(viewer);
	if (feed->session)
		live_tell_state(feed);
	drop_if_spent(feed);
}

/* ---- life ---- */

enum tenon_code tn_live_open(const struct tn_live_options *options, struct tn_live **ret,
			     struct tenon_error *err)
{
	struct tn_live *live = tn_mem_alloc(sizeof(*live));

	if (!live)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	live->options = *options;
	if (!live->options.return_ms)
		live->options.return_ms = LIVE_RETURN_MS;
	*ret = live;
	return TENON_OK;
}

void tn_live_close(struct tn_live *live)
{
	if (!live)
		return;
	while (live->feeds) {
		struct live_feed *feed = live->feeds;

		while (feed->viewers) {
			struct tn_live_viewer *viewer = feed->viewers;

			feed->viewers = viewer->next;
			live_close_viewer(viewer, LIVE_CLOSE_NORMAL);
			tn_buf_finish(&viewer->said);
			tn_mem_free(viewer);
		}
		free_feed(feed);
	}
	explicit_bzero(live->tickets, sizeof(live->tickets));
	tn_mem_free(live);
}
