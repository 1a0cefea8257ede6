/* The live view without a network: what viewers get, who may type, what a slow one costs
 * (terminal.md section 11). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "apps/terminal/live/internal.h"
#include "apps/terminal/limits.h"
#include "apps/terminal/session/session_kit.h"
#include "base/mem.h"
#include "jsonrpc/json.h"

enum { COLUMNS = 80, ROWS = 24, SEEN_MAX = 64 * 1024 * 1024, RETURN_MS = 30 };

/* A viewer's end: the last text of each kind, and all bytes. */
struct eye {
	struct tn_live_viewer *viewer;
	struct tn_buf bytes; /* since the last snapshot, its own bytes included */
	struct tn_buf texts; /* all, a line each */
	size_t snapshot_bytes, total;
	unsigned snapshots, lags, closed;
	size_t queued;
};

struct bench {
	struct tn_loop *loop;
	uint64_t now_ms;
	struct tn_clock clock;
	struct tn_live *live;
	struct tn_term_session *session;
	struct eye eyes[4];
};

static uint64_t clock_now(void *data)
{
	const struct bench *b = data;

	return b->now_ms;
}

static struct tn_term_session *find(const char *id, const char *principal, void *data)
{
	const struct bench *b = data;

	assert_string_equal(principal, "user");
	return b->session && strcmp(id, "ses_kit") == 0 ? b->session : NULL;
}

static void eye_send(void *line, struct tn_str bytes, bool binary)
{
	struct eye *eye = line;

	assert_int_equal(eye->closed, 0); /* nothing follows the end */
	if (binary) {
		assert_true(bytes.size <= LIVE_FRAME);
		tn_buf_append_str(&eye->bytes, bytes);
		eye->total += bytes.size;
		return;
	}
	if (tn_str_find(bytes, TN_STR("\"t\":\"snapshot\"")) != TN_STR_NONE) {
		size_t at = tn_str_find(bytes, TN_STR("\"bytes\":")) + 8;

		tn_buf_clear(&eye->bytes);
		eye->snapshots++;
		eye->snapshot_bytes = strtoul(bytes.data + at, NULL, 10);
	}
	eye->lags += tn_str_find(bytes, TN_STR("\"t\":\"lag\"")) != TN_STR_NONE;
	tn_buf_append_str(&eye->texts, bytes);
	tn_buf_append_byte(&eye->texts, '\n');
}

static size_t eye_queued(const void *line)
{
	const struct eye *eye = line;

	return eye->queued;
}

static void eye_close(void *line, unsigned code)
{
	struct eye *eye = line;

	eye->closed = code;
}

static int set_up(void **state)
{
	struct bench *b = tn_mem_alloc(sizeof(*b));
	struct tn_live_options options = {.find = find, .data = b, .return_ms = RETURN_MS};

	assert_non_null(b);
	assert_int_equal(tn_loop_create(&b->loop, NULL), TENON_OK);
	b->clock = tn_clock_system;
	b->clock.monotonic_ms = clock_now;
	b->clock.data = b;
	b->now_ms = 1000;
	options.loop = b->loop;
	options.clock = &b->clock;
	b->session = kit_open(COLUMNS, ROWS);
	assert_int_equal(tn_live_open(&options, &b->live, NULL), TENON_OK);
	for (size_t i = 0; i < 4; i++) {
		tn_buf_init(&b->eyes[i].bytes, SEEN_MAX);
		tn_buf_init(&b->eyes[i].texts, SEEN_MAX);
	}
	*state = b;
	return 0;
}

static int tear_down(void **state)
{
	struct bench *b = *state;

	tn_live_close(b->live);
	if (b->session)
		kit_free(b->session);
	tn_loop_destroy(b->loop);
	for (size_t i = 0; i < 4; i++) {
		tn_buf_finish(&b->eyes[i].bytes);
		tn_buf_finish(&b->eyes[i].texts);
	}
	tn_mem_free(b);
	return 0;
}

static struct tn_live_viewer *try_enter(struct bench *b, struct eye *eye, const char *session,
					const char *ticket)
{
	const struct tn_live_wire wire = {
		.send = eye_send, .queued = eye_queued, .close = eye_close, .line = eye};

	return tn_live_enter(b->live, tn_str_from(session), tn_str_from(ticket), &wire);
}

static void make_ticket(struct bench *b, bool control, char ticket[TN_LIVE_TICKET_SIZE])
{
	assert_int_equal(tn_live_ticket(b->live, "ses_kit", "user", control, ticket, NULL),
			 TENON_OK);
}

static struct eye *enter(struct bench *b, size_t index, bool control)
{
	struct eye *eye = &b->eyes[index];
	char ticket[TN_LIVE_TICKET_SIZE];

	make_ticket(b, control, ticket);
	eye->viewer = try_enter(b, eye, "ses_kit", ticket);
	assert_non_null(eye->viewer);
	tn_live_begin(eye->viewer);
	return eye;
}

static void ask(struct eye *eye, const char *json)
{
	tn_live_received(eye->viewer, tn_str_from(json), false);
}

static void acknowledge(struct eye *eye)
{
	char json[64];

	(void)snprintf(json, sizeof(json), "{\"t\":\"ack\",\"bytes\":%zu}", eye->total);
	ask(eye, json);
}

/* Heard since the last question. */
static bool heard(struct eye *eye, const char *words)
{
	bool found = tn_str_find(tn_buf_str(&eye->texts), tn_str_from(words)) != TN_STR_NONE;

	if (!found)
		print_message("no %s in %.*s\n", words, (int)eye->texts.size, eye->texts.data);
	tn_buf_clear(&eye->texts);
	return found;
}

static struct tn_str live_bytes(const struct eye *eye)
{
	return tn_str_from_offset(tn_buf_str(&eye->bytes), eye->snapshot_bytes);
}

/* What the viewer's terminal shows is what the session's does. */
static void expect_same_screen(const struct bench *b, const struct eye *eye)
{
	const struct tn_screen_options options = {
		.columns = COLUMNS, .rows = ROWS, .scrollback_max = 2000};
	struct tn_screen *screen = NULL;
	struct tn_buf mine, theirs;

	tn_buf_init(&mine, TN_MIB);
	tn_buf_init(&theirs, TN_MIB);
	assert_int_equal(tn_screen_create(&options, &screen, NULL), TENON_OK);
	tn_screen_feed(screen, tn_buf_str(&eye->bytes));
	for (int32_t row = 0; row < ROWS; row++) {
		tn_screen_put_line_ansi(b->session->screen, row, false, &mine);
		tn_screen_put_line_ansi(screen, row, false, &theirs);
	}
	assert_true(tn_str_equal(tn_buf_str(&mine), tn_buf_str(&theirs)));
	tn_screen_destroy(screen);
	tn_buf_finish(&mine);
	tn_buf_finish(&theirs);
}

/* ---- tickets ---- */

static void test_tickets(void **state)
{
	struct bench *b = *state;
	char ticket[TN_LIVE_TICKET_SIZE], other[TN_LIVE_TICKET_SIZE];
	struct eye *eye = &b->eyes[0];

	make_ticket(b, false, ticket);
	assert_int_equal(strlen(ticket), 52); /* 256 bits */
	other[0] = '\0';
	assert_null(try_enter(b, eye, "ses_kit", ""));
	memcpy(other, ticket, sizeof(other));
	other[51] = other[51] == 'a' ? 'b' : 'a';
	assert_null(try_enter(b, eye, "ses_kit", other));
	eye->viewer = try_enter(b, eye, "ses_kit", ticket);
	assert_non_null(eye->viewer);
	assert_null(try_enter(b, &b->eyes[1], "ses_kit", ticket)); /* once */
	tn_live_leave(eye->viewer);
	make_ticket(b, false, ticket);
	b->now_ms += TN_TERM_TICKET_MS; /* soon */
	assert_null(try_enter(b, eye, "ses_kit", ticket));
	make_ticket(b, false, ticket);
	assert_null(try_enter(b, eye, "ses_other", ticket)); /* for one session, and spent */
	assert_null(try_enter(b, eye, "ses_kit", ticket));
}

static void test_many_tickets(void **state)
{
	struct bench *b = *state;
	char first[TN_LIVE_TICKET_SIZE], ticket[TN_LIVE_TICKET_SIZE];

	make_ticket(b, false, first);
	for (size_t i = 0; i < TN_TERM_TICKETS_MAX; i++) {
		b->now_ms++;
		make_ticket(b, false, ticket);
	}
	assert_null(try_enter(b, &b->eyes[0], "ses_kit", first)); /* the oldest went */
	b->eyes[0].viewer = try_enter(b, &b->eyes[0], "ses_kit", ticket);
	assert_non_null(b->eyes[0].viewer);
	tn_live_leave(b->eyes[0].viewer);
}

static void test_viewers_max(void **state)
{
	struct bench *b = *state;
	struct tn_live_viewer *viewers[TN_TERM_VIEWERS_MAX];
	char ticket[TN_LIVE_TICKET_SIZE];

	for (size_t i = 0; i < TN_TERM_VIEWERS_MAX; i++) {
		make_ticket(b, false, ticket);
		viewers[i] = try_enter(b, &b->eyes[0], "ses_kit", ticket);
		assert_non_null(viewers[i]);
	}
	make_ticket(b, false, ticket);
	assert_null(try_enter(b, &b->eyes[1], "ses_kit", ticket));
	for (size_t i = 0; i < TN_TERM_VIEWERS_MAX; i++)
		tn_live_leave(viewers[i]);
	assert_null(b->session->watchers); /* nobody looks: nothing is watched */
}

/* ---- bytes ---- */

static void test_snapshot_then_bytes(void **state)
{
	struct bench *b = *state;
	struct eye *early = enter(b, 0, false), *late;

	kit_output(b->session, TN_STR("\x1b[31mred\x1b[m\r\n\x1b[?1049hfull \x1b[7mscreen\x1b[m"));
	late = enter(b, 1, false);
	assert_true(late->snapshot_bytes > 0);
	assert_int_equal(live_bytes(late).size, 0);
	expect_same_screen(b, early);
	expect_same_screen(b, late);
	kit_output(b->session, TN_STR("\x1b[?1049l more\r\n"));
	assert_true(tn_str_is(live_bytes(late), "\x1b[?1049l more\r\n"));
	expect_same_screen(b, early);
	expect_same_screen(b, late);
	tn_live_leave(early->viewer);
	tn_live_leave(late->viewer);
}

/* Viewers that see the same stretch get the same bytes, however it is cut. */
static void test_same_for_all(void **state)
{
	static const char text[] = "a\x1b[1;3\x34mbold\x1b]0;title\x07 \xE2\x82\xAC \x1b]52;c;aGk="
				   "\x07"
				   "end\r\n";
	struct bench *b = *state;
	struct eye *first = enter(b, 0, false), *second = enter(b, 1, false);

	for (size_t i = 0; i < sizeof(text) - 1; i++)
		kit_output(b->session, tn_str(text + i, 1));
	assert_true(tn_str_equal(live_bytes(first), live_bytes(second)));
	/* terminal.md 10.4 */
	assert_int_equal(tn_str_find(live_bytes(first), TN_STR("52;")), TN_STR_NONE);
	assert_true(tn_str_find(live_bytes(first), TN_STR("end\r\n")) != TN_STR_NONE);
	expect_same_screen(b, first);
	tn_live_leave(first->viewer);
	tn_live_leave(second->viewer);
}

/* Somebody comes in while a sequence is half there. */
static void test_in_the_middle(void **state)
{
	static const char text[] = "one \x1b[38;5;196mtwo\x1b[m \xF0\x9F\x98\x80 three\x1b[2;5Hx";
	struct bench *b = *state;

	for (size_t cut = 1; cut < sizeof(text) - 1; cut++) {
		struct eye *eye;

		kit_output(b->session, tn_str(text, cut));
		eye = enter(b, 0, false);
		kit_output(b->session, tn_str_from_offset(TN_STR(text), cut));
		expect_same_screen(b, eye);
		tn_live_leave(eye->viewer);
		kit_output(b->session, TN_STR("\x1b[m\r\n"));
	}
}

static void flood(struct bench *b, size_t bytes)
{
	char piece[4096];

	for (size_t i = 0; i < sizeof(piece); i++)
		piece[i] = i % 64 == 63 ? '\n' : (char)('a' + i % 26);
	for (size_t sent = 0; sent < bytes; sent += sizeof(piece))
		kit_output(b->session, tn_str(piece, sizeof(piece)));
}

/* 512 KiB that a viewer has not drawn: `lag`, and a snapshot when it has caught up. */
static void test_lag(void **state)
{
	struct bench *b = *state;
	struct eye *slow = enter(b, 0, false), *quick = enter(b, 1, false);
	size_t quick_total;

	for (unsigned i = 0; i < 100; i++) {
		flood(b, 40960);
		acknowledge(quick);
	}
	assert_int_equal(quick->lags, 0);
	assert_int_equal(quick->snapshots, 1);
	quick_total = live_bytes(quick).size;
	assert_int_equal(quick_total, 100 * 40960);
	assert_int_equal(slow->lags, 1); /* said once */
	assert_true(slow->total <= slow->snapshot_bytes + TN_TERM_VIEWER_LAG_BYTES);
	assert_int_equal(slow->snapshots, 1);
	ask(slow, "{\"t\":\"ack\",\"bytes\":1000}"); /* not all yet */
	assert_int_equal(slow->snapshots, 1);
	slow->queued = LIVE_FRAME;
	acknowledge(slow); /* it cannot have drawn what has not left */
	assert_int_equal(slow->snapshots, 1);
	slow->queued = 200; /* but for a few words */
	acknowledge(slow);
	assert_int_equal(slow->snapshots, 2);
	expect_same_screen(b, slow);
	flood(b, 8192);
	assert_int_equal(live_bytes(slow).size, 8192);
	expect_same_screen(b, slow);
	tn_live_leave(slow->viewer);
	tn_live_leave(quick->viewer);
}

/* A snapshot may be larger than the window: it is none of the lag. */
static void test_large_snapshot(void **state)
{
	struct bench *b = *state;
	struct eye *eye;

	for (unsigned i = 0; i < 1200; i++)
		for (unsigned c = 0; c < COLUMNS; c++) {
			char cell[32];
			int size = snprintf(cell, sizeof(cell), "\x1b[38;5;%um%c", c + 16, 'x');

			kit_output(b->session, tn_str(cell, (size_t)size));
		}
	eye = enter(b, 0, false);
	assert_true(eye->snapshot_bytes > TN_TERM_VIEWER_LAG_BYTES);
	flood(b, TN_TERM_VIEWER_LAG_BYTES);
	assert_int_equal(eye->lags, 0);
	flood(b, 4096);
	assert_int_equal(eye->lags, 1);
	tn_live_leave(eye->viewer);
}

static void test_false_acknowledgement(void **state)
{
	struct bench *b = *state;
	struct eye *eye = enter(b, 0, false);

	ask(eye, "{\"t\":\"ack\",\"bytes\":99999999}");
	assert_int_equal(eye->closed, LIVE_CLOSE_POLICY);
	kit_output(b->session, TN_STR("nothing more for this one"));
	tn_live_leave(eye->viewer);
}

/* ---- the keyboard ---- */

static void test_read_only(void **state)
{
	struct bench *b = *state;
	struct eye *eye = enter(b, 0, false);

	assert_true(heard(eye, "\"may_control\":false,\"in_control\":false"));
	ask(eye, "{\"t\":\"input\",\"data\":\"rm\"}");
	assert_true(heard(eye, "\"refused\",\"what\":\"input\""));
	ask(eye, "{\"t\":\"take\"}");
	assert_true(heard(eye, "\"refused\",\"what\":\"take\""));
	ask(eye, "{\"t\":\"resize\",\"cols\":100,\"rows\":30}");
	assert_true(heard(eye, "\"refused\",\"what\":\"resize\""));
	tn_live_received(eye->viewer, TN_STR("raw"), true);
	assert_true(heard(eye, "\"refused\",\"what\":\"input\""));
	assert_int_equal(b->session->typed.size, 0);
	assert_int_equal(b->session->info.columns, COLUMNS);
	tn_live_leave(eye->viewer);
}

static void test_take_and_give(void **state)
{
	struct bench *b = *state;
	struct eye *mine = enter(b, 0, true), *other = enter(b, 1, true);
	uint16_t columns = b->session->info.columns, rows = b->session->info.rows;

	ask(mine, "{\"t\":\"input\",\"data\":\"x\"}"); /* not before it is taken */
	assert_true(heard(mine, "refused"));
	ask(mine, "{\"t\":\"take\"}");
	assert_true(heard(mine, "\"in_control\":true,\"controlled_by\":\"a person\""));
	assert_true(heard(other, "\"in_control\":false,\"controlled_by\":\"a person\""));
	ask(mine, "{\"t\":\"input\",\"data\":\"ls \\u00e9\\r\"}");
	tn_live_received(mine->viewer, TN_STR("\xFF"), true);
	assert_true(tn_str_is(tn_buf_str(&b->session->typed), "ls \xC3\xA9\r\xFF"));
	ask(mine, "{\"t\":\"resize\",\"cols\":100,\"rows\":30}");
	assert_true(heard(mine, "{\"t\":\"resize\",\"cols\":100,\"rows\":30}"));
	assert_int_equal(other->snapshots, 2); /* each has one for the new size */
	assert_true(heard(other, "{\"t\":\"resize\",\"cols\":100,\"rows\":30}"));
	ask(other, "{\"t\":\"take\"}"); /* another window of the same person */
	assert_true(heard(other, "\"in_control\":true"));
	assert_true(heard(mine, "\"in_control\":false,\"controlled_by\":\"a person\""));
	ask(mine, "{\"t\":\"give\"}");
	assert_true(heard(mine, "\"refused\",\"what\":\"give\""));
	ask(other, "{\"t\":\"give\"}");
	assert_true(heard(other, "\"in_control\":false,\"controlled_by\":null"));
	assert_int_equal(b->session->gives, 1);
	/* Finding 19: it has the size it had before; unless that was not changed by who had it. */
	assert_int_equal(b->session->info.columns, columns);
	assert_int_equal(b->session->info.rows, rows);
	ask(mine, "{\"t\":\"take\"}");
	ask(mine, "{\"t\":\"resize\",\"cols\":90,\"rows\":20}");
	assert_int_equal(tn_term_session_resize(b->session, 70, 20, NULL), TENON_OK);
	ask(mine, "{\"t\":\"give\"}");
	assert_int_equal(b->session->info.columns, 70);
	tn_live_leave(mine->viewer);
	tn_live_leave(other->viewer);
}

static void test_somebody_else(void **state)
{
	struct bench *b = *state;
	struct eye *eye = enter(b, 0, true);

	assert_true(tn_term_session_take(b->session, "somebody"));
	ask(eye, "{\"t\":\"take\"}");
	assert_true(heard(eye, "somebody else is in control"));
	ask(eye, "{\"t\":\"input\",\"data\":\"x\"}");
	assert_int_equal(b->session->typed.size, 0);
	tn_live_leave(eye->viewer);
}

static void run_for(struct bench *b, uint32_t ms);

/* A lost line is not a decision: the keyboard goes back to the assistant a little later, unless the
 * person comes back, or was handed it (7.14). */
static void test_lost_line(void **state)
{
	struct bench *b = *state;
	struct eye *eye = enter(b, 0, true);

	ask(eye, "{\"t\":\"take\"}");
	tn_live_leave(eye->viewer);
	assert_string_equal(b->session->controller, "a person");
	eye = enter(b, 1, true); /* back again */
	ask(eye, "{\"t\":\"take\"}");
	tn_live_leave(eye->viewer);
	run_for(b, RETURN_MS + 50);
	assert_int_equal(b->session->gives, 1);
	assert_null(b->session->watchers);
	b->session->info.message = "Please type the password";
	eye = enter(b, 2, true);
	assert_true(heard(eye, "\"message\":\"Please type the password\""));
	ask(eye, "{\"t\":\"take\"}");
	tn_live_leave(eye->viewer);
	run_for(b, RETURN_MS + 50);
	assert_int_equal(b->session->gives, 1);
	assert_string_equal(b->session->controller, "a person");
}

static void test_nonsense(void **state)
{
	static const char *const texts[] = {
		"",
		"{",
		"[]",
		"{\"t\":5}",
		"{\"t\":\"what\"}",
		"null",
		"{\"t\":\"input\"}",
		"{\"t\":\"ack\"}",
		"{\"t\":\"ack\",\"bytes\":-1}",
	};
	struct bench *b = *state;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct eye *eye = enter(b, 0, true);

		ask(eye, texts[i]);
		assert_int_equal(eye->closed, LIVE_CLOSE_POLICY);
		tn_live_leave(eye->viewer);
		eye->closed = 0;
	}
}

static void test_bad_sizes(void **state)
{
	static const char *const sizes[] = {"\"cols\":19,\"rows\":24",
					    "\"cols\":501,\"rows\":24",
					    "\"cols\":80,\"rows\":4",
					    "\"cols\":80,\"rows\":201",
					    "\"cols\":80",
					    "\"cols\":\"80\",\"rows\":24"};
	struct bench *b = *state;
	struct eye *eye = enter(b, 0, true);
	char json[96];

	ask(eye, "{\"t\":\"take\"}");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		(void)snprintf(json, sizeof(json), "{\"t\":\"resize\",%s}", sizes[i]);
		ask(eye, json);
		assert_true(heard(eye, "\"what\":\"resize\""));
	}
	assert_int_equal(b->session->info.columns, COLUMNS);
	tn_live_leave(eye->viewer);
}

/* ---- words ---- */

static void test_words(void **state)
{
	const struct tn_term_command_info command = {.id = "cmd_1",
						     .text = "make \"all\"",
						     .cwd = "/srv",
						     .exit_code = 2,
						     .status = TN_TERM_COMPLETED,
						     .completion = "marks",
						     .duration_ms = 1234};
	struct bench *b = *state;
	struct eye *eye = enter(b, 0, false);

	assert_true(heard(eye, "\"state\":\"idle\",\"name\":\"kit\",\"program\":\"bash\""));
	b->session->info.title = "my title";
	b->session->info.state = TN_TERM_WAITING_INPUT;
	b->session->info.waiting.for_input = b->session->info.waiting.hidden_input = true;
	kit_changed(b->session);
	assert_true(tn_str_find(tn_buf_str(&eye->texts),
				TN_STR("{\"t\":\"title\",\"title\":\"my title\"}")) != TN_STR_NONE);
	assert_true(heard(eye, "\"waiting\":true,\"hidden_input\":true"));
	kit_changed(b->session); /* nothing new is not said */
	assert_int_equal(eye->texts.size, 0);
	kit_command(b->session, &command, true);
	assert_true(heard(eye, "\"command\":\"make \\\"all\\\"\",\"cwd\":\"/srv\""));
	b->session->info.state = TN_TERM_EXITED;
	b->session->info.exit_code = 3;
	kit_changed(b->session);
	kit_changed(b->session);
	assert_true(heard(eye, "{\"t\":\"exit\",\"state\":\"exited\",\"exit_code\":3"));
	kit_changed(b->session);
	assert_int_equal(eye->texts.size, 0); /* once */
	kit_closed(b->session);
	assert_int_equal(eye->closed, LIVE_CLOSE_NORMAL);
	ask(eye, "{\"t\":\"take\"}"); /* too late, and no harm */
	tn_live_leave(eye->viewer);
}

/* A ticket for a session that has gone meanwhile. */
static void test_gone(void **state)
{
	struct bench *b = *state;
	char ticket[TN_LIVE_TICKET_SIZE];

	make_ticket(b, false, ticket);
	kit_free(b->session);
	b->session = NULL;
	assert_null(try_enter(b, &b->eyes[0], "ses_kit", ticket));
}

/* ---- time ---- */

static void stop(struct tn_timer *timer, void *data)
{
	(void)timer;
	tn_loop_stop(data);
}

static void run_for(struct bench *b, uint32_t ms)
{
	struct tn_timer *timer;

	assert_int_equal(tn_timer_open(b->loop, stop, b->loop, &timer, NULL), TENON_OK);
	tn_timer_start(timer, ms);
	tn_loop_run(b->loop);
	tn_timer_close(timer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_tickets, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many_tickets, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_viewers_max, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_snapshot_then_bytes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_same_for_all, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_in_the_middle, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_lag, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_large_snapshot, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_false_acknowledgement, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_read_only, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_take_and_give, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_somebody_else, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_lost_line, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nonsense, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_bad_sizes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_words, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_gone, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
