/* admin_app.h - the app `tenon` among its own files: admin.c is its life, admin_publish.c tells
 * of changes, admin_clients.c who is here, admin_resource_*.c what is read, admin_tool_*.c what a
 * person does. Threads: loop. */
#ifndef TN_HOST_DAEMON_ADMIN_APP_H
#define TN_HOST_DAEMON_ADMIN_APP_H

#include "base/size.h"
#include "host/daemon/admin.h"
#include "host/daemon/tools.h"
#include "host/limits.h"
#include "jsonrpc/json_write.h"
#include "mcp/observe.h"

enum tn_admin_topic {
	TN_ADMIN_STATUS,
	TN_ADMIN_CLIENTS,
	TN_ADMIN_CALLS,
	TN_ADMIN_HANDLES,
	TN_ADMIN_APPROVALS,
	TN_ADMIN_AUDIT,
	TN_ADMIN_LOGS,
	TN_ADMIN_SETTINGS,
	TN_ADMIN_POLICY,
	TN_ADMIN_HOSTS,
	TN_ADMIN_TOOLS,
	TN_ADMIN_TOPICS
};

/* A call that has ended, for the list of recent ones. */
struct tn_admin_call {
	uint64_t wall_ms, took_us;
	size_t bytes;
	enum tn_outcome outcome;
	bool person, named;
	char client[64], method[64], name[128]; /* cut there */
};

/* What a connection said about itself in its calls, or a caller of stateless HTTP. */
struct tn_admin_client {
	uint64_t number; /* of the peer; of a caller its own */
	const struct tn_peer *peer;
	char name[64], version[32], last_call[128];
	enum tn_revision revision;
	struct tn_fit_choice fit;                    /* of the last call */
	uint64_t first_wall_ms, last_wall_ms, calls; /* of a caller */
	bool person;                                 /* likewise */
};

struct tn_admin;

struct tn_admin_slot {
	struct tn_admin *admin;
	void (*write)(struct tn_admin *admin, struct tn_buf *out);
	const char *uri;
};

struct tn_admin {
	struct tn_daemon *daemon;
	struct tenon_server *server;
	bool watching;       /* until tn_admin_close */
	bool writing_policy; /* a worker has the file: what is in force and what it says stay one */

	struct tenon_app app;
	struct tenon_tool tools[TN_COUNT(tn_admin_tools) - 1]; /* `data` is the admin */
	const struct tenon_tool *tool_list[TN_COUNT(tn_admin_tools)];
	struct tenon_resource resources[TN_ADMIN_TOPICS];
	const struct tenon_resource *resource_list[TN_ADMIN_TOPICS + 1];
	struct tn_admin_slot slots[TN_ADMIN_TOPICS];

	struct tn_observer observer;
	struct tn_later *later; /* publishes at the end of the turn */
	struct tn_timer *timer; /* publishes what counts */
	unsigned dirty_now, dirty_counts;
	uint64_t counted_ms; /* when that was published last */

	struct tn_admin_call recent[TN_ADMIN_RECENT_CALLS]; /* a ring */
	size_t recent_next, recent_count;
	struct tn_map clients; /* number of a peer to struct tn_admin_client, owned */
	struct tn_admin_client callers[TN_ADMIN_CALLERS_MAX];
	uint64_t caller_numbers;
};

/* ---- admin_publish.c ---- */

void tn_admin_mark(struct tn_admin *admin, enum tn_admin_topic topic);       /* this turn */
void tn_admin_mark_count(struct tn_admin *admin, enum tn_admin_topic topic); /* this second */

TN_MUST_USE enum tenon_code tn_admin_publish_open(struct tn_admin *admin, struct tenon_error *err);
void tn_admin_publish_close(struct tn_admin *admin); /* also when it was not opened */

/* `time` as RFC 3339; 0 is null. */
static inline void tn_admin_put_time(struct tn_buf *out, const char *key, uint64_t wall_ms)
{
	char time[TN_CLOCK_ISO_SIZE];

	if (!wall_ms) {
		tn_json_put_member_null(out, key);
		return;
	}
	tn_clock_format_iso((int64_t)wall_ms, time);
	tn_json_put_member_text(out, key, time);
}

/* ---- admin_clients.c ---- */

void tn_admin_clients_came(struct tn_admin *admin, const struct tn_peer *peer);
void tn_admin_clients_went(struct tn_admin *admin, const struct tn_peer *peer);
void tn_admin_clients_called(struct tn_admin *admin, const struct tn_call_record *record);
void tn_admin_clients_finish(struct tn_admin *admin);
size_t tn_admin_clients_count(const struct tn_admin *admin);
void tn_admin_write_clients(struct tn_admin *admin, struct tn_buf *out);

/* ---- admin_resource_status.c, admin_resource_calls.c ---- */

void tn_admin_write_status(struct tn_admin *admin, struct tn_buf *out);
void tn_admin_note_call(struct tn_admin *admin, const struct tn_call_record *record);
void tn_admin_write_calls(struct tn_admin *admin, struct tn_buf *out);

/* ---- admin_resource_records.c, admin_resource_setup.c ---- */

void tn_admin_write_handles(struct tn_admin *admin, struct tn_buf *out);
void tn_admin_write_approvals(struct tn_admin *admin, struct tn_buf *out);
void tn_admin_write_audit(struct tn_admin *admin, struct tn_buf *out);
void tn_admin_write_logs(struct tn_admin *admin, struct tn_buf *out);
void tn_admin_write_settings(struct tn_admin *admin, struct tn_buf *out);
void tn_admin_write_hosts(struct tn_admin *admin, struct tn_buf *out);
void tn_admin_write_tools(struct tn_admin *admin, struct tn_buf *out);
void tn_admin_read_policy(struct tenon_call *call, void *admin); /* reads the file in a worker */

/* ---- admin_proof.c ---- */

/* Runs `then` with the admin: at once, or when a human has proven that they want it
 * (consent.proof); otherwise the call fails. For what makes approvals needless. Texts are copied.
 */
void tn_admin_prove(struct tenon_call *call, struct tn_admin *admin, const char *summary,
		    const char *detail, tenon_call_fn *then);

#endif
