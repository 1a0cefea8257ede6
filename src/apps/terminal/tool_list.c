/* list_sessions: the sessions there are (terminal.md section 7.3, T-08). */
#include "apps/terminal/to_json.h"
#include "apps/terminal/tool_list.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"project_id\":{\"type\":\"string\",\"minLength\":1,\"maxLength\":128,\"description\":"
	"\"Only those of this project\"},"
	"\"include_closed\":{\"type\":\"boolean\",\"default\":false,\"description\":\"Also those "
	"that have ended and can still be read\"},"
	"\"all_callers\":{\"type\":\"boolean\",\"default\":false,\"description\":\"Those of other "
	"principals, too; for administrators\"}"
	"},\"additionalProperties\":false}";

static const char output_schema[] =
	TN_TERM_OUTPUT_SCHEMA("\"sessions\":{\"type\":\"array\",\"items\":" TN_TERM_SESSION_SCHEMA
			      "},\"active_session_id\":" TN_TERM_TEXT_OR_NULL
			      ",\"limit\":" TN_TERM_COUNT ",\"count\":" TN_TERM_COUNT,
			      "\"sessions\",\"active_session_id\",\"limit\",\"count\"");

struct lists {
	struct tn_buf *full, *base;
	size_t count;
};

static void put_one(const struct tn_term_session_info *info, void *data)
{
	struct lists *lists = data;

	tn_term_put_session(lists->full, info);
	if (lists->base)
		tn_term_put_session_base(lists->base, info);
	lists->count++;
}

void tn_term_put_list(struct tn_buf *out, struct tn_buf *base, struct tn_term_door *door,
		      const struct tn_term_list *request)
{
	struct lists lists = {.full = out, .base = base};
	const char *active = NULL;

	if (base)
		tn_json_begin_array(base);
	tn_json_begin_object(out);
	tn_json_put_key(out, "sessions");
	tn_json_begin_array(out);
	door->backend->list_sessions(door->backend->self, request, put_one, &lists, &active);
	tn_json_end_array(out);
	tn_json_put_member_text(out, "active_session_id", active);
	tn_json_put_member_int(out, "limit", door->config.max_sessions);
	tn_json_put_member_int(out, "count", (int64_t)lists.count);
	tn_json_end_object(out);
	if (base)
		tn_json_end_array(base);
}

static void call_list(struct tenon_call *call, void *data)
{
	struct tn_term_door *door = data;
	struct tn_term_caller caller;
	struct tn_term_list request = {.caller = &caller,
				       .project_id = tenon_call_text(call, "project_id"),
				       .include_closed =
					       tn_term_flag(call, "include_closed", false),
				       .all_callers = tn_term_flag(call, "all_callers", false)};
	struct tn_buf text, structured;

	if (!tn_term_begin(call, door, "{\"include_closed\":false}", &caller))
		return;
	if (request.all_callers && !caller.person) {
		tn_term_fail(call, "not_supported", "Leave all_callers out.", NULL,
			     "all_callers: only a person may see everybody's sessions.");
		return;
	}
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	tn_term_put_list(&structured, &text, door, &request);
	tn_buf_inherit_failure(&structured, &text);
	tn_term_reply(call, tn_buf_str(&text), &structured);
	tn_buf_finish(&text);
}

const struct tenon_tool tn_term_tool_list = {
	.name = "list_sessions",
	.title = "List sessions",
	.description = "Lists the terminal sessions: id, name, current directory, state, running "
		       "command, and which one is yours when you name none.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_READ_ONLY | TENON_IDEMPOTENT | TENON_CLOSED_WORLD,
	.call = call_list,
};
