/* tool_run.h - calls that wait for a run: its lines as progress, its end as the result.
 *
 * Threads: loop. */
#ifndef TN_STUDIO_TOOL_RUN_H
#define TN_STUDIO_TOOL_RUN_H

#include "apps/studio/mcp/tool_state.h"

/* ST-080 (tool_refuse.c): apply or destroy without `confirmed` being exactly true. True: the call
 * has ended with CONFIRMATION_REQUIRED, whatever else is wrong with it. */
bool tn_studio_guard(struct tenon_call *call);

struct tn_studio_wait {
	struct tenon_call *call; /* NULL: it has gone, and something still points here */
	struct tn_studio_door *door;
	struct tn_studio_run *run; /* watched; NULL: not, or not any more */
	bool stops_run;            /* the call's end is the run's, by the rules of 9.6 */
	bool is_looking;           /* the engine is looked for */
	/* NULL: the run's end is the answer. Otherwise it is called then, and the call goes on. */
	void (*then)(struct tn_studio_wait *wait, struct tn_studio_run *run);
	struct tn_studio_opening *opening; /* what is asked about is looked at; NULL: it is not */
	struct tn_studio_act *act;         /* has been; NULL: not yet */
	unsigned plans;                    /* that this call has made to ask about */
	uint64_t lines_before;             /* of the runs it has watched before this one */
	uint64_t log_from;                 /* the answer has the log from here on; 0: it has not */
	struct tn_timer *due;              /* waitMs */
	struct tn_timer *retry;            /* for lines the client had no room for */
	struct tn_buf held;                /* such lines, with newlines between */
	uint64_t held_number;
	struct tn_str held_level;
	bool held_stderr;
};
/* The one of this call, or a new one; NULL: the call has ended. */
struct tn_studio_wait *tn_studio_wait_of(struct tenon_call *call, struct tn_studio_door *door);
/* Ends with the run, or after `wait_ms` (negative: never) with what there is. */
void tn_studio_wait_for(struct tn_studio_wait *wait, struct tn_studio_run *run, bool stops_run,
			int64_t wait_ms);
/* Waits for its end, or for its plan to be read, and calls wait->then; false: the call has ended.
 */
bool tn_studio_wait_watch(struct tn_studio_wait *wait, struct tn_studio_run *run);
/* The result of 9.5; a run that is a tool error becomes one. `log`: its lines from here on, too; 0:
 * none. */
void tn_studio_reply_run(struct tenon_call *call, const struct tn_studio_run *run, uint64_t log);

/* The run that the argument `runId` names, or the last of the project; NULL: the call has ended. */
struct tn_studio_run *tn_studio_run_of(struct tenon_call *call, struct tn_studio_door *door);

/* A person's consent to what is held, with what it costs (ST-081, SC-022); a person who has named
 * its plan is not asked again. False: the call waits, or has ended. */
bool tn_studio_ask(struct tenon_call *call, struct tn_studio_door *door,
		   struct tn_studio_project *project, const struct tn_studio_act *held);

/* ST-082: who started what, on the desktop (unless switched off) and as a log line. */
void tn_studio_say_destructive(struct tenon_call *call, struct tn_studio_door *door,
			       const struct tn_studio_project *project,
			       enum tn_studio_command command);

#endif
