/* peer.h - somebody we talk to: a connection (stdio, WebSocket) or a legacy HTTP session.
 *
 * Holds what lives longer than one message: the legacy handshake's result, running calls (to find
 * them for cancellation), questions out to the client, subscriptions. In the modern era all of that
 * but the running calls stays empty. Ownership: the transport creates and destroys it. Threads:
 * loop. */
#ifndef TN_MCP_PEER_H
#define TN_MCP_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/str.h"
#include "mcp/exchange.h"
#include "mcp/fit.h"
#include "mcp/revision.h"

struct tenon_server;
struct tenon_call;
struct tn_json;
struct tn_listener;
struct tn_scope;
struct tn_sight;

/* Where messages go that belong to no request: a connection's own stream, or a session's GET
 * stream. */
struct tn_outlet_ops {
	bool (*ready)(const struct tn_peer *peer); /* somebody listens and keeps up */
	void (*send)(struct tn_peer *peer, struct tn_str json);
	/* Somebody listens but does not keep up: it is worth looking again. NULL: never. */
	bool (*slow)(const struct tn_peer *peer);
};

#define TN_PRINCIPAL_SIZE 64               /* a token's name, with the final NUL */
#define TN_PRINCIPAL_ANONYMOUS "anonymous" /* anybody who can connect: nobody in particular */
#define TN_PRINCIPAL_LOCAL "local"         /* who is at standard input and output */

enum tn_peer_kind { TN_PEER_STREAM, TN_PEER_HTTP_SESSION, TN_PEER_HTTP_REQUEST };

enum { TN_DIRTY_TOOLS = 1, TN_DIRTY_PROMPTS = 2, TN_DIRTY_RESOURCES = 4 };

struct tn_peer {
	struct tenon_server *server;
	enum tn_peer_kind kind;
	uint64_t number;                    /* never used again, unlike its address */
	const struct tn_outlet_ops *outlet; /* NULL: none */
	void *transport;                    /* the transport's own */
	char principal[TN_PRINCIPAL_SIZE];
	/* The transport's, set after it was made: a sentence that refuses the modern era here
	 * (MCP-158), or NULL; and whether the legacy eras are refused (MCP-053). */
	const char *no_modern;
	bool no_legacy;
	bool mute; /* it sends no more: what it is asked, it cannot answer */
	/* Not the user who runs us, as far as we know: it came by an HTTP listener, whatever it
	 * speaks now, or is another user of a Unix socket. What only we may, it may not. */
	bool foreign;
	/* It speaks from elsewhere, whatever its address (http_reach.h): policies ask more of it.
	 * Of HTTP requests each says so for itself. */
	bool elsewhere;
	int64_t owner;   /* the process that speaks, as the kernel says; 0: not known */
	bool person;     /* its token is in a person's hands */
	uint32_t apps;   /* bits of struct tn_app_slot.bit that it may see, none: all;
			  * TN_APPS_CORE, TN_APPS_EVERY */
	const char *way; /* static: "relay", "websocket", "http", "sse", "unix", "stdio" */
	int64_t process,
		parent; /* of a relay: its pid and its parent's, as it says; 0: not known */
	struct tn_fit_choice fit_told; /* for this connection, by who starts it; else no `by` */
	char *directory; /* where our own front was started (HO-012); own memory; NULL: not known */
	uint64_t created_wall_ms, last_call_wall_ms; /* last: 0 before the first */
	uint64_t call_total;

	enum tn_revision spoken; /* of the last request; TN_REVISION_NONE before the first */

	/* The legacy conversation; revision is TN_REVISION_NONE before `initialize`. */
	enum tn_revision revision;
	unsigned abilities;                       /* enum tenon_ability bits */
	int log_level;                            /* enum tenon_log_level: the lowest to send */
	bool initialized;                         /* notifications/initialized has come */
	char client_name[64], client_version[32]; /* on a connection also of the modern era */
	char *extensions; /* what `initialize` declared, as JSON; own memory; NULL: nothing */
	const struct tn_scope *scope; /* what it may use; the transport's; NULL: everything */
	int64_t next_request_id;
	struct tn_map subscriptions; /* URI to itself; dirty ones to `dirty_mark` */
	size_t subscription_bytes;   /* of those URIs */
	unsigned dirty;              /* TN_DIRTY_*: lists changed, not told yet */
	bool dirty_uris;

	struct tenon_call *calls; /* running, newest first */
	unsigned call_count;
	struct tn_listener *listeners;
	unsigned listener_count;
	struct tn_peer *next, *previous; /* among the server's peers */
};

TN_MUST_USE enum tenon_code tn_peer_create(struct tenon_server *server, enum tn_peer_kind kind,
					   const char *principal,
					   const struct tn_outlet_ops *outlet, void *transport,
					   struct tn_peer **ret, struct tenon_error *err);
/* It sends no more, or is not read any more: questions to it fail, those that are out and those to
 * come; what needs no answer of its own goes on. */
void tn_peer_mute(struct tn_peer *peer);
/* Cancels its calls (their handlers end in their own time) and forgets it. Accepts NULL. */
void tn_peer_destroy(struct tn_peer *peer);

/* What `clientInfo` says; NULL or of another type: nothing. */
void tn_peer_name_client(struct tn_peer *peer, const struct tn_json *info);

/* How it sees what the server offers (scope.h). */
struct tn_sight tn_peer_sight(const struct tn_peer *peer);

void tn_peer_flush(struct tn_peer *peer); /* the outlet has become ready: tell what changed */

/* Nothing runs and nobody listens. */
static inline bool tn_peer_idle(const struct tn_peer *peer)
{
	return peer->call_count == 0 && peer->listener_count == 0;
}

#endif
