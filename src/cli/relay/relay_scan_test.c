#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "cli/relay/relay_scan.h"
#include "mcp/limits.h"

static struct tn_relay_scan scan;

static int set_up(void **state)
{
	(void)state;
	tn_relay_scan_init(&scan);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	tn_relay_scan_finish(&scan);
	return 0;
}

static void assert_str(struct tn_str actual, const char *expected)
{
	assert_int_equal(actual.size, strlen(expected));
	assert_memory_equal(actual.data, expected, actual.size);
}

struct row {
	const char *text;
	enum tn_relay_kind kind;
	const char *id, *key, *method, *params;
};

static const struct row rows[] = {
	{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", TN_RELAY_REQUEST, "1", "1", "ping",
	 ""},
	{"{\"method\":\"tools/call\",\"params\":{\"id\":9,\"method\":\"no\"},\"jsonrpc\":\"2.0\","
	 "\"id\":12}",
	 TN_RELAY_REQUEST, "12", "12", "tools/call", "{\"id\":9,\"method\":\"no\"}"},
	{" { \"id\" : \"a\" , \"params\" : [ 1 , 2 ] , \"method\" : \"m\" } ", TN_RELAY_REQUEST,
	 "\"a\"", "\"a", "m", "[ 1 , 2 ]"},
	{"{\"id\":\"1\",\"method\":\"m\"}", TN_RELAY_REQUEST, "\"1\"", "\"1", "m", ""},
	{"{\"id\":\"\\u0041\\\"\",\"method\":\"m\"}", TN_RELAY_REQUEST, "\"\\u0041\\\"\"", "\"A\"",
	 "m", ""},
	{"{\"i\\u0064\":7,\"met\\u0068od\":\"pi\\u006eg\"}", TN_RELAY_REQUEST, "7", "7", "ping",
	 ""},
	{"{\"id\":1,\"id\":2,\"method\":\"m\"}", TN_RELAY_REQUEST, "2", "2", "m", ""},
	{"{\"id\":-0,\"method\":\"m\"}", TN_RELAY_REQUEST, "-0", "-0", "m", ""},
	{"{\"method\":\"notifications/initialized\"}", TN_RELAY_NOTIFICATION, "", "",
	 "notifications/initialized", ""},
	{"{\"id\":3,\"result\":{\"a\":[{}]}}", TN_RELAY_RESULT, "3", "3", "", ""},
	{"{\"result\":{},\"id\":3}", TN_RELAY_RESULT, "3", "3", "", ""},
	{"{\"id\":3,\"error\":{\"code\":1}}", TN_RELAY_ERROR, "3", "3", "", ""},
	/* What has no usable id is nobody's, and the daemon says so. */
	{"{\"id\":null,\"error\":{}}", TN_RELAY_OTHER, "", "", "", ""},
	{"{\"id\":1.5,\"method\":\"m\"}", TN_RELAY_OTHER, "", "", "m", ""},
	{"{\"id\":{\"a\":[1]},\"method\":\"m\"}", TN_RELAY_OTHER, "", "", "m", ""},
	{"{\"id\":1,\"method\":[1,[2]],\"x\":1}", TN_RELAY_OTHER, "1", "1", "", ""},
	{"{}", TN_RELAY_OTHER, "", "", "", ""},
	{"17", TN_RELAY_OTHER, "", "", "", ""},
	{"\"text\"", TN_RELAY_OTHER, "", "", "", ""},
};

static void check_message(const struct row *row, const struct tn_relay_message *message)
{
	assert_int_equal(message->kind, row->kind);
	assert_str(message->id, row->id);
	assert_str(message->key, row->key);
	assert_str(message->method, row->method);
}

static void test_messages(void **state)
{
	struct tn_relay_message message;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(tn_relay_scan_begin(&scan, tn_str_from(rows[i].text)));
		assert_int_equal(tn_relay_scan_next(&scan, &message), TN_RELAY_MESSAGE);
		check_message(&rows[i], &message);
		assert_str(message.params, rows[i].params);
		assert_int_equal(tn_relay_scan_next(&scan, &message), TN_RELAY_END);
	}
}

/* What ends in the middle, or goes on behind its end, is no message at all. */
static void test_malformed(void **state)
{
	struct tn_relay_message message;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct tn_str text = tn_str_trim(tn_str_from(rows[i].text));

		for (size_t cut = 0; cut + 1 < text.size; cut++) {
			if (text.data[0] == '1') /* a number may end anywhere */
				break;
			assert_true(tn_relay_scan_begin(&scan, tn_str(text.data, cut)));
			assert_int_equal(tn_relay_scan_next(&scan, &message), TN_RELAY_MALFORMED);
			assert_int_equal(tn_relay_scan_next(&scan, &message), TN_RELAY_MALFORMED);
		}
	}
	assert_true(tn_relay_scan_begin(&scan, TN_STR("{\"id\":1,\"method\":\"m\"}}")));
	assert_int_equal(tn_relay_scan_next(&scan, &message), TN_RELAY_MALFORMED);
	assert_true(tn_relay_scan_begin(&scan, TN_STR("{\"id\":1,\"method\":\"m\"} {}")));
	assert_int_equal(tn_relay_scan_next(&scan, &message), TN_RELAY_MALFORMED);
	assert_true(tn_relay_scan_begin(&scan, TN_STR("{\"id\":1,\"method\":\"\xff\"}")));
	assert_int_equal(tn_relay_scan_next(&scan, &message), TN_RELAY_MALFORMED);
}

static void test_batches(void **state)
{
	static const char *const broken[] = {"[{\"id\":1,\"method\":\"a\"},", "[1,]", "[{}}", "["};
	struct tn_relay_message message;

	(void)state;
	assert_true(tn_relay_scan_begin(&scan, TN_STR("[{\"id\":1,\"method\":\"a\"}, 5 ,[1,[2]],"
						      "{\"method\":\"b\"},{\"id\":2,\"result\":"
						      "[]}]")));
	assert_int_equal(tn_relay_scan_next(&scan, &message), TN_RELAY_MESSAGE);
	assert_int_equal(message.kind, TN_RELAY_REQUEST);
	assert_true(scan.batch);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(tn_relay_scan_next(&scan, &message), TN_RELAY_MESSAGE);
		assert_int_equal(message.kind, TN_RELAY_OTHER);
	}
	assert_int_equal(tn_relay_scan_next(&scan, &message), TN_RELAY_MESSAGE);
	assert_int_equal(message.kind, TN_RELAY_NOTIFICATION);
	assert_int_equal(tn_relay_scan_next(&scan, &message), TN_RELAY_MESSAGE);
	assert_int_equal(message.kind, TN_RELAY_RESULT);
	assert_str(message.id, "2");
	assert_int_equal(tn_relay_scan_next(&scan, &message), TN_RELAY_END);
	assert_int_equal(tn_relay_scan_next(&scan, &message), TN_RELAY_END);
	assert_true(tn_relay_scan_begin(&scan, TN_STR("[]")));
	assert_int_equal(tn_relay_scan_next(&scan, &message), TN_RELAY_END);
	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		enum tn_relay_step step = TN_RELAY_MESSAGE;

		assert_true(tn_relay_scan_begin(&scan, tn_str_from(broken[i])));
		while (step == TN_RELAY_MESSAGE)
			step = tn_relay_scan_next(&scan, &message);
		assert_int_equal(step, TN_RELAY_MALFORMED);
	}
}

static void test_heads(void **state)
{
	struct tn_relay_message message;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(tn_relay_scan_head(&scan, tn_str_from(rows[i].text), &message),
				 TN_RELAY_MESSAGE);
		if (rows[i].text[0] == '{' || rows[i].text[0] == ' ') {
			assert_int_equal(message.kind, rows[i].kind);
			assert_str(message.id, rows[i].id);
		}
	}
}

/* A large answer is known by its head, wherever the copy of the head ends; one that tells its id
 * last is read whole. */
static void test_large_heads(void **state)
{
	struct tn_relay_message message;
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	for (size_t space = 460; space < 540; space++) {
		tn_buf_clear(&text);
		tn_buf_append_byte(&text, '{');
		for (size_t i = 0; i < space; i++)
			tn_buf_append_byte(&text, ' ');
		tn_buf_append_text(&text, "\"id\":1234567,\"result\":{\"text\":\"");
		for (size_t i = 0; i < 2000; i++)
			tn_buf_append_byte(&text, 'x');
		tn_buf_append_text(&text, "\"}}");
		assert_int_equal(tn_relay_scan_head(&scan, tn_buf_str(&text), &message),
				 TN_RELAY_MESSAGE);
		assert_int_equal(message.kind, TN_RELAY_RESULT);
		assert_str(message.id, "1234567");
		/* The same with the id at the end of the copy, behind the method. */
		tn_buf_clear(&text);
		tn_buf_append_byte(&text, '{');
		for (size_t i = 0; i < space; i++)
			tn_buf_append_byte(&text, ' ');
		tn_buf_append_text(&text, "\"method\":\"m\",\"id\":7654321,\"params\":{}}");
		assert_int_equal(tn_relay_scan_head(&scan, tn_buf_str(&text), &message),
				 TN_RELAY_MESSAGE);
		assert_int_equal(message.kind, TN_RELAY_REQUEST);
		assert_str(message.id, "7654321");
	}
	tn_buf_clear(&text);
	tn_buf_append_text(&text, "{\"result\":{\"text\":\"");
	for (size_t i = 0; i < 100000; i++)
		tn_buf_append_byte(&text, 'x');
	tn_buf_append_text(&text, "\"},\"id\":\"last\"}");
	assert_int_equal(tn_relay_scan_head(&scan, tn_buf_str(&text), &message), TN_RELAY_MESSAGE);
	assert_int_equal(message.kind, TN_RELAY_RESULT);
	assert_str(message.id, "\"last\"");
	text.size -= 3; /* the id has no end */
	assert_int_equal(tn_relay_scan_head(&scan, tn_buf_str(&text), &message),
			 TN_RELAY_MALFORMED);
	tn_buf_finish(&text);
}

/* The daemon refuses ids that are longer, without naming them. */
static void test_long_ids(void **state)
{
	struct tn_relay_message message;
	struct tn_buf text;

	(void)state;
	for (size_t extra = 0; extra < 2; extra++) {
		tn_buf_init(&text, TN_MIB);
		tn_buf_append_text(&text, "{\"method\":\"m\",\"id\":\"");
		for (size_t i = 0; i < TN_ID_BYTES_MAX + extra; i++)
			tn_buf_append_byte(&text, 'x');
		tn_buf_append_text(&text, "\"}");
		assert_true(tn_relay_scan_begin(&scan, tn_buf_str(&text)));
		assert_int_equal(tn_relay_scan_next(&scan, &message), TN_RELAY_MESSAGE);
		assert_int_equal(message.kind, extra ? TN_RELAY_OTHER : TN_RELAY_REQUEST);
		tn_buf_finish(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_messages, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_malformed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_batches, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_heads, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_large_heads, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_long_ids, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
