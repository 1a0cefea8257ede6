/* Sessions without a connection: who finds them, and when they end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/mem.h"
#include "mcp/limits.h"
#include "serve/http_session.h"
#include "mcp/test_peer.h"
#include "serve/limits.h"

struct bench {
	struct test_peer *t;
	struct tn_http_sessions table;
};

static int set_up(void **state)
{
	struct bench *b = tn_mem_alloc(sizeof(*b));
	struct tenon_error err;
	void *t;

	assert_non_null(b);
	(void)test_peer_setup(&t);
	b->t = t;
	assert_int_equal(tn_http_sessions_open(&b->table, b->t->server, &err), TENON_OK);
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	struct bench *b = *state;

	tn_http_sessions_close(&b->table);
	test_peer_destroy(b->t);
	tn_mem_free(b);
	return 0;
}

/* Only their addresses count here. */
static char ann_place[1], bob_place[1];
#define ann ((const struct tn_http_caller *)(const void *)ann_place)
#define bob ((const struct tn_http_caller *)(const void *)bob_place)

static struct tn_http_session *find(struct bench *b, const char *id,
				    const struct tn_http_caller *caller)
{
	return tn_http_session_find(&b->table, tn_str_from(id), caller, 0);
}

static void copy_id(char out[TN_SESSION_ID_SIZE], const struct tn_http_session *session)
{
	memcpy(out, session->id, TN_SESSION_ID_SIZE);
}

static void test_ids(void **state) /* MCP-130, MCP-133, MCP-285 */
{
	struct bench *b = *state;
	struct tn_http_session *one = tn_http_session_create(&b->table, "ann", ann);
	struct tn_http_session *two = tn_http_session_create(&b->table, "ann", ann);
	char id[TN_SESSION_ID_SIZE];

	copy_id(id, one);
	assert_string_not_equal(one->id, two->id);
	assert_true(strlen(id) >= 26); /* 128 bits in base 32 */
	for (const char *c = id; *c; c++)
		assert_true(*c >= 0x21 && *c <= 0x7E);
	assert_ptr_equal(find(b, id, ann), one);
	assert_null(find(b, id, bob)); /* as if unknown */
	assert_null(find(b, "", ann));
	assert_null(find(b, "nobody", ann));
	tn_http_session_destroy(one);
	assert_null(find(b, id, ann));
}

static void test_idle(void **state) /* MCP-136: half an hour, counted from the last use */
{
	struct bench *b = *state;
	char used[TN_SESSION_ID_SIZE], idle[TN_SESSION_ID_SIZE];

	copy_id(used, tn_http_session_create(&b->table, "ann", ann));
	copy_id(idle, tn_http_session_create(&b->table, "ann", ann));
	test_turn_clock(b->t, TN_SESSION_IDLE_MS - 1);
	tn_http_sessions_sweep(&b->table);
	assert_non_null(find(b, used, ann));
	test_turn_clock(b->t, 1);
	tn_http_sessions_sweep(&b->table);
	assert_int_equal(b->table.by_id.used, 1);
	assert_null(find(b, idle, ann));
	assert_non_null(find(b, used, ann));
}

static void test_busy(void **state) /* MCP-136: what runs is a use until it ends */
{
	struct bench *b = *state;
	struct tn_http_session *session = tn_http_session_create(&b->table, "tester", ann);
	struct tn_peer *stream = b->t->peer;
	char id[TN_SESSION_ID_SIZE];

	copy_id(id, session);
	b->t->peer = session->peer; /* a call of this session */
	session->peer->revision = TN_R4;
	(void)test_send(b->t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
			      "{\"name\":\"hold\"}}");
	b->t->peer = stream;
	for (int i = 0; i < 4; i++) {
		test_turn_clock(b->t, TN_SESSION_IDLE_MS / 2);
		tn_http_sessions_sweep(&b->table);
	}
	tenon_call_reply_text(b->t->held[0], "done"); /* after an hour */
	test_expect(b->t, "{\"id\":1,\"result\":\"<object>\"}");
	tn_http_sessions_sweep(&b->table);
	assert_non_null(find(b, id, ann));
	test_turn_clock(b->t, TN_SESSION_IDLE_MS);
	tn_http_sessions_sweep(&b->table);
	assert_null(find(b, id, ann));
}

static void test_cap(void **state) /* MCP-136: the one idle for longest goes */
{
	struct bench *b = *state;
	char first[TN_SESSION_ID_SIZE], second[TN_SESSION_ID_SIZE];

	copy_id(first, tn_http_session_create(&b->table, "ann", ann));
	copy_id(second, tn_http_session_create(&b->table, "ann", ann));
	for (int i = 2; i < TN_SESSIONS_MAX; i++)
		assert_non_null(tn_http_session_create(&b->table, "ann", ann));
	assert_non_null(find(b, first, ann)); /* used again */
	assert_non_null(tn_http_session_create(&b->table, "ann", ann));
	assert_int_equal(b->table.by_id.used, TN_SESSIONS_MAX);
	assert_non_null(find(b, first, ann));
	assert_null(find(b, second, ann));
}

static void test_all_busy(void **state) /* MCP-136: then there is no room */
{
	struct bench *b = *state;
	struct tn_http_session *last = NULL;

	for (int i = 0; i < TN_SESSIONS_MAX; i++) {
		last = tn_http_session_create(&b->table, "ann", ann);
		assert_non_null(last);
		last->peer->call_count++; /* as if a call ran */
	}
	assert_null(tn_http_session_create(&b->table, "ann", ann));
	last->peer->call_count--;
	assert_non_null(tn_http_session_create(&b->table, "ann", ann));
	for (struct tn_http_session *s = b->table.newest; s; s = s->next)
		s->peer->call_count = 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_ids), TEST(test_idle),     TEST(test_busy),
		TEST(test_cap), TEST(test_all_busy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
