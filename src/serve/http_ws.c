#include "serve/http_ws.h"

#include <limits.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/rng.h"
#include "serve/conversation.h"
#include "serve/http_gate.h"
#include "serve/http_host.h"
#include "serve/http_reach.h"
#include "serve/limits.h"
#include "transport/ws.h"

struct tn_ws_client {
	struct tn_http_host *host;
	const struct tn_http_caller *caller;
	struct tn_ws *ws;
	struct tn_http_seat *seat;
	struct tn_conversation *conversation;
	bool leaving;  /* the close frame has been sent, or is to be: nothing more is taken */
	bool expelled; /* its token was replaced */
	struct tn_ws_client *next, *previous;
};

/* ---- the conversation's end of it ---- */

static void link_send(void *link, struct tn_str json)
{
	const struct tn_ws_client *c = link;

	tn_ws_send(c->ws, json);
}

static size_t link_queued(const void *link)
{
	const struct tn_ws_client *c = link;

	return tn_ws_queued(c->ws);
}

static void link_settled(void *link)
{
	const struct tn_ws_client *c = link;

	if (c->host->server->stopping)
		tn_later_request(c->host->turn); /* perhaps it was the last */
}

static const struct tn_conversation_ops link_ops = {
	.send = link_send,
	.queued = link_queued,
	.settled = link_settled,
};

/* ---- life ---- */

static void free_client(struct tn_ws_client *c)
{
	struct tn_http_host *host = c->host;

	if (c->previous)
		c->previous->next = c->next;
	else
		host->sockets = c->next;
	if (c->next)
		c->next->previous = c->previous;
	tn_conversation_close(c->conversation);
	tn_ws_free(c->ws);
	tn_http_leave(c->seat);
	tn_mem_free(c);
	tn_serve_settled(host->server);
}

static void on_message(struct tn_ws *ws, struct tn_str text, void *data)
{
	const struct tn_ws_client *c = data;
	const struct tn_http_gate *gate = c->host->extra.gate;

	(void)ws;
	if (gate && !c->caller->person)
		gate->active(gate->data);
	if (!c->leaving) /* nothing new is taken */
		tn_conversation_receive(c->conversation, text);
}

static void on_closed(struct tn_ws *ws, uint16_t code, void *data)
{
	(void)ws;
	(void)code;
	free_client(data);
}

static const struct tn_ws_events ws_events = {
	.message = on_message,
	.closed = on_closed,
};

void tn_ws_turn(struct tn_http_host *host)
{
	if (!host->server->stopping)
		return;
	for (struct tn_ws_client *c = host->sockets; c; c = c->next) {
		if (c->leaving || !tn_conversation_idle(c->conversation))
			continue;
		c->leaving = true;
		tn_ws_close(c->ws, TN_WS_GOING_AWAY);
	}
}

void tn_ws_silence(struct tn_http_host *host, const struct tn_http_caller *caller)
{
	for (struct tn_ws_client *c = host->sockets; c; c = c->next)
		c->leaving = c->leaving || c->caller == caller;
}

void tn_ws_expel(struct tn_http_host *host, const struct tn_http_caller *caller)
{
	for (struct tn_ws_client *c = host->sockets; c; c = c->next) {
		if (c->caller != caller || c->expelled)
			continue;
		c->leaving = c->expelled = true;
		tn_ws_close(c->ws, TN_WS_POLICY);
		tn_timer_start(host->expel_timer, TN_TOKEN_CLOSE_MS);
	}
}

void tn_ws_expel_now(struct tn_http_host *host)
{
	struct tn_ws_client *next;

	for (struct tn_ws_client *c = host->sockets; c; c = next) {
		next = c->next;
		if (c->expelled)
			free_client(c);
	}
}

void tn_ws_close_all(struct tn_http_host *host)
{
	while (host->sockets)
		free_client(host->sockets);
}

/* "PID PARENT" of a relay; whoever is not of our own user could write anything. False: it is none.
 */
static bool parse_relay(const struct tn_http_exchange *x, uint64_t *ret_process,
			uint64_t *ret_parent)
{
	size_t count, blank;
	struct tn_str text = tn_http_header(x, "Tenon-Relay", &count);

	blank = tn_str_find_byte(text, ' ');
	return count == 1 && blank != TN_STR_NONE &&
	       tn_str_to_uint(tn_str(text.data, blank), ret_process) &&
	       tn_str_to_uint(tn_str_from_offset(text, blank + 1), ret_parent) &&
	       *ret_process <= INT32_MAX && *ret_parent <= INT32_MAX;
}

pid_t tn_ws_relay_process(const struct tn_http_exchange *x)
{
	uint64_t process, parent;

	return parse_relay(x, &process, &parent) ? (pid_t)process : 0;
}

static void read_relay(const struct tn_http_exchange *x, struct tn_peer *peer)
{
	uint64_t process, parent;

	if (!parse_relay(x, &process, &parent))
		return;
	peer->way = "relay";
	peer->process = (int64_t)process;
	peer->parent = (int64_t)parent;
	/* A host outlives its daemons: an answer to one's question must not fit another's. */
	peer->next_request_id = (int64_t)(tn_rng_u64() & INT32_MAX);
}

/* Where one of our own fronts was started: a directory of this machine, as an absolute path. */
static void read_directory(const struct tn_http_exchange *x, struct tn_peer *peer)
{
	size_t count;
	struct tn_str text = tn_http_header(x, "Tenon-Directory", &count), path;
	struct tn_arena arena;

	if (count != 1)
		return;
	tn_arena_init(&arena, 4 * PATH_MAX);
	if (tn_base64_decode(&arena, text, &path) && path.size && path.size < PATH_MAX &&
	    path.data[0] == '/' && tn_str_find_byte(path, '\0') == TN_STR_NONE)
		peer->directory = tn_mem_copy_text(path.data, path.size);
	tn_arena_finish(&arena);
}

static struct tn_ws_client *create_client(struct tn_http_host *host,
					  const struct tn_http_exchange *x, uint32_t apps)
{
	const struct tn_http_caller *caller = tn_http_user(x);
	struct tn_ws_client *c = tn_mem_alloc(sizeof(*c));
	struct tn_peer *peer;

	if (!c)
		return NULL;
	c->host = host;
	c->caller = caller;
	if (tn_conversation_open(host->server, caller->modern->principal, &link_ops, c,
				 &c->conversation, NULL) != TENON_OK) {
		tn_mem_free(c);
		return NULL;
	}
	peer = tn_conversation_peer(c->conversation);
	tn_http_caller_mark(host, caller, apps, peer);
	peer->way = "websocket";
	peer->owner = tn_http_owner(x);
	peer->elsewhere = tn_http_is_elsewhere(host, x, caller);
	if (host->extra.local && !caller->person)
		read_relay(x, peer); /* who a person is, the kernel says */
	if (host->extra.local)
		read_directory(x, peer);
	c->next = host->sockets;
	if (c->next)
		c->next->previous = c;
	host->sockets = c;
	return c;
}

/* ---- the handshake (RFC 6455 section 4.2) ---- */

static bool lists(const struct tn_http_exchange *x, const char *name, struct tn_str word)
{
	struct tn_http_list list = {0};
	struct tn_str element;

	while (tn_http_list_next(x, name, &list, &element)) {
		if (tn_str_equal_nocase(element, word))
			return true;
	}
	return false;
}

struct tn_str tn_ws_offered(const struct tn_http_exchange *x, struct tn_str prefix)
{
	struct tn_http_list list = {0};
	struct tn_str element;

	while (tn_http_list_next(x, "Sec-WebSocket-Protocol", &list, &element)) {
		if (tn_str_starts(element, prefix))
			return tn_str_from_offset(element, prefix.size);
	}
	return tn_str(NULL, 0);
}

struct tn_str tn_ws_bearer(const struct tn_http_exchange *x)
{
	return tn_ws_offered(x, TN_STR("bearer."));
}

/* MCP-161: `mcp`, or none at all. */
static bool choose_protocol(const struct tn_http_exchange *x, bool *ret_mcp)
{
	struct tn_http_list list = {0};
	struct tn_str element;
	bool any = false;

	*ret_mcp = false;
	while (tn_http_list_next(x, "Sec-WebSocket-Protocol", &list, &element)) {
		any = true;
		*ret_mcp = *ret_mcp || tn_str_is(element, "mcp");
	}
	return *ret_mcp || !any;
}

bool tn_ws_handshake(struct tn_http_exchange *x, struct tn_str *ret_key)
{
	static const struct tn_http_header upgrade = {{"Upgrade", 7}, {"websocket", 9}};
	static const struct tn_http_header version = {{"Sec-WebSocket-Version", 21}, {"13", 2}};
	size_t keys, versions;
	struct tn_str asked = tn_http_header(x, "Sec-WebSocket-Version", &versions);

	*ret_key = tn_http_header(x, "Sec-WebSocket-Key", &keys);
	if (!lists(x, "Connection", TN_STR("upgrade")) ||
	    !lists(x, "Upgrade", TN_STR("websocket"))) {
		tn_http_refuse(x, 426, "This is a WebSocket endpoint: send Upgrade: websocket",
			       &upgrade);
		return false;
	}
	if (versions != 1 || !tn_str_is(asked, "13")) {
		tn_http_refuse(x, 426, "Sec-WebSocket-Version must be 13", &version);
		return false;
	}
	if (keys != 1 || !tn_ws_is_key(*ret_key)) {
		tn_http_refuse(x, 400, "Sec-WebSocket-Key must be 16 bytes in base64", NULL);
		return false;
	}
	return true;
}

/* False: answered. */
static bool check_handshake(struct tn_http_exchange *x, struct tn_str *ret_key, bool *ret_mcp)
{
	if (!tn_ws_handshake(x, ret_key))
		return false;
	if (!choose_protocol(x, ret_mcp)) {
		tn_http_refuse(x, 400, "Offer the subprotocol mcp, or none", NULL);
		return false;
	}
	return true;
}

bool tn_ws_switch(struct tn_http_exchange *x, struct tn_str key, struct tn_str protocol,
		  struct tn_http_upgraded *ret)
{
	char accept[TN_WS_ACCEPT_SIZE];
	const struct tn_http_header headers[] = {
		{TN_STR("Upgrade"), TN_STR("websocket")},
		{TN_STR("Sec-WebSocket-Accept"), {accept, TN_WS_ACCEPT_SIZE - 1}},
		{TN_STR("Sec-WebSocket-Protocol"), protocol},
	};

	tn_ws_accept(key, accept);
	return tn_http_upgrade(x, headers, protocol.size ? 3 : 2, ret);
}

static bool start(struct tn_ws_client *c, struct tn_http_upgraded *upgraded)
{
	const struct tn_ws_options options = {
		.role = TN_WS_SERVER,
		.message_max = TN_MESSAGE_BYTES_MAX,
		.ping_ms = TN_WS_PING_MS,
		.unread = tn_buf_str(&upgraded->unread),
		.events = &ws_events,
		.data = c,
	};
	enum tenon_code code =
		tn_ws_open(c->host->server->loop, upgraded->fd, &options, &c->ws, NULL);

	c->seat = upgraded->seat;
	tn_buf_finish(&upgraded->unread);
	if (code != TENON_OK)
		(void)close(upgraded->fd); /* no memory: it was not taken over */
	return code == TENON_OK;
}

void tn_ws_get(struct tn_http_host *host, struct tn_http_exchange *x, uint32_t apps)
{
	struct tn_http_upgraded upgraded;
	struct tn_fit_choice fit;
	struct tn_ws_client *c;
	struct tn_str key;
	bool mcp;

	if (!check_handshake(x, &key, &mcp) || !tn_http_read_fit(x, &fit))
		return;
	c = create_client(host, x, apps);
	if (!c) {
		tn_http_refuse(x, 503, "out of memory", NULL);
		return;
	}
	tn_conversation_peer(c->conversation)->fit_told = fit;
	if (!tn_ws_switch(x, key, mcp ? TN_STR("mcp") : TN_STR(""), &upgraded) ||
	    !start(c, &upgraded))
		free_client(c);
}
