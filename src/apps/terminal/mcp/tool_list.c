/* list_sessions: the sessions there are (terminal.md section 7.3, T-08). */
#include "apps/terminal/mcp/to_json.h"
#include "apps/terminal/mcp/tools.h"
#include "apps/terminal/mcp/tool_list.h"
#include "base/limits.h"
#include "mcp/fit.h"

struct lists {
	const struct tenon_call *call;
	struct tn_buf *full, *base, *busy;
	size_t count, idle;
};

static bool is_unusual(const struct tn_term_session_info *info)
{
	return info->state != TN_TERM_IDLE || info->controlled_by || info->stuck ||
	       info->alternate_screen || info->waiting.for_input || info->recorded;
}

static void put_word(struct tn_buf *out, const char *before, const char *text)
{
	if (text && text[0])
		tn_buf_format(out, "%s%s", before, text);
}

/* What the five base fields do not say. */
static void put_state(struct tn_buf *out, const struct tn_term_session_info *info)
{
	tn_buf_format(out, "%s: %s", info->id, tn_term_state_name(info->state));
	put_word(out, " ", info->running_command_id);
	put_word(out, ", program ", info->program);
	put_word(out, ", title ", info->title);
	put_word(out, ", controlled by ", info->controlled_by);
	if (info->exit_code != TN_TERM_NO_EXIT_CODE)
		tn_buf_format(out, ", exit %d", info->exit_code);
	put_word(out, ", signal ", info->signal);
	if (info->waiting.for_input)
		tn_buf_append_text(out, info->waiting.hidden_input ? ", reads hidden input"
								   : ", reads the terminal");
	if (info->alternate_screen)
		tn_buf_append_text(out, ", full screen");
	if (info->stuck)
		tn_buf_append_text(out, ", stuck");
	if (info->recorded)
		tn_buf_append_text(out, ", recorded");
	tn_buf_append_byte(out, '\n');
}

static void put_one(const struct tn_term_session_info *info, void *data)
{
	struct lists *lists = data;

	tn_term_put_session_for(lists->call, lists->full, info);
	if (lists->base)
		tn_term_put_session_base(lists->base, info);
	if (lists->busy && is_unusual(info))
		put_state(lists->busy, info);
	else if (tn_call_is_for_model(lists->call))
		lists->idle++;
	lists->count++;
}

void tn_term_put_list(const struct tenon_call *call, struct tn_buf *out, struct tn_buf *base,
		      struct tn_buf *busy, struct tn_term_door *door,
		      const struct tn_term_list *request)
{
	struct lists lists = {.call = call, .full = out, .base = base, .busy = busy};
	const char *active = NULL;

	if (base)
		tn_json_begin_array(base);
	tn_json_begin_object(out);
	tn_json_put_key(out, "sessions");
	tn_json_begin_array(out);
	door->backend->list_sessions(door->backend->self, request, put_one, &lists, &active);
	tn_json_end_array(out);
	tn_json_put_member_text(out, "active_session_id", active);
	tn_json_put_member_int(out, "limit",
			       tn_settings_u32(&door->config.settings, "terminal.max_sessions"));
	tn_json_put_member_int(out, "count", (int64_t)lists.count);
	tn_json_end_object(out);
	if (base)
		tn_json_end_array(base);
	if (busy && !lists.idle && busy->size > 0 && !busy->failed)
		busy->size--; /* the line feed */
	if (busy && lists.idle)
		tn_buf_append_text(busy,
				   lists.idle == lists.count ? "all idle" : "the others: idle");
}

void tn_term_call_list(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	struct tn_term_caller caller;
	struct tn_term_list request = {.caller = &caller,
				       .project_id = tenon_call_text(call, "project_id"),
				       .include_closed =
					       tn_term_flag(call, "include_closed", false),
				       .all_callers = tn_term_flag(call, "all_callers", false)};
	struct tn_buf text, busy, structured;

	if (!tn_term_begin(call, door, "{\"include_closed\":false}", &caller))
		return;
	if (request.all_callers && !caller.person) {
		tn_term_fail(call, "not_supported", "Leave all_callers out.", NULL,
			     "all_callers: only a person may see everybody's sessions.");
		return;
	}
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_call_begin_structured(call, &structured);
	tn_buf_init(&busy, TN_RESULT_BYTES_MAX);
	tn_term_put_list(call, &structured, &text, &busy, door, &request);
	tn_buf_inherit_failure(&structured, &text);
	tn_buf_inherit_failure(&structured, &busy);
	tn_term_reply_with(call, tn_buf_str(&text), tn_buf_str(&busy), &structured);
	tn_buf_finish(&busy);
	tn_buf_finish(&text);
}
