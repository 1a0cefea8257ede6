/* child_test_kit.h - for tests: a loop with one child, and its end. Threads: one at a time. */
#ifndef TN_LOOP_CHILD_TEST_KIT_H
#define TN_LOOP_CHILD_TEST_KIT_H

#include "loop/child.h"

struct watched {
	struct tn_loop *loop;
	struct tn_child *child;
	struct tn_timer *timer;
	struct tn_child_end end;
	bool has_ended, is_late;
};

/* The loop, and the child with these options but loop, `exited` and `data`. */
TN_MUST_USE enum tenon_code watched_begin(struct watched *w, struct tn_child_options options,
					  struct tenon_error *err);
/* It ends within a while, or the test fails. */
void watched_wait(struct watched *w);
void watched_finish(struct watched *w);

#endif
