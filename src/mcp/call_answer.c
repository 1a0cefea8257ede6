/* What the client has answered so far, by key: of one key the newest counts. */
#include "mcp/call.h"

#include "base/limits.h"
#include "jsonrpc/json_write.h"

const struct tenon_answer *tn_call_find_answer(const struct tenon_call *call, const char *key)
{
	const struct tenon_answer *answer = call->answers;

	while (answer && strcmp(answer->key, key) != 0)
		answer = answer->next;
	return answer;
}

bool tn_call_add_answer(struct tenon_call *call, struct tn_str key, const struct tn_json *result)
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

/* It lies in another message's arena: it is copied into the call's own. */
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

	return copy && tn_call_add_answer(call, tn_str_from(key), copy);
}
