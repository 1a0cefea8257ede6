/* json_change.h - one element of resource_changes, resource_drift or deferred_changes of a JSON
 * plan (plan.md section 5), and one output. Threads: one at a time. */
#ifndef TN_PLAN_JSON_CHANGE_H
#define TN_PLAN_JSON_CHANGE_H

#include "apps/plan/read/address.h"
#include "apps/plan/read/json_diff.h"

struct tn_plan_json_reader {
	struct tn_plan_build *build;
	struct tn_json_reader tokens;
	struct tn_plan_attribute_list list;
	struct tn_arena scratch; /* trees of one element */
	const char *text;        /* where the tokens began, for progress */
	size_t next_tick;
};

/* False: no memory. Pairs with finish. `text` is consumed and lives as long as the plan. */
bool tn_plan_json_reader_init(struct tn_plan_json_reader *reader, struct tn_plan_build *build,
			      char *text, size_t size);
void tn_plan_json_reader_finish(struct tn_plan_json_reader *reader);

/* Each reads the value whose first token was just read and adds what it says to the plan. False:
 * the text is not JSON there, or the build has failed. */
bool tn_plan_json_read_change(struct tn_plan_json_reader *reader, enum tn_json_token token);
bool tn_plan_json_read_drift(struct tn_plan_json_reader *reader, enum tn_json_token token);
bool tn_plan_json_read_check(struct tn_plan_json_reader *reader, enum tn_json_token token);
bool tn_plan_json_read_deferred(struct tn_plan_json_reader *reader, enum tn_json_token token);
bool tn_plan_json_read_output(struct tn_plan_json_reader *reader, struct tn_str name,
			      enum tn_json_token token);
bool tn_plan_json_read_invocation(struct tn_plan_json_reader *reader, enum tn_json_token token);

/* Reads the value of a member as text: *ret is absent when it is not a string. */
bool tn_plan_json_read_text(struct tn_json_reader *tokens, struct tn_str *ret);

/* The reason code for an action_reason of a JSON plan or a reason of the stream; NULL: none. */
const char *tn_plan_json_reason(struct tn_str reason);
const char *tn_plan_json_deferred_reason(struct tn_str reason);

#endif
