#include "client/request.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/mem.h"
#include "client/limits.h"
#include "client/question.h"

/* ---- life ---- */

void tn_request_free(struct tenon_request *request)
{
	if (!request)
		return;
	if (request->link) {
		*request->link = request->next;
		if (request->next)
			request->next->link = request->link;
		else
			request->client->last = request->link;
		request->client->request_count--;
	}
	tn_wire_drop(request->wire);
	tn_round_close(request->round);
	tn_client_call_finish(request);
	tn_client_task_finish(request);
	tn_list_finish(request);
	tn_timer_close(request->total);
	tn_buf_finish(&request->answers);
	tn_buf_finish(&request->state);
	tn_buf_finish(&request->result);
	tn_buf_finish(&request->error_data);
	tn_arena_finish(&request->arena);
	tn_mem_free(request);
}

void tn_request_finish_all(struct tenon_client *client)
{
	while (client->first)
		tn_request_free(client->first);
	tn_request_free(client->shown);
	client->shown = NULL;
}

/* ---- the end ---- */

/* Nothing more is done for it; it is handed out in the client's turn. */
static void end(struct tenon_request *request)
{
	request->has_ended = true;
	tn_wire_drop(request->wire);
	request->wire = NULL;
	tn_round_close(request->round);
	request->round = NULL;
	tn_client_call_finish(request);
	if (request->poll)
		tn_timer_stop(request->poll);
	if (request->total)
		tn_timer_stop(request->total);
	tn_client_turn(request->client);
}

void tn_request_fail(struct tenon_request *request, enum tenon_code code, const char *format, ...)
{
	char text[TENON_ERROR_MESSAGE_MAX];
	va_list arguments;

	if (request->has_ended)
		return;
	va_start(arguments, format);
	(void)vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	request->code = tn_fail(&request->err, code, "%s", "");
	tn_sentence_clean(text, &request->err); /* a server's words may be in it */
	tn_buf_clear(&request->result);
	end(request);
}

/* The program's texts end with a NUL. */
static bool write_value(struct tn_buf *out, const struct tn_json *value)
{
	tn_buf_clear(out);
	tn_json_put_value(out, value);
	tn_buf_append_byte(out, '\0');
	return !out->failed;
}

static void end_with_result(struct tenon_request *request)
{
	struct tenon_error err;
	enum tenon_code code = tn_buf_check(&request->result, &err);

	if (code != TENON_OK) {
		tn_request_fail(request, code, "the result: %s", err.message);
		return;
	}
	request->code = TENON_OK;
	end(request);
}

static const struct tn_known_tool *tool_of(const struct tenon_request *request)
{
	return request->kind == TN_REQUEST_CALL ? tn_tools_find(request->client, request->name)
						: NULL;
}

/* The key of a result in the cache: the method and what it was asked with. */
static void write_key(const struct tenon_request *request, struct tn_buf *out)
{
	tn_buf_append_str(out, request->method);
	tn_buf_append_byte(out, ' ');
	if (request->kind == TN_REQUEST_LIST) {
		tn_buf_append_text(out, "all pages");
		return;
	}
	tn_json_begin_object(out);
	tn_request_put_params(request, out);
	tn_json_end_object(out);
}

/* MCP-187: the methods whose results may be kept. */
static bool is_cacheable(const struct tenon_request *request)
{
	static const char *const methods[] = {
		"server/discover",          "tools/list",    "prompts/list", "resources/list",
		"resources/templates/list", "resources/read"};

	if (!tn_client_is_modern(request->client))
		return false;
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
		if (tn_str_is(request->method, methods[i]))
			return true;
	}
	return false;
}

/* MCP-189: not what belongs to a round of questions, whoever answers them. */
static bool is_of_questions(const struct tenon_request *request)
{
	return request->rounds || tn_json_get(request->params, "inputResponses") ||
	       tn_json_get(request->params, "requestState");
}

static void keep(struct tenon_request *request, int64_t ttl_ms)
{
	struct tn_buf key;

	if (ttl_ms <= 0 || !is_cacheable(request) || is_of_questions(request))
		return;
	tn_buf_init(&key, TN_MIB);
	write_key(request, &key);
	if (!key.failed)
		tn_cache_put(request->client, tn_buf_str(&key), tn_buf_str(&request->result),
			     ttl_ms);
	tn_buf_finish(&key);
}

bool tn_request_answer_from_cache(struct tenon_request *request)
{
	struct tn_str known = tn_str(NULL, 0);
	struct tn_buf key;

	if (request->options.fresh || !is_cacheable(request))
		return false;
	tn_buf_init(&key, TN_MIB);
	write_key(request, &key);
	if (!key.failed)
		known = tn_cache_get(request->client, tn_buf_str(&key));
	tn_buf_finish(&key);
	if (!known.data)
		return false;
	tn_buf_append_str(&request->result, known);
	end_with_result(request);
	return true;
}

void tn_request_end_list(struct tenon_request *request)
{
	tn_buf_append_byte(&request->result, '\0');
	if (!request->result.failed)
		keep(request, request->ttl_ms);
	end_with_result(request);
}

/* MCP-076. */
static bool is_complete(const struct tn_json *result)
{
	const struct tn_json *type = tn_json_get(result, "resultType");

	return !type || (type->type == TN_JSON_STRING && tn_str_is(type->text, "complete"));
}

void tn_request_succeed(struct tenon_request *request, const struct tn_json *result)
{
	const struct tn_known_tool *tool = tool_of(request);
	struct tenon_error err;
	int64_t ttl_ms = 0;
	bool is_error = false;

	if (request->has_ended)
		return;
	(void)tn_json_to_bool(tn_json_get(result, "isError"), &is_error);
	if (tool && !is_error && tn_tools_check(tool, result, &err) != TENON_OK) {
		tn_request_fail(request, err.code, "%s", err.message);
		return;
	}
	request->is_tool_error = is_error && tn_str_is(request->method, "tools/call");
	(void)write_value(&request->result, result); /* seen by end_with_result */
	(void)tn_json_to_int(tn_json_get(result, "ttlMs"), &ttl_ms);
	if (!request->result.failed && is_complete(result))
		keep(request, ttl_ms);
	end_with_result(request);
}

/* ---- answers ---- */

static void fail_with_error(struct tenon_request *request, const struct tn_answer *answer)
{
	request->error_code = answer->error_code;
	if (answer->error_data)
		(void)write_value(&request->error_data, answer->error_data);
	tn_request_fail(request, TENON_INVALID, "%s", answer->err.message);
}

/* MCP-131: a call is repeated only when its listed tool says that twice is as good as once. */
static bool is_safe(const struct tenon_request *request)
{
	const struct tn_known_tool *tool;

	if (request->task != TN_FOLLOW_NONE)
		return false;
	if (!tn_str_is(request->method, "tools/call"))
		return true;
	tool = tn_tools_find(request->client, request->name);
	return tool && tool->is_repeatable;
}

/* Nothing of the lost connection is worth anything on the next: neither the server's state nor its
 * cursors. */
static void begin_again(struct tenon_request *request)
{
	tn_buf_clear(&request->answers);
	tn_buf_clear(&request->state);
	request->rounds = 0;
	if (request->kind == TN_REQUEST_LIST)
		tn_list_begin_again(request);
}

static bool supports_r5(const struct tn_json *data)
{
	const struct tn_json *list = tn_json_get(data, "supported");
	struct tn_str text;

	if (!tn_json_is(list, TN_JSON_ARRAY))
		return false;
	for (const struct tn_json *v = list->first; v; v = v->next) {
		if (tn_json_to_str(v, &text) && tn_revision_find(text) == TN_R5)
			return true;
	}
	return false;
}

/* A stream of this request alone: nothing else is lost with it. */
static bool is_broken_stream(const struct tenon_client *client, const struct tn_answer *answer)
{
	return answer->end && answer->code == TENON_SYSTEM && !answer->is_lost &&
	       client->phase == TN_CLIENT_READY && tn_client_is_modern(client);
}

void tn_request_fail_answer(struct tenon_request *request, const struct tn_answer *answer)
{
	struct tenon_client *client = request->client;

	if (answer->is_lost && is_safe(request) && !request->again_lost &&
	    client->phase != TN_CLIENT_ENDED) {
		request->again_lost = true; /* MCP-088, MCP-131: once, when we are back */
		begin_again(request);
		return;
	}
	if (is_broken_stream(client, answer) && is_safe(request) && !request->again_lost) {
		request->again_lost = true; /* MCP-152: once, and at once */
		tn_request_go(request);
		return;
	}
	if (answer->error_code == -32022 && !request->again_version &&
	    supports_r5(answer->error_data)) { /* MCP-064 */
		request->again_version = true;
		tn_request_go(request);
		return;
	}
	if (answer->error_code == -32020 && !request->again_headers &&
	    tn_client_call_relist(request)) { /* MCP-128 */
		request->again_headers = true;
		return;
	}
	if (answer->error_code)
		fail_with_error(request, answer);
	else
		tn_request_fail(request, answer->code, "%s", answer->err.message);
}

/* MCP-076: a type of result that we do not know is no answer. */
void tn_request_take(struct tenon_request *request, const struct tn_json *result)
{
	const struct tn_json *type = tn_json_get(result, "resultType");
	struct tn_str text;

	if (!tn_client_is_modern(request->client)) {
		if (request->as_task && tn_json_is(tn_json_get(result, "task"), TN_JSON_OBJECT) &&
		    !request->options.once)
			tn_client_task_begin(request, tn_json_get(result, "task"), TN_FOLLOW_R4);
		else
			tn_request_succeed(request, result);
		return;
	}
	if (!type) {
		tn_request_succeed(request, result);
		return;
	}
	if (!tn_json_to_str(type, &text))
		text = TN_STR("(not a string)");
	if (tn_str_is(text, "complete") ||
	    (request->options.once &&
	     (tn_str_is(text, "input_required") || tn_str_is(text, "task"))))
		tn_request_succeed(request, result);
	else if (tn_str_is(text, "input_required"))
		tn_client_call_ask(request, result);
	else if (tn_str_is(text, "task") && !request->client->options.no_tasks)
		tn_client_task_begin(request, result, TN_FOLLOW_EXTENSION);
	else
		tn_request_fail(request, TENON_INVALID,
				"the server's result is of an unknown type: %.60s", text.data);
}

static void answered(void *data, const struct tn_answer *answer)
{
	struct tenon_request *request = data;

	request->wire = NULL;
	if (answer->code == TENON_OK)
		tn_request_take(request, answer->result);
	else
		tn_request_fail_answer(request, answer);
}

/* ---- sending ---- */

void tn_request_options_fill(const struct tenon_request *request, struct tn_wire_options *ret)
{
	*ret = (struct tn_wire_options){
		.name = request->name,
		.meta = tn_json_get(request->params, "_meta"),
		.token = request->options.progress ? request->token : 0,
		.log_level = request->options.log_level,
		.timeout_ms = request->options.timeout_ms,
		.deadline_ms = request->deadline_ms,
	};
}

static bool is_of_round(struct tn_str key)
{
	return tn_str_is(key, "inputResponses") || tn_str_is(key, "requestState");
}

void tn_request_put_params(const struct tenon_request *request, struct tn_buf *out)
{
	if (!request->params)
		return;
	for (const struct tn_json *m = request->params->first; m; m = m->next) {
		if (tn_str_is(m->key, "_meta") || (request->rounds && is_of_round(m->key)))
			continue;
		tn_json_put_key_str(out, m->key);
		tn_json_put_value(out, m);
	}
}

static void send_plain(struct tenon_request *request)
{
	struct tn_wire_options options;
	struct tn_wire *wire;
	struct tn_arena arena;
	struct tenon_error err;
	enum tenon_code code;

	tn_arena_init(&arena, TN_CLIENT_MESSAGE_MAX);
	tn_request_options_fill(request, &options);
	wire = tn_wire_begin(request->client, request->method, answered, request);
	if (!wire) {
		code = tn_fail(&err, TENON_NO_MEMORY, "out of memory");
	} else {
		tn_request_put_params(request, &wire->body);
		tn_client_call_put(request, &wire->body);
		request->wire = wire;
		code = tn_client_call_headers(request, &arena, &options, &err);
		if (code == TENON_OK)
			code = tn_wire_send(wire, &options, &err);
		else
			tn_wire_drop(wire);
	}
	tn_arena_finish(&arena);
	if (code != TENON_OK) {
		request->wire = NULL;
		tn_request_fail(request, code, "%s", err.message);
	}
}

void tn_request_go(struct tenon_request *request)
{
	if (request->has_ended || request->client->phase != TN_CLIENT_READY)
		return; /* tn_request_resume_all comes back to it */
	if (request->kind == TN_REQUEST_LIST)
		tn_list_go(request);
	else
		send_plain(request);
}

static bool is_idle(const struct tenon_request *request)
{
	return !request->has_ended && !request->wire && !request->round && !request->relisting &&
	       request->task == TN_FOLLOW_NONE;
}

void tn_request_resume_all(struct tenon_client *client)
{
	for (struct tenon_request *r = client->first; r; r = r->next) {
		if (is_idle(r))
			tn_request_go(r);
	}
}

void tn_request_fail_all(struct tenon_client *client, const struct tenon_error *err)
{
	for (struct tenon_request *r = client->first; r; r = r->next)
		tn_request_fail(r, err->code, "%s", err->message);
}

struct tenon_request *tn_request_of_token(struct tenon_client *client, uint64_t token)
{
	for (struct tenon_request *r = client->first; r; r = r->next) {
		if (r->token == token)
			return r;
	}
	return NULL;
}

/* ---- outcomes ---- */

static struct tn_str text_of(const struct tn_buf *buf)
{
	return buf->size ? tn_str(buf->data, buf->size - 1) : tn_str(NULL, 0);
}

static void fill_outcome(const struct tenon_request *request, struct tenon_outcome *ret)
{
	*ret = (struct tenon_outcome){.code = request->code,
				      .err = request->err,
				      .error_code = request->error_code,
				      .error_data = text_of(&request->error_data).data,
				      .is_tool_error = request->is_tool_error};
	if (request->code == TENON_OK) {
		ret->result = text_of(&request->result).data;
		ret->result_size = text_of(&request->result).size;
	}
}

/* One at a time, from the front: what `done` does may change the list. */
void tn_request_turn(struct tenon_client *client)
{
	struct tenon_request *request = client->first;
	bool owns_loop = client->owns_loop;

	while (request) {
		struct tenon_outcome outcome;

		if (!request->has_ended || !request->options.done) {
			request = request->next;
			continue;
		}
		/* Out of the list, so that nothing that `done` does can reach it. */
		*request->link = request->next;
		if (request->next)
			request->next->link = request->link;
		else
			client->last = request->link;
		client->request_count--;
		request->link = NULL;
		fill_outcome(request, &outcome);
		request->options.done(request, &outcome, request->options.data);
		tn_request_free(request);
		request = client->first;
	}
	if (owns_loop)
		tn_client_stop(client);
}

enum tenon_code tenon_request_wait(struct tenon_request *request, struct tenon_outcome *ret)
{
	struct tenon_error err;
	enum tenon_code code = TENON_OK;

	*ret = (struct tenon_outcome){0};
	if (!request || request->options.done)
		return ret->code = tn_fail(&ret->err, TENON_INTERNAL,
					   request ? "the request has a `done` of its own"
						   : "there is no request to wait for");
	while (!request->has_ended && code == TENON_OK)
		code = tn_client_run(request->client, &err);
	if (code != TENON_OK) {
		ret->err = err;
		return ret->code = code;
	}
	tn_request_free(request->client->shown);
	request->client->shown = request;
	*request->link = request->next;
	if (request->next)
		request->next->link = request->link;
	else
		request->client->last = request->link;
	request->client->request_count--;
	request->link = NULL;
	fill_outcome(request, ret);
	return ret->code;
}

void tenon_request_cancel(struct tenon_request *request)
{
	if (request->has_ended)
		return;
	if (request->task != TN_FOLLOW_NONE)
		tn_client_task_cancel(request);
	tn_wire_cancel(request->wire, "the client gave up on it");
	request->wire = NULL;
	tn_request_fail(request, TENON_CANCELLED, "cancelled");
}

/* ---- making one ---- */

static void total_over(struct tn_timer *timer, void *data)
{
	struct tenon_request *request = data;

	(void)timer;
	if (request->task != TN_FOLLOW_NONE)
		tn_client_task_cancel(request);
	tn_wire_cancel(request->wire, "timeout");
	request->wire = NULL;
	tn_request_fail(request, TENON_EXPIRED, "%.*s: the time for it is over",
			(int)request->method.size, request->method.data);
}

static enum tenon_code read_params(struct tenon_request *request, const char *params,
				   struct tenon_error *err)
{
	enum tenon_code code;

	if (!params)
		return TENON_OK;
	code = tn_json_parse_copy(&request->arena, tn_str_from(params), &request->params, err);
	if (code == TENON_OK && request->params->type != TN_JSON_OBJECT)
		code = tn_fail(err, TENON_INVALID, "params: send a JSON object");
	return code;
}

/* What HTTP repeats in a header (mcp.md section 11.3). */
static struct tn_str name_of(const struct tenon_request *request)
{
	static const char *const names[][2] = {
		{"tools/call", "name"},  {"prompts/get", "name"},    {"resources/read", "uri"},
		{"tasks/get", "taskId"}, {"tasks/update", "taskId"}, {"tasks/cancel", "taskId"},
	};
	struct tn_str name;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (tn_str_is(request->method, names[i][0]) &&
		    tn_json_to_str(tn_json_get(request->params, names[i][1]), &name))
			return name;
	}
	return tn_str(NULL, 0);
}

static enum tenon_code copy_options(struct tenon_request *request,
				    const struct tenon_request_options *options,
				    struct tenon_error *err)
{
	const struct tenon_client_options *own = &request->client->options;
	struct tenon_request_options *copy = &request->options;

	if (options)
		*copy = *options;
	if (copy->timeout_ms == 0)
		copy->timeout_ms = own->request_timeout_ms;
	if (copy->total_ms == 0)
		copy->total_ms = own->request_total_ms;
	if (copy->log_level) {
		copy->log_level = tn_arena_copy(&request->arena, tn_str_from(copy->log_level));
		if (!copy->log_level)
			return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	}
	request->deadline_ms = tn_loop_now_ms(request->client->loop) + copy->total_ms;
	request->token = ++request->client->last_token;
	return TENON_OK;
}

static enum tenon_code set_up(struct tenon_request *request, const char *method, const char *params,
			      const struct tenon_request_options *options, struct tenon_error *err)
{
	char *copy = tn_arena_copy(&request->arena, tn_str_from(method));
	enum tenon_code code;

	if (!copy)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	request->method = tn_str_from(copy);
	code = copy_options(request, options, err);
	if (code == TENON_OK)
		code = read_params(request, params, err);
	if (code == TENON_OK)
		code = tn_timer_open(request->client->loop, total_over, request, &request->total,
				     err);
	if (code != TENON_OK)
		return code;
	request->name = name_of(request);
	tn_timer_start(request->total, request->options.total_ms);
	return TENON_OK;
}

static enum tenon_code check_connected(const struct tenon_client *client, struct tenon_error *err)
{
	if (!client->was_ready)
		return tn_fail(err, TENON_INVALID,
			       "the client is not connected; call tenon_client_connect first");
	if (client->request_count >= TN_CLIENT_REQUESTS_MAX)
		return tn_fail(err, TENON_LIMIT, "%d requests are under way already",
			       TN_CLIENT_REQUESTS_MAX);
	return TENON_OK;
}

/* NULL: *err says why. */
struct tenon_request *tn_request_make(struct tenon_client *client, enum tn_request_kind kind,
				      const char *method, const char *params,
				      const struct tenon_request_options *options,
				      struct tenon_error *err)
{
	struct tenon_request *request;

	if (check_connected(client, err) != TENON_OK)
		return NULL;
	request = tn_mem_alloc(sizeof(*request));
	if (!request) {
		(void)tn_fail(err, TENON_NO_MEMORY, "out of memory");
		return NULL;
	}
	request->client = client;
	request->kind = kind;
	request->poll_ms = TN_CLIENT_POLL_MS;
	tn_arena_init(&request->arena, TN_CLIENT_ARENA_MAX);
	tn_buf_init(&request->answers, TN_CLIENT_MESSAGE_MAX);
	tn_buf_init(&request->state, TN_CLIENT_STATE_MAX);
	tn_buf_init(&request->cursor, TN_MIB);
	tn_buf_init(&request->items, TN_CLIENT_RESULT_MAX);
	tn_buf_init(&request->result, TN_CLIENT_RESULT_MAX);
	tn_buf_init(&request->error_data, TN_CLIENT_RESULT_MAX);
	tn_map_init(&request->answered);
	tn_map_init(&request->cursors);
	if (set_up(request, method, params, options, err) != TENON_OK) {
		tn_request_free(request);
		return NULL;
	}
	request->link = client->last;
	*client->last = request;
	client->last = &request->next;
	client->request_count++;
	return request;
}

static struct tenon_request *begin(struct tenon_client *client, const char *method,
				   const char *params, const struct tenon_request_options *options,
				   struct tenon_error *err)
{
	struct tenon_request *request =
		tn_request_make(client, TN_REQUEST_PLAIN, method, params, options, err);

	if (request && !tn_request_answer_from_cache(request))
		tn_request_go(request);
	return request;
}

struct tenon_request *tenon_client_request(struct tenon_client *client, const char *method,
					   const char *params,
					   const struct tenon_request_options *options,
					   struct tenon_error *err)
{
	if (!method || !*method || strcmp(method, "initialize") == 0) {
		(void)tn_fail(err, TENON_INVALID, "method: initialize is the client's own");
		return NULL;
	}
	return begin(client, method, params, options, err);
}

static struct tenon_request *begin_named(struct tenon_client *client, const char *method,
					 const char *key, const char *value, const char *arguments,
					 const struct tenon_request_options *options,
					 struct tenon_error *err)
{
	struct tenon_request *request = NULL;
	struct tn_buf params;

	tn_buf_init(&params, TN_CLIENT_MESSAGE_MAX);
	tn_json_begin_object(&params);
	tn_json_put_member_text(&params, key, value);
	if (arguments)
		tn_json_put_member_raw(&params, "arguments", tn_str_from(arguments));
	tn_json_end_object(&params);
	tn_buf_append_byte(&params, '\0');
	if (tn_buf_check(&params, err) == TENON_OK)
		request = begin(client, method, params.data, options, err);
	tn_buf_finish(&params);
	return request;
}

struct tenon_request *tenon_client_read(struct tenon_client *client, const char *uri,
					const struct tenon_request_options *options,
					struct tenon_error *err)
{
	return begin_named(client, "resources/read", "uri", uri, NULL, options, err);
}

struct tenon_request *tenon_client_prompt(struct tenon_client *client, const char *name,
					  const char *arguments,
					  const struct tenon_request_options *options,
					  struct tenon_error *err)
{
	return begin_named(client, "prompts/get", "name", name, arguments, options, err);
}

enum tenon_code tenon_client_notify(struct tenon_client *client, const char *method,
				    const char *params, struct tenon_error *err)
{
	struct tn_json *parsed = NULL;
	enum tenon_code code = TENON_OK;
	struct tn_arena arena;

	if (client->phase != TN_CLIENT_READY)
		return tn_fail(err, TENON_INVALID, "the client is not connected");
	tn_arena_init(&arena, TN_CLIENT_ARENA_MAX);
	if (params)
		code = tn_json_parse_copy(&arena, tn_str_from(params), &parsed, err);
	if (parsed && parsed->type != TN_JSON_OBJECT)
		code = tn_fail(err, TENON_INVALID, "params: send a JSON object");
	tn_arena_finish(&arena);
	return code != TENON_OK
		       ? code
		       : tn_wire_notify(client, tn_str_from(method), tn_str_from(params), err);
}
