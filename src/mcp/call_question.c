/* What a handler asks the user or the client's model, written once for both eras (mcp.md section
 * 16): either the answer is there, or the question is noted and put when the handler has returned.
 */
#include "mcp/call.h"

#include "base/limits.h"
#include "base/rng.h"
#include "jsonrpc/json_write.h"
#include "jsonrpc/schema.h"
#include "mcp/form.h"
#include "mcp/limits.h"
#include "mcp/sampling.h"

static void note(struct tenon_call *call, const char *key, const char *method,
		 const struct tn_buf *params)
{
	struct tn_ask **tail = &call->asks;
	struct tn_ask *ask;
	unsigned count = 0;

	for (; *tail; tail = &(*tail)->next, count++) {
		if (strcmp((*tail)->key, key) == 0)
			return;
	}
	if (count == TN_ASKS_PER_ROUND_MAX)
		return; /* asked in the next round */
	ask = tn_arena_alloc(&call->arena, sizeof(*ask));
	if (ask && !params->failed) {
		ask->key = tn_arena_copy(&call->arena, tn_str_from(key));
		ask->method = method;
		ask->params = tn_str(tn_arena_copy(&call->arena, tn_buf_str(params)), params->size);
	}
	if (ask && ask->key && ask->params.data)
		*tail = ask;
	else
		call->ask_fault = "The question is too large.";
}

/* MCP-213: what a person filled in must fit the form; otherwise it is asked again. */
static bool form_fits(struct tenon_call *call, const struct tenon_answer *answer,
		      const char *schema_text)
{
	struct tn_schema *schema;
	struct tn_json *tree;
	enum tenon_code code;
	bool fits;

	if (!tn_json_is(tn_json_get(answer->result, "action"), TN_JSON_STRING))
		return false;
	if (tenon_answer_action(answer) != TENON_ACCEPTED)
		return true;
	code = tn_json_parse_copy(&call->arena, tn_str_from(schema_text), &tree, NULL);
	if (code == TENON_OK)
		code = tn_schema_compile_flags(tree, TN_SCHEMA_ASSERT_FORMAT, &schema, NULL);
	if (code == TENON_NO_MEMORY)
		tn_call_starve(call);
	if (code != TENON_OK)
		return true; /* the author's schema is at fault, not the person */
	tree = (struct tn_json *)(uintptr_t)tn_json_get(answer->result, "content");
	fits = tree && tn_schema_check(schema, tree, NULL) == TENON_OK;
	tn_schema_free(schema);
	return fits;
}

const struct tenon_answer *tenon_call_elicit(struct tenon_call *call, const char *key,
					     const char *message, const char *schema)
{
	const struct tenon_answer *answer = tn_call_find_answer(call, key);
	const char *fault;
	struct tn_buf params;

	if (answer && form_fits(call, answer, schema))
		return answer;
	if (!(call->abilities & TENON_CAN_ELICIT)) {
		call->missing_abilities |= TENON_CAN_ELICIT;
		return NULL;
	}
	tn_buf_init(&params, TN_MIB);
	tn_json_begin_object(&params);
	if (call->revision >= TN_R4)
		tn_json_put_member_text(&params, "mode", "form");
	tn_json_put_member_text(&params, "message", message);
	tn_json_put_key(&params, "requestedSchema");
	fault = tn_form_put(&call->arena, call->revision, schema, &params);
	tn_json_end_object(&params);
	if (fault) {
		call->ask_fault = fault;
		tn_buf_finish(&params);
		return NULL;
	}
	note(call, key, "elicitation/create", &params);
	tn_buf_finish(&params);
	return NULL;
}

/* For tenon_call_elicit_done; of one key the newest counts. */
static void remember_visit(struct tenon_call *call, const char *key, const char *id)
{
	struct tn_visit *visit = tn_arena_alloc(&call->arena, sizeof(*visit));

	if (!visit)
		return; /* the client is not told, and asks its user */
	visit->key = tn_arena_copy(&call->arena, tn_str_from(key));
	visit->id = tn_arena_copy(&call->arena, tn_str_from(id));
	if (!visit->key || !visit->id)
		return;
	visit->next = call->visits;
	call->visits = visit;
}

/* MCP-210: "https://host/...", whatever the scheme. */
static bool is_absolute(struct tn_str url)
{
	size_t colon = tn_str_find(url, TN_STR("://"));

	return colon != TN_STR_NONE && colon > 0 && tn_is_alpha(url.data[0]) &&
	       url.size > colon + strlen("://") && tn_str_find_byte(url, ' ') == TN_STR_NONE;
}

const struct tenon_answer *tenon_call_elicit_url(struct tenon_call *call, const char *key,
						 const char *message, const char *url)
{
	const struct tenon_answer *answer = tn_call_find_answer(call, key);
	char id[TN_RNG_TOKEN_SIZE(16)];
	struct tn_buf params;

	if (answer && tn_json_is(tn_json_get(answer->result, "action"), TN_JSON_STRING))
		return answer;
	if (!(call->abilities & TENON_CAN_ELICIT_URL)) {
		call->missing_abilities |= TENON_CAN_ELICIT_URL;
		return NULL;
	}
	if (!is_absolute(tn_str_from(url))) {
		call->ask_fault = "The URL is not an absolute one.";
		return NULL;
	}
	tn_buf_init(&params, TN_MIB);
	tn_json_begin_object(&params);
	tn_json_put_member_text(&params, "mode", "url");
	tn_json_put_member_text(&params, "message", message);
	tn_json_put_member_text(&params, "url", url);
	if (call->revision == TN_R4) { /* MCP-210: unique, so no key that calls share */
		tn_rng_token(id, 16);
		tn_json_put_member_text(&params, "elicitationId", id);
		remember_visit(call, key, id);
	}
	tn_json_end_object(&params);
	note(call, key, "elicitation/create", &params);
	tn_buf_finish(&params);
	return NULL;
}

const struct tenon_answer *tenon_call_sample(struct tenon_call *call, const char *key,
					     const char *params_json)
{
	const struct tenon_answer *answer = tn_call_find_answer(call, key);
	const char *fault;
	struct tn_json *tree;
	struct tn_buf params;
	unsigned wanted = TENON_CAN_SAMPLE;

	if (answer && tn_json_get(answer->result, "content"))
		return answer;
	if (tn_json_parse_copy(&call->arena, tn_str_from(params_json), &tree, NULL) != TENON_OK) {
		call->ask_fault = "The question is no JSON.";
		return NULL;
	}
	if (tn_json_get(tree, "tools") || tn_json_get(tree, "toolChoice")) /* MCP-201, MCP-214 */
		wanted |= TENON_CAN_SAMPLE_TOOLS;
	if ((call->abilities & wanted) != wanted) {
		call->missing_abilities |= wanted & ~call->abilities;
		return NULL;
	}
	fault = tn_sampling_params_check(tree);
	if (fault) { /* MCP-215 */
		call->ask_fault = fault;
		return NULL;
	}
	tn_buf_init(&params, TN_MESSAGE_BYTES_MAX);
	tn_sampling_params_put(call, tree, &params);
	note(call, key, "sampling/createMessage", &params);
	tn_buf_finish(&params);
	return NULL;
}

const struct tenon_answer *tenon_call_roots(struct tenon_call *call, const char *key)
{
	const struct tenon_answer *answer = tn_call_find_answer(call, key);
	struct tn_buf params;

	if (answer && tn_json_is(tn_json_get(answer->result, "roots"), TN_JSON_ARRAY))
		return answer;
	if (!(call->abilities & TENON_CAN_ROOTS)) {
		call->missing_abilities |= TENON_CAN_ROOTS;
		return NULL;
	}
	tn_buf_init(&params, TN_KIB);
	tn_buf_append_text(&params, "{}");
	note(call, key, "roots/list", &params);
	tn_buf_finish(&params);
	return NULL;
}

void tenon_call_set_state(struct tenon_call *call, const char *text)
{
	call->state = text ? tn_arena_copy(&call->arena, tn_str_from(text)) : NULL;
	if (text && !call->state) {
		tn_call_starve(call);
		call->ask_fault = "out of memory";
	}
}

const char *tenon_call_state(const struct tenon_call *call)
{
	return call->state;
}
