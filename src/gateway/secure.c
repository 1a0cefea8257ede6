/* Servers with TLS: who may shake hands when, and bytes that no socket tells of. */
#include "gateway/internal.h"

/* Oldest first: connections are listed the other way round. */
static struct tn_gateway_connection *next_waiting(const struct tn_gateway *gateway)
{
	struct tn_gateway_connection *found = NULL;

	for (struct tn_gateway_connection *at = gateway->connections; at; at = at->next)
		if (at->phase == TN_GATEWAY_WAITING)
			found = at;
	return found;
}

void tn_gateway_run_again(struct tn_later *later, void *data)
{
	struct tn_gateway *gateway = data;
	struct tn_gateway_connection *c, *next;

	(void)later;
	while (gateway->shaking < TN_GATEWAY_HANDSHAKES_MAX && (c = next_waiting(gateway))) {
		tn_gateway_connect(c);
		tn_gateway_settle(c);
	}
	for (c = gateway->connections; c; c = next) {
		next = c->next;
		if (c->server.unread)
			tn_gateway_read_on(c);
	}
}

void tn_gateway_shake(struct tn_gateway_connection *c, int events)
{
	const struct tn_tls_library *library = c->gateway->tls;
	enum tn_tls_step step = library->shake(c->server.tls, events, &c->server.shakes_on);

	if (step == TN_TLS_MORE)
		return;
	tn_timer_stop(c->timer);
	tn_gateway_end_turn(c);
	c->phase = TN_GATEWAY_EXCHANGE;
	c->server.unread = true; /* what it said right behind the handshake may be read already */
	if (step == TN_TLS_FAILED)
		tn_gateway_say(c, 502,
			       "The server behind this preview does not speak TLS as it should. "
			       "If it is an http server, preview it with http:// in front.\n");
}

void tn_gateway_begin_tls(struct tn_gateway_connection *c)
{
	const struct tn_gateway *gateway = c->gateway;

	c->phase = TN_GATEWAY_SHAKING;
	tn_timer_start(c->timer, TN_GATEWAY_SHAKE_MS);
	if (gateway->tls->open(c->server.fd, gateway->tls_host, &c->server.tls, NULL) == TENON_OK)
		tn_gateway_shake(c, 0);
	else
		tn_gateway_say(c, 502, "There is no memory for TLS. Load this page again.\n");
}
