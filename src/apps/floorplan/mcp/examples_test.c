/* The plans of the contract and what must be known of them (floorplan.md section 13): every
 * diagnostic, the unit, rooms, stairs and lifts, shared walls, openings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "apps/floorplan/plan/plan.h"
#include "base/size.h"
#include "jsonrpc/json.h"
#include "store/file.h"

static const char *const names[] = {"v1-bakery",        "v2-compass",          "v3-units",
				    "v4-clinic",        "v5-townhall",         "v6-freeform",
				    "e1-wall-type",     "e2-open-string",      "e3-circle",
				    "e4-unknown-names", "e5-duplicates",       "e6-connections",
				    "e7-values",        "e8-names-and-version"};

static void read_file(const char *name, const char *ending, struct tn_buf *out)
{
	char path[512];
	struct tenon_error err;

	(void)snprintf(path, sizeof(path), "%s/floorplan-examples/%s.%s", TN_TEST_DATA, name,
		       ending);
	tn_buf_init(out, TN_MIB);
	if (tn_file_read(path, 0, out, &err) != TENON_OK)
		fail_msg("%s: %s", path, err.message);
}

/* ---- one fact ---- */

static double number_of(const struct tn_json *object, const char *key)
{
	double number = NAN;

	if (!tn_json_to_double(tn_json_get(object, key), &number))
		fail_msg("no number '%s'", key);
	return number;
}

static void check_number(const char *what, const struct tn_json *object, const char *key,
			 double found)
{
	double expected = number_of(object, key);

	if (!(fabs(expected - found) <= 1e-6))
		fail_msg("%s: %s is %.9g, not %.9g", what, key, found, expected);
}

static void check_text(const char *what, const struct tn_json *object, const char *key,
		       struct tn_str found)
{
	const struct tn_json *expected = tn_json_get(object, key);

	assert_non_null(expected);
	if (!tn_str_equal(expected->text, found))
		fail_msg("%s: %s is '%.*s', not '%s'", what, key, (int)found.size, found.data,
			 expected->text.data);
}

/* ---- diagnostics ---- */

static const struct tn_json *check_diagnostic(const char *name, const struct tn_json *expected,
					      const struct tn_floor_diagnostic *found)
{
	const struct tn_json *mentions;
	char what[1200], code[16];

	(void)snprintf(what, sizeof(what), "%s: %u:%u %s", name, found->range.line,
		       found->range.column, found->message);
	(void)snprintf(code, sizeof(code), "FP%04d", found->code);
	if (!expected)
		fail_msg("%s: %s is not expected", what, code);
	check_text(what, expected, "code", tn_str_from(code));
	check_number(what, expected, "line", found->range.line);
	check_number(what, expected, "column", found->range.column);
	check_number(what, expected, "endLine", found->range.end_line);
	check_number(what, expected, "endColumn", found->range.end_column);
	mentions = tn_json_get(expected, "mentions");
	for (const struct tn_json *at = mentions ? mentions->first : NULL; at; at = at->next) {
		if (!strstr(found->message, at->text.data))
			fail_msg("%s: does not mention %s", what, at->text.data);
	}
	return expected->next;
}

static void check_diagnostics(const char *name, const struct tn_json *facts,
			      const struct tn_floor_plan *plan)
{
	static const char *const keys[] = {"errors", "warnings", "infos"};

	for (unsigned i = 0; i < TN_COUNT(keys); i++) {
		const struct tn_json *expected = tn_json_get(facts, keys[i])->first;

		for (const struct tn_floor_diagnostic *at = plan->diagnostics.first; at;
		     at = at->next) {
			if (at->severity == (enum tn_floor_severity)i)
				expected = check_diagnostic(name, expected, at);
		}
		if (expected)
			fail_msg("%s: %s of line %.0f is missing", name,
				 tn_json_get(expected, "code")->text.data,
				 number_of(expected, "line"));
	}
}

/* ---- floors ---- */

static void check_rooms(const char *name, const struct tn_json *expected,
			const struct tn_floor_room *room)
{
	for (; expected; expected = expected->next, room = room->next) {
		const struct tn_json *sub = tn_json_get(expected, "subRooms");
		char what[64];

		if (!room)
			fail_msg("%s: a room is missing", name);
		(void)snprintf(what, sizeof(what), "%s", tn_json_get(expected, "name")->text.data);
		check_text(name, expected, "name", room->name);
		assert_true(room->placed);
		check_number(what, expected, "x", room->rect.x);
		check_number(what, expected, "y", room->rect.y);
		check_number(what, expected, "width", room->rect.width);
		check_number(what, expected, "height", room->rect.height);
		if (tn_json_get(expected, "label"))
			check_text(what, expected, "label", room->label);
		else
			assert_null(room->label.data);
		for (unsigned side = 0; side < 4; side++)
			check_text(what, tn_json_get(expected, "walls"),
				   tn_floor_side_name((enum tn_floor_side)side),
				   tn_str_from(tn_floor_wall_name(room->walls[side])));
		check_rooms(name, sub ? sub->first : NULL, room->rooms);
	}
	if (room)
		fail_msg("%s: room '%.*s' is not expected", name, (int)room->name.size,
			 room->name.data);
}

static void check_circulation(const char *name, const struct tn_json *expected,
			      const struct tn_floor_circulation *found)
{
	for (; expected; expected = expected->next, found = found->next) {
		if (!found)
			fail_msg("%s: a stair or lift is missing", name);
		check_text(name, expected, "name", found->name);
		check_text(name, expected, "kind", tn_str_from(found->lift ? "lift" : "stair"));
		assert_true(found->placed);
		check_number(name, expected, "x", found->rect.x);
		check_number(name, expected, "y", found->rect.y);
		check_number(name, expected, "width", found->rect.width);
		check_number(name, expected, "height", found->rect.height);
		if (!found->lift)
			check_number(name, expected, "steps", found->steps);
	}
	assert_null(found);
}

static void check_shared(const char *name, const struct tn_json *expected,
			 const struct tn_floor_shared *found)
{
	for (; expected; expected = expected->next, found = found->next) {
		if (!found)
			fail_msg("%s: a shared wall is missing", name);
		check_text(name, expected, "a", found->a->name);
		check_text(name, expected, "aWall", tn_str_from(tn_floor_side_name(found->a_side)));
		check_text(name, expected, "b", found->b->name);
		check_text(name, expected, "bWall", tn_str_from(tn_floor_side_name(found->b_side)));
		check_number(name, expected, "start", found->start);
		check_number(name, expected, "end", found->end);
		check_number(name, expected, "length", found->end - found->start);
	}
	if (found)
		fail_msg("%s: '%.*s' shares a wall with '%.*s'", name, (int)found->a->name.size,
			 found->a->name.data, (int)found->b->name.size, found->b->name.data);
}

static const struct tn_floor_opening *opening_of(const struct tn_floor_plan *plan, unsigned line)
{
	for (const struct tn_floor_floor *floor = plan->floors; floor; floor = floor->next) {
		for (const struct tn_floor_opening *at = floor->openings; at; at = at->next) {
			if (at->connect &&
			    plan->tree.lexed.tokens[at->connect->tokens.first].range.line == line)
				return at;
		}
	}
	fail_msg("no opening of line %u", line);
	return NULL;
}

static size_t count_openings(const struct tn_floor_plan *plan)
{
	size_t count = 0;

	for (const struct tn_floor_floor *floor = plan->floors; floor; floor = floor->next) {
		for (const struct tn_floor_opening *at = floor->openings; at; at = at->next)
			count += at->connect != NULL;
	}
	return count;
}

static void check_openings(const char *name, const struct tn_json *facts,
			   const struct tn_floor_plan *plan)
{
	static const char *const kinds[] = {"door", "double-door", "opening", "window"};
	const struct tn_json *openings = tn_json_get(facts, "openings");
	size_t count = 0;

	for (const struct tn_json *expected = openings ? openings->first : NULL; expected;
	     expected = expected->next, count++) {
		const struct tn_floor_opening *found =
			opening_of(plan, (unsigned)number_of(expected, "line"));

		assert_true(found->drawn);
		check_text(name, expected, "floor", found->floor->name);
		check_text(name, expected, "kind", tn_str_from(kinds[found->kind]));
		check_text(name, expected, "orientation",
			   tn_str_from(found->horizontal ? "horizontal" : "vertical"));
		check_number(name, expected, "wallLine", found->line);
		check_number(name, expected, "center", found->center);
		check_number(name, expected, "width", found->width);
	}
	assert_int_equal(count, count_openings(plan));
}

static void check_plan(const char *name, const struct tn_json *facts,
		       const struct tn_floor_plan *plan)
{
	const struct tn_floor_floor *floor = plan->floors;

	check_text(name, facts, "unit", tn_str_from(tn_floor_unit_name(plan->unit)));
	for (const struct tn_json *expected = tn_json_get(facts, "floors")->first; expected;
	     expected = expected->next, floor = floor->next) {
		assert_non_null(floor);
		check_text(name, expected, "id", floor->name);
		check_rooms(name, tn_json_get(expected, "rooms")->first, floor->rooms);
		check_circulation(name, tn_json_get(expected, "circulation")->first,
				  floor->circulation);
		check_shared(name, tn_json_get(expected, "adjacency")->first, floor->shared);
	}
	assert_null(floor);
	check_openings(name, facts, plan);
}

static void test_examples(void **state)
{
	struct tn_arena arena;

	(void)state;
	tn_arena_init(&arena, TN_MIB);
	for (size_t i = 0; i < TN_COUNT(names); i++) {
		struct tn_buf text, json;
		struct tn_json *facts = NULL;
		struct tn_floor_plan *plan = NULL;
		struct tenon_error err;

		read_file(names[i], "floorplan", &text);
		read_file(names[i], "json", &json);
		assert_int_equal(tn_json_parse_copy(&arena, tn_buf_str(&json), &facts, NULL),
				 TENON_OK);
		assert_int_equal(tn_floor_plan_create(tn_buf_str(&text), false, &plan, &err),
				 TENON_OK);
		check_diagnostics(names[i], facts, plan);
		assert_int_equal(plan->valid, tn_json_get(facts, "valid")->type == TN_JSON_TRUE);
		if (plan->valid)
			check_plan(names[i], facts, plan);
		tn_floor_plan_free(plan);
		tn_buf_finish(&text);
		tn_buf_finish(&json);
	}
	tn_arena_finish(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
