#include "host/daemon/metrics_page.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/size.h"
#include "host/limits.h"
#include "host/record/audit_file.h"
#include "host/record/metrics.h"
#include "mcp/consent.h"
#include "store/handles.h"

/* ---- the format ---- */

static void family(struct tn_buf *out, const char *name, const char *type, const char *help)
{
	tn_buf_format(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* Backslash, quote and line break are written with a backslash. */
static void put_label(struct tn_buf *out, const char *key, const char *value)
{
	tn_buf_format(out, "%s=\"", key);
	for (const char *at = value; *at; at++) {
		if (*at == '\n') {
			tn_buf_append_text(out, "\\n");
			continue;
		}
		if (*at == '\\' || *at == '"')
			tn_buf_append_byte(out, '\\');
		tn_buf_append_byte(out, *at);
	}
	tn_buf_append_byte(out, '"');
}

static void put_value(struct tn_buf *out, uint64_t value)
{
	tn_buf_append_byte(out, ' ');
	tn_buf_append_uint(out, value);
	tn_buf_append_byte(out, '\n');
}

static void put_seconds(struct tn_buf *out, uint64_t us)
{
	tn_buf_format(out, " %" PRIu64 ".%06" PRIu64 "\n", us / 1000000, us % 1000000);
}

static void put_single(struct tn_buf *out, const char *name, const char *type, const char *help,
		       uint64_t value)
{
	family(out, name, type, help);
	tn_buf_append_text(out, name);
	put_value(out, value);
}

/* ---- series ---- */

/* What stands before a series' other labels: `tool="x",app="y"` or `method="x"`. */
static void put_series(struct tn_buf *out, const char *label, const struct tn_series *series)
{
	put_label(out, label, series->name);
	if (label[0] == 't') { /* tool */
		tn_buf_append_byte(out, ',');
		put_label(out, "app", series->app);
	}
}

static void put_outcomes(struct tn_buf *out, const char *name, const char *label,
			 const struct tn_series *series)
{
	for (unsigned i = 0; i < TN_OUTCOMES; i++) {
		if (!series->outcomes[i])
			continue;
		tn_buf_format(out, "%s{", name);
		put_series(out, label, series);
		tn_buf_append_byte(out, ',');
		put_label(out, "outcome", tn_outcome_name((enum tn_outcome)i));
		tn_buf_append_byte(out, '}');
		put_value(out, series->outcomes[i]);
	}
}

static void put_histogram(struct tn_buf *out, const char *name, const char *label,
			  const struct tn_series *series)
{
	uint64_t below = 0;

	if (!series->took.count)
		return;
	for (size_t i = 0; i < TN_HISTOGRAM_BUCKETS; i++) {
		below += series->took.buckets[i];
		tn_buf_format(out, "%s_bucket{", name);
		put_series(out, label, series);
		tn_buf_append_byte(out, ',');
		put_label(out, "le", tn_histogram_bounds[i].seconds);
		tn_buf_append_byte(out, '}');
		put_value(out, below);
	}
	tn_buf_format(out, "%s_sum{", name);
	put_series(out, label, series);
	tn_buf_append_byte(out, '}');
	put_seconds(out, series->took.sum_us);
	tn_buf_format(out, "%s_count{", name);
	put_series(out, label, series);
	tn_buf_append_byte(out, '}');
	put_value(out, series->took.count);
}

static void put_table(struct tn_buf *out, const char *name, const char *label,
		      const struct tn_series_table *table,
		      void (*put)(struct tn_buf *, const char *, const char *,
				  const struct tn_series *))
{
	for (const struct tn_series *s = table->first; s; s = s->next)
		put(out, name, label, s);
	put(out, name, label, &table->other);
}

/* ---- the families ---- */

static void put_requests(const struct tn_metrics *metrics, struct tn_buf *out)
{
	family(out, "tenon_requests_total", "counter", "Requests that have ended, by method.");
	put_table(out, "tenon_requests_total", "method", &metrics->methods, put_outcomes);
	family(out, "tenon_request_duration_seconds", "histogram",
	       "From a request's first byte to its answer.");
	put_table(out, "tenon_request_duration_seconds", "method", &metrics->methods,
		  put_histogram);
	family(out, "tenon_tool_calls_total", "counter", "Calls of tools that have ended.");
	put_table(out, "tenon_tool_calls_total", "tool", &metrics->tools, put_outcomes);
	family(out, "tenon_tool_call_duration_seconds", "histogram",
	       "From a call's first byte to its answer.");
	put_table(out, "tenon_tool_call_duration_seconds", "tool", &metrics->tools, put_histogram);
	family(out, "tenon_consents_total", "counter",
	       "Calls that had to be consented to, by who did and how the call ended.");
	put_table(out, "tenon_consents_total", "by", &metrics->consents, put_outcomes);
	put_single(out, "tenon_answer_bytes_total", "counter", "Bytes of all answers.",
		   metrics->bytes);
	put_single(out, "tenon_connections_total", "counter",
		   "Connections and sessions that have been opened.", metrics->connections);
	put_single(out, "tenon_requests_in_flight", "gauge", "Requests that run now.",
		   tn_metrics_in_flight(metrics->server));
}

static void put_clients(const struct tenon_server *server, struct tn_buf *out)
{
	static const char *const ways[] = {"relay", "websocket", "http", "sse", "unix", "stdio"};

	family(out, "tenon_clients", "gauge", "Connections and sessions that are open.");
	for (size_t i = 0; i < TN_COUNT(ways); i++) {
		uint64_t count = 0;

		for (const struct tn_peer *peer = server->peers; peer; peer = peer->next)
			count += peer->kind != TN_PEER_HTTP_REQUEST &&
				 strcmp(tn_metrics_way(peer), ways[i]) == 0;
		tn_buf_append_text(out, "tenon_clients{");
		put_label(out, "transport", ways[i]);
		tn_buf_append_byte(out, '}');
		put_value(out, count);
	}
}

static void put_process(const struct tn_daemon *daemon, struct tn_buf *out)
{
	const struct tn_clock *clock = daemon->server->clock;
	int64_t up_ms = tn_clock_wall_ms(clock) - (int64_t)daemon->started_wall_ms;

	family(out, "tenon_build_info", "gauge", "Always 1; the version is the label.");
	tn_buf_append_text(out, "tenon_build_info{");
	put_label(out, "version", TENON_VERSION);
	tn_buf_append_byte(out, '}');
	put_value(out, 1);
	family(out, "tenon_uptime_seconds", "gauge", "Since the daemon started.");
	tn_buf_append_text(out, "tenon_uptime_seconds");
	put_seconds(out, up_ms > 0 ? (uint64_t)up_ms * 1000 : 0);
	family(out, "process_start_time_seconds", "gauge", "Since 1970-01-01 UTC.");
	tn_buf_append_text(out, "process_start_time_seconds");
	put_seconds(out, daemon->started_wall_ms * 1000);
	put_single(out, "process_resident_memory_bytes", "gauge", "Memory in use.",
		   tn_metrics_memory_bytes());
}

static void put_held(const struct tn_daemon *daemon, struct tn_buf *out)
{
	const struct tenon_server *server = daemon->server;

	put_single(out, "tenon_handles", "gauge", "What lives across calls.",
		   tn_handles_count(&server->handles));
	put_single(out, "tenon_approvals_pending", "gauge", "Requests that wait for a person.",
		   server->consent ? tn_consent_pending(server) : 0);
	put_single(out, "tenon_audit_lost_total", "counter",
		   "Entries of the audit that could not be written.",
		   daemon->audit ? tn_audit_file_lost(daemon->audit) : 0);
}

void tn_metrics_write(const struct tn_daemon *daemon, struct tn_buf *out)
{
	put_process(daemon, out);
	put_clients(daemon->server, out);
	put_requests(daemon->metrics, out);
	put_held(daemon, out);
}

void tn_metrics_page(struct tn_http_exchange *x, void *daemon)
{
	struct tn_http_reply reply = {.status = 200,
				      .type = TN_STR("text/plain; version=0.0.4; charset=utf-8")};
	struct tn_buf out;
	struct tn_str body;

	tn_buf_init(&out, TN_METRICS_BYTES_MAX);
	tn_metrics_write(daemon, &out);
	body = tn_buf_str(&out);
	if (out.failed) {
		reply.status = 500;
		reply.type = TN_STR("text/plain; charset=utf-8");
		body = TN_STR("out of memory\n");
	}
	reply.parts = &body;
	reply.part_count = 1;
	tn_http_respond(x, &reply);
	tn_buf_finish(&out);
}
