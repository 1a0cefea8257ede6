/* The language server's messages: framing, its life, what it refuses, documents and their changes
 * (floorplan.md 12, Language Server Protocol 3.17). What it answers: lsp_answer_test.c. */
#include "apps/floorplan/lsp/lsp_editor_kit.h"

#include "apps/floorplan/limits.h"

/* ---- framing ---- */

static void expect_frame(const char *in, enum tn_lsp_frame wanted, const char *wanted_message)
{
	struct tn_str message = {"", 0};
	size_t end = 0;

	if (tn_lsp_frame(tn_str_from(in), &message, &end) != wanted)
		fail_msg("'%s' is no %d", in, (int)wanted);
	if (wanted == TN_LSP_FRAME_WHOLE && !tn_str_is(message, wanted_message))
		fail_msg("'%s' has '%.*s'", in, (int)message.size, message.data);
}

static void test_frames(void **state)
{
	(void)state;
	expect_frame("Content-Length: 2\r\n\r\n{}", TN_LSP_FRAME_WHOLE, "{}");
	expect_frame("Content-Length: 2\r\n\r\n{}Content", TN_LSP_FRAME_WHOLE, "{}");
	expect_frame("Content-Length: 0\r\n\r\n", TN_LSP_FRAME_WHOLE, "");
	expect_frame("content-LENGTH:2 \r\nContent-Type: utf-8\r\n\r\n{}", TN_LSP_FRAME_WHOLE,
		     "{}");
	expect_frame("Content-Type: x\r\nContent-Length: 2\r\n\r\n{}", TN_LSP_FRAME_WHOLE, "{}");
	expect_frame("Content-Length: 3\r\n\r\n{}", TN_LSP_FRAME_PART, NULL);
	expect_frame("", TN_LSP_FRAME_PART, NULL);
}

static void test_bad_frames(void **state)
{
	static const char *const bad[] = {"\r\n\r\n{}",
					  "{}\r\n\r\n",
					  "Content-Length\r\n\r\n{}",
					  "Content-Length:\r\n\r\n{}",
					  "Content-Length: -1\r\n\r\n{}",
					  "Content-Length: +2\r\n\r\n{}",
					  "Content-Length: 2a\r\n\r\n{}",
					  "Content-Length: 0x2\r\n\r\n{}",
					  "Content-Length: 2, 2\r\n\r\n{}",
					  "Content-Length: 16777217\r\n\r\n{}",
					  "Content-Length: 18446744073709551618\r\n\r\n{}",
					  "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
					  "XContent-Length: 2\r\n\r\n{}"};

	(void)state;
	for (size_t i = 0; i < TN_COUNT(bad); i++)
		expect_frame(bad[i], TN_LSP_FRAME_BAD, NULL);
	expect_frame("Content-Length: 16777216\r\n\r\n{}", TN_LSP_FRAME_PART, NULL);
}

static void test_header_cap(void **state)
{
	char in[TN_LSP_HEADER_BYTES_MAX + 64];
	struct tn_str message;
	size_t end;

	(void)state;
	memset(in, 'a', sizeof(in));
	assert_int_equal(tn_lsp_frame(tn_str(in, TN_LSP_HEADER_BYTES_MAX - 1), &message, &end),
			 TN_LSP_FRAME_PART);
	assert_int_equal(tn_lsp_frame(tn_str(in, TN_LSP_HEADER_BYTES_MAX), &message, &end),
			 TN_LSP_FRAME_BAD);
	/* Not even when it ends at last. */
	memcpy(in + TN_LSP_HEADER_BYTES_MAX, "\r\nContent-Length: 2\r\n\r\n{}", 25);
	assert_int_equal(tn_lsp_frame(tn_str(in, sizeof(in)), &message, &end), TN_LSP_FRAME_BAD);
}

/* Byte by byte: nothing before the last byte, and then what was sent. */
static void test_frames_in_pieces(void **state)
{
	static const char in[] =
		"Content-Length: 4\r\nX: \r\n\r\n{\n\r}Content-Length: 2\r\n\r\n[]";
	size_t done = 0, whole = 0;

	(void)state;
	for (size_t come = 0; come < sizeof(in); come++) {
		struct tn_str message;
		size_t end = 0;

		if (tn_lsp_frame(tn_str(in + done, come - done), &message, &end) ==
		    TN_LSP_FRAME_PART)
			continue;
		assert_true(tn_str_is(message, whole ? "[]" : "{\n\r}"));
		assert_int_equal(done + end, come);
		done = come;
		whole++;
	}
	assert_int_equal(whole, 2);
	assert_int_equal(done, sizeof(in) - 1);
}

/* ---- its life ---- */

static void expect_error(struct editor *editor, const char *message, int code)
{
	editor_say_text(editor, "%s", message);
	if (editor->count != 1 || editor_error(editor) != code)
		fail_msg("%s: %u messages, %d", message, editor->count, editor_error(editor));
}

static void test_life(void **state)
{
	struct editor editor;

	(void)state;
	editor_create(&editor);
	expect_error(&editor, "{\"id\":1,\"method\":\"textDocument/hover\"}", -32002);
	expect_error(&editor, "{\"id\":1,\"method\":\"shutdown\"}", -32002);
	editor_open(&editor, TN_STR("floorplan {"));
	assert_int_equal(editor.count, 0); /* a notification before initialize is dropped */
	editor_say_text(&editor, "{\"id\":\"a\",\"method\":\"initialize\",\"params\":{}}");
	assert_true(tn_json_is(
		tn_json_get(tn_json_get(tn_json_get(editor.reply, "result"), "capabilities"),
			    "hoverProvider"),
		TN_JSON_TRUE));
	assert_true(tn_json_is(tn_json_get(editor.reply, "id"), TN_JSON_STRING));
	expect_error(&editor, "{\"id\":2,\"method\":\"initialize\"}", -32600);
	editor_say_text(&editor, "{\"method\":\"initialized\",\"params\":{}}");
	assert_int_equal(editor.count, 0);
	editor_say_text(&editor, "{\"id\":3,\"method\":\"shutdown\"}");
	assert_true(tn_json_is(tn_json_get(editor.reply, "result"), TN_JSON_NULL));
	expect_error(&editor, "{\"id\":4,\"method\":\"textDocument/hover\"}", -32600);
	expect_error(&editor, "{\"id\":4,\"method\":\"initialize\"}", -32600);
	editor_open(&editor, TN_STR("floorplan {"));
	assert_int_equal(editor.count, 0);
	assert_true(editor.on);
	editor_say_text(&editor, "{\"method\":\"exit\"}");
	assert_false(editor.on);
	assert_int_equal(editor.exit, 0);
	editor_stop(&editor);
}

static void test_exit_without_shutdown(void **state)
{
	struct editor editor;

	(void)state;
	editor_create(&editor);
	editor_say_text(&editor, "{\"method\":\"exit\"}");
	assert_false(editor.on);
	assert_int_equal(editor.exit, 1);
	editor_stop(&editor);
	editor_start(&editor);
	editor_say_text(&editor, "{\"method\":\"exit\"}");
	assert_int_equal(editor.exit, 1);
	editor_stop(&editor);
}

static void test_bad_messages(void **state)
{
	static const char *const faults[] = {"", "{", "{a}", "{\"id\":1}x", "\xff", "nul"};
	static const char *const not_messages[] = {
		"[]", "1", "{}", "{\"id\":1}", "{\"method\":1}", "[{\"method\":\"exit\"}]"};
	struct editor editor;

	(void)state;
	editor_start(&editor);
	for (size_t i = 0; i < TN_COUNT(faults); i++) {
		expect_error(&editor, faults[i], -32700);
		assert_true(tn_json_is(tn_json_get(editor.reply, "id"), TN_JSON_NULL));
	}
	for (size_t i = 0; i < TN_COUNT(not_messages); i++)
		expect_error(&editor, not_messages[i], -32600);
	assert_true(editor.on);
	expect_error(&editor, "{\"id\":[1,{}],\"method\":\"textDocument/fly\"}", -32601);
	assert_true(tn_json_is(tn_json_get(editor.reply, "id"), TN_JSON_ARRAY));
	expect_error(&editor, "{\"id\":1,\"method\":\"\"}", -32601);
	editor_stop(&editor);
}

/* Every answer comes before the next message is read, so there is never anything to cancel. */
static void test_what_needs_no_answer(void **state)
{
	static const char *const quiet[] = {
		"{\"method\":\"$/cancelRequest\",\"params\":{\"id\":7}}",
		"{\"method\":\"$/setTrace\",\"params\":{}}",
		"{\"method\":\"textDocument/didSave\"}",
		"{\"method\":\"textDocument/didOpen\"}",
		"{\"method\":\"textDocument/didChange\",\"params\":[]}",
		"{\"method\":\"textDocument/didClose\",\"params\":{\"textDocument\":7}}",
		"{\"id\":1,\"result\":null}",
		"{\"id\":1,\"error\":{\"code\":1}}"};
	struct editor editor;

	(void)state;
	editor_start(&editor);
	for (size_t i = 0; i < TN_COUNT(quiet); i++) {
		editor_say_text(&editor, "%s", quiet[i]);
		if (editor.count != 0)
			fail_msg("%s is answered", quiet[i]);
	}
	(void)editor_ask(&editor, "textDocument/hover", ""); /* of a plan that is not open */
	assert_true(tn_json_is(tn_json_get(editor.reply, "result"), TN_JSON_NULL));
	editor_stop(&editor);
}

/* ---- documents ---- */

static void expect_text(struct editor *editor, const char *wanted)
{
	struct tn_str text = editor_text(editor);

	if (!tn_str_is(text, wanted))
		fail_msg("'%.*s', not '%s'", (int)text.size, text.data, wanted);
}

static void test_changes(void **state)
{
	struct editor editor;

	(void)state;
	editor_start(&editor);
	editor_open(&editor, TN_STR("a\U0001F600b\r\nc\rd\n\ufeffe"));
	editor_change(&editor, 0, 3, 0, 4, "B"); /* behind a character of two units */
	expect_text(&editor, "a\U0001F600B\r\nc\rd\n\ufeffe");
	editor_change(&editor, 1, 0, 2, 1, "C\nD");
	expect_text(&editor, "a\U0001F600B\r\nC\nD\n\ufeffe");
	editor_change(&editor, 3, 1, 3, 2, "E"); /* U+FEFF is one unit here, first or not */
	expect_text(&editor, "a\U0001F600B\r\nC\nD\n\ufeffE");
	editor_change(&editor, 0, 0, 0, 3, "");
	expect_text(&editor, "B\r\nC\nD\n\ufeffE");
	editor_change(&editor, 0, 1, 1, 0, ""); /* a line end of two bytes goes whole */
	expect_text(&editor, "BC\nD\n\ufeffE");
	editor_change(&editor, 0, 0, 9, 9, "");
	expect_text(&editor, "");
	editor_change(&editor, 0, 0, 0, 0, "floorplan");
	expect_text(&editor, "floorplan");
	assert_string_equal(editor_faults(&editor), "FP7000 FP3021");
	editor_stop(&editor);
}

static void test_places_outside(void **state)
{
	struct editor editor;

	(void)state;
	editor_start(&editor);
	editor_open(&editor, TN_STR("ab\r\ncd"));
	editor_change(&editor, 0, 99, 0, 99, "1"); /* the line's end, before its CR */
	expect_text(&editor, "ab1\r\ncd");
	editor_change(&editor, 99, 0, 99, 5, "2");
	expect_text(&editor, "ab1\r\ncd2");
	editor_change(&editor, -1, -5, -1, -5, "3");
	expect_text(&editor, "3ab1\r\ncd2");
	editor_change(&editor, 1, 1, 0, 0, "4"); /* an end before its start is the start */
	expect_text(&editor, "3ab1\r\nc4d2");
	editor_open(&editor, TN_STR("\U0001F600"));
	editor_change(&editor, 0, 1, 0, 1, "x"); /* nobody can mean half a character */
	expect_text(&editor, "\U0001F600x");
	editor_stop(&editor);
}

/* Several changes of one message, each of the text that the one before left. */
static void test_many_changes(void **state)
{
	struct editor editor;

	(void)state;
	editor_start(&editor);
	editor_open(&editor, TN_STR("abc"));
	editor_say_text(
		&editor,
		"{\"method\":\"textDocument/didChange\",\"params\":{\"textDocument\":{\"uri\":"
		"\"" EDITOR_URI "\",\"version\":9},\"contentChanges\":[{\"text\":\"xyz\"},"
		"{\"range\":{\"start\":{\"line\":0,\"character\":1},\"end\":{\"line\":0,"
		"\"character\":2}},\"text\":\"\\u0000\"},{\"text\":7},{},"
		"{\"range\":{\"start\":{\"line\":0,\"character\":2},\"end\":{\"line\":0,"
		"\"character\":2}},\"text\":\"!\"}]}}");
	assert_true(tn_str_equal(editor_text(&editor), TN_STR("x\0!z")));
	assert_int_equal(editor.count, 1);
	assert_string_equal(editor_faults(&editor), "FP0003");
	editor_say_text(
		&editor,
		"{\"method\":\"textDocument/didChange\",\"params\":{\"textDocument\":{\"uri\":"
		"\"" EDITOR_URI "\"},\"contentChanges\":[{\"range\":null,\"text\":\"q\"}]}}");
	expect_text(&editor, "q"); /* what some editors write for the whole text */
	editor_stop(&editor);
}

static void test_open_and_close(void **state)
{
	struct editor editor;
	int64_t version = 0;

	(void)state;
	editor_start(&editor);
	editor_open(&editor, TN_STR("floorplan {"));
	assert_string_equal(editor_faults(&editor), "FP7000 FP1008");
	assert_true(tn_json_to_int(tn_json_get(editor.marks, "version"), &version) && version == 1);
	editor_open(&editor, TN_STR("floorplan floor F {}")); /* again: the later text counts */
	expect_text(&editor, "floorplan floor F {}");
	editor_say_text(&editor, "{\"method\":\"textDocument/didClose\",\"params\":{"
				 "\"textDocument\":{\"uri\":\"" EDITOR_URI "\"}}}");
	assert_string_equal(editor_faults(&editor), "");
	assert_null(tn_lsp_documents(editor.lsp));
	editor_change(&editor, 0, 0, 0, 0, "x");
	assert_int_equal(editor.count, 0);
	/* Under these names nothing could be closed again. */
	editor_say_text(&editor, "{\"method\":\"textDocument/didOpen\",\"params\":{"
				 "\"textDocument\":{\"uri\":\"a\\u0000b\",\"text\":\"\"}}}");
	editor_say_text(&editor, "{\"method\":\"textDocument/didOpen\",\"params\":{"
				 "\"textDocument\":{\"uri\":\"\",\"text\":\"\"}}}");
	assert_null(tn_lsp_documents(editor.lsp));
	editor_stop(&editor);
}

static void test_documents_cap(void **state)
{
	struct editor editor;

	(void)state;
	editor_start(&editor);
	for (int i = 0; i <= TN_FLOOR_DOCUMENTS_MAX; i++) {
		assert_null(editor.shown);
		editor_say_text(
			&editor,
			"{\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{"
			"\"uri\":\"file:///%d\",\"text\":\"floorplan\"}}}",
			i);
	}
	assert_non_null(editor.shown);
	editor_say_text(&editor, "{\"method\":\"textDocument/didClose\",\"params\":{"
				 "\"textDocument\":{\"uri\":\"file:///3\"}}}");
	editor_open(&editor, TN_STR("floorplan"));
	assert_string_equal(tn_lsp_documents(editor.lsp)->uri, EDITOR_URI);
	editor_stop(&editor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frames),        cmocka_unit_test(test_bad_frames),
		cmocka_unit_test(test_header_cap),    cmocka_unit_test(test_frames_in_pieces),
		cmocka_unit_test(test_life),          cmocka_unit_test(test_exit_without_shutdown),
		cmocka_unit_test(test_bad_messages),  cmocka_unit_test(test_what_needs_no_answer),
		cmocka_unit_test(test_changes),       cmocka_unit_test(test_places_outside),
		cmocka_unit_test(test_many_changes),  cmocka_unit_test(test_open_and_close),
		cmocka_unit_test(test_documents_cap),
	};

	return cmocka_run_group_tests_name("floorplan language server", tests, NULL, NULL);
}
