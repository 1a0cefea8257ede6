#include "apps/terminal/mcp/tool_state.h"

#include <stdio.h>
#include <string.h>

#include "apps/terminal/limits.h"
#include "base/limits.h"
#include "base/mem.h"
#include "jsonrpc/json_write.h"

/* ---- arguments ---- */

int64_t tn_term_int(const struct tenon_call *call, const char *name, int64_t fallback)
{
	int64_t value = fallback;

	(void)tenon_call_int(call, name, &value); /* absent: the fallback */
	return value;
}

bool tn_term_flag(const struct tenon_call *call, const char *name, bool fallback)
{
	bool value = fallback;

	(void)tenon_call_bool(call, name, &value); /* absent: the fallback */
	return value;
}

void tn_term_shaping_of(const struct tenon_call *call, struct tn_term_shaping *ret)
{
	const char *format = tenon_call_text(call, "format");
	const char *omit = tenon_call_text(call, "omit");

	*ret = (struct tn_term_shaping){
		.bytes_max = (size_t)tn_term_int(call, "max_bytes", TN_TERM_ANSWER_BYTES),
		.lines_max = (uint32_t)tn_term_int(call, "lines", 0),
		.format = TN_OUTPUT_PLAIN,
		.omit = TN_OUTPUT_OMIT_MIDDLE};
	if (format)
		ret->format = strcmp(format, "ansi") == 0  ? TN_OUTPUT_ANSI
			      : strcmp(format, "raw") == 0 ? TN_OUTPUT_RAW
							   : TN_OUTPUT_PLAIN;
	if (omit)
		ret->omit = strcmp(omit, "head") == 0   ? TN_OUTPUT_OMIT_HEAD
			    : strcmp(omit, "tail") == 0 ? TN_OUTPUT_OMIT_TAIL
							: TN_OUTPUT_OMIT_MIDDLE;
}

static bool is_name(struct tn_str name)
{
	if (!name.size || (name.data[0] >= '0' && name.data[0] <= '9'))
		return false;
	for (size_t i = 0; i < name.size; i++) {
		char c = name.data[i];

		if (c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') &&
		    (c < 'A' || c > 'Z'))
			return false;
	}
	return true;
}

static bool starve(struct tenon_call *call)
{
	tenon_call_refuse(call, -32603, "Out of memory.", NULL);
	return false;
}

bool tn_term_env_of(struct tenon_call *call, const char *name, const char *const **ret)
{
	const struct tn_json *object = tn_json_get(tn_call_arguments(call), name);
	const char **block;
	size_t count = 0;

	*ret = NULL;
	if (!object)
		return true;
	block = tn_arena_alloc_array(&call->arena, object->count + 1, sizeof(*block));
	for (const struct tn_json *at = object->first; block && at; at = at->next) {
		struct tn_str value = {"", 0};

		(void)tn_json_to_str(at, &value); /* the schema has checked it */
		if (!is_name(at->key)) {
			tn_term_refuse(call,
				       "%s: \"%.60s\" cannot be set: a name has letters, digits "
				       "and _",
				       name, at->key.data);
			return false;
		}
		block[count] = tn_arena_format(&call->arena, "%s=%s", at->key.data, value.data);
		if (!block[count++])
			return starve(call);
	}
	*ret = block;
	return block ? true : starve(call);
}

bool tn_term_list_of(struct tenon_call *call, const char *name, const char *const **ret)
{
	const struct tn_json *array = tn_json_get(tn_call_arguments(call), name);
	const char **list;
	size_t count = 0;

	*ret = NULL;
	if (!array)
		return true;
	list = tn_arena_alloc_array(&call->arena, array->count + 1, sizeof(*list));
	for (const struct tn_json *at = array->first; list && at; at = at->next) {
		struct tn_str text = {"", 0};

		(void)tn_json_to_str(at, &text); /* the schema has checked it */
		list[count++] = text.data;
	}
	*ret = list;
	return list ? true : starve(call);
}

/* ---- how a tool begins ---- */

/* 4.1: tools are found, described and tried without anything behind them. */
static void reply_placeholder(struct tenon_call *call, const char *defaults)
{
	static const char intro[] = "Placeholder: no terminal backend is configured.";
	const struct tn_json *arguments = tn_call_arguments(call);
	struct tn_buf text, structured, values;

	tn_buf_init(&values, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(&values);
	for (const struct tn_json *at = arguments ? arguments->first : NULL; at; at = at->next) {
		tn_json_put_key_str(&values, at->key);
		tn_json_put_value(&values, at);
	}
	if (defaults[0]) {
		struct tn_arena arena;
		struct tn_json *tree = NULL;

		tn_arena_init(&arena, TN_MIB);
		if (tn_json_parse_copy(&arena, tn_str_from(defaults), &tree, NULL) == TENON_OK) {
			for (const struct tn_json *at = tree->first; at; at = at->next) {
				if (tn_json_get_str(arguments, at->key))
					continue;
				tn_json_put_key_str(&values, at->key);
				tn_json_put_value(&values, at);
			}
		}
		tn_arena_finish(&arena);
	}
	tn_json_end_object(&values);
	tn_buf_init(&structured, TN_RESULT_BYTES_MAX);
	tn_json_begin_object(&structured);
	tn_json_put_member_bool(&structured, "placeholder", true);
	tn_json_put_member_raw(&structured, "arguments", tn_buf_str(&values));
	tn_json_end_object(&structured);
	tn_buf_init(&text, TN_RESULT_BYTES_MAX);
	tn_buf_format(&text, "%s Arguments: ", intro);
	tn_buf_append_str(&text, tn_buf_str(&values));
	tn_buf_inherit_failure(&structured, &text);
	tn_term_reply(call, tn_buf_str(&text), &structured);
	tn_buf_finish(&values);
	tn_buf_finish(&text);
}

bool tn_term_begin(struct tenon_call *call, struct tn_term_door *door, const char *defaults,
		   struct tn_term_caller *ret_caller)
{
	uint64_t after_ms = 0;
	char data[64];

	tn_term_caller_of(call, ret_caller);
	if (!door->backend) {
		reply_placeholder(call, defaults);
		return false;
	}
	if (door->term && !ret_caller->person &&
	    !tn_term_admit_rate(door->term, ret_caller, &after_ms)) {
		(void)snprintf(data, sizeof(data), "{\"retry_after_ms\":%llu}",
			       (unsigned long long)after_ms);
		tn_term_fail(call, "rate_limited", "wait_for replaces polling.", data,
			     "More than %u calls in a minute; try again in %llu ms.",
			     tn_settings_u32(&door->config.settings, "terminal.rate_per_minute"),
			     (unsigned long long)after_ms);
		return false;
	}
	return true;
}

struct tn_term_session *tn_term_session_of(struct tenon_call *call, struct tn_term_door *door,
					   const struct tn_term_caller *caller, bool usable)
{
	struct tn_term_fault fault = {0};
	struct tn_term_session *s = NULL;

	if (!door->backend->find) {
		tn_term_fail(call, "not_supported", NULL, NULL,
			     "This backend has no sessions that can be reached so.");
		return NULL;
	}
	s = door->backend->find(door->backend->self, caller, tenon_call_text(call, "session_id"),
				&fault);
	if (!s || (usable && !tn_term_usable(s, caller, &fault))) {
		tn_term_fail_fault(call, &fault);
		return NULL;
	}
	return s;
}

/* ---- calls that wait ---- */

static void free_task(void *data)
{
	struct tn_term_task *task = data;

	if (task->door->term)
		tn_term_admit_end(task->door->term, &task->caller);
	tn_mem_free(task);
}

static void cancelled(struct tenon_call *call, void *data)
{
	struct tn_term_task *task = data;
	struct tn_term_op *op = task->op;

	task->op = NULL;
	if (task->stop)
		task->stop(task);
	if (op)
		task->door->backend->cancel(task->door->backend->self, op);
	tn_term_fail(call, "cancelled", NULL, NULL, "The call was cancelled.");
}

struct tn_term_task *tn_term_task_new(struct tenon_call *call, struct tn_term_door *door,
				      const struct tn_term_caller *caller)
{
	struct tn_term_task *task;

	if (door->term && !tn_term_admit_begin(door->term, caller)) {
		tn_term_fail(
			call, "rate_limited", NULL, NULL,
			"More than %u calls of yours are waiting; let some end first.",
			tn_settings_u32(&door->config.settings, "terminal.max_concurrent_calls"));
		return NULL;
	}
	task = tn_mem_alloc(sizeof(*task));
	if (!task) {
		if (door->term)
			tn_term_admit_end(door->term, caller);
		(void)starve(call);
		return NULL;
	}
	task->call = call;
	task->door = door;
	task->caller = *caller;
	tenon_call_set_data(call, task, free_task);
	tenon_call_on_cancel(call, cancelled, task);
	return task;
}
