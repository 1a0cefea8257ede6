/* approve_request: a person decides what a client asked for. */
#include "host/daemon/admin_app.h"
#include "host/record/audit_file.h"
#include "mcp/consent.h"
#include "mcp/fit.h"

static void reply(struct tenon_call *call)
{
	struct tn_str id = tn_str_from(tenon_call_text(call, "id"));
	bool approve = !tn_str_is(tn_str_from(tenon_call_text(call, "decision")), "deny");
	struct tn_buf out;

	tn_buf_init(&out, TN_KIB);
	tn_json_begin_object(&out);
	tn_json_put_member_str(&out, "id", id);
	tn_json_put_member_text(&out, "state", approve ? "approved" : "denied");
	tn_json_end_object(&out);
	tn_call_put_structured(call, &out);
	tenon_call_reply_text(call, approve ? "Approved." : "Denied.");
	tn_buf_finish(&out);
}

/* consent.proof: a human has proven it, or has not. */
static void proven(void *data, const struct tenon_error *why)
{
	struct tenon_call *call = data;

	tenon_call_on_cancel(call, NULL, NULL);
	if (why->code == TENON_OK)
		reply(call);
	else
		tenon_call_fail(call, "Not approved: %s", why->message);
}

static void given_up(struct tenon_call *call, void *data)
{
	(void)data;
	tn_consent_give_up(call->server, call);
	tenon_call_fail(call, "whoever approved has gone");
}

void tn_admin_call_approve(struct tenon_call *call, void *data)
{
	struct tn_str decision = tn_str_from(tenon_call_text(call, "decision"));
	const char *by = tenon_call_text(call, "by");
	/* The text is static from here on: the request keeps it. */
	struct tn_consent_answer answer = {
		.id = tn_str_from(tenon_call_text(call, "id")),
		.decision = tn_str_is(decision, "deny")              ? TN_DENIED
			    : tn_str_is(decision, "approve_session") ? TN_APPROVED_LASTING
								     : TN_APPROVED,
		.by = by && tn_str_is(tn_str_from(by), "terminal") ? "terminal" : "page",
		.process = call->client > 0 ? call->client : 0,
		.done = proven,
		.data = call};
	struct tenon_error err;
	bool waits = false;

	(void)data;
	if (!call->server->consent) {
		tenon_call_fail(call, "nothing is asked for here");
		return;
	}
	tn_audit_detail(call, "%.*s %.*s", (int)decision.size, decision.data, (int)answer.id.size,
			answer.id.data);
	if (tn_consent_answer(call->server, &answer, &waits, &err) != TENON_OK)
		tenon_call_fail(call, "%s", err.message);
	else if (waits)
		tenon_call_on_cancel(call, given_up, NULL);
	else
		reply(call);
}
