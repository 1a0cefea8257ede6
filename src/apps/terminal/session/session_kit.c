#include "apps/terminal/session/session_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"

struct tn_term_session *kit_open(uint16_t columns, uint16_t rows)
{
	const struct tn_screen_options options = {
		.columns = columns, .rows = rows, .scrollback_max = 2000};
	struct tn_term_session *s = tn_mem_alloc(sizeof(*s));

	assert_non_null(s);
	assert_int_equal(tn_screen_create(&options, &s->screen, NULL), TENON_OK);
	tn_buf_init(&s->typed, TN_MIB);
	s->info = (struct tn_term_session_info){.id = "ses_kit",
						.name = "kit",
						.cwd = "/srv",
						.program = "bash",
						.title = "",
						.sandbox = "none",
						.owner = "user",
						.shell = "/bin/bash",
						.state = TN_TERM_IDLE,
						.exit_code = TN_TERM_NO_EXIT_CODE,
						.columns = columns,
						.rows = rows};
	return s;
}

void kit_free(struct tn_term_session *s)
{
	assert_null(s->watchers); /* whoever watches has gone */
	tn_screen_destroy(s->screen);
	tn_buf_finish(&s->typed);
	tn_mem_free(s);
}

void kit_output(struct tn_term_session *s, struct tn_str bytes)
{
	uint64_t from = s->offset;

	tn_screen_feed(s->screen, bytes);
	s->offset += bytes.size;
	s->info.total_bytes = s->offset;
	for (struct tn_term_watcher *w = s->watchers; w; w = s->walking) {
		s->walking = w->next;
		w->output(w, bytes, from);
	}
}

void kit_changed(struct tn_term_session *s)
{
	for (struct tn_term_watcher *w = s->watchers; w; w = s->walking) {
		s->walking = w->next;
		w->changed(w);
	}
}

void kit_command(struct tn_term_session *s, const struct tn_term_command_info *info, bool ended)
{
	for (struct tn_term_watcher *w = s->watchers; w; w = s->walking) {
		s->walking = w->next;
		w->command(w, info, ended);
	}
}

void kit_closed(struct tn_term_session *s)
{
	tn_screen_destroy(s->screen);
	s->screen = NULL;
	s->info.state = TN_TERM_CLOSED;
	for (struct tn_term_watcher *w = s->watchers; w; w = s->walking) {
		s->walking = w->next;
		w->closed(w);
	}
}

/* ---- watch.h ---- */

void tn_term_watch(struct tn_term_session *s, struct tn_term_watcher *watcher)
{
	watcher->next = s->watchers;
	s->watchers = watcher;
}

void tn_term_record_ended(struct tn_term_session *s, bool ended)
{
	s->info.recorded = !ended;
}

void tn_term_unwatch(struct tn_term_session *s, struct tn_term_watcher *watcher)
{
	struct tn_term_watcher **at = &s->watchers;

	while (*at != watcher)
		at = &(*at)->next;
	*at = watcher->next;
	if (s->walking == watcher)
		s->walking = watcher->next;
}

const struct tn_screen *tn_term_session_screen(const struct tn_term_session *s)
{
	return s->screen;
}

void tn_term_session_describe(const struct tn_term_session *s, const struct tn_term_caller *caller,
			      struct tn_term_session_info *ret)
{
	(void)caller;
	*ret = s->info;
	ret->controlled_by = s->controller[0] ? s->controller : NULL;
}

enum tenon_code tn_term_session_type(struct tn_term_session *s, struct tn_str bytes,
				     struct tenon_error *err)
{
	if (s->info.state >= TN_TERM_EXITED)
		return tn_fail(err, TENON_EXPIRED, "the session has ended");
	tn_buf_append_str(&s->typed, bytes);
	return TENON_OK;
}

enum tenon_code tn_term_session_resize(struct tn_term_session *s, uint16_t columns, uint16_t rows,
				       struct tenon_error *err)
{
	enum tenon_code code = tn_screen_resize(s->screen, columns, rows, err);

	s->info.columns = columns;
	s->info.rows = rows;
	kit_changed(s);
	return code;
}

bool tn_term_session_take(struct tn_term_session *s, const char *who)
{
	if (s->controller[0] && strcmp(s->controller, who) != 0)
		return false;
	(void)snprintf(s->controller, sizeof(s->controller), "%s", who);
	kit_changed(s);
	return true;
}

void tn_term_session_give(struct tn_term_session *s)
{
	s->controller[0] = '\0';
	s->info.message = NULL;
	s->gives++;
	kit_changed(s);
}
