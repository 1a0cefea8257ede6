/* Editing: every rule of floorplan.md section 8, byte for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/floorplan/edit.h"
#include "base/limits.h"
#include "base/size.h"

struct run {
	struct tn_arena arena;
	struct tn_floor_edited edited;
	struct tn_json *changes, *errors;
};

static struct tn_json *read_json(struct tn_arena *arena, struct tn_str text)
{
	struct tn_json *value = NULL;
	struct tenon_error err;

	if (text.size > 0 && tn_json_parse_copy(arena, text, &value, &err) != TENON_OK)
		fail_msg("%.*s: %s", (int)text.size, text.data, err.message);
	return value;
}

static void run_with(struct run *run, struct tn_str text, const char *operations, bool atomic,
		     const char *floor)
{
	struct tn_floor_edit_options options = {.atomic = atomic, .floor = tn_str_from(floor)};
	struct tenon_error err;

	tn_arena_init(&run->arena, 64 * TN_MIB);
	options.operations = read_json(&run->arena, tn_str_from(operations));
	if (tn_floor_edit(text, &options, &run->edited, &err) != TENON_OK)
		fail_msg("%s", err.message);
	run->changes = read_json(&run->arena, tn_buf_str(&run->edited.changes));
	run->errors = read_json(&run->arena, tn_buf_str(&run->edited.errors));
}

static void finish(struct run *run)
{
	tn_floor_edited_finish(&run->edited);
	tn_arena_finish(&run->arena);
}

static void expect_text(const struct run *run, const char *text)
{
	struct tn_str found = tn_buf_str(&run->edited.text);

	if (!tn_str_is(found, text))
		fail_msg("got:\n%.*s\nnot:\n%s\nchanges %.*s", (int)found.size, found.data, text,
			 (int)run->edited.changes.size, run->edited.changes.data);
}

/* All operations succeed and make this text. */
static void gives(const char *text, const char *operations, const char *result)
{
	struct run run;

	run_with(&run, tn_str_from(text), operations, false, "");
	expect_text(&run, result);
	assert_true(run.edited.success);
	assert_true(run.edited.readable);
	finish(&run);
}

static const char *code_of(const struct run *run)
{
	struct tn_str code = tn_str("", 0);

	(void)tn_json_to_str(tn_json_get(run->errors ? run->errors->first : NULL, "code"), &code);
	return code.data;
}

/* The only operation fails with the code and the path, and the text stays. */
static void fails(const char *text, const char *operation, const char *code, const char *path)
{
	struct run run;
	struct tn_str found = tn_str("", 0);
	char operations[4096];

	(void)snprintf(operations, sizeof(operations), "[%s]", operation);
	run_with(&run, tn_str_from(text), operations, false, "");
	expect_text(&run, text);
	assert_false(run.edited.success);
	assert_string_equal(code_of(&run), code);
	(void)tn_json_to_str(tn_json_get(run.errors->first, "path"), &found);
	assert_string_equal(found.data, path);
	finish(&run);
}

/* The n-th change, as JSON. */
static void change_is(const struct run *run, size_t n, const char *json)
{
	const struct tn_json *at = run->changes->first;
	struct tn_arena arena;

	while (at && n-- > 0)
		at = at->next;
	tn_arena_init(&arena, TN_MIB);
	if (!tn_json_equal(at, read_json(&arena, tn_str_from(json))))
		fail_msg("%.*s\nnot %s", (int)run->edited.changes.size, run->edited.changes.data,
			 json);
	tn_arena_finish(&arena);
}

/* ---- 8.5 ---- */

static const char worked[] = "floorplan\n"
			     "  floor G {                     # ground\n"
			     "    room A at (0,0) size (10 x 8)  walls [top: solid] # main\n"
			     "    room B size (4 x 4) right-of A gap 1\n"
			     "    stair S at (1,1) shape straight toward top rise 9ft\n"
			     "  }\n"
			     "  connect A.right to B.left door\n";

static void test_worked_example(void **state)
{
	(void)state; /* floorplan.md 8.5 */
	gives(worked,
	      "[{\"action\":\"rename_room\",\"target\":\"A\",\"params\":{\"newName\":\"Hall\"}},"
	      "{\"action\":\"remove_room\",\"target\":\"Hall\"},"
	      "{\"action\":\"add_room\",\"params\":{\"name\":\"N\",\"position\":{\"x\":20,\"y\":0},"
	      "\"size\":{\"width\":3,\"height\":3}}}]",
	      "floorplan\n"
	      "  floor G {                     # ground\n"
	      "    room B at (11,0) size (4 x 4)\n"
	      "    room N at (20,0) size (3 x 3) walls [top: solid, right: solid, bottom: solid, "
	      "left: solid]\n"
	      "    stair S at (1,1) shape straight toward top rise 9ft\n"
	      "  }\n");
}

static void test_remove_room_reports(void **state)
{
	struct run run;

	(void)state; /* floorplan.md 8.3 */
	run_with(&run, tn_str_from(worked), "[{\"action\":\"remove_room\",\"target\":\"A\"}]",
		 false, "");
	change_is(
		&run, 0,
		"{\"action\":\"remove_room\",\"target\":\"A\",\"result\":\"applied\",\"affected\":["
		"{\"kind\":\"room\",\"name\":\"B\",\"line\":4,\"what\":\"pinned\"},"
		"{\"kind\":\"connection\",\"name\":\"A.right to B.left\",\"line\":7,"
		"\"what\":\"removed\"}]}");
	assert_null(run.errors);
	finish(&run);
	fails(worked,
	      "{\"action\":\"remove_room\",\"target\":\"A\",\"params\":{\"onReferences\":"
	      "\"refuse\"}}",
	      "FP9007", "/operations/0/target");
}

/* ---- one rule each ---- */

#define PLAN(body) "floorplan\nfloor F {\n" body "}\n"
#define OP(action, target, params) \
	"{\"action\":\"" action "\",\"target\":\"" target "\",\"params\":{" params "}}"

static void test_nothing_changes_nothing(void **state)
{
	static const char text[] = "\xEF\xBB\xBF%%{version: 1.0}%%\r\nfloorplan # x\r\n\r\n"
				   "floor F{room A at(0,0)size(4x4)label'a'}\t\r\n";
	static const char *const operations[] = {
		"[]",
		"[" OP("move_room", "A", "\"x\":0,\"y\":\"0m\"") "]",
		"[" OP("resize_room", "A", "\"width\":4,\"height\":4.0") "]",
		"[" OP("add_label", "A", "\"label\":\"a\"") "]",
		"[" OP("update_walls", "A", "\"top\":\"solid\"") "]",
		"[" OP("rename_room", "A", "\"newName\":\"A\"") "]"};

	(void)state; /* floorplan.md 8.1: skipped operations, too */
	for (size_t i = 0; i < TN_COUNT(operations); i++)
		gives(text, operations[i], text);
}

static void test_numbers_and_units(void **state)
{
	(void)state; /* floorplan.md 8.2 */
	gives(PLAN("room A at (- 1m,0) size (10x12)\n"),
	      "[" OP("move_room", "A", "\"x\":2,\"y\":-0.5") "," OP("resize_room", "A",
								    "\"width\":7.25") "]",
	      PLAN("room A at (2m,-0.5) size (7.25x12)\n"));
	/* U is m; a number is converted into the unit that is written. */
	gives("floorplan\nconfig { default_unit: m }\nfloor F { room A at (0,0) size (300cm x 2) "
	      "}\n",
	      "[" OP("resize_room", "A", "\"width\":3.5,\"height\":\"120cm\"") "]",
	      "floorplan\nconfig { default_unit: m }\nfloor F { room A at (0,0) size (350cm x "
	      "120cm) }\n");
	/* A text replaces number and unit; tokens do not grow together. */
	gives("floorplan\nconfig { default_unit: ft }\nfloor F { room A at (0,0) size (10ftx12ft) "
	      "}\n",
	      "[" OP("resize_room", "A", "\"width\":\"3m\",\"height\":\"7\"") "]",
	      "floorplan\nconfig { default_unit: ft }\nfloor F { room A at (0,0) size (3m x7) }\n");
	/* A named size becomes one of its own, and the define stays. */
	gives("floorplan\ndefine cell (2.5m x 300cm)\nfloor F { room A at (0,0) size cell }\n",
	      "[" OP("resize_room", "A", "\"width\":3") "]",
	      "floorplan\ndefine cell (2.5m x 300cm)\nfloor F { room A at (0,0) size (3 x 300cm) "
	      "}\n");
	fails(PLAN("room A at (0,0) size (1 x 1)\n"), OP("resize_room", "A", "\"width\":0"),
	      "FP9004", "/operations/0/params/width");
	fails(PLAN("room A at (0,0) size (1 x 1)\n"), OP("resize_room", "A", "\"width\":0.0000001"),
	      "FP9004", "/operations/0/params/width");
	fails(PLAN("room A at (0,0) size (1 x 1)\n"), OP("move_room", "A", "\"x\":1e400,\"y\":0"),
	      "FP9004", "/operations/0/params/x");
	fails(PLAN("room A at (0,0) size (1 x 1)\n"),
	      OP("move_room", "A", "\"x\":0,\"y\":1000000.5"), "FP9004", "/operations/0/params/y");
	fails(PLAN("room A at (0,0) size (1 x 1)\n"), OP("move_room", "A", "\"x\":\"NaN\",\"y\":0"),
	      "FP9001", "/operations/0/params/x");
	fails(PLAN("room A at (0,0) size (1 x 1)\n"), OP("resize_room", "A", ""), "FP9001",
	      "/operations/0/params");
}

static void test_targets(void **state)
{
	static const char two[] = "floorplan\nfloor F { room A at (0,0) size (1 x 1) }\nfloor G { "
				  "room A at (0,0) size (1 x 1) composed of [room In at (0,0) size "
				  "(1 x 1)] }\n";
	struct run run;
	struct tn_str message = tn_str("", 0);

	(void)state; /* floorplan.md 8.2 */
	fails(two, OP("add_label", "A", "\"label\":\"x\""), "FP9003", "/operations/0/target");
	fails(two, OP("add_label", "B", "\"label\":\"x\""), "FP9002", "/operations/0/target");
	fails(two, OP("add_label", "H.A", "\"label\":\"x\""), "FP9002", "/operations/0/target");
	gives(two, "[" OP("add_label", "In", "\"label\":\"x\"") "]",
	      "floorplan\nfloor F { room A at (0,0) size (1 x 1) }\nfloor G { room A at (0,0) size "
	      "(1 x 1) composed of [room In at (0,0) size (1 x 1) label \"x\"] }\n");
	run_with(&run, tn_str_from(two), "[" OP("add_label", "A", "\"label\":\"x\"") "]", false,
		 "G");
	assert_true(run.edited.success);
	finish(&run);
	run_with(&run, tn_str_from(two), "[" OP("add_label", "A", "\"label\":\"x\"") "]", false,
		 "");
	(void)tn_json_to_str(tn_json_get(run.errors->first, "message"), &message);
	assert_non_null(strstr(message.data, "F, G"));
	finish(&run);
}

static void test_move(void **state)
{
	struct run run;

	(void)state; /* floorplan.md 8.3 */
	gives(PLAN("  room A at (0,0) size (4 x 4)\n  room B\n    size (2 x 2)\n    right-of A gap "
		   "1"
		   "\n    label \"b\" # c\n"),
	      "[" OP("move_room", "B", "\"x\":1.5,\"y\":\"2ft\"") "]",
	      PLAN("  room A at (0,0) size (4 x 4)\n  room B at (1.5,2ft)\n    size (2 x 2)\n"
		   "    label \"b\" # c\n"));
	/* A comment inside a clause stays. */
	gives(PLAN("room A at (0,0) size (4 x 4)\nroom B size (2 x 2) right-of /* a */ A label "
		   "\"b\"\n"),
	      "[" OP("move_room", "B", "\"x\":1,\"y\":2") "]",
	      PLAN("room A at (0,0) size (4 x 4)\nroom B at (1,2) size (2 x 2) /* a */ label "
		   "\"b\"\n"));
	run_with(&run,
		 tn_str_from(PLAN("room A at (0,0) size (4 x 4)\nroom B size (2 x 2) right-of A\n"
				  "lift L size (1 x 1) below B\n")),
		 "[" OP("move_room", "A", "\"x\":1,\"y\":0") "]", false, "");
	change_is(&run, 0,
		  "{\"action\":\"move_room\",\"target\":\"A\",\"result\":\"applied\",\"affected\":["
		  "{\"kind\":\"room\",\"name\":\"B\",\"line\":4,\"what\":\"moved\"},"
		  "{\"kind\":\"lift\",\"name\":\"L\",\"line\":5,\"what\":\"moved\"}]}");
	finish(&run);
	gives(PLAN("room A at (0,0) size (4 x 4)\nroom B size (2 x 2) right-of A\n"
		   "lift L size (1 x 1) below A\n"),
	      "[" OP("move_room", "A", "\"x\":1,\"y\":0,\"pinDependents\":true") "]",
	      PLAN("room A at (1,0) size (4 x 4)\nroom B at (4,0) size (2 x 2)\n"
		   "lift L at (0,4) size (1 x 1)\n"));
}

static void test_rename(void **state)
{
	static const char text[] =
		"floorplan\nfloor F {\nroom A at (0,0) size (4 x 4) # A\nroom B size (4 x 4) "
		"right-of A "
		"label \"A\"\nstair S at (1,1) rise 4 shape custom from top [flight 6 along "
		"A.left]\n"
		"lift A size (1 x 1) below A\n}\nfloor G {\nroom A at (0,0) size (4 x 4)\nroom C "
		"right-of A size (1 x 1)\n}\nconnect F.A to F.B door opens into A\nconnect A to C "
		"door\nvertical F.A to G.A\n";

	(void)state; /* floorplan.md 8.3: every reference on its floor, and nothing else */
	gives(text, "[" OP("rename_room", "F.A", "\"newName\":\"Hall\"") "]",
	      "floorplan\nfloor F {\nroom Hall at (0,0) size (4 x 4) # A\nroom B size (4 x 4) "
	      "right-of Hall label \"A\"\nstair S at (1,1) rise 4 shape custom from top [flight 6 "
	      "along Hall.left]\nlift A size (1 x 1) below Hall\n}\nfloor G {\nroom A at (0,0) "
	      "size "
	      "(4 x 4)\nroom C right-of A size (1 x 1)\n}\nconnect F.Hall to F.B door opens into "
	      "Hall\nconnect A to C door\nvertical F.A to G.A\n");
	fails(text, OP("rename_room", "F.A", "\"newName\":\"B\""), "FP9006",
	      "/operations/0/params/newName");
	fails(text, OP("rename_room", "F.A", "\"newName\":\"door\""), "FP9005",
	      "/operations/0/params/newName");
	fails(text, OP("rename_room", "F.A", "\"newName\":\"K\\u00fcche\""), "FP9005",
	      "/operations/0/params/newName");
	fails(text, OP("rename_room", "F.A", "\"newName\":\"\""), "FP9005",
	      "/operations/0/params/newName");
	fails(text, OP("rename_room", "F.A", ""), "FP9001", "/operations/0/params/newName");
}

static void test_walls(void **state)
{
	(void)state; /* floorplan.md 8.3 */
	gives(PLAN("room A at (0,0) size (4 x 4)\n"),
	      "[" OP("update_walls", "A", "\"left\":\"window\"") "]",
	      PLAN("room A at (0,0) size (4 x 4) walls [left: window]\n"));
	gives(PLAN("room A at (0,0) size (4 x 4) walls [top: door at 40% size (1 x 2) height 3, "
		   "right: window at 2ft,] label \"x\"\n"),
	      "[" OP("update_walls", "A",
		     "\"top\":\"open\",\"right\":\"door\",\"left\":\"window\"") "]",
	      PLAN("room A at (0,0) size (4 x 4) walls [top: open height 3, right: door at 2ft, "
		   "left: "
		   "window,] label \"x\"\n"));
	fails(PLAN("room A at (0,0) size (4 x 4)\n"), OP("update_walls", "A", "\"top\":\"glass\""),
	      "FP9001", "/operations/0/params/top");
	fails(PLAN("room A at (0,0) size (4 x 4)\n"), OP("update_walls", "A", "\"topp\":\"open\""),
	      "FP9001", "/operations/0/params/topp");
}

static void test_label_and_style(void **state)
{
	(void)state; /* floorplan.md 8.3 */
	gives(PLAN("room A at (0,0) size (4 x 4) walls [top: solid]\nroom B size (1 x 1) right-of "
		   "A gap "
		   "1 label 'old'\n"),
	      "[" OP("add_label", "A", "\"label\":\"say \\\"hi\\\"\"") "," OP(
		      "add_label", "B", "\"label\":\"new\"") "]",
	      PLAN("room A at (0,0) size (4 x 4) walls [top: solid] label 'say \"hi\"'\nroom B "
		   "size (1 "
		   "x 1) right-of A gap 1 label 'new'\n"));
	gives(PLAN("room A at (0,0) size (4 x 4) label \"x\" # c\nroom B at (9,9)\n  label \"y\"\n "
		   " size "
		   "(1 x 1)\n"),
	      "[" OP("add_label", "A", "\"label\":\"\"") "," OP("add_label", "B",
								"\"label\":\"\"") "]",
	      PLAN("room A at (0,0) size (4 x 4) # c\nroom B at (9,9)\n  size (1 x 1)\n"));
	fails(PLAN("room A at (0,0) size (4 x 4)\n"), OP("add_label", "A", "\"label\":\"'\\\"\""),
	      "FP9008", "/operations/0/params/label");
	fails(PLAN("room A at (0,0) size (4 x 4)\n"), OP("add_label", "A", "\"label\":\"\\u0000\""),
	      "FP9009", "/operations/0");
	gives("floorplan\nstyle Oak { roughness: 1 }\nfloor F { room A at (0,0) size (4 x 4) }\n",
	      "[" OP("set_style", "A", "\"style\":\"Oak\"") "]",
	      "floorplan\nstyle Oak { roughness: 1 }\nfloor F { room A at (0,0) size (4 x 4) style "
	      "Oak "
	      "}\n");
	gives("floorplan\nstyle Oak { roughness: 1 }\nfloor F { room A style Oak at (0,0) size (4 "
	      "x 4) "
	      "}\n",
	      "[" OP("set_style", "A", "\"style\":null") "]",
	      "floorplan\nstyle Oak { roughness: 1 }\nfloor F { room A at (0,0) size (4 x 4) }\n");
	fails(PLAN("room A at (0,0) size (4 x 4)\n"), OP("set_style", "A", "\"style\":\"Oak\""),
	      "FP9002", "/operations/0/params/style");
}

static void test_long_label(void **state)
{
	struct tn_buf operation;
	struct tn_arena arena;
	struct run run;

	(void)state; /* floorplan.md 8.3, 11: 512 bytes; 1 MiB is no worse */
	tn_arena_init(&arena, 16 * TN_MIB);
	tn_buf_init(&operation, 4 * TN_MIB);
	tn_buf_append_text(&operation, "[{\"action\":\"add_label\",\"target\":\"A\",\"params\":{"
				       "\"label\":\"");
	for (size_t i = 0; i < TN_MIB; i++)
		tn_buf_append_byte(&operation, 'a');
	tn_buf_append_text(&operation, "\"}}]");
	run_with(&run, TN_STR(PLAN("room A at (0,0) size (4 x 4)\n")),
		 tn_arena_copy(&arena, tn_buf_str(&operation)), false, "");
	assert_string_equal(code_of(&run), "FP9004");
	expect_text(&run, PLAN("room A at (0,0) size (4 x 4)\n"));
	finish(&run);
	tn_buf_finish(&operation);
	tn_arena_finish(&arena);
}

#define ADD(more)                                                                                \
	"[{\"action\":\"add_room\",\"params\":{\"name\":\"N\",\"size\":{\"width\":3,\"height\":" \
	"\"2m\"}," more "}}]"
#define AT_ORIGIN "\"position\":{\"x\":0,\"y\":0}"
#define SOLID "walls [top: solid, right: solid, bottom: solid, left: solid]"

static void test_add_room(void **state)
{
	(void)state; /* floorplan.md 8.3 */
	gives("floorplan\r\nfloor F {\r\n}\r\n", ADD(AT_ORIGIN),
	      "floorplan\r\nfloor F {\r\n  room N at (0,0) size (3 x 2m) " SOLID "\r\n}\r\n");
	gives("floorplan\n  floor F { }\n", ADD(AT_ORIGIN),
	      "floorplan\n  floor F {\n    room N at (0,0) size (3 x 2m) " SOLID "\n }\n");
	gives(PLAN("\troom A at (9,9)\n\t  size (1 x 1) # c\n\n\tlift L at (0,0) size (1 x 1)\n"),
	      ADD("\"relativePosition\":{\"direction\":\"below\",\"reference\":\"A\",\"gap\":"
		  "\"1ft\","
		  "\"alignment\":\"right\"},\"label\":\"l\",\"height\":9,\"walls\":{\"left\":"
		  "\"open\"}"),
	      PLAN("\troom A at (9,9)\n\t  size (1 x 1) # c\n\troom N size (3 x 2m) height 9 walls "
		   "[top: solid, right: solid, bottom: solid, left: open] below A gap 1ft align "
		   "right "
		   "label \"l\"\n\n\tlift L at (0,0) size (1 x 1)\n"));
	gives(PLAN("  room A at (9,9) size (9 x 9) style S\n"), ADD(AT_ORIGIN ",\"parent\":\"A\""),
	      PLAN("  room A at (9,9) size (9 x 9) composed of [\n    sub-room N at (0,0) size (3 "
		   "x 2m) " SOLID "\n  ] style S\n"));
	gives(PLAN("  room A at (9,9) size (9 x 9) composed of [\n  ]\n"),
	      ADD(AT_ORIGIN ",\"parent\":\"A\""),
	      PLAN("  room A at (9,9) size (9 x 9) composed of [\n    sub-room N at (0,0) size (3 "
		   "x 2m) " SOLID "\n  ]\n"));
}

static void test_add_room_refused(void **state)
{
	static const char text[] = PLAN("room A at (0,0) size (1 x 1)\n");

	(void)state; /* floorplan.md 8.3 */
#define REFUSED(params, code, path) \
	fails(text, "{\"action\":\"add_room\",\"params\":{" params "}}", code, "/operations/0" path)
	REFUSED("\"size\":{\"width\":1,\"height\":1}," AT_ORIGIN, "FP9001", "/params/name");
	REFUSED("\"name\":\"a-b\"," AT_ORIGIN, "FP9005", "/params/name");
	REFUSED("\"name\":\"A\"," AT_ORIGIN, "FP9006", "/params/name");
	REFUSED("\"name\":\"N\"," AT_ORIGIN, "FP9001", "/params/size");
	REFUSED("\"name\":\"N\",\"sizeRef\":\"cell\"," AT_ORIGIN, "FP9002", "/params/sizeRef");
	REFUSED("\"name\":\"N\",\"size\":{\"width\":1,\"height\":1}", "FP9001", "/params/position");
	REFUSED("\"name\":\"N\",\"size\":{\"width\":-1,\"height\":1}," AT_ORIGIN, "FP9004",
		"/params/size/width");
	REFUSED("\"name\":\"N\",\"floor\":\"X\"", "FP9002", "/params/floor");
	REFUSED("\"name\":\"N\",\"parent\":\"X\"", "FP9002", "/params/parent");
	REFUSED("\"name\":\"N\",\"size\":{\"width\":1,\"height\":1},\"relativePosition\":{"
		"\"direction\":"
		"\"below\",\"reference\":\"X\"}",
		"FP9002", "/params/relativePosition/reference");
	REFUSED("\"name\":\"N\",\"size\":{\"width\":1,\"height\":1},\"relativePosition\":{"
		"\"direction\":"
		"\"north\",\"reference\":\"A\"}",
		"FP9001", "/params/relativePosition/direction");
	REFUSED("\"name\":\"N\",\"size\":{\"width\":1,\"height\":1},\"style\":\"X\"," AT_ORIGIN,
		"FP9002", "/params/style");
	REFUSED("\"name\":\"N\",\"colour\":\"red\"", "FP9001", "/params/colour");
#undef REFUSED
	fails("floorplan\n",
	      "{\"action\":\"add_room\",\"params\":{\"name\":\"N\",\"size\":{\"width\":1,"
	      "\"height\":1}," AT_ORIGIN "}}",
	      "FP9002", "/operations/0");
}

static void test_remove_room(void **state)
{
	(void)state; /* floorplan.md 8.2, 8.3 */
	gives("floorplan\nfloor F { room A at (0,0) size (4 x 4) room B at (9,0) size (1 x 1) }\n",
	      "[" OP("remove_room", "A", "") "]",
	      "floorplan\nfloor F { room B at (9,0) size (1 x 1) }\n");
	gives(PLAN("  # own\n  room A at (0,0) size (9 x 9) composed of [\n    # in\n    "
		   "sub-room I at "
		   "(1,1) size (1 x 1)\n  ] # behind\n\n  stair S rise 4 shape custom from "
		   "top [flight "
		   "6 along I.left] right-of A gap 1\n  lift L at (1,1) size (1 x 1) below "
		   "A\n") "connect I to outside door connect A to outside door at 90%\n",
	      "[" OP("remove_room", "A", "") "]",
	      PLAN("  # own\n\n  stair S at (10,0) rise 4 shape custom from top [flight 6]\n  "
		   "lift L at "
		   "(1,1) size (1 x 1)\n") "\n");
	fails(PLAN("room A size (1 x 1) left-of B\nroom B size (1 x 1) left-of A\n"),
	      OP("remove_room", "A", ""), "FP9007", "/operations/0");
}

static void test_connections(void **state)
{
#define ROOMS PLAN("room A at (0,0) size (4 x 4)\nroom B size (4 x 4) right-of A\n")
#define CONNECT(params) "{\"action\":\"add_connection\",\"params\":{" params "}}"
#define PART(params) "{\"action\":\"remove_connection\",\"params\":{" params "}}"
	(void)state; /* floorplan.md 8.3 */
	gives(ROOMS,
	      "[" CONNECT(
		      "\"from\":\"A.right\",\"to\":\"B.left\",\"type\":\"double-door\",\"at\":12.5,"
		      "\"size\":{\"width\":3,\"height\":\"full\"},\"opensInto\":\"B\",\"swing\":"
		      "\"left\"") "]",
	      ROOMS
	      "connect A.right to B.left double-door at 12.5% size (3 x full) opens into B swing: "
	      "left\n");
	/* After the last connection, wherever it is; a last line without an end stays one. */
	gives("floorplan\n connect A to B door # c\n\nfloor F { room A at (0,0) size (1 x 1) room "
	      "B at "
	      "(1,0) size (1 x 1) }",
	      "[" CONNECT("\"from\":\"outside\",\"to\":\"A\"") "]",
	      "floorplan\n connect A to B door # c\n connect outside to A door\n\nfloor F { room A "
	      "at "
	      "(0,0) size (1 x 1) room B at (1,0) size (1 x 1) }");
	gives(ROOMS "connect A to B door", "[" CONNECT("\"from\":\"outside\",\"to\":\"A\"") "]",
	      ROOMS "connect A to B door\nconnect outside to A door");
	gives(ROOMS "connect A to B door",
	      "[" CONNECT("\"from\":\"outside\",\"to\":\"A\"") "," PART(
		      "\"from\":\"A\",\"to\":\"outside\"") "]",
	      ROOMS "connect A to B door");
	gives(ROOMS "connect A to B door at 10%\nconnect B to A opening at 90% # x\nconnect A to X "
		    "door\n",
	      "[" PART("\"from\":\"A\",\"to\":\"B\",\"type\":\"opening\"") "," PART(
		      "\"from\":\"A\",\"to\":\"X\"") "]",
	      ROOMS "connect A to B door at 10%\n");
	fails(ROOMS "connect A to B door at 10%\nconnect B to A opening at 90%\n",
	      PART("\"from\":\"F.A\",\"to\":\"B\""), "FP9003", "/operations/0");
	fails(ROOMS, PART("\"from\":\"A\",\"to\":\"B\""), "FP9002", "/operations/0");
	fails(ROOMS, CONNECT("\"from\":\"A\",\"to\":\"Q\""), "FP9002", "/operations/0/params/to");
	fails(ROOMS, CONNECT("\"from\":\"A\",\"to\":\"A\""), "FP9004", "/operations/0/params/to");
	fails(ROOMS, CONNECT("\"from\":\"A\",\"to\":\"B\",\"at\":101"), "FP9004",
	      "/operations/0/params/at");
	fails(ROOMS, CONNECT("\"from\":\"A\",\"to\":\"B\",\"opensInto\":\"outside\""), "FP9002",
	      "/operations/0/params/opensInto");
}

static void test_to_relative(void **state)
{
	struct run run;

	(void)state; /* floorplan.md 8.4 */
	gives(PLAN("room A at (0,0) size (4 x 4)\nroom B at (4,0) size (2 x 2)\nroom C at (5,4) "
		   "size (1 x "
		   "1) " SOLID "\nroom D at (2,5) size (2 x 1)\n"),
	      "[{\"action\":\"convert_to_relative\",\"params\":{\"anchorRoom\":\"A\"}}]",
	      PLAN("room A at (0,0) size (4 x 4)\nroom B size (2 x 2) right-of A\nroom C size (1 x "
		   "1) " SOLID
		   " below B gap 2 align right\nroom D size (2 x 1) below A gap 1 align "
		   "right\n"));
	/* What cannot be said exactly stays, and moves only if that is asked for. */
	run_with(&run,
		 TN_STR(PLAN("room A at (0,0) size (4 x 4)\nroom B at (4,0.5) size (2 x 2)\n")),
		 "[{\"action\":\"convert_to_relative\",\"params\":{\"anchorRoom\":\"A\"}}]", false,
		 "");
	change_is(&run, 0,
		  "{\"action\":\"convert_to_relative\",\"target\":null,\"result\":\"skipped\","
		  "\"message\":\"the text says so "
		  "already\",\"affected\":[{\"kind\":\"room\",\"name\":"
		  "\"B\",\"line\":4,\"what\":\"kept\"}]}");
	finish(&run);
	run_with(&run,
		 TN_STR(PLAN("room A at (0,0) size (4 x 4)\nroom B at (4,0.5) size (2 x 2)\n")),
		 "[{\"action\":\"convert_to_relative\",\"params\":{\"anchorRoom\":\"A\","
		 "\"alignmentTolerance\":1}}]",
		 false, "");
	expect_text(&run, PLAN("room A at (0,0) size (4 x 4)\nroom B size (2 x 2) right-of A\n"));
	change_is(
		&run, 0,
		"{\"action\":\"convert_to_relative\",\"target\":null,\"result\":\"applied\","
		"\"affected\":[{\"kind\":\"room\",\"name\":\"B\",\"line\":4,\"what\":\"moved\"}]}");
	finish(&run);
	fails(PLAN("room A at (0,0) size (4 x 4)\nroom B at (3,3) size (2 x 2)\n"),
	      "{\"action\":\"convert_to_relative\",\"params\":{\"anchorRoom\":\"A\"}}", "FP9004",
	      "/operations/0/params/anchorRoom");
}

static void test_to_absolute(void **state)
{
	(void)state; /* floorplan.md 8.3 */
	gives(PLAN("room A at (0,0) size (4 x 4)\nroom B size (2 x 1) right-of A align bottom # "
		   "b\nroom C "
		   "size (1 x 1) below B\n"),
	      "[{\"action\":\"convert_to_absolute\",\"params\":{\"targetRooms\":[\"B\"]}}]",
	      PLAN("room A at (0,0) size (4 x 4)\nroom B at (4,3) size (2 x 1) # b\nroom C size (1 "
		   "x 1) "
		   "below B\n"));
	gives(PLAN("room A at (0,0) size (4 x 4)\nroom B size (2 x 1) right-of A\nlift L size (1 x "
		   "1) "
		   "below B\n"),
	      "[{\"action\":\"convert_to_absolute\"}]",
	      PLAN("room A at (0,0) size (4 x 4)\nroom B at (4,0) size (2 x 1)\nlift L at (4,1) "
		   "size (1 "
		   "x 1)\n"));
}

/* ---- modes ---- */

#define THREE                                                                     \
	"[" OP("add_label", "A", "\"label\":\"one\"") "," OP(                     \
		"add_label", "X", "\"label\":\"two\"") "," OP("rename_room", "A", \
							      "\"newName\":\"B\"") "]"

static void test_modes(void **state)
{
	static const char text[] = PLAN("room A at (0,0) size (4 x 4)\n");
	struct run run;

	(void)state; /* floorplan.md 8.1 */
	run_with(&run, tn_str_from(text), THREE, false, "");
	assert_false(run.edited.success);
	expect_text(&run, PLAN("room B at (0,0) size (4 x 4) label \"one\"\n"));
	assert_int_equal(run.errors->count, 1);
	assert_int_equal(run.changes->count, 3);
	finish(&run);
	run_with(&run, tn_str_from(text), THREE, true, "");
	assert_false(run.edited.success);
	expect_text(&run, text);
	assert_int_equal(run.errors->count, 1);
	change_is(&run, 0,
		  "{\"action\":\"add_label\",\"target\":\"A\",\"result\":\"skipped\",\"message\":"
		  "\"nothing was changed, because operation 1 (add_label) failed\"}");
	change_is(&run, 1,
		  "{\"action\":\"add_label\",\"target\":\"X\",\"result\":\"error\",\"message\":"
		  "\"there is no room 'X'\"}");
	change_is(&run, 2,
		  "{\"action\":\"rename_room\",\"target\":\"A\",\"result\":\"skipped\",\"message\":"
		  "\"nothing was changed, because operation 1 (add_label) failed\"}");
	finish(&run);
	run_with(&run, TN_STR("floorplan floor {"), THREE, false, "");
	assert_false(run.edited.readable);
	assert_false(run.edited.success);
	assert_int_equal(run.edited.text.size, 0);
	assert_int_equal(run.changes->count, 0);
	assert_null(run.errors);
	finish(&run);
}

static void test_bad_operations(void **state)
{
	static const char text[] = PLAN("room A at (0,0) size (4 x 4)\n");

	(void)state; /* floorplan.md 8.3: unknown action or field */
	fails(text, "{\"action\":\"paint_room\",\"target\":\"A\"}", "FP9001",
	      "/operations/0/action");
	fails(text, "{}", "FP9001", "/operations/0/action");
	fails(text, "7", "FP9001", "/operations/0");
	fails(text, "{\"action\":\"add_label\",\"params\":{\"label\":\"x\"}}", "FP9001",
	      "/operations/0/target");
	fails(text, "{\"action\":\"add_label\",\"target\":7,\"params\":{\"label\":\"x\"}}",
	      "FP9001", "/operations/0/target");
	fails(text, "{\"action\":\"add_label\",\"target\":\"A\",\"params\":[]}", "FP9001",
	      "/operations/0/params");
	fails(text, "{\"action\":\"add_label\",\"target\":\"A\",\"why\":1}", "FP9001",
	      "/operations/0");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worked_example),
		cmocka_unit_test(test_remove_room_reports),
		cmocka_unit_test(test_nothing_changes_nothing),
		cmocka_unit_test(test_numbers_and_units),
		cmocka_unit_test(test_targets),
		cmocka_unit_test(test_move),
		cmocka_unit_test(test_rename),
		cmocka_unit_test(test_walls),
		cmocka_unit_test(test_label_and_style),
		cmocka_unit_test(test_long_label),
		cmocka_unit_test(test_add_room),
		cmocka_unit_test(test_add_room_refused),
		cmocka_unit_test(test_remove_room),
		cmocka_unit_test(test_connections),
		cmocka_unit_test(test_to_relative),
		cmocka_unit_test(test_to_absolute),
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_bad_operations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
