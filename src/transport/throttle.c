#include "transport/throttle.h"

#include <string.h>

#include "base/mem.h"
#include "transport/limits.h"

enum { KEY_SIZE = 16, NETWORK_SIZE = 8 };

struct tn_throttle_peer {
	unsigned char key[KEY_SIZE];
	uint64_t failed_ms[TN_AUTH_FAILURES_MAX]; /* a ring; `next` is the oldest once it is full */
	unsigned next, count;
	uint64_t last_ms, closed_until_ms;
};

static void make_key(const unsigned char peer[16], unsigned char key[KEY_SIZE])
{
	static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
	size_t size = memcmp(peer, mapped, sizeof(mapped)) == 0 ? KEY_SIZE : NETWORK_SIZE;

	memset(key, 0, KEY_SIZE);
	memcpy(key, peer, size);
}

static struct tn_throttle_peer *find(const struct tn_throttle *throttle,
				     const unsigned char key[KEY_SIZE])
{
	for (size_t i = 0; i < throttle->count; i++) {
		if (memcmp(throttle->peers[i].key, key, KEY_SIZE) == 0)
			return &throttle->peers[i];
	}
	return NULL;
}

/* A new place, or that of the address that has been silent longest. */
static struct tn_throttle_peer *take_place(struct tn_throttle *throttle)
{
	struct tn_throttle_peer *oldest;

	if (!throttle->peers) {
		throttle->peers = tn_mem_alloc_array(TN_AUTH_PEERS_MAX, sizeof(*throttle->peers));
		if (!throttle->peers)
			return NULL;
	}
	if (throttle->count < TN_AUTH_PEERS_MAX)
		return &throttle->peers[throttle->count++];
	oldest = throttle->peers;
	for (size_t i = 1; i < throttle->count; i++) {
		if (throttle->peers[i].last_ms < oldest->last_ms)
			oldest = &throttle->peers[i];
	}
	return oldest;
}

void tn_throttle_finish(struct tn_throttle *throttle)
{
	tn_mem_free(throttle->peers);
	*throttle = (struct tn_throttle){.peers = NULL};
}

uint64_t tn_throttle_wait_ms(const struct tn_throttle *throttle, const unsigned char peer[16],
			     uint64_t now_ms)
{
	unsigned char key[KEY_SIZE];
	const struct tn_throttle_peer *known;

	make_key(peer, key);
	known = find(throttle, key);
	return known && known->closed_until_ms > now_ms ? known->closed_until_ms - now_ms : 0;
}

void tn_throttle_failed(struct tn_throttle *throttle, const unsigned char peer[16], uint64_t now_ms)
{
	unsigned char key[KEY_SIZE];
	struct tn_throttle_peer *known;

	make_key(peer, key);
	known = find(throttle, key);
	if (!known) {
		known = take_place(throttle);
		if (!known)
			return;
		*known = (struct tn_throttle_peer){.count = 0};
		memcpy(known->key, key, KEY_SIZE);
	}
	known->last_ms = now_ms;
	known->failed_ms[known->next] = now_ms;
	known->next = (known->next + 1) % TN_AUTH_FAILURES_MAX;
	if (known->count < TN_AUTH_FAILURES_MAX)
		known->count++;
	/* The ring is full: `next` is the one so many failures ago. */
	if (known->count == TN_AUTH_FAILURES_MAX &&
	    now_ms - known->failed_ms[known->next] < TN_AUTH_WINDOW_MS) {
		known->closed_until_ms = now_ms + TN_AUTH_BLOCK_MS;
		known->count = known->next = 0;
	}
}
