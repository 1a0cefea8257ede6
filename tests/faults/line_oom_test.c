/* Every allocation of two line streams that talk over a socket fails once, and from then on always:
 * no crash, no leak, and who cannot go on says `broken`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <sys/socket.h>
#include <unistd.h>

#include "short_memory.h"
#include "transport/line_stream.h"

/* ---- the conversation ---- */

enum { LARGE_BYTES = 300000, MESSAGES = 3, PATIENCE_MS = 1000 };

struct talk {
	struct tn_loop *loop;
	struct tn_timer *patience;
	struct tn_line_stream *server, *client;
	unsigned echoes, breaks, ends;
	bool impatient;
};

static char large[LARGE_BYTES]; /* read only, once filled */

static void at_server(struct tn_line_stream *stream, struct tn_str line, void *data)
{
	(void)data;
	tn_line_stream_send(stream, line);
}

static void at_client(struct tn_line_stream *stream, struct tn_str line, void *data)
{
	struct talk *t = data;

	(void)stream;
	assert_true(line.size == 3 || line.size == LARGE_BYTES);
	if (++t->echoes == MESSAGES)
		tn_loop_stop(t->loop);
}

static void too_long(struct tn_line_stream *stream, void *data)
{
	(void)stream;
	(void)data;
	fail_msg("no line is too long");
}

static void ended(struct tn_line_stream *stream, void *data)
{
	struct talk *t = data;

	(void)stream;
	t->ends++;
	tn_loop_stop(t->loop);
}

static void broken(struct tn_line_stream *stream, void *data)
{
	struct talk *t = data;

	(void)stream;
	t->breaks++;
	tn_loop_stop(t->loop);
}

static void out_of_patience(struct tn_timer *timer, void *data)
{
	struct talk *t = data;

	(void)timer;
	t->impatient = true;
	tn_loop_stop(t->loop);
}

static const struct tn_line_stream_events server_events = {
	.line = at_server, .too_long = too_long, .end = ended, .broken = broken};
static const struct tn_line_stream_events client_events = {
	.line = at_client, .too_long = too_long, .end = ended, .broken = broken};

static bool is_good(enum tenon_code code, const struct tenon_error *err)
{
	if (code == TENON_OK)
		return true;
	assert_int_equal(code, TENON_NO_MEMORY);
	assert_string_equal(err->message, "out of memory");
	return false;
}

static void talk(struct talk *t)
{
	struct tenon_error err = {0};
	int pair[2];

	*t = (struct talk){0};
	if (!is_good(tn_loop_create(&t->loop, &err), &err))
		return;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	if (is_good(tn_timer_open(t->loop, out_of_patience, t, &t->patience, &err), &err) &&
	    is_good(tn_line_stream_open(t->loop, pair[0], pair[0], LARGE_BYTES, &server_events, t,
					&t->server, &err),
		    &err) &&
	    is_good(tn_line_stream_open(t->loop, pair[1], pair[1], LARGE_BYTES, &client_events, t,
					&t->client, &err),
		    &err)) {
		tn_timer_start(t->patience, PATIENCE_MS);
		tn_line_stream_send(t->client, TN_STR("one"));
		tn_line_stream_send(t->client, tn_str(large, LARGE_BYTES));
		tn_line_stream_send(t->client, TN_STR("two"));
		if (!t->breaks)
			tn_loop_run(t->loop);
	}
	tn_line_stream_close(t->client);
	tn_line_stream_close(t->server);
	tn_timer_close(t->patience);
	(void)close(pair[0]); /* ours, whatever became of the streams */
	(void)close(pair[1]);
	tn_loop_destroy(t->loop);
}

static void test_every_allocation(void **state)
{
	unsigned long total;
	struct talk t;

	(void)state;
	memset(large, 'x', sizeof(large));
	talk(&t);
	total = fault.count;
	assert_int_equal(t.echoes, MESSAGES);
	assert_int_equal(t.breaks + t.ends, 0);
	assert_int_equal(fault.live, 0);
	assert_in_range(total, 8, 200);
	for (unsigned run = 0; run < 2; run++) {
		fault.goes_on = run == 1;
		for (unsigned long nth = 1; nth <= total; nth++) {
			fault.count = 0;
			fault.nth = nth;
			talk(&t);
			assert_int_equal(fault.live, 0);
			assert_false(t.impatient);
		}
	}
	fault.nth = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_allocation)};

	fault.armed = true;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
