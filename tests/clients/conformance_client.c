/* conformance_client.c - the client the official conformance suite is run against.
 *
 *     MCP_CONFORMANCE_SCENARIO=NAME conformance-client URL
 *
 * Every message is sent through the public API (tenon/client.h); the library's JSON reader stands
 * in for the one a program of somebody else's would bring. What a scenario wants done is one
 * function and one line of a table; an unknown scenario is: connect, list the tools, leave.
 * Contract: mcp-conformance.md section 5. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tenon/client.h>

#include "base/arena.h"
#include "base/buf.h"
#include "jsonrpc/json.h"
#include "jsonrpc/json_write.h"

#define ARENA_BYTES_MAX ((size_t)16 << 20)
#define CALL_BYTES_MAX ((size_t)4 << 20)

struct run {
	struct tenon_client *client;
	struct tn_arena arena;
	const struct tn_json *context;   /* MCP_CONFORMANCE_CONTEXT, or NULL */
	struct tenon_question *question; /* sep-2322: open until an unrelated call has ended */
	int unrelated_calls;
	bool failed;
};

static void complain(struct run *run, const char *what, const char *why)
{
	run->failed = true;
	(void)fprintf(stderr, "conformance-client: %s: %s\n", what, why);
}

/* Waits for the request; its result as a tree, or NULL after having said why there is none. */
static const struct tn_json *finish(struct run *run, const char *what,
				    struct tenon_request *request, const struct tenon_error *err)
{
	struct tenon_outcome outcome;
	struct tn_json *result = NULL;
	struct tenon_error parse = {0};
	if (!request) {
		complain(run, what, err->message);
		return NULL;
	}
	if (tenon_request_wait(request, &outcome) != TENON_OK) {
		complain(run, what, outcome.err.message);
		return NULL;
	}
	if (tn_json_parse_copy(&run->arena, tn_str(outcome.result, outcome.result_size), &result,
			       &parse) != TENON_OK) {
		complain(run, what, parse.message);
		return NULL;
	}
	return result;
}

static const struct tn_json *list(struct run *run, enum tenon_list which, const char *member)
{
	struct tenon_error err = {0};
	struct tenon_request *request = tenon_client_list(run->client, which, NULL, &err);
	return tn_json_get(finish(run, member, request, &err), member);
}

static void call(struct run *run, const char *tool, const char *arguments)
{
	struct tenon_error err = {0};
	(void)finish(run, tool, tenon_client_call(run->client, tool, arguments, NULL, &err), &err);
}

static void call_with(struct run *run, const char *tool, const struct tn_json *arguments)
{
	struct tn_buf text;
	tn_buf_init(&text, CALL_BYTES_MAX);
	tn_json_put_value(&text, arguments);
	tn_buf_append_byte(&text, '\0');
	if (text.failed)
		complain(run, tool, "the arguments are too large");
	else
		call(run, tool, text.data);
	tn_buf_finish(&text);
}

/* A string member, NUL-terminated by the reader; empty when there is none. */
static const char *text_of(const struct tn_json *object, const char *key)
{
	struct tn_str text;
	return tn_json_to_str(tn_json_get(object, key), &text) ? text.data : "";
}

static const struct tn_json *first_child(const struct tn_json *list)
{
	return tn_json_is(list, TN_JSON_ARRAY) && list->count ? list->first : NULL;
}

/* ---- scenarios ---- */

static void only_list(struct run *run)
{
	(void)list(run, TENON_LIST_TOOLS, "tools");
}

static void add_numbers(struct run *run)
{
	(void)list(run, TENON_LIST_TOOLS, "tools");
	call(run, "add_numbers", "{\"a\":5,\"b\":3}");
}

/* Whatever is listed is called: a tool that should have been dropped is caught by the suite. */
static void call_all(struct run *run, const char *arguments)
{
	for (const struct tn_json *tool = first_child(list(run, TENON_LIST_TOOLS, "tools")); tool;
	     tool = tool->next)
		call(run, text_of(tool, "name"), arguments);
}

static void call_listed(struct run *run)
{
	call_all(run, "{}");
}

static void call_valid(struct run *run)
{
	call_all(run, "{\"region\":\"us-west1\"}");
}

static void everything_once(struct run *run)
{
	struct tenon_error err = {0};
	call_listed(run);
	for (const struct tn_json *it = first_child(list(run, TENON_LIST_RESOURCES, "resources"));
	     it; it = it->next) {
		const char *uri = text_of(it, "uri");
		(void)finish(run, uri, tenon_client_read(run->client, uri, NULL, &err), &err);
	}
	for (const struct tn_json *it = first_child(list(run, TENON_LIST_PROMPTS, "prompts")); it;
	     it = it->next) {
		const char *name = text_of(it, "name");
		(void)finish(run, name, tenon_client_prompt(run->client, name, NULL, NULL, &err),
			     &err);
	}
}

static void calls_of_context(struct run *run)
{
	const struct tn_json *it = first_child(tn_json_get(run->context, "toolCalls"));
	if (!it)
		complain(run, "MCP_CONFORMANCE_CONTEXT", "there is no call in it");
	(void)list(run, TENON_LIST_TOOLS, "tools");
	for (; it; it = it->next)
		call_with(run, text_of(it, "name"), tn_json_get(it, "arguments"));
}

static void echo_schema(struct run *run)
{
	const struct tn_json *tool = first_child(list(run, TENON_LIST_TOOLS, "tools"));
	struct tn_buf text;
	while (tool && strcmp(text_of(tool, "name"), "json_schema_echo") == 0)
		tool = tool->next;
	if (!tool) {
		complain(run, "json_schema_echo", "there is no tool whose schema could be sent");
		return;
	}
	tn_buf_init(&text, CALL_BYTES_MAX);
	tn_json_begin_object(&text);
	tn_json_put_key(&text, "schema");
	tn_json_put_value(&text, tn_json_get(tool, "inputSchema"));
	tn_json_end_object(&text);
	tn_buf_append_byte(&text, '\0');
	if (text.failed)
		complain(run, "json_schema_echo", "the schema is too large");
	else
		call(run, "json_schema_echo", text.data);
	tn_buf_finish(&text);
}

/* The call between the rounds of another one must carry nothing of it. */
static void unrelated_done(struct tenon_request *request, const struct tenon_outcome *outcome,
			   void *data)
{
	struct run *run = data;
	struct tenon_question *question = run->question;
	struct tenon_error err = {0};
	(void)request;
	run->question = NULL;
	run->unrelated_calls++;
	if (outcome->code != TENON_OK)
		complain(run, "test_mrtr_unrelated", outcome->err.message);
	if (tenon_question_accept(question, "{\"confirmed\":true}", &err) != TENON_OK)
		complain(run, "the form", err.message);
}

static void rounds(struct run *run)
{
	call(run, "test_mrtr_echo_state", "{}");
	call(run, "test_mrtr_no_state", "{}");
	call(run, "test_mrtr_no_result_type", "{}");
	if (run->unrelated_calls == 0)
		complain(run, "test_mrtr_echo_state", "nobody was asked");
}

static void elicit_between_rounds(struct tenon_question *question, struct run *run)
{
	const struct tenon_request_options options = {.done = unrelated_done, .data = run};
	struct tenon_error err = {0};
	if (run->question) {
		tenon_question_decline(question);
		complain(run, "elicitation", "two at once");
		return;
	}
	run->question = question;
	if (!tenon_client_call(run->client, "test_mrtr_unrelated", "{}", &options, &err)) {
		run->question = NULL;
		tenon_question_cancel(question);
		complain(run, "test_mrtr_unrelated", err.message);
	}
}

struct scenario {
	const char *name;
	void (*act)(struct run *run);
};

static const struct scenario scenarios[] = {
	{"initialize", only_list},
	{"tools_call", add_numbers},
	{"elicitation-sep1034-client-defaults", call_listed},
	{"sse-retry", call_listed},
	{"request-metadata", call_listed},
	{"http-standard-headers", everything_once},
	{"http-custom-headers", calls_of_context},
	{"http-invalid-tool-headers", call_valid},
	{"sep-2322-client-request-state", rounds},
	{"json-schema-ref-no-deref", only_list},
	{"json-schema-2020-12-preservation", echo_schema},
};

static const struct scenario *find_scenario(const char *name)
{
	static const struct scenario unknown = {"", only_list};
	for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++)
		if (strcmp(scenarios[i].name, name) == 0)
			return &scenarios[i];
	return &unknown;
}

/* ---- the program ---- */

static void elicit(struct tenon_question *question, void *data)
{
	struct run *run = data;
	struct tenon_error err = {0};
	const char *scenario = getenv("MCP_CONFORMANCE_SCENARIO");
	if (scenario && strcmp(scenario, "sep-2322-client-request-state") == 0)
		elicit_between_rounds(question, run);
	else if (tenon_question_accept(question, NULL, &err) != TENON_OK)
		complain(run, "elicitation", err.message);
}

/* No scenario samples or asks for roots; that they are declared well is checked. */
static void sample(struct tenon_question *question, void *data)
{
	(void)data;
	tenon_question_refuse(question, -1, "there is no model here");
}

static bool is_legacy(const char *revision)
{
	return revision && strcmp(revision, "2026-07-28") < 0;
}

static void read_context(struct run *run)
{
	const char *text = getenv("MCP_CONFORMANCE_CONTEXT");
	struct tenon_error err = {0};
	struct tn_json *context = NULL;
	if (!text)
		return;
	if (tn_json_parse_copy(&run->arena, tn_str_from(text), &context, &err) != TENON_OK)
		complain(run, "MCP_CONFORMANCE_CONTEXT", err.message);
	run->context = context;
}

int main(int argc, char **argv)
{
	const char *name = getenv("MCP_CONFORMANCE_SCENARIO");
	const char *revision = getenv("MCP_CONFORMANCE_PROTOCOL_VERSION");
	struct run run = {.client = NULL};
	struct tenon_error err = {0};
	if (argc != 2) {
		(void)fprintf(stderr, "usage: conformance-client URL\n");
		return 2;
	}
	/* A modern server is found by asking; a legacy one is spoken to as the suite says. */
	const struct tenon_client_options options = {
		.name = "tenon-conformance-client",
		.version = TENON_VERSION,
		.url = argv[1],
		.mode = is_legacy(revision) ? TENON_MODE_LEGACY : TENON_MODE_AUTO,
		.revision = is_legacy(revision) ? revision : NULL,
		.handlers = {.elicit = elicit, .sample = sample, .data = &run}};
	tn_arena_init(&run.arena, ARENA_BYTES_MAX);
	read_context(&run);
	if (tenon_client_create(&options, &run.client, &err) != TENON_OK ||
	    tenon_client_set_roots(run.client, "[{\"uri\":\"file:///work\"}]", &err) != TENON_OK ||
	    tenon_client_connect(run.client, &err) != TENON_OK)
		complain(&run, "connect", err.message);
	else
		find_scenario(name ? name : "")->act(&run);
	tenon_client_destroy(run.client);
	tn_arena_finish(&run.arena);
	return run.failed ? 1 : 0;
}
