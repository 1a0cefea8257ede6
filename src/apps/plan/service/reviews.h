/* reviews.h - the reviews of all plans: one for each plan's text, whoever sends it, kept in files
 * named by its digest, in plan/reviews/ of the state folder.
 *
 * A file is made with the first mark. Where nothing may be written (keep_days 0, no state folder,
 * or one that is read-only) a review lives in memory, as long as the process, and says so. Those
 * not touched for keep_days go, and the oldest when there are too many. Ownership: the table owns
 * the reviews; what is handed out lives until the loop turns. Threads: loop; opening one blocks for
 * as long as a small file takes. */
#ifndef TN_PLAN_REVIEWS_H
#define TN_PLAN_REVIEWS_H

#include "apps/plan/service/review.h"
#include "base/clock.h"
#include "base/map.h"

struct tn_loop;
struct tn_plan_reviews;

struct tn_plan_reviews_options {
	const struct tn_clock *clock;
	struct tn_loop *loop; /* for what blocks; NULL: it blocks here */
	uint32_t keep_days;   /* 0: memory only */
	const char *folder;   /* NULL: in the state folder */
};
TN_MUST_USE enum tenon_code tn_plan_reviews_create(const struct tn_plan_reviews_options *options,
						   struct tn_plan_reviews **ret,
						   struct tenon_error *err);
void tn_plan_reviews_destroy(struct tn_plan_reviews *reviews); /* accepts NULL */

struct tn_plan_open_review {
	char digest[65];
	struct tn_plan_review review;
	struct tn_oplog *log;
	bool saved;
	struct tn_plan_open_review *newer, *older; /* by last use */
};

/* `write` false: *ret is NULL where nobody has begun a review, and no file is made.
 * Fails: BUSY (another process has it open: which), INVALID (a damaged file: where), SYSTEM,
 * NO_MEMORY. */
TN_MUST_USE enum tenon_code tn_plan_reviews_open(struct tn_plan_reviews *reviews,
						 const char *digest, bool write,
						 struct tn_plan_open_review **ret,
						 struct tenon_error *err);
/* After a failed change: one that is broken is closed, and read again when it is next opened. */
void tn_plan_reviews_mend(struct tn_plan_reviews *reviews, struct tn_plan_open_review *open);
/* Whether a review that is not there yet would be written to a file, as far as is known. */
bool tn_plan_reviews_saves(const struct tn_plan_reviews *reviews);

#endif
