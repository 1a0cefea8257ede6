/* observe.h - who wants to know what happens on a server: metrics, audit, the page's dashboard.
 *
 * Without an observer nothing of this costs anything. Observers are told on the loop's thread and
 * must not call back into the core. Ownership: the caller's; it removes what it added before the
 * server is destroyed. Threads: loop. */
#ifndef TN_MCP_OBSERVE_H
#define TN_MCP_OBSERVE_H

#include "mcp/call.h"

enum tn_outcome {
	TN_OUTCOME_OK,
	TN_OUTCOME_TOOL_ERROR,
	TN_OUTCOME_ERROR,          /* a JSON-RPC error */
	TN_OUTCOME_INPUT_REQUIRED, /* modern: asked, to be called again */
	TN_OUTCOME_CANCELLED,
	TN_OUTCOME_LISTENING, /* subscriptions/listen: the stream is the answer */
	TN_OUTCOME_DROPPED    /* nobody waited for an answer */
};
const char *tn_outcome_name(enum tn_outcome outcome); /* "ok", "tool_error", ... */

/* One request that has ended. Slices live during the call of the observer only. */
struct tn_call_record {
	/* Its peer (whose last call it is), principal, item; not to be kept. */
	const struct tenon_call *call;
	struct tn_str method;
	struct tn_str name;   /* tool, URI or prompt; data NULL: none */
	struct tn_str client; /* as it calls itself */
	enum tn_outcome outcome;
	int error_code;   /* of the JSON-RPC error; 0: none */
	uint64_t took_us; /* from the first byte read to the answer written */
	size_t bytes;     /* of the answer */
	const char
		*consent; /* how it was consented to (consent.h), static; NULL: nobody was asked */
};

struct tn_observer {
	void (*call_ended)(const struct tn_call_record *record, void *data); /* NULL: not wanted */
	void (*peer_came)(const struct tn_peer *peer, void *data);
	void (*peer_went)(const struct tn_peer *peer, void *data);
	void *data;
	struct tn_observer *next; /* private */
};
/* Told of what begins from now on. */
void tn_observe(struct tenon_server *server, struct tn_observer *observer);
void tn_observe_stop(struct tenon_server *server, struct tn_observer *observer);

/* ---- for the core ---- */

void tn_observe_begin(struct tenon_call *call); /* when there are observers */
/* It has been answered, or `dropped`, and is still whole. When it is `observed`. */
void tn_observe_end(struct tenon_call *call, bool dropped);
void tn_observe_peer(const struct tn_peer *peer, bool came);

#endif
