/* relay_calls.h - the host's requests that the daemon has and has not answered, and the answers a
 * relay gives in its place.
 *
 * Ownership: the caller owns the table; a call lives until it is removed. Threads: loop. */
#ifndef TN_CLI_RELAY_CALLS_H
#define TN_CLI_RELAY_CALLS_H

#include "base/buf.h"
#include "base/map.h"
#include "cli/relay/relay_scan.h"
#include "mcp/revision.h"

enum tn_relay_call_kind {
	TN_RELAY_CALL_TOOL, /* tools/call whose result is a tool's */
	TN_RELAY_CALL_PLAIN,
	TN_RELAY_CALL_INITIALIZE,
	TN_RELAY_CALL_LISTEN,
	TN_RELAY_CALL_SUBSCRIBE,
	TN_RELAY_CALL_UNSUBSCRIBE,
	TN_RELAY_CALL_SET_LEVEL
};

struct tn_relay_call {
	enum tn_relay_call_kind kind;
	bool repeated; /* LISTEN: sent again, so that the host must not see it acknowledged again */
	struct tn_str id, key;
	/* INITIALIZE, LISTEN: the whole message; SUBSCRIBE, UNSUBSCRIBE: the URI; SET_LEVEL: the
	 * params. Empty when there was no memory, or it was too long to be kept. */
	struct tn_str extra;
	struct tn_relay_call *next, *previous;
};

struct tn_relay_calls {
	struct tn_map by_key;
	struct tn_relay_call *first, *last; /* in the order they came */
	size_t count;
	size_t listening;  /* those of kind LISTEN */
	size_t kept_bytes; /* of `extra` */
};

void tn_relay_calls_init(struct tn_relay_calls *calls);
void tn_relay_calls_finish(struct tn_relay_calls *calls);

/* What kind of request it is; *ret_extra is what must be kept of it, in the arena or the text. */
enum tn_relay_call_kind tn_relay_call_kind_of(const struct tn_relay_message *message,
					      struct tn_str text, struct tn_arena *arena,
					      struct tn_str *ret_extra);

/* NULL: one with this id is there, or no memory; then it is passed on and forgotten. */
struct tn_relay_call *tn_relay_calls_add(struct tn_relay_calls *calls,
					 const struct tn_relay_message *message,
					 enum tn_relay_call_kind kind, struct tn_str extra);
struct tn_relay_call *tn_relay_calls_find(const struct tn_relay_calls *calls, struct tn_str key);
void tn_relay_calls_remove(struct tn_relay_calls *calls, struct tn_relay_call *call);

/* Why the relay answers itself. */
struct tn_relay_fault {
	const char *code; /* "BRIDGE_DISCONNECTED" */
	const char *message;
	bool final; /* asking again is of no use */
};

/* Writes the answer to a request: a tool's error for a tool, a JSON-RPC error with the same object
 * for anything else. `revision`: the conversation's. */
void tn_relay_answer(struct tn_buf *out, struct tn_str id, enum tn_relay_call_kind kind,
		     enum tn_revision revision, const struct tn_relay_fault *fault);

#endif
