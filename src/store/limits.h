/* limits.h - what bounds files, documents and handles on disk. */
#ifndef TN_STORE_LIMITS_H
#define TN_STORE_LIMITS_H

#include "base/size.h"

#define TN_BENEATH_LINKS_MAX 40  /* followed on the way to one path, as the kernel does */
#define TN_BENEATH_ROOTS_MAX 256 /* folders of one setting */

#define TN_FILE_KNOWN_BYTES_MAX (64 * TN_MIB) /* compared with what the caller knows of it */

/* Documents and handles (store/). */
#define TN_HANDLES_GONE_MAX 1024          /* handles of one table that went and are remembered */
#define TN_OPLOG_UNDO_MAX 200             /* ST-065: changes that can be undone */
#define TN_OPLOG_UNDO_BYTES (64 * TN_MIB) /* and what they hold; the oldest go */
#define TN_OPLOG_LISTED_MAX 1000          /* changes in the list of who did what */
#define TN_OPLOG_BATCH_MAX 20000          /* operations of one change */
#define TN_OPLOG_COMMIT_BYTES_MAX (16 * TN_MIB)    /* one change: a message's worth */
#define TN_OPLOG_TEXT_MAX 256                      /* an actor's name, a label */
#define TN_OPLOG_WHO_MAX 95                        /* who, as an id */
#define TN_OPLOG_GESTURE_MAX 192                   /* who and what a gesture is called */
#define TN_OPLOG_GESTURE_MS 10000                  /* from one change to the next (SC-013) */
#define TN_OPLOG_GESTURE_BYTES TN_MIB              /* what takes a gesture back; then a new entry */
#define TN_OPLOG_NOTE_MAX (4 * TN_KIB)             /* what the caller keeps with a change */
#define TN_OPLOG_FILE_BYTES_MAX (256 * TN_MIB)     /* read at opening: snapshot, journal */
#define TN_OPLOG_ARENA_MAX ((size_t)2048 * TN_MIB) /* the same, parsed */
#define TN_OPLOG_JOURNAL_LINES 1000                /* then a new snapshot ... */
#define TN_OPLOG_JOURNAL_BYTES (4 * TN_MIB)
#define TN_OPLOG_KEEP_BYTES (64 * TN_KIB) /* of memory kept from one change to the next */
#define TN_OPLOG_SYNC_MS 100              /* what a power cut may cost */

#endif
