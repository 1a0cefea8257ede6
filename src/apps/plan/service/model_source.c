#include "apps/plan/service/model_source.h"

#include "apps/plan/limits.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/url.h"
#include "jsonrpc/json.h"
#include "jsonrpc/json_write.h"

enum { HEADERS_MAX = 24, HEADER_BYTES_MAX = 8192, RETRIES = 1, CALLS_MAX = 16 };

static const char unavailable[] = "source_unavailable";

/* ---- may we ask? ---- */

/* A line break in a header value would smuggle in another header. */
static bool is_header_value(const char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text < ' ' || (unsigned char)*text > '~')
			return false;
	}
	return true;
}

/* What is no URL to us (with a user's name in it, say) is not taken for this machine. */
bool tn_plan_model_is_remote(const struct tn_plan_config *config)
{
	struct tn_url url;

	return !tn_url_parse(tn_str_from(config->base_url), &url) || !tn_url_is_loopback(&url);
}

const char *tn_plan_model_check(const struct tn_plan_config *config, struct tenon_error *err)
{
	bool remote = tn_plan_model_is_remote(config);
	bool plain = tn_str_starts(tn_str_from(config->base_url), TN_STR("http://"));

	if (remote && !config->allow_remote) {
		(void)tn_fail(err, TENON_DENIED,
			      "plan.llm.allow_remote (TENON_PLAN_ALLOW_REMOTE) forbids models that "
			      "are not on this machine");
		return unavailable;
	}
	if (!plain && !tn_str_starts(tn_str_from(config->base_url), TN_STR("https://"))) {
		(void)tn_fail(err, TENON_INVALID,
			      "plan.llm.base_url must begin with https:// or, on "
			      "this machine, http://");
		return unavailable;
	}
	if (remote && plain && !config->keyless) {
		(void)tn_fail(
			err, TENON_DENIED,
			"plan.llm.base_url must begin with https://: a key is not sent in clear");
		return unavailable;
	}
	if (remote && !config->keyless && !config->api_key) {
		(void)tn_fail(
			err, TENON_DENIED,
			"there is no API key; set the variable that plan.llm.api_key_env names");
		return unavailable;
	}
	if (config->api_key && !is_header_value(config->api_key)) {
		(void)tn_fail(err, TENON_INVALID, "the API key holds characters no key has");
		return "bad_api_key";
	}
	return NULL;
}

/* ---- the request ---- */

struct request_parts {
	struct tn_buf url, headers, body; /* headers: texts, each with its NUL */
	const char *lines[HEADERS_MAX + 1];
};

static void put_message(struct tn_buf *out, const char *role, struct tn_str content)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "role", role);
	tn_json_put_member_str(out, "content", content);
	tn_json_end_object(out);
}

static void write_body(struct tn_buf *out, const struct tn_plan_config *config,
		       const struct tn_plan_model_question *question)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "model", config->model);
	tn_json_put_key(out, "temperature");
	tn_json_put_double(out, question->temperature);
	tn_json_put_member_int(out, "max_tokens", config->max_tokens);
	tn_json_put_key(out, "messages");
	tn_json_begin_array(out);
	/* P-05: the document is the whole content of exactly one message. */
	if (config->context_is_system) {
		put_message(out, "system", question->document);
	} else {
		put_message(out, "system", question->system);
		put_message(out, "user", question->document);
	}
	tn_json_end_array(out);
	tn_json_end_object(out);
}

static void add_header(struct tn_buf *out, const char *name, struct tn_str value)
{
	tn_buf_append_text(out, name);
	tn_buf_append_str(out, value);
	tn_buf_append_byte(out, '\0');
}

static void write_headers(struct tn_buf *out, const struct tn_plan_config *config)
{
	add_header(out, "Content-Type: application/json", TN_STR(""));
	add_header(out, "Accept: application/json", TN_STR(""));
	add_header(out, "Expect:", TN_STR("")); /* no waiting for 100 Continue */
	if (config->api_key)
		add_header(out, "Authorization: Bearer ", tn_str_from(config->api_key));
	for (const char *const *line = config->headers; line && *line; line++)
		add_header(out, "", tn_str_from(*line));
}

static bool list_headers(struct request_parts *parts)
{
	size_t count = 0;

	for (size_t at = 0; at < parts->headers.size; at++) {
		if (count == HEADERS_MAX)
			return false;
		parts->lines[count++] = parts->headers.data + at;
		at += strlen(parts->headers.data + at);
	}
	parts->lines[count] = NULL;
	return true;
}

static bool make_request(struct request_parts *parts, const struct tn_plan_config *config,
			 const struct tn_plan_model_question *question,
			 struct tn_http_request *ret_request)
{
	struct tn_str base = tn_str_from(config->base_url);

	tn_buf_init(&parts->url, HEADER_BYTES_MAX);
	tn_buf_init(&parts->headers, HEADER_BYTES_MAX);
	tn_buf_init(&parts->body, TN_MESSAGE_BYTES_MAX);
	while (base.size && base.data[base.size - 1] == '/')
		base.size--;
	add_header(&parts->url, "", base);
	if (parts->url.size)
		parts->url.size--; /* the path takes the NUL's place */
	add_header(&parts->url, "/chat/completions", TN_STR(""));
	write_headers(&parts->headers, config);
	write_body(&parts->body, config, question);
	if (parts->url.failed || parts->headers.failed || parts->body.failed ||
	    !list_headers(parts))
		return false;
	*ret_request = (struct tn_http_request){.url = parts->url.data,
						.headers = parts->lines,
						.body = tn_buf_str(&parts->body),
						.timeout_ms = config->timeout_ms,
						.retries = RETRIES,
						.direct = !tn_plan_model_is_remote(config)};
	return true;
}

static void free_request(struct request_parts *parts)
{
	tn_buf_finish(&parts->url);
	tn_buf_finish(&parts->headers);
	tn_buf_finish(&parts->body);
}

/* ---- the answer ---- */

static void fail_reply(struct tn_plan_model_reply *reply, const char *reason, enum tenon_code code,
		       const char *message)
{
	reply->reason = reason;
	(void)tn_fail(&reply->err, code, "%s", message);
}

/* choices[0].message.content: a text, or parts that carry one each. */
static bool take_content(const struct tn_json *content, struct tn_buf *out)
{
	const struct tn_json *part;
	struct tn_str text;

	if (tn_json_to_str(content, &text)) {
		tn_buf_append_str(out, text);
		return true;
	}
	if (!tn_json_is(content, TN_JSON_ARRAY))
		return false;
	for (part = content->first; part; part = part->next) {
		if (tn_json_to_str(tn_json_get(part, "text"), &text))
			tn_buf_append_str(out, text);
	}
	return out->size > 0;
}

static void read_answer(struct tn_http_answer *answer, struct tn_plan_model_reply *reply)
{
	const struct tn_json *choices, *content = NULL;
	struct tn_json *tree = NULL;
	struct tn_arena arena;

	tn_arena_init(&arena, 16 * TN_PLAN_MODEL_RESPONSE_MAX);
	if (tn_json_parse(&arena, answer->body.data, answer->body.size, &tree, NULL) == TENON_OK) {
		choices = tn_json_get(tree, "choices");
		if (tn_json_is(choices, TN_JSON_ARRAY) && choices->count > 0)
			content = tn_json_get(tn_json_get(choices->first, "message"), "content");
	}
	if (!take_content(content, &reply->text))
		fail_reply(reply, unavailable, TENON_INVALID,
			   "the model's endpoint sent an answer without a message in it");
	tn_arena_finish(&arena);
}

/* What went wrong on the way, in the contract's words. The server's own text is not repeated: it
 * may quote the key. */
static const char *reason_of_failure(const struct tn_http_answer *answer)
{
	switch (answer->code) {
	case TENON_EXPIRED:
		return "timeout";
	case TENON_CANCELLED:
		return "cancelled";
	default:
		return unavailable;
	}
}

static void judge(struct tn_http_answer *answer, struct tn_plan_model_reply *reply)
{
	if (answer->code != TENON_OK) {
		fail_reply(reply, reason_of_failure(answer), answer->code, answer->err.message);
	} else if (answer->status == 401 || answer->status == 403) {
		fail_reply(reply, "bad_api_key", TENON_DENIED,
			   "the model's endpoint refused the API key");
	} else if (answer->status == 429 || answer->status == 402) {
		fail_reply(reply, "quota", TENON_BUSY,
			   "the model's endpoint says that too much was asked for");
	} else if (answer->status != 200) {
		reply->reason = unavailable;
		(void)tn_fail(&reply->err, TENON_SYSTEM,
			      "the model's endpoint answered with status %u", answer->status);
	} else {
		read_answer(answer, reply);
	}
}

/* ---- the run ---- */

struct run {
	struct request_parts parts[CALLS_MAX];
	struct tn_http_request requests[CALLS_MAX];
	struct tn_http_answer answers[CALLS_MAX];
};

static void run_prepared(struct tn_http_client *client, struct run *run,
			 struct tn_plan_model_reply *replies, size_t count,
			 const atomic_bool *cancel, atomic_uint *finished)
{
	struct tn_http_batch batch = {.requests = run->requests,
				      .answers = run->answers,
				      .count = count,
				      .parallel = TN_PLAN_PARALLEL_MAX,
				      .cancel = cancel,
				      .finished = finished};
	struct tenon_error err = {0};
	enum tenon_code code = tn_http_client_run(client, &batch, &err);

	for (size_t i = 0; i < count; i++) {
		if (code == TENON_OK)
			judge(&run->answers[i], &replies[i]);
		else
			fail_reply(&replies[i], unavailable, code, err.message);
	}
}

void tn_plan_model_run(struct tn_http_client *client, const struct tn_plan_config *config,
		       const struct tn_plan_model_question *questions,
		       struct tn_plan_model_reply *replies, size_t count, const atomic_bool *cancel,
		       atomic_uint *finished)
{
	struct run *run = tn_mem_alloc(sizeof(*run));
	struct tenon_error err = {0};
	const char *reason = tn_plan_model_check(config, &err);
	bool ready = true;

	tn_assert(count <= CALLS_MAX);
	for (size_t i = 0; i < count; i++) {
		replies[i].reason = reason;
		replies[i].err = err;
		tn_buf_init(&replies[i].text, TN_PLAN_MODEL_RESPONSE_MAX);
	}
	for (size_t i = 0; run && i < count; i++) {
		tn_buf_init(&run->answers[i].body, TN_PLAN_MODEL_RESPONSE_MAX);
		if (!make_request(&run->parts[i], config, &questions[i], &run->requests[i]))
			ready = false;
	}
	if (!reason && run && ready)
		run_prepared(client, run, replies, count, cancel, finished);
	for (size_t i = 0; i < count; i++) {
		if (!reason && (!run || !ready))
			fail_reply(&replies[i], unavailable, TENON_LIMIT,
				   "the request to the model is too large, or memory ran out");
		if (run) {
			tn_buf_finish(&run->answers[i].body);
			free_request(&run->parts[i]);
		}
	}
	tn_mem_free(run);
}
