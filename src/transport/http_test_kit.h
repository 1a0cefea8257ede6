/* http_test_kit.h - for the tests of the HTTP server: one on a real port in a thread of its own,
 * with a handler that does what the path says, and a blocking client.
 *
 * Threads: the client side belongs to the test; kit_run brings a function to the server's thread.
 */
#ifndef TN_TRANSPORT_HTTP_TEST_KIT_H
#define TN_TRANSPORT_HTTP_TEST_KIT_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "transport/http.h"

enum { KIT_STREAMS_MAX = 2048, KIT_WAIT_MS = 30000 };

/* Paths: /echo answers "METHOD PATH QUERY BODY" at once, /later the same after 30 ms, /never not at
 * all; /big?N answers N bytes; /sse streams two events and ends; /open streams and stays, /soon
 * does so after 30 ms; /raw streams "hello" without an event stream's headers; /switch becomes
 * another protocol, which says what came behind the request and closes; /keep does not close. A
 * header X-Tell comes back as X-Told in every answer. Anything else is refused with 404 by the
 * check, and POST without Content-Type text/plain on /typed with 415. */
struct kit {
	struct tn_loop *loop;
	struct tn_http_server *server;
	struct tn_wakeup *wakeup;
	struct tn_timer *later;
	pthread_t thread;
	sem_t done;
	uint16_t port;
	void (*run)(struct kit *kit, void *data); /* handed over by kit_run */
	void *run_data;
	struct tn_http_exchange *streams[KIT_STREAMS_MAX];
	struct tn_http_exchange *waiting[64]; /* of /later */
	struct tn_http_upgraded kept[4];
	size_t stream_count, waiting_count, kept_count;
	atomic_uint requests, checks, closed, drained;
};

/* NULL limits: the defaults. Both fail the test when they cannot. */
struct kit *kit_open(const char *address, const struct tn_http_limits *limits);
void kit_close(struct kit *kit);

/* Runs on the server's thread, and waits for it. */
void kit_run(struct kit *kit, void (*run)(struct kit *kit, void *data), void *data);

int kit_dial(const struct kit *kit);
void kit_send(int fd, const char *data, size_t size);
void kit_send_text(int fd, const char *text);

/* Reads one whole answer (Content-Length, chunked, or up to the end), with its head;
 * NUL-terminated. Returns its status, or 0 when the connection ends before. The text is good until
 * the next call. */
unsigned kit_answer(int fd, const char **ret_text);
/* The same for an answer to HEAD. */
unsigned kit_answer_head(int fd, const char **ret_text);

/* Reads until the text has come, the end, or `ms` milliseconds; returns whether it came. */
bool kit_expect(int fd, const char *text, int ms);
/* True when the server closes within `ms`; what it sends before is dropped. */
bool kit_ends(int fd, int ms);
/* Waits until *counter is at least `value`; false after KIT_WAIT_MS. */
bool kit_reaches(atomic_uint *counter, unsigned value);
uint64_t kit_now_ms(void);

#endif
