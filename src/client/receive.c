/* What the server sends: an answer, a question, a notice, or nothing we know (MCP-017, MCP-018). */
#include "client/question.h"
#include "client/limits.h"
#include "client/request.h"
#include "client/wire.h"
#include "mcp/limits.h"

/* ---- answers ---- */

static void read_error(const struct tn_json *error, struct tn_answer *answer)
{
	struct tn_str message;
	int64_t code = 0;

	if (!tn_json_is(error, TN_JSON_OBJECT) ||
	    !tn_json_to_int(tn_json_get(error, "code"), &code) || code == 0) {
		answer->code = tn_fail(&answer->err, TENON_INVALID,
				       "the server's error has no code: no answer");
		return;
	}
	if (!tn_json_to_str(tn_json_get(error, "message"), &message))
		message = TN_STR("error");
	answer->code = tn_fail(&answer->err, TENON_INVALID, "%s", "");
	tn_sentence_clean(message.data, &answer->err); /* parsed strings end with a NUL */
	answer->error_code = code;
	answer->error_data = tn_json_get(error, "data");
}

/* MCP-061: such a status says more than the body; `ended` comes with it. */
static bool is_told_by_status(const struct tenon_client *client, unsigned status)
{
	return status == 401 || status == 403 || status == 429 || status >= 500 ||
	       (status == 404 && client->revision >= TN_R1 && client->revision <= TN_R4 &&
		client->phase == TN_CLIENT_READY);
}

static void take_answer(struct tenon_client *client, void *request, unsigned status,
			const struct tn_json *message)
{
	const struct tn_json *id = tn_json_get(message, "id");
	const struct tn_json *result = tn_json_get(message, "result");
	const struct tn_json *error = tn_json_get(message, "error");
	struct tn_wire *wire = tn_wire_find(client, id);
	struct tn_answer answer = {.code = TENON_OK, .result = result, .status = status};

	/* MCP-016: an error without an id, on the stream of the only request it can be about. */
	if (!wire && request && error && (!id || id->type == TN_JSON_NULL))
		wire = request;
	if (!wire || (request && wire != request) || is_told_by_status(client, status))
		return;
	if (result && error)
		answer.code = tn_fail(&answer.err, TENON_INVALID,
				      "the server's answer has a result and an error");
	else if (error)
		read_error(error, &answer);
	else if (!tn_json_is(result, TN_JSON_OBJECT))
		answer.code = tn_fail(&answer.err, TENON_INVALID,
				      "the server's answer has no result that is an object");
	if (answer.code != TENON_OK)
		answer.result = NULL;
	tn_wire_end(wire, &answer);
}

/* ---- notices ---- */

static void take_progress(struct tenon_client *client, const struct tn_json *params)
{
	struct tenon_request *request;
	struct tn_str message;
	double progress, total = 0;
	int64_t token;

	if (!tn_json_to_int(tn_json_get(params, "progressToken"), &token) || token <= 0 ||
	    !tn_json_to_double(tn_json_get(params, "progress"), &progress))
		return;
	request = tn_request_of_token(client, (uint64_t)token);
	if (!request || request->has_ended) /* MCP-168 */
		return;
	if (request->wire)
		tn_wire_heard(request->wire);
	if (request->has_progress && !(progress > request->progress))
		return;
	request->has_progress = true;
	request->progress = progress;
	(void)tn_json_to_double(tn_json_get(params, "total"), &total);
	if (!tn_json_to_str(tn_json_get(params, "message"), &message))
		message.data = NULL; /* parsed strings have a NUL behind them */
	if (request->options.progress)
		request->options.progress(request, progress, total, message.data,
					  request->options.data);
}

static void take_log(struct tenon_client *client, const struct tn_json *params)
{
	const struct tenon_client_handlers *handlers = &client->options.handlers;
	struct tn_str level, logger;
	struct tn_buf data;

	if (!handlers->log || !tn_json_to_str(tn_json_get(params, "level"), &level))
		return;
	if (!tn_json_to_str(tn_json_get(params, "logger"), &logger))
		logger.data = NULL;
	tn_buf_init(&data, TN_CLIENT_RESULT_MAX);
	tn_json_put_value(&data, tn_json_get(params, "data"));
	tn_buf_append_byte(&data, '\0');
	if (!data.failed) /* a line of the log is lost alone */
		handlers->log(level.data, logger.data, data.data, handlers->data);
	tn_buf_finish(&data);
}

/* A legacy server gives up on a question; a modern one ends a subscription in this way, if it does
 * not send the result (mcp.md section 25). */
static void take_cancelled(struct tenon_client *client, const struct tn_json *id)
{
	struct tn_answer answer = {.code = TENON_OK};
	struct tn_wire *wire = tn_client_is_modern(client) ? tn_wire_find(client, id) : NULL;

	if (wire && tn_watch_is_stream(client, wire))
		tn_wire_end(wire, &answer);
	else
		tn_question_withdraw(client, id);
}

static void take_notice(struct tenon_client *client, struct tn_str method,
			const struct tn_json *params)
{
	if (tn_str_is(method, "notifications/progress"))
		take_progress(client, params);
	else if (tn_str_is(method, "notifications/message"))
		take_log(client, params);
	else if (tn_str_is(method, "notifications/cancelled"))
		take_cancelled(client, tn_json_get(params, "requestId"));
	tn_watch_notice(client, method, params);
}

/* ---- the message ---- */

/* MCP-069: at once, and before anything else is agreed upon. MCP-091: a modern server asks nothing
 * this way, and gets no answer. */
static void take_question(struct tenon_client *client, const struct tn_json *id,
			  struct tn_str method, const struct tn_json *params)
{
	struct tn_buf raw;

	if (tn_client_is_modern(client) || (id->type != TN_JSON_STRING && !tn_json_is_integer(id)))
		return;
	tn_buf_init(&raw, TN_MIB);
	tn_json_put_value(&raw, id);
	if (raw.failed || raw.size > TN_ID_BYTES_MAX)
		; /* nobody sends such an id and means to find it again */
	else if (tn_str_is(method, "ping"))
		tn_wire_reply(client, tn_buf_str(&raw), TN_STR("{}"));
	else
		tn_question_receive(client, tn_buf_str(&raw), method, params);
	tn_buf_finish(&raw);
}

static void take_message(struct tenon_client *client, void *request, unsigned status,
			 const struct tn_json *message)
{
	const struct tn_json *id = tn_json_get(message, "id");
	struct tn_str method, version;

	if (!tn_json_to_str(tn_json_get(message, "jsonrpc"), &version) ||
	    !tn_str_is(version, "2.0")) /* MCP-001 */
		return;
	if (!tn_json_get(message, "method"))
		take_answer(client, request, status, message);
	else if (!tn_json_to_str(tn_json_get(message, "method"), &method))
		return;
	else if (id)
		take_question(client, id, method, tn_json_get(message, "params"));
	else
		take_notice(client, method, tn_json_get(message, "params"));
}

/* A message that cannot be told whose it is: when one request is out, it was its answer. */
static void give_up_only(struct tenon_client *client, const struct tn_answer *answer)
{
	size_t cursor = 0, count = 0;
	struct tn_wire *only = NULL;
	struct tn_str key;
	void *wire;

	tn_client_log(client, "error", answer->err.message);
	while (tn_map_next(&client->wires, &cursor, &key, &wire)) {
		if (tn_watch_is_stream(client, wire))
			continue;
		only = count++ == 0 ? wire : NULL;
	}
	if (only)
		tn_wire_end(only, answer);
}

/* MCP-089; a modern server gets no responses (MCP-091), and one that sends nothing but garbage is
 * told a few times only. */
static void tell_fault(struct tenon_client *client, int code, const char *message)
{
	if (client->revision < TN_R1 || client->revision > TN_R4 ||
	    client->faults_told >= TN_CLIENT_FAULTS_TOLD_MAX)
		return;
	client->faults_told++;
	tn_wire_refuse(client, tn_str(NULL, 0), code, message);
}

/* A stream ends a request that its only message cannot be read for. */
static void take_garbage(struct tenon_client *client, void *request, enum tenon_code code,
			 const struct tenon_error *err)
{
	struct tn_answer answer = {.code = code};

	if (request) {
		(void)tn_fail(&answer.err, code, "the server's answer cannot be read: %.180s",
			      err->message);
		tn_wire_end(request, &answer);
		return;
	}
	if (code == TENON_LIMIT) {
		(void)tn_fail(&answer.err, code, "the server's message cannot be read: %.180s",
			      err->message);
		give_up_only(client, &answer);
		return;
	}
	if (code == TENON_NO_MEMORY && client->carrier->kind == TN_CARRIER_STREAM) {
		/* Whose answer it was cannot be known: nobody may wait for it. */
		tn_connect_lost(client, err);
		return;
	}
	if (code == TENON_INVALID)
		tell_fault(client, -32700, "Parse error");
}

void tn_receive(void *data, void *request, unsigned status, struct tn_str json)
{
	struct tenon_client *client = data;
	struct tn_json *message = NULL;
	struct tn_arena arena;
	struct tenon_error err;
	enum tenon_code code;

	tn_arena_init(&arena, TN_CLIENT_ARENA_MAX);
	code = tn_json_parse_copy(&arena, json, &message, &err);
	if (request && code == TENON_OK)
		tn_wire_heard(request);
	if (code != TENON_OK)
		take_garbage(client, request, code, &err);
	else if (message->type != TN_JSON_ARRAY)
		take_message(client, request, status, message);
	else if (client->revision == TN_R2) { /* MCP-018: the one revision with batches */
		for (const struct tn_json *m = message->first; m; m = m->next)
			take_message(client, NULL, status, m);
	}
	tn_arena_finish(&arena);
}

void tn_receive_skipped(void *data)
{
	struct tenon_client *client = data;
	struct tn_answer answer = {.code = TENON_LIMIT};

	(void)tn_fail(&answer.err, TENON_LIMIT, "the server sent a message of more than %zu bytes",
		      TN_CLIENT_MESSAGE_MAX);
	tell_fault(client, -32600, "The message is too long");
	give_up_only(client, &answer);
}
