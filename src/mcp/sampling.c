#include "mcp/sampling.h"

#include "jsonrpc/json_write.h"
#include "mcp/limits.h"

/* ---- tool calls within the conversation (MCP-215) ---- */

static const struct tn_json *first_block(const struct tn_json *content)
{
	return tn_json_is(content, TN_JSON_ARRAY) ? content->first : content;
}

/* A single block is no list: what follows it is the message's next member. */
static const struct tn_json *next_block(const struct tn_json *content, const struct tn_json *block)
{
	return tn_json_is(content, TN_JSON_ARRAY) ? block->next : NULL;
}

static bool is_block(const struct tn_json *block, const char *type)
{
	struct tn_str text;

	return tn_json_to_str(tn_json_get(block, "type"), &text) && tn_str_is(text, type);
}

static size_t count_blocks(const struct tn_json *content, const char *type)
{
	size_t count = 0;

	for (const struct tn_json *b = first_block(content); b; b = next_block(content, b))
		count += !type || is_block(b, type);
	return count;
}

static size_t count_results_of(const struct tn_json *content, const struct tn_json *id)
{
	size_t count = 0;

	for (const struct tn_json *b = first_block(content); b; b = next_block(content, b))
		count += is_block(b, "tool_result") &&
			 tn_json_equal(tn_json_get(b, "toolUseId"), id);
	return count;
}

/* Each tool_use of one message is answered once in the next. */
static const char *check_uses(const struct tn_json *content, const struct tn_json *next)
{
	const struct tn_json *answers = tn_json_get(next, "content");
	struct tn_str role = {"", 0};

	(void)tn_json_to_str(tn_json_get(next, "role"), &role);
	if (count_blocks(content, "tool_use") > TN_SAMPLING_USES_MAX)
		return "A message has more tool_use blocks than are looked through.";
	if (!tn_str_is(role, "user") ||
	    count_blocks(answers, "tool_result") != count_blocks(content, "tool_use"))
		return "Each tool_use needs one tool_result in the user message that follows.";
	for (const struct tn_json *b = first_block(content); b; b = next_block(content, b)) {
		const struct tn_json *id = tn_json_get(b, "id");

		if (is_block(b, "tool_use") && (!id || count_results_of(answers, id) != 1))
			return "Each tool_use needs one tool_result with its id in toolUseId.";
	}
	return NULL;
}

static const char *check_message(const struct tn_json *message, size_t uses_before)
{
	const struct tn_json *content = tn_json_get(message, "content");
	struct tn_str role = {"", 0};
	size_t results = count_blocks(content, "tool_result");

	(void)tn_json_to_str(tn_json_get(message, "role"), &role);
	if (!tn_str_is(role, "user") && !tn_str_is(role, "assistant"))
		return "The role of a message is \"user\" or \"assistant\".";
	if (results && (tn_str_is(role, "assistant") || results != count_blocks(content, NULL)))
		return "A tool_result stands in a user message with nothing but such.";
	if (results && !uses_before)
		return "A tool_result answers a tool_use of the message before.";
	if (!count_blocks(content, "tool_use"))
		return NULL;
	return tn_str_is(role, "assistant") ? check_uses(content, message->next)
					    : "A tool_use stands in an assistant message.";
}

const char *tn_sampling_params_check(const struct tn_json *params)
{
	const struct tn_json *messages = tn_json_get(params, "messages");
	const char *fault = NULL;
	size_t uses = 0;

	if (!tn_json_is(messages, TN_JSON_ARRAY) || !tn_json_get(params, "maxTokens"))
		return "The question needs messages and maxTokens.";
	for (const struct tn_json *m = messages->first; m && !fault; m = m->next) {
		fault = check_message(m, uses);
		uses = count_blocks(tn_json_get(m, "content"), "tool_use");
	}
	return fault;
}

/* ---- writing ---- */

static void put_member(struct tn_buf *out, const struct tn_json *member)
{
	tn_json_put_key_str(out, member->key);
	tn_json_put_value(out, member);
}

/* MCP-217: before 2025-11-25 a message had one block; several become several messages. */
static void put_messages(struct tn_buf *out, const struct tn_json *messages)
{
	tn_json_put_key(out, "messages");
	tn_json_begin_array(out);
	for (const struct tn_json *m = messages->first; m; m = m->next) {
		const struct tn_json *content = tn_json_get(m, "content");

		for (const struct tn_json *b = first_block(content); b;
		     b = next_block(content, b)) {
			tn_json_begin_object(out);
			tn_json_put_key(out, "role");
			tn_json_put_value(out, tn_json_get(m, "role"));
			tn_json_put_key(out, "content");
			tn_json_put_value(out, b);
			tn_json_end_object(out);
		}
	}
	tn_json_end_array(out);
}

/* MCP-216. */
static bool is_wanted(const struct tenon_call *call, const struct tn_json *member)
{
	struct tn_str text;

	return !tn_str_is(member->key, "includeContext") ||
	       (call->abilities & TENON_CAN_SAMPLE_CONTEXT) ||
	       (tn_json_to_str(member, &text) && tn_str_is(text, "none"));
}

void tn_sampling_params_put(const struct tenon_call *call, const struct tn_json *params,
			    struct tn_buf *out)
{
	tn_json_begin_object(out);
	for (const struct tn_json *m = params->first; m; m = m->next) {
		if (call->revision < TN_R4 && tn_str_is(m->key, "messages"))
			put_messages(out, m);
		else if (is_wanted(call, m))
			put_member(out, m);
	}
	tn_json_end_object(out);
}
