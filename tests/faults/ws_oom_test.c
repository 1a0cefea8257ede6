/* Every allocation of a WebSocket conversation fails once: no crash, no leak, and both ends learn
 * that it is over, or it goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <sys/socket.h>
#include <unistd.h>

#include "short_memory.h"
#include "transport/ws.h"

/* ---- the conversation ---- */

enum { LARGE_BYTES = 300000, MESSAGES = 3, NO_CODE = -1 };

struct talk {
	struct tn_loop *loop;
	struct tn_ws *server, *client;
	unsigned echoes;
	int server_code, client_code;
};

static char large[LARGE_BYTES];

static void stop_when_done(struct talk *t)
{
	if (t->server_code != NO_CODE && t->client_code != NO_CODE)
		tn_loop_stop(t->loop);
}

static void at_server(struct tn_ws *ws, struct tn_str text, void *data)
{
	(void)data;
	tn_ws_send(ws, text);
}

static void at_client(struct tn_ws *ws, struct tn_str text, void *data)
{
	struct talk *t = data;

	t->echoes++;
	assert_true(text.size == 3 || text.size == LARGE_BYTES || text.size == 100);
	if (t->echoes == MESSAGES)
		tn_ws_close(ws, TN_WS_NORMAL);
}

static void server_closed(struct tn_ws *ws, uint16_t code, void *data)
{
	struct talk *t = data;

	t->server_code = code;
	t->server = NULL;
	tn_ws_free(ws);
	stop_when_done(t);
}

static void client_closed(struct tn_ws *ws, uint16_t code, void *data)
{
	struct talk *t = data;

	t->client_code = code;
	t->client = NULL;
	tn_ws_free(ws);
	stop_when_done(t);
}

static const struct tn_ws_events server_events = {.message = at_server, .closed = server_closed};
static const struct tn_ws_events client_events = {.message = at_client, .closed = client_closed};

static enum tenon_code open_end(struct talk *t, int fd, enum tn_ws_role role, struct tn_str unread,
				struct tn_ws **ret)
{
	struct tenon_error err = {0};
	const struct tn_ws_options options = {.role = role,
					      .message_max = LARGE_BYTES,
					      .linger_ms = 50,
					      .unread = unread,
					      .events = role == TN_WS_SERVER ? &server_events
									     : &client_events,
					      .data = t};
	enum tenon_code code = tn_ws_open(t->loop, fd, &options, ret, &err);

	if (code == TENON_OK)
		return code;
	assert_int_equal(code, TENON_NO_MEMORY);
	assert_string_equal(err.message, "out of memory");
	(void)close(fd); /* still ours */
	return code;
}

/* Small, large and in fragments, there and back, and an orderly end. */
static void talk(struct talk *t)
{
	int pair[2];

	*t = (struct talk){.server_code = NO_CODE, .client_code = NO_CODE};
	if (tn_loop_create(&t->loop, NULL) != TENON_OK)
		return;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair),
			 0);
	if (open_end(t, pair[0], TN_WS_SERVER, TN_STR("\x01\x82\0\0\0\0fr\x80\x81\0\0\0\0a"),
		     &t->server) != TENON_OK)
		t->server_code = 0;
	if (open_end(t, pair[1], TN_WS_CLIENT, tn_str(NULL, 0), &t->client) != TENON_OK)
		t->client_code = 0;
	if (t->client) {
		tn_ws_send(t->client, TN_STR("one"));
		tn_ws_send(t->client, tn_str(large, LARGE_BYTES));
	}
	if (t->server || t->client)
		tn_loop_run(t->loop);
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
	assert_int_equal(t.server_code, TN_WS_NORMAL);
	assert_int_equal(t.client_code, TN_WS_NORMAL);
	assert_int_equal(fault.live, 0);
	assert_in_range(total, 10, 200);
	for (unsigned long nth = 1; nth <= total; nth++) {
		fault.count = 0;
		fault.nth = nth;
		talk(&t);
		assert_int_equal(fault.live, 0);
		if (t.loop)
			assert_true(t.server_code != NO_CODE && t.client_code != NO_CODE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_allocation)};

	fault.armed = true;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
