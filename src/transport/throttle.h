/* throttle.h - how often one address may fail to show a token (workbench.md T10).
 *
 * TN_AUTH_FAILURES_MAX failures within TN_AUTH_WINDOW_MS close the door to an address for
 * TN_AUTH_BLOCK_MS. A valid token passes nevertheless: whoever shares the address, as all users of
 * one machine do, can lock nobody out. Addresses are those of tn_http_peer_address; of IPv6 the
 * first 64 bits count, because one machine has all the others. Ownership: the caller's; zeros are
 * an empty one. Threads: one at a time. */
#ifndef TN_TRANSPORT_THROTTLE_H
#define TN_TRANSPORT_THROTTLE_H

#include <stddef.h>
#include <stdint.h>

struct tn_throttle_peer;

struct tn_throttle {
	struct tn_throttle_peer *peers; /* TN_AUTH_PEERS_MAX; NULL before the first failure */
	size_t count;
};

void tn_throttle_finish(struct tn_throttle *throttle);

/* How long the door stays closed to this address; 0: it is open. */
uint64_t tn_throttle_wait_ms(const struct tn_throttle *throttle, const unsigned char peer[16],
			     uint64_t now_ms);
/* A failure at an open door. Without memory nothing is counted. */
void tn_throttle_failed(struct tn_throttle *throttle, const unsigned char peer[16],
			uint64_t now_ms);

#endif
