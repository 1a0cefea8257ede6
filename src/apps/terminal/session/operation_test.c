/* Calls that wait, by themselves: a kind of this test's own in a session that is nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "apps/terminal/session/operation.h"

enum { OPS_MAX = 8 };

struct fixture {
	struct tn_loop *loop;
	struct tn_term term;
	struct tn_term_session session;
	struct tn_term_op *ops[OPS_MAX];
	bool ready[OPS_MAX];      /* what it waits for is there */
	size_t ends_too[OPS_MAX]; /* ending it ends this one; itself: nobody */
	unsigned looks[OPS_MAX], answers[OPS_MAX], lost[OPS_MAX], times[OPS_MAX];
	bool makes_one; /* an answer leads to another call */
	size_t count;
};

static void begin(struct fixture *f);

static size_t index_of(const struct tn_term_op *op)
{
	return (size_t)op->from;
}

static void answer(struct tn_term_op *op)
{
	struct fixture *f = op->data;
	size_t i = index_of(op), other = f->ends_too[i];

	f->answers[i]++;
	f->ops[i] = NULL;
	tn_term_op_free(op);
	if (other != i && f->ops[other])
		answer(f->ops[other]);
	if (f->makes_one) {
		f->makes_one = false;
		begin(f);
		f->ready[f->count - 1] = true;
	}
}

static bool look(struct tn_term_op *op)
{
	struct fixture *f = op->data;
	bool done = f->ready[index_of(op)];

	f->looks[index_of(op)]++;
	if (done)
		answer(op);
	return done;
}

static void time_is_over(struct tn_term_op *op)
{
	struct fixture *f = op->data;

	f->times[index_of(op)]++;
	answer(op);
	tn_loop_stop(f->loop);
}

static void lose(struct tn_term_op *op)
{
	struct fixture *f = op->data;

	f->lost[index_of(op)]++;
	answer(op);
}

static const struct tn_term_op_kind kind = {.look = look, .time = time_is_over, .lose = lose};

static void begin(struct fixture *f)
{
	struct tn_term_op *op = tn_term_op_new(&f->term, &kind, &f->session, 60000);

	assert_non_null(op);
	assert_true(f->count < OPS_MAX);
	op->from = f->count;
	op->data = f;
	f->ends_too[f->count] = f->count;
	f->ops[f->count++] = op;
}

static int open_all(void **state)
{
	struct fixture *f = tn_mem_alloc(sizeof(*f));

	assert_non_null(f);
	assert_int_equal(tn_loop_create(&f->loop, NULL), TENON_OK);
	f->term.options.loop = f->loop;
	f->term.options.clock = &tn_clock_system;
	*state = f;
	return 0;
}

static int close_all(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < f->count; i++) {
		if (f->ops[i])
			tn_term_op_cancel(&f->term, f->ops[i]);
	}
	assert_null(f->session.ops);
	tn_loop_destroy(f->loop);
	tn_mem_free(f);
	return 0;
}

static void who_is_done_answers_once(void **state)
{
	struct fixture *f = *state;

	begin(f);
	begin(f);
	begin(f);
	tn_term_ops_look(&f->session);
	assert_int_equal(f->answers[0] + f->answers[1] + f->answers[2], 0);
	f->ready[1] = true;
	tn_term_ops_look(&f->session);
	tn_term_ops_look(&f->session);
	assert_int_equal(f->answers[1], 1);
	assert_int_equal(f->answers[0] + f->answers[2], 0);
	assert_int_equal(f->looks[0], 3);
	assert_int_equal(f->looks[2], 3);
}

/* An answer may close what others wait for: the list is another one then. */
static void an_answer_may_end_others(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < 5; i++)
		begin(f);
	f->ready[3] = true;
	f->ends_too[3] = 2; /* the next one of the list */
	f->ends_too[2] = 4; /* and one before it */
	tn_term_ops_look(&f->session);
	assert_int_equal(f->answers[2] + f->answers[3] + f->answers[4], 3);
	assert_int_equal(f->looks[0], 1);
	assert_int_equal(f->looks[1], 1);
	assert_int_equal(f->answers[0] + f->answers[1], 0);
}

/* Else a call that is answered at once by another call of its kind would hold the loop for ever. */
static void what_an_answer_begins_is_looked_at_in_the_next_turn(void **state)
{
	struct fixture *f = *state;

	begin(f);
	f->ready[0] = true;
	f->makes_one = true;
	tn_term_ops_look(&f->session);
	assert_int_equal(f->answers[0], 1);
	assert_int_equal(f->count, 2);
	assert_int_equal(f->looks[1], 0);
	tn_term_ops_look(&f->session);
	assert_int_equal(f->answers[1], 1);
}

static void a_session_that_goes_leaves_nobody_waiting(void **state)
{
	struct fixture *f = *state;

	begin(f);
	begin(f);
	begin(f);
	f->ends_too[2] = 0;
	tn_term_ops_lose(&f->session);
	assert_null(f->session.ops);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(f->answers[i], 1);
	assert_int_equal(f->lost[0], 0); /* it went with another one */
}

static void a_command_that_goes_takes_only_its_own(void **state)
{
	struct fixture *f = *state;
	struct tn_term_command one = {.status = TN_TERM_QUEUED}, other = one;

	begin(f);
	begin(f);
	begin(f);
	f->ops[0]->command = f->ops[2]->command = &one;
	f->ops[1]->command = &other;
	tn_term_ops_lose_command(&f->session, &one);
	assert_int_equal(f->lost[0] + f->lost[2], 2);
	assert_int_equal(f->answers[1], 0);
}

static void who_cancels_is_not_answered(void **state)
{
	struct fixture *f = *state;

	begin(f);
	tn_term_op_cancel(&f->term, f->ops[0]);
	f->ops[0] = NULL;
	assert_null(f->session.ops);
	assert_int_equal(f->answers[0], 0);
}

static void time_that_is_over_is_told(void **state)
{
	struct fixture *f = *state;

	begin(f);
	begin(f);
	tn_timer_start(f->ops[1]->timer, 1);
	tn_loop_run(f->loop);
	assert_int_equal(f->times[1], 1);
	assert_int_equal(f->answers[1], 1);
	assert_int_equal(f->answers[0], 0);
}

#define IN_SESSION(test) cmocka_unit_test_setup_teardown(test, open_all, close_all)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SESSION(who_is_done_answers_once),
		IN_SESSION(an_answer_may_end_others),
		IN_SESSION(what_an_answer_begins_is_looked_at_in_the_next_turn),
		IN_SESSION(a_session_that_goes_leaves_nobody_waiting),
		IN_SESSION(a_command_that_goes_takes_only_its_own),
		IN_SESSION(who_cancels_is_not_answered),
		IN_SESSION(time_that_is_over_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
