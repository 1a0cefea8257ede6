/* wire.h - one message that waits for an answer: its id, its deadlines, its end.
 *
 * Begin, write the members of `params` into `body`, send. From then on `done` comes once, unless
 * the wire is dropped or cancelled; the wire is freed behind it. Late and foreign answers are
 * dropped by their id (MCP-017). Threads: loop. */
#ifndef TN_CLIENT_WIRE_H
#define TN_CLIENT_WIRE_H

#include "client/client.h"
#include "jsonrpc/json.h"
#include "jsonrpc/json_write.h"

struct tn_answer {
	enum tenon_code code; /* OK: `result` */
	struct tenon_error err;
	const struct tn_json *result; /* an object; both trees live during the call */
	int64_t error_code;           /* 0: not the server's word */
	const struct tn_json *error_data;
	const struct tn_carrier_end *end; /* NULL, or how the stream ended */
	unsigned status;                  /* HTTP; 0: none */
	bool is_lost;                     /* with the connection, or the session */
};

typedef void tn_wire_fn(void *data, const struct tn_answer *answer);

struct tn_wire_options {
	struct tn_str name;                      /* Mcp-Name; NULL data: none */
	const struct tn_carrier_header *headers; /* Mcp-Param-*, encoded */
	size_t header_count;
	const struct tn_json *meta; /* further members of _meta, or NULL */
	uint64_t token;             /* of progress; 0: none */
	const char *log_level;      /* NULL: none */
	uint32_t timeout_ms;        /* 0: never */
	uint64_t deadline_ms;       /* of the loop's clock; 0: none */
	bool is_plain;              /* `initialize`: no revision yet */
};

struct tn_wire {
	struct tenon_client *client;
	char id[24];
	struct tn_str method; /* a literal, or the request's, which lives longer */
	struct tn_buf body;   /* the message */
	tn_wire_fn *done;
	void *data;
	struct tn_timer *timer;
	uint32_t timeout_ms;
	uint64_t deadline_ms, heard_ms;
	uint64_t token;
	bool is_sent, is_modern;
};

/* NULL: out of memory. */
struct tn_wire *tn_wire_begin(struct tenon_client *client, struct tn_str method, tn_wire_fn *done,
			      void *data);
/* On failure nothing is left of the wire and `done` does not come. */
enum tenon_code tn_wire_send(struct tn_wire *wire, const struct tn_wire_options *options,
			     struct tenon_error *err);

void tn_wire_heard(struct tn_wire *wire); /* a sign of life (MCP-071) */
/* Tells the server, in the era's way (MCP-143, MCP-174), and frees it. Accepts NULL. */
void tn_wire_cancel(struct tn_wire *wire, const char *reason);
void tn_wire_drop(struct tn_wire *wire); /* without a word; accepts NULL */
/* Ends it with this answer. */
void tn_wire_end(struct tn_wire *wire, const struct tn_answer *answer);
void tn_wire_end_all(struct tenon_client *client, const struct tenon_error *err);

struct tn_wire *tn_wire_find(const struct tenon_client *client, const struct tn_json *id);
void tn_wire_ended(void *data, void *request, const struct tn_carrier_end *end);

/* Our notification; `params` is an object or NULL data. Also answers (`id` is raw JSON). */
enum tenon_code tn_wire_notify(struct tenon_client *client, struct tn_str method,
			       struct tn_str params, struct tenon_error *err);
void tn_wire_reply(struct tenon_client *client, struct tn_str id, struct tn_str result);
void tn_wire_refuse(struct tenon_client *client, struct tn_str id, int code, const char *message);

/* MCP-121: a header's value; plain where that is possible, else in base 64. */
void tn_header_encode(struct tn_str text, struct tn_buf *out);

/* Our capabilities as this revision knows them, an object. */
void tn_capabilities_write(const struct tenon_client *client, enum tn_revision revision,
			   struct tn_buf *out);
void tn_implementation_write(const struct tenon_client *client, enum tn_revision revision,
			     struct tn_buf *out);

#endif
