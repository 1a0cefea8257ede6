/* The language server at its caps: large plans, texts full of faults, answers beyond what a message
 * may be (floorplan.md 11). */
#include "apps/floorplan/lsp/lsp_editor_kit.h"

#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <time.h>

#include "apps/floorplan/limits.h"

static void test_many_actions(void **state)
{
	static const char all[] = "\"range\":{\"start\":{\"line\":0,\"character\":0},"
				  "\"end\":{\"line\":99,\"character\":0}}";
	struct editor editor;
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_MIB);
	tn_buf_append_text(&text, "floorplan style Oak { floor_color: \"#C8A46B\" } floor F {\n");
	for (int i = 0; i < 2 * TN_LSP_ACTIONS_MAX; i++)
		tn_buf_format(&text, "room R%d at (%d,0) size (1 x 1) style Oka\n", i, i);
	tn_buf_append_text(&text, "}");
	editor_start(&editor);
	editor_open(&editor, tn_buf_str(&text));
	assert_int_equal(editor_ask(&editor, "textDocument/codeAction", all)->count,
			 TN_LSP_ACTIONS_MAX);
	editor_stop(&editor);
	tn_buf_finish(&text);
}

/* Every place repeats the document's address: an answer beyond the cap is an error, not silence. */
static void test_answer_cap(void **state)
{
	struct editor editor;
	struct tn_buf uri, message;

	(void)state;
	tn_buf_init(&uri, TN_MIB);
	while (uri.size < 40000)
		tn_buf_append_text(&uri, "file:///a/very/long/address/");
	tn_buf_init(&message, TN_MIB);
	tn_buf_format(&message,
		      "{\"method\":\"textDocument/didOpen\",\"params\":{\"textDocument\":{\"uri\":"
		      "\"%.*s\",\"text\":\"floorplan floor F { room A at (0,0) size (1 x 1) ",
		      (int)uri.size, uri.data);
	for (int i = 0; i < 1000; i++)
		tn_buf_format(&message, "room R%d size (1 x 1) right-of A gap %d ", i, i);
	tn_buf_append_text(&message, "}\"}}}");
	editor_start(&editor);
	editor_say(&editor, tn_buf_str(&message));
	assert_non_null(editor.marks);
	tn_buf_clear(&message);
	tn_buf_format(&message,
		      "{\"id\":1,\"method\":\"textDocument/references\",\"params\":{"
		      "\"textDocument\":{\"uri\":\"%.*s\"},\"position\":{\"line\":0,"
		      "\"character\":25}}}",
		      (int)uri.size, uri.data);
	editor_say(&editor, tn_buf_str(&message));
	assert_int_equal(editor_error(&editor), -32603);
	editor_stop(&editor);
	tn_buf_finish(&message);
	tn_buf_finish(&uri);
}

/* ---- growth: ten times as large takes about ten times as long, not a hundred ---- */

static double now_s(void) /* of the processor: other work does not count */
{
	return (double)clock() / CLOCKS_PER_SEC;
}

/* Every room refers to the one before; all on one line, where counting columns is slowest. */
static void put_large_plan(struct tn_buf *out, const char *line_end, int rooms)
{
	tn_buf_init(out, TN_FLOOR_TEXT_BYTES_MAX);
	tn_buf_append_text(out, "floorplan config {default_unit: m} floor F {");
	tn_buf_format(out, "%sroom R0 at (0,0) size (1 x 1)", line_end);
	for (int i = 1; i < rooms; i++)
		tn_buf_format(out,
			      "%sroom R%d size (1 x 1) right-of R%d label \"\u00fc\U0001F600\"",
			      line_end, i, i - 1);
	tn_buf_append_text(out, "}");
	for (int i = 1; i < 2 * rooms; i++)
		tn_buf_format(out, "%sconnect R%d to R%d door", line_end, (i - 1) / 2,
			      (i - 1) / 2 + 1);
	assert_false(out->failed);
}

static double time_of_answers(const char *line_end, int rooms)
{
	struct editor editor;
	struct tn_buf text;
	double since;

	put_large_plan(&text, line_end, rooms);
	editor_start(&editor);
	editor_open(&editor, tn_buf_str(&text));
	since = now_s();
	assert_int_equal(editor_ask(&editor, "textDocument/documentSymbol", "")->first->next, NULL);
	(void)editor_ask_at(&editor, "textDocument/references", "room R7", 5, "");
	since = now_s() - since;
	editor_stop(&editor);
	tn_buf_finish(&text);
	return since;
}

/* As when a word is replaced everywhere, from the end as editors do. */
static double time_of_changes(const char *line_end, int rooms)
{
	int changes = rooms / 5;
	struct editor editor;
	struct tn_buf text, message;
	double since;

	(void)line_end;
	put_large_plan(&text, "\n", rooms);
	tn_buf_init(&message, TN_LSP_MESSAGE_BYTES_MAX);
	tn_buf_append_text(&message,
			   "{\"method\":\"textDocument/didChange\",\"params\":{\"textDocument\":{"
			   "\"uri\":\"" EDITOR_URI "\"},\"contentChanges\":[");
	for (int i = changes; i > 0; i--)
		tn_buf_format(
			&message,
			"{\"range\":{\"start\":{\"line\":%d,\"character\":5},\"end\":{\"line\":"
			"%d,\"character\":6}},\"text\":\"Room\"}%s",
			i, i, i > 1 ? "," : "]}}");
	editor_start(&editor);
	editor_open(&editor, tn_buf_str(&text));
	since = now_s();
	/* Past the plain model, which takes its time. */
	(void)tn_lsp_handle(editor.lsp, tn_buf_str(&message), &editor.exit);
	since = now_s() - since;
	assert_int_equal(editor_text(&editor).size, text.size + (size_t)3 * (size_t)changes);
	editor_stop(&editor);
	tn_buf_finish(&message);
	tn_buf_finish(&text);
	return since;
}

static void test_growth(void **state)
{
	static const struct {
		const char *name, *line_end;
		double (*time_of)(const char *line_end, int rooms);
	} works[] = {{"answers, one line", " ", time_of_answers},
		     {"answers", "\n", time_of_answers},
		     {"changes", "\n", time_of_changes}};

	(void)state;
	/* Memory that is used again: not the kernel's first touch of it is measured. */
	(void)mallopt(M_MMAP_MAX, 0);
	(void)mallopt(M_TRIM_THRESHOLD, INT_MAX);
	for (size_t i = 0; i < TN_COUNT(works); i++) {
		double small = 1e9, large = 1e9;

		/* The least of both: others take the processor, too. */
		for (int k = 0; k < 3; k++) {
			small = fmin(small,
				     works[i].time_of(works[i].line_end, TN_FLOOR_ROOMS_MAX / 10));
			large = fmin(large,
				     works[i].time_of(works[i].line_end, TN_FLOOR_ROOMS_MAX));
		}
		print_message("%s: %.2f ms, ten times as large %.1f ms\n", works[i].name,
			      small * 1e3, large * 1e3);
		assert_true(large < fmax(small, 1e-3) * 10 * 4);
	}
}

static void test_many_faults(void **state)
{
	struct editor editor;
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, TN_FLOOR_TEXT_BYTES_MAX);
	tn_buf_append_text(&text, "floorplan ");
	while (text.size + 2 < TN_FLOOR_TEXT_BYTES_MAX)
		tn_buf_append_text(&text, "! ");
	editor_start(&editor);
	editor_open(&editor, tn_buf_str(&text));
	assert_int_equal(editor.count, 1);
	assert_in_range(tn_json_get(editor.marks, "diagnostics")->count, 100,
			3 * TN_LSP_FAULTS_MAX);
	editor_stop(&editor);
	tn_buf_finish(&text);
}

/* Too large to be a plan is a fault of the plan; too large to be kept is told, until it is opened
 * again. */
static void test_text_cap(void **state)
{
	struct editor editor;
	struct tn_buf text;

	(void)state;
	tn_buf_init(&text, 8 * TN_MIB);
	while (text.size <= TN_FLOOR_TEXT_BYTES_MAX)
		tn_buf_append_text(&text, "floorplan \n");
	editor_start(&editor);
	editor_open(&editor, tn_buf_str(&text));
	assert_string_equal(editor_faults(&editor), "FP0001");
	assert_null(editor.shown);
	while (text.size <= 4 * TN_FLOOR_TEXT_BYTES_MAX)
		tn_buf_append_text(&text, "floorplan \n");
	editor_open(&editor, tn_buf_str(&text));
	assert_non_null(editor.shown);
	editor_change(&editor, 0, 0, 0, 1, "");
	assert_true(tn_json_is(editor_ask(&editor, "textDocument/hover", ""), TN_JSON_NULL));
	editor_open(&editor, TN_STR("%%{version: 1.0}%% floorplan floor F {}"));
	assert_string_equal(editor_faults(&editor), "FP3021");
	editor_stop(&editor);
	tn_buf_finish(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_many_actions), cmocka_unit_test(test_answer_cap),
		cmocka_unit_test(test_growth),       cmocka_unit_test(test_many_faults),
		cmocka_unit_test(test_text_cap),
	};

	return cmocka_run_group_tests_name("floorplan language server, caps", tests, NULL, NULL);
}
