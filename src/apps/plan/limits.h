/* limits.h - what bounds the plan app. */
#ifndef TN_PLAN_LIMITS_H
#define TN_PLAN_LIMITS_H

#include "base/size.h"

/* plan (plan.md section 3.3). */
#define TN_PLAN_CLI_BYTES_MAX (64 * TN_MIB)
#define TN_PLAN_ARG_BYTES_MAX (16 * TN_MIB)
#define TN_PLAN_RESOURCES_MAX 100000
#define TN_PLAN_ATTRIBUTES_MAX 400
#define TN_PLAN_VALUE_BYTES_MAX (2 * TN_KIB)
#define TN_PLAN_CPU_MS_MAX 10000
#define TN_PLAN_LIST_MAX 100000               /* drift, outputs, diagnostics and the like, each */
#define TN_PLAN_WARNINGS_PER_CODE 100         /* what was said a hundred times is known */
#define TN_PLAN_PATH_BYTES_MAX 1024           /* an attribute's path, cut there */
#define TN_PLAN_DETAIL_BYTES_MAX (8 * TN_KIB) /* a diagnostic's explanation */
#define TN_PLAN_MEMORY_FACTOR 4               /* times the input, plan.md section 2 */
#define TN_PLAN_MEMORY_FLOOR TN_MIB           /* and this much for the small ones */
#define TN_PLAN_JOINED_MAX 64 /* ranges of one rule; each address of it looks at all */
/* Ranges of one group, which are put together; each is compared with all. */
#define TN_PLAN_PARTS_JOINED_MAX 256
#define TN_PLAN_TOLD_MAX 300    /* dangers, and changes, that one explanation tells one by one */
#define TN_PLAN_HANDLES_MAX 256 /* parsed plans held for plan_id; the oldest goes */
#define TN_PLAN_HANDLE_BYTES_MAX (64 * TN_MIB)
#define TN_PLAN_HANDLE_IDLE_MS (24 * 60 * 60 * 1000)
#define TN_PLAN_MODEL_RESPONSE_MAX TN_MIB
#define TN_PLAN_CONVERSATIONS_MAX 1024 /* the oldest goes */
#define TN_PLAN_TURNS_KEPT_MAX 8       /* kept of one conversation; a model is shown two */
#define TN_PLAN_HISTORY_ROWS_MAX 100   /* one answer of terraform_history */
#define TN_PLAN_HISTORY_KEPT_MAX 10000 /* explanations on disk, besides their age */
#define TN_PLAN_HISTORY_MEMORY_MAX 500 /* the same when nothing may be written */
#define TN_PLAN_PARALLEL_MAX 4         /* requests to a model at a time, plan.md section 11.1 */
#define TN_PLAN_REVIEWS_OPEN_MAX 64    /* the least recently used is closed */
#define TN_PLAN_REVIEWS_KEPT_MAX 1000  /* on disk, besides their age; the oldest go */
#define TN_PLAN_REVIEW_BYTES_MAX (8 * TN_MIB) /* the texts of all marks of one */
#define TN_PLAN_NOTE_BYTES_MAX (2 * TN_KIB)
/* What a model is sent of a plan's attributes, hosts.md HO-003: so many in all, but of each change
 * some; and of a text. */
#define TN_PLAN_LEAN_ATTRIBUTES 60
#define TN_PLAN_LEAN_ATTRIBUTES_MIN 2
#define TN_PLAN_LEAN_FINDINGS 64 /* of one change, whose attributes are looked for */
#define TN_PLAN_LEAN_VALUE_BYTES 160
#define TN_PLAN_LINE_VALUE_BYTES 80            /* in a line of text */
#define TN_PLAN_INLINE_BYTES_MAX (64 * TN_KIB) /* parsed at once; larger ones by a worker */

#endif
