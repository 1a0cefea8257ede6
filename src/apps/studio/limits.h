/* limits.h - what bounds the studio. */
#ifndef TN_STUDIO_LIMITS_H
#define TN_STUDIO_LIMITS_H

#include "base/size.h"

/* studio (studio.md section 21). */
#define TN_STUDIO_NODES_MAX 10000
#define TN_STUDIO_EDGES_MAX 20000
#define TN_STUDIO_PROPERTIES_MAX 500
#define TN_STUDIO_STRING_BYTES_MAX (64 * TN_KIB)
#define TN_STUDIO_LIST_MAX 1000
#define TN_STUDIO_DEPTH_MAX 16 /* of values, and of containers */
#define TN_STUDIO_LABEL_CHARACTERS_MAX 128
#define TN_STUDIO_NOTES_BYTES_MAX (16 * TN_KIB)
#define TN_STUDIO_FILE_BYTES_MAX (32 * TN_MIB) /* a project file */
#define TN_STUDIO_ARENA_MAX ((size_t)512 * TN_MIB)
#define TN_STUDIO_NODE_ARENA_MAX (64 * TN_MIB)
#define TN_STUDIO_RESULT_BYTES_MAX (64 * TN_MIB)
#define TN_STUDIO_PRESENCES_MAX 256 /* connections that tell what they look at */
#define TN_STUDIO_PRESENCE_MS 30000 /* SC-017: after the last word of it */
#define TN_STUDIO_PRESENCE_IDS_MAX 1000
#define TN_STUDIO_SHOWN_MAX 16        /* marks on the canvas at once */
#define TN_STUDIO_SHOWN_MS 10000      /* SC-018 */
#define TN_STUDIO_TAB_KEY "tenon/tab" /* of _meta: what a person's page calls its tab */
#define TN_STUDIO_TAB_MAX 24          /* its bytes: with the rest no more than TN_OPLOG_WHO_MAX */
#define TN_STUDIO_ACTOR_SIZE 128      /* a name of who acts, and the NUL */
#define TN_STUDIO_FOLLOW_MOMENTS_MAX 256 /* revisions whose first reading is remembered */
#define TN_STUDIO_FOLLOW_GONE_MAX 20000  /* ids that were removed while somebody follows */
#define TN_STUDIO_GONE_MAX 20000         /* ids that were removed from a document, remembered */
#define TN_STUDIO_PROJECTS_MAX 16
#define TN_STUDIO_DIFFERENCES_MAX 100 /* nodes that are told of files that changed on disk */
#define TN_STUDIO_RECENT_MAX 10
#define TN_STUDIO_TYPE_FILE_BYTES_MAX (4 * TN_MIB) /* one registry file */
#define TN_STUDIO_TYPE_FILES_MAX 256
#define TN_STUDIO_TYPES_MAX 5000
#define TN_STUDIO_PRICES_BYTES_MAX (8 * TN_MIB) /* prices.json */
#define TN_STUDIO_RUN_LOG_BYTES_MAX (10 * TN_MIB)
#define TN_STUDIO_RUN_LINE_BYTES_MAX TN_MIB
#define TN_STUDIO_RUNS_KEPT 50
#define TN_STUDIO_RUN_DIAGNOSTICS_MAX 1000 /* of one run; the rest stands in its log */
#define TN_STUDIO_RUN_CHANGES_MAX 100000
#define TN_STUDIO_RUN_ARENA_MAX (128 * TN_MIB)
#define TN_STUDIO_RUN_DOCUMENT_BYTES_MAX (64 * TN_MIB) /* show -json, validate -json */
#define TN_STUDIO_TYPES_PAGE_BYTES (28 * TN_KIB) /* studio.md 12.2: 8,000 tokens for a model */
#define TN_STUDIO_LIST_PAGE_BYTES (28 * TN_KIB)  /* likewise, of resources: ids are half of it */
#define TN_STUDIO_RUN_RESULT_BYTES_MAX (32 * TN_MIB)
#define TN_STUDIO_RUN_WATCHERS_MAX 256
#define TN_STUDIO_PLAN_HOURS 24                /* ST-083 */
#define TN_STUDIO_PLAN_BYTES_MAX (64 * TN_MIB) /* a saved plan that is held */
#define TN_STUDIO_PLANS_HELD_MAX 8             /* of all projects; older ones are read again */
#define TN_STUDIO_TOLD_BYTES_MAX (3 * TN_KIB)  /* of a plan, within TN_CONSENT_TEXT_MAX */
#define TN_STUDIO_TOLD_MAX 500                 /* changes of a plan in the data of a question */
#define TN_STUDIO_ACT_FILES_MAX 20000          /* below terraform/, looked at for a question */
#define TN_STUDIO_ACT_FILE_BYTES_MAX TN_MIB    /* larger ones by inode, size and times */
#define TN_STUDIO_ACT_BYTES_MAX (32 * TN_MIB)  /* of all that is held of them */
#define TN_STUDIO_LOOP_BYTES_MAX TN_MIB        /* read on the loop at a run's start: some 3 ms */
#define TN_STUDIO_AT_ONCE_MAX 100 /* nodes and edges: of more, what looks at all is done aside */
#define TN_STUDIO_UNDO_AT_ONCE_BYTES_MAX (64 * TN_KIB) /* of a change taken back: a millisecond */
#define TN_STUDIO_STOOD_BYTES_MAX (256 * TN_KIB) /* likewise, looked through for what is gone */
#define TN_STUDIO_STOOD_MAX 100 /* nodes that are gone, of one change: no note names more */
#define TN_STUDIO_BATCH_AT_ONCE_MAX 20000 /* operations times what they look at: some ms */
#define TN_STUDIO_SECRETS_MAX 1000
#define TN_HCL_BYTES_MAX (16 * TN_MIB) /* one .tf file */
#define TN_HCL_NODES_MAX 1000000
#define TN_HCL_DEPTH_MAX 100
#define TN_STUDIO_FOLDERS_MAX 1000               /* in one answer */
#define TN_STUDIO_FOLDERS_LOOKED 100000          /* names of one folder that are looked at */
#define TN_STUDIO_IMPORT_TEXTS_MAX (32 * TN_MIB) /* of files that a call brings */
#define TN_STUDIO_IMPORT_FILES_MAX 1000
#define TN_STUDIO_IMPORT_BYTES_MAX (64 * TN_MIB) /* of all files of one import */
#define TN_HCL_FAULTS_MAX 100 /* told of one file; the rest is passed over in silence */

#endif
