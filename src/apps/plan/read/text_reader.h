/* text_reader.h - the state shared by the parts that read plan text; private to them.
 *
 *   parse_text.c    the loop over lines, what ends what, the verdict at the end
 *   text_entry.c    resource headers, notes, opening lines, bodies
 *   text_section.c  anchors, the Plan: line, outputs
 *   text_unit.c     where a unit begins, and its label
 *   parse_legacy.c  entries of 0.11
 *
 * Threads: one at a time. */
#ifndef TN_PLAN_TEXT_READER_H
#define TN_PLAN_TEXT_READER_H

#include "apps/plan/read/anchor.h"
#include "apps/plan/read/body.h"
#include "apps/plan/read/diagnostic.h"
#include "apps/plan/read/phrase.h"

enum tn_plan_section {
	TN_PLAN_SECTION_NONE, /* before, between and after plans */
	TN_PLAN_SECTION_LEGEND,
	TN_PLAN_SECTION_DRIFT,
	TN_PLAN_SECTION_LIST,
	TN_PLAN_SECTION_DEFERRED,
	TN_PLAN_SECTION_INVOKE,
	TN_PLAN_SECTION_OUTPUTS,
	TN_PLAN_SECTION_APPLY /* an apply's log: nothing in it counts */
};

/* What the lines after a header belong to. */
enum tn_plan_target {
	TN_PLAN_TARGET_NONE,
	TN_PLAN_TARGET_CHANGE,
	TN_PLAN_TARGET_DRIFT,
	TN_PLAN_TARGET_DEFERRED,
	TN_PLAN_TARGET_INVOCATION
};

enum tn_plan_entry_state {
	TN_PLAN_ENTRY_NONE,
	TN_PLAN_ENTRY_OPENING, /* header read: notes and the opening line follow */
	TN_PLAN_ENTRY_BODY,
	TN_PLAN_ENTRY_CLOSED, /* actions to be invoked may follow */
	TN_PLAN_ENTRY_LEGACY  /* "name: value" lines of 0.11 follow */
};

struct tn_plan_unit_state { /* of the unit being read */
	bool open;          /* plan->units has it */
	bool listed;        /* its change list began */
	bool anchored;      /* and said so; else the text begins in mid-plan */
	bool planned;       /* its "Plan:" line was read */
	bool verdict;       /* "No changes." or its like */
	bool legend;
	uint32_t first_entry;
};

struct tn_plan_text_reader {
	struct tn_plan_build *build;
	struct tn_plan_body body;
	struct tn_plan_diagnostic_reader diagnostic;
	enum tn_plan_section section;

	enum tn_plan_entry_state entry_state;
	enum tn_plan_target target;
	uint32_t target_index;
	struct tn_plan_address address; /* of the target */
	bool identity;                  /* notes hold parts of an import identity */
	const char *invoke_when;        /* "before", "after": of the actions that follow */

	struct tn_plan_unit_state unit;
	struct tn_str label; /* of the next unit */
	bool label_pending;  /* what comes next begins a unit */

	/* What was seen anywhere. */
	bool evidence; /* an anchor, header or Plan: line: this is a plan */
	bool legend, old_legend, old_refresh, old_heredoc, hidden, refreshed;
	bool ellipsis, no_changes, deferred_only, failed, cut;
	enum tn_plan_mode mode;
};

/* ---- text_entry.c ---- */

/* Each returns true when the line was taken. Lines are not blank. */
bool tn_plan_text_header(struct tn_plan_text_reader *reader, struct tn_plan_row *row);
bool tn_plan_text_note(struct tn_plan_text_reader *reader, const struct tn_plan_row *row);
bool tn_plan_text_opening(struct tn_plan_text_reader *reader, struct tn_plan_row *row);
bool tn_plan_text_action(struct tn_plan_text_reader *reader, struct tn_plan_row *row);
void tn_plan_text_body(struct tn_plan_text_reader *reader, struct tn_plan_row *row);
/* Commits an open body; `line` is its last. */
void tn_plan_text_end_entry(struct tn_plan_text_reader *reader, uint32_t line, bool abnormal);

/* ---- text_unit.c ---- */

enum tn_plan_unit_cause {
	TN_PLAN_UNIT_LIST,    /* a list anchor */
	TN_PLAN_UNIT_HEADER,  /* a planned entry */
	TN_PLAN_UNIT_PREFACE, /* drift, legend, a verdict */
	TN_PLAN_UNIT_OTHER    /* belongs to whatever is open */
};

/* Begins a new unit where the cause asks for one. */
void tn_plan_text_need_unit(struct tn_plan_text_reader *reader, enum tn_plan_unit_cause cause);
bool tn_plan_text_label(struct tn_plan_text_reader *reader, const struct tn_plan_row *row);

/* ---- text_section.c ---- */

bool tn_plan_text_anchor(struct tn_plan_text_reader *reader, const struct tn_plan_row *row);
bool tn_plan_text_plan_line(struct tn_plan_text_reader *reader, const struct tn_plan_row *row);
bool tn_plan_text_output(struct tn_plan_text_reader *reader, struct tn_plan_row *row);
void tn_plan_text_end_output(struct tn_plan_text_reader *reader);

/* ---- parse_legacy.c ---- */

bool tn_plan_legacy_header(struct tn_plan_text_reader *reader, struct tn_plan_row *row);
bool tn_plan_legacy_attribute(struct tn_plan_text_reader *reader, const struct tn_plan_row *row);

/* The bits that tell how the row was laid out. */
static inline void tn_plan_text_note_layout(struct tn_plan_text_reader *reader,
					    const struct tn_plan_row *row)
{
	reader->build->plan->normalised |=
		(row->shifted ? (uint32_t)TN_PLAN_CLEAN_SHIFTED_LAYOUT : 0) |
		(row->moved ? (uint32_t)TN_PLAN_CLEAN_DIFF_LAYOUT : 0);
}

#endif
