/* Acts of a person that make approvals needless: they are proven as approvals are. */
#include "base/digest.h"
#include "host/daemon/admin_app.h"
#include "mcp/consent.h"
#include "mcp/consent_text.h"
#include "mcp/limits.h"

/* In the call's arena. */
struct act {
	struct tenon_call *call;
	struct tn_admin *admin;
	tenon_call_fn *then;
};

static void proven(void *data, const struct tenon_error *why)
{
	const struct act *act = data;

	tenon_call_on_cancel(act->call, NULL, NULL);
	if (why->code == TENON_OK)
		act->then(act->call, act->admin);
	else
		tenon_call_fail(act->call, "Nothing was changed: %s", why->message);
}

static void given_up(struct tenon_call *call, void *data)
{
	tn_consent_give_up(call->server, data);
	tenon_call_fail(call, "whoever wanted it has gone");
}

void tn_admin_prove(struct tenon_call *call, struct tn_admin *admin, const char *summary,
		    const char *detail, tenon_call_fn *then)
{
	struct act *act = tn_arena_alloc(&call->arena, sizeof(*act));
	char digest[TN_DIGEST_HEX_SIZE];
	struct tenon_error err;
	struct tn_buf shown;

	tn_buf_init(&shown, 4 * TN_CONSENT_TEXT_MAX);
	tn_consent_text_put(&shown, tn_str_from(detail), TN_CONSENT_TEXT_MAX, true);
	tn_buf_append_byte(&shown, '\0');
	tn_digest_hex(tn_str_from(detail), digest);
	if (!act || shown.failed) {
		tenon_call_fail(call, "out of memory");
	} else {
		*act = (struct act){call, admin, then};
		tenon_call_on_cancel(call, given_up, act);
		if (tn_consent_prove(call->server,
				     &(struct tn_consent_claim){
					     .summary = summary,
					     .detail = shown.data,
					     .client = "a person's page or terminal",
					     .digest = digest,
					     .process = call->client > 0 ? call->client : 0},
				     proven, act, &err) != TENON_OK) {
			tenon_call_on_cancel(call, NULL, NULL);
			tenon_call_fail(call, "Nothing was changed: %s", err.message);
		}
	}
	tn_buf_finish(&shown);
}
