/* drafts_test_kit.h - for tests: override stores in folders of their own, changed by texts.
 * Threads: one at a time. */
#ifndef TN_WB_DRAFTS_DRAFTS_TEST_KIT_H
#define TN_WB_DRAFTS_DRAFTS_TEST_KIT_H

#include "apps/workbench/drafts/drafts.h"
#include "apps/workbench/registry/registry_test_kit.h"

struct tn_wb_drafts_kit {
	char path[64]; /* of the workspace */
	int root_fd;
	struct tn_wb_drafts *drafts;
	struct tn_wb_kit types; /* ui.button and others, see the kit */
	struct tn_wb_facts facts;
	struct tn_wb_outcome outcome; /* of the last change */
	struct tenon_error err;
	struct tn_arena arena;
	enum tenon_code code;
	struct tn_clock clock; /* stands at 2026-01-31T08:44:40.000Z */
};

/* Knows the instances "b1", "b2" (ui.button), "c1" (ui.card), "n1" (of a type not told). */
void tn_wb_drafts_kit_init(struct tn_wb_drafts_kit *kit);
void tn_wb_drafts_kit_finish(struct tn_wb_drafts_kit *kit);
void tn_wb_drafts_kit_reopen(struct tn_wb_drafts_kit *kit);

/* Applies ops to group app; the code. */
enum tenon_code tn_wb_drafts_kit_apply(struct tn_wb_drafts_kit *kit, const char *ops);
enum tenon_code tn_wb_drafts_kit_do(struct tn_wb_drafts_kit *kit, const struct tn_wb_batch *batch);
enum tenon_code tn_wb_drafts_kit_undo(struct tn_wb_drafts_kit *kit, bool redo);
enum tenon_code tn_wb_drafts_kit_reload(struct tn_wb_drafts_kit *kit);
/* "index code" of all faults, in one line. */
const char *tn_wb_drafts_kit_faults(struct tn_wb_drafts_kit *kit);

struct tn_json *tn_wb_drafts_kit_parse(struct tn_wb_drafts_kit *kit, const char *text);
/* The file's text; NULL: there is none. */
const char *tn_wb_drafts_kit_file(struct tn_wb_drafts_kit *kit);
void tn_wb_drafts_kit_write(struct tn_wb_drafts_kit *kit, struct tn_str text);
/* "group instance path value status reason" of each draft, a line each. */
const char *tn_wb_drafts_kit_list(struct tn_wb_drafts_kit *kit);
const char *tn_wb_drafts_kit_text(struct tn_wb_drafts_kit *kit, const struct tn_buf *buf);

#endif
