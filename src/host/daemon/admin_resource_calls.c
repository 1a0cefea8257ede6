/* tenon://calls: calls by second, by tool, and the last ones. */
#include <stdio.h>

#include "base/size.h"
#include "base/utf8.h"
#include "host/daemon/admin_app.h"
#include "host/limits.h"
#include "host/record/metrics.h"

static void keep(char *out, size_t size, struct tn_str text)
{
	text = tn_utf8_cut(text, size - 1);
	memcpy(out, text.data ? text.data : "", text.size);
	out[text.size] = '\0';
}

void tn_admin_note_call(struct tn_admin *admin, const struct tn_call_record *record)
{
	struct tn_admin_call *call = &admin->recent[admin->recent_next];

	call->wall_ms = record->call->peer->last_call_wall_ms;
	call->took_us = record->took_us;
	call->bytes = record->bytes;
	call->outcome = record->outcome;
	call->person = record->call->peer->person;
	call->named = record->name.data != NULL;
	keep(call->client, sizeof(call->client), record->client);
	keep(call->method, sizeof(call->method), record->method);
	keep(call->name, sizeof(call->name), record->name);
	admin->recent_next = (admin->recent_next + 1) % TN_ADMIN_RECENT_CALLS;
	if (admin->recent_count < TN_ADMIN_RECENT_CALLS)
		admin->recent_count++;
}

static void put_seconds(struct tn_metrics *metrics, struct tn_buf *out)
{
	uint32_t seconds[TN_METRICS_SECONDS] = {0};

	if (metrics)
		tn_metrics_seconds(metrics, seconds);
	tn_json_put_key(out, "perSecond");
	tn_json_begin_array(out);
	for (size_t i = 0; i < TN_COUNT(seconds); i++)
		tn_json_put_int(out, seconds[i]);
	tn_json_end_array(out);
}

static void put_tool(const struct tn_series *tool, struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "name", tool->name);
	tn_json_put_member_text(out, "app", tool->app);
	tn_json_put_member_int(out, "calls", (int64_t)tool->took.count);
	tn_json_put_member_int(out, "errors", (int64_t)tn_series_errors(tool));
	tn_json_put_key(out, "p50Ms");
	tn_json_put_double(out, tn_histogram_ms(&tool->took, 0.5));
	tn_json_put_key(out, "p99Ms");
	tn_json_put_double(out, tn_histogram_ms(&tool->took, 0.99));
	tn_admin_put_time(out, "lastAt", tool->last_wall_ms);
	tn_json_end_object(out);
}

static void put_recent(const struct tn_admin_call *call, struct tn_buf *out)
{
	tn_json_begin_object(out);
	tn_admin_put_time(out, "time", call->wall_ms);
	tn_json_put_member_text(out, "client", call->client);
	tn_json_put_member_bool(out, "person", call->person);
	tn_json_put_member_text(out, "method", call->method);
	tn_json_put_member_text(out, "name", call->named ? call->name : NULL);
	tn_json_put_member_text(out, "outcome", tn_outcome_name(call->outcome));
	tn_json_put_key(out, "ms");
	tn_json_put_double(out, (double)call->took_us / 1000);
	tn_json_put_member_int(out, "bytes", (int64_t)call->bytes);
	tn_json_end_object(out);
}

void tn_admin_write_calls(struct tn_admin *admin, struct tn_buf *out)
{
	const struct tn_metrics *metrics = admin->daemon->metrics;
	size_t at = admin->recent_next;

	tn_json_begin_object(out);
	put_seconds(admin->daemon->metrics, out);
	tn_json_put_key(out, "tools");
	tn_json_begin_array(out);
	for (const struct tn_series *s = metrics ? metrics->tools.first : NULL; s; s = s->next)
		put_tool(s, out);
	tn_json_end_array(out);
	tn_json_put_key(out, "recent");
	tn_json_begin_array(out);
	for (size_t i = 0; i < admin->recent_count; i++) {
		at = (at + TN_ADMIN_RECENT_CALLS - 1) % TN_ADMIN_RECENT_CALLS;
		put_recent(&admin->recent[at], out);
	}
	tn_json_end_array(out);
	tn_json_end_object(out);
}
