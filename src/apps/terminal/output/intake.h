/* intake.h - one turn of a stream of output: written down, understood, given up.
 *
 * What a program has written stands in the spool before anybody is told of it, and before the ring
 * forgets it. Ownership: everything is the caller's. Threads: loop. */
#ifndef TN_TERM_INTAKE_H
#define TN_TERM_INTAKE_H

#include "apps/terminal/pty/pty.h"
#include "apps/terminal/output/spool.h"
#include "base/clock.h"

struct tn_intake {
	struct tn_pty *pty; /* stays open during a turn */
	int stream;
	struct tn_spool *spool; /* its offsets are the stream's; NULL: nothing is written down */
	const struct tn_clock *clock;
	/* Is told of each piece in turn. It stands in the spool, and maybe more after it. */
	void (*take)(struct tn_str bytes, void *data);
	void *data;
};

/* Takes what stands in the ring: TN_TERM_TURN_BYTES, and as many once more, at most
 * TN_TERM_TURN_PIECES times, as long as all of them together were cheap (TN_TERM_TURN_US).
 * Fails: as tn_spool_write; what was not written stays in the ring, and nobody was told of it. */
TN_MUST_USE enum tenon_code tn_intake_turn(const struct tn_intake *intake, struct tenon_error *err);

#endif
