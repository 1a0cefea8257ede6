/* tenon://status: the daemon in one look. */
#include <stdio.h>

#include "host/daemon/admin_app.h"
#include "host/record/metrics.h"
#include "mcp/consent.h"
#include "store/handles.h"

enum { RATE_SECONDS = 5 }; /* that "perSecond" is the mean of */

static void put_times(const struct tn_daemon *daemon, struct tn_buf *out)
{
	uint64_t now = (uint64_t)tn_clock_wall_ms(daemon->server->clock);

	tn_json_put_member_text(out, "version", TENON_VERSION);
	tn_json_put_member_int(out, "pid", daemon->found.pid);
	tn_admin_put_time(out, "startedAt", daemon->started_wall_ms);
	tn_json_put_member_int(
		out, "uptimeMs",
		now > daemon->started_wall_ms ? (int64_t)(now - daemon->started_wall_ms) : 0);
}

static void put_state(const struct tn_daemon *daemon, struct tn_buf *out)
{
	static const char *const names[] = {
		[TN_DAEMON_LISTENING] = "listening",
		[TN_DAEMON_OFF] = "off",
		[TN_DAEMON_ERROR] = "error",
	};

	tn_json_put_member_text(out, "state", names[tn_daemon_state(daemon)]);
	tn_json_put_member_text(out, "reason", daemon->reason[0] ? daemon->reason : NULL);
	tn_json_put_member_bool(out, "mcpEnabled", !daemon->server->disabled);
}

/* What is in force, whatever the file says for the next start. */
static const char *opened_text(const struct tn_daemon *daemon, const char *key)
{
	struct tn_settings opened = tn_config_opened(daemon->config);

	return tn_settings_text(&opened, key);
}

static void put_addresses(const struct tn_daemon *daemon, struct tn_buf *out)
{
	tn_json_put_key(out, "http");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "url", daemon->found.url);
	tn_json_put_member_text(out, "address",
				daemon->config ? opened_text(daemon, "http.listen") : "127.0.0.1");
	tn_json_put_member_int(out, "port", daemon->found.http_port);
	tn_json_put_member_int(out, "wantedPort", daemon->wanted_port);
	tn_json_put_member_text(out, "exposure", daemon->remote ? "remote" : "loopback");
	tn_json_end_object(out);
	tn_json_put_key(out, "bridge");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "port", daemon->found.bridge_port);
	tn_json_end_object(out);
	tn_json_put_key(out, "token");
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "policy", daemon->token_fixed ? "fixed" : "rotating");
	tn_admin_put_time(out, "since", daemon->token_since_wall_ms);
	tn_json_end_object(out);
}

static size_t count_entries(const void *const *list)
{
	size_t count = 0;

	while (list && list[count])
		count++;
	return count;
}

static void put_app(const struct tn_app_slot *slot, struct tn_buf *out)
{
	const struct tenon_app *app = slot->app;
	char title[64];

	/* "plan" is "Plan" to a person. */
	(void)snprintf(title, sizeof(title), "%s", app->name);
	if (title[0] >= 'a' && title[0] <= 'z')
		title[0] = (char)(title[0] - 'a' + 'A');
	tn_json_begin_object(out);
	tn_json_put_member_text(out, "name", app->name);
	tn_json_put_member_text(out, "title", title);
	tn_json_put_member_bool(out, "enabled", !slot->is_off);
	tn_json_put_member_int(out, "tools",
			       (int64_t)count_entries((const void *const *)app->tools));
	tn_json_put_member_int(out, "resources",
			       (int64_t)(count_entries((const void *const *)app->resources) +
					 count_entries((const void *const *)app->templates)));
	tn_json_end_object(out);
}

static void put_apps(const struct tn_admin *admin, struct tn_buf *out)
{
	tn_json_put_key(out, "apps");
	tn_json_begin_array(out);
	for (const struct tn_app_slot *slot = admin->server->apps; slot; slot = slot->next) {
		if (slot->app != &admin->app)
			put_app(slot, out);
	}
	tn_json_end_array(out);
}

static void put_calls(struct tn_metrics *metrics, struct tn_buf *out)
{
	uint32_t seconds[TN_METRICS_SECONDS];
	uint64_t sum = 0;

	tn_metrics_seconds(metrics, seconds);
	for (size_t i = TN_METRICS_SECONDS - RATE_SECONDS; i < TN_METRICS_SECONDS; i++)
		sum += seconds[i];
	tn_json_put_key(out, "calls");
	tn_json_begin_object(out);
	tn_json_put_member_int(out, "total", (int64_t)metrics->calls);
	tn_json_put_member_int(out, "errors", (int64_t)metrics->errors);
	/* The call that reads this is none of them. */
	tn_json_put_member_int(out, "inFlight", (int64_t)tn_metrics_in_flight(metrics->server) - 1);
	tn_json_put_key(out, "perSecond");
	tn_json_put_double(out, (double)sum / RATE_SECONDS);
	tn_json_end_object(out);
	tn_json_put_key(out, "latency");
	tn_json_begin_object(out);
	tn_json_put_key(out, "p50Ms");
	tn_json_put_double(out, tn_histogram_ms(&metrics->took, 0.5));
	tn_json_put_key(out, "p99Ms");
	tn_json_put_double(out, tn_histogram_ms(&metrics->took, 0.99));
	tn_json_end_object(out);
}

static void put_path(struct tn_buf *out, const char *key, const char *folder, const char *name)
{
	char path[PATH_MAX + 32];

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	tn_json_put_member_text(out, key, path);
}

static void put_files(const struct tn_daemon *daemon, struct tn_buf *out)
{
	const char *log = daemon->config ? opened_text(daemon, "log.file") : "";

	tn_json_put_key(out, "files");
	tn_json_begin_object(out);
	if (daemon->config)
		tn_json_put_member_text(out, "config", tn_config_path(daemon->config));
	else
		put_path(out, "config", daemon->config_folder, "config.json");
	tn_json_put_member_text(out, "policy", daemon->policy_path);
	put_path(out, "manifest", daemon->config_folder, "mcp.json");
	if (log[0])
		tn_json_put_member_text(out, "log", log);
	else
		put_path(out, "log", daemon->state_folder, "tenond.log");
	put_path(out, "audit", daemon->state_folder, "audit.jsonl");
	tn_json_end_object(out);
}

void tn_admin_write_status(struct tn_admin *admin, struct tn_buf *out)
{
	const struct tn_daemon *daemon = admin->daemon;

	tn_json_begin_object(out);
	put_times(daemon, out);
	put_state(daemon, out);
	put_addresses(daemon, out);
	put_apps(admin, out);
	tn_json_put_member_int(out, "clients", (int64_t)tn_admin_clients_count(admin));
	if (daemon->metrics)
		put_calls(daemon->metrics, out);
	tn_json_put_member_int(out, "handles", (int64_t)tn_handles_count(&admin->server->handles));
	tn_json_put_member_int(out, "approvals",
			       admin->server->consent ? (int64_t)tn_consent_pending(admin->server)
						      : 0);
	tn_json_put_member_int(out, "memoryBytes", (int64_t)tn_metrics_memory_bytes());
	put_files(daemon, out);
	tn_json_end_object(out);
}
