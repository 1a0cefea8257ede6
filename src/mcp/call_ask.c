/* Asking the user or the client's model, written once for both eras (mcp.md section 16). */
#include "mcp/call.h"

#include "base/limits.h"
#include "base/rng.h"
#include "jsonrpc/json_write.h"
#include "mcp/consent.h"
#include "mcp/extension.h"
#include "mcp/form.h"
#include "mcp/method.h"
#include "mcp/sampling.h"
#include "mcp/server.h"
#include "mcp/state_seal.h"
#include "mcp/task.h"

/* ---- what the client can ---- */

unsigned tn_abilities_parse(const struct tn_json *capabilities, enum tn_revision revision)
{
	const struct tn_json *sampling = tn_json_get(capabilities, "sampling");
	const struct tn_json *elicitation = tn_json_get(capabilities, "elicitation");
	unsigned abilities = 0;

	if (tn_json_is(sampling, TN_JSON_OBJECT)) {
		abilities |= TENON_CAN_SAMPLE;
		if (revision >= TN_R4 && tn_json_get(sampling, "tools"))
			abilities |= TENON_CAN_SAMPLE_TOOLS;
		/* MCP-216: before 2025-11-25 there was nothing to declare. */
		if (revision < TN_R4 || tn_json_get(sampling, "context"))
			abilities |= TENON_CAN_SAMPLE_CONTEXT;
	}
	if (tn_json_is(elicitation, TN_JSON_OBJECT) && revision >= TN_R3) {
		bool url = tn_json_get(elicitation, "url") != NULL;

		/* MCP-040: an empty object means forms. */
		if (!url || tn_json_get(elicitation, "form"))
			abilities |= TENON_CAN_ELICIT;
		if (url)
			abilities |= TENON_CAN_ELICIT_URL;
	}
	if (tn_json_is(tn_json_get(capabilities, "roots"), TN_JSON_OBJECT))
		abilities |= TENON_CAN_ROOTS;
	/* MCP-249; in 2025-11-25 a request says so itself (MCP-244). */
	if (revision == TN_R5 &&
	    tn_json_is(tn_json_get(tn_json_get(capabilities, "extensions"), TN_TASK_EXTENSION),
		       TN_JSON_OBJECT))
		abilities |= TENON_CAN_TASKS;
	if (revision >= TN_R4)
		abilities |= tn_extension_abilities(capabilities);
	return abilities;
}

static void put_capabilities(struct tn_buf *out, unsigned abilities)
{
	tn_json_begin_object(out);
	if (abilities & TENON_CAN_SAMPLE_CONTEXT)
		tn_json_put_member_raw(out, "sampling", TN_STR("{\"context\":{}}"));
	else if (abilities & TENON_CAN_SAMPLE_TOOLS)
		tn_json_put_member_raw(out, "sampling", TN_STR("{\"tools\":{}}"));
	else if (abilities & TENON_CAN_SAMPLE)
		tn_json_put_member_raw(out, "sampling", TN_STR("{}"));
	if ((abilities & TENON_CAN_ELICIT_URL) && (abilities & TENON_CAN_ELICIT))
		tn_json_put_member_raw(out, "elicitation", TN_STR("{\"form\":{},\"url\":{}}"));
	else if (abilities & TENON_CAN_ELICIT_URL)
		tn_json_put_member_raw(out, "elicitation", TN_STR("{\"url\":{}}"));
	else if (abilities & TENON_CAN_ELICIT)
		tn_json_put_member_raw(out, "elicitation", TN_STR("{}"));
	if (abilities & TENON_CAN_ROOTS)
		tn_json_put_member_raw(out, "roots", TN_STR("{}"));
	if (abilities & TENON_CAN_TASKS)
		tn_json_put_member_raw(out, "extensions", TN_STR("{\"" TN_TASK_EXTENSION "\":{}}"));
	if (abilities & TENON_CAN_SHOW_UI)
		tn_json_put_member_raw(out, "extensions",
				       TN_STR("{\"" TN_UI_EXTENSION
					      "\":{\"mimeTypes\":[\"" TN_UI_MIME_TYPE "\"]}}"));
	tn_json_end_object(out);
}

/* MCP-201 in the modern era, MCP-207 in the others. */
static void refuse_missing(struct tenon_call *call, unsigned abilities)
{
	struct tn_buf data;

	if (call->revision != TN_R5) {
		static const char message[] =
			"This needs a capability that the client has not declared.";

		if (call->item && call->item->kind == TN_ITEM_TOOL)
			tenon_call_fail(call, "%s", message);
		else
			tenon_call_refuse(call, TN_INVALID_PARAMS, message, NULL);
		return;
	}
	tn_buf_init(&data, TN_KIB);
	tn_json_begin_object(&data);
	tn_json_put_key(&data, "requiredCapabilities");
	put_capabilities(&data, abilities);
	tn_json_end_object(&data);
	tn_call_error(call, 400, TN_MISSING_CAPABILITY,
		      TN_STR("Missing required client capability"), tn_buf_str(&data));
	tn_buf_finish(&data);
}

bool tenon_call_require(struct tenon_call *call, enum tenon_ability ability)
{
	if (call->abilities & ability)
		return true;
	refuse_missing(call, ability);
	return false;
}

/* ---- answers ---- */

static const struct tenon_answer *find_answer(const struct tenon_call *call, const char *key)
{
	const struct tenon_answer *answer = call->answers;

	while (answer && strcmp(answer->key, key) != 0)
		answer = answer->next;
	return answer;
}

static bool add_answer(struct tenon_call *call, struct tn_str key, const struct tn_json *result)
{
	struct tenon_answer *answer = tn_arena_alloc(&call->arena, sizeof(*answer));

	if (!answer)
		return false;
	answer->key = tn_arena_copy(&call->arena, key);
	answer->result = result;
	answer->call = call;
	answer->next = call->answers; /* a newer answer to the same key is found first */
	call->answers = answer;
	return answer->key != NULL;
}

/* ---- questions ---- */

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
	const struct tenon_answer *answer = find_answer(call, key);
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

void tenon_call_elicit_done(struct tenon_call *call, const char *key)
{
	const struct tn_visit *visit = call->visits;
	struct tn_buf params;

	while (visit && strcmp(visit->key, key) != 0)
		visit = visit->next;
	if (!visit)
		return; /* another revision, or never asked */
	tn_buf_init(&params, TN_KIB);
	tn_json_put_member_text(&params, "elicitationId", visit->id);
	if (!params.failed)
		tn_call_notify(call, "notifications/elicitation/complete", tn_buf_str(&params));
	tn_buf_finish(&params);
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
	const struct tenon_answer *answer = find_answer(call, key);
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
	const struct tenon_answer *answer = find_answer(call, key);
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
	const struct tenon_answer *answer = find_answer(call, key);
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
		if (find_answer(call, a->key) != a)
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
		if (a->type == TN_JSON_OBJECT && !add_answer(call, a->key, a))
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

void tn_call_forget_answer(struct tenon_call *call, const char *key)
{
	struct tenon_answer **link = &call->answers;

	while (*link) {
		if (strcmp((*link)->key, key) == 0)
			*link = (*link)->next;
		else
			link = &(*link)->next;
	}
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
		refuse_missing(call, call->missing_abilities);
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

/* The client's answer lies in another message's arena: it is copied into the call's own. */
static const struct tn_json *adopt(struct tenon_call *call, const struct tn_json *value)
{
	struct tn_buf text;
	struct tn_json *copy = NULL;

	tn_buf_init(&text, TN_MESSAGE_ARENA_MAX);
	tn_json_put_value(&text, value);
	if (text.failed ||
	    tn_json_parse_copy(&call->arena, tn_buf_str(&text), &copy, NULL) != TENON_OK)
		copy = NULL;
	tn_buf_finish(&text);
	return copy;
}

bool tn_call_keep_answer(struct tenon_call *call, const char *key, const struct tn_json *value)
{
	const struct tn_json *copy = adopt(call, value);

	return copy && add_answer(call, tn_str_from(key), copy);
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
