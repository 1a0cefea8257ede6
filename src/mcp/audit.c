#include "mcp/audit.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "jsonrpc/json_write.h"
#include "mcp/limits.h"
#include "mcp/observe.h"

static void write_line(const struct tn_call_record *record, void *data)
{
	const struct tenon_server *server = data;
	char time[TN_CLOCK_ISO_SIZE];
	struct tn_buf line;

	tn_clock_format_iso(tn_clock_wall_ms(server->clock), time);
	tn_buf_init(&line, 64 * TN_KIB);
	tn_json_begin_object(&line);
	tn_json_put_member_text(&line, "time", time);
	tn_json_put_member_text(&line, "principal", record->call->principal);
	tn_json_put_member_str(&line, "client", tn_utf8_cut(record->client, TN_AUDIT_TEXT_MAX));
	tn_json_put_member_str(&line, "method", tn_utf8_cut(record->method, TN_AUDIT_TEXT_MAX));
	if (record->name.data)
		tn_json_put_member_str(&line, "name", tn_utf8_cut(record->name, TN_AUDIT_TEXT_MAX));
	tn_json_put_member_text(&line, "outcome", tn_outcome_name(record->outcome));
	if (record->error_code)
		tn_json_put_member_int(&line, "code", record->error_code);
	tn_json_put_member_int(&line, "ms", (int64_t)(record->took_us / 1000));
	tn_json_end_object(&line);
	tn_buf_append_byte(&line, '\0');
	if (!line.failed)
		server->options.audit(line.data, server->options.data);
	tn_buf_finish(&line);
}

enum tenon_code tn_audit_open(struct tenon_server *server, struct tenon_error *err)
{
	if (!server->options.audit)
		return TENON_OK;
	server->audit = tn_mem_alloc(sizeof(*server->audit));
	if (!server->audit)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	*server->audit = (struct tn_observer){.call_ended = write_line, .data = server};
	tn_observe(server, server->audit);
	return TENON_OK;
}

void tn_audit_close(struct tenon_server *server)
{
	if (!server->audit)
		return;
	tn_observe_stop(server, server->audit);
	tn_mem_free(server->audit);
	server->audit = NULL;
}
