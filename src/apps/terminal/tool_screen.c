/* get_screen: what a terminal shows now, rendered (terminal.md section 7.9). */
#include <string.h>

#include "apps/terminal/to_json.h"
#include "apps/terminal/tool_state.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{" TN_TERM_SESSION_ARGUMENT ","
	"\"format\":{\"enum\":[\"text\",\"ansi\",\"cells\"],\"default\":\"text\",\"description\":"
	"\"text; ansi: with colours; cells: text and runs of styles\"},"
	"\"scrollback\":{\"type\":\"integer\",\"minimum\":0,\"maximum\":1000,\"default\":0,"
	"\"description\":\"Lines above the screen\"},"
	"\"trim\":{\"type\":\"boolean\",\"default\":true,\"description\":\"Without blanks at the "
	"ends of lines\"}},\"additionalProperties\":false}";

static const char output_schema[] = TN_TERM_OUTPUT_SCHEMA(
	"\"cols\":" TN_TERM_COUNT ",\"rows\":" TN_TERM_COUNT
	",\"cursor\":{\"type\":\"object\",\"properties\":{\"row\":" TN_TERM_COUNT
	",\"col\":" TN_TERM_COUNT ",\"visible\":" TN_TERM_SWITCH ",\"shape\":" TN_TERM_TEXT
	"},\"required\":[\"row\",\"col\",\"visible\",\"shape\"]},\"title\":" TN_TERM_TEXT
	",\"alternate_screen\":" TN_TERM_SWITCH ",\"mouse\":" TN_TERM_TEXT
	",\"lines\":{\"type\":\"array\",\"items\":" TN_TERM_TEXT
	"},\"scrollback\":{\"type\":\"array\",\"items\":" TN_TERM_TEXT
	"},\"styles\":{\"type\":\"array\",\"items\":{\"type\":\"object\"}}"
	",\"revision\":" TN_TERM_COUNT,
	"\"cols\",\"rows\",\"cursor\",\"title\",\"alternate_screen\",\"mouse\",\"lines\","
	"\"scrollback\",\"revision\"");

static enum tn_term_screen_format read_format(const struct tenon_call *call)
{
	const char *format = tenon_call_text(call, "format");

	if (format && strcmp(format, "ansi") == 0)
		return TN_TERM_SCREEN_ANSI;
	if (format && strcmp(format, "cells") == 0)
		return TN_TERM_SCREEN_CELLS;
	return TN_TERM_SCREEN_TEXT;
}

static void call_screen(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	enum tn_term_screen_format format = read_format(call);
	const struct tn_screen *screen;
	struct tn_term_session *s;
	struct tn_term_caller caller;
	struct tn_buf text, structured;
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
	tn_term_put_screen(&structured, screen, format,
			   (uint32_t)tn_term_int(call, "scrollback", 0),
			   tn_term_flag(call, "trim", true));
	/* Escapes of JSON do not change what a secret looks like. */
	tn_term_clean(door->term, &text, &redactions);
	tn_term_clean(door->term, &structured, &redactions);
	tn_buf_inherit_failure(&structured, &text);
	tn_term_reply(call, tn_buf_str(&text), &structured);
	tn_buf_finish(&text);
}

const struct tenon_tool tn_term_tool_screen = {
	.name = "get_screen",
	.title = "Look at the screen",
	.description = "The screen of a session as a person would see it now: for full-screen "
		       "programs (vim, top, menus). Rows and columns count from 0; revision grows "
		       "with each change.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_READ_ONLY | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_screen,
};
