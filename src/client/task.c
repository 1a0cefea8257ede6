/* A call that goes on as a task, followed to its end (mcp.md sections 20.1 and 20.2, MCP-258): the
 * caller sees one answer. */
#include "base/rng.h"
#include "client/limits.h"
#include "client/question.h"
#include "client/request.h"

static void poll_now(struct tenon_request *request);

static void poll_due(struct tn_timer *timer, void *data)
{
	(void)timer;
	poll_now(data);
}

static void poll_later(struct tenon_request *request)
{
	/* Later by up to an eighth: what was started together does not ask together for ever. */
	tn_timer_start(request->poll, request->poll_ms + tn_rng_u64() % (request->poll_ms / 8 + 1));
	if (!request->poll_fixed && request->poll_ms < TN_CLIENT_POLL_MAX_MS)
		request->poll_ms += request->poll_ms / 2;
	if (request->poll_ms > TN_CLIENT_POLL_MAX_MS && !request->poll_fixed)
		request->poll_ms = TN_CLIENT_POLL_MAX_MS;
}

static void read_interval(struct tenon_request *request, const struct tn_json *task)
{
	const char *key = request->task == TN_FOLLOW_R4 ? "pollInterval" : "pollIntervalMs";
	int64_t ms;

	if (!tn_json_to_int(tn_json_get(task, key), &ms) || ms < 0)
		return;
	request->poll_fixed = true;
	if (ms < TN_CLIENT_POLL_MIN_MS)
		ms = TN_CLIENT_POLL_MIN_MS;
	request->poll_ms = ms > TN_CLIENT_TOTAL_MS ? TN_CLIENT_TOTAL_MS : (uint32_t)ms;
}

/* A message about the task. `answers`: of tasks/update. */
static void send(struct tenon_request *request, struct tn_str method, tn_wire_fn *done,
		 struct tn_str answers)
{
	struct tn_wire_options options;
	struct tenon_error err;
	struct tn_wire *wire;

	if (request->client->phase != TN_CLIENT_READY) { /* it comes back, or all is ended */
		poll_later(request);
		return;
	}
	tn_request_options_fill(request, &options);
	options.name = request->task_id;
	options.token = 0;
	options.meta = NULL;
	if (tn_str_is(method, "tasks/result"))
		options.timeout_ms = 0; /* it waits for the task; the total bounds it */
	wire = tn_wire_begin(request->client, method, done, request);
	if (!wire) {
		tn_request_fail(request, TENON_NO_MEMORY, "out of memory");
		return;
	}
	tn_json_put_member_str(&wire->body, "taskId", request->task_id);
	if (answers.data)
		tn_json_put_member_raw(&wire->body, "inputResponses", answers);
	request->wire = wire;
	if (tn_wire_send(wire, &options, &err) != TENON_OK) {
		request->wire = NULL;
		tn_request_fail(request, err.code, "%s", err.message);
	}
}

static void fail_poll(struct tenon_request *request, const struct tn_answer *answer)
{
	if (answer->is_lost && request->task == TN_FOLLOW_EXTENSION &&
	    request->client->phase != TN_CLIENT_ENDED)
		poll_later(request); /* the task does not end with the connection */
	else
		tn_request_fail_answer(request, answer);
}

/* ---- the extension ---- */

static void updated(void *data, const struct tn_answer *answer)
{
	struct tenon_request *request = data;

	request->wire = NULL;
	if (answer->code == TENON_OK)
		poll_later(request);
	else
		fail_poll(request, answer);
}

static void round_over(void *data, struct tn_str answers, const struct tenon_error *err)
{
	struct tenon_request *request = data;

	request->round = NULL;
	if (err) {
		tn_client_task_cancel(request);
		tn_request_fail(request, err->code, "%s", err->message);
		return;
	}
	send(request, TN_STR("tasks/update"), updated, answers);
}

/* Keys are never used again in a task's life, so what was answered is not put again. */
static bool remember_keys(struct tenon_request *request, const struct tn_json *requests,
			  bool *ret_new)
{
	*ret_new = false;
	for (const struct tn_json *r = requests->first; r; r = r->next) {
		if (tn_map_get(&request->answered, r->key))
			continue;
		*ret_new = true;
		if (tn_map_put(&request->answered, r->key, request, NULL) != TENON_OK)
			return false;
	}
	return true;
}

static void ask(struct tenon_request *request, const struct tn_json *requests)
{
	struct tenon_error err = {.code = TENON_INVALID,
				  .message = "the task wants input, and does not say which"};
	bool has_new;

	if (tn_json_is(requests, TN_JSON_OBJECT)) {
		if (++request->rounds > TN_CLIENT_TASK_ROUNDS_MAX)
			(void)tn_fail(&err, TENON_LIMIT, "the task has asked %d times",
				      TN_CLIENT_TASK_ROUNDS_MAX);
		else if (tn_round_open(request->client, requests, &request->answered, round_over,
				       request, &request->round, &err) == TENON_OK) {
			if (remember_keys(request, requests, &has_new) && has_new)
				return;
			tn_round_close(request->round);
			request->round = NULL;
			request->rounds--;
			poll_later(request); /* all answered: the server has not seen to it yet */
			return;
		}
	}
	tn_client_task_cancel(request);
	tn_request_fail(request, err.code, "%s", err.message);
}

static void fail_as_told(struct tenon_request *request, const struct tn_json *error)
{
	struct tn_answer answer = {.code = TENON_INVALID, .error_code = -32603};
	struct tn_str message;

	(void)tn_json_to_int(tn_json_get(error, "code"), &answer.error_code);
	if (answer.error_code == 0)
		answer.error_code = -32603;
	if (!tn_json_to_str(tn_json_get(error, "message"), &message))
		message = TN_STR("the task has failed");
	(void)tn_fail(&answer.err, TENON_INVALID, "%s", "");
	tn_sentence_clean(message.data, &answer.err);
	answer.error_data = tn_json_get(error, "data");
	request->again_headers = request->again_version =
		true; /* that was the call, not the task */
	tn_request_fail_answer(request, &answer);
}

static void take_state(struct tenon_request *request, const struct tn_json *task)
{
	const struct tn_json *result = tn_json_get(task, "result");
	struct tn_str status;

	if (!tn_json_to_str(tn_json_get(task, "status"), &status))
		status = TN_STR("");
	read_interval(request, task);
	if (tn_str_is(status, "working"))
		poll_later(request);
	else if (tn_str_is(status, "input_required"))
		ask(request, tn_json_get(task, "inputRequests"));
	else if (tn_str_is(status, "completed") && tn_json_is(result, TN_JSON_OBJECT))
		tn_request_succeed(request, result);
	else if (tn_str_is(status, "failed"))
		fail_as_told(request, tn_json_get(task, "error"));
	else if (tn_str_is(status, "cancelled"))
		tn_request_fail(request, TENON_CANCELLED, "the server has cancelled the task");
	else
		tn_request_fail(request, TENON_INVALID,
				"the server's task is in a state that does not exist");
}

/* ---- 2025-11-25 ---- */

static void resulted(void *data, const struct tn_answer *answer)
{
	struct tenon_request *request = data;

	request->wire = NULL;
	if (answer->code == TENON_OK)
		tn_request_succeed(request, answer->result);
	else
		tn_request_fail_answer(request, answer);
}

/* `tasks/result` brings the result, the error, and on its stream the questions before it. */
static void take_state_r4(struct tenon_request *request, const struct tn_json *task)
{
	struct tn_str status;

	read_interval(request, task);
	if (tn_json_to_str(tn_json_get(task, "status"), &status) && tn_str_is(status, "working"))
		poll_later(request);
	else
		send(request, TN_STR("tasks/result"), resulted, tn_str(NULL, 0));
}

/* ---- polling ---- */

static void polled(void *data, const struct tn_answer *answer)
{
	struct tenon_request *request = data;

	request->wire = NULL;
	if (answer->code != TENON_OK)
		fail_poll(request, answer);
	else if (request->task == TN_FOLLOW_R4)
		take_state_r4(request, answer->result);
	else
		take_state(request, answer->result);
}

static void poll_now(struct tenon_request *request)
{
	if (!request->has_ended && !request->wire && !request->round)
		send(request, TN_STR("tasks/get"), polled, tn_str(NULL, 0));
}

/* ---- life ---- */

void tn_client_task_begin(struct tenon_request *request, const struct tn_json *task,
			  enum tn_client_task form)
{
	struct tn_str id;
	const char *copy = NULL;

	if (!tn_str_is(request->method, "tools/call") || request->task != TN_FOLLOW_NONE ||
	    !tn_json_to_str(tn_json_get(task, "taskId"), &id) || id.size == 0) {
		tn_request_fail(request, TENON_INVALID,
				"the server's task has no id, or was not asked for");
		return;
	}
	copy = tn_arena_copy(&request->arena, id);
	if (!copy || tn_timer_open(request->client->loop, poll_due, request, &request->poll,
				   NULL) != TENON_OK) {
		tn_request_fail(request, TENON_NO_MEMORY, "out of memory");
		return;
	}
	request->task = form;
	request->task_id = tn_str(copy, id.size);
	request->rounds = 0;
	read_interval(request, task);
	if (form == TN_FOLLOW_R4)
		take_state_r4(request, task);
	else
		poll_later(request);
}

static void cancelled(void *data, const struct tn_answer *answer)
{
	(void)data; /* whether it could be is the server's affair */
	(void)answer;
}

void tn_client_task_cancel(struct tenon_request *request)
{
	struct tenon_client *client = request->client;
	struct tn_wire_options options = {.name = request->task_id,
					  .timeout_ms = client->options.request_timeout_ms};
	struct tn_wire *wire;

	if (client->phase != TN_CLIENT_READY)
		return;
	wire = tn_wire_begin(client, TN_STR("tasks/cancel"), cancelled, client);
	if (!wire)
		return; /* the task runs to its end, unread */
	tn_json_put_member_str(&wire->body, "taskId", request->task_id);
	(void)tn_wire_send(wire, &options, NULL); /* likewise */
}

void tn_client_task_finish(struct tenon_request *request)
{
	tn_timer_close(request->poll);
	tn_map_finish(&request->answered);
}
