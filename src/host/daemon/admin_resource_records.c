/* tenon://handles, tenon://approvals, tenon://audit, tenon://logs: lists that others keep. */
#include "host/daemon/admin_app.h"
#include "host/record/audit_file.h"
#include "mcp/consent.h"
#include "store/handles.h"

static bool put_handle(const struct tn_handle_info *info, void *data)
{
	struct tn_buf *out = data;

	tn_json_begin_object(out);
	tn_json_put_member_text(out, "id", info->id);
	tn_json_put_member_text(out, "kind", info->kind);
	tn_json_put_member_text(out, "app", info->app);
	tn_json_put_member_text(out, "title", info->title);
	tn_admin_put_time(out, "createdAt", (uint64_t)info->created_ms);
	tn_admin_put_time(out, "usedAt", (uint64_t)info->used_ms);
	tn_admin_put_time(out, "expiresAt", info->expires_ms < 0 ? 0 : (uint64_t)info->expires_ms);
	tn_json_put_member_int(out, "bytes", (int64_t)info->bytes);
	tn_json_end_object(out);
	return !out->failed;
}

void tn_admin_write_handles(struct tn_admin *admin, struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_json_put_key(out, "handles");
	tn_json_begin_array(out);
	tn_handles_each(&admin->server->handles, put_handle, out);
	tn_json_end_array(out);
	tn_json_end_object(out);
}

void tn_admin_write_approvals(struct tn_admin *admin, struct tn_buf *out)
{
	if (admin->server->consent)
		tn_consent_write(admin->server, out);
	else
		tn_buf_append_str(out, TN_STR("{\"approvals\":[]}"));
}

void tn_admin_write_audit(struct tn_admin *admin, struct tn_buf *out)
{
	if (admin->daemon->audit)
		tn_audit_file_write(admin->daemon->audit, out);
	else
		tn_buf_append_str(out, TN_STR("{\"entries\":[],\"head\":null}"));
}

void tn_admin_write_logs(struct tn_admin *admin, struct tn_buf *out)
{
	(void)admin;
	tn_log_write(out);
}
