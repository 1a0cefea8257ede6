#include "mcp/call.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "mcp/consent.h"
#include "mcp/method.h"
#include "mcp/observe.h"
#include "mcp/server.h"
#include "mcp/task.h"

enum { POOL_MAX = 64, KEPT_BUFFER_BYTES = 64 * 1024 };

/* ---- the pool ---- */

struct tenon_call *tn_call_take(struct tenon_server *server)
{
	struct tenon_call *call = server->pool;

	if (call) {
		server->pool = call->next;
		server->pooled--;
		call->next = NULL;
	} else {
		call = tn_mem_alloc(sizeof(*call));
		if (!call)
			return NULL;
		tn_arena_init(&call->arena, TN_MESSAGE_ARENA_MAX);
		tn_buf_init(&call->out, TN_RESULT_BYTES_MAX);
		tn_buf_init(&call->structured, TN_RESULT_BYTES_MAX);
	}
	call->server = server;
	server->running++;
	return call;
}

void tn_call_list(struct tenon_call *call)
{
	struct tn_peer *peer = call->peer;

	call->previous = NULL;
	call->next = peer->calls;
	if (peer->calls)
		peer->calls->previous = call;
	peer->calls = call;
	peer->call_count++;
	call->listed = true;
}

void tn_call_unlist(struct tenon_call *call)
{
	if (!call->listed)
		return;
	if (call->previous)
		call->previous->next = call->next;
	else
		call->peer->calls = call->next;
	if (call->next)
		call->next->previous = call->previous;
	call->peer->call_count--;
	call->listed = false;
	call->next = call->previous = NULL;
}

static void clear(struct tenon_call *call)
{
	struct tn_arena arena = call->arena;
	struct tn_buf out = call->out, structured = call->structured;

	tn_arena_reset(&arena);
	tn_buf_clear(&out);
	tn_buf_shrink(&out, KEPT_BUFFER_BYTES);
	tn_buf_clear(&structured);
	tn_buf_shrink(&structured, KEPT_BUFFER_BYTES);
	*call = (struct tenon_call){.arena = arena, .out = out, .structured = structured};
}

static void recycle(struct tenon_call *call)
{
	struct tenon_server *server = call->server;

	tn_call_unlist(call);
	tn_item_unref(call->item);
	tn_timer_close(call->timer);
	tn_timer_close(call->ask_timer);
	if (call->free_data)
		call->free_data(call->data);
	server->running--;
	clear(call);
	if (server->pooled == POOL_MAX) {
		tn_arena_finish(&call->arena);
		tn_buf_finish(&call->out);
		tn_buf_finish(&call->structured);
		tn_mem_free(call);
		return;
	}
	call->next = server->pool;
	server->pool = call;
	server->pooled++;
}

/* The call has been answered or dropped: frees it unless something still runs on its behalf. */
static void finish(struct tenon_call *call)
{
	call->phase = TN_CALL_FINISHED;
	tn_consent_end(call);
	if (call->task)
		tn_task_settle(call, false);
	if (call->awaited)
		tn_task_stop_waiting(call);
	if (!call->in_handler && !call->job)
		recycle(call);
}

/* ---- the way back ---- */

static void exchange_gone(struct tn_exchange *x)
{
	struct tenon_call *call = x->user;

	x->user = NULL;
	x->gone = NULL;
	call->exchange = NULL;
	/* Legacy: loss of a connection is no cancellation (MCP-142); modern: it is (MCP-154). */
	if (call->revision == TN_R5 || tn_call_waits(call)) {
		call->left = true;
		tn_call_cancel(call);
	}
}

/* A relay speaks for the host that has started it. */
static int64_t client_of(const struct tn_peer *peer, const struct tn_exchange *x)
{
	if (peer->parent > 0)
		return peer->parent;
	if (x->owner > 0)
		return x->owner;
	return peer->owner > 0 ? peer->owner : -(int64_t)peer->number;
}

void tn_call_adopt(struct tenon_call *call, struct tn_peer *peer, struct tn_exchange *x)
{
	call->peer = peer;
	call->exchange = x;
	x->user = call;
	x->gone = exchange_gone;
	x->revision = call->revision;
	if (call->server->observers)
		tn_observe_begin(call);
	if (peer) { /* copies: the call may outlive the peer */
		memcpy(call->principal, peer->principal, sizeof(call->principal));
		call->foreign = peer->foreign;
		call->elsewhere = peer->elsewhere || x->elsewhere;
		call->client = client_of(peer, x);
		call->person = peer->person;
	}
}

struct tn_exchange *tn_call_release_exchange(struct tenon_call *call)
{
	struct tn_exchange *x = call->exchange;

	if (x) {
		x->user = NULL;
		x->gone = NULL;
		call->exchange = NULL;
	}
	return x;
}

static void write_error(struct tenon_call *call, int code, struct tn_str message,
			struct tn_str data)
{
	struct tn_buf *out = &call->out;

	call->error_code = code;
	tn_buf_clear(out);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "jsonrpc", "2.0");
	if (call->id.data) /* MCP-016: left out when it could not be read */
		tn_json_put_member_raw(out, "id", call->id);
	tn_json_put_key(out, "error");
	call->payload_start = out->size;
	call->payload_is_error = true;
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "code", code);
	tn_json_put_member_str(out, "message", message);
	if (data.data)
		tn_json_put_member_foreign(out, "data", data);
	tn_json_end_object(out);
	tn_json_end_object(out);
}

void tn_answer_without_memory(struct tn_exchange *x, struct tn_str id)
{
	char text[2 * TN_KIB];
	struct tn_buf out = {.data = text, .capacity = sizeof(text), .limit = sizeof(text)};

	tn_json_begin_object(&out);
	tn_json_put_member_text(&out, "jsonrpc", "2.0");
	if (id.size && id.size < sizeof(text) / 2)
		tn_json_put_member_raw(&out, "id", id);
	tn_json_put_member_raw(&out, "error",
			       TN_STR("{\"code\":-32603,\"message\":\"Out of memory.\"}"));
	tn_json_end_object(&out);
	x->ops->answer(x, 500, tn_buf_str(&out));
}

void tn_call_send(struct tenon_call *call, int status)
{
	struct tn_exchange *x;

	if (call->progress_held.size)
		tn_call_tell(call, call->progress_held);
	if (call->out.failed) {
		write_error(call, TN_INTERNAL_ERROR,
			    call->out.starved ? TN_STR("Out of memory.")
					      : TN_STR("The result is too large."),
			    tn_str(NULL, 0));
		status = 200;
	}
	if (call->task)
		tn_task_settle(call, true);
	x = tn_call_release_exchange(call);
	if (x) {
		if (call->out.failed)
			tn_answer_without_memory(x, call->id);
		else
			x->ops->answer(x, status, tn_buf_str(&call->out));
	}
	if (call->observed)
		tn_observe_end(call, false);
	finish(call);
}

void tn_call_end(struct tenon_call *call, bool cancelled)
{
	struct tn_exchange *x = tn_call_release_exchange(call);

	if (x)
		x->ops->end(x, cancelled);
	if (call->observed)
		tn_observe_end(call, true);
	finish(call);
}

void tn_call_error(struct tenon_call *call, int status, int code, struct tn_str message,
		   struct tn_str data)
{
	write_error(call, code, message, data);
	tn_call_send(call, status);
}

/* ---- running ---- */

/* Enters a function of the handler's. The call outlives it, whatever it does; afterwards it is
 * answered, asking, or waiting for the handler. */
static void enter(struct tenon_call *call, tenon_call_fn *fn, void *data)
{
	call->in_handler = true;
	fn(call, data);
	call->in_handler = false;
	if (call->phase == TN_CALL_FINISHED)
		finish(call);
	else if (call->phase == TN_CALL_RUNNING && tn_call_has_asked(call))
		tn_call_ask(call);
}

void tn_call_run(struct tenon_call *call)
{
	call->view = NULL; /* headers are gone once the transport has its thread of control back */
	tn_result_reset_content(call);
	call->phase = TN_CALL_RUNNING;
	enter(call, call->handler, call->handler_data);
}

void tn_call_cancel(struct tenon_call *call)
{
	struct tn_exchange *x;
	bool waits = tn_call_waits(call);

	if (atomic_load(&call->cancelled) || call->phase == TN_CALL_FINISHED)
		return;
	atomic_store(&call->cancelled, true);
	if (call->observed)
		tn_observe_end(call, true);
	if (call->phase == TN_CALL_ASKING)
		tn_call_withdraw(call);
	x = tn_call_release_exchange(call);
	if (x)
		x->ops->end(x, true);
	if (call->job)
		tn_job_cancel(call->job);
	if (waits) {
		finish(call); /* nobody else would */
		return;
	}
	if (!call->on_cancel)
		return;
	if (call->in_handler)
		call->on_cancel(call, call->on_cancel_data);
	else
		enter(call, call->on_cancel, call->on_cancel_data);
}

void tn_call_orphan(struct tenon_call *call)
{
	if (call->client_name == call->peer->client_name) /* the peer's memory goes away */
		call->client_name = tn_arena_copy(&call->arena, tn_str_from(call->client_name));
	tn_call_unlist(call);
	call->peer = &call->server->orphanage;
	tn_call_list(call);
}

void tn_call_abandon(struct tenon_call *call)
{
	call->phase = TN_CALL_FINISHED;
	tn_consent_end(call);
	(void)tn_call_release_exchange(call);
	if (!call->job) /* otherwise the job's end frees it */
		recycle(call);
}

void tn_call_tell(struct tenon_call *call, struct tn_str json)
{
	if (call->task)
		tn_task_tell(call->task, json);
	else if (call->exchange)
		call->exchange->ops->notify(call->exchange, json);
}

void tn_call_notify(struct tenon_call *call, const char *method, struct tn_str params)
{
	struct tn_buf *out = &call->server->scratch;

	if (!call->exchange && !call->task)
		return;
	tn_buf_clear(out);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "jsonrpc", "2.0");
	tn_json_put_member_text(out, "method", method);
	tn_json_put_key(out, "params");
	tn_buf_append_byte(out, '{');
	tn_buf_append_str(out, params);
	tn_buf_append_byte(out, '}');
	tn_json_end_object(out);
	if (!out->failed)
		tn_call_tell(call, tn_buf_str(out));
	tn_buf_shrink(out, KEPT_BUFFER_BYTES);
}

/* ---- the public half ---- */

void tenon_call_finish(struct tenon_call *call)
{
	if (call->phase == TN_CALL_FINISHED)
		return;
	if (!call->item) { /* a method of an extension that has nothing to say */
		tn_result_send_empty(call);
		return;
	}
	tn_result_end(call);
	tn_call_send(call, 200);
}

void tenon_call_reply_text(struct tenon_call *call, const char *text)
{
	tenon_call_add_text(call, text, TENON_TEXT);
	tenon_call_finish(call);
}

void tenon_call_fail(struct tenon_call *call, const char *format, ...)
{
	va_list args;
	char message[1024];

	va_start(args, format);
	(void)vsnprintf(message, sizeof(message), format, args); /* cut is fine */
	va_end(args);
	tn_utf8_own_lines(message, strlen(message));
	if (call->item && call->item->kind == TN_ITEM_TOOL) {
		tn_result_reset_content(call);
		tenon_call_set_error(call);
		tenon_call_reply_text(call, message);
	} else {
		tenon_call_refuse(call, TN_INTERNAL_ERROR, message, NULL);
	}
}

void tenon_call_refuse(struct tenon_call *call, int code, const char *message,
		       const char *data_json)
{
	/* MCP-029: these two are not for modern clients. */
	if (call->revision == TN_R5 &&
	    (code == TN_RESOURCE_NOT_FOUND || code == TN_URL_ELICITATION_REQUIRED))
		code = TN_INVALID_PARAMS;
	if (call->phase != TN_CALL_FINISHED)
		tn_call_error(call, 200, code, tn_str_from(message), tn_str_from(data_json));
}

void tenon_call_not_found(struct tenon_call *call)
{
	struct tn_buf data;
	int code = call->revision == TN_R5 ? TN_INVALID_PARAMS : TN_RESOURCE_NOT_FOUND;

	tn_buf_init(&data, TN_URI_BYTES_MAX * 8);
	tn_json_begin_object(&data);
	tn_json_put_member_str(&data, "uri", call->uri);
	tn_json_end_object(&data);
	if (call->phase != TN_CALL_FINISHED)
		tn_call_error(call, 200, code, TN_STR("Resource not found"), tn_buf_str(&data));
	tn_buf_finish(&data);
}

bool tenon_call_cancelled(const struct tenon_call *call)
{
	return atomic_load(&call->cancelled);
}

void tenon_call_on_cancel(struct tenon_call *call, tenon_call_fn *cancelled, void *data)
{
	call->on_cancel = cancelled;
	call->on_cancel_data = data;
}

static void timer_expired(struct tn_timer *timer, void *data)
{
	struct tenon_call *call = data;
	tenon_call_fn *next = call->timer_fn;

	(void)timer;
	call->timer_fn = NULL;
	if (call->phase == TN_CALL_RUNNING && next)
		enter(call, next, call->timer_data);
}

void tenon_call_after(struct tenon_call *call, uint64_t delay_ms, tenon_call_fn *next, void *data)
{
	if (!call->timer && tn_timer_open(call->server->loop, timer_expired, call, &call->timer,
					  NULL) != TENON_OK) {
		tenon_call_fail(call, "out of memory");
		return;
	}
	call->timer_fn = next;
	call->timer_data = data;
	tn_timer_start(call->timer, delay_ms);
}

static void job_work(void *data, const atomic_bool *cancelled)
{
	struct tenon_call *call = data;

	(void)cancelled; /* the call's own flag is set before the job's */
	call->work_fn(call, call->work_data);
}

static void job_done(void *data, bool cancelled)
{
	struct tenon_call *call = data;

	(void)cancelled;
	call->job = NULL;
	/* Also of a finished call: `done` frees what the handler gave to `work`. */
	enter(call, call->work_done, call->work_data);
}

void tenon_call_work(struct tenon_call *call, tenon_work_fn *work, tenon_call_fn *done, void *data)
{
	struct tenon_error err;

	tn_assert(!call->job);
	call->work_fn = work;
	call->work_done = done;
	call->work_data = data;
	if (tn_job_start(call->server->loop, job_work, job_done, call, &call->job, &err) !=
	    TENON_OK)
		tenon_call_fail(call, "%s", err.message);
}

void tenon_call_set_data(struct tenon_call *call, void *data, void (*free_data)(void *data))
{
	if (call->free_data && call->data != data)
		call->free_data(call->data);
	call->data = data;
	call->free_data = free_data;
}

void *tenon_call_data(const struct tenon_call *call)
{
	return call->data;
}

void tenon_call_release_stream(struct tenon_call *call, unsigned retry_ms)
{
	if (call->exchange && call->exchange->ops->release && call->revision == TN_R4)
		call->exchange->ops->release(call->exchange, retry_ms);
}
