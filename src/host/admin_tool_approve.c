/* approve_request: a person decides what a client asked for. */
#include "host/admin_parts.h"
#include "host/audit_file.h"
#include "mcp/consent.h"

static const char input_schema[] =
	"{\"type\":\"object\",\"properties\":{"
	"\"id\":{\"type\":\"string\",\"maxLength\":64,\"description\":\"Of tenon://approvals\"},"
	"\"decision\":{\"enum\":[\"approve\",\"approve_session\",\"deny\"],\"description\":"
	"\"approve_session: as `lasting` of the request says, where it has that member\"},"
	"\"by\":{\"enum\":[\"page\",\"terminal\"],\"default\":\"page\",\"description\":\"Where "
	"the person is\"}},"
	"\"required\":[\"id\",\"decision\"],\"additionalProperties\":false}";

static const char output_schema[] =
	"{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"string\"},"
	"\"state\":{\"enum\":[\"approved\",\"denied\"]}},\"required\":[\"id\",\"state\"]}";

static void call_approve(struct tenon_call *call, void *data)
{
	const struct tn_admin *admin = data;
	struct tn_str id = tn_str_from(tenon_call_text(call, "id"));
	const char *by = tenon_call_text(call, "by");
	struct tn_str decision = tn_str_from(tenon_call_text(call, "decision"));
	bool approve = !tn_str_is(decision, "deny");
	bool lasts = tn_str_is(decision, "approve_session");
	struct tenon_error err;
	struct tn_buf out;

	if (!admin->server->consent) {
		tenon_call_fail(call, "nothing is asked for here");
		return;
	}
	tn_audit_detail(call, "%.*s %.*s", (int)decision.size, decision.data, (int)id.size,
			id.data);
	/* The text is static from here on: the request keeps it. */
	by = by && tn_str_is(tn_str_from(by), "terminal") ? "terminal" : "page";
	if (tn_consent_decide(admin->server, id,
			      lasts     ? TN_APPROVED_LASTING
			      : approve ? TN_APPROVED
					: TN_DENIED,
			      by, &err) != TENON_OK) {
		tenon_call_fail(call, "%s", err.message);
		return;
	}
	tn_buf_init(&out, TN_KIB);
	tn_json_begin_object(&out);
	tn_json_put_member_str(&out, "id", id);
	tn_json_put_member_text(&out, "state", approve ? "approved" : "denied");
	tn_json_end_object(&out);
	tenon_call_set_structured(call, out.data, out.size);
	tenon_call_reply_text(call, approve ? "Approved." : "Denied.");
	tn_buf_finish(&out);
}

const struct tenon_tool tn_admin_tool_approve = {
	.name = "approve_request",
	.title = "Approve or deny a request",
	.description = "Decides a pending request of tenon://approvals. The client that asked "
		       "goes on, or is told that it was denied. Each decision counts once.",
	.input_schema = input_schema,
	.output_schema = output_schema,
	.flags = TENON_CLOSED_WORLD,
	.person_only = true,
	.call = call_approve,
};
