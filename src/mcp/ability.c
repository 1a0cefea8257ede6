#include "mcp/ability.h"

#include "jsonrpc/json_write.h"
#include "mcp/extension.h"
#include "mcp/fault.h"
#include "mcp/server.h"

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

void tn_call_refuse_missing(struct tenon_call *call, unsigned abilities)
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
	tn_call_refuse_missing(call, ability);
	return false;
}
