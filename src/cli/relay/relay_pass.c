/* What passes between the host and the daemon, and what becomes of it without one. */
#include "base/mem.h"
#include "base/utf8.h"
#include "cli/limits.h"
#include "cli/relay/relay.h"
#include "jsonrpc/json_write.h"
#include "transport/limits.h"

enum { ANSWER_BYTES_MAX = 64 * 1024 };

/* ---- slow sides ---- */

void tn_relay_wait(struct tn_relay *r, unsigned why, bool wait)
{
	r->waits = wait ? r->waits | why : r->waits & ~why;
	tn_line_stream_pause(r->host, r->waits != 0);
}

void tn_relay_to_host(void *relay, struct tn_str json)
{
	struct tn_relay *r = relay;

	tn_line_stream_send(r->host, json);
	if (r->link && tn_line_stream_queued(r->host) > TN_OUTPUT_QUEUE_MAX)
		tn_relay_link_pause(r->link, true);
}

void tn_relay_to_daemon(void *relay, struct tn_str json)
{
	struct tn_relay *r = relay;

	tn_relay_link_send(r->link, json);
	if (tn_relay_link_queued(r->link) > TN_OUTPUT_QUEUE_MAX)
		tn_relay_wait(r, TN_RELAY_WAIT_DAEMON, true);
}

/* ---- answers of our own ---- */

static enum tn_revision revision_of(const struct tn_relay *r)
{
	return r->session.revision != TN_REVISION_NONE ? r->session.revision : TN_R5;
}

static void answer(struct tn_relay *r, struct tn_str id, enum tn_relay_call_kind kind,
		   const struct tn_relay_fault *fault)
{
	struct tn_buf out;

	tn_buf_init(&out, ANSWER_BYTES_MAX);
	tn_relay_answer(&out, id, kind, revision_of(r), fault);
	if (!out.failed)
		tn_relay_to_host(r, tn_buf_str(&out));
	tn_buf_finish(&out);
	r->answered = true;
}

/* MCP-089: in our own name, because the bridge carries text only. */
void tn_relay_refuse(struct tn_relay *r, int code, const char *message)
{
	struct tn_buf out;

	tn_buf_init(&out, ANSWER_BYTES_MAX);
	tn_json_begin_object(&out);
	tn_json_put_member_text(&out, "jsonrpc", "2.0");
	tn_json_put_key(&out, "error");
	tn_json_begin_object(&out);
	tn_json_put_member_int(&out, "code", code);
	tn_json_put_member_text(&out, "message", message);
	tn_json_end_object(&out);
	tn_json_end_object(&out);
	if (!out.failed)
		tn_relay_to_host(r, tn_buf_str(&out));
	tn_buf_finish(&out);
}

/* Every request in a text that was not passed on. */
static void answer_all(struct tn_relay *r, struct tn_str text, const struct tn_relay_fault *fault)
{
	struct tn_relay_message message;
	struct tn_str extra;

	if (!tn_relay_scan_begin(&r->scan, text))
		return;
	while (tn_relay_scan_next(&r->scan, &message) == TN_RELAY_MESSAGE) {
		if (message.kind == TN_RELAY_REQUEST)
			answer(r, message.id,
			       tn_relay_call_kind_of(&message, text, &r->arena, &extra), fault);
		tn_arena_reset(&r->arena);
	}
}

/* ---- from the host: what must be known of it ---- */

static void forget_cancelled(struct tn_relay *r, struct tn_str params)
{
	struct tn_relay_message named = {0};
	struct tn_relay_call *call;
	struct tn_json *root;
	const struct tn_json *id;
	char *key;

	if (tn_json_parse_copy(&r->arena, params, &root, NULL) != TENON_OK)
		return;
	id = tn_json_get(root, "requestId");
	if (tn_json_is(id, TN_JSON_STRING)) {
		key = tn_arena_format(&r->arena, "\"%.*s", (int)id->text.size, id->text.data);
		named.key = tn_str(key, key ? id->text.size + 1 : 0);
	} else if (tn_json_is(id, TN_JSON_NUMBER)) {
		named.key = id->text;
	}
	call = tn_relay_calls_find(&r->calls, named.key);
	if (call && call->kind != TN_RELAY_CALL_INITIALIZE) { /* MCP-171: no answer follows */
		tn_relay_calls_remove(&r->calls, call);
		tn_relay_wait(r, TN_RELAY_WAIT_CALLS, false);
	}
}

static void note_request(struct tn_relay *r, const struct tn_relay_message *message,
			 struct tn_str text)
{
	struct tn_str extra;
	enum tn_relay_call_kind kind = tn_relay_call_kind_of(message, text, &r->arena, &extra);

	/* What finds no room is passed on all the same; it is only not answered by us. */
	(void)tn_relay_calls_add(&r->calls, message, kind, extra);
	if (r->calls.count >= TN_RELAY_REQUESTS_MAX)
		tn_relay_wait(r, TN_RELAY_WAIT_CALLS, true);
}

/* False: it is not for this daemon. */
static bool note(struct tn_relay *r, const struct tn_relay_message *message, struct tn_str text)
{
	switch (message->kind) {
	case TN_RELAY_REQUEST:
		note_request(r, message, text);
		return true;
	case TN_RELAY_NOTIFICATION:
		if (tn_str_is(message->method, "notifications/cancelled"))
			forget_cancelled(r, message->params);
		else if (tn_str_is(message->method, "notifications/initialized"))
			r->session.initialized = true;
		return true;
	case TN_RELAY_RESULT:
	case TN_RELAY_ERROR: /* an answer to a daemon that is gone is nobody's */
		if (!tn_map_get(&r->questions, message->key))
			return false;
		tn_mem_free(tn_map_remove(&r->questions, message->key));
		return true;
	case TN_RELAY_OTHER:
		break;
	}
	return true; /* the daemon says what is wrong with it */
}

static bool is_text(struct tn_relay *r, struct tn_str text)
{
	if (tn_utf8_valid(text.data, text.size))
		return true;
	tn_relay_refuse(r, -32700, "Parse error: not UTF-8");
	return false;
}

/* Looks at all of a text. False: it is not passed on. */
static bool note_all(struct tn_relay *r, struct tn_str text)
{
	struct tn_relay_message message;
	enum tn_relay_step step;
	bool goes_on = true;

	if (!tn_relay_scan_begin(&r->scan, text))
		return is_text(r, text);
	step = tn_relay_scan_next(&r->scan, &message);
	if (r->scan.batch) {
		while (step == TN_RELAY_MESSAGE)
			step = tn_relay_scan_next(&r->scan, &message);
		if (step == TN_RELAY_END && tn_relay_scan_begin(&r->scan, text))
			step = tn_relay_scan_next(&r->scan, &message);
	}
	if (step == TN_RELAY_MALFORMED)
		return is_text(r, text);
	while (step == TN_RELAY_MESSAGE) {
		goes_on = note(r, &message, text) || r->scan.batch;
		tn_arena_reset(&r->arena);
		step = tn_relay_scan_next(&r->scan, &message);
	}
	return goes_on;
}

/* ---- from the host, while there is no daemon ---- */

enum want { WANT_NOTHING, WANT_PASSAGE, WANT_ANSWER };

/* What becomes of a text that cannot be passed on now. */
static enum want wanted(struct tn_relay *r, struct tn_str text)
{
	struct tn_relay_message message;
	enum want want = WANT_NOTHING;
	enum tn_relay_step step;

	if (!tn_relay_scan_begin(&r->scan, text))
		return is_text(r, text) ? WANT_PASSAGE : WANT_NOTHING;
	while ((step = tn_relay_scan_next(&r->scan, &message)) == TN_RELAY_MESSAGE) {
		bool restored = r->session.revision != TN_REVISION_NONE &&
				tn_str_is(message.method, "notifications/initialized");

		r->session.initialized = r->session.initialized || restored;
		if (message.kind == TN_RELAY_REQUEST)
			want = WANT_ANSWER;
		else if (want == WANT_NOTHING && !restored && message.kind != TN_RELAY_RESULT &&
			 message.kind != TN_RELAY_ERROR)
			want = WANT_PASSAGE;
	}
	if (step == TN_RELAY_MALFORMED)
		return is_text(r, text) ? WANT_PASSAGE : WANT_NOTHING;
	return want;
}

static bool put_waiting(struct tn_relay *r, struct tn_str text)
{
	uint32_t size = (uint32_t)text.size;

	if (!tn_buf_reserve(&r->waiting, sizeof(size) + text.size)) {
		r->waiting.failed = false; /* nothing of it is there */
		return false;
	}
	tn_buf_append(&r->waiting, &size, sizeof(size));
	tn_buf_append_str(&r->waiting, text);
	return true;
}

/* The next one; *at moves on. False: there is none. */
static bool next_waiting(const struct tn_buf *waiting, size_t *at, struct tn_str *ret)
{
	uint32_t size;

	if (*at >= waiting->size)
		return false;
	memcpy(&size, waiting->data + *at, sizeof(size));
	*ret = tn_str(waiting->data + *at + sizeof(size), size);
	*at += sizeof(size) + size;
	return true;
}

void tn_relay_send_early(struct tn_relay *r)
{
	struct tn_str text;
	size_t at = r->early;

	while (!r->early_over && next_waiting(&r->waiting, &at, &text)) {
		r->early_over = !tn_relay_link_early(r->link, text);
		if (!r->early_over)
			r->early = at;
	}
}

static void hold(struct tn_relay *r, struct tn_str text)
{
	static const struct tn_relay_fault full = {
		.code = "BRIDGE_DISCONNECTED",
		.message = "There is no daemon yet, and too much waits for it already. "
			   "The call was not made."};
	const struct tn_relay_fault refused = {
		.code = "SERVER_FAILED", .message = r->fault, .final = true};
	enum want want = wanted(r, text);

	if (want == WANT_NOTHING || (want == WANT_PASSAGE && r->state == TN_RELAY_IDLE))
		return;
	if (r->state == TN_RELAY_REFUSED) {
		answer_all(r, text, &refused);
		tn_relay_settle(r);
		return;
	}
	if (!put_waiting(r, text)) {
		answer_all(r, text, &full);
		return;
	}
	r->has_request = r->has_request || want == WANT_ANSWER;
	if (r->state == TN_RELAY_CONNECTING)
		tn_relay_send_early(r);
	else if (want == WANT_ANSWER)
		tn_relay_connect(r);
}

void tn_relay_pass(struct tn_relay *r, struct tn_str text)
{
	if (r->state == TN_RELAY_OVER)
		return;
	if (r->state != TN_RELAY_OPEN)
		hold(r, text);
	else if (note_all(r, text))
		tn_relay_to_daemon(r, text);
}

void tn_relay_pass_waiting(struct tn_relay *r)
{
	struct tn_buf waiting = r->waiting;
	struct tn_str text;
	size_t at = 0;

	tn_buf_init(&r->waiting, TN_RELAY_WAITING_MAX);
	while (next_waiting(&waiting, &at, &text)) {
		if (at > r->early)
			tn_relay_pass(r, text);
		else
			(void)note_all(r, text); /* it is there already */
	}
	r->early = 0;
	r->early_over = r->has_request = false;
	tn_buf_finish(&waiting);
}

/* ---- the daemon is gone ---- */

void tn_relay_fail(struct tn_relay *r, const struct tn_relay_fault *fault)
{
	struct tn_str text;
	size_t at = 0;

	while (next_waiting(&r->waiting, &at, &text))
		answer_all(r, text, fault);
	tn_buf_finish(&r->waiting);
	tn_buf_init(&r->waiting, TN_RELAY_WAITING_MAX);
	r->early = 0;
	r->early_over = r->has_request = false;
	while (r->calls.first) {
		answer(r, r->calls.first->id, r->calls.first->kind, fault);
		tn_relay_calls_remove(&r->calls, r->calls.first);
	}
}

/* The host need not ask its user any more. */
static void withdraw_questions(struct tn_relay *r)
{
	struct tn_str key;
	size_t cursor = 0;
	void *id;

	while (tn_map_next(&r->questions, &cursor, &key, &id)) {
		struct tn_buf out;

		tn_buf_init(&out, ANSWER_BYTES_MAX);
		tn_buf_format(&out,
			      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
			      "\"params\":{\"requestId\":%s,\"reason\":\"The connection to the "
			      "daemon was lost\"}}",
			      (const char *)id);
		if (!out.failed)
			tn_relay_to_host(r, tn_buf_str(&out));
		tn_buf_finish(&out);
		(void)tn_map_remove(&r->questions, key);
		tn_mem_free(id);
	}
}

/* An initialize has no effect that could be had twice: it waits for the next daemon. A listen
 * request is sent again, because the client of a daemon that died would do so (MCP-196), and the
 * host's own connection has not died. All else is answered (ST-013). */
void tn_relay_lost(struct tn_relay *r)
{
	static const struct tn_relay_fault lost = {
		.code = "BRIDGE_DISCONNECTED",
		.message = "The connection to the daemon was lost before it answered. What was "
			   "asked for may have happened: look before doing it again."};
	struct tn_relay_call *call = r->calls.first, *next;

	for (; call; call = next) {
		next = call->next;
		if (call->kind == TN_RELAY_CALL_LISTEN && call->extra.size && !r->ending) {
			call->repeated = true;
			continue;
		}
		if (call->kind == TN_RELAY_CALL_INITIALIZE && call->extra.size &&
		    put_waiting(r, call->extra))
			r->has_request = true;
		else
			answer(r, call->id, call->kind, &lost);
		tn_relay_calls_remove(&r->calls, call);
	}
	withdraw_questions(r);
	tn_relay_wait(r, TN_RELAY_WAIT_CALLS | TN_RELAY_WAIT_DAEMON, false);
}

/* ---- from the daemon ---- */

static void take_question(struct tn_relay *r, const struct tn_relay_message *message)
{
	char *id = tn_mem_copy_text(message->id.data, message->id.size);

	/* Without memory the host's answer is dropped, and the question times out. */
	tn_mem_free(tn_map_remove(&r->questions, message->key));
	if (id && tn_map_put(&r->questions, message->key, id, NULL) != TENON_OK)
		tn_mem_free(id);
}

/* False: the host must not see it. */
static bool take_answer(struct tn_relay *r, const struct tn_relay_message *message,
			struct tn_str text)
{
	struct tn_relay_call *call = tn_relay_calls_find(&r->calls, message->key);

	if (!call)
		return true;
	/* MCP-195: it ends because the daemon does, and goes on with the next one. */
	if (call->kind == TN_RELAY_CALL_LISTEN && message->kind == TN_RELAY_RESULT &&
	    call->extra.size && !r->ending) {
		call->repeated = true;
		return false;
	}
	if (message->kind == TN_RELAY_RESULT)
		tn_relay_session_note(&r->session, call, text);
	tn_relay_calls_remove(&r->calls, call);
	if (r->waits & TN_RELAY_WAIT_CALLS)
		tn_relay_wait(r, TN_RELAY_WAIT_CALLS, false);
	return true;
}

/* False: the host must not see it. */
static bool take_notification(struct tn_relay *r, const struct tn_relay_message *message,
			      struct tn_str text)
{
	struct tn_relay_call *call = r->calls.listening ? r->calls.first : NULL;

	if (!tn_str_is(message->method, "notifications/subscriptions/acknowledged"))
		return true;
	for (; call; call = call->next) {
		if (call->kind == TN_RELAY_CALL_LISTEN && call->repeated &&
		    tn_relay_session_tell_listener(call, text, tn_relay_to_host, r)) {
			call->repeated = false;
			return false;
		}
	}
	return true;
}

/* The answers to a batch come in one array. */
static void take_batch(struct tn_relay *r, struct tn_str text)
{
	struct tn_relay_message message;

	if (!tn_relay_scan_begin(&r->scan, text))
		return;
	while (tn_relay_scan_next(&r->scan, &message) == TN_RELAY_MESSAGE) {
		if (message.kind == TN_RELAY_RESULT || message.kind == TN_RELAY_ERROR)
			(void)take_answer(r, &message, text);
	}
}

/* Which request an error without id answers cannot be known. Nothing waits for its own answer
 * longer than the oldest; when the table fills up with such, that one goes. */
static void forget_oldest(struct tn_relay *r)
{
	struct tn_relay_call *call = r->calls.first;

	while (call && call->kind == TN_RELAY_CALL_LISTEN)
		call = call->next;
	if (!call || r->calls.count <= TN_RELAY_REQUESTS_MAX / 2)
		return;
	tn_relay_calls_remove(&r->calls, call);
	if (r->waits & TN_RELAY_WAIT_CALLS)
		tn_relay_wait(r, TN_RELAY_WAIT_CALLS, false);
}

static bool take(struct tn_relay *r, struct tn_str text)
{
	struct tn_relay_message message;

	if (text.size && text.data[0] == '[') {
		take_batch(r, text);
		return true;
	}
	if (tn_relay_scan_head(&r->scan, text, &message) != TN_RELAY_MESSAGE)
		return true;
	switch (message.kind) {
	case TN_RELAY_RESULT:
	case TN_RELAY_ERROR:
		if (tn_relay_session_is_own(message.key)) {
			tn_relay_own_answer(r, text);
			return false;
		}
		return take_answer(r, &message, text);
	case TN_RELAY_REQUEST:
		take_question(r, &message);
		return true;
	case TN_RELAY_NOTIFICATION:
		return take_notification(r, &message, text);
	case TN_RELAY_OTHER: /* an error without id */
		forget_oldest(r);
		break;
	}
	return true;
}

void tn_relay_from_daemon(struct tn_str text, void *relay)
{
	struct tn_relay *r = relay;

	if (take(r, text))
		tn_relay_to_host(r, text);
	if (r->ending)
		tn_relay_settle(r);
}
