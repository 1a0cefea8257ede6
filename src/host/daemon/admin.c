#include "host/daemon/admin.h"

#include "base/mem.h"
#include "base/size.h"
#include "host/daemon/admin_app.h"
#include "host/limits.h"
#include "host/record/audit_file.h"
#include "host/record/metrics.h"
#include "mcp/consent.h"
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
	[TN_ADMIN_TOOLS] = {"tenon://tools", "tools", "Tools",
			    "A hash of what a model is told about each tool, and one of all",
			    tn_admin_write_tools},
};

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
	for (size_t i = 0; tn_admin_tools[i]; i++) {
		admin->tools[i] = *tn_admin_tools[i];
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
	code = tn_admin_publish_open(admin, err);
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
	tn_admin_publish_close(admin);
	daemon->admin = NULL;
}
