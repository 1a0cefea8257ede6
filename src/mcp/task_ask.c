/* Questions of a task: 2026-07-28 shows them in tasks/get and takes answers by tasks/update;
 * 2025-11-25 sends them to whoever waits in tasks/result. */
#include "mcp/task.h"

#include "mcp/call.h"
#include "mcp/limits.h"
#include "mcp/server.h"

/* ---- 2026-07-28 ---- */

/* The same question as one that is out already, and not answered. */
static const struct tn_ask *find_outstanding(const struct tn_task *task, const struct tn_ask *ask)
{
	const struct tn_ask *other = task->asked_before;

	while (other &&
	       !(strcmp(other->key, ask->key) == 0 && strcmp(other->method, ask->method) == 0 &&
		 tn_str_equal(other->params, ask->params)))
		other = other->next;
	return other;
}

/* MCP-253: a key stands for one question in the task's whole life. The number at its end is never
 * given twice, so no two keys are equal whatever the handler calls them. */
static bool name_questions(struct tenon_call *call)
{
	struct tn_task *task = call->task;

	for (struct tn_ask *ask = call->asks; ask; ask = ask->next) {
		const struct tn_ask *known = find_outstanding(task, ask);

		ask->wire_key =
			known ? known->wire_key
			      : tn_arena_format(&call->arena, "%s.%u", ask->key, ++task->asked);
		if (!ask->wire_key)
			return false;
	}
	task->asked_before = NULL;
	return true;
}

/* Takes the answered questions out. False: out of memory; *ret_any tells of those before. */
static bool take_answers(struct tenon_call *call, const struct tn_json *responses, bool *ret_any)
{
	struct tn_ask **link = &call->asks;

	while (*link) {
		const struct tn_json *answer = tn_json_get(responses, (*link)->wire_key);

		if (!tn_json_is(answer, TN_JSON_OBJECT)) { /* MCP-203: it stays open */
			link = &(*link)->next;
			continue;
		}
		if (!tn_call_keep_answer(call, (*link)->key, answer))
			return false;
		*link = (*link)->next;
		*ret_any = true;
	}
	return true;
}

bool tn_task_update(struct tn_task *task, const struct tn_json *responses)
{
	struct tenon_call *call = task->call;
	bool any = false, kept;

	if (!call || call->phase != TN_CALL_ASKING)
		return true;
	kept = take_answers(call, responses, &any);
	if (!any)
		return kept;
	if (++call->rounds > TN_TASK_ROUNDS_MAX) {
		tenon_call_fail(call, "More than %d rounds of questions.", TN_TASK_ROUNDS_MAX);
		return kept;
	}
	task->asked_before = call->asks;
	call->asks = NULL;
	tn_call_run(call);
	if (task->call && task->call->phase == TN_CALL_RUNNING)
		tn_task_set_status(task, TN_TASK_WORKING);
	return kept;
}

/* ---- 2025-11-25 ---- */

/* Questions that are out elsewhere are asked again: a number names one only with its peer. */
void tn_task_turn_to(struct tn_task *task, struct tn_peer *peer)
{
	if (task->peer == peer)
		return;
	for (struct tn_ask *ask = task->call ? task->call->asks : NULL; ask; ask = ask->next)
		ask->via = NULL;
	task->peer = peer;
}

void tn_task_send_questions(struct tn_task *task)
{
	struct tenon_call *waiter = tn_task_listener(task);
	bool sent = false, starved = false;

	if (!waiter || !task->call || task->call->phase != TN_CALL_ASKING)
		return;
	tn_task_turn_to(task, waiter->peer);
	if (task->peer->mute) {
		tn_call_fail_unheard(task->call);
		return;
	}
	for (struct tn_ask *ask = task->call->asks; ask; ask = ask->next) {
		if (ask->via && ask->via->exchange)
			continue; /* it is out */
		ask->via = waiter;
		starved |= !tn_call_send_ask(task->call, ask, task->peer, waiter->exchange);
		sent = true;
	}
	if (starved)
		tn_call_withdraw(task->call);
	if (starved || (sent && !tn_call_start_ask_timer(task->call)))
		tenon_call_fail(task->call, "out of memory");
}

void tn_task_mute_peer(const struct tn_peer *peer)
{
	for (struct tn_task *task = peer->server->tasks.first; task; task = task->next) {
		if (task->peer == peer)
			tn_task_send_questions(task); /* they fail if it is still the one asked */
	}
}

void tn_task_answered(struct tn_peer *peer, int64_t request_id, const struct tn_json *message)
{
	for (struct tn_task *task = peer->server->tasks.first; task; task = task->next) {
		if (task->peer != peer || !task->call ||
		    !tn_call_answered(task->call, request_id, message))
			continue;
		if (task->call && task->call->phase == TN_CALL_RUNNING)
			tn_task_set_status(task, TN_TASK_WORKING);
		return;
	}
}

/* ---- both ---- */

void tn_task_ask(struct tenon_call *call)
{
	struct tn_task *task = call->task;

	if (call->revision == TN_R5 && !name_questions(call)) {
		tenon_call_fail(call, "out of memory");
		return;
	}
	if (call->revision != TN_R5 && ++call->rounds > TN_ROUNDS_MAX) {
		tenon_call_fail(call, "More than %d rounds of questions.", TN_ROUNDS_MAX);
		return;
	}
	call->phase = TN_CALL_ASKING;
	tn_task_set_status(task, TN_TASK_INPUT_REQUIRED);
	if (call->revision != TN_R5)
		tn_task_send_questions(task);
}
