/* Frames, byte by byte (RFC 6455 section 5; mcp.md MCP-162). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/mem.h"
#include "transport/ws_frame.h"

enum { MESSAGE_MAX = 100000, PIECE_WHOLE = 0 };

/* A script of frames, as a client or a server would send them. */
struct script {
	struct tn_buf bytes;
	bool masked, binary; /* the reader takes binary messages */
};

static void start(struct script *s, bool masked)
{
	*s = (struct script){.masked = masked};
	tn_buf_init(&s->bytes, 64 * TN_MIB);
}

/* Any first byte, and the length in the shortest form. */
static void put(struct script *s, unsigned first, const char *payload, size_t size)
{
	static const unsigned char mask[4] = {0xA1, 0x02, 0xFF, 0x37};
	char head[TN_WS_HEAD_MAX];
	size_t head_size = tn_ws_write_head(head, TN_WS_OP_TEXT, size, s->masked ? mask : NULL);

	head[0] = (char)first;
	tn_buf_append(&s->bytes, head, head_size);
	tn_buf_append(&s->bytes, payload, size);
	if (s->masked)
		tn_ws_mask(s->bytes.data + s->bytes.size - size, size, mask);
}

static void put_text(struct script *s, unsigned first, const char *payload)
{
	put(s, first, payload, strlen(payload));
}

static void put_raw(struct script *s, const char *bytes, size_t size)
{
	tn_buf_append(&s->bytes, bytes, size);
}

/* Everything the reader says, as text: "text(hello) ping(x) close(1000,bye) fault(1002)". */
static void put_event(struct tn_buf *log, enum tn_ws_event event, struct tn_str text, uint16_t code)
{
	static const char *const names[] = {
		[TN_WS_TEXT] = "text", [TN_WS_BINARY] = "binary", [TN_WS_PING] = "ping",
		[TN_WS_PONG] = "pong", [TN_WS_CLOSE] = "close",   [TN_WS_FAULT] = "fault"};

	if (log->size)
		tn_buf_append_byte(log, ' ');
	tn_buf_append_text(log, names[event]);
	tn_buf_append_byte(log, '(');
	if (event >= TN_WS_CLOSE)
		tn_buf_append_uint(log, code);
	if (event == TN_WS_CLOSE && text.size)
		tn_buf_append_byte(log, ',');
	tn_buf_append_str(log, text);
	tn_buf_append_byte(log, ')');
}

/* Reads the script in pieces; each call sees memory of exactly the size it is told. */
static void play(struct tn_buf *log, const struct script *s, size_t message_max, size_t piece)
{
	struct tn_ws_reader reader;
	size_t arrived = 0, dropped = 0, size = s->bytes.size;

	tn_buf_init(log, 64 * TN_MIB);
	tn_ws_reader_init(&reader, s->masked ? TN_WS_SERVER : TN_WS_CLIENT, message_max);
	reader.takes_binary = s->binary;
	while (arrived < size) {
		size_t step =
			piece == PIECE_WHOLE || piece > size - arrived ? size - arrived : piece;
		char *window;
		enum tn_ws_event event;

		arrived += step;
		window = tn_mem_alloc(arrived - dropped);
		assert_non_null(window);
		memcpy(window, s->bytes.data + dropped, arrived - dropped);
		do {
			struct tn_str text = {0};
			uint16_t code = 0;

			event = tn_ws_read(&reader, window, arrived - dropped, &text, &code);
			if (event != TN_WS_MORE)
				put_event(log, event, text, code);
		} while (event != TN_WS_MORE);
		assert_true(reader.consumed <= arrived - dropped);
		dropped += reader.consumed;
		reader.consumed = 0;
		tn_mem_free(window);
	}
	tn_ws_reader_finish(&reader);
}

/* The same in one piece and byte by byte. */
static void expect(struct script *s, const char *wanted)
{
	static const size_t pieces[] = {PIECE_WHOLE, 1, 2, 3, 7};

	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		struct tn_buf log;

		play(&log, s, MESSAGE_MAX, pieces[i]);
		tn_buf_append_byte(&log, '\0');
		assert_false(log.failed);
		assert_string_equal(log.data, wanted);
		tn_buf_finish(&log);
	}
	tn_buf_finish(&s->bytes);
}

static void expect_both(void (*make)(struct script *s), const char *wanted)
{
	struct script s;

	for (unsigned masked = 0; masked < 2; masked++) {
		start(&s, masked);
		make(&s);
		expect(&s, wanted);
	}
}

/* ---- messages ---- */

static void make_messages(struct script *s)
{
	put_text(s, 0x81, "hello");
	put_text(s, 0x81, "");
	put_text(s, 0x81, "gr\xC3\xBC\xC3\x9F");
	put_text(s, 0x89, "echo");
	put_text(s, 0x8A, "");
	put_text(s, 0x88,
		 "\x03\xE8"
		 "bye");
}

static void test_messages(void **state)
{
	(void)state;
	expect_both(make_messages, "text(hello) text() text(gr\xC3\xBC\xC3\x9F) ping(echo) pong() "
				   "close(1000,bye)");
}

static void make_fragments(struct script *s)
{
	put_text(s, 0x01, "a\xC3");
	put_text(s, 0x89, "between");
	put_text(s, 0x00, "");
	put_text(s, 0x00,
		 "\xBC" /* the other half of the character */
		 "b");
	put_text(s, 0x8A, "again");
	put_text(s, 0x80, "c");
	put_text(s, 0x81, "next");
	put_text(s, 0x01, "");
	put_text(s, 0x80, "");
}

static void test_fragments(void **state) /* MCP-162 */
{
	(void)state;
	expect_both(make_fragments, "ping(between) pong(again) text(a\xC3\xBC"
				    "bc) text(next) text()");
}

static void test_sizes(void **state)
{
	static const size_t sizes[] = {0, 1, 7, 8, 9, 125, 126, 127, 65535, 65536, MESSAGE_MAX};
	char *text = tn_mem_alloc(MESSAGE_MAX);

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < MESSAGE_MAX; i++)
		text[i] = (char)('a' + i % 26);
	for (unsigned masked = 0; masked < 2; masked++) {
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			struct script s;
			struct tn_buf log;

			start(&s, masked);
			put(&s, 0x81, text, sizes[i]);
			play(&log, &s, MESSAGE_MAX, 4096);
			assert_int_equal(log.size, sizes[i] + 6);
			assert_memory_equal(log.data, "text(", 5);
			assert_memory_equal(log.data + 5, text, sizes[i]);
			tn_buf_finish(&log);
			tn_buf_finish(&s.bytes);
		}
	}
	tn_mem_free(text);
}

static void test_needed(void **state)
{
	struct tn_ws_reader reader;
	struct script s;
	char text[300] = {0};

	(void)state;
	start(&s, true);
	put(&s, 0x81, text, sizeof(text));
	tn_ws_reader_init(&reader, TN_WS_SERVER, MESSAGE_MAX);
	for (size_t have = 0; have <= s.bytes.size; have++)
		assert_int_equal(tn_ws_needed(&reader, s.bytes.data, have),
				 have < 8 ? 0 : s.bytes.size - have);
	reader.message_max = 299;
	assert_int_equal(tn_ws_needed(&reader, s.bytes.data, 20), 0); /* it will not be read */
	tn_ws_reader_finish(&reader);
	tn_buf_finish(&s.bytes);
}

/* Where binary messages are taken any bytes are one; a text between is still UTF-8. */
static void test_binary(void **state)
{
	struct script s;

	(void)state;
	start(&s, true);
	s.binary = true;
	put_text(&s, 0x82, "\xFF\xFE");
	put_text(&s, 0x02, "a\xC3");
	put_text(&s, 0x89, "p");
	put_text(&s, 0x80, "\x80z");
	put_text(&s, 0x81, "text");
	put_text(&s, 0x81, "\xFF");
	expect(&s, "binary(\xFF\xFE) ping(p) binary(a\xC3\x80z) text(text) fault(1007)");
}

/* ---- faults ---- */

struct fault_case {
	const char *name;
	unsigned first;
	const char *payload;
	size_t size;
	const char *wanted;
};

static const struct fault_case faults[] = {
	{"binary", 0x82, "x", 1, "fault(1003)"},
	{"binary fragment", 0x02, "x", 1, "fault(1003)"},
	{"reserved bit 1", 0xC1, "x", 1, "fault(1002)"},
	{"reserved bit 2", 0xA1, "x", 1, "fault(1002)"},
	{"reserved bit 3", 0x91, "x", 1, "fault(1002)"},
	{"reserved bit of a ping", 0xC9, "x", 1, "fault(1002)"},
	{"opcode 3", 0x83, "x", 1, "fault(1002)"},
	{"opcode 7", 0x87, "x", 1, "fault(1002)"},
	{"opcode 11", 0x8B, "x", 1, "fault(1002)"},
	{"opcode 15", 0x8F, "x", 1, "fault(1002)"},
	{"continuation of nothing", 0x80, "x", 1, "fault(1002)"},
	{"fragment of nothing", 0x00, "x", 1, "fault(1002)"},
	{"fragmented ping", 0x09, "x", 1, "fault(1002)"},
	{"fragmented pong", 0x0A, "x", 1, "fault(1002)"},
	{"fragmented close", 0x08, "", 0, "fault(1002)"},
	{"half a code", 0x88, "\x03", 1, "fault(1002)"},
	{"code 0", 0x88, "\0\0", 2, "fault(1002)"},
	{"code 999", 0x88, "\x03\xE7", 2, "fault(1002)"},
	{"code 1004", 0x88, "\x03\xEC", 2, "fault(1002)"},
	{"code 1005", 0x88, "\x03\xED", 2, "fault(1002)"},
	{"code 1006", 0x88, "\x03\xEE", 2, "fault(1002)"},
	{"code 1015", 0x88, "\x03\xF7", 2, "fault(1002)"},
	{"code 1016", 0x88, "\x03\xF8", 2, "fault(1002)"},
	{"code 2999", 0x88, "\x0B\xB7", 2, "fault(1002)"},
	{"code 5000", 0x88, "\x13\x88", 2, "fault(1002)"},
	{"code 65535", 0x88, "\xFF\xFF", 2, "fault(1002)"},
	{"reason is no text", 0x88, "\x03\xE8\xFF", 3, "fault(1007)"},
	{"text is no text", 0x81, "a\xFFz", 3, "fault(1007)"},
	{"half a character", 0x81, "a\xC3", 2, "fault(1007)"},
	{"a surrogate", 0x81, "\xED\xA0\x80", 3, "fault(1007)"},
	{"an overlong form", 0x81, "\xC0\x80", 2, "fault(1007)"},
	{"no code", 0x88, "", 0, "close(1005)"},
	{"code 1001", 0x88, "\x03\xE9", 2, "close(1001)"},
	{"code 1003", 0x88, "\x03\xEB", 2, "close(1003)"},
	{"code 1007", 0x88, "\x03\xEF", 2, "close(1007)"},
	{"code 1014", 0x88, "\x03\xF6", 2, "close(1014)"},
	{"code 3000", 0x88, "\x0B\xB8", 2, "close(3000)"},
	{"code 4999", 0x88, "\x13\x87", 2, "close(4999)"},
};

static void test_faults(void **state) /* MCP-162 */
{
	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		for (unsigned masked = 0; masked < 2; masked++) {
			struct script s;

			print_message("%s\n", faults[i].name);
			start(&s, masked);
			put(&s, faults[i].first, faults[i].payload, faults[i].size);
			put_text(&s, 0x81, "nobody reads this");
			expect(&s, faults[i].wanted);
		}
	}
}

static void make_second_message(struct script *s)
{
	put_text(s, 0x01, "first");
	put_text(s, 0x81, "second");
}

static void make_bad_fragments(struct script *s)
{
	put_text(s, 0x01, "a\xC3");
	put_text(s, 0x80, "b");
}

static void make_close_in_message(struct script *s)
{
	put_text(s, 0x01, "first");
	put_text(s, 0x88, "\x03\xE8");
	put_text(s, 0x80, "rest");
}

static void test_faults_of_sequence(void **state)
{
	(void)state;
	expect_both(make_second_message, "fault(1002)");
	expect_both(make_bad_fragments, "fault(1007)");
	expect_both(make_close_in_message, "close(1000)");
}

struct raw_case {
	const char *name;
	const char *bytes;
	size_t size;
	bool masked;
	const char *wanted;
};

static const struct raw_case raws[] = {
	{"unmasked to a server", "\x81\x01x", 3, true, "fault(1002)"},
	{"masked to a client", "\x81\x81\1\2\3\4x", 7, false, "fault(1002)"},
	{"5 bytes in 16 bits", "\x81\x7E\0\5hello", 9, false, "fault(1002)"},
	{"125 bytes in 16 bits", "\x81\x7E\0\x7D", 4, false, "fault(1002)"},
	{"126 bytes in 16 bits", "\x81\x7E\0\x7E", 4, false, ""},
	{"65535 bytes in 64 bits", "\x81\x7F\0\0\0\0\0\0\xFF\xFF", 10, false, "fault(1002)"},
	{"65536 bytes in 64 bits", "\x81\x7F\0\0\0\0\0\1\0\0", 10, false, ""},
	{"a negative length", "\x81\x7F\x80\0\0\0\0\0\0\0", 10, false, "fault(1002)"},
	{"the largest length", "\x81\x7F\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 10, false,
	 "fault(1009)"},
	{"a long ping", "\x89\x7E\0\x7E", 4, false, "fault(1002)"},
	{"a longer ping", "\x89\x7F\0\0\0\0\0\1\0\0", 10, false, "fault(1002)"},
	{"over the cap by one", "\x81\x7F\0\0\0\0\0\1\x86\xA1", 10, false, "fault(1009)"},
	{"at the cap", "\x81\x7F\0\0\0\0\0\1\x86\xA0", 10, false, ""},
	{"over the cap in parts", "\x01\1x\x80\x7F\0\0\0\0\0\1\x86\xA0", 13, false, "fault(1009)"},
	{"one byte", "\x81", 1, true, ""},
};

static void test_raw(void **state) /* MCP-162 */
{
	(void)state;
	for (size_t i = 0; i < sizeof(raws) / sizeof(raws[0]); i++) {
		struct script s;

		print_message("%s\n", raws[i].name);
		start(&s, raws[i].masked);
		put_raw(&s, raws[i].bytes, raws[i].size);
		expect(&s, raws[i].wanted);
	}
}

/* Nothing is needed and nothing more is said once it is over. */
static void test_after_the_end(void **state)
{
	struct tn_ws_reader reader;
	struct tn_str text;
	uint16_t code;
	char bytes[] = "\x83\x01x\x81\x01y";

	(void)state;
	tn_ws_reader_init(&reader, TN_WS_CLIENT, MESSAGE_MAX);
	assert_int_equal(tn_ws_read(&reader, bytes, 6, &text, &code), TN_WS_FAULT);
	assert_int_equal(tn_ws_needed(&reader, bytes, 5), 0);
	assert_int_equal(tn_ws_read(&reader, bytes, 6, &text, &code), TN_WS_MORE);
	assert_int_equal(reader.consumed, 6); /* the caller may drop it all */
	tn_ws_reader_finish(&reader);
}

/* A message of 16 MiB in 16 Mi frames: each byte is moved a few times, not 16 Mi times. A reader
 * that copies the message with every frame needs hours for this. */
static void test_one_byte_fragments(void **state)
{
	enum { FRAMES = 16 * 1024 * 1024, FRAME = 7 };
	struct tn_ws_reader reader;
	struct tn_str text = {0};
	uint16_t code;
	unsigned char frame[FRAME] = {0x00, 0x81, 9, 9, 9, 9, 'a' ^ 9};
	char *bytes = tn_mem_alloc((size_t)FRAMES * FRAME);

	(void)state;
	assert_non_null(bytes);
	for (size_t i = 0; i < FRAMES; i++) {
		frame[0] = (unsigned char)((i == 0 ? 1 : 0) | (i == FRAMES - 1 ? 0x80 : 0));
		memcpy(bytes + i * FRAME, frame, FRAME);
	}
	tn_ws_reader_init(&reader, TN_WS_SERVER, FRAMES);
	assert_int_equal(tn_ws_read(&reader, bytes, (size_t)FRAMES * FRAME, &text, &code),
			 TN_WS_TEXT);
	assert_int_equal(text.size, FRAMES);
	assert_int_equal(text.data[0], 'a');
	assert_int_equal(text.data[FRAMES - 1], 'a');
	assert_int_equal(tn_ws_read(&reader, bytes, (size_t)FRAMES * FRAME, &text, &code),
			 TN_WS_MORE);
	assert_null(reader.parts.data); /* an idle connection holds no buffer */
	tn_ws_reader_finish(&reader);
	tn_mem_free(bytes);
}

/* ---- the handshake ---- */

static void test_accept(void **state) /* MCP-161 */
{
	char accept[TN_WS_ACCEPT_SIZE];

	(void)state;
	tn_ws_accept(TN_STR("dGhlIHNhbXBsZSBub25jZQ=="), accept); /* RFC 6455 section 1.3 */
	assert_string_equal(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
	tn_ws_accept(TN_STR("x3JJHMbDL1EzLkh9GBhXDw=="), accept);
	assert_string_equal(accept, "HSmrc0sMlYUkAGmm5OPpG2HaGWk=");
}

static void test_keys(void **state)
{
	char a[TN_WS_KEY_SIZE], b[TN_WS_KEY_SIZE];

	(void)state;
	tn_ws_make_key(a);
	tn_ws_make_key(b);
	assert_true(tn_ws_is_key(tn_str_from(a)));
	assert_true(tn_ws_is_key(tn_str_from(b)));
	assert_string_not_equal(a, b);
	assert_true(tn_ws_is_key(TN_STR("dGhlIHNhbXBsZSBub25jZQ==")));
	assert_false(tn_ws_is_key(TN_STR("")));
	assert_false(tn_ws_is_key(TN_STR("dGhlIHNhbXBsZSBub25jZQ=")));
	assert_false(tn_ws_is_key(TN_STR("dGhlIHNhbXBsZSBub25jZQ= ")));
	assert_false(tn_ws_is_key(TN_STR("dGhlIHNhbXBsZSBub25jZQAA")));
	assert_false(tn_ws_is_key(TN_STR("dGhlIHNhbXBsZSBub25jZR=="))); /* stray bits */
	assert_false(tn_ws_is_key(TN_STR("dGhlIHNhbX-sZSBub25jZQ==")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_fragments),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_needed),
		cmocka_unit_test(test_binary),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_faults_of_sequence),
		cmocka_unit_test(test_raw),
		cmocka_unit_test(test_after_the_end),
		cmocka_unit_test(test_one_byte_fragments),
		cmocka_unit_test(test_accept),
		cmocka_unit_test(test_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
