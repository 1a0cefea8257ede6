/* task.h - calls that became tasks: what is known of them after their request has been answered
 * (mcp.md sections 20.1 and 20.2).
 *
 * A call becomes a task once (tenon_call_start_task, or 2025-11-25 by `task` in the request). From
 * then on it has no exchange and belongs to no peer; its progress and questions go where its task
 * sends them, and its end is kept with the task until the task expires. Ownership: the server's
 * table owns the tasks. A task and its call point at each other until either has ended. Threads:
 * loop. */
#ifndef TN_MCP_TASK_H
#define TN_MCP_TASK_H

#include "base/buf.h"
#include "base/map.h"
#include "base/rng.h"
#include "jsonrpc/json.h"
#include "loop/loop.h"
#include "mcp/peer.h"

struct tn_ask;

#define TN_TASK_EXTENSION "io.modelcontextprotocol/tasks"

enum tn_task_status {
	TN_TASK_WORKING,
	TN_TASK_INPUT_REQUIRED,
	TN_TASK_COMPLETED, /* from here on nothing changes any more */
	TN_TASK_FAILED,
	TN_TASK_CANCELLED
};

struct tn_task {
	struct tenon_server *server;
	char id[sizeof("tsk_") + TN_RNG_TOKEN_SIZE(16)];
	uint64_t sequence; /* counts all tasks: the order of tasks/list */
	enum tn_revision revision;
	enum tn_task_status status;
	char *message; /* NULL: none */
	int64_t created_ms, updated_ms;
	uint64_t ttl_ms, expires_ms; /* the latter on the clock that never goes back */
	uint32_t poll_ms;

	/* Whose it is (MCP-247, MCP-257). */
	char principal[TN_PRINCIPAL_SIZE];
	uint64_t session;     /* the peer's number when only it may ask; 0: any of the principal */
	struct tn_peer *peer; /* 2025-11-25: whom to tell and to ask; NULL: it has gone */

	struct tenon_call *call;     /* NULL: it has ended */
	struct tenon_call *waiters;  /* tasks/result, oldest first */
	struct tn_ask *asked_before; /* while the handler is entered again: still unanswered */
	unsigned asked;              /* questions so far, so that no key is used twice */

	char *payload; /* the value of `result` or `error`; NULL: it could not be kept */
	size_t payload_size;
	bool payload_is_error;

	struct tn_task *next, *previous;
};

struct tn_task_table {
	struct tn_map by_id;
	struct tn_task *first, *last; /* oldest first */
	unsigned count;
	uint64_t sequence;
	size_t stored_bytes;    /* of all payloads */
	struct tn_timer *timer; /* of the one that expires next */
	uint64_t timer_due_ms;
	unsigned tools; /* how many of the server's tools have task support */
};

/* Ends what runs and forgets everything: the server is being destroyed. */
void tn_task_table_finish(struct tenon_server *server);

/* ---- becoming one (task.c) ---- */

/* Does the request go with the tool's task support? False: refused, and answered so. */
bool tn_task_admit(struct tenon_call *call);
/* 2025-11-25: makes the task the request asks for, if it does. False: refused. */
bool tn_task_begin(struct tenon_call *call);

/* ---- its life ---- */

/* The caller's own task. NULL: unknown, expired or somebody else's. */
struct tn_task *tn_task_find(const struct tenon_call *call, struct tn_str id);
struct tn_task *tn_task_by_id(const struct tenon_server *server, struct tn_str id);
bool tn_task_is_over(const struct tn_task *task);
bool tn_task_belongs(const struct tn_task *task, const struct tenon_call *call);
void tn_task_cancel(struct tn_task *task);
/* The task's call ends: with what stands in its `out`, or with nothing to be kept. */
void tn_task_settle(struct tenon_call *call, bool answered);
/* MCP-140: a message of a task in 2025-11-25 goes to whoever waits for it, or to the session. */
void tn_task_tell(const struct tn_task *task, struct tn_str json);
/* The status, or what is asked, has changed. */
void tn_task_set_status(struct tn_task *task, enum tn_task_status status);
void tn_task_mute_peer(const struct tn_peer *peer); /* see tn_peer_mute */
void tn_task_forget_peer(const struct tn_peer *peer);
/* Whom the call's messages belong to: its peer, or the task's. */
const struct tn_peer *tn_task_peer(const struct tenon_call *call);
/* MCP-247: is the caller anybody in particular? */
bool tn_task_may_list(const struct tenon_call *call);

/* tasks/result: answers the call when the task has ended, now or later. */
void tn_task_wait(struct tn_task *task, struct tenon_call *call);
void tn_task_stop_waiting(struct tenon_call *call);
/* The newest of those that wait to whom a message can be sent: a client that came back waits anew,
 * and nobody may have noticed yet that its old connection is dead. NULL: none. */
struct tenon_call *tn_task_listener(const struct tn_task *task);

/* ---- writing ---- */

void tn_task_put(const struct tn_task *task, struct tn_buf *out); /* members of a Task */
/* And those that 2026-07-28 adds by status (MCP-252). */
void tn_task_put_detail(const struct tn_task *task, struct tn_buf *out);
/* 2025-11-25: the key that names the task, inside `_meta`; nothing for other calls (MCP-246). */
void tn_task_put_related(const struct tenon_call *call, struct tn_buf *out);
void tn_task_put_meta(const struct tenon_call *call, struct tn_buf *out); /* the whole `_meta` */

/* ---- asking (task_ask.c) ---- */

/* The call's handler has asked something and returned. */
void tn_task_ask(struct tenon_call *call);
/* 2025-11-25: from now on this peer of the same principal is told and asked. */
void tn_task_turn_to(struct tn_task *task, struct tn_peer *peer);
/* 2025-11-25: somebody waits now: sends what nobody could be asked until now. */
void tn_task_send_questions(struct tn_task *task);
/* A response of a legacy client that belongs to none of its own calls. */
void tn_task_answered(struct tn_peer *peer, int64_t request_id, const struct tn_json *message);
/* 2026-07-28: takes answers (key to result object). False: out of memory. */
bool tn_task_update(struct tn_task *task, const struct tn_json *responses);

#endif
