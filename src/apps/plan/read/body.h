/* body.h - what stands between the braces of a resource: attributes with their paths (plan.md
 * sections 4.5 and 5). Also reads the values of outputs, which look the same.
 *
 * One struct serves a whole plan, one body after the other; only what is committed is kept. Nesting
 * is a stack, never recursion. Threads: one at a time. */
#ifndef TN_PLAN_BODY_H
#define TN_PLAN_BODY_H

#include "apps/plan/read/attribute_list.h"
#include "apps/plan/read/heredoc.h"

enum { TN_PLAN_LEVELS_MAX = 64 };

struct tn_plan_body_level {
	struct tn_str path; /* empty at the root */
	uint32_t column;    /* of the line that opened it, and so of the one that closes it */
	uint32_t next;      /* index of its next element */
	uint32_t record;    /* its own attribute, or NO_RECORD */
	uint8_t shape;      /* enum tn_plan_shape: LIST, MAP or CALL; MAP for blocks */
	uint8_t symbol;
	/* Blocks of one name stand together. When a second one comes, the first gets its [0]. */
	struct tn_str block;
	uint32_t block_count, block_first, block_end;
};

struct tn_plan_body {
	struct tn_plan_build *build;
	struct tn_plan_attribute_list list;
	uint32_t hidden_attributes, hidden_blocks, hidden_elements;
	struct tn_plan_body_level levels[TN_PLAN_LEVELS_MAX];
	uint32_t depth;       /* levels in use; the root is levels[0] */
	uint32_t deep_column; /* of a level beyond the stack, 0: none; what is in it is skipped */
	int close_column;     /* of the closing brace, -1 until a line tells */
	bool outputs;         /* every top-level name gets an attribute, containers too */
	bool old_heredoc;     /* <<~EOT was seen */
	struct tn_plan_heredoc heredoc;
	uint32_t heredoc_record; /* index of its attribute, or NO_RECORD */
};

/* False: no memory. Pairs with finish. */
bool tn_plan_body_init(struct tn_plan_body *body, struct tn_plan_build *build);
void tn_plan_body_finish(struct tn_plan_body *body);

/* Starts a new body; what was not committed is forgotten. */
void tn_plan_body_open(struct tn_plan_body *body, bool outputs);

/* Takes the next line. True: it was the closing one. */
bool tn_plan_body_line(struct tn_plan_body *body, struct tn_plan_row *row);

/* Copies the attributes to the plan. */
void tn_plan_body_commit(struct tn_plan_body *body, struct tn_plan_attributes *ret);

#endif
