/* anchor.h - the sentences that structure a plan's text (plan.md section 4.2), and the log lines
 * around it that must never count (section 4.7). Threads: any. */
#ifndef TN_PLAN_ANCHOR_H
#define TN_PLAN_ANCHOR_H

#include "apps/plan/read/model.h"

enum tn_plan_anchor {
	TN_PLAN_ANCHOR_NONE,
	TN_PLAN_ANCHOR_DRIFT,
	TN_PLAN_ANCHOR_LEGEND,     /* 0.15.0 and later */
	TN_PLAN_ANCHOR_OLD_LEGEND, /* 0.11 to 0.14 */
	TN_PLAN_ANCHOR_SYMBOLS,    /* the legend's list follows */
	TN_PLAN_ANCHOR_LIST,
	TN_PLAN_ANCHOR_LIST_ERRORED,
	TN_PLAN_ANCHOR_DEFERRED,
	TN_PLAN_ANCHOR_INVOKE,
	TN_PLAN_ANCHOR_OUTPUTS,
	TN_PLAN_ANCHOR_NO_CHANGES,
	TN_PLAN_ANCHOR_DEFERRED_ONLY,
	TN_PLAN_ANCHOR_FAILED,
	TN_PLAN_ANCHOR_END,
	TN_PLAN_ANCHOR_REFRESH_ONLY, /* "This is a refresh-only plan," */
	TN_PLAN_ANCHOR_APPLY,        /* a log of an apply begins */
	TN_PLAN_ANCHOR_OLD_REFRESH,  /* 0.13 and before say where the refresh happens */
	TN_PLAN_ANCHOR_REFRESH,      /* one object was read */
	TN_PLAN_ANCHOR_NOISE
};

struct tn_plan_anchor_hit {
	enum tn_plan_anchor anchor;
	enum tn_plan_tool tool; /* who speaks, where the sentence tells */
	enum tn_plan_mode mode; /* what a "No changes." sentence tells */
	struct tn_str version;  /* "Terraform v1.9.0" */
};

/* `text` is a line without indentation. */
struct tn_plan_anchor_hit tn_plan_anchor_find(struct tn_str text);

/* "### 1. dir: `a` workspace: `b`" and its like: the name of the project whose plan follows. The
 * slice still holds its backquotes. False: not such a line. */
bool tn_plan_label_read(struct tn_str text, struct tn_str *ret);

/* A line that says that text is missing: "...", "[output truncated]". */
bool tn_plan_is_ellipsis(struct tn_str text);

/* At least ten equal characters, or equal groups of two or three (mojibake of a ruled line). */
bool tn_plan_is_rule(struct tn_str text);

#endif
