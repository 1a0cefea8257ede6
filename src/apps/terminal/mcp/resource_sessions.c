/* terminal://sessions and what stands below a session (terminal.md section 8). */
#include <string.h>

#include "apps/terminal/mcp/resource.h"
#include "apps/terminal/mcp/to_json.h"
#include "apps/terminal/mcp/tool_list.h"
#include "base/limits.h"

static const char json_type[] = "application/json", text_type[] = "text/plain";

static void reply(struct tenon_call *call, const char *mime_type, struct tn_buf *text)
{
	if (text->failed) {
		tenon_call_fail(call, "Out of memory, or the resource is too large.");
	} else {
		tenon_call_set_cache(call, 0, false);
		tenon_call_add_resource_text(call, NULL, mime_type, text->data ? text->data : "",
					     text->size);
		tenon_call_finish(call);
	}
	tn_buf_finish(text);
}

/* ---- the list ---- */

static void read_sessions(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	struct tn_term_caller caller;
	struct tn_term_list request = {.caller = &caller, .include_closed = true};
	struct tn_buf out;

	tn_term_caller_of(call, &caller);
	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	if (door->backend) {
		tn_term_put_list(call, &out, NULL, NULL, door, &request);
	} else {
		tn_json_begin_object(&out);
		tn_json_put_key(&out, "sessions");
		tn_json_begin_array(&out);
		tn_json_end_array(&out);
		tn_json_put_member_null(&out, "active_session_id");
		tn_json_put_member_int(&out, "limit", 0);
		tn_json_put_member_int(&out, "count", 0);
		tn_json_end_object(&out);
	}
	reply(call, json_type, &out);
}

const struct tenon_resource tn_term_resource_sessions = {
	.uri = "terminal://sessions",
	.name = "sessions",
	.title = "Terminal sessions",
	.description = "Every session and what it does now, as list_sessions returns them; those "
		       "that have ended and can still be read are among them.",
	.mime_type = "application/json",
	.size_bytes = -1,
	.read = read_sessions,
};

/* ---- one ---- */

struct tn_term_session *tn_term_session_by_uri(struct tenon_call *call, struct tn_term_door *door,
					       struct tn_term_caller *caller)
{
	struct tn_term_session *s = NULL;
	struct tn_term_fault fault = {0};
	const char *id = tn_term_id_of(call);

	tn_term_caller_of(call, caller);
	if (door->backend && door->backend->find && id)
		s = door->backend->find(door->backend->self, caller, id, &fault);
	if (!s)
		tenon_call_not_found(call);
	return s;
}

static void read_session(struct tenon_call *call, void *data)
{
	struct tn_term_session_info info;
	struct tn_term_caller caller;
	struct tn_term_session *s = tn_term_session_by_uri(call, data, &caller);
	struct tn_buf out;

	if (!s)
		return;
	tn_term_session_describe(s, &caller, &info);
	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	tn_term_put_session(&out, &info);
	/* The message of a hand-over is for people; it stands where they look. */
	if (!out.failed && tn_term_session_message(s)) {
		out.size--; /* the closing brace */
		tn_json_put_member_text(&out, "message", tn_term_session_message(s));
		tn_json_end_object(&out);
	}
	reply(call, json_type, &out);
}

void tn_term_read_session(struct tenon_call *call, void *data)
{
	read_session(call, data);
}

static void read_screen_as(struct tenon_call *call, struct tn_term_door *door, bool ansi)
{
	struct tn_term_caller caller;
	struct tn_term_session *s = tn_term_session_by_uri(call, door, &caller);
	unsigned redactions;
	struct tn_buf out;

	if (!s)
		return;
	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	if (tn_term_session_screen(s))
		tn_term_put_screen_text(&out, tn_term_session_screen(s), ansi);
	tn_term_clean(door->term, &out, &redactions);
	reply(call, text_type, &out);
}

static void read_screen(struct tenon_call *call, void *data)
{
	read_screen_as(call, data, false);
}

static void read_screen_ansi(struct tenon_call *call, void *data)
{
	read_screen_as(call, data, true);
}

static void read_output(struct tenon_call *call, void *data)
{
	static const struct tn_term_shaping shaping = {.bytes_max = 64 * TN_KIB};
	struct tn_term_caller caller;
	struct tn_term_session *s = tn_term_session_by_uri(call, data, &caller);
	struct tn_output output = {0};
	struct tenon_error err;
	unsigned redactions;

	if (!s)
		return;
	if (tn_term_session_output(s, UINT64_MAX, UINT64_MAX, &shaping, false, &output, &redactions,
				   &err) != TENON_OK)
		tenon_call_fail(call, "The output cannot be read: %s.", err.message);
	else
		reply(call, text_type, &output.text);
}

static void put_one(const struct tn_term_command_info *info, void *data)
{
	tn_term_put_command(data, info);
}

static void read_commands(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	struct tn_term_caller caller;
	struct tn_term_session *s = tn_term_session_by_uri(call, door, &caller);
	unsigned redactions;
	struct tn_buf out;

	if (!s)
		return;
	tn_buf_init(&out, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(&out);
	tn_json_put_key(&out, "commands");
	tn_json_begin_array(&out);
	tn_term_commands_each(door->term, &caller, s, put_one, &out);
	tn_json_end_array(&out);
	tn_json_end_object(&out);
	tn_term_clean(door->term, &out, &redactions);
	reply(call, json_type, &out);
}

static void complete(struct tenon_call *call, void *data)
{
	tn_term_complete_session(call, data);
}

#define TEMPLATE(symbol, path, title_text, words, type, handler)                               \
	const struct tenon_resource_template symbol = {.uri_template =                         \
							       "terminal://session/{id}" path, \
						       .name = "session" path,                 \
						       .title = title_text,                    \
						       .description = words,                   \
						       .mime_type = type,                      \
						       .read = handler,                        \
						       .complete = complete}

TEMPLATE(tn_term_resource_session, "", "A session", "What a session is and does now.",
	 "application/json", read_session);
TEMPLATE(tn_term_resource_screen, "/screen", "Its screen", "The visible screen as text.",
	 "text/plain", read_screen);
TEMPLATE(tn_term_resource_screen_ansi, "/screen.ansi", "Its screen in colour",
	 "The visible screen with colours (SGR).", "text/plain", read_screen_ansi);
TEMPLATE(tn_term_resource_output, "/output", "Its output", "The last 64 KiB, plain.", "text/plain",
	 read_output);
TEMPLATE(tn_term_resource_commands, "/commands", "Its commands",
	 "What was run in it, oldest first, with exit codes and durations.", "application/json",
	 read_commands);
