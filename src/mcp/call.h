/* call.h - the life of one request inside the core (ARCHITECTURE section 3.1, the re-entrant call).
 *
 * A call is taken from the server's pool when a message arrives, holds everything the message needs
 * in its arena, and goes back to the pool when it is answered and nothing it started is still
 * running. The public half is include/tenon/result.h. Threads: loop; only `cancelled` is read
 * elsewhere. */
#ifndef TN_MCP_CALL_H
#define TN_MCP_CALL_H

#include <stdatomic.h>

#include "base/arena.h"
#include "base/buf.h"
#include "jsonrpc/json.h"
#include "loop/loop.h"
#include "mcp/exchange.h"
#include "mcp/peer.h"
#include "mcp/registry.h"
#include "mcp/revision.h"
#include "tenon/result.h"

struct tn_method;
struct tn_task;

/* What a 2025-11-25 client was sent to, and by which id it can be told that it is done. */
struct tn_visit {
	struct tn_visit *next;
	const char *key, *id; /* in the call's arena */
};

/* Where a content block begins in `out`. */
struct tn_block {
	struct tn_block *next; /* the one before it */
	size_t start;
	bool text;
};

/* A question to the client, noted by a handler. */
struct tn_ask {
	struct tn_ask *next;
	const char *key;    /* in the call's arena, like all texts here */
	const char *method; /* static: "elicitation/create" */
	struct tn_str params;
	int64_t request_id; /* legacy: the id of our request; 0: not sent */
	bool consent;       /* it asks for consent (consent.h), whose clock counts */
	/* Of a task (task.h): the key it is known by outside, and the call it went out with. */
	const char *wire_key;
	struct tenon_call *via;
};

struct tenon_answer {
	struct tenon_answer *next;
	const char *key;
	const struct tn_json *result; /* the whole result object */
	const char *json;             /* the same as text, made when asked for */
	struct tenon_call *call;
};

enum tn_call_phase {
	TN_CALL_RUNNING,    /* the handler has it */
	TN_CALL_ASKING,     /* legacy: questions are out */
	TN_CALL_CONSENTING, /* waits for a person (consent.h) */
	TN_CALL_FINISHED    /* answered or dropped; waits for what it started to end */
};

struct tenon_call {
	struct tenon_server *server;
	struct tn_peer *peer;            /* the server's orphanage after its own is gone */
	struct tn_exchange *exchange;    /* NULL after answering, or when nobody waits */
	const struct tn_http_view *view; /* during tn_receive_http only */
	enum tn_call_phase phase;
	bool in_handler;
	atomic_bool cancelled;
	bool left; /* cancelled, because its client went away and not because it said so */
	struct tn_arena arena;

	/* The request. */
	const struct tn_method *method;
	struct tn_str method_name;
	struct tn_str id; /* as JSON text */
	const struct tn_json *params, *arguments, *meta;
	enum tn_revision revision;
	unsigned abilities; /* what the client can, in this request */
	int log_level;      /* modern: the lowest to send; above TENON_LOG_EMERGENCY: none */
	const char *client_name;
	struct tn_fit_choice fit; /* which forms of a result it is sent */
	char principal[TN_PRINCIPAL_SIZE];
	bool foreign, person; /* the same of its peer */
	bool elsewhere;       /* of its peer, or of this message */
	int64_t client;       /* whose open questions are counted together: a process, or below 0 */

	/* What serves it. */
	struct tn_item *item; /* counted */
	tenon_call_fn *handler;
	void *handler_data;
	const char *through; /* the finder that named `item` (finder.h); NULL: the client did */
	struct tn_str uri;   /* resources/read */
	struct tn_str complete_name, complete_value; /* completion/complete */

	/* The result. */
	struct tn_buf out; /* the message; content is written in place */
	struct tn_buf structured;
	size_t payload_start;  /* where the value of `result` or `error` begins in `out` */
	bool payload_is_error; /* it is that of `error` */
	size_t content_start;  /* where the content array begins in `out` */
	size_t block_end;      /* before the last block's closing brace; 0: no block yet */
	bool is_error;
	size_t text_bytes;       /* of the texts so far, where the tool has a limit */
	size_t text_tokens;      /* where a model reads them (tokens.h) */
	struct tn_block *blocks; /* newest first, where texts may be taken out again */
	const char *role;
	const char *description, *result_meta;
	uint64_t cache_ttl_ms;
	bool cache_public;
	uint32_t completion_count;
	uint64_t completion_total;

	/* Progress. */
	struct tn_str progress_token; /* as JSON text; absent: not wanted */
	double progress_last;
	bool progress_any;
	double progress_tokens; /* of the bucket that limits the rate */
	uint64_t progress_refill_ms;
	struct tn_str progress_held; /* a message held back by the rate limit */
	size_t progress_room;        /* bytes of memory it has */

	/* Asking. */
	struct tn_ask *asks;
	struct tenon_answer *answers;
	struct tn_visit *visits;
	unsigned missing_abilities; /* asked for without the capability */
	const char *ask_fault;      /* a question could not be put: why, a static sentence */
	unsigned rounds;
	const char *state;                     /* the handler's note, in the arena */
	const struct tn_json *sealed_consents; /* modern: ids of the requests it was asked about */

	/* Tasks (task.h). */
	struct tn_task *task;          /* what it has become */
	struct tn_task *awaited;       /* tasks/result: whose end it waits for */
	struct tenon_call *await_next; /* among those that wait for the same */

	/* What it started. */
	struct tn_timer *timer; /* tenon_call_after */
	tenon_call_fn *timer_fn;
	void *timer_data;
	struct tn_timer *ask_timer;
	struct tn_job *job;
	tenon_work_fn *work_fn;
	tenon_call_fn *work_done;
	void *work_data;
	tenon_call_fn *on_cancel;
	void *on_cancel_data;
	void *data;
	void (*free_data)(void *data);

	/* For those who observe (observe.h). */
	uint64_t started_us;
	int error_code;      /* of the JSON-RPC error it ended with; 0: none */
	bool asked;          /* it ended with input_required */
	bool observed;       /* somebody is to be told of its end, and has not been */
	const char *consent; /* how it was consented to (consent.h), static; NULL: nobody asked */

	struct tenon_call *next, *previous; /* among the peer's calls, or in the pool */
	bool listed;
};

/* It waits for the client or for a person, and for nothing else. */
static inline bool tn_call_waits(const struct tenon_call *call)
{
	return call->phase == TN_CALL_ASKING || call->phase == TN_CALL_CONSENTING;
}

/* ---- life (call.c) ---- */

struct tenon_call *tn_call_take(struct tenon_server *server); /* NULL: no memory */
void tn_call_adopt(struct tenon_call *call, struct tn_peer *peer, struct tn_exchange *x);
/* Runs the handler; afterwards the call is answered, asking, or waiting for the handler. */
void tn_call_run(struct tenon_call *call);
void tn_call_list(struct tenon_call *call);   /* among the peer's running calls */
void tn_call_unlist(struct tenon_call *call); /* nothing when it is not */
void tn_call_cancel(struct tenon_call *call); /* nobody waits any more */
void tn_call_orphan(struct tenon_call *call); /* cancelled, and its peer goes away */
/* Frees a call whatever it waits for: the server is being destroyed. */
void tn_call_abandon(struct tenon_call *call);
/* Sends what stands in `out` as the final message. */
void tn_call_send(struct tenon_call *call, int status);
/* Ends without a message. */
void tn_call_end(struct tenon_call *call, bool cancelled);
/* A JSON-RPC error as the final message. `data` is JSON text or absent. */
void tn_call_error(struct tenon_call *call, int status, int code, struct tn_str message,
		   struct tn_str data);
/* Takes the way back from the call, which answers nobody any more; NULL: it had none. */
struct tn_exchange *tn_call_release_exchange(struct tenon_call *call);
/* A whole message that belongs to the call and comes before its answer. */
void tn_call_tell(struct tenon_call *call, struct tn_str json);
/* True while the client does not keep up. */
bool tn_call_is_backlogged(const struct tenon_call *call);
/* Progress of which every single report counts (studio.md ST-086): tenon_call_progress without its
 * rate limit. `meta`: members of _meta, may be empty; clients that know no message get neither. */
void tn_call_progress_each(struct tenon_call *call, double progress, const char *message,
			   struct tn_str meta);
/* A notification that belongs to the call; `params` is the inside of an object. */
void tn_call_notify(struct tenon_call *call, const char *method, struct tn_str params);

/* ---- results (call_result.c) ---- */

void tn_result_begin(struct tenon_call *call); /* envelope up to the first member of `result` */
/* The same in another buffer than `out`, and its end; `meta`: members of _meta, or NULL. */
void tn_result_begin_in(const struct tenon_call *call, struct tn_buf *out);
void tn_result_end_in(const struct tenon_call *call, struct tn_buf *out, const char *result_type,
		      const char *meta);
void tn_result_end(struct tenon_call *call);        /* resultType, _meta and the closing braces */
void tn_result_end_asking(struct tenon_call *call); /* the same for input_required */
void tn_result_send_empty(struct tenon_call *call);
void tn_result_send_as(struct tenon_call *call, const char *result_type); /* what was begun */
void tn_result_reset_content(struct tenon_call *call); /* before each entry of the handler */
void tn_result_put_cache(struct tenon_call *call, uint64_t ttl_ms, bool public_scope);

/* ---- asking (call_ask.c; what handlers ask: call_question.c) ---- */

/* The handler has questions that nobody has been asked yet, or could not put one. */
static inline bool tn_call_has_asked(const struct tenon_call *call)
{
	return call->asks || call->missing_abilities || call->ask_fault;
}

/* After the handler returned without finishing: sends its questions, or fails. */
void tn_call_ask(struct tenon_call *call);
/* Legacy: tells the client that the questions still out need no answer (MCP-172). */
void tn_call_withdraw(struct tenon_call *call);
/* The same, and the call has them no more. */
void tn_call_drop_asks(struct tenon_call *call);
void tn_call_drop_ask(struct tenon_call *call, const char *key);
/* The question of this key asks for consent; nothing when there is none. */
void tn_call_mark_consent(struct tenon_call *call, const char *key);
/* Modern: the retry brought our seal for this request for consent. */
bool tn_call_was_asked(const struct tenon_call *call, const char *id);
/* Legacy: the client answered our request `request_id`. False: no such request. */
bool tn_call_answered(struct tenon_call *call, int64_t request_id, const struct tn_json *message);
/* Modern: takes `inputResponses` and `requestState` of a retry. False: refused, and answered so. */
bool tn_call_take_answers(struct tenon_call *call);
/* Memory ran out while the handler asked for something: it was told that there is nothing, so what
 * it answers would be wrong. An error is answered instead. */
static inline void tn_call_starve(struct tenon_call *call)
{
	call->out.failed = call->out.starved = true;
}
/* Answers with an error that needs no memory; without `id` when it is not known. */
void tn_answer_without_memory(struct tn_exchange *x, struct tn_str id);
/* Sends one question of the call to a legacy client, on this exchange of this peer. False: out of
 * memory, nothing was sent. */
TN_MUST_USE bool tn_call_send_ask(struct tenon_call *call, struct tn_ask *ask, struct tn_peer *peer,
				  struct tn_exchange *x);
/* Fails a call whose questions cannot be answered, because the client sends no more. */
void tn_call_fail_unheard(struct tenon_call *call);
/* Starts the time in which legacy questions have to be answered. False: out of memory. */
bool tn_call_start_ask_timer(struct tenon_call *call);

/* ---- what is called (call_content.c, call_result.c) ---- */

static inline bool tn_call_is_read(const struct tenon_call *call)
{
	return call->item &&
	       (call->item->kind == TN_ITEM_RESOURCE || call->item->kind == TN_ITEM_TEMPLATE);
}

static inline bool tn_call_is_tool(const struct tenon_call *call)
{
	return call->item && call->item->kind == TN_ITEM_TOOL;
}

static inline bool tn_call_is_prompt(const struct tenon_call *call)
{
	return call->item && call->item->kind == TN_ITEM_PROMPT;
}

/* A text of the public interface, whose size may be TENON_TEXT. */
static inline struct tn_str tn_call_sized(const char *text, size_t size)
{
	return size == TENON_TEXT ? tn_str_from(text) : tn_str(text, size);
}

/* ---- answers (call_answer.c): of one key the newest counts ---- */

const struct tenon_answer *tn_call_find_answer(const struct tenon_call *call, const char *key);
/* `result` lies in the call's own arena. False: out of memory. */
bool tn_call_add_answer(struct tenon_call *call, struct tn_str key, const struct tn_json *result);
/* Keeps a copy of an answer that lies in another message's arena. False: out of memory. */
bool tn_call_keep_answer(struct tenon_call *call, const char *key, const struct tn_json *value);
void tn_call_forget_answer(struct tenon_call *call, const char *key); /* every one of this key */

/* The value as text in the call's arena. NULL: absent, or no memory. */
const char *tn_call_json_text(struct tenon_call *call, const struct tn_json *value);

/* The arguments' tree, for doors inside this project. */
const struct tn_json *tn_call_arguments(const struct tenon_call *call);
/* The tool's flags for a call with these arguments: one that writes with some of them reads only
 * without. */
unsigned tn_tool_flags(const struct tenon_tool *tool, const struct tn_json *arguments);

#endif
