#include "mcp/task.h"

#include <stdio.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "mcp/call.h"
#include "mcp/feed.h"
#include "mcp/limits.h"
#include "mcp/method.h"
#include "mcp/server.h"

#define RELATED_KEY "io.modelcontextprotocol/related-task"

/* ---- writing ---- */

static const char *status_name(enum tn_task_status status)
{
	static const char *const names[] = {"working", "input_required", "completed", "failed",
					    "cancelled"};

	return names[status];
}

void tn_task_put(const struct tn_task *task, struct tn_buf *out)
{
	bool modern = task->revision == TN_R5;
	char time[TN_CLOCK_ISO_SIZE];

	tn_json_put_member_text(out, "taskId", task->id);
	tn_json_put_member_text(out, "status", status_name(task->status));
	if (task->message)
		tn_json_put_member_text(out, "statusMessage", task->message);
	tn_clock_format_iso(task->created_ms, time);
	tn_json_put_member_text(out, "createdAt", time);
	tn_clock_format_iso(task->updated_ms, time);
	tn_json_put_member_text(out, "lastUpdatedAt", time);
	tn_json_put_member_int(out, modern ? "ttlMs" : "ttl", (int64_t)task->ttl_ms);
	tn_json_put_member_int(out, modern ? "pollIntervalMs" : "pollInterval", task->poll_ms);
}

static void put_payload(const struct tn_task *task, struct tn_buf *out)
{
	if (task->payload)
		tn_json_put_raw(out, tn_str(task->payload, task->payload_size));
	else
		tn_json_put_raw(out, TN_STR("{\"code\":-32603,\"message\":"
					    "\"The result could not be kept.\"}"));
}

void tn_task_put_detail(const struct tn_task *task, struct tn_buf *out)
{
	tn_task_put(task, out);
	if (task->status == TN_TASK_COMPLETED || task->status == TN_TASK_FAILED) {
		tn_json_put_key(out, task->status == TN_TASK_COMPLETED ? "result" : "error");
		put_payload(task, out);
	}
	if (task->status != TN_TASK_INPUT_REQUIRED || !task->call)
		return;
	tn_json_put_key(out, "inputRequests");
	tn_json_begin_object(out);
	for (const struct tn_ask *ask = task->call->asks; ask; ask = ask->next) {
		tn_json_put_key_str(out, tn_str_from(ask->wire_key));
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "method", ask->method);
		tn_json_put_member_raw(out, "params", ask->params);
		tn_json_end_object(out);
	}
	tn_json_end_object(out);
}

void tn_task_put_related(const struct tenon_call *call, struct tn_buf *out)
{
	if (!call->task || call->revision == TN_R5)
		return;
	tn_json_put_key(out, RELATED_KEY);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "taskId", call->task->id);
	tn_json_end_object(out);
}

void tn_task_put_meta(const struct tenon_call *call, struct tn_buf *out)
{
	if (!call->task || call->revision == TN_R5)
		return;
	tn_json_put_key(out, "_meta");
	tn_json_begin_object(out);
	tn_task_put_related(call, out);
	tn_json_end_object(out);
}

/* ---- telling ---- */

const struct tn_peer *tn_task_peer(const struct tenon_call *call)
{
	return call->task && call->task->peer ? call->task->peer : call->peer;
}

static bool can_tell(const struct tn_peer *peer)
{
	return peer && peer->initialized && peer->outlet && peer->outlet->ready(peer);
}

void tn_task_tell(const struct tn_task *task, struct tn_str json)
{
	struct tenon_call *waiter = tn_task_listener(task);

	if (task->revision == TN_R5 || tn_task_is_over(task))
		return; /* MCP-256: the modern form has neither progress nor log lines */
	if (waiter)
		waiter->exchange->ops->notify(waiter->exchange, json);
	else if (can_tell(task->peer))
		task->peer->outlet->send(task->peer, json);
}

/* MCP-140: the status belongs to no request. */
static void tell_status(const struct tn_task *task)
{
	struct tn_buf *out = &task->server->scratch;

	if (!can_tell(task->peer))
		return; /* who asks is told, too */
	tn_buf_clear(out);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "jsonrpc", "2.0");
	tn_json_put_member_text(out, "method", "notifications/tasks/status");
	tn_json_put_key(out, "params");
	tn_json_begin_object(out);
	tn_task_put(task, out);
	tn_json_end_object(out);
	tn_json_end_object(out);
	if (!out->failed)
		task->peer->outlet->send(task->peer, tn_buf_str(out));
}

void tn_task_set_status(struct tn_task *task, enum tn_task_status status)
{
	task->status = status;
	task->updated_ms = tn_clock_wall_ms(task->server->clock);
	if (task->revision == TN_R5)
		tn_feed_task_changed(task->server, tn_str_from(task->id));
	else
		tell_status(task);
}

/* ---- waiting for the end ---- */

struct tenon_call *tn_task_listener(const struct tn_task *task)
{
	struct tenon_call *newest = NULL;

	for (struct tenon_call *w = task->waiters; w; w = w->await_next) {
		if (w->exchange && !tn_exchange_deaf(w->exchange))
			newest = w;
	}
	return newest;
}

void tn_task_stop_waiting(struct tenon_call *call)
{
	struct tn_task *task = call->awaited;
	struct tenon_call **link = &task->waiters;

	while (*link != call)
		link = &(*link)->await_next;
	*link = call->await_next;
	call->await_next = NULL;
	call->awaited = NULL;
	/* What went out with it can be asked again by the next one. */
	for (struct tn_ask *ask = task->call ? task->call->asks : NULL; ask; ask = ask->next) {
		if (ask->via == call)
			ask->via = NULL;
	}
}

static void waiter_cancelled(struct tenon_call *call, void *data)
{
	struct tn_task *task = call->awaited;

	(void)data;
	tn_call_end(call, true);
	tn_task_send_questions(task); /* another may wait, too */
}

static void answer_waiter(const struct tn_task *task, struct tenon_call *call)
{
	struct tn_buf *out = &call->out;

	if (task->status == TN_TASK_CANCELLED) {
		tn_method_invalid(call, "taskId: the task was cancelled, so it has no result");
		return;
	}
	tn_buf_clear(out);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "jsonrpc", "2.0");
	tn_json_put_member_raw(out, "id", call->id);
	tn_json_put_key(out, !task->payload || task->payload_is_error ? "error" : "result");
	put_payload(task, out);
	tn_json_end_object(out);
	tn_call_send(call, 200);
}

static void answer_waiters(struct tn_task *task)
{
	while (task->waiters) {
		struct tenon_call *call = task->waiters;

		tn_task_stop_waiting(call);
		answer_waiter(task, call);
	}
}

void tn_task_wait(struct tn_task *task, struct tenon_call *call)
{
	struct tenon_call **tail = &task->waiters;

	if (tn_task_is_over(task)) {
		answer_waiter(task, call);
		return;
	}
	while (*tail)
		tail = &(*tail)->await_next;
	*tail = call;
	call->awaited = task;
	tenon_call_on_cancel(call, waiter_cancelled, NULL);
	tn_task_turn_to(task, call->peer); /* the principal has a new session: it is asked there */
	tn_task_send_questions(task);
}

/* ---- the end ---- */

bool tn_task_is_over(const struct tn_task *task)
{
	return task->status >= TN_TASK_COMPLETED;
}

static void part(struct tn_task *task)
{
	task->call->task = NULL;
	task->call = NULL;
	task->asked_before = NULL;
}

/* Stores the end as it would have been answered. */
static void keep_payload(struct tn_task *task, const struct tenon_call *call)
{
	struct tn_task_table *table = &task->server->tasks;
	size_t size;

	task->payload_is_error = call->payload_is_error;
	if (call->out.failed)
		return;
	size = call->out.size - 1 - call->payload_start; /* without the message's own brace */
	if (table->stored_bytes + size > TN_TASK_BYTES_MAX)
		return;
	task->payload = tn_mem_copy_text(call->out.data + call->payload_start, size);
	if (!task->payload)
		return;
	task->payload_size = size;
	table->stored_bytes += size;
}

void tn_task_settle(struct tenon_call *call, bool answered)
{
	struct tn_task *task = call->task;
	bool failed;

	part(task);
	if (tn_task_is_over(task))
		return; /* MCP-245: cancelled stays cancelled */
	if (answered)
		keep_payload(task, call);
	failed = !task->payload || task->payload_is_error ||
		 (task->revision == TN_R4 && call->is_error); /* MCP-245, MCP-252 */
	tn_task_set_status(task, failed ? TN_TASK_FAILED : TN_TASK_COMPLETED);
	answer_waiters(task);
}

static void stop_call(struct tn_task *task)
{
	struct tenon_call *call = task->call;

	if (!call)
		return;
	tn_call_cancel(call);
	if (task->call == call) /* its handler ends in its own time; nobody hears of it */
		part(task);
}

void tn_task_cancel(struct tn_task *task)
{
	if (tn_task_is_over(task))
		return;
	if (task->call && task->call->phase == TN_CALL_ASKING)
		tn_call_withdraw(task->call);
	tn_task_set_status(task, TN_TASK_CANCELLED);
	stop_call(task);
	answer_waiters(task);
}

/* Forgets a task. What it does is cancelled, and who waits for it is told so. */
static void destroy(struct tn_task *task)
{
	struct tn_task_table *table = &task->server->tasks;

	(void)tn_map_remove(&table->by_id, tn_str_from(task->id));
	if (task->previous)
		task->previous->next = task->next;
	else
		table->first = task->next;
	if (task->next)
		task->next->previous = task->previous;
	else
		table->last = task->previous;
	table->count--;
	if (!tn_task_is_over(task))
		task->status = TN_TASK_CANCELLED;
	stop_call(task);
	answer_waiters(task);
	table->stored_bytes -= task->payload_size;
	tn_mem_free(task->payload);
	tn_mem_free(task->message);
	tn_mem_free(task);
}

void tn_task_forget_peer(const struct tn_peer *peer)
{
	struct tn_task *task = peer->server->tasks.first;

	while (task) {
		struct tn_task *next = task->next;

		if (task->peer == peer)
			task->peer = NULL;
		if (task->session == peer->number) /* nobody else may ask for it */
			destroy(task);
		task = next;
	}
}

void tn_task_table_finish(struct tenon_server *server)
{
	struct tn_task_table *table = &server->tasks;

	while (table->first)
		destroy(table->first);
	tn_timer_close(table->timer);
	tn_map_finish(&table->by_id);
}

/* ---- expiry ---- */

static bool has_expired(const struct tn_task *task)
{
	return tn_server_now_ms(task->server) >= task->expires_ms;
}

static void expiry_due(struct tn_timer *timer, void *data);

/* Sets the timer to the task that expires next. */
static void set_timer(struct tenon_server *server)
{
	struct tn_task_table *table = &server->tasks;
	uint64_t now = tn_server_now_ms(server), due = UINT64_MAX;

	for (const struct tn_task *task = table->first; task; task = task->next)
		due = task->expires_ms < due ? task->expires_ms : due;
	table->timer_due_ms = due;
	if (due == UINT64_MAX)
		tn_timer_stop(table->timer);
	else
		tn_timer_start(table->timer, due > now ? due - now : 1);
}

static void drop_expired(struct tenon_server *server)
{
	struct tn_task *task = server->tasks.first;

	while (task) {
		bool over = has_expired(task);
		struct tn_task *next = task->next;

		if (over)
			destroy(task);
		task = next;
	}
}

static void expiry_due(struct tn_timer *timer, void *data)
{
	(void)timer;
	drop_expired(data);
	set_timer(data);
}

/* ---- finding ---- */

struct tn_task *tn_task_by_id(const struct tenon_server *server, struct tn_str id)
{
	return tn_map_get(&server->tasks.by_id, id);
}

/* MCP-247, MCP-257, MCP-285: knowing the id is not enough. */
bool tn_task_belongs(const struct tn_task *task, const struct tenon_call *call)
{
	return !has_expired(task) && task->revision == call->revision &&
	       strcmp(task->principal, call->principal) == 0 &&
	       (!task->session || task->session == call->peer->number);
}

struct tn_task *tn_task_find(const struct tenon_call *call, struct tn_str id)
{
	struct tn_task *task = tn_task_by_id(call->server, id);

	if (task && has_expired(task)) {
		destroy(task);
		task = NULL;
	}
	return task && tn_task_belongs(task, call) ? task : NULL;
}

static bool is_somebody(const char *principal)
{
	return principal[0] && strcmp(principal, TN_PRINCIPAL_ANONYMOUS) != 0;
}

bool tn_task_may_list(const struct tenon_call *call)
{
	return is_somebody(call->principal);
}

/* ---- becoming one ---- */

static bool has_room(const struct tenon_call *call, uint64_t session)
{
	const struct tn_task_table *table = &call->server->tasks;
	unsigned own = 0;

	if (table->count >= TN_TASKS_MAX)
		return false;
	for (const struct tn_task *task = table->first; task; task = task->next)
		own += task->session == session && strcmp(task->principal, call->principal) == 0;
	return own < TN_TASKS_PER_OWNER_MAX;
}

static void link_task(struct tn_task *task)
{
	struct tn_task_table *table = &task->server->tasks;

	task->sequence = ++table->sequence;
	task->previous = table->last;
	if (table->last)
		table->last->next = task;
	else
		table->first = task;
	table->last = task;
	table->count++;
}

static uint64_t choose_ttl(uint64_t wanted)
{
	if (!wanted)
		return TN_TASK_TTL_MS;
	if (wanted < TN_TASK_TTL_MIN_MS)
		return TN_TASK_TTL_MIN_MS;
	return wanted < TN_TASK_TTL_MAX_MS ? wanted : TN_TASK_TTL_MAX_MS;
}

static bool set_message(struct tn_task *task, const char *message)
{
	struct tn_str text = tn_utf8_cut(tn_str_from(message), TN_TASK_MESSAGE_MAX);
	char *copy = message ? tn_mem_copy_text(text.data, text.size) : NULL;

	if (message && !copy)
		return false;
	tn_mem_free(task->message);
	task->message = copy;
	return true;
}

/* A task that can be found, though nothing has become it yet. */
static struct tn_task *make(struct tenon_call *call, const struct tenon_task_options *o)
{
	struct tenon_server *server = call->server;
	struct tn_task_table *table = &server->tasks;
	uint64_t session =
		is_somebody(call->principal) || call->revision == TN_R5 ? 0 : call->peer->number;
	struct tn_task *task;

	drop_expired(server);
	if (!has_room(call, session) ||
	    (!table->timer &&
	     tn_timer_open(server->loop, expiry_due, server, &table->timer, NULL) != TENON_OK))
		return NULL;
	task = tn_mem_alloc(sizeof(*task));
	if (!task)
		return NULL;
	memcpy(task->id, "tsk_", 4);
	tn_rng_token(task->id + 4, 16);
	if (!set_message(task, o->message) ||
	    tn_map_put(&table->by_id, tn_str_from(task->id), task, NULL) != TENON_OK) {
		tn_mem_free(task->message);
		tn_mem_free(task);
		return NULL;
	}
	task->server = server;
	task->revision = call->revision;
	task->session = session;
	memcpy(task->principal, call->principal, sizeof(task->principal));
	task->ttl_ms = choose_ttl(o->ttl_ms);
	task->poll_ms = o->poll_ms ? o->poll_ms : TN_TASK_POLL_MS;
	task->created_ms = task->updated_ms = tn_clock_wall_ms(server->clock);
	task->expires_ms = tn_server_now_ms(server) + task->ttl_ms;
	link_task(task);
	if (!tn_timer_active(table->timer) || task->expires_ms < table->timer_due_ms)
		set_timer(server);
	return task;
}

/* CreateTaskResult: flat in the modern form (MCP-251), below `task` in the other (MCP-244). */
static void put_created(const struct tenon_call *call, const struct tn_task *task,
			struct tn_buf *out)
{
	tn_result_begin_in(call, out);
	if (task->revision == TN_R5) {
		tn_task_put(task, out);
	} else {
		tn_json_put_key(out, "task");
		tn_json_begin_object(out);
		tn_task_put(task, out);
		tn_json_end_object(out);
	}
	tn_result_end_in(call, out, "task", NULL);
}

/* Answers the request with a task; from here on the call lives on by itself. False: it goes on as
 * it was. */
static bool become(struct tenon_call *call, const struct tenon_task_options *o)
{
	struct tn_task *task = make(call, o);
	struct tn_buf *out = &call->server->scratch;
	struct tn_exchange *x;

	if (!task)
		return false;
	if (call->progress_held.size)
		tn_call_tell(call, call->progress_held);
	call->progress_held.size = 0;
	put_created(call, task, out);
	if (out->failed) {
		destroy(task);
		return false;
	}
	x = tn_call_release_exchange(call);
	task->peer = task->revision == TN_R4 ? call->peer : NULL;
	task->call = call;
	call->task = task;
	tn_call_orphan(call);
	if (task->revision == TN_R5) { /* MCP-169, MCP-256 */
		call->progress_token = tn_str(NULL, 0);
		call->log_level = TENON_LOG_EMERGENCY + 1;
	}
	x->ops->answer(x, 200, tn_buf_str(out));
	return true;
}

static const struct tn_json *wanted_task(const struct tenon_call *call)
{
	bool negotiated = call->revision == TN_R4 && call->server->tasks.tools &&
			  call->peer->kind != TN_PEER_HTTP_REQUEST;

	return negotiated ? tn_json_get(call->params, "task")
			  : NULL; /* MCP-243, MCP-249: elsewhere it says nothing */
}

bool tn_task_admit(struct tenon_call *call)
{
	enum tenon_task_support support = call->item->tool.task_support;
	const char *why = NULL;

	if (call->revision == TN_R5) /* MCP-250 */
		return support != TENON_TASK_REQUIRED || tenon_call_require(call, TENON_CAN_TASKS);
	if (support == TENON_TASK_FORBIDDEN && wanted_task(call))
		why = "This tool cannot run as a task; call it without `task`";
	else if (support == TENON_TASK_REQUIRED && call->revision < TN_R4)
		why = "This tool runs only as a task, which this revision does not have";
	else if (support == TENON_TASK_REQUIRED && call->peer->kind == TN_PEER_HTTP_REQUEST)
		why = "This tool runs only as a task, which needs a session";
	else if (support == TENON_TASK_REQUIRED && !wanted_task(call))
		why = "This tool runs only as a task; call it with `task`";
	if (why)
		tn_call_error(call, 200, TN_METHOD_NOT_FOUND, tn_str_from(why), tn_str(NULL, 0));
	return !why;
}

/* `task.ttl` in milliseconds; 0: not given. False: answered. */
static bool read_ttl(struct tenon_call *call, const struct tn_json *wanted, uint64_t *ret)
{
	const struct tn_json *ttl = tn_json_get(wanted, "ttl");
	double ms = 0;

	if (wanted->type != TN_JSON_OBJECT) {
		tn_method_invalid(call, "task: expected an object, got %s",
				  tn_json_type_name(wanted));
		return false;
	}
	if (ttl && ttl->type != TN_JSON_NULL && (!tn_json_to_double(ttl, &ms) || ms < 0)) {
		tn_method_invalid(call, "task.ttl: send milliseconds, or leave it out");
		return false;
	}
	*ret = 0;
	if (ttl && ttl->type != TN_JSON_NULL) /* 0 is the shortest, not the default */
		*ret = ms >= TN_TASK_TTL_MAX_MS ? TN_TASK_TTL_MAX_MS : (uint64_t)ms + (ms < 1);
	return true;
}

bool tn_task_begin(struct tenon_call *call)
{
	const struct tn_json *wanted = wanted_task(call);
	struct tenon_task_options options = {0};

	if (!wanted)
		return true;
	if (!read_ttl(call, wanted, &options.ttl_ms))
		return false;
	if (!become(call, &options)) {
		tn_call_error(call, 200, TN_INTERNAL_ERROR,
			      TN_STR("Too many tasks; try again later"), tn_str(NULL, 0));
		return false;
	}
	call->abilities |= TENON_CAN_TASKS;
	return true;
}

/* ---- the public half ---- */

bool tenon_call_start_task(struct tenon_call *call, const struct tenon_task_options *options)
{
	static const struct tenon_task_options none = {0};

	if (call->task)
		return true;
	if (call->phase != TN_CALL_RUNNING || !call->exchange || call->revision != TN_R5 ||
	    !(call->abilities & TENON_CAN_TASKS) || !call->item || !tn_item_makes_tasks(call->item))
		return false;
	return become(call, options ? options : &none);
}

void tenon_call_set_task_message(struct tenon_call *call, const char *message)
{
	struct tn_task *task = call->task;

	if (task && set_message(task, message)) /* otherwise the old one stays */
		task->updated_ms = tn_clock_wall_ms(task->server->clock);
}
