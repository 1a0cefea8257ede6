/* result.h - a running call: its arguments, its result, and everything that happens in between.
 *
 * Ownership: the library owns the call until it is finished; tenon_call_finish, tenon_call_fail,
 * tenon_call_refuse and the reply helpers finish it, and the pointer is dead afterwards. Texts
 * handed out live until then; texts handed in are copied at once. Threads: the loop's thread only,
 * except inside the `work` function of tenon_call_work, which may use tenon_call_cancelled.
 *
 * Sizes are in bytes; a size of TENON_TEXT means "up to the NUL". */
#ifndef TENON_RESULT_H
#define TENON_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tenon/tool.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TENON_TEXT ((size_t)-1)

/* ---- arguments ----
 * Already checked against the schema. Each returns false (or NULL) when the argument is absent or
 * of another type, and leaves *ret alone. */

const char *tenon_call_text(const struct tenon_call *call, const char *name); /* NUL-terminated */
bool tenon_call_bytes(const struct tenon_call *call, const char *name, const char **ret_data,
		      size_t *ret_size);
bool tenon_call_int(const struct tenon_call *call, const char *name, int64_t *ret);
bool tenon_call_double(const struct tenon_call *call, const char *name, double *ret);
bool tenon_call_bool(const struct tenon_call *call, const char *name, bool *ret);
/* The argument as JSON text; a NULL name gives the whole arguments object. NULL: absent. */
const char *tenon_call_json(struct tenon_call *call, const char *name);

const char *tenon_call_uri(const struct tenon_call *call); /* resources/read: the URI asked for */
/* completion/complete: the argument's name and the text typed so far. */
void tenon_call_completing(const struct tenon_call *call, const char **ret_name,
			   const char **ret_value);

/* ---- the result ----
 * The same functions build the content of a tool result, the messages of a prompt and the contents
 * of a resource. */

void tenon_call_add_text(struct tenon_call *call, const char *text, size_t size);
void tenon_call_add_image(struct tenon_call *call, const char *mime_type, const void *data,
			  size_t size);
void tenon_call_add_audio(struct tenon_call *call, const char *mime_type, const void *data,
			  size_t size);
/* In a tool result or prompt an embedded resource; in resources/read one of the contents. `uri`
 * NULL means the URI asked for. */
void tenon_call_add_resource_text(struct tenon_call *call, const char *uri, const char *mime_type,
				  const char *text, size_t size);
void tenon_call_add_resource_blob(struct tenon_call *call, const char *uri, const char *mime_type,
				  const void *data, size_t size);
/* A link the client may follow; `title`, `description`, `mime_type` may be NULL. */
void tenon_call_add_link(struct tenon_call *call, const char *uri, const char *name,
			 const char *title, const char *description, const char *mime_type);
/* Annotations of the content block added last: `audience` is "user" or "assistant" or NULL for
 * both, `priority` is 0 to 1 or negative for none. */
void tenon_call_annotate(struct tenon_call *call, const char *audience, double priority);

/* `_meta` of the content block or resource contents added last: a JSON object, for example
 * {"ui":{"csp":{"connectDomains":["https://api.example"]}}} (MCP-262); what is none is left out.
 * Once a block. */
void tenon_call_set_block_meta(struct tenon_call *call, const char *json);

/* The role of the prompt messages added from here on: "user" (the default) or "assistant". */
void tenon_call_set_role(struct tenon_call *call, const char *role);
void tenon_call_set_description(struct tenon_call *call, const char *description); /* prompts/get */
/* The structured result of a tool: JSON text that fits its output schema. */
void tenon_call_set_structured(struct tenon_call *call, const char *json, size_t size);
void tenon_call_set_meta(struct tenon_call *call, const char *json_members); /* `"k":1,"l":2` */
void tenon_call_set_error(struct tenon_call *call); /* marks the tool result as isError */
void tenon_call_set_cache(struct tenon_call *call, uint64_t ttl_ms, bool public_scope);
void tenon_call_add_completion(struct tenon_call *call, const char *value);
void tenon_call_set_completion_total(struct tenon_call *call, uint64_t total);

void tenon_call_finish(struct tenon_call *call); /* sends what was built */
/* Methods of an extension: the result's members, a JSON object; `resultType` ("complete" unless it
 * says otherwise) and `_meta` are added. What is no object ends the call with error -32603. */
void tenon_call_finish_json(struct tenon_call *call, const char *result);

/* Helpers: one line each for the usual endings. */
void tenon_call_reply_text(struct tenon_call *call, const char *text); /* add_text and finish */
/* A tool result with isError and this text; for other methods error -32603 with it. */
void tenon_call_fail(struct tenon_call *call, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* A JSON-RPC error instead of a result. `data_json` may be NULL. */
void tenon_call_refuse(struct tenon_call *call, int code, const char *message,
		       const char *data_json);
/* resources/read: this URI does not exist (the right code for the client's revision). */
void tenon_call_not_found(struct tenon_call *call);

/* ---- while it runs ---- */

/* Tells how far the work is; sent only when the client asked for it. `progress` must grow. `total`
 * 0: unknown. `message` may be NULL. */
void tenon_call_progress(struct tenon_call *call, double progress, double total,
			 const char *message);

enum tenon_log_level {
	TENON_LOG_DEBUG,
	TENON_LOG_INFO,
	TENON_LOG_NOTICE,
	TENON_LOG_WARNING,
	TENON_LOG_ERROR,
	TENON_LOG_CRITICAL,
	TENON_LOG_ALERT,
	TENON_LOG_EMERGENCY
};
/* A log line for the client, sent only when it asked for this level. `logger` may be NULL. */
void tenon_call_log(struct tenon_call *call, enum tenon_log_level level, const char *logger,
		    const char *text);

bool tenon_call_cancelled(const struct tenon_call *call); /* nobody waits any more; any thread */
/* Runs on the loop's thread when the call is cancelled; the call must still be finished. */
void tenon_call_on_cancel(struct tenon_call *call, tenon_call_fn *cancelled, void *data);

/* Runs `next` on the loop's thread after a while. One timer a call. */
void tenon_call_after(struct tenon_call *call, uint64_t delay_ms, tenon_call_fn *next, void *data);

/* Runs `work` on a worker thread (it touches only `data`), then `done` on the loop's thread. One
 * piece of work at a time a call. If no worker can be had the call fails and `done` does not run,
 * so what `data` holds is freed by tenon_call_set_data rather than by `done`. */
typedef void tenon_work_fn(const struct tenon_call *call, void *data);
void tenon_call_work(struct tenon_call *call, tenon_work_fn *work, tenon_call_fn *done, void *data);

/* Keeps `data` with the call and frees it with `free_data` (may be NULL) when the call is gone. It
 * survives re-entry within one session, not a multi-round-trip request: see tenon_call_set_state.
 */
void tenon_call_set_data(struct tenon_call *call, void *data, void (*free_data)(void *data));
void *tenon_call_data(const struct tenon_call *call);
/* What the app's `open` made (app.h), for handlers with a `data` of their own; NULL: no app. */
void *tenon_call_app_state(const struct tenon_call *call);

/* MCP 2025-11-25 polling: ends the connection of this call's stream, tells the client to come back
 * after `retry_ms`; the result waits for it. Without effect elsewhere. */
void tenon_call_release_stream(struct tenon_call *call, unsigned retry_ms);

/* ---- tasks ----
 * A handler of a tool with task support works the same in all revisions: it calls
 * tenon_call_start_task when the work turns out to be long, and goes on. */

struct tenon_task_options {
	uint64_t ttl_ms;     /* how long the result is kept after creation; 0: 10 min, or what the
				client asked for, at most a day */
	uint32_t poll_ms;    /* how often to ask; 0: 1 s */
	const char *message; /* NULL, or what is being done, for people */
};
/* From here on the call is a task, if the client can follow one: it is told so at once, and asks
 * for the state and the result when it likes. Questions asked before this go to the client as ever;
 * questions after it become the task's. `options` may be NULL. False: the client cannot (or the
 * limit of tasks is reached): the call goes on as it was. True also when it is a task already. */
bool tenon_call_start_task(struct tenon_call *call, const struct tenon_task_options *options);
void tenon_call_set_task_message(struct tenon_call *call, const char *message);

/* ---- asking ----
 * Each looks for the answer to the question named `key`. If it is there it is returned; if not, the
 * question is noted and NULL returned: the handler returns, the library asks (in whichever way the
 * client's revision knows), and the handler is called again from its start. Several questions may
 * be noted before returning. Without the capability the call ends with the proper error: a handler
 * with another way out looks at tenon_call_can first. */

enum tenon_ability {
	TENON_CAN_ELICIT = 1 << 0,     /* forms */
	TENON_CAN_ELICIT_URL = 1 << 1, /* send the user to a page */
	TENON_CAN_SAMPLE = 1 << 2,
	TENON_CAN_SAMPLE_TOOLS = 1 << 3,
	TENON_CAN_ROOTS = 1 << 4,
	TENON_CAN_SAMPLE_CONTEXT = 1 << 5, /* includeContext other than "none" */
	TENON_CAN_TASKS = 1 << 6,          /* follow a task */
	TENON_CAN_SHOW_UI = 1 << 7         /* MCP Apps */
};
bool tenon_call_can(const struct tenon_call *call, enum tenon_ability ability);
/* Ends the call with the proper error unless the client can; false means it has ended. */
bool tenon_call_require(struct tenon_call *call, enum tenon_ability ability);

struct tenon_answer;
/* A form. `schema` is the JSON text of a flat object schema (MCP-208). Lists to choose several from
 * are known since 2025-11-25; to older clients such a question cannot be put. Fields for passwords,
 * keys and the like are refused (MCP-211): they belong on a page of yours, see the next one. */
const struct tenon_answer *tenon_call_elicit(struct tenon_call *call, const char *key,
					     const char *message, const char *schema);
const struct tenon_answer *tenon_call_elicit_url(struct tenon_call *call, const char *key,
						 const char *message, const char *url);
/* `params` is the JSON text of CreateMessageRequest params: {"messages":[...],"maxTokens":100}. An
 * `includeContext` the client has no ability for is left out (MCP-216). */
const struct tenon_answer *tenon_call_sample(struct tenon_call *call, const char *key,
					     const char *params);
const struct tenon_answer *tenon_call_roots(struct tenon_call *call, const char *key);

enum tenon_answer_action { TENON_ACCEPTED, TENON_DECLINED, TENON_DISMISSED };
enum tenon_answer_action tenon_answer_action(const struct tenon_answer *answer); /* elicitation */
/* A string field of the form, or the sampled text when `name` is NULL. NULL: absent. */
const char *tenon_answer_text(const struct tenon_answer *answer, const char *name);
bool tenon_answer_bool(const struct tenon_answer *answer, const char *name, bool *ret);
bool tenon_answer_int(const struct tenon_answer *answer, const char *name, int64_t *ret);
bool tenon_answer_double(const struct tenon_answer *answer, const char *name, double *ret);
/* A string of a list (multi-select), counted from 0. NULL: there are not that many. */
const char *tenon_answer_item(const struct tenon_answer *answer, const char *name, size_t index);
const char *tenon_answer_json(const struct tenon_answer *answer); /* the whole result object */

/* A note to oneself for the next entry: sealed, so that no client can read or change it. At most 32
 * KiB. NULL when there is none. */
void tenon_call_set_state(struct tenon_call *call, const char *text);
const char *tenon_call_state(const struct tenon_call *call);

/* ---- consent ----
 * Before a handler runs, the server's policy has been asked whether this tool may be called at all,
 * by its name and flags. A handler that knows better what is about to happen asks once more, with
 * the words a person reads and the bytes that say exactly what: the plan to apply, the command to
 * run. */
struct tenon_act {
	const char *kind;    /* "apply", "destroy", "run": what policies name */
	const char *summary; /* one sentence: "Apply 3 changes to prod" */
	const char
		*detail; /* NULL, or more lines of text; control characters are shown, not sent */
	const void *exactly; /* consent is bound to the digest of these bytes ... */
	size_t exactly_size; /* ... and to the tool, the caller and its arguments */
	const char *once;    /* what the form calls an approval; NULL: "Approve once" */
	/* NULL, or what it calls one that lasts: "Allow this exact command in this session" (the
	 * same words as `once`: each does). It counts for the same bytes, kind of act, app and
	 * caller, whatever the arguments, until the policy changes or the server ends. */
	const char *lasting;
	/* NULL: the same bytes. Otherwise what one that lasts is bound to instead of them: these
	 * changes once, and all changes of this preview for longer. */
	const void *lasting_exactly;
	size_t lasting_exactly_size;
	uint64_t lasting_ms; /* how long it lasts at most; 0: no limit of its own */
	/* NULL, or a JSON object (at most 128 KiB) with what programs that show the question draw
	 * from it, in `data` of tenon://approvals. Characters that hide or reorder others are shown
	 * by name in its texts, too. */
	const char *data;
	/* A person who makes this call themselves has named exactly these bytes: where the policy
	 * would ask a person, that call is the approval, by the page. */
	bool is_named;
	/* A setting of the person's allows it: only a rule of the policy, or the default that its
	 * author wrote, asks about it or denies it. */
	bool is_allowed;
};
/* True: go on. False: return; the call waits, is asked and called again from its start, or has
 * ended with CONSENT_DECLINED, CONSENT_TIMEOUT, CONSENT_UNAVAILABLE or DENIED_BY_POLICY. A consent
 * counts once. */
bool tenon_call_consent(struct tenon_call *call, const struct tenon_act *act);

/* ---- who asks ---- */

bool tenon_call_is_person(const struct tenon_call *call); /* by a token in a person's hands */

const char *
tenon_call_client_name(const struct tenon_call *call);           /* for display only; never NULL */
const char *tenon_call_principal(const struct tenon_call *call); /* the token's name; never NULL */
const char *tenon_call_revision(const struct tenon_call *call);  /* "2026-07-28" */
/* A member of the request's `_meta` as JSON, whatever it is (MCP-047); a NULL key gives all of it.
 * NULL: absent. */
const char *tenon_call_meta(struct tenon_call *call, const char *key);
/* The client's settings for an extension as JSON; NULL: it has not declared it. */
const char *tenon_call_extension(struct tenon_call *call, const char *id);
/* Elicitation by URL, 2025-11-25: tells the client that what it was sent to is done. */
void tenon_call_elicit_done(struct tenon_call *call, const char *key);

#ifdef __cplusplus
}
#endif
#endif
