/* get_screen: what a terminal shows now, rendered (terminal.md section 7.9). */
#include <stdio.h>
#include <string.h>

#include "apps/terminal/mcp/to_json.h"
#include "apps/terminal/mcp/tool_state.h"
#include "apps/terminal/mcp/tools.h"
#include "base/limits.h"
#include "mcp/fit.h"

enum { LOOK_SIZE = 160 };

static enum tn_term_screen_format read_format(const struct tenon_call *call)
{
	const char *format = tenon_call_text(call, "format");

	if (format && strcmp(format, "ansi") == 0)
		return TN_TERM_SCREEN_ANSI;
	if (format && strcmp(format, "cells") == 0)
		return TN_TERM_SCREEN_CELLS;
	return TN_TERM_SCREEN_TEXT;
}

/* What the screen itself does not show. */
static const char *look_of(const struct tn_screen *screen, char out[LOOK_SIZE])
{
	struct tn_screen_look look;

	tn_screen_look(screen, &look);
	(void)snprintf(out, LOOK_SIZE,
		       "[%u columns, %u rows, cursor in row %u, column %u%s%s, revision %llu]",
		       look.columns, look.rows, look.cursor_row, look.cursor_column,
		       look.cursor_visible ? "" : " (hidden)",
		       look.alternate ? ", full screen" : "", (unsigned long long)look.revision);
	return out;
}

void tn_term_call_screen(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	enum tn_term_screen_format format = read_format(call);
	const struct tn_screen *screen;
	struct tn_term_session *s;
	struct tn_term_caller caller;
	struct tn_buf text, structured;
	char note[LOOK_SIZE];
	unsigned redactions;

	if (!tn_term_begin(call, door, "{\"format\":\"text\"}", &caller))
		return;
	s = tn_term_session_of(call, door, &caller, false);
	if (!s)
		return;
	screen = tn_term_session_screen(s);
	if (!screen) {
		tn_term_fail(call, "session_closed",
			     "get_terminal_output reads what it has printed.", NULL,
			     "Session %s has no screen any more.", tn_term_session_id(s));
		return;
	}
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	tn_term_put_screen_text(&text, screen, format == TN_TERM_SCREEN_ANSI);
	if (tn_call_sends_structured(call))
		tn_term_put_screen(&structured, screen, format,
				   (uint32_t)tn_term_int(call, "scrollback", 0),
				   tn_term_flag(call, "trim", true));
	/* Escapes of JSON do not change what a secret looks like. */
	tn_term_clean(door->term, &text, &redactions);
	tn_term_clean(door->term, &structured, &redactions);
	tn_buf_inherit_failure(&structured, &text);
	tn_term_reply_with(call, tn_buf_str(&text),
			   tn_call_is_for_model(call) ? tn_str_from(look_of(screen, note))
						      : tn_str(NULL, 0),
			   &structured);
	tn_buf_finish(&text);
}
