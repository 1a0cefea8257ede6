/* tools/call and its kin: rounds of questions (MCP-202, MCP-206), tasks asked for, arguments that
 * HTTP wants in headers (MCP-126). */
#include "client/question.h"
#include "client/limits.h"
#include "client/request.h"
#include "mcp/header_params.h"
#include "transport/limits.h"

/* ---- what is added to the params ---- */

/* 2025-11-25: whoever must be a task becomes one, whoever may be one when that is wanted. */
static bool becomes_task(const struct tenon_request *request)
{
	const struct tn_known_tool *tool;

	if (request->kind != TN_REQUEST_CALL || request->client->revision != TN_R4 ||
	    !request->client->about.tasks_r4)
		return false;
	tool = tn_tools_find(request->client, request->name);
	if (!tool)
		return request->options.as_task;
	return tool->must_be_task || (tool->may_be_task && request->options.as_task);
}

void tn_client_call_put(struct tenon_request *request, struct tn_buf *out)
{
	request->as_task = becomes_task(request);
	if (request->as_task)
		tn_json_put_member_raw(out, "task", TN_STR("{}"));
	if (request->answers.size)
		tn_json_put_member_raw(out, "inputResponses", tn_buf_str(&request->answers));
	if (request->state.size)
		tn_json_put_member_raw(out, "requestState", tn_buf_str(&request->state));
}

/* ---- headers ---- */

static bool write_value(const struct tn_json *value, struct tn_buf *out)
{
	switch (value->type) {
	case TN_JSON_TRUE:
		tn_buf_append_text(out, "true");
		return true;
	case TN_JSON_FALSE:
		tn_buf_append_text(out, "false");
		return true;
	case TN_JSON_NUMBER:
		tn_buf_append_str(out, value->text);
		return true;
	case TN_JSON_STRING:
		tn_header_encode(value->text, out);
		return true;
	default: /* no such argument fits the schema; the server says so */
		return false;
	}
}

enum tenon_code tn_client_call_headers(struct tenon_request *request, struct tn_arena *arena,
				       struct tn_wire_options *options, struct tenon_error *err)
{
	const struct tn_known_tool *tool = tn_tools_find(request->client, request->name);
	const struct tn_json *arguments = tn_json_get(request->params, "arguments");
	struct tn_carrier_header *headers;
	size_t count = 0;

	if (!tool || !tool->params || !tn_str_is(request->method, "tools/call") ||
	    !tn_client_is_modern(request->client))
		return TENON_OK;
	for (const struct tn_header_param *p = tool->params; p; p = p->next)
		count++;
	headers = tn_arena_alloc_array(arena, count, sizeof(*headers));
	if (!headers)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	count = 0;
	for (const struct tn_header_param *p = tool->params; p; p = p->next) {
		const struct tn_json *value = tn_header_param_value(p, arguments);
		struct tn_buf text;
		const char *copy = NULL;
		size_t size;

		tn_buf_init(&text, TN_HTTP_HEADER_MAX);
		if (!value || !write_value(value, &text)) {
			tn_buf_finish(&text);
			continue;
		}
		size = text.size;
		if (!text.failed)
			copy = tn_arena_copy(arena, tn_buf_str(&text));
		tn_buf_finish(&text);
		if (!copy)
			return tn_fail(err, TENON_LIMIT, "an argument is too long for a header");
		headers[count++] =
			(struct tn_carrier_header){tn_str_from(p->header), tn_str(copy, size)};
	}
	options->headers = headers;
	options->header_count = count;
	return TENON_OK;
}

static void relisted(struct tenon_request *list, const struct tenon_outcome *outcome, void *data)
{
	struct tenon_request *request = data; /* NULL: nobody waits any more */

	(void)list;
	if (!request)
		return;
	request->relisting = NULL;
	if (outcome->code != TENON_OK)
		tn_request_fail(request, outcome->code,
				"the tool's headers have changed, and its definition cannot be "
				"read: %.120s",
				outcome->err.message);
	else
		tn_request_go(request);
}

void tn_client_call_finish(struct tenon_request *request)
{
	struct tenon_request *list = request->relisting;

	request->relisting = NULL;
	if (!list)
		return;
	list->options.data = NULL;
	tenon_request_cancel(list);
}

bool tn_client_call_relist(struct tenon_request *request)
{
	struct tenon_request_options options = {.done = relisted, .data = request, .fresh = true};

	if (!tn_str_is(request->method, "tools/call") || !request->client->carrier ||
	    request->client->carrier->kind != TN_CARRIER_HTTP)
		return false;
	request->relisting = tenon_client_list(request->client, TENON_LIST_TOOLS, &options, NULL);
	return request->relisting != NULL;
}

/* ---- rounds ---- */

static void round_over(void *data, struct tn_str answers, const struct tenon_error *err)
{
	struct tenon_request *request = data;

	request->round = NULL;
	if (err) {
		tn_request_fail(request, err->code, "%s", err->message);
		return;
	}
	tn_buf_clear(&request->answers);
	tn_buf_append_str(&request->answers, answers);
	if (request->answers.failed)
		tn_request_fail(request, TENON_LIMIT, "the answers are too long");
	else
		tn_request_go(request);
}

static bool may_ask(const struct tenon_request *request)
{
	return tn_str_is(request->method, "tools/call") ||
	       tn_str_is(request->method, "prompts/get") ||
	       tn_str_is(request->method, "resources/read");
}

void tn_client_call_ask(struct tenon_request *request, const struct tn_json *result)
{
	const struct tn_json *requests = tn_json_get(result, "inputRequests");
	const struct tn_json *state = tn_json_get(result, "requestState");
	struct tenon_error err;

	if (!may_ask(request) || (!requests && !state) ||
	    (state && state->type != TN_JSON_STRING)) {
		tn_request_fail(request, TENON_INVALID,
				"the server wants input in a way that the protocol does not know");
		return;
	}
	if (++request->rounds > TN_CLIENT_ROUNDS_MAX) {
		tn_request_fail(request, TENON_LIMIT,
				"the server has asked %d times, and still has no answer",
				TN_CLIENT_ROUNDS_MAX);
		return;
	}
	tn_buf_clear(&request->answers);
	tn_buf_clear(&request->state);
	if (state)
		tn_json_put_value(&request->state, state);
	if (request->state.failed)
		tn_request_fail(request, TENON_LIMIT, "the server's requestState is too long");
	else if (!requests)
		tn_request_go(request);
	else if (tn_round_open(request->client, requests, NULL, round_over, request,
			       &request->round, &err) != TENON_OK)
		tn_request_fail(request, err.code, "%s", err.message);
}

/* ---- the public way in ---- */

struct tenon_request *tenon_client_call(struct tenon_client *client, const char *tool,
					const char *arguments,
					const struct tenon_request_options *options,
					struct tenon_error *err)
{
	struct tenon_request *request = NULL;
	struct tn_buf params;

	tn_buf_init(&params, TN_CLIENT_MESSAGE_MAX);
	tn_json_begin_object(&params);
	tn_json_put_member_text(&params, "name", tool);
	tn_json_put_member_raw(&params, "arguments",
			       arguments ? tn_str_from(arguments) : TN_STR("{}"));
	tn_json_end_object(&params);
	tn_buf_append_byte(&params, '\0');
	if (tn_buf_check(&params, err) == TENON_OK)
		request = tn_request_make(client, TN_REQUEST_CALL, "tools/call", params.data,
					  options, err);
	tn_buf_finish(&params);
	if (request)
		tn_request_go(request);
	return request;
}
