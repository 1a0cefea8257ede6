/* tool_task.h - a running call about a plan: from the arguments to the plan itself, then on.
 *
 * Every tool, resource and prompt that needs a plan starts a task. The task finds the plan by its
 * handle, or reads it from the text, JSON or file given (large ones in a worker, with progress),
 * gives it a handle, and calls `ready` on the loop's thread. Whatever cannot be is answered by the
 * task itself: -32602 for arguments, a tool error for everything else. Ownership: the call owns the
 * task and frees it last; texts a tool makes go to the task's arena. Threads: loop, except for what
 * a worker is handed. */
#ifndef TN_PLAN_TOOL_TASK_H
#define TN_PLAN_TOOL_TASK_H

#include <stdatomic.h>

#include "apps/plan/parse.h"
#include "apps/plan/service/state.h"
#include "tenon/result.h"

struct tn_plan_task;
typedef void tn_plan_task_fn(struct tn_plan_task *task);

enum tn_plan_task_kind { TN_PLAN_TASK_TOOL, TN_PLAN_TASK_RESOURCE, TN_PLAN_TASK_PROMPT };

/* One plan being read. `cancel` and what stands above it is all that a worker touches. */
struct tn_plan_reading {
	struct tn_str text; /* the argument; it lives as long as the call */
	const char *path;   /* or a file's name, in one of these folders */
	const struct tn_roots *roots;
	const char *kept_id; /* or a handle whose text the history may still have */
	const char *principal;
	struct tn_plan_history *history;
	struct tn_plan *plan;
	const char *reason; /* NULL: read; otherwise the contract's error code */
	struct tenon_error err;
	atomic_size_t progress_bytes;
	atomic_size_t total_bytes;
	atomic_bool *cancel;
};

struct tn_plan_task {
	struct tenon_call *call;
	struct tn_plan_state *state;
	enum tn_plan_task_kind kind;
	tn_plan_task_fn *ready;
	/* Referenced; `other` is the second plan of terraform_compare. */
	struct tn_handle *handle, *other, *conversation;
	const struct tn_plan *plan;
	struct tn_arena arena; /* for what the tool makes; lives as long as the task */
	struct tn_plan_reading reading;
	struct tn_handle **reading_into;
	/* Work. */
	tn_plan_task_fn *work, *done;
	bool working;
	atomic_bool cancel;
	atomic_uint finished;            /* steps of `steps` */
	unsigned steps;                  /* 0: no progress by steps */
	void *extra;                     /* the tool's own, usually in the arena */
	void (*free_extra)(void *extra); /* may be NULL */
};

/* Starts or re-enters. Exactly one of plan_text, plan_json, plan_id, plan_path is required; with
 * `conversation_may_name_it` a conversation_id alone is enough, as a conversation knows its plan.
 */
void tn_plan_task_start(struct tenon_call *call, struct tn_plan_state *state,
			enum tn_plan_task_kind kind, bool conversation_may_name_it,
			tn_plan_task_fn *ready);

/* The same for a second plan, in other_plan_id or other_plan_text; it goes to task->other. */
void tn_plan_task_read_other(struct tn_plan_task *task, tn_plan_task_fn *ready);

/* Finds the conversation of the note or the argument, or makes one when `create` says so (otherwise
 * task->conversation may stay NULL). False: the call has been answered with an error. */
bool tn_plan_task_converse(struct tn_plan_task *task, bool create);

/* A sealed note for the next entry: which plan and conversation this call is about. */
void tn_plan_task_note(struct tn_plan_task *task);

/* Ends the call with {"error":{code,message,hint}} as tool error, or with the error that fits a
 * resource or prompt. `hint` may be NULL. */
void tn_plan_task_fail(struct tn_plan_task *task, const char *code, const char *message,
		       const char *hint);

/* Runs `work` on a worker, then `done` on the loop. Meanwhile progress is reported by steps, or
 * while a large plan is read by bytes; a cancelled call sets task->cancel. */
void tn_plan_task_work(struct tn_plan_task *task, tn_plan_task_fn *work, tn_plan_task_fn *done);

/* Sends text and structured result and finishes the call. Takes both buffers; one that failed
 * becomes an error. `text` NULL: the structured result is the text as well. */
void tn_plan_task_reply(struct tn_plan_task *task, struct tn_buf *text, struct tn_buf *structured);
/* `more`: a second text, for readers of text alone; NULL or empty: none. */
void tn_plan_task_reply_with(struct tn_plan_task *task, struct tn_buf *text, struct tn_buf *more,
			     struct tn_buf *structured);
/* A text with the handles of the plan and the conversation: what a next call names (hosts.md
 * HO-001). Every answer that is not the data itself has it. */
void tn_plan_task_add_handles(struct tn_plan_task *task);

/* Refuses the arguments: JSON-RPC error -32602. */
void tn_plan_task_refuse(struct tn_plan_task *task, const char *message);

#endif
