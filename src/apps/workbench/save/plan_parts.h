/* plan_parts.h - the inside of making a plan: drafts, the places they are of, and files. Threads:
 * as plan.h. */
#ifndef TN_WB_SAVE_PLAN_PARTS_H
#define TN_WB_SAVE_PLAN_PARTS_H

#include "apps/workbench/edit/edit.h"
#include "apps/workbench/save/plan.h"
#include "apps/workbench/save/promote.h"
#include "apps/workbench/source/sites.h"
#include "apps/workbench/values/prop_path.h"
#include "base/digest.h"
#include "base/map.h"

/* One prop at one place where an element is written: what several drafts may be of. */
struct tn_wb_spot {
	struct tn_str file, prop, type_id; /* of the first draft */
	struct tn_wb_position at;
	const struct tn_json *value;
	size_t draft_count;
	const char *code, *message; /* NULL, or why it cannot be written */
	bool is_compared;           /* D5 */
	uint32_t tag, offset;       /* in its file's tree */
	struct tn_wb_promotion promotion;
	struct tn_wb_spot *next_in_file;
};

struct tn_wb_plan_file {
	struct tn_str path;
	struct tn_wb_spot *first;
	bool is_read;
	char digest[TN_DIGEST_HEX_SIZE];
	struct tn_buf text;
	struct tn_wb_replacement *list; /* sorted */
	struct tn_wb_spot **spots;      /* whose each of these is */
	size_t count;
};

struct tn_wb_item { /* a draft */
	const struct tn_wb_plan_draft *draft;
	struct tn_wb_spot *spot; /* NULL: it has a code of its own */
	const char *code, *message;
};

struct tn_wb_planning {
	const struct tn_wb_plan_inputs *inputs;
	const atomic_bool *cancelled;
	struct tn_arena arena;
	struct tn_wb_item *items; /* by draft */
	struct tn_wb_spot **spots;
	size_t spot_count;
	struct tn_wb_plan_file **files; /* by path */
	size_t file_count;
	struct tn_map spot_of, file_of, item_of; /* by key, path, instance and path */
};

/* ---- spots.c ---- */

/* What a locator of the kind jsxSite says; false: it is none. */
struct tn_wb_locator {
	struct tn_str file;
	struct tn_wb_position at;
	uint32_t ordinal;
};
bool tn_wb_locator_read(const struct tn_json *json, struct tn_wb_locator *ret);
/* From drafts to spots and files, as far as drafts alone say what cannot be. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_spots_make(struct tn_wb_planning *p, struct tenon_error *err);

/* ---- alike.c ---- */

/* D5: spots whose instances do not carry one value are not written. Fails: NO_MEMORY, CANCELLED. */
TN_MUST_USE enum tenon_code tn_wb_spots_compare(struct tn_wb_planning *p, struct tenon_error *err);

/* ---- plan_file.c ---- */

/* Reads the file and makes the edits of its spots. Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_wb_plan_file_make(struct tn_wb_planning *p,
						 struct tn_wb_sites *sites,
						 struct tn_wb_plan_file *file,
						 struct tenon_error *err);

static inline void tn_wb_spot_refuse(struct tn_wb_spot *spot, const char *code, const char *message)
{
	if (spot->code)
		return;
	spot->code = code;
	spot->message = message;
}

#endif
