/* How many shake hands with a server at once: a handshake is work for the loop. */
#include "gateway/internal.h"

bool tn_gateway_take_turn(struct tn_gateway_connection *c)
{
	struct tn_gateway *gateway = c->gateway;

	if (!gateway->tls || c->has_turn)
		return true;
	if (gateway->shaking >= TN_GATEWAY_HANDSHAKES_MAX) {
		c->phase = TN_GATEWAY_WAITING;
		tn_timer_start(c->timer, TN_GATEWAY_QUEUE_MS);
		return false;
	}
	c->has_turn = true;
	gateway->shaking++;
	return true;
}

void tn_gateway_end_turn(struct tn_gateway_connection *c)
{
	if (!c->has_turn)
		return;
	c->has_turn = false;
	c->gateway->shaking--;
	tn_later_request(c->gateway->again);
}
