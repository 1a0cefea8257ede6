/* plan.h - which drafts can be written into the source, and as which edits (workbench.md section
 * 14).
 *
 * Inputs are copied from what lives on the loop, and a plan is made of them and of the files in a
 * worker. What a page says - locators, instances - is taken for a claim: a file must be a source of
 * the project, the element there must render the draft's type, and other instances of the same
 * place must carry the same value. Ownership: the caller's structs. Threads: one at a time; making
 * blocks. */
#ifndef TN_WB_SAVE_PLAN_H
#define TN_WB_SAVE_PLAN_H

#include "apps/workbench/drafts/draft.h"
#include "apps/workbench/source/project.h"

struct tn_wb_plan_draft {
	struct tn_wb_address address;
	struct tn_str value, type_id, locator; /* JSON where it is a value */
};
struct tn_wb_plan_instance {
	struct tn_str id;
	struct tn_str text; /* its descriptor, JSON */
};
struct tn_wb_plan_inputs {
	struct tn_arena arena;           /* everything below lives in it */
	struct tn_wb_plan_draft *drafts; /* of the group app */
	size_t draft_count;
	struct tn_wb_plan_instance *instances; /* that live, of types that have drafts */
	size_t instance_count;
	bool is_cut;                     /* there are more instances than were copied */
	struct tn_wb_source_hint *hints; /* of the effective registry */
	size_t hint_count;
	struct tn_wb_globs *read_only; /* NULL: none */
};
void tn_wb_plan_inputs_init(struct tn_wb_plan_inputs *inputs);
void tn_wb_plan_inputs_finish(struct tn_wb_plan_inputs *inputs);

struct tn_wb_plan {
	struct tn_buf data;  /* {"edits","failures","diff","files"} */
	struct tn_buf edits; /* the first of these, for tn_wb_edits_read */
	bool *is_written;    /* by draft: it is an edit, or needs none */
	size_t written_count, failure_count;
	struct tn_buf failures; /* the second of these */
};
void tn_wb_plan_init(struct tn_wb_plan *plan);
void tn_wb_plan_finish(struct tn_wb_plan *plan);

/* Whatever cannot be written is a failure in the plan. Fails: LIMIT, NO_MEMORY, CANCELLED. */
TN_MUST_USE enum tenon_code tn_wb_plan_make(struct tn_wb_source *source,
					    const struct tn_wb_plan_inputs *inputs,
					    const atomic_bool *cancelled, struct tn_wb_plan *ret,
					    struct tenon_error *err);

#endif
