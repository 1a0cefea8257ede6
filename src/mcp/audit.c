#include "mcp/audit.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "mcp/method.h"
#include "mcp/server.h"

static const char *outcome_of(struct tenon_call *call, int code, bool dropped)
{
	if (atomic_load(&call->cancelled))
		return "cancelled";
	if (dropped) /* the stream is the answer, or nobody waited for one */
		return call->method && tn_str_is(call->method_name, "subscriptions/listen")
			       ? "listening"
			       : "dropped";
	if (code)
		return "error";
	if (call->asked)
		return "input_required";
	return call->is_error ? "tool_error" : "ok";
}

static void put_name(const struct tenon_call *call, struct tn_buf *line)
{
	struct tn_str name = call->uri;

	if (!name.data && call->item)
		name = call->item->key;
	if (!name.data && call->method && call->method->name_member)
		(void)tn_json_to_str(tn_json_get(call->params, call->method->name_member), &name);
	if (name.data)
		tn_json_put_member_str(line, "name", tn_utf8_cut(name, TN_AUDIT_TEXT_MAX));
}

void tn_audit_end(struct tenon_call *call, bool dropped)
{
	const struct tenon_server *server = call->server;
	int code = call->out.failed ? TN_INTERNAL_ERROR : call->error_code;
	char time[TN_CLOCK_ISO_SIZE];
	struct tn_buf line;

	/* A cancellation's `id` is that of what it cancels. */
	if (!call->id.data || !call->method_name.data || call->audited ||
	    tn_str_starts(call->method_name, TN_STR("notifications/")))
		return; /* no request, or told of already */
	call->audited = true;
	tn_clock_format_iso(tn_clock_wall_ms(server->clock), time);
	tn_buf_init(&line, 64 * TN_KIB);
	tn_json_begin_object(&line);
	tn_json_put_member_text(&line, "time", time);
	tn_json_put_member_text(&line, "principal", call->principal);
	tn_json_put_member_str(
		&line, "client",
		tn_utf8_cut(tn_str_from(tenon_call_client_name(call)), TN_AUDIT_TEXT_MAX));
	tn_json_put_member_str(&line, "method", tn_utf8_cut(call->method_name, TN_AUDIT_TEXT_MAX));
	put_name(call, &line);
	tn_json_put_member_text(&line, "outcome", outcome_of(call, code, dropped));
	if (code)
		tn_json_put_member_int(&line, "code", code);
	tn_json_put_member_int(&line, "ms", (int64_t)(tn_server_now_ms(server) - call->started_ms));
	tn_json_end_object(&line);
	tn_buf_append_byte(&line, '\0');
	if (!line.failed)
		server->options.audit(line.data, server->options.data);
	tn_buf_finish(&line);
}
