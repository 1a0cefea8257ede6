#include "client/question.h"

#include "base/mem.h"
#include "client/limits.h"
#include "client/wire.h"
#include "mcp/sampling.h"

/* One entry of a round. */
struct entry {
	struct entry *next;
	struct tn_str key; /* in the round's arena */
	char *answer;      /* JSON; NULL: open */
	bool is_put;
	struct tenon_question *question; /* NULL: none, or answered */
};

struct tn_round {
	struct tenon_client *client;
	struct tn_arena arena;
	struct entry *first, **last;
	size_t open;
	bool is_refused;
	bool is_putting, is_closed; /* a handler may end the request that the round is of */
	struct tenon_error err;
	struct tn_later *later;
	tn_round_fn *done;
	void *data;
};

enum kind { ELICITATION, SAMPLING };

struct tenon_question {
	struct tenon_client *client;
	struct tenon_question *next, **link;
	enum kind kind;
	struct tn_arena arena;
	struct tn_json *params;
	struct tn_str message, url;
	char *params_text, *schema_text;
	char *id;               /* of a legacy request, raw JSON; NULL: of a round */
	struct tn_round *round; /* NULL: nobody waits any more */
	struct entry *entry;
};

/* ---- life ---- */

static void free_question(struct tenon_question *question)
{
	if (question->link) {
		*question->link = question->next;
		if (question->next)
			question->next->link = question->link;
		question->client->question_count--;
	}
	if (question->entry)
		question->entry->question = NULL;
	tn_mem_free(question->id);
	tn_mem_free(question->params_text);
	tn_mem_free(question->schema_text);
	tn_arena_finish(&question->arena);
	tn_mem_free(question);
}

void tn_question_finish_all(struct tenon_client *client)
{
	while (client->questions)
		free_question(client->questions);
}

/* Nobody waits for it any more; the program still holds it. */
static void detach(struct tenon_question *question)
{
	tn_mem_free(question->id);
	question->id = NULL;
	question->round = NULL;
	question->entry = NULL;
}

void tn_question_forget_connection(struct tenon_client *client)
{
	for (struct tenon_question *q = client->questions; q; q = q->next) {
		if (!q->round)
			detach(q);
	}
}

void tn_question_withdraw(struct tenon_client *client, const struct tn_json *id)
{
	struct tn_buf raw;

	if (!id)
		return;
	tn_buf_init(&raw, TN_MIB);
	tn_json_put_value(&raw, id);
	for (struct tenon_question *q = client->questions; q; q = q->next) {
		if (q->id && tn_str_is(tn_buf_str(&raw), q->id))
			detach(q);
	}
	tn_buf_finish(&raw);
}

static char *write_text(const struct tn_json *value)
{
	char *ret = NULL;
	struct tn_buf text;

	tn_buf_init(&text, TN_CLIENT_RESULT_MAX);
	if (value)
		tn_json_put_value(&text, value);
	else
		tn_buf_append_text(&text, "{}");
	if (!text.failed)
		ret = tn_mem_copy_text(text.data, text.size);
	tn_buf_finish(&text);
	return ret;
}

static enum tenon_code no_memory(struct tenon_error *err)
{
	return tn_fail(err, TENON_NO_MEMORY, "out of memory");
}

/* ---- may it be put? ---- */

static enum tenon_code check_elicitation(const struct tenon_client *client,
					 const struct tn_json *params, struct tenon_error *err)
{
	const struct tn_json *mode = tn_json_get(params, "mode");
	bool is_url = tn_json_is(mode, TN_JSON_STRING) && tn_str_is(mode->text, "url");
	struct tn_str text;

	if (!tn_json_to_str(tn_json_get(params, "message"), &text))
		return tn_fail(err, TENON_INVALID, "elicitation: no message");
	if (is_url && !client->options.handlers.elicits_urls)
		return tn_fail(err, TENON_INVALID, "elicitation: mode url was not declared");
	if (mode && !is_url && !(mode->type == TN_JSON_STRING && tn_str_is(mode->text, "form")))
		return tn_fail(err, TENON_INVALID, "elicitation: the mode is unknown");
	if (is_url && !tn_json_to_str(tn_json_get(params, "url"), &text))
		return tn_fail(err, TENON_INVALID, "elicitation: no url");
	if (!is_url && !tn_json_is(tn_json_get(params, "requestedSchema"), TN_JSON_OBJECT))
		return tn_fail(err, TENON_INVALID, "elicitation: no requestedSchema");
	return TENON_OK;
}

/* MCP-214, MCP-215. */
static enum tenon_code check_sampling(const struct tenon_client *client,
				      const struct tn_json *params, struct tenon_error *err)
{
	const char *fault = tn_sampling_params_check(params);

	if (fault)
		return tn_fail(err, TENON_INVALID, "sampling: %s", fault);
	if (!client->options.handlers.samples_tools &&
	    (tn_json_get(params, "tools") || tn_json_get(params, "toolChoice")))
		return tn_fail(err, TENON_INVALID,
			       "sampling: tools were asked for, and sampling.tools is not "
			       "declared");
	return TENON_OK;
}

/* MCP-217: before 2025-11-25 an answer is one block. */
static enum tenon_code check_sampled(const struct tenon_client *client,
				     const struct tn_json *result, struct tenon_error *err)
{
	const struct tn_json *content = tn_json_get(result, "content");
	struct tn_str text;

	if (!tn_json_to_str(tn_json_get(result, "role"), &text) ||
	    !tn_json_to_str(tn_json_get(result, "model"), &text) ||
	    !(tn_json_is(content, TN_JSON_OBJECT) || tn_json_is(content, TN_JSON_ARRAY)))
		return tn_fail(err, TENON_INVALID,
			       "send {\"role\":\"assistant\",\"content\":{...},\"model\":\"...\"}");
	if (content->type == TN_JSON_ARRAY && client->revision < TN_R4)
		return tn_fail(err, TENON_INVALID,
			       "this server's revision takes one block of content, no list");
	return TENON_OK;
}

/* NOT_FOUND: the capability was not declared. */
static enum tenon_code check_method(const struct tenon_client *client, struct tn_str method,
				    const struct tn_json *params, enum kind *ret,
				    struct tenon_error *err)
{
	const struct tenon_client_handlers *handlers = &client->options.handlers;
	struct tenon_error told;

	if (tn_str_is(method, "elicitation/create") && handlers->elicit) {
		*ret = ELICITATION;
		return check_elicitation(client, params, err);
	}
	if (tn_str_is(method, "sampling/createMessage") && handlers->sample) {
		*ret = SAMPLING;
		return check_sampling(client, params, err);
	}
	tn_sentence_clean(method.data, &told);
	return tn_fail(err, TENON_NOT_FOUND, "the server asks for what we did not declare: %.60s",
		       told.message);
}

static enum tenon_code make(struct tenon_client *client, enum kind kind,
			    const struct tn_json *params, struct tenon_question **ret,
			    struct tenon_error *err)
{
	const struct tn_json *schema = tn_json_get(params, "requestedSchema");
	struct tenon_question *question;
	enum tenon_code code = TENON_OK;

	if (client->question_count >= TN_CLIENT_QUESTIONS_MAX)
		return tn_fail(err, TENON_LIMIT, "%d questions are open already",
			       TN_CLIENT_QUESTIONS_MAX);
	question = tn_mem_alloc(sizeof(*question));
	if (!question)
		return no_memory(err);
	question->client = client;
	question->kind = kind;
	tn_arena_init(&question->arena, TN_CLIENT_ARENA_MAX);
	question->params_text = write_text(params);
	if (!question->params_text)
		code = no_memory(err);
	if (code == TENON_OK)
		code = tn_json_parse_copy(&question->arena, tn_str_from(question->params_text),
					  &question->params, err);
	if (code == TENON_OK && tn_json_is(schema, TN_JSON_OBJECT)) {
		question->schema_text = write_text(schema);
		if (!question->schema_text)
			code = no_memory(err);
	}
	if (code != TENON_OK) {
		free_question(question);
		return code;
	}
	(void)tn_json_to_str(tn_json_get(question->params, "message"), &question->message);
	(void)tn_json_to_str(tn_json_get(question->params, "url"), &question->url);
	question->link = &client->questions;
	question->next = client->questions;
	if (question->next)
		question->next->link = &question->next;
	client->questions = question;
	client->question_count++;
	*ret = question;
	return TENON_OK;
}

static void put(struct tenon_question *question)
{
	const struct tenon_client_handlers *handlers = &question->client->options.handlers;

	if (question->kind == ELICITATION)
		handlers->elicit(question, handlers->data);
	else
		handlers->sample(question, handlers->data);
}

/* ---- legacy ---- */

static int code_of(enum tenon_code code)
{
	if (code == TENON_NOT_FOUND)
		return -32601;
	return code == TENON_INVALID ? -32602 : -32603;
}

void tn_question_receive(struct tenon_client *client, struct tn_str id, struct tn_str method,
			 const struct tn_json *params)
{
	struct tenon_question *question;
	struct tenon_error err;
	enum tenon_code code;
	struct tn_buf roots;
	enum kind kind;

	if (tn_str_is(method, "roots/list") && client->roots) {
		tn_buf_init(&roots, TN_CLIENT_MESSAGE_MAX);
		tn_roots_write(client, &roots);
		if (!roots.failed)
			tn_wire_reply(client, id, tn_buf_str(&roots));
		tn_buf_finish(&roots);
		return;
	}
	code = check_method(client, method, params, &kind, &err);
	if (code == TENON_OK)
		code = make(client, kind, params, &question, &err);
	if (code == TENON_OK) {
		question->id = tn_mem_copy_text(id.data, id.size);
		if (!question->id) {
			free_question(question);
			code = no_memory(&err);
		}
	}
	if (code == TENON_OK)
		put(question);
	else
		tn_wire_refuse(client, id, code_of(code),
			       code == TENON_NOT_FOUND ? "Method not found" : err.message);
}

/* ---- rounds ---- */

static void write_answers(const struct tn_round *round, struct tn_buf *out)
{
	tn_json_begin_object(out);
	for (const struct entry *e = round->first; e; e = e->next) {
		tn_json_put_key_str(out, e->key);
		tn_json_put_foreign(out, tn_str_from(e->answer));
	}
	tn_json_end_object(out);
}

void tn_round_close(struct tn_round *round)
{
	struct entry *next;

	if (!round)
		return;
	if (round->is_putting) {
		round->is_closed = true;
		return;
	}
	for (struct entry *e = round->first; e; e = next) {
		next = e->next;
		if (e->question)
			detach(e->question);
		tn_mem_free(e->answer);
	}
	tn_later_close(round->later);
	tn_arena_finish(&round->arena);
	tn_mem_free(round);
}

static void round_due(struct tn_later *later, void *data)
{
	struct tn_round *round = data;
	tn_round_fn *done = round->done;
	void *done_data = round->data;
	struct tenon_error err = round->err;
	struct tn_buf answers;

	(void)later;
	tn_buf_init(&answers, TN_CLIENT_MESSAGE_MAX);
	if (!round->is_refused) {
		write_answers(round, &answers);
		if (tn_buf_check(&answers, &err) != TENON_OK)
			round->is_refused = true;
	}
	if (round->is_refused) {
		tn_round_close(round);
		done(done_data, tn_str(NULL, 0), &err);
	} else {
		tn_round_close(round);
		done(done_data, tn_buf_str(&answers), NULL);
	}
	tn_buf_finish(&answers);
}

static void settle(struct tn_round *round)
{
	if (round->open == 0 || round->is_refused)
		tn_later_request(round->later);
}

/* One entry of `inputRequests`. */
static enum tenon_code ask(struct tn_round *round, const struct tn_json *request,
			   struct tenon_error *err)
{
	const struct tn_json *params = tn_json_get(request, "params");
	struct entry *entry = tn_arena_alloc(&round->arena, sizeof(*entry));
	const char *key = tn_arena_copy(&round->arena, request->key);
	enum tenon_code code;
	struct tn_str method;
	struct tn_buf roots;
	enum kind kind;

	if (!entry || !key)
		return no_memory(err);
	entry->key = tn_str(key, request->key.size);
	*round->last = entry;
	round->last = &entry->next;
	if (!tn_json_to_str(tn_json_get(request, "method"), &method))
		return tn_fail(err, TENON_INVALID, "an entry of inputRequests has no method");
	if (tn_str_is(method, "roots/list") && round->client->roots) {
		tn_buf_init(&roots, TN_CLIENT_MESSAGE_MAX);
		tn_roots_write(round->client, &roots);
		if (!roots.failed)
			entry->answer = tn_mem_copy_text(roots.data, roots.size);
		tn_buf_finish(&roots);
		return entry->answer ? TENON_OK : no_memory(err);
	}
	code = check_method(round->client, method, params, &kind, err);
	if (code == TENON_OK)
		code = make(round->client, kind, params, &entry->question, err);
	if (code == TENON_NOT_FOUND && err)
		err->code = code = TENON_INVALID;
	if (code != TENON_OK)
		return code;
	entry->question->round = round;
	entry->question->entry = entry;
	round->open++;
	return TENON_OK;
}

/* All are made before the first is put, so that a round is put whole or not at all. */
static void put_all(struct tn_round *round)
{
	round->is_putting = true;
	for (struct entry *e = round->first; e && !round->is_closed; e = e->next) {
		e->is_put = true;
		if (e->question)
			put(e->question);
	}
	round->is_putting = false;
	if (!round->is_closed) {
		settle(round);
		return;
	}
	for (struct entry *e = round->first; e; e = e->next) {
		if (e->question && !e->is_put)
			free_question(e->question); /* nobody knows of it who could answer */
	}
	tn_round_close(round);
}

enum tenon_code tn_round_open(struct tenon_client *client, const struct tn_json *requests,
			      const struct tn_map *known, tn_round_fn *done, void *data,
			      struct tn_round **ret, struct tenon_error *err)
{
	struct tn_round *round;
	enum tenon_code code;
	size_t count = 0;

	if (!tn_json_is(requests, TN_JSON_OBJECT))
		return tn_fail(err, TENON_INVALID, "inputRequests is no object");
	round = tn_mem_alloc(sizeof(*round));
	if (!round)
		return no_memory(err);
	round->client = client;
	round->last = &round->first;
	round->done = done;
	round->data = data;
	tn_arena_init(&round->arena, TN_CLIENT_MESSAGE_MAX);
	code = tn_later_open(client->loop, round_due, round, &round->later, err);
	for (const struct tn_json *r = requests->first; r && code == TENON_OK; r = r->next) {
		if (known && tn_map_get(known, r->key))
			continue;
		code = ++count > TN_CLIENT_QUESTIONS_MAX
			       ? tn_fail(err, TENON_LIMIT, "more than %d questions at once",
					 TN_CLIENT_QUESTIONS_MAX)
			       : ask(round, r, err);
	}
	if (code != TENON_OK) {
		for (struct entry *e = round->first; e; e = e->next) {
			if (e->question)
				free_question(e->question); /* never put */
		}
		tn_round_close(round);
		return code;
	}
	*ret = round;
	put_all(round);
	return TENON_OK;
}

/* ---- answers ---- */

static void finish(struct tenon_question *question, struct tn_str result)
{
	struct tn_round *round = question->round;

	if (question->id) {
		tn_wire_reply(question->client, tn_str_from(question->id), result);
	} else if (round) {
		question->entry->answer = tn_mem_copy_text(result.data, result.size);
		round->open--;
		if (!question->entry->answer) {
			round->is_refused = true;
			(void)no_memory(&round->err);
		}
	}
	free_question(question);
	if (round)
		settle(round);
}

static void finish_action(struct tenon_question *question, const char *action)
{
	struct tn_buf out;

	tn_buf_init(&out, TN_MIB);
	tn_json_begin_object(&out);
	tn_json_put_member_text(&out, "action", action);
	tn_json_end_object(&out);
	if (out.failed) /* out of memory for twenty bytes */
		tenon_question_refuse(question, -32603, "out of memory");
	else
		finish(question, tn_buf_str(&out));
	tn_buf_finish(&out);
}

void tenon_question_decline(struct tenon_question *question)
{
	finish_action(question, "decline");
}

void tenon_question_cancel(struct tenon_question *question)
{
	finish_action(question, "cancel");
}

void tenon_question_refuse(struct tenon_question *question, int code, const char *message)
{
	struct tn_round *round = question->round;

	if (question->id)
		tn_wire_refuse(question->client, tn_str_from(question->id), code, message);
	if (round) { /* inputResponses have no place for an error: the call ends */
		round->is_refused = true;
		round->open--;
		(void)tn_fail(&round->err, TENON_DENIED,
			      "the server's question was refused: %.180s", message);
	}
	free_question(question);
	if (round)
		settle(round);
}

static enum tenon_code write_accepted(const struct tenon_question *question, const char *content,
				      struct tn_buf *out, struct tenon_error *err)
{
	const struct tn_json *schema = tn_json_get(question->params, "requestedSchema");
	struct tn_json *parsed = NULL;
	enum tenon_code code;
	struct tn_arena arena;
	struct tn_buf text;

	tn_arena_init(&arena, TN_CLIENT_ARENA_MAX);
	tn_buf_init(&text, TN_CLIENT_MESSAGE_MAX);
	if (content)
		tn_buf_append_text(&text, content);
	else
		tn_elicitation_defaults(schema, &text);
	code = tn_buf_check(&text, err);
	if (code == TENON_OK)
		code = tn_json_parse_copy(&arena, tn_buf_str(&text), &parsed, err);
	if (code == TENON_OK)
		code = tn_elicitation_check(schema, parsed, err);
	if (code == TENON_OK) {
		tn_json_begin_object(out);
		tn_json_put_member_text(out, "action", "accept");
		tn_json_put_key(out, "content");
		tn_json_put_value(out, parsed);
		tn_json_end_object(out);
		code = tn_buf_check(out, err);
	}
	tn_buf_finish(&text);
	tn_arena_finish(&arena);
	return code;
}

enum tenon_code tenon_question_accept(struct tenon_question *question, const char *content,
				      struct tenon_error *err)
{
	enum tenon_code code;
	struct tn_buf out;

	if (question->kind != ELICITATION)
		return tn_fail(err, TENON_INVALID, "sampling is answered by tenon_question_answer");
	if (!question->schema_text) { /* mode "url": consent, without content */
		finish_action(question, "accept");
		return TENON_OK;
	}
	tn_buf_init(&out, TN_CLIENT_MESSAGE_MAX);
	code = write_accepted(question, content, &out, err);
	if (code == TENON_OK)
		finish(question, tn_buf_str(&out));
	tn_buf_finish(&out);
	return code;
}

enum tenon_code tenon_question_answer(struct tenon_question *question, const char *result,
				      struct tenon_error *err)
{
	struct tn_json *parsed = NULL;
	enum tenon_code code;
	struct tn_arena arena;

	if (question->kind != SAMPLING)
		return tn_fail(err, TENON_INVALID,
			       "elicitation is answered by tenon_question_accept");
	tn_arena_init(&arena, TN_CLIENT_ARENA_MAX);
	code = tn_json_parse_copy(&arena, tn_str_from(result), &parsed, err);
	if (code == TENON_OK)
		code = check_sampled(question->client, parsed, err);
	tn_arena_finish(&arena);
	if (code == TENON_OK)
		finish(question, tn_str_from(result));
	return code;
}

/* ---- what is asked ---- */

const char *tenon_question_server(const struct tenon_question *question)
{
	const char *name = question->client->about.name;

	return name ? name : "the server";
}

const char *tenon_question_message(const struct tenon_question *question)
{
	return question->message.data;
}

const char *tenon_question_schema(const struct tenon_question *question)
{
	return question->url.data ? NULL : question->schema_text;
}

const char *tenon_question_url(const struct tenon_question *question)
{
	return question->url.data;
}

const char *tenon_question_params(const struct tenon_question *question)
{
	return question->params_text;
}
