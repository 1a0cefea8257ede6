/* client_test_kit.h - for the tests of the conversation: a server that is a script in this process.
 *
 * A step is a method that the client must send next, and the lines it gets for it. In them $id is
 * the id of that message. A step without a method is what the server sends by itself, right after
 * the step before. What the client sends beyond the script, or otherwise than it says, fails the
 * test at kit_close. Threads: one. */
#ifndef TN_CLIENT_CLIENT_TEST_KIT_H
#define TN_CLIENT_CLIENT_TEST_KIT_H

#include "base/size.h"
#include "client/client.h"

/* ---- the words of scripts ---- */

#define OK(members) "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{" members "}}"
#define DONE "\"resultType\":\"complete\""
#define ERROR(code, rest) "{\"jsonrpc\":\"2.0\",\"id\":$id,\"error\":{\"code\":" code rest "}}"
#define SERVER(steps_)                                     \
	{                                                  \
		.steps = steps_, .count = TN_COUNT(steps_) \
	}

#define CONNECT_MODERN                             \
	{"server/discover", NULL, kit_modern},     \
	{                                          \
		"subscriptions/listen", NULL, NULL \
	}
#define CONNECT_LEGACY                                                        \
	{"server/discover", NULL, ERROR("-32601", ",\"message\":\"what?\"")}, \
		{"initialize", NULL, kit_legacy},                             \
	{                                                                     \
		"notifications/initialized", NULL, NULL                       \
	}

#define FORM                                                                                \
	"{\"message\":\"who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{"   \
	"\"name\":{\"type\":\"string\",\"default\":\"Ann\"},\"age\":{\"type\":\"integer\"," \
	"\"default\":7}},\"required\":[\"name\"]}}"

#define TASK_POLLED(status, ms, rest)                                                          \
	"\"taskId\":\"T\",\"status\":\"" status                                                \
	"\",\"createdAt\":\"x\",\"lastUpdatedAt\":\"x\",\"ttlMs\":null,\"pollIntervalMs\":" ms \
		rest
#define TASK(status, rest) TASK_POLLED(status, "20", rest)

#define NOTICE(method, rest)                                      \
	"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/" method \
	"\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":$id}" rest "}}"

struct kit_step {
	const char
		*method; /* of the client's next message; "<response>" for an answer of its own */
	const char *has; /* a text in that message or its headers; NULL: any */
	/* Answers, one a line; NULL: none. "<lost>": the connection ends; "<404>": the session of
	 * the last request is gone; "<broken>": its stream is; "<long>": a message was too long. */
	const char *lines;
};

struct kit_server {
	const struct kit_step *steps;
	size_t count, at;
	enum tn_carrier_kind kind;
	unsigned opened, closed;
	char fault[1024]; /* what the client did wrong, first */
	bool is_lax;      /* beyond the script, everything is taken and nothing answered */
	bool is_loose;    /* the steps are in no order: the first that fits answers */
	/* Called with true before, and false behind, what the kit allocates itself; may be NULL. */
	void (*own_memory)(bool begins);
	/* The log of handlers, one line each. */
	struct tn_buf log;
	const char *accepts; /* the content for elicitation; NULL: the defaults */
	bool declines;
	struct tenon_question *held;
	bool holds; /* questions are kept in `held` */
};

extern const char kit_modern[]; /* answers to server/discover and initialize */
extern const char kit_legacy[];

/* Fills handlers that write into the log. */
struct tenon_client_options kit_options(struct kit_server *server);
struct tenon_client *kit_client(struct kit_server *server,
				const struct tenon_client_options *options);
void kit_use(struct kit_server *server, struct tenon_client *client);
struct tenon_client *kit_connect(struct kit_server *server,
				 const struct tenon_client_options *options);
/* Destroys the client; fails the test when the script was not followed to its end. */
void kit_close(struct kit_server *server, struct tenon_client *client);

/* A call of that tool with {"a":1}, to its end. */
struct tenon_outcome kit_call(struct tenon_client *client, const char *tool,
			      const struct tenon_request_options *options);
const char *kit_log(struct kit_server *server);

#endif
