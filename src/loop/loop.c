/* The loop is libuv; this file is the only one that knows. Handles are allocated one by one because
 * libuv gives a handle's memory back only after its close callback has run. */
#include "loop/loop.h"

#include <uv.h>

#include "base/mem.h"
#include "loop/reserve.h"

struct tn_loop {
	uv_loop_t uv;
};

/* libuv's threads for jobs start with the first job, so a process without jobs has none. */

static enum tenon_code fail_uv(struct tenon_error *err, int status, const char *what)
{
	return tn_fail_errno(err, -status, what);
}

static void free_handle(uv_handle_t *handle)
{
	tn_mem_free(handle->data);
}

enum tenon_code tn_loop_create(struct tn_loop **ret, struct tenon_error *err)
{
	struct tn_loop *loop = tn_mem_alloc(sizeof(*loop));
	int status;

	if (!loop)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	tn_loop_reserve_install();
	status = uv_loop_init(&loop->uv);
	if (status < 0) {
		tn_mem_free(loop);
		return fail_uv(err, status, "event loop");
	}
	*ret = loop;
	return TENON_OK;
}

void tn_loop_destroy(struct tn_loop *loop)
{
	if (!loop)
		return;
	/* Close callbacks, jobs still out, and connections that say good-bye: waited for, not spun
	 * for. */
	while (uv_run(&loop->uv, UV_RUN_ONCE) != 0)
		;
	tn_assert(uv_loop_close(&loop->uv) == 0);
	tn_mem_free(loop);
}

void tn_loop_run(struct tn_loop *loop)
{
	(void)uv_run(&loop->uv, UV_RUN_DEFAULT);
}

void tn_loop_stop(struct tn_loop *loop)
{
	uv_stop(&loop->uv);
}

uint64_t tn_loop_now_ms(const struct tn_loop *loop)
{
	return uv_now(&loop->uv);
}

/* ---- descriptors ---- */

struct tn_io {
	uv_poll_t uv;
	tn_io_fn *ready;
	void *data;
	int watched;
	bool closed;
};

static void watch(struct tn_io *io);

static void io_ready(uv_poll_t *uv, int status, int events)
{
	struct tn_io *io = uv->data;
	int ready = 0;

	/* libuv stops after an error. But one that has been seen may lie behind data that has not
	 * been read (a reset after a request), so readiness must come again until it is acted on.
	 */
	if (status < 0)
		watch(io);
	if (events & UV_READABLE)
		ready |= TN_IO_READ;
	if (events & UV_WRITABLE)
		ready |= TN_IO_WRITE;
	if (status < 0 || (events & UV_DISCONNECT))
		ready = TN_IO_READ | TN_IO_WRITE;
	io->ready(io, ready, io->data);
}

enum tenon_code tn_io_open(struct tn_loop *loop, int fd, tn_io_fn *ready, void *data,
			   struct tn_io **ret, struct tenon_error *err)
{
	struct tn_io *io = tn_mem_alloc(sizeof(*io));
	int status;

	if (!io)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	io->ready = ready;
	io->data = data;
	status = uv_poll_init(&loop->uv, &io->uv, fd);
	if (status < 0) {
		tn_mem_free(io);
		return fail_uv(err, status, "watch descriptor");
	}
	io->uv.data = io;
	*ret = io;
	return TENON_OK;
}

static void watch(struct tn_io *io)
{
	int wanted = 0;

	if (io->watched & TN_IO_READ)
		wanted |= UV_READABLE;
	if (io->watched & TN_IO_WRITE)
		wanted |= UV_WRITABLE;
	if (wanted)
		(void)uv_poll_start(&io->uv, wanted, io_ready); /* fails only on bad arguments */
	else
		(void)uv_poll_stop(&io->uv);
}

void tn_io_watch(struct tn_io *io, int events)
{
	if (events == io->watched)
		return;
	io->watched = events;
	watch(io);
}

void tn_io_close(struct tn_io *io)
{
	if (io)
		uv_close((uv_handle_t *)&io->uv, free_handle);
}

/* ---- timers ---- */

struct tn_timer {
	uv_timer_t uv;
	tn_timer_fn *expired;
	void *data;
};

static void timer_expired(uv_timer_t *uv)
{
	struct tn_timer *timer = uv->data;

	timer->expired(timer, timer->data);
}

enum tenon_code tn_timer_open(struct tn_loop *loop, tn_timer_fn *expired, void *data,
			      struct tn_timer **ret, struct tenon_error *err)
{
	struct tn_timer *timer = tn_mem_alloc(sizeof(*timer));

	if (!timer)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	timer->expired = expired;
	timer->data = data;
	(void)uv_timer_init(&loop->uv, &timer->uv); /* always succeeds */
	timer->uv.data = timer;
	*ret = timer;
	return TENON_OK;
}

void tn_timer_start(struct tn_timer *timer, uint64_t after_ms)
{
	(void)uv_timer_start(&timer->uv, timer_expired, after_ms, 0); /* fails only when closing */
}

void tn_timer_stop(struct tn_timer *timer)
{
	(void)uv_timer_stop(&timer->uv); /* always succeeds */
}

bool tn_timer_active(const struct tn_timer *timer)
{
	return uv_is_active((const uv_handle_t *)&timer->uv) != 0;
}

void tn_timer_close(struct tn_timer *timer)
{
	if (timer)
		uv_close((uv_handle_t *)&timer->uv, free_handle);
}

/* ---- later ---- */

struct tn_later {
	uv_check_t uv;  /* runs right after the descriptors of this turn */
	uv_idle_t spin; /* keeps the turn from waiting when asked for outside descriptors */
	tn_later_fn *run;
	void *data;
	int closing;
};

static void spin_once(uv_idle_t *idle)
{
	(void)idle;
}

static void later_due(uv_check_t *uv)
{
	struct tn_later *later = uv->data;

	(void)uv_check_stop(&later->uv);
	(void)uv_idle_stop(&later->spin);
	later->run(later, later->data);
}

enum tenon_code tn_later_open(struct tn_loop *loop, tn_later_fn *run, void *data,
			      struct tn_later **ret, struct tenon_error *err)
{
	struct tn_later *later = tn_mem_alloc(sizeof(*later));

	if (!later)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	later->run = run;
	later->data = data;
	(void)uv_check_init(&loop->uv, &later->uv); /* both always succeed */
	(void)uv_idle_init(&loop->uv, &later->spin);
	later->uv.data = later;
	later->spin.data = later;
	*ret = later;
	return TENON_OK;
}

void tn_later_request(struct tn_later *later)
{
	if (uv_is_active((uv_handle_t *)&later->uv))
		return;
	(void)uv_check_start(&later->uv, later_due);
	(void)uv_idle_start(&later->spin, spin_once);
}

static void later_closed(uv_handle_t *handle)
{
	struct tn_later *later = handle->data;

	if (--later->closing == 0)
		tn_mem_free(later);
}

void tn_later_close(struct tn_later *later)
{
	if (!later)
		return;
	later->closing = 2;
	uv_close((uv_handle_t *)&later->uv, later_closed);
	uv_close((uv_handle_t *)&later->spin, later_closed);
}

/* ---- wake-ups ---- */

struct tn_wakeup {
	uv_async_t uv;
	tn_wakeup_fn *woken;
	void *data;
};

static void wakeup_arrived(uv_async_t *uv)
{
	struct tn_wakeup *wakeup = uv->data;

	wakeup->woken(wakeup, wakeup->data);
}

enum tenon_code tn_wakeup_open(struct tn_loop *loop, tn_wakeup_fn *woken, void *data,
			       struct tn_wakeup **ret, struct tenon_error *err)
{
	struct tn_wakeup *wakeup = tn_mem_alloc(sizeof(*wakeup));
	int status;

	if (!wakeup)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	wakeup->woken = woken;
	wakeup->data = data;
	wakeup->uv.data = wakeup;
	status = uv_async_init(&loop->uv, &wakeup->uv, wakeup_arrived);
	if (status < 0) {
		tn_mem_free(wakeup);
		return fail_uv(err, status, "wake-up");
	}
	*ret = wakeup;
	return TENON_OK;
}

void tn_wakeup_send(struct tn_wakeup *wakeup)
{
	(void)uv_async_send(&wakeup->uv); /* fails only when closing */
}

void tn_wakeup_close(struct tn_wakeup *wakeup)
{
	if (wakeup)
		uv_close((uv_handle_t *)&wakeup->uv, free_handle);
}

/* ---- signals ---- */

struct tn_signal {
	uv_signal_t uv;
	tn_signal_fn *caught;
	void *data;
};

static void signal_caught(uv_signal_t *uv, int number)
{
	struct tn_signal *signal = uv->data;

	signal->caught(signal, number, signal->data);
}

enum tenon_code tn_signal_open(struct tn_loop *loop, int number, tn_signal_fn *caught, void *data,
			       struct tn_signal **ret, struct tenon_error *err)
{
	struct tn_signal *signal = tn_mem_alloc(sizeof(*signal));
	int status;

	if (!signal)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	signal->caught = caught;
	signal->data = data;
	status = uv_signal_init(&loop->uv, &signal->uv);
	if (status < 0) {
		tn_mem_free(signal);
		return fail_uv(err, status, "signal");
	}
	signal->uv.data = signal;
	status = uv_signal_start(&signal->uv, signal_caught, number);
	if (status < 0) {
		tn_signal_close(signal);
		return fail_uv(err, status, "signal");
	}
	*ret = signal;
	return TENON_OK;
}

void tn_signal_close(struct tn_signal *signal)
{
	if (signal)
		uv_close((uv_handle_t *)&signal->uv, free_handle);
}

/* ---- jobs ---- */

struct tn_job {
	uv_work_t uv;
	tn_job_work_fn *work;
	tn_job_done_fn *done;
	void *data;
	atomic_bool cancelled;
};

static void job_work(uv_work_t *uv)
{
	struct tn_job *job = uv->data;

	job->work(job->data, &job->cancelled);
}

static void job_done(uv_work_t *uv, int status)
{
	struct tn_job *job = uv->data;
	bool cancelled = status != 0 || atomic_load(&job->cancelled);

	job->done(job->data, cancelled);
	tn_mem_free(job);
}

enum tenon_code tn_job_start(struct tn_loop *loop, tn_job_work_fn *work, tn_job_done_fn *done,
			     void *data, struct tn_job **ret, struct tenon_error *err)
{
	struct tn_job *job = tn_mem_alloc(sizeof(*job));
	int status;

	if (!job)
		return tn_fail(err, TENON_NO_MEMORY, "out of memory");
	job->work = work;
	job->done = done;
	job->data = data;
	job->uv.data = job;
	status = uv_queue_work(&loop->uv, &job->uv, job_work, job_done);
	if (status < 0) {
		tn_mem_free(job);
		return fail_uv(err, status, "worker");
	}
	*ret = job;
	return TENON_OK;
}

void tn_job_cancel(struct tn_job *job)
{
	atomic_store(&job->cancelled, true);
	(void)uv_cancel((uv_req_t *)&job->uv); /* refused when already running: the flag says it */
}

struct freeing {
	void (*free_data)(void *data); /* NULL: it is done */
	void *data;
};

static void free_work(void *data, const atomic_bool *cancelled)
{
	struct freeing *freeing = data;

	(void)cancelled; /* it has to go in any case */
	freeing->free_data(freeing->data);
	freeing->free_data = NULL;
}

/* A worker may never have had it. */
static void freed(void *data, bool cancelled)
{
	struct freeing *freeing = data;

	(void)cancelled;
	if (freeing->free_data)
		freeing->free_data(freeing->data);
	tn_mem_free(freeing);
}

void tn_job_free_aside(struct tn_loop *loop, void (*free_data)(void *data), void *data)
{
	struct freeing *freeing = tn_mem_alloc(sizeof(*freeing));
	struct tn_job *job;

	if (freeing)
		*freeing = (struct freeing){free_data, data};
	if (freeing && tn_job_start(loop, free_work, freed, freeing, &job, NULL) == TENON_OK)
		return;
	tn_mem_free(freeing);
	free_data(data);
}
