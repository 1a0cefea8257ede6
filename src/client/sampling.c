/* What a server may ask a model, and what may be answered (MCP-214, MCP-215). */
#include "client/question.h"

static bool is_type(const struct tn_json *block, const char *type)
{
	const struct tn_json *value = tn_json_get(block, "type");

	return tn_json_is(value, TN_JSON_STRING) && tn_str_is(value->text, type);
}

/* The blocks of a message: `content` is one, or an array of them. */
static const struct tn_json *first_block(const struct tn_json *message, bool *ret_is_list)
{
	const struct tn_json *content = tn_json_get(message, "content");

	*ret_is_list = tn_json_is(content, TN_JSON_ARRAY);
	return *ret_is_list ? content->first : content;
}

static size_t count_type(const struct tn_json *message, const char *type, size_t *ret_all)
{
	bool is_list;
	size_t count = 0;

	*ret_all = 0;
	for (const struct tn_json *b = first_block(message, &is_list); b;
	     b = is_list ? b->next : NULL) {
		count += is_type(b, type);
		++*ret_all;
	}
	return count;
}

/* Exactly one result of this message is for that id. */
static bool has_one_result(const struct tn_json *message, const struct tn_json *id)
{
	bool is_list;
	size_t count = 0;

	for (const struct tn_json *b = first_block(message, &is_list); b;
	     b = is_list ? b->next : NULL) {
		const struct tn_json *of = tn_json_get(b, "toolUseId");

		count += is_type(b, "tool_result") && of && id && tn_json_equal(of, id);
	}
	return count == 1;
}

/* Every use in `message` has its result in the message behind it, and nothing else has one. */
static enum tenon_code check_uses(const struct tn_json *message, struct tenon_error *err)
{
	size_t all, uses = count_type(message, "tool_use", &all);
	const struct tn_json *next = message->next;
	bool is_list;

	if (uses == 0)
		return TENON_OK;
	if (!next || count_type(next, "tool_result", &all) != uses || all != uses)
		return tn_fail(err, TENON_INVALID,
			       "sampling: a message with tool_use is followed by one with a "
			       "tool_result for each, and nothing else");
	for (const struct tn_json *b = first_block(message, &is_list); b;
	     b = is_list ? b->next : NULL) {
		if (is_type(b, "tool_use") && !has_one_result(next, tn_json_get(b, "id")))
			return tn_fail(err, TENON_INVALID,
				       "sampling: a tool_use has no tool_result of its id");
	}
	return TENON_OK;
}

static enum tenon_code check_message(const struct tn_json *message, const struct tn_json *before,
				     struct tenon_error *err)
{
	size_t all, results = count_type(message, "tool_result", &all), ignored;

	if (!tn_json_is(message, TN_JSON_OBJECT) || !tn_json_get(message, "content"))
		return tn_fail(err, TENON_INVALID, "sampling: a message without content");
	if (results && results != all)
		return tn_fail(err, TENON_INVALID,
			       "sampling: a message with tool_result has other content, too");
	if (results && (!before || count_type(before, "tool_use", &ignored) == 0))
		return tn_fail(err, TENON_INVALID,
			       "sampling: a tool_result without a tool_use before it");
	return check_uses(message, err);
}

enum tenon_code tn_sampling_check(const struct tn_json *params, bool takes_tools,
				  struct tenon_error *err)
{
	const struct tn_json *messages = tn_json_get(params, "messages");
	const struct tn_json *before = NULL;

	if (!tn_json_is(messages, TN_JSON_ARRAY))
		return tn_fail(err, TENON_INVALID, "sampling: no messages");
	if (!takes_tools && (tn_json_get(params, "tools") || tn_json_get(params, "toolChoice")))
		return tn_fail(err, TENON_INVALID,
			       "sampling: tools were asked for, and sampling.tools is not "
			       "declared");
	for (const struct tn_json *m = messages->first; m; m = m->next) {
		enum tenon_code code = check_message(m, before, err);

		if (code != TENON_OK)
			return code;
		before = m;
	}
	return TENON_OK;
}

enum tenon_code tn_sampling_check_result(const struct tn_json *result, struct tenon_error *err)
{
	const struct tn_json *content = tn_json_get(result, "content");
	struct tn_str text;

	if (!tn_json_is(result, TN_JSON_OBJECT) ||
	    !tn_json_to_str(tn_json_get(result, "role"), &text) ||
	    !tn_json_to_str(tn_json_get(result, "model"), &text) ||
	    !(tn_json_is(content, TN_JSON_OBJECT) || tn_json_is(content, TN_JSON_ARRAY)))
		return tn_fail(err, TENON_INVALID,
			       "send {\"role\":\"assistant\",\"content\":{...},\"model\":\"...\"}");
	return TENON_OK;
}
