/* rotate_token: the client token is replaced; the old one dies at once. */
#include "host/daemon/admin_app.h"
#include "mcp/fit.h"

void tn_admin_call_rotate(struct tenon_call *call, void *data)
{
	struct tn_daemon *daemon = ((struct tn_admin *)data)->daemon;
	struct tenon_error err;
	struct tn_buf out;

	if (tn_daemon_rotate(daemon, &err) != TENON_OK) {
		tenon_call_fail(call, "%s", err.message);
		return;
	}
	tn_buf_init(&out, TN_KIB);
	tn_json_begin_object(&out);
	tn_json_put_member_text(&out, "token", daemon->found.token);
	tn_json_end_object(&out);
	tn_call_put_structured(call, &out);
	tenon_call_reply_text(call, "The client token has been replaced. Hosts that were set up "
				    "with the old one need the new one.");
	tn_buf_finish(&out);
}
