#include "host/admin.h"

#include "base/mem.h"
#include "base/size.h"
#include "host/admin_parts.h"
#include "host/audit_file.h"
#include "host/metrics.h"
#include "mcp/consent.h"
#include "mcp/feed.h"
#include "store/handles.h"

static const struct topic {
	const char *uri, *name, *title, *description;
	void (*write)(struct tn_admin *admin, struct tn_buf *out);
} topics[TN_ADMIN_TOPICS] = {
	[TN_ADMIN_STATUS] = {"tenon://status", "status", "Status",
			     "Version, addresses, apps, and numbers of the daemon",
			     tn_admin_write_status},
	[TN_ADMIN_CLIENTS] = {"tenon://clients", "clients", "Clients",
			      "Who is connected, since when, and what they called last",
			      tn_admin_write_clients},
	[TN_ADMIN_CALLS] = {"tenon://calls", "calls", "Calls",
			    "Calls a second, each tool's numbers, and the last calls",
			    tn_admin_write_calls},
	[TN_ADMIN_HANDLES] = {"tenon://handles", "handles", "Handles",
			      "What lives across calls, and when it expires",
			      tn_admin_write_handles},
	[TN_ADMIN_APPROVALS] = {"tenon://approvals", "approvals", "Approvals",
				"What a person is asked to approve, and what was decided",
				tn_admin_write_approvals},
	[TN_ADMIN_AUDIT] = {"tenon://audit", "audit", "Audit",
			    "Who changed what, and how that was consented to",
			    tn_admin_write_audit},
	[TN_ADMIN_LOGS] = {"tenon://logs", "logs", "Logs", "The last lines of the daemon's log",
			   tn_admin_write_logs},
	[TN_ADMIN_SETTINGS] = {"tenon://settings", "settings", "Settings",
			       "Every setting: value, default, and where the value is from",
			       tn_admin_write_settings},
	[TN_ADMIN_POLICY] = {"tenon://policy", "policy", "Policy", "The consent policy as text",
			     NULL},
	[TN_ADMIN_HOSTS] = {"tenon://hosts", "hosts", "Hosts",
			    "What each AI host has to be told to use this daemon",
			    tn_admin_write_hosts},
};

void tn_admin_put_time(struct tn_buf *out, const char *key, uint64_t wall_ms)
{
	char time[TN_CLOCK_ISO_SIZE];

	if (!wall_ms) {
		tn_json_put_member_null(out, key);
		return;
	}
	tn_clock_format_iso((int64_t)wall_ms, time);
	tn_json_put_member_text(out, key, time);
}

/* ---- publishing ---- */

static void publish(struct tn_admin *admin, unsigned dirty)
{
	for (unsigned i = 0; i < TN_ADMIN_TOPICS; i++) {
		if (!(dirty & 1U << i))
			continue;
		if (tn_feed_has_subscriber(admin->server, tn_str_from(topics[i].uri)))
			tn_feed_resource_updated(admin->server, tn_str_from(topics[i].uri));
	}
}

/* What is shown of the last minute changes although nothing happens. */
static bool is_cooling(const struct tn_admin *admin)
{
	return admin->daemon->metrics && tn_metrics_last_minute(admin->daemon->metrics) > 0;
}

static void publish_counts(struct tn_admin *admin)
{
	unsigned dirty = admin->dirty_counts;

	admin->dirty_counts = 0;
	admin->counted_ms = tn_loop_now_ms(admin->server->loop);
	publish(admin, dirty);
	if (is_cooling(admin)) {
		tn_admin_mark_count(admin, TN_ADMIN_CALLS);
		tn_admin_mark_count(admin, TN_ADMIN_STATUS);
	}
}

static void timer_due(struct tn_timer *timer, void *data)
{
	(void)timer;
	publish_counts(data);
}

static void later_due(struct tn_later *later, void *data)
{
	struct tn_admin *admin = data;
	unsigned dirty = admin->dirty_now;

	(void)later;
	admin->dirty_now = 0;
	publish(admin, dirty);
}

void tn_admin_mark(struct tn_admin *admin, enum tn_admin_topic topic)
{
	if (!admin->watching || !admin->server->subscription_bytes)
		return; /* whoever subscribes later reads what is then */
	admin->dirty_now |= 1U << topic;
	tn_later_request(admin->later);
}

void tn_admin_mark_count(struct tn_admin *admin, enum tn_admin_topic topic)
{
	uint64_t since;

	if (!admin->watching || !admin->server->subscription_bytes)
		return;
	admin->dirty_counts |= 1U << topic;
	if (tn_timer_active(admin->timer))
		return;
	since = tn_loop_now_ms(admin->server->loop) - admin->counted_ms;
	tn_timer_start(admin->timer, since < TN_ADMIN_COUNT_MS ? TN_ADMIN_COUNT_MS - since : 0);
}

void tn_admin_changed(struct tn_daemon *daemon)
{
	if (!daemon->admin)
		return;
	tn_admin_mark(daemon->admin, TN_ADMIN_STATUS);
	tn_admin_mark(daemon->admin, TN_ADMIN_SETTINGS);
	tn_admin_mark(daemon->admin, TN_ADMIN_POLICY);
	tn_admin_mark(daemon->admin, TN_ADMIN_HOSTS);
}

/* ---- what changes ---- */

/* One line a call; not of those that read the log. */
static void log_call(const struct tn_call_record *record)
{
	struct tn_buf members;

	if (!tn_log_wants(TN_LOG_DEBUG))
		return;
	tn_buf_init(&members, TN_LOG_LINE_BYTES_MAX / 2);
	tn_buf_append_byte(&members, '{'); /* so that commas are set as in an object */
	tn_json_put_member_str(&members, "tool", record->name);
	tn_json_put_key(&members, "ms");
	tn_json_put_double(&members, (double)record->took_us / 1000);
	tn_json_put_member_int(&members, "bytes", (int64_t)record->bytes);
	tn_json_put_member_text(&members, "outcome", tn_outcome_name(record->outcome));
	if (!members.failed) {
		members.data[0] = ',';
		tn_log_with(TN_LOG_DEBUG, "call", tn_buf_str(&members), "%.*s",
			    (int)record->method.size, record->method.data);
	}
	tn_buf_finish(&members);
}

static void call_ended(const struct tn_call_record *record, void *data)
{
	struct tn_admin *admin = data;

	tn_admin_clients_called(admin, record);
	if (tn_metrics_is_quiet(record))
		return;
	log_call(record);
	tn_admin_note_call(admin, record);
	tn_admin_mark_count(admin, TN_ADMIN_STATUS);
	tn_admin_mark_count(admin, TN_ADMIN_CALLS);
	tn_admin_mark_count(admin, TN_ADMIN_CLIENTS);
}

static void peers_changed(struct tn_admin *admin)
{
	tn_admin_mark_count(admin, TN_ADMIN_STATUS);
	tn_admin_mark_count(admin, TN_ADMIN_CLIENTS);
}

static void peer_came(const struct tn_peer *peer, void *data)
{
	tn_admin_clients_came(data, peer);
	peers_changed(data);
}

static void peer_went(const struct tn_peer *peer, void *data)
{
	tn_admin_clients_went(data, peer);
	peers_changed(data);
}

static void approvals_changed(void *data)
{
	tn_admin_mark(data, TN_ADMIN_APPROVALS);
	tn_admin_mark(data, TN_ADMIN_STATUS);
}

static void entry_added(void *data)
{
	tn_admin_mark_count(data, TN_ADMIN_AUDIT);
}

static void line_logged(void *data)
{
	tn_admin_mark_count(data, TN_ADMIN_LOGS);
}

static void handles_changed(void *data)
{
	tn_admin_mark_count(data, TN_ADMIN_HANDLES);
	tn_admin_mark_count(data, TN_ADMIN_STATUS);
}

/* ---- the app ---- */

static void read_topic(struct tenon_call *call, void *data)
{
	const struct tn_admin_slot *slot = data;
	struct tn_buf text;

	tn_buf_init(&text, TN_ADMIN_BYTES_MAX);
	slot->write(slot->admin, &text);
	if (text.failed) {
		tenon_call_fail(call, text.starved ? "out of memory" : "too much to show");
	} else {
		tenon_call_add_resource_text(call, NULL, "application/json", text.data, text.size);
		tenon_call_finish(call);
	}
	tn_buf_finish(&text);
}

static void build_app(struct tn_admin *admin)
{
	static const struct tenon_tool *const tools[] = {
		&tn_admin_tool_approve, &tn_admin_tool_rotate, &tn_admin_tool_settings,
		&tn_admin_tool_policy,  &tn_admin_tool_token,
	};

	for (size_t i = 0; i < TN_COUNT(tools); i++) {
		admin->tools[i] = *tools[i];
		admin->tools[i].data = admin;
		admin->tool_list[i] = &admin->tools[i];
	}
	for (size_t i = 0; i < TN_ADMIN_TOPICS; i++) {
		const struct topic *topic = &topics[i];

		admin->slots[i] = (struct tn_admin_slot){admin, topic->write, topic->uri};
		admin->resources[i] = (struct tenon_resource){
			.uri = topic->uri,
			.name = topic->name,
			.title = topic->title,
			.description = topic->description,
			.mime_type = "application/json",
			.size_bytes = -1,
			.read = topic->write ? read_topic : tn_admin_read_policy,
			.data = topic->write ? (void *)&admin->slots[i] : admin,
		};
		admin->resource_list[i] = &admin->resources[i];
	}
	admin->app = (struct tenon_app){
		.name = "tenon",
		.argument_faults = TENON_FAULTS_ARE_TOOL_ERRORS,
		.tools = admin->tool_list,
		.resources = admin->resource_list,
	};
}

static void free_admin(void *data)
{
	struct tn_admin *admin = data;

	tn_admin_clients_finish(admin);
	tn_mem_free(admin);
}

static void watch(struct tn_admin *admin)
{
	struct tn_daemon *daemon = admin->daemon;

	admin->watching = true;
	admin->observer = (struct tn_observer){.call_ended = call_ended,
					       .peer_came = peer_came,
					       .peer_went = peer_went,
					       .data = admin};
	tn_observe(admin->server, &admin->observer);
	if (daemon->audit)
		tn_audit_file_on_entry(daemon->audit, entry_added, admin);
	if (admin->server->consent)
		tn_consent_on_change(admin->server, approvals_changed, admin);
	admin->server->handles.changed = handles_changed;
	admin->server->handles.changed_data = admin;
	tn_log_on_line(line_logged, admin);
}

/* The state goes with the server from here on, whatever becomes of the rest. */
static enum tenon_code add_app(struct tn_admin *admin, struct tenon_error *err)
{
	enum tenon_code code = tenon_server_add_app(admin->server, &admin->app, err);
	struct tn_app_slot *slot = admin->server->apps;

	while (slot && slot->app != &admin->app)
		slot = slot->next;
	if (!slot) {
		free_admin(admin);
	} else {
		slot->state = admin;
		admin->app.close = free_admin;
	}
	return code;
}

static void note_daemon(const struct tn_daemon *daemon, const char *what)
{
	const struct tn_audit_entry entry = {
		.client = TN_STR("tenond"), .tool = tn_str_from(what), .outcome = "ok"};

	if (daemon->audit)
		tn_audit_file_add(daemon->audit, &entry);
}

enum tenon_code tn_admin_open(struct tn_daemon *daemon, struct tenon_error *err)
{
	struct tn_admin *admin = tn_mem_alloc(sizeof(*admin));
	enum tenon_code code;

	if (!admin)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	admin->daemon = daemon;
	admin->server = daemon->server;
	tn_map_init(&admin->clients);
	build_app(admin);
	code = add_app(admin, err);
	if (code != TENON_OK)
		return code;
	daemon->admin = admin;
	code = tn_later_open(admin->server->loop, later_due, admin, &admin->later, err);
	if (code == TENON_OK)
		code = tn_timer_open(admin->server->loop, timer_due, admin, &admin->timer, err);
	if (code == TENON_OK) {
		watch(admin);
		note_daemon(daemon, "daemon_start");
	}
	return code;
}

void tn_admin_close(struct tn_daemon *daemon)
{
	struct tn_admin *admin = daemon->admin;

	if (!admin)
		return;
	if (admin->watching) {
		admin->watching = false;
		note_daemon(daemon, "daemon_stop");
		tn_log_on_line(NULL, NULL);
		admin->server->handles.changed = NULL;
		if (admin->server->consent)
			tn_consent_on_change(admin->server, NULL, NULL);
		if (daemon->audit)
			tn_audit_file_on_entry(daemon->audit, NULL, NULL);
		tn_observe_stop(admin->server, &admin->observer);
	}
	tn_timer_close(admin->timer);
	tn_later_close(admin->later);
	admin->timer = NULL;
	admin->later = NULL;
	daemon->admin = NULL;
}
