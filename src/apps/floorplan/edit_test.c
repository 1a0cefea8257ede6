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

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worked_example),
		cmocka_unit_test(test_remove_room_reports),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
