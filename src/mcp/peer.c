#include "mcp/peer.h"

#include <stdio.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "mcp/call.h"
#include "mcp/feed.h"
#include "mcp/observe.h"
#include "mcp/scope.h"
#include "mcp/server.h"
#include "mcp/task.h"

enum tenon_code tn_peer_create(struct tenon_server *server, enum tn_peer_kind kind,
			       const char *principal, const struct tn_outlet_ops *outlet,
			       void *transport, struct tn_peer **ret, struct tenon_error *err)
{
	struct tn_peer *peer = tn_mem_alloc(sizeof(*peer));

	if (!peer)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	peer->server = server;
	peer->kind = kind;
	peer->foreign = kind != TN_PEER_STREAM;                /* others say so later */
	peer->way = kind == TN_PEER_STREAM ? "stdio" : "http"; /* likewise */
	peer->number = ++server->peer_numbers;
	peer->outlet = outlet;
	peer->transport = transport;
	peer->log_level = TENON_LOG_WARNING;
	(void)snprintf(peer->principal, sizeof(peer->principal), "%s", principal);
	tn_map_init(&peer->subscriptions);
	peer->next = server->peers;
	if (server->peers)
		server->peers->previous = peer;
	server->peers = peer;
	peer->created_wall_ms = (uint64_t)tn_clock_wall_ms(server->clock);
	if (server->observers)
		tn_observe_peer(peer, true);
	*ret = peer;
	return TENON_OK;
}

/* Cut to what is kept of it. */
static void copy_text(const struct tn_json *text, char *out, size_t size)
{
	struct tn_str from = {"", 0};

	(void)tn_json_to_str(text, &from);
	from = tn_utf8_cut(from, size - 1);
	(void)snprintf(out, size, "%.*s", (int)from.size, from.data);
}

void tn_peer_name_client(struct tn_peer *peer, const struct tn_json *info)
{
	copy_text(tn_json_get(info, "name"), peer->client_name, sizeof(peer->client_name));
	copy_text(tn_json_get(info, "version"), peer->client_version, sizeof(peer->client_version));
}

static struct tenon_call *find_asking(const struct tn_peer *peer)
{
	struct tenon_call *call = peer->calls;

	while (call && call->phase != TN_CALL_ASKING)
		call = call->next;
	return call;
}

void tn_peer_mute(struct tn_peer *peer)
{
	struct tenon_call *call;

	peer->mute = true;
	while ((call = find_asking(peer)) != NULL)
		tn_call_fail_unheard(call);
	tn_task_mute_peer(peer);
}

/* Calls whose handlers have not ended outlive the peer. */
static void orphan_calls(struct tn_peer *peer)
{
	while (peer->calls) {
		struct tenon_call *call = peer->calls;

		call->left = !atomic_load(&call->cancelled);
		tn_call_cancel(call);
		if (peer->calls == call)
			tn_call_orphan(call);
	}
}

void tn_peer_destroy(struct tn_peer *peer)
{
	struct tenon_server *server;

	if (!peer)
		return;
	server = peer->server;
	if (server->observers)
		tn_observe_peer(peer, false);
	tn_feed_drop_listeners(peer);
	orphan_calls(peer);
	tn_task_forget_peer(peer);
	if (peer->previous)
		peer->previous->next = peer->next;
	else
		server->peers = peer->next;
	if (peer->next)
		peer->next->previous = peer->previous;
	tn_feed_unsubscribe_all(peer);
	tn_mem_free(peer->extensions);
	tn_mem_free(peer->directory);
	tn_mem_free(peer);
}
