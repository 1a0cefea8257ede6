#include "apps/floorplan/edit/edit_run_kit.h"

struct tn_json *read_json(struct tn_arena *arena, struct tn_str text)
{
	struct tn_json *value = NULL;
	struct tenon_error err;

	if (text.size > 0 && tn_json_parse_copy(arena, text, &value, &err) != TENON_OK)
		fail_msg("%.*s: %s", (int)text.size, text.data, err.message);
	return value;
}

void run_with(struct run *run, struct tn_str text, const char *operations, bool atomic,
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

void finish(struct run *run)
{
	tn_floor_edited_finish(&run->edited);
	tn_arena_finish(&run->arena);
}

void expect_text(const struct run *run, const char *text)
{
	struct tn_str found = tn_buf_str(&run->edited.text);

	if (!tn_str_is(found, text))
		fail_msg("got:\n%.*s\nnot:\n%s\nchanges %.*s", (int)found.size, found.data, text,
			 (int)run->edited.changes.size, run->edited.changes.data);
}

void gives(const char *text, const char *operations, const char *result)
{
	struct run run;

	run_with(&run, tn_str_from(text), operations, false, "");
	expect_text(&run, result);
	assert_true(run.edited.success);
	assert_true(run.edited.readable);
	finish(&run);
}

const char *code_of(const struct run *run)
{
	struct tn_str code = tn_str("", 0);

	(void)tn_json_to_str(tn_json_get(run->errors ? run->errors->first : NULL, "code"), &code);
	return code.data;
}

void fails(const char *text, const char *operation, const char *code, const char *path)
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

void change_is(const struct run *run, size_t n, const char *json)
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
