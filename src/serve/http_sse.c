#include "serve/http_sse.h"

#include <stdio.h>

#include "base/limits.h"
#include "base/mem.h"
#include "serve/conversation.h"
#include "serve/http_host.h"
#include "serve/http_reach.h"
#include "jsonrpc/json.h"
#include "transport/limits.h"

struct tn_sse_client {
	struct tn_http_owner owner; /* of the stream; first */
	struct tn_http_host *host;
	char id[TN_SESSION_ID_SIZE];
	struct tn_http_exchange *stream;
	struct tn_conversation *conversation;
	bool broken; /* a message could not be sent: the client would wait for it forever */
	struct tn_sse_client *next, *previous;
};

/* ---- the conversation's end of it ---- */

static void link_send(void *link, struct tn_str json)
{
	struct tn_sse_client *c = link;

	if (tn_http_send_message(c->stream, tn_str(NULL, 0), json))
		return;
	c->broken = true;
	tn_later_request(c->host->turn);
}

static size_t link_queued(const void *link)
{
	const struct tn_sse_client *c = link;

	return tn_http_stream_queued(c->stream);
}

static void link_settled(void *link)
{
	const struct tn_sse_client *c = link;

	if (c->host->server->stopping)
		tn_later_request(c->host->turn); /* perhaps it was the last */
}

static const struct tn_conversation_ops link_ops = {
	.send = link_send,
	.queued = link_queued,
	.settled = link_settled,
};

/* ---- life ---- */

/* The stream has ended already, or is ended by the caller. */
static void free_client(struct tn_sse_client *c)
{
	struct tn_sse_clients *clients = &c->host->sse;

	(void)tn_map_remove(&clients->by_id, tn_str_from(c->id));
	if (c->previous)
		c->previous->next = c->next;
	else
		clients->first = c->next;
	if (c->next)
		c->next->previous = c->previous;
	tn_conversation_close(c->conversation);
	tn_mem_free(c);
}

static void stream_closed(struct tn_http_owner *owner)
{
	free_client((struct tn_sse_client *)owner);
}

void tn_sse_turn(struct tn_http_host *host)
{
	struct tn_sse_client *next;

	for (struct tn_sse_client *c = host->sse.first; c; c = next) {
		struct tn_http_exchange *stream = c->stream;
		bool broken = c->broken;

		next = c->next;
		if (!broken && !(host->server->stopping && tn_conversation_idle(c->conversation)))
			continue;
		free_client(c);
		if (broken)
			tn_http_abort(stream);
		else
			tn_http_stream_end(stream, NULL);
	}
}

void tn_sse_close(struct tn_http_host *host)
{
	while (host->sse.first) {
		struct tn_http_exchange *stream = host->sse.first->stream;

		free_client(host->sse.first);
		tn_http_abort(stream);
	}
	tn_map_finish(&host->sse.by_id);
}

static struct tn_sse_client *create_client(struct tn_http_host *host, struct tn_http_exchange *x)
{
	struct tn_sse_client *c = tn_mem_alloc(sizeof(*c));
	struct tn_peer *peer;

	if (!c)
		return NULL;
	c->owner = (struct tn_http_owner){.closed = stream_closed, .caller = tn_http_user(x)};
	c->host = host;
	c->stream = x;
	tn_rng_token(c->id, 16);
	if (tn_conversation_open(host->server, c->owner.caller->modern->principal, &link_ops, c,
				 &c->conversation, NULL) != TENON_OK) {
		tn_mem_free(c);
		return NULL;
	}
	if (tn_map_put(&host->sse.by_id, tn_str_from(c->id), c, NULL) != TENON_OK) {
		tn_conversation_close(c->conversation);
		tn_mem_free(c);
		return NULL;
	}
	peer = tn_conversation_peer(c->conversation);
	tn_http_caller_mark(host, c->owner.caller, 0, peer);
	peer->way = "sse";
	peer->owner = tn_http_owner(x);
	peer->elsewhere = tn_http_is_elsewhere(host, x, c->owner.caller);
	peer->no_modern = host->no_modern; /* MCP-158 */
	c->next = host->sse.first;
	if (c->next)
		c->next->previous = c;
	host->sse.first = c;
	return c;
}

void tn_sse_get(struct tn_http_host *host, struct tn_http_exchange *x, uint32_t apps)
{
	struct tn_sse_client *c;
	struct tn_fit_choice fit;
	char place[512];
	struct tn_str data;
	const struct tn_http_event event = {
		.name = TN_STR("endpoint"), .data = &data, .data_count = 1};

	(void)apps;
	if (!tn_http_read_fit(x, &fit))
		return;
	c = create_client(host, x);
	if (!c) {
		tn_http_refuse(x, 503, "out of memory", NULL);
		return;
	}
	tn_conversation_peer(c->conversation)->fit_told = fit;
	/* A relative reference, so that it stays on the client's idea of our origin (MCP-156). */
	data = tn_str(place, (size_t)snprintf(place, sizeof(place), "%s?sessionId=%s",
					      host->messages_path, c->id));
	if (!tn_http_sse_begin(x, NULL, 0)) {
		free_client(c); /* no GET */
		return;
	}
	tn_http_set_user(x, &c->owner);
	tn_http_forget_request(x);             /* it stays open for hours */
	(void)tn_http_stream_event(x, &event); /* the first bytes always fit */
}

/* ---- messages ---- */

/* MCP-157: what is no JSON is refused here and not on the stream. False: answered. */
static bool check_json(struct tn_http_exchange *x, struct tn_str body)
{
	struct tn_arena arena;
	struct tn_json *root;
	struct tenon_error err;
	enum tenon_code code;
	char message[TENON_ERROR_MESSAGE_MAX + 16];

	tn_arena_init(&arena, TN_MESSAGE_ARENA_MAX);
	code = tn_json_parse_copy(&arena, body, &root, &err);
	tn_arena_finish(&arena);
	if (code == TENON_INVALID) {
		(void)snprintf(message, sizeof(message), "Parse error: %s", err.message);
		tn_http_refuse_code(x, 400, -32700, message);
	} else if (code != TENON_OK) {
		tn_http_refuse(x, 400, err.message, NULL);
	}
	return code == TENON_OK;
}

void tn_sse_post(struct tn_http_host *host, struct tn_http_exchange *x, uint32_t apps)
{
	static const struct tn_http_header retry = {{"Retry-After", 11}, {"1", 1}};
	struct tn_str id = tn_http_query_value(x, TN_STR("sessionId"));
	struct tn_sse_client *c = tn_map_get(&host->sse.by_id, id);
	struct tn_str accepted = TN_STR("Accepted"), body;
	size_t size;
	const char *data = tn_http_body(x, &size);

	(void)apps;
	body = tn_str(data, size);
	if (!id.data) {
		tn_http_refuse(x, 400, "sessionId is missing; GET the event stream first", NULL);
		return;
	}
	/* MCP-130: another's is as if unknown. */
	if (!c || c->owner.caller != tn_http_user(x) || c->broken) {
		tn_http_refuse(x, 404, "Session not found; open a new event stream", NULL);
		return;
	}
	if (tn_http_stream_queued(c->stream) > TN_OUTPUT_QUEUE_MAX / 2) {
		tn_http_refuse(x, 503, "The event stream is not read; read it first", &retry);
		return;
	}
	if (!check_json(x, body))
		return;
	if (tn_http_is_elsewhere(host, x, c->owner.caller)) /* this one came another way */
		tn_conversation_peer(c->conversation)->elsewhere = true;
	tn_conversation_receive(c->conversation, body);
	tn_http_respond(x, &(struct tn_http_reply){.status = 202,
						   .type = TN_STR("text/plain; charset=utf-8"),
						   .parts = &accepted,
						   .part_count = 1});
}
