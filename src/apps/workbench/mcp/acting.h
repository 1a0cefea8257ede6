/* acting.h - what tools that act have in common: on which preview, for whom, and whether a person
 * agrees (workbench.md section 17; docs/policy.md).
 *
 * Threads: loop. */
#ifndef TN_WB_ACTING_H
#define TN_WB_ACTING_H

#include "apps/workbench/mcp/door.h"

struct tn_wb_acting {
	struct tn_wb_door *door;
	struct tenon_call *call;
	struct tn_wb_workspace *workspace;
	struct tn_wb_session *session; /* NULL: a person named a group instead */
	enum tn_wb_group group;
};

/* "Claude Code", "user (page)": who is written down as the actor. */
const char *tn_wb_actor_of(struct tenon_call *call);

/* "off", "confirm" or "allow": the stricter of the setting and of what the folder says in
 * guardrails.mcpActuation (T22, V1). `workspace` NULL: the setting alone. */
const char *tn_wb_actuation(const struct tn_wb_door *door, const struct tn_wb_workspace *workspace);

/* The session that the argument names, of whatever workspace unless one is named, too: there are no
 * two with one id. NULL: the call has ended. */
struct tn_wb_session *tn_wb_session_named(struct tenon_call *call, struct tn_wb_door *door);

/* By the arguments sessionId and, for persons, group; the workspace has been read. False: the call
 * has ended. */
bool tn_wb_acting_begin(struct tn_wb_acting *ret, struct tenon_call *call, struct tn_wb_door *door);
/* The session has a page that acts (V4). False: the call has ended. */
bool tn_wb_acting_is_ready(const struct tn_wb_acting *acting);

/* What a person is to agree to. */
struct tn_wb_question {
	const char *kind;          /* "tweak", "clear", "preview": what policies name */
	const char *summary;       /* one sentence */
	struct tn_str detail;      /* more lines; the assistant's reason follows them */
	const struct tn_buf *data; /* NULL, or a JSON object for pages */
	struct tn_str exactly;     /* beside workspace, epoch and session */
	bool lasts; /* may be agreed to for the preview, the caller and 30 minutes (V5) */
	/* NULL, or what agreeing is called where it holds for exactly this as long as the folder is
	 * open, however often. */
	const char *always;
};
/* In quotes, so that nothing in it can be taken for words of ours; what is too long is cut. */
void tn_wb_put_quoted(struct tn_buf *out, struct tn_str text);
/* As tenon_call_consent. Nothing of it may change between this and what it is about. */
bool tn_wb_acting_consent(const struct tn_wb_acting *acting, const struct tn_wb_question *question);

/* ---- may_preview.c ---- */

/* Once for an address or a launcher, as long as the folder is open. False: the call has ended, or
 * waits. */
bool tn_wb_may_start(struct tenon_call *call, struct tn_wb_door *door,
		     struct tn_wb_workspace *workspace, const struct tn_json *target);
/* Of the server behind a preview: as for previewing it. */
bool tn_wb_may_draw(const struct tn_wb_acting *acting);
/* Whose it is from now on. */
void tn_wb_note_starter(struct tenon_call *call, struct tn_wb_session *session);
/* Not asked about by whoever started it; else each time. */
bool tn_wb_may_stop(struct tenon_call *call, struct tn_wb_door *door,
		    struct tn_wb_session *session);

/* Begins {"ok":true; the object is the caller's to end. */
void tn_wb_begin_reply(struct tn_buf *out);

/* ---- effect.c ---- */

/* As a page of the group describes it. NULL: none does. */
const struct tn_wb_instance *tn_wb_acting_instance(const struct tn_wb_acting *acting,
						   struct tn_str id);

/* What a change of drafts would do: old and new of each prop, in words and as data. */
struct tn_wb_effect {
	struct tn_buf detail, data;
	struct tn_buf exactly; /* all of it, to be bound to what is agreed to */
	char first[400];       /* the first line */
	bool whole;            /* it is all of that line */
	size_t count;
	bool clears_persons; /* it takes away a draft that no assistant has made */
};
/* `would` is of a dry run; nothing has changed yet. False: no memory. */
bool tn_wb_effect_read(struct tn_wb_effect *effect, const struct tn_wb_acting *acting,
		       const struct tn_wb_outcome *would);
void tn_wb_effect_finish(struct tn_wb_effect *effect);

/* ---- ops.c ---- */

/* The ops with the type and the locator of their instances, where they do not say; NULL: no memory.
 */
const struct tn_json *tn_wb_complete_ops(const struct tn_wb_acting *acting, struct tn_arena *arena,
					 const struct tn_json *ops);

#endif
