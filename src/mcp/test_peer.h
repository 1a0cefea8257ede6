/* test_peer.h - a server with a bit of everything, and a client of it without a socket: for tests.
 *
 * A message is sent as JSON text; what comes back is collected in order and compared with patterns.
 * Every message that comes back is checked on the way: JSON on one line, UTF-8, "jsonrpc":"2.0", no
 * second answer, nothing after an answer. Time is the test's: the clock stands until it is turned;
 * only the loop's timers take real milliseconds. Ownership: everything belongs to the test_peer.
 * Threads: one. */
#ifndef TN_MCP_TEST_PEER_H
#define TN_MCP_TEST_PEER_H

#include "mcp/call.h"
#include "mcp/peer.h"
#include "mcp/receive.h"
#include "mcp/server.h"

enum { TEST_EXCHANGES_MAX = 2048, TEST_HELD_MAX = 512, TEST_SESSIONS_MAX = 8 };

/* What the core sent, in order. */
enum test_kind {
	TEST_ANSWER, /* the final message of an exchange */
	TEST_NOTIFY, /* a message of an exchange before that */
	TEST_OUTLET  /* a message of no exchange */
};

struct test_message {
	struct test_message *next;
	enum test_kind kind;
	unsigned exchange; /* its number, from 1; 0: none */
	struct tn_peer *peer;
	char json[];
};

enum test_end { TEST_OPEN, TEST_ANSWERED, TEST_ENDED, TEST_CANCELLED, TEST_GONE };

struct test_peer;

/* One incoming message's way back. */
struct test_exchange {
	struct tn_exchange x; /* first */
	struct test_peer *t;
	unsigned number;
	enum test_end end;
	int status;         /* of the answer */
	unsigned releases;  /* polling: how often its connection was let go */
	bool deaf;          /* takes one JSON answer only; from test_peer.deaf */
	bool backlogged;    /* set by tests: the client does not keep up */
	unsigned notices;   /* messages before the answer */
	const char *opened; /* id of the session it opened */
};

struct test_session {
	char id[32];
	struct tn_peer *peer;
};

struct test_peer {
	struct tenon_server *server;
	struct tn_peer *peer;   /* a connection */
	struct tn_peer *modern; /* whom stateless HTTP requests belong to */
	struct tn_clock clock;  /* stands still */
	uint64_t now_ms;        /* what the clock shows */
	struct tn_buf text;     /* a message being built */
	struct test_message *first, **tail;
	struct test_message *shown; /* handed out last */
	struct test_exchange *exchanges[TEST_EXCHANGES_MAX];
	unsigned exchange_count;
	void (*faults)(bool on); /* called before and after the core runs; NULL: nothing fails */
	bool in_core;
	bool deaf;         /* exchanges to come take one answer only */
	bool outlet_slow;  /* the connection takes nothing now */
	bool outlet_alone; /* nobody is there */

	/* HTTP */
	const char *const (*headers)[2]; /* of the request being sent; ends with NULL */
	struct test_session sessions[TEST_SESSIONS_MAX];
	unsigned session_count;
	bool no_more_sessions;
	bool stateless; /* there are no sessions at all (MCP-129) */

	/* Fixtures. */
	struct tenon_call *held[TEST_HELD_MAX]; /* calls of the tool "hold", oldest first */
	unsigned held_count;
	unsigned cancelled_count; /* of those, how many were told so */
	unsigned entries;         /* how often a handler that asks was entered */
	unsigned freed;           /* data given to calls that was given back */
	unsigned worked;          /* pieces of work that came back */
};

/* For cmocka: *state is the struct test_peer. */
int test_peer_setup(void **state);
int test_peer_teardown(void **state);
/* The same with other options; `check_output` is on in the first. */
struct test_peer *test_peer_create(const struct tenon_server_options *options);
void test_peer_destroy(struct test_peer *t);
/* Ends the connection (and its peer) and begins another one. */
void test_reconnect(struct test_peer *t);

/* ---- sending ---- */

/* One message of the connection; returns its exchange. */
struct test_exchange *test_send(struct test_peer *t, const char *json);
struct test_exchange *test_send_str(struct test_peer *t, struct tn_str json);
struct test_exchange *test_sendf(struct test_peer *t, const char *format, ...) TN_PRINTF(2, 3);

/* A legacy handshake: `initialize`, its answer, `notifications/initialized`. */
void test_initialize(struct test_peer *t, const char *revision, const char *capabilities);

/* A modern request. `params` are members without braces; `capabilities` NULL is {}; `meta` more
 * members of _meta, or NULL. */
struct test_exchange *test_modern(struct test_peer *t, const char *id, const char *method,
				  const char *params, const char *capabilities, const char *meta);
/* The text of one, valid until the next is built. */
const char *test_modern_text(struct test_peer *t, const char *id, const char *method,
			     const char *params, const char *capabilities, const char *meta);

/* One POST. `headers` are pairs of name and value that end with {NULL, NULL}; NULL: none. */
struct test_exchange *test_post(struct test_peer *t, const char *const (*headers)[2],
				const char *json);
/* A session over HTTP; returns its id. */
const char *test_open_session(struct test_peer *t, const char *revision, const char *capabilities);

/* ---- what came back ---- */

/* The next message not looked at yet as JSON text; NULL: none. Valid until the next call. */
const char *test_next(struct test_peer *t);
/* The next message fits the pattern. Its "jsonrpc" is checked already and not in the pattern.
 * In a pattern "<any>", "<string>", "<number>", "<object>", "<array>" stand for any such value,
 * "<has words>" for a string with these words in it; a member "..." allows further members, an
 * element "..." at the end further elements. */
void test_expect(struct test_peer *t, const char *pattern);
void test_expectf(struct test_peer *t, const char *format, ...) TN_PRINTF(2, 3);
void test_expect_nothing(struct test_peer *t);
/* Answered with this status (HTTP), and the message fits. */
void test_expect_status(struct test_peer *t, const struct test_exchange *x, int status,
			const char *pattern);
/* An error with this id (JSON text; NULL: without id), code, and words in its message. */
void test_expect_error(struct test_peer *t, const char *id, int code, const char *words);
/* A result of the modern era: resultType "complete", serverInfo, and `members` of the result (a
 * pattern object without braces; may be ""). */
void test_expect_complete(struct test_peer *t, const char *id, const char *members);
/* Does this JSON text fit the pattern? */
bool test_fits(const char *json, const char *pattern);
/* Copies a string member of the message shown last, at a path such as "result/requestState". */
void test_member(struct test_peer *t, const char *path, char *out, size_t size);

/* ---- time ---- */

void test_turn_clock(struct test_peer *t, uint64_t ms);
void test_run(struct test_peer *t, unsigned ms); /* the loop, for real milliseconds */
/* ... until this says true, or 30 s have passed: a test's wait, however busy the machine is. */
void test_run_until(struct test_peer *t, bool (*done)(void *data), void *data);
void test_run_until_sent(struct test_peer *t); /* ... until a message is there */
void test_gone(struct test_exchange *x);       /* the client left this exchange */

#endif
