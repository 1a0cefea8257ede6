/* tool_run.h - calls that wait for a run: its lines as progress, its end as the result.
 *
 * Threads: loop. */
#ifndef TN_STUDIO_TOOL_RUN_H
#define TN_STUDIO_TOOL_RUN_H

#include "apps/studio/tool_state.h"

/* ST-080: apply or destroy without `confirmed` being exactly true. True: the call has ended with
 * CONFIRMATION_REQUIRED, whatever else is wrong with it. */
bool tn_studio_guard(struct tenon_call *call);

struct tn_studio_wait {
	struct tenon_call *call; /* NULL: it has gone, and something still points here */
	struct tn_studio_door *door;
	struct tn_studio_run *run; /* watched; NULL: not, or not any more */
	bool stops_run;            /* the call's end is the run's, by the rules of 9.6 */
	bool is_looking;           /* the engine is looked for */
	uint64_t log_from;         /* the answer has the log from here on; 0: it has not */
	struct tn_timer *due;      /* waitMs */
	struct tn_timer *retry;    /* for lines the client had no room for */
	struct tn_buf held;        /* such lines, with newlines between */
	uint64_t held_number;
	struct tn_str held_level;
	bool held_stderr;
};
/* The one of this call, or a new one; NULL: the call has ended. */
struct tn_studio_wait *tn_studio_wait_of(struct tenon_call *call, struct tn_studio_door *door);
/* Ends with the run, or after `wait_ms` (negative: never) with what there is. */
void tn_studio_wait_for(struct tn_studio_wait *wait, struct tn_studio_run *run, bool stops_run,
			int64_t wait_ms);
/* The result of 9.5; a run that is a tool error becomes one. `log`: its lines from here on, too; 0:
 * none. */
void tn_studio_reply_run(struct tenon_call *call, const struct tn_studio_run *run, uint64_t log);

/* The run that the argument `runId` names, or the last of the project; NULL: the call has ended. */
struct tn_studio_run *tn_studio_run_of(struct tenon_call *call, struct tn_studio_door *door);

/* ST-082: who started what, on the desktop (unless switched off) and as a log line. */
void tn_studio_say_destructive(struct tenon_call *call, struct tn_studio_door *door,
			       const struct tn_studio_project *project,
			       enum tn_studio_command command);

#define TN_STUDIO_RUN_OUTPUT                                                                   \
	TN_STUDIO_OUTPUT(                                                                      \
		"\"runId\":" TN_STUDIO_TEXT ",\"command\":" TN_STUDIO_TEXT                     \
		",\"status\":{\"enum\":[\"running\",\"finished\",\"cancelled\","               \
		"\"lost\"]},\"exitCode\":{\"type\":\"integer\"},\"success\":" TN_STUDIO_SWITCH \
		",\"summary\":" TN_STUDIO_ANY_OBJECT ",\"diagnostics\":" TN_STUDIO_OBJECTS     \
		",\"resourceChanges\":" TN_STUDIO_OBJECTS ",\"outputs\":" TN_STUDIO_ANY_OBJECT \
		",\"planId\":" TN_STUDIO_TEXT ",\"engine\":" TN_STUDIO_ANY_OBJECT              \
		",\"startedAt\":" TN_STUDIO_TEXT ",\"finishedAt\":" TN_STUDIO_TEXT             \
		",\"durationMs\":" TN_STUDIO_COUNT ",\"lines\":" TN_STUDIO_COUNT               \
		",\"logUri\":" TN_STUDIO_TEXT ",\"files\":" TN_STUDIO_TEXTS                    \
		",\"actor\":" TN_STUDIO_TEXT ",\"log\":" TN_STUDIO_TEXT                        \
		",\"nextLine\":" TN_STUDIO_COUNT,                                              \
		"\"runId\",\"command\",\"status\",\"summary\",\"diagnostics\","                \
		"\"resourceChanges\",\"engine\",\"startedAt\",\"durationMs\","                 \
		"\"lines\",\"logUri\",\"files\"")

#endif
