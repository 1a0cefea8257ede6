/* What the language server answers: every request that it offers, on a plan whose columns differ in
 * bytes, characters and UTF-16 units. At their caps: lsp_caps_test.c. */
#include "apps/floorplan/lsp/lsp_editor_kit.h"

#include "apps/floorplan/exchange/format.h"

static const char plan[] =
	"%%{version: 1.0}%%\n"
	"floorplan\n"
	"  define Box (3 x 2)\n"
	"  style Oak { floor_color: \"#C8A46B\" }\n"
	"  config { default_style: Oak, default_unit: m }\n"
	"  floor G {\n"
	"    room Hall at (0,0) size (6m x 6m) label \"Gr\u00f6\u00dfe \U0001F600\" style Oak\n"
	"    room Bath size Box right-of Hall align top composed of [\n"
	"      sub-room Tub at (0,0) size (1 x 1)\n"
	"    ]\n"
	"    stair Up at (1,1) shape straight toward top rise 2m\n"
	"    lift Down at (4,1) size (1 x 1)\n"
	"  }\n"
	"  floor H {\n"
	"    room Hall at (0,0) size (6 x 6)\n"
	"    stair Up at (1,1) shape straight toward top rise 2m\n"
	"    lift Down at (4,1) size (1 x 1)\n"
	"  }\n"
	"  connect G.Hall.right to G.Bath.left door opens into Bath\n"
	"  vertical G.Up to H.Up\n"
	"  vertical G.Down to H.Down\n";

static void start(struct editor *editor)
{
	editor_start(editor);
	editor_open(editor, TN_STR(plan));
	assert_string_equal(editor_faults(editor), "");
}

/* ---- names ---- */

static void expect_places(struct editor *editor, const struct tn_json *found, const char *wanted)
{
	const char *places =
		tn_json_is(found, TN_JSON_NULL) ? "null" : editor_places(editor, found);

	if (strcmp(places, wanted) != 0)
		fail_msg("%s, not %s", places, wanted);
}

static void expect_definition(struct editor *editor, const char *needle, size_t shift,
			      const char *wanted)
{
	expect_places(editor, editor_ask_at(editor, "textDocument/definition", needle, shift, ""),
		      wanted);
}

static void test_definition(void **state)
{
	struct editor editor;

	(void)state;
	start(&editor);
	expect_definition(&editor, "right-of Hall", 9, "6:9 Hall");
	expect_definition(&editor, "right-of Hall", 13, "6:9 Hall"); /* just behind it */
	expect_definition(&editor, "G.Hall.right", 0, "5:8 G");
	expect_definition(&editor, "G.Bath.left", 3, "7:9 Bath");
	expect_definition(&editor, "into Bath", 5, "7:9 Bath");
	expect_definition(&editor, "\" style Oak\n", 8, "3:8 Oak"); /* behind the emoji */
	expect_definition(&editor, "default_style: Oak", 15, "3:8 Oak");
	expect_definition(&editor, "size Box", 5, "2:9 Box");
	expect_definition(&editor, "to H.Up", 5, "15:10 Up");
	expect_definition(&editor, "G.Down", 2, "11:9 Down");
	expect_definition(&editor, "sub-room Tub", 9, "8:15 Tub");
	expect_definition(&editor, "version", 0, "null");
	expect_definition(&editor, "6m x", 0, "null");
	/* What another floor has counts for nothing. */
	editor_open(&editor, TN_STR("floorplan floor G { room A size (1 x 1) right-of B } "
				    "floor H { room B at (0,0) size (1 x 1) }"));
	expect_definition(&editor, "right-of B", 9, "null");
	editor_stop(&editor);
}

/* The mark of UTF-8 is a unit of the first line, though no column of ours; CR alone ends a line. */
static void test_columns(void **state)
{
	struct editor editor;

	(void)state;
	editor_start(&editor);
	editor_open(&editor, TN_STR("\ufefffloorplan floor F { room A at (0,0) size (1 x 1)\r"
				    "room B label \"\U0001F600\" right-of A size (1 x 1)\r\n"
				    "room C size (1 x 1) right-of B }"));
	expect_places(&editor,
		      editor_ask(&editor, "textDocument/definition",
				 "\"position\":{\"line\":1,\"character\":27}"),
		      "0:26 A");
	expect_places(&editor,
		      editor_ask(&editor, "textDocument/definition",
				 "\"position\":{\"line\":2,\"character\":29}"),
		      "1:5 B");
	expect_places(&editor,
		      editor_ask(&editor, "textDocument/references",
				 "\"position\":{\"line\":0,\"character\":26}"),
		      "0:26 A; 1:27 A");
	editor_stop(&editor);
}

static void test_references(void **state)
{
	static const char with[] = "\"context\":{\"includeDeclaration\":true}",
			  without[] = "\"context\":{\"includeDeclaration\":false}";
	static const char method[] = "textDocument/references";
	struct editor editor;

	(void)state;
	start(&editor);
	/* The floor above has a Hall of its own. */
	expect_places(&editor, editor_ask_at(&editor, method, "room Hall", 5, with),
		      "6:9 Hall; 7:32 Hall; 18:12 Hall");
	expect_places(&editor, editor_ask_at(&editor, method, "room Hall", 5, without),
		      "7:32 Hall; 18:12 Hall");
	expect_places(&editor, editor_ask_at(&editor, method, "style Oak", 6, with),
		      "3:8 Oak; 4:26 Oak; 6:61 Oak");
	expect_places(&editor, editor_ask_at(&editor, method, "floor H", 6, with),
		      "13:8 H; 19:19 H; 20:21 H");
	expect_places(&editor, editor_ask_at(&editor, method, "floorplan", 2, with), "");
	editor_stop(&editor);
}

static void expect_rename(struct editor *editor, const char *needle, size_t shift,
			  const char *wanted)
{
	const struct tn_json *edits = editor_ask_at(editor, "textDocument/rename", needle, shift,
						    "\"newName\":\"New_1\"");

	edits = tn_json_get(tn_json_get(edits, "changes"), EDITOR_URI);
	assert_non_null(edits);
	expect_places(editor, edits, wanted);
	editor_apply(editor, edits);
	assert_string_equal(editor_faults(editor), "");
	editor_open(editor, TN_STR(plan));
}

static void test_rename(void **state)
{
	struct editor editor;

	(void)state;
	start(&editor);
	expect_rename(&editor, "into Bath", 5, "7:9 Bath; 18:28 Bath; 18:54 Bath");
	expect_rename(&editor, "define Box", 7, "2:9 Box; 7:19 Box");
	expect_rename(&editor, "Oak\n", 0, "3:8 Oak; 4:26 Oak; 6:61 Oak");
	expect_rename(&editor, "floor G", 6, "5:8 G; 18:10 G; 18:26 G; 19:11 G; 20:11 G");
	expect_rename(&editor, "G.Up", 2, "10:10 Up; 19:13 Up");
	expect_rename(&editor, "Tub", 1, "8:15 Tub");
	expect_places(&editor,
		      editor_ask_at(&editor, "textDocument/prepareRename", "stair Up", 6, ""),
		      "10:10 Up");
	expect_places(&editor,
		      editor_ask_at(&editor, "textDocument/prepareRename", "stair Up", 2, ""),
		      "null");
	editor_stop(&editor);
}

static void expect_no_rename(struct editor *editor, int line, int column, const char *name,
			     const char *why)
{
	struct tn_str message = {"", 0};

	editor_say_text(
		editor,
		"{\"id\":1,\"method\":\"textDocument/rename\",\"params\":{\"textDocument\":{"
		"\"uri\":\"" EDITOR_URI "\"},\"position\":{\"line\":%d,\"character\":%d},"
		"\"newName\":%s}}",
		line, column, name);
	assert_int_equal(editor_error(editor), -32803);
	(void)tn_json_to_str(tn_json_get(tn_json_get(editor->reply, "error"), "message"), &message);
	if (tn_str_find(message, tn_str_from(why)) == TN_STR_NONE)
		fail_msg("%s: %.*s", name, (int)message.size, message.data);
}

static void test_rename_refused(void **state)
{
	struct editor editor;

	(void)state;
	start(&editor);
	expect_no_rename(&editor, 6, 9, "\"room\"", "a name begins");
	expect_no_rename(&editor, 6, 9, "\"2nd\"", "a name begins");
	expect_no_rename(&editor, 6, 9, "\"a b\"", "a name begins");
	expect_no_rename(&editor, 6, 9, "\"\"", "a name begins");
	expect_no_rename(&editor, 6, 9, "7", "a name begins");
	expect_no_rename(&editor, 6, 9, "\"Bath\"", "taken");
	expect_no_rename(&editor, 6, 9, "\"Tub\"", "taken");
	expect_no_rename(&editor, 5, 8, "\"H\"", "taken");
	expect_no_rename(&editor, 1, 3, "\"Q\"", "no name here");
	editor_change(&editor, 1, 0, 1, 0, "{");
	expect_no_rename(&editor, 6, 9, "\"Q\"", "syntax errors");
	editor_stop(&editor);
}

/* ---- facts and outline ---- */

static void expect_hover(struct editor *editor, const char *needle, size_t shift,
			 const char *wanted)
{
	const struct tn_json *result =
		editor_ask_at(editor, "textDocument/hover", needle, shift, "");
	struct tn_str words = {"", 0};

	(void)tn_json_to_str(tn_json_get(tn_json_get(result, "contents"), "value"), &words);
	if (!tn_str_is(words, wanted))
		fail_msg("%s: '%.*s'", needle, (int)words.size, words.data);
}

static void test_hover(void **state)
{
	struct editor editor;

	(void)state;
	start(&editor);
	expect_hover(&editor, "right-of Hall", 9,
		     "**room Hall** on floor G\n\n\"Gr\u00f6\u00dfe \U0001F600\"\n\n6 x 6 m at (0, "
		     "0), area "
		     "36 sqm, height 3.35 m\n\nwalls: top solid, right solid, bottom solid, left "
		     "solid");
	expect_hover(&editor, "room Bath", 5,
		     "**room Bath** on floor G\n\n3 x 2 m at (6, 0), area 6 sqm, height 3.35 m\n\n"
		     "walls: top solid, right solid, bottom solid, left solid\n\n1 sub-rooms");
	expect_hover(&editor, "vertical G", 9,
		     "**floor G**\n\n2 rooms, net area 42 sqm\n\n9 x 6 m at (0, 0)");
	expect_hover(&editor, "lift Down", 5, "**lift Down** on floor G\n\n1 x 1 m at (4, 1)");
	expect_hover(&editor, "define Box", 7, "**define Box**");
	expect_hover(&editor, "style: Oak", 8, "**style Oak**");
	expect_hover(&editor, "default_unit", 3, "**default_unit**: m ft cm in mm; default ft");
	expect_hover(&editor, "label", 1, "");
	editor_stop(&editor);
}

static void put_symbols(struct editor *editor, const struct tn_json *list, char **out)
{
	for (const struct tn_json *one = list->first; one; one = one->next) {
		struct tn_str name, detail;

		assert_true(tn_json_to_str(tn_json_get(one, "name"), &name));
		assert_true(tn_json_to_str(tn_json_get(one, "detail"), &detail));
		*out = tn_arena_format(&editor->arena, "%s %.*s %.*s(", *out, (int)detail.size,
				       detail.data, (int)name.size, name.data);
		put_symbols(editor, tn_json_get(one, "children"), out);
		*out = tn_arena_format(&editor->arena, "%s)", *out);
	}
}

static void test_outline(void **state)
{
	struct editor editor;
	char *words;

	(void)state;
	start(&editor);
	words = tn_arena_format(&editor.arena, "%s", "");
	put_symbols(&editor, editor_ask(&editor, "textDocument/documentSymbol", ""), &words);
	assert_string_equal(words,
			    " define Box() style Oak() floor G( room Hall() room Bath( sub-room "
			    "Tub()) stair Up() lift Down()) floor H( room Hall() stair Up() lift "
			    "Down())");
	editor_open(&editor, TN_STR("floorplan floor {"));
	assert_null(editor_ask(&editor, "textDocument/documentSymbol", "")->first);
	editor_stop(&editor);
}

/* ---- words that may follow ---- */

/* `text` with | where it is written on; words that must be offered, and none of the others. */
static void expect_words(const char *text, const char *wanted, const char *unwanted)
{
	struct tn_str whole = tn_str_from(text);
	size_t at = tn_str_find_byte(whole, '|');
	struct editor editor;
	const struct tn_json *items;
	struct tn_buf out;
	char *words;

	tn_buf_init(&out, TN_MIB);
	tn_buf_append(&out, text, at);
	tn_buf_append_str(&out, tn_str_from_offset(whole, at + 1));
	editor_start(&editor);
	editor_open(&editor, tn_buf_str(&out));
	items = editor_ask_at(&editor, "textDocument/completion", "", at, "");
	words = tn_arena_format(&editor.arena, "%s", " ");
	for (const struct tn_json *one = items->first; one; one = one->next) {
		struct tn_str word;

		assert_true(tn_json_to_str(tn_json_get(one, "label"), &word));
		words = tn_arena_format(&editor.arena, "%s%.*s ", words, (int)word.size, word.data);
	}
	if (!strstr(words, wanted) || (unwanted && strstr(words, unwanted)))
		fail_msg("%s:%s", text, words);
	editor_stop(&editor);
	tn_buf_finish(&out);
}

static void test_completion(void **state)
{
	static const char rooms[] = "floorplan floor G { room A at (0,0) size (1 x 1) room B ";
	char text[256];

	(void)state;
	expect_words("|", " floorplan ", "room");
	expect_words("floorplan |", " floor connect vertical define style config ", "room");
	expect_words("floorplan floor G { |", " room stair lift ", " define ");
	expect_words("floorplan floor G { room A at (0,0) size |", "", "A");
	expect_words("floorplan define Box (1 x 1) floor G { room A size |", " Box ", " A ");
	expect_words("floorplan style Oak {} floor G { room A style |", " Oak ", " A ");
	(void)snprintf(text, sizeof(text), "%sright-of |", rooms);
	expect_words(text, " A B ", " top ");
	(void)snprintf(text, sizeof(text), "%swalls [|", rooms);
	expect_words(text, " top right bottom left ", " A ");
	(void)snprintf(text, sizeof(text), "%swalls [top: |", rooms);
	expect_words(text, " solid door window open ", " A ");
	(void)snprintf(text, sizeof(text), "%s} connect A.|", rooms);
	expect_words(text, " top right bottom left ", " solid ");
	(void)snprintf(text, sizeof(text), "%s} connect A.top.|", rooms);
	expect_words(text, " top right bottom left ", NULL);
	(void)snprintf(text, sizeof(text), "%s} connect |", rooms);
	expect_words(text, " outside ", " top ");
	(void)snprintf(text, sizeof(text), "%s} connect A to B |", rooms);
	expect_words(text, " door double-door opening ", " room ");
	expect_words("floorplan config { |", " default_unit ", " room ");
	expect_words("floorplan config { theme: |", " default dark blueprint ", " m ");
	expect_words("floorplan floor G { stair S shape |", " straight L-shaped ", " top ");
	expect_words("floorplan floor G { stair S shape straight toward |", " top right ",
		     " room ");
	expect_words("floorplan floor G { lift L |", " at size doors ", " shape ");
	/* What is being written counts as not yet there. */
	expect_words("floorplan floor G { room A alig|", " align ", NULL);
}

/* ---- layout and cures ---- */

static void test_formatting(void **state)
{
	static const char odd[] = "floorplan\r\n\r\n\r\n  floor   G{# \U0001F600\r\nroom A at(0,0)"
				  "size(1 x 1)label \"\u00fc\"\r\n}";
	struct editor editor;
	struct tenon_error err;
	struct tn_buf wanted;

	(void)state;
	editor_start(&editor);
	editor_open(&editor, TN_STR(odd));
	tn_buf_init(&wanted, TN_MIB);
	assert_int_equal(tn_floor_format(TN_STR(odd), &wanted, &err), TENON_OK);
	editor_apply(&editor, editor_ask(&editor, "textDocument/formatting", ""));
	assert_true(tn_str_equal(editor_text(&editor), tn_buf_str(&wanted)));
	tn_buf_finish(&wanted);
	assert_null(editor_ask(&editor, "textDocument/formatting", "")->first);
	editor_change(&editor, 0, 0, 0, 0, "{");
	editor_say_text(&editor, "{\"id\":1,\"method\":\"textDocument/formatting\",\"params\":{"
				 "\"textDocument\":{\"uri\":\"" EDITOR_URI "\"}}}");
	assert_int_equal(editor_error(&editor), -32803);
	editor_change(&editor, 0, 0, 99, 0, ""); /* nothing at all is no plan either */
	editor_say_text(&editor, "{\"id\":1,\"method\":\"textDocument/formatting\",\"params\":{"
				 "\"textDocument\":{\"uri\":\"" EDITOR_URI "\"}}}");
	assert_int_equal(editor_error(&editor), -32803);
	editor_stop(&editor);
}

static void test_actions(void **state)
{
	static const char all[] = "\"range\":{\"start\":{\"line\":0,\"character\":0},"
				  "\"end\":{\"line\":99,\"character\":0}}";
	static const char first_line[] = "\"range\":{\"start\":{\"line\":0,\"character\":0},"
					 "\"end\":{\"line\":0,\"character\":5}}";
	const struct tn_json *actions, *edits;
	struct editor editor;

	(void)state;
	editor_start(&editor);
	editor_open(&editor, TN_STR("%%{version: 1.0}%%\nfloorplan\n"
				    "  style Oak { floor_color: \"#C8A46B\" }\n  floor G {\n"
				    "    room A at (0,0) size (4 x 4) style Oka\n  }\n"));
	assert_string_equal(editor_faults(&editor), "FP2008");
	assert_null(editor_ask(&editor, "textDocument/codeAction", first_line)->first);
	actions = editor_ask(&editor, "textDocument/codeAction", all);
	assert_int_equal(actions->count, 1);
	edits = tn_json_get(tn_json_get(tn_json_get(actions->first, "edit"), "changes"),
			    EDITOR_URI);
	editor_apply(&editor, edits);
	assert_string_equal(editor_faults(&editor), "");
	assert_true(tn_str_find(editor_text(&editor), TN_STR("style Oak\n")) != TN_STR_NONE);
	editor_stop(&editor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_definition),     cmocka_unit_test(test_columns),
		cmocka_unit_test(test_references),     cmocka_unit_test(test_rename),
		cmocka_unit_test(test_rename_refused), cmocka_unit_test(test_hover),
		cmocka_unit_test(test_outline),        cmocka_unit_test(test_completion),
		cmocka_unit_test(test_formatting),     cmocka_unit_test(test_actions),
	};

	return cmocka_run_group_tests_name("floorplan language server, answers", tests, NULL, NULL);
}
