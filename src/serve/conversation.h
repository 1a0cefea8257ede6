/* conversation.h - one client on one connection, whatever carries it: stdio, a Unix socket, a
 * WebSocket, or the event stream of HTTP+SSE (mcp.md MCP-093, MCP-164).
 *
 * Makes the peer of the core and the way back of each message; the transport only hands messages in
 * and takes messages out. Ownership: the transport opens and closes it. Threads: loop. */
#ifndef TN_HOST_CONVERSATION_H
#define TN_HOST_CONVERSATION_H

#include "base/error.h"
#include "mcp/peer.h"

struct tn_conversation;

struct tn_conversation_ops {
	/* One message; dropped when the connection is broken. */
	void (*send)(void *link, struct tn_str json);
	/* Bytes that the peer has not taken: above half of TN_OUTPUT_QUEUE_MAX the core holds back
	 * what can be coalesced. */
	size_t (*queued)(const void *link);
	/* A message was answered or dropped; NULL: not interesting. */
	void (*settled)(void *link);
};

TN_MUST_USE enum tenon_code tn_conversation_open(struct tenon_server *server, const char *principal,
						 const struct tn_conversation_ops *ops, void *link,
						 struct tn_conversation **ret,
						 struct tenon_error *err);
/* Cancels what runs; nothing is sent any more. Accepts NULL. */
void tn_conversation_close(struct tn_conversation *conversation);

void tn_conversation_receive(struct tn_conversation *conversation, struct tn_str json);
/* A message that never was one (too long): error -32600 without id. */
void tn_conversation_refuse(struct tn_conversation *conversation, const char *message);

/* Nothing will be received any more: what is asked of the client fails (tn_peer_mute). */
void tn_conversation_mute(struct tn_conversation *conversation);

struct tn_peer *tn_conversation_peer(const struct tn_conversation *conversation);
bool tn_conversation_idle(const struct tn_conversation *conversation); /* nothing runs */

#endif
