#include "serve/conversation.h"

#include "base/mem.h"
#include "mcp/receive.h"
#include "transport/limits.h"

struct tn_conversation {
	struct tn_peer *peer;
	const struct tn_conversation_ops *ops;
	void *link;
	struct message *spare; /* finished ones, to be used again */
	bool closing;
};

/* A message's way back. */
struct message {
	struct tn_exchange x; /* first: ops get this */
	struct tn_conversation *conversation;
	struct message *next;
};

static void deliver(struct tn_conversation *c, struct tn_str json)
{
	if (!c->closing)
		c->ops->send(c->link, json);
}

static bool is_backlogged(const struct tn_conversation *c)
{
	return c->ops->queued(c->link) > TN_OUTPUT_QUEUE_MAX / 2;
}

/* ---- one message ---- */

static void settle(struct message *m)
{
	struct tn_conversation *c = m->conversation;

	m->next = c->spare;
	c->spare = m;
	if (c->ops->settled && !c->closing)
		c->ops->settled(c->link);
}

static void message_answer(struct tn_exchange *x, int status, struct tn_str json)
{
	struct message *m = (struct message *)x;

	(void)status; /* is for HTTP */
	deliver(m->conversation, json);
	settle(m);
}

static void message_notify(struct tn_exchange *x, struct tn_str json)
{
	deliver(((struct message *)x)->conversation, json);
}

static void message_end(struct tn_exchange *x, bool cancelled)
{
	(void)cancelled;
	settle((struct message *)x);
}

static bool message_backlogged(const struct tn_exchange *x)
{
	return is_backlogged(((const struct message *)x)->conversation);
}

static const struct tn_exchange_ops message_ops = {
	.answer = message_answer,
	.notify = message_notify,
	.end = message_end,
	.backlogged = message_backlogged,
};

static struct message *take_message(struct tn_conversation *c)
{
	struct message *m = c->spare;

	if (m)
		c->spare = m->next;
	else
		m = tn_mem_alloc(sizeof(*m));
	if (m)
		*m = (struct message){.x = {.ops = &message_ops}, .conversation = c};
	return m;
}

void tn_conversation_receive(struct tn_conversation *c, struct tn_str json)
{
	struct message *m = take_message(c);

	if (m) /* otherwise out of memory: the message is lost, the conversation is not */
		tn_receive_stream(c->peer, &m->x, json);
}

void tn_conversation_refuse(struct tn_conversation *c, const char *message)
{
	struct message *m = take_message(c);

	if (m)
		tn_receive_refused(c->peer->server, &m->x, 413, -32600, message);
}

/* ---- what belongs to no message ---- */

static bool outlet_ready(const struct tn_peer *peer)
{
	return !is_backlogged(peer->transport);
}

static void outlet_send(struct tn_peer *peer, struct tn_str json)
{
	deliver(peer->transport, json);
}

static bool outlet_slow(const struct tn_peer *peer)
{
	return is_backlogged(peer->transport);
}

static const struct tn_outlet_ops outlet_ops = {
	.ready = outlet_ready,
	.send = outlet_send,
	.slow = outlet_slow,
};

/* ---- life ---- */

enum tenon_code tn_conversation_open(struct tenon_server *server, const char *principal,
				     const struct tn_conversation_ops *ops, void *link,
				     struct tn_conversation **ret, struct tenon_error *err)
{
	struct tn_conversation *c = tn_mem_alloc(sizeof(*c));
	enum tenon_code code;

	if (!c)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	c->ops = ops;
	c->link = link;
	code = tn_peer_create(server, TN_PEER_STREAM, principal, &outlet_ops, c, &c->peer, err);
	if (code != TENON_OK) {
		tn_mem_free(c);
		return code;
	}
	*ret = c;
	return TENON_OK;
}

void tn_conversation_close(struct tn_conversation *c)
{
	if (!c)
		return;
	c->closing = true;
	tn_peer_destroy(c->peer); /* ends every message that is open */
	while (c->spare) {
		struct message *m = c->spare;

		c->spare = m->next;
		tn_mem_free(m);
	}
	tn_mem_free(c);
}

void tn_conversation_mute(struct tn_conversation *c)
{
	tn_peer_mute(c->peer);
}

struct tn_peer *tn_conversation_peer(const struct tn_conversation *c)
{
	return c->peer;
}

bool tn_conversation_idle(const struct tn_conversation *c)
{
	return tn_peer_idle(c->peer);
}
