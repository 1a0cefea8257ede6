/* Every allocation around a child process fails once, and from then on always: no crash, no leak of
 * memory or processes, and the carrier can always be closed.
 *
 * short_memory.c replaces base/mem.c in this program. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/size.h"
#include "client/carrier.h"
#include "short_memory.h"

/* ---- the conversation ---- */

struct talk {
	struct tn_loop *loop;
	struct tn_carrier *carrier;
	bool is_over;
	int echoes;
};

static void stop(struct talk *talk)
{
	talk->is_over = true;
	tn_loop_stop(talk->loop);
}

static void ready(void *data)
{
	struct talk *talk = data;
	struct tn_outgoing out = {.json = TN_STR("{\"a\":1}")};

	talk->carrier->ops->send(talk->carrier, &out);
}

static void message(void *data, void *request, unsigned status, struct tn_str json)
{
	struct talk *talk = data;

	(void)request;
	(void)status;
	assert_true(tn_str_is(json, "{\"a\":1}"));
	talk->echoes++;
	stop(talk);
}

static void ended(void *data, void *request, const struct tn_carrier_end *end)
{
	(void)data;
	(void)request;
	(void)end;
}

static void lost(void *data, const struct tenon_error *err)
{
	assert_true(err->message[0] != '\0');
	stop(data);
}

static void text(void *data, struct tn_str bytes)
{
	(void)data;
	(void)bytes;
}

static const struct tn_carrier_events events = {
	.ready = ready, .message = message, .ended = ended, .lost = lost, .text = text};

static void closed(void *data)
{
	struct talk *talk = data;

	talk->carrier = NULL;
	stop(talk);
}

static void late(struct tn_timer *timer, void *data)
{
	(void)timer;
	stop(data);
}

/* Nobody waits for an end that memory was too short to see. */
static void run(struct talk *talk, struct tn_timer *timer)
{
	talk->is_over = false;
	tn_timer_start(timer, 300);
	while (!talk->is_over)
		tn_loop_run(talk->loop);
	tn_timer_stop(timer);
}

static bool converse(struct talk *talk, struct tn_timer *timer)
{
	static const char *const command[] = {"/bin/cat", NULL}, *const env[] = {"X=1", NULL};
	struct tn_carrier_options options = {
		.loop = talk->loop, .events = &events, .data = talk, .connect_timeout_ms = 1000};
	struct tn_child_target target = {.command = command, .env = env};
	struct tenon_error err = {0};

	fault.armed = true;
	if (tn_carrier_open_child(&options, &target, &talk->carrier, &err) != TENON_OK) {
		fault.armed = false;
		assert_int_equal(err.code, TENON_NO_MEMORY);
		assert_true(err.message[0] != '\0');
		return false;
	}
	run(talk, timer);
	talk->carrier->ops->close(talk->carrier, closed, talk);
	run(talk, timer);
	fault.armed = false;
	if (talk->carrier)
		talk->carrier->ops->abort(talk->carrier);
	return true;
}

enum { SLOW_MAX = 20 }; /* tries in which a busy machine did not answer in time */

static void every_allocation(bool goes_on)
{
	unsigned long nth, refused = 0;
	int echoes = 0, slow = 0;

	fault.goes_on = goes_on;
	for (nth = 1;; nth++) {
		struct talk talk = {0};
		struct tn_timer *timer;

		fault.nth = nth;
		fault.count = 0;
		fault.hit = false;
		fault.live = 0;
		assert_int_equal(tn_loop_create(&talk.loop, NULL), TENON_OK);
		assert_int_equal(tn_timer_open(talk.loop, late, &talk, &timer, NULL), TENON_OK);
		refused += !converse(&talk, timer);
		tn_timer_close(timer);
		tn_loop_destroy(talk.loop);
		if (fault.live != 0)
			fail_msg("allocation %lu: %ld blocks are not given back", nth, fault.live);
		if (waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD)
			fail_msg("allocation %lu: a child is left", nth);
		echoes = talk.echoes;
		if (!fault.hit && (echoes == 1 || ++slow == SLOW_MAX))
			break;
	}
	assert_int_equal(echoes, 1); /* without a fault it goes well, be it at the second try */
	assert_true(refused >= 10);
}

static void once(void **state)
{
	(void)state;
	every_allocation(false);
}

static void for_good(void **state)
{
	(void)state;
	every_allocation(true);
}

int main(void)
{
	const struct CMUnitTest all[] = {cmocka_unit_test(once), cmocka_unit_test(for_good)};

	return cmocka_run_group_tests(all, NULL, NULL);
}
