/* client.h - an MCP client: one server, spoken to in whichever revision and by whichever transport
 * it knows.
 *
 * Speaks 2024-11-05 to 2026-07-28 over stdio (a child process), Streamable HTTP, HTTP+SSE,
 * WebSocket and Unix sockets; finds out by itself what the server speaks (MCP-059, MCP-060).
 *
 * Threads: everything on one thread. A client made without a server has a loop of its own, which
 * runs only inside the functions that wait (tenon_client_connect, tenon_request_wait,
 * tenon_client_run_for); a client that shares a server's loop is driven by it, and must not wait.
 * Callbacks never run inside the call that set them up.
 *
 * Ownership: the caller destroys the client, but not inside one of its callbacks; that ends its
 * requests, whose callbacks do not come any more, and its questions. Texts handed to callbacks live
 * until the callback returns; texts handed in are copied.
 *
 * Everything a server sends is untrusted: sizes, pages, rounds and times are capped
 * (client/limits.h). Show texts only through tenon_client_clean_text.
 *
 * Failures: what the server answered (a JSON-RPC error) and what went wrong here (a timeout, a lost
 * connection) are told apart; see struct tenon_outcome (MCP-033). */
#ifndef TENON_CLIENT_H
#define TENON_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tenon/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tenon_client;
struct tenon_request;
struct tenon_question;
struct tenon_server;

/* ---- what is connected to ---- */

enum tenon_client_mode {
	TENON_MODE_AUTO,   /* probe, and fall back (MCP-063) */
	TENON_MODE_MODERN, /* 2026-07-28 only: never `initialize` */
	TENON_MODE_LEGACY  /* never probe: `initialize` at once */
};

enum tenon_change {
	TENON_CHANGED_TOOLS,
	TENON_CHANGED_PROMPTS,
	TENON_CHANGED_RESOURCES,
	TENON_CHANGED_RESOURCE, /* one that is watched: `uri` says which */
	TENON_CHANGED_ALL       /* the connection was renewed: whatever is cached may be old */
};

struct tenon_client_handlers {
	/* The server asks. Each handler answers through `question` (below), at once or later. NULL:
	 * the capability is not declared. */
	void (*elicit)(struct tenon_question *question, void *data);
	bool elicits_urls; /* the elicit handler takes questions of mode "url", too */
	void (*sample)(struct tenon_question *question, void *data);
	bool samples_tools; /* the sample handler takes tools and toolChoice */
	/* Roots are a list, not a question; see tenon_client_set_roots. */

	void (*changed)(enum tenon_change change, const char *uri, void *data);
	/* A log line; `json_data` is any JSON value. */
	void (*log)(const char *level, const char *logger, const char *json_data, void *data);
	/* What a child process wrote on standard error; not an error by itself (MCP-082). NULL: it
	 * goes to our own standard error. */
	void (*server_text)(const char *text, size_t size, void *data);
	/* The connection was lost, and is being renewed (`again`), or is given up. */
	void (*lost)(const struct tenon_error *why, bool again, void *data);
	void *data;
};

struct tenon_client_options {
	const char *name;    /* required: who we are */
	const char *version; /* required */
	const char *title;

	/* Exactly one of the two. */
	const char *const *command; /* argv of a server on stdio, NULL-terminated; no shell */
	const char *url;            /* http://, https://, ws://, or unix:/path/of/socket */

	const char *const *env;     /* of the child, besides a safe default list: "NAME=value" */
	const char *directory;      /* of the child; NULL: ours */
	const char *token;          /* bearer token, sent to this origin only */
	const char *const *headers; /* further "Name: value" for HTTP; NULL-terminated or NULL */
	/* PEM file of certificates that https:// trusts besides the system's folder of them; NULL:
	 * the system's. A proxy (HTTPS_PROXY) is used for https:// to other machines only, and sees
	 * no header of ours. */
	const char *ca_file;

	enum tenon_client_mode mode;
	const char *revision;        /* NULL, or the one revision to speak: "2025-06-18" */
	uint32_t probe_timeout_ms;   /* 0: 3 s; silence on the probe: `initialize` is tried */
	uint32_t request_timeout_ms; /* 0: 60 s without a sign of life; progress is one */
	uint32_t request_total_ms;   /* 0: 10 min, whatever happens (MCP-071) */
	uint32_t connect_timeout_ms; /* 0: 10 s; of the child's start or the connection */
	bool no_reconnect;           /* a lost connection stays lost */
	bool no_client_info;         /* do not say who we are (MCP-045) */
	bool no_tasks;               /* do not declare the tasks extension */
	bool shows_ui;               /* declare MCP Apps (io.modelcontextprotocol/ui) */

	struct tenon_client_handlers handlers;
	struct tenon_server *server; /* NULL, or the server whose loop is shared */
};

/* Opens nothing yet. Fails: INVALID (which field, and what to send instead), NO_MEMORY. */
enum tenon_code tenon_client_create(const struct tenon_client_options *options,
				    struct tenon_client **ret, struct tenon_error *err);
/* Ends the conversation in order (MCP-087: close stdin, 2 s, SIGTERM, 2 s, SIGKILL; MCP-134: DELETE
 * of a session) and frees everything. Blocks for that long at most. Accepts NULL. */
void tenon_client_destroy(struct tenon_client *client);

/* Connects and finds the era; returns when requests can be made. Own loop only.
 * Fails: SYSTEM (no such program, no connection), DENIED (401, 403: the message names the
 * metadata URL when the server gave one), INVALID (no revision in common: the message names both
 * sides'), EXPIRED (no answer in time), LIMIT. */
enum tenon_code tenon_client_connect(struct tenon_client *client, struct tenon_error *err);
/* The same without waiting; `connected` comes once. */
void tenon_client_start(struct tenon_client *client,
			void (*connected)(struct tenon_client *client,
					  const struct tenon_error *err_or_null, void *data),
			void *data);

/* Lets the loop run for that long, or until tenon_client_wake. Own loop only. */
void tenon_client_run_for(struct tenon_client *client, uint32_t time_ms);
void tenon_client_wake(struct tenon_client *client); /* any thread, also a signal handler */

/* ---- about the server; NULL before it is connected ---- */

const char *tenon_client_revision(const struct tenon_client *client);    /* "2026-07-28" */
const char *tenon_client_server_name(const struct tenon_client *client); /* for display only */
const char *tenon_client_server_version(const struct tenon_client *client);
const char *tenon_client_instructions(const struct tenon_client *client);
const char *tenon_client_capabilities(const struct tenon_client *client); /* JSON object */
const char *tenon_client_transport(const struct tenon_client *client);    /* "stdio", "http", ... */

/* ---- requests ---- */

/* How a request ended. */
struct tenon_outcome {
	/* OK: `result` is there. Otherwise `err` says what happened; when the server answered with
	 * an error, `error_code` is its code (never 0) and `error_data` its data. */
	enum tenon_code code;
	struct tenon_error err;
	const char *result; /* the result object as JSON */
	size_t result_size;
	int64_t error_code; /* 0: no answer of the server's */
	const char *error_data;
	bool is_tool_error; /* tools/call: isError of the result */
};

typedef void tenon_request_fn(struct tenon_request *request, const struct tenon_outcome *outcome,
			      void *data);
typedef void tenon_progress_fn(struct tenon_request *request, double progress, double total,
			       const char *message, void *data);

struct tenon_request_options {
	tenon_request_fn *done;      /* NULL: tenon_request_wait tells */
	tenon_progress_fn *progress; /* NULL: none is asked for */
	void *data;
	uint32_t timeout_ms, total_ms; /* 0: the client's */
	const char *log_level;         /* modern: NULL, or the least to be told */
	bool as_task; /* tools/call, 2025-11-25: run it as a task if the tool may be */
	bool once;    /* hand out "input_required" and "task" results instead of following them */
	bool fresh;   /* do not answer from the cache */
};

/* Starts any request. `params` is the JSON text of an object or NULL; `_meta` is added. `options`
 * may be NULL. NULL is returned when memory is short or the client is not connected (*err says).
 * The request is freed after `done`, or by tenon_request_wait. */
struct tenon_request *tenon_client_request(struct tenon_client *client, const char *method,
					   const char *params,
					   const struct tenon_request_options *options,
					   struct tenon_error *err);

/* tools/call. Questions of the server are put to the handlers, multi-round-trip requests are
 * repeated and tasks are waited for, all behind this one call; the arguments an HTTP server wants
 * in headers are sent there; a structured result is checked against the tool's output schema when
 * the tool has been listed (MCP-226). */
struct tenon_request *tenon_client_call(struct tenon_client *client, const char *tool,
					const char *arguments,
					const struct tenon_request_options *options,
					struct tenon_error *err);

enum tenon_list {
	TENON_LIST_TOOLS,
	TENON_LIST_RESOURCES,
	TENON_LIST_TEMPLATES,
	TENON_LIST_PROMPTS
};
/* All pages as one result: {"tools":[...]}. A feature the server does not have is an empty list
 * (MCP-041). Tools whose x-mcp-header annotations are invalid are left out over HTTP (MCP-126). */
struct tenon_request *tenon_client_list(struct tenon_client *client, enum tenon_list which,
					const struct tenon_request_options *options,
					struct tenon_error *err);

struct tenon_request *tenon_client_read(struct tenon_client *client, const char *uri,
					const struct tenon_request_options *options,
					struct tenon_error *err);
/* `arguments`: a JSON object of strings, or NULL. */
struct tenon_request *tenon_client_prompt(struct tenon_client *client, const char *name,
					  const char *arguments,
					  const struct tenon_request_options *options,
					  struct tenon_error *err);

/* Runs the loop until the request has ended, and frees it. The outcome's texts live until the next
 * wait. Own loop only, and not with a `done` of one's own. Accepts NULL: INTERNAL. */
enum tenon_code tenon_request_wait(struct tenon_request *request, struct tenon_outcome *ret);

/* Tells the server and ends with CANCELLED; `done` still comes. */
void tenon_request_cancel(struct tenon_request *request);

enum tenon_code tenon_client_notify(struct tenon_client *client, const char *method,
				    const char *params, struct tenon_error *err);

/* ---- changes ---- */

/* `changed` is called when a list (`uri` NULL in the call) or this resource changes, by whichever
 * way the server's revision has, and again after a reconnection. */
enum tenon_code tenon_client_watch(struct tenon_client *client, const char *uri,
				   struct tenon_error *err);
void tenon_client_unwatch(struct tenon_client *client, const char *uri);
/* Lists are watched from the start when `changed` is set. */

/* The roots we offer, a JSON array of {"uri":"file:///...","name":"..."}; NULL: none, and the
 * capability is not declared. Fails: INVALID (no file URI), NO_MEMORY. */
enum tenon_code tenon_client_set_roots(struct tenon_client *client, const char *roots,
				       struct tenon_error *err);

/* ---- questions of the server ---- */

const char *tenon_question_server(const struct tenon_question *question);  /* who asks */
const char *tenon_question_message(const struct tenon_question *question); /* elicitation */
const char *tenon_question_schema(const struct tenon_question *question);  /* NULL: mode "url" */
const char *tenon_question_url(const struct tenon_question *question);     /* NULL: a form */
const char *tenon_question_params(const struct tenon_question *question);  /* all of it, JSON */

/* Elicitation. `content` NULL: the defaults of the schema (MCP-212). Content that does not fit the
 * schema is refused here: INVALID, and the question stays open. */
enum tenon_code tenon_question_accept(struct tenon_question *question, const char *content,
				      struct tenon_error *err);
void tenon_question_decline(struct tenon_question *question);
void tenon_question_cancel(struct tenon_question *question);
/* Sampling: {"role":"assistant","content":{...},"model":"..."}. Fails: INVALID, stays open. */
enum tenon_code tenon_question_answer(struct tenon_question *question, const char *result,
				      struct tenon_error *err);
void tenon_question_refuse(struct tenon_question *question, int code, const char *message);

/* ---- texts ---- */

/* Writes `text` without control characters and terminal escape sequences (MCP-287), cut to fit
 * `size` bytes at a character's end. */
void tenon_client_clean_text(const char *text, char *out, size_t size);

#ifdef __cplusplus
}
#endif
#endif
