/* How the questions of a handler reach the client and its answers the handler, in both eras (mcp.md
 * section 16). */
#include "mcp/ability.h"

#include "base/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/consent.h"
#include "mcp/limits.h"
#include "mcp/method.h"
#include "mcp/server.h"
#include "mcp/state_seal.h"
#include "mcp/task.h"

/* ---- modern: the question is the answer ---- */

static bool has_consents(const struct tenon_call *call)
{
	const struct tn_ask *ask = call->asks;

	while (ask && !ask->consent)
		ask = ask->next;
	return ask != NULL;
}

/* An answer to a request for consent counts only together with the question's own seal. */
static void put_consents(const struct tenon_call *call, struct tn_buf *payload)
{
	tn_json_put_key(payload, "consents");
	tn_json_begin_array(payload);
	for (const struct tn_ask *ask = call->asks; ask; ask = ask->next) {
		if (ask->consent)
			tn_json_put_text(payload, ask->key);
	}
	tn_json_end_array(payload);
}

/* Everything known so far goes along, so that the retry needs nothing of ours. */
static enum tenon_code put_request_state(struct tenon_call *call, struct tenon_error *err)
{
	struct tn_buf payload, sealed;
	enum tenon_code code;

	if (!call->state && !call->answers && !has_consents(call))
		return TENON_OK;
	tn_buf_init(&payload, TN_STATE_BYTES_MAX + 1);
	tn_buf_init(&sealed, TN_STATE_BYTES_MAX * 2);
	tn_json_begin_object(&payload);
	if (call->state)
		tn_json_put_member_text(&payload, "state", call->state);
	tn_json_put_key(&payload, "answers");
	tn_json_begin_object(&payload);
	for (const struct tenon_answer *a = call->answers; a; a = a->next) {
		if (tn_call_find_answer(call, a->key) != a)
			continue; /* answered again since */
		tn_json_put_key_str(&payload, tn_str_from(a->key));
		tn_json_put_value(&payload, a->result);
	}
	tn_json_end_object(&payload);
	put_consents(call, &payload);
	tn_json_end_object(&payload);
	code = payload.failed ? tn_fail(err, TENON_LIMIT, "the request's state is too large")
			      : tn_state_seal(call, tn_buf_str(&payload), &sealed, err);
	if (code == TENON_OK)
		tn_json_put_member_str(&call->out, "requestState", tn_buf_str(&sealed));
	tn_buf_finish(&payload);
	tn_buf_finish(&sealed);
	return code;
}

static void ask_modern(struct tenon_call *call)
{
	struct tn_buf *out = &call->out;
	struct tenon_error err;

	tn_result_begin(call);
	tn_json_put_key(out, "inputRequests");
	tn_json_begin_object(out);
	for (const struct tn_ask *ask = call->asks; ask; ask = ask->next) {
		tn_json_put_key_str(out, tn_str_from(ask->key));
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "method", ask->method);
		tn_json_put_member_raw(out, "params", ask->params);
		tn_json_end_object(out);
	}
	tn_json_end_object(out);
	if (put_request_state(call, &err) != TENON_OK) {
		tn_call_error(call, 200, TN_INTERNAL_ERROR, tn_str_from(err.message),
			      tn_str(NULL, 0));
		return;
	}
	tn_result_end_asking(call);
	tn_call_send(call, 200);
}

/* Takes the answers of one object: key to result object. MCP-203: a single bad entry is asked
 * again, so it is passed over. */
static bool take_all(struct tenon_call *call, const struct tn_json *answers)
{
	for (const struct tn_json *a = answers ? answers->first : NULL; a; a = a->next) {
		if (a->type == TN_JSON_OBJECT && !tn_call_add_answer(call, a->key, a))
			return false;
	}
	return true;
}

static bool take_state(struct tenon_call *call, const struct tn_json *sealed)
{
	struct tenon_error err;
	struct tn_str payload, text = {NULL, 0};
	struct tn_json *tree;

	if (!tn_json_to_str(sealed, &text)) {
		tn_method_invalid(call, "invalid requestState: it is not a string");
		return false;
	}
	if (tn_state_open(call, text, &payload, &err) != TENON_OK ||
	    tn_json_parse_copy(&call->arena, payload, &tree, &err) != TENON_OK) {
		tn_method_invalid(call, "%s", err.message);
		return false;
	}
	if (tn_json_to_str(tn_json_get(tree, "state"), &text))
		call->state = text.data;
	call->sealed_consents = tn_json_get(tree, "consents");
	return take_all(call, tn_json_get(tree, "answers"));
}

bool tn_call_take_answers(struct tenon_call *call)
{
	const struct tn_json *responses = tn_json_get(call->params, "inputResponses");
	const struct tn_json *state = tn_json_get(call->params, "requestState");

	if (call->revision != TN_R5)
		return true;
	if (state && !take_state(call, state))
		return false;
	if (responses && responses->type != TN_JSON_OBJECT) {
		tn_method_invalid(call, "inputResponses: expected an object, got %s",
				  tn_json_type_name(responses));
		return false;
	}
	return take_all(call, responses);
}

bool tn_call_was_asked(const struct tenon_call *call, const char *id)
{
	const struct tn_json *consents = call->sealed_consents;
	struct tn_str text;

	for (const struct tn_json *c = tn_json_is(consents, TN_JSON_ARRAY) ? consents->first : NULL;
	     c; c = c->next) {
		if (tn_json_to_str(c, &text) && tn_str_is(text, id))
			return true;
	}
	return false;
}

/* ---- legacy: requests to the client ---- */

static void withdraw(struct tenon_call *call, struct tn_ask *ask)
{
	struct tn_buf params;

	if (!ask->request_id)
		return;
	tn_buf_init(&params, TN_KIB);
	tn_json_put_member_int(&params, "requestId", ask->request_id);
	tn_task_put_meta(call, &params);
	ask->request_id = 0;
	if (!params.failed)
		tn_call_notify(call, "notifications/cancelled", tn_buf_str(&params));
	tn_buf_finish(&params);
}

void tn_call_withdraw(struct tenon_call *call)
{
	for (struct tn_ask *ask = call->asks; ask; ask = ask->next)
		withdraw(call, ask);
}

static void stop_ask_timer(struct tenon_call *call)
{
	if (call->ask_timer)
		tn_timer_stop(call->ask_timer);
}

void tn_call_drop_asks(struct tenon_call *call)
{
	tn_call_withdraw(call);
	call->asks = NULL;
	stop_ask_timer(call);
}

void tn_call_drop_ask(struct tenon_call *call, const char *key)
{
	struct tn_ask **link = &call->asks;

	while (*link && strcmp((*link)->key, key) != 0)
		link = &(*link)->next;
	if (*link) {
		withdraw(call, *link);
		*link = (*link)->next;
	}
	if (!call->asks)
		stop_ask_timer(call);
}

void tn_call_mark_consent(struct tenon_call *call, const char *key)
{
	for (struct tn_ask *ask = call->asks; ask; ask = ask->next)
		ask->consent = ask->consent || strcmp(ask->key, key) == 0;
}

static void ask_expired(struct tn_timer *timer, void *data)
{
	(void)timer;
	tn_call_withdraw(data);
	tenon_call_fail(data, "The client did not answer in time.");
}

/* MCP-246: a task's question says which task asks. */
static void put_params(struct tenon_call *call, const struct tn_ask *ask, struct tn_buf *out)
{
	struct tn_json *params;
	const struct tn_json *meta;

	if (!call->task ||
	    tn_json_parse_copy(&call->arena, ask->params, &params, NULL) != TENON_OK) {
		tn_json_put_member_raw(out, "params", ask->params);
		return;
	}
	meta = tn_json_get(params, "_meta");
	tn_json_put_key(out, "params");
	tn_json_begin_object(out);
	for (const struct tn_json *p = params->first; p; p = p->next) {
		if (tn_str_is(p->key, "_meta"))
			continue;
		tn_json_put_key_str(out, p->key);
		tn_json_put_value(out, p);
	}
	tn_json_put_key(out, "_meta");
	tn_json_begin_object(out);
	tn_task_put_related(call, out);
	for (const struct tn_json *m = tn_json_is(meta, TN_JSON_OBJECT) ? meta->first : NULL; m;
	     m = m->next) {
		tn_json_put_key_str(out, m->key);
		tn_json_put_value(out, m);
	}
	tn_json_end_object(out);
	tn_json_end_object(out);
}

bool tn_call_send_ask(struct tenon_call *call, struct tn_ask *ask, struct tn_peer *peer,
		      struct tn_exchange *x)
{
	struct tn_buf *out = &call->server->scratch;
	bool made;

	ask->request_id = ++peer->next_request_id;
	tn_buf_clear(out);
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "jsonrpc", "2.0");
	tn_json_put_member_int(out, "id", ask->request_id);
	tn_json_put_member_text(out, "method", ask->method);
	put_params(call, ask, out);
	tn_json_end_object(out);
	made = !out->failed;
	if (made)
		x->ops->notify(x, tn_buf_str(out));
	else
		ask->request_id = 0; /* nothing to withdraw */
	tn_buf_clear(out);
	tn_buf_shrink(out, 64 * TN_KIB);
	return made;
}

bool tn_call_start_ask_timer(struct tenon_call *call)
{
	bool person = false, timed = false;

	for (const struct tn_ask *ask = call->asks; ask; ask = ask->next)
		timed |= !ask->consent;
	if (!timed)
		return true; /* consent has a clock of its own */
	if (!call->ask_timer && tn_timer_open(call->server->loop, ask_expired, call,
					      &call->ask_timer, NULL) != TENON_OK)
		return false;
	for (const struct tn_ask *ask = call->asks; ask; ask = ask->next)
		person |= strcmp(ask->method, "roots/list") != 0;
	tn_timer_start(call->ask_timer, person ? TN_ASK_TIMEOUT_MS : TN_ROOTS_TIMEOUT_MS);
	return true;
}

void tn_call_fail_unheard(struct tenon_call *call)
{
	if (tn_consent_unheard(call))
		return;
	tn_call_withdraw(call);
	tenon_call_fail(call,
			"The client has ended its side of the connection, so it cannot answer "
			"what it is asked.");
}

static void ask_legacy(struct tenon_call *call)
{
	if (!call->exchange || !call->peer) {
		tenon_call_fail(call, "The client has gone.");
		return;
	}
	if (call->peer->mute) {
		tn_call_fail_unheard(call);
		return;
	}
	if (tn_exchange_deaf(call->exchange)) {
		tenon_call_fail(call, "The client cannot be asked here; accept text/event-stream.");
		return;
	}
	if (++call->rounds > TN_ROUNDS_MAX) {
		tenon_call_fail(call, "More than %d rounds of questions.", TN_ROUNDS_MAX);
		return;
	}
	if (!tn_call_start_ask_timer(call)) {
		tenon_call_fail(call, "out of memory");
		return;
	}
	call->phase = TN_CALL_ASKING;
	for (struct tn_ask *ask = call->asks; ask; ask = ask->next) {
		if (tn_call_send_ask(call, ask, call->peer, call->exchange))
			continue;
		tn_call_withdraw(call);
		tenon_call_fail(call, "out of memory");
		return;
	}
}

void tn_call_ask(struct tenon_call *call)
{
	if (call->missing_abilities)
		tn_call_refuse_missing(call, call->missing_abilities);
	else if (call->ask_fault)
		tenon_call_fail(call, "%s", call->ask_fault);
	else if (call->complete_name.data || !call->item) /* MCP-199: these have no way to ask */
		tenon_call_fail(call, "%s cannot ask the client anything.",
				call->item ? "A completion" : "This method");
	else if (call->task)
		tn_task_ask(call);
	else if (call->revision == TN_R5)
		ask_modern(call);
	else
		ask_legacy(call);
}

static void take_answer(struct tenon_call *call, struct tn_ask *ask, const struct tn_json *message)
{
	const struct tn_json *result = tn_json_get(message, "result");
	struct tn_str why = TN_STR("no result");
	struct tn_ask **link = &call->asks;

	if (!tn_json_is(result, TN_JSON_OBJECT)) {
		(void)tn_json_to_str(tn_json_get(tn_json_get(message, "error"), "message"), &why);
		ask->request_id = 0;
		if (ask->consent && tn_consent_unheard(call))
			return;
		tn_call_withdraw(call);
		tenon_call_fail(call, "The client could not answer %s: %.*s", ask->method,
				why.size > 300 ? 300 : (int)why.size, why.data);
		return;
	}
	if (!tn_call_keep_answer(call, ask->key, result)) {
		tenon_call_fail(call, "out of memory");
		return;
	}
	while (*link != ask)
		link = &(*link)->next;
	*link = ask->next;
	if (call->asks)
		return; /* the others are still out */
	stop_ask_timer(call);
	tn_call_run(call);
}

bool tn_call_answered(struct tenon_call *call, int64_t request_id, const struct tn_json *message)
{
	if (call->phase != TN_CALL_ASKING || !request_id) /* 0: a question that is not out */
		return false;
	for (struct tn_ask *ask = call->asks; ask; ask = ask->next) {
		if (ask->request_id == request_id) {
			take_answer(call, ask, message);
			return true;
		}
	}
	return false;
}
