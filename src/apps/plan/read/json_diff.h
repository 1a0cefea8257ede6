/* json_diff.h - the attributes of one change from its before and after values (plan.md section 5).
 *
 * Values marked sensitive are not copied: their attribute has none. Strings that hold JSON
 * documents are compared as documents. Nesting is a stack, never recursion. Threads: one at a time.
 */
#ifndef TN_PLAN_JSON_DIFF_H
#define TN_PLAN_JSON_DIFF_H

#include "apps/plan/read/attribute_list.h"
#include "jsonrpc/json.h"

/* The members of "change"; each may be NULL. Objects are sorted by the comparison. */
struct tn_plan_json_change {
	struct tn_json *before, *after;
	struct tn_json *after_unknown, *before_sensitive, *after_sensitive;
	struct tn_json *replace_paths;
};

/* Appends to `list`. `scratch` holds decoded documents and the stack. */
void tn_plan_json_diff(struct tn_plan_attribute_list *list,
		       const struct tn_plan_json_change *change, struct tn_arena *scratch);

/* A scalar as a value of the model; containers give a JSON text when they are empty, else NONE. */
struct tn_plan_value tn_plan_json_scalar(struct tn_plan_build *build, const struct tn_json *node);

#endif
