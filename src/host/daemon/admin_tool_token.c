/* show_token: what a person pastes into a client that cannot read the discovery file. */
#include "host/daemon/admin_app.h"
#include "mcp/fit.h"

void tn_admin_call_token(struct tenon_call *call, void *data)
{
	const struct tn_daemon *daemon = ((const struct tn_admin *)data)->daemon;
	struct tn_buf out;

	tn_buf_init(&out, TN_KIB);
	tn_json_begin_object(&out);
	tn_json_put_member_text(&out, "token", daemon->found.token);
	tn_json_end_object(&out);
	tn_call_put_structured(call, &out);
	tenon_call_reply_text(call, "The client token is in the structured result.");
	tn_buf_finish(&out);
}
