/* What an apply will invoke besides the changes (Terraform 1.14). */
#include "apps/plan/read/json_change.h"
#include "apps/plan/read/json_value.h"

static bool read_trigger(struct tn_json_reader *tokens, struct tn_str *ret_resource,
			 const char **ret_when)
{
	enum tn_json_token token = tn_json_next(tokens);
	struct tn_str event = {NULL, 0};

	if (token != TN_JSON_TOKEN_OBJECT)
		return tn_plan_json_pass(tokens, token);
	while ((token = tn_json_next(tokens)) == TN_JSON_TOKEN_KEY) {
		bool good;

		if (tn_str_is(tokens->text, "triggering_resource_address"))
			good = tn_plan_json_read_text(tokens, ret_resource);
		else if (tn_str_is(tokens->text, "action_trigger_event"))
			good = tn_plan_json_read_text(tokens, &event);
		else
			good = tn_json_skip(tokens);
		if (!good)
			return false;
	}
	*ret_when = tn_str_starts(event, TN_STR("Before")) || tn_str_starts(event, TN_STR("before"))
			    ? "before"
			    : "after";
	return token == TN_JSON_TOKEN_OBJECT_END;
}

bool tn_plan_json_read_invocation(struct tn_plan_json_reader *reader, enum tn_json_token token)
{
	struct tn_json_reader *tokens = &reader->tokens;
	struct tn_plan_invocation *invocation, value = {.when = "direct"};

	if (token != TN_JSON_TOKEN_OBJECT)
		return tn_plan_json_pass(tokens, token);
	while ((token = tn_json_next(tokens)) == TN_JSON_TOKEN_KEY) {
		bool good;

		if (tn_str_is(tokens->text, "address"))
			good = tn_plan_json_read_text(tokens, &value.address);
		else if (tn_str_is(tokens->text, "lifecycle_action_trigger"))
			good = read_trigger(tokens, &value.resource, &value.when);
		else
			good = tn_json_skip(tokens);
		if (!good)
			return false;
	}
	invocation = tn_plan_add_invocation(reader->build);
	if (invocation)
		*invocation = value;
	return token == TN_JSON_TOKEN_OBJECT_END && reader->build->code == TENON_OK;
}
