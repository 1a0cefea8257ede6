#include "client/event_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "client/limits.h"

/* Reads `stream` in pieces of `step` bytes and writes each event as "type|data|id;". */
static void read_all(struct tn_event_reader *reader, struct tn_str stream, size_t step,
		     struct tn_buf *out)
{
	while (stream.size) {
		struct tn_str piece = tn_str(stream.data, stream.size < step ? stream.size : step);
		struct tn_event event;

		stream = tn_str_from_offset(stream, piece.size);
		while (tn_event_reader_next(reader, &piece, &event)) {
			tn_buf_append_str(out, event.type);
			tn_buf_append_byte(out, '|');
			tn_buf_append_str(out, event.code ? TN_STR("?") : event.data);
			tn_buf_append_byte(out, '|');
			tn_buf_append_str(out, tn_buf_str(&reader->last_id));
			tn_buf_append_byte(out, ';');
		}
	}
}

/* The same events come whatever the pieces are. */
static void expect_of(struct tn_str stream, const char *expected)
{
	for (size_t step = 1; step <= stream.size; step++) {
		struct tn_event_reader reader;
		struct tn_buf out;

		tn_event_reader_init(&reader, 64);
		tn_buf_init(&out, 4096);
		read_all(&reader, stream, step, &out);
		tn_buf_append_byte(&out, '\0');
		assert_string_equal(out.data, expected);
		tn_buf_finish(&out);
		tn_event_reader_finish(&reader);
	}
}

static void expect(const char *stream, const char *expected)
{
	expect_of(tn_str_from(stream), expected);
}

/* MCP-097 */
static void lines_end_in_three_ways(void **state)
{
	(void)state;
	expect("data: a\n\ndata: b\r\n\r\ndata: c\r\r", "message|a|;message|b|;message|c|;");
	expect("data: a\r\n\ndata: b\n\r\n\r\ndata: c\n\r", "message|a|;message|b|;message|c|;");
}

/* MCP-097 */
static void fields_and_their_blank(void **state)
{
	(void)state;
	expect("data:a\ndata:  b\ndata\ndata:\n\n", "message|a\n b\n\n|;");
	expect("event: x\ndata: {\"a\": \":\"}\n\n", "x|{\"a\": \":\"}|;");
	expect("event:\ndata: 1\n\n", "message|1|;");
	expect("event: x\n\ndata: 1\n\n", "message|1|;"); /* a type without data is forgotten */
	expect("Data: 1\ndatas: 1\ndat: 1\n data: 1\nfoo\n\n", "");
	expect("data: \xE4\xB8\x96\n\n", "message|\xE4\xB8\x96|;");
	expect("event: a-type-that-is-longer-than-any-that-we-know\ndata: 1\n\n",
	       "a-type-that-is-longer-than-any-th|1|;");
}

/* MCP-097 */
static void a_byte_order_mark_is_skipped_once(void **state)
{
	(void)state;
	expect("\xEF\xBB\xBF"
	       "data: 1\n\n",
	       "message|1|;");
	expect("\xEF\xBB\xBF\xEF\xBB\xBF"
	       "data: 1\n\n",
	       "");
	expect("\xEF\xBB"
	       "data: 1\n\ndata: 2\n\n",
	       "message|2|;");
	expect("\xEF\xBB\n\ndata: 2\n\n", "message|2|;");
}

/* MCP-099 */
static void comments_are_nothing(void **state)
{
	(void)state;
	expect(": hello\n:\n\n:\r\n\r\ndata: 1\n: in between\ndata: 2\n\n", "message|1\n2|;");
}

/* MCP-097: the id counts when the event is complete, also without data. */
static void ids_are_kept(void **state)
{
	(void)state;
	expect("id: 1\ndata: a\n\ndata: b\n\n", "message|a|1;message|b|1;");
	expect("id: 1\n\ndata: b\n\n", "message|b|1;");
	expect("id: 1\ndata:\n\n", "message||1;");
	expect("id: 1\ndata: a\n\nid: 2\ndata: b\n", "message|a|1;");
	expect("id: 1\ndata: a\n\nid\ndata: b\n\n", "message|a|1;message|b|;");
	expect_of(TN_STR("id: 1\nid: 2\0x\ndata: a\n\n"), "message|a|1;");
}

static void an_endless_id_is_ignored(void **state)
{
	struct tn_event_reader reader;
	struct tn_buf stream, out;

	(void)state;
	tn_event_reader_init(&reader, 64);
	tn_buf_init(&stream, 8192);
	tn_buf_init(&out, 8192);
	tn_buf_append_text(&stream, "id: ");
	for (size_t i = 0; i <= TN_EVENT_ID_BYTES_MAX; i++)
		tn_buf_append_byte(&stream, 'x');
	tn_buf_append_text(&stream, "\ndata: 1\n\n");
	read_all(&reader, tn_buf_str(&stream), 100, &out);
	assert_true(tn_str_is(tn_buf_str(&out), "message|1|;"));
	tn_buf_finish(&stream);
	tn_buf_finish(&out);
	tn_event_reader_finish(&reader);
}

static bool retry_of(const char *stream, uint32_t *ret_ms)
{
	struct tn_event_reader reader;
	struct tn_buf out;

	tn_event_reader_init(&reader, 64);
	tn_buf_init(&out, 64);
	read_all(&reader, tn_str_from(stream), 1, &out);
	*ret_ms = reader.retry_ms;
	tn_buf_finish(&out);
	tn_event_reader_finish(&reader);
	return reader.has_retry;
}

/* MCP-097: digits only; it counts at the end of its line. */
static void retry_is_digits(void **state)
{
	uint32_t ms = 0;

	(void)state;
	assert_true(retry_of("retry: 500\n", &ms));
	assert_int_equal(ms, 500);
	assert_true(retry_of("retry:0\n", &ms));
	assert_int_equal(ms, 0);
	assert_true(retry_of("retry: 500\nretry: 1x\nretry\nretry: -1\nretry: 1.5\n", &ms));
	assert_int_equal(ms, 500);
	assert_false(retry_of("retry:  5\n", &ms));
	assert_false(retry_of("retry: 500", &ms));
	assert_true(retry_of("retry: 99999999999999999999999999999999999999999\n", &ms));
	assert_int_equal(ms, TN_RESUME_RETRY_MAX_MS);
}

/* MCP-097 */
static void a_last_event_without_its_blank_line_is_dropped(void **state)
{
	struct tn_event_reader reader;
	struct tn_buf out;

	(void)state;
	expect("data: a\n\ndata: b\n", "message|a|;");
	expect("data: a", "");
	tn_event_reader_init(&reader, 64);
	tn_buf_init(&out, 64);
	read_all(&reader, TN_STR("id: 7\ndata: a\n\nid: 8\ndata: b"), 5, &out);
	tn_event_reader_restart(&reader);
	read_all(&reader, TN_STR("\xEF\xBB\xBF\ndata: c\n\n"), 5, &out);
	assert_true(tn_str_is(tn_buf_str(&out), "message|a|7;message|c|7;"));
	tn_buf_finish(&out);
	tn_event_reader_finish(&reader);
}

/* mcp.md section 24: the message is refused, the stream goes on. */
static void too_much_data_costs_one_event(void **state)
{
	(void)state;
	expect("data: 0123456789012345678901234567890123456789012345678901234567890123\n\n"
	       "data: 01234567890123456789012345678901234567890123456789012345678901234\n\n"
	       "data: 1\n\n",
	       "message|0123456789012345678901234567890123456789012345678901234567890123|;"
	       "message|?|;message|1|;");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_end_in_three_ways),
		cmocka_unit_test(fields_and_their_blank),
		cmocka_unit_test(a_byte_order_mark_is_skipped_once),
		cmocka_unit_test(comments_are_nothing),
		cmocka_unit_test(ids_are_kept),
		cmocka_unit_test(an_endless_id_is_ignored),
		cmocka_unit_test(retry_is_digits),
		cmocka_unit_test(a_last_event_without_its_blank_line_is_dropped),
		cmocka_unit_test(too_much_data_costs_one_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
