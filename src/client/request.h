/* request.h - a request of the program's, from the call that made it to its outcome: one message,
 * or as many as rounds of questions, pages and polls of a task need.
 *
 * States: it waits for a connection (no wire, no round, no poll), a message is out (`wire`), the
 * program is asked (`round`), a task is slept on (`poll` runs), it has ended. Ended requests are
 * handed out and freed in the client's turn. Threads: loop. */
#ifndef TN_CLIENT_REQUEST_H
#define TN_CLIENT_REQUEST_H

#include "client/wire.h"

enum tn_request_kind {
	TN_REQUEST_PLAIN,
	TN_REQUEST_CALL, /* tools/call by tenon_client_call */
	TN_REQUEST_LIST
};

enum tn_client_task { TN_FOLLOW_NONE, TN_FOLLOW_R4, TN_FOLLOW_EXTENSION };

struct tenon_request {
	struct tenon_client *client;
	struct tenon_request *next, **link;
	enum tn_request_kind kind;
	struct tn_arena arena; /* method, params and whatever lives as long as the request */
	struct tn_str method;
	struct tn_json *params; /* an object, or NULL */
	struct tn_str name;     /* Mcp-Name */
	struct tenon_request_options options;
	struct tn_wire *wire;
	struct tn_timer *total;
	uint64_t deadline_ms, token;
	double progress; /* the last one told */
	bool has_progress;

	/* what has been tried already */
	bool again_version, again_headers, again_lost;

	/* call.c */
	struct tn_round *round;
	unsigned rounds;
	struct tn_buf answers; /* inputResponses: an object; empty: none */
	struct tn_buf state;   /* requestState as a JSON string; empty: none */
	bool as_task;
	struct tenon_request *relisting;

	/* task.c */
	enum tn_client_task task;
	struct tn_str task_id;
	struct tn_timer *poll;
	uint32_t poll_ms;
	bool poll_fixed;        /* the server has said how often */
	struct tn_map answered; /* keys of inputRequests: this request (MCP-258) */

	/* list.c */
	enum tenon_list list;
	unsigned pages;
	size_t cursor_bytes;  /* of all pages' */
	struct tn_buf cursor; /* as a JSON string */
	struct tn_map cursors;
	struct tn_buf items;
	int64_t ttl_ms;

	/* how it ended */
	bool has_ended;
	enum tenon_code code;
	struct tenon_error err;
	struct tn_buf result;
	int64_t error_code;
	struct tn_buf error_data;
	bool is_tool_error;
};

/* Made, and not sent yet. NULL: *err says why. */
struct tenon_request *tn_request_make(struct tenon_client *client, enum tn_request_kind kind,
				      const char *method, const char *params,
				      const struct tenon_request_options *options,
				      struct tenon_error *err);
/* Sends the request's next message, or leaves it waiting for the connection. */
void tn_request_go(struct tenon_request *request);
void tn_request_turn(struct tenon_client *client); /* hands out what has ended */
void tn_request_resume_all(struct tenon_client *client);
/* No connection is coming any more. */
void tn_request_fail_all(struct tenon_client *client, const struct tenon_error *err);
void tn_request_finish_all(struct tenon_client *client); /* frees them, untold */
void tn_request_free(struct tenon_request *request);     /* at once, untold; accepts NULL */
struct tenon_request *tn_request_of_token(struct tenon_client *client, uint64_t token);

/* True: done, from the cache. */
bool tn_request_answer_from_cache(struct tenon_request *request);
/* `result` has been written. */
void tn_request_end_list(struct tenon_request *request);
void tn_request_succeed(struct tenon_request *request, const struct tn_json *result);
void tn_request_fail(struct tenon_request *request, enum tenon_code code, const char *format, ...)
	TN_PRINTF(3, 4);
/* With the server's error, or what went wrong on the way; tries again where that is the rule. */
void tn_request_fail_answer(struct tenon_request *request, const struct tn_answer *answer);
/* A result that is not a plain one has its own way from here (call.c, task.c, list.c). */
void tn_request_take(struct tenon_request *request, const struct tn_json *result);
void tn_request_options_fill(const struct tenon_request *request, struct tn_wire_options *ret);
/* Copies members of `params` other than _meta. */
void tn_request_put_params(const struct tenon_request *request, struct tn_buf *out);

/* ---- call.c ---- */

void tn_client_call_put(struct tenon_request *request, struct tn_buf *out);
TN_MUST_USE enum tenon_code tn_client_call_headers(struct tenon_request *request,
						   struct tn_arena *arena,
						   struct tn_wire_options *options,
						   struct tenon_error *err);
/* A result of type "input_required". */
void tn_client_call_ask(struct tenon_request *request, const struct tn_json *result);
/* Frees, or parts with, what is the call's. */
void tn_client_call_finish(struct tenon_request *request);
/* -32020: the tool's headers have changed. False: nothing to be done about it. */
bool tn_client_call_relist(struct tenon_request *request);

/* ---- task.c ---- */

void tn_client_task_begin(struct tenon_request *request, const struct tn_json *task,
			  enum tn_client_task form);
void tn_client_task_cancel(struct tenon_request *request);
void tn_client_task_finish(struct tenon_request *request); /* frees what is the task's */

/* ---- list.c ---- */

void tn_list_go(struct tenon_request *request);
void tn_list_begin_again(struct tenon_request *request); /* from the first page */
void tn_list_finish(struct tenon_request *request);

#endif
