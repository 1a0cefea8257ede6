/* limits.h - what bounds the workbench app (workbench.md section 21). */
#ifndef TN_WORKBENCH_LIMITS_H
#define TN_WORKBENCH_LIMITS_H

#include "base/size.h"

#define TN_WB_DIAGNOSTICS_MAX 1000 /* of one list; those beyond are counted */
#define TN_WB_TEXT_BYTES_MAX 4096  /* of one message */
#define TN_WB_ID_BYTES_MAX 200     /* type ids, instance ids */
#define TN_WB_ROUTE_BYTES_MAX 1024
#define TN_WB_WORKSPACES_MAX 8
#define TN_WB_GLOBS_MAX 1024 /* patterns of one set, braces taken apart */
#define TN_WB_GLOB_BYTES_MAX 1024
#define TN_WB_GLOB_BRACES_MAX 16

/* Configuration, manifests, overrides. */
#define TN_WB_FILE_BYTES_MAX (16 * TN_MIB)
#define TN_WB_CONFIG_ARENA_MAX (256 * TN_MIB)

#define TN_WB_TRUST_BYTES_MAX TN_MIB

/* What is read. */
#define TN_WB_CONTENT_BYTES_MAX (256 * TN_KIB) /* M4 */
#define TN_WB_ANSWER_BYTES_MAX \
	(30 * TN_KIB) /* of a tool: the core cuts at 20,000 tokens (HO-003) */
#define TN_WB_UNTRUSTED_MAX (TN_WB_SESSIONS_MAX * 3 + 1) /* pointers to what a page has said */
#define TN_WB_TOLD_BYTES_MAX (8 * TN_KIB) /* diagnostics of one answer; the others are counted */
#define TN_WB_RELATIONS_MAX 2000          /* of one type, and of one kind, at once ... */
#define TN_WB_RELATIONS_BYTES_MAX (5 * TN_KIB) /* ... and of them in an answer */
#define TN_WB_PAGE 100         /* rows of one answer, unless more are asked for ... */
#define TN_WB_PAGE_MAX 500     /* ... and at most */
#define TN_WB_WINDOW_MAX 4096  /* of a page, in CSS pixels */
#define TN_WB_CAPTURES_MAX 2   /* at once */
#define TN_WB_BROWSER_MS 30000 /* for one picture */
#define TN_WB_PICTURE_BYTES_MAX (12 * TN_MIB)  /* in base64 */
#define TN_WB_LASTING_MS (30 * 60 * 1000)      /* what is agreed to for a preview (V6) */
#define TN_WB_SHOWN_BYTES 500                  /* of one text or value, to whoever is asked */
#define TN_WB_COMPLETED_BYTES_MAX (2 * TN_MIB) /* of instances that a batch names */
#define TN_WB_TOGETHER_MS 100                  /* N3: at most one notice in this time */

/* Following files. */
#define TN_WB_DEBOUNCE_MS 150 /* G13 */
#define TN_WB_BLIND_MS 2000   /* where the kernel follows no more folders */
#define TN_WB_WATCHED_MAX 8192

/* The graph. */
#define TN_WB_CLAIMS_MAX 200000                 /* nodes and edges, of all producers */
#define TN_WB_UPDATE_ARENA_MAX (256 * TN_MIB)   /* an update of so many, while it is read */
#define TN_WB_CLAIM_STEPS_MAX 1000              /* of one update on the loop */
#define TN_WB_CLAIMED_NOW_BYTES (64 * TN_KIB)   /* read on the loop */
#define TN_WB_CLAIMINGS_MAX 64                  /* updates that wait for their turn */
#define TN_WB_CLAIMINGS_BYTES_MAX (32 * TN_MIB) /* of them together; one alone may be larger */
#define TN_WB_EMITTED_BYTES_MAX TN_MIB          /* of the patch in an answer */
#define TN_WB_PATCH_BYTES_MAX (64 * TN_MIB)
#define TN_WB_PATCHES_KEPT 256 /* or so many bytes, whichever is reached first (N7) */
#define TN_WB_PATCH_BYTES_KEPT TN_MIB

/* Registry (section 21). */
#define TN_WB_ENTRIES_MAX 20000
#define TN_WB_PROPS_MAX 2000                    /* of one entry: looked up one by one */
#define TN_WB_REGISTRY_BYTES_MAX (256 * TN_MIB) /* one composition: trees and text */
#define TN_WB_PATTERN_STEPS_MAX 4000000         /* of one value against one pattern (13.5) */
#define TN_WB_PATTERN_ARENA_MAX (16 * TN_MIB)   /* above what 4096 bytes of one can take */
#define TN_WB_POINTER_BYTES_MAX (64 * TN_KIB)   /* of a diagnostic */

/* Overrides (sections 13 and 21). */
#define TN_WB_PATH_TOKENS_MAX 16            /* O4 */
#define TN_WB_PATH_BYTES_MAX 4096           /* a name of 200 bytes in each token, and escapes */
#define TN_WB_OPS_MAX 200                   /* of one batch */
#define TN_WB_VALUE_BYTES_MAX (64 * TN_KIB) /* written compactly */
#define TN_WB_VALUE_DEPTH_MAX 32
#define TN_WB_LOCATOR_BYTES_MAX (16 * TN_KIB)
#define TN_WB_OVERRIDES_MAX 10000
#define TN_WB_PAST_MAX 1024                      /* drafts that changes have taken away */
#define TN_WB_PAST_BYTES_MAX (4 * TN_MIB)        /* the same */
#define TN_WB_OVERRIDES_BYTES_MAX (12 * TN_MIB)  /* all of them: one change of the log takes 16 */
#define TN_WB_OVERRIDES_FILE_MAX (64 * TN_MIB)   /* the same, indented */
#define TN_WB_OVERRIDES_ARENA_MAX (512 * TN_MIB) /* the same, read */
#define TN_WB_SESSIONS_MAX 8
#define TN_WB_TAG_PORT 20000 /* the first that a script tag may name (S18) */
#define TN_WB_TAG_PORTS 10000

/* Previews (sections 10, 11 and 21). */
#define TN_WB_PAGES_MAX 8                     /* of one session */
#define TN_WB_MESSAGE_BYTES_MAX TN_MIB        /* of an adapter */
#define TN_WB_MESSAGE_ARENA_MAX (64 * TN_MIB) /* the same, read */
#define TN_WB_MESSAGES_RATE 200               /* a second, of one page */
#define TN_WB_DESCRIPTOR_BYTES_MAX (96 * TN_KIB)
#define TN_WB_PROPS_BYTES_MAX (64 * TN_KIB)
#define TN_WB_PROPS_COUNT_MAX 100 /* of one instance (A4): each is looked up by name */
#define TN_WB_INSTANCES_MAX 20000 /* of one session */
#define TN_WB_INSTANCES_BYTES_MAX (64 * TN_MIB) /* the same, as text */
#define TN_WB_PROMPT_BYTES_MAX TN_MIB           /* of one that a project configures, filled in */
#define TN_WB_PRODUCER_BYTES_MAX 100            /* of the id of a producer from outside */
#define TN_WB_PRODUCERS_MAX 500                 /* of one graph */
#define TN_WB_REPORTS_MAX 10000                 /* drafts that one message speaks of */
#define TN_WB_MATCHES_MAX 50                    /* routes that match at once */
#define TN_WB_ROUTE_STATE_MAX (16 * TN_KIB)     /* what a router says, as JSON */
#define TN_WB_ADDRESS_BYTES_MAX 2048            /* of a page */
#define TN_WB_ANCESTORS_MAX 10                  /* E3 */
#define TN_WB_LOG_ENTRIES_MAX 500               /* S20 */
#define TN_WB_HELLO_MS 5000                     /* A3: until the first message */
#define TN_WB_LAUNCH_MS 30000                   /* 10.2 */
#define TN_WB_NOT_DETECTED_MS 20000             /* S1 */
#define TN_WB_DISCONNECTED_MS 15000             /* S2 */
#define TN_WB_SESSION_BYTES_MAX (256 * TN_MIB)  /* host.init with all drafts and types */

/* Servers and programs of a project that run for us (sections 6.5 and 10.5). */
#define TN_WB_INPUT_BYTES_MAX (64 * TN_MIB) /* waiting for one to read it: all hints */
#define TN_WB_LINE_BYTES_MAX (64 * TN_KIB)  /* of what one prints */
#define TN_WB_LINE_ARENA_MAX TN_MIB         /* the same, read */
#define TN_WB_STOP_MS 8000 /* until a guard that does not end its server is killed */
#define TN_WB_ASK_MS 2000  /* for an answer of a server that may be there */
#define TN_WB_ASK_AGAIN_MS 200
#define TN_WB_SAID_BYTES_MAX (64 * TN_MIB) /* of one evaluation (C10) */
#define TN_WB_EVALUATE_MS 12000            /* C10, and time to start and to say that it is late */
#define TN_WB_LOADED_MAX 1000              /* files of one evaluation that are followed */
#define TN_WB_LOADED_BYTES_MAX (512 * TN_KIB) /* the same, as its lines */
#define TN_WB_EVALUATE_TRIES 3                /* where programs change what they are made of */
#define TN_WB_PATCH_LINE_MAX (256 * TN_KIB)   /* of a producer that stays */
#define TN_WB_PATCH_ARENA_MAX (32 * TN_MIB)   /* the same, read */
#define TN_WB_PATCH_RATE 200                  /* a second, of all of a workspace */
#define TN_WB_STAY_BYTES_RATE (4 * TN_MIB)    /* a second, of all that their program prints */
#define TN_WB_STAY_CLAIMS_MAX 5000            /* of one: a later snapshot is compared on the loop */
#define TN_WB_STAY_WORDS_MAX 10               /* that are kept of one of its modules */
#define TN_WB_LAUNCH_LOG 20                   /* lines that a failure shows (17.1) */
#define TN_WB_HINTS_BYTES_MAX (8 * TN_KIB) /* of each list of what is instrumented, in one read */
#define TN_WB_ENDED_MAX 64                 /* sessions that are remembered as stopped (17.2) */

/* Edits of files, and what is saved (section 14). */
#define TN_WB_EDIT_FILES_MAX 1000
#define TN_WB_REPLACEMENTS_MAX 10000                /* of one file */
#define TN_WB_EDIT_FILE_BYTES_MAX (16 * TN_MIB)     /* of one file */
#define TN_WB_EDIT_BYTES_MAX (256 * TN_MIB)         /* of all of them, old and new */
#define TN_WB_EDIT_REQUEST_BYTES_MAX (64 * TN_MIB)  /* as JSON */
#define TN_WB_EDIT_WAIT_MS 2000                     /* for somebody else's change */
#define TN_WB_PLAN_BYTES_MAX (128 * TN_MIB)         /* one plan, with what it is made of */
#define TN_WB_PLAN_INSTANCES_BYTES_MAX (4 * TN_MIB) /* copied on the loop */
#define TN_WB_JOURNAL_BYTES_MAX (8 * TN_MIB)

/* Source files (the parse itself: plugins/limits.h). */
#define TN_WB_SOURCE_BYTES_MAX (2 * TN_MIB) /* of one */
#define TN_WB_FILES_MAX 20000
#define TN_WB_FOLDERS_DEPTH_MAX 64
#define TN_WB_TSCONFIG_BYTES_MAX (256 * TN_KIB) /* tsconfig.json */
#define TN_WB_TSCONFIG_DEPTH_MAX 8              /* that extend each other */
#define TN_WB_TSCONFIGS_MAX 20000               /* looked for in one look */
#define TN_WB_TSCONFIG_ARENA_MAX (64 * TN_MIB)  /* all of one look */
#define TN_WB_MODULE_BYTES_MAX (8 * TN_MIB)     /* what is known of one */
#define TN_WB_LIST_MAX 32768                 /* imports, exports, declarations, what is rendered */
#define TN_WB_NAME_BYTES_MAX 256             /* of what is declared */
#define TN_WB_WORK_MAX 16                    /* looks at a node, on the average */
#define TN_WB_RESULT_BYTES_MAX (64 * TN_MIB) /* one snapshot */
#define TN_WB_LINKS_BYTES_MAX (256 * TN_MIB) /* who renders whom, of all files */
#define TN_WB_EXPORT_STEPS_MAX 400           /* from an import to the declaration */
#define TN_WB_RENDER_DEPTH_MAX 20            /* G18 */
#define TN_WB_TYPE_DEPTH_MAX 16              /* types that name types */
#define TN_WB_TYPE_STEPS_MAX 20000           /* looks at a type for one component */
#define TN_WB_TYPE_PROPS_MAX 200             /* of one component */
#define TN_WB_OPTIONS_MAX 200                /* of one prop */

#endif
