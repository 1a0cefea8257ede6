#include "loop/child_test_kit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { WAIT_MS = 30000 };

static void exited(struct tn_child *child, struct tn_child_end end, void *data)
{
	struct watched *w = data;

	assert_ptr_equal(child, w->child);
	assert_false(w->has_ended);
	w->has_ended = true;
	w->end = end;
	tn_loop_stop(w->loop);
}

static void late(struct tn_timer *timer, void *data)
{
	struct watched *w = data;

	(void)timer;
	w->is_late = true;
	tn_loop_stop(w->loop);
}

enum tenon_code watched_begin(struct watched *w, struct tn_child_options options,
			      struct tenon_error *err)
{
	*w = (struct watched){0};
	options.exited = exited;
	options.data = w;
	assert_int_equal(tn_loop_create(&w->loop, NULL), TENON_OK);
	assert_int_equal(tn_timer_open(w->loop, late, w, &w->timer, NULL), TENON_OK);
	return tn_child_open(w->loop, &options, &w->child, err);
}

void watched_wait(struct watched *w)
{
	tn_timer_start(w->timer, WAIT_MS);
	if (!w->has_ended)
		tn_loop_run(w->loop);
	assert_false(w->is_late);
	assert_true(w->has_ended);
}

void watched_finish(struct watched *w)
{
	tn_child_free(w->child);
	tn_timer_close(w->timer);
	tn_loop_destroy(w->loop);
}
