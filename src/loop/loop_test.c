#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/size.h"
#include "loop/loop.h"

static struct tn_loop *loop;

static int set_up(void **state)
{
	(void)state;
	return tn_loop_create(&loop, NULL) == TENON_OK ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	tn_loop_destroy(loop);
	loop = NULL;
	return 0;
}

static void test_destroy_accepts_null(void **state)
{
	(void)state;
	tn_loop_destroy(NULL);
	tn_io_close(NULL);
	tn_timer_close(NULL);
	tn_later_close(NULL);
	tn_wakeup_close(NULL);
	tn_signal_close(NULL);
}

/* ---- timers ---- */

struct timed {
	unsigned order[8];
	unsigned count;
	struct tn_timer *timers[3];
};

static struct timed timed;

static void note_timer(struct tn_timer *timer, void *data)
{
	unsigned index = *(unsigned *)data;

	assert_ptr_equal(timer, timed.timers[index]);
	timed.order[timed.count++] = index;
	if (index == 2)
		tn_loop_stop(loop);
}

static void test_timers_run_in_order(void **state)
{
	unsigned indices[] = {0, 1, 2};
	uint64_t start = tn_loop_now_ms(loop); /* what timers count from: not the time of now */

	(void)state;
	timed = (struct timed){0};
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(
			tn_timer_open(loop, note_timer, &indices[i], &timed.timers[i], NULL),
			TENON_OK);
	assert_false(tn_timer_active(timed.timers[0]));
	tn_timer_start(timed.timers[2],
		       500); /* later than 10 from now, however busy the machine is */
	tn_timer_start(timed.timers[1], 5000);
	tn_timer_start(timed.timers[1], 10); /* restarts */
	tn_timer_start(timed.timers[0], 20);
	tn_timer_stop(timed.timers[0]);
	assert_false(tn_timer_active(timed.timers[0]));
	assert_true(tn_timer_active(timed.timers[1]));
	tn_loop_run(loop);
	assert_int_equal(timed.count, 2);
	assert_int_equal(timed.order[0], 1);
	assert_int_equal(timed.order[1], 2);
	assert_in_range(tn_loop_now_ms(loop) - start, 500, 60000);
	for (unsigned i = 0; i < 3; i++)
		tn_timer_close(timed.timers[i]);
}

static void close_timer(struct tn_timer *timer, void *data)
{
	++*(unsigned *)data;
	tn_timer_close(timer); /* allowed from its own callback */
}

static void test_timer_closes_itself(void **state)
{
	struct tn_timer *timer;
	unsigned ran = 0;

	(void)state;
	assert_int_equal(tn_timer_open(loop, close_timer, &ran, &timer, NULL), TENON_OK);
	tn_timer_start(timer, 0);
	assert_int_equal(ran, 0); /* never inside the call that set it up */
	tn_loop_run(loop);        /* ends: nothing is left */
	assert_int_equal(ran, 1);
}

/* ---- descriptors ---- */

struct reading {
	int fds[2];
	struct tn_io *io;
	int events;
	unsigned calls;
	size_t bytes;
	bool ended;
};

static void read_some(struct tn_io *io, int events, void *data)
{
	struct reading *r = data;
	char bytes[4];
	ssize_t got;

	r->calls++;
	r->events |= events;
	got = read(r->fds[0], bytes, sizeof(bytes));
	assert_true(got >= 0);
	r->bytes += (size_t)got;
	if (got == 0) {
		r->ended = true;
		tn_io_close(io);
		(void)close(r->fds[0]); /* only read from */
	}
}

static void test_reading_is_level_triggered(void **state)
{
	struct reading r = {0};

	(void)state;
	assert_int_equal(pipe(r.fds), 0);
	assert_int_equal(tn_io_open(loop, r.fds[0], read_some, &r, &r.io, NULL), TENON_OK);
	tn_io_watch(r.io, TN_IO_READ);
	assert_int_equal(write(r.fds[1], "0123456789", 10), 10);
	(void)close(r.fds[1]); /* the reader sees the end */
	assert_int_equal(r.calls, 0);
	tn_loop_run(loop);
	assert_int_equal(r.bytes, 10);
	assert_true(r.ended);
	assert_true(r.calls >= 4); /* 4 + 4 + 2 bytes and the end: told again while there is more */
	assert_true(r.events & TN_IO_READ);
}

static void stop_at_write(struct tn_io *io, int events, void *data)
{
	*(int *)data = events;
	tn_io_watch(io, 0);
	tn_loop_stop(loop);
}

static void test_writing_and_pausing(void **state)
{
	struct tn_timer *timer;
	struct tn_io *io;
	int fds[2], events = 0;
	unsigned ran = 0;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(tn_io_open(loop, fds[1], stop_at_write, &events, &io, NULL), TENON_OK);
	tn_io_watch(io, TN_IO_WRITE);
	tn_loop_run(loop);
	assert_int_equal(events, TN_IO_WRITE);
	/* Not watched: a writable descriptor does not spin, the loop lives for the timer alone. */
	events = 0;
	assert_int_equal(tn_timer_open(loop, close_timer, &ran, &timer, NULL), TENON_OK);
	tn_timer_start(timer, 10);
	tn_loop_run(loop);
	assert_int_equal(events, 0);
	assert_int_equal(ran, 1);
	(void)close(fds[0]); /* now writing would fail: reported as both */
	tn_io_watch(io, TN_IO_WRITE);
	tn_loop_run(loop);
	assert_int_equal(events, TN_IO_READ | TN_IO_WRITE);
	tn_io_close(io);
	(void)close(fds[1]); /* nothing was written */
}

struct reset_peer {
	int fd;
	size_t bytes;
	unsigned ends;
};

static void read_one_byte(struct tn_io *io, int events, void *data)
{
	struct reset_peer *peer = data;
	char byte;

	(void)io;
	assert_true(events & TN_IO_READ);
	if (recv(peer->fd, &byte, 1, 0) == 1) {
		peer->bytes++;
		return;
	}
	peer->ends++;
	tn_loop_stop(loop);
}

/* A peer that sends and resets: its bytes are read first, and then its end is still told. */
static void test_error_behind_data(void **state)
{
	const struct linger reset = {.l_onoff = 1};
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(at);
	struct reset_peer peer = {0};
	struct tn_io *io = NULL;
	int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);

	(void)state;
	assert_int_equal(bind(listener, (struct sockaddr *)&at, size), 0);
	assert_int_equal(listen(listener, 1), 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&at, &size), 0);
	assert_int_equal(connect(client, (struct sockaddr *)&at, size), 0);
	peer.fd = accept(listener, NULL, NULL);
	assert_int_equal(send(client, "abc", 3, 0), 3);
	assert_int_equal(setsockopt(client, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset)), 0);
	(void)close(client);
	assert_int_equal(tn_io_open(loop, peer.fd, read_one_byte, &peer, &io, NULL), TENON_OK);
	tn_io_watch(io, TN_IO_READ);
	tn_loop_run(loop);
	assert_int_equal(peer.ends, 1);
	assert_int_equal(peer.bytes, 3);
	tn_io_close(io);
	(void)close(peer.fd);
	(void)close(listener);
}

static void test_bad_descriptor(void **state)
{
	struct tenon_error err = {0};
	struct tn_io *io = NULL;

	(void)state;
	assert_int_equal(tn_io_open(loop, -1, read_some, NULL, &io, &err), TENON_SYSTEM);
	assert_null(io);
	assert_true(err.sys_errno > 0);
}

/* ---- later ---- */

struct later_test {
	struct tn_later *later;
	unsigned ran, again;
};

static void run_later(struct tn_later *later, void *data)
{
	struct later_test *t = data;

	t->ran++;
	if (t->again) {
		t->again--;
		tn_later_request(later);
	} else {
		tn_later_close(later);
	}
}

static void test_later_runs_once_a_turn(void **state)
{
	struct later_test t = {.again = 2};

	(void)state;
	assert_int_equal(tn_later_open(loop, run_later, &t, &t.later, NULL), TENON_OK);
	for (int i = 0; i < 5; i++)
		tn_later_request(t.later);
	assert_int_equal(t.ran, 0);
	tn_loop_run(loop);
	assert_int_equal(t.ran, 3); /* once for five requests, and once for each of its own */
}

static void test_later_closed_unused(void **state)
{
	struct later_test t = {0};

	(void)state;
	assert_int_equal(tn_later_open(loop, run_later, &t, &t.later, NULL), TENON_OK);
	tn_later_request(t.later);
	tn_later_close(t.later);
	tn_loop_run(loop);
	assert_int_equal(t.ran, 0);
}

/* ---- wake-ups ---- */

static void woken(struct tn_wakeup *wakeup, void *data)
{
	++*(unsigned *)data;
	tn_wakeup_close(wakeup);
}

static void *send_wakeups(void *data)
{
	for (int i = 0; i < 100; i++)
		tn_wakeup_send(data);
	return NULL;
}

/* Sent before the loop runs, so that the one callback may close it. */
static void test_wakeup_from_another_thread(void **state)
{
	struct tn_wakeup *wakeup;
	pthread_t thread;
	unsigned count = 0;

	(void)state;
	assert_int_equal(tn_wakeup_open(loop, woken, &count, &wakeup, NULL), TENON_OK);
	assert_int_equal(pthread_create(&thread, NULL, send_wakeups, wakeup), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	tn_loop_run(loop);
	assert_int_equal(count, 1); /* a hundred sends are one wake-up */
}

static void count_wakeup(struct tn_wakeup *wakeup, void *data)
{
	(void)wakeup;
	++*(unsigned *)data;
	tn_loop_stop(loop);
}

static void *send_one(void *data)
{
	tn_wakeup_send(data);
	return NULL;
}

static void test_wakeup_ends_a_wait(void **state)
{
	struct tn_wakeup *wakeup;
	pthread_t thread;
	unsigned count = 0;

	(void)state;
	assert_int_equal(tn_wakeup_open(loop, count_wakeup, &count, &wakeup, NULL), TENON_OK);
	assert_int_equal(pthread_create(&thread, NULL, send_one, wakeup), 0);
	tn_loop_run(loop); /* has no timer: only the other thread can end it */
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(count, 1);
	tn_wakeup_close(wakeup);
}

/* ---- signals ---- */

static void caught(struct tn_signal *signal, int number, void *data)
{
	*(int *)data = number;
	tn_signal_close(signal);
}

static void test_signal(void **state)
{
	struct tn_signal *handle = NULL;
	struct tenon_error err = {0};
	int number = 0;

	(void)state;
	assert_int_equal(tn_signal_open(loop, SIGUSR1, caught, &number, &handle, NULL), TENON_OK);
	assert_int_equal(raise(SIGUSR1), 0);
	assert_int_equal(number, 0);
	tn_loop_run(loop);
	assert_int_equal(number, SIGUSR1);
	handle = NULL;
	assert_int_equal(tn_signal_open(loop, SIGKILL, caught, &number, &handle, &err),
			 TENON_SYSTEM);
	assert_null(handle);
}

/* ---- jobs ---- */

struct job_test {
	struct tn_job *job;
	pthread_t worker;
	atomic_bool started;
	unsigned done;
	bool cancelled, saw_flag;
};

static void work_short(void *data, const atomic_bool *cancelled)
{
	struct job_test *t = data;

	t->worker = pthread_self();
	t->saw_flag = atomic_load(cancelled);
}

static void job_done(void *data, bool cancelled)
{
	struct job_test *t = data;

	t->done++;
	t->cancelled = cancelled;
}

static void test_job(void **state)
{
	struct job_test t = {0};

	(void)state;
	assert_int_equal(tn_job_start(loop, work_short, job_done, &t, &t.job, NULL), TENON_OK);
	assert_int_equal(t.done, 0);
	tn_loop_run(loop);
	assert_int_equal(t.done, 1);
	assert_false(t.cancelled);
	assert_false(t.saw_flag);
	assert_false(pthread_equal(t.worker, pthread_self()));
}

static void work_until_cancelled(void *data, const atomic_bool *cancelled)
{
	struct job_test *t = data;

	atomic_store(&t->started, true);
	while (!atomic_load(cancelled))
		(void)usleep(200); /* a wait in place of long work; interrupted is fine */
	t->saw_flag = true;
}

static void test_running_job_sees_the_flag(void **state)
{
	struct job_test t = {0};

	(void)state;
	assert_int_equal(tn_job_start(loop, work_until_cancelled, job_done, &t, &t.job, NULL),
			 TENON_OK);
	while (!atomic_load(&t.started))
		(void)usleep(200); /* until the worker has it */
	tn_job_cancel(t.job);
	tn_loop_run(loop);
	assert_int_equal(t.done, 1);
	assert_true(t.cancelled);
	assert_true(t.saw_flag);
}

/* With every worker busy the last job never starts; its `done` comes all the same, exactly once. */
static void test_waiting_job_is_cancelled(void **state)
{
	struct job_test busy[64] = {0}, last = {0};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(busy); i++)
		assert_int_equal(tn_job_start(loop, work_until_cancelled, job_done, &busy[i],
					      &busy[i].job, NULL),
				 TENON_OK);
	assert_int_equal(tn_job_start(loop, work_short, job_done, &last, &last.job, NULL),
			 TENON_OK);
	tn_job_cancel(last.job);
	for (size_t i = 0; i < TN_COUNT(busy); i++)
		tn_job_cancel(busy[i].job);
	tn_loop_run(loop);
	assert_int_equal(last.done, 1);
	assert_true(last.cancelled);
	for (size_t i = 0; i < TN_COUNT(busy); i++)
		assert_int_equal(busy[i].done, 1);
}

int main(void)
{
#define LOOP_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_destroy_accepts_null),
		LOOP_TEST(test_timers_run_in_order),
		LOOP_TEST(test_timer_closes_itself),
		LOOP_TEST(test_reading_is_level_triggered),
		LOOP_TEST(test_writing_and_pausing),
		LOOP_TEST(test_error_behind_data),
		LOOP_TEST(test_bad_descriptor),
		LOOP_TEST(test_later_runs_once_a_turn),
		LOOP_TEST(test_later_closed_unused),
		LOOP_TEST(test_wakeup_from_another_thread),
		LOOP_TEST(test_wakeup_ends_a_wait),
		LOOP_TEST(test_signal),
		LOOP_TEST(test_job),
		LOOP_TEST(test_running_job_sees_the_flag),
		LOOP_TEST(test_waiting_job_is_cancelled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
