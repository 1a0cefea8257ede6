/* What a handler reads of an answer: the fields of a form, or a model's text. */
#include "mcp/call.h"

#include "base/limits.h"
#include "jsonrpc/json_write.h"

static const struct tn_json *field(const struct tenon_answer *answer, const char *name)
{
	return tn_json_get(tn_json_get(answer->result, "content"), name);
}

enum tenon_answer_action tenon_answer_action(const struct tenon_answer *answer)
{
	struct tn_str action;

	if (!tn_json_to_str(tn_json_get(answer->result, "action"), &action))
		return TENON_DISMISSED;
	if (tn_str_is(action, "accept"))
		return TENON_ACCEPTED;
	return tn_str_is(action, "decline") ? TENON_DECLINED : TENON_DISMISSED;
}

/* The text of a sampled message: one block or, since 2025-11-25, several. */
static const struct tn_json *sampled_text(const struct tn_json *content)
{
	if (tn_json_is(content, TN_JSON_ARRAY)) {
		for (content = content->first; content; content = content->next) {
			if (tn_json_get(content, "text"))
				break;
		}
	}
	return tn_json_get(content, "text");
}

const char *tenon_answer_text(const struct tenon_answer *answer, const char *name)
{
	const struct tn_json *content = tn_json_get(answer->result, "content");
	struct tn_str text;

	return tn_json_to_str(name ? tn_json_get(content, name) : sampled_text(content), &text)
		       ? text.data
		       : NULL;
}

bool tenon_answer_bool(const struct tenon_answer *answer, const char *name, bool *ret)
{
	return tn_json_to_bool(field(answer, name), ret);
}

bool tenon_answer_int(const struct tenon_answer *answer, const char *name, int64_t *ret)
{
	return tn_json_to_int(field(answer, name), ret);
}

bool tenon_answer_double(const struct tenon_answer *answer, const char *name, double *ret)
{
	return tn_json_to_double(field(answer, name), ret);
}

const char *tenon_answer_item(const struct tenon_answer *answer, const char *name, size_t index)
{
	const struct tn_json *list = field(answer, name);
	const struct tn_json *item = tn_json_is(list, TN_JSON_ARRAY) ? list->first : NULL;
	struct tn_str text;

	while (item && index--)
		item = item->next;
	return tn_json_to_str(item, &text) ? text.data : NULL;
}

const char *tenon_answer_json(const struct tenon_answer *answer)
{
	struct tn_buf text;
	const char *copy;

	tn_buf_init(&text, TN_MESSAGE_ARENA_MAX);
	tn_json_put_value(&text, answer->result);
	copy = text.failed ? NULL : tn_arena_copy(&answer->call->arena, tn_buf_str(&text));
	tn_buf_finish(&text);
	if (!copy)
		tn_call_starve(answer->call);
	return copy ? copy : "null";
}
