#include "apps/plan/mcp/tool_task.h"

#include <stdio.h>
#include <unistd.h>

#include "apps/plan/limits.h"
#include "apps/plan/service/allowed_path.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/size.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/caller_folder.h"
#include "mcp/fit.h"

enum { INVALID_PARAMS = -32602, INTERNAL_ERROR = -32603, REPORT_EVERY_MS = 100 };
static const size_t report_above_bytes = 4 * TN_MIB;

/* ---- endings ---- */

static const struct {
	const char *code, *hint;
} hints[] = {
	{"not_a_plan", "Send what `terraform plan` or `tofu plan` printed, or the output of "
		       "`terraform show -no-color FILE` or `terraform show -json FILE`."},
	{"binary_plan", "This is a saved plan file; render it with `show -no-color FILE`."},
	{"input_too_large", "At most 16 MiB and 100,000 resources; send one project at a time."},
	{"unsupported_format", "Render the plan with `show -no-color FILE` and send that text."},
	{"unknown_plan", "Send the plan again as plan_text; the result names its plan_id."},
	{"expired_plan", "Handles end after a day without use; send the plan again as plan_text."},
	{"unknown_conversation", "Leave conversation_id out to begin a new conversation."},
	{"unknown_address", "terraform_parse lists the addresses of this plan."},
	{"path_not_allowed", "Send the plan as plan_text instead."},
	{"no_such_file", "Check the name, or send the plan as plan_text."},
	{"source_unavailable", "Use source builtin, which needs nothing."},
	{"bad_api_key", "The operator sets OPENAI_API_KEY; source builtin needs no key."},
	{"quota", "Try again later, or use source builtin."},
	{"timeout", "Try again, or use source builtin."},
};

static const char *hint_of(const char *code)
{
	for (size_t i = 0; i < TN_COUNT(hints); i++) {
		if (strcmp(hints[i].code, code) == 0)
			return hints[i].hint;
	}
	return NULL;
}

static void fail_tool(struct tenon_call *call, const char *code, const char *message,
		      const char *hint)
{
	struct tn_buf text, structured;

	tn_buf_init(&text, 16 * TN_KIB);
	tn_call_begin_structured(call, &structured);
	tn_buf_format(&text, "%s: %s.%s%s", code, message, hint ? " " : "", hint ? hint : "");
	tn_json_begin_object(&structured);
	tn_json_put_key(&structured, "error");
	tn_json_begin_object(&structured);
	tn_json_put_member_text(&structured, "code", code);
	tn_json_put_member_text(&structured, "message", message);
	tn_json_put_member_text(&structured, "hint", hint);
	tn_json_end_object(&structured);
	tn_json_end_object(&structured);
	if (text.failed || tn_buf_is_bad(&structured)) {
		tenon_call_refuse(call, INTERNAL_ERROR, "out of memory", NULL);
	} else {
		tenon_call_set_error(call);
		tenon_call_add_text(call, text.data, text.size);
		tn_call_put_structured(call, &structured);
		tenon_call_finish(call);
	}
	tn_buf_finish(&text);
	tn_buf_finish(&structured);
}

void tn_plan_task_fail(struct tn_plan_task *task, const char *code, const char *message,
		       const char *hint)
{
	if (task->kind == TN_PLAN_TASK_TOOL)
		fail_tool(task->call, code, message, hint ? hint : hint_of(code));
	else if (task->kind == TN_PLAN_TASK_PROMPT)
		tenon_call_refuse(task->call, INVALID_PARAMS, message, NULL);
	else
		tenon_call_not_found(task->call);
}

void tn_plan_task_refuse(struct tn_plan_task *task, const char *message)
{
	tenon_call_refuse(task->call, INVALID_PARAMS, message, NULL);
}

void tn_plan_task_add_handles(struct tn_plan_task *task)
{
	char line[4 * TN_HANDLE_SIZE];

	if (!task->handle)
		return;
	(void)snprintf(line, sizeof(line), "plan_id %s%s%s%s%s", task->handle->id,
		       task->other ? ", other_plan_id " : "", task->other ? task->other->id : "",
		       task->conversation ? ", conversation_id " : "",
		       task->conversation ? task->conversation->id : "");
	tenon_call_add_text(task->call, line, strlen(line));
	tenon_call_annotate(task->call, "assistant", -1);
}

void tn_plan_task_reply(struct tn_plan_task *task, struct tn_buf *text, struct tn_buf *structured)
{
	tn_plan_task_reply_with(task, text, NULL, structured);
}

void tn_plan_task_reply_with(struct tn_plan_task *task, struct tn_buf *text, struct tn_buf *more,
			     struct tn_buf *structured)
{
	const struct tn_buf *shown = text ? text : structured;

	if (tn_buf_is_bad(shown) || tn_buf_is_bad(structured) || (more && more->failed)) {
		tenon_call_refuse(task->call, INTERNAL_ERROR, "The result is too large.", NULL);
	} else {
		tenon_call_add_text(task->call, shown->data, shown->size);
		if (more && more->size) {
			tenon_call_add_text(task->call, more->data, more->size);
			tenon_call_annotate(task->call, "assistant", -1);
		}
		if (text)
			tn_plan_task_add_handles(task);
		tn_call_put_structured(task->call, structured);
		tenon_call_finish(task->call);
	}
	if (text)
		tn_buf_finish(text);
	if (more)
		tn_buf_finish(more);
	tn_buf_finish(structured);
}

/* ---- working ---- */

static void cancelled(struct tenon_call *call, void *data)
{
	struct tn_plan_task *task = data;

	(void)call;
	atomic_store(&task->cancel, true);
}

static void report(struct tenon_call *call, void *data)
{
	struct tn_plan_task *task = data;
	size_t total = atomic_load(&task->reading.total_bytes);

	if (!task->working)
		return;
	if (task->steps)
		tenon_call_progress(call, atomic_load(&task->finished), task->steps, NULL);
	else if (total > report_above_bytes)
		tenon_call_progress(call, (double)atomic_load(&task->reading.progress_bytes),
				    (double)total, "reading the plan");
	tenon_call_after(call, REPORT_EVERY_MS, report, task);
}

static void work(const struct tenon_call *call, void *data)
{
	struct tn_plan_task *task = data;

	(void)call;
	task->work(task);
}

static void work_done(struct tenon_call *call, void *data)
{
	struct tn_plan_task *task = data;
	size_t total = atomic_load(&task->reading.total_bytes);

	task->working = false;
	if (task->steps)
		tenon_call_progress(call, task->steps, task->steps, NULL);
	else if (total > report_above_bytes)
		tenon_call_progress(call, (double)total, (double)total, "reading the plan");
	atomic_store(&task->reading.total_bytes, 0);
	if (tenon_call_cancelled(call))
		tn_plan_task_fail(task, "cancelled", "the call was cancelled", NULL);
	else
		task->done(task);
}

void tn_plan_task_work(struct tn_plan_task *task, tn_plan_task_fn *worker, tn_plan_task_fn *done)
{
	task->work = worker;
	task->done = done;
	task->working = true;
	tenon_call_on_cancel(task->call, cancelled, task);
	if (task->steps || task->reading.path || task->reading.text.size > report_above_bytes)
		tenon_call_after(task->call, REPORT_EVERY_MS, report, task);
	tenon_call_work(task->call, work, work_done, task);
}

/* ---- reading ---- */

static void parse(struct tn_plan_reading *reading, struct tn_str text, size_t bytes_max)
{
	const struct tn_plan_options options = {.bytes_max = bytes_max,
						.cancel = reading->cancel,
						.progress_bytes = &reading->progress_bytes};
	const char *reason = NULL;

	atomic_store(&reading->total_bytes, text.size);
	if (tn_plan_parse(text.data ? text.data : "", text.size, &options, &reading->plan, &reason,
			  &reading->err) != TENON_OK)
		reading->reason = reason ? reason : "internal";
}

static void read_path(struct tn_plan_reading *reading)
{
	struct tn_buf text;
	enum tenon_code code;
	int fd = -1;

	if (tn_plan_open_path(reading->roots, reading->path, &fd, &reading->reason,
			      &reading->err) != TENON_OK)
		return;
	tn_buf_init(&text, TN_PLAN_CLI_BYTES_MAX);
	code = tn_buf_read_all(&text, fd, &reading->err);
	(void)close(fd); /* only read from */
	if (code == TENON_OK)
		parse(reading, tn_buf_str(&text), TN_PLAN_CLI_BYTES_MAX);
	else
		reading->reason = code == TENON_LIMIT ? "input_too_large" : "no_such_file";
	tn_buf_finish(&text);
}

/* Section 16: a handle survives a restart when the operator lets plans be kept. */
static void read_kept(struct tn_plan_reading *reading)
{
	struct tn_buf text;
	enum tenon_code code;

	tn_buf_init(&text, TN_PLAN_CLI_BYTES_MAX);
	code = tn_plan_history_raw(reading->history, reading->kept_id, reading->principal, &text,
				   &reading->err);
	if (code == TENON_OK) {
		parse(reading, tn_buf_str(&text), TN_PLAN_CLI_BYTES_MAX);
	} else {
		reading->reason = code == TENON_EXPIRED ? "expired_plan" : "unknown_plan";
		(void)tn_fail(&reading->err, code, "this plan_id is not known");
	}
	tn_buf_finish(&text);
}

static void read_in_worker(struct tn_plan_task *task)
{
	struct tn_plan_reading *reading = &task->reading;

	if (reading->kept_id)
		read_kept(reading);
	else if (reading->path)
		read_path(reading);
	else
		parse(reading, reading->text, TN_PLAN_ARG_BYTES_MAX);
}

static void read_done(struct tn_plan_task *task)
{
	struct tn_plan_reading *reading = &task->reading;
	struct tn_plan *plan = reading->plan;
	const struct tn_plan_opener opener = {.id = reading->kept_id,
					      .principal = tenon_call_principal(task->call),
					      .client = tenon_call_client_name(task->call)};

	reading->plan = NULL; /* kept or freed below, in either case not ours any more */
	if (reading->reason) {
		if (strcmp(reading->reason, "internal") == 0)
			tenon_call_refuse(task->call, INTERNAL_ERROR, reading->err.message, NULL);
		else
			tn_plan_task_fail(task, reading->reason, reading->err.message, NULL);
		return;
	}
	if (tn_plan_state_keep(task->state, &opener, plan, task->reading_into, &reading->err) !=
	    TENON_OK) {
		tenon_call_refuse(task->call, INTERNAL_ERROR, reading->err.message, NULL);
		return;
	}
	if (!task->plan)
		task->plan = task->handle->value;
	task->ready(task);
}

/* Small plans take microseconds: a thread would cost more than it saves. */
static void read_plan(struct tn_plan_task *task)
{
	struct tn_plan_reading *reading = &task->reading;

	if (reading->path || reading->kept_id || reading->text.size > TN_PLAN_INLINE_BYTES_MAX) {
		tn_plan_task_work(task, read_in_worker, read_done);
	} else {
		read_in_worker(task);
		read_done(task);
	}
}

/* ---- which plan ---- */

static void use_handle(struct tn_plan_task *task, struct tn_handle *handle)
{
	tn_handle_ref(handle);
	*task->reading_into = handle;
	if (!task->plan)
		task->plan = handle->value;
	task->ready(task);
}

static void find_plan(struct tn_plan_task *task, const char *id)
{
	struct tn_handle *handle = NULL;
	struct tenon_error err = {0};

	switch (tn_handles_find(&task->state->plans, id, tenon_call_principal(task->call), &handle,
				&err)) {
	case TENON_OK:
		use_handle(task, handle);
		return;
	case TENON_EXPIRED:
		tn_plan_task_fail(task, "expired_plan", err.message, NULL);
		return;
	default:
		break;
	}
	if (!task->state->config.store_raw || strlen(id) >= TN_HANDLE_SIZE) {
		tn_plan_task_fail(task, "unknown_plan", "this plan_id is not known", NULL);
		return;
	}
	task->reading.kept_id = tn_arena_copy(&task->arena, tn_str_from(id));
	read_plan(task);
}

static void read_text(struct tn_plan_task *task, struct tn_str text)
{
	if (text.size > TN_PLAN_ARG_BYTES_MAX) {
		tn_plan_task_fail(task, "input_too_large", "the plan is larger than 16 MiB", NULL);
		return;
	}
	task->reading.text = text;
	read_plan(task);
}

static void read_named_file(struct tn_plan_task *task, const char *path)
{
	const struct tn_plan_config *config = &task->state->config;

	if (task->call->foreign && !config->paths_over_http) {
		tn_plan_task_fail(
			task, "path_not_allowed",
			"plan_path is not for clients that come by HTTP or as another user", NULL);
		return;
	}
	task->reading.path = tn_call_path(task->call, &task->state->roots, path);
	if (!task->reading.path) {
		tn_plan_task_fail(task, "no_such_file", "out of memory", NULL);
		return;
	}
	task->reading.roots = &task->state->roots;
	read_plan(task);
}

/* The bytes of a string argument, or the JSON text of an object. */
static struct tn_str text_argument(struct tenon_call *call, const char *name)
{
	struct tn_str text = {NULL, 0};
	const char *json;

	if (tenon_call_bytes(call, name, &text.data, &text.size))
		return text;
	json = tenon_call_json(call, name);
	return tn_str_from(json);
}

static void refuse_sources(struct tn_plan_task *task, unsigned count)
{
	tn_plan_task_refuse(task,
			    count ? "arguments: send only one of plan_text, plan_json, plan_id "
				    "and plan_path"
				  : "arguments: send one of plan_text, plan_json, plan_id and "
				    "plan_path");
}

/* A conversation knows its plan: the follow-up of a question need not name it again. */
static void find_by_conversation(struct tn_plan_task *task)
{
	const struct tn_plan_conversation *conversation;

	if (!tn_plan_task_converse(task, false))
		return;
	conversation = task->conversation->value;
	if (conversation->plan_id[0])
		find_plan(task, conversation->plan_id);
	else
		refuse_sources(task, 0);
}

static void start_reading(struct tn_plan_task *task, bool conversation_may_name_it)
{
	struct tenon_call *call = task->call;
	struct tn_str text = text_argument(call, "plan_text");
	struct tn_str json = text_argument(call, "plan_json");
	const char *id = tenon_call_text(call, "plan_id");
	const char *path = tenon_call_text(call, "plan_path");
	unsigned count =
		(text.data ? 1u : 0) + (json.data ? 1u : 0) + (id ? 1u : 0) + (path ? 1u : 0);

	if (count == 0 && conversation_may_name_it && tenon_call_text(call, "conversation_id"))
		find_by_conversation(task);
	else if (count != 1)
		refuse_sources(task, count);
	else if (id)
		find_plan(task, id);
	else if (path)
		read_named_file(task, path);
	else
		read_text(task, text.data ? text : json);
}

/* ---- notes ---- */

void tn_plan_task_note(struct tn_plan_task *task)
{
	char note[2 * TN_HANDLE_SIZE + 2];

	/* Handles have no blanks. */
	(void)snprintf(note, sizeof(note), "%s %s", task->handle->id,
		       task->conversation ? task->conversation->id : "");
	tenon_call_set_state(task->call, note);
}

/* A retry of the modern era brings our note back: the plan need not be read again. */
static struct tn_handle *find_noted(struct tn_plan_task *task, struct tn_handles *handles,
				    bool conversation)
{
	struct tn_str note = tn_str_from(tenon_call_state(task->call));
	size_t blank = tn_str_find_byte(note, ' ');
	struct tn_handle *handle = NULL;
	struct tn_str id;
	const char *text;

	if (blank == TN_STR_NONE)
		return NULL;
	id = conversation ? tn_str_from_offset(note, blank + 1) : tn_str(note.data, blank);
	text = tn_arena_copy(&task->arena, id);
	if (!text || tn_handles_find(handles, text, tenon_call_principal(task->call), &handle,
				     NULL) != TENON_OK)
		return NULL;
	return handle;
}

bool tn_plan_task_converse(struct tn_plan_task *task, bool create)
{
	const char *id = tenon_call_text(task->call, "conversation_id");
	struct tn_handle *handle = find_noted(task, &task->state->conversations, true);
	struct tenon_error err = {0};

	if (task->conversation)
		return true;
	if (!handle && id &&
	    tn_handles_find(&task->state->conversations, id, tenon_call_principal(task->call),
			    &handle, &err) != TENON_OK) {
		tn_plan_task_fail(task, "unknown_conversation", err.message, NULL);
		return false;
	}
	if (handle) {
		tn_handle_ref(handle);
		task->conversation = handle;
	} else if (create && tn_plan_state_converse(task->state, tenon_call_principal(task->call),
						    &task->conversation, &err) != TENON_OK) {
		tenon_call_refuse(task->call, INTERNAL_ERROR, err.message, NULL);
		return false;
	}
	return true;
}

/* ---- life ---- */

static void free_task(void *data)
{
	struct tn_plan_task *task = data;

	if (task->free_extra)
		task->free_extra(task->extra);
	tn_plan_free(task->reading.plan); /* read for a call that has ended meanwhile */
	tn_handle_unref(task->handle);
	tn_handle_unref(task->other);
	tn_handle_unref(task->conversation);
	tn_arena_finish(&task->arena);
	tn_mem_free(task);
}

static void prepare_reading(struct tn_plan_task *task, struct tn_handle **into)
{
	task->reading.text = tn_str(NULL, 0);
	task->reading.path = task->reading.kept_id = task->reading.reason = NULL;
	task->reading.principal = tenon_call_principal(task->call);
	task->reading.history = task->state->history;
	task->reading.cancel = &task->cancel;
	task->reading_into = into;
}

void tn_plan_task_start(struct tenon_call *call, struct tn_plan_state *state,
			enum tn_plan_task_kind kind, bool conversation_may_name_it,
			tn_plan_task_fn *ready)
{
	struct tn_plan_task *task = tenon_call_data(call);
	struct tn_handle *noted;

	if (task) { /* asked again, in a session that kept the call */
		ready(task);
		return;
	}
	task = tn_mem_alloc(sizeof(*task));
	if (!task) {
		tenon_call_refuse(call, INTERNAL_ERROR, "out of memory", NULL);
		return;
	}
	task->call = call;
	task->state = state;
	task->kind = kind;
	task->ready = ready;
	tn_arena_init(&task->arena, TN_RESULT_BYTES_MAX);
	tenon_call_set_data(call, task, free_task);
	prepare_reading(task, &task->handle);
	noted = find_noted(task, &state->plans, false);
	if (noted)
		use_handle(task, noted);
	else
		start_reading(task, conversation_may_name_it);
}

void tn_plan_task_read_other(struct tn_plan_task *task, tn_plan_task_fn *ready)
{
	const char *id = tenon_call_text(task->call, "other_plan_id");
	struct tn_str text = text_argument(task->call, "other_plan_text");

	if (!id == !text.data) {
		tn_plan_task_refuse(task,
				    "arguments: send one of other_plan_id and other_plan_text");
		return;
	}
	task->ready = ready;
	prepare_reading(task, &task->other);
	if (id)
		find_plan(task, id);
	else
		read_text(task, text);
}
