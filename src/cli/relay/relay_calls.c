#include "cli/relay/relay_calls.h"

#include "base/mem.h"
#include "base/size.h"
#include "cli/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/fault.h"

enum { FAULT_BYTES_MAX = 16 * 1024 };

void tn_relay_calls_init(struct tn_relay_calls *calls)
{
	*calls = (struct tn_relay_calls){0};
	tn_map_init(&calls->by_key);
}

void tn_relay_calls_finish(struct tn_relay_calls *calls)
{
	while (calls->first)
		tn_relay_calls_remove(calls, calls->first);
	tn_map_finish(&calls->by_key);
}

/* ---- what a request is ---- */

static struct tn_str member_text(struct tn_str params, const char *name, struct tn_arena *arena)
{
	struct tn_json *root;
	struct tn_str text = {0};

	if (tn_json_parse_copy(arena, params, &root, NULL) == TENON_OK)
		(void)tn_json_to_str(tn_json_get(root, name), &text);
	return text;
}

/* 2025-11-25: the result of a call that asks for a task is a task, which a tool's error is not. */
static bool wants_task(struct tn_str params, struct tn_arena *arena)
{
	struct tn_json *root;

	return tn_str_find(params, TN_STR("\"task\"")) != TN_STR_NONE &&
	       tn_json_parse_copy(arena, params, &root, NULL) == TENON_OK &&
	       tn_json_get(root, "task");
}

enum tn_relay_call_kind tn_relay_call_kind_of(const struct tn_relay_message *message,
					      struct tn_str text, struct tn_arena *arena,
					      struct tn_str *ret_extra)
{
	struct tn_str method = message->method;

	*ret_extra = tn_str(NULL, 0);
	if (tn_str_is(method, "tools/call"))
		return wants_task(message->params, arena) ? TN_RELAY_CALL_PLAIN
							  : TN_RELAY_CALL_TOOL;
	if (tn_str_is(method, "initialize")) {
		*ret_extra = text;
		return TN_RELAY_CALL_INITIALIZE;
	}
	if (tn_str_is(method, "subscriptions/listen")) {
		*ret_extra = text;
		return TN_RELAY_CALL_LISTEN;
	}
	if (tn_str_is(method, "logging/setLevel")) {
		*ret_extra = message->params;
		return TN_RELAY_CALL_SET_LEVEL;
	}
	if (tn_str_is(method, "resources/subscribe")) {
		*ret_extra = member_text(message->params, "uri", arena);
		return TN_RELAY_CALL_SUBSCRIBE;
	}
	if (tn_str_is(method, "resources/unsubscribe")) {
		*ret_extra = member_text(message->params, "uri", arena);
		return TN_RELAY_CALL_UNSUBSCRIBE;
	}
	return TN_RELAY_CALL_PLAIN;
}

/* ---- the table ---- */

static struct tn_str keep(char **at, struct tn_str text)
{
	struct tn_str kept = {*at, text.size};

	if (text.size)
		memcpy(*at, text.data, text.size);
	*at += text.size;
	return kept;
}

struct tn_relay_call *tn_relay_calls_add(struct tn_relay_calls *calls,
					 const struct tn_relay_message *message,
					 enum tn_relay_call_kind kind, struct tn_str extra)
{
	struct tn_relay_call *call;
	char *at;

	if (calls->kept_bytes + extra.size > TN_RELAY_KEPT_MAX)
		extra = tn_str(NULL, 0);
	if (tn_map_get(&calls->by_key, message->key))
		return NULL;
	call = tn_mem_alloc(sizeof(*call) + message->id.size + message->key.size + extra.size);
	if (!call)
		return NULL;
	if (tn_map_put(&calls->by_key, message->key, call, NULL) != TENON_OK) {
		tn_mem_free(call);
		return NULL;
	}
	at = (char *)(call + 1);
	call->kind = kind;
	call->id = keep(&at, message->id);
	call->key = keep(&at, message->key);
	call->extra = keep(&at, extra);
	call->previous = calls->last;
	if (calls->last)
		calls->last->next = call;
	else
		calls->first = call;
	calls->last = call;
	calls->count++;
	calls->listening += kind == TN_RELAY_CALL_LISTEN;
	calls->kept_bytes += extra.size;
	return call;
}

struct tn_relay_call *tn_relay_calls_find(const struct tn_relay_calls *calls, struct tn_str key)
{
	return tn_map_get(&calls->by_key, key);
}

void tn_relay_calls_remove(struct tn_relay_calls *calls, struct tn_relay_call *call)
{
	(void)tn_map_remove(&calls->by_key, call->key);
	if (call->previous)
		call->previous->next = call->next;
	else
		calls->first = call->next;
	if (call->next)
		call->next->previous = call->previous;
	else
		calls->last = call->previous;
	calls->count--;
	calls->listening -= call->kind == TN_RELAY_CALL_LISTEN;
	calls->kept_bytes -= call->extra.size;
	tn_mem_free(call);
}

/* ---- answers ---- */

/* The text is the same JSON: clients before 2025-06-18 see nothing else (MCP-225). */
static void put_tool_error(struct tn_buf *out, enum tn_revision revision, struct tn_str object)
{
	tn_json_put_key(out, "result");
	tn_json_begin_object(out);
	tn_json_put_key(out, "content");
	tn_json_begin_array(out);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "type", "text");
	tn_json_put_member_str(out, "text", object);
	tn_json_end_object(out);
	tn_json_end_array(out);
	if (revision >= TN_R3)
		tn_json_put_member_raw(out, "structuredContent", object);
	tn_json_put_member_bool(out, "isError", true);
	if (revision == TN_R5)
		tn_json_put_member_text(out, "resultType", "complete");
	tn_json_end_object(out);
}

static void put_error(struct tn_buf *out, const char *message, struct tn_str object)
{
	tn_json_put_key(out, "error");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "code", -32603);
	tn_json_put_member_text(out, "message", message);
	tn_json_put_member_raw(out, "data", object);
	tn_json_end_object(out);
}

void tn_relay_answer(struct tn_buf *out, struct tn_str id, enum tn_relay_call_kind kind,
		     enum tn_revision revision, const struct tn_relay_fault *fault)
{
	struct tn_buf object;

	tn_buf_init(&object, FAULT_BYTES_MAX);
	tn_fault_write(&object, fault->code, !fault->final, tn_str_from(fault->message));
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "jsonrpc", "2.0");
	tn_json_put_member_raw(out, "id", id);
	if (kind == TN_RELAY_CALL_TOOL)
		put_tool_error(out, revision, tn_buf_str(&object));
	else
		put_error(out, fault->message, tn_buf_str(&object));
	tn_json_end_object(out);
	tn_buf_inherit_failure(out, &object);
	tn_buf_finish(&object);
}
