/* tool.h - what a server offers: tools, resources, resource templates and prompts.
 *
 * All four are plain descriptions with a handler. A description and everything it points to is
 * copied by tenon_server_add_*, so it may live on the stack; `data` is handed back untouched.
 *
 * A handler runs on the loop's thread and gets a struct tenon_call (result.h). It finishes the call
 * now, or keeps the pointer and finishes it later; it may also ask the user or the client's model
 * something and return: it is called again when the answers are there.
 *
 * Source: MCP 2026-07-28 server/tools, server/resources, server/prompts; older revisions are
 * projected from the same description (fields they do not know are left out). */
#ifndef TENON_TOOL_H
#define TENON_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tenon/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tenon_call;
typedef void tenon_call_fn(struct tenon_call *call, void *data);

/* Hints about a tool; clients show them, they enforce nothing (ToolAnnotations). */
enum {
	TENON_READ_ONLY = 1 << 0,       /* changes nothing */
	TENON_NOT_DESTRUCTIVE = 1 << 1, /* only ever adds */
	TENON_IDEMPOTENT = 1 << 2,      /* the same call again changes nothing more */
	TENON_CLOSED_WORLD = 1 << 3,    /* touches nothing outside this program */
	/* No hint: its handler calls tenon_call_consent for whatever needs consent, so nobody is
	 * asked before it runs. */
	TENON_ASKS_CONSENT = 1 << 4,
	/* No hint: its results may have pictures, which some hosts drop beside a structured result;
	 * those get the text and the picture alone. */
	TENON_GIVES_PICTURES = 1 << 5
};

/* Whether a call may go on as a task, which the client asks about later (2025-11-25, and the
 * extension io.modelcontextprotocol/tasks of 2026-07-28). */
enum tenon_task_support {
	TENON_TASK_FORBIDDEN, /* the default */
	TENON_TASK_OPTIONAL,  /* see tenon_call_start_task */
	TENON_TASK_REQUIRED   /* clients without tasks are refused before the handler runs */
};

struct tenon_tool {
	const char *name;  /* 1 to 64 of A-Z a-z 0-9 _ - . ; unique in the server */
	const char *title; /* NULL, or a few words for people */
	const char *description;
	const char
		*input_schema; /* JSON Schema 2020-12 text, "type":"object"; NULL: no arguments */
	const char *output_schema; /* NULL, or the schema of the structured result */
	const char *meta;          /* NULL, or a JSON object for _meta */
	const char *icons;         /* NULL, or a JSON array of icons */
	unsigned flags;            /* TENON_READ_ONLY and so on */
	enum tenon_task_support task_support;
	/* MCP Apps: NULL, or the `ui://` resource that shows the result; it must be there when the
	 * server starts (MCP-260). */
	const char *ui;
	bool ui_only; /* for the page itself: hidden from the model */
	/* For callers with a person's token (struct tenon_token): to all others it does not exist.
	 */
	bool person_only;
	/* Not among the few that a client with little room asks for (?tools=core): its list does
	 * not have it. */
	bool beyond_core;
	/* One of the few that do most of the work: it comes first in lists, and is in the short one
	 * that a connection to several apps begins with. */
	bool everyday;
	/* Text content beyond this is cut, and a link to the whole text added (MCP-231). 0: never.
	 */
	size_t text_max_bytes;
	/* NULL, or words by which somebody may look for it who does not know ours; no client sees
	 * them. */
	const char *keywords;
	/* NULL, or the argument without which the tool changes nothing: a call that has it is asked
	 * about, audited and found as one that writes, one without it as one that reads. The list
	 * says of the tool what is so of every call: it does not read only. */
	const char *writes_with;
	tenon_call_fn *call;
	void *data;
};

struct tenon_resource {
	const char *uri;
	const char *name;
	const char *title;
	const char *description;
	const char *mime_type;
	int64_t size_bytes; /* -1: not known */
	const char *meta;
	const char *icons;
	/* NULL: everybody's. Otherwise to all but this principal (tenon_call_principal) it does not
	 * exist. */
	const char *owner;
	/* NULL, or a JSON object: whom the contents are for, and how much they matter, as MCP has
	 * them: {"audience":["assistant"],"priority":0.5}. */
	const char *annotations;
	tenon_call_fn *read;
	void *data;
};

/* `complete` is asked for completions of one variable or argument: tenon_call_completing tells
 * which and what was typed so far, tenon_call_add_completion adds values. */
struct tenon_resource_template {
	const char *uri_template; /* RFC 6570, the subset of MCP-236 */
	const char *name;
	const char *title;
	const char *description;
	const char *mime_type;
	const char *meta;
	const char *icons;
	tenon_call_fn *read;     /* variables of the URI are the call's arguments, all strings */
	tenon_call_fn *complete; /* NULL: no completions */
	void *data;
};

struct tenon_prompt_argument {
	const char *name;
	const char *title;
	const char *description;
	int required;
};

struct tenon_prompt {
	const char *name;
	const char *title;
	const char *description;
	const char *meta;
	const char *icons;
	const struct tenon_prompt_argument *arguments;
	size_t argument_count;
	tenon_call_fn *get;
	tenon_call_fn *complete; /* NULL: no completions */
	void *data;
};

#ifdef __cplusplus
}
#endif
#endif
