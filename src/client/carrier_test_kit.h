/* carrier_test_kit.h - for the tests of the HTTP carriers: a server on a real port that answers as
 * its script says, and a conversation that writes down what it is told.
 *
 * Server and client share one loop; kit_run runs it until something has been written down.
 * Threads: one. */
#ifndef TN_CLIENT_CARRIER_TEST_KIT_H
#define TN_CLIENT_CARRIER_TEST_KIT_H

#include "base/buf.h"
#include "client/carrier.h"

enum { KIT_REQUESTS_MAX = 64, KIT_WAIT_MS = 30000 };

struct kit_reply {
	unsigned status;     /* 0: `body` is the whole answer, head and all */
	const char *headers; /* each with CR LF; NULL: Content-Type: application/json */
	const char *body;
	bool streams; /* no length is said; more may come by kit_push */
	bool cut;     /* the connection ends after it */
	bool reset;   /* before any answer */
};

struct kit_connection;

struct kit {
	struct tn_loop *loop;
	uint16_t port;
	const struct kit_reply *script; /* one a request, in the order they arrive */
	size_t script_size;
	/* NULL, or instead of the script; requests are then not kept. */
	const struct kit_reply *(*choose)(const char *request);
	char *requests[KIT_REQUESTS_MAX]; /* head and body as they came */
	size_t request_count;
	uint64_t request_ms[KIT_REQUESTS_MAX];
	size_t connections; /* accepted so far */
	struct tn_buf log;  /* what the conversation was told, one line each */
	struct tn_carrier *carrier;
	void (*on_message)(struct kit *kit, void *request); /* NULL, or besides the log */

	/* Private: */
	int listener;
	struct tn_io *accepting;
	struct kit_connection *first;
	struct tn_timer *timer;
	const char *wanted;
	bool in_time;
};

void kit_open(struct kit *kit, const struct kit_reply *script, size_t script_size);
void kit_close(struct kit *kit); /* aborts the carrier, and checks that nothing is left */

/* "http", "sse". `target->url` NULL: /mcp of the kit's server. */
void kit_carrier(struct kit *kit, const char *kind, struct tn_url_target target);
const char *kit_url(const struct kit *kit, const char *path, char *out, size_t size);

/* Runs until the log has `text` in it; fails the test when it does not come. */
void kit_run(struct kit *kit, const char *text);
void kit_run_for(struct kit *kit, uint32_t ms);
void kit_run_requests(struct kit *kit, size_t count); /* until so many have arrived */

/* Bytes on the connection that sent request number `index`; NULL: the connection ends. */
void kit_push(struct kit *kit, size_t index, const char *bytes);
bool kit_is_open(struct kit *kit, size_t index); /* the client has not closed it */

/* `request` is a letter for the log; NULL: none. */
void kit_send(struct kit *kit, const char *json, const char *method, const char *request,
	      enum tn_revision revision);

extern const char *kit_plugin_folder;

#endif
