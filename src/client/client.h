/* client.h - the client's own state: what it was made with, where its conversation stands, what is
 * on its way, and what it has learnt of the server.
 *
 * The public half is include/tenon/client.h. A program's request is a struct tenon_request
 * (request.h); each message of it that waits for an answer is a struct tn_wire (wire.h).
 * Connections are opened and dropped in the client's own turn only (`tn_client_turn`), never inside
 * an event of theirs. Threads: loop. */
#ifndef TN_CLIENT_CLIENT_H
#define TN_CLIENT_CLIENT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "client/carrier.h"
#include "client/limits.h"
#include "jsonrpc/json.h"
#include "loop/loop.h"
#include "tenon/client.h"

enum tn_client_phase {
	TN_CLIENT_IDLE,
	TN_CLIENT_OPENING,      /* the connection is being made */
	TN_CLIENT_PROBING,      /* server/discover is out (MCP-059, MCP-060) */
	TN_CLIENT_INITIALIZING, /* initialize is out */
	TN_CLIENT_READY,
	TN_CLIENT_RESTING, /* the connection was lost; the next attempt is due */
	TN_CLIENT_ENDED    /* given up, or being destroyed */
};

/* What is to be done with the connection at the end of the turn. */
enum tn_client_errand {
	TN_ERRAND_NONE,
	TN_ERRAND_OPEN, /* drop what there is and open anew */
	TN_ERRAND_REST, /* drop it and wait for the timer */
	TN_ERRAND_FAIL  /* drop it, and tell */
};

/* What the server said about itself. */
struct tn_client_about {
	char *name, *version, *instructions, *capabilities;
	bool tools, resources, prompts;
	bool tools_changed, resources_changed, prompts_changed, subscribe;
	bool tasks_r4, tasks;
};

struct tn_wire;
struct tn_round;
struct tn_known_tool;
struct tn_cached;

struct tenon_client {
	struct tenon_client_options options; /* its texts are in `texts` */
	struct tn_arena texts;
	struct tn_loop *loop;
	bool owns_loop, is_running, is_woken, is_awake_time_over;
	struct tn_later *turn;
	struct tn_timer *timer; /* of the connection: the next attempt */
	struct tn_timer *nap;   /* tenon_client_run_for */
	struct tn_wakeup *wakeup;

	/* connect.c */
	enum tn_client_phase phase;
	enum tn_client_errand errand;
	struct tn_carrier *carrier;
	unsigned carriers_closing;
	enum tn_revision revision;                 /* NONE until it is known */
	bool is_legacy;                            /* the verdict: do not probe again */
	bool use_sse;                              /* Streamable HTTP is not there (MCP-060) */
	bool is_broken;                            /* the carrier has said `lost` */
	bool was_ready;                            /* once connected: a loss is repaired */
	bool probed_again;                         /* once, for -32022 or after a silence */
	bool probe_was_silent;                     /* its time was over: that proves nothing */
	struct tn_wire *handshake;                 /* server/discover or initialize */
	struct tenon_error why;                    /* of ERRAND_FAIL and ERRAND_REST */
	uint64_t attempts_ms[TN_CLIENT_AGAIN_MAX]; /* the last reconnections, oldest first */
	unsigned attempts, attempts_in_row, faults_told;
	void (*connected)(struct tenon_client *client, const struct tenon_error *err, void *data);
	void *connected_data;
	bool connecting; /* `connected` has not been called */
	/* Tests and fuzzers bring a carrier of their own. */
	enum tenon_code (*open_carrier)(void *data, const struct tn_carrier_options *options,
					struct tn_carrier **ret, struct tenon_error *err);
	void *open_data;
	struct tn_client_about about;

	/* wire.c */
	struct tn_map wires; /* id as text: struct tn_wire */
	int64_t last_id;

	/* request.c */
	struct tenon_request *first, **last; /* all, in the order they were made */
	size_t request_count;
	uint64_t last_token;
	struct tenon_request *shown; /* whose outcome is still looked at */

	/* questions.c */
	struct tenon_question *questions;
	size_t question_count;
	char *roots; /* NULL: none */

	/* tools.c, cache.c, watch.c */
	struct tn_map tools; /* name: struct tn_known_tool */
	struct tn_cached *cached;
	size_t cached_count, cached_bytes;
	struct tn_map watched; /* URI: this client */
	struct tn_wire *listen, *listen_old;
	bool watch_changed, listen_ended;
	bool listen_missed;       /* there was a while without a stream */
	unsigned listen_tries;    /* broken ones in a row */
	uint64_t listen_again_ms; /* not sooner */
};

static inline bool tn_client_is_modern(const struct tenon_client *client)
{
	return client->revision == TN_R5;
}

/* ---- turn.c ---- */

void tn_client_turn(struct tenon_client *client); /* the turn is asked for */
void tn_client_stop(struct tenon_client *client); /* whoever waits shall look again */
/* Runs the own loop once more; INTERNAL when that cannot be. */
TN_MUST_USE enum tenon_code tn_client_run(struct tenon_client *client, struct tenon_error *err);
/* A line of our own for the log handler; `what` is the data as text. */
void tn_client_log(struct tenon_client *client, const char *level, const char *what);

/* ---- clean_text.c ---- */

/* Sets the message alone: a server's words made a sentence of one line that can be printed
 * (MCP-287). `text` is not the error's own. */
void tn_sentence_clean(const char *text, struct tenon_error *ret);

/* ---- connect.c ---- */

void tn_connect_begin(struct tenon_client *client);
void tn_connect_turn(struct tenon_client *client); /* runs the errand */
void tn_connect_ready(void *data);                 /* the carrier's event: handshake.c */
/* The connection is of no more use: repaired when that is allowed. */
void tn_connect_lost(struct tenon_client *client, const struct tenon_error *err);
void tn_connect_rested(struct tenon_client *client); /* the timer */
/* What is done with the connection at the end of the turn; `why` may be NULL. */
void tn_connect_errand(struct tenon_client *client, enum tn_client_errand errand,
		       const struct tenon_error *why);
void tn_connect_fail(struct tenon_client *client, const struct tenon_error *why);
bool tn_connect_may_fall_back(const struct tenon_client *client); /* to an earlier era */
/* Drops the carrier; `orderly` says good-bye. */
void tn_connect_drop(struct tenon_client *client, bool orderly);

/* ---- about.c ---- */

void tn_about_clear(struct tn_client_about *about);
/* Of a discover or initialize result. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_about_read(struct tn_client_about *about,
					  const struct tn_json *result, struct tenon_error *err);

/* ---- receive.c ---- */

void tn_receive(void *data, void *request, unsigned status, struct tn_str json);
void tn_receive_skipped(void *data);

/* ---- watch.c ---- */

void tn_watch_begin(struct tenon_client *client); /* after every handshake */
void tn_watch_turn(struct tenon_client *client);
void tn_watch_rested(struct tenon_client *client); /* a broken stream is tried again */
void tn_watch_forget(struct tenon_client *client); /* the connection is gone */
void tn_watch_finish(struct tenon_client *client);
bool tn_watch_is_stream(const struct tenon_client *client, const struct tn_wire *wire);
void tn_watch_notice(struct tenon_client *client, struct tn_str method,
		     const struct tn_json *params);

/* ---- tools.c: what has been listed ---- */

struct tn_header_param;
struct tn_known_tool {
	struct tn_header_param *params; /* MCP-126 */
	struct tn_schema *output;       /* NULL: none, or one we cannot read */
	bool may_be_task, must_be_task; /* 2025-11-25 */
	bool is_repeatable;             /* readOnlyHint or idempotentHint (MCP-131) */
	uint64_t listed;                /* the last list it was in: its request's token */
};

/* False: the definition is not to be used (MCP-126); why is logged. */
bool tn_tools_learn(struct tenon_client *client, const struct tn_json *tool, uint64_t list);
/* That list is complete: what it does not have, and no later one has, is forgotten. */
void tn_tools_retire(struct tenon_client *client, uint64_t list);
const struct tn_known_tool *tn_tools_find(const struct tenon_client *client, struct tn_str name);
void tn_tools_clear(struct tenon_client *client);
/* MCP-226. Fails: INVALID. */
TN_MUST_USE enum tenon_code tn_tools_check(const struct tn_known_tool *tool,
					   const struct tn_json *result, struct tenon_error *err);

/* ---- cache.c (MCP-189, MCP-190) ---- */

/* NULL data: not there, or stale. */
struct tn_str tn_cache_get(struct tenon_client *client, struct tn_str key);
void tn_cache_put(struct tenon_client *client, struct tn_str key, struct tn_str result,
		  int64_t ttl_ms);
void tn_cache_drop(struct tenon_client *client, struct tn_str prefix); /* empty: all */

/* ---- roots.c ---- */

/* {"roots":[...]}; an empty list when there are none. */
void tn_roots_write(const struct tenon_client *client, struct tn_buf *out);

#endif
