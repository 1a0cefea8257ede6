/* record_trim.h - recordings are kept within limits: of a folder's the oldest go (terminal.md
 * section 8), none that is being written (whoever writes one holds its lock, record.h).
 *
 * Ownership: the caller's, from open to close. Threads: loop, but tn_records_trim, which waits for
 * the disk and is a worker's. */
#ifndef TN_TERM_RECORD_TRIM_H
#define TN_TERM_RECORD_TRIM_H

#include "loop/loop.h"

struct tn_records_limit {
	uint64_t bytes_max; /* of all recordings of the folder */
	size_t count_max;
};

/* The oldest go until the rest is within both limits. `cancelled` NULL: nobody cancels. */
void tn_records_trim(const char *folder, const struct tn_records_limit *limit,
		     const atomic_bool *cancelled);

struct tn_record_trimmer; /* does it on a worker; one at a time */

/* Fails: NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_record_trimmer_open(struct tn_loop *loop, const char *folder,
						   const struct tn_records_limit *limit,
						   struct tn_record_trimmer **ret,
						   struct tenon_error *err);
void tn_record_trimmer_close(struct tn_record_trimmer *trimmer); /* accepts NULL */
/* A recording has begun. While a worker is at it: once more when that is over. */
void tn_record_trimmer_wake(struct tn_record_trimmer *trimmer);

#endif
