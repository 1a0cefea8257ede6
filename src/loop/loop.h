/* loop.h - one event loop: descriptors, timers, work done elsewhere, and wake-ups.
 *
 * All state belongs to the loop's thread; only tn_wakeup_send may be called from another one.
 * Callbacks never run inside the call that set them up. Freeing a handle from its own callback is
 * allowed. Ownership: the caller owns every handle it opens and closes it before the loop. */
#ifndef TN_LOOP_LOOP_H
#define TN_LOOP_LOOP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/error.h"

struct tn_loop;

TN_MUST_USE enum tenon_code tn_loop_create(struct tn_loop **ret, struct tenon_error *err);
void tn_loop_destroy(struct tn_loop *loop); /* every handle is closed by then; accepts NULL */
void tn_loop_run(struct tn_loop *loop);     /* until tn_loop_stop */
void tn_loop_stop(struct tn_loop *loop);
uint64_t tn_loop_now_ms(const struct tn_loop *loop); /* monotonic, read once a turn */

/* ---- descriptors: level-triggered readiness; the caller keeps owning the descriptor ---- */

enum { TN_IO_READ = 1, TN_IO_WRITE = 2 };

struct tn_io;
/* events: what is ready. An error or hang-up of the peer is reported as both. */
typedef void tn_io_fn(struct tn_io *io, int events, void *data);

TN_MUST_USE enum tenon_code tn_io_open(struct tn_loop *loop, int fd, tn_io_fn *ready, void *data,
				       struct tn_io **ret, struct tenon_error *err);
void tn_io_watch(struct tn_io *io, int events); /* 0 stops watching */
void tn_io_close(struct tn_io *io);             /* before the descriptor is closed; accepts NULL */

/* ---- timers ---- */

struct tn_timer;
typedef void tn_timer_fn(struct tn_timer *timer, void *data);

TN_MUST_USE enum tenon_code tn_timer_open(struct tn_loop *loop, tn_timer_fn *expired, void *data,
					  struct tn_timer **ret, struct tenon_error *err);
void tn_timer_start(struct tn_timer *timer, uint64_t after_ms); /* restarts a running one */
void tn_timer_stop(struct tn_timer *timer);
bool tn_timer_active(const struct tn_timer *timer);
void tn_timer_close(struct tn_timer *timer); /* accepts NULL */

/* ---- a function at the end of this turn, once, however often it was asked for ---- */

struct tn_later;
typedef void tn_later_fn(struct tn_later *later, void *data);

TN_MUST_USE enum tenon_code tn_later_open(struct tn_loop *loop, tn_later_fn *run, void *data,
					  struct tn_later **ret, struct tenon_error *err);
void tn_later_request(struct tn_later *later);
void tn_later_close(struct tn_later *later); /* accepts NULL */

/* ---- wake-ups from another thread ---- */

struct tn_wakeup;
typedef void tn_wakeup_fn(struct tn_wakeup *wakeup, void *data);

TN_MUST_USE enum tenon_code tn_wakeup_open(struct tn_loop *loop, tn_wakeup_fn *woken, void *data,
					   struct tn_wakeup **ret, struct tenon_error *err);
void tn_wakeup_send(struct tn_wakeup *wakeup); /* any thread, also a signal handler */
void tn_wakeup_close(struct tn_wakeup *wakeup);

/* ---- signals ---- */

struct tn_signal;
typedef void tn_signal_fn(struct tn_signal *signal, int number, void *data);

TN_MUST_USE enum tenon_code tn_signal_open(struct tn_loop *loop, int number, tn_signal_fn *caught,
					   void *data, struct tn_signal **ret,
					   struct tenon_error *err);
void tn_signal_close(struct tn_signal *signal); /* accepts NULL */

/* ---- jobs: work that may block, on a worker thread ---- */

struct tn_job;
/* `work` runs on a worker and touches only what `data` owns; `done` runs on the loop afterwards,
 * exactly once, cancelled or not, and is the last use of the job. */
typedef void tn_job_work_fn(void *data, const atomic_bool *cancelled);
typedef void tn_job_done_fn(void *data, bool cancelled);

TN_MUST_USE enum tenon_code tn_job_start(struct tn_loop *loop, tn_job_work_fn *work,
					 tn_job_done_fn *done, void *data, struct tn_job **ret,
					 struct tenon_error *err);
void tn_job_cancel(struct tn_job *job); /* sets the flag; `done` still comes */
/* Frees `data` by `free_data`, once: on a worker, because it takes long; here, where there is none.
 */
void tn_job_free_aside(struct tn_loop *loop, void (*free_data)(void *data), void *data);

#endif
